// SPDX-License-Identifier: Apache-2.0
//
// The Vulkan backend's parts. Private to the files vk_*.c.
//
//   vk_backend.c   target text, drivers' folders, the backend's row
//   vk_instance.c  loader, layers, physical devices
//   vk_features.c  features: what brings which capability (vk_features.def)
//   vk_device.c    features and properties asked for, the device
//   vk_module.c    what a module needs, held against what the device offers
//   vk_stage.c     the stages: how each makes a pipeline and issues its work
//   vk_graphics.c  stages that draw: the vertex shader of fragment cases, the draw
//   vk_pipeline.c  layouts (cached), pipelines
//   vk_image.c     images and samplers: held against the device, the module and the case
//   vk_image_make.c, vk_image_fill.c  made and bound; filled and read back
//   vk_text.c      the driver's own words about a pipeline
//   vk_isa.c       its machine code, run by the machine of backends/isa/
//   vk_run.c       buffers, dispatch, read back
#ifndef TF_RUNNERS_VK_H
#define TF_RUNNERS_VK_H

#include "backend.h"

#include "amd/amd.h"
#include "ir3/ir3.h"
#include "isa_answer.h"
#include "nak/nak.h"
#include "nir/nir.h"

#include <volk.h>

// ---- target text ---------------------------------------------------------------

struct vk_spec {
    const char *driver, *icd, *name; // NULL: not given
    bool has_device;
    uint32_t device;
    uint32_t size; // 0: not given
    const char **env;
    uint32_t env_count;
};
bool vk_spec_read(struct arena *a, const struct run_stage *s, struct vk_spec *out, struct err *e);

// ---- instance -------------------------------------------------------------------

struct vk_instance {
    VkInstance handle;
    VkDebugUtilsMessengerEXT messenger; // with validation only
    VkPhysicalDevice *devices;
    uint32_t device_count;
    char said[400];      // the loader's own first error, one line
    char complaint[500]; // the validation layer's first error since it was cleared, one line
};
// `v` is zeroed and stays where it is: the messenger keeps its address.
bool vk_instance_load(struct vk_instance *v, bool validate, struct err *e);
bool vk_instance_open(struct vk_instance *v, struct arena *a, bool validate, struct err *e);
void vk_instance_close(struct vk_instance *v);
const char *vk_result_name(VkResult r);

// ---- device ---------------------------------------------------------------------

// Every feature that is asked for and, where it is there, switched on.
struct vk_features {
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDeviceVulkan12Features
        core12; // where the device has 1.2; its older structures then ask, and switch on nothing
    VkSubgroupFeatureFlags operations; // in compute shaders
#define STRUCTURE(member, structure, ...) VkPhysicalDevice##structure member;
#include "vk_features.def"
};
// Copies all features that have a row in vk_features.def, and nothing else.
void vk_features_copy(const struct vk_features *from, struct vk_features *to);
// What a device of these features offers, as far as features say it.
spv_needs vk_features_offer(const struct vk_features *f);
// False, with the reason in `why`, where the device does not offer the capability.
bool vk_capability_fits(const struct vk_features *f, uint32_t capability, struct err *why);

// Which code of a driver is run, and what must be known to read it.
struct vk_code {
    bool nir;               // its last intermediate code:
    enum nir_driver driver; // of this driver
    bool nak;               // or else NAK's text,
    bool ir3;               // or else Turnip's,
    bool printed;           // it comes on standard output while the pipeline is made:
    char *said;             // malloc; of the last pipeline
    enum amd_gen gen;       // or else AMD's machine code, of this generation
};

struct vk_device {
    struct vk_instance instance;
    VkPhysicalDevice physical;
    VkDevice handle;
    VkQueue queue;
    uint32_t family;
    struct vk_features features;
    VkPhysicalDeviceLimits limits;
    VkPhysicalDeviceSubgroupSizeControlProperties sizes; // zeros where sizes cannot be required
    VkShaderStageFlags subgroup_stages, quad_stages;     // that have group operations; of quads
    bool any_topology; // one pipeline draws points, lines and triangles
    VkPhysicalDeviceMemoryProperties memory;
    struct run_info info;

    bool compile_only; // makes pipelines, runs nothing
    bool tell;         // answer with the driver's code
    bool isa;          // makes pipelines, and the machine of backends/isa/ runs their code:
    struct vk_code code;
    uint32_t size;                // subgroup size for cases that ask for none; 0: the device's own
    double fence_seconds, waited; // asked for; of the last dispatch, for its stage
    struct run_time spent;        // inside the driver's calls, since somebody set it to 0

