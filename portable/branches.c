// SPDX-License-Identifier: Apache-2.0
//
// Infers inputs from their uses in the module: the numbers that branches compare them with, so that
// both paths can be tried, and the members that atomics use.
#include "portable_inner.h"

#include <string.h>

enum { VALUES = 24, COUNTERS = 32, DEPTH = 12 };

static bool is_chain(const struct spv_inst *d)
{
    return d && (d->op == SpvOpAccessChain || d->op == SpvOpInBoundsAccessChain);
}

static const struct spv_inst *constant(const struct spv_module *m, uint32_t id)
{
    const struct spv_inst *d = spv_def(m, id);
    return d && d->n && (d->op == SpvOpConstant || d->op == SpvOpSpecConstant) ? d : NULL;
}

const struct por_member *por_counters(struct arena *a, const struct spv_module *m, uint32_t *n)
{
    struct por_member *out = ARENA_ARRAY(a, struct por_member, COUNTERS);
    *n = 0;
    for (uint32_t k = 0; k < m->inst_count && *n < COUNTERS; k++) {
        const struct spv_inst *s = &m->insts[k], *chain = s->n ? spv_def(m, s->v[0]) : NULL;
        if (spv_op_class(s->op) != SPV_CLASS_ATOMIC || !is_chain(chain))
            continue;
        const uint32_t root = por_root(m, s->v[0]);
        const struct spv_inst *base = spv_def(m, chain->v[0]),
                              *t = base ? spv_def(m, base->type) : NULL;
        uint32_t type = t && t->op == SpvOpTypePointer ? t->v[1] : 0;
        for (uint32_t j = 1; j < chain->n; j++) { // down to the first block
            t = spv_def(m, type);
            const struct spv_inst *index = constant(m, chain->v[j]);
            if (!t || (t->op == SpvOpTypeStruct && !index))
                break;
            if (t->op == SpvOpTypeStruct) {
                bool known = false;
                for (uint32_t i = 0; i < *n; i++)
                    known |= out[i].variable == root && out[i].type == type &&
                             out[i].member == index->v[0];
                if (!known)
                    out[(*n)++] = (struct por_member){root, type, index->v[0], s->op};
                break;
            }
            type = t->n ? t->v[0] : 0;
        }
    }
    return out;
}

// The name of a component of a vector: "offset.x".
enum { PARTS = 4 };
static const char *part_name(struct arena *a, const char *name, uint32_t part)
{
    return arena_printf(a, "%s.%c", name, "xyzw"[part % PARTS]);
}

// Finds the byte and the type of what a load reads through constant indices; NULL: `id` is
// something else.
static const struct spv_inst *number(struct arena *a, const struct spv_module *m, uint32_t id,
                                     struct por_set *out)
{
    const struct spv_inst *load = spv_def(m, id);
    for (int depth = 0; load && load->op == SpvOpBitcast && depth < DEPTH; depth++)
        load = spv_def(m, load->v[0]);
    const struct spv_inst *chain = load && load->op == SpvOpLoad ? spv_def(m, load->v[0]) : NULL;
    const struct spv_inst *variable = is_chain(chain) ? spv_def(m, chain->v[0]) : NULL;
    if (!variable || variable->op != SpvOpVariable ||
        (variable->v[0] != SpvStorageClassPushConstant &&
         variable->v[0] != SpvStorageClassUniform &&
         variable->v[0] != SpvStorageClassStorageBuffer))
        return NULL;
    uint32_t type = spv_def(m, variable->type)->v[1];
    uint32_t part = PARTS;
    *out = (struct por_set){.variable = variable->result, .name = ""};
    for (uint32_t k = 1; k < chain->n; k++) {
        const struct spv_inst *t = spv_def(m, type), *index = constant(m, chain->v[k]);
        if (!t || !index || (t->op != SpvOpTypeStruct && t->op != SpvOpTypeVector))
            return NULL; // an array has many elements
        const uint32_t member = index->v[0],
                       offset = t->op == SpvOpTypeVector
                                    ? 4 * member
                                    : por_decoration(m, type, member, SpvDecorationOffset);
        if (offset == UINT32_MAX || member >= (t->op == SpvOpTypeVector ? t->v[1] : t->n))
            return NULL;
        for (uint32_t j = 0;
             t->op == SpvOpTypeStruct && j < m->inst_count && m->insts[j].op != SpvOpFunction; j++)
            if (m->insts[j].op == SpvOpMemberName && m->insts[j].v[0] == type &&
                m->insts[j].v[1] == member)
                out->name = spv_string(m->insts[j].v + 2, m->insts[j].n - 2u);
        out->byte += offset;
        part = t->op == SpvOpTypeVector ? member : part;
        type = t->op == SpvOpTypeVector ? t->v[0] : t->v[member];
    }
    const struct spv_inst *t = spv_def(m, type);
    if (part < PARTS && out->name[0])
        out->name = part_name(a, out->name, part);
    if (!out->name || !out->name[0])
        out->name = arena_printf(a, "byte %u of %s", out->byte, por_name(a, m, variable->result));
    return t;
}

