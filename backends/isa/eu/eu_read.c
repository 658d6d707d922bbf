// SPDX-License-Identifier: Apache-2.0
//
// Parses IGA's text into a program. Every instruction is checked against its row; unknown text is
// refused with its line. Marks of the scoreboard ({@1,$2.dst}) are not modelled.
#include "eu_program.h"
#include "isa/isa_text.h"

#include <stdlib.h>

enum { INSTS = 1 << 14, WORDS = 12 };

struct label {
    uint32_t name, inst;
};
struct reader {
    struct arena *a;
    struct eu_program *p;
    struct isa_result *why;
    uint32_t line;
    VEC(struct eu_inst) inst;
    VEC(struct label) label;
    bool ended;
};

static bool refuse(struct reader *r, const char *what, struct word w)
{
    return word_refuse(r->why, r->line, what, w);
}

static void trim(struct word *t)
{
    while (t->n && *t->s == ' ')
        *t = word_after(*t, 1);
    while (t->n && (t->s[t->n - 1] == ' ' || t->s[t->n - 1] == '\r'))
        t->n--;
}

// Cuts the next word off, up to a space outside of brackets.
static struct word next(struct word *t)
{
    size_t k = 0;
    trim(t);
    for (int depth = 0; k < t->n && (depth || t->s[k] != ' '); k++)
        depth += (t->s[k] == '[' || t->s[k] == '(') - (t->s[k] == ']' || t->s[k] == ')');
    const struct word out = {t->s, k};
    *t = word_after(*t, k);
    trim(t);
    return out;
}

// ---- the parts of a line ----

static bool flag_read(const char **s, size_t *n, uint32_t *bit)
{
    if (*n < 4 || (*s)[0] != 'f' || (*s)[1] < '0' || (*s)[1] > '3' || (*s)[2] != '.' ||
        ((*s)[3] != '0' && (*s)[3] != '1'))
        return false;
    *bit = (uint32_t)((*s)[1] - '0') * 32 + (uint32_t)((*s)[3] - '0') * 16;
    *s += 4;
    *n -= 4;
    return true;
}

// Reads "(W)", "(f0.0)", "(W&~f0.0.any16h)".
static bool predicate_read(struct reader *r, struct eu_inst *in, struct word t)
{
    const char *s = t.s + 1;
    size_t n = t.n - 2;
    if (text_take(&s, &n, "W")) {
        in->all = true;
        if (!n)
            return true;
        if (!text_take(&s, &n, "&"))
            return refuse(r, "predicate", t);
    }
    in->predicated = true;
    in->inverted = text_take(&s, &n, "~");
    if (!flag_read(&s, &n, &in->flag))
        return refuse(r, "predicate", t);
    if (!n)
        return true;
    in->group = text_take(&s, &n, ".any")   ? GROUP_ANY
                : text_take(&s, &n, ".all") ? GROUP_ALL
                                            : GROUP_NONE;
    if (!in->group)
        return refuse(r, "predicate", t);
    if (n && (s[n - 1] != 'h' || !parse_u32(s, n - 1, &in->grouped) || !in->grouped ||
              in->grouped > EU_LANES || (in->grouped & (in->grouped - 1))))
        return refuse(r, "predicate", t);
    return true;
}

// Reads "(eq)f0.0".
static bool condition_read(struct reader *r, struct eu_inst *in, struct word t)
{
    static const struct {
        const char *name;
        enum eu_condition c;
    } names[] = {{"(eq)", COND_EQ}, {"(ne)", COND_NE}, {"(ze)", COND_EQ}, {"(nz)", COND_NE},
                 {"(lt)", COND_LT}, {"(le)", COND_LE}, {"(gt)", COND_GT}, {"(ge)", COND_GE}};
    const char *s = t.s;
    size_t n = t.n;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_take(&s, &n, names[i].name)) {
            in->condition = names[i].c;
            return (flag_read(&s, &n, &in->condition_flag) && !n) || refuse(r, "condition", t);
        }
    return refuse(r, "condition", t);
}

