// SPDX-License-Identifier: Apache-2.0
//
// The reason of a finding in sentences.
#include "report.h"
#include "tangles.h"

void report_reason_words(struct arena *a, const struct spv_case *c, const struct diag_reason *r,
                         const struct diag_trials *trials, struct finding_sentences *out)
{
    struct spv_module m;
    *out = (struct finding_sentences){"", "", "", "", ""};
    if ((!r->why && !(trials && trials->n)) || !spv_module_read(a, c->words, c->count, &m, NULL))
        return;
    const struct diag_names names = {&m, tangles_names(a, &m, c->body)};
    if (r->why)
        *out = (struct finding_sentences){.what = diag_why_words(a, r, &names),
                                          .says = diag_why_rule(a, r, c->model),
                                          .near = diag_why_near(a, r, &names),
                                          .control = diag_control_words(a, r, &names)};
    out->tried = trials ? diag_trials_words(a, trials, &names) : "";
}

void report_reason_text(const struct finding_sentences *r, struct text *out)
{
    const char *const parts[] = {r->what, r->says, r->near, r->control};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (parts[k] && parts[k][0])
            text_add(out, "\n%s\n", parts[k]);
}
