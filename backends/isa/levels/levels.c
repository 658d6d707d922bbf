// SPDX-License-Identifier: Apache-2.0
//
// Splits dumps into levels. A level begins with a line of the driver's that names its pass, and
// ends where its code ends.
#define _GNU_SOURCE // memmem
#include "levels_inner.h"

#include "amd/amd.h"
#include "gallivm/gallivm.h"
#include "ir3/ir3.h"
#include "nak/nak.h"
#include "nir/nir.h"
#include "qpu/qpu.h"

#include <strings.h>

enum often {
    OFTEN,
    ONCE,     // one in each shader
    ANEW,     // one in each compilation of a shader; of one that was given up, levels are left out
    IN_TURN,  // the same, of several that begin with the same line, which belongs to the level
    LAST,     // after all others; before them, it is another print of the same
    UNTITLED, // no line of its own: the level begins with this line, if it stands in no other level
};
// A line that begins a level: `before`, the pass's name, `after` at the line's end. If `pass` is
// given, the line is `before` alone, and the level has this name.
struct marker {
    enum level_driver driver;
    const char *before, *after, *pass;
    enum level_language language;
    enum often often;
};
// clang-format off
#define V3D "MESA_SHADER_COMPUTE prog "
#define V3D_FIRST "NIR after vk_pipeline_shader_stage_to_nir: " V3D
#define V3D_BEFORE "Just before v3d_compile: " V3D
static const struct marker markers[] = {
    {LEVELS_NVK, "Structured NIR for compute shader:", "", "NIR", LEVEL_NIR, ONCE},
    {LEVELS_NVK, "NIR for compute shader:", "", "nak_nir_lower_cf", LEVEL_NIR, ONCE},
    {LEVELS_NVK, "NAK IR:", "", "nak_from_nir", LEVEL_NAK, ONCE},
    {LEVELS_NVK, "NAK IR after ", ":", NULL, LEVEL_NAK, OFTEN},
    {LEVELS_RADV, "shader: MESA_SHADER_COMPUTE", "", "NIR", LEVEL_NIR, UNTITLED},
    {LEVELS_RADV, "NIR shader before instruction selection:", "", "NIR for ACO", LEVEL_NIR, ONCE},
    {LEVELS_RADV, "After Instruction Selection:", "", "instruction selection", LEVEL_ACO_SELECTED,
     ONCE},
    {LEVELS_RADV, "After Spilling:", "", "ACO up to spilling", LEVEL_ACO_SPILLED, OFTEN},
    {LEVELS_RADV, "After RA:", "", "ACO up to register allocation", LEVEL_ACO, ONCE},
    {LEVELS_RADV, "disasm:", "", "ACO up to machine code", LEVEL_AMD, OFTEN},
    {LEVELS_TURNIP, "==== NIR from SPIRV", "", "NIR", LEVEL_NIR, OFTEN},
    {LEVELS_TURNIP, "==== Final NIR", "", "Final NIR", LEVEL_NIR, OFTEN},
    {LEVELS_TURNIP, "NIR (final form) for CL shader (null):", "", "NIR with preamble", LEVEL_NIR,
     ONCE},
    {LEVELS_TURNIP, "AFTER: nir->ir3:", "", "nir->ir3", LEVEL_IR3, ONCE},
    {LEVELS_TURNIP, "AFTER: ", ":", NULL, LEVEL_IR3, OFTEN},
    {LEVELS_TURNIP, "Native code for ", ":", "machine code", LEVEL_IR3_NATIVE, LAST},
    {LEVELS_ANV, "==== Final NIR", "", "Final NIR", LEVEL_NIR, OFTEN},
    {LEVELS_ANV, "NIR (SSA form) for compute shader:", "", "NIR for brw", LEVEL_NIR, ONCE},
    {LEVELS_ANV, "NIR (final form) for compute shader:", "", "NIR out of SSA", LEVEL_NIR, ONCE},
    {LEVELS_HONEYKRISP, "shader: MESA_SHADER_COMPUTE", "", "NIR", LEVEL_NIR, UNTITLED},
    {LEVELS_LAVAPIPE, "shader: MESA_SHADER_COMPUTE", "", "NIR", LEVEL_NIR, UNTITLED},
    {LEVELS_LAVAPIPE, "; ModuleID = 'cs", "'", "gallivm", LEVEL_GALLIVM, ONCE},
    {LEVELS_V3DV, V3D_FIRST, " NIR:", "NIR", LEVEL_NIR, ONCE},
    {LEVELS_V3DV, V3D_BEFORE, " NIR:", "NIR for v3d_compile", LEVEL_NIR, ONCE},
    {LEVELS_V3DV, V3D, " NIR:", "NIR out of SSA", LEVEL_NIR, ANEW},
    {LEVELS_V3DV, V3D, " pre-opt VIR:", "nir_to_vir", LEVEL_VIR, ONCE},
    {LEVELS_V3DV, V3D, " VIR:", "vir_optimize", LEVEL_VIR, ONCE},
    {LEVELS_V3DV, V3D, " QPU:", "machine code", LEVEL_QPU, ONCE},
    {LEVELS_PANVK, "shader: MESA_SHADER_COMPUTE", "", "NIR", LEVEL_NIR, UNTITLED},
    {LEVELS_PANVK, "block0 {", "", "back end in SSA", LEVEL_UNREAD, IN_TURN},
    {LEVELS_PANVK, "block0 {", "", "bi_register_allocate", LEVEL_UNREAD, IN_TURN},
    {LEVELS_PANVK, "block0 {", "", "va_insert_flow_control_nops", LEVEL_UNREAD, IN_TURN},
    {LEVELS_POWERVR, "after ", ":", NULL, LEVEL_NIR, OFTEN},
    {LEVELS_POWERVR, "shader ir after ", ":", NULL, LEVEL_UNREAD, OFTEN},
};
// clang-format on
enum { MARKERS = sizeof markers / sizeof *markers };

