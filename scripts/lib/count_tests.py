# SPDX-License-Identifier: Apache-2.0
"""Counts test cases: count_tests.py [-v] [--tier TEXT] JUNIT_FILE LOG, both of one run of ctest, whose tests print TAP.
Before the last line: the skipped cases, counted by reason (-v: each), the ten slowest test programs, and TEXT, which describes
the tests that did not run. Last line: N passed, N failed.

A test program that failed without a `not ok` line (it crashed, hung or is missing) counts as one failed
case; one that passed without an `ok` line as one passed case. No case at all is a failure.

A skip's reason is `WHAT` or `WHAT: MORE`, and counts as WHAT. cmocka has no reasons: its tests print a line
`# skipped: REASON` before (tests/test_run_common.h).
"""
import argparse
import re
import xml.etree.ElementTree as ElementTree

arguments = argparse.ArgumentParser()
arguments.add_argument("-v", dest="verbose", action="store_true")
arguments.add_argument("--tier", default="")
arguments.add_argument("junit")
arguments.add_argument("log")
arguments = arguments.parse_args()
verbose = arguments.verbose
# How a program ended is only in the log: Failed, Timeout, "Exception: SegFault", Not Run.
ends = {
    name: how.replace("*", " ").replace("Exception:", "").strip()
    for name, how in re.findall(r"Test +#\d+: (\S+) \.+(.*?) +[\d.]+ sec", open(arguments.log).read())
}
passed = failed = 0
skipped = {}  # reason: cases
times = []  # (seconds, seconds of the processors, name)


def reasons(lines):
    """Yields each skipped line and its reason, in order."""
    told = [m[1] for m in (re.match(r"# skipped: (.+)", line) for line in lines) if m]
    for line in lines:
        tap = re.match(r"ok\b.*?# *skip\b:? *(.*)", line, re.IGNORECASE)
        if re.match(r"ok( \d+)? # skip\b", line):
            yield line, told.pop(0) if told else "no reason given"
        elif tap:
            yield line, tap[1] or "no reason given"


for test in ElementTree.parse(arguments.junit).getroot().iter("testcase"):
    name = test.get("name")
    output = test.findtext("system-out") or ""
    # cmocka prints "not ok 11 # SKIP name" for a skipped test.
    lines = [re.sub(r"^not ok( \d+)? # SKIP\b", r"ok\1 # skip", line) for line in output.splitlines()]
    good = [line for line in lines if re.match(r"ok\b", line)]
    skip = list(reasons(lines))
    bad = [line for line in lines if re.match(r"not ok\b", line)]
    status = test.get("status")
    if status == "run":
        if bad:
            # The exit status is 0 but a line reports a failure: the line counts.
            status = "fail"
        elif not good:
            good = [name]
    if status != "run" and not bad:
        bad = [f"{ends.get(name, status)}, without reporting which case"]
    passed += len(good) - len(skip)
    failed += len(bad)
    for line, reason in skip:
        what = reason.split(":")[0].strip()
        skipped[what] = skipped.get(what, 0) + 1
        if verbose:
            print(f"test: {name}: {line}" + ("" if reason in line else f": {reason}"))
    took = re.findall(r"^# processor time ([\d.,]+) \+ ([\d.,]+) s$", output, re.MULTILINE)
    times.append((float(test.get("time") or 0), sum(float(x.replace(",", ".")) for x in took[-1]) if took else 0, name))
    if verbose or bad:
        if bad:
            print(f"test: {name} FAILED ({len(bad)} of {len(good) + len(bad)})")
            for line in bad:
                print(f"  {line}")
        shown = lines if verbose else [line for line in lines if line not in good][-60:]
        for line in shown:
            print(f"  | {line}")

wall, processor = (sum(t[i] for t in times) for i in (0, 1))
if len(times) > 1:
    print(f"test: the slowest of {len(times)}, their share of all {wall:.0f} s, and of {processor:.0f} s of processor time:")
    for seconds, used, name in sorted(times, reverse=True)[:10]:
        print(f"test:   {name:<26} {seconds:7.1f} s {seconds / max(wall, 0.001):4.0%} {used:7.1f} s {used / max(processor, 0.001):4.0%}")
if skipped:
    counts = sorted(skipped.items(), key=lambda x: (-x[1], x[0]))
    print(f"test: skipped: {sum(skipped.values())} ({'; '.join(f'{what}: {n}' for what, n in counts)})")
if arguments.tier:
    print(f"test: {arguments.tier}")
if passed + failed == 0:
    print("test: no test was run")
print(f"{passed} passed, {failed} failed")
raise SystemExit(1 if failed or passed == 0 else 0)
