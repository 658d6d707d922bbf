// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz bundle: the folder for a bug report, of a finding, or of any case that a target gets
// wrong.
#include "args.h"
#include "base/interrupt.h"
#include "base/own.h"
#include "bundle_write.h"
#include "campaign/found.h"
#include "campaign/reduction.h"
#include "report/report.h"

#include <string.h>

struct given {
    const char *target, *out;
    struct bundle_given how;
};

static void begin(void *user, const struct reduction *r)
{
    (void)user;
    (void)r;
}

static bool tick(void *user, const struct red_stats *s)
{
    (void)user;
    (void)s;
    return !interrupted();
}

// Runs a case on the target and makes a finding of it in the temporary folder `tmp`. False with a
// message, also if the target gets it right.
static bool find(struct context *x, const struct given *g, const char *tmp, struct looked *out)
{
    static const struct reduction_events ev = {.begin = begin, .tick = tick};
    const struct reduction_options o = {.target = g->target,
                                        .self = x->self,
                                        .input = x->words[0],
                                        .dir = arena_printf(&x->arena, "%s/case", tmp),
                                        .jobs = 1,
                                        .bisect = true};
    struct reduction r;
    if (!g->target)
        return err_set(&x->e, "%s is a case: needs --target SPEC (tanglefuzz targets lists them)",
                       x->words[0]);
    if (x->n > 1)
        return err_set(&x->e, "%s is a case, so '%s' cannot be a bucket of it", x->words[0],
                       x->words[1]);
    return reduction_run(&x->arena, x->tools, &o, &ev, &r, &x->e) &&
           lookup_folder(x, r.finding, out);
}

// CASE.spvasm -> CASE.bundle; a finding's folder -> FINDING/bundle; CAMPAIGN/bundles/BUCKET.
static const char *folder_for(struct context *x, const struct looked *found)
{
    struct arena *a = &x->arena;
    const char *word = x->words[0];
    const size_t n = strlen(word);
    if (file_exists(word))
        return arena_printf(a, "%.*s.bundle",
                            (int)(n > 7 && strcmp(word + n - 7, ".spvasm") == 0 ? n - 7 : n), word);
    if (!found_campaign(a, word))
        return arena_printf(a, "%s/%s/bundle", found->dir, found->bucket->best->f.name);
    const char *bundles = arena_printf(a, "%s/bundles", word);
    return own_dir(bundles, &x->e)
               ? arena_printf(a, "%s/%s", bundles, found->bucket->signature->name)
               : NULL;
}

static int run(struct context *x, void *user)
{
    struct given *g = user;
    struct looked found;
    char tmp[256] = "";
    bool ok = file_exists(x->words[0])
                  ? dir_temporary(tmp, sizeof tmp, &x->e) && find(x, g, tmp, &found)
                  : lookup(x, false, &found);
    ok = ok && (g->how.to = g->out ? g->out : folder_for(x, &found));
    g->how.target = g->target;
    const int status = ok ? bundle_write(x, &found, &g->how) : refuse(x);
    if (tmp[0])
        dir_remove(tmp);
    return status;
}

static const struct arg_option options[] = {
    OPT_TEXT("target", 't', "SPEC",
             "for a CASE: the target that gets it wrong. Else that of the finding,\nwith folders: "
             "your own program or driver is run only if it is given",
             target),
    OPT_WORD("form", 0, "P", "the project whose form its README and tests have", how.form,
             REPORT_FORM_NAMES),
    OPT_FLAG("alone", 0, "do not run the case on the other available targets", how.alone),
    OPT_TEXT("out", 'o', "DIR",
             "output folder; default CASE.bundle, FINDING/bundle or\nCAMPAIGN/bundles/BUCKET", out),
};

const struct command cmd_bundle = {
    .name = "bundle",
    .task = TASK_FINDINGS,
    .line = "write the folder for a bug report",
    .rest = "CASE|FINDING|CAMPAIGN [BUCKET]",
    .about =
        "Writes a self-contained folder to be attached to a bug report: of a finding, of a "
        "bucket of a\n"
        "campaign, or of any case that a target gets wrong. Each command of its README is run "
        "first, in an\n"
        "empty folder. Exit status: 0 written, 2 bad usage, or the target gets the case right.",
    .example = "tanglefuzz bundle case.spvasm --target spirv-opt:-O\n"
               "tanglefuzz bundle tanglefuzz-out bafimotuke --form mesa\n"
               "tanglefuzz bundle tanglefuzz-out/findings/s000123-missing-lanes --form c",
    OPTIONS(options),
    .rest_min = 1,
    .rest_max = 2,
    .size = sizeof(struct given),
    .finishes = true,
    .run = run,
};
