// SPDX-License-Identifier: Apache-2.0
//
// A driver's compiler that crashes, hangs or refuses a case: the last level that it began to print
// says how far it came.
#include "passes.h"

#include "runners/run_levels.h"

#include <string.h>

// Any driver compiles this.
static const char small[] =
    "; tanglefuzz-case 1\n; dispatch 1 1 1\n; subgroup 32\n; model workgroup-uniform\n"
    "; buffer 0:0 zero 64\n"
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %i %out\nOpExecutionMode %main LocalSize 64 1 1\n"
    "OpDecorate %i BuiltIn LocalInvocationIndex\nOpDecorate %words ArrayStride 4\n"
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n"
    "%void = OpTypeVoid\n%f = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%c0 = OpConstant %u 0\n"
    "%words = OpTypeRuntimeArray %u\n%block = OpTypeStruct %words\n"
    "%pb = OpTypePointer StorageBuffer %block\n%pw = OpTypePointer StorageBuffer %u\n"
    "%pi = OpTypePointer Input %u\n%i = OpVariable %pi Input\n%out = OpVariable %pb StorageBuffer\n"
    "%main = OpFunction %void None %f\n%l = OpLabel\n%v = OpLoad %u %i\n"
    "%p = OpAccessChain %pw %out %c0 %v\nOpStore %p %v\nOpReturn\nOpFunctionEnd\n";

static bool run_once(struct arena *a, const char *spec, const char *self,
                     const struct run_options *o, const struct spv_case *c, uint32_t subgroup,
                     struct run_result *r)
{
    struct run_target *t = run_open(spec, self, o, NULL);
    if (!t)
        return false;
    run_case(t, a, c, subgroup, r);
    run_close(t);
    return true;
}

// Returns the target with the variable that makes the driver print, in place of the option `dump`:
// then what a crash printed last is kept.
static const char *printing(struct arena *a, const char *dumped)
{
    struct run_stage s = *run_spec_parse(a, dumped, NULL);
    VEC(struct run_option) option = {0};
    const char *variable = run_dump_variable(run_stage_option(&s, "driver"));
    for (uint32_t i = 0; i < s.count; i++)
        if (s.option[i].key[0] || strcmp(s.option[i].value, "dump") != 0)
            *VEC_PUSH(a, &option) = s.option[i];
    if (variable)
        *VEC_PUSH(a, &option) = (struct run_option){"env", variable};
    s.option = option.v;
    s.count = (uint32_t)option.n;
    return run_spec_text(a, &s);
}

// Returns the pass that follows the last of `n` passes, where a compiler that runs to its end has
// them: after the longest tail of them that it has in one place alone. NULL: not known.
static const char *next_pass(const char *const *seen, uint32_t n, const struct levels *all)
{
    for (uint32_t tail = n; tail > 0; tail--) {
        const char *found = NULL;
        uint32_t places = 0;
        for (uint32_t i = tail; i < all->n; i++) {
            uint32_t k = 0;
            while (k < tail && strcmp(all->v[i - 1 - k].pass, seen[n - 1 - k]) == 0)
                k++;
            if (k < tail)
                continue;
            found = all->v[i].pass;
            places++;
        }
        if (places)
            return places == 1 ? found : NULL;
    }
    return NULL;
}

static bool small_levels(struct arena *a, struct spv_tools *tools, const char *dumped,
                         enum level_driver driver, const char *self, const struct run_options *o,
                         uint32_t subgroup, struct levels *out)
{
    struct spv_case c;
    struct run_result r;
    return spv_case_parse(tools, a, "a small program", small, sizeof small - 1, &c, NULL) &&
           run_once(a, dumped, self, o, &c, subgroup, &r) && r.driver_text &&
           levels_read(a, driver, r.driver_text, out, NULL);
}

bool passes_died(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                 const char *dumped, enum level_driver driver, const char *self,
                 const struct run_options *o, const struct run_result *r, struct passes *out,
                 struct err *e)
{
    struct run_result again = *r;
    struct levels all = {0};
    const char *const *seen;
    const char *text = r->driver_text;
    *out = (struct passes){.wrong = PASSES_NONE, .right = PASSES_NONE, .runs = 1};
    out->levels.driver = driver;
    out->target = dumped;
    out->klass = r->status == RUN_CRASHED ? JUDGE_CRASH
                 : r->status == RUN_HUNG  ? JUDGE_HANG
                                          : JUDGE_REJECTED;
    if (!text) {
        out->target = printing(a, dumped);
        run_once(a, out->target, self, o, p->c, p->subgroup, &again);
        text = again.printed;
        out->runs++;
    }
    const uint32_t n = text ? levels_begun(a, driver, text, &seen) : 0;
    if (!n)
        return err_set(e, "%s: the driver printed no level", r->text);
    const bool known = small_levels(a, tools, dumped, driver, self, o, p->subgroup, &all);
    out->runs++;
    out->after = seen[n - 1];
    const char *next = known ? next_pass(seen, n, &all) : NULL;
    out->doubt = next ? PASSES_DIED : PASSES_UNNAMED;
    out->pass = next ? next : out->after;
    return true;
}
