// SPDX-License-Identifier: Apache-2.0
//
// Each operation that the readers of SASS and of PTX know, in each form, on the lanes' numbers; and
// what they refuse.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "isa/isa_float.h"
#include "test_cuda.h"

static const struct cuda_trial sass = {0}, ptx = {.ptx = true};

#define S(body, e)   LEAVES(&sass, body, e)
#define P(body, e)   LEAVES(&ptx, body, e)
#define NOT(body, w) cuda_refuses(&sass, body, w)
#define NOT_PTX(body, w) cuda_refuses(&ptx, body, w)
// P1: odd lanes. P2: lanes from 5. R5: 16 less than the lane.
#define ODD "/*0*/ LOP3.LUT P1, RZ, R0, 0x1, RZ, 0xc0, !PT ;\n"
#define FIVE "/*0*/ ISETP.GE.U32.AND P2, PT, R0, 0x5, PT ;\n"
#define MINUS "/*0*/ VIADD R5, R0, -0x10 ;\n"
// Constant buffer 2, and a section that is not read.
#define TABLE                                                                                      \
    "\t.section\t.debug_frame,\"\",@progbits\n.debug_frame:\n/*0000*/ .byte 0xff, 0x00\n"             \
    "\t.section\t.nv.constant2.tf_main,\"a\",@progbits\n\t.sectionflags\t@\"\"\n\t.align\t4\n"          \
    ".nv.constant2.tf_main:\n        /*0000*/ \t.byte\t0x10, 0x20, 0x30, 0x40\n//--- x\n"          \
    "        /*0004*/ \t.short\t0x0120, 0x0\n /*0008*/ .word 0x00000007\n\t.zero\t\t4\n\n"         \
    "\t.section\t.text.tf_main,\"ax\",@progbits\n\t.sectioninfo\t@\"SHI_REGISTERS=10\"\n"
#define BIT(p) I "SEL R4, 0x1, RZ, " p N

static void sums(void **state)
{
    (void)state;
    S(I "IADD3 R4, R0, 0x1, 0x2" N, i + 3);
    S(I "IADD3 R4, -R0, 0x1, 0x2" N, 3 - i);
    S(I "IADD3 R4, 0x7, -R0, RZ" N, 7 - i);
    S(I "IADD3 R4, R0, 0x64, -R0" N, 100);
    S(I "IADD3 R4, PT, R0, 0x1, RZ" N, i + 1);
    S(I "IADD3 R4, R0.reuse, R0.reuse, RZ" N, 2 * i);
    S(I "IADD3 R5, P2, R0, -0x5, RZ" N BIT("P2"), i >= 5);
    S(I "IADD3 R4, P2, R0, -0x5, RZ" N, i - 5);
    S(FIVE I "IADD3.X R4, R0, 0x1, 0x2, P2, !PT" N, i + 3 + (i >= 5));
    S(FIVE I "IADD3.X R4, R0, 0x1, 0x2, !PT, P2" N, i + 3 + (i >= 5));
    S(FIVE I "IADD3.X R4, P1, R0, -0x1, RZ, P2, !PT" N BIT("P1"), i >= 1);
    S(FIVE I "IADD3.X R4, P1, R0, -0x1, RZ, P2, !PT" N, i - 1 + (i >= 5));
    S(I "IADD3.X R4, ~R0, RZ, RZ, PT, !PT" N, 0 - i);
    S(I "IADD3.X R4, RZ, RZ, ~R0, PT, !PT" N, 0 - i);
    S(I "VIADD R4, R0, -0x3" N, i - 3);
    S(I "UMOV UR4, 0x9" N I "UIADD3 UR4, UR4, 0x1, URZ" N I "IADD3 R4, R0, UR4, RZ" N, i + 10);
    NOT(I "IADD3.X R4, R0, RZ, RZ" N, "the operands of");
    NOT(I "IADD3 R4, R0, RZ" N, "the operands of");
    NOT(I "VIADD.U32 R4, R0, RZ" N, "the operation");
}

static void products(void **state)
{
    (void)state;
    S(I "IMAD R4, R0, 0x3, 0x5" N, 3 * i + 5);
    S(I "MOV R6, 0x7" N I "IMAD R4, R0, -R6, R6" N, 7 - 7 * i);
    S(I "IMAD R4, R0, 0x3, -R0" N, 2 * i);
    S(I "IMAD.IADD R4, R0, 0x1, R0" N, 2 * i);
    S(I "IMAD.MOV.U32 R4, RZ, RZ, R0" N, i);
    S(FIVE I "IMAD.X R4, R0, 0x3, R0, P2" N, 4 * i + (i >= 5));
    S(FIVE I "IMAD.X R4, R0, 0x1, RZ, !P2" N, i + (i < 5));
    S(I "MOV R6, 0x5" N I "MOV R7, 0x9" N I "MOV R8, 0xf0000001" N
      I "IMAD.WIDE.U32 R4, R0, R8, R6" N, i * 0xf0000001 + 5);
    S(I "MOV R6, 0x5" N I "MOV R7, 0x9" N I "MOV R8, 0xf0000000" N
      I "IMAD.WIDE.U32 R10, R0, R8, R6" N I "MOV R4, R11" N, ((i * 0xf0000000ull + 5) >> 32) + 9);
    S(I "MOV R8, 0xf0000000" N I "IMAD.HI.U32 R4, R0, R8, RZ" N, i * 0xf0000000ull >> 32);
    S(I "MOV R6, 0xffffffff" N I "MOV R7, 0x3" N I "MOV R8, 0x1" N
      I "IMAD.HI.U32 R4, R0, R8, R6" N, 3 + (i > 0));
    NOT(I "IMAD.WIDE R4, R0, R0, RZ" N, "the operation");
    NOT(I "IMAD.HI R4, R0, R0, RZ" N, "the operation");
    NOT(I "IMAD.WIDE.U32 R4, R0, R0, -R2" N, "the operands of");
    NOT(I "IMAD.SCALE R4, R0, R0, RZ" N, "the operation");
}

static void compares(void **state)
{
    (void)state;
#define CMP(name, op)                                                                              \
    S(MINUS I "ISETP." name ".AND P3, PT, R5, 0x3, PT" N BIT("P3"), (int32_t)(i - 16) op 3);       \
    S(MINUS I "ISETP." name ".U32.AND P3, PT, R5, 0x3, PT" N BIT("P3"), i - 16 op 3)
    CMP("EQ", ==);
    CMP("NE", !=);
    CMP("LT", <);
    CMP("LE", <=);
    CMP("GT", >);
    CMP("GE", >=);
    S(ODD I "ISETP.LT.U32.AND P3, PT, R0, 0x9, P1" N BIT("P3"), i < 9 && i % 2);
    S(ODD I "ISETP.LT.U32.OR P3, PT, R0, 0x9, P1" N BIT("P3"), i < 9 || i % 2);
    S(ODD I "ISETP.LT.U32.XOR P3, PT, R0, 0x9, P1" N BIT("P3"), (i < 9) != (i % 2));
    S(ODD I "ISETP.LT.U32.AND P3, PT, R0, 0x9, !P1" N BIT("!P3"), !(i < 9 && i % 2 == 0));
    S(I "ISETP.EQ.AND P3, PT, -R0, -0x4, PT" N BIT("P3"), i == 4);
    S(I "MOV R6, 0x4" N I "ISETP.EQ.AND P3, PT, R0, -R6, PT" N BIT("P3"), 0);
    S(I "ISETP.EQ.AND PT, PT, R0, 0x4, PT" N BIT("PT"), 1);
    S(I "UMOV UR4, 0x4" N I "UISETP.EQ.AND UP1, UPT, UR4, 0x4, UPT" N I "USEL UR5, 0x7, URZ, UP1" N
      I "MOV R4, UR5" N, 7);
    NOT(I "ISETP.AND P3, PT, R0, 0x4, PT" N, "the operation");
    NOT(I "ISETP.EQ.AND P3, P4, R0, 0x4, PT" N, "the second result of");
    NOT(I "ISETP.EX P3, PT, R0, 0x4, PT" N, "the operation");
}

