// SPDX-License-Identifier: Apache-2.0
//
// Splits what a debug build of Mesa prints with NIR_DEBUG=print: the name of each pass of NIR on a
// line of its own and, if the pass changed the shader, the shader. The first one may have no name.
// A few passes are printed in any case, as RADV's first one, which changes no compute shader: so
// its level is what spirv_to_nir makes.
#include "levels_inner.h"

struct nir_splitter {
    struct arena *a;
    struct err *e;
    uint32_t line;
    VEC(struct level) level;
    struct text text;
    struct word pass, source; // the last line that may be a pass; what identifies the shader
    bool inside, open, ended; // in a shader; in a function of it; after one
};

static bool is_name(struct word line)
{
    for (size_t i = 0; i < line.n; i++) {
        const char c = line.s[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '_'))
            return false;
    }
    return line.n > 0;
}

static void shader_ends(struct nir_splitter *s)
{
    if (s->inside)
        s->level.v[s->level.n - 1].text = s->text.v ? s->text.v : "";
    s->inside = s->ended = false;
}

static bool shader_begins(struct nir_splitter *s)
{
    if (s->inside && (s->open || !s->ended))
        return err_set(s->e,
                       "the dump is cut: the level of '%s' has no end (line %u); expected whole "
                       "functions",
                       s->level.v[s->level.n - 1].pass, s->line);
    shader_ends(s);
    *VEC_PUSH(s->a, &s->level) = (struct level){
        .pass = s->pass.n ? arena_strn(s->a, s->pass.s, s->pass.n) : "NIR",
        .line = s->line,
        .language = LEVEL_NIR,
    };
    s->text = (struct text){.arena = s->a};
    s->inside = true;
    return true;
}

static bool same_shader(struct nir_splitter *s, struct word line)
{
    if (!word_starts(line, "source_"))
        return true;
    if (s->source.n && (s->source.n != line.n || memcmp(s->source.s, line.s, line.n) != 0))
        return err_set(s->e, "the dump holds 2 shaders (line %u); expected one", s->line);
    s->source = line;
    return true;
}

static bool one_line(struct nir_splitter *s, struct word line)
{
    static const char stage[] = "shader: ";
    if (word_starts(line, stage) && !word_is(line, "shader: MESA_SHADER_COMPUTE"))
        return err_set(s->e, "the dump holds a shader of another stage (line %u): '%.*s'", s->line,
                       (int)(line.n < 60 ? line.n : 60), line.s);
    if (word_starts(line, stage) && !shader_begins(s))
        return false;
    if (s->inside && s->ended && !s->open && line.n && !word_starts(line, "impl ") &&
        !word_starts(line, "decl_function "))
        shader_ends(s);
    if (!s->inside) {
        s->pass = is_name(line) ? line : (struct word){"", 0};
        return true;
    }
    s->open |= word_starts(line, "impl ");
    text_addn(&s->text, line.s, line.n);
    text_addn(&s->text, "\n", 1);
    if (s->open && word_is(line, "}")) {
        s->open = false;
        s->ended = true;
    }
    return same_shader(s, line);
}

bool levels_read_nir(struct arena *a, const char *dump, struct levels *out, struct err *e)
{
    struct nir_splitter s = {.a = a, .e = e};
    for (struct word line; text_line(&dump, &line);) {
        s.line++;
        if (!one_line(&s, line))
            return false;
    }
    if (!s.level.n)
        return err_set(e, "not a dump of nir: expected lines 'PASS' and 'shader: "
                          "MESA_SHADER_COMPUTE'");
    if (s.inside && (s.open || !s.ended))
        return err_set(e,
                       "the dump is cut: the level of '%s' has no end (line %u); expected whole "
                       "functions",
                       s.level.v[s.level.n - 1].pass, s.line);
    shader_ends(&s);
    out->n = (uint32_t)s.level.n;
    out->v = s.level.v;
    out->from_start = strcmp(out->v[0].pass, "nir_lower_sysvals_to_varyings") == 0;
    if (out->from_start)
        out->v[0].pass = "spirv_to_nir";
    return true;
}
