// SPDX-License-Identifier: Apache-2.0
//
// The Vulkan backend on lavapipe: what goes in arrives, what comes out is told,
// what the device does not offer is skipped.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "test_run_common.h"

#include <poll.h>
#include <unistd.h>

static struct run_result run(struct fixture *f, const struct spv_case *c)
{
    struct run_result r;
    run_case(f->lavapipe, &f->arena, c, 0, &r);
    return r;
}

static struct run_result run_text(struct fixture *f, const char *text)
{
    struct spv_case c = make_counting(f, text, 1);
    return run(f, &c);
}

// ---- what goes in and comes out ---------------------------------------------------

static void test_two_inputs(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct spv_case c[2] = {make_counting(f, SHADER_DOUBLE, 5),
                            make_counting(f, SHADER_DOUBLE, 0x7ffffff0)};
    c[1].words = c[0].words;
    struct run_result *r = NULL;
    assert_true(run_submit(f->lavapipe, c, 2, 0));
    assert_int_equal(run_pending(f->lavapipe), 1);
    assert_int_equal(run_take(f->lavapipe, &f->arena, 30, &r), 2);
    assert_int_equal(run_pending(f->lavapipe), 0);
    assert_doubled(&r[0], 5);
    assert_doubled(&r[1], 0x7ffffff0);
    assert_true(r[0].driver_seconds > 0 && r[0].driver_seconds < 10);
    assert_true(r[1].driver_seconds > 0 && r[1].driver_seconds < 10);
    assert_null(r[0].memory[0].mask);
}

static void test_groups(void **state)
{
    struct fixture *f = need_lavapipe(state);
    uint32_t in[64] = {0};
    for (uint32_t i = 0; i < 64; i++)
        in[i] = i * i;
    struct spv_case c = make_case(f, SHADER_DOUBLE, in, 64);
    c.groups[0] = 3;
    struct run_result r = run(f, &c);
    assert_int_equal(r.status, RUN_OK);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(r.memory[1].words[i], i < 48 ? 2 * i * i : 0);
}

#define SHADER_PUSH_SPEC                                                                           \
    SHADER_HEAD("", "%push", "16 1 1", "",                                                         \
                "OpDecorate %pair Block\nOpMemberDecorate %pair 0 Offset 0\n"                      \
                "OpMemberDecorate %pair 1 Offset 4\nOpDecorate %s3 SpecId 3\n")                    \
    "%pair = OpTypeStruct %u32 %u32\n%p_pair = OpTypePointer PushConstant %pair\n"                 \
    "%p_push = OpTypePointer PushConstant %u32\n%push = OpVariable %p_pair PushConstant\n"         \
    "%s3 = OpSpecConstant %u32 7\n" SHADER_MAIN                                                    \
    "%a_p = OpAccessChain %p_push %push %c0\n%a = OpLoad %u32 %a_p\n"                              \
    "%b_p = OpAccessChain %p_push %push %c1\n%b = OpLoad %u32 %b_p\n"                              \
    "%m = OpIMul %u32 %b %i\n%n = OpIAdd %u32 %a %m\n%y = OpIAdd %u32 %n %s3\n"                    \
    "OpStore %out_i %y\n" SHADER_END

static void test_push_and_spec(void **state)
{
    struct fixture *f = need_lavapipe(state);
    // The middle ones specialise, so that one job needs several pipelines.
    static const uint32_t spec[4] = {0, 500, 600, 0};
    struct spv_case c[4];
    for (uint32_t k = 0; k < 4; k++) {
        c[k] = make_counting(f, SHADER_PUSH_SPEC, 0);
        c[k].words = c[0].words;
        c[k].push_count = 2;
        c[k].push[0] = 1000 + k;
        c[k].push[1] = 10 + k;
        c[k].spec_count = spec[k] != 0;
        c[k].spec[0] = (struct spv_spec){.id = 3, .value = spec[k], .type = "u32"};
    }
    struct run_result *r = NULL;
    assert_true(run_submit(f->lavapipe, c, 4, 0));
    assert_int_equal(run_take(f->lavapipe, &f->arena, 30, &r), 4);
    for (uint32_t k = 0; k < 4; k++) {
        assert_int_equal(r[k].status, RUN_OK);
        for (uint32_t i = 0; i < 16; i++)
            assert_int_equal(r[k].memory[1].words[i],
                             1000 + k + (10 + k) * i + (spec[k] ? spec[k] : 7));
    }
}

