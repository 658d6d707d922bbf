// SPDX-License-Identifier: Apache-2.0
//
// The table of mutants, and what everybody does with one.
#include "ir.h"

#include <string.h>

#define TRANSFORMATION(name, classes, edit, line)                                                  \
    {name, classes, line, MUT_TRANSFORMATION, edit, ORC_FAULT_NONE, MUT_ANY}
#define FAULT(name, classes, fault, line)                                                          \
    {name, classes, line, MUT_FAULT, NULL, ORC_FAULT_##fault, MUT_ANY}
// The same, that only fragment programs tell.
#define FRAGMENT(name, classes, edit, line)                                                        \
    {name, classes, line, MUT_TRANSFORMATION, edit, ORC_FAULT_NONE, MUT_FRAGMENTS}
// The same, that only programs with derivatives tell.
#define DERIVATIVE(name, classes, edit, line)                                                      \
    {name, classes, line, MUT_TRANSFORMATION, edit, ORC_FAULT_NONE, MUT_DERIVATIVES}
#define DERIVATIVE_FAULT(name, classes, fault, line)                                               \
    {name, classes, line, MUT_FAULT, NULL, ORC_FAULT_##fault, MUT_DERIVATIVES}
// The same, that only programs with images tell.
#define IMAGE(name, classes, edit, line)                                                           \
    {name, classes, line, MUT_TRANSFORMATION, edit, ORC_FAULT_NONE, MUT_IMAGES}

// To add one: its row, its case corpus/mutants/NAME.spvasm (tests/test_mutants.c runs every
// mutant on its case), and for a transformation a function in the file of its kind.
static const struct mut_mutant table[] = {
    // ---- duplicate.c
    TRANSFORMATION("duplicate-into-arms", "T5", dup_into_arms,
                   "the operation after a selection is done at the end of each arm, with a phi"),
    TRANSFORMATION("duplicate-into-cases", "T5 T12", dup_into_cases,
                   "the operation after a switch is done at the end of each case"),
    TRANSFORMATION("duplicate-into-exits", "T2 T11", dup_into_exits,
                   "the operation after a loop is done on each way out of it"),
    TRANSFORMATION("duplicate-into-continues", "T13", dup_into_continues,
                   "the operation of the continue construct is done before each continue"),
    // ---- merge_arms.c
    TRANSFORMATION("tail-merge-arms", "T4", tail_merge_arms,
                   "both arms end with the same operation: done once after them"),
    TRANSFORMATION("hoist-common-op", "T4", hoist_common_op,
                   "both arms have the same operation: done once before them"),
    // ---- hoist.c
    TRANSFORMATION("hoist-out-of-arm", "T5", hoist_out_of_arm,
                   "an operation in an arm is done before the branch"),
    TRANSFORMATION("hoist-out-of-case", "T12", hoist_out_of_case,
                   "an operation in a case is done before the switch"),
    TRANSFORMATION("hoist-out-of-loop", "T2", hoist_out_of_loop,
                   "an operation on what does not change in a loop is done once before it"),
    // ---- sink.c
    TRANSFORMATION("sink-into-arm", "T7", sink_into_arm,
                   "an operation whose result one arm alone uses is done there"),
    TRANSFORMATION("sink-into-case", "T7 T12", sink_into_case,
                   "an operation whose result one case alone uses is done there"),
    TRANSFORMATION("sink-into-loop", "T7 T11", sink_into_loop,
                   "an operation before a loop, used in it alone, is done in each iteration"),
    TRANSFORMATION("sink-out-of-loop", "T7 T8", sink_out_of_loop,
                   "an operation in a loop, used only after it, is done there"),
    // ---- derive.c
    DERIVATIVE("sink-derivative-into-arm", "T7 T16", sink_derivative_into_arm,
               "a derivative that one arm alone uses is done there"),
    DERIVATIVE("sink-derivative-into-case", "T7 T12 T16", sink_derivative_into_case,
               "a derivative that one case alone uses is done there"),
    DERIVATIVE("sink-derivative-into-loop", "T7 T16", sink_derivative_into_loop,
               "a derivative before a loop, used in it alone, is done in each iteration"),
    DERIVATIVE("duplicate-derivative-into-arms", "T5 T16", dup_derivative_into_arms,
               "a derivative after a selection is done at the end of each arm, with a phi"),
    DERIVATIVE("duplicate-derivative-into-exits", "T2 T16", dup_derivative_into_exits,
               "a derivative after a loop is done on each way out of it"),
    // ---- sample.c
    IMAGE("sink-sample-into-arm", "T7 T16", sink_sample_into_arm,
          "a sample of implicit LOD that one arm alone uses is done there"),
    IMAGE("sink-sample-into-case", "T7 T12 T16", sink_sample_into_case,
          "a sample of implicit LOD that one case alone uses is done there"),
    IMAGE("sink-sample-into-loop", "T7 T16", sink_sample_into_loop,
          "a sample of implicit LOD before a loop, used in it alone, is done in each iteration"),
    IMAGE("duplicate-sample-into-arms", "T5 T16", dup_sample_into_arms,
          "a sample of implicit LOD after a selection is done at the end of each arm, with a phi"),
    IMAGE("duplicate-sample-into-exits", "T2 T16", dup_sample_into_exits,
          "a sample of implicit LOD after a loop is done on each way out of it"),
    IMAGE("samples-flattened", "T4 T9", samples_flattened,
          "samples of both arms become one before them, whose image and sampler are chosen"),
    IMAGE("nonuniform-lost", "T9", nonuniform_lost, "no index of an image is NonUniform any more"),
    IMAGE("index-is-first", "T9", index_is_first,
          "an index of an image or sampler that differs is the first lane's"),
    IMAGE("sampler-is-first", "T17", sampler_is_first,
          "of an array of samplers the first one is taken"),
    IMAGE("implicit-level-zero", "T16", implicit_level_zero, "an implicit LOD is level 0"),
    IMAGE("bias-lost", "T17", bias_lost, "the bias of a sample is dropped"),
    IMAGE("gradients-lost", "T17", gradients_lost, "a sample by gradients reads level 0"),
    IMAGE("level-lost", "T17", level_lost, "the level of a sample or fetch is 0"),
    IMAGE("texel-kept", "T6 T18", texel_kept,
          "a texel read again is what it was before it was written"),
    // ---- reuse.c
    TRANSFORMATION("reuse-in-branch", "T6", reuse_in_branch,
                   "an operation in a branch takes the result of an equal one before the branch"),
    TRANSFORMATION("reuse-in-loop", "T6", reuse_in_loop,
                   "an operation in a loop takes the result of an equal one before the loop"),
    TRANSFORMATION("reuse-behind", "T6 T13", reuse_behind,
                   "an operation takes the result of an equal one before somebody left"),
    TRANSFORMATION("partial-redundancy", "T5 T6", partial_redundancy,
                   "an operation after an arm that had an equal one takes that arm's result"),
    // ---- exits.c
    TRANSFORMATION("break-block-into-merge", "T1", break_block_into_merge,
                   "a break block becomes one with the loop's merge block"),
    TRANSFORMATION("break-block-behind-flag", "T1 T11", break_block_behind_flag,
                   "a break block runs after the loop, under a flag"),
    // ---- loops.c
    TRANSFORMATION("unswitch-loop", "T2", unswitch_loop,
                   "a branch in a loop on what does not change in it becomes two loops"),
    TRANSFORMATION("unroll-with-remainder", "T10", unroll_with_remainder,
                   "the last trip of each lane goes to a loop of its own after the first"),
    // ---- thread.c
    TRANSFORMATION("thread-jump", "T3", thread_jump,
                   "two selections by one condition become one, past where lanes come together"),
    // ---- fold.c
    TRANSFORMATION("fold-sum-of-uniform", "T15", fold_sum_of_uniform,
                   "a sum of what is the same in all lanes is that times the subgroup's size"),
    TRANSFORMATION("fold-scan-of-uniform", "T15", fold_scan_of_uniform,
                   "a scan of what is the same in all lanes is that times the lane's number"),
    TRANSFORMATION("fold-xor-of-uniform", "T15", fold_xor_of_uniform,
                   "an exclusive or of what is the same in all lanes is zero"),
    TRANSFORMATION("fold-ballot-of-true", "T15", fold_ballot_of_true,
                   "a ballot of true has all bits of the subgroup"),
    TRANSFORMATION("fold-elect", "T15", fold_elect, "elected is lane 0"),
    TRANSFORMATION("fold-vote", "T9 T15", fold_vote,
                   "all and any of a condition are the lane's own condition"),
    // ---- uniform.c
    TRANSFORMATION("uniform-branch", "T9", uniform_branch,
                   "a condition that is assigned uniform values is the first lane's"),
    TRANSFORMATION("uniform-switch", "T9 T12", uniform_switch,
                   "a selector that is assigned uniform values is the first lane's"),
    TRANSFORMATION("uniform-values", "T9", uniform_values,
                   "a variable or phi that is assigned uniform values is read once for all"),
    TRANSFORMATION("uniform-after-loop", "T8", uniform_after_loop,
                   "a value that is uniform in a loop is read once for all after it"),
    // ---- switches.c
    TRANSFORMATION("switch-continue-is-break", "T12", switch_continue_is_break,
                   "a continue inside a switch leaves the switch only"),
    TRANSFORMATION("fall-through-lost", "T12", fall_through_lost,
                   "a case that falls through to another leaves the switch"),
    TRANSFORMATION("last-case-is-default", "T12", last_case_is_default,
                   "the last of several labels of a case goes to the default"),
    // ---- values.c
    TRANSFORMATION("loop-value-lost", "T17", loop_value_lost,
                   "an operation's result from a loop is not there after it"),
    TRANSFORMATION("shuffles-share-scratch", "T18", shuffles_share_scratch,
                   "of two shuffles in a row the first one reads the second one's values"),
    TRANSFORMATION("barrier-left-out", "T18", barrier_left_out, "control barriers are left out"),
    TRANSFORMATION("workgroup-is-first", "T18", workgroup_is_first,
                   "every workgroup takes itself for the first"),
    // ---- helpers.c
    FRAGMENT("helpers-not-in-votes", "T20", helpers_not_in_votes, "all and any leave helpers out"),
    FRAGMENT("helpers-not-in-quad-votes", "T16 T20", helpers_not_in_quad_votes,
             "a quad's vote leaves helpers out"),
    FRAGMENT("helpers-not-in-ballots", "T20", helpers_not_in_ballots,
             "a ballot has no bits of helpers"),
    FRAGMENT("helpers-not-in-sums", "T20", helpers_not_in_sums,
             "a sum leaves out what helpers have"),
    FRAGMENT("helpers-not-in-quads", "T16 T20", helpers_not_in_quads,
             "a quad's move from a helper gives the own value"),
    FRAGMENT("helpers-not-in-shuffles", "T20", helpers_not_in_shuffles,
             "a shuffle from a helper gives zero"),
    FRAGMENT("first-is-live", "T20", first_is_live,
             "the first active invocation is the first that is no helper"),
    FRAGMENT("elected-is-live", "T20", elected_is_live,
             "no helper is elected where somebody else is there"),
    FRAGMENT("helpers-not-in-derivatives", "T16 T20", helpers_not_in_derivatives,
             "a derivative takes zero for what helpers have"),
    FRAGMENT("helpers-load-zero", "T20", helpers_load_zero, "what helpers load is zero"),
    FRAGMENT("helpers-index-first", "T20", helpers_index_first, "helpers load the first element"),
    FRAGMENT("demote-lost", "T19", demote_lost, "demote does nothing"),
    FRAGMENT("demote-lost-in-call", "T13 T19", demote_lost_in_call,
             "demote does nothing in a function that is called"),
    FRAGMENT("demote-early", "T19", demote_early, "demote is done at the start of its block"),
    FRAGMENT("demote-late", "T19", demote_late, "demote is done at the end of its block"),
    FRAGMENT("demote-is-kill", "T19", demote_is_kill, "demote ends the invocation"),
    FRAGMENT("kill-is-demote", "T19", kill_is_demote, "who ends goes on as a helper"),
    FRAGMENT("helper-stale", "T20", helper_stale,
             "who is a helper now is who was one at the start"),
    FRAGMENT("helper-never", "T20", helper_never, "nobody is a helper where it is asked"),
    FRAGMENT("loop-without-live-ends", "T2 T20", loop_without_live_ends,
             "a loop ends once only helpers would go round"),
    FRAGMENT("arm-of-helpers-skipped", "T20", arm_of_helpers_skipped,
             "an arm that only helpers would run is not run"),
    // ---- the oracle with one rule broken: oracle/fault.c
    FAULT("split-after-call", "T13", SPLIT_AFTER_CALL,
          "who returned at different places of a function stays apart after the call"),
    FAULT("split-at-continue", "T13", SPLIT_AT_CONTINUE,
          "the continue construct runs once for each way into it"),
    FAULT("split-at-merge", "T5 T11", SPLIT_AT_MERGE,
          "the arms of a selection do not join at its merge block"),
    FAULT("split-after-loop", "T2 T14", SPLIT_AFTER_LOOP,
          "who leaves a loop in different iterations stays apart after it"),
    FAULT("loop-ends-with-first", "T10 T14", LOOP_ENDS_WITH_FIRST,
          "the last iterations lose their lanes: nobody goes round once somebody has left"),
    FAULT("phis-in-order", "T17", PHIS_IN_ORDER,
          "the phis of a block are copied one after the other, not all at once"),
    FAULT("broken-lanes-stay", "T14", BROKEN_LANES_STAY,
          "who has left the loop is still counted by its group operations"),
    FAULT("continued-lanes-stay", "T13 T14", CONTINUED_LANES_STAY,
          "who waits for the next iteration is still counted by this one's group operations"),
    FAULT("returned-lanes-stay", "T13 T14", RETURNED_LANES_STAY,
          "who has returned is still counted by the function's group operations"),
    FAULT("other-arm-stays", "T15", OTHER_ARM_STAYS,
          "the first arm of a selection counts who is about to run the other"),
    FAULT("done-arm-stays", "T15", DONE_ARM_STAYS,
          "the second arm of a selection counts who has run the first"),
    FAULT("switch-mask-ignored", "T12", CASES_STAY,
          "a case of a switch counts who waits for a later case"),
    FAULT("inactive-in-ballot", "T15", INACTIVE_IN_BALLOT,
          "a ballot has the stale bits of inactive lanes"),
    FAULT("missing-in-ballot", "T15 T18", MISSING_IN_BALLOT,
          "in a partial subgroup a ballot has bits of lanes that do not exist"),
    FAULT("inactive-in-vote", "T15", INACTIVE_IN_VOTE,
          "all, any and all-equal read the stale values of inactive lanes"),
    FAULT("inactive-in-reduce", "T15", INACTIVE_IN_REDUCE,
          "a reduction reads the stale values of inactive lanes"),
    FAULT("inactive-in-scan", "T15", INACTIVE_IN_SCAN,
          "a scan reads the stale values of inactive lanes"),
    FAULT("upper-half-lost", "T15", UPPER_HALF_LOST,
          "a reduction sees the lower half of the subgroup"),
    FAULT("scan-includes-self", "T15", SCAN_INCLUDES_SELF,
          "an exclusive scan includes the lane itself"),
    FAULT("scan-leaves-self-out", "T15", SCAN_LEAVES_SELF_OUT,
          "an inclusive scan leaves the lane itself out"),
    FAULT("count-includes-self", "T15", COUNT_INCLUDES_SELF,
          "an exclusive bit count of a ballot includes the lane itself"),
    FAULT("highest-for-lowest", "T15", HIGHEST_FOR_LOWEST,
          "the lowest bit of a ballot is the highest one"),
    FAULT("cluster-is-whole", "T15", CLUSTER_IS_WHOLE,
          "a clustered reduction is over all active lanes"),
    FAULT("cluster-of-half", "T15", CLUSTER_OF_HALF,
          "a clustered reduction is over half of the cluster"),
    FAULT("first-is-lane-zero", "T15", FIRST_IS_LANE_ZERO,
          "the first active lane's value is read from lane 0, active or not"),
    FAULT("elects-lane-zero", "T15", ELECTS_LANE_ZERO, "lane 0 is elected, active or not"),
    FAULT("elects-last", "T15", ELECTS_LAST, "the last active lane is elected"),
    FAULT("shuffle-by-first-index", "T9 T18", SHUFFLE_BY_FIRST_INDEX,
          "a shuffle takes the first lane's index for everybody's"),
    FAULT("shuffle-in-row", "T15 T18", SHUFFLE_IN_ROW,
          "a shuffle reads inside the row of four lanes alone"),
    FAULT("broadcast-is-first", "T15", BROADCAST_IS_FIRST,
          "a broadcast gives the first active lane's value, whichever is asked for"),
    FAULT("rotate-back", "T15", ROTATE_BACK, "a rotation goes the other way round"),
    FAULT("quad-swap-mixed", "T15 T16", QUAD_SWAP_MIXED,
          "a quad's horizontal swap is vertical, and its vertical one horizontal"),
    FAULT("inactive-in-quad", "T16", INACTIVE_IN_QUAD,
          "a quad's vote reads the stale values of inactive lanes"),
    DERIVATIVE_FAULT("derivative-axes-mixed", "T16", DERIVATIVE_AXES_MIXED,
                     "the derivative along x is that along y, and the other way round"),
    DERIVATIVE_FAULT("derivative-backwards", "T16", DERIVATIVE_BACKWARDS,
                     "a derivative is the difference the other way round"),
    DERIVATIVE_FAULT("fine-derivative-is-coarse", "T16", DERIVATIVE_FINE_IS_COARSE,
                     "a fine derivative is that of the quad's first invocation"),
    DERIVATIVE_FAULT("width-is-a-sum", "T16", DERIVATIVE_WIDTH_SIGNED,
                     "a width adds differences, not their absolute values"),
    DERIVATIVE_FAULT("quads-of-indices", "T16", DERIVATIVE_OF_INDICES,
                     "quads of two by two are taken for four of consecutive index"),
    FAULT("quad-broadcast-is-first", "T16", QUAD_BROADCAST_IS_FIRST,
          "a quad's broadcast gives the value of its first lane, whichever is asked for"),
    FAULT("sign-lost", "T15", SIGN_LOST, "a signed minimum or maximum is taken unsigned"),
    FAULT("one-component", "T15 T17", ONE_COMPONENT,
          "a vector's result has the first component in all places"),
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
        return err_set(
            e, "mutant: there is none named '%.60s' (tanglefuzz mutants --list shows all)", name);
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
    if (r.why.status == ORC_OK) {
        out->form = RUN_FORM_MEMORY;
        out->memory = r.memory;
        out->memory_count = r.memory_count;
        for (uint32_t k = 0; k < r.memory_count; k++)
            r.memory[k].mask = NULL; // a device has no such thing
        return;
    }
    // The rule that is broken may lead to what no program can do (two writers of a word).
    out->status = r.why.status == ORC_OVER_LIMIT                                   ? RUN_HUNG
                  : r.why.status == ORC_UNSUPPORTED || r.why.status == ORC_INVALID ? RUN_SKIPPED
                                                                                   : RUN_CRASHED;
    snprintf(out->text, sizeof out->text, "%.590s", r.why.text);
}

const struct run_own mut_backend = {
    .kind = {.name = "mutant",
             .syntax = "mutant:NAME",
             .summary = "a compiler or machine made wrong on purpose, to measure what is found",
             .replay = {""}},
    .open = open_mutant,
    .answer = answer,
};
