// SPDX-License-Identifier: Apache-2.0
//
// A module as pseudo-code, for people. Structured: a construct is printed from its header
// to its merge block. A pure value that is used once stands where it is used; the others
// get a line. Where the structure is not as expected, `goto` says so.
#include "construct.h"

#include <string.h>

enum { DEPTH_MAX = 40, INLINE_MAX = 6 };

struct printer {
    struct arena *a;
    const struct spv_module *m;
    struct text *out;
    uint32_t *uses;   // [id]
    bool *done;       // [block index]: printed
    const char **names; // [id]: OpName, NULL for none
    uint32_t indent;
    uint32_t merge[DEPTH_MAX], cont[DEPTH_MAX], depth; // labels of the constructs around
    bool loop[DEPTH_MAX];
};

static void line(struct printer *p)
{
    for (uint32_t i = 0; i < p->indent; i++)
        text_addn(p->out, "    ", 4);
}

static bool pure(const struct spv_inst *i)
{
    const struct spv_op *row = spv_op_find(i->op);
    if (!row || !row->has_result || !row->has_type)
        return false;
    static const char *const klasses[] = {"Arithmetic", "Bit", "Relational_and_Logical",
                                          "Conversion", "Composite"};
    for (size_t k = 0; k < sizeof klasses / sizeof *klasses; k++)
        if (strcmp(row->klass, klasses[k]) == 0)
            return true;
    return i->op == SpvOpAccessChain || i->op == SpvOpInBoundsAccessChain;
}

static void value(struct printer *p, uint32_t id, int depth);

static void name(struct printer *p, uint32_t id)
{
    const char *n = p->names[id];
    if (n && n[0])
        text_add(p->out, "%s", n);
    else
        text_add(p->out, "x%u", id);
}

static const char *infix(uint16_t op)
{
    switch (op) {
    case SpvOpIAdd: case SpvOpFAdd: return "+";
    case SpvOpISub: case SpvOpFSub: return "-";
    case SpvOpIMul: case SpvOpFMul: return "*";
    case SpvOpUDiv: case SpvOpSDiv: case SpvOpFDiv: return "/";
    case SpvOpUMod: case SpvOpSMod: case SpvOpSRem: case SpvOpFMod: return "%";
    case SpvOpBitwiseAnd: return "&";
    case SpvOpBitwiseOr: return "|";
    case SpvOpBitwiseXor: return "^";
    case SpvOpShiftLeftLogical: return "<<";
    case SpvOpShiftRightLogical: case SpvOpShiftRightArithmetic: return ">>";
    case SpvOpIEqual: case SpvOpLogicalEqual: case SpvOpFOrdEqual: return "==";
    case SpvOpINotEqual: case SpvOpLogicalNotEqual: case SpvOpFOrdNotEqual: return "!=";
    case SpvOpULessThan: case SpvOpSLessThan: case SpvOpFOrdLessThan: return "<";
    case SpvOpULessThanEqual: case SpvOpSLessThanEqual: return "<=";
    case SpvOpUGreaterThan: case SpvOpSGreaterThan: case SpvOpFOrdGreaterThan: return ">";
    case SpvOpUGreaterThanEqual: case SpvOpSGreaterThanEqual: return ">=";
    case SpvOpLogicalAnd: return "&&";
    case SpvOpLogicalOr: return "||";
    default: return NULL;
    }
}

static void constant(struct printer *p, const struct spv_inst *i)
{
    const struct spv_inst *t = spv_def(p->m, i->type);
    bool is_float = t && t->op == SpvOpTypeFloat;
    if (i->op == SpvOpConstantTrue || i->op == SpvOpConstantFalse) {
        text_add(p->out, i->op == SpvOpConstantTrue ? "true" : "false");
    } else if ((i->op == SpvOpConstant || i->op == SpvOpSpecConstant) && i->n >= 1 && is_float &&
               i->n == 1) {
        float f;
        memcpy(&f, &i->v[0], sizeof f);
        text_add(p->out, "%g", (double)f);
    } else if ((i->op == SpvOpConstant || i->op == SpvOpSpecConstant) && i->n >= 1) {
        uint64_t v = i->v[0] | (i->n > 1 ? (uint64_t)i->v[1] << 32 : 0);
        text_add(p->out, v < 65536 ? "%llu" : "0x%llx", (unsigned long long)v);
    } else if (i->op == SpvOpConstantNull) {
        text_add(p->out, "0");
    } else if (i->op == SpvOpUndef) {
        text_add(p->out, "undef");
    } else {
        name(p, i->result);
    }
}

