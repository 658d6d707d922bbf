// SPDX-License-Identifier: Apache-2.0
//
// Reads the variables and pointers of early NIR, which later passes remove. Variables that no
// driver has laid out yet are laid out here: the text names their types, whose sizes are known but
// for structures. Pointers into buffers are laid out by the case's module (nir_deref.c).
#define _GNU_SOURCE // memmem
#include "nir_program.h"

enum { LAYOUT = 1 << 16 }; // most bytes of all variables

static bool refuse(struct isa_result *why, uint32_t line, const char *what, struct word s)
{
    return word_refuse(why, line, what, s);
}

// ---- text ------------------------------------------------------------------

// Returns the place of the last `what` in s; NULL: none.
static const char *last_of(struct word s, const char *what)
{
    const size_t k = strlen(what);
    for (size_t i = s.n; i-- > 0;)
        if (s.n - i >= k && memcmp(s.s + i, what, k) == 0)
            return s.s + i;
    return NULL;
}

static struct word up_to(struct word s, const char *end)
{
    return (struct word){s.s, (size_t)(end - s.s)};
}

static struct word from(struct word s, const char *start)
{
    return (struct word){start, (size_t)(s.s + s.n - start)};
}

static struct word trimmed(struct word s)
{
    while (s.n && *s.s == ' ')
        s = word_after(s, 1);
    while (s.n && s.s[s.n - 1] == ' ')
        s.n--;
    return s;
}

// Takes the last word off s.
static struct word pop(struct word *s)
{
    *s = trimmed(*s);
    const char *space = last_of(*s, " ");
    const struct word out = space ? from(*s, space + 1) : *s;
    *s = space ? up_to(*s, space) : (struct word){s->s, 0};
    return out;
}

// ---- types -----------------------------------------------------------------

// Returns the bytes of "uint", "i16vec3"; 0: another type. A bool takes a word.
static uint32_t vector_bytes(struct word s)
{
    static const struct {
        const char *scalar, *vector;
        uint32_t bytes;
    } types[] = {
        {"bool", "bvec", 4},      {"int", "ivec", 4},         {"uint", "uvec", 4},
        {"float", "vec", 4},      {"double", "dvec", 8},      {"int8_t", "i8vec", 1},
        {"uint8_t", "u8vec", 1},  {"int16_t", "i16vec", 2},   {"uint16_t", "u16vec", 2},
        {"int64_t", "i64vec", 8}, {"float16_t", "f16vec", 2}, {"uint64_t", "u64vec", 8},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const size_t k = strlen(types[i].vector);
        uint32_t n;
        if (word_is(s, types[i].scalar))
            return types[i].bytes;
        if (word_starts(s, types[i].vector) && parse_u32(s.s + k, s.n - k, &n) && n >= 1 &&
            n <= NIR_COMPONENTS)
            return n * types[i].bytes;
    }
    return 0;
}

// Returns the bytes of a type, "uint[4][2]" too; 0: not known.
static uint32_t type_bytes(struct word s)
{
    const char *open = memchr(s.s, '[', s.n);
    uint64_t bytes = vector_bytes(open ? up_to(s, open) : s);
    while (open && bytes) {
        const struct word rest = from(s, open + 1);
        const char *close = memchr(rest.s, ']', rest.n);
        uint32_t n;
        if (!close || !parse_u32(rest.s, (size_t)(close - rest.s), &n) || n > LAYOUT)
            return 0;
        bytes = bytes * n > LAYOUT ? 0 : bytes * n;
        open = close + 1 < s.s + s.n && close[1] == '[' ? close + 1 : NULL;
    }
    return (uint32_t)bytes;
}

static bool find_mode(struct word s, enum nir_mode *out)
{
    static const struct {
        const char *name;
        enum nir_mode mode;
    } modes[] = {{"function_temp", NIR_TEMP}, {"shader_temp", NIR_TEMP}, {"", NIR_TEMP},
                 {"shared", NIR_SHARED},      {"ssbo", NIR_BUFFER},      {"ubo", NIR_BUFFER},
                 {"system", NIR_SYSTEM}};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (word_is(s, modes[i].name)) {
            *out = modes[i].mode;
            return true;
        }
    return false;
}

// ---- variables -------------------------------------------------------------

