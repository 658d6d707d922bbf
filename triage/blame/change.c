// SPDX-License-Identifier: Apache-2.0
//
// What a compiler did to a small module, as far as who is together can depend on it: group
// operations that are gone, new, copied, merged or elsewhere, and constructs more or fewer.
// Of two findings in which a compiler did the same it is the compiler's same mistake, however
// the mistake shows: docs/dedup.md has measured it.
#include "change.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[KINDS] = {"loop", "switch", "call", "if"};

struct op {
    char name[64];
    char place[KINDS]; // a letter of `places`
    char user[KINDS];  // where its result is used first; 0 for nowhere
    uint32_t depth;    // of selections around it
    uint32_t behind;   // so many selections lie before it
    bool left;         // it works on what a loop made that lies before it
    const char *use;   // what its result is: the condition of a "branch", of a "switch", a "value"
};
struct side {
    const struct spv_module *m;
    struct op *op;
    uint32_t ops, loops, switches, tests, calls;
};

static const struct {
    char letter;
    const char *text;
} places[] = {{'f', "before"},         {'i', "in"},     {'c', "in continue"},
              {'x', "on the way out"}, {'a', "behind"}, {'o', "apart"}};

static const char *place_text(char letter)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (places[i].letter == letter)
            return places[i].text;
    return "";
}

// ---- one module ------------------------------------------------------------------------

// The condition of what the result is; where it is used first: the instruction, 0 for none.
static const char *use_of(const struct spv_module *m, uint32_t id, uint32_t *first)
{
    const char *use = "value";
    *first = 0;
    for (uint32_t k = m->functions[0].first; k < m->inst_count; k++) {
        const struct spv_inst *i = &m->insts[k];
        for (uint32_t v = 0; v < i->n; v++)
            if (i->v[v] == id &&
                (v == 0 || spv_op_find(i->op)->has_result || i->op == SpvOpStore)) {
                use = i->op == SpvOpBranchConditional ? "branch"
                      : i->op == SpvOpSwitch          ? "switch"
                                                      : use;
                *first = *first ? *first : k;
            }
    }
    return use;
}

// The load of a variable behind a store to it; the store itself where there is none.
static uint32_t load_behind(const struct spv_module *m, uint32_t store, uint32_t variable)
{
    for (uint32_t k = store + 1; k < m->inst_count; k++)
        if (m->insts[k].op == SpvOpLoad && m->insts[k].v[0] == variable)
            return k;
    return store;
}

static bool side_read(struct arena *a, const uint32_t *words, size_t count, struct spv_module *m,
                      struct side *s)
{
    *s = (struct side){.m = m};
    if (!spv_module_read(a, words, count, m, NULL) || !m->function_count)
        return false;
    s->op = ARENA_ARRAY(a, struct op, m->inst_count);
    for (uint32_t b = 0; b < m->block_count; b++) {
        int kind = change_kind(m, &m->blocks[b]);
        s->loops += kind == LOOP;
        s->switches += kind == CASES;
        s->tests += kind == TEST;
    }
    for (uint32_t k = m->functions[0].first; k < m->inst_count; k++) {
        uint32_t user, unused, too;
        if (!spv_group_find(m->insts[k].op) || spv_block_at(m, k) == UINT32_MAX)
            continue;
        struct op *o = &s->op[s->ops++];
        shape_op(m, &m->insts[k], o->name, sizeof o->name);
        change_place(a, m, k, o->place, &o->depth, &o->behind);
        o->left = change_is_left(a, m, k);
        o->use = use_of(m, m->insts[k].result, &user);
        for (int hops = 0; user && hops < 8; hops++) {
            const struct spv_inst *u = &m->insts[user];
            const struct spv_inst *to = u->op == SpvOpStore ? spv_def(m, u->v[0]) : NULL;
            if (u->op == SpvOpCompositeExtract)
                use_of(m, u->result, &user);
            else if (to && to->op == SpvOpVariable)
                user = load_behind(m, user, to->result);
            else
                break;
        }
        if (user && spv_block_at(m, user) != UINT32_MAX)
            change_place(a, m, user, o->user, &unused, &too);
    }
    return true;
}

// Both modules. Where a compiler made selections or took them out, how many lie before an operation
// says nothing of it.
static bool sides_read(struct arena *a, const uint32_t *in_words, size_t in_count,
                       struct spv_module *x, struct side *in, const uint32_t *out_words,
                       size_t out_count, struct spv_module *y, struct side *out)
{
    if (!side_read(a, in_words, in_count, x, in) || !side_read(a, out_words, out_count, y, out))
        return false;
    for (uint32_t i = 0; i < in->ops && in->tests != out->tests; i++)
        in->op[i].behind = 0;
    for (uint32_t i = 0; i < out->ops && in->tests != out->tests; i++)
        out->op[i].behind = 0;
    return true;
}

