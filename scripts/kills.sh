#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The long form of tests/app_kill_test.sh: kill -9 of fuzz, reduce CAMPAIGN, merge and report, a hundred times each; and
# of a device program, its link and tanglefuzz in turn, fifty times (with lavapipe).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/kills.sh [--kills N] [--seed N]

  --kills N  kills of each command; default 100
  --seed N   seed for the moments; default 1

Needs a release build (another program: TANGLEFUZZ). Exit status: 0 same results as without kills, 1 not.
example: scripts/kills.sh --kills 20
HELP
}
export KILLS=100 SEED=1
while [ $# -gt 0 ]; do
    case $1 in
    --kills | --seed) [ $# -ge 2 ] || { usage >&2 && exit 2; } ;;&
    --kills) KILLS=$2 && shift ;;
    --seed) SEED=$2 && shift ;;
    -h | --help) usage && exit 0 ;;
    *) echo "kills: unknown argument '$1' (see --help)" >&2 && exit 2 ;;
    esac
    shift
done
export SOURCE_DIR=$PWD TANGLEFUZZ=${TANGLEFUZZ:-$PWD/build/release/tanglefuzz}
[ -x "$TANGLEFUZZ" ] || { echo "kills: no $TANGLEFUZZ: build first (scripts/test.sh)" >&2 && exit 2; }
status=0
bash tests/app_kill_test.sh || status=1
if [ -e build/deps/drivers/lavapipe/env ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    set -a
    . build/deps/drivers/lavapipe/env
    set +a
    python3 tests/faults/kill_links.py "$TANGLEFUZZ" "$(dirname "$TANGLEFUZZ")/tanglefuzz-device" "$work/links" \
        --kills $(((KILLS + 1) / 2)) --seed "$SEED" || status=1
fi
exit $status