static const uint32_t in_table[] = {0x40302010, 0x120, 7, 0}; // of TABLE

static uint32_t table(uint32_t t, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r = 0;
    for (uint32_t k = 0; k < 32; k++)
        r |= (t >> ((a >> k & 1) * 4 + (b >> k & 1) * 2 + (c >> k & 1)) & 1) << k;
    return r;
}

static void logic(void **state)
{
    (void)state;
    S(I "MOV R6, 0xcc" N I "LOP3.LUT R4, R0, 0xa, R6, 0x2d, !PT" N, table(0x2d, i, 0xa, 0xcc));
    S(I "LOP3.LUT P1, R4, R0, 0x3, RZ, 0xc0, !PT" N, i & 3);
    S(I "LOP3.LUT P1, R4, R0, 0x3, RZ, 0xc0, !PT" N BIT("P1"), (i & 3) != 0);
    S(I "LOP3.LUT R4, ~R0, 0x3, RZ, 0xc0, !PT" N, ~i & 3);
    S(I "UMOV UR4, 0x5" N I "ULOP3.LUT UR4, UR4, 0x4, URZ, 0xc0, !UPT" N I "MOV R4, UR4" N, 4);
    S(ODD FIVE I "PLOP3.LUT P3, PT, P1, P2, PT, 0x80, 0x0" N BIT("P3"), i % 2 && i >= 5);
    S(ODD FIVE I "PLOP3.LUT PT, P3, P1, P2, !PT, 0x0, 0x40" N BIT("P3"), i % 2 && i >= 5);
    S(ODD FIVE I "PLOP3.LUT P3, P4, P1, !P2, PT, 0x80, 0x2a" N I "SEL R4, 0x1, RZ, P3" N
      I "SEL R5, 0x2, RZ, P4" N I "IADD3 R4, R4, R5, RZ" N,
      (uint32_t)(i % 2 && i < 5) + 2 * (0x2au >> (i % 2 * 4 + 2u * (i < 5) + 1) & 1));
    S(ODD FIVE I "MOV R6, 0xff6" N I "P2R R4, PR, R6, 0x6" N,
      0xff0 | (i % 2) << 1 | (uint32_t)(i >= 5) << 2);
    S(ODD FIVE I "P2R R4, PR, RZ, 0x4" N, (i >= 5) << 2);
    S(I "R2P PR, R0, 0x5" N I "SEL R4, 0x1, RZ, P0" N I "SEL R5, 0x2, RZ, P2" N
      I "IADD3 R4, R4, R5, RZ" N, i % 2 + (i >> 2 & 1) * 2);
    S(ODD I "R2P PR, RZ, 0x5" N BIT("P1"), i % 2);
    NOT(I "P2R R4, PR, RZ, 0x80" N, "the operands of");
    NOT(I "P2R R4, CC, RZ, 0x1" N, "the operands of");
    NOT(I "P2R RZ, PR, RZ, 0x1" N, "the operands of");
    NOT(I "P2R R4, PR, -R5, 0x1" N, "the operands of");
    NOT(I "P2R.B1 R4, PR, RZ, 0x1" N, "the operation");
    NOT(I "R2P PR, R4, 0x80" N, "the operands of");
    NOT(I "R2P CC, R4, 0x1" N, "the operands of");
    NOT(I "R2P PR, -R4, 0x1" N, "the operands of");
    NOT(I "R2P.B1 PR, R4, 0x1" N, "the operation");
    NOT(I "LOP3.LUT R4, R0, 0x3, RZ, 0x1c0, !PT" N, "the operands of");
    NOT(I "LOP3.LUT R4, R0, 0x3, RZ, 0xc0, PT" N, "the operands of");
    NOT(I "LOP3.LUT R4, R0, 0x3, RZ, 0xc0, !P1" N, "the operands of");
    NOT(I "PLOP3.LUT P0, P1, P0, P0, PT, 0x180, 0x0" N, "the operands of");
    NOT(I "PLOP3.LUT P0, P1, P0, P0, PT, 0x80, 0x100" N, "the operands of");
}

static void shifts(void **state)
{
    (void)state;
    S(I "MOV R6, 0x80000001" N I "SHF.L.U32 R4, R6, R0, RZ" N, 0x80000001u << i);
    S(I "MOV R6, 0x80000001" N I "SHF.R.U32.HI R4, RZ, R0, R6" N, 0x80000001u >> i);
    S(I "MOV R6, 0x80000001" N I "SHF.R.S32.HI R4, RZ, R0, R6" N, (int32_t)0x80000001 >> i);
    S(I "MOV R6, 0x80000001" N I "VIADD R7, R0, 0x10" N I "SHF.L.U32 R4, R6, R7, RZ" N,
      i < 16 ? 0x80000001u << (i + 16) : 0);
    S(I "MOV R6, 0x80000001" N I "VIADD R7, R0, 0x10" N I "SHF.R.S32.HI R4, RZ, R7, R6" N,
      i < 16 ? (int32_t)0x80000001 >> (i + 16) : -1);
    S(I "MOV R6, 0x80000001" N I "VIADD R7, R0, 0x20" N I "SHF.L.W.U32 R4, R6, R7, RZ" N, 0x80000001u << i);
    S(I "MOV R6, 0x12345678" N I "MOV R7, 0x9abcdef0" N I "SHF.L.U32.HI R4, R6, R0, R7" N,
      (0x9abcdef012345678ull << i) >> 32);
    S(I "MOV R6, 0x12345678" N I "MOV R7, 0x9abcdef0" N I "SHF.R.U32 R4, R6, R0, R7" N,
      0x9abcdef012345678ull >> i);
    S(I "UMOV UR4, 0x5" N I "USHF.L.U32 UR4, UR4, 0x2, URZ" N I "MOV R4, UR4" N, 20);
    S(I "LEA R4, R0, 0x5, 0x3" N, 8 * i + 5);
    S(I "LEA R4, -R0, 0x5, 0x3" N, 5 - 8 * i);
    S(I "MOV R6, 0x5" N I "LEA R4, R0, -R6, 0x3" N, 8 * i - 5);
    S(I "MOV R6, 0x90000000" N I "LEA.HI R4, R6, R0, RZ, 0x4" N, i + 9);
    S(I "MOV R6, 0x90000000" N I "LEA.HI R4, R6, R0, R0, 0x4" N, i + 9 + (i << 4));
    NOT(I "SHF.L R4, R0, 0x2, RZ" N, "the operation");
    NOT(I "SHF.L.U32.S32 R4, R0, 0x2, RZ" N, "the operation");
    NOT(I "SHF.L.U64 R4, R0, 0x2, RZ" N, "the operation");
}

