// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz explain: what a shader's tangles do, as a table or a picture.
#include "args.h"
#include "campaign/found.h"
#include "report/tangles.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct given {
    const char *out, *policy;
    uint32_t subgroup, workgroup, subgroup_id, steps;
    bool all;
};

// A bare module comes without buffers: it gets some that hold zeros, as many as it has variables for.
static void give_buffers(struct context *x, struct spv_case *c)
{
    struct arena *a = &x->arena;
    enum { WORDS = 65536 };
    struct spv_module m;
    struct err e;
    c->model = SPV_ASSUMED_MAXIMAL; // nor does it say how it wants to be judged
    if (!spv_module_read(a, c->words, c->count, &m, &e))
        return; // the oracle says why
    uint32_t *set = ARENA_ARRAY(a, uint32_t, m.bound), *binding = ARENA_ARRAY(a, uint32_t, m.bound);
    for (uint32_t k = 0; k < m.inst_count && m.insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *i = &m.insts[k];
        if (i->op == SpvOpDecorate && i->n == 3 && i->v[1] == SpvDecorationDescriptorSet)
            set[i->v[0]] = i->v[2];
        if (i->op == SpvOpDecorate && i->n == 3 && i->v[1] == SpvDecorationBinding)
            binding[i->v[0]] = i->v[2] + 1; // 0: none
        if (i->op != SpvOpVariable || !binding[i->result] || c->buffer_count == SPV_CASE_BUFFERS)
            continue;
        struct spv_buffer *b = &c->buffer[c->buffer_count++];
        *b = (struct spv_buffer){.set = set[i->result], .binding = binding[i->result] - 1, .count = WORDS};
        b->words = ARENA_ARRAY(a, uint32_t, WORDS);
        complain(x, "buffer %u:%u: %d words of zero, for the module does not say what it holds", b->set,
                 b->binding, WORDS);
    }
}

static bool is_png(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".png") == 0;
}

static bool show(struct context *x, const struct given *g, const struct tangles *w,
                 const struct report_code *code)
{
    struct text t = {.arena = &x->arena};
    if (!g->out) {
        report_picture_text(&w->picture, isatty(STDOUT_FILENO) && !getenv("NO_COLOR"), &t);
        if (w->reason)
            report_reason_text(w->reason, &t);
        report_code_text(code, &t);
        say_text(&t);
        return true;
    }
    report_picture_svg(&w->picture, &t);
    return is_png(g->out) ? report_picture_png(&t, g->out, &x->e)
                          : file_write(g->out, t.v, t.n, &x->e);
}

static int run(struct context *x, void *user)
{
    const struct given *g = user;
    const char *path, *folder;
    struct report_reason reason;
    struct report_code code = {0};
    struct spv_choices policy = {0};
    struct spv_case c;
    struct tangles w = {.workgroup = g->all ? UINT32_MAX : g->workgroup,
                        .subgroup = g->all ? UINT32_MAX : g->subgroup_id,
                        .limit = g->steps};
    if (g->policy && !spv_choices_parse(g->policy, strlen(g->policy), &policy, &x->e)) {
        err_prefix(&x->e, "--policy");
        return refuse(x);
    }
    if (!found_case(&x->arena, x->words[0], &folder, &path, &x->e) ||
        !spv_case_read(x->tools, &x->arena, path, &c, &x->e))
        return refuse(x);
    if (folder)
        report_code_read(&x->arena, folder, &code);
    if (folder && report_reason_read(&x->arena, folder, &reason)) {
        w.reason = &reason;
        if (reason.has_place && !g->workgroup && !g->subgroup_id && !g->all) {
            w.workgroup = reason.workgroup;
            w.subgroup = reason.subgroup;
        }
    }
    uint32_t size = c.subgroup ? c.subgroup : g->subgroup;
    if (!c.buffer_count)
        give_buffers(x, &c);
    // A shader's author wants to see any shader: judged as if it reconverged maximally.
    if (c.model != SPV_MAXIMAL)
        c.model = SPV_ASSUMED_MAXIMAL;
    tangles_run(&x->arena, &c, c.words, c.count, size,
                g->policy      ? &policy
                : c.has_policy ? &c.policy
                               : NULL,
                &w);
    w.picture.title = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    w.picture.subtitle =
        arena_printf(&x->arena, "subgroups of %u, dispatch %u x %u x %u, model %s", size, c.groups[0],
                     c.groups[1], c.groups[2], spv_model_name(c.model));
    int status = show(x, g, &w, &code) ? STATUS_GOOD : refuse(x);
    if (w.cut)
        complain(x, "only the first %zu steps are shown (see --steps)", w.limit);
    if (status == STATUS_GOOD && w.result.why.status != ORC_OK)
        status = complain(x, "%s", w.result.why.text);
    return status;
}

static const struct arg_option options[] = {
    OPT_TEXT("out", 'o', "FILE",
             "write a picture instead of a table: SVG, or PNG where FILE ends in .png", out),
    OPT_LANES("subgroup", "subgroup size of a case that runs at any", subgroup, 1),
    OPT_U32("workgroup", 0, "N", "workgroup to show (default 0)", workgroup, 0, UINT32_MAX),
    OPT_U32("subgroup-id", 0, "N", "subgroup to show (default 0)", subgroup_id, 0, UINT32_MAX),
    OPT_FLAG("all", 0, "show all workgroups and subgroups", all),
    OPT_U32("steps", 0, "N", "largest number of steps to show (default 400)", steps, 1, 100000),
    OPT_TEXT("policy", 0, "P", "choices that the rules leave, as for predict: join, direct, split",
             policy),
};

const struct command cmd_explain = {
    .name = "explain",
    .task = TASK_SHADER,
    .line = "what happens in a shader, as table or picture",
    .rest = "CASE|FINDING",
    .about = "Shows what happens in a shader: which invocations run each block together, the rule "
             "that\nsplit or joined them, and what each group operation gave. # stands for an "
             "active lane,\no for one that takes part in a group operation. Of a finding's folder it says "
             "why the value is\nwrong, and x stands for a lane of which something else was observed.",
    .example = "tanglefuzz explain corpus/rules/M6-break-block-stays-split.spvasm -o m6.svg",
    OPTIONS(options),
    .rest_min = 1,
    .rest_max = 1,
    .size = sizeof(struct given),
    .defaults = &(const struct given){.steps = 400},
    .run = run,
};
