// SPDX-License-Identifier: Apache-2.0
#include "devices.h"
#include "app.h"

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
    say("      %s\n", i->device);
    if (i->api_version)
        say("      %s, Vulkan %u.%u.%u\n", i->driver, i->api_version >> 22 & 0x7f,
            i->api_version >> 12 & 0x3ff, i->api_version & 0xfff);
    else if (i->driver[0])
        say("      %s\n", i->driver);
    say("      maximal reconvergence: %s%s%s\n",
        run_offers(i, SPV_NEED(MAXIMAL_RECONVERGENCE)) ? "yes" : "no",
        run_offers(i, SPV_NEED(SUBGROUP_UNIFORM)) ? "; subgroup-uniform control flow" : "",
        run_only_compiles(i) ? "; compiles only" : "");
    say("      subgroup size %u", i->subgroup_size);
    if (i->subgroup_min != i->subgroup_max)
        say(", can be chosen from %u to %u", i->subgroup_min, i->subgroup_max);
    say("\n      ops");
    for (uint32_t k = 0; k < SPV_NEED_CLASSES; k++)
        if (run_offers(i, (spv_needs)1 << k))
            say(" %s", spv_need_name((spv_needs)1 << k));
    say("\n");
    if (i->has_driver_text)
        say("      reports its machine code (replay --driver-text)\n");
}
