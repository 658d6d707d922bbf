// SPDX-License-Identifier: Apache-2.0
//
// A machine of backends/isa/ on a driver's texts: how long it takes, and what it sees of faults planted in
// them.
//
//   bench_isa MACHINE FOLDER    nak, amd32, amd64, ir3, eu16, eu32, nir-turnip, nir-radv, nir-panvk,
//                               nir-v3dv, nir-powervr, qpu, agx; FOLDER of NAME.spvasm, a case each, and
//                               NAME.txt, what the driver made of it
//
// Of each text every line that a kind of fault applies to is changed, at most FAULTS of them; seen
// is what leaves another memory by some schedule, uses a register before its load is waited for, or
// does not come to an end. scripts/isa_faults.sh makes the texts. Not a test.
#define _POSIX_C_SOURCE 200809L // clock_gettime, scandir
#include "agx/agx.h"
#include "amd/amd.h"
#include "eu/eu.h"
#include "ir3/ir3.h"
#include "nak/nak.h"
#include "nir/nir.h"
#include "qpu/qpu.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FAULTS = 3, CASES = 5000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct kind {
    const char *name, *in, *from, *to; // in lines that hold `in`; an empty `from` drops the line
};

static const struct kind nak_kinds[] = {
    {"bsync dropped", " bsync b", "", ""},
    {"bssy dropped", "= bssy b", "", ""},
    {"lane of a shuffle", "shfl.bfly", " 0x1 ", " 0x2 "},
    {"lane of a shuffle, up", "shfl.up", " 0x1 ", " 0x2 "},
    {"guard inverted", "@!p", "@!p", "@p"},
    {"comparison inverted", "isetp.", "isetp.ne", "isetp.eq"},
    {"comparison's end", "isetp.", "isetp.lt", "isetp.le"},
    {"select inverted", "= sel p", "sel p", "sel !p"},
    {"vote of none", "vote.any", "vote.any pT", "vote.any pF"},
    {"ballot of another predicate", "vote.any p0", "p0", "!p0"},
    {"sum by one", "= iadd3 ", " 0x1 ", " 0x2 "},
    {"store dropped", " st.", "", ""},
    {"load of the next word", "ld.global", "], pT", "+0x4], pT"},
    {"workgroup's barrier dropped", "bar.sync", "", ""},
    {"uniform register's source", "= r2ur", "r2ur", "mov rZ //"},
    {0},
};

static const struct kind amd_kinds[] = {
    {"exec restored: dropped", "s_mov_b32 exec_lo, s", "", ""},
    {"exec restored: dropped", "s_mov_b64 exec, s", "", ""},
    {"saveexec made a move", "s_and_saveexec_b", "s_and_saveexec_b", "s_mov_b"},
    {"v_cmpx made a v_cmp", "v_cmpx_", "v_cmpx_", "v_cmp_"},
    {"exec's other half dropped", "s_and_not1_b32 exec_lo,", "", ""},
    {"exec's other half dropped", "s_and_not1_b64 exec,", "", ""},
    {"lanes that left: kept", "s_and_not1_b32 s", "s_and_not1_b32", "s_and_b32"},
    {"lanes that left: kept", "s_and_not1_b64 s", "s_and_not1_b64", "s_and_b64"},
    {"branch where none is on: always", "s_cbranch_execz", "s_cbranch_execz", "s_branch"},
    {"branch by scc inverted", "s_cbranch_scc0", "scc0", "scc1"},
    {"branch by scc inverted", "s_cbranch_scc1", "scc1", "scc0"},
    {"comparison inverted", "v_cmp", "_eq_", "_ne_"},
    {"comparison inverted", "v_cmp", "_ne_", "_eq_"},
    {"comparison's end", "v_cmp", "_lt_", "_le_"},
    {"comparison's end", "v_cmp", "_gt_", "_ge_"},
    {"lane of a DPP row", "row_shr:1", "row_shr:1", "row_shr:2"},
    {"lane of a DPP row", "row_xmask:1", "row_xmask:1", "row_xmask:2"},
    {"lane of a quad", "quad_perm:[1,0,3,2]", "[1,0,3,2]", "[2,3,0,1]"},
    {"lane of a row's other half", "v_permlanex16_b32", "v_permlanex16", "v_permlane16"},
    {"count of lanes below: not", "v_mbcnt_lo_u32_b32", "v_mbcnt_lo_u32_b32", "v_mbcnt_hi_u32_b32"},
    {"wait for loads dropped", "s_waitcnt vmcnt(0)", "", ""},
    {"wait for one load less", "s_waitcnt vmcnt(0)", "vmcnt(0)", "vmcnt(1)"},
    {"wait for scalars and LDS dropped", "s_waitcnt lgkmcnt(0)", "", ""},
    {"sum by one", "v_add", ", 1, ", ", 2, "},
    {"sum by one", "s_add", ", 1 ", ", 2 "},
    {"store dropped", "_store_", "", ""},
    {"load of the next word", "buffer_load_", " offen ", " offen offset:4 "},
    {"workgroup's barrier dropped", "s_barrier", "", ""},
    {0},
};

