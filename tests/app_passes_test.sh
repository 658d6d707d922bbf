#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# tanglefuzz bisect on a driver's dump: faults planted in one of NVK's levels and the later ones; dumps
# that are cut; and NVK itself where it is there.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
case=$SOURCE_DIR/tests/passes/break-block.spvasm
dump=$SOURCE_DIR/tests/passes/break-block.nak.txt
bisect() { "$TF" bisect "$case" --dump "$1" --as nak; }

# from PASS SED-SCRIPT: changes the level of PASS (its first) and all later ones.
from() { sed -e "/^NAK IR after $1:/,\$ { $2 }" "$dump" >planted; }
# only PASS SED-SCRIPT: changes that level alone.
only() { sed -e "/^NAK IR after $1:/,/^NAK IR after / { $2 }" "$dump" >planted; }

t agrees 0 'no pass found: the last level that ran is right' '' bisect "$dump"
t all_levels_run 0 '^  levels  20: 20 run, 0 skipped$' '' bisect "$dump"

from opt_lop 's/isetp.eq.i32/isetp.ne.i32/'
t a_fault_from_a_level_on 1 '^  pass    opt_lop \(level 8 of 20\)$' '' bisect planted
t says_the_level_before 1 '^  right   after opt_prmt \(level 7\)$' '' bisect planted
t shows_the_lines 1 '^  \+ +%p15 += isetp.ne.i32' '' bisect planted
from assign_regs '/bsync b0/d'
t a_join_lost_in_registers 1 '^  pass    assign_regs \(level 15 of 20\)$' '' bisect planted
sed 's/isetp.eq.i32/isetp.ne.i32/; s/ieq /ine /' "$dump" >planted
t the_first_level_is_wrong 1 '^  pass    NIR \(level 1 of 20\); not sure: the first level that ran is wrong' '' bisect planted

# Wrong once, then right again, then wrong to the end.
only opt_prmt 's/isetp.eq.i32/isetp.ne.i32/'
t wrong_and_right_again 0 '^  also    wrong after opt_prmt \(level 7\), right again later: ' '' bisect planted
sed -i '/^NAK IR after legalize:/,$ s/isetp.eq.i32/isetp.ne.i32/' planted
t wrong_twice 1 '^  pass    legalize .*; not sure: an earlier level is wrong, and a later one is right again$' '' bisect planted

# An instruction that the machine does not know: the level is skipped by name, and never guilty.
only opt_copy_prop 's/vote.any/frobnicate.any/'
t unknown_instruction 0 "^    opt_copy_prop \(line [0-9]+ of the dump\): unsupported: the operation 'frobnicate.any' at line 26 of the level$" '' bisect planted
from assign_regs 's/vote.any/frobnicate.any/'
t one_reason_one_line 0 "^    assign_regs \(line 1087 of the dump\) to lower_copy_swap, 3 levels: unsupported: the operation 'frobnicate.any' at line 18 of the level$" '' bisect planted
from opt_lop 's/isetp.eq.i32/isetp.ne.i32/'
sed -i '/^NAK IR after opt_lop:/,/^NAK IR after / s/vote.any/frobnicate.any/' planted
t a_gap_is_not_sure 1 '^  pass    opt_copy_prop .*; not sure: levels between the last right one and the first wrong one were skipped$' '' bisect planted