static const struct {
    const char *name, *compiler, *expected;
    enum nir_driver nir;
    const char *device; // the start of its name in Vulkan, if that differs
} drivers[LEVELS_DRIVERS] = {
    [LEVELS_NVK] = {"NVK", "nak",
                    "'Structured NIR for compute shader:', 'NIR for compute shader:', 'NAK IR:' "
                    "and 'NAK IR after PASS:'",
                    NIR_NVK},
    [LEVELS_RADV] = {"RADV", "aco",
                     "'NIR shader before instruction selection:', 'After Instruction Selection:' "
                     "and 'After RA:'",
                     NIR_RADV},
    [LEVELS_TURNIP] = {"turnip", "ir3",
                       "'NIR (final form) for CL shader (null):', 'AFTER: nir->ir3:' and 'AFTER: "
                       "PASS:'",
                       NIR_TURNIP},
    [LEVELS_ANV] = {"anv", "brw",
                    "'NIR (SSA form) for compute shader:' and 'NIR (final form) for compute "
                    "shader:'",
                    NIR_ANV, "Intel open-source Mesa driver"},
    // Its compiler's own texts before machine code lack conditions and shifts, so nothing runs
    // them.
    [LEVELS_HONEYKRISP] = {"Honeykrisp", "agx", "'shader: MESA_SHADER_COMPUTE'", NIR_HONEYKRISP},
    [LEVELS_LAVAPIPE] = {"lavapipe", "gallivm",
                         "'shader: MESA_SHADER_COMPUTE' and '; ModuleID = 'csN_variantN''",
                         NIR_LAVAPIPE, "llvmpipe"},
    [LEVELS_V3DV] = {"v3dv", "v3d",
                     "'MESA_SHADER_COMPUTE prog N NIR:', 'pre-opt VIR:', 'VIR:' and 'QPU:'",
                     NIR_V3DV},
    [LEVELS_PANVK] = {"panvk", "bifrost", "'shader: MESA_SHADER_COMPUTE' and 'block0 {'",
                      NIR_PANVK},
    [LEVELS_POWERVR] = {"powervr", "pco", "'after PASS:' and 'shader ir after PASS:'", NIR_POWERVR,
                        "Imagination open-source Mesa driver"},
    [LEVELS_NIR] = {.compiler = "nir"},
};

static bool starts_with(const char *name, const char *start)
{
    return start && strncasecmp(name, start, strlen(start)) == 0;
}

bool levels_driver_of(const char *name, enum level_driver *out)
{
    for (int d = 0; d < LEVELS_DRIVERS; d++)
        if (starts_with(name, drivers[d].name) || starts_with(name, drivers[d].device) ||
            strcasecmp(name, drivers[d].compiler) == 0) {
            *out = (enum level_driver)d;
            return true;
        }
    return false;
}

bool levels_only_nir(enum level_driver driver)
{
    return driver == LEVELS_PANVK || driver == LEVELS_POWERVR;
}

const char *levels_known(void)
{
    return "nak, aco, ir3, brw, agx, gallivm, v3d, bifrost, pco, nir:DRIVER";
}

