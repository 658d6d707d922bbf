// SPDX-License-Identifier: Apache-2.0
//
// Generates one program from choices: grows, checks and emits it, and packs it into cases. Also
// writes and parses the `; from` line, which regenerates a program.
#include "generator.h"

#include "tree/tree.h"

#include <string.h>

// Returns the options with every default filled in.
static struct gen_options complete(const struct gen_options *o)
{
    struct gen_options full = *o;
    full.features &= GEN_ALL_FEATURES;
    if (!full.features)
        full.features = gen_features_of(full.stage);
    full.features &= ~gen_features_beyond(full.stage);
    if (!full.max_invocations)
        full.max_invocations =
            spv_stage_row(full.stage)->has_workgroups ? GEN_INVOCATIONS : GEN_INVOCATIONS_USUAL;
    CHECK(full.subgroup >= 4 && full.subgroup <= LANES_MAX);
    CHECK((full.subgroup & (full.subgroup - 1)) == 0);
    return full;
}

static void check(const struct gen_program *p, const struct gen_options *o, struct arena *a)
{
    struct text wrong = {.arena = a};
    if (gen_check(p, &wrong))
        check_context(wrong.v);
    CHECK(wrong.n == 0);
    for (int f = 0; f < GEN_FEATURE_COUNT; f++)
        if (p->used & ~o->features & GEN_BIT(f))
            check_context(gen_feature_name((enum gen_feature)f));
    CHECK((p->used & ~o->features) == 0);
}

static const char *const log_names[GEN_LOGS] = {
    [GEN_LOG_ENTRIES] = "entries", [GEN_LOG_DIGEST] = "digest", [GEN_LOG_MIXED] = "mixed"};

const char *gen_log_name(enum gen_log l)
{
    CHECK((uint32_t)l < GEN_LOGS);
    return log_names[l];
}

// True if the program of these options and choices logs as a digest.
static bool is_digest(const struct gen_options *o, const struct gen_choices *c)
{
    enum { ENTRIES_IN = 16 }; // of so many seeds, one has entries
    if (spv_stage_row(o->stage)->has_helpers ||
        (o->model != SPV_MAXIMAL && o->model != SPV_ASSUMED_MAXIMAL))
        return false;
    return o->log == GEN_LOG_DIGEST ||
           (o->log == GEN_LOG_MIXED && c->seeded && c->seed % ENTRIES_IN);
}

// Emits a program, and packs it into a case for each input set.
static void pack(struct gen_program *p, struct arena *a, const struct gen_options *o,
                 const struct spv_buffer *inputs, const struct gen_cover *covers,
                 struct gen_made *out)
{
    const uint32_t n = o->inputs ? o->inputs : 1;
    out->program = p;
    out->case_count = n;
    out->cases = ARENA_ARRAY(a, struct spv_case, n);
    out->used = p->used;
    out->patterns = p->patterns;
    out->digest = p->digest;
    out->free_choice = p->choice != NULL;
    struct spv_case *first = &out->cases[0];
    gen_emit(p, a, o->model, first, &out->emitted);
    for (uint32_t i = 1; i < n; i++)
        out->cases[i] = *first;
    for (uint32_t i = 0; i < n; i++) {
        struct spv_buffer *b = &out->cases[i].buffer[GEN_INPUTS];
        *b = inputs[i];
        b->binding = GEN_INPUTS;
        out->cases[i].cover = covers[i].kind;
        out->cases[i].vertex_count = covers[i].n;
        memcpy(out->cases[i].vertex, covers[i].vertex, sizeof covers[i].vertex);
        out->cases[i].inputs_at = n > 1 ? i + 1 : 0;
        out->cases[i].inputs_of = n > 1 ? n : 0;
    }
}

