// SPDX-License-Identifier: Apache-2.0
//
// The output folder of a campaign, locked while it runs:
//   findings/NAME/   one finding each, named by seed and class (and target, if there are several)
//   ours/            bugs in tanglefuzz: invalid or undefined programs, with the reason
//   campaign.json    a row per campaign that wrote here (campaign_json.c)
//   state.json       the state of the last one (campaign_state.c)
#define _POSIX_C_SOURCE 200809L
#include "campaign_parts.h"

#include "base/own.h"
#include "driver_text.h"
#include "llir/llir.h"
#include "store/store_json.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Notes the findings from before the campaign. A resumed campaign reads them from its state
// instead, because the folder also has its own.
static bool note_known(struct campaign *c, const char *dir, struct err *e)
{
    DIR *d = opendir(dir);
    if (!d)
        return err_set(e, "%s: cannot be read", dir);
    errno = 0;
    for (struct dirent *x; (x = readdir(d)); errno = 0)
        if (x->d_name[0] != '.')
            *VEC_PUSH(&c->arena, &c->known) = arena_str(&c->arena, x->d_name);
    const bool ok = errno == 0 || err_set(e, "%s: cannot be read: %s", dir, strerror(errno));
    closedir(d);
    return ok;
}

static bool is_known(const struct campaign *c, const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < c->known.n; i++)
        if (strncmp(c->known.v[i], name, n) == 0 && (!c->known.v[i][n] || c->known.v[i][n] == '-'))
            return true;
    return false;
}

bool save_lock(struct campaign *c, struct err *e)
{
    struct arena a = {0};
    const bool none =
        c->stats.resumed && access(arena_printf(&a, "%s/state.json", c->o.out), F_OK) != 0;
    arena_free(&a);
    if (none) // state_load reports it
        return true;
    c->lock_fd = dir_lock(c->o.out, 0, e);
    return c->lock_fd >= 0;
}

// Counts the folders of each bucket, and the buckets of a resumed campaign.
static void note_buckets(struct campaign *c, const char *dir)
{
    DIR *d = c->o.keep || c->stats.resumed ? opendir(dir) : NULL;
    for (struct dirent *x; d && (x = readdir(d));) {
        struct arena a = {0};
        struct err none;
        json_t *j =
            x->d_name[0] == '.'
                ? NULL
                : json_file(&a, arena_printf(&a, "%s/%s/finding.json", dir, x->d_name), &none);
        const char *name = json_string_value(json_object_get(j, "bucket")),
                   *klass = json_string_value(json_object_get(j, "class"));
        if (name && klass) {
            const bool flaky = strcmp(klass, judge_class_name(JUDGE_FLAKY)) == 0;
            struct bucket_count *b = count_of_bucket(c, name, flaky);
            b->folders++;
            if (c->stats.resumed && !flaky && !is_known(c, x->d_name))
                count_bucket(c, b);
        }
        json_decref(j);
        arena_free(&a);
    }
    if (d)
        closedir(d);
}

bool save_prepare(struct campaign *c, struct err *e)
{
    struct arena a = {0};
    const char *dir = arena_printf(&a, "%s/findings", c->o.out);
    const char *probe = arena_printf(&a, "%s/.probe%ld", dir, (long)getpid());
    bool ok = own_dir(dir, e) && (c->lock_fd >= 0 || save_lock(c, e));
    // Two blocks: a full disk may still create an empty file.
    static const char filler[8192];
    ok = ok && file_write(probe, filler, sizeof filler, e);
    if (ok)
        unlink(probe);
    ok = ok && (c->stats.resumed || note_known(c, dir, e)) && json_check_campaigns(c->o.out, e);
    if (ok)
        note_buckets(c, dir);
    arena_free(&a);
    return ok;
}

