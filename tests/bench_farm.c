// SPDX-License-Identifier: Apache-2.0
//
// The farm's store, measured and shaken: scripts/farm_measure.sh runs it on a private PostgreSQL.
//   bench_farm DSN pairs STREAMS PROCESSES SECONDS     ranges taken and done, by all together
//   bench_farm DSN put FINDING N BUCKETS               N findings like that folder, each stored, then sent again
//   bench_farm DSN calls N                             a call on a connection that is kept, and on a new one each time
//   bench_farm DSN kill FINDING WORKERS KILLS SEEDS    workers that are killed at random; is all there, once?
#define _DEFAULT_SOURCE
#include "farm/farm.h"
#include "generator/generator.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANGE = 10, ONE_IN = 4, WORKERS_MAX = 256, KEEP_ALL = 100000000, PATIENCE = 60 };
static const char SUMMARY[] = "{\"cases\": 10, \"agreed\": 10, \"live_bits\": 1, \"findings\": 0, \"findings_again\": 0,"
                              " \"flaky\": 0, \"seconds\": 0.01}";

static _Noreturn void die(const char *what, const struct err *e)
{
    fprintf(stderr, "bench_farm: %s: %s\n", what, e->msg);
    exit(2);
}

static struct farm *open_store(const char *dsn)
{
    struct err e = {0};
    struct farm *f = farm_open(dsn, &(struct farm_patience){.seconds = PATIENCE}, &e);
    if (!f)
        die("open", &e);
    return f;
}

static int64_t open_stream(struct farm *f, unsigned i)
{
    struct err e = {0};
    struct arena a = {0};
    int64_t id;
    const struct farm_stream s = {.target = arena_printf(&a, "bench:%u", i),
                                  .device = "compiler: bench\n",
                                  .driver = "bench",
                                  .generator = GEN_VERSION,
                                  .options = "{}"};
    if (!farm_stream_open(f, &s, &id, &e))
        die("stream", &e);
    arena_free(&a);
    return id;
}

// ---- pairs ---------------------------------------------------------------------------------

static uint64_t pairs_of_one(const char *dsn, unsigned streams, unsigned at, double seconds)
{
    struct farm *f = open_store(dsn);
    struct err e = {0};
    const struct farm_owner o = {"bench", 300};
    int64_t id[64];
    uint64_t n = 0;
    for (unsigned i = 0; i < streams; i++)
        id[i] = open_stream(f, i);
    for (const double end = now_seconds() + seconds; now_seconds() < end; n++) {
        struct farm_range r;
        enum farm_taken what;
        bool counted;
        if (!farm_take(f, id[(at + n) % streams], RANGE, &o, &what, &r, &e) ||
            !farm_done(f, &r, SUMMARY, NULL, 0, &counted, &e))
            die("pair", &e);
    }
    farm_close(f);
    return n;
}

static int pairs(const char *dsn, unsigned streams, unsigned processes, double seconds)
{
    int fd[2];
    uint64_t all = 0, n;
    if (pipe(fd) != 0)
        return 2;
    for (unsigned i = 0; i < processes; i++)
        if (fork() == 0) {
            n = pairs_of_one(dsn, streams, i, seconds);
            _exit(write(fd[1], &n, sizeof n) != sizeof n);
        }
    for (unsigned i = 0; i < processes && read(fd[0], &n, sizeof n) == sizeof n; i++)
        all += n;
    while (wait(NULL) > 0)
        ;
    printf("%.0f take+done pairs/s, %u streams, %u processes\n", (double)all / seconds, streams, processes);
    return 0;
}

// ---- findings like one that is there ---------------------------------------------------------

