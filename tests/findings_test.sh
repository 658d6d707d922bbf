#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# docs/findings.md is what scripts/findings.py writes from corpus/regress/NAME.toml; each of these files has the fields that it
# must have. And the near misses: what was changed decides, as each of them agrees and its case does not. Those of spirv-opt
# always run, the others where their target is here.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
. "$SOURCE_DIR/tests/regress_lib.sh"
export TANGLEFUZZ_DRIVERS=$drivers

findings() { python3 "$SOURCE_DIR/scripts/findings.py" "$@" 2>&1; }
report page_and_data "$(findings --check)"

# holds TARGET CASE NEAR: prints what does not hold. NEAR: a file with one line of code or one fact of its head changed, or a target.
holds() {
    local near=$folder/$3 on=$1 lines status
    case $3 in
    near/*)
        lines=$(diff <(sed '/^;/d' "$folder/$2.spvasm") <(sed '/^;/d' "$near") | grep -c '^>')
        [ "$lines" -le 1 ] || echo "$lines lines of code are changed"
        [ "$lines" = 1 ] || [ "$(diff <(grep '^; [a-z]' "$folder/$2.spvasm" | grep -v '^; [ef][rx]') \
            <(grep '^; [a-z]' "$near" | grep -v '^; [ef][rx]') | grep -c '^>')" = 1 ] || echo 'nothing, or more, is changed'
        ;;
    *) near=$folder/$2.spvasm on=$3 ;;
    esac
    "$TF" replay "$folder/$2.spvasm" --target "$1" --job-time 60 >out 2>&1
    status=$?
    [ $status = 1 ] || echo "the case: status $status: $(head -n 3 out)"
    "$TF" replay "$near" --target "$on" --job-time 60 >out 2>&1
    status=$?
    [ $status = 0 ] || echo "the near miss: status $status: $(head -n 3 out)"
}

pairs=0
while IFS=$'\t' read -r target case near changed; do
    if ! here "$target"; then
        skip "$case" "target not here: $target"
        continue
    fi
    problem=$(holds "$target" "$case" "$near")
    if [[ $problem == 'the case: status 0'* ]] && may_be_gone "$target"; then
        skip "$case" 'this version does it right'
    else
        report "${case}: $changed" "$problem"
    fi
    pairs=$((pairs + 1))
done < <(findings --near)
report there_are_pairs "$([ $pairs -ge 8 ] || echo "only $pairs")"

# What must be seen.
case=spirv-opt-loop-fusion-crash
mkdir -p broken/corpus broken/docs
fresh() { rm -rf broken/corpus/regress && cp -r "$folder" broken/corpus/ && cp "$SOURCE_DIR/docs/findings.md" broken/docs/; }
seen() { # NAME REGEX
    findings --check --root broken >said
    grep -Eq -e "$2" said || fail "$1" "$(head -n 5 said)"
    grep -Eq -e "$2" said && pass "$1"
}
toml=broken/corpus/regress/$case.toml
fresh && sed -i '/^kind/d' "$toml" && seen missing_field "^$case: no field kind$"
fresh && sed -i 's/^kind .*/kind = "wrong"/' "$toml" && seen wrong_kind "^$case: kind = 'wrong' is none of"
fresh && sed -i 's/^seen_wrong .*/seen_wrong = "2025.1"/' "$toml" && seen not_a_list "^$case: seen_wrong is not a list$"
fresh && sed -i '1i colour = "red"' "$toml" && seen unknown_field "^$case: unknown field colour$"
fresh && sed -i 's/^state .*/state = "known"/' "$toml" && seen another_state "^$case: upstream is known, and $case.known has new$"
fresh && sed -i 's/^target .*/target = "spirv-opt:-O"/' "$toml" && seen another_target "^$case: .known. has no line for spirv-opt:-O$"
fresh && rm "$toml" && seen no_data "^$case: no $case.toml$"
fresh && rm "broken/corpus/regress/near/$case-near.spvasm" && seen no_near_miss "^$case: no near/$case-near.spvasm$"
fresh && sed -i 's/^status .*/status = "current"/' broken/corpus/regress/radv-22.3-copy-of-scc-comes-late.toml &&
    seen lead_as_bug '^radv-22.3-copy-of-scc-comes-late: only assumed-maximal shows it, so it is a lead$'
fresh && sed -i 's/== or !=/<=/' broken/docs/findings.md && seen another_page '^docs/findings.md: not in the data: .*condition is <='
report case_is_no_near_miss "$([[ $(holds spirv-opt:--loop-fusion=200 $case "near/../$case.spvasm") == *'the near miss: status 1'* ]] || echo 'not seen')"
