#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of bundles in an empty folder, and compares how each ends with what the README says.

usage: scripts/bundle_check.py [--only REGEX] [--keep] [--recorded] BUNDLE...

A bundle's README has a command on an indented line, and below it a comment: "# exit status 1: first words of a line",
"# did not end in 20 seconds", or "# not run: why". The commands run by /bin/sh, one after the other, in a folder that
holds the bundle's files alone; PATH is that of this process, and must have `tanglefuzz` and the compilers.
--recorded: nothing runs. Each command must have a comment that this script could check, and one must show the bug.
The comments are what the bundle's writer saw, which ran the commands in the same way.
--keep: files that a command makes and the bundle lacks are copied to the bundle.
For each bundle one line is printed: ok or wrong, its commands, those not run, and those that the README leaves out.
Exit status: 0 every command ends as said and one of each bundle shows the bug, 1 not so, 2 bad usage.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HANG = r"did not end in (\d+) seconds"
END = r"exit status (\d+)(?:, [^:]*)?(?:: (.*))?$"
SECONDS = 300
LETTERS = 60  # of the line that must be in the output


def commands(readme):
    """Yields command and comment of each indented line that a comment follows, outside of fences."""
    fence, before = False, None
    for line in readme.splitlines():
        if line.startswith("```"):
            fence = not fence
        elif not fence and line.startswith("    # ") and before:
            yield before, line[6:]
            before = None
        elif not fence and line.startswith("    "):
            before = line[4:]


def plain(text):
    """Text without the folders of files, control characters, and more than one blank."""
    return " ".join(re.sub(r"(?<![\w.])/[^\s:'\"]*/", "", text).split())


def run(command, folder, seconds):
    """Returns the exit status as a shell has it (None: out of time) and the output."""
    child = subprocess.Popen(["/bin/sh", "-c", "ulimit -c 0\n" + command], cwd=folder, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output = child.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, 9)
        return None, child.communicate()[0].decode("utf-8", "replace")
    status = child.returncode
    return status if status >= 0 else 128 - status, output.decode("utf-8", "replace")


def check(command, said, folder):
    """Returns what differs; "" if nothing does. Without a folder the command is not run."""
    hang, end = re.match(HANG, said), re.match(END, said)
    if not hang and not end:
        return f"{command}: the README does not say how it ends: {said}"
    if not folder:
        return ""
    status, output = run(command, folder, int(hang[1]) if hang else SECONDS)
    if hang:
        return "" if status is None else f"{command}: exit status {status}, not: {said}"
    line = plain(end[2] or "")[:LETTERS]
    if status != int(end[1]):
        return f"{command}: exit status {status}, not: {said}: {output[:300]}"
    # A shell says itself that a command died of a signal.
    if status <= 128 and line and line not in plain(output):
        return f"{command}: does not print '{line}': {output[:300]}"
    return ""


def bundle(path, only, keep, recorded):
    with open(os.path.join(path, "README.md"), encoding="utf-8") as f:
        readme = f.read()
    wrong, ran, unrun, shows = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as work:
        folder = os.path.join(work, "empty")
        if recorded:
            folder = ""
        else:
            shutil.copytree(path, folder)
        for command, said in commands(readme):
            if said.startswith("not run: "):
                unrun += 1
                continue
            if only and not re.search(only, command):
                continue
            why = check(command, said, folder)
            ran += 1
            # `exit status 0` alone shows nothing.
            shows += not why and not said.startswith("exit status 0")
            wrong += [why] if why else []
        for name in os.listdir(folder) if keep and folder else []:
            if not os.path.exists(os.path.join(path, name)):
                shutil.copy(os.path.join(folder, name), path)
    if not shows and not only:
        wrong.append("no command shows the bug")
    left = re.search(r"^Left out, [^\n]*\n\n((?:- .*\n)*)", readme, re.M)
    print(f"{'wrong' if wrong else 'ok'} {path}: {ran} commands {'recorded' if recorded else 'as said'}, {unrun} not run, "
          f"{len(left[1].splitlines()) if left else 0} left out")
    for why in wrong:
        print("  " + " ".join(why.split()))
    sys.stdout.flush()
    return not wrong


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("--only", metavar="REGEX", help="only commands that match; whether the bug is shown is not asked")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--recorded", action="store_true")
    parser.add_argument("bundles", nargs="+", metavar="BUNDLE")
    given = parser.parse_args()
    for path in given.bundles:
        if not os.path.exists(os.path.join(path, "README.md")):
            parser.error(f"{path}: no README.md")
    sys.exit(0 if all([bundle(path, given.only, given.keep, given.recorded) for path in given.bundles]) else 1)


main()
