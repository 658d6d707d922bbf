// SPDX-License-Identifier: Apache-2.0
//
// The lines of machine code that compute and store the first wrong word, as the simulator that ran
// the code recorded them (runners.h, struct run_origin), and the lanes that the oracle expects
// there.
#include "report.h"
#include "tangles.h"

#include "diagnose/diagnose.h"

#include <string.h>

enum { AROUND = 6, STEPS = 100000 };

// Runs the oracle and returns the lanes that execute the operation of the first wrong word together
// with its invocation. Empty if that invocation executes it never or several times.
static lane_mask expected_at(struct arena *a, const struct finding *f, const struct spv_case *c)
{
    const uint32_t op = diag_site_op(c, &f->verdict, false);
    const uint32_t id = f->verdict.invocation, size = c->subgroup;
    struct tangles t = {.limit = STEPS};
    struct spv_module m;
    uint32_t local[3];
    lane_mask out = 0;
    if (!op || !f->verdict.has_site || !size || !spv_module_read(a, c->words, c->count, &m, NULL) ||
        !spv_local_size(c, &m, local, NULL) ||
        local[1] * local[2] * c->groups[1] * c->groups[2] != 1)
        return 0;
    t.workgroup = id / local[0];
    t.subgroup = id % local[0] / size;
    tangles_run(a, c, c->words, c->count, size, c->has_policy ? &c->policy : NULL, &t);
    for (size_t i = 0; i < t.picture.count; i++) {
        const struct report_step *s = &t.picture.steps[i];
        if (!s->is_op || s->id != op || !lane_in(s->active, id % local[0] % size))
            continue;
        if (out)
            return 0;
        out = s->active;
    }
    return t.cut ? 0 : out;
}

struct report_code report_code_of(const struct finding *f, const char *driver_text)
{
    return (struct report_code){f->code.store ? driver_text : NULL, f->code};
}

void report_code_expect(struct arena *a, const struct spv_case *c, struct finding *f)
{
    if (f->code.store)
        f->code.expected = expected_at(a, f, c);
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
        const bool marked = line == c->at.line || line == c->at.store || line == c->at.unset;
        if (!all && !is_near(line, c->at.line) && !is_near(line, c->at.store) &&
            !is_near(line, c->at.unset)) {
            skipped = true;
            continue;
        }
        if (skipped && some)
            text_add(out, "...\n");
        skipped = false;
        some = true;
        text_add(out, "%s %5u %.*s\n", marked ? ">>" : "| ", line, (int)(end - s), s);
        if (line == c->at.unset)
            text_add(out, "^^       reads a flag that no instruction has set\n");
        if (line == c->at.line)
            text_add(out, "^^       active: %s%s%s\n", diag_lanes_words(a, c->at.lanes),
                     c->at.expected ? "; expected: " : "",
                     c->at.expected ? diag_lanes_words(a, c->at.expected) : "");
        if (line == c->at.store)
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
    if (c->at.line)
        text_add(
            out,
            "\nLine %u of the code computes the first wrong word: it is the last instruction for "
            "that "
            "word that depends on other lanes or on the active lanes. Line %u stores the word. "
            "When line %u ran, %s %s active.",
            c->at.line, c->at.store, c->at.line, diag_lanes_words(a, c->at.lanes),
            lane_count(c->at.lanes) == 1 ? "was" : "were");
    else
        text_add(
            out,
            "\nLine %u of the code stores the first wrong word; no instruction that computes it "
            "depends on other lanes.",
            c->at.store);
    if (c->at.expected)
        text_add(
            out, " According to the oracle, %s execute%s.", diag_lanes_words(a, c->at.expected),
            lane_count(c->at.expected) == 1 ? "s the operation alone" : " the operation together");
    if (c->at.unset)
        text_add(out,
                 " Line %u reads a flag that no instruction has set. Memory depends on the flag's "
                 "value.",
                 c->at.unset);
    text_add(out, "\n\n```\n");
    add_lines(c, false, out);
    text_add(out, "```\n");
}
