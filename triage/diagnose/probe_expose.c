// SPDX-License-Identifier: Apache-2.0
//
// Builds a case that stores a group operation's result right after it, in a separate buffer. If
// that word is wrong, the operation is wrong, whatever its result is used for: a wrong branch or a
// value computed from it is a consequence.
#include "construct.h"
#include "expose.h"

#include <string.h>

enum {
    FREE_BINDING = 31
}; // cases count bindings from 0; one that already exposes a result may use this one

// Returns the pointer type of an existing buffer that is an array of words; 0 for none.
static uint32_t words_type(const struct spv_module *m)
{
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *v = &m->insts[k];
        if (v->op != SpvOpVariable || v->v[0] != SpvStorageClassStorageBuffer)
            continue;
        const struct spv_inst *p = spv_def(m, v->type), *s = p ? spv_def(m, p->v[1]) : NULL;
        const struct spv_inst *r =
            s && s->op == SpvOpTypeStruct && s->n == 1 ? spv_def(m, s->v[0]) : NULL;
        const struct spv_inst *u = r && r->op == SpvOpTypeRuntimeArray ? spv_def(m, r->v[0]) : NULL;
        if (u && u->op == SpvOpTypeInt && u->v[0] == 32 && u->v[1] == 0)
            return v->type;
    }
    return 0;
}

static void decorate(struct exposing *r, uint32_t id, SpvDecoration d, uint32_t v)
{
    SPV_EDIT_INSERT(&r->e, r->decorations, SpvOpDecorate, id, (uint32_t)d, v);
}

// Declares the same type in a module without such a buffer.
static uint32_t new_words_type(struct exposing *r, uint32_t *array, uint32_t *block)
{
    *array = SPV_EDIT_DECLARE(&r->e, SpvOpTypeRuntimeArray, 0, spv_edit_uint(&r->e));
    *block = SPV_EDIT_DECLARE(&r->e, SpvOpTypeStruct, 0, *array);
    return SPV_EDIT_DECLARE(&r->e, SpvOpTypePointer, 0, SpvStorageClassStorageBuffer, *block);
}

static void decorate_words_type(struct exposing *r, uint32_t array, uint32_t block)
{
    decorate(r, array, SpvDecorationArrayStride, 4);
    SPV_EDIT_INSERT(&r->e, r->decorations, SpvOpDecorate, block, SpvDecorationBlock);
    SPV_EDIT_INSERT(&r->e, r->decorations, SpvOpMemberDecorate, block, 0, SpvDecorationOffset, 0);
}

// Returns the variable of a built-in; 0 for none.
static uint32_t builtin(const struct spv_module *m, uint32_t which)
{
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *d = &m->insts[k];
        if (d->op == SpvOpDecorate && d->n >= 3 && d->v[1] == SpvDecorationBuiltIn &&
            d->v[2] == which && spv_def(m, d->v[0]) && spv_def(m, d->v[0])->op == SpvOpVariable)
            return d->v[0];
    }
    return 0;
}

uint32_t expose_value(struct exposing *r, SpvOp op, uint32_t type, const uint32_t *v, uint32_t n)
{
    uint32_t words[EXPOSE_OPERANDS + 2] = {type, spv_edit_id(&r->e)};
    CHECK(n <= EXPOSE_OPERANDS);
    memcpy(words + 2, v, n * sizeof *v);
    spv_edit_insert(&r->e, r->code, op, words, n + 2);
    return words[1];
}

