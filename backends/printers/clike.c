// SPDX-License-Identifier: Apache-2.0
//
// HLSL, GLSL, WGSL and OpenCL C: names, declarations, functions and headers.
#include "clike.h"

#include "print_inner.h"

#include <string.h>

bool clike_refuse(const struct clike *p, const struct spv_inst *in, const char *why)
{
    return form_refuse(p->f, in->result,
                       arena_printf(p->f->arena, "%s: %s", spv_op_name(in->op), why), p->e);
}

// ---- names -----------------------------------------------------------------------------

const char *clike_type(const struct clike *p, uint32_t type)
{
    bool is_bool;
    uint32_t n = form_components(p->f, type, &is_bool);
    const uint32_t floats = p->to == CLIKE_GLSL ? form_floats(p->f, type) : 0;
    if (floats)
        return floats == 1 ? "float" : arena_printf(p->f->arena, "vec%u", floats);
    if (!n)
        return NULL;
    const char *one = is_bool ? "bool" : p->to == CLIKE_WGSL ? "u32" : "uint";
    if (n == 1)
        return one;
    if (p->to == CLIKE_OPENCL)
        return is_bool ? NULL : arena_printf(p->f->arena, "uint%u", n);
    if (p->to == CLIKE_WGSL)
        return arena_printf(p->f->arena, "vec%u<%s>", n, one);
    if (p->to == CLIKE_HLSL)
        *p->vectors |= 1u << (2 * n + is_bool);
    return p->to == CLIKE_HLSL ? arena_printf(p->f->arena, "%s%u", one, n)
                               : arena_printf(p->f->arena, "%.1svec%u", one, n);
}

const char *clike_vector(const struct clike *p, uint32_t type)
{
    const char *name = clike_type(p, type);
    return p->to == CLIKE_OPENCL ? arena_printf(p->f->arena, "(%s)", name) : name;
}

static const char *composite(const struct clike *p, const struct spv_inst *d)
{
    struct text t = {.arena = p->f->arena};
    text_add(&t, "%s(", clike_vector(p, d->type));
    for (uint32_t i = 0; i < d->n; i++)
        text_add(&t, "%s%s", i ? ", " : "", clike_value(p, d->v[i]));
    text_add(&t, ")");
    return t.v;
}

const char *clike_value(const struct clike *p, uint32_t id)
{
    const struct spv_inst *d = spv_def(&p->f->m, id);
    const struct form_id *f = &p->f->id[id];
    struct arena *a = p->f->arena;
    uint32_t n;
    bool is_bool;
    if (form_constant(p->f, id, &n)) {
        form_components(p->f, d->type, &is_bool);
        return is_bool ? (n ? "true" : "false") : arena_printf(a, "%uu", n);
    }
    const uint32_t floats = d && p->to == CLIKE_GLSL ? form_floats(p->f, d->type) : 0;
    if (d && f->place == FORM_OPAQUE && d->op != SpvOpVariable)
        return clike_opaque(p, id);
    if (floats == 1 && d->op == SpvOpConstant)
        return clike_float(p, d->v[0]);
    if (d && d->op == SpvOpConstantComposite)
        return composite(p, d);
    if (d && (d->op == SpvOpConstantNull || d->op == SpvOpUndef)) {
        uint32_t parts = form_components(p->f, d->type, &is_bool);
        const char *zero = is_bool ? "false" : floats ? "0.0" : "0u";
        parts = floats ? floats : parts;
        return parts == 1 ? zero : arena_printf(a, "%s(%s)", clike_vector(p, d->type), zero);
    }
    if (d && d->op == SpvOpFunction && id == p->f->entry)
        return "main";
    const bool named = d && (d->op == SpvOpFunction || d->op == SpvOpVariable) && f->name;
    if (named && !clike_has_name(p, id))
        return arena_printf(a, "%s_%u", f->name, id);
    return clike_name(p, id);
}

