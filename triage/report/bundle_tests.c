// SPDX-License-Identifier: Apache-2.0
//
// The case as a test of a project's own: SPIRV-Tools' unit tests, lit, offload-test-suite, Vulkan
// CTS, deqp-runner. Each says what must be, so that it fails today and passes once the bug is
// fixed.
#include "bundle.h"
#include "formats.h"

#include "spirv/spirv_groups.h"
#include "spirv/spirv_ops.h"

#include <string.h>

static bool is(const struct bundle *b, enum judge_class k)
{
    return finding_class(b->w->f) == k;
}

// Lines as comments.
static void said(const struct bundle *b, const char *mark, struct text *t)
{
    const struct diag_signature *s = b->w->bucket->signature;
    const char *text = b->w->f->verdict.text, *sentence = diag_sentence(t->arena, s);
    text_add(t, "%s %s: %.*s\n", mark, judge_class_name(finding_class(b->w->f)),
             (int)strcspn(text, "\n"), text);
    if (sentence[0])
        text_add(t, "%s %s.\n", mark, sentence);
    text_add(t, "%s Found by tanglefuzz, bucket %s.\n", mark, s->name);
}

// ---- SPIRV-Tools ---------------------------------------------------------------------

// The module's own lines: the case file's head is tanglefuzz's.
static const char *assembly(const char *text)
{
    while (*text == ';' || *text == '\n') {
        const char *end = strchr(text, '\n');
        if (!end)
            break;
        text = end + 1;
    }
    return text;
}

bool bundle_spirv_tools_test(const struct bundle *b, struct text *t)
{
    const char **flags;
    const uint32_t n = bundle_passes(b, t->arena, &flags);
    const bool dies = is(b, JUDGE_CRASH) || is(b, JUDGE_REJECTED) || is(b, JUDGE_HANG),
               invalid = is(b, JUDGE_INVALID_OUTPUT);
    if (!n || !b->w->text)
        return false;
    said(b, "//", t);
    text_add(t,
             "#include <string>\n#include <vector>\n\n#include \"gtest/gtest.h\"\n"
             "#include \"spirv-tools/libspirv.hpp\"\n#include \"spirv-tools/optimizer.hpp\"\n\n"
             "namespace spvtools {\nnamespace opt {\nnamespace {\n\n"
             "TEST(Reconvergence, %s) {\n  const std::string before = R\"(\n%s)\";\n",
             b->w->bucket->signature->name, assembly(b->w->text));
    text_add(t,
             "  SpirvTools assembler(SPV_ENV_UNIVERSAL_1_%u), tools(SPV_ENV_VULKAN_1_3);\n"
             "  std::vector<uint32_t> in, out;\n"
             "  ASSERT_TRUE(assembler.Assemble(before, &in, "
             "SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS));\n"
             "  ASSERT_TRUE(tools.Validate(in));\n\n  Optimizer optimizer(SPV_ENV_VULKAN_1_3);\n",
             b->m.version >> 8 & 0xff);
    for (uint32_t i = 0; i < n; i++)
        text_add(t, "  ASSERT_TRUE(optimizer.RegisterPassFromFlag(\"%s\"));\n", flags[i]);
    text_add(t, "  %s_TRUE(optimizer.Run(in.data(), in.size(), &out))%s;\n",
             dies ? "EXPECT" : "ASSERT", dies ? " << \"must be taken\"" : "");
    if (!dies)
        text_add(t, "  %s_TRUE(tools.Validate(out))%s;\n", invalid ? "EXPECT" : "ASSERT",
                 invalid ? " << \"the output must be valid\"" : "");
    // What must be computed needs the text's argument; the one output that is surely right is the
    // input.
    if (!dies && !invalid)
        text_add(
            t, "\n  // Leaving the module as it is is right; so is any other output that computes "
               "what\n"
               "  // expected.mem says. Then this text has to be that one.\n"
               "  std::string was, is;\n"
               "  ASSERT_TRUE(tools.Disassemble(in, &was, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER));\n"
               "  ASSERT_TRUE(tools.Disassemble(out, &is, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER));\n"
               "  EXPECT_EQ(was, is);\n");
    text_add(t, "}\n\n}  // namespace\n}  // namespace opt\n}  // namespace spvtools\n");
    return true;
}

// ---- LLVM ------------------------------------------------------------------------------

