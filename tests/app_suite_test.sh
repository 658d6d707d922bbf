#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The command suite: each form is written, and read by a consumer; the same options write the same folder.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
READERS=$SOURCE_DIR/tests/readers
few=(--tests 6 --size 2 --random 20 --search 0)

t amber 0 '^6 tests in amber, chosen from 74 programs; 0 left out' '' "$TF" suite --form amber "${few[@]}" --out amber
report greedy_beats_chance "$(awk '/^ +6 /{ found = 1; exit !($2 > $3) } END { exit !found }' out || cat out)"
for script in amber/*.amber; do
    [ -e "$script" ] && python3 "$READERS/check_amber.py" "$script" >check 2>&1 || fail "reads_$script" "$(cat check)"
    head -n 2 "$script" | tail -n 1 | grep -q "^# $(basename "$script" .amber): finds a compiler" || fail "comment_$script" "$(head "$script")"
done
report says_what_is_stored "$(grep -LE '^# (With the mistake: .*expected |Seen in a real one: )' amber/*.amber)"
report names_its_tests "$([ "$(grep -c '^| `0' amber/README.md)" = 6 ] || cat amber/README.md)"
! short || short_end 'the other forms, other seeds, bad options'

t again 0 - '' "$TF" suite --form amber "${few[@]}" --out amber2
report same_folder "$(diff -r amber amber2)"
t model 0 - '' "$TF" suite --form lit --tests 2 --size 1 --random 0 --search 0 --model assumed-maximal --out assumed
report model_is_given "$(grep -q '^; model assumed-maximal$' assumed/001-*.spvasm && ! grep MaximallyReconverges assumed/*.spvasm || head -5 assumed/*.spvasm)"
t other_seed 0 - '' "$TF" suite --form amber "${few[@]}" --seed 100 --out amber3
report other_seed_other_tests "$(! diff -r amber amber3 >/dev/null || echo 'the seed changes nothing')"

# lit: each test passes on a right compiler. Its own mistake, as a target, fails it.
t lit 0 - '' "$TF" suite --form lit "${few[@]}" --out lit
for case in lit/*.spvasm; do
    name=$(basename "$case" .spvasm)
    python3 "$READERS/run_lit.py" "$case" tanglefuzz="$TF" target=spirv-opt:--ccp >out 2>&1 || fail "passes_$name" "$(cat out)"
    ! grep -q '^; Seen in a real one: ' "$case" || continue # chosen for a kept bug
    ! python3 "$READERS/run_lit.py" "$case" tanglefuzz="$TF" target="mutant:${name#*-}" >out 2>&1 || fail "fails_$name" 'it passes on its own mistake'
done
report lit_configuration "$(python3 -m py_compile lit/lit.cfg.py 2>&1)"

# What no candidate finds is searched among larger programs, with derivatives and images too; the test is reduced.
searched=(--form lit --tests 40 --size 1 --random 0)
t unsearched 0 'some candidate finds 35$' '' "$TF" suite "${searched[@]}" --search 0 --out unsearched
t searched 0 '; some candidate finds 9[0-9]$' '' "$TF" suite "${searched[@]}" --search 20 --out searched
kinds=(--only "sink-derivative-into-arm,index-is-first")
t searches_kinds 0 '^2 of 2 mutants found' '' "$TF" mutants --corpus searched "${kinds[@]}"
t finds_none_of_them 1 '^0 of 2 mutants found' - "$TF" mutants --corpus unsearched "${kinds[@]}"
report says_what_was_searched "$(grep -qE ', [0-9]+ larger random ones were searched' searched/README.md || cat searched/README.md)"

# The cases of kept bugs are among the tests, unless a right implementation need not keep what they expect: by the model, or
# with subgroups of another size. The compiler that had the bug fails its test, and passes the others.
all=(--form lit --size 1 --random 0 --search 0 --tests 60)
t kept 0 '^23 of 26 kept bugs are among them; 23 can be$' '' "$TF" suite "${all[@]}" --out kept
report names_kept_bugs "$(ls kept/*-llvm-23-break-path-holds-loop-T1.spvasm kept/*-naga-loop-break-in-switch-T12.spvasm >/dev/null)"
report says_where_seen "$(grep -qxF '; Seen in a real one: spirv-opt:--loop-unswitch (2025.1, 2026.4)' kept/*-spirv-opt-loop-unswitch-T2.spvasm || tail -8 kept/*-unswitch-T2.spvasm)"
t right_compiler_passes 0 - '' "$TF" replay kept --target spirv-opt:--ccp
t kept_bug_fails 1 - - "$TF" replay kept/*-spirv-opt-loop-unswitch-T2.spvasm --target spirv-opt:--loop-unswitch
t kept_of_fragments 0 '^4 of 4 kept bugs are among them' '' "$TF" suite "${all[@]}" --stage fragment --out kept-fragments
t kept_of_model 0 ' of 26 kept bugs are among them; 1[0-9] can be$' '' "$TF" suite "${all[@]}" --model assumed-maximal --out kept-assumed
report model_limits_kept "$(grep -l '^; model maximal$' kept-assumed/*.spvasm)"

# For a target: its size, its model, and only what it offers.
t target 0 - '' "$TF" suite --form lit --tests 5 --size 1 --random 0 --search 0 --target spirv-opt:--ccp --out target
report size_of_target "$(grep -L '^; subgroup 32$' target/*.spvasm)"
report command_has_target "$(grep -q -- "--subgroup 32 --inputs 2 --target 'spirv-opt:--ccp' --out DIR" target/README.md || grep suite target/README.md)"
t size_given 0 - '' "$TF" suite --form lit --tests 2 --size 1 --random 0 --search 0 --target spirv-opt:--ccp --subgroup 64 --out target64
report given_size_is_kept "$(grep -L '^; subgroup 64$' target64/*.spvasm)"
if [ -x "$DEPS_DIR/tools/naga/bin/naga" ]; then
    t offered 0 - '' "$TF" suite --form lit --tests 30 --size 2 --random 40 --search 0 --target naga --out naga
    report model_of_target "$(grep -l '^; model maximal$' naga/*.spvasm)"
    t runs_all 1 ', 0 not judged$' - "$TF" replay naga --target naga
    report finds_bugs_of_naga "$(diff <(grep -oE 'naga-[a-z-]*-T12.*wrong-memory' out | sort -u | wc -l) <(echo 4))"
else
    skip offered 'no naga'
fi

t cts 0 - '' "$TF" suite --form cts --tests 40 --size 1 --random 30 --search 0 --out cts
report cts_asks_first "$(diff <(grep -ho '"VK_[A-Za-z0-9_]*"' cts/reconvergence_small.cpp | tr -d '"' | sort) \
    <(sed -n 's/^DEVICE_EXTENSION //p' cts/*.amber | sort))"
report cts_asks_for_features "$(diff <(grep -hoE '"[A-Za-z0-9]*Features\.[A-Za-z0-9]*"' cts/reconvergence_small.cpp | tr -d '"' | sed 's/^Features\.//' | sort) \
    <(sed -n 's/^DEVICE_FEATURE //p' cts/*.amber | grep -v ^SubgroupSizeControl | sort))"
report readme_names_features "$(grep -qE '^These tests name: .*`Features[.]shaderInt16`' cts/README.md && grep -q Features.shaderInt16 cts/*.cpp || grep 'tests name' cts/README.md)"
report mustpass "$(diff <(sed 's/.*small\.//; s/_/-/g' cts/reconvergence.txt) <(cd cts && ls ./*.amber | sed 's|./||; s/\.amber$//'))"
t offload 0 '^6 tests in offload, chosen from [0-9]+ programs; 0 left out' '' "$TF" suite --form offload "${few[@]}" --out offload
report offload_has_tests "$(grep -l 'BufferExact' offload/*.test >/dev/null || ls offload)"
report offload_has_rules "$(grep -L '^# Test .*; rules [A-Z][0-9]' offload/*.test)"
report offload_expects_to_pass "$(grep -l XFAIL offload/*.test)"

# The runners of two projects, on lavapipe, where they were built (scripts/consumers.sh). A wrong expectation fails.
driver=${TANGLEFUZZ_DRIVERS-$DEPS_DIR/drivers}/lavapipe/env
[ ! -e "$driver" ] || mapfile -t settings <"$driver"
if [ ! -x "${TANGLEFUZZ_AMBER-}" ] || [ ! -e "$driver" ]; then
    skip amber_runs 'no Amber, which TANGLEFUZZ_AMBER names, or no lavapipe'
else
    for script in amber/*.amber; do
        t "runs_$script" 0 '^Summary: 1 pass, 0 fail' - env "${settings[@]}" "$TANGLEFUZZ_AMBER" -d -t spv1.6 "$script"
    done
    sed -E '0,/^(EXPECT .* EQ) [0-9]+/s//\1 999/' "$script" >wrong.amber
    t amber_fails 1 '^Summary: 0 pass, 1 fail' - env "${settings[@]}" "$TANGLEFUZZ_AMBER" -d -t spv1.6 wrong.amber
fi
split=$DEPS_DIR/llvm/23/bin/split-file glslang=$DEPS_DIR/tools/sid/bin/glslang
if [ ! -x "${TANGLEFUZZ_OFFLOADER-}" ] || [ ! -e "$driver" ] || [ ! -x "$split" ] || [ ! -x "$glslang" ]; then
    skip offload_runs 'no offloader, which TANGLEFUZZ_OFFLOADER names, no lavapipe, no split-file, or no glslang'
else
    offloader=(env "${settings[@]}" "$TANGLEFUZZ_OFFLOADER" --api=vk -quiet)
    for script in offload/*.test; do
        "$split" "$script" parts && "$glslang" -D -V --target-env vulkan1.3 -S comp -e main parts/source.hlsl -o parts/o.spv >err 2>&1 ||
            fail "compiles_$script" "$(cat err)"
        ! grep -q '= __builtin_hlsl_wave_prefix' parts/source.hlsl || continue # glslang-hlsl-prefix-sum-is-inclusive
        ran=$script
        t "runs_$script" 0 - - "${offloader[@]}" parts/pipeline.yaml parts/o.spv
    done
    report offload_ran "$([ -n "${ran-}" ] || echo 'each has a prefix sum')"
    sed -E '/Expected0_1/,$ s/(Data: \[) [0-9]+/\1 999/' parts/pipeline.yaml >parts/wrong.yaml
    t offload_fails 1 - 'Test failed: Expected' "${offloader[@]}" parts/wrong.yaml parts/o.spv
fi

# WebGPU: read in Node, and run by Dawn where it and a driver are here. A wrong expectation fails.
t webgpu 0 '^6 tests in webgpu, chosen from [0-9]+ programs; 0 left out' '' "$TF" suite --form webgpu "${few[@]}" --out webgpu
report webgpu_names_its_tests "$([ "$(grep -c '^  .0' webgpu/small.spec.ts)" = "$(sed -n 's/ tests in webgpu.*//p' out)" ] || cat out)"
if ! command -v node >/dev/null; then
    skip webgpu_reads 'no node'
