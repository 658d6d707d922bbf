#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A reduction stays with the bug it began with, and goes on where its case can say more. The cases of
# corpus/reduction are findings whose reduction went elsewhere once; others are made from their choices.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"

# The signature of what CASE is reduced to on the target.
reduced() { # CASE TARGET OUT
    "$TF" reduce "$1" --target "$2" --out "$3" >log 2>&1 || cat log
    python3 -c 'import glob, json, sys
print(json.load(open(glob.glob(sys.argv[1] + "/reduced-*/finding.json")[0]))["signature"])' "$3"
}

# become SEED TARGET HOW TEXT: the case is wrong on the target in that way at first, and its
# reduced case says the text.
become() {
    local name="${2##*:}-$1"
    cp "$SOURCE_DIR/corpus/reduction/$name.spvasm" . 2>/dev/null || "$TF" gen --seed "$1" -o "$name.spvasm"
    t "$name: wrong" 1 ": $3" - "$TF" replay "$name.spvasm" --target "$2"
    reduced "$name.spvasm" "$2" "$name" >sig 2>&1
    report "$name: $4" "$(grep -qF "$4" sig || cat sig)"
}

# A barrier that is not reached together: who is together there is asked in its place.
become 125 mutant:split-at-merge crash '|wrong-tangle|any|missing: M1 (if)|'
t again_from_there 0 '"improvements":0' '' "$TF" reduce split-at-merge-125.spvasm --target mutant:split-at-merge \
    --out split-at-merge-125 --json
become 490 mutant:split-after-call crash '|wrong-tangle|any|missing: M5|'

# Lanes that are missing behind a loop are lanes too many in an arm: the compiler does the same.
become 20 mutant:reuse-in-branch missing-lanes '|reused, into a branch|'
become 484 mutant:reuse-in-branch missing-lanes '|reused, into a branch|'

# Who leaves a loop is an arm; a condition that is stored is a value.
become 1481 mutant:reuse-in-loop wrong-value '|reused, into a loop|'
become 797 mutant:sink-into-arm wrong-value '|moved, if: before -> in|'
become 294 mutant:uniform-after-loop missing-execution '|BroadcastFirst new for a value behind a loop|'

# A value that a loop left in a variable; an operation that is good for something else when it is reused.
become 5000179 mutant:uniform-after-loop missing-execution '|BroadcastFirst new for a value behind a loop|'
become 5003265 mutant:reuse-in-loop extra-execution '|reused, into a loop|'

# A branch's condition that is wrong as a value too; a loop whose arms all go on by themselves runs once.
become 9000631 mutant:uniform-after-loop missing-execution '|BroadcastFirst new for a value behind a loop|'
become 7000496 mutant:uniform-after-loop wrong-value '|BroadcastFirst new for a value behind a loop|'
become 0 mutant:reuse-in-branch wrong-value '|reused, into a branch|'
become 9 mutant:reuse-in-branch wrong-value '|reused, into a branch|'
become 7002040 mutant:hoist-common-op wrong-value '|merged, if: in -> before|'

# A wrong result that is as if somebody had not come by, or decides who does; a function that is all there is.
become 11000395 mutant:fold-scan-of-uniform extra-execution '|IAdd InclusiveScan gone|'
become 11000970 mutant:cluster-of-half missing-execution '|reduce|cluster-of-half|'
become 11000034 mutant:returned-lanes-stay wrong-memory '|any|extra: ended|'

# Who did not come, or has another value, is no operation's doing that is right where it stands.
become 11000177 mutant:loop-ends-with-first wrong-memory '|wrong-flow||loop|'
become 11001974 mutant:phis-in-order wrong-memory '|wrong-flow||loop, phis|'

# Of a pair of words and of 64 bits one stored word does not say that they are right.
become 11000022 mutant:sign-lost wrong-memory '|reduce|sign-lost|'
become 11000310 mutant:one-component wrong-memory '|reduce|one-component|'

become 11000445 mutant:sink-out-of-loop wrong-value '|moved, loop: in -> behind|'
# Of two that are nearly as small the one that uniform control flow promises too.
become 233 mutant:sink-out-of-loop wrong-value '|moved, loop: in -> behind|'
t a_weaker_promise 0 '"promise":"workgroup-uniform"' - cat sink-out-of-loop-233/reduced-*/finding.json
"$TF" reduce sink-out-of-loop-233.spvasm --target mutant:sink-out-of-loop --out sink-out-of-loop-233 >log 2>&1
t is_kept 0 '"promise":"workgroup-uniform"' - cat sink-out-of-loop-233/reduced-*/finding.json

# Targets of two bugs: what one of them alone is wrong about shows that one still.
alone() { # SEED BUG OTHER TEXT
    cp "$SOURCE_DIR/corpus/reduction/$2-$1.spvasm" case.spvasm
    t "$2-$1: wrong alone" 1 - - "$TF" replay case.spvasm --target "mutant:$2"
    t "$3-$1: right alone" 0 - - "$TF" replay case.spvasm --target "mutant:$3"
    reduced case.spvasm "$5" "$2-$1" >sig 2>&1
    report "$2-$1: $4" "$(grep -qF "$4" sig || cat sig)"
}
two='mutant:hoist-out-of-arm | mutant:fold-elect'
alone 7 fold-elect hoist-out-of-arm '|Elect gone|' "$two"
alone 11 fold-elect hoist-out-of-arm '|Elect gone|' "$two"
alone 3 hoist-out-of-arm fold-elect '|moved, if: in -> before|' "$two"
two='mutant:sink-into-arm | mutant:scan-includes-self'
alone 78 sink-into-arm scan-includes-self 'missing: before D1 (if)' "$two"
two='mutant:sink-out-of-loop | mutant:count-includes-self'
alone 3000173 count-includes-self sink-out-of-loop '|bits|count-includes-self|' "$two"

# The first stage keeps what the case is judged by.
"$TF" gen --seed 1 -o model.spvasm
sed 's/^; model maximal$/; model assumed-maximal/' model.spvasm >judged.spvasm
report another_model "$(grep -q '^; model assumed-maximal$' judged.spvasm || head -n 9 judged.spvasm)"
t first_stage 0 '"choices":[1-9]' - "$TF" reduce judged.spvasm --target mutant:fold-elect --stage choices --json \
    --out stage
report model_stays "$(grep -q '^; model assumed-maximal$' stage/reduced.spvasm || head -n 9 stage/reduced.spvasm)"
