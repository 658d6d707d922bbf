// SPDX-License-Identifier: Apache-2.0
//
// Target `device`: a device program elsewhere, over a command's standard input and output or a
// connection. Users read examples/your-gpu/README.md.
#include "command.h"
#include "link_relay.h"

#include <stdlib.h>
#include <string.h>

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    char **words;
    (void)o;
    *out = (struct run_plan){0};
    if (!command_words(a, s, &words, e))
        return false;
    const char *address = link_address(words), *colon = address ? strrchr(address, ':') : NULL;
    uint32_t port;
    if (!address)
        return command_there(a, s->name, words[0], e);
    if (words[1] || !colon || colon == address || !parse_u32(colon + 1, strlen(colon + 1), &port) ||
        !port || port > 65535)
        return err_set(e, "device: '%s': expected tcp=HOST:PORT", run_stage_text(a, s));
    return getenv("TANGLEFUZZ_DEVICE_TOKEN") ||
           err_set(e, "device: %s: set TANGLEFUZZ_DEVICE_TOKEN to the device's token", words[0]);
}

static int serve(int fd, const struct wire_buf *in, struct arena *a, const struct run_stage *s,
                 const struct run_options *o)
{
    // A third of a job's time, so that a dead link is known before the job is late.
    const double most = 20, third = o->job_seconds / 3;
    struct link_open open = {.silence = third < most ? third : most, .options = *o};
    const char *token = getenv("TANGLEFUZZ_DEVICE_TOKEN");
    char **words;
    snprintf(open.token, sizeof open.token, "%s", token ? token : "");
    CHECK(command_words(a, s, &words, NULL));
    const struct link_use use = {.form = RUN_FORM_MEMORY};
    return link_relay(fd, in, words, &open, &use);
}

const struct run_backend link_backend = {.plan = plan, .serve = serve};
