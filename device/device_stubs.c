// SPDX-License-Identifier: Apache-2.0
//
// A device program runs cases. It does not execute machine code (target `isa:`), so it has no
// executors; what a driver prints it captures, but not on Windows.
#include "vk.h"

#ifdef _WIN32
void vk_print_listen(struct vk_device *d)
{
    (void)d;
}

void vk_print_heard(struct vk_device *d)
{
    (void)d;
}
#endif

void vk_isa_listen(struct vk_device *d)
{
    vk_print_listen(d);
}

void vk_isa_heard(struct vk_device *d)
{
    vk_print_heard(d);
}

void vk_isa_close(struct vk_device *d)
{
    (void)d;
}

bool vk_cached_make(struct vk_device *d, const VkComputePipelineCreateInfo *info, VkPipeline *out)
{
    (void)d, (void)info, (void)out;
    return false;
}

const struct isa_code *vk_isa_program(struct vk_device *d, struct arena *a, VkPipeline pipeline,
                                      const struct vk_stage *stage, uint32_t size,
                                      struct run_result *out)
{
    (void)d, (void)a, (void)pipeline, (void)stage, (void)size, (void)out;
    return NULL;
}

uint32_t vk_isa_descriptors(struct vk_device *d, struct arena *a, VkPipeline pipeline,
                            const struct spv_case *c)
{
    (void)d, (void)a, (void)pipeline, (void)c;
    return 0;
}

void isa_answer_places(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                       uint32_t line, uint32_t descriptors, struct run_result *out)
{
    (void)a, (void)code, (void)c, (void)line, (void)descriptors, (void)out;
    CHECK(false);
}
