// SPDX-License-Identifier: Apache-2.0
//
// Stages that draw, without attachments (dynamic rendering) and without a window. Vertex shaders: a
// list of points; rasterization is discarded. Fragment shaders: our own vertex shader, which passes
// positions through, and a draw of the case's cover.
#include "vk.h"

#include "spirv/spirv_draw.h"

#include <stdlib.h>
#include <string.h>

enum { VIEW = SPV_DRAW_VIEW, VERTICES = SPV_COVER_VERTICES };

struct vk_graphics {
    VkShaderModule vertex;
    VkBuffer buffer; // positions: x and y of each vertex in normalized device coordinates
    VkDeviceMemory memory;
    float *map;
};

static VkResult vertex_make(struct vk_device *d, VkShaderModule *out)
{
    struct arena a = {0};
    size_t count;
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    info.pCode = spv_draw_vertex_shader(&a, &count);
    info.codeSize = count * sizeof(uint32_t);
    const VkResult r = vkCreateShaderModule(d->handle, &info, NULL, out);
    arena_free(&a);
    return r;
}

// ---- reused objects ------------------------------------------------------------------------

static VkResult keep(struct vk_device *d)
{
    if (d->graphics)
        return VK_SUCCESS;
    struct vk_graphics *g = d->graphics = mem_new(sizeof *g);
    void *map = NULL;
    VkResult r = vertex_make(d, &g->vertex);
    if (r == VK_SUCCESS)
        r = vk_memory_make(d, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, sizeof(float) * 2 * VERTICES,
                           &g->buffer, &g->memory, &map);
    g->map = map;
    if (r != VK_SUCCESS)
        vk_graphics_free(d);
    return r;
}

void vk_graphics_free(struct vk_device *d)
{
    struct vk_graphics *g = d->graphics;
    if (!g)
        return;
    if (g->vertex)
        vkDestroyShaderModule(d->handle, g->vertex, NULL);
    if (g->buffer)
        vkDestroyBuffer(d->handle, g->buffer, NULL);
    if (g->memory)
        vkFreeMemory(d->handle, g->memory, NULL);
    free(g);
    d->graphics = NULL;
}

// ---- cases ------------------------------------------------------------------------------

static bool has_pixels(const struct spv_case *c)
{
    return spv_stage_row(c->stage)->has_pixels;
}

static VkPrimitiveTopology topology(const struct spv_case *c)
{
    if (!has_pixels(c))
        return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    switch (c->cover) {
    case SPV_COVER_POINTS:
        return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    case SPV_COVER_LINES:
        return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    default:
        return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    }
}

bool vk_graphics_same(const struct vk_device *d, const struct spv_case *a, const struct spv_case *b)
{
    return d->any_topology || topology(a) == topology(b);
}

// A point list needs PointSize.
static bool has_point_size(const struct spv_module *m)
{
    for (uint32_t i = 0; i < m->inst_count && m->insts[i].op != SpvOpFunction; i++) {
        const struct spv_inst *in = &m->insts[i];
        const uint32_t at = in->op == SpvOpMemberDecorate ? 2 : 1;
        if ((in->op == SpvOpDecorate || in->op == SpvOpMemberDecorate) && in->n > at + 1 &&
            in->v[at] == SpvDecorationBuiltIn && in->v[at + 1] == SpvBuiltInPointSize)
            return true;
    }
    return false;
}

bool vk_graphics_fits(const struct vk_device *d, const struct vk_module *m,
                      const struct spv_case *c, struct vk_shape *shape, struct err *why)
{
    (void)shape;
    const VkPhysicalDeviceLimits *l = &d->limits;
    const struct spv_stage_row *row = spv_stage_row(c->stage);
    if (d->isa && !vk_isa_draws(d, row))
        return err_set(why, "machine code of %s shaders is not supported", row->name);
    if (!run_offers(&d->info, row->needs))
        return err_set(why, "the device does not offer %s", spv_need_meaning(row->needs));
    if (!row->has_pixels && !has_point_size(&m->view))
        return err_set(why, "the vertex shader has no PointSize, which a list of points needs");
    const uint32_t most[] = {l->maxFramebufferWidth, l->maxFramebufferHeight};
    for (int i = 0; row->has_pixels && i < 2; i++)
        if (c->target[i] > most[i] || c->target[i] * (uint64_t)VIEW > l->maxViewportDimensions[i])
            return err_set(why, "the render target is %ux%u; the device supports up to %ux%u",
                           c->target[0], c->target[1], l->maxViewportDimensions[0] / VIEW,
                           l->maxViewportDimensions[1] / VIEW);
    return true;
}

