// SPDX-License-Identifier: Apache-2.0
//
// Runs one job on the device: fills the buffers, dispatches, waits, and returns the buffers'
// contents.
//
// Buffers are host-visible and stay mapped; they are reused from case to case and grow. Every wait
// has a timeout: after a hang or a lost device the process exits, and the driver with it.
#include "timeout.h"
#include "vk.h"

#include <stdlib.h>
#include <string.h>

// ---- buffers -------------------------------------------------------------------

struct vk_buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    uint32_t *map;
    VkDeviceSize size; // bytes, a power of two
};

struct vk_buffers {
    struct vk_buffer v[SPV_CASE_BUFFERS];
};

enum { BUFFER_LEAST = 4096 };

struct vk_buffers *vk_buffers_new(void)
{
    struct vk_buffers *b = mem_new(sizeof *b);
    return b;
}

static void buffer_free(struct vk_device *d, struct vk_buffer *b)
{
    if (b->handle)
        vkDestroyBuffer(d->handle, b->handle, NULL);
    if (b->memory)
        vkFreeMemory(d->handle, b->memory, NULL);
    *b = (struct vk_buffer){0};
}

void vk_buffers_free(struct vk_device *d)
{
    for (size_t i = 0; d->buffers && i < SPV_CASE_BUFFERS; i++)
        buffer_free(d, &d->buffers->v[i]);
    free(d->buffers);
    d->buffers = NULL;
}

// Chooses coherent memory, cached if possible, because it is read as often as it is written.
static bool memory_type(const struct vk_device *d, uint32_t bits, uint32_t *type)
{
    const VkMemoryPropertyFlags need =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkMemoryPropertyFlags wish[] = {need | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, need};
    for (size_t w = 0; w < 2; w++)
        for (*type = 0; *type < d->memory.memoryTypeCount; ++*type)
            if ((bits >> *type & 1) &&
                (d->memory.memoryTypes[*type].propertyFlags & wish[w]) == wish[w])
                return true;
    return false;
}

VkResult vk_memory_make(struct vk_device *d, VkBufferUsageFlags usage, VkDeviceSize size,
                        VkBuffer *buffer, VkDeviceMemory *memory, void **map)
{
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size,
        .usage = usage,
    };
    VkResult r = vkCreateBuffer(d->handle, &info, NULL, buffer);
    if (r != VK_SUCCESS)
        return r;
    VkMemoryRequirements need;
    vkGetBufferMemoryRequirements(d->handle, *buffer, &need);
    VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = need.size,
    };
    if (!memory_type(d, need.memoryTypeBits, &allocate.memoryTypeIndex))
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    r = vkAllocateMemory(d->handle, &allocate, NULL, memory);
    if (r == VK_SUCCESS)
        r = vkBindBufferMemory(d->handle, *buffer, *memory, 0);
    if (r == VK_SUCCESS)
        r = vkMapMemory(d->handle, *memory, 0, VK_WHOLE_SIZE, 0, map);
    return r;
}

static VkResult buffer_make(struct vk_device *d, struct vk_buffer *b, VkDeviceSize size)
{
    void *map = NULL;
    const VkResult r =
        vk_memory_make(d,
                       VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                           VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
                           VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                       size, &b->handle, &b->memory, &map);
    b->map = map;
    b->size = size;
    return r;
}

static VkResult buffer_room(struct vk_device *d, struct vk_buffer *b, VkDeviceSize need)
{
    if (b->size >= need)
        return VK_SUCCESS;
    VkDeviceSize size = BUFFER_LEAST;
    while (size < need)
        size *= 2;
    VkResult r;
    vk_layouts_unbind(d);
    VK_TIMED(d, buffer_free(d, b));
    VK_TIMED(d, r = buffer_make(d, b, size));
    if (r != VK_SUCCESS)
        buffer_free(d, b);
    return r;
}

// ---- one dispatch ----------------------------------------------------------------

VkBuffer vk_buffer_handle(const struct vk_device *d, uint32_t i)
{
    return d->buffers->v[i].handle;
}

