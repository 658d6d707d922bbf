// SPDX-License-Identifier: Apache-2.0
//
// Reads one instruction of a text. The names of values are numbers until the function is read.
#include "nir_reader.h"

enum { SOURCES = 256 };

#define starts text_starts

// ---- names -----------------------------------------------------------------

bool nir_number_read(const char **s, size_t *n, char mark, uint32_t *out)
{
    size_t k = 1;
    while (k < *n && (*s)[k] >= '0' && (*s)[k] <= '9')
        k++;
    if (!*n || **s != mark || !parse_u32(*s + 1, k - 1, out) || *out >= NIR_NAMES)
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
bool nir_source_read(const char **s, size_t *n, struct nir_src *out)
{
    *out = (struct nir_src){0};
    if (!nir_number_read(s, n, '%', &out->def) || !read_components(s, n, out))
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

void nir_sources_keep(struct reader *r, struct nir_inst *in, const struct nir_src *src, uint32_t n)
{
    in->srcs = n;
    in->src = arena_copy(r->a, src, n * sizeof *src);
}

// Reads "%3, %4.x" to the end or to `stop`.
bool nir_sources_read(struct reader *r, struct nir_inst *in, const char **s, size_t *n, char stop)
{
    struct nir_src src[NIR_COMPONENTS] = {0};
    uint32_t k = 0;
    while (*n && **s != stop) {
        if (k == NIR_COMPONENTS || !nir_source_read(s, n, &src[k++]))
            return nir_refuse(r, "operands", *s, *n);
        if (*n && **s == ',')
            nir_skip(s, n, 1);
        else if (*n && **s != stop)
            return nir_refuse(r, "operands", *s, *n);
    }
    nir_sources_keep(r, in, src, k);
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
        return nir_refuse(r, "constant", s, n);
    for (uint32_t i = 0; i < components; i++) {
        nir_skip(&s, &n, 1);
        size_t k = 0;
        while (k < n && s[k] != ',' && s[k] != ')' && s[k] != ' ')
            k++;
        if (starts(s, n, "true"))
            in->number[i] = 1;
        else if (!starts(s, n, "false") && !parse_u64(s, k, &in->number[i]))
            return nir_refuse(r, "constant", all, n);
        s += k;
        n -= k;
        if (!n || (*s == ')') != (i + 1 == components)) {
            if (n && *s == ' ' && i + 1 == components)
                return true; // followed by the same value as decimal or float
            return nir_refuse(r, "constant", all, n);
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
        if (k == SOURCES || !nir_number_read(&s, &n, 'b', &block) || !starts(s, n, ": "))
            return nir_refuse(r, "phi", s, n);
        nir_skip(&s, &n, 1);
        from[k] = block + r->s.number * (uint64_t)NIR_NAMES;
        if (!nir_source_read(&s, &n, &src[k++]) || (n && *s != ','))
            return nir_refuse(r, "phi", s, n);
        if (n)
            nir_skip(&s, &n, 1);
    }
    nir_sources_keep(r, in, src, k);
    in->number = arena_copy(r->a, from, k * sizeof *from);
    return k || nir_refuse(r, "phi", s, n);
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
                nir_skip(s, n, strlen(words[i]));
                more = true;
            }
    }
    return !*n || **s != '.' || nir_refuse(r, "operation with", *s, *n);
}

// The parameter of a function is the argument of the call that it is read for.
static bool read_parameter(struct reader *r, struct nir_inst *in)
{
    if (in->base < 0 || in->base >= r->s.arguments)
        return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "a parameter without an argument");
    nir_sources_keep(r, in, &r->s.argument[in->base], 1);
    in->linked = true;
    return true;
}

