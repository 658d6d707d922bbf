// SPDX-License-Identifier: Apache-2.0
//
// Kept texts: the code of ANV (Mesa 26.2.6) for rule M6 of corpus/rules/ (a loop with a ballot in the block of its break) for
// three generations, as Intel's disassembler prints it. Eight invocations; invocation l leaves in iteration l % 4.
#ifndef TF_TEST_EU_TEXTS_H
#define TF_TEST_EU_TEXTS_H

#include "eu/eu.h"

static const struct eu_text {
    const char *name;
    enum eu_gen gen;
    uint32_t size;
    struct eu_source source;
} eu_texts[] = {
    {"9a49, 16 lanes", EU_GFX12, 16,
     {.assembly =
          "L0:\n"
          "(W) shl (8|M0) r2.0<1>:d r1.1<0;1,0>:d 0x4:ud\n"
          "mov (16|M0) r10.0<1>:ud 0x0:ud\n"
          "(W) mov (8|M0) r5.0<1>:uw 0x76543210:v\n"
          "(W) add (8|M0) r5.8<1>:uw r5.0<8;8,1>:uw 0x8:uw {Compacted,@1}\n"
          "(W) sync.nop null {@1}\n"
          "mov (16|M0) r3.0<1>:ud r5.0<8;8,1>:uw\n"
          "(W) sync.nop null {@1}\n"
          "add (16|M0) r6.0<1>:d r3.0<8;8,1>:d r2.0<0;1,0>:d {Compacted}\n"
          "and (16|M0) r8.0<1>:ud r6.0<8;8,1>:ud 0x3:ud {Compacted,@1}\n"
          "L120:\n"
          "cmp (16|M0) (eq)f0.0 null<1>:d r10.0<8;8,1>:d r8.0<8;8,1>:d {@1}\n"
          "(f0.0) if (16|M0) L304 L304\n"
          "L152:\n"
          "(W) mov (1|M0) r18.0<1>:ud ce<0;1,0>:ud {Compacted,@1}\n"
          "(W) and (1|M0) r18.0<1>:ud r18.0<0;1,0>:ud 0xFFFFFFFF:ud {@1}\n"
          "shl (16|M0) r12.0<1>:d r6.0<8;8,1>:d 0x4:ud {$0.src}\n"
          "(W) mov (1|M0) r19.0<1>:ud sr0.2<0;1,0>:ud {Compacted,@1}\n"
          "(W) and (1|M0) r19.0<1>:ud r19.0<0;1,0>:ud 0xFFFFFFFF:ud {@1}\n"
          "(W) and (1|M0) r19.0<1>:ud r18.0<0;1,0>:ud r19.0<0;1,0>:ud {Compacted,@1}\n"
          "(W) mov (1|M0) r14.0<1>:ud r19.0<0;1,0>:ud {@1}\n"
          "(W) sync.nop null {@1}\n"
          "mov (16|M0) r16.0<1>:ud r14.0<0;1,0>:ud\n"
          "send.dc1 (16|M0) null r12 r16 0x80 0x04025E01 {@1,$0}\n"
          "break (16|M0) L304 L328\n"
          "L304:\n"
          "endif (16|M0) L328\n"
          "L320:\n"
          "add (16|M0) r10.0<1>:d r10.0<8;8,1>:d 1:d {Compacted}\n"
          "L328:\n"
          "while (16|M0) L120\n"
          "L344:\n"
          "(W) mov (1|M0) r20.0<1>:ud ce<0;1,0>:ud {Compacted,@1}\n"
          "(W) and (1|M0) r20.0<1>:ud r20.0<0;1,0>:ud 0xFFFFFFFF:ud {@1}\n"
          "(W) sync.nop null {$0.src}\n"
          "add (16|M0) r9.0<1>:d r12.0<8;8,1>:d 4:d {Compacted,@2}\n"
          "(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud\n"
          "(W) mov (1|M0) r21.0<1>:ud sr0.2<0;1,0>:ud {Compacted,@1}\n"
          "(W) and (1|M0) r21.0<1>:ud r21.0<0;1,0>:ud 0xFFFFFFFF:ud {@1}\n"
          "(W) and (1|M0) r21.0<1>:ud r20.0<0;1,0>:ud r21.0<0;1,0>:ud {Compacted,@1}\n"
          "(W) mov (1|M0) r15.0<1>:ud r21.0<0;1,0>:ud {@1}\n"
          "(W) sync.nop null {@1}\n"
          "mov (16|M0) r17.0<1>:ud r15.0<0;1,0>:ud\n"
          "send.dc1 (16|M0) null r9 r17 0x80 0x04025E01 {@1,$1}\n"
          "(W) send.ts (16|M0) null r127 null 0x0 0x02000000 {EOT,@1}\n",
      .nir =
          "con 32 %553 = @resource_intel (%549 (0xdeaddead), %6 (0x1), %644 (0x0), %644 (0x0)) (desc_set=0, binding=0, resource_intel=0, resource_block_intel=-1)\n",
      .push = "RANGE0 (32B): Vulkan push constants and API params\n"}},
    {"9a49, 32 lanes", EU_GFX12, 32,
     {.assembly =
          "L0:\n"
          "(W) shl (8|M0) r2.0<1>:d r1.1<0;1,0>:d 0x4:ud\n"
          "mov (16|M0) r10.0<1>:ud 0x0:ud\n"
          "(W) mov (8|M0) r5.0<1>:uw 0x76543210:v\n"
          "(W) add (8|M0) r5.8<1>:uw r5.0<8;8,1>:uw 0x8:uw {Compacted,@1}\n"
          "(W) sync.nop null {@1}\n"
          "mov (16|M0) r3.0<1>:ud r5.0<8;8,1>:uw\n"
          "(W) sync.nop null {@1}\n"
          "add (16|M0) r6.0<1>:d r3.0<8;8,1>:d r2.0<0;1,0>:d {Compacted}\n"
          "and (16|M0) r8.0<1>:ud r6.0<8;8,1>:ud 0x3:ud {Compacted,@1}\n"
          "L120:\n"
          "cmp (16|M0) (eq)f0.0 null<1>:d r10.0<8;8,1>:d r8.0<8;8,1>:d {@1}\n"
          "(f0.0) if (16|M0) L304 L304\n"
          "L152:\n"
          "(W) mov (1|M0) r18.0<1>:ud ce<0;1,0>:ud {Compacted,@1}\n"
          "(W) and (1|M0) r18.0<1>:ud r18.0<0;1,0>:ud 0xFFFFFFFF:ud {@1}\n"
          "shl (16|M0) r12.0<1>:d r6.0<8;8,1>:d 0x4:ud {$0.src}\n"
          "(W) mov (1|M0) r19.0<1>:ud sr0.2<0;1,0>:ud {Compacted,@1}\n"
          "(W) and (1|M0) r19.0<1>:ud r19.0<0;1,0>:ud 0xFFFFFFFF:ud {@1}\n"
          "(W) and (1|M0) r19.0<1>:ud r18.0<0;1,0>:ud r19.0<0;1,0>:ud {Compacted,@1}\n"
          "(W) mov (1|M0) r14.0<1>:ud r19.0<0;1,0>:ud {@1}\n"
          "(W) sync.nop null {@1}\n"
          "mov (16|M0) r16.0<1>:ud r14.0<0;1,0>:ud\n"
          "send.dc1 (16|M0) null r12 r16 0x80 0x04025E01 {@1,$0}\n"
          "break (16|M0) L304 L328\n"
          "L304:\n"
          "endif (16|M0) L328\n"
          "L320:\n"
          "add (16|M0) r10.0<1>:d r10.0<8;8,1>:d 1:d {Compacted}\n"
          "L328:\n"
          "while (16|M0) L120\n"
          "L344:\n"
          "(W) mov (1|M0) r20.0<1>:ud ce<0;1,0>:ud {Compacted,@1}\n"
          "(W) and (1|M0) r20.0<1>:ud r20.0<0;1,0>:ud 0xFFFFFFFF:ud {@1}\n"
          "(W) sync.nop null {$0.src}\n"
          "add (16|M0) r9.0<1>:d r12.0<8;8,1>:d 4:d {Compacted,@2}\n"
          "(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud\n"
          "(W) mov (1|M0) r21.0<1>:ud sr0.2<0;1,0>:ud {Compacted,@1}\n"
          "(W) and (1|M0) r21.0<1>:ud r21.0<0;1,0>:ud 0xFFFFFFFF:ud {@1}\n"
          "(W) and (1|M0) r21.0<1>:ud r20.0<0;1,0>:ud r21.0<0;1,0>:ud {Compacted,@1}\n"
          "(W) mov (1|M0) r15.0<1>:ud r21.0<0;1,0>:ud {@1}\n"
          "(W) sync.nop null {@1}\n"
          "mov (16|M0) r17.0<1>:ud r15.0<0;1,0>:ud\n"
          "send.dc1 (16|M0) null r9 r17 0x80 0x04025E01 {@1,$1}\n"
          "(W) send.ts (16|M0) null r127 null 0x0 0x02000000 {EOT,@1}\n",
      .nir =
          "con 32 %553 = @resource_intel (%549 (0xdeaddead), %6 (0x1), %644 (0x0), %644 (0x0)) (desc_set=0, binding=0, resource_intel=0, resource_block_intel=-1)\n",
      .push = "RANGE0 (32B): Vulkan push constants and API params\n"}},
    {"56a0, 8 lanes", EU_GFX12_5, 8,
     {.assembly =
          "L0:\n"
          "mov (16|M0) r3.0<1>:ud r1.0<8;8,1>:uw\n"
          "mov (16|M0) r5.0<1>:ud 0x0:ud\n"
          "and (16|M0) r1.0<1>:ud r3.0<1;1,0>:ud 0x3:ud {Compacted,I@2}\n"
          "L40:\n"
          "cmp (16|M0) (eq)f0.0 null<1>:d r5.0<8;8,1>:d r1.0<8;8,1>:d {I@1}\n"
          "(f0.0) if (16|M0) L240 L240\n"
          "L72:\n"
          "(W) mov (1|M0) r13.0<1>:ud ce<0;1,0>:ud {Compacted,A@1}\n"
          "(W) and (1|M0) r13.0<1>:ud r13.0<0;1,0>:ud 0xFFFFFFFF:ud {A@1}\n"
          "shl (16|M0) r7.0<1>:d r3.0<8;8,1>:d 0x4:ud {$0.src}\n"
          "(W) mov (1|M0) r14.0<1>:ud sr0.2<0;1,0>:ud {Compacted,A@1}\n"
          "(W) and (1|M0) r14.0<1>:ud r14.0<0;1,0>:ud 0xFFFFFFFF:ud {A@1}\n"
          "(W) and (1|M0) r14.0<1>:ud r13.0<0;1,0>:ud r14.0<0;1,0>:ud {Compacted,I@1}\n"
          "(W) mov (1|M0) r9.0<1>:ud r14.0<0;1,0>:ud {I@1}\n"
          "(W) sync.nop null {I@1}\n"
          "mov (16|M0) r11.0<1>:ud r9.0<0;1,0>:ud\n"
          "(W) sync.nop null {I@1}\n"
          "send.ugm (16|M0) null r7 r11:2 0x0 0x64000504 {$0}\n"
          "break (16|M0) L240 L264\n"
          "L240:\n"
          "endif (16|M0) L264\n"
          "L256:\n"
          "add (16|M0) r5.0<1>:d r5.0<1;1,0>:d 1:d {Compacted}\n"
          "L264:\n"
          "while (16|M0) L40\n"
          "L280:\n"
          "(W) mov (1|M0) r15.0<1>:ud ce<0;1,0>:ud {Compacted,A@1}\n"
          "(W) and (1|M0) r15.0<1>:ud r15.0<0;1,0>:ud 0xFFFFFFFF:ud {A@1}\n"
          "(W) sync.nop null {$0.src}\n"
          "add (16|M0) r2.0<1>:d r7.0<1;1,0>:d 4:d {Compacted,I@2}\n"
          "(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud\n"
          "(W) mov (1|M0) r16.0<1>:ud sr0.2<0;1,0>:ud {Compacted,A@1}\n"
          "(W) and (1|M0) r16.0<1>:ud r16.0<0;1,0>:ud 0xFFFFFFFF:ud {A@1}\n"
          "(W) and (1|M0) r16.0<1>:ud r15.0<0;1,0>:ud r16.0<0;1,0>:ud {Compacted,I@1}\n"
          "(W) mov (1|M0) r10.0<1>:ud r16.0<0;1,0>:ud {I@1}\n"
          "(W) sync.nop null {I@1}\n"
          "mov (16|M0) r12.0<1>:ud r10.0<0;1,0>:ud\n"
          "(W) sync.nop null {I@1}\n"
          "send.ugm (16|M0) null r2 r12:2 0x0 0x64000504 {$1}\n"
          "(W) send.gtwy (16|M0) null r127 null:0 0x0 0x02000000 {EOT,A@1}\n",
      .nir =
          "div 32x3 %719 = @load_local_invocation_id\n"
          "con 32 %647 = @resource_intel (%645 (0xdeaddead), %3 (0x0), %3 (0x0), %3 (0x0)) (desc_set=0, binding=0, resource_intel=0, resource_block_intel=-1)\n",
      .push = NULL}},
    {"e20b, 16 lanes", EU_XE2, 16,
     {.assembly =
          "L0:\n"
          "mov (16|M0) r3.0<1>:ud r1.0<8;8,1>:uw\n"
          "mov (16|M0) r4.0<1>:ud 0x0:ud {Compacted}\n"
          "and (16|M0) r1.0<1>:ud r3.0<8;8,1>:ud 0x3:ud {I@2}\n"
          "L40:\n"
          "cmp (16|M0) (eq)f0.0 null<1>:d r4.0<8;8,1>:d r1.0<8;8,1>:d {I@1}\n"
          "(f0.0) if (16|M0) L192 L192\n"
          "L72:\n"
          "(W) mov (1|M0) r9.0<1>:ud ce<0;1,0>:ud {Compacted,A@1}\n"
          "(W) and (1|M0) r9.0<1>:ud r9.0<0;1,0>:ud 0xFFFFFFFF:ud {A@1}\n"
          "shl (16|M0) r2.0<1>:d r3.0<8;8,1>:d 0x4:ud {$0.src}\n"
          "(W) mov (1|M0) r10.0<1>:ud sr0.2<0;1,0>:ud {Compacted,A@1}\n"
          "(W) and (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud 0xFFFFFFFF:ud {A@1}\n"
          "(W) and (1|M0) r10.0<1>:ud r9.0<0;1,0>:ud r10.0<0;1,0>:ud {Compacted,I@1}\n"
          "(W) mov (1|M0) r5.0<1>:ud r10.0<0;1,0>:ud {Compacted,I@1}\n"
          "mov (16|M0) r7.0<1>:ud r5.0<0;1,0>:ud {Compacted,I@1}\n"
          "send.ugm (16|M0) null r2 r7:1 0x0 0x62000504 {I@1,$0}\n"
          "break (16|M0) L192 L224\n"
          "L192:\n"
          "endif (16|M0) L224\n"
          "L208:\n"
          "add (16|M0) r4.0<1>:d r4.0<8;8,1>:d 1:d\n"
          "L224:\n"
          "while (16|M0) L40\n"
          "L240:\n"
          "(W) mov (1|M0) r11.0<1>:ud ce<0;1,0>:ud {Compacted,A@1}\n"
          "(W) and (1|M0) r11.0<1>:ud r11.0<0;1,0>:ud 0xFFFFFFFF:ud {A@1}\n"
          "(W) mov (16|M0) r127.0<1>:ud r0.0<1;1,0>:ud {Compacted}\n"
          "(W) mov (1|M0) r12.0<1>:ud sr0.2<0;1,0>:ud {Compacted,A@1}\n"
          "(W) and (1|M0) r12.0<1>:ud r12.0<0;1,0>:ud 0xFFFFFFFF:ud {A@1}\n"
          "(W) and (1|M0) r12.0<1>:ud r11.0<0;1,0>:ud r12.0<0;1,0>:ud {Compacted,I@1}\n"
          "(W) mov (1|M0) r6.0<1>:ud r12.0<0;1,0>:ud {Compacted,I@1}\n"
          "mov (16|M0) r8.0<1>:ud r6.0<0;1,0>:ud {Compacted,I@1}\n"
          "(W) sync.nop null {$0.src}\n"
          "send.ugm (16|M0) null r2 r8:1 0x4000 0x62000504 {I@1,$1}\n"
          "(W) send.gtwy (16|M0) null r127 null:0 0x0 0x02000000 {EOT,I@5}\n",
      .nir =
          "div 32x3 %719 = @load_local_invocation_id\n"
          "con 32 %647 = @resource_intel (%645 (0xdeaddead), %3 (0x0), %3 (0x0), %3 (0x0)) (desc_set=0, binding=0, resource_intel=0, resource_block_intel=-1)\n",
      .push = NULL}},
};

#endif
