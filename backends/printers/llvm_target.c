// SPDX-License-Identifier: Apache-2.0
//
// The same IR for back ends without llvm.spv.* intrinsics: amdgcn and nvptx64. `tf.X` replaces
// `llvm.spv.X`: a function that is defined once if it is used, composed of the target's own
// convergent intrinsics. So the body of the program is the same text for all targets, including
// tokens. Buffers are globals. Private variables are arrays with one element per invocation.
#include "llvm.h"

#include <string.h>

// In the texts below: the function's token, and the uses of its token and of its loop's (emit).
#define TOKEN  "\1"
#define WITH_T "\2"
#define HEART  "\3"
#define WITH_H "\4"

// The functions that differ between the two targets; `tf.NAME` as below.
static const char wave32[] =
    "define internal i32 @tf.vote(i1 %p) #1 {\n" TOKEN
    "  %r = call i32 @llvm.amdgcn.ballot.i32(i1 %p)" WITH_T "  ret i32 %r\n}\n"
    "define internal i32 @tf.read(i32 %v, i32 %lane) #1 {\n" TOKEN "  %at = shl i32 %lane, 2\n"
    "  %r = call i32 @llvm.amdgcn.ds.bpermute(i32 %at, i32 %v)" WITH_T "  ret i32 %r\n}\n"
    "define internal i32 @tf.subgroup.local.invocation.id() {\n"
    "  %r = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)\n  ret i32 %r\n}\n";
static const char amdgcn[] =
    "define internal i32 @tf.thread.id.in.group.i32(i32 %d) {\n"
    "  %x = call i32 @llvm.amdgcn.workitem.id.x()\n  %y = call i32 @llvm.amdgcn.workitem.id.y()\n"
    "  %z = call i32 @llvm.amdgcn.workitem.id.z()\n  %is = icmp eq i32 %d, 0\n"
    "  %or = icmp eq i32 %d, 1\n  %yz = select i1 %or, i32 %y, i32 %z\n"
    "  %r = select i1 %is, i32 %x, i32 %yz\n  ret i32 %r\n}\n"
    "define internal i32 @tf.group.id.i32(i32 %d) {\n"
    "  %x = call i32 @llvm.amdgcn.workgroup.id.x()\n  %y = call i32 @llvm.amdgcn.workgroup.id.y()\n"
    "  %z = call i32 @llvm.amdgcn.workgroup.id.z()\n  %is = icmp eq i32 %d, 0\n"
    "  %or = icmp eq i32 %d, 1\n  %yz = select i1 %or, i32 %y, i32 %z\n"
    "  %r = select i1 %is, i32 %x, i32 %yz\n  ret i32 %r\n}\n";
// The first three of them for waves of 64 lanes. ds.bpermute reads only half a wave on GFX10 and
// GFX11; wave.shuffle reads all lanes, but LLVM 23 and 24 crash on it for GFX10.
static const char wave64[] =
    "define internal i64 @tf.vote(i1 %p) #1 {\n" TOKEN
    "  %r = call i64 @llvm.amdgcn.ballot.i64(i1 %p)" WITH_T "  ret i64 %r\n}\n"
    "define internal i32 @tf.read(i32 %v, i32 %lane) #1 {\n" TOKEN
    "  %r = call i32 @llvm.amdgcn.wave.shuffle.i32(i32 %v, i32 %lane)" WITH_T "  ret i32 %r\n}\n"
    "define internal i32 @tf.subgroup.local.invocation.id() {\n"
    "  %low = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)\n"
    "  %r = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %low)\n  ret i32 %r\n}\n";
