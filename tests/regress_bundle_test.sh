#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What the campaigns found (corpus/regress), as it would be filed: each case, on the target that its
# line in `known` names, is reduced, gets a bucket and a bundle in the form of the target's project;
# the commands of the bundle's README show the bug in a folder that holds the bundle alone. What is
# here of the targets; SPIRV-Tools' optimiser always is.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
. "$SOURCE_DIR/tests/regress_lib.sh"

heading() { # FORM: a line that only its README has
    case $1 in
    mesa) echo '^### System information' ;;
    spirv-tools) echo '^## Reproducer' ;;
    llvm) echo '^## Actual behavior' ;;
    glslang) echo '^## Steps to reproduce' ;;
    *) echo '^# ' ;;
    esac
}

form_of() { # TARGET
    case $1 in
    *vulkan*lavapipe* | *nvk* | *turnip* | *honeykrisp* | *radv*) echo mesa ;;
    spirv-opt* | *spirv-opt\ *) echo spirv-tools ;;
    roundtrip:naga-tint*) echo generic ;;
    roundtrip* | glslang*) echo glslang ;;
    llvm:*) echo llvm ;;
    *) echo generic ;;
    esac
}

# entry_of CASE TARGET: the name of the first entry that speaks of both.
entry_of() {
    local file
    for file in "$folder"/*.known; do
        # shellcheck disable=SC2053,SC2295
        [[ $1 == $(sed -n 's/^case *//p' "$file") && $2 == $(sed -n 's/^target *//p' "$file") ]] || continue
        file=${file##*/} && echo "${file%.known}" && return
    done
}

mkdir bin && ln -s "$TF" bin/tanglefuzz
PATH=$work/bin:$DEPS_DIR/tools/sid/bin:$DEPS_DIR/tools/naga/bin:${TANGLEFUZZ_LLVM_DIR-$DEPS_DIR/llvm}/23/bin:$PATH
bundles=0 weak=0 explained=0 forms=' '
while read -r class case target; do
    [[ $class == [a-z]* ]] || continue
    name=$(tr -c 'a-zA-Z0-9\n' _ <<<"${case%.spvasm}_on_$target")
    if ! here "$target"; then
        skip "$name" "target not here: $target"
        continue
    fi
    if [ "$class" = hang ]; then
        skip "$name" 'a hang: it costs its time dozens of times'
        continue
    fi
    rm -rf one small empty && mkdir -p one/findings
    why=
    if ! "$TF" reduce "$folder/$case" --target "$target" --out small --time 10m >out 2>err; then
        if may_be_gone "$target" && grep -q 'the target does not fail on it' err; then
            skip "$name" "this version does it right"
        else
            fail "$name" "reduce: $(cat err)"
        fi
        continue
    fi
    mv small/reduced-* "one/findings/${case%.spvasm}"
    # Its entry (corpus/regress/*.known) explains what was found, where it speaks of findings.
    "$TF" report one --known "$folder" --format text >out 2>err || why="report --known: $(cat err)"
    entry=$(entry_of "$case" "$target")
    if [[ $target != exec-compiler* ]] && [ -n "$entry" ] && grep -q '^signature' "$folder/$entry.known"; then
        explained=$((explained + 1))
        grep -Eq "(upstream|by design|fixed in [0-9.]+) \($entry\): " out || why="not explained by $entry: $(cat out)"
    fi
    form=$(form_of "$target") own=()
    # A folder may not choose a program or an environment; the user may.
    [[ $target != *exec-* && $target != *env=* ]] || own=(--target "$target")
    bucket=$("$TF" report one --format jsonl | sed -n 's/.*"type":"bucket","bucket":"\([a-z]*\)".*/\1/p')
    if ! "$TF" report one --bundle "$bucket" --alone "${own[@]}" -o empty >out 2>err; then
        fail "$name" "bundle: $(cat err)"
        continue
    fi
    matches empty/README.md "$(heading "$form")" || why="not in $form's form: $(head -n 5 empty/README.md)"
    grep -rlq -e "$work" -e "$SOURCE_DIR" empty && why="a path of the machine: $(grep -rl -e "$work" -e "$SOURCE_DIR" empty)"
    [[ $target != *driver=lavapipe* ]] || grep -q '^; stage' "$folder/$case" ||
        grep -q '^With `GALLIVM_DEBUG=ir` in its environment, the driver prints' empty/README.md || why='no variable of the driver'
    # Each command ends as the README says, and one shows the bug. `report --bundle` has run the commands to write how they
    # end; the first bundle of each form shows that they end so again.
    again=--recorded
    [[ $forms == *" $form "* ]] || again= forms+="$form "
    "$SOURCE_DIR/scripts/bundle_check.py" $again empty >out 2>&1 || why=${why:-$(cat out)}
    # What was not promised is not named. case.c has a table of all features; it enables those that a device offers.
    if grep -Eq '^; model (sub|work)group-uniform' "$folder/$case"; then
        weak=$((weak + 1))
        "$TF" report one >out 2>err || why="page: $(cat err)"
        says=$(grep -rE 'maximal.reconvergence|MaximallyReconverges|>M[1-6]<' empty "one/findings/${case%.spvasm}" one/report.html |
            grep -v '^empty/case.c:  *{.extension = ' | cut -c1-200)
        [ -z "$says" ] || why="names a rule that was not promised: $says"
    fi
    report "$name" "$why"
    bundles=$((bundles + 1))
    [ $bundles -lt 2 ] || ! short || short_end 'a bundle of each case'
done <"$known"
report several "$([ $bundles -ge 5 ] || echo "only $bundles bundles")"
report weaker_models "$([ $weak -ge 1 ] || echo 'none of them')"
report known_explain "$([ $explained -ge 4 ] || echo "only $explained entries")"
