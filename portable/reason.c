// SPDX-License-Identifier: Apache-2.0
//
// Reasons: why a cell is not portable, in one sentence, and what the author can do about it.
#include "portable_inner.h"

#include "spirv/spirv_flow.h"
#include "spirv/spirv_groups.h"

#include <string.h>

// The file of the first OpSource; NULL: none.
static const char *main_file(const struct spv_module *m)
{
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++)
        if (m->insts[k].op == SpvOpSource && m->insts[k].n > 2) {
            const struct spv_inst *d = spv_def(m, m->insts[k].v[2]);
            return d && d->op == SpvOpString ? spv_string(d->v, d->n) : NULL;
        }
    return NULL;
}

// "the subgroupBallot in line 31", in an included file also its name; "the OpPhi %12" without line
// information.
const char *por_inst_text(struct por_asker *w, uint32_t inst)
{
    const struct por_place p = por_place(w->a, w->m, inst);
    const struct spv_inst *s = &w->m->insts[inst];
    const char *main = main_file(w->m);
    if (p.line && main && strcmp(p.file, main) != 0) {
        const char *slash = strrchr(p.file, '/');
        return arena_printf(w->a, "the %s in line %u of %s", p.what, p.line,
                            slash ? slash + 1 : p.file);
    }
    if (p.line)
        return arena_printf(w->a, "the %s in line %u", p.what, p.line);
    return arena_printf(w->a, "the %s %s%%%u", p.what, s->result ? "" : "of ",
                        s->result ? s->result
                        : s->n    ? s->v[0]
                                  : 0);
}

uint32_t por_line_near(struct por_asker *w, uint32_t inst)
{
    const uint32_t f = spv_function_at(w->m, inst);
    for (uint32_t k = inst; f != UINT32_MAX && k > w->m->functions[f].first; k--) {
        const uint32_t line = por_place(w->a, w->m, k).line;
        if (line)
            return line;
    }
    return 0;
}

const char *por_word_text(struct por_asker *w, uint32_t buffer, uint32_t word)
{
    const struct spv_buffer *of = &w->c->buffer[buffer];
    const struct spv_module *m = w->m;
    const char *name = NULL;
    const uint32_t each = of->elements ? of->count / of->elements : 0;
    if (of->set == SPV_ADDRESS_SET)
        return arena_printf(w->a, "word %u of block %u of the memory that addresses point to",
                            word % each, word / each);
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *s = &m->insts[k];
        const uint32_t set = s->op == SpvOpVariable ? por_decoration(m, s->result, UINT32_MAX,
                                                                     SpvDecorationDescriptorSet)
                                                    : UINT32_MAX;
        if (s->op == SpvOpVariable && (set == UINT32_MAX ? 0 : set) == of->set &&
            por_decoration(m, s->result, UINT32_MAX, SpvDecorationBinding) == of->binding)
            name = por_given_name(w->a, m, s->result);
    }
    return arena_printf(w->a, "word %u of %s %u:%u%s%s%s", each ? word % each : word,
                        each ? "a buffer of array" : "buffer", of->set, of->binding,
                        name ? " " : "", name ? name : "",
                        each ? arena_printf(w->a, "[%u]", word / each) : "");
}

static const char *promise_of(enum spv_model model)
{
    switch (model) {
    case SPV_WORKGROUP_UNIFORM:
        return "Vulkan alone promises which invocations take part only where the whole workgroup "
               "took the same "
               "path";
    case SPV_SUBGROUP_UNIFORM:
        return "subgroup uniform control flow promises which invocations take part only where "
               "the whole subgroup took the same path";
    default:
        return "even maximal reconvergence leaves this to the implementation (a switch's case that "
               "several values enter, or fall through to)";
    }
}

void por_reason_promise(struct por_asker *w, uint32_t k, struct orc_origin from, const char *sink,
                        uint32_t at, struct por_reason *out)
{
    const uint32_t header = por_around(w, from.inst);
    const char *where = "";
    if (header) {
        const uint32_t line = por_line_near(w, header);
        const char *kind = w->m->insts[header].op == SpvOpSwitch ? "switch"
                           : por_is_loop(w, header)              ? "loop"
                                                                 : "branch";
        where = line ? arena_printf(w->a, ", in the %s of line %u", kind, line)
                     : arena_printf(w->a, ", in the %s of %%%u", kind,
                                    w->m->insts[header].n ? w->m->insts[header].v[0] : 0);
    }
    out->text = arena_printf(
        w->a, "%s may be executed by only a subset of its subgroup%s; %s. It decides %s.",
        por_inst_text(w, from.inst), where, promise_of(por_model(k)), sink);
    out->from = por_place(w->a, w->m, from.inst);
    out->at = por_place(w->a, w->m, at);
    out->fix = from.birth == ORC_ORIGIN_CHOICE ? "give each case of the switch its own value, "
                                                 "without fall-through, before group operations"
                                               : por_promise_fix(w, from.inst);
}

