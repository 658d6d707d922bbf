// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz reduce: a case that a target is wrong about -> the smallest that it is
// wrong about in the same way.
#include "args.h"
#include "found.h"
#include "base/interrupt.h"
#include "blame/ask.h"
#include "reduce_files.h"
#include "blame/ask_go.h"
#include "blame/ask_probe.h"
#include "status.h"

#include "llir/llir.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const double SECONDS = 300, REDRAW = 0.2, PLAIN = 10, SAVE = 0.1;

struct reduce {
    struct ask ask;
    struct reduce_files files;
    struct status status;
    const char *replay; // the command that shows it again
    double limit, next; // of time; when the progress is told next
    const struct spv_case *unsaved; // an improvement that came right after another
    double saved_at;
    struct err e;
};

// ---- while it runs -----------------------------------------------------------------

static void progress(struct reduce *r, const struct red_stats *s)
{
    char line[256], time[32], left[48] = "";
    double rate = s->seconds > 0 ? (double)s->candidates / s->seconds : 0;
    if (rate > 0 && s->of > s->at) {
        char t[32];
        snprintf(left, sizeof left, ", at most %s more in this pass",
                 status_time(t, sizeof t, (double)(s->of - s->at) / rate));
    }
    snprintf(line, sizeof line,
             "%s  %u -> %u instructions  %llu candidates  %.0f/s  %s %u, %s %u/%u%s",
             status_time(time, sizeof time, s->seconds), s->first.instructions,
             s->now.instructions, (unsigned long long)s->candidates, rate,
             s->stage == RED_CHOICES ? "choices" : "module", s->round, s->pass ? s->pass : "",
             s->at, s->of, left);
    status_line(&r->status, line);
}

// Improvements come by dozens in a tenth of a second: of those the last is kept.
static bool save_best(struct reduce *r, const struct spv_case *c)
{
    r->unsaved = NULL;
    r->saved_at = now_seconds();
    return files_best(&r->files, r->ask.worker[ASK_MAIN].tools, c, &r->e);
}

static bool tick(void *user, const struct red_stats *s)
{
    struct reduce *r = user;
    if (r->unsaved && now_seconds() - r->saved_at >= SAVE && !save_best(r, r->unsaved))
        return false;
    if (s->seconds >= r->next) {
        r->next = s->seconds + (r->status.terminal ? REDRAW : PLAIN);
        progress(r, s);
    }
    return !interrupted() && !r->ask.trouble[0];
}

static void refused(void *user, uint64_t hash)
{
    struct reduce *r = user;
    if (!r->ask.trouble[0])
        files_refused(&r->files, hash);
}

static bool better(void *user, const struct spv_case *c, const struct red_stats *s)
{
    struct reduce *r = user;
    (void)s;
    ask_now(&r->ask, c);
    if (now_seconds() - r->saved_at >= SAVE)
        return save_best(r, c);
    r->unsaved = c;
    return true;
}

// red_events.ask wants the struct ask alone.
static bool ask(void *user, uint32_t worker, struct arena *a, const struct spv_case *c,
                bool generated)
{
    return ask_candidate(&((struct reduce *)user)->ask, worker, a, c, generated);
}

static void leave(void *user, uint32_t worker) { ask_leave(&((struct reduce *)user)->ask, worker); }

// ---- at the end --------------------------------------------------------------------

