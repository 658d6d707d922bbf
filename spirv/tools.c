// SPDX-License-Identifier: Apache-2.0
//
// Assembles, disassembles and validates with SPIRV-Tools. Input: any words or text. Output: the
// other form, or the first message on one line. Contexts are created on first use and kept in the
// caller's spv_tools.
#include "case_inner.h"

// SPIRV-Tools' environments have the same names as spirv.h's, and its header defines a constant
// instead of declaring it. Both are renamed here.
#define SPV_ENV_VULKAN_1_1    LIBSPIRV_ENV_VULKAN_1_1
#define SPV_ENV_VULKAN_1_2    LIBSPIRV_ENV_VULKAN_1_2
#define SPV_ENV_VULKAN_1_3    LIBSPIRV_ENV_VULKAN_1_3
#define SPV_ENV_UNIVERSAL_1_6 LIBSPIRV_ENV_UNIVERSAL_1_6
#define kDefaultMaxIdBound    tools_default_max_id_bound
#include <spirv-tools/libspirv.h>
#undef SPV_ENV_VULKAN_1_1
#undef SPV_ENV_VULKAN_1_2
#undef SPV_ENV_VULKAN_1_3
#undef SPV_ENV_UNIVERSAL_1_6
#undef kDefaultMaxIdBound

#include <stdlib.h>
#include <string.h>

enum { VERSIONS = 7, ENVS = 4 };

struct spv_tools {
    spv_context text[VERSIONS]; // by minor version of SPIR-V 1.x
    spv_context rules[ENVS];    // by enum spv_env
    spv_validator_options options;
    double validation_cpu;
};

static const spv_target_env version_env[VERSIONS] = {
    [0] = SPV_ENV_UNIVERSAL_1_0,      [1] = SPV_ENV_UNIVERSAL_1_1, [2] = SPV_ENV_UNIVERSAL_1_2,
    [3] = SPV_ENV_UNIVERSAL_1_3,      [4] = SPV_ENV_UNIVERSAL_1_4, [5] = SPV_ENV_UNIVERSAL_1_5,
    [6] = LIBSPIRV_ENV_UNIVERSAL_1_6,
};

static const struct {
    spv_target_env env;
    const char *name;
} rules_env[ENVS] = {
    [SPV_ENV_VULKAN_1_1] = {LIBSPIRV_ENV_VULKAN_1_1, "Vulkan 1.1"},
    [SPV_ENV_VULKAN_1_2] = {LIBSPIRV_ENV_VULKAN_1_2, "Vulkan 1.2"},
    [SPV_ENV_VULKAN_1_3] = {LIBSPIRV_ENV_VULKAN_1_3, "Vulkan 1.3"},
    [SPV_ENV_UNIVERSAL_1_6] = {LIBSPIRV_ENV_UNIVERSAL_1_6, "SPIR-V 1.6"},
};

// std::set_new_handler, by its linker name. SPIRV-Tools is C++: without a handler, std::bad_alloc
// would abort the process like an internal bug.
void (*set_new_handler(void (*)(void)))(void) __asm__("_ZSt15set_new_handlerPFvvE");

struct spv_tools *spv_tools_new(void)
{
    set_new_handler(out_of_memory);
    struct spv_tools *t = mem_new(sizeof *t);
    return t;
}

void spv_tools_free(struct spv_tools *t)
{
    if (!t)
        return;
    for (int i = 0; i < VERSIONS; i++)
        spvContextDestroy(t->text[i]);
    for (int i = 0; i < ENVS; i++)
        spvContextDestroy(t->rules[i]);
    if (t->options)
        spvValidatorOptionsDestroy(t->options);
    free(t);
}

const char *spv_tools_version(struct arena *a)
{
    const char *all = spvSoftwareVersionDetailsString(), *unknown = strstr(all, " unknown hash");
    return unknown ? arena_strn(a, all, (size_t)(unknown - all)) : all;
}

static spv_context context_of(spv_context *slot, spv_target_env env)
{
    if (!*slot)
        *slot = spvContextCreate(env);
    CHECK(*slot != NULL);
    return *slot;
}

// Copies a diagnostic's message, which may be NULL or span lines, to one line.
static bool refuse(spv_diagnostic d, struct err *e)
{
    err_set(e, "%s", d && d->error && d->error[0] ? d->error : "rejected without a message");
    if (e) {
        size_t n = strlen(e->msg);
        while (n && (e->msg[n - 1] == '\n' || e->msg[n - 1] == ' '))
            e->msg[--n] = 0;
        for (char *p = e->msg; *p; p++) {
            if (*p == '\n' || *p == '\r' || *p == '\t')
                *p = ' ';
            else if (*p < ' ' || *p > '~')
                *p = '?';
        }
    }
    spvDiagnosticDestroy(d);
    return false;
}

