// SPDX-License-Identifier: Apache-2.0
//
// Compares the two executors of the oracle, mask machine and tag machine, on the same generated
// program, for each of its inputs and each choice that the rules leave to an implementation. Also
// checks that every generated program is defined.
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct fz_case z;
    fz_make(&a, data, size, &z);
    const struct spv_case *c = z.made.cases;
    struct orc_why why;
    struct orc_program *p = orc_load(&a, c, &why);
    if (!p)
        fz_mismatch(c, "oracle", "generator", ran_name(why.status), why.text);
    for (uint32_t i = 0; i < z.made.case_count; i++)
        for (int policy = 0; policy < SPV_POLICIES; policy++) {
            struct spv_choices choices = {.base = (enum spv_policy)policy};
            struct orc_options o = {.policy = &choices, .strict = true};
            struct orc_result mask, tag;
            orc_run(p, &a, &c[i], c[i].subgroup, &o, &mask);
            if (mask.why.status == RAN_OVER_LIMIT)
                break; // the two executors count steps differently
            if (mask.why.status != RAN_OK)
                fz_mismatch(&c[i], "oracle", "generator", ran_name(mask.why.status), mask.why.text);
            o.machine = ORC_TAG;
            orc_run(p, &a, &c[i], c[i].subgroup, &o, &tag);
            if (!judge_same_result(&mask, &tag))
                fz_mismatch(&c[i], "oracle", "oracle", "machines-disagree", tag.why.text);
            if (!mask.stats.choice_points)
                break;
        }
    arena_free(&a);
    return 0;
}
