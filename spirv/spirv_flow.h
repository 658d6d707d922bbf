// SPDX-License-Identifier: Apache-2.0
//
// spirv_flow: the structured control flow of one function: edges, dominators and the constructs of
// SPIR-V 2.11. All questions about constructs are answered here.
//
// The structural graph has all edges of the control flow graph, and an edge from each header to its
// merge block and, for a loop, to its continue target (SPIR-V 2.2.5). A construct is the set of
// blocks that its header dominates in that graph and its merge block does not. The plain graph does
// not work for this: there an arm that breaks may dominate the loop's merge block, so a selection
// in the loop would contain the code after the loop.
#ifndef TF_SPIRV_FLOW_H
#define TF_SPIRV_FLOW_H

#include "spirv.h"

// Blocks are numbered 0 .. n-1 within their function, 0 is the entry block.
#define SPV_NO_BLOCK UINT32_MAX

// The construct that a block is the header of. A loop header with a conditional branch counts as a
// loop.
enum spv_construct { SPV_NO_CONSTRUCT, SPV_SELECTION, SPV_SWITCH, SPV_LOOP };

struct spv_flow_block {
    // Inputs: set by spv_flow_read, or by a caller without a spv_module before spv_flow_analyse.
    uint32_t *succ;      // successors in the terminator's order, with repetitions
    uint32_t succ_count; // 0 for return, kill, unreachable
    enum spv_construct kind;
    uint32_t merge; // of a header: its merge block; else SPV_NO_BLOCK
    uint32_t cont;  // of a loop header: its continue target; else SPV_NO_BLOCK

    // Outputs of spv_flow_analyse.
    uint32_t *pred; // reachable predecessors, each once, in reverse postorder
    uint32_t pred_count;
    uint32_t order; // position in reverse postorder; SPV_NO_BLOCK: unreachable
    uint32_t idom;  // immediate dominator; the entry's is itself; SPV_NO_BLOCK: unreachable
    // The same in the structural graph, where unreachable merge blocks have them too.
    uint32_t structural_order, structural_idom;
    uint32_t construct; // header of the innermost construct that contains the block (a header:
                        // itself); SPV_NO_BLOCK: none
};

struct spv_flow {
    struct spv_flow_block *block;
    uint32_t n;
    uint32_t *order; // reachable blocks in reverse postorder; the first of two arms comes first
    uint32_t reached;
    // Set by spv_flow_read only.
    const struct spv_module *m;
    uint32_t first; // block k is m->blocks[first + k]
};

// Reads the control flow of a function that has blocks, in any module that spv_module_read accepts.
// Labels that are undefined or belong to another function are ignored as edges, merge blocks and
// continue targets.
void spv_flow_read(struct arena *a, const struct spv_module *m, const struct spv_function *f,
                   struct spv_flow *out);
// Computes the outputs from f->n and the inputs of each block. Time is linear in the number of
// edges, except for dominators (the iterative algorithm of Cooper, Harvey and Kennedy).
void spv_flow_analyse(struct arena *a, struct spv_flow *f);

// ---- blocks ------------------------------------------------------------------------

// Return the index in m->blocks, or in m->functions, that contains an instruction; UINT32_MAX:
// none.
uint32_t spv_block_at(const struct spv_module *m, uint32_t inst);
uint32_t spv_function_at(const struct spv_module *m, uint32_t inst);
// Return the block of a label, or the block that contains an instruction; SPV_NO_BLOCK if it is not
// in this function. Only for a flow from spv_flow_read.
uint32_t spv_flow_label(const struct spv_flow *f, uint32_t label);
uint32_t spv_flow_at(const struct spv_flow *f, uint32_t inst);

// The labels in a terminator's operands: `count` of them, at v[first], v[first + step] ...
// `literal`: words per literal of its OpSwitch (spv_literal_words). count is 0 for terminators
// without labels.
struct spv_labels {
    uint32_t first, step, count;
};
struct spv_labels spv_labels(uint32_t op, uint32_t operands, uint32_t literal);
// Returns the words per literal of an OpSwitch whose selector has this type; 1 if `type` is NULL.
uint32_t spv_literal_words(const struct spv_inst *type);
// True if this opcode ends a block.
bool spv_ends_block(uint32_t op);

// ---- dominance ---------------------------------------------------------------------

static inline bool spv_flow_reached(const struct spv_flow *f, uint32_t b)
{
    return b < f->n && f->block[b].order != SPV_NO_BLOCK;
}
// True if every path from the entry to b goes through a. A block dominates itself. Unreachable
// blocks neither dominate nor are dominated.
bool spv_flow_dominates(const struct spv_flow *f, uint32_t a, uint32_t b);
// The same in the structural graph.
bool spv_flow_structurally_dominates(const struct spv_flow *f, uint32_t a, uint32_t b);
// True if from == to, or a path leads from one to the other without entering `wall` first
// (SPV_NO_BLOCK: no wall).
bool spv_flow_reaches(const struct spv_flow *f, uint32_t from, uint32_t to, uint32_t wall);

// ---- constructs ----------------------------------------------------------------------
//
// Constructs are named by their header block. A loop here is the specification's loop construct and
// continue construct together. In valid modules constructs nest.

// True if the construct of header h contains block b. It contains its header, never its merge
// block. False if h is not a header.
bool spv_flow_inside(const struct spv_flow *f, uint32_t h, uint32_t b);
// Returns the header of the innermost construct around header h's construct, or SPV_NO_BLOCK.
uint32_t spv_flow_around(const struct spv_flow *f, uint32_t h);
// Returns the header of the innermost loop that contains b (b itself if it is one), or
// SPV_NO_BLOCK.
uint32_t spv_flow_loop(const struct spv_flow *f, uint32_t b);
// True if b is in the continue construct of loop h: the blocks of the loop that the continue target
// structurally dominates, so all blocks if the header is its own continue target. Section 2.11 also
// requires that the back-edge block post-dominates them. Valid modules satisfy that; it is not
// checked.
bool spv_flow_in_continue(const struct spv_flow *f, uint32_t h, uint32_t b);
// Returns the arm or case construct of selection or switch h that contains b, as an index into
// block[h].succ. SPV_NO_BLOCK if none does: for the header itself, for blocks outside, and for a
// block that several cases reach by fall-through and that is not a case itself.
uint32_t spv_flow_arm(const struct spv_flow *f, uint32_t h, uint32_t b);
// Returns the first reachable header, in block order, with merge block b; else SPV_NO_BLOCK.
uint32_t spv_flow_merges(const struct spv_flow *f, uint32_t b);

#endif
