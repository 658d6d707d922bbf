// SPDX-License-Identifier: Apache-2.0
//
// OUT/state.json: the state of a campaign, written atomically about once a second and at the end.
// It holds the options, the seeds that are done, the figures, and the units that were handed out
// but are not done. A campaign that is resumed, after ctrl-C or kill -9, starts with those. Their
// findings get the same folders.
#include "campaign_parts.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { STATE_SCHEMA = 1, STATE_LIMIT = 64 << 20, MOST_INVOCATIONS = 1024 };
static const double MOST_SECONDS = 1e9;

// The integer fields of struct campaign_count.
// clang-format off
#define COUNT_FIELDS(X)                                                                            \
    X(modules) X(cases) X(agreed) X(skipped) X(unjudged) X(nothing) X(rerun) X(repeated)           \
    X(compared) X(live_total) X(live_min) X(findings) X(again) X(flaky) X(other_mapping) X(held)   \
    X(quarantine) X(outside) X(compiled) X(known) X(further) X(left_out)
// clang-format on

// Numbers that may need 64 bits are written as text: JSON's integers are signed.
static json_t *u64_json(uint64_t v)
{
    return json_sprintf("%llu", (unsigned long long)v);
}

static bool get_u64(const json_t *o, const char *key, uint64_t *out)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s && parse_u64(s, strlen(s), out);
}

// ---- figures -----------------------------------------------------------------------

// Writes [index, figure, index, figure ...] for figures other than 0.
static json_t *sparse_json(const uint64_t *v, uint32_t n)
{
    json_t *o = json_array();
    for (uint32_t i = 0; i < n; i++)
        if (v[i]) {
            json_array_append_new(o, json_integer(i));
            json_array_append_new(o, json_integer((json_int_t)v[i]));
        }
    return o;
}

static bool get_sparse(const json_t *o, uint64_t *v, uint32_t n)
{
    for (size_t i = 0; i + 1 < json_array_size(o); i += 2) {
        json_int_t at = json_integer_value(json_array_get(o, i));
        if (at < 0 || at >= n)
            return false;
        v[at] = (uint64_t)json_integer_value(json_array_get(o, i + 1));
    }
    return json_is_array(o);
}

static json_t *count_json(const struct campaign_count *n)
{
    json_t *o = json_object(), *reasons = json_array();
#define X(field) json_object_set_new(o, #field, json_integer((json_int_t)n->field));
    COUNT_FIELDS(X)
#undef X
    json_object_set_new(o, "driver_seconds", json_real(n->driver_seconds));
    json_object_set_new(o, "driver_cpu", json_real(n->driver_cpu));
    json_object_set_new(o, "live", sparse_json(n->live, LIVE_STEPS));
    json_t *classes = json_object();
    for (int k = 0; k < JUDGE_CLASSES; k++)
        if (n->by_class[k])
            json_object_set_new(classes, judge_class_name((enum judge_class)k),
                                json_integer((json_int_t)n->by_class[k]));
    json_object_set_new(o, "by_class", classes);
    for (uint32_t i = 0; i < n->reasons; i++) {
        // A driver's text may not be UTF-8.
        json_t *text = json_string(n->reason[i].text);
        json_array_append_new(reasons,
                              json_pack("{s:o, s:I}", "text", text ? text : json_string("?"), "n",
                                        (json_int_t)n->reason[i].n));
    }
    json_object_set_new(o, "reasons", reasons);
    return o;
}

static bool get_count(const json_t *o, struct campaign_count *n)
{
    *n = (struct campaign_count){0};
#define X(field) n->field = (uint64_t)json_integer_value(json_object_get(o, #field));
    COUNT_FIELDS(X)
#undef X
    n->driver_seconds = json_number_value(json_object_get(o, "driver_seconds"));
    n->driver_cpu = json_number_value(json_object_get(o, "driver_cpu"));
    const json_t *reasons = json_object_get(o, "reasons");
    for (size_t i = 0; i < json_array_size(reasons) && i < CAMPAIGN_REASONS; i++) {
        const json_t *x = json_array_get(reasons, i);
        const char *text = json_string_value(json_object_get(x, "text"));
        snprintf(n->reason[i].text, sizeof n->reason[i].text, "%s", text ? text : "?");
        n->reason[i].n = (uint64_t)json_integer_value(json_object_get(x, "n"));
        n->reasons++;
    }
    for (int k = 0; k < JUDGE_CLASSES; k++)
        n->by_class[k] = (uint64_t)json_integer_value(
            json_object_get(json_object_get(o, "by_class"), judge_class_name((enum judge_class)k)));
    return json_is_object(o) && get_sparse(json_object_get(o, "live"), n->live, LIVE_STEPS);
}

