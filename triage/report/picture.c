// SPDX-License-Identifier: Apache-2.0
//
// A run as a picture: one column per lane, one row per step, a colour per tangle. Input: steps in
// the order of execution. Output: a self-contained SVG, or a table for a terminal. A set of lanes
// has the same colour everywhere in a picture.
#include "html.h"

#include <string.h>

// ---- for both outputs -------------------------------------------------------------

// Returns the text of the rule by which the tangle is at this step.
static const char *because(const struct report_step *s)
{
    static const struct {
        const char *rule, *alone, *joined;
    } rows[] = {
        {"I1", "starts converged", "starts converged"},
        {"D1", "this side of the branch", "this side of the branch"},
        {"D2", "this case of the switch", "this case of the switch"},
        {"M2", "this case, by fallthrough", "joins this case by fallthrough"},
        {"M1", "merge block of the selection", "the parts join at the merge block"},
        {"M3", "after the loop", "all that entered the loop join after it"},
        {"M4", "continue target", "the parts join at the continue target"},
        {"M5", "back from the call", "the parts join after the call"},
        {"loop", "next iteration", "next iteration"},
        {"call", "called", "called"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strcmp(rows[k].rule, s->rule) == 0)
            return s->joined ? rows[k].joined : rows[k].alone;
    return "";
}

// Whether step k belongs to another subgroup than the step before it.
static bool new_section(const struct report_picture *p, size_t k)
{
    return k == 0 || p->steps[k].workgroup != p->steps[k - 1].workgroup ||
           p->steps[k].subgroup != p->steps[k - 1].subgroup;
}

// The note to the right of a step's lanes.
static const char *note_of(const struct report_step *s, struct arena *a)
{
    return s->folded ? arena_printf(a, "%u more iterations by the same lanes", s->folded)
           : s->left_out
               ? arena_printf(a, "%u step%s left out", s->left_out, s->left_out == 1 ? "" : "s")
               : because(s);
}

// The line of the source; NULL if it is unknown or the same as in the row above.
static const char *source_of(const struct report_picture *p, size_t k, struct arena *a)
{
    const struct report_step *s = &p->steps[k];
    if (!s->line || s->folded || s->left_out ||
        (!new_section(p, k) && p->steps[k - 1].line == s->line))
        return NULL;
    return arena_printf(a, "%u: %.70s", s->line, s->text ? text_printable(a, s->text) : "");
}

// The source line for the left column of a picture by source; NULL if the row above has it.
enum { SOURCE_LETTERS = 62 };
static const char *left_of(const struct report_picture *p, size_t k, struct arena *a)
{
    const char *line = source_of(p, k, a);
    return line ? arena_printf(a, "%.*s%s", SOURCE_LETTERS, line,
                               strlen(line) > SOURCE_LETTERS ? "..." : "")
                : NULL;
}

// "Ballot" of "%vote Ballot"
static const char *operation_of(const struct report_step *s)
{
    const char *blank = strchr(s->name, ' ');
    return blank ? blank + 1 : s->name;
}

// The value of one lane, short; "?" if it is undefined.
static void lane_value(const struct report_step *s, unsigned lane, char *out, size_t size)
{
    if (!lane_in(s->defined, lane))
        snprintf(out, size, "?");
    else if (s->is_float) {
        float f;
        const uint32_t bits = (uint32_t)s->values[lane];
        memcpy(&f, &bits, sizeof f);
        snprintf(out, size, "%.6g", (double)f);
    } else
        snprintf(out, size, s->values[lane] < 10 ? "%llu" : "0x%llx",
                 (unsigned long long)s->values[lane]);
}

// Whether all active lanes have the same defined value.
static bool uniform(const struct report_step *s)
{
    if (!s->active || (s->defined & s->active) != s->active)
        return false;
    LANES_EACH (l, s->active)
        if (s->values[l] != s->values[lane_first(s->active)])
            return false;
    return true;
}

// The sets of lanes in the order of their first appearance. Successive sets have hues that differ
// by the golden angle, so that neighbours are easy to distinguish.
struct hues {
    lane_mask *of; // [n]
    uint32_t n;
};
enum { HUES_MAX = 512 }; // further sets share a hue

static struct hues hues_new(const struct report_picture *p, struct arena *a)
{
    struct hues h = {ARENA_ARRAY(a, lane_mask, HUES_MAX), 0};
    for (size_t k = 0; k < p->count && h.n < HUES_MAX; k++) {
        uint32_t at = 0;
        while (at < h.n && h.of[at] != p->steps[k].active)
            at++;
        if (at == h.n)
            h.of[h.n++] = p->steps[k].active;
    }
    return h;
}

static unsigned colour_of(const struct hues *h, lane_mask m)
{
    uint32_t at = 0;
    while (at < h->n && h->of[at] != m)
        at++;
    return (225 + at * 222) % 360; // 360 less the golden angle of 137.5
}

// ---- SVG ------------------------------------------------------------------------

enum {
    LEGEND = 4 * 24,
    ROW = 24,
    TOP = 64,
    SECTION = 46,
    LETTER = 8,
    EDGE = 12,
    GAP = 14,
    CHIP = 46
};

struct canvas {
    struct text *t;
    struct hues hues;
    const struct report_picture *p;
    unsigned cell;   // width of a lane
    unsigned gutter; // where lanes start, to the right of the longest name
    unsigned source; // where lines of the source start; 0: the module has none
};

// Returns "#rrggbb" of hue, saturation and lightness (0 .. 360, 0 .. 100, 0 .. 100), as CSS defines
// hsl(), which some readers of SVG do not support.
static const char *rgb(unsigned hue, unsigned saturation, unsigned lightness, char out[8])
{
    double s = saturation / 100.0, l = lightness / 100.0, a = s * (l < 1 - l ? l : 1 - l);
    unsigned v[3];
    for (unsigned k = 0; k < 3; k++) {
        double x = (k == 0 ? 0 : k == 1 ? 8 : 4) + hue / 30.0;
        x -= x >= 12 ? 12 : 0;
        double d = x - 3 < 9 - x ? x - 3 : 9 - x;
        d = d > 1 ? 1 : d < -1 ? -1 : d;
        v[k] = (unsigned)(255 * (l - a * d) + 0.5);
    }
    snprintf(out, 8, "#%02x%02x%02x", v[0] & 0xff, v[1] & 0xff, v[2] & 0xff);
    return out;
}

// A line of text, whose baseline is 16 below the top `y` of its row.
static void draw_text(const struct canvas *c, const char *kind, unsigned x, unsigned y,
                      const char *text)
{
    text_add(c->t, "<text class=\"%s\" x=\"%u\" y=\"%u\">", kind, x, y + 16);
    text_xml(c->t, text);
    text_add(c->t, "</text>\n");
}

static unsigned middle_of(const struct canvas *c, unsigned lane)
{
    return c->gutter + lane * c->cell + c->cell / 2;
}

static unsigned indent_of(const struct report_step *s)
{
    return EDGE + (s->depth < 10 ? s->depth : 10) * 8 + (s->is_op ? 10 : 0);
}

static void draw_section(const struct canvas *c, const struct report_step *s, unsigned y)
{
    struct arena *a = c->t->arena;
    draw_text(c, "section", EDGE, y + 2,
              arena_printf(a, "workgroup %u, subgroup %u", s->workgroup, s->subgroup));
    unsigned every = c->cell >= 18 ? 1 : 4;
    for (unsigned l = 0; l < c->p->lanes; l += every)
        draw_text(c, "lane", middle_of(c, l), y + 20, arena_printf(a, "%u", l));
    for (unsigned q = 0; s->quads && q + SPV_QUAD <= c->p->lanes; q += SPV_QUAD)
        text_add(c->t, "<path class=\"quad\" d=\"M%u %uv3h%uv-3\"><title>a quad</title></path>\n",
                 c->gutter + q * c->cell + 3, y + 40, SPV_QUAD * c->cell - 6);
}

// Draws adjacent lanes of a tangle as one bar and each waiting lane as a dot. A row has one path
// for its dots and one group for its bars, as a page holds many pictures.
static void draw_bars(const struct canvas *c, const struct report_step *s, unsigned y)
{
    unsigned hue = colour_of(&c->hues, s->active);
    char fill[8], edge[8], stroke[24] = "";
    rgb(hue, 62, s->is_op ? 93 : 72, fill);
    if (s->is_op)
        snprintf(stroke, sizeof stroke, " stroke=\"%s\"", rgb(hue, 50, 60, edge));
    lane_mask waits = s->live & ~s->active & lanes_below(c->p->lanes);
    if (waits) {
        text_add(c->t, "<path class=\"off\" d=\"");
        LANES_EACH (l, waits)
            text_add(c->t, "M%u %uh0", middle_of(c, l), y + ROW / 2);
        text_add(c->t, "\"/>\n");
    }
    text_add(c->t, "<g class=\"%s\" style=\"--h:%u\" fill=\"%s\"%s>", s->is_op ? "op" : "bar", hue,
             fill, stroke);
    for (unsigned l = 0; l < c->p->lanes; l++) {
        unsigned first = l;
        if (!lane_in(s->active, l))
            continue;
        const bool helper = lane_in(s->helper, l);
        while (l + 1 < c->p->lanes && lane_in(s->active, l + 1) &&
               lane_in(s->helper, l + 1) == helper &&
               !(s->quads && l % SPV_QUAD == SPV_QUAD - 1)) // a bar ends with its quad
            l++;
        text_add(c->t, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%d\" rx=\"5\"%s/>",
                 c->gutter + first * c->cell + 1, y + 2, (l - first + 1) * c->cell - 2, ROW - 4,
                 helper ? " fill-opacity=\"0.25\" stroke=\"#777\" stroke-dasharray=\"2 2\"" : "");
    }
    text_add(c->t, "</g>\n");
}

// Draws a cross over each lane with a wrong observed value.
static void draw_wrong(const struct canvas *c, const struct report_step *s, unsigned y)
{
    enum { HALF = 5 };
    if (!(s->wrong & lanes_below(c->p->lanes)))
        return;
    text_add(c->t, "<path class=\"wrong\" d=\"");
    LANES_EACH (l, s->wrong & lanes_below(c->p->lanes)) {
        text_add(c->t, "M%u %ul10 10m0 -10l-10 10", middle_of(c, l) - HALF, y + ROW / 2 - HALF);
    }
    text_add(c->t, "\"><title>something else was observed</title></path>\n");
}

// The values of an operation: one for all lanes, or one in each lane; where these do not fit, as
// the title of an invisible box over the bars.
static void draw_values(const struct canvas *c, const struct report_step *s, unsigned note,
                        unsigned y)
{
    struct text *t = c->t;
    char value[32];
    bool fits = true;
    if (uniform(s)) {
        lane_value(s, lane_first(s->active), value, sizeof value);
        draw_text(c, "value", note, y, arena_printf(t->arena, "= %s for all of it", value));
        return;
    }
    LANES_EACH (l, s->active) {
        lane_value(s, l, value, sizeof value);
        fits &= strlen(value) * 7 <= c->cell + 2;
    }
    draw_text(c, "value", note, y, fits ? "by lane" : "by lane (point at a bar)");
    if (!fits)
        text_add(t,
                 "<rect class=\"hit\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%d\"><title>lane: "
                 "value",
                 c->gutter, y, c->p->lanes * c->cell, ROW);
    LANES_EACH (l, s->active) {
        lane_value(s, l, value, sizeof value);
        if (fits)
            draw_text(c, "cell", middle_of(c, l), y, value);
        else
            text_add(t, "\n%u: %s", l, value);
    }
    if (!fits)
        text_add(t, "</title></rect>\n");
}

// The left column: the source line, once, with the step's name where a reader points at it.
static void draw_source(const struct canvas *c, const struct report_step *s, const char *line,
                        unsigned y)
{
    struct text *t = c->t;
    text_add(t, "<g><title>");
    text_xml(t, s->name);
    text_add(t, "</title>");
    draw_text(c, s->focus ? "name focus" : "name", indent_of(s), y,
              line       ? line
              : s->is_op ? operation_of(s)
              : s->line  ? ""
                         : s->name);
    text_add(t, "</g>\n");
}

static void draw_step(const struct canvas *c, const struct report_step *s, const char *line,
                      unsigned y)
{
    const unsigned note = c->gutter + c->p->lanes * c->cell + GAP;
    if (s->focus)
        text_add(c->t,
                 "<rect class=\"marked\" x=\"0\" y=\"%u\" width=\"100%%\" height=\"%d\" "
                 "fill=\"#fd0\" fill-opacity=\"0.22\"/>\n",
                 y, ROW);
    if (s->folded || s->left_out) {
        draw_text(c, "note", c->gutter, y, note_of(s, c->t->arena));
        return;
    }
    draw_bars(c, s, y);
    draw_wrong(c, s, y);
    if (c->p->by_source)
        draw_source(c, s, line, y);
    else
        draw_text(c, s->is_op ? "name opname" : "name", indent_of(s), y, s->name);
    if (s->is_op && s->shown) {
        draw_text(c, "value", note, y, s->shown);
    } else if (s->is_op) {
        draw_values(c, s, note, y);
    } else if (s->rule[0]) {
        text_add(c->t,
                 "<rect class=\"chip%s\" x=\"%u\" y=\"%u\" width=\"38\" height=\"16\" rx=\"8\"/>\n",
                 s->joined ? " join" : "", note, y + 4);
        draw_text(c, "rule", note + 19, y, s->rule);
        draw_text(c, "note", note + CHIP, y, because(s));
    }
}

// What bars, dots, colours and the rules to their right mean.
static void draw_legend(const struct canvas *c, unsigned y)
{
    static const char *const lines[] = {
        "bar: these lanes are together; the same colour: the same lanes; light with an edge: a "
        "group operation, and its result",
        "dot: a lane that waits, or is elsewhere; empty: it has ended; yellow: the line asked "
        "about; point at a line: its id",
        "I1 start, D1 branch, D2 switch: where lanes part; M1 after a branch, M2 case, M3 after a "
        "loop, M4 next round, M5 return: where they join",
    };
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        draw_text(c, "note", EDGE, y + 8 + (unsigned)k * (ROW - 4), lines[k]);
}

static unsigned widest(unsigned have, unsigned more)
{
    return more > have ? more : have;
}

void report_picture_svg(const struct report_picture *p, struct text *out)
{
    struct canvas c = {.t = out,
                       .p = p,
                       .hues = hues_new(p, out->arena),
                       .cell = p->lanes <= 8    ? 46
                               : p->lanes <= 16 ? 32
                               : p->lanes <= 32 ? 18
                                                : 13};
    unsigned source = 0, height = TOP + 20, title = (unsigned)strlen(p->title) * 10;
    unsigned note = p->lanes <= 32 ? 200 : 260,
             all = widest(title, (unsigned)strlen(p->subtitle) * 7);
    all = widest(all, p->by_source ? 860 : 0);
    c.gutter = 96;
    for (size_t k = 0; k < p->count; k++) {
        const struct report_step *s = &p->steps[k];
        height += ROW + (new_section(p, k) ? SECTION : 0u);
        const char *left = p->by_source ? left_of(p, k, out->arena) : s->name;
        left = left ? left : operation_of(s);
        c.gutter = widest(c.gutter, indent_of(s) + (unsigned)strlen(left) * LETTER + GAP);
        note = widest(note, CHIP + (unsigned)strlen(s->shown ? s->shown : because(s)) * LETTER);
        const char *line = p->by_source ? NULL : source_of(p, k, out->arena);
        source = widest(source, line ? (unsigned)strlen(line) * LETTER + GAP : 0);
    }
    const unsigned limit = p->by_source ? 560 : 400;
    c.gutter = c.gutter < limit ? c.gutter : limit;
    height += p->by_source ? LEGEND : 0;
    c.source = c.gutter + p->lanes * c.cell + GAP + note;
    unsigned width = widest(c.source + source, all + 2 * EDGE);
    text_add(out,
             "<svg class=\"tangles\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" "
             "width=\"%u\" height=\"%u\" font-family=\"system-ui, sans-serif\" "
             "font-size=\"12\">\n<style>\n%s</style>\n"
             "<rect class=\"paper\" x=\"0\" y=\"0\" width=\"100%%\" height=\"100%%\"/>\n",
             width, height, width, height, picture_css);
    draw_text(&c, "title", EDGE, 12, p->title);
    draw_text(&c, "note", EDGE, 32, p->subtitle);
    unsigned y = TOP;
    for (size_t k = 0; k < p->count; k++) {
        if (new_section(p, k)) {
            draw_section(&c, &p->steps[k], y);
            y += SECTION;
        }
        const char *line = p->by_source ? left_of(p, k, out->arena) : source_of(p, k, out->arena);
        draw_step(&c, &p->steps[k], line, y);
        if (line && !p->by_source)
            draw_text(&c, "value source", c.source, y, line);
        y += ROW;
    }
    if (p->by_source)
        draw_legend(&c, y);
    text_add(out, "</svg>\n");
}

// ---- terminal -------------------------------------------------------------------

#define PLAIN "\033[0m"
enum { SOURCE_AT = 70 }; // column of the source, without the lanes

void report_picture_text(const struct report_picture *p, bool colour, struct text *out)
{
    struct hues hues = hues_new(p, out->arena);
    for (size_t k = 0; k < p->count; k++) {
        const struct report_step *s = &p->steps[k];
        if (new_section(p, k)) {
            text_add(out, "%sworkgroup %u, subgroup %u\n%26s", k ? "\n" : "", s->workgroup,
                     s->subgroup, "");
            for (unsigned l = 0; l < p->lanes; l++)
                text_add(out, "%c", l % 8 == 0 ? '|' : '.');
            text_add(out, "\n");
        }
        char name[64];
        snprintf(name, sizeof name, "%*s%s",
                 (int)(s->depth < 8 ? s->depth : 8) + (s->is_op ? 2 : 0), "",
                 text_printable(out->arena, s->name));
        const size_t row = out->n;
        if (s->folded || s->left_out) {
            text_add(out, "%26s%s\n", "", note_of(s, out->arena));
            continue;
        }
        text_add(out, "%-25.25s ", name);
        const size_t before = out->n;
        if (colour)
            text_add(out, "\033[38;5;%um", 17 + colour_of(&hues, s->active) % 214);
        const size_t hidden = out->n - before + (colour ? strlen(PLAIN) : 0);
        for (unsigned l = 0; l < p->lanes; l++)
            text_add(out, "%s",
                     lane_in(s->wrong, l)                ? "x"
                     : lane_in(s->active & s->helper, l) ? (s->is_op ? "h" : "H")
                     : lane_in(s->active, l)             ? (s->is_op ? "o" : "#")
                     : lane_in(s->live, l)               ? "."
                                                         : " ");
        text_add(out, "%s  ", colour ? PLAIN : "");
        if (!s->is_op) {
            text_add(out, "%-4s %s", s->rule, because(s));
        } else if (s->shown) {
            text_add(out, "%s", s->shown);
        } else if (uniform(s)) {
            char value[32];
            lane_value(s, lane_first(s->active), value, sizeof value);
            text_add(out, "= %s", value);
        } else {
            LANES_EACH (l, s->active) {
                char value[32];
                lane_value(s, l, value, sizeof value);
                text_add(out, "%s%s", l == lane_first(s->active) ? "= " : " ", value);
            }
        }
        while (out->n && out->v[out->n - 1] == ' ')
            out->v[--out->n] = 0;
        const char *source = source_of(p, k, out->arena);
        const size_t at = out->n - row, want = SOURCE_AT + p->lanes + hidden;
        if (source)
            text_add(out, "%*s%s", at + 2 < want ? (int)(want - at) : 2, "", source);
        text_add(out, "\n");
    }
}
