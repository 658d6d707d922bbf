#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The suite itself: tiers.txt says of each test when it runs, each command has a test in the default tier, and what
# scripts/test.sh says last is what the tests printed.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/scripts/lib/project_files.sh"
tiers=${TIERS:-$SOURCE_DIR/tests/tiers.txt} # another one: by hand, to see a check fail

ctest --test-dir "$BUILD_DIR" --show-only=json-v1 >tests.json
python3 - "$tiers" >out 2>&1 <<'PY'
import json, sys
want = dict(line.split()[:2] for line in open(sys.argv[1]) if line[0].islower())
have = {}
for test in json.load(open("tests.json"))["tests"]:
    labels = next((p["value"] for p in test["properties"] if p["name"] == "LABELS"), [])
    if labels == ["short"]: # the short form of a test that is in the list
        if want.get(test["name"].removesuffix("_short")) != "fast":
            print(f"{test['name']}: a short form of a test that the default tier does not run")
        continue
    have[test["name"]] = " ".join(labels)
for name in sorted(want.keys() | have.keys()):
    if want.get(name) != have.get(name) or have[name] not in ("fast", "slow"):
        print(f"{name}: the list says {want.get(name)}, ctest has {have.get(name)}")
if not len(have) > 100 or len(set(have.values())) < 2:
    print(len(have), "tests")
PY
report every_test_has_its_tier "$(cat out)"

# Where a test of the default tier ends early, what stands behind does not count, nor do help and mistakes.
python3 - "$tiers" "$SOURCE_DIR/tests" $("$TF" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p') >out 2>&1 <<'PY'
import os, re, sys
tiers, folder, *commands = sys.argv[1:]
shown = set()
for line in open(tiers):
    name, tier = (line.split() + ["", ""])[:2]
    path = os.path.join(folder, name + ".sh")
    if tier != "fast" or not os.path.isfile(path):
        continue
    text = open(path).read().replace("\\\n", " ")
    text = re.split(r"^.*\bshort_end\b.*$", text, maxsplit=1, flags=re.M)[0]
    for line in text.splitlines():
        if not re.match(r"\s*(bad|t \S+ 2) |#", line) and "--help" not in line:
            shown.update(re.findall(r'"\$(?:TF|TANGLEFUZZ)" ([a-z]+)', line))
print("".join(f"{c}: no test of the default tier runs it\n" for c in commands if c not in shown), end="")
if len(commands) < 15:
    print(commands)
PY
report every_command_has_a_fast_test "$(cat out)"

if [ -e "$SOURCE_DIR/.git" ] && git -C "$SOURCE_DIR" ls-files >tracked 2>/dev/null; then
    # shellcheck disable=SC2086
    report an_archive_has_the_same_folders "$(diff <(sed -n 's,/.*,,p' tracked | sort -u) <(printf '%s\n' $project_folders | sort))"
else
    skip an_archive_has_the_same_folders 'no git'
fi
mkdir archive && cp -r "$SOURCE_DIR/cmake" archive/ && mkdir -p archive/demo-out archive/mine archive/cmake/x-out &&
    touch archive/{demo-out,mine,cmake/x-out}/a.c
report what_a_user_made_is_not_the_project_s "$(diff <(project_files archive) <(cd "$SOURCE_DIR" && find cmake -type f | LC_ALL=C sort))"

# What is counted: junit of ctest, with a crash in the log.
cat >tests.xml <<'XML'
<testsuite>
<testcase name="one" time="3.5" status="run"><system-out>ok a
ok b # SKIP no chromium: apt-get install chromium
ok c # SKIP target not here: RADV
ok d # SKIP target not here: NVK
# processor time 2,0 + 1.5 s
</system-out></testcase>
<testcase name="two" time="0.5" status="run"><system-out># skipped: no lavapipe: scripts/setup.sh gets it
not ok 1 # SKIP test_x
ok 2 - test_y
</system-out></testcase>
<testcase name="three" time="1" status="fail"><system-out>not ok e
# why
</system-out></testcase>
<testcase name="four" time="0" status="fail"><system-out></system-out></testcase>
</testsuite>
XML
echo '4/4 Test #4: four ....***Exception: SegFault 0.00 sec' >log
count() { python3 "$SOURCE_DIR/scripts/lib/count_tests.py" "$@"; }
t counts 1 '^test: skipped: 4 \(target not here: 2; no chromium: 1; no lavapipe: 1\)$' '' count --tier 'tier x' tests.xml log
report counts_cases_last "$([ "$(tail -n 1 out)" = '2 passed, 2 failed' ] || tail -n 3 out)"
report counts_crash "$(grep -q 'SegFault, without reporting' out || cat out)"
report counts_slowest "$(grep -A 1 '^test: the slowest of 4' out | grep -q '^test:   one  *3.5 s  70%  *3.5 s 100%$' || cat out)"
report counts_tier "$(grep -qx 'test: tier x' out || cat out)"
report counts_skips_in_a_line "$(grep '^test: one: ' out)"
t names_skips 1 '^test: two: ok 1 # skip test_x: no lavapipe: ' '' count -v tests.xml log
t counts_nothing 1 '^0 passed, 0 failed$' '' count /dev/stdin log <<<'<testsuite></testsuite>'

# What measures times wants a machine of its own.
. "$SOURCE_DIR/scripts/lib/quiet.sh"
ask_quiet() { (quiet self "$1" && echo on); }
echo '0.97 3.00 9.00 1/100 7' >idle
echo '1.20 0.10 0.10 1/100 7' >busy
t measures_when_idle 0 '^on$' '' ask_quiet idle
bad refuses_when_busy 'self: the machine is busy \(load 1.20' ask_quiet busy
TANGLEFUZZ_BUSY=1 t measures_when_told 0 '^on$' '' ask_quiet busy