static const char nvptx[] =
    "define internal i32 @tf.vote(i1 %p) #1 {\n" TOKEN
    "  %m = call i32 @llvm.nvvm.activemask()" WITH_T
    "  %r = call i32 @llvm.nvvm.vote.ballot.sync(i32 %m, i1 %p)" WITH_T "  ret i32 %r\n}\n"
    "define internal i32 @tf.read(i32 %v, i32 %lane) #1 {\n" TOKEN
    "  %m = call i32 @llvm.nvvm.activemask()" WITH_T
    "  %r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %m, i32 %v, i32 %lane, i32 31)" WITH_T
    "  ret i32 %r\n}\n"
    "define internal i32 @tf.subgroup.local.invocation.id() {\n"
    "  %r = call i32 @llvm.nvvm.read.ptx.sreg.laneid()\n  ret i32 %r\n}\n"
    "define internal i32 @tf.thread.id.in.group.i32(i32 %d) {\n"
    "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    "  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
    "  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()\n  %is = icmp eq i32 %d, 0\n"
    "  %or = icmp eq i32 %d, 1\n  %yz = select i1 %or, i32 %y, i32 %z\n"
    "  %r = select i1 %is, i32 %x, i32 %yz\n  ret i32 %r\n}\n"
    "define internal i32 @tf.group.id.i32(i32 %d) {\n"
    "  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
    "  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()\n"
    "  %z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()\n  %is = icmp eq i32 %d, 0\n"
    "  %or = icmp eq i32 %d, 1\n  %yz = select i1 %or, i32 %y, i32 %z\n"
    "  %r = select i1 %is, i32 %x, i32 %yz\n  ret i32 %r\n}\n";

