#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The style of the C sources outside tests/: no line of more than 100 columns, and nothing that the formatter would change.
# Versions of clang-format differ in details; the one that decides is 19.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/scripts/lib/project_files.sh"

project_files "$SOURCE_DIR" | grep -E '\.[ch]$' | grep -vE '^(tests|corpus)/' >files
t sources_are_listed 0 - - grep -q '^oracle/flow.c$' files

cd "$SOURCE_DIR" || exit 1
xargs awk 'length > 100 { print FILENAME ":" FNR ": " length " columns" }' <"$work/files" >"$work/long"
report at_most_100_columns "$(cat "$work/long")"

formatter=$(command -v clang-format-19 || command -v clang-format)
if "$formatter" --version 2>/dev/null | grep -q ' version 19\.'; then
    report formatted "$(xargs "$formatter" --dry-run -Werror <"$work/files" 2>&1 | grep 'error:' | head -20)"
else
    skip formatted "no clang-format 19"
fi
