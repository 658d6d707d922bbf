// SPDX-License-Identifier: Apache-2.0
//
// Fills the table: each model at each subgroup size. Runs maximal reconvergence first, with every
// choice left open. If that run is defined and executes atomics, repeats it in other orders; then
// runs the weaker models.
#include "ask.h"

#include <string.h>

const struct por_status_row por_status_rows[POR_STATUSES] = {
#define ROW(name, ...) [POR_##name] = {__VA_ARGS__},
    POR_STATUS_ROWS(ROW)
#undef ROW
};

enum spv_model por_model(uint32_t k)
{
    static const enum spv_model models[POR_MODELS] = {SPV_WORKGROUP_UNIFORM, SPV_SUBGROUP_UNIFORM,
                                                      SPV_MAXIMAL};
    return models[k];
}

const char *por_model_line(uint32_t k)
{
    static const char *const lines[POR_MODELS] = {"Vulkan alone", "+ subgroup uniform control flow",
                                                  "+ maximal reconvergence"};
    return lines[k];
}

void por_run(struct por_table *b, struct arena *in, uint32_t k, uint32_t size,
             const struct orc_options *how, struct por_ran *out)
{
    struct orc_options o = *how;
    if (in == &b->now)
        b->plain.known = false;
    arena_reset(in);
    *out = (struct por_ran){.t = {.arena = in}};
    o.trace = &out->t;
    o.scratch = &b->scratch;
    o.step_limit = POR_STEPS;
    o.forgive = b->forgive;
    o.robust_images = true;
    o.any_value = b->made_up;
    if (!o.order)
        o.order = 1;
    if (!b->p[k]) {
        out->r.why = b->refused[k];
        return;
    }
    arena_reset(&b->races);
    struct por_run_key key;
    const bool keeps = por_run_key(b, k, size, how, &key),
               found = keeps && por_run_again(b, &key, in, out);
    if (!found) {
        b->raced = (struct orc_raced){.arena = &b->races};
        o.raced = b->forgive && !b->loads_end ? &b->raced : NULL;
        orc_run(b->p[k], in, &b->c[k], size, &o, &out->r);
        if (b->raced.found) {
            b->raced.taint = true;
            arena_reset(in);
            *out = (struct por_ran){.t = {.arena = in}};
            orc_run(b->p[k], in, &b->c[k], size, &o, &out->r);
        }
        if (keeps)
            por_run_keep(b, &key, out);
    }
    if (b->given->made)
        por_run_note(b, out, found);
    if (in == &b->now && k == POR_MAXIMAL && !b->forgive && !b->made_up && how->any_policy &&
        !how->order && !how->relaxed && !how->lanes && !how->elects) {
        b->plain.known = true;
        b->plain.size = size;
        b->plain.ran = *out;
    }
}

// The same under maximal reconvergence with every choice left open. Takes over the last run if it
// was that.
static void plain_run(struct por_table *b, struct arena *in, uint32_t size, struct por_ran *out)
{
    if (!b->plain.known || b->plain.size != size || b->forgive || b->made_up) {
        por_run(b, in, POR_MAXIMAL, size, &(struct orc_options){.any_policy = true}, out);
        return;
    }
    const struct arena was = *in;
    *in = b->now;
    b->now = was;
    b->plain.known = false;
    *out = b->plain.ran;
    out->t.arena = in;
}

void por_load(struct por_table *b, const struct spv_case *c)
{
    for (uint32_t k = 0; k < POR_MODELS; k++) {
        b->c[k] = *c;
        b->c[k].model = por_model(k);
        b->c[k].subgroup = 0;
        b->c[k].expect_count = 0;
        b->c[k].has_policy = false;
        b->p[k] = orc_load_assumed(&b->load, &b->c[k], &b->refused[k]);
    }
}

// The instruction where a run ended.
uint32_t por_ended_at(const struct por_table *b, const struct orc_why *why)
{
    for (uint32_t k = 0; why->at && k < b->w.m->inst_count; k++)
        if (b->w.m->insts[k].at == why->at)
            return k;
    return 0;
}

bool por_fill_shape(struct por_table *b, struct arena *in, const struct por_shape *shape,
                    struct spv_case *c, struct err *e)
{
    if (in != b->w.a)
        arena_reset(in);
    *c = *b->bare;
    return por_fill_case(in, c, b->own, b->given, shape, &b->out->inputs, e);
}

