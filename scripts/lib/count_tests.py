# SPDX-License-Identifier: Apache-2.0
"""Counts test cases: count_tests.py [-v] JUNIT_FILE LOG, both of one run of ctest, whose tests
print TAP. Last line: N passed, N failed.

A test program that failed without a `not ok` line (it crashed, hung or is missing) is one failed
case; one that passed without an `ok` line is one passed case. No case at all is a failure.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

verbose = "-v" in sys.argv[1:]
junit, log = sys.argv[-2:]
# How a program ended is in the log only: Failed, Timeout, "Exception: SegFault", Not Run.
ends = {
    name: how.replace("*", " ").replace("Exception:", "").strip()
    for name, how in re.findall(r"Test +#\d+: (\S+) \.+(.*?) +[\d.]+ sec", open(log).read())
}
passed = failed = skipped = 0

for test in ElementTree.parse(junit).getroot().iter("testcase"):
    name = test.get("name")
    output = test.findtext("system-out") or ""
    # cmocka says "not ok 11 # SKIP name" of a test that it skips.
    lines = [re.sub(r"^not ok( \d+)? # SKIP\b", r"ok\1 # skip", line) for line in output.splitlines()]
    good = [line for line in lines if re.match(r"ok\b", line)]
    skip = [line for line in good if re.search(r"# *skip", line, re.IGNORECASE)]
    bad = [line for line in lines if re.match(r"not ok\b", line)]
    status = test.get("status")
    if status == "run":
        if bad:
            # The program says 0 and its lines do not: believe the lines.
            status = "fail"
        elif not good:
            good = [name]
    if status != "run" and not bad:
        bad = [f"{ends.get(name, status)}, without saying which case"]
    passed += len(good) - len(skip)
    skipped += len(skip)
    failed += len(bad)
    for line in skip:
        print(f"test: {name}: {line}")
    if verbose or bad:
        if bad:
            print(f"test: {name} FAILED ({len(bad)} of {len(good) + len(bad)})")
            for line in bad:
                print(f"  {line}")
        shown = lines if verbose else [line for line in lines if line not in good][-60:]
        for line in shown:
            print(f"  | {line}")

if skipped:
    print(f"test: {skipped} skipped")
if passed + failed == 0:
    print("test: no test was run")
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed or passed == 0 else 0)
