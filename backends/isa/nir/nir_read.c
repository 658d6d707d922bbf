// SPDX-License-Identifier: Apache-2.0
//
// Parses text into a program. A line is the head of a block, an instruction, or the start or end of
// a construct. Unknown text is refused with its line. Values and blocks are named before their
// uses, except in phis, so names are resolved at the end.
#include "isa/isa_text.h"
#include "nir_program.h"

enum { TEXT = 4 << 20, INSTS = 1 << 17, NAMES = 1 << 20, SOURCES = 256 };

struct open {
    enum nir_id id; // NIR_IF, NIR_ELSE or NIR_LOOP
    uint32_t inst;
};

struct reader {
    struct arena *a;
    struct nir_program *p;
    struct isa_result *why;
    uint32_t line;
    VEC(struct nir_inst) inst;
    VEC(struct nir_def) def;
    struct words name;  // by the number of a value: its definition + 1
    struct words block; // by the number of a block: its instruction + 1
    struct open open[NIR_NESTING];
    uint32_t depth;
    bool inside, done;
};

#define starts text_starts

static bool refuse(struct reader *r, const char *what, const char *s, size_t n)
{
    return word_refuse(r->why, r->line, what, (struct word){s, n});
}

static void skip(const char **s, size_t *n, size_t k)
{
    *s += k;
    *n -= k;
    while (*n && (**s == ' ' || **s == '\t')) {
        ++*s;
        --*n;
    }
}

static struct nir_inst *add(struct reader *r, enum nir_id id)
{
    struct nir_inst *in = VEC_PUSH(r->a, &r->inst);
    *in = (struct nir_inst){.id = id, .line = r->line, .def = NIR_NO_DEF};
    return in;
}

// Returns the entry of a number; extends the table if necessary.
static uint32_t *named(struct arena *a, struct words *names, uint32_t number)
{
    while (names->n <= number)
        *VEC_PUSH(a, names) = 0;
    return &names->v[number];
}

// ---- names -----------------------------------------------------------------

static bool number_after(const char **s, size_t *n, char mark, uint32_t *out)
{
    size_t k = 1;
    while (k < *n && (*s)[k] >= '0' && (*s)[k] <= '9')
        k++;
    if (!*n || **s != mark || !parse_u32(*s + 1, k - 1, out) || *out >= NAMES)
        return false;
    *s += k;
    *n -= k;
    return true;
}

// Reads an optional ".xy".
static bool read_components(const char **s, size_t *n, struct nir_src *out)
{
    size_t k = 1;
    if (!*n || **s != '.')
        return true;
    for (; k < *n && (*s)[k] >= 'a' && (*s)[k] <= 'z' && out->count < NIR_COMPONENTS; k++) {
        const char c = (*s)[k]; // of more than four components they are a to p
        out->component[out->count++] = (uint8_t)(c == 'w' ? 3 : c >= 'x' ? c - 'x' : c - 'a');
        if (out->component[out->count - 1] >= NIR_COMPONENTS)
            return false;
    }
    *s += k;
    *n -= k;
    return out->count > 0;
}

// Reads "%3", "%3.xy", "%3 (0x2)" or "%3 (0x0, 0x20).y". `def` is the number of the value until
// names are resolved; `count` 0: all components.
static bool read_source(const char **s, size_t *n, struct nir_src *out)
{
    *out = (struct nir_src){0};
    if (!number_after(s, n, '%', &out->def) || !read_components(s, n, out))
        return false;
    // The value of a constant.
    if (*n > 1 && **s == ' ' && (*s)[1] == '(') {
        const char *close = memchr(*s, ')', *n);
        if (!close)
            return false;
        *n -= (size_t)(close + 1 - *s);
        *s = close + 1;
        return out->count || read_components(s, n, out);
    }
    return true;
}

