// SPDX-License-Identifier: Apache-2.0
//
// Prints the tree as pseudo-code. Names: p parameter, v variable, i loop counter, g Private
// variable, x value. `in` is the invocation's own input word, in[k] is the uniform input word k.
#include "tree_print.h"

#include "tree_form.h"

struct printer {
    const struct gen_program *p;
    const struct gen_function *f;
    struct text *out;
    uint32_t indent;
};

static void print_number(struct printer *t, uint32_t n)
{
    if (n < 4096)
        text_u32(t->out, n);
    else
        text_hex(t->out, n);
}

static void print_var(struct printer *t, uint32_t n)
{
    bool counter = n < t->f->vars.n && t->f->vars.v[n].counter;
    if (n < t->f->vars.n && t->f->vars.v[n].common)
        text_add(t->out, "g%u", t->f->vars.v[n].common - 1);
    else
        text_add(t->out, "%c%u", counter ? 'i' : 'v', n);
}

static void print_expr(struct printer *t, const struct gen_expr *e);

static void print_operand(struct printer *t, const struct gen_expr *e)
{
    bool plain = !e || e->kind < EXPR_ALU_FIRST || e->kind == EXPR_NOT || e->kind == EXPR_NEITHER;
    if (!plain)
        text_addn(t->out, "(", 1);
    print_expr(t, e);
    if (!plain)
        text_addn(t->out, ")", 1);
}

static void print_alu(struct printer *t, const struct gen_expr *e)
{
    const struct gen_alu *row = gen_alu(e->kind);
    if (row->arg[1] == TYPE_VOID) {
        text_add(t->out, "%s", row->text);
        print_operand(t, e->arg[0]);
        return;
    }
    print_operand(t, e->arg[0]);
    text_add(t->out, " %s ", row->text);
    print_operand(t, e->arg[1]);
    if (row->arg[2] != TYPE_VOID) {
        text_add(t->out, " : ");
        print_operand(t, e->arg[2]);
    }
}

static void print_expr(struct printer *t, const struct gen_expr *e)
{
    if (!e) { // a mistake in the tree; the checker prints such trees too
        text_add(t->out, "?");
        return;
    }
    switch (e->kind) {
    case EXPR_CONST:
        if (e->type == TYPE_BOOL)
            text_add(t->out, "%s", e->n ? "true" : "false");
        else
            print_number(t, e->n);
        break;
    case EXPR_LANE:
        text_add(t->out, "lane");
        break;
    case EXPR_LOCAL:
        text_add(t->out, "local");
        break;
    case EXPR_GLOBAL:
        text_add(t->out, "global");
        break;
    case EXPR_GROUP:
        text_add(t->out, "group");
        break;
    case EXPR_INPUT_OWN:
        text_add(t->out, "in");
        break;
    case EXPR_INPUT_AT:
        text_add(t->out, "in[%u]", e->n);
        break;
    case EXPR_PARAM:
        text_add(t->out, "p%u", e->n);
        break;
    case EXPR_VAR:
        print_var(t, e->n);
        break;
    case EXPR_VALUE:
        text_add(t->out, "x%u", e->n);
        break;
    case EXPR_INPUT_BY:
        text_add(t->out, "in[");
        print_operand(t, e->arg[0]);
        text_add(t->out, " & 15]");
        break;
    case EXPR_INPUT_HERE:
        text_add(t->out, "in[global]");
        break;
    case EXPR_SUBGROUP:
        text_add(t->out, "subgroup");
        break;
    case EXPR_UNDEF:
        text_add(t->out, "undefined");
        break;
    case EXPR_HELPER:
        text_add(t->out, "helper");
        break;
    case EXPR_FREE:
        text_add(t->out, "free");
        break;
    case EXPR_WORD:
        print_expr(t, e->arg[0]);
        text_add(t->out, ".%c", "xyzw"[e->n & 3]);
        break;
    default:
        print_alu(t, e);
    }
}

static void print_list(struct printer *t, const struct gen_expr *const *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            text_add(t->out, ", ");
        print_expr(t, v[i]);
    }
}

static void print_op(struct printer *t, const struct gen_stmt *s)
{
    text_add(t->out, "%s", gen_group_row(s->op.op)->text);
    if (s->op.as != AS_U32 || s->op.width > 1) {
        text_add(t->out, "<%s", s->op.as == AS_U32 ? "u32" : gen_as_row(s->op.as)->text);
        text_add(t->out, s->op.width > 1 ? "x%u>" : ">", s->op.width);
    }
    text_add(t->out, "(");
    for (int i = 0; i < 2 && s->op.arg[i]; i++) {
        if (i)
            text_add(t->out, ", ");
        print_expr(t, s->op.arg[i]);
    }
    static const char *const from[] = {"lane", "first active", "last active"};
    if (s->op.op == GROUP_SHUFFLE && s->op.source == FROM_XOR)
        text_add(t->out, ", lane ^ %u", s->op.n);
    else if (s->op.op == GROUP_SHUFFLE)
        text_add(t->out, ", %s", from[s->op.source]);
    else if (gen_group_moves(s->op.op) || gen_group_row(s->op.op)->group == OVER_CLUSTERED)
        text_add(t->out, ", %u", s->op.n);
    text_add(t->out, ")");
}

