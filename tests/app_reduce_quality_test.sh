#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# How small reduced cases are: for a mutant of each bug class (and of each kind) the first finding is
# reduced to its end, and what is left is held against a bound.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"

field() { python3 -c 'import json, sys
v = json.load(open("out"))
for k in sys.argv[1].split("."): v = v[k]
print(v)' "$1"; }

# bound MUTANT BODY LOOPS SELECTIONS OPS: at most so many instructions in functions and so on.
bound() {
    "$TF" fuzz --target "mutant:$1" --cases 3000 --stop-after 1 --out "$1" >log 2>&1
    local finding
    finding=$(ls -d "$1"/findings/*/ 2>/dev/null | head -n 1)
    if [ -z "$finding" ]; then
        fail "$1" "no finding: $(tail -n 3 log)"
        return
    fi
    t "$1_reduced" 0 '"end":"1-minimal"' - "$TF" reduce "$finding" --target "mutant:$1" --time 60s --json
    report "$1_small" "$([ "$(field after.body)" -le "$2" ] && [ "$(field after.loops)" -le "$3" ] &&
        [ "$(field after.selections)" -le "$4" ] && [ "$(field after.group_ops)" -le "$5" ] &&
        [ "$(field after.calls)" -le 1 ] && [ "$(field after.invocations)" -le 8 ] || cat out)"
    report "$1_shown_each_time" "$([ "$(field reproduced)" = 5 ] || cat out)"
}

bound break-block-into-merge 35 1 1 1 # T1
bound unswitch-loop 40 1 2 1          # T2: the branch in the loop, and a way out of it
bound thread-jump 28 0 2 1            # T3: two selections by one condition
bound tail-merge-arms 30 0 1 2        # T4
bound duplicate-into-arms 25 0 1 1    # T5
bound sink-into-loop 35 1 1 1         # T7: the operation is used in a loop
bound uniform-after-loop 35 1 1 1     # T8
bound uniform-values 30 1 1 1         # T9
bound unroll-with-remainder 35 1 1 1  # T10
bound split-at-merge 28 0 1 1         # T11
bound fall-through-lost 25 0 1 1      # T12
bound fold-ballot-of-true 15 0 0 1    # T15
