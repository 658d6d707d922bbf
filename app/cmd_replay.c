// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz replay: cases on a target, as often as asked, with the verdict.
#include "args.h"
#include "caselist.h"
#include "judge.h"

enum { RUNS_MAX = 1000000, TABLE_WORDS = 16 };

struct replay {
    struct spv_tools *tools;
    struct run_target *target;
    uint32_t runs, subgroup;
    struct shown_policy policy;    // the one the device showed last
    uint64_t agreed, wrong, other; // cases
    bool unreadable;
};

// The verdicts on one case.
struct tally {
    uint32_t by_class[TRI_CLASSES], runs;
    bool wrong;
    struct judged shown; // the first wrong one, else the first
    struct run_result result;
};

// Runs a case. What is shown lies in one of the two arenas; the other is used
// for run after run.
static void run_it(struct replay *r, struct arena pool[2], const struct prediction *p,
                   struct tally *t)
{
    unsigned at = 0;
    for (uint32_t i = 0; i < r->runs; i++) {
        struct arena *a = &pool[at];
        struct run_result result;
        struct judged judged;
        arena_reset(a);
        run_case(r->target, a, p->c, p->c->subgroup ? 0 : r->subgroup, &result);
        judge_result(a, r->tools, p, &result, &r->policy, &judged);
        enum tri_class k = judged.verdict.klass;
        bool wrong = tri_class_is_finding(k);
        if (t->runs == 0 || (wrong && !t->wrong)) {
            t->shown = judged;
            t->result = result;
            at = 1 - at;
        }
        t->by_class[k]++;
        t->runs++;
        t->wrong |= wrong;
        // These do not change by asking again.
        if (k == TRI_FAILED || k == TRI_SKIPPED || k == TRI_UNDEFINED)
            break;
    }
}

static void show(struct arena *a, const struct spv_case *c, const char *path, const struct tally *t)
{
    const struct judged *j = &t->shown;
    enum tri_class k = j->verdict.klass;
    say("%s: %s", path, tri_class_name(k));
    if (t->runs > 1)
        say(" in %u of %u runs", t->by_class[k], t->runs);
    say(": %s\n", j->verdict.text);
    for (int i = 0; i < TRI_CLASSES; i++)
        if (t->by_class[i] && (enum tri_class)i != k)
            say("  %s in %u of %u runs\n", tri_class_name((enum tri_class)i), t->by_class[i],
                t->runs);
    if (j->chose && j->tried) {
        struct text choices = {.arena = a};
        spv_choices_print(&j->policy, &choices);
        if (k == TRI_AGREES)
            say("  (by the choices %s)\n", choices.v);
        else if (k == TRI_AMBIGUOUS)
            say("  (none of %u choices that were tried explains it)\n", j->tried);
        else
            say("  (%s)\n", j->any_policy ? "whatever the implementation chooses"
                                        : "no choice of the implementation explains it");
    }
    if (j->other_mapping)
        say("  (expected for the lane mapping that the device showed)\n");
    if (tri_class_is_mismatch(k) && k != TRI_WRONG_MAPPING && j->expected) {
        struct text table = {.arena = a};
        tri_table(c, j->expected, t->result.memory, t->result.memory_count, 1, TABLE_WORDS, &table);
        say_text(&table);
    }
    say_flush();
}

static void replay_case(struct replay *r, struct arena *a, const char *path)
{
    struct err e = {0};
    struct spv_case c;
    if (!spv_case_read(r->tools, a, path, &c, &e)) {
        complain("replay", "%s", e.msg);
        r->unreadable = true;
        return;
    }
    uint32_t size = judge_subgroup(&c, r->subgroup, run_info(r->target));
    struct prediction *p = judge_predict(a, &c, 1, size, r->policy.choices.base);
    struct arena pool[2] = {{0}, {0}};
    struct tally t = {0};
    run_it(r, pool, p, &t);
    show(a, &c, path, &t);
    r->wrong += t.wrong;
    // A target that only compiles can do no better.
    uint32_t good = t.by_class[TRI_AGREES] + t.by_class[TRI_COMPILED];
    r->agreed += good == t.runs;
    r->other += !t.wrong && good < t.runs;
    arena_free(&pool[0]);
    arena_free(&pool[1]);
}

static int replay(char **words, uint32_t n, const char *target, const char *self,
                  const struct run_options *o, struct replay *r)
{
    struct arena list = {0}, a = {0};
    struct err e = {0};
    struct caselist cases;
    int status = STATUS_BAD;
    if (!caselist_read(&list, words, n, &cases, &e) ||
        !(r->target = run_open(target, self, o, &e))) {
        complain("replay", "%s", e.msg);
    } else {
        r->tools = spv_tools_new();
        for (size_t i = 0; i < cases.n; i++) {
            replay_case(r, &a, cases.v[i]);
            arena_reset(&a);
        }
        if (cases.n > 1)
            say("%llu agreed, %llu wrong, %llu not judged\n", (unsigned long long)r->agreed,
                (unsigned long long)r->wrong, (unsigned long long)r->other);
        status = r->unreadable ? STATUS_BAD
                 : r->wrong    ? STATUS_FOUND
                 : r->other    ? STATUS_BAD
                               : STATUS_GOOD;
        run_close(r->target);
        spv_tools_free(r->tools);
    }
    arena_free(&a);
    arena_free(&list);
    return status;
}

static int run(int argc, char **argv)
{
    const char *target = NULL;
    struct run_options o = {0};
    struct replay r = {.runs = 1};
    const struct arg_option options[] = {
        OPT_TEXT("target", 't', "SPEC", "where to run, see tanglefuzz targets (needed)", &target),
        OPT_U32("runs", 'n', "K", "run each case so often; default 1", &r.runs, 1, RUNS_MAX),
        OPT_U32("subgroup", 0, "N", "subgroup size of cases that run at any", &r.subgroup, 1,
                LANES_MAX),
        OPT_FLAG("validate", 0, "run under the Vulkan validation layers", &o.validate),
    };
    const struct arg_command command = {
        .name = "replay",
        .rest = "CASE...",
        .about = "Runs case files, or all *.spvasm of a folder, and compares with their "
                 "`; expect` lines or\nelse with the oracle. Of a mismatch the first wrong "
                 "invocation is shown, entry by entry.\nExit status: 0 all agree, 1 some do not, "
                 "2 bad usage, no device, or a case that could\nnot be judged.",
        .example =
            "tanglefuzz replay tanglefuzz-out/findings/s000123-missing-lanes/case.spvasm \\\n"
            "    --target vulkan -n 10",
        .options = options,
        .count = OPT_COUNT(options),
        .rest_min = 1,
        .rest_max = UINT32_MAX,
    };
    struct args args;
    int said = args_parse(&command, argc, argv, &args);
    if (said >= 0)
        return said;
    if (!target)
        return complain("replay", "needs --target SPEC (tanglefuzz targets lists what is here)");
    if (r.subgroup & (r.subgroup - 1))
        return complain("replay", "--subgroup: %u is not a power of two", r.subgroup);
    struct arena a = {0};
    said = replay(args.rest, args.n, target, self_path(&a, argv[0]), &o, &r);
    arena_free(&a);
    return said;
}

const struct command cmd_replay = {"replay", "run cases on a target again", run};