// ---- options -------------------------------------------------------------------------

static json_t *features_json(gen_features set)
{
    struct arena a = {0};
    struct text t = {.arena = &a};
    gen_features_text(set, &t);
    json_t *j = json_string(t.v);
    arena_free(&a);
    return j;
}

static bool get_features(const json_t *o, gen_features *out)
{
    const char *s = json_string_value(json_object_get(o, "features"));
    return s && gen_features_read(s, strlen(s), out);
}

static json_t *options_json(const struct campaign *c)
{
    const struct campaign_options *o = &c->o;
    json_t *j = json_object(), *targets = json_array();
    for (uint32_t t = 0; t < o->target_count; t++)
        json_array_append_new(
            targets, json_pack("{s:s, s:s}", "spec", o->targets[t], "device", c->target[t].device));
    json_object_set_new(j, "targets", targets);
    json_object_set_new(j, "first_seed", u64_json(o->first_seed));
    json_object_set_new(j, "end_seed", u64_json(o->end_seed));
    json_object_set_new(j, "features", features_json(o->features));
#define X(field) json_object_set_new(j, #field, json_integer((json_int_t)o->field));
    // clang-format off
#define OPTION_FIELDS                                                                              \
    X(jobs) X(stop_after) X(inputs) X(profile) X(log) X(stage) X(choose_model) X(model)            \
    X(subgroup) X(max_invocations) X(validate_every) X(keep) X(run.validate) X(run.driver_text)    \
    X(run.memory_mib) X(size)
    // clang-format on
    OPTION_FIELDS
#undef X
    if (o->known)
        json_object_set_new(j, "known", json_string(o->known));
    json_object_set_new(j, "seconds", json_real(o->seconds));
    json_object_set_new(j, "fence_seconds", json_real(o->run.fence_seconds));
    json_object_set_new(j, "job_seconds", json_real(o->run.job_seconds));
    return j;
}

// True for a time that a timer can take; a file may contain any number.
static bool is_time(double seconds)
{
    return seconds >= 0 && seconds <= MOST_SECONDS;
}

static bool get_options(struct campaign *c, const json_t *j)
{
    struct campaign_options *o = &c->o;
    const json_t *targets = json_object_get(j, "targets");
    size_t n = json_array_size(targets);
    if (n < 1 || n > CAMPAIGN_TARGETS_MAX)
        return false;
    const char **specs = ARENA_ARRAY(&c->arena, const char *, n);
    for (size_t t = 0; t < n; t++) {
        const json_t *x = json_array_get(targets, t);
        const char *spec = json_string_value(json_object_get(x, "spec"));
        const char *device = json_string_value(json_object_get(x, "device"));
        if (!spec || !device)
            return false;
        specs[t] = arena_str(&c->arena, spec);
        c->was[t] = arena_str(&c->arena, device);
    }
    o->targets = specs;
    o->target_count = (uint32_t)n;
#define X(field) o->field = (__typeof__(o->field))json_integer_value(json_object_get(j, #field));
    OPTION_FIELDS
#undef X
    const char *known = json_string_value(json_object_get(j, "known"));
    o->known = known ? arena_str(&c->arena, known) : NULL;
    o->seconds = json_number_value(json_object_get(j, "seconds"));
    o->run.fence_seconds = json_number_value(json_object_get(j, "fence_seconds"));
    o->run.job_seconds = json_number_value(json_object_get(j, "job_seconds"));
    return get_u64(j, "first_seed", &o->first_seed) && get_u64(j, "end_seed", &o->end_seed) &&
           get_features(j, &o->features) && o->jobs >= 1 && o->jobs <= CAMPAIGN_JOBS_MAX &&
           o->inputs >= 1 && o->inputs <= RUN_JOB_CASES && (uint32_t)o->profile <= GEN_LARGE &&
           (uint32_t)o->log < GEN_LOGS && (uint32_t)o->stage < SPV_STAGES &&
           (uint32_t)o->choose_model <= CAMPAIGN_MODEL_BEST &&
           (uint32_t)o->model <= SPV_ASSUMED_MAXIMAL && o->validate_every >= 1 &&
           o->size <= ENU_SIZE_MAX && o->subgroup <= 128 && !(o->subgroup & (o->subgroup - 1)) &&
           (o->subgroup == 0 || o->subgroup >= 4) && o->max_invocations <= MOST_INVOCATIONS &&
           o->run.memory_mib <= 1u << 20 && is_time(o->seconds) && is_time(o->run.fence_seconds) &&
           is_time(o->run.job_seconds);
}

