#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# LLVM as a target. Without LLVM here: the one line that says how to get it. With it: what the printers
# say is what LLVM understands, on the rules' corpus and on programs at random.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
case=$SOURCE_DIR/corpus/rules/M6-break-block-stays-split.spvasm

t prints_a_heart 0 'call token @llvm.experimental.convergence.loop\(\) \[ "convergencectrl"\(token %t\) \]' '' \
    "$TF" print "$case" --as llvm
t gen_prints_too 0 '^define void @main\(\) #0 \{$' '' "$TF" gen --seed 3 --only if,else,for,break,ballot,elect --as llvm
t prints_hlsl 0 '^\[numthreads\([0-9]+, 1, 1\)\]$' '' "$TF" gen --seed 3 --only if,for,ballot --as hlsl
t prints_plain_hlsl 0 '^void main\(uint3 tf_a : SV_DispatchThreadID, ' '' "$TF" print "$case" --as hlsl-plain
bad glslang_option "'-O1': the only option is -Os" "$TF" replay "$case" --target glslang-hlsl:-O1
t prints_glsl 0 '^void main\(\) \[\[maximally_reconverges\]\]$' '' "$TF" print "$case" --as glsl
t prints_for_amd 0 '^define amdgpu_kernel void @main\(\) #0 \{$' '' "$TF" print "$case" --as llvm-amdgcn
t prints_for_nvidia 0 '@llvm.nvvm.vote.ballot.sync\(i32 %m, i1 %p\) \[ "convergencectrl"\(token %t\) \]' '' \
    "$TF" print "$case" --as llvm-nvptx
bad nothing_runs_it 'check:llvm:cpu=sm_90 compiles it' "$TF" replay "$case" --target llvm:cpu=sm_90
bad unknown_cpu 'gfx\.\.\. \(AMD\) or sm_' "$TF" replay "$case" --target check:llvm:cpu=avx
bad ptxas_runs_nothing 'or check:ptxas' "$TF" replay "$case" --target ptxas
bad ptxas_option "'check:ptxas:sm=70': the options are sm=N" "$TF" replay "$case" --target check:ptxas:sm=70
bad unknown_language "'klingon' is not a language" "$TF" print "$case" --as klingon
bad cannot_be_said 'not printed as llvm: .*R2' \
    "$TF" print "$SOURCE_DIR/corpus/rules/R2-two-ways-into-a-loop.spvasm"
bad unknown_option "'pass=licm': the options are passes=" "$TF" replay "$case" --target llvm:pass=licm
TANGLEFUZZ_LLVM_DIR=$work/nowhere \
    bad llvm_is_not_here 'LLVM 23 is not here \(scripts/llvm.sh' "$TF" replay "$case" --target llvm
TANGLEFUZZ_LLVM_DIR=$work/nowhere t listed_as_not_here 0 'LLVM 23 is not here' '' "$TF" targets

# A folder that lacks a library is not usable: one line, and no crash of each case.
mkdir -p part/23/libs && touch part/23/loader part/23/libs/libc.so.6 && chmod +x part/23/loader
for of in libLLVM.so libc.so.6; do
    TANGLEFUZZ_LLVM_DIR=$work/part bad "no_$of" "part/23 is not complete: it has no .*$of " "$TF" replay "$case" --target llvm
    TANGLEFUZZ_LLVM_DIR=$work/part bad "fuzz_no_$of" "it has no .*$of " "$TF" fuzz --target llvm --cases 3 --out part-out
    mkdir -p part/23/usr/lib/llvm-23/lib && touch part/23/usr/lib/llvm-23/lib/libLLVM.so && rm -f part/23/libs/libc.so.6
done

TANGLEFUZZ_LLVM_DIR=$work/nowhere \
    bad clang_is_not_here 'clang 23 is not here' "$TF" replay "$case" --target clang-hlsl
bad clang_option "'-O9': the options are -O1, -O2 or -O3" "$TF" replay "$case" --target clang-hlsl:-O9

if [ ! -e "${TANGLEFUZZ_LLVM_DIR-$DEPS_DIR/llvm}/23/loader" ]; then
    skip with_llvm 'target not here: LLVM, which scripts/llvm.sh gets'
    exit 0
