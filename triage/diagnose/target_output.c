// SPDX-License-Identifier: Apache-2.0
//
// Names of targets and their messages, without what varies between runs.
#include "construct.h"

#include <ctype.h>
#include <string.h>

// ---- names -----------------------------------------------------------------------

static bool starts_path(const char *s, const char *at)
{
    if (*at != '/' || !at[1] || strchr(" \t/'\"=,:)", at[1]))
        return false;
    return at == s || strchr(" \t='\"(,:[<", at[-1]);
}

const char *diag_without_paths(struct arena *a, const char *s)
{
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    for (const char *p = s; *p;) {
        if (!starts_path(s, p)) {
            text_addn(&t, p++, 1);
            continue;
        }
        size_t n = strcspn(p, " \t\n,'\")]>:;");
        const char *end = p + n, *base = p;
        for (const char *q = p; q < end; q++)
            if (*q == '/' && q + 1 < end)
                base = q + 1;
        text_addn(&t, base, (size_t)(end - base));
        p = end;
    }
    return t.v;
}

// Writes the single pass of a target's first stage: "spirv-opt:--loop-unswitch".
void signature_pass(const char *target, char *out, size_t size)
{
    struct arena a = {0};
    const struct run_stage *s = run_spec_parse(&a, target, NULL);
    const bool one = s && s->kind && s->kind->passes == RUN_PASSES_WORDS && s->count == 1;
    const char *word = one ? s->option[0].value : "";
    snprintf(out, size, "%s", strncmp(word, "--", 2) == 0 ? word : "");
    arena_free(&a);
}

// ---- messages --------------------------------------------------------------------

static bool is_id_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

const char *diag_normal_message(struct arena *a, const char *message)
{
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    char before = ' ';
    for (const char *s = diag_without_paths(a, message); *s;) {
        size_t n = 0;
        if (isspace((unsigned char)*s)) { // white space: one blank
            if (t.n && before != ' ')
                text_addn(&t, " ", 1);
            before = ' ';
            s++;
            continue;
        }
        bool quoted = *s == '\'' || *s == '"';
        const char *end = quoted ? strchr(s + 1, *s) : NULL;
        if (end && end - s < 80) { // a quoted name with digits, an id with its name: any name
            bool varies = false;
            for (const char *p = s + 1; p < end; p++)
                varies |= isdigit((unsigned char)*p) || *p == '%' || *p == '[';
            if (varies) {
                text_add(&t, "'_'");
                s = end + 1;
                before = '\'';
                continue;
            }
        }
        if (*s == '%') { // an id
            text_add(&t, "%%_");
            for (s++; is_id_char(*s); s++)
                ;
            before = '_';
            continue;
        }
        if (isdigit((unsigned char)*s) && !is_id_char(before)) { // a number, an address
            n = s[0] == '0' && (s[1] == 'x' || s[1] == 'X') ? 2 : 0;
            while (isxdigit((unsigned char)s[n]))
                n++;
            text_add(&t, "#");
            s += n;
            before = '#';
            continue;
        }
        before = *s;
        text_addn(&t, s++, 1);
    }
    // The instruction that the validator quotes at the end belongs to the case.
    char *quoted = strstr(t.v, " %_ = Op");
    t.n = quoted ? (size_t)(quoted - t.v) : t.n;
    while (t.n && t.v[t.n - 1] == ' ')
        t.n--;
    t.v[t.n] = 0;
    return t.v;
}

// Frames of a backtrace that are not informative: those between the fault and the handler.
static bool dull_frame(const char *s, size_t n)
{
    static const char *const dull[] = {"abort",
                                       "raise",
                                       "__assert",
                                       "__GI_",
                                       "gsignal",
                                       "pthread_kill",
                                       "__restore_rt",
                                       "_start",
                                       "__libc_start",
                                       "start_thread",
                                       "main",
                                       "killpg",
                                       "__sanitizer",
                                       "__asan",
                                       "clone",
                                       "__pthread",
                                       "__interceptor",
                                       "std::",
                                       "?",
                                       "operator",
                                       "void std::",
                                       "llvm::report_fatal_error",
                                       "llvm::sys::",
                                       "llvm::llvm_unreachable",
                                       "SignalHandler",
                                       "__libc_message",
                                       "__fortify_fail",
                                       "__stack_chk_fail",
                                       "__chk_fail",
                                       "malloc_printerr"};
    for (size_t i = 0; i < sizeof dull / sizeof *dull; i++)
        if (n >= strlen(dull[i]) && strncmp(s, dull[i], strlen(dull[i])) == 0)
            return true;
    return n == 0;
}

