#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --form c: a case as one C file on Vulkan, compiled and run on lavapipe without tanglefuzz.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
driver=$DEPS_DIR/drivers/lavapipe
[ -e "$driver/icd.json" ] || { skip form_c 'no lavapipe'; exit; }
include=$DEPS_DIR/root/usr/include
[ -e "$include/vulkan/vulkan.h" ] || include=/usr/include
[ -e "$include/vulkan/vulkan.h" ] || { skip form_c 'no Vulkan headers'; exit; }
loader=$(ls "$driver"/lib/libvulkan.so.1 /usr/lib/*/libvulkan.so.1 2>/dev/null | head -1)
[ -n "$loader" ] || { skip form_c 'no Vulkan loader'; exit; }

build() { # FOLDER
    "$CC" -std=c11 -Wall -Werror -I"$include" "$1/case.c" -o "$1/case" "$loader" >log 2>&1 || cat log
}
on_lavapipe() { # STATUS FOLDER [WIDTH]: lavapipe's subgroup has WIDTH / 32 lanes
    LP_NATIVE_VECTOR_WIDTH=${3-256} LD_LIBRARY_PATH=$driver/lib VK_DRIVER_FILES=$driver/icd.json VK_ICD_FILENAMES=$driver/icd.json \
        MESA_SHADER_CACHE_DISABLE=true "$2/case" >"$2/out" 2>"$2/err"
    [ $? = "$1" ] || cat "$2/out" "$2/err"
}
# The words of lanes.txt, and those that the program prints: "WORD EXPECTED OBSERVED".
of_table() { sed -n 's/^\* *\([0-9]*\)  \([0-9]*\) (0x[0-9a-f]*) *\([0-9]*\) (.*/\1 \2 \3/p' "$1/lanes.txt"; }
of_program() { sed -n 's/^buffer .* word \([0-9]*\): expected \([0-9]*\) .* observed \([0-9]*\) .*/\1 \2 \3/p' "$1/out"; }

# ---- a fragment shader that lavapipe gets wrong
case=$SOURCE_DIR/corpus/regress/lavapipe-26.2-demoted-leave-ballots.spvasm
t fragment 0 'fragment$' '' "$TF" bundle "$case" --target vulkan:driver=lavapipe --form c --alone -o fragment
report fragment_compiles "$(build fragment)"
# The form of Mesa has it as well, for Amber cannot run a fragment case.
t fragment_for_mesa 0 'for-mesa$' '' "$TF" bundle "$case" --target vulkan:driver=lavapipe --form mesa --alone -o for-mesa
report fragment_for_mesa_has_it "$(cmp fragment/case.c for-mesa/case.c 2>&1; grep -q 'cc -std=c11 case.c -o case -lvulkan' for-mesa/README.md || cat for-mesa/README.md)"
report fragment_is_wrong "$(on_lavapipe 1 fragment)"
report fragment_shows_the_same_words "$(diff <(of_table fragment) <(of_program fragment) && [ -s fragment/out ] || cat fragment/out)"
report fragment_glsl_has_what_is_drawn "$(grep -q '^// Drawn: ' fragment/case.glsl && grep -q 'gl_Position' fragment/case.glsl || head -20 fragment/case.glsl)"

# ---- a compute shader that it gets wrong
case=$SOURCE_DIR/corpus/regress/lavapipe-25.0-derivative-behind-a-loop-T16.spvasm
t dispatch 0 'dispatch$' '' "$TF" bundle "$case" --target vulkan:driver=lavapipe --form c --alone -o dispatch
report dispatch_compiles "$(build dispatch)"
report dispatch_is_wrong "$(on_lavapipe 1 dispatch)"
report dispatch_shows_the_same_words "$(diff <(of_table dispatch) <(of_program dispatch) && [ -s dispatch/out ] || cat dispatch/out)"

# ---- a compute shader: what a compiler wrote is wrong, what it was given is right
case=$SOURCE_DIR/corpus/regress/spirv-opt-loop-unswitch-T2.spvasm
width=$(($(sed -n 's/^; subgroup //p' "$case") * 32))
t compute 0 'compute$' '' "$TF" bundle "$case" --target spirv-opt:--loop-unswitch --form c --alone -o compute
report compute_compiles "$(build compute)"
report compute_is_wrong "$(on_lavapipe 1 compute $width)"
report compute_shows_the_same_words "$(diff <(of_table compute) <(of_program compute) && [ -s compute/out ] || cat compute/out)"
mkdir right
python3 - compute right <<'PY'
import re, struct, sys
of, to = sys.argv[1:]
words = open(of + '/case.spv', 'rb').read()
words = ', '.join('0x%x' % w for w in struct.unpack('<%dI' % (len(words) // 4), words))
text = re.sub(r'(module\[\] = \{\n).*?\};', lambda m: m[1] + words + '};', open(of + '/case.c').read(), count=1, flags=re.S)
open(to + '/case.c', 'w').write(text)
PY
report right_compiles "$(build right)"
report right_is_right "$(on_lavapipe 0 right $width)"
report right_compares "$(grep -Eq '^0 of [1-9][0-9]* words are wrong' right/out || cat right/out)"

# ---- what it cannot do
case=$SOURCE_DIR/corpus/regress/lavapipe-25.0-image-size-of-first-level.spvasm
bad images "--form c: a case with storage images, arrays of buffers or addresses has no such form|--form c: a case with images or samplers" \
    "$TF" bundle "$case" --target vulkan:driver=lavapipe --form c --alone -o none
"$TF" gen --seed 3 --subgroup 8 -o plain.spvasm
bad right_case_has_none 'agrees|right|not wrong' "$TF" bundle plain.spvasm --target vulkan:driver=lavapipe --form c --alone -o none
