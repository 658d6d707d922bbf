// SPDX-License-Identifier: Apache-2.0
//
// Reads SASS for sm_75 to sm_90 as nvdisasm prints it: "/*0010*/ @!P0 OP.MOD dst, src ... ;",
// labels
// ".L_x_0:". Only the operations that ptxas emits for our own kernels, in the forms seen there; the
// rest is refused by name. README.md says what is inferred.
#include "cuda_sass.h"

#include "isa/isa_float.h"

#include <stdlib.h>

enum { SASS_MOST = 1 << 16 }; // instructions that a return can reach

// A predicate that is a destination; PT takes no value.
static struct nak_operand target(struct nak_operand p)
{
    return p.reg == PT ? cuda_none() : p;
}

// The value of a source that may be negated, in a form that cannot be.
static struct nak_operand plain(struct cuda_reader *r, struct nak_operand o)
{
    if (!o.neg)
        return o;
    const struct nak_operand t = cuda_new(r, 1);
    cuda_sum(r, t, cuda_none(), o, cuda_number(0), cuda_number(0));
    return t;
}

// ---- arithmetic ------------------------------------------------------------

static bool add(struct cuda_reader *r)
{
    struct nak_operand o[7];
    if (!sass_fits(r, " X "))
        return false;
    if (cuda_has(r, "X")) {
        if (!sass_operands(r, r->args == 6 ? "ruuupp" : "rpuuupp", o))
            return false;
        const uint32_t k = r->args - 5;
        CUDA_ADD(r, NAK_IADD3_X, o[0], k > 1 ? target(o[1]) : cuda_none(), cuda_none(), o[k],
                 o[k + 1], o[k + 2], o[k + 3], o[k + 4]);
        return true;
    }
    if (!sass_operands(r, r->args == 4 ? "ruuu" : "rpuuu", o))
        return false;
    const uint32_t k = r->args == 4 ? 1 : 2;
    cuda_sum(r, o[0], k > 1 ? target(o[1]) : cuda_none(), o[k], o[k + 1], o[k + 2]);
    return true;
}

static bool add_two(struct cuda_reader *r)
{
    struct nak_operand o[3];
    if (!sass_fits(r, " ") || !sass_operands(r, "ruu", o))
        return false;
    cuda_sum(r, o[0], cuda_none(), o[1], o[2], cuda_number(0));
    return true;
}

static bool multiply(struct cuda_reader *r)
{
    struct nak_operand o[5];
    if (!sass_fits(r, " MOV U32 SHL IADD WIDE HI X "))
        return false;
    if (cuda_has(r, "WIDE") || cuda_has(r, "HI")) {
        const bool high = cuda_has(r, "HI");
        if (!cuda_has(r, "U32") || !sass_operands(r, high ? "ruuq" : "2uuq", o))
            return cuda_refuse(r, "the operation", r->whole);
        const struct nak_operand to = high ? cuda_new(r, 2) : o[0];
        CUDA_ADD(r, NAK_IMAD64, to, plain(r, o[1]), plain(r, o[2]), o[3]);
        if (high)
            CUDA_ADD(r, NAK_MOV, o[0], cuda_part(to, 1));
        return !o[3].neg || cuda_refuse(r, "the operands of", r->whole);
    }
    if (!sass_operands(r, cuda_has(r, "X") ? "ruuup" : "ruuu", o))
        return false;
    for (int i = 1; i < 4; i++)
        o[i] = plain(r, o[i]);
    if (!cuda_has(r, "X")) {
        CUDA_ADD(r, NAK_IMAD, o[0], o[1], o[2], o[3]);
        return true;
    }
    const struct nak_operand t = cuda_new(r, 1);
    CUDA_ADD(r, NAK_IMAD, t, o[1], o[2], cuda_number(0));
    CUDA_ADD(r, NAK_IADD3_X, o[0], cuda_none(), cuda_none(), t, o[3], cuda_number(0), o[4],
             cuda_true(false));
    return true;
}