fi
! short || short_end 'LLVM itself, as a target'
# Our table of numbers against the header of LLVM's C API.
headers=${TANGLEFUZZ_LLVM_DIR-$DEPS_DIR/llvm}/23/usr/include
cat >numbers.c <<'C'
#include <llvm-c/Core.h>
#include "llir_numbers.h"
#define X(ours, number, theirs) _Static_assert((int)ours == (int)theirs, #ours);
LLIR_OPS(X)
LLIR_TYPES(X)
LLIR_VALUES(X)
C
t numbers_of_the_c_api 0 - - "${CC:-cc}" -fsyntax-only -I"$headers/llvm-c-23" -I"$headers/llvm-23" -I"$SOURCE_DIR/backends/llir" numbers.c
t optimised_agrees 0 ': agrees: [1-9][0-9]* bits' '' \
    "$TF" replay "$SOURCE_DIR/corpus/rules/D1-M1-nested.spvasm" --target llvm
t optimised_alone 0 ': agrees: [1-9][0-9]* bits' '' \
    "$TF" replay "$SOURCE_DIR/corpus/rules/D1-M1-nested.spvasm" --target llvm:fork=each
t names_the_pass 1 ': rejected: IR not valid after loop-deletion: ' '' "$TF" replay "$case" --target llvm
bundle() { # NAME SAYS ARGUMENTS...
    t "bundled_$1" 0 "$2" '' env TANGLEFUZZ="$TF" TANGLEFUZZ_LLVM_DIR="${TANGLEFUZZ_LLVM_DIR-$DEPS_DIR/llvm}" \
        "$SOURCE_DIR/scripts/llvm_bundle.sh" --out "bundle-$1" "${@:3}"
}
# Runs the README's commands in an empty folder, with stock tools alone. What is said to fail must, with these
# words; all others succeed.
commands() { # NAME
    rm -rf empty && mkdir empty && cp bundle-"$1"/case.* empty/
    local n=0 line command why status
    while IFS= read -r line; do
        command=${line#    } why=''
        case $command in *'    # '*) why=${command##*    # } command=${command%%    # *} ;; esac
        (cd empty && PATH=$bin:/usr/bin:/bin && unset TF SOURCE_DIR && eval "$command") >said.txt 2>&1 && status=0 || status=$?
        case $why in
        '' | 'valid, and wrong') [ $status = 0 ] || { echo "status $status: $command" && cat said.txt; } ;;
        'not valid' | dies) [ $status != 0 ] || echo "does not fail: $command" ;;
        *) grep -qF "$why" said.txt && [ $status != 0 ] || { echo "status $status, not '$why': $command" && cat said.txt; } ;;
        esac
        n=$((n + 1))
    done < <(grep '^    ' bundle-"$1"/README.md)
    [ $n -ge 2 ] || echo "$n commands"
}
bin=${TANGLEFUZZ_LLVM_DIR-$DEPS_DIR/llvm}/23/bin
bundle refused ': rejected: pass [0-9]+ of the pipeline, loop-deletion on loop' "$case"
report bundle_is_whole "$(for f in case.ll before.ll after.ll README.md expected.txt; do
    [ -s bundle-refused/$f ] || echo "no $f"; done; grep -q 'token poison' bundle-refused/after.ll || echo 'no poison behind'
    grep -q 'token poison' bundle-refused/before.ll && echo 'poison before')"
bundle wrong ': wrong-memory: the SPIR-V back end: no pass is needed$' --passes none --level 0 \
    "$SOURCE_DIR/corpus/regress/llvm-23-break-path-holds-loop-do-while-T1.spvasm"
bundle hlsl ': wrong-memory: pass [0-9]+ as -opt-bisect-limit counts, ' --hlsl -O1 "$case"
for name in refused wrong hlsl; do
    report "bundle_${name}_by_stock_tools" "$(commands $name)"
done
report small_programs "$(for f in "$SOURCE_DIR"/corpus/regress/llvm-23-*.spvasm; do
    n=$("$TF" print "$f" --as llvm | grep -c .); [ "$n" -le 60 ] || echo "$f: $n lines of IR"; done)"
bad limit_in_clang 'expected limit=N' "$TF" replay "$case" --target clang-hlsl:-O1,limt=3
t bisects_clang 1 "without the last one it is 'invalid-output'" '' "$TF" bisect "$case" --target clang-hlsl:-O1
t bisects_a_list 1 '^  pass    function\(loop\(loop-deletion\)\)$' '' "$TF" bisect "$case" \
    --target 'llvm:passes=function(sroa),function(loop(loop-deletion)),function(adce),level=1'
