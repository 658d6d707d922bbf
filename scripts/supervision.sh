#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The long form of tests/app_faults_test.sh: the supervision of workers loses nothing and does not leak.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/supervision.sh [--cases N] [--kills N] [--grow N] [--seed N]

  --cases N  cases on a target that crashes, hangs, loses its device, takes too much memory, refuses and leaks
             (default 10000, of which every 200th hangs four times: ten minutes)
  --kills N  kills of supervisor and workers at random moments, each followed by --resume; default 50
  --grow N   cases during which no process may grow; default 100000
  --seed N   seed for the moments; default 1

Needs a release build (another program: TANGLEFUZZ). Exit status: 0 all checks pass, 1 some fail.
example: scripts/supervision.sh --cases 1000 --kills 10 --grow 20000
HELP
}
export FAULT_CASES=10000 KILLS=50 GROW_CASES=100000 SEED=1 JOB_TIME=5
while [ $# -gt 0 ]; do
    case $1 in
    --cases | --kills | --grow | --seed) [ $# -ge 2 ] || { usage >&2 && exit 2; } ;;&
    --cases) FAULT_CASES=$2 && shift ;;
    --kills) KILLS=$2 && shift ;;
    --grow) GROW_CASES=$2 && shift ;;
    --seed) SEED=$2 && shift ;;
    -h | --help) usage && exit 0 ;;
    *) echo "supervision: unknown argument '$1' (see --help)" >&2 && exit 2 ;;
    esac
    shift
done
export SOURCE_DIR=$PWD TANGLEFUZZ=${TANGLEFUZZ:-$PWD/build/release/tanglefuzz} DEPS_DIR=$PWD/build/deps
[ -x "$TANGLEFUZZ" ] || { echo "supervision: no $TANGLEFUZZ: build first (scripts/test.sh)" >&2 && exit 2; }
exec bash tests/app_faults_test.sh
