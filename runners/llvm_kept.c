// SPDX-License-Identifier: Apache-2.0
//
// RADV prints its machine code by LLVM: for each shader it makes a target
// machine and a disassembler, and each instruction takes a microsecond or more.
// The program exports functions of LLVM's C interface, which the dynamic linker
// finds before the driver's library. They do the same, but keep machines,
// disassemblers and forms of instructions.
#define _GNU_SOURCE // dl_iterate_phdr
#include "llvm_kept.h"

#include "forms.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8, BYTES = 12, OUT = 1024, PER_SHADER = 1 << 14 };

// Of LLVM's library. `Level` and the like are enumerations, as int in calls.
static struct {
    void *(*machine)(void *target, const char *triple, const char *cpu, const char *features,
                     int level, int reloc, int model);
    void (*machine_dispose)(void *);
    void *(*disasm)(const char *triple, const char *cpu, const char *features, void *info, int tag,
                    void *get_op, void *look_up);
    void (*disasm_dispose)(void *);
    size_t (*instruction)(void *, uint8_t *bytes, uint64_t size, uint64_t pc, char *out,
                          size_t out_size);
} llvm;

struct name {
    char s[64];
};
static bool keeps;
static struct kept_machine {
    void *target, *machine;
    struct name triple, cpu, features;
    int level, reloc, model;
} machine[MOST];
static struct kept_disasm {
    void *disasm;
    struct name triple, cpu, features;
    // What the driver hands over of a shader's blocks, a vector of C++, which is
    // three pointers: a copy of it, as the disassembler is that of an earlier
    // shader.
    void *blocks[3];
    struct forms *forms;
    char out[OUT];
} disasm[MOST];

static bool name_set(struct name *to, const char *s)
{
    const int n = snprintf(to->s, sizeof to->s, "%s", s);
    return n >= 0 && (size_t)n < sizeof to->s;
}

// Of the libraries that are loaded. LLVM may be one of them, or a part of the driver.
static struct {
    const char *v[512];
    uint32_t n;
} loaded;

static int visit(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    if (info->dlpi_name[0] && loaded.n < sizeof loaded.v / sizeof *loaded.v)
        loaded.v[loaded.n++] = info->dlpi_name;
    return 0;
}

#define FIND(where, library, name) *(void **)&(where) = dlsym(library, name)

size_t LLVMDisasmInstruction(void *context, uint8_t *bytes, uint64_t size, uint64_t pc, char *out,
                             size_t out_size);

static void open_llvm(void)
{
    if (llvm.instruction)
        return;
    loaded.n = 0;
    dl_iterate_phdr(visit, NULL);
    for (uint32_t i = 0; i < loaded.n && !llvm.instruction; i++) {
        void *library = dlopen(loaded.v[i], RTLD_LAZY | RTLD_NOLOAD);
        if (!library)
            continue;
        FIND(llvm.machine, library, "LLVMCreateTargetMachine");
        FIND(llvm.machine_dispose, library, "LLVMDisposeTargetMachine");
        FIND(llvm.disasm, library, "LLVMCreateDisasmCPUFeatures");
        FIND(llvm.disasm_dispose, library, "LLVMDisasmDispose");
        FIND(llvm.instruction, library, "LLVMDisasmInstruction");
        if (llvm.instruction == LLVMDisasmInstruction)
            llvm.instruction = NULL;
        if (!llvm.instruction)
            dlclose(library);
    }
    CHECK(llvm.instruction && llvm.machine && llvm.machine_dispose && llvm.disasm &&
          llvm.disasm_dispose); // the caller is linked with them
}

void llvm_kept_begin(void)
{
    keeps = true;
}

// ---- instructions ----

enum { DUAL = 0x32 }; // the upper six bits of a dual instruction; gfx11 and later

// An instruction of one to three words: the first one and the size in bytes,
// and the others. The second destination of a dual instruction has seven bits;
// its low bit is the inverse of the first one's. It is taken out as a number of
// eight bits, from bit 104 on.
static void pack(uint64_t to[2], const uint8_t *bytes, uint32_t n)
{
    uint32_t w[3] = {0};
    memcpy(w, bytes, n);
    to[1] = w[0] | (uint64_t)n << 32;
    if (w[0] >> 26 == DUAL) {
        const uint32_t second = (w[1] >> 17 & 127) << 1 | (~w[1] >> 24 & 1);
        to[1] |= (uint64_t)second << 40;
        w[1] &= ~(127u << 17);
    }
    to[0] = w[2] | (uint64_t)w[1] << 32;
}