static bool options_read(struct reader *r, struct eu_inst *in, struct word t)
{
    while (t.n) {
        size_t k = 0;
        while (k < t.n && t.s[k] != ',')
            k++;
        const struct word w = {t.s, k};
        if (word_is(w, "EOT"))
            in->ends = true;
        else if (word_is(w, "AccWrEn"))
            in->writes_acc = true;
        else if (!word_is(w, "Compacted") && !word_is(w, "ExBSO") && !word_is(w, "Switch") &&
                 !word_is(w, "NoDDClr") && !word_is(w, "NoDDChk") && !word_is(w, "Atomic") &&
                 !memchr(w.s, '@', w.n) && !(w.n && *w.s == '$'))
            return refuse(r, "option", w);
        t = word_after(t, k + (k < t.n));
        trim(&t);
    }
    return true;
}

static bool number(struct word t, uint32_t *out)
{
    char digits[16], *end;
    if (!t.n || t.n >= sizeof digits || *t.s < '0' || *t.s > '9')
        return false;
    memcpy(digits, t.s, t.n);
    digits[t.n] = 0;
    const unsigned long v = strtoul(digits, &end, 0);
    *out = (uint32_t)v;
    return !*end && v <= UINT32_MAX;
}

static bool label_name(struct word t, uint32_t *out)
{
    return t.n > 1 && *t.s == 'L' && parse_u32(t.s + 1, t.n - 1, out);
}

// ---- messages ----

static const struct {
    const char *name;
    uint32_t id;
} units[] = {{".dc0", SFID_DC0},    {".dc1", SFID_DC1},  {".dcro", SFID_DCRO},
             {".ugm", SFID_UGM},    {".slm", SFID_SLM},  {".gtwy", SFID_GATEWAY},
             {".ts", SFID_SPAWNER}, {".rc", SFID_RENDER}};

// A register of a message's payload as its first byte: "r29", "r7:6", "null", "r9:ud".
static bool payload_read(struct reader *r, struct word t, uint32_t *out)
{
    const char *colon = memchr(t.s, ':', t.n), *dot = memchr(t.s, '.', t.n);
    const size_t n = dot ? (size_t)(dot - t.s) : colon ? (size_t)(colon - t.s) : t.n;
    uint32_t reg;
    *out = EU_NOWHERE;
    if (text_is(t.s, n, "null"))
        return true;
    if (n < 2 || *t.s != 'r' || !parse_u32(t.s + 1, n - 1, &reg) || reg >= EU_REGISTERS)
        return refuse(r, "payload", t);
    *out = reg * r->p->grf;
    return true;
}

static bool message_read(struct reader *r, struct eu_inst *in, struct word suffix, struct word *w,
                         uint32_t n)
{
    uint32_t byte;
    const bool split = n == 5;
    if (n == 4 && w[1].n >= 7 && word_starts(w[1], "r[s0.") && w[1].s[w[1].n - 1] == ']') {
        if (!parse_u32(w[1].s + 5, w[1].n - 6, &byte) || byte + EU_GATHERED > EU_SCALARS)
            return refuse(r, "payload", w[1]);
        in->gathers = true;
        in->gather = byte;
        w[1] = (struct word){"null", 4};
    }
    if (n != 5 && !(n == 4 && (r->p->gen < EU_GFX12 || in->gathers)))
        return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "a message of %u operands", n);
    if (!payload_read(r, w[0], &in->to) || !payload_read(r, w[1], &in->from) ||
        (split && !payload_read(r, w[2], &in->data)))
        return false;
    if (!split)
        in->data = EU_NOWHERE;
    if (w[n - 2].n > 3 && word_starts(w[n - 2], "a0.") &&
        parse_u32(w[n - 2].s + 3, w[n - 2].n - 3, &byte) && byte % 2 == 0 && byte < 8) {
        in->by_address = true; // sub-registers are doublewords
        in->extended = 4 * byte;
    } else if (!number(w[n - 2], &in->extended))
        return refuse(r, "extended descriptor", w[n - 2]);
    if (!number(w[n - 1], &in->descriptor))
        return refuse(r, "descriptor", w[n - 1]);
    if (r->p->gen < EU_GFX12) { // the unit is in the extended descriptor, and so is the end
        in->unit = in->extended & 15;
        in->ends |= in->extended >> 5 & 1;
        return true;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (word_is(suffix, units[i].name)) {
            in->unit = units[i].id;
            return true;
        }
    return refuse(r, "messages to", suffix);
}

