// SPDX-License-Identifier: Apache-2.0
//
// A module of LLVM as words (llir/llir.h): everything that the machine of llir/ may want to know,
// taken down without any knowledge of what it means. What has no place there becomes one
// LLIR_UNKNOWN.
#include "llvm_worker.h"

#include "llir/llir.h"

#include <dlfcn.h>
#include <string.h>

#define API(X)                                                                                     \
    X(void *, GetFirstGlobal, (void *))                                                            \
    X(void *, GetNextGlobal, (void *))                                                             \
    X(void *, GetInitializer, (void *))                                                            \
    X(void *, GlobalGetValueType, (void *))                                                        \
    X(void *, GetFirstFunction, (void *))                                                          \
    X(void *, GetNextFunction, (void *))                                                           \
    X(int, IsDeclaration, (void *))                                                                \
    X(unsigned, CountParams, (void *))                                                             \
    X(void *, GetParam, (void *, unsigned))                                                        \
    X(void *, GetReturnType, (void *))                                                             \
    X(void *, GetFirstBasicBlock, (void *))                                                        \
    X(void *, GetNextBasicBlock, (void *))                                                         \
    X(void *, GetFirstInstruction, (void *))                                                       \
    X(void *, GetNextInstruction, (void *))                                                        \
    X(int, GetInstructionOpcode, (void *))                                                         \
    X(int, GetValueKind, (void *))                                                                 \
    X(const char *, GetValueName2, (void *, size_t *))                                             \
    X(void *, TypeOf, (void *))                                                                    \
    X(int, GetTypeKind, (void *))                                                                  \
    X(unsigned, GetIntTypeWidth, (void *))                                                         \
    X(unsigned, GetVectorSize, (void *))                                                           \
    X(unsigned long long, GetArrayLength2, (void *))                                               \
    X(void *, GetElementType, (void *))                                                            \
    X(unsigned, GetPointerAddressSpace, (void *))                                                  \
    X(unsigned long long, ConstIntGetZExtValue, (void *))                                          \
    X(int, IsConstant, (void *))                                                                   \
    X(int, IsPoison, (void *))                                                                     \
    X(int, IsUndef, (void *))                                                                      \
    X(int, IsNull, (void *))                                                                       \
    X(void *, GetAggregateElement, (void *, unsigned))                                             \
    X(int, GetNumOperands, (void *))                                                               \
    X(void *, GetOperand, (void *, unsigned))                                                      \
    X(unsigned, GetNumArgOperands, (void *))                                                       \
    X(void *, GetCalledValue, (void *))                                                            \
    X(unsigned, GetNumSuccessors, (void *))                                                        \
    X(void *, GetSuccessor, (void *, unsigned))                                                    \
    X(void *, GetSwitchCaseValue, (void *, unsigned))                                              \
    X(unsigned, CountIncoming, (void *))                                                           \
    X(void *, GetIncomingValue, (void *, unsigned))                                                \
    X(void *, GetIncomingBlock, (void *, unsigned))                                                \
    X(int, GetICmpPredicate, (void *))                                                             \
    X(int, GetICmpSameSign, (void *))                                                              \
    X(int, GetNUW, (void *))                                                                       \
    X(int, GetNSW, (void *))                                                                       \
    X(int, GetExact, (void *))                                                                     \
    X(int, GetNNeg, (void *))                                                                      \
    X(int, GetIsDisjoint, (void *))                                                                \
    X(void *, GetAllocatedType, (void *))                                                          \
    X(void *, GetGEPSourceElementType, (void *))                                                   \
    X(unsigned, GetNumMaskElements, (void *))                                                      \
    X(int, GetMaskValue, (void *, unsigned))                                                       \
    X(void *, GetModuleDataLayout, (void *))                                                       \
    X(unsigned long long, ABISizeOfType, (void *, void *))                                         \
    X(unsigned long long, OffsetOfElement, (void *, void *, unsigned))

static struct {
#define X(result, name, args) result(*name) args;
    API(X)
#undef X
} llvm;

