// SPDX-License-Identifier: Apache-2.0
//
// Writes an LLVM module as words (backends/llir/llir.h): everything that the executor in
// backends/llir/ may need, without interpreting it. A module that the format cannot express becomes
// one LLIR_UNKNOWN record.
#include "llvm_dump.h"

#include <dlfcn.h>
#include <string.h>

struct dump_api dump_llvm;

bool llvm_symbols(void *so, const struct llvm_symbol *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        void *f = dlsym(so, rows[i].name);
        if (!f)
            return false;
        memcpy(rows[i].at, &f, sizeof f);
    }
    return true;
}

bool llvm_dump_load(void *so)
{
    const struct llvm_symbol rows[] = {
#define X(result, name, args) {"LLVM" #name, &dump_llvm.name},
        DUMP_API(X)
#undef X
    };
    return llvm_symbols(so, rows, sizeof rows / sizeof *rows);
}

bool dump_unknown(struct dump *d, const char *what)
{
    if (!d->unknown[0])
        snprintf(d->unknown, sizeof d->unknown, "%s", what);
    return false;
}

// ---- ids of values, and numbers of the blocks of each function -------------------------

struct slot *dump_slot_of(struct dump *d, const void *value)
{
    uint32_t at = (uint32_t)(hash64(&value, sizeof value) & (d->slots - 1));
    while (d->slot[at].value && d->slot[at].value != value)
        at = (at + 1) & (d->slots - 1);
    return &d->slot[at];
}

static uint32_t number(struct dump *d, void *value, uint32_t id)
{
    if (2 * d->used >= d->slots) {
        struct slot *old = d->slot;
        const uint32_t n = d->slots;
        d->slots = n ? 2 * n : 1024;
        d->slot = ARENA_ARRAY(&d->arena, struct slot, d->slots);
        for (uint32_t i = 0; i < n; i++)
            if (old[i].value)
                *dump_slot_of(d, old[i].value) = old[i];
    }
    d->used++;
    *dump_slot_of(d, value) = (struct slot){value, id};
    return id;
}

static void number_all(struct dump *d, void *module)
{
    for (void *g = dump_llvm.GetFirstGlobal(module); g; g = dump_llvm.GetNextGlobal(g))
        number(d, g, d->bound++);
    for (void *f = dump_llvm.GetFirstFunction(module); f; f = dump_llvm.GetNextFunction(f)) {
        uint32_t blocks = 0;
        number(d, f, d->bound++);
        for (unsigned i = 0; i < dump_llvm.CountParams(f); i++)
            number(d, dump_llvm.GetParam(f, i), d->bound++);
        for (void *b = dump_llvm.GetFirstBasicBlock(f); b; b = dump_llvm.GetNextBasicBlock(b)) {
            number(d, b, blocks++);
            for (void *in = dump_llvm.GetFirstInstruction(b); in;
                 in = dump_llvm.GetNextInstruction(in))
                number(d, in, d->bound++);
        }
    }
}

// ---- records -----------------------------------------------------------------------------

void dump_put(struct dump *d, uint32_t word)
{
    *VEC_PUSH(&d->arena, &d->now) = word;
}

void dump_put64(struct dump *d, uint64_t value)
{
    dump_put(d, (uint32_t)value);
    dump_put(d, (uint32_t)(value >> 32));
}

static void put_string(struct dump *d, const char *s, size_t n)
{
    for (size_t i = 0; i <= n; i += 4) {
        char four[4] = {0};
        uint32_t word;
        for (size_t k = 0; k < 4 && i + k < n; k++)
            four[k] = s[i + k];
        memcpy(&word, four, sizeof word);
        dump_put(d, word);
    }
}

void dump_end(struct dump *d, enum llir_record kind, size_t from)
{
    const size_t n = d->now.n - from;
    VEC_RESERVE(&d->arena, &d->out, n + 1);
    d->out.v[d->out.n++] = LLIR_RECORD(kind, n + 1);
    for (size_t i = 0; i < n; i++)
        d->out.v[d->out.n++] = d->now.v[from + i];
    d->now.n = from;
}

uint32_t dump_type(struct dump *d, void *t)
{
    for (uint32_t i = 0; i < d->types; i++)
        if (d->type[i] == t)
            return i;
    const int kind = dump_llvm.GetTypeKind(t);
    uint32_t of = kind == LLIR_TY_VECTOR ? dump_type(d, dump_llvm.GetElementType(t)) : 0;
    if (d->types == DUMP_TYPES) {
        dump_unknown(d, "more than 256 types");
        return 0;
    }
    const size_t from = d->now.n;
    dump_put(d, (uint32_t)kind);
    dump_put(d, kind == LLIR_TY_INT      ? dump_llvm.GetIntTypeWidth(t)
                : kind == LLIR_TY_VECTOR ? dump_llvm.GetVectorSize(t)
                                         : 0);
    dump_put(d, of);
    dump_end(d, LLIR_TYPE, from);
    d->type[d->types] = t;
    return d->types++;
}

