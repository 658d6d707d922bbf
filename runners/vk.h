// SPDX-License-Identifier: Apache-2.0
//
// The Vulkan backend. Private to the files vk_*.c.
//
//   vk_backend.c   target spec, driver folders, the backend's row
//   vk_loader.c    finds the loader
//   vk_instance.c  layers, physical devices
//   vk_features.c  the features that each capability needs (vk_features.def)
//   vk_device.c    features and properties, the device
//   vk_module.c    checks a module's needs against the device
//   vk_stage.c     the shader stages: creating pipelines, recording the work
//   vk_graphics.c  stages that draw: the vertex shader of fragment cases, the draw
//   vk_pipeline.c  layouts (cached), pipelines
//   vk_image.c     images and samplers: checks against device, module and case
//   vk_image_make.c, vk_image_fill.c  create and bind; fill and read back
//   vk_text.c      the driver's representations of a pipeline
//   vk_isa.c       its machine code, run by the executor in backends/isa/
//   vk_cached.c    the code from the driver's pipeline cache, without its texts
//   vk_nir.c       the Mesa drivers whose NIR can be run
//   vk_far.c       drivers of another architecture, in a process of tanglefuzz-device
//   vk_eu.c        Intel's machine code as text
//   vk_run.c       buffers, dispatch, readback
#ifndef TF_RUNNERS_VK_H
#define TF_RUNNERS_VK_H

#include "backend.h"
#include "vk_code.h"

#include <volk.h>

// ---- target spec ---------------------------------------------------------------

struct vk_spec {
    const char *driver, *icd, *name; // NULL: not given
    bool has_device;
    uint32_t device;
    uint32_t size; // 0: not given
    const char **env;
    uint32_t env_count;
    bool dump; // the driver prints its code after each of its passes
};
bool vk_spec_read(struct arena *a, const struct run_stage *s, struct vk_spec *out, struct err *e);

struct vk_lines {
    const char **v;
    size_t n, cap;
};
// Reads the lines of a small file of a driver's folder that are neither empty nor comments.
bool vk_read_lines(struct arena *a, const char *path, struct vk_lines *out, struct err *e);
// Adds the environment and the prefix that the spec's driver needs.
bool vk_plan_driver(struct arena *a, const struct vk_spec *spec, struct vk_lines *env,
                    struct vk_lines *prefix, struct err *e);
// Adds the variables by which drivers print their code after each pass; each reads its own.
// (vk_dump.c)
void vk_levels_env(struct arena *a, struct vk_lines *env);
// False with the line for a driver that cannot run here; `way`: "isa:" or "isa:nir:".
bool vk_only_compiles(const char *driver, const char *way, struct err *e);

// ---- instance -------------------------------------------------------------------

struct vk_instance {
    VkInstance handle;
    VkDebugUtilsMessengerEXT messenger; // with validation only
    VkPhysicalDevice *devices;
    uint32_t device_count;
    char error[400];     // the loader's first error, one line
    char complaint[500]; // the validation layer's first error since it was cleared, one line
};
// Loads the system's loader, else the one from the environment. It stays loaded. False: there is
// none.
bool vk_loader(void);
// `v` is zeroed and must not move: the messenger keeps its address.
bool vk_instance_load(struct vk_instance *v, bool validate, struct err *e);
bool vk_instance_open(struct vk_instance *v, struct arena *a, bool validate, struct err *e);
void vk_instance_close(struct vk_instance *v);
const char *vk_result_name(VkResult r);

// ---- device ---------------------------------------------------------------------

// All queried features; the supported ones are enabled.
struct vk_features {
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDeviceVulkan12Features
        core12; // for devices with 1.2; their older structures are queried but enable nothing
    VkSubgroupFeatureFlags operations; // in compute shaders
#define STRUCTURE(member, structure, ...) VkPhysicalDevice##structure member;
#include "vk_features.def"
};
// Copies exactly the features that have a row in vk_features.def.
void vk_features_copy(const struct vk_features *from, struct vk_features *to);
// Returns the needs that these features satisfy.
spv_needs vk_features_offer(const struct vk_features *f);
// False, with the reason in `why`, if the device does not offer the capability.
bool vk_capability_fits(const struct vk_features *f, uint32_t capability, struct err *why);

struct vk_device {
    struct vk_instance instance;
    VkPhysicalDevice physical;
    VkDevice handle;
    VkQueue queue;
    uint32_t family;
    struct vk_features features;
    VkPhysicalDeviceLimits limits;
    VkPhysicalDeviceSubgroupSizeControlProperties sizes; // zeros if sizes cannot be required
    VkShaderStageFlags subgroup_stages,
        quad_stages;   // stages with group operations; with quad operations
    bool software;     // it runs on the processors
    bool any_topology; // one pipeline draws points, lines and triangles
    VkPhysicalDeviceMemoryProperties memory;
    struct run_info info;

    bool compile_only;     // creates pipelines, runs nothing
    bool driver_text;      // return the driver's code
    const char *text_part; // only this representation of it; NULL: all of them
    bool isa;              // creates pipelines; the executor in backends/isa/ runs their code
    struct vk_code code;
    uint32_t size; // subgroup size for cases that do not choose one; 0: the device's default
    double fence_seconds,
        waited;            // requested timeout; the last dispatch's, which depends on its stage
    struct run_time spent; // time in driver calls since the last reset

