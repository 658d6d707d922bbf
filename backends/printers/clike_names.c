// SPDX-License-Identifier: Apache-2.0
//
// Names of values in GLSL, by what a value is: lane, trip, seen. A name that several values of the
// module have ends in the id: seen_58 is %58. Names are unique, and none is a word of GLSL: `input`
// and `active` are reserved there, so they are not used here.
#include "clike.h"

#include <ctype.h>
#include <string.h>

struct clike_names {
    const char **base; // [bound]; NULL: x and the id
    bool *numbered;    // [bound]: the name ends in the id
    uint32_t bound;
};

// A builtin or an operation, and the name of its value; of a reduction, also those of its inclusive
// and its exclusive scan.
struct named {
    uint32_t key;
    const char *name[3];
};

static const struct named builtins[] = {
    {SpvBuiltInSubgroupLocalInvocationId, {"lane"}},
    {SpvBuiltInSubgroupId, {"subgroup"}},
    {SpvBuiltInSubgroupSize, {"size"}},
    {SpvBuiltInNumSubgroups, {"subgroups"}},
    {SpvBuiltInGlobalInvocationId, {"invocation"}},
    {SpvBuiltInLocalInvocationId, {"local"}},
    {SpvBuiltInLocalInvocationIndex, {"local"}},
    {SpvBuiltInWorkgroupId, {"group"}},
    {SpvBuiltInNumWorkgroups, {"groups"}},
    {SpvBuiltInHelperInvocation, {"helper"}},
    {SpvBuiltInFragCoord, {"coord"}},
    {SpvBuiltInFrontFacing, {"front"}},
};

static const struct named group_ops[] = {
    {SpvOpGroupNonUniformIAdd, {"sum", "sum_with", "sum_before"}},
    {SpvOpGroupNonUniformFAdd, {"sum", "sum_with", "sum_before"}},
    {SpvOpGroupNonUniformIMul, {"product", "product_with", "product_before"}},
    {SpvOpGroupNonUniformFMul, {"product", "product_with", "product_before"}},
    {SpvOpGroupNonUniformUMin, {"least", "least_with", "least_before"}},
    {SpvOpGroupNonUniformSMin, {"least", "least_with", "least_before"}},
    {SpvOpGroupNonUniformFMin, {"least", "least_with", "least_before"}},
    {SpvOpGroupNonUniformUMax, {"most", "most_with", "most_before"}},
    {SpvOpGroupNonUniformSMax, {"most", "most_with", "most_before"}},
    {SpvOpGroupNonUniformFMax, {"most", "most_with", "most_before"}},
    {SpvOpGroupNonUniformBitwiseAnd, {"and_of", "and_with", "and_before"}},
    {SpvOpGroupNonUniformLogicalAnd, {"and_of", "and_with", "and_before"}},
    {SpvOpGroupNonUniformBitwiseOr, {"or_of", "or_with", "or_before"}},
    {SpvOpGroupNonUniformLogicalOr, {"or_of", "or_with", "or_before"}},
    {SpvOpGroupNonUniformBitwiseXor, {"xor_of", "xor_with", "xor_before"}},
    {SpvOpGroupNonUniformLogicalXor, {"xor_of", "xor_with", "xor_before"}},
    {SpvOpGroupNonUniformElect, {"elected"}},
    {SpvOpGroupNonUniformAll, {"for_all"}},
    {SpvOpGroupNonUniformQuadAllKHR, {"for_all"}},
    {SpvOpGroupNonUniformAny, {"for_any"}},
    {SpvOpGroupNonUniformQuadAnyKHR, {"for_any"}},
    {SpvOpGroupNonUniformAllEqual, {"all_same"}},
    {SpvOpGroupNonUniformBallot, {"seen"}},
    {SpvOpGroupNonUniformBallotBitCount, {"seen_count"}},
    {SpvOpGroupNonUniformBallotFindLSB, {"seen_first"}},
    {SpvOpGroupNonUniformBallotFindMSB, {"seen_last"}},
    {SpvOpGroupNonUniformInverseBallot, {"seen_bit"}},
    {SpvOpGroupNonUniformBallotBitExtract, {"seen_bit"}},
    {SpvOpGroupNonUniformBroadcastFirst, {"of_first"}},
};