void gen_make(struct gen_choices *c, const struct gen_options *o, struct gen_made *out)
{
    struct arena *a = c->arena;
    const struct gen_options full = complete(o);
    const uint32_t n = full.inputs ? full.inputs : 1;
    struct spv_buffer *inputs = ARENA_ARRAY(a, struct spv_buffer, n);
    uint32_t span = gen_span_open(c, GEN_SPAN_CASE);
    struct gen_program *p = gen_grow(c, &full);
    p->digest = is_digest(&full, c);
    // Inputs are drawn last, so that their number changes nothing else.
    gen_grow_inputs(c, p, n, inputs);
    struct gen_cover *covers = ARENA_ARRAY(a, struct gen_cover, n);
    if (spv_stage_row(full.stage)->has_pixels)
        gen_grow_covers(c, p, n, covers);
    gen_span_close(c, span);
    check(p, &full, a);

    *out = (struct gen_made){.choices = c->record.v,
                             .choice_count = c->record.n,
                             .spans = c->spans.v,
                             .span_count = c->spans.n,
                             .seeded = c->seeded,
                             .seed = c->seed};
    pack(p, a, &full, inputs, covers, out);
    struct text from = {.arena = a};
    gen_from_line(out, &full, &from);
    for (uint32_t i = 0; i < n; i++)
        out->cases[i].from = from.v;
}

void gen_make_number(struct arena *a, const struct enumeration *all, uint64_t number,
                     const struct gen_options *o, struct gen_made *out)
{
    struct gen_options full = *o;
    full.stage = enu_stage(all);
    full.features = enu_features(full.stage);
    full = complete(&full);
    const uint32_t n = full.inputs ? full.inputs : 1;
    struct spv_buffer *inputs = ARENA_ARRAY(a, struct spv_buffer, n);
    struct gen_cover *covers = ARENA_ARRAY(a, struct gen_cover, n);
    const struct enu_node *sketch = enu_sketch(all, a, number);
    struct gen_program *p = enu_tree(a, sketch, full.stage, full.subgroup);
    enu_inputs(a, p, n, inputs);
    for (uint32_t i = 0; i < n && spv_stage_row(full.stage)->has_pixels; i++)
        covers[i].kind = SPV_COVER_FULL;
    check(p, &full, a);
    *out = (struct gen_made){.seeded = true, .seed = number};
    pack(p, a, &full, inputs, covers, out);
    struct text from = {.arena = a};
    text_add(&from,
             "enumeration %d number=%llu stage=%s subgroup=%u inputs=%u model=%s: ", ENU_VERSION,
             (unsigned long long)number, spv_stage_row(full.stage)->name, full.subgroup, n,
             spv_model_name(full.model));
    enu_text(sketch, &from);
    for (uint32_t i = 0; i < n; i++)
        out->cases[i].from = from.v;
}

void gen_make_simplest(struct arena *a, const struct gen_options *o, bool second,
                       struct gen_made *out)
{
    struct gen_choices c;
    struct gen_options small = *o;
    if (second) {
        small.profile = GEN_SMALL;
        gen_choices_seed(&c, a, 0);
    } else {
        gen_choices_bytes(&c, a, NULL, 0);
    }
    gen_make(&c, &small, out);
}

// ---- the from line -----------------------------------------------------------------------

static void add_number(struct text *t, const char *key, uint32_t n)
{
    text_add(t, " %s=", key);
    text_u32(t, n);
}

