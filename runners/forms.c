// SPDX-License-Identifier: Apache-2.0
//
// Forms of instructions: see forms.h. A form is compared with several texts of the disassembler
// when it is made.
#include "forms.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 16, KEPT = SLOTS / 2 };

// Which fields of instructions with this code are registers. The code is without any field.
struct shape {
    uint64_t key[2];
    uint8_t registers; // a bit for each field
    bool learned;      // not for its first instruction: most shapes have no other one
    bool tried;        // a form of it was compared with all texts
};

struct forms {
    form_printer print;
    void *context;
    char letter;
    struct arena a;
    struct form **slot; // NULL: an empty one
    struct shape **shape;
    struct shape none, *none_at; // of instructions without fields
    uint32_t kept, shapes;
};

struct forms *forms_new(form_printer print, void *context, char letter)
{
    struct forms *f = mem_new(sizeof *f);
    *f = (struct forms){.print = print,
                        .context = context,
                        .letter = letter,
                        .slot = mem_new(SLOTS * sizeof *f->slot),
                        .shape = mem_new(SLOTS * sizeof *f->shape),
                        .none = {.learned = true},
                        .none_at = &f->none};
    return f;
}

void forms_free(struct forms *f)
{
    if (!f)
        return;
    arena_free(&f->a);
    free(f->slot);
    free(f->shape);
    free(f);
}

void forms_make_room(struct forms *f, uint32_t more)
{
    if (f->kept + more <= KEPT && f->shapes + more <= KEPT)
        return;
    arena_reset(&f->a);
    memset(f->slot, 0, SLOTS * sizeof *f->slot);
    memset(f->shape, 0, SLOTS * sizeof *f->shape);
    f->kept = f->shapes = 0;
}

// ---- the numbers of registers ----

static uint32_t field(const uint64_t *code, uint8_t bit)
{
    return code[bit / 64] >> bit % 64 & 255;
}

static void field_set(uint64_t *code, uint8_t bit, uint32_t v)
{
    code[bit / 64] &= ~(UINT64_C(255) << bit % 64);
    code[bit / 64] |= (uint64_t)v << bit % 64;
}

static char *text_of(struct forms *f, const uint64_t *code)
{
    const char *s = f->print(f->context, code);
    return s ? arena_strn(&f->a, s, strlen(s)) : NULL;
}

// Returns the end of the numbers of "v12" or "v[12:15]", a whole word at s, if it is register n;
// *more is 0 or 3. Else NULL.
static const char *register_at(const struct forms *f, const char *text, const char *s, uint32_t n,
                               uint32_t *more)
{
    char *end;
    if (*s != f->letter || (s > text && ((s[-1] >= 'a' && s[-1] <= 'z') || s[-1] == '_')))
        return NULL;
    const bool several = s[1] == '[';
    s += 1 + several;
    *more = 0;
    if (*s < '0' || *s > '9' || strtoul(s, &end, 10) != n)
        return NULL;
    if (several && *end == ':') {
        const unsigned long last = strtoul(end + 1, &end, 10);
        if (last <= n || last > n + 31)
            return NULL;
        *more = (uint32_t)last - n;
    }
    return !several || *end == ']' ? end : NULL;
}

static bool has_register(const struct forms *f, const char *text, uint32_t n)
{
    uint32_t more;
    for (const char *s = text; *s; s++)
        if (register_at(f, text, s, n, &more))
            return true;
    return false;
}

// True: `b` is `a` with register `to` for register `from`, which it has.
static bool is_renamed(const struct forms *f, const char *a, uint32_t from, const char *b,
                       uint32_t to)
{
    const char *s = a, *t = b;
    for (bool found = false;;) {
        uint32_t more, more_now;
        const char *end = register_at(f, a, s, from, &more);
        if (end) {
            if (!(t = register_at(f, b, t, to, &more_now)) || more != more_now)
                return false;
            s = end;
            found = true;
        } else if (*s != *t)
            return false;
        else if (!*s)
            return found;
        else
            s++, t++;
    }
}

// The first register from `from` on, odd or even as it is, that the text does not have.
static uint32_t unused_register(const struct forms *f, const char *text, uint32_t from)
{
    while (has_register(f, text, from))
        from += 2;
    return from;
}