void clike_begin(struct clike *p)
{
    if (!p->in_header)
        text_add(p->out, "%*s", (int)(4 * p->indent), "");
    else if (!p->first_in_header)
        text_add(p->out, ", ");
    p->first_in_header = false;
}

void clike_end(struct clike *p)
{
    if (!p->in_header)
        text_add(p->out, ";\n");
}

void clike_result(struct clike *p, const struct spv_inst *in)
{
    clike_begin(p);
    text_add(p->out, "%s = ", clike_value(p, in->result));
}

void clike_line(struct clike *p, const char *text)
{
    text_add(p->out, "%*s%s\n", (int)(4 * p->indent), "", text);
}

// ---- functions -------------------------------------------------------------------------

// The names declared with one type: "uint x1, x2".
struct of_type {
    const char *type; // NULL: unused entry
    struct text names;
    size_t line; // where the last line of `names` begins
    uint32_t n;
};

// `length`: of an array of this type; 0: none.
static void declare(struct clike *p, struct of_type *all, const char *type, const char *name,
                    uint32_t length)
{
    enum { COLUMNS = 84 };
    while (all->type && strcmp(all->type, type) != 0)
        all++;
    all->type = type;
    all->names.arena = p->f->arena;
    if (p->to == CLIKE_WGSL) {
        const char *whole =
            length ? arena_printf(p->f->arena, "array<%s, %u>", type, length) : type;
        text_add(&all->names, "%s%s: %s;", all->n++ ? "\n    var " : "", name, whole);
        return;
    }
    name = length ? arena_printf(p->f->arena, "%s[%u]", name, length) : name;
    const bool wraps = all->names.n - all->line + strlen(name) > COLUMNS;
    text_add(&all->names, "%s", !all->n ? "" : wraps ? ",\n        " : ", ");
    all->line = wraps ? all->names.n : all->line;
    text_add(&all->names, "%s", name);
    all->n++;
}

// Declares every value of the function, grouped by type.
static bool declarations(struct clike *p, const struct spv_function *fn)
{
    const struct spv_module *m = &p->f->m;
    struct of_type all[17] = {0}; // bool, uint, float, precise float; one to four components
    for (uint32_t i = fn->first + 1; i < fn->last; i++) {
        const struct spv_inst *in = &m->insts[i];
        const uint8_t place = in->result ? p->f->id[in->result].place : 0;
        uint32_t type = in->type;
        if (!in->result || !in->type || in->op == SpvOpFunctionParameter || in->op == SpvOpUndef ||
            place == FORM_BUFFER || place == FORM_BUILTIN || place == FORM_OPAQUE ||
            place == FORM_ELEMENT || spv_def(m, type)->op == SpvOpTypeVoid)
            continue;
        if (in->op == SpvOpVariable)
            type = spv_def(m, type)->v[1];
        const uint32_t length = form_array(p->f, type);
        if (length) // of unsigned numbers, as all integers here
            type = spv_def(m, type)->v[0];
        const char *of = clike_type(p, type);
        if (!of)
            return clike_refuse(p, in, "a type that is neither bool nor a 32-bit integer");
        const bool precise =
            p->f->id[in->result].precise && p->to == CLIKE_GLSL && form_floats(p->f, type);
        declare(p, all, precise ? arena_printf(p->f->arena, "precise %s", of) : of,
                clike_value(p, in->result), length);
        if (in->op == SpvOpPhi)
            declare(p, all, of, clike_phi(p, in->result), 0);
    }
    for (const struct of_type *t = all; t->type; t++)
        clike_line(p, p->to == CLIKE_WGSL
                          ? arena_printf(p->f->arena, "var %s", t->names.v)
                          : arena_printf(p->f->arena, "%s %s;", t->type, t->names.v));
    return true;
}

