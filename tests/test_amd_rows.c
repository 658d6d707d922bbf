// SPDX-License-Identifier: Apache-2.0
//
// isa: each operation's row against answers of a second source, LLVM's folding of the same operation
// (tests/amd_rows.txt, scripts/amd_rows.py), through the text: as vector instructions a tuple a lane, as
// scalar ones a tuple after the other.
#define _POSIX_C_SOURCE 200809L
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "isa/amd/program.h"
#include "test_amd_common.h"
#include "test_isa_rows.h"

#include <stdlib.h>

enum { TUPLES = 24 };
struct row {
    char name[64];
    const struct amd_op *op;
    uint32_t n, sources;
    uint64_t v[TUPLES][4]; // a, b, c, answer
};

static bool is_wide(char type)
{
    return strchr("qld", type) != NULL;
}

static const struct amd_op *find(const char *name)
{
    const size_t n = strlen(name);
    for (int i = 0; i < AMD_IDS; i++)
        for (const char *s = amd_ops[i].names; *s; s += strcspn(s, " "), s += *s == ' ')
            if (strcspn(s, " ") == n && memcmp(s, name, n) == 0)
                return &amd_ops[i];
    return NULL;
}

static void read_row(char *line, struct row *out)
{
    char *save, *word = strtok_r(line, " ", &save);
    *out = (struct row){0};
    snprintf(out->name, sizeof out->name, "%s", word);
    out->op = find(word);
    assert_non_null(out->op);
    while ((word = strtok_r(NULL, " ", &save)) && out->n < TUPLES) {
        uint32_t k = 0;
        char *at = word;
        for (; *at && *at != '='; at += *at == ',')
            out->v[out->n][k++] = strtoull(at, &at, 16);
        assert_int_equal(k, strlen(out->op->src));
        out->v[out->n++][3] = strtoull(at + 1, NULL, 16);
    }
}

// Registers of sources from v2 or s10 on, two each.
static const char *named(struct arena *a, char file, uint32_t reg, char type)
{
    return is_wide(type) ? arena_printf(a, "%c[%u:%u]", file, reg, reg + 1) : arena_printf(a, "%c%u", file, reg);
}

static const char *sources(struct arena *a, const struct row *r, char file, uint32_t first)
{
    struct text t = {.arena = a};
    for (uint32_t k = 0; k < strlen(r->op->src); k++)
        text_add(&t, ", %s", named(a, file, first + 2 * k, r->op->src[k]));
    return t.v;
}

static const char *vector_text(struct arena *a, const struct row *r)
{
    const bool compares = r->op->unit == AMD_VCMP;
    return arena_printf(
        a,
        AMD_BUFFER_SET_UP "\tv_lshlrev_b32_e32 v1, 5, v0\n"
                   "\tbuffer_load_b128 v[2:5], v1, s[4:7], 0 offen\n"
                   "\tbuffer_load_b64 v[6:7], v1, s[4:7], 0 offen offset:16\n\ts_waitcnt vmcnt(0)\n"
                   "\tv_mov_b32_e32 v8, 0\n\tv_mov_b32_e32 v9, 0\n"
                   "\t%s %s%s\n%s"
                   "\tbuffer_store_b64 v[8:9], v1, s[4:7], 0 offen offset:24\n\ts_endpgm\n",
        r->name, compares ? "vcc_lo" : named(a, 'v', 8, r->op->dst[0]), sources(a, r, 'v', 2),
        compares ? "\tv_cndmask_b32_e64 v8, 0, 1, vcc_lo\n" : "");
}

static const char *scalar_text(struct arena *a, const struct row *r)
{
    struct text t = {.arena = a};
    text_add(&t, "%s", AMD_BUFFER_SET_UP);
    for (uint32_t i = 0; i < r->n; i++) {
        for (uint32_t k = 0; k < strlen(r->op->src); k++)
            text_add(&t, "\ts_mov_b32 s%u, 0x%x\n\ts_mov_b32 s%u, 0x%x\n", 10 + 2 * k, (uint32_t)r->v[i][k],
                     11 + 2 * k, (uint32_t)(r->v[i][k] >> 32));
        text_add(&t, "\ts_mov_b32 s20, 0\n\ts_mov_b32 s21, 0\n\t%s %s%s\n", r->name,
                 named(a, 's', 20, r->op->dst[0]), sources(a, r, 's', 10));
        text_add(&t,
                 "\tv_mov_b32_e32 v8, s20\n\tv_mov_b32_e32 v9, s21\n"
                 "\tbuffer_store_b64 v[8:9], off, s[4:7], 0 offset:%u\n",
                 32 * i + 24);
    }
    text_add(&t, "\ts_endpgm\n");
    return t.v;
}

static uint32_t check_row(struct arena *a, const struct row *r)
{
    const bool vector = r->op->unit >= AMD_VALU;
    const char type = r->op->unit == AMD_VCMP ? 'u' : r->op->dst[0];
    const uint64_t mask = is_wide(type) ? UINT64_MAX : strchr("hje", type) ? 0xffff : UINT32_MAX;
    struct amd_trial t = {.gen = AMD_GFX11};
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < r->n; i++)
        for (uint32_t k = 0; k < 3; k++) {
            t.words[8 * i + 2 * k] = (uint32_t)r->v[i][k];
            t.words[8 * i + 2 * k + 1] = (uint32_t)(r->v[i][k] >> 32);
        }
    const struct isa_result out = amd_try(a, &t, vector ? vector_text(a, r) : scalar_text(a, r));
    if (out.status != ISA_RAN) {
        print_error("%s: %s\n", r->name, out.text);
        return 1;
    }
    for (uint32_t i = 0; i < r->n; i++) {
        const uint64_t seen = (t.words[8 * i + 6] | (uint64_t)t.words[8 * i + 7] << 32) & mask;
        if (rows_same(type, r->v[i][3], seen))
            continue;
        wrong++;
        print_error("%s 0x%llx 0x%llx 0x%llx: 0x%llx, LLVM has 0x%llx\n", r->name, (unsigned long long)r->v[i][0],
                    (unsigned long long)r->v[i][1], (unsigned long long)r->v[i][2], (unsigned long long)seen,
                    (unsigned long long)r->v[i][3]);
    }
    return wrong;
}

static void answers_are_those_of_llvm(void **state)
{
    struct arena a = {0}, turn = {0};
    struct err e = {0};
    char *data, *save;
    size_t size;
    uint32_t rows = 0, wrong = 0;
    (void)state;
    const char *root = getenv("SOURCE_DIR");
    assert_non_null(root);
    assert_true(file_read(&a, arena_printf(&a, "%s/tests/amd_rows.txt", root), 1 << 20, &data, &size, &e));
    for (char *line = strtok_r(data, "\n", &save); line; line = strtok_r(NULL, "\n", &save), rows++) {
        struct row r;
        read_row(line, &r);
        wrong += check_row(&turn, &r);
        arena_reset(&turn);
    }
    assert_int_equal(wrong, 0);
    assert_true(rows > 180);
    arena_free(&turn);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_are_those_of_llvm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
