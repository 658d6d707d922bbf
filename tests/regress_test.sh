#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# corpus/regress on the targets that its file `known` names (a new case needs a line there): each case shows what it is kept for, where the
# target is here; SPIRV-Tools' optimiser always is. And each case agrees under -O, or is known not to.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
. "$SOURCE_DIR/tests/regress_lib.sh"

while read -r class case target; do
    [[ $class == [a-z]* ]] || continue
    name=$(tr -c 'a-zA-Z0-9\n' _ <<<"${case%.spvasm}_on_$target")
    if ! here "$target"; then
        skip "$name" "target not here: $target"
        continue
    fi
    "$TF" replay "$folder/$case" --target "$target" --known "$known" --job-time 20 >out 2>err
    status=$?
    if grep -q "known to fail: $class" out; then
        pass "$name"
    elif may_be_gone "$target" && grep -q 'known to fail, but does not' out; then
        skip "$name" "this version does it right"
    else
        fail "$name" "status $status: $(head -n 3 out) $(cat err)"
    fi
done <"$known"

t all_under_O 0 '^[0-9]+ agreed, 0 wrong, 0 not judged, [0-9]+ known to fail, 0 unexpected passes$' '' \
    "$TF" replay "$folder" --target spirv-opt:-O --known "$known"
# No case without a line in `known` and a word in its head, and none that is gone. (docs_test asks for its row in
# docs/findings.md.)
report each_has_its_line "$(for f in "$folder"/*.spvasm; do
    grep -q " ${f##*/} " "$known" || echo "${f##*/}: no line in known"
    awk 'head { said = /^; / && NF > 6; exit } !NF { head = 1 } END { exit !said }' "$f" ||
        echo "${f##*/}: its head does not say what is wrong"
done
awk '/^[a-z]/ { print $2 }' "$known" | while read -r f; do [ -e "$folder/$f" ] || echo "$f: not there"; done)"