// ---- operations ------------------------------------------------------------------------

// Of operations of one name those that are in one module and have no match in the other.
struct differ {
    const struct op *gone[8], *came[8], *kept;
    uint32_t gones, cames, before, after;
};

static bool same_op(const struct op *x, const struct op *y, bool use)
{
    return strcmp(x->name, y->name) == 0 && memcmp(x->place, y->place, KINDS) == 0 &&
           x->depth == y->depth && x->behind == y->behind && (!use || strcmp(x->use, y->use) == 0);
}

static uint32_t count(const struct side *s, const char *name)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->ops; i++)
        n += strcmp(s->op[i].name, name) == 0;
    return n;
}

// Those that are equal in what they are good for find each other first; where there are more on one
// side, one that stays may be good for something else.
static uint32_t alone(struct arena *a, const struct side *s, const struct side *other,
                      const char *name, const struct op **out, const struct op **kept,
                      uint32_t *total)
{
    bool *taken = ARENA_ARRAY(a, bool, other->ops + 1), *found = ARENA_ARRAY(a, bool, s->ops + 1);
    uint32_t n = 0;
    *total = count(s, name);
    for (int round = 0; round < (*total == count(other, name) ? 1 : 2); round++)
        for (uint32_t i = 0; i < s->ops; i++) {
            uint32_t k = 0;
            if (found[i] || strcmp(s->op[i].name, name) != 0)
                continue;
            while (k < other->ops && (taken[k] || !same_op(&s->op[i], &other->op[k], round == 0)))
                k++;
            if (k == other->ops)
                continue;
            found[i] = taken[k] = true;
            *kept = &s->op[i];
        }
    for (uint32_t i = 0; i < s->ops && n < 8; i++)
        if (!found[i] && strcmp(s->op[i].name, name) == 0)
            out[n++] = &s->op[i];
    return n;
}

static bool in_loop(char c)
{
    return c == 'i' || c == 'c' || c == 'x';
}

// From `x` to `y`: the first kind of construct to which they stand otherwise; false for none.
static bool tell_move(const struct op *x, const struct op *y, struct text *t)
{
    char p = 0, q = 0;
    int k = 0;
    while (k < KINDS && x->place[k] == y->place[k])
        k++;
    if (k < KINDS) {
        p = x->place[k];
        q = y->place[k];
        // Into a loop or out of it: in which part of it it was does not matter, but for what
        // ran apart on the way out and runs together behind it.
        if (k == LOOP && in_loop(p) != in_loop(q)) {
            bool ran_apart = p == 'x' && q == 'a' && x->user[LOOP] != 'a';
            p = in_loop(p) && !ran_apart ? 'i' : p;
            q = in_loop(q) && (q != 'x' || p == 'f') ? 'i' : q;
        }
        // Out of an arm that leaves the loop.
        if (k == LOOP && p == 'x' && q == 'i') {
            k = TEST;
            p = 'i';
            q = 'f';
        }
    } else if (x->depth != y->depth) {
        k = TEST;
        p = x->depth < y->depth ? 'f' : 'i';
        q = x->depth < y->depth ? 'i' : 'f';
    } else if (x->behind != y->behind) {
        k = TEST;
        p = x->behind < y->behind ? 'f' : 'a';
        q = x->behind < y->behind ? 'a' : 'f';
    } else {
        return false;
    }
    text_add(t, "%s: %s -> %s", kinds[k], place_text(p), place_text(q));
    return true;
}

// How the operations of a name changed, and how much that says: the least first.
struct told {
    int rank;
    bool copied;
    const char *text;
};

