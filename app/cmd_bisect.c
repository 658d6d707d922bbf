// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz bisect: finds the optimiser pass that makes a case go wrong.
#include "args.h"
#include "campaign/found.h"
#include "diagnose/bisect.h"

#include <string.h>

struct given {
    const char *target;
};

// LLVM only: judges the IR after the passes found. That distinguishes a fault of the optimiser from
// one of the back end.
static void say_in_ir(struct context *x, const struct prediction *p, const struct bisect *b,
                      const struct run_options *o)
{
    struct arena *a = &x->arena;
    const bool wrong = judge_class_is_mismatch(b->klass) || b->klass == JUDGE_HANG ||
                       b->klass == JUDGE_UNDEFINED_OUTPUT;
    struct run_result r;
    struct judged j;
    struct shown_policy shown = {0};
    const struct run_stage *s = run_spec_parse(a, b->target, NULL);
    if (!wrong || s->check || s->next || s->kind->passes != RUN_PASSES_PIPELINE ||
        run_stage_option(s, "judge"))
        return;
    struct run_target *t =
        run_open(run_spec_text(a, run_stage_with(a, s, "judge", "ir")), x->self, o, NULL);
    if (!t)
        return;
    run_case(t, a, p->c, 0, &r);
    run_close(t);
    judge_result(a, x->tools, p, &r, &shown, &j);
    if (j.verdict.klass == JUDGE_AGREES)
        say("  in IR   agrees: the SPIR-V back end is at fault\n");
    else if (judge_class_is_finding(j.verdict.klass))
        say("  in IR   %s: the optimiser is at fault\n", judge_class_name(j.verdict.klass));
}

static int bisect(struct context *x, const char *path, const char *target)
{
    struct arena *a = &x->arena;
    struct run_options o = {0};
    struct spv_case c;
    struct bisect b;
    if (!spv_case_read(x->tools, a, path, &c, &x->e))
        return refuse(x);
    const struct prediction *p = NULL;
    if (!bisect_case(a, x->tools, &c, 0, target, x->self, &o, &p, &b, &x->e)) {
        if (b.runs == 1 && !judge_class_is_finding(b.klass)) {
            say("%s: %s\n", path, x->e.msg);
            return b.klass == JUDGE_AGREES ? STATUS_GOOD : STATUS_BAD;
        }
        return complain(x, "%s: %s", path, x->e.msg);
    }
    say("%s: %s\n", path, judge_class_name(b.klass));
    say("  pass    %s%s\n", b.pass,
        b.after_passes ? "; the crash comes after the passes: this one triggers it" : "");
    say("  target  %s\n", b.target);
    say_in_ir(x, p, &b, &o);
    say("  the shortest list found has %u pass%s; without the last one %s%s%s (%u runs)\n",
        b.passes, b.passes == 1 ? "" : "es",
        b.before == JUDGE_AGREES ? "nothing is wrong" : "it is '",
        b.before == JUDGE_AGREES ? "" : judge_class_name(b.before),
        b.before == JUDGE_AGREES ? "" : "'", b.runs);
    return STATUS_FOUND;
}

static int run(struct context *x, void *user)
{
    struct given *g = user;
    const char *folder, *path;
    if (!(g->target = found_target(&x->arena, x->words[0], g->target, &x->e)) ||
        !found_case(&x->arena, x->words[0], &folder, &path, &x->e))
        return refuse(x);
    return bisect(x, path, g->target);
}

static const struct arg_option options[] = {
    OPT_TEXT("target", 't', "SPEC",
             "spirv-opt, llvm, clang-hlsl, exec-compiler:...; default: the FINDING's", target),
};

const struct command cmd_bisect = {
    .name = "bisect",
    .task = TASK_FINDINGS,
    .line = "find the optimiser pass that makes a case go wrong",
    .rest = "CASE|FINDING",
    .about = "Finds the pass that makes a case go wrong: the last one of the shortest list of the "
             "target's\n"
             "passes that shows the same class. -O and -Os are expanded to their passes first.\n"
             "Exit status: 0 the case agrees, 1 a pass was found, 2 anything else.",
    .example = "tanglefuzz bisect case.spvasm --target spirv-opt:-O\n"
               "tanglefuzz bisect tanglefuzz-out/findings/s000123-missing-lanes",
    OPTIONS(options),
    .rest_min = 1,
    .rest_max = 1,
    .size = sizeof(struct given),
    .run = run,
};
