// SPDX-License-Identifier: Apache-2.0
//
// Operands and results of other types than an instruction is for: each in its turn of every type. What spirv-val
// lets pass the oracle loads; what it does not the oracle refuses, too, by itself. (Of integers it looks at how
// many components there are, and whether they are numbers: it never sees a module that spirv-val has not seen.)

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "oracle/oracle.h"

#include <stdio.h>
#include <string.h>

static const char *const types[] = {
    "bool", "bvec2", "u8", "u16", "u32", "u64", "i32", "uvec2", "uvec3", "uvec4", "ivec2", "f16", "f32", "f64", "vec2", "vec3", "vec4",
    "dvec2", "hvec2", "mat2", "mat23", "mat32", "mat3", "dmat2", "uu", "ff", "fi", "dd", "ffi", "vvii", "vvvv", "vvii3", "fs", "di", "words", "floats", "one", "none",
};
enum { TYPES = sizeof types / sizeof *types };

static const char declared[] =
    "%bool = OpTypeBool\n%bvec2 = OpTypeVector %bool 2\n%u8 = OpTypeInt 8 0\n%u16 = OpTypeInt 16 0\n%u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n%i32 = OpTypeInt 32 1\n"
    "%uvec2 = OpTypeVector %u32 2\n%uvec3 = OpTypeVector %u32 3\n%uvec4 = OpTypeVector %u32 4\n%ivec2 = OpTypeVector %i32 2\n%ivec3 = OpTypeVector %i32 3\n%f16 = OpTypeFloat 16\n%f32 = OpTypeFloat 32\n%f64 = OpTypeFloat 64\n"
    "%vec2 = OpTypeVector %f32 2\n%vec3 = OpTypeVector %f32 3\n%vec4 = OpTypeVector %f32 4\n%dvec2 = OpTypeVector %f64 2\n%hvec2 = OpTypeVector %f16 2\n"
    "%mat2 = OpTypeMatrix %vec2 2\n%mat23 = OpTypeMatrix %vec3 2\n%mat32 = OpTypeMatrix %vec2 3\n%mat3 = OpTypeMatrix %vec3 3\n%dmat2 = OpTypeMatrix %dvec2 2\n"
    "%uu = OpTypeStruct %u32 %u32\n%ff = OpTypeStruct %f32 %f32\n%fi = OpTypeStruct %f32 %i32\n%dd = OpTypeStruct %f64 %f64\n%i16 = OpTypeInt 16 1\n%fs = OpTypeStruct %f32 %i16\n%di = OpTypeStruct %f64 %i32\n%ffi = OpTypeStruct %f32 %f32 %i32\n"
    "%vvii = OpTypeStruct %vec2 %ivec2\n%vvvv = OpTypeStruct %vec2 %vec2\n%vvii3 = OpTypeStruct %vec2 %ivec3\n"
    "%n2 = OpConstant %u32 2\n%words = OpTypeArray %u32 %n2\n%floats = OpTypeArray %f32 %n2\n%one = OpTypeStruct %f32\n%none = OpTypeStruct\n";