// The other functions, equal for both: tf.NAME, its result, parameters, attributes and body, and
// the body in waves of 64 lanes if that differs.
static const struct {
    const char *name, *type, *parameters, *attributes, *body, *wide;
} shared[] = {
    {"subgroup.size", "i32", "", "", "  ret i32 32\n", "  ret i32 64\n"},
    {"num.workgroups.i32", "i32", "i32 %d", "",
     "  %p = getelementptr i32, ptr addrspace(1) @tf.groups, i32 %d\n"
     "  %r = load i32, ptr addrspace(1) %p, align 4\n  ret i32 %r\n",
     NULL},
    {"subgroup.ballot", "<4 x i32>", "i1 %p", " #1",
     TOKEN "  %v = call i32 @tf.vote(i1 %p)" WITH_T
           "  %r = insertelement <4 x i32> zeroinitializer, i32 %v, i64 0\n  ret <4 x i32> %r\n",
     TOKEN "  %v = call i64 @tf.vote(i1 %p)" WITH_T
           "  %x = trunc i64 %v to i32\n  %h = lshr i64 %v, 32\n  %y = trunc i64 %h to i32\n"
           "  %w = insertelement <4 x i32> zeroinitializer, i32 %x, i64 0\n"
           "  %r = insertelement <4 x i32> %w, i32 %y, i64 1\n  ret <4 x i32> %r\n"},
    {"wave.is.first.lane", "i1", "", " #1",
     TOKEN "  %m = call i32 @tf.vote(i1 true)" WITH_T
           "  %f = call i32 @llvm.cttz.i32(i32 %m, i1 true)\n"
           "  %l = call i32 @tf.subgroup.local.invocation.id()\n"
           "  %r = icmp eq i32 %f, %l\n  ret i1 %r\n",
     TOKEN "  %m = call i64 @tf.vote(i1 true)" WITH_T
           "  %c = call i64 @llvm.cttz.i64(i64 %m, i1 true)\n  %f = trunc i64 %c to i32\n"
           "  %l = call i32 @tf.subgroup.local.invocation.id()\n"
           "  %r = icmp eq i32 %f, %l\n  ret i1 %r\n"},
    {"wave.all", "i1", "i1 %p", " #1",
     TOKEN "  %m = call i32 @tf.vote(i1 true)" WITH_T "  %v = call i32 @tf.vote(i1 %p)" WITH_T
           "  %r = icmp eq i32 %m, %v\n  ret i1 %r\n",
     TOKEN "  %m = call i64 @tf.vote(i1 true)" WITH_T "  %v = call i64 @tf.vote(i1 %p)" WITH_T
           "  %r = icmp eq i64 %m, %v\n  ret i1 %r\n"},
    {"wave.any", "i1", "i1 %p", " #1",
     TOKEN "  %v = call i32 @tf.vote(i1 %p)" WITH_T "  %r = icmp ne i32 %v, 0\n  ret i1 %r\n",
     TOKEN "  %v = call i64 @tf.vote(i1 %p)" WITH_T "  %r = icmp ne i64 %v, 0\n  ret i1 %r\n"},
    {"wave.all.equal.i32", "i1", "i32 %v", " #1",
     TOKEN "  %m = call i32 @tf.vote(i1 true)" WITH_T
           "  %f = call i32 @llvm.cttz.i32(i32 %m, i1 true)\n"
           "  %x = call i32 @tf.read(i32 %v, i32 %f)" WITH_T "  %e = icmp eq i32 %x, %v\n"
           "  %v2 = call i32 @tf.vote(i1 %e)" WITH_T "  %r = icmp eq i32 %m, %v2\n  ret i1 %r\n",
     TOKEN "  %m = call i64 @tf.vote(i1 true)" WITH_T
           "  %c = call i64 @llvm.cttz.i64(i64 %m, i1 true)\n  %f = trunc i64 %c to i32\n"
           "  %x = call i32 @tf.read(i32 %v, i32 %f)" WITH_T "  %e = icmp eq i32 %x, %v\n"
           "  %v2 = call i64 @tf.vote(i1 %e)" WITH_T "  %r = icmp eq i64 %m, %v2\n  ret i1 %r\n"},
    {"wave.all.equal.i1", "i1", "i1 %v", " #1",
     TOKEN
     "  %m = call i32 @tf.vote(i1 true)" WITH_T "  %s = call i32 @tf.vote(i1 %v)" WITH_T
     "  %a = icmp eq i32 %m, %s\n  %n = icmp eq i32 %s, 0\n  %r = or i1 %a, %n\n  ret i1 %r\n",
     TOKEN
     "  %m = call i64 @tf.vote(i1 true)" WITH_T "  %s = call i64 @tf.vote(i1 %v)" WITH_T
     "  %a = icmp eq i64 %m, %s\n  %n = icmp eq i64 %s, 0\n  %r = or i1 %a, %n\n  ret i1 %r\n"},
    {"wave.readlane.i32", "i32", "i32 %v, i32 %l", " #1",
     TOKEN "  %r = call i32 @tf.read(i32 %v, i32 %l)" WITH_T "  ret i32 %r\n", NULL},
    {"wave.readlane.i1", "i1", "i1 %v, i32 %l", " #1",
     TOKEN "  %w = zext i1 %v to i32\n  %x = call i32 @tf.read(i32 %w, i32 %l)" WITH_T
           "  %r = trunc i32 %x to i1\n  ret i1 %r\n",
     NULL},
    {"firstbitlow.i32", "i32", "i32 %v", "",
     "  %c = call i32 @llvm.cttz.i32(i32 %v, i1 false)\n  %z = icmp eq i32 %v, 0\n"
     "  %r = select i1 %z, i32 -1, i32 %c\n  ret i32 %r\n",
     NULL},
    {"firstbituhigh.i32", "i32", "i32 %v", "",
     "  %c = call i32 @llvm.ctlz.i32(i32 %v, i1 false)\n  %r = sub i32 31, %c\n  ret i32 %r\n",
     NULL},
};

