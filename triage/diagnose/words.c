// SPDX-License-Identifier: Apache-2.0
//
// The facts of a fault as text: the stable text of a signature, which is hashed to the bucket's
// name (docs/dedup.md), and sentences for people. Nothing reads it back.
#include "construct.h"

#include <string.h>

enum { MANNER_TEXT = 63, PATH_TEXT = 159 }; // characters of these that a signature keeps

// ---- parts of a signature ----------------------------------------------------------

static void add_op(struct text *t, const struct diag_op *op)
{
    text_add(t, "%s", spv_group_name(op->opcode));
    if (op->has_form)
        text_add(t, " %s", spv_group_form_name(op->form));
    if (op->cluster)
        text_add(t, " %u", op->cluster);
    text_add(t, "%s", op->vector ? " vector" : "");
}

const char *diag_operation_words(struct arena *a, const struct diag_op *op)
{
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    if (op->opcode)
        add_op(&t, op);
    return t.v;
}

static const char *construct(uint8_t c)
{
    static const char *const words[] = {"loop", "switch", "call", "if"};
    return words[c];
}

const char *diag_path_words(struct arena *a, const struct diag_path *p)
{
    static const char *const words[DIAG_PARTS] = {"if",   "case", "fall",  "loop", "head",
                                                  "cont", "call", "break", "jump"};
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    for (uint32_t i = 0; i < p->n; i++)
        text_add(&t, "%s%s", i ? "/" : "", words[p->part[i]]);
    if (p->known && !p->n)
        text_add(&t, "top");
    if (p->is_after)
        text_add(&t, "+%s", construct(p->after));
    return arena_printf(a, "%.*s", PATH_TEXT, t.v);
}

static void add_lanes(struct text *t, const char *what, const struct diag_lanes *l)
{
    static const char *const ways[DIAG_WAYS] = {
        "absent", "again",   "before D1", "before D2", "before a branch", "call",
        "ended",  "goes on", "joined",    "loop",      "never apart"};
    const char *mark = t->n ? "; " : "";
    for (uint32_t r = 0; r < DIAG_RULES; r++)
        if (l->rules >> r & 1) {
            text_add(t, "%s%s%s%s", mark, what, what[0] ? ": " : "", diag_rule_name(r));
            mark = "/";
            what = "";
        }
    for (uint32_t w = 0; w < DIAG_WAYS; w++)
        if (l->ways >> w & 1) {
            text_add(t, "%s%s%s%s", mark, what, what[0] ? ": " : "", ways[w]);
            mark = "/";
            what = "";
        }
}

const char *diag_manner_words(struct arena *a, const struct diag_manner *m)
{
    static const char *const where[] = {"", "whole", "part", "absent"};
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    add_lanes(&t, "extra", &m->extra);
    add_lanes(&t, "missing", &m->missing);
    if (m->where)
        text_add(&t, "%s%s", where[m->where], m->wide ? ", wide" : "");
    return arena_printf(a, "%.*s", MANNER_TEXT, t.v);
}

// Next to a switch or a loop what else there is only leads the way.
static const char *flow(struct arena *a, const struct diag_flow *f, bool one_if)
{
    static const char *const cases[] = {"",
                                        "switch",
                                        "switch, shared",
                                        "switch, shared default",
                                        "switch, falls",
                                        "switch, falls to default",
                                        "switch, default falls"};
    const char *rest = f->cases || f->loop                   ? cases[f->cases]
                       : f->ifs > 1 && !(one_if && !f->phis) ? "ifs"
                       : f->ifs                              ? "if"
                       : f->call                             ? "call"
                       : f->atomic ? arena_printf(a, "top, %s", spv_op_name(f->atomic))
                                   : "top";
    return arena_printf(a, "%s%s%s%s%s", f->loop ? "loop" : "", f->loop && f->cases ? ", " : "",
                        rest, f->left ? ", left" : "", f->phis ? ", phis" : "");
}

// ---- the compiler's change -----------------------------------------------------------

static const char *use(uint8_t u)
{
    static const char *const words[] = {"branch", "switch", "value", "descriptor's index"};
    return words[u];
}

static const char *label(uint8_t l)
{
    static const char *const words[] = {"a block",           "a case",        "the default",
                                        "a continue target", "an if's merge", "a switch's merge",
                                        "a loop's merge"};
    return words[l];
}

