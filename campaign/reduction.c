// SPDX-License-Identifier: Apache-2.0
//
// One reduction, from the case to its folder.
#include "reduction.h"

#include "campaign.h"

#include "found.h"

#include "diagnose/ask_go.h"
#include "diagnose/ask_probe.h"
#include "diagnose/bisect.h"
#include "diagnose/passes.h"
#include "driver_text.h"
#include "reduction_files.h"
#include "report/report.h"

#include <string.h>
#include <time.h>

static const double SAVE = 0.1;

struct work {
    struct ask ask;
    enum judge_promise least; // that the first case breaks: a bug may not become a lead
    struct reduction_files files;
    const struct reduction_events *ev;
    struct spv_tools *tools;
    const char *pass;               // at fault; NULL: not known
    const char *of;                 // name of the reduced finding or file
    const struct red_stats *stats;  // for reduction_events.tick
    const struct spv_case *unsaved; // an improvement soon after the last saved one
    double saved_at;
    struct err *e;
};

// ---- while it runs -----------------------------------------------------------------

// Improvements come by dozens per tenth of a second; only the last of them is saved.
static bool save_best(struct work *w, const struct spv_case *c)
{
    w->unsaved = NULL;
    w->saved_at = now_seconds();
    return reduction_files_best(&w->files, w->tools, c, w->e);
}

static bool tick(void *user, const struct red_stats *s)
{
    struct work *w = user;
    if (w->unsaved && now_seconds() - w->saved_at >= SAVE && !save_best(w, w->unsaved))
        return false;
    return w->ev->tick(w->ev->user, s) && !w->ask.trouble[0];
}

static void refused(void *user, uint64_t hash)
{
    struct work *w = user;
    if (!w->ask.trouble[0])
        reduction_files_refused(&w->files, hash);
}

static bool better(void *user, const struct spv_case *c, const struct red_stats *s)
{
    struct work *w = user;
    (void)s;
    ask_now(&w->ask, c);
    if (now_seconds() - w->saved_at >= SAVE)
        return save_best(w, c);
    w->unsaved = c;
    return true;
}

// red_events.ask needs only the struct ask.
static bool ask(void *user, uint32_t worker, struct arena *a, const struct spv_case *c,
                bool generated)
{
    return ask_candidate(&((struct work *)user)->ask, worker, a, c, generated);
}

static void leave(void *user, uint32_t worker)
{
    ask_leave(&((struct work *)user)->ask, worker);
}

// ---- at the end --------------------------------------------------------------------

// Runs a case again and collects the contents of its finding's folder.
static void describe(struct work *w, struct arena *a, const struct spv_case *c,
                     struct finding_evidence *f)
{
    struct prediction *p;
    struct judged *j = ARENA_NEW(a, struct judged);
    struct run_result res;
    const uint32_t hits = ask_again(&w->ask, a, c, ASK_TRIES, &p, j, &res);
    *f = (struct finding_evidence){
        .c = c,
        .expected = j->expected,
        .observed =
            judge_class_is_finding(j->verdict.klass) && res.status == RUN_OK && res.memory_count
                ? res.memory
                : NULL,
        .memory_count = c->buffer_count,
        .verdict = &j->verdict,
        .flaky = hits < 2,
        .target = w->ask.target,
        .device = campaign_device_text(a, &w->ask.info),
        .driver = w->ask.info.driver,
        .host = host_name(a),
        .replay = arena_printf(a, "tanglefuzz replay case.spvasm --target %s -n %d",
                               shell_quote(a, w->ask.target), ASK_TRIES),
        .reproduced = hits,
        .tries = ASK_TRIES,
        .target_output = res.text[0] ? arena_str(a, res.text) : NULL,
        .output = res.form == RUN_FORM_SPIRV ? res.words : NULL, // IR is not SPIR-V
        .output_count = res.word_count,
        .culprit = w->pass,
        .of = w->of,
        .found_at = (int64_t)time(NULL),
    };
    if (j->verdict.klass == JUDGE_CRASH && !(res.printed && diag_frames(a, res.printed)[0]))
        f->backtrace = res.backtrace ? res.backtrace
                                     : run_backtrace(a, w->ask.target, w->ask.self, &w->ask.run, c);
    f->printed = j->verdict.klass == JUDGE_AGREES || judge_class_is_mismatch(j->verdict.klass)
                     ? NULL
                     : res.printed;
    f->probed = judge_class_is_mismatch(j->verdict.klass);
    if (f->probed)
        f->what = probe_ask(&w->ask, a, c, &j->verdict, &f->pattern);
    struct diag_alone *alone = ARENA_NEW(a, struct diag_alone);
    if (f->probed && !run_is_compiler(&w->ask.info) &&
        probe_alone(&w->ask, a, c, &j->verdict, f->what, alone))
        f->alone = alone;
}