bool por_number_of(struct arena *a, const struct spv_module *m, uint32_t id, struct por_set *out)
{
    const struct spv_inst *t = number(a, m, id, out);
    return t && t->op == SpvOpTypeInt && t->v[0] == 32;
}

bool por_single(struct arena *a, const struct spv_module *m, uint32_t id, struct por_set *out)
{
    const struct spv_inst *t = number(a, m, id, out);
    return t && (t->op == SpvOpTypeInt || t->op == SpvOpTypeFloat || t->op == SpvOpTypeVector);
}

const struct por_set *por_address_pairs(struct arena *a, const struct spv_module *m, uint32_t *n)
{
    struct por_set *out = ARENA_ARRAY(a, struct por_set, VALUES), one;
    *n = 0;
    for (uint32_t k = 0; k < m->inst_count && *n < VALUES; k++) {
        const struct spv_inst *s = &m->insts[k];
        const uint32_t pointee = s->op == SpvOpBitcast ? por_pointee(spv_def(m, s->type)) : 0;
        const struct spv_inst *t = pointee ? number(a, m, s->v[0], &one) : NULL;
        if (!t || t->op != SpvOpTypeVector || t->v[1] != 2)
            continue;
        one.value = pointee;
        out[(*n)++] = one;
    }
    return out;
}

const char *por_invented_text(struct por_asker *w, uint32_t id)
{
    struct por_set one;
    const struct spv_inst *load = spv_def(w->m, id);
    const uint32_t *words = NULL, root = load && load->n ? por_root(w->m, load->v[0]) : 0;
    uint32_t count = 0;
    for (uint32_t k = 0; w->inputs->constant && w->inputs->constant[id] && k < w->c->spec_count;
         k++)
        if (w->c->spec[k].id == por_decoration(w->m, id, UINT32_MAX, SpvDecorationSpecId))
            return arena_printf(w->a, "%s = %llu", por_name(w->a, w->m, id),
                                (unsigned long long)w->c->spec[k].value);
    if (!load || load->op != SpvOpLoad || !root)
        return NULL;
    if (!por_number_of(w->a, w->m, id, &one))
        return por_name(w->a, w->m, root);
    if (spv_def(w->m, root)->v[0] == SpvStorageClassPushConstant)
        words = w->c->push, count = w->c->push_count;
    const uint32_t set = por_decoration(w->m, root, UINT32_MAX, SpvDecorationDescriptorSet),
                   binding = por_decoration(w->m, root, UINT32_MAX, SpvDecorationBinding);
    for (uint32_t k = 0; !words && k < w->c->buffer_count; k++)
        if (w->c->buffer[k].binding == binding &&
            w->c->buffer[k].set == (set == UINT32_MAX ? 0 : set))
            words = w->c->buffer[k].words, count = w->c->buffer[k].count;
    return words && one.byte / 4 < count
               ? arena_printf(w->a, "%s = %u", one.name, words[one.byte / 4])
               : one.name;
}

static void add(struct por_set *all, uint32_t *n, struct por_set one, uint32_t value)
{
    one.value = value;
    for (uint32_t k = 0; k < *n; k++)
        if (all[k].variable == one.variable && all[k].byte == one.byte && all[k].value == value &&
            all[k].spec == one.spec)
            return;
    if (*n < VALUES)
        all[(*n)++] = one;
}

const struct por_set *por_numbers(struct arena *a, const struct spv_module *m, uint32_t *n)
{
    struct por_set *out = ARENA_ARRAY(a, struct por_set, VALUES), one;
    *n = 0;
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *t =
            m->insts[k].op == SpvOpLoad ? number(a, m, m->insts[k].result, &one) : NULL;
        const uint32_t parts = t && t->op == SpvOpTypeVector ? t->v[1] : 1;
        t = t && t->op == SpvOpTypeVector ? spv_def(m, t->v[0]) : t;
        if (!t || t->op != SpvOpTypeInt || t->v[0] != 32)
            continue;
        const char *name = one.name;
        for (uint32_t j = 0; j < parts; j++, one.byte += 4) {
            one.name = parts > 1 ? part_name(a, name, j) : name;
            add(out, n, one, 0);
        }
    }
    return out;
}

// Other values of specialisation constants that were not set: of truth values, and of numbers that
// are compared with constants.
static void add_constants(struct arena *a, const struct spv_case *c, const struct spv_module *m,
                          struct por_set *out, uint32_t *n)
{
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *s = &m->insts[k];
        const bool folded = s->op == SpvOpSpecConstantOp && s->n == 3;
        const uint32_t op = folded ? s->v[0] : s->op, first = folded;
        const bool is_truth = op == SpvOpSpecConstantTrue || op == SpvOpSpecConstantFalse,
                   compares = op >= SpvOpIEqual && op <= SpvOpSLessThanEqual && s->n == first + 2u;
        for (uint32_t j = first; j < (is_truth ? first + 1 : compares ? s->n : first); j++) {
            const uint32_t id = is_truth ? s->result : s->v[j], spec = por_free_constant(m, c, id);
            const struct spv_inst *with = is_truth ? NULL : constant(m, s->v[first + (j == first)]);
            if (spec == UINT32_MAX || (!is_truth && (!with || with->op != SpvOpConstant)))
                continue;
            const struct por_set one = {.byte = spec, .spec = true, .name = por_name(a, m, id)};
            add(out, n, one, is_truth ? op == SpvOpSpecConstantFalse : with->v[0]);
        }
        for (uint32_t j = 2; s->op == SpvOpSwitch && j < s->n; j += 2) {
            const uint32_t spec = por_free_constant(m, c, s->v[0]);
            if (spec != UINT32_MAX)
                add(out, n,
                    (struct por_set){.byte = spec, .spec = true, .name = por_name(a, m, s->v[0])},
                    s->v[j]);
        }
    }
}

