#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# report --bundle --form P: what each project gets, taken by that project's own programs where they are here: a unit
# test by gtest and SPIRV-Tools, IR by opt, llc and FileCheck, a .test by split-file and glslang's HLSL, commands by
# spirv-cross and glslang, Amber scripts by amber (TANGLEFUZZ_AMBER names one; no Debian suite has it). Each must
# show the bug, and for the reason that it says.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
. "$SOURCE_DIR/tests/regress_lib.sh"
export READERS=$SOURCE_DIR/tests/readers
mkdir bin && ln -s "$TF" bin/tanglefuzz
llvm=${TANGLEFUZZ_LLVM_DIR-$DEPS_DIR/llvm}/23/bin tools=$drivers/../tools/sid/bin

# finding NAME CASE TARGET: one/NAME is a campaign's folder with the reduced case; false where it is not here.
finding() {
    here "$3" || { skip "$1" "target not here: $3" && return 1; }
    mkdir -p "one/$1/findings"
    if ! "$TF" reduce "$folder/$2.spvasm" --target "$3" --out "small-$1" --time 10m >out 2>err; then
        if may_be_gone "$3"; then skip "$1" "this version does it right"; else fail "$1" "$(cat err)"; fi
        return 1
    fi
    mv "small-$1"/reduced-*/ "one/$1/findings/$1"
}
bundle() { # NAME FORM [OPTION...]: bundle-NAME-FORM
    local bucket
    bucket=$("$TF" report "one/$1" --format jsonl | sed -n 's/.*"type":"bucket","bucket":"\([a-z]*\)".*/\1/p')
    "$TF" report "one/$1" --bundle "$bucket" --form "$2" -o "bundle-$1-$2" "${@:3}" >out 2>err ||
        fail "bundle_$1_$2" "$(cat err)"
}
# commands NAME FORM REGEX: those of the README that match, with what they must come to (its comments say).
commands() {
    PATH=$work/bin:$llvm:$tools:$PATH "$SOURCE_DIR/scripts/bundle_check.py" --keep --only "$3" "bundle-$1-$2" >out 2>&1
    report "commands_$1" "$([ $? = 0 ] && ! grep -q ': 0 commands' out || cat out "bundle-$1-$2/README.md")"
}

# ---- spirv-tools: one program of three bundles' tests
unit=
for row in unswitch:spirv-opt-loop-unswitch-T2:--loop-unswitch \
    fusion:spirv-opt-loop-fusion-crash:--loop-fusion=200 \
    merge:spirv-opt-merge-blocks-continue-construct-invalid:--merge-blocks; do
    IFS=: read -r name case passes <<<"$row"
    finding "$name" "$case" "spirv-opt:$passes" || continue
    bundle "$name" spirv-tools --alone
    [ ! -x "$tools/spirv-opt" ] || commands "$name" spirv-tools '^(spirv-opt|spirv-val)'
    unit+=" bundle-$name-spirv-tools/case_test.cpp"
done
library=$(for f in "$DEPS_DIR"/{spirv-tools,root}/usr/lib/*/libSPIRV-Tools-opt.a /usr/lib/*/libSPIRV-Tools-opt.a; do
    [ ! -e "$f" ] || { echo "${f%/*}" && break; }
done)
if [ ! -e /usr/include/gtest/gtest.h ] || ! command -v c++ >/dev/null || [ -z "$library" ]; then
    skip unit_tests 'no gtest: or no C++ compiler'
else
    cc -w -c "$SOURCE_DIR/cmake/compat/isoc23.c" -o isoc23.o
    # shellcheck disable=SC2086
    c++ -std=c++17 $unit -I"${library%/lib*}/include" -L"$library" -lSPIRV-Tools-opt -lSPIRV-Tools -lgtest -lgtest_main \
        $(nm isoc23.o >/dev/null && "$TF" --version >/dev/null && echo isoc23.o) -lpthread -o unit_tests >out 2>err ||
        fail unit_tests_compile "$(head -n 20 err)"
    unit_fails() { # NAME WHY: its test fails, at a line that expects
        local bucket
        bucket=$(sed -n 's/^TEST(Reconvergence, \(.*\)) {/\1/p' "bundle-$1-spirv-tools/case_test.cpp")
        ./unit_tests --gtest_filter="*.$bucket" >out 2>&1
        report "unit_test_$1_fails" "$([ $? != 0 ] && ! grep -q 'Expected: true' out || [ "$2" != was ] || cat out
            grep -Eq "$2" out || { [ "$2" = died ] && ! grep -q FAILED out; } || cat out)"
    }
    unit_fails unswitch was
    unit_fails merge 'the output must be valid'
    unit_fails fusion died
fi

# ---- llvm and offload-test
if finding holds llvm-23-break-path-holds-loop-T1 llvm:passes=none,level=0; then
    bundle holds llvm --alone
    commands holds llvm '^(opt|llc|spirv-val)'
    if [ -x "$llvm/FileCheck" ]; then
        report lit_fails "$(cd bundle-holds-llvm && PATH=$llvm:$PATH python3 "$READERS/run_lit.py" case.ll >../out 2>&1 &&
            echo 'all RUN lines pass' && cat case.ll
            grep -Eq 'FileCheck|spirv-val' ../out || cat ../out)"
        # lit itself, where LLVM's tools are installed.
        lit=$(ls /usr/lib/llvm-*/build/utils/lit/lit.py 2>/dev/null | tail -n 1)
        if [ -n "$lit" ]; then
            mkdir lit && cp bundle-holds-llvm/case.ll lit/
            cat >lit/lit.cfg.py <<PYTHON