// out[3i..] = SubgroupId, SubgroupLocalInvocationId, SubgroupSize.
#define SHADER_LANES                                                                               \
    SHADER_HEAD("OpCapability GroupNonUniform\n", "%id %lane %size", "16 1 1", "",                 \
                "OpDecorate %id BuiltIn SubgroupId\n"                                              \
                "OpDecorate %lane BuiltIn SubgroupLocalInvocationId\n"                             \
                "OpDecorate %size BuiltIn SubgroupSize\n")                                         \
    "%id = OpVariable %p_in Input\n%lane = OpVariable %p_in Input\n"                               \
    "%size = OpVariable %p_in Input\n" SHADER_MAIN                                                 \
    "%a = OpLoad %u32 %id\n%b = OpLoad %u32 %lane\n%c = OpLoad %u32 %size\n"                       \
    "%i0 = OpIMul %u32 %i %c3\n%i1 = OpIAdd %u32 %i0 %c1\n%i2 = OpIAdd %u32 %i0 %c2\n"             \
    "%p0 = OpAccessChain %p_u32 %out %c0 %i0\n%p1 = OpAccessChain %p_u32 %out %c0 %i1\n"           \
    "%p2 = OpAccessChain %p_u32 %out %c0 %i2\nOpStore %p0 %a\nOpStore %p1 %b\nOpStore %p2 "        \
    "%c\n" SHADER_END

static void assert_lanes(struct fixture *f, struct run_target *t, uint32_t size)
{
    uint32_t in[48] = {0}, seen[16] = {0};
    struct spv_case c = make_case(f, SHADER_LANES, in, 48);
    struct run_result r;
    run_case(t, &f->arena, &c, 0, &r);
    if (r.status != RUN_OK)
        fail_msg("%s: %s", run_status_name(r.status), r.text);
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t *row = &r.memory[1].words[3 * i];
        assert_true(row[0] < 16 / size);
        assert_true(row[1] < size);
        assert_int_equal(row[2], size);
        seen[row[0] * size + row[1]]++;
    }
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(seen[i], 1); // a place for each invocation
}

static void test_lane_mapping(void **state)
{
    struct fixture *f = need_lavapipe(state);
    const struct run_info *info = run_info(f->lavapipe);
    assert_true(info->subgroup_size >= 1 && info->subgroup_size <= 16);
    assert_lanes(f, f->lavapipe, info->subgroup_size);
    struct err e = {0};
    struct run_target *t = run_open(LAVAPIPE ",env=LP_NATIVE_VECTOR_WIDTH=128", f->self, NULL, &e);
    assert_non_null(t);
    assert_int_equal(run_info(t)->subgroup_size, 4);
    assert_lanes(f, t, 4);
    run_close(t);
}

// out[i] = length of in[]: the range that was bound, not what was allocated.
#define SHADER_LENGTH                                                                              \
    SHADER_HEAD("", "", "16 1 1", "", "")                                                          \
    SHADER_MAIN "%n = OpArrayLength %u32 %in 0\nOpStore %out_i %n\n" SHADER_END

static void test_buffers_grow_and_shrink(void **state)
{
    struct fixture *f = need_lavapipe(state);
    static const uint32_t sizes[] = {16, 100, 5000, 300000, 17, 1 << 20, 16};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        uint32_t *in = ARENA_ARRAY(&f->arena, uint32_t, sizes[k]);
        struct spv_case c = make_case(f, SHADER_LENGTH, in, sizes[k]);
        for (uint32_t i = 0; i < sizes[k]; i++)
            c.buffer[0].words[i] = i ^ 0x5a5a5a5a;
        struct run_result r = run(f, &c);
        assert_int_equal(r.status, RUN_OK);
        assert_int_equal(r.memory[1].count, sizes[k]);
        assert_int_equal(r.memory[1].words[15], sizes[k]);
        assert_int_equal(r.memory[1].words[sizes[k] - 1], sizes[k] == 16 ? 16 : 0);
        assert_memory_equal(r.memory[0].words, c.buffer[0].words, sizes[k] * sizeof(uint32_t));
    }
}

