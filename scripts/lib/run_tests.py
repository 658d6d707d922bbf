# SPDX-License-Identifier: Apache-2.0
"""Runs ctest and shows the progress: run_tests.py LOG TOTAL CTEST_ARGUMENT... in a build folder. ctest's output goes to LOG
(its status is ignored: scripts/lib/count_tests.py reads the tests' output). On a terminal one line is
redrawn, elsewhere a line is printed every ten seconds; a failing test is named at once.
"""
import os
import re
import selectors
import shutil
import subprocess
import sys
import time

EVERY = 10  # seconds between lines, if not a terminal
log_name, total, *arguments = sys.argv[1:]
total = int(total)
terminal = sys.stdout.isatty()
begin = told = time.monotonic()
done, running = 0, []


def clock():
    seconds = int(time.monotonic() - begin)
    return f"{seconds // 60}:{seconds % 60:02}"


def say(line):
    """Prints a line that stays."""
    print(("\r\033[K" if terminal else "") + line, flush=True)


def status():
    line = f"test: {done} of {total}, {clock()}, running: {', '.join(running)}"
    if terminal:
        print("\r\033[K" + line[: shutil.get_terminal_size().columns - 1], end="", flush=True)
    else:
        say(line)


def read(line):
    global done
    start = re.match(r" *Start +\d+: (\S+)", line)
    end = re.match(r" *\d+/\d+ Test +#\d+: (\S+) \.*(.*?) +([\d.]+) sec", line)
    if start:
        running.append(start[1])
    if end:
        done += 1
        if end[1] in running:
            running.remove(end[1])
        if end[2].strip() != "Passed":
            say(f"test: {end[1]} FAILED after {float(end[3]):.0f} s")


with open(log_name, "w", errors="replace") as log:
    ctest = subprocess.Popen(["ctest", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        with selectors.DefaultSelector() as ready:
            ready.register(ctest.stdout, selectors.EVENT_READ)
            rest = b""
            while True:
                if ready.select(timeout=1):
                    data = os.read(ctest.stdout.fileno(), 65536)
                    if not data:
                        break
                    *lines, rest = (rest + data).split(b"\n")
                    for line in (x.decode(errors="replace") for x in lines):
                        print(line, file=log, flush=True)
                        read(line)
                if terminal or time.monotonic() - told >= EVERY:
                    told = time.monotonic()
                    status()
            log.write(rest.decode(errors="replace"))
        ctest.wait()
    except KeyboardInterrupt:
        ctest.wait()  # it got the signal too
        raise SystemExit(130)
if terminal:
    print("\r\033[K", end="")
say(f"test: {done} of {total} test programs in {clock()}")
