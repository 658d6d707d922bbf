// SPDX-License-Identifier: Apache-2.0
//
// Output of tanglefuzz portable as JSON, and as SARIF for editors and CI.
#include "portable_json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *place(const struct por_place *p)
{
    if (!p->what || !p->what[0])
        return json_null();
    return json_pack("{s:s, s:i, s:s, s:s, s:s}", "file", p->file, "line", (int)p->line, "text",
                     p->text, "name", p->name, "operation", p->what);
}

static json_t *cell(const struct por_answer *w, uint32_t k, uint32_t s)
{
    const struct por_cell *c = &w->cell[k][s];
    json_t *o = json_pack("{s:s, s:i, s:s, s:b}", "model", spv_model_name(por_model(k)), "subgroup",
                          (int)w->size[s], "status", por_status_rows[c->status].word, "tried_only",
                          c->tried != 0);
    if (c->status == POR_PORTABLE)
        return o;
    json_object_set_new(o, "reason",
                        json_pack("{s:s, s:s, s:s, s:o, s:o}", "rule", c->reason.rule, "text",
                                  c->reason.text, "fix", c->reason.fix, "at", place(&c->reason.at),
                                  "from", place(&c->reason.from)));
    return o;
}

static void put(json_t *o, struct text *out)
{
    char *s = json_dumps(o, JSON_INDENT(1));
    CHECK(s);
    text_add(out, "%s\n", s);
    free(s);
    json_decref(o);
}

void portable_json(const struct por_answer *w, const char *path, struct text *out)
{
    json_t *cells = json_array(), *notes = json_array();
    for (uint32_t k = 0; k < POR_MODELS; k++)
        for (uint32_t s = 0; s < w->sizes; s++)
            json_array_append_new(cells, cell(w, k, s));
    for (size_t k = 0; k < w->notes.n; k++)
        json_array_append_new(notes, json_string(w->notes.v[k]));
    put(json_pack("{s:i, s:s, s:s, s:s, s:o, s:o, s:s, s:b, s:i, s:i, s:i}", "version", 1, "shader",
                  path, "verdict", por_status_rows[por_verdict(w)].word, "declares",
                  spv_model_name(por_model(por_declared(w))), "cells", cells, "notes", notes,
                  "invented", w->inputs.text, "inputs_invented", (int)w->inputs.invented, "blocks",
                  (int)w->blocks, "blocks_ran", (int)w->blocks_ran, "blocks_decided",
                  (int)w->blocks_decided),
        out);
}

// ---- SARIF ------------------------------------------------------------------------

// Encodes a path as a URI reference (RFC 3986).
static const char *uri_of(struct arena *a, const char *path)
{
    struct text t = {.arena = a};
    for (const char *p = path; *p; p++)
        if ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') ||
            strchr("/._-+~", *p))
            text_addn(&t, p, 1);
        else
            text_add(&t, "%%%02X", (unsigned)(unsigned char)*p);
    return t.n ? t.v : "";
}

static json_t *location(struct arena *a, const struct por_place *p, const char *path)
{
    const char *file = uri_of(a, p->what && p->file && p->file[0] ? p->file : path);
    json_t *o = json_pack("{s:{s:{s:s}}}", "physicalLocation", "artifactLocation", "uri", file);
    if (o && p->what && p->line)
        json_object_set_new(json_object_get(o, "physicalLocation"), "region",
                            json_pack("{s:i}", "startLine", (int)p->line));
    return o;
}

// ---- fixes ------------------------------------------------------------------------

// The number of the first line that starts with `word`, and of the bytes before the end of it; 0:
// none. GLSL without OpSource's text is not edited.
static uint32_t line_with(const char *source, const char *word, uint32_t *end)
{
    uint32_t line = 1;
    for (const char *p = source; *p; p += strcspn(p, "\n"), p += *p == '\n', line++) {
        *end = (uint32_t)strcspn(p, "\n");
        if (strncmp(p, word, strlen(word)) == 0)
            return line;
    }
    return 0;
}

