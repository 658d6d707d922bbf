#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# The pass of LLVM's AMD back end after which the IR is not valid: llc prints the module after each of its passes, and
# opt verifies each.
# usage: scripts/passes_llvm.py TANGLEFUZZ CASE CPU LEVEL     (CPU as gfx1100, LEVEL of llc: 0 to 3)
# Needs scripts/llvm.sh's LLVM 23 (or PATH's, with TANGLEFUZZ_LLVM=). Prints the pass, its number among those that printed IR, and
# what the verifier says; status 1 if all are valid.
import os
import re
import subprocess
import sys

LLVM = os.environ.get('TANGLEFUZZ_LLVM', 'build/deps/llvm/23/bin/')


def run(*command, text=''):
    return subprocess.run(command, input=text, capture_output=True, text=True)


def main():
    if len(sys.argv) != 5:
        sys.exit('usage: passes_llvm.py TANGLEFUZZ CASE CPU LEVEL')
    tanglefuzz, case, cpu, level = sys.argv[1:]
    printed = run(tanglefuzz, 'print', case, '--as', 'llvm-amdgcn')
    if printed.returncode:
        sys.exit(printed.stderr.strip())
    dumps = run(LLVM + 'llc', '-mtriple=amdgcn-amd-amdhsa', '-mcpu=' + cpu, '-O' + level, '-print-after-all',
                '-print-module-scope', '-o', '/dev/null', text=printed.stdout).stderr
    parts = re.split(r'^(?:; )?\*\*\* IR Dump After (.*?) ?\*\*\*.*$', dumps, flags=re.M)
    levels = [(name, text) for name, text in zip(parts[1::2], parts[2::2]) if re.search('^define ', text, re.M)]
    if not levels:
        sys.exit('llc printed no IR: ' + dumps[:200])
    for i, (name, text) in enumerate(levels):
        verified = run(LLVM + 'opt', '-S', '-passes=verify', '-o', '/dev/null', text=text)
        if verified.returncode and '<stdin>:' not in verified.stderr.split('\n')[0]:  # else not IR alone: machine code
            print('%s, of the back end (level %d of %d): %s' % (name, i + 1, len(levels), verified.stderr.split('\n')[0]))
            return 0
    print('all of %d levels are valid' % len(levels))
    return 1


sys.exit(main())
