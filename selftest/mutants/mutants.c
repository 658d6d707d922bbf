// SPDX-License-Identifier: Apache-2.0
//
// The table of mutants, compilation and execution of a mutant, and the backend "mutant:NAME".
#include "ir.h"

#include <string.h>

#define TRANSFORMATION(name, classes, edit, line)                                                  \
    {name, classes, line, MUT_TRANSFORMATION, edit, ORC_FAULT_NONE, MUT_ANY}
#define FAULT(name, classes, fault, line)                                                          \
    {name, classes, line, MUT_FAULT, NULL, ORC_FAULT_##fault, MUT_ANY}
// The same, for mutants that only fragment programs detect.
#define FRAGMENT(name, classes, edit, line)                                                        \
    {name, classes, line, MUT_TRANSFORMATION, edit, ORC_FAULT_NONE, MUT_FRAGMENTS}
// The same, for mutants that only programs with derivatives detect.
#define DERIVATIVE(name, classes, edit, line)                                                      \
    {name, classes, line, MUT_TRANSFORMATION, edit, ORC_FAULT_NONE, MUT_DERIVATIVES}
#define DERIVATIVE_FAULT(name, classes, fault, line)                                               \
    {name, classes, line, MUT_FAULT, NULL, ORC_FAULT_##fault, MUT_DERIVATIVES}
// The same, for mutants that only programs with images detect.
#define IMAGE(name, classes, edit, line)                                                           \
    {name, classes, line, MUT_TRANSFORMATION, edit, ORC_FAULT_NONE, MUT_IMAGES}

// To add a mutant: its row here, its case corpus/mutants/NAME.spvasm (tests/test_mutants.c runs
// every mutant on its case), and for a transformation a function in the file of its kind.
static const struct mut_mutant table[] = {
    // ---- duplicate.c
    TRANSFORMATION("duplicate-into-arms", "T5", dup_into_arms,
                   "the operation after a selection is copied to the end of each arm, with a phi"),
    TRANSFORMATION("duplicate-into-cases", "T5 T12", dup_into_cases,
                   "the operation after a switch is copied to the end of each case"),
    TRANSFORMATION("duplicate-into-exits", "T2 T11", dup_into_exits,
                   "the operation after a loop is copied to each exit path"),
    TRANSFORMATION("duplicate-into-continues", "T13", dup_into_continues,
                   "the operation of the continue construct is copied before each continue"),
    // ---- merge_arms.c
    TRANSFORMATION("tail-merge-arms", "T4", tail_merge_arms,
                   "the operation at the end of both arms is moved after them"),
    TRANSFORMATION("hoist-common-op", "T4", hoist_common_op,
                   "an operation in both arms is moved before them"),
    // ---- hoist.c
    TRANSFORMATION("hoist-out-of-arm", "T5", hoist_out_of_arm,
                   "an operation in an arm is moved before the branch"),
    TRANSFORMATION("hoist-out-of-case", "T12", hoist_out_of_case,
                   "an operation in a case is moved before the switch"),
    TRANSFORMATION("hoist-out-of-loop", "T2", hoist_out_of_loop,
                   "an operation on loop-invariant operands is moved before the loop"),
    TRANSFORMATION("hoist-out-of-rest", "T5 T9", hoist_out_of_rest,
                   "an operation of the lanes that were not elected is moved before the branch"),
    // ---- sink.c
    TRANSFORMATION("sink-into-arm", "T7", sink_into_arm,
                   "an operation whose result only one arm uses is moved there"),
    TRANSFORMATION("sink-into-case", "T7 T12", sink_into_case,
                   "an operation whose result only one case uses is moved there"),
    TRANSFORMATION("sink-into-loop", "T7 T11", sink_into_loop,
                   "an operation before a loop, used only in it, is moved into the loop"),
    TRANSFORMATION("sink-out-of-loop", "T7 T8", sink_out_of_loop,
                   "an operation in a loop, used only after it, is moved after it"),
    // ---- derive.c
    DERIVATIVE("sink-derivative-into-arm", "T7 T16", sink_derivative_into_arm,
               "a derivative that only one arm uses is moved there"),
    DERIVATIVE("sink-derivative-into-case", "T7 T12 T16", sink_derivative_into_case,
               "a derivative that only one case uses is moved there"),
    DERIVATIVE("sink-derivative-into-loop", "T7 T16", sink_derivative_into_loop,
               "a derivative before a loop, used only in it, is moved into the loop"),
    DERIVATIVE("duplicate-derivative-into-arms", "T5 T16", dup_derivative_into_arms,
               "a derivative after a selection is copied to the end of each arm, with a phi"),
    DERIVATIVE("duplicate-derivative-into-exits", "T2 T16", dup_derivative_into_exits,
               "a derivative after a loop is copied to each exit path"),
    // ---- sample.c
    IMAGE("sink-sample-into-arm", "T7 T16", sink_sample_into_arm,
          "an implicit-LOD sample that only one arm uses is moved there"),
    IMAGE("sink-sample-into-case", "T7 T12 T16", sink_sample_into_case,
          "an implicit-LOD sample that only one case uses is moved there"),
    IMAGE("sink-sample-into-loop", "T7 T16", sink_sample_into_loop,
          "an implicit-LOD sample before a loop, used only in it, is moved into the loop"),
    IMAGE("duplicate-sample-into-arms", "T5 T16", dup_sample_into_arms,
          "an implicit-LOD sample after a selection is copied to the end of each arm, with a phi"),
    IMAGE("duplicate-sample-into-exits", "T2 T16", dup_sample_into_exits,
          "an implicit-LOD sample after a loop is copied to each exit path"),
    IMAGE("samples-flattened", "T4 T9", samples_flattened,
          "the samples of both arms become one before them, with a selected image and sampler"),
    IMAGE("nonuniform-lost", "T9", nonuniform_lost, "all NonUniform decorations are removed"),
    IMAGE("index-is-first", "T9", index_is_first,
          "a non-uniform index of an image or sampler is taken from the first lane"),
    IMAGE("sampler-is-first", "T17", sampler_is_first,
          "an array of samplers is always read at index 0"),
    IMAGE("implicit-level-zero", "T16", implicit_level_zero, "an implicit LOD becomes level 0"),
    IMAGE("bias-lost", "T17", bias_lost, "the bias of a sample is dropped"),
    IMAGE("gradients-lost", "T17", gradients_lost, "a sample by gradients reads level 0"),
    IMAGE("level-lost", "T17", level_lost, "the level of a sample or fetch becomes 0"),
    IMAGE("texel-kept", "T6 T18", texel_kept,
          "a second read of a texel returns the value from before a write"),
    // ---- reuse.c
    TRANSFORMATION("reuse-in-branch", "T6", reuse_in_branch,
                   "an operation in a branch reuses the result of an equal one before the branch"),
    TRANSFORMATION("reuse-in-loop", "T6", reuse_in_loop,
                   "an operation in a loop reuses the result of an equal one before the loop"),
    TRANSFORMATION("reuse-behind", "T6 T13", reuse_after_exit,
                   "an operation reuses the result of an equal one from before some lanes left"),
    TRANSFORMATION("partial-redundancy", "T5 T6", partial_redundancy,
                   "an operation after an arm with an equal one reuses that arm's result"),
    // ---- exits.c
    TRANSFORMATION("break-block-into-merge", "T1", break_block_into_merge,
                   "a break block is merged with the loop's merge block"),
    TRANSFORMATION("break-block-behind-flag", "T1 T11", break_block_after_flag,
                   "a break block runs after the loop, under a flag"),
    TRANSFORMATION("return-block-behind-loop", "T13 T14", return_block_after_flag,
                   "a block that returns from inside a loop runs after the loop, under a flag"),
    // ---- loops.c
    TRANSFORMATION("unswitch-loop", "T2", unswitch_loop,
                   "a loop with a branch on a loop-invariant condition becomes two loops"),
    TRANSFORMATION("unswitch-by-parameter", "T2 T9", unswitch_by_parameter,
                   "a loop with a branch on a function's parameter becomes two loops"),
    TRANSFORMATION("unroll-with-remainder", "T10", unroll_with_remainder,
                   "the last iteration of each lane moves to a second loop after the first"),
    // ---- thread.c
    TRANSFORMATION(
        "thread-jump", "T3", thread_jump,
        "two selections with the same condition become one, across the merge block between them"),
    // ---- fold.c
    TRANSFORMATION("fold-sum-of-uniform", "T15", fold_sum_of_uniform,
                   "a sum of a uniform value becomes the value times the subgroup size"),
    TRANSFORMATION("fold-scan-of-uniform", "T15", fold_scan_of_uniform,
                   "a scan of a uniform value becomes the value times the lane number"),
    TRANSFORMATION("fold-xor-of-uniform", "T15", fold_xor_of_uniform,
                   "an exclusive or of a uniform value becomes zero"),
    TRANSFORMATION("fold-ballot-of-true", "T15", fold_ballot_of_true,
                   "a ballot of true becomes all bits of the subgroup"),
    TRANSFORMATION("fold-elect", "T15", fold_elect, "lane 0 is always the elected one"),
    TRANSFORMATION("fold-vote", "T9 T15", fold_vote,
                   "all and any of a condition become the lane's own condition"),
    TRANSFORMATION("narrowed-sum", "T15", fold_sum_to_narrow,
                   "a sum of numbers converted from 16 bits is computed in 16 bits"),
    // ---- uniform.c
    TRANSFORMATION("uniform-branch", "T9", uniform_branch,
                   "a condition that is only assigned uniform values is read from the first lane"),
    TRANSFORMATION("uniform-switch", "T9 T12", uniform_switch,
                   "a selector that is only assigned uniform values is read from the first lane"),
    TRANSFORMATION(
        "uniform-values", "T9", uniform_values,
        "a variable or phi that is only assigned uniform values is read from the first lane"),
    TRANSFORMATION("uniform-after-loop", "T8", uniform_after_loop,
                   "a value that is uniform in a loop is read from the first lane after it"),
    TRANSFORMATION("undefined-is-uniform", "T9", undefined_is_uniform,
                   "a phi with an undefined operand counts as uniform: its broadcast is removed"),
    TRANSFORMATION(
        "joined-constants-are-first", "T9", joined_constants_are_first,
        "a phi of constants from two arms of several blocks is read from the first lane"),
    TRANSFORMATION("load-is-scalar", "T9", load_is_scalar,
                   "a load in an arm at the lane's own index uses the index of the first lane"),
    // ---- switches.c
    TRANSFORMATION("switch-continue-is-break", "T12", switch_continue_is_break,
                   "a continue inside a switch only leaves the switch"),
    TRANSFORMATION("loop-break-leaves-switch", "T12", loop_break_leaves_switch,
                   "a break out of a loop inside a switch only leaves the switch"),
    TRANSFORMATION("fall-through-lost", "T12", fall_through_lost,
                   "a case that falls through leaves the switch instead"),
    TRANSFORMATION("last-case-is-default", "T12", last_case_is_default,
                   "the last of several labels of a case goes to the default"),
    // ---- values.c
    TRANSFORMATION("loop-value-lost", "T17", loop_value_lost,
                   "the result of an operation in a loop is lost after it"),
    TRANSFORMATION("shuffles-share-scratch", "T18", shuffles_share_scratch,
                   "the first of two consecutive shuffles reads the values of the second"),
    TRANSFORMATION("barrier-left-out", "T18", barrier_left_out, "control barriers are removed"),
    TRANSFORMATION("workgroup-is-first", "T18", workgroup_is_first,
                   "every workgroup reads WorkgroupId 0"),
    TRANSFORMATION("subgroup-is-first", "T18", subgroup_is_first,
                   "every subgroup compares and computes with SubgroupId 0"),
    TRANSFORMATION("shared-memory-wraps", "T18", shared_memory_wraps,
                   "shared memory has room for 128 invocations: indices wrap"),
    TRANSFORMATION("latch-after-stores", "T2 T8", latch_after_stores,
                   "the condition of a back edge is computed again after the stores of its block"),
    // ---- helpers.c
    FRAGMENT("helpers-not-in-votes", "T20", helpers_not_in_votes, "all and any ignore helpers"),
    FRAGMENT("helpers-not-in-quad-votes", "T16 T20", helpers_not_in_quad_votes,
             "a quad vote ignores helpers"),
    FRAGMENT("helpers-not-in-ballots", "T20", helpers_not_in_ballots,
             "a ballot has no bits for helpers"),
    FRAGMENT("helpers-not-in-sums", "T20", helpers_not_in_sums,
             "a sum ignores the values of helpers"),
    FRAGMENT("helpers-not-in-quads", "T16 T20", helpers_not_in_quads,
             "a quad move from a helper returns the lane's own value"),
    FRAGMENT("helpers-not-in-shuffles", "T20", helpers_not_in_shuffles,
             "a shuffle from a helper returns zero"),
    FRAGMENT("first-is-live", "T20", first_is_live,
             "the first active invocation is the first one that is not a helper"),
    FRAGMENT("elected-is-live", "T20", elected_is_live,
             "a helper is elected only if no live invocation is active"),
    FRAGMENT("helpers-not-in-derivatives", "T16 T20", helpers_not_in_derivatives,
             "a derivative uses zero for the values of helpers"),
    FRAGMENT("helpers-load-zero", "T20", helpers_load_zero, "helpers load zero"),
    FRAGMENT("helpers-index-first", "T20", helpers_index_first, "helpers load the first element"),
    FRAGMENT("demote-lost", "T19", demote_lost, "demote does nothing"),
    FRAGMENT("demote-lost-in-call", "T13 T19", demote_lost_in_call,
             "demote does nothing in a called function"),
    FRAGMENT("demote-early", "T19", demote_early, "demote moves to the start of its block"),
    FRAGMENT("demote-late", "T19", demote_late, "demote moves to the end of its block"),
    FRAGMENT("demote-is-kill", "T19", demote_is_kill, "demote ends the invocation"),
    FRAGMENT("kill-is-demote", "T19", kill_is_demote,
             "an invocation that ends continues as a helper"),
    FRAGMENT("helper-stale", "T20", helper_stale, "a helper query returns the state at the start"),
    FRAGMENT("helper-never", "T20", helper_never, "a helper query always returns false"),
    FRAGMENT("loop-without-live-ends", "T2 T20", loop_without_live_ends,
             "a loop ends once only helpers would continue it"),
    FRAGMENT("arm-of-helpers-skipped", "T20", arm_of_helpers_skipped,
             "an arm that only helpers would execute is skipped"),
    // ---- faults injected into the oracle: oracle/fault.c
    FAULT("split-after-call", "T13", SPLIT_AFTER_CALL,
          "lanes that returned at different places of a function stay diverged after the call"),
    FAULT("split-at-continue", "T13", SPLIT_AT_CONTINUE,
          "the continue construct runs once for each path into it"),
    FAULT("split-at-merge", "T5 T11", SPLIT_AT_MERGE,
          "the arms of a selection do not reconverge at its merge block"),
    FAULT("split-after-loop", "T2 T14", SPLIT_AFTER_LOOP,
          "lanes that left a loop in different iterations stay diverged after it"),
    FAULT("loop-ends-with-first", "T10 T14", LOOP_ENDS_WITH_FIRST,
          "the last iterations lose their lanes: no lane continues once any lane has left"),
    FAULT("phis-in-order", "T17", PHIS_IN_ORDER,
          "the phis of a block are copied one after the other, not in parallel"),
    FAULT("broken-lanes-stay", "T14", BROKEN_LANES_STAY,
          "group operations in a loop still count lanes that have left it"),
    FAULT("continued-lanes-stay", "T13 T14", CONTINUED_LANES_STAY,
          "group operations still count lanes that wait for the next iteration"),
    FAULT("returned-lanes-stay", "T13 T14", RETURNED_LANES_STAY,
          "group operations in a function still count lanes that have returned"),
    FAULT("other-arm-stays", "T15", OTHER_ARM_STAYS,
          "the first arm of a selection counts lanes that wait for the other arm"),
    FAULT("done-arm-stays", "T15", DONE_ARM_STAYS,
          "the second arm of a selection counts lanes that have run the first"),
    FAULT("switch-mask-ignored", "T12", CASES_STAY,
          "a case of a switch counts lanes that wait for a later case"),
    FAULT("inactive-in-ballot", "T15", INACTIVE_IN_BALLOT,
          "a ballot has the stale bits of inactive lanes"),
    FAULT("missing-in-ballot", "T15 T18", MISSING_IN_BALLOT,
          "in a partial subgroup a ballot has bits of lanes that do not exist"),
    FAULT("missing-half-in-ballot", "T15 T18", MISSING_HALF,
          "in a subgroup that lacks just its upper half a ballot has bits of that half"),
    FAULT("missing-in-cluster", "T15 T18", MISSING_IN_CLUSTER,
          "in a partial subgroup a clustered reduction reads lanes that do not exist"),
    FAULT("inactive-in-partition", "T15", INACTIVE_IN_PARTITION,
          "a partition has inactive lanes, by their stale values"),
    FAULT("inactive-in-vote", "T15", INACTIVE_IN_VOTE,
          "all, any and all-equal read the stale values of inactive lanes"),
    FAULT("inactive-in-reduce", "T15", INACTIVE_IN_REDUCE,
          "a reduction reads the stale values of inactive lanes"),
    FAULT("inactive-in-scan", "T15", INACTIVE_IN_SCAN,
          "a scan reads the stale values of inactive lanes"),
    FAULT("upper-half-lost", "T15", UPPER_HALF_LOST,
          "a reduction reads only the lower half of the subgroup"),
    FAULT("upper-ballot-lost", "T15", UPPER_BALLOT,
          "a ballot has no bits for lanes of the upper half of the subgroup"),
    FAULT("upper-elect-lost", "T15", UPPER_ELECT,
          "the lanes of the upper half have the result of the first lane of the lower half"),
    FAULT("upper-first-lost", "T15", UPPER_FIRST,
          "the first active lane's value is zero if that lane is in the upper half"),
    FAULT("upper-vote-lost", "T15", UPPER_VOTE, "a vote ignores the lanes of the upper half"),
    FAULT("upper-scan-lost", "T15", UPPER_SCAN, "a scan ignores the lanes of the upper half"),
    FAULT("upper-cluster-lost", "T15", UPPER_CLUSTER,
          "a clustered reduction ignores the lanes of the upper half"),
    FAULT("upper-broadcast-lost", "T15", UPPER_BROADCAST,
          "a broadcast from a lane of the upper half reads the same lane of the lower half"),
    FAULT("upper-shuffle-lost", "T15", UPPER_SHUFFLE,
          "a shuffle from a lane of the upper half reads the same lane of the lower half"),
    FAULT("upper-xor-lost", "T15", UPPER_XOR,
          "a shuffle by a mask with the highest bit stays in the half"),
    FAULT("upper-up-lost", "T15", UPPER_UP,
          "a shuffle up by half the subgroup or more goes half a subgroup less far"),
    FAULT("upper-down-lost", "T15", UPPER_DOWN,
          "a shuffle down by half the subgroup or more goes half a subgroup less far"),
    FAULT("upper-rotate-lost", "T15", UPPER_ROTATE,
          "a rotation by half the subgroup or more goes half a subgroup less far"),
    FAULT("upper-bit-lost", "T15", UPPER_BIT,
          "a bit of the upper half of a ballot is read from the lower half"),
    FAULT("upper-count-lost", "T15", UPPER_COUNT,
          "the bits of the upper half of a ballot are not counted"),
    FAULT("upper-find-lost", "T15", UPPER_FIND,
          "the lowest or highest bit of a ballot is sought in its lower half"),
    FAULT("upper-inverse-lost", "T15", UPPER_INVERSE,
          "the inverse of a ballot is false in the upper half"),
    FAULT("scan-includes-self", "T15", SCAN_INCLUDES_SELF,
          "an exclusive scan includes the lane itself"),
    FAULT("scan-leaves-self-out", "T15", SCAN_LEAVES_SELF_OUT,
          "an inclusive scan ignores the lane itself"),
    FAULT("count-includes-self", "T15", COUNT_INCLUDES_SELF,
          "an exclusive bit count of a ballot includes the lane itself"),
    FAULT("highest-for-lowest", "T15", HIGHEST_FOR_LOWEST,
          "the lowest bit of a ballot is the highest one"),
    FAULT("cluster-is-whole", "T15", CLUSTER_IS_WHOLE,
          "a clustered reduction is over all active lanes"),
    FAULT("cluster-of-half", "T15", CLUSTER_OF_HALF,
          "a clustered reduction is over half of the cluster"),
    FAULT("parts-are-whole", "T15", PARTS_ARE_WHOLE,
          "a reduction or scan over parts is over all active lanes"),
    FAULT("first-is-lane-zero", "T15", FIRST_IS_LANE_ZERO,
          "the first active lane's value is read from lane 0, active or not"),
    FAULT("elects-lane-zero", "T15", ELECTS_LANE_ZERO, "lane 0 is elected, active or not"),
    FAULT("elects-last", "T15", ELECTS_LAST, "the last active lane is elected"),
    FAULT("shuffle-by-first-index", "T9 T18", SHUFFLE_BY_FIRST_INDEX,
          "a shuffle uses the first lane's index for all lanes"),
    FAULT("shuffle-in-row", "T15 T18", SHUFFLE_IN_ROW,
          "a shuffle reads only inside the row of four lanes"),
    FAULT("broadcast-is-first", "T15", BROADCAST_IS_FIRST,
          "a broadcast returns the first active lane's value, whichever lane is requested"),
    FAULT("rotate-back", "T15", ROTATE_BACK, "a rotation goes in the other direction"),
    FAULT("quad-swap-mixed", "T15 T16", QUAD_SWAP_MIXED,
          "the horizontal quad swap is vertical, and the vertical one horizontal"),
    FAULT("inactive-in-quad", "T16", INACTIVE_IN_QUAD,
          "a quad vote reads the stale values of inactive lanes"),
    DERIVATIVE_FAULT("derivative-axes-mixed", "T16", DERIVATIVE_AXES_MIXED,
                     "the derivatives along x and y are swapped"),
    DERIVATIVE_FAULT("derivative-backwards", "T16", DERIVATIVE_BACKWARDS,
                     "a derivative has the opposite sign"),
    DERIVATIVE_FAULT("fine-derivative-is-coarse", "T16", DERIVATIVE_FINE_IS_COARSE,
                     "a fine derivative is the one of the quad's first invocation"),
    DERIVATIVE_FAULT("width-is-a-sum", "T16", DERIVATIVE_WIDTH_SIGNED,
                     "a width adds differences instead of their absolute values"),
    DERIVATIVE_FAULT("quads-of-indices", "T16", DERIVATIVE_OF_INDICES,
                     "2 by 2 quads are treated as four invocations of consecutive index"),
    FAULT("quad-broadcast-is-first", "T16", QUAD_BROADCAST_IS_FIRST,
          "a quad broadcast returns the value of the first lane, whichever lane is requested"),
    FAULT("sign-lost", "T15", SIGN_LOST, "a signed minimum or maximum is computed unsigned"),
    FAULT("one-component", "T15 T17", ONE_COMPONENT,
          "a vector result has the first component in all places"),
};
enum { MUTANTS = sizeof table / sizeof table[0] };

uint32_t mut_all(const struct mut_mutant **out)
{
    *out = table;
    return MUTANTS;
}

const struct mut_mutant *mut_find(const char *name)
{
    for (uint32_t k = 0; k < MUTANTS; k++)
        if (strcmp(table[k].name, name) == 0)
            return &table[k];
    return NULL;
}

uint32_t mut_compile(struct arena *a, const struct mut_mutant *m, const uint32_t *words,
                     size_t count, const uint32_t **out, size_t *out_count)
{
    struct ir ir;
    uint32_t places = 0;
    CHECK(m->kind == MUT_TRANSFORMATION);
    *out = words;
    *out_count = count;
    if (ir_read(&ir, a, words, count))
        places = m->edit(&ir);
    if (places) {
        ir_analyse(&ir);
        ir_bring_images(&ir);
        *out = ir_write(&ir, out_count);
    }
    return places;
}

void mut_run(struct orc_program *p, struct arena *a, const struct mut_mutant *m,
             const struct spv_case *c, uint32_t subgroup, const struct orc_options *o,
             struct orc_result *out)
{
    struct orc_options broken = o ? *o : (struct orc_options){0};
    CHECK(m->kind == MUT_FAULT);
    broken.machine = ORC_MASK;
    broken.fault = m->fault;
    orc_run(p, a, c, subgroup, &broken, out);
}

// ---- as a target ----------------------------------------------------------------

static bool open_mutant(const char *name, enum run_form *form, struct err *e)
{
    const struct mut_mutant *m = mut_find(name);
    if (!m)
        return err_set(e, "mutant: unknown name '%.60s' (tanglefuzz mutants --list shows all)",
                       name);
    *form = m->kind == MUT_TRANSFORMATION ? RUN_FORM_SPIRV : RUN_FORM_MEMORY;
    return true;
}

static void answer(const char *name, struct arena *a, const struct spv_case *c, uint32_t subgroup,
                   struct run_result *out)
{
    const struct mut_mutant *m = mut_find(name);
    CHECK(m);
    *out = (struct run_result){.status = RUN_OK};
    if (m->kind == MUT_TRANSFORMATION) {
        out->form = RUN_FORM_SPIRV;
        mut_compile(a, m, c->words, c->count, &out->words, &out->word_count);
        return;
    }
    struct orc_result r = {0};
    struct orc_options o = {.policy = c->has_policy ? &c->policy : NULL};
    struct orc_program *p = orc_load(a, c, &r.why);
    if (p)
        mut_run(p, a, m, c, subgroup, &o, &r);
    if (r.why.status == RAN_OK) {
        out->form = RUN_FORM_MEMORY;
        out->memory = r.memory;
        out->memory_count = r.memory_count;
        for (uint32_t k = 0; k < r.memory_count; k++)
            r.memory[k].mask = NULL; // a device has no mask
        return;
    }
    // An injected fault may cause undefined behavior (such as two writers of a word).
    out->status = r.why.status == RAN_OVER_LIMIT                                   ? RUN_HUNG
                  : r.why.status == RAN_UNSUPPORTED || r.why.status == RAN_INVALID ? RUN_SKIPPED
                                                                                   : RUN_CRASHED;
    snprintf(out->text, sizeof out->text, "%.590s", r.why.text);
}

const struct run_own mut_backend = {
    .kind = {.name = "mutant",
             .syntax = "mutant:NAME",
             .summary = "a faulty compiler or device, to measure what the fuzzer finds",
             .replay = {""}},
    .open = open_mutant,
    .answer = answer,
};