static const struct named *find(const struct named *rows, size_t n, uint32_t key)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i].key == key)
            return &rows[i];
    return NULL;
}

static const char *of_builtin(uint32_t builtin)
{
    const struct named *row = find(builtins, sizeof builtins / sizeof *builtins, builtin);
    return row ? row->name[0] : NULL;
}

static const char *of_group_op(const struct spv_inst *in)
{
    const struct named *row = find(group_ops, sizeof group_ops / sizeof *group_ops, in->op);
    const uint32_t form = spv_group_form(in);
    if (!row)
        return spv_group_class(in) == SPV_GROUP_DERIVATIVE ? "slope"
               : spv_group_class(in) == SPV_GROUP_QUAD     ? "of_quad"
                                                           : "of_other";
    return !row->name[1]                            ? row->name[0]
           : form == SpvGroupOperationInclusiveScan ? row->name[1]
           : form == SpvGroupOperationExclusiveScan ? row->name[2]
                                                    : row->name[0];
}

// One letter and digits, as the generator names variables: no word of GLSL looks like that.
static bool is_plain(const char *name)
{
    if (!name || !islower((unsigned char)name[0]) || !name[1])
        return false;
    return name[1 + strspn(name + 1, "0123456789")] == 0;
}

// ---- values that others use ----

enum { IS_INDEX = 1, IN_INDEX = 2 }; // an index of a buffer; part of one

static bool adds_up(uint32_t op)
{
    return op == SpvOpIAdd || op == SpvOpIMul || op == SpvOpISub || op == SpvOpShiftLeftLogical ||
           op == SpvOpBitwiseOr;
}

static uint8_t *uses_of(struct arena *a, const struct form *f)
{
    uint8_t *use = ARENA_ARRAY(a, uint8_t, f->m.bound);
    for (uint32_t i = 0; i < f->m.bound; i++)
        if (f->id[i].place == FORM_BUFFER && f->id[i].word)
            use[f->id[i].word] = IS_INDEX;
    for (uint32_t i = f->m.inst_count; i-- > 0;) {
        const struct spv_inst *in = &f->m.insts[i];
        if (!in->result || !use[in->result] || !adds_up(in->op))
            continue;
        for (uint32_t k = 0; k < 2; k++)
            if (!use[in->v[k]])
                use[in->v[k]] = IN_INDEX;
    }
    return use;
}

// Is `id` the phi of a loop's header, plus or minus something? A counter.
static bool counts(const struct form *f, const struct spv_inst *phi)
{
    for (uint32_t k = 0; k + 1 < phi->n; k += 2) {
        const struct spv_inst *d = spv_def(&f->m, phi->v[k]);
        uint32_t n;
        if (d && (d->op == SpvOpIAdd || d->op == SpvOpISub) &&
            ((d->v[0] == phi->result && form_constant(f, d->v[1], &n)) ||
             (d->v[1] == phi->result && form_constant(f, d->v[0], &n))))
            return true;
    }
    return false;
}

static const char *of_phi(const struct form *f, const struct spv_inst *in, uint32_t label)
{
    const struct spv_block *b = &f->m.blocks[f->m.block_of[label]];
    if (!b->merge || f->m.insts[b->merge].op != SpvOpLoopMerge)
        return "merged";
    return counts(f, in) ? "trip" : "carried";
}

static const char *of_load(struct arena *a, const struct clike_names *n, const struct form *f,
                           const struct spv_inst *in)
{
    const struct form_id *from = &f->id[in->v[0]];
    if (from->place == FORM_BUILTIN)
        return of_builtin(from->builtin);
    if (from->place == FORM_BUFFER)
        return f->buffers.v[from->buffer].read_only ? "given" : "loaded";
    return arena_printf(a, "from_%s",
                        from->name          ? from->name
                        : n->base[in->v[0]] ? n->base[in->v[0]]
                                            : "variable");
}

