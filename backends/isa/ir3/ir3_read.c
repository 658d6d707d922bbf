// SPDX-License-Identifier: Apache-2.0
//
// Parses text into instructions, each checked against its row. A line is
//   (sy)(ss)(jp)(rpt2)(nop3) operation destination, sources
// Of the marks, (jp) and (rptN) are modelled; waits and delays are not. Lines that start with ";"
// specify the locations of arguments.
#include "ir3_reader.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { INSTRUCTIONS = 200000 };
#define NOWHERE UINT32_MAX

// ---- marks before the operation --------------------------------------------

static bool marks_read(struct reader *r, struct word *t, struct ir3_inst *in)
{
    static const char *const without[] = {"sy",   "ss",   "ul",   "eq",  "eogm",
                                          "eolm", "nop1", "nop2", "nop3"};
    for (; t->n; *t = after(*t, 1)) {
        if (*t->s == ' ' || *t->s == '\t')
            continue;
        if (*t->s != '(')
            return true;
        const char *end = memchr(t->s, ')', t->n);
        const struct word mark = {t->s + 1, end ? (size_t)(end - t->s) - 1 : 0};
        bool known = false;
        for (size_t i = 0; i < sizeof without / sizeof *without; i++)
            known |= is(mark, without[i]);
        if (is(mark, "jp")) {
            in->joins = known = true;
        } else if (mark.n == 4 && begins(mark, "rpt")) {
            in->repeat = (uint32_t)(mark.s[3] - '0');
            known = in->repeat && in->repeat < 8;
        }
        if (!known)
            return refuse(r, "the mark", mark);
        *t = after(*t, mark.n + 1);
    }
    return true;
}

// The rows by their names.
enum { NAMES = 512 }; // a power of two, more than twice the number of rows
static struct {
    const char *name;
    enum ir3_id id;
} names[NAMES];

// Returns the place of a name, free if no row has it. `more` is appended to the name.
static uint32_t name_slot(struct word t, const char *more)
{
    const size_t n = strlen(more);
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < t.n + n; i++)
        h = (h ^ (unsigned char)(i < t.n ? t.s[i] : more[i - t.n])) * 16777619u;
    for (h ^= h >> 13;; h++) {
        const char *there = names[h % NAMES].name;
        if (!there || (strncmp(there, t.s, t.n) == 0 && strcmp(there + t.n, more) == 0))
            return h % NAMES;
    }
}

static void names_fill(void)
{
    for (uint32_t id = 0; id < IR3_IDS; id++) {
        const uint32_t slot =
            name_slot((struct word){ir3_ops[id].name, strlen(ir3_ops[id].name)}, "");
        CHECK(!names[slot].name);
        names[slot].name = ir3_ops[id].name;
        names[slot].id = (enum ir3_id)id;
    }
}

static bool name_find(struct word t, const char *more, enum ir3_id *out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, names_fill);
    const uint32_t slot = name_slot(t, more);
    *out = names[slot].id;
    return names[slot].name != NULL;
}

// Finds the row of the longest name that the operation is or begins with, before a dot; *rest is
// what follows it.
static bool operation_find(struct reader *r, struct ir3_inst *in, struct word *rest)
{
    if (r->words && begins(r->w[0], "(sat)")) { // as in "add.u (sat)r2.y"
        if (!name_find(r->operation, "(sat)", &in->id))
            return refuse(r, "(sat) of", r->operation);
        r->w[0] = after(r->w[0], strlen("(sat)"));
        *rest = after(r->operation, r->operation.n);
        return true;
    }
    for (size_t n = r->operation.n; n; n--) {
        const bool whole = n == r->operation.n;
        if (!whole && r->operation.s[n] != '.')
            continue;
        if (name_find((struct word){r->operation.s, n}, "", &in->id) &&
            (whole || ir3_ops[in->id].unit != UNIT_ALU)) {
            *rest = after(r->operation, n + !whole);
            return true;
        }
    }
    return refuse(r, "the operation", r->operation);
}

bool ir3_words_read(struct reader *r, struct ir3_inst *in)
{
    struct word rest;
    if (!operation_find(r, in, &rest))
        return false;
    if (r->inst.n == INSTRUCTIONS)
        return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "more than %d instructions",
                          INSTRUCTIONS);
    const bool ok = ir3_form_read(r, in, rest);
    r->p->preamble |= in->id == IR3_SHPS;
    if (ok)
        *VEC_PUSH(r->a, &r->inst) = *in;
    return ok;
}

static bool instruction_read(struct reader *r, struct word t)
{
    struct ir3_inst in = {.line = r->line, .target = NOWHERE};
    if (!marks_read(r, &t, &in))
        return false;
    r->operation = cut(&t, ' ');
    r->words = 0;
    while (t.n && t.s[t.n - 1] == ' ')
        t.n--;
    while (t.n) {
        struct word w = cut(&t, ',');
        while (w.n && *w.s == ' ')
            w = after(w, 1);
        if (r->words == IR3_WORDS_MAX)
            return refuse(r, "too many operands of", r->operation);
        r->w[r->words++] = w;
    }
    return ir3_words_read(r, &in);
}

// ---- constants and arguments -----------------------------------------------