// A uniform buffer in set 2, with no set 1.
#define SHADER_UNIFORM                                                                             \
    SHADER_HEAD("", "%uni", "16 1 1", "",                                                          \
                "OpDecorate %four Block\nOpMemberDecorate %four 0 Offset 0\n"                      \
                "OpMemberDecorate %four 1 Offset 4\n"                                              \
                "OpDecorate %uni DescriptorSet 2\nOpDecorate %uni Binding 5\n")                    \
    "%four = OpTypeStruct %u32 %u32\n%p_four = OpTypePointer Uniform %four\n"                      \
    "%p_uni = OpTypePointer Uniform %u32\n%uni = OpVariable %p_four Uniform\n" SHADER_MAIN         \
    "%a_p = OpAccessChain %p_uni %uni %c1\n%a = OpLoad %u32 %a_p\n"                                \
    "%x = OpLoad %u32 %in_i\n%y = OpIAdd %u32 %x %a\nOpStore %out_i %y\n" SHADER_END

// A case of it: out[i] = first + i + 77.
static struct spv_case make_uniform(struct fixture *f, uint32_t first)
{
    struct spv_case c = make_counting(f, SHADER_UNIFORM, first);
    static const uint32_t words[4] = {0, 77, 0, 0};
    c.buffer[c.buffer_count++] = (struct spv_buffer){
        .set = 2, .binding = 5, .count = 4, .words = arena_copy(&f->arena, words, sizeof words)};
    return c;
}

static void assert_uniform(const struct run_result *r, uint32_t first)
{
    if (r->status != RUN_OK)
        fail_msg("%s: %s", run_status_name(r->status), r->text);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(r->memory[1].words[i], first + i + 77);
    assert_int_equal(r->memory[2].set, 2);
    assert_int_equal(r->memory[2].binding, 5);
    assert_int_equal(r->memory[2].words[1], 77);
}

static void test_uniform_buffer_and_gap(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct spv_case c = make_uniform(f, 3);
    struct run_result r = run(f, &c);
    assert_uniform(&r, 3);
}

// Kept layouts do not keep buffers that another layout's case made too small.
static void test_layouts_take_turns(void **state)
{
    struct fixture *f = need_lavapipe(state);
    for (uint32_t words = 1 << 11; words <= 1 << 20; words *= 2) {
        struct run_result r = run_text(f, SHADER_DOUBLE);
        assert_doubled(&r, 1);
        struct spv_case c = make_uniform(f, words);
        c.buffer[0].count = words;
        uint32_t *in = ARENA_ARRAY(&f->arena, uint32_t, words);
        memcpy(in, c.buffer[0].words, 16 * sizeof *in);
        c.buffer[0].words = in;
        r = run(f, &c);
        assert_uniform(&r, words);
    }
}

// ---- what the device does not offer ------------------------------------------------

static void assert_skipped(const struct run_result *r, const char *reason)
{
    assert_string_equal(run_status_name(r->status), "skipped");
    assert_contains(r->text, reason);
    assert_int_equal(r->memory_count, 0);
    assert_true(r->driver_seconds == 0);
}

static void test_subgroup_size_skips(void **state)
{
    struct fixture *f = need_lavapipe(state);
    uint32_t own = run_info(f->lavapipe)->subgroup_size, other = own * 2;
    char want[100];
    snprintf(want, sizeof want, "device has subgroup size %u, the case needs %u", own, other);
    struct spv_case c = make_counting(f, SHADER_DOUBLE, 1);
    struct run_result r;
    run_case(f->lavapipe, &f->arena, &c, other, &r);
    assert_skipped(&r, want);
    c.subgroup = other;
    run_case(f->lavapipe, &f->arena, &c, 0, &r);
    assert_skipped(&r, want);
    run_case(f->lavapipe, &f->arena, &c, own, &r); // what is asked for beats the case
    assert_doubled(&r, 1);
}

