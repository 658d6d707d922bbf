// The tests of the group "small", for vktReconvergenceTests.cpp, which needs
// #include "amber/vktAmberTestCase.hpp". See README.md.
void createSmallTests(tcu::TestContext &testCtx, tcu::TestCaseGroup *group)
{
    static const struct
    {
        const char *name, *file;
        vk::SpirvVersion version;
        std::vector<std::string> requirements; // what the script asks for: checked before it, as CTS wants
    } tests[] = {
{{#tests}}
        {"{{{word}}}",
         "{{{name}}}.amber",
         vk::SPIRV_VERSION_1_{{spirv_minor}},
         {
{{#extensions}}
{{#used}}
             "{{extension}}",
{{/used}}
{{/extensions}}
             "VK_EXT_subgroup_size_control",
{{#features}}
{{#used}}
             "{{cts_feature}}",
{{/used}}
{{/features}}
         }},
{{/tests}}
    };
    for (const auto &test : tests)
    {
        cts_amber::AmberTestCase *testCase =
            cts_amber::createAmberTestCase(testCtx, test.name, "reconvergence", test.file, test.requirements);
        testCase->setSpirVAsmBuildOptions(
            vk::SpirVAsmBuildOptions(VK_MAKE_API_VERSION(0, 1, 3, 0), test.version));
        group->addChild(testCase);
    }
}
