#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Each fuzz target on its seeds, without an engine: clean, and on as many inputs as there are. Then
# what an engine would do to them, in small: cut, doubled, with other bytes. A finding, before and after its bucket is
# known. And the black-box contract of farms with GPUs.
. "$SOURCE_DIR/tests/app_lib.sh"
export TANGLEFUZZ_CONTAIN=no # compilers here write down what they were asked

seeds=$SOURCE_DIR/corpus/seeds
. "$SOURCE_DIR/selftest/fuzz/kinds.sh"

# Words where a target looks for them: a seed with something before its module is noise to who expects none.
problem=$(python3 - "$seeds" <<'PY'
import os, sys
for kind, head in (("binaries", 0), ("modules", 16)):
    folder = os.path.join(sys.argv[1], kind)
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            if file.read()[head : head + 4] != b"\x03\x02\x23\x07":
                sys.exit(print(f"{kind}/{name}: no module at byte {head}"))
PY
)
report modules_where_they_belong "$problem"

# Broken inputs of each kind: every third seed, with its middle cut out and every 31st byte changed.
python3 - "$seeds" "$work" <<'PY'
import os, sys
seeds, work = sys.argv[1:]
for kind in os.listdir(seeds):
    folder = os.path.join(seeds, kind)
    if not os.path.isdir(folder):
        continue
    os.mkdir(os.path.join(work, kind))
    for i, name in enumerate(sorted(os.listdir(folder))):
        if i % 3:
            continue
        data = bytearray(open(os.path.join(folder, name), "rb").read())
        del data[len(data) // 3 : len(data) // 2]
        for k in range(i % 31, len(data), 31):
            data[k] ^= 0x55
        open(os.path.join(work, kind, name), "wb").write(data)
PY

for program in "$BUILD_DIR"/tf_*_replay; do
    name=$(basename "$program")
    [ "$name" != tf_vulkan_replay ] || continue
    good=() broken=()
    for kind in $(kinds_of "$name"); do
        good+=("$seeds/$kind")
        broken+=("$work/$kind")
    done
    count=$(find "${good[@]}" -type f | wc -l)
    problem=
    [ "$count" -ge 10 ] || problem="only $count seeds in ${good[*]}"
    timeout $LONG "$program" "${good[@]}" >out 2>err || problem="status $?: $(tail -n 3 err)"
    [ -n "$problem" ] || [ "$(tail -n 1 out)" = "$count inputs" ] ||
        problem="$count seeds, but: $(tail -n 1 out)"
    report "${name}_seeds" "$problem"
    problem=
    timeout $LONG "$program" "${broken[@]}" >out 2>err || problem="status $?: $(tail -n 3 err)"
    report "${name}_broken_seeds" "$problem"
done

# On a driver: what it does not offer is not asked for, and nothing is left out.
vulkan() { # SEEDS TARGET
    TANGLEFUZZ_TARGET=$2 TANGLEFUZZ_PROGRAM=$TANGLEFUZZ timeout $LONG "$BUILD_DIR/tf_vulkan_replay" "$1" >out 2>err
}
mkdir some
for file in "$seeds"/choices/[0-3]*; do cp "$file" some/; done
if ! have_lavapipe; then
    skip tf_vulkan_replay_seeds "no lavapipe: scripts/setup.sh gets it"
else
    problem=
    vulkan some $LAVAPIPE || problem="status $?: $(tail -n 3 err)"
    grep -qE '^tf_vulkan_fuzzer: [1-9][0-9]+ cases ran, 0 did not$' err || problem=$(tail -n 3 err)
    report tf_vulkan_replay_seeds "$problem"
fi
# One that is wrong, or dies, ends the run with the one line.
for fault in wrong crash; do
    problem=
    vulkan some fault:$fault=1 && problem='it passed'
    tail -n 1 err | grep -qE "^ASSERTION FAILED: tanglefuzz FuzzerHash=[a-z]+ (mismatch|undefined-output|crash)\$" ||
        problem=$(tail -n 3 err)
    report "a_driver_that_does_$fault" "$problem"
done
# One that never runs anything is no driver that passes.
for status in 77 125; do
    printf '#!/bin/sh\necho away\nexit %s\n' $status >away.sh && chmod +x away.sh
    vulkan "$seeds/choices" "exec-device:$work/away.sh {case} {spv} {out}" && fail "a_device_that_is_away_$status" "it passed"
    report "a_device_that_is_away_$status" "$(grep -qx 'tf_vulkan_fuzzer: nothing is compared: 100 consecutive cases did not run' err ||
        tail -n 3 err)"
