// SPDX-License-Identifier: Apache-2.0
//
// Prints structured SPIR-V as structured text. Every value is a variable of its function, assigned
// at its definition; a phi is a variable assigned on its edges. Each block is printed once. Control
// flow that needs a block twice, or a jump that C cannot express (out of a loop from inside a
// switch, a continue construct of several blocks), is refused.
#include "clike.h"

bool clike_cannot_express(const struct clike *p, uint32_t label, const char *what)
{
    return form_refuse(p->f, label, what, p->e);
}

// ---- edges -----------------------------------------------------------------------------

static const struct spv_block *block_of(const struct clike *p, uint32_t label)
{
    return &p->f->m.blocks[p->f->m.block_of[label]];
}

void clike_copies(struct clike *p, uint32_t from, uint32_t to)
{
    const struct spv_block *b = block_of(p, to);
    for (uint32_t i = b->first + 1; p->f->m.insts[i].op == SpvOpPhi; i++) {
        const struct spv_inst *in = &p->f->m.insts[i];
        for (uint32_t k = 0; k + 1 < in->n; k += 2)
            if (in->v[k + 1] == from) {
                clike_begin(p);
                text_add(p->out, "%s = %s", clike_phi(p, in->result), clike_value(p, in->v[k]));
                clike_end(p);
            }
    }
}

// Returns the statement for a branch that leaves the construct; "" for `stop`; NULL for other
// blocks.
static const char *word_of(const struct clike *p, uint32_t to, uint32_t stop)
{
    if (to == stop)
        return "";
    if (to == p->loop_merge && !p->in_switch)
        return "break;";
    if (to == p->loop_continue)
        return "continue;";
    if (to == p->switch_merge && p->in_switch)
        return "break;";
    return NULL;
}

static bool edge(struct clike *p, uint32_t from, uint32_t to, uint32_t stop)
{
    clike_copies(p, from, to);
    const char *word = word_of(p, to, stop);
    if (!word)
        return clike_from(p, to, stop);
    if (word[0])
        clike_line(p, word);
    return true;
}

static bool arm(struct clike *p, uint32_t from, uint32_t to, uint32_t stop, const char *end)
{
    p->indent++;
    bool ok = edge(p, from, to, stop);
    p->indent--;
    clike_line(p, end);
    return ok;
}

static void open_if(struct clike *p, const struct spv_inst *end, uint32_t control, bool negate)
{
    text_add(p->out, "%*s%sif (%s%s) {\n", (int)(4 * p->indent), "",
             p->to != CLIKE_HLSL                            ? ""
             : control & SpvSelectionControlFlattenMask     ? "[flatten] "
             : control & SpvSelectionControlDontFlattenMask ? "[branch] "
                                                            : "",
             negate ? "!" : "", clike_value(p, end->v[0]));
}

static bool has_phis(const struct clike *p, uint32_t label)
{
    return p->f->m.insts[block_of(p, label)->first + 1].op == SpvOpPhi;
}

// ---- constructs ------------------------------------------------------------------------

static bool selection(struct clike *p, uint32_t from, const struct spv_inst *end,
                      const struct spv_inst *merge)
{
    const uint32_t to = merge->v[0];
    bool empty = end->v[2] == to && !has_phis(p, to);
    open_if(p, end, merge->v[1], false);
    return arm(p, from, end->v[1], to, empty ? "}" : "} else {") &&
           (empty || arm(p, from, end->v[2], to, "}"));
}

// Prints a conditional branch without a construct: one or both edges leave or reach `stop`.
static bool branch(struct clike *p, uint32_t from, const struct spv_inst *end, uint32_t stop)
{
    const char *first = word_of(p, end->v[1], stop), *second = word_of(p, end->v[2], stop);
    if (first && first[0] && !second) {
        open_if(p, end, 0, false);
        return arm(p, from, end->v[1], stop, "}") && edge(p, from, end->v[2], stop);
    }
    if (second && second[0] && !first) {
        open_if(p, end, 0, true);
        return arm(p, from, end->v[2], stop, "}") && edge(p, from, end->v[1], stop);
    }
    open_if(p, end, 0, false);
    return arm(p, from, end->v[1], stop, "} else {") && arm(p, from, end->v[2], stop, "}");
}

// Prints the labels of a switch that enter the same block, one per line.
static void case_labels(struct clike *p, const struct spv_inst *end, uint32_t to)
{
    if (p->to == CLIKE_WGSL) { // all in one line: "case 1u, default: {"
        const char *gap = "";
        text_add(p->out, "%*scase ", (int)(4 * p->indent), "");
        for (uint32_t i = 2; i + 1 < end->n; i += 2)
            if (end->v[i + 1] == to) {
                text_add(p->out, "%s%uu", gap, end->v[i]);
                gap = ", ";
            }
        text_add(p->out, "%s%s: {\n", end->v[1] == to ? gap : "", end->v[1] == to ? "default" : "");
        return;
    }
    for (uint32_t i = 2; i + 1 < end->n; i += 2)
        if (end->v[i + 1] == to)
            clike_line(p, arena_printf(p->f->arena, "case %uu:", end->v[i]));
    if (end->v[1] == to)
        clike_line(p, "default:");
    clike_line(p, "{");
}

