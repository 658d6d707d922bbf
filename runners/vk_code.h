// SPDX-License-Identifier: Apache-2.0
//
// The code that a driver compiled: which of its representations is run, and the machine that runs
// it. Private to the files vk_*.c.
#ifndef TF_RUNNERS_VK_CODE_H
#define TF_RUNNERS_VK_CODE_H

#include "agx/agx.h"
#include "amd/amd.h"
#include "eu/eu.h"
#include "ir3/ir3.h"
#include "isa_answer.h"
#include "nak/nak.h"
#include "nir/nir.h"
#include "qpu/qpu.h"

#include <volk.h>

struct vk_device;
struct vk_stage;
struct run_info;
struct run_result;

// Which code of a driver is run, and what is needed to parse it.
struct vk_code {
    bool nir;               // its last intermediate code
    enum nir_driver driver; // for nir: of this driver
    const char *part;       // the name of its representation; NULL if `printed`
    bool nak;               // else NAK's text
    bool ir3;               // else Turnip's
    bool cached;            // its pipeline cache may be read
    bool was_read;          // it was, for some pipeline
    struct arena room;      // for reading it
    struct amd_abi abi;     // of AMD's code in it
    bool agx;               // else Honeykrisp's
    bool eu;                // else Intel's, of generation `eu_gen`
    enum eu_gen eu_gen;
    struct vk_eu *disassembler;
    bool printed;     // the driver prints it on standard output while it compiles the pipeline
    bool dump;        // it prints its code after each pass: the text replaces driver_text
    char *text;       // code of the last pipeline, from malloc; if `printed`, `eu` or `cached`
    char *dumped;     // what it printed for the last pipeline, from malloc; if `dump`
    enum amd_gen gen; // else AMD's machine code, of this generation
};

enum {
    VENDOR_AMD = 0x1002,
    VENDOR_ARM = 0x13b5,
    VENDOR_BROADCOM = 0x14e4,
    VENDOR_IMAGINATION = 0x1010,
    VENDOR_INTEL = 0x8086,
    VENDOR_MESA = 0x10005,
    VENDOR_NVIDIA = 0x10de,
    VENDOR_QUALCOMM = 0x5143,
};

// A Mesa driver whose last NIR can be run.
struct vk_nir {
    uint32_t vendor;
    const char *name; // prefix of run_info.driver
    enum nir_driver driver;
    const char *part; // the name of its representation; NULL: the driver prints it
};
// NULL with a line: not one of them.
const struct vk_nir *vk_nir_known(const struct run_info *info, struct err *e);

// Fills the rest of *code for a device whose code can be parsed; else false with a line.
bool vk_isa_known(const struct run_info *info, struct vk_code *code, struct err *e);
bool vk_isa_open(struct vk_device *d, struct err *e);
// Called before and after creating a pipeline: captures standard output if d->code.printed, and
// standard error too if d->code.dump.
void vk_isa_listen(struct vk_device *d);
void vk_isa_heard(struct vk_device *d);
// The part of them that captures the streams.
void vk_print_listen(struct vk_device *d);
void vk_print_heard(struct vk_device *d);
void vk_isa_close(struct vk_device *d);
// Intel's generation of a device. False: not known.
bool vk_eu_known(const struct run_info *info, enum eu_gen *gen);
// Loads Intel's disassembler. False: it or the stub of i915 is missing.
bool vk_eu_open(struct vk_device *d, struct err *e);
void vk_eu_close(struct vk_device *d);
// Prints the code of the pipeline that was just made as d->code.text; NULL: there is none.
void vk_eu_heard(struct vk_device *d);
// Makes a pipeline whose code is read from the driver's cache as d->code.text: the driver then
// prints nothing. False, and nothing is made: it must print.
bool vk_cached_make(struct vk_device *d, const VkComputePipelineCreateInfo *info, VkPipeline *out);
// The needs of stages whose code cannot be run.
spv_needs vk_isa_lacks(const struct vk_device *d);
// Returns a pipeline's code, which can be run any number of times. NULL: the reason is in *out.
const struct isa_code *vk_isa_program(struct vk_device *d, struct arena *a, VkPipeline pipeline,
                                      const struct vk_stage *stage, uint32_t size,
                                      struct run_result *out);
// Returns how many descriptors a buffer of the case has in the pipeline's code: isa_options.
uint32_t vk_isa_descriptors(struct vk_device *d, struct arena *a, VkPipeline pipeline,
                            const struct spv_case *c);

#endif
