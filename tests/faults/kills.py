#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kill -9 of a command at random moments, again and again until it comes to its end: at each moment what is there is whole,
no finding that was told is lost, no process is left, and in the end all is as without.

usage: kills.py PROGRAM WORK [--kills N] [--seed N]   (of each of fuzz, reduce CAMPAIGN, merge and report; default 100)
Prints a line for each command, and each violation. Exit status: 0 none, 1 some.
"""
import glob
import os
import random
import signal
import subprocess
import sys
import time

import commands

WORK = os.path.abspath(sys.argv[2])
ARGS = sys.argv[3:]
KILLS, SEED = commands.option(ARGS, "--kills", 100), commands.option(ARGS, "--seed", 1)


def of_session(session):
    """The processes of a session that still do something."""
    left = []
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="utf8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            left.append(path.split("/")[2])
    return left


def killed(command, words, folder, after):
    """Starts it and kills it after so many seconds: its status (-9: it was killed), and what it had said."""
    with open(f"{WORK}/said", "wb") as said:
        p = subprocess.Popen([commands.PROGRAM, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=said,
                             stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            p.wait(after)
        except subprocess.TimeoutExpired:
            p.send_signal(signal.SIGKILL)
            p.wait()
    end = time.monotonic() + 60  # workers go with it, each by itself
    while of_session(p.pid) and time.monotonic() < end:
        time.sleep(0.02)
    assert not of_session(p.pid), f"left: {of_session(p.pid)}"
    out = commands.read(f"{WORK}/said").decode("utf8", "replace")
    command.check(folder, out[: out.rfind("\n") + 1])  # a line may be cut
    return p.returncode


def disturb(command, rng):
    want = commands.undisturbed(command)
    folder = commands.fresh(command)
    begin = time.monotonic()
    commands.run(command.words, folder)
    takes = time.monotonic() - begin
    kills = ends = 0
    while kills < KILLS and ends < 20 * KILLS:
        folder = commands.fresh(command)
        for _ in range(rng.randrange(1, 5)):  # what goes on is killed, too
            again = command.again[0] if os.path.exists(f"{folder}/c/state.json") else command.again[-1]
            if killed(command, again, folder, rng.random() * takes) == -signal.SIGKILL:
                kills += 1
            else:  # too late
                ends += 1
                break
        commands.complete(command, folder, want)
    return kills


def main():
    bad = 0
    commands.prepare(WORK, cases=12)
    commands.Fuzz.words[commands.Fuzz.words.index("--cases") + 1] = "30"
    for command in (commands.Fuzz(), commands.ReduceCampaign(), commands.Merge(), commands.Report()):
        try:
            kills = disturb(command, random.Random(SEED))
            print(f"{command.name}: killed {kills} times, nothing lost, the same in the end", flush=True)
            if kills < KILLS:
                raise AssertionError(f"only {kills} of {KILLS} kills: it ended before the others")
        except (AssertionError, OSError, ValueError, subprocess.TimeoutExpired) as e:
            bad = 1
            print(f"{command.name}: {e}", flush=True)
    sys.exit(bad)


main()