static bool tell_name(struct arena *a, const struct side *in, const struct side *out,
                      const char *name, struct told *told)
{
    struct differ d = {.gones = 0};
    struct text t = {.arena = a};
    d.gones = alone(a, in, out, name, d.gone, &d.kept, &d.before);
    d.cames = alone(a, out, in, name, d.came, &d.kept, &d.after);
    const struct op *gone = d.gone[0], *came = d.came[0], *kept = d.kept;
    text_addn(&t, "", 0);
    if (!d.gones && !d.cames)
        return false;
    if (d.gones && d.cames) {
        text_add(&t, "%s", d.before < d.after ? "copied" : d.before > d.after ? "merged" : "moved");
        // Copied with its loop: where it stands in it does not matter.
        if (in->loops >= out->loops) {
            text_add(&t, ", ");
            if (!tell_move(gone, came, &t))
                text_add(&t, "from a %s to a %s", gone->use, came->use);
        }
        *told = (struct told){10, d.before < d.after, t.v};
    } else if (d.cames && out->loops == in->loops && out->switches == in->switches) {
        bool behind = (came->place[LOOP] == 'a' || came->left) && strcmp(came->use, "value") == 0;
        text_add(&t, "%s new for a %s%s", name, came->use, behind ? " behind a loop" : "");
        *told = (struct told){0, false, t.v};
    } else if (d.cames) {
        text_add(&t, "copied");
        *told = (struct told){10, true, t.v};
    } else if (kept) {
        bool loop = in_loop(gone->place[LOOP]) && !in_loop(kept->place[LOOP]);
        bool branch = gone->depth > kept->depth ||
                      (gone->place[LOOP] == 'x' && kept->place[LOOP] == 'i') ||
                      (gone->place[CASES] == 'i' && kept->place[CASES] != 'i');
        bool behind = gone->place[LOOP] == 'a' && in_loop(kept->place[LOOP]);
        text_add(&t, "reused, %s",
                 loop && kept->place[LOOP] == 'f' ? "into a loop"
                 : branch && !behind              ? "into a branch"
                                                  : "behind");
        *told = (struct told){20, false, t.v};
    } else {
        text_add(&t, "%s gone", name);
        *told = (struct told){30, false, t.v};
    }
    return true;
}

static void tell_count(struct text *t, const char *what, uint32_t before, uint32_t after)
{
    if (before != after)
        text_add(t, "%s%s%s", t->n ? ", " : "", what, before < after ? "+" : "-");
}

bool blame_change(const uint32_t *in_words, size_t in_count, const uint32_t *out_words,
                  size_t out_count, char text[BLAME_CHANGE])
{
    struct arena a = {0};
    struct spv_module x, y;
    struct side in, out;
    struct text t = {.arena = &a};
    struct told best = {.rank = 1000, .text = ""};
    bool telling = false;
    text_addn(&t, "", 0);
    if (sides_read(&a, in_words, in_count, &x, &in, out_words, out_count, &y, &out)) {
        for (uint32_t i = 0; i < in.ops + out.ops; i++) {
            struct told told;
            const char *name = i < in.ops ? in.op[i].name : out.op[i - in.ops].name;
            if (tell_name(&a, &in, &out, name, &told) &&
                (told.rank < best.rank ||
                 (told.rank == best.rank && strcmp(told.text, best.text) < 0)))
                best = told;
        }
        text_add(&t, "%s", best.text);
        telling = best.text[0] != 0;
        tell_count(&t, "loops", in.loops, out.loops);
        tell_count(&t, "switches", in.switches, out.switches);
        tell_count(&t, "calls", in.calls, out.calls);
        // A copy that stands on an edge brings a selection along.
        if (best.copied ? in.tests > out.tests || in.loops < out.loops : true)
            tell_count(&t, "ifs", in.tests, out.tests);
        if (!t.n) {
            change_rest(&x, &y, &t);
            telling = t.n != 0;
        }
    }
    snprintf(text, BLAME_CHANGE, "%s", t.v);
    arena_free(&a);
    return telling;
}

unsigned blame_change_of_op(const uint32_t *in_words, size_t in_count, uint32_t id,
                            const uint32_t *out_words, size_t out_count)
{
    struct arena a = {0};
    struct spv_module x, y;
    struct side in, out;
    unsigned what = 0;
    if (sides_read(&a, in_words, in_count, &x, &in, out_words, out_count, &y, &out) &&
        id < x.bound && x.def[id] != UINT32_MAX) {
        struct differ d = {.gones = 0};
        char name[64];
        shape_op(&x, &x.insts[x.def[id]], name, sizeof name);
        d.gones = alone(&a, &in, &out, name, d.gone, &d.kept, &d.before);
        d.cames = alone(&a, &out, &in, name, d.came, &d.kept, &d.after);
        what = (d.after < d.before ? BLAME_OP_FEWER : 0u) |
               (d.after > d.before ? BLAME_OP_MORE : 0u) |
               (d.gones && d.cames ? BLAME_OP_ELSEWHERE : 0u);
    }
    arena_free(&a);
    return what;
}