// The type of the result, then those of the operands; '=' before a word stands for itself.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
struct op {
    const char *text;
    bool lenient; // what is valid is loaded; what is not may be, too
    const char *passes; // places and types that the oracle takes all the same
};
static const struct op ops[] = {
    {"OpFAdd f32 f32 f32", 0}, {"OpFSub vec2 vec2 vec2", 0}, {"OpFMul f64 f64 f64", 0}, {"OpFDiv hvec2 hvec2 hvec2", 0}, {"OpFNegate f32 f32", 0}, {"OpFNegate vec3 vec3", 0}, {"OpFRem f16 f16 f16", 0}, {"OpFMod dvec2 dvec2 dvec2", 0},
    {"OpFOrdEqual bool f32 f32", 0}, {"OpFUnordLessThan bvec2 vec2 vec2", 0}, {"OpFOrdGreaterThanEqual bvec2 dvec2 dvec2", 0}, {"OpIsNan bool f16", 0}, {"OpIsInf bvec2 vec2", 0},
    {"OpConvertFToS i32 f32", 0}, {"OpConvertFToU uvec2 vec2", 0, "1:ivec2"}, {"OpConvertFToU u64 f16", 0, "1:i32"}, {"OpConvertSToF f32 i32", 0}, {"OpConvertUToF vec2 uvec2", 0}, {"OpConvertUToF f64 u8", 0},
    {"OpVectorTimesScalar vec2 vec2 f32", 0}, {"OpVectorTimesScalar dvec2 dvec2 f64", 0}, {"OpMatrixTimesScalar mat23 mat23 f32", 0, "1:mat32 2:mat32"}, {"OpMatrixTimesScalar mat2 mat2 f32", 0, "1:vec4 2:vec4"},
    {"OpVectorTimesMatrix vec2 vec3 mat23", 0}, {"OpVectorTimesMatrix vec3 vec2 mat32", 0}, {"OpVectorTimesMatrix vec2 vec2 mat2", 0}, {"OpMatrixTimesVector vec3 mat23 vec2", 0}, {"OpMatrixTimesVector vec2 mat32 vec3", 0},
    {"OpMatrixTimesVector vec2 mat2 vec2", 0}, {"OpMatrixTimesVector dvec2 dmat2 dvec2", 0}, {"OpMatrixTimesMatrix mat3 mat23 mat32", 0}, {"OpMatrixTimesMatrix mat2 mat32 mat23", 0}, {"OpMatrixTimesMatrix mat2 mat2 mat2", 0},
    {"OpMatrixTimesMatrix mat23 mat3 mat23", 0}, {"OpOuterProduct mat23 vec3 vec2", 0}, {"OpOuterProduct mat2 vec2 vec2", 0}, {"OpOuterProduct mat32 vec2 vec3", 0}, {"OpDot f32 vec2 vec2", 0}, {"OpDot f64 dvec2 dvec2", 0},
    {"OpTranspose mat32 mat23", 0}, {"OpTranspose mat2 mat2", 0, "1:dmat2 2:dmat2"},
    {"OpFConvert f64 f32", 1}, {"OpFConvert hvec2 vec2", 1}, {"OpQuantizeToF16 f32 f32", 1},
    {"OpExtInst f32 =%glsl =Fma f32 f32 f32", 0}, {"OpExtInst vec2 =%glsl =Fma vec2 vec2 vec2", 0}, {"OpExtInst f32 =%glsl =Floor f32", 0}, {"OpExtInst f64 =%glsl =FMin f64 f64", 0}, {"OpExtInst vec2 =%glsl =FClamp vec2 vec2 vec2", 0},
    {"OpExtInst hvec2 =%glsl =Step hvec2 hvec2", 0}, {"OpExtInst ff =%glsl =ModfStruct f32", 0}, {"OpExtInst vvvv =%glsl =ModfStruct vec2", 0}, {"OpExtInst dd =%glsl =ModfStruct f64", 0}, {"OpExtInst fi =%glsl =FrexpStruct f32", 0, "1:uu"},
    {"OpExtInst di =%glsl =FrexpStruct f64", 0}, {"OpExtInst vvii =%glsl =FrexpStruct vec2", 0}, {"OpExtInst f32 =%glsl =Ldexp f32 i32", 0}, {"OpExtInst vec2 =%glsl =Ldexp vec2 ivec2", 0}, {"OpExtInst u32 =%glsl =PackSnorm4x8 vec4", 0, "4:mat2"}, {"OpExtInst u32 =%glsl =PackUnorm4x8 vec4", 0, "4:mat2"},
    {"OpExtInst u32 =%glsl =PackSnorm2x16 vec2", 0}, {"OpExtInst u32 =%glsl =PackUnorm2x16 vec2", 0}, {"OpExtInst u32 =%glsl =PackHalf2x16 vec2", 0}, {"OpExtInst vec2 =%glsl =UnpackHalf2x16 u32", 0},
    {"OpExtInst f64 =%glsl =PackDouble2x32 uvec2", 0, "1:u64 4:vec2"}, {"OpExtInst uvec2 =%glsl =UnpackDouble2x32 f64", 0, "1:vec2 4:u64"}, {"OpExtInst f32 =%glsl =Sqrt f32", 1}, {"OpExtInst f32 =%glsl =Length vec3", 1}, {"OpExtInst vec2 =%glsl =FMix vec2 vec2 vec2", 1},
    {"OpExtInst vec4 =%glsl =UnpackSnorm4x8 u32", 1}, {"OpExtInst vec2 =%glsl =UnpackUnorm2x16 u32", 1},
    {"OpIAdd u32 u32 u32", 1}, {"OpIAdd uvec2 uvec2 uvec2", 1}, {"OpSNegate i32 i32", 1}, {"OpShiftLeftLogical u32 u32 u32", 1}, {"OpIEqual bool u32 u32", 1}, {"OpIEqual bvec2 uvec2 uvec2", 1}, {"OpLogicalAnd bool bool bool", 1},
    {"OpSelect u32 bool u32 u32", 1}, {"OpSelect vec2 bvec2 vec2 vec2", 1}, {"OpSelect vec2 bool vec2 vec2", 1}, {"OpAny bool bvec2", 1}, {"OpAll bool bvec2", 1}, {"OpIAddCarry uu u32 u32", 1}, {"OpUMulExtended uu u32 u32", 1},
    {"OpBitFieldInsert u32 u32 u32 u32 u32", 1}, {"OpBitFieldInsert uvec2 uvec2 uvec2 u32 u32", 1}, {"OpBitFieldUExtract uvec2 uvec2 u32 u32", 1}, {"OpVectorExtractDynamic f32 vec3 u32", 1}, {"OpVectorInsertDynamic vec3 vec3 f32 u32", 1},
    {"OpUConvert u64 u32", 1}, {"OpSConvert u8 u32", 1}, {"OpBitCount u32 u32", 1}, {"OpBitcast f32 u32", 1}, {"OpBitcast uvec2 u64", 1}, {"OpBitcast f64 vec2", 1}, {"OpUDot u32 uvec2 uvec2", 1}, {"OpSDot i32 ivec2 ivec2", 1},
    {"OpUDotAccSat u32 uvec2 uvec2 u32", 1}, {"OpUDot u32 u32 u32 =PackedVectorFormat4x8Bit", 1}, {"OpExtInst u32 =%glsl =UMin u32 u32", 1}, {"OpExtInst uvec2 =%glsl =UClamp uvec2 uvec2 uvec2", 1}, {"OpExtInst i32 =%glsl =SAbs i32", 1},
    {"OpExtInst u32 =%glsl =FindILsb u32", 1},
};

