// SPDX-License-Identifier: Apache-2.0
//
// Parses the section "QPU" of what v3dv prints into instructions, each checked against its row, and
// the stream of uniforms. A line is
//   0xENCODING operation ; operation ; signal ; signal (uniform)
// or a branch:
//   0xENCODING bu.allna  160, r:unif (uniform)
// Mesa puts "MESA: info: " before it.
#include "qpu_reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSTRUCTIONS = 100000, TEMPORARIES = 1 << 16, BASE_GROUP = 63 };
static const char head[] = "MESA: info: ";

#define refuse qpu_reader_refuse

struct word qpu_trimmed(struct word t)
{
    while (t.n && (*t.s == ' ' || *t.s == '\t'))
        t = word_after(t, 1);
    while (t.n && (t.s[t.n - 1] == ' ' || t.s[t.n - 1] == '\t' || t.s[t.n - 1] == '\r'))
        t.n--;
    return t;
}

struct word qpu_take(struct word *t, char mark)
{
    const char *end = t->n ? memchr(t->s, mark, t->n) : NULL;
    const struct word out = {t->s, end ? (size_t)(end - t->s) : t->n};
    *t = word_after(*t, out.n + (end != NULL));
    return qpu_trimmed(out);
}

static bool number(struct word t, uint32_t *out)
{
    char buffer[12], *end;
    if (!t.n || t.n >= sizeof buffer)
        return false;
    memcpy(buffer, t.s, t.n);
    buffer[t.n] = 0;
    const bool negative = *buffer == '-';
    if (buffer[negative] < '0' || buffer[negative] > '9')
        return false;
    const long long v = strtoll(buffer, &end, 0);
    *out = (uint32_t)v;
    return !*end && v >= INT32_MIN && v <= UINT32_MAX;
}

static bool is_register(struct qpu_reader *r, struct word t, uint32_t *out)
{
    const bool temporary =
        r->vir && word_starts(t, "t") && parse_u32(t.s + 1, t.n - 1, out) && *out < TEMPORARIES;
    if (temporary)
        *out += QPU_REGISTERS;
    if (temporary && *out >= r->registers)
        r->registers = *out + 1;
    return temporary ||
           (word_starts(t, "rf") && parse_u32(t.s + 2, t.n - 2, out) && *out < QPU_REGISTERS);
}

// VIR prints an immediate as a float, if it is not from 0 to 15: a power of 2, or one from -16 to
// -1, of which "-nan" does not show which.
static bool immediate(struct qpu_reader *r, struct word t, uint32_t *out)
{
    for (int k = -8; r->vir && k < 8; k++) {
        char text[32];
        const float v = ldexpf(1, k);
        snprintf(text, sizeof text, "%f", (double)v);
        memcpy(out, &v, sizeof *out);
        if (word_is(t, text))
            return true;
    }
    return number(t, out);
}

// ---- operands ----------------------------------------------------------------

bool qpu_target_read(struct qpu_reader *r, struct word t, struct qpu_target *out)
{
    static const struct {
        const char *name;
        enum qpu_place place;
    } places[] = {{"-", PLACE_NONE},     {"null", PLACE_NONE}, {"unifa", PLACE_UNIFA},
                  {"tmud", PLACE_TMUD},  {"tmua", PLACE_TMUA}, {"tmuau", PLACE_TMUAU},
                  {"syncb", PLACE_SYNCB}};
    if (is_register(r, t, &out->reg)) {
        out->place = PLACE_REGISTER;
        return true;
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (word_is(t, places[i].name)) {
            out->place = places[i].place;
            return true;
        }
    return refuse(r, "the destination", t);
}

static bool unpack_read(struct word t, char type, enum qpu_unpack *out)
{
    static const struct {
        const char *name;
        char type;
        enum qpu_unpack unpack;
    } rows[] = {{"abs", 'f', UNPACK_ABS},      {"l", 'f', UNPACK_LOW},
                {"h", 'f', UNPACK_HIGH},       {"ll", 'h', UNPACK_BOTH_LOW},
                {"hh", 'h', UNPACK_BOTH_HIGH}, {"swp", 'h', UNPACK_SWAP},
                {"ff", 'h', UNPACK_HALVES}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].type == type && word_is(t, rows[i].name)) {
            *out = rows[i].unpack;
            return true;
        }
    return false;
}

static bool operand_read(struct qpu_reader *r, struct word t, char type, struct qpu_operand *out)
{
    struct word rest = t;
    const struct word name = qpu_take(&rest, '.');
    if (immediate(r, t, &out->v)) {
        out->immediate = true;
        return true;
    }
    if (!is_register(r, name, &out->v))
        return refuse(r, "the operand", t);
    return name.n == t.n || unpack_read(rest, type, &out->unpack) || refuse(r, "the form of", t);
}

