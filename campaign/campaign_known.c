// SPDX-License-Identifier: Apache-2.0
//
// Known bugs (docs/known.md) during a campaign. Features that a bug needs are not generated for its
// target, so that the next bug can be found; a wrong answer that an entry explains is counted and
// gets no folder.
#include "campaign_parts.h"

#include <string.h>

bool known_read(struct campaign *c, struct err *e)
{
    gen_features ignored;
    if (!c->o.known)
        return true;
    if (!dir_exists(c->o.known))
        return err_set(e, "--known: %s is not a folder: make it, or leave out --known", c->o.known);
    if (!report_known_read(&c->arena, c->o.known, &c->bug, &c->bugs, e))
        return false;
    if (c->bugs > CAMPAIGN_KNOWN)
        return err_set(e, "%s: contains %u known bugs; at most %d are allowed", c->o.known, c->bugs,
                       CAMPAIGN_KNOWN);
    for (uint32_t i = 0; i < c->bugs; i++)
        if (c->bug[i].feature[0] && !gen_features_parse(c->bug[i].feature, &ignored, e))
            return err_prefix(e, "%s", c->bug[i].path);
    return true;
}

void known_steer(struct campaign *c)
{
    for (uint32_t t = 0; t < c->o.target_count; t++) {
        struct campaign_target *x = &c->target[t];
        struct group *g = &c->group[c->group_of[t]];
        struct text steered = {.arena = &c->arena};
        text_addn(&steered, "", 0);
        for (uint32_t i = 0; i < c->bugs; i++) {
            const struct report_known *k = &c->bug[i];
            gen_features bits = 0;
            if (!k->feature[0] || !report_known_applies(k, x->spec, x->info.driver))
                continue;
            CHECK(gen_features_parse(k->feature, &bits, NULL));
            g->gen.features &= ~bits;
            text_add(&steered, "%s%s (%s)", steered.n ? ", " : "", k->feature, k->name);
        }
        x->steered = steered.v;
    }
}

uint32_t known_bug(const struct campaign *c, uint32_t target, const char *spec,
                   const struct diag_signature *s)
{
    const struct campaign_target *t = &c->target[target];
    const struct report_known *k =
        report_known_finding(c->bug, c->bugs, t->spec, t->info.driver, s);
    if (!k)
        k = report_known_finding(c->bug, c->bugs, spec, t->info.driver, s);
    return k ? (uint32_t)(k - c->bug) + 1 : 0;
}

uint32_t campaign_known(const struct campaign *c, const struct report_known **out)
{
    *out = c->bug;
    return c->bugs;
}
