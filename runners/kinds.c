// SPDX-License-Identifier: Apache-2.0
//
// The table of kinds: all properties of each kind of target. To add one: a file with a `struct
// run_backend`, its row here, its row in docs/targets.md.
#include "backend.h"

#include <string.h>

extern const struct run_backend opt_backend, spirv_as_backend, exec_backend, exec_server_backend,
    device_backend, device_server_backend, roundtrip_backend, llvm_backend, clang_backend,
    glslang_backend, glslang_hlsl_backend, naga_backend, tint_backend, dawn_backend,
    naga_tint_backend, ptx_backend, ptxas_backend, ocloc_backend, opencl_backend, own_backend,
    fault_backend, link_backend;

// Features that HLSL and GLSL cannot express, or that are not printed.
#define NOT_IN_TEXT                                                                                \
    (SPV_NEED(PARTITIONED) | SPV_NEED(ROTATE) | SPV_NEED(ROTATE_CLUSTERED) | SPV_NEED(INT8) |      \
     SPV_NEED(INT16) | SPV_NEED(INT64) | SPV_NEED(FLOAT16) | SPV_NEED(FLOAT32) |                   \
     SPV_NEED(FLOAT64) | SPV_NEED(VECTORS) | SPV_NEED(BOOLS) | SPV_NEED(SHARED) |                  \
     SPV_NEED(ATOMIC) | SPV_NEED(BUFFER_BARRIER) | SPV_NEEDS_OF_DRAWS | SPV_NEED(LANE_VALUE))
// Features that only GLSL can express.
#define NO_IMAGES (SPV_NEED(DERIVATIVES) | SPV_NEED(DERIVATIVE_QUADS) | SPV_NEED(IMAGES))
#define NOT_IN_HLSL                                                                                \
    (NOT_IN_TEXT | NO_IMAGES | SPV_NEED(MORE_ARITHMETIC) | SPV_NEED(CLUSTERED) | SPV_NEED(QUAD))
#define NOT_IN_LLVM (NOT_IN_HLSL | SPV_NEED(QUAD_CONTROL))

#define NOT_IN_WGSL                                                                                \
    (NOT_IN_TEXT | NO_IMAGES | SPV_NEED(MORE_ARITHMETIC) | SPV_NEED(CLUSTERED) |                   \
     SPV_NEED(QUAD_CONTROL) | SPV_NEED(FALL_THROUGH))
// OpenCL C has no quads; the rotation of Khronos' extension is missing in compilers.
#define NOT_IN_OPENCL                                                                              \
    (NOT_IN_TEXT | NO_IMAGES | SPV_NEED(QUAD) | SPV_NEED(QUAD_CONTROL) | SPV_NEED(DEMOTE))
// Features that naga rejects; barriers, whose memory semantics it drops; and scans other than sums
// and products, which it cannot express.
#define NOT_IN_NAGA                                                                                \
    (SPV_NEED(BASIC) | SPV_NEED(BALLOT_LOOKS) | SPV_NEED(QUAD) | SPV_NEED(QUAD_CONTROL) |          \
     SPV_NEED(CLUSTERED) | SPV_NEED(ROTATE) | SPV_NEED(ROTATE_CLUSTERED) | SPV_NEED(PARTITIONED) | \
     SPV_NEED(INT8) | SPV_NEED(INT16) | SPV_NEED(INT64) | SPV_NEED(BOOLS) |                        \
     SPV_NEED(MORE_ARITHMETIC) | SPV_NEED(SHARED) | SPV_NEED(BUFFER_BARRIER) |                     \
     SPV_NEED(DERIVATIVES) | SPV_NEED(DERIVATIVE_QUADS) | SPV_NEEDS_OF_DRAWS | SPV_NEED(IMAGES) |  \
     SPV_NEED(LANE_VALUE))

