#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Crashes: which of them are one bug, where they were, what is kept of their words.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
export TANGLEFUZZ_CONTAIN=no # compilers here write down what they were asked

# A compiler of passes, three of which die on what a module holds; --talks says much before it dies, and
# --cannot-select what LLVM does.
cat >opt.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static uint32_t words[1 << 20];
static size_t n;
static int has(uint32_t op)
{
    for (size_t i = 5; i < n; i += words[i] >> 16)
        if ((words[i] & 0xffff) == op)
            return 1;
    return 0;
}
__attribute__((noinline)) void die(volatile int *p) { *p = 1; }
__attribute__((noinline)) void switches(void) { die(0); puts("no tail call"); }
__attribute__((noinline)) void loops(void) { die(0); puts("no tail call"); }
__attribute__((noinline)) void selects(void) { die(0); puts("no tail call"); }
int main(int argc, char **argv)
{
    const char *in = argv[argc - 3], *to = argv[argc - 1];
    FILE *f = fopen(in, "rb");
    n = f ? fread(words, 4, 1 << 20, f) : 0;
    for (int i = 1; i < argc - 3; i++) {
        if (strcmp(argv[i], "--talks") == 0)
            for (int k = 0; k < 1000; k++)
                fprintf(stderr, "line %d of what it says\n", k);
        if (strcmp(argv[i], "--cannot-select") == 0 && n % 2) {
            fprintf(stderr, "LLVM ERROR: Cannot select: 0x7f%zx: v%zui32 = %s 0x1234\n  0x1234: f%zu = load\n", n, n,
                    n % 3 ? "scalar_to_vector" : "any_extend", n);
            abort();
        }
        if (strcmp(argv[i], "--switches") == 0 && has(251))
            switches();
        if (strcmp(argv[i], "--loops") == 0 && has(246))
            loops();
        if (strcmp(argv[i], "--selects") == 0 && has(247))
            selects();
    }
    FILE *out = fopen(to, "wb");
    return fwrite(words, 4, n, out) != n || fclose(out);
}
END
"$CC" -O1 -g -o spirv-opt opt.c || exit 1
o="$work/spirv-opt"
rows() { "$TF" report "$1" -f jsonl | python3 -c 'import json, sys
for x in map(json.loads, sys.stdin):
    if x["type"] == "bucket": print(x["culprit"], "/", x["message"], "/", x["findings"])' | sort; }

# One target, one word (Segmentation fault), three passes: three buckets, before they are reduced and after.
three="exec-compiler:$o --a --switches --loops --b --selects --c {in} -o {out}"
"$TF" fuzz --target "$three" --profile small --seeds 20:28 --out c >log 2>&1
report finds_crashes "$([ "$(ls c/findings | wc -l)" -ge 4 ] || cat log)"
rows c >rows
report three_passes_three_buckets "$([ "$(cut -d/ -f1 rows | tr -d '\n')" = '--loops --selects --switches ' ] || cat rows)"
"$TF" reduce c --per-bucket 1 --target "$three" >log 2>&1
rows c >rows
report three_when_reduced "$([ "$(cut -d/ -f1 rows | tr -d '\n')" = '--loops --selects --switches ' ] || cat rows log)"
report one_pass_is_left "$(grep -L '"target":"exec-compiler:spirv-opt --\(selects\|loops\|switches\) {in} -o {out}"' \
    c/findings/*/reduced/reduced-crash/finding.json)"
report readme_speaks_of_no_rule "$(grep -l 'reconvergence' c/findings/*/README.md c/findings/*/reduced/*/README.md)"
# The summary of a pipeline has the path of the program also where passes were taken away.
"$TF" ci --compiler "$o --a --switches {in} -o {out}" --fixed 6 --cases 1 --day 2026-11-25 --reduce-time 20s --out path >log 2>&1
report summary_has_the_path "$(grep -q "^tanglefuzz replay path/findings/.* --target 'exec-compiler:$o --switches {in} -o {out}'" path/summary.md ||
    cat path/summary.md log)"
for b in $("$TF" report c -f jsonl | grep -o '"bucket":"[a-z]*"' | cut -d'"' -f4 | sort -u); do
    "$TF" report c --bundle "$b" >/dev/null || fail bundle "$b"
