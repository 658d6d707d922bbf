# SPDX-License-Identifier: Apache-2.0
#
# What the tests of reduced sizes share.

field() { python3 -c 'import json, sys
v = json.load(open("out"))
for k in sys.argv[1].split("."): v = v[k]
print(v)' "$1"; }

# bound MUTANT BODY LOOPS SELECTIONS OPS: largest numbers of instructions in functions and so on.
bound() {
    "$TF" fuzz --target "mutant:$1" --cases "${CASES:-3000}" --stop-after 1 --out "$1" >log 2>&1
    local finding
    finding=$(ls -d "$1"/findings/*/ 2>/dev/null | head -n 1)
    if [ -z "$finding" ]; then
        fail "$1" "no finding: $(tail -n 3 log)"
        return
    fi
    t "$1_reduced" 0 '"end":"1-minimal"' - "$TF" reduce "$finding" --target "mutant:$1" --json
    report "$1_small" "$([ "$(field after.body)" -le "$2" ] && [ "$(field after.loops)" -le "$3" ] &&
        [ "$(field after.selections)" -le "$4" ] && [ "$(field after.group_ops)" -le "$5" ] &&
        [ "$(field after.calls)" -le 1 ] && [ "$(field after.invocations)" -le 8 ] || cat out)"
    report "$1_shown_each_time" "$([ "$(field reproduced)" = 5 ] || cat out)"
}
