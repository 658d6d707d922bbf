// SPDX-License-Identifier: Apache-2.0
//
// Reads ir3's code between its passes into a program of the same machine:
//    (jp)block9 {
//            pred: block7, block8
//            0012:003:       _meta:phi ssa_20:5, ssa_57:4, ssa_58:11
//            0014:000:       br pssa_56:1
//            /* keeps: ... */
//            /* succs: block10, block11 (div) */
//    }
// Blocks are laid out in the order of the text, as in the machine code. Before ir3 has computed
// where lanes join, they join at each block. Phis are copied where a block before them ends.
#include "ir3_level.h"

#include <string.h>

// ---- blocks ----------------------------------------------------------------

static bool take(struct word *t, const char *text)
{
    return text_take(&t->s, &t->n, text);
}

static void blanks_skip(struct word *t)
{
    while (t->n && (*t->s == ' ' || *t->s == '\t'))
        *t = after(*t, 1);
}

static bool same(struct word a, struct word b)
{
    return a.n == b.n && memcmp(a.s, b.s, a.n) == 0;
}

static uint32_t block_of(const struct level_reader *l, struct word name)
{
    for (uint32_t i = 0; i < l->block.n; i++)
        if (same(l->block.v[i].name, name))
            return i;
    return UINT32_MAX;
}

// "block1, block5 (con) */"
static bool succs_read(struct level_reader *l, struct ir3_block_text *b, struct word t)
{
    const struct word whole = t;
    for (b->succs = 0; t.n && b->succs < 2;) {
        size_t n = 0;
        while (n < t.n && t.s[n] != ',' && t.s[n] != ' ')
            n++;
        b->succ[b->succs++] = (struct word){t.s, n};
        t = after(t, n);
        if (!take(&t, ", "))
            break;
    }
    take(&t, " (con)");
    take(&t, " (div)");
    return is(t, " */") || word_refuse(l->r.why, l->r.line, "the edges", whole);
}

static void preds_read(struct level_reader *l, struct ir3_block_text *b, struct word t)
{
    while (t.n) {
        struct word one = cut(&t, ',');
        blanks_skip(&one);
        *VEC_PUSH(l->r.a, &b->pred) = one;
    }
}

// What a line is in.
enum place { OUTSIDE, INSIDE, KEEPS };

static bool block_begin(struct level_reader *l, struct word t, enum place *place)
{
    const bool joins = take(&t, "(jp)");
    if (!begins(t, "block") || t.n < 8 || t.s[t.n - 1] != '{' || t.s[t.n - 2] != ' ')
        return word_refuse(l->r.why, l->r.line, "outside of a block", t);
    const struct word name = {t.s, t.n - 2};
    if (block_of(l, name) != UINT32_MAX || l->block.n == IR3_LABELS / 2)
        return word_refuse(l->r.why, l->r.line, "the block", name);
    l->marked |= joins;
    *VEC_PUSH(l->r.a, &l->block) = (struct ir3_block_text){.name = name,
                                                           .line = l->r.line,
                                                           .joins = joins,
                                                           .first = (uint32_t)l->line.n,
                                                           .last = (uint32_t)l->line.n};
    *place = INSIDE;
    return true;
}

static bool line_read(struct level_reader *l, struct word t, enum place *place)
{
    while (t.n && (t.s[t.n - 1] == ' ' || t.s[t.n - 1] == '\r'))
        t.n--;
    if (*place == OUTSIDE && t.n)
        return block_begin(l, t, place);
    if (!t.n)
        return true;
    if (is(t, "}") && *place == INSIDE) {
        *place = OUTSIDE;
        return true;
    }
    struct ir3_block_text *b = &l->block.v[l->block.n - 1];
    blanks_skip(&t);
    if (*place == KEEPS) {
        *place = is(t, "*/") ? INSIDE : KEEPS;
        return true;
    }
    if (is(t, "/* keeps:")) {
        *place = KEEPS;
        return true;
    }
    if (take(&t, "pred: "))
        return preds_read(l, b, t), true;
    if (begins(t, "physical pred: ") || begins(t, "/* physical succs: "))
        return true;
    if (take(&t, "/* succs: "))
        return succs_read(l, b, t);
    if (!ir3_level_line(l, t, l->r.line))
        return false;
    l->marked |= l->line.v[l->line.n - 1].joins;
    b->last = (uint32_t)l->line.n;
    return true;
}

