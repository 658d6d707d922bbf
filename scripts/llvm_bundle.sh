#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Prepares a case that LLVM gets wrong for its developers: the IR or the HLSL, the pass after
# which the verdict changes, and commands that need only LLVM and SPIRV-Tools.
#   case.ll     the program, valid before any pass; case.hlsl with --hlsl
#   before.ll   after the last correct pass; after.ll: after one more pass (not with --hlsl)
#   README.md   class, pass, commands, expected and observed results
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

die() {
    printf 'llvm_bundle: %s\n' "$*" >&2
    exit 2
}
usage() {
    cat <<'HELP'
usage: scripts/llvm_bundle.sh [--passes P] [--level N] [--hlsl -O1|-O2|-O3] [--out DIR] CASE

Finds the pass of LLVM after which the verdict on CASE (a case file, best a reduced one) changes, and
writes a folder that shows it with stock tools: opt, llc, spirv-val; with --hlsl clang, spirv-val.

  --passes P  pipeline, as for the target llvm:passes=P; default default<O3>
  --level N   level of the back end, 0 to 3; default 2
  --hlsl -ON  use clang's HLSL at that level, as for the target clang-hlsl:-ON
  --out DIR   output folder; default CASE.llvm

Uses build/release/tanglefuzz, or the program in the variable TANGLEFUZZ.
example: scripts/llvm_bundle.sh reduced.spvasm
HELP
}

passes='default<O3>' level=2 out='' case='' hlsl=''
while [ $# -gt 0 ]; do
    case $1 in
    --passes | --level | --out | --hlsl)
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
[ -x "$tf" ] || die "no $tf: build it, or set the variable TANGLEFUZZ to the program"
[ -x "$bin/opt" ] || die "LLVM is missing: run scripts/llvm.sh"

# verdict TARGET: prints "class: text", without the machine's folders and the case's name.
verdict() {
    local line
    line=$("$tf" replay "$case" --target "$1" 2>&1 | head -1) || true
    printf '%s\n' "${line#*spvasm: }"
}
class() { local v && v=$(verdict "$@") && printf '%s' "${v%%:*}"; }
limited() { printf 'llvm:passes=%s,level=%s,limit=%s' "$passes" "$level" "$1"; }

target=${hlsl:+clang-hlsl:$hlsl}
target=${target:-llvm:passes=$passes,level=$level}
end=$(verdict "$target")
case $end in
agrees:*) die "the target $target gets $case right" ;;
'' | *tanglefuzz*) die "no verdict: $end" ;;
esac
want=${end%%:*}
mkdir -p "$out"
triple='-mtriple=spirv1.6-unknown-vulkan1.3-compute'
llc="llc $triple -O$level --spirv-ext=+SPV_KHR_maximal_reconvergence -filetype=obj"
clang="clang -cc1 -triple ${triple#-mtriple=} -hlsl-entry main -fspv-enable-maximal-reconvergence -w -x hlsl case.hlsl"
spirv='-emit-obj -mllvm -spirv-ext=+SPV_KHR_maximal_reconvergence -o case.spv'

# back_end FILE: prints the commands that show the failure from the IR of FILE.
back_end() { # FILE
    [ "$want" = rejected ] && [ -z "$hlsl" ] && { echo "opt -passes=verify $1 -disable-output    # $said" && return; }
    [ "$want" != crash ] || { echo "$llc $1 -o case.spv    # dies" && return; }
    echo "$llc $1 -o case.spv"
    val
}
val() {
    case $want in
    invalid-output) echo 'spirv-val --target-env vulkan1.3 case.spv    # not valid' ;;
    *) echo 'spirv-val --target-env vulkan1.3 case.spv    # valid, and wrong
spirv-dis case.spv' ;;
    esac
}
said=${end##*: }
if [ -n "$hlsl" ]; then
    "$tf" print "$case" --as hlsl >"$out/case.hlsl"
    culprit="clang $hlsl (no pass was found)"
    pass=$("$tf" bisect "$case" --target "$target" 2>&1) || true
    if [ -n "$(sed -n 's/^  pass    //p' <<<"$pass")" ]; then
        culprit="pass $(sed -n 's/^  target .*limit=//p' <<<"$pass") as -opt-bisect-limit counts, $(
            sed -n 's/^  pass    //p' <<<"$pass"); $(sed -n 's/.*without the last one \(.*\) (.*/without it \1/p' <<<"$pass")"
    fi
    valid="$clang -disable-llvm-passes -emit-llvm -o case.ll
opt -passes=verify case.ll -disable-output"
    case $want in
    crash | rejected) commands="$clang $hlsl -disable-llvm-verifier $spirv    # dies" ;;
    *) commands="$clang $hlsl -disable-llvm-verifier $spirv
$(val)" ;;
    esac
    commands="$valid
$commands"
elif "$tf" print "$case" --as llvm >"$out/case.ll" && [ "$(class "llvm:passes=none,level=$level")" = "$want" ]; then
    culprit='the SPIR-V back end: no pass is needed'
    commands="opt -passes=verify case.ll -disable-output
$(back_end case.ll)"
else
    low=0 high=1
    while [ "$(class "$(limited $high)")" != "$want" ] && [ $high -lt 100000 ]; do
        low=$high high=$((high * 2))
    done
    while [ $((low + 1)) -lt $high ]; do
        middle=$(((low + high) / 2))
        if [ "$(class "$(limited $middle)")" = "$want" ]; then high=$middle; else low=$middle; fi
    done
    for n in before:$low after:$high; do
        "$bin/opt" "$triple" -passes="$passes" -opt-bisect-limit="${n#*:}" -disable-verify -S \
            "$out/case.ll" -o "$out/${n%:*}.ll" 2>"$out/log" || true
    done
    culprit=$(sed -nE "s/^BISECT: running pass \($high\) (.*)/\1/p" "$out/log" | tail -1)
    culprit="pass $high of the pipeline, ${culprit:-not named}; before it: $(verdict "$(limited $low)")"
    rm -f "$out/log"
    commands="opt -passes=verify case.ll -disable-output
opt $triple -passes='$passes' -opt-bisect-limit=$high -disable-verify -S case.ll -o after.ll
$(back_end after.ll)"
fi
heading="$passes, back end level $level"
[ -z "$hlsl" ] || heading="clang's HLSL, $hlsl"
"$tf" predict "$case" >"$out/expected.txt" 2>/dev/null || true
{
    cat <<MD
# ${want}: LLVM $(sed -E 's/^LLVM [0-9]:([^-]*).*/\1/' "$bin/../version"), $heading

- **What:** $end
- **Pass at fault:** $culprit

The program's IR is valid before any pass (the first commands). By the rules of convergence control (entry, loop
hearts, tokens) its memory must end as in \`expected.txt\`.

    ${commands//$'\n'/$'\n'    }
MD
} >"$out/README.md"
printf '%s\n' "$out: $want: $culprit"
