#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks that a fuzzing farm would accept the output of selftest/fuzz/oss-fuzz/build.sh. Runs it here with a similar
# environment and repeats the farm's documented checks: targets found and executable
# after the folder has moved, a start with -runs=4 -seed=1337, coverage counters, enough calls of
# the right sanitizer and none of the wrong one, architecture, no library missing, seeds that
# replay without errors, options that parse.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
here=$PWD

usage() {
    cat <<'HELP'
usage: scripts/check_oss_fuzz.sh [--short] [--configuration ENGINE-SANITIZER]... [--keep]
       scripts/check_oss_fuzz.sh --fields [FILE]

Configurations: libfuzzer-address, libfuzzer-undefined, afl-address (needs Debian's afl++).
Default: all three. Building SPIRV-Tools takes ten minutes on two cores for each, less with ccache.
--short: libfuzzer-address with the SPIRV-Tools of scripts/setup.sh, which is not instrumented, and the five
targets that need the fewest rooms; takes half a minute and is one of the tests. --keep leaves the folders (build/oss-fuzz). Ends with
`N passed, N failed`; status 0 if none failed.

--fields: names the fields of project.yaml that are still empty; status 1 if there are any.

example: scripts/check_oss_fuzz.sh --configuration libfuzzer-undefined
HELP
}

die() {
    echo "check_oss_fuzz: $*" >&2
    exit 2
}
# The fields that only the project's owner knows are in project.yaml and nowhere else.
fields() {
    local file=${1:-selftest/fuzz/oss-fuzz/project.yaml} empty=
    for name in homepage primary_contact main_repo; do
        grep -qE "^$name: *\"[^\" ]+\"\$" "$file" || empty+=" $name"
    done
    [ -z "$empty" ] || { echo "$file: fill in$empty, each as NAME: \"VALUE\"" && return 1; }
}
if [ "${1-}" = --fields ]; then
    fields "${2-}" || exit 1
    exit
fi
configurations=() keep=no short=no
while [ $# -gt 0 ]; do
    case $1 in
    --short) short=yes ;;
    --configuration)
        [ $# -ge 2 ] || die "--configuration needs a name"
        configurations+=("$2")
        shift
        ;;
    --keep) keep=yes ;;
    -h | --help) usage && exit 0 ;;
    *) die "unknown argument '$1' (see --help)" ;;
    esac
    shift
