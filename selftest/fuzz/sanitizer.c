// SPDX-License-Identifier: Apache-2.0
//
// What AddressSanitizer and LeakSanitizer are asked for where nobody says otherwise. SPIRV-Tools
// allocates a thousand times a run: call stacks of two frames, for long ones cost a quarter of the
// time (a replay with ASAN_OPTIONS=malloc_context_size=2:quarantine_size_mb=640 shows them whole);
// and what was freed is kept from use for 64 MB, some hundred runs, instead of 256, which caches
// feel.

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "malloc_context_size=2:quarantine_size_mb=64";
}

// While libFuzzer's thread that watches the memory starts, ASan asks the C library for the thread's
// stack, which allocates: a leak check in that moment (of a run's first input) takes this for the
// input's, once in a hundred runs that end at once. No target makes a thread. glibc 2.32 and later
// allocate in a function whose name only their debugging symbols tell (libc6-dbg): without them a
// few such reports remain.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:pthread_getattr_np\n"
           "leak:pthread_attr_setaffinity_np\n"
           "leak:__pthread_attr_extension\n";
}