// "GroupNonUniformBallot" -> "ballot"
static void op_name(struct printer *p, const struct spv_inst *i)
{
    const char *n = spv_op_name(i->op) + 2;
    static const char *const prefixes[] = {"GroupNonUniform", "Group", "Subgroup"};
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
        if (strncmp(n, prefixes[k], strlen(prefixes[k])) == 0 && n[strlen(prefixes[k])]) {
            n += strlen(prefixes[k]);
            break;
        }
    char c = n[0] >= 'A' && n[0] <= 'Z' ? (char)(n[0] + 32) : n[0];
    text_add(p->out, "%c%s", c, n + 1);
}

static void arguments(struct printer *p, const struct spv_inst *i, uint32_t from, int depth)
{
    const struct spv_op *row = spv_op_find(i->op);
    bool group = op_class(i)[0] != 0;
    text_addn(p->out, "(", 1);
    bool any = false;
    // Of a group operation the scope says nothing to a reader: subgroup.
    for (uint32_t k = from + (group ? 1 : 0); k < i->n; k++) {
        uint32_t at = k < SPV_OPERANDS_MAX ? k : SPV_OPERANDS_MAX - 1;
        uint8_t kind = row ? row->operands[at].kind : SPV_OPERAND_LITERAL;
        bool is_literal = kind == SPV_OPERAND_LITERAL;
        for (uint32_t q = 0; row && q <= at && !is_literal; q++) // a list of literals goes on
            if (row->operands[q].quantifier == SPV_MANY && row->operands[q].kind)
                is_literal = row->operands[q].kind == SPV_OPERAND_LITERAL;
        static const char *const operations[] = {"reduce", "inclusive", "exclusive", "clustered"};
        text_add(p->out, "%s", any ? ", " : "");
        any = true;
        if (is_literal && group && i->v[k] < 4)
            text_add(p->out, "%s", operations[i->v[k]]);
        else if (is_literal || i->v[k] >= p->m->bound)
            text_u32(p->out, i->v[k]);
        else
            value(p, i->v[k], depth + 1);
    }
    text_addn(p->out, ")", 1);
}

// A pointer as "out[...]": the first index into a block with one array is left out.
static void pointer(struct printer *p, const struct spv_inst *i, int depth)
{
    value(p, i->v[0], depth + 1);
    const struct spv_inst *base = spv_def(p->m, i->v[0]);
    const struct spv_inst *t = base ? spv_def(p->m, base->type) : NULL;
    const struct spv_inst *pointee = t && t->op == SpvOpTypePointer && t->n == 2
                                         ? spv_def(p->m, t->v[1]) : NULL;
    bool one = pointee && pointee->op == SpvOpTypeStruct && pointee->n == 1 && i->n > 2;
    for (uint32_t k = one ? 2 : 1; k < i->n; k++) {
        text_addn(p->out, "[", 1);
        value(p, i->v[k], depth + 1);
        text_addn(p->out, "]", 1);
    }
}

static void expression(struct printer *p, const struct spv_inst *i, int depth)
{
    const char *o = infix(i->op);
    static const char components[] = "xyzw";
    if (o && i->n == 2) {
        text_addn(p->out, "(", depth > 0);
        value(p, i->v[0], depth + 1);
        text_add(p->out, " %s ", o);
        value(p, i->v[1], depth + 1);
        text_addn(p->out, ")", depth > 0);
    } else if (i->op == SpvOpSelect && i->n == 3) {
        text_addn(p->out, "(", depth > 0);
        value(p, i->v[0], depth + 1);
        text_add(p->out, " ? ");
        value(p, i->v[1], depth + 1);
        text_add(p->out, " : ");
        value(p, i->v[2], depth + 1);
        text_addn(p->out, ")", depth > 0);
    } else if ((i->op == SpvOpLogicalNot || i->op == SpvOpNot) && i->n == 1) {
        text_add(p->out, i->op == SpvOpNot ? "~" : "!");
        value(p, i->v[0], depth + 1);
    } else if (i->op == SpvOpBitcast || i->op == SpvOpCopyObject) {
        value(p, i->v[0], depth);
    } else if (i->op == SpvOpCompositeExtract && i->n == 2 && i->v[1] < 4) {
        value(p, i->v[0], depth + 1);
        text_add(p->out, ".%c", components[i->v[1]]);
    } else if ((i->op == SpvOpAccessChain || i->op == SpvOpInBoundsAccessChain) && i->n) {
        pointer(p, i, depth);
    } else if (i->op == SpvOpLoad && i->n) {
        value(p, i->v[0], depth);
    } else if (i->op == SpvOpFunctionCall && i->n) {
        name(p, i->v[0]);
        arguments(p, i, 1, depth);
    } else if (i->op == SpvOpPhi) {
        text_add(p->out, "phi(");
        for (uint32_t k = 0; k + 1 < i->n; k += 2) {
            text_add(p->out, k ? ", " : "");
            value(p, i->v[k], depth + 1);
        }
        text_addn(p->out, ")", 1);
    } else {
        op_name(p, i);
        arguments(p, i, 0, depth);
    }
}