static void choices(void **state)
{
    (void)state;
    S(ODD I "SEL R4, R0, 0x63, P1" N, i % 2 ? i : 99);
    S(ODD I "SEL R4, R0, 0x63, !P1" N, i % 2 ? 99 : i);
    S(ODD I "SEL R4, -R0, 0x63, P1" N, i % 2 ? 0 - i : 99);
    S(MINUS I "VIMNMX.U32 R4, R5, 0x5, PT" N, i - 16 < 5 ? i - 16 : 5);
    S(MINUS I "VIMNMX.S32 R4, R5, 0x5, PT" N, (int32_t)(i - 16) < 5 ? i - 16 : 5);
    S(MINUS I "VIADDMNMX R4, R5, 0x3, 0x5, PT" N, (int32_t)(i - 13) < 5 ? i - 13 : 5);
    S(MINUS I "VIADDMNMX.U32 R4, R5, 0x3, 0x5, PT" N, i - 13 < 5 ? i - 13 : 5);
    S(MINUS I "VIADDMNMX R4, R5, 0x3, -R5, !PT" N, (int32_t)(i - 13) > (int32_t)(16 - i) ? i - 13 : 16 - i);
    NOT(I "VIADDMNMX.S32 R4, R5, 0x3, 0x5, PT" N, "the operation");
    NOT(I "VIADDMNMX R4, R5, 0x3, PT" N, "the operands of");
    S(MINUS I "VIMNMX R4, R5, 0x5, !PT" N, (int32_t)(i - 16) > 5 ? i - 16 : 5);
    S(MINUS I "IMNMX.U32 R4, R5, 0x5, !PT" N, i - 16 > 5 ? i - 16 : 5);
    S(MINUS I "POPC R4, R5" N, __builtin_popcount(i - 16));
    S(MINUS I "POPC R4, ~R5" N, __builtin_popcount(~(i - 16)));
    S(I "VIADD R5, R0, 0x1" N I "FLO.U32 R4, R5" N, 31 - __builtin_clz(i + 1));
    S(I "FLO.U32 R4, RZ" N, -1);
    S(I "UMOV UR4, 0x70" N I "UPOPC UR5, UR4" N I "UFLO.U32 UR6, UR4" N
      I "IADD3 R4, R0, UR5, RZ" N I "IADD3 R4, R4, UR6, RZ" N, i + 9);
    S(I "I2F.U32.RP R5, R0" N I "MUFU.RCP R4, R5" N, isa_of_single(1 / (float)i));
    S(I "MOV R5, 0x1ffffff" N I "I2F.U32.RP R4, R5" N, isa_of_single(0x2000000));
    S(I "MOV R5, 0x40f80000" N I "F2I.FTZ.U32.TRUNC.NTZ R4, R5" N, 7);
    S(I "HFMA2.MMA R4, -RZ, RZ, 1, 2" N, 0x3c004000);
    S(I "HFMA2 R4, -RZ, RZ, 0, -2" N, 0xc000);
    NOT(I "SEL.U32 R4, R0, R0, P1" N, "the operation");
    NOT(I "MUFU.SQRT R4, R0" N, "the operation");
    NOT(I "FLO R4, -R0, R0" N, "the operands of");
    NOT(I "HFMA2.MMA R4, RZ, RZ, 1, 2" N, "the operands of");
    NOT(I "HFMA2.MMA R4, -R5, RZ, 1, 2" N, "the operands of");
    NOT(I "HFMA2.MMA R4, -RZ, R5, 1, 2" N, "the operands of");
    NOT(I "HFMA2.MMA R4, -RZ, 0x1, 1, 2" N, "the operands of");
    NOT(I "HFMA2.MMA R4, -RZ, RZ, 1, one" N, "the operands of");
    NOT(I "HFMA2.MMA R4, -RZ, RZ, 1, 2x" N, "the operands of");
    NOT(I "I2F.U32 R4, R0" N, "the operation");
    NOT(I "F2I.U32 R4, R0" N, "the operation");
}

static void moves(void **state)
{
    (void)state;
    S(I "MOV R4, -R0" N, 0 - i);
    S(I "MOV R4, -0x7" N, -7);
    S(I "UMOV UR4, 0x7" N I "MOV R4, UR4" N, 7);
    S(I "S2R R4, SR_LANEID" N, i);
    S(I "S2R R4, SR_LTMASK" N, (1u << i) - 1);
    S(I "S2R R4, SR_LEMASK" N, (2u << i) - 1);
    S(I "S2UR UR4, SR_CTAID.X" N I "MOV R4, UR4" N, 0);
    S(I "CS2R R4, SRZ" N, 0);
    S(I "MOV R5, R0" N I "CS2R R4, SRZ" N I "MOV R4, R5" N, 0);
    S(I "LDC R4, c[0x0][0x218]" N, 1);
    S(I "MOV R4, c[0x0][0x21c]" N, 1);
    S(I "IADD3 R4, R0, c[0x0][0x220], RZ" N, i + 1);
    S(I "MOV R4, c[0x0][0x28]" N, 0);
    S(I "MOV R4, c[0x0][0x208]" N, 0);
    S(I "ULDC.64 UR4, c[0x0][0x208]" N I "MOV R4, UR5" N, 0);
    S(I "LDC.64 R6, c[0x0][0x218]" N I "MOV R4, R7" N, 1);
    S(I "MOV R4, 0x5" N ODD I "@P1 MOV R4, R0" N, i % 2 ? i : 5);
    S(I "MOV R4, 0x5" N ODD I "@!P1 MOV R4, R0" N, i % 2 ? 5 : i);
    NOT(I "S2R R4, SR_CLOCKLO" N, "the system register");
    NOT(I "CS2R R4, SR_CLOCKLO" N, "the operands of");
    NOT(I "CS2R RZ, SRZ" N, "the operands of");
    NOT(I "LDC R4, R5" N, "the operands of");
    NOT(I "LDC RZ, c[0x0][0x218]" N, "the operands of");
    S(I "MOV R5, 0x10" N I "LDC R4, c[0x0][R5+0x208]" N, 1);
    S(I "UMOV UR5, 0x10" N I "LDC R4, c[0x0][UR5+0x208]" N, 1);
    NOT(I "MOV R4, c[0x0][R5+0x218]" N, "a constant indexed by a register");
    NOT(I "LDC R4, c[0x0][-R5+0x218]" N, "the operands of");
    NOT(I "LDC R4, c[0x0][RZ+0x218]" N, "the operands of");
    NOT(I "LDC R4, c[0x0]" N, "the operands of");
    NOT(I "LDC R4, c[0x0][0x218" N, "the operands of");
    NOT(I "LDC R4, c[x][0x218]" N, "the operands of");
    NOT(I "MOV R4, c[0x0][0x224]" N, "the constant c[0x0][0x224]");
    NOT(I "MOV R4, c[0x0][0x219]" N, "the constant c[0x0][0x219]");
    NOT(I "MOV R4, c[0x1][0x218]" N, "the constant c[0x1][0x218]");
    NOT(I "MOV R4, R255" N, "the operands of");
    NOT(I "MOV R255, R0" N, "the operands of");
    NOT(I "MOV R4, UR63" N, "the operands of");
    NOT(I "MOV R4, Q5" N, "the operands of");
    NOT(I "MOV -R4, R0" N, "the operands of");
    NOT(I "LDC.64 R254, c[0x0][0x218]" N, "the operands of");
    NOT(I "MOV.U32 R4, R0" N, "the operation");
    NOT(I "SEL R4, R0, R0, P7" N, "the operands of");
    NOT(I "@P9 MOV R4, R0" N, "the predicate of");
    NOT(I "MOV R4" N, "the operands of");
    NOT("MOV R4, R0 ;\n", "the line");
    NOT("/*0*/ MOV R4, R0\n", "the line");
    NOT("/*0*/ @P0 ;\n", "the line");
}

static void accesses(void **state)
{
    (void)state;
    S(I "STG.E desc[UR4][R2.64+0x80], R0" N I "LDG.E R4, desc[UR4][R2.64+0x80]" N, i);
    S(I "STG.E desc[UR4][R2.64+0x80], RZ" N I "LDG.E R4, desc[UR4][R2.64+0x80]" N, 0);
    S(I "STG.E desc[UR4][R2.64], R0" N I "MOV R4, 0x5" N I "LDG.E RZ, desc[UR4][R2.64]" N, 5);
    S(I "ULDC.64 UR6, c[0x0][0x210]" N I "MOV R5, 0x7" N I "STG.E desc[UR4][UR6.64+0x100], R5" N
      I "LDG.E R4, desc[UR4][UR6.64+0x100]" N, 7);
    NOT(I "LDG.E.64 R4, desc[UR4][R2.64]" N, "the operands of");
    NOT(I "LDG.E R4, desc[UR4][R2]" N, "the operands of");
    NOT(I "LDG.E R4, desc[UR4][-R2.64]" N, "the operands of");
    NOT(I "LDG.E R4, desc[UR4][RZ.64]" N, "the operands of");
    NOT(I "LDG.E R4, desc[UR4][R2.64*0x4]" N, "the operands of");
    NOT(I "LDG.E R4, desc[UR4][R2.64+x]" N, "the operands of");
    NOT(I "LDG.E R4, desc[R4][R2.64]" N, "the operands of");
    NOT(I "LDG.E R4, desc[UR4]" N, "the operands of");
    NOT(I "LDG.E R4, desc[UR4][R2.64], R5" N, "the operands of");
    NOT(I "STG.E desc[UR4][R2.64], -R5" N, "the operands of");
}

