// SPDX-License-Identifier: Apache-2.0
//
// Measures programs of the generator, for cmd_stats.c.
#ifndef TF_MEASURE_H
#define TF_MEASURE_H

#include "base/base.h"
#include "generator/generator.h"
#include "oracle/oracle.h"
#include "spirv/spirv.h"

// Values measured of each program, for median and extremes.
enum {
    MEASURE_WORDS,
    MEASURE_BLOCKS,
    MEASURE_LINES,     // of pseudo-code
    MEASURE_STEPS,     // instructions executed per invocation, on average
    MEASURE_OWN,       // the same without the log and the lane mapping
    MEASURE_GROUP_OPS, // executed
    MEASURE_LIVE_BITS,
    MEASURE_LOG_WORDS,
    MEASURE_SERIES
};
enum { MEASURE_RULES = 11, MEASURE_OPS = 128, MEASURE_TYPES = 16, MEASURE_DEPTHS = 7 };

struct measure_rule {
    const char *name, *line;
};
extern const struct measure_rule measure_rules[MEASURE_RULES];

// Group operations of one kind: in the programs, of these executed at least once, executions, and
// executions by a partial subgroup.
struct tally {
    const char *name;
    uint64_t placed, reached, runs, partial;
};

struct measure {
    struct arena keep; // holds the series
    struct {
        VEC(double) v;
    } series[MEASURE_SERIES];
    uint64_t programs, invalid, undefined, over_limit, other, disagree, nothing;
    uint64_t with_divergence, with_reconvergence, with_both, with_choice, with_partial, without_op;
    struct tally all_ops, op[MEASURE_OPS], type[MEASURE_TYPES], depth[MEASURE_DEPTHS];
    uint64_t pattern[64], used[GEN_FEATURE_COUNT];
    struct {
        uint64_t programs, times;
    } rule[MEASURE_RULES];
    double generate, validate, predict, check; // seconds of CPU time
    char first[600];                           // the first error, with its seed
    struct {                                   // by subgroup size: 1 << index
        uint64_t programs, results, live_results;
    } size[8];
    const char *keep_in; // folder for programs on which the machines disagree; NULL: none
    struct spv_tools *tools;
};

// Generates the program of a seed and adds it to the figures. `both`: runs the tag machine too.
void measure_one(struct measure *s, struct arena *a, uint64_t seed, const struct gen_options *g,
                 bool both);

#endif
