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
includes() { grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[\"<]($2)" "$(folder "$1")"/*.[ch] /dev/null; }
# folder ROOM: where it lies, "triage/diagnose".
folder() { cat "$BUILD_DIR/rooms/$1/folder" 2>/dev/null || echo "$1"; }

for room in $rooms app; do
    problem=$(includes "$room" '\.\.|/|[^">]*/\.\.')
    across=$(includes "$room" '[^">]*/')
    for other in $rooms; do
        [[ $across == *[\"\<]"$other/"* ]] || continue # of most rooms it includes nothing
        # Across a border only the public headers; spirv/unified1 is SPIRV-Headers.
        public=$(cd "$BUILD_DIR/rooms/$other/$other" && echo *.h | sed 's/\./\\./g; s/ /|/g')
        problem+=$(includes "$room" "$other/" | grep -vE "\"$other/($public)\"" | grep -v spirv/unified1/)
    done
    report "includes_of_$room" "$problem"
    [ "$room" = app ] && continue
    # A public header includes public headers alone.
    others=
    for header in "$BUILD_DIR/rooms/$room/$room"/*.h; do
        for included in $(sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"(.*)"/\1/p' "$(folder "$room")/${header##*/}"); do
            [ -e "$BUILD_DIR/rooms/$room/$room/$included" ] || [ -e "$BUILD_DIR/rooms/${included%%/*}/$included" ] ||
                others+="${header##*/} includes $included"$'\n'
        done
    done
    report "public_headers_of_${room}_stand_alone" "$others"
done

# A library's headers stay in the rooms that it is for.
only() { # NAME REGEX ROOM...
    local name=$1 regex=$2 problem='' room
    shift 2
    for room in $rooms app; do
        [[ " $* " == *" $room "* ]] || problem+=$(includes "$room" "$regex")
    done
    report "${name}_only_in_$(IFS=_; echo "$*")" "$problem"
}
only vulkan '(vulkan/|volk)' runners
only spirv_tools 'spirv-tools/' spirv
only jansson 'jansson' store report farm campaign app
only libpq '(libpq|postgresql)' farm
only sqlite3 'sqlite3' store

# sees ROOM HEADER: does it compile there, with the include path that the room is built with?
sees() {
    local path
    mapfile -d '' path < <(python3 - "$BUILD_DIR/compile_commands.json" "$SOURCE_DIR/$(folder "$1")/" 2>/dev/null <<'PY'
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
sees generator spirv/spirv_flow.h
report second_public_header_compiles "$([ $? = 0 ] || cat "$dir/log")"
for pair in runners:llir/llir_machine.h generator:spirv/case_inner.h; do # the inside of rooms that are used
    header=${pair#*:}
    problem=
    sees "${pair%:*}" "$header" && problem="$header compiles in ${pair%:*}"
    report "$(basename "$header" .h)_is_closed_to_${pair%:*}" "$problem"
done
for pair in judge:generator spirv:oracle oracle:generator generator:oracle runners:oracle base:spirv judge:diagnose diagnose:store store:report report:farm report:campaign reduce:oracle reduce:runners llir:oracle llir:runners oracle:llir isa:oracle isa:llir isa:runners; do
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