static void value(struct printer *p, uint32_t id, int depth)
{
    const struct spv_inst *i = spv_def(p->m, id);
    if (!i) {
        text_add(p->out, "x%u", id);
        return;
    }
    const struct spv_op *row = spv_op_find(i->op);
    if (i->op == SpvOpUndef || (row && strcmp(row->klass, "Constant-Creation") == 0)) {
        constant(p, i);
        return;
    }
    bool chain = i->op == SpvOpAccessChain || i->op == SpvOpInBoundsAccessChain;
    if (pure(i) && (chain || (p->uses[id] <= 1 && depth < INLINE_MAX)))
        expression(p, i, depth);
    else
        name(p, id);
}

static void instruction(struct printer *p, const struct spv_inst *i)
{
    const struct spv_op *row = spv_op_find(i->op);
    switch (i->op) {
    case SpvOpLabel: case SpvOpLine: case SpvOpNoLine: case SpvOpSelectionMerge:
    case SpvOpLoopMerge: case SpvOpNop:
        return;
    case SpvOpVariable:
        line(p);
        text_add(p->out, "var ");
        name(p, i->result);
        if (i->n > 1) {
            text_add(p->out, " = ");
            value(p, i->v[1], 0);
        }
        text_add(p->out, "\n");
        return;
    case SpvOpStore:
        line(p);
        value(p, i->v[0], 0);
        text_add(p->out, " = ");
        value(p, i->v[1], 0);
        text_add(p->out, "\n");
        return;
    default:
        break;
    }
    bool chain = i->op == SpvOpAccessChain || i->op == SpvOpInBoundsAccessChain;
    if (pure(i) && (chain || p->uses[i->result] <= 1))
        return; // stands where it is used
    line(p);
    bool is_void = i->type && spv_def(p->m, i->type) && spv_def(p->m, i->type)->op == SpvOpTypeVoid;
    if (row && row->has_result && !is_void) {
        name(p, i->result);
        text_add(p->out, " = ");
    }
    expression(p, i, 0);
    text_add(p->out, "\n");
}

// ---- structure -------------------------------------------------------------------

static void print_from(struct printer *p, uint32_t label, uint32_t stop);

// A branch to `label`: nothing when it is where the text goes on, a word when it leaves.
static void go(struct printer *p, uint32_t label, uint32_t stop)
{
    if (label == stop)
        return;
    for (uint32_t d = p->depth; d > 0; d--) {
        bool inner_loop = true;
        for (uint32_t k = d; k < p->depth; k++)
            inner_loop &= !p->loop[k];
        if (p->loop[d - 1] && (label == p->merge[d - 1] || label == p->cont[d - 1])) {
            line(p);
            text_add(p->out, "%s", label == p->merge[d - 1] ? "break" : "continue");
            if (!inner_loop)
                text_add(p->out, " // of an outer loop");
            text_add(p->out, "\n");
            return;
        }
        if (!p->loop[d - 1] && label == p->merge[d - 1]) {
            line(p);
            text_add(p->out, "leave\n");
            return;
        }
    }
    uint32_t b = p->m->block_of[label];
    if (b == UINT32_MAX || p->done[b]) {
        line(p);
        text_add(p->out, "goto x%u\n", label);
        return;
    }
    print_from(p, label, stop);
}

static void push(struct printer *p, uint32_t merge, uint32_t cont, bool loop)
{
    p->merge[p->depth] = merge;
    p->cont[p->depth] = cont;
    p->loop[p->depth++] = loop;
    p->indent++;
}

