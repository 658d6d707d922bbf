#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# tanglefuzz explain: what a person reads. The names of the case's own text, the rule that split or joined, the value
# of each group operation; a picture that stands alone; a bare module.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1

rules=$SOURCE_DIR/corpus/rules
case=$rules/M2-M5-E3-fall-through-and-return-in-a-loop-of-a-callee-join.spvasm
t explain 0 '^%entry +######## +I1 +starts converged$' '' "$TF" explain "$case"
cp out table
for line in '^ +%case1 +\.#\.\.##\.\. +M2 +joins this case by fallthrough$' \
    '^ +%vote3 Ballot +\.o\.\.oo\.\. +. 0x32$' '^ +%h +\.#######  loop next iteration$' \
    '^%entry +########  M5 +the parts join after the call$'; do
    report "explain: $line" "$(grep -Eq -e "$line" table || cat table)"
done
# Nobody falls through where the choice is another: a plain case.
t explain_direct 0 '^ +%case1 +\.#\.\.\.#\.\. +D2 ' '' "$TF" explain "$case" --policy direct

# Text and words that do not go together have no names: ids stand there.
sed 's/OpIAdd %uint %x %i/OpISub %uint %x %i ; %z = OpIAdd/' "$case" >other.spvasm
t explain_comment 0 '^ +%case0 ' '' "$TF" explain other.spvasm

for size in 8 32 64; do
    t "picture_$size" 0 '' '' "$TF" explain "$case" --subgroup $size -o picture.svg
    t "picture_${size}_stands_alone" 0 '' '' python3 - picture.svg <<'PY'
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
texts = ["".join(e.itertext()) for e in root.iter() if e.tag.endswith("text")]
for want in ("%case1", "M2", "joins this case by fallthrough", "= 0x32 for all of it", "M5"):
    assert want in texts, (want, texts)
assert "http" not in open(sys.argv[1]).read().replace("http://www.w3.org/2000/svg", ""), "it loads something"
PY
done

# Of a fragment shader: its target, a bracket over each quad, a broken edge for helper invocations.
regress=$SOURCE_DIR/corpus/regress
t fragment 0 '' '' "$TF" explain "$regress/lavapipe-26.2-demoted-leave-ballots.spvasm" -o fragment.svg
report fragment_says "$(grep -q 'fragment shader, target 4 x 2,' fragment.svg && [ "$(grep -c 'class="quad"' fragment.svg)" = 2 ] &&
    grep -q stroke-dasharray fragment.svg || cat fragment.svg)"
# The pictures of docs/findings.md are what this makes.
for picture in "$SOURCE_DIR"/docs/pictures/*-*-*-*.svg; do
    name=$(basename "$picture" .svg)
    t "$name" 0 '' '' "$TF" explain "$regress/$name.spvasm" -o "$name.svg"
    report "$name is new" "$(cmp "$name.svg" "$picture" 2>&1)"
done

# A loop that all lanes run ten times: of the eight iterations in between the first and the last are shown, with the line of the source.
sed -e 's/%u5 = .*/&\n%u9 = OpConstant %uint 9/' -e 's/%bool %i %quarter/%bool %i %u9/' \
    -e 's/^ *OpExecutionMode %main Max.*/&\n%file = OpString "k.comp"\nOpSource GLSL 450 %file "while (n++ != 9)"/' \
    -e 's/^ *%i = OpPhi.*/OpLine %file 1 1\n&/' "$rules/M6-break-block-stays-split.spvasm" >ten.spvasm
t folded 0 '^ {26}6 more iterations by the same lanes$' '' "$TF" explain ten.spvasm
report folded_rows "$([ "$(grep -c '^ *%header ' out)" = 4 ] || cat out)"
report source_line "$(grep -Eq '^%header +########.* 1: while \(n\+\+ != 9\)$' out || cat out)"
t not_folded 0 '^%leave|^ +%leave' '' "$TF" explain ten.spvasm --iterations
report not_folded_rows "$([ "$(grep -c '^ *%header ' out)" = 10 ] && ! grep -q 'more iterations' out || cat out)"
t folded_picture 0 '' '' "$TF" explain ten.spvasm -o ten.svg
report folded_picture_says "$(grep -q '>6 more iterations by the same lanes<' ten.svg && grep -q 'class="value source"[^>]*>1: while (n++ != 9)<' ten.svg ||
    cat ten.svg)"
# What differs stays: each iteration of this one has other lanes.
sed -e 's/%u5 = .*/&\n%u7 = OpConstant %uint 7/' -e 's/%lane %u3/%lane %u7/' "$rules/M6-break-block-stays-split.spvasm" >eight.spvasm
t other_lanes 0 '^ *%leave ' '' "$TF" explain eight.spvasm
report other_lanes_stay "$([ "$(grep -c '^ *%header ' out)" = 8 ] && ! grep -q 'more iterations' out || cat out)"
# --steps counts what is left.
t folded_steps 0 '6 more iterations' '' "$TF" explain ten.spvasm --steps 24

# debugPrintf: what each lane prints, "?" for what is not there or not defined.
sed -e 's/^ *OpMemoryModel/%ext = OpExtInstImport "NonSemantic.DebugPrintf"\nOpMemoryModel/' -e 's/OpCapability Shader/&\nOpExtension "SPV_KHR_non_semantic_info"/' \
    -e 's/^ *OpExecutionMode %main Max.*/&\n%format = OpString "%u%% of %03d, %x, %d"\n%all = OpString "on"/' \
    -e 's/^ *%at1_row = .*/%p1 = OpExtInst %void %ext 1 %format %lane %quarter %u5\n&/' \
    -e 's/^ *%vote2 = .*/&\n%p2 = OpExtInst %void %ext 1 %all/' "$rules/M6-break-block-stays-split.spvasm" |
    awk '/OpExtension "SPV_KHR_non/ { keep = $0; next } { print } /OpCapability GroupNonUniformBallot/ { print keep }' >printf.spvasm
