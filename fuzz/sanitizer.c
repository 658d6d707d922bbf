// SPDX-License-Identifier: Apache-2.0
//
// What AddressSanitizer is asked for where nobody says otherwise: short call stacks of what was allocated.
// SPIRV-Tools allocates a thousand times a run, and long ones cost a quarter of the time.

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "malloc_context_size=3";
}