done

# A real finding ends a run with its one line, and with its bucket in TANGLEFUZZ_KNOWN the run goes past it: a module that
# --merge-blocks makes invalid, behind 200 heads that choose one pass each.
printf '#!/bin/sh\ncp "$1" "%s/module.spv" && cp "$1" "$2"\n' "$work" >keep.sh
chmod +x keep.sh
"$TANGLEFUZZ" replay "$SOURCE_DIR/corpus/regress/spirv-opt-merge-blocks-continue-construct-invalid.spvasm" \
    --target "exec-compiler:$work/keep.sh {in} {out}" >out 2>&1
mkdir heads
for ((k = 0; k < 200; k++)); do
    { printf '\0\0%b\0\0\0\0\0\0\0\0\0\0\0\0\0' "\\x$(printf %02x $k)" && cat module.spv; } >"heads/$k"
done
problem= known=
while ! TANGLEFUZZ_KNOWN=$known timeout $LONG "$BUILD_DIR/tf_spirv_opt_module_replay" heads >out 2>err; do
    hash=$(sed -nE 's/^ASSERTION FAILED: tanglefuzz FuzzerHash=([a-z]+) .*/\1/p' err)
    [ -n "$hash" ] || problem="it ended without the line: $(tail -n 3 err)"
    [[ ",$known," != *",$hash,"* ]] || problem="$hash is known, and ended it again"
    [ -z "$problem" ] || break
    known+=${known:+,}$hash
done
[ -n "$known" ] || problem="no finding: $(tail -n 1 out)"
[ -n "$problem" ] || [ "$(tail -n 1 out)" = "200 inputs" ] || problem="200 inputs, but: $(tail -n 1 out)"
report known_buckets_are_gone_past "$problem"

problem=
"$BUILD_DIR/tf_case_reader_replay" >out 2>err && problem='no argument, and it passed'
grep -q '^usage: ' err || problem='no usage'
report replay_usage "$problem"

mkdir box
problem=
export TANGLEFUZZ_TARGET=fault:crash=1
TANGLEFUZZ=$TANGLEFUZZ "$SOURCE_DIR/selftest/fuzz/blackbox/run" --input_dir=x --output_dir="$work/box" \
    --no_of_files=5 --seed=100 >out 2>&1 || problem="status $?: $(cat out)"
[ "$(find box -name 'fuzz-*' | wc -l)" = 5 ] || problem='not five files'
for file in box/*; do
    "$TANGLEFUZZ" predict "$file" >out 2>&1 || problem=$(tail -n 3 out)
done
"$TANGLEFUZZ" replay "$file" --target "$TANGLEFUZZ_TARGET" --fuzzer-hash >out 2>err
[ $? = 1 ] && grep -qxE 'ASSERTION FAILED: tanglefuzz FuzzerHash=[a-z]{10} crash' err || problem+="replay: $(cat out err)"
report blackbox_contract "$problem"

# Three that nobody waits for, 0.8 seconds of work each: a core-hour counts them, as it does a driver's workers. It looks
# each second, and each is told only when it has been reaped.
cat >orphans.sh <<'SH'
for i in 1 2 3; do
    (python3 -c 'import time
while time.process_time() < 0.8: pass
import os
open("done.new", "w").write(str(os.getpid()))
os.rename("done.new", "done")' &)
    until [ -e done ]; do sleep 0.2; done
    while kill -0 "$(cat done)" 2>/dev/null; do sleep 0.2; done
    rm done
done
exit 7
SH
problem= status=0
"$SOURCE_DIR/scripts/lib/cpu_seconds.py" 60 seconds bash orphans.sh || status=$?
[ $status = 7 ] || problem="status $status, not 7"
[ "$(cat seconds)" -ge 2 ] || problem="$(cat seconds) s counted, not 2"
report a_core_hour_counts_orphans "$problem"
