// SPDX-License-Identifier: Apache-2.0
//
// Parses one operand or one modifier as LLVM's disassembler prints it.
#include "isa/isa_text.h"
#include "program.h"

#define is     text_is
#define begins text_take

// Parses a signed number that fills s[0..n).
static bool number(const char *s, size_t n, int64_t *out)
{
    uint64_t v;
    const bool minus = n && *s == '-';
    if (!parse_u64(s + minus, n - minus, &v) || v > INT64_MAX)
        return false;
    *out = minus ? -(int64_t)v : (int64_t)v;
    return true;
}

// ---- numbers ---------------------------------------------------------------

// The float constants of instructions, as 16, 32 and 64 bits.
static const struct {
    const char *text;
    uint64_t half, single, full;
} floats[] = {
    {"0.5", 0x3800, 0x3f000000, 0x3fe0000000000000},
    {"1.0", 0x3c00, 0x3f800000, 0x3ff0000000000000},
    {"2.0", 0x4000, 0x40000000, 0x4000000000000000},
    {"4.0", 0x4400, 0x40800000, 0x4010000000000000},
    {"-0.5", 0xb800, 0xbf000000, 0xbfe0000000000000},
    {"-1.0", 0xbc00, 0xbf800000, 0xbff0000000000000},
    {"-2.0", 0xc000, 0xc0000000, 0xc000000000000000},
    {"-4.0", 0xc400, 0xc0800000, 0xc010000000000000},
    {"0.15915494", 0x3118, 0x3e22f983, 0x3fc45f306dc9c882},
    {"0.15915494309189532", 0x3118, 0x3e22f983, 0x3fc45f306dc9c882},
    {"0.1592", 0x3118, 0x3e22f983, 0x3fc45f306dc9c882},
};

static bool float_read(const char *s, size_t n, char type, uint64_t *out)
{
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        if (!is(s, n, floats[i].text))
            continue;
        if (strchr("hj", type)) // the bits for a 16-bit integer differ between generations
            return false;
        *out = type == 'e'           ? floats[i].half
               : strchr("dql", type) ? floats[i].full
                                     : floats[i].single;
        return true;
    }
    return false;
}

// Converts a number to its operand's type. A literal is written in hexadecimal and has 32 bits: for
// an unsigned 64-bit type zeros are above them; for a double it is the upper half.
static uint64_t as_type(int64_t v, bool literal, char type)
{
    switch (type) {
    case 'u':
    case 'f':
    case 'm':
        return (uint32_t)v;
    case 'i':
        return (uint64_t)(int32_t)v;
    case 'h':
    case 'e':
        return (uint16_t)v;
    case 'j':
    case 'k':
        return (uint64_t)(int16_t)v;
    case 'l':
        return literal && v <= UINT32_MAX ? (uint64_t)(int32_t)v : (uint64_t)v;
    case 'd':
        return literal && v <= UINT32_MAX ? (uint64_t)v << 32 : (uint64_t)v;
    default:
        return (uint64_t)v;
    }
}

// ---- registers -------------------------------------------------------------

static const struct {
    const char *name;
    uint16_t reg, count;
} special[] = {
    {"vcc", REG_VCC, 2},
    {"vcc_lo", REG_VCC, 1},
    {"vcc_hi", REG_VCC + 1, 1},
    {"exec", REG_EXEC, 2},
    {"exec_lo", REG_EXEC, 1},
    {"exec_hi", REG_EXEC + 1, 1},
    {"m0", REG_M0, 1},
    {"null", REG_NULL, 1},
    {"src_scc", REG_SCC, 1},
    {"scc", REG_SCC, 1},
    {"src_vccz", REG_VCCZ, 1},
    {"vccz", REG_VCCZ, 1},
    {"execz", REG_EXECZ, 1},
    {"src_execz", REG_EXECZ, 1},
    {"flat_scratch", REG_FLAT, 2},
    {"flat_scratch_lo", REG_FLAT, 1},
    {"flat_scratch_hi", REG_FLAT + 1, 1},
};

