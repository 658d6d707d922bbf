// SPDX-License-Identifier: Apache-2.0
//
// What the two files of the mask machine's flow share: flow_join.c, the stack of what waits, for
// flow.c.
#ifndef TF_ORACLE_FLOW_H
#define TF_ORACLE_FLOW_H

#include "machine.h"

// Lanes that have ended wait nowhere any more (E2).
void flow_gone(struct machine *m, lane_mask gone);
// Lanes that are lost at the end of the current block wait where they come back.
void flow_lose(struct machine *m, lane_mask lost);
// Who of the lost ones may be in the current tangle.
void flow_near(struct machine *m);
// A frame for the current tangle: what opened it, and what it was then.
struct frame *flow_push(struct machine *m, enum frame_kind kind, uint32_t block, lane_mask entered);
// A part of the current tangle waits, to go on at `block`; of a switch that keeps its values apart,
// one value.
void flow_push_part(struct machine *m, uint32_t block, lane_mask lanes, const char *rule);
void flow_push_value(struct machine *m, uint32_t block, lane_mask lanes, uint64_t value);
uint64_t flow_way_of_value(const struct machine *m, uint64_t value);

// Does `target` end this part? Then the lanes park where they belong, and true.
bool flow_park(struct machine *m, uint32_t target, lane_mask lanes);
// The tangle `lanes` goes on at `block`; `rule` says why, for who watches.
void flow_go(struct machine *m, uint32_t block, lane_mask lanes, const char *rule, bool joined);
// The part that ran has ended: what runs next? False when nothing is left.
bool flow_resume(struct machine *m);
// What is told of the block, or of a group operation.
struct orc_event flow_event(const struct machine *m, const struct inst *group);
// Tells who watches of a block, or of a group operation.
void flow_tell(const struct machine *m, const struct inst *group);
void flow_tell_print(const struct machine *m, const struct inst *print);

#endif
