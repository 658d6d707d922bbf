// SPDX-License-Identifier: Apache-2.0
//
// A campaign's summary as JSON, and OUT/campaign.json: one row per campaign that wrote there. A
// resumed campaign replaces its row.
#define _POSIX_C_SOURCE 200809L
#include "campaign_parts.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { JSON_LIMIT = 64 << 20 };

// Reads campaign.json: an object with an array "campaigns". Returns a new object if the file does
// not exist; NULL with a message if it is something else.
static json_t *read_campaigns(struct arena *a, const char *path, struct err *e)
{
    if (access(path, F_OK) != 0 && !file_trouble())
        return json_pack("{s:i, s:[]}", "schema", 1, "campaigns");
    char *data;
    size_t size;
    if (!file_read(a, path, JSON_LIMIT, &data, &size, e))
        return NULL;
    json_t *o = json_loadb(data, size, 0, NULL);
    if (o && json_integer_value(json_object_get(o, "schema")) == 1 &&
        json_is_array(json_object_get(o, "campaigns")))
        return o;
    json_decref(o);
    err_set(e, "%s: not a campaign file of this version: choose another --out", path);
    return NULL;
}

bool json_check_campaigns(const char *out, struct err *e)
{
    struct arena a = {0};
    json_t *o = read_campaigns(&a, arena_printf(&a, "%s/campaign.json", out), e);
    bool ok = o != NULL;
    json_decref(o);
    arena_free(&a);
    return ok;
}

// Converts text from a target: without the machine's folders; null if it is not UTF-8.
static json_t *text_json(struct arena *a, const char *s)
{
    json_t *j = json_string(diag_without_paths(a, s));
    return j ? j : json_null();
}

static json_t *classes(const struct campaign_count *n)
{
    json_t *o = json_object();
    for (int k = 0; k < JUDGE_CLASSES; k++)
        if (n->by_class[k])
            json_object_set_new(o, judge_class_name((enum judge_class)k),
                                json_integer((json_int_t)n->by_class[k]));
    return o;
}

static json_t *skips(struct arena *a, const struct campaign_count *n)
{
    json_t *o = json_array();
    for (uint32_t i = 0; i < n->reasons; i++)
        json_array_append_new(o, json_pack("{s:o, s:I}", "reason", text_json(a, n->reason[i].text),
                                           "cases", (json_int_t)n->reason[i].n));
    return o;
}

static void put(json_t *o, const char *key, json_t *value)
{
    CHECK(json_object_set_new(o, key, value) == 0);
}

static void put_number(json_t *o, const char *key, uint64_t v)
{
    put(o, key, json_integer((json_int_t)v));
}

static void put_count(struct arena *a, json_t *o, const struct campaign_count *n)
{
    put_number(o, "modules", n->modules);
    put_number(o, "cases", n->cases);
    put_number(o, "agreed", n->agreed);
    put_number(o, "compiled", n->compiled);
    put_number(o, "nothing_compared", n->nothing);
    put_number(o, "skipped", n->skipped);
    put_number(o, "unjudged", n->unjudged);
    put(o, "skipped_by_reason", skips(a, n));
    put_number(o, "live_bits", n->live_total);
    put_number(o, "live_bits_min", n->live_min);
    put_number(o, "live_bits_median", campaign_live_median(n));
    put_number(o, "findings", n->findings);
    put_number(o, "findings_again", n->again);
    put_number(o, "flaky", n->flaky);
    put_number(o, "further", n->further);
    put_number(o, "known", n->known);
    put(o, "by_class", classes(n));
    put_number(o, "reruns", n->rerun);
    put(o, "stability", n->rerun ? json_real(campaign_stability(n)) : json_null());
    put_number(o, "held", n->held);
    put_number(o, "programs_left_out", n->left_out);
    put_number(o, "quarantined", n->quarantine);
    put_number(o, "killed_from_outside", n->outside);
}

static json_t *target_json(struct arena *a, const struct campaign *c, uint32_t t,
                           const struct campaign_stats *s)
{
    const struct campaign_target *x = &c->target[t];
    json_t *o = json_object();
    put(o, "target", text_json(a, x->spec));
    put(o, "device", text_json(a, x->info.device));
    put(o, "driver", text_json(a, x->info.driver));
    put_number(o, "subgroup", x->subgroup);
    put(o, "model", json_string(spv_model_name(x->model)));
    put(o, "left_out", json_string(x->dropped));
    put(o, "left_out_for_known_bugs", json_string(x->steered));
    put(o, "driver_share", json_real(campaign_driver_share(s, &s->target[t], s->jobs)));
    put_count(a, o, &s->target[t]);
    return o;
}

