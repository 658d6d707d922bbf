// SPDX-License-Identifier: Apache-2.0
//
// Reads the "ze_info" of a kernel that IGC compiled: its arguments, and where a thread finds them.
#include "eu_program.h"
#include "isa/isa_text.h"

#include <string.h>

enum part { PART_NONE, PART_ARGUMENTS, PART_THREAD };

// "offset:          24" -> 24
static bool number_of(struct word line, const char *key, uint32_t *out)
{
    if (!word_starts(line, key))
        return false;
    line = word_after(line, strlen(key));
    while (line.n && *line.s == ' ')
        line = word_after(line, 1);
    return parse_u32(line.s, line.n, out);
}

static bool kind_of(struct word name, enum eu_argument_kind *out)
{
    static const struct {
        const char *name;
        enum eu_argument_kind kind;
    } kinds[] = {{"arg_bypointer", ARGUMENT_ADDRESS},
                 {"group_count", ARGUMENT_GROUPS},
                 {"global_id_offset", ARGUMENT_ZERO}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (word_is(name, kinds[i].name)) {
            *out = kinds[i].kind;
            return true;
        }
    return false;
}

static struct word trimmed(struct word t)
{
    while (t.n && (*t.s == ' ' || *t.s == '-'))
        t = word_after(t, 1);
    while (t.n && (t.s[t.n - 1] == ' ' || t.s[t.n - 1] == '\r'))
        t.n--;
    return t;
}

static struct word value_of(struct word line)
{
    while (line.n && *line.s != ':')
        line = word_after(line, 1);
    return line.n ? trimmed(word_after(line, 1)) : line;
}

static bool argument_read(struct eu_kernel *k, struct word line, uint32_t n, struct isa_result *why)
{
    struct eu_argument *x = k->arguments ? &k->argument[k->arguments - 1] : NULL;
    if (word_starts(line, "arg_type:")) {
        if (k->arguments == EU_ARGUMENTS)
            return isa_refuse(why, RAN_UNSUPPORTED, n, "more than %d arguments", EU_ARGUMENTS);
        x = &k->argument[k->arguments++];
        *x = (struct eu_argument){0};
        return kind_of(value_of(line), &x->kind) || word_refuse(why, n, "argument", value_of(line));
    }
    if (x && word_starts(line, "addrmode:") && x->kind == ARGUMENT_ADDRESS &&
        word_is(value_of(line), "bindless"))
        x->kind = ARGUMENT_SURFACE;
    else if (x && !number_of(line, "offset:", &x->at) && !number_of(line, "size:", &x->size))
        (void)number_of(line, "arg_index:", &x->index);
    return true;
}

static bool of_thread_read(struct eu_kernel *k, struct word line, uint32_t n,
                           struct isa_result *why)
{
    uint32_t offset;
    if (word_starts(line, "arg_type:") && !word_is(value_of(line), "local_id"))
        return word_refuse(why, n, "argument of a thread", value_of(line));
    if (number_of(line, "offset:", &offset) && offset)
        return isa_refuse(why, RAN_UNSUPPORTED, n, "local ids at byte %u", offset);
    (void)number_of(line, "size:", &k->of_thread);
    return true;
}

bool eu_kernel_read(struct arena *a, const struct eu_source *s, struct eu_kernel *out,
                    struct isa_result *why)
{
    static const uint32_t sizes[] = {[ARGUMENT_ADDRESS] = 8,
                                     [ARGUMENT_SURFACE] = 4,
                                     [ARGUMENT_GROUPS] = 12,
                                     [ARGUMENT_ZERO] = 12};
    const char *text = s->kernel;
    enum part part = PART_NONE;
    uint32_t n = 0;
    *out = (struct eu_kernel){.known = text != NULL};
    for (struct word raw; text && text_line(&text, &raw);) {
        const struct word line = trimmed(raw);
        n++;
        if (word_is(line, "payload_arguments:"))
            part = PART_ARGUMENTS;
        else if (word_is(line, "per_thread_payload_arguments:"))
            part = PART_THREAD;
        else if (word_is(line, "kernels_misc_info:"))
            break;
        else if (line.n && line.s[line.n - 1] == ':')
            part = PART_NONE;
        else if (part == PART_NONE)
            (void)number_of(line, "inline_data_payload_size:", &out->in_register);
        else if (part == PART_ARGUMENTS ? !argument_read(out, line, n, why)
                                        : !of_thread_read(out, line, n, why))
            return false;
    }
    for (uint32_t i = 0; i < out->arguments; i++) {
        const struct eu_argument *x = &out->argument[i];
        if (x->size != sizes[x->kind])
            return isa_refuse(why, RAN_UNSUPPORTED, 0, "an argument of %u bytes", x->size);
        if (x->at > 1024)
            return isa_refuse(why, RAN_UNSUPPORTED, 0, "an argument at byte %u", x->at);
        if (x->at + x->size > out->bytes)
            out->bytes = x->at + x->size;
    }
    if (out->in_register > 64 || out->of_thread > 1024)
        return isa_refuse(why, RAN_UNSUPPORTED, 0, "arguments of %u bytes in registers",
                          out->in_register);
    out->place = arena_copy(a, s->argument, s->arguments * sizeof *s->argument);
    out->places = s->arguments;
    return true;
}
