// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz bisect: which pass makes a case go wrong.
#include "args.h"
#include "blame/bisect.h"
#include "found.h"

#include <string.h>

// Of LLVM: the verdict on the IR itself after the passes that were found, which tells the
// optimiser's fault from the back end's.
static void say_in_ir(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                      const struct bisect *b, const char *self, const struct run_options *o)
{
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
        run_open(run_spec_text(a, run_stage_with(a, s, "judge", "ir")), self, o, NULL);
    if (!t)
        return;
    run_case(t, a, p->c, 0, &r);
    run_close(t);
    judge_result(a, tools, p, &r, &shown, &j);
    if (j.verdict.klass == JUDGE_AGREES)
        say("  in IR   agrees: what makes SPIR-V of it is at fault\n");
    else if (judge_class_is_finding(j.verdict.klass))
        say("  in IR   %s: the optimiser is at fault\n", judge_class_name(j.verdict.klass));
}

static int bisect(const char *path, const char *target, const char *self, struct spv_tools *tools,
                  struct arena *a)
{
    struct err e = {0};
    struct run_options o = {0};
    struct spv_case c;
    struct bisect b;
    if (!spv_case_read(tools, a, path, &c, &e))
        return complain("bisect", "%s", e.msg);
    // The size that the target itself would be asked for.
    struct run_target *t = run_open(target, self, &o, &e);
    if (!t)
        return complain("bisect", "%s", e.msg);
    uint32_t size = judge_subgroup(&c, 0, run_info(t));
    run_close(t);
    struct prediction *p = judge_predict(a, &c, 1, size, SPV_POLICY_JOIN);
    if (!judge_usable(p))
        return complain("bisect", "%s: nothing may be expected of it: %s", path, p->made.why.text);
    if (!bisect_passes(a, tools, p, target, self, &o, &b, &e)) {
        if (b.runs == 1 && !judge_class_is_finding(b.klass)) {
            say("%s: %s\n", path, e.msg);
            return b.klass == JUDGE_AGREES ? STATUS_GOOD : STATUS_BAD;
        }
        return complain("bisect", "%s: %s", path, e.msg);
    }
    say("%s: %s\n", path, judge_class_name(b.klass));
    say("  pass    %s\n", b.pass);
    say("  target  %s\n", b.target);
    say_in_ir(a, tools, p, &b, self, &o);
    say("  the shortest list found has %u pass%s; without the last one %s%s%s (%u runs)\n", b.passes,
        b.passes == 1 ? "" : "es", b.before == JUDGE_AGREES ? "nothing is wrong" : "it is '",
        b.before == JUDGE_AGREES ? "" : judge_class_name(b.before), b.before == JUDGE_AGREES ? "" : "'", b.runs);
    return STATUS_FOUND;
}

static int run(int argc, char **argv)
{
    const char *target = NULL;
    const struct arg_option options[] = {
        OPT_TEXT("target", 't', "SPEC",
                 "spirv-opt, llvm, clang-hlsl, exec-compiler:...; a FINDING says it", &target),
    };
    const struct arg_command command = {
        .name = "bisect",
        .rest = "CASE|FINDING",
        .about = "Finds the pass that makes a case go wrong: the shortest list of the target's "
                 "passes that shows\nthe same class, and its last pass. -O and -Os are spelled out "
                 "first.\nExit status: 0 the case agrees, 1 a pass was found, 2 anything else.",
        .example = "tanglefuzz bisect case.spvasm --target spirv-opt:-O\n"
                   "tanglefuzz bisect tanglefuzz-out/findings/s000123-missing-lanes",
        .options = options,
        .count = OPT_COUNT(options),
        .rest_min = 1,
        .rest_max = 1,
    };
    struct args args;
    int said = args_parse(&command, argc, argv, &args);
    if (said >= 0)
        return said;
    struct arena a = {0};
    struct err e = {0};
    const char *folder, *path;
    if (!(target = found_target(&a, args.rest[0], target, &e))) {
        said = complain("bisect", "%s", e.msg);
    } else if (!found_case(&a, args.rest[0], &folder, &path, &e)) {
        said = complain("bisect", "%s", e.msg);
    } else {
        struct spv_tools *tools = spv_tools_new();
        said = bisect(path, target, self_path(&a, argv[0]), tools, &a);
        spv_tools_free(tools);
    }
    arena_free(&a);
    return said;
}

const struct command cmd_bisect = {"bisect", "find the optimiser's pass that makes a case go wrong",
                                   run};