// Reductions and scans: a loop over all lanes, with a heart.
static const struct {
    const char *name, *identity, *with; // an instruction, or if `called` an intrinsic
    bool called;
    bool scan;                  // only of the lanes below
    const char *amdgcn, *nvptx; // an intrinsic for the operation; NULL: use the loop
} loops[] = {
    {"wave.reduce.sum.i32", "0", "add", false, false, "add", "add"},
    {"wave.product.i32", "1", "mul", false, false, NULL, NULL},
    {"wave.reduce.umin.i32", "-1", "umin", true, false, "umin", "umin"},
    {"wave.reduce.umax.i32", "0", "umax", true, false, "umax", "umax"},
    {"wave.reduce.min.i32", "2147483647", "smin", true, false, "min", "min"},
    {"wave.reduce.max.i32", "-2147483648", "smax", true, false, "max", "max"},
    {"wave.reduce.and.i32", "-1", "and", false, false, "and", "and"},
    {"wave.reduce.or.i32", "0", "or", false, false, "or", "or"},
    {"wave.reduce.xor.i32", "0", "xor", false, false, "xor", "xor"},
    {"wave.prefix.sum.i32", "0", "add", false, true, NULL, NULL},
    {"wave.prefix.product.i32", "1", "mul", false, true, NULL, NULL},
};

static void intrinsic(struct llvm *p, const char *name, const char *op)
{
    text_add(p->out, "define internal i32 @tf.%s(i32 %%v) #1 {\n" TOKEN, name);
    if (p->dialect == LLVM_AMDGCN)
        text_add(p->out, "  %%r = call i32 @llvm.amdgcn.wave.reduce.%s.i32(i32 %%v, i32 0)" WITH_T,
                 op);
    else
        text_add(p->out,
                 "  %%m = call i32 @llvm.nvvm.activemask()" WITH_T
                 "  %%r = call i32 @llvm.nvvm.redux.sync.%s(i32 %%v, i32 %%m)" WITH_T,
                 op);
    text_add(p->out, "  ret i32 %%r\n}\n");
}

static bool is_wide(const struct llvm *p)
{
    return p->f->subgroup > 32;
}

static void loop(struct llvm *p, const char *name, const char *identity, const char *with,
                 bool call, bool scan)
{
    text_add(p->out,
             "define internal i32 @tf.%s(i32 %%v) #1 {\nb0:\n" TOKEN
             "  %%m = call i%u @tf.vote(i1 true)" WITH_T
             "  %%own = call i32 @tf.subgroup.local.invocation.id()\n  br label %%b1\nb1:\n"
             "  %%i = phi i32 [ 0, %%b0 ], [ %%next, %%b1 ]\n"
             "  %%s = phi i32 [ %s, %%b0 ], [ %%new, %%b1 ]\n" HEART
             "  %%x = call i32 @tf.read(i32 %%v, i32 %%i)" WITH_H "%s"
             "  %%below = icmp %s i32 %%i, %%own\n  %%take = and i1 %%in, %%below\n",
             name, is_wide(p) ? 64 : 32, identity,
             is_wide(p) ? "  %wide = zext i32 %i to i64\n  %bits = lshr i64 %m, %wide\n"
                          "  %in = trunc i64 %bits to i1\n"
                        : "  %bits = lshr i32 %m, %i\n  %in = trunc i32 %bits to i1\n",
             scan ? "ult" : "sge");
    if (!scan) // a reduction takes all active lanes
        text_add(p->out, "  %%all = or i1 %%take, %%in\n");
    text_add(p->out,
             call ? "  %%with = call i32 @llvm.%s.i32(i32 %%s, i32 %%x)\n"
                  : "  %%with = %s i32 %%s, %%x\n",
             with);
    text_add(p->out,
             "  %%new = select i1 %%%s, i32 %%with, i32 %%s\n  %%next = add i32 %%i, 1\n"
             "  %%more = icmp ult i32 %%next, %u\n  br i1 %%more, label %%b1, label %%b2\nb2:\n"
             "  ret i32 %%new\n}\n",
             scan ? "take" : "all", is_wide(p) ? 64 : 32);
}

