#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutation test of the oracle: is it able to be wrong, and would we see it?

usage: mutate.py [--jobs N] SOURCE_DIR BUILD_DIR [PART/PARTS | NAME [TABLE.md]]

Breaks one line of the oracle at a time (mutants.py) and runs the conformance cases and tables. Prints TAP, one line a
mutant with what caught it; a mutant that nothing catches is not ok. BUILD_DIR is a built tree, of Ninja or of make. With
PART/PARTS (say 2/5) only every fifth mutant is tried, with NAME only those whose name has it. TABLE.md gets the results as
a page (docs/measured/mutation.md is such a page). --jobs: how many run at once (default: the processors).

All mutants are compiled into the same two programs, and an environment variable says which is on (woven.py). A text that
stands outside of a function is compiled and linked alone. A checker is run once without a mutant: it must pass, and shows
which mutants it reaches; it is not run for others. The checker that the page names is tried first, which changes no result. A
mutant that takes twenty times the processor time, and five seconds, does not end, which is noticed too.
"""
import argparse
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "../../scripts/lib")]
from measured import head
from mutants import MUTANTS
from woven import standing, woven

MOST = 1 << 16  # MUTANTS_MOST of mutant.h
SAME = len(MUTANTS) + 1  # the number of the copies that are not changed
WALL = 1500  # seconds after which a program that waits for something is given up: an error, not a mutant that is caught
CORPUS = ("rules", "undefined", "ops", "litmus", "outputs")
UNITS = {"alu.def": "alu.c", "glsl.def": "alu.c", "float.def": "float.c"}


def die(message):
    print(f"mutate: {message}", file=sys.stderr, flush=True)
    os._exit(2)  # from any thread


class Build:
    def __init__(self, folder):
        self.folder = folder
        entries = json.load(open(os.path.join(folder, "compile_commands.json")))
        # tanglefuzz-device compiles some files again.
        self.commands = {e["file"]: e for e in entries if "/tanglefuzz-device.dir/" not in e.get("output", e["command"])}
        subprocess.run(["cmake", "--build", folder, "--target", "tanglefuzz", "oracle_tests"], check=True, stdout=subprocess.DEVNULL)
        self.link = {target: self.link_command(target) for target in ("tanglefuzz", "tests/oracle_tests")}

    def link_command(self, target):
        """Folder and arguments that link a program of the build, before and after its output."""
        folder, name = os.path.split(target)
        folder = os.path.join(self.folder, folder)
        if os.path.exists(os.path.join(self.folder, "build.ninja")):
            folder = self.folder
            text = subprocess.run(["ninja", "-C", self.folder, "-t", "commands", target], check=True,
                                  capture_output=True, text=True).stdout.strip().splitlines()[-1]
            text = text.split(" && ")[1]
        else:
            text = open(os.path.join(folder, "CMakeFiles", f"{name}.dir", "link.txt")).read().splitlines()[-1]
        args = shlex.split(text)
        at = args.index("-o")
        return folder, args[:at], args[at + 2:]

    def compiled(self, unit, texts, work, more=()):
        """The object of oracle/`unit` with these texts (file -> text) instead of the files', or the compiler's words."""
        entry = self.commands.get(os.path.join(oracle, unit)) or die(f"{unit} is not in compile_commands.json of {self.folder}")
        os.makedirs(work, exist_ok=True)
        for name in {unit, *texts}:  # a table is included from its own folder first
            with open(os.path.join(work, name), "w") as f:
                f.write(texts.get(name) or open(os.path.join(oracle, name)).read())
        args, skip = [], False
        for arg in shlex.split(entry["command"]):
            if skip or arg in ("-o", "-c", entry["file"]):
                skip = arg == "-o"
            elif arg not in ("-Werror", "-g"):  # nobody debugs a mutant
                args.append(arg)
        obj = os.path.join(work, unit + ".o")
        done = subprocess.run([*args, "-O1", "-w", f"-I{oracle}", *more, "-c", os.path.join(work, unit), "-o", obj],
                              cwd=entry["directory"], capture_output=True, text=True)
        return (None, done.stderr) if done.returncode else (obj, "")

    def linked(self, target, objects, exe):
        folder, before, after = self.link[target]
        # What comes before the libraries takes their place.
        link = subprocess.run([*before, "-s", "-o", exe, *objects, *after], cwd=folder, capture_output=True, text=True)
        if link.returncode:
            die(f"cannot link:\n{link.stderr}")
        return exe


class Checker:
    """A folder of cases, or a table. `seconds` of processor time, and `reached`: numbers of mutants it asks for."""

    def __init__(self, name):
        self.name, self.lock, self.reached = name, threading.Lock(), None
        self.is_table = not name.startswith("corpus/")
        self.target = "tests/oracle_tests" if self.is_table else "tanglefuzz"
        self.arguments = [name] if self.is_table else ["check", "--all", name]

    def run(self, exe, number, ms, seen=None):
        """(exit status, standard output, seconds of processor time)"""
        env = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP", SOURCE_DIR=source, MUTANT=str(number), MUTANT_MS=str(ms))
        if seen:
            env["MUTANT_SEEN"] = seen
        with tempfile.TemporaryFile() as out:
            child = subprocess.Popen([exe, *self.arguments], cwd=source, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL)
            late = threading.Timer(WALL, die, [f"{self.name} waits for something with mutant {number}"])
            late.start()
            _, status, usage = os.wait4(child.pid, 0)
            late.cancel()
            child.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            return child.returncode, out.read().decode(errors="replace"), usage.ru_utime + usage.ru_stime

    def ready(self, exes, work):
        """Runs it once with no mutant, which also shows which it reaches."""
        with self.lock:
            if self.reached is not None:
                return
            seen = os.path.join(work, self.name.replace("/", "-") + ".seen")
            with open(seen, "wb") as f:
                f.truncate(MOST)
            status, output, self.seconds = self.run(exes[self.target], SAME, 600000, seen)
            if status:
                die(f"the oracle fails its cases without any mutation: {self.name}: {failed(status, output)}")
            self.reached = {n for n, c in enumerate(open(seen, "rb").read()) if c}

    def catches(self, exe, number):
        """The first thing that fails, or None."""
        status, output, _ = self.run(exe, number, int(20000 * self.seconds + 5000))
        return (f"{self.name}: " * self.is_table + failed(status, output)) if status else None


def failed(status, output):
    """The first thing that a checker's output calls failed."""
    if status == -signal.SIGPROF:
        return "it does not end"
    for line in output.splitlines():
        if line.startswith("not ok "):
            return line[len("not ok "):].split(":")[0].lstrip("0123456789 -")
    return "it crashed"


