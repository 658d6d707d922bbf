// SPDX-License-Identifier: Apache-2.0
//
// spirv_flow: the structured control flow of one function. Edges, dominators, and the
// constructs of SPIR-V 2.11: who asks whether a block is inside a construct asks here.
//
// The structural graph has all edges of the control flow graph, and one from each header to
// its merge block and, of a loop, to its continue target (SPIR-V 2.2.5). A construct is what
// its header dominates in *that* graph and its merge block does not. In the plain graph the
// arm that breaks may dominate the loop's merge block, and so a selection in the loop would
// hold what comes after the loop; in the structural graph no way out of a loop matters.
#ifndef TF_SPIRV_FLOW_H
#define TF_SPIRV_FLOW_H

#include "spirv.h"

// Blocks are numbered 0 .. n-1 within their function, 0 is the entry block.
#define SPV_NO_BLOCK UINT32_MAX

// What a block is the header of. A loop header whose branch has a condition is one of a loop.
enum spv_construct { SPV_NO_CONSTRUCT, SPV_SELECTION, SPV_SWITCH, SPV_LOOP };

struct spv_flow_block {
    // Told: by spv_flow_read, or by who has no spv_module at hand, before spv_flow_analyse.
    uint32_t *succ;      // the blocks its terminator names, in order, repeated where it repeats
    uint32_t succ_count; // 0 for a return, kill, unreachable
    enum spv_construct kind;
    uint32_t merge; // of a header: its merge block; else SPV_NO_BLOCK
    uint32_t cont;  // of a loop's header: its continue target; else SPV_NO_BLOCK

    // Found by spv_flow_analyse.
    uint32_t *pred; // reached blocks that branch to it, each once, in their order
    uint32_t pred_count;
    uint32_t order; // its place in reverse postorder; SPV_NO_BLOCK when no way leads to it
    uint32_t idom;  // immediate dominator (its own number for the entry); SPV_NO_BLOCK
                    // when it is not reached
    // The same in the structural graph: a merge block that no way leads to has them too.
    uint32_t structural_order, structural_idom;
    uint32_t construct; // header of the innermost construct that holds it (itself, of a
                        // header); SPV_NO_BLOCK for none
};

struct spv_flow {
    struct spv_flow_block *block;
    uint32_t n;
    uint32_t *order; // the reached blocks in reverse postorder: of two arms the first one first
    uint32_t reached;
    // spv_flow_read alone: where it is from.
    const struct spv_module *m;
    uint32_t first; // block k is m->blocks[first + k]
};

// The flow of a function that has blocks. Of any module that spv_module_read takes: a label
// of another function, or of none, is no edge, merge block or continue target.
void spv_flow_read(struct arena *a, const struct spv_module *m, const struct spv_function *f,
                   struct spv_flow *out);
// Fills in what is found, from f->n and of each block what is told. Linear in edges but for
// the dominators, which take the iterative algorithm of Cooper, Harvey and Kennedy.
void spv_flow_analyse(struct arena *a, struct spv_flow *f);

// ---- blocks ------------------------------------------------------------------------

// Index in m->blocks, and in m->functions, of what holds an instruction; UINT32_MAX for none.
uint32_t spv_block_at(const struct spv_module *m, uint32_t inst);
uint32_t spv_function_at(const struct spv_module *m, uint32_t inst);
// The block of a label, and the one that holds an instruction; SPV_NO_BLOCK when it is not in
// this function. Of spv_flow_read's.
uint32_t spv_flow_label(const struct spv_flow *f, uint32_t label);
uint32_t spv_flow_at(const struct spv_flow *f, uint32_t inst);

// The labels that a terminator names: its operands v[first], v[first + step] ..., `count` of
// them. `literal`: words of a literal of its OpSwitch (spv_literal_words); count is 0 for what
// names none.
struct spv_labels {
    uint32_t first, step, count;
};
struct spv_labels spv_labels(uint32_t op, uint32_t operands, uint32_t literal);
// Words of one literal of an OpSwitch by its selector's type (NULL: not known, 1).
uint32_t spv_literal_words(const struct spv_inst *type);
// Does this opcode end a block?
bool spv_ends_block(uint32_t op);

// ---- dominance ---------------------------------------------------------------------

static inline bool spv_flow_reached(const struct spv_flow *f, uint32_t b)
{
    return b < f->n && f->block[b].order != SPV_NO_BLOCK;
}
// Does every way from the entry to b lead through a? A block dominates itself; what is not
// reached neither dominates nor is dominated.
bool spv_flow_dominates(const struct spv_flow *f, uint32_t a, uint32_t b);
// The same in the structural graph.
bool spv_flow_structurally_dominates(const struct spv_flow *f, uint32_t a, uint32_t b);
// Does a way lead from a block to another (or is it the same), without entering `wall`
// (SPV_NO_BLOCK: none)?
bool spv_flow_reaches(const struct spv_flow *f, uint32_t from, uint32_t to, uint32_t wall);

// ---- constructs ----------------------------------------------------------------------
//
// A header is named by its block. A loop is what the specification calls its loop construct
// and its continue construct together. In valid modules constructs nest.

// Does the construct of header h hold block b? A header is in its own construct, a merge
// block never. False when h is no header.
bool spv_flow_inside(const struct spv_flow *f, uint32_t h, uint32_t b);
// The header of the innermost construct around the one of header h; SPV_NO_BLOCK for none.
uint32_t spv_flow_around(const struct spv_flow *f, uint32_t h);
// The header of the innermost loop that holds b (b itself, when it is one); SPV_NO_BLOCK.
uint32_t spv_flow_loop(const struct spv_flow *f, uint32_t b);
// Is b in the continue construct of the loop of header h? What the continue target
// structurally dominates inside of the loop; all of a loop that is its own continue target.
// (That the back-edge block post-dominates all of it, as 2.11 says, holds in valid modules
// and is not asked.)
bool spv_flow_in_continue(const struct spv_flow *f, uint32_t h, uint32_t b);
// The arm or case construct of the selection or switch of header h that holds b: the place in
// block[h].succ of the label that it begins at. SPV_NO_BLOCK where none does: the header
// itself, what is outside, and what several cases fall into without being one.
uint32_t spv_flow_arm(const struct spv_flow *f, uint32_t h, uint32_t b);
// Does a construct have b as its merge block? The first one's header; SPV_NO_BLOCK for none.
uint32_t spv_flow_merges(const struct spv_flow *f, uint32_t b);

#endif
