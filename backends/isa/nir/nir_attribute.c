// SPDX-License-Identifier: Apache-2.0
//
// Parses the attributes after an intrinsic's operands: "(base=4, access=none, wrmask=xy)".
#include "isa/isa_text.h"
#include "nir_program.h"

#define is text_is

// Operations on a mutex of PowerVR: release, release and sleep until it is woken, release and wake,
// lock. Only one subgroup runs at a time, and another begins where it sleeps: so a lock is free,
// and to sleep is to wait for the other subgroups. The driver's code asks again after it is woken.
enum { MUTEX_SLEEP = 1, MUTEX_OPERATIONS = 4 };

// The attributes with their letters in nir_ops.def; '-': does not affect the result here.
static const struct {
    const char *name;
    char letter;
} attributes[] = {
    {"base", 'b'},
    {"param_idx", 'b'},
    {"offset_shift", 's'},
    {"offset_shift_nv", 's'},
    {"wrmask", 'm'},
    {"cluster_size", 'c'},
    {"reduction_op", 'r'},
    {"atomic_op", 'a'},
    {"execution_scope", 'e'},
    {"swizzle_mask", 'z'},
    {"fetch_inactive", 'f'},
    {"desc_set", 'd'},
    {"binding", 'g'},
    {"arg_num_lsb_zero", 'l'},
    {"arg_upper_bound_u32_amd", 'u'},
    {"format", 'o'},
    {"sign_extend", 'x'},
    {"num_components", 'k'},
    {"num_array_elems", 'n'},
    {"bit_size", 'h'},
    {"legacy_fabs", 'y'},
    {"legacy_fneg", 'y'},
    {"legacy_fsat", 'y'},
    {"mutex_id_pco", 't'},
    {"mutex_op_pco", 'p'},
    {"resource_intel", '-'},
    {"resource_block_intel", '-'},
    {"access", '-'},
    {"desc_type", '-'},
    {"resource_type", '-'},
    {"align_mul", '-'},
    {"align_offset", '-'},
    {"memory_scope", '-'},
    {"mem_semantics", '-'},
    {"mem_modes", '-'},
    {"divergent", '-'},
    {"range", '-'},
    {"range_base", '-'},
};

static bool read_combine(const char *s, size_t n, enum isa_combine *out)
{
    static const struct {
        const char *name;
        enum isa_combine c;
    } ops[] = {
        {"iadd", ISA_IADD}, {"imul", ISA_IMUL}, {"imin", ISA_IMIN},    {"imax", ISA_IMAX},
        {"umin", ISA_UMIN}, {"umax", ISA_UMAX}, {"iand", ISA_IAND},    {"ior", ISA_IOR},
        {"ixor", ISA_IXOR}, {"fadd", ISA_FADD}, {"fmul", ISA_FMUL},    {"fmin", ISA_FMIN},
        {"fmax", ISA_FMAX}, {"xchg", ISA_XCHG}, {"cmpxchg", ISA_XCHG},
    };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (is(s, n, ops[i].name)) {
            *out = ops[i].c;
            return true;
        }
    return false;
}

// Reads "((id & 31) | 0) ^ 9".
static bool read_swizzle(const char *s, size_t n, struct nir_inst *in)
{
    uint32_t mask[3], k = 0;
    for (const char *end = s + n; s < end; s++) {
        const size_t digits = strspn(s, "0123456789");
        if (!digits)
            continue;
        if (k == 3 || s + digits > end || !parse_u32(s, digits, &mask[k]) || mask[k] > 31)
            return false;
        k++;
        s += digits - 1;
    }
    if (k != 3)
        return false;
    in->and_mask = (uint8_t)mask[0];
    in->or_mask = (uint8_t)mask[1];
    in->xor_mask = (uint8_t)mask[2];
    return true;
}

// Reads "xz"; with more than four components "acf".
static bool read_mask(const char *s, size_t n, uint32_t *out)
{
    for (size_t i = 0; i < n; i++) {
        const char *few = memchr("xyzw", s[i], 4), *many = memchr("abcdefghijklmnop", s[i], 16);
        static const char first[] = "xyzw";
        if (!few && !many)
            return false;
        *out |= 1u << (few ? (uint32_t)strcspn(first, (char[]){s[i], 0}) : (uint32_t)(s[i] - 'a'));
    }
    return n > 0;
}