static bool one_case(struct clike *p, const struct spv_inst *end, uint32_t to, uint32_t next)
{
    case_labels(p, end, to);
    p->indent++;
    // Fall-through reaches the next case's block; all other edges print `break`.
    bool ok = clike_from(p, to, next);
    p->indent--;
    clike_line(p, "}");
    return ok;
}

static bool switch_case(struct clike *p, uint32_t from, const struct spv_inst *end, uint32_t merge)
{
    const struct clike outer = *p;
    VEC(uint32_t) targets = {0};
    p->switch_merge = merge;
    p->in_switch = true;
    for (uint32_t i = 1; i < end->n; i += 2) {
        const uint32_t to = i == 1 ? end->v[1] : end->v[i];
        bool known = to == merge;
        for (size_t k = 0; k < targets.n; k++)
            known |= targets.v[k] == to;
        if (!known)
            *VEC_PUSH(p->f->arena, &targets) = to;
    }
    // In the module's order of blocks, a case precedes the one it falls through to.
    for (size_t i = 1; i < targets.n; i++)
        for (size_t k = i; k && p->f->m.block_of[targets.v[k]] < p->f->m.block_of[targets.v[k - 1]];
             k--) {
            uint32_t t = targets.v[k];
            targets.v[k] = targets.v[k - 1];
            targets.v[k - 1] = t;
        }
    // The phis of a case get the header's values before the switch: in the case itself they would
    // overwrite those of the case that falls through to it.
    for (size_t i = 0; i < targets.n; i++)
        clike_copies(p, from, targets.v[i]);
    text_add(p->out, "%*sswitch (%s) {\n", (int)(4 * p->indent), "", clike_value(p, end->v[0]));
    bool ok = true, rest = false;
    for (size_t i = 0; i < targets.n && ok; i++) {
        // WGSL has no fall-through; the next block would be printed twice and is refused.
        const bool falls = i + 1 < targets.n && p->to != CLIKE_WGSL;
        const uint32_t next = falls ? targets.v[i + 1] : 0;
        ok = one_case(p, end, targets.v[i], next);
    }
    for (uint32_t i = 1; i < end->n; i += 2)
        rest |= end->v[i] == merge;
    if (rest && ok) {
        case_labels(p, end, merge);
        p->indent++;
        ok = edge(p, from, merge, 0);
        p->indent--;
        clike_line(p, "}");
    }
    clike_line(p, "}");
    p->switch_merge = outer.switch_merge;
    p->in_switch = outer.in_switch;
    return ok;
}

// Returns the condition of the back edge.
static const char *back_if(struct clike *p, const struct spv_inst *end, uint32_t header)
{
    return arena_printf(p->f->arena, "%s%s", end->v[1] == header ? "" : "!",
                        clike_value(p, end->v[0]));
}

// Prints the continue construct into the loop's header. It must be one block with a back edge.
static bool header_part(struct clike *p, uint32_t label, uint32_t header, const char **condition)
{
    const struct spv_block *b = block_of(p, label);
    const struct spv_inst *end = &p->f->m.insts[b->last];
    *condition = NULL;
    if (b->merge || (end->op != SpvOpBranch && end->op != SpvOpBranchConditional))
        return clike_cannot_express(p, label, "a continue construct of several blocks");
    p->printed[b - p->f->m.blocks] = true;
    p->in_header = p->first_in_header = true;
    bool ok = true;
    for (uint32_t i = b->first + 1; i < b->last && ok; i++)
        ok = clike_inst(p, &p->f->m.insts[i]);
    clike_copies(p, label, header);
    if (end->op == SpvOpBranchConditional)
        clike_copies(p, label, end->v[1] == header ? end->v[2] : end->v[1]);
    p->in_header = false;
    if (!ok || end->op == SpvOpBranch)
        return ok && (end->v[0] == header ||
                      clike_cannot_express(p, label, "a continue construct that leaves"));
    *condition = back_if(p, end, header);
    return true;
}

// A loop of one block, which is its own continue construct. All iterations run all of it, so it
// becomes a do ... while.
static bool single_block(struct clike *p, uint32_t header, const char *attribute)
{
    const struct spv_block *b = block_of(p, header);
    const struct spv_inst *end = &p->f->m.insts[b->last];
    if (end->op != SpvOpBranchConditional || (end->v[1] != header && end->v[2] != header))
        return clike_cannot_express(p, header, "a loop that is its own continue construct");
    text_add(p->out, "%*s%sdo {\n", (int)(4 * p->indent), "", attribute);
    p->indent++;
    bool ok = clike_straight(p, header);
    clike_copies(p, header, end->v[1]);
    clike_copies(p, header, end->v[2]);
    p->indent--;
    clike_line(p, arena_printf(p->f->arena, "} while (%s);", back_if(p, end, header)));
    return ok;
}

