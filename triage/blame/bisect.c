// SPDX-License-Identifier: Apache-2.0
//
// Bisection over a list of passes. What always holds between two steps: the list that
// is kept shows the class.
#include "bisect.h"

#include <stdlib.h>
#include <string.h>

struct list {
    const char **v;
    size_t n, cap;
};

enum { MOST = 1 << 17 }; // passes of one pipeline

struct search {
    struct arena *a; // texts
    struct arena tries;
    struct spv_tools *tools;
    const struct prediction *p;
    const char *self;
    const struct run_options *o;
    enum judge_class klass;
    uint32_t runs;
    char tail[160]; // with a limit: which of LLVM's passes was the last
    // The target: before, passes with `gap` between them, after.
    const char *before, *gap, *after;
    const char *none; // the text of no pass; NULL: the module as it is
};

// ---- the target's text ---------------------------------------------------------------

// "-O,--ccp" -> single passes.
static void add_passes(struct arena *a, const char *text, size_t n, const char *gaps,
                       struct list *out)
{
    for (const char *end = text + n; text < end;) {
        size_t len = strcspn(text, gaps);
        len = len < (size_t)(end - text) ? len : (size_t)(end - text);
        const char *flag = arena_strn(a, text, len);
        uint32_t spelled = 0;
        const char *const *recipe = spv_optimizer_recipe(flag, &spelled);
        for (uint32_t k = 0; k < spelled; k++)
            *VEC_PUSH(a, out) = recipe[k];
        if (!recipe && len)
            *VEC_PUSH(a, out) = flag;
        text += len + 1;
    }
}

// exec-compiler:[PATH/]spirv-opt[...] PASS... REST: words that begin with '-' up to the first that
// does not.
static bool read_command(struct search *s, const char *target, struct list *out)
{
    const char *program = target + strlen("exec-compiler:");
    const char *end = program + strcspn(program, " "), *name = end;
    while (name > program && name[-1] != '/')
        name--;
    if (strncmp(name, "spirv-opt", 9) != 0)
        return false;
    const char *at = end;
    for (;;) {
        const char *word = at + strspn(at, " ");
        size_t n = strcspn(word, " ");
        if (word[0] != '-' || (n == 2 && word[1] == 'o'))
            break;
        add_passes(s->a, word, n, " ", out);
        at = word + n;
    }
    s->before = arena_printf(s->a, "%.*s ", (int)(end - target), target);
    s->gap = " ";
    s->after = at;
    return true;
}

static const char *llvm_head(const char *target)
{
    return strncmp(target, "check:", 6) == 0 ? "check:llvm:" : "llvm:";
}

// llvm:[...,]passes=A,B(c,d),E[,level=2 ...]: the parts of the pipeline.
static bool read_llvm(struct search *s, const char *target, struct list *out)
{
    const char *from = strstr(target, "passes="), *end = target + strcspn(target, " ");
    if (!from || from > end) { // the default
        s->before = arena_printf(s->a, "%spasses=", llvm_head(target));
        s->after = strstr(target, "llvm") + strlen("llvm");
        s->after = *s->after == ':' ? arena_printf(s->a, ",%s", s->after + 1) : s->after;
        *VEC_PUSH(s->a, out) = "default<O3>";
    } else {
        from += strlen("passes=");
        s->before = arena_strn(s->a, target, (size_t)(from - target));
        const char *at = from, *part = from;
        for (int depth = 0;; at++) {
            depth += (*at == '(' || *at == '<') - (*at == ')' || *at == '>');
            if (at < end && (depth || *at != ','))
                continue;
            const char *word = arena_strn(s->a, part, (size_t)(at - part));
            const char *mark = strpbrk(word, "=<(");
            if (mark && *mark == '=') // an option: the pipeline has ended
                break;
            if (word[0] && strcmp(word, "none") != 0)
                *VEC_PUSH(s->a, out) = word;
            part = at + 1;
            if (at == end)
                break;
        }
        s->after = part > end ? end : part - 1;
    }
    s->gap = ",";
    s->none = "none";
    return true;
}