t bisects_inside 1 '^  pass    loop-deletion, of default<O3>$' '' "$TF" bisect "$case" --target llvm
# The wrong pass that we planted: found by random programs, named by bisection, reduced.
planted='llvm:passes=function(sroa),planted-hoist,function(simplifycfg),level=0'
t planted_is_found 1 '^wrong-' '' "$TF" survey --target "$planted" --cases 40 --out planted \
    --only if,else,ballot,elect,vote
wrong=$(find planted/cases -name 'wrong-*' | head -n 1)
t planted_campaign 1 '^ +[1-9][0-9]*  wrong-' - "$TF" fuzz --target "$planted" --cases 40 --out camp \
    --only if,else,ballot,elect,vote
t planted_finding_is_named 1 '^  pass    planted-hoist$' '' "$TF" bisect --target "$planted" \
    "$(find camp/findings -name case.spvasm -path '*wrong*' | sort | head -n 1)"
t planted_is_named 1 '^  pass    planted-hoist$' '' "$TF" bisect "$wrong" --target "$planted"
t planted_is_alone 1 '^  target  llvm:passes=planted-hoist,level=0$' '' "$TF" bisect "$wrong" --target "$planted"
t planted_is_reduced 0 - - "$TF" reduce "$wrong" --target "$planted" --out small
report planted_is_small "$(n=$("$TF" print small/reduced.spvasm --as llvm | grep -c '^  ')
    [ "$n" -le 60 ] || echo "$n lines of IR")"
t planted_is_still_named 1 '^  pass    planted-hoist$' '' "$TF" bisect small/reduced.spvasm --target "$planted"
# The optimised IR judged as it is: what we print is right, the wrong pass is caught there too, and what
# the back end gets wrong is right in IR.
"$TF" replay "$SOURCE_DIR/corpus/rules" --target llvm:passes=none,judge=ir >rules-ir.txt 2>&1
report rules_in_ir "$(grep -E ': [a-z-]+: ' rules-ir.txt | grep -vE ': (agrees|skipped|undefined): '
    [ "$(grep -c ': agrees: ' rules-ir.txt)" -ge 100 ] || echo 'fewer than 100 agree')"
t programs_in_ir 0 '^ +300 +100\.0 %  agrees ' '' "$TF" survey --target llvm:passes=none,judge=ir --cases 300
hoists='llvm:passes=function(sroa),planted-hoist,function(simplifycfg),judge=ir'
t planted_is_wrong_in_ir 1 ': (wrong|extra|missing)-' - "$TF" replay "$wrong" --target "$hoists"
t planted_is_named_in_ir 1 '^  pass    planted-hoist$' '' "$TF" bisect "$wrong" --target "$hoists"
t deletion_is_caught_in_ir 1 ': rejected: IR not valid after loop-deletion: ' '' "$TF" replay "$case" \
    --target 'llvm:judge=ir'
t back_end_is_to_blame 0 ': agrees: [1-9][0-9]* bits' '' "$TF" replay \
    "$SOURCE_DIR/corpus/regress/llvm-23-break-path-holds-loop-T1.spvasm" --target llvm:passes=none,judge=ir
t limited_in_ir 0 ': agrees: [1-9][0-9]* bits' '' "$TF" replay "$case" --target llvm:limit=3,judge=ir
# Back ends that compile and no more: each takes all of the corpus that is printed for it. A wrong pass
# makes no difference, LLVM's verifier does.
for cpu in gfx1100 gfx1201 sm_90; do
    "$TF" replay "$SOURCE_DIR/corpus/rules" --target check:llvm:passes=none,level=1,cpu=$cpu >$cpu.txt 2>&1
    report compiles_for_$cpu "$(grep -E ': [a-z-]+: ' $cpu.txt | grep -vE ': (compiled|skipped|undefined): ' |
        grep -v ": rejected: IR not valid after the back end's own passes: "
        [ "$(grep -c ': compiled: ' $cpu.txt)" -ge 98 ] || echo 'fewer than 98 compiled')"
