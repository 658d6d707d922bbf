// SPDX-License-Identifier: Apache-2.0
//
// Prints an instruction's word as ir3's disassembler does. Its operations are those that Turnip
// compiles the generator's programs to. Each bit of a word must be one that was read here or 0:
// everything else is not known.
//
// Mesa's src/freedreno/isa/ir3-cat*.xml describes the encoding. An instruction belongs to one of
// eight categories, by its upper three bits.
#include "ir3.h"

#include <stdio.h>
#include <stdlib.h>

struct line {
    uint64_t word, used; // bits that were read
    uint32_t at, count, target;
    char *out, *end;
    bool known, half; // half: the last type
};

// ---- bits and text -----------------------------------------------------------

static uint32_t take(struct line *l, uint32_t low, uint32_t n)
{
    const uint64_t mask = (UINT64_C(1) << n) - 1;
    l->used |= mask << low;
    return (uint32_t)(l->word >> low & mask);
}

static int32_t take_signed(struct line *l, uint32_t low, uint32_t n)
{
    const uint32_t v = take(l, low, n), sign = 1u << (n - 1);
    return (int32_t)((int64_t)(v ^ sign) - sign);
}

static void put(struct line *l, const char *s)
{
    for (; *s && l->out < l->end; s++)
        *l->out++ = *s;
    l->known &= !*s;
}

static void put_if(struct line *l, uint32_t bit, const char *s)
{
    if (bit)
        put(l, s);
}

static void put_number(struct line *l, int64_t v)
{
    char digits[24], *s = digits + sizeof digits - 1;
    uint64_t left = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    *s = 0;
    do
        *--s = (char)('0' + left % 10);
    while (left /= 10);
    put_if(l, v < 0, "-");
    put(l, s);
}

static void put_hex(struct line *l, uint32_t v)
{
    char digits[16];
    snprintf(digits, sizeof digits, "0x%x", v);
    put(l, digits);
}

// The name of row `i`; a row without a name is not known.
static void put_name(struct line *l, const char *const *name, uint32_t i)
{
    if (name[i])
        put(l, name[i]);
    else
        l->known = false;
}

// "+4", or nothing for 0.
static void put_offset(struct line *l, int32_t v)
{
    put_if(l, v > 0, "+");
    if (v)
        put_number(l, v);
}

// An instruction with an offset of 0 has none.
static void own_offset(struct line *l, uint32_t v)
{
    l->known &= v != 0;
    put_offset(l, (int32_t)v);
}

// A register is four times its number, plus its component. 61 and 62 are addresses, predicates.
enum { ADDRESS = 61, PREDICATE = 62 };

static void put_place(struct line *l, const char *file, uint32_t v)
{
    put(l, file);
    put_number(l, v / 4);
    put(l, (const char[3]){'.', "xyzw"[v % 4], 0});
}

static void put_register(struct line *l, uint32_t v, bool half)
{
    put_if(l, half, "h");
    l->known &= v / 4 != ADDRESS;
    if (v / 4 == PREDICATE)
        put_place(l, "p", v % 4); // there is p0 alone
    else
        put_place(l, "r", v);
}

static void put_constant(struct line *l, uint32_t v, bool half)
{
    put_if(l, half, "h");
    put_place(l, "c", v);
}

static const char *const types[8] = {"f16", "f32", "u16", "u32", "s16", "s32", "u8"};

static bool is_half(uint32_t type)
{
    return type % 2 == 0;
}

// Prints a pattern, in which a bit's number follows each letter:
//   %r  a register       %h  the same, half if the type says so     %d:N  a number of N bits
//   %p  one more than a number of two bits    %+:N  a signed offset of N bits
//   %t  a type           %P  a predicate of two bits                %?{text}  text, if the bit is
//   set
//   %=  nothing: the bit must be set                                %.  nothing: any bit
static void say(struct line *l, const char *pattern)
{
    for (const char *s = pattern; *s;) {
        if (*s != '%') {
            put(l, (const char[2]){*s++, 0});
            continue;
        }
        const char letter = s[1];
        char *end;
        const uint32_t low = (uint32_t)strtoul(s + 2, &end, 10),
                       n = *end == ':' ? (uint32_t)strtoul(end + 1, &end, 10) : 1;
        s = end;
        switch (letter) {
        case 'r':
        case 'h':
            put_register(l, take(l, low, 8), letter == 'h' && l->half);
            break;
        case 'd':
            put_number(l, take(l, low, n));
            break;
        case 'P':
            put_place(l, "p", take(l, low, 2));
            break;
        case '?':
            for (s++; *s != '}'; s++)
                put_if(l, take(l, low, 1), (const char[2]){*s, 0});
            s++;
            break;
        case 'p':
            put_number(l, take(l, low, 2) + 1);
            break;
        case '+':
            put_offset(l, take_signed(l, low, n));
            break;
        case 't':
            l->half = is_half(take(l, low, 3));
            put_name(l, types, take(l, low, 3));
            break;
        default:
            l->known &= take(l, low, 1) || letter == '.';
        }
    }
}

