#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command until it has used that much CPU time, its children's included.

usage: scripts/lib/cpu_seconds.py SECONDS FILE COMMAND...

A core-hour is then an hour of work, however busy the machine is. The command and what it started get SIGINT when its time is over, SIGKILL
twenty seconds later. FILE gets the seconds used. The status is the command's, 0 where it was interrupted.
"""
import os
import signal
import subprocess
import sys
import time


def used(session):
    """CPU seconds of the living processes of a session, and of their dead children."""
    ticks = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        if int(fields[3]) == session:
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def main():
    limit, report, command = float(sys.argv[1]), sys.argv[2], sys.argv[3:]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: os.killpg(process.pid, signal.SIGKILL))
    seconds, over = 0.0, 0.0
    while process.poll() is None:
        seconds = max(seconds, used(process.pid))
        if seconds >= limit and not over:
            over = time.monotonic()
            os.killpg(process.pid, signal.SIGINT)  # libFuzzer's -fork waits for its child, which may take minutes
        if over and time.monotonic() > over + 20:
            os.killpg(process.pid, signal.SIGKILL)
        time.sleep(1)
    try:
        os.killpg(process.pid, signal.SIGKILL)  # nothing stays behind
    except ProcessLookupError:
        pass
    with open(report, "w", encoding="ascii") as file:
        file.write(f"{seconds:.0f}\n")
    sys.exit(0 if over else process.returncode if process.returncode >= 0 else 128 - process.returncode)


if __name__ == "__main__":
    main()