static const struct kind qpu_kinds[] = {
    {"condition dropped: register", ": 0x", "mov.ifa rf", "mov rf"},
    {"condition dropped: access", ": 0x", ".ifa tmua", " tmua"},
    {"condition dropped: ballot", ": 0x", "ballot.ifa", "ballot"},
    {"condition inverted", ": 0x", ".ifa ", ".ifna "},
    {"condition inverted", ": 0x", ".ifna ", ".ifa "},
    {"flag: zero made negative", ": 0x", ".pushz -", ".pushn -"},
    {"flag: less made zero", "sub.pushc", ".pushc -", ".pushz -"},
    {"flag: and made not-or", ": 0x", ".andz -", ".norz -"},
    {"flag: not-or made and", ": 0x", ".nornz -", ".andnz -"},
    {"branch: any made all", ": 0x", "bu.any", "bu.all"},
    {"branch: none made all", ": 0x", "bu.allna ", "bu.alla "},
    {"uniform to another register", ": 0x", "; ldunif (", "; ldunifrf.rf63 ("},
    {"shuffle made a sum", ": 0x", "shuffle rf", "add rf"},
    {"product without its upper part", ": 0x", "multop -", "umul24 -"},
    {"election of another lane", ": 0x", "flafirst", "flnafirst"},
    {"workgroup's barrier dropped", ": 0x", "barrierid syncb", "nop"},
    {"sum by one", "add", ", 1 ", ", 2 "},
    {0},
};

static const struct kind agx_kinds[] = {
    {"if dropped: lanes stay on", "  if  ", "", ""},
    {"else dropped", "  else  ", "", ""},
    {"while dropped", "  while  ", "", ""},
    {"lanes not woken", "  pop_exec 1", "pop_exec 1", "pop_exec 0"},
    {"lanes woken a level too early", "  pop_exec 1", "pop_exec 1", "pop_exec 2"},
    {"nesting of a break", "  ldimm    r0l, 2", ", 2", ", 1"},
    {"jump where none is on: always", "  jmp_none", "jmp_none", "jmp_any "},
    {"jump where one is on: never", "  jmp_any", "", ""},
    {"condition inverted", "  if  ", "ieq", "ine"},
    {"condition inverted", "  if  ", "ine", "ieq"},
    {"condition inverted", "  csel  ", "ieq", "ine"},
    {"condition's end", "  while  ", "ult", "ulte"},
    {"condition's end", "  csel  ", "ult", "ulte"},
    {"ballot of the other lanes", "  ballot  ", "ine", "ieq"},
    {"ballot of a quad: of all", "  ballot  ", ", quad", ""},
    {"shuffle in a quad: in all lanes", "  shuffle  ", ", quad", ""},
    {"exclusive scan made a reduction", "  simd  ", ", prefix", ""},
    {"operation of a reduction", "  simd  ", "iadd", "umax"},
    {"election of another lane", "active_thread_index_in_simdgroup", "active_thread_index_in_simdgroup",
     "thread_index_in_simdgroup"},
    {"wait dropped", "  wait  ", "", ""},
    {"wait for the other group", "  wait     a", "a\n", "b\n"},
    {"half of a register", "  csel  ", "l, ", "h, "},
    {"register discarded too early", "  iadd  ", ", r", ", ^r"},
    {"shift of a sum", "  iadd  ", "lsl 1", "lsl 2"},
    {"sum by one", "  iadd  ", ", 1\n", ", 2\n"},
    {"store dropped", "  store  ", "", ""},
    {"load of the next word", "  load  ", ", x,", ", y,"},
    {"workgroup's barrier dropped", "  barrier", "", ""},
    {0},
};