    VkCommandPool commands;
    VkCommandBuffer command;
    VkFence fence;
    struct vk_layouts *layouts;
    struct vk_buffers *buffers;
    struct vk_images *images;
    struct vk_graphics *graphics; // NULL before the first graphics pipeline
};
// What a physical device is, whether it can serve or not.
bool vk_device_info(VkPhysicalDevice p, struct run_info *info, struct err *e);
// Makes the device of d->instance that the spec names.
bool vk_device_open(struct vk_device *d, struct arena *a, const struct vk_spec *spec,
                    struct err *e);
void vk_device_close(struct vk_device *d);

// ---- module -----------------------------------------------------------------------

struct vk_binding {
    uint32_t set, binding, count; // descriptors; of a module 0: as many as are bound
    VkDescriptorType type;
    uint32_t image; // of a module: OpTypeImage, or 0
};
// What making a pipeline needs to know of a module.
struct vk_module {
    struct spv_module view;
    const struct vk_stage *stage; // the case's
    const char *entry;            // of the first entry point of that stage
    bool push;                    // it has push constants
    uint32_t binding_count;
    struct vk_binding *bindings;
};
// False, with the reason in `why`, when the device does not offer what the
// module needs or when it is no module at all: it must not reach the driver.
bool vk_module_fits(struct arena *a, const struct vk_device *d, const struct spv_case *c,
                    struct vk_module *m, struct err *why);
// The same for one case of that module: limits, buffers, subgroup size. Gives
// the size of subgroups, the one to require, 0 for none, and whether full subgroups may be asked
// for.
struct vk_shape {
    uint32_t size, require;
    bool full;
};
bool vk_case_fits(const struct vk_device *d, const struct vk_module *m, const struct spv_case *c,
                  uint32_t subgroup, struct vk_shape *shape, struct err *why);

// ---- stages -----------------------------------------------------------------------

// How pipelines of one stage are made and used; a row each (vk_stage.c).
struct vk_stage {
    enum spv_stage stage;
    VkShaderStageFlagBits bit;
    VkPipelineBindPoint point;
    VkPipelineStageFlags at; // where it writes
    const char *call;        // that makes a pipeline
    double patience; // times the fence's time-out: who compiles at the first draw takes longer
    // What the device must have for the case; *shape has size and require, and `full` may be set.
    bool (*fits)(const struct vk_device *d, const struct vk_module *m, const struct spv_case *c,
                 struct vk_shape *shape, struct err *why);
    VkResult (*make)(struct vk_device *d, const struct spv_case *c,
                     const VkPipelineShaderStageCreateInfo *stage, VkPipelineCreateFlags flags,
                     VkPipelineLayout layout, VkPipeline *out);
    // Puts the work into d->command; pipeline and sets are bound.
    void (*issue)(struct vk_device *d, const struct spv_case *c);
    // Does one pipeline serve both, as far as the stage matters?
    bool (*same)(const struct vk_device *d, const struct spv_case *a, const struct spv_case *b);
};
const struct vk_stage *vk_stage_of(const struct spv_case *c);
// Stages that a device lacks, as needs: those without group operations (`subgroups` has the rest);
// if it has no queue that draws, those that draw.
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
    struct vk_binding
        binding[SPV_CASE_BUFFERS + 2 * SPV_CASE_IMAGES]; // the case's buffers, images, samplers
    uint32_t push_bytes;
    uint32_t set_count;
    VkDescriptorSetLayout *set_layout;
    VkPipelineLayout handle;
    VkDescriptorPool pool;
    VkDescriptorSet *set;
    // What the sets name now, so that nothing is written twice.
    VkDescriptorBufferInfo bound[SPV_CASE_BUFFERS];
};

struct vk_layouts *vk_layouts_new(void);
void vk_layouts_free(struct vk_device *d);
// The layout of a case's buffers; cached. NULL: *r says why.
struct vk_layout *vk_layout_get(struct vk_device *d, const struct vk_module *m,
                                const struct spv_case *c, VkResult *r);
// Forgets the buffers that layouts have bound: they are about to be freed.
void vk_layouts_unbind(struct vk_device *d);
VkResult vk_pipeline_make(struct vk_device *d, const struct vk_module *m, const struct spv_case *c,
                          const struct vk_layout *l, struct vk_shape shape, VkShaderModule module,
                          VkPipeline *out);