static void quad(struct llvm *p, const char *name, unsigned across)
{
    text_add(p->out,
             "define internal i32 @tf.%s(i32 %%v) #1 {\n" TOKEN
             "  %%l = call i32 @tf.subgroup.local.invocation.id()\n  %%o = xor i32 %%l, %u\n"
             "  %%r = call i32 @tf.read(i32 %%v, i32 %%o)" WITH_T "  ret i32 %%r\n}\n",
             name, across);
}

// Defines functions for ids and sizes, computed from the workgroup's size.
static bool place(struct llvm *p, const char *name)
{
    const uint32_t *size = p->f->size;
    const uint32_t all = size[0] * size[1] * size[2];
    if (strcmp(name, "num.subgroups") == 0) {
        text_add(p->out, "define internal i32 @tf.%s() {\n  ret i32 %u\n}\n", name,
                 is_wide(p) ? (all + 63) / 64 : (all + 31) / 32);
    } else if (strcmp(name, "flattened.thread.id.in.group") == 0 ||
               strcmp(name, "subgroup.id") == 0) {
        text_add(p->out,
                 "define internal i32 @tf.%s() {\n"
                 "  %%x = call i32 @tf.thread.id.in.group.i32(i32 0)\n"
                 "  %%y = call i32 @tf.thread.id.in.group.i32(i32 1)\n"
                 "  %%z = call i32 @tf.thread.id.in.group.i32(i32 2)\n"
                 "  %%zs = mul i32 %%z, %u\n  %%yz = add i32 %%y, %%zs\n  %%ys = mul i32 %%yz, %u\n"
                 "  %%f = add i32 %%x, %%ys\n  %%r = %s\n  ret i32 %%r\n}\n",
                 name, size[1], size[0],
                 name[0] == 'f' ? "add i32 %f, 0"
                 : is_wide(p)   ? "lshr i32 %f, 6"
                                : "lshr i32 %f, 5");
    } else if (strcmp(name, "thread.id.i32") == 0) {
        text_add(p->out,
                 "define internal i32 @tf.%s(i32 %%d) {\n"
                 "  %%l = call i32 @tf.thread.id.in.group.i32(i32 %%d)\n"
                 "  %%g = call i32 @tf.group.id.i32(i32 %%d)\n  %%is = icmp eq i32 %%d, 0\n"
                 "  %%or = icmp eq i32 %%d, 1\n  %%yz = select i1 %%or, i32 %u, i32 %u\n"
                 "  %%s = select i1 %%is, i32 %u, i32 %%yz\n  %%gs = mul i32 %%g, %%s\n"
                 "  %%r = add i32 %%gs, %%l\n  ret i32 %%r\n}\n",
                 name, size[1], size[2], size[0]);
    } else {
        return false;
    }
    return true;
}

// Defines tf.NAME; false if it is not known.
static bool define(struct llvm *p, const char *name)
{
    static const char *const quads[] = {"quad.read.across.x.i32", "quad.read.across.y.i32",
                                        "quad.read.across.diagonal.i32"};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (strcmp(shared[i].name, name) == 0) {
            text_add(p->out, "define internal %s @tf.%s(%s)%s {\n%s}\n", shared[i].type, name,
                     shared[i].parameters, shared[i].attributes,
                     is_wide(p) && shared[i].wide ? shared[i].wide : shared[i].body);
            return true;
        }
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (strcmp(loops[i].name, name) == 0) {
            const char *own = p->dialect == LLVM_AMDGCN ? loops[i].amdgcn : loops[i].nvptx;
            if (own)
                intrinsic(p, name, own);
            else
                loop(p, name, loops[i].identity, loops[i].with, loops[i].called, loops[i].scan);
            return true;
        }
    for (unsigned i = 0; i < 3; i++)
        if (strcmp(quads[i], name) == 0) {
            quad(p, name, i + 1);
            return true;
        }
    return place(p, name);
}