static bool write_own_bug(struct shard *s, struct arena *a, const struct job *j, const char *kind,
                          const char *why, const char **file, struct err *e)
{
    const struct campaign *c = s->c;
    const char *dir = arena_printf(a, "%s/ours", c->o.out);
    const char *name =
        arena_printf(a, "%s/s%06llu-%s", dir, (unsigned long long)j->unit.seed, kind);
    *file = arena_printf(a, "%s.spvasm", name);
    bool ok = own_dir(dir, e);
    // A module that cannot be disassembled is saved as binary.
    const struct spv_case *first = &j->form[AS_MADE].made.cases[0];
    if (ok && !spv_case_write(s->tools, first, *file, e)) {
        *file = arena_printf(a, "%s.spv", name);
        ok = file_write(*file, first->words, first->count * sizeof(uint32_t), e);
    }
    struct text t = {.arena = a};
    text_add(&t, "%s: %s\n\n%s\n", kind, why, job_command(c, a, &j->unit, &j->form[AS_MADE]));
    return ok && file_write(arena_printf(a, "%s.txt", *file), t.v, t.n, e);
}

bool save_own_bug(struct shard *s, const struct job *j, const char *kind, const char *why,
                  struct err *e)
{
    struct campaign *c = s->c;
    struct arena a = {0};
    const char *file;
    bool ok = true;
    pthread_mutex_lock(&c->lock);
    if (++c->stats.own_bugs <= CAMPAIGN_OWN_BUGS) {
        ok = write_own_bug(s, &a, j, kind, why, &file, e);
        if (ok)
            c->ev->own_bug(c->ev->user, file, why);
    }
    pthread_mutex_unlock(&c->lock);
    arena_free(&a);
    return ok;
}

// Collects the other targets' results for the same input.
static uint32_t cross_checks(const struct campaign *c, struct arena *a, const struct job *j,
                             const struct suspect *x, struct finding_cross_check **out)
{
    uint32_t n = 0;
    *out = ARENA_ARRAY(a, struct finding_cross_check, c->o.target_count);
    for (uint32_t t = 0; t < c->o.target_count; t++) {
        const struct answer *y = &j->answer[t];
        if (t == x->target || y->state != ANSWER_HERE)
            continue;
        (*out)[n++] = (struct finding_cross_check){c->target[t].spec, c->target[t].info.driver,
                                                   y->input[x->input].klass};
    }
    return n;
}

// Adds the driver's code for the shader, if the driver reports it
// (VK_KHR_pipeline_executable_properties). Opens the device again for it, because capturing makes
// compilation slower and may change the code.
static void driver_text(struct shard *s, struct arena *a, const struct suspect *x, const char *spec,
                        const struct spv_case *c, struct finding_evidence *f)
{
    struct campaign *k = s->c;
    const struct run_info *info = &k->target[x->target].info;
    const struct run_result *r = &x->result;
    struct run_result with_text;
    struct run_options o = k->o.run;
    o.driver_text = true;
    if (!r->driver_text && r->status == RUN_OK && info->has_driver_text &&
        driver_ask(a, spec, k->o.self, &o, c, &k->stop, &with_text))
        r = &with_text;
    f->driver_text = r->driver_text;
    f->origin = word_origin(c, f->verdict, r);
    f->unset_line = r->unset_line;
}

// True if the finding gets no folder: its bucket has enough of them, and none is its own.
static bool is_further(struct campaign *c, struct arena *a, const char *dir, const char *name,
                       const char *bucket, bool flaky)
{
    return c->o.keep && count_of_bucket(c, bucket, flaky)->folders >= c->o.keep &&
           access(arena_printf(a, "%s/%s", dir, name), F_OK) != 0;
}

