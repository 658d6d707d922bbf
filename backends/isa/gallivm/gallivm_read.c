// SPDX-License-Identifier: Apache-2.0
//
// Parses a module: its functions and their labels. Declarations and what describes the target are
// left out.
#include "gallivm_program.h"

enum { TEXT = 8 << 20, INSTS = 1 << 18, PARAMS = 64 };

// "ptr noalias %0, i32 %1) {"
static bool read_params(struct gv_reader *r, struct word *at, struct gv_function *f)
{
    uint32_t param[PARAMS];
    while (!gv_take(at, ")")) {
        gv_take(at, ",");
        const struct gv_type *t = gv_read_type(r, at);
        while (t && (gv_blanks(at), at->n && *at->s != '%')) // attributes
            if (!gv_word(at).n)
                return gv_refuse(r, "the parameter", *at);
        if (!t || f->params == PARAMS)
            return gv_refuse(r, "the parameter", *at);
        const uint32_t v = gv_read_name(r, at, t);
        if (v == GV_NONE || r->value.v[v].defined)
            return gv_refuse(r, "the parameter", *at);
        r->value.v[v].defined = true;
        param[f->params++] = v;
    }
    f->param = arena_copy(r->a, param, f->params * sizeof *param);
    return true;
}

static bool function_begins(struct gv_reader *r, struct word at)
{
    struct gv_function f = {.first = (uint32_t)r->inst.n};
    while (at.n && *at.s != '@')
        at = word_after(at, 1);
    if (!gv_take(&at, "@"))
        return gv_refuse(r, "the function", at);
    const struct word name = gv_word(&at);
    memset(r->name, 0, GV_NAMES * sizeof *r->name);
    r->names = r->slots = 0;
    r->first = (uint32_t)r->value.n;
    f.name = arena_strn(r->a, name.s, name.n);
    if (!gv_take(&at, "(") || !read_params(r, &at, &f))
        return gv_refuse(r, "the function", name);
    *VEC_PUSH(r->a, &r->function) = f;
    return true;
}

// Every path must end in the function, every name must be defined.
static bool function_ends(struct gv_reader *r)
{
    struct gv_function *f = &r->function.v[r->function.n - 1];
    const struct gv_inst *last = r->inst.n > f->first ? &r->inst.v[r->inst.n - 1] : NULL;
    const struct word none = {"", 0};
    f->slots = r->slots;
    if (!last ||
        (last->op != GV_RET && last->op != GV_BR && last->op != GV_BR_IF && last->op != GV_SWITCH))
        return gv_refuse(r, "a function without an end", none);
    for (uint32_t i = r->first; i < r->value.n; i++) {
        const struct gv_value *v = &r->value.v[i];
        r->line = v->line ? v->line : r->line;
        if (v->type ? !v->defined : v->target == GV_NONE)
            return gv_refuse(r, "a name that is not defined", none);
    }
    return true;
}

static bool read_label(struct gv_reader *r, struct word at)
{
    const char *colon = memchr(at.s, ':', at.n);
    if (!colon)
        return gv_refuse(r, "the line", at);
    struct word name = {arena_printf(r->a, "%%%.*s", (int)(colon - at.s), at.s),
                        (size_t)(colon - at.s) + 1};
    const uint32_t v = gv_read_name(r, &name, NULL);
    if (v == GV_NONE || name.n || r->value.v[v].target != GV_NONE)
        return gv_refuse(r, "the label", at);
    r->value.v[v].target = (uint32_t)r->inst.n;
    return true;
}

static bool read_lines(struct gv_reader *r, const char *text)
{
    bool inside = false, cases = false;
    for (struct word line; text_line(&text, &line);) {
        r->line++;
        if (!line.n || *line.s == ';')
            continue;
        bool good = true;
        if (!inside) {
            inside = word_starts(line, "define ");
            good = !inside || function_begins(r, line);
        } else if (word_is(line, "}")) {
            inside = false;
            good = function_ends(r);
        } else if (cases) {
            gv_blanks(&line);
            cases = !word_starts(line, "]");
            good = gv_read_case(r, line);
        } else if (*line.s != ' ') {
            good = read_label(r, line);
        } else {
            good = gv_read_inst(r, line);
            cases = good && r->inst.v[r->inst.n - 1].op == GV_SWITCH;
        }
        if (!good)
            return false;
        if (r->inst.n > INSTS)
            return gv_refuse(r, "too many instructions:", line);
    }
    return !inside || gv_refuse(r, "a function without an end", (struct word){"", 0});
}

const struct isa_code *gallivm_read(struct arena *a, const char *text, uint32_t size,
                                    struct isa_result *why)
{
    struct gv_reader *r = ARENA_NEW(a, struct gv_reader);
    struct gv_program *p = ARENA_NEW(a, struct gv_program);
    r->a = a;
    r->p = p;
    r->why = why;
    r->name = ARENA_ARRAY(a, struct word, GV_NAMES);
    r->named = ARENA_ARRAY(a, uint32_t, GV_NAMES);
    *why = (struct isa_result){0};
    if (strlen(text) > TEXT) {
        isa_refuse(why, RAN_UNSUPPORTED, 0, "a text of more than %d bytes", TEXT);
        return NULL;
    }
    if (!read_lines(r, text)) {
        gv_refuse(r, "the line", (struct word){"", 0});
        return NULL;
    }
    *p = (struct gv_program){.code.run = gv_run,
                             .size = size,
                             .inst = r->inst.v,
                             .count = (uint32_t)r->inst.n,
                             .value = r->value.v,
                             .values = (uint32_t)r->value.n,
                             .constant = r->constant.v,
                             .undefined = r->undefined.v,
                             .constants = (uint32_t)r->constant.n,
                             .function = r->function.v,
                             .functions = (uint32_t)r->function.n};
    while (p->main < p->functions && strcmp(p->function[p->main].name, "cs_variant") != 0)
        p->main++;
    if (p->main == p->functions) {
        isa_refuse(why, RAN_INVALID, 0, "no function cs_variant");
        return NULL;
    }
    return &p->code;
}