// ---- splitting -------------------------------------------------------------------------------

struct splitter {
    struct arena *a;
    enum level_driver driver;
    uint32_t line; // of the dump
    VEC(struct level) level;
    struct text text;         // of the last level so far
    bool inside, open, ended; // in a level; in a block of it; after its last block
    bool main;                // in the function that is called
    uint32_t blocks, next;    // blocks of the level so far; one more than the highest that follows
    uint32_t seen[MARKERS];
};

// `seen`: of the markers in turn the first is taken that has none yet; NULL: the first.
static const struct marker *marker_of(enum level_driver driver, struct word line,
                                      const uint32_t *seen, struct word *pass)
{
    for (int i = 0; i < MARKERS; i++) {
        const struct marker *m = &markers[i];
        const size_t k = strlen(m->before), after = strlen(m->after);
        if (m->driver != driver || !word_starts(line, m->before) || line.n < k + after ||
            (m->often == IN_TURN && seen && seen[i]))
            continue;
        *pass = (struct word){line.s + k, line.n - k - after};
        if (m->pass && !after ? !pass->n
                              : pass->n && word_is(word_after(line, line.n - after), m->after))
            return m;
    }
    return NULL;
}

static void level_end(struct splitter *s)
{
    if (s->inside)
        s->level.v[s->level.n - 1].text = s->text.v ? s->text.v : "";
    s->inside = s->ended = false;
}

// Does the line that begins a level belong to it?
static bool of_level(const struct marker *m)
{
    return m->often == UNTITLED || m->often == IN_TURN;
}

static bool is_machine_code(enum level_language l)
{
    return l == LEVEL_AMD || l == LEVEL_IR3_NATIVE || l == LEVEL_QPU;
}

// v3dv compiles a shader again, in another way, if there were not enough registers. What it printed
// of the first way is left out, unless it made machine code: it may have kept that.
static void compiles_anew(struct splitter *s, const struct marker *m)
{
    if (m->often != ANEW || !s->seen[m - markers] ||
        is_machine_code(s->level.v[s->level.n - 1].language))
        return;
    for (size_t i = s->level.n; i-- > 0 && s->seen[m - markers];)
        if (strcmp(s->level.v[i].pass, m->pass) == 0) {
            s->level.n = i;
            s->seen[m - markers]--;
        }
    for (int i = 0; i < MARKERS; i++)
        if (markers[i].driver == s->driver && markers[i].language == LEVEL_VIR)
            s->seen[i] = 0;
}

static void level_begin(struct splitter *s, const struct marker *m, struct word pass)
{
    level_end(s);
    compiles_anew(s, m);
    s->seen[m - markers]++;
    *VEC_PUSH(s->a, &s->level) = (struct level){
        .pass = m->pass ? m->pass : arena_strn(s->a, pass.s, pass.n),
        .line = s->line + !of_level(m),
        .language = m->language,
    };
    s->text = (struct text){.arena = s->a};
    s->blocks = s->next = 0;
    s->inside = true;
}

// Counts the blocks that may follow one: "} -> [2, 6]".
static void blocks_after(struct splitter *s, struct word line)
{
    const char *at = memchr(line.s, '[', line.n), *end = line.s + line.n;
    for (uint32_t k; at && at + 1 < end;) {
        const char *from = at + 1;
        at = from;
        while (at < end && *at >= '0' && *at <= '9')
            at++;
        if (!parse_u32(from, (size_t)(at - from), &k))
            return;
        s->next = s->next < k + 1 ? k + 1 : s->next;
        at += at < end && *at == ',';
    }
}

// Code whose blocks have no braces; an empty line follows its last block.
static bool is_lines(enum level_language l)
{
    return l == LEVEL_ACO_SELECTED || l == LEVEL_ACO_SPILLED || l == LEVEL_ACO || l == LEVEL_AMD ||
           l == LEVEL_IR3_NATIVE || l == LEVEL_VIR || l == LEVEL_QPU;
}

static void line_add(struct splitter *s, struct word line)
{
    for (size_t i = 0; i < line.n; i++) {
        size_t from = i;
        while (i < line.n && line.s[i] != '\033')
            i++;
        text_addn(&s->text, line.s + from, i - from);
        while (i < line.n && line.s[i] != 'm') // colors
            i++;
    }
    text_addn(&s->text, "\n", 1);
}

