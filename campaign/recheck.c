// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "recheck.h"

#include "base/interrupt.h"
#include "caselist.h"
#include "found.h"
#include "knownfails.h"
#include "report/report.h"
#include "rerun.h"

#include <dirent.h>
#include <fnmatch.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

// ---- reading findings ------------------------------------------------------------------------

static bool read_campaign(struct arena *a, const char *dir, struct recheck_list *out, struct err *e)
{
    struct store_findings v;
    const bool ok = store_read(dir, a, &v, e);
    for (uint32_t i = 0; ok && i < v.buckets; i++) {
        const struct finding *f = store_shown(v.bucket[i].best);
        *VEC_PUSH(a, out) =
            (struct recheck_case){v.bucket[i].signature->name,
                                  arena_printf(a, "%s/%s/case.spvasm", dir, f->folder), f->target};
    }
    return ok;
}

// Returns the folder of the smallest reduction of a finding, or the finding's if there is none.
static const char *smallest(struct arena *a, const char *folder)
{
    const char *dir = arena_printf(a, "%s/reduced", folder), *best = folder;
    off_t least = 0;
    DIR *d = opendir(dir);
    for (struct dirent *x; d && (x = readdir(d));) {
        struct stat st;
        const char *sub = arena_printf(a, "%s/%s", dir, x->d_name);
        if (x->d_name[0] == '.' || stat(arena_printf(a, "%s/case.spvasm", sub), &st) != 0 ||
            (least && st.st_size >= least))
            continue;
        least = st.st_size;
        best = sub;
    }
    if (d)
        closedir(d);
    return best;
}

// Adds the cases of a folder, in caselist's order; the cases of a finding's folder count as one.
static bool read_folder(struct arena *a, char *dir, struct recheck_list *out, struct err *e)
{
    struct caselist all;
    struct known_fails known = {0};
    const char *path = arena_printf(a, "%s/known", dir), *inside = NULL;
    if (!caselist_read(a, &dir, 1, &all, e) ||
        (file_exists(path) && !known_fails_read(a, path, &known, e)))
        return false;
    for (size_t i = 0; i < all.n; i++) {
        const char *slash = strrchr(all.v[i], '/');
        const char *folder = arena_strn(a, all.v[i], (size_t)(slash - all.v[i])), *name = slash + 1;
        if (inside && strncmp(all.v[i], inside, strlen(inside)) == 0)
            continue;
        inside = NULL;
        struct recheck_case x = {.name = arena_strn(a, name, strlen(name) - 7), .file = all.v[i]};
        for (size_t k = 0; k < known.n && !x.target; k++)
            if (!known.v[k].entry && fnmatch(known.v[k].name, name, 0) == 0 &&
                !strpbrk(known.v[k].target, "*?["))
                x.target = known.v[k].target;
        if (file_exists(arena_printf(a, "%s/case.spvasm", folder))) {
            const char *best = smallest(a, folder);
            inside = arena_printf(a, "%s/", folder);
            x = (struct recheck_case){found_name(a, folder),
                                      arena_printf(a, "%s/case.spvasm", best),
                                      found_recorded(a, best)};
        }
        *VEC_PUSH(a, out) = x;
    }
    return true;
}

bool recheck_read(struct arena *a, const char *word, struct recheck_list *out, struct err *e)
{
    if (found_campaign(a, word))
        return read_campaign(a, word, out, e);
    char *dir = arena_str(a, word);
    if (dir_exists(word))
        return read_folder(a, dir, out, e);
    struct caselist one;
    if (!caselist_read(a, &dir, 1, &one, e))
        return false;
    *VEC_PUSH(a, out) = (struct recheck_case){found_name(a, word), word, NULL};
    return true;
}

// ---- one target --------------------------------------------------------------------------------

// Returns the passes of a finding's own target, as they are written in another target; NULL: none.
static const char *passes_of(struct arena *a, const char *target, bool commas)
{
    const struct run_stage *s = target ? run_spec_parse(a, target, NULL) : NULL;
    struct text t = {.arena = a};
    if (!s || !s->kind)
        return NULL;
    const char *pipeline = run_stage_option(s, "passes");
    if (s->kind->passes == RUN_PASSES_PIPELINE)
        return pipeline;
    if (s->kind->passes != RUN_PASSES_WORDS && s->kind->passes != RUN_PASSES_COMMAND)
        return NULL;
    for (uint32_t i = 0; i < s->count; i++)
        if (strncmp(s->option[i].value, "-", 1) == 0 && strcmp(s->option[i].value, "-o") != 0)
            text_add(&t, "%s%s", t.n ? commas ? "," : " " : "", s->option[i].value);
    return t.n ? t.v : NULL;
}

// True if the passes are inserted into a command, whose arguments are separated by blanks.
static bool in_command(struct arena *a, const char *given)
{
    for (const struct run_stage *s = run_spec_parse(a, given, NULL); s; s = s->next)
        for (uint32_t i = 0; i < s->count; i++)
            if (strstr(s->option[i].value, RECHECK_PASSES))
                return s->kind && s->kind->options == RUN_SYNTAX_COMMAND;
    return false;
}

