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
for line in '^ +%case1 +\.#\.\.##\.\. +M2 +who falls through joins this case$' \
    '^ +%vote3 Ballot +\.o\.\.oo\.\. +. 0x32$' '^ +%h +\.#######  loop next iteration$' \
    '^%entry +########  M5 +the parts join behind the call$'; do
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
for want in ("%case1", "M2", "who falls through joins this case", "= 0x32 for all of it", "M5"):
    assert want in texts, (want, texts)
assert "http" not in open(sys.argv[1]).read().replace("http://www.w3.org/2000/svg", ""), "it loads something"
PY
done

# A bare module: buffers of zeros, and a line that says so.
as=$(command -v spirv-as || find "$DEPS_DIR" -name spirv-as -type f 2>/dev/null | head -n 1)
if [ -n "$as" ]; then
    grep -v '^; ' "$case" | "$as" --target-env spv1.6 -o bare.spv - &&
        t explain_bare 0 'M5 +the parts join behind the call$' 'buffer 0:0: 65536 words of zero' \
            "$TF" explain bare.spv --subgroup 8
    # Nor need it say that it reconverges: a person wants to see what it would do.
    grep -v '^; ' "$case" | grep -v 'MaximallyReconvergesKHR\|maximal_reconvergence' |
        "$as" --target-env spv1.6 -o plain.spv - &&
        t explain_plain 0 'M5 +the parts join behind the call$' 'words of zero' "$TF" explain plain.spv --subgroup 8
else
    skip explain_bare "no spirv-as"
fi
