// SPDX-License-Identifier: Apache-2.0
//
// Static libraries built on glibc 2.38 or newer call these functions; here they call the older
// ones. The only difference, 0b literals in base 0 and 2, does not matter to SPIRV-Tools' parser.
#include <stdlib.h>

long __isoc23_strtol(const char *s, char **end, int base);
unsigned long __isoc23_strtoul(const char *s, char **end, int base);
long long __isoc23_strtoll(const char *s, char **end, int base);
unsigned long long __isoc23_strtoull(const char *s, char **end, int base);

long __isoc23_strtol(const char *s, char **end, int base)
{
    return strtol(s, end, base);
}

unsigned long __isoc23_strtoul(const char *s, char **end, int base)
{
    return strtoul(s, end, base);
}

long long __isoc23_strtoll(const char *s, char **end, int base)
{
    return strtoll(s, end, base);
}

unsigned long long __isoc23_strtoull(const char *s, char **end, int base)
{
    return strtoull(s, end, base);
}
