// SPDX-License-Identifier: Apache-2.0
//
// Reads the keys of a case file (docs/case-format.md), one function each. Input: the rest of a
// metadata line. Output: fields of the case, or an error.
#include "case_inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool read_dispatch(struct case_reader *r)
{
    for (int i = 0; i < 3; i++)
        if (!line_u32(&r->l, "a number of workgroups", 1, SPV_CASE_GROUPS, &r->c.groups[i]))
            return false;
    return line_end(&r->l);
}

static bool read_subgroup(struct case_reader *r)
{
    struct token t = line_token(&r->l);
    uint32_t n = 0;
    if (!token_is(t, "any") &&
        (!parse_u32(t.s, t.n, &n) || n == 0 || n > LANES_MAX || (n & (n - 1))))
        return line_bad(&r->l,
                        "the subgroup size is %s, a power of two from 1 to %d, or \"any\", "
                        "was expected",
                        line_shown(&r->l, t), LANES_MAX);
    r->c.subgroup = n;
    return line_end(&r->l);
}

static bool read_model(struct case_reader *r)
{
    struct token t = line_token(&r->l);
    for (int m = SPV_MAXIMAL; m <= SPV_ASSUMED_MAXIMAL; m++) {
        if (token_is(t, spv_model_name((enum spv_model)m))) {
            r->c.model = (enum spv_model)m;
            return line_end(&r->l);
        }
    }
    return line_bad(&r->l,
                    "the model is %s, maximal, subgroup-uniform, workgroup-uniform or "
                    "assumed-maximal was expected",
                    line_shown(&r->l, t));
}

static bool word_u32(struct case_reader *r)
{
    struct token t = line_token(&r->l);
    return token_is(t, "u32") || line_bad(&r->l, "%s, \"u32\" was expected", line_shown(&r->l, t));
}

static bool read_push(struct case_reader *r)
{
    uint32_t *words;
    if (!word_u32(r) || !line_words(&r->l, SPV_CASE_PUSH, &words, &r->c.push_count, &r->c.push_hex))
        return false;
    memcpy(r->c.push, words, r->c.push_count * sizeof *words);
    return true;
}

bool case_value(struct token t, const char *type, uint32_t *out)
{
    char s[64];
    if (t.n == 0 || t.n >= sizeof s)
        return false;
    if (parse_u32(t.s, t.n, out) && (type[0] != 'f' || (t.n > 2 && (t.s[1] | 32) == 'x')))
        return true; // for f32, hexadecimal numbers are the raw bits
    memcpy(s, t.s, t.n);
    s[t.n] = 0;
    if (type[0] == 'i' && s[0] == '-') {
        uint64_t v;
        if (!parse_u64(s + 1, t.n - 1, &v) || v > UINT64_C(0x80000000))
            return false;
        *out = (uint32_t)(0 - v);
        return true;
    }
    if (type[0] != 'f' || strspn(s, "0123456789.+-eE") != t.n)
        return false;
    char *end;
    float f = strtof(s, &end);
    if (*end || !isfinite(f))
        return false;
    memcpy(out, &f, sizeof f);
    return true;
}

static bool read_spec(struct case_reader *r)
{
    if (r->c.spec_count == SPV_CASE_SPECS)
        return line_bad(&r->l, "more than %d specialisation constants", SPV_CASE_SPECS);
    struct spv_spec *s = &r->c.spec[r->c.spec_count];
    if (!line_u32(&r->l, "the SpecId", 0, UINT32_MAX, &s->id))
        return false;
    for (uint32_t i = 0; i < r->c.spec_count; i++)
        if (r->c.spec[i].id == s->id)
            return line_bad(&r->l, "spec %u appears twice", s->id);
    struct token type = line_token(&r->l);
    if (!token_is(type, "u32") && !token_is(type, "i32") && !token_is(type, "f32"))
        return line_bad(&r->l, "%s, u32, i32 or f32 was expected", line_shown(&r->l, type));
    memcpy(s->type, type.s, 3);
    struct token value = line_token(&r->l);
    if (!case_value(value, s->type, &s->value))
        return line_bad(&r->l, "the value is %s, a number of type %s was expected",
                        line_shown(&r->l, value), s->type);
    r->c.spec_count++;
    return line_end(&r->l);
}

bool case_bytes(struct case_reader *r, uint64_t bytes)
{
    r->bytes += bytes;
    if (r->bytes > CASE_FILE_LIMIT)
        return line_bad(&r->l, "the buffers hold %llu bytes up to here, at most %d are allowed",
                        (unsigned long long)r->bytes, CASE_FILE_LIMIT);
    return true;
}

static bool buffer_fits(struct case_reader *r, uint32_t count)
{
    return case_bytes(r, (uint64_t)count * 4);
}