static bool save(struct reduce *r, struct arena *a, const char *dir, const struct spv_case *c,
                 struct err *e, uint32_t *hits, const char **folder)
{
    struct prediction *p;
    struct judged j;
    struct run_result res;
    *hits = ask_again(&r->ask, a, c, ASK_TRIES, &p, &j, &res);
    struct report_finding f = {
        .c = c,
        .expected = j.expected,
        .observed = judge_class_is_mismatch(j.verdict.klass) ? res.memory : NULL,
        .memory_count = c->buffer_count,
        .verdict = &j.verdict,
        .flaky = *hits < 2,
        .target = r->ask.target,
        .replay = r->replay,
        .reproduced = *hits,
        .tries = ASK_TRIES,
        .subject_text = res.text[0] ? res.text : NULL,
        .output = res.form == RUN_FORM_SPIRV ? res.words : NULL, // IR is no module
        .output_count = res.word_count,
        .reduced = true,
    };
    char manner[MANNER_MAX] = "";
    f.probed = judge_class_is_mismatch(j.verdict.klass);
    f.manner = manner;
    if (f.probed)
        f.blame = probe_ask(&r->ask, a, c, &j.verdict, manner);
    char op[64], place[16];
    if (f.probed && !run_is_compiler(&r->ask.info) &&
        probe_alone(&r->ask, a, c, &j.verdict, f.blame, op, place)) {
        f.alone = op;
        f.place = place;
    }
    // Without a log the verdict says no more than that memory is wrong: the kind says how.
    const char *name = arena_printf(a, "reduced-%s", judge_class_name(r->ask.kind.klass)), *written;
    if (!report_finding_write(r->ask.worker[ASK_MAIN].tools, a, dir, name, &f, &written, e))
        return false;
    *folder = arena_printf(a, "%s/%s", dir, written ? written : name);
    return true;
}

static void show_size(const char *what, const struct red_size *s)
{
    char b[6][32];
    say("  %-12s %s (%u in functions), %s, %s, %s, %s, %s\n", what,
        count_of(b[0], 32, s->instructions, "instruction"), s->body,
        count_of(b[1], 32, s->loops, "loop"), count_of(b[2], 32, s->branches, "selection"),
        count_of(b[3], 32, s->group_ops, "group op"), count_of(b[4], 32, s->calls, "call"),
        count_of(b[5], 32, s->invocations, "invocation"));
}

static void summary(const struct reduce *r, const struct red_stats *s, enum red_end end,
                    uint32_t hits, const char *folder)
{
    const struct ask_counts *n = &r->ask.counts;
    char time[32], b[32];
    say("%s in %s, %s, %.0f/s: %s\n", judge_class_name(r->ask.kind.klass),
        status_time(time, sizeof time, s->seconds), count_of(b, sizeof b, s->candidates, "candidate"),
        s->seconds > 0 ? (double)s->candidates / s->seconds : 0, red_end_name(end));
    show_size("before", &s->first);
    show_size("after", &s->now);
    if (s->first.choices)
        say("  choices      %u -> %u bytes\n", s->first.choices, s->now.choices);
    say("  seen again   %u of %u runs (the first case: %u of %u)\n", hits, ASK_TRIES, r->ask.hits,
        r->ask.tries);
    say("  candidates   %llu smaller and the same, %llu right, %llu wrong in another way, "
        "%llu not judged\n",
        (unsigned long long)n->same, (unsigned long long)n->agreed, (unsigned long long)n->other,
        (unsigned long long)n->none);
    say("  before the target: %llu invalid, %llu undefined, %llu over the limits, %llu not "
        "known to the oracle, %llu tried before\n",
        (unsigned long long)n->invalid, (unsigned long long)n->undefined,
        (unsigned long long)n->over_limit, (unsigned long long)n->unsupported,
        (unsigned long long)s->cached);
    say("  runs         %llu of the target\n", (unsigned long long)n->runs);
    say("  case         %s\n  finding      %s\n", r->files.best, folder);
}

static json_t *size_json(const struct red_size *s)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "instructions",
                     (json_int_t)s->instructions, "body", (json_int_t)s->body, "loops",
                     (json_int_t)s->loops, "selections", (json_int_t)s->branches, "group_ops",
                     (json_int_t)s->group_ops, "calls", (json_int_t)s->calls, "invocations",
                     (json_int_t)s->invocations, "buffer_words", (json_int_t)s->buffer_words,
                     "choices", (json_int_t)s->choices);
}