// Numbers of the C API.
enum {
    OP_ADD = 8,
    OP_SUB = 10,
    OP_MUL = 12,
    OP_UDIV = 14,
    OP_SDIV = 15,
    OP_SHL = 20,
    OP_LSHR = 21,
    OP_ASHR = 22,
    OP_OR = 24,
    OP_ALLOCA = 26,
    OP_GEP = 29,
    OP_TRUNC = 30,
    OP_ZEXT = 31,
    OP_ICMP = 42,
    OP_PHI = 44,
    OP_CALL = 45,
    OP_SHUFFLE = 52,
    OP_SWITCH = 3,
    OP_BR = 70,
    OP_COND_BR = 71,
    TYPE_INTEGER = 8,
    TYPE_STRUCT = 10,
    TYPE_ARRAY = 11,
    TYPE_POINTER = 12,
    TYPE_VECTOR = 13,
    TYPE_METADATA = 14,
    TYPE_TOKEN = 16,
    VALUE_CONSTANT_VECTOR = 13,
    VALUE_DATA_VECTOR = 17,
    VALUE_INTEGER = 18,
};

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
#define X(result, name, args) {"LLVM" #name, &llvm.name},
        API(X)
#undef X
    };
    return llvm_symbols(so, rows, sizeof rows / sizeof *rows);
}

enum { TYPES = 256 };
struct dump {
    struct arena arena;
    void *layout;
    struct words out; // finished records
    struct words now; // the record at hand; what it needs goes to `out` before it
    uint32_t bound;
    void *type[TYPES];
    uint32_t types;
    struct slot {
        void *value;
        uint32_t id;
    } * slot; // by address
    uint32_t slots, used;
    char unknown[200]; // "" while all is known
};

static bool unknown(struct dump *d, const char *what)
{
    if (!d->unknown[0])
        snprintf(d->unknown, sizeof d->unknown, "%s", what);
    return false;
}

// ---- numbers of values, and of the blocks of each function -----------------------------

static struct slot *slot_of(struct dump *d, const void *value)
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
                *slot_of(d, old[i].value) = old[i];
    }
    d->used++;
    *slot_of(d, value) = (struct slot){value, id};
    return id;
}

static void number_all(struct dump *d, void *module)
{
    for (void *g = llvm.GetFirstGlobal(module); g; g = llvm.GetNextGlobal(g))
        number(d, g, d->bound++);
    for (void *f = llvm.GetFirstFunction(module); f; f = llvm.GetNextFunction(f)) {
        uint32_t blocks = 0;
        number(d, f, d->bound++);
        for (unsigned i = 0; i < llvm.CountParams(f); i++)
            number(d, llvm.GetParam(f, i), d->bound++);
        for (void *b = llvm.GetFirstBasicBlock(f); b; b = llvm.GetNextBasicBlock(b)) {
            number(d, b, blocks++);
            for (void *in = llvm.GetFirstInstruction(b); in; in = llvm.GetNextInstruction(in))
                number(d, in, d->bound++);
        }
    }
}

// ---- records -----------------------------------------------------------------------------

static void put(struct dump *d, uint32_t word)
{
    *VEC_PUSH(&d->arena, &d->now) = word;
}

static void put64(struct dump *d, uint64_t value)
{
    put(d, (uint32_t)value);
    put(d, (uint32_t)(value >> 32));
}

static void put_string(struct dump *d, const char *s, size_t n)
{
    for (size_t i = 0; i <= n; i += 4) {
        char four[4] = {0};
        uint32_t word;
        for (size_t k = 0; k < 4 && i + k < n; k++)
            four[k] = s[i + k];
        memcpy(&word, four, sizeof word);
        put(d, word);
    }
}

// Ends the record that was begun at word `from` of `now`.
static void end(struct dump *d, enum llir_record kind, size_t from)
{
    const size_t n = d->now.n - from;
    VEC_RESERVE(&d->arena, &d->out, n + 1);
    d->out.v[d->out.n++] = LLIR_RECORD(kind, n + 1);
    for (size_t i = 0; i < n; i++)
        d->out.v[d->out.n++] = d->now.v[from + i];
    d->now.n = from;
}