static bool compare(struct cuda_reader *r)
{
    static const char *const names[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
    struct nak_operand o[5];
    if (!sass_fits(r, " EQ NE LT LE GT GE U32 AND OR XOR ") || !sass_operands(r, "ppuup", o))
        return false;
    if (o[1].reg != PT)
        return cuda_refuse(r, "the second result of", r->whole);
    struct nak_inst *in =
        CUDA_ADD(r, NAK_ISETP, target(o[0]), plain(r, o[2]), plain(r, o[3]), o[4], cuda_none());
    for (uint32_t i = 0; i < 6; i++)
        if (cuda_has(r, names[i]))
            nak_modify(in, (enum nak_mod)(MOD_EQ + i));
    nak_modify(in, cuda_has(r, "U32") ? MOD_U32 : MOD_I32);
    nak_modify(in, cuda_has(r, "OR") ? MOD_OR : cuda_has(r, "XOR") ? MOD_XOR : MOD_AND);
    return in->cmp || cuda_refuse(r, "the operation", r->whole);
}

// A table of three inputs; its predicate says whether the result has a bit, or its source is true.
static bool logic(struct cuda_reader *r)
{
    struct nak_operand o[7];
    if (!sass_fits(r, " LUT ") || !sass_operands(r, r->args == 6 ? "ruuuip" : "pruuuip", o))
        return false;
    const uint32_t k = r->args - 6;
    struct nak_operand to = o[k];
    if (o[k + 4].value > 255 || o[k + 5].reg != PT || !o[k + 5].neg)
        return cuda_refuse(r, "the operands of", r->whole);
    if (k && to.kind == OPERAND_NONE)
        to = cuda_new(r, 1);
    cuda_lop(r, o[k + 4].value, to, o[k + 1], o[k + 2], o[k + 3]);
    if (k)
        cuda_compare(r, MOD_NE, MOD_U32, target(o[0]), to, cuda_number(0));
    return true;
}

static bool predicates(struct cuda_reader *r)
{
    struct nak_operand o[7];
    if (!sass_fits(r, " LUT ") || !sass_operands(r, "pppppii", o))
        return false;
    if (o[5].value > 255 || o[6].value > 255)
        return cuda_refuse(r, "the operands of", r->whole);
    CUDA_ADD(r, NAK_PLOP3, target(o[0]), target(o[1]), o[2], o[3], o[4], o[5], o[6]);
    return true;
}

// "P2R R4, PR, R5, 0x9": the bits of the number are those of the predicates, the others of R5.
static bool to_register(struct cuda_reader *r)
{
    struct nak_operand o[4];
    if (!sass_fits(r, " ") || !sass_operands(r, "r*ui", o))
        return false;
    if (!word_is(r->arg[1], "PR") || o[3].value >> PT || o[2].neg || o[0].kind == OPERAND_NONE)
        return cuda_refuse(r, "the operands of", r->whole);
    struct nak_operand sum = cuda_new(r, 1), bit = cuda_new(r, 1);
    cuda_lop(r, 0xc0, sum, o[2], cuda_number(~o[3].value), cuda_number(0));
    for (uint32_t k = 0; k < PT; k++)
        if (o[3].value >> k & 1) {
            struct nak_operand p = cuda_true(true);
            p.reg = k;
            CUDA_ADD(r, NAK_SEL, bit, p, cuda_number(1u << k), cuda_number(0));
            cuda_lop(r, 0xfc, sum, sum, bit, cuda_number(0));
        }
    CUDA_ADD(r, NAK_MOV, o[0], sum);
    return true;
}

// "R2P PR, R4, 0x9": the predicates of the number's bits are those of R4.
static bool from_register(struct cuda_reader *r)
{
    struct nak_operand o[3];
    if (!sass_fits(r, " ") || !sass_operands(r, "*ui", o))
        return false;
    if (!word_is(r->arg[0], "PR") || o[2].value >> PT || o[1].neg)
        return cuda_refuse(r, "the operands of", r->whole);
    const struct nak_operand bit = cuda_new(r, 1);
    for (uint32_t k = 0; k < PT; k++)
        if (o[2].value >> k & 1) {
            struct nak_operand p = cuda_true(true);
            p.reg = k;
            cuda_lop(r, 0xc0, bit, o[1], cuda_number(1u << k), cuda_number(0));
            cuda_compare(r, MOD_NE, MOD_U32, p, bit, cuda_number(0));
        }
    return true;
}

static bool shift(struct cuda_reader *r)
{
    struct nak_operand o[4];
    if (!sass_fits(r, " L R U32 S32 W HI ") || !sass_operands(r, "ruuu", o))
        return false;
    struct nak_inst *in =
        CUDA_ADD(r, NAK_SHF, o[0], plain(r, o[1]), plain(r, o[3]), plain(r, o[2]));
    nak_modify(in, cuda_has(r, "L") ? MOD_L : MOD_R);
    nak_modify(in, cuda_has(r, "S32") ? MOD_I32 : MOD_U32);
    if (cuda_has(r, "HI"))
        nak_modify(in, MOD_HI);
    if (cuda_has(r, "W"))
        nak_modify(in, MOD_W);
    return cuda_has(r, "S32") + cuda_has(r, "U32") == 1 ||
           cuda_refuse(r, "the operation", r->whole);
}

static bool shifted_sum(struct cuda_reader *r)
{
    struct nak_operand o[5];
    const bool high = cuda_has(r, "HI");
    if (!sass_fits(r, " HI ") || !sass_operands(r, high ? "ruuui" : "ruui", o))
        return false;
    const struct nak_operand upper = high ? plain(r, o[3]) : cuda_none();
    struct nak_inst *in =
        CUDA_ADD(r, NAK_LEA, o[0], cuda_none(), plain(r, o[1]), o[high ? 4 : 3], o[2], upper);
    if (high)
        nak_modify(in, MOD_HI);
    return true;
}

static bool choose(struct cuda_reader *r, bool extreme)
{
    struct nak_operand o[4];
    if (!sass_fits(r, extreme ? " U32 S32 " : " ") || !sass_operands(r, "ruup", o))
        return false;
    if (extreme)
        nak_modify(CUDA_ADD(r, NAK_IMNMX, o[0], plain(r, o[1]), plain(r, o[2]), o[3]),
                   cuda_has(r, "U32") ? MOD_U32 : MOD_I32);
    else
        CUDA_ADD(r, NAK_SEL, o[0], o[3], plain(r, o[1]), plain(r, o[2]));
    return true;
}

// The lesser (with a true predicate) of a sum and a third source, or the greater.
static bool extreme_of_sum(struct cuda_reader *r)
{
    struct nak_operand o[5];
    if (!sass_fits(r, " U32 ") || !sass_operands(r, "ruuup", o))
        return false;
    const struct nak_operand t = cuda_new(r, 1);
    cuda_sum(r, t, cuda_none(), o[1], o[2], cuda_number(0));
    nak_modify(CUDA_ADD(r, NAK_IMNMX, o[0], t, plain(r, o[3]), o[4]),
               cuda_has(r, "U32") ? MOD_U32 : MOD_I32);
    return true;
}

static bool one_source(struct cuda_reader *r, enum nak_id id, const char *mods)
{
    struct nak_operand o[2];
    if (!sass_fits(r, mods) || !sass_operands(r, "ru", o))
        return false;
    CUDA_ADD(r, id, o[0], id == NAK_POPC ? o[1] : plain(r, o[1]));
    return true;
}

// "HFMA2.MMA RD, -RZ, RZ, 1.5, 0": a constant of two halves, the upper one first.
static bool halves(struct cuda_reader *r)
{
    struct nak_operand o[5];
    uint32_t v = 0;
    if (!sass_fits(r, " MMA ") || !sass_operands(r, "ruu**", o))
        return false;
    if (o[1].kind != OPERAND_NUMBER || !o[1].neg || o[2].kind != OPERAND_NUMBER || o[1].value ||
        o[2].value)
        return cuda_refuse(r, "the operands of", r->whole);
    for (int i = 3; i < 5; i++) {
        char text[64], *end;
        snprintf(text, sizeof text, "%.*s", (int)r->arg[i].n, r->arg[i].s);
        const double d = strtod(text, &end);
        if (end == text || *end)
            return cuda_refuse(r, "the operands of", r->whole);
        v = v << 16 | ((uint32_t)isa_of_half(d) & 0xffff);
    }
    CUDA_ADD(r, NAK_MOV, o[0], cuda_number(v));
    return true;
}

static bool convert(struct cuda_reader *r, bool to_float)
{
    struct nak_operand o[2];
    if (!sass_fits(r, to_float ? " U32 RP " : " FTZ U32 TRUNC NTZ ") || !sass_operands(r, "ru", o))
        return false;
    struct nak_inst *in = CUDA_ADD(r, to_float ? NAK_I2F : NAK_F2I, o[0], plain(r, o[1]));
    in->o[1].type = to_float ? 'u' : 'f';
    nak_modify(in, to_float ? MOD_F32 : MOD_U32);
    nak_modify(in, to_float ? MOD_U32 : MOD_F32);
    if (to_float)
        nak_modify(in, MOD_RP);
    else
        nak_modify(in, MOD_RZ);
    return cuda_has(r, to_float ? "RP" : "TRUNC") || cuda_refuse(r, "the operation", r->whole);
}

// ---- moves and memory ------------------------------------------------------

static bool move(struct cuda_reader *r)
{
    struct nak_operand o[2];
    if (!sass_fits(r, " ") || !sass_operands(r, "ru", o))
        return false;
    CUDA_ADD(r, NAK_MOV, o[0], plain(r, o[1]));
    return true;
}

static bool special(struct cuda_reader *r)
{
    static const struct {
        const char *name;
        uint32_t number;
    } names[] = {{"SR_LANEID", 0x00},  {"SR_TID.X", 0x21},   {"SR_TID.Y", 0x22},
                 {"SR_TID.Z", 0x23},   {"SR_CTAID.X", 0x25}, {"SR_CTAID.Y", 0x26},
                 {"SR_CTAID.Z", 0x27}, {"SR_LTMASK", 0x39},  {"SR_LEMASK", 0x3a}};
    struct nak_operand o[2];
    if (!sass_fits(r, " ") || !sass_operands(r, "r*", o))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (word_is(r->arg[1], names[i].name)) {
            CUDA_ADD(r, NAK_S2R, o[0], cuda_number(names[i].number));
            return true;
        }
    return cuda_refuse(r, "the system register", r->arg[1]);
}

static bool zero_pair(struct cuda_reader *r)
{
    struct nak_operand o[2];
    if (!sass_fits(r, " ") || !sass_operands(r, "2*", o))
        return false;
    if (!word_is(r->arg[1], "SRZ") || o[0].kind == OPERAND_NONE)
        return cuda_refuse(r, "the operands of", r->whole);
    for (uint32_t k = 0; k < 2; k++)
        CUDA_ADD(r, NAK_MOV, cuda_part(o[0], k), cuda_number(0));
    return true;
}

static bool constant(struct cuda_reader *r)
{
    struct nak_operand o[2];
    const bool wide = cuda_has(r, "64");
    if (!sass_fits(r, " 64 ") || !sass_operands(r, wide ? "2u" : "ru", o))
        return false;
    if (o[1].kind != OPERAND_C || o[0].kind == OPERAND_NONE)
        return cuda_refuse(r, "the operands of", r->whole);
    nak_modify(CUDA_ADD(r, NAK_LDC, o[0], o[1]), wide ? MOD_B64 : MOD_B32);
    return true;
}

static bool memory(struct cuda_reader *r, bool load)
{
    struct nak_operand base, v;
    uint32_t offset;
    if (!sass_fits(r, " E SYS ") || r->args != 2 || !sass_address(r->arg[load], &base, &offset) ||
        !sass_source(r->arg[!load], 1, &v) || v.neg)
        return cuda_refuse(r, "the operands of", r->whole);
    if (load)
        cuda_load(r, v.kind == OPERAND_NUMBER ? cuda_none() : v, base, offset);
    else
        cuda_store(r, base, offset, v);
    return true;
}

// ---- lanes -----------------------------------------------------------------

static bool vote(struct cuda_reader *r)
{
    struct nak_operand o[3];
    if (!sass_fits(r, " ANY ALL EQ ") || !sass_operands(r, r->args == 2 ? "pp" : "rpp", o))
        return false;
    const uint32_t k = r->args - 2;
    struct nak_inst *in = CUDA_ADD(r, NAK_VOTE, k ? o[0] : cuda_none(), target(o[k]), o[k + 1]);
    nak_modify(in, cuda_has(r, "ALL") ? MOD_ALL : cuda_has(r, "EQ") ? MOD_EQ : MOD_ANY);
    return true;
}

static bool shuffle(struct cuda_reader *r)
{
    struct nak_operand o[5];
    if (!sass_fits(r, " IDX UP DOWN BFLY ") || !sass_operands(r, "pruuu", o))
        return false;
    struct nak_inst *in = CUDA_ADD(r, NAK_SHFL, o[1], target(o[0]), o[2], o[3], o[4]);
    nak_modify(in, cuda_has(r, "IDX")    ? MOD_IDX
                   : cuda_has(r, "UP")   ? MOD_UP
                   : cuda_has(r, "DOWN") ? MOD_DOWN
                                         : MOD_BFLY);
    return r->parts == 2 || cuda_refuse(r, "the operation", r->whole);
}

static bool match(struct cuda_reader *r)
{
    struct nak_operand o[3];
    if (cuda_has(r, "ANY")) {
        if (!sass_fits(r, " ANY ") || !sass_operands(r, "ru", o))
            return false;
        nak_modify(CUDA_ADD(r, NAK_MATCH_ANY, o[0], o[1]), MOD_ANY);
        return true;
    }
    if (!sass_fits(r, " ALL ") || !sass_operands(r, "pru", o))
        return false;
    nak_modify(CUDA_ADD(r, NAK_MATCH_ALL, target(o[0]), o[1], o[2]), MOD_ALL);
    return true;
}

static bool reduce(struct cuda_reader *r)
{
    static const struct {
        const char *name;
        enum nak_mod mod;
    } how[] = {{"OR", MOD_OR},   {"XOR", MOD_XOR}, {"SUM", MOD_SUM},
               {"MIN", MOD_MIN}, {"MAX", MOD_MAX}, {"AND", MOD_AND}};
    struct nak_operand o[2];
    if (!sass_fits(r, " OR XOR SUM MIN MAX AND S32 ") || !sass_operands(r, "ru", o))
        return false;
    struct nak_inst *in = CUDA_ADD(r, NAK_REDUX, o[0], o[1]);
    for (size_t i = 0; i < sizeof how / sizeof *how; i++)
        if (cuda_has(r, how[i].name))
            nak_modify(in, how[i].mod);
    if (!in->set) // "REDUX": and
        nak_modify(in, MOD_AND);
    nak_modify(in, cuda_has(r, "S32") ? MOD_I32 : MOD_U32);
    return true;
}

// "R2UR P0, UR4, R2": the predicate says whether the lanes have one value (README.md).
static bool to_uniform(struct cuda_reader *r)
{
    struct nak_operand o[3];
    if (!sass_fits(r, " ") || !sass_operands(r, r->args == 2 ? "ru" : "pru", o))
        return false;
    const uint32_t k = r->args - 2;
    if (k)
        nak_modify(CUDA_ADD(r, NAK_MATCH_ALL, target(o[0]), cuda_none(), o[k + 1]), MOD_ALL);
    if (o[k].kind != OPERAND_NONE)
        CUDA_ADD(r, NAK_R2UR, o[k], o[k + 1]);
    return true;
}

// ---- lines -----------------------------------------------------------------

static bool instruction(struct cuda_reader *r)
{
    struct word op = r->part[0];
    bool found;
    const bool ok = sass_flow(r, &found);
    if (found)
        return ok;
#define IS(name) word_is(op, name)
    if (IS("NOP") || IS("DEPBAR") || IS("ENDCOLLECTIVE") || (IS("YIELD") && r->parts == 1))
        return cuda_add(r, NAK_NOP, 0, NULL) != NULL;
    if (IS("EXIT"))
        return cuda_add(r, NAK_EXIT, 0, NULL) != NULL;
    if (IS("BPT") && cuda_has(r, "TRAP"))
        return cuda_add(r, NAK_TRAP, 0, NULL) != NULL;
    if (IS("UMOV") || IS("UIADD3") || IS("UIMAD") || IS("ULOP3") || IS("USEL") || IS("USHF") ||
        IS("UISETP") || IS("UFLO") || IS("UPOPC") || IS("UPLOP3") || IS("ULEA") || IS("ULDC"))
        op = word_after(op, 1);
    return IS("IADD3")                   ? add(r)
           : IS("VIADD")                 ? add_two(r)
           : IS("IMAD")                  ? multiply(r)
           : IS("ISETP")                 ? compare(r)
           : IS("LOP3")                  ? logic(r)
           : IS("PLOP3")                 ? predicates(r)
           : IS("P2R")                   ? to_register(r)
           : IS("R2P")                   ? from_register(r)
           : IS("SHF")                   ? shift(r)
           : IS("LEA")                   ? shifted_sum(r)
           : IS("SEL")                   ? choose(r, false)
           : IS("VIMNMX") || IS("IMNMX") ? choose(r, true)
           : IS("VIADDMNMX")             ? extreme_of_sum(r)
           : IS("POPC")                  ? one_source(r, NAK_POPC, " ")
           : IS("FLO")                   ? one_source(r, NAK_FLO, " U32 ")
           : IS("MUFU")                  ? one_source(r, NAK_RCP, " RCP ")
           : IS("HFMA2")                 ? halves(r)
           : IS("I2F")                   ? convert(r, true)
           : IS("F2I")                   ? convert(r, false)
           : IS("MOV")                   ? move(r)
           : IS("S2R") || IS("S2UR")     ? special(r)
           : IS("CS2R")                  ? zero_pair(r)
           : IS("LDC")                   ? constant(r)
           : IS("LDG")                   ? memory(r, true)
           : IS("STG")                   ? memory(r, false)
           : IS("VOTE") || IS("VOTEU")   ? vote(r)
           : IS("SHFL")                  ? shuffle(r)
           : IS("MATCH")                 ? match(r)
           : IS("REDUX")                 ? reduce(r)
           : IS("R2UR")                  ? to_uniform(r)
                                         : cuda_refuse(r, "the operation", r->whole);
#undef IS
}

// Notes which instruction lies at a byte of the code, "0120".
static void place(struct cuda_reader *r, struct word hex)
{
    struct nak_program *p = r->p;
    uint32_t byte = 0;
    for (size_t i = 0; i < hex.n; i++) {
        const char c = hex.s[i];
        byte = byte << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    const uint32_t k = byte / SASS_BYTES;
    r->byte = byte;
    if (byte % SASS_BYTES || k >= SASS_MOST || hex.n > 8)
        return;
    if (!p->place)
        p->place = arena_room(r->a, SASS_MOST * sizeof *p->place);
    while (p->places <= k)
        p->place[p->places++] = NO_REGISTER;
    p->place[k] = (uint32_t)r->inst.n;
}

static bool line(struct cuda_reader *r, struct word t)
{
    bool code;
    t = word_trimmed(t);
    if (!sass_section(r, t, &code))
        return false;
    if (!code)
        return true;
    if (!t.n || (*t.s == '.' && t.s[t.n - 1] != ':'))
        return true; // a directive
    if (t.s[t.n - 1] == ':')
        return cuda_label_here(r, (struct word){t.s, t.n - 1});
    if (word_starts(t, "//"))
        return true;
    const char *end = NULL;
    if (word_starts(t, "/*"))
        for (size_t i = 2; i + 1 < t.n && !end; i++)
            end = t.s[i] == '*' && t.s[i + 1] == '/' ? t.s + i + 2 : NULL;
    if (!end || t.s[t.n - 1] != ';')
        return cuda_refuse(r, "the line", t);
    place(r, (struct word){t.s + 2, (size_t)(end - t.s) - 4});
    t = word_trimmed((struct word){end, (size_t)(t.s + t.n - end) - 1});
    for (size_t i = 0; i + 1 < t.n; i++)
        if (t.s[i] == '(' && t.s[i + 1] == '*') // a comment: where a BRX may go
            t = word_trimmed((struct word){t.s, i});
    r->guard = cuda_none();
    if (t.n && *t.s == '@') {
        const char *blank = memchr(t.s, ' ', t.n);
        const size_t n = blank ? (size_t)(blank - t.s) : t.n;
        if (!sass_predicate((struct word){t.s + 1, n - 1}, &r->guard))
            return cuda_refuse(r, "the predicate of", t);
        t = word_trimmed(word_after(t, n));
    }
    if (!t.n)
        return cuda_refuse(r, "the line", t);
    return cuda_split(r, t) && instruction(r);
}

const struct isa_code *sass_read(struct arena *a, const struct cuda_source *s,
                                 struct isa_result *why)
{
    struct cuda_reader *r = ARENA_NEW(a, struct cuda_reader);
    *why = (struct isa_result){0};
    r->a = a;
    r->files.a = a;
    r->why = why;
    r->p = cuda_program(a, s, s->sm && s->sm < 90 ? 0x160 : 0x210);
    const char *at = s->text;
    for (struct word t; text_line(&at, &t);) {
        r->line++;
        if (!line(r, t))
            return NULL;
    }
    r->p->table = r->table.v;
    r->p->table_bytes = (uint32_t)r->table.n;
    const struct isa_code *code = cuda_finish(r);
    return code && sass_flow_right(r) ? code : NULL;
}
