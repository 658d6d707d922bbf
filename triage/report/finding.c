// SPDX-License-Identifier: Apache-2.0
//
// Writes a finding's folder: all files go into a folder with a temporary name, which is renamed
// when it is complete.
#define _POSIX_C_SOURCE 200809L
#include "finding.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 12, TABLE_ROWS = 256, TABLE_WORDS = 256 };

struct file {
    const char *name;
    const void *data;
    size_t size;
};

// The case as the folder keeps it: with the words of other files in it, and with `; expect` for
// everything that may be compared.
static struct spv_case kept_case(const struct finding_evidence *f)
{
    struct spv_case c = *f->c;
    c.path = NULL;
    c.body = NULL;
    for (uint32_t i = 0; i < c.buffer_count; i++)
        if (c.buffer[i].fill == SPV_FILL_FILE) {
            c.buffer[i].fill = SPV_FILL_WORDS;
            c.buffer[i].file = NULL;
        }
    if (f->expected && c.subgroup) {
        c.expect_count = f->memory_count;
        memcpy(c.expect, f->expected, f->memory_count * sizeof c.expect[0]);
    }
    return c;
}

static struct file text_file(const char *name, const struct text *t)
{
    return (struct file){.name = name, .data = t->v ? t->v : "", .size = t->n};
}

static bool write_files(const char *folder, const struct file *v, uint32_t n, struct arena *a,
                        struct err *e)
{
    for (uint32_t i = 0; i < n; i++)
        if (!file_put(arena_printf(a, "%s/%s", folder, v[i].name), v[i].data, v[i].size, true, e))
            return false;
    return true;
}

static void remove_files(const char *folder, const struct file *v, uint32_t n, struct arena *a)
{
    for (uint32_t i = 0; i < n; i++)
        unlink(arena_printf(a, "%s/%s", folder, v[i].name));
    rmdir(folder);
}

// Whether the folder has the finding of that digest. An unreadable folder is another finding.
static bool same_finding(struct arena *a, const char *dir, const char *name, const char *digest)
{
    struct finding old;
    struct err unread;
    return finding_read(a, dir, name, &old, &unread) == FINDING_READ &&
           strcmp(old.digest, digest) == 0;
}

bool report_finding_write(struct spv_tools *t, struct arena *a, const char *dir, const char *name,
                          const struct finding_evidence *f, const struct finding *record,
                          const char **written, struct err *e)
{
    *written = NULL;
    CHECK(f->memory_count == f->c->buffer_count || (!f->expected && !f->observed));
    struct spv_case kept = kept_case(f);
    struct text spv_asm = {.arena = a};
    if (!spv_case_print(t, &kept, &spv_asm, e))
        return err_prefix(e, "%s", name);
    struct text readme = {.arena = a}, expected = {.arena = a}, observed = {.arena = a};
    struct text lanes = {.arena = a}, json = {.arena = a};

    struct file files[FILES];
    uint32_t n = 0;
    files[n++] = text_file("case.spvasm", &spv_asm);
    files[n++] = (struct file){"case.spv", kept.words, kept.count * sizeof(uint32_t)};
    if (f->output)
        files[n++] = (struct file){"output.spv", f->output, f->output_count * sizeof(uint32_t)};
    if (f->driver_text)
        files[n++] = (struct file){"driver.txt", f->driver_text, strlen(f->driver_text)};
    const char *printed = f->printed ? diag_without_paths(a, f->printed) : NULL,
               *backtrace = has_backtrace(f) ? diag_without_paths(a, f->backtrace) : NULL;
    if (printed)
        files[n++] = (struct file){"stderr.txt", printed, strlen(printed)};
    if (backtrace)
        files[n++] = (struct file){"backtrace.txt", backtrace, strlen(backtrace)};
    if (f->expected) {
        spv_memory_print(f->expected, f->memory_count, &expected);
        files[n++] = text_file("expected.mem", &expected);
    }
    if (f->observed) {
        spv_memory_print(f->observed, f->memory_count, &observed);
        files[n++] = text_file("observed.mem", &observed);
    }
    if (f->expected && f->observed) {
        report_table(f->c, f->expected, f->observed, f->memory_count, TABLE_ROWS, TABLE_WORDS,
                     &lanes);
        files[n++] = text_file("lanes.txt", &lanes);
    }

    struct finding_sentences sentences;
    struct finding named = *record;
    report_code_expect(a, f->c, &named);
    char digest[FINDING_DIGEST];
    report_reason_words(a, f->c, &record->reason, &record->trials, &sentences);
    finding_digest(spv_asm.v, spv_asm.n, judge_class_name(finding_class(record)), record->target,
                   record->device, digest);
    for (int k = 0; k < 2; k++) {
        const char *as = k == 0 ? name : arena_printf(a, "%s-%s", name, digest);
        const char *to = arena_printf(a, "%s/%s", dir, as);
        struct stat st;
        if (lstat(to, &st) == 0) {
            if (same_finding(a, dir, as, digest))
                return true;
            continue;
        }
        readme.n = json.n = 0;
        named.name = as;
        report_finding_readme(as, f, &named, &readme);
        text_add(&json, "%s\n", finding_json(a, &named, &sentences));
        files[n] = text_file("README.md", &readme);
        files[n + 1] = text_file("finding.json", &json);

        const char *tmp = arena_printf(a, "%s/.%s.tmp%ld", dir, as, (long)getpid());
        if (!dir_make(tmp, e))
            return false;
        bool ok = write_files(tmp, files, n + 2, a, e);
        if (ok && file_move(tmp, to, e)) {
            *written = as;
            return true;
        }
        const bool faster = ok && (errno == EEXIST || errno == ENOTEMPTY);
        remove_files(tmp, files, n + 2, a);
        if (!faster) // else another writer was
            return false;
    }
    return err_set(e, "%s/%s-%s: exists already with other contents", dir, name, digest);
}
