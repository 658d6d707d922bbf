#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# PTX with masks that the program computes: printed, run by our machine; and the code of ptxas,
# where a person has installed it.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
"$TF" gen --seed 1 --subgroup 32 --only if,else,for,elect,ballot,reduce,scan,shuffle,break,continue,call -o one.spvasm
t prints_masks 0 'vote\.sync\.ballot\.b32 %t[0-9]+, %[a-z0-9_]+, %m;' '' "$TF" print one.spvasm --as ptx
t runs_ptx 0 'agrees: [1-9]' '' "$TF" replay one.spvasm --target isa:ptx
t agrees 0 'agreed +1[0-9][0-9]$' '' "$TF" fuzz --target isa:ptx --cases 200 --inputs 1 --jobs 1 --out campaign
t shows_ptx 0 - '' "$TF" replay one.spvasm --target isa:ptx --driver-text text
t keeps_ptx 0 '^\.visible \.entry tf_main\($' '' cat text
"$TF" gen --seed 1 --subgroup 16 --only if,ballot -o half.spvasm
t refuses_half_a_warp 2 - 'subgroups of 16 lanes; a warp has 32' "$TF" print half.spvasm --as ptx
t refuses_to_run 2 - 'PTX cannot run here: use isa:ptx' "$TF" replay one.spvasm --target ptx
t votes_before_it_ends 0 'mov\.b32 %f0escape, 4294967295;' '' \
    "$TF" print "$SOURCE_DIR/corpus/regress/llvm-amdgpu-23-return-in-loop-rejected.spvasm" --as ptx
mkdir operations && python3 "$SOURCE_DIR/tests/ptx/operations.py" operations
t cases_agree 0 '^6 agreed, 0 wrong, 0 not judged$' '' "$TF" replay "$SOURCE_DIR"/tests/ptx/*.spvasm operations/*.spvasm --target isa:ptx
t cases_agree_without_redux 0 '^6 agreed, 0 wrong, 0 not judged$' '' \
    "$TF" replay "$SOURCE_DIR"/tests/ptx/*.spvasm operations/*.spvasm --target isa:ptx:sm=75
t refuses_an_option 2 - 'the option is sm=75, 80, 86, 89 or 90' "$TF" replay one.spvasm --target isa:ptx:level=3
t older_agrees 0 'agreed +1[0-9][0-9]$' '' "$TF" fuzz --target isa:ptx:sm=75 --cases 200 --inputs 1 --jobs 1 --out older
t older_has_its_architecture 0 '^\.target sm_75$' '' "$TF" print one.spvasm --as ptx-sm75
report older_has_no_redux "$(grep redux out)"
t refuses_ptxas_itself 2 - 'the code cannot run here: use isa:ptxas or check:ptxas' "$TF" replay one.spvasm --target ptxas
t refuses_another_machine 2 - 'sm=100: only the code for sm=75, 80, 86, 89 and 90 is read' "$TF" replay one.spvasm --target isa:ptxas:sm=100
mkdir -p empty
for tool in sh cat; do ln -s "$(command -v $tool)" empty/; done
PATH=$work/empty TANGLEFUZZ_DRIVERS=$work/none t says_what_to_install 2 - "ptxas is not on the PATH .*nvidia-cuda-toolkit" \
    "$TF" replay one.spvasm --target isa:ptxas
if ! command -v ptxas >there || ! command -v nvdisasm >there; then
    skip ptxas "no ptxas and nvdisasm on the PATH"
    exit
fi
for sm in 75 80 86 89 90; do
    for level in 0 3; do
        t "runs_code_of_sm_${sm}_level_$level" 0 'agrees: [1-9]' '' "$TF" replay one.spvasm --target "isa:ptxas:sm=$sm,level=$level"
    done
done
t runs_many 0 'agreed +[1-9]' '' python3 "$SOURCE_DIR/scripts/ptxas_many.py" --tf "$TF" --out many --seeds 0:8 --level 0
report keeps_no_program_back "$(grep 'kept for a batch' many/run.txt)"