static bool pack_read(struct qpu_reader *r, struct word *t, char type, struct qpu_alu *out)
{
    struct word rest = *t;
    const struct word name = qpu_take(&rest, '.');
    if (name.n == t->n)
        return true;
    if (type != 'f' || (!word_is(rest, "l") && !word_is(rest, "h")))
        return refuse(r, "the form of", *t);
    out->pack = word_is(rest, "l") ? PACK_LOW : PACK_HIGH;
    *t = name;
    return true;
}

// ---- operations --------------------------------------------------------------

static bool suffix_read(struct qpu_reader *r, struct word t, struct qpu_alu *out)
{
    static const char *const conds[] = {"ifa", "ifna", "ifb", "ifnb"};
    static const struct {
        const char *name;
        enum qpu_flag flag;
    } flags[] = {{"push", FLAG_PUSH},
                 {"andn", FLAG_AND_NOT}, // before "and": the last letter is the flag
                 {"and", FLAG_AND},
                 {"norn", FLAG_NOR_NOT},
                 {"nor", FLAG_NOR}};
    for (size_t i = 0; i < sizeof conds / sizeof *conds; i++)
        if (word_is(t, conds[i]) && !out->cond) {
            out->cond = (enum qpu_cond)(COND_A + i);
            return true;
        }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        const size_t n = strlen(flags[i].name);
        if (word_starts(t, flags[i].name) && t.n == n + 1 && strchr("znc", t.s[n]) && !out->flag) {
            out->flag = flags[i].flag;
            out->on = t.s[n];
            return true;
        }
    }
    return refuse(r, "the suffix", t);
}

// Which flags of a result are known: Z and N of integers; of floats only the comparison's.
static bool flag_known(const struct qpu_alu *x)
{
    const struct qpu_op *op = &qpu_ops[x->id];
    if (!x->flag || x->id == QPU_FCMP)
        return true;
    if (x->on == 'c')
        return x->id == QPU_ADD || x->id == QPU_SUB || x->id == QPU_MIN;
    return op->types[0] == 'u' && x->id != QPU_TMUWT && x->id != QPU_BARRIERID;
}

bool qpu_operation_read(struct qpu_reader *r, struct word t, char unit, struct qpu_alu *out)
{
    struct word rest = t, name = qpu_take(&rest, ' ');
    const struct word whole = name;
    const struct word base = qpu_take(&name, '.');
    uint32_t id = 0;
    while (id < QPU_IDS && (!word_is(base, qpu_ops[id].name) || !strchr(qpu_ops[id].units, unit)))
        id++;
    if (id == QPU_IDS)
        return refuse(r, "the operation", whole);
    *out = (struct qpu_alu){.id = (enum qpu_id)id};
    while (name.n)
        if (!suffix_read(r, qpu_take(&name, '.'), out))
            return false;
    const struct qpu_op *op = &qpu_ops[id];
    rest = qpu_trimmed(rest);
    if (op->types[0]) {
        struct word to = qpu_take(&rest, ',');
        if (!pack_read(r, &to, op->types[0], out) || !qpu_target_read(r, to, &out->to))
            return false;
        if (op->types[0] == '-' && out->to.place != PLACE_NONE)
            return refuse(r, "the result of", whole);
    }
    for (uint32_t i = 0; op->types[0] && op->types[1 + i]; i++)
        if (!operand_read(r, qpu_take(&rest, ','), op->types[1 + i], &out->src[i]))
            return false;
    if (rest.n)
        return refuse(r, "operands", t);
    if (out->flag && out->cond)
        return refuse(r, "the condition and flag of", whole);
    return flag_known(out) || refuse(r, "the flag of", whole);
}

// tmud, unifa and syncb take all lanes; what the barrier needs is computed by barrierid alone.
bool qpu_target_fits(struct qpu_reader *r, const struct qpu_alu *x, struct word t)
{
    const enum qpu_place p = x->to.place;
    if (x->cond && (p == PLACE_TMUD || p == PLACE_UNIFA || p == PLACE_SYNCB))
        return refuse(r, "a condition of", t);
    if (x->pack && p != PLACE_REGISTER)
        return refuse(r, "the form of", t);
    if ((p == PLACE_SYNCB) != (x->id == QPU_BARRIERID) || (x->id == QPU_MSF && p != PLACE_NONE))
        return refuse(r, "the destination of", t);
    return true;
}

// ---- signals, branches, uniforms ---------------------------------------------------

