// SPDX-License-Identifier: Apache-2.0
//
// Serves one connection (link.h): opens the device, runs the jobs in order.
//
// A thread reads all frames as they come. So jobs are here before they are needed, and the end of
// the connection ends the process even while the driver does not return. Another thread says that
// the program is there. Each result is sent before the next case begins: a crash belongs to the
// first case without one.
#include "device_parts.h"
#include "system.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// A connection may send this much before its token is known.
enum { OPEN_LIMIT = 1 << 16 };

// ---- frames in ------------------------------------------------------------------------

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct wire_buf bytes;
    uint64_t limit; // bytes of a frame, and of those that wait
} inbox = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void *read_all(void *unused)
{
    enum { CHUNK = 1 << 16 };
    static uint8_t chunk[CHUNK];
    for (size_t n; (n = system_read(chunk, CHUNK));) {
        pthread_mutex_lock(&inbox.lock);
        while (inbox.bytes.n - inbox.bytes.at > inbox.limit)
            pthread_cond_wait(&inbox.changed, &inbox.lock);
        put_bytes(&inbox.bytes, chunk, n);
        pthread_cond_broadcast(&inbox.changed);
        pthread_mutex_unlock(&inbox.lock);
    }
    (void)unused;
    system_leave(0);
}

TF_NORETURN static void not_ours(const char *what)
{
    fprintf(stderr, "tanglefuzz-device: %s: is this tanglefuzz, of the same source?\n", what);
    system_leave(1);
}

// Waits for a frame, whose payload stays valid until the next call.
static void next(struct frame *f)
{
    static struct wire_buf held;
    bool bad = false;
    pthread_mutex_lock(&inbox.lock);
    while (!frame_next(&inbox.bytes, inbox.limit, f, &bad) && !bad)
        pthread_cond_wait(&inbox.changed, &inbox.lock);
    if (!bad) {
        held.at = held.n = 0;
        wire_room(&held, 1); // an empty payload has an address too
        put_bytes(&held, f->p, (size_t)(f->end - f->p));
        f->p = held.v;
        f->end = held.v + held.n;
    }
    pthread_cond_broadcast(&inbox.changed);
    pthread_mutex_unlock(&inbox.lock);
    if (bad)
        not_ours("the input is not a frame");
}

// From here on frames may be as large as a job.
static void trust_more(void)
{
    pthread_mutex_lock(&inbox.lock);
    inbox.limit = FRAME_LIMIT;
    pthread_cond_broadcast(&inbox.changed);
    pthread_mutex_unlock(&inbox.lock);
}

// ---- frames out -----------------------------------------------------------------------

static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

static void send(struct wire_buf *b)
{
    pthread_mutex_lock(&writing);
    const bool sent = system_write(b->v + b->at, b->n - b->at);
    pthread_mutex_unlock(&writing);
    b->at = b->n = 0;
    if (!sent)
        system_leave(0);
}

static void *say_alive(void *open)
{
    const double seconds = ((const struct link_open *)open)->silence / 4;
    struct wire_buf b = {0};
    for (;;) {
        system_sleep(seconds);
        put_alive(&b, contain_own());
        send(&b);
    }
    return NULL;
}

// ---- the device -----------------------------------------------------------------------

// The connection: a process has one.
static struct serve {
    struct run_sink sink; // first member: what the backend sees
    struct wire_buf out;
    uint32_t job, at, left; // number; the case; cases without a result
    struct link_open open;  // say_alive reads it
    struct vk_device *device;
    struct arena arena, kept; // of a job; of the device
} serving;

static void send_result(struct run_sink *sink, const struct run_result *r)
{
    struct serve *s = (struct serve *)sink;
    const size_t begin = frame_begin(&s->out, FRAME_RESULT);
    put_u32(&s->out, s->job);
    put_u32(&s->out, s->at++);
    put_result_fields(&s->out, r);
    frame_end(&s->out, begin);
    // The last one goes with the end of the job.
    if (--s->left)
        send(&s->out);
}