    VkCommandPool commands;
    VkCommandBuffer command;
    VkFence fence;
    struct vk_layouts *layouts;
    struct vk_buffers *buffers;
    struct vk_images *images;
    struct vk_graphics *graphics; // NULL before the first graphics pipeline
    struct vk_rooms *rooms;       // memory for texts of the driver; NULL before the first one
};
// Fills the properties of a physical device, whether it is usable or not.
bool vk_device_info(VkPhysicalDevice p, struct run_info *info, struct err *e);
// Creates the device of d->instance that the spec selects.
bool vk_device_open(struct vk_device *d, struct arena *a, const struct vk_spec *spec,
                    struct err *e);
void vk_device_close(struct vk_device *d);

// ---- module -----------------------------------------------------------------------

struct vk_binding {
    uint32_t set, binding, count; // number of descriptors; in a module 0: as many as are bound
    VkDescriptorType type;
    uint32_t image; // in a module: OpTypeImage, or 0
};
// Properties of a module needed to create a pipeline.
struct vk_module {
    struct spv_module view;
    const struct vk_stage *stage; // the case's
    const char *entry;            // of the first entry point of that stage
    bool push;                    // it has push constants
    uint32_t binding_count;
    struct vk_binding *bindings;
};
// False, with the reason in `why`, if the device does not offer what the module needs or the module
// is malformed: it must not reach the driver.
bool vk_module_fits(struct arena *a, const struct vk_device *d, const struct spv_case *c,
                    struct vk_module *m, struct err *why);
// The same for one case of that module: limits, buffers, subgroup size. Fills *shape: the subgroup
// size, the size to require (0: none), and whether full subgroups may be required.
struct vk_shape {
    uint32_t size, require;
    bool full;
    bool varying; // the driver may choose the size, and the code of `size` lanes is run
};
bool vk_case_fits(const struct vk_device *d, const struct vk_module *m, const struct spv_case *c,
                  uint32_t subgroup, struct vk_shape *shape, struct err *why);

// ---- stages -----------------------------------------------------------------------

// How pipelines of one stage are created and used; one row each (vk_stage.c).
struct vk_stage {
    enum spv_stage stage;
    VkShaderStageFlagBits bit;
    VkPipelineBindPoint point;
    VkPipelineStageFlags at; // the pipeline stage of its writes
    const char *call;        // the function that creates a pipeline
    double patience; // factor for the fence timeout: drivers that compile at the first draw take
                     // longer
    // Checks what the case needs from the device. *shape has size and require; may set `full`.
    bool (*fits)(const struct vk_device *d, const struct vk_module *m, const struct spv_case *c,
                 struct vk_shape *shape, struct err *why);
    VkResult (*make)(struct vk_device *d, const struct spv_case *c,
                     const VkPipelineShaderStageCreateInfo *stage, VkPipelineCreateFlags flags,
                     VkPipelineLayout layout, VkPipeline *out);
    // Records the work into d->command; pipeline and sets are bound.
    void (*issue)(struct vk_device *d, const struct spv_case *c);
    // True if one pipeline serves both cases, as far as the stage matters.
    bool (*same)(const struct vk_device *d, const struct spv_case *a, const struct spv_case *b);
};
const struct vk_stage *vk_stage_of(const struct spv_case *c);
// Returns the stages that a device lacks, as needs: stages without group operations (not in
// `subgroups`), and stages that draw if no queue can draw.
spv_needs vk_stages_lack(VkShaderStageFlags subgroups, bool draws);

bool vk_graphics_fits(const struct vk_device *d, const struct vk_module *m,
                      const struct spv_case *c, struct vk_shape *shape, struct err *why);
VkResult vk_graphics_make(struct vk_device *d, const struct spv_case *c,
                          const VkPipelineShaderStageCreateInfo *stage, VkPipelineCreateFlags flags,
                          VkPipelineLayout layout, VkPipeline *out);
void vk_graphics_issue(struct vk_device *d, const struct spv_case *c);
bool vk_graphics_same(const struct vk_device *d, const struct spv_case *a,
                      const struct spv_case *b);
void vk_graphics_free(struct vk_device *d);

// ---- pipeline ---------------------------------------------------------------------

struct vk_layout {
    VkShaderStageFlagBits stage;
    uint32_t binding_count;
    // The case's buffers, images, samplers.
    struct vk_binding binding[SPV_CASE_BUFFERS + 2 * SPV_CASE_IMAGES];
    uint32_t push_bytes;
    uint32_t set_count;
    VkDescriptorSetLayout *set_layout;
    VkPipelineLayout handle;
    VkDescriptorPool pool;
    VkDescriptorSet *set;
    // The current contents of the sets, so that nothing is written twice.
    VkDescriptorBufferInfo bound[SPV_CASE_BUFFERS];
};