// False: no instruction has this code.
static bool unpack(const uint64_t code[2], uint8_t bytes[BYTES])
{
    uint32_t w[3] = {(uint32_t)code[1], (uint32_t)(code[0] >> 32), (uint32_t)code[0]};
    if (w[0] >> 26 == DUAL) {
        const uint32_t second = code[1] >> 40 & 255;
        if ((second & 1) == (w[1] >> 24 & 1))
            return false;
        w[1] |= second >> 1 << 17;
    }
    memcpy(bytes, w, sizeof w);
    return true;
}

// Where vector registers may be, by the encoding.
static const uint8_t *fields_of(const uint8_t *bytes)
{
    static const uint8_t none[FORM_FIELDS],
        vop[FORM_FIELDS] = {64, 73, 81, 32}, vop3[FORM_FIELDS] = {64, 32, 41, 50},
        dual[FORM_FIELDS] = {64, 73, 32, 41, 56, 104}, memory[FORM_FIELDS] = {32, 40, 48, 56};
    uint32_t w;
    memcpy(&w, bytes, sizeof w);
    if (!(w >> 31))
        return vop;
    switch (w >> 26) {
    case DUAL:
        return dual;
    case 0x33:
    case 0x34: // gfx9
    case 0x35:
        return vop3;
    case 0x36:
    case 0x37:
    case 0x38:
    case 0x3a:
        return memory;
    default:
        return none;
    }
}

// The least number of bytes that an instruction may have: one word, two if its operands or the
// encoding say so; one more for a number of 32 bits (source 255) in an instruction of two words.
static uint32_t least_of(const uint8_t *bytes, uint64_t size)
{
    uint32_t w[2] = {0};
    memcpy(w, bytes, size < sizeof w ? 4 : sizeof w);
    const uint32_t first = w[0] & 511;
    if (!(w[0] >> 31)) // 249, 250: SDWA, DPP
        return first == 255 || first == 249 || first == 250 ? 8 : 4;
    if (w[0] >> 30 == 2) { // with one or two sources, or none
        const uint32_t kind = w[0] >> 23;
        const bool sources = w[0] >> 28 != 0xb || kind == 0x17d || kind == 0x17e;
        return sources && ((w[0] & 255) == 255 || (w[0] >> 8 & 255) == 255) ? 8 : 4;
    }
    const bool number = (w[1] & 511) == 255 || (w[0] >> 26 == DUAL && first == 255);
    return number && (w[0] >> 26 == DUAL || w[0] >> 26 == 0x35) ? BYTES : 8;
}

// Of jumps the text depends on the place.
static bool has_place(const char *text)
{
    return strstr(text, "branch") || strstr(text, "call") || strstr(text, "BB");
}

static const char *print(void *context, const uint64_t code[2])
{
    struct kept_disasm *d = context;
    const uint32_t n = code[1] >> 32 & 255;
    uint8_t bytes[BYTES];
    if (!unpack(code, bytes))
        return NULL;
    return llvm.instruction(d->disasm, bytes, n, 0, d->out, sizeof d->out) == n ? d->out : NULL;
}

static struct kept_disasm *ours(const void *x)
{
    for (uint32_t i = 0; i < MOST; i++)
        if (x == &disasm[i])
            return &disasm[i];
    return NULL;
}

void *llvm_kept_disassembler(bool wave64)
{
    struct kept_disasm *found = NULL;
    for (uint32_t i = 0; i < MOST && disasm[i].disasm; i++) {
        if (strcmp(disasm[i].cpu.s, disasm[0].cpu.s) != 0)
            return NULL;
        if ((strstr(disasm[i].features.s, "+wavefrontsize64") != NULL) == wave64)
            found = &disasm[i];
    }
    if (found)
        forms_make_room(found->forms, PER_SHADER);
    return found;
}

size_t llvm_kept_print(void *disassembler, const uint8_t *code, size_t bytes, char *out,
                       size_t size)
{
    return LLVMDisasmInstruction(disassembler, (uint8_t *)(uintptr_t)code, bytes, 0, out, size);
}

// ---- LLVM's interface ----

#define EXPORTED __attribute__((visibility("default"), used))

EXPORTED size_t LLVMDisasmInstruction(void *context, uint8_t *bytes, uint64_t size, uint64_t pc,
                                      char *out, size_t out_size);