static enum nir_id system_value(struct word location)
{
    static const struct {
        const char *name;
        enum nir_id id;
    } values[] = {
        {"GLOBAL_INVOCATION_ID", NIR_LOAD_GLOBAL_ID},
        {"LOCAL_INVOCATION_ID", NIR_LOAD_LOCAL_ID},
        {"LOCAL_INVOCATION_INDEX", NIR_LOAD_LOCAL_INDEX},
        {"WORKGROUP_ID", NIR_LOAD_GROUP_ID},
        {"NUM_WORKGROUPS", NIR_LOAD_NUM_GROUPS},
        {"SUBGROUP_SIZE", NIR_LOAD_SUBGROUP_SIZE},
        {"SUBGROUP_INVOCATION", NIR_LOAD_SUBGROUP_INVOCATION},
        {"SUBGROUP_ID", NIR_LOAD_SUBGROUP_ID},
        {"NUM_SUBGROUPS", NIR_LOAD_NUM_SUBGROUPS},
        {"SUBGROUP_EQ_MASK", NIR_LOAD_EQ_MASK},
        {"SUBGROUP_GE_MASK", NIR_LOAD_GE_MASK},
        {"SUBGROUP_GT_MASK", NIR_LOAD_GT_MASK},
        {"SUBGROUP_LE_MASK", NIR_LOAD_LE_MASK},
        {"SUBGROUP_LT_MASK", NIR_LOAD_LT_MASK},
    };
    static const char start[] = "SYSTEM_VALUE_";
    for (size_t i = 0; word_starts(location, start) && i < sizeof values / sizeof *values; i++)
        if (word_is(word_after(location, strlen(start)), values[i].name))
            return values[i].id;
    return NIR_IDS;
}

// Reads "MODE INTERP_MODE_NONE ACCESS TYPE NAME (LOCATION) = VALUE"; all but TYPE and NAME may
// miss. A variable whose use is not known is left out: a pointer to it is refused.
bool nir_variable_read(struct arena *a, struct nir_program *p, struct word s, uint32_t line,
                       struct isa_result *why)
{
    static const char interpolation[] = "INTERP_MODE_NONE";
    struct nir_variable v = {.id = NIR_IDS};
    struct word location = {"", 0}, value = {"", 0};
    s = trimmed(word_after(s, strlen("decl_var")));
    const char *at = memmem(s.s, s.n, interpolation, strlen(interpolation));
    if (!at)
        return true;
    const struct word mode = trimmed(up_to(s, at));
    s = from(s, at + strlen(interpolation));
    if ((at = memmem(s.s, s.n, " = ", 3))) {
        value = trimmed(from(s, at + 3));
        s = trimmed(up_to(s, at));
    }
    const bool known = find_mode(mode, &v.mode);
    if (known && v.mode == NIR_SYSTEM && s.n && s.s[s.n - 1] == ')' && (at = last_of(s, " ("))) {
        location = (struct word){at + 2, (size_t)(s.s + s.n - at) - 3};
        s = up_to(s, at);
    }
    v.name = pop(&s);
    v.bytes = type_bytes(pop(&s));
    if (!known || v.mode == NIR_BUFFER)
        return true;
    v.zero = word_is(value, "null");
    if (value.n && !v.zero)
        return refuse(why, line, "a variable's first value", value);
    if (v.mode == NIR_SYSTEM)
        v.id = system_value(location);
    uint32_t *all = v.mode == NIR_SHARED ? &p->shared_bytes : &p->temp_bytes;
    v.at = v.mode == NIR_SYSTEM ? 0 : *all;
    if (v.mode != NIR_SYSTEM)
        *all += (v.bytes + 7) & ~7u;
    if (*all > LAYOUT)
        return isa_refuse(why, RAN_UNSUPPORTED, line, "variables of more than %d bytes", LAYOUT);
    *VEC_PUSH(a, &p->variable) = v;
    return true;
}

// ---- pointers --------------------------------------------------------------

// Reads "%12".
static bool take_value(struct word *s, uint32_t *out)
{
    size_t k = 1;
    while (k < s->n && s->s[k] >= '0' && s->s[k] <= '9')
        k++;
    if (!s->n || *s->s != '%' || !parse_u32(s->s + 1, k - 1, out))
        return false;
    *s = word_after(*s, k);
    return true;
}

static bool take(struct word *s, const char *text)
{
    return text_take(&s->s, &s->n, text);
}

// Reads "[3]" or "[%7]" after a pointer.
static bool read_index(struct word s, struct nir_src *src, struct nir_inst *in, struct nir_deref *d)
{
    uint32_t v;
    if (!take(&s, "[") || !s.n || s.s[s.n - 1] != ']')
        return false;
    s.n--;
    if (take_value(&s, &src[1].def)) {
        in->srcs = 2;
        return !s.n;
    }
    const bool minus = take(&s, "-");
    if (!parse_u32(s.s, s.n, &v))
        return false;
    d->index = minus ? -(int64_t)v : (int64_t)v;
    return true;
}

static bool read_variable(const struct nir_program *p, const struct nir_inst *in, struct word name,
                          struct nir_deref *d, struct isa_result *why)
{
    for (uint32_t i = (uint32_t)p->variable.n; i-- > 0;) { // the last one: functions have their own
        const struct nir_variable *v = &p->variable.v[i];
        if (v->name.n != name.n || memcmp(v->name.s, name.s, name.n) != 0)
            continue;
        if (v->mode != d->mode || !v->bytes || (v->mode == NIR_SYSTEM && v->id == NIR_IDS))
            break;
        d->variable = i;
        return true;
    }
    return refuse(why, in->line, "the variable", name);
}