static bool loop(struct clike *p, uint32_t header, const struct spv_inst *merge)
{
    const struct clike outer = *p;
    struct text head = {.arena = p->f->arena}, *out = p->out;
    const uint32_t control = merge->v[2];
    const char *condition;
    if (p->to == CLIKE_WGSL)
        return wgsl_loop(p, header, merge);
    const char *attribute = p->to != CLIKE_HLSL                      ? ""
                            : control & SpvLoopControlUnrollMask     ? "[unroll] "
                            : control & SpvLoopControlDontUnrollMask ? "[loop] "
                                                                     : "";
    if (merge->v[1] == header)
        return single_block(p, header, attribute);
    p->out = &head;
    p->in_switch = false;
    bool ok = header_part(p, merge->v[1], header, &condition);
    p->out = out;
    if (!ok)
        return false;
    const char *parts = head.n ? head.v : "";
    text_add(p->out, "%*s%s", (int)(4 * p->indent), "", attribute);
    if (condition)
        text_add(p->out, "do {\n");
    else
        text_add(p->out, "for (;; %s) {\n", parts);
    p->loop_merge = merge->v[0];
    p->loop_continue = merge->v[1];
    p->indent++;
    ok = clike_body(p, header, merge);
    p->indent--;
    p->loop_merge = outer.loop_merge;
    p->loop_continue = outer.loop_continue;
    p->in_switch = outer.in_switch;
    if (condition)
        clike_line(p, arena_printf(p->f->arena, "} while (%s%s%s);", parts, head.n ? ", " : "",
                                   condition));
    else
        clike_line(p, "}");
    return ok;
}

// ---- blocks ----------------------------------------------------------------------------

bool clike_straight(struct clike *p, uint32_t label)
{
    const struct spv_block *b = block_of(p, label);
    for (uint32_t i = b->first + 1; i < b->last; i++)
        if (!clike_inst(p, &p->f->m.insts[i]))
            return false;
    return true;
}

// Prints the terminator of a block that opens no loop. *next: the merge block to continue at, 0:
// none.
static bool terminator(struct clike *p, const struct spv_block *b, uint32_t stop, uint32_t *next)
{
    const struct spv_inst *end = &p->f->m.insts[b->last];
    const struct spv_inst *merge = b->merge ? &p->f->m.insts[b->merge] : NULL;
    if (merge && merge->op == SpvOpLoopMerge)
        merge = NULL;
    *next = merge ? merge->v[0] : 0;
    switch (end->op) {
    case SpvOpBranch:
        return edge(p, b->label, end->v[0], stop);
    case SpvOpBranchConditional:
        if (!merge && p->back_to && (end->v[1] == p->back_to || end->v[2] == p->back_to)) {
            wgsl_back(p, b->label, end);
            return true;
        }
        return merge ? selection(p, b->label, end, merge) : branch(p, b->label, end, stop);
    case SpvOpSwitch:
        return merge ? switch_case(p, b->label, end, merge->v[0])
                     : clike_cannot_express(p, b->label, "a switch without a merge block");
    case SpvOpReturn:
        p->all_here = false;
        clike_line(p, "return;");
        return true;
    case SpvOpReturnValue:
        clike_line(p, arena_printf(p->f->arena, "return %s;", clike_value(p, end->v[0])));
        return true;
    case SpvOpUnreachable:
        // WGSL requires a return on every path that it considers reachable.
        if (p->to == CLIKE_WGSL && p->result_type)
            clike_line(p, arena_printf(p->f->arena, "return %s();", clike_type(p, p->result_type)));
        return true;
    default:
        // GLSL has `discard` in fragment shaders alone, also in a function that is not called.
        if (p->to != CLIKE_GLSL || !p->f->fragment || !clike_ends(end->op))
            return clike_refuse(p, end, "a terminator that is not supported");
        clike_line(p, clike_ends(end->op));
        return true;
    }
}

bool clike_body(struct clike *p, uint32_t label, const struct spv_inst *merge)
{
    uint32_t next;
    const struct spv_block *b = block_of(p, label);
    return clike_straight(p, b->label) && terminator(p, b, merge->v[1], &next);
}

bool clike_from(struct clike *p, uint32_t label, uint32_t stop)
{
    while (label && label != stop) {
        const struct spv_block *b = block_of(p, label);
        const size_t at = (size_t)(b - p->f->m.blocks);
        uint32_t next;
        if (p->printed[at])
            return clike_cannot_express(p, label, "control flow that C has no words for");
        p->printed[at] = true;
        if (b->merge && p->f->m.insts[b->merge].op == SpvOpLoopMerge) {
            if (!loop(p, label, &p->f->m.insts[b->merge]))
                return false;
            next = p->f->m.insts[b->merge].v[0];
        } else if (!clike_straight(p, b->label) || !terminator(p, b, stop, &next)) {
            return false;
        }
        // A merge block may be the target of an enclosing construct's break or continue.
        const char *word = next ? word_of(p, next, stop) : "";
        if (word && word[0])
            clike_line(p, word);
        label = word ? 0 : next;
    }
    return true;
}

bool clike_flow(struct clike *p, uint32_t label)
{
    return clike_from(p, label, 0);
}
