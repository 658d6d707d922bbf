// SPDX-License-Identifier: Apache-2.0
//
// The interface of flow_join.c, the stack of waiting lanes, for flow.c and fault.c.
#ifndef TF_ORACLE_FLOW_H
#define TF_ORACLE_FLOW_H

#include "machine.h"

// Removes lanes that have ended from all places where they wait (E2).
void flow_gone(struct machine *m, lane_mask gone);
// Moves lanes that are lost at the end of the current block to the place where they continue.
void flow_lose(struct machine *m, lane_mask lost);
// Sets m->near: the lost lanes that may be in the current tangle.
void flow_near(struct machine *m);
// Pushes a frame with the state of the current tangle.
struct frame *flow_push(struct machine *m, enum frame_kind kind, uint32_t block, lane_mask entered);
// Push a part of the current tangle, to continue at `block`. flow_push_value: for one selector
// value of a switch that keeps its values diverged.
void flow_push_part(struct machine *m, uint32_t block, lane_mask lanes, const char *rule);
void flow_push_value(struct machine *m, uint32_t block, lane_mask lanes, uint64_t value);
uint64_t flow_way_of_value(const struct machine *m, uint64_t value);

// If `target` ends this part, adds the lanes to those that wait there and returns true.
bool flow_park(struct machine *m, uint32_t target, lane_mask lanes);
// Continues at `block` with the tangle `lanes`. `rule` is for the observer.
void flow_go(struct machine *m, uint32_t block, lane_mask lanes, const char *rule, bool joined);
// Selects the part that runs after the current one has ended. False if none is left.
bool flow_resume(struct machine *m);
// Returns the event for the current block, or for a group operation.
struct orc_event flow_event(const struct machine *m, const struct inst *group);
// Report the current block, a group operation or a debugPrintf to the observer.
void flow_report(const struct machine *m, const struct inst *group);
void flow_report_print(const struct machine *m, const struct inst *print);

#endif