// ---- marks ---------------------------------------------------------------------

#define MARKS     "%?60{(sy)}%?44{(ss)}%?59{(jp)}"
#define MARKS_EQ  "%?60{(sy)}%?44{(ss)}%?48{(eq)}%?59{(jp)}"
#define MARKS_FEW "%?60{(sy)}%?59{(jp)}"

static void repeat(struct line *l, uint32_t n)
{
    if (n)
        put(l, (const char[7]){'(', 'r', 'p', 't', (char)('0' + n), ')'});
}

// Bits `a` and `b` are (r) of two sources; without repetitions they are a delay.
static bool repeats_or_waits(struct line *l, uint32_t a, uint32_t b)
{
    const uint32_t n = take(l, 40, 2), wait = take(l, a, 1) | take(l, b, 1) << 1;
    if (n || !wait) {
        repeat(l, n);
        return n > 0;
    }
    put(l, "(nop");
    put_number(l, wait);
    put(l, ") ");
    return false;
}

// ---- category 0: control flow --------------------------------------------------

static void target(struct line *l)
{
    const int64_t at = (int64_t)l->at + take_signed(l, 0, 32);
    l->known &= at >= 0 && at < l->count;
    l->target = (uint32_t)at;
    put(l, "#l");
    put_number(l, at);
}

static void flow(struct line *l)
{
    static const char *const branch[8] = {"br ", "brao ", "braa ", NULL, "bany ", "ball "};
    static const char *const
        alone[32] = {[0] = "nop",    [6] = "end",    [24] = "shpe",
                     [29] = "predt", [30] = "predf", [31] = "prede"},
        *const jump[32] = {[2] = "jump ", [20] = "getlast.w", [21] = "getone ", [23] = "shps "};
    const uint32_t code = take(l, 55, 4) | take(l, 49, 1) << 4;
    if (code == 1) {
        const uint32_t kind = take(l, 37, 3);
        say(l, MARKS_EQ);
        put_name(l, branch, kind);
        say(l, kind == 1 || kind == 2 ? "%?52{!}%P53, %?45{!}%P46, " : "%?52{!}%P53, ");
        target(l);
    } else if (jump[code]) {
        say(l, MARKS);
        put(l, jump[code]);
        if (code == 20) {
            put_number(l, 2 << take(l, 52, 3));
            put(l, " ");
        }
        target(l);
    } else {
        say(l, MARKS_EQ "%?32{(eolm)}%?33{(eogm)}");
        repeat(l, take(l, 40, 3));
        put_name(l, alone, code);
    }
}

// ---- category 1: moves -----------------------------------------------------------

static void number_of_type(struct line *l, uint32_t type, uint32_t v)
{
    l->known &= type > 1 && (type != 4 || v <= UINT16_MAX); // not a float
    if (type == 3 && v > 0x1000)
        put_hex(l, v);
    else
        put_number(l, type == 4 ? (int16_t)v : type == 5 ? (int32_t)v : (int64_t)v);
}

static void move_source(struct line *l, uint32_t kind, uint32_t type)
{
    const bool half = is_half(type), steps = take(l, 43, 1);
    switch (kind) {
    case 0:
        put_if(l, take(l, 10, 1), "(last)");
        put_if(l, steps, "(r)");
        put_register(l, take(l, 0, 8), half);
        break;
    case 1:
        put_if(l, steps, "(r)");
        put_constant(l, take(l, 0, 11), half);
        break;
    case 2:
        l->known &= !steps;
        number_of_type(l, type, take(l, 0, 32));
        break;
    default:
        l->known = false;
    }
}

