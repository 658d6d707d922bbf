// SPDX-License-Identifier: Apache-2.0
//
// The output folder of a campaign:
//   findings/NAME/   a finding each, by seed and class
//   ours/            cases that are our own mistake, with why
//   campaign.json    a row for each campaign that wrote here
#define _POSIX_C_SOURCE 200809L
#include "app.h"
#include "campaign_parts.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { JSON_LIMIT = 64 << 20 };

// What campaign.json holds already: an object with an array "campaigns". NULL with
// a line when the file is something else; a new object when there is none.
static json_t *read_campaigns(struct arena *a, const char *path, struct err *e)
{
    if (access(path, F_OK) != 0)
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

bool save_prepare(const char *out, struct err *e)
{
    struct arena a = {0};
    const char *probe = arena_printf(&a, "%s/findings/.probe%ld", out, (long)getpid());
    bool ok = dir_make(arena_printf(&a, "%s/findings", out), e);
    // Two blocks, since a full disk may still take the name of a file.
    static const char filler[8192];
    ok = ok && file_write(probe, filler, sizeof filler, e);
    if (ok)
        unlink(probe);
    json_t *o = ok ? read_campaigns(&a, arena_printf(&a, "%s/campaign.json", out), e) : NULL;
    ok = ok && o;
    json_decref(o);
    arena_free(&a);
    return ok;
}

bool save_ours(struct campaign *c, const struct job *j, const char *kind, const char *why,
               struct err *e)
{
    if (++c->stats.ours > CAMPAIGN_OURS)
        return true;
    struct arena a = {0};
    const char *dir = arena_printf(&a, "%s/ours", c->o.out);
    const char *file =
        arena_printf(&a, "%s/s%06llu-%s.spvasm", dir, (unsigned long long)j->seed, kind);
    bool ok = dir_make(dir, e);
    // A module that cannot be disassembled is kept as words.
    const struct spv_case *first = &j->made.cases[0];
    if (ok && !spv_case_write(c->tools, first, file, e)) {
        file = arena_printf(&a, "%s/s%06llu-%s.spv", dir, (unsigned long long)j->seed, kind);
        ok = file_write(file, first->words, first->count * sizeof(uint32_t), e);
    }
    struct text t = {.arena = &a};
    text_add(&t, "%s: %s\n\n%s\n", kind, why, job_command(c, &a, j->seed));
    ok = ok && file_write(arena_printf(&a, "%s.txt", file), t.v, t.n, e);
    if (ok)
        c->ev->ours(c->ev->user, file, why);
    arena_free(&a);
    return ok;
}

bool save_suspect(struct campaign *c, const struct suspect *s, struct err *e)
{
    struct arena a = {0};
    const struct prediction *p = &s->job->predicted[s->input];
    struct spv_case kept = job_kept_case(p, &s->judged);
    // Interrupted ones were not given their chance to repeat.
    bool flaky = s->tries == CAMPAIGN_RERUNS && s->reproduced < CAMPAIGN_REPEATS;
    enum tri_class klass = flaky ? TRI_FLAKY : s->judged.verdict.klass;
    const char *target = run_pinned(&a, c->o.target, &kept);
    struct tri_finding f = {
        .c = &kept,
        .expected = s->judged.expected,
        // A module that is invalid left no memory.
        .observed = s->result.status == RUN_OK && s->result.memory_count ? s->result.memory : NULL,
        .memory_count = kept.buffer_count,
        .verdict = &s->judged.verdict,
        .flaky = flaky,
        .target = target,
        .device = c->device,
        .replay =
            arena_printf(&a, "tanglefuzz replay case.spvasm --target '%s' -n %d%s", target,
                         CAMPAIGN_RERUNS, c->o.run.validate ? " --validate" : ""),
        .generated = job_command(c, &a, s->job->seed),
        .reproduced = s->reproduced,
        .tries = s->tries,
        .subject_text = s->result.text[0] ? s->result.text : NULL,
        .output = s->result.words,
        .output_count = s->result.word_count,
    };
    const char *name =
        arena_printf(&a, "s%06llu-%s", (unsigned long long)s->job->seed, tri_class_name(klass));
    if (kept.inputs_of > 1)
        f.generated = arena_printf(&a, "%s    (input set %u)", f.generated, kept.inputs_at);
    const char *dir = arena_printf(&a, "%s/findings", c->o.out), *written = NULL;
    bool ok = tri_finding_write(c->tools, &a, dir, name, &f, &written, e);
    if (ok) {
        struct campaign_stats *st = &c->stats;
        st->by_class[klass]++;
        if (flaky)
            st->flaky++;
        else if (written)
            st->findings++;
        else
            st->again++;
        if (written && !flaky) {
            snprintf(st->last, sizeof st->last, "%s", written);
            st->last_at = now_seconds() - c->start;
        }
        struct campaign_found found = {
            .name = written ? written : name,
            .folder = arena_printf(&a, "%s/%s", dir, written ? written : name),
            .finding = &f,
            .again = !written,
        };
        c->ev->found(c->ev->user, &a, &found);
    } else {
        err_prefix(e, "finding %s lost (%s)", name, job_command(c, &a, s->job->seed));
    }
    arena_free(&a);
    return ok;
}

// ---- campaign.json -------------------------------------------------------------------

// A text of the subject's: without the machine's folders, null where it is no UTF-8.
static json_t *text_json(struct arena *a, const char *s)
{
    json_t *j = json_string(tri_without_paths(a, s));
    return j ? j : json_null();
}

static json_t *counts(const struct campaign_stats *s)
{
    json_t *o = json_object();
    for (int k = 0; k < TRI_CLASSES; k++)
        if (s->by_class[k])
            json_object_set_new(o, tri_class_name((enum tri_class)k),
                                json_integer((json_int_t)s->by_class[k]));
    return o;
}

static json_t *skips(struct arena *a, const struct campaign_stats *s)
{
    json_t *o = json_array();
    for (uint32_t i = 0; i < s->reasons; i++)
        json_array_append_new(o, json_pack("{s:o, s:I}", "reason", text_json(a, s->reason[i].text),
                                           "cases", (json_int_t)s->reason[i].n));
    return o;
}

static json_t *summary(struct arena *a, const struct campaign_options *o,
                       const struct run_info *info, const struct campaign_stats *s)
{
    json_t *j = json_object();
    CHECK(j);
#define PUT(key, value)    CHECK(json_object_set_new(j, key, value) == 0)
#define NUMBER(key, value) PUT(key, json_integer((json_int_t)(value)))
    NUMBER("schema", 1);
    PUT("type", json_string("summary"));
    PUT("version", json_string(TANGLEFUZZ_VERSION));
    NUMBER("generator", GEN_VERSION);
    PUT("target", text_json(a, o->target));
    PUT("device", text_json(a, info->device));
    PUT("driver", text_json(a, info->driver));
    NUMBER("first_seed", o->first_seed);
    NUMBER("next_seed", s->next_seed);
    NUMBER("jobs", s->jobs);
    PUT("seconds", json_real(s->seconds));
    PUT("driver_share", json_real(campaign_driver_share(s)));
    NUMBER("modules", s->modules);
    NUMBER("cases", s->cases);
    NUMBER("agreed", s->agreed);
    NUMBER("compiled", s->compiled);
    NUMBER("nothing_compared", s->nothing);
    NUMBER("skipped", s->skipped);
    PUT("skipped_by_reason", skips(a, s));
    NUMBER("live_bits", s->live_total);
    NUMBER("live_bits_min", s->live_min);
    NUMBER("live_bits_median", campaign_live_median(s));
    NUMBER("findings", s->findings);
    NUMBER("findings_again", s->again);
    NUMBER("flaky", s->flaky);
    NUMBER("ours", s->ours);
    PUT("by_class", counts(s));
    PUT("interrupted", json_boolean(s->stopped));
#undef NUMBER
#undef PUT
    return j;
}

const char *campaign_json(struct arena *a, const struct campaign_options *o,
                          const struct run_info *info, const struct campaign_stats *s)
{
    json_t *j = summary(a, o, info, s);
    char *text = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(6));
    CHECK(text);
    char *kept = arena_str(a, text);
    free(text);
    json_decref(j);
    return kept;
}

bool save_campaign(struct campaign *c, struct err *e)
{
    struct arena a = {0};
    const char *path = arena_printf(&a, "%s/campaign.json", c->o.out);
    json_t *all = read_campaigns(&a, path, e);
    bool ok = all != NULL;
    if (ok) {
        json_t *j = summary(&a, &c->o, &c->info, &c->stats);
        char ended[32];
        time_t t = time(NULL);
        struct tm utc;
        strftime(ended, sizeof ended, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &utc));
        json_object_set_new(j, "ended", json_string(ended));
        json_array_append_new(json_object_get(all, "campaigns"), j);
        char *text = json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
        CHECK(text);
        struct text t2 = {.arena = &a};
        text_add(&t2, "%s\n", text);
        free(text);
        ok = file_write(path, t2.v, t2.n, e);
    }
    json_decref(all);
    arena_free(&a);
    return ok;
}
