#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# A compiler for tanglefuzz: reads a SPIR-V module, writes another.
#
#   tanglefuzz fuzz --target 'exec-compiler:examples/offline-compiler.sh {in} {out}'
#
# This one runs a chain of other programs and distinguishes their failures (docs/protocol.md).
# COMPILER is yours: anything that takes `COMPILER in.spv -o out.spv`.
set -u
compiler=${COMPILER:-spirv-opt -O}
in=$1 out=$2

# Not there at all: that is the environment's fault, no finding (125).
# shellcheck disable=SC2086
set -- $compiler
command -v "$1" >/dev/null || { echo "no program '$1' (set COMPILER)"; exit 125; }

# TMPDIR is a folder of this run's own. Nothing in it needs to be removed.
"$@" "$in" -o "$TMPDIR/made.spv" 2>"$TMPDIR/said"
status=$?
cat "$TMPDIR/said"
case $status in
0) ;;
# Something that it says it does not do: the case is skipped and counted (77).
*) if grep -qi 'not supported\|unsupported' "$TMPDIR/said"; then exit 77; fi
    # A signal (128 and more) is a crash, anything else a rejection. Both are findings.
    exit $status ;;
esac
cp "$TMPDIR/made.spv" "$out"