static const struct kind ir3_kinds[] = {
    {"(jp) dropped", "(jp)", "(jp)", ""},
    {"branch inverted", "br !p0", "br !p0", "br p0"},
    {"branch inverted", "br p0", "br p0", "br !p0"},
    {"getone dropped", "getone #", "", ""},
    {"getlast dropped", "getlast.w8 #", "", ""},
    {"jump dropped", "jump #", "", ""},
    {"predt made predf", "predt", "predt", "predf"},
    {"prede dropped", "prede", "", ""},
    {"any made all", "bany", "bany", "ball"},
    {"all made any", "ball", "ball", "bany"},
    {"lane of a shuffle", "shfl.xor.u32", ", 1", ", 2"},
    {"shuffle the other way", "shfl.rup", "rup", "rdown"},
    {"shuffle the other way", "shfl.rdown", "rdown", "rup"},
    {"cluster of a broadcast", "brcst.active.w4", "w4", "w2"},
    {"cluster of a broadcast", "brcst.active.w8", "w8", "w4"},
    {"lane of a quad", "quad_shuffle.horiz", "horiz", "vert"},
    {"comparison inverted", "cmps.s.eq", ".eq", ".ne"},
    {"comparison inverted", "cmps.s.ne", ".ne", ".eq"},
    {"comparison's end", "cmps.u.lt", ".lt", ".le"},
    {"shared register's start dropped", "mov.u32u32 r49.x, 0", "", ""},
    {"sum by one", "add.u ", ", 1", ", 2"},
    {"store dropped", "stib.b", "", ""},
    {"load dropped", "ldib.b", "", ""},
    {"workgroup's barrier dropped", "bar.g", "", ""},
    {0},
};

static const struct kind eu_kinds[] = {
    {"lanes of a break wait at the end of the block", "break (", "break (", "halt ("},
    {"break dropped", "break (", "break (", "nop //"},
    {"if dropped: lanes stay on", " if (", " if (", " nop //"},
    {"flag inverted", "(f0.0)  if", "(f0.0)", "(~f0.0)"},
    {"flag inverted", "(f0.0)  sel", "(f0.0)", "(~f0.0)"},
    {"flag inverted", "(~f0.0) ", "(~f0.0)", "(f0.0)"},
    {"another flag", "(f0.0)  if", "(f0.0)", "(f1.0)"},
    {"(W) added to a store", "untyped surface write", "        send", "(W)     send"},
    {"(W) removed", "(W)     mov (16", "(W)", "   "},
    {"a half skipped", "(16|M16)", "(16|M16)", "(8|M16)"},
    {"a half in place of the other", "cmp (16|M16)", "M16", "M0"},
    {"lanes that are on: all", "ce<0;1,0>:ud", "ce<0;1,0>:ud", "0xFFFFFFFF:ud"},
    {"started lanes: all", "sr0.2<0;1,0>:ud", "sr0.2<0;1,0>:ud", "0xFFFFFFFF:ud"},
    {"comparison inverted", "cmp (", "(eq)", "(ne)"},
    {"comparison inverted", "cmp (", "(ne)", "(eq)"},
    {"comparison's end", "cmp (", "(lt)", "(le)"},
    {"comparison's end", "cmp (", "(gt)", "(ge)"},
    {"any made all", ".any", "any", "all"},
    {"all made any", ".all", "all", "any"},
    {"region of one element", "<8;8,1>", "<8;8,1>", "<0;1,0>"},
    {"sum by one", " add (", " 1:d", " 2:d"},
    {"a wrong JIP", " endif (", " L", " L0 //"},
    {"a wrong JIP", " while (", " L", " L0 //"},
    {"store dropped", "untyped surface write", "", ""},
    {0},
};