// size=S is for cases that ask for none.
static void test_size_option(void **state)
{
    struct fixture *f = need_lavapipe(state);
    uint32_t own = run_info(f->lavapipe)->subgroup_size;
    for (uint32_t size = own; size <= 2 * own; size *= 2) {
        char spec[100];
        struct err e = {0};
        snprintf(spec, sizeof spec, LAVAPIPE ",size=%u", size);
        struct run_target *t = run_open(spec, f->self, NULL, &e);
        assert_non_null(t);
        struct spv_case c = make_counting(f, SHADER_DOUBLE, 1);
        struct run_result r;
        run_case(t, &f->arena, &c, 0, &r);
        if (size == own)
            assert_doubled(&r, 1);
        else
            assert_skipped(&r, "the case needs ");
        c.subgroup = own;
        run_case(t, &f->arena, &c, 0, &r);
        assert_doubled(&r, 1);
        run_close(t);
    }
}

static void test_too_much_for_a_frame(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct spv_case c = make_counting(f, SHADER_DOUBLE, 1);
    for (c.buffer_count = 2; c.buffer_count < SPV_CASE_BUFFERS; c.buffer_count++)
        c.buffer[c.buffer_count] = (struct spv_buffer){
            .binding = c.buffer_count, .fill = SPV_FILL_ZERO, .count = SPV_CASE_BUFFER_WORDS};
    struct run_result r = run(f, &c);
    assert_skipped(&r, "the job has 7680 MiB; the maximum is 2048");
    r = run_text(f, SHADER_DOUBLE);
    assert_doubled(&r, 1);
}

static void test_needs_skip(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct run_result r = run_text(f, SHADER_HEAD("OpCapability Geometry\n", "", "16 1 1", "", "")
                                          SHADER_MAIN SHADER_END);
    assert_skipped(&r, "capability 2");
    r = run_text(f, SHADER_HEAD("", "", "2048 1 1", "", "") SHADER_MAIN SHADER_END);
    assert_skipped(&r, "the workgroup is 2048x1x1");
    r = run_text(f, SHADER_HEAD("", "", "16 1 1",
                                "OpExecutionMode %main SubgroupUniformControlFlowKHR\n", "")
                        SHADER_MAIN SHADER_END);
    if (!run_offers(run_info(f->lavapipe), SPV_NEED(SUBGROUP_UNIFORM)))
        assert_skipped(&r, "subgroup-uniform control flow");
    struct spv_case c = make_counting(f, SHADER_DOUBLE, 1);
    c.buffer_count = 1;
    r = run(f, &c);
    assert_skipped(&r, "buffer 0:1");
    c = make_counting(f, SHADER_DOUBLE, 1);
    c.buffer[1].set = 1000;
    r = run(f, &c);
    assert_skipped(&r, "buffer 1000:1: the device supports sets below");
    c = make_counting(f, SHADER_DOUBLE, 1);
    uint32_t words[16] = {0};
    c.words = words;
    c.count = 16;
    r = run(f, &c);
    assert_skipped(&r, "not a module");
    r = run_text(f, SHADER_DOUBLE); // none of which the worker minded
    assert_doubled(&r, 1);
}

// The driver's own refusal: an operand type that its translator cannot take.
#define SHADER_BAD                                                                                 \
    SHADER_HEAD("", "", "16 1 1", "", "")                                                          \
    SHADER_MAIN "%x = OpLoad %u32 %in_i\n%y = OpIMul %u32 %x %v3\nOpStore %out_i %y\n" SHADER_END

static void test_rejected(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct spv_case c[2] = {make_counting(f, SHADER_BAD, 1), make_counting(f, SHADER_BAD, 2)};
    c[1].words = c[0].words;
    struct run_result *r = NULL;
    assert_true(run_submit(f->lavapipe, c, 2, 0));
    assert_int_equal(run_take(f->lavapipe, &f->arena, 30, &r), 2);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(run_status_name(r[i].status), "rejected");
        assert_contains(r[i].text, "vkCreateComputePipelines: VK_ERROR_");
    }
    struct run_result good = run_text(f, SHADER_DOUBLE);
    assert_doubled(&good, 1);
}

// ---- the queue -------------------------------------------------------------------------

