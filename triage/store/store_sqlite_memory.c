// SPDX-License-Identifier: Apache-2.0
//
// SQLite: ends this process when memory runs out, as everywhere else.
#include "store_parts.h"

#include <pthread.h>
#include <sqlite3.h>

static sqlite3_mem_methods theirs; // SQLite's own allocator

static void *room(int n)
{
    void *p = theirs.xMalloc(n);
    return p ? p : (out_of_memory(), NULL);
}

static void *more_room(void *old, int n)
{
    void *p = theirs.xRealloc(old, n);
    return p ? p : (out_of_memory(), NULL);
}

// Stops the process if SQLite runs out of memory: it would return a NULL text, read as empty.
static void memory_ends(void)
{
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &theirs);
    sqlite3_mem_methods ours = theirs;
    ours.xMalloc = room;
    ours.xRealloc = more_room;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &ours);
}

void store_sqlite_prepare(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, memory_ends);
}
