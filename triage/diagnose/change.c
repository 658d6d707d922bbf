// SPDX-License-Identifier: Apache-2.0
//
// What a compiler did to a small module, limited to changes that can affect convergence: group
// operations removed, added, copied, merged or moved, and the number of constructs. If a compiler
// made the same change in two findings, it is the same mistake, whatever the symptom: docs/dedup.md
// measures this.
#include "change.h"
#include "rows.h"

#include <string.h>

struct op {
    struct diag_op what;
    struct place at, user; // user: the first use of its result; all zeroes for none
    bool left;             // its operand comes from a loop before it
    enum diag_use use;
};
struct side {
    const struct spv_module *m;
    struct op *op;
    uint32_t ops, loops, switches, tests;
    bool cast;        // broadcasts are counted as shuffles
    uint32_t outside; // selections outside all loops: others are copied with their loops
};

// ---- one module ------------------------------------------------------------------------

// Reports whether a result depends on which lanes execute the operation together: a group
// operation, or an image operation whose level follows from derivatives.
static bool is_op(uint16_t op)
{
    return spv_group_find(op) || op == SpvOpImageSampleImplicitLod ||
           op == SpvOpImageSampleProjImplicitLod || op == SpvOpImageQueryLod;
}

// Reports whether an operand is the index into an array of descriptors.
static bool is_index(const struct spv_module *m, const struct spv_inst *i, uint32_t operand)
{
    const struct spv_inst *of =
        i->op == SpvOpAccessChain && operand == 1 ? spv_def(m, i->v[0]) : NULL;
    return of && of->op == SpvOpVariable && of->v[0] == SpvStorageClassUniformConstant;
}

static enum diag_kind kind_of(uint16_t op)
{
    const struct spv_inst i = {.op = op};
    return !spv_group_find(op)                           ? DIAG_SAMPLE
           : spv_group_class(&i) == SPV_GROUP_DERIVATIVE ? DIAG_DERIVATIVE
                                                         : DIAG_GROUP;
}

static enum diag_use use_of(const struct spv_module *m, uint32_t id, uint32_t *first)
{
    enum diag_use use = DIAG_VALUE;
    *first = 0;
    for (uint32_t k = m->functions[0].first; k < m->inst_count; k++) {
        const struct spv_inst *i = &m->insts[k];
        for (uint32_t v = 0; v < i->n; v++)
            if (i->v[v] == id &&
                (v == 0 || spv_op_find(i->op)->has_result || i->op == SpvOpStore)) {
                use = i->op == SpvOpBranchConditional ? DIAG_BRANCHES
                      : i->op == SpvOpSwitch          ? DIAG_SWITCHES
                      : is_index(m, i, v)             ? DIAG_INDEX
                                                      : use;
                *first = *first ? *first : k;
            }
    }
    return use;
}

// Returns the first load of a variable after a store to it; the store itself if there is none.
static uint32_t load_after(const struct spv_module *m, uint32_t store, uint32_t variable)
{
    for (uint32_t k = store + 1; k < m->inst_count; k++)
        if (m->insts[k].op == SpvOpLoad && m->insts[k].v[0] == variable)
            return k;
    return store;
}

static bool in_loop(uint8_t side)
{
    return side == DIAG_INSIDE || side == DIAG_CONTINUE || side == DIAG_WAY_OUT;
}

static void side_read(struct arena *a, const struct spv_module *m, bool wrapped, struct side *s)
{
    *s = (struct side){.m = m};
    s->op = ARENA_ARRAY(a, struct op, m->inst_count);
    for (uint32_t b = 0; b < m->block_count; b++) {
        int kind = change_kind(m, &m->blocks[b]);
        s->loops += kind == DIAG_LOOP;
        s->switches += kind == DIAG_SWITCH;
        s->tests += kind == DIAG_IF;
        if (kind == DIAG_IF) {
            struct place at;
            change_place(a, m, m->blocks[b].last, wrapped, &at);
            s->outside += !in_loop(at.to[DIAG_LOOP]);
        }
    }
    for (uint32_t k = m->functions[0].first; k < m->inst_count; k++) {
        uint32_t user;
        if (!is_op(m->insts[k].op) || spv_block_at(m, k) == UINT32_MAX)
            continue;
        struct op *o = &s->op[s->ops++];
        o->what = shape_op(m, &m->insts[k]);
        change_place(a, m, k, wrapped, &o->at);
        o->left = change_is_left(a, m, k);
        o->use = use_of(m, m->insts[k].result, &user);
        for (int hops = 0; user && hops < 8; hops++) {
            const struct spv_inst *u = &m->insts[user];
            const struct spv_inst *to = u->op == SpvOpStore ? spv_def(m, u->v[0]) : NULL;
            if (u->op == SpvOpCompositeExtract)
                use_of(m, u->result, &user);
            else if (to && to->op == SpvOpVariable)
                user = load_after(m, user, to->result);
            else
                break;
        }
        if (user && spv_block_at(m, user) != UINT32_MAX)
            change_place(a, m, user, wrapped, &o->user);
    }
}