// ---- text -> words ---------------------------------------------------------------

// Returns the minor version from "; Version: 1.N" in the leading comments, which every disassembler
// prints; 6 if there is none.
static unsigned version_of_text(const char *s, size_t size)
{
    static const char key[] = "; Version: 1.";
    const char *end = s + size;
    while (s < end && (*s == ';' || *s == '\n' || *s == '\r')) {
        size_t left = (size_t)(end - s), n = sizeof key - 1;
        if (left > n && memcmp(s, key, n) == 0 && s[n] >= '0' && s[n] < '0' + VERSIONS &&
            (left == n + 1 || s[n + 1] == '\n' || s[n + 1] == '\r'))
            return (unsigned)(s[n] - '0');
        const char *nl = memchr(s, '\n', left);
        s = nl ? nl + 1 : end;
    }
    return VERSIONS - 1;
}

bool tools_assemble(struct spv_tools *t, struct arena *a, const char *text, size_t size,
                    const uint32_t **words, size_t *count, size_t *line, struct err *e)
{
    *line = 0;
    const char *nul = size ? memchr(text, 0, size) : NULL;
    if (nul) { // the assembler would stop there without an error
        for (const char *p = text; p < nul; p++)
            *line += *p == '\n';
        return err_set(e, "a NUL byte, assembly text was expected");
    }
    unsigned version = version_of_text(text, size);
    spv_binary binary = NULL;
    spv_diagnostic d = NULL;
    spv_result_t result = spvTextToBinaryWithOptions(
        context_of(&t->text[version], version_env[version]), size ? text : "", size,
        SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS, &binary, &d);
    if (result != SPV_SUCCESS || !binary) {
        *line = d ? d->position.line : 0;
        spvBinaryDestroy(binary);
        return refuse(d, e);
    }
    uint32_t *copy = arena_copy(a, binary->code, arena_bytes(binary->wordCount, sizeof *copy));
    // Clears the generator word, which the assembler sets: the text does not contain it, and
    // reassembling a module must return the same words.
    if (binary->wordCount > 2)
        copy[2] = 0;
    *words = copy;
    *count = binary->wordCount;
    spvBinaryDestroy(binary);
    spvDiagnosticDestroy(d);
    return true;
}

bool spv_assemble(struct spv_tools *t, struct arena *a, const char *text, size_t size,
                  int first_line, const uint32_t **words, size_t *count, struct err *e)
{
    size_t line;
    if (tools_assemble(t, a, text, size, words, count, &line, e))
        return true;
    return err_prefix(e, "line %zu", line + (size_t)first_line);
}

// ---- words -> text ---------------------------------------------------------------

bool spv_disassemble(struct spv_tools *t, struct arena *a, const uint32_t *words, size_t count,
                     const char **text, struct err *e)
{
    spv_text out = NULL;
    spv_diagnostic d = NULL;
    spv_result_t result = spvBinaryToText(
        context_of(&t->text[VERSIONS - 1], version_env[VERSIONS - 1]), words, count,
        SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_INDENT, &out, &d);
    if (result != SPV_SUCCESS || !out) {
        spvTextDestroy(out);
        return refuse(d, e);
    }
    // Without this line an older module would be reassembled as 1.6.
    if (words[1] < SPV_1_6)
        *text = arena_printf(a, "; Version: 1.%u\n%.*s", words[1] >> 8 & 0xff, (int)out->length,
                             out->str);
    else
        *text = arena_strn(a, out->str, out->length);
    spvTextDestroy(out);
    spvDiagnosticDestroy(d);
    return true;
}

// ---- validation ------------------------------------------------------------------

double spv_tools_validation_cpu(const struct spv_tools *t)
{
    return t->validation_cpu;
}

bool spv_validate(struct spv_tools *t, enum spv_env env, const uint32_t *words, size_t count,
                  struct err *e)
{
    CHECK((unsigned)env < ENVS);
    // The default options are the universal limits of the specification. Drivers must accept
    // modules within them.
    if (!t->options) {
        t->options = spvValidatorOptionsCreate();
        CHECK(t->options != NULL);
        // Ids stay numbers, as in our text. Friendly names need another parse of the module and a
        // third of the time.
        spvValidatorOptionsSetFriendlyNames(t->options, false);
    }
    spv_const_binary_t binary = {words, count};
    spv_diagnostic d = NULL;
    spv_context context = context_of(&t->rules[env], rules_env[env].env);
    double start = thread_cpu_seconds();
    spv_result_t result = spvValidateWithOptions(context, t->options, &binary, &d);
    t->validation_cpu += thread_cpu_seconds() - start;
    if (result != SPV_SUCCESS) {
        refuse(d, e);
        return err_prefix(e, "spirv-val (%s)", rules_env[env].name);
    }
    spvDiagnosticDestroy(d);
    return true;
}
