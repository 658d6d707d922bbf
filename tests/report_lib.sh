# SPDX-License-Identifier: Apache-2.0
#
# What the tests of reports share: campaigns with findings that any generator gives. Sourced
# behind app_lib.sh.

# wrong_compiler FILE: a compiler that mixes up group operations. A program, not a script: it is started for each run of
# each case.
wrong_compiler() {
    cat >"$1.c" <<'C'
#include <stdint.h>
#include <stdio.h>
// Opcode -> what it becomes: sum -> exclusive or, min -> max, all -> any, first -> elect's neighbours.
static const uint16_t swap[][2] = {{349, 361}, {354, 357}, {357, 354}, {334, 335}, {335, 334}, {361, 359}, {359, 360}};
static uint32_t words[1 << 20];
int main(int argc, char **argv)
{
    FILE *in = argc == 3 ? fopen(argv[1], "rb") : NULL, *out = in ? fopen(argv[2], "wb") : NULL;
    if (!out)
        return 1;
    const size_t n = fread(words, 4, sizeof words / 4, in);
    for (size_t at = 5; at < n && words[at] >> 16;) {
        const uint32_t op = words[at] & 0xffff, length = words[at] >> 16;
        for (size_t k = 0; k < sizeof swap / sizeof *swap; k++)
            if (op == swap[k][0])
                words[at] = length << 16 | swap[k][1];
        at += length;
    }
    return fwrite(words, 4, n, out) != n || fclose(out);
}
C
    compile "$1" "$1.c"
}

# campaign DIR SEEDS [COMPILER]: a campaign folder with findings.
campaign() {
    [ -e wrong ] || wrong_compiler wrong || return
    "$TF" fuzz --target "exec-compiler:${3-$PWD/wrong {in\} {out\}}" --seeds "$2" \
        --profile small --out "$1" >"$1.log" 2>&1
    [ -n "$(ls "$1/findings" 2>/dev/null)" ]
}