static uint32_t type(struct dump *d, void *t)
{
    for (uint32_t i = 0; i < d->types; i++)
        if (d->type[i] == t)
            return i;
    const int kind = llvm.GetTypeKind(t);
    uint32_t of = kind == TYPE_VECTOR ? type(d, llvm.GetElementType(t)) : 0;
    if (d->types == TYPES) {
        unknown(d, "more than 256 types");
        return 0;
    }
    const size_t from = d->now.n;
    put(d, (uint32_t)kind);
    put(d, kind == TYPE_INTEGER  ? llvm.GetIntTypeWidth(t)
           : kind == TYPE_VECTOR ? llvm.GetVectorSize(t)
                                 : 0);
    put(d, of);
    end(d, LLIR_TYPE, from);
    d->type[d->types] = t;
    return d->types++;
}

static uint32_t value(struct dump *d, void *v);

static bool constant(struct dump *d, void *v, uint32_t *id)
{
    const int kind = llvm.GetValueKind(v);
    void *t = llvm.TypeOf(v);
    uint32_t of = type(d, t), part[256], parts = 0;
    if (kind == VALUE_CONSTANT_VECTOR || kind == VALUE_DATA_VECTOR) {
        parts = llvm.GetVectorSize(t);
        if (parts > sizeof part / sizeof *part)
            return unknown(d, "a constant of more than 256 components");
        for (uint32_t i = 0; i < parts; i++)
            part[i] = value(d, llvm.GetAggregateElement(v, i));
    }
    *id = number(d, v, d->bound++);
    const size_t from = d->now.n;
    put(d, *id);
    put(d, of);
    if (llvm.IsPoison(v) || llvm.IsUndef(v)) {
        put(d, llvm.IsPoison(v) ? LLIR_POISON : LLIR_UNDEF);
    } else if (llvm.IsNull(v)) {
        put(d, LLIR_ZERO);
    } else if (parts) {
        put(d, LLIR_VECTOR);
        for (uint32_t i = 0; i < parts; i++)
            put(d, part[i]);
    } else if (kind == VALUE_INTEGER && llvm.GetTypeKind(t) == TYPE_INTEGER &&
               llvm.GetIntTypeWidth(t) <= 64) {
        put(d, LLIR_INTEGER);
        put64(d, llvm.ConstIntGetZExtValue(v));
    } else {
        char what[60];
        snprintf(what, sizeof what, "a constant of LLVM's kind %d", kind);
        return unknown(d, what);
    }
    end(d, LLIR_CONSTANT, from);
    return true;
}

// The id of a value; of a constant that was not met yet its record is written first.
static uint32_t value(struct dump *d, void *v)
{
    uint32_t id = 0;
    if (llvm.GetTypeKind(llvm.TypeOf(v)) == TYPE_METADATA)
        return 0;
    if (slot_of(d, v)->value)
        return slot_of(d, v)->id;
    if (!llvm.IsConstant(v))
        unknown(d, "a value of nowhere");
    else
        constant(d, v, &id);
    return id;
}

static uint32_t flags(void *in, int op)
{
    const bool wraps =
        op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_SHL || op == OP_TRUNC;
    const bool exact = op == OP_UDIV || op == OP_SDIV || op == OP_LSHR || op == OP_ASHR;
    uint32_t f = 0;
    if (wraps)
        f = (llvm.GetNUW(in) ? LLIR_NUW : 0u) | (llvm.GetNSW(in) ? LLIR_NSW : 0u);
    if (exact && llvm.GetExact(in))
        f |= LLIR_EXACT;
    if (op == OP_ZEXT && llvm.GetNNeg(in))
        f |= LLIR_NNEG;
    if (op == OP_OR && llvm.GetIsDisjoint(in))
        f |= LLIR_DISJOINT;
    if (op == OP_ICMP)
        f |= (uint32_t)llvm.GetICmpPredicate(in) << 8 |
             (llvm.GetICmpSameSign(in) ? LLIR_SAMESIGN : 0u);
    return f;
}

