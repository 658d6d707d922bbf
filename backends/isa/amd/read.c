// SPDX-License-Identifier: Apache-2.0
//
// Parses text into instructions. A line is a label, an instruction with its encoding after a ';',
// two instructions with " :: " between them (VOPD), or a repetition count for the line before.
// Operands are checked against the operation's row: their number, kinds and register counts.
#include "amd_form.h"
#include "isa/isa_text.h"

enum { INSTS = 1 << 18, TEXT = 64 << 20, LABELS = 1 << 14 };

struct reader {
    struct arena *a;
    struct isa_result *why;
    struct amd_program *p;
    struct {
        struct amd_inst *v;
        size_t n, cap;
    } inst;
    struct {
        struct label {
            const char *name;
            size_t n;
            uint32_t at;
        } *v;
        size_t n, cap;
    } labels;
    uint32_t line;
    const char *undecoded; // the previous line, if LLVM could not disassemble it
    uint32_t after_pc;     // the instruction after the last that reads the PC
};

static char type_of(const struct amd_inst *in, uint32_t i)
{
    const struct amd_op *op = &amd_ops[in->id];
    if (i < in->dst)
        return op->dst[i];
    i -= in->dst;
    return i < strlen(op->src) ? op->src[i] : 0;
}

// Parses "v1, v0, s[0:3], 0 offen offset:4" up to the first blank that ends the operands.
static bool read_operands(struct reader *r, struct amd_inst *in, const char *s, size_t n)
{
    const char *end = s + n;
    while (s < end) {
        int depth = 0;
        const char *stop = s;
        for (; stop < end && (depth || (*stop != ',' && *stop != ' ')); stop++)
            depth += (*stop == '[' || *stop == '(') - (*stop == ']' || *stop == ')');
        const char type = type_of(in, in->n);
        if (!type || in->n == AMD_OPERANDS)
            return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "operands of %.60s",
                              amd_ops[in->id].names);
        struct amd_operand *o = &in->o[in->n];
        // A number of a packed operation has 32 bits; each half uses 16 of them.
        const bool whole = amd_ops[in->id].unit == AMD_VPACK && !memchr(s, '.', (size_t)(stop - s));
        if (amd_symbol_read(r->a, r->p, s, (size_t)(stop - s), (uint32_t)r->inst.n - 1, in->n,
                            r->after_pc, o)) {
            o->type = type;
        } else if (type == 'x') {
            *o = (struct amd_operand){.kind = OPERAND_LABEL, .type = type};
            o->value = (uint64_t)r->labels.n;
            *VEC_PUSH(r->a, &r->labels) = (struct label){s, (size_t)(stop - s), UINT32_MAX};
        } else if (!amd_operand_read(s, (size_t)(stop - s), whole ? 'u' : type, o) ||
                   (o->type = type, false) || !amd_operand_fits(r->p, in, o, in->n < in->dst)) {
            return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "operand '%.40s' of %.60s",
                              arena_strn(r->a, s, (size_t)(stop - s)), amd_ops[in->id].names);
        }
        in->n++;
        if (stop == end || *stop == ' ')
            return s = stop, true;
        s = stop + 1 + (stop + 1 < end && stop[1] == ' ');
    }
    return true;
}

// Returns the offset of the first blank that does not follow a comma: modifiers start there.
static size_t operands_end(const char *s, size_t n)
{
    int depth = 0;
    for (size_t i = 0; i < n; i++) {
        depth += (s[i] == '[' || s[i] == '(') - (s[i] == ']' || s[i] == ')');
        if (s[i] == ' ' && !depth && (!i || s[i - 1] != ','))
            return i;
    }
    return n;
}

static bool read_modifiers(struct reader *r, struct amd_inst *in, const char *s, size_t n)
{
    for (const char *end = s + n; s < end;) {
        int depth = 0;
        const char *stop = s;
        for (; stop < end && (depth || *stop != ' '); stop++)
            depth += (*stop == '[' || *stop == '(') - (*stop == ']' || *stop == ')');
        if (stop > s && !amd_modifier_read(in, s, (size_t)(stop - s)))
            return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "modifier '%.40s' of %.60s",
                              arena_strn(r->a, s, (size_t)(stop - s)), amd_ops[in->id].names);
        s = stop + 1;
    }
    return true;
}