static uint32_t count_of(const struct side *s, uint32_t opcode)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->ops; i++)
        n += s->op[i].what.opcode == opcode;
    return n;
}

// A broadcast is a shuffle from a uniform lane. A compiler may write it as one; that alone is not a
// change.
static void as_shuffles(struct side *in, const struct side *out)
{
    const uint32_t broadcasts = count_of(in, SpvOpGroupNonUniformBroadcast);
    if (!broadcasts || count_of(out, SpvOpGroupNonUniformBroadcast) ||
        count_of(out, SpvOpGroupNonUniformShuffle) !=
            count_of(in, SpvOpGroupNonUniformShuffle) + broadcasts)
        return;
    in->cast = true;
    for (uint32_t i = 0; i < in->ops; i++)
        if (in->op[i].what.opcode == SpvOpGroupNonUniformBroadcast)
            in->op[i].what.opcode = SpvOpGroupNonUniformShuffle;
}

// Reads both modules. If the compiler added or removed selections, the number of selections before
// an operation is meaningless.
static bool sides_read(struct arena *a, const uint32_t *in_words, size_t in_count,
                       struct spv_module *x, struct side *in, const uint32_t *out_words,
                       size_t out_count, struct spv_module *y, struct side *out)
{
    if (!spv_module_read(a, in_words, in_count, x, NULL) || !x->function_count ||
        !spv_module_read(a, out_words, out_count, y, NULL) || !y->function_count)
        return false;
    // A function around the entire program that only one module has, as naga writes it, moves
    // nothing.
    const bool wraps = change_wrapped(x) != change_wrapped(y);
    side_read(a, x, wraps && change_wrapped(x), in);
    side_read(a, y, wraps && change_wrapped(y), out);
    as_shuffles(in, out);
    for (uint32_t i = 0; i < in->ops && in->tests != out->tests; i++)
        in->op[i].at.ifs_before = 0;
    for (uint32_t i = 0; i < out->ops && in->tests != out->tests; i++)
        out->op[i].at.ifs_before = 0;
    return true;
}

// ---- operations ------------------------------------------------------------------------

// Among equal operations: those in one module without a match in the other.
struct differ {
    const struct op *gone[8], *came[8], *kept;
    uint32_t gones, cames, before, after;
};

static bool same_place(const struct op *x, const struct op *y, bool use)
{
    return memcmp(x->at.to, y->at.to, sizeof x->at.to) == 0 && x->at.ifs == y->at.ifs &&
           x->at.ifs_before == y->at.ifs_before && (!use || x->use == y->use);
}

static uint32_t count(const struct side *s, const struct diag_op *what)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->ops; i++)
        n += diag_op_same(&s->op[i].what, what);
    return n;
}

// First matches operations with the same place and use; if one side has more, then those with the
// same place and another use.
static uint32_t alone(struct arena *a, const struct side *s, const struct side *other,
                      const struct diag_op *what, const struct op **out, const struct op **kept,
                      uint32_t *total)
{
    bool *taken = ARENA_ARRAY(a, bool, other->ops + 1), *found = ARENA_ARRAY(a, bool, s->ops + 1);
    uint32_t n = 0;
    *total = count(s, what);
    for (int round = 0; round < (*total == count(other, what) ? 1 : 2); round++)
        for (uint32_t i = 0; i < s->ops; i++) {
            uint32_t k = 0;
            if (found[i] || !diag_op_same(&s->op[i].what, what))
                continue;
            while (k < other->ops && (taken[k] || !diag_op_same(&other->op[k].what, what) ||
                                      !same_place(&s->op[i], &other->op[k], round == 0)))
                k++;
            if (k == other->ops)
                continue;
            found[i] = taken[k] = true;
            *kept = &s->op[i];
        }
    for (uint32_t i = 0; i < s->ops && n < 8; i++)
        if (!found[i] && diag_op_same(&s->op[i].what, what))
            out[n++] = &s->op[i];
    return n;
}

