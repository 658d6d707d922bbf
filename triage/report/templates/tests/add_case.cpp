// {{class}}: {{verdict_line}}
{{#sentence}}
// {{sentence}}.
{{/sentence}}
// Found by tanglefuzz, bucket {{bucket}}.
{
    std::vector<std::string> requirements;
{{#model=maximal}}
    requirements.push_back("VK_KHR_shader_maximal_reconvergence");
{{/model}}
{{#model=subgroup-uniform}}
    requirements.push_back("VK_KHR_shader_subgroup_uniform_control_flow");
{{/model}}
{{#subgroup}}
    requirements.push_back("VK_EXT_subgroup_size_control");
{{/subgroup}}
    cts_amber::AmberTestCase *testCase =
        cts_amber::createAmberTestCase(testCtx, "{{bucket}}", "reconvergence", \
"{{bucket}}.amber", requirements);
    testCase->setSpirVAsmBuildOptions(
        vk::SpirVAsmBuildOptions(VK_MAKE_API_VERSION(0, 1, 3, 0), \
vk::SPIRV_VERSION_1_{{spirv_minor}}));
    group->addChild(testCase);
}