static bool read_target(struct search *s, const char *target, struct list *out)
{
    static const char word[] = "spirv-opt";
    size_t n = sizeof word - 1;
    if (strncmp(target, "exec-compiler:", 14) == 0)
        return read_command(s, target, out);
    const char *inner = strncmp(target, "check:", 6) == 0 ? target + 6 : target;
    if (strncmp(inner, "llvm", 4) == 0 && (!inner[4] || inner[4] == ':' || inner[4] == ' '))
        return read_llvm(s, target, out);
    if (strncmp(target, word, n) != 0 || (target[n] && target[n] != ':' && target[n] != ' '))
        return false;
    const char *list = target + n + (target[n] == ':');
    size_t len = strcspn(list, " ");
    s->before = "spirv-opt:";
    s->gap = ",";
    s->after = list + len;
    add_passes(s->a, len ? list : "-O", len ? len : 2, ",", out);
    return true;
}

static const char *target_of(const struct search *s, const struct list *passes)
{
    struct text t = {.arena = s->a};
    if (!passes->n && s->none)
        return arena_printf(s->a, "%s%s%s", s->before, s->none, s->after);
    // No pass at all: the module as it is.
    if (!passes->n) {
        const char *bar = strstr(s->after, " | ");
        return arena_printf(s->a, "exec-compiler:cp {in} {out}%s", bar ? bar : "");
    }
    text_add(&t, "%s", s->before);
    for (size_t i = 0; i < passes->n; i++)
        text_add(&t, "%s%s", i ? s->gap : "", passes->v[i]);
    text_add(&t, "%s", s->after);
    return t.v;
}

// ---- one try ----------------------------------------------------------------------------

static bool class_of(struct search *s, const char *target, enum judge_class *klass, struct err *e)
{
    s->tail[0] = 0;
    struct run_target *t = run_open(target, s->self, s->o, e);
    if (!t)
        return false;
    struct run_result r;
    struct judged judged;
    struct shown_policy policy = {.choices = s->p->policy};
    run_case(t, &s->tries, s->p->c, s->p->subgroup, &r);
    if (r.driver_text)
        snprintf(s->tail, sizeof s->tail, "%s", r.driver_text);
    judge_result(&s->tries, s->tools, s->p, &r, &policy, &judged);
    run_close(t);
    arena_reset(&s->tries);
    s->runs++;
    *klass = judged.verdict.klass;
    return true;
}

// Whether the list shows the class that is looked for. A list that cannot be asked shows none.
static bool shows(struct search *s, const struct list *passes)
{
    enum judge_class klass;
    return class_of(s, target_of(s, passes), &klass, NULL) && klass == s->klass;
}

static bool shows_first(struct search *s, const struct list *all, size_t n)
{
    return shows(s, &(struct list){.v = all->v, .n = n});
}

// ---- the search -------------------------------------------------------------------------

// The list up to a pass that shows the class while the list before it does not.
static void cut_end(struct search *s, struct list *l)
{
    size_t good = 0, bad = l->n;
    while (bad - good > 1) {
        size_t middle = good + (bad - good) / 2;
        if (shows_first(s, l, middle))
            bad = middle;
        else
            good = middle;
    }
    l->n = bad;
}

// Leaves out passes before the last, many at once and then single ones, as long as the class stays.
static bool leave_out(struct search *s, struct list *l)
{
    bool less = false;
    for (size_t step = l->n > 1 ? (l->n - 1 + 1) / 2 : 0; step; step /= 2) {
        for (size_t at = 0; at + 1 < l->n;) {
            size_t n = at + step < l->n - 1 ? step : l->n - 1 - at;
            struct list shorter = {0};
            for (size_t i = 0; i < l->n; i++)
                if (i < at || i >= at + n)
                    *VEC_PUSH(s->a, &shorter) = l->v[i];
            if (shows(s, &shorter)) {
                *l = shorter;
                less = true;
            } else {
                at += n;
            }
        }
    }
    return less;
}

static const char *limited(struct search *s, const char *target, uint32_t n)
{
    static const char clang[] = "clang-hlsl";
    if (strncmp(target, clang, sizeof clang - 1) == 0)
        return arena_printf(s->a, "%s%s,limit=%u", target, target[sizeof clang - 1] ? "" : ":", n);
    const char *head = llvm_head(target);
    return arena_printf(s->a, "%slimit=%u,%s", head, n, target + strlen(head));
}

static uint32_t limit_of(const char *target)
{
    return (uint32_t)strtoul(strstr(target, "limit=") + strlen("limit="), NULL, 10);
}