VkResult vk_graphics_make(struct vk_device *d, const struct spv_case *c,
                          const VkPipelineShaderStageCreateInfo *stage, VkPipelineCreateFlags flags,
                          VkPipelineLayout layout, VkPipeline *out)
{
    const bool pixels = has_pixels(c);
    VkResult r = pixels ? keep(d) : VK_SUCCESS;
    if (r != VK_SUCCESS)
        return r;
    const VkPipelineShaderStageCreateInfo both[] = {
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_VERTEX_BIT,
         .module = pixels ? d->graphics->vertex : VK_NULL_HANDLE,
         .pName = "main"},
        *stage};
    const VkVertexInputBindingDescription binding = {0, sizeof(float) * 2,
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32_SFLOAT, 0};
    const VkPipelineVertexInputStateCreateInfo vertices = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = pixels,
        .pVertexBindingDescriptions = &binding,
        .vertexAttributeDescriptionCount = pixels,
        .pVertexAttributeDescriptions = &attribute,
    };
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = topology(c),
    };
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1,
    };
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .rasterizerDiscardEnable = !pixels,
        .polygonMode = VK_POLYGON_MODE_FILL,
        .cullMode = VK_CULL_MODE_NONE,
        .lineWidth = 1,
    };
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    static const VkDynamicState set_later[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                                               VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY};
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = !pixels           ? 0
                             : d->any_topology ? 3
                                               : 2,
        .pDynamicStates = set_later,
    };
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &rendering,
        .flags = flags,
        .stageCount = pixels ? 2 : 1,
        .pStages = pixels ? both : stage,
        .pVertexInputState = &vertices,
        .pInputAssemblyState = &assembly,
        .pViewportState = &viewport,
        .pRasterizationState = &raster,
        .pMultisampleState = &samples,
        .pDynamicState = &dynamic,
        .layout = layout,
    };
    vk_isa_listen(d);
    VK_TIMED(d, r = vkCreateGraphicsPipelines(d->handle, VK_NULL_HANDLE, 1, &info, NULL, out));
    vk_isa_heard(d);
    return r;
}

// Records the draw of a cover into d->command.
static void draw_cover(struct vk_device *d, const struct spv_case *c)
{
    struct spv_draw draw;
    spv_draw(c, &draw);
    memcpy(d->graphics->map, draw.at, draw.vertices * sizeof *draw.at);
    const VkRect2D all = {{0, 0}, {c->target[0], c->target[1]}};
    const VkViewport viewport = {
        .x = draw.x, .y = draw.y, .width = draw.width, .height = draw.height, .maxDepth = 1};
    const VkDeviceSize from = 0;
    vkCmdSetViewport(d->command, 0, 1, &viewport);
    vkCmdSetScissor(d->command, 0, 1, &all);
    if (d->any_topology)
        vkCmdSetPrimitiveTopology(d->command, topology(c));
    vkCmdBindVertexBuffers(d->command, 0, 1, &d->graphics->buffer, &from);
    vkCmdDraw(d->command, draw.vertices, 1, 0, 0);
}

void vk_graphics_issue(struct vk_device *d, const struct spv_case *c)
{
    const bool pixels = has_pixels(c);
    const VkRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea.extent = {pixels ? c->target[0] : 1, pixels ? c->target[1] : 1},
        .layerCount = 1,
    };
    // Vulkan 1.3, or the extension.
    const PFN_vkCmdBeginRendering begin =
        vkCmdBeginRendering ? vkCmdBeginRendering : vkCmdBeginRenderingKHR;
    const PFN_vkCmdEndRendering end = vkCmdEndRendering ? vkCmdEndRendering : vkCmdEndRenderingKHR;
    begin(d->command, &rendering);
    if (pixels)
        draw_cover(d, c);
    else
        vkCmdDraw(d->command, c->target[0], 1, 0, 0);
    end(d->command);
}