static void move(struct line *l)
{
    const uint32_t code = take(l, 57, 2), to = take(l, 46, 3), from = take(l, 50, 3),
                   kind = take(l, 53, 2), n = take(l, 40, 2);
    const bool lane = code == 0 && kind == 0 && l->word >> 31 & 1;
    say(l, MARKS);
    if (code == 3) {
        l->known &= to == 3 && from == 3 && kind == 0;
        put(l, "movmsk.w");
        put_number(l, 32 * (n + 1));
        say(l, " %r32");
        return;
    }
    l->known &= code == 0 || (code == 2 && n == 0 && kind == 0);
    repeat(l, n);
    put(l, code == 2 ? "swz." : lane ? "movs." : to != from ? "cov." : "mov.");
    put_name(l, types, from);
    put_name(l, types, to);
    put(l, " ");
    put_register(l, take(l, 32, 8), is_half(to));
    put(l, ", ");
    if (code == 2) {
        put_register(l, take(l, 16, 8), is_half(to));
        l->half = is_half(from);
        say(l, ", %h0, %h8");
        return;
    }
    move_source(l, kind, from);
    if (lane)
        say(l, "%=31, %d23:7");
}

// ---- category 2: one or two sources ------------------------------------------------

// A bit says that the result has the other width than the sources. Instead of addresses, the
// uniform ALU writes predicates.
static void result(struct line *l, bool full)
{
    const uint32_t v = take(l, 32, 8);
    const bool half = v < 4 * PREDICATE && full == (take(l, 46, 1) != 0);
    if (v / 4 == ADDRESS)
        put_place(l, half ? "hup" : "up", v % 4);
    else
        put_register(l, v, half);
}

static void source(struct line *l, uint32_t low, bool full, bool steps)
{
    static const char *const sign[4] = {"", "(neg)", "(abs)", "(absneg)"};
    const uint32_t kind = take(l, low + 11, 3), modifier = take(l, low + 14, 2);
    if (kind == 0)
        put_if(l, take(l, low + 10, 1), "(last)");
    put(l, sign[modifier]);
    put_if(l, steps, "(r)");
    switch (kind) {
    case 0:
        put_register(l, take(l, low, 8), !full);
        break;
    case 2:
        put_constant(l, take(l, low, 11), !full);
        break;
    case 4:
        put_if(l, !full, "h(");
        put_number(l, take_signed(l, low, 11));
        put_if(l, !full, ")");
        break;
    default:
        l->known = false;
    }
}

static void two_sources(struct line *l)
{
    static const char *const two[64] = {
        [0] = "add.f",    [1] = "min.f",    [2] = "max.f",   [3] = "mul.f",  [16] = "add.u",
        [17] = "add.s",   [18] = "sub.u",   [19] = "sub.s",  [22] = "min.u", [23] = "min.s",
        [24] = "max.u",   [25] = "max.s",   [28] = "and.b",  [29] = "or.b",  [31] = "xor.b",
        [48] = "mul.u24", [49] = "mul.s24", [50] = "mull.u", [54] = "shl.b", [55] = "shr.b",
        [56] = "ashr.b",  [59] = "getbit.b"};
    static const char *const one[64] = {
        [26] = "absneg.s", [30] = "not.b", [51] = "bfrev.b", [53] = "clz.b", [61] = "cbits.b"};
    static const char *const compare[64] = {[5] = "cmps.f", [20] = "cmps.u", [21] = "cmps.s"};
    static const char *const condition[8] = {".lt", ".le", ".gt", ".ge", ".eq", ".ne"};
    const uint32_t code = take(l, 53, 6);
    const bool full = take(l, 52, 1);
    say(l, MARKS);
    const bool steps = repeats_or_waits(l, 43, 51);
    if (compare[code]) {
        put(l, compare[code]);
        put_name(l, condition, take(l, 48, 3));
    } else {
        put_name(l, two[code] ? two : one, code);
    }
    put(l, " ");
    if (!compare[code])
        put_if(l, take(l, 42, 1), "(sat)");
    result(l, full);
    put(l, ", ");
    source(l, 0, full, steps && l->word >> 43 & 1);
    if (one[code]) {
        l->known &= !(steps && l->word >> 51 & 1);
        return;
    }
    put(l, ", ");
    source(l, 16, full, steps && l->word >> 51 & 1);
}

