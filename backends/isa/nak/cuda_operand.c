// SPDX-License-Identifier: Apache-2.0
//
// Parses operands of SASS: "-R4", "UR4", "!P0", "c[0x0][0x210]", "desc[UR4][R2.64+0x4]".
#include "cuda_sass.h"

static bool numbered(struct word t, const char *prefix, uint32_t end, uint32_t *out)
{
    const size_t n = strlen(prefix);
    return word_starts(t, prefix) && t.n > n && t.s[n] >= '0' && t.s[n] <= '9' &&
           parse_u32(t.s + n, t.n - n, out) && *out < end;
}

static struct word without(struct word t, const char *end)
{
    const size_t n = strlen(end);
    if (t.n > n && memcmp(t.s + t.n - n, end, n) == 0)
        t.n -= n;
    return t;
}

// "R4", "UR4", "RZ", with "-" or "~" before it.
static bool register_read(struct word t, uint32_t count, struct nak_operand *out)
{
    static const struct {
        const char *name, *zero;
        enum nak_kind kind;
        uint32_t end;
    } files[] = {{"R", "RZ", OPERAND_R, REGISTERS - 1}, {"UR", "URZ", OPERAND_UR, UNIFORMS - 1}};
    t = without(t, ".reuse");
    const bool neg = t.n && (*t.s == '-' || *t.s == '~');
    if (neg)
        t = word_after(t, 1);
    for (int i = 0; i < 2; i++) {
        *out = (struct nak_operand){.kind = files[i].kind, .count = (uint8_t)count, .neg = neg};
        if (word_is(t, files[i].zero)) {
            *out = cuda_number(0);
            out->count = (uint8_t)count;
            out->neg = neg;
            return true;
        }
        if (numbered(t, files[i].name, files[i].end, &out->reg))
            return out->reg + count <= files[i].end;
    }
    return false;
}

// "P0", "!PT", "UP1".
bool sass_predicate(struct word t, struct nak_operand *out)
{
    const bool neg = t.n && *t.s == '!';
    if (neg)
        t = word_after(t, 1);
    *out = (struct nak_operand){.kind = OPERAND_P, .type = 'p', .count = 1, .neg = neg};
    if (word_is(t, "PT") || word_is(t, "UPT")) {
        out->reg = PT;
        return true;
    }
    if (numbered(t, "P", PT, &out->reg))
        return true;
    out->kind = OPERAND_UP;
    return numbered(t, "UP", PT, &out->reg);
}

// "c[0x0][0x210]", "c[0x0][R2+0x210]", "c[0x2][R2]".
static bool constant_read(struct word t, struct nak_operand *out)
{
    uint32_t bank;
    const char *mid = memchr(t.s, ']', t.n), *end = t.s + t.n - 1;
    if (!word_starts(t, "c[") || !mid || mid + 2 >= end || mid[1] != '[' || *end != ']' ||
        !parse_u32(t.s + 2, (size_t)(mid - t.s) - 2, &bank))
        return false;
    struct word at = {mid + 2, (size_t)(end - mid) - 2};
    *out = (struct nak_operand){
        .kind = OPERAND_C, .count = 1, .reg = bank, .index = NO_REGISTER, .type = 'C'};
    const char *plus = memchr(at.s, '+', at.n);
    if (plus || *at.s == 'R' || *at.s == 'U') {
        struct nak_operand index;
        const size_t n = plus ? (size_t)(plus - at.s) : at.n;
        if (!register_read((struct word){at.s, n}, 1, &index) || index.neg ||
            index.kind == OPERAND_NUMBER)
            return false;
        out->index = index.reg;
        out->index_uniform = index.kind == OPERAND_UR;
        if (!plus)
            return true;
        at = word_after(at, n + 1);
    }
    return cuda_parse(at, &out->value);
}

bool sass_source(struct word t, uint32_t count, struct nak_operand *out)
{
    uint32_t v;
    if (register_read(t, count, out) || constant_read(t, out)) {
        out->count = (uint8_t)count;
        return true;
    }
    if (!cuda_parse(t, &v))
        return false;
    *out = cuda_number(v);
    out->count = (uint8_t)count;
    return true;
}

// "desc[UR4][R2.64+0x4]", before sm_90 "[R2.64+0x4]", before sm_80 "[R2+0x4]": a 64-bit address in
// registers, and an offset.
bool sass_address(struct word t, struct nak_operand *base, uint32_t *offset)
{
    const bool has_desc = word_starts(t, "desc[UR");
    const char *at = has_desc ? memchr(t.s, ']', t.n) : NULL;
    *offset = 0;
    if (has_desc && at)
        t = word_after(t, (size_t)(at - t.s) + 1);
    if (t.n < 3 || *t.s != '[' || t.s[t.n - 1] != ']')
        return false;
    struct word in = {t.s + 1, t.n - 2};
    size_t n = 0;
    while (n < in.n && in.s[n] != '.' && in.s[n] != '+' && (in.s[n] != '-' || !n))
        n++;
    struct word rest = word_after(in, n);
    in.n = n;
    if (word_starts(rest, ".64"))
        rest = word_after(rest, 3);
    else if (has_desc)
        return false;
    if (!register_read(in, 2, base) || base->neg || base->kind == OPERAND_NUMBER)
        return false;
    base->uniform = base->kind == OPERAND_UR;
    return !rest.n || ((*rest.s == '+' || *rest.s == '-') &&
                       cuda_parse(*rest.s == '+' ? word_after(rest, 1) : rest, offset));
}

static bool label_read(struct cuda_reader *r, struct word t, struct nak_operand *out)
{
    if (t.n < 4 || !word_starts(t, "`(") || t.s[t.n - 1] != ')')
        return false;
    *out = cuda_label_use(r, (struct word){t.s + 2, t.n - 3});
    return true;
}

bool sass_operands(struct cuda_reader *r, const char *types, struct nak_operand *o)
{
    bool ok = r->args == strlen(types);
    for (uint32_t i = 0; ok && i < r->args; i++) {
        const struct word t = r->arg[i];
        switch (types[i]) {
        case 'r':
        case '2':
            ok = register_read(t, types[i] == '2' ? 2 : 1, &o[i]) && !o[i].neg;
            if (ok && o[i].kind == OPERAND_NUMBER)
                o[i] = cuda_none(); // RZ takes no value
            break;
        case 'u':
        case 'q':
            ok = sass_source(t, types[i] == 'q' ? 2 : 1, &o[i]);
            break;
        case 'p':
            ok = sass_predicate(t, &o[i]);
            break;
        case 'i':
            o[i] = cuda_number(0);
            ok = cuda_parse(t, &o[i].value);
            break;
        case 'L':
            ok = label_read(r, t, &o[i]);
            break;
        case 'B':
            o[i] = (struct nak_operand){.kind = OPERAND_B, .count = 1};
            ok = numbered(t, "B", BARRIERS, &o[i].reg);
            break;
        default:
            o[i] = cuda_none();
        }
    }
    return ok || cuda_refuse(r, "the operands of", r->whole);
}
