// SPDX-License-Identifier: Apache-2.0
//
// Shared by the case_*.c files: the tokens of a line of a case or memory file, errors that name
// path and line, and the state while a case is read.
#ifndef TF_CASE_INNER_H
#define TF_CASE_INNER_H

#include "spirv.h"

enum {
    CASE_FORMAT = 1,
    CASE_FILE_LIMIT = 1 << 30, // bytes of a case file, and of all its buffers
    CASE_SET_LIMIT = 32,
    CASE_BINDING_LIMIT = 65536,
};

struct line {
    struct arena *arena;
    const char *path;
    size_t number;       // from 1
    const char *p, *end; // rest of the line
    struct err *e;
};

struct token {
    const char *s;
    size_t n; // 0: end of the line
};

// Sets the error "path:line: ..."; returns false.
bool line_bad(const struct line *l, const char *fmt, ...) TF_PRINTF(2, 3);
// Returns a token for a message: quoted, printable, shortened; "the end of the line" if it is
// empty.
const char *line_shown(const struct line *l, struct token t);
// Starts the line that begins at `text`; returns where the next one begins.
const char *line_start(struct line *l, const char *text, const char *end);
struct token line_token(struct line *l);
bool token_is(struct token t, const char *s);
// Reads a number low .. high; `what` names it in the message.
bool line_u64(struct line *l, const char *what, uint64_t low, uint64_t high, uint64_t *out);
bool line_u32(struct line *l, const char *what, uint32_t low, uint32_t high, uint32_t *out);
// "SET:BINDING"
bool line_place(struct line *l, uint32_t *set, uint32_t *binding);
// True at the end of the line; otherwise sets the error.
bool line_end(struct line *l);
// Reads all numbers up to the end of the line: at least one, at most `max`.
bool line_words(struct line *l, uint32_t max, uint32_t **words, uint32_t *count, bool *hex);
// Reads "SET:BINDING u32 WORD..." into *out. A WORD may also be ? or VALUE/MASK.
bool line_memory(struct line *l, struct spv_memory *out);

enum key {
    KEY_STAGE,
    KEY_DISPATCH,
    KEY_TARGET,
    KEY_COVER,
    KEY_VERTICES,
    KEY_SUBGROUP,
    KEY_MODEL,
    KEY_PUSH,
    KEY_SPEC,
    KEY_BUFFER,
    KEY_IMAGE,
    KEY_SAMPLER,
    KEY_EXPECT,
    KEY_LOG,
    KEY_LANES,
    KEY_COVERAGE,
    KEY_POLICY,
    KEY_VERDICT,
    KEY_INPUTS,
    KEY_FROM,
    KEYS
};

// A case being read.
struct case_reader {
    struct line l;
    struct spv_case c;
    size_t seen[KEYS];                    // line of each key; 0: absent
    size_t expect_line[SPV_CASE_BUFFERS]; // of c.expect[]
    uint64_t bytes;                       // of all buffers and images so far
};

// case_stage.c: the keys of stages, and the checks between them and the module.
bool read_stage(struct case_reader *r);
bool read_target(struct case_reader *r);
bool read_cover(struct case_reader *r);
bool read_vertices(struct case_reader *r);
bool read_coverage(struct case_reader *r);
bool stage_consistent(struct case_reader *r);
bool coverage_consistent(struct case_reader *r);
bool stage_fits_module(struct case_reader *r);
// Print their lines of a case: those that replace `dispatch`; `coverage`.
void print_stage(const struct spv_case *c, struct text *out);
void print_coverage(const struct spv_case *c, struct text *out);

// Reads the metadata line in r->l, including the semicolon.
bool case_key(struct case_reader *r);
// Parses a value in the syntax of `type` (u32, i32, f32).
bool case_value(struct token t, const char *type, uint32_t *out);
void print_value(struct text *out, const char *type, uint32_t value);
// Counts bytes against the limit, before they are allocated.
bool case_bytes(struct case_reader *r, uint64_t bytes);
// Reads a fill, to the end of the line.
bool case_fill(struct case_reader *r, struct spv_buffer *b);

// case_images.c
bool case_read_image(struct case_reader *r);
bool case_read_sampler(struct case_reader *r);
bool case_images_consistent(struct case_reader *r);
void print_form(struct text *out, const struct spv_image_form *f);
bool image_is_cube(enum spv_image_shape s);
const char *texel_value_type(enum spv_texel t); // of a component, in the syntax of `spec`
void print_images(struct text *out, const struct spv_case *c);

// Print " 7 0xff ..." and " 7 ? 0x1f/0xff ...".
void print_words(struct text *out, const uint32_t *words, uint32_t count, bool hex);
void print_memory(struct text *out, const struct spv_memory *m);

// As spv_assemble, but returns the line of a failure (from 0) in *line, not in the message.
bool tools_assemble(struct spv_tools *t, struct arena *a, const char *text, size_t size,
                    const uint32_t **words, size_t *count, size_t *line, struct err *e);

// Returns the path of `file NAME` of a case at `path` (which may be NULL).
const char *case_path(struct arena *a, const char *path, const char *name);

#endif