import lit.formats
config.name = "bundle"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".ll"]
config.environment["PATH"] = "$llvm:$PATH"
PYTHON
            python3 "$lit" -v lit >out 2>&1
            report lit_itself_fails "$(grep -Eq '^ *Failed *: 1' out && grep -Eq 'error: CHECK: expected string not found|^error: line' out || cat out)"
        else
            skip lit_itself 'no lit: package llvm-14-tools'
        fi
    else
        skip lit 'no FileCheck: scripts/llvm.sh gets it'
    fi
    packages=$(command -v python3-packages || echo python3) # scripts/test.sh puts both there
    if [ -x "$llvm/split-file" ] && "$packages" -c 'import yaml' 2>/dev/null; then
        "$llvm/split-file" bundle-holds-llvm/case.test parts >out 2>err || fail split_file "$(cat err)"
        t pipeline 0 '^[1-9][0-9]* results$' '' "$packages" "$READERS/check_offload.py" parts/pipeline.yaml
        sed 's/BufferExact/BufferNear/' parts/pipeline.yaml >broken.yaml
        t pipeline_broken 1 '' AssertionError "$packages" "$READERS/check_offload.py" broken.yaml
        [ ! -x "$tools/glslang" ] || t hlsl 0 - - "$tools/glslang" -D -V --target-env vulkan1.3 -S comp -e main \
            parts/source.hlsl -o hlsl.spv
    else
        skip pipeline 'no split-file: or no yaml'
    fi
fi

# ---- mesa
if finding exit mesa-26.2-loop-exit-lost isa:vulkan:driver=radv; then
    bundle exit mesa --alone
    report mesa_nir "$(grep -q '^==== NIR' bundle-exit-mesa/subject.txt && grep -q "the driver's NIR" bundle-exit-mesa/README.md ||
        head -n 20 bundle-exit-mesa/subject.txt)"
fi

# ---- spirv-cross, glslang
if finding select spirv-cross-select-sinks-group-op-T7 roundtrip:spirv-cross; then
    bundle select spirv-cross
    commands select spirv-cross '^(spirv-cross|glslang|spirv-val)'
    report select_text "$(grep -Eq '[?&|].*subgroup' bundle-select-spirv-cross/out.glsl || cat bundle-select-spirv-cross/out.glsl)"
    report agrees "$(grep -q '^- `spirv-opt:-O`: .*SPIRV-Tools v20' bundle-select-spirv-cross/README.md ||
        cat bundle-select-spirv-cross/README.md)"
fi
if finding prefix glslang-hlsl-prefix-sum-is-inclusive glslang-hlsl; then
    bundle prefix glslang --alone
    [ ! -x "$tools/glslang" ] || commands prefix glslang '^(glslang|spirv-val)'
fi

# ---- naga: by naga itself, as a command
if [ -x "$drivers/../tools/naga/bin/naga" ]; then
    tools=$tools:$drivers/../tools/naga/bin
    for row in break:naga-loop-break-in-switch-T12 panic:naga-group-operation-of-a-value-out-of-a-loop-crash \
        invalid:naga-switch-labels-share-a-block-invalid; do
        IFS=: read -r name case <<<"$row"
        finding "$name" "$case" naga || continue
        bundle "$name" naga --alone
        commands "$name" naga '^(naga|spirv-val) '
        [ ! -e "bundle-$name-naga/output.spv" ] ||
            report "${name}_is_what_naga_makes" "$(cmp "bundle-$name-naga/out.spv" "bundle-$name-naga/output.spv" 2>&1)"
    done
else
    skip naga 'target not here: naga, which scripts/drivers.sh gets'
fi

# ---- the others, of one finding
for form in amber cts mesa naga tint offload-test generic; do
    [ ! -d one/unswitch ] || bundle unswitch $form --alone
done
if [ -d one/unswitch ]; then
    report deqp_csv "$(grep -Eqx 'tanglefuzz\.spirv-opt\.[a-z]+\.[^,]+,Fail,0\.0' bundle-unswitch-mesa/results.csv ||
        cat bundle-unswitch-mesa/results.csv)"
    report cts "$(grep -q 'createAmberTestCase(testCtx, "[a-z]*", "reconvergence", "[a-z]*.amber", requirements);' \
        bundle-unswitch-cts/add_case.cpp || cat bundle-unswitch-cts/add_case.cpp)"
    # Two invocations in subgroups of four: the only one is partial.
    for script in case output; do
        t "amber_$script" 0 - '' python3 "$READERS/check_amber.py" "bundle-unswitch-amber/$script.amber"
    done
    sed 's/^  SUBGROUP shader/&\n    FULLY_POPULATED on/' bundle-unswitch-amber/case.amber >full.amber
    t amber_partial 1 'has a partial one' '' python3 "$READERS/check_amber.py" full.amber
    if [ -n "${TANGLEFUZZ_AMBER-}" ]; then
        run_amber() { (set -a && . "$drivers/lavapipe/env" && LP_NATIVE_VECTOR_WIDTH=128 "$TANGLEFUZZ_AMBER" -d -v 1.3 "$1"); }
        t amber_runs 0 '1 pass, 0 fail' - run_amber bundle-unswitch-amber/case.amber
        t amber_fails 1 '0 pass, 1 fail' - run_amber bundle-unswitch-amber/output.amber
    else
        skip amber_runs 'no amber: TANGLEFUZZ_AMBER names one'
    fi
fi
