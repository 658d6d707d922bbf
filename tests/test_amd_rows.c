// SPDX-License-Identifier: Apache-2.0
//
// isa: each operation's row against answers of a second source, LLVM's folding of the same operation
// (tests/amd_rows.txt, scripts/amd_rows.py), through the text: as vector instructions a tuple a lane, as
// scalar ones a tuple after the other. What follows # in a name: x, the answer is exec after; s, the first number is scc before; d, it is what
// the destination held; o, the answer is scc after, or the carry. Every operation that computes has a row here or a
// word why not.
#define _POSIX_C_SOURCE 200809L
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "backends/isa/amd/program.h"
#include "test_amd_common.h"
#include "test_isa_rows.h"

#include <stdlib.h>

enum { TUPLES = 24 };
struct row {
    char name[64];
    const struct amd_op *op;
    bool scc, held, out, exec;
    uint32_t n, lead;      // lead: of v, before the sources
    uint64_t v[TUPLES][4]; // what leads, a, b, c; answer
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
    snprintf(out->name, sizeof out->name, "%.*s", (int)strcspn(word, "#"), word);
    out->scc = strchr(word + strcspn(word, "#"), 's') != NULL;
    out->held = strchr(word + strcspn(word, "#"), 'd') != NULL;
    out->out = strchr(word + strcspn(word, "#"), 'o') != NULL;
    out->exec = strchr(word + strcspn(word, "#"), 'x') != NULL;
    out->lead = out->scc || out->held;
    out->op = find(out->name);
    assert_non_null(out->op);
    while ((word = strtok_r(NULL, " ", &save)) && out->n < TUPLES) {
        uint32_t k = 0;
        char *at = word;
        for (; *at && *at != '='; at += *at == ',')
            out->v[out->n][k++] = strtoull(at, &at, 16);
        assert_int_equal(k, strlen(out->op->src) + out->lead);
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
        text_add(&t, ", %s", r->op->src[k] == 'm' ? "vcc_lo" : named(a, file, first + 2 * k, r->op->src[k]));
    return t.v;
}

static const char *vector_text(struct arena *a, const struct row *r)
{
    const bool compares = r->op->unit == AMD_VCMP, carries = r->op->unit == AMD_VCARRY;
    const char *to = compares ? "vcc_lo" : named(a, 'v', 8, r->op->dst[0]);
    return arena_printf(
        a,
        AMD_BUFFER_SET_UP "\tv_lshlrev_b32_e32 v1, 5, v0\n"
                   "\tbuffer_load_b128 v[2:5], v1, s[4:7], 0 offen\n"
                   "\tbuffer_load_b64 v[6:7], v1, s[4:7], 0 offen offset:16\n\ts_waitcnt vmcnt(0)\n"
                   "\tv_mov_b32_e32 v8, %s\n\tv_mov_b32_e32 v9, 0\n%s"
                   "\t%s %s%s%s\n%s"
                   "\tbuffer_store_b64 v[8:9], v1, s[4:7], 0 offen offset:24\n\ts_endpgm\n",
        r->held ? "v6" : "0", strchr(r->op->src, 'm') ? "\tv_cmp_ne_u32_e32 vcc_lo, 0, v6\n" : "", r->name, to, carries ? ", vcc_lo" : "",
        sources(a, r, 'v', 2),
        compares || r->out ? "\tv_cndmask_b32_e64 v8, 0, 1, vcc_lo\n\tv_mov_b32_e32 v9, 0\n" : "");
}

// exec is as it was behind each.
static const char *scalar_text(struct arena *a, const struct row *r)
{
    struct text t = {.arena = a};
    text_add(&t, "%s\ts_mov_b32 s30, exec_lo\n\ts_mov_b32 s31, exec_hi\n", AMD_BUFFER_SET_UP);
    for (uint32_t i = 0; i < r->n; i++) {
        const uint64_t held = r->held ? r->v[i][0] : 0;
        const char *from = sources(a, r, 's', 10);
        for (uint32_t k = 0; k < strlen(r->op->src); k++) {
            const uint64_t v = r->v[i][r->lead + k];
            text_add(&t, "\ts_mov_b32 s%u, 0x%x\n\ts_mov_b32 s%u, 0x%x\n", 10 + 2 * k, (uint32_t)v, 11 + 2 * k, (uint32_t)(v >> 32));
        }
        text_add(&t, "\ts_mov_b32 s20, 0x%x\n\ts_mov_b32 s21, 0x%x\n", (uint32_t)held, (uint32_t)(held >> 32));
        if (r->scc)
            text_add(&t, "\ts_mov_b32 s22, 0x%x\n\ts_cmp_lg_u32 s22, 0\n", (uint32_t)r->v[i][0]);
        if (strstr(r->name, "exec_b"))
            text_add(&t, "\ts_mov_b32 exec_lo, 0xf0f0f0f0\n");
        if (r->op->dst[0])
            text_add(&t, "\t%s %s%s\n", r->name, named(a, 's', 20, r->op->dst[0]), from);
        else
            text_add(&t, "\t%s %s\n", r->name, from + 2);
        if (r->out)
            text_add(&t, "\ts_cselect_b32 s20, 1, 0\n\ts_mov_b32 s21, 0\n");
        if (r->exec)
            text_add(&t, "\ts_mov_b32 s20, exec_lo\n\ts_mov_b32 s21, 0\n");
        text_add(&t, "\ts_mov_b32 exec_lo, s30\n\ts_mov_b32 exec_hi, s31\n"
                     "\tv_mov_b32_e32 v8, s20\n\tv_mov_b32_e32 v9, s21\n\tbuffer_store_b64 v[8:9], off, s[4:7], 0 offset:%u\n",
                 32 * i + 24);
    }
    text_add(&t, "\ts_endpgm\n");
    return t.v;
}

// The type of an answer; halves of one are compared each by itself. Rows of scalar floats write whole registers.
static char answer_type(const struct row *r)
{
    const char *const dot = strrchr(r->name, '_');
    if (r->op->unit == AMD_VCMP || r->out)
        return 'u';
    if (r->op->unit == AMD_VPACK)
        return r->op->dst[0] == 'e' ? 'e' : 'u';
    if (r->op->unit == AMD_SALU && strncmp(r->name, "s_cvt_", 6) == 0)
        return strstr(r->name, "cvt_f16") ? 'e' : strstr(r->name, "f32_") ? 'f' : 'u';
    if (r->op->unit == AMD_SALU && dot[1] == 'f')
        return strcmp(dot, "_f16") == 0 ? 'e' : 'f';
    return r->op->dst[0];
}

static bool same_answer(const struct row *r, uint64_t want, uint64_t seen)
{
    const char type = answer_type(r);
    if (r->op->unit == AMD_VPACK)
        return rows_same(type, want & 0xffff, seen & 0xffff) && rows_same(type, want >> 16, seen >> 16);
    return rows_same(type == 'h' ? 'u' : type, want, seen); // h is an integer here
}

static uint32_t check_row(struct arena *a, const struct row *r)
{
    const bool vector = r->op->unit >= AMD_VALU;
    const char type = answer_type(r);
    const uint64_t mask = is_wide(type) ? UINT64_MAX : r->op->unit != AMD_VPACK && strchr("hje", type) ? 0xffff : UINT32_MAX;
    struct amd_trial t = {.gen = AMD_GFX11};
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < r->n; i++)
        for (uint32_t k = 0; k < 3; k++) { // what the destination held comes where c does
            const uint32_t from = !r->held ? k : k < 2 ? k + 1 : 0;
            t.words[8 * i + 2 * k] = (uint32_t)r->v[i][from];
            t.words[8 * i + 2 * k + 1] = (uint32_t)(r->v[i][from] >> 32);
        }
    const struct isa_result out = amd_try(a, &t, vector ? vector_text(a, r) : scalar_text(a, r));
    if (out.status != RAN_OK) {
        print_error("%s: %s\n", r->name, out.text);
        return 1;
    }
    for (uint32_t i = 0; i < r->n; i++) {
        const uint64_t seen = (t.words[8 * i + 6] | (uint64_t)t.words[8 * i + 7] << 32) & mask;
        if (same_answer(r, r->v[i][3], seen))
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
    assert_true(rows > 470);
    arena_free(&turn);
    arena_free(&a);
}

// Operations that compute and have no row: why.
static const struct {
    const char *begins, *why;
} without[] = {
    {"s_cmpk_", "a number of 16 bits in the text; s_cmp_ has rows"},
    {"s_movk_i32", "the same"},
    {"s_cmovk_i32", "the same"},
    {"s_addk_", "the same"},
    {"s_mulk_i32", "the same"},
    {"s_fmamk_", "as s_fmac_"},
    {"s_fmaak_", "as s_fmac_"},
    {"v_fmamk_", "as v_fma_"},
    {"v_fmaak_", "as v_fma_"},
    {"v_mac_f32", "rounded twice: as v_mul_ and v_add_"},
    {"v_mad_f32", "the same"},
    {"v_madmk_f32", "the same"},
    {"v_madak_f32", "the same"},
    {"v_mad_mix", "the same, of halves or not"},
    {"v_fma_mix", "as v_fma_, of halves or not"},
    {"v_rcp_", "a function whose last bits are nobody's promise"},
    {"v_sqrt_", "the same"},
    {"v_mbcnt_", "counts lanes: test_amd_lanes.c"},
    {"v_cvt_pk_u8_f32", "how it rounds is not told; LLVM does not fold it"},
};

static void every_operation_has_a_row_or_a_word(void **state)
{
    struct arena a = {0};
    struct err e = {0};
    char *data;
    size_t size;
    uint32_t missing = 0;
    (void)state;
    assert_true(file_read(&a, arena_printf(&a, "%s/tests/amd_rows.txt", getenv("SOURCE_DIR")), 1 << 20, &data, &size, &e));
    for (int i = 0; i < AMD_IDS; i++) {
        const struct amd_op *op = &amd_ops[i];
        bool has = op->unit < AMD_SALU || op->unit > AMD_VPACK;
        for (const char *s = op->names; *s && !has; s += strcspn(s, " "), s += *s == ' ') {
            const size_t n = strcspn(s, " ");
            for (const char *line = data; line && !has; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
                has = strncmp(line, s, n) == 0 && (line[n] == ' ' || line[n] == '#');
            for (size_t k = 0; k < sizeof without / sizeof *without && !has; k++)
                has = strncmp(s, without[k].begins, strlen(without[k].begins)) == 0;
        }
        if (!has) {
            missing++;
            print_error("no row: %s\n", op->names);
        }
    }
    assert_int_equal(missing, 0);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_llvm),
        cmocka_unit_test(every_operation_has_a_row_or_a_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