// Blocks "(jp)block3 {" to "}".
static void ir3_line(struct splitter *s, struct word line)
{
    const bool begins =
        (word_starts(line, "block") || word_starts(line, "(jp)block")) && line.s[line.n - 1] == '{';
    if (!s->open && s->ended && line.n && !begins)
        level_end(s);
    if (!s->inside)
        return;
    s->open |= begins;
    line_add(s, line);
    if (s->open && word_is(line, "}")) {
        s->open = false;
        s->ended = true;
    }
}

// Functions "define ... {" to "}"; the one that lavapipe calls is the last.
static void gallivm_line(struct splitter *s, struct word line)
{
    if (s->ended && line.n)
        level_end(s);
    if (!s->inside)
        return;
    if (word_starts(line, "define ")) {
        s->open = true;
        s->main = memmem(line.s, line.n, "@cs_variant(", strlen("@cs_variant(")) != NULL;
    }
    line_add(s, line);
    if (s->open && word_is(line, "}")) {
        s->open = false;
        s->ended = s->main;
    }
}

// Code consists of blocks "block ... {" to "}"; NIR's lie inside the braces of its functions, each
// after lines that declare it. What follows the last block does not belong to it.
static void code_line(struct splitter *s, struct word line)
{
    const struct level *l = &s->level.v[s->level.n - 1];
    if (l->language == LEVEL_UNREAD) { // not read: it ends where the next one begins
        text_addn(&s->text, line.s, line.n);
        text_addn(&s->text, "\n", 1);
        s->ended = true;
        return;
    }
    if (is_lines(l->language)) { // blocks without braces, up to an empty line
        s->open = line.n && !is_machine_code(l->language);
        if (!line.n && s->ended) {
            level_end(s);
            return;
        }
        text_addn(&s->text, line.s, line.n);
        text_addn(&s->text, "\n", 1);
        s->ended |= line.n != 0;
        return;
    }
    if (l->language == LEVEL_IR3 || l->language == LEVEL_GALLIVM) {
        (l->language == LEVEL_IR3 ? ir3_line : gallivm_line)(s, line);
        return;
    }
    const bool opens = line.n && line.s[line.n - 1] == '{';
    const bool begins = l->language == LEVEL_NIR
                            ? word_starts(line, "impl ") || word_starts(line, "decl_function ")
                            : word_starts(line, "block") && opens;
    if (!s->open && s->ended && line.n && !begins)
        level_end(s);
    if (!s->inside)
        return;
    s->open |= begins;
    s->blocks += begins;
    text_addn(&s->text, line.s, line.n);
    text_addn(&s->text, "\n", 1);
    if (s->open && line.n && *line.s == '}') {
        if (l->language != LEVEL_NIR)
            blocks_after(s, line);
        s->open = false;
        s->ended = true;
    }
}

// Has the level no last block yet, or not all the blocks that it names?
static bool unfinished(const struct splitter *s)
{
    return s->open || (s->inside && !s->ended) || s->next > s->blocks;
}

static bool splitter_refuse(const struct splitter *s, struct err *e)
{
    if (!s->level.n)
        return err_set(e, "not a dump of %s: expected lines %s", drivers[s->driver].compiler,
                       drivers[s->driver].expected);
    return err_set(e,
                   "the dump is cut: the level of '%s' has no end (line %u); expected whole blocks",
                   s->level.v[s->level.n - 1].pass, s->line);
}

// A dump of one shader has each of these levels once. Without them it is of another version.
static bool one_shader(const struct splitter *s, struct err *e)
{
    for (int i = 0; i < MARKERS; i++) {
        if (markers[i].driver != s->driver ||
            (markers[i].often != ONCE && markers[i].often != ANEW && markers[i].often != IN_TURN))
            continue;
        if (s->seen[i] > 1)
            return err_set(e, "the dump holds %u shaders; expected one", s->seen[i]);
        if (!s->seen[i])
            return err_set(e, "the dump has no line '%s'; expected %s", markers[i].before,
                           drivers[s->driver].expected);
    }
    return true;
}

// What Mesa's log puts before each line.
#define LOG "MESA: info: "

static bool last_may_begin(const struct splitter *s)
{
    return s->level.n && s->level.v[s->level.n - 1].language == LEVEL_IR3;
}