// Reads "iadd %3, %4" or "@ballot (%12) (base=0)", after the "=" of a definition or alone.
bool nir_operation_read(struct reader *r, const char *s, size_t n, uint32_t def)
{
    const bool intrinsic = n && *s == '@';
    size_t k = intrinsic;
    enum nir_id id;
    while (k < n && s[k] != ' ' && s[k] != '!' && s[k] != '.')
        k++;
    if (!find(s + intrinsic, k - intrinsic, intrinsic, &id))
        return nir_refuse(r, "operation", s, k);
    const struct nir_op *op = &nir_ops[id];
    if (*op->drivers && !strchr(op->drivers, "TRNHIPVWL"[r->p->driver]))
        return nir_refuse(r, "another driver's operation", s, k);
    struct nir_inst *in = nir_add(r, id);
    in->def = def;
    nir_skip(&s, &n, k);
    if (!read_flags(r, &s, &n))
        return false;
    if (id == NIR_LOAD_CONST)
        return def != NIR_NO_DEF && read_constant(r, in, s, n, r->def.v[def].components);
    if (id == NIR_PHI)
        return read_phi(r, in, s, n);
    if (op->unit == UNIT_DEREF)
        return def != NIR_NO_DEF && nir_deref_read(r->a, r->p, in, (struct word){s, n}, r->why);
    if (!intrinsic)
        return nir_sources_read(r, in, &s, &n, 0);
    if (n > 1 && *s == '(' && s[1] == '%') {
        nir_skip(&s, &n, 1);
        if (!nir_sources_read(r, in, &s, &n, ')') || !n)
            return n || nir_refuse(r, "operands", s, n);
        nir_skip(&s, &n, 1);
    }
    if (n && !nir_attributes_read(in, s, n, r->why))
        return false;
    if (id == NIR_STORE_DEREF && in->srcs == 2) {
        const struct nir_src pointer = in->src[0];
        in->src[0] = in->src[1];
        in->src[1] = pointer;
    }
    return id != NIR_LOAD_PARAM || read_parameter(r, in);
}

// Reads "32x4 %22 = ...".
bool nir_definition_read(struct reader *r, const char *s, size_t n, bool uniform)
{
    uint32_t bits, components = 1, name;
    const char *all = s;
    const size_t whole = n;
    size_t k = strspn(s, "0123456789");
    if (k > n || !parse_u32(s, k, &bits))
        return nir_refuse(r, "line", all, whole);
    s += k;
    n -= k;
    if (n && *s == 'x') {
        k = strspn(s + 1, "0123456789");
        if (k + 1 > n || !parse_u32(s + 1, k, &components))
            return nir_refuse(r, "line", all, whole);
        s += k + 1;
        n -= k + 1;
    }
    nir_skip(&s, &n, 0);
    if (!nir_number_read(&s, &n, '%', &name) || !starts(s, n, " = ") || components < 1 ||
        components > NIR_COMPONENTS ||
        (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64))
        return nir_refuse(r, "line", all, whole);
    if (*nir_named(r->a, &r->s.name, name))
        return isa_refuse(r->why, RAN_INVALID, r->line, "%%%u is defined twice", name);
    nir_skip(&s, &n, 3);
    const uint32_t def = (uint32_t)r->def.n;
    *VEC_PUSH(r->a, &r->def) = (struct nir_def){.bits = (uint8_t)bits,
                                                .components = (uint8_t)components,
                                                .uniform = uniform,
                                                .undefined = starts(s, n, "undefined"),
                                                .at = r->p->components};
    r->p->components += components;
    *nir_named(r->a, &r->s.name, name) = def + 1;
    if (!nir_operation_read(r, s, n, def))
        return false;
    const struct nir_inst *in = &r->inst.v[r->inst.n - 1];
    if (in->id == NIR_DECL_REG) { // its line has the type of a handle
        if (components != 1 || !in->element || !in->cluster)
            return nir_refuse(r, "register", all, whole);
        r->def.v[def].bits = (uint8_t)in->element;
        r->def.v[def].components = (uint8_t)in->cluster;
        r->p->components += in->cluster - 1;
    }
    return true;
}

// ---- names -> definitions --------------------------------------------------

bool nir_source_link(struct reader *r, const struct nir_inst *in, struct nir_src *s)
{
    const uint32_t def = *nir_named(r->a, &r->s.name, s->def);
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
