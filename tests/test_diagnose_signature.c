// SPDX-License-Identifier: Apache-2.0
//
// Signatures: where a wrong word came from, messages and targets without what varies,
// and what a reduction may go on with.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "diagnose/reason.h"
#include "store/finding.h"

#include <stdlib.h>
#include <string.h>

static struct spv_tools *tools;
static struct arena arena;

static struct spv_case read_case(const char *name)
{
    struct spv_case c;
    struct err e = {0};
    const char *root = getenv("SOURCE_DIR");
    if (!spv_case_read(tools, &arena, arena_printf(&arena, "%s/corpus/%s.spvasm", root, name), &c,
                       &e))
        fail_msg("%s", e.msg);
    return c;
}

// A word of a case of the corpus, and what made it.
static void corpus_places(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t word;
        const char *op, *path, *rule;
    } rows[] = {
        {"rules/M6-break-block-stays-split", 0, "ballot", "loop/break", "M6"},
        {"rules/M3-loop-exit-joins-all-iterations", 0, "ballot", "loop", "M4"},
        {"rules/M3-loop-exit-joins-all-iterations", 1, "ballot", "top+loop", "M3"},
        {"rules/I1-start-converged", 0, "ballot", "top", "I1"},
        {"rules/D2-switch-by-value", 0, "ballot", "case", "D2"},
        {"rules/M4-continue-target-joins", 1, "ballot", "cont", "M4"},
        {"rules/M5-E3-call-return-joins", 1, "ballot", "top+call", "M5"},
        {"rules/D3-M2-fall-through-join", 1, "ballot", "fall", "M2"},
        {"regress/spirv-opt-loop-unswitch-T2", 0, "ballot", "call/loop+if", "M1"},
        {"regress/spirv-opt-loop-unswitch-T2", 1, "ballot", "call/loop+if", "M1"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct spv_case c = read_case(rows[k].name);
        struct judge_verdict v = {.klass = JUDGE_WRONG_MEMORY, .has_place = true,
                                .set = c.buffer[0].set, .binding = c.buffer[0].binding,
                                .word = rows[k].word};
        struct diag_signature s;
        diag_signature(&c, &v, "spirv-opt:-O", NULL, NULL, NULL, &s);
        const char *op = diag_op_words(&arena, &s), *path = diag_path_words(&arena, &s.path);
        const char *rule = diag_rule_name(s.rule);
        if (strcmp(op, rows[k].op) || strcmp(path, rows[k].path) || strcmp(rule, rows[k].rule))
            fail_msg("%s, word %u: %s %s %s, not %s %s %s", rows[k].name, rows[k].word, op, path,
                     rule, rows[k].op, rows[k].path, rows[k].rule);
        assert_true(diag_rule_text(s.rule)[0]);
        // Under a weaker model no rule of the stronger one is named; the rest stays.
        for (int weak = SPV_SUBGROUP_UNIFORM; weak <= SPV_WORKGROUP_UNIFORM; weak++) {
            struct diag_signature less;
            c.model = (enum spv_model)weak;
            diag_signature(&c, &v, "spirv-opt:-O", NULL, NULL, NULL, &less);
            assert_int_equal(less.rule, DIAG_NO_RULE);
            assert_string_equal(diag_rule_text(less.rule), "");
            assert_string_equal(less.text, s.text);
        }
    }
}

// What a module's switches do, and its atomic operation where there is no construct: where no operation and no tangle is to blame.
static void switches(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"naga-loop-break-in-switch-T12", "loop, switch, left"},
        {"naga-switch-labels-share-a-block-invalid", "switch, shared"},
        {"naga-switch-default-shares-label-T12", "switch, shared default"},
        {"naga-switch-falls-through-twice-invalid", "switch, falls"},
        {"naga-switch-falls-into-default-T12", "switch, falls to default"},
        {"naga-switch-default-falls-through-T12", "switch, default falls"},
        {"naga-atomic-smax-is-unsigned", "top, OpAtomicSMax"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const struct spv_case c = read_case(arena_printf(&arena, "regress/%s", rows[k][0]));
        const struct judge_verdict v = {
            .klass = JUDGE_WRONG_MEMORY, .has_place = true, .set = c.buffer[0].set, .binding = c.buffer[0].binding};
        struct diag_signature s;
        diag_signature(&c, &v, "mutant:x", NULL, NULL, NULL, &s);
        diag_signature_probed(&s, DIAG_ANY, &(struct diag_pattern){.where = DIAG_NOWHERE});
        assert_string_equal(s.text, arena_printf(&arena, strstr(rows[k][1], "switch") ? "2|mutant|wrong-flow||%s||" : "2|mutant|wrong-value||%s||", rows[k][1]));
    }
}