// A target of LLVM's with a limit of N as one of N - 1.
static const char *one_less(struct search *s, const char *target)
{
    const char *head = llvm_head(target), *rest = strchr(target + strlen(head), ',');
    return arena_printf(s->a, "%slimit=%u%s", head, limit_of(target) - 1, rest ? rest : "");
}

// One word of LLVM's that stands for many passes ("default<O3>", or clang as a whole): how many of
// them may run before the class is there. The target with that limit; NULL where a limit shows
// nothing.
static const char *within(struct search *s, const char *one, char *pass, size_t size)
{
    const char *found = NULL;
    enum judge_class klass;
    uint32_t good = 0, bad = 1;
    while (bad <= MOST) {
        const char *target = limited(s, one, bad);
        if (class_of(s, target, &klass, NULL) && klass == s->klass)
            break;
        if (!s->tail[0]) // there are no more
            return NULL;
        good = bad;
        bad *= 2;
    }
    while (bad <= MOST && bad - good > 1) {
        uint32_t middle = good + (bad - good) / 2;
        const char *target = limited(s, one, middle);
        if (class_of(s, target, &klass, NULL) && klass == s->klass)
            bad = middle;
        else
            good = middle;
    }
    found = limited(s, one, bad);
    if (bad > MOST || !class_of(s, found, &klass, NULL) || klass != s->klass || !s->tail[0])
        return NULL;
    snprintf(pass, size, "%s", s->tail);
    return found;
}

// clang has no list of passes, but a limit.
static bool bisect_clang(struct search *s, const char *target, struct bisect *out, struct err *e)
{
    char pass[160];
    enum judge_class klass;
    if (!class_of(s, target, &s->klass, e))
        return false;
    out->klass = s->klass;
    if (!judge_class_is_finding(s->klass))
        return err_set(e, "nothing to look for: '%s' gives '%s'", target,
                       judge_class_name(s->klass));
    if (class_of(s, limited(s, target, 0), &klass, NULL) && klass == s->klass)
        return err_set(e, "it is '%s' without any pass", judge_class_name(s->klass));
    out->target = within(s, target, pass, sizeof pass);
    if (!out->target)
        return err_set(e, "no limit of passes shows it");
    out->pass = arena_str(s->a, pass);
    out->passes = limit_of(out->target);
    return class_of(s, limited(s, target, out->passes - 1), &out->before, e);
}

bool bisect_passes(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                   const char *target, const char *self, const struct run_options *o,
                   struct bisect *out, struct err *e)
{
    struct search s = {.a = a, .tools = tools, .p = p, .self = self, .o = o};
    struct list l = {0};
    bool ok = true;
    *out = (struct bisect){0};
    if (strncmp(target, "clang-hlsl", 10) == 0 && !strchr(target, ' ')) {
        bool found = bisect_clang(&s, target, out, e);
        out->runs = s.runs;
        arena_free(&s.tries);
        return found;
    }
    target = run_pinned(a, target, p->c);
    if (!read_target(&s, target, &l))
        ok = err_set(e,
                     "'%s' has no list of passes: spirv-opt:..., llvm:..., clang-hlsl:..., or "
                     "exec-compiler:spirv-opt ...",
                     target);
    ok = ok && class_of(&s, target, &s.klass, e);
    if (ok && !judge_class_is_finding(s.klass))
        ok = err_set(e, "nothing to look for: '%s' gives '%s'", target, judge_class_name(s.klass));
    out->klass = s.klass;
    if (ok && shows_first(&s, &l, 0))
        ok = err_set(e, "it is '%s' without any pass", judge_class_name(s.klass));
    if (ok && !shows(&s, &l))
        ok = err_set(e, "the passes one by one do not show it: this version's list is another");
    if (ok) {
        // Leaving out may make an earlier pass the culprit: again until nothing changes.
        do
            cut_end(&s, &l);
        while (leave_out(&s, &l));
        out->target = target_of(&s, &l);
        out->pass = l.v[l.n - 1];
        out->passes = (uint32_t)l.n;
        char pass[160];
        const char *inside =
            s.none && strchr(out->pass, '<') ? within(&s, out->target, pass, sizeof pass) : NULL;
        l.n--;
        const char *before = inside ? one_less(&s, inside) : target_of(&s, &l);
        if (inside) {
            out->target = inside;
            out->pass = arena_printf(a, "%s, of %s", pass, out->pass);
        }
        ok = class_of(&s, before, &out->before, e);
    }
    out->runs = s.runs;
    arena_free(&s.tries);
    return ok;
}