const struct por_set *por_branch_values(struct arena *a, const struct spv_case *c,
                                        const struct spv_module *m, uint32_t *n, uint32_t *uneven)
{
    enum { UNEVEN = 37 };
    struct por_set *out = ARENA_ARRAY(a, struct por_set, VALUES), one;
    *n = 0;
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *s = &m->insts[k];
        if (s->op == SpvOpSwitch && por_number_of(a, m, s->v[0], &one))
            for (uint32_t j = 2; j < s->n; j += 2)
                add(out, n, one, s->v[j]);
        if (s->op < SpvOpIEqual || s->op > SpvOpSLessThanEqual || s->n != 2)
            continue;
        for (uint32_t j = 0; j < 2; j++) {
            const struct spv_inst *number = constant(m, s->v[1 - j]);
            if (!number || !por_number_of(a, m, s->v[j], &one))
                continue;
            uint32_t value = number->v[0];
            const uint32_t spec = por_decoration(m, s->v[1 - j], UINT32_MAX, SpvDecorationSpecId);
            for (uint32_t i = 0; i < c->spec_count; i++)
                value = c->spec[i].id == spec ? c->spec[i].value : value;
            add(out, n, one, value);
            add(out, n, one, value + 1);
            add(out, n, one, value - 1);
        }
    }
    add_constants(a, c, m, out, n);
    const uint32_t even = *n;
    for (uint32_t k = 0; k < m->inst_count; k++)
        for (uint32_t j = 0;
             m->insts[k].op >= SpvOpUGreaterThan && m->insts[k].op <= SpvOpSLessThanEqual && j < 2;
             j++)
            if (!constant(m, m->insts[k].v[1 - j]) && por_number_of(a, m, m->insts[k].v[j], &one))
                add(out, n, one, UNEVEN);
    *uneven = *n - even;
    return out;
}

// The variable in whose memory a value was read: of a buffer, through variables of one invocation
// and masks; 0: another value.
static uint32_t read_from(const struct spv_module *m, uint32_t id, int depth)
{
    const struct spv_inst *d = spv_def(m, id);
    if (!d || depth > DEPTH)
        return 0;
    const bool atomic = d->type && spv_op_class(d->op) == SPV_CLASS_ATOMIC;
    const uint32_t root = d->op == SpvOpLoad || atomic ? por_root(m, d->v[0]) : 0;
    const struct spv_inst *variable = root ? spv_def(m, root) : NULL;
    if (variable && (variable->v[0] == SpvStorageClassStorageBuffer ||
                     variable->v[0] == SpvStorageClassUniform))
        return root;
    if (d->op == SpvOpLoad && variable && variable->v[0] == SpvStorageClassFunction)
        for (uint32_t k = 0; k < m->inst_count; k++) {
            const uint32_t from = m->insts[k].op == SpvOpStore && m->insts[k].v[0] == root
                                      ? read_from(m, m->insts[k].v[1], depth + 1)
                                      : 0;
            if (from)
                return from;
        }
    if (d->op == SpvOpBitwiseAnd || d->op == SpvOpShiftRightLogical)
        return read_from(m, d->v[constant(m, d->v[0]) != NULL], depth + 1);
    return 0;
}

static bool is_written(const struct spv_module *m, uint32_t variable)
{
    for (uint32_t k = 0; k < m->inst_count; k++)
        if ((m->insts[k].op == SpvOpStore || (spv_op_class(m->insts[k].op) == SPV_CLASS_ATOMIC &&
                                              m->insts[k].op != SpvOpAtomicLoad)) &&
            por_root(m, m->insts[k].v[0]) == variable)
            return true;
    return false;
}

const struct por_set *por_flags(struct arena *a, const struct spv_module *m, uint32_t *n)
{
    struct por_set *out = ARENA_ARRAY(a, struct por_set, VALUES);
    *n = 0;
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *s = &m->insts[k];
        if ((s->op != SpvOpIEqual && s->op != SpvOpINotEqual) || s->n != 2)
            continue;
        for (uint32_t j = 0; j < 2; j++) {
            const struct spv_inst *number = constant(m, s->v[1 - j]);
            const uint32_t variable = number && number->v[0] ? read_from(m, s->v[j], 0) : 0;
            if (variable && is_written(m, variable))
                add(out, n,
                    (struct por_set){.variable = variable, .name = por_name(a, m, variable)},
                    number->v[0]);
        }
    }
    return out;
}
