// SPDX-License-Identifier: Apache-2.0
//
// Reads a module. Input: untrusted words. Output: instructions, checked against the opcode table,
// and the definition of each id. module_blocks.c adds functions and blocks. Time and memory are
// linear in words plus bound.
#include "module_inner.h"

#include <string.h>

// Literal strings are returned as pointers into the words.
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a little-endian host");

enum { HEADER_WORDS = 5, WORDS_LIMIT = 1 << 28 };

struct reader {
    struct spv_module *m;
    struct err *e;
};

// ---- operands -----------------------------------------------------------------

static bool id_ok(const struct reader *r, uint32_t id, const struct spv_op *op, size_t at)
{
    if (id > 0 && id < r->m->bound)
        return true;
    return err_set(r->e, "word %zu: %s names id %u, ids are 1 .. %u here", at, op->name, id,
                   r->m->bound - 1);
}

// Returns the number of words of the literal string in v[0 .. n); 0 if it has no NUL.
static size_t string_words(const uint32_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((v[i] - 0x01010101u) & ~v[i] & 0x80808080u)
            return i + 1;
    return 0;
}

static bool too_short(const struct reader *r, const struct spv_op *op, size_t at, size_t words)
{
    size_t least = 1 + (size_t)op->has_type + (size_t)op->has_result;
    for (size_t i = 0; i < SPV_OPERANDS_MAX && op->operands[i].kind != SPV_OPERAND_END; i++)
        if (op->operands[i].quantifier == SPV_ONCE)
            least += op->operands[i].kind >= SPV_OPERAND_PAIR_LITERAL_ID ? 2 : 1;
    return err_set(r->e, "word %zu: %s has %zu words, the grammar requires at least %zu", at,
                   op->name, words, least);
}

// Checks operand words v[0 .. n) against the table row. The instruction begins at word `begin` of
// the module. `free_ids`: ids from operand 2 on are not checked (see debug_info_set).
static bool operands_ok(const struct reader *r, const struct spv_op *op, const uint32_t *v,
                        size_t n, size_t begin, bool free_ids)
{
    size_t at = (size_t)(v - r->m->words), i = 0;
    for (size_t k = 0; k < SPV_OPERANDS_MAX && op->operands[k].kind != SPV_OPERAND_END; k++) {
        uint8_t kind = op->operands[k].kind, quantifier = op->operands[k].quantifier;
        if (i == n && quantifier == SPV_ONCE)
            return too_short(r, op, begin, at + n - begin);
        while (i < n) {
            switch (kind) {
            case SPV_OPERAND_ID:
                if (!(free_ids && k >= 2) && !id_ok(r, v[i], op, at + i))
                    return false;
                i++;
                break;
            case SPV_OPERAND_LITERAL:
                i++;
                break;
            case SPV_OPERAND_STRING: {
                size_t words = string_words(v + i, n - i);
                if (words == 0)
                    return err_set(r->e, "word %zu: the literal string of %s has no NUL inside it",
                                   at + i, op->name);
                i += words;
                break;
            }
            case SPV_OPERAND_PAIR_ID_LITERAL:
            case SPV_OPERAND_PAIR_ID_ID:
                if (n - i < 2)
                    return err_set(r->e, "word %zu: %s ends inside a pair of operands", at + i,
                                   op->name);
                if (!id_ok(r, v[i], op, at + i) ||
                    (kind == SPV_OPERAND_PAIR_ID_ID && !id_ok(r, v[i + 1], op, at + i + 1)))
                    return false;
                i += 2;
                break;
            default:
                // Image operands: a mask, followed only by ids.
                for (i++; kind == SPV_OPERAND_ENUM_ARGS && op->klass == SPV_CLASS_IMAGE && i < n;
                     i++)
                    if (!id_ok(r, v[i], op, at + i))
                        return false;
                // The rest of the instruction belongs to an enumerant with operands, or is a
                // literal as wide as its type, which typed_literals_ok checks when all types are
                // known.
                return true;
            }
            if (quantifier != SPV_MANY)
                break;
        }
    }
    if (i < n)
        return err_set(r->e, "word %zu: %s has %zu words, its operands end after %zu", begin,
                       op->name, at + n - begin, at + i - begin);
    return true;
}

