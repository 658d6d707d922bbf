// SPDX-License-Identifier: Apache-2.0
//
// Structured SPIR-V -> structured text. Every value is a variable of its function, set
// where it was defined; a phi is a variable set on its edges. A block is printed once:
// control flow that would need it twice, or a jump that C has no word for (out of a loop
// from inside a switch, a continue construct of several blocks) is refused.
#include "clike.h"

#include "print_inner.h"

#include <string.h>

bool clike_refuse(const struct clike *p, const struct spv_inst *in, const char *why)
{
    return err_set(p->e, "%s: %s (%%%u)", spv_op_name(in->op), why, in->result);
}

static bool no_words(const struct clike *p, uint32_t label, const char *what)
{
    return err_set(p->e, "%s (%%%u)", what, label);
}

// ---- names -----------------------------------------------------------------------------

const char *clike_type(const struct clike *p, uint32_t type)
{
    bool is_bool;
    uint32_t n = form_components(p->f, type, &is_bool);
    if (!n)
        return NULL;
    if (n == 1)
        return is_bool ? "bool" : "uint";
    return arena_printf(p->f->arena, p->hlsl ? "%s%u" : "%.1svec%u",
                        p->hlsl ? (is_bool ? "bool" : "uint") : (is_bool ? "b" : "u"), n);
}

static const char *composite(const struct clike *p, const struct spv_inst *d)
{
    struct text t = {.arena = p->f->arena};
    text_add(&t, "%s(", clike_type(p, d->type));
    for (uint32_t i = 0; i < d->n; i++)
        text_add(&t, "%s%s", i ? ", " : "", clike_value(p, d->v[i]));
    text_add(&t, ")");
    return t.v;
}

const char *clike_value(const struct clike *p, uint32_t id)
{
    const struct spv_inst *d = spv_def(&p->f->m, id);
    const struct form_id *f = &p->f->id[id];
    struct arena *a = p->f->arena;
    uint32_t n;
    bool is_bool;
    if (form_constant(p->f, id, &n)) {
        form_components(p->f, d->type, &is_bool);
        return is_bool ? (n ? "true" : "false") : arena_printf(a, "%uu", n);
    }
    if (d && d->op == SpvOpConstantComposite)
        return composite(p, d);
    if (d && (d->op == SpvOpConstantNull || d->op == SpvOpUndef)) {
        uint32_t parts = form_components(p->f, d->type, &is_bool);
        const char *zero = is_bool ? "false" : "0u";
        return parts == 1 ? zero : arena_printf(a, "%s(%s)", clike_type(p, d->type), zero);
    }
    if (d && d->op == SpvOpFunction && id == p->f->entry)
        return "main";
    if (d && (d->op == SpvOpFunction || d->op == SpvOpVariable) && f->name)
        return arena_printf(a, "%s_%u", f->name, id);
    return arena_printf(a, "x%u", id);
}

void clike_begin(struct clike *p)
{
    if (!p->in_header)
        text_add(p->out, "%*s", (int)(4 * p->indent), "");
    else if (!p->first_in_header)
        text_add(p->out, ", ");
    p->first_in_header = false;
}

void clike_end(struct clike *p)
{
    if (!p->in_header)
        text_add(p->out, ";\n");
}

void clike_result(struct clike *p, const struct spv_inst *in)
{
    clike_begin(p);
    text_add(p->out, "%s = ", clike_value(p, in->result));
}

static void line(struct clike *p, const char *text)
{
    text_add(p->out, "%*s%s\n", (int)(4 * p->indent), "", text);
}

// ---- edges -----------------------------------------------------------------------------

static bool print_from(struct clike *p, uint32_t label, uint32_t stop);

static const struct spv_block *block_of(const struct clike *p, uint32_t label)
{
    return &p->f->m.blocks[p->f->m.block_of[label]];
}

// What the phis of the target get from here.
static void copies(struct clike *p, uint32_t from, uint32_t to)
{
    const struct spv_block *b = block_of(p, to);
    for (uint32_t i = b->first + 1; p->f->m.insts[i].op == SpvOpPhi; i++) {
        const struct spv_inst *in = &p->f->m.insts[i];
        for (uint32_t k = 0; k + 1 < in->n; k += 2)
            if (in->v[k + 1] == from) {
                clike_begin(p);
                text_add(p->out, "p%u = %s", in->result, clike_value(p, in->v[k]));
                clike_end(p);
            }
    }
}

// Does the edge leave for a place that has a word? NULL where it goes on.
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
    copies(p, from, to);
    const char *word = word_of(p, to, stop);
    if (!word)
        return print_from(p, to, stop);
    if (word[0])
        line(p, word);
    return true;
}

