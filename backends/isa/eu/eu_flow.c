// SPDX-License-Identifier: Apache-2.0
//
// Control flow by an instruction pointer for each lane: a lane is on where its pointer is the
// thread's. The sources of the rules are in README.md.
#include "eu_machine.h"

static void park(struct eu_thread *t, uint32_t lanes, uint32_t at)
{
    t->on &= ~lanes;
    t->waiting |= lanes;
    for (uint32_t l = lanes; l; l &= l - 1)
        t->waits_at[__builtin_ctz(l)] = at;
}

static uint32_t waiting_at(const struct eu_thread *t, uint32_t at)
{
    uint32_t out = 0;
    for (uint32_t l = t->waiting; l; l &= l - 1)
        out |= t->waits_at[__builtin_ctz(l)] == at ? l & (0 - l) : 0;
    return out;
}

void eu_join(struct eu_thread *t)
{
    const uint32_t here = waiting_at(t, t->at);
    t->waiting &= ~here;
    t->on |= here;
}

bool eu_flow(struct eu_machine *m, struct eu_thread *t, const struct eu_inst *in)
{
    uint32_t taken, next = t->at + 1;
    if (in->id == EU_JMPI && in->all) { // of the whole thread
        if (!eu_predicate(m, t, in, &taken))
            return false;
        t->at = taken & 1 ? in->jip : next;
        return true;
    }
    if (in->all)
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "%s without a mask",
                          eu_ops[in->id].name);
    if (!eu_predicate(m, t, in, &taken))
        return false;
    taken &= t->on;
    switch (in->id) {
    case EU_IF: // lanes without the flag wait at the else block, or at the endif
        park(t, t->on & ~taken, in->jip);
        break;
    case EU_ELSE: // lanes that ran the first block wait at the endif; else.b jumps to a nop before
                  // it
        park(t, t->on, in->uip);
        break;
    case EU_ENDIF:
    case EU_JOIN:
        break;
    case EU_GOTO: // lanes wait at the target; goto.b follows them first
        if (in->branch && taken) {
            park(t, t->on & ~taken, next);
            t->at = in->uip;
            return true;
        }
        park(t, taken, in->uip);
        break;
    case EU_WHILE: // lanes with the flag go back; lanes that leave wait after it
        if (taken) {
            park(t, t->on & ~taken, next);
            t->at = in->jip;
            return true;
        }
        t->at = next;
        return true;
    case EU_BREAK: // the target is the while: lanes wait after it
        park(t, taken, in->uip + 1);
        break;
    case EU_CONT: // lanes wait at the while
    case EU_HALT:
        park(t, taken, in->uip);
        break;
    default:
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "%s", eu_ops[in->id].name);
    }
    // The thread continues if a lane does; else to the end of the innermost block.
    t->at = t->on || waiting_at(t, next) ? next : in->jip;
    return true;
}