static void bind_buffers(struct vk_device *d, const struct spv_case *c, struct vk_layout *l)
{
    VkWriteDescriptorSet writes[SPV_CASE_BUFFERS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        VkDescriptorBufferInfo now = {// OpArrayLength returns this range.
                                      d->buffers->v[i].handle, 0,
                                      c->buffer[i].count * sizeof(uint32_t)};
        VkDescriptorBufferInfo *bound = &l->bound[i];
        if ((bound->buffer == now.buffer && bound->range == now.range) || c->buffer[i].image.count)
            continue;
        *bound = now;
        writes[n++] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = l->set[l->binding[i].set],
            .dstBinding = l->binding[i].binding,
            .descriptorCount = 1,
            .descriptorType = l->binding[i].type,
            .pBufferInfo = bound,
        };
    }
    if (n)
        vkUpdateDescriptorSets(d->handle, n, writes, 0, NULL);
}

static VkResult record(struct vk_device *d, const struct spv_case *c, const struct vk_layout *l,
                       VkPipeline pipeline)
{
    const struct vk_stage *stage = vk_stage_of(c);
    VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    VkResult r = vkBeginCommandBuffer(d->command, &begin);
    if (r != VK_SUCCESS)
        return r;
    vk_images_before(d, c);
    vkCmdBindPipeline(d->command, stage->point, pipeline);
    if (l->set_count)
        vkCmdBindDescriptorSets(d->command, stage->point, l->handle, 0, l->set_count, l->set, 0,
                                NULL);
    if (l->push_bytes) {
        // Words that the case does not have are undefined; zeros will do.
        uint32_t push[SPV_CASE_PUSH] = {0};
        memcpy(push, c->push, c->push_count * sizeof(uint32_t));
        vkCmdPushConstants(d->command, l->handle, l->stage, 0, l->push_bytes, push);
    }
    stage->issue(d, c);
    VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_HOST_READ_BIT,
    };
    vkCmdPipelineBarrier(d->command, stage->at, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL,
                         0, NULL);
    vk_images_after(d, c);
    return vkEndCommandBuffer(d->command);
}

// Waits for the fence. For a software device, CPU time that this process lacked does not count; a
// GPU's limit is wall time, however busy the processors are.
static VkResult wait_for_fence(const struct vk_device *d)
{
    struct timeout timeout;
    struct contain_processors has = {0};
    double now = now_seconds();
    VkResult r;
    timeout_begin(&timeout, d->waited, now);
    do {
        r = vkWaitForFences(d->handle, 1, &d->fence, VK_TRUE,
                            (uint64_t)((timeout.next - now) * 1e9));
        now = now_seconds();
        if (d->software && now >= timeout.next)
            has = contain_own();
    } while (r == VK_TIMEOUT && (now < timeout.next || !timeout_over(&timeout, now, has)));
    return r;
}

static VkResult dispatch(struct vk_device *d, const struct spv_case *c, struct vk_layout *l,
                         VkPipeline pipeline)
{
    bind_buffers(d, c, l);
    if (vk_has_images(c))
        vk_images_bind(d, c, l);
    d->waited = d->fence_seconds * vk_stage_of(c)->patience;
    VkResult r = record(d, c, l, pipeline);
    VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &d->command,
    };
    if (r == VK_SUCCESS)
        r = vkResetFences(d->handle, 1, &d->fence);
    if (r == VK_SUCCESS)
        r = vkQueueSubmit(d->queue, 1, &submit, d->fence);
    return r == VK_SUCCESS ? wait_for_fence(d) : r;
}

// ---- one job ------------------------------------------------------------------------

// A pipeline and the cases that share it.
struct made {
    VkPipeline pipeline;
    struct vk_layout *layout;
    struct vk_shape shape;
    const struct isa_code *code;     // the pipeline's code, once requested
    const struct spv_case *made_for; // NULL: not created yet
    struct run_result how;           // result of creating it: RUN_OK, or the result to report
};

// State shared by the cases of a job. A few pipelines are kept, since cases may alternate between
// points, lines and triangles.
enum { PIPELINES = 3 };
struct running {
    VkShaderModule module;
    struct made made[PIPELINES];
    uint32_t count; // number of pipelines created so far
};

