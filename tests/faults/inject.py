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
import glob
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys

PROGRAM, FAULTS, WORK = (os.path.abspath(a) for a in sys.argv[1:4])
ARGS = sys.argv[4:]


def option(name, default):
    if name not in ARGS:
        return default
    at = ARGS.index(name)
    value = int(ARGS[at + 1])
    del ARGS[at : at + 2]
    return value


FILES = "--files" in ARGS
if FILES:
    ARGS.remove("--files")
POINTS, SEED = option("--points", 0), option("--seed", 1)
GENERATED = ["--profile", "small", "--subgroup", "8", "--max-invocations", "16", "--inputs", "1"]
TARGET = "fault:refuse=2"


def run(words, folder, **env):
    extra = {"LD_PRELOAD": FAULTS} if env else {}
    p = subprocess.run([PROGRAM, *words], cwd=folder, env={**os.environ, **extra, **env}, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    return p.returncode, p.stdout.decode("utf8", "replace"), p.stderr.decode("utf8", "replace")


def read(path):
    with open(path, "rb") as f:
        return f.read()


# ---- what is there, without what differs from run to run

def json_of(path, leave_out):
    def clean(o):
        if isinstance(o, dict):
            return {k: clean(v) for k, v in o.items() if k not in leave_out}
        return [clean(v) for v in o] if isinstance(o, list) else o
    return clean(json.loads(read(path)))


def findings_of(folder):
    """Each finding's folder as a digest of its files; raises where one is not whole."""
    out = {}
    for path in sorted(glob.glob(f"{folder}/findings/[!.]*")):
        names = set(os.listdir(path))
        assert {"README.md", "finding.json", "case.spvasm", "case.spv"} <= names, f"half a folder: {path}: {names}"
        json_of(f"{path}/finding.json", ())
        h = hashlib.sha256()
        for name in sorted(names):
            file = f"{path}/{name}"
            if os.path.isfile(file) and name not in ("finding.json", "README.md"):
                h.update(name.encode() + b"\0" + read(file))
        out[os.path.basename(path)] = h.hexdigest()
    return out


def whole_files(folder):
    for path in glob.glob(f"{folder}/*.json") + glob.glob(f"{folder}/reduced/*.json"):
        json_of(path, ())  # raises where it is half a file
    for path in glob.glob(f"{folder}/*.html"):
        assert read(path).rstrip().endswith(b"</html>"), f"half a page: {path}"


# ---- the commands: what is there before, the words, what it comes to

def told(out):
    """Names of the findings that were told on standard output."""
    names = set()
    for line in out.splitlines():
        if line.startswith("{") and line.endswith("}"):
            o = json.loads(line)
            if o.get("type") == "finding" or "folder" in o:
                names.add(o["name"])
    return names


class Fuzz:
    name, statuses = "fuzz", (1,)
    words = ["fuzz", "--target", TARGET, *GENERATED, "--cases", "4", "--out", "c", "--json"]
    again = [["fuzz", "--resume", "c", "--target", TARGET], words]

    def before(self, folder):
        pass

    def check(self, folder, out):
        missing = told(out) - set(findings_of(f"{folder}/c"))
        assert not missing, f"told and not there: {missing}"
        whole_files(f"{folder}/c")

    def result(self, folder):
        rows = json_of(f"{folder}/c/campaign.json", ())["campaigns"]
        return findings_of(f"{folder}/c"), rows[-1]["cases"] >= 0


class Report:
    name, statuses = "report", (0,)
    words = ["report", "c"]
    again = [words]

    def before(self, folder):
        shutil.copytree(f"{WORK}/campaign", f"{folder}/c", symlinks=True)

    def check(self, folder, out):
        whole_files(f"{folder}/c")
        assert findings_of(f"{folder}/c") == findings_of(f"{WORK}/campaign"), "findings changed"

    def result(self, folder):
        return findings_of(f"{folder}/c"), run(["report", "c", "--format", "jsonl"], folder)[1]


class Merge:
    name, statuses = "merge", (0,)
    words = ["merge", "--out", "all", "c", "d"]
    again = [words]

    def before(self, folder):
        shutil.copytree(f"{WORK}/campaign", f"{folder}/c", symlinks=True)
        shutil.copytree(f"{WORK}/other", f"{folder}/d", symlinks=True)

    def check(self, folder, out):
        for x, y in ("c", "campaign"), ("d", "other"):
            assert findings_of(f"{folder}/{x}") == findings_of(f"{WORK}/{y}"), f"{x} changed"
        findings_of(f"{folder}/all")
        whole_files(f"{folder}/all")

    def result(self, folder):
        rows = json_of(f"{folder}/all/campaign.json", ())["campaigns"]
        return findings_of(f"{folder}/all"), rows, run(["report", "all", "--format", "jsonl"], folder)[1]


class Reduce:
    name, statuses = "reduce", (0,)
    words = ["reduce", "c.spvasm", "--target", "fault:refuse=1", "--stage", "module", "--out", "r"]
    again = [words]

    def before(self, folder):
        shutil.copy(f"{WORK}/case.spvasm", f"{folder}/c.spvasm")

    def check(self, folder, out):
        whole_files(f"{folder}/r")
        if os.path.exists(f"{folder}/r/reduced.spvasm"):
            status, _, err = run(["predict", "r/reduced.spvasm"], folder)
            assert status == 0, f"reduced.spvasm: {err}"

    def result(self, folder):
        return os.path.getsize(f"{folder}/r/reduced.spvasm") < os.path.getsize(f"{folder}/c.spvasm"),


def fresh(command):
    folder = f"{WORK}/run"
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    command.before(folder)
    return folder


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
    for words in command.again:
        status, out, err = run(words, folder)
        if status in command.statuses:
            break
    assert status in command.statuses, f"afterwards: status {status}: {err[-300:]}"
    command.check(folder, out)
    assert command.result(folder) == want, "afterwards: another result"
    return met


def prepare():
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    for name, first in ("campaign", 0), ("other", 3):
        run(["fuzz", "--target", TARGET, *GENERATED, "--seeds", f"{first}:{first + 5}", "--out", name], WORK)
        assert findings_of(f"{WORK}/{name}"), name
    run(["gen", "--seed", "3", "--profile", "small", "--subgroup", "8", "-o", "case.spvasm"], WORK)


def main():
    bad = 0
    prepare()
    for command in (c() for c in (Fuzz, Report, Merge, Reduce)):
        if ARGS and command.name not in ARGS:
            continue
        folder = fresh(command)
        status, _, err = run(command.words, folder)
        assert status in command.statuses, f"{command.name}: status {status} without a fault: {err}"
        want = command.result(folder)
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
