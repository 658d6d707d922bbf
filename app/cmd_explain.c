// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz explain: shows which invocations of a shader run together, as a table or a picture.
#include "args.h"
#include "campaign/found.h"
#include "portable/portable.h"
#include "report/tangles.h"

#include "runners/runners.h"
#include <stdlib.h>

#include <string.h>
#include <unistd.h>

#define NOT_GIVEN UINT32_MAX

struct given {
    const char *out, *policy, *target;
    uint64_t control;                                 // seed; UINT64_MAX: not asked
    uint32_t subgroup, workgroup, subgroup_id, steps; // workgroup, subgroup_id NOT_GIVEN: see run
    bool all, iterations, diverged;
    uint32_t line;
    struct arg_texts include, define;
    const char *entry;
};

// Supplies inputs for a shader that is not a case: those that `portable` tries.
// *line: the line that the verdict names; 0: none.
static bool give_inputs(struct context *x, const struct given *g, struct spv_case *c,
                        uint32_t *line)
{
    struct por_answer *w = ARENA_NEW(&x->arena, struct por_answer);
    const uint32_t size = g->subgroup ? g->subgroup : 32;
    por_ask(&x->arena, c, false, &(struct por_given){.fill = POR_TRIED}, &size, 1, w);
    if (!w->c.words)
        return err_set(&x->e, "%s: %s", x->words[0], w->cell[0][0].reason.text);
    *c = w->c;
    c->subgroup = size;
    if (w->inputs.invented)
        complain(x, "note: the inputs are invented (tanglefuzz case %s: to see and to change them)",
                 x->words[0]);
    const struct por_cell *cell = &w->cell[por_declared(w)][0];
    if (cell->status != POR_PORTABLE)
        *line = cell->reason.from.line ? cell->reason.from.line : cell->reason.at.line;
    return true;
}

static bool is_png(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".png") == 0;
}

static bool show(struct context *x, const struct given *g, const struct tangles *w,
                 const struct finding_sentences *reason, const struct report_code *code)
{
    struct text t = {.arena = &x->arena};
    if (!g->out) {
        report_picture_text(&w->picture, isatty(STDOUT_FILENO) && !getenv("NO_COLOR"), &t);
        report_reason_text(reason, &t);
        report_code_text(code, &t);
        say_text(&t);
        return true;
    }
    report_picture_svg(&w->picture, &t);
    return is_png(g->out) ? report_picture_png(&t, g->out, &x->e)
                          : file_write(g->out, t.v, t.n, &x->e);
}

// Asks the target about one more control program of a finding's reason.
static int ask_control(struct context *x, const struct given *g, const struct spv_case *c,
                       const struct finding *f)
{
    static const char *const words[] = {
        [EXPERIMENT_AGREES] = "as predicted",
        [EXPERIMENT_NARROW] = "right, which the reason permits there",
        [EXPERIMENT_REFUTED] = "refuted",
    };
    struct diag_control control;
    struct spv_module m;
    struct run_options o = {0};
    struct experiment_worker w = {.tools = x->tools};
    const struct experiment_target t = {&w, experiment_ask, NULL, NULL};
    if (!f->reason.why)
        return complain(x, "%s: the finding has no reason", x->words[0]);
    w.target = run_open(g->target ? g->target : f->target, x->self, &o, &x->e);
    if (!w.target)
        return refuse(x);
    const enum experiment_drawn is =
        diag_reason_draw(c, f->signature, &f->reason, g->control, &t, &control);
    run_close(w.target);
    if (is == EXPERIMENT_NONE || !spv_module_read(&x->arena, c->words, c->count, &m, NULL))
        return complain(x, "%s: no other control program can be asked", x->words[0]);
    const struct diag_names names = {&m, NULL};
    say("%s: %s: %s", words[is], diag_why_name((enum diag_why)f->reason.why),
        diag_tweak_words(&x->arena, &control.tweak, &names));
    if (control.undefined)
        say(", predicted and observed: undefined in the output, by the rules %u (set %u, binding "
            "%u, word %u)",
            control.expected, control.set, control.binding, control.word);
    else if (f->reason.known != DIAG_BY_RECORD)
        say(", predicted %u, by the rules %u, observed %u (set %u, binding %u, word %u)",
            control.predicted, control.expected, control.observed, control.set, control.binding,
            control.word);
    else if (is == EXPERIMENT_AGREES)
        say(", result %u, by the rules %u", control.observed, control.expected);
    say("\n");
    return is == EXPERIMENT_REFUTED ? STATUS_FOUND : STATUS_GOOD;
}