EXPORTED void *LLVMCreateDisasmCPUFeatures(const char *triple, const char *cpu,
                                           const char *features, void *info, int tag, void *get_op,
                                           void *look_up);
EXPORTED void LLVMDisasmDispose(void *context);
EXPORTED void *LLVMCreateTargetMachine(void *target, const char *triple, const char *cpu,
                                       const char *features, int level, int reloc, int model);
EXPORTED void LLVMDisposeTargetMachine(void *x);

size_t LLVMDisasmInstruction(void *context, uint8_t *bytes, uint64_t size, uint64_t pc, char *out,
                             size_t out_size)
{
    struct kept_disasm *d = ours(context);
    uint64_t code[2];
    open_llvm();
    if (!d)
        return llvm.instruction(context, bytes, size, pc, out, out_size);
    const uint8_t *bits = size >= 4 ? fields_of(bytes) : NULL;
    for (uint32_t n = bits ? least_of(bytes, size) : BYTES + 1; n <= BYTES && n <= size; n += 4) {
        pack(code, bytes, n);
        const struct form *x = forms_find(d->forms, code, code, bits);
        if (x && x->n + FORM_MORE < out_size) {
            *form_put(out, x, code, bits) = 0;
            return n;
        }
    }
    const size_t n = llvm.instruction(d->disasm, bytes, size, pc, out, out_size);
    if ((n == 4 || n == 8 || n == BYTES) && strlen(out) + FORM_MORE < out_size && !has_place(out)) {
        pack(code, bytes, (uint32_t)n);
        (void)forms_get(d->forms, code, code, bits, out);
    }
    return n;
}

void *LLVMCreateDisasmCPUFeatures(const char *triple, const char *cpu, const char *features,
                                  void *info, int tag, void *get_op, void *look_up)
{
    struct kept_disasm new = {0};
    open_llvm();
    if (!keeps || get_op || look_up || !name_set(&new.triple, triple) || !name_set(&new.cpu, cpu) ||
        !name_set(&new.features, features))
        return llvm.disasm(triple, cpu, features, info, tag, get_op, look_up);
    for (uint32_t i = 0; i < MOST; i++) {
        struct kept_disasm *d = &disasm[i];
        if (!d->disasm) {
            *d = new;
            d->disasm = llvm.disasm(triple, cpu, features, d->blocks, tag, NULL, NULL);
            if (!d->disasm)
                return NULL;
            d->forms = forms_new(print, d, 'v');
        }
        if (strcmp(d->triple.s, triple) == 0 && strcmp(d->cpu.s, cpu) == 0 &&
            strcmp(d->features.s, features) == 0) {
            memset(d->blocks, 0, sizeof d->blocks);
            if (info)
                memcpy(d->blocks, info, sizeof d->blocks);
            forms_make_room(d->forms, PER_SHADER);
            return d;
        }
    }
    return llvm.disasm(triple, cpu, features, info, tag, NULL, NULL);
}

void LLVMDisasmDispose(void *context)
{
    struct kept_disasm *d = ours(context);
    open_llvm();
    if (d)
        memset(d->blocks, 0, sizeof d->blocks);
    else
        llvm.disasm_dispose(context);
}

void *LLVMCreateTargetMachine(void *target, const char *triple, const char *cpu,
                              const char *features, int level, int reloc, int model)
{
    struct kept_machine new = {.target = target, .level = level, .reloc = reloc, .model = model};
    open_llvm();
    const bool fits = name_set(&new.triple, triple) && name_set(&new.cpu, cpu) &&
                      name_set(&new.features, features);
    for (uint32_t i = 0; keeps && fits && i < MOST; i++) {
        struct kept_machine *m = &machine[i];
        if (!m->machine) {
            *m = new;
            return m->machine = llvm.machine(target, triple, cpu, features, level, reloc, model);
        }
        if (m->target == target && m->level == level && m->reloc == reloc && m->model == model &&
            strcmp(m->triple.s, triple) == 0 && strcmp(m->cpu.s, cpu) == 0 &&
            strcmp(m->features.s, features) == 0)
            return m->machine;
    }
    return llvm.machine(target, triple, cpu, features, level, reloc, model);
}

void LLVMDisposeTargetMachine(void *x)
{
    open_llvm();
    for (uint32_t i = 0; x && i < MOST; i++)
        if (machine[i].machine == x)
            return;
    llvm.machine_dispose(x);
}