static const struct kind nir_kinds[] = {
    {"break dropped", "     break", "", ""},
    {"break made continue", "     break", "break", "continue"},
    {"comparison inverted", " = ieq ", "ieq", "ine"},
    {"comparison inverted", " = ine ", "ine", "ieq"},
    {"comparison's end", " = ult ", "ult", "uge"},
    {"condition inverted", " = inot ", "inot", "mov"},
    {"arms of a phi: the other value", " phi ", " b1: ", " b9999: "},
    {"and made or", " = iand ", "iand", "ior"},
    {"comparison inverted", " = ieq_pan ", "ieq_pan", "ine_pan"},
    {"comparison inverted", " = ine_pan ", "ine_pan", "ieq_pan"},
    {"comparison's end", " = ult_pan ", "ult_pan", "uge_pan"},
    {"ballot of another lane's bit", "@shared_atomic ", "atomic_op=ior", "atomic_op=iand"},
    {"register not stored", "@store_reg ", "", ""},
    {"register of the one before", "@load_reg (%1)", "%1", "%0"},
    {"operation of a reduction", "reduction_op=iadd", "iadd", "imul"},
    {"operation of a reduction", "reduction_op=umax", "umax", "umin"},
    {"inclusive made exclusive", "@inclusive_scan", "inclusive", "exclusive"},
    {"exclusive made inclusive", "@exclusive_scan", "exclusive", "inclusive"},
    {"any made all", "@vote_any", "vote_any", "vote_all"},
    {"all made any", "@vote_all", "vote_all", "vote_any"},
    {"lane of a quad", "@quad_swap_horizontal", "horizontal", "vertical"},
    {"shuffle the other way", "@shuffle_up", "shuffle_up", "shuffle_down"},
    {"shuffle the other way", "@shuffle_down", "shuffle_down", "shuffle_up"},
    {"store dropped", "@store_", "", ""},
    {"store of other components", "wrmask=xy,", "xy", "x"},
    {"load of the next word", "@load_", "base=0", "base=4"},
    {"workgroup's barrier dropped", "@barrier", "", ""},
    {0},
};

static const struct isa_code *nak(struct arena *a, const char *const *part, struct isa_result *why)
{
    const struct nak_source s = {part[1], part[0]};
    return nak_read(a, &s, why);
}

static const struct isa_code *amd32(struct arena *a, const char *const *part,
                                    struct isa_result *why)
{
    const struct amd_source s = {.nir = part[1], .ir = part[2], .assembly = part[0]};
    return amd_read(a, &s, AMD_GFX11, 32, why);
}

static const struct isa_code *amd64(struct arena *a, const char *const *part,
                                    struct isa_result *why)
{
    const struct amd_source s = {.nir = part[1], .ir = part[2], .assembly = part[0]};
    return amd_read(a, &s, AMD_GFX11, 64, why);
}

static const struct isa_code *ir3(struct arena *a, const char *const *part, struct isa_result *why)
{
    return ir3_read(a, part[0], 64, why);
}

static const struct isa_code *eu(struct arena *a, const char *const *part, uint32_t size,
                                 struct isa_result *why)
{
    const struct eu_source s = {.assembly = part[0], .nir = part[1], .push = part[2]};
    return eu_read(a, &s, EU_GFX12, size, why);
}
static const struct isa_code *eu16(struct arena *a, const char *const *part, struct isa_result *why)
{
    return eu(a, part, 16, why);
}
static const struct isa_code *eu32(struct arena *a, const char *const *part, struct isa_result *why)
{
    return eu(a, part, 32, why);
}

static const struct isa_code *nir_turnip(struct arena *a, const char *const *part,
                                         struct isa_result *why)
{
    return nir_read(a, part[0], NIR_TURNIP, 64, why);
}

static const struct isa_code *nir_radv(struct arena *a, const char *const *part,
                                       struct isa_result *why)
{
    return nir_read(a, part[0], NIR_RADV, 32, why);
}