// DIR/findings/NAME: the files of the folder `like`, its case with another comment, in another bucket.
static void make_finding(const char *like, const char *dir, const char *name, uint64_t number, unsigned bucket)
{
    struct arena a = {0};
    struct err e = {0};
    const char **names;
    const char *to = arena_printf(&a, "%s/findings/%s", dir, name);
    size_t n, size;
    char *data;
    if (!dir_list(&a, like, &names, &n, &e) || !dir_make(to, &e))
        die("finding", &e);
    for (size_t i = 0; i < n; i++) {
        const char *x = arena_printf(&a, "%s/%s", like, names[i]), *y = arena_printf(&a, "%s/%s", to, names[i]);
        struct stat st;
        struct text t = {.arena = &a};
        if (stat(x, &st) != 0 || !S_ISREG(st.st_mode))
            continue;
        const bool changed = strcmp(names[i], "case.spvasm") == 0 || strcmp(names[i], "finding.json") == 0;
        if (!changed && link(x, y) == 0)
            continue;
        if (!changed && errno == EEXIST)
            continue;
        if (!file_read(&a, x, 1 << 24, &data, &size, &e))
            die("finding", &e);
        text_addn(&t, data, size);
        if (strcmp(names[i], "case.spvasm") == 0)
            text_add(&t, "; %llu\n", (unsigned long long)number);
        if (strcmp(names[i], "finding.json") == 0) {
            json_t *j = json_loads(data, 0, NULL);
            json_object_set_new(j, "signature", json_sprintf("1|bench|wrong-tangle|ballot|if|%u|", bucket));
            char *s = json_dumps(j, 0);
            t.n = 0;
            text_add(&t, "%s\n", s);
            free(s);
            json_decref(j);
        }
        FILE *out = fopen(y, "wb");
        if (!out || fwrite(t.v, 1, t.n, out) != t.n || fclose(out) != 0)
            exit(2);
    }
    arena_free(&a);
}

static int by_value(const void *x, const void *y)
{
    const double p = *(const double *)x, q = *(const double *)y;
    return (p > q) - (p < q);
}

static void show(const char *what, double *ms, unsigned n)
{
    qsort(ms, n, sizeof *ms, by_value);
    printf("%s: median %.2f ms, 99 of 100 within %.2f ms (%u)\n", what, ms[n / 2], ms[(size_t)n * 99 / 100], n);
}

// Stores the finding in DIR/findings/NAME.
static enum store_put store_one(struct farm *f, int64_t stream, const char *owner, const char *dir, const char *name)
{
    struct arena a = {0};
    struct err e = {0};
    struct store_finding x;
    struct store_kept kept;
    const struct store_sender by = {owner, stream, KEEP_ALL};
    if (store_folder_read(&a, dir, name, &x, &e) != FINDING_READ || !store_put(farm_store(f), dir, &x, &by, &kept, &e))
        die("put", &e);
    arena_free(&a);
    return kept.did;
}

static int put(const char *dsn, const char *like, unsigned n, unsigned buckets)
{
    struct farm *f = open_store(dsn);
    struct err e = {0};
    char dir[256], name[32];
    double *first = calloc(n, sizeof *first), *again = calloc(n, sizeof *again);
    const int64_t stream = open_stream(f, 0);
    if (!dir_temporary(dir, sizeof dir, &e))
        die("folder", &e);
    for (unsigned i = 0; i < n; i++) {
        snprintf(name, sizeof name, "s%06u-wrong-value", i);
        make_finding(like, dir, name, i, i % buckets);
        for (int k = 0; k < 2; k++) {
            const double start = now_seconds();
            const enum store_put did = store_one(f, stream, "bench", dir, name);
            (k ? again : first)[i] = 1000 * (now_seconds() - start);
            if (did != (k ? STORE_THERE : STORE_ADDED))
                return fprintf(stderr, "bench_farm: finding %u: %d\n", i, (int)did), 2;
        }
        char path[512];
        snprintf(path, sizeof path, "%s/findings/%s", dir, name);
        dir_remove(path);
    }
    show("a finding stored, its folder read", first, n);
    show("the same again, refused", again, n);
    dir_remove(dir);
    farm_close(f);
    free(first);
    free(again);
    return 0;
}

// ---- workers that are killed -------------------------------------------------------------------

static bool is_wrong(uint64_t seed)
{
    return hash64(&seed, sizeof seed) % ONE_IN == 0;
}

static void worker(const char *dsn, const char *like, int64_t stream)
{
    struct farm *f = open_store(dsn);
    struct err e = {0};
    const struct farm_owner o = {"killed", 1};
    char dir[256], name[32], path[512];
    if (!dir_temporary(dir, sizeof dir, &e))
        die("folder", &e);
    for (;;) {
        struct farm_range r;
        enum farm_taken what;
        bool counted;
        if (!farm_take(f, stream, RANGE, &o, &what, &r, &e))
            die("take", &e);
        if (what != FARM_TAKEN)
            break;
        for (uint64_t s = r.first; s < r.end; s++) {
            if (!is_wrong(s))
                continue;
            snprintf(name, sizeof name, "s%06llu", (unsigned long long)s);
            make_finding(like, dir, name, s, (unsigned)(s % 50));
            store_one(f, stream, o.name, dir, name);
            snprintf(path, sizeof path, "%s/findings/%s", dir, name);
            dir_remove(path);
        }
        if (!farm_done(f, &r, SUMMARY, NULL, 0, &counted, &e))
            die("done", &e);
    }
    dir_remove(dir);
    farm_close(f);
}