// The module's only group operation, NULL where there is none or there are several kinds.
static const char *group_operation(const struct bundle *b)
{
    uint32_t opcode = 0;
    for (uint32_t i = 0; i < b->m.inst_count; i++) {
        const uint32_t op = b->m.insts[i].op;
        if (!spv_group_find(op))
            continue;
        if (opcode && opcode != op)
            return NULL;
        opcode = op;
    }
    return opcode ? spv_op_name(opcode) : NULL;
}

// A group operation that must stay in its loop: FileCheck can ask for that much.
static void check_lines(const struct bundle *b, struct text *t)
{
    const char *op = group_operation(b);
    const struct report_view *w = b->w;
    struct diag_change x = {0};
    if (w->output)
        diag_change(w->c.words, w->c.count, w->output, w->output_count, &x);
    if (op && x.did == DIAG_MOVED && x.over && x.construct == DIAG_LOOP && x.to == DIAG_AFTER)
        text_add(t,
                 "; The operation stands in the loop:\n; CHECK: OpLoopMerge %%[[#MERGE:]]\n"
                 "; CHECK: %s\n; CHECK: %%[[#MERGE]] = OpLabel\n",
                 op);
}

bool bundle_lit_test(const struct bundle *b, struct text *t)
{
    static const char triple[] = "-mtriple=spirv1.6-unknown-vulkan1.3-compute",
                      extension[] = "--spirv-ext=+SPV_KHR_maximal_reconvergence";
    const struct run_stage *s = run_spec_parse(t->arena, b->w->f->target, NULL);
    const char *passes = s ? run_stage_option(s, "passes") : NULL,
               *level = s ? run_stage_option(s, "level") : NULL,
               *judge = s ? run_stage_option(s, "judge") : NULL;
    const bool mine = s && strcmp(s->name, "llvm") == 0;
    if (!b->llvm || !mine)
        return false;
    text_add(t, "; RUN: opt -passes=verify -disable-output %%s\n");
    const char *optimised = "%s";
    if (!passes || strcmp(passes, "none") != 0) {
        text_add(t, "; RUN: opt %s -passes='%s' -verify-each -S %%s -o %%t.ll\n", triple,
                 passes ? passes : "default<O3>");
        optimised = "%t.ll";
    }
    if (!(judge && strcmp(judge, "ir") == 0)) {
        struct text checks = {.arena = t->arena};
        check_lines(b, &checks);
        if (checks.n)
            text_add(t, "; RUN: llc -O%s %s %s %s -o - | FileCheck %%s\n", level ? level : "2",
                     triple, extension, optimised);
        text_add(t,
                 "; RUN: %%if spirv-tools %%{ llc -O%s %s %s %s -filetype=obj -o - | spirv-val "
                 "--target-env vulkan1.3 %%}\n\n",
                 level ? level : "2", triple, extension, optimised);
        text_addn(t, checks.v ? checks.v : "", checks.n);
    }
    text_add(t, "\n");
    said(b, ";", t);
    text_add(t, "\n%s", b->llvm);
    return true;
}

// ---- offload-test-suite ----------------------------------------------------------------

static void yaml_buffer(const char *name, uint32_t set, uint32_t binding, const uint32_t *words,
                        uint32_t n, struct text *t)
{
    text_add(t, "  - Name: %s%u_%u\n    Format: UInt32\n    Stride: 4\n    Data: [ ", name, set,
             binding);
    for (uint32_t i = 0; i < n; i++) {
        text_add(t, i ? ", " : "");
        text_u32(t, words[i]);
    }
    text_add(t, " ]\n");
}

// BufferExact compares whole buffers: one with an open word is not compared.
static bool whole(const struct spv_memory *m)
{
    for (uint32_t i = 0; m->mask && i < m->count; i++)
        if (m->mask[i] != UINT32_MAX)
            return false;
    return true;
}