static uint32_t low_of(uint32_t i) { return i & ~7u; }

static void lanes(void **state)
{
    (void)state;
    S(FIVE I "VOTE.ANY R4, PT, P2" N, 0xffffffe0);
    S(FIVE I "VOTE.ANY R4, PT, !P2" N, 0x1f);
    S(FIVE I "VOTE.ANY R4, P3, P2" N BIT("P3"), 1);
    S(FIVE I "VOTE.ANY P3, P2" N BIT("P3"), 1);
    S(FIVE I "VOTE.ALL P3, P2" N BIT("P3"), 0);
    S(FIVE I "@P2 VOTE.ALL P2, P2" N BIT("P2"), i >= 5);
    S(FIVE I "VOTE.EQ P3, P2" N BIT("P3"), 0);
    S(I "VOTE.EQ P3, !PT" N BIT("P3"), 1);
    S(FIVE I "VOTEU.ANY UR4, UPT, P2" N I "MOV R4, UR4" N, 0xffffffe0);
    S(I "SHFL.IDX PT, R4, R0, 0x3, 0x1f" N, 3);
    S(I "SHFL.IDX P3, R4, R0, 0x3, 0x1f" N BIT("P3"), 1);
    S(I "SHFL.UP P3, R4, R0, 0x2, RZ" N, i < 2 ? i : i - 2);
    S(I "SHFL.UP P3, R4, R0, 0x2, RZ" N BIT("P3"), i >= 2);
    S(I "SHFL.DOWN P3, R4, R0, 0x2, 0x1f" N, i < 30 ? i + 2 : i);
    S(I "SHFL.DOWN P3, R4, R0, 0x2, 0x1f" N BIT("P3"), i < 30);
    S(I "SHFL.BFLY PT, R4, R0, 0x5, 0x1f" N, i ^ 5);
    S(I "SHFL.IDX PT, R4, R0, 0x3, 0x181f" N, low_of(i) + 3);
    S(I "SHFL.DOWN PT, R4, R0, 0x3, 0x1807" N, (i & 7) < 5 ? i + 3 : i);
    S(I "LOP3.LUT R5, R0, 0x3, RZ, 0xc0, !PT" N I "MATCH.ANY R4, R5" N, 0x11111111u << (i & 3));
    S(I "MATCH.ALL PT, R4, R0" N, 0);
    S(I "MATCH.ALL P3, R4, R0" N BIT("P3"), 0);
    S(I "MATCH.ALL P3, R4, 0x5" N, -1);
    S(I "MATCH.ALL P3, R4, 0x5" N BIT("P3"), 1);
    S(MINUS I "REDUX.SUM UR4, R5" N I "MOV R4, UR4" N, -16);
    S(MINUS I "REDUX.MIN UR4, R5" N I "MOV R4, UR4" N, 0);
    S(MINUS I "REDUX.MAX UR4, R5" N I "MOV R4, UR4" N, -1);
    S(MINUS I "REDUX.MIN.S32 UR4, R5" N I "MOV R4, UR4" N, -16);
    S(MINUS I "REDUX.MAX.S32 UR4, R5" N I "MOV R4, UR4" N, 15);
    S(MINUS I "REDUX.OR UR4, R5" N I "MOV R4, UR4" N, -1);
    S(MINUS I "REDUX.XOR UR4, R5" N I "MOV R4, UR4" N, 0);
    S(I "VIADD R5, R0, 0x21" N I "REDUX UR4, R5" N I "MOV R4, UR4" N, 0);
    S(I "MOV R5, 0x6" N I "R2UR UR4, R5" N I "MOV R4, UR4" N, 6);
    S(I "MOV R5, 0x6" N I "R2UR P3, UR4, R5" N I "IADD3.X R4, RZ, RZ, UR4, P3, !PT" N, 7);
    S(I "R2UR P3, URZ, R0" N BIT("P3"), 0);
    NOT(I "VOTE.NONE R4, PT, P2" N, "the operation");
    NOT(I "SHFL.IDX.UP PT, R4, R0, 0x3, 0x1f" N, "the operation");
    NOT(I "SHFL PT, R4, R0, 0x3, 0x1f" N, "the operation");
    NOT(I "MATCH.ANY.U64 R4, R0" N, "the operation");
    NOT(I "MATCH.SOME R4, R0" N, "the operation");
    NOT(I "MATCH.ANY P3, R4, R0" N, "the operands of");
    NOT(I "MATCH.ALL R4, R0" N, "the operands of");
    NOT(I "REDUX.INC UR4, R0" N, "the operation");
    NOT(I "R2UR.FILL UR4, R0" N, "the operation");
}

