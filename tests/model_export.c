// SPDX-License-Identifier: Apache-2.0
//
// Programs and their tangles as text, for the third reading of the rules (docs/model/):
//
//   model_export enumerate STAGE SIZE SUBGROUP [A:B]   all small programs, or numbers A to B-1; in
//                                                      fragments no invocation is spared a demote
//   model_export CASE...                               the cases of these files
//
// scripts/model.sh calls it. Lines, each a word and numbers; labels and ids are SPIR-V's:
//
//   program NAME           the lines up to the next one are about it
//   block LABEL FUNCTION   in binary order, then of that block:
//   call FUNCTION            an OpFunctionCall
//   demote                   an OpDemoteToHelperInvocation
//   merge M, loop M C        its merge instruction: merge block, continue target
//   branch T, cond T F, switch DEFAULT T..., return, end   its last instruction; end: the invocation
//   run POLICY QUADS       the oracle's run with these choices. D3, M2: join, direct. D4, E2: a quad
//                          with only helpers left runs to its end, or stops at once: go, stop
//   subgroup W S           the events of subgroup S of workgroup W follow
//   quads HELPERS          at its first event: its lanes form quads; helpers from the start
//   b LABEL MASK           a tangle starts a block, or continues in it after a call
//   g ID MASK BEFORE       a tangle executes a group operation; calls and demotes before it in its block
//   undefined              the oracle could not run it to its end: it is to be left out
//
// The tag machine must store what the mask machine does, whose tangles these are. Not where quads stop:
// the machines run sibling tangles in another order (N3), so quads stop at other times.
#include "generator/generator.h"
#include "judge/judge.h"
#include "oracle/oracle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_block(const struct spv_module *m, const struct spv_block *b, uint32_t function)
{
    printf("block %u %u\n", b->label, function);
    for (uint32_t i = b->first; i <= b->last; i++) {
        const struct spv_inst *s = &m->insts[i];
        switch (s->op) {
        case SpvOpFunctionCall:
            printf("call %u\n", s->v[0]);
            break;
        case SpvOpDemoteToHelperInvocation:
            printf("demote\n");
            break;
        case SpvOpSelectionMerge:
            printf("merge %u\n", s->v[0]);
            break;
        case SpvOpLoopMerge:
            printf("loop %u %u\n", s->v[0], s->v[1]);
            break;
        case SpvOpBranch:
            printf("branch %u\n", s->v[0]);
            break;
        case SpvOpBranchConditional:
            printf("cond %u %u\n", s->v[1], s->v[2]);
            break;
        case SpvOpSwitch:
            printf("switch %u", s->v[1]);
            for (uint32_t k = 3; k < s->n; k += 2) // literals of 32 bits
                printf(" %u", s->v[k]);
            printf("\n");
            break;
        case SpvOpReturn:
        case SpvOpReturnValue:
            printf("return\n");
            break;
        case SpvOpKill:
        case SpvOpTerminateInvocation:
        case SpvOpUnreachable:
            printf("end\n");
            break;
        default:
            break;
        }
    }
}

struct seen {
    const struct spv_module *m;
    uint32_t workgroup, subgroup;
    uint64_t known; // subgroups of the first workgroups that have had an event
    bool any;
};

static bool ends_piece(uint32_t op)
{
    return op == SpvOpFunctionCall || op == SpvOpDemoteToHelperInvocation;
}

// Returns how many calls and demotes come before the instruction with result `id` in its block.
static uint32_t pieces_before(const struct spv_module *m, uint32_t label, uint32_t id)
{
    uint32_t n = 0, b = 0;
    while (m->blocks[b].label != label)
        b++;
    for (uint32_t i = m->blocks[b].first; m->insts[i].result != id; i++)
        n += ends_piece(m->insts[i].op);
    return n;
}

static void see(void *user, const struct orc_event *e)
{
    struct seen *s = user;
    if (e->kind == ORC_EVENT_PRINT)
        return;
    if (!s->any || s->workgroup != e->workgroup || s->subgroup != e->subgroup)
        printf("subgroup %u %u\n", e->workgroup, e->subgroup);
    const uint64_t bit = UINT64_C(1) << e->subgroup % 64;
    if (e->quads && !(s->known & bit)) // a draw is one workgroup
        printf("quads %" PRIx64 "\n", (uint64_t)e->helper);
    s->known |= bit;
    s->workgroup = e->workgroup;
    s->subgroup = e->subgroup;
    s->any = true;
    if (e->kind == ORC_EVENT_GROUP)
        printf("g %u %" PRIx64 " %u\n", e->id, (uint64_t)e->active,
               pieces_before(s->m, e->label, e->id));
    else
        printf("b %u %" PRIx64 "\n", e->label, (uint64_t)e->active);
}