static void print_exchange(struct printer *t, const struct gen_stmt *s)
{
    const bool sum = s->exchange.how == MEET_SUM;
    text_add(t->out, "%s %s(", s->exchange.memory == MEMORY_SHARED ? "shared" : "heap",
             sum ? "sum" : "exchange");
    print_expr(t, s->exchange.expr);
    text_add(t->out, ", %s%u)", sum ? "" : "+", s->exchange.n);
}

static void print_control(struct printer *t, unsigned control, const char *one, const char *two)
{
    if (control)
        text_add(t->out, "[%s] ", control == 1 ? one : two);
}

static void print_loop_test(struct printer *t, const struct gen_stmt *s)
{
    bool bound = !gen_loop_bounds_itself(t->p, s);
    if (bound) {
        print_var(t, s->loop.counter);
        text_add(t->out, " < %u", s->loop.limit);
    }
    if (s->loop.cond) {
        text_add(t->out, bound ? " && " : "");
        print_operand(t, s->loop.cond);
    }
}

static void print_loop(struct printer *t, const struct gen_stmt *s)
{
    if (s->loop.control_n)
        text_add(t->out, "[%s %u] ",
                 s->loop.control == SpvLoopControlPeelCountMask      ? "peel"
                 : s->loop.control == SpvLoopControlPartialCountMask ? "partial"
                                                                     : "at most",
                 s->loop.control_n);
    else
        print_control(t, s->loop.control, "unroll", "dont-unroll");
    if (s->loop.form == LOOP_DO) {
        text_add(t->out, s->loop.single ? "do single" : "do");
        return;
    }
    text_add(t->out, s->loop.head_tests ? "head for (" : "for (");
    print_var(t, s->loop.counter);
    text_add(t->out, " = 0;");
    if (s->loop.form == LOOP_FOR) {
        text_add(t->out, " ");
        print_loop_test(t, s);
    }
    text_add(t->out, "; ");
    print_var(t, s->loop.counter);
    text_add(t->out, "++)");
}

// Prints the first line of a statement.
static void print_head(struct printer *t, const struct gen_stmt *s)
{
    static const char *const leave[] = {"break",  "continue",  "break switch",
                                        "return", "terminate", "kill"};
    switch (s->kind) {
    case STMT_LET:
        text_add(t->out, "x%u = ", s->value);
        print_expr(t, s->let.expr);
        break;
    case STMT_OP:
        text_add(t->out, "x%u = ", s->value);
        print_op(t, s);
        break;
    case STMT_SET:
        print_var(t, s->set.var);
        text_add(t->out, " = ");
        print_expr(t, s->set.expr);
        break;
    case STMT_LOG:
        text_add(t->out, "log #%u: ", s->log.site);
        print_list(t, s->log.expr, s->log.n);
        break;
    case STMT_IF:
        print_control(t, s->branch.control, "flatten", "dont-flatten");
        text_add(t->out, s->branch.bare ? "bare if (" : "if (");
        print_expr(t, s->branch.cond);
        text_add(t->out, ")");
        break;
    case STMT_LOOP:
        print_loop(t, s);
        break;
    case STMT_SWITCH:
        print_control(t, s->select.control, "flatten", "dont-flatten");
        text_add(t->out, "switch (");
        print_expr(t, s->select.selector);
        text_add(t->out, ")");
        break;
    case STMT_CALL: {
        const struct gen_function *callee =
            s->call.callee < t->f->index ? t->p->functions.v[s->call.callee] : NULL;
        if (callee && callee->has_result)
            text_add(t->out, "x%u = ", s->value);
        text_add(t->out, "f%u(", s->call.callee);
        print_list(t, s->call.arg, callee ? callee->param_count : 0);
        text_add(t->out, ")");
        break;
    }
    case STMT_EXCHANGE:
        text_add(t->out, "x%u = ", s->value);
        print_exchange(t, s);
        break;
    case STMT_ATOMIC:
        text_add(t->out, "heap[%d] %s= ", (int)s->atomic.op, gen_atomic_row(s->atomic.op)->text);
        print_expr(t, s->atomic.expr);
        break;
    case STMT_DEMOTE:
        text_add(t->out, "demote");
        break;
    case STMT_LEAVE:
        text_add(t->out, "%s", leave[s->leave.how]);
        if (s->leave.result) {
            text_add(t->out, " ");
            print_expr(t, s->leave.result);
        }
        break;
    case STMT_KINDS:
        break;
    }
}

