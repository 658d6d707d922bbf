#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Would a fuzzing farm take our targets? The short form of scripts/check_oss_fuzz.sh.
set -u
cd "$SOURCE_DIR" || exit 1
for tool in clang clang++ ninja zip unzip objdump; do
    command -v $tool >/dev/null || { echo "ok oss_fuzz # SKIP no $tool" && exit 0; }
done
scripts/check_oss_fuzz.sh --short