static void keep_sources(struct reader *r, struct nir_inst *in, const struct nir_src *src,
                         uint32_t n)
{
    in->srcs = n;
    in->src = arena_copy(r->a, src, n * sizeof *src);
}

// Reads "%3, %4.x" to the end or to `stop`.
static bool read_sources(struct reader *r, struct nir_inst *in, const char **s, size_t *n,
                         char stop)
{
    struct nir_src src[NIR_COMPONENTS] = {0};
    uint32_t k = 0;
    while (*n && **s != stop) {
        if (k == NIR_COMPONENTS || !read_source(s, n, &src[k++]))
            return refuse(r, "operands", *s, *n);
        if (*n && **s == ',')
            skip(s, n, 1);
        else if (*n && **s != stop)
            return refuse(r, "operands", *s, *n);
    }
    keep_sources(r, in, src, k);
    return true;
}

// ---- instructions ----------------------------------------------------------

static bool find(const char *s, size_t n, bool intrinsic, enum nir_id *out)
{
    for (int i = 0; i < NIR_IDS; i++) {
        const struct nir_op *op = &nir_ops[i];
        if (*op->name && op->intrinsic == intrinsic && strlen(op->name) == n &&
            memcmp(op->name, s, n) == 0) {
            *out = (enum nir_id)i;
            return true;
        }
    }
    return false;
}

// Reads "(0x00000000, 0x00000020) = (0, 32)", "(true)" or "(0x00000001 = 0.000000)".
static bool read_constant(struct reader *r, struct nir_inst *in, const char *s, size_t n,
                          uint32_t components)
{
    in->number = ARENA_ARRAY(r->a, uint64_t, components);
    const char *all = s;
    if (!n || *s != '(')
        return refuse(r, "constant", s, n);
    for (uint32_t i = 0; i < components; i++) {
        skip(&s, &n, 1);
        size_t k = 0;
        while (k < n && s[k] != ',' && s[k] != ')' && s[k] != ' ')
            k++;
        if (starts(s, n, "true"))
            in->number[i] = 1;
        else if (!starts(s, n, "false") && !parse_u64(s, k, &in->number[i]))
            return refuse(r, "constant", all, n);
        s += k;
        n -= k;
        if (!n || (*s == ')') != (i + 1 == components)) {
            if (n && *s == ' ' && i + 1 == components)
                return true; // followed by the same value as decimal or float
            return refuse(r, "constant", all, n);
        }
    }
    return true;
}

// Reads "b0: %41 (0x0), b4: %27".
static bool read_phi(struct reader *r, struct nir_inst *in, const char *s, size_t n)
{
    struct nir_src src[SOURCES] = {0};
    uint64_t from[SOURCES] = {0};
    uint32_t k = 0, block;
    while (n) {
        if (k == SOURCES || !number_after(&s, &n, 'b', &block) || !starts(s, n, ": "))
            return refuse(r, "phi", s, n);
        skip(&s, &n, 1);
        from[k] = block;
        if (!read_source(&s, &n, &src[k++]) || (n && *s != ','))
            return refuse(r, "phi", s, n);
        if (n)
            skip(&s, &n, 1);
    }
    keep_sources(r, in, src, k);
    in->number = arena_copy(r->a, from, k * sizeof *from);
    return k || refuse(r, "phi", s, n);
}

// Reads what follows the name of an operation: "!" (exact: algebraic rules must not change it) and
// properties of its operands, such as ".nuw" (no wrap). None of them changes the result.
static bool read_flags(struct reader *r, const char **s, size_t *n)
{
    static const char *const words[] = {"!", ".nuw", ".nsw"};
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (starts(*s, *n, words[i])) {
                skip(s, n, strlen(words[i]));
                more = true;
            }
    }
    return !*n || **s != '.' || refuse(r, "operation with", *s, *n);
}