static void begin_job(struct serve *s, struct frame *f, struct arena *a, struct run_job *job)
{
    s->job = get_u32(f);
    s->at = get_u32(f);
    if (f->kind != FRAME_JOB || !get_job(f, a, job) || s->at >= job->n)
        not_ours("the input is not a job");
    job->cases += s->at;
    job->n -= s->at;
    s->left = job->n;
    const size_t begin = frame_begin(&s->out, FRAME_START);
    put_u32(&s->out, s->job);
    frame_end(&s->out, begin);
    send(&s->out);
}

static void end_job(struct serve *s)
{
    const size_t begin = frame_begin(&s->out, FRAME_DONE);
    put_u32(&s->out, s->job);
    put_f64(&s->out, s->sink.late.wall);
    put_f64(&s->out, s->sink.late.cpu);
    frame_end(&s->out, begin);
}

// False, with a line, if the token is another one. Takes the same time wherever it differs.
static bool knows(const char *token, const char *given, struct err *e)
{
    const size_t n = token ? strlen(token) : 0, m = strlen(given);
    unsigned differs = n != m;
    for (size_t i = 0; i < n; i++)
        differs |= (unsigned)(token[i] ^ given[i < m ? i : m]);
    return !token || !differs ||
           err_set(e, "the token is another one: set TANGLEFUZZ_DEVICE_TOKEN to the device's");
}

// The driver's text is its last NIR alone.
static bool text_is_nir(struct vk_device *d, struct err *e)
{
    const struct vk_nir *nir = vk_nir_known(&d->info, e);
    if (!nir)
        return false;
    if (!nir->part || !d->features.executables.pipelineExecutableInfo)
        return err_set(e, "isa:nir: the driver of '%.100s' does not report its NIR",
                       d->info.device);
    d->driver_text = true;
    d->text_part = nir->part;
    return true;
}

static bool open_device(struct serve *s, const struct vk_spec *spec, const struct device_use *use,
                        struct err *e)
{
    const struct run_options *o = &s->open.options;
    struct vk_device *d = s->device;
    d->size = spec->size;
    d->driver_text = o->driver_text;
    d->fence_seconds = o->fence_seconds;
    if (!vk_instance_open(&d->instance, &s->kept, o->validate, e) ||
        !vk_device_open(d, &s->kept, spec, e))
        return false;
    d->compile_only = use->compiles;
    d->info.form = use->compiles ? RUN_FORM_NONE : RUN_FORM_MEMORY;
    d->code.dump = use->dump;
    d->driver_text |= use->dump;
    return !use->nir || text_is_nir(d, e);
}

void device_serve(const struct vk_spec *spec, const struct device_use *use, const char *token)
{
    struct serve *s = &serving;
    struct err e = {0};
    struct frame f;
    pthread_t thread;
    s->sink.result = send_result;
    s->device = mem_new(sizeof *s->device);
    inbox.limit = OPEN_LIMIT;
    put_greeting(&s->out, system_name());
    send(&s->out);
    if (pthread_create(&thread, NULL, read_all, NULL) != 0)
        not_ours("cannot start a thread");
    next(&f);
    if (f.kind != FRAME_OPEN || !get_open(&f, &s->open))
        not_ours("the first frame does not open the device");
    if (pthread_create(&thread, NULL, say_alive, &s->open) != 0)
        not_ours("cannot start a thread");
    if (!knows(token, s->open.token, &e) || !open_device(s, spec, use, &e)) {
        const size_t begin = frame_begin(&s->out, FRAME_REFUSED);
        put_str(&s->out, e.msg);
        frame_end(&s->out, begin);
        send(&s->out);
        system_leave(0);
    }
    trust_more();
    const size_t begin = frame_begin(&s->out, FRAME_READY);
    put_info(&s->out, &s->device->info);
    frame_end(&s->out, begin);
    send(&s->out);
    for (bool alive = true; alive;) {
        struct run_job job;
        next(&f);
        arena_reset(&s->arena);
        begin_job(s, &f, &s->arena, &job);
        s->sink.late = (struct run_time){0};
        alive = vk_run(s->device, &s->arena, &job, &s->sink);
        end_job(s);
        send(&s->out);
    }
    system_leave(0); // closing a lost device may never return
}
