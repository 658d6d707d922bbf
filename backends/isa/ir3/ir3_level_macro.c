// SPDX-License-Identifier: Apache-2.0
//
// Replaces ir3's macros by the instructions that its pass for subgroup operations writes for them
// (Mesa's pass that lowers subgroup operations, see README.md).
#include "ir3_level.h"

static uint32_t new_label(struct level_reader *l)
{
    return l->labels++;
}

static bool jump(struct level_reader *l, const struct ir3_line *at, uint32_t label)
{
    return ir3_level_branch(l, at, "jump", NULL, 0, label);
}

static bool move_number(struct level_reader *l, const struct ir3_line *at, struct word to,
                        bool half, uint32_t n)
{
    return ir3_level_copy(l, at, to, word_of(arena_printf(l->r.a, half ? "h(0x%x)" : "0x%x", n)),
                          half);
}

// Copies between registers of different widths.
static bool move(struct level_reader *l, const struct ir3_line *at, struct word to, bool to_half,
                 struct word from, bool from_half)
{
    struct ir3_line one = *at;
    one.repeat = 0;
    if (to_half == from_half)
        return ir3_level_copy(l, at, to, from, to_half);
    return ir3_level_add(l, &one, to_half ? "cov.u32u16" : "cov.u16u32", (struct word[]){to, from},
                         2);
}

// result = 0; if the branch leads on: result = 1. any, all: the same for all lanes.
static bool vote(struct level_reader *l, const struct ir3_line *at, const char *branch)
{
    const uint32_t then = new_label(l), end = new_label(l);
    struct word to, condition = {0};
    const bool half = at->value[0].half, elect = at->values == 1;
    if (!ir3_level_word(l, at, &at->value[0], 0, &to) ||
        (!elect && !ir3_level_word(l, at, &at->value[1], 0, &condition)) ||
        !move_number(l, at, to, half, 0))
        return false;
    if (elect ? !ir3_level_branch(l, at, branch, NULL, 0, end)
              : !ir3_level_branch(l, at, branch, &condition, 1, then) || !jump(l, at, end))
        return false;
    ir3_level_here(l, then, false);
    if (!move_number(l, at, to, half, 1))
        return false;
    ir3_level_here(l, end, elect);
    return true;
}

// The mask of the active lanes in which the condition holds.
static bool ballot(struct level_reader *l, const struct ir3_line *at)
{
    const uint32_t then = new_label(l), end = new_label(l);
    const struct ir3_value *to = &at->value[0];
    struct ir3_line one = *at;
    struct word w, condition;
    one.repeat = 0;
    if (to->half || !ir3_level_word(l, at, &at->value[1], 0, &condition))
        return level_refuse(l, at, "the operands of");
    for (uint32_t k = 0; k < to->count; k++)
        if (!ir3_level_word(l, at, to, k, &w) || !move_number(l, at, w, false, 0))
            return false;
    if (!ir3_level_branch(l, at, "br", &condition, 1, then) || !jump(l, at, end))
        return false;
    ir3_level_here(l, then, false);
    if (!ir3_level_word(l, at, to, 0, &w) ||
        !ir3_level_add(l, &one, arena_printf(l->r.a, "movmsk.w%u", 32 * to->count), &w, 1))
        return false;
    ir3_level_here(l, end, true);
    return true;
}

// Reads a lane: the first one, the first for which a condition holds, the last of the first
// cluster.
static bool read_lane(struct level_reader *l, const struct ir3_line *at, bool condition, bool last)
{
    const uint32_t then = new_label(l), end = new_label(l);
    const struct ir3_value *from = &at->value[1 + condition];
    struct word to, source, w;
    if (at->value[0].file != FILE_SHARED || !ir3_level_word(l, at, &at->value[0], 0, &to) ||
        !ir3_level_word(l, at, from, 0, &source))
        return level_refuse(l, at, "the operands of");
    if (condition && (!ir3_level_word(l, at, &at->value[1], 0, &w) ||
                      !ir3_level_branch(l, at, "br", &w, 1, then) || !jump(l, at, end)))
        return false;
    if (last && !ir3_level_branch(l, at, "getlast.w8", NULL, 0, end))
        return false;
    ir3_level_here(l, then, false);
    if (!move(l, at, to, at->value[0].half, source, from->half))
        return false;
    ir3_level_here(l, end, condition || last);
    return true;
}

// ---- scans over clusters ---------------------------------------------------

static bool combine(struct level_reader *l, const struct ir3_line *at, struct word op, bool half,
                    struct word to, struct word a, struct word b)
{
    struct ir3_line one = *at;
    one.repeat = 0;
    if (!is(op, "mul.u"))
        return ir3_level_add(l, &one, arena_strn(l->r.a, op.s, op.n), (struct word[]){to, a, b}, 3);
    if (half)
        return ir3_level_add(l, &one, "mul.s24", (struct word[]){to, a, b}, 3);
    return ir3_level_add(l, &one, "mull.u", (struct word[]){to, a, b}, 3) &&
           ir3_level_add(l, &one, "madsh.m16", (struct word[]){to, a, b, to}, 4) &&
           ir3_level_add(l, &one, "madsh.m16", (struct word[]){to, b, a, to}, 4);
}

