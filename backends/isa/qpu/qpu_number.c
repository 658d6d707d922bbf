// SPDX-License-Identifier: Apache-2.0
//
// Finds the numbers that VIR prints as "-nan", as it does each of -16 to -1. Two texts show them:
// the VIR before, where such a number is loaded into a register, and the machine code.
#include "qpu_reader.h"

#include <string.h>

enum { OPERANDS = 4 };
static const char no_number[] = "-nan";

struct operation {
    struct word name, operand[OPERANDS]; // destination first
    uint32_t n;
};

// Splits "xor.pushz null, t57, 2; thrsw (0x00000001 / 0.0)".
static struct operation split(struct word t)
{
    static const char own[] = "umul24_rtop0";
    struct operation o = {0};
    t = qpu_take(&t, ';');
    t = qpu_trimmed(qpu_take(&t, '('));
    o.name = qpu_take(&t, ' ');
    if (word_is(o.name, own)) // the machine's code has one name
        o.name.n = strlen("umul24");
    while (t.n && o.n < OPERANDS)
        o.operand[o.n++] = qpu_trimmed(qpu_take(&t, ','));
    return o;
}

static bool same(struct word a, struct word b)
{
    return a.n == b.n && memcmp(a.s, b.s, a.n) == 0;
}

static bool same_kind(const struct operation *a, const struct operation *b)
{
    return a->n == b->n && same(a->name, b->name);
}

static bool is_low(uint32_t v)
{
    return v > UINT32_MAX - 16;
}

// ---- the VIR before ----------------------------------------------------------------

// Returns the number of -16 to -1 that the only definition of a register loads,
// "nop t5; ldunif (0xfffffff0 /"; 0: none.
static uint32_t loaded(const char *text, struct word name)
{
    static const char load[] = "; ldunif (";
    uint32_t found = 0;
    struct word t;
    while (text_line(&text, &t)) {
        const struct word line = qpu_trimmed(t);
        const struct operation o = split(line);
        if (!o.n || !same(o.operand[0], name))
            continue;
        const size_t k = (size_t)(o.operand[0].s + o.operand[0].n - line.s);
        struct word rest = word_after(line, k);
        uint64_t v;
        if (found || !word_is(o.name, "nop") || !word_starts(rest, load))
            return 0;
        rest = word_after(rest, strlen(load));
        const struct word number = qpu_take(&rest, ' ');
        if (!parse_u64(number.s, number.n, &v))
            return 0;
        found = (uint32_t)v;
    }
    return is_low(found) ? found : 0;
}

// Counts the lines up to `last` with this operation, destination and number of operands.
static uint32_t count_like(const char *text, uint32_t last, const struct operation *o)
{
    uint32_t found = 0;
    struct word t;
    for (uint32_t line = 1; line <= last && text_line(&text, &t); line++) {
        const struct operation other = split(qpu_trimmed(t));
        found += same_kind(&other, o) && same(other.operand[0], o->operand[0]);
    }
    return found;
}

// The number of operand `k`, where the same operation has the same destination in the VIR before: a
// register is in its place that is loaded with a number. Of several such lines, all have the same
// one, or it is that in the same place among as many. 0: it is not known.
static uint32_t in_same_operation(const struct qpu_vir_texts *x, uint32_t line,
                                  const struct operation *o, uint32_t k)
{
    uint32_t all = 0, own = 0, seen = 0;
    bool differ = false;
    struct word t;
    const uint32_t place = count_like(x->text, line, o);
    for (const char *at = x->before; at && text_line(&at, &t);) {
        const struct operation other = split(qpu_trimmed(t));
        if (!same_kind(&other, o) || !same(other.operand[0], o->operand[0]))
            continue;
        const uint32_t one = loaded(x->before, other.operand[k]);
        own = ++seen == place ? one : own;
        differ |= !one || (seen > 1 && one != all);
        all = one;
    }
    return !differ ? all : seen == count_like(x->text, UINT32_MAX, o) ? own : 0;
}

// The numbers that any operation with this destination has in the VIR before, as bits: 1 << 0 for
// -1, 1 << 15 for -16.
static uint32_t with_destination(const char *before, struct word to)
{
    uint32_t bits = 0;
    struct word t;
    for (const char *at = before; at && text_line(&at, &t);) {
        const struct operation o = split(qpu_trimmed(t));
        if (!o.n || !same(o.operand[0], to))
            continue;
        for (uint32_t k = 1; k < o.n; k++) {
            const uint32_t v = loaded(before, o.operand[k]);
            bits |= v ? 1u << ~v : 0;
        }
    }
    return bits;
}

// ---- the machine code --------------------------------------------------------------