// Converts the result to one word, or to its most informative part; 0 if it cannot be converted.
static uint32_t as_word(struct exposing *r, SpvOp op, uint32_t id, uint32_t type)
{
    const struct spv_inst *t = spv_def(r->e.m, type);
    const uint32_t u = spv_edit_uint(&r->e);
    if (t->op == SpvOpTypeVector) {
        // The first word of a ballot has the lanes; of another vector the last component is lost
        // most easily.
        uint32_t at = op == SpvOpGroupNonUniformBallot ? 0 : t->v[1] - 1;
        uint32_t part =
            expose_value(r, SpvOpCompositeExtract, t->v[0], (const uint32_t[]){id, at}, 2);
        return as_word(r, op, part, t->v[0]);
    }
    if (t->op == SpvOpTypeBool) {
        uint32_t one = spv_edit_constant(&r->e, u, 1);
        uint32_t zero = spv_edit_constant(&r->e, u, 0);
        return expose_value(r, SpvOpSelect, u, (const uint32_t[]){id, one, zero}, 3);
    }
    if (type == u)
        return id;
    if ((t->op == SpvOpTypeInt || t->op == SpvOpTypeFloat) && t->v[0] == 32)
        return expose_value(r, SpvOpBitcast, u, &id, 1);
    if (t->op == SpvOpTypeInt && t->v[0] < 32)
        return expose_value(r, SpvOpUConvert, u, &id, 1);
    if (t->op == SpvOpTypeInt && t->v[0] == 64) {
        uint32_t two = SPV_EDIT_DECLARE(&r->e, SpvOpTypeVector, 0, u, 2);
        uint32_t both = expose_value(r, SpvOpBitcast, two, &id, 1);
        uint32_t low = expose_value(r, SpvOpCompositeExtract, u, (const uint32_t[]){both, 0}, 2);
        uint32_t high = expose_value(r, SpvOpCompositeExtract, u, (const uint32_t[]){both, 1}, 2);
        return expose_value(r, SpvOpBitwiseXor, u, (const uint32_t[]){low, high}, 2);
    }
    return 0;
}

// Reports whether that word holds the entire result.
static bool is_a_word(const struct exposing *r, const struct spv_inst *op)
{
    const struct spv_inst *t = spv_def(r->e.m, op->type);
    return op->op == SpvOpGroupNonUniformBallot || t->op == SpvOpTypeBool ||
           ((t->op == SpvOpTypeInt || t->op == SpvOpTypeFloat) && t->v[0] <= 32);
}

uint32_t expose_element(struct exposing *r, uint32_t words, uint32_t k)
{
    const uint32_t u = spv_edit_uint(&r->e), zero = spv_edit_constant(&r->e, u, 0);
    const uint32_t three = SPV_EDIT_DECLARE(&r->e, SpvOpTypeVector, 0, u, 3);
    const uint32_t pointer =
        SPV_EDIT_DECLARE(&r->e, SpvOpTypePointer, 0, SpvStorageClassStorageBuffer, u);
    const uint32_t ids = expose_value(r, SpvOpLoad, three, &r->global, 1);
    uint32_t at = expose_value(r, SpvOpCompositeExtract, u, (const uint32_t[]){ids, 0}, 2);
    if (words > 1) {
        const uint32_t each = spv_edit_constant(&r->e, u, words),
                       more = spv_edit_constant(&r->e, u, k);
        at = expose_value(r, SpvOpIMul, u, (const uint32_t[]){at, each}, 2);
        at = expose_value(r, SpvOpIAdd, u, (const uint32_t[]){at, more}, 2);
    }
    return expose_value(r, SpvOpAccessChain, pointer, (const uint32_t[]){r->buffer, zero, at}, 3);
}

// Stores the word at the invocation's element of the buffer. `word` 0: adds one to the old value.
// `mixed`: hashes the word with the old value.
static void store(struct exposing *r, uint32_t word, bool mixed)
{
    const uint32_t u = spv_edit_uint(&r->e), at = expose_element(r, 1, 0);
    if (!word || mixed) {
        uint32_t old = expose_value(r, SpvOpLoad, u, &at, 1);
        uint32_t factor = mixed ? spv_edit_constant(&r->e, u, 31) : 0;
        if (mixed)
            old = expose_value(r, SpvOpIMul, u, (const uint32_t[]){old, factor}, 2);
        uint32_t more = word ? word : spv_edit_constant(&r->e, u, 1);
        word = expose_value(r, SpvOpIAdd, u, (const uint32_t[]){old, more}, 2);
    }
    SPV_EDIT_INSERT(&r->e, r->code, SpvOpStore, at, word);
}

static uint32_t width(const struct spv_module *m, const struct spv_case *c)
{
    for (uint32_t k = 0; k < m->inst_count; k++)
        if (m->insts[k].op == SpvOpExecutionMode && m->insts[k].n >= 3 &&
            m->insts[k].v[1] == SpvExecutionModeLocalSize)
            return m->insts[k].v[2] * c->groups[0];
    return 0;
}

