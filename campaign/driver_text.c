// SPDX-License-Identifier: Apache-2.0
#include "driver_text.h"

bool driver_ask(struct arena *a, const char *spec, const char *self, const struct run_options *o,
                const struct spv_case *c, const atomic_bool *stop, struct run_result *out)
{
    struct run_result *r = NULL;
    struct run_target *t = run_open(spec, self, o, NULL);
    if (!t)
        return false;
    run_submit(t, c, 1, c->subgroup);
    while (!(stop && atomic_load(stop)) && !run_take(t, a, 0.1, &r))
        ;
    run_close(t);
    if (r)
        *out = r[0];
    return r != NULL;
}

const struct run_origin *word_origin(const struct spv_case *c, const struct judge_verdict *v,
                                     const struct run_result *r)
{
    if (!v->has_place || !r->origin || r->memory_count != c->buffer_count)
        return NULL;
    const uint32_t i = spv_buffer_index(c, v->set, v->binding);
    return i != UINT32_MAX && r->origin[i] && v->word < r->memory[i].count ? &r->origin[i][v->word]
                                                                           : NULL;
}

enum diag_stage locate_stage(struct arena *a, const char *spec, const char *self,
                             const struct run_options *o, const struct spv_case *c,
                             enum judge_class klass, const struct spv_memory *expected,
                             const atomic_bool *stop)
{
    const char *before = run_stage_before(a, spec);
    struct run_result r;
    struct judge_verdict v = {0};
    if ((!judge_class_is_mismatch(klass) && klass != JUDGE_SCHEDULE) || !expected || !before ||
        !driver_ask(a, before, self, o, c, stop, &r) || r.status != RUN_OK ||
        r.memory_count != c->buffer_count)
        return DIAG_STAGE_UNKNOWN;
    judge_compare(c, expected, r.memory, r.memory_count, &v);
    if (v.klass == JUDGE_AGREES)
        return r.uneven_line ? DIAG_STAGE_DIVERGENCE : DIAG_STAGE_MACHINE;
    return judge_class_is_mismatch(v.klass) ? DIAG_STAGE_NIR : DIAG_STAGE_UNKNOWN;
}
