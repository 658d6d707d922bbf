// SPDX-License-Identifier: Apache-2.0
//
// Turns the facts of a fault into text: the stable text of a signature, which is hashed to the
// bucket's name (docs/dedup.md), and sentences for readers. No code parses either. A change to a
// string of the signature renames buckets.
#include "construct.h"

#include <string.h>

enum { PATTERN_TEXT = 63, PATH_TEXT = 159 }; // at most so many characters in a signature

// The TEXT column of each list, by value.
#define FIRST(x, ...)       x,
#define TEXT(id, name, ...) FIRST(__VA_ARGS__, 0)
// clang-format off
static const char *const pairs[] = {DIAG_PAIR_ROWS(TEXT)};
static const char *const arms[] = {DIAG_ARM_ROWS(TEXT)};
static const char *const cases[] = {DIAG_CASES_ROWS(TEXT)};
static const char *const ways[] = {DIAG_WAY_ROWS(TEXT)};
static const char *const wheres[] = {DIAG_WHERE_ROWS(TEXT)};
static const char *const dids[] = {DIAG_DID_ROWS(TEXT)};
static const char *const sides[] = {DIAG_SIDE_ROWS(TEXT)};
static const char *const uses[] = {DIAG_USE_ROWS(TEXT)};
static const char *const kinds[] = {DIAG_KIND_ROWS(TEXT)};
static const char *const reuses[] = {DIAG_REUSE_ROWS(TEXT)};
static const char *const labels[] = {DIAG_LABEL_ROWS(TEXT)};
static const char *const values[] = {DIAG_VALUE_ROWS(TEXT)};
// clang-format on

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

// Returns the class of a group operation, else its name.
static const char *class_words(uint16_t opcode)
{
    const struct spv_inst i = {.op = opcode};
    return spv_group_find(opcode) ? spv_group_class_name(spv_group_class(&i)) : spv_op_name(opcode);
}

const char *diag_operation_words(struct arena *a, const struct diag_op *op)
{
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    if (op->opcode)
        add_op(&t, op);
    return t.v;
}

const char *diag_path_words(struct arena *a, const struct diag_path *p)
{
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    for (uint32_t i = 0; i < p->n; i++)
        text_add(&t, "%s%s", i ? "/" : "", diag_part_name((enum diag_part)p->part[i]));
    if (p->known && !p->n)
        text_add(&t, "top");
    if (p->is_after)
        text_add(&t, "+%s", diag_construct_name((enum diag_construct)p->after));
    return arena_printf(a, "%.*s", PATH_TEXT, t.v);
}

static void add_lanes(struct text *t, const char *what, const struct diag_lanes *l)
{
    const char *mark = t->n ? "; " : "";
    for (uint32_t r = 0; r < DIAG_RULE_COUNT; r++)
        if (l->rules >> r & 1) {
            text_add(t, "%s%s%s%s", mark, what, what[0] ? ": " : "",
                     diag_rule_name((enum diag_rule)r));
            mark = "/";
            what = "";
        }
    for (uint32_t w = 0; w < DIAG_WAY_COUNT; w++)
        if (l->ways >> w & 1) {
            text_add(t, "%s%s%s%s", mark, what, what[0] ? ": " : "", ways[w]);
            mark = "/";
            what = "";
        }
}

const char *diag_pattern_words(struct arena *a, const struct diag_pattern *m)
{
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    add_lanes(&t, "extra", &m->extra);
    add_lanes(&t, "missing", &m->missing);
    if (m->where)
        text_add(&t, "%s%s", diag_where_name((enum diag_where)m->where), m->wide ? ", wide" : "");
    return arena_printf(a, "%.*s", PATTERN_TEXT, t.v);
}