static const struct isa_code *nir_panvk(struct arena *a, const char *const *part,
                                        struct isa_result *why)
{
    return nir_read(a, part[0], NIR_PANVK, 16, why);
}

static const struct isa_code *nir_v3dv(struct arena *a, const char *const *part,
                                       struct isa_result *why)
{
    return nir_read(a, part[0], NIR_V3DV, 16, why);
}

static const struct isa_code *nir_powervr(struct arena *a, const char *const *part,
                                          struct isa_result *why)
{
    return nir_read(a, part[0], NIR_POWERVR, 32, why);
}

static const struct isa_code *qpu(struct arena *a, const char *const *part, struct isa_result *why)
{
    return qpu_read(a, part[0], why);
}

static const struct isa_code *agx(struct arena *a, const char *const *part, struct isa_result *why)
{
    return agx_read(a, part[0], why);
}

// The text that is changed comes first.
static const struct machine {
    const char *name, *head[3];
    const struct isa_code *(*read)(struct arena *a, const char *const *part,
                                   struct isa_result *why);
    const struct kind *kinds;
} machines[] = {
    {"nak", {"==== NAK assembly", "==== NIR shader", NULL}, nak, nak_kinds},
    {"amd32", {"==== Assembly", "==== NIR Shader(s)", "==== ACO IR"}, amd32, amd_kinds},
    {"amd64", {"==== Assembly", "==== NIR Shader(s)", "==== ACO IR"}, amd64, amd_kinds},
    {"ir3", {"==== IR3 Assembly", NULL, NULL}, ir3, ir3_kinds},
    {"eu16", {"==== Assembly", "==== Final NIR", "==== Shader push map"}, eu16, eu_kinds},
    {"eu32", {"==== Assembly", "==== Final NIR", "==== Shader push map"}, eu32, eu_kinds},
    {"nir-turnip", {"==== Final NIR", NULL, NULL}, nir_turnip, nir_kinds},
    {"nir-radv", {"==== NIR Shader(s)", NULL, NULL}, nir_radv, nir_kinds},
    {"nir-panvk", {"==== NIR shader", NULL, NULL}, nir_panvk, nir_kinds},
    {"nir-v3dv", {"==== NIR (MESA_SHADER_COMPUTE)", NULL, NULL}, nir_v3dv, nir_kinds},
    {"qpu", {"NIR after vk_pipeline", NULL, NULL}, qpu, qpu_kinds}, // what the driver prints
    {"agx", {"==== Assembly", NULL, NULL}, agx, agx_kinds},
    {"nir-powervr", {"==== Final NIR shader IR", NULL, NULL}, nir_powervr, nir_kinds},
};
enum { MACHINES = sizeof machines / sizeof *machines, KINDS = 48 };

static bool same(const struct spv_case *c, const struct isa_result *x, const struct isa_result *y)
{
    if (y->status != RAN_OK || y->others != x->others || y->early_line != x->early_line)
        return false;
    for (uint32_t i = 0; i < c->buffer_count; i++)
        if (memcmp(x->memory[i].words, y->memory[i].words, x->memory[i].count * 4) != 0)
            return false;
    return true;
}

static void try(struct arena *a, const struct machine *m, const char *const *part,
                const struct spv_case *c, struct isa_result *out)
{
    const struct isa_options o = {.random_fill = 1, .step_limit = 400000};
    const struct isa_code *p = m->read(a, part, out);
    if (p)
        isa_run(a, p, c, &o, out);
}

// The part of what the driver said below a head.
static const char *part_of(struct arena *a, const char *all, const char *head)
{
    const char *at = head ? strstr(all, head) : NULL;
    if (!at)
        return NULL;
    at = strchr(at, '\n') + 1;
    const char *end = strstr(at, "\n====");
    return arena_strn(a, at, end ? (size_t)(end - at) + 1 : strlen(at));
}