static bool same_constants(const struct spv_case *x, const struct spv_case *y)
{
    bool same = x->spec_count == y->spec_count;
    for (uint32_t k = 0; same && k < x->spec_count; k++)
        same = x->spec[k].id == y->spec[k].id && x->spec[k].value == y->spec[k].value;
    return same;
}

void por_take(struct por_table *b, const struct spv_case *c)
{
    b->plain = (struct por_plain){0};
    b->runs.hashed = false;
    if (!same_constants(c, &b->c[POR_MAXIMAL])) {
        arena_reset(&b->load);
        por_load(b, c);
    }
    for (uint32_t j = 0; j < POR_MODELS; j++) {
        memcpy(b->c[j].buffer, c->buffer, sizeof c->buffer);
        memcpy(b->c[j].image, c->image, sizeof c->image);
        memcpy(b->c[j].sampler, c->sampler, sizeof c->sampler);
        memcpy(b->c[j].push, c->push, sizeof c->push);
        memcpy(b->c[j].groups, c->groups, sizeof c->groups);
        b->c[j].buffer_count = c->buffer_count;
        b->c[j].image_count = c->image_count;
        b->c[j].sampler_count = c->sampler_count;
        b->c[j].push_count = c->push_count;
    }
}

void por_note(struct por_table *b, const char *text)
{
    for (size_t k = 0; k < b->out->notes.n; k++)
        if (strcmp(b->out->notes.v[k], text) == 0)
            return;
    *VEC_PUSH(b->w.a, &b->out->notes) = text;
}

// ---- one run ----------------------------------------------------------------------

// Finds the word that is not defined and has the worst origin; false: all words are defined.
static bool undefined_word(const struct por_ran *x, uint32_t *buffer, uint32_t *word,
                           struct orc_origin *from)
{
    bool found = false;
    for (uint32_t k = 0; k < x->r.memory_count; k++) {
        const struct spv_memory *m = &x->r.memory[k];
        for (uint32_t i = 0; m->mask && i < m->count; i++) {
            if (m->mask[i] == UINT32_MAX)
                continue;
            const struct orc_origin o = orc_origin(x->t.words[k] ? x->t.words[k][i] : 0);
            if (found && o.birth <= from->birth)
                continue;
            found = true;
            *buffer = k, *word = i, *from = o;
        }
    }
    return found;
}

static bool is_promise(struct orc_origin o)
{
    return o.birth == ORC_ORIGIN_UNPROMISED || o.birth == ORC_ORIGIN_CHOICE;
}

void por_judge_run(struct por_table *b, uint32_t k, const struct por_ran *x,
                   const struct por_cell *maximal, struct por_cell *out)
{
    struct por_reason *why = &out->reason;
    uint32_t buffer, word;
    struct orc_origin from;
    *out = (struct por_cell){.status = POR_PORTABLE, .reason = {.text = "", .fix = ""}};
    b->w.unpromised = x->t.unpromised;
    if (x->r.why.status == RAN_OK) {
        if (!undefined_word(x, &buffer, &word, &from))
            return;
        const char *sink = por_word_text(&b->w, buffer, word);
        if (is_promise(from)) {
            out->status = POR_RECONVERGENCE;
            por_reason_promise(&b->w, k, from, sink, from.inst, why);
        } else {
            out->status = por_reason_value(&b->w, from, sink, from.inst, why);
        }
        return;
    }
    const uint32_t at = por_ended_at(b, &x->r.why);
    if (x->r.why.status == RAN_UNDEFINED && is_promise(x->t.fault)) {
        out->status = POR_RECONVERGENCE;
        memcpy(why->rule, x->r.why.rule, sizeof why->rule);
        por_reason_promise(&b->w, k, x->t.fault, por_inst_text(&b->w, at), at, why);
        return;
    }
    if (x->r.why.status == RAN_UNDEFINED && k != POR_MAXIMAL &&
        maximal->status <= POR_RECONVERGENCE) {
        out->status = POR_RECONVERGENCE;
        memcpy(why->rule, x->r.why.rule, sizeof why->rule);
        por_reason_weak(&b->w, k, &x->r.why, at, why);
        return;
    }
    out->status = por_reason_fault(&b->w, &x->r, &x->t, at, why);
}