// Reads "iadd %3, %4" or "@ballot (%12) (base=0)", after the "=" of a definition or alone.
static bool read_operation(struct reader *r, const char *s, size_t n, uint32_t def)
{
    const bool intrinsic = n && *s == '@';
    size_t k = intrinsic;
    enum nir_id id;
    while (k < n && s[k] != ' ' && s[k] != '!' && s[k] != '.')
        k++;
    if (!find(s + intrinsic, k - intrinsic, intrinsic, &id))
        return refuse(r, "operation", s, k);
    const struct nir_op *op = &nir_ops[id];
    if (*op->drivers && !strchr(op->drivers, "TRNHIPVWL"[r->p->driver]))
        return refuse(r, "another driver's operation", s, k);
    struct nir_inst *in = add(r, id);
    in->def = def;
    skip(&s, &n, k);
    if (!read_flags(r, &s, &n))
        return false;
    if (id == NIR_LOAD_CONST)
        return def != NIR_NO_DEF && read_constant(r, in, s, n, r->def.v[def].components);
    if (id == NIR_PHI)
        return read_phi(r, in, s, n);
    if (!intrinsic)
        return read_sources(r, in, &s, &n, 0);
    if (n > 1 && *s == '(' && s[1] == '%') {
        skip(&s, &n, 1);
        if (!read_sources(r, in, &s, &n, ')') || !n)
            return n || refuse(r, "operands", s, n);
        skip(&s, &n, 1);
    }
    return !n || nir_attributes_read(in, s, n, r->why);
}

// Reads "32x4 %22 = ...".
static bool read_definition(struct reader *r, const char *s, size_t n, bool uniform)
{
    uint32_t bits, components = 1, name;
    const char *all = s;
    const size_t whole = n;
    size_t k = strspn(s, "0123456789");
    if (k > n || !parse_u32(s, k, &bits))
        return refuse(r, "line", all, whole);
    s += k;
    n -= k;
    if (n && *s == 'x') {
        k = strspn(s + 1, "0123456789");
        if (k + 1 > n || !parse_u32(s + 1, k, &components))
            return refuse(r, "line", all, whole);
        s += k + 1;
        n -= k + 1;
    }
    skip(&s, &n, 0);
    if (!number_after(&s, &n, '%', &name) || !starts(s, n, " = ") || components < 1 ||
        components > NIR_COMPONENTS ||
        (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64))
        return refuse(r, "line", all, whole);
    if (*named(r->a, &r->name, name))
        return isa_refuse(r->why, RAN_INVALID, r->line, "%%%u is defined twice", name);
    skip(&s, &n, 3);
    const uint32_t def = (uint32_t)r->def.n;
    *VEC_PUSH(r->a, &r->def) = (struct nir_def){.bits = (uint8_t)bits,
                                                .components = (uint8_t)components,
                                                .uniform = uniform,
                                                .undefined = starts(s, n, "undefined"),
                                                .at = r->p->components};
    r->p->components += components;
    *named(r->a, &r->name, name) = def + 1;
    if (!read_operation(r, s, n, def))
        return false;
    const struct nir_inst *in = &r->inst.v[r->inst.n - 1];
    if (in->id == NIR_DECL_REG) { // its line has the type of a handle
        if (components != 1 || !in->element || !in->cluster)
            return refuse(r, "register", all, whole);
        r->def.v[def].bits = (uint8_t)in->element;
        r->def.v[def].components = (uint8_t)in->cluster;
        r->p->components += in->cluster - 1;
    }
    return true;
}

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
    skip(&s, &n, 2);
    if (!read_source(&s, &n, &src) || !n || s[n - 1] != '{')
        return refuse(r, "if", s, n);
    struct nir_inst *in = add(r, NIR_IF);
    keep_sources(r, in, &src, 1);
    return push(r, NIR_IF, (uint32_t)r->inst.n - 1);
}