static void find_differ(struct arena *a, const struct side *in, const struct side *out,
                        const struct diag_op *what, struct differ *d)
{
    *d = (struct differ){.gones = 0};
    d->gones = alone(a, in, out, what, d->gone, &d->kept, &d->before);
    d->cames = alone(a, out, in, what, d->came, &d->kept, &d->after);
}

static void over(struct diag_change *c, int construct, uint8_t from, uint8_t to)
{
    c->over = true;
    c->construct = (uint8_t)construct;
    c->from = from;
    c->to = to;
}

// Describes the move from `x` to `y`: the first kind of construct to which their positions differ.
// False if they do not.
static bool describe_move(const struct op *x, const struct op *y, struct diag_change *c)
{
    int k = 0;
    while (k < DIAG_CONSTRUCT_COUNT && x->at.to[k] == y->at.to[k])
        k++;
    if (k < DIAG_CONSTRUCT_COUNT) {
        uint8_t p = x->at.to[k], q = y->at.to[k];
        // Only over the branch: after it they stand as in an arm.
        p = p == DIAG_AFTER && q == DIAG_BEFORE && x->at.diverged[k] ? DIAG_INSIDE : p;
        q = q == DIAG_AFTER && p == DIAG_BEFORE && y->at.diverged[k] ? DIAG_INSIDE : q;
        // Into a loop or out of it: the part of the loop does not matter, except for an operation
        // that was executed per exit path and is now executed by all lanes after the loop.
        if (k == DIAG_LOOP && in_loop(p) != in_loop(q)) {
            bool was_diverged =
                p == DIAG_WAY_OUT && q == DIAG_AFTER && x->user.to[DIAG_LOOP] != DIAG_AFTER;
            p = in_loop(p) && !was_diverged ? DIAG_INSIDE : p;
            q = in_loop(q) && (q != DIAG_WAY_OUT || p == DIAG_BEFORE) ? DIAG_INSIDE : q;
        }
        // Out of an arm that leaves the loop.
        if (k == DIAG_LOOP && p == DIAG_WAY_OUT && q == DIAG_INSIDE)
            over(c, DIAG_IF, DIAG_INSIDE, DIAG_BEFORE);
        else
            over(c, k, p, q);
        c->by_return = k == DIAG_LOOP && c->from == DIAG_WAY_OUT && x->at.returns;
    } else if (x->at.ifs != y->at.ifs) {
        bool into = x->at.ifs < y->at.ifs;
        over(c, DIAG_IF, into ? DIAG_BEFORE : DIAG_INSIDE, into ? DIAG_INSIDE : DIAG_BEFORE);
    } else if (x->at.ifs_before != y->at.ifs_before) {
        bool down = x->at.ifs_before < y->at.ifs_before;
        over(c, DIAG_IF, down ? DIAG_BEFORE : DIAG_AFTER, down ? DIAG_AFTER : DIAG_BEFORE);
    } else {
        return false;
    }
    return true;
}

static enum diag_reuse reuse_of(const struct op *gone, const struct op *kept)
{
    const uint8_t from = gone->at.to[DIAG_LOOP], to = kept->at.to[DIAG_LOOP];
    bool branch =
        gone->at.ifs > kept->at.ifs || (from == DIAG_WAY_OUT && to == DIAG_INSIDE) ||
        (gone->at.to[DIAG_SWITCH] == DIAG_INSIDE && kept->at.to[DIAG_SWITCH] != DIAG_INSIDE);
    bool after = from == DIAG_AFTER && in_loop(to);
    return in_loop(from) && to == DIAG_BEFORE ? DIAG_REUSE_IN_LOOP
           : branch && !after                 ? DIAG_REUSE_IN_BRANCH
                                              : DIAG_REUSE_AFTER;
}

// Returns the largest number of paths of a phi all of whose operands are results of such
// operations; 0 without such a phi.
static uint32_t phi_ways(const struct spv_module *m, const struct diag_op *what)
{
    uint32_t most = 0;
    for (uint32_t k = m->functions[0].first; k < m->inst_count; k++) {
        const struct spv_inst *phi = &m->insts[k];
        uint32_t like = 0;
        for (uint32_t v = 0; phi->op == SpvOpPhi && v < phi->n; v += 2) {
            const struct spv_inst *i = spv_def(m, phi->v[v]);
            const struct diag_op op = i && is_op(i->op) ? shape_op(m, i) : (struct diag_op){0};
            like += diag_op_same(&op, what);
        }
        most = like > most && like == phi->n / 2u ? like : most;
    }
    return most;
}

