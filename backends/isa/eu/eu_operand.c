// SPDX-License-Identifier: Apache-2.0
//
// Parses operands: regions of registers, numbers, flags, addresses, state.
#include "eu_program.h"
#include "isa/isa_text.h"

#include <stdlib.h>

#define take text_take

static bool number_read(const char **s, size_t *n, uint32_t *out)
{
    size_t k = 0;
    while (k < *n && (*s)[k] >= '0' && (*s)[k] <= '9')
        k++;
    if (!k || !parse_u32(*s, k, out))
        return false;
    *s += k;
    *n -= k;
    return true;
}

static bool type_read(const char *s, size_t n, enum eu_type *out)
{
    for (int i = 0; i < EU_TYPES; i++)
        if (text_is(s, n, eu_types[i].name)) {
            *out = (enum eu_type)i;
            return true;
        }
    return false;
}

// Reads "-12:d", "0x4:ud", "0x76543210:v"; floats are printed in hexadecimal.
static bool immediate_read(const char *s, size_t n, struct eu_operand *out)
{
    char digits[32], *end;
    const char *colon = memchr(s, ':', n);
    if (!colon || (size_t)(colon - s) >= sizeof digits)
        return false;
    memcpy(digits, s, (size_t)(colon - s));
    digits[colon - s] = 0;
    const bool minus = digits[0] == '-';
    const char *first = digits + minus;
    if (*first < '0' || *first > '9' || strchr(first, '.'))
        return false;
    const unsigned long long v = strtoull(first, &end, first[1] == 'x' ? 16 : 10);
    if (*end || !type_read(colon + 1, n - (size_t)(colon + 1 - s), &out->type))
        return false;
    if (eu_types[out->type].real && first[1] != 'x')
        return false;
    out->file = FILE_NUMBER;
    out->number = minus ? 0 - v : v;
    return true;
}

// Reads the region at the end of an operand: "<1>", "<8;8,1>", "<8;1>", "<1,0>", and the type.
static bool region_read(const char *s, size_t n, bool dst, struct eu_operand *o)
{
    uint32_t v = 0, w = 1, h = 0;
    if (take(&s, &n, "<")) {
        if (!number_read(&s, &n, &v))
            return false;
        if (take(&s, &n, ";")) {
            if (!number_read(&s, &n, &w))
                return false;
            if (take(&s, &n, ",")) { // <v;w,h>
                if (!number_read(&s, &n, &h))
                    return false;
            } else { // of three sources: <v;h>
                h = w;
                w = h && v > h ? v / h : 1;
            }
        } else if (take(&s, &n, ",")) { // <w,h>: an address for every w elements
            o->each = true;
            w = v;
            v = 0;
            if (!number_read(&s, &n, &h))
                return false;
        } else { // <h>
            h = v;
            w = EU_LANES;
            v = 0;
        }
        if (!take(&s, &n, ">"))
            return false;
    } else if (!dst) {
        return false;
    } else {
        h = 1;
        w = EU_LANES;
    }
    if (!take(&s, &n, ":") || !type_read(s, n, &o->type) || o->type == TYPE_V ||
        o->type == TYPE_UV || !w || v > 64 || h > 16)
        return false;
    o->v = v * eu_types[o->type].bytes;
    o->w = w;
    o->h = h * eu_types[o->type].bytes;
    return true;
}

// The size of the type at the end of an operand, by which sub-registers are counted.
static bool unit_of(const char *s, size_t n, uint32_t *out)
{
    enum eu_type t;
    size_t k = n;
    while (k && s[k - 1] != ':')
        k--;
    if (!k || !type_read(s + k, n - k, &t))
        return false;
    *out = eu_types[t].bytes;
    return true;
}

// Reads "[a0.0,160]" after the r.
static bool indirect_read(const char **s, size_t *n, struct eu_operand *o)
{
    uint32_t sub, offset = 0;
    if (!take(s, n, "[a0.") || !number_read(s, n, &sub) || sub > 15)
        return false;
    if (take(s, n, ",")) {
        const bool minus = take(s, n, "-");
        take(s, n, " ");
        if (!number_read(s, n, &offset) || offset > 1 << 14)
            return false;
        o->offset = minus ? -(int32_t)offset : (int32_t)offset;
    }
    o->indirect = true;
    o->address = 2 * sub;
    return take(s, n, "]");
}

// Files other than r: name, bytes of one numbered register, highest number.
static const struct {
    const char *name;
    enum eu_file file;
    uint32_t bytes, last;
} files[] = {
    {"null", FILE_NULL, 0, 0},  {"f", FILE_FLAG, 4, 3},    {"acc", FILE_ACC, 0, 7},
    {"a", FILE_ADDRESS, 32, 0}, {"sr", FILE_STATE, 16, 0}, {"ce", FILE_CE, 0, 0},
    {"n", FILE_NOTIFY, 4, 0},   {"s", FILE_SCALAR, 64, 0}, {"cr", FILE_CONTROL, 16, 0},
};

static bool register_read(const char *s, size_t n, bool dst, uint32_t grf, struct eu_operand *o)
{
    uint32_t reg = 0, sub = 0, unit;
    const char *all = s;
    const size_t length = n;
    if (!unit_of(s, n, &unit))
        return false;
    if (n > 1 && *s == 'r' && (s[1] == '[' || (s[1] >= '0' && s[1] <= '9'))) {
        take(&s, &n, "r");
        o->file = FILE_GRF;
        if (*s == '[')
            return indirect_read(&s, &n, o) && region_read(s, n, dst, o);
        if (!number_read(&s, &n, &reg) || reg >= EU_REGISTERS)
            return false;
        if (take(&s, &n, ".") && !number_read(&s, &n, &sub))
            return false;
        o->at = reg * grf + sub * unit;
        return sub * unit < grf && region_read(s, n, dst, o);
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        s = all, n = length;
        if (!take(&s, &n, files[i].name))
            continue;
        if (files[i].file != FILE_NULL && files[i].file != FILE_CE &&
            (!number_read(&s, &n, &reg) || reg > files[i].last))
            continue;
        if (take(&s, &n, ".") && !number_read(&s, &n, &sub))
            return false;
        o->file = files[i].file;
        o->at = reg * (files[i].file == FILE_ACC ? grf : files[i].bytes) + sub * unit;
        return sub * unit < 32 && region_read(s, n, dst, o);
    }
    return false;
}

bool eu_operand_read(const char *s, size_t n, bool dst, uint32_t srcs, uint32_t grf,
                     struct eu_operand *out)
{
    (void)srcs;
    *out = (struct eu_operand){.w = 1};
    if (!dst && n &&
        ((*s >= '0' && *s <= '9') || (*s == '-' && n > 1 && s[1] >= '0' && s[1] <= '9')))
        return immediate_read(s, n, out);
    if (dst)
        out->saturate = take(&s, &n, "(sat)");
    else {
        out->neg = take(&s, &n, "-") || take(&s, &n, "~");
        out->abs = take(&s, &n, "(abs)");
    }
    return register_read(s, n, dst, grf, out);
}

bool eu_lanes_read(const char *s, size_t n, uint32_t *size, uint32_t *first)
{
    if (!number_read(&s, &n, size) || !take(&s, &n, "|M") || !number_read(&s, &n, first))
        return false;
    return !n && *size && (*size & (*size - 1)) == 0 && *first + *size <= EU_LANES;
}
