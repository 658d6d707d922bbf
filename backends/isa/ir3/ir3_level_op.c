// SPDX-License-Identifier: Apache-2.0
//
// Makes machine code's instructions from lines of ir3's code between passes: the same operations,
// whose operands stand in another order and whose names lack what the operands show.
#include "ir3_level.h"

enum { MOST = IR3_WORDS_MAX };

bool ir3_level_add(struct level_reader *l, const struct ir3_line *at, const char *operation,
                   const struct word *w, uint32_t words)
{
    struct ir3_inst in = {.line = at->line, .target = UINT32_MAX, .repeat = at->repeat};
    struct reader *r = &l->r;
    in.joins = l->joins;
    l->joins = false;
    r->line = at->line;
    r->operation = word_of(operation);
    r->words = words;
    for (uint32_t i = 0; i < words; i++)
        r->w[i] = w[i];
    if (at->saturates && words)
        r->w[0] = word_of(arena_printf(r->a, "(sat)%.*s", (int)w[0].n, w[0].s));
    return ir3_words_read(r, &in);
}

static struct ir3_line once(const struct ir3_line *at)
{
    struct ir3_line out = *at;
    out.repeat = 0;
    out.saturates = false;
    return out;
}

bool ir3_level_copy(struct level_reader *l, const struct ir3_line *at, struct word to,
                    struct word from, bool half)
{
    const struct ir3_line one = once(at);
    return ir3_level_add(l, &one, half ? "mov.u16u16" : "mov.u32u32", (struct word[]){to, from}, 2);
}

bool ir3_level_branch(struct level_reader *l, const struct ir3_line *at, const char *operation,
                      const struct word *w, uint32_t words, uint32_t label)
{
    const struct ir3_line one = once(at);
    struct word all[3];
    for (uint32_t i = 0; i < words; i++)
        all[i] = w[i];
    all[words] = word_of(arena_printf(l->r.a, "#l%u", label));
    return ir3_level_add(l, &one, operation, all, words + 1);
}

void ir3_level_here(struct level_reader *l, uint32_t label, bool joins)
{
    l->r.label[label] = (uint32_t)l->r.inst.n + 1;
    l->joins |= joins;
}

static struct word text(struct level_reader *l, const char *form, uint32_t n)
{
    return word_of(arena_printf(l->r.a, "%s%u", form, n));
}

// ---- copies of several registers -------------------------------------------

// Copies are made through new registers, so that all are read before any is written.
struct copy {
    struct word to, from;
    enum ir3_file file;
    bool half;
};

static bool copies_add(struct level_reader *l, const struct ir3_line *at, const struct copy *c,
                       uint32_t n)
{
    struct word *way = ARENA_ARRAY(l->r.a, struct word, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        way[i] = ir3_level_new(l, c[i].file, c[i].half);
        if (!ir3_level_copy(l, at, n > 1 ? way[i] : c[i].to, c[i].from, c[i].half))
            return false;
    }
    for (uint32_t i = 0; i < n && n > 1; i++)
        if (!ir3_level_copy(l, at, c[i].to, way[i], c[i].half))
            return false;
    return true;
}

static bool meta_read(struct level_reader *l, const struct ir3_line *at)
{
    VEC(struct copy) c = {0};
    const bool split = is(at->op, "_meta:split"), collect = is(at->op, "_meta:collect"),
               parallel = is(at->op, "_meta:parallel_copy");
    if (is(at->op, "_meta:in"))
        return true;
    if ((!split && !collect && !parallel) || !at->dsts || at->repeat ||
        (parallel && at->values != 2 * at->dsts) || (split && at->values != 2) ||
        (split && (at->off >= at->value[1].count || at->value[0].count != 1)) ||
        (collect && at->values - 1 != at->value[0].count))
        return level_refuse(l, at, "the form of");
    for (uint32_t i = at->dsts; i < at->values; i++) {
        const struct ir3_value *to = &at->value[collect ? 0 : i - at->dsts], *from = &at->value[i];
        if (from->kind == VALUE_UNDEFINED)
            continue;
        for (uint32_t k = 0; k < (parallel ? to->count : 1); k++) {
            struct copy *x = VEC_PUSH(l->r.a, &c);
            x->file = to->file;
            x->half = to->half;
            const bool number = from->kind == VALUE_NUMBER;
            if (to->file == FILE_PREDICATE || from->file == FILE_PREDICATE ||
                to->half != from->half || (parallel && from->count != to->count && !number))
                return level_refuse(l, at, "the operands of");
            if (!ir3_level_word(l, at, to, collect ? i - 1 : k, &x->to) ||
                !ir3_level_word(l, at, from,
                                split    ? at->off
                                : number ? 0
                                         : k,
                                &x->from))
                return false;
        }
    }
    return !c.n || copies_add(l, at, c.v, (uint32_t)c.n);
}

