#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command until it has used this much CPU time, with its children and orphans.

usage: scripts/lib/cpu_seconds.py SECONDS FILE COMMAND...

So a core-hour is an hour of work, however busy the machine is. When the time is over, the command and its children get SIGINT, and SIGKILL
twenty seconds later. FILE gets the seconds used. The status is the command's, or 0 if it was interrupted.
"""
import ctypes
import os
import resource
import signal
import subprocess
import sys
import time


PR_SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>: orphans become children of this process


def used(session):
    """Returns the CPU seconds of a session's living processes, of their dead children, and of ours."""
    ours = resource.getrusage(resource.RUSAGE_CHILDREN)
    ticks = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue  # the process has just ended
        if int(fields[3]) == session:
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK") + ours.ru_utime + ours.ru_stime


def ended(process):
    """Returns the status of the process if it has ended, else None. Reaps orphans that have ended."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return None
        if pid == process:
            return os.waitstatus_to_exitcode(status)
        if pid == 0:
            return None


def main():
    limit, report, command = float(sys.argv[1]), sys.argv[2], sys.argv[3:]
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: os.killpg(process.pid, signal.SIGKILL))
    seconds, over, status = 0.0, 0.0, None
    while (status := ended(process.pid)) is None:
        seconds = max(seconds, used(process.pid))
        if seconds >= limit and not over:
            over = time.monotonic()
            os.killpg(process.pid, signal.SIGINT)  # libFuzzer's -fork waits for its child, which may take minutes
        if over and time.monotonic() > over + 20:
            os.killpg(process.pid, signal.SIGKILL)
        time.sleep(1)
    try:
        os.killpg(process.pid, signal.SIGKILL)  # end remaining processes
    except ProcessLookupError:
        pass
    with open(report, "w", encoding="ascii") as file:
        file.write(f"{seconds:.0f}\n")
    sys.exit(0 if over else status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