bool save_suspect(struct shard *s, struct job *j, const struct suspect *x, struct err *e)
{
    struct campaign *c = s->c;
    struct arena a = {0};
    const struct campaign_target *target = &c->target[x->target];
    const struct prediction *p = &x->form->predicted[x->input];
    struct spv_case kept = job_kept_case(p, &x->judged);
    // An interrupted suspect has not had all of its re-runs.
    bool flaky = x->tries == CAMPAIGN_RERUNS && x->reproduced < CAMPAIGN_REPEATS;
    enum judge_class klass = flaky ? JUDGE_FLAKY : x->judged.verdict.klass;
    struct finding_cross_check *others;
    struct finding record;
    const char *spec = run_fixed(&a, target->spec, &kept);
    struct finding_evidence f = {
        .c = &kept,
        .expected = x->judged.expected,
        // An invalid module left no memory.
        .observed = x->result.status == RUN_OK && x->result.memory_count ? x->result.memory : NULL,
        .memory_count = kept.buffer_count,
        .verdict = &x->judged.verdict,
        .flaky = flaky,
        .target = spec,
        .device = target->device,
        .driver = target->info.driver,
        .host = host_name(&a),
        .replay = arena_printf(&a, "tanglefuzz replay case.spvasm --target %s -n %d%s",
                               shell_quote(&a, spec), CAMPAIGN_RERUNS,
                               c->o.run.validate ? " --validate" : ""),
        .generated = job_command(c, &a, &j->unit, x->form),
        .found_at = (int64_t)time(NULL),
        .reproduced = x->reproduced,
        .tries = x->tries,
        .target_output = x->result.text[0] ? x->result.text : NULL,
        .output = x->result.form == RUN_FORM_SPIRV ? x->result.words : NULL, // IR is not SPIR-V
        .output_count = x->result.word_count,
        .printed = x->result.printed,
    };
    driver_text(s, &a, x, spec, &kept, &f);
    f.stage =
        locate_stage(&a, spec, c->o.self, &c->o.run, &kept, f.verdict->klass, f.expected, &c->stop);
    crash_locate(s, &a, p, &kept, spec, x, &f);
    f.cross_checks = cross_checks(c, &a, j, x, &others);
    f.cross_check = others;
    const char *name = arena_printf(&a, "s%06llu-%s%s%s", (unsigned long long)j->unit.seed,
                                    judge_class_name(klass), c->o.target_count > 1 ? "-" : "",
                                    c->o.target_count > 1 ? target->label : "");
    if (kept.inputs_of > 1)
        f.generated = arena_printf(&a, "%s    (input set %u)", f.generated, kept.inputs_at);
    const char *dir = arena_printf(&a, "%s/findings", c->o.out), *written = NULL;
    struct diag_signature signature;
    finding_signature(&f, &signature);
    // Nothing more is needed of a known bug: it is only counted. A flaky one never counts as known.
    const uint32_t bug = flaky ? 0 : known_bug(c, x->target, spec, &signature);
    if (!bug)
        finding_make(&a, &f, &record);
    pthread_mutex_lock(&c->lock);
    crash_note(c, x, &f, signature.name, bug);
    const bool further = !bug && is_further(c, &a, dir, name, signature.name, flaky);
    bool ok =
        bug || further || report_finding_write(s->tools, &a, dir, name, &f, &record, &written, e);
    if (ok) {
        struct pending *t = ARENA_NEW(&j->arena, struct pending);
        *t = (struct pending){.target = x->target, .klass = klass, .bug = bug, .next = j->pending};
        t->further = further;
        t->again = !bug && !further && !written && is_known(c, name);
        snprintf(t->bucket, sizeof t->bucket, "%s", signature.name);
        t->at = campaign_seconds(c);
        snprintf(t->name, sizeof t->name, "%s", written ? written : name);
        j->pending = t;
        record.name = written ? written : name;
        record.folder = arena_printf(&a, "%s/%s", dir, record.name);
        struct campaign_found found = {
            .finding = &record,
            .again = t->again,
            .seed = j->unit.seed,
        };
        if (written)
            count_of_bucket(c, signature.name, flaky)->folders++;
        if (!bug && !further)
            c->ev->found(c->ev->user, &a, &found);
    } else {
        err_prefix(e, "finding %s lost (%s)", name, job_command(c, &a, &j->unit, x->form));
    }
    pthread_mutex_unlock(&c->lock);
    arena_free(&a);
    return ok;
}