// Names the most informative construct. With a switch or a loop, other constructs do not matter:
// they only lead there.
static const char *flow(struct arena *a, const struct diag_flow *f, bool one_if)
{
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

static void add_did(struct text *t, const struct diag_change *c)
{
    switch ((enum diag_did)c->did) {
    case DIAG_COPIED:
    case DIAG_MERGED:
    case DIAG_MOVED:
        text_add(t, "%s%s", kinds[c->kind], diag_did_name((enum diag_did)c->did));
        if (c->over)
            text_add(t, ", %s: %s -> %s", diag_construct_name((enum diag_construct)c->construct),
                     sides[c->from], sides[c->to]);
        if (c->by_return)
            text_add(t, ", by a return");
        if (c->turned)
            text_add(t, ", from a %s to a %s", uses[c->use_from], uses[c->use_to]);
        return;
    case DIAG_REUSED:
        text_add(t, "reused, %s", reuses[c->reuse]);
        return;
    case DIAG_OP_NEW:
        add_op(t, &c->op);
        text_add(t, " new for a %s%s", uses[c->use_to], c->after_loop ? " behind a loop" : "");
        return;
    case DIAG_OP_GONE:
        add_op(t, &c->op);
        text_add(t, " gone");
        return;
    case DIAG_EDGE:
    case DIAG_CASE_EDGE:
        text_add(t, "%s: %s -> %s", c->did == DIAG_EDGE ? "branch" : "label", labels[c->label_from],
                 labels[c->label_to]);
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
    case DIAG_ASKED:
        text_add(t, "helpers asked for %s%s", class_words(c->opcode), c->round ? " of a loop" : "");
        return;
    case DIAG_OP_OPERAND:
        text_add(t, "%s of another value", spv_op_name(c->opcode));
        return;
    case DIAG_OPERAND:
        text_add(t, "%s: %s -> %s", spv_op_name(c->opcode), values[c->value_from],
                 values[c->value_to]);
        return;
    default:
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
        add_count(&t, "helpers asked", c->queries);
    return t.v;
}

// ---- a signature -----------------------------------------------------------------------

// A wrong result of a group operation counts as a wrong tangle: the observed class depends on the
// operation and its inputs.
const char *diag_class_words(const struct diag_signature *s)
{
    bool lanes = s->about && (signature_names_lanes(s->klass) || s->klass == JUDGE_WRONG_VALUE ||
                              s->klass == JUDGE_WRONG_MEMORY || s->probed);
    bool flow = s->probed && judge_class_is_mismatch(s->klass) && !judge_class_is_mapping(s->klass);
    const struct diag_flow *f = &s->flow;
    const bool flows = f->loop || f->cases || f->ifs || f->call || f->left || f->phis;
    return s->change.did   ? "wrong-code"
           : lanes         ? "wrong-tangle"
           : flow && flows ? "wrong-flow"
           : flow          ? "wrong-value" // nothing flows
                           : judge_class_name(s->klass);
}

const char *diag_op_words(struct arena *a, const struct diag_signature *s)
{
    if (s->change.did || !s->about)
        return "";
    if (!s->probed)
        return spv_group_class_name(s->op);
    if (s->about == DIAG_ANY_OP)
        return arena_printf(a, "any%s", pairs[s->pair]);
    bool reader = s->bits.opcode && s->pattern.where != DIAG_UNFULL;
    const struct diag_op *op = reader ? &s->bits : &s->exact;
    if (s->fault)
        return class_words(op->opcode);
    return arena_printf(a, "%s%s", diag_operation_words(a, op), s->pair ? ", twice" : "");
}

const char *diag_where_words(struct arena *a, const struct diag_signature *s)
{
    const struct diag_pattern *m = &s->pattern;
    const char *change = diag_change_words(a, &s->change), *mark = change[0] ? "; " : "";
    const char *pattern = diag_pattern_words(a, m);
    if (s->change.did)
        return change;
    if (s->fault)
        return orc_fault_name(s->fault);
    if (!s->probed)
        return diag_path_words(a, &s->path);
    // A selection before the operation, or before the point of divergence, only leads there.
    bool before =
        m->missing.ways & (1u << DIAG_BEFORE_D1 | 1u << DIAG_BEFORE_D2 | 1u << DIAG_BEFORE_BRANCH);
    if (!s->about)
        return arena_printf(a, "%s%s%s", flow(a, &s->flow, true), mark, change);
    if (s->about != DIAG_ANY_OP)
        return arena_printf(a, "%s%s%s", pattern, mark, change);
    // M3, M4 and M5 already name the construct; a selection may be inside a loop.
    if (!before && !((m->extra.rules | m->missing.rules) >> DIAG_M1 & 1))
        return arena_printf(a, "%s%s%s", pattern, mark, change);
    bool arm = (m->extra.rules & ((2u << DIAG_M1) - 1)) == 1u << DIAG_M1;
    return arena_printf(a, "%s (%s%s)%s%s", pattern, flow(a, &s->flow, before),
                        arm ? arms[s->arm] : "", mark, change);
}

void signature_words(struct arena *a, struct diag_signature *s)
{
    snprintf(s->text, sizeof s->text, "%d|%s|%s|%s|%s|%s|%s", s->probed || s->change.did ? 2 : 1,
             s->family, diag_class_words(s), diag_op_words(a, s), diag_where_words(a, s),
             s->change.did ? "" : s->message, s->culprit);
    diag_bucket_name(s->text, s->name);
}

const char *diag_bug_class(uint8_t bug_class)
{
    static const char *const names[] = {"",    "T1",  "T2",  "T3",  "T4",  "T5",  "T6",
                                        "T7",  "T8",  "T9",  "T10", "T11", "T12", "T13",
                                        "T14", "T15", "T16", "T17", "T18"};
    return names[bug_class];
}

// ---- for readers -------------------------------------------------------------------------

// Returns the sentence of the first member of a set; "" for an empty set.
static const char *lanes(const struct diag_lanes *l, bool extra)
{
    static const struct {
        const char *extra, *missing;
    } by_rule[] =
        {
#define RULE(id, name, is_vulkan, section, text, extra, missing) {extra, missing},
            DIAG_RULE_ROWS(RULE)},
      by_way[] = {
#define WAY(id, name, text, extra, missing) {extra, missing},
          DIAG_WAY_ROWS(WAY)};
    if (l->rules)
        return extra ? by_rule[lane_first(l->rules)].extra : by_rule[lane_first(l->rules)].missing;
    if (l->ways)
        return extra ? by_way[lane_first(l->ways)].extra : by_way[lane_first(l->ways)].missing;
    return "";
}

const char *diag_did_words(const struct diag_change *c)
{
#define DID(id, name, text, of_images) of_images,
    static const char *const of_images[] = {DIAG_DID_ROWS(DID)};
    if (c->did == DIAG_OPERAND && c->value_from != DIAG_OF_VALUE)
        return "";
    return c->kind != DIAG_GROUP && of_images[c->did][0] ? of_images[c->did] : dids[c->did];
}

const char *diag_tangle_words(struct arena *a, const struct diag_pattern *m)
{
    const char *x = lanes(&m->extra, true), *y = lanes(&m->missing, false);
    return x[0] && y[0] ? arena_printf(a, "counts lanes %s; it misses lanes %s", x, y)
           : x[0]       ? arena_printf(a, "counts lanes %s", x)
           : y[0]       ? arena_printf(a, "misses lanes %s", y)
                        : "";
}

const char *diag_sentence(struct arena *a, const struct diag_signature *s)
{
    const char *did = diag_did_words(&s->change), *detail = diag_change_detail(a, &s->change);
    if (did[0])
        return arena_printf(a, "the compiler %s%s%s%s", did, detail[0] ? " (" : "", detail,
                            detail[0] ? ")" : "");
    if (!s->probed || !s->about || s->change.did)
        return "";
    if (s->about != DIAG_ANY_OP)
        return wheres[s->pattern.where];
    const char *words = diag_tangle_words(a, &s->pattern);
    return words[0] ? arena_printf(a, "the operation %s", words) : "";
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
               "take the same path.";
    case JUDGE_PROMISE_WORKGROUP:
        return "It is wrong even in uniform control flow: all invocations of the workgroup take "
               "the same path, and SPIR-V promises this value without any execution mode or "
               "extension.";
    case JUDGE_PROMISE_SINGLE:
        return "It is wrong even for a single invocation: the dispatch has no other, and SPIR-V "
               "promises this value without any execution mode or extension.";
    }
    return "";
}

// Returns what the model of the judged module promises, and the source of that promise.
const char *diag_promise_text(enum spv_model m, enum judge_promise p)
{
    switch (m) {
    case SPV_MAXIMAL:
        return "The module declares `MaximallyReconvergesKHR`, so the tangle at each instruction "
               "follows from SPV_KHR_maximal_reconvergence: invocations diverge at divergent "
               "branches and reconverge at merge blocks, at continue targets and after calls, "
               "nowhere else.";
    case SPV_ASSUMED_MAXIMAL:
        return judge_is_lead(m, p)
                   ? "Neither the module's mode nor a device promises maximal reconvergence: it is "
                     "judged as if it had been promised. This is a lead, not a broken promise."
                   : "Neither the module's mode nor a device promises maximal reconvergence, and "
                     "the wrong value does not need it.";
    case SPV_SUBGROUP_UNIFORM:
        return "The module declares `SubgroupUniformControlFlowKHR`, so invocations of a subgroup "
               "that enter a structured selection or loop together, and all leave it by its merge "
               "block, are converged there. Results of group operations elsewhere, where some "
               "invocations of the subgroup took another path, are not compared.";
    case SPV_WORKGROUP_UNIFORM:
        return "It is judged by SPIR-V's own uniform control flow, which needs no execution mode: "
               "it promises values only where all invocations of the workgroup took the same path. "
               "Results of group operations elsewhere are not compared.";
    }
    return "";
}
