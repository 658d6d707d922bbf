// SPDX-License-Identifier: Apache-2.0
//
// Reads a case (docs/case-format.md). Input: any bytes. Output: a complete case, or false with one
// line that names path and line, what was found and what was expected. case_keys.c reads the keys.
#include "case_inner.h"

#include <string.h>

static bool first_line(struct case_reader *r, const char *start)
{
    struct token semicolon = line_token(&r->l), key = line_token(&r->l);
    if (semicolon.s != start || !token_is(semicolon, ";") || !token_is(key, "tanglefuzz-case"))
        return line_bad(&r->l, "not a case file: \"; tanglefuzz-case %d\" was expected",
                        CASE_FORMAT);
    struct token version = line_token(&r->l);
    uint32_t n;
    if (!parse_u32(version.s, version.n, &n) || n != CASE_FORMAT)
        return line_bad(&r->l, "case format %s, this program reads format %d",
                        line_shown(&r->l, version), CASE_FORMAT);
    return line_end(&r->l);
}

// Checks constraints between keys.
static bool consistent(struct case_reader *r)
{
    struct spv_case *c = &r->c;
    static const struct {
        enum key key;
        const char *name;
    } required[] = {{KEY_SUBGROUP, "subgroup"}, {KEY_MODEL, "model"}};
    if (!stage_consistent(r))
        return false;
    for (size_t i = 0; i < sizeof required / sizeof *required; i++)
        if (!r->seen[required[i].key])
            return line_bad(&r->l, "the metadata ends here without \"; %s\", which is required",
                            required[i].name);
    for (uint32_t i = 0; i < c->expect_count; i++) {
        const struct spv_memory *m = &c->expect[i];
        const struct spv_buffer *b = spv_buffer_at(c, m->set, m->binding);
        r->l.number = r->expect_line[i];
        if (c->subgroup == 0)
            return line_bad(&r->l, "expect with \"subgroup any\", which has no single result");
        if (c->verdict != SPV_VERDICT_NONE)
            return line_bad(&r->l, "expect with a verdict: such a program has no memory to expect");
        if (!b)
            return line_bad(&r->l, "expect %u:%u has no buffer %u:%u", m->set, m->binding, m->set,
                            m->binding);
        if (b->count != m->count)
            return line_bad(&r->l, "expect %u:%u has %u words, the buffer has %u", m->set,
                            m->binding, m->count, b->count);
    }
    if (!case_images_consistent(r))
        return false;
    r->l.number = r->seen[KEY_LOG];
    if (c->has_log && !spv_buffer_at(c, c->log_set, c->log_binding))
        return line_bad(&r->l, "log %u:%u has no such buffer", c->log_set, c->log_binding);
    r->l.number = r->seen[KEY_LANES];
    if (c->has_lanes && !spv_buffer_at(c, c->lanes_set, c->lanes_binding))
        return line_bad(&r->l, "lanes %u:%u has no such buffer", c->lanes_set, c->lanes_binding);
    return coverage_consistent(r);
}

static bool read_module(struct case_reader *r, struct spv_tools *t, size_t line)
{
    size_t at;
    size_t size = strlen(r->c.body);
    r->l.number = line;
    struct err e = {{0}};
    if (!tools_assemble(t, r->l.arena, r->c.body, size, &r->c.words, &r->c.count, &at, &e)) {
        r->l.number += at;
        return line_bad(&r->l, "not SPIR-V assembly: %s", e.msg);
    }
    if (r->c.count <= 5)
        return line_bad(&r->l, "no instructions, a module in SPIR-V assembly was expected");
    return stage_fits_module(r);
}

bool spv_case_parse(struct spv_tools *t, struct arena *a, const char *path, const char *text,
                    size_t size, struct spv_case *out, struct err *e)
{
    struct case_reader *r = ARENA_NEW(a, struct case_reader);
    r->l = (struct line){.arena = a, .path = path ? path : "case", .e = e};
    r->c.path = path ? arena_str(a, path) : NULL;
    const char *end = text + size, *p = line_start(&r->l, text, end);
    if (!first_line(r, text))
        return false;
    while (p < end && *p == ';') {
        p = line_start(&r->l, p, end);
        if (!case_key(r))
            return false;
    }
    size_t body_line = r->l.number + 1;
    const char *nul = memchr(p, 0, (size_t)(end - p));
    r->l.number = body_line;
    if (!consistent(r))
        return false;
    if (nul) {
        for (r->l.number = body_line; p < nul; p++)
            r->l.number += *p == '\n';
        return line_bad(&r->l, "a NUL byte, assembly text was expected");
    }
    r->c.body = arena_strn(a, p, (size_t)(end - p));
    if (!read_module(r, t, body_line))
        return false;
    *out = r->c;
    return true;
}