// ---- instructions whose operands are not all ids --------------------------------------------

static void address(struct dump *d, void *in)
{
    void *t = llvm.GetGEPSourceElementType(in);
    uint64_t fixed = 0;
    const unsigned n = (unsigned)llvm.GetNumOperands(in);
    uint32_t index[32], count = 0;
    uint64_t each[32];
    for (unsigned i = 1; i < n && count < 32; i++) {
        void *v = llvm.GetOperand(in, i);
        const int kind = i > 1 ? llvm.GetTypeKind(t) : 0;
        const bool known = llvm.GetValueKind(v) == VALUE_INTEGER;
        if (kind == TYPE_STRUCT) {
            unknown(d, "an address inside of a struct");
            return;
        }
        if (i > 1)
            t = llvm.GetElementType(t);
        const uint64_t size = llvm.ABISizeOfType(d->layout, t);
        if (known) {
            const unsigned width = llvm.GetIntTypeWidth(llvm.TypeOf(v));
            uint64_t k = llvm.ConstIntGetZExtValue(v);
            if (width < 64 && k >> (width - 1))
                k -= (uint64_t)1 << width;
            fixed += k * size;
        } else {
            index[count] = value(d, v);
            each[count++] = size;
        }
    }
    put(d, value(d, llvm.GetOperand(in, 0)));
    put64(d, fixed);
    for (uint32_t i = 0; i < count; i++) {
        put(d, index[i]);
        put(d, (uint32_t)each[i]);
    }
}

static uint32_t block(struct dump *d, void *b)
{
    return slot_of(d, b)->id;
}

static void operands(struct dump *d, void *in, int op)
{
    const unsigned n = (unsigned)llvm.GetNumOperands(in);
    switch (op) {
    case OP_BR:
        put(d, block(d, llvm.GetSuccessor(in, 0)));
        return;
    case OP_COND_BR:
        put(d, value(d, llvm.GetOperand(in, 0)));
        put(d, block(d, llvm.GetSuccessor(in, 0)));
        put(d, block(d, llvm.GetSuccessor(in, 1)));
        return;
    case OP_SWITCH:
        put(d, value(d, llvm.GetOperand(in, 0)));
        put(d, block(d, llvm.GetSuccessor(in, 0)));
        for (unsigned i = 1; i < llvm.GetNumSuccessors(in); i++) {
            put(d, value(d, llvm.GetSwitchCaseValue(in, i)));
            put(d, block(d, llvm.GetSuccessor(in, i)));
        }
        return;
    case OP_PHI:
        for (unsigned i = 0; i < llvm.CountIncoming(in); i++) {
            put(d, value(d, llvm.GetIncomingValue(in, i)));
            put(d, block(d, llvm.GetIncomingBlock(in, i)));
        }
        return;
    case OP_ALLOCA:
        put(d, (uint32_t)llvm.ABISizeOfType(d->layout, llvm.GetAllocatedType(in)));
        return;
    case OP_GEP:
        address(d, in);
        return;
    case OP_SHUFFLE:
        put(d, value(d, llvm.GetOperand(in, 0)));
        put(d, value(d, llvm.GetOperand(in, 1)));
        for (unsigned i = 0; i < llvm.GetNumMaskElements(in); i++)
            put(d, (uint32_t)llvm.GetMaskValue(in, i));
        return;
    case OP_CALL:
        put(d, value(d, llvm.GetCalledValue(in)));
        for (unsigned i = 0; i < llvm.GetNumArgOperands(in); i++)
            put(d, value(d, llvm.GetOperand(in, i)));
        return;
    default:
        for (unsigned i = 0; i < n; i++)
            put(d, value(d, llvm.GetOperand(in, i)));
    }
}