// Reports whether a new phi takes an existing operation's result for one of its paths. That is so
// if the number of operations grew by less than the phi requires. Then the invocations that take
// that path have the earlier result, and only the others execute the operation.
static bool by_phi(const struct side *in, const struct side *out, const struct differ *d,
                   const struct diag_op *what)
{
    const uint32_t ways = phi_ways(out->m, what);
    return ways > phi_ways(in->m, what) && d->after + 1 < d->before + ways;
}

// Describes how the operations equal to `what` changed.
static bool describe_op(struct arena *a, const struct side *in, const struct side *out,
                        const struct diag_op *what, struct diag_change *c)
{
    struct differ d;
    find_differ(a, in, out, what, &d);
    const struct op *gone = d.gone[0], *came = d.came[0], *kept = d.kept;
    *c = (struct diag_change){.did = DIAG_DID_NOTHING};
    if (!d.gones && !d.cames)
        return false;
    if (d.gones && d.cames && by_phi(in, out, &d, what)) {
        struct diag_change move = {.did = DIAG_MOVED};
        c->did = DIAG_REUSED;
        c->reuse = DIAG_REUSE_BY_PHI;
        c->construct = describe_move(gone, came, &move) ? move.construct : DIAG_IF;
    } else if (d.gones && d.cames) {
        c->did = d.before < d.after ? DIAG_COPIED : d.before > d.after ? DIAG_MERGED : DIAG_MOVED;
        c->kind = (uint8_t)kind_of(what->opcode);
        // An operation copied with its loop: its place in the loop does not matter.
        if (in->loops >= out->loops && !describe_move(gone, came, c)) {
            c->turned = true;
            c->use_from = (uint8_t)gone->use;
            c->use_to = (uint8_t)came->use;
        }
    } else if (d.cames && out->loops == in->loops && out->switches == in->switches) {
        c->did = DIAG_OP_NEW;
        c->op = *what;
        c->use_to = (uint8_t)came->use;
        c->after_loop =
            (came->at.to[DIAG_LOOP] == DIAG_AFTER || came->left) && came->use == DIAG_VALUE;
    } else if (d.cames) {
        c->did = DIAG_COPIED;
        c->kind = (uint8_t)kind_of(what->opcode);
    } else if (kept) {
        c->did = DIAG_REUSED;
        c->reuse = (uint8_t)reuse_of(gone, kept);
    } else {
        c->did = DIAG_OP_GONE;
        c->op = *what;
    }
    return true;
}

// ---- which change is reported ----------------------------------------------------------

static int by(int x, int y)
{
    return (x > y) - (x < y);
}

// Orders by SPIR-V's names.
static int op_order(const struct diag_op *x, const struct diag_op *y)
{
    int d = strcmp(spv_op_name(x->opcode), spv_op_name(y->opcode));
    d = d ? d : strcmp(spv_group_form_name(x->form), spv_group_form_name(y->form));
    d = d ? d : by((int)x->cluster, (int)y->cluster);
    return d ? d : by(x->vector, y->vector);
}

static bool is_by_phi(const struct diag_change *c)
{
    return c->did == DIAG_REUSED && c->reuse == DIAG_REUSE_BY_PHI;
}

// An added operation is the most informative change, a removed one the least.
static int rank(const struct diag_change *c)
{
    return c->did == DIAG_OP_NEW    ? 0
           : is_by_phi(c)           ? 1
           : c->did == DIAG_REUSED  ? 3
           : c->did == DIAG_OP_GONE ? 4
                                    : 2;
}

// Reports whether x is reported rather than y. A total order, so equal candidates give equal
// results.
static bool comes_first(const struct diag_change *x, const struct diag_change *y)
{
    int d = by(rank(x), rank(y));
    const int kind[2] = {x->over     ? construct_rows[x->construct].rank
                         : x->turned ? 2
                                     : 0,
                         y->over     ? construct_rows[y->construct].rank
                         : y->turned ? 2
                                     : 0};
    d = d ? d : by(x->did, y->did);
    d = d ? d : by(x->kind, y->kind);
    d = d ? d : op_order(&x->op, &y->op);
    d = d ? d : by(kind[0], kind[1]);
    d = d ? d : by(x->from, y->from);
    d = d ? d : by(x->to, y->to);
    d = d ? d : by(x->use_from, y->use_from);
    d = d ? d : by(x->use_to, y->use_to);
    d = d ? d : by(x->after_loop, y->after_loop);
    d = d ? d : by(x->by_return, y->by_return);
    d = d ? d : by(x->reuse, y->reuse);
    return d < 0;
}