static bool buffer_file(struct case_reader *r, struct spv_buffer *b)
{
    struct token t = line_token(&r->l);
    bool plain = t.n > 0 && t.n < 200 && !memchr(t.s, '/', t.n) && t.s[0] != '.';
    for (size_t i = 0; i < t.n; i++)
        plain = plain && (unsigned char)t.s[i] > ' ';
    if (!plain)
        return line_bad(&r->l, "%s, the plain name of a file next to the case was expected",
                        line_shown(&r->l, t));
    b->file = arena_strn(r->l.arena, t.s, t.n);
    const char *path = case_path(r->l.arena, r->c.path, b->file);
    char *data;
    size_t size;
    struct err e = {{0}};
    if (!file_read(r->l.arena, path, (size_t)SPV_CASE_BUFFER_WORDS * 4, &data, &size, &e))
        return line_bad(&r->l, "%s", e.msg);
    if (size == 0 || size % 4)
        return line_bad(&r->l, "%s has %zu bytes, whole 4-byte words were expected", path, size);
    b->count = (uint32_t)(size / 4);
    b->words = (uint32_t *)(void *)data; // arena memory is aligned
    return buffer_fits(r, b->count);
}

bool case_fill(struct case_reader *r, struct spv_buffer *b)
{
    struct line *l = &r->l;
    struct token t = line_token(l);
    if (token_is(t, "u32")) {
        b->fill = SPV_FILL_WORDS;
        return line_words(l, SPV_CASE_BUFFER_WORDS, &b->words, &b->count, &b->hex) &&
               buffer_fits(r, b->count);
    }
    if (token_is(t, "file")) {
        b->fill = SPV_FILL_FILE;
        return buffer_file(r, b) && line_end(l);
    }
    if (token_is(t, "seed")) {
        b->fill = SPV_FILL_SEED;
        if (!line_u64(l, "the seed", 0, UINT64_MAX, &b->seed))
            return false;
    } else if (token_is(t, "zero")) {
        b->fill = SPV_FILL_ZERO;
    } else {
        return line_bad(l, "%s, u32, zero, seed or file was expected", line_shown(l, t));
    }
    if (!line_u32(l, "the number of words", 1, SPV_CASE_BUFFER_WORDS, &b->count) || !line_end(l) ||
        !buffer_fits(r, b->count))
        return false;
    b->words = ARENA_ARRAY(l->arena, uint32_t, b->count);
    if (b->fill == SPV_FILL_SEED)
        spv_seed_fill(b->seed, b->words, b->count);
    return true;
}

static bool read_buffer(struct case_reader *r)
{
    struct spv_buffer b = {0};
    if (r->c.buffer_count == SPV_CASE_BUFFERS)
        return line_bad(&r->l, "more than %d buffers", SPV_CASE_BUFFERS);
    if (!line_place(&r->l, &b.set, &b.binding))
        return false;
    if (spv_buffer_at(&r->c, b.set, b.binding) || spv_image_at(&r->c, b.set, b.binding))
        return line_bad(&r->l, "buffer %u:%u appears twice", b.set, b.binding);
    const char *here = r->l.p;
    const struct token many = line_token(&r->l);
    if (many.n < 2 || many.s[0] != 'x')
        r->l.p = here;
    else if (!parse_u32(many.s + 1, many.n - 1, &b.elements) || !b.elements ||
             b.elements > SPV_CASE_ELEMENTS)
        return line_bad(&r->l, "%s, x and the number of buffers (1 to %d) was expected",
                        line_shown(&r->l, many), SPV_CASE_ELEMENTS);
    if (!case_fill(r, &b))
        return false;
    if (b.elements && b.count % b.elements)
        return line_bad(&r->l, "%u words, the same number for each of %u buffers was expected",
                        b.count, b.elements);
    r->c.buffer[r->c.buffer_count++] = b;
    return true;
}

static bool read_expect(struct case_reader *r)
{
    if (r->c.expect_count == SPV_CASE_BUFFERS)
        return line_bad(&r->l, "more than %d expected buffers", SPV_CASE_BUFFERS);
    struct spv_memory m;
    if (!line_memory(&r->l, &m))
        return false;
    for (uint32_t i = 0; i < r->c.expect_count; i++)
        if (r->c.expect[i].set == m.set && r->c.expect[i].binding == m.binding)
            return line_bad(&r->l, "expect %u:%u appears twice", m.set, m.binding);
    r->expect_line[r->c.expect_count] = r->l.number;
    r->c.expect[r->c.expect_count++] = m;
    return true;
}

static bool read_log(struct case_reader *r)
{
    if (!line_place(&r->l, &r->c.log_set, &r->c.log_binding))
        return false;
    struct token t = line_token(&r->l);
    if (!token_is(t, "stride"))
        return line_bad(&r->l, "%s, \"stride\" was expected", line_shown(&r->l, t));
    r->c.has_log = true;
    return line_u32(&r->l, "the stride", 1, SPV_CASE_BUFFER_WORDS, &r->c.log_stride) &&
           line_end(&r->l);
}

static bool read_lanes(struct case_reader *r)
{
    r->c.has_lanes = true;
    if (!line_place(&r->l, &r->c.lanes_set, &r->c.lanes_binding))
        return false;
    const struct line before = r->l;
    r->c.lanes_packed = token_is(line_token(&r->l), "packed");
    if (!r->c.lanes_packed)
        r->l = before;
    return line_end(&r->l);
}