// Behind a call's arguments come the operands of its bundles, then the function.
static uint32_t token(struct dump *d, void *in, int op)
{
    const int n = op == OP_CALL ? llvm.GetNumOperands(in) : 0;
    for (int i = n ? (int)llvm.GetNumArgOperands(in) : 0; i < n; i++) {
        void *v = llvm.GetOperand(in, (unsigned)i);
        if (llvm.GetTypeKind(llvm.TypeOf(v)) == TYPE_TOKEN)
            return value(d, v);
    }
    return 0;
}

static void instruction(struct dump *d, void *in)
{
    const int op = llvm.GetInstructionOpcode(in);
    const size_t from = d->now.n;
    put(d, (uint32_t)op);
    put(d, slot_of(d, in)->id);
    put(d, type(d, llvm.TypeOf(in)));
    put(d, flags(in, op));
    put(d, token(d, in, op));
    operands(d, in, op);
    end(d, LLIR_INST, from);
}

static void function(struct dump *d, void *f)
{
    size_t n, from = d->now.n;
    const char *name = llvm.GetValueName2(f, &n);
    put(d, slot_of(d, f)->id);
    put(d, type(d, llvm.GetReturnType(llvm.GlobalGetValueType(f))));
    put(d, llvm.IsDeclaration(f) != 0);
    put(d, llvm.CountParams(f));
    for (unsigned i = 0; i < llvm.CountParams(f); i++) {
        put(d, slot_of(d, llvm.GetParam(f, i))->id);
        put(d, type(d, llvm.TypeOf(llvm.GetParam(f, i))));
    }
    put_string(d, name, n);
    end(d, LLIR_FUNCTION, from);
    for (void *b = llvm.GetFirstBasicBlock(f); b; b = llvm.GetNextBasicBlock(b)) {
        end(d, LLIR_BLOCK, d->now.n);
        for (void *in = llvm.GetFirstInstruction(b); in; in = llvm.GetNextInstruction(in))
            instruction(d, in);
    }
}

static void global(struct dump *d, void *g)
{
    void *of = llvm.GlobalGetValueType(g), *init = llvm.GetInitializer(g);
    const bool array = llvm.GetTypeKind(of) == TYPE_ARRAY;
    void *each = array ? llvm.GetElementType(of) : of;
    const int kind = llvm.GetTypeKind(each);
    const uint64_t bytes = llvm.ABISizeOfType(d->layout, of),
                   n = array ? llvm.GetArrayLength2(of) : 1;
    const size_t from = d->now.n;
    if (kind != TYPE_INTEGER && kind != TYPE_POINTER && kind != TYPE_VECTOR)
        unknown(d, "a global of a type that is not known");
    else if (bytes > 1 << 16)
        unknown(d, "a global of more than 64 KiB");
    if (d->unknown[0])
        return;
    put(d, slot_of(d, g)->id);
    put(d, (uint32_t)bytes);
    put(d, llvm.GetPointerAddressSpace(llvm.TypeOf(g)));
    put(d, (uint32_t)llvm.ABISizeOfType(d->layout, each));
    for (uint64_t k = 0; init && k < n; k++)
        put(d, value(d, array ? llvm.GetAggregateElement(init, (unsigned)k) : init));
    end(d, LLIR_GLOBAL, from);
}

bool llvm_dump(void *module, uint32_t *words, uint32_t room, uint32_t *count)
{
    struct dump d = {.layout = llvm.GetModuleDataLayout(module), .bound = 1};
    number_all(&d, module);
    for (void *g = llvm.GetFirstGlobal(module); g; g = llvm.GetNextGlobal(g))
        global(&d, g);
    for (void *f = llvm.GetFirstFunction(module); f; f = llvm.GetNextFunction(f))
        function(&d, f);
    if (d.unknown[0]) {
        d.out.n = d.now.n = 0;
        d.bound = 1;
        put_string(&d, d.unknown, strlen(d.unknown));
        end(&d, LLIR_UNKNOWN, 0);
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