// ---- category 3: three sources -------------------------------------------------------

static void outer_source(struct line *l, uint32_t low, bool numbers, bool full)
{
    if (take(l, low + 12, 1)) {
        if (numbers)
            put_number(l, take(l, low, 12));
        else
            put_constant(l, take(l, low, 11), !full);
        return;
    }
    put_if(l, take(l, low + 10, 1), "(last)");
    put_register(l, take(l, low, 8), !full);
}

static void three_sources(struct line *l)
{
    static const char *const name[32] = {
        [3] = "madsh.m16 ", [4] = "mad.u24 ", [5] = "mad.s24 ", [6] = "mad.f16 ",
        [7] = "mad.f32 ",   [8] = "sel.b16 ", [9] = "sel.b32 ", [14] = "sad.s16 ",
        [15] = "sad.s32 ",  [24] = "shrm ",   [25] = "shlm ",   [26] = "shrg ",
        [27] = "shlg ",     [28] = "andg "};
    const bool numbers = take(l, 13, 1);
    const uint32_t code = take(l, 55, 4);
    const bool full = numbers ? take(l, 42, 1) : code != 6 && code != 8 && code != 14;
    say(l, MARKS);
    const bool steps = repeats_or_waits(l, 43, 15);
    put_name(l, name, code | (uint32_t)numbers << 4);
    if (!numbers)
        say(l, "%?42{(sat)}");
    result(l, full);
    say(l, steps ? ", %?14{(neg)}%?43{(r)}" : ", %?14{(neg)}");
    outer_source(l, 0, numbers, full);
    l->half = !full;
    say(l, steps ? ", %?30{(neg)}%?15{(r)}%h47, %?31{(neg)}%?29{(r)}"
                 : ", %?30{(neg)}%h47, %?31{(neg)}%?29{(r)}");
    outer_source(l, 16, numbers, full);
}

// ---- category 5: textures, values of other lanes ----------------------------------------

static void masked_result(struct line *l)
{
    static const char *const mask[16] = {NULL, "x",  "y",  "xy",  "z",  "xz",  "yz",  "xyz",
                                         "w",  "xw", "yw", "xyw", "zw", "xzw", "yzw", "xyzw"};
    say(l, " (%t44)(");
    put_name(l, mask, take(l, 40, 4));
    say(l, ")%h32, ");
}

static void texture(struct line *l)
{
    static const char *const quad[4] = {"brcst", "horiz", "vert", "diag"};
    const uint32_t code = take(l, 54, 5);
    const bool full = take(l, 0, 1);
    say(l, MARKS_FEW);
    if (code == 31) {
        const uint32_t kind = take(l, 19, 2), is_quad = take(l, 53, 1);
        put(l, is_quad ? "quad_shuffle." : "brcst.active.w");
        if (is_quad)
            put(l, quad[kind]);
        else
            put_number(l, 2 << kind);
        masked_result(l);
        put_register(l, take(l, 1, 8), !full);
        if (is_quad && kind == 0) {
            put(l, ", ");
            put_register(l, take(l, 9, 8), !full);
        }
        return;
    }
    // isam of a descriptor that is a number (6)
    l->known &= code == 0 && take(l, 29, 3) == 6;
    say(l, "isam%?50{.v}.base");
    put_number(l, take(l, 47, 1) | take(l, 19, 2) << 1);
    put_if(l, !take(l, 18, 1), ".1d");
    masked_result(l);
    put_register(l, take(l, 1, 8), !full);
    if (take(l, 53, 1))
        own_offset(l, take(l, 9, 8));
    say(l, "%=51, s#%d21:4, t#%d25:4");
}

// ---- category 6: memory -------------------------------------------------------------------

static const char *const atomics[16] = {"add", "sub", "xchg", NULL, NULL, "cmpxchg",
                                        "min", "max", "and",  "or", "xor"};