static int8_t more(uint32_t before, uint32_t after)
{
    return (int8_t)by((int)after, (int)before);
}

static bool is_nonuniform(const struct spv_module *m, uint32_t id)
{
    for (uint32_t d = 0; d < m->functions[0].first; d++)
        if (m->insts[d].op == SpvOpDecorate && m->insts[d].v[0] == id &&
            m->insts[d].v[1] == SpvDecorationNonUniform)
            return true;
    return false;
}

// Reports whether an id is NonUniform, or something loaded through it and combined for a sample.
static bool is_marked_nonuniform(const struct spv_module *m, uint32_t id, int depth)
{
    bool marked = is_nonuniform(m, id);
    for (uint32_t k = m->def[id] + 1; k < m->inst_count && !marked && depth < 3; k++) {
        const struct spv_inst *x = &m->insts[k];
        if ((x->op == SpvOpLoad || x->op == SpvOpSampledImage || x->op == SpvOpImage) &&
            (x->v[0] == id || (x->op == SpvOpSampledImage && x->v[1] == id)))
            marked = is_marked_nonuniform(m, x->result, depth + 1);
    }
    return marked;
}

// Counts the indices into arrays of descriptors that are not constants and not NonUniform.
static uint32_t uniform_indices(const struct spv_module *m, uint32_t *all)
{
    uint32_t n = 0;
    *all = 0;
    for (uint32_t k = m->functions[0].first; k < m->inst_count; k++) {
        const struct spv_inst *x = &m->insts[k], *v = x->op == SpvOpAccessChain && x->n == 2
                                                          ? spv_def(m, x->v[0])
                                                          : NULL;
        if (v && v->op == SpvOpVariable && v->v[0] == SpvStorageClassUniformConstant &&
            spv_block_at(m, m->def[x->v[1]]) != UINT32_MAX) {
            n += !is_marked_nonuniform(m, x->result, 0);
            ++*all;
        }
    }
    return n;
}

static void describe_descriptor(const struct spv_module *x, const struct spv_module *y,
                                struct diag_change *c)
{
    uint32_t before, after;
    if (c->did || uniform_indices(y, &after) <= uniform_indices(x, &before))
        return;
    c->did = DIAG_DESCRIPTOR;
    c->opcode = after > before ? SpvOpAccessChain : SpvOpDecorate;
}

// For a fragment shader: counts demotes, terminations and queries of the helper status.
static void count_stage(const struct spv_module *m, uint32_t *demotes, uint32_t *ends,
                        uint32_t *queries)
{
    for (uint32_t k = m->functions[0].first; k < m->inst_count; k++) {
        const struct spv_inst *x = &m->insts[k];
        *demotes += x->op == SpvOpDemoteToHelperInvocation;
        *ends += x->op == SpvOpTerminateInvocation || x->op == SpvOpKill;
        *queries += shape_queries_helper(m, x);
    }
}

static void describe_stage(const struct spv_module *x, const struct spv_module *y,
                           struct diag_change *c)
{
    uint32_t n[2][3] = {{0}};
    count_stage(x, &n[0][0], &n[0][1], &n[0][2]);
    count_stage(y, &n[1][0], &n[1][1], &n[1][2]);
    c->demotes = more(n[0][0], n[1][0]);
    c->ends = more(n[0][1], n[1][1]);
    c->queries = more(n[0][2], n[1][2]);
}

static bool is_of_loop(const struct spv_module *m, const struct spv_inst *branch)
{
    bool of = false;
    for (uint32_t k = m->functions[0].first; k < m->inst_count; k++) {
        const struct spv_inst *x = &m->insts[k];
        for (uint32_t v = 1; v < 3 && x->op == SpvOpLoopMerge && branch->n > 2; v++)
            of |= x->v[0] == branch->v[v] || x->v[1] == branch->v[v];
    }
    return of;
}

