// SPDX-License-Identifier: Apache-2.0
//
// Runs workgroups, one after the other: the function that lavapipe calls for each, the calls in it,
// and the coroutines that wait at barriers.
#include "gallivm_machine.h"

static void jump(const struct gv_machine *m, struct gv_frame *f, uint32_t label)
{
    f->at = m->p->value[label].target;
}

static struct gv_frame *new_frame(struct gv_machine *m, uint32_t function)
{
    struct gv_frame *f = ARENA_NEW(&m->calls, struct gv_frame);
    f->f = &m->p->function[function];
    f->at = f->f->first;
    f->v = ARENA_ARRAY(&m->calls, uint64_t, f->f->slots + GV_SLOTS);
    return f;
}

static struct gv_frame *coroutine(struct gv_machine *m, uint32_t line, uint64_t handle)
{
    struct gv_frame *f = m->coroutine;
    while (f && f->handle != handle)
        f = f->next;
    if (!f)
        isa_refuse(m->out, RAN_FAULT, line, "no coroutine at 0x%llx", (unsigned long long)handle);
    return f;
}

static bool run_frame(struct gv_machine *m, struct gv_frame *f, uint64_t *result);

static bool call(struct gv_machine *m, struct gv_frame *f, const struct gv_inst *in)
{
    const uint32_t slots = in->def == GV_NONE ? 0 : in->type->slots;
    uint64_t result[GV_SLOTS] = {0};
    struct gv_frame *to = new_frame(m, in->callee);
    for (uint32_t i = 0; i < in->srcs; i++)
        memcpy(gv_row(m, to, to->f->param[i]), gv_row(m, f, in->src[i]),
               m->p->value[in->src[i]].type->slots * sizeof(uint64_t));
    if (!run_frame(m, to, result))
        return false;
    if (slots)
        memcpy(gv_row(m, f, in->def), result, slots * sizeof *result);
    return true;
}

// The functions about coroutines. *leaves: the call returns to its caller.
static bool about_coroutines(struct gv_machine *m, struct gv_frame *f, const struct gv_inst *in,
                             bool *leaves)
{
    enum { BYTES = 64 };
    uint64_t unused, *out = in->def == GV_NONE ? &unused : gv_row(m, f, in->def);
    const uint64_t *v = in->srcs ? gv_row(m, f, in->src[0]) : NULL;
    struct gv_frame *to;
    uint64_t none[GV_SLOTS];
    switch (in->op) {
    case GV_CORO_SIZE:
        *out = BYTES;
        return true;
    case GV_CORO_MALLOC:
        return gv_alloca(m, in->line, *v, out);
    case GV_CORO_BEGIN:
        *out = f->handle = *gv_row(m, f, in->src[1]);
        f->next = m->coroutine;
        m->coroutine = f;
        return true;
    case GV_CORO_SUSPEND:
        if (f->waiting) { // it was resumed
            f->waiting = false;
            *out = 0;
            return true;
        }
        f->waiting = *leaves = true;
        f->done = *gv_row(m, f, in->src[1]) & 1;
        f->at--;
        return true;
    case GV_CORO_DONE:
        if (!(to = coroutine(m, in->line, *v)))
            return false;
        *out = to->done;
        return true;
    case GV_CORO_RESUME:
        to = coroutine(m, in->line, *v);
        if (to && (to->done || !to->waiting || to == f))
            return isa_refuse(m->out, RAN_FAULT, in->line, "a coroutine that does not wait");
        return to && run_frame(m, to, none);
    default: // its frame stays until the workgroup ends
        return true;
    }
}