static int run(struct context *x, void *user)
{
    const struct given *g = user;
    const char *path, *folder;
    struct finding f;
    struct err why;
    enum finding_read got = FINDING_NONE;
    struct finding_sentences reason = {"", "", "", "", ""};
    struct report_code code = {0};
    struct spv_choices policy = {0};
    struct spv_case c;
    bool own;
    uint32_t reported = 0;
    const char *naga = arena_printf(&x->arena, "%s/naga/bin/naga", run_tools(&x->arena));
    const struct por_compile how = {.entry = g->entry,
                                    .naga = naga,
                                    .include = g->include.v,
                                    .includes = g->include.n,
                                    .define = g->define.v,
                                    .defines = g->define.n};
    const bool chosen = g->workgroup != NOT_GIVEN || g->subgroup_id != NOT_GIVEN;
    struct tangles w = {.workgroup = g->all                      ? UINT32_MAX
                                     : g->workgroup != NOT_GIVEN ? g->workgroup
                                                                 : 0,
                        .subgroup = g->all                        ? UINT32_MAX
                                    : g->subgroup_id != NOT_GIVEN ? g->subgroup_id
                                                                  : 0,
                        .limit = g->steps,
                        .fold = !g->iterations};
    if (g->policy && !spv_choices_parse(g->policy, strlen(g->policy), &policy, &x->e)) {
        err_prefix(&x->e, "--policy");
        return refuse(x);
    }
    if (!found_case(&x->arena, x->words[0], &folder, &path, &x->e) ||
        !(folder ? (own = true, spv_case_read(x->tools, &x->arena, path, &c, &x->e))
                 : por_read(x->tools, &x->arena, path, &how, &c, &own, &x->e)) ||
        (!own && !give_inputs(x, g, &c, &reported)))
        return refuse(x);
    w.one_order = !folder;
    w.by_source = !own || g->diverged || g->line;
    w.diverged = g->diverged;
    w.only = g->line != 0;
    w.line = g->line ? g->line : reported;
    if (folder)
        got = found_read(&x->arena, folder, &f, &why);
    if (got == FINDING_LEFT || got == FINDING_FAILED)
        complain(x, "cannot show why it is wrong: %s", why.msg);
    if (g->control != UINT64_MAX)
        return got == FINDING_READ
                   ? ask_control(x, g, &c, &f)
                   : complain(x, "%s: --control needs a finding's folder", x->words[0]);
    if (got == FINDING_READ) {
        char *driver = NULL;
        size_t size;
        file_read(&x->arena, arena_printf(&x->arena, "%s/driver.txt", folder), RUN_DRIVER_TEXT,
                  &driver, &size, NULL);
        report_reason_words(&x->arena, &c, &f.reason, &f.trials, &reason);
        code = report_code_of(&f, driver);
        w.reason = &f.reason;
        if (f.reason.has_place && !chosen && !g->all) {
            w.workgroup = f.reason.workgroup;
            w.subgroup = f.reason.subgroup;
        }
    }
    uint32_t size = c.subgroup ? c.subgroup : g->subgroup;
    // Any shader can be explained: a weaker model is judged as assumed-maximal.
    if (c.model != SPV_MAXIMAL)
        c.model = SPV_ASSUMED_MAXIMAL;
    tangles_run(&x->arena, &c, c.words, c.count, size,
                g->policy      ? &policy
                : c.has_policy ? &c.policy
                               : NULL,
                &w);
    w.picture.title = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    struct text work = {.arena = &x->arena};
    spv_case_work(&c, &work);
    w.picture.subtitle =
        arena_printf(&x->arena, "subgroups of %u, %s, model %s%s", size, work.v,
                     spv_model_name(c.model), w.one_order ? ", one legal order of atomics" : "");
    int status = show(x, g, &w, &reason, &code) ? STATUS_GOOD : refuse(x);
    if (w.cut)
        complain(x, "only the first %zu steps are shown (raise --steps)", w.limit);
    if (status == STATUS_GOOD && w.result.why.status != RAN_OK)
        status = complain(x, "%s", w.result.why.text);
    return status;
}