// For a new query of the helper status: finds the first old instruction that depends on the answer.
static void describe_query(struct arena *a, const struct spv_module *x, const struct spv_module *y,
                           struct diag_change *c)
{
    bool *hangs = ARENA_ARRAY(a, bool, y->bound);
    for (uint32_t k = y->functions[0].first; k < y->inst_count; k++) {
        const struct spv_inst *i = &y->insts[k], *was = i->result && i->result < x->bound
                                                            ? spv_def(x, i->result)
                                                            : NULL;
        bool on = false;
        for (uint32_t v = 0; v < i->n; v++)
            on |= i->v[v] < y->bound && hangs[i->v[v]] && spv_def(y, i->v[v]);
        if (i->result && !was) {
            hangs[i->result] = on || shape_queries_helper(y, i);
        } else if (on) {
            const int8_t queries = c->queries;
            *c = (struct diag_change){.did = DIAG_ASKED,
                                      .queries = queries,
                                      .opcode = was ? was->op : i->op,
                                      .round = is_of_loop(y, i)};
            return;
        }
    }
}

bool diag_change(const uint32_t *in_words, size_t in_count, const uint32_t *out_words,
                 size_t out_count, struct diag_change *change)
{
    struct arena a = {0};
    struct spv_module x, y;
    struct side in, out;
    struct diag_change best = {.did = DIAG_DID_NOTHING};
    if (sides_read(&a, in_words, in_count, &x, &in, out_words, out_count, &y, &out)) {
        for (uint32_t i = 0; i < in.ops + out.ops; i++) {
            struct diag_change c;
            const struct op *op = i < in.ops ? &in.op[i] : &out.op[i - in.ops];
            if (describe_op(&a, &in, &out, &op->what, &c) && (!best.did || comes_first(&c, &best)))
                best = c;
        }
        describe_descriptor(&x, &y, &best);
        best.loops = more(in.loops, out.loops);
        best.switches = more(in.switches, out.switches);
        // A copy on an edge adds a selection.
        const bool copies = best.did == DIAG_COPIED || is_by_phi(&best);
        if (!copies || in.tests > out.tests || in.loops < out.loops)
            best.ifs =
                in.loops == out.loops ? more(in.tests, out.tests) : more(in.outside, out.outside);
        // The switch no longer leaves its loop: the changed positions of operations follow from
        // that.
        if (!best.loops && !best.switches && !best.ifs && shape_flow(&a, &x).left &&
            !shape_flow(&a, &y).left)
            best = (struct diag_change){.did = DIAG_EDGE,
                                        .label_from = DIAG_TO_LOOP_MERGE,
                                        .label_to = DIAG_TO_SWITCH_MERGE};
        describe_stage(&x, &y, &best);
        const bool vote = best.did == DIAG_OP_NEW && best.op.opcode == SpvOpGroupNonUniformAny;
        if (best.queries > 0 && (!best.did || vote) && !best.loops && !best.switches && !best.ifs)
            describe_query(&a, &x, &y, &best);
        if (!best.did && !best.loops && !best.switches && !best.ifs && !in.cast)
            change_rest(&x, &y, &best);
    }
    *change = best;
    arena_free(&a);
    return change->did != DIAG_DID_NOTHING;
}

bool diag_change_equal(const struct diag_change *x, const struct diag_change *y)
{
    return x->did == y->did && diag_op_same(&x->op, &y->op) &&
           (x->did != DIAG_OP_NEW || (x->use_to == y->use_to && x->after_loop == y->after_loop)) &&
           x->label_from == y->label_from && x->label_to == y->label_to && x->opcode == y->opcode &&
           x->value_from == y->value_from && x->value_to == y->value_to && x->round == y->round;
}

unsigned diag_change_of_op(const uint32_t *in_words, size_t in_count, uint32_t id,
                           const uint32_t *out_words, size_t out_count)
{
    struct arena a = {0};
    struct spv_module x, y;
    struct side in, out;
    unsigned what = 0;
    if (sides_read(&a, in_words, in_count, &x, &in, out_words, out_count, &y, &out) &&
        id < x.bound && x.def[id] != UINT32_MAX) {
        struct differ d;
        const struct diag_op op = shape_op(&x, &x.insts[x.def[id]]);
        find_differ(&a, &in, &out, &op, &d);
        what = (d.after < d.before ? DIAG_OP_FEWER : 0u) |
               (d.after > d.before ? DIAG_OP_MORE : 0u) |
               (d.gones && d.cames ? DIAG_OP_ELSEWHERE : 0u);
    }
    arena_free(&a);
    return what;
}