static void flow(void **state)
{
    (void)state;
    S(ODD I "MOV R4, 0x1" N I "@P1 BRA `(.L_1)" N I "MOV R4, 0x2" N ".L_1:\n", i % 2 ? 1 : 2);
    S(ODD I "MOV R4, 0x1" N I "BRA P1, `(.L_1)" N I "MOV R4, 0x2" N ".L_1:\n", i % 2 ? 1 : 2);
    S(ODD I "MOV R4, 0x1" N I "BRA !P1, `(.L_1)" N I "MOV R4, 0x2" N ".L_1:\n", i % 2 ? 2 : 1);
    S(ODD I "BSSY B0, `(.L_2)" N I "@P1 BRA `(.L_1)" N ".L_1:\n" I "BSYNC B0" N ".L_2:\n"
      I "VOTE.ANY R4, PT, PT" N, -1);
    // Without the barrier the two ways never join.
    S(ODD I "@P1 BRA `(.L_1)" N ".L_1:\n" I "VOTE.ANY R4, PT, PT" N, i % 2 ? 0xaaaaaaaa : 0x55555555);
    // Lanes from 5 leave the barrier before the others wait for it.
    S(FIVE I "BSSY B0, `(.L_2)" N I "@P2 BREAK B0" N I "@P2 BRA `(.L_3)" N I "BSYNC B0" N ".L_2:\n"
      I "VOTE.ANY R4, PT, PT" N I "STG.E desc[UR4][R2.64], R4" N I "EXIT" N ".L_3:\n"
      I "VOTE.ANY R4, PT, PT" N, i < 5 ? 0x1f : 0xffffffe0);
    S(FIVE I "BSSY B0, `(.L_2)" N I "BREAK P2, B0" N I "@P2 BRA `(.L_3)" N I "BSYNC B0" N ".L_2:\n"
      I "VOTE.ANY R4, PT, PT" N I "STG.E desc[UR4][R2.64], R4" N I "EXIT" N ".L_3:\n"
      I "VOTE.ANY R4, PT, PT" N, i < 5 ? 0x1f : 0xffffffe0);
    S(FIVE I "BSSY B0, `(.L_2)" N I "BRA P2, `(.L_3)" N ".L_3:\n" I "BSYNC PT, B0" N ".L_2:\n"
      I "VOTE.ANY R4, PT, PT" N, -1);
    S(ODD I "@P1 BRA `(.L_1)" N ".L_1:\n" I "WARPSYNC.ALL" N I "VOTE.ANY R4, PT, PT" N, -1);
    S(ODD I "@P1 BRA `(.L_1)" N ".L_1:\n" I "WARPSYNC 0xffffffff" N I "VOTE.ANY R4, PT, PT" N, -1);
    S(FIVE I "STG.E desc[UR4][R2.64], R0" N I "@P2 EXIT" N I "MOV R4, 0x7" N, i < 5 ? 7 : i);
    // Lanes that ended are not waited for.
    S(FIVE I "STG.E desc[UR4][R2.64], R0" N I "@P2 EXIT" N I "WARPSYNC.ALL" N
      I "VOTE.ANY R4, PT, PT" N, i < 5 ? 0x1f : i);
    S(I "NOP" N I "DEPBAR.LE SB0, 0x0" N I "ENDCOLLECTIVE" N I "MOV R4, 0x3" N, 3);
    // BRA.DIV: all go if one lane's guard is true, or if the lanes are not those of the mask.
    S(ODD I "UMOV UR4, 0xffffffff" N I "MOV R4, 0x1" N I "@P1 BRA.DIV UR4, `(.L_1)" N
      I "MOV R4, 0x2" N ".L_1:\n", 1);
    S(I "UMOV UR4, 0xffffffff" N I "MOV R4, 0x1" N I "BRA.DIV UR4, `(.L_1)" N I "MOV R4, 0x2" N
      ".L_1:\n", 2);
    S(I "UMOV UR4, 0xf" N I "MOV R4, 0x1" N I "BRA.DIV UR4, `(.L_1)" N I "MOV R4, 0x2" N ".L_1:\n", 1);
    NOT(I "BRA.DIV R4, `(.L_1)" N ".L_1:\n", "the operands of");
    // BRA.CONV: all go if no lane's guard is true, and the lanes are those of the mask.
    S(ODD I "UMOV UR4, 0xffffffff" N I "MOV R4, 0x1" N I "@P1 BRA.CONV UR4, `(.L_1)" N
      I "MOV R4, 0x2" N ".L_1:\n", 2);
    S(I "UMOV UR4, 0xffffffff" N I "MOV R4, 0x1" N I "BRA.CONV UR4, `(.L_1)" N I "MOV R4, 0x2" N
      ".L_1:\n", 1);
    S(I "UMOV UR4, 0xf" N I "MOV R4, 0x1" N I "BRA.CONV UR4, `(.L_1)" N I "MOV R4, 0x2" N ".L_1:\n", 2);
    // Without a mask: all lanes that have not ended.
    S(FIVE I "MOV R4, 0x1" N I "BRA.DIV `(.L_1)" N I "MOV R4, 0x2" N ".L_1:\n", 2);
    S(FIVE I "MOV R4, 0x1" N I "BRA.CONV `(.L_1)" N I "MOV R4, 0x2" N ".L_1:\n", 1);
    S(FIVE I "MOV R4, 0x1" N I "@P2 BRA `(.L_2)" N ".L_2:\n" I "BRA.DIV `(.L_1)" N I "MOV R4, 0x2" N
      ".L_1:\n" I "WARPSYNC.ALL" N, 1);
    S(FIVE I "STG.E desc[UR4][R2.64], R0" N I "MOV R4, 0x1" N I "@P2 EXIT" N I "BRA.DIV `(.L_1)" N
      I "MOV R4, 0x2" N ".L_1:\n", i < 5 ? 2 : i);
    S(I "MOV R4, 0x1" N I "BRA.DIV ~URZ, `(.L_1)" N I "MOV R4, 0x2" N ".L_1:\n", 2);
    S(FIVE I "MOV R4, 0x1" N I "@P2 BRA `(.L_2)" N ".L_2:\n" I "BRA.DIV ~URZ, `(.L_1)" N
      I "MOV R4, 0x2" N ".L_1:\n", 1);
    NOT(I "BRA.DIV URZ, `(.L_1)" N ".L_1:\n", "the operands of");
    NOT(I "BRA.DIV.CONV UR4, `(.L_1)" N ".L_1:\n", "the operands of");
    // A call: the address that it returns to is in a register. Lanes return to several places.
    S(I "MOV R4, R0" N "/*0100*/ MOV R6, 0x130 ;\n/*0110*/ CALL.REL.NOINC `($f) ;\n"
      "/*0120*/ MOV R4, 0x63 ;\n/*0130*/ BRA `(.L_9) ;\n$f:\n/*0140*/ VIADD R4, R4, 0x3 ;\n"
      "/*0150*/ MOV R7, RZ ;\n/*0160*/ RET.REL.NODEC R6 `(.text.tf_main) ;\n.L_9:\n", i + 3);
    S(ODD I "MOV R4, R0" N I "SEL R6, 0x100, 0x110, P1" N
      I "RET.REL.NODEC R6 `(.text.tf_main)" N "/*0100*/ VIADD R4, R4, 0x5 ;\n"
      "/*0110*/ VIADD R4, R4, 0x7 ;\n", i + (i % 2 ? 12 : 7));
    // A uniform register keeps its value past what only writes a barrier.
    S(ODD I "@P1 BRA `(.L_1)" N I "UMOV UR4, 0x1" N I "BSSY B0, `(.L_2)" N I "MOV R4, UR4" N
      I "BSYNC B0" N ".L_2:\n" I "BRA `(.L_9)" N ".L_1:\n" I "UMOV UR4, 0x2" N I "BSSY B1, `(.L_3)" N
      I "BMOV.32.CLEAR R6, B1" N I "BMOV.32 B1, R6" N I "BREAK B1" N I "MOV R4, UR4" N
      I "BSSY B1, `(.L_3)" N I "BSYNC B1" N ".L_3:\n.L_9:\n", i % 2 ? 2 : 1);
    // Lanes whose guard is false have come to the first of two waits.
    S(ODD I "MOV R6, 0xffffffff" N I "@P1 WARPSYNC.EXCLUSIVE R6" N I "@P1 VOTE.ANY R5, PT, P1" N
      I "WARPSYNC.EXCLUSIVE R6" N I "VOTE.ANY R4, PT, PT" N, -1);
    // A table, and a branch by it.
    S(TABLE I "LOP3.LUT R6, R0, 0x3, RZ, 0xc0, !PT" N I "SHF.L.U32 R6, R6, 0x2, RZ" N
      I "LDC R4, c[0x2][R6]" N, in_table[i % 4]);
    S(TABLE I "MOV R4, c[0x2][0x4]" N, 0x120);
    S(TABLE I "MOV R254, 0x4" N I "LDC R4, c[0x2][R254]" N, 0x120);
    S(TABLE I "UMOV UR4, 0x4" N I "LDC R4, c[0x2][UR4+0x4]" N, 7);
    NOT(I "LDG.E R4, (R2.64)" N, "the operands of");
    NOT(I "LDG.E R4, desc[UR4][R2.640x4]" N, "the operands of");
    NOT(I "LOP3.AND R4, R0, 0x3, RZ, 0xc0, !PT" N, "the operation");
    NOT(I "NOP a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a" N, "the operands of");
    S(TABLE ODD I "SEL R6, 0x20, RZ, P1" N I "MOV R7, RZ" N I "MOV R4, R0" N
      "/*0100*/ BRX R6 0x10 (*\"BRANCH_TARGETS .L_x_1,.L_x_2\"*);\n/*0110*/ NOP ;\n/*0120*/ VIADD R4, R4, 0x5 ;\n"
      "/*0130*/ BRA `(.L_9) ;\n/*0140*/ VIADD R4, R4, 0x7 ;\n.L_9:\n", i + (i % 2 ? 7 : 5));
    S(I "MOV R6, 0x220" N I "MOV R7, RZ" N I "MOV R4, R0" N "/*0100*/ BRX R6 -0x210 ;\n"
      "/*0110*/ VIADD R4, R4, 0x5 ;\n/*0120*/ VIADD R4, R4, 0x7 ;\n", i + 7);
    NOT(I "MOV R6, 0x10" N I "MOV R7, 0x1" N "/*0100*/ BRX R6 -0x10 ;\n/*0110*/ NOP ;\n",
        "a branch to byte 0x100000110");
    NOT(I "MOV R6, 0x18" N I "MOV R7, RZ" N "/*0100*/ BRX R6 -0x10 ;\n/*0110*/ NOP ;\n",
        "a branch to byte 0x118");
    NOT(I "BRX R6" N, "the operands of");
    NOT(I "BRX UR6 0x10" N, "the operands of");
    NOT(I "BRX RZ 0x10" N, "the operands of");
    NOT(I "BRX.U R6 0x10" N, "the operation");
    NOT(TABLE I "MOV R4, c[0x2][0x10]" N, "the constant c[0x2][0x10]");
    NOT(TABLE I "MOV R4, c[0x2][0x2]" N, "the constant c[0x2][0x2]");
    NOT("\t.section .nv.constant2.tf_main,\n.word .L_x_1\n", "the constants ' .L_x_1'");
    NOT("\t.section .nv.constant2.tf_main,\n.zero 65537\n", "the constants '.zero 65537'");
    NOT("\t.section .nv.constant2.tf_main,\n.zero ,\n", "the constants '.zero ,'");
    S("\t.section .nv.constant2.tf_main,\n.zero 65536\n\t.section .text.tf_main\n"
      I "MOV R4, c[0x2][0xfffc]" N, 0);
    NOT("\t.section .nv.constant2.tf_main,\n.dword 4\n", "the constants '.dword 4'");
    NOT(I "MOV R6, 0x1000" N I "RET.REL.NODEC R6 `(.text.tf_main)" N, "a return to byte 0x1000");
    NOT(I "MOV R6, 0x108" N I "RET.REL.NODEC R6 `(.text.tf_main)" N "/*0100*/ NOP ;\n"
        "/*0110*/ NOP ;\n", "a return to byte 0x108");
    NOT(I "RET.REL.NODEC R6 `(.L_1)" N ".L_1:\n", "a return to a place that is not counted from the start");
    NOT(I "RET.REL.NODEC R6" N, "the operands of");
    NOT(I "CALL.ABS.NOINC `(.L_1)" N ".L_1:\n", "the operation");
    // Barriers are cleared, and kept in registers.
    S(ODD I "BSSY B0, `(.L_2)" N I "BMOV.32.CLEAR R6, B0" N I "@P1 BRA `(.L_1)" N ".L_1:\n"
      I "BMOV.32 B0, R6" N I "BSYNC B0" N ".L_2:\n" I "VOTE.ANY R4, PT, PT" N, -1);
    S(I "BMOV.32.CLEAR RZ, B0" N I "MOV R4, 0x1" N I "BMOV.32 RZ, B1" N, 1);
    NOT(I "BSSY B0, `(.L_2)" N I "BMOV.32.CLEAR RZ, B0" N I "BSYNC B0" N ".L_2:\n",
        "bsync of a barrier that lane 0 did not begin");
    NOT(I "BSSY B0, `(.L_2)" N I "BMOV.32.CLEAR R6, B0" N I "BSYNC B0" N ".L_2:\n",
        "bsync of a barrier that lane 0 did not begin");
    NOT(I "MOV R6, 0x63" N I "BMOV.32 B0, R6" N, "bmov of a value that is not a barrier");
    NOT(I "BMOV.32 B0, 0x1" N, "the operands of");
    NOT(I "BMOV.64 B0, R6" N, "the operation");
    NOT(I "BRA .L_1" N ".L_1:\n", "the operands of");
    NOT(I "BRA `(.L_1" N ".L_1:\n", "the operands of");
    NOT(I "BRA `()" N ".L_1:\n", "the operands of");
    NOT(I "BSSY B16, `(.L_1)" N ".L_1:\n", "the operands of");
    NOT(I "BSSY.FOO B0, `(.L_1)" N ".L_1:\n", "the operation");
    NOT(".L_1:\n.L_1:\n", "the second label '.L_1'");
    NOT(I "BSSY B0, `(.L_1)" N I "BSYNC B1" N ".L_1:\n", "does not follow its BSYNC");
    NOT(I "BSYNC B1" N, "bsync of a barrier that lane 0 did not begin");
    NOT(I "BREAK B1" N, "break of a barrier that lane 0 did not begin");
    NOT(I "WARPSYNC.SOME R4" N, "the operation");
    NOT(I "BPT.INT 0x1" N, "the operation");
    NOT(I "MOV R6, 0x3" N ODD I "@P1 BRA `(.L_1)" N I "EXIT" N ".L_1:\n" I "MOV R6, 0xaaaaaaa8" N
        I "WARPSYNC R6" N, "lane 1 waits for the lanes 0xaaaaaaa8, without itself");
}

