// SPDX-License-Identifier: Apache-2.0
//
// A stub of Linux's i915 driver, loaded before Mesa's drivers for Intel (LD_PRELOAD), so that they
// compile without a GPU. It answers what they ask at start and allocates memory; it runs nothing. A
// call that it does not know fails with EINVAL, and its name is printed on standard error.
//   DRM_STUB_PCI    the GPU: its PCI id in hexadecimal
//   DRM_STUB_LOCAL  1: the GPU has memory of its own (1: yes, 0: no; by default the ids of such
//   GPUs are known) INTEL_SHADER_BIN_DUMP_PATH=/dev/dri/code  the driver writes each shader's
//   machine code there: this file
//                   keeps the last one in memory, for drm_stub_code()
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <xf86drm.h>

#define FOLDER "/dev/dri/"
#define CODE   FOLDER "code/"
enum { MAJOR = 226, RENDER = 128, SUBSLICES = 6, EUS = 16, OBJECTS = 1 << 16 };
#define SIZE (UINT64_C(1) << 40)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int memory = -1; // all objects, one after the other
static uint64_t used;
static uint64_t object[OBJECTS]; // offsets
static uint32_t objects = 1, counter = 1;
static int code = -1; // the last shader's machine code

static uint32_t pci(void)
{
    const char *v = getenv("DRM_STUB_PCI");
    return v ? (uint32_t)strtoul(v, NULL, 16) : 0x9a49;
}

// True for GPUs with memory of their own: DG2 and BMG.
static bool local_memory(void)
{
    const char *v = getenv("DRM_STUB_LOCAL");
    const uint32_t id = pci();
    return v ? *v == '1' : (id & 0xff00) == 0x5600 || (id & 0xff00) == 0xe200;
}

// The last shader's machine code: a file in memory, which stays open. -1: none was written since
// the last call.
__attribute__((visibility("default"))) int drm_stub_code(void)
{
    pthread_mutex_lock(&lock);
    const int fd = code;
    code = -1;
    pthread_mutex_unlock(&lock);
    return fd;
}

// ---- the device

static void node(char *at, int kind)
{
    strcpy(at, kind == DRM_NODE_RENDER ? FOLDER "renderD128" : FOLDER "card0");
}

static drmDevicePtr make_device(void)
{
    struct device {
        drmDevice device;
        char *nodes[DRM_NODE_MAX];
        char name[DRM_NODE_MAX][32];
        drmPciBusInfo bus;
        drmPciDeviceInfo info;
    } *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    for (int i = 0; i < DRM_NODE_MAX; i++) {
        node(d->name[i], i);
        d->nodes[i] = d->name[i];
    }
    d->bus = (drmPciBusInfo){.bus = 0, .dev = 2};
    d->info =
        (drmPciDeviceInfo){.vendor_id = 0x8086, .device_id = (uint16_t)pci(), .revision_id = 4};
    d->device.nodes = d->nodes;
    d->device.available_nodes = 1 << DRM_NODE_PRIMARY | 1 << DRM_NODE_RENDER;
    d->device.bustype = DRM_BUS_PCI;
    d->device.businfo.pci = &d->bus;
    d->device.deviceinfo.pci = &d->info;
    return &d->device;
}

int drmGetDevices2(uint32_t flags, drmDevicePtr v[], int max)
{
    (void)flags;
    if (v && max > 0 && !(v[0] = make_device()))
        return -ENOMEM;
    return 1;
}
int drmGetDevices(drmDevicePtr v[], int max)
{
    return drmGetDevices2(0, v, max);
}
int drmGetDevice2(int fd, uint32_t flags, drmDevicePtr *out)
{
    (void)fd, (void)flags;
    return (*out = make_device()) ? 0 : -ENOMEM;
}
int drmGetDevice(int fd, drmDevicePtr *out)
{
    return drmGetDevice2(fd, 0, out);
}
void drmFreeDevice(drmDevicePtr *d)
{
    free(*d);
    *d = NULL;
}
void drmFreeDevices(drmDevicePtr v[], int n)
{
    for (int i = 0; i < n; i++)
        drmFreeDevice(&v[i]);
}

// ---- files