bool qpu_signal_read(struct qpu_reader *r, struct word t, struct qpu_inst *out)
{
    static const struct {
        const char *name;
        enum qpu_arrival from;
        bool named; // it has a destination; else register 0
    } rows[] = {{"ldunif", ARRIVAL_UNIFORM, false},
                {"ldunifrf", ARRIVAL_UNIFORM, true},
                {"ldunifa", ARRIVAL_UNIFA, false},
                {"ldunifarf", ARRIVAL_UNIFA, true},
                {"ldtmu", ARRIVAL_TMU, true}};
    struct word rest = t;
    const struct word name = qpu_take(&rest, '.');
    if (word_is(t, "thrsw") && !out->thread_switch)
        return out->thread_switch = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!word_is(name, rows[i].name) || (name.n != t.n) != rows[i].named || out->loads == 2)
            continue;
        struct qpu_load *load = &out->load[out->loads++];
        *load = (struct qpu_load){rows[i].from, {PLACE_REGISTER, 0}};
        return !rows[i].named || (qpu_target_read(r, rest, &load->to) &&
                                  (load->to.place <= PLACE_UNIFA || refuse(r, "the signal", t)));
    }
    return refuse(r, "the signal", t);
}

bool qpu_branch_read(struct qpu_reader *r, struct word t, struct qpu_inst *out, uint32_t *to)
{
    static const struct {
        const char *name;
        enum qpu_branch branch;
        bool negated, started;
    } rows[] = {{"bu", BRANCH_ALWAYS, false, false},   {"bu.a0", BRANCH_A0, false, false},
                {"bu.na0", BRANCH_NA0, false, false},  {"bu.alla", BRANCH_ALL, false, false},
                {"bu.allap", BRANCH_ALL, false, true}, {"bu.anya", BRANCH_ANY, false, false},
                {"bu.anyap", BRANCH_ANY, false, true}, {"bu.allna", BRANCH_ALL, true, false},
                {"bu.allnap", BRANCH_ALL, true, true}, {"bu.anyna", BRANCH_ANY, true, false},
                {"bu.anynap", BRANCH_ANY, true, true}};
    const struct word all = t, name = qpu_take(&t, ' ');
    const struct word by = qpu_trimmed(qpu_take(&t, ','));
    size_t i = 0;
    while (i < sizeof rows / sizeof *rows && !word_is(name, rows[i].name))
        i++;
    if (i == sizeof rows / sizeof *rows || !number(by, to) || !word_is(qpu_trimmed(t), "r:unif"))
        return refuse(r, "the branch", all);
    out->jumps = true;
    out->branch = rows[i].branch;
    out->branch_not = rows[i].negated;
    out->started = rows[i].started;
    return true;
}

static bool indexed(struct word t, const char *name, uint32_t *out)
{
    return word_starts(t, name) && t.n > strlen(name) && t.s[t.n - 1] == ']' &&
           parse_u32(t.s + strlen(name), t.n - strlen(name) - 1, out);
}

static struct qpu_uniform uniform_read(struct arena *a, uint32_t line, struct word t)
{
    struct qpu_uniform u = {.kind = UNIFORM_UNKNOWN, .line = line};
    struct word rest = t;
    const struct word first = qpu_take(&rest, ' ');
    rest = qpu_trimmed(rest);
    if (word_starts(first, "0x") && first.n == 10 && word_starts(rest, "/ ") && number(first, &u.v))
        u.kind = UNIFORM_CONSTANT;
    else if (indexed(t, "ssbo[", &u.v))
        u.kind = UNIFORM_SSBO;
    else if (indexed(t, "ssbo_size[", &u.v))
        u.kind = UNIFORM_SSBO_SIZE;
    else if (word_starts(t, "num_wg.") && t.n == 8 && t.s[7] >= 'x' && t.s[7] <= 'z') {
        u.kind = UNIFORM_GROUPS;
        u.v = (uint32_t)(t.s[7] - 'x');
    } else if (word_is(t, "shared_offset"))
        u.kind = UNIFORM_SHARED;
    else if (word_is(t, "spill_offset"))
        u.kind = UNIFORM_SPILL;
    else if (word_is(t, "spill_size_per_thread"))
        u.kind = UNIFORM_SPILL_SIZE;
    else if (parse_u32(first.s, first.n, &u.v) && u.v == BASE_GROUP && word_starts(rest, "/ ") &&
             number(word_after(rest, 2), &u.v) && u.v < 3)
        u.kind = UNIFORM_BASE; // Mesa has no name for it
    else
        u.text = arena_strn(a, t.s, t.n < 60 ? t.n : 60);
    return u;
}

static bool takes_uniform(const struct qpu_inst *in)
{
    bool takes = in->jumps;
    for (uint32_t i = 0; i < 2; i++)
        takes |= in->alu[i].to.place == PLACE_TMUAU ||
                 (i < in->loads && in->load[i].from == ARRIVAL_UNIFORM);
    return takes;
}

// ---- lines -------------------------------------------------------------------------

