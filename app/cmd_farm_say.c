// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz farm pull, push, bucket, stream, prune, known, regress add: the subcommands that move
// findings and change records of the store.
#include "campaign/caselist.h"
#include "cmd_farm.h"

#include <string.h>

enum { CASE_MOST = 16 << 20 };

struct given {
    const char *store, *bucket, *state, *link, *note, *target;
    uint64_t top, end;
    uint32_t keep;
    double older;
};

// ---- findings out and in -------------------------------------------------------------------

static int pull(struct context *x, void *user)
{
    const struct given *g = user;
    const char *dir = x->words[0];
    const struct store_copying how = {.choice = {g->top, g->bucket}, .marks = STORE_MARKS_ALL};
    struct store_copied n;
    uint32_t known;
    char text[32];
    struct farm *f = farm_given(x, g->store);
    struct store *into = f ? store_make(dir, &x->e) : NULL;
    const bool ok = into && store_copy(into, farm_store(f), &how, &n, &x->e) &&
                    farm_known_get(f, arena_printf(&x->arena, "%s/known", dir), &known, &x->e);
    store_close(into);
    farm_close(f);
    if (!ok)
        return refuse(x);
    if (n.left)
        complain(x, "%u findings are left out: their records are of another tanglefuzz", n.left);
    say("%s: %s pulled; next: tanglefuzz report %s --known %s/known\n", dir,
        count_of(text, sizeof text, n.put[STORE_ADDED], "new finding"), dir, dir);
    return STATUS_GOOD;
}

static const struct arg_option pull_options[] = {
    OPT_STORE(store),
    OPT_U64("top", 0, "N",
            "the first N findings to look at: the smallest of each bucket, then\nthe second "
            "smallest of each; "
            "default all",
            top, 1, UINT32_MAX),
    OPT_TEXT("bucket", 0, "NAME", "only this bucket", bucket),
};
const struct command cmd_farm_pull = {
    .name = "farm pull",
    .line = "copy findings of the store to a campaign folder",
    .rest = "DIR",
    .about = "Writes findings of the store as a campaign folder, for report, replay and reduce: "
             "new buckets\n"
             "first, the most frequent ones first. Findings already in DIR are kept. The buckets' "
             "marks and the\n"
             "known bugs are copied too.",
    .example = "tanglefuzz farm pull triage --top 100",
    OPTIONS(pull_options),
    .rest_min = 1,
    .rest_max = 1,
    .size = sizeof(struct given),
    .run = pull,
};

static int push(struct context *x, void *user)
{
    const struct given *g = user;
    const struct store_copying how = {.by = {farm_owner_name(&x->arena), 0, g->keep}};
    struct store_copied n;
    struct farm *f = farm_given(x, g->store);
    bool ok = f != NULL;
    for (uint32_t i = 0; ok && i < x->n; i++) {
        struct store *from = store_open_source(x->words[i], &x->e);
        ok = from && store_copy(farm_store(f), from, &how, &n, &x->e);
        store_close(from);
        if (ok)
            say("%s: %u sent, %u there already, %u not kept; figures of %u campaigns\n",
                x->words[i], n.put[STORE_ADDED] + n.put[STORE_SMALLER], n.put[STORE_THERE],
                n.put[STORE_ENOUGH], n.campaigns);
    }
    farm_close(f);
    return ok ? STATUS_GOOD : refuse(x);
}

static const struct arg_option push_options[] = {
    OPT_STORE(store),
    OPT_U32("keep", 0, "N", "most findings to store per bucket and stream; default 20", keep, 1,
            1000000),
};
const struct command cmd_farm_push = {
    .name = "farm push",
    .line = "send campaign folders to the store",
    .rest = "DIR...",
    .about = "Sends the findings and figures of campaign folders to the store, each once. Use it "
             "for machines\n"
             "without a network, for campaigns older than the farm, and for findings reduced after "
             "pull (the\n"
             "smaller case replaces the larger).",
    .example = "tanglefuzz farm push monday tuesday",
    OPTIONS(push_options),
    .rest_min = 1,
    .rest_max = UINT32_MAX,
    .size = sizeof(struct given),
    .defaults = &(const struct given){.keep = 20},
    .run = push,
};

// ---- buckets, streams ----------------------------------------------------------------------

static int bucket(struct context *x, void *user)
{
    const struct given *g = user;
    struct store_mark m = {.state = STORE_STATES, .note = g->note, .link = g->link};
    if (!g->state && !g->link && !g->note)
        return complain(x, "needs --state, --link or --note");
    if (g->state)
        CHECK(store_state_find(g->state, &m.state)); // the option allows only these
    struct farm *f = farm_given(x, g->store);
    const bool ok = f && store_mark(farm_store(f), x->words[0], &m, &x->e);
    farm_close(f);
    return ok ? STATUS_GOOD : refuse(x);
}

static const struct arg_option bucket_options[] = {
    OPT_STORE(store),
    OPT_WORD("state", 0, "S", "new state of the bucket", state, "new, triaged, filed, fixed, wont"),
    OPT_TEXT("link", 0, "URL", "address of the bug report", link),
    OPT_TEXT("note", 0, "TEXT", "a note", note),
};
const struct command cmd_farm_bucket = {
    .name = "farm bucket",
    .line = "set a bucket's state, link or note",
    .rest = "NAME",
    .about =
        "Sets the state, link or note of a bucket; the others stay. farm status lists the buckets.",
    .example =
        "tanglefuzz farm bucket kujosesabu --state filed --link https://example.org/issues/1",
    OPTIONS(bucket_options),
    .rest_min = 1,
    .rest_max = 1,
    .size = sizeof(struct given),
    .run = bucket,
};

