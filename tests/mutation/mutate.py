#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutation test of the oracle: is it able to be wrong, and would we see it?

usage: mutate.py SOURCE_DIR BUILD_DIR [PART/PARTS | NAME [TABLE.md]]

Breaks one line of the oracle at a time (mutants.py), builds a checker with it, and runs the
conformance cases. Prints TAP, one line a mutant with what caught it; a mutant that nothing catches
is not ok. BUILD_DIR is a built tree, of Ninja or of make. With PART/PARTS (say 2/5) only every
fifth mutant is tried, with NAME only those whose name has it. TABLE.md gets the results as a page
(docs/measured/mutation.md is such a page).
"""
import json
import os
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "../../scripts/lib")]
from measured import head
from mutants import MUTANTS

source, build = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
which = sys.argv[3] if len(sys.argv) > 3 else "0/1"
oracle = os.path.join(source, "oracle")
TABLES = sorted(name[:-2] for name in os.listdir(os.path.join(source, "tests"))
                if name.startswith(("test_orc_", "test_judge_policy", "test_judge_output")) and name.endswith(".c"))
TABLES.sort(key=lambda name: name.endswith("_literal"))  # they take seconds: last


def compile_command(name):
    """Arguments that compile oracle/NAME, without source and output."""
    for entry in json.load(open(os.path.join(build, "compile_commands.json"))):
        if entry["file"] == os.path.join(oracle, name):
            args = shlex.split(entry["command"])
            out = []
            skip = False
            for arg in args:
                if skip or arg in ("-o", "-c", entry["file"]):
                    skip = arg == "-o"
                    continue
                out.append(arg)
            # Nobody debugs a mutant, and there are many to compile.
            return entry["directory"], [a for a in out if a not in ("-Werror", "-g")] + ["-O1"]
    sys.exit(f"mutate: {name} is not in compile_commands.json of {build}")


def link_command(target):
    """Folder and arguments that link a program of the build, before and after its output."""
    folder, name = os.path.split(target)
    folder = os.path.join(build, folder)
    if os.path.exists(os.path.join(build, "build.ninja")):
        folder = build
        text = subprocess.run(["ninja", "-C", build, "-t", "commands", target], check=True,
                              capture_output=True, text=True).stdout.strip().splitlines()[-1]
        text = text.split(" && ")[1]
    else:
        text = open(os.path.join(folder, "CMakeFiles", f"{name}.dir", "link.txt")).read().splitlines()[-1]
    args = shlex.split(text)
    at = args.index("-o")
    return folder, args[:at], args[at + 2:]


def checkers():
    programs = []
    for target, arguments in (("tanglefuzz", ["check", "--all", "corpus/rules", "corpus/undefined", "corpus/ops", "corpus/litmus", "corpus/outputs"]),
                              *((f"tests/{name}", []) for name in TABLES)):
        programs.append((target, link_command(target), arguments))
    return programs


if not any(name.startswith("test_judge_policy") for name in TABLES):
    sys.exit("mutate: the tests of the choices are gone, and with them who catches some mutants")


def failed(output):
    """The first thing that a checker's output calls failed."""
    for line in output.splitlines():
        if line.startswith("not ok "):
            return line[len("not ok "):].split(":")[0].lstrip("0123456789 -")
    return "it crashed"


def caught(programs, objects, work):
    """What fails with these objects before the libraries, or None."""
    for target, (folder, before, after), arguments in programs:
        exe = os.path.join(work, "checker")
        link = subprocess.run(before + ["-o", exe] + objects + after, cwd=folder, capture_output=True, text=True)
        if link.returncode:
            sys.exit(f"mutate: cannot link:\n{link.stderr}")
        try:
            run = subprocess.run([exe] + arguments, cwd=source, capture_output=True, text=True, timeout=120,
                                 errors="replace", env=dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP", SOURCE_DIR=source))
            if run.returncode:
                return (f"{target[6:]}: " if arguments == [] else "") + failed(run.stdout)
        except subprocess.TimeoutExpired:
            return f"{target} does not end"
    return None


def try_mutant(programs, mutant):
    """(is it caught, a word on how)"""
    name, file, old, new = mutant
    text = open(os.path.join(oracle, file)).read()
    if text.count(old) != 1:
        return False, f"its text stands {text.count(old)} times in {file}"
    with tempfile.TemporaryDirectory() as work:
        open(os.path.join(work, file), "w").write(text.replace(old, new))
        unit = {"alu.def": "alu.c", "glsl.def": "alu.c", "float.def": "float.c"}.get(file, file)
        if unit != file:  # the table is included from its own folder first
            open(os.path.join(work, unit), "w").write(open(os.path.join(oracle, unit)).read())
        directory, command = compile_command(unit)
        obj = os.path.join(work, "mutant.o")
        done = subprocess.run(command + ["-w", f"-I{oracle}", "-c", os.path.join(work, unit), "-o", obj],
                              cwd=directory, capture_output=True, text=True)
        if done.returncode:
            return False, f"does not compile: {done.stderr.splitlines()[0]}"
        by = caught(programs, [obj], work)
        return bool(by), by or "nothing catches it"


def page(rows):
    """docs/measured/mutation.md: [(file, name, caught, by)] as a table a file."""
    out = [head("Mutation test of the oracle", "python3 " + " ".join(shlex.quote(word) for word in sys.argv)).rstrip(), "",
           "Each row is one change of one line of the oracle; the second column is the first case or table that failed with it.",
           f"{sum(caught for _, _, caught, _ in rows)} of {len(rows)} are caught.", ""]
    for file in sorted({row[0] for row in rows}):
        out += [f"## {file}", "| what is broken | caught by |", "| --- | --- |"]
        out += [f"| {name} | {by if caught else '**' + by + '**'} |" for f, name, caught, by in rows if f == file]
        out += [""]
    return "\n".join(out).rstrip() + "\n"


def main():
    subprocess.run(["cmake", "--build", build, "--target", "tanglefuzz", *TABLES], check=True,
                   stdout=subprocess.DEVNULL)
    programs = checkers()
    with tempfile.TemporaryDirectory() as work:
        if caught(programs, [], work):
            sys.exit("mutate: the oracle fails its cases without any mutation")
    if "/" in which:
        part, parts = (int(x) for x in which.split("/"))
        mine = [m for k, m in enumerate(MUTANTS) if k % parts == part]
    else:
        mine = [m for m in MUTANTS if which in m[0]]
    missed, rows = 0, []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda m: try_mutant(programs, m), mine)
        for number, (mutant, (ok, how)) in enumerate(zip(mine, results), 1):
            print(f"{'ok' if ok else 'not ok'} {number} - {mutant[0]} # {how}", flush=True)
            missed += not ok
            rows.append((mutant[1], mutant[0], ok, how))
    print(f"1..{len(mine)}")
    if len(sys.argv) > 4:
        open(sys.argv[4], "w").write(page(rows))
    sys.exit(1 if missed or not mine else 0)


main()