// ---- PTX -------------------------------------------------------------------

static void ptx_values(void **state)
{
    (void)state;
    P("  mov.b32 %r, %x;\n", i);
    P("  mov.u32 %r, %laneid;\n", i);
    P("  mov.u32 %r, %lanemask_lt;\n", (1u << i) - 1);
    P("  mov.u32 %r, %lanemask_le;\n", (2u << i) - 1);
    P("  mov.u32 %r, %ctaid.x;\n", 0);
    P("  mov.u32 %r, %tid.y;\n", 0);
    P("  mov.pred %p, %false;\n  selp.b32 %r, 7, %x, %p;\n", i);
    P("  mov.pred %p, %true;\n  selp.b32 %r, 7, %x, %p;\n", 7);
    P("  cvta.to.global.u64 %v, %d;\n  st.global.u32 [%v], %x;\n  ld.global.u32 %r, [%d];\n", i);
    P("  ld.param.u32 %r, [groups0];\n", 1);
    P("  ld.param.u32 %r, [groups2];\n", 1);
    P("  add.u32 %r, %x, 5;\n", i + 5);
    P("  sub.u32 %r, %x, 5;\n", i - 5);
    P("  sub.u32 %r, 5, %x;\n", 5 - i);
    P("  mul.lo.u32 %r, %x, 5;\n", 5 * i);
    P("  mad.lo.u32 %r, %x, 5, 2;\n", 5 * i + 2);
    P("  neg.s32 %r, %x;\n", 0 - i);
    P("  div.u32 %r, 4294967295, %x;\n", i ? UINT32_MAX / i : UINT32_MAX);
    P("  sub.u32 %a, 0, %x;\n  div.s32 %r, %a, 3;\n", -((int32_t)i / 3));
    P("  sub.u32 %a, 0, %x;\n  rem.s32 %r, %a, 3;\n", -((int32_t)i % 3));
    P("  rem.u32 %r, %x, 3;\n", i % 3);
    P("  sub.u32 %a, %x, 16;\n  div.u32 %r, %a, 3;\n", (i - 16) / 3);
    P("  sub.u32 %a, %x, 16;\n  rem.u32 %r, %a, 3;\n", (i - 16) % 3);
    P("  and.b32 %r, %x, 6;\n", i & 6);
    P("  or.b32 %r, %x, 6;\n", i | 6);
    P("  xor.b32 %r, %x, 6;\n", i ^ 6);
    P("  not.b32 %r, %x;\n", ~i);
    P("  shl.b32 %r, 3, %x;\n", 3u << i);
    P("  shr.u32 %r, 2147483649, %x;\n", 0x80000001u >> i);
    P("  shr.s32 %r, 2147483649, %x;\n", (int32_t)0x80000001 >> i);
    P("  sub.u32 %a, %x, 16;\n  min.u32 %r, %a, 5;\n", i - 16 < 5 ? i - 16 : 5);
    P("  sub.u32 %a, %x, 16;\n  min.s32 %r, %a, 5;\n", (int32_t)(i - 16) < 5 ? i - 16 : 5);
    P("  sub.u32 %a, %x, 16;\n  max.u32 %r, %a, 5;\n", i - 16 > 5 ? i - 16 : 5);
    P("  sub.u32 %a, %x, 16;\n  max.s32 %r, %a, 5;\n", (int32_t)(i - 16) > 5 ? i - 16 : 5);
    P("  popc.b32 %r, %x;\n", __builtin_popcount(i));
    P("  bfind.u32 %r, %x;\n", i ? 31 - __builtin_clz(i) : -1);
    P("  add.s64 %v, %d, %w;\n  sub.s64 %v, %v, %w;\n  st.global.u32 [%v], %x;\n"
      "  ld.global.u32 %r, [%d];\n", i);
    P("  mul.wide.u32 %v, 4026531840, 16;\n  mul.wide.u32 %w, 4026531840, 15;\n  sub.s64 %v, %v, %w;\n"
      "  sub.s64 %v, %v, 4026531840;\n  add.s64 %v, %v, %d;\n  st.global.u32 [%v], %x;\n"
      "  ld.global.u32 %r, [%d];\n", i);
#define CMP_PTX(name, op)                                                                          \
    P("  sub.u32 %a, %x, 16;\n  setp." name ".s32 %p, %a, 3;\n  selp.b32 %r, 1, 0, %p;\n",         \
      (int32_t)(i - 16) op 3);                                                                     \
    P("  sub.u32 %a, %x, 16;\n  setp." name ".u32 %p, %a, 3;\n  selp.b32 %r, 1, 0, %p;\n", i - 16 op 3)
    CMP_PTX("eq", ==);
    CMP_PTX("ne", !=);
    CMP_PTX("lt", <);
    CMP_PTX("le", <=);
    CMP_PTX("gt", >);
    CMP_PTX("ge", >=);
#define BOTH "  setp.lt.u32 %p, %x, 9;\n  setp.gt.u32 %q, %x, 4;\n"
    P(BOTH "  and.pred %p, %p, %q;\n  selp.b32 %r, 1, 0, %p;\n", i < 9 && i > 4);
    P(BOTH "  or.pred %p, %p, %q;\n  selp.b32 %r, 1, 0, %p;\n", i < 9 || i > 4);
    P(BOTH "  xor.pred %p, %p, %q;\n  selp.b32 %r, 1, 0, %p;\n", (i < 9) != (i > 4));
    P(BOTH "  not.pred %p, %p;\n  selp.b32 %r, 1, 0, %p;\n", i >= 9);
    P("  setp.lt.u32 %p, %x, 9;\n  mov.b32 %r, 1;\n  @%p mov.b32 %r, 2;\n", i < 9 ? 2 : 1);
    P("  setp.lt.u32 %p, %x, 9;\n  mov.b32 %r, 1;\n  @!%p mov.b32 %r, 2;\n", i < 9 ? 1 : 2);
    P("  setp.lt.u32 %p, %x, 9;\n  mov.b32 %r, 1;\n  @%p bra $e;\n  mov.b32 %r, 2;\n$e:\n",
      i < 9 ? 1 : 2);
    P("  mov.b32 %r, 1;\n  bra $e;\n  mov.b32 %r, 2;\n$e:\n", 1);
}