// ---- phis ------------------------------------------------------------------

static bool is_phi(const struct ir3_line *at)
{
    return is(at->op, "_meta:phi");
}

// Once registers are allocated, a phi and its sources have one register, and nothing is copied.
static bool is_allocated(const struct level_reader *l, const struct ir3_line *at)
{
    const struct ir3_result *x = ir3_level_result(l, &at->value[0]);
    return at->value[0].kind == VALUE_PLACE || (x && x->allocated);
}

static bool phi_check(struct level_reader *l, const struct ir3_block_text *b,
                      const struct ir3_line *at, uint32_t index)
{
    const struct ir3_value *v = at->value;
    struct word to, from;
    if (at->values != b->pred.n + 1 || v[0].count != 1 || v[0].file == FILE_PREDICATE)
        return level_refuse(l, at, "the form of");
    if (!is_allocated(l, at)) {
        l->slot[index] = ir3_level_new(l, v[0].file, v[0].half);
        return true;
    }
    if (!ir3_level_word(l, at, &v[0], 0, &to))
        return false;
    for (uint32_t k = 1; k < at->values; k++)
        if (v[k].kind != VALUE_UNDEFINED &&
            (!ir3_level_word(l, at, &v[k], 0, &from) || !same(to, from)))
            return level_refuse(l, at, "different registers of");
    return true;
}

static bool phis_check(struct level_reader *l)
{
    l->slot = ARENA_ARRAY(l->r.a, struct word, l->line.n + 1);
    for (size_t i = 0; i < l->block.n; i++) {
        struct ir3_block_text *b = &l->block.v[i];
        for (b->phis = b->first; b->phis < b->last && is_phi(&l->line.v[b->phis]); b->phis++)
            if (!phi_check(l, b, &l->line.v[b->phis], b->phis))
                return false;
    }
    return true;
}

// Fills the slots of the phis of all blocks that follow block `b`.
static bool slots_fill(struct level_reader *l, const struct ir3_block_text *b)
{
    for (uint32_t s = 0; s < b->succs; s++) {
        const uint32_t n = block_of(l, b->succ[s]);
        const struct ir3_block_text *to = n == UINT32_MAX ? NULL : &l->block.v[n];
        uint32_t k = 0;
        if (!to)
            return word_refuse(l->r.why, b->line, "the block", b->succ[s]);
        while (k < to->pred.n && !same(to->pred.v[k], b->name))
            k++;
        for (uint32_t i = to->first; i < to->phis; i++) {
            const struct ir3_line *at = &l->line.v[i];
            struct word from;
            if (!l->slot[i].n)
                continue;
            if (k == to->pred.n)
                return level_refuse(l, at, "the edges of");
            const struct ir3_value *v = &at->value[k + 1];
            if (v->kind == VALUE_UNDEFINED)
                continue;
            if (v->half != at->value[0].half || !ir3_level_word(l, at, v, 0, &from) ||
                !ir3_level_copy(l, at, l->slot[i], from, v->half))
                return level_refuse(l, at, "the operands of");
        }
    }
    return true;
}

static bool slots_read(struct level_reader *l, const struct ir3_block_text *b)
{
    for (uint32_t i = b->first; i < b->phis; i++) {
        const struct ir3_line *at = &l->line.v[i];
        struct word to;
        if (l->slot[i].n && (!ir3_level_word(l, at, &at->value[0], 0, &to) ||
                             !ir3_level_copy(l, at, to, l->slot[i], at->value[0].half)))
            return false;
    }
    return true;
}