// Joins one field of all targets, in their order: "A; B".
static json_t *joined(struct arena *a, const struct campaign *c, size_t offset, bool text)
{
    struct text t = {.arena = a};
    for (uint32_t i = 0; i < c->o.target_count; i++) {
        const char *at = (const char *)&c->target[i] + offset;
        text_add(&t, "%s%s", i ? "; " : "", text ? at : *(const char *const *)(const void *)at);
    }
    return text_json(a, t.v);
}

json_t *json_further(const struct campaign *c)
{
    json_t *o = json_array();
    for (size_t i = 0; i < c->buckets.n; i++)
        if (c->buckets.v[i].further)
            json_array_append_new(o, json_pack("{s:s, s:b, s:I}", "bucket", c->buckets.v[i].name,
                                               "flaky", (int)c->buckets.v[i].flaky, "findings",
                                               (json_int_t)c->buckets.v[i].further));
    return o;
}

static json_t *summary(struct arena *a, const struct campaign *c, const struct campaign_stats *s)
{
    json_t *j = json_object();
    CHECK(j);
    put_number(j, "schema", 1);
    put(j, "type", json_string("summary"));
    put(j, "version", json_string(version_number()));
    put_number(j, "generator", GEN_VERSION);
    put(j, "campaign", json_string(c->id));
    put(j, "target", joined(a, c, offsetof(struct campaign_target, spec), false));
    put(j, "device", joined(a, c, offsetof(struct campaign_target, info.device), true));
    put(j, "driver", joined(a, c, offsetof(struct campaign_target, info.driver), true));
    put_number(j, "first_seed", c->o.first_seed);
    put_number(j, "next_seed", s->next_seed);
    put_number(j, "jobs", s->jobs);
    put(j, "seconds", json_real(s->seconds));
    put(j, "driver_share", json_real(campaign_driver_share(s, &s->sum, s->jobs * s->targets)));
    put(j, "driver_cpu_seconds", json_real(s->sum.driver_cpu));
    put(j, "validation_cpu_seconds", json_real(s->validation_cpu));
    put_count(a, j, &s->sum);
    put_number(j, "buckets", s->buckets);
    put(j, "further_by_bucket", json_further(c));
    put_number(j, "ours", s->own_bugs);
    json_t *bugs = json_array();
    for (uint32_t i = 0; i < c->bugs; i++)
        json_array_append_new(
            bugs, json_pack("{s:o, s:o, s:I}", "name", text_json(a, c->bug[i].name), "reason",
                            text_json(a, c->bug[i].reason), "seen", (json_int_t)s->known[i]));
    put(j, "known_bugs", bugs);
    if (c->o.note)
        put(j, "note", text_json(a, c->o.note));
    put(j, "interrupted", json_boolean(s->stopped));
    put(j, "resumed", json_boolean(s->resumed));
    if (s->end_reason[0])
        put(j, "gave_up", text_json(a, s->end_reason));
    json_t *targets = json_array();
    for (uint32_t t = 0; t < c->o.target_count; t++)
        json_array_append_new(targets, target_json(a, c, t, s));
    put(j, "targets", targets);
    return j;
}

const char *campaign_json(struct arena *a, const struct campaign *c, const struct campaign_stats *s)
{
    json_t *j = summary(a, c, s);
    char *text = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(6));
    CHECK(text);
    char *kept = arena_str(a, text);
    free(text);
    json_decref(j);
    return kept;
}

bool json_save_campaign(struct campaign *c, struct err *e)
{
    struct arena a = {0};
    const char *path = arena_printf(&a, "%s/campaign.json", c->o.out);
    const int lock = store_lock(c->o.out, e);
    json_t *all = lock >= 0 ? read_campaigns(&a, path, e) : NULL;
    bool ok = all != NULL;
    if (ok) {
        json_t *j = summary(&a, c, &c->stats), *rows = json_object_get(all, "campaigns");
        char ended[32];
        time_t t = time(NULL);
        struct tm utc;
        strftime(ended, sizeof ended, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &utc));
        put(j, "ended", json_string(ended));
        size_t at = 0;
        for (; at < json_array_size(rows); at++)
            if (json_equal(json_object_get(json_array_get(rows, at), "campaign"),
                           json_object_get(j, "campaign")))
                break;
        if (at < json_array_size(rows))
            json_array_set_new(rows, at, j);
        else
            json_array_append_new(rows, j);
        char *text = json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
        CHECK(text);
        struct text t2 = {.arena = &a};
        text_add(&t2, "%s\n", text);
        free(text);
        ok = file_write(path, t2.v, t2.n, e);
    }
    if (lock >= 0)
        close(lock);
    json_decref(all);
    arena_free(&a);
    return ok;
}
