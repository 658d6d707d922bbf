// SPDX-License-Identifier: Apache-2.0
//
// Parses text into a program. A line is the head of a block, an instruction, or the start or end of
// a construct. Unknown text is refused with its line. Values and blocks are named before their
// uses, except in phis, so names are resolved at a function's end.
#include "nir_reader.h"

enum { TEXT = 4 << 20, INSTS = 1 << 17, CALLS = 16 };

#define starts text_starts

// ---- structure -------------------------------------------------------------

static bool push(struct reader *r, enum nir_id id, uint32_t inst)
{
    if (r->depth == NIR_NESTING)
        return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "more than %d nested constructs",
                          NIR_NESTING);
    r->open[r->depth++] = (struct open){id, inst};
    return true;
}

// Reads "if %3 {", with optional hints for the back end.
static bool read_if(struct reader *r, const char *s, size_t n)
{
    struct nir_src src;
    nir_skip(&s, &n, 2);
    if (!nir_source_read(&s, &n, &src) || !n || s[n - 1] != '{')
        return nir_refuse(r, "if", s, n);
    struct nir_inst *in = nir_add(r, NIR_IF);
    nir_sources_keep(r, in, &src, 1);
    return push(r, NIR_IF, (uint32_t)r->inst.n - 1);
}

static bool read_else(struct reader *r)
{
    if (!r->depth || r->open[r->depth - 1].id != NIR_IF)
        return isa_refuse(r->why, RAN_INVALID, r->line, "an else without an if");
    const uint32_t at = (uint32_t)r->inst.n;
    nir_add(r, NIR_ELSE);
    r->inst.v[r->open[r->depth - 1].inst].target = at;
    r->open[r->depth - 1] = (struct open){NIR_ELSE, at};
    return true;
}

static bool read_end(struct reader *r)
{
    if (r->depth == r->s.depth) {
        r->done = true;
        return true;
    }
    const struct open o = r->open[--r->depth];
    const uint32_t at = (uint32_t)r->inst.n;
    if (o.id == NIR_IF)
        return isa_refuse(r->why, RAN_INVALID, r->line, "an if without an else");
    struct nir_inst *in = nir_add(r, o.id == NIR_LOOP ? NIR_ENDLOOP : NIR_ENDIF);
    if (o.id == NIR_LOOP)
        in->target = o.inst;
    r->inst.v[o.inst].target = at;
    return true;
}

static bool read_jump(struct reader *r, enum nir_id id)
{
    uint32_t i = r->depth;
    while (i > r->s.depth && r->open[i - 1].id != NIR_LOOP)
        i--;
    if (i == r->s.depth)
        return isa_refuse(r->why, RAN_INVALID, r->line, "a break or continue outside of a loop");
    nir_add(r, id)->target = i - 1; // the nesting depth of the loop
    return true;
}

// Reads "goto b1" or "goto b2 if %9 else b3".
static bool read_goto(struct reader *r, const char *s, size_t n)
{
    uint32_t to[2] = {0};
    struct nir_src src = {0};
    uint32_t srcs = 0;
    nir_skip(&s, &n, 4);
    if (!nir_number_read(&s, &n, 'b', &to[0]))
        return nir_refuse(r, "goto", s, n);
    if (n) {
        nir_skip(&s, &n, 0);
        if (!starts(s, n, "if "))
            return nir_refuse(r, "goto", s, n);
        nir_skip(&s, &n, 3);
        if (!nir_source_read(&s, &n, &src) || !starts(s, n, " else b"))
            return nir_refuse(r, "goto", s, n);
        nir_skip(&s, &n, 6);
        if (!nir_number_read(&s, &n, 'b', &to[1]) || n)
            return nir_refuse(r, "goto", s, n);
        srcs = 1;
    }
    struct nir_inst *in = nir_add(r, srcs ? NIR_GOTO_IF : NIR_GOTO);
    nir_sources_keep(r, in, &src, srcs);
    in->target = to[0];
    in->other = to[1];
    r->p->jumps = true;
    return true;
}

static void begin_block(struct reader *r, uint32_t k)
{
    r->s.at = k;
    nir_add(r, NIR_BLOCK)->target = k + r->s.number * (uint32_t)NIR_NAMES;
}

static bool read_block(struct reader *r, const char *s, size_t n)
{
    uint32_t k;
    nir_skip(&s, &n, 6);
    if (!nir_number_read(&s, &n, 'b', &k) || !n || *s != ':')
        return nir_refuse(r, "block", s, n);
    if (*nir_named(r->a, &r->s.block, k))
        return isa_refuse(r->why, RAN_INVALID, r->line, "b%u is defined twice", k);
    *nir_named(r->a, &r->s.block, k) = (uint32_t)r->inst.n + 1;
    begin_block(r, k);
    return true;
}