struct vk_layouts *vk_layouts_new(void);
void vk_layouts_free(struct vk_device *d);
// The layout of a case's buffers; cached. NULL: the reason is in *r.
struct vk_layout *vk_layout_get(struct vk_device *d, const struct vk_module *m,
                                const struct spv_case *c, VkResult *r);
// Forgets the buffers bound in layouts, because they are about to be freed.
void vk_layouts_unbind(struct vk_device *d);
VkResult vk_pipeline_make(struct vk_device *d, const struct vk_module *m, const struct spv_case *c,
                          const struct vk_layout *l, struct vk_shape shape, VkShaderModule module,
                          VkPipeline *out);

// What the driver produced for a pipeline, as it prints it: name and text of each representation.
// None if the driver does not print any. The pipeline was created to capture them. `most`: only the
// first ones of each executable, or more; 0: all. The driver may print the others only on demand.
struct vk_part {
    const char *name, *text;   // text: NULL if it is not text
    VkShaderStageFlags stages; // that its executable is for, with subgroups of `size`
    uint32_t size;
};
uint32_t vk_pipeline_parts(struct vk_device *d, struct arena *a, VkPipeline pipeline, uint32_t most,
                           struct vk_part **out);
void vk_rooms_free(struct vk_device *d); // where they were written
// Keeps those of one stage and subgroup size, in order; returns their number. A pipeline that draws
// has those of several.
uint32_t vk_parts_of(struct vk_part *part, uint32_t n, VkShaderStageFlags stage, uint32_t size);
// The text of the representation of this name; NULL: none.
const char *vk_part_of(const struct vk_part *part, uint32_t n, const char *name);
// All of them as one text (d->text_part: that one), or what the driver printed if d->code.dump;
// NULL for none. *code: the line (from 1) at which the machine code begins; 0: it has none.
#define VK_PART_CODE "Assembly"
const char *vk_pipeline_text(struct vk_device *d, struct arena *a, VkPipeline pipeline,
                             uint32_t *code);

// True if the code of this stage can be run, with any of the device's subgroup sizes: the machine
// takes the variant that it is asked for.
static inline bool vk_isa_draws(const struct vk_device *d, const struct spv_stage_row *row)
{
    return d->isa && d->code.eu && row->has_pixels;
}

// ---- images -----------------------------------------------------------------------

struct vk_images *vk_images_new(void);
void vk_images_free(struct vk_device *d);
// True if the case has images or samplers.
bool vk_has_images(const struct spv_case *c);
bool vk_binding_is_buffer(const struct vk_binding *b);
// Fills a binding for a variable of opaque type (or an array of one). False if it cannot be bound.
bool vk_image_binding(const struct spv_module *m, const struct spv_inst *type,
                      struct vk_binding *out);
// Writes the case's images and samplers as bindings, to follow those of its buffers. Returns the
// number.
uint32_t vk_image_bindings(const struct spv_case *c, struct vk_binding *out);
bool vk_same_images(const struct spv_case *a,
                    const struct spv_case *b);                // the same layout serves both
VkDescriptorType vk_storage_type(const struct spv_buffer *b); // of a storage image
// True if everything that the module declares is bound with the declared shape and format and is
// supported by the device.
bool vk_images_fit(const struct vk_device *d, const struct vk_module *m, const struct spv_case *c,
                   struct err *why);
// Before a dispatch: create (after the buffers), bind, and record the fill into d->command; after
// it: record the readback.
VkResult vk_images_make(struct vk_device *d, const struct spv_case *c);
void vk_images_bind(struct vk_device *d, const struct spv_case *c, const struct vk_layout *l);
void vk_images_before(struct vk_device *d, const struct spv_case *c);
void vk_images_after(struct vk_device *d, const struct spv_case *c);
// A storage image's buffer has two halves: input and output.
uint32_t vk_image_halves(const struct spv_buffer *b);
uint32_t *vk_image_second(const struct spv_buffer *b,
                          uint32_t *map); // prepared; `map` if there is one half
// After the dispatch: false if the sampled images did not hold the case's values before it.
bool vk_images_filled(const struct vk_device *d, const struct spv_case *c, struct err *why);

// ---- run --------------------------------------------------------------------------

VkBuffer vk_buffer_handle(const struct vk_device *d, uint32_t i); // of the case's buffer i
struct vk_buffers *vk_buffers_new(void);
void vk_buffers_free(struct vk_device *d);
// Creates a buffer with its own memory, mapped. On failure the caller destroys the objects created
// so far.
VkResult vk_memory_make(struct vk_device *d, VkBufferUsageFlags usage, VkDeviceSize size,
                        VkBuffer *buffer, VkDeviceMemory *memory, void **map);
bool vk_run(struct vk_device *d, struct arena *a, const struct run_job *job, struct run_sink *sink);

// Runs a statement that calls the driver, and counts its time as the driver's.
#define VK_TIMED(d, statement)                                                                     \
    do {                                                                                           \
        struct run_time vk_begin_ = run_time_now();                                                \
        statement;                                                                                 \
        vk_begin_ = run_time_since(vk_begin_);                                                     \
        (d)->spent.wall += vk_begin_.wall;                                                         \
        (d)->spent.cpu += vk_begin_.cpu;                                                           \
    } while (0)

#endif