// ---- lines ----

static bool name_find(struct word t, enum eu_id *out, struct word *suffix)
{
    *suffix = (struct word){t.s, 0};
    if (word_starts(t, "send") && memchr(t.s, '.', t.n)) {
        const size_t k = (size_t)((const char *)memchr(t.s, '.', t.n) - t.s);
        *suffix = word_after(t, k);
        t.n = k;
    }
    if (word_starts(t, "bfn.0x")) {
        *suffix = word_after(t, 4);
        t.n = 3;
    }
    for (int i = 0; i < EU_IDS; i++)
        if (word_is(t, eu_ops[i].name)) {
            *out = (enum eu_id)i;
            return true;
        }
    return false;
}

static bool operands_read(struct reader *r, struct eu_inst *in, struct word *w, uint32_t n)
{
    const uint32_t srcs = eu_ops[in->id].srcs;
    if (n != srcs + 1)
        return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "%s of %u operands",
                          eu_ops[in->id].name, n);
    if (!eu_operand_read(w[0].s, w[0].n, true, srcs, r->p->grf, &in->dst) ||
        in->dst.file == FILE_STATE || in->dst.file == FILE_CE || in->dst.indirect)
        return refuse(r, "destination", w[0]);
    for (uint32_t k = 0; k < srcs; k++)
        if (!eu_operand_read(w[k + 1].s, w[k + 1].n, false, srcs, r->p->grf, &in->src[k]))
            return refuse(r, "source", w[k + 1]);
    const bool real = eu_types[in->src[0].type].real;
    if (!(real ? eu_ops[in->id].floats : eu_ops[in->id].integers))
        return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "%s of %s", eu_ops[in->id].name,
                          eu_types[in->src[0].type].name);
    for (uint32_t k = 1; k < srcs; k++)
        if (eu_types[in->src[k].type].real != real)
            return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "%s of integers and floats",
                              eu_ops[in->id].name);
    return true;
}

static bool flow_read(struct reader *r, struct eu_inst *in, struct word *w, uint32_t n)
{
    const bool two = in->id == EU_IF || in->id == EU_ELSE || in->id == EU_BREAK ||
                     in->id == EU_CONT || in->id == EU_HALT || in->id == EU_GOTO;
    if (n != 1u + two)
        return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "%s with %u targets",
                          eu_ops[in->id].name, n);
    if (!label_name(w[0], &in->jip))
        return refuse(r, "the target", w[0]);
    in->uip = in->jip;
    return !two || label_name(w[1], &in->uip) || refuse(r, "the target", w[1]);
}

