// Reconvergence: each input is a shader with subgroup operations in divergent control flow, each output
// was checked to compute the same. See README.md.
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "spirv-tools/libspirv.hpp"
#include "spirv-tools/optimizer.hpp"

namespace spvtools {
namespace opt {
namespace {

void Check(spv_target_env version, const std::string& before, const std::string& after,
           const std::string& flag) {
  SpirvTools assembler(version), tools(SPV_ENV_VULKAN_1_3);
  std::vector<uint32_t> in, out;
  ASSERT_TRUE(assembler.Assemble(before, &in, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS));
  ASSERT_TRUE(tools.Validate(in));
  Optimizer optimizer(SPV_ENV_VULKAN_1_3);
  ASSERT_TRUE(optimizer.RegisterPassesFromFlags({flag}));
  ASSERT_TRUE(optimizer.Run(in.data(), in.size(), &out));
  ASSERT_TRUE(tools.Validate(out));
  std::string is;
  ASSERT_TRUE(tools.Disassemble(out, &is, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER |
                                             SPV_BINARY_TO_TEXT_OPTION_INDENT));
  EXPECT_EQ(after, is);
}

{{#tests}}
// {{{line}}}{{#classes}} ({{{classes}}}){{/classes}}
{{#seen}}
// Seen in a real compiler or driver: {{{seen}}}
{{/seen}}
{{#rules}}
// Rules that it exercises: {{{rules}}}.
{{/rules}}
{{#wrong}}
// With the mistake: {{{wrong}}}
{{/wrong}}
// Program: {{{program}}}
TEST(Reconvergence, {{{word}}}) {
  Check(SPV_ENV_UNIVERSAL_1_{{spirv_minor}}, R"({{{assembly}}})", R"({{{output}}})", "{{{flag}}}");
}

{{/tests}}
}  // namespace
}  // namespace opt
}  // namespace spvtools
