# SPDX-License-Identifier: Apache-2.0
#
# What the tests of reports share: campaigns with findings that any generator gives. Sourced
# behind app_lib.sh.

# wrong_compiler FILE: a compiler that mixes up group operations.
wrong_compiler() {
    cat >"$1" <<'PY'
import struct, sys
# Opcode -> what it becomes: sum -> exclusive or, min -> max, all -> any, first -> elect's neighbours.
swap = {349: 361, 354: 357, 357: 354, 334: 335, 335: 334, 361: 359, 359: 360}
data = open(sys.argv[1], "rb").read()
words = list(struct.unpack("<%dI" % (len(data) // 4), data))
at = 5
while at < len(words):
    op, n = words[at] & 0xffff, words[at] >> 16
    words[at] = n << 16 | swap.get(op, op)
    at += n
open(sys.argv[2], "wb").write(struct.pack("<%dI" % len(words), *words))
PY
}

# campaign DIR SEEDS [COMPILER]: a campaign folder with findings.
campaign() {
    [ -e wrong.py ] || wrong_compiler wrong.py
    "$TF" fuzz --target "exec-compiler:${3-python3 $PWD/wrong.py {in\} {out\}}" --seeds "$2" \
        --profile small --out "$1" >"$1.log" 2>&1
    [ -n "$(ls "$1/findings" 2>/dev/null)" ]
}