done
# Options of llc: the code differs with one that LLVM has, and one that it has not is named.
amd=$SOURCE_DIR/corpus/regress/llvm-amdgpu-23-break-block-T1.spvasm
compiled() { # FILE OPTION: writes the machine code for gfx1100
    t "compiled_$1" 0 ': compiled: ' '' "$TF" replay "$amd" --target "check:llvm:cpu=gfx1100,passes=none$2" --driver-text "$1.s"
}
compiled plain ''
compiled again ',llc=-enable-misched=true'
compiled unscheduled ',llc=-enable-misched=false,llc=-enable-post-misched=false'
report options_of_llc "$(cmp plain.s again.s; cmp -s plain.s unscheduled.s && echo 'an option changes nothing')"
# GlobalISel, by name: other code than SelectionDAG's, and right where it compiles. It does not compile calls with tokens.
bare_amd=$SOURCE_DIR/corpus/regress/llvm-amdgpu-23-gisel-cttz-elts-crash.spvasm
for isel in '' ,isel=global; do
    t "selects$isel" 0 ': agrees: [1-9][0-9]* bits' '' "$TF" replay "$bare_amd" --driver-text "isel$isel.s" \
        --target "isa:llvm:cpu=gfx1100,passes=function(sroa),tokens=no$isel"
done
report isel_differs "$(cmp -s isel.s isel,isel=global.s && echo 'the same code')"
t isel_without_calls 1 ": crash: .*'Detect Dead Lanes'" - "$TF" replay "$amd" --target isa:llvm:cpu=gfx1100,passes=none,isel=global
bad isel_fast "'isel=fast': the options are" "$TF" replay "$amd" --target isa:llvm:cpu=gfx1100,isel=fast
# Assembly that the user changed: as it was it is wrong as before, and with one instruction changed it is right.
bit=$SOURCE_DIR/corpus/regress/llvm-amdgpu-23-gisel-uniform-bit-not-masked.spvasm
gisel=isa:llvm:version=23,cpu=gfx1100,tokens=no,isel=global
t code_of_llvm 1 ': wrong-memory: ' '' "$TF" replay "$bit" --target "$gisel" --driver-text bit.s
t code_unchanged 1 ': wrong-memory: ' '' "$TF" replay "$bit" --target "$gisel,code=bit.s" --driver-text same.s
report code_is_shown "$(cmp bit.s same.s)"
sed 's/s_cmp_lg_u32 \(.*\), 0$/s_bitcmp1_b32 \1, 0/' bit.s >changed.s
report code_changes_once "$(diff bit.s changed.s | grep -c '^>' | grep -v '^1$')"
t code_changed 0 ': agrees: ' '' "$TF" replay "$bit" --target "$gisel,code=changed.s"
echo nonsense >nonsense.s
t code_unknown 2 ': skipped: machine code: unsupported: nonsense at line 1$' '' "$TF" replay "$bit" --target "$gisel,code=nonsense.s"
bad code_is_not_there ',code=none.s: none.s: cannot open: ' "$TF" replay "$bit" --target "$gisel,code=none.s"
bad code_of_check 'llvm: code=bit.s: only for isa:llvm' "$TF" replay "$bit" --target check:llvm:cpu=gfx1100,code=bit.s
bad no_such_option "llvm: llc=: LLVM 23: Unknown command line argument '-nonsense'$" "$TF" replay "$amd" \
    --target check:llvm:cpu=gfx1100,llc=-nonsense
bad not_an_option 'llc=nonsense: expected an option of llc' "$TF" replay "$amd" --target llvm:llc=nonsense
# Since and until which version a kept bug is wrong: with a stand-in for recheck, and once with LLVM itself.
mkdir -p roots/23 roots/24 roots/25 && touch roots/2{3,4,5}/loader
for n in 23 24 25; do echo "LLVM 1:$n.1.0-1 (sid)" >roots/$n/version; done
echo 'LLVM 1:25~++20261025103442+7e3c57157096-1~exp1 (experimental)' >roots/25/version
cat >recheck <<'SH'
#!/bin/sh
[ "$1 $3 $4 $5" = 'recheck --read-only --format json' ] && [ "$7 $9" = "$SPEC,version=23 $SPEC,version=24" ] || exit 3
set -- $SEEN
printf '{"targets":[{"class":"%s"},{"class":"%s"},{"class":"%s"}]}\n' "$1" "$2" "$3"
SH
chmod +x recheck
since() { # NAME STATUS SEEN LINE
    SEEN=$3 SPEC=llvm:passes=none,level=0 t "since_$1" "$2" "^\| .llvm-23-loop-left-by-return-T13. .*\| $4 \|$" - \
        "$SOURCE_DIR/scripts/llvm_since.py" --tf ./recheck --llvm roots "$SOURCE_DIR/corpus/regress/llvm-23-loop-left-by-return-T13.toml"
}
since still 0 'agrees wrong-memory crash' '24.1.0 \| still'
since fixed 1 'wrong-memory hang agrees' '23.1.0 \| 24.1.0'
since new 0 'agrees agrees rejected' '25 of 20261025 \| still'
since never 1 'agrees agrees agrees' '- \| -'
t since_without_llvm 2 '' 'nowhere has no LLVM' "$SOURCE_DIR/scripts/llvm_since.py" --llvm nowhere
t since_with_llvm 0 '\| wrong-memory \|.* still \|$' - "$SOURCE_DIR/scripts/llvm_since.py" --tf "$TF" \
    --llvm "${TANGLEFUZZ_LLVM_DIR-$DEPS_DIR/llvm}" "$SOURCE_DIR/corpus/regress/llvm-23-loop-left-by-return-T13.toml"
