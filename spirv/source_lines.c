// SPDX-License-Identifier: Apache-2.0
//
// Finds the source line of an instruction from OpLine or NonSemantic.Shader.DebugInfo.100, and its
// text if the module contains the source.
#include "spirv_lines.h"

#include "spirv_flow.h"

#include <string.h>

enum {
    DEBUG_SOURCE = 35,
    DEBUG_LINE = 103,
    DEBUG_NO_LINE = 104
}; // NonSemantic.Shader.DebugInfo.100

static bool is_debug_set(const struct spv_module *m, uint32_t id)
{
    const struct spv_inst *d = spv_def(m, id);
    const char *name = d && d->op == SpvOpExtInstImport ? spv_string(d->v, d->n) : NULL;
    return name && strncmp(name, "NonSemantic.Shader.DebugInfo.", 29) == 0;
}

static const char *string_of(const struct spv_module *m, uint32_t id)
{
    const struct spv_inst *d = spv_def(m, id);
    const char *s = d && d->op == SpvOpString ? spv_string(d->v, d->n) : NULL;
    return s ? s : "";
}

static uint32_t constant_of(const struct spv_module *m, uint32_t id)
{
    const struct spv_inst *d = spv_def(m, id);
    return d && d->op == SpvOpConstant && d->n ? d->v[0] : 0;
}

// ---- the text of a line -----------------------------------------------------------

// Returns the source of a file from OpSource (with its continuations) or DebugSource; NULL if the
// module does not contain it.
static const char *source_of(struct arena *a, const struct spv_module *m, const char *file)
{
    struct text t = {.arena = a};
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *s = &m->insts[k];
        if (s->op == SpvOpSource && s->n > 3 && strcmp(string_of(m, s->v[2]), file) == 0) {
            const char *text = spv_string(s->v + 3, s->n - 3u);
            text_add(&t, "%s", text ? text : "");
            for (; m->insts[k + 1].op == SpvOpSourceContinued; k++) {
                const struct spv_inst *next = &m->insts[k + 1];
                text = spv_string(next->v, next->n);
                text_add(&t, "%s", text ? text : "");
            }
        } else if (s->op == SpvOpExtInst && s->n > 3 && s->v[1] == DEBUG_SOURCE &&
                   is_debug_set(m, s->v[0]) && strcmp(string_of(m, s->v[2]), file) == 0) {
            text_add(&t, "%s", string_of(m, s->v[3]));
        }
    }
    return t.n ? t.v : NULL;
}

static const char *line_of(struct arena *a, const char *source, uint32_t line)
{
    // glslang adds lines of its own before the source and ends them with "#line 1".
    const char *own = source ? strstr(source, "#line 1\n") : NULL;
    const char *p = own ? own + strlen("#line 1\n") : source;
    const char *found = NULL;
    for (uint32_t k = 1; p; k++) { // "#line 7": the next line is line 7
        uint64_t number;
        if (strncmp(p, "#line ", 6) == 0 && parse_u64(p + 6, strspn(p + 6, "0123456789"), &number))
            k = (uint32_t)number - 1;
        else if (k == line)
            found = p; // the last one: those before a directive are the compiler's
        p = strchr(p, '\n');
        p += p != NULL;
    }
    p = found;
    if (!p)
        return "";
    p += strspn(p, " \t");
    return text_printable(a, arena_strn(a, p, strcspn(p, "\r\n")));
}

static void find_line(const struct spv_module *m, uint32_t inst, struct spv_line *out)
{
    const uint32_t block = spv_block_at(m, inst);
    const uint32_t first = block == UINT32_MAX ? 0 : m->blocks[block].first;
    for (uint32_t k = inst + 1; k-- > first;) {
        const struct spv_inst *s = &m->insts[k];
        if (s->op == SpvOpNoLine)
            return;
        if (s->op == SpvOpLine) {
            out->file = string_of(m, s->v[0]);
            out->line = s->v[1];
            return;
        }
        if (s->op != SpvOpExtInst || s->n < 2 || !is_debug_set(m, s->v[0]))
            continue;
        if (s->v[1] == DEBUG_NO_LINE)
            return;
        if (s->v[1] == DEBUG_LINE && s->n > 3) {
            const struct spv_inst *source = spv_def(m, s->v[2]);
            if (source && source->op == SpvOpExtInst && source->n > 2)
                out->file = string_of(m, source->v[2]);
            out->line = constant_of(m, s->v[3]);
            return;
        }
    }
}

struct spv_line spv_line_of(struct arena *a, const struct spv_module *m, uint32_t inst)
{
    struct spv_line out = {.file = "", .text = ""};
    if (inst >= m->inst_count)
        return out;
    find_line(m, inst, &out);
    out.file = text_printable(a, out.file);
    if (out.line)
        out.text = line_of(a, source_of(a, m, out.file), out.line);
    return out;
}