# RADV's dump: the fault is in ACO's code after a stage, in the forms before and after registers.
aco=$SOURCE_DIR/tests/passes/break-block.aco.txt
aco_bisect() { "$TF" bisect "$SOURCE_DIR/tests/passes/break-block.spvasm" --dump "$1" --as "$2"; }
t aco_agrees 0 '^  levels  5: 5 run, 0 skipped$' '' aco_bisect "$aco" aco:navi31
t aco_of_an_unknown_gpu 0 '^    instruction selection .* 3 levels: unsupported: the GPU is not known; name it: --as aco:navi31$' '' aco_bisect "$aco" aco
sed '/^After Instruction/,$ { s/v_cmp_eq_i32/v_cmp_lg_i32/; s/v_cmpx_eq_i32/v_cmpx_ne_i32/ }' "$aco" >planted
t aco_selection 1 '^  pass    instruction selection \(level 3 of 5\)$' '' aco_bisect planted aco:navi31
sed '/^After RA/,$ { s/s_andn2_b32/s_and_b32/; s/s_and_not1_b32/s_and_b32/ }' "$aco" >planted
t aco_registers 1 '^  pass    ACO up to register allocation \(level 4 of 5\)$' '' aco_bisect planted aco:navi31
sed '/^disasm/,$ s/v_cmpx_eq_i32/v_cmpx_ne_i32/' "$aco" >planted
t aco_machine_code 1 '^  pass    ACO up to machine code \(level 5 of 5\)$' '' aco_bisect planted aco:navi31
sed '/^After RA/,/^disasm/ s/s_add_u32/s_frobnicate/' "$aco" >planted
t aco_skips_what_it_does_not_know 0 "^    ACO up to register allocation \(line [0-9]+ of the dump\): unsupported: the operation 's_frobnicate' at line [0-9]+ of the level$" '' aco_bisect planted aco:navi31

# lavapipe's dump: NIR, LLVM's IR as gallivm writes it. The case needs subgroups of 8 there.
gallivm=$SOURCE_DIR/tests/passes/break-block.gallivm.txt
sed 's/^; subgroup 32/; subgroup 8/' "$case" >case8.spvasm
gallivm_bisect() { "$TF" bisect case8.spvasm --dump "$1" --as gallivm; }
t gallivm_agrees 0 '^  levels  2: 2 run, 0 skipped$' '' gallivm_bisect "$gallivm"
sed '/^; ModuleID/,$ s/%ssa_10 = icmp eq/%ssa_10 = icmp ne/' "$gallivm" >planted
t gallivm_is_wrong 1 '^  pass    gallivm \(level 2 of 2\)$' '' gallivm_bisect planted
sed '/^; ModuleID/,$ s/%break = xor/%break = or/' "$gallivm" >planted
t gallivm_loses_a_mask 1 '^  pass    gallivm \(level 2 of 2\)$' '' gallivm_bisect planted
sed 's/ ieq / ine /; s/%ssa_10 = icmp eq/%ssa_10 = icmp ne/' "$gallivm" >planted
t gallivm_gets_wrong_nir 1 '^  pass    NIR \(level 1 of 2\); not sure: the first level' '' gallivm_bisect planted
sed 's/@llvm.cttz.i32(/@llvm.frob.i32(/' "$gallivm" >planted
t gallivm_skips_what_it_does_not_know 0 "^    gallivm \(line [0-9]+ of the dump\): unsupported: the function 'llvm.frob.i32' at line [0-9]+ of the level$" '' \
    gallivm_bisect planted
head -200 "$gallivm" >planted
t gallivm_cut 2 '' "the dump is cut: the level of 'gallivm' has no end" gallivm_bisect planted
cat "$gallivm" "$gallivm" >planted
t gallivm_two_shaders 2 '' 'the dump holds 2 shaders; expected one' gallivm_bisect planted