static void first_line(struct clike *p, const struct spv_function *fn, const char *type)
{
    const struct spv_module *m = &p->f->m;
    const bool entry = fn->id == p->f->entry;
    const char *gap = "";
    if (entry && p->plain) {
        hlsl_plain_main(p->out);
        return;
    }
    // clang keeps functions that other modules might call, and its back end crashes on those that
    // use a buffer. So they are static.
    text_add(p->out, "%s%s %s(", p->to == CLIKE_HLSL && !entry ? "static " : "", type,
             clike_value(p, fn->id));
    for (uint32_t i = fn->first + 1; m->insts[i].op == SpvOpFunctionParameter; i++) {
        text_add(p->out, "%s%s %s", gap, clike_type(p, m->insts[i].type),
                 clike_value(p, m->insts[i].result));
        gap = ", ";
    }
    text_add(p->out, ")%s\n{\n",
             entry && p->to == CLIKE_GLSL && p->f->maximal ? " [[maximally_reconverges]]" : "");
}

static bool function(struct clike *p, const struct spv_function *fn)
{
    const struct spv_module *m = &p->f->m;
    const struct spv_inst *in = &m->insts[fn->first];
    const bool nothing = spv_def(m, in->type)->op == SpvOpTypeVoid;
    const char *type = nothing ? "void" : clike_type(p, in->type);
    if (!type)
        return clike_refuse(p, in, "a result that is neither bool nor a 32-bit integer");
    text_add(p->out, "\n");
    if (fn->id == p->f->entry && p->to == CLIKE_HLSL)
        text_add(p->out, "[numthreads(%u, %u, %u)]\n", p->f->size[0], p->f->size[1], p->f->size[2]);
    for (uint32_t i = fn->first + 1; m->insts[i].op == SpvOpFunctionParameter; i++)
        if (!clike_type(p, m->insts[i].type))
            return clike_refuse(p, &m->insts[i],
                                "a parameter that is neither bool nor a 32-bit integer");
    p->result_type = nothing ? 0 : in->type;
    if (p->to == CLIKE_WGSL)
        wgsl_function(p, fn, type);
    else if (p->to == CLIKE_OPENCL)
        opencl_function(p, fn, type);
    else
        first_line(p, fn, type);
    p->indent = 1;
    p->loop_merge = p->loop_continue = p->switch_merge = 0;
    p->in_switch = false;
    bool ok = declarations(p, fn) && clike_flow(p, m->blocks[fn->block_first].label);
    text_add(p->out, "}\n");
    return ok;
}

static bool privates(struct clike *p)
{
    const struct spv_module *m = &p->f->m;
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *in = &m->insts[i];
        if (in->op != SpvOpVariable || p->f->id[in->result].place != FORM_PRIVATE)
            continue;
        const char *type = clike_type(p, spv_def(m, in->type)->v[1]);
        if (!type)
            return clike_refuse(p, in, "a type that is neither bool nor a 32-bit integer");
        const char *name = clike_value(p, in->result);
        if (p->to == CLIKE_WGSL)
            text_add(p->out, "var<private> %s: %s", name, type);
        else
            text_add(p->out, "%s%s %s", p->to == CLIKE_HLSL ? "static " : "", type, name);
        if (in->n > 1)
            text_add(p->out, " = %s", clike_value(p, in->v[1]));
        text_add(p->out, ";\n");
    }
    return true;
}

static void buffers(struct clike *p)
{
    for (size_t i = 0; i < p->f->buffers.n; i++) {
        const struct form_buffer *b = &p->f->buffers.v[i];
        if (p->to == CLIKE_GLSL && !b->used)
            continue;
        if (p->to == CLIKE_WGSL)
            text_add(p->out, "@group(%u) @binding(%u) var<storage, %s> %s_b: array<u32%s>;\n",
                     b->set, b->binding, b->read_only ? "read" : "read_write", b->name,
                     b->length ? arena_printf(p->f->arena, ", %u", b->length) : "");
        else if (p->to == CLIKE_HLSL)
            text_add(p->out,
                     "[[vk::binding(%u, %u)]] %sStructuredBuffer<uint> %s_b : register(%c%u);\n",
                     b->binding, b->set, b->read_only ? "" : "RW", b->name,
                     b->read_only ? 't' : 'u', b->binding);
        else
            text_add(p->out,
                     "layout(std430, set = %u, binding = %u) %sbuffer %s_t { uint %s_b[]; };\n",
                     b->set, b->binding, b->read_only ? "readonly " : "", b->name, b->name);
    }
}