// Runs the driver's code after each of its passes. NULL: the target prints none, or none is wrong.
static const struct passes *driver_passes(struct work *w, struct arena *a, const struct spv_case *c,
                                          enum judge_class klass)
{
    struct passes *out = ARENA_NEW(a, struct passes);
    if (!judge_class_is_finding(klass) || !passes_known(w->ask.target))
        return NULL;
    const struct prediction *p =
        judge_predict(a, c, 1, judge_subgroup(c, w->ask.subgroup, &w->ask.info), SPV_POLICY_JOIN);
    const bool found = judge_usable(p) && passes_find(a, w->tools, p, w->ask.target, w->ask.self,
                                                      &w->ask.run, out, NULL);
    return found && out->pass ? out : NULL;
}

static bool stopped(void *user)
{
    const struct work *w = user;
    return !w->ev->tick(w->ev->user, w->stats);
}

// Tests the reason of a mismatch on the target; or tries which tokens of a crash matter.
static void experiment(struct work *w, struct arena *a, struct finding_evidence *f)
{
    const enum judge_class k = f->verdict->klass;
    struct ask_worker *main = &w->ask.worker[ASK_MAIN];
    struct experiment_worker asker = {main->target, w->tools, main->policy, w->ask.step_limit};
    const struct experiment_target t = {&asker, experiment_ask, stopped, w};
    struct diag_reason *reason = ARENA_NEW(a, struct diag_reason);
    struct diag_trials *trials = ARENA_NEW(a, struct diag_trials);
    struct diag_signature s;
    if (f->flaky || judge_class_is_mapping(k))
        return;
    if (judge_class_is_mismatch(k) || k == JUDGE_UNDEFINED_OUTPUT) {
        finding_signature(f, &s);
        finding_reason(a, f->c, f->expected, f->observed, f->output, f->output_count, &s, &t,
                       reason);
    } else if (k == JUDGE_CRASH || k == JUDGE_REJECTED || k == JUDGE_INVALID_OUTPUT) {
        diag_crash_trials(f->c, &w->ask.kind, w->ask.target, w->ask.info.driver, &t, trials);
        f->trials = trials;
    }
    if (k == JUDGE_CRASH || (k == JUDGE_UNDEFINED_OUTPUT && !reason->why)) {
        finding_signature(f, &s);
        diag_reason_exposed(f->c, &s, &t, reason);
    }
    f->reason = reason;
}

// Writes a case's finding folder below `dir`.
static bool save(struct work *w, struct arena *a, const char *dir, const struct spv_case *c,
                 uint32_t *hits, const char **folder, char bucket[16])
{
    struct finding_evidence f;
    struct finding record;
    describe(w, a, c, &f);
    // Machine code that is executed here locates the first wrong instruction.
    struct run_result with_text;
    struct run_options o = w->ask.run;
    o.driver_text = true;
    if (f.observed && judge_class_is_mismatch(f.verdict->klass) && w->ask.info.has_driver_text &&
        w->ask.info.form == RUN_FORM_MEMORY &&
        driver_ask(a, w->ask.target, w->ask.self, &o, c, NULL, &with_text) && with_text.origin) {
        f.driver_text = with_text.driver_text;
        f.origin = word_origin(c, f.verdict, &with_text);
        f.unset_line = with_text.unset_line;
    }
    f.stage = locate_stage(a, w->ask.target, w->ask.self, &w->ask.run, c, f.verdict->klass,
                           f.expected, NULL);
    f.passes = driver_passes(w, a, c, f.verdict->klass);
    if (f.passes && passes_sure(f.passes))
        f.culprit = f.passes->pass;
    experiment(w, a, &f);
    finding_make(a, &f, &record);
    *hits = f.reproduced;
    snprintf(bucket, 16, "%s", record.signature->name);
    const char *name = arena_printf(a, "reduced-%s", judge_class_name(finding_class(&record)));
    const char *written;
    if (!report_finding_write(w->tools, a, dir, name, &f, &record, &written, w->e))
        return false;
    *folder = arena_printf(a, "%s/%s", dir, written ? written : name);
    return true;
}