static void sets(const struct spv_case *c, struct text *t)
{
    uint32_t last = 0;
    for (uint32_t b = 0; b < c->buffer_count; b++)
        last = c->buffer[b].set > last ? c->buffer[b].set : last;
    text_add(t, "DescriptorSets:\n");
    for (uint32_t set = 0; set <= last; set++) {
        text_add(t, "  - Resources:\n");
        for (uint32_t b = 0; b < c->buffer_count; b++)
            if (c->buffer[b].set == set)
                text_add(t,
                         "    - Name: Buffer%u_%u\n      Kind: RWStructuredBuffer\n      "
                         "DirectXBinding:\n"
                         "        Register: %u\n        Space: %u\n      VulkanBinding:\n        "
                         "Binding: %u\n",
                         set, c->buffer[b].binding, c->buffer[b].binding, set,
                         c->buffer[b].binding);
    }
}

bool bundle_offload_test(const struct bundle *b, struct text *t)
{
    const struct report_view *w = b->w;
    const struct spv_case *c = &w->c;
    uint32_t compared = 0;
    struct text results = {.arena = t->arena};
    if (!b->hlsl || !w->expected || c->push_count || c->spec_count)
        return false;
    text_add(t,
             "#--- source.hlsl\n%s\n//--- pipeline.yaml\n\n---\nShaders:\n  - Stage: Compute\n    "
             "Entry: main\n"
             "DispatchParameters:\n  DispatchGroupCount: [%u, %u, %u]\nBuffers:\n",
             b->hlsl, c->groups[0], c->groups[1], c->groups[2]);
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        const struct spv_buffer *x = &c->buffer[i];
        yaml_buffer("Buffer", x->set, x->binding, x->words, x->count, t);
        if (!whole(&w->expected[i]))
            continue;
        yaml_buffer("Expected", x->set, x->binding, w->expected[i].words, w->expected[i].count, t);
        text_add(&results,
                 "  - Result: Expected%u_%u\n    Rule: BufferExact\n    Actual: Buffer%u_%u\n"
                 "    Expected: Expected%u_%u\n",
                 x->set, x->binding, x->set, x->binding, x->set, x->binding);
        compared++;
    }
    text_add(t, "Results:\n%s", compared ? results.v : "");
    sets(c, t);
    text_add(t, "...\n#--- end\n\n");
    said(b, "#", t);
    text_add(t, "# XFAIL: Vulkan && Clang\n\n");
    if (c->model == SPV_MAXIMAL)
        text_add(t, "# UNSUPPORTED: Vulkan && !VK_KHR_shader_maximal_reconvergence\n\n");
    text_add(
        t,
        "# RUN: split-file %%s %%t\n# RUN: %%dxc_target -T cs_6_5%s -Fo %%t.o %%t/source.hlsl\n"
        "# RUN: %%offloader %%t/pipeline.yaml %%t.o\n",
        c->model == SPV_MAXIMAL ? " -fspv-enable-maximal-reconvergence" : "");
    return compared > 0;
}

// ---- Vulkan CTS, deqp-runner ---------------------------------------------------------------

bool bundle_cts_test(const struct bundle *b, struct text *t)
{
    const struct spv_case *c = &b->w->c;
    said(b, "//", t);
    text_add(t, "{\n    std::vector<std::string> requirements;\n");
    if (c->model == SPV_MAXIMAL)
        text_add(t, "    requirements.push_back(\"VK_KHR_shader_maximal_reconvergence\");\n");
    if (c->model == SPV_SUBGROUP_UNIFORM)
        text_add(t,
                 "    requirements.push_back(\"VK_KHR_shader_subgroup_uniform_control_flow\");\n");
    if (c->subgroup)
        text_add(t, "    requirements.push_back(\"VK_EXT_subgroup_size_control\");\n");
    const char *name = b->w->bucket->signature->name;
    text_add(t,
             "    cts_amber::AmberTestCase *testCase =\n        "
             "cts_amber::createAmberTestCase(testCtx, \"%s\", "
             "\"reconvergence\", \"%s.amber\", requirements);\n"
             "    testCase->setSpirVAsmBuildOptions(\n        "
             "vk::SpirVAsmBuildOptions(VK_MAKE_API_VERSION(0, 1, 3, 0), "
             "vk::SPIRV_VERSION_1_%u));\n    group->addChild(testCase);\n}\n",
             name, name, b->m.version >> 8 & 0xff);
    return true;
}

bool bundle_deqp_csv(const struct bundle *b, struct text *t)
{
    struct store_bucket one = *b->w->bucket;
    const struct store_findings v = {.bucket = &one, .buckets = 1};
    report_format_write(REPORT_FORMAT_RESULTS, &v, t);
    return true;
}
