// SPDX-License-Identifier: Apache-2.0
//
// The known facts about a fault, typed: the rule, the operation, its place, how the tangle is
// wrong, what the compiler did, the reason. The enum values are rows of facts.def and reasons.def,
// and have names. The files words_*.c turn the facts into text, for signatures and for readers; no
// code parses that text. All structs are plain data; all zeroes means "not known".
#ifndef TF_DIAGNOSE_FACTS_H
#define TF_DIAGNOSE_FACTS_H

#include "facts.def"
#include "reasons.def"

#include <stdbool.h>
#include <stdint.h>

// The lists of values. Each entry defines an enum, the number of its values, a table of their names
// (the entry's first part with the suffix _names), and three functions, with the suffixes _name,
// _find and _of; the last returns the zero value for an unknown name.
// clang-format off
#define DIAG_ENUMS(X) \
    X(diag_rule, RULE) X(diag_stage, STAGE) \
    X(diag_construct, CONSTRUCT) X(diag_part, PART) X(diag_pair, PAIR) X(diag_arm, ARM) \
    X(diag_cases, CASES) X(diag_way, WAY) X(diag_where, WHERE) \
    X(diag_did, DID) X(diag_side, SIDE) X(diag_use, USE) X(diag_kind, KIND) X(diag_reuse, REUSE) \
    X(diag_label, LABEL) X(diag_value, VALUE) \
    X(diag_why, WHY) X(diag_edit, EDIT) X(diag_known, KNOWN) X(diag_mistake, MISTAKE) \
    X(diag_counted, COUNTED) X(diag_about, ABOUT) X(diag_tweak_kind, TWEAK)

// The names of an enum's values, by value.
struct diag_enum {
    const char *const *name;
    unsigned count;
};
// Returns a value's name, "" if it is not a value of the enum.
const char *diag_enum_name(const struct diag_enum *e, unsigned v);
// Finds the value of a name. False for an unknown name; then *v is unchanged.
bool diag_enum_find(const struct diag_enum *e, const char *name, unsigned *v);

