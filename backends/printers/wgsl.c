// SPDX-License-Identifier: Apache-2.0
//
// WGSL where it differs from C: declarations have the name before the type; builtins are parameters
// of main, copied to private variables; a loop has a `continuing` block, which may contain any
// control flow.
#include "clike.h"

#include "print_inner.h"

static const struct {
    SpvBuiltIn which;
    const char *name, *type, *variable;
} builtins[] = {
    {SpvBuiltInSubgroupLocalInvocationId, "subgroup_invocation_id", "u32",
     "tf_lane"}, // always declared
    {SpvBuiltInGlobalInvocationId, "global_invocation_id", "vec3<u32>", "tf_global"},
    {SpvBuiltInLocalInvocationId, "local_invocation_id", "vec3<u32>", "tf_local"},
    {SpvBuiltInLocalInvocationIndex, "local_invocation_index", "u32", "tf_index"},
    {SpvBuiltInWorkgroupId, "workgroup_id", "vec3<u32>", "tf_group"},
    {SpvBuiltInNumWorkgroups, "num_workgroups", "vec3<u32>", "tf_groups"},
    {SpvBuiltInSubgroupSize, "subgroup_size", "u32", "tf_size"},
    {SpvBuiltInSubgroupId, "subgroup_id", "u32", "tf_subgroup"},
    {SpvBuiltInNumSubgroups, "num_subgroups", "u32", "tf_subgroups"},
};
enum { BUILTINS = sizeof builtins / sizeof *builtins };

const char *wgsl_builtin(uint32_t builtin)
{
    for (int i = 0; i < BUILTINS; i++)
        if ((uint32_t)builtins[i].which == builtin)
            return builtins[i].variable;
    return NULL;
}

static bool asked(const struct form *f, int row)
{
    for (uint32_t i = 0; i < f->m.bound && row; i++)
        if (f->id[i].place == FORM_BUILTIN && f->id[i].builtin == (uint32_t)builtins[row].which)
            return true;
    return row == 0;
}

void wgsl_head(const struct form *f, struct text *out)
{
    bool subgroup_id = false;
    for (int i = 0; i < BUILTINS; i++)
        subgroup_id |= asked(f, i) && (builtins[i].which == SpvBuiltInSubgroupId ||
                                       builtins[i].which == SpvBuiltInNumSubgroups);
    text_add(out, "enable subgroups;\n%sdiagnostic(off, subgroup_uniformity);\n",
             subgroup_id ? "requires subgroup_id;\n" : "");
    for (int i = 0; i < BUILTINS; i++)
        if (asked(f, i))
            text_add(out, "var<private> %s: %s;\n", builtins[i].variable, builtins[i].type);
}

void wgsl_function(struct clike *p, const struct spv_function *fn, const char *type)
{
    const struct form *f = p->f;
    const struct spv_module *m = &f->m;
    const bool entry = fn->id == f->entry;
    const char *gap = "";
    if (entry)
        text_add(p->out, "@compute @workgroup_size(%u, %u, %u)\n", f->size[0], f->size[1],
                 f->size[2]);
    text_add(p->out, "fn %s(", clike_value(p, fn->id));
    for (uint32_t i = fn->first + 1; m->insts[i].op == SpvOpFunctionParameter; i++) {
        text_add(p->out, "%s%s: %s", gap, clike_value(p, m->insts[i].result),
                 clike_type(p, m->insts[i].type));
        gap = ", ";
    }
    for (int i = 0; i < BUILTINS && entry; i++)
        if (asked(f, i)) {
            text_add(p->out, "%s\n    @builtin(%s) in_%s: %s", gap, builtins[i].name,
                     builtins[i].variable, builtins[i].type);
            gap = ",";
        }
    text_add(p->out, p->result_type ? ") -> %s\n{\n" : ")\n{\n", type);
    for (int i = 0; i < BUILTINS && entry; i++)
        if (asked(f, i))
            text_add(p->out, "    %s = in_%s;\n", builtins[i].variable, builtins[i].variable);
}

void wgsl_back(struct clike *p, uint32_t from, const struct spv_inst *end)
{
    clike_copies(p, from, end->v[1]);
    clike_copies(p, from, end->v[2]);
    clike_line(p, arena_printf(p->f->arena, "break if (%s%s);", end->v[1] == p->back_to ? "!" : "",
                               clike_value(p, end->v[0])));
}

bool wgsl_loop(struct clike *p, uint32_t header, const struct spv_inst *merge)
{
    const struct clike outer = *p;
    const uint32_t next = merge->v[1];
    const struct spv_block *b = &p->f->m.blocks[p->f->m.block_of[header]];
    const struct spv_inst *end = &p->f->m.insts[b->last];
    const bool single = next == header; // its own continue construct; all iterations run all of it
    clike_line(p, "loop {");
    p->indent++;
    p->in_switch = false;
    p->back_to = 0;
    p->loop_merge = merge->v[0];
    p->loop_continue = next;
    bool ok = single ? clike_straight(p, header) : clike_body(p, header, merge);
    p->loop_merge = p->loop_continue = 0;
    p->back_to = header;
    clike_line(p, "continuing {");
    p->indent++;
    if (ok && single && end->op == SpvOpBranchConditional)
        wgsl_back(p, header, end);
    else if (ok)
        ok = single ? clike_cannot_express(p, header, "a loop that is its own continue construct")
                    : clike_from(p, next, header);
    p->indent--;
    clike_line(p, "}");
    p->loop_merge = outer.loop_merge;
    p->loop_continue = outer.loop_continue;
    p->in_switch = outer.in_switch;
    p->back_to = outer.back_to;
    p->indent--;
    clike_line(p, "}");
    return ok;
}