// For errors such as E-barrier and E-uniform that occur under a weaker model and not under maximal.
void por_reason_weak(struct por_asker *w, uint32_t k, const struct orc_why *why, uint32_t at,
                     struct por_reason *out)
{
    out->text = arena_printf(w->a, "%s is defined only where its invocations are converged; %s.",
                             at ? por_inst_text(w, at) : why->text, promise_of(por_model(k)));
    out->at = por_place(w->a, w->m, at);
    out->fix = at ? por_promise_fix(w, at) : "declare maximal reconvergence";
}

// Advice for a problem that hangs on an invented input: which one, its value, how to give it.
const char *por_invented_fix(struct por_asker *w, uint32_t inst, const char *what)
{
    const char *name = por_invented_text(w, por_input_of(w, inst));
    return name ? arena_printf(w->a,
                               "%s depends on %s, which was invented: provide the real one "
                               "with --data or --set to find out",
                               what, name)
                : arena_printf(w->a,
                               "%s depends on invented inputs: provide real ones with --data "
                               "to find out",
                               what);
}

// Rejected operations, and whether support is planned.
static const struct {
    const char *in_name; // a substring of the rejected instruction's name
    const char *what, *plan;
} refusals[] = {
    {"CooperativeMatrix", "cooperative matrices are not modelled",
     "not planned: the implementation chooses which invocation holds which element"},
    {"CooperativeVector", "cooperative vectors are not modelled", "not planned"},
    {"Tensor", "tensors are not modelled", "not planned"},
    {"AccelerationStructure", "arrays of acceleration structures are not modelled", "planned"},
    {"TraceRay", "ray tracing is not modelled", "not planned"},
    {"Sparse", "sparse images are not modelled", "not planned"},
    {"Untyped", "untyped pointers are not modelled", "planned"},
    {"TypeImage", "rectangle images and components not of 32 bits are not modelled", "planned"},
    {"OpSubgroup", "SPV_INTEL_subgroups and similar extensions are not modelled",
     "use OpGroupNonUniform... (GLSL: GL_KHR_shader_subgroup_*)"},
};

// The operation to name: for a variable or a load, that of its type.
static uint32_t refused_op(const struct spv_module *m, const struct orc_why *why, uint32_t at)
{
    uint32_t type =
        at && (why->op == SpvOpVariable || why->op == SpvOpLoad) ? m->insts[at].type : 0;
    for (int depth = 0; type && depth < 8; depth++) {
        const struct spv_inst *t = spv_def(m, type);
        if (!t || t->op == SpvOpTypeStruct)
            break;
        if (t->op != SpvOpTypePointer && t->op != SpvOpTypeArray && t->op != SpvOpTypeRuntimeArray)
            return t->op;
        type = t->v[t->op == SpvOpTypePointer];
    }
    return why->op;
}

void por_reason_refused(struct por_asker *w, const struct orc_why *why, uint32_t at,
                        struct por_reason *out)
{
    const char *detail = why->text + why->reason,
               *name = why->op ? spv_op_name(refused_op(w->m, why, at)) : "";
    out->fix = "";
    out->text = why->text;
    if (why->status != RAN_UNSUPPORTED)
        return;
    const char *place = at ? arena_printf(w->a, "%s: ", por_inst_text(w, at)) : "";
    out->at = por_place(w->a, w->m, at);
    out->text = arena_printf(w->a, "%snot modelled here: %s; not planned yet.", place, detail);
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++)
        if (strstr(name, refusals[k].in_name)) { // the specification puts the extension's name into
                                                 // its instructions
            out->text = arena_printf(w->a, "%s%s (%s): %s.", place, refusals[k].what, detail,
                                     refusals[k].plan);
            return;
        }
}

