# SPDX-License-Identifier: Apache-2.0
#
# Functions to run fuzz targets. Sourced, from the root of the repository.
. selftest/fuzz/kinds.sh

# fuzz_arguments NAMES ARGUMENT...: parses --seconds N, --out DIR, and names that match NAMES (a regular expression) into
# seconds, out, names. Needs SELF and usage().
fuzz_arguments() {
    local pattern=$1
    shift
    while [ $# -gt 0 ]; do
        case $1 in
        --seconds | --out)
            [ $# -ge 2 ] || die "$1 needs a value"
            if [ "$1" = --out ]; then out=$2; else seconds=$2; fi
            shift
            ;;
        -h | --help) usage && exit 0 ;;
        -*) die "unknown argument '$1' (see --help)" ;;
        *)
            [[ $1 =~ ^($pattern)$ ]] || die "unknown argument '$1' (see --help)"
            names+=("$1")
            ;;
        esac
        shift
    done
    [[ $seconds =~ ^[1-9][0-9]*$ ]] || die "--seconds takes a number of seconds, not '$seconds'"
}
die() {
    echo "$SELF: $*" >&2
    exit 2
}

# fuzz_seeds TARGET: sets seeds to the folders of the target's seeds.
fuzz_seeds() {
    local kind
    seeds=()
    for kind in $(kinds_of "$1"); do seeds+=("corpus/seeds/$kind"); done
}

# fuzz_for SECONDS PROGRAM FOLDER: fuzzes from the seeds until this much CPU time is used. Writes FOLDER/corpus, findings,
# log, seconds. Does not stop at findings.
fuzz_for() {
    local seeds length=2048
    fuzz_seeds "$2"
    [ "${seeds[*]}" = corpus/seeds/choices ] || length=16384
    rm -rf "${3:?}"
    mkdir -p "$3/corpus" "$3/findings"
    scripts/lib/cpu_seconds.py "$1" "$3/seconds" "$2" -fork=1 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 \
        -entropic=0 -seed=1 -print_funcs=0 -max_len=$length -timeout=25 -rss_limit_mb=2500 \
        -artifact_prefix="$3/findings/" "$3/corpus" "${seeds[@]}" >"$3/log" 2>&1
}

# fuzz_row FOLDER PROGRAM: prints CPU seconds, executions, executions per CPU second, edges reached by corpus and seeds
# (replayed: the coverage printed by -fork is several times too high), inputs kept, findings.
fuzz_row() {
    local seeds
    fuzz_seeds "$2"
    "$2" -runs=0 -entropic=0 -print_funcs=0 -artifact_prefix="$1/" "$1/corpus" "${seeds[@]}" >"$1/replay" 2>&1 || true
    python3 - "$1" <<'PY'
import os, re, sys
folder = sys.argv[1]
log = open(f"{folder}/log", errors="replace").read()
seconds = int(open(f"{folder}/seconds").read() or 0)
runs = int((re.findall(r"^#(\d+): cov: ", log, re.M) or ["0"])[-1])
edges = (re.findall(r"^#\d+\tDONE +cov: (\d+)", open(f"{folder}/replay", errors="replace").read(), re.M) or ["-"])[-1]
kept, found = len(os.listdir(f"{folder}/corpus")), len(os.listdir(f"{folder}/findings"))
print(f"{seconds:>7} {runs:>10} {runs / max(seconds, 1):>8.1f} {edges:>8} {kept:>6} {found:>9}")
PY
}

# fuzz_buckets FOLDER PROGRAM: prints each kind of finding, by its first line, with its number and one file.
fuzz_buckets() {
    local file line
    for file in "$1"/findings/*; do
        [ -e "$file" ] || continue
        # grep does not wait for the program's end, which then reports a closed pipe
        line=$("$2" "$file" 2>&1 </dev/null | grep -aE -m 1 \
            '^ASSERTION FAILED|runtime error|ERROR: (AddressSanitizer|LeakSanitizer|libFuzzer)' |
            sed -E 's/==[0-9]+==//; s/0x[0-9a-f]+/_/g') || true
        printf '%s\t%s\n' "${line:-not reproduced}" "$file"
    done | sort | awk -F'\t' '{ n[$1]++; one[$1] = $2 } END { for (k in n) printf "%6d  %s\n        %s\n", n[k], k, one[k] }'
}