done
report bundle_speaks_of_no_rule "$(grep -l 'reconvergence: ' c/bundles/*/README.md; grep -l 'Nothing promised' c/bundles/*/README.md)"
if command -v gdb >/dev/null; then
    report backtrace "$(for p in selects loops switches; do
        f=$(grep -l "\"pass\":\"--$p\"" c/findings/*/reduced/reduced-crash/finding.json | head -n 1)
        grep -q "^#1 .* $p (" "${f%/*}/backtrace.txt" || echo "$p: $(cat "${f%/*}/backtrace.txt")"
        grep -q "^die < $p < main: \|^die < $p: " <(python3 -c "import json; print(json.load(open('$f'))['facts']['message'])") || cat "$f"
    done)"
    report backtrace_in_readme "$(grep -L '^Backtrace' c/findings/*/reduced/reduced-crash/README.md c/bundles/*/README.md)"
    report no_path_in_backtrace "$(grep -l "$work" c/findings/*/reduced/reduced-crash/backtrace.txt)"
else
    skip backtrace 'no gdb'
fi

# A compiler without passes, whose output does not name the fault: its frames distinguish two faults, as they are found.
if command -v gdb >/dev/null; then
    printf '#!/bin/sh\necho "note: reading a module" >&2\nexec "%s" --switches --loops "$1" -o "$2"\n' "$o" >plain
    chmod +x plain
    "$TF" fuzz --target "exec-compiler:$work/plain {in} {out}" --profile small --seeds 20:26 --keep 1 --out frames >log 2>&1
    rows frames >rows
    report frames_distinguish_faults "$(for p in loops switches; do
        grep -q "die < $p: died of Segmentation fault: note: reading a module" rows || echo "no $p"
    done; [ "$(wc -l <rows)" = 2 ] || cat rows log)"
    report one_folder_each "$([ "$(ls frames/findings | wc -l)" = 2 ] && grep -q '^  only counted [1-9]' log || cat log)"
fi

# A compiler without symbols and without a word: two faults are two places in its file, also when they are reduced.
if command -v gdb >/dev/null; then
    "$CC" -O1 -s -o nameless opt.c || exit 1
    printf '#!/bin/sh\nexec "%s" --switches --loops "$1" -o "$2"\n' "$work/nameless" >wrapped
    chmod +x wrapped
    "$TF" fuzz --target "exec-compiler:$work/wrapped {in} {out}" --profile small --seeds 30:38 --keep 1 --out places >log 2>&1
    rows places >rows
    report places_distinguish_faults "$([ "$(wc -l <rows)" = 2 ] && [ "$(grep -c '/ nameless@0x[0-9a-f]* < nameless@0x' rows)" = 2 ] ||
        cat rows log)"
    "$TF" reduce places --target "exec-compiler:$work/wrapped {in} {out}" >log 2>&1
    rows places >reduced-rows
    report places_when_reduced "$(diff rows reduced-rows)"
fi

# Without a debugger the same, but for the frames.
TANGLEFUZZ_GDB= "$TF" fuzz --target "$three" --profile small --seeds 20:28 --out blind >log 2>&1
rows blind >rows
report three_without_gdb "$([ "$(cut -d/ -f1 rows | tr -d '\n')" = '--loops --selects --switches ' ] || cat rows)"
report no_backtrace "$(ls blind/findings/*/backtrace.txt 2>/dev/null)"

# All that it said is kept; of what LLVM cannot select the case's own does not count.
"$TF" fuzz --target "exec-compiler:$o --talks --loops {in} -o {out}" --profile small --cases 20 --stop-after 1 --out talks >log 2>&1
report words_are_kept "$(f=$(ls talks/findings/*/stderr.txt | head -n 1); [ "$(head -n 1 "$f")" = 'line 0 of what it says' ] &&
    grep -q '^line 999 ' "$f" || { cat log; head -c 200 "$f"; })"
TANGLEFUZZ_GDB= "$TF" fuzz --target "exec-compiler:$o --cannot-select {in} -o {out}" --profile small --cases 20 --stop-after 3 \
    --out select >log 2>&1
rows select >rows
report cannot_select_is_one "$([ "$(wc -l <rows)" = 1 ] && grep -q 'Cannot select / [3-9]' rows || cat rows log)"
