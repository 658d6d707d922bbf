// SPDX-License-Identifier: Apache-2.0
//
// A module as pseudo-code for readers. A construct is printed as a block, from its header to its
// merge block. A branch that does not fit the structure is printed as `goto`.
#include "pseudo.h"

#include <string.h>

// ---- structure -------------------------------------------------------------------

static void print_from(struct printer *p, uint32_t label, uint32_t stop);

// Adds a branch to `label`: nothing if the next line continues there, else a keyword.
static void go(struct printer *p, uint32_t label, uint32_t stop)
{
    if (label == stop)
        return;
    for (uint32_t d = p->depth; d > 0; d--) {
        bool inner_loop = true, out_of_switch = false;
        for (uint32_t k = d; k < p->depth; k++) {
            inner_loop &= !p->loop[k];
            out_of_switch |= p->in_switch[k];
        }
        if (p->loop[d - 1] && (label == p->merge[d - 1] || label == p->cont[d - 1])) {
            pseudo_line(p);
            text_add(p->out, "%s", label == p->merge[d - 1] ? "break" : "continue");
            if (!inner_loop)
                text_add(p->out, " // of an outer loop");
            else if (out_of_switch &&
                     label == p->merge[d - 1]) // in C `break` would leave the switch
                text_add(p->out, " // of the loop");
            text_add(p->out, "\n");
            return;
        }
        if (!p->loop[d - 1] && label == p->merge[d - 1]) {
            pseudo_line(p);
            text_add(p->out, "leave\n");
            return;
        }
    }
    uint32_t b = p->m->block_of[label];
    if (b == UINT32_MAX || p->done[b]) {
        pseudo_line(p);
        text_add(p->out, "goto x%u\n", label);
        return;
    }
    print_from(p, label, stop);
}

static void push(struct printer *p, uint32_t merge, uint32_t cont, bool loop)
{
    p->merge[p->depth] = merge;
    p->cont[p->depth] = cont;
    p->in_switch[p->depth] = false;
    p->loop[p->depth++] = loop;
    p->indent++;
}

static void pop(struct printer *p)
{
    p->depth--;
    p->indent--;
    pseudo_line(p);
}

static void branch(struct printer *p, const struct spv_inst *i, uint32_t merge, uint32_t stop)
{
    if (i->op == SpvOpBranch) {
        go(p, i->v[0], stop);
    } else if (i->op == SpvOpBranchConditional && i->v[1] != i->v[2]) {
        uint32_t yes = i->v[1], no = i->v[2], end = merge ? merge : stop;
        bool swap = yes == end && no != end;
        pseudo_line(p);
        text_add(p->out, swap ? "if (!(" : "if (");
        pseudo_value(p, i->v[0], 0);
        text_add(p->out, swap ? ")) {\n" : ") {\n");
        push(p, merge, 0, false);
        go(p, swap ? no : yes, end);
        pop(p);
        if (!swap && no != end) {
            text_add(p->out, "} else {\n");
            push(p, merge, 0, false);
            go(p, no, end);
            pop(p);
        }
        text_add(p->out, "}\n");
    } else if (i->op == SpvOpSwitch) {
        const struct spv_inst *d = spv_def(p->m, i->v[0]);
        const struct spv_inst *t = d ? spv_def(p->m, d->type) : NULL;
        uint32_t lit = t && t->op == SpvOpTypeInt && t->v[0] > 32 ? 2 : 1,
                 end = merge ? merge : stop;
        pseudo_line(p);
        text_add(p->out, "switch (");
        pseudo_value(p, i->v[0], 0);
        text_add(p->out, ") {\n");
        for (uint32_t k = 2;; k += lit + 1) {
            bool is_default = k + lit >= i->n;
            uint32_t label = is_default ? i->v[1] : i->v[k + lit];
            bool shared = false; // with the label before it
            pseudo_line(p);
            if (is_default)
                text_add(p->out, "default:\n");
            else
                text_add(p->out, "case %u:\n", i->v[k]);
            if (!is_default && k + lit + lit + 1 < i->n)
                shared = i->v[k + lit + lit + 1] == label;
            if (!shared && label != end) {
                uint32_t next =
                    is_default || k + lit + lit + 1 >= i->n ? i->v[1] : i->v[k + lit + lit + 1];
                uint32_t b = p->m->block_of[label];
                push(p, end, 0, false);
                p->in_switch[p->depth - 1] = true;
                if (b != UINT32_MAX && !p->done[b])
                    print_from(p, label, is_default ? end : next);
                p->depth--;
                p->indent--;
            }
            if (is_default)
                break;
        }
        pseudo_line(p);
        text_add(p->out, "}\n");
    } else if (i->op == SpvOpReturnValue) {
        pseudo_line(p);
        text_add(p->out, "return ");
        pseudo_value(p, i->v[0], 0);
        text_add(p->out, "\n");
    } else if (i->op == SpvOpBranchConditional) {
        go(p, i->v[1], stop);
    } else {
        pseudo_line(p);
        const char *n = spv_op_name(i->op) + 2;
        text_add(p->out, "%s\n", i->op == SpvOpReturn ? "return" : n);
    }
}

