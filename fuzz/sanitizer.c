// SPDX-License-Identifier: Apache-2.0
//
// What AddressSanitizer is asked for where nobody says otherwise. SPIRV-Tools allocates a thousand times a run: call stacks of
// two frames, for long ones cost a quarter of the time (a replay with ASAN_OPTIONS=malloc_context_size=2:quarantine_size_mb=640 shows them whole);
// and what was freed is kept from use for 64 MB, some hundred runs, instead of 256, which caches feel.

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "malloc_context_size=2:quarantine_size_mb=64";
}