// Reports whether an instruction writes to a buffer.
static bool writes(const struct spv_module *m, const struct spv_inst *i)
{
    const struct spv_inst *p = i->op == SpvOpStore ? spv_def(m, i->v[0]) : NULL;
    const struct spv_inst *t = p && p->type ? spv_def(m, p->type) : NULL;
    return t && t->op == SpvOpTypePointer && t->v[0] == SpvStorageClassStorageBuffer;
}

static bool is_type(uint32_t op)
{
    return spv_op_class(op) == SPV_CLASS_TYPE_DECLARATION;
}

// What to store, and where.
struct shown {
    enum diag_expose what;
    uint32_t op;               // store the result of this instruction after it; or
    const struct spv_block *x; // store the condition at the end of this block,
    uint32_t to;               // and always branch to this label
};

// Stores the condition at the end of its block, and replaces the branch.
static void put_condition(struct exposing *r, const struct shown *s)
{
    const struct spv_module *m = r->e.m;
    const struct spv_inst *condition = spv_def(m, m->insts[s->x->last].v[0]);
    r->code = s->x->merge ? s->x->merge : s->x->last;
    store(r, as_word(r, 0, condition->result, condition->type), false);
    spv_edit_set(&r->e, s->x->last, SpvOpBranch, &s->to, 1);
    if (s->x->merge && m->insts[s->x->merge].op == SpvOpSelectionMerge)
        spv_edit_drop(&r->e, s->x->merge);
}

// Stores an operation's result right after it, or counts its executions. False if it has no word.
static bool put_result(struct exposing *r, const struct shown *s)
{
    const struct spv_inst *op = &r->e.m->insts[s->op];
    const bool show = s->what != DIAG_EXPOSE_COUNT;
    r->code = s->op + 1;
    if (s->what == DIAG_EXPOSE_EACH && !is_a_word(r, op))
        return false;
    const uint32_t word = show ? as_word(r, (SpvOp)op->op, op->result, op->type) : 0;
    if (show && !word)
        return false;
    store(r, word, s->what == DIAG_EXPOSE_EACH);
    return true;
}

// Adds the buffer (since version 1.4) and a new built-in to the interface of an entry point.
static void add_interface(struct spv_edit *e, uint32_t k, uint32_t buffer, uint32_t global)
{
    const struct spv_node *x = e->node.v[k];
    uint32_t *v = ARENA_ARRAY(e->a, uint32_t, x->n + 2), n = x->n;
    memcpy(v, x->v, n * sizeof *v);
    if (e->m->version >= 0x00010400)
        v[n++] = buffer;
    if (global)
        v[n++] = global;
    spv_edit_set(e, k, SpvOpEntryPoint, v, n);
}

static uint32_t free_binding(const struct spv_case *c)
{
    uint32_t binding = FREE_BINDING;
    for (uint32_t k = 0; k < c->buffer_count; k++)
        if (c->buffer[k].set == 0 && c->buffer[k].binding >= binding)
            binding = c->buffer[k].binding + 1;
    return binding;
}

bool expose_open(struct exposing *r, struct arena *a, const struct spv_case *c,
                 const struct spv_module *m)
{
    *r = (struct exposing){.binding = free_binding(c), .invocations = width(m, c)};
    if (c->buffer_count == SPV_CASE_BUFFERS || !r->invocations || r->invocations > 4096)
        return false;
    uint32_t type = words_type(m), array = 0, block = 0;
    r->global = builtin(m, SpvBuiltInGlobalInvocationId);
    const bool known = r->global != 0;
    spv_edit_start(&r->e, a, c, m, 0);
    while (r->decorations < m->functions[0].first && !is_type(m->insts[r->decorations].op))
        r->decorations++;
    if (!type)
        type = new_words_type(r, &array, &block);
    const uint32_t u = spv_edit_uint(&r->e);
    if (!known) {
        uint32_t three = SPV_EDIT_DECLARE(&r->e, SpvOpTypeVector, 0, u, 3);
        uint32_t in = SPV_EDIT_DECLARE(&r->e, SpvOpTypePointer, 0, SpvStorageClassInput, three);
        r->global = SPV_EDIT_DECLARE(&r->e, SpvOpVariable, in, SpvStorageClassInput);
    }
    r->buffer = SPV_EDIT_DECLARE(&r->e, SpvOpVariable, type, SpvStorageClassStorageBuffer);
    decorate(r, r->buffer, SpvDecorationDescriptorSet, 0);
    decorate(r, r->buffer, SpvDecorationBinding, r->binding);
    if (array)
        decorate_words_type(r, array, block);
    if (!known)
        decorate(r, r->global, SpvDecorationBuiltIn, SpvBuiltInGlobalInvocationId);
    for (uint32_t k = 0; k < m->functions[0].first; k++)
        if (m->insts[k].op == SpvOpEntryPoint)
            add_interface(&r->e, k, r->buffer, known ? 0 : r->global);
    return true;
}