static bool arm(struct clike *p, uint32_t from, uint32_t to, uint32_t stop, const char *end)
{
    p->indent++;
    bool ok = edge(p, from, to, stop);
    p->indent--;
    line(p, end);
    return ok;
}

static void open_if(struct clike *p, const struct spv_inst *end, uint32_t control, bool negate)
{
    text_add(p->out, "%*s%sif (%s%s) {\n", (int)(4 * p->indent), "",
             !p->hlsl                                       ? ""
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

// A conditional branch that opens no construct: one way or both leave, or go on to `stop`.
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

// The labels of a switch that enter the same block, on one line each.
static void case_labels(struct clike *p, const struct spv_inst *end, uint32_t to)
{
    for (uint32_t i = 2; i + 1 < end->n; i += 2)
        if (end->v[i + 1] == to)
            line(p, arena_printf(p->f->arena, "case %uu:", end->v[i]));
    if (end->v[1] == to)
        line(p, "default:");
}

static bool one_case(struct clike *p, uint32_t from, const struct spv_inst *end, uint32_t to,
                     uint32_t next)
{
    case_labels(p, end, to);
    line(p, "{");
    p->indent++;
    copies(p, from, to);
    // What falls through comes to the next case's block; all else says `break`.
    bool ok = print_from(p, to, next);
    p->indent--;
    line(p, "}");
    return ok;
}

static bool switch_case(struct clike *p, uint32_t from, const struct spv_inst *end, uint32_t merge)
{
    const struct clike outer = *p;
    VEC(uint32_t) targets = {0};
    p->switch_merge = merge;
    p->in_switch = true;
    text_add(p->out, "%*sswitch (%s) {\n", (int)(4 * p->indent), "", clike_value(p, end->v[0]));
    for (uint32_t i = 1; i < end->n; i += 2) {
        const uint32_t to = i == 1 ? end->v[1] : end->v[i];
        bool known = to == merge;
        for (size_t k = 0; k < targets.n; k++)
            known |= targets.v[k] == to;
        if (!known)
            *VEC_PUSH(p->f->arena, &targets) = to;
    }
    // The module's own order of blocks puts a case before the one it falls into.
    for (size_t i = 1; i < targets.n; i++)
        for (size_t k = i; k && p->f->m.block_of[targets.v[k]] < p->f->m.block_of[targets.v[k - 1]];
             k--) {
            uint32_t t = targets.v[k];
            targets.v[k] = targets.v[k - 1];
            targets.v[k - 1] = t;
        }
    bool ok = true, rest = false;
    for (size_t i = 0; i < targets.n && ok; i++) {
        const uint32_t next = i + 1 < targets.n ? targets.v[i + 1] : 0;
        ok = one_case(p, from, end, targets.v[i], next);
    }
    for (uint32_t i = 1; i < end->n; i += 2)
        rest |= end->v[i] == merge;
    if (rest && ok) {
        case_labels(p, end, merge);
        line(p, "{");
        p->indent++;
        ok = edge(p, from, merge, 0);
        p->indent--;
        line(p, "}");
    }
    line(p, "}");
    p->switch_merge = outer.switch_merge;
    p->in_switch = outer.in_switch;
    return ok;
}

// The continue construct in the loop's own header: one block that goes back.
static bool header_part(struct clike *p, uint32_t label, uint32_t header, const char **condition)
{
    const struct spv_block *b = block_of(p, label);
    const struct spv_inst *end = &p->f->m.insts[b->last];
    *condition = NULL;
    if (b->merge || (end->op != SpvOpBranch && end->op != SpvOpBranchConditional))
        return no_words(p, label, "a continue construct of several blocks");
    p->printed[b - p->f->m.blocks] = true;
    p->in_header = p->first_in_header = true;
    bool ok = true;
    for (uint32_t i = b->first + 1; i < b->last && ok; i++)
        ok = clike_inst(p, &p->f->m.insts[i]);
    copies(p, label, header);
    p->in_header = false;
    if (!ok || end->op == SpvOpBranch)
        return ok &&
               (end->v[0] == header || no_words(p, label, "a continue construct that leaves"));
    if (has_phis(p, end->v[1] == header ? end->v[2] : end->v[1]))
        return no_words(p, label, "phis where a loop ends at its bottom");
    *condition = arena_printf(p->f->arena, "%s%s", end->v[1] == header ? "" : "!",
                              clike_value(p, end->v[0]));
    return true;
}

static bool body(struct clike *p, uint32_t label, const struct spv_inst *merge);

static bool loop(struct clike *p, uint32_t header, const struct spv_inst *merge)
{
    const struct clike outer = *p;
    struct text head = {.arena = p->f->arena}, *out = p->out;
    const uint32_t control = merge->v[2];
    const char *condition;
    if (merge->v[1] == header)
        return no_words(p, header, "a loop that is its own continue construct");
    p->out = &head;
    p->in_switch = false;
    bool ok = header_part(p, merge->v[1], header, &condition);
    p->out = out;
    if (!ok)
        return false;
    const char *attribute = !p->hlsl                                 ? ""
                            : control & SpvLoopControlUnrollMask     ? "[unroll] "
                            : control & SpvLoopControlDontUnrollMask ? "[loop] "
                                                                     : "";
    const char *parts = head.n ? head.v : "";
    text_add(p->out, "%*s%s", (int)(4 * p->indent), "", attribute);
    if (condition)
        text_add(p->out, "do {\n");
    else
        text_add(p->out, "for (;; %s) {\n", parts);
    p->loop_merge = merge->v[0];
    p->loop_continue = merge->v[1];
    p->indent++;
    ok = body(p, header, merge);
    p->indent--;
    p->loop_merge = outer.loop_merge;
    p->loop_continue = outer.loop_continue;
    p->in_switch = outer.in_switch;
    if (condition)
        line(p,
             arena_printf(p->f->arena, "} while (%s%s%s);", parts, head.n ? ", " : "", condition));
    else
        line(p, "}");
    return ok;
}

// ---- blocks ----------------------------------------------------------------------------

static bool straight(struct clike *p, const struct spv_block *b)
{
    for (uint32_t i = b->first + 1; i < b->last; i++)
        if (!clike_inst(p, &p->f->m.insts[i]))
            return false;
    return true;
}

// The end of a block that opens no loop. *next: the merge block to go on with, 0 for none.
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
        return merge ? selection(p, b->label, end, merge) : branch(p, b->label, end, stop);
    case SpvOpSwitch:
        return merge ? switch_case(p, b->label, end, merge->v[0])
                     : no_words(p, b->label, "a switch without a merge block");
    case SpvOpReturn:
        line(p, "return;");
        return true;
    case SpvOpReturnValue:
        line(p, arena_printf(p->f->arena, "return %s;", clike_value(p, end->v[0])));
        return true;
    case SpvOpUnreachable:
        return true;
    default:
        return clike_refuse(p, end, "no such terminator");
    }
}

