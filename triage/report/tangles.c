// SPDX-License-Identifier: Apache-2.0
//
// Records the events of an oracle run as steps of a picture.
#include "tangles.h"

#include "printf_text.h"

#include "oracle/trace.h"
#include "spirv/spirv_groups.h"
#include "spirv/spirv_lines.h"

#include <string.h>

enum { BEFORE_FOLDING = 32 }; // as a multiple of the limit

struct watch {
    struct arena *a;
    const struct spv_module *m;
    const char **names;     // [bound] names in the case's assembly; NULL: unknown
    struct spv_line **line; // [bound] of blocks and operations, filled on demand
    struct tangles *t;
    VEC(struct report_step) steps;
    uint32_t times; // number of times that the reason's place was reached
    bool weak;      // the model does not have the rules of maximal reconvergence
};

// The assembler drops names but keeps the order: the k-th line with a result is the k-th
// instruction with one.
const char **tangles_names(struct arena *a, const struct spv_module *m, const char *text)
{
    if (!text)
        return NULL;
    const char **names = ARENA_ARRAY(a, const char *, m->bound);
    uint32_t at = 0;
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        const char *name = line + strspn(line, " \t");
        if (*name != '%')
            continue;
        size_t length = strcspn(name, " \t\n=");
        const char *op = name + length + strspn(name + length, " \t=");
        size_t op_length = strcspn(op, " \t\r\n;");
        while (at < m->inst_count && !m->insts[at].result)
            at++;
        if (at == m->inst_count)
            return NULL;
        const char *want = spv_op_name(m->insts[at].op);
        if (strlen(want) != op_length || strncmp(want, op, op_length) != 0)
            return NULL;
        names[m->insts[at++].result] = arena_printf(a, "%.*s", (int)length, name);
    }
    return names;
}

static const char *name_of(struct watch *w, uint32_t id)
{
    if (w->names && w->names[id])
        return w->names[id];
    const char *name = spv_name(w->m, id);
    return name && name[0] ? arena_printf(w->a, "%%%s", name) : arena_printf(w->a, "%%%u", id);
}

// The first line that a block says, or that of an operation.
static const struct spv_line *line_of(struct watch *w, uint32_t id)
{
    if (w->line[id])
        return w->line[id];
    const uint32_t block = w->m->block_of[id];
    struct spv_line *out = w->line[id] = ARENA_NEW(w->a, struct spv_line);
    if (block == UINT32_MAX) {
        *out = spv_line_of(w->a, w->m, (uint32_t)(spv_def(w->m, id) - w->m->insts));
        return out;
    }
    for (uint32_t k = w->m->blocks[block].first; k <= w->m->blocks[block].last && !out->line; k++)
        *out = spv_line_of(w->a, w->m, k);
    return out;
}

// Returns the wrong lanes of the reason if the event is at its place, else 0.
static lane_mask wrong_here(struct watch *w, const struct orc_event *e)
{
    const struct diag_reason *r = w->t->reason;
    if (!r || !r->has_place || e->workgroup != r->workgroup || e->subgroup != r->subgroup ||
        e->label != r->label || (e->kind == ORC_EVENT_GROUP ? e->id : 0) != r->row)
        return 0;
    return w->times++ == r->time ? r->wrong : 0;
}

// "Ballot", "SampleImplicitLod"
static const char *op_name(uint32_t op)
{
    const char *name = spv_group_name(op);
    return strncmp(name, "OpImage", 7) == 0 ? name + 7 : name;
}

static bool is_float(const struct spv_module *m, uint32_t id)
{
    const struct spv_inst *t = spv_def(m, spv_def(m, id)->type);
    t = t && t->op == SpvOpTypeVector ? spv_def(m, t->v[0]) : t;
    return t && t->op == SpvOpTypeFloat && t->v[0] == 32;
}

