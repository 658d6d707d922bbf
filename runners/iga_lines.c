// SPDX-License-Identifier: Apache-2.0
//
// Disassembles programs by instructions that are kept: Intel's disassembler takes 2 microseconds
// for each. Its text of one instruction depends on the bytes alone; of a jump it has the distances,
// which become the labels that a whole program has.
#include "iga.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 16, KEPT = SLOTS / 2, UNIT = 8, INSTS = 1 << 14 };

struct line {
    uint64_t key[2];
    const char *text; // NULL: an empty slot
    uint32_t n;
    bool ends;    // the program
    uint32_t cut; // of a jump: bytes before its distances, of which it has `jumps`
    uint32_t jumps, rest;
    int32_t distance[2];
};

struct iga_lines {
    struct iga *iga;
    bool marks;
    struct arena a;
    struct line *slot;
    uint32_t kept;
    struct at {
        uint32_t pc;
        const struct line *line;
    } at[INSTS];
    uint8_t *begins; // for each UNIT bytes of the code: a label is here
    char *text;
    size_t begins_size, text_size;
};

struct iga_lines *iga_lines_new(struct iga *iga, bool marks)
{
    struct iga_lines *l = mem_new(sizeof *l);
    l->iga = iga;
    l->marks = marks;
    l->slot = mem_new(SLOTS * sizeof *l->slot);
    return l;
}

void iga_lines_free(struct iga_lines *l)
{
    if (!l)
        return;
    arena_free(&l->a);
    free(l->slot);
    free(l->begins);
    free(l->text);
    free(l);
}

static void *room(void *v, size_t *size, size_t need)
{
    if (*size < need) {
        free(v);
        v = malloc(2 * need);
        CHECK(v);
        *size = 2 * need;
    }
    return v;
}

// ---- one instruction ----

// All generations: operations 0x20 to 0x2f jump. Of them if, else, endif, while, break, cont, halt,
// goto and join name labels.
static bool is_jump(uint64_t code)
{
    return (code & 0x70) == 0x20;
}

static bool has_labels(uint64_t code)
{
    return 0xc7b4 >> (code & 15) & 1;
}

// "(f0.0)  if (16)   320   1528   {Compacted}"
static bool distances_read(struct line *x)
{
    const char *end = x->text + strcspn(x->text, "{/"), *s = end;
    while (s > x->text && s[-1] != ')')
        s--;
    x->cut = (uint32_t)(s - x->text);
    for (x->jumps = 0; s < end;) {
        char *after;
        if (*s == ' ') {
            s++;
            continue;
        }
        const long v = strtol(s, &after, 10);
        if (after == s || x->jumps == 2 || v < -(1 << 26) || v > 1 << 26)
            return false;
        x->distance[x->jumps++] = (int32_t)v;
        s = after;
    }
    x->rest = (uint32_t)(end - x->text);
    return x->jumps > 0;
}

// The line of the instruction at `code`, whose size is `bytes`. NULL: it has none.
static const struct line *line_of(struct iga_lines *l, const uint8_t *code, uint32_t bytes)
{
    uint64_t key[2] = {0}, whole[2] = {0};
    memcpy(whole, code, bytes);
    memcpy(key, whole, sizeof key);
    if (l->marks)
        key[0] &= ~UINT64_C(0xff00);
    uint32_t i = (uint32_t)hash64(key, sizeof key) & (SLOTS - 1);
    for (; l->slot[i].text; i = (i + 1) & (SLOTS - 1))
        if (l->slot[i].key[0] == key[0] && l->slot[i].key[1] == key[1])
            return &l->slot[i];
    const char *text = iga_instruction(l->iga, whole);
    if (!text || strchr(text, '\n'))
        return NULL;
    struct line *x = &l->slot[i];
    *x = (struct line){.key = {key[0], key[1]}, .n = (uint32_t)strlen(text)};
    x->text = arena_strn(&l->a, text, x->n);
    const char *options = strrchr(x->text, '{');
    x->ends = options && strstr(options, "EOT");
    if (is_jump(key[0]) && !(has_labels(key[0]) && distances_read(x))) {
        x->text = NULL;
        return NULL;
    }
    l->kept++;
    return x;
}

// ---- a program ----

// Finds the lines of the program and where labels are. Returns the number of lines; 0: it cannot be
// done.
static uint32_t gather(struct iga_lines *l, const uint8_t *code, uint32_t size)
{
    uint32_t n = 0;
    l->begins = room(l->begins, &l->begins_size, size / UNIT + 2);
    memset(l->begins, 0, size / UNIT + 2);
    l->begins[0] = 1;
    for (uint32_t pc = 0, bytes; n < INSTS; pc += bytes) {
        if (size - pc < UNIT)
            return 0;
        bytes = code[pc + 3] >> 5 & 1 ? UNIT : 2 * UNIT; // compacted or not
        const struct line *x = size - pc < bytes ? NULL : line_of(l, code + pc, bytes);
        if (!x)
            return 0;
        l->at[n++] = (struct at){pc, x};
        for (uint32_t k = 0; k < x->jumps; k++) {
            const int64_t to = (int64_t)pc + x->distance[k];
            if (to < 0 || to > size || to % UNIT)
                return 0;
            l->begins[to / UNIT] = 1;
        }
        if (x->jumps)
            l->begins[(pc + bytes) / UNIT] = 1;
        if (x->ends)
            return n;
    }
    return 0;
}

static char *put(char *to, const char *s, size_t n)
{
    memcpy(to, s, n);
    return to + n;
}

static char *put_label(char *to, const char *before, int64_t pc, const char *after)
{
    char s[32];
    const int n = snprintf(s, sizeof s, "%sL%lld%s", before, (long long)pc, after);
    return put(to, s, (size_t)n);
}

const char *iga_lines_text(struct iga_lines *l, const void *code, uint32_t size)
{
    size_t need = 1;
    if (l->kept + INSTS > KEPT) { // a program adds fewer
        arena_reset(&l->a);
        memset(l->slot, 0, SLOTS * sizeof *l->slot);
        l->kept = 0;
    }
    const uint32_t n = gather(l, code, size);
    for (uint32_t i = 0; i < n; i++)
        need += l->at[i].line->n + 100;
    l->text = room(l->text, &l->text_size, need);
    char *to = l->text;
    for (uint32_t i = 0; i < n; i++) {
        const struct line *x = l->at[i].line;
        const uint32_t pc = l->at[i].pc;
        if (l->begins[pc / UNIT])
            to = put_label(to, "", pc, ":\n");
        if (x->jumps) {
            to = put(to, x->text, x->cut);
            for (uint32_t k = 0; k < x->jumps; k++)
                to = put_label(to, " ", (int64_t)pc + x->distance[k], "");
            to = put(to, " ", 1);
            to = put(to, x->text + x->rest, x->n - x->rest);
        } else
            to = put(to, x->text, x->n);
        *to++ = '\n';
    }
    *to = 0;
    return n ? l->text : NULL;
}