// ---- memory ----------------------------------------------------------------

// Writes "r2.x+8" from an address and its offset.
static bool address(struct level_reader *l, const struct ir3_line *at, const struct ir3_value *base,
                    const struct ir3_value *offset, struct word *out)
{
    uint32_t n = 0;
    if (!ir3_level_word(l, at, base, 0, out))
        return false;
    if (base->kind == VALUE_NUMBER || base->constant) { // of a texture operation
        const struct word way = ir3_level_new(l, FILE_OWN, false);
        if (base->half || !ir3_level_copy(l, at, way, *out, false))
            return level_refuse(l, at, "the operands of");
        *out = way;
    }
    if (offset && !ir3_level_number(l, offset, &n))
        return level_refuse(l, at, "an offset in a register, of");
    if ((int32_t)n < 0)
        *out = word_of(arena_printf(l->r.a, "%.*s-%u", (int)out->n, out->s, 0 - n));
    else if (n)
        *out = word_of(arena_printf(l->r.a, "%.*s+%u", (int)out->n, out->s, n));
    return true;
}

static bool number_word(struct level_reader *l, const struct ir3_line *at,
                        const struct ir3_value *v, struct word *out)
{
    uint32_t n;
    if (!ir3_level_number(l, v, &n))
        return level_refuse(l, at, "a number that is not known, of");
    *out = text(l, "", n);
    return true;
}

// The suffix ".base0" as a number.
static bool base_of(const struct ir3_line *at, uint32_t *out)
{
    static const char name[] = ".base";
    const size_t n = strlen(name);
    return at->op.n > n + 1 && memcmp(at->op.s + at->op.n - n - 1, name, n) == 0 &&
           parse_u32(at->op.s + at->op.n - 1, 1, out);
}

// Buffers: "stib.base0 descriptor, address, offset, data (wrmask=0x3)".
static bool buffer_read(struct level_reader *l, const struct ir3_line *at)
{
    const bool store = begins(at->op, "stib."), info = begins(at->op, "resinfo.");
    const struct ir3_value *v = at->value;
    uint32_t base;
    struct word w[MOST];
    if (!base_of(at, &base) || (at->values != (info ? 2 : 4) && !(info && at->values == 1)))
        return level_refuse(l, at, "the form of");
    if (at->values == 1) // without a result
        return number_word(l, at, v, &w[1]) &&
               ir3_level_add(l, at,
                             arena_printf(l->r.a, "resinfo.b.untyped.1d.u32.1.imm.base%u", base),
                             (const struct word[]){word_of("r63.x"), w[1]}, 2);
    const struct ir3_value *data = store ? &v[3] : &v[0];
    if (data->half || data->file != FILE_OWN || (info && !data->dummy && !is(data->text, "r63.x")))
        return level_refuse(l, at, "the operands of");
    const char *name = arena_printf(l->r.a, "%s.b.untyped.1d.u32.%u.imm.base%u",
                                    store  ? "stib"
                                    : info ? "resinfo"
                                           : "ldib",
                                    info ? 1 : data->count, base);
    w[0] = word_of("r63.x"); // none
    if ((!info && !ir3_level_word(l, at, data, 0, &w[0])) ||
        !number_word(l, at, store ? &v[0] : &v[1], &w[info ? 1 : 2]) ||
        (!info && !address(l, at, store ? &v[1] : &v[2], store ? &v[2] : &v[3], &w[1])))
        return false;
    return ir3_level_add(l, at, name, w, info ? 2 : 3);
}

// Minima and maxima of signed and unsigned numbers have the same text. NIR shows which there are.
static bool sign_of(struct level_reader *l, const struct ir3_line *at, struct word mode,
                    const char **type)
{
    const bool min = is(mode, "min"), max = is(mode, "max");
    const char *nir = l->nir ? l->nir : "";
    *type = "u32";
    if (!min && !max)
        return true;
    const bool one = strstr(nir, min ? "atomic_op=imin" : "atomic_op=imax") != NULL,
               other = strstr(nir, min ? "atomic_op=umin" : "atomic_op=umax") != NULL;
    *type = one ? "s32" : "u32";
    return one != other || level_refuse(l, at, "the sign of");
}

