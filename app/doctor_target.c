// SPDX-License-Identifier: Apache-2.0
//
// One target on one screen: what it promises, what is left out and why, how fast it is. The speed
// is that of a short campaign, whose folder is removed.
#include "doctor_target.h"

#include "base/interrupt.h"
#include "campaign/campaign.h"

#include <string.h>

enum {
    MODULES = 16, // programs of the short campaign, unless the target is slow
    WIDTH = 96,   // columns of the screen
    INDENT = 10,
};
static const double MOST_SECONDS = 20; // of the short campaign

// Prints words after a name, broken before column WIDTH.
static void row(const char *name, const struct text *words)
{
    size_t at = INDENT;
    say("%-*s", INDENT, name);
    for (const char *p = words->v; *p;) {
        const size_t n = strcspn(p, " ");
        if (at > INDENT && at + 1 + n > WIDTH) {
            say("\n%*s", INDENT, "");
            at = INDENT;
        }
        say("%s%.*s", at > INDENT ? " " : "", (int)n, p);
        at += n + (at > INDENT);
        p += n + strspn(p + n, " ");
    }
    say("\n");
}

static void say_device(const char *spec, const struct run_info *i, double opened)
{
    say("%-*s%s\n%-*s%s\n", INDENT, "target", spec, INDENT,
        run_is_compiler(i) ? "compiler" : "device", i->device);
    say("%-*s%s", INDENT, "driver", i->driver);
    if (i->api_version)
        say(", Vulkan %u.%u.%u", i->api_version >> 22 & 0x7f, i->api_version >> 12 & 0x3ff,
            i->api_version & 0xfff);
    say("; open after %.1f s\n", opened);
}

static void say_promises(const struct run_info *i)
{
    const char *promise = run_offers(i, SPV_NEED(MAXIMAL_RECONVERGENCE)) ? "maximal reconvergence"
                          : run_offers(i, SPV_NEED(SUBGROUP_UNIFORM))
                              ? "subgroup-uniform control flow, not maximal reconvergence"
                              : "nothing about reconvergence";
    say("%-*s%s\n%-*s%u", INDENT, "promises", promise, INDENT, "subgroups", i->subgroup_size);
    if (i->subgroup_min != i->subgroup_max)
        say(", can be chosen from %u to %u", i->subgroup_min, i->subgroup_max);
    say("\n");
}

static void say_offers(struct arena *a, const struct run_info *i)
{
    struct text t = {.arena = a};
    for (uint32_t k = 0; k < SPV_NEED_COUNT; k++)
        if (run_offers(i, (spv_needs)1 << k))
            text_add(&t, "%s%s", t.n ? " " : "", spv_need_name((spv_needs)1 << k));
    if (t.n)
        row("offers", &t);
}

// Returns the generator's features that need this, in some stage, by default.
static gen_features users_of(spv_needs need)
{
    gen_features out = 0;
    for (int s = 0; s < SPV_STAGES; s++)
        for (int f = 0; f < GEN_FEATURE_COUNT; f++)
            if ((gen_features_of((enum spv_stage)s) & GEN_BIT(f)) &&
                (gen_feature_needs((enum gen_feature)f, (enum spv_stage)s) & need))
                out |= GEN_BIT(f);
    return out;
}

// Prints what the target lacks, and the features that are not generated because of it.
static void say_left_out(struct arena *a, const struct run_info *i)
{
    const char *name = "left out";
    for (uint32_t k = 0; k < SPV_NEED_COUNT; k++) {
        const spv_needs need = (spv_needs)1 << k;
        struct text t = {.arena = a};
        if (run_offers(i, need))
            continue;
        text_add(&t, "no %s (%s)", spv_need_name(need), spv_need_meaning(need));
        const gen_features users = users_of(need);
        const char *before = ": not generated: ";
        for (int f = 0; f < GEN_FEATURE_COUNT; f++)
            if (users & GEN_BIT(f)) {
                text_add(&t, "%s%s", before, gen_feature_name((enum gen_feature)f));
                before = ", ";
            }
        row(name, &t);
        name = "";
    }
    if (*name)
        say("%-*snothing\n", INDENT, name);
}

static void count_only(void *user, struct arena *a, const struct campaign_found *f)
{
    (void)user, (void)a, (void)f;
}

static void own_bug(void *user, const char *file, const char *why)
{
    complain(user, "bug in tanglefuzz, please report it: %s: %s", file, why);
}

static bool tick(void *user, const struct campaign_stats *s)
{
    (void)user, (void)s;
    return !interrupted();
}

static void say_speed(const struct campaign_stats *s)
{
    const struct campaign_count *n = &s->sum;
    say("%-*s%.1f cases a second: %llu cases of %llu programs in %.1f s; %.0f %% of it in the "
        "driver\n",
        INDENT, "speed", s->seconds > 0 ? (double)n->cases / s->seconds : 0,
        (unsigned long long)n->cases, (unsigned long long)n->modules, s->seconds,
        100 * campaign_driver_share(s, n, 1));
    say("%-*s%llu cases agree", INDENT, "answers", (unsigned long long)n->agreed);
    for (int k = 0; k < JUDGE_CLASSES; k++)
        if (n->by_class[k])
            say(", %llu %s", (unsigned long long)n->by_class[k],
                judge_class_name((enum judge_class)k));
    if (n->skipped)
        say(", %llu skipped: %s", (unsigned long long)n->skipped,
            n->reasons ? n->reason[0].text : "");
    say("\n");
}

static int end(struct context *x, const struct campaign *c, const struct campaign_stats *s)
{
    const struct campaign_target *t = campaign_target(c, 0);
    if (s->end_reason[0])
        return complain(x, "%s", s->end_reason);
    if (!s->sum.compared && !s->sum.compiled)
        return complain(x, "no case ran");
    say("\nready: tanglefuzz fuzz --target %s%s --time 60\n", shell_quote(&x->arena, t->spec),
        t->model == SPV_MAXIMAL ? "" : " --model best");
    return STATUS_GOOD;
}

static int examine(struct context *x, const char *spec, const char *folder)
{
    const char *targets[] = {spec};
    const struct campaign_options o = {
        .targets = targets,
        .target_count = 1,
        .self = x->self,
        .out = arena_printf(&x->arena, "%s/campaign", folder),
        .end_seed = MODULES,
        .seconds = MOST_SECONDS,
        .jobs = 1,
        .features = GEN_DEFAULT_FEATURES,
        .profile = GEN_DEFAULT,
        .choose_model = CAMPAIGN_MODEL_BEST,
    };
    const struct campaign_events events = {x, count_only, own_bug, tick};
    struct campaign_stats *s = ARENA_NEW(&x->arena, struct campaign_stats);
    const double begin = now_seconds();
    struct campaign *c = campaign_open(&o, &x->e);
    if (!c)
        return refuse(x);
    const struct run_info *i = &campaign_target(c, 0)->info;
    say_device(spec, i, now_seconds() - begin);
    say_promises(i);
    say_offers(&x->arena, i);
    say_left_out(&x->arena, i);
    say_flush();
    const bool ok = campaign_run(c, &events, s, &x->e);
    if (ok)
        say_speed(s);
    const int status = ok ? end(x, c, s) : refuse(x);
    campaign_close(c);
    return status;
}

int doctor_target(struct context *x, const char *spec)
{
    char folder[256];
    if (!dir_temporary(folder, sizeof folder, &x->e))
        return refuse(x);
    const int status = examine(x, spec, folder);
    dir_remove(folder);
    return status;
}
