// The tests of the group "small", for vktReconvergenceTests.cpp.
void createSmallTests(tcu::TestContext &testCtx, tcu::TestCaseGroup *group)
{
    static const struct
    {
        const char *name, *file;
        vk::SpirvVersion version;
    } tests[] = {
{{#tests}}
        {"{{{word}}}", "{{{name}}}.amber", vk::SPIRV_VERSION_1_{{spirv_minor}}},
{{/tests}}
    };
    for (const auto &test : tests)
    {
        std::vector<std::string> requirements;
        requirements.push_back("VK_KHR_shader_maximal_reconvergence");
        requirements.push_back("VK_EXT_subgroup_size_control");
        cts_amber::AmberTestCase *testCase =
            cts_amber::createAmberTestCase(testCtx, test.name, "reconvergence", test.file, requirements);
        testCase->setSpirVAsmBuildOptions(
            vk::SpirVAsmBuildOptions(VK_MAKE_API_VERSION(0, 1, 3, 0), test.version));
        group->addChild(testCase);
    }
}