void expose_close(struct exposing *r, uint32_t words, struct spv_case *out)
{
    const uint32_t count = r->invocations * words;
    spv_edit_write(&r->e, false);
    *out = r->e.c;
    out->has_log = false;
    out->buffer_count++;
    memmove(out->buffer + 1, out->buffer, (out->buffer_count - 1) * sizeof *out->buffer);
    out->buffer[0] = (struct spv_buffer){.set = 0,
                                         .binding = r->binding,
                                         .fill = SPV_FILL_ZERO,
                                         .count = count,
                                         .words = ARENA_ARRAY(r->e.a, uint32_t, count)};
}

static bool expose(struct arena *a, const struct spv_case *c, const struct spv_module *m,
                   const struct shown *s, struct spv_case *out)
{
    struct exposing r;
    if (!expose_open(&r, a, c, m))
        return false;
    for (uint32_t k = m->functions[0].first; s->what == DIAG_EXPOSE_ALONE && k < m->inst_count; k++)
        if (writes(m, &m->insts[k]))
            spv_edit_drop(&r.e, k);
    if (s->x)
        put_condition(&r, s);
    else if (!put_result(&r, s))
        return false;
    expose_close(&r, 1, out);
    return true;
}

bool diag_expose(struct arena *a, const struct spv_case *c, uint32_t id, enum diag_expose what,
                 struct spv_case *out)
{
    struct spv_module m;
    struct shown s = {.what = what};
    if (!spv_module_read(a, c->words, c->count, &m, NULL) || id >= m.bound ||
        m.def[id] == UINT32_MAX)
        return false;
    s.op = m.def[id];
    return expose(a, c, &m, &s, out);
}

bool diag_expose_condition(struct arena *a, const struct spv_case *c, uint32_t label, uint32_t side,
                           struct spv_case *out)
{
    struct spv_module m;
    struct shown s = {.what = DIAG_EXPOSE_ALONE};
    if (!spv_module_read(a, c->words, c->count, &m, NULL) || label >= m.bound ||
        m.block_of[label] == UINT32_MAX)
        return false;
    s.x = &m.blocks[m.block_of[label]];
    const struct spv_inst *t = &m.insts[s.x->last];
    const struct spv_inst *condition =
        t->op == SpvOpBranchConditional ? spv_def(&m, t->v[0]) : NULL;
    if (!condition || spv_block_at(&m, m.def[condition->result]) == UINT32_MAX) // a constant
        return false;
    s.to = t->v[side ? 1 : 2];
    return expose(a, c, &m, &s, out);
}

bool diag_is_exposed(const struct spv_case *c, const struct judge_verdict *v)
{
    struct arena a = {0};
    struct spv_module m;
    struct site s = {0};
    if (spv_module_read(&a, c->words, c->count, &m, NULL))
        site_find(&a, c, &m, v, &s);
    bool reached = v->klass != JUDGE_MISSING_EXECUTION && v->klass != JUDGE_EXTRA_EXECUTION;
    uint32_t at = s.has_op && reached ? s.store : 0, hops = 0;
    while (at && at != s.op && hops++ < 8) {
        const struct spv_inst *i = &m.insts[at];
        bool passes = i->op == SpvOpStore || i->op == SpvOpBitcast ||
                      i->op == SpvOpCompositeExtract || i->op == SpvOpSelect ||
                      i->op == SpvOpUConvert;
        uint32_t from = passes && i->n ? i->v[i->op == SpvOpStore] : 0;
        at = from && from < m.bound && m.def[from] != UINT32_MAX ? m.def[from] : 0;
    }
    bool is = at != 0 && at == s.op;
    arena_free(&a);
    return is;
}