// "vmcnt(0) lgkmcnt(1)"
static bool read_waits(struct reader *r, struct amd_inst *in, const char *s, size_t n)
{
    in->vmcnt = in->lgkmcnt = -1;
    for (const char *end = s + n; s < end;) {
        const char *open = memchr(s, '(', (size_t)(end - s));
        const char *close = open ? memchr(open, ')', (size_t)(end - open)) : NULL;
        uint32_t v;
        if (!close || !parse_u32(open + 1, (size_t)(close - open) - 1, &v) || v > 63)
            return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "s_waitcnt %.40s",
                              arena_strn(r->a, s, (size_t)(end - s)));
        const size_t len = (size_t)(open - s);
        if (len == 5 && memcmp(s, "vmcnt", 5) == 0)
            in->vmcnt = (int16_t)v;
        else if (len == 7 && memcmp(s, "lgkmcnt", 7) == 0)
            in->lgkmcnt = (int16_t)v;
        else if (len != 6 || memcmp(s, "expcnt", 6) != 0)
            return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "s_waitcnt");
        for (s = close + 1; s < end && (*s == ' ' || *s == '&'); s++)
            ;
    }
    return true;
}

// ---- lines -----------------------------------------------------------------

static bool read_inst(struct reader *r, const char *s, size_t n, bool with_next)
{
    const size_t len = operands_end(s, n);
    struct amd_inst *in = VEC_PUSH(r->a, &r->inst);
    *in = amd_plain(r->line);
    in->with_next = with_next;
    if (r->inst.n > INSTS)
        return isa_refuse(r->why, RAN_INVALID, r->line, "more than %d instructions", INSTS);
    // Sets up scratch for flat addresses. Not needed: apertures are not supported as operands.
    static const char flat_scratch[] = "s_setreg_b32 hwreg(HW_REG_FLAT_SCR_";
    if (r->p->image && n >= sizeof flat_scratch &&
        memcmp(s, flat_scratch, sizeof flat_scratch - 1) == 0) {
        in->id = AMD_S_NOP;
        return true;
    }
    if (!amd_name_find(s, len, in))
        return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "%.60s", arena_strn(r->a, s, len));
    const struct amd_op *op = &amd_ops[in->id];
    const char *rest = s + len + (len < n);
    const size_t left = (size_t)(s + n - rest);
    if (op->unit == AMD_SKIP)
        return true;
    if (in->id == AMD_S_WAITCNT)
        return read_waits(r, in, rest, left);
    in->dst = (uint32_t)strlen(op->dst);
    // From gfx10 on, a comparison that writes exec has no other destination.
    if (in->exec && !memchr(rest, ',', left))
        return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "operands of %.60s", op->names);
    const size_t until = operands_end(rest, left);
    if (in->exec && r->p->gen >= AMD_GFX10)
        in->dst = 0;
    if (!read_operands(r, in, rest, until))
        return false;
    if (until < left && !read_modifiers(r, in, rest + until + 1, left - until - 1))
        return false;
    if (in->id == AMD_S_GETPC_B64)
        r->after_pc = (uint32_t)r->inst.n;
    return amd_inst_fits(r->p, in, r->why);
}

