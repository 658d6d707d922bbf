#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes each allocation and each file operation of a command fail, one at a time (faults.c), and looks at what
is left: the status is 2 with one line or what it is without the fault, no finding that was told is lost, nothing is half
written, and the same command, run again without a fault, comes to what it comes to without one.

usage: inject.py PROGRAM FAULTS.so WORK [--points N] [--seed N] [COMMAND...]
  COMMAND     fuzz, report, merge, reduce (default: all)
  --points N  so many of them for each command, drawn by the seed; default: all
  --files     file operations alone
Prints a line for each command, and each violation. Exit status: 0 none, 1 some.
"""
import os
import random
import subprocess
import sys

import commands
from commands import fresh, option, read

FAULTS, WORK = (os.path.abspath(a) for a in sys.argv[2:4])
ARGS = sys.argv[4:]


FILES = "--files" in ARGS
if FILES:
    ARGS.remove("--files")
POINTS, SEED = option(ARGS, "--points", 0), option(ARGS, "--seed", 1)


def run(words, folder, **env):
    return commands.run(words, folder, LD_PRELOAD=FAULTS, **env)


def ways(command):
    """The distinct ways to a call, of a run without a fault: (hash, kind, name)."""
    folder = fresh(command)
    run(command.words, folder, TF_FAULT_LIST=f"{WORK}/list")
    return [tuple(line.split()) for line in read(f"{WORK}/list").decode().splitlines()]


def one(command, way, want):
    """True where the fault was met; raises where something does not hold."""
    folder, mark = fresh(command), f"{WORK}/told"
    if os.path.exists(mark):
        os.remove(mark)
    status, out, err = run(command.words, folder, TF_FAULT_AT=way[0], TF_FAULT_TOLD=mark)
    met = os.path.exists(mark)
    assert status == 2 or status in command.statuses, f"status {status}: {err[-300:]}"
    if status == 2:
        assert len(err.splitlines()) == 1, f"{len(err.splitlines())} lines: {err[-300:]}"
    command.check(folder, out)
    if status != 2:
        assert command.result(folder) == want, f"status {status}, but another result"
    commands.complete(command, folder, want)
    return met


def main():
    bad = 0
    commands.prepare(WORK)
    for command in (commands.Fuzz(), commands.Report(), commands.Merge(), commands.Reduce()):
        if ARGS and command.name not in ARGS:
            continue
        want = commands.undisturbed(command)
        points = [p for p in ways(command) if p[1] == "f" or not FILES]
        total = {k: sum(p[1] == k for p in points) for k in "mf"}
        if POINTS:  # as many of each kind, where there are
            rng, some = random.Random(SEED), []
            for k, n in ("f", POINTS * 2 // 3), ("m", POINTS - POINTS * 2 // 3):
                of = [p for p in points if p[1] == k]
                some += rng.sample(of, min(n, len(of)))
            points = some
        met = violations = 0
        for way in points:
            try:
                met += one(command, way, want)
            except (AssertionError, OSError, ValueError, subprocess.TimeoutExpired) as e:
                violations += 1
                print(f"{command.name}: {way[2]} ({way[0]}): {e}", flush=True)
        bad += violations
        print(f"{command.name}: {len(points)} of {total['m']} allocations and {total['f']} file operations fail, "
              f"{met} were met, {violations} violations", flush=True)
    sys.exit(1 if bad else 0)


main()