static void body(struct printer *p, const struct spv_block *b)
{
    for (uint32_t k = b->first; k < b->last; k++)
        pseudo_instruction(p, &p->m->insts[k]);
}

// Adds the blocks from `label` on, up to a block that is already printed, or before `stop`.
static void print_from(struct printer *p, uint32_t label, uint32_t stop)
{
    while (label && label != stop) {
        uint32_t at = label < p->m->bound ? p->m->block_of[label] : UINT32_MAX;
        if (at == UINT32_MAX || p->done[at] || p->depth + 2 >= PSEUDO_DEPTH)
            return;
        p->done[at] = true;
        const struct spv_block *b = &p->m->blocks[at];
        const struct spv_inst *end = &p->m->insts[b->last];
        const struct spv_inst *merge = b->merge ? &p->m->insts[b->merge] : NULL;
        if (merge && merge->op == SpvOpLoopMerge) {
            uint32_t cont = merge->v[1], cb = p->m->block_of[cont];
            pseudo_line(p);
            text_add(p->out, "loop {\n");
            push(p, merge->v[0], cont, true);
            body(p, b);
            branch(p, end, 0, cont);
            if (cb != UINT32_MAX && !p->done[cb]) {
                pseudo_line(p);
                text_add(p->out, "continuing:\n");
                p->cont[p->depth - 1] = label; // from here on the header is the continue target
                print_from(p, cont, label);
            }
            pop(p);
            text_add(p->out, "}\n");
            label = merge->v[0];
        } else {
            body(p, b);
            if (!merge && end->op == SpvOpBranch && end->v[0] != stop &&
                p->m->block_of[end->v[0]] != UINT32_MAX) {
                go(p, end->v[0], stop);
                return;
            }
            branch(p, end, merge ? merge->v[0] : 0, merge ? merge->v[0] : stop);
            label = merge ? merge->v[0] : 0;
        }
    }
}

static void count_uses(struct printer *p)
{
    for (uint32_t k = 0; k < p->m->inst_count; k++) {
        const struct spv_inst *i = &p->m->insts[k];
        if (i->op == SpvOpName || i->op == SpvOpDecorate || i->op == SpvOpMemberName)
            continue;
        for (uint32_t v = 0; v < i->n; v++)
            if (i->v[v] < p->m->bound)
                p->uses[i->v[v]]++;
        // A literal that equals an id counts as a use of that value, which then gets a line.
    }
}

void report_pseudo(struct arena *a, const struct spv_module *m, struct text *out)
{
    struct printer p = {.a = a,
                        .m = m,
                        .out = out,
                        .uses = ARENA_ARRAY(a, uint32_t, m->bound),
                        .done = ARENA_ARRAY(a, bool, m->block_count),
                        .names = ARENA_ARRAY(a, const char *, m->bound)};
    for (uint32_t k = 0; k < m->inst_count; k++)
        if (m->insts[k].op == SpvOpName && m->insts[k].n > 1)
            p.names[m->insts[k].v[0]] = spv_string(m->insts[k].v + 1, m->insts[k].n - 1);
    count_uses(&p);
    text_addn(out, "", 0);
    for (uint32_t f = 0; f < m->function_count; f++) {
        const struct spv_function *fn = &m->functions[f];
        if (!fn->block_count)
            continue;
        text_add(out, "%s", f ? "\n" : "");
        pseudo_name(&p, fn->id);
        text_add(out, "(");
        bool any = false;
        for (uint32_t k = fn->first; k < fn->last; k++)
            if (m->insts[k].op == SpvOpFunctionParameter) {
                text_add(out, "%s", any ? ", " : "");
                any = true;
                pseudo_name(&p, m->insts[k].result);
            }
        text_add(out, ") {\n");
        p.indent = 1;
        p.depth = 0;
        print_from(&p, m->blocks[fn->block_first].label, 0);
        text_add(out, "}\n");
    }
}