static bool read_line(struct reader *r, const char *s, size_t n)
{
    static const char repeated[] = "(then repeated ";
    uint32_t times;
    const char *comment = memchr(s, ';', n);
    static const char invalid[] = "(invalid instruction)";
    if (r->undecoded) { // this line is the second word of the line before
        const char *first = r->undecoded, *text;
        text = amd_encoding_text(r->a, r->p->gen, first, strcspn(first, "\n"), s, n);
        r->undecoded = NULL;
        return text ? read_inst(r, text, strlen(text), false)
                    : isa_refuse(r->why, RAN_UNSUPPORTED, r->line - 1, "%s", invalid);
    }
    if (n >= sizeof invalid && memcmp(s, invalid, sizeof invalid - 1) == 0) {
        r->undecoded = s;
        return true;
    }
    if (comment)
        n = (size_t)(comment - s);
    while (n && (s[n - 1] == ' ' || s[n - 1] == '\t' || s[n - 1] == '\r'))
        n--;
    const bool indented = n && (*s == '\t' || *s == ' ');
    while (n && (*s == '\t' || *s == ' ')) {
        s++;
        n--;
    }
    if (!n)
        return true;
    if (r->labels.n > LABELS)
        return isa_refuse(r->why, RAN_INVALID, r->line, "more than %d labels", LABELS);
    if (r->p->image && (r->p->image->ended || (*s == '.' && s[n - 1] != ':')))
        return amd_directive(r->p, s, n) || isa_refuse(r->why, RAN_UNSUPPORTED, r->line,
                                                       "directive %.40s", arena_strn(r->a, s, n));
    if (!indented && s[n - 1] == ':' && r->p->image && r->p->image->in_data)
        return amd_data_label(r->a, r->p, s, n - 1) ||
               isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "more than %d symbols", AMD_SYMBOLS);
    if (!indented && s[n - 1] == ':') {
        *VEC_PUSH(r->a, &r->labels) = (struct label){s, n - 1, (uint32_t)r->inst.n};
        return true;
    }
    if (n > sizeof repeated && memcmp(s, repeated, sizeof repeated - 1) == 0) {
        s += sizeof repeated - 1;
        const size_t digits = strspn(s, "0123456789");
        if (!r->inst.n || !parse_u32(s, digits, &times) || times > 4096 ||
            r->inst.n + times > INSTS)
            return isa_refuse(r->why, RAN_INVALID, r->line, "a repetition of nothing");
        const struct amd_inst last = r->inst.v[r->inst.n - 1];
        for (uint32_t i = 0; i < times; i++)
            *VEC_PUSH(r->a, &r->inst) = last;
        return true;
    }
    for (size_t i = 0; i + 4 < n; i++)
        if (memcmp(s + i, " :: ", 4) == 0)
            return read_inst(r, s, i, true) && read_inst(r, s + i + 4, n - i - 4, false);
    return read_inst(r, s, n, false);
}

// ---- labels ----------------------------------------------------------------

// Returns the instruction at a label; UINT64_MAX: undefined. The list holds uses of labels, too.
static uint64_t label_at(const struct reader *r, const char *name, size_t n)
{
    for (size_t k = 0; k < r->labels.n; k++)
        if (r->labels.v[k].at != UINT32_MAX && r->labels.v[k].n == n &&
            memcmp(r->labels.v[k].name, name, n) == 0)
            return r->labels.v[k].at;
    return UINT64_MAX;
}

// Resolves symbols of LLVM's assembly: functions, and data by address or by the table of addresses.
static bool link_symbols(struct reader *r)
{
    struct amd_image *image = r->p->image;
    for (size_t i = 0; image && i < image->fixups.n; i++) {
        const struct amd_fixup *f = &image->fixups.v[i];
        const uint64_t code = label_at(r, f->name, strlen(f->name));
        uint32_t k = 0;
        while (k < image->symbols && strcmp(image->symbol[k].name, f->name) != 0)
            k++;
        if (code == UINT64_MAX && k == image->symbols)
            return isa_refuse(r->why, RAN_UNSUPPORTED, r->inst.v[f->inst].line, "symbol %.60s",
                              f->name);
        const uint64_t at = code != UINT64_MAX ? amd_code_address((uint32_t)code)
                            : f->got           ? amd_table_address(k)
                                               : amd_data_address(k);
        const uint64_t distance = at - amd_code_address(f->after);
        r->inst.v[f->inst].o[f->operand].value = f->high ? distance >> 32 : (uint32_t)distance;
    }
    const uint64_t entry = image ? label_at(r, "main", 4) : 0;
    if (entry >= r->inst.n)
        return isa_refuse(r->why, RAN_INVALID, 0, "no kernel main");
    if (image)
        image->entry = (uint32_t)entry;
    return true;
}

static bool link_labels(struct reader *r)
{
    for (size_t i = 0; i < r->inst.n; i++) {
        struct amd_operand *o = &r->inst.v[i].o[0];
        if (!r->inst.v[i].n || o->kind != OPERAND_LABEL)
            continue;
        const struct label *use = &r->labels.v[o->value];
        const uint64_t at = label_at(r, use->name, use->n);
        if (at == UINT64_MAX)
            return isa_refuse(r->why, RAN_INVALID, r->inst.v[i].line, "no label '%.40s'",
                              arena_strn(r->a, use->name, use->n));
        o->value = at;
    }
    return true;
}

