#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Would a fuzzing farm take our targets? The short form of scripts/check_oss_fuzz.sh.
set -u
cd "$SOURCE_DIR" || exit 1
# The fields to fill in are in one place, and the check names those that are empty.
file=$(mktemp)
cp selftest/fuzz/oss-fuzz/project.yaml "$file"
said=$(scripts/check_oss_fuzz.sh --fields "$file")
[ $? = 1 ] && [ "$said" = "$file: fill in homepage primary_contact main_repo, each as NAME: \"VALUE\"" ] &&
    echo "ok empty_fields" || { echo "not ok empty_fields" && echo "# $said"; }
sed -i 's/^\(homepage\|primary_contact\|main_repo\): ""/\1: "https:\/\/example.org\/x"/' "$file"
scripts/check_oss_fuzz.sh --fields "$file" && echo "ok filled_fields" || echo "not ok filled_fields"
[ "$(cp "$file" "$(dirname "$file")/project.yaml" && SRC=$(dirname "$file") bash -c "$(sed -n 's/^RUN git clone --depth 1 \("$(.*)"\) tanglefuzz/echo \1/p' selftest/fuzz/oss-fuzz/Dockerfile)")" = https://example.org/x ] &&
    echo "ok dockerfile_reads_the_field" || echo "not ok dockerfile_reads_the_field"
rm -f "$file"
for tool in clang clang++ ninja zip unzip objdump; do
    command -v $tool >/dev/null || { echo "ok oss_fuzz # SKIP no $tool" && exit 0; }
done
scripts/check_oss_fuzz.sh --short