static pid_t start(const char *dsn, const char *like, int64_t stream)
{
    const pid_t p = fork();
    if (p == 0) {
        worker(dsn, like, stream);
        _exit(0);
    }
    return p;
}

static int kills(const char *dsn, const char *like, unsigned workers, unsigned kill_count, uint64_t seeds)
{
    struct farm *f = open_store(dsn);
    struct err e = {0};
    struct arena a = {0};
    struct rng random = {1};
    pid_t pid[WORKERS_MAX];
    struct farm_status s;
    uint64_t *v, want = 0;
    uint32_t n = 1;
    const int64_t stream = open_stream(f, 0);
    const double begin = now_seconds();
    if (workers > WORKERS_MAX || !farm_stream_set(f, stream, NULL, seeds, &e))
        die("stream", &e);
    for (unsigned i = 0; i < workers; i++)
        pid[i] = start(dsn, like, stream);
    for (unsigned k = 0; k < kill_count; k++) {
        const unsigned i = rng_below(&random, workers);
        usleep(20000 + rng_below(&random, 60000));
        kill(pid[i], SIGKILL);
        waitpid(pid[i], NULL, 0);
        pid[i] = start(dsn, like, stream);
    }
    while (n) { // those that end find nothing to do: leases run out meanwhile
        for (unsigned i = 0; i < workers; i++)
            if (pid[i] && waitpid(pid[i], NULL, WNOHANG) == pid[i])
                pid[i] = start(dsn, like, stream);
        usleep(200000);
        arena_reset(&a);
        if (!farm_missing(f, &a, stream, RANGE, seeds / RANGE, &v, &n, &e))
            die("missing", &e);
    }
    while (wait(NULL) > 0)
        ;
    for (uint64_t i = 0; i < seeds; i++)
        want += is_wrong(i);
    if (!farm_status(f, &a, 1, &s, &e))
        die("status", &e);
    printf("%u workers, %u killed, %.0f s: %llu ranges, %llu of %llu findings, cases %llu of %llu\n", workers, kill_count,
           now_seconds() - begin, (unsigned long long)(s.stream[0].seeds_done / RANGE), (unsigned long long)s.findings,
           (unsigned long long)want, (unsigned long long)s.stream[0].cases, (unsigned long long)seeds);
    const bool same = s.findings == want && s.stream[0].cases == seeds && s.stream[0].seeds_done == seeds;
    arena_free(&a);
    farm_close(f);
    return same ? 0 : 1;
}

static int calls(const char *dsn, unsigned n)
{
    struct farm *f = open_store(dsn);
    struct err e = {0};
    const struct farm_owner o = {"bench", 300};
    const struct farm_range r = {.stream = open_stream(f, 0)};
    double took[2];
    for (int anew = 0; anew < 2; anew++) {
        const double start = now_seconds();
        for (unsigned i = 0; i < n; i++) {
            bool mine;
            if (anew)
                farm_idle(f, 0);
            if (!farm_beat(f, &r, &o, &mine, &e))
                die("beat", &e);
        }
        took[anew] = (now_seconds() - start) / n * 1000;
    }
    printf("a call: %.2f ms on a connection that is kept, %.2f ms on a new one (%u)\n", took[0], took[1], n);
    farm_close(f);
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[2] : "";
    if (strcmp(what, "pairs") == 0 && argc == 6)
        return pairs(argv[1], (unsigned)atoi(argv[3]), (unsigned)atoi(argv[4]), atof(argv[5]));
    if (strcmp(what, "calls") == 0 && argc == 4)
        return calls(argv[1], (unsigned)atoi(argv[3]));
    if (strcmp(what, "put") == 0 && argc == 6)
        return put(argv[1], argv[3], (unsigned)atoi(argv[4]), (unsigned)atoi(argv[5]));
    if (strcmp(what, "kill") == 0 && argc == 7)
        return kills(argv[1], argv[3], (unsigned)atoi(argv[4]), (unsigned)atoi(argv[5]), strtoull(argv[6], NULL, 10));
    fprintf(stderr, "usage: bench_farm DSN pairs|calls|put|kill ... (see the head of tests/bench_farm.c)\n");
    return 2;
}