static bool body(struct clike *p, uint32_t label, const struct spv_inst *merge)
{
    uint32_t next;
    const struct spv_block *b = block_of(p, label);
    return straight(p, b) && terminator(p, b, merge->v[1], &next);
}

static bool print_from(struct clike *p, uint32_t label, uint32_t stop)
{
    while (label && label != stop) {
        const struct spv_block *b = block_of(p, label);
        const size_t at = (size_t)(b - p->f->m.blocks);
        uint32_t next;
        if (p->printed[at])
            return no_words(p, label, "control flow that C has no words for");
        p->printed[at] = true;
        if (b->merge && p->f->m.insts[b->merge].op == SpvOpLoopMerge) {
            if (!loop(p, label, &p->f->m.insts[b->merge]))
                return false;
            next = p->f->m.insts[b->merge].v[0];
        } else if (!straight(p, b) || !terminator(p, b, stop, &next)) {
            return false;
        }
        // A merge block may be a place with a word of its own.
        const char *word = next ? word_of(p, next, stop) : "";
        if (word && word[0])
            line(p, word);
        label = word ? 0 : next;
    }
    return true;
}

// ---- functions -------------------------------------------------------------------------

// Every value of the function, declared.
static bool declarations(struct clike *p, const struct spv_function *fn)
{
    const struct spv_module *m = &p->f->m;
    for (uint32_t i = fn->first + 1; i < fn->last; i++) {
        const struct spv_inst *in = &m->insts[i];
        const uint8_t place = in->result ? p->f->id[in->result].place : 0;
        uint32_t type = in->type;
        if (!in->result || !in->type || in->op == SpvOpFunctionParameter || in->op == SpvOpUndef ||
            place == FORM_BUFFER || place == FORM_BUILTIN || spv_def(m, type)->op == SpvOpTypeVoid)
            continue;
        if (in->op == SpvOpVariable)
            type = spv_def(m, type)->v[1];
        const char *of = clike_type(p, type);
        if (!of)
            return clike_refuse(p, in, "a type that is no bool and no 32-bit integer");
        line(p, arena_printf(p->f->arena, "%s %s;", of, clike_value(p, in->result)));
        if (in->op == SpvOpPhi)
            line(p, arena_printf(p->f->arena, "%s p%u;", of, in->result));
    }
    return true;
}