// Two sites in a log: the elect of a break block by way of a variable, and the ballot
// behind the loop.
static const char LOGGED[] =
    "; tanglefuzz-case 1\n; dispatch 1 1 1\n; subgroup 4\n; model maximal\n"
    "; buffer 0:0 zero 32\n; log 0:0 stride 8\n"
    "OpCapability Shader\nOpCapability GroupNonUniformBallot\n"
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %id\n"
    "OpExecutionMode %main LocalSize 4 1 1\n"
    "OpDecorate %log DescriptorSet 0\nOpDecorate %log Binding 0\nOpDecorate %block Block\n"
    "OpDecorate %array ArrayStride 4\nOpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %id BuiltIn LocalInvocationIndex\n"
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%v4 = OpTypeVector %uint 4\n"
    "%fn = OpTypeFunction %void\n%array = OpTypeRuntimeArray %uint\n%block = OpTypeStruct %array\n"
    "%pblock = OpTypePointer StorageBuffer %block\n%puint = OpTypePointer StorageBuffer %uint\n"
    "%pin = OpTypePointer Input %uint\n%pvar = OpTypePointer Function %uint\n"
    "%true = OpConstantTrue %bool\n%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n"
    "%c2 = OpConstant %uint 2\n%c3 = OpConstant %uint 3\n%c4 = OpConstant %uint 4\n"
    "%c8 = OpConstant %uint 8\n%h5 = OpConstant %uint 1282\n%h6 = OpConstant %uint 16778753\n"
    "%log = OpVariable %pblock StorageBuffer\n%id = OpVariable %pin Input\n"
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n%kept = OpVariable %pvar Function\n"
    "OpStore %kept %c0\n%lane = OpLoad %uint %id\n%row = OpIMul %uint %lane %c8\n"
    "OpBranch %head\n%head = OpLabel\n%i = OpPhi %uint %c0 %entry %next %cont\n"
    "OpLoopMerge %merge %cont None\nOpBranch %body\n"
    "%body = OpLabel\n%out = OpUGreaterThanEqual %bool %i %lane\nOpSelectionMerge %stay None\n"
    "OpBranchConditional %out %leave %stay\n"
    "%leave = OpLabel\n%x = OpGroupNonUniformElect %bool %c3\n%y = OpSelect %uint %x %c1 %c0\n"
    "OpStore %kept %y\nOpBranch %merge\n"
    "%stay = OpLabel\nOpBranch %cont\n%cont = OpLabel\n%next = OpIAdd %uint %i %c1\n"
    "OpBranch %head\n"
    "%merge = OpLabel\n%p0 = OpAccessChain %puint %log %c0 %row\n"
    "%r1 = OpIAdd %uint %row %c1\n%p1 = OpAccessChain %puint %log %c0 %r1\n"
    "%r2 = OpIAdd %uint %row %c2\n%p2 = OpAccessChain %puint %log %c0 %r2\n"
    "%r3 = OpIAdd %uint %row %c3\n%p3 = OpAccessChain %puint %log %c0 %r3\n"
    "%v = OpLoad %uint %kept\nOpStore %p1 %h5\nOpStore %p2 %lane\nOpStore %p3 %v\nOpStore %p0 %c3\n"
    "%b = OpGroupNonUniformBallot %v4 %c3 %true\n%b0 = OpCompositeExtract %uint %b 0\n"
    "%r4 = OpIAdd %uint %row %c4\n%p4 = OpAccessChain %puint %log %c0 %r4\n"
    "OpStore %p4 %h6\nOpStore %p3 %b0\nOpReturn\nOpFunctionEnd\n";