static bool instruction_read(struct reader *r, struct word t)
{
    struct eu_inst *in = VEC_PUSH(r->a, &r->inst);
    struct word w[WORDS], suffix, name;
    uint32_t n = 0;
    *in = (struct eu_inst){
        .line = r->line, .size = 1, .to = EU_NOWHERE, .from = EU_NOWHERE, .data = EU_NOWHERE};
    if (r->inst.n > INSTS)
        return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "more than %d instructions", INSTS);
    if (t.n && t.s[t.n - 1] == '}') {
        size_t k = t.n;
        while (k && t.s[k - 1] != '{')
            k--;
        if (!k || !options_read(r, in, (struct word){t.s + k, t.n - k - 1}))
            return k ? false : refuse(r, "options", t);
        t.n = k - 1;
        trim(&t);
    }
    if (t.n && *t.s == '(' && !predicate_read(r, in, next(&t)))
        return false;
    name = next(&t);
    if (name.n > 2 && word_is(word_after(name, name.n - 2), ".b")) {
        in->branch = true;
        name.n -= 2;
    }
    if (!name_find(name, &in->id, &suffix))
        return refuse(r, "instruction", name);
    if (in->id == EU_BFN && (!number(suffix, &in->table) || in->table > 255))
        return refuse(r, "instruction", name);
    if (eu_ops[in->id].unit == UNIT_NONE || in->id == EU_SYNC_BAR)
        return true;
    if (t.n && *t.s == '(') {
        const struct word lanes = next(&t);
        if (!eu_lanes_read(lanes.s + 1, lanes.n - 2, &in->size, &in->first))
            return refuse(r, "lanes", lanes);
    }
    if (t.n && *t.s == '(' && !word_starts(t, "(sat)") && !condition_read(r, in, next(&t)))
        return false;
    while (t.n && n < WORDS) {
        w[n] = next(&t);
        // "(sat)" may stand alone; a message's registers keep their lengths.
        n++;
    }
    switch (eu_ops[in->id].unit) {
    case UNIT_FLOW:
        return flow_read(r, in, w, n);
    case UNIT_SEND:
        return message_read(r, in, suffix, w, n);
    case UNIT_WAIT:
        return true;
    default:
        // DG2: without AccWrEn it is the low half, which Xe2 calls macl.
        if (in->id == EU_MACH && r->p->gen == EU_GFX12_5 && !in->writes_acc)
            in->id = EU_MACL;
        // Xe2 has no AccWrEn: mach always leaves the low half in the accumulator
        in->writes_acc |= in->id == EU_MACH && r->p->gen >= EU_XE2;
        return operands_read(r, in, w, n);
    }
}

static bool line_read(struct reader *r, struct word t)
{
    uint32_t name;
    for (size_t k = 0; k + 1 < t.n; k++)
        if (t.s[k] == '/' && t.s[k + 1] == '/')
            t.n = k;
    trim(&t);
    if (!t.n || r->ended) // padding and constants follow the end
        return true;
    if (t.s[t.n - 1] == ':' && label_name((struct word){t.s, t.n - 1}, &name)) {
        *VEC_PUSH(r->a, &r->label) = (struct label){name, (uint32_t)r->inst.n};
        return true;
    }
    if (!instruction_read(r, t))
        return false;
    r->ended = r->inst.v[r->inst.n - 1].ends;
    return true;
}

static bool resolve(struct reader *r, const struct eu_inst *in, uint32_t *label)
{
    for (size_t i = 0; i < r->label.n; i++)
        if (r->label.v[i].name == *label && r->label.v[i].inst < r->inst.n) {
            *label = r->label.v[i].inst;
            r->p->joins[*label] = true;
            return true;
        }
    return isa_refuse(r->why, RAN_UNSUPPORTED, in->line, "the undefined label L%u", *label);
}

static bool labels_resolve(struct reader *r)
{
    r->p->joins = ARENA_ARRAY(r->a, bool, r->inst.n + 1);
    for (size_t i = 0; i < r->inst.n; i++) {
        struct eu_inst *in = &r->inst.v[i];
        if (eu_ops[in->id].unit != UNIT_FLOW)
            continue;
        if (!resolve(r, in, &in->jip) || !resolve(r, in, &in->uip))
            return false;
        r->p->joins[i + 1] = true;
        if ((in->id == EU_BREAK || in->id == EU_CONT) && r->inst.v[in->uip].id != EU_WHILE)
            return isa_refuse(r->why, RAN_UNSUPPORTED, in->line, "a target that is not a while");
    }
    return true;
}

// ---- what the driver says ----