static void print_line(struct printer *t)
{
    text_add(t->out, "%*s", (int)(4 * t->indent), "");
}

static void print_block(struct printer *t, const struct gen_block *b);

static void print_arm(struct printer *t, const struct gen_block *b, const char *end)
{
    text_add(t->out, " {\n");
    print_block(t, b);
    print_line(t);
    text_add(t->out, "}%s", end);
}

static void print_case(struct printer *t, const struct gen_stmt *s, uint32_t i)
{
    const struct gen_case *c = &s->select.at[i];
    print_line(t);
    for (uint32_t v = 0; v < 32; v++)
        if (c->labels >> v & 1)
            text_add(t->out, "case %u: ", v);
    if (i == s->select.default_at)
        text_add(t->out, "default: ");
    text_add(t->out, "{\n");
    print_block(t, &c->body);
    print_line(t);
    text_add(t->out, c->falls ? "} fall\n" : "}\n");
}

// Prints the phis, each with its two operands.
static void print_phis(struct printer *t, const struct gen_phi *phi, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        text_add(t->out, " x%u = phi(", phi[i].value);
        if (phi[i].a)
            print_expr(t, phi[i].a);
        else
            text_add(t->out, "-");
        text_add(t->out, " | ");
        if (phi[i].b)
            print_expr(t, phi[i].b);
        else
            text_add(t->out, "-");
        text_add(t->out, ")");
    }
}

static void print_block(struct printer *t, const struct gen_block *b)
{
    t->indent++;
    for (const struct gen_stmt *s = b->first; s; s = s->next) {
        print_line(t);
        print_head(t, s);
        if (s->kind == STMT_IF) {
            print_arm(t, &s->branch.then, s->branch.has_other ? " else" : "");
            if (s->branch.has_other)
                print_arm(t, &s->branch.other, "");
            print_phis(t, s->branch.phi, s->branch.phi_count);
        } else if (s->kind == STMT_LOOP) {
            print_phis(t, s->loop.phi, s->loop.phi_count);
            print_arm(t, &s->loop.body, "");
            if (s->loop.next.first) {
                text_add(t->out, " continue");
                print_arm(t, &s->loop.next, "");
            }
            if (s->loop.form == LOOP_DO) {
                text_add(t->out, " while (");
                print_var(t, s->loop.counter);
                text_add(t->out, "++, ");
                print_loop_test(t, s);
                text_add(t->out, ")");
            }
        } else if (s->kind == STMT_SWITCH) {
            text_add(t->out, " {\n");
            for (uint32_t i = 0; i < s->select.n; i++)
                print_case(t, s, i);
            print_line(t);
            text_add(t->out, "}");
        }
        text_add(t->out, "\n");
    }
    t->indent--;
}

static const char *type_name(enum gen_type type)
{
    return type == TYPE_BOOL ? "bool" : type == TYPE_U32 ? "u32" : "void";
}

static void print_function(struct printer *t, bool main)
{
    const struct gen_function *f = t->f;
    text_add(t->out, "\n%s ", type_name(f->has_result ? TYPE_U32 : TYPE_VOID));
    if (main)
        text_add(t->out, "main(");
    else
        text_add(t->out, "f%u(", f->index);
    for (uint32_t i = 0; i < f->param_count; i++)
        text_add(t->out, "%s%s p%u", i ? ", " : "", type_name(f->param[i]), i);
    text_add(t->out, ") {\n");
    for (uint32_t i = 0; i < f->vars.n; i++)
        if (!f->vars.v[i].counter && !f->vars.v[i].common)
            text_add(t->out, "    var v%u = %u\n", i, f->vars.v[i].first);
    print_block(t, &f->body);
    text_add(t->out, "}\n");
}

void gen_print(const struct gen_program *p, struct text *out)
{
    if (spv_stage_row(p->stage)->has_pixels)
        text_add(out, "%u x %u pixels%s", p->target[0], p->target[1],
                 p->full_quads ? " in full quads" : "");
    else
        text_add(out, "%u x %u invocations", p->groups, p->local_size);
    text_add(out, ", subgroup %u, %u input words, log rows of %u words%s%s\n", p->subgroup,
             p->input_words, p->row_words, p->digest ? " as a digest" : "",
             p->ssa      ? ", variables as values"
             : p->stored ? ", values in memory"
                         : "");
    for (uint32_t i = 0; i < p->commons.n; i++)
        text_add(out, "%svar g%u = %u\n", i ? "" : "\n", i, p->commons.v[i]);
    for (uint32_t i = 0; i < p->functions.n; i++) {
        struct printer t = {.p = p, .f = p->functions.v[i], .out = out};
        print_function(&t, i + 1 == p->functions.n);
    }
}

void gen_print_stmt(const struct gen_program *p, const struct gen_function *f,
                    const struct gen_stmt *s, struct text *out)
{
    print_head(&(struct printer){.p = p, .f = f, .out = out}, s);
}