static bool read_policy(struct case_reader *r)
{
    struct err e;
    r->c.has_policy = true;
    if (!spv_choices_parse(r->l.p, (size_t)(r->l.end - r->l.p), &r->c.policy, &e))
        return line_bad(&r->l, "%s", e.msg);
    return true;
}

static bool read_verdict(struct case_reader *r)
{
    struct token t = line_token(&r->l);
    if (!token_is(t, "undefined") && !token_is(t, "invalid"))
        return line_bad(&r->l,
                        "the verdict is %s, \"undefined RULE\" or \"invalid RULE\" was "
                        "expected",
                        line_shown(&r->l, t));
    r->c.verdict = token_is(t, "undefined") ? SPV_VERDICT_UNDEFINED : SPV_VERDICT_INVALID;
    struct token rule = line_token(&r->l);
    if (rule.n == 0)
        return line_bad(&r->l, "the end of the line, the violated rule was expected");
    r->c.verdict_rule = arena_strn(r->l.arena, rule.s, rule.n);
    return line_end(&r->l);
}

static bool read_inputs(struct case_reader *r)
{
    if (!line_u32(&r->l, "the input set", 1, UINT32_MAX, &r->c.inputs_at))
        return false;
    struct token t = line_token(&r->l);
    if (!token_is(t, "of"))
        return line_bad(&r->l, "%s, \"of\" was expected", line_shown(&r->l, t));
    return line_u32(&r->l, "the number of input sets", r->c.inputs_at, UINT32_MAX,
                    &r->c.inputs_of) &&
           line_end(&r->l);
}

static bool read_from(struct case_reader *r)
{
    const char *s = r->l.p, *end = r->l.end;
    if (s < end && *s == ' ')
        s++;
    if (end > s && end[-1] == '\r')
        end--;
    if (s == end)
        return line_bad(&r->l, "the end of the line, the origin of the case was expected");
    r->c.from = arena_strn(r->l.arena, s, (size_t)(end - s));
    return true;
}

static const struct {
    const char *name;
    bool (*read)(struct case_reader *r);
    bool many;
} keys[KEYS] = {
    [KEY_STAGE] = {"stage", read_stage, false},
    [KEY_DISPATCH] = {"dispatch", read_dispatch, false},
    [KEY_TARGET] = {"target", read_target, false},
    [KEY_COVER] = {"cover", read_cover, false},
    [KEY_VERTICES] = {"vertices", read_vertices, false},
    [KEY_SUBGROUP] = {"subgroup", read_subgroup, false},
    [KEY_MODEL] = {"model", read_model, false},
    [KEY_PUSH] = {"push", read_push, false},
    [KEY_SPEC] = {"spec", read_spec, true},
    [KEY_BUFFER] = {"buffer", read_buffer, true},
    [KEY_IMAGE] = {"image", case_read_image, true},
    [KEY_SAMPLER] = {"sampler", case_read_sampler, true},
    [KEY_EXPECT] = {"expect", read_expect, true},
    [KEY_LOG] = {"log", read_log, false},
    [KEY_LANES] = {"lanes", read_lanes, false},
    [KEY_COVERAGE] = {"coverage", read_coverage, false},
    [KEY_POLICY] = {"policy", read_policy, false},
    [KEY_VERDICT] = {"verdict", read_verdict, false},
    [KEY_INPUTS] = {"inputs", read_inputs, false},
    [KEY_FROM] = {"from", read_from, false},
};

bool case_key(struct case_reader *r)
{
    for (const char *p = r->l.p; p < r->l.end; p++)
        if ((unsigned char)*p < ' ' && *p != '\t' && (*p != '\r' || p + 1 < r->l.end))
            return line_bad(&r->l, "a control character (byte %d), text was expected", *p);
    r->l.p++; // the semicolon
    struct token t = line_token(&r->l);
    for (int k = 0; k < KEYS; k++) {
        if (!token_is(t, keys[k].name))
            continue;
        if (r->seen[k] && !keys[k].many)
            return line_bad(&r->l, "%s appears twice, first on line %zu", keys[k].name, r->seen[k]);
        r->seen[k] = r->l.number;
        if (keys[k].read(r))
            return true;
        // Messages begin with the place; insert the key after it.
        char place[512];
        int n = snprintf(place, sizeof place, "%s:%zu: ", r->l.path, r->l.number);
        if (r->l.e && n > 0 && strncmp(r->l.e->msg, place, (size_t)n) == 0) {
            struct err old = *r->l.e;
            err_set(r->l.e, "%s%s: %s", place, keys[k].name, old.msg + n);
        }
        return false;
    }
    return line_bad(
        &r->l,
        "unknown key %s; the keys are stage, dispatch, target, cover, vertices, subgroup, model, "
        "push, spec, buffer, image, sampler, expect, log, lanes, coverage, policy, verdict, "
        "inputs, from "
        "(a comment may stand after an empty line)",
        line_shown(&r->l, t));
}