// Our own frames: those below are not the target's.
static bool our_frame(const char *s, size_t n)
{
    static const char *const ours[] = {"spv_optimize", "serve_jobs", "run_worker_main"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (n == strlen(ours[i]) && strncmp(s, ours[i], n) == 0)
            return true;
    return false;
}

// Returns a function's name with its class: "a::b::C::f" -> "C::f".
static const char *short_name(struct arena *a, const char *s, size_t n)
{
    size_t from = 0, before = 0;
    for (size_t i = 0; i + 1 < n; i++)
        if (s[i] == ':' && s[i + 1] == ':') {
            from = before;
            before = i + 2;
        }
    return arena_strn(a, s + from, n - from);
}

// Removes "(anonymous namespace)::", whose parenthesis would end a name.
static const char *named(struct arena *a, const char *text)
{
    static const char mark[] = "(anonymous namespace)::";
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    for (const char *at; (at = strstr(text, mark)); text = at + sizeof mark - 1)
        text_addn(&t, text, (size_t)(at - text));
    text_addn(&t, text, strlen(text));
    return t.v;
}

static bool starts_with_one(const char *s, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strncmp(s, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

// A function of the C library, which many faults end in.
static bool library_frame(const char *s)
{
    static const char *const of_library[] = {"__",     "mem",  "str",     "malloc",
                                             "calloc", "free", "realloc", "_int_"};
    return starts_with_one(s, of_library, sizeof of_library / sizeof *of_library);
}

// Where a frame's name begins in a line "#3 0x1234 in name(args) file:1" or
// "lib.so(name+0x12) [0x1234]"; NULL: it is another line.
static const char *frame_name(const char *s)
{
    const char *in = strstr(s, " in "), *line_end = s + strcspn(s, "\n"), *open = strchr(s, '(');
    if (*s == '#' && isdigit((unsigned char)s[1]))
        return in && in < line_end ? in + 4
                                   : s + strcspn(s, " ") + strspn(s + strcspn(s, " "), " ");
    const char *offset = strstr(s, "+0x");
    return open && open < line_end && offset && offset < line_end ? open + 1 : NULL;
}

// Returns the first three informative frames; "" if the text has none. A frame without a name,
// FILE@0xOFFSET, counts only in a program of which no function is named.
const char *diag_frames(struct arena *a, const char *printed)
{
    enum { MOST = 3 };
    struct text named_ones = {.arena = a}, all = {.arena = a};
    const char *text = named(a, printed);
    unsigned n = 0, n_all = 0, own = 0, places = 0;
    text_addn(&named_ones, "", 0);
    text_addn(&all, "", 0);
    for (const char *s = text; s && *s && n < MOST;
         s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL) {
        s += strspn(s, " \t");
        const char *from = frame_name(s);
        if (!from)
            continue;
        const size_t len = strcspn(from, " (+<\n");
        if (our_frame(from, len))
            break;
        if (dull_frame(from, len)) {
            if (n_all && strncmp(from, "__libc_start", strlen("__libc_start")) == 0)
                break; // what is below starts the program
            continue;
        }
        const char *at = memchr(from, '@', len), *name = short_name(a, from, len);
        const bool place = at && strncmp(at, "@0x", 3) == 0;
        if (n_all < MOST) {
            text_add(&all, "%s%s", n_all++ ? " < " : "", name);
            places += place;
        }
        if (place)
            continue;
        own += !library_frame(name);
        text_add(&named_ones, "%s%s", n++ ? " < " : "", name);
    }
    return places && !own ? all.v : named_ones.v;
}

// LLVM prints the node that it cannot select, with its operands and its address: all of that
// belongs to the case, and is removed.
static const char *without_node(struct arena *a, const char *message)
{
    static const char mark[] = "annot select: ";
    const char *at = strstr(message, mark), *node = at ? at + sizeof mark - 1 : NULL;
    if (!at ||
        (strncmp(node, "0x", 2) != 0 && !(node[0] == 't' && isdigit((unsigned char)node[1]))))
        return message;
    return arena_strn(a, message, (size_t)(at - message) + sizeof mark - 3);
}

// spirv-val prints the instruction after its message and some blanks: it belongs to the case, and
// is removed. The text of the merge repair follows at `repair_at`, 0 for none; it stays.
static const char *without_instruction(struct arena *a, const char *text, size_t repair_at)
{
    const char *gap = strstr(text, "  "), *repair = repair_at ? text + repair_at : NULL;
    if (!gap || (repair && repair < gap))
        return text;
    return arena_printf(a, "%.*s%s", (int)(gap - text), text, repair ? repair : "");
}

void signature_message(struct arena *a, const char *text, size_t repair_at, char *out, size_t size)
{
    const char *f = diag_frames(a, text);
    if (strncmp(text, "spirv-val", 9) == 0)
        text = without_instruction(a, text, repair_at);
    size_t line = strcspn(text, "\n");
    const char *first = diag_normal_message(a, without_node(a, arena_strn(a, text, line)));
    snprintf(out, size, "%s%s%s", f, f[0] ? ": " : "", first);
    for (char *p = out; *p; p++)
        *p = *p == '|' ? '/' : *p; // '|' separates the fields of a signature
}