// Is the function part of the texts of a target, which always define it?
static bool is_basic(const char *name)
{
    static const char *const names[] = {"subgroup.local.invocation.id", "thread.id.in.group.i32",
                                        "group.id.i32"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

// Prints a text with its tokens, or without them.
static void emit(struct llvm *p, const char *text)
{
    static const char *const marks[] = {
        TOKEN WITH_T HEART WITH_H, "  %t = call token @llvm.experimental.convergence.entry()\n",
        " [ \"convergencectrl\"(token %t) ]\n",
        "  %h = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %t) "
        "]\n",
        " [ \"convergencectrl\"(token %h) ]\n"};
    static const char *const bare[] = {"", "", "\n", "", "\n"};
    for (size_t n; *text; text += n) {
        n = strcspn(text, marks[0]);
        text_addn(p->out, text, n);
        if (text[n])
            text_add(p->out, "%s", (p->bare ? bare : marks)[(unsigned char)text[n++]]);
    }
}

static bool define_all(struct llvm *p)
{
    if (p->dialect == LLVM_AMDGCN)
        text_add(p->out, "\n%s%s", is_wide(p) ? wave64 : wave32, amdgcn);
    else
        text_add(p->out, "\n%s", nvptx);
    for (size_t i = 0; i < p->wanted.n; i++)
        if (!is_basic(p->wanted.v[i]) && !define(p, p->wanted.v[i]))
            return err_set(p->e, "no %s for this back end", p->wanted.v[i]);
    return true;
}

bool llvm_target_end(struct llvm *p)
{
    struct text marked = {.arena = p->f->arena}, *out = p->out;
    p->out = &marked;
    const bool ok = define_all(p);
    p->out = out;
    if (ok)
        emit(p, marked.v);
    return ok;
}

// ---- buffers and Private variables -----------------------------------------

enum { WORDS = 1 << 20, INVOCATIONS = 1 << 16 };

void llvm_target_start(struct llvm *p)
{
    text_add(p->out,
             "target triple = \"%s\"\n\n@tf.groups = external addrspace(1) global [3 x i32]\n",
             p->dialect == LLVM_AMDGCN ? "amdgcn-amd-amdhsa" : "nvptx64-nvidia-cuda");
    for (size_t i = 0; i < p->f->buffers.n; i++) {
        const struct form_buffer *b = &p->f->buffers.v[i];
        // LLVM may read past what the program does if it knows how large the buffer is.
        if (p->dialect == LLVM_AMDGCN && !b->length)
            text_add(p->out, "@buffer.%s = external addrspace(1) global [0 x i32], align 4\n",
                     b->name);
        else
            text_add(p->out,
                     "@buffer.%s = addrspace(1) global [%u x i32] zeroinitializer, align 4\n",
                     b->name, b->length ? b->length : WORDS);
    }
}

void llvm_target_private(struct llvm *p, const char *name, const char *type)
{
    text_add(p->out, "@%s = addrspace(1) global [%u x %s] zeroinitializer, align 4\n", name + 1,
             INVOCATIONS, type);
}

// After a function's token: computes the address of each Private variable for the invocation.
void llvm_target_enter(struct llvm *p, bool main)
{
    const struct spv_module *m = &p->f->m;
    bool any = false;
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *in = &m->insts[i];
        if (in->op != SpvOpVariable || p->f->id[in->result].place != FORM_PRIVATE)
            continue;
        const char *name = llvm_value(p, in->result),
                   *type = llvm_type(p, spv_def(m, in->type)->v[1]);
        if (!any)
            text_add(p->out, "  %%self = call i32 %s(i32 0)\n", llvm_intrinsic(p, "thread.id.i32"));
        any = true;
        text_add(p->out, "  %s = getelementptr %s, ptr addrspace(1) @%s, i32 %%self\n", name, type,
                 name + 1);
        if (main)
            text_add(p->out, "  store %s %s, ptr addrspace(1) %s, align 4\n", type,
                     in->n > 1 ? llvm_value(p, in->v[1]) : "zeroinitializer", name);
    }
}