// A subgroup that is not full lacks lanes that the shader may assume to exist.
static void not_full(struct por_table *b, uint32_t size, struct por_cell *c)
{
    uint32_t local[3];
    struct err e;
    static const char *const others[] = {"E-uniform", "E-race", "E-barrier", "E-align"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(c->reason.rule, others[k]) == 0) // lanes do not matter
            return;
    if (c->status != POR_UNDEFINED || !spv_local_size(&b->c[POR_MAXIMAL], b->w.m, local, &e))
        return;
    const uint32_t n = local[0] * local[1] * local[2];
    if (n % size)
        c->reason.fix = arena_printf(b->w.a,
                                     "%s%sa workgroup of %u does not fill its last subgroup of %u: "
                                     "does the shader assume that all lanes exist?",
                                     c->reason.fix, c->reason.fix[0] ? "; " : "", n, size);
}

// ---- orders -----------------------------------------------------------------------

bool por_differ(struct por_table *b, const struct por_ran *x, const struct por_ran *y, bool rounded,
                uint32_t *buffer, uint32_t *word)
{
    for (uint32_t k = 0; k < x->r.memory_count; k++)
        for (uint32_t i = 0; x->r.memory[k].words != y->r.memory[k].words && // not written
                             i < x->r.memory[k].count;
             i++) {
            const uint32_t sure = (x->r.memory[k].mask ? x->r.memory[k].mask[i] : UINT32_MAX) &
                                  (y->r.memory[k].mask ? y->r.memory[k].mask[i] : UINT32_MAX);
            if (!((x->r.memory[k].words[i] ^ y->r.memory[k].words[i]) & sure) ||
                (!rounded && x->t.words[k] &&
                 orc_origin(x->t.words[k][i]).birth == ORC_ORIGIN_ROUNDED))
                continue;
            if (por_same_set(b, x, y, k, i))
                break; // the rest of the buffer is the same set, too
            *buffer = k, *word = i;
            return true;
        }
    return false;
}

static struct orc_origin order_of(const struct por_table *b, const struct por_ran *x,
                                  uint32_t buffer, uint32_t word)
{
    const struct orc_origin o = orc_origin(x->t.words[buffer] ? x->t.words[buffer][word] : 0);
    if (o.birth == ORC_ORIGIN_ORDER)
        return o;
    if (x->t.branches[ORC_ORIGIN_ORDER])
        return x->t.branch_origin[ORC_ORIGIN_ORDER];
    for (uint32_t k = 0; k < b->w.m->inst_count; k++)
        if (spv_op_class(b->w.m->insts[k].op) == SPV_CLASS_ATOMIC)
            return (struct orc_origin){ORC_ORIGIN_ORDER, k};
    return o;
}

// `race`: the fault that the first run has continued through, if it has.
static void orders(struct por_table *b, uint32_t size, const struct por_ran *first,
                   const struct por_cell *race, struct por_cell *out)
{
    bool used = first->t.branches[ORC_ORIGIN_ORDER] != 0;
    for (uint32_t k = 0; k < first->r.memory_count; k++)
        for (uint32_t i = 0; first->t.words[k] && i < first->r.memory[k].count && !used; i++)
            used = orc_origin(first->t.words[k][i]).birth == ORC_ORIGIN_ORDER;
    for (uint32_t order = 2; order <= ORC_ORDERS && first->t.atomics; order++) {
        struct por_ran other;
        uint32_t buffer = 0, word = 0;
        por_run(b, &b->now, POR_MAXIMAL, size,
                &(struct orc_options){.any_policy = true, .order = order}, &other);
        struct orc_origin from_other;
        const bool waits = other.r.why.status == RAN_OVER_LIMIT,
                   lacks = other.r.why.status == RAN_OK &&
                           undefined_word(&other, &buffer, &word, &from_other);
        if (other.r.why.status == RAN_OK && !lacks &&
            !por_differ(b, first, &other, true, &buffer, &word))
            continue;
        if (other.t.fault.birth == ORC_ORIGIN_RACED) { // the value that is dead in the first order
            *out = *race;
            return;
        }
        if (lacks || (other.r.why.status != RAN_OK && !waits)) {
            por_judge_run(b, POR_MAXIMAL, &other, out, out);
            return;
        }
        const uint32_t ended = waits ? por_ended_at(b, &other.r.why) : 0,
                       header = waits ? por_around(&b->w, ended) : 0,
                       at = header && por_is_loop(&b->w, header) ? header : ended;
        const struct orc_origin from =
            waits ? (struct orc_origin){ORC_ORIGIN_ORDER, at} : order_of(b, first, buffer, word);
        out->status = POR_ORDER;
        out->reason.from = por_place(b->w.a, b->w.m, from.inst);
        out->reason.at = out->reason.from;
        const bool sum = b->w.m->insts[from.inst].op == SpvOpAtomicFAddEXT;
        out->reason.text =
            sum ? arena_printf(
                      b->w.a,
                      "%s adds floats, and the rounding of the sum depends on the order in which "
                      "invocations run; two legal orders produce different values in %s "
                      "(%#x, %#x).",
                      por_inst_text(&b->w, from.inst), por_word_text(&b->w, buffer, word),
                      first->r.memory[buffer].words[word], other.r.memory[buffer].words[word])
            : waits
                ? arena_printf(b->w.a,
                               "around %s an invocation waits for another one; Vulkan promises "
                               "no forward progress between them, so it may wait forever.",
                               por_inst_text(&b->w, from.inst))
                : arena_printf(b->w.a,
                               "%s returns a value that depends on the order of atomics; two legal "
                               "orders produce different values in %s (%#x, %#x).",
                               por_inst_text(&b->w, from.inst), por_word_text(&b->w, buffer, word),
                               first->r.memory[buffer].words[word],
                               other.r.memory[buffer].words[word]);
        out->reason.fix =
            sum ? "compare with a tolerance, or add integers (fixed point)"
            : waits
                ? "do not wait for other invocations, or only for those that have already started"
                : "let no result depend on which invocation is first (positions from a scan "
                  "instead of a counter); if the order of the elements means nothing, --unordered";
        return;
    }
    out->tried = (used ? POR_TRIED_ORDERS : 0) | (b->waits ? POR_TRIED_NOTED : 0);
}

