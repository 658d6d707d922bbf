// SPDX-License-Identifier: Apache-2.0
//
// Hands out the seeds of a campaign, until its end or time limit, and knows which are not done.
#include "campaign_parts.h"

double campaign_seconds(const struct campaign *c)
{
    return c->before + now_seconds() - c->start;
}

static bool time_left(const struct campaign *c)
{
    return !(c->o.seconds > 0 && campaign_seconds(c) >= c->o.seconds);
}

static bool units_left(const struct campaign *c)
{
    return c->redone < c->redo.n || c->next.seed < c->o.end_seed;
}

static bool asked_to_end(struct campaign *c)
{
    return atomic_load(&c->stop) || atomic_load(&c->enough);
}

bool campaign_may_make(struct campaign *c)
{
    pthread_mutex_lock(&c->lock);
    bool may = !asked_to_end(c) && units_left(c) && time_left(c);
    pthread_mutex_unlock(&c->lock);
    return may;
}

bool campaign_take_unit(struct campaign *c, struct unit *out)
{
    pthread_mutex_lock(&c->lock);
    bool may = !asked_to_end(c) && units_left(c) && time_left(c);
    if (may && c->redone < c->redo.n) {
        *out = c->redo.v[c->redone++];
    } else if (may) {
        *out = c->next;
        if (++c->next.group == c->groups)
            c->next = (struct unit){.seed = c->next.seed + 1};
    }
    if (may)
        *VEC_PUSH(&c->arena, &c->open) = *out;
    pthread_mutex_unlock(&c->lock);
    return may;
}

uint64_t campaign_first_open(const struct campaign *c)
{
    uint64_t seed = c->next.seed;
    for (size_t i = 0; i < c->open.n; i++)
        seed = c->open.v[i].seed < seed ? c->open.v[i].seed : seed;
    for (size_t i = c->redone; i < c->redo.n; i++)
        seed = c->redo.v[i].seed < seed ? c->redo.v[i].seed : seed;
    return seed;
}