static bool read_else(struct reader *r)
{
    if (!r->depth || r->open[r->depth - 1].id != NIR_IF)
        return isa_refuse(r->why, RAN_INVALID, r->line, "an else without an if");
    const uint32_t at = (uint32_t)r->inst.n;
    add(r, NIR_ELSE);
    r->inst.v[r->open[r->depth - 1].inst].target = at;
    r->open[r->depth - 1] = (struct open){NIR_ELSE, at};
    return true;
}

static bool read_end(struct reader *r)
{
    if (!r->depth) {
        r->done = true;
        return true;
    }
    const struct open o = r->open[--r->depth];
    const uint32_t at = (uint32_t)r->inst.n;
    if (o.id == NIR_IF)
        return isa_refuse(r->why, RAN_INVALID, r->line, "an if without an else");
    struct nir_inst *in = add(r, o.id == NIR_LOOP ? NIR_ENDLOOP : NIR_ENDIF);
    if (o.id == NIR_LOOP)
        in->target = o.inst;
    r->inst.v[o.inst].target = at;
    return true;
}

static bool read_jump(struct reader *r, enum nir_id id)
{
    uint32_t i = r->depth;
    while (i && r->open[i - 1].id != NIR_LOOP)
        i--;
    if (!i)
        return isa_refuse(r->why, RAN_INVALID, r->line, "a break or continue outside of a loop");
    add(r, id)->target = i - 1; // the nesting depth of the loop
    return true;
}

// Reads "goto b1" or "goto b2 if %9 else b3".
static bool read_goto(struct reader *r, const char *s, size_t n)
{
    uint32_t to[2] = {0};
    struct nir_src src = {0};
    uint32_t srcs = 0;
    skip(&s, &n, 4);
    if (!number_after(&s, &n, 'b', &to[0]))
        return refuse(r, "goto", s, n);
    if (n) {
        skip(&s, &n, 0);
        if (!starts(s, n, "if "))
            return refuse(r, "goto", s, n);
        skip(&s, &n, 3);
        if (!read_source(&s, &n, &src) || !starts(s, n, " else b"))
            return refuse(r, "goto", s, n);
        skip(&s, &n, 6);
        if (!number_after(&s, &n, 'b', &to[1]) || n)
            return refuse(r, "goto", s, n);
        srcs = 1;
    }
    struct nir_inst *in = add(r, srcs ? NIR_GOTO_IF : NIR_GOTO);
    keep_sources(r, in, &src, srcs);
    in->target = to[0];
    in->other = to[1];
    r->p->jumps = true;
    return true;
}

static bool read_block(struct reader *r, const char *s, size_t n)
{
    uint32_t k;
    skip(&s, &n, 6);
    if (!number_after(&s, &n, 'b', &k) || !n || *s != ':')
        return refuse(r, "block", s, n);
    if (*named(r->a, &r->block, k))
        return isa_refuse(r->why, RAN_INVALID, r->line, "b%u is defined twice", k);
    *named(r->a, &r->block, k) = (uint32_t)r->inst.n + 1;
    struct nir_inst *in = add(r, NIR_BLOCK);
    in->target = k;
    return true;
}

static bool read_body(struct reader *r, const char *s, size_t n)
{
    const bool uniform = starts(s, n, "con ");
    if (uniform || starts(s, n, "div "))
        skip(&s, &n, 4);
    if (starts(s, n, "if %"))
        return read_if(r, s, n);
    if (starts(s, n, "loop") && s[n - 1] == '{') {
        add(r, NIR_LOOP);
        return push(r, NIR_LOOP, (uint32_t)r->inst.n - 1);
    }
    for (size_t i = 0; i + 1 < n; i++)
        if (s[i] == '/' && s[i + 1] == '/')
            n = i;
    while (n && s[n - 1] == ' ')
        n--;
    if (!n || starts(s, n, "decl_var ") || starts(s, n, "preamble @"))
        return true;
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
        return read_operation(r, s, n, NIR_NO_DEF);
    return read_definition(r, s, n, uniform);
}

