#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The command survey: counts what a compiler gets wrong. No device needed.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1

# One row a bucket, its case on disk, and the case is wrong in the same way.
t wrong 1 '^wrong-[a-z]+: [1-9][0-9]* programs, first seed [0-9]+$' '' \
    "$TF" survey --target mutant:hoist-out-of-arm --first 100 --cases 150 --out s
report counts "$(python3 -c '
import json
s = json.load(open("s/survey.json"))
assert s["programs"] == 150 and s["asked"] == 150 and s["live_bits"] > 0, s
assert s["kinds"]["agrees"] + s["kinds"]["wrong"] + s["kinds"]["undefined"] == 150, s["kinds"]
assert sum(r["programs"] for r in s["rows"]) == s["kinds"]["wrong"] + s["kinds"]["undefined"] > 0, s
assert all(r["repeats"] and r["signature"].startswith("1|mutant|") for r in s["rows"]), s' 2>&1)"
kept=$(find s/cases -name '*.spvasm' | head -n 1)
t kept_case_is_wrong 1 ': (wrong|missing|extra)' - "$TF" replay "$kept" --target mutant:hoist-out-of-arm
report kept_case_has_its_choices "$(grep -q '^; from generator .* choices ' "$kept" || head -20 "$kept")"

# A compiler that does nothing is right, also where its switches may split; nothing is hidden.
t right 0 '^ +15  100.0 %  agrees' '' "$TF" survey --target 'exec-compiler:cp {in} {out}' --cases 15 --split
# One that breaks modules: the validator's words, without the case's own.
chop='exec-compiler:sh -c "head -c -4 $0 >$1" {in} {out}'
t invalid 1 '^invalid-[a-z]+: 5 programs' '' \
    "$TF" survey --target "$chop" --cases 5 --out i

# What is known is counted and is no reason for status 1.
mkdir known
printf 'tanglefuzz-known 2\nclass invalid-output\nmessage *\nreason cuts the last word off\nlink https://example.org/1\n' \
    >known/chop.known
t known 0 'known: chop \(cuts the last word off\), https://example.org/1' '' \
    "$TF" survey --target "$chop" --cases 5 --known known
printf 'tanglefuzz-known 2\nclass invalid-output\nmessage *x of another kind\nreason another\n' >known/chop.known
t not_known 1 '^invalid-' '' \
    "$TF" survey --target "$chop" --cases 5 --known known

bad no_target 'needs --target' "$TF" survey
bad unknown_target "unknown name 'x'" "$TF" survey --target mutant:x
bad no_compiler 'is not a compiler' "$TF" survey --target mutant:split-at-merge
bad no_known 'contains no file NAME.known' "$TF" survey --target mutant:hoist-out-of-arm --known s
bad inputs '--inputs: survey runs one' "$TF" survey --target mutant:hoist-out-of-arm --inputs 2