static bool link(struct reader *r);
static bool read_function(struct reader *r, const struct nir_function *f);

// Reads "call NAME %3, %4".
static bool read_call(struct reader *r, struct word s)
{
    const size_t k = strcspn(s.s, " \n");
    const struct word name = {s.s, k < s.n ? k : s.n};
    const uint32_t line = r->line;
    struct nir_inst call = {.line = line};
    const struct nir_function *f = r->function, *end = f + r->functions;
    while (f < end && !(f->name.n == name.n && memcmp(f->name.s, name.s, name.n) == 0))
        f++;
    s = word_after(s, name.n);
    nir_skip(&s.s, &s.n, 0);
    if (f == end || r->calls == CALLS)
        return nir_refuse(r, "a call of", name.s, name.n);
    if (!nir_sources_read(r, &call, &s.s, &s.n, 0))
        return false;
    for (uint32_t i = 0; i < call.srcs; i++)
        if (!nir_source_link(r, &call, &call.src[i]))
            return false;
    const struct scope caller = r->s;
    r->s = (struct scope){.number = ++r->scopes, .argument = call.src, .arguments = call.srcs};
    r->calls++;
    nir_add(r, NIR_LOOP);
    const uint32_t loop = (uint32_t)r->inst.n - 1;
    if (!push(r, NIR_LOOP, loop))
        return false;
    r->s.first = (uint32_t)r->inst.n;
    r->s.depth = r->depth;
    if (!read_function(r, f))
        return false;
    r->done = false;
    r->line = line;
    if (!link(r))
        return false;
    nir_add(r, NIR_BREAK)->target = r->depth - 1;
    r->calls--;
    r->s = caller;
    if (!read_end(r))
        return false;
    begin_block(r, caller.at);
    return true;
}

// Leaves the function: the loop in place of its call, or the program.
static void read_return(struct reader *r)
{
    if (r->calls)
        nir_add(r, NIR_BREAK)->target = r->s.depth - 1;
    else
        nir_add(r, NIR_RETURN);
}

static bool read_body(struct reader *r, const char *s, size_t n)
{
    const bool uniform = starts(s, n, "con ");
    if (uniform || starts(s, n, "div "))
        nir_skip(&s, &n, 4);
    if (starts(s, n, "if %"))
        return read_if(r, s, n);
    if (starts(s, n, "loop") && s[n - 1] == '{') {
        nir_add(r, NIR_LOOP);
        return push(r, NIR_LOOP, (uint32_t)r->inst.n - 1);
    }
    for (size_t i = 0; i + 1 < n; i++)
        if (s[i] == '/' && s[i + 1] == '/')
            n = i;
    while (n && s[n - 1] == ' ')
        n--;
    if (!n || starts(s, n, "preamble @"))
        return true;
    if (starts(s, n, "decl_var "))
        return nir_variable_read(r->a, r->p, (struct word){s, n}, r->line, r->why);
    if (starts(s, n, "call "))
        return read_call(r, (struct word){s + 5, n - 5});
    if (starts(s, n, "return") && n == 6) {
        read_return(r);
        return true;
    }
    if (starts(s, n, "block b"))
        return read_block(r, s, n);
    if (starts(s, n, "} else {") && n == 8)
        return read_else(r);
    if (*s == '}' && n == 1)
        return read_end(r);
    if (starts(s, n, "break") && n == 5)
        return read_jump(r, NIR_BREAK);
    if (starts(s, n, "continue") && n == 8)
        return read_jump(r, NIR_CONTINUE);
    if (starts(s, n, "goto "))
        return read_goto(r, s, n);
    if (*s == '@')
        return nir_operation_read(r, s, n, NIR_NO_DEF);
    return nir_definition_read(r, s, n, uniform);
}

// Resolves the names of a function's instructions.
static bool link(struct reader *r)
{
    for (size_t i = r->s.first; i < r->inst.n; i++) {
        struct nir_inst *in = &r->inst.v[i];
        for (uint32_t k = 0; k < in->srcs && !in->linked; k++)
            if (!nir_source_link(r, in, &in->src[k]))
                return false;
        if (!in->linked && (in->id == NIR_GOTO || in->id == NIR_GOTO_IF)) {
            const uint32_t to[2] = {*nir_named(r->a, &r->s.block, in->target),
                                    *nir_named(r->a, &r->s.block, in->other)};
            if (!to[0] || (in->id == NIR_GOTO_IF && !to[1]))
                return isa_refuse(r->why, RAN_INVALID, in->line, "no such block");
            in->target = to[0] - 1;
            in->other = in->id == NIR_GOTO_IF ? to[1] - 1 : 0;
        }
        in->linked = true;
    }
    return true;
}