// do {
//     scratch = sum; inclusive = source OP scratch; exclusive = other source OP scratch;
//     if (not the last of the first cluster) break;
//     sum = inclusive;
// } while (not the first lane);
static bool scan(struct level_reader *l, const struct ir3_line *at)
{
    const struct word op = after(at->op, strlen("scan_clusters.macro."));
    struct word name = op;
    const uint32_t body = new_label(l), end = new_label(l);
    const struct ir3_value *v = at->value, *src = v + at->dsts;
    const bool exclusive = at->values - at->dsts == 3, half = v[1].half;
    struct word sum, scratch, start, w[2], from[2];
    // "add.u.f16f16": the operation, then types without a meaning.
    for (size_t dots = 0, i = 0; i < op.n; i++)
        if (op.s[i] == '.' && ++dots == 2) {
            name.n = i;
            break;
        }
    // A full product has a register of its own for the sum so far.
    if (at->values < 2 || at->dsts != 2u + exclusive + (is(name, "mul.u") && !half) ||
        at->values - at->dsts != 2u + exclusive || v[0].file != FILE_SHARED || v[0].half ||
        v[1].file != FILE_OWN || src[1].half != half ||
        (exclusive && (v[2].half != half || src[2].half != half)))
        return level_refuse(l, at, "the operands of");
    if (!ir3_level_word(l, at, &v[0], 0, &sum) || !ir3_level_word(l, at, &src[0], 0, &start) ||
        !ir3_level_word(l, at, &v[1], 0, &w[0]) || !ir3_level_word(l, at, &src[1], 0, &from[0]) ||
        (exclusive &&
         (!ir3_level_word(l, at, &v[2], 0, &w[1]) || !ir3_level_word(l, at, &src[2], 0, &from[1]))))
        return false;
    // The sum so far is copied to the last result, which may be one of the others.
    if (!ir3_level_word(l, at, &v[at->dsts - 1], 0, &scratch) ||
        !ir3_level_copy(l, at, sum, start, false))
        return false;
    ir3_level_here(l, body, false);
    if (!move(l, at, scratch, half, sum, false) ||
        !combine(l, at, name, half, w[0], from[0], scratch) ||
        (exclusive && !combine(l, at, name, half, w[1], from[1], scratch)))
        return false;
    if (!ir3_level_branch(l, at, "getlast.w8", NULL, 0, end))
        return false;
    if (!move(l, at, sum, false, w[0], half) || !ir3_level_branch(l, at, "getone", NULL, 0, body))
        return false;
    ir3_level_here(l, end, true);
    return true;
}

bool ir3_level_is_macro(const struct ir3_line *at)
{
    for (size_t i = 0; i + 6 <= at->op.n; i++)
        if (memcmp(at->op.s + i, ".macro", 6) == 0)
            return true;
    return begins(at->op, "(null).");
}

// Is a value of this line used anywhere?
static bool is_used(const struct level_reader *l, const struct ir3_line *at)
{
    for (size_t i = 0; i < l->line.n; i++)
        for (uint32_t k = l->line.v[i].dsts; k < l->line.v[i].values; k++)
            if (l->line.v[i].value[k].kind == VALUE_RESULT &&
                l->line.v[i].value[k].id == at->value[0].id)
                return true;
    return false;
}

bool ir3_level_macro(struct level_reader *l, const struct ir3_line *at)
{
    const uint32_t n = at->values;
    if (!n)
        return level_refuse(l, at, "the form of");
    // The branch after it does what it says.
    if (begins(at->op, "shps.macro.") && n == 1 && at->value[0].kind == VALUE_RESULT &&
        !is_used(l, at))
        return true;
    if (begins(at->op, "elect.macro.") && n == 1)
        return vote(l, at, "getone");
    if (begins(at->op, "any.macro.") && n == 2)
        return vote(l, at, "bany");
    if (begins(at->op, "all.macro.") && n == 2)
        return vote(l, at, "ball");
    if (begins(at->op, "ballot.macro.") && n == 2)
        return ballot(l, at);
    if (begins(at->op, "read_first.macro.") && n == 2)
        return read_lane(l, at, false, false);
    if (begins(at->op, "read_cond.macro.") && n == 3)
        return read_lane(l, at, true, false);
    // Mesa's table of names lacks the macro that reads the last lane of a cluster.
    if (begins(at->op, "(null).") && n == 2)
        return read_lane(l, at, false, true);
    if (begins(at->op, "scan_clusters.macro.") && n >= 4)
        return scan(l, at);
    return level_refuse(l, at, "the operation");
}