// ---- the ends of blocks ----------------------------------------------------

static bool is_end(const struct ir3_line *at)
{
    static const char *const names[] = {"br",     "brao",    "braa",  "ball", "bany",
                                        "getone", "getlast", "jump",  "shps", "shpe",
                                        "predt",  "predf",   "prede", "end"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is(at->op, names[i]))
            return true;
    return false;
}

static bool go(struct level_reader *l, const struct ir3_line *at, uint32_t from, uint32_t to)
{
    return to == from + 1 || ir3_level_branch(l, at, "jump", NULL, 0, to);
}

static bool conditions(struct level_reader *l, const struct ir3_line *at, struct word w[2])
{
    if (at->values > 2)
        return level_refuse(l, at, "the form of");
    for (uint32_t i = 0; i < at->values; i++)
        if (!ir3_level_word(l, at, &at->value[i], 0, &w[i]))
            return false;
    return true;
}

// After ir3's last pass, the branch names its target, and the other lanes go to the next block.
static bool end_with_target(struct level_reader *l, const struct ir3_line *at, uint32_t b)
{
    const char *name =
        is(at->op, "getlast") ? "getlast.w8" : arena_strn(l->r.a, at->op.s, at->op.n);
    struct word w[2];
    if (begins(at->op, "pred")) { // no branch: until prede, lanes are disabled
        if (at->values && (at->values != 1 || at->value[0].kind != VALUE_PLACE || at->value[0].at))
            return level_refuse(l, at, "the operands of");
        return ir3_level_add(l, at, name, NULL, 0);
    }
    if (!at->target.n)
        return at->values ? level_refuse(l, at, "the target of")
                          : ir3_level_add(l, at, name, NULL, 0); // end, shpe
    const uint32_t to = block_of(l, at->target);
    if (to == UINT32_MAX)
        return word_refuse(l->r.why, at->line, "the target", at->target);
    if (!conditions(l, at, w))
        return false;
    // The text omits that the condition is inverted, as it is for the second block.
    if (is(at->op, "ball") || is(at->op, "bany")) {
        const struct ir3_block_text *t = &l->block.v[b];
        if (t->succs != 2 || same(t->succ[0], t->succ[1]) ||
            (!same(at->target, t->succ[0]) && !same(at->target, t->succ[1])) || at->values != 1)
            return level_refuse(l, at, "the edges of");
        if (same(at->target, t->succ[1]))
            w[0] = word_of(arena_printf(l->r.a, "!%.*s", (int)w[0].n, w[0].s));
    }
    return ir3_level_branch(l, at, name, w, at->values, to);
}

// predt or predf disables lanes in the next block, and the other one those in the block after it,
// which ends with prede. These blocks have no other branch.
static bool disable(struct level_reader *l, const struct ir3_line *at, uint32_t b,
                    const uint32_t to[2])
{
    const struct ir3_block_text *t = &l->block.v[b];
    const bool first = t->succs == 2;
    struct word w[2];
    if (at->values != 1 || !conditions(l, at, w) || is(at->op, "prede"))
        return level_refuse(l, at, "the form of");
    if (first ? to[0] != b + 1 || to[1] != b + 2
              : t->succs != 1 || to[0] != b + 2 || !l->block.v[b + 1].enables)
        return level_refuse(l, at, "the edges of");
    if (first)
        l->block.v[to[1]].enables = true;
    return ir3_level_add(l, at, arena_strn(l->r.a, at->op.s, at->op.n), w, 1);
}