static void plant(const struct machine *m, const char *const *part, const struct spv_case *c,
                  const struct isa_result *right, uint32_t all[KINDS], uint32_t seen[KINDS])
{
    struct arena turn = {0};
    for (uint32_t k = 0; m->kinds[k].name; k++) {
        const struct kind *kind = &m->kinds[k];
        uint32_t n = 0;
        for (const char *at = part[0]; *at && n < FAULTS;) {
            const char *end = strchr(at, '\n');
            end = end ? end + 1 : at + strlen(at);
            const char *line = arena_strn(&turn, at, (size_t)(end - at));
            const char *from = strstr(line, kind->in) ? strstr(line, kind->from) : NULL;
            if (from) {
                const char *made = kind->from[0]
                                       ? arena_printf(&turn, "%.*s%s%s", (int)(from - line), line,
                                                      kind->to, from + strlen(kind->from))
                                       : "";
                const char *wrong[3] = {
                    arena_printf(&turn, "%.*s%s%s", (int)(at - part[0]), part[0], made, end),
                    part[1], part[2]};
                struct isa_result r;
                try(&turn, m, wrong, c, &r);
                // A text that is refused says nothing of what is seen, but for lanes without a way
                // on.
                if (r.status != RAN_UNSUPPORTED || strstr(r.text, "lanes wait at")) {
                    n++;
                    all[k]++;
                    seen[k] += !same(c, right, &r);
                }
            }
            at = end;
            arena_reset(&turn);
        }
    }
    arena_free(&turn);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static int is_case(const struct dirent *d)
{
    const char *dot = strrchr(d->d_name, '.');
    return dot && strcmp(dot, ".spvasm") == 0;
}

// Kinds of one name are one row.
static void table(const struct machine *m, const uint32_t all[KINDS], const uint32_t seen[KINDS])
{
    printf("| fault | planted | seen |\n| --- | ---: | ---: |\n");
    for (uint32_t k = 0; m->kinds[k].name; k++) {
        uint32_t n = 0, s = 0;
        bool again = false;
        for (uint32_t j = 0; m->kinds[j].name; j++)
            if (strcmp(m->kinds[j].name, m->kinds[k].name) == 0) {
                again |= j < k;
                n += all[j];
                s += seen[j];
            }
        if (n && !again)
            printf("| %s | %u | %u %% |\n", m->kinds[k].name, n, (100 * s + n / 2) / n);
    }
}

int main(int argc, char **argv)
{
    static double took[CASES];
    uint32_t n = 0, all[KINDS] = {0}, seen[KINDS] = {0};
    struct dirent **names;
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0};
    const struct machine *m = NULL;
    for (size_t i = 0; i < MACHINES && argc == 3; i++)
        m = strcmp(machines[i].name, argv[1]) == 0 ? &machines[i] : m;
    const int found = m ? scandir(argv[2], &names, is_case, alphasort) : -1;
    if (found < 0)
        return fprintf(stderr, "usage: bench_isa nak|amd32|amd64|ir3|eu16|eu32|qpu|agx|nir-DRIVER FOLDER\n"),
               2;
    for (int i = 0; i < found && n < CASES; i++) {
        struct spv_case c;
        struct err e;
        char *told;
        size_t size;
        struct isa_result right;
        const char *path = arena_printf(&a, "%s/%s", argv[2], names[i]->d_name);
        const char *text =
            arena_printf(&a, "%.*s.txt", (int)strlen(path) - (int)strlen(".spvasm"), path);
        if (spv_case_read(tools, &a, path, &c, &e) &&
            file_read(&a, text, 1 << 24, &told, &size, &e)) {
            const char *part[3];
            for (int k = 0; k < 3; k++)
                part[k] = part_of(&a, told, m->head[k]);
            const double begin = now();
            if (part[0])
                try(&a, m, part, &c, &right);
            took[n] = now() - begin;
            if (part[0] && right.status == RAN_OK) {
                n++;
                plant(m, part, &c, &right, all, seen);
            }
        }
        arena_reset(&a);
    }
    qsort(took, n, sizeof *took, by_size);
    if (n)
        printf("%u texts, read and run: median %.2f ms, one in ten over %.2f ms.\n\n", n,
               1e3 * took[n / 2], 1e3 * took[n - 1 - n / 10]);
    table(m, all, seen);
    return n ? 0 : 1;
}
