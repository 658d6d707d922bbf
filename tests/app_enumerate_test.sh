#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The command enumerate: counts, one program, a campaign with its certificate, bad input.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1

t counts 0 '^54 programs, [0-9]+ behaviours \([0-9]+ equal to an earlier one\)' '' "$TF" enumerate --size 2
report machines_agree "$(grep -q '^0 disagreements of the machines, 0 undefined$' out || cat out)"
t fragments 0 '^58 programs' '' "$TF" enumerate --size 2 --stage fragment
t json 0 '"programs": 54' '' "$TF" enumerate --size 2 --json
t list 0 '^5 2 [0-9a-f]{16} ' '' "$TF" enumerate --size 2 --list
report list_is_complete "$([ "$(cut -d' ' -f1 out)" = "$(seq 0 53)" ] || cat out)"
"$TF" enumerate --size 2 --list --numbers 0:20 >parts
"$TF" enumerate --size 2 --list --numbers 20: >>parts
report ranges_are_parts "$(diff <(cut -d' ' -f1,4- out) <(cut -d' ' -f1,4- parts))"

# One program. The line `from` names it, and the same number is the same file.
t tree 0 'ballot' '' "$TF" enumerate --number 0 --tree
t one 0 '^; from enumeration 1 number=30 ' '' "$TF" enumerate --number 30
t model 0 '^; model assumed-maximal$' '' "$TF" enumerate --number 30 --model assumed-maximal
t files 0 '' '' "$TF" enumerate --number 30 -o case.spvasm
report two_inputs "$([ -e case.1.spvasm ] && [ -e case.2.spvasm ] || ls)"
t both_machines 0 - '' "$TF" predict case.2.spvasm --machine both

# A campaign. A broken compiler is found at size 2; the finding stores its number and can be run again.
t certified 0 'certificate  good/certificate.md$' '' "$TF" enumerate --size 2 --target spirv-opt:--ccp --out good
report page_says_so "$(grep -q '^# Every program of at most 2 constructs and operations is right$' good/certificate.md || cat good/certificate.md)"
report certificate_reads "$(python3 -c 'import json
x = json.load(open("good/certificate.json"))
assert x["holds"] and x["programs"] == 54 and x["by_size"] == [5, 49] and x["findings"] == [], x
assert x["agreed"] + x["nothing"] == x["cases"] == 108, x' 2>&1)"
# A target that skips all cases gets no certificate.
printf '#!/bin/sh\nexit 77\n' >skips && chmod +x skips
t skips 2 - 'every case was skipped' "$TF" enumerate --size 1 --target "exec-compiler:$work/skips {in} {out}" --out skipped
report skipped_is_not_certified "$(grep -q '^# Not certified' skipped/certificate.md || cat skipped/certificate.md)"
# A target without shared memory: programs with a barrier are left out, and the certificate says so.
if "$TF" replay "$SOURCE_DIR/corpus/rules/D1-M1-nested.spvasm" --target llvm >/dev/null 2>&1; then
    t left_out 0 '^  left out     12 programs' '' "$TF" enumerate --size 2 --target llvm --out llvm
    report title_says_without "$(grep -q '^# Every program of at most 2 constructs and operations is right, without those that need: shared$' llvm/certificate.md || cat llvm/certificate.md)"
    report certificate_counts_them "$(python3 -c 'import json
x = json.load(open("llvm/certificate.json"))
assert x["holds"] and x["left_out"] == 12 and x["without"] == "shared" and x["cases"] == 84, x' 2>&1)"
else
    skip left_out 'no LLVM'
fi
# The version of a tool is what it prints.
if "$TF" replay "$SOURCE_DIR/corpus/rules/D1-M1-nested.spvasm" --target glslang >/dev/null 2>&1; then
    t glslang 0 - '' "$TF" enumerate --size 1 --target glslang --out glslang
    report version_is_printed "$(grep -qE '^\| version \| Glslang Version: [0-9]' glslang/certificate.md || grep version glslang/certificate.md)"
else
    skip glslang 'no glslang'
fi
t part 0 - '' "$TF" enumerate --size 2 --target spirv-opt:--ccp --out part --numbers 10:20
report a_part_is_not_all "$(grep -q '^# Not certified' part/certificate.md && grep -q 'not all programs' part/certificate.md || cat part/certificate.md)"
t finds 1 - '' "$TF" enumerate --size 3 --target mutant:split-at-merge --out bad
report not_certified "$(grep -q '^# Not certified' bad/certificate.md && grep -q '^- `s0' bad/certificate.md || cat bad/certificate.md)"
found=$(find bad/findings -name case.spvasm | sort | head -n 1)
number=$(basename "$(dirname "$found")" | sed -E 's/^s0*([0-9]+)-.*/\1/')
t replay 1 - - "$TF" replay "$found" --target mutant:split-at-merge
report stores_its_number "$(grep -q "^; from enumeration 1 number=$number " "$found" || head -20 "$found")"
report says_how_it_was_made "$(grep -q "tanglefuzz enumerate --number $number " "$(dirname "$found")/finding.json" || cat "$(dirname "$found")/finding.json")"
t resume 0 - '' "$TF" fuzz --resume good
t mutants 0 '^split-at-merge +T5 T11 +3 +[0-9]+ +enumeration ' '' "$TF" mutants --size 3 --only split-at-merge

# Bad input.
bad no_size 'needs --size K' "$TF" enumerate
bad size_zero "--size: '0' is not" "$TF" enumerate --size 0
bad size_too_large "--size: '8' is not" "$TF" enumerate --size 8
bad numbers_empty '--numbers: .5:5. is not A:B' "$TF" enumerate --size 2 --numbers 5:5
bad numbers_beyond 'there are 54 programs of at most 2' "$TF" enumerate --size 2 --numbers 54:
bad number_beyond 'there are 370971717 programs' "$TF" enumerate --number 370971717
bad number_and_target 'prints one program' "$TF" enumerate --number 3 --target spirv-opt
bad tree_alone '--tree needs --number N' "$TF" enumerate --size 2 --tree
bad list_and_target '--list needs no target' "$TF" enumerate --size 2 --list --target spirv-opt
bad stage "--stage: 'vertex' is not one of" "$TF" enumerate --size 2 --stage vertex
bad mutants_size_and_corpus '--size runs all small programs' "$TF" mutants --size 2 --corpus x