// Notes which vector registers the program can reach: an operand names all of its registers.
static void vectors_name(struct amd_program *p)
{
    uint32_t end = p->image    ? 3
                   : p->shared ? p->shared + 2
                               : 0; // LLVM's code gets its ids in v0 to v2
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < p->inst[i].n; k++) {
            const struct amd_operand *o = &p->inst[i].o[k];
            if (o->kind == OPERAND_VECTOR && o->reg + o->count > end)
                end = o->reg + o->count;
        }
    for (uint32_t i = 0; i < p->arguments; i++)
        if (p->argument[i].vector && p->argument[i].reg + p->argument[i].count > end)
            end = p->argument[i].reg + p->argument[i].count;
    if (p->has_abi && end < (p->gen >= AMD_GFX11 ? 1 : 3))
        end = p->gen >= AMD_GFX11 ? 1 : 3; // the local invocation id
    p->named = end < p->vectors ? end : p->vectors;
}

bool amd_gen_of(const char *device, enum amd_gen *out)
{
    static const struct {
        const char *name;
        enum amd_gen gen;
    } chips[] = {
        {"gfx9", AMD_GFX9},         {"vega", AMD_GFX9},     {"raven", AMD_GFX9},
        {"renoir", AMD_GFX9},       {"gfx101", AMD_GFX10},  {"navi1", AMD_GFX10},
        {"gfx103", AMD_GFX10_3},    {"navi2", AMD_GFX10_3}, {"vangogh", AMD_GFX10_3},
        {"rembrandt", AMD_GFX10_3}, {"gfx11", AMD_GFX11},   {"navi3", AMD_GFX11},
        {"phoenix", AMD_GFX11},     {"gfx12", AMD_GFX12},   {"navi4", AMD_GFX12},
    };
    // gfx90a, gfx940 to gfx950 and others are not supported.
    static const char *const other[] = {"gfx90a", "gfx94", "gfx95", "gfx908", "gfx1250", "gfx13"};
    char low[256];
    snprintf(low, sizeof low, "%.255s", device);
    for (char *c = low; *c; c++)
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (strstr(low, other[i]))
            return false;
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++)
        if (strstr(low, chips[i].name)) {
            *out = chips[i].gen;
            return true;
        }
    return false;
}

struct amd_program *amd_program_new(struct arena *a, enum amd_gen gen, uint32_t wave,
                                    struct isa_result *why)
{
    struct amd_program *p = ARENA_NEW(a, struct amd_program);
    p->code.run = amd_run;
    p->gen = gen;
    p->wave = wave;
    p->scalars = REG_SCALARS;
    p->vectors = REG_VECTORS;
    if ((wave == 32 && gen != AMD_GFX9) || wave == 64)
        return p;
    isa_refuse(why, RAN_INVALID, 0, "waves of %u lanes", wave);
    return NULL;
}

const struct isa_code *amd_read(struct arena *a, const struct amd_source *s, enum amd_gen gen,
                                uint32_t wave, struct isa_result *why)
{
    *why = (struct isa_result){0};
    struct amd_program *p = amd_program_new(a, gen, wave, why);
    struct reader r = {.a = a, .why = why, .p = p};
    const char *at = s->assembly ? s->assembly : "";
    if (!p)
        return NULL;
    if (text_starts(at, strlen(at), "Shader disassembly is not supported")) {
        isa_refuse(why, RAN_UNSUPPORTED, 0, "the driver was built without a disassembler");
        return NULL;
    }
    if (s->llvm) {
        p->image = ARENA_NEW(a, struct amd_image);
        for (uint32_t i = 0; i < s->globals && i + 1 < AMD_SYMBOLS; i++)
            p->image->symbol[p->image->symbols++] =
                (struct amd_symbol){.name = s->global[i].name, .global = &s->global[i]};
        p->image->symbol[p->image->symbols++] =
            (struct amd_symbol){.name = "tf.groups", .bytes = 12};
    }
    for (struct word line; text_line(&at, &line);) {
        r.line++;
        if ((size_t)(line.s - s->assembly) > TEXT) {
            isa_refuse(why, RAN_INVALID, r.line, "a text that is too long");
            return NULL;
        }
        if (!read_line(&r, line.s, line.n))
            return NULL;
    }
    if (!r.inst.n) {
        isa_refuse(why, RAN_INVALID, 0, "no instruction");
        return NULL;
    }
    p->inst = r.inst.v;
    p->count = (uint32_t)r.inst.n;
    if (!link_labels(&r) || !link_symbols(&r) || (!p->image && !amd_arguments_read(p, s, why)))
        return NULL;
    vectors_name(p);
    return &p->code;
}
