#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# reduce, on a compiler with a fault of our making: in modules with a loop it turns `true` into `false`,
# so that a ballot lacks all lanes.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
. "$(dirname "${BASH_SOURCE[0]}")/reduce_lib.sh"
export TANGLEFUZZ_CONTAIN=no # compilers here write down what they were asked

cat >wrong.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
static uint32_t words[1 << 20];
static void keep(const char *folder, size_t n, uint32_t hash)
{
    char name[300];
    snprintf(name, sizeof name, "%s/%08x.spv", folder, hash);
    FILE *file = fopen(name, "wb");
    fwrite(words, 4, n, file);
    fclose(file);
}
static int is_third(const char *count) // whether this is every third time
{
    FILE *file = fopen(count, "r+");
    const int n = fgetc(file);
    rewind(file);
    fputc('0' + (n - '0' + 1) % 3, file);
    fclose(file);
    return n == '2';
}
int main(int argc, char **argv) // IN OUT [keeps FOLDER | flaky FILE | slow -]
{
    const char *how = argc > 4 ? argv[3] : "";
    FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
    size_t n = in ? fread(words, 4, 1 << 20, in) : 0;
    uint32_t loop = 0, hash = 0;
    for (size_t i = 5; i < n; i += words[i] >> 16)
        loop |= (words[i] & 0xffff) == 246; // OpLoopMerge
    for (size_t i = 5; i < n; i++)
        hash = (hash ^ words[i]) * 16777619;
    if (strcmp(how, "keeps") == 0)
        keep(argv[4], n, hash);
    if (strcmp(how, "slow") == 0) // 200 answers take four seconds on any machine
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    const int right = strcmp(how, "flaky") == 0 && is_third(argv[4]);
    for (size_t i = 5; i < n; i += words[i] >> 16)
        if (loop && !right && (words[i] & 0xffff) == 41) // OpConstantTrue
            words[i] += 1;
    return fwrite(words, 4, n, out) != n || fclose(out);
}
END
compile wrong wrong.c || exit 1
printf 0 >count
mkdir given
wrong="exec-compiler:$work/wrong {in} {out}"
keeps="exec-compiler:$work/wrong {in} {out} keeps $work/given"
flaky="exec-compiler:$work/wrong {in} {out} flaky $work/count"
slow="exec-compiler:$work/wrong {in} {out} slow -"

for seed in $(seq 0 200); do
    "$TF" gen --seed "$seed" --subgroup 8 --only for,if,ballot,observe-fold \
        --model assumed-maximal -o case.spvasm
    "$TF" replay case.spvasm --target "$wrong" >replayed && continue
    grep -q ': missing-lanes' replayed && [ "$(grep -c . case.spvasm)" -gt 180 ] && break
done
report a_case_to_begin_with "$(grep -q ': missing-lanes' replayed || cat replayed)"
t reduces 0 '"class":"missing-lanes","end":"1-minimal"' - \
    "$TF" reduce case.spvasm --target "$keeps" --json
report reduces_quiet "$(grep -vE '^[0-9]+ s +[0-9]+ -> ' err)" # progress alone, which a busy machine makes
report smaller "$(is after.instructions -lt "$(sed 's/.*"before":{"instructions":\([0-9]*\).*/\1/' out)" || cat out)"
report one_loop_one_op "$(is after.loops = 1 && is after.selections = 0 &&
    is after.group_ops = 1 && is after.body -le 20 || cat out)"
report no_log_left "$(grep '^; \(log\|lanes\|from\)' case.reduced/reduced.spvasm)"
report same_every_time "$(is reproduced = 5 || cat out)"
t reduced_is_wrong 1 ': wrong-memory' '' "$TF" replay case.reduced/reduced.spvasm --target "$wrong"
report has_a_finding "$(ls case.reduced/reduced-wrong-memory/README.md 2>&1 >/dev/null)"
! short || short_end 'folders, what goes on, time, targets that are flaky, modules of others'
t folder_with_a_slash 0 '^  case +case.reduced/reduced-wrong-memory/reduced/reduced.spvasm$' - \
    "$TF" reduce case.reduced/reduced-wrong-memory/ --target "$wrong"
bad folder_chooses_no_program "the folder names 'exec-compiler:wrong .*may not choose a program" "$TF" reduce case.reduced/reduced-wrong-memory
bad folder_says_none 'needs --target' "$TF" reduce case.reduced
bad folder_without_case 'without case.spvasm' "$TF" reduce case.reduced --target "$wrong"
cp case.reduced/reduced.spvasm first.spvasm

# Nothing that is invalid was ever given to the target.
if command -v spirv-val >/dev/null; then
    report target_saw_only_valid "$(find given -name '*.spv' | while read -r f; do
        spirv-val --target-env vulkan1.3 "$f" 2>&1; done)"
else
    skip target_saw_only_valid 'no spirv-val'
fi

t goes_on 0 '"improvements":0' '' "$TF" reduce case.spvasm --target "$keeps" --json
report asks_nothing_twice "$(is candidates -lt 3 || cat out)"
report stays_the_same "$(cmp first.spvasm case.reduced/reduced.spvasm)"
bad other_target 'holds another reduction' "$TF" reduce case.spvasm --target "$wrong"
t two_workers 0 - - "$TF" reduce case.spvasm --target "$wrong" --jobs 2 --out two
report two_workers_same_result "$(cmp first.spvasm two/reduced.spvasm)"

t out_of_time 0 '"end":"time"' '' "$TF" reduce case.spvasm --target "$slow" --out short --time 1s --json
t out_of_time_is_wrong 1 ': (missing-lanes|wrong-memory)' '' "$TF" replay short/reduced.spvasm --target "$wrong"
bad not_wrong 'does not fail on it in 5 runs: agrees' "$TF" reduce case.spvasm --target spirv-opt:-O \
    --out right
report not_wrong_writes_nothing "$(ls -d right 2>/dev/null)"
t flaky 0 '"class":"missing-lanes"' - "$TF" reduce case.spvasm --target "$flaky" --json --out often \
    --stage choices
report flaky_is_told "$(is reproduced -ge 2 && is reproduced -lt 5 || cat out)"
# A real fault of spirv-opt, on modules of somebody else: bounds on what is left.
t foreign 0 '"class":"wrong-memory","end":"1-minimal"' '' "$TF" reduce --json --out foreign \
    "$SOURCE_DIR/corpus/regress/spirv-opt-loop-unswitch-T2.spvasm" --target spirv-opt:--loop-unswitch
report foreign_is_small "$(is after.loops = 1 && is after.selections = 1 &&
    is after.group_ops = 1 && is after.instructions -le 65 || cat out)"
t stage_alone 0 '"choices":0}}' '' "$TF" reduce case.spvasm --target "$wrong" --stage module --out alone \
    --json
bad no_such_case 'nosuch' "$TF" reduce nosuch --target "$wrong"
mkdir empty
bad no_finding 'without case.spvasm' "$TF" reduce empty --target "$wrong"
bad undefined_case 'cannot be judged.*E-' "$TF" reduce \
    "$SOURCE_DIR/corpus/undefined/E-unreachable.spvasm" --target "$wrong" --out undefined
