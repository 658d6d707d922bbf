#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# recheck: what is fixed and what is new from one version to the next; replay's formats for other tools.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
T2=$SOURCE_DIR/corpus/regress/spirv-opt-loop-unswitch-T2.spvasm
right=$SOURCE_DIR/corpus/rules/I1-start-converged.spvasm

# Versions of a compiler: those that are wrong swap true and false, of modules that hold a loop.
cat >version.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static uint32_t words[1 << 20];
int main(int argc, char **argv) // wrong|right VERSION... IN -o OUT
{
    FILE *in = argc >= 5 ? fopen(argv[argc - 3], "rb") : NULL, *out = in ? fopen(argv[argc - 1], "wb") : NULL;
    if (!out)
        return 1;
    const size_t n = fread(words, 4, sizeof words / 4, in);
    int loop = 0;
    for (size_t at = 5; at < n && words[at] >> 16; at += words[at] >> 16)
        loop |= (words[at] & 0xffff) == 246; // OpLoopMerge
    for (size_t at = 5; loop && strcmp(argv[1], "wrong") == 0 && at < n && words[at] >> 16; at += words[at] >> 16)
        if ((words[at] & 0xffff) == 41 || (words[at] & 0xffff) == 42) // OpConstantTrue, OpConstantFalse
            words[at] ^= 41 ^ 42;
    return fwrite(words, 4, n, out) != n || fclose(out);
}
END
compile version version.c || exit 1
bad() { echo "exec-compiler:$work/version wrong $1 {in} -o {out}"; }
good() { echo "exec-compiler:$work/version right $1 {in} -o {out}"; }
for seed in $(seq 0 200); do
    "$TF" gen --seed "$seed" --subgroup 8 --only for,if,ballot,observe-fold --model assumed-maximal -o case.spvasm
    "$TF" replay case.spvasm --target "$(bad 1)" >replayed || { grep -q ': missing-lanes' replayed && break; }
done
mkdir -p cases && cp case.spvasm cases/wrong.spvasm && cp "$right" cases/never.spvasm

check() { # NAME STATUS WANT TARGET...: the rest of the row of `wrong`
    local name=$1 status=$2 want=$3 targets=() x
    shift 3
    for x; do targets+=(--target "$x"); done
    t "$name" "$status" "^wrong +.*  $want\$" '^2: ' "$TF" recheck cases -n 1 "${targets[@]}"
}
check fixed 0 "fixed in $(good 2 | sed 's/[.{}]/\\&/g')" "$(bad 1)" "$(good 2)"
check new 1 "new in $(bad 2 | sed 's/[.{}]/\\&/g')" "$(good 1)" "$(bad 2)"
! short || short_end 'more versions, formats, campaigns, findings, bundles'
check comes_and_goes 1 'comes and goes' "$(bad 1)" "$(good 2)" "$(bad 3)"
check wrong_in_all 1 'wrong in all' "$(bad 1)" "$(bad 2)"
report never_wrong_is_not_seen "$(grep -q '^never .*  not seen$' out || cat out)"
check not_judged_by_one 1 'wrong in all' "$(bad 1)" 'exec-compiler:sh -c "exit 77" {in} {out}' "$(bad 3)"
t nothing_judged 2 '^wrong .*  not judged$' 'nothing could be judged on ' "$TF" recheck cases -n 1 --target 'exec-compiler:sh -c "exit 77" {in} {out}'

# As other tools read it.
"$TF" recheck cases -n 2 --target "$(bad 1)" --target "$(good 2)" --format json -o x.json 2>/dev/null
"$TF" recheck cases -n 2 --target "$(bad 1)" --target "$(good 2)" --format csv >x.csv 2>/dev/null
"$TF" recheck cases -n 2 --target "$(bad 1)" --target "$(good 2)" --format junit >x.xml 2>/dev/null
python3 - "$(bad 1)" "$(good 2)" >out 2>&1 <<'PY'
import csv, json, sys, xml.etree.ElementTree as tree
bad, good = sys.argv[1:]
rows = {x["name"]: x for x in map(json.loads, open("x.json"))}
assert rows["wrong"]["outcome"] == "fixed" and rows["wrong"]["in"] == good, rows
assert [(y["target"], y["class"], y["hits"], y["runs"]) for y in rows["wrong"]["targets"]] == [
    (bad, "missing-lanes", 2, 2), (good, "agrees", 2, 2)], rows
