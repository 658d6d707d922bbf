// SPDX-License-Identifier: Apache-2.0
#include "devices.h"
#include "app.h"

// "basic vote ballot", VkSubgroupFeatureFlagBits in their order.
static void print_ops(uint32_t ops)
{
    static const char *const names[] = {"basic",       "vote",     "arithmetic",      "ballot",
                                        "shuffle",     "relative", "clustered",       "quad",
                                        "partitioned", "rotate",   "rotate-clustered"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (ops >> i & 1)
            say(" %s", names[i]);
}

void devices_print(const struct run_listed *d)
{
    say("  %s\n", d->spec);
    if (!d->usable) {
        say("      not usable: %s\n", d->why);
        return;
    }
    const struct run_info *i = &d->info;
    if (run_is_compiler(i)) {
        say("      compiler: %s (%s)\n", i->device, i->driver);
        return;
    }
    say("      %s\n      %s, Vulkan %u.%u.%u\n", i->device, i->driver, i->api_version >> 22 & 0x7f,
        i->api_version >> 12 & 0x3ff, i->api_version & 0xfff);
    say("      maximal reconvergence: %s%s%s\n", i->maximal_reconvergence ? "yes" : "no",
        i->subgroup_uniform ? "; subgroup-uniform control flow" : "",
        run_only_compiles(i) ? "; compiles only" : "");
    say("      subgroup size %u", i->subgroup_size);
    if (i->subgroup_min != i->subgroup_max)
        say(", can be chosen from %u to %u", i->subgroup_min, i->subgroup_max);
    say("\n      ops");
    print_ops(i->subgroup_ops);
    say("\n");
    if (i->tells)
        say("      tells what it makes of a shader (replay --driver-text)\n");
}