static const char *of_value(struct arena *a, const struct clike_names *n, const struct form *f,
                            const struct spv_inst *in, uint32_t label, uint8_t use)
{
    bool is_bool;
    if (spv_group_find(in->op))
        return of_group_op(in);
    switch (in->op) {
    case SpvOpVariable:
        return is_plain(f->id[in->result].name) ? f->id[in->result].name : NULL;
    case SpvOpFunctionParameter:
        return "passed";
    case SpvOpFunctionCall:
        return "returned";
    case SpvOpLoad:
        return of_load(a, n, f, in);
    case SpvOpPhi:
        return of_phi(f, in, label);
    case SpvOpSelect:
        return "chosen";
    case SpvOpCompositeExtract: {
        const struct form_id *from = &f->id[in->v[0]];
        const char *base =
            from->place == FORM_BUILTIN ? of_builtin(from->builtin) : n->base[in->v[0]];
        return base && in->n == 2 ? arena_printf(a, "%s_%c", base, "xyzw"[in->v[1] & 3]) : "part";
    }
    default:
        break;
    }
    if (form_components(f, in->type, &is_bool) && is_bool)
        return "test";
    return use == IS_INDEX ? "index" : use == IN_INDEX ? "base" : "value";
}

// ---- all of a module ------------------------------------------------------------------------

static void read(struct arena *a, const struct form *f, struct clike_names *n)
{
    const uint8_t *use = uses_of(a, f);
    uint32_t label = 0;
    *n = (struct clike_names){ARENA_ARRAY(a, const char *, f->m.bound),
                              ARENA_ARRAY(a, bool, f->m.bound), f->m.bound};
    for (uint32_t i = 0; i < f->m.inst_count; i++) {
        const struct spv_inst *in = &f->m.insts[i];
        if (in->op == SpvOpLabel)
            label = in->result;
        const bool global = !label && in->op != SpvOpVariable && in->op != SpvOpFunctionParameter;
        const uint8_t place = in->result ? f->id[in->result].place : FORM_NOWHERE;
        if (!in->result || !in->type || global || place == FORM_BUFFER || place == FORM_OPAQUE ||
            place == FORM_ELEMENT || (place == FORM_BUILTIN && in->op != SpvOpLoad) ||
            in->op == SpvOpFunction)
            continue;
        n->base[in->result] = of_value(a, n, f, in, label, use[in->result]);
    }
}

// The names that were seen, each with the id that has it.
struct seen {
    struct name {
        const char *base;
        uint32_t id;
        bool several;
    } *v;
    size_t n, cap;
};

static void see(struct arena *a, struct seen *s, const struct clike_names *n)
{
    for (uint32_t id = 0; id < n->bound; id++) {
        size_t k = 0;
        if (!n->base[id])
            continue;
        while (k < s->n && strcmp(s->v[k].base, n->base[id]) != 0)
            k++;
        if (k == s->n)
            *VEC_PUSH(a, s) = (struct name){n->base[id], id, false};
        s->v[k].several |= s->v[k].id != id;
    }
}

const struct clike_names *clike_names(struct arena *a, const struct form *f,
                                      const struct form *also)
{
    struct clike_names *n = ARENA_NEW(a, struct clike_names), other;
    struct seen s = {0};
    read(a, f, n);
    see(a, &s, n);
    if (also) {
        read(a, also, &other);
        see(a, &s, &other);
    }
    for (uint32_t id = 0; id < n->bound; id++)
        for (size_t k = 0; k < s.n && n->base[id]; k++)
            if (strcmp(s.v[k].base, n->base[id]) == 0) {
                n->numbered[id] = s.v[k].several;
                break;
            }
    return n;
}

bool clike_has_name(const struct clike *p, uint32_t id)
{
    return p->names && p->names->base[id];
}

const char *clike_name(const struct clike *p, uint32_t id)
{
    const struct clike_names *n = p->names;
    struct arena *a = p->f->arena;
    if (!clike_has_name(p, id))
        return arena_printf(a, "x%u", id);
    return n->numbered[id] ? arena_printf(a, "%s_%u", n->base[id], id) : n->base[id];
}

const char *clike_phi(const struct clike *p, uint32_t id)
{
    struct arena *a = p->f->arena;
    return clike_has_name(p, id) ? arena_printf(a, "%s_in", clike_name(p, id))
                                 : arena_printf(a, "p%u", id);
}