// Before it: the first block is for lanes whose condition holds, or for those that an operation
// selects.
static bool end_with_edges(struct level_reader *l, const struct ir3_line *at, uint32_t b)
{
    const struct ir3_block_text *t = &l->block.v[b];
    const char *name = arena_strn(l->r.a, at->op.s, at->op.n);
    uint32_t to[2];
    struct word w[2];
    for (uint32_t s = 0; s < t->succs; s++)
        if ((to[s] = block_of(l, t->succ[s])) == UINT32_MAX)
            return word_refuse(l->r.why, t->line, "the block", t->succ[s]);
    if (is(at->op, "end") || is(at->op, "shpe"))
        return at->values ? level_refuse(l, at, "the form of")
                          : ir3_level_add(l, at, name, NULL, 0);
    if (is(at->op, "jump"))
        return t->succs == 1
                   ? (!t->enables || ir3_level_add(l, at, "prede", NULL, 0)) && go(l, at, b, to[0])
                   : level_refuse(l, at, "the edges of");
    if (begins(at->op, "pred"))
        return disable(l, at, b, to);
    if (t->succs != 2)
        return level_refuse(l, at, "the edges of");
    if (is(at->op, "getone") || is(at->op, "getlast") || is(at->op, "shps"))
        return !at->values ? ir3_level_branch(l, at, is(at->op, "getlast") ? "getlast.w8" : name,
                                              NULL, 0, to[1]) &&
                                 go(l, at, b, to[0])
                           : level_refuse(l, at, "the form of");
    return conditions(l, at, w) && ir3_level_branch(l, at, name, w, at->values, to[0]) &&
           go(l, at, b, to[1]);
}

static bool end_add(struct level_reader *l, const struct ir3_line *at, uint32_t b)
{
    return (l->targets ? end_with_target : end_with_edges)(l, at, b);
}

// A block without a branch leads to the next one.
static bool fall(struct level_reader *l, uint32_t b)
{
    const struct ir3_block_text *t = &l->block.v[b];
    const struct ir3_line at = {.line = t->line};
    const uint32_t to = t->succs == 1 ? block_of(l, t->succ[0]) : UINT32_MAX;
    if (to == UINT32_MAX)
        return word_refuse(l->r.why, t->line, "the end of", t->name);
    return go(l, &at, b, to);
}

// ---- programs --------------------------------------------------------------

static bool block_add(struct level_reader *l, uint32_t b)
{
    const struct ir3_block_text *t = &l->block.v[b];
    const struct ir3_line start = {.line = t->line};
    bool ended = false;
    ir3_level_here(l, b, t->joins || !l->marked);
    if (!slots_read(l, t))
        return false;
    for (uint32_t i = t->phis; i < t->last; i++) {
        const struct ir3_line *at = &l->line.v[i];
        const bool end = is_end(at);
        l->joins |= at->joins;
        // Once a branch names its target, predt and prede may stand anywhere.
        if (ended && is(at->op, "jump") && is((at - 1)->op, "shpe") && t->succs == 1)
            continue; // shpe ends the preamble's lane; Mesa 25.0 has a jump after it
        if (ended && !l->targets)
            return level_refuse(l, at, "after the end of its block:");
        if (end && !ended && !slots_fill(l, t))
            return false;
        if (!(end                      ? end_add(l, at, b)
              : ir3_level_is_macro(at) ? ir3_level_macro(l, at)
                                       : ir3_level_op(l, at)))
            return false;
        ended |= end;
    }
    if (!ended && (!slots_fill(l, t) || !fall(l, b)))
        return false;
    // A block without instructions is a place still.
    return l->r.label[b] <= l->r.inst.n || ir3_level_add(l, &start, "nop", NULL, 0);
}

static bool is_input(const struct ir3_line *at)
{
    return is(at->op, "_meta:in");
}

