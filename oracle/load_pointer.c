// SPDX-License-Identifier: Apache-2.0
//
// Decodes access chains: OpAccessChain, OpInBoundsAccessChain, OpPtrAccessChain. Output: what is
// known of the pointer while loading, and an instruction for the rest. Offsets are in bytes for
// storage classes with explicit layout, and in cells for others.
#include "load.h"

bool load_is_laid_out(uint32_t storage_class)
{
    return storage_class == SpvStorageClassStorageBuffer ||
           storage_class == SpvStorageClassUniform ||
           storage_class == SpvStorageClassPushConstant ||
           storage_class == SpvStorageClassPhysicalStorageBuffer;
}

static bool constant_index(const struct orc_program *p, uint32_t id, int64_t *value)
{
    uint32_t plane = p->plane[id];
    if (!load_is_constant(p, plane) || !p->const_defined[plane])
        return false;
    const struct type *t = &p->types[p->type_of[id]];
    uint64_t v = p->const_value[plane];
    *value = t->is_signed ? (int64_t)(v << (64 - t->width)) >> (64 - t->width) : (int64_t)v;
    return true;
}

// Steps into an element of a type. False if the type has no elements or lacks its layout.
static bool descend(const struct orc_program *p, bool laid_out, uint32_t type, uint32_t *elem,
                    uint64_t *stride, uint32_t *count, const struct pointer_info *ctx)
{
    const struct type *t = &p->types[type];
    *elem = t->elem;
    *count = t->kind == TY_RUNTIME_ARRAY ? NONE : t->count;
    switch (t->kind) {
    case TY_VECTOR:
        *stride = laid_out ? t->width / 8u : 1;
        if (laid_out && ctx->row_major && ctx->matrix_stride) // within a column of a matrix
            *stride = ctx->matrix_stride;
        return true;
    case TY_MATRIX:
        *stride = !laid_out        ? p->types[t->elem].cells
                  : ctx->row_major ? t->width / 8u
                                   : ctx->matrix_stride;
        return !laid_out || ctx->matrix_stride;
    case TY_ARRAY:
    case TY_RUNTIME_ARRAY:
        *stride = laid_out                             ? t->stride
                  : load_is_opaque(&p->types[t->elem]) ? 1
                                                       : p->types[t->elem].cells;
        return *stride != 0;
    default:
        return false;
    }
}

bool load_chain(struct orc_program *p, struct pointer_info *info, uint32_t spv, struct inst *out,
                bool *needed, struct orc_why *why)
{
    const struct spv_inst *s = &p->m.insts[spv];
    uint32_t base = s->v[0];
    const struct type *ptr = &p->types[p->type_of[base]];
    if (ptr->kind != TY_POINTER || p->types[s->type].kind != TY_POINTER || p->plane[base] == NONE)
        return why_set(&p->m, why, RAN_UNSUPPORTED, NULL, spv, "a chain from an unknown pointer");
    bool laid_out = load_is_laid_out(ptr->storage);
    struct pointer_info at = info[base];
    uint32_t type = ptr->elem;
    uint64_t constant = 0, descriptor = 0;
    bool selects = false;
    VEC(struct step) steps = {0};
    // OpPtrAccessChain: the first index counts elements of the pointer's own ArrayStride.
    const bool element = s->op == SpvOpPtrAccessChain;
    for (uint32_t k = 1; k < s->n; k++) {
        const struct type *t = &p->types[type];
        int64_t index = 0;
        bool known = constant_index(p, s->v[k], &index);
        if (element && k == 1) {
            const struct type *it = &p->types[p->type_of[s->v[k]]];
            if (!ptr->stride || ptr->storage != SpvStorageClassPhysicalStorageBuffer ||
                it->kind != TY_INT || p->plane[s->v[k]] == NONE)
                return why_set(&p->m, why, RAN_UNSUPPORTED, NULL, spv,
                               "%s on other pointers than addresses with an ArrayStride",
                               spv_op_name(s->op));
            *VEC_PUSH(p->arena, &steps) = (struct step){.plane = p->plane[s->v[k]],
                                                        .width = it->width,
                                                        .is_signed = it->is_signed,
                                                        .stride = ptr->stride,
                                                        .count = NONE};
            continue;
        }
        if (t->kind == TY_STRUCT) {
            if (!known || index < 0 || (uint64_t)index >= t->member_count)
                return why_set(&p->m, why, RAN_INVALID, NULL, spv, "has no such member");
            const struct member *m = &t->member[index];
            if (laid_out && m->offset == NONE)
                return why_set(&p->m, why, RAN_INVALID, NULL, spv, "the member has no Offset");
            constant += laid_out ? m->offset : m->cell;
            at.matrix_stride = m->matrix_stride;
            at.row_major = m->row_major;
            at.coherent |= m->coherent;
            type = m->type;
            continue;
        }
        uint32_t elem, count;
        uint64_t stride;
        const bool array = k == 1 && at.object != NONE && p->objects[at.object].many &&
                           type == p->objects[at.object].type;
        if (array) {
            elem = t->elem, count = t->kind == TY_ARRAY ? t->count : DESCRIPTORS_MAX,
            stride = DESCRIPTOR_BYTES;
            selects = !known;
        } else if (!descend(p, laid_out, type, &elem, &stride, &count, &at))
            return why_set(&p->m, why, RAN_UNSUPPORTED, NULL, spv,
                           "index %u walks into a type without elements or layout", k);
        type = elem;
        if (known) {
            if (index < 0 || (uint64_t)index >= count || (uint64_t)index * stride >> 38)
                at.bad = true;
            else if (array)
                descriptor = (uint64_t)index * stride;
            else
                constant += (uint64_t)index * stride;
            continue;
        }
        const struct type *it = &p->types[p->type_of[s->v[k]]];
        if (p->plane[s->v[k]] == NONE || it->kind != TY_INT)
            return why_set(&p->m, why, RAN_UNSUPPORTED, NULL, spv,
                           "index %%%u is not a known integer", s->v[k]);
        *VEC_PUSH(p->arena, &steps) = (struct step){.plane = p->plane[s->v[k]],
                                                    .width = it->width,
                                                    .is_signed = it->is_signed,
                                                    .stride = stride,
                                                    .count = count};
    }
    if (constant >> (at.object != NONE && p->objects[at.object].many ? DESCRIPTOR_SHIFT : 38))
        at.bad = true;
    constant += descriptor;
    if (laid_out && at.row_major && p->types[type].kind == TY_VECTOR && at.matrix_stride)
        return why_set(&p->m, why, RAN_UNSUPPORTED, NULL, spv,
                       "a pointer to a column of a row-major matrix");
    *needed = steps.n > 0 || !at.is_static;
    if (!*needed) {
        at.offset += constant;
        at.is_static = !at.bad; // an access through it finds POINTER_BAD
        info[s->result] = at;
        p->plane[s->result] = load_constant(
            p, pointer_make(at.bad ? POINTER_BAD : at.object, at.bad ? 1 : at.offset));
        return true;
    }
    bool was_static = at.is_static;
    *out = (struct inst){.klass = IN_CHAIN,
                         .op = s->op,
                         .spv = spv,
                         .object = at.object,
                         .a = p->plane[base],
                         .steps = steps.v,
                         .n = (uint32_t)steps.n,
                         .offset = constant + (was_static ? at.offset : 0),
                         .is_static = was_static,
                         .bad = at.bad,
                         .selects = selects};
    at.is_static = false;
    info[s->result] = at;
    return true;
}