static void refuse(struct vk_device *d, struct run_result *out, const char *call, VkResult r)
{
    switch (r) {
    case VK_ERROR_DEVICE_LOST:
        out->status = RUN_DEVICE_LOST;
        break;
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_FRAGMENTED_POOL:
    case VK_ERROR_MEMORY_MAP_FAILED:
        out->status = RUN_FAILED;
        break;
    case VK_TIMEOUT:
        out->status = RUN_HUNG;
        snprintf(out->text, sizeof out->text, "the dispatch did not finish within %g seconds",
                 d->waited);
        return;
    default:
        out->status = RUN_REJECTED;
    }
    snprintf(out->text, sizeof out->text, "%s: %s (%d)", call, vk_result_name(r), (int)r);
}

// True with *out filled if the validation layer reported an error since the last call.
static bool complained(struct vk_device *d, struct run_result *out)
{
    if (!d->instance.complaint[0])
        return false;
    out->status = RUN_REJECTED;
    snprintf(out->text, sizeof out->text, "validation layer: %s", d->instance.complaint);
    d->instance.complaint[0] = 0;
    return true;
}

static bool same_pipeline(const struct vk_device *d, const struct made *made,
                          const struct spv_case *c, struct vk_shape shape)
{
    const struct spv_case *b = made->made_for;
    if (!b || shape.require != made->shape.require || shape.full != made->shape.full ||
        (shape.varying && shape.size != made->shape.size) || c->spec_count != b->spec_count ||
        c->buffer_count != b->buffer_count || c->stage != b->stage ||
        !vk_stage_of(c)->same(d, b, c))
        return false;
    for (uint32_t i = 0; i < c->spec_count; i++)
        if (c->spec[i].id != b->spec[i].id || c->spec[i].value != b->spec[i].value)
            return false;
    for (uint32_t i = 0; i < c->buffer_count; i++)
        if (c->buffer[i].set != b->buffer[i].set || c->buffer[i].binding != b->buffer[i].binding)
            return false;
    return vk_same_images(b, c);
}

static void make_pipeline(struct vk_device *d, const struct vk_module *m, struct running *run,
                          struct made *out, const struct spv_case *c, struct vk_shape shape)
{
    if (out->pipeline)
        VK_TIMED(d, vkDestroyPipeline(d->handle, out->pipeline, NULL));
    *out = (struct made){.made_for = c, .shape = shape, .how.status = RUN_OK};
    VkResult r = VK_SUCCESS;
    if (!run->module) {
        VkShaderModuleCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
            .codeSize = c->count * sizeof(uint32_t),
            .pCode = c->words,
        };
        VK_TIMED(d, r = vkCreateShaderModule(d->handle, &info, NULL, &run->module));
        if (r != VK_SUCCESS)
            refuse(d, &out->how, "vkCreateShaderModule", r);
    }
    if (out->how.status == RUN_OK) {
        out->layout = vk_layout_get(d, m, c, &r);
        if (!out->layout)
            refuse(d, &out->how, "vkCreatePipelineLayout", r);
    }
    if (out->how.status == RUN_OK) {
        r = vk_pipeline_make(d, m, c, out->layout, shape, run->module, &out->pipeline);
        if (r != VK_SUCCESS)
            refuse(d, &out->how, m->stage->call, r);
    }
    complained(d, &out->how);
}

// Returns the pipeline for a case: an existing one, or a new one that replaces the oldest.
static struct made *pipeline_for(struct vk_device *d, const struct vk_module *m,
                                 struct running *run, const struct spv_case *c,
                                 struct vk_shape shape)
{
    VkResult r = VK_SUCCESS;
    for (uint32_t k = 0; k < PIPELINES; k++) {
        struct made *kept = &run->made[k];
        if (!same_pipeline(d, kept, c, shape))
            continue;
        if (kept->how.status == RUN_OK &&
            !(kept->layout = vk_layout_get(d, m, c, &r))) // the layout may have been dropped
            refuse(d, &kept->how, "vkCreatePipelineLayout", r);
        return kept;
    }
    struct made *out = &run->made[run->count++ % PIPELINES];
    make_pipeline(d, m, run, out, c, shape);
    return out;
}