# NIR after each of its passes, as a debug build of any driver prints it: the levels are lavapipe's and NVK's.
nir=$(sed -n '/^shader: MESA/,/^}$/p' "$gallivm")
{
    echo "$nir"
    printf 'nir_opt_dce\nnir_opt_cse\n%s\n' "$nir"
    printf 'nir_opt_algebraic\n%s\n' "${nir/ ieq / ine }"
    printf 'nir_lower_x\n%s\n' "${nir/ ieq / ine }"
} >nir.txt
nir_bisect() { "$TF" bisect case8.spvasm --dump "$1" --as "$2"; }
t nir_names_the_pass 1 '^  pass    nir_opt_algebraic \(level 3 of 4\)$' '' nir_bisect nir.txt nir:lavapipe
t nir_names_the_lines 1 '^  \+ +1 +%5 = ine %4, %2' '' nir_bisect nir.txt nir:lavapipe
sed '/^nir_opt_cse/,/^nir_opt_alg/ s/ballot/frobnicate/' nir.txt >planted
t nir_is_not_sure 1 '^  pass    nir_opt_algebraic .*; not sure: levels between' '' nir_bisect planted nir:lavapipe
t nir_says_what_it_skipped 1 "^    nir_opt_cse \(line [0-9]+ of the dump\): unsupported: operation '@frobnicate' at line 33 of the level" '' nir_bisect planted nir:lavapipe
t nir_of_an_unknown_driver 2 '^    NIR .* 4 levels: unsupported: the driver is not known; name it: --as nir:radv$' '' nir_bisect nir.txt nir
head -$(($(wc -l <nir.txt) - 5)) nir.txt >planted
t nir_cut 2 '' "planted: the dump is cut: the level of 'nir_lower_x' has no end" nir_bisect planted nir:lavapipe

# A debug build's dump of RADV: NIR from the module on, with calls, variables and pointers.
early=$SOURCE_DIR/tests/passes/early.nir.txt
early_bisect() { "$TF" bisect "$SOURCE_DIR/tests/passes/early.spvasm" --dump "$1" --as nir:radv; }
# after PASS SED-SCRIPT: changes the level of PASS and all later ones.
after() { sed -e "/^$1\$/,\$ { $2 }" "$early" >planted; }
t early_agrees 0 '^  levels  9: 9 run, 0 skipped$' '' early_bisect "$early"
after nir_inline_functions 's/load_const (0x00000064/load_const (0x00000065/'
t early_inlining 1 '^  pass    nir_inline_functions \(level 2 of 9\)$' '' early_bisect planted
after nir_lower_vars_to_ssa 's/load_const (0x00000064/load_const (0x00000066/'
t early_variables 1 '^  pass    nir_lower_vars_to_ssa \(level 4 of 9\)$' '' early_bisect planted
sed 's/load_const (0x00000064/load_const (0x00000065/' "$early" >planted
t early_front_end 1 '^  pass    spirv_to_nir \(level 1 of 9\)$' '' early_bisect planted
t early_says_what_is_right 1 "^  right   the case's module$" '' early_bisect planted
sed -i 's/^nir_lower_sysvals_to_varyings$/nir_opt_dce/' planted # the dump begins later
t early_not_from_the_start 1 '^  pass    nir_opt_dce \(level 1 of 9\); not sure: the first level that ran is wrong' '' early_bisect planted
sed 's/none uint\[3\] table/none thing[3] table/' "$early" >planted
t early_skips_what_it_does_not_know 0 "^    spirv_to_nir \(line 2 of the dump\): unsupported: the variable 'table' at line [0-9]+ of the level$" '' \
    early_bisect planted

# Mesa 25.0.7 with 26.1's analysis of loops: one of two exits is lost.
t early_loop_exit 1 '^  pass    nir_opt_loop_unroll \(level 3 of 4\)$' '' "$TF" bisect "$SOURCE_DIR/corpus/regress/mesa-26.2-loop-exit-lost.spvasm" \
    --dump "$SOURCE_DIR/tests/passes/loop-exit.nir.txt" --as nir:radv

head -597 "$dump" >planted
t cut 2 '' 'planted: the dump is cut: the level of .opt_lop. has no end \(line 597\); expected whole blocks' bisect planted
head -600 "$dump" >planted # the end of a block, not of the last one
t cut_between_blocks 2 '' 'planted: the dump is cut: the level of .opt_lop. has no end \(line 600\); expected whole blocks' bisect planted
cat "$dump" "$dump" >planted
t two_shaders 2 '' 'planted: the dump holds 2 shaders; expected one' bisect planted
t not_a_dump 2 '' 'not a dump of nak: expected lines' bisect "$case"
t unknown_compiler 2 '' '--as icc: expected one of nak' "$TF" bisect "$case" --dump "$dump" --as icc
t dump_alone 2 '' '--dump and --as need each other' "$TF" bisect "$case" --dump "$dump"
t no_file 2 '' 'no-such-file' "$TF" bisect "$case" --dump no-such-file --as nak

