// SPDX-License-Identifier: Apache-2.0
//
// Accesses to memory through the texture unit: tmud takes rows of data, tmua the addresses, which
// start the access; ldtmu takes the rows that it returns, in order. Mesa's back end
// defines the word that says which access (the next uniform, if the addresses went to tmuau):
//   bits 0 to 2    size: vectors of 2 to 4 words, 8, 16 or 32 bits
//   bits 3 to 6    operation, by Mesa's table in src/broadcom/cle: some differ between reads and
//                  writes
//   bit 7          for each lane; else for whole quads, which Mesa uses only where all lanes are on
// An access is executed at once. Addresses have 32 bits.
#include "isa/isa_bits.h"
#include "qpu_machine.h"

#include <string.h>

enum { REGULAR = 15, AND_OR_INC = 8, OR_OR_DEC = 9, EXCHANGE = 2, COMPARE = 3 };

// Finds the bytes of an access; NULL: none are there.
static uint8_t *place(struct qpu_machine *m, uint32_t address, uint32_t bytes, bool write)
{
    const uint32_t in_shared = address - SHARED_BASE;
    if (address % bytes)
        return NULL;
    if (in_shared <= SHARED_BYTES - bytes)
        return isa_shared(&m->shared) + in_shared;
    return isa_at(&m->memory, address, bytes, write);
}

static uint32_t loaded(const uint8_t *from, uint32_t bytes)
{
    uint32_t v = 0;
    memcpy(&v, from, bytes);
    return v;
}

static bool combined(uint32_t op, uint32_t rows, uint32_t old, uint32_t x, uint32_t y,
                     uint32_t *out)
{
    static const enum isa_combine with_data[] = {
        [0] = ISA_IADD,  [1] = ISA_ISUB,        [4] = ISA_UMIN,          [5] = ISA_UMAX,
        [6] = ISA_IMIN,  [7] = ISA_IMAX,        [AND_OR_INC] = ISA_IAND, [OR_OR_DEC] = ISA_IOR,
        [10] = ISA_IXOR, [EXCHANGE] = ISA_XCHG,
    };
    if (op == COMPARE && rows == 2)
        *out = old == x ? y : old;
    else if (op < sizeof with_data / sizeof *with_data && op != COMPARE && rows == 1)
        *out = (uint32_t)isa_combined(with_data[op], 32, old, x);
    else if (op == AND_OR_INC && !rows)
        *out = old + 1;
    else if (op == OR_OR_DEC && !rows)
        *out = old - 1;
    else
        return false;
    return true;
}

struct access {
    uint32_t op, bytes, words;
    bool store, atomic;
};

static bool understood(const struct qpu_thread *t, uint32_t config, struct access *x)
{
    static const uint8_t bytes[8] = {0, 0, 4, 4, 4, 1, 2, 4}, words[8] = {0, 0, 2, 3, 4, 1, 1, 1};
    x->op = config >> 3 & 15;
    x->bytes = bytes[config & 7];
    x->words = words[config & 7];
    x->atomic = x->op != REGULAR;
    x->store = t->data_rows && !x->atomic;
    if (config >> 8 != 0xffffff || !x->words || (x->store && t->data_rows != x->words))
        return false;
    uint32_t unused;
    return !x->atomic || (x->bytes == 4 && x->words == (x->op == COMPARE ? 2 : 1) &&
                          combined(x->op, t->data_rows, 0, 0, 0, &unused));
}

static bool lane(struct qpu_machine *m, struct qpu_thread *t, const struct qpu_inst *in,
                 const struct access *x, uint32_t address, uint32_t l, qpu_row *got)
{
    for (uint32_t k = 0; k < (x->atomic ? 1 : x->words); k++) {
        uint8_t *at = place(m, address + k * 4, x->bytes, x->store || x->atomic);
        if (!at)
            return isa_refuse(m->out, RAN_FAULT, in->line, "%s of %u bytes at 0x%x",
                              x->store ? "a store" : "an access", x->bytes, address + k * 4);
        const uint32_t old = loaded(at, x->bytes);
        uint32_t v = t->data[k][l];
        if (x->atomic)
            combined(x->op, t->data_rows, old, t->data[0][l], t->data[1][l], &v);
        if (x->atomic || x->store)
            memcpy(at, &v, x->bytes);
        got[k][l] = old;
    }
    return true;
}

bool qpu_access(struct qpu_machine *m, struct qpu_thread *t, const struct qpu_inst *in,
                const uint32_t *address, lanes16 on, uint32_t config)
{
    struct access x;
    if (!understood(t, config, &x))
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "the access 0x%x with %u rows", config,
                          t->data_rows);
    const uint32_t rows = x.store ? 0 : x.atomic ? 1 : x.words;
    qpu_row got[4] = {{0}};
    for (uint32_t l = 0; l < QPU_LANES; l++)
        if (on >> l & 1 && !lane(m, t, in, &x, address[l], l, got))
            return false;
    if (t->result_rows + rows > RESULT_ROWS)
        return qpu_refuse(m, RAN_STUCK, in, "results that ldtmu does not take");
    for (uint32_t k = 0; k < rows; k++) {
        const uint32_t at = (t->result_at + t->result_rows++) % RESULT_ROWS;
        memcpy(t->result[at], got[k], sizeof got[k]);
        t->result_of[at] = on;
    }
    t->data_rows = 0;
    return true;
}

bool qpu_result(struct qpu_machine *m, struct qpu_thread *t, const struct qpu_inst *in,
                uint32_t *out, lanes16 *of)
{
    if (!t->result_rows)
        return qpu_refuse(m, RAN_STUCK, in, "ldtmu waits for a result of no access");
    memcpy(out, t->result[t->result_at], sizeof t->result[0]);
    *of = t->result_of[t->result_at];
    t->result_at = (t->result_at + 1) % RESULT_ROWS;
    t->result_rows--;
    return true;
}

bool qpu_unifa(struct qpu_machine *m, struct qpu_thread *t, const struct qpu_inst *in,
               uint32_t *out)
{
    const uint8_t *at = place(m, t->unifa, 4, false);
    isa_random_row(&m->random_fill, out, QPU_LANES);
    if (t->unifa_age < DELAY_UNIFA)
        return true; // too early
    if (!at)
        return isa_refuse(m->out, RAN_FAULT, in->line, "ldunifa at 0x%x", t->unifa);
    for (uint32_t l = 0; l < QPU_LANES; l++)
        out[l] = loaded(at, 4);
    t->unifa += 4;
    return true;
}