static const char *birth_text(struct por_asker *w, struct orc_origin o)
{
    const char *at = por_inst_text(w, o.inst);
    switch (o.birth) {
    case ORC_ORIGIN_NOTHING:
        return arena_printf(w->a,
                            "%s has no result for its operands (division by zero, a shift by the "
                            "width, an empty ballot ...)",
                            at);
    case ORC_ORIGIN_INACTIVE:
        return arena_printf(
            w->a, "%s reads from an invocation that is not active, or does not exist", at);
    case ORC_ORIGIN_UNWRITTEN:
        return arena_printf(w->a, "%s reads memory that was never written", at);
    case ORC_ORIGIN_ROUNDED:
        return arena_printf(w->a, "%s returns a float that is not modelled here", at);
    default:
        return arena_printf(w->a, "%s is not defined", at);
    }
}

// True if a store, an atomic or a call may write a variable.
static bool is_stored(const struct spv_module *m, uint32_t variable)
{
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *i = &m->insts[k];
        const bool passes = i->op == SpvOpFunctionCall || i->op == SpvOpExtInst ||
                            i->op == SpvOpCopyMemory || i->op == SpvOpStore ||
                            spv_op_class(i->op) == SPV_CLASS_ATOMIC ||
                            (i->op == SpvOpVariable && i->n > 1);
        if (i->op == SpvOpVariable && i->n > 1 && i->result == variable)
            return true;
        for (uint32_t j = 0; passes && j < i->n; j++)
            if (por_root(m, i->v[j]) == variable)
                return true;
    }
    return false;
}

// True if inputs decide whether a load finds memory unwritten: they determine its address, or
// whether and where stores write.
static bool write_from_inputs(struct por_asker *w, uint32_t load)
{
    const struct spv_inst *s = &w->m->insts[load];
    const uint32_t root = s->op == SpvOpLoad ? por_root(w->m, s->v[0]) : 0;
    if (root && !is_stored(w->m, root))
        return false; // no input writes it
    if (!root || por_from_inputs(w, load) || por_guarded_by_inputs(w, load))
        return !root ? por_from_inputs(w, load) || por_flow_from_inputs(w) : true;
    for (uint32_t k = 0; k < w->m->inst_count; k++) {
        const struct spv_inst *i = &w->m->insts[k];
        if (i->op == SpvOpStore && por_root(w->m, i->v[0]) == root &&
            (por_from_inputs(w, k) || por_guarded_by_inputs(w, k) ||
             por_undef_by_inputs(w, i->v[1], 0)))
            return true;
        for (uint32_t j = 1; i->op == SpvOpFunctionCall && j < i->n; j++)
            if (por_root(w->m, i->v[j]) == root)
                return por_flow_from_inputs(w);
    }
    return w->m->function_count > 1 &&
           por_flow_from_inputs(w); // calls of the function are not checked
}

// True for a load that has no value because it strayed from a buffer whose length was invented.
static bool strays_from_invented(const struct por_asker *w, const struct spv_inst *s)
{
    const bool loads = s->op == SpvOpLoad || spv_op_class(s->op) == SPV_CLASS_ATOMIC;
    const uint32_t root = loads ? por_root(w->m, s->v[0]) : 0;
    const struct spv_inst *d = root ? spv_def(w->m, root) : NULL;
    return loads &&
           (!d || ((d->v[0] == SpvStorageClassUniform || d->v[0] == SpvStorageClassStorageBuffer) &&
                   !por_is_given(w, root)));
}

// Decides whether an undefined value shows an error of the program, or may only be due to the
// inputs.
static enum por_status of_birth(struct por_asker *w, struct orc_origin o)
{
    const struct spv_inst *s = &w->m->insts[o.inst];
    if (o.birth == ORC_ORIGIN_SURE || o.birth == ORC_ORIGIN_ROUNDED)
        return POR_UNKNOWN;
    if (w->inputs->invented && o.birth == ORC_ORIGIN_NOTHING && strays_from_invented(w, s))
        return POR_UNKNOWN;
    if (w->inputs->invented && o.birth == ORC_ORIGIN_NOTHING &&
        (por_from_inputs(w, o.inst) || por_counted_by_inputs(w, o.inst)))
        return POR_UNKNOWN;
    if (w->inputs->invented && o.birth == ORC_ORIGIN_UNWRITTEN && write_from_inputs(w, o.inst))
        return POR_UNKNOWN; // inputs decide what is written, and whether
    if ((o.birth == ORC_ORIGIN_UNWRITTEN || o.birth == ORC_ORIGIN_NOTHING) &&
        por_is_packed(w->m, o.inst))
        return POR_UNKNOWN; // the run does not follow single bits
    for (uint32_t k = 0; w->inputs->invented && k < s->n; k++)
        if (s->type && por_undef_by_inputs(w, s->v[k], 0))
            return POR_UNKNOWN;
    return w->inputs->width ? POR_UNKNOWN : POR_UNDEFINED;
}