static bool function(struct clike *p, const struct spv_function *fn)
{
    const struct spv_module *m = &p->f->m;
    const struct spv_inst *in = &m->insts[fn->first];
    const bool nothing = spv_def(m, in->type)->op == SpvOpTypeVoid;
    const char *type = nothing ? "void" : clike_type(p, in->type), *gap = "";
    if (!type)
        return clike_refuse(p, in, "a result that is no bool and no 32-bit integer");
    text_add(p->out, "\n");
    if (fn->id == p->f->entry && p->hlsl)
        text_add(p->out, "[numthreads(%u, %u, %u)]\n", p->f->size[0], p->f->size[1], p->f->size[2]);
    // clang keeps a function that others might call, and its back end dies of those that reach
    // a buffer.
    text_add(p->out, "%s%s %s(", p->hlsl && fn->id != p->f->entry ? "static " : "", type,
             clike_value(p, fn->id));
    for (uint32_t i = fn->first + 1; m->insts[i].op == SpvOpFunctionParameter; i++) {
        const char *of = clike_type(p, m->insts[i].type);
        if (!of)
            return clike_refuse(p, &m->insts[i], "a parameter that is no bool, no 32-bit integer");
        text_add(p->out, "%s%s %s", gap, of, clike_value(p, m->insts[i].result));
        gap = ", ";
    }
    text_add(p->out, ")%s\n{\n",
             fn->id == p->f->entry && !p->hlsl && p->f->maximal ? " [[maximally_reconverges]]"
                                                                : "");
    p->indent = 1;
    p->loop_merge = p->loop_continue = p->switch_merge = 0;
    p->in_switch = false;
    bool ok = declarations(p, fn) && print_from(p, m->blocks[fn->block_first].label, 0);
    text_add(p->out, "}\n");
    return ok;
}

static bool privates(struct clike *p)
{
    const struct spv_module *m = &p->f->m;
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *in = &m->insts[i];
        if (in->op != SpvOpVariable || p->f->id[in->result].place != FORM_PRIVATE)
            continue;
        const char *type = clike_type(p, spv_def(m, in->type)->v[1]);
        if (!type)
            return clike_refuse(p, in, "a type that is no bool and no 32-bit integer");
        text_add(p->out, "%s%s %s", p->hlsl ? "static " : "", type, clike_value(p, in->result));
        if (in->n > 1)
            text_add(p->out, " = %s", clike_value(p, in->v[1]));
        text_add(p->out, ";\n");
    }
    return true;
}

static void buffers(struct clike *p)
{
    for (size_t i = 0; i < p->f->buffers.n; i++) {
        const struct form_buffer *b = &p->f->buffers.v[i];
        if (p->hlsl)
            text_add(p->out,
                     "[[vk::binding(%u, %u)]] %sStructuredBuffer<uint> %s_b : register(%c%u);\n",
                     b->binding, b->set, b->read_only ? "" : "RW", b->name,
                     b->read_only ? 't' : 'u', b->binding);
        else
            text_add(p->out,
                     "layout(std430, set = %u, binding = %u) %sbuffer %s_t { uint %s_b[]; };\n",
                     b->set, b->binding, b->read_only ? "readonly " : "", b->name, b->name);
    }
}

static bool print(const struct form *f, struct text *out, bool hlsl, struct err *e)
{
    struct clike p = {.f = f, .out = out, .e = e, .hlsl = hlsl};
    p.printed = ARENA_ARRAY(f->arena, bool, f->m.block_count);
    if (hlsl) {
        text_add(out, "typedef unsigned int uint;\n");
        for (int n = 2; n <= 4; n++)
            text_add(out, "typedef vector<uint, %d> uint%d;\ntypedef vector<bool, %d> bool%d;\n", n,
                     n, n, n);
    } else {
        text_add(out, "#version 460\n");
        clike_extensions(&p);
        text_add(out, "layout(local_size_x = %u, local_size_y = %u, local_size_z = %u) in;\n",
                 f->size[0], f->size[1], f->size[2]);
    }
    buffers(&p);
    if (!privates(&p))
        return false;
    // Callees first: neither language is told of a function before.
    const struct spv_module *m = &f->m;
    bool *done = ARENA_ARRAY(f->arena, bool, m->function_count);
    for (uint32_t left = m->function_count; left;) {
        uint32_t before = left;
        for (uint32_t i = 0; i < m->function_count; i++) {
            bool ready = !done[i];
            for (uint32_t k = m->functions[i].first; k < m->functions[i].last && ready; k++)
                for (uint32_t g = 0; m->insts[k].op == SpvOpFunctionCall && g < m->function_count;
                     g++)
                    ready &= m->functions[g].id != m->insts[k].v[0] || done[g];
            if (!ready)
                continue;
            if (!function(&p, &m->functions[i]))
                return false;
            done[i] = true;
            left--;
        }
        if (left == before)
            return err_set(e, "functions that call each other");
    }
    return true;
}

bool print_hlsl(const struct form *f, struct text *out, struct err *e)
{
    return print(f, out, true, e);
}

bool print_glsl(const struct form *f, struct text *out, struct err *e)
{
    return print(f, out, false, e);
}
