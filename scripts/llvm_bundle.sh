#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A case that LLVM gets wrong, as its developers want to see it: the IR, the pass behind which the
# verdict turns, and commands that need LLVM and SPIRV-Tools alone.
#   case.ll     the program, valid before any pass
#   before.ll   after the last pass that leaves it right; after.ll: one pass more
#   README.md   classification, pass, commands, what must be and what is
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

die() {
    printf 'llvm_bundle: %s\n' "$*" >&2
    exit 2
}
usage() {
    cat <<'HELP'
usage: scripts/llvm_bundle.sh [--passes P] [--level N] [--out DIR] CASE

Finds the pass of LLVM behind which the verdict on CASE (a case file, best a reduced one) turns, and
writes a folder that shows it with stock tools: opt, llc, spirv-val.

  --passes P  pipeline, as for the target llvm:passes=P; default default<O3>
  --level N   of the back end, 0 to 3; default 2
  --out DIR   default CASE.llvm

Uses build/release/tanglefuzz, or what the variable TANGLEFUZZ names.
example: scripts/llvm_bundle.sh reduced.spvasm
HELP
}

passes='default<O3>' level=2 out='' case=''
while [ $# -gt 0 ]; do
    case $1 in
    --passes | --level | --out)
        [ $# -ge 2 ] || die "$1 needs a value"
        declare "${1#--}=$2"
        shift 2
        ;;
    -h | --help) usage && exit 0 ;;
    -*) die "unknown option '$1' (see --help)" ;;
    *) case=$1 && shift ;;
    esac
done
[ -n "$case" ] || { usage >&2 && exit 2; }
[ -r "$case" ] || die "$case: cannot be read"
out=${out:-$case.llvm}
tf=${TANGLEFUZZ:-$here/../build/release/tanglefuzz}
bin=${TANGLEFUZZ_LLVM_DIR:-$here/../build/deps/llvm}/23/bin
[ -x "$tf" ] || die "no $tf: build it, or name it in the variable TANGLEFUZZ"
[ -x "$bin/opt" ] || die "no LLVM here: scripts/llvm.sh"

# verdict PASSES LIMIT: "class: text", machine folders and the case's name left out.
verdict() {
    local line
    line=$("$tf" replay "$case" --target "llvm:passes=$1,level=$level${2:+,limit=$2}" 2>&1 | head -1) || true
    printf '%s\n' "${line#*spvasm: }"
}
class() { local v && v=$(verdict "$@") && printf '%s' "${v%%:*}"; }

end=$(verdict "$passes" '')
case $end in
agrees:*) die "the target llvm:passes=$passes,level=$level is right about $case" ;;
'' | *tanglefuzz*) die "no verdict: $end" ;;
esac
want=${end%%:*}
mkdir -p "$out"
"$tf" print "$case" --as llvm >"$out/case.ll"
triple='-mtriple=spirv1.6-unknown-vulkan1.3-compute'
llc="llc $triple -O$level --spirv-ext=+SPV_KHR_maximal_reconvergence -filetype=obj"

if [ "$(class none '')" = "$want" ]; then
    culprit='the SPIR-V back end: no pass is needed'
    commands="$llc case.ll -o case.spv"
else
    low=0 high=1
    while [ "$(class "$passes" $high)" != "$want" ] && [ $high -lt 100000 ]; do
        low=$high high=$((high * 2))
    done
    while [ $((low + 1)) -lt $high ]; do
        middle=$(((low + high) / 2))
        if [ "$(class "$passes" $middle)" = "$want" ]; then high=$middle; else low=$middle; fi
    done
    for n in before:$low after:$high; do
        "$bin/opt" "$triple" -passes="$passes" -opt-bisect-limit="${n#*:}" -disable-verify -S \
            "$out/case.ll" -o "$out/${n%:*}.ll" 2>"$out/log" || true
    done
    culprit=$(sed -nE "s/^BISECT: running pass \($high\) (.*)/\1/p" "$out/log" | tail -1)
    culprit="pass $high of the pipeline, ${culprit:-not named}; before it: $(verdict "$passes" $low)"
    rm -f "$out/log"
    commands="opt $triple -passes='$passes' -opt-bisect-limit=$high -disable-verify -S case.ll -o after.ll
opt -passes=verify after.ll -disable-output
$llc after.ll -o case.spv"
fi
"$tf" predict "$case" >"$out/expected.txt" 2>/dev/null || true
{
    cat <<MD
# ${want}: LLVM $(sed -E 's/^LLVM [0-9]:([^-]*).*/\1/' "$bin/../version"), $passes, back end level $level

- **What:** $end
- **Where it turns:** $culprit

\`case.ll\` is valid (\`opt -passes=verify\`). By the rules of convergence control (entry, loop hearts,
tokens) its memory must end as \`expected.txt\` says.

    ${commands//$'\n'/$'\n'    }
    spirv-val --target-env vulkan1.3 case.spv
MD
} >"$out/README.md"
printf '%s\n' "$out: $want: $culprit"
