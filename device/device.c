// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz-device: offers this machine's Vulkan device to a tanglefuzz elsewhere.
#include "device_parts.h"
#include "system.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: tanglefuzz-device [OPTION VALUE]...\n"
    "Offers a Vulkan device of this machine to a tanglefuzz elsewhere, over standard input and\n"
    "output: tanglefuzz fuzz --target 'device:ssh HOST tanglefuzz-device'\n"
    "  --device N      the device of this number, from 0 (default 0)\n"
    "  --name TEXT     the first device with this text in its name\n"
    "  --size S        require this subgroup size where a case does not\n"
    "  --listen PORT   wait for connections to 127.0.0.1:PORT (or ADDRESS:PORT) instead; the "
    "other\n"
    "                  side must know TANGLEFUZZ_DEVICE_TOKEN, at least 16 characters\n"
    "  --compile       create pipelines and run nothing\n"
    "  --nir           the same, and answer with the last NIR of Mesa's driver\n"
    "  --dump          the same, and answer with what the driver prints while it compiles\n"
    "  --list          print the devices and stop\n"
    "  --version       print the version and stop\n";

TF_NORETURN static void fail(const struct err *e)
{
    fprintf(stderr, "tanglefuzz-device: %s\n", e->msg);
    exit(2);
}

static int list(void)
{
    struct arena a = {0};
    struct vk_instance v = {0};
    struct err e = {0};
    if (!vk_instance_open(&v, &a, false, &e))
        fail(&e);
    for (uint32_t i = 0; i < v.device_count; i++) {
        struct run_info info;
        const bool usable = vk_device_info(v.devices[i], &info, &e);
        printf("%u  %s, %s", i, info.device, info.driver);
        if (usable)
            printf("; Vulkan %u.%u; subgroup size %u (%u to %u)\n", info.api_version >> 22 & 127,
                   info.api_version >> 12 & 1023, info.subgroup_size, info.subgroup_min,
                   info.subgroup_max);
        else
            printf("; not usable: %s\n", e.msg);
    }
    if (!v.device_count)
        puts("no device");
    vk_instance_close(&v);
    arena_free(&a);
    return v.device_count ? 0 : 2;
}

struct arguments {
    struct vk_spec spec;
    char address[64];
    uint32_t port; // 0: standard input and output
    bool list;
    struct device_use use;
};

static bool read_listen(struct arguments *x, const char *value, struct err *e)
{
    const char *colon = strrchr(value, ':'), *port = colon ? colon + 1 : value;
    snprintf(x->address, sizeof x->address, "%.*s", colon ? (int)(colon - value) : 9,
             colon ? value : "127.0.0.1");
    return (parse_u32(port, strlen(port), &x->port) && x->port && x->port < 65536) ||
           err_set(e, "--listen %s: expected a port, 1 to 65535", value);
}

static bool read_arguments(struct arguments *x, int argc, char **argv, struct err *e)
{
    *x = (struct arguments){0};
    struct vk_spec *s = &x->spec;
    for (int i = 1; i < argc; i++) {
        const char *key = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        const bool number = value && strcmp(key, "--device") == 0;
        if (strcmp(key, "--list") == 0) {
            x->list = true;
            continue;
        }
        if (strcmp(key, "--compile") == 0 || strcmp(key, "--nir") == 0 ||
            strcmp(key, "--dump") == 0) {
            x->use.compiles = true;
            x->use.nir |= strcmp(key, "--nir") == 0;
            x->use.dump |= strcmp(key, "--dump") == 0;
            continue;
        }
        if (strcmp(key, "--device") != 0 && strcmp(key, "--name") != 0 &&
            strcmp(key, "--size") != 0 && strcmp(key, "--listen") != 0)
            return err_set(e, "unknown option '%.100s' (--help lists the options)", key);
        if (!value)
            return err_set(e, "%s needs a value", key);
        i++;
        if (strcmp(key, "--name") == 0)
            s->name = value;
        else if (strcmp(key, "--listen") == 0 && !read_listen(x, value, e))
            return false;
        else if (number && !(s->has_device = parse_u32(value, strlen(value), &s->device)))
            return err_set(e, "--device %s: expected a number, counted from 0", value);
        else if (strcmp(key, "--size") == 0 &&
                 (!parse_u32(value, strlen(value), &s->size) || !s->size || s->size > LANES_MAX ||
                  (s->size & (s->size - 1))))
            return err_set(e, "--size %s: expected a power of two up to %d", value, LANES_MAX);
    }
    return !(s->name && s->has_device) || err_set(e, "--device and --name exclude each other");
}

int main(int argc, char **argv)
{
    enum { TOKEN_LEAST = 16 };
    struct arguments x;
    struct err e = {0};
    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        return fputs(usage, stdout) < 0;
    if (argc == 2 && strcmp(argv[1], "--version") == 0)
        return printf("tanglefuzz-device %s %s, protocol %d\n", version_number(), version_commit(),
                      (int)LINK_VERSION) < 0;
    if (!read_arguments(&x, argc, argv, &e))
        fail(&e);
    if (x.list)
        return list();
    const char *token = getenv("TANGLEFUZZ_DEVICE_TOKEN");
    if (x.port && (!token || strlen(token) < TOKEN_LEAST || strlen(token) >= LINK_TEXT)) {
        err_set(&e, "--listen: set TANGLEFUZZ_DEVICE_TOKEN to a secret of %d to %d characters",
                (int)TOKEN_LEAST, (int)LINK_TEXT - 1);
        fail(&e);
    }
    if (!(x.port ? system_listen(x.address, x.port, &e) : system_start(argc, argv, &e)))
        fail(&e);
    device_serve(&x.spec, &x.use, x.port ? token : NULL);
}
