#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The borders between rooms hold: no include goes round them, and one across them does not compile.
set -u
cd "$SOURCE_DIR" || exit 1
failed=0

# report NAME PROBLEM: no problem, no failure.
report() {
    if [ -z "$2" ]; then
        echo "ok $1"
    else
        echo "not ok $1"
        sed 's/^/# /' <<<"$2"
        failed=1
    fi
}

rooms=$(cd "$BUILD_DIR/rooms" && ls -d -- *)
# includes ROOM REGEX: the room's #include lines whose operand matches.
includes() { grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[\"<]($2)" "$1"/*.[ch] /dev/null; }

for room in $rooms app; do
    [ -d "$room" ] || continue
    problem=$(includes "$room" '\.\.|/|[^">]*/\.\.')
    for other in $rooms; do
        # Across a border only the public header; spirv/unified1 is SPIRV-Headers.
        problem+=$(includes "$room" "$other/" | grep -v "$other/$other\.h" | grep -v spirv/unified1/)
    done
    report "includes_of_$room" "$problem"
    [ "$room" = app ] && continue
    others=$(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$room/$room.h" |
        grep -vE '"([a-z]+)/\1\.h"')
    report "public_header_of_${room}_stands_alone" "$others"
done

# A library's headers stay in the rooms that it is for.
only() { # NAME REGEX ROOM...
    local name=$1 regex=$2 problem='' room
    shift 2
    for room in $rooms app; do
        [[ " $* " == *" $room "* ]] || [ ! -d "$room" ] || problem+=$(includes "$room" "$regex")
    done
    report "${name}_only_in_$(IFS=_; echo "$*")" "$problem"
}
only vulkan '(vulkan/|volk)' runners
only spirv_tools 'spirv-tools/' spirv
only jansson 'jansson' triage app
only sqlite3 'sqlite3' triage

# sees ROOM HEADER: does it compile there, with the include path that the room is built with?
sees() {
    local path
    mapfile -d '' path < <(python3 - "$BUILD_DIR/compile_commands.json" "$SOURCE_DIR/$1/" 2>/dev/null <<'PY'
import json, shlex, sys
command = next(e for e in json.load(open(sys.argv[1])) if e["file"].startswith(sys.argv[2]))
words = shlex.split(command["command"])
for i, word in enumerate(words):
    if word.startswith("-I"):
        print(word, end="\0")
    elif word == "-isystem":
        print(word, words[i + 1], sep="\0", end="\0")
PY
    )
    ((${#path[@]})) || { echo "room $1 is not built" >"$dir/log" && return 1; }
    printf '#include "%s"\nint x;\n' "$2" >"$dir/x.c"
    "$CC" -std=c17 "${path[@]}" -c "$dir/x.c" -o "$dir/x.o" >"$dir/log" 2>&1
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

sees spirv base/base.h
report allowed_include_compiles "$([ $? = 0 ] || cat "$dir/log")"
for pair in judge:generator spirv:oracle oracle:generator generator:oracle runners:oracle base:spirv triage:runners reduce:oracle reduce:runners llir:oracle llir:runners oracle:llir; do
    header=${pair#*:}/${pair#*:}.h
    problem=
    if sees "${pair%:*}" "$header"; then
        problem="$header compiles in ${pair%:*}"
    elif ! grep -q "$header: No such file\|'$header' file not found" "$dir/log"; then
        problem=$(cat "$dir/log") # failed, but not at the border
    fi
    report "${pair#*:}_is_closed_to_${pair%:*}" "$problem"
done
exit $failed
