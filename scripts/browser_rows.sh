#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs findings in headless Chromium (examples/browser-device.mjs): the case in our WGSL, and in naga's.
# Prints rows of docs/measured/webgpu.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tf=${TANGLEFUZZ:-build/release/tanglefuzz} naga=build/deps/tools/naga/bin/naga-server
usage() {
    cat <<'HELP'
usage: scripts/browser_rows.sh [CASE|FINDING]...

Replays each (default: those of naga in corpus/regress) on target naga, and twice in headless Chromium: in the WGSL
printed by tanglefuzz, and in the WGSL written by naga. Prints a table. Needs a release build, node,
chromium (Debian: apt install chromium; another browser: BROWSER=PROGRAM), and scripts/drivers.sh get naga.

example: scripts/browser_rows.sh my-campaign/findings/000001
HELP
}
case ${1-} in
-h | --help) usage && exit 0 ;;
-*) echo "browser_rows: unknown argument '$1' (see --help)" >&2 && exit 2 ;;
esac
browser=${BROWSER:-chromium}
for program in "$tf" node "$browser" "$naga"; do
    command -v "$program" >/dev/null || { echo "browser_rows: no $program (see --help)" >&2 && exit 2; }
done
[ $# -gt 0 ] || set -- corpus/regress/naga-*.spvasm

# answer CASE TARGET: prints the class, and for wrong memory the first word.
answer() {
    TANGLEFUZZ=$tf "$tf" replay "$1" --target "$2" 2>&1 | head -n 1 | sed -E "s|^.*$(basename "$1")[^:]*: ||; s/tanglefuzz print: not printed as wgsl/WGSL has no words for it/
        s/ \(0x[0-9a-f]+\)//g; s/ \(%[0-9]+\)//; s/panicked at [^ ]*\/naga/panicked at naga/; s/ Expression .*//; s/[|]/\\\\|/g; s/ - While .*//" | cut -c1-150 || true
}
echo '| case | `naga` | our WGSL, in the browser | naga'"'"'s WGSL, in the browser |'
echo '| --- | --- | --- | --- |'
for case; do
    wgsl=naga
    [[ $case != *wgsl-* ]] || wgsl=naga:wgsl
    echo "| \`$(basename "$case" .spvasm)\` | $(answer "$case" $wgsl) | $(answer "$case" 'exec-device-server:node examples/browser-device.mjs') | $(
        answer "$case" "exec-device-server:node examples/browser-device.mjs --naga $naga") |"
done