// ---- elections --------------------------------------------------------------------

bool por_elections(struct por_table *b, uint32_t k, uint32_t size, const struct por_ran *maximal,
                   struct por_ran *x)
{
    static const enum spv_policy all[] = {SPV_POLICY_JOIN, SPV_POLICY_SPLIT};
    const struct orc_origin from = x->t.fault;
    if (x->r.why.status != RAN_UNDEFINED || from.birth != ORC_ORIGIN_UNPROMISED ||
        b->w.m->insts[from.inst].op != SpvOpGroupNonUniformElect || maximal->r.why.status != RAN_OK)
        return false;
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        struct por_ran other;
        uint32_t buffer, word;
        struct orc_origin why;
        const struct spv_choices choices = {.base = all[n]};
        por_run(b, &b->now, k, size, &(struct orc_options){.elects = true, .policy = &choices},
                &other);
        if (other.r.why.status != RAN_OK || undefined_word(&other, &buffer, &word, &why) ||
            por_differ(b, maximal, &other, true, &buffer, &word))
            return false;
    }
    por_note(b,
             arena_printf(
                 b->w.a,
                 "the result does not depend on %s: it is the same if each invocation is elected",
                 por_inst_text(&b->w, from.inst)));
    return true;
}

// ---- the table --------------------------------------------------------------------

static void all_unknown(struct por_answer *out, const char *text)
{
    for (uint32_t k = 0; k < POR_MODELS; k++)
        for (uint32_t s = 0; s < out->sizes; s++)
            out->cell[k][s] =
                (struct por_cell){.status = POR_UNKNOWN, .reason = {.text = text, .fix = ""}};
    out->worst = POR_UNKNOWN;
}

// Enters a cell of this round if it is worse than the cell in the table. A round with invented
// inputs that shows nothing never improves a cell.
static void put(struct por_table *b, uint32_t k, uint32_t s, struct por_cell now)
{
    struct por_cell *was = &b->out->cell[k][s];
    if (!b->with[0]) {
        *was = now;
        return;
    }
    was->tried |= now.tried;
    if (now.status <= POR_LETTER && was->status == POR_UNKNOWN)
        return;
    if (now.status == POR_UNKNOWN || (was->status != POR_UNKNOWN && now.status <= was->status))
        return;
    if (now.reason.text[0])
        now.reason.text = arena_printf(b->w.a, "with %s, %s", b->with, now.reason.text);
    *was = now;
}

// A cell that a continued run adds to a cell that is not known.
static struct por_cell after(struct por_table *b, struct por_cell first, struct por_cell now)
{
    if (first.status != POR_UNKNOWN || now.status != POR_RECONVERGENCE)
        return first;
    por_note(b, arena_printf(b->w.a, "also not known: %s", first.reason.text));
    return now;
}