if [ -e "$DEPS_DIR/drivers/nvk/version" ]; then
    t nvk 0 '^  levels  20: 20 run, 0 skipped$' '' "$TF" bisect "$case" --target isa:vulkan:driver=nvk
    t nvk_refuses 1 '^  pass    nak_from_nir: the compiler ends while it runs$' '' \
        "$TF" bisect "$SOURCE_DIR/corpus/regress/nvk-26.2-logical-xor-of-uniform-rejected.spvasm" --target check:vulkan:driver=nvk
    t nvk_compiles 2 '' "nothing to bisect: 'check:vulkan:driver=nvk' compiles it" "$TF" bisect "$case" --target check:vulkan:driver=nvk
    t nvk_in_a_finding 1 '^  pass    NIR \(level 1 of 20\); not sure' '' \
        "$TF" bisect "$SOURCE_DIR/corpus/regress/mesa-26.2-loop-exit-lost.spvasm" --target isa:vulkan:driver=nvk
    # NIR marks a shuffle of a uniform value as uniform; the first wrong level is that of a pass which only moves the value.
    uniform=$SOURCE_DIR/tests/passes/shuffle-of-uniform.spvasm
    t nvk_doubts_a_misled_pass 1 '^  pass    opt_uniform_instrs \(level 5 of 20\); not sure: the code before it marks' '' \
        "$TF" bisect "$uniform" --target isa:vulkan:driver=nvk
    t nvk_shows_the_mark 1 '^  marked  con 32 +%[0-9]+ = @shuffle_xor .* \(line [0-9]+ after nak_nir_lower_cf\)$' '' \
        "$TF" bisect "$uniform" --target isa:vulkan:driver=nvk
    # A result that one schedule makes wrong: what is expected, and the values of that schedule.
    t nvk_reduces_a_schedule 0 '^  finding ' - "$TF" reduce "$uniform" --target isa:vulkan:driver=nvk --jobs 1 --out schedule
    report nvk_schedule_shows_lanes "$(grep -L '^\*' schedule/reduced-schedule-dependent/lanes.txt 2>&1)"
    report nvk_schedule_says_why "$(grep -L '^No rule of SPIR-V or Vulkan sets the order' schedule/reduced-schedule-dependent/README.md 2>&1)"
else
    skip nvk 'nvk is missing: scripts/drivers.sh get nvk'
fi
if [ -e "$DEPS_DIR/drivers/radv/version" ]; then
    t radv 0 '^  levels  5: 5 run, 0 skipped$' '' "$TF" bisect "$case" --target isa:vulkan:driver=radv
    t radv_before_aco 1 '^  pass    NIR \(level 1 of 5\); not sure: the first level' '' \
        "$TF" bisect "$SOURCE_DIR/corpus/regress/mesa-26.2-loop-exit-lost.spvasm" --target isa:vulkan:driver=radv
    t radv_selection 1 '^  pass    instruction selection \(level 3 of 5\)$' '' \
        "$TF" bisect "$SOURCE_DIR/corpus/regress/radv-26.2-cluster-of-uniform-reads-absent-lane.spvasm" --target isa:vulkan:driver=radv
    t radv_after_registers 1 '^  pass    ACO up to machine code \(level 5 of 5\)$' '' \
        "$TF" bisect "$SOURCE_DIR/corpus/regress/radv-26.2-copy-of-scc-without-its-writer.spvasm" --target isa:vulkan:driver=radv
else
    skip radv 'radv is missing: scripts/drivers.sh get radv'