static bool finish(struct work *w, struct arena *a, const struct spv_case *best,
                   struct reduction *out)
{
    if (w->ask.trouble[0])
        return err_set(w->e, "%s", w->ask.trouble);
    if (out->end == RED_UNSAVED ||
        !save(w, a, w->files.dir, best, &out->hits, &out->finding, out->bucket))
        return false;
    const char *slips = arena_printf(a, "%s/slips", w->files.dir);
    for (; out->slips < w->ask.slips; out->slips++) {
        struct ask_slippage *x = &w->ask.slippage[out->slips];
        uint32_t hits;
        char bucket[16];
        w->ask.kind = x->kind;
        if (!save(w, a, slips, &x->c, &hits, &out->slippage[out->slips], bucket))
            return false;
    }
    out->counts = w->ask.counts;
    return true;
}

// ---- the work ----------------------------------------------------------------------

// Finds the pass at fault, and removes the passes that are not needed: they cost time, and may have
// bugs of their own on smaller cases. Passes inside of one element stay, as a limit on them would
// differ for each candidate.
static void take_passes(struct work *w, struct arena *a, const struct spv_case *c,
                        const struct reduction_options *o)
{
    const struct prediction *p;
    struct bisect b;
    w->ask.target = run_fixed(a, o->target, c);
    if (!o->bisect || !bisect_has_passes(w->ask.target) ||
        !bisect_case(a, w->tools, c, o->subgroup, w->ask.target, o->self, &o->run, &p, &b, NULL))
        return;
    w->pass = b.after_passes ? NULL : b.pass;
    w->ask.target = b.list;
}

// ---- weaker promises -----------------------------------------------------------------

// Improvements of the search under weaker promises are saved only at its end.
static bool not_yet(void *user, const struct spv_case *c, const struct red_stats *s)
{
    struct work *w = user;
    (void)s;
    ask_now(&w->ask, c);
    return true;
}

static bool nearly_as_small(const struct spv_case *c, const struct spv_case *than)
{
    struct red_size x, y;
    return red_measure(c, &x) && red_measure(than, &y) && 4 * x.body <= 5 * y.body;
}

// Replaces *best by the smallest case that is wrong under a weaker promise, if it has at most a
// quarter more instructions in functions and the same signature. Tries the weakest promise first;
// each search starts with the last case found on the way that broke that promise.
static void go_weaker(struct work *w, struct arena *a, struct red_options o,
                      const struct red_events *events, struct spv_case *best,
                      struct red_stats *stats)
{
    struct red_events ev = *events;
    struct diag_signature is, was;
    struct finding_evidence f;
    const double until = o.seconds;
    describe(w, a, best, &f);
    finding_signature(&f, &was);
    if (!judge_class_is_mismatch(f.verdict->klass) || f.flaky)
        return;
    ev.better = not_yet;
    ev.refused = NULL; // for another reason
    o.known_count = 0;
    o.choices = false;
    for (enum judge_promise p = JUDGE_PROMISES - 1, now = judge_weakest(best, f.observed); p > now;
         p--) {
        struct spv_case from, small;
        struct red_stats more;
        if (!w->ask.weak[p].c.words || (until > 0 && stats->seconds >= until))
            continue;
        red_copy(a, &w->ask.weak[p].c, &from);
        w->ask.at_least = p;
        ask_now(&w->ask, &from);
        o.seconds = until > 0 ? until - stats->seconds : 0;
        const enum red_end end = red_reduce(a, &from, &o, &ev, &small, &more);
        w->ask.at_least = w->least;
        stats->candidates += more.candidates;
        stats->cached += more.cached;
        stats->seconds += more.seconds;
        if (end != RED_MINIMAL)
            return;
        describe(w, a, &small, &f);
        finding_signature(&f, &is);
        if (nearly_as_small(&small, best) && !f.flaky && strcmp(is.text, was.text) == 0) {
            *best = small;
            stats->now = more.now;
            return;
        }
    }
}

