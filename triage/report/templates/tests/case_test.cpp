{{#is_unit_test}}
// {{class}}: {{verdict_line}}
{{#sentence}}
// {{sentence}}.
{{/sentence}}
// Found by tanglefuzz, bucket {{bucket}}.
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "spirv-tools/libspirv.hpp"
#include "spirv-tools/optimizer.hpp"

namespace spvtools {
namespace opt {
namespace {

TEST(Reconvergence, {{bucket}}) {
  const std::string before = R"(
{{assembly}})";
  SpirvTools assembler(SPV_ENV_UNIVERSAL_1_{{spirv_minor}}), tools(SPV_ENV_VULKAN_1_3);
  std::vector<uint32_t> in, out;
  ASSERT_TRUE(assembler.Assemble(before, &in, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS));
  ASSERT_TRUE(tools.Validate(in));

  Optimizer optimizer(SPV_ENV_VULKAN_1_3);
{{#flags}}
  ASSERT_TRUE(optimizer.RegisterPassFromFlag("{{flag}}"));
{{/flags}}
{{#compiler_fails}}
  EXPECT_TRUE(optimizer.Run(in.data(), in.size(), &out)) << "must be accepted";
{{/compiler_fails}}
{{^compiler_fails}}
  ASSERT_TRUE(optimizer.Run(in.data(), in.size(), &out));
{{#class=invalid-output}}
  EXPECT_TRUE(tools.Validate(out)) << "the output must be valid";
{{/class}}
{{^class=invalid-output}}
  ASSERT_TRUE(tools.Validate(out));

  // The unchanged module is a correct output. Another output that computes the words of
  // expected.mem is correct too; then compare with its text instead.
  std::string was, is;
  ASSERT_TRUE(tools.Disassemble(in, &was, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER));
  ASSERT_TRUE(tools.Disassemble(out, &is, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER));
  EXPECT_EQ(was, is);
{{/class}}
{{/compiler_fails}}
}

}  // namespace
}  // namespace opt
}  // namespace spvtools
{{/is_unit_test}}