static struct run_kind rows[] = {
    {.name = "vulkan",
     .syntax = "vulkan[:driver=NAME|icd=FILE][,device=N|name=TEXT][,size=S][,env=KEY=VALUE]...",
     .summary = "runs the case on a Vulkan device",
     .backend = &vk_backend,
     .form = RUN_FORM_MEMORY,
     .maps_lanes = true,
     .attribution = RUN_BY_DRIVER,
     .check = true,
     .isa = true,
     .nir = true,
     .replay = {"driver", "device", "name", "size"},
     .replay_must = "driver"},
    {.name = "check",
     .syntax = "check:vulkan[:OPTIONS]|check:llvm[:cpu=gfx...|sm_...][,OPTIONS]",
     .summary = "compiles, runs nothing: finds crashes, hangs and rejections of a compiler"},
    {.name = "isa",
     .syntax =
         "isa:vulkan:driver=radv|nvk|turnip|anv|honeykrisp|v3dv[,env=KEY=VALUE][,OPTIONS]|isa:llvm:"
         "cpu=gfx1100[,code=FILE][,OPTIONS]",
     .summary = "compiles for a GPU that is not installed, and runs the machine code; code=FILE: "
                "runs that assembly in its place"},
    {.name = "isa:nir",
     .syntax = "isa:nir:vulkan:driver=turnip|radv|nvk|honeykrisp|anv|panvk|v3dv|powervr[,OPTIONS]",
     .summary = "compiles for a GPU that is not installed, and runs Mesa's last intermediate code"},
    {.name = "spirv-opt",
     .syntax = "spirv-opt[:-O|-Os|--PASS][,--PASS]...|spirv-opt:random",
     .summary = "optimises the module with SPIRV-Tools; the oracle runs the output",
     .backend = &opt_backend,
     .form = RUN_FORM_SPIRV,
     .passes = RUN_PASSES_WORDS,
     .replay = {""}},
    {.name = "spirv-as",
     .syntax = "spirv-as",
     .summary = "SPIR-V to assembly and back by SPIRV-Tools; the oracle runs the output",
     .backend = &spirv_as_backend,
     .form = RUN_FORM_SPIRV,
     .replay = {""}},
    {.name = "exec-compiler",
     .syntax = "exec-compiler:COMMAND {in} {out}",
     .summary = "a command produces another module; the oracle runs the output",
     .backend = &exec_backend,
     .form = RUN_FORM_SPIRV,
     .options = RUN_SYNTAX_COMMAND,
     .attribution = RUN_BY_PROGRAM,
     .passes = RUN_PASSES_COMMAND},
    {.name = "exec-device",
     .syntax = "exec-device:COMMAND {case} {out}",
     .summary = "a command runs the case and reports the memory afterwards",
     .backend = &device_backend,
     .form = RUN_FORM_MEMORY,
     .maps_lanes = true,
     .options = RUN_SYNTAX_COMMAND,
     .attribution = RUN_BY_PROGRAM},
    {.name = "exec-compiler-server",
     .syntax = "exec-compiler-server:COMMAND",
     .summary =
         "a command that keeps running produces modules: one line per job on its standard input",
     .backend = &exec_server_backend,
     .form = RUN_FORM_SPIRV,
     .options = RUN_SYNTAX_COMMAND,
     .attribution = RUN_BY_PROGRAM},
    {.name = "exec-device-server",
     .syntax = "exec-device-server:COMMAND",
     .summary = "a command that keeps running runs cases: one line per job on its standard input",
     .backend = &device_server_backend,
     .form = RUN_FORM_MEMORY,
     .maps_lanes = true,
     .options = RUN_SYNTAX_COMMAND,
     .attribution = RUN_BY_PROGRAM},
    {.name = "device",
     .syntax = "device:COMMAND|device:tcp=HOST:PORT",
     .summary = "runs the case on the Vulkan device of another machine, by tanglefuzz-device there",
     .backend = &link_backend,
     .form = RUN_FORM_MEMORY,
     .maps_lanes = true,
     .options = RUN_SYNTAX_COMMAND,
     .attribution = RUN_BY_DRIVER},
    {.name = "roundtrip",
     .syntax = "roundtrip:spirv-cross[,force-temporary][,tools=NAME]",
     .summary = "SPIR-V to GLSL by spirv-cross and back by glslang; the oracle runs the output",
     .backend = &roundtrip_backend,
     .form = RUN_FORM_SPIRV,
     // GLSL's barrier() orders only shared memory. For a control barrier over buffers spirv-cross
     // writes groupMemoryBarrier() before it: a release without an acquire, so a race. It also
     // drops the execution mode of derivative groups, and so the assignment of quads.
     .without = SPV_NEED(BUFFER_BARRIER) | SPV_NEED(DERIVATIVES) | SPV_NEED(DERIVATIVE_QUADS) |
                SPV_NEEDS_OF_DRAWS,
     .replay = {"", "tools"}},
    {.name = "llvm",
     .syntax =
         "llvm[:passes=PIPELINE][,level=0..3][,version=N][,limit=N][,judge=ir][,llc=-OPTION]...",
     .summary = "prints the module as LLVM IR; the oracle runs LLVM's output",
     .backend = &llvm_backend,
     .form = RUN_FORM_SPIRV,
     .options = RUN_SYNTAX_PIPELINE,
     .passes = RUN_PASSES_PIPELINE,
     .check = true,
     .isa = true,
     .many_inputs = true,
     .without = NOT_IN_LLVM,
     .replay = {"passes", "level", "version", "limit", "judge", "fork", "size", "cpu"}},
    {.name = "clang-hlsl",
     .syntax = "clang-hlsl[:-O1|-O2|-O3]",
     .summary = "prints the module as HLSL; the oracle runs clang's output",
     .backend = &clang_backend,
     .form = RUN_FORM_SPIRV,
     .passes = RUN_PASSES_LIMIT,
     .without = NOT_IN_HLSL,
     .replay = {"", "limit"}},
    {.name = "glslang",
     .syntax = "glslang[:-Os]",
     .summary = "prints the module as GLSL; the oracle runs glslang's output",
     .backend = &glslang_backend,
     .form = RUN_FORM_SPIRV,
     .without = NOT_IN_TEXT,
     .replay = {""}},
    {.name = "glslang-hlsl",
     .syntax = "glslang-hlsl[:-Os]",
     .summary = "prints the module as plain HLSL; the oracle runs glslang's output",
     .backend = &glslang_hlsl_backend,
     .form = RUN_FORM_SPIRV,
     .without = NOT_IN_HLSL,
     .replay = {""}},
    {.name = "naga",
     .syntax = "naga[:wgsl|:from-wgsl]",
     .summary = "naga reads SPIR-V or WGSL and writes SPIR-V; the oracle runs the output",
     .backend = &naga_backend,
     .form = RUN_FORM_SPIRV,
     .without = NOT_IN_NAGA,
     .replay = {""}},
    {.name = "tint",
     .syntax = "tint[:driver=NAME|icd=FILE][,env=KEY=VALUE]...",
     .summary = "prints the module as WGSL; the oracle runs Tint's output for a driver",
     .backend = &tint_backend,
     .form = RUN_FORM_SPIRV,
     .without = NOT_IN_WGSL,
     .replay = {"driver"}},
    {.name = "roundtrip:naga-tint",
     .syntax = "roundtrip:naga-tint[:as-written][,driver=NAME|icd=FILE][,env=KEY=VALUE]...",
     .summary = "SPIR-V to WGSL by naga and back by Tint; the oracle runs the output",
     .backend = &naga_tint_backend,
     .form = RUN_FORM_SPIRV,
     // naga writes these in WGSL, but they need a Dawn feature that is not enabled.
     .without = NOT_IN_NAGA | SPV_NEED(FALL_THROUGH) | SPV_NEED(FLOAT16) | SPV_NEED(FLOAT64),
     .replay = {"", "driver"}},
    {.name = "dawn",
     .syntax = "dawn[:driver=NAME|icd=FILE][,env=KEY=VALUE]...",
     .summary = "prints the module as WGSL; Dawn runs it on a Vulkan driver",
     .backend = &dawn_backend,
     .form = RUN_FORM_MEMORY,
     .maps_lanes = true,
     .many_inputs = true,
     .attribution = RUN_BY_KIND,
     .without = NOT_IN_WGSL,
     .replay = {"driver"},
     .replay_must = "driver"},
    {.name = "ocloc",
     .syntax = "isa:ocloc:device=dg2|mtl|arl|pvc|bmg|lnl|ptl|wcl",
     .summary = "prints the module as OpenCL C; IGC compiles it, and its machine code is run",
     .backend = &ocloc_backend,
     .form = RUN_FORM_MEMORY,
     .maps_lanes = true,
     .attribution = RUN_BY_KIND,
     .check = true,
     .isa = true,
     .without = NOT_IN_OPENCL,
     .replay = {"device"}},
    {.name = "opencl",
     .syntax = "opencl[:driver=NAME|icd=FILE][,device=N|name=TEXT][,env=KEY=VALUE]...",
     .summary = "prints the module as OpenCL C; an OpenCL device compiles and runs it",
     .backend = &opencl_backend,
     .form = RUN_FORM_MEMORY,
     .maps_lanes = true,
     .attribution = RUN_BY_DRIVER,
     .check = true,
     .without = NOT_IN_OPENCL,
     .replay = {"driver", "device", "name"},
     .replay_must = "driver"},
    {.name = "ptx",
     .syntax = "isa:ptx[:sm=N]",
     .summary = "prints the module as PTX with masks that it computes, and runs that",
     .backend = &ptx_backend,
     .form = RUN_FORM_MEMORY,
     .maps_lanes = true,
     .attribution = RUN_BY_KIND,
     .isa = true,
     .without = NOT_IN_LLVM,
     .replay = {"sm"}},
    {.name = "ptxas",
     .syntax = "check:ptxas[:sm=N][,level=0..3]|isa:ptxas[:sm=N][,level=0..3]",
     .summary = "NVIDIA's ptxas: check: compiles LLVM's PTX; isa: its code for sm_75 to sm_90 of "
                "PTX whose masks the program computes is run",
     .backend = &ptxas_backend,
     .form = RUN_FORM_MEMORY,
     .maps_lanes = true,
     .attribution = RUN_BY_KIND,
     .check = true,
     .isa = true,
     .without = NOT_IN_LLVM,
     .replay = {"sm", "level"}},
    // The program's built-in target, once registered (run_own_add). Shown last.
    {.name = ""},
    // Not shown: it tests the supervision of workers.
    {.name = "fault", .backend = &fault_backend, .form = RUN_FORM_SPIRV},
};
enum { KINDS = sizeof rows / sizeof rows[0], OWN = KINDS - 2 };
const struct run_own *own_target;