static void see(void *user, const struct orc_event *e)
{
    struct watch *w = user;
    if ((w->t->workgroup != UINT32_MAX && e->workgroup != w->t->workgroup) ||
        (w->t->subgroup != UINT32_MAX && e->subgroup != w->t->subgroup))
        return;
    if (w->steps.n >= w->t->limit * (w->t->fold ? BEFORE_FOLDING : 1)) {
        w->t->cut = true;
        return;
    }
    struct report_step *s = VEC_PUSH(w->a, &w->steps);
    *s = (struct report_step){.workgroup = e->workgroup,
                              .subgroup = e->subgroup,
                              .depth = e->depth,
                              .active = e->active,
                              .live = e->live,
                              .helper = e->helper,
                              .quads = e->quads,
                              .rule = w->weak ? "" : e->rule,
                              .joined = e->joined,
                              .id = e->kind == ORC_EVENT_BLOCK ? e->label : e->id,
                              .wrong = wrong_here(w, e)};
    const struct spv_line *line = line_of(w, s->id);
    s->line = line->line;
    s->text = line->text;
    if (e->kind == ORC_EVENT_BLOCK) {
        s->name = name_of(w, e->label);
        return;
    }
    s->is_op = true;
    if (e->kind == ORC_EVENT_PRINT) {
        s->name = "debugPrintf";
        s->shown = printf_text(w->a, w->m, e);
        return;
    }
    s->name = arena_printf(w->a, "%s %s", name_of(w, e->id), op_name(e->op));
    s->is_float = is_float(w->m, e->id);
    s->values = arena_copy(w->a, e->values, e->lanes * sizeof *e->values);
    s->defined = e->defined[0];
    const struct spv_group_op *g = spv_group_find(e->op);
    if (e->cells == 4 && g && g->result == SPV_SHAPE_BALLOT) // both words as one number
        for (uint32_t l = 0; l < e->lanes; l++)
            s->values[l] |= e->values[e->lanes + l] << 32;
}

void tangles_run(struct arena *a, const struct spv_case *given, const uint32_t *words, size_t count,
                 uint32_t size, const struct spv_choices *policy, struct tangles *t)
{
    struct spv_case *c = arena_copy(a, given, sizeof *given);
    struct spv_module m;
    c->words = words;
    c->count = count;
    t->cut = false;
    t->result = (struct orc_result){.why.status = RAN_INVALID};
    t->picture = (struct report_picture){.lanes = size};
    struct err e = {0};
    if (!spv_module_read(a, words, count, &m, &e)) {
        snprintf(t->result.why.text, sizeof t->result.why.text, "%.300s", e.msg);
        return;
    }
    struct watch w = {.a = a, .m = &m, .t = t, .weak = judge_weak(c->model)};
    w.line = ARENA_ARRAY(a, struct spv_line *, m.bound);
    if (given->body && words == given->words)
        w.names = tangles_names(a, &m, given->body);
    struct orc_observer o = {see, &w};
    struct orc_options options = {.policy = policy, .observer = &o};
    orc_predict(a, c, size, &options, &t->result);
    struct orc_why why;
    struct orc_program *p =
        t->one_order && t->result.why.status != RAN_OK ? orc_load_assumed(a, c, &why) : NULL;
    if (p) { // with a value where an expectation has none
        struct orc_trace trace = {.arena = a};
        options.trace = &trace;
        options.order = 1;
        w.steps.n = 0;
        orc_run(p, a, c, size, &options, &t->result);
    } else {
        t->one_order = false;
    }
    t->picture.steps = w.steps.v;
    t->picture.count = t->fold ? report_fold(w.steps.v, w.steps.n) : w.steps.n;
    for (size_t k = 0; k < t->picture.count && t->by_source; k++)
        t->picture.by_source |= w.steps.v[k].line != 0;
    t->picture.count = report_focus(t, w.steps.v, t->picture.count);
    if (t->picture.count > t->limit) {
        t->picture.count = t->limit;
        t->cut = true;
    }
}
