// SPDX-License-Identifier: Apache-2.0
//
// The lines of machine code where the first wrong word got its value, as the machine that ran the
// code saw it (runners.h, struct run_origin), beside the lanes that the oracle expects there.
#include "finding.h"
#include "store/store_json.h"
#include "tangles.h"

#include "diagnose/reason.h"

#include <string.h>

enum { AROUND = 6, TEXT_LIMIT = RUN_DRIVER_TEXT, STEPS = 100000 };

// With whom the invocation of the first wrong word executes the operation that the reason is about,
// by the oracle. Empty where it does not, or several times.
static lane_mask expected_at(struct arena *a, const struct report_finding *f)
{
    const struct report_reason *r = f->reason;
    const struct spv_case *c = f->c;
    const uint32_t id = f->verdict->invocation, size = c->subgroup;
    struct tangles t = {.limit = STEPS};
    struct spv_module m;
    uint32_t local[3];
    lane_mask out = 0;
    if (!r->has_place || !r->op || !f->verdict->has_site || !size ||
        !spv_module_read(a, c->words, c->count, &m, NULL) || !spv_local_size(c, &m, local, NULL) ||
        local[1] * local[2] * c->groups[1] * c->groups[2] != 1)
        return 0;
    t.workgroup = id / local[0];
    t.subgroup = id % local[0] / size;
    tangles_run(a, c, c->words, c->count, size, c->has_policy ? &c->policy : NULL, &t);
    for (size_t i = 0; i < t.picture.count; i++) {
        const struct report_step *s = &t.picture.steps[i];
        if (!s->is_op || s->id != r->op || !lane_in(s->active, id % local[0] % size))
            continue;
        if (out)
            return 0;
        out = s->active;
    }
    return t.cut ? 0 : out;
}

void report_finding_code(struct arena *a, const struct report_finding *f, struct report_code *out)
{
    *out = (struct report_code){0};
    if (!f->origin || !f->driver_text || !f->origin->store)
        return;
    *out = (struct report_code){.text = f->driver_text,
                                .line = f->origin->line,
                                .store = f->origin->store,
                                .lanes = f->origin->lanes[0] | (lane_mask)f->origin->lanes[1] << 32,
                                .expected = expected_at(a, f)};
}

// ---- as JSON -----------------------------------------------------------------------------------

static json_t *lanes_json(lane_mask m)
{
    json_t *o = json_array();
    LANES_EACH (l, m)
        json_array_append_new(o, json_integer(l));
    return o;
}

static lane_mask lanes_read(const json_t *o)
{
    lane_mask m = 0;
    for (size_t k = 0; k < json_array_size(o); k++) {
        const json_int_t l = json_integer_value(json_array_get(o, k));
        if (l >= 0 && l < LANES_MAX)
            m |= lane_bit((unsigned)l);
    }
    return m;
}

json_t *report_code_json(const struct report_code *c)
{
    json_t *o = json_object();
    json_object_set_new(o, "stored_at_line", json_integer(c->store));
    if (c->line) {
        json_object_set_new(o, "line", json_integer(c->line));
        json_object_set_new(o, "lanes", lanes_json(c->lanes));
    }
    if (c->expected)
        json_object_set_new(o, "expected_lanes", lanes_json(c->expected));
    return o;
}

bool report_code_read(struct arena *a, const char *folder, struct report_code *out)
{
    struct err unread; // then it tells none
    json_t *o = json_file(a, arena_printf(a, "%s/finding.json", folder), &unread);
    const json_t *c = json_object_get(o, "code");
    const json_int_t line = json_integer_value(json_object_get(c, "line")),
                     store = json_integer_value(json_object_get(c, "stored_at_line"));
    char *text;
    size_t size;
    *out = (struct report_code){0};
    if (store > 0 && store < TEXT_LIMIT && line >= 0 && line < TEXT_LIMIT &&
        file_read(a, arena_printf(a, "%s/driver.txt", folder), TEXT_LIMIT, &text, &size, NULL))
        *out = (struct report_code){.text = text,
                                    .line = (uint32_t)line,
                                    .store = (uint32_t)store,
                                    .lanes = lanes_read(json_object_get(c, "lanes")),
                                    .expected = lanes_read(json_object_get(c, "expected_lanes"))};
    json_decref(o);
    return out->text != NULL;
}

// ---- as text -----------------------------------------------------------------------------------

static bool is_near(uint32_t line, uint32_t at)
{
    return at && line + AROUND >= at && line <= at + AROUND;
}

static void add_lines(const struct report_code *c, bool all, struct text *out)
{
    struct arena *a = out->arena;
    uint32_t line = 1;
    bool skipped = false, some = false;
    for (const char *s = c->text, *end; *s; s = end + (*end == '\n'), line++) {
        end = s + strcspn(s, "\n");
        if (!all && !is_near(line, c->line) && !is_near(line, c->store)) {
            skipped = true;
            continue;
        }
        if (skipped && some)
            text_add(out, "...\n");
        skipped = false;
        some = true;
        text_add(out, "%s %5u %.*s\n", line == c->line || line == c->store ? ">>" : "| ", line,
                 (int)(end - s), s);
        if (line == c->line)
            text_add(out, "^^       by %s%s%s\n", diag_lanes_words(a, c->lanes),
                     c->expected ? "; must be by " : "",
                     c->expected ? diag_lanes_words(a, c->expected) : "");
        if (line == c->store)
            text_add(out, "^^       stores the wrong word\n");
    }
}

void report_code_lines(const struct report_code *c, struct text *out)
{
    add_lines(c, true, out);
}

void report_code_text(const struct report_code *c, struct text *out)
{
    struct arena *a = out->arena;
    if (!c->text)
        return;
    if (c->line)
        text_add(
            out,
            "\nThe first wrong word comes from line %u of the code, the last on its way that looks "
            "at other lanes or at who is on, and line %u stores it. When line %u ran, %s %s on.",
            c->line, c->store, c->line, diag_lanes_words(a, c->lanes),
            lane_count(c->lanes) == 1 ? "was" : "were");
    else
        text_add(out,
                 "\nLine %u of the code stores the first wrong word; nothing on its way looks at "
                 "other lanes.",
                 c->store);
    if (c->expected)
        text_add(out, " By the oracle %s execute%s.", diag_lanes_words(a, c->expected),
                 lane_count(c->expected) == 1 ? "s the operation alone"
                                              : " the operation together");
    text_add(out, "\n\n```\n");
    add_lines(c, false, out);
    text_add(out, "```\n");
}