assert rows["never"]["outcome"] == "not-seen", rows
table = list(csv.reader(open("x.csv")))
assert table[0] == ["case", bad, good, "outcome"], table
assert ["wrong", "missing-lanes", "agrees", "fixed in " + good] in table, table
suites = {s.get("name"): s for s in tree.parse("x.xml").getroot()}
assert (suites[bad].get("failures"), suites[good].get("failures")) == ("1", "0"), suites
failed = [c for c in suites[bad] if c.find("failure") is not None]
assert [c.get("name") for c in failed] == ["wrong"] and failed[0].find("failure").get("type") == "missing-lanes"
PY
report read_back "$(cat out)"

# A campaign's buckets, folders of findings with their own targets, and the passes that they name.
"$TF" fuzz --reduce --stop-after 1 --seeds 6000: --target spirv-opt:--strip-debug,--loop-unswitch --out c >log 2>&1
b=$("$TF" report c -f jsonl | grep -o '"bucket":"[a-z]*"' | head -n 1 | cut -d'"' -f4)
t campaign_on_its_own_target 1 "^$b  wrong-[a-z]+ +still wrong\$" '^1: 1 still wrong' "$TF" recheck c
t passes_are_put_in 1 "^$b  wrong-[a-z]+ +wrong-[a-z]+ +wrong in all\$" '^1: 1 still' "$TF" recheck c --target 'spirv-opt:{passes}' \
    --target 'spirv-opt:--ccp,{passes}'
t of_a_command_with_blanks 0 "^$b  wrong-[a-z]+ +agrees +fixed in " '^1: 0 still wrong, 1 fixed' "$TF" recheck c --target 'spirv-opt:{passes}' \
    --target "exec-compiler:$work/version right {passes} {in} -o {out}"
mkdir -p findings && cp -r c/findings/s* findings/s1 && cp -r c/findings/s* findings/s10
t folders_of_findings 1 '^s10 +wrong-' '^2: 2 still wrong' "$TF" recheck findings
"$TF" report c --bundle "$b" -o bundles/one >/dev/null
t bundles 1 '^one +wrong-' '^1: ' "$TF" recheck bundles --target spirv-opt:--loop-unswitch
mkdir suite && cp "$T2" suite/t2.spvasm && cp "$right" suite/other.spvasm && echo '* t2.spvasm spirv-opt:--loop-unswitch' >suite/known
t suite_says_its_targets 1 '^t2 +wrong-memory  still wrong$' '^2: 1 still wrong.* 1 not judged$' "$TF" recheck suite
t no_passes_known 1 '^other +- +not judged$' '^2: ' "$TF" recheck suite --target 'spirv-opt:{passes}'
printf '{"schema":2,"type":"finding","facts":{},"target":"exec-compiler:touch %s/ran {in} {out}"}' "$work" >findings/s1/reduced/reduced-*/finding.json
rm -rf findings/s10
t folder_chooses_no_program 2 '^s1 +- +not judged$' 'may not choose a program' "$TF" recheck findings
report program_did_not_run "$(ls "$work/ran" 2>/dev/null)"
t no_target 2 '' "none.of.these" "$TF" recheck cases --target none.of.these
t nothing_there 2 '' 'nothing-here' "$TF" recheck nothing-here

# replay, in the same formats; what is known to fail is no failure.
echo '* wrong.spvasm *' >known
t replay_json 1 '"name":"cases/wrong.spvasm".*"outcome":"wrong"' '' "$TF" replay cases --target "$(bad 1)" --format json
t replay_junit 1 '<failure type="missing-lanes"' '' "$TF" replay cases --target "$(bad 1)" --format junit
t replay_csv 1 '^cases/wrong.spvasm,missing-lanes,still wrong$' '' "$TF" replay cases --target "$(bad 1)" --format csv
t replay_known 0 'failures="0" skipped="1"' '' "$TF" replay cases --target "$(bad 1)" --format junit --known known
t replay_no_longer 1 '<failure type="no-longer-fails"' '' "$TF" replay cases --target "$(good 1)" --format junit --known known
t replay_to_a_file 1 '' '' "$TF" replay cases --target "$(bad 1)" --format csv -o replay.csv
report replay_file "$(grep -q '^cases/wrong.spvasm,missing-lanes' replay.csv || cat replay.csv)"
