#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scripts/demo.sh as the README has it, but for a shorter campaign: it ends with the bug, its GLSL, and the page, and is never
# silent for longer than it says.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/scripts/lib/aloud.sh"

# ---- what says that a command still runs
quiet() { echo first; sleep 9; printf 'last, without an end of line'; return 3; }
aloud "waiting" quiet >out
report aloud_status "$([ $? = 3 ] || echo "another status")"
report aloud_lines "$([ "$(grep -c '^waiting, 0:0[0-9]' out)" -ge 1 ] && [ "$(head -n 1 out)" = first ] &&
    [ "$(tail -n 1 out)" = 'last, without an end of line' ] || cat out)"

# ---- the whole
if [ "$BUILD_DIR" != "$SOURCE_DIR/build/release" ] || [ ! -w "$SOURCE_DIR/build" ]; then
    skip demo 'another build than build/release'
elif ! have_lavapipe; then
    skip demo 'no lavapipe'
else
    t demo 0 '^demo: the page: ' - "$SOURCE_DIR/scripts/demo.sh" --time 3 --out "$work/demo"
    report demo_bug "$(grep -q '^demo: the bug: *spirv-opt --loop-unswitch: .*reconverge\|^demo: the bug: *spirv-opt --loop-unswitch: .*come together' out || cat out)"
    report demo_shader "$(grep -q '^    void main()' out || cat out)"
    report demo_files "$(ls demo/report.html demo/bundle/README.md demo/bundle/case.glsl 2>&1 >/dev/null)"
    bad demo_out_needs_a_value 'demo: --out needs a value' "$SOURCE_DIR/scripts/demo.sh" --out
fi
