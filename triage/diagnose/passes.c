// SPDX-License-Identifier: Apache-2.0
//
// Judges the levels of a driver's dump. The pass at fault made the first of the levels that are
// wrong to the end.
#include "passes.h"

#include "runners/run_levels.h"

#include <string.h>

const char *passes_doubt_line(enum passes_doubt d)
{
    static const char *const lines[PASSES_DOUBTS] = {
        [PASSES_SURE] = "the level before is right, and all later ones are wrong",
        [PASSES_NOT_SHOWN] = "the last level that ran is right",
        [PASSES_FIRST] = "the first level that ran is wrong: a pass before it is at fault",
        [PASSES_AGAIN] = "an earlier level is wrong, and a later one is right again",
        [PASSES_GAP] = "levels between the last right one and the first wrong one were skipped",
        [PASSES_UNEVEN] = "the code before it marks a value as uniform that differs between lanes, "
                          "which misleads the pass",
        [PASSES_DIED] = "the compiler ends while it runs",
        [PASSES_UNNAMED] = "the compiler ends after it, in the next pass",
    };
    return lines[d];
}

static void judge_level(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                        const struct levels *l, uint32_t i, const struct run_result *machine,
                        struct passes_level *out)
{
    struct run_result r;
    struct judged j;
    struct shown_policy shown = {.choices = p->policy};
    if (machine && l->v[i].language == LEVEL_MACHINE)
        r = *machine;
    else
        run_level(a, l, i, p->subgroup, p->c, &r);
    judge_result(a, tools, p, &r, &shown, &j);
    out->uneven = r.uneven_line;
    out->klass = j.verdict.klass;
    out->seen = j.verdict.klass == JUDGE_AGREES           ? PASSES_RIGHT
                : judge_class_is_finding(j.verdict.klass) ? PASSES_WRONG
                                                          : PASSES_SKIPPED;
    snprintf(out->text, sizeof out->text, "%s", r.status == RUN_SKIPPED ? r.text : j.verdict.text);
}

// The last level up to the right one that marks a value as uniform that differs between lanes.
// Later levels need not show it: a uniform register hides which lanes differ.
static uint32_t marks(const struct passes *out)
{
    for (uint32_t i = out->right == PASSES_NONE ? 0 : out->right + 1; i-- > 0;)
        if (out->level[i].uneven)
            return i;
    return PASSES_NONE;
}

// Finds the pass from the results of the levels.
static void conclude(struct passes *out)
{
    bool gap = false, again = false;
    out->wrong = out->right = PASSES_NONE;
    for (uint32_t i = out->levels.n; i-- > 0;) {
        const enum passes_seen seen = out->level[i].seen;
        if (out->right == PASSES_NONE && seen == PASSES_WRONG) {
            out->wrong = i;
            gap = false;
        } else if (out->right == PASSES_NONE && seen == PASSES_SKIPPED) {
            gap = true;
        } else if (out->right == PASSES_NONE) {
            out->right = i;
        } else {
            again |= seen == PASSES_WRONG;
        }
    }
    // Before the first level is the case's module, which is right.
    const bool start = out->levels.from_start && out->wrong == 0;
    out->marked = marks(out);
    out->doubt = out->wrong == PASSES_NONE    ? PASSES_NOT_SHOWN
                 : out->right == PASSES_NONE  ? (start ? PASSES_SURE : PASSES_FIRST)
                 : again                      ? PASSES_AGAIN
                 : gap                        ? PASSES_GAP
                 : out->marked != PASSES_NONE ? PASSES_UNEVEN
                                              : PASSES_SURE;
    if (out->wrong == PASSES_NONE)
        return;
    out->klass = out->level[out->wrong].klass;
    out->pass = out->levels.v[out->wrong].pass;
}

void passes_judge(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                  const struct levels *l, const struct run_result *machine, struct passes *out)
{
    struct arena room = {0};
    *out = (struct passes){.levels = *l, .level = ARENA_ARRAY(a, struct passes_level, l->n)};
    for (uint32_t i = 0; i < l->n; i++) {
        judge_level(&room, tools, p, l, i, machine, &out->level[i]);
        out->skipped += out->level[i].seen == PASSES_SKIPPED;
        arena_reset(&room);
    }
    out->ran = l->n - out->skipped;
    arena_free(&room);
    conclude(out);
}

bool passes_known(const char *target)
{
    struct arena a = {0};
    const char *dumped = run_levels_target(&a, target);
    const struct run_stage *s = dumped ? run_spec_parse(&a, dumped, NULL) : NULL;
    const char *driver = s ? run_stage_option(s, "driver") : NULL;
    enum level_driver d;
    const bool known = driver && levels_driver_of(driver, &d);
    arena_free(&a);
    return known;
}

// Where the dump does not end with machine code, the code that the target ran takes its place.
static void add_machine_code(struct arena *a, struct levels *l)
{
    const enum level_language last = l->n ? l->v[l->n - 1].language : LEVEL_AMD;
    if (last == LEVEL_AMD || last == LEVEL_NAK || last == LEVEL_IR3_NATIVE || last == LEVEL_QPU ||
        levels_only_nir(l->driver)) // the target runs NIR
        return;
    struct level *v = ARENA_ARRAY(a, struct level, l->n + 1);
    memcpy(v, l->v, l->n * sizeof *v);
    v[l->n++] = (struct level){.pass = l->driver == LEVELS_LAVAPIPE     ? "LLVM"
                                       : l->driver == LEVELS_ANV        ? "brw"
                                       : l->driver == LEVELS_HONEYKRISP ? "agx"
                                                                        : "machine code",
                               .text = "",
                               .language = LEVEL_MACHINE};
    l->v = v;
}

bool passes_find(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                 const char *target, const char *self, const struct run_options *o,
                 struct passes *out, struct err *e)
{
    struct run_options with_text = *o;
    struct run_result r;
    struct levels l;
    enum level_driver driver;
    const char *dumped = run_levels_target(a, target);
    if (!dumped)
        return err_set(e, "'%s' prints no code after its passes; use isa:vulkan:driver=...",
                       target);
    with_text.driver_text = true;
    struct run_target *t = run_open(dumped, self, &with_text, e);
    if (!t)
        return false;
    const bool known = levels_driver_of(run_info(t)->driver, &driver);
    const char *name = arena_str(a, run_info(t)->driver);
    const char *device = arena_str(a, run_info(t)->device);
    if (known)
        run_case(t, a, p->c, p->subgroup, &r);
    run_close(t);
    if (!known)
        return err_set(e, "the dump of '%s' cannot be read; the dumps of %s can", name,
                       levels_known());
    if (r.status == RUN_CRASHED || r.status == RUN_REJECTED ||
        (r.status == RUN_HUNG && !r.driver_text))
        return passes_died(a, tools, p, dumped, driver, self, &with_text, &r, out, e);
    if (run_spec_parse(a, dumped, NULL)->check)
        return err_set(e, "nothing to bisect: '%s' compiles it", target);
    if (!r.driver_text)
        return err_set(e, "'%s' printed nothing: %s: %s", dumped, run_status_name(r.status),
                       r.text);
    if (!levels_read(a, driver, r.driver_text, &l, e))
        return false;
    l.device = device;
    add_machine_code(a, &l);
    passes_judge(a, tools, p, &l, &r, out);
    out->target = dumped;
    out->runs = 1;
    return true;
}
