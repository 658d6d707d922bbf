#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A finding of an isa: target shows the line of machine code where the first wrong word got its value, who was on
# there, and who must be by the oracle: in its folder, in explain, in its bundle.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/tests/regress_lib.sh" || exit 1

# An independent generator's cases, which have push constants, on RDNA 3: those of 32 and 64 lanes (2: others are left).
# One of them needs no word of its push constants: only the driver's pipeline cache says which registers have them.
radv=isa:vulkan:driver=radv,env=AMDGPU_GPU_ID=navi31
if here "$radv"; then
    t external_cases 2 '^6[0-9] agreed, 0 wrong' '' "$TF" replay "$SOURCE_DIR/corpus/external" --target "$radv"
    # `isa:` prints by kept forms of instructions, `check:` by LLVM alone: the texts are the same.
    for gpu in navi31:32 vega10:64 navi10:64 navi21:32 gfx1201:32; do
        "$TF" gen --seed 3 --profile large --subgroup "${gpu#*:}" --without partition -o kept.spvasm
        for way in check isa; do
            "$TF" replay kept.spvasm --target "$way:vulkan:driver=radv,env=AMDGPU_GPU_ID=${gpu%:*},size=${gpu#*:}" \
                --driver-text "kept-$way.txt" >/dev/null
        done
        t "text_of_${gpu%:*}" 0 '^[1-9][0-9]{3}$' '' bash -c 'cmp kept-check.txt kept-isa.txt && grep -c . kept-isa.txt'
    done
else
    skip external_cases "target not here: RADV, which scripts/drivers.sh gets"
fi

# Apple's machine: programs whose NIR and machine code agree, and two levels.
apple=isa:vulkan:driver=honeykrisp
if here "$apple"; then
    t apple_agrees 0 '^  agreed +20$' '' "$TF" fuzz --target "$apple" --subgroup 32 --cases 20 --inputs 1 --stop-after 0 --out apple
    "$TF" gen --seed 3 --profile small --subgroup 32 -o apple.spvasm
    t apple_levels 0 '^  levels  2: 2 run, 0 skipped$' '' "$TF" bisect apple.spvasm --target "$apple"
else
    skip apple_agrees "target not here: Honeykrisp, which scripts/drivers.sh gets"
fi

# The kept case of RADV 26.2 that copies SCC before any instruction writes it: the line is marked.
radv=isa:vulkan:driver=radv
if here "$radv"; then
    t reduced 0 - - "$TF" reduce "$SOURCE_DIR/corpus/regress/radv-26.2-copy-of-scc-without-its-writer.spvasm" --target "$radv" --out scc
    t unset_flag 0 'src_scc' '' grep -B 1 '^^^ *reads a flag that no instruction has set$' scc/*/README.md
    t unset_flag_line 0 '"unset_flag_line": ?[1-9]' '' cat scc/*/finding.json
else
    skip unset_flag "target not here: RADV, which scripts/drivers.sh gets"
fi

target=isa:llvm:cpu=gfx1100,passes=none,level=2
here "$target" || { skip code "target not here: LLVM, which scripts/llvm.sh gets"; exit; }

t found 1 - - "$TF" fuzz --target "$target" --out c --stop-after 1 --seeds 199:200
finding=$(ls -d c/findings/*)
t explained 0 'expected: lanes' '' "$TF" explain "$finding"
t reported 0 - - "$TF" report c --alone --bundle "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["bucket"])' "$finding/finding.json")"
t code_in_folder 0 '' '' python3 - "$finding" c/bundles/*/ <<'PY'
import json, os, re, sys
folder, bundle = sys.argv[1], sys.argv[2]
finding = json.load(open(folder + "/finding.json"))
code, lines = finding["code"], open(folder + "/driver.txt").read().split("\n")
# It is about the word of the verdict: its ballot has the lanes that were on, which are more than must be.
seen = {l for l in range(32) if finding["observed"] >> l & 1}
must = {l for l in range(32) if finding["expected"] >> l & 1}
assert finding["class"] == "extra-lanes"
assert set(code["lanes"]) >= seen and set(code["expected_lanes"]) == must and must < seen, (code, finding["text"])
assert re.match(r"\tv_cmp_\w+ vcc_lo,|\tv_cmp_\w+ s\d+,|\ts_mov_b32 s\d+, exec_lo", lines[code["line"] - 1]), lines[code["line"] - 1]
assert re.match(r"\tglobal_store_b32 ", lines[code["stored_at_line"] - 1]), lines[code["stored_at_line"] - 1]
mark = ">> %5d %s" % (code["line"], lines[code["line"] - 1])
for name in (folder + "/README.md", bundle + "/README.md", bundle + "/code.txt"):
    assert mark in open(name).read(), name
PY
