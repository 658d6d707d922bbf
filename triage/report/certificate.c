// SPDX-License-Identifier: Apache-2.0
//
// The values of templates/formats/certificate.*.
#include "certificate.h"

#include "fill.h"

bool certificate_holds(const struct certificate *c)
{
    const uint64_t run = c->count - c->left_out;
    return c->first == 0 && c->done >= c->count && run && c->cases == run * c->inputs &&
           c->agreed + c->nothing == c->cases && c->agreed >= run;
}

static void size_row(struct fill *row, const void *user, uint32_t i)
{
    const struct certificate *c = user;
    fill_number(row, "of_size", i + 1);
    fill_number(row, "of_size_count", c->by_size[i + 1]);
}

static void finding_row(struct fill *row, const void *user, uint32_t i)
{
    const struct certificate_finding *f = &((const struct certificate *)user)->finding[i];
    fill_text(row, "name", f->name);
    fill_text(row, "title", f->title);
    fill_text(row, "program", f->program);
}

void certificate_write(const struct certificate *c, bool json, struct text *out)
{
    struct fill f = {.a = out->arena};
    const struct {
        const char *name;
        uint64_t value;
    } numbers[] = {{"size", c->size},
                   {"count", c->count},
                   {"first", c->first},
                   {"end", c->end},
                   {"done", c->done},
                   {"cases", c->cases},
                   {"left_out", c->left_out},
                   {"agreed", c->agreed},
                   {"skipped", c->skipped},
                   {"unjudged", c->unjudged},
                   {"compiled", c->compiled},
                   {"flaky", c->flaky},
                   {"wrong", c->wrong},
                   {"nothing", c->nothing},
                   {"subgroup", c->subgroup},
                   {"inputs", c->inputs},
                   {"seconds", (uint64_t)c->seconds}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fill_number(&f, numbers[i].name, numbers[i].value);
    fill_text(&f, "target", c->target);
    fill_text(&f, "version", c->version);
    fill_text(&f, "without", c->left_out ? c->without : "");
    fill_text(&f, "stage", c->stage);
    fill_text(&f, "model", c->model);
    fill_text(&f, "tanglefuzz", version_number());
    fill_text(&f, "commit", version_commit());
    fill_flag(&f, "holds", certificate_holds(c));
    fill_flag(&f, "partial", c->first != 0 || c->done < c->count);
    fill_list(&f, "sizes", c->size, size_row, c);
    fill_list(&f, "findings", c->findings, finding_row, c);
    fill_template(json ? "formats/certificate.json" : "formats/certificate.md", &f, out);
}
