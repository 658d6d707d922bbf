// SPDX-License-Identifier: Apache-2.0
//
// Rows of facts.def and reasons.def as structs, for code that decides by them and code that builds
// sentences. Private to the room.
#ifndef TF_DIAGNOSE_ROWS_H
#define TF_DIAGNOSE_ROWS_H

#include "facts.h"
#include "faults.def"
#include "oracle/oracle.h"

// What a reason is about. For reasons of one kind, or of related kinds, an engineer looks in the
// same place of a compiler.
enum why_kind {
    WHY_NONE,
    WHY_EXTRA,     // the tangle: counted lanes are not in it
    WHY_MISSING,   // the tangle: lanes in it are not counted
    WHY_CHOSEN,    // the tangle: the compiler changed where the operation is executed
    WHY_READS,     // an operation reads lanes outside its tangle
    WHY_OPERATION, // an operation returns a wrong value for the right lanes
    WHY_PROGRAM,   // a value, a branch or memory
    WHY_STAGE,     // an image or helper invocations
};
// What promises the right value if no rule of reconvergence or of Vulkan does.
enum why_promise { PROMISE_NONE, PROMISE_ANY_SPIRV, PROMISE_OWN_RESULT };

// Sets of reasons.
#define DIAG_WHY(id) (UINT64_C(1) << DIAG_##id)

struct why_row {
    enum why_kind kind;
    enum diag_rule rule;
    enum why_promise promise;
    int rank;
    uint64_t covers;
    const char *title, *phrase;
};
extern const struct why_row why_rows[DIAG_WHY_COUNT];

static inline bool why_is(unsigned why, enum why_kind kind)
{
    return why_rows[why].kind == kind;
}
// Reports whether it is about the lanes that a group operation counts.
static inline bool why_is_tangle(unsigned why)
{
    return why_is(why, WHY_EXTRA) || why_is(why, WHY_MISSING);
}

struct construct_row {
    enum diag_rule after;
    enum diag_why out, into;
    int rank;
};
extern const struct construct_row construct_rows[DIAG_CONSTRUCT_COUNT];

struct edit_row {
    enum diag_why why;
    bool every;
};
extern const struct edit_row edit_rows[DIAG_EDIT_COUNT];

// What an oracle fault is about, as a hypothesis, and where it is tried: once for the entire
// module, or at each place of a kind.
enum about { TANGLE, OPERATION, VALUE, WAY, LEFT };
enum at { EVERYWHERE, HEADERS, BRANCHES, VALUES, OPERATIONS, ATOMICS };
struct fault_row {
    enum orc_fault fault;
    enum about about;
    enum at at;
    enum diag_why why;
    const char *text;
};
#define DIAG_PLUS_ONE(...) +1
enum { FAULT_ROWS = 0 DIAG_FAULT_ROWS(DIAG_PLUS_ONE) };
extern const struct fault_row fault_rows[FAULT_ROWS];

#endif