// "atomic.b.add.base0 result (wrmask=0x3), descriptor, address, data (wrmask=0x3)": the result's
// registers hold the data.
static bool atomic_read(struct level_reader *l, const struct ir3_line *at)
{
    struct word mode = after(at->op, strlen("atomic.b.")), w[3];
    const struct ir3_value *v = at->value;
    const char *type;
    uint32_t base;
    const struct word rest = mode;
    mode = cut(&mode, '.');
    if (!base_of(at, &base) || rest.n != mode.n + strlen(".base0") || at->values != 4 ||
        v[0].half || v[3].half || v[0].count != v[3].count)
        return level_refuse(l, at, "the form of");
    if (!sign_of(l, at, mode, &type))
        return false;
    for (uint32_t k = 1; k < v[0].count; k++) {
        struct word to, from;
        if (!ir3_level_word(l, at, &v[0], k, &to) || !ir3_level_word(l, at, &v[3], k, &from) ||
            !ir3_level_copy(l, at, to, from, false))
            return false;
    }
    return ir3_level_word(l, at, &v[0], 0, &w[0]) && address(l, at, &v[2], NULL, &w[1]) &&
           number_word(l, at, &v[1], &w[2]) &&
           ir3_level_add(l, at,
                         arena_printf(l->r.a, "atomic.b.%.*s.untyped.1d.%s.1.imm.base%u",
                                      (int)mode.n, mode.s, type, base),
                         w, 3);
}

// "isam.v.base0 (u32)(xy)result, address, offset, s#0, t#3"
static bool isam_read(struct level_reader *l, const struct ir3_line *at)
{
    const struct ir3_value *v = at->value;
    struct word w[4], to;
    if (at->values != 4 || !at->about.n)
        return level_refuse(l, at, "the form of");
    if (!ir3_level_word(l, at, &v[0], 0, &to) || !address(l, at, &v[1], &v[2], &w[1]))
        return false;
    w[0] =
        word_of(arena_printf(l->r.a, "%.*s%.*s", (int)at->about.n, at->about.s, (int)to.n, to.s));
    w[2] = word_of("s#0");
    w[3] = text(l, "t#", v[3].number);
    return ir3_level_add(l, at, arena_strn(l->r.a, at->op.s, at->op.n), w, 4);
}

// "stc number, source (wrmask=0x3)"
static bool constants_read(struct level_reader *l, const struct ir3_line *at)
{
    struct word w[3];
    uint32_t to;
    if (at->values != 2 || !ir3_level_number(l, &at->value[0], &to))
        return level_refuse(l, at, "the form of");
    w[0] = word_of(arena_printf(l->r.a, "c[%u]", to));
    w[2] = text(l, "", at->value[1].count);
    return ir3_level_word(l, at, &at->value[1], 0, &w[1]) && ir3_level_add(l, at, "stc.u32", w, 3);
}

// Shared memory: "stl address, data, count", "ldl result, address, offset, count".
static bool shared_memory(struct level_reader *l, const struct ir3_line *at)
{
    const bool store = begins(at->op, "stl");
    const struct ir3_value *v = at->value, *data = store ? &v[1] : &v[0];
    struct word w[3], place;
    uint32_t count, offset = 0;
    if (at->values != (store ? 3 : 4))
        return level_refuse(l, at, "the form of");
    if (store && l->offsets)
        return level_refuse(l, at, "an offset that is not printed, of");
    const struct ir3_value *base = store ? &v[0] : &v[1], *n = &v[store ? 2 : 3],
                           *off = store ? NULL : &v[2];
    if (data->half || !ir3_level_number(l, n, &count) || count != data->count ||
        (off && !ir3_level_number(l, off, &offset)))
        return level_refuse(l, at, "the operands of");
    if (!ir3_level_word(l, at, data, 0, &w[store]) || !ir3_level_word(l, at, base, 0, &place))
        return false;
    w[!store] = word_of(offset ? arena_printf(l->r.a, "l[%.*s+%u]", (int)place.n, place.s, offset)
                               : arena_printf(l->r.a, "l[%.*s]", (int)place.n, place.s));
    w[2] = text(l, "", count);
    return ir3_level_add(l, at, store ? "stl.u32" : "ldl.u32", w, 3);
}

// "atomic.add result, address, data" of shared memory
static bool shared_atomic(struct level_reader *l, const struct ir3_line *at)
{
    const struct word mode = after(at->op, strlen("atomic."));
    const struct ir3_value *v = at->value;
    struct word w[3], place;
    const char *type;
    if (at->values != 3 || v[0].half || v[2].half || v[0].count != 1)
        return level_refuse(l, at, "the form of");
    if (l->offsets)
        return level_refuse(l, at, "an offset that is not printed, of");
    if (!sign_of(l, at, mode, &type) || !ir3_level_word(l, at, &v[0], 0, &w[0]) ||
        !ir3_level_word(l, at, &v[1], 0, &place) || !ir3_level_word(l, at, &v[2], 0, &w[2]))
        return false;
    w[1] = word_of(arena_printf(l->r.a, "l[%.*s]", (int)place.n, place.s));
    return ir3_level_add(
        l, at, arena_printf(l->r.a, "atomic.%.*s.untyped.1d.%s.1.l", (int)mode.n, mode.s, type), w,
        3);
}