static void ptx_groups(void **state)
{
    (void)state;
#define LOW "  setp.lt.u32 %p, %x, 9;\n"
    P(LOW "  vote.sync.ballot.b32 %r, %p, %m;\n", 0x1ff);
    P(LOW "  vote.sync.any.pred %q, %p, %m;\n  selp.b32 %r, 1, 0, %q;\n", 1);
    P(LOW "  vote.sync.all.pred %q, %p, %m;\n  selp.b32 %r, 1, 0, %q;\n", 0);
    P(LOW "  vote.sync.uni.pred %q, %p, %m;\n  selp.b32 %r, 1, 0, %q;\n", 0);
    P("  vote.sync.uni.pred %q, %false, %m;\n  selp.b32 %r, 1, 0, %q;\n", 1);
    P("  shfl.sync.idx.b32 %r, %x, 3, 31, %m;\n", 3);
    P("  shfl.sync.up.b32 %r, %x, 3, 0, %m;\n", i < 3 ? i : i - 3);
    P("  shfl.sync.down.b32 %r, %x, 3, 31, %m;\n", i < 29 ? i + 3 : i);
    P("  shfl.sync.bfly.b32 %r, %x, 3, 31, %m;\n", i ^ 3);
    P("  and.b32 %a, %x, 3;\n  match.any.sync.b32 %r, %a, %m;\n", 0x11111111u << (i & 3));
    P("  match.all.sync.b32 %r|%p, %x, %m;\n", 0);
    P("  match.all.sync.b32 %a|%p, 5, %m;\n  selp.b32 %r, 1, 0, %p;\n", 1);
    P("  match.all.sync.b32 %r|%p, 5, %m;\n", -1);
#define MINUS16 "  sub.u32 %a, %x, 16;\n"
    P(MINUS16 "  redux.sync.add.u32 %r, %a, %m;\n", -16);
    P(MINUS16 "  redux.sync.min.u32 %r, %a, %m;\n", 0);
    P(MINUS16 "  redux.sync.max.u32 %r, %a, %m;\n", -1);
    P(MINUS16 "  redux.sync.min.s32 %r, %a, %m;\n", -16);
    P(MINUS16 "  redux.sync.max.s32 %r, %a, %m;\n", 15);
    P("  or.b32 %a, %x, 64;\n  redux.sync.and.b32 %r, %a, %m;\n", 64);
    P("  redux.sync.or.b32 %r, %x, %m;\n", 31);
    P("  redux.sync.xor.b32 %r, 3, %m;\n", 0);
    // Each operation waits: the lanes come one half after the other.
#define SPLIT "  setp.lt.u32 %p, %x, 9;\n  @%p bra $e;\n$e:\n"
    P(SPLIT "  vote.sync.ballot.b32 %r, %true, %m;\n", -1);
    P(SPLIT "  shfl.sync.idx.b32 %r, %x, 20, 31, %m;\n", 20);
    P(SPLIT "  match.any.sync.b32 %r, 1, %m;\n", -1);
    P(SPLIT "  redux.sync.add.u32 %r, 1, %m;\n", 32);
}

static void ptx_refused(void **state)
{
    (void)state;
    NOT_PTX("  .reg .f32 %f;\n", "the declaration '.reg .f32 %f'");
    NOT_PTX("  .reg .b32 f;\n", "the declaration");
    NOT_PTX("  mov.b32 %r, %none;\n", "the operand '%none'");
    NOT_PTX("  mov.b32 %r;\n", "the operands of");
    NOT_PTX("  mov.b32 %r, %x, %x;\n", "the operands of");
    NOT_PTX("  ld.param.u32 %r, [other0];\n", "the parameter of");
    NOT_PTX("  ld.param.u32 %r, [groupsx];\n", "the parameter of");
    NOT_PTX("  ld.param.u32 %r, [groups3];\n", "the constant c[0x0][0x224]");
    NOT_PTX("  ld.param.u32 %r;\n", "the parameter of");
    NOT_PTX("  ld.global.u32 %r;\n", "the operands of");
    NOT_PTX("  ld.global.u32 %r, [%none];\n", "the operand");
    NOT_PTX("  setp.xx.u32 %p, %x, 1;\n", "the operation");
    NOT_PTX("  sin.approx.f32 %r, %x;\n", "the operation 'sin.approx.f32 %r, %x'");
    NOT_PTX("  bra $none;\n", "the undefined label '$none'");
    NOT_PTX("  bra;\n", "the operands of");
    NOT_PTX("  @%none mov.b32 %r, 1;\n", "the predicate of");
    NOT_PTX("  mov.b32 %r, 1\n", "the line");
    NOT_PTX("$a:\n$a:\n", "the second label '$a'");
    NOT_PTX("  match.all.sync.b32 %r|%none, %x, %m;\n", "the operand '%none'");
    NOT_PTX("  vote.sync.ballot.b32 %r, %true;\n", "the operands of");
    static const char *const short_of_one[] = {
        "setp.eq.u32 %p, %x",      "and.b32 %r, %x",     "not.b32 %r",        "shl.b32 %r, %x",  "add.u32 %r, %x",
        "min.u32 %r, %x",          "popc.b32 %r",        "div.u32 %r, %x",    "selp.b32 %r, 1, 2", "mul.wide.u32 %v, %x",
        "mul.lo.u32 %r, %x",       "mad.lo.u32 %r, %x, 1", "neg.s32 %r",      "redux.sync.add.u32 %r, %x",
        "shfl.sync.up.b32 %r, %x, 1, 0", "match.any.sync.b32 %r, %x",
    };
    struct arena a = {0};
    for (size_t k = 0; k < sizeof short_of_one / sizeof *short_of_one; k++)
        NOT_PTX(arena_printf(&a, "  %s;\n", short_of_one[k]), "the operands of");
    arena_free(&a);
    NOT_PTX("  trap;\n", "a lane comes to a trap");
}

