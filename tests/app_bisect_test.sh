#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# tanglefuzz bisect: on a true mistake of spirv-opt's, and on one whose culprit the test knows.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
T2=$SOURCE_DIR/corpus/regress/spirv-opt-loop-unswitch-T2.spvasm
right=$SOURCE_DIR/corpus/rules/M6-break-block-stays-split.spvasm
bisect() { "$TF" bisect "$@"; }

t finds_the_pass 1 '^  pass    --loop-unswitch$' '' \
    bisect "$T2" --target spirv-opt:--ccp,--loop-unswitch,--merge-blocks,--strip-debug
t leaves_the_rest_out 1 '^  target  spirv-opt:--loop-unswitch$' '' \
    bisect "$T2" --target spirv-opt:--strip-debug,--cfg-cleanup,--loop-unswitch,--strip-debug
t shows_what_the_pass_changed 1 '^  \+ +%41 = OpConstantFalse %7$' '' bisect "$T2" --target spirv-opt:--ccp,--loop-unswitch
t agrees 0 "nothing to bisect: the result of 'spirv-opt:-O' is 'agrees'" '' bisect "$right" --target spirv-opt:-O
t no_passes 2 '' 'has no list of passes' bisect "$right" --target 'exec-compiler:cp {in} {out}'
t no_target 2 '' 'needs --target' bisect "$right"
! short || short_end 'passes that need each other, chains, folders of findings'

# A spirv-opt of the test's own: only --b after --a spoils the module (OpReturn becomes OpUnreachable).
cat >spirv-opt.py <<'PY'
import sys
words = sys.argv[1:]
passes = [w for w in words if w.startswith('--')]
i, o = words[-3], words[-1]
d = open(i, 'rb').read()
if '--a' in passes and '--b' in passes[passes.index('--a'):]:
    d = d.replace(bytes.fromhex('fd000100'), bytes.fromhex('ff000100'), 1)
open(o, 'wb').write(d)
PY
printf '#!/bin/sh\nexec python3 %s "$@"\n' "$work/spirv-opt.py" >spirv-opt && chmod +x spirv-opt
command="exec-compiler:$work/spirv-opt --x --b --y --a --z --z --b --y {in} -o {out}"
t two_passes 1 '^  pass    --b$' '' bisect "$right" --target "$command"
report two_passes_alone "$(grep -E "^  target  exec-compiler:$work/spirv-opt --a --b \{in\} -o \{out\}$" out >/dev/null || cat out)"
t chain 1 '^  target  .* --a --b \{in\} -o \{out\} \| spirv-opt:--ccp$' '' bisect "$right" --target "$command | spirv-opt:--ccp"
t not_by_a_pass 2 '' 'without any pass' bisect "$right" \
    --target "spirv-opt:--ccp | exec-compiler:$work/spirv-opt --a --b {in} -o {out}"

# A finding's folder says its target.
mkdir -p found && cp "$T2" found/case.spvasm && echo '{"schema":2,"type":"finding","facts":{},"target":"spirv-opt:--ccp,--loop-unswitch"}' >found/finding.json
t finding_says_its_target 1 '^  target  spirv-opt:--loop-unswitch$' '' bisect found/
t finding_with_another_target 0 "the result of 'spirv-opt:-O' is 'agrees'" '' bisect found --target spirv-opt:-O
for target in 'exec-compiler:true {in} {out}' 'spirv-opt:-O | exec-compiler:x' 'vulkan:driver=lavapipe,env=LD_PRELOAD=x.so' \
    'vulkan:icd=/x.json' 'roundtrip:glslang,tool=subprocess' 'check:exec-device:x' 'other' \
    'vulkan:driver=../../x' 'fault:crash=2,log=x'; do
    printf '{"schema":2,"type":"finding","facts":{},"target":"%s"}' "$target" >found/finding.json
    t "folder_chooses_nothing_$(tr -c 'a-z\n' _ <<<"$target")" 2 '' 'a folder may not choose a program to run' bisect found
done
printf '{"schema":2,"type":"finding","facts":{},"target":"%s"}' 'check:vulkan:driver=nobody | spirv-opt:-O' >found/finding.json
t finding_names_a_driver 2 '' "nobody" bisect found
echo '{"schema":2,"type":"finding","facts":{},"target":""}' >found/finding.json
t finding_without_target 2 '' 'needs --target' bisect found
# A record of another version is named as that, not as a folder without a target.
echo '{"schema":1,"type":"finding","target":"spirv-opt:-O"}' >found/finding.json
t finding_of_another_version 2 '' 'needs --target SPEC: .*schema 1, this tanglefuzz reads 2' bisect found
t finding_of_another_version_and_a_target 0 "the result of 'spirv-opt:-O' is 'agrees'" '' bisect found --target spirv-opt:-O