# Without tokens: a promise of uniform flow that a pass breaks is a finding; a wrong set in divergent flow is a
# lead, whether the pass is wrong or not (L6).
bare='--only if,else,ballot,elect,vote --cases 40 --model assumed-maximal'
# shellcheck disable=SC2086
bare() { # NAME STATUS LINE PASSES
    t "$1" "$2" "$3" '' "$TF" survey --target "llvm:passes=$4,level=0,tokens=no" $bare
}
bare without_tokens 0 '^ +40 +100\.0 %  agrees ' none
bare broken_promise 1 '^ +[1-9][0-9]* +[0-9.]+ %  wrong ' 'function(sroa),planted-duplicate'
bare no_promise 1 '^ +[1-9][0-9]* +[0-9.]+ %  lead ' 'function(sroa),planted-hoist'
hoisted='llvm:passes=function(sroa),planted-hoist,level=0,tokens=no'
# shellcheck disable=SC2086
report lead_stays_a_lead "$("$TF" survey --target "$hoisted" $bare | grep '  wrong '
    "$TF" fuzz --target "$hoisted" ${bare% --model*} --model best --out leads >leads.txt
    n=$(cat leads/findings/*/finding.json | grep -c '"lead":true')
    [ "$n" -ge 1 ] && [ "$n" = "$(ls leads/findings | wc -l)" ] || echo "$n leads")"
bad survey_promises_nothing 'does not promise maximal reconvergence; use --model' "$TF" survey --target llvm:tokens=no
bad fuzz_promises_nothing 'does not promise maximal reconvergence; use --model' "$TF" fuzz --target llvm:tokens=no --cases 1 --out none
t maximal_needs_tokens 2 'without tokens LLVM IR cannot express maximal reconvergence' '' "$TF" replay "$case" --target llvm:tokens=no
bad no_ir_without_tokens 'judge=ir judges by tokens' "$TF" replay "$case" --target llvm:tokens=no,judge=ir
bad tokens_yes "'tokens=yes': the options are" "$TF" replay "$case" --target llvm:tokens=yes
# Waves of 64 lanes: gfx9 has no others, gfx11 and gfx12 both. Without loops and exits LLVM compiles all programs right; on gfx11
# its reductions are an open question (docs/measured/llvm-modes.md), so they are left out there.
for cpu in gfx900 gfx1100,wave=64 gfx1201,wave=64; do
    arithmetic=,reduce,scan
    [ $cpu != gfx1100,wave=64 ] || arithmetic=
    t "waves_of_64_lanes_$cpu" 0 '^  agreed +16$' - "$TF" fuzz --target "isa:llvm:cpu=$cpu,passes=none" --cases 16 --inputs 1 --profile small \
        --only if,else,workgroups,partial-subgroup,ballot,inverse-ballot,vote,elect,broadcast-first,shuffle,shuffle-xor$arithmetic,quad \
        --out "wide-$cpu"
done
# An input costs its machine code little, and the IR as much as the first.
t inputs_of_code 0 '^  agreed +16$' - "$TF" fuzz --target isa:llvm:cpu=gfx1201,passes=none --cases 2 --only if,ballot --profile small --out inputs-8
t inputs_of_ir 0 '^  agreed +2$' - "$TF" fuzz --target llvm:passes=none --cases 2 --only if,ballot --profile small --out inputs-1
t wave_of_the_case 2 'waves have 64 lanes, the case needs 32' '' "$TF" replay "$amd" --target isa:llvm:cpu=gfx900
bad wave_of_gfx10 'cpu=gfx1030 is for waves of 32 lanes' "$TF" replay "$amd" --target isa:llvm:cpu=gfx1030,wave=64
bad wave_of_gfx9 'cpu=gfx900 is for waves of 64 lanes' "$TF" replay "$amd" --target isa:llvm:cpu=gfx900,wave=32
bad wave_of_spirv "only for AMD's back end" "$TF" replay "$amd" --target llvm:wave=64
bad wave_of_48 'expected 32 or 64' "$TF" replay "$amd" --target check:llvm:cpu=gfx900,wave=48
t no_such_processor 2 '' 'LLVM does not know this processor' "$TF" replay "$case" --target check:llvm:cpu=gfx9999
t invalid_for_amd 1 ': rejected: IR not valid after loop-deletion: ' '' "$TF" replay "$case" \
    --target check:llvm:cpu=gfx1100
t bisects_for_amd 1 '^  pass    loop-deletion, of default<O3>$' '' "$TF" bisect "$case" --target check:llvm:cpu=gfx1100
# ptxas is not free: a stand-in, which takes what has no dot in a name, and more than that at -O0.
cat >ptxas <<'SH'
#!/bin/sh
[ "$1 $3 $4 $5" = "-arch=sm_89 $PWD/in.ptx -o $PWD/out.cubin" ] || { echo "$*" >&2; exit 3; }
grep -q '^\.target sm_89' "$3" && grep -q 'buffer_' "$3" && ! grep -q 'tf\.groups\|buffer\.' "$3" || exit 4
[ "$2" = -O0 ] || { echo 'fatal: no room for a stack' >&2; exit 255; }
SH
sed -i 's|\$PWD|$TMPDIR|g' ptxas && chmod +x ptxas
with_ptxas() { PATH=$work:$PATH "$@"; }
t ptxas 0 ': compiled: ' '' with_ptxas "$TF" replay "$case" --target check:ptxas:sm=89,level=0
t ptxas_refuses 1 ': rejected: -O3: exit status 255: fatal: no room for a stack' '' with_ptxas "$TF" replay "$case" --target check:ptxas:sm=89
# A command beside it takes nothing from LLVM's child.
t ptxas_again 0 '^ *compiled +20, ' '' with_ptxas "$TF" fuzz --target check:ptxas:sm=89,level=0 --profile small --cases 20 \
    --without quad,quad-vote,cluster,rotate,atomic,shared,through-buffer --out ptxas-campaign
t writes_ptx 0 ': compiled: ' '' "$TF" replay "$case" --target check:llvm:passes=none,cpu=sm_90 --driver-text case.ptx
report ptx_is_ptx "$(grep -q '^\.target sm_90' case.ptx && grep -q 'vote.sync.ballot.b32' case.ptx &&
    grep -q '\.entry main' case.ptx || head -20 case.ptx)"
# gvn-sink, of no default pipeline, makes one ballot of two, behind the arms: wrong in IR (C2).
t gvn_sink_is_wrong 1 ': wrong-memory: .*expected 1 .*observed 3 ' '' "$TF" replay \
    "$SOURCE_DIR/corpus/regress/llvm-23-gvn-sink-merges-ballots-T4.spvasm" --target 'llvm:passes=function(gvn-sink),judge=ir'
t bisect_says_whose_fault 1 '^  in IR   wrong-memory: the optimiser is at fault$' '' "$TF" bisect \
    "$SOURCE_DIR/corpus/regress/llvm-23-gvn-sink-merges-ballots-T4.spvasm" --target 'llvm:passes=function(gvn-sink),level=0'
# Random pipelines: the same module has the same, and the target that is told has it spelled out.
report random_is_pinned "$("$TF" bisect "$SOURCE_DIR/corpus/rules/I1-start-converged.spvasm" --target 'llvm:passes=random' >pinned.txt 2>&1
    grep -Eq "llvm:passes=(function|cgscc|ipsccp|globalopt|deadargelim|argpromotion)" pinned.txt || cat pinned.txt)"
# All passes that are drawn are passes that LLVM knows: none ends in status 2.
t random_survey 1 '^programs 250, compiled 250: ' '' "$TF" survey --target llvm:passes=random --cases 250
# A pipeline that LLVM does not have is told once, and is no crash of each case.
bad no_such_level 'passes=default<Os>: .*no longer supported' "$TF" replay "$case" \
    --target 'llvm:passes=default<Os>'
t small_instead 0 ': agrees: [1-9][0-9]* bits' '' "$TF" replay \
    "$SOURCE_DIR/corpus/rules/D1-M1-nested.spvasm" --target 'llvm:passes=default<O2>,size=small'
bad unknown_pass 'unknown pass name .no-such-pass' "$TF" replay "$case" --target llvm:passes=no-such-pass

# The wrong code that random programs of default weights found, reduced: still wrong in 23.1.
if grep -q ':23\.1\.' "${TANGLEFUZZ_LLVM_DIR-$DEPS_DIR/llvm}/23/version"; then
    for shape in break-path-holds-loop-T1 break-path-holds-loop-do-while-T1 loop-left-by-return-T13 \
        return-in-nested-loops-T13; do
        t "wrong_code_$shape" 1 ': wrong-memory: .*expected (85|170) .*observed 255 ' '' "$TF" replay \
            "$SOURCE_DIR/corpus/regress/llvm-23-$shape.spvasm" --target llvm:passes=none,level=0
    done
    t wrong_code_in_clang 1 ': wrong-memory: .*observed 255 ' '' "$TF" replay "$case" --target clang-hlsl:-O1
fi

# Where no pass runs, what comes out must mean what went in. The back end still leaves modules that
# are not valid, and dies of some; and it gets a break path that holds a loop wrong
# (docs/llvm.md), which is less than one program in a hundred.
wrong() { grep -E ': (wrong-memory|missing-lanes|extra-lanes|wrong-lanes|undefined-output|hang|rejected): '; }
"$TF" replay "$SOURCE_DIR/corpus/rules" --target llvm:passes=none,level=0 >rules.txt 2>&1
report rules_unoptimised "$(wrong <rules.txt | grep -v 'subgroup-uniform-'
    [ "$(grep -c ': agrees: ' rules.txt)" -ge 55 ] || echo 'fewer than 55 agree'; )"
# What the printer does not know yet is left out.
"$TF" fuzz --target llvm:passes=none,level=0 --cases 300 \
    --without broadcast,signed,float32,vectors,shuffle-xor,inverse-ballot,more-arithmetic --out none >none.txt 2>&1
report programs_unoptimised "$(ls none/findings | grep -vE -- '-(crash|invalid-output)' | tail -n +4)$(
    grep -Eq '^  agreed +(1[5-9][0-9]|2[0-9][0-9]|300)$' none.txt || tail -5 none.txt)"
t clang_agrees 0 ': agrees: [1-9][0-9]* bits' '' \
    "$TF" replay "$SOURCE_DIR/corpus/rules/I1-start-converged.spvasm" --target clang-hlsl:-O1
# glslang keeps the control flow as it is written: there all must agree. For a sampler chosen by a divergent index it
# declares ShaderNonUniform, but not SampledImageArrayNonUniformIndexing (R10).
"$TF" replay "$SOURCE_DIR/corpus/rules" --target glslang >glsl.txt 2>&1
report rules_in_glsl "$(wrong <glsl.txt | grep -v '/R10-a-sampler-.*: undefined-output: .*E-uniform'; grep ': invalid-output: ' glsl.txt
    [ "$(grep -c ': agrees: ' glsl.txt)" -ge 40 ] || echo 'fewer than 40 agree')"
# The same for its HLSL, but for prefix sums and products: WavePrefixSum is inclusive there.
"$TF" replay "$SOURCE_DIR/corpus/rules" --target glslang-hlsl >hlsl.txt 2>&1
report rules_in_plain_hlsl "$(wrong <hlsl.txt; grep ': invalid-output: ' hlsl.txt
    [ "$(grep -c ': agrees: ' hlsl.txt)" -ge 90 ] || echo 'fewer than 90 agree')"
t programs_in_plain_hlsl 0 '^  agreed +[1-4][0-9]$' - "$TF" fuzz --target glslang-hlsl --cases 40 --without scan --out hlsl
t programs_in_glsl 0 '^  agreed +[1-4][0-9]$' - "$TF" fuzz --target glslang --cases 40 --out glsl
t images_in_glsl 0 '^  agreed +[1-4][0-9]$' - "$TF" fuzz --target glslang --cases 40 --out glsl-images \
    --with sample,sample-lod,image-index,image-nonuniform,storage-image,derivative