// Reads "@const(c8.x) 0x00000003, 0x00000014, ...".
static bool constants_read(struct reader *r, struct word t)
{
    const struct word whole = t;
    struct ir3_operand at;
    t = after(t, strlen("@const("));
    const struct word name = cut(&t, ')');
    if (!ir3_operand_read(name.s, name.n, &at) || at.kind != OPERAND_CONSTANT || at.half ||
        at.reg > IR3_CONSTANTS - 4)
        return refuse(r, "the constants", whole);
    for (uint32_t i = 0; i < 4; i++) {
        struct word w = cut(&t, ',');
        struct ir3_operand v;
        while (w.n && (*w.s == ' ' || *w.s == '\t'))
            w = after(w, 1);
        if (!ir3_operand_read(w.s, w.n, &v) || v.kind != OPERAND_NUMBER)
            return refuse(r, "the constants", whole);
        r->p->constant[at.reg + i] = v.value;
        r->p->known[at.reg + i] = true;
    }
    return true;
}

// Reads "; CL: inputs: r0.x (SYSTEM_VALUE_LOCAL_INVOCATION_ID slot=42 ...) r48.x (...)".
static bool inputs_read(struct reader *r, struct word t)
{
    while (t.n) {
        struct ir3_operand at;
        const struct word name = cut(&t, ' '), about = cut(&t, ')');
        struct word what = about;
        what = after(cut(&what, ' '), what.n > 0);
        if (t.n)
            t = after(t, *t.s == ' ');
        if (!name.n)
            return true;
        const bool local = is(what, "SYSTEM_VALUE_LOCAL_INVOCATION_ID"),
                   group = is(what, "SYSTEM_VALUE_WORKGROUP_ID");
        if ((!local && !group) || !ir3_operand_read(name.s, name.n, &at) || at.half ||
            at.kind != (local ? OPERAND_OWN : OPERAND_SHARED) ||
            at.reg + 3 > (local ? IR3_OWN : IR3_SHARED))
            return refuse(r, "the argument", about);
        *(local ? &r->p->local_id : &r->p->group_id) = at.reg;
        at.reg += 2;
        ir3_named(r, &at, 1);
    }
    return true;
}

// Reads "; driver_params c0.x (4 vec4)".
static bool comment_read(struct reader *r, struct word t)
{
    if (begins(t, "; CL: inputs: "))
        return inputs_read(r, after(t, strlen("; CL: inputs: ")));
    if (!begins(t, ";   "))
        return true;
    t = after(t, 4);
    const struct word name = cut(&t, ' ');
    while (t.n && *t.s == ' ')
        t = after(t, 1);
    if (is(name, "driver_params")) {
        r->p->driver_words = 16;
        return begins(t, "c0.x ") || refuse(r, "the location of the driver parameters", t);
    }
    return is(name, "preamble") || is(name, "num_enabled:") || refuse(r, "the constants", name);
}

static bool line_read(struct reader *r, struct word t)
{
    uint32_t label;
    while (t.n && (t.s[t.n - 1] == ' ' || t.s[t.n - 1] == '\r'))
        t.n--;
    if (!t.n || begins(t, "Native code for") || begins(t, "@in("))
        return true;
    if (*t.s == ';')
        return comment_read(r, t);
    if (begins(t, "@const("))
        return constants_read(r, t);
    if (t.s[t.n - 1] == ':' && ir3_label_read((struct word){t.s, t.n - 1}, &label)) {
        if (r->label[label])
            return refuse(r, "a duplicate label", t);
        r->label[label] = (uint32_t)r->inst.n + 1;
        return true;
    }
    return instruction_read(r, t);
}

static bool labels_resolve(struct reader *r)
{
    for (size_t i = 0; i < r->inst.n; i++) {
        struct ir3_inst *in = &r->inst.v[i];
        if (in->target == NOWHERE)
            continue;
        const uint32_t at = r->label[in->target];
        if (!at || at > r->inst.n)
            return isa_refuse(r->why, RAN_UNSUPPORTED, in->line, "the undefined label l%u",
                              in->target);
        in->target = at - 1;
    }
    return true;
}

bool ir3_reader_begin(struct reader *r, struct arena *a, uint32_t size, struct isa_result *why)
{
    r->a = a;
    r->why = why;
    r->p = ARENA_NEW(a, struct ir3_program);
    r->p->code.run = ir3_run;
    r->p->size = size;
    r->p->shared = IR3_SHARED;
    r->p->predicates = IR3_PREDICATES;
    r->p->local_id = r->p->group_id = UINT32_MAX;
    r->label = ARENA_ARRAY(a, uint32_t, IR3_LABELS);
    return (size && size <= LANES_MAX) || isa_refuse(why, RAN_UNSUPPORTED, 0, "waves of %u", size);
}

const struct isa_code *ir3_reader_end(struct reader *r)
{
    if (!r->inst.n)
        return isa_refuse(r->why, RAN_INVALID, 0, "no instruction"), NULL;
    if (!labels_resolve(r))
        return NULL;
    r->p->inst = r->inst.v;
    r->p->count = (uint32_t)r->inst.n;
    return &r->p->code;
}

const struct isa_code *ir3_read(struct arena *a, const char *text, uint32_t size,
                                struct isa_result *why)
{
    struct reader *r = ARENA_NEW(a, struct reader);
    *why = (struct isa_result){0};
    if (!ir3_reader_begin(r, a, size, why))
        return NULL;
    for (struct word line; text_line(&text, &line);) {
        r->line++;
        if (!line_read(r, line))
            return NULL;
    }
    bool ends = !r->inst.n;
    for (size_t i = 0; i < r->inst.n && !ends; i++)
        ends = r->inst.v[i].id == IR3_END;
    if (!ends)
        return isa_refuse(why, RAN_UNSUPPORTED, r->line, "the printed code has no end"), NULL;
    return ir3_reader_end(r);
}