// Prints callees first, as nothing is declared in advance.
static bool functions(struct clike *p)
{
    const struct spv_module *m = &p->f->m;
    bool *done = ARENA_ARRAY(p->f->arena, bool, m->function_count);
    for (uint32_t left = m->function_count; left;) {
        uint32_t before = left;
        for (uint32_t i = 0; i < m->function_count; i++) {
            bool ready = !done[i];
            for (uint32_t k = m->functions[i].first; k < m->functions[i].last && ready; k++)
                for (uint32_t g = 0; m->insts[k].op == SpvOpFunctionCall && g < m->function_count;
                     g++)
                    ready &= m->functions[g].id != m->insts[k].v[0] || done[g];
            if (!ready)
                continue;
            if (!function(p, &m->functions[i]))
                return false;
            done[i] = true;
            left--;
        }
        if (left == before)
            return err_set(p->e, "functions that call each other");
    }
    return true;
}

// Declares the types that a program names, as HLSL's header is not included.
static void typedefs(struct text *out, uint32_t vectors)
{
    text_add(out, "typedef unsigned int uint;\n");
    for (uint32_t n = 2; n <= 4; n++)
        for (uint32_t is_bool = 0; is_bool < 2; is_bool++)
            if (vectors >> (2 * n + is_bool) & 1) {
                const char *one = is_bool ? "bool" : "uint";
                text_add(out, "typedef vector<%s, %u> %s%u;\n", one, n, one, n);
            }
}

static bool print(const struct form *f, struct text *out, enum clike_language to, bool plain,
                  struct err *e)
{
    struct text body = {.arena = f->arena};
    uint32_t vectors = 0;
    struct clike p = {.f = f, .out = &body, .e = e, .to = to, .plain = plain, .vectors = &vectors};
    p.printed = ARENA_ARRAY(f->arena, bool, f->m.block_count);
    p.names = to == CLIKE_GLSL ? clike_names(f->arena, f, f->also) : NULL;
    if (to != CLIKE_OPENCL)
        buffers(&p);
    if (to == CLIKE_OPENCL ? !opencl_head(&p, out) : !privates(&p) || !clike_images(&p))
        return false;
    if (!functions(&p))
        return false;
    if (to == CLIKE_HLSL && plain) {
        hlsl_plain_head(out);
    } else if (to == CLIKE_HLSL) {
        typedefs(out, vectors);
    } else if (to == CLIKE_WGSL) {
        wgsl_head(f, out);
    } else if (to == CLIKE_GLSL) {
        text_add(out, "#version 460\n");
        p.out = out;
        clike_extensions(&p);
    }
    text_addn(out, body.v, body.n);
    return true;
}

bool print_hlsl(const struct form *f, struct text *out, struct err *e)
{
    return print(f, out, CLIKE_HLSL, false, e);
}

bool print_hlsl_plain(const struct form *f, struct text *out, struct err *e)
{
    return print(f, out, CLIKE_HLSL, true, e);
}

bool print_glsl(const struct form *f, struct text *out, struct err *e)
{
    return print(f, out, CLIKE_GLSL, false, e);
}

bool print_wgsl(const struct form *f, struct text *out, struct err *e)
{
    return print(f, out, CLIKE_WGSL, false, e);
}

bool print_opencl(const struct form *f, struct text *out, struct err *e)
{
    return print(f, out, CLIKE_OPENCL, false, e);
}

bool print_opencl_plain(const struct form *f, struct text *out, struct err *e)
{
    return print(f, out, CLIKE_OPENCL, true, e);
}