// The arguments: the local id in registers of each lane, the workgroup's id in shared ones.
static bool inputs_find(struct level_reader *l, const struct ir3_program *native)
{
    bool any = false;
    for (size_t i = 0; i < l->line.n; i++) {
        const struct ir3_line *at = &l->line.v[i];
        struct ir3_operand o;
        struct word name;
        if (!is_input(at))
            continue;
        if (at->values != 1 || at->value[0].half || at->value[0].count > 3)
            return level_refuse(l, at, "the form of");
        if (!ir3_level_word(l, at, &at->value[0], 0, &name) ||
            !ir3_operand_read(name.s, name.n, &o))
            return level_refuse(l, at, "the register of");
        any = true;
        const bool own = o.kind == OPERAND_OWN;
        uint32_t *to = own ? &l->r.p->local_id : &l->r.p->group_id;
        if ((!own && o.kind != OPERAND_SHARED) || *to != UINT32_MAX ||
            (own ? native->local_id : native->group_id) == UINT32_MAX)
            return level_refuse(l, at, "which argument is");
        *to = o.reg;
        ir3_named(&l->r, &o, 3);
    }
    // The last pass removes them; arguments are where the machine code has them.
    if (!any && l->targets) {
        l->r.p->local_id = native->local_id;
        l->r.p->group_id = native->group_id;
        l->r.p->registers =
            native->registers > l->r.p->registers ? native->registers : l->r.p->registers;
    }
    return true;
}

// What the machine code's text says of constants holds for all levels.
static bool constants_take(struct level_reader *l, const char *native, uint32_t size)
{
    struct text head = {.arena = l->r.a};
    for (struct word line; native && text_line(&native, &line);)
        if (begins(line, "@const(") || begins(line, ";"))
            text_add(&head, "%.*s\n", (int)line.n, line.s);
    const struct isa_code *code =
        head.n ? ir3_read(l->r.a, arena_printf(l->r.a, "%send\n", head.v), size, l->r.why) : NULL;
    const struct ir3_program *p = (const struct ir3_program *)code; // its first member
    if (!head.n)
        return isa_refuse(l->r.why, RAN_UNSUPPORTED, 0,
                          "constants, which the machine code's text would show");
    if (!p) {
        struct isa_result why = *l->r.why;
        return isa_refuse(l->r.why, why.status, 0, "constants: %.200s", why.text);
    }
    l->r.p->driver_words = p->driver_words;
    memcpy(l->r.p->constant, p->constant, sizeof p->constant);
    memcpy(l->r.p->known, p->known, sizeof p->known);
    return inputs_find(l, p);
}

// Does the machine code store to shared memory, or change it, at an offset? Between passes, the
// text omits it.
static bool offsets_in(const char *native)
{
    for (struct word line; text_line(&native, &line);) {
        bool here = false;
        for (size_t i = 0; i + 3 < line.n; i++) {
            here |= memcmp(line.s + i, "stl.", 4) == 0 || memcmp(line.s + i, ".l r", 4) == 0;
            if (here && (line.s[i] == '+' || line.s[i] == '-'))
                return true;
        }
    }
    return false;
}

const struct isa_code *ir3_level_read(struct arena *a, const struct ir3_source *s, uint32_t size,
                                      struct isa_result *why)
{
    struct level_reader *l = ARENA_NEW(a, struct level_reader);
    enum place place = OUTSIDE;
    const char *at = s->text;
    *why = (struct isa_result){0};
    if (!ir3_reader_begin(&l->r, a, size, why))
        return NULL;
    l->nir = s->nir;
    l->offsets = s->native && offsets_in(s->native);
    l->next[FILE_OWN] = IR3_OWN;
    l->next[FILE_SHARED] = IR3_SHARED;
    l->next[FILE_PREDICATE] = IR3_PREDICATES;
    l->r.virtual = true;
    for (struct word line; text_line(&at, &line);) {
        l->r.line++;
        if (!line_read(l, line, &place))
            return NULL;
    }
    if (place != OUTSIDE || !l->block.n) {
        isa_refuse(why, RAN_INVALID, 0, "no whole block");
        return NULL;
    }
    l->labels = (uint32_t)l->block.n;
    if (!ir3_level_results(l) || !phis_check(l) || !constants_take(l, s->native, size))
        return NULL;
    for (uint32_t b = 0; b < l->block.n; b++)
        if (!block_add(l, b))
            return NULL;
    return ir3_reader_end(&l->r);
}