static void run_one(struct vk_device *d, const struct made *run, const struct spv_case *c,
                    struct spv_memory *memory, struct run_result *out)
{
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        size_t bytes = c->buffer[i].count * sizeof(uint32_t);
        struct vk_buffer *b = &d->buffers->v[i];
        VkResult r = buffer_room(d, b, bytes * vk_image_halves(&c->buffer[i]));
        if (r != VK_SUCCESS) {
            refuse(d, out, "vkAllocateMemory", r);
            return;
        }
        if (c->buffer[i].fill == SPV_FILL_ZERO)
            memset(b->map, 0, bytes);
        else
            memcpy(b->map, c->buffer[i].words, bytes);
        memory[i] = (struct spv_memory){.set = c->buffer[i].set,
                                        .binding = c->buffer[i].binding,
                                        .count = c->buffer[i].count,
                                        .words = vk_image_second(&c->buffer[i], b->map)};
    }
    VkResult r;
    struct err why;
    VK_TIMED(d, r = vk_images_make(d, c));
    if (r != VK_SUCCESS) {
        refuse(d, out, "vkCreateImage", r);
        return;
    }
    VK_TIMED(d, r = dispatch(d, c, run->layout, run->pipeline));
    if (r != VK_SUCCESS) {
        refuse(d, out, "vkQueueSubmit", r);
    } else if (!vk_images_filled(d, c, &why)) {
        out->status = RUN_FAILED;
        snprintf(out->text, sizeof out->text, "%.590s", why.msg);
    } else if (!complained(d, out)) {
        out->status = RUN_OK;
        out->form = RUN_FORM_MEMORY;
        out->memory = memory;
        out->memory_count = c->buffer_count;
    }
}

// lavapipe prints its code when it first runs it.
static void run_here(struct vk_device *d, const struct made *run, const struct spv_case *c,
                     struct spv_memory *memory, struct run_result *out)
{
    if (d->software)
        vk_isa_listen(d);
    run_one(d, run, c, memory, out);
    if (d->software)
        vk_isa_heard(d);
}

static void run_code(struct vk_device *d, struct arena *a, struct made *run,
                     const struct spv_case *c, struct run_result *out)
{
    uint32_t code = 0;
    if (d->driver_text)
        VK_TIMED(d, out->driver_text = vk_pipeline_text(d, a, run->pipeline, &code));
    if (!run->code)
        run->code = vk_isa_program(d, a, run->pipeline, vk_stage_of(c), run->shape.size, out);
    if (!run->code)
        run->how = *out; // the text may be another pipeline's when a case comes back to this one
    if (run->code)
        isa_answer_places(a, run->code, c, code, vk_isa_descriptors(d, a, run->pipeline, c), out);
}

static void answer(struct vk_device *d, struct run_sink *sink, struct run_result *r)
{
    run_time_add(r, d->spent);
    d->spent = (struct run_time){0};
    sink->result(sink, r);
}

bool vk_run(struct vk_device *d, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    struct err why = {0};
    struct vk_module m;
    struct running run = {0};
    struct spv_memory memory[SPV_CASE_BUFFERS];
    bool fits = vk_module_fits(a, d, &job->cases[0], &m, &why);
    d->spent = (struct run_time){0};
    d->instance.complaint[0] = 0;
    for (uint32_t i = 0; i < job->n; i++) {
        const struct spv_case *c = &job->cases[i];
        struct run_result r = {.status = RUN_SKIPPED};
        struct vk_shape shape;
        struct made *made;
        uint32_t code;
        if (fits && vk_case_fits(d, &m, c, job->subgroup, &shape, &why)) {
            made = pipeline_for(d, &m, &run, c, shape);
            if (made->how.status != RUN_OK) {
                r = made->how;
                r.driver_text = d->code.dumped ? arena_str(a, d->code.dumped) : NULL;
            } else if (d->compile_only)
                r.status = RUN_COMPILED;
            else if (d->isa)
                run_code(d, a, made, c, &r);
            else
                run_here(d, made, c, memory, &r);
            if (made->pipeline && d->driver_text && !r.driver_text)
                VK_TIMED(d, r.driver_text = vk_pipeline_text(d, a, made->pipeline, &code));
        } else {
            snprintf(r.text, sizeof r.text, "%.590s", why.msg);
        }
        answer(d, sink, &r);
        if (!d->isa && (r.status == RUN_HUNG || r.status == RUN_DEVICE_LOST))
            return false;
    }
    for (uint32_t k = 0; k < PIPELINES; k++)
        if (run.made[k].pipeline)
            VK_TIMED(d, vkDestroyPipeline(d->handle, run.made[k].pipeline, NULL));
    if (run.module)
        VK_TIMED(d, vkDestroyShaderModule(d->handle, run.module, NULL));
    sink->late = d->spent;
    return true;
}
