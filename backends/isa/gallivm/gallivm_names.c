// SPDX-License-Identifier: Apache-2.0
//
// The functions that LLVM declares, by the start of their names.
#include "gallivm_program.h"

static const struct {
    const char *name;
    enum gv_op op;
    enum isa_combine combine;
} known[] = {
#define BINARY(id, name, value)
#define CAST(id, name, value)
#define COMPARE(id, name, value)
#define FCOMPARE(id, name, value)
#define FUNCTION(id, name, value) {name, GV_##id, 0},
#include "gallivm_ops.def"
    {"llvm.masked.gather.", GV_GATHER, 0},
    {"llvm.masked.scatter.", GV_SCATTER, 0},
    {"llvm.x86.avx2.permd", GV_PERMUTE, 0},
    {"llvm.x86.sse.min.ss", GV_FIRST_LEAST, 0},
    {"llvm.x86.sse2.min.sd", GV_FIRST_LEAST, 0},
    {"llvm.x86.sse.max.ss", GV_FIRST_MOST, 0},
    {"llvm.x86.sse2.max.sd", GV_FIRST_MOST, 0},
    {"llvm.vector.reduce.add.", GV_REDUCE, ISA_IADD},
    {"llvm.vector.reduce.mul.", GV_REDUCE, ISA_IMUL},
    {"llvm.vector.reduce.and.", GV_REDUCE, ISA_IAND},
    {"llvm.vector.reduce.or.", GV_REDUCE, ISA_IOR},
    {"llvm.vector.reduce.xor.", GV_REDUCE, ISA_IXOR},
    {"llvm.vector.reduce.smin.", GV_REDUCE, ISA_IMIN},
    {"llvm.vector.reduce.smax.", GV_REDUCE, ISA_IMAX},
    {"llvm.vector.reduce.umin.", GV_REDUCE, ISA_UMIN},
    {"llvm.vector.reduce.umax.", GV_REDUCE, ISA_UMAX},
    {"llvm.vector.reduce.fadd.", GV_REDUCE, ISA_FADD},
    {"llvm.vector.reduce.fmul.", GV_REDUCE, ISA_FMUL},
    {"llvm.vector.reduce.fmin.", GV_REDUCE, ISA_FMIN},
    {"llvm.vector.reduce.fmax.", GV_REDUCE, ISA_FMAX},
    {"llvm.coro.id", GV_CORO_ID, 0},
    {"llvm.coro.size.", GV_CORO_SIZE, 0},
    {"llvm.coro.begin", GV_CORO_BEGIN, 0},
    {"llvm.coro.suspend", GV_CORO_SUSPEND, 0},
    {"llvm.coro.end", GV_CORO_END, 0},
    {"llvm.coro.resume", GV_CORO_RESUME, 0},
    {"llvm.coro.destroy", GV_CORO_DESTROY, 0},
    {"llvm.coro.done", GV_CORO_DONE, 0},
    {"coro_malloc", GV_CORO_MALLOC, 0},
    {"coro_free", GV_NOTHING, 0},
    {"llvm.lifetime.", GV_NOTHING, 0},
};

bool gv_function_known(struct word name, struct gv_inst *out)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (word_starts(name, known[i].name)) {
            out->op = known[i].op;
            out->combine = known[i].combine;
            return true;
        }
    return false;
}