done
[ $short = no ] || [ ${#configurations[@]} = 0 ] || die "--short is libfuzzer-address only: do not combine it with --configuration"
[ $short = no ] || configurations=(libfuzzer-address)
[ ${#configurations[@]} -gt 0 ] || configurations=(libfuzzer-address libfuzzer-undefined afl-address)
for tool in clang clang++ cmake ninja zip unzip objdump ldd; do
    command -v $tool >/dev/null || die "$tool is missing (apt-get install clang cmake ninja-build zip unzip binutils)"
done

passed=0 failed=0
ok() { passed=$((passed + 1)) && echo "ok $*"; }
not_ok() { failed=$((failed + 1)) && echo "not ok $*"; }
check() { # NAME COMMAND...
    local name=$1
    shift
    if "$@"; then ok "$name"; else not_ok "$name"; fi
}

root=$here/build/oss-fuzz; [ $short = no ] || root+=-short
mkdir -p "$root"
SELF=check_oss_fuzz DEPS=$here/build/deps
. scripts/lib/private_root.sh
. scripts/lib/project_files.sh
. scripts/lib/private_source.sh
scripts/setup.sh --with-fuzzers --no-drivers >/dev/null
if [ $short = yes ]; then
    for prefix in "$DEPS/root/usr" /usr; do
        [ ! -e "$prefix/include/spirv-tools/optimizer.hpp" ] || break
    done
    export TANGLEFUZZ_SPIRV_TOOLS=$prefix
    export TANGLEFUZZ_TARGETS='tf_case_reader_fuzzer tf_module_reader_fuzzer tf_llir_fuzzer tf_amd_fuzzer tf_nir_fuzzer'
else
    pr_start
    ps_spirv_tools
    pr_end
fi
rm -rf "$root/src" # a copy, like a fresh clone: without anything built here
mkdir -p "$root/src/tanglefuzz"
project_files . | tar -c --verbatim-files-from -T - | tar -x -C "$root/src/tanglefuzz"
for name in spirv-tools spirv-headers vulkan-headers volk; do
    [ $short = yes ] || ln -sfn "$DEPS/src/$name" "$root/src/$name"
done

# calls PROGRAM: prints the number of call instructions to functions of asan, of ubsan, and to ubsan's handlers. One
# disassembly for all three: it takes seconds.
calls() {
    objdump -dC --no-show-raw-insn "$1" | awk '/call.*<__asan_/ { a++ } /call.*<__ubsan/ { u++ }
        /call.*<__ubsan_handle/ { h++ } END { print a + 0, u + 0, h + 0 }'
}

# Minimum of calls in a build with the sanitizer, maximum without. The farm's check also counts calls inside the sanitizers'
# runtime, 177 with clang 14, which prove nothing; ours also counts handlers called by the code.
right_sanitizer() { # PROGRAM SANITIZER
    local asan ubsan handlers
    read -r asan ubsan handlers < <(calls "$1")
    echo "# $(basename "$1"): $asan calls of asan, $ubsan of ubsan, $handlers of its handlers"
    case $2 in
    address) [ "$asan" -ge 150 ] && [ "$handlers" -le 2 ] ;;
    undefined) [ "$ubsan" -ge 169 ] && [ "$handlers" -ge 100 ] && [ "$asan" = 0 ] ;;
    esac
}
no_library_missing() { # only libraries that every Linux has
    local line
    ! ldd "$1" | grep -q 'not found' || return 1
    while read -r line; do
        case $line in
        linux-vdso* | libm.* | libc.* | libpthread.* | libdl.* | librt.* | libresolv.* | libgcc_s.* | libstdc++.* | */ld-linux*) ;;
        *) echo "# needs $line" && return 1 ;;
        esac
    done < <(ldd "$1" | sed 's/^[[:space:]]*//')
}
# A run that ends at once gets -rss_limit_mb=0, so that libFuzzer starts no thread to watch the memory: ASan allocates while
# that thread starts, and the leak check at the end reported this as a leak in 5 of 400 such runs (in none of 4,000 without it).
starts() { # PROGRAM: like their check for broken builds, without input
    local dir
    dir=$(mktemp -d)
    (cd "$dir" && timeout 1500 "$1" -runs=4 -seed=1337 -rss_limit_mb=0) >"$log.start" 2>&1 </dev/null
    local status=$?
    rm -rf "$dir"
    [ $status = 0 ] || { tail -n 5 "$log.start" | sed 's/^/# /' && return 1; }
    grep -q 'Done 4 runs' "$log.start" || grep -q 'DONE' "$log.start"
}
coverage_present() { # PROGRAM: enough counters to guide the fuzzer
    local n
    n=$(timeout 1500 "$1" -runs=1 -rss_limit_mb=0 2>&1 </dev/null |
        sed -nE 's/^INFO: Loaded [0-9]+ modules +\(([0-9]+) inline 8-bit counters.*/\1/p')
    echo "# $(basename "$1"): ${n:-0} counters"
    local least=100 # the value of their check
    case $1 in *tf_spirv_opt*) [ $short = yes ] || least=50000 ;; esac
    [ "${n:-0}" -ge $least ]
}
seeds_replay() { # PROGRAM
    local dir name
    dir=$(mktemp -d) name=$(basename "$1")
    unzip -q "$(dirname "$1")/${name}_seed_corpus.zip" -d "$dir" || return 1
    [ "$(find "$dir" -type f | wc -l)" -ge 10 ] || return 1
    timeout 1500 "$1" -runs=0 -timeout=25 -rss_limit_mb=2560 "$dir" >"$log.seeds" 2>&1 ||
        { tail -n 5 "$log.seeds" | sed 's/^/# /' && rm -rf "$dir" && return 1; }
    rm -rf "$dir"
}
options_parse() { # FILE
    python3 -c 'import configparser, sys
c = configparser.ConfigParser(); c.read(sys.argv[1]); assert c.sections() == ["libfuzzer"], c.sections()
assert 0 < c.getint("libfuzzer", "timeout") <= 25 and c.getint("libfuzzer", "max_len") > 0' "$1"
}
dict_parses() { # PROGRAM FILE
    [ -e "$2" ] || return 0
    timeout 1500 "$1" -runs=0 -rss_limit_mb=0 -dict="$2" >"$log.dict" 2>&1 </dev/null ||
        { tail -n 20 "$log.dict" | sed 's/^/# /' && return 1; }
}
afl_runs() { # PROGRAM: is instrumented, and accepts a file
    local dir
    dir=$(mktemp -d)
    mkdir "$dir/in" && head -c 64 /dev/zero >"$dir/in/zero"
    AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_AFFINITY=1 AFL_BENCH_JUST_ONE=1 \
        timeout 1500 afl-fuzz -i "$dir/in" -o "$dir/out" -m none -t 25000 -E 50 "$1" >"$log.afl" 2>&1
    local status=$?
    rm -rf "$dir"
    [ $status = 0 ] || { tail -n 5 "$log.afl" | sed 's/^/# /' && return 1; }
}