// The fields of an instruction with this text that are registers.
static uint8_t registers_of(struct forms *f, const char *text, const uint64_t *code,
                            const uint8_t *bits)
{
    uint8_t out = 0;
    for (uint32_t k = 0; k < FORM_FIELDS; k++) {
        uint64_t other[2] = {code[0], code[1]};
        const uint32_t was = field(code, bits[k]);
        if (!bits[k] || !has_register(f, text, was))
            continue;
        const uint32_t now = unused_register(f, text, 91 + (was + 1) % 2);
        field_set(other, bits[k], now);
        const char *renamed = text_of(f, other);
        if (!renamed || !has_register(f, renamed, now))
            continue;
        if (is_renamed(f, text, was, renamed, now)) {
            out |= (uint8_t)(1 << k);
            continue;
        }
        // Another operand is the same register: both texts are compared with a third.
        const uint32_t third = unused_register(f, text, now + 10);
        field_set(other, bits[k], third);
        const char *again = text_of(f, other);
        if (again && is_renamed(f, renamed, now, again, third))
            out |= (uint8_t)(1 << k);
    }
    return out;
}

// ---- forms ----

static char *put(char *to, const char *s, size_t n)
{
    memcpy(to, s, n);
    return to + n;
}

char *form_put(char *to, const struct form *x, const uint64_t code[2], const uint8_t *bits)
{
    uint32_t at = 0;
    for (uint32_t k = 0; k < x->holes; k++) {
        const uint32_t v = field(code, bits[x->hole[k].field]) + x->hole[k].more;
        to = put(to, x->text + at, x->hole[k].at - at);
        at = x->hole[k].at;
        if (v > 99)
            *to++ = (char)('0' + v / 100);
        if (v > 9)
            *to++ = (char)('0' + v / 10 % 10);
        *to++ = (char)('0' + v % 10);
    }
    return put(to, x->text + at, x->n - at);
}

static bool prints(const struct form *x, const uint64_t *code, const uint8_t *bits,
                   const char *text)
{
    char *line = malloc(x->n + FORM_MORE + 1);
    CHECK(line);
    *form_put(line, x, code, bits) = 0;
    const bool same = text && strcmp(line, text) == 0;
    free(line);
    return same;
}

// Cuts the numbers of registers out of the text, where they are number[field].
static bool registers_cut(const struct forms *f, struct form *x, char *text, uint8_t registers,
                          const uint32_t *number)
{
    char *to = text;
    for (const char *s = text; *s;) {
        const char *end = NULL;
        uint32_t more = 0, k = 0;
        for (; k < FORM_FIELDS && !end; k++)
            if (registers >> k & 1)
                end = register_at(f, text, s, number[k], &more);
        if (!end) {
            *to++ = *s++;
            continue;
        }
        if (x->holes + 2 > FORM_HOLES)
            return false;
        const bool several = s[1] == '[';
        to = put(to, s, 1 + several);
        x->hole[x->holes++] = (struct form_hole){(uint8_t)(k - 1), 0, (uint16_t)(to - text)};
        if (more) {
            *to++ = ':';
            x->hole[x->holes++] =
                (struct form_hole){(uint8_t)(k - 1), (uint8_t)more, (uint16_t)(to - text)};
        }
        s = end;
    }
    *to = 0;
    return true;
}

// Fills the text of `code` and its holes: prints it with numbers of `registers` that it does not
// have, cuts these out, and compares what the form prints with `text` and other texts of the
// disassembler. For the first form of a shape the numbers are changed in every bit, as another part
// of the text may depend on one.
static bool form_make(struct forms *f, struct shape *shape, struct form *x, const char *text,
                      const uint64_t *code, uint8_t registers, const uint8_t *bits)
{
    uint64_t other[3][2];
    uint32_t number[FORM_FIELDS] = {0}, last = 90;
    for (uint32_t i = 0; i < 3; i++)
        memcpy(other[i], code, sizeof other[i]);
    for (uint32_t k = 0; k < FORM_FIELDS; k++)
        if (registers >> k & 1) {
            number[k] = last = unused_register(f, text, last + 1);
            field_set(other[0], bits[k], number[k]);
            field_set(other[1], bits[k], 7 + 19 * k);
            field_set(other[2], bits[k], (7 + 19 * k) ^ 127);
        }
    char *cut = registers ? text_of(f, other[0]) : arena_strn(&f->a, text, strlen(text));
    if (!cut || strlen(cut) > UINT16_MAX || !registers_cut(f, x, cut, registers, number))
        return false;
    x->text = cut;
    x->n = (uint32_t)strlen(cut);
    if (registers &&
        (!prints(x, code, bits, text) || !prints(x, other[1], bits, text_of(f, other[1])) ||
         (!shape->tried && !prints(x, other[2], bits, text_of(f, other[2])))))
        return false;
    shape->tried |= registers && registers == shape->registers;
    return true;
}