// Opens a file below FOLDER. Machine code gets a new file in memory; anything else is the device.
static int open_below(const char *path, bool close_on_exec)
{
    int fd;
    pthread_mutex_lock(&lock);
    if (strncmp(path, CODE, strlen(CODE)) == 0) {
        if (code >= 0)
            close(code);
        code = memfd_create("code", MFD_CLOEXEC);
        fd = code < 0 ? -1 : dup(code);
    } else {
        if (memory < 0 && (memory = memfd_create("i915", MFD_CLOEXEC)) >= 0 &&
            ftruncate(memory, (off_t)SIZE) != 0)
            memory = -1;
        fd = memory < 0 ? -1 : fcntl(memory, close_on_exec ? F_DUPFD_CLOEXEC : F_DUPFD, 3);
    }
    pthread_mutex_unlock(&lock);
    return fd;
}

static bool below(const char *path)
{
    return path && strncmp(path, FOLDER, strlen(FOLDER)) == 0;
}

// Declares `real` as the library's own function of this name.
#define REAL(type, name, ...)                                                                      \
    static type (*real)(__VA_ARGS__);                                                              \
    if (!real)                                                                                     \
    *(void **)&real = dlsym(RTLD_NEXT, name)

#define OPEN(NAME)                                                                                 \
    int NAME(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list ap;                                                                                \
        REAL(int, #NAME, const char *, int, ...);                                                  \
        va_start(ap, flags);                                                                       \
        const unsigned mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(ap, unsigned) : 0;          \
        va_end(ap);                                                                                \
        return below(path) ? open_below(path, flags & O_CLOEXEC) : real(path, flags, mode);        \
    }
OPEN(open)
OPEN(open64)

#define FOPEN(NAME)                                                                                \
    FILE *NAME(const char *path, const char *how)                                                  \
    {                                                                                              \
        REAL(FILE *, #NAME, const char *, const char *);                                           \
        const int fd = below(path) ? open_below(path, true) : -1;                                  \
        return below(path) ? fd < 0 ? NULL : fdopen(fd, how) : real(path, how);                    \
    }
FOPEN(fopen)
FOPEN(fopen64)

// stat() of the nodes: a character device, whose number Mesa reports.
#define STAT(NAME, TYPE)                                                                           \
    int NAME(const char *restrict path, struct TYPE *restrict out)                                 \
    {                                                                                              \
        REAL(int, #NAME, const char *, struct TYPE *);                                             \
        if (!below(path))                                                                          \
            return real(path, out);                                                                \
        memset(out, 0, sizeof *out);                                                               \
        out->st_mode = S_IFCHR | 0666;                                                             \
        out->st_rdev = makedev(MAJOR, strstr(path, "render") ? RENDER : 0);                        \
        return 0;                                                                                  \
    }
STAT(stat, stat)
STAT(stat64, stat64)

// ---- questions

static int fail(int error)
{
    errno = error;
    return -1;
}

static int unknown(const char *what, unsigned long number)
{
    fprintf(stderr, "drm_stub: unknown %s 0x%lx\n", what, number);
    return fail(EINVAL);
}

static int version(struct drm_version *v)
{
    static const char name[] = "i915", date[] = "20260101";
    v->version_major = 1;
    v->version_minor = 6;
    v->version_patchlevel = 0;
    if (v->name && v->name_len >= sizeof name - 1)
        memcpy(v->name, name, sizeof name - 1);
    if (v->date && v->date_len >= sizeof date - 1)
        memcpy(v->date, date, sizeof date - 1);
    v->name_len = sizeof name - 1;
    v->date_len = sizeof date - 1;
    v->desc_len = 0;
    return 0;
}

static int parameter(const struct drm_i915_getparam *p)
{
    switch (p->param) {
    case I915_PARAM_CHIPSET_ID:
        *p->value = (int)pci();
        return 0;
    case I915_PARAM_REVISION:
        *p->value = 4;
        return 0;
    case I915_PARAM_HAS_ALIASING_PPGTT:
        *p->value = 3;
        return 0;
    case I915_PARAM_MMAP_GTT_VERSION:
        *p->value = 4;
        return 0;
    case I915_PARAM_CS_TIMESTAMP_FREQUENCY:
        *p->value = 19200000;
        return 0;
    case I915_PARAM_SUBSLICE_TOTAL:
        *p->value = SUBSLICES;
        return 0;
    case I915_PARAM_EU_TOTAL:
        *p->value = SUBSLICES * EUS;
        return 0;
    case I915_PARAM_SUBSLICE_MASK:
        *p->value = (1 << SUBSLICES) - 1;
        return 0;
    default: // a slice mask, or "has it this feature"
        *p->value = 1;
        return 0;
    }
}

// Fills a query's answer at `to`, which may be NULL, and returns its size; 0: not known.
static size_t topology(uint8_t *to)
{
    struct drm_i915_query_topology_info v = {.max_slices = 1,
                                             .max_subslices = SUBSLICES,
                                             .max_eus_per_subslice = EUS,
                                             .subslice_offset = 1,
                                             .subslice_stride = 1,
                                             .eu_offset = 2,
                                             .eu_stride = EUS / 8};
    const size_t masks = 2 + SUBSLICES * EUS / 8;
    if (to) {
        memcpy(to, &v, sizeof v);
        memset(to + sizeof v, 0xff, masks);
        to[sizeof v] = 1;
        to[sizeof v + 1] = (1 << SUBSLICES) - 1;
    }
    return sizeof v + masks;
}

static size_t engines(uint8_t *to)
{
    static const uint16_t classes[] = {I915_ENGINE_CLASS_RENDER, I915_ENGINE_CLASS_COPY,
                                       I915_ENGINE_CLASS_COMPUTE};
    enum { N = sizeof classes / sizeof *classes };
    struct drm_i915_engine_info v[N] = {0};
    const struct drm_i915_query_engine_info head = {.num_engines = N};
    for (int i = 0; i < N; i++)
        v[i].engine.engine_class = classes[i];
    if (to) {
        memcpy(to, &head, sizeof head);
        memcpy(to + sizeof head, v, sizeof v);
    }
    return sizeof head + sizeof v;
}

static size_t regions(uint8_t *to)
{
    struct drm_i915_memory_region_info v[2] = {{.region.memory_class = I915_MEMORY_CLASS_SYSTEM,
                                                .probed_size = SIZE / 64,
                                                .unallocated_size = SIZE / 64},
                                               {.region.memory_class = I915_MEMORY_CLASS_DEVICE,
                                                .probed_size = SIZE / 64,
                                                .unallocated_size = SIZE / 64}};
    const struct drm_i915_query_memory_regions head = {.num_regions = local_memory() ? 2 : 1};
    v[1].probed_cpu_visible_size = v[1].unallocated_cpu_visible_size = SIZE / 64;
    if (to) {
        memcpy(to, &head, sizeof head);
        memcpy(to + sizeof head, v, head.num_regions * sizeof *v);
    }
    return sizeof head + head.num_regions * sizeof *v;
}

static size_t item(uint64_t id, uint8_t *to)
{
    switch (id & 0xffff) { // above: the engine whose subslices are asked for
    case DRM_I915_QUERY_TOPOLOGY_INFO:
    case DRM_I915_QUERY_GEOMETRY_SUBSLICES:
        return topology(to);
    case DRM_I915_QUERY_ENGINE_INFO:
        return engines(to);
    case DRM_I915_QUERY_MEMORY_REGIONS:
        return regions(to);
    default:
        return 0;
    }
}

// Each is asked twice: with length 0 for its size.
static int query(const struct drm_i915_query *q)
{
    struct drm_i915_query_item *v = (void *)(uintptr_t)q->items_ptr;
    for (uint32_t i = 0; i < q->num_items; i++) {
        const size_t size = item(v[i].query_id, NULL);
        if (size && v[i].length >= (int64_t)size)
            item(v[i].query_id, (void *)(uintptr_t)v[i].data_ptr);
        v[i].length = size ? (int32_t)size : -EINVAL;
    }
    return 0;
}

// ---- memory

static int new_object(uint64_t size, uint32_t *handle)
{
    const uint64_t unit = 64 << 10, all = (size + unit - 1) / unit * unit;
    int r = fail(ENOMEM);
    pthread_mutex_lock(&lock);
    if (objects < OBJECTS && all <= SIZE - used) {
        object[objects] = used;
        used += all;
        *handle = objects++;
        r = 0;
    }
    pthread_mutex_unlock(&lock);
    return r;
}

static int map(struct drm_i915_gem_mmap *m)
{
    if (m->handle >= objects)
        return fail(ENOENT);
    void *at = mmap(NULL, m->size, PROT_READ | PROT_WRITE, MAP_SHARED, memory,
                    (off_t)(object[m->handle] + m->offset));
    m->addr_ptr = (uintptr_t)at;
    return at == MAP_FAILED ? -1 : 0;
}

static int count(uint32_t *out)
{
    *out = __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
    return 0;
}

// ---- calls

static int of_context(struct drm_i915_gem_context_param *p)
{
    p->value = p->param == I915_CONTEXT_PARAM_GTT_SIZE ? UINT64_C(1) << 48 : 0;
    return 0;
}

// DRM's own calls, whatever the driver.
static int general(unsigned number, void *arg)
{
    switch (number) {
    case 0x00:
        return version(arg);
    case 0x0c: // get cap
        ((struct drm_get_cap *)arg)->value = 1;
        return 0;
    case 0x09: // gem close
    case 0x0d: // set client cap
        return 0;
    case 0x2d: // prime handle to fd
    case 0x2e:
        return fail(ENOSYS);
    case 0xbf: // syncobj create
        return count(&((struct drm_syncobj_create *)arg)->handle);
    case 0xcb: { // syncobj query: every point is reached
        const struct drm_syncobj_timeline_array *v = arg;
        uint64_t *point = (void *)(uintptr_t)v->points;
        for (uint32_t i = 0; i < v->count_handles; i++)
            point[i] = UINT64_C(1) << 40;
        return 0;
    }
    default:
        return number >= 0xc0 && number <= 0xcf ? 0 : unknown("call of DRM", number);
    }
}

static int of_i915(unsigned number, void *arg)
{
    switch (number) {
    case DRM_I915_GETPARAM:
        return parameter(arg);
    case DRM_I915_QUERY:
        return query(arg);
    case DRM_I915_GEM_CREATE: {
        struct drm_i915_gem_create *v = arg;
        return new_object(v->size, &v->handle);
    }
    case DRM_I915_GEM_CREATE_EXT: {
        struct drm_i915_gem_create_ext *v = arg;
        return new_object(v->size, &v->handle);
    }
    case DRM_I915_GEM_USERPTR: {
        struct drm_i915_gem_userptr *v = arg;
        return new_object(v->user_size, &v->handle);
    }
    case DRM_I915_GEM_MMAP_GTT: { // and of an offset
        struct drm_i915_gem_mmap_offset *v = arg;
        if (v->handle >= objects)
            return fail(ENOENT);
        v->offset = object[v->handle];
        return 0;
    }
    case DRM_I915_GEM_MMAP:
        return map(arg);
    case DRM_I915_GEM_CONTEXT_CREATE:
        return count(&((struct drm_i915_gem_context_create *)arg)->ctx_id);
    case DRM_I915_GEM_VM_CREATE:
        return count(&((struct drm_i915_gem_vm_control *)arg)->vm_id);
    case DRM_I915_GEM_CONTEXT_GETPARAM:
        return of_context(arg);
    case DRM_I915_GEM_GET_APERTURE:
        *(struct drm_i915_gem_get_aperture *)arg =
            (struct drm_i915_gem_get_aperture){UINT64_C(1) << 48, UINT64_C(1) << 48};
        return 0;
    case DRM_I915_REG_READ:
        ((struct drm_i915_reg_read *)arg)->val = 1;
        return 0;
    case DRM_I915_GET_RESET_STATS:
        ((struct drm_i915_reset_stats *)arg)->batch_active = 0;
        ((struct drm_i915_reset_stats *)arg)->batch_pending = 0;
        return 0;
    // Nothing runs, so these have nothing to do.
    case DRM_I915_GEM_EXECBUFFER2:
    case DRM_I915_GEM_WAIT:
    case DRM_I915_GEM_BUSY:
    case DRM_I915_GEM_MADVISE:
    case DRM_I915_GEM_SET_DOMAIN:
    case DRM_I915_GEM_SET_CACHING:
    case DRM_I915_GEM_SET_TILING:
    case DRM_I915_GEM_GET_TILING:
    case DRM_I915_GEM_CONTEXT_DESTROY:
    case DRM_I915_GEM_CONTEXT_SETPARAM:
    case DRM_I915_GEM_VM_DESTROY:
        return 0;
    default:
        return unknown("call of i915", number);
    }
}

int ioctl(int fd, unsigned long request, ...)
{
    va_list ap;
    REAL(int, "ioctl", int, unsigned long, void *);
    va_start(ap, request);
    void *arg = va_arg(ap, void *);
    va_end(ap);
    if (_IOC_TYPE(request) != DRM_IOCTL_BASE)
        return real(fd, request, arg);
    const unsigned number = _IOC_NR(request);
    return number >= DRM_COMMAND_BASE && number < 0xa0 ? of_i915(number - DRM_COMMAND_BASE, arg)
                                                       : general(number, arg);
}