check_target() { # PROGRAM, of the current configuration
    local target=$1 name log
    name="$configuration: $(basename "$target")" log=$root/checks/$(basename "$target")
    check "$name: executable" [ -x "$target" ]
    check "$name: x86-64" grep -q 'x86-64' <(objdump -f "$target")
    check "$name: sanitizer" right_sanitizer "$target" "$sanitizer"
    check "$name: libraries" no_library_missing "$target"
    check "$name: options" options_parse "$target.options"
    if [ "$engine" = libfuzzer ]; then
        check "$name: starts" starts "$target"
        check "$name: coverage" coverage_present "$target"
        check "$name: seeds" seeds_replay "$target"
        check "$name: dictionary" dict_parses "$target" "$target.dict"
    else
        check "$name: afl-fuzz" afl_runs "$target"
    fi
    echo '# checked'
}

for configuration in "${configurations[@]}"; do
    engine=${configuration%-*} sanitizer=${configuration#*-}
    flags='-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION'
    case $sanitizer in
    address) flags+=' -fsanitize=address -fsanitize-address-use-after-scope' ;;
    undefined) flags+=' -fsanitize=array-bounds,bool,builtin,enum,integer-divide-by-zero,null,object-size,return,returns-nonnull-attribute,shift,signed-integer-overflow,unreachable,vla-bound
        -fno-sanitize-recover=array-bounds,bool,builtin,enum,integer-divide-by-zero,null,object-size,return,returns-nonnull-attribute,shift,signed-integer-overflow,unreachable,vla-bound' ;;
    *) die "unknown configuration '$configuration' (see --help)" ;;
    esac
    case $engine in
    libfuzzer)
        export CC=clang CXX=clang++ LIB_FUZZING_ENGINE=-fsanitize=fuzzer
        flags+=' -fsanitize=fuzzer-no-link'
        ;;
    afl)
        command -v afl-clang-fast >/dev/null || die "afl-clang-fast is missing (apt-get install afl++)"
        CC=$(command -v afl-clang-fast) CXX=$(command -v afl-clang-fast++)
        LIB_FUZZING_ENGINE=$(find /usr/lib/afl -name libAFLDriver.a | head -n 1)
        [ -n "$LIB_FUZZING_ENGINE" ] || die "afl++ has no libAFLDriver.a"
        export CC CXX LIB_FUZZING_ENGINE AFL_QUIET=1
        ;;
    *) die "unknown configuration '$configuration' (see --help)" ;;
    esac
    flags=$(tr -s ' \n' ' ' <<<"$flags")
    export CFLAGS=$flags CXXFLAGS=$flags SANITIZER=$sanitizer FUZZING_ENGINE=$engine ARCHITECTURE=x86_64
    export SRC=$root/src WORK=$root/$configuration/work OUT=$root/$configuration/out
    [ "$engine" = afl ] || ! command -v ccache >/dev/null || export TANGLEFUZZ_COMPILER_LAUNCHER=ccache
    echo "# $configuration: building"
    rm -rf "$OUT" "$root/moved" "$WORK"/tanglefuzz/tf_*_fuzzer && mkdir -p "$WORK" "$OUT"
    if ! (cd "$SRC/tanglefuzz" && bash -eu selftest/fuzz/oss-fuzz/build.sh) >"$root/$configuration/build.log" 2>&1; then
        tail -n 20 "$root/$configuration/build.log" | sed 's/^/# /'
        not_ok "$configuration: build.sh"
        continue
    fi
    ok "$configuration: build.sh"
    mv "$OUT" "$root/moved" # a farm runs the targets in another folder
    mapfile -t targets < <(grep -l LLVMFuzzerTestOneInput "$root"/moved/tf_*_fuzzer)
    # All except the one that needs a driver.
    wanted=$(ls selftest/fuzz/tf_*_fuzzer.c | grep -cv vulkan)
    [ $short = no ] || wanted=$(wc -w <<<"$TANGLEFUZZ_TARGETS")
    check "$configuration: all targets" [ ${#targets[@]} = "$wanted" ]
    # As many in parallel as there are processors; each output is printed in one piece.
    rm -rf "$root/checks" && mkdir "$root/checks"
    for target in "${targets[@]}"; do
        while [ "$(jobs -pr | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
        check_target "$target" >"$root/checks/$(basename "$target")" &
    done
    wait
    for target in "${targets[@]}"; do
        said=$root/checks/$(basename "$target")
        cat "$said"
        passed=$((passed + $(grep -c '^ok ' "$said" || true))) failed=$((failed + $(grep -c '^not ok ' "$said" || true)))
        grep -q '^# checked$' "$said" || not_ok "$configuration: $(basename "$target"): its checks did not finish"
    done
    if [ $keep = yes ]; then mv "$root/moved" "$OUT"; else rm -rf "$root/moved"; fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