static void add_did(struct text *t, const struct diag_change *c)
{
    static const char *const sides[] = {"apart", "before",      "behind",
                                        "in",    "in continue", "on the way out"};
    static const char *const kinds[] = {"", "derivative ", "sample "};
    static const char *const reuses[] = {"behind", "into a branch", "into a loop", "by a phi"};
    static const char *const values[] = {"a literal", "undefined", "a constant", "a value"};
    switch ((enum diag_did)c->did) {
    case DIAG_DID_NOTHING:
        return;
    case DIAG_COPIED:
    case DIAG_MERGED:
    case DIAG_MOVED:
        text_add(t, "%s%s", kinds[c->kind],
                 c->did == DIAG_COPIED   ? "copied"
                 : c->did == DIAG_MERGED ? "merged"
                                         : "moved");
        if (c->over)
            text_add(t, ", %s: %s -> %s", construct(c->construct), sides[c->from], sides[c->to]);
        if (c->turned)
            text_add(t, ", from a %s to a %s", use(c->use_from), use(c->use_to));
        return;
    case DIAG_REUSED:
        text_add(t, "reused, %s", reuses[c->reuse]);
        return;
    case DIAG_OP_NEW:
        add_op(t, &c->op);
        text_add(t, " new for a %s%s", use(c->use_to), c->after_loop ? " behind a loop" : "");
        return;
    case DIAG_OP_GONE:
        add_op(t, &c->op);
        text_add(t, " gone");
        return;
    case DIAG_EDGE:
    case DIAG_CASE_EDGE:
        text_add(t, "%s: %s -> %s", c->did == DIAG_EDGE ? "branch" : "label", label(c->label_from),
                 label(c->label_to));
        return;
    case DIAG_STORE_LOST:
        text_add(t, "a stored value lost");
        return;
    case DIAG_INST_GONE:
        text_add(t, "%s gone%s%s%s", spv_op_name(c->opcode), c->called ? " out of a call" : "",
                 c->value_to ? " for " : "", c->value_to ? values[c->value_to] : "");
        return;
    case DIAG_INST_MOVED:
        text_add(t, "%s moved %s", spv_op_name(c->opcode), c->later ? "down" : "up");
        return;
    case DIAG_DESCRIPTOR:
        text_add(t,
                 c->opcode == SpvOpDecorate ? "NonUniform gone" : "an index new, not NonUniform");
        return;
    case DIAG_ASKED: {
        const struct spv_inst i = {.op = c->opcode};
        text_add(t, "helpers asked for %s%s",
                 spv_group_find(c->opcode) ? spv_group_class_name(spv_group_class(&i))
                                           : spv_op_name(c->opcode),
                 c->round ? " of a loop" : "");
        return;
    }
    case DIAG_OP_OPERAND:
        text_add(t, "%s of another value", spv_op_name(c->opcode));
        return;
    case DIAG_OPERAND:
        text_add(t, "%s: %s -> %s", spv_op_name(c->opcode), values[c->value_from],
                 values[c->value_to]);
        return;
    }
}

static void add_count(struct text *t, const char *what, int8_t n)
{
    if (n)
        text_add(t, "%s%s%s", t->n ? ", " : "", what, n > 0 ? "+" : "-");
}

const char *diag_change_words(struct arena *a, const struct diag_change *c)
{
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    add_did(&t, c);
    add_count(&t, "loops", c->loops);
    add_count(&t, "switches", c->switches);
    add_count(&t, "ifs", c->ifs);
    add_count(&t, "demotes", c->demotes);
    add_count(&t, "ends", c->ends);
    if (c->did != DIAG_ASKED)
        add_count(&t, "helpers asked", c->asks);
    return t.v;
}

// ---- a signature -----------------------------------------------------------------------

// A wrong result of a group operation is a wrong tangle: which of the classes it looks like
// depends on the operation and the inputs.
const char *diag_class_words(const struct diag_signature *s)
{
    bool lanes = s->about && (signature_tells_lanes(s->klass) || s->klass == JUDGE_WRONG_VALUE ||
                              s->klass == JUDGE_WRONG_MEMORY || s->probed);
    bool flow = s->probed && judge_class_is_mismatch(s->klass) && !judge_class_is_mapping(s->klass);
    return s->change.did ? "wrong-code"
           : lanes       ? "wrong-tangle"
           : flow        ? "wrong-flow"
                         : judge_class_name(s->klass);
}

const char *diag_op_words(struct arena *a, const struct diag_signature *s)
{
    static const char *const another[] = {"", ", another before", ", another beside"};
    if (s->change.did || !s->about)
        return "";
    if (!s->probed)
        return spv_group_class_name(s->op);
    if (s->about == DIAG_ANY_OP)
        return arena_printf(a, "any%s", another[s->pair]);
    bool reader = s->bits.opcode && s->manner.where != DIAG_UNFULL;
    return arena_printf(a, "%s%s", diag_operation_words(a, reader ? &s->bits : &s->exact),
                        s->pair ? ", twice" : "");
}