// Reads the levels of a driver's own dump, which begins after `line` lines.
static bool read_own(struct arena *a, const char *dump, uint32_t line, struct levels *out,
                     struct err *e)
{
    const enum level_driver driver = out->driver;
    struct splitter s = {.a = a, .driver = driver, .line = line};
    for (struct word one, pass; text_line(&dump, &one);) {
        s.line++;
        if (word_starts(one, LOG)) // Turnip's
            one = word_after(one, strlen(LOG));
        const struct marker *m = marker_of(driver, one, s.seen, &pass);
        if (m && ((m->often == UNTITLED && s.inside) || (m->often == LAST && !last_may_begin(&s))))
            m = NULL;
        if (m && unfinished(&s))
            return splitter_refuse(&s, e);
        if (m)
            level_begin(&s, m, pass);
        if (s.inside && (!m || of_level(m)))
            code_line(&s, one);
    }
    if (!s.level.n || unfinished(&s))
        return splitter_refuse(&s, e);
    level_end(&s);
    if (!one_shader(&s, e))
        return false;
    out->n = (uint32_t)s.level.n;
    out->v = s.level.v;
    return true;
}

// Puts the levels of NIR's passes before the driver's own. Its own first NIR is one of them.
static void join(struct arena *a, const struct levels *nir, struct levels *out)
{
    const bool same = out->v[0].language == LEVEL_NIR && strcmp(out->v[0].pass, "NIR") == 0;
    const uint32_t own = out->n - same;
    struct level *v = ARENA_ARRAY(a, struct level, nir->n + own);
    memcpy(v, nir->v, nir->n * sizeof *v);
    memcpy(v + nir->n, out->v + same, own * sizeof *v);
    out->v = v;
    out->n = nir->n + own;
    out->from_start = nir->from_start;
}

bool levels_read(struct arena *a, enum level_driver driver, const char *dump, struct levels *out,
                 struct err *e)
{
    const char *between = strstr(dump, LEVELS_BETWEEN);
    struct levels nir = {0};
    uint32_t line = 0;
    *out = (struct levels){.driver = driver};
    if (between) {
        if (!levels_read_nir(a, arena_strn(a, dump, (size_t)(between - dump)), &nir, NULL))
            nir.n = 0;
        for (; dump < between + strlen(LEVELS_BETWEEN); dump++)
            line += *dump == '\n';
    }
    if (driver == LEVELS_NIR)
        return nir.n ? (*out = nir, out->driver = driver, true) : levels_read_nir(a, dump, out, e);
    if (!read_own(a, dump, line, out, e))
        return false;
    if (nir.n)
        join(a, &nir, out);
    return true;
}

uint32_t levels_begun(struct arena *a, enum level_driver driver, const char *dump,
                      const char *const **names)
{
    VEC(const char *) out = {0};
    int at = 0;
    while (at < MARKERS && (markers[at].driver != driver || markers[at].often == OFTEN))
        at++;
    const struct marker *first = at < MARKERS ? &markers[at] : NULL;
    for (struct word line, pass; text_line(&dump, &line);) {
        if (word_starts(line, LOG))
            line = word_after(line, strlen(LOG));
        const struct marker *m = marker_of(driver, line, NULL, &pass);
        if (!m || (m->often == LAST && !out.n) || (m != first && m->often == UNTITLED))
            continue;
        if (m == first) // before it come shaders of the driver's own
            out.n = 0;
        *VEC_PUSH(a, &out) = m->pass ? m->pass : arena_strn(a, pass.s, pass.n);
    }
    *names = out.v;
    return (uint32_t)out.n;
}

// ---- machines --------------------------------------------------------------------------------

// Returns the last intermediate code before level `i`; it shows what the driver's own code omits.
static const char *nir_before(const struct levels *l, uint32_t i)
{
    while (i-- > 0)
        if (l->v[i].language == LEVEL_NIR)
            return l->v[i].text;
    return NULL;
}

// Returns the machine code of a dump of ir3.
static const char *ir3_native(const struct levels *l)
{
    const struct level *last = &l->v[l->n - 1];
    return last->language == LEVEL_IR3_NATIVE ? last->text : NULL;
}

bool levels_dialect(const struct levels *l, enum nir_driver *out)
{
    static const char *const names[NIR_DRIVERS] = {
        [NIR_TURNIP] = "turnip", [NIR_RADV] = "radv",       [NIR_NVK] = "nvk",
        [NIR_ANV] = "anv",       [NIR_PANVK] = "panvk",     [NIR_HONEYKRISP] = "honeykrisp",
        [NIR_V3DV] = "v3dv",     [NIR_POWERVR] = "powervr", [NIR_LAVAPIPE] = "lavapipe",
    };
    *out = drivers[l->driver].nir;
    if (l->driver != LEVELS_NIR)
        return true;
    for (int i = 0; l->device && i < NIR_DRIVERS; i++)
        if (strcasecmp(l->device, names[i]) == 0) {
            *out = (enum nir_driver)i;
            return true;
        }
    return false;
}