static void log_places(void **state)
{
    (void)state;
    struct spv_case c;
    struct err e = {0};
    if (!spv_case_parse(tools, &arena, "logged", LOGGED, sizeof LOGGED - 1, &c, &e))
        fail_msg("%s", e.msg);
    static const struct {
        enum judge_class klass;
        uint32_t site, value;
        const char *op, *path, *rule, *taxonomy;
    } rows[] = {
        {JUDGE_WRONG_VALUE, 5, 1, "elect", "loop/break", "M6", "T1"},
        // No group operation feeds it: the store's own place.
        {JUDGE_WRONG_VALUE, 5, 0, "", "top+loop", "M3", "T8"},
        {JUDGE_MISSING_LANES, 6, 0, "ballot", "top+loop", "M3", "T11"},
        {JUDGE_WRONG_VALUE, 9, 0, "", "", "", ""}, // no such site
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct judge_verdict v = {.klass = rows[k].klass, .has_place = true, .has_site = true,
                                .site = rows[k].site, .value = rows[k].value};
        struct diag_signature s;
        diag_signature(&c, &v, "mutant:x", NULL, NULL, NULL, &s);
        const char *op = diag_op_words(&arena, &s), *path = diag_path_words(&arena, &s.path);
        const char *rule = diag_rule_name(s.rule), *class = diag_bug_class(s.bug_class);
        if (strcmp(op, rows[k].op) || strcmp(path, rows[k].path) || strcmp(rule, rows[k].rule) ||
            strcmp(class, rows[k].taxonomy))
            fail_msg("row %zu: '%s' '%s' '%s' '%s'", k, op, path, rule, class);
    }
}

// The probe of a module is valid, keeps its meaning but for the op, and is none where there is
// nothing to replace.
static void probes(void **state)
{
    (void)state;
    struct spv_case c, probe;
    struct err e = {0};
    if (!spv_case_parse(tools, &arena, "logged", LOGGED, sizeof LOGGED - 1, &c, &e))
        fail_msg("%s", e.msg);
    struct judge_verdict v = {.klass = JUDGE_WRONG_VALUE, .has_place = true, .has_site = true,
                            .site = 5, .value = 1};
    static const struct {
        enum diag_probe kind;
        uint32_t op;
        uint32_t n; // how many the probe holds, with what the module had
    } rows[] = {
        {DIAG_PROBE_BALLOT, SpvOpGroupNonUniformBallot, 2},
        {DIAG_PROBE_SUM, SpvOpGroupNonUniformIAdd, 1},
        {DIAG_PROBE_ELECT, SpvOpGroupNonUniformElect, 2},
    };
    for (int k = 0; k < 6; k++) { // the elect by way of a select; the ballot
        bool elect = k < 3;
        uint32_t id, found = 0;
        v.site = elect ? 5 : 6;
        v.value = elect ? 1 : 0;
        assert_true(diag_probe_is(&c, &v, DIAG_PROBE_ELECT) == elect);
        assert_true(diag_probe_is(&c, &v, DIAG_PROBE_BALLOT) == !elect);
        assert_true(diag_probe(&arena, &c, &v, rows[k % 3].kind, &probe, &id));
        struct spv_module m;
        assert_true(spv_module_read(&arena, probe.words, probe.count, &m, &e));
        assert_int_equal(spv_def(&m, id)->op, rows[k % 3].op);
        for (uint32_t i = 0; i < m.inst_count; i++)
            found += m.insts[i].op == rows[k % 3].op;
        assert_int_equal(found, rows[k % 3].n);
        if (!spv_validate(tools, SPV_ENV_VULKAN_1_3, probe.words, probe.count, &e))
            assert_null(strstr(e.msg, "defined")); // the small module lacks what Vulkan asks for, no id
    }
    uint32_t id;
    v.site = 5;
    v.value = 0; // the lane's number: no op
    assert_false(diag_probe(&arena, &c, &v, DIAG_PROBE_BALLOT, &probe, &id));
    v.value = 1; // what an elect works on is nothing
    assert_false(diag_probe(&arena, &c, &v, DIAG_PROBE_OPERAND, &probe, &id));
    struct diag_signature s;
    static const struct {
        enum diag_what at_fault;
        struct diag_pattern pattern;
        const char *text;
    } texts[] = {
        {DIAG_ANY, {.extra = {.ways = 1u << DIAG_AGAIN}}, "2|mutant|wrong-tangle|any|extra: again||"},
        {DIAG_ANY, {.extra = {.rules = 1u << DIAG_M1}},
         "2|mutant|wrong-tangle|any|extra: M1 (loop, only arm)||"},
        {DIAG_ANY, {.where = DIAG_NOWHERE}, "2|mutant|wrong-flow||loop||"}, // no tangle is known to be wrong
        {DIAG_OP, {.where = DIAG_PART}, "2|mutant|wrong-tangle|Elect|part||"},
        {DIAG_OP, {.extra = {.ways = 1u << DIAG_ABSENT}}, "2|mutant|wrong-tangle|Elect|absent||"},
        {DIAG_INNER, {.where = DIAG_PART}, "2|mutant|wrong-flow||loop||"}, // and no operation is behind it
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        diag_signature(&c, &v, "mutant:x", NULL, NULL, NULL, &s);
        diag_signature_probed(&s, texts[k].at_fault, &texts[k].pattern);
        assert_string_equal(s.text, texts[k].text);
    }
}