else
    t webgpu_reads 0 '^6 tests: 0 passed, 0 failed' '' node "$READERS/run_webgpu.mjs" webgpu/small.spec.ts
    dawn=${TANGLEFUZZ_DAWN:-$DEPS_DIR/tools/dawn}
    if [ ! -d "$dawn/node_modules/webgpu" ] || [ ! -e "$driver" ]; then
        skip webgpu_runs 'no Dawn or no lavapipe (scripts/drivers.sh get dawn lavapipe)'
    else
        t webgpu_runs 0 '^6 tests: 6 passed, 0 failed, 0 skipped' - env "${settings[@]}" node "$READERS/run_webgpu.mjs" webgpu/small.spec.ts "$dawn"
        sed -E '0,/right: .[0-9]+, [0-9]+/s/(right: .[0-9]+, )[0-9]+/\1999/' webgpu/small.spec.ts >wrong.spec.ts
        t webgpu_fails 1 '^not ok small:001-.*' - env "${settings[@]}" node "$READERS/run_webgpu.mjs" wrong.spec.ts "$dawn"
    fi
fi

t spirv_tools 0 - '' "$TF" suite --form spirv-tools --tests 4 --size 2 --random 0 --search 0 --out gtest
report spirv_tools_have_rules "$([ "$(grep -c '^// Rules that it exercises: [A-Z][0-9]' gtest/reconvergence_test.cpp)" = 4 ] || grep '^//' gtest/reconvergence_test.cpp)"
library=$(for f in "$DEPS_DIR"/{spirv-tools,root}/usr/lib/*/libSPIRV-Tools-opt.a /usr/lib/*/libSPIRV-Tools-opt.a; do
    [ ! -e "$f" ] || { echo "${f%/*}" && break; }
done)
if [ ! -e /usr/include/gtest/gtest.h ] || ! command -v c++ >/dev/null || [ -z "$library" ]; then
    skip unit_tests 'no gtest: or no C++ compiler'