// Parses the "12" or "[12:15]" after a register letter.
static bool range(const char *s, size_t n, uint32_t files, uint32_t base, struct amd_operand *out)
{
    uint32_t first, last;
    if (n && *s == '[') {
        const char *colon = memchr(s, ':', n);
        if (s[n - 1] != ']')
            return false;
        const char *end = colon ? colon : s + n - 1;
        if (!parse_u32(s + 1, (size_t)(end - s) - 1, &first))
            return false;
        last = first;
        if (colon && !parse_u32(colon + 1, (size_t)(s + n - 2 - colon), &last))
            return false;
    } else {
        if (!parse_u32(s, n, &first))
            return false;
        last = first;
    }
    if (last < first || last >= files || last - first > 15)
        return false;
    out->reg = (uint16_t)(base + first);
    out->count = (uint8_t)(last - first + 1);
    return true;
}

static bool register_read(const char *s, size_t n, struct amd_operand *out)
{
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (is(s, n, special[i].name)) {
            out->kind = OPERAND_SCALAR;
            out->reg = special[i].reg;
            out->count = (uint8_t)special[i].count;
            return true;
        }
    if (n > 2 && s[n - 2] == '.' && (s[n - 1] == 'l' || s[n - 1] == 'h')) {
        out->high = s[n - 1] == 'h';
        n -= 2;
    }
    if (begins(&s, &n, "ttmp")) {
        out->kind = OPERAND_SCALAR;
        return range(s, n, 16, REG_TTMP, out);
    }
    if (n < 2 || (*s != 'v' && *s != 's'))
        return false;
    out->kind = *s == 'v' ? OPERAND_VECTOR : OPERAND_SCALAR;
    return range(s + 1, n - 1, *s == 'v' ? REG_VECTORS : REG_VCC, 0, out);
}

bool amd_operand_read(const char *s, size_t n, char type, struct amd_operand *out)
{
    int64_t v;
    *out = (struct amd_operand){.type = type};
    // Modifiers: sext(v0), neg(...), abs(...), -v0, |v0|, -|v0|.
    for (bool more = true; more;) {
        more = false;
        const char *inner = s;
        size_t left = n;
        if (n > 1 && s[n - 1] == ')' &&
            (begins(&inner, &left, "sext(") || begins(&inner, &left, "neg(") ||
             begins(&inner, &left, "abs("))) {
            out->sext |= *s == 's';
            out->neg |= *s == 'n';
            out->abs |= *s == 'a';
            s = inner;
            n = left - 1;
            more = true;
        } else if (n > 2 && *s == '|' && s[n - 1] == '|') {
            out->abs = true;
            s++;
            n -= 2;
            more = true;
        } else if (n > 1 && *s == '-' &&
                   (s[1] == 'v' || s[1] == 's' || s[1] == '|' || s[1] == 't')) {
            out->neg = true;
            s++;
            n--;
            more = true;
        }
    }
    if (is(s, n, "off")) {
        out->kind = OPERAND_OFF;
        return true;
    }
    if (register_read(s, n, out))
        return true;
    out->kind = OPERAND_NUMBER;
    if (float_read(s, n, type, &out->value))
        return true;
    uint64_t wide;
    // LLVM writes a negative 32-bit literal with 32 ones above it.
    if (n > 2 && s[1] == 'x' && parse_u64(s, n, &wide) && wide >> 32 == UINT32_MAX) {
        out->value = as_type((uint32_t)wide, true, type);
        return true;
    }
    if (!number(s, n, &v))
        return false;
    out->value = as_type(v, n > 2 && (s[1] == 'x' || s[2] == 'x'), type);
    return true;
}

// ---- modifiers -------------------------------------------------------------

// Parses "[1,0,1]": at most `max` numbers, each below `limit`.
static bool list(const char *s, size_t n, uint32_t limit, uint8_t *out, size_t max, size_t *count)
{
    *count = 0;
    if (n < 2 || *s != '[' || s[n - 1] != ']')
        return false;
    for (const char *at = s + 1, *end = s + n - 1; at < end; at++) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        uint32_t v;
        if (*count == max || !parse_u32(at, (size_t)((comma ? comma : end) - at), &v) || v >= limit)
            return false;
        out[(*count)++] = (uint8_t)v;
        at = comma ? comma : end;
    }
    return true;
}

