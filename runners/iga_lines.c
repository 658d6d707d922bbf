// SPDX-License-Identifier: Apache-2.0
//
// Disassembles programs by forms of instructions (forms.h): Intel's disassembler takes 2
// microseconds for one. Of a jump the text has distances, which become the labels that a whole
// program has.
#define _GNU_SOURCE // memmem, memrchr
#include "forms.h"
#include "iga.h"

#include <stdlib.h>
#include <string.h>

enum { UNIT = 8, INSTS = 1 << 14 };

// What form.note has: whether the program ends; of a jump, how many distances, and the bytes before
// and up to the end of them.
enum { ENDS, JUMPS, CUT, REST };

struct iga_lines {
    struct iga *iga;
    enum iga_layout layout;
    struct forms *forms;
    struct at {
        uint32_t pc;
        const struct form *form;
        uint64_t code[2];
        const uint8_t *bits; // its fields
    } at[INSTS];
    uint8_t *begins; // for each UNIT bytes of the code: a label is here
    char *text, *line;
    size_t begins_size, text_size, line_size;
};

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

// The text of an instruction without comments, each run of blanks as one.
static const char *print(void *context, const uint64_t code[2])
{
    struct iga_lines *l = context;
    const char *s = iga_instruction(l->iga, code);
    if (!s || strchr(s, '\n'))
        return NULL;
    l->line = room(l->line, &l->line_size, strlen(s) + 1);
    char *to = l->line;
    for (; *s && !(s[0] == '/' && s[1] == '/'); s++)
        if (*s != ' ' || (to > l->line && to[-1] != ' '))
            *to++ = *s;
    *to = 0;
    return l->line;
}

struct iga_lines *iga_lines_new(struct iga *iga, enum iga_layout layout)
{
    struct iga_lines *l = mem_new(sizeof *l);
    l->iga = iga;
    l->layout = layout;
    l->forms = forms_new(print, l, 'r');
    return l;
}

void iga_lines_free(struct iga_lines *l)
{
    if (!l)
        return;
    forms_free(l->forms);
    free(l->begins);
    free(l->text);
    free(l->line);
    free(l);
}

// ---- one instruction ----

// Where the number of a register may be: whole instructions and compacted ones.
static const uint8_t fields[][2][FORM_FIELDS] = {
    [IGA_GFX9] = {{53, 69, 101}, {40, 48, 56}},
    [IGA_GFX12] = {{56, 72, 104, 120}, {16, 40, 56}},
    [IGA_XE2] = {{56, 72, 104, 120}, {32, 40, 56}},
};
static const uint8_t no_fields[FORM_FIELDS];

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

// The distances of a jump that is not compacted, as far as it has them.
static int32_t distance(const uint64_t *code, uint32_t which)
{
    return (int32_t)(uint32_t)(code[1] >> (which ? 0 : 32));
}

// "(f0.0) if (16) 320 1528 {AccWrEn}". False: its distances are not those of the code.
static bool distances_read(struct form *x, const uint64_t *code)
{
    const char *end = x->text + strcspn(x->text, "{"), *s = end;
    while (s > x->text && s[-1] != ')')
        s--;
    x->note[CUT] = (uint32_t)(s - x->text);
    x->note[REST] = (uint32_t)(end - x->text);
    while (s < end) {
        char *after;
        if (*s == ' ') {
            s++;
            continue;
        }
        const long v = strtol(s, &after, 10);
        if (after == s || x->note[JUMPS] == 2 || v != distance(code, x->note[JUMPS]) ||
            labs(v) > 1 << 26)
            return false;
        x->note[JUMPS]++;
        s = after;
    }
    return x->note[JUMPS] > 0;
}

// NULL: it has none.
static const struct form *form_of(struct iga_lines *l, struct at *at, bool compact)
{
    uint64_t key[2] = {at->code[0], at->code[1]};
    const bool jump = is_jump(key[0]);
    if (jump && (compact || !has_labels(key[0])))
        return NULL;
    if (l->layout != IGA_GFX9) // the marks
        key[0] &= ~UINT64_C(0xff00);
    if (jump)
        key[1] = 0;
    at->bits = jump ? no_fields : fields[l->layout][compact];
    struct form *x = forms_get(l->forms, key, at->code, at->bits, NULL);
    if (!x || x->seen)
        return x;
    const char *options = memrchr(x->text, '{', x->n);
    x->note[ENDS] = options && memmem(options, x->n - (size_t)(options - x->text), "EOT", 3);
    x->seen = !jump || distances_read(x, at->code);
    return x->seen ? x : NULL;
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
        if (size - pc < bytes)
            return 0;
        struct at *at = &l->at[n++];
        const bool compact = bytes == UNIT;
        *at = (struct at){.pc = pc};
        memcpy(at->code, code + pc, bytes);
        const struct form *x = at->form = form_of(l, at, compact);
        if (!x)
            return 0;
        for (uint32_t k = 0; k < x->note[JUMPS]; k++) {
            const int64_t to = (int64_t)pc + distance(at->code, k);
            if (to < 0 || to > size || to % UNIT)
                return 0;
            l->begins[to / UNIT] = 1;
        }
        if (x->note[JUMPS])
            l->begins[(pc + bytes) / UNIT] = 1;
        if (x->note[ENDS])
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
    forms_make_room(l->forms, INSTS);
    const uint32_t n = gather(l, code, size);
    for (uint32_t i = 0; i < n; i++)
        need += l->at[i].form->n + FORM_MORE + 100;
    l->text = room(l->text, &l->text_size, need);
    char *to = l->text;
    for (uint32_t i = 0; i < n; i++) {
        const struct form *x = l->at[i].form;
        const uint32_t pc = l->at[i].pc;
        if (l->begins[pc / UNIT])
            to = put_label(to, "", pc, ":\n");
        if (x->note[JUMPS]) {
            to = put(to, x->text, x->note[CUT]);
            for (uint32_t k = 0; k < x->note[JUMPS]; k++)
                to = put_label(to, " ", (int64_t)pc + distance(l->at[i].code, k), "");
            to = put(to, " ", 1);
            to = put(to, x->text + x->note[REST], x->n - x->note[REST]);
        } else
            to = form_put(to, x, l->at[i].code, l->at[i].bits);
        *to++ = '\n';
    }
    *to = 0;
    return n ? l->text : NULL;
}
