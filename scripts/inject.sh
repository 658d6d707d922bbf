#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The long form of tests/app_inject_test.sh: every allocation and file operation of fuzz, report, merge and
# reduce fails once, on each call path, and the power fails after each operation of a campaign.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/inject.sh [--files]

  --files  only file operations (two minutes instead of half an hour)

Needs a release build with its tests. Exit status: 0 every failure is survived, 1 some are not.
example: scripts/inject.sh --files
HELP
}
arguments=
case ${1-} in
'') ;;
--files) arguments=--files ;;
-h | --help) usage && exit 0 ;;
*) echo "inject: unknown argument '$1' (see --help)" >&2 && exit 2 ;;
esac
export SOURCE_DIR=$PWD BUILD_DIR=$PWD/build/release DEPS_DIR=$PWD/build/deps
export TANGLEFUZZ=$BUILD_DIR/tanglefuzz INJECT_ARGS=$arguments JOURNAL_EVERY=1
[ -e "$BUILD_DIR/libtf_faults.so" ] || { echo "inject: no $BUILD_DIR/libtf_faults.so: build first (scripts/test.sh)" >&2 && exit 2; }
exec bash tests/app_inject_test.sh