enum por_status por_reason_value(struct por_asker *w, struct orc_origin from, const char *sink,
                                 uint32_t at, struct por_reason *out)
{
    out->text = from.birth == ORC_ORIGIN_SURE
                    ? arena_printf(w->a, "%s is not defined.", sink)
                    : arena_printf(w->a, "%s; it decides %s.", birth_text(w, from), sink);
    out->at = por_place(w->a, w->m, at);
    if (from.birth != ORC_ORIGIN_SURE)
        out->from = por_place(w->a, w->m, from.inst);
    out->fix = from.birth == ORC_ORIGIN_UNWRITTEN  ? "write it first"
               : from.birth == ORC_ORIGIN_INACTIVE ? "let all invocations that are read from reach "
                                                     "the operation, or read from active ones only"
                                                   : "";
    const enum por_status s = of_birth(w, from);
    if (s == POR_UNKNOWN && from.birth >= ORC_ORIGIN_NOTHING)
        out->fix = por_is_packed(w->m, from.inst)
                       ? "it is packed into a word with other numbers, and bits are not followed: "
                         "does the result read the part that was never written?"
                       : por_invented_fix(w, from.inst, "this");
    return s;
}

// " by invocation 3 of workgroup 0: index -1, 64 elements"
static const char *stray_of(struct por_asker *w, const struct orc_result *r,
                            const struct orc_trace *t)
{
    struct text s = {.arena = w->a};
    uint32_t size[3];
    struct err e;
    if (r->why.has_place && spv_local_size(w->c, w->m, size, &e))
        text_add(&s, ", in invocation %u of workgroup %u", r->why.invocation, r->why.workgroup);
    if (t->length)
        text_add(&s, ": index %lld, %u element%s", (long long)t->index, t->length,
                 t->length == 1 ? "" : "s");
    return s.v ? s.v : "";
}

// Adds which lines call the function of an instruction, if it is not the entry point.
static void say_calls(struct por_asker *w, uint32_t at, struct por_reason *out)
{
    enum { MOST = 3 };
    uint32_t line[MOST], n = 0, all = 0;
    const uint32_t f = at ? spv_function_at(w->m, at) : UINT32_MAX;
    const uint32_t id = f == UINT32_MAX ? 0 : w->m->insts[w->m->functions[f].first].result;
    for (uint32_t k = 0; id && k < w->m->inst_count; k++) {
        const struct spv_inst *s = &w->m->insts[k];
        const uint32_t in = s->op == SpvOpFunctionCall && s->v[0] == id ? por_line_near(w, k) : 0;
        if (in && !(n && line[n - 1] == in)) {
            all++;
            if (n < MOST)
                line[n++] = in;
        }
    }
    if (!n)
        return;
    struct text s = {.arena = w->a};
    text_add(&s, "%s Its function is called in line", out->text);
    for (uint32_t k = 0; k < n; k++)
        text_add(&s, "%s %u",
                 !k                          ? all > 1 ? "s" : ""
                 : k + 1 == n && all <= MOST ? " and"
                                             : ",",
                 line[k]);
    text_add(&s, "%s", all > MOST ? " and others." : ".");
    out->text = s.v;
}