// ---- functions -------------------------------------------------------------

// Reads the lines of a function up to its "}".
static bool read_function(struct reader *r, const struct nir_function *f)
{
    const char *at = f->body;
    r->line = f->line;
    for (struct word one; !r->done && text_line(&at, &one);) {
        r->line++;
        while (one.n && strchr(" \r\t", one.s[one.n - 1]))
            one.n--;
        nir_skip(&one.s, &one.n, 0);
        if (r->inst.n > INSTS)
            return isa_refuse(r->why, RAN_INVALID, r->line, "more than %d instructions", INSTS);
        if (one.n && !read_body(r, one.s, one.n))
            return false;
    }
    return r->done || isa_refuse(r->why, RAN_INVALID, 0, "no complete function");
}

// Reads the variables of the whole text, which stand before the functions.
static bool read_globals(struct reader *r, const char *text)
{
    for (struct word one; r->line + 1 < r->function[0].line && text_line(&text, &one);) {
        r->line++;
        if (word_starts(one, "decl_var ") && !nir_variable_read(r->a, r->p, one, r->line, r->why))
            return false;
    }
    return true;
}

static bool finish(struct reader *r)
{
    struct nir_program *p = r->p;
    if (!link(r))
        return false;
    for (size_t i = 0; i < p->variable.n; i++) {
        struct nir_variable *v = &p->variable.v[i];
        const uint32_t words = v->bytes / 4;
        if (v->mode != NIR_SYSTEM || !words || words > NIR_COMPONENTS)
            continue;
        v->def = (uint32_t)r->def.n;
        *VEC_PUSH(r->a, &r->def) =
            (struct nir_def){.bits = 32, .components = (uint8_t)words, .at = p->components};
        p->components += words;
    }
    p->inst = r->inst.v;
    p->count = (uint32_t)r->inst.n;
    p->def = r->def.v;
    p->defs = (uint32_t)r->def.n;
    for (uint32_t i = 0; i < p->count; i++) {
        p->counts_barriers |= p->inst[i].id == NIR_MUTEX;
        if (!nir_types_fit(p, &p->inst[i], r->why))
            return false;
    }
    return nir_deref_link(r->a, p, r->why);
}

// Reads the text up to `end`; `line` is the number of lines before it.
static struct nir_program *read_text(struct arena *a, const char *text, const char *end,
                                     enum nir_driver driver, uint32_t size, uint32_t line,
                                     struct isa_result *why)
{
    struct nir_program *p = ARENA_NEW(a, struct nir_program);
    struct reader r = {.a = a, .p = p, .why = why, .line = line};
    struct nir_function *f;
    uint32_t entry = UINT32_MAX;
    p->code.run = nir_run;
    p->driver = driver;
    p->size = size;
    if (end - text > TEXT) {
        isa_refuse(why, RAN_INVALID, 0, "a text that is too long");
        return NULL;
    }
    r.functions = nir_functions_find(a, text, end, &f);
    r.function = f;
    for (uint32_t i = 0; i < r.functions; i++) {
        f[i].line += line;
        if (f[i].entry && entry != UINT32_MAX) {
            isa_refuse(why, RAN_UNSUPPORTED, f[i].line, "a second function");
            return NULL;
        }
        entry = f[i].entry ? i : entry;
    }
    if (entry == UINT32_MAX) {
        isa_refuse(why, RAN_INVALID, 0, "no complete function");
        return NULL;
    }
    return read_globals(&r, text) && read_function(&r, &f[entry]) && finish(&r) ? p : NULL;
}

const struct isa_code *nir_read(struct arena *a, const char *text, enum nir_driver driver,
                                uint32_t size, struct isa_result *why)
{
    *why = (struct isa_result){0};
    if (!size || size > NIR_LANES) {
        isa_refuse(why, RAN_INVALID, 0, "subgroups of %u lanes", size);
        return NULL;
    }
    const char *end = text + strlen(text);
    const char *second = driver == NIR_HONEYKRISP || driver == NIR_TURNIP
                             ? strstr(text, "\nimpl @preamble {")
                             : NULL;
    struct nir_program *p = read_text(a, text, second ? second : end, driver, size, 0, why);
    if (!p || !second)
        return p ? &p->code : NULL;
    uint32_t line = 1;
    for (const char *at = text; at < second; at++)
        line += *at == '\n';
    p->preamble = read_text(a, second + 1, end, driver, size, line, why);
    return p->preamble ? &p->code : NULL;
}
