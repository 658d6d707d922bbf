// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz bisect: finds the compiler pass that makes a case go wrong.
#include "args.h"
#include "campaign/found.h"
#include "diagnose/bisect.h"
#include "diagnose/passes.h"
#include "report/report.h"

#include <string.h>

enum { LINES = 60 }; // most lines that are printed of a pass's change

struct given {
    const char *target, *dump, *as;
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

// ---- passes of spirv-opt, LLVM, clang: run with parts of their list -----------------------------

static int bisect_list(struct context *x, const char *path, const struct spv_case *c,
                       const char *target)
{
    struct arena *a = &x->arena;
    struct run_options o = {0};
    struct bisect b;
    const struct prediction *p = NULL;
    if (!bisect_case(a, x->tools, c, 0, target, x->self, &o, &p, &b, &x->e)) {
        if (b.back_end) {
            say("%s: %s\n  pass    %s, of the back end: the compiler ends while it runs\n"
                "  target  %s\n",
                path, judge_class_name(b.klass), b.back_end, b.target);
            return STATUS_FOUND;
        }
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
    if (b.code_before && b.code_after) {
        struct text t = {.arena = a};
        report_change_text(b.code_before, b.code_after, LINES, &t);
        say("%s", t.n ? t.v : "");
    }
    return STATUS_FOUND;
}

// ---- passes of a driver: its code after each of them is run -------------------------------------

static int say_passes(struct context *x, const char *path, const struct passes *b)
{
    struct text t = {.arena = &x->arena};
    report_passes_text(b, path, LINES, &t);
    say("%s: %s\n%s", path, judge_class_name(b->pass ? b->klass : JUDGE_AGREES), t.v);
    return b->pass ? STATUS_FOUND : b->ran ? STATUS_GOOD : STATUS_BAD;
}

static int bisect_driver(struct context *x, const char *path, const struct spv_case *c,
                         const struct given *g)
{
    struct arena *a = &x->arena;
    const struct run_options o = {0};
    struct passes b;
    const struct prediction *p = bisect_predict(a, c, 0, g->target, x->self, &o, &x->e);
    if (!p || !passes_find(a, x->tools, p, g->target, x->self, &o, &b, &x->e))
        return complain(x, "%s: %s", path, x->e.msg);
    return say_passes(x, path, &b);
}

static int bisect_dump(struct context *x, const char *path, const struct spv_case *c,
                       const struct given *g)
{
    struct arena *a = &x->arena;
    enum level_driver driver;
    struct levels l;
    struct passes b;
    char *text;
    size_t size;
    const char *colon = strchr(g->as, ':'); // "aco:navi31" names the GPU
    const char *as = arena_strn(a, g->as, colon ? (size_t)(colon - g->as) : strlen(g->as));
    if (!levels_driver_of(as, &driver))
        return complain(x, "--as %s: expected one of %s", g->as, levels_known());
    if (!file_read(a, g->dump, RUN_DUMP, &text, &size, &x->e))
        return refuse(x);
    if (!levels_read(a, driver, text, &l, &x->e))
        return complain(x, "%s: %s", g->dump, x->e.msg);
    l.device = colon ? colon + 1 : NULL;
    if (!c->subgroup)
        return complain(x, "%s: the case needs a line '; subgroup N' to be run without a device",
                        path);
    const struct prediction *p = judge_predict(a, c, 1, c->subgroup, SPV_POLICY_JOIN);
    if (!judge_usable(p))
        return complain(x, "%s: the case has no expected result: %s", path, p->made.why.text);
    passes_judge(a, x->tools, p, &l, NULL, &b);
    return say_passes(x, path, &b);
}

static int run(struct context *x, void *user)
{
    struct given *g = user;
    const char *folder, *path;
    struct spv_case c;
    if ((g->dump != NULL) != (g->as != NULL))
        return complain(x, "bisect: --dump and --as need each other");
    if (!g->dump && !(g->target = found_target(&x->arena, x->words[0], g->target, &x->e)))
        return refuse(x);
    if (!found_case(&x->arena, x->words[0], &folder, &path, &x->e) ||
        !spv_case_read(x->tools, &x->arena, path, &c, &x->e))
        return refuse(x);
    return g->dump                   ? bisect_dump(x, path, &c, g)
           : passes_known(g->target) ? bisect_driver(x, path, &c, g)
                                     : bisect_list(x, path, &c, g->target);
}

static const struct arg_option options[] = {
    OPT_TEXT("target", 't', "SPEC",
             "spirv-opt, llvm, clang-hlsl, exec-compiler:..., isa:vulkan:driver=nvk,\n"
             "vulkan:driver=lavapipe-26.2; default: the FINDING's",
             target),
    OPT_TEXT("dump", 0, "FILE", "a driver's dump of the case, in place of a target", dump),
    OPT_TEXT("as", 0, "COMPILER",
             "compiler of the dump: nak (NAK_DEBUG=print), ir3\n"
             "(IR3_SHADER_DEBUG=cs,optmsgs), aco:GPU, as aco:navi31\n"
             "(RADV_DEBUG=shaders,preoptir), brw (INTEL_DEBUG=cs),\n"
             "gallivm (GALLIVM_DEBUG=ir), v3d (V3D_DEBUG=cs),\n"
             "bifrost (BIFROST_MESA_DEBUG=shaders),\n"
             "pco (PCO_DEBUG_PRINT=cs,passes,nir),\n"
             "nir:DRIVER, as nir:radv (NIR_DEBUG=print of a debug build)",
             as),
};

const struct command cmd_bisect = {
    .name = "bisect",
    .task = TASK_FINDINGS,
    .line = "find the compiler pass that makes a case go wrong",
    .rest = "CASE|FINDING",
    .about = "Finds the pass that makes a case go wrong: the last one of the shortest list of the "
             "target's\n"
             "passes that shows the same class. -O and -Os are expanded to their passes first.\n"
             "Of a driver (isa:, lavapipe), the code after each pass is run: the first one that is "
             "wrong\nnames the pass. Levels that cannot be run are skipped, and named.\n"
             "Exit status: 0 the case agrees, 1 a pass was found, 2 anything else.",
    .example = "tanglefuzz bisect case.spvasm --target spirv-opt:-O\n"
               "tanglefuzz bisect tanglefuzz-out/findings/s000123-missing-lanes\n"
               "tanglefuzz bisect case.spvasm --dump nak.txt --as nak",
    OPTIONS(options),
    .rest_min = 1,
    .rest_max = 1,
    .size = sizeof(struct given),
    .run = run,
};