// Records which promise the starting case breaks; a resumed reduction can then find its result
// again. If only maximal reconvergence is assumed, all candidates must break one that is promised.
static void promise_of_start(struct work *w, struct arena *a, const struct spv_case *start)
{
    struct prediction *p;
    struct judged j;
    struct run_result res;
    if (w->ask.hits == w->ask.tries && ask_again(&w->ask, a, start, 1, &p, &j, &res) == 1 &&
        judge_class_is_mismatch(j.verdict.klass) && res.memory) {
        const enum judge_promise broken = judge_weakest(start, res.memory);
        if (start->model == SPV_ASSUMED_MAXIMAL && !judge_is_lead(start->model, broken))
            w->least = w->ask.at_least = JUDGE_PROMISE_SUBGROUP;
        ask_now_promised(&w->ask, start, broken);
    }
}

// Reduces the case; it is known to be wrong, and its folder is open.
static bool reduce(struct work *w, struct arena *a, const struct spv_case *c,
                   struct spv_case *start, struct reduction *out)
{
    const struct reduction_options *given = out->options;
    struct red_options o = {.jobs = given->jobs,
                            .seconds = given->seconds,
                            .choices = given->choices,
                            .module = given->module,
                            .keep_lanes = !run_is_compiler(&w->ask.info),
                            .known = w->files.known,
                            .known_count = w->files.known_count};
    const struct red_events ev = {
        .user = w, .ask = ask, .leave = leave, .better = better, .refused = refused, .tick = tick};
    struct spv_case best;
    struct err why;
    out->best = w->files.best;
    out->resumed = w->files.resumed;
    if (o.choices && !red_has_choices(a, start, &why))
        out->no_choices = arena_str(a, why.msg);
    w->ev->begin(w->ev->user, out);
    // The saved case may fail in another way than the original.
    if (out->resumed)
        go_take_up(&w->ask, a, start);
    ask_now(&w->ask, start);
    promise_of_start(w, a, start);
    best = *start;
    if (o.choices || o.module) {
        out->end = red_reduce(a, start, &o, &ev, &best, &out->stats);
        go_value(&w->ask, a, &o, &ev, &best, &out->stats, &out->end);
        go_earlier(&w->ask, a, &o, &ev, &best, &out->stats, &out->end);
        go_turned(&w->ask, a, &o, &ev, &best, &out->stats, &out->end);
        if (out->end == RED_MINIMAL)
            go_weaker(w, a, o, &ev, &best, &out->stats);
    }
    if (out->end != RED_UNSAVED && !save_best(w, &best))
        out->end = RED_UNSAVED;
    // Sizes "before" are of the original case, also after resuming from a smaller one.
    const uint32_t choices = out->stats.first.choices;
    red_measure(c, &out->stats.first);
    out->stats.first.choices = choices;
    out->klass = w->ask.kind.klass;
    return finish(w, a, &best, out) && reduction_files_end(&w->files, a, out->end, w->e);
}

bool reduction_run(struct arena *a, struct spv_tools *tools, const struct reduction_options *o,
                   const struct reduction_events *ev, struct reduction *out, struct err *e)
{
    struct work *w = ARENA_NEW(a, struct work);
    struct spv_case c, start;
    *w = (struct work){.ask = {.self = o->self,
                               .run = o->run,
                               .subgroup = o->subgroup,
                               .keep_slips = o->keep_slips,
                               .single = o->jobs == 1},
                       .files = {.dir = o->dir},
                       .ev = ev,
                       .of = found_of(a, o->input),
                       .tools = tools,
                       .e = e};
    *out = (struct reduction){.options = o};
    w->stats = &out->stats;
    if (!spv_case_read(tools, a, o->input, &c, e))
        return false;
    take_passes(w, a, &c, o);
    out->target = w->ask.target;
    out->pass = w->pass;
    bool ok = ask_start(&w->ask, a, &c, e);
    if (ok) {
        out->klass = w->ask.kind.klass;
        out->first_hits = w->ask.hits;
        start = c;
        ok = reduction_files_open(&w->files, a, tools, red_hash(&c), o->target,
                                  judge_class_name(out->klass), &start, e) &&
             reduce(w, a, &c, &start, out);
        reduction_files_close(&w->files);
    }
    ask_end(&w->ask);
    return ok;
}