// "@resource_intel (%1 (0xdeaddead), %2 (0x1), ...) (desc_set=0, binding=2": entry 1 is binding 2.
static void table_read(struct eu_program *p, const char *nir)
{
    static const char mark[] = "@resource_intel (";
    for (const char *s = nir; s && (s = strstr(s, mark)); s += strlen(mark)) {
        unsigned entry, set, binding;
        const size_t n = strcspn(s, "\n");
        char line[400];
        if (n >= sizeof line)
            continue;
        memcpy(line, s, n);
        line[n] = 0;
        const char *attributes = strstr(line, "(desc_set=");
        if (sscanf(line, "@resource_intel (%*s (%*[^)]), %*s (0x%x)", &entry) != 1 || !attributes ||
            sscanf(attributes, "(desc_set=%u, binding=%u", &set, &binding) != 2 ||
            entry >= EU_TABLE)
            continue;
        p->table[entry] = (struct eu_binding){true, set, binding};
    }
}

// "RANGE0 (64B): Vulkan push constants and API params"; "RANGE0 (32B): NULL" is not read. The
// number of the thread is the second word of the last register; in Mesa 25.0 it follows the
// constants, of which NIR has the size: "uniforms: 24".
static void push_read(struct eu_program *p, const char *push, const char *nir)
{
    const char *s = push ? strstr(push, "RANGE0 (") : NULL;
    const char *size = nir ? strstr(nir, "\nuniforms: ") : NULL;
    unsigned n, constants;
    if (!s || sscanf(s, "RANGE0 (%uB)", &n) != 1 || n < p->grf || n > 1024 ||
        strncmp(s + strcspn(s, "\n:"), ": NULL", 6) == 0)
        return;
    p->push_bytes = n;
    p->push_thread = n - p->grf + 4;
    if (size && sscanf(size, "\nuniforms: %u", &constants) == 1 && constants <= n - 4)
        p->push_thread = constants;
}

// Which of its masks a thread asks for.
static void masks_read(struct eu_program *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < eu_ops[p->inst[i].id].srcs; k++) {
            const struct eu_operand *o = &p->inst[i].src[k];
            p->reads_dispatched |= o->file == FILE_STATE && o->at == EU_DISPATCH_MASK;
            p->reads_quads |= o->file == FILE_STATE && o->at == EU_VECTOR_MASK;
        }
}

const struct isa_code *eu_read(struct arena *a, const struct eu_source *s, enum eu_gen gen,
                               uint32_t size, struct isa_result *why)
{
    const char *text = s->assembly ? s->assembly : "";
    *why = (struct isa_result){0};
    struct reader r = {.a = a, .why = why, .p = ARENA_NEW(a, struct eu_program)};
    r.p->code.run = eu_run;
    r.p->fragment = s->fragment;
    r.p->size = size;
    r.p->gen = gen;
    r.p->grf = gen == EU_XE2 ? 64 : 32;
    if (size != 8 && size != 16 && size != 32)
        return isa_refuse(why, RAN_UNSUPPORTED, 0, "subgroups of %u", size), NULL;
    for (struct word line; text_line(&text, &line);) {
        r.line++;
        if (!line_read(&r, line))
            return NULL;
    }
    if (!r.ended)
        return isa_refuse(why, RAN_INVALID, 0, "no program with an end"), NULL;
    if (s->own && strstr(s->own, "Align16"))
        return isa_refuse(why, RAN_UNSUPPORTED, 0, "align16 mode"), NULL;
    if (!labels_resolve(&r))
        return NULL;
    if (!eu_kernel_read(a, s, &r.p->kernel, why))
        return NULL;
    table_read(r.p, s->nir);
    push_read(r.p, s->push ? s->push : s->own, s->nir);
    r.p->local_ids = s->nir && strstr(s->nir, "@load_local_invocation_id");
    r.p->inline_data = s->nir && strstr(s->nir, "@load_inline_data_intel");
    r.p->inst = r.inst.v;
    r.p->count = (uint32_t)r.inst.n;
    masks_read(r.p);
    return &r.p->code;
}
