// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "held_threads.h"

#include "base/base.h"
#include "base/sanitized.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#if SANITIZED // a sanitizer has its own pthread_create
void held_threads_begin(void) {}

void held_threads_end(void) {}

void held_threads_start(void) {}
#else

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

enum { HELD_MAX = 64 };

struct held {
    pthread_t *id; // where the driver expects the identifier
    void *(*begin)(void *);
    void *argument;
    sigset_t mask;
};

static struct held held[HELD_MAX];
static unsigned held_count;
static bool holding; // only while the process has one thread

static create_function *libc_create(void)
{
    union {
        void *object;
        create_function *function;
    } found = {dlsym(RTLD_NEXT, "pthread_create")};
    CHECK(found.object);
    return found.function;
}

// True if the address lies in the calling thread's stack.
static bool is_on_stack(const void *at)
{
    pthread_attr_t attributes;
    void *low = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return true;
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    return (uintptr_t)at - (uintptr_t)low < size;
}

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*begin)(void *),
                   void *argument)
{
    if (!holding || attributes || held_count == HELD_MAX || is_on_stack(id))
        return libc_create()(id, attributes, begin, argument);
    struct held *h = &held[held_count++];
    *h = (struct held){.id = id, .begin = begin, .argument = argument};
    pthread_sigmask(SIG_SETMASK, NULL, &h->mask);
    *id = 0;
    return 0;
}

void held_threads_begin(void)
{
    holding = true;
}

void held_threads_end(void)
{
    holding = false;
}

void held_threads_start(void)
{
    create_function *create = libc_create();
    sigset_t own;
    pthread_sigmask(SIG_SETMASK, NULL, &own);
    for (unsigned i = 0; i < held_count; i++) {
        pthread_sigmask(SIG_SETMASK, &held[i].mask, NULL);
        CHECK(create(held[i].id, NULL, held[i].begin, held[i].argument) == 0);
    }
    pthread_sigmask(SIG_SETMASK, &own, NULL);
    held_count = 0;
}
#endif
