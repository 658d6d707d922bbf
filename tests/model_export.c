// SPDX-License-Identifier: Apache-2.0
//
// Programs and their tangles as text, for the third reading of the rules (docs/model/):
//
//   model_export enumerate STAGE SIZE SUBGROUP [A:B]   all small programs, or numbers A to B-1
//   model_export CASE...                               the cases of these files
//
// scripts/model.sh calls it. Lines, each a word and numbers; labels and ids are SPIR-V's:
//
//   program NAME           the lines up to the next one are about it
//   block LABEL FUNCTION   in binary order, then of that block:
//   call FUNCTION            an OpFunctionCall
//   merge M, loop M C        its merge instruction: merge block, continue target
//   branch T, cond T F, switch DEFAULT T..., return, end   its last instruction; end: the invocation
//   run POLICY             the oracle's run with this choice (D3, M2): join, direct
//   subgroup W S           the events of subgroup S of workgroup W follow
//   b LABEL MASK           a tangle starts a block, or continues in it after a call
//   g ID MASK              a tangle executes a group operation
//   undefined              the oracle could not run it to its end: it is to be left out
#include "generator/generator.h"
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
    uint32_t workgroup, subgroup;
    bool any;
};

static void see(void *user, const struct orc_event *e)
{
    struct seen *s = user;
    if (e->kind == ORC_EVENT_PRINT)
        return;
    if (!s->any || s->workgroup != e->workgroup || s->subgroup != e->subgroup)
        printf("subgroup %u %u\n", e->workgroup, e->subgroup);
    *s = (struct seen){e->workgroup, e->subgroup, true};
    printf("%c %u %" PRIx64 "\n", e->kind == ORC_EVENT_GROUP ? 'g' : 'b',
           e->kind == ORC_EVENT_GROUP ? e->id : e->label, (uint64_t)e->active);
}

// False with a message on stderr: the oracle cannot run it.
static bool put_program(struct arena *a, const char *name, const struct spv_case *cases, uint32_t n,
                        uint32_t subgroup)
{
    struct spv_module m;
    struct orc_result r;
    bool switches = false;
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
        switches |= m.insts[i].op == SpvOpSwitch;
    for (uint32_t k = 0; k < n; k++)
        for (int base = SPV_POLICY_JOIN; base <= (switches ? SPV_POLICY_DIRECT : SPV_POLICY_JOIN);
             base++) {
            const struct spv_choices policy = {.base = (enum spv_policy)base};
            struct seen s = {0};
            const struct orc_observer observer = {see, &s};
            printf("run %s\n", spv_policy_name(policy.base));
            orc_predict(a, &cases[k], subgroup,
                        &(struct orc_options){.observer = &observer, .policy = &policy}, &r);
            if (r.why.status != RAN_OK) {
                fprintf(stderr, "model_export: %s: %s\n", name, r.why.text);
                printf("undefined\n");
                return false;
            }
        }
    return true;
}

static int enumerate(int argc, char **argv)
{
    struct arena keep = {0}, a = {0};
    const struct gen_options o = {.subgroup = (uint32_t)atoi(argv[4]), .inputs = 2};
    enum spv_stage stage;
    if (!spv_stage_find(argv[2], strlen(argv[2]), &stage))
        return 2;
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
