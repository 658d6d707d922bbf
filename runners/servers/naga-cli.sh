#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# naga IN OUT: like naga's own command line for a .spv or .wgsl file, using the server in the same folder (no Debian
# suite has that command). For a bundle's commands (docs/reduction.md).
[ "$*" = --version ] && exec cat "$(dirname "$0")/../version"
[ $# = 2 ] || { echo "usage: naga IN OUT" >&2; exit 2; }
case $2 in *.wgsl) as=--text ;; *) as= ;; esac
answer=$(printf '1\t%s\t%s\n' "$1" "$2" | "$(dirname "$0")/naga-server" $as | tail -n 1)
status=$(printf %s "$answer" | cut -f 2)
[ "$status" = 0 ] && exit
printf '%s\n' "$answer" | cut -f 3- >&2
[ "$status" = 134 ] && exit 101 # as a panic
exit 1