// Returns the target to open for a finding: its own, or `given` with its passes inserted. NULL with
// the reason in *why.
static const char *target_of(struct arena *a, const struct recheck_case *c, const char *given,
                             const char **why)
{
    *why = "";
    if (!given) {
        const bool may = c->target && run_harmless(c->target);
        *why = may         ? ""
               : c->target ? "its folder may not choose a program to run: give --target"
                           : "its target is not recorded: give --target";
        return may ? c->target : NULL;
    }
    const char *mark = strstr(given, RECHECK_PASSES);
    if (!mark)
        return given;
    const char *passes = passes_of(a, c->target, !in_command(a, given));
    if (!passes) {
        *why = "it was found on a target without passes";
        return NULL;
    }
    return arena_printf(a, "%.*s%s%s", (int)(mark - given), given, passes,
                        mark + strlen(RECHECK_PASSES));
}

struct opened {
    struct run_target *target;
    const char *spec; // of the open target
    struct shown_policy policy;
};

static void run_one(struct arena *a, struct arena *scratch, struct spv_tools *tools,
                    const struct recheck_case *c, const struct recheck_options *o, struct opened *q,
                    struct report_check *out)
{
    struct spv_case x;
    struct err e;
    struct rerun t = {0};
    if (!spv_case_read(tools, scratch, c->file, &x, &e)) {
        out->text = arena_str(a, e.msg);
        return;
    }
    const double start = now_seconds();
    const uint32_t size = judge_subgroup(&x, 0, run_info(q->target));
    struct prediction *p = judge_predict(scratch, &x, 1, size, q->policy.choices.base);
    rerun_case(&t, tools, q->target, p, 0, o->runs, &q->policy);
    if (t.runs)
        *out = (struct report_check){.asked = true,
                                     .klass = t.shown.verdict.klass,
                                     .good = t.good,
                                     .wrong = t.wrong,
                                     .hits = t.by_class[t.shown.verdict.klass],
                                     .runs = t.runs,
                                     .text = arena_str(a, t.shown.verdict.text),
                                     .driver = arena_str(a, run_info(q->target)->driver),
                                     .seconds = now_seconds() - start};
    rerun_free(&t);
}

static bool run_target_on(struct arena *a, struct spv_tools *tools, const struct recheck_list *list,
                          const struct recheck_options *o, uint32_t t,
                          bool (*tick)(void *user, uint32_t done), void *user,
                          struct report_checks *out, struct err *e)
{
    const char *given = o->target_count ? o->targets[t] : NULL;
    const bool same = given && !strstr(given, RECHECK_PASSES);
    struct opened q = {0};
    struct arena scratch = {0};
    bool ok = true;
    for (uint32_t i = 0; i < out->n && ok && tick(user, t * out->n + i); i++) {
        struct report_check *x = &out->at[(size_t)i * out->targets + t];
        struct err why;
        const char *spec = target_of(a, &list->v[i], given, &x->text);
        if (!spec)
            continue;
        if (!q.target || strcmp(q.spec, spec) != 0) {
            run_close(q.target);
            q = (struct opened){.target = run_open(spec, o->self, &o->run, &why), .spec = spec};
        }
        if (q.target)
            run_one(a, &scratch, tools, &list->v[i], o, &q, x);
        else if (same)
            ok = err_set(e, "%s", why.msg);
        else
            x->text = arena_str(a, why.msg);
        arena_reset(&scratch);
    }
    run_close(q.target);
    arena_free(&scratch);
    return ok;
}

bool recheck_run(struct arena *a, struct spv_tools *tools, const struct recheck_list *list,
                 const struct recheck_options *o, bool (*tick)(void *user, uint32_t done),
                 void *user, struct report_checks *out, struct err *e)
{
    static const char *const own[] = {"the finding's own target"};
    *out = (struct report_checks){.target = o->target_count ? o->targets : own,
                                  .targets = o->target_count ? o->target_count : 1,
                                  .n = (uint32_t)list->n};
    out->name = ARENA_ARRAY(a, const char *, out->n);
    out->file = ARENA_ARRAY(a, const char *, out->n);
    out->at = ARENA_ARRAY(a, struct report_check, (size_t)out->n * out->targets);
    for (uint32_t i = 0; i < out->n; i++) {
        out->name[i] = list->v[i].name;
        out->file[i] = list->v[i].file;
    }
    for (uint32_t t = 0; t < out->targets; t++)
        if (!run_target_on(a, tools, list, o, t, tick, user, out, e))
            return false;
    return true;
}

bool recheck_remember(struct arena *a, const struct report_checks *c, uint32_t *n, struct err *e)
{
    struct err why;
    *n = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        const char *slash = strrchr(c->file[i], '/');
        const char *folder = slash ? arena_strn(a, c->file[i], (size_t)(slash - c->file[i])) : ".";
        if (strcmp(slash ? slash + 1 : c->file[i], "case.spvasm") != 0 ||
            !file_exists(arena_printf(a, "%s/finding.json", folder)))
            continue;
        for (uint32_t t = 0; t < c->targets; t++) {
            const struct report_check *x = &c->at[(size_t)i * c->targets + t];
            const struct finding_version v = {.target = diag_without_paths(a, c->target[t]),
                                              .driver =
                                                  x->driver ? diag_without_paths(a, x->driver) : "",
                                              .klass = x->klass,
                                              .at = (int64_t)time(NULL)};
            if (!x->asked || !(x->wrong || x->good))
                continue;
            if (!finding_version_add(a, folder, &v, &why))
                return err_set(e, "not remembered: %s", why.msg);
        }
        *n += 1;
    }
    return true;
}
