// SPDX-License-Identifier: Apache-2.0
//
// Single numbers that the user sets: NAME=VALUE names a member of a push constant or buffer block
// (at any depth of structs), or a specialisation constant.
#include "portable_inner.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 8 };

// Reads a number as the type has it. False: it is not a number of 32 bits.
static bool number(const struct spv_inst *type, const char *text, uint32_t *value)
{
    char *end = NULL;
    if (!type || !text[0])
        return false;
    if (type->op == SpvOpTypeBool) {
        *value = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
        return *value || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
    }
    if ((type->op != SpvOpTypeInt && type->op != SpvOpTypeFloat) || type->v[0] != 32)
        return false;
    if (type->op == SpvOpTypeFloat) {
        const float f = strtof(text, &end);
        memcpy(value, &f, sizeof *value);
        return !*end;
    }
    const long long n = strtoll(text, &end, 0);
    *value = (uint32_t)n;
    return !*end && n >= INT32_MIN && n <= (long long)UINT32_MAX;
}

// Finds a member by its name in a struct type. *byte grows by its offset.
static uint32_t member(const struct spv_module *m, uint32_t type, const char *name, size_t n,
                       uint32_t *byte, int depth)
{
    const struct spv_inst *t = spv_def(m, type);
    for (uint32_t k = 0; t && t->op == SpvOpTypeStruct && k < t->n && depth < DEPTH; k++) {
        const uint32_t offset = por_decoration(m, type, k, SpvDecorationOffset), was = *byte;
        if (offset == UINT32_MAX)
            continue;
        *byte = was + offset;
        for (uint32_t j = 0; j < m->inst_count && m->insts[j].op != SpvOpFunction; j++) {
            const struct spv_inst *s = &m->insts[j];
            const char *its = s->op == SpvOpMemberName && s->v[0] == type && s->v[1] == k
                                  ? spv_string(s->v + 2, s->n - 2u)
                                  : NULL;
            if (its && strlen(its) == n && strncmp(its, name, n) == 0)
                return t->v[k];
        }
        const uint32_t inner = member(m, t->v[k], name, n, byte, depth + 1);
        if (inner)
            return inner;
        *byte = was;
    }
    return 0;
}

static bool constant(const struct spv_module *m, const struct spv_inst *s, const char *text,
                     struct spv_case *c, struct err *e)
{
    const char *value = strchr(text, '=') + 1;
    const uint32_t spec = por_decoration(m, s->result, UINT32_MAX, SpvDecorationSpecId);
    const struct spv_inst *type = spv_def(m, s->type);
    uint32_t number_of, k = 0;
    if (spec == UINT32_MAX || !number(type, value, &number_of))
        return err_set(e, "--set %s: not a number of 32 bits", text);
    while (k < c->spec_count && c->spec[k].id != spec)
        k++;
    if (k == SPV_CASE_SPECS)
        return err_set(e, "--set %s: a case holds %d specialisation constants", text,
                       SPV_CASE_SPECS);
    c->spec[k] = (struct spv_spec){.id = spec, .value = number_of, .type = "u32"};
    if (type->op == SpvOpTypeFloat || (type->op == SpvOpTypeInt && type->v[1]))
        c->spec[k].type[0] = type->op == SpvOpTypeFloat ? 'f' : 'i';
    c->spec_count += k == c->spec_count;
    return true;
}

bool por_given_set(struct arena *a, const struct spv_module *m, const char *text,
                   struct spv_case *c, struct por_set *out, uint32_t *count, struct err *e)
{
    const char *equal = strchr(text, '=');
    const size_t n = equal ? (size_t)(equal - text) : 0;
    struct text known = {.arena = a};
    if (!n)
        return err_set(e, "--set %s: not NAME=VALUE", text);
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *s = &m->insts[k];
        const bool is_spec = s->op == SpvOpSpecConstant || s->op == SpvOpSpecConstantTrue ||
                             s->op == SpvOpSpecConstantFalse;
        const char *name = s->result ? spv_name(m, s->result) : NULL;
        if (is_spec && name && strlen(name) == n && strncmp(name, text, n) == 0)
            return constant(m, s, text, c, e);
        if (is_spec && name)
            text_add(&known, "%s%s", known.n ? ", " : "", text_printable(a, name));
        if (s->op == SpvOpMemberName && s->n > 2 && spv_string(s->v + 2, s->n - 2u) &&
            known.n < 200)
            text_add(&known, "%s%s", known.n ? ", " : "",
                     text_printable(a, spv_string(s->v + 2, s->n - 2u)));
        const struct spv_inst *pointer = s->op == SpvOpVariable ? spv_def(m, s->type) : NULL;
        uint32_t byte = 0;
        const uint32_t type =
            pointer && pointer->n > 1 ? member(m, pointer->v[1], text, n, &byte, 0) : 0;
        if (!type)
            continue;
        *out = (struct por_set){.variable = s->result, .byte = byte, .name = text};
        if (!number(spv_def(m, type), equal + 1, &out->value))
            return err_set(e, "--set %s: not a number of 32 bits, or not a number there", text);
        ++*count;
        return true;
    }
    return err_set(e, "--set %s: the shader has no such input%s%s", text,
                   known.n ? "; it has " : "", known.n ? known.v : "");
}

bool por_check_sets(struct arena *a, const struct spv_case *c, const struct por_given *given,
                    struct err *e)
{
    struct spv_module m;
    struct spv_case *copy = ARENA_NEW(a, struct spv_case);
    struct por_set one;
    uint32_t n = 0;
    *copy = *c;
    if (given->sets && !spv_module_read(a, c->words, c->count, &m, e))
        return false;
    for (uint32_t k = 0; k < given->sets; k++)
        if (!por_given_set(a, &m, given->set[k], copy, &one, &n, e))
            return false;
    return por_check_unordered(a, c, given, e);
}
