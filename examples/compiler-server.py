#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A compiler for tanglefuzz that stays (docs/protocol.md): one line a job, one line an answer.

    tanglefuzz fuzz --target 'exec-compiler-server:python3 examples/compiler-server.py'

Put your compiler in place of compile_module. This one removes names and lines, as a stripper does.
"""
import struct
import sys


class NotOffered(Exception):
    """Something that the compiler says it does not do: the case is skipped and counted."""


NAMES = {2, 3, 4, 5, 6, 7, 8, 317, 330}  # OpSourceContinued ... OpLine, OpNoLine, OpModuleProcessed


def compile_module(module):
    words = struct.unpack("<%dI" % (len(module) // 4), module)
    if len(words) < 5 or words[0] != 0x07230203:
        raise ValueError("no SPIR-V module")
    if words[1] > 0x00010600:
        raise NotOffered("SPIR-V newer than 1.6")
    out, at = list(words[:5]), 5
    while at < len(words):
        length = words[at] >> 16
        if words[at] & 0xFFFF not in NAMES:
            out += words[at:at + length]
        at += length
    return struct.pack("<%dI" % len(out), *out)


def answer(job, status, text=""):
    # Nothing else may go to standard output: what a library prints there breaks the contract.
    print(job, status, text.replace("\t", " ").replace("\n", " "), sep="\t", flush=True)


print("ready", "example stripper 1.0", sep="\t", flush=True)
for line in sys.stdin:
    job, source, target = line.rstrip("\n").split("\t")
    try:
        with open(source, "rb") as f:
            made = compile_module(f.read())
        with open(target, "wb") as f:
            f.write(made)
        answer(job, 0)
    except NotOffered as why:
        answer(job, 77, str(why))
    except Exception as why:  # it refuses the module: a finding
        answer(job, 1, "%s: %s" % (type(why).__name__, why))