static void queue_and_poll(struct fixture *f, unsigned wait_ms)
{
    struct run_result *r = NULL;
    assert_int_equal(run_take(f->lavapipe, &f->arena, 1, &r), 0); // nothing waits
    for (uint32_t i = 0; i < RUN_QUEUE; i++) {
        struct spv_case c = make_counting(f, SHADER_DOUBLE, 100 * i);
        assert_true(run_submit(f->lavapipe, &c, 1, 0));
        memset(c.buffer[0].words, 0xff, 64); // it was copied
    }
    struct spv_case c = make_counting(f, SHADER_DOUBLE, 9);
    assert_false(run_submit(f->lavapipe, &c, 1, 0));
    poll(NULL, 0, (int)wait_ms);
    for (uint32_t i = 0; i < RUN_QUEUE; i++) {
        uint32_t n = 0;
        while (n == 0) {
            struct pollfd p = {.fd = run_fd(f->lavapipe), .events = POLLIN};
            assert_int_equal(poll(&p, 1, 20000), 1);
            n = run_take(f->lavapipe, &f->arena, 0, &r);
        }
        assert_int_equal(n, 1);
        assert_doubled(&r[0], 100 * i);
    }
}

static void test_queue_and_poll(void **state)
{
    struct fixture *f = need_lavapipe(state);
    queue_and_poll(f, 0);
    queue_and_poll(f, 1000); // all results come at once
}

static void test_whole_job(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct spv_case *c = ARENA_ARRAY(&f->arena, struct spv_case, RUN_JOB_CASES);
    for (uint32_t i = 0; i < RUN_JOB_CASES; i++) {
        c[i] = make_counting(f, SHADER_DOUBLE, i * 1000);
        c[i].words = c[0].words;
    }
    struct run_result *r = NULL;
    assert_true(run_submit(f->lavapipe, c, RUN_JOB_CASES, 0));
    assert_int_equal(run_take(f->lavapipe, &f->arena, 30, &r), RUN_JOB_CASES);
    for (uint32_t i = 0; i < RUN_JOB_CASES; i++)
        assert_doubled(&r[i], i * 1000);
}

// ---- opening ---------------------------------------------------------------------------

static void assert_no_target(struct fixture *f, const char *spec, const char *part)
{
    struct err e = {0};
    assert_null(run_open(spec, f->self, NULL, &e));
    assert_contains(e.msg, part);
    assert_null(strchr(e.msg, '\n'));
}

static void test_open_errors(void **state)
{
    struct fixture *f = *state;
    assert_no_target(f, "", "no such kind of target");
    assert_no_target(f, "vulcan:0", "'vulcan': no such kind of target; did you mean 'vulkan'?");
    assert_no_target(f, "vulkan:colour=red", "unknown option 'colour'; the options are driver=NAME");
    assert_no_target(f, "vulkan:device=x", "expected a device number");
    assert_no_target(f, "vulkan:device=99999999999", "expected a device number");
    assert_no_target(f, "vulkan:size=12", "a power of two");
    assert_no_target(f, "vulkan:env=X", "KEY=VALUE");
    assert_no_target(f, "vulkan:driver=", "needs a value");
    assert_no_target(f, "vulkan:driver=a,driver=b", "twice");
    assert_no_target(f, "vulkan:driver=a,icd=b", "exclude each other");
    assert_no_target(f, "vulkan:device=0,name=b", "exclude each other");
    assert_no_target(f, "vulkan:driver=nonesuch", "no driver 'nonesuch'");
    assert_no_target(f, "vulkan:driver=../x", "no driver '../x'");
    assert_no_target(f, "vulkan:icd=/nonesuch.json", "cannot read the ICD file '/nonesuch.json'");
}

static void test_broken_icd(void **state)
{
    struct fixture *f = *state;
    char dir[] = "/tmp/tf-icd-XXXXXX", path[64], spec[100];
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/icd.json", dir);
    snprintf(spec, sizeof spec, "vulkan:icd=%s", path);
    static const char json[] = "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": "
                               "\"/nonesuch/libnone.so\", \"api_version\": \"1.3.0\"}}";
    assert_true(file_write(path, json, sizeof json - 1, NULL));
    assert_no_target(f, spec, "no Vulkan driver could be loaded; the loader reports: ");
    assert_no_target(f, spec, "libnone.so");
    assert_true(file_write(path, "not json", 8, NULL));
    // Old versions of the loader fail with an error, new ones report no driver.
    struct err why = {0};
    assert_null(run_open(spec, f->self, NULL, &why));
    if (!strstr(why.msg, "no Vulkan driver could be loaded"))
        assert_contains(why.msg, "(an ICD file that is not JSON also causes this)");
    unlink(path);
    rmdir(dir);
}