const char *diag_where_words(struct arena *a, const struct diag_signature *s)
{
    static const char *const arms[] = {"", ", only arm", ", first arm", ", second arm"};
    const struct diag_manner *m = &s->manner;
    const char *change = diag_change_words(a, &s->change), *mark = change[0] ? "; " : "";
    const char *manner = diag_manner_words(a, m);
    if (s->change.did)
        return change;
    if (!s->probed)
        return diag_path_words(a, &s->path);
    // One selection more before an operation or before a wrong turn only leads there.
    bool before =
        m->missing.ways & (1u << DIAG_BEFORE_D1 | 1u << DIAG_BEFORE_D2 | 1u << DIAG_BEFORE_BRANCH);
    if (!s->about)
        return arena_printf(a, "%s%s%s", flow(a, &s->flow, true), mark, change);
    if (s->about != DIAG_ANY_OP)
        return arena_printf(a, "%s%s%s", manner, mark, change);
    // By M3, M4 and M5 the construct is told; around a selection there may be a loop.
    if (!before && !((m->extra.rules | m->missing.rules) >> DIAG_M1 & 1))
        return arena_printf(a, "%s%s%s", manner, mark, change);
    bool arm = (m->extra.rules & ((2u << DIAG_M1) - 1)) == 1u << DIAG_M1;
    return arena_printf(a, "%s (%s%s)%s%s", manner, flow(a, &s->flow, before),
                        arm ? arms[s->arm] : "", mark, change);
}

void signature_words(struct arena *a, struct diag_signature *s)
{
    snprintf(s->text, sizeof s->text, "%d|%s|%s|%s|%s|%s|%s", s->probed || s->change.did ? 2 : 1,
             s->family, diag_class_words(s), diag_op_words(a, s), diag_where_words(a, s),
             s->change.did ? "" : s->message, s->culprit);
    diag_bucket_name(s->text, s->name);
}

static const struct {
    const char *name, *text;
} stages[] = {
    [DIAG_STAGE_UNKNOWN] = {"", ""},
    [DIAG_STAGE_NIR] = {"nir", "The last intermediate code, run here, is wrong already: the front "
                               "end or a pass is to blame, not the back end."},
    [DIAG_STAGE_ALIKE] = {"divergence",
                          "The last intermediate code, run here, gives what is expected, but calls "
                          "a value the same for all lanes that is not: the analysis of divergence "
                          "is to blame, or who made that value."},
    [DIAG_STAGE_MACHINE] =
        {"machine-code",
         "The last intermediate code, run here, gives what is expected: the back end is to blame."},
};

const char *diag_stage_name(enum diag_stage s)
{
    return stages[s].name;
}

const char *diag_stage_text(enum diag_stage s)
{
    return stages[s].text;
}

const char *diag_bug_class(uint8_t bug_class)
{
    static const char *const names[] = {"",    "T1",  "T2",  "T3",  "T4",  "T5",  "T6",
                                        "T7",  "T8",  "T9",  "T10", "T11", "T12", "T13",
                                        "T14", "T15", "T16", "T17", "T18"};
    return names[bug_class];
}

// ---- for people --------------------------------------------------------------------------

// The first of the set speaks for it.
static const char *extra_lanes(const struct diag_lanes *l)
{
    static const char *const by_rule[DIAG_RULES] = {
        [DIAG_D2] = "that wait for another case of the switch",
        [DIAG_M1] = "that run another arm of the selection, or none, and wait at its merge block",
        [DIAG_M3] = "that have left the loop",
        [DIAG_M4] = "that wait at the continue target for the next iteration",
        [DIAG_M5] = "that have returned from the function",
    };
    static const char *const by_way[DIAG_WAYS] = {
        [DIAG_ABSENT] = "that do not exist: the subgroup is not full",
        [DIAG_AGAIN] = "that execute the operation later, by themselves",
        [DIAG_ENDED] = "that have returned",
    };
    return l->rules ? by_rule[lane_first(l->rules)] : l->ways ? by_way[lane_first(l->ways)] : NULL;
}

static const char *missing_lanes(const struct diag_lanes *l)
{
    static const char *const by_rule[DIAG_RULES] = {
        [DIAG_M1] = "that came by another arm of the selection before it",
        [DIAG_M3] = "that left the loop in another iteration",
        [DIAG_M4] = "that came to the continue target by another way",
        [DIAG_M5] = "that returned from the function at another place",
    };
    static const char *const by_way[DIAG_WAYS] = {
        [DIAG_BEFORE_D1] = "that a branch after the operation sends elsewhere",
        [DIAG_BEFORE_D2] = "that a switch after the operation sends elsewhere",
        [DIAG_NEVER_APART] = "that are with the others all the time",
    };
    return l->rules ? by_rule[lane_first(l->rules)] : l->ways ? by_way[lane_first(l->ways)] : NULL;
}