// ---- lanes -----------------------------------------------------------------

// Operations with types before their result: "brcst.active.w2 (u32)(x)result, source, old value".
static bool with_types(struct level_reader *l, const struct ir3_line *at, uint32_t sources)
{
    struct word w[MOST], to;
    const bool tied = at->values == 1 + sources + 1;
    if (!at->about.n || (at->values != 1 + sources && !tied) ||
        !ir3_level_word(l, at, &at->value[0], 0, &to))
        return level_refuse(l, at, "the form of");
    if (tied) {
        struct word old;
        if (!ir3_level_word(l, at, &at->value[1 + sources], 0, &old) ||
            !ir3_level_copy(l, at, to, old, at->value[0].half))
            return false;
    }
    w[0] =
        word_of(arena_printf(l->r.a, "%.*s%.*s", (int)at->about.n, at->about.s, (int)to.n, to.s));
    for (uint32_t i = 1; i <= sources; i++)
        if (!ir3_level_word(l, at, &at->value[i], 0, &w[i]))
            return false;
    return ir3_level_add(l, at, arena_strn(l->r.a, at->op.s, at->op.n), w, 1 + sources);
}

static bool movmsk_read(struct level_reader *l, const struct ir3_line *at)
{
    const struct ir3_line one = once(at);
    struct word w;
    if (at->values != 1 || at->value[0].count != at->repeat + 1)
        return level_refuse(l, at, "the form of");
    return ir3_level_word(l, at, &at->value[0], 0, &w) &&
           ir3_level_add(l, &one, arena_printf(l->r.a, "movmsk.w%u", 32 * (at->repeat + 1)), &w, 1);
}

// "movs.u32u32 result, source, lane": the lane may have been moved to a register.
static bool movs_read(struct level_reader *l, const struct ir3_line *at)
{
    struct word w[3];
    if (at->values != 3)
        return level_refuse(l, at, "the form of");
    return ir3_level_word(l, at, &at->value[0], 0, &w[0]) &&
           ir3_level_word(l, at, &at->value[1], 0, &w[1]) &&
           number_word(l, at, &at->value[2], &w[2]) &&
           ir3_level_add(l, at, arena_strn(l->r.a, at->op.s, at->op.n), w, 3);
}

// ---- the rest --------------------------------------------------------------

// Operations whose text is the machine code's, or differs only in the name.
static bool plain(struct level_reader *l, const struct ir3_line *at, const char *operation)
{
    struct word w[MOST];
    if (at->values > MOST || at->about.n)
        return level_refuse(l, at, "the form of");
    for (uint32_t i = 0; i < at->values; i++)
        if (!ir3_level_word(l, at, &at->value[i], 0, &w[i]))
            return false;
    return ir3_level_add(l, at, operation, w, at->values);
}

bool ir3_level_op(struct level_reader *l, const struct ir3_line *at)
{
    static const struct {
        const char *start;
        bool (*read)(struct level_reader *l, const struct ir3_line *at);
    } forms[] = {
        {"_meta:", meta_read},     {"stib.", buffer_read},     {"ldib.", buffer_read},
        {"resinfo.", buffer_read}, {"atomic.b.", atomic_read}, {"atomic.", shared_atomic},
        {"isam.", isam_read},      {"stl", shared_memory},     {"ldl", shared_memory},
        {"movmsk", movmsk_read},   {"movs.", movs_read},
    };
    if (at->target.n)
        return level_refuse(l, at, "the target of");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (begins(at->op, forms[i].start))
            return forms[i].read(l, at);
    if (is(at->op, "stc"))
        return constants_read(l, at);
    if (begins(at->op, "brcst.active."))
        return with_types(l, at, 1);
    if (begins(at->op, "quad_shuffle."))
        return with_types(l, at, is(at->op, "quad_shuffle.brcst") ? 2 : 1);
    if (is(at->op, "bar"))
        return plain(l, at, "bar.g");
    if (is(at->op, "getfiberid"))
        return plain(l, at, "getfiberid.u32");
    return plain(l, at, arena_strn(l->r.a, at->op.s, at->op.n));
}