static int stream(struct context *x, void *user)
{
    const struct given *g = user;
    uint64_t id;
    if (!g->state && !g->end)
        return complain(x, "needs --state or --end");
    if (!parse_u64(x->words[0], strlen(x->words[0]), &id) || id > INT32_MAX)
        return complain(x, "'%s' is not a stream number (see farm status)", x->words[0]);
    struct farm *f = farm_given(x, g->store);
    const bool ok = f && farm_stream_set(f, (int64_t)id, g->state, g->end, &x->e);
    farm_close(f);
    return ok ? STATUS_GOOD : refuse(x);
}

static const struct arg_option stream_options[] = {
    OPT_STORE(store),
    OPT_WORD("state", 0, "S", "open: hand out its seeds; paused: do not", state, "open, paused"),
    OPT_U64("end", 0, "SEED", "hand out no seeds from this one on", end, 1, INT64_MAX),
};
const struct command cmd_farm_stream = {
    .name = "farm stream",
    .line = "pause a stream, or limit its seeds",
    .rest = "N",
    .about =
        "Changes which seeds of a stream are handed out; farm status shows the stream numbers.",
    .example = "tanglefuzz farm stream 3 --state paused",
    OPTIONS(stream_options),
    .rest_min = 1,
    .rest_max = 1,
    .size = sizeof(struct given),
    .run = stream,
};

// ---- pruning ---------------------------------------------------------------------------------

static int prune(struct context *x, void *user)
{
    const struct given *g = user;
    struct farm_pruned n;
    if (!g->older)
        return complain(x, "needs --older TIME");
    struct farm *f = farm_given(x, g->store);
    const bool ok = f && farm_prune(f, g->older, g->keep, &n, &x->e);
    farm_close(f);
    if (!ok)
        return refuse(x);
    say("files of %llu findings removed, %llu ranges joined with others\n",
        (unsigned long long)n.findings, (unsigned long long)n.ranges);
    return STATUS_GOOD;
}

static const struct arg_option prune_options[] = {
    OPT_STORE(store),
    OPT_SECONDS("older", 0, "TIME", "minimum age, such as 720h or 90m (needed)", older),
    OPT_U32("keep", 0, "N", "findings whose files stay, per bucket and target; default 3", keep, 1,
            1000000),
};
const struct command cmd_farm_prune = {
    .name = "farm prune",
    .line = "remove old files of redundant findings",
    .about = "Removes the files of findings older than TIME, but keeps the smallest few of each "
             "bucket and\n"
             "target. Joins the records of finished seeds to one row per day. Counts and buckets "
             "with their\n"
             "marks stay. Workers may run at the same time.",
    .example = "tanglefuzz farm prune --older 720h",
    OPTIONS(prune_options),
    .size = sizeof(struct given),
    .defaults = &(const struct given){.keep = 3},
    .run = prune,
};

// ---- known bugs ------------------------------------------------------------------------------

static int known(struct context *x, void *user)
{
    const struct given *g = user;
    if (strcmp(x->words[0], "add") != 0)
        return complain(x, "'%s': unknown command; use farm known add FILE...", x->words[0]);
    struct farm *f = farm_given(x, g->store);
    bool ok = f != NULL;
    for (uint32_t i = 1; ok && i < x->n; i++)
        ok = farm_known_add(f, x->words[i], &x->e);
    farm_close(f);
    return ok ? STATUS_GOOD : refuse(x);
}

static const struct arg_option known_options[] = {OPT_STORE(store)};
const struct command cmd_farm_known = {
    .name = "farm known",
    .line = "send known bugs to all workers",
    .rest = "add FILE...",
    .about = "Puts files NAME.known (docs/known.md) into the store; a file replaces an earlier one "
             "of the same\n"
             "name. Workers read them before each range.",
    .example = "tanglefuzz farm known add known/*.known",
    OPTIONS(known_options),
    .rest_min = 2,
    .rest_max = UINT32_MAX,
    .size = sizeof(struct given),
    .run = known,
};

// ---- regression cases ------------------------------------------------------------------------

static bool add_case(struct farm *f, struct arena *a, const char *path, const char *target,
                     bool *added, struct err *e)
{
    char *text;
    size_t size;
    const char *slash = strrchr(path, '/');
    return file_read(a, path, CASE_MOST, &text, &size, e) &&
           farm_regress_add(f, slash ? slash + 1 : path, target, text, size, added, e);
}

int farm_regress_add_cases(struct context *x, const char *store, const char *target)
{
    struct caselist cases;
    uint32_t n = 0;
    if (x->n < 2)
        return complain(x, "needs CASE... after add");
    bool ok = caselist_read(&x->arena, x->words + 1, x->n - 1, &cases, &x->e);
    struct farm *f = ok ? farm_given(x, store) : NULL;
    ok = f != NULL;
    for (size_t i = 0; ok && i < cases.n; i++) {
        bool added = false;
        ok = add_case(f, &x->arena, cases.v[i], target, &added, &x->e);
        n += added;
    }
    farm_close(f);
    if (!ok)
        return refuse(x);
    say("%u new of %zu: each stream of %s will replay them\n", n, cases.n, target);
    return STATUS_GOOD;
}