void run_own_add(const struct run_own *own)
{
    CHECK(!own_target);
    own_target = own;
    rows[OWN] = own->kind;
    rows[OWN].backend = &own_backend;
}

const struct run_kind *kind_find(const char *name)
{
    for (size_t i = 0; i < KINDS; i++)
        if (rows[i].backend && strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

const struct run_backend *stage_backend(const struct run_stage *s, struct err *e)
{
    struct arena a = {0};
    const struct run_kind *k = s->next ? NULL : s->kind, *shown;
    if (s->next)
        return &chain_backend;
    if (k && (!s->check || k->check) && (!s->isa || k->isa) && (!s->nir || k->nir))
        return k->backend == &vk_backend && vk_is_far(s) ? &vk_far_backend : k->backend;
    if (s->isa) {
        err_set(e,
                "isa: '%.100s': not a target of isa: use isa:vulkan[:OPTIONS], "
                "isa:nir:vulkan[:OPTIONS], or isa:llvm:cpu=gfx...",
                run_stage_text(&a, s) + strlen("isa:"));
    } else if (s->check) {
        err_set(e,
                "check: '%.100s': not a target of check: use check:vulkan[:OPTIONS] or "
                "check:llvm[:OPTIONS]",
                run_stage_text(&a, s) + strlen("check:"));
    } else {
        const char *names[KINDS];
        const uint32_t n = run_kinds(&shown);
        for (uint32_t i = 0; i < n; i++)
            names[i] = shown[i].name;
        const char *near = text_nearest(s->name, names, n);
        err_set(e, "target '%.64s': no such kind of target%s%s%s (`tanglefuzz targets` lists them)",
                s->name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    arena_free(&a);
    return NULL;
}

uint32_t run_kinds(const struct run_kind **out)
{
    *out = rows;
    return own_target ? OWN + 1 : OWN;
}
