// SPDX-License-Identifier: Apache-2.0
//
// Reads from v3dv's intermediate code what a shader does with each index of a buffer: the machine
// code has only sums of addresses. Its lines are
//   %219 = @load_ssbo (%217, %223) (...)
//   @store_ssbo (%22, %57, %62) (...)
//   %217 = mov %278 (0x0, 0x0).x
// where a constant's value follows its name.
#include "isa/isa_places.h"
#include "isa/isa_text.h"
#include "qpu_program.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES = 1 << 20, COMPONENTS = 16 };
#define UNKNOWN UINT32_MAX

// The values that moves of constants define, by name.
struct names {
    struct arena *a;
    VEC(uint32_t) value;
};

static void define(struct names *n, uint32_t name, uint32_t value)
{
    if (name >= NAMES)
        return;
    while (n->value.n <= name)
        *VEC_PUSH(n->a, &n->value) = UNKNOWN;
    n->value.v[name] = value;
}

// Returns the number after the "%" with which the text starts; UNKNOWN: none.
static uint32_t name_of(const char *s)
{
    return *s == '%' && s[1] >= '0' && s[1] <= '9' ? (uint32_t)strtoul(s + 1, NULL, 10) : UNKNOWN;
}

// Returns component `which` of the "(0x0, 0x1)" that follows a name; UNKNOWN: none follows.
static uint32_t constant_after(const char *s, uint32_t which)
{
    s += strspn(s, "%0123456789");
    if (strncmp(s, " (0x", 4) != 0)
        return UNKNOWN;
    s += 2;
    for (; which; which--) {
        s = strpbrk(s, ",)");
        if (!s || *s == ')')
            return UNKNOWN;
        s += 2;
    }
    return (uint32_t)strtoul(s, NULL, 16);
}

static void read_move(struct names *n, const char *line)
{
    const char *name = strchr(line, '%'), *move = strstr(line, " = mov %");
    if (!name || !move || name > move)
        return;
    const char *source = strchr(move, '%'), *component = strstr(source, ").");
    static const char letters[] = "xyzw";
    const char *letter = component && component[2] ? strchr(letters, component[2]) : NULL;
    if (letter)
        define(n, name_of(name), constant_after(source, (uint32_t)(letter - letters)));
}

static uint32_t index_of(const struct names *n, const char *operand)
{
    const uint32_t known = constant_after(operand, 0), name = name_of(operand);
    return known != UNKNOWN ? known : name < n->value.n ? n->value.v[name] : UNKNOWN;
}

static bool read_access(struct qpu_program *p, const struct names *n, const char *line,
                        uint32_t number, struct isa_result *why)
{
    static const struct {
        const char *name;
        uint8_t use;
        bool second; // the index is the second operand
    } rows[] = {{"@load_ssbo (", ISA_LOADED, false},
                {"@store_ssbo (", ISA_STORED, true},
                {"@ssbo_atomic (", ISA_LOADED | ISA_STORED, false},
                {"@ssbo_atomic_swap (", ISA_LOADED | ISA_STORED, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *at = strstr(line, rows[i].name);
        if (!at)
            continue;
        at += strlen(rows[i].name);
        if (rows[i].second && (at = strstr(at, ", %")))
            at += 2;
        const uint32_t k = at ? index_of(n, at) : UNKNOWN;
        if (k >= SPV_CASE_BUFFERS)
            return isa_refuse(why, RAN_UNSUPPORTED, number, "the index of a buffer");
        p->use[k] |= rows[i].use;
        p->indices = k >= p->indices ? k + 1 : p->indices;
    }
    return true;
}

bool qpu_read_use(struct arena *a, struct qpu_program *p, const char *text, struct isa_result *why)
{
    struct names n = {.a = a};
    struct word t;
    uint32_t number = 0;
    bool inside = false, any = false;
    for (const char *at = text; text_line(&at, &t);) {
        const char *line = arena_strn(a, t.s, t.n);
        number++;
        if (strstr(line, "MESA_SHADER_"))
            inside = strstr(line, "Just before v3d_compile") || (inside && strstr(line, "shader:"));
        any |= inside;
        if (inside)
            read_move(&n, line);
        if (inside && !read_access(p, &n, line, number, why))
            return false;
    }
    return any || isa_refuse(why, RAN_UNSUPPORTED, 0, "no intermediate code");
}