static bool run_code(struct gv_machine *m, struct gv_frame *f, uint64_t *result)
{
    for (;;) {
        const struct gv_inst *in = &m->p->inst[f->at++];
        bool leaves = false;
        if (!isa_step(m->out, &m->steps, m->step_limit, in->line))
            return false;
        switch (in->op) {
        case GV_BR:
            jump(m, f, in->label[0]);
            break;
        case GV_BR_IF:
            jump(m, f, in->label[!(*gv_row(m, f, in->src[0]) & 1)]);
            break;
        case GV_SWITCH: {
            const uint64_t v = *gv_row(m, f, in->src[0]);
            uint32_t to = in->label[0];
            for (uint32_t i = 0; i < in->numbers; i++)
                to = in->number[i] == v ? in->cases[i] : to;
            jump(m, f, to);
            break;
        }
        case GV_RET:
            if (in->srcs && m->p->value[in->src[0]].type->slots <= GV_SLOTS)
                memcpy(result, gv_row(m, f, in->src[0]),
                       m->p->value[in->src[0]].type->slots * sizeof *result);
            return true;
        case GV_CALL:
            if (!call(m, f, in))
                return false;
            break;
        case GV_CORO_ID:
        case GV_CORO_SIZE:
        case GV_CORO_BEGIN:
        case GV_CORO_SUSPEND:
        case GV_CORO_END:
        case GV_CORO_RESUME:
        case GV_CORO_DESTROY:
        case GV_CORO_DONE:
        case GV_CORO_MALLOC:
            if (!about_coroutines(m, f, in, &leaves))
                return false;
            if (leaves) {
                *result = f->handle;
                return true;
            }
            break;
        default:
            if (!gv_execute(m, f, in))
                return false;
        }
    }
}

static bool run_frame(struct gv_machine *m, struct gv_frame *f, uint64_t *result)
{
    enum { DEPTH = 8, CALLS = 1 << 28 };
    if (m->depth == DEPTH || m->calls.used > CALLS)
        return isa_refuse(m->out, RAN_UNSUPPORTED, 0, "more calls than the limit");
    m->depth++;
    const bool ok = run_code(m, f, result);
    m->depth--;
    return ok;
}

// ---- workgroups ------------------------------------------------------------------------------

static bool run_group(void *machine)
{
    struct gv_machine *m = machine;
    const struct gv_function *f = &m->p->function[m->p->main];
    // The parameters, in lavapipe's order: the context, the resources, sizes of
    // the workgroup, its id, numbers of workgroups, dimensions, draw, a payload, the thread.
    const uint64_t values[] = {m->context,
                               m->resources,
                               m->local[0],
                               m->local[1],
                               m->local[2],
                               m->group[0],
                               m->group[1],
                               m->group[2],
                               m->c->groups[0],
                               m->c->groups[1],
                               m->c->groups[2],
                               3,
                               0,
                               0,
                               m->thread};
    enum { VALUES = sizeof values / sizeof *values };
    uint64_t result[GV_SLOTS];
    m->used = 0;
    m->coroutine = NULL;
    isa_shared_begin(&m->shared, &m->random_fill);
    isa_shared(&m->shared);
    struct gv_frame *main = new_frame(m, m->p->main);
    if (f->params != VALUES)
        return isa_refuse(m->out, RAN_UNSUPPORTED, 0, "cs_variant with %u parameters", f->params);
    for (uint32_t i = 0; i < VALUES; i++)
        *gv_row(m, main, f->param[i]) = values[i];
    m->steps = 0;
    const bool ok = run_frame(m, main, result);
    m->out->steps += m->steps;
    arena_reset(&m->calls);
    return ok;
}

// Values that the text leaves undefined are random.
static void fill_constants(struct gv_machine *m)
{
    const struct gv_program *p = m->p;
    m->constant = ARENA_ARRAY(m->a, uint64_t, p->constants + GV_SLOTS);
    if (p->constants)
        memcpy(m->constant, p->constant, p->constants * sizeof *p->constant);
    for (uint32_t i = 0; i < p->values; i++) {
        const struct gv_value *v = &p->value[i];
        const struct gv_type *t = v->type;
        while (t && (t->kind == GV_VECTOR || t->kind == GV_ARRAY))
            t = t->of;
        for (uint32_t k = 0; v->constant && k < v->type->slots; k++)
            if (p->undefined[v->at + k])
                m->constant[v->at + k] = isa_low(rng_next(&m->random_fill), t->bits);
    }
}

void gv_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
            const struct isa_options *o, struct isa_result *out)
{
    struct gv_machine *m = ARENA_NEW(a, struct gv_machine);
    m->a = a;
    m->p = (const struct gv_program *)code; // its first member
    m->c = c;
    m->out = out;
    m->random_fill = (struct rng){o->random_fill};
    m->memory = (struct isa_memory){.a = a, .random_fill = &m->random_fill};
    if (!isa_shape(a, c, m->local, &m->invocations, out))
        return;
    m->step_limit = o->step_limit * ((m->invocations + m->p->size - 1) / m->p->size);
    gv_place(m);
    fill_constants(m);
    if (isa_groups(c, m->group, m, run_group))
        isa_give(a, c, &m->memory, out);
    arena_free(&m->calls);
}