// `text` says that memory was never written, and what it "decides".
static void note_made_up(struct por_table *b, const char *text)
{
    static const char word[] = "; it decides ";
    const char *cut = strstr(text, word);
    const char *says = cut ? arena_printf(b->w.a, "%.*s, and it goes into %s", (int)(cut - text),
                                          text, cut + strlen(word))
                           : text;
    por_note(b, arena_printf(b->w.a,
                             "%s The results are the same whatever that memory holds, as far "
                             "as runs with several contents show.",
                             says));
}

void por_one_size(struct por_table *b, struct arena *in, uint32_t s, struct por_ran *maximal)
{
    struct por_answer *out = b->out;
    const uint32_t size = out->size[s];
    struct por_cell order, cell[POR_MODELS];
    plain_run(b, in, size, maximal);
    por_judge_run(b, POR_MAXIMAL, maximal, &(struct por_cell){.status = POR_UNKNOWN},
                  &cell[POR_MAXIMAL]);
    not_full(b, size, &cell[POR_MAXIMAL]);
    const bool made_up = por_does_not_count(b, size, maximal, &cell[POR_MAXIMAL]);
    if (made_up) {
        note_made_up(b, cell[POR_MAXIMAL].reason.text);
        por_run(b, in, POR_MAXIMAL, size, &(struct orc_options){.any_policy = true}, maximal);
        por_judge_run(b, POR_MAXIMAL, maximal, &(struct por_cell){.status = POR_UNKNOWN},
                      &cell[POR_MAXIMAL]);
        cell[POR_MAXIMAL].tried = POR_TRIED_NOTED;
    }
    const struct por_cell first = cell[POR_MAXIMAL], good = {.status = POR_PORTABLE};
    struct por_cell own = first;
    const bool letter = own.status >= POR_UNDEFINED && por_go_on(b, in, size, maximal, &own);
    order = own;
    por_coverage(b, s, &maximal->t);
    if (maximal->r.why.status == RAN_OK && own.status == POR_PORTABLE)
        orders(b, size, maximal, &first, &order);
    cell[POR_MAXIMAL] = order;
    for (uint32_t k = 0; k < POR_MAXIMAL; k++) {
        struct por_ran x;
        if (own.status >= POR_UNDEFINED && (!b->forgive || b->agree)) { // no model changes that
            cell[k] = own;
            continue;
        }
        if (b->agree && own.status != POR_RECONVERGENCE) { // a run would show the same
            cell[k] = order;
            continue;
        }
        por_run(b, &b->now, k, size, &(struct orc_options){.any_policy = true}, &x);
        por_judge_run(b, k, &x, maximal->r.why.status == RAN_OK ? &good : &own, &cell[k]);
        if (cell[k].status == POR_RECONVERGENCE && por_elections(b, k, size, maximal, &x))
            cell[k] = (struct por_cell){.status = POR_PORTABLE,
                                        .tried = POR_TRIED_NOTED,
                                        .reason = {.text = "", .fix = ""}};
        if (own.status >= POR_UNDEFINED) {
            cell[k] = after(b, own, cell[k]);
        } else if (cell[k].status == POR_PORTABLE) {
            const uint8_t tried = cell[k].tried;
            cell[k] = order;
            cell[k].tried |= tried;
        }
    }
    if (cell[0].status == POR_RECONVERGENCE && cell[1].status <= POR_LETTER)
        cell[0].reason.fix = por_uniform_fix(&b->w, cell[0].reason.fix);
    for (uint32_t k = 0; k < POR_MAXIMAL; k++)
        for (uint32_t j = POR_MAXIMAL; cell[k].status == POR_RECONVERGENCE && j > k; j--)
            cell[k].reason.declare = cell[j].status <= POR_LETTER ? j : cell[k].reason.declare;
    for (uint32_t k = 0; letter && k < POR_MODELS; k++)
        if (cell[k].status == POR_PORTABLE) {
            cell[k].status = POR_LETTER;
            cell[k].reason = first.reason;
        }
    b->forgive = false;
    b->made_up = 0;
    for (uint32_t k = 0; k < POR_MODELS; k++) {
        cell[k].tried |= made_up ? POR_TRIED_NOTED : 0;
        put(b, k, s, cell[k]);
    }
}

