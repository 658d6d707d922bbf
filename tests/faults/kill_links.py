#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kill -9 of a device program, of the link to it and of tanglefuzz, in turn, while a campaign runs: in the end its figures
are those of a campaign without kills, and no process is left. Between two kills some case is answered: a case during which
two links end is not run, as examples/your-gpu says.

usage: kill_links.py PROGRAM DEVICE WORK [--kills N] [--seed N] [--modules N]
DEVICE: tanglefuzz-device, with its driver's environment. The link is tests/device_link.py, which passes all on.
Prints one line, and each difference. Exit status: 0 none, 1 some.
"""
import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

PROGRAM, DEVICE, WORK = (os.path.abspath(x) for x in sys.argv[1:4])
OPTIONS = dict(zip(sys.argv[4::2], sys.argv[5::2]))
KILLS, SEED, MODULES = (int(OPTIONS.get(x, y)) for x, y in (("--kills", 50), ("--seed", 1), ("--modules", 30)))
LINK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "device_link.py")
FIGURES = ("modules", "cases", "agreed", "skipped", "nothing_compared", "findings", "flaky", "by_class", "ours")
WHO = ("device program", "driver's process", "link", "tanglefuzz")
MARK = f"KILL_LINKS_{os.getpid()}"  # in the environment of all that is started


def marked():
    """The processes of this script's campaigns: process id -> (parent, arguments)."""
    found = {}
    for path in glob.glob("/proc/[0-9]*"):
        try:
            with open(path + "/environ", "rb") as file:
                if MARK.encode() + b"=" not in file.read():
                    continue
            with open(path + "/cmdline", "rb") as file:
                words = file.read().split(b"\0")
            with open(path + "/stat", encoding="utf8", errors="replace") as file:
                found[int(path[6:])] = int(file.read().rpartition(")")[2].split()[1]), words
        except OSError:
            pass
    return found


def victim(what, main):
    """The process to kill; None if it is not there at the moment."""
    there = marked()
    devices = [p for p, (_, words) in there.items() if words[0].decode() == DEVICE]
    if what == "tanglefuzz":
        return main
    if what == "link":
        found = [p for p, (_, words) in there.items() if LINK.encode() in words]
    elif what == "device program":
        found = [p for p in devices if there[p][0] not in devices]
    else:
        found = [p for p in devices if there[p][0] in devices]
    return found[0] if found else None


def start(words):
    out = open(f"{WORK}/out", "wb")
    return subprocess.Popen([PROGRAM, "fuzz", "--json", *words], stdin=subprocess.DEVNULL, stdout=out,
                            stderr=subprocess.STDOUT, env={**os.environ, MARK: "1", "PROGRESS": f"{WORK}/progress"})


def figures():
    with open(f"{WORK}/out", encoding="utf8") as file:
        lines = [x for x in file if x.startswith("{")]
    summary = json.loads(lines[-1]) if lines else {}
    return {x: summary.get(x) for x in FIGURES}


def answers():
    return os.path.getsize(f"{WORK}/progress") if os.path.exists(f"{WORK}/progress") else 0


def campaign(seed, kills, rng):
    """Runs seeds from `seed` on; kills what `kills` lists, one after the other. Returns figures and the kills done."""
    folder = f"{WORK}/campaign"
    shutil.rmtree(folder, ignore_errors=True)
    target = f"device:{sys.executable} {LINK} honest {DEVICE}"
    p = start(["--target", target, "--seeds", f"{seed}:{seed + MODULES}", "--profile", "small", "--out", folder])
    done = 0
    for what in kills:
        until = answers() + rng.randrange(1, 16)
        pid = None
        while p.poll() is None and not pid:
            time.sleep(rng.uniform(0, 0.05))
            if answers() >= until and os.path.exists(f"{folder}/state.json"):
                pid = victim(what, p.pid)
        if p.poll() is not None:
            break
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
        done += 1
        if what == "tanglefuzz":
            p.wait()
            end = time.monotonic() + 60
            while marked() and time.monotonic() < end:
                time.sleep(0.02)
            if marked():
                print(f"seed {seed}: left after kill -9 of tanglefuzz: {marked()}")
                sys.exit(1)
            p = start(["--resume", folder, "--target", target])
    status = p.wait()
    if marked():
        print(f"seed {seed}: left at the end: {marked()}")
        sys.exit(1)
    if status not in (0, 1):
        with open(f"{WORK}/out", encoding="utf8") as file:
            print(f"seed {seed}: status {status}: {file.read()[-500:]}")
        sys.exit(1)
    return figures(), done


def main():
    os.makedirs(WORK, exist_ok=True)
    rng = random.Random(SEED)
    done, rounds, wrong, seed, by = 0, 0, 0, 0, [0] * len(WHO)
    while done < KILLS:
        want, _ = campaign(seed, [], rng)
        if not want["agreed"]:
            print(f"seed {seed}: no case was compared: {want}")
            return 1
        turn = [WHO[(done + k) % len(WHO)] for k in range(min(len(WHO), KILLS - done))]
        got, n = campaign(seed, turn, rng)
        for what in turn[:n]:
            by[WHO.index(what)] += 1
        if got != want:
            wrong += 1
            print(f"seed {seed}, kills of {', '.join(turn[:n])}: {got}, not {want}")
        done += n
        rounds += 1
        seed += MODULES
    print(f"{done} kills in {rounds} campaigns ({', '.join(f'{n} of the {x}' for n, x in zip(by, WHO))}): "
          f"{f'{wrong} differ' if wrong else 'same figures'}")
    return 1 if wrong else 0


sys.exit(main())