// An instruction with its word number `at` of another type.
static void write(char *out, size_t room, const char *text, unsigned at, const char *other)
{
    char words[200];
    size_t n = 0;
    unsigned k = 0;
    snprintf(words, sizeof words, "%s", text);
    for (char *w = strtok(words, " "); w; w = strtok(NULL, " "), k++) {
        const char *type = at == k && other ? other : w;
        n += (size_t)snprintf(out + n, room - n, k == 0 ? "%%r = %s" : *w == '=' ? " %s" : k == 1 ? " %%%s" : " %%v_%s", *w == '=' ? w + 1 : type);
    }
    snprintf(out + n, room - n, "\n");
}

enum answer { VALID, REFUSED, BROKEN };

static bool ask_words(struct spv_tools *tools, struct arena *a, const char *code, const uint32_t **words, size_t *count)
{
    struct err e;
    char text[8000];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "OpCapability Shader\nOpCapability Int8\nOpCapability Int16\nOpCapability Int64\nOpCapability Float16\nOpCapability Float64\nOpCapability DotProduct\nOpCapability DotProductInputAll\n"
                                "OpCapability DotProductInput4x8BitPacked\n%%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\"\nOpExecutionMode %%main LocalSize 8 1 1\n"
                                "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%s", declared);
    for (unsigned t = 0; t < TYPES; t++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%%v_%s = OpConstantNull %%%s\n", types[t], types[t]);
    n += (size_t)snprintf(text + n, sizeof text - n, "%%main = OpFunction %%void None %%fn\n%%start = OpLabel\n%sOpReturn\nOpFunctionEnd\n", code);
    return n < sizeof text && spv_assemble(tools, a, text, n, 1, words, count, &e);
}