def checkers():
    tables = sorted(name[:-2] for name in os.listdir(os.path.join(source, "tests"))
                    if name.startswith(("test_orc_", "test_judge_policy", "test_judge_output")) and name.endswith(".c"))
    tables.sort(key=lambda name: name.endswith("_literal"))  # they take seconds: last
    if "test_judge_policy" not in tables:
        sys.exit("mutate: the tests of the choices are gone, and with them what catches some mutants")
    return [Checker(name) for name in [f"corpus/{folder}" for folder in CORPUS] + tables]


def hints():
    """What caught each mutant when the page was made: name -> checker."""
    try:
        rows = re.findall(r"^\| (.+) \| (corpus/\w+|test_\w+)[/:][^|]*\|$", open(os.path.join(source, "docs/measured/mutation.md")).read(), re.M)
    except OSError:
        rows = []
    return dict(rows)


class Table:
    """The mutants that are to be tried, and the programs that hold them."""

    def __init__(self, mutants, jobs):
        self.mutants, self.jobs = mutants, jobs
        self.checkers, self.hints = checkers(), hints()
        self.bad, self.alone = {}, set()  # number -> why it cannot be tried; numbers of those that are compiled alone
        self.old = {}  # number -> its old text as it stands in the file

    def make(self, build, work):
        self.build, self.work = build, work
        files = {}
        for number, (name, file, old, new) in self.mutants:
            found = standing(open(os.path.join(oracle, file)).read(), old)
            if len(found) != 1:
                self.bad[number] = f"its text stands {len(found)} times in {file}"
            else:
                self.old[number] = found[0]
                files.setdefault(file, []).append((number, found[0], new))

        def compiled(file):
            mine = files[file]
            if file in UNITS:
                return None, {number for number, _, _ in mine}
            text, left = woven(open(os.path.join(oracle, file)).read(), mine, SAME)
            obj, words = build.compiled(file, {file: text}, os.path.join(work, "all"), ["-include", os.path.join(here, "mutant.h")])
            # One of them is no C: which, the compiler says of each alone.
            return (obj, left) if obj else (None, {number for number, _, _ in mine})

        self.object = os.path.join(work, "mutant.o")
        subprocess.run(["cc", "-O1", "-c", os.path.join(here, "mutant.c"), "-o", self.object], check=True)
        with ThreadPoolExecutor(self.jobs) as pool:
            rows = list(pool.map(compiled, sorted(files)))
            objects = [obj for obj, _ in rows if obj] + [self.object]
            self.alone = set().union(*(left for _, left in rows))
            exes = pool.map(lambda target: build.linked(target, objects, os.path.join(work, os.path.basename(target))), build.link)
            self.exes = dict(zip(build.link, exes))

    def order(self, name):
        hint = self.hints.get(name)
        return sorted(self.checkers, key=lambda c: c.name != hint)

    def tried(self, row):
        """(is it caught, a word on how)"""
        number, (name, file, _, new) = row
        if number in self.bad:
            return False, self.bad[number]
        old = self.old[number]
        exes = self.exes if number not in self.alone else {}
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            if number in self.alone:
                text = open(os.path.join(oracle, file)).read().replace(old, new)
                obj, words = self.build.compiled(UNITS.get(file, file), {file: text}, folder)
                if not obj:
                    return False, f"does not compile: {words.splitlines()[0]}"
            for checker in self.order(name):
                checker.ready(self.exes, self.work)
                if number in self.alone and checker.target not in exes:
                    exes[checker.target] = self.build.linked(checker.target, [obj, self.object], os.path.join(folder, os.path.basename(checker.target)))
                elif number not in self.alone and number not in checker.reached:
                    continue
                by = checker.catches(exes[checker.target], number)
                if by:
                    return True, by
        return False, "nothing catches it"