// False with a message on stderr: the oracle cannot run it.
static bool put_program(struct arena *a, const char *name, const struct spv_case *cases, uint32_t n,
                        uint32_t subgroup)
{
    struct spv_module m;
    struct orc_result r;
    bool switches = false, can_end = false;
    struct err e;
    if (!spv_module_read(a, cases->words, cases->count, &m, &e)) {
        fprintf(stderr, "model_export: %s: %s\n", name, e.msg);
        return false;
    }
    printf("program %s\n", name);
    for (uint32_t f = 0; f < m.function_count; f++)
        for (uint32_t b = 0; b < m.functions[f].block_count; b++)
            put_block(&m, &m.blocks[m.functions[f].block_first + b], m.functions[f].id);
    for (uint32_t i = 0; i < m.inst_count; i++)
        switch (m.insts[i].op) {
        case SpvOpSwitch:
            switches = true;
            break;
        case SpvOpDemoteToHelperInvocation:
        case SpvOpTerminateInvocation:
        case SpvOpKill:
            can_end = true;
            break;
        default:
            break;
        }
    const uint32_t runs = (switches ? 2u : 1u) * (can_end ? 2u : 1u);
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t run = 0; run < runs; run++) {
            const bool direct = switches && run % 2, stop = run >= (switches ? 2u : 1u);
            const struct spv_choices policy = {
                .base = direct ? SPV_POLICY_DIRECT : SPV_POLICY_JOIN, .quads_end = stop};
            struct seen s = {.m = &m};
            const struct orc_observer observer = {see, &s};
            printf("run %s %s\n", spv_policy_name(policy.base), stop ? "stop" : "go");
            orc_predict(a, &cases[k], subgroup,
                        &(struct orc_options){.observer = &observer, .policy = &policy}, &r);
            if (r.why.status != RAN_OK) {
                fprintf(stderr, "model_export: %s: %s\n", name, r.why.text);
                printf("undefined\n");
                return false;
            }
            struct orc_result tag;
            char text[200];
            orc_predict(a, &cases[k], subgroup,
                        &(struct orc_options){.machine = ORC_TAG, .policy = &policy}, &tag);
            if (!stop && !judge_same_result(&r, &tag)) {
                judge_difference(&r, &tag, text, sizeof text);
                fprintf(stderr, "model_export: %s: the machines disagree: %s\n", name, text);
                printf("undefined\n");
                return false;
            }
        }
    return true;
}

// The generator demotes only invocations that are "free", which leaves each quad a live one. Here
// all are: the loads of that variable become `true`.
static void demote_all(struct arena *a, struct spv_case *c)
{
    enum { HEAD = 5 };
    uint32_t *w = ARENA_ARRAY(a, uint32_t, c->count), is_free = 0, is_true = 0;
    memcpy(w, c->words, c->count * sizeof *w);
    for (size_t at = HEAD; at < c->count; at += w[at] >> 16) {
        uint32_t *i = &w[at];
        const uint32_t op = *i & 0xffff;
        if (op == SpvOpName && strcmp((const char *)&i[2], "free") == 0)
            is_free = i[1];
        else if (op == SpvOpConstantTrue)
            is_true = i[2];
        else if (op == SpvOpLoad && is_free && i[3] == is_free) {
            *i = (*i & ~UINT32_C(0xffff)) | SpvOpCopyObject;
            i[3] = is_true;
        }
    }
    c->words = w;
}

static int enumerate(int argc, char **argv)
{
    struct arena keep = {0}, a = {0};
    enum spv_stage stage;
    if (!spv_stage_find(argv[2], strlen(argv[2]), &stage))
        return 2;
    const struct gen_options o = {
        .subgroup = (uint32_t)atoi(argv[4]), .inputs = 2, .stage = stage};
    const uint32_t size = (uint32_t)atoi(argv[3]);
    const struct enumeration *all = enu_make(&keep, stage, size);
    uint64_t n = 0, end = enu_count(all, size);
    if (argc > 5 && sscanf(argv[5], "%" SCNu64 ":%" SCNu64, &n, &end) != 2)
        return 2;
    bool ok = true;
    for (; n < end && ok; n++, arena_reset(&a)) {
        struct gen_made made;
        struct text name = {.arena = &a};
        gen_make_number(&a, all, n, &o, &made);
        for (uint32_t k = 0; stage == SPV_FRAGMENT && k < made.case_count; k++)
            demote_all(&a, &made.cases[k]);
        text_add(&name, "%llu: ", (unsigned long long)n);
        enu_text(enu_sketch(all, &a, n), &name);
        ok = put_program(&a, name.v, made.cases, made.case_count, o.subgroup);
    }
    arena_free(&a);
    arena_free(&keep);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc >= 5 && strcmp(argv[1], "enumerate") == 0)
        return enumerate(argc, argv);
    struct spv_tools *tools = spv_tools_new();
    bool ok = argc > 1;
    for (int k = 1; k < argc; k++) {
        struct arena a = {0};
        struct spv_case c;
        struct err e;
        if (!spv_case_read(tools, &a, argv[k], &c, &e)) {
            fprintf(stderr, "model_export: %s\n", e.msg);
            ok = false;
        } else {
            ok &= put_program(&a, argv[k], &c, 1, c.subgroup ? c.subgroup : 8);
        }
        arena_free(&a);
    }
    spv_tools_free(tools);
    return ok ? 0 : 1;
}
