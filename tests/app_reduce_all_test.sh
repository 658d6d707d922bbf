#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# reduce CAMPAIGN and fuzz --reduce: what is reduced, in which order, once; names of buckets that lead on.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
fuzz() { "$TF" fuzz "$@" >fuzz.log 2>&1; }
reductions() { ls -d "$1"/findings/*/reduced/reduced-* 2>/dev/null | wc -l; }
buckets() { "$TF" report "$1" -f jsonl | grep '"type":"bucket"'; }

# Two faults; some of their findings were found alike.
fuzz --target mutant:fold-elect --target mutant:thread-jump --stop-after 10 --out c
n=$(ls c/findings | wc -l)
report campaign "$([ "$n" -ge 10 ] || cat fuzz.log)"
cp -r c killed && cp -r c timed

t one_of_each 0 '^ *[1-9][0-9]* findings? reduced in ' - "$TF" reduce c --per-bucket 1
first=$(python3 - <<'PY'
import glob, json
print(len({json.load(open(f))["bucket"] for f in glob.glob("c/findings/*/finding.json")}))
PY
)
report one_of_each_bucket "$([ "$(reductions c)" = "$first" ] || echo "$(reductions c) of $first: $(cat out)")"
t not_again 0 '^0 findings reduced in ' - "$TF" reduce c --per-bucket 1
report counts_what_is_done "$(grep -q "^  before  *$first were reduced earlier" out || cat out)"
report rest_is_named "$(grep -q "^  left  *$((n - first)) in buckets with 1 reduced" out || cat out)"
# Findings that are not reduced follow those that were found like them, and say so.
"$TF" report c -f jsonl >lines
python3 - >out <<'PY'
import json
lines = [json.loads(x) for x in open("lines")]
found = [x for x in lines if x["type"] == "finding"]
went = {}
for x in found:
    if x["reduced"]:
        went.setdefault(x["first_bucket"], set()).add(x["bucket"])
for x in found:
    if not x["reduced"] and (not x["presumed"] or {x["bucket"]} != went[x["first_bucket"]]):
        print("not with its like:", x)
for b in (x for x in lines if x["type"] == "bucket"):
    if b["presumed"] != sum(x["presumed"] for x in found if x["bucket"] == b["bucket"]):
        print("counted wrongly:", b)
if not any(x["presumed"] for x in found):
    print("none follows")
PY
report follows "$(cat out)"
t all 0 '"type":"reductions"' - "$TF" reduce c --per-bucket 0 --jobs 2 --json
report all_of_them "$(python3 -c '
import json
x = json.loads(open("out").readlines()[-1])
n = '"$n"'
if x["done"] + x["before"] != n or x["of"] != x["done"] or x["failed"]: print(x)')"
report all_are_there "$([ "$(reductions c)" = "$n" ] || echo "$(reductions c) of $n")"
report fewer_buckets "$([ "$(buckets c | wc -l)" -le "$first" ] || buckets c)"

# Three faults that were found alike: two of each bucket come to different ends, so the third does not follow one of them.
fuzz --target mutant:elects-last --target mutant:fold-elect --target mutant:elects-lane-zero --profile small --seeds 100: \
    --stop-after 9 --out mixed
t of_several_more 0 'findings reduced in ' - "$TF" reduce mixed --per-bucket 2
"$TF" report mixed -f jsonl >mixed.jsonl
python3 - >out <<'PY'
import collections, json
found = [x for x in map(json.loads, open("mixed.jsonl")) if x["type"] == "finding"]
groups = collections.defaultdict(list)
for x in found:
    groups[x["first_bucket"]].append(x)
mixed = [g for g in groups.values() if len({x["bucket"] for x in g}) > 1 and len(g) > 2]
left = [x["name"] for g in mixed for x in g if not x["reduced"]]
if not mixed or left:
    print(len(mixed), "groups of several, and not reduced:", left)
PY
report mixed_ones_are_reduced "$(cat out)"

