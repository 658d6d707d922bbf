# SPDX-License-Identifier: Apache-2.0
"""check_formats.py FOLDER: results.csv, failures.csv, junit.xml, metrics.prom and report.jsonl
there, read as the tools of the field read them, say the same."""
import csv
import json
import re
import sys
import xml.etree.ElementTree as ET

folder = sys.argv[1]
bad = 0


def check(what, ok):
    global bad
    if not ok:
        print(f"wrong: {what}")
        bad += 1


lines = [json.loads(s) for s in open(f"{folder}/report.jsonl")]
findings = [x for x in lines if x["type"] == "finding"]
buckets = [x for x in lines if x["type"] == "bucket"]
check("there are findings", findings)
check("buckets hold all findings", sum(b["findings"] for b in buckets) == len(findings))

# deqp-runner: status words of its RunnerStatus; no quotes, so three and two fields a line.
status = {"Pass", "Fail", "Skip", "Crash", "Flake", "KnownFlake", "Warn", "Missing", "ExpectedFail",
          "UnexpectedImprovement", "Timeout"}
results = list(csv.reader(open(f"{folder}/results.csv")))
failures = list(csv.reader(open(f"{folder}/failures.csv")))
check("results.csv has three fields", all(len(r) == 3 for r in results))
check("results.csv has a status", all(r[1] in status for r in results))
check("results.csv has a duration", all(float(r[2]) >= 0 for r in results))
check("failures.csv has two fields", all(len(r) == 2 for r in failures))
check("failures are the results that are not known",
      [r[:2] for r in results if r[1] != "ExpectedFail"] == failures)
known = {b["bucket"] for b in buckets if "known" in b}
check("known buckets are expected", all((r[0].split(".")[2] in known) == (r[1] == "ExpectedFail") for r in results))
names = [r[0] for r in results]
check("a test is there once", len(set(names)) == len(names) == len(findings))

suites = ET.parse(f"{folder}/junit.xml").getroot()
check("root is testsuites", suites.tag == "testsuites")
targets = {x["target"] for x in lines if x["type"] == "campaign"}
cases = suites.findall("testsuite/testcase")
bugs = [c for s in ("bugs", "buckets that were not reduced") for c in suites.findall(f"testsuite[@name='{s}']/testcase")]
check("a test case a bucket, and one a target", len(bugs) == len(buckets) and
      len(cases) == len(buckets) + len(targets) == int(suites.get("tests")))
for suite in suites.findall("testsuite"):
    n = [len(suite.findall(f"testcase/{tag}")) for tag in ("failure", "skipped")]
    check(f"counts of {suite.get('name')}", [len(suite.findall("testcase")), *n] ==
          [int(suite.get(k)) for k in ("tests", "failures", "skipped")])
check("as many failures as new buckets that are not flaky", sum(c.find("failure") is not None for c in bugs)
      == sum("known" not in b and b["class"] != "flaky" for b in buckets))
check("failures are counted", len(suites.findall(".//failure")) == int(suites.get("failures")))
outcome = [c.find("failure") if c.find("failure") is not None else c.find("skipped") for c in bugs]
check("each bucket failed or was skipped, with a message", all(o is not None and o.get("message") for o in outcome))
check("a test's name is its bucket's, with the title", sorted(c.get("name") for c in bugs)
      == sorted(f"{b['bucket']}: {b['title']}" for b in buckets))
passed = [c for c in cases if c not in bugs]
check("a target's test has the count and the time", sum(int(c.get("name").split()[0]) for c in passed) ==
      sum(x["agreed"] for x in lines if x["type"] == "campaign") and all(float(c.get("time")) > 0 for c in passed))

sample = re.compile(r'^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*\})? '
                    r'([0-9.e+-]+)$')
seen, typed = set(), set()
for line in open(f"{folder}/metrics.prom").read().splitlines():
    if line.startswith("# TYPE "):
        name, kind = line.split()[2:]
        check(f"{name} is typed once", name not in typed and kind in ("counter", "gauge"))
        typed.add(name)
        continue
    if line.startswith("# HELP "):
        continue
    m = sample.match(line)
    check(f"a sample: {line}", m)
    if m:
        check(f"{m[1]} has a type", m[1] in typed)
        check(f"{line} is there once", (m[1], m[2]) not in seen)
        seen.add((m[1], m[2]))
check("a sample a bucket", sum(s[0] == "tanglefuzz_findings" for s in seen) == len(buckets))
print(f"{len(findings)} findings, {len(buckets)} buckets, {bad} problems")
sys.exit(bad != 0)