static void pop(struct printer *p)
{
    p->depth--;
    p->indent--;
    line(p);
}

static void branch(struct printer *p, const struct spv_inst *i, uint32_t merge, uint32_t stop)
{
    if (i->op == SpvOpBranch) {
        go(p, i->v[0], stop);
    } else if (i->op == SpvOpBranchConditional && i->v[1] != i->v[2]) {
        uint32_t yes = i->v[1], no = i->v[2], end = merge ? merge : stop;
        bool swap = yes == end && no != end;
        line(p);
        text_add(p->out, swap ? "if (!(" : "if (");
        value(p, i->v[0], 0);
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
        uint32_t lit = t && t->op == SpvOpTypeInt && t->v[0] > 32 ? 2 : 1, end = merge ? merge : stop;
        line(p);
        text_add(p->out, "switch (");
        value(p, i->v[0], 0);
        text_add(p->out, ") {\n");
        for (uint32_t k = 2;; k += lit + 1) {
            bool is_default = k + lit >= i->n;
            uint32_t label = is_default ? i->v[1] : i->v[k + lit];
            bool shared = false; // with the label before it
            line(p);
            if (is_default)
                text_add(p->out, "default:\n");
            else
                text_add(p->out, "case %u:\n", i->v[k]);
            if (!is_default && k + lit + lit + 1 < i->n)
                shared = i->v[k + lit + lit + 1] == label;
            if (!shared && label != end) {
                uint32_t next = is_default || k + lit + lit + 1 >= i->n ? i->v[1] : i->v[k + lit + lit + 1];
                uint32_t b = p->m->block_of[label];
                push(p, end, 0, false);
                if (b != UINT32_MAX && !p->done[b])
                    print_from(p, label, is_default ? end : next);
                p->depth--;
                p->indent--;
            }
            if (is_default)
                break;
        }
        line(p);
        text_add(p->out, "}\n");
    } else if (i->op == SpvOpReturnValue) {
        line(p);
        text_add(p->out, "return ");
        value(p, i->v[0], 0);
        text_add(p->out, "\n");
    } else if (i->op == SpvOpBranchConditional) {
        go(p, i->v[1], stop);
    } else {
        line(p);
        const char *n = spv_op_name(i->op) + 2;
        text_add(p->out, "%s\n", i->op == SpvOpReturn ? "return" : n);
    }
}

static void body(struct printer *p, const struct spv_block *b)
{
    for (uint32_t k = b->first; k < b->last; k++)
        instruction(p, &p->m->insts[k]);
}

// Blocks from `label` on until one that was printed or `stop`, which is not.
static void print_from(struct printer *p, uint32_t label, uint32_t stop)
{
    while (label && label != stop) {
        uint32_t at = label < p->m->bound ? p->m->block_of[label] : UINT32_MAX;
        if (at == UINT32_MAX || p->done[at] || p->depth + 2 >= DEPTH_MAX)
            return;
        p->done[at] = true;
        const struct spv_block *b = &p->m->blocks[at];
        const struct spv_inst *end = &p->m->insts[b->last];
        const struct spv_inst *merge = b->merge ? &p->m->insts[b->merge] : NULL;
        if (merge && merge->op == SpvOpLoopMerge) {
            uint32_t cont = merge->v[1], cb = p->m->block_of[cont];
            line(p);
            text_add(p->out, "loop {\n");
            push(p, merge->v[0], cont, true);
            body(p, b);
            branch(p, end, 0, cont);
            if (cb != UINT32_MAX && !p->done[cb]) {
                line(p);
                text_add(p->out, "continuing:\n");
                p->cont[p->depth - 1] = label; // from here on the way back is the header
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
        // A literal that looks like an id makes a value seem used twice: it gets a line.
    }
}

void tri_pseudo(struct arena *a, const struct spv_module *m, struct text *out)
{
    struct printer p = {.a = a, .m = m, .out = out,
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
        name(&p, fn->id);
        text_add(out, "(");
        bool any = false;
        for (uint32_t k = fn->first; k < fn->last; k++)
            if (m->insts[k].op == SpvOpFunctionParameter) {
                text_add(out, "%s", any ? ", " : "");
                any = true;
                name(&p, m->insts[k].result);
            }
        text_add(out, ") {\n");
        p.indent = 1;
        p.depth = 0;
        print_from(&p, m->blocks[fn->block_first].label, 0);
        text_add(out, "}\n");
    }
}
