// SPDX-License-Identifier: Apache-2.0
//
// What the oracle refuses when it loads a module, and in which words: an instruction that it does not know is
// `unsupported`, one that no valid module has is `invalid`, whatever spirv-val says. Nothing is guessed, nothing
// crashes.
#include "test_orc_text.h"

struct refusal {
    enum ran status;
    uint32_t op; // the instruction that is named
    struct row row; // .refused: what is said of it
};
#define ROW(is, of, what, text, ...) {.status = is, .op = SpvOp##of, .row = {.name = what, .code = text, .is_invalid = true, .refused = __VA_ARGS__}}
#define INVALID(of, what, ...) ROW(RAN_INVALID, of, what, __VA_ARGS__)
#define UNKNOWN(of, what, ...) ROW(RAN_UNSUPPORTED, of, what, __VA_ARGS__) // "unsupported: " comes first
#define SHAPE "has operands of another shape than its result"
#define KNOWS_NO "operand %"

static const struct refusal arithmetic[] = {
    INVALID(IAdd, "a struct plus a scalar", "%v = OpCompositeConstruct %uu %x %y\n%r = OpIAdd %u32 %v %x\n", "its operand is not a number"),
    INVALID(IAdd, "a vector plus a scalar", "%v = OpCompositeConstruct %uvec2 %x %y\n%r = OpIAdd %u32 %v %x\n", SHAPE),
    INVALID(IAdd, "a scalar plus a vector", "%v = OpCompositeConstruct %uvec2 %x %y\n%r = OpIAdd %u32 %x %v\n", SHAPE),
    UNKNOWN(IAdd, "floats", "%r = OpIAdd %u32 %fx %fy\n", "arithmetic on floats"),
    INVALID(Select, "of a vector by a scalar", "%v = OpCompositeConstruct %uvec2 %x %y\n%r = OpSelect %u32 %true %x %v\n", SHAPE),
    INVALID(Select, "of a scalar and a vector", "%v = OpCompositeConstruct %uvec2 %x %y\n%r = OpSelect %u32 %true %v %x\n", SHAPE),
    INVALID(Select, "of a scalar by a vector", "%b = OpCompositeConstruct %bvec2 %true %true\n%r = OpSelect %u32 %b %x %y\n", SHAPE),
    INVALID(Select, "by a number", "%r = OpSelect %u32 %x %x %y\n", SHAPE),
    INVALID(Select, "by two numbers", "%v = OpCompositeConstruct %uvec2 %x %y\n%w = OpSelect %uvec2 %v %v %v\n%r = OpIAdd %u32 %x %y\n", SHAPE),
    INVALID(Any, "a vector for a result", "%b = OpCompositeConstruct %bvec2 %true %true\n%a = OpAny %bvec2 %b\n%r = OpIAdd %u32 %x %y\n", SHAPE),
    INVALID(IAddCarry, "no struct", "%r = OpIAddCarry %u32 %x %y\n", SHAPE),
    INVALID(IAddCarry, "of a scalar and a vector", "%v = OpCompositeConstruct %uvec2 %x %y\n%c = OpIAddCarry %uu %x %v\n%r = OpIAdd %u32 %x %y\n", SHAPE),
    INVALID(BitFieldInsert, "a vector", "%v = OpCompositeConstruct %uvec2 %x %y\n%r = OpBitFieldInsert %u32 %x %v %u1 %u1\n", SHAPE),
    INVALID(BitFieldUExtract, "a vector", "%v = OpCompositeConstruct %uvec2 %x %y\n%r = OpBitFieldUExtract %u32 %v %u1 %u1\n", SHAPE),
    INVALID(VectorExtractDynamic, "by a vector", "%v = OpCompositeConstruct %uvec2 %x %y\n%r = OpVectorExtractDynamic %u32 %v %v\n", SHAPE),
    INVALID(VectorExtractDynamic, "a vector", "%v = OpCompositeConstruct %uvec2 %x %y\n%w = OpVectorExtractDynamic %uvec2 %v %x\n%r = OpIAdd %u32 %x %y\n", SHAPE),
    INVALID(VectorInsertDynamic, "a vector", "%v = OpCompositeConstruct %uvec2 %x %y\n%w = OpVectorInsertDynamic %uvec2 %v %v %x\n%r = OpIAdd %u32 %x %y\n", SHAPE),
    INVALID(VectorInsertDynamic, "by a vector", "%v = OpCompositeConstruct %uvec2 %x %y\n%w = OpVectorInsertDynamic %uvec2 %v %x %v\n%r = OpIAdd %u32 %x %y\n", SHAPE),
    INVALID(Bitcast, "to more bits", "%w = OpBitcast %u64 %x\n%r = OpIAdd %u32 %x %y\n", "its type and its operand have different numbers of bits"),
    UNKNOWN(Bitcast, "of a boolean", "%r = OpBitcast %u32 %true\n", "its operands are not numbers"),
    UNKNOWN(UDot, "of numbers, without a format", "%r = OpUDot %u32 %x %y\n", "its packed vector format"),
    INVALID(UDot, "of two and four", "%v = OpCompositeConstruct %uvec2 %x %y\n%w = OpCompositeConstruct %uvec4 %v %v\n%r = OpUDot %u32 %v %w\n", SHAPE),
    UNKNOWN(UDotAccSat, "64 bits, saturated", "%a = OpUConvert %u64 %x\n%v = OpCompositeConstruct %long2 %a %a\n"
            "%d = OpUDotAccSat %u64 %v %v %a\n%r = OpIAdd %u32 %x %y\n", "a saturating dot product of 64-bit integers",
            .globals = "%long2 = OpTypeVector %u64 2\n"),
    INVALID(ExtInst, "UMin of a scalar for a vector", "%v = OpExtInst %uvec2 %glsl UMin %x %y\n%r = OpIAdd %u32 %x %y\n", SHAPE),
    INVALID(ExtInst, "UMin of structs", "%v = OpCompositeConstruct %uu %x %y\n%w = OpExtInst %u32 %glsl UMin %v %v\n%r = OpIAdd %u32 %x %y\n", "its operand is not a number"),
    UNKNOWN(ExtInst, "of fragment shaders", "%f = OpExtInst %f32 %glsl InterpolateAtCentroid %px\n%r = OpIAdd %u32 %x %y\n", "extended instruction 76"),
    UNKNOWN(UDiv, "no wrap of what cannot", "%r = OpUDiv %u32 %x %y\n", "NoSignedWrap or NoUnsignedWrap",
            .annotations = "OpDecorate %r NoUnsignedWrap\n"),
    UNKNOWN(IEqual, "RelaxedPrecision", "%c = OpIEqual %bool %x %y\n%r = OpSelect %u32 %c %x %y\n", "RelaxedPrecision",
            .annotations = "OpDecorate %c RelaxedPrecision\n"),
    UNKNOWN(CopyObject, "RelaxedPrecision of a float", "%c = OpCopyObject %f32 %fx\n%r = OpBitcast %u32 %c\n", "RelaxedPrecision",
            .annotations = "OpDecorate %c RelaxedPrecision\n"),
    UNKNOWN(Decorate, "RelaxedPrecision of a variable", "%r = OpIAdd %u32 %x %y\n", "RelaxedPrecision",
            .annotations = "OpDecorate %shared RelaxedPrecision\n"),
    UNKNOWN(Decorate, "RelaxedPrecision before every other decoration", "%r = OpIAdd %u32 %x %y\n", "RelaxedPrecision", .names = "OpDecorate %shared RelaxedPrecision\n"),
    UNKNOWN(MemberDecorate, "RelaxedPrecision of a member", "%r = OpIAdd %u32 %x %y\n", "RelaxedPrecision",
            .annotations = "OpMemberDecorate %block 0 RelaxedPrecision\n"),
    UNKNOWN(Bitcast, "to a boolean", "%b = OpBitcast %bool %x\n%r = OpIAdd %u32 %x %y\n", "its operands are not numbers"),
    UNKNOWN(Bitcast, "to a struct", "%b = OpBitcast %uu %x\n%r = OpIAdd %u32 %x %y\n", "its operands are not numbers"),
    UNKNOWN(Bitcast, "of a pointer", "%r = OpBitcast %u32 %px\n", "its operands are not numbers"),
    UNKNOWN(Bitcast, "to a pointer", "%b = OpBitcast %word_ptr %x\n%r = OpIAdd %u32 %x %y\n", "its operands are not numbers"),
    UNKNOWN(UDot, "of a vector of booleans", "%b = OpCompositeConstruct %bvec2 %true %true\n%r = OpUDot %u32 %b %b\n", "its operands are not numbers"),
    INVALID(UDot, "of words and of bytes", "%b = OpBitcast %u8vec4 %x\n%v = OpCompositeConstruct %uvec4 %x %x %x %x\n%r = OpUDot %u32 %v %b\n", SHAPE),
    INVALID(UDot, "of bytes and of words", "%b = OpBitcast %u8vec4 %x\n%v = OpCompositeConstruct %uvec4 %x %x %x %x\n%r = OpUDot %u32 %b %v\n", SHAPE),
    INVALID(UDot, "to a vector", "%v = OpCompositeConstruct %uvec2 %x %x\n%w = OpUDot %uvec2 %v %v\n%r = OpIAdd %u32 %x %y\n", SHAPE),
    INVALID(UDotAccSat, "onto a byte", "%v = OpCompositeConstruct %uvec2 %x %x\n%b = OpUConvert %u8 %x\n%r = OpUDotAccSat %u32 %v %v %b\n", SHAPE),
    UNKNOWN(UDot, "of words of 16 bits, packed", "%h = OpUConvert %u16 %x\n%r = OpUDot %u32 %h %h PackedVectorFormat4x8Bit\n", "its packed vector format"),
    UNKNOWN(UDot, "in a format of tomorrow", "%r = OpUDot %u32 %x %y !1\n", "its packed vector format"),
    INVALID(SNegate, "a boolean", "%b = OpSNegate %bool %uu2\n%r = OpIAdd %u32 %x %y\n", "its operand is not a number", .globals = "%uu2 = OpConstantNull %uu\n"),
    UNKNOWN(IAdd, "vectors of floats", "%v = OpCompositeConstruct %vec2 %fx %fy\n%w = OpIAdd %uvec2 %v %v\n%r = OpIAdd %u32 %x %y\n", "arithmetic on floats"),
    UNKNOWN(IAdd, "what is said and not done", "%n = OpExtInst %u32 %tells 1\n%r = OpIAdd %u32 %x %n\n", KNOWS_NO, .imports = "%tells = OpExtInstImport \"NonSemantic.Nothing\"\n"),
    UNKNOWN(IAdd, "what nobody knows, second", "%z = OpUndef %cm\n%r = OpIAdd %u32 %x %z\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    UNKNOWN(Bitcast, "of what nobody knows", "%z = OpUndef %cm\n%r = OpBitcast %u32 %z\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    UNKNOWN(ExtInst, "UMin with what nobody knows", "%z = OpUndef %cm\n%r = OpExtInst %u32 %glsl UMin %x %z\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    UNKNOWN(ExtInst, "FMin with what nobody knows", "%z = OpUndef %cm\n%f = OpExtInst %f32 %glsl FMin %fx %z\n%r = OpIAdd %u32 %x %y\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    UNKNOWN(AssumeTrueKHR, "of what nobody knows", "%z = OpUndef %cm\nOpAssumeTrueKHR %z\n%r = OpIAdd %u32 %x %y\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    UNKNOWN(ExtInst, "of no set", "%f = OpExtInst %f32 %other fabs %fx\n%r = OpIAdd %u32 %x %y\n", "extended instruction 23", .imports = "%other = OpExtInstImport \"OpenCL.std\"\n"),
    INVALID(ExtInst, "UMin of a vector and a scalar", "%v = OpCompositeConstruct %uvec2 %x %y\n%w = OpExtInst %uvec2 %glsl UMin %v %x\n%r = OpIAdd %u32 %x %y\n", SHAPE),
    UNKNOWN(ExtInst, "Modf of what nobody knows", "%z = OpUndef %cm\n%f = OpExtInst %f32 %glsl Modf %z %own\n%r = OpIAdd %u32 %x %y\n", "its operands", .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n%own_ptr = OpTypePointer Private %f32\n%own = OpVariable %own_ptr Private\n", .interface = " %own"),
#define TWO_OF(op, type, operand, cell) "%f = OpExtInst " type " %glsl " op " " operand " %own\n%r = OpIAdd %u32 %x %y\n", SHAPE, .globals = "%own_ptr = OpTypePointer Private " cell "\n%own = OpVariable %own_ptr Private\n%d_1 = OpConstant %f64 1\n%ff_1 = OpConstantNull %ff\n%v_1 = OpConstantNull %vec2\n", .interface = " %own"
    INVALID(MatrixTimesVector, "of two vectors", "%v = OpCompositeConstruct %vec2 %fx %fy\n%f = OpMatrixTimesVector %f32 %v %v\n%r = OpIAdd %u32 %x %y\n", SHAPE),
    INVALID(VectorTimesMatrix, "of a scalar and a vector", "%v = OpCompositeConstruct %vec2 %fx %fy\n%f = OpVectorTimesMatrix %vec2 %fx %v\n%r = OpIAdd %u32 %x %y\n", SHAPE),
    INVALID(ExtInst, "ModfStruct to three members", "%v = OpCompositeConstruct %vec2 %fx %fy\n%f = OpExtInst %three %glsl ModfStruct %v\n%r = OpIAdd %u32 %x %y\n", SHAPE, .globals = "%three = OpTypeStruct %vec2 %f32 %f32\n"),
    INVALID(ExtInst, "Modf to an integer", TWO_OF("Modf", "%u32", "%fx", "%f32")),
    INVALID(ExtInst, "Modf of an integer", TWO_OF("Modf", "%f32", "%x", "%f32")),
    INVALID(ExtInst, "Modf of a double", TWO_OF("Modf", "%f32", "%d_1", "%f32")),
    INVALID(ExtInst, "Modf of a vector", TWO_OF("Modf", "%f32", "%v_1", "%f32")),
    INVALID(ExtInst, "Modf's whole to an integer", TWO_OF("Modf", "%f32", "%fx", "%i32")),
    INVALID(ExtInst, "Modf's whole to a double", TWO_OF("Modf", "%f32", "%fx", "%f64")),
    INVALID(ExtInst, "Modf's whole to a vector", TWO_OF("Modf", "%f32", "%fx", "%vec2")),
    INVALID(ExtInst, "Frexp's exponent to a float", TWO_OF("Frexp", "%f32", "%fx", "%f32")),
    INVALID(ExtInst, "Frexp's exponent to 64 bits", TWO_OF("Frexp", "%f32", "%fx", "%i64")),
    INVALID(ExtInst, "Frexp's exponent to 16 bits", TWO_OF("Frexp", "%f32", "%fx", "%i16")),
    UNKNOWN(ISub, "RelaxedPrecision of floats as integers", "%c = OpISub %f32 %fx %fy\n%r = OpIAdd %u32 %x %y\n", "arithmetic on floats", .annotations = "OpDecorate %c RelaxedPrecision\n"),
    UNKNOWN(CompositeExtract, "RelaxedPrecision of a float of a vector", "%v = OpCompositeConstruct %vec2 %fx %fy\n%c = OpCompositeExtract %f32 %v 1\n%r = OpIAdd %u32 %x %y\n", "RelaxedPrecision", .annotations = "OpDecorate %c RelaxedPrecision\n"),
    UNKNOWN(CopyObject, "RelaxedPrecision of a vector of floats", "%v = OpCompositeConstruct %vec2 %fx %fy\n%c = OpCopyObject %vec2 %v\n%r = OpIAdd %u32 %x %y\n", "RelaxedPrecision", .annotations = "OpDecorate %c RelaxedPrecision\n"),
    UNKNOWN(ShiftRightLogical, "RelaxedPrecision of a shift", "%c = OpShiftRightLogical %u32 %x %y\n%r = OpIAdd %u32 %x %y\n", "RelaxedPrecision", .annotations = "OpDecorate %c RelaxedPrecision\n"),
    UNKNOWN(Select, "RelaxedPrecision of a select", "%c = OpSelect %u32 %true %x %y\n%r = OpIAdd %u32 %x %y\n", "RelaxedPrecision", .annotations = "OpDecorate %c RelaxedPrecision\n"),
    UNKNOWN(BitwiseXor, "no wrap of what does not", "%r = OpBitwiseXor %u32 %x %y\n", "NoSignedWrap or NoUnsignedWrap", .annotations = "OpDecorate %r NoSignedWrap\n"),
    UNKNOWN(Load, "no wrap of a load", "%c = OpLoad %u32 %px\n%r = OpIAdd %u32 %x %y\n", "NoSignedWrap or NoUnsignedWrap", .annotations = "OpDecorate %c NoSignedWrap\n"),
    UNKNOWN(Load, "a runtime array", "%q = OpAccessChain %words_ptr %in %u0\n%c = OpLoad %words %q\n%r = OpIAdd %u32 %x %y\n", "a result of OpTypeRuntimeArray", .globals = "%words_ptr = OpTypePointer StorageBuffer %words\n"),
    UNKNOWN(FNegate, "to what nobody knows", "%c = OpFNegate %cm %fx\n%r = OpIAdd %u32 %x %y\n", "a result of OpTypeFloat", .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    UNKNOWN(FunctionCall, "of what nobody knows", "%z = OpUndef %cm\n%r = OpFunctionCall %u32 %f %z\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n%f_type = OpTypeFunction %u32 %u32\n",
            .functions = "%f = OpFunction %u32 None %f_type\n%p = OpFunctionParameter %u32\n%s = OpLabel\nOpReturnValue %p\nOpFunctionEnd\n"),
    UNKNOWN(Variable, "begun with what nobody knows", "%r = OpIAdd %u32 %x %y\nOpBranch %next\n%next = OpLabel\n%v = OpVariable %u32_fn_ptr Function %lost\n", KNOWS_NO, .globals = "%lost = OpSpecConstantOp %u32 CompositeExtract %null2 2\n"),
    INVALID(Variable, "of another storage class", "%r = OpIAdd %u32 %x %y\nOpBranch %next\n%next = OpLabel\n%v = OpVariable %priv_ptr Private\n", "is in a function, but its storage class is not Function", .globals = "%priv_ptr = OpTypePointer Private %u32\n"),
    UNKNOWN(Variable, "of no pointer", "%r = OpIAdd %u32 %x %y\nOpBranch %next\n%next = OpLabel\n%v = OpVariable %u32 Function\n", "a variable of an unsupported type"),
    UNKNOWN(Variable, "of what nobody knows", "%r = OpIAdd %u32 %x %y\nOpBranch %next\n%next = OpLabel\n%v = OpVariable %cm_ptr Function\n", "a variable of an unsupported type", .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n%cm_ptr = OpTypePointer Function %cm\n"),
    UNKNOWN(Variable, "of four million words, thrice", "%r = OpIAdd %u32 %x %y\nOpBranch %next\n%next = OpLabel\n%v = OpVariable %many_ptr Function\n%v2 = OpVariable %many_ptr Function\n%v3 = OpVariable %many_ptr Function\n", "values of more than 8388608 scalars", .globals = "%many = OpConstant %u32 4000000\n%arr = OpTypeArray %u32 %many\n%many_ptr = OpTypePointer Function %arr\n"),
    UNKNOWN(Load, "four million words, thrice", "%a = OpLoad %arr %big\n%a2 = OpLoad %arr %big\n%b = OpLoad %arr %big\n%r = OpIAdd %u32 %x %y\n", "values of more than 8388608 scalars", .globals = "%many = OpConstant %u32 4000000\n%arr = OpTypeArray %u32 %many\n%many_ptr = OpTypePointer Private %arr\n%big = OpVariable %many_ptr Private\n", .interface = " %big"),
    // Which variable it is, by its number and its name, and what lies there.
    UNKNOWN(Load, "of a pointer to what is not known", "%v = OpLoad %u32 %more\n%r = OpIAdd %u32 %x %y\n", "variable %", .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n%cm_ptr = OpTypePointer Private %cm\n%more = OpVariable %cm_ptr Private\n", .interface = " %more", .names = "OpName %more \"texels\"\n"),
    UNKNOWN(FNegate, "what nobody knows", "%z = OpUndef %cm\n%b = OpFNegate %f32 %z\n%r = OpBitcast %u32 %b\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
};

static const struct refusal composites[] = {
    INVALID(CompositeExtract, "behind the last", "%v = OpCompositeConstruct %uvec2 %x %y\n%r = OpCompositeExtract %u32 %v 2\n", "has an index that is out of its type's bounds"),
    INVALID(CompositeExtract, "behind the last member", "%v = OpCompositeConstruct %uu %x %y\n%r = OpCompositeExtract %u32 %v 2\n", "has an index that is out of its type's bounds"),
    INVALID(CompositeExtract, "a part of a number", "%r = OpCompositeExtract %u32 %x 0\n", "has an index that is out of its type's bounds"),
    INVALID(CompositeExtract, "behind the last of an array", "%v = OpCompositeConstruct %pair %x %y\n%r = OpCompositeExtract %u32 %v 2\n",
            "has an index that is out of its type's bounds", .globals = "%pair = OpTypeArray %u32 %u2\n"),
    INVALID(CompositeExtract, "a vector for a number", "%v = OpCompositeConstruct %uvec2 %x %y\n%r = OpCompositeExtract %u32 %v\n", "its type is not that of the part"),
    INVALID(CompositeConstruct, "three of two", "%v = OpCompositeConstruct %uvec2 %x %y %x\n%r = OpIAdd %u32 %x %y\n", "has too many constituents"),
    INVALID(CompositeConstruct, "one of two", "%v = OpCompositeConstruct %uvec2 %x\n%r = OpIAdd %u32 %x %y\n", "has too few constituents for its type"),
    INVALID(CompositeInsert, "a vector as a component", "%v = OpCompositeConstruct %uvec2 %x %y\n%w = OpCompositeInsert %uvec2 %v %v 0\n%r = OpIAdd %u32 %x %y\n", "its types do not match"),
    INVALID(CompositeInsert, "into another type", "%v = OpCompositeConstruct %uvec2 %x %y\n%w = OpCompositeInsert %uvec4 %x %v 0\n%r = OpIAdd %u32 %x %y\n", "its types do not match"),
    INVALID(CompositeInsert, "behind the last", "%v = OpCompositeConstruct %uvec2 %x %y\n%w = OpCompositeInsert %uvec2 %x %v 2\n%r = OpIAdd %u32 %x %y\n", "has an index that is out of its type's bounds"),
    INVALID(VectorShuffle, "three for two", "%v = OpCompositeConstruct %uvec2 %x %y\n%w = OpVectorShuffle %uvec2 %v %v 0 1 2\n%r = OpIAdd %u32 %x %y\n", "has another number of components than its type"),
    INVALID(VectorShuffle, "the fifth of four", "%v = OpCompositeConstruct %uvec2 %x %y\n%w = OpVectorShuffle %uvec2 %v %v 0 4\n%r = OpIAdd %u32 %x %y\n", "has a component that is out of bounds"),
    INVALID(Transpose, "a vector", "%c = OpCompositeConstruct %vec2 %fx %fy\n%m = OpCompositeConstruct %mat2 %c %c\n%t = OpTranspose %vec4 %m\n%r = OpIAdd %u32 %x %y\n", "its type is not the transpose of its operand's type"),
    INVALID(Transpose, "an array of columns", "%c = OpCompositeConstruct %vec2 %fx %fy\n%m = OpCompositeConstruct %mat2 %c %c\n%t = OpTranspose %columns %m\n%r = OpIAdd %u32 %x %y\n", "its type is not the transpose of its operand's type", .globals = "%columns = OpTypeArray %vec2 %u2\n"),
    INVALID(Transpose, "of a vector", "%c = OpCompositeConstruct %vec4 %fx %fy %fx %fy\n%t = OpTranspose %mat2 %c\n%r = OpIAdd %u32 %x %y\n", "its type is not the transpose of its operand's type"),
    UNKNOWN(CopyObject, "what nobody knows", "%z = OpUndef %cm\n%v = OpCopyObject %u32 %z\n%r = OpIAdd %u32 %x %y\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    UNKNOWN(CompositeConstruct, "of what nobody knows", "%z = OpUndef %cm\n%v = OpCompositeConstruct %uvec2 %x %z\n%r = OpIAdd %u32 %x %y\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    UNKNOWN(CompositeExtract, "of what nobody knows", "%z = OpUndef %cm\n%r = OpCompositeExtract %u32 %z 0\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    UNKNOWN(CompositeInsert, "of what nobody knows", "%z = OpUndef %cm\n%v = OpCompositeInsert %uvec2 %z %null2 0\n%r = OpIAdd %u32 %x %y\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    UNKNOWN(CompositeInsert, "into what nobody knows", "%z = OpUndef %cm\n%v = OpCompositeInsert %uvec2 %x %z 0\n%r = OpIAdd %u32 %x %y\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    UNKNOWN(VectorShuffle, "of what nobody knows", "%z = OpUndef %cm\n%v = OpVectorShuffle %uvec2 %z %null2 0 1\n%r = OpIAdd %u32 %x %y\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    UNKNOWN(VectorShuffle, "with what nobody knows", "%z = OpUndef %cm\n%v = OpVectorShuffle %uvec2 %null2 %z 0 1\n%r = OpIAdd %u32 %x %y\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    UNKNOWN(Transpose, "what nobody knows", "%z = OpUndef %cm\n%v = OpTranspose %mat2 %z\n%r = OpIAdd %u32 %x %y\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    INVALID(CompositeInsert, "a part of a pointer", "%v = OpCompositeInsert %u32 %x %x 0\n%r = OpIAdd %u32 %x %y\n", "has an index that is out of its type's bounds"),
    INVALID(CompositeExtract, "a part of a pointer", "%v = OpCompositeExtract %u32 %px 0\n%r = OpIAdd %u32 %x %y\n", "has an index that is out of its type's bounds"),
    INVALID(CopyObject, "another type", "%v = OpCopyObject %uvec2 %x\n%r = OpIAdd %u32 %x %y\n", "its type differs from its operand's"),
};

static const struct refusal memory[] = {
    INVALID(Store, "a vector to a number", "%v = OpCompositeConstruct %uvec2 %x %y\nOpStore %local %v\n%r = OpIAdd %u32 %x %y\n", "value and pointer are of different types"),
    INVALID(Load, "a vector of a number", "%v = OpLoad %uvec2 %local\n%r = OpIAdd %u32 %x %y\n", "value and pointer are of different types"),
    UNKNOWN(Store, "to no pointer", "OpStore %x %y\n%r = OpIAdd %u32 %x %y\n", "access through an unknown pointer"),
    UNKNOWN(Load, "a boolean in a buffer", "%p = OpAccessChain %bool_ptr %more %u0\n%v = OpLoad %bool %p\n%r = OpIAdd %u32 %x %y\n",
            "a type without layout in a buffer", .annotations = "OpDecorate %flags Block\nOpMemberDecorate %flags 0 Offset 0\n"
            "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n",
            .globals = "%flags = OpTypeStruct %bool\n%flags_ptr = OpTypePointer StorageBuffer %flags\n"
            "%bool_ptr = OpTypePointer StorageBuffer %bool\n%more = OpVariable %flags_ptr StorageBuffer\n", .interface = " %more", .more_count = 1),
    UNKNOWN(ArrayLength, "of no buffer", "%r = OpArrayLength %u32 %shared 0\n", "the length of something other than a runtime array of a known buffer"),
    UNKNOWN(ArrayLength, "of no such member", "%r = OpArrayLength %u32 %in 1\n", "the length of something other than a runtime array of a known buffer"),
    INVALID(AccessChain, "no such member", "%p = OpAccessChain %word_ptr %in %u1 %u0\n%r = OpLoad %u32 %p\n", "has no such member"),
    INVALID(AccessChain, "a member by what is not known", "%p = OpAccessChain %word_ptr %in %x %u0\n%r = OpLoad %u32 %p\n", "has no such member"),
    INVALID(AccessChain, "a member before the first", "%p = OpAccessChain %word_ptr %in %minus %u0\n%r = OpLoad %u32 %p\n", "has no such member",
            .globals = "%minus = OpConstant %i32 -1\n"),
    UNKNOWN(AccessChain, "into a number", "%p = OpAccessChain %word_ptr %in %u0 %u0 %u0\n%r = OpLoad %u32 %p\n", "index 3 walks into a type without elements or layout"),
    UNKNOWN(AccessChain, "by a boolean", "%b = OpIEqual %bool %x %y\n%p = OpAccessChain %word_ptr %in %u0 %b\n%r = OpLoad %u32 %p\n", "index %"),
    UNKNOWN(AccessChain, "by a number that nobody knows", "%p = OpAccessChain %word_ptr %in %u0 %lost\n%r = OpLoad %u32 %p\n", "index %", .globals = "%lost = OpSpecConstantOp %u32 CompositeExtract %null2 2\n"),
    UNKNOWN(AccessChain, "from no pointer", "%p = OpAccessChain %word_ptr %x %u0\n%r = OpLoad %u32 %p\n", "a chain from an unknown pointer"),
    UNKNOWN(AccessChain, "to no pointer", "%r = OpAccessChain %u32 %in %u0 %u0\n", "a chain from an unknown pointer"),
    INVALID(AccessChain, "a member without Offset", "%p = OpAccessChain %word_ptr %more %u0\n%r = OpLoad %u32 %p\n", "the member has no Offset",
            .annotations = "OpDecorate %bare Block\nOpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n",
            .globals = "%bare = OpTypeStruct %u32\n%bare_ptr = OpTypePointer StorageBuffer %bare\n%more = OpVariable %bare_ptr StorageBuffer\n",
            .interface = " %more", .more_count = 1),
    UNKNOWN(AccessChain, "an array without ArrayStride", "%p = OpAccessChain %word_ptr %more %u0 %x\n%r = OpLoad %u32 %p\n", "index 2 walks into a type without elements or layout",
            .annotations = "OpDecorate %bare Block\nOpMemberDecorate %bare 0 Offset 0\nOpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n",
            .globals = "%ones = OpTypeArray %u32 %u1\n%bare = OpTypeStruct %ones\n%bare_ptr = OpTypePointer StorageBuffer %bare\n%more = OpVariable %bare_ptr StorageBuffer\n",
            .interface = " %more", .more_count = 1),
    UNKNOWN(AccessChain, "a column of a row-major matrix", "%p = OpAccessChain %column_ptr %more %u0 %u0\n%v = OpLoad %vec2 %p\n%r = OpIAdd %u32 %x %y\n",
            "a pointer to a column of a row-major matrix", .annotations = "OpDecorate %grid Block\nOpMemberDecorate %grid 0 Offset 0\n"
            "OpMemberDecorate %grid 0 RowMajor\nOpMemberDecorate %grid 0 MatrixStride 8\nOpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n",
            .globals = "%grid = OpTypeStruct %mat2\n%grid_ptr = OpTypePointer StorageBuffer %grid\n%column_ptr = OpTypePointer StorageBuffer %vec2\n"
            "%more = OpVariable %grid_ptr StorageBuffer\n", .interface = " %more", .more_count = 4),
    UNKNOWN(CopyMemory, "between pointers of two types", "OpCopyMemory %pair %local\n%r = OpIAdd %u32 %x %y\n", "a copy that is not between known pointers to one type",
            .globals = "%pair_ptr = OpTypePointer Private %uvec2\n%pair = OpVariable %pair_ptr Private\n", .interface = " %pair"),
    UNKNOWN(CopyMemory, "from no pointer", "OpCopyMemory %local %x\n%r = OpIAdd %u32 %x %y\n", "a copy that is not between known pointers to one type"),
    UNKNOWN(AtomicIAdd, "through no pointer", "%r = OpAtomicIAdd %u32 %x %u1 %u0 %y\n", "an atomic on an unknown pointer"),
    INVALID(AtomicStore, "of a vector", "%v = OpCompositeConstruct %uvec2 %x %y\nOpAtomicStore %px %u1 %u0 %v\n%r = OpIAdd %u32 %x %y\n", "has a value of another type"),
    UNKNOWN(AtomicIAdd, "of what nobody knows", "%z = OpUndef %cm\n%r = OpAtomicIAdd %u32 %px %u1 %u0 %z\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    UNKNOWN(AtomicCompareExchange, "with what nobody knows", "%z = OpUndef %cm\n%r = OpAtomicCompareExchange %u32 %px %u1 %u0 %u0 %x %z\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    UNKNOWN(Variable, "a variable whose type is no pointer", "%v = OpVariable %u32 Function\n%r = OpIAdd %u32 %x %y\n", "a variable of an unsupported type"),
    UNKNOWN(MemoryBarrier, "of a scope without a value", "OpMemoryBarrier %none %u72\n%r = OpIAdd %u32 %x %y\n", "a barrier whose scopes or semantics are not constants", .globals = "%none = OpUndef %u32\n"),
    UNKNOWN(MemoryBarrier, "of a scope of the lane's own", "OpMemoryBarrier %x %u72\n%r = OpIAdd %u32 %x %y\n", "a barrier whose scopes or semantics are not constants"),
    UNKNOWN(AtomicIAdd, "by scope CrossDevice", "%r = OpAtomicIAdd %u32 %px %u0 %u0 %y\n", "its scope"),
    UNKNOWN(AtomicLoad, "of a pointer that is a number", "%r = OpAtomicLoad %u32 %x %u1 %u0\n", "an atomic on an unknown pointer"),
    UNKNOWN(AtomicIAdd, "of Private memory", "%r = OpAtomicIAdd %u32 %own %u1 %u0 %y\n", "an atomic on memory that is neither buffer, image nor Workgroup", .globals = "%own_ptr = OpTypePointer Private %u32\n%own = OpVariable %own_ptr Private\n", .interface = " %own"),
    UNKNOWN(AtomicIAdd, "of a push constant", "%q = OpAccessChain %push_word %own %u0\n%r = OpAtomicIAdd %u32 %q %u1 %u0 %y\n", "an atomic on memory that is neither buffer, image nor Workgroup",
            .annotations = "OpDecorate %uu Block\nOpMemberDecorate %uu 0 Offset 0\nOpMemberDecorate %uu 1 Offset 4\n", .globals = "%own_ptr = OpTypePointer PushConstant %uu\n%push_word = OpTypePointer PushConstant %u32\n%own = OpVariable %own_ptr PushConstant\n", .interface = " %own"),
    UNKNOWN(AtomicExchange, "of a boolean", "%q = OpAccessChain %b_wg %flags %u0\n%b = OpAtomicExchange %bool %q %u1 %u0 %true\n%r = OpAtomicIAdd %u32 %q %u1 %u0 %y\n", "an atomic on a type other than integer",
            .globals = "%b_wg = OpTypePointer Workgroup %bool\n%b_array = OpTypeArray %bool %u1\n%b_wg_array = OpTypePointer Workgroup %b_array\n%flags = OpVariable %b_wg_array Workgroup\n", .interface = " %flags"),
    UNKNOWN(ArrayLength, "of a vector", "%q = OpAccessChain %vec_ptr %more %u0\n%r = OpArrayLength %u32 %q 0\n", "the length of something other than a runtime array of a known buffer",
            .annotations = "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n",
            .globals = "%s2 = OpTypeStruct %uvec2\n%s2_ptr = OpTypePointer StorageBuffer %s2\n%vec_ptr = OpTypePointer StorageBuffer %uvec2\n%more = OpVariable %s2_ptr StorageBuffer\n", .interface = " %more", .more_count = 2),
    UNKNOWN(ArrayLength, "of a member that is a number", "%r = OpArrayLength %u32 %more 0\n", "the length of something other than a runtime array of a known buffer",
            .annotations = "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n",
            .globals = "%s2 = OpTypeStruct %u32\n%s2_ptr = OpTypePointer StorageBuffer %s2\n%more = OpVariable %s2_ptr StorageBuffer\n", .interface = " %more", .more_count = 2),
    UNKNOWN(ArrayLength, "of a parameter", "%r = OpFunctionCall %u32 %f %in\n", "the length of something other than a runtime array of a known buffer", .globals = "%f_type = OpTypeFunction %u32 %block_ptr\n",
            .functions = "%f = OpFunction %u32 None %f_type\n%p = OpFunctionParameter %block_ptr\n%s = OpLabel\n%n = OpArrayLength %u32 %p 0\nOpReturnValue %n\nOpFunctionEnd\n"),
    UNKNOWN(ArrayLength, "of a struct of Private memory", "%r = OpArrayLength %u32 %own 0\n", "the length of something other than a runtime array of a known buffer",
            .globals = "%own_ptr = OpTypePointer Private %block\n%own = OpVariable %own_ptr Private\n", .interface = " %own"),
    UNKNOWN(ArrayLength, "of a number", "%r = OpArrayLength %u32 %x 0\n", "the length of something other than a runtime array of a known buffer"),
    INVALID(ArrayLength, "without ArrayStride", "%r = OpArrayLength %u32 %more 0\n", "its array has no ArrayStride",
            .annotations = "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n",
            .globals = "%bare = OpTypeRuntimeArray %u32\n%s2 = OpTypeStruct %bare\n%s2_ptr = OpTypePointer StorageBuffer %s2\n%more = OpVariable %s2_ptr StorageBuffer\n", .interface = " %more", .more_count = 2),
    UNKNOWN(Load, "of what is an array of samplers", "%v = OpLoad %u32 %more\n%r = OpIAdd %u32 %x %y\n", "variable %", .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n",
            .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n%cm_ptr = OpTypePointer Private %cm\n%more = OpVariable %cm_ptr Private\n", .interface = " %more"),
    INVALID(ExtInst, "Frexp's exponent of a vector for a number", "%f = OpExtInst %f32 %glsl Frexp %fx %own\n%r = OpIAdd %u32 %x %y\n", SHAPE,
            .globals = "%own_ptr = OpTypePointer Private %ivec2\n%own = OpVariable %own_ptr Private\n", .interface = " %own"),
    INVALID(ExtInst, "Frexp's exponent to a number", "%f = OpExtInst %f32 %glsl Frexp %fx %x\n%r = OpIAdd %u32 %x %y\n", SHAPE),
#define LOST .globals = "%bad = OpSpecConstantOp %word_ptr AccessChain %in %u0 %u0\n"
    UNKNOWN(AtomicIAdd, "through a pointer that nobody knows", "%r = OpAtomicIAdd %u32 %bad %u1 %u0 %y\n", "an atomic on an unknown pointer", LOST),
    UNKNOWN(Load, "through a pointer that nobody knows", "%r = OpLoad %u32 %bad\n", "access through an unknown pointer", LOST),
    UNKNOWN(AccessChain, "from a pointer that nobody knows", "%q = OpAccessChain %word_ptr %bad\n%r = OpLoad %u32 %q\n", "a chain from an unknown pointer", LOST),
    UNKNOWN(CopyMemory, "to no pointer", "OpCopyMemory %x %local\n%r = OpIAdd %u32 %x %y\n", "a copy that is not between known pointers to one type"),
    UNKNOWN(CopyMemory, "of a runtime array", "%q = OpAccessChain %words_ptr %in %u0\n%w = OpAccessChain %words_ptr %out %u0\nOpCopyMemory %w %q\n%r = OpIAdd %u32 %x %y\n", "a copy that is not between known pointers to one type",
            .globals = "%words_ptr = OpTypePointer StorageBuffer %words\n"),
    UNKNOWN(CopyMemory, "of 3000000 words, thrice", "OpCopyMemory %a %b\nOpCopyMemory %a %b\nOpCopyMemory %a %b\n%r = OpIAdd %u32 %x %y\n", "values of more than 8388608 scalars",
            .globals = "%many = OpConstant %u32 2000000\n%arr = OpTypeArray %u32 %many\n%arr_ptr = OpTypePointer Private %arr\n%a = OpVariable %arr_ptr Private\n%b = OpVariable %arr_ptr Private\n", .interface = " %a %b"),
    UNKNOWN(Store, "what nobody knows", "%z = OpUndef %cm\nOpStore %local %z\n%r = OpIAdd %u32 %x %y\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    UNKNOWN(AtomicIAdd, "of an invocation's own memory", "%r = OpAtomicIAdd %u32 %local %u1 %u0 %y\n", "an atomic on memory that is neither buffer, image nor Workgroup"),
    UNKNOWN(AtomicIAdd, "by a scope that is not known", "%r = OpAtomicIAdd %u32 %px %x %u0 %y\n", "its scope"),
    INVALID(AtomicIAdd, "of a vector", "%v = OpCompositeConstruct %uvec2 %x %y\n%r = OpAtomicIAdd %u32 %px %u1 %u0 %v\n", "has a value of another type"),
    UNKNOWN(ControlBarrier, "of the device", "OpControlBarrier %u1 %u1 %u0\n%r = OpIAdd %u32 %x %y\n", "an execution scope that is neither Workgroup nor Subgroup"),
    UNKNOWN(ControlBarrier, "by what is not known", "OpControlBarrier %x %u1 %u0\n%r = OpIAdd %u32 %x %y\n", "a barrier whose scopes or semantics are not constants"),
    UNKNOWN(MemoryBarrier, "by what is not known", "OpMemoryBarrier %u1 %x\n%r = OpIAdd %u32 %x %y\n", "a barrier whose scopes or semantics are not constants"),
    UNKNOWN(Variable, "a variable of a runtime array", "%r = OpIAdd %u32 %x %y\nOpBranch %next\n%next = OpLabel\n%v = OpVariable %words_ptr Function\n",
            "a variable of an unsupported type", .globals = "%words_ptr = OpTypePointer Function %words\n"),
};

#define QUAD(text) text "%r = OpIAdd %u32 %x %y\n"
#define LINEAR .modes = "\nOpExecutionMode %main LocalSize 8 1 1\nOpExecutionMode %main MaximallyReconvergesKHR\nOpExecutionMode %main DerivativeGroupLinearKHR\n"
static const struct refusal group[] = {
    UNKNOWN(GroupNonUniformIAdd, "of the workgroup", "%r = OpGroupNonUniformIAdd %u32 %u2 Reduce %x\n", "a scope that is not Subgroup"),
    UNKNOWN(GroupNonUniformIAdd, "by a scope that is not known", "%r = OpGroupNonUniformIAdd %u32 %x Reduce %x\n", "a scope that is not Subgroup"),
    UNKNOWN(GroupNonUniformIAdd, "clusters of 0", "%r = OpGroupNonUniformIAdd %u32 %u3 ClusteredReduce %x %u0\n", "its cluster size"),
    UNKNOWN(GroupNonUniformIAdd, "clusters of 3", "%r = OpGroupNonUniformIAdd %u32 %u3 ClusteredReduce %x %u3\n", "its cluster size"),
    UNKNOWN(GroupNonUniformIAdd, "clusters of 256", "%r = OpGroupNonUniformIAdd %u32 %u3 ClusteredReduce %x %u256\n", "its cluster size",
            .globals = "%u256 = OpConstant %u32 256\n"),
    UNKNOWN(GroupNonUniformIAdd, "clusters of what is not known", "%r = OpGroupNonUniformIAdd %u32 %u3 ClusteredReduce %x %y\n", "its cluster size"),
    UNKNOWN(GroupNonUniformIAdd, "clusters without a size", "%r = OpGroupNonUniformIAdd %u32 %u3 ClusteredReduce %x\n", "its cluster size"),
    INVALID(GroupNonUniformIAdd, "floats", "%r = OpGroupNonUniformIAdd %u32 %u3 Reduce %fx\n", "its operand is not of its kind"),
    INVALID(GroupNonUniformFAdd, "integers", "%f = OpGroupNonUniformFAdd %f32 %u3 Reduce %x\n%r = OpIAdd %u32 %x %y\n", "its operand is not of its kind"),
    INVALID(GroupNonUniformIAdd, "a vector for a number", "%v = OpCompositeConstruct %uvec2 %x %y\n%r = OpGroupNonUniformIAdd %u32 %u3 Reduce %v\n", SHAPE),
    INVALID(GroupNonUniformIAdd, "parts by a number", "%r = OpGroupNonUniformIAdd %u32 %u3 PartitionedReduceNV %x %y\n", SHAPE),
    INVALID(GroupNonUniformIAdd, "parts of a vector for a number", "%v = OpCompositeConstruct %uvec2 %x %y\n%w = OpCompositeConstruct %uvec4 %v %v\n"
            "%r = OpGroupNonUniformIAdd %u32 %u3 PartitionedReduceNV %v %w\n", SHAPE),
    INVALID(GroupNonUniformIAdd, "parts by nothing", "%r = OpGroupNonUniformIAdd %u32 %u3 PartitionedReduceNV %x\n", SHAPE),
    INVALID(GroupNonUniformBallot, "two words", "%v = OpGroupNonUniformBallot %uvec2 %u3 %true\n%r = OpIAdd %u32 %x %y\n", SHAPE),
    INVALID(GroupNonUniformBallotBitCount, "of a number", "%r = OpGroupNonUniformBallotBitCount %u32 %u3 Reduce %x\n", SHAPE),
    INVALID(GroupNonUniformShuffle, "by a vector", "%v = OpCompositeConstruct %uvec2 %x %y\n%r = OpGroupNonUniformShuffle %u32 %u3 %x %v\n", SHAPE),
    INVALID(GroupNonUniformAll, "a vector for a result", "%b = OpGroupNonUniformAll %bvec2 %u3 %true\n%r = OpIAdd %u32 %x %y\n", SHAPE),
    UNKNOWN(GroupNonUniformIAdd, "an operation of tomorrow", "%r = OpGroupNonUniformIAdd %u32 %u3 !4 %x\n", "its group operation"),
    UNKNOWN(GroupNonUniformIAdd, "what nobody knows", "%z = OpUndef %cm\n%r = OpGroupNonUniformIAdd %u32 %u3 Reduce %z\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    INVALID(GroupNonUniformBroadcastFirst, "a struct of nothing", "%v = OpUndef %nothing\n%w = OpGroupNonUniformBroadcastFirst %nothing %u3 %v\n%r = OpIAdd %u32 %x %y\n", SHAPE, .globals = "%nothing = OpTypeStruct\n"),
    INVALID(GroupNonUniformShuffle, "another type", "%v = OpCompositeConstruct %uvec2 %x %y\n%r = OpGroupNonUniformShuffle %u32 %u3 %v %x\n", SHAPE),
    INVALID(GroupNonUniformElect, "a vector for a result", "%b = OpGroupNonUniformElect %bvec2 %u3\n%r = OpIAdd %u32 %x %y\n", SHAPE),
    INVALID(DPdx, "of doubles", QUAD("%d = OpFConvert %f64 %fx\n%w = OpDPdx %f64 %d\n"), "is of floats of 32 bits", LINEAR),
    INVALID(DPdy, "of integers", QUAD("%w = OpDPdy %u32 %x\n"), "is of floats of 32 bits", LINEAR),
    INVALID(Fwidth, "of a vector for a number", QUAD("%v = OpCompositeConstruct %vec2 %fx %fy\n%w = OpFwidth %f32 %v\n"), SHAPE, LINEAR),
    INVALID(DPdxFine, "without quads", QUAD("%w = OpDPdxFine %f32 %fx\n"), "a compute shader needs DerivativeGroupQuadsKHR or DerivativeGroupLinearKHR for it (R8)"),
    UNKNOWN(GroupAll, "of another kind", "%b = OpGroupAll %bool %u3 %true\n%r = OpIAdd %u32 %x %y\n", "OpGroupAll at %"),
};

#define F "%f = OpFunction %u32 None %f_type\n"
#define CALLS "%f_type = OpTypeFunction %u32 %u32\n"
static const struct refusal flow[] = {
    INVALID(FunctionCall, "two arguments for one parameter", "%r = OpFunctionCall %u32 %f %x %y\n", "has more arguments than the function has parameters",
            .globals = CALLS, .functions = F "%p = OpFunctionParameter %u32\n%s = OpLabel\nOpReturnValue %p\nOpFunctionEnd\n"),
    INVALID(FunctionCall, "no argument for one parameter", "%r = OpFunctionCall %u32 %f\n", "has fewer arguments than the function has parameters",
            .globals = CALLS, .functions = F "%p = OpFunctionParameter %u32\n%s = OpLabel\nOpReturnValue %p\nOpFunctionEnd\n"),
    INVALID(FunctionCall, "an argument of another type", "%v = OpCompositeConstruct %uvec2 %x %y\n%r = OpFunctionCall %u32 %f %v\n", "has an argument of another type than its parameter",
            .globals = CALLS, .functions = F "%p = OpFunctionParameter %u32\n%s = OpLabel\nOpReturnValue %p\nOpFunctionEnd\n"),
    INVALID(FunctionCall, "itself", "%r = OpFunctionCall %u32 %f %x\n", "is a recursive call",
            .globals = CALLS, .functions = F "%p = OpFunctionParameter %u32\n%s = OpLabel\n%v = OpFunctionCall %u32 %f %p\nOpReturnValue %v\nOpFunctionEnd\n"),
    INVALID(FunctionCall, "no function", "%r = OpFunctionCall %u32 %x %y\n", "calls an id that is not a function"),
    UNKNOWN(FunctionCall, "a function without a body", "%r = OpFunctionCall %u32 %f %x\n", "a function without a body",
            .globals = CALLS, .functions = F "%p = OpFunctionParameter %u32\nOpFunctionEnd\n"),
    INVALID(ReturnValue, "a vector for a number", "%r = OpFunctionCall %u32 %f %x\n", "returns a value that is not of its function's type",
            .globals = CALLS, .functions = F "%p = OpFunctionParameter %u32\n%s = OpLabel\n%v = OpCompositeConstruct %uvec2 %p %p\nOpReturnValue %v\nOpFunctionEnd\n"),
    INVALID(Branch, "into another function", "%r = OpFunctionCall %u32 %f %x\n", "names a label that is not in its function",
            .globals = CALLS, .functions = F "%p = OpFunctionParameter %u32\n%s = OpLabel\nOpBranch %start\nOpFunctionEnd\n"),
    INVALID(SelectionMerge, "a merge block of another function", "%r = OpFunctionCall %u32 %f %x\n", "names a label that is not in its function",
            .globals = CALLS, .functions = F "%p = OpFunctionParameter %u32\n%s = OpLabel\nOpSelectionMerge %start None\n"
            "OpBranchConditional %true %a %b\n%a = OpLabel\nOpReturnValue %p\n%b = OpLabel\nOpReturnValue %p\nOpFunctionEnd\n"),
    INVALID(LoopMerge, "a continue target of another function", "%r = OpFunctionCall %u32 %f %x\n", "names a label that is not in its function",
            .globals = CALLS, .functions = F "%p = OpFunctionParameter %u32\n%s = OpLabel\nOpLoopMerge %a %start None\n"
            "OpBranch %a\n%a = OpLabel\nOpReturnValue %p\nOpFunctionEnd\n"),
    INVALID(BranchConditional, "a number for a condition", "OpSelectionMerge %a None\nOpBranchConditional %x %b %a\n%b = OpLabel\nOpBranch %a\n%a = OpLabel\n%r = OpIAdd %u32 %x %y\n",
            "its condition is not a boolean"),
    INVALID(Switch, "one literal twice", "OpSelectionMerge %a None\nOpSwitch %x %a 1 %b 2 %a 1 %c\n%b = OpLabel\nOpBranch %a\n%c = OpLabel\nOpBranch %a\n%a = OpLabel\n%r = OpIAdd %u32 %x %y\n",
            "two of its literals are equal"),
    INVALID(Switch, "a float for a selector", "OpSelectionMerge %a None\nOpSwitch %fx %a\n%a = OpLabel\n%r = OpIAdd %u32 %x %y\n", "its selector is not an integer"),
    UNKNOWN(Switch, "what nobody knows", "%z = OpUndef %cm\nOpSelectionMerge %a None\nOpSwitch %z %a\n%a = OpLabel\n%r = OpIAdd %u32 %x %y\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    UNKNOWN(BranchConditional, "what nobody knows", "OpSelectionMerge %a None\nOpBranchConditional %z %b %a\n%b = OpLabel\nOpBranch %a\n%a = OpLabel\n%r = OpIAdd %u32 %x %y\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n%c0 = OpConstantNull %cm\n%z = OpSpecConstantOp %bool CompositeExtract %c0 0\n"),
    INVALID(Switch, "a case of another function", "%r = OpFunctionCall %u32 %f %x\n", "names a label that is not in its function", .globals = CALLS,
            .functions = F "%p = OpFunctionParameter %u32\n%s = OpLabel\nOpSelectionMerge %a None\nOpSwitch %p %a 1 %start\n%a = OpLabel\nOpReturnValue %p\nOpFunctionEnd\n"),
    INVALID(Switch, "a default of another function", "%r = OpFunctionCall %u32 %f %x\n", "names a label that is not in its function", .globals = CALLS,
            .functions = F "%p = OpFunctionParameter %u32\n%s = OpLabel\nOpSelectionMerge %a None\nOpSwitch %p %merge 1 %a\n%a = OpLabel\nOpReturnValue %p\nOpFunctionEnd\n"),
    INVALID(BranchConditional, "an arm of a later function", "OpSelectionMerge %a None\nOpBranchConditional %true %s %a\n%a = OpLabel\n%r = OpFunctionCall %u32 %f %x\n", "names a label that is not in its function", .globals = CALLS,
            .functions = F "%p = OpFunctionParameter %u32\n%s = OpLabel\nOpReturnValue %p\nOpFunctionEnd\n"),
    INVALID(Branch, "to what is no label", "OpBranch %x\n%a = OpLabel\n%r = OpIAdd %u32 %y %y\n", "names a label that is not in its function"),
    INVALID(Phi, "no value for a case", "OpSelectionMerge %a None\nOpSwitch %x %a 1 %b\n%b = OpLabel\nOpBranch %a\n%a = OpLabel\n%r = OpPhi %u32 %x %b\n", "has no value for one of its block's predecessors"),
    UNKNOWN(Phi, "what nobody knows", "%z = OpUndef %cm\nOpBranch %a\n%a = OpLabel\n%w = OpPhi %u32 %z %then\n%r = OpIAdd %u32 %x %y\n", KNOWS_NO, .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n"),
    UNKNOWN(ReturnValue, "what nobody knows", "%r = OpFunctionCall %u32 %f %x\n", KNOWS_NO,
            .globals = CALLS "%cm = OpTypeFloat 16 BFloat16KHR\n%c0 = OpConstantNull %cm\n%z = OpSpecConstantOp %u32 CompositeExtract %c0 0\n", .functions = F "%p = OpFunctionParameter %u32\n%s = OpLabel\nOpReturnValue %z\nOpFunctionEnd\n"),
    INVALID(Phi, "no value for a predecessor", "OpSelectionMerge %a None\nOpBranchConditional %true %b %a\n%b = OpLabel\nOpBranch %a\n%a = OpLabel\n%r = OpPhi %u32 %x %b\n",
            "has no value for one of its block's predecessors"),
    UNKNOWN(Phi, "a vector for a number", "%v = OpCompositeConstruct %uvec2 %x %y\nOpSelectionMerge %a None\nOpBranchConditional %true %b %a\n%b = OpLabel\nOpBranch %a\n"
            "%a = OpLabel\n%r = OpPhi %u32 %x %b %v %then\n", KNOWS_NO),
    INVALID(TerminateInvocation, "an end of fragment shaders", "OpSelectionMerge %a None\nOpBranchConditional %true %b %a\n%b = OpLabel\nOpTerminateInvocation\n"
            "%a = OpLabel\n%r = OpIAdd %u32 %x %y\n",
            "only a fragment shader may execute it (E1)"),
    INVALID(Kill, "another", "OpSelectionMerge %a None\nOpBranchConditional %true %b %a\n%b = OpLabel\nOpKill\n%a = OpLabel\n%r = OpIAdd %u32 %x %y\n",
            "only a fragment shader may execute it (E1)"),
    INVALID(DemoteToHelperInvocation, "a helper", "OpDemoteToHelperInvocation\n%r = OpIAdd %u32 %x %y\n", "only a fragment shader may execute it (D4, E2)"),
    INVALID(BranchConditional, "S2: one label twice", "OpSelectionMerge %a None\nOpBranchConditional %true %a %a\n%a = OpLabel\n%r = OpIAdd %u32 %x %y\n", "its two labels are equal, which S2 forbids"),
};

static const struct refusal globals[] = {
    UNKNOWN(Load, "a buffer of no binding", "%p = OpAccessChain %word_ptr %more %u0 %u0\n%v = OpLoad %u32 %x\n%r = OpIAdd %u32 %x %y\n", "access through an unknown pointer", .globals = "%more = OpVariable %block_ptr StorageBuffer\n", .interface = " %more"),
    INVALID(ConstantTrue, "a number for a boolean", "%r = OpIAdd %u32 %x %y\n", "its type is not a boolean", .globals = "%bad = OpConstantTrue %u32\n"),
    INVALID(ConstantComposite, "three of two", "%r = OpIAdd %u32 %x %y\n", "has too many constituents", .globals = "%bad = OpConstantComposite %uvec2 %u1 %u1 %u1\n"),
    UNKNOWN(GroupDecorate, "a built-in by a group", "%r = OpIAdd %u32 %x %y\n", "SpecId or BuiltIn of a group",
            .annotations = "OpDecorate %g BuiltIn WorkgroupId\n%g = OpDecorationGroup\nOpGroupDecorate %g %wid\n",
            .globals = "%u3v = OpTypeVector %u32 3\n%in3 = OpTypePointer Input %u3v\n%wid = OpVariable %in3 Input\n"),
    UNKNOWN(GroupDecorate, "a SpecId by a group", "%r = OpIAdd %u32 %x %y\n", "SpecId or BuiltIn of a group",
            .annotations = "OpDecorate %g SpecId 3\n%g = OpDecorationGroup\nOpGroupDecorate %g %spec\n", .globals = "%spec = OpSpecConstant %u32 1\n"),
    UNKNOWN(Store, "a constant that cannot be worked out", "OpStore %local %s\n%r = OpIAdd %u32 %x %y\n", KNOWS_NO,
            .globals = "%s = OpSpecConstantOp %u32 CompositeExtract %null2 2\n"),
    UNKNOWN(CompositeExtract, "another", "%c = OpCompositeExtract %u32 %s 0\nOpStore %local %c\n%r = OpIAdd %u32 %x %y\n", KNOWS_NO,
            .globals = "%s = OpSpecConstantOp %uvec2 VectorShuffle %null2 %null2 0 4\n"),
};

static void check(const struct refusal *rows, size_t n)
{
    struct spv_tools *tools = spv_tools_new();
    int wrong = 0;
    for (size_t k = 0; k < n; k++) {
        const struct refusal *f = &rows[k];
        struct arena arena = {0};
        struct spv_case c;
        struct orc_why why;
        row_case(tools, &arena, &f->row, &c);
        const struct orc_program *p = orc_load(&arena, &c, &why);
        const char *said = strstr(why.text, f->status == RAN_INVALID ? "): " : "): unsupported: ");
        said += said ? strlen(f->status == RAN_INVALID ? "): " : "): unsupported: ") : 0;
        const size_t length = strlen(f->row.refused);
        // Who is named: the result, or the first operand, by what the assembler made of the row.
        struct spv_module m;
        struct err e;
        const struct spv_inst *at = NULL;
        if (!spv_module_read(&arena, c.words, c.count, &m, &e))
            fail_msg("%s: %s", f->row.name, e.msg);
        for (uint32_t i = 0; i < m.inst_count; i++)
            if (m.insts[i].at == why.at)
                at = &m.insts[i];
        if (at && (why.id != (at->result ? at->result : at->n ? at->v[0] : 0) || (strstr(why.text, " of %") != NULL) != !at->result ||
                   (why.rule[0] && !strstr(why.text, why.rule))))
            said = NULL;
        // What ends in % goes on with an id.
        if (p || !said || why.status != f->status || why.op != f->op || !why.at || why.has_place ||
            strncmp(said, f->row.refused, length) != 0 || (said[length] && f->row.refused[length - 1] != '%') ||
            c.words[why.at] >> 16 == 0 || (c.words[why.at] & 0xffff) != f->op) {
            print_error("%s: %s\n", f->row.name, p ? "it is loaded" : why.text);
            wrong++;
        }
        arena_free(&arena);
    }
    spv_tools_free(tools);
    assert_int_equal(wrong, 0);
}
#define CHECK_ALL(rows) check(rows, sizeof(rows) / sizeof *(rows))

// A pointer to what is not known: which variable it is, by its number and its name, and what lies there.
static void test_variables(void **state)
{
    (void)state;
    static const struct {
        const char *types, *name, *says;
    } table[] = {
        {"%cm_ptr = OpTypePointer Private %cm\n", NULL, " is of OpTypeFloat"},
        {"%cm_ptr = OpTypePointer Private %cm\n", "texels", " texels is of OpTypeFloat"},
        {"%cm_ptr = OpTypePointer Private %cm\n", "", " is of OpTypeFloat"},
        {"%cm_ptr = OpTypePointer Private %cm\n", "x", " x is of OpTypeFloat"},
        {"%cm_ptr = OpTypePointer Private %cm\n", "a name of more letters than sixty, which are as many as there is room for here", " a name of more letters than sixty, which are as many as ther is of OpTypeFloat"},
        {"%some = OpTypeArray %cm %u4\n%cm_ptr = OpTypePointer Private %some\n", NULL, " is an array of descriptors, OpTypeFloat"},
        {"%some = OpTypeArray %cm %u4\n%cm_ptr = OpTypePointer Private %some\n", "all", " all is an array of descriptors, OpTypeFloat"},
        {"%some = OpTypeRuntimeArray %cm\n%cm_ptr = OpTypePointer Private %some\n", NULL, " is an array of descriptors, OpTypeFloat"},
        {"%pair = OpTypeVector %cm 2\n%cm_ptr = OpTypePointer Private %pair\n", NULL, " is of OpTypeVector"},
    };
    struct spv_tools *tools = spv_tools_new();
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        struct arena a = {0};
        struct spv_case c;
        struct orc_why why;
        unsigned id = 0;
        int at = 0;
        const struct row row = {"variables", "%v = OpLoad %u32 %more\n%r = OpIAdd %u32 %x %y\n", .globals = arena_printf(&a, "%%cm = OpTypeFloat 16 BFloat16KHR\n%s%%more = OpVariable %%cm_ptr Private\n", table[k].types),
                                .interface = " %more", .names = table[k].name ? arena_printf(&a, "OpName %%more \"%s\"\n", table[k].name) : NULL, .is_invalid = true};
        row_case(tools, &a, &row, &c);
        assert_null(orc_load(&a, &c, &why));
        const char *said = strstr(why.text, "unsupported: ");
        if (!said || sscanf(said, "unsupported: variable %%%u%n", &id, &at) != 1 || strcmp(said + at, table[k].says) != 0 || why.op != SpvOpLoad)
            fail_msg("%s%s: '%s', expected '%s'", table[k].types, table[k].name ? table[k].name : "", why.text, table[k].says);
        struct spv_module m;
        struct err e;
        assert_true(spv_module_read(&a, c.words, c.count, &m, &e));
        const struct spv_inst *variable = spv_def(&m, id);
        assert_true(variable && variable->op == SpvOpVariable);
        arena_free(&a);
    }
    spv_tools_free(tools);
}

static void test_arithmetic(void **state) { (void)state, CHECK_ALL(arithmetic); }
static void test_composites(void **state) { (void)state, CHECK_ALL(composites); }
static void test_memory(void **state) { (void)state, CHECK_ALL(memory); }
static void test_group(void **state) { (void)state, CHECK_ALL(group); }
static void test_flow(void **state) { (void)state, CHECK_ALL(flow); }
static void test_globals(void **state) { (void)state, CHECK_ALL(globals); }

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_variables),
        cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_composites), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_group),      cmocka_unit_test(test_flow),       cmocka_unit_test(test_globals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
