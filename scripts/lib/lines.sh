# SPDX-License-Identifier: Apache-2.0
#
# Counts the lines of SPIRV-Tools that inputs reach, with clang's -fcoverage-mapping: without sanitizers and
# engine, so in the same way for every fuzz target. Sourced after private_root.sh and private_source.sh.
LINES='-fprofile-instr-generate -fcoverage-mapping'

# lines_build FOLDER: builds the programs FOLDER/ours and FOLDER/theirs, which run files through a target and count lines.
# theirs_sources: files of SPIRV-Tools' own target; theirs_flags: their flags.
lines_build() {
    local tools=$DEPS/counting-lines
    if [ ! -e "$tools/lib" ]; then
        pr_start
        ps_spirv_tools
        pr_end
        ps_build_spirv_tools "$tools" "-O1 -DNDEBUG $LINES" -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++
    fi
    echo "$SELF: building programs that count lines"
    { # shellcheck disable=SC2086
        cmake -B "$1/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
            -DSPIRV_TOOLS_ROOT="$tools" -DTANGLEFUZZ_DEPS="$DEPS" -DBUILD_TESTING=ON \
            -DCMAKE_EXE_LINKER_FLAGS=-fprofile-instr-generate &&
            cmake --build "$1/build" -j "$(nproc)" --target tf_spirv_opt_replay &&
            cp "$1/build/tf_spirv_opt_replay" "$1/ours" &&
            clang -O1 -I. "${theirs_flags[@]}" -c selftest/fuzz/replay.c -o "$1/replay.o" &&
            clang++ -std=c++17 -O1 -DNDEBUG $LINES "${theirs_flags[@]}" "${theirs_sources[@]}" "$1/replay.o" \
                "$1/build/libtf_base.a" "$tools/lib/libSPIRV-Tools-opt.a" "$tools/lib/libSPIRV-Tools.a" -o "$1/theirs"
    } >"$1/build.log" 2>&1 || die "programs that count lines could not be built (details: $1/build.log)"
}

# lines_count PROGRAM OUT FOLDER...: writes to OUT.json the coverage of the files in these folders. Runs twenty inputs per process:
# if a process dies, the coverage of its twenty is lost, which is reported.
lines_count() {
    local program=$1 out=$2 lost
    shift 2
    rm -rf "$out.raw" && mkdir -p "$out.raw"
    lost=$(find "$@" -type f | LLVM_PROFILE_FILE="$out.raw/%p.profraw" xargs -n 20 -P "$(nproc)" -- \
        sh -c 'timeout 120 "$0" "$@" >/dev/null 2>&1 || echo lost' "$program" | wc -l)
    [ "$lost" = 0 ] || echo "$SELF: $lost groups of twenty inputs did not finish with $(basename "$program")"
    llvm-profdata merge -sparse "$out.raw"/*.profraw -o "$out.profdata"
    llvm-cov export -summary-only "$program" -instr-profile="$out.profdata" >"$out.json"
    rm -rf "$out.raw"
}
