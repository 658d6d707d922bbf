#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the kernels of examples/shaders: the verdict of `tanglefuzz portable` on each, and how many different memories lavapipe
# leaves at 4, 8 and 16 lanes, ten runs each. Writes docs/measured/portable-shaders.md.
#
#   scripts/portable_shaders.sh [BUILD_DIR]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/release} tf=${1:-build/release}/tanglefuzz root=$PWD
deps=${DEPS_DIR:-build/deps}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
headers=/usr/include
[ -e "$deps/root/usr/include/vulkan/vulkan.h" ] && headers=$deps/root/usr/include
${CC:-cc} -std=c99 -O1 -I"$headers" -o "$work/device" examples/vulkan-device.c -ldl
compiler=$(command -v glslangValidator || command -v glslang) || { echo "needs glslang (package glslang-tools)" >&2; exit 2; }
set -a
. "$deps/drivers/lavapipe/env"
set +a
out=docs/measured/portable-shaders.md
{
    echo '# Twelve kernels: verdicts and runs'
    echo
    echo 'For authors of shaders: does a kernel that `portable` calls not portable really differ between runs?'
    echo
    echo '- Command: `scripts/portable_shaders.sh`'
    echo "- Date: $(date -u +%Y-%m-%d)"
    echo
    echo '*Verdict*: of `tanglefuzz portable` for the shader as it declares itself, at 32 lanes; *maximal*: with'
    echo 'maximal reconvergence declared. *lavapipe*: the number of different memories in ten runs at each of 4, 8 and'
    echo '16 lanes, and in all thirty. A kernel that counts its own subgroup (`waterfall`, `ray_march`) leaves one memory per size.'
    echo
    echo '| kernel | verdict | maximal | 4 lanes | 8 | 16 | all |'
    echo '| --- | --- | --- | --- | --- | --- | --- |'
} >"$work/page"
for shader in examples/shaders/*.comp; do
    name=$(basename "$shader" .comp)
    "$tf" portable "$shader" --subgroup 32 --json >"$work/json" || true
    read -r says maximal < <(python3 -c 'import json, sys
a = json.load(open(sys.argv[1]))
print(a["verdict"].replace(" ", "-"), a["cells"][2]["status"].replace(" ", "-"))' "$work/json")
    "$compiler" -V --target-env vulkan1.3 -S comp -o "$work/spv" "$shader" >/dev/null
    row="| \`$name\` | $says | $maximal |"
    : >"$work/all"
    for size in 4 8 16; do
        "$tf" case "$shader" --subgroup $size -o "$work/case.spvasm"
        : >"$work/some"
        for run in 1 2 3 4 5 6 7 8 9 10; do
            status=0
            LP_NATIVE_VECTOR_WIDTH=$((size * 32)) timeout 20 "$work/device" "$work/case.spvasm" "$work/spv" "$work/memory" 2>"$work/err" || status=$?
            { [ $status = 0 ] && cksum <"$work/memory" || echo "status $status"; } >>"$work/some"
        done
        cat "$work/some" >>"$work/all"
        row="$row $(sort -u "$work/some" | wc -l)$(grep -q status "$work/some" && sort -u "$work/some" | grep -m1 status | sed 's/^/ (/; s/$/)/' || true) |"
    done
    echo "$row $(sort -u "$work/all" | wc -l) |" >>"$work/page"
done
{
    echo
    awk -F'|' '/^\| `/ && $3 !~ /portable/ {n++; differ += $8 > 1}
        END {print differ " of the " n " that are not portable leave more than one memory here; the others may do so on another device."}' "$work/page"
} >"$work/end"
cat "$work/page" "$work/end" >"$out"
cat "$out"
