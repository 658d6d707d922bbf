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

# The include path that each room is built with, in one line.
declare -A path
while IFS=$'\t' read -r folder flags; do
    path[$folder]=$flags
done < <(python3 - "$BUILD_DIR/compile_commands.json" "$SOURCE_DIR" <<'PY'
import json, os, shlex, sys
seen = set()
for entry in json.load(open(sys.argv[1])):
    folder = os.path.relpath(os.path.dirname(entry["file"]), sys.argv[2])
    if folder in seen or "/tanglefuzz-device.dir/" in entry.get("output", entry["command"]):
        continue  # that program takes files of several rooms, for systems where nothing else is built
    seen.add(folder)
    words = shlex.split(entry["command"])
    flags = [w for w in words if w.startswith("-I")]
    flags += [f"-isystem{words[i + 1]}" for i, w in enumerate(words) if w == "-isystem"]
    print(folder, shlex.join(flags), sep="\t")
PY
)
# sees ROOM HEADER: does it compile there, with the include path that the room is built with?
sees() {
    local flags=${path[$(folder "$1")]-}
    [ -n "$flags" ] || { echo "room $1 is not built" >"$dir/log" && return 1; }
    printf '#include "%s"\nint x;\n' "$2" >"$dir/x.c"
    eval "\"\$CC\" -std=c17 $flags -fsyntax-only \"\$dir/x.c\"" >"$dir/log" 2>&1
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
for pair in judge:generator spirv:oracle oracle:generator generator:oracle runners:oracle base:spirv judge:diagnose diagnose:store store:report report:farm report:campaign reduce:oracle reduce:runners llir:oracle llir:runners oracle:llir isa:oracle isa:llir isa:runners \
    grow:emit emit:grow tree:grow tree:emit reduce:tree; do
    header=${pair#*:}/${pair#*:}.h
    problem=
    if sees "${pair%:*}" "$header"; then
        problem="$header compiles in ${pair%:*}"
    elif ! grep -q "$header: No such file\|'$header' file not found" "$dir/log"; then
        problem=$(cat "$dir/log") # failed, but not at the border
    fi
    report "${pair#*:}_is_closed_to_${pair%:*}" "$problem"
done

# rings OBJECTS: files that call each other in a ring, and those that call them.
rings() {
    find "$1" -name '*.o' -exec nm -A {} + | python3 -c '
import sys
defined, asked = {}, {}
for line in sys.stdin:
    path, rest = line.rsplit(":", 1)
    kind, symbol = rest.split()[-2:]
    name = path.rsplit("/", 1)[-1]
    asked.setdefault(name, set())
    if kind in "TDRB":
        defined[symbol] = name
    elif kind == "U":
        asked[name].add(symbol)
if not asked:
    print("the room is not built")
calls = {name: {defined[s] for s in symbols if s in defined} for name, symbols in asked.items()}
while leaf := next((name for name in calls if not calls[name] & calls.keys()), None):
    del calls[leaf]
for name in sorted(calls):
    print(name, "calls", *sorted(calls[name] & calls.keys()))'
}
for room in tree grow emit campaign; do
    report "no_ring_of_calls_in_$room" "$(rings "$BUILD_DIR/CMakeFiles/tf_$room.dir")"
done
exit $failed