static void test_no_such_device(void **state)
{
    struct fixture *f = need_lavapipe(state);
    assert_no_target(f, LAVAPIPE ",device=7", "no such device; available: 0 'llvmpipe");
    assert_no_target(f, LAVAPIPE ",name=GeForce", "no such device; available: 0 'llvmpipe");
    struct err e = {0};
    struct run_target *t = run_open(LAVAPIPE ",name=llvmpipe", f->self, NULL, &e);
    assert_non_null(t);
    assert_string_equal(run_spec(t), LAVAPIPE ",name=llvmpipe");
    run_close(t);
}

static void test_info(void **state)
{
    struct fixture *f = need_lavapipe(state);
    const struct run_info *info = run_info(f->lavapipe);
    assert_contains(info->device, "llvmpipe");
    assert_true(run_offers(info, SPV_NEED(MAXIMAL_RECONVERGENCE))); // what set-up looked for
    assert_true(info->subgroup_min <= info->subgroup_size);
    assert_true(info->subgroup_max >= info->subgroup_size);
    assert_true(run_offers(info, SPV_NEED(PARTITIONED) - 1)); // the classes below it
    assert_true(info->max_invocations >= 128);
    assert_int_equal(info->spirv_version, 0x10600);
}

static void test_list(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct run_listed *rows = NULL;
    uint32_t n = run_list(&f->arena, f->self, &rows);
    bool found = false;
    for (uint32_t i = 0; i < n; i++) {
        assert_true(rows[i].usable || rows[i].why[0]);
        if (strcmp(rows[i].spec, LAVAPIPE) == 0)
            found =
                rows[i].usable && strcmp(rows[i].info.device, run_info(f->lavapipe)->device) == 0;
    }
    assert_true(found);
    const struct run_kind *kinds = NULL;
    assert_true(run_kinds(&kinds) >= 1);
    assert_string_equal(kinds[0].name, "vulkan");
}

static void test_validation(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct err e = {0};
    struct run_target *t = run_open(LAVAPIPE, f->self, &(struct run_options){.validate = true}, &e);
    if (!t) {
        assert_contains(e.msg, "the validation layer (VK_LAYER_KHRONOS_validation) is not");
        SKIP_BECAUSE("no validation layer: scripts/setup.sh gets it");
    }
    struct spv_case good = make_counting(f, SHADER_DOUBLE, 4);
    struct spv_case bad = make_counting(f, SHADER_BAD, 4);
    struct run_result r;
    run_case(t, &f->arena, &good, 0, &r);
    assert_doubled(&r, 4);
    struct spv_case uniform = make_uniform(f, 4);
    run_case(t, &f->arena, &uniform, 0, &r);
    assert_uniform(&r, 4);
    run_case(t, &f->arena, &bad, 0, &r);
    assert_string_equal(run_status_name(r.status), "rejected");
    assert_contains(r.text, "validation layer: ");
    run_case(t, &f->arena, &good, 0, &r);
    assert_doubled(&r, 4);
    run_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_inputs),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_push_and_spec),
        cmocka_unit_test(test_lane_mapping),
        cmocka_unit_test(test_buffers_grow_and_shrink),
        cmocka_unit_test(test_uniform_buffer_and_gap),
        cmocka_unit_test(test_layouts_take_turns),
        cmocka_unit_test(test_subgroup_size_skips),
        cmocka_unit_test(test_size_option),
        cmocka_unit_test(test_too_much_for_a_frame),
        cmocka_unit_test(test_needs_skip),
        cmocka_unit_test(test_rejected),
        cmocka_unit_test(test_queue_and_poll),
        cmocka_unit_test(test_whole_job),
        cmocka_unit_test(test_open_errors),
        cmocka_unit_test(test_broken_icd),
        cmocka_unit_test(test_no_such_device),
        cmocka_unit_test(test_info),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_validation),
    };
    return cmocka_run_group_tests_name("run_device", tests, fixture_start, fixture_end);
}