static void summary_json(const struct reduce *r, const struct red_stats *s, enum red_end end,
                         uint32_t hits, const char *folder)
{
    const struct ask_counts *n = &r->ask.counts;
    json_t *j = json_pack(
        "{s:i, s:s, s:s, s:s, s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:i, s:i, s:s, "
        "s:s, s:o, s:o}",
        "schema", 1, "type", "reduction", "class", judge_class_name(r->ask.kind.klass), "end",
        red_end_name(end), "seconds", s->seconds, "candidates", (json_int_t)s->candidates,
        "cached", (json_int_t)s->cached, "improvements", (json_int_t)s->improvements, "runs",
        (json_int_t)n->runs, "invalid", (json_int_t)n->invalid, "undefined",
        (json_int_t)n->undefined, "over_limit", (json_int_t)n->over_limit, "unsupported",
        (json_int_t)n->unsupported, "machines_disagree", (json_int_t)n->machines, "reproduced",
        (int)hits, "tries", (int)ASK_TRIES, "case", r->files.best, "finding", folder, "before",
        size_json(&s->first), "after", size_json(&s->now));
    char *text = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(6));
    CHECK(text);
    say("%s\n", text);
    free(text);
    json_decref(j);
}

static int finish(struct reduce *r, struct arena *a, const struct spv_case *c,
                  const struct red_stats *s, enum red_end end, bool json)
{
    uint32_t hits = 0, slip_hits;
    const char *folder = "", *slip;
    struct err e;
    if (r->ask.trouble[0])
        return complain("reduce", "%s", r->ask.trouble);
    if (end == RED_UNSAVED)
        return complain("reduce", "%s", r->e.msg);
    if (!save(r, a, r->files.dir, c, &e, &hits, &folder))
        return complain("reduce", "%s", e.msg);
    if (json)
        summary_json(r, s, end, hits, folder);
    else
        summary(r, s, end, hits, folder);
    struct blame_signature kept = r->ask.kind;
    for (uint32_t i = 0; i < r->ask.slips; i++) {
        struct ask_slip *x = &r->ask.slip[i];
        r->ask.kind = x->kind;
        if (!save(r, a, arena_printf(a, "%s/slips", r->files.dir), &x->c, &e, &slip_hits, &slip))
            return complain("reduce", "%s", e.msg);
        if (!json)
            say("  another bug  %s\n", slip);
    }
    r->ask.kind = kept;
    if (r->ask.counts.machines)
        return complain("reduce", "our own mistake, please report it: the oracle's two machines do "
                                  "not agree on %llu candidates",
                        (unsigned long long)r->ask.counts.machines);
    return hits ? STATUS_GOOD
                : complain("reduce", "%s: the target is no longer wrong about it, in %u runs", r->files.best,
                           ASK_TRIES);
}

// ---- the command line ----------------------------------------------------------------

static int reduce(struct reduce *r, const char *word, const char *out, struct red_options *o,
                  bool json)
{
    struct arena a = {0};
    struct err e = {0};
    struct spv_case c, start, best;
    struct red_stats stats;
    int status = STATUS_BAD;
    interrupt_catch();
    struct spv_tools *tools = spv_tools_new();
    if (!files_find(&a, word, out, &r->files, &e) ||
        !spv_case_read(tools, &a, r->files.input, &c, &e) || !ask_start(&r->ask, &a, &c, &e)) {
        complain("reduce", "%s", e.msg);
    } else {
        const char *kind = judge_class_name(r->ask.kind.klass);
        o->keep_lanes = !run_is_compiler(&r->ask.info);
        start = c;
        if (!files_open(&r->files, &a, tools, red_hash(&c), r->ask.target, kind, &start, &o->known,
                        &o->known_count, &e)) {
            complain("reduce", "%s", e.msg);
        } else {
            const struct red_events ev = {.user = r, .ask = ask, .leave = leave, .better = better,
                                          .refused = refused, .tick = tick};
            status_start(&r->status, o->seconds, 0);
            r->next = r->status.terminal ? 0 : PLAIN;
            if (!json) {
                say("case    %s: %s in %u of %u runs\ntarget  %s\n", r->files.input, kind,
                    r->ask.hits, r->ask.tries, r->ask.target);
                if (o->choices && !red_has_choices(&a, &start, &e))
                    say("        %s: its module alone is reduced\n", e.msg);
                if (o->known_count)
                    say("        going on from %s\n", r->files.best);
                say_flush();
            }
            // What was kept may show the fault in another way than the case it is of.
            if (o->known_count)
                go_take_up(&r->ask, &a, &start);
            ask_now(&r->ask, &start);
            enum red_end end = red_reduce(&a, &start, o, &ev, &best, &stats);
            go_earlier(&r->ask, &a, o, &ev, &best, &stats, &end);
            go_turned(&r->ask, &a, o, &ev, &best, &stats, &end);
            if (end != RED_UNSAVED && !save_best(r, &best))
                end = RED_UNSAVED;
            status_clear(&r->status);
            // Of the case as it was given, where this goes on from a smaller one.
            uint32_t choices = stats.first.choices;
            red_measure(&c, &stats.first);
            stats.first.choices = choices;
            status = finish(r, &a, &best, &stats, end, json);
            files_close(&r->files);
        }
    }
    ask_end(&r->ask);
    spv_tools_free(tools);
    arena_free(&a);
    return status;
}