// ---- the file ------------------------------------------------------------------------

static json_t *unit_json(const struct unit *u)
{
    return json_pack("[o, i]", u64_json(u->seed), (int)u->group);
}

static bool get_unit(const json_t *j, struct unit *u)
{
    const char *s = json_string_value(json_array_get(j, 0));
    json_int_t group = json_integer_value(json_array_get(j, 1));
    u->group = (uint32_t)group;
    return s && parse_u64(s, strlen(s), &u->seed) && group >= 0 && group < CAMPAIGN_TARGETS_MAX;
}

bool state_save(struct campaign *c, struct err *e)
{
    const struct campaign_stats *s = &c->stats;
    json_t *j = json_object(), *open = json_array(), *known = json_array(), *counts = json_array();
    json_object_set_new(j, "schema", json_integer(STATE_SCHEMA));
    json_object_set_new(j, "generator", json_integer(GEN_VERSION));
    json_object_set_new(j, "campaign", json_string(c->id));
    json_object_set_new(j, "options", options_json(c));
    json_object_set_new(j, "next", unit_json(&c->next));
    for (size_t i = 0; i < c->open.n; i++)
        json_array_append_new(open, unit_json(&c->open.v[i]));
    for (size_t i = c->redone; i < c->redo.n; i++)
        json_array_append_new(open, unit_json(&c->redo.v[i]));
    json_object_set_new(j, "open", open);
    for (size_t i = 0; i < c->known.n; i++)
        json_array_append_new(known, json_string(c->known.v[i]));
    json_object_set_new(j, "known", known);
    json_object_set_new(j, "seconds", json_real(campaign_seconds(c)));
    json_object_set_new(j, "ours", json_integer((json_int_t)s->own_bugs));
    json_object_set_new(j, "validation_cpu", json_real(s->validation_cpu));
    json_object_set_new(j, "known_bugs", sparse_json(s->known, CAMPAIGN_KNOWN));
    json_object_set_new(j, "further", json_further(c));
    json_object_set_new(j, "sum", count_json(&s->sum));
    for (uint32_t t = 0; t < c->o.target_count; t++)
        json_array_append_new(counts, count_json(&s->target[t]));
    json_object_set_new(j, "counts", counts);
    char *text = json_dumps(j, JSON_INDENT(1));
    CHECK(text);
    struct arena a = {0};
    bool ok = file_write(arena_printf(&a, "%s/state.json", c->o.out), text, strlen(text), e);
    free(text);
    arena_free(&a);
    json_decref(j);
    return ok;
}