static json_t *insertion(uint32_t line, uint32_t column, const char *text)
{
    return json_pack("{s:{s:i, s:i, s:i, s:i}, s:{s:s}}", "deletedRegion", "startLine", (int)line,
                     "startColumn", (int)column, "endLine", (int)line, "endColumn", (int)column,
                     "insertedContent", "text", text);
}

// The edit of a GLSL file that declares the model that suffices; NULL: none is known.
static json_t *declaration(struct arena *a, const struct por_reason *why, const char *path)
{
    static const struct {
        const char *extension, *attribute, *what;
    } all[POR_MODELS] = {
        {"", "", ""},
        {"GL_EXT_subgroup_uniform_control_flow", "[[subgroup_uniform_control_flow]]",
         "declare subgroup uniform control flow"},
        {"GL_EXT_maximal_reconvergence", "[[maximally_reconverges]]",
         "declare maximal reconvergence"},
    };
    static const char start[] = "void main()";
    const char *dot = strrchr(path, '.');
    char *source = NULL;
    size_t n = 0;
    struct err e;
    uint32_t end = 0, other;
    if (!why->declare || !dot || (strcmp(dot, ".comp") != 0 && strcmp(dot, ".glsl") != 0) ||
        !file_read(a, path, 1 << 26, &source, &n, &e))
        return NULL;
    const uint32_t version = line_with(source, "#version", &end),
                   entry = line_with(source, start, &other);
    if (!version || !entry)
        return NULL;
    return json_pack(
        "{s:{s:s}, s:[{s:{s:s}, s:[o, o]}]}", "description", "text", all[why->declare].what,
        "artifactChanges", "artifactLocation", "uri", uri_of(a, path), "replacements",
        insertion(version, end + 1,
                  arena_printf(a, "\n#extension %s : require", all[why->declare].extension)),
        insertion(entry, sizeof start, arena_printf(a, " %s", all[why->declare].attribute)));
}

static json_t *result(const struct por_answer *w, uint32_t k, uint32_t s, const char *path)
{
    const struct por_cell *c = &w->cell[k][s];
    struct arena a = {0};
    const bool from = c->reason.from.what && c->reason.from.line;
    const char *text =
        arena_printf(&a, "%s (%s, %s)%s%s", por_sentence(&a, c->reason.text), por_model_line(k),
                     por_sizes(&a, w, k, c), c->reason.fix[0] ? " Fix: " : "", c->reason.fix);
    json_t *o = json_pack("{s:s, s:s, s:{s:s}, s:[o]}", "ruleId", por_status_rows[c->status].word,
                          "level", por_status_rows[c->status].level, "message", "text", text,
                          "locations", location(&a, from ? &c->reason.from : &c->reason.at, path));
    if (o && from && c->reason.at.line && c->reason.at.line != c->reason.from.line)
        json_object_set_new(o, "relatedLocations",
                            json_pack("[o]", location(&a, &c->reason.at, path)));
    json_t *fix = o ? declaration(&a, &c->reason, path) : NULL;
    if (fix)
        json_object_set_new(o, "fixes", json_pack("[o]", fix));
    if (o && por_suppressed(c))
        json_object_set_new(o, "suppressions",
                            json_pack("[{s:s}]", "kind", c->known ? "external" : "inSource"));
    arena_free(&a);
    return o;
}

void portable_sarif(const struct por_answer *w, const char *path, struct text *out)
{
    json_t *rules = json_array(), *results = json_array();
    for (int s = POR_LETTER; s < POR_STATUSES; s++)
        json_array_append_new(rules,
                              json_pack("{s:s, s:{s:s}}", "id", por_status_rows[s].word,
                                        "shortDescription", "text", por_status_rows[s].line));
    const uint32_t k = por_declared(w);
    for (uint32_t s = 0; s < w->sizes; s++) {
        bool first = w->cell[k][s].status != POR_PORTABLE;
        for (uint32_t j = 0; j < s; j++)
            first &= !por_same(&w->cell[k][j], &w->cell[k][s]);
        json_t *r = first ? result(w, k, s, path) : NULL;
        if (r)
            json_array_append_new(results, r);
    }
    put(json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:o}]}", "$schema",
                  "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
                  "tool", "driver", "name", "tanglefuzz portable", "semanticVersion",
                  version_number(), "rules", rules, "results", results),
        out);
}