// The slot of a shape, which may be empty.
static struct shape **shape_of(struct forms *f, const uint64_t *key, const uint8_t *bits,
                               uint64_t *bare)
{
    bool any = false;
    memcpy(bare, key, 2 * sizeof *bare);
    for (uint32_t k = 0; k < FORM_FIELDS; k++)
        if (bits[k]) {
            field_set(bare, bits[k], 0);
            any = true;
        }
    if (!any)
        return &f->none_at;
    uint32_t i = (uint32_t)hash64(bare, 2 * sizeof *bare) & (SLOTS - 1);
    while (f->shape[i] && (f->shape[i]->key[0] != bare[0] || f->shape[i]->key[1] != bare[1]))
        i = (i + 1) & (SLOTS - 1);
    return &f->shape[i];
}

// The slot of an instruction, which may be empty. Fills its key and *registers, those of the shape
// below 128: larger numbers are not tried.
static struct form **slot_of(const struct forms *f, const struct shape *shape, const uint64_t *key,
                             const uint64_t *code, const uint8_t *bits, uint8_t *registers,
                             uint64_t *cut)
{
    *registers = shape->registers;
    memcpy(cut, key, 2 * sizeof *cut);
    for (uint32_t k = 0; k < FORM_FIELDS; k++)
        if (*registers >> k & 1) {
            if (field(code, bits[k]) < 128)
                field_set(cut, bits[k], 0);
            else
                *registers &= (uint8_t)~(1 << k);
        }
    uint32_t i = (uint32_t)hash64(cut, 2 * sizeof *cut) & (SLOTS - 1);
    while (f->slot[i] && (f->slot[i]->key[0] != cut[0] || f->slot[i]->key[1] != cut[1] ||
                          f->slot[i]->registers != *registers))
        i = (i + 1) & (SLOTS - 1);
    return &f->slot[i];
}

const struct form *forms_find(struct forms *f, const uint64_t key[2], const uint64_t code[2],
                              const uint8_t *bits)
{
    uint64_t bare[2], cut[2];
    uint8_t registers;
    const struct shape *shape = *shape_of(f, key, bits, bare);
    return shape ? *slot_of(f, shape, key, code, bits, &registers, cut) : NULL;
}

struct form *forms_get(struct forms *f, const uint64_t key[2], const uint64_t code[2],
                       const uint8_t *bits, const char *text)
{
    uint64_t bare[2], cut[2];
    struct shape **shape = shape_of(f, key, bits, bare);
    uint8_t registers;
    if (!*shape || !(*shape)->learned) {
        struct form *x = *shape ? *slot_of(f, *shape, key, code, bits, &registers, cut) : NULL;
        if (x)
            return x;
        if ((!*shape && f->shapes == SLOTS - 1) || (!text && !(text = text_of(f, code))))
            return NULL;
        if (*shape) {
            (*shape)->registers = registers_of(f, text, code, bits);
            (*shape)->learned = true;
        } else {
            *shape = ARENA_NEW(&f->a, struct shape);
            **shape = (struct shape){.key = {bare[0], bare[1]}};
            f->shapes++;
        }
    }
    for (;;) {
        struct form **x = slot_of(f, *shape, key, code, bits, &registers, cut);
        struct form new = {.key = {cut[0], cut[1]}, .registers = registers};
        if (*x)
            return *x;
        if (f->kept == SLOTS - 1 || (!text && !(text = text_of(f, code))))
            return NULL;
        if (form_make(f, *shape, &new, text, code, registers, bits)) {
            f->kept++;
            return *x = arena_copy(&f->a, &new, sizeof new);
        }
        if (!registers)
            return NULL;
        (*shape)->registers = 0; // and once more, with all of its code as the key
    }
}
