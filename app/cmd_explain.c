// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz explain: what a shader's tangles do, as a table or a picture.
#include "app.h"
#include "args.h"
#include "report/tangles.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A bare module comes without buffers: it gets some that hold zeros, as many as it has variables for.
static void give_buffers(struct arena *a, struct spv_case *c)
{
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
        complain("explain", "buffer %u:%u: %d words of zero, for the module does not say what it holds", b->set,
                 b->binding, WORDS);
    }
}

static bool is_png(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".png") == 0;
}

static int explain(const char *path, const char *out, uint32_t subgroup, struct tangles *w,
                   const struct spv_choices *policy)
{
    struct arena a = {0};
    struct err e = {0};
    struct spv_case c;
    struct spv_tools *tools = spv_tools_new();
    int status = STATUS_GOOD;
    if (!spv_case_read(tools, &a, path, &c, &e)) {
        status = complain("explain", "%s", e.msg);
    } else {
        uint32_t size = c.subgroup ? c.subgroup : subgroup;
        const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
        if (!c.buffer_count)
            give_buffers(&a, &c);
        // A shader's author wants to see any shader: judged as if it reconverged maximally.
        if (c.model != SPV_MAXIMAL)
            c.model = SPV_ASSUMED_MAXIMAL;
        tangles_run(&a, &c, c.words, c.count, size, policy ? policy : c.has_policy ? &c.policy : NULL, w);
        w->picture.title = base;
        w->picture.subtitle =
            arena_printf(&a, "subgroups of %u, dispatch %u x %u x %u, model %s", size, c.groups[0],
                         c.groups[1], c.groups[2], spv_model_name(c.model));
        struct text t = {.arena = &a};
        if (out) {
            report_picture_svg(&w->picture, &t);
            if (!(is_png(out) ? report_picture_png(&t, out, &e) : file_write(out, t.v, t.n, &e)))
                status = complain("explain", "%s", e.msg);
        } else {
            report_picture_text(&w->picture, isatty(STDOUT_FILENO) && !getenv("NO_COLOR"), &t);
            say_text(&t);
        }
        if (w->cut)
            complain("explain", "only the first %zu steps are shown (see --steps)", w->limit);
        if (status == STATUS_GOOD && w->result.why.status != ORC_OK)
            status = complain("explain", "%s", w->result.why.text);
    }
    spv_tools_free(tools);
    arena_free(&a);
    return status;
}

static int run(int argc, char **argv)
{
    const char *out = NULL, *policy_name = NULL;
    uint32_t subgroup = 0, steps = 400;
    struct tangles w = {.workgroup = 0, .subgroup = 0};
    bool all = false;
    const struct arg_option options[] = {
        OPT_TEXT("out", 'o', "FILE", "write a picture instead of a table: SVG, or PNG where FILE ends in .png", &out),
        OPT_U32("subgroup", 0, "N", "subgroup size of a case that runs at any", &subgroup, 1,
                LANES_MAX),
        OPT_U32("workgroup", 0, "N", "workgroup to show (default 0)", &w.workgroup, 0, UINT32_MAX),
        OPT_U32("subgroup-id", 0, "N", "subgroup to show (default 0)", &w.subgroup, 0, UINT32_MAX),
        OPT_FLAG("all", 0, "show all workgroups and subgroups", &all),
        OPT_U32("steps", 0, "N", "largest number of steps to show (default 400)", &steps, 1, 100000),
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
    return explain(args.rest[0], out, subgroup, &w, policy_name ? &policy : NULL);
}

const struct command cmd_explain = {"explain", "what happens in a shader, as table or picture", run};
