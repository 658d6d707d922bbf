#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The reference is one: thousands of random programs, printed in another language and compiled
# without an optimiser, leave what the oracle expects of the SPIR-V they were printed from. glslang
# keeps control flow as it is written: all must agree. LLVM's SPIR-V back end alone leaves invalid
# modules of every fifth program and crashes on some; of what it leaves valid, all must agree, but for the few that a choice
# decides which it left at a switch (M2).
# It gets ways out of loops wrong (docs/llvm.md): with breaks and returns all but fifteen in a thousand, and the next
# part judges our IR itself, of programs with all there is, by the machine of backends/llir/. There every single one agrees. Nothing is
# skipped but what a language has no words for, and that is counted.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"

# figures FOLDER PROGRAMS [SHARE]: what the survey counted, as assertions in Python; of what is valid SHARE agree.
figures() {
    python3 - "$1" "$2" "${3-1}" <<'PY' 2>&1
import json, sys
s = json.load(open(sys.argv[1] + "/survey.json"))
k, n = s["kinds"], int(sys.argv[2])
skipped = sum(s["skipped"].values())
assert s["programs"] == n and s["unusable"] == 0, s
assert s["asked"] + skipped == n, (s["asked"], skipped)
assert all(w.startswith("not printed as ") for w in s["skipped"]), s["skipped"]
if sys.argv[1] == "llir":
    assert k["agrees"] == n, (k, s["skipped"])
elif sys.argv[1] == "glsl":
    assert k["agrees"] == s["asked"] >= 0.8 * n, (k, s["skipped"])
else:
    assert skipped == 0, s["skipped"]
    judged = k["agrees"] + k["wrong"] + k["endless"] + k["undefined"] + k["split"]
    assert k["refused"] == k["hang"] == 0, k
    assert judged >= 0.7 * n and k["agrees"] + k["split"] >= float(sys.argv[3]) * judged, k
    assert k["split"] <= 0.005 * judged, k
PY
}

if [ -e "${TANGLEFUZZ_LLVM_DIR-$DEPS_DIR/llvm}/23/loader" ]; then
    "$TF" survey --target llvm:passes=none,level=0 --cases 3000 --without break,return --split --out ir >ir.txt 2>&1
    report llvm_unoptimised "$(figures ir 3000 1)"
    # With breaks and returns, and the ways out that it gets wrong. Without the values across blocks that generator 8 draws: with
    # them it leaves 870 of 3,000 invalid, and 2,055 to judge. The next part has them.
    "$TF" survey --target llvm:passes=none,level=0 --cases 3000 --without ssa,stored --split --out whole >whole.txt 2>&1
    report llvm_unoptimised_whole "$(figures whole 3000 0.985)"
    # The IR itself, run by its tokens, without a back end: every single one.
    "$TF" survey --target llvm:passes=none,judge=ir --cases 5000 --out llir >llir.txt 2>&1
    report llvm_ir_itself "$(figures llir 5000)"
else
    skip llvm_ir_itself 'target not here: LLVM, which scripts/llvm.sh gets'
    skip llvm_unoptimised 'target not here: LLVM, which scripts/llvm.sh gets'
fi
if "$TF" replay "$SOURCE_DIR/corpus/rules/D1-M1-nested.spvasm" --target glslang >/dev/null 2>&1; then
    "$TF" survey --target glslang --cases 100 --out glsl >glsl.txt 2>&1
    report glslang_unoptimised "$(figures glsl 100)"
else
    skip glslang_unoptimised 'no glslang'
fi