static enum answer ask(struct spv_tools *tools, struct arena *a, const char *code, bool *loads)
{
    struct spv_case c = {.groups = {1, 1, 1}, .subgroup = 8, .model = SPV_ASSUMED_MAXIMAL};
    struct err e;
    struct orc_why why;
    if (!ask_words(tools, a, code, &c.words, &c.count))
        return BROKEN;
    const bool valid = spv_validate(tools, SPV_ENV_UNIVERSAL_1_6, c.words, c.count, &e);
    *loads = orc_load(a, &c, &why) != NULL;
    if (!*loads && why.status != RAN_INVALID && why.status != RAN_UNSUPPORTED)
        fail_msg("%s: neither invalid nor unsupported: %s", code, why.text);
    return valid ? VALID : REFUSED;
}

static void test_shapes(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    uint32_t valid = 0, refused = 0, wrong = 0;
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        unsigned words = 1;
        for (const char *p = ops[k].text; *p; p++)
            words += *p == ' ';
        for (unsigned at = 0; at < words; at++)
            for (unsigned t = 0; t < (at ? TYPES : 1); t++) {
                if (ops[k].lenient && at && t % 3 != k % 3)
                    continue;
                struct arena a = {0};
                char code[300], word[40];
                bool loads = false;
                snprintf(word, sizeof word, "%u:%s", at, types[t]);
                write(code, sizeof code, ops[k].text, at, at ? types[t] : NULL);
                const enum answer answer = ask(tools, &a, code, &loads);
                if (answer == BROKEN || (at == 0 && answer != VALID))
                    fail_msg("%s is not well written", code);
                valid += answer == VALID;
                refused += !loads;
                if (answer == VALID ? !loads : loads && !ops[k].lenient && !(ops[k].passes && strstr(ops[k].passes, word))) {
                    print_error("%s: spirv-val %s it, the oracle %s\n", code, answer == VALID ? "accepts" : "refuses", loads ? "loads it" : "does not load it");
                    wrong++;
                }
                arena_free(&a);
            }
    }
    spv_tools_free(tools);
    assert_int_equal(wrong, 0);
    assert_true(valid > sizeof ops / sizeof *ops && refused > valid);
}

// The last operands of the last instruction but two are missing, or there are more.
static void test_counts(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    int wrong = 0;
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        for (int more = -3; more <= 5; more++) {
            struct arena a = {0};
            struct spv_case c = {.groups = {1, 1, 1}, .subgroup = 8, .model = SPV_ASSUMED_MAXIMAL};
            struct orc_why why;
            char code[300];
            bool loads = false;
            const uint32_t *words;
            size_t count;
            write(code, sizeof code, ops[k].text, 0, NULL);
            if (ask(tools, &a, code, &loads) != VALID || !ask_words(tools, &a, code, &words, &count))
                fail_msg("%s", code);
            // It ends before OpReturn and OpFunctionEnd, of a word each.
            size_t at = 5, last = 5;
            while (at < count - 2)
                last = at, at += words[at] >> 16;
            const int length = (int)(words[last] >> 16), kept = length + more;
            if (more && kept >= 3) {
                uint32_t *cut = ARENA_ARRAY(&a, uint32_t, count + 8);
                memcpy(cut, words, count * sizeof *cut);
                cut[last] = (cut[last] & 0xffff) | (uint32_t)kept << 16;
                for (int w = length; w < kept; w++)
                    cut[last + (size_t)w] = words[last + (uint32_t)length - 1];
                memcpy(cut + last + (size_t)kept, words + count - 2, 2 * sizeof *cut);
                c.words = cut, c.count = last + (size_t)kept + 2;
                loads = orc_load(&a, &c, &why) != NULL;
                if (loads && !(more == 1 && strstr(ops[k].text, "Dot"))) { // a packed format may follow
                    print_error("%s loads with %d operands more\n", code, more);
                    wrong++;
                }
                if (!loads && why.status != RAN_INVALID && why.status != RAN_UNSUPPORTED)
                    fail_msg("%s with %d more: %s", code, more, why.text);
            }
            arena_free(&a);
        }
    spv_tools_free(tools);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes), cmocka_unit_test(test_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