static bool bits(const char *s, size_t n, uint8_t *out)
{
    uint8_t v[8];
    size_t count;
    *out = 0;
    if (!list(s, n, 2, v, 8, &count))
        return false;
    for (size_t i = 0; i < count; i++)
        *out |= (uint8_t)(v[i] << i);
    return true;
}

static bool part_read(const char *s, size_t n, enum amd_part *out)
{
    static const char *const names[] = {"DWORD",  "BYTE_0", "BYTE_1", "BYTE_2",
                                        "BYTE_3", "WORD_0", "WORD_1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is(s, n, names[i])) {
            *out = (enum amd_part)i;
            return true;
        }
    return false;
}

// Parses swizzle(ROTATE,0,8) and the other forms ("LDS & GDS", DS_SWIZZLE_B32).
static bool swizzle_read(struct amd_inst *in, const char *s, size_t n)
{
    uint32_t v[4] = {0};
    if (!n || s[n - 1] != ')')
        return false;
    n--;
    if (begins(&s, &n, "BITMASK_PERM,\"")) {
        if (n != 6)
            return false;
        in->swizzle = SWIZZLE_BITS;
        for (int i = 0; i < 5; i++) { // from bit 4 down
            const uint8_t bit = (uint8_t)(16 >> i);
            if (!strchr("01pi", s[i]))
                return false;
            in->and_mask |= s[i] == 'p' || s[i] == 'i' ? bit : 0;
            in->or_mask |= s[i] == '1' ? bit : 0;
            in->xor_mask |= s[i] == 'i' ? bit : 0;
        }
        return true;
    }
    const char *name = s;
    const char *comma = memchr(s, ',', n);
    if (!comma)
        return false;
    const size_t len = (size_t)(comma - s);
    size_t count = 0;
    for (const char *at = comma + 1, *end = s + n; at <= end && count < 4; count++) {
        const char *next = memchr(at, ',', (size_t)(end - at));
        const char *stop = next ? next : end;
        if (!parse_u32(at, (size_t)(stop - at), &v[count]) || v[count] > 32)
            return false;
        at = stop + 1;
    }
    if (is(name, len, "QUAD_PERM") && count == 4) {
        in->swizzle = SWIZZLE_QUAD;
        for (int i = 0; i < 4; i++)
            in->perm[i] = (uint8_t)(v[i] & 3);
    } else if (is(name, len, "SWAP") && count == 1) {
        in->swizzle = SWIZZLE_BITS;
        in->and_mask = 31;
        in->xor_mask = (uint8_t)(v[0] & 31);
    } else if (is(name, len, "REVERSE") && count == 1 && v[0]) {
        in->swizzle = SWIZZLE_BITS;
        in->and_mask = 31;
        in->xor_mask = (uint8_t)((v[0] - 1) & 31);
    } else if (is(name, len, "BROADCAST") && count == 2 && v[0]) {
        in->swizzle = SWIZZLE_BITS;
        in->and_mask = (uint8_t)(32 - v[0]);
        in->or_mask = (uint8_t)v[1];
    } else if (is(name, len, "ROTATE") && count == 2) {
        in->swizzle = SWIZZLE_ROTATE;
        in->and_mask = (uint8_t)v[0]; // the direction
        in->or_mask = (uint8_t)v[1];
    } else {
        return false;
    }
    return true;
}