void por_ask(struct arena *a, const struct spv_case *c, bool own, const struct por_given *given,
             const uint32_t *size, uint32_t sizes, struct por_answer *out)
{
    struct por_table *b = ARENA_NEW(a, struct por_table);
    struct err e;
    *out = (struct por_answer){.sizes = sizes, .inputs = {.text = ""}};
    memcpy(out->size, size, sizes * sizeof *size);
    b->out = out;
    b->w = (struct por_asker){.a = a, .m = &out->m, .c = c, .inputs = &out->inputs};
    if (!spv_module_read(a, c->words, c->count, &out->m, &e)) {
        all_unknown(out, arena_str(a, e.msg));
        return;
    }
    b->w.uniform = por_uniform_of(a, &out->m);
    b->agree = por_models_agree(&b->w);
    b->bare = c, b->own = own, b->given = given, b->with = b->more = "";
    b->reached = ARENA_ARRAY(a, uint32_t, out->m.block_count);
    const uint32_t middle = sizes > 3 ? 3 : sizes - 1;
    const bool filled = por_choose_shape(b, size[middle], &e);
    if (!filled || !b->p[POR_MAXIMAL]) {
        all_unknown(out, filled ? orc_why_line(a, &b->refused[POR_MAXIMAL]) : arena_str(a, e.msg));
        if (filled) {
            struct por_reason why = {.text = "", .fix = ""};
            const uint32_t at = por_ended_at(b, &b->refused[POR_MAXIMAL]);
            why.at = por_place(a, b->w.m, at);
            por_reason_refused(&b->w, &b->refused[POR_MAXIMAL], at, &why);
            for (uint32_t k = 0; k < POR_MODELS; k++)
                for (uint32_t s = 0; s < sizes; s++)
                    out->cell[k][s].reason = why;
        }
    } else {
        struct por_ran first = {.r = {.why = {.status = RAN_UNSUPPORTED}}}, x;
        bool sizes_differ = false, relaxed = false;
        for (uint32_t k = 0; k < out->m.inst_count && out->m.insts[k].op != SpvOpFunction; k++)
            relaxed |= out->m.insts[k].op == SpvOpDecorate &&
                       out->m.insts[k].v[1] == SpvDecorationRelaxedPrecision;
        for (uint32_t s = 0; s < sizes; s++) {
            uint32_t buffer, word;
            por_one_size(b, first.r.why.status == RAN_OK ? &b->here : &b->keep, s, &x);
            const bool fine =
                x.r.why.status == RAN_OK && out->cell[POR_MAXIMAL][s].status == POR_PORTABLE;
            if (fine && first.r.why.status == RAN_OK && !sizes_differ &&
                por_differ(b, &first, &x, false, &buffer, &word)) {
                sizes_differ = out->by_size = true;
                por_note(b,
                         arena_printf(a, "%s depends on the subgroup size: it differs at %u lanes",
                                      por_word_text(&b->w, buffer, word), out->size[s]));
            }
            b->one_run = x.r.stats.lane_steps;
            if (fine && s == middle && por_has_lanes(&out->m))
                por_mapping(b, out->size[s], &x);
            if (fine && s == middle && relaxed)
                por_precision(b, out->size[s], &x);
            if (fine && first.r.why.status != RAN_OK)
                first = x;
        }
        por_other_ways(b, size[middle]);
        por_say_alone(b);
        por_several(b);
        por_remainders(b);
        por_lost_decoration(b);
        por_aliases(b);
        por_outside(b, size[middle]);
        por_unreached(b);
        por_not_run(b);
        for (uint32_t k = 0; b->partly && k < POR_MODELS; k++)
            for (uint32_t s = 0; s < sizes; s++)
                out->cell[k][s].tried |= POR_TRIED_NOTED;
    }
    out->worst = POR_PORTABLE;
    for (uint32_t k = 0; k < POR_MODELS; k++)
        for (uint32_t s = 0; s < sizes; s++)
            out->worst = out->cell[k][s].status > out->worst ? out->cell[k][s].status : out->worst;
    out->c = b->c[POR_MAXIMAL];
    out->c.model = por_declared(out) == POR_MAXIMAL ? SPV_MAXIMAL : SPV_ASSUMED_MAXIMAL;
    struct arena *all[] = {&b->load,  &b->scratch, &b->keep,     &b->here,  &b->now,     &b->weak,
                           &b->races, &b->inputs,  &b->contents, &b->other, &b->runs.all};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        arena_free(all[k]);
}