#define DIAG_ID(id, ...) DIAG_##id,
#define DIAG_ENUM(e, E) \
    enum e { DIAG_##E##_ROWS(DIAG_ID) DIAG_##E##_COUNT }; \
    extern const struct diag_enum e##_names; \
    static inline const char *e##_name(enum e v) \
    { \
        return diag_enum_name(&e##_names, v); \
    } \
    static inline bool e##_find(const char *name, enum e *out) \
    { \
        unsigned v; \
        if (!diag_enum_find(&e##_names, name, &v)) \
            return false; \
        *out = (enum e)v; \
        return true; \
    } \
    static inline enum e e##_of(const char *name) \
    { \
        unsigned v = 0; \
        diag_enum_find(&e##_names, name, &v); \
        return (enum e)v; \
    }
DIAG_ENUMS(DIAG_ENUM)
// clang-format on

// A group operation, with the properties by which two of them are equal.
struct diag_op {
    uint16_t opcode; // 0: none
    bool has_form;   // its SpvGroupOperation is `form`
    bool vector;     // only with has_form: it works on vectors
    uint32_t form;
    uint32_t cluster; // lanes of a cluster, if it has one; else 0
};

enum { DIAG_PATH_MAX = 64 };
struct diag_path {
    bool known;    // with n 0: no construct is around it
    bool is_after; // it follows a construct of kind `after`, with no other one between
    uint8_t after; // enum diag_construct
    uint8_t n;
    uint8_t part[DIAG_PATH_MAX]; // enum diag_part, from the outside in
};

// The constructs of a module.
struct diag_flow {
    bool loop, call, phis; // phis: at least two
    bool left;             // a block inside a switch leaves the loop around the switch
    uint8_t cases;         // enum diag_cases
    uint16_t atomic; // opcode of its atomic operations that change memory; 0 if it has none, or
                     // several opcodes
    uint8_t ifs;     // 0, 1, or 2 for more
};

// ---- how a tangle is wrong -------------------------------------------------------

// How lanes came to be extra or missing: rules and other ways. Bit sets.
struct diag_lanes {
    uint32_t rules; // 1 << enum diag_rule
    uint32_t ways;  // 1 << enum diag_way
};
struct diag_pattern {
    struct diag_lanes extra, missing; // of a wrong tangle
    uint8_t where;                    // enum diag_where; for a fault of one operation
    bool wide;                        // only with `where`: it takes at least five lanes to see it
};

// ---- the compiler's change ---------------------------------------------------------

// What a compiler did to a module, limited to changes that can affect convergence. `did` selects
// the fields that are valid; those of the last two lines always are.
struct diag_change {
    uint8_t did; // enum diag_did
    // DIAG_COPIED, _MERGED, _MOVED: over a construct, or from one use to another, or neither.
    bool over, turned;
    uint8_t kind;                 // the same: enum diag_kind
    uint8_t construct, from, to;  // enum diag_construct, diag_side, diag_side
    uint8_t use_from, use_to;     // enum diag_use; DIAG_OP_NEW: use_to
    uint8_t reuse;                // DIAG_REUSED: enum diag_reuse; by a phi: construct
    struct diag_op op;            // DIAG_OP_NEW, DIAG_OP_GONE
    bool after_loop;              // DIAG_OP_NEW: its operand comes from an earlier loop
    bool by_return;               // DIAG_MOVED from DIAG_WAY_OUT: that path ends in a return
    uint8_t label_from, label_to; // DIAG_EDGE, DIAG_CASE_EDGE: enum diag_label
    uint16_t opcode; // DIAG_INST_GONE, DIAG_INST_MOVED, DIAG_OP_OPERAND, DIAG_OPERAND, DIAG_ASKED;
                     // DIAG_DESCRIPTOR: OpDecorate removed, or OpAccessChain added
    uint8_t value_from, value_to;  // DIAG_OPERAND; DIAG_INST_GONE: value_to; enum diag_value
    bool round;                    // DIAG_ASKED: for a branch that continues or leaves a loop
    bool later;                    // DIAG_INST_MOVED: moved down in its block, not up
    bool called;                   // DIAG_INST_GONE: removed from a function that is called
    int8_t loops, switches, ifs;   // 1: more than in the input, -1: fewer
    int8_t demotes, ends, queries; // of a fragment shader: demotes; terminates and kills; queries
                                   // of the helper invocation status
};

// ---- experiments -------------------------------------------------------------------

// One change to a program, limited to one token or one construct (experiment.h).
struct diag_tweak {
    uint8_t kind;    // enum diag_tweak_kind: the meaning of `from` and `to`
    uint16_t opcode; // of the changed instruction
    uint32_t at;     // its index in the module
    uint32_t id;     // its result; of a decoration: the target; else the label of its block
    uint32_t operand, from, to; // operand: index of the operand word
};

// A control program: the reduced case with one change, and what the target did with it.
struct diag_control {
    struct diag_tweak tweak;
    // The reason is a change by a compiler: whether it was made again, and memory was wrong again.
    // The other fields are not valid then.
    bool by_change, made, wrong;
    uint8_t rival_why; // enum diag_why: the best rival; none: `rival` is not valid
    uint32_t set, binding, word;
    // The word there: by the reason, by the rival, by the rules, and what was observed.
    uint32_t predicted, rival, expected, observed;
    bool undefined; // by the reason, and as observed, the compiler's output does not determine it
};

// A program with one changed token: whether it crashes, or is rejected, as the reduced case does.
struct diag_trial {
    struct diag_tweak tweak;
    bool fails;
};
enum { DIAG_TRIALS = 24 };
struct diag_trials {
    uint8_t n;
    struct diag_trial trial[DIAG_TRIALS];
};

#endif