static bool dpp_read(struct amd_inst *in, const char *s, size_t n)
{
    static const struct {
        const char *name;
        enum amd_dpp dpp;
    } kinds[] = {
        {"row_shl:", DPP_ROW_SHL},     {"row_shr:", DPP_ROW_SHR},
        {"row_ror:", DPP_ROW_ROR},     {"row_bcast:", DPP_ROW_BCAST},
        {"row_share:", DPP_ROW_SHARE}, {"row_newbcast:", DPP_ROW_SHARE},
        {"row_xmask:", DPP_ROW_XMASK}, {"wave_shl:", DPP_WAVE_SHL},
        {"wave_shr:", DPP_WAVE_SHR},   {"wave_rol:", DPP_WAVE_ROL},
        {"wave_ror:", DPP_WAVE_ROR},
    };
    uint32_t v;
    size_t count;
    if (begins(&s, &n, "quad_perm:")) {
        in->dpp = DPP_QUAD_PERM;
        return list(s, n, 4, in->perm, 4, &count) && count == 4;
    }
    if (begins(&s, &n, "dpp8:")) {
        in->dpp = DPP_8;
        in->row_mask = in->bank_mask = 15;
        return list(s, n, 8, in->perm, 8, &count) && count == 8;
    }
    if (is(s, n, "row_mirror") || is(s, n, "row_half_mirror")) {
        in->dpp = n == strlen("row_mirror") ? DPP_ROW_MIRROR : DPP_ROW_HALF_MIRROR;
        return true;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (begins(&s, &n, kinds[i].name)) {
            in->dpp = kinds[i].dpp;
            in->dpp_value = 0;
            if (!parse_u32(s, n, &v) || v > 31)
                return false;
            in->dpp_value = (uint8_t)v;
            return true;
        }
    return false;
}

bool amd_modifier_read(struct amd_inst *in, const char *s, size_t n)
{
    int64_t v;
    uint32_t u;
    // Cache modifiers: caches are not modelled.
    static const char *const nothing[] = {"dlc", "slc", "nv"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        if (is(s, n, nothing[i]))
            return true;
    if (is(s, n, "offen"))
        return in->offen = true;
    if (is(s, n, "glc") || is(s, n, "th:TH_ATOMIC_RETURN"))
        return in->glc = true;
    if (is(s, n, "clamp"))
        return in->clamp = true;
    if (begins(&s, &n, "scope:") || begins(&s, &n, "th:"))
        return n < 6 || memcmp(s, "TH_ATO", 6) != 0;
    if (begins(&s, &n, "offset:swizzle("))
        return swizzle_read(in, s, n);
    if (begins(&s, &n, "offset:") || begins(&s, &n, "offset0:")) {
        if (!number(s, n, &v) || v > INT32_MAX || v < INT32_MIN)
            return false;
        in->offset = (int32_t)v;
        return true;
    }
    if (begins(&s, &n, "offset1:")) {
        in->offset1 = number(s, n, &v) && v >= 0 && v < 256 ? (int32_t)v : -1;
        return in->offset1 >= 0;
    }
    if (begins(&s, &n, "row_mask:") && parse_u32(s, n, &u)) {
        in->row_mask = (uint8_t)(u & 15);
        return u < 16;
    }
    if (begins(&s, &n, "bank_mask:") && parse_u32(s, n, &u)) {
        in->bank_mask = (uint8_t)(u & 15);
        return u < 16;
    }
    if (begins(&s, &n, "bound_ctrl:")) // older LLVM prints 0 for the set bit
        return in->bound = true;
    if (begins(&s, &n, "fi:"))
        return (in->fi = is(s, n, "1")) || is(s, n, "0");
    if (begins(&s, &n, "dst_sel:"))
        return part_read(s, n, &in->o[0].part);
    if (begins(&s, &n, "src0_sel:"))
        return in->dst < AMD_OPERANDS && part_read(s, n, &in->o[in->dst].part);
    if (begins(&s, &n, "src1_sel:"))
        return in->dst + 1 < AMD_OPERANDS && part_read(s, n, &in->o[in->dst + 1].part);
    if (begins(&s, &n, "dst_unused:")) {
        in->unused = is(s, n, "UNUSED_PAD")    ? UNUSED_PAD
                     : is(s, n, "UNUSED_SEXT") ? UNUSED_SEXT
                                               : UNUSED_PRESERVE;
        return in->unused != UNUSED_PRESERVE || is(s, n, "UNUSED_PRESERVE");
    }
    if (begins(&s, &n, "op_sel:"))
        return bits(s, n, &in->op_sel);
    if (begins(&s, &n, "op_sel_hi:"))
        return bits(s, n, &in->op_sel_hi);
    if (begins(&s, &n, "neg_lo:"))
        return bits(s, n, &in->neg_lo);
    if (begins(&s, &n, "neg_hi:"))
        return bits(s, n, &in->neg_hi);
    if (is(s, n, "mul:2") || is(s, n, "mul:4") || is(s, n, "div:2")) {
        in->omod = *s == 'd' ? 3 : s[4] == '2' ? 1 : 2;
        return true;
    }
    return dpp_read(in, s, n);
}