static const struct arg_option options[] = {
    OPT_TEXT("out", 'o', "FILE",
             "write a picture instead of a table: SVG, or PNG where FILE ends in .png", out),
    OPT_LANES("subgroup", "subgroup size, if the case does not fix one", subgroup, 1),
    OPT_U32("workgroup", 0, "N", "workgroup to show; default 0, for a finding its own", workgroup,
            0, UINT32_MAX - 1),
    OPT_U32("subgroup-id", 0, "N", "subgroup to show; default 0, for a finding its own",
            subgroup_id, 0, UINT32_MAX - 1),
    OPT_FLAG("all", 0, "show all workgroups and subgroups", all),
    OPT_FLAG("iterations", 0,
             "show each iteration of a loop; default: one row for consecutive\niterations with the "
             "same lanes",
             iterations),
    OPT_FLAG("diverged", 0,
             "only steps that some lanes of the subgroup miss, and the ones around\nthem",
             diverged),
    OPT_U32("line", 0, "N",
            "only steps of source line N, and the ones around them; default: all,\n"
            "and those of the line that portable reports are marked",
            line, 1, UINT32_MAX - 1),
    OPT_TEXT("entry", 'e', "NAME", "HLSL, WGSL: the entry point; default: main", entry),
    OPT_TEXTS("include", 'I', "DIR", "folder of included files; may be repeated", include),
    OPT_TEXTS("define", 'D', "NAME=VALUE", "preprocessor definition; may be repeated", define),
    OPT_U32("steps", 0, "N", "most steps to show; default 400", steps, 1, 100000),
    OPT_TEXT("policy", 0, "P",
             "choices where the rules leave one, as for predict: join, direct, split", policy),
    OPT_U64("control", 0, "SEED",
            "of a finding: run one more control program of its reason, drawn by SEED", control, 0,
            UINT64_MAX - 1),
    OPT_TEXT("target", 't', "SPEC", "the target for --control; default the finding's own", target),
};

const struct command cmd_explain = {
    .name = "explain",
    .task = TASK_SHADER,
    .line = "show which lanes of a shader run together, as table or picture",
    .rest = "CASE|SHADER|FINDING",
    .about =
        "Shows a case, or a shader that portable accepts: which invocations run each block "
        "together,\n"
        "the rule that split or joined them, and the result of each group operation, with the "
        "source\n"
        "line if the module records it. # is an active lane, o a lane that takes part in a group\n"
        "operation; H and h are the same for helper invocations. For a finding's folder it also "
        "shows\n"
        "why the value is wrong, and x marks a lane whose observed value differs.",
    .example = "tanglefuzz explain corpus/rules/M6-break-block-stays-split.spvasm -o m6.svg",
    OPTIONS(options),
    .rest_min = 1,
    .rest_max = 1,
    .size = sizeof(struct given),
    .defaults =
        &(const struct given){
            .steps = 400, .workgroup = NOT_GIVEN, .subgroup_id = NOT_GIVEN, .control = UINT64_MAX},
    .run = run,
};