static int run(int argc, char **argv)
{
    const char *target = NULL, *out = NULL, *stage = NULL;
    struct red_options o = {.jobs = 1, .seconds = SECONDS, .choices = true, .module = true};
    struct reduce *r = calloc(1, sizeof *r);
    CHECK(r);
    bool json = false;
    const struct arg_option options[] = {
        OPT_TEXT("target", 't', "SPEC",
                 "the target that is wrong about it, see tanglefuzz targets\n(a FINDING says it)", &target),
        OPT_TEXT("out", 'o', "DIR", "output folder; default CASE.reduced or FINDING/reduced", &out),
        OPT_SECONDS("time", 0, "S", "stop after 90, 90s, 10m, 2h; default 5m", &o.seconds),
        OPT_U32("jobs", 'j', "N", "workers, each with the target open; default 1", &o.jobs, 1,
                RED_JOBS_MAX),
        OPT_SECONDS("job-time", 0, "S", "timeout of one run, which is what a hang costs; default 60",
                    &r->ask.run.job_seconds),
        OPT_TEXT("stage", 0, "S", "choices or module: this stage alone; default both", &stage),
        OPT_FLAG("keep-class", 0, "keep candidates that are wrong in another way, one of each class",
                 &r->ask.keep_slips),
        OPT_U32("subgroup", 0, "N", "subgroup size of a case that runs at any", &r->ask.subgroup, 1,
                LANES_MAX),
        OPT_FLAG("json", 0, "the summary as one JSON object", &json),
    };
    const struct arg_command command = {
        .name = "reduce",
        .rest = "CASE|FINDING",
        .about =
            "Makes a case smaller that a target is wrong about: first the choices it was made "
            "from, if\nit has any, then its module. Each candidate is valid and has a meaning "
            "by the oracle before\nthe target sees it, and the target must be wrong about it in the "
            "same way. DIR/reduced.spvasm\nis always the smallest so far; the same command again "
            "continues from there. Says why it\nstopped: 1-minimal (no edit that is left works), "
            "time, or interrupted.\nExit status: 0 reduced, 2 bad usage, the target is not wrong about "
            "it, or it cannot be judged.",
        .example = "tanglefuzz reduce tanglefuzz-out/findings/s000123-missing-lanes\n"
                   "tanglefuzz reduce case.spvasm --target vulkan:driver=lavapipe -o small "
                   "--time 10m --jobs 2",
        .options = options,
        .count = OPT_COUNT(options),
        .rest_min = 1,
        .rest_max = 1,
    };
    struct args args;
    struct arena a = {0};
    int said = args_parse(&command, argc, argv, &args);
    struct err e = {0};
    if (said < 0 && !(target = found_target(&a, args.rest[0], target, &e)))
        said = complain("reduce", "%s", e.msg);
    if (said < 0 && stage && strcmp(stage, "choices") != 0 && strcmp(stage, "module") != 0)
        said = complain("reduce", "--stage: '%s' is none of choices, module", stage);
    if (said < 0) {
        o.choices = !stage || stage[0] == 'c';
        o.module = !stage || stage[0] == 'm';
        r->ask.target = target;
        r->ask.single = o.jobs == 1;
        r->ask.self = self_path(&a, argv[0]);
        r->replay = arena_printf(&a, "tanglefuzz replay case.spvasm --target %s -n %d", shell_quote(&a, target),
                                 ASK_TRIES);
        said = reduce(r, args.rest[0], out, &o, json);
    }
    arena_free(&a);
    free(r);
    return said;
}

const struct command cmd_reduce = {"reduce", "make a case smaller that a target is wrong about",
                                   run};