// What the driver made of it, in its own words: each representation's name and text. None where it
// does not tell. The pipeline was made with d->tell or d->isa.
struct vk_part {
    const char *name, *text; // text: NULL where it is none
};
uint32_t vk_pipeline_parts(struct vk_device *d, struct arena *a, VkPipeline pipeline,
                           struct vk_part **out);
// The same as one text; NULL for none.
// *code: the line of it, counted from 1, at which the machine code begins; 0: it is not there.
#define VK_PART_CODE "Assembly"
const char *vk_pipeline_text(struct vk_device *d, struct arena *a, VkPipeline pipeline,
                             uint32_t *code);

// ---- machine code -----------------------------------------------------------------

// Is this code of the device known? Fills the rest of *code, or is false with a line.
bool vk_isa_known(const struct run_info *info, struct vk_code *code, struct err *e);
bool vk_isa_open(struct vk_device *d, struct err *e);
// Around the making of a pipeline, where d->code.printed: what comes on standard output goes to
// d->code.said.
void vk_isa_listen(struct vk_device *d);
void vk_isa_heard(struct vk_device *d);
// A pipeline's code, to be run any number of times. NULL: *out says why.
const struct isa_code *vk_isa_program(struct vk_device *d, struct arena *a, VkPipeline pipeline,
                                      uint32_t size, struct run_result *out);

// ---- run --------------------------------------------------------------------------

// ---- images -----------------------------------------------------------------------

struct vk_images *vk_images_new(void);
void vk_images_free(struct vk_device *d);
// Has the case any?
bool vk_has_images(const struct spv_case *c);
bool vk_binding_is_buffer(const struct vk_binding *b);
// A variable whose type (of an array: its elements') is opaque; false when it is none that can be
// bound.
bool vk_image_binding(const struct spv_module *m, const struct spv_inst *type,
                      struct vk_binding *out);
// The case's images and samplers as bindings, behind those of its buffers; how many.
uint32_t vk_image_bindings(const struct spv_case *c, struct vk_binding *out);
bool vk_same_images(const struct spv_case *a,
                    const struct spv_case *b);                // do they need the same layout?
VkDescriptorType vk_storage_type(const struct spv_buffer *b); // of a storage image
// Is what the module names bound, of the shape and format that it names, and does the device take
// it?
bool vk_images_fit(const struct vk_device *d, const struct vk_module *m, const struct spv_case *c,
                   struct err *why);
// Before a dispatch: made (buffers are), bound, filled by d->command; and read back by it
// afterwards.
VkResult vk_images_make(struct vk_device *d, const struct spv_case *c);
void vk_images_bind(struct vk_device *d, const struct spv_case *c, const struct vk_layout *l);
void vk_images_before(struct vk_device *d, const struct spv_case *c);
void vk_images_after(struct vk_device *d, const struct spv_case *c);
// A storage image's buffer has two halves: what goes in, and what comes out.
uint32_t vk_image_halves(const struct spv_buffer *b);
uint32_t *vk_image_second(const struct spv_buffer *b,
                          uint32_t *map); // made ready; `map` where there is one half
// After the dispatch: did the sampled images hold what the case says, before it?
bool vk_images_filled(const struct vk_device *d, const struct spv_case *c, struct err *why);

VkBuffer vk_buffer_handle(const struct vk_device *d, uint32_t i); // of the case's buffer i
struct vk_buffers *vk_buffers_new(void);
void vk_buffers_free(struct vk_device *d);
// A buffer of its own memory, mapped. What was made stays for the caller to destroy where it fails.
VkResult vk_memory_make(struct vk_device *d, VkBufferUsageFlags usage, VkDeviceSize size,
                        VkBuffer *buffer, VkDeviceMemory *memory, void **map);
bool vk_run(struct vk_device *d, struct arena *a, const struct run_job *job, struct run_sink *sink);

// Runs a statement that calls the driver; its time counts as the driver's.
#define VK_TIMED(d, statement)                                                                     \
    do {                                                                                           \
        struct run_time vk_begin_ = run_time_now();                                                \
        statement;                                                                                 \
        vk_begin_ = run_time_since(vk_begin_);                                                     \
        (d)->spent.wall += vk_begin_.wall;                                                         \
        (d)->spent.cpu += vk_begin_.cpu;                                                           \
    } while (0)

#endif
