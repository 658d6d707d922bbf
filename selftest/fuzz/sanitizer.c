// SPDX-License-Identifier: Apache-2.0
//
// Default options of AddressSanitizer and LeakSanitizer. SPIRV-Tools allocates a thousand times per
// run, so call stacks have two frames: long ones take a quarter of the time (for full stacks,
// replay with ASAN_OPTIONS=malloc_context_size=30). Freed memory is quarantined up to 64 MB, some
// hundred runs, instead of 256 MB, which slows down caches.

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "malloc_context_size=2:quarantine_size_mb=64";
}

// When libFuzzer starts its thread that watches memory, ASan queries the C library for the thread's
// stack, which allocates. A leak check at that moment (during the first input) reports this as a
// leak of the input, in about one of a hundred short runs. No target creates a thread. glibc 2.32
// and later allocate in a function whose name only its debugging symbols contain (libc6-dbg):
// without them a few such reports remain.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:pthread_getattr_np\n"
           "leak:pthread_attr_setaffinity_np\n"
           "leak:__pthread_attr_extension\n";
}