bool nir_deref_read(struct arena *a, const struct nir_program *p, struct nir_inst *in,
                    struct word s, struct isa_result *why)
{
    const struct word all = s;
    struct nir_deref d = {0};
    struct nir_src src[2] = {0};
    const char *at = memmem(s.s, s.n, "  (ptr_stride=", strlen("  (ptr_stride="));
    s = trimmed(at ? up_to(s, at) : s);
    // 26.2 prints it where the module promises it, as InBoundsAccessChain does.
    at = last_of(s, "  (in bounds)");
    s = trimmed(at ? up_to(s, at) : s);
    at = s.n && s.s[s.n - 1] == ')' ? last_of(s, " (") : NULL;
    if (!at)
        return refuse(why, in->line, "a pointer", all);
    struct word kind = {at + 2, (size_t)(s.s + s.n - at) - 3};
    const struct word type = pop(&kind);
    s = up_to(s, at);
    if (!find_mode(trimmed(kind), &d.mode))
        return refuse(why, in->line, "a pointer to", trimmed(kind));
    d.bytes = type_bytes(type);
    bool ok = false;
    in->srcs = in->id != NIR_DEREF_VAR;
    if (in->id == NIR_DEREF_VAR) {
        if (!take(&s, "&"))
            return refuse(why, in->line, "a pointer", all);
        if (!read_variable(p, in, s, &d, why))
            return false;
        ok = true;
    } else if (in->id == NIR_DEREF_CAST) {
        const char *close = last_of(s, "*)%");
        if ((ok = take(&s, "(") && close)) {
            s = from(s, close + 2);
            ok = take_value(&s, &src[0].def) && !s.n;
        }
    } else if (in->id == NIR_DEREF_STRUCT) {
        ok = take(&s, "&") && take_value(&s, &src[0].def) && take(&s, "->") && s.n;
        d.member = s;
    } else {
        ok = take(&s, "&(*") && take_value(&s, &src[0].def) && take(&s, ")") &&
             read_index(s, src, in, &d);
    }
    if (!ok)
        return refuse(why, in->line, "a pointer", all);
    in->src = arena_copy(a, src, in->srcs * sizeof *src);
    in->deref = arena_copy(a, &d, sizeof d);
    return true;
}

// ---- which pointer an access goes through ----------------------------------

static bool link_one(struct nir_program *p, const uint32_t *maker, struct arena *a,
                     struct nir_inst *in, struct isa_result *why)
{
    const bool store = in->id == NIR_STORE_DEREF;
    const bool access = store || in->id == NIR_LOAD_DEREF || in->id == NIR_DEREF_ATOMIC ||
                        in->id == NIR_DEREF_ATOMIC_SWAP;
    const bool step = in->id == NIR_DEREF_STRUCT || in->id == NIR_DEREF_ARRAY;
    if (!in->deref && !access)
        return true;
    p->derefs = true;
    if (in->deref) {
        const struct nir_def *d = &p->def[in->def];
        const bool buffer = in->deref->mode == NIR_BUFFER;
        if (d->bits != 32 || (buffer ? d->components < 2 || d->components > 4 : d->components != 1))
            return isa_refuse(why, RAN_UNSUPPORTED, in->line, "a pointer of this form");
        if (in->id == NIR_DEREF_STRUCT && !buffer)
            return isa_refuse(why, RAN_UNSUPPORTED, in->line, "a structure outside of a buffer");
        if (in->id == NIR_DEREF_ARRAY && !buffer && !in->deref->bytes)
            return isa_refuse(why, RAN_UNSUPPORTED, in->line, "an element of this type");
    }
    if (!access && !in->srcs)
        return true;
    const uint32_t pointer = in->src[store].def, from = maker[pointer];
    const struct nir_deref *of = from == UINT32_MAX ? NULL : p->inst[from].deref;
    if (in->id == NIR_DEREF_CAST && !of && in->deref->mode != NIR_SYSTEM)
        of = in->deref; // of an argument, or of a buffer
    if (!of || (access && !p->inst[from].deref) || (in->deref && of->mode != in->deref->mode))
        return isa_refuse(why, RAN_UNSUPPORTED, in->line, "a pointer that is computed");
    if (in->deref && p->def[pointer].components != p->def[in->def].components)
        return isa_refuse(why, RAN_INVALID, in->line, "a pointer of another form");
    if (access || !step) {
        in->deref = access ? of : in->deref;
        return true;
    }
    struct nir_deref *own = arena_copy(a, in->deref, sizeof *own);
    own->variable = of->variable;
    in->deref = own;
    return true;
}

bool nir_deref_link(struct arena *a, struct nir_program *p, struct isa_result *why)
{
    uint32_t *maker = ARENA_ARRAY(a, uint32_t, p->defs);
    for (uint32_t i = 0; i < p->defs; i++)
        maker[i] = UINT32_MAX;
    for (uint32_t i = 0; i < p->count; i++) {
        struct nir_inst *in = &p->inst[i];
        if (!link_one(p, maker, a, in, why))
            return false;
        if (in->def != NIR_NO_DEF)
            maker[in->def] = i;
    }
    return true;
}