// What is the same since the first of these GPUs: local memory, constants.
static void old_memory(struct line *l)
{
    const uint32_t code = take(l, 54, 5);
    switch (code) {
    case 1:
        say(l, "%=0%=23ldl.%t49 %r32, l[%r14%+1:13], %d24:8");
        break;
    case 4: {
        const int32_t high = take_signed(l, 9, 5);
        say(l, "%.0%=23%=40stl.%t49 l[%r41");
        put_offset(l, high * 256 + (int32_t)take(l, 32, 8));
        say(l, "], %r1, %d24:8");
        break;
    }
    case 28:
        say(l, "%.0%=23stc.%t49 c[%d32:8], %r1, %d24:3");
        break;
    default:
        l->known &= code >= 16;
        put(l, "atomic.");
        put_name(l, atomics, code & 15);
        say(l, "%=0.untyped.1d.%t49.1.l %r32, l[%r14], %r24");
    }
}

static void shuffle(struct line *l)
{
    static const char *const mode[8] = {NULL, "xor", "up", "down", NULL, NULL, "rup", "rdown"};
    l->known &= take(l, 54, 5) == 27;
    put(l, "shfl.");
    put_name(l, mode, take(l, 45, 3));
    say(l, ".%t49 %h32, %h1, ");
    say(l, take(l, 23, 1) ? "%d24:8" : "%r24");
}

// The descriptor is a number.
#define BUFFER "%=8.untyped.1d.%t49.%p12.imm.base%d1:3 "

static void buffer(struct line *l, uint32_t code, bool atomic, bool has_offset)
{
    if (atomic) {
        l->known &= code >= 16 && code < 32;
        put(l, "atomic.b.");
        put_name(l, atomics, code & 15);
        say(l, "%.0" BUFFER "%r32, %r24, %d41:8");
    } else if (code == 15) {
        say(l, "resinfo.b" BUFFER "%r32, %d41:8");
    } else {
        l->known &= code == 6 || code == 29;
        say(l, code == 6 ? "%.0ldib.b" BUFFER "%h32, %r24" : "stib.b" BUFFER "%h32, %r24");
        if (has_offset)
            own_offset(l, take(l, 4, 2) << 5 | take(l, 54, 5));
        say(l, ", %d41:8");
    }
    l->known &= !has_offset || (!atomic && code != 15);
}

static void memory(struct line *l)
{
    const uint32_t sort = take(l, 52, 2), more = (uint32_t)(l->word >> 20 & 15);
    say(l, MARKS_FEW);
    if (sort == 0) {
        old_memory(l);
    } else if (sort == 2 && (more & 7) == 0) {
        shuffle(l);
    } else {
        const uint32_t code = take(l, 14, 6);
        take(l, 20, 4);
        if (sort == 2 && more == 12 && code == 38) {
            say(l, "getfiberid.%t49 %r32");
            return;
        }
        l->known &= (more & 7) == 6 && sort != 1;
        buffer(l, code, sort == 3, more == 14);
    }
}

// ---- category 7: barriers ------------------------------------------------------------------

static void barrier(struct line *l)
{
    const uint32_t code = take(l, 55, 4);
    say(l, MARKS);
    switch (code) {
    case 0:
    case 1:
        say(l, code ? "%=49fence" : "%=49bar");
        say(l, "%?54{.g}%?53{.l}%?52{.r}%?51{.w}");
        break;
    case 7:
        say(l, "%=49%=54%?51{un}lock");
        break;
    case 8: { // of textures, 32 bits
        const uint32_t kind = take(l, 51, 2);
        l->known &= kind < 3;
        say(l, "%=48%=50alias.tex.b32.%d40:4 %r32, ");
        put_if(l, kind == 2, "(");
        if (kind == 0)
            say(l, "%r0");
        else if (kind == 1)
            put_constant(l, take(l, 0, 11), false);
        else
            put_hex(l, take(l, 0, 32));
        put_if(l, kind == 2, ")");
        break;
    }
    default:
        l->known = false;
    }
}

bool ir3_word_line(uint64_t word, uint32_t at, uint32_t count, char out[IR3_LINE], uint32_t *target)
{
    static void (*const category[8])(struct line *) = {flow, move,    two_sources, three_sources,
                                                       NULL, texture, memory,      barrier};
    struct line l = {.word = word,
                     .at = at,
                     .count = count,
                     .target = IR3_NO_TARGET,
                     .out = out,
                     .end = out + IR3_LINE - 1,
                     .known = true};
    const uint32_t k = take(&l, 61, 3);
    if (!category[k])
        return false;
    category[k](&l);
    *l.out = 0;
    *target = l.target;
    return l.known && !(word & ~l.used);
}