else
    cc -w -c "$SOURCE_DIR/cmake/compat/isoc23.c" -o isoc23.o
    t unit_tests_compile 0 - - c++ -std=c++17 gtest/reconvergence_test.cpp -I"${library%/lib*}/include" -L"$library" -lSPIRV-Tools-opt \
        -lSPIRV-Tools -lgtest -lgtest_main isoc23.o -lpthread -o unit_tests
    t unit_tests_pass 0 '  PASSED  . 4 tests' '' ./unit_tests
fi

bad no_form 'needs --form FORM: amber, cts, lit, offload, spirv-tools, webgpu' "$TF" suite --out x
bad unknown_form "--form: 'x' is not one of" "$TF" suite --form x --out x
bad no_folder 'needs --out DIR' "$TF" suite --form amber
bad folder_exists 'amber: exists already' "$TF" suite --form amber --out amber
bad target "unknown target 'nothing'|nothing" "$TF" suite --form lit --target nothing --out x
bad no_tests "--tests: '0' is not" "$TF" suite --form amber --tests 0 --out x
bad model "--model: 'weak' is not one of" "$TF" suite --form lit --model weak --out x
bad fragments 'only compute shaders' "$TF" suite --form amber --stage fragment --out x
report nothing_half_written "$([ ! -e x ] && [ -z "$(ls -d ./*.tmp* 2>/dev/null)" ] || ls)"
