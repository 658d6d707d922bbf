// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz explain: what a shader's tangles do, as a table or a picture.
#include "app.h"
#include "args.h"
#include "judge.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct watcher {
    struct arena *a;
    const struct spv_module *m;
    uint32_t workgroup, subgroup; // which to keep; UINT32_MAX: all
    size_t limit;
    bool cut;
    VEC(struct tri_step) steps;
};

static const char *name_of(struct watcher *w, uint32_t id)
{
    const char *name = spv_name(w->m, id);
    return name && name[0] ? arena_printf(w->a, "%%%s", name) : arena_printf(w->a, "%%%u", id);
}

static void see(void *user, const struct orc_event *e)
{
    struct watcher *w = user;
    if ((w->workgroup != UINT32_MAX && e->workgroup != w->workgroup) ||
        (w->subgroup != UINT32_MAX && e->subgroup != w->subgroup))
        return;
    if (w->steps.n >= w->limit) {
        w->cut = true;
        return;
    }
    struct tri_step *s = VEC_PUSH(w->a, &w->steps);
    *s = (struct tri_step){.workgroup = e->workgroup, .subgroup = e->subgroup, .depth = e->depth,
                           .active = e->active, .live = e->live, .rule = e->rule,
                           .joined = e->joined};
    if (e->kind == ORC_EVENT_BLOCK) {
        s->name = name_of(w, e->label);
        return;
    }
    const char *op = spv_op_name(e->op);
    const char *prefix = "OpGroupNonUniform";
    if (strncmp(op, prefix, strlen(prefix)) == 0)
        op += strlen(prefix);
    s->is_op = true;
    s->name = arena_printf(w->a, "%s %s", name_of(w, e->id), op);
    s->values = arena_copy(w->a, e->values, e->lanes * sizeof *e->values);
    s->defined = e->defined[0];
    if (e->cells == 4 && e->op == SpvOpGroupNonUniformBallot) // two words in one number
        for (uint32_t l = 0; l < e->lanes; l++)
            s->values[l] |= e->values[e->lanes + l] << 32;
}

static int explain(const char *path, const char *out, uint32_t subgroup, struct watcher *w,
                   const struct spv_choices *policy)
{
    struct arena a = {0};
    struct err e = {0};
    struct spv_case c;
    struct spv_module m;
    struct spv_tools *tools = spv_tools_new();
    int status = STATUS_GOOD;
    w->a = &a;
    w->m = &m;
    if (!spv_case_read(tools, &a, path, &c, &e) || !spv_module_read(&a, c.words, c.count, &m, &e)) {
        status = complain("explain", "%s", e.msg);
    } else {
        // A shader's author wants to see any shader: judged as if it reconverged maximally.
        if (c.model != SPV_MAXIMAL)
            c.model = SPV_ASSUMED_MAXIMAL;
        struct orc_observer o = {see, w};
        struct orc_options options = {.policy = c.has_policy ? &c.policy : policy, .observer = &o};
        struct orc_result r;
        uint32_t size = c.subgroup ? c.subgroup : subgroup;
        orc_predict(&a, &c, size, &options, &r);
        const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
        struct tri_picture p = {
            .title = base,
            .subtitle = arena_printf(&a, "subgroups of %u, dispatch %u x %u x %u, model %s", size,
                                     c.groups[0], c.groups[1], c.groups[2],
                                     spv_model_name(c.model)),
            .lanes = size, .steps = w->steps.v, .count = w->steps.n};
        struct text t = {.arena = &a};
        if (out) {
            tri_picture_svg(&p, &t);
            if (!file_write(out, t.v, t.n, &e))
                status = complain("explain", "%s", e.msg);
        } else {
            tri_picture_text(&p, isatty(STDOUT_FILENO) && !getenv("NO_COLOR"), &t);
            say_text(&t);
        }
        if (w->cut)
            complain("explain", "only the first %zu steps are shown (see --steps)", w->limit);
        if (status == STATUS_GOOD && r.why.status != ORC_OK)
            status = complain("explain", "%s", r.why.text);
    }
    spv_tools_free(tools);
    arena_free(&a);
    return status;
}

static int run(int argc, char **argv)
{
    const char *out = NULL, *policy_name = NULL;
    uint32_t subgroup = 0, steps = 400;
    struct watcher w = {.workgroup = 0, .subgroup = 0};
    bool all = false;
    const struct arg_option options[] = {
        OPT_TEXT("out", 'o', "FILE.svg", "write a picture instead of a table", &out),
        OPT_U32("subgroup", 0, "N", "subgroup size of a case that runs at any", &subgroup, 1,
                LANES_MAX),
        OPT_U32("workgroup", 0, "N", "workgroup to show (default 0)", &w.workgroup, 0, UINT32_MAX),
        OPT_U32("subgroup-id", 0, "N", "subgroup to show (default 0)", &w.subgroup, 0, UINT32_MAX),
        OPT_FLAG("all", 0, "show all workgroups and subgroups", &all),
        OPT_U32("steps", 0, "N", "show at most so many steps (default 400)", &steps, 1, 100000),
        OPT_TEXT("policy", 0, "P", "choices that the rules leave, as for predict: join, direct, split",
                 &policy_name),
    };
    const struct arg_command command = {
        .name = "explain",
        .rest = "CASE",
        .about = "Shows what happens in a shader: which invocations run each block together, the "
                 "rule that\nsplit or joined them, and what each group operation gave. # stands "
                 "for an active lane,\no for one that takes part in a group operation.",
        .example = "tanglefuzz explain corpus/rules/M6-break-block-stays-split.spvasm -o m6.svg",
        .options = options,
        .count = OPT_COUNT(options),
        .rest_min = 1,
        .rest_max = 1,
    };
    struct args args;
    int said = args_parse(&command, argc, argv, &args);
    if (said >= 0)
        return said;
    struct spv_choices policy = {0};
    struct err e = {0};
    if (policy_name && !spv_choices_parse(policy_name, strlen(policy_name), &policy, &e))
        return complain("explain", "--policy: %s", e.msg);
    if (all)
        w.workgroup = w.subgroup = UINT32_MAX;
    w.limit = steps;
    return explain(args.rest[0], out, subgroup, &w, &policy);
}

const struct command cmd_explain = {"explain", "what happens in a shader, as table or picture", run};