def page(rows):
    """docs/measured/mutation.md: [(file, name, caught, by)] as a table a file."""
    out = [head("Mutation test of the oracle", "For developers of the oracle: which test notices each broken rule?",
                "python3 " + " ".join(shlex.quote(word) for word in sys.argv)).rstrip(), "",
           "Each row is one change of one line of the oracle; the second column is the first case or table that failed with it.",
           f"{sum(caught for _, _, caught, _ in rows)} of {len(rows)} are caught.", ""]
    for file in sorted({row[0] for row in rows}):
        out += [f"## {file}", "| what is broken | caught by |", "| --- | --- |"]
        out += [f"| {name} | {by if caught else '**' + by + '**'} |" for f, name, caught, by in rows if f == file]
        out += [""]
    return "\n".join(out).rstrip() + "\n"


def main():
    part = re.fullmatch(r"(\d+)/(\d+)", options.which)
    numbered = list(enumerate(MUTANTS, 1))
    if part:
        mine = [m for m in numbered if (m[0] - 1) % int(part[2]) == int(part[1])]
    else:
        mine = [m for m in numbered if options.which in m[1][0]]
    missed, rows = 0, []
    table = Table(mine, options.jobs)
    with tempfile.TemporaryDirectory(prefix="mutate-") as work:
        table.make(Build(build_folder), work)
        with ThreadPoolExecutor(options.jobs) as pool:
            for number, (row, (ok, how)) in enumerate(zip(mine, pool.map(table.tried, mine)), 1):
                print(f"{'ok' if ok else 'not ok'} {number} - {row[1][0]} # {how}", flush=True)
                missed += not ok
                rows.append((row[1][1], row[1][0], ok, how))
    print(f"1..{len(mine)}")
    if options.page:
        open(options.page, "w").write(page(rows))
    sys.exit(1 if missed or not mine else 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__.strip())
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("source")
    parser.add_argument("build")
    parser.add_argument("which", nargs="?", default="0/1")
    parser.add_argument("page", nargs="?")
    options = parser.parse_args()
    source, build_folder = os.path.abspath(options.source), os.path.abspath(options.build)
    oracle = os.path.join(source, "oracle")
    main()
