// SPDX-License-Identifier: Apache-2.0
//
// Bytes -> a case. The head comes first and is a separate sequence. So it keeps its meaning when
// the generator draws other choices, and the mutator can change either of them.
#include "fuzz.h"

// Draws the reconvergence model of the case, half of the time maximal reconvergence. The weaker
// models are needed because SPIRV-Tools passes with a list of known extensions skip modules that
// declare any other: before 2026, four of them do nothing in a module that declares maximal
// reconvergence.
static enum spv_model model(const uint8_t *data, size_t size)
{
    static const enum spv_model models[] = {SPV_MAXIMAL, SPV_MAXIMAL, SPV_SUBGROUP_UNIFORM,
                                            SPV_WORKGROUP_UNIFORM};
    return models[size < FZ_HEAD ? 0 : data[FZ_HEAD - 1] % 4];
}

void fz_frame(struct arena *a, const uint8_t *data, size_t size, struct fz_case *out)
{
    static const uint32_t sizes[] = {8, 4, 16, 32, 64};
    *out = (struct fz_case){0};
    gen_choices_bytes(&out->head, a, data, size < FZ_HEAD ? size : FZ_HEAD);
    struct gen_options *o = &out->options;
    o->features = GEN_DEFAULT_FEATURES;
    o->subgroup = sizes[gen_choose(&out->head, 5)];
    o->profile = gen_choose(&out->head, 4) == 3 ? GEN_DEFAULT : GEN_SMALL;
    o->model = model(data, size);
    o->inputs = 1 + gen_choose(&out->head, 2);
    o->max_invocations = 64;
}

void fz_grow(struct arena *a, const uint8_t *data, size_t size, struct fz_case *out)
{
    size_t head = size < FZ_HEAD ? size : FZ_HEAD;
    struct gen_choices *rest = ARENA_ARRAY(a, struct gen_choices, 1);
    gen_choices_bytes(rest, a, data + head, size - head);
    gen_make(rest, &out->options, &out->made);
}

void fz_make(struct arena *a, const uint8_t *data, size_t size, struct fz_case *out)
{
    fz_frame(a, data, size, out);
    fz_grow(a, data, size, out);
}