static bool alu_read(struct qpu_reader *r, struct word t, struct qpu_inst *in)
{
    const struct word add = qpu_take(&t, ';'), mul = qpu_take(&t, ';');
    if (!qpu_operation_read(r, add, 'A', &in->alu[0]) ||
        !qpu_operation_read(r, mul, 'M', &in->alu[1]) || !qpu_target_fits(r, &in->alu[0], add) ||
        !qpu_target_fits(r, &in->alu[1], mul))
        return false;
    while (t.n)
        if (!qpu_signal_read(r, qpu_take(&t, ';'), in))
            return false;
    return !(in->alu[0].flag && in->alu[1].flag) || refuse(r, "flags of both", add);
}

bool qpu_uniform_take(struct qpu_reader *r, struct word *t, bool *has)
{
    const char *open = memchr(t->s, '(', t->n);
    *has = open != NULL;
    if (!open)
        return true;
    struct word uniform = {open + 1, t->n - (size_t)(open - t->s) - 1};
    if (!uniform.n || uniform.s[uniform.n - 1] != ')')
        return refuse(r, "the uniform", uniform);
    uniform.n--;
    t->n = (size_t)(open - t->s);
    *VEC_PUSH(r->a, &r->uniform) = uniform_read(r->a, r->line, uniform);
    return true;
}

bool qpu_uniform_fits(struct qpu_reader *r, const struct qpu_inst *in, bool has, struct word t)
{
    return takes_uniform(in) == has || refuse(r, has ? "a uniform for" : "no uniform for", t);
}

bool qpu_inst_add(struct qpu_reader *r, const struct qpu_inst *in)
{
    if (r->inst.n == INSTRUCTIONS)
        return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "more than %d instructions",
                          INSTRUCTIONS);
    *VEC_PUSH(r->a, &r->inst) = *in;
    return true;
}

static bool inst_read(struct qpu_reader *r, struct word t)
{
    struct qpu_inst in = {.line = r->line, .alu = {{.id = QPU_NOP}, {.id = QPU_NOP}}};
    uint32_t by = 0;
    bool uniform;
    if (!qpu_uniform_take(r, &t, &uniform))
        return false;
    qpu_take(&t, ' '); // the encoding
    t = qpu_trimmed(t);
    if (!qpu_is_branch(t)) {
        if (!alu_read(r, t, &in))
            return false;
    } else if (!qpu_branch_read(r, t, &in, &by)) {
        return false;
    } else if (by % 8) {
        return refuse(r, "the branch", t);
    }
    // After three delay slots; offsets are bytes.
    in.target = (uint32_t)((int64_t)r->inst.n + 4 + (int32_t)by / 8);
    return qpu_uniform_fits(r, &in, uniform, t) && qpu_inst_add(r, &in);
}

static struct word without_head(struct word t)
{
    text_take(&t.s, &t.n, head);
    return qpu_trimmed(t);
}

// A compilation that was given up leaves its code in the text, so there must be one alone.
static bool lines_read(struct qpu_reader *r, const char *text)
{
    struct word t;
    uint32_t sections = 0;
    bool inside = false;
    for (const char *at = text; text_line(&at, &t);) {
        r->line++;
        t = without_head(t);
        if (t.n >= 5 && word_starts(t, "MESA_SHADER_") &&
            word_is(word_after(t, t.n - 5), " QPU:")) {
            if (sections++)
                return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "a second compilation");
            inside = true;
        } else if (inside && word_starts(t, "0x")) {
            if (!inst_read(r, t))
                return false;
        } else if (t.n) {
            inside = false;
        }
    }
    r->line = 0;
    return r->inst.n || isa_refuse(r->why, RAN_UNSUPPORTED, 0, "no machine code");
}

static bool targets_read(struct qpu_reader *r)
{
    for (size_t i = 0; i < r->inst.n; i++)
        if (r->inst.v[i].jumps && r->inst.v[i].target >= r->inst.n)
            return isa_refuse(r->why, RAN_UNSUPPORTED, r->inst.v[i].line,
                              "a branch out of the code");
    return true;
}

const struct isa_code *qpu_read(struct arena *a, const char *text, struct isa_result *why)
{
    struct qpu_reader r = {.a = a, .why = why};
    struct qpu_program *p = ARENA_NEW(a, struct qpu_program);
    *why = (struct isa_result){0};
    if (!lines_read(&r, text) || !targets_read(&r) || !qpu_read_use(a, p, text, why))
        return NULL;
    p->code.run = qpu_run;
    p->registers = QPU_REGISTERS;
    p->inst = r.inst.v;
    p->count = (uint32_t)r.inst.n;
    p->uniform = r.uniform.v;
    p->uniforms = (uint32_t)r.uniform.n;
    return &p->code;
}