static enum por_status reason_of_fault(struct por_asker *w, const struct orc_result *r,
                                       const struct orc_trace *t, uint32_t at,
                                       struct por_reason *out)
{
    const char *rule = r->why.rule;
    memcpy(out->rule, rule, sizeof out->rule);
    out->at = por_place(w->a, w->m, at);
    out->fix = "";
    if (strcmp(rule, "E-race") == 0)
        return por_reason_race(w, r, t, at, out);
    if (strcmp(rule, "E-branch") == 0 || strcmp(rule, "E-pointer") == 0)
        return por_reason_value(
            w, t->fault,
            arena_printf(w->a, strcmp(rule, "E-branch") == 0 ? "%s" : "the address of %s",
                         por_inst_text(w, at)),
            at, out);
    if (strcmp(rule, "E-bounds") == 0) {
        const uint32_t root = at && w->m->insts[at].n ? por_root(w->m, w->m->insts[at].v[0]) : 0;
        const struct spv_inst *d = root ? spv_def(w->m, root) : NULL;
        const bool own = t->fixed || (d && d->v[0] != SpvStorageClassUniform &&
                                      d->v[0] != SpvStorageClassStorageBuffer),
                   given = own || (root && por_is_given(w, root));
        out->text = arena_printf(w->a, "%s is out of bounds%s%s%s.", por_inst_text(w, at),
                                 root ? " of " : "", root ? por_name(w->a, w->m, root) : "",
                                 stray_of(w, r, t));
        if (own && w->inputs->groups && r->why.has_place && r->why.workgroup &&
            por_from_workgroup(w, at)) { // with one workgroup it is not
            out->fix = "the number of workgroups is invented: provide the real one with "
                       "--workgroups to find out";
            return POR_UNKNOWN;
        }
        if (!w->inputs->invented || (given && !w->inputs->width && !por_from_inputs(w, at) &&
                                     !por_counted_by_inputs(w, at))) {
            out->fix = own ? "is its array large enough at this subgroup size?" : "";
            return POR_UNDEFINED;
        }
        out->fix = por_invented_fix(w, at, "the address or the size");
        return POR_UNKNOWN;
    }
    if (strcmp(rule, "E-barrier") == 0) {
        out->text = arena_printf(w->a, "%s is not reached by all invocations of the workgroup.",
                                 por_inst_text(w, at));
        out->fix =
            "let all invocations reach it: no return, break or branch that lets some skip it";
        const uint32_t by = w->inputs->invented ? por_divided_by_inputs(w, at) : 0;
        if (!by)
            return POR_UNDEFINED;
        out->fix = por_invented_fix(w, by, "which invocations reach it");
        return POR_UNKNOWN;
    }
    if (strcmp(rule, "E-uniform") == 0 && !spv_group_find(w->m->insts[at].op)) {
        const bool image = spv_op_class(w->m->insts[at].op) == SPV_CLASS_IMAGE;
        const uint32_t root = por_root(w->m, w->m->insts[at].v[0]);
        out->text = arena_printf(w->a,
                                 "%s takes %s from the array%s%s with an index that is not uniform "
                                 "in its subgroup, and is not marked NonUniform.",
                                 por_inst_text(w, at), image ? "an image or sampler" : "a buffer",
                                 root ? " " : "", root ? por_name(w->a, w->m, root) : "");
        out->fix = image ? "put nonuniformEXT() around the index (HLSL: NonUniformResourceIndex)"
                         : "put nonuniformEXT() around the index (HLSL: NonUniformResourceIndex), "
                           "and require the feature shaderStorageBufferArrayNonUniformIndexing";
        if (!w->inputs->invented || !por_from_inputs(w, at))
            return POR_UNDEFINED;
        out->fix = arena_printf(
            w->a, "if the index also differs with real inputs (check with --data), %s", out->fix);
        return POR_UNKNOWN;
    }
    if (strcmp(rule, "E-uniform") == 0) {
        out->text = arena_printf(
            w->a, "%s needs an operand that is equal in all its invocations, but it is not.",
            por_inst_text(w, at));
        out->fix = "use subgroupShuffle if each invocation selects its own lane";
        return r->doubt_scope ? POR_UNKNOWN : POR_UNDEFINED;
    }
    if (r->why.status == RAN_OVER_LIMIT) {
        const uint32_t header = por_around(w, at);
        out->text = arena_printf(
            w->a, "%s still runs after %u,000 instructions (invocation %u of workgroup %u).",
            header ? arena_printf(w->a, "the loop of line %u", por_line_near(w, header))
                   : por_inst_text(w, at),
            POR_STEPS / 1000, r->why.invocation, r->why.workgroup);
        out->fix = w->inputs->invented
                       ? "if it waits for a value that invented inputs do not contain, "
                         "provide real ones with --data"
                       : "does it wait for another invocation?";
        return POR_UNKNOWN;
    }
    if (r->why.status == RAN_UNSUPPORTED || r->why.status == RAN_INVALID) {
        por_reason_refused(w, &r->why, at, out);
        return POR_UNKNOWN;
    }
    if (strcmp(rule, "E-align") == 0 && w->inputs->invented && por_from_inputs(w, at)) {
        out->text =
            arena_printf(w->a, "%s: %s.", por_inst_text(w, at), r->why.text + r->why.reason);
        out->fix = por_invented_fix(w, at, "the address");
        return POR_UNKNOWN;
    }
    out->text = r->why.text;
    return r->why.status == RAN_UNDEFINED ? POR_UNDEFINED : POR_UNKNOWN;
}

enum por_status por_reason_fault(struct por_asker *w, const struct orc_result *r,
                                 const struct orc_trace *t, uint32_t at, struct por_reason *out)
{
    const enum por_status status = reason_of_fault(w, r, t, at, out);
    if (status == POR_UNDEFINED)
        say_calls(w, at, out);
    return status;
}