// ACO's code and AMD's machine code. Neither names the GPU; `l->device` does.
static const struct isa_code *amd_code(struct arena *a, const struct levels *l, uint32_t i,
                                       uint32_t size, struct isa_result *why)
{
    const struct level *v = &l->v[i];
    struct amd_source s = {.nir = nir_before(l, i), .ir = v->text};
    enum amd_gen gen;
    if (!l->device || !amd_gen_of(l->device, &gen)) {
        isa_refuse(why, RAN_UNSUPPORTED, 0, "the GPU is not known; name it: --as aco:navi31");
        return NULL;
    }
    if (v->language != LEVEL_AMD)
        return aco_read(a, &s,
                        v->language == LEVEL_ACO_SELECTED  ? ACO_SELECTED
                        : v->language == LEVEL_ACO_SPILLED ? ACO_SPILLED
                                                           : ACO_ALLOCATED,
                        gen, size, why);
    s.assembly = v->text;
    for (s.ir = NULL; i-- > 0 && !s.ir;)
        s.ir = l->v[i].language == LEVEL_ACO ? l->v[i].text : NULL;
    return amd_read(a, &s, gen, size, why);
}

// v3dv's code. Its text has sums of addresses only, NIR for v3d_compile the buffers.
static const struct isa_code *qpu_code(struct arena *a, const struct levels *l, uint32_t i,
                                       struct isa_result *why)
{
    const char *nir = V3D_BEFORE "\n", *before = NULL, *machine = NULL;
    for (uint32_t k = 0; k < i; k++)
        if (strcmp(l->v[k].pass, "NIR for v3d_compile") == 0)
            nir = arena_printf(a, V3D_BEFORE "\n%s", l->v[k].text);
    for (uint32_t k = 0; k < i; k++)
        if (l->v[k].language == LEVEL_VIR)
            before = l->v[k].text;
    for (uint32_t k = i; k < l->n; k++)
        if (l->v[k].language == LEVEL_QPU)
            machine = l->v[k].text;
    if (l->v[i].language == LEVEL_VIR) {
        const struct qpu_vir_texts x = {
            .nir = nir, .before = before, .machine = machine, .text = l->v[i].text};
        return qpu_vir_read(a, &x, why);
    }
    uint32_t lines = 1; // before the code
    for (const char *at = nir; *at; at++)
        lines += *at == '\n';
    const struct isa_code *code =
        qpu_read(a, arena_printf(a, "%s" V3D " QPU:\n%s", nir, l->v[i].text), why);
    why->line -= why->line > lines ? lines : why->line;
    return code;
}

const struct isa_code *levels_code(struct arena *a, const struct levels *l, uint32_t i,
                                   uint32_t size, struct isa_result *why)
{
    const struct level *v = &l->v[i];
    *why = (struct isa_result){0};
    switch (v->language) {
    case LEVEL_NIR: {
        enum nir_driver nir;
        if (levels_dialect(l, &nir))
            return nir_read(a, v->text, nir, size, why);
        isa_refuse(why, RAN_UNSUPPORTED, 0, "the driver is not known; name it: --as nir:radv");
        return NULL;
    }
    case LEVEL_NAK: {
        const struct nak_source s = {.nir = nir_before(l, i), .assembly = v->text};
        return nak_read(a, &s, why);
    }
    case LEVEL_ACO_SELECTED:
    case LEVEL_ACO_SPILLED:
    case LEVEL_ACO:
    case LEVEL_AMD:
        return amd_code(a, l, i, size, why);
    case LEVEL_IR3:
    case LEVEL_IR3_NATIVE: {
        const struct ir3_source s = {
            .text = v->text, .native = ir3_native(l), .nir = nir_before(l, i)};
        return v->language == LEVEL_IR3 ? ir3_level_read(a, &s, size, why)
                                        : ir3_read(a, v->text, size, why);
    }
    case LEVEL_GALLIVM:
        return gallivm_read(a, v->text, size, why);
    case LEVEL_VIR:
    case LEVEL_QPU:
        return qpu_code(a, l, i, why);
    case LEVEL_UNREAD:
    case LEVEL_MACHINE:
        break;
    }
    isa_refuse(why, RAN_UNSUPPORTED, 0, "no machine runs this form of the code");
    return NULL;
}
