#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutation test of the oracle: is it able to be wrong, and would we see it?

usage: mutate.py SOURCE_DIR BUILD_DIR [PART/PARTS]

Breaks one line of the oracle at a time (mutants.py), builds a checker with it, and runs the
conformance cases. Prints TAP, one line a mutant; a mutant that nothing catches is not ok. BUILD_DIR
is a built tree (Ninja). With PART/PARTS (say 2/5) only every fifth mutant is tried.
"""
import json
import os
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mutants import MUTANTS

source, build = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
part, parts = (int(x) for x in (sys.argv[3] if len(sys.argv) > 3 else "0/1").split("/"))
oracle = os.path.join(source, "oracle")
TABLES = sorted(name[:-2] for name in os.listdir(os.path.join(source, "tests"))
                if name.startswith("test_orc_") and name.endswith(".c"))


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
            return entry["directory"], [a for a in out if a != "-Werror"]
    sys.exit(f"mutate: {name} is not in compile_commands.json of {build}")


def link_command(target):
    """Arguments that link a program of the build, without its output."""
    text = subprocess.run(["ninja", "-C", build, "-t", "commands", target], check=True,
                          capture_output=True, text=True).stdout.strip().splitlines()[-1]
    args = shlex.split(text.split(" && ")[1])
    at = args.index("-o")
    return args[:at], args[at + 2:]


def checkers():
    programs = []
    for target, arguments in (("tanglefuzz", ["check", "corpus/rules", "corpus/undefined", "corpus/ops"]),
                              *((f"tests/{name}", []) for name in TABLES)):
        programs.append((link_command(target), arguments))
    return programs


def caught(programs, objects, work):
    """Name of the program that fails with these objects before the libraries, or None."""
    for (before, after), arguments in programs:
        exe = os.path.join(work, "checker")
        link = subprocess.run(before + ["-o", exe] + objects + after, cwd=build, capture_output=True, text=True)
        if link.returncode:
            sys.exit(f"mutate: cannot link:\n{link.stderr}")
        try:
            run = subprocess.run([exe] + arguments, cwd=source, capture_output=True, timeout=60)
            if run.returncode:
                return arguments[0] if arguments else "tables"
        except subprocess.TimeoutExpired:
            return "does not end"
    return None


def main():
    programs = checkers()
    missed = 0
    with tempfile.TemporaryDirectory() as work:
        subprocess.run(["ninja", "-C", build, "tanglefuzz", *(f"tests/{name}" for name in TABLES)], check=True,
                       stdout=subprocess.DEVNULL)
        if caught(programs, [], work):
            sys.exit("mutate: the oracle fails its cases without any mutation")
        mine = [m for k, m in enumerate(MUTANTS) if k % parts == part]
        for number, (name, file, old, new) in enumerate(mine, 1):
            text = open(os.path.join(oracle, file)).read()
            if text.count(old) != 1:
                print(f"not ok {number} - {name} # its text stands {text.count(old)} times in {file}")
                missed += 1
                continue
            mutant = os.path.join(work, file)
            open(mutant, "w").write(text.replace(old, new))
            unit = {"alu.def": "alu.c", "glsl.def": "alu.c", "float.def": "float.c"}.get(file, file)
            if unit != file:  # the table is included from its own folder first
                open(os.path.join(work, unit), "w").write(open(os.path.join(oracle, unit)).read())
            directory, command = compile_command(unit)
            obj = os.path.join(work, "mutant.o")
            done = subprocess.run(command + ["-w", f"-I{oracle}", "-c", os.path.join(work, unit), "-o", obj],
                                  cwd=directory, capture_output=True, text=True)
            if done.returncode:
                print(f"not ok {number} - {name} # does not compile: {done.stderr.splitlines()[0]}")
                missed += 1
                continue
            by = caught(programs, [obj], work)
            for left in (mutant, os.path.join(work, unit)):
                if os.path.exists(left):
                    os.remove(left)
            if by:
                print(f"ok {number} - {name} # {by}")
            else:
                print(f"not ok {number} - {name} # nothing catches it")
                missed += 1
            sys.stdout.flush()
        print(f"1..{len(mine)}")
    sys.exit(1 if missed else 0)


main()