void gen_from_line(const struct gen_made *m, const struct gen_options *o, struct text *out)
{
    const struct gen_options full = complete(o);
    text_add(out, "generator %d", GEN_VERSION);
    if (m->seeded)
        text_add(out, " seed=%llu", (unsigned long long)m->seed);
    text_add(out, " profile=%s", gen_profile_name(full.profile));
    if (full.stage != SPV_STAGE_DEFAULT)
        text_add(out, " stage=%s", spv_stage_row(full.stage)->name);
    add_number(out, "subgroup", full.subgroup);
    add_number(out, "max", full.max_invocations);
    add_number(out, "inputs", m->case_count);
    text_add(out, " features=");
    gen_features_text(full.features, out);
    text_add(out, " model=%s", spv_model_name(full.model));
    if (m->digest)
        text_add(out, " log=%s", gen_log_name(GEN_LOG_DIGEST));
    text_add(out, " choices ");
    size_t n = m->choice_count;
    while (n && m->choices[n - 1] == 0)
        n--;
    char *hex = arena_alloc(out->arena, 2 * n + 1);
    for (size_t i = 0; i < n; i++) {
        hex[2 * i] = "0123456789abcdef"[m->choices[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[m->choices[i] & 15];
    }
    text_addn(out, hex, 2 * n);
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool is(const char *s, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(word, s, n) == 0;
}

// Parses one "key=value". False if the key is unknown or the value is out of range.
static bool read_option(const char *s, size_t n, struct gen_options *o)
{
    const char *eq = memchr(s, '=', n);
    if (!eq)
        return false;
    const size_t key = (size_t)(eq - s), size = n - key - 1;
    const char *value = eq + 1;
    uint64_t number = 0;
    const bool numeric = parse_u64(value, size, &number);
    struct {
        const char *key;
        uint32_t *to, least, most;
    } rows[] = {{"subgroup", &o->subgroup, 4, LANES_MAX},
                {"max", &o->max_invocations, 1, 1 << 16},
                {"inputs", &o->inputs, 1, 1 << 16}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is(s, key, rows[i].key)) {
            *rows[i].to = (uint32_t)number;
            return numeric && number >= rows[i].least && number <= rows[i].most;
        }
    if (is(s, key, "seed"))
        return numeric;
    if (is(s, key, "features"))
        return gen_features_read(value, size, &o->features) && o->features;
    for (int i = GEN_SMALL; is(s, key, "profile") && i <= GEN_LARGE; i++)
        if (is(value, size, gen_profile_name(o->profile = (enum gen_profile)i)))
            return true;
    for (int i = 0; is(s, key, "log") && i < GEN_LOGS; i++)
        if (is(value, size, gen_log_name(o->log = (enum gen_log)i)))
            return true;
    if (is(s, key, "stage"))
        return spv_stage_find(value, size, &o->stage);
    for (int i = SPV_MAXIMAL; is(s, key, "model") && i <= SPV_ASSUMED_MAXIMAL; i++)
        if (is(value, size, spv_model_name(o->model = (enum spv_model)i)))
            return true;
    return false;
}

bool gen_from_read(struct arena *a, const char *line, struct gen_options *o,
                   const uint8_t **choices, size_t *n, struct err *e)
{
    static const char start[] = "generator ";
    if (strncmp(line, start, sizeof start - 1) != 0)
        return err_set(e, "not a generator line: '%.40s'", line);
    const char *s = line + sizeof start - 1;
    size_t size = strcspn(s, " ");
    uint32_t version = 0;
    if (!parse_u32(s, size, &version) || version != GEN_VERSION)
        return err_set(e, "written by generator version %.*s, but this is version %d", (int)size, s,
                       GEN_VERSION);
    *o = (struct gen_options){.subgroup = 0};
    for (s += size; *s == ' '; s += size) {
        s++;
        size = strcspn(s, " ");
        if (size == 7 && memcmp(s, "choices", 7) == 0)
            break;
        if (!read_option(s, size, o))
            return err_set(e, "'%.*s' in the generator line is unknown or out of range", (int)size,
                           s);
    }
    if (o->subgroup < 4 || (o->subgroup & (o->subgroup - 1)) != 0)
        return err_set(e, "the generator line has no valid subgroup size");
    if (strncmp(s, "choices", 7) != 0)
        return err_set(e, "the generator line has no choices");
    s += s[7] == ' ' ? 8 : 7;
    size = strlen(s);
    uint8_t *bytes = arena_alloc(a, size / 2 + 1);
    for (size_t i = 0; i < size; i++) {
        int digit = hex_digit(s[i]);
        if (digit < 0 || size % 2)
            return err_set(e,
                           "the choices in the generator line are not pairs of hexadecimal digits");
        bytes[i / 2] = (uint8_t)(bytes[i / 2] << 4 | digit);
    }
    *choices = bytes;
    *n = size / 2;
    return true;
}