// The OpenCL debug sets have literals where the grammar of OpExtInst has ids.
static bool debug_info_set(const struct spv_module *m, uint32_t set)
{
    const struct spv_inst *d = spv_def(m, set);
    const char *name = d && d->op == SpvOpExtInstImport ? spv_string(d->v, d->n) : NULL;
    return name &&
           (strncmp(name, "DebugInfo", 9) == 0 || strncmp(name, "OpenCL.DebugInfo.", 17) == 0);
}

static bool spec_op_ok(const struct reader *r, const struct spv_inst *in, size_t begin)
{
    const struct spv_op *op = in->n ? spv_op_find(in->v[0]) : NULL;
    if (in->n == 0)
        return too_short(r, spv_op_find(SpvOpSpecConstantOp), begin, 3);
    if (!op || !op->has_type || !op->has_result || op->opcode == SpvOpSpecConstantOp)
        return err_set(r->e, "word %zu: OpSpecConstantOp of opcode %u, which has no result",
                       begin + 3, in->v[0]);
    return operands_ok(r, op, in->v + 1, in->n - 1u, begin, false);
}

// ---- instructions ---------------------------------------------------------------

// Decodes the instruction at word `at`, `words` long, into insts[index].
static bool inst_read(struct reader *r, uint32_t index, size_t at, size_t words)
{
    struct spv_module *m = r->m;
    struct spv_inst *in = &m->insts[index];
    const uint32_t *v = m->words + at;
    const struct spv_op *op = spv_op_find(v[0] & 0xffff);
    if (!op)
        return err_set(r->e, "word %zu: opcode %u is not in the opcode table", at, v[0] & 0xffff);
    size_t head = 1 + (size_t)op->has_type + (size_t)op->has_result;
    if (words < head)
        return too_short(r, op, at, words);
    in->op = op->opcode;
    in->at = (uint32_t)at;
    in->n = (uint16_t)(words - head);
    in->v = v + head;
    if (op->has_type) {
        in->type = v[1];
        if (!id_ok(r, in->type, op, at + 1))
            return false;
    }
    if (op->has_result) {
        in->result = v[head - 1];
        if (!id_ok(r, in->result, op, at + head - 1))
            return false;
        uint32_t *def = &m->def[in->result];
        if (*def != UINT32_MAX)
            return err_set(r->e, "word %zu: %s defines id %u, which word %u already defines", at,
                           op->name, in->result, m->insts[*def].at);
        *def = index;
    }
    if (op->opcode == SpvOpSpecConstantOp)
        return spec_op_ok(r, in, at);
    bool free_ids = op->opcode == SpvOpExtInst && in->n && debug_info_set(m, in->v[0]);
    return operands_ok(r, op, in->v, in->n, at, free_ids);
}

// Returns the words of a literal of a numeric type; 0 if `type` is not numeric.
static size_t literal_words(const struct spv_module *m, uint32_t type)
{
    const struct spv_inst *d = spv_def(m, type);
    if (!d || (d->op != SpvOpTypeInt && d->op != SpvOpTypeFloat) || d->v[0] == 0)
        return 0;
    return ((size_t)d->v[0] + 31) / 32;
}

static bool constant_ok(const struct reader *r, const struct spv_inst *in)
{
    size_t want = literal_words(r->m, in->type);
    if (want == 0)
        return err_set(r->e, "word %u: the type %%%u of %s is not an OpTypeInt or OpTypeFloat",
                       in->at, in->type, spv_op_name(in->op));
    if (in->n != want)
        return err_set(r->e, "word %u: %s has %u words, with a literal of its type it has %zu",
                       in->at, spv_op_name(in->op), in->n + 3u, want + 3);
    return true;
}

static bool switch_ok(const struct reader *r, const struct spv_inst *in)
{
    const struct spv_inst *selector = spv_def(r->m, in->v[0]);
    size_t want = selector ? literal_words(r->m, selector->type) : 0;
    if (want == 0)
        return err_set(r->e, "word %u: the selector %%%u of OpSwitch has no integer type", in->at,
                       in->v[0]);
    if ((in->n - 2u) % (want + 1))
        return err_set(r->e, "word %u: OpSwitch ends inside a pair of literal and label", in->at);
    for (size_t i = 2 + want; i < in->n; i += want + 1)
        if (!id_ok(r, in->v[i], spv_op_find(SpvOpSwitch), in->at + 1 + i))
            return false;
    return true;
}