// Takes the number of the instruction off the machine code's line "0x38402187bb03f002 eidx rf7".
static struct word without_bits(struct word line)
{
    line = qpu_trimmed(line);
    if (word_starts(line, "0x"))
        qpu_take(&line, ' ');
    return qpu_trimmed(line);
}

static uint32_t branches(const char *text)
{
    uint32_t n = 0;
    struct word t;
    while (text_line(&text, &t))
        n += qpu_is_branch(without_bits(t));
    return n;
}

// The number -16 to -1 as a bit, see with_destination; 0: it is none.
static uint32_t low_bit(struct word t)
{
    uint32_t v;
    return t.n > 1 && *t.s == '-' && parse_u32(t.s + 1, t.n - 1, &v) && v >= 1 && v <= 16
               ? 1u << (v - 1)
               : 0;
}

// Counts of each of the numbers: [0] of -1, [15] of -16.
struct tally {
    uint32_t of[16];
};

static uint32_t sum(const struct tally *x)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < 16; i++)
        n += x->of[i];
    return n;
}

static void tally_add(struct tally *out, uint32_t bits)
{
    for (uint32_t i = 0; i < 16; i++)
        out->of[i] += bits >> i & 1;
}

// Counts the numbers in place `k` of the operation, in the machine code after `part` branches. A
// branch takes effect after three more instructions, which belong to what is before it.
static struct tally in_machine(const char *text, uint32_t part, const struct operation *o,
                               uint32_t k)
{
    enum { SLOTS = 3 };
    struct tally out = {0};
    uint32_t here = 0, slots = 0;
    struct word t;
    while (text_line(&text, &t)) {
        if (!word_starts(qpu_trimmed(t), "0x"))
            continue;
        t = without_bits(t);
        here += slots == 1;
        slots = qpu_is_branch(t) ? SLOTS + 1 : slots ? slots - 1 : 0;
        for (int alu = 0; alu < 2 && here == part; alu++) {
            const struct operation other = split(t);
            if (same_kind(&other, o))
                tally_add(&out, low_bit(other.operand[k]));
            qpu_take(&t, ';');
        }
    }
    return out;
}

// The number of operand `k`, where both texts show it although the VIR before has another
// operation. Between two branches, the machine code has the numbers of all operations of this kind.
// Each one's destination has a number in the VIR before. Either those are the same numbers, as
// often; or the machine code has one alone, as often as there are operations, and each destination
// has it too. 0: it is not known.
static uint32_t in_both(const struct qpu_vir_texts *x, uint32_t line, const struct operation *o,
                        uint32_t k)
{
    struct tally before = {0};
    uint32_t part = 0, here = 0, number = 0, operations = 0, own = 0, all = UINT32_MAX;
    bool one_each = true;
    struct word t;
    if (!x->before || !x->machine || branches(x->text) != branches(x->machine))
        return 0;
    for (const char *at = x->text; ++number < line && text_line(&at, &t);)
        part += qpu_is_branch(qpu_trimmed(t));
    number = 0;
    for (const char *at = x->text; here <= part && text_line(&at, &t);) {
        const struct operation other = split(qpu_trimmed(t));
        number++;
        if (here == part && same_kind(&other, o) && word_is(other.operand[k], no_number)) {
            const uint32_t bits = with_destination(x->before, other.operand[0]);
            operations++;
            all &= bits;
            own = number == line ? bits : own;
            one_each &= bits && !(bits & (bits - 1));
            tally_add(&before, bits);
        }
        here += qpu_is_branch(qpu_trimmed(t));
    }
    const struct tally machine = in_machine(x->machine, part, o, k);
    if (own && one_each && memcmp(&machine, &before, sizeof before) == 0)
        return ~(uint32_t)__builtin_ctz(own);
    for (uint32_t i = 0; i < 16; i++)
        if (machine.of[i])
            return machine.of[i] == operations && all >> i & 1 && sum(&machine) == operations ? ~i
                                                                                              : 0;
    return 0;
}

struct word qpu_with_numbers(struct arena *a, const struct qpu_vir_texts *x, uint32_t line,
                             struct word t)
{
    const struct operation o = split(t);
    for (uint32_t k = 1; k < o.n; k++) {
        if (!word_is(o.operand[k], no_number))
            continue;
        uint32_t number = in_same_operation(x, line, &o, k);
        if (!number)
            number = in_both(x, line, &o, k);
        if (!number)
            continue;
        const char *after = o.operand[k].s + o.operand[k].n;
        const char *s = arena_printf(a, "%.*s%d%.*s", (int)(o.operand[k].s - t.s), t.s,
                                     (int32_t)number, (int)(t.s + t.n - after), after);
        return qpu_with_numbers(a, x, line, (struct word){s, strlen(s)});
    }
    return t;
}