static const char *change_sentence(const struct diag_change *c)
{
    switch ((enum diag_did)c->did) {
    case DIAG_DID_NOTHING:
        return "";
    case DIAG_COPIED:
        return c->kind == DIAG_GROUP ? "made several group operations of one"
                                     : "made several derivatives or samples of one";
    case DIAG_MERGED:
        return c->kind == DIAG_GROUP ? "made one group operation of several"
                                     : "made one derivative or sample of several";
    case DIAG_MOVED:
        return c->kind == DIAG_GROUP ? "moved a group operation" : "moved a derivative or sample";
    case DIAG_REUSED:
        return "took an earlier operation's result for a later one";
    case DIAG_OP_NEW:
        return "put in a group operation";
    case DIAG_OP_GONE:
    case DIAG_INST_GONE:
        return "took out an instruction that is needed";
    case DIAG_INST_MOVED:
        return "moved a demote";
    case DIAG_ASKED:
        return "let something hang on who is a helper invocation";
    case DIAG_DESCRIPTOR:
        return "took an index of a descriptor for the same in all";
    case DIAG_EDGE:
        return "let a branch go elsewhere";
    case DIAG_CASE_EDGE:
        return "let a switch's label go elsewhere";
    case DIAG_STORE_LOST:
        return "lost a value that is stored";
    case DIAG_OP_OPERAND:
        return "gave a group operation another value to work on";
    case DIAG_OPERAND:
        return c->value_from == DIAG_OF_VALUE ? "put something else in the place of a value" : "";
    }
    return "";
}

const char *diag_sentence(struct arena *a, const struct diag_signature *s)
{
    static const char *const alone[] = {
        [DIAG_NOWHERE] = "",
        [DIAG_WHOLE] = "the operation is wrong though all lanes of the subgroup execute it; "
                       "others in its place are right",
        [DIAG_PART] = "the operation is wrong where some lanes of the subgroup do not execute "
                      "it; others in its place are right",
        [DIAG_UNFULL] = "the operation counts lanes that do not exist: the subgroup is not full",
    };
    const char *did = change_sentence(&s->change);
    if (did[0])
        return arena_printf(a, "the compiler %s (%s)", did, diag_change_words(a, &s->change));
    if (!s->probed || !s->about || s->change.did)
        return "";
    if (s->about != DIAG_ANY_OP)
        return alone[s->manner.where];
    const char *x = extra_lanes(&s->manner.extra), *y = missing_lanes(&s->manner.missing);
    return x && y ? arena_printf(a, "the operation counts lanes %s; it lacks lanes %s", x, y)
           : x    ? arena_printf(a, "the operation counts lanes %s", x)
           : y    ? arena_printf(a, "the operation lacks lanes %s", y)
                  : "";
}

const char *diag_weakest_text(enum judge_promise p)
{
    switch (p) {
    case JUDGE_PROMISE_UNKNOWN:
        return "";
    case JUDGE_PROMISE_MAXIMAL:
        return "It is wrong only under maximal reconvergence: no weaker model promises this value.";
    case JUDGE_PROMISE_SUBGROUP:
        return "It is wrong even in subgroup-uniform control flow "
               "(VK_KHR_shader_subgroup_uniform_control_flow): all invocations of the subgroup "
               "come the same way.";
    case JUDGE_PROMISE_WORKGROUP:
        return "It is wrong even in uniform control flow: SPIR-V promises this value without any "
               "execution mode or extension, for all invocations of the workgroup come the same "
               "way.";
    case JUDGE_PROMISE_SINGLE:
        return "It is wrong even for a single invocation: the dispatch has no other, and SPIR-V "
               "promises this value without any execution mode or extension.";
    }
    return "";
}

// What a module that is judged by this model was promised, and by whom.
const char *diag_promise_text(enum spv_model m, enum judge_promise p)
{
    switch (m) {
    case SPV_MAXIMAL:
        return "The module declares `MaximallyReconvergesKHR`, so the tangle at each instruction "
               "follows from SPV_KHR_maximal_reconvergence: invocations part at divergent branches "
               "and join again at merge blocks, continue targets and after calls, nowhere else.";
    case SPV_ASSUMED_MAXIMAL:
        return judge_is_lead(m, p)
                   ? "Nothing promised maximal reconvergence, neither the module's mode nor a "
                     "device: it is judged as if it had been promised. This is a lead, not a "
                     "promise that was broken."
                   : "Neither the module's mode nor a device promises maximal reconvergence, and "
                     "the wrong value does not need it.";
    case SPV_SUBGROUP_UNIFORM:
        return "The module declares `SubgroupUniformControlFlowKHR`, so invocations of a subgroup "
               "that enter a structured selection or loop together, and all leave it by its merge "
               "block, are together there. What group operations give where not all of a subgroup "
               "come the same way is not compared.";
    case SPV_WORKGROUP_UNIFORM:
        return "It is judged by SPIR-V's own uniform control flow, which needs no execution mode: "
               "where all invocations of the workgroup come the same way. What group operations "
               "give elsewhere is not compared.";
    }
    return "";
}