fi
if [ -e "$DEPS_DIR/drivers/radv-25.0/version" ]; then
    sed 's/^; subgroup 8/; subgroup 32/' "$SOURCE_DIR/corpus/regress/mesa-26.2-continue-in-three-switches.spvasm" >switches.spvasm
    t radv_of_a_debug_build 1 '^  pass    spirv_to_nir \(level 1 of [0-9]+\)$' '' "$TF" bisect switches.spvasm --target isa:vulkan:driver=radv-25.0
    t radv_runs_nir_and_aco 0 '^  levels  [0-9]{2}: [0-9]{2} run, 1 skipped$' '' \
        "$TF" bisect "$SOURCE_DIR/tests/passes/early.spvasm" --target isa:vulkan:driver=radv-25.0
    t radv_lacks_a_disassembler 0 '^    ACO up to machine code .*: unsupported: the driver was built without a disassembler' '' \
        "$TF" bisect "$SOURCE_DIR/tests/passes/early.spvasm" --target isa:vulkan:driver=radv-25.0
else
    skip radv_of_a_debug_build 'radv-25.0 is missing: scripts/drivers.sh get radv-25.0'
fi
if [ -e "$DEPS_DIR/drivers/nvk-25.0/version" ]; then
    t nvk_of_a_debug_build 0 '^  levels  [0-9]+: [0-9]+ run, 0 skipped$' '' "$TF" bisect "$case" --target isa:vulkan:driver=nvk-25.0
else
    skip nvk_of_a_debug_build 'nvk-25.0 is missing: scripts/drivers.sh get nvk-25.0'
fi
if [ -e "$DEPS_DIR/drivers/anv/version" ]; then
    sed 's/^; subgroup 32/; subgroup 16/' "$case" >case16.spvasm
    t anv 0 '^  levels  4: 4 run, 0 skipped$' '' "$TF" bisect case16.spvasm --target isa:vulkan:driver=anv
    t anv_back_end 1 '^  pass    brw \(level 4 of 4\)$' '' \
        "$TF" bisect "$SOURCE_DIR/corpus/regress/anv-26.2-truth-scan-is-one-not-all-ones.spvasm" --target isa:vulkan:driver=anv
    # The declaration of a register has no value of its own: it cannot be uneven.
    t anv_declares_a_register 1 '^  pass    brw \(level 4 of 4\)$' '' \
        "$TF" bisect "$SOURCE_DIR/corpus/regress/anv-26.2-quad-vote-clears-lanes-that-left-T8.spvasm" --target isa:vulkan:driver=anv
    "$TF" replay case16.spvasm --target isa:vulkan:driver=anv,dump --driver-text brw.txt >/dev/null
    sed '/^NIR (final form)/,$ s/ ieq32 / ine32 /' brw.txt >planted
    t brw_wrong_out_of_ssa 1 '^  pass    NIR out of SSA \(level 3 of 3\)$' '' "$TF" bisect case16.spvasm --dump planted --as brw
else
    skip anv 'anv is missing: scripts/drivers.sh get anv'
fi
if [ -e "$DEPS_DIR/drivers/lavapipe-26.2/version" ]; then
    t lavapipe 0 '^  levels  3: 3 run, 0 skipped$' '' "$TF" bisect case8.spvasm --target vulkan:driver=lavapipe-26.2
    t lavapipe_in_a_finding 1 '^  pass    NIR \(level 1 of 3\); not sure' '' \
        "$TF" bisect "$SOURCE_DIR/corpus/regress/mesa-26.2-continue-in-three-switches.spvasm" --target vulkan:driver=lavapipe-26.2
else
    skip lavapipe 'lavapipe-26.2 is missing: scripts/drivers.sh get lavapipe-26.2'