static bool read_line(struct reader *r, const char *s, size_t n)
{
    while (n && (s[n - 1] == ' ' || s[n - 1] == '\r' || s[n - 1] == '\t'))
        n--;
    skip(&s, &n, 0);
    if (r->inst.n > INSTS)
        return isa_refuse(r->why, RAN_INVALID, r->line, "more than %d instructions", INSTS);
    if (r->inside && !r->done)
        return !n || read_body(r, s, n);
    if (starts(s, n, "impl ")) {
        if (r->done)
            return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "a second function");
        r->inside = true;
    }
    return true;
}

// ---- resolving names -------------------------------------------------------

static bool link_source(struct reader *r, const struct nir_inst *in, struct nir_src *s)
{
    const uint32_t def = *named(r->a, &r->name, s->def);
    if (!def)
        return isa_refuse(r->why, RAN_INVALID, in->line, "%%%u is not defined", s->def);
    s->def = def - 1;
    const struct nir_def *d = &r->def.v[s->def];
    if (!s->count)
        for (; s->count < d->components; s->count++)
            s->component[s->count] = s->count;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->component[i] >= d->components)
            return isa_refuse(r->why, RAN_INVALID, in->line, "a component that does not exist");
    return true;
}

static bool link(struct reader *r)
{
    for (size_t i = 0; i < r->inst.n; i++) {
        struct nir_inst *in = &r->inst.v[i];
        for (uint32_t k = 0; k < in->srcs; k++)
            if (!link_source(r, in, &in->src[k]))
                return false;
        if (in->id == NIR_GOTO || in->id == NIR_GOTO_IF) {
            const uint32_t to[2] = {*named(r->a, &r->block, in->target),
                                    *named(r->a, &r->block, in->other)};
            if (!to[0] || (in->id == NIR_GOTO_IF && !to[1]))
                return isa_refuse(r->why, RAN_INVALID, in->line, "no such block");
            in->target = to[0] - 1;
            in->other = in->id == NIR_GOTO_IF ? to[1] - 1 : 0;
        }
        r->p->counts_barriers |= in->id == NIR_MUTEX;
        if (!nir_types_fit(r->p, in, r->why))
            return false;
    }
    return true;
}

// Reads the function in the text up to `end`; `line` is the number of lines before it.
static struct nir_program *read_function(struct arena *a, const char *text, const char *end,
                                         enum nir_driver driver, uint32_t size, uint32_t line,
                                         struct isa_result *why)
{
    struct nir_program *p = ARENA_NEW(a, struct nir_program);
    struct reader r = {.a = a, .p = p, .why = why, .line = line};
    p->code.run = nir_run;
    p->driver = driver;
    p->size = size;
    const char *at = text;
    for (struct word one; at < end && text_line(&at, &one);) {
        r.line++;
        if ((size_t)(one.s - text) > TEXT) {
            isa_refuse(why, RAN_INVALID, r.line, "a text that is too long");
            return NULL;
        }
        if (!read_line(&r, one.s, one.n))
            return NULL;
    }
    if (!r.done || !r.inst.n) {
        isa_refuse(why, RAN_INVALID, 0, "no complete function");
        return NULL;
    }
    p->inst = r.inst.v;
    p->count = (uint32_t)r.inst.n;
    p->def = r.def.v;
    p->defs = (uint32_t)r.def.n;
    return link(&r) ? p : NULL;
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
    const char *second = driver == NIR_HONEYKRISP ? strstr(text, "\nimpl @preamble {") : NULL;
    struct nir_program *p = read_function(a, text, second ? second : end, driver, size, 0, why);
    if (!p || !second)
        return p ? &p->code : NULL;
    uint32_t line = 1;
    for (const char *at = text; at < second; at++)
        line += *at == '\n';
    p->preamble = read_function(a, second + 1, end, driver, size, line, why);
    return p->preamble ? &p->code : NULL;
}