static void messages(void **state)
{
    (void)state;
    static const struct {
        const char *in, *out;
    } rows[] = {
        {"ID '12[%x]' is not defined", "ID '_' is not defined"},
        {"The block '5[%5]' is wrong\n  %5 = OpLabel", "The block '_' is wrong"},
        {"Block %34 is bad at 0x7f00ab,  line 12", "Block %_ is bad at #, line #"},
        {"/home/me/a/driver.so: OpPhi in 'main'", "driver.so: OpPhi in 'main'"},
        {"i32 stays, v4 too: 77", "i32 stays, v4 too: #"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_string_equal(diag_normal_message(&arena, rows[k].in), rows[k].out);
}

static void crashes(void **state)
{
    (void)state;
    struct spv_case c = read_case("rules/I1-start-converged");
    struct judge_verdict v = {.klass = JUDGE_CRASH};
    struct diag_signature x, y, z;
    diag_signature(&c, &v, "vulkan:driver=lavapipe", NULL,
                  "killed by signal 11\n#0 0x7f01 in raise ()\n#1 0x12 in llvm::Spill(int) x.cpp:1\n"
                  "#2 0x13 in llvm::Run() y.cpp:2\n",
                  NULL, &x);
    assert_string_equal(x.message, "llvm::Spill < llvm::Run: killed by signal #");
    diag_signature(&c, &v, "vulkan:driver=lavapipe", NULL,
                  "killed by signal 11\nlibx.so(llvm::Spill+0x1f) [0x7]\nlibx.so(llvm::Run+0x2) [0x9]\n",
                  NULL, &y);
    assert_string_equal(x.name, y.name);
    assert_true(diag_same_kind(&x, &y));
    static const char gdb[] =
        "killed by signal 11\n"
        "#0  0x00007f01 in __pthread_kill_implementation (threadid=...) at ./nptl/pthread_kill.c:44\n"
        "#1  0x00007f02 in ?? () from /x/libLLVM-15.so.1\n"
        "#2  llvm::(anonymous namespace)::Spill(std::vector<int>) (this=...) at x.cpp:1\n"
        "#3  0x00007f04 in std::function<void ()>::operator()() const ()\n"
        "#4  0x00007f05 in llvm::Run() ()\n#5  0x00007f06 in spv_optimize (a=...) at o.c:9\n"
        "#6  0x00007f07 in start_command (c=...) at p.c:31\n";
    diag_signature(&c, &v, "vulkan:driver=lavapipe", NULL, gdb, NULL, &z);
    assert_string_equal(x.name, z.name);
    assert_string_equal(diag_frames(&arena, "#0 0x1 in a::b::c::D::e(a::b) x.c:1\n#1 0x2 in f ()"),
                        "D::e < f");
    // Without symbols: places in the file, up to the C library's start. Where a function is named, names.
    assert_string_equal(
        diag_frames(&arena, "#0  0x1 in opt@0x1149 ()\n#1  0x2 in opt@0x115e ()\n#2  0x3 in __libc_start_call_main ()\n"
                            "#3  0x4 in opt@0x1081 ()\n"),
        "opt@0x1149 < opt@0x115e");
    assert_string_equal(diag_frames(&arena, "#0  __memcpy_avx () at m.S:364\n#1  0x2 in lib.so@0x118a ()\n"),
                        "__memcpy_avx < lib.so@0x118a");
    assert_string_equal(diag_frames(&arena, "#0  0x1 in lib.so@0x1149 ()\n#1  0x2 in Pass::run ()\n"), "Pass::run");
    // Where libc has its symbols, and where not.
    assert_string_equal(diag_frames(&arena, "#0 0x1 in f () from d.so\n#1 0x2 in start_thread (arg=...)"), "f");
    // What LLVM cannot select is the case's own, and shown down to its address.
    static const char *const nodes[] = {
        "died of SIGABRT: LLVM ERROR: Cannot select: 0x7eff: v4i32 = scalar_to_vector 0x7efe",
        "died of SIGABRT: LLVM ERROR: Cannot select: 0x7fd1: i32 = any_extend 0x7fd2 /   0x7fd2: f16",
        "died of SIGABRT: LLVM ERROR: Cannot select: t12: v2i64 = scalar_to_vector t3"};
    for (size_t k = 0; k < sizeof nodes / sizeof *nodes; k++) {
        diag_signature(&c, &v, "vulkan:driver=lavapipe", NULL, nodes[k], NULL, &z);
        assert_string_equal(z.message, "died of SIGABRT: LLVM ERROR: Cannot select");
    }
    diag_signature(&c, &v, "llvm", NULL, "Cannot select: intrinsic %llvm.x.y", NULL, &z);
    assert_string_equal(z.message, "Cannot select: intrinsic %_.x.y");
    diag_signature(&c, &v, "vulkan:driver=lavapipe", NULL, "killed by signal 6", NULL, &z);
    assert_string_not_equal(x.name, z.name);
    assert_false(diag_same_kind(&x, &z));
    // Of an invalid module counts what is wrong with it, not by which passes it was made.
    v = (struct judge_verdict){.klass = JUDGE_INVALID_OUTPUT, .text = "spirv-val: no such block '7[%7]'"};
    diag_signature(&c, &v, "spirv-opt:random", NULL, "passes: --ccp", NULL, &x);
    assert_string_equal(x.message, "spirv-val: no such block '_'");
}

// Names are ten letters and depend on the text alone.
static void names(void **state)
{
    (void)state;
    struct spv_case c = read_case("rules/M6-break-block-stays-split");
    struct judge_verdict v = {.klass = JUDGE_EXTRA_LANES, .has_place = true,
                            .set = c.buffer[0].set, .binding = c.buffer[0].binding};
    struct diag_signature x, y;
    diag_signature(&c, &v, "spirv-opt:-O", NULL, NULL, NULL, &x);
    v.text[0] = 'x'; // nothing of it may count
    v.wrong_bits = 9;
    diag_signature(&c, &v, "spirv-opt:-Os", NULL, NULL, NULL, &y);
    assert_string_equal(x.text, "1|spirv-opt|wrong-tangle|ballot|loop/break||");
    assert_string_equal(x.text, y.text);
    assert_int_equal(strlen(x.name), 10);
    assert_int_equal(strspn(x.name, "abcdefghijklmnopqrstuvwxyz"), 10);
    assert_string_equal(x.name, y.name);
    // A pass that is known is another bug.
    diag_signature(&c, &v, "spirv-opt:--merge-blocks", NULL, NULL, NULL, &y);
    assert_string_equal(y.culprit, "--merge-blocks");
    assert_string_not_equal(x.name, y.name);
}

static void same_kind(void **state)
{
    (void)state;
    struct diag_signature ballot = {.klass = JUDGE_EXTRA_LANES, .family = "f", .about = DIAG_THE_OP, .op = SPV_GROUP_BALLOT};
    struct diag_signature vote = {.klass = JUDGE_WRONG_VALUE, .family = "f", .about = DIAG_THE_OP, .op = SPV_GROUP_VOTE};
    struct diag_signature plain = {.klass = JUDGE_WRONG_VALUE, .family = "f"};
    struct diag_signature gone = {.klass = JUDGE_MISSING_EXECUTION, .family = "f"};
    assert_true(diag_same_kind(&ballot, &ballot));
    assert_true(diag_same_kind(&vote, &ballot)); // says more
    assert_false(diag_same_kind(&ballot, &vote));
    assert_false(diag_same_kind(&vote, &plain));
    assert_false(diag_same_kind(&plain, &vote));
    assert_false(diag_same_kind(&plain, &gone));
    struct diag_signature other = ballot;
    other.family[0] = 'g';
    assert_false(diag_same_kind(&ballot, &other));
}

// What a reason that survived experiments adds. It is written to JSON by its name, and read back.
static void reasoned(void **state)
{
    (void)state;
    const struct diag_signature any = {.klass = JUDGE_WRONG_VALUE, .family = "f", .about = DIAG_THE_OP, .probed = true,
                                       .exact = {.opcode = SpvOpGroupNonUniformAny}, .pattern = {.where = DIAG_WHOLE, .wide = true}};
    const struct diag_signature changed = {.klass = JUDGE_WRONG_VALUE, .family = "f",
                                           .change = {.did = DIAG_ASKED, .opcode = SpvOpGroupNonUniformIAdd}};
    const struct diag_hypothesis half = {.mistake = DIAG_RULE_BROKEN, .fault = ORC_FAULT_UPPER_VOTE};
    const struct diag_hypothesis counted = {.mistake = DIAG_LANES_COUNTED, .fault = ORC_FAULT_COUNTED};
    struct diag_signature tangle = any, index = changed;
    tangle.about = DIAG_ANY_OP;
    index.change.opcode = SpvOpAccessChain;
    const struct {
        struct diag_signature s;
        struct diag_reason r;
        const char *text;
    } rows[] = {
        {any, {.why = DIAG_OPERATION, .hypothesis = half, .confirmed = 2}, "2|f|wrong-tangle|vote|upper-vote||"},
        {any, {.why = DIAG_OPERATION, .hypothesis = half, .confirmed = 1}, "2|f|wrong-tangle|Any|whole, wide||"}, // not shown
        {any, {.why = DIAG_ALONE_LANE, .hypothesis = counted, .confirmed = 3}, "2|f|wrong-tangle|Any|whole, wide||"},
        {any, {.why = DIAG_INACTIVE, .hypothesis = half, .confirmed = 3}, "2|f|wrong-tangle|Any|whole, wide||"},
        {tangle, {.why = DIAG_OPERATION, .hypothesis = half, .confirmed = 3}, "2|f|wrong-tangle|any|whole, wide||"},
        {changed, {.why = DIAG_HELPERS_LOAD, .confirmed = 2}, "2|f|wrong-code||helpers asked for OpLoad||"},
        {changed, {.why = DIAG_HELPERS_LOAD, .confirmed = 1}, "2|f|wrong-code||helpers asked for reduce||"},
        {changed, {.why = DIAG_HELPERS_OUT, .confirmed = 2}, "2|f|wrong-code||helpers asked for reduce||"},
        {index, {.why = DIAG_HELPERS_LOAD, .confirmed = 2}, "2|f|wrong-code||helpers asked for OpAccessChain||"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct diag_signature s = rows[k].s, again;
        struct err e = {0};
        diag_signature_finish(&s);
        diag_signature_reasoned(&s, &rows[k].r);
        assert_string_equal(s.text, rows[k].text);
        if (!finding_facts_parse(finding_facts_json(&arena, &s), &again, &e))
            fail_msg("%s", e.msg);
        assert_string_equal(again.text, rows[k].text);
    }
    for (unsigned f = ORC_FAULT_NONE + 1; f < ORC_FAULTS; f++)
        for (unsigned g = 0; g < f; g++)
            assert_string_not_equal(orc_fault_name((enum orc_fault)f), orc_fault_name((enum orc_fault)g));
    const char *json = finding_facts_json(&arena, &(struct diag_signature){.klass = JUDGE_WRONG_VALUE, .fault = ORC_FAULT_UPPER_VOTE});
    assert_non_null(strstr(json, "\"fault\":\"upper-vote\""));
}

int main(void)
{
    tools = spv_tools_new();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corpus_places), cmocka_unit_test(switches), cmocka_unit_test(log_places), cmocka_unit_test(probes),
        cmocka_unit_test(messages),      cmocka_unit_test(crashes),    cmocka_unit_test(names),
        cmocka_unit_test(same_kind),     cmocka_unit_test(reasoned),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    spv_tools_free(tools);
    arena_free(&arena);
    return failed;
}