fi
if [ -e "$DEPS_DIR/drivers/turnip/version" ]; then
    # The case needs 64 lanes there, and a model that the driver promises.
    sed '/aximal.*econverge/d; s/^; subgroup 32/; subgroup 64/; s/^; model maximal/; model assumed-maximal/' "$case" >case64.spvasm
    t turnip_runs_ir3 0 '^  levels  [0-9]+: [0-9]+ run, 0 skipped$' '' "$TF" bisect case64.spvasm --target isa:vulkan:driver=turnip
    "$TF" replay case64.spvasm --target isa:vulkan:driver=turnip,dump --driver-text ir3.txt >/dev/null
    t ir3_agrees 0 '^  levels  [0-9]+: [0-9]+ run, 0 skipped$' '' "$TF" bisect case64.spvasm --dump ir3.txt --as ir3
    # The fault is in the levels from one on, and in the machine code.
    sed '/AFTER: register allocation:/,$ s/cmps.s.eq/cmps.s.ne/' ir3.txt >planted
    t ir3_a_fault_from_a_level_on 1 '^  pass    register allocation \(level [0-9]+ of [0-9]+\)$' '' "$TF" bisect case64.spvasm --dump planted --as ir3
    sed '/AFTER: ir3_sched:/,/AFTER: create_parallel_copies:/ s/cmps.s.eq/cmps.s.frob/' ir3.txt >planted
    t ir3_skips_what_it_does_not_know 0 "^    ir3_sched \\(line [0-9]+ of the dump\\).*: unsupported: the operation 'cmps.s.frob' at line [0-9]+ of the level$" '' \
        "$TF" bisect case64.spvasm --dump planted --as ir3
    head -$(($(wc -l <ir3.txt) / 2)) ir3.txt >planted
    t ir3_cut 2 '' 'planted: the dump is cut' "$TF" bisect case64.spvasm --dump planted --as ir3
    sed 's/@vulkan_resource_index/@vulkan_resource_frob/' ir3.txt >planted
    t ir3_of_open_descriptors 2 '^    ir3_legalize .*: unsupported: how many descriptors a buffer has at line' '' "$TF" bisect case64.spvasm --dump planted --as ir3
    t turnip_crashes 1 '^  pass    nir->ir3: the compiler ends while it runs$' '' \
        "$TF" bisect "$SOURCE_DIR/corpus/regress/turnip-26.2-logical-xor-of-uniform-crash.spvasm" --target check:vulkan:driver=turnip
    t turnip_shows_the_mark 1 '^  marked  con 32 .*%9 = @shuffle_up_uniform_ir3 .* \(line [0-9]+ after NIR with preamble\)$' '' \
        "$TF" bisect "$SOURCE_DIR/corpus/regress/turnip-26.2-shuffle-of-uniform-reads-absent-lane.spvasm" --target isa:vulkan:driver=turnip
    t turnip_nir_to_ir3 1 '^  pass    nir->ir3 ' '' \
        "$TF" bisect "$SOURCE_DIR/corpus/regress/turnip-26.2-shuffle-of-uniform-reads-absent-lane.spvasm" --target isa:vulkan:driver=turnip
else
    skip turnip 'turnip is missing: scripts/drivers.sh get turnip'
fi
if [ -e "$DEPS_DIR/drivers/turnip-25.0/version" ]; then
    # A buffer has one descriptor there, in 26.2 two.
    sed '/aximal.*econverge/d; s/^; subgroup 32/; subgroup 64/; s/^; model maximal/; model assumed-maximal/' "$case" >case64.spvasm
    t turnip_of_a_debug_build 0 '^  levels  [0-9]{3}: [0-9]{3} run, 0 skipped$' '' "$TF" bisect case64.spvasm --target isa:vulkan:driver=turnip-25.0
    t turnip_25_0_agrees 0 ': agrees: [1-9]' '' "$TF" replay case64.spvasm --target isa:vulkan:driver=turnip-25.0
else
    skip turnip_of_a_debug_build 'turnip-25.0 is missing: scripts/drivers.sh get turnip-25.0'
fi