static bool typed_literals_ok(const struct reader *r)
{
    for (uint32_t i = 0; i < r->m->inst_count; i++) {
        const struct spv_inst *in = &r->m->insts[i];
        if ((in->op == SpvOpConstant || in->op == SpvOpSpecConstant) && !constant_ok(r, in))
            return false;
        if (in->op == SpvOpSwitch && !switch_ok(r, in))
            return false;
    }
    return true;
}

// ---- the module -----------------------------------------------------------------

static bool header_ok(const uint32_t *words, size_t count, struct err *e)
{
    if (count < HEADER_WORDS)
        return err_set(e, "a SPIR-V module has at least %d words, here are %zu", HEADER_WORDS,
                       count);
    if (count > WORDS_LIMIT)
        return err_set(e, "%zu words are more than the limit of %d", count, WORDS_LIMIT);
    if (words[0] == 0x03022307u)
        return err_set(e, "word 0: the magic number is byte-swapped; SPIR-V of the opposite byte "
                          "order is not read");
    if (words[0] != SpvMagicNumber)
        return err_set(e, "word 0: 0x%08x, SPIR-V's magic number 0x%08x was expected", words[0],
                       SpvMagicNumber);
    if (words[1] < 0x00010000 || words[1] > 0x00010600 || (words[1] & 0xff))
        return err_set(e,
                       "word 1: version 0x%08x, one of 1.0 (0x00010000) to 1.6 (0x00010600) "
                       "was expected",
                       words[1]);
    if (words[3] == 0 || words[3] > SPV_ID_LIMIT)
        return err_set(e, "word 3: the bound of ids is %u, 1 .. %d was expected", words[3],
                       SPV_ID_LIMIT);
    return true;
}

bool spv_module_read(struct arena *a, const uint32_t *words, size_t count, struct spv_module *out,
                     struct err *e)
{
    if (!header_ok(words, count, e))
        return false;
    struct spv_module m = {.words = words, .count = count, .version = words[1], .bound = words[3]};
    // Counts everything first, so that no array has to grow.
    uint32_t functions = 0, labels = 0;
    for (size_t at = HEADER_WORDS; at < count; m.inst_count++) {
        uint32_t op = words[at] & 0xffff, n = words[at] >> 16;
        if (n == 0 || n > count - at)
            return err_set(e, "word %zu: %s of %u words, 1 .. %zu are left in the module", at,
                           spv_op_name(op), n, count - at);
        functions += op == SpvOpFunction;
        labels += op == SpvOpLabel;
        at += n;
    }
    m.insts = ARENA_ARRAY(a, struct spv_inst, m.inst_count);
    m.def = ARENA_ARRAY(a, uint32_t, m.bound);
    memset(m.def, 0xff, (size_t)m.bound * sizeof *m.def);
    struct reader r = {&m, e};
    size_t at = HEADER_WORDS;
    for (uint32_t i = 0; i < m.inst_count; i++) {
        size_t n = words[at] >> 16;
        if (!inst_read(&r, i, at, n))
            return false;
        at += n;
    }
    if (!typed_literals_ok(&r) || !module_blocks(a, &m, functions, labels, e))
        return false;
    *out = m;
    return true;
}

const struct spv_inst *spv_def(const struct spv_module *m, uint32_t id)
{
    return id < m->bound && m->def[id] != UINT32_MAX ? &m->insts[m->def[id]] : NULL;
}

const char *spv_string(const uint32_t *v, size_t n)
{
    return string_words(v, n) ? (const char *)v : NULL;
}

bool spv_declares(const struct spv_module *m, const char *extension)
{
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *s = &m->insts[k];
        const char *name = s->op == SpvOpExtension ? spv_string(s->v, s->n) : NULL;
        if (name && strcmp(name, extension) == 0)
            return true;
    }
    return false;
}

const char *spv_name(const struct spv_module *m, uint32_t id)
{
    uint32_t end = m->function_count ? m->functions[0].first : m->inst_count;
    for (uint32_t i = 0; i < end; i++)
        if (m->insts[i].op == SpvOpName && m->insts[i].v[0] == id)
            return spv_string(m->insts[i].v + 1, m->insts[i].n - 1u);
    return NULL;
}
