// SPDX-License-Identifier: Apache-2.0
//
// Generates the case of a seed and its prediction, for all targets of a group.
//
// Modules of the generator are valid by construction, and tests check that on many thousands. Here
// spirv-val checks one in `validate_every`, and every module with an unexpected answer: no finding
// is based on an invalid module.
#include "campaign_parts.h"

#include <string.h>

struct job *job_new(struct shard *s)
{
    struct job *j = s->free_jobs;
    if (j)
        s->free_jobs = j->next;
    else
        j = ARENA_NEW(&s->arena, struct job);
    arena_reset(&j->arena);
    *j = (struct job){.arena = j->arena};
    return j;
}

void job_free(struct shard *s, struct job *j)
{
    j->next = s->free_jobs;
    s->free_jobs = j;
}

const char *job_command(const struct campaign *c, struct arena *a, const struct unit *u,
                        const struct form *program)
{
    const struct gen_options *g = &c->group[u->group].gen;
    struct text t = {.arena = a};
    const unsigned long long seed = u->seed;
    text_add(&t, c->all ? "tanglefuzz enumerate --number %llu" : "tanglefuzz gen --seed %llu",
             seed);
    text_add(&t, " --subgroup %u", g->subgroup);
    if (g->profile != GEN_DEFAULT)
        text_add(&t, " --profile %s", gen_profile_name(g->profile));
    if (program->made.digest)
        text_add(&t, " --log %s", gen_log_name(GEN_LOG_DIGEST));
    if (g->stage != SPV_STAGE_DEFAULT)
        text_add(&t, " --stage %s", spv_stage_row(g->stage)->name);
    if (g->inputs > 1 || c->all)
        text_add(&t, " --inputs %u -o case.spvasm", g->inputs);
    if (g->model != SPV_MAXIMAL)
        text_add(&t, " --model %s", spv_model_name(g->model));
    if (g->max_invocations && !c->all)
        text_add(&t, " --max-invocations %u", g->max_invocations);
    if (!c->all && g->features != gen_features_of(g->stage)) {
        const char *gap = " --only ";
        for (int f = 0; f < GEN_FEATURE_COUNT; f++)
            if (g->features & GEN_BIT(f)) {
                text_add(&t, "%s%s", gap, gen_feature_name((enum gen_feature)f));
                gap = ",";
            }
    }
    return t.v;
}

struct spv_case job_kept_case(const struct prediction *p, const struct judged *judged)
{
    struct spv_case c = *p->c;
    if (!c.subgroup)
        c.subgroup = p->subgroup;
    if (judged->chose && !judged->any_policy) {
        c.has_policy = true;
        c.policy = judged->policy;
    }
    return c;
}

bool job_validate(struct shard *s, struct job *j, struct form *f, const char **why)
{
    struct err e = {0};
    const struct spv_case *first = &f->made.cases[0];
    if (f->validated || spv_validate(s->tools, SPV_ENV_VULKAN_1_3, first->words, first->count, &e))
        return f->validated = true;
    *why = arena_printf(&j->arena, "spirv-val: %s", e.msg);
    return false;
}

// Generates the program of a unit with the options `g`.
static void make(struct shard *s, struct job *j, const struct gen_options *g, struct form *f)
{
    const struct campaign *c = s->c;
    struct arena *a = &j->arena;
    struct gen_choices choices;
    if (c->all) {
        gen_make_number(a, c->all, j->unit.seed, g, &f->made);
    } else {
        gen_choices_seed(&choices, a, j->unit.seed);
        gen_make(&choices, g, &f->made);
    }
    CHECK(f->made.case_count >= 1 && f->made.case_count <= RUN_JOB_CASES);
}

static void predict(struct shard *s, struct job *j, uint32_t subgroup, struct form *f)
{
    f->predicted = judge_predict_within(&j->arena, &s->scratch, f->made.cases, f->made.case_count,
                                        subgroup, SPV_POLICY_JOIN, 0);
}

bool job_make_log(struct shard *s, struct job *j)
{
    struct form *f = &j->form[WITH_LOG];
    struct gen_options g = s->c->group[j->unit.group].gen;
    if (!j->form[AS_MADE].made.digest)
        return false;
    g.log = GEN_LOG_ENTRIES;
    if (!f->predicted) {
        make(s, j, &g, f);
        predict(s, j, g.subgroup, f);
    }
    return true;
}

enum job_outcome job_make(struct shard *s, struct job *j, const char **kind, const char **why)
{
    struct campaign *c = s->c;
    struct arena *a = &j->arena;
    struct form *f = &j->form[AS_MADE];
    char context[40];
    snprintf(context, sizeof context, "seed %llu", (unsigned long long)j->unit.seed);
    check_context(context);

    // A copy: known_steer has removed features of known bugs from the group's options.
    const struct gen_options g = c->group[j->unit.group].gen;
    make(s, j, &g, f);
    j->left_out = c->all && f->made.used & ~g.features;
    if (j->left_out) {
        check_context(NULL);
        return JOB_LEFT_OUT;
    }

    if (j->unit.seed % c->o.validate_every == 0 && !job_validate(s, j, f, why)) {
        *kind = "invalid";
        return JOB_OWN_BUG;
    }
    predict(s, j, g.subgroup, f);
    for (uint32_t i = 0; i < f->made.case_count; i++) {
        const struct orc_why *w = &f->predicted[i].made.why;
        if (w->status == RAN_OK)
            continue;
        *kind = ran_name(w->status);
        *why = f->made.case_count == 1 ? arena_str(a, w->text)
                                       : arena_printf(a, "input %u: %s", i + 1, w->text);
        return JOB_OWN_BUG;
    }
    check_context(NULL);
    return JOB_READY;
}