static bool read_value(struct nir_inst *in, char letter, const char *s, size_t n)
{
    uint32_t v = 0;
    const bool minus = n && *s == '-';
    const bool number = parse_u32(s + minus, n - minus, &v);
    switch (letter) {
    case 'b':
        in->base = minus ? -(int64_t)v : (int64_t)v;
        return number;
    case 's':
        in->has_offset_shift = true;
        in->offset_shift = v;
        return number && !minus && v < 8;
    case 'm':
        in->has_write_mask = true;
        return read_mask(s, n, &in->write_mask);
    case 'c':
        in->cluster = v;
        return number && !minus && (v & (v - 1)) == 0;
    case 'r':
    case 'a':
        return read_combine(s, n, &in->combine);
    case 'e':
        in->workgroup = is(s, n, "WORKGROUP");
        return in->workgroup || is(s, n, "NONE") || is(s, n, "SUBGROUP");
    case 'z':
        return read_swizzle(s, n, in);
    case 'd':
        in->set = v;
        return number && !minus;
    case 'g':
        in->binding = v;
        return number && !minus;
    case 'l':
        in->has_low_bits = true;
        in->offset_shift = v; // of an argument: number of low bits that are 0
        return number && !minus;
    case 'u':
        in->cluster = v; // of an argument: its maximum, 0: unknown
        return number && !minus;
    case 'o': // size of an element
        in->element = is(s, n, "r8_uint")    ? 1
                      : is(s, n, "r16_uint") ? 2
                      : is(s, n, "r32_uint") ? 4
                                             : 0;
        return in->element != 0;
    case 'x':
        in->sign_extend = v == 1;
        return number && v < 2;
    case 'k':
        in->cluster = v; // of a register: its components
        return number && v >= 1 && v <= NIR_COMPONENTS;
    case 'h':
        in->element = v; // of a register: the bits of a component
        return number && (v == 1 || v == 8 || v == 16 || v == 32 || v == 64);
    case 't':
        return number && !minus;
    case 'i': // of the register's first element
    case 'n': // not an array
    case 'y':
        return number && v == 0;
    case 'p':
        in->workgroup = v == MUTEX_SLEEP;
        return number && v < MUTEX_OPERATIONS;
    default: // 'f'
        return number && v < 2;
    }
}

static bool read_one(struct nir_inst *in, const char *s, size_t n, struct isa_result *why)
{
    const char *equal = memchr(s, '=', n);
    const size_t name = equal ? (size_t)(equal - s) : n;
    for (size_t i = 0; equal && i < sizeof attributes / sizeof *attributes; i++) {
        const char letter = attributes[i].letter;
        if (!is(s, name, attributes[i].name))
            continue;
        const bool reg = letter == 'b' && (in->id == NIR_LOAD_REG || in->id == NIR_STORE_REG);
        if (letter == '-' || (strchr(nir_ops[in->id].attributes, reg ? 'i' : letter) &&
                              read_value(in, reg ? 'i' : letter, equal + 1, n - name - 1)))
            return true;
        break;
    }
    return isa_refuse(why, RAN_UNSUPPORTED, in->line, "attribute '%.*s' of %.60s",
                      (int)(n < 60 ? n : 60), s, nir_ops[in->id].name);
}

bool nir_attributes_read(struct nir_inst *in, const char *s, size_t n, struct isa_result *why)
{
    if (n < 2 || *s != '(' || s[n - 1] != ')')
        return isa_refuse(why, RAN_UNSUPPORTED, in->line, "attributes '%.*s'",
                          (int)(n < 60 ? n : 60), s);
    s++;
    n -= 2;
    while (n) {
        size_t end = 0;
        for (int depth = 0; end < n && (depth || s[end] != ','); end++)
            depth += (s[end] == '(') - (s[end] == ')');
        if (!read_one(in, s, end, why))
            return false;
        end += end < n;
        while (end < n && s[end] == ' ')
            end++;
        s += end;
        n -= end;
    }
    return true;
}