# A name that a finding's README has leads to its bucket, and so does what was said of it.
old=$(python3 - <<'PY'
import json
found = [json.loads(x) for x in open("lines") if '"type":"finding"' in x]
print(next(x["first_bucket"] for x in found if x["first_bucket"] != x["bucket"]))
PY
)
t old_name_leads_on 0 '/bundles/[a-z]*$' "bucket $old is [a-z]* since its findings were reduced" "$TF" report c --bundle "$old"
t mark_by_old_name 0 '' '' "$TF" report c --mark "$old" --state filed --note 'told them'
report mark_is_seen "$(buckets c | grep -q '"state":"filed","note":"told them"' || buckets c)"

# signal SIGNAL DIR: what its reduction says is in out; the signal comes when the first is told. This shell
# reads it itself: on a busy machine, starting another process to look takes as long as all reductions.
mkfifo said
signal() {
    "$TF" reduce "$2" --per-bucket 0 >said 2>&1 &
    local pid=$! line
    exec 3<said
    while IFS= read -r line <&3 && echo "$line"; do
        case $line in 'reduced '*) kill "$1" $pid && break ;; esac
    done >out
    cat <&3 >>out
    exec 3<&-
    wait $pid
} 2>/dev/null

# Killed at any time, it goes on where it was.
signal -KILL killed
had=$(reductions killed)
report killed_half_way "$([ "$had" -ge 1 ] && [ "$had" -lt "$n" ] || echo "$had of $n")"
t goes_on 0 "were reduced earlier" - "$TF" reduce killed --per-bucket 0
report goes_on_to_the_end "$([ "$(reductions killed)" = "$n" ] || cat out)"
same() { buckets "$1" | python3 -c 'import json, sys
for x in sys.stdin: print(json.loads(x)["signature"], json.loads(x)["findings"])' | sort; }
report same_buckets "$(diff <(same c) <(same killed))"

# Interrupted ones are not done: they go on.
signal -INT timed
report interrupted "$(grep -q ', interrupted$' out && grep -q '^  to do  *[1-9]' out || cat out)"
t goes_on_after_interrupt 0 ' findings? reduced in ' - "$TF" reduce timed --per-bucket 0
t no_time 0 '^0 findings reduced in .*' - "$TF" reduce timed --per-bucket 0 --time 0.001
report minimal_at_last "$(for f in timed/findings/*/reduced/end; do grep -H -v '^1-minimal$' "$f"; done
    [ "$(ls timed/findings/*/reduced/end | wc -l)" = "$n" ] || ls timed/findings/*/reduced)"

# One process at a time; words that go together.
bad no_campaign 'No such file|cannot|needs --target' "$TF" reduce nothing-here
bad not_for_campaigns 'is a campaign' "$TF" reduce c --out x
bad only_for_campaigns 'need a campaign folder' "$TF" reduce c/findings/* --each 3
(flock 9 && bad locked 'another' "$TF" reduce c) 9<c || failed=1

# A pipeline: the pass at fault is found, the others are left out. fuzz does it all.
t fuzz_reduces 1 '^reduced s[0-9]*-[a-z-]* .*  --loop-unswitch$' - "$TF" fuzz --reduce --stop-after 1 \
    --target spirv-opt:--strip-debug,--loop-unswitch,--cfg-cleanup --out p
report passes_are_left_out "$(grep -q '"target":"spirv-opt:--loop-unswitch"' p/findings/*/reduced/reduced-*/finding.json ||
    cat p/findings/*/reduced/reduced-*/finding.json)"
report culprit_is_named "$(buckets p | grep -q '"culprit":"--loop-unswitch"' || buckets p)"

# A folder chooses no program: who asks names it again.
printf '#!/bin/sh\nexit 1\n' >refuses && chmod +x refuses
fuzz --target "exec-compiler:$work/refuses {in} {out}" --cases 2 --out programs
t folder_chooses_no_program 2 - 'a folder may not choose a program to run' "$TF" reduce programs
t named_again 0 '^reduced ' - "$TF" reduce programs --target "exec-compiler:$work/refuses {in} {out}"
