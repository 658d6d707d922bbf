#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A finding's folder, or a bundle, as the only argument: replay, recheck and explain know its target and place. Other words
# get one clear line.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
T2=$SOURCE_DIR/corpus/regress/spirv-opt-loop-unswitch-T2.spvasm
mkdir -p one/findings
"$TF" reduce "$T2" --target spirv-opt:--loop-unswitch --out small --time 5s >out 2>err || fail reduce "$(cat err)"
mv small/reduced-*/ one/findings/f
f=one/findings/f

t replay 1 'wrong-memory: buffer' '' "$TF" replay $f
bad replay_two 'only one finding' "$TF" replay $f $f
bad replay_campaign "one is a campaign's folder" "$TF" replay one
bad replay_nothing 'nosuch: No such file' "$TF" replay nosuch
bad reduce_nothing 'nosuch: No such file' "$TF" reduce nosuch
bad reduce_case "needs --target SPEC .*not a finding's folder" "$TF" reduce "$T2"
bad bisect_campaign "one is a campaign's folder" "$TF" bisect one

bucket=$("$TF" report one --format jsonl | sed -n 's/.*"type":"bucket","bucket":"\([a-z]*\)".*/\1/p')
t bundle 0 ' run and end as they must' '' "$TF" report one --bundle "$bucket" --form generic --alone -o bundle
t replay_bundle 1 'wrong-memory: buffer' '' "$TF" replay bundle
t recheck_bundle 1 '^bundle .*still wrong$' '^1: 1 still wrong' "$TF" recheck bundle

# A finding in workgroup 1: that is shown, unless another is asked for. The case has one workgroup.
sed -i 's/"has_place":true,"block"/"has_place":true,"workgroup":1,"block"/' $f/finding.json
report has_workgroup "$(grep -q '"workgroup":1' $f/finding.json || cat $f/finding.json)"
t own_place 0 - - "$TF" explain $f
report own_place_only "$(! grep -q '##' out || cat out)"
t workgroup_0 0 '##' - "$TF" explain $f --workgroup 0
t subgroup_0 0 '##' - "$TF" explain $f --subgroup-id 0