t printf 0 '^ +debugPrintf +\.o\.\.\.o\.\.  1: "1% of 001, 5, [?]"; 5: "5% of 001, 5, [?]"$' '' "$TF" explain printf.spvasm
report printf_all_the_same "$(grep -Eq '^ +debugPrintf +oooooooo  "on"$' out || cat out)"
t printf_changes_nothing 0 '^1 passed, 0 failed$' '' "$TF" check printf.spvasm
t printf_picture 0 '' '' "$TF" explain printf.spvasm -o printf.svg
report printf_picture_says "$(grep -q '>1: &quot;1% of 001' printf.svg || grep debugPrintf printf.svg)"

# The same in a reader that knows no variables of CSS, and as PNG: mostly paper, a bar's colour, no black.
if command -v rsvg-convert >/dev/null; then
    t png 0 '' '' "$TF" explain "$case" --subgroup 8 -o picture.png
    "$TF" explain "$case" --subgroup 8 -o picture.svg
    rsvg-convert picture.svg -o other.png || fail librsvg 'does not read it'
    for png in picture.png other.png; do
        t "colours_$png" 0 '' '' python3 - "$png" <<'PY'
import struct, sys, zlib
data, at, packed = open(sys.argv[1], "rb").read(), 8, b""
while at < len(data):
    n, kind = struct.unpack(">I4s", data[at:at + 8])
    if kind == b"IHDR":
        width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
    packed += data[at + 8:at + 8 + n] if kind == b"IDAT" else b""
    at += n + 12
step, raw = {2: 3, 6: 4}[colour], zlib.decompress(packed)
count, last = {}, bytearray(width * step)
for y in range(height):
    how, row = raw[y * (width * step + 1)], bytearray(raw[y * (width * step + 1) + 1:(y + 1) * (width * step + 1)])
    for x in range(len(row)):
        a, b, c = (row[x - step], last[x], last[x - step]) if x >= step else (0, last[x], 0)
        p = a + b - c
        paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        row[x] = row[x] + [0, a, b, (a + b) // 2, paeth][how] & 255
    last = row
    for x in range(0, len(row), step):
        count[bytes(row[x:x + 3])] = count.get(bytes(row[x:x + 3]), 0) + 1
share = {k: v / (width * height) for k, v in count.items()}
assert share.get(b"\xff\xff\xff", 0) > 0.4, "little paper"
assert share.get(b"\0\0\0", 0) < 0.01, "black"
assert any(v > 0.005 and max(k) - min(k) > 60 for k, v in share.items()), "no bar has a colour"
PY
    done
else
    skip png 'no rsvg-convert: apt-get install librsvg2-bin'
fi
mkdir none && bad png_without 'none.png: a PNG needs rsvg-convert' env PATH="$PWD/none" "$TF" explain "$case" --subgroup 8 -o none.png
report png_nothing_left "$(ls | grep -e '^none\.png' -e tmp)"

# A bare module: buffers of zeros, and a line that says so.
as=$(command -v spirv-as || find "$DEPS_DIR" -name spirv-as -type f 2>/dev/null | head -n 1)
if [ -n "$as" ]; then
    grep -v '^; ' "$case" | "$as" --target-env spv1.6 -o bare.spv - &&
        t explain_bare 0 'M5 +the parts join after the call$' '^tanglefuzz explain: note: the inputs are invented .tanglefuzz case ' \
            "$TF" explain bare.spv --subgroup 8
    # Nor need it say that it reconverges: a person wants to see what it would do.
    grep -v '^; ' "$case" | grep -v 'MaximallyReconvergesKHR\|maximal_reconvergence' |
        "$as" --target-env spv1.6 -o plain.spv - &&
        t explain_plain 0 'M5 +the parts join after the call$' 'the inputs are invented' "$TF" explain plain.spv --subgroup 8
else
    skip explain_bare "no spirv-as"
fi

# Of a fragment shader: helpers are told from live lanes, in the picture too; a coverage that contradicts itself is refused.
helpers=$SOURCE_DIR/corpus/rules/R13-D1-M1-helpers-take-the-other-arm.spvasm
t explain_helpers 0 '^%m +###H#HHH  M1' '' "$TF" explain "$helpers"
t explain_helpers_svg 0 - '' "$TF" explain "$helpers" -o helpers.svg
report explain_helpers_dashed "$([ "$(grep -c 'stroke-dasharray' helpers.svg)" -ge 4 ] || echo "no bar of helpers")"
awk '/^; coverage/ { printf "; expect 0:0 u32 1 8"; for (k = 0; k < 48; k++) printf " %s", k == 0 ? "0x80000005" : 0; print "" } { print }' \
    "$SOURCE_DIR/corpus/rules/R12-a-whole-target-has-no-helpers.spvasm" >torn.spvasm
for command in explain predict; do
    bad "torn_coverage_$command" 'coverage 0:0: subgroup 0 lane 0 logged pixel 5, 0 of a target of 4 x 2' "$TF" $command torn.spvasm
done
# So is a module that logs what it does not run for: here each lane counts itself, and none of the numbers is its subgroup's.
sed 's/OpBranchConditional %leads %draw %drawn/OpBranchConditional %true %draw %drawn/; /^; expect/d' \
    "$SOURCE_DIR/corpus/regress/lavapipe-26.2-demoted-leave-ballots.spvasm" >many.spvasm
bad other_coverage_predict 'unsupported: the module logs other invocations in coverage 0:0 than it has' "$TF" predict many.spvasm