static bool get_state(struct campaign *c, const json_t *j)
{
    const json_t *x, *counts = json_object_get(j, "counts");
    const char *id = json_string_value(json_object_get(j, "campaign"));
    size_t i;
    if (!id || !get_options(c, json_object_get(j, "options")) ||
        !get_unit(json_object_get(j, "next"), &c->next) ||
        !get_count(json_object_get(j, "sum"), &c->stats.sum) ||
        json_array_size(counts) != c->o.target_count)
        return false;
    snprintf(c->id, sizeof c->id, "%s", id);
    json_array_foreach(counts, i, x) if (!get_count(x, &c->stats.target[i])) return false;
    json_array_foreach(json_object_get(j, "open"), i,
                       x) if (!get_unit(x, VEC_PUSH(&c->arena, &c->redo))) return false;
    json_array_foreach(json_object_get(j, "known"), i, x) * VEC_PUSH(&c->arena, &c->known) =
        arena_str(&c->arena, json_string_value(x) ? json_string_value(x) : "");
    if (json_object_get(j, "known_bugs") &&
        !get_sparse(json_object_get(j, "known_bugs"), c->stats.known, CAMPAIGN_KNOWN))
        return false;
    json_array_foreach(json_object_get(j, "further"), i, x)
    {
        const char *name = json_string_value(json_object_get(x, "bucket"));
        const bool flaky = json_is_true(json_object_get(x, "flaky"));
        if (name)
            count_of_bucket(c, name, flaky)->further =
                (uint64_t)json_integer_value(json_object_get(x, "findings"));
    }
    c->before = json_number_value(json_object_get(j, "seconds"));
    if (!is_time(c->before))
        return false;
    c->stats.own_bugs = (uint64_t)json_integer_value(json_object_get(j, "ours"));
    c->stats.validation_cpu = json_number_value(json_object_get(j, "validation_cpu"));
    return true;
}

// Checks that the targets may be opened: those that run a program must be given again.
static bool may_open(const struct campaign *c, const struct campaign_options *o, struct err *e)
{
    for (uint32_t t = 0; t < c->o.target_count; t++) {
        const char *spec = c->o.targets[t];
        const size_t line = strcspn(spec, "\r\n"); // a message is one line
        const int first = line < 300 ? (int)line : 300;
        if (o->target_count &&
            (o->target_count != c->o.target_count || strcmp(o->targets[t], spec) != 0))
            return err_set(e, "the campaign has other targets: its target %u is '%.*s'", t + 1,
                           first, spec);
        if (!o->target_count && !run_harmless(spec))
            return err_set(e,
                           "needs --target SPEC again, for each target: the folder names "
                           "'%.*s', and a folder may not choose a program to run",
                           first, spec);
    }
    return true;
}

bool state_load(struct campaign *c, const struct campaign_options *o, struct err *e)
{
    const char *path = arena_printf(&c->arena, "%s/state.json", o->out);
    char *data;
    size_t size;
    if (!file_read(&c->arena, path, STATE_LIMIT, &data, &size, e))
        return err_prefix(e, "nothing to resume");
    json_t *j = json_loadb(data, size, 0, NULL);
    json_int_t made = json_integer_value(json_object_get(j, "generator"));
    bool ok = j && json_integer_value(json_object_get(j, "schema")) == STATE_SCHEMA;
    if (!ok || !get_state(c, j))
        ok = err_set(e, "%s: not the state of a campaign", path);
    else if (made != GEN_VERSION)
        ok = err_set(e, "%s: its seeds are for generator %d, this is %d: start a new campaign",
                     path, (int)made, GEN_VERSION);
    json_decref(j);
    ok = ok && may_open(c, o, e);
    c->o.self = o->self;
    c->o.out = arena_str(&c->arena, o->out);
    c->o.jobs = o->jobs ? o->jobs : c->o.jobs;
    if (o->stop_after != CAMPAIGN_AS_BEFORE)
        c->o.stop_after = o->stop_after;
    c->o.seconds = o->seconds > 0 ? o->seconds : c->o.seconds;
    if (o->end_seed)
        c->o.end_seed = o->end_seed;
    return ok;
}

bool state_same_targets(struct campaign *c, struct err *e)
{
    for (uint32_t t = 0; t < c->o.target_count; t++)
        if (strcmp(c->was[t], c->target[t].device) != 0)
            return err_set(e,
                           "%s has changed since the campaign began, so its results cannot be "
                           "combined; start a new campaign",
                           c->target[t].spec);
    bool known = c->next.group < c->groups;
    for (size_t i = 0; i < c->redo.n; i++)
        known &= c->redo.v[i].group < c->groups;
    return known || err_set(e,
                            "%s/state.json: not the state of a campaign: it names an unknown group "
                            "of targets",
                            c->o.out);
}