// What ptxas refuses: a second declaration, other types, a target that is none, another launch.
static void ptx_checked(void **state)
{
    (void)state;
    P(".version 8.0\n.target sm_75\n.address_size 64\n.reqntid 32, 1, 1\n  mov.b32 %r, 7;\n", 7);
    NOT_PTX(".version 8.5\n", "the line '.version 8.5'");
    NOT_PTX(".target sm_76\n", "the line '.target sm_76'");
    NOT_PTX(".address_size 32\n", "the line");
    NOT_PTX(".reqntid 32, 1\n", "the line");
    NOT_PTX(".reqntid 32, 1, 1, 1\n", "the line");
    NOT_PTX(".reqntid 32, 1,\n", "the line");
    NOT_PTX(".reqntid 16, 2, 1\n", "launched with another size than .reqntid");
    NOT_PTX(".reqntid 32, 1, 2\n", "launched with another size than .reqntid");
    NOT_PTX("  .reg .b32 %x;\n", "the second declaration of '%x'");
    NOT_PTX("  .reg .pred %n, %n;\n", "the second declaration of '%n'");
    NOT_PTX("  mov.pred %p, %x;\n", "the types of 'mov.pred %p, %x'");
    NOT_PTX("  mov.pred %p, 1;\n", "the types of");
    NOT_PTX("  mov.b32 %r, %p;\n", "the types of");
    NOT_PTX("  mov.b32 %r, %d;\n", "the types of");
    NOT_PTX("  mov.b32 5, %r;\n", "the types of");
    NOT_PTX("  mov.u32 %p, %laneid;\n", "the types of");
    NOT_PTX("  cvta.to.global.u64 %r, %d;\n", "the types of");
    NOT_PTX("  selp.b32 %r, 1, 2, %x;\n", "the types of");
    NOT_PTX("  setp.eq.u32 %r, 1, 2;\n", "the types of");
    NOT_PTX("  setp.eq.u32 %p, %q, 2;\n", "the types of");
    NOT_PTX("  and.pred %p, %q, %x;\n", "the types of");
    NOT_PTX("  vote.sync.ballot.b32 %p, %q, %m;\n", "the types of");
    NOT_PTX("  vote.sync.ballot.b32 %r, %x, %m;\n", "the types of");
    NOT_PTX("  vote.sync.all.pred %p, %q, %true;\n", "the types of");
    NOT_PTX("  vote.sync.all.pred %r, %q, %m;\n", "the types of");
    NOT_PTX("  mul.wide.u32 %r, %x, 4;\n", "the types of");
    NOT_PTX("  mul.wide.u32 %v, %w, 4;\n", "the types of");
    NOT_PTX("  add.s64 %d, %x, %d;\n", "the types of");
    NOT_PTX("  ld.global.u32 %r, [%x];\n", "the types of");
    NOT_PTX("  ld.global.u32 %p, [%d];\n", "the types of");
    NOT_PTX("  st.global.u32 [%x], %r;\n", "the types of");
    NOT_PTX("  st.global.u32 [%d], %p;\n", "the types of");
    NOT_PTX("  ld.param.u64 %r, [buffer0];\n", "the types of");
    NOT_PTX("  ld.param.u32 %p, [groups0];\n", "the types of");
    NOT_PTX("  ld.param.u32 %r, [buffer0];\n", "the parameter of");
    NOT_PTX("  ld.param.u64 %d, [groups0];\n", "the parameter of");
    NOT_PTX("  match.all.sync.b32 %r|%a, %x, %m;\n", "the types of");
    NOT_PTX("  @%x mov.b32 %r, 1;\n", "the predicate of");
}

// Before sm_90, parameters have another place, and addresses another form.
static void older(void **state)
{
    static const struct cuda_trial sm75 = {.sm = 75}, sm89 = {.sm = 89};
    (void)state;
    LEAVES(&sm75, I "STG.E.SYS [R2+0x80], R0" N I "LDG.E.SYS R4, [R2+0x80]" N, i);
    LEAVES(&sm75, I "STG.E.SYS [R2], R0" N I "LDG.E.SYS R4, [R2]" N, i);
    LEAVES(&sm75, I "IADD3 R2, P1, R2, 0x40, RZ" N I "IADD3.X R3, R3, RZ, RZ, P1, !PT" N
          I "STG.E.SYS [R2-0x40], R0" N I "LDG.E.SYS R4, [R2+-0x40]" N
          I "IADD3 R2, P1, R2, -0x40, RZ" N I "IADD3.X R3, R3, -0x1, RZ, P1, !PT" N, i);
    LEAVES(&sm89, I "STG.E [R2.64+0x80], R0" N I "LDG.E R4, [R2.64+0x80]" N, i);
    LEAVES(&sm89, I "IADD3 R4, R0, c[0x0][0x168], RZ" N, i + 1);
    LEAVES(&sm89, I "ULDC.64 UR4, c[0x0][0x118]" N I "MOV R4, UR4" N, 0);
    cuda_refuses(&sm89, I "MOV R4, c[0x0][0x208]" N, "the constant c[0x0][0x208]");
    NOT(I "MOV R4, c[0x0][0x118]" N, "the constant c[0x0][0x118]");
    NOT(I "LDG.E R4, [-R2]" N, "the operands of");
    NOT(I "LDG.E R4, []" N, "the operands of");
    NOT(I "LDG.E R4, [R2" N, "the operands of");
}

// Groups of several workgroups and of two warps: where a lane is.
static void places(void **state)
{
    static const struct cuda_trial two = {.local = {8, 4, 2}, .groups = 1}, many = {.groups = 3};
    struct arena a = {0};
    uint32_t words[WORDS] = {0};
    (void)state;
    struct isa_result r = cuda_try(
        &a, &two,
        SASS_START I "S2R R5, SR_TID.Y" N I "S2R R6, SR_TID.Z" N I "IMAD.WIDE.U32 R2, R5, 0x20, R2" N
        I "IMAD.WIDE.U32 R2, R6, 0x80, R2" N I "LEA R4, R6, R5, 0x8" N SASS_END, words);
    assert_string_equal(r.text, "");
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(words[i], (i >> 5) << 8 | (i >> 3 & 3));
    r = cuda_try(
        &a, &many,
        SASS_START I "S2R R4, SR_CTAID.X" N I "LDC R5, c[0x0][0x218]" N
        I "IMAD.WIDE.U32 R2, R4, 0x80, R2" N I "IADD3 R4, R4, R5, RZ" N SASS_END, words);
    assert_string_equal(r.text, "");
    for (uint32_t i = 0; i < 96; i++)
        assert_int_equal(words[i], i / 32 + 3);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),       cmocka_unit_test(products),   cmocka_unit_test(compares),
        cmocka_unit_test(logic),      cmocka_unit_test(shifts),     cmocka_unit_test(choices),
        cmocka_unit_test(moves),      cmocka_unit_test(accesses),   cmocka_unit_test(lanes),
        cmocka_unit_test(flow),       cmocka_unit_test(ptx_values), cmocka_unit_test(ptx_groups),
        cmocka_unit_test(ptx_refused), cmocka_unit_test(ptx_checked), cmocka_unit_test(older),
        cmocka_unit_test(places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