static bool constant(struct dump *d, void *v, uint32_t *id)
{
    const int kind = dump_llvm.GetValueKind(v);
    void *t = dump_llvm.TypeOf(v);
    uint32_t of = dump_type(d, t), part[256], parts = 0;
    if (kind == LLIR_VALUE_VECTOR || kind == LLIR_VALUE_DATA_VECTOR) {
        parts = dump_llvm.GetVectorSize(t);
        if (parts > sizeof part / sizeof *part)
            return dump_unknown(d, "a constant with more than 256 components");
        for (uint32_t i = 0; i < parts; i++)
            part[i] = dump_value(d, dump_llvm.GetAggregateElement(v, i));
    }
    *id = number(d, v, d->bound++);
    const size_t from = d->now.n;
    dump_put(d, *id);
    dump_put(d, of);
    if (dump_llvm.IsPoison(v) || dump_llvm.IsUndef(v)) {
        dump_put(d, dump_llvm.IsPoison(v) ? LLIR_POISON : LLIR_UNDEF);
    } else if (dump_llvm.IsNull(v)) {
        dump_put(d, LLIR_ZERO);
    } else if (parts) {
        dump_put(d, LLIR_VECTOR);
        for (uint32_t i = 0; i < parts; i++)
            dump_put(d, part[i]);
    } else if (kind == LLIR_VALUE_INTEGER && dump_llvm.GetTypeKind(t) == LLIR_TY_INT &&
               dump_llvm.GetIntTypeWidth(t) <= 64) {
        dump_put(d, LLIR_INTEGER);
        dump_put64(d, dump_llvm.ConstIntGetZExtValue(v));
    } else {
        char what[60];
        snprintf(what, sizeof what, "a constant of LLVM's kind %d", kind);
        return dump_unknown(d, what);
    }
    dump_end(d, LLIR_CONSTANT, from);
    return true;
}

uint32_t dump_value(struct dump *d, void *v)
{
    uint32_t id = 0;
    if (dump_llvm.GetTypeKind(dump_llvm.TypeOf(v)) == LLIR_TY_METADATA)
        return 0;
    if (dump_slot_of(d, v)->value)
        return dump_slot_of(d, v)->id;
    if (!dump_llvm.IsConstant(v))
        dump_unknown(d, "a value that is not defined in the module");
    else
        constant(d, v, &id);
    return id;
}

static void function(struct dump *d, void *f)
{
    size_t n, from = d->now.n;
    const char *name = dump_llvm.GetValueName2(f, &n);
    dump_put(d, dump_slot_of(d, f)->id);
    dump_put(d, dump_type(d, dump_llvm.GetReturnType(dump_llvm.GlobalGetValueType(f))));
    dump_put(d, dump_llvm.IsDeclaration(f) != 0);
    dump_put(d, dump_llvm.CountParams(f));
    for (unsigned i = 0; i < dump_llvm.CountParams(f); i++) {
        dump_put(d, dump_slot_of(d, dump_llvm.GetParam(f, i))->id);
        dump_put(d, dump_type(d, dump_llvm.TypeOf(dump_llvm.GetParam(f, i))));
    }
    put_string(d, name, n);
    dump_end(d, LLIR_FUNCTION, from);
    for (void *b = dump_llvm.GetFirstBasicBlock(f); b; b = dump_llvm.GetNextBasicBlock(b)) {
        dump_end(d, LLIR_BLOCK, d->now.n);
        for (void *in = dump_llvm.GetFirstInstruction(b); in; in = dump_llvm.GetNextInstruction(in))
            dump_instruction(d, in);
    }
}

static void global(struct dump *d, void *g)
{
    void *of = dump_llvm.GlobalGetValueType(g), *init = dump_llvm.GetInitializer(g);
    const bool array = dump_llvm.GetTypeKind(of) == LLIR_TY_ARRAY;
    void *each = array ? dump_llvm.GetElementType(of) : of;
    const int kind = dump_llvm.GetTypeKind(each);
    const uint64_t bytes = dump_llvm.ABISizeOfType(d->layout, of),
                   n = array ? dump_llvm.GetArrayLength2(of) : 1;
    const size_t from = d->now.n;
    if (kind != LLIR_TY_INT && kind != LLIR_TY_POINTER && kind != LLIR_TY_VECTOR)
        dump_unknown(d, "a global of an unsupported type");
    else if (bytes > 1 << 16)
        dump_unknown(d, "a global larger than 64 KiB");
    if (d->unknown[0])
        return;
    dump_put(d, dump_slot_of(d, g)->id);
    dump_put(d, (uint32_t)bytes);
    dump_put(d, dump_llvm.GetPointerAddressSpace(dump_llvm.TypeOf(g)));
    dump_put(d, (uint32_t)dump_llvm.ABISizeOfType(d->layout, each));
    for (uint64_t k = 0; init && k < n; k++)
        dump_put(d, dump_value(d, array ? dump_llvm.GetAggregateElement(init, (unsigned)k) : init));
    dump_end(d, LLIR_GLOBAL, from);
}

bool llvm_dump(void *module, uint32_t *words, uint32_t room, uint32_t *count)
{
    struct dump d = {.layout = dump_llvm.GetModuleDataLayout(module), .bound = 1};
    number_all(&d, module);
    for (void *g = dump_llvm.GetFirstGlobal(module); g; g = dump_llvm.GetNextGlobal(g))
        global(&d, g);
    for (void *f = dump_llvm.GetFirstFunction(module); f; f = dump_llvm.GetNextFunction(f))
        function(&d, f);
    if (d.unknown[0]) {
        d.out.n = d.now.n = 0;
        d.bound = 1;
        put_string(&d, d.unknown, strlen(d.unknown));
        dump_end(&d, LLIR_UNKNOWN, 0);
    }
    const bool fits = d.out.n + LLIR_HEADER <= room;
    const uint32_t header[LLIR_HEADER] = {LLIR_MAGIC, LLIR_VERSION, d.bound, 0};
    if (fits) {
        memcpy(words, header, sizeof header);
        memcpy(words + LLIR_HEADER, d.out.v, d.out.n * sizeof *words);
        *count = (uint32_t)d.out.n + LLIR_HEADER;
    }
    arena_free(&d.arena);
    return fits;
}
