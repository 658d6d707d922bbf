#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# ci: a compiler in its pipeline; and examples/ci, whose steps run here as they are written.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/tests/report_lib.sh"
readers=$SOURCE_DIR/tests/readers
ci() { "$TF" ci --fixed 4 --cases 4 --no-reduce --day 2026-11-25 "$@"; }
seeds() { python3 -c 'import json, sys
print(*[(c["first_seed"], c["next_seed"]) for c in json.load(open(sys.argv[1] + "/campaign.json"))["campaigns"]])' "$1"; }

bad no_compiler 'needs --compiler .my-opt' "$TF" ci
bad two_compilers 'one compiler or target a run' "$TF" ci --compiler 'cp {in} {out}' --target spirv-opt
bad bad_shard "'3/2' is not I/N with I from 1 to N" ci --compiler 'cp {in} {out}' --shard 3/2
bad bad_day "'yesterday' is not a date" "$TF" ci --compiler 'cp {in} {out}' --day yesterday
report nothing_written "$(ls | grep -vx -e out -e err)"

# ---- nothing is wrong: a passed test with its count; the seeds of each run, and of the day
t clean 0 '^tanglefuzz-ci/junit.xml$' - ci --compiler 'cp {in} {out}'
report clean_junit "$(grep -q '<testcase classname="[^"]*" name="8 cases agreed" time="[0-9.]*">' tanglefuzz-ci/junit.xml &&
    grep -q '<testsuites name="tanglefuzz" tests="1" failures="0"' tanglefuzz-ci/junit.xml || cat tanglefuzz-ci/junit.xml)"
report clean_summary "$(grep -q '^### tanglefuzz: no new bug$' tanglefuzz-ci/summary.md || cat tanglefuzz-ci/summary.md)"
report clean_seeds "$([ "$(seeds tanglefuzz-ci)" = '(0, 4) (202611250000000, 202611250000004)' ] || seeds tanglefuzz-ci)"
bad earlier_run 'tanglefuzz-ci: has the results of an earlier run' ci --compiler 'cp {in} {out}'
t second_shard 0 - - ci --compiler 'cp {in} {out}' --shard 2/2 --out second
report second_seeds "$([ "$(seeds second)" = '(2, 4) (202611255000000, 202611255000004)' ] || seeds second)"

# ---- a wrong compiler, in a repository: the bucket is the test, and paths begin at the root
wrong_compiler wrong || exit 1
mkdir -p repository/.git repository/sub
wrong="$work/wrong {in} {out}"
cd repository/sub
t wrong 1 '^not reduced [a-z]{10}: wrong: ' - ci --compiler "$wrong" --cases 12
cd "$work"
out=repository/sub/tanglefuzz-ci
report wrong_sarif "$(python3 - $out <<'PY'
import json, os, sys
for r in json.load(open(sys.argv[1] + "/findings.sarif"))["runs"][0]["results"]:
    uri = r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    if not os.path.exists("repository/" + uri): print(uri, "is not there from the root")
PY
)"
t wrong_sarif_schema 0 ' 0 problems' '' python3 "$readers/check_json.py" "$readers/sarif-2.1.0-part.schema.json" $out/findings.sarif
report wrong_junit "$(python3 - $out repository/sub/out <<'PY'
import sys, xml.etree.ElementTree as ET
root = ET.parse(sys.argv[1] + "/junit.xml").getroot()
bugs = root.findall("testsuite[@name='buckets that were not reduced']/testcase")
names = [c.get("name").split(": ")[0] for c in bugs]
lines = [l.split()[2][:-1] for l in open(sys.argv[2]) if l.startswith("not reduced ")]
if not bugs or sorted(names) != sorted(lines) or len(set(names)) != len(names): print(names, lines)
if int(root.get("failures")) != len(bugs): print(root.attrib)
PY
)"
report wrong_page "$(grep -q '<h1>' $out/report.html || echo 'no page')"
# The command of the summary is typed as it stands.
(cd repository/sub && grep -m 1 '^tanglefuzz replay ' tanglefuzz-ci/summary.md >"$work/command")
(cd repository/sub && tanglefuzz() { "$TF" "$@"; } && eval "$(cat "$work/command")" >"$work/out" 2>"$work/err")
report summary_command "$([ $? = 1 ] && grep -q ' in 1 of 1 runs\|: [a-z-]*: ' out || cat command out err)"
# What is reduced counts as a bug, the rest as buckets: in the headline, and as another suite of tests.
n=$(ls $out/findings | wc -l)
report wrong_headline "$(grep -qx "### tanglefuzz: failures in $n buckets, which were not reduced" $out/summary.md &&
    grep -q "\"text\": \"failures in $n buckets, which were not reduced\"" $out/findings.sarif || head -n 1 $out/summary.md)"
t reduce_one 0 - - "$TF" reduce "$(find $out/findings -mindepth 1 -maxdepth 1 | sort | head -n 1)" --target "exec-compiler:$wrong"
for form in markdown junit sarif text; do
    "$TF" report $out --format $form -o mixed.$form || fail mixed_$form 'not written'
done
mixed="1 bug; $((n - 1)) more bucket$([ $n = 2 ] || echo s) w$([ $n = 2 ] && echo as || echo ere) not reduced"
report mixed_headline "$(grep -qx "### tanglefuzz: $mixed" mixed.markdown && grep -q "\"text\": \"$mixed\"" mixed.sarif || head -n 1 mixed.markdown)"
report mixed_summary "$([ "$(grep -c '^tanglefuzz replay ' mixed.markdown)" = 1 ] &&
    grep -q "^<details><summary>$((n - 1)) more buckets\? not reduced" mixed.markdown || cat mixed.markdown)"
report mixed_sarif "$([ "$(grep -c 'Not reduced: it may be the same bug' mixed.sarif)" = $((n - 1)) ] || cat mixed.sarif)"
report mixed_junit "$(python3 - mixed.junit $n <<'PY'
import sys, xml.etree.ElementTree as ET
root, n = ET.parse(sys.argv[1]).getroot(), int(sys.argv[2])
suites = {s.get("name"): s for s in root}
for name, tests in ("bugs", 1), ("buckets that were not reduced", n - 1):
    s = suites[name]
    if [int(s.get("tests")), int(s.get("failures")), len(s.findall("testcase/failure"))] != [tests] * 3: print(name, s.attrib)
if int(root.get("failures")) != n or int(root.get("tests")) != sum(int(s.get("tests")) for s in root): print(root.attrib)
PY
)"

# What Markdown would take for its own in a message is escaped.
printf '#!/bin/sh\n[ $(($(wc -c <"$1") / 4 %% 7)) != 0 ] && exec cp "$1" "$2"\necho "error: my_pass lost <a_value>"\nexit 1\n' >speaks
chmod +x speaks
t speaks 1 'my_pass lost' - ci --compiler "$work/speaks {in} {out}" --cases 40 --out speaks-out
report markdown_is_escaped "$(grep -q '^\*\*speaks: .*: my\\_pass lost \\<a\\_value>\*\*$' speaks-out/summary.md || cat speaks-out/summary.md)"

short && short_end 'known bugs, older compilers, nothing compared, examples/ci'

# ---- all of it known: listed, no failure
mkdir known
printf 'tanglefuzz-known 2\ntarget exec-compiler:*\nclass %s\nreason a test says so\n' wrong-value >known/a.known
for class in missing-lanes missing-execution extra-execution extra-lanes wrong-set wrong-memory invalid-output; do
    sed "s/wrong-value/$class/" known/a.known >known/$class.known
done
t known 0 - - ci --compiler "$wrong" --known known --out all-known
report known_summary "$(grep -q '^- `[a-z-]*`, [0-9]* cases\?: a test says so$' all-known/summary.md || cat all-known/summary.md)"
report known_junit "$(grep -q '<skipped message="known, seen [0-9]* times\?: a test says so"/>' all-known/junit.xml || cat all-known/junit.xml)"

# ---- an older compiler: knows no maximal reconvergence, votes of quads, small integers; one line reports it
cat >old.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static uint32_t words[1 << 20];
int main(int argc, char **argv) // old IN OUT MODE: refuses this execution mode, and 6023
{
    FILE *f = fopen(argv[1], "rb");
    const size_t n = fread(words, 4, 1 << 20, f);
    const uint32_t mode = argc > 3 ? (uint32_t)atoi(argv[3]) : 0;
    for (size_t i = 5; i < n; i += words[i] >> 16) {
        if ((words[i] & 0xffff) == 16 && (words[i + 2] == 6023 || words[i + 2] == mode))
            return printf("error: Invalid execution mode operand: %u\n", words[i + 2]), 1;
        if ((words[i] & 0xffff) == 17 && (words[i + 1] == 5087 || words[i + 1] == 39)) // quads, Int8
            return printf("error: Invalid capability operand: %u\n", words[i + 1]), 1;
    }
    f = fopen(argv[2], "wb");
    return fwrite(words, 4, n, f) != n || fclose(f);
}
END
"$CC" -O1 -o oldc old.c || exit 1
t old 0 'It does not take modules with maximal reconvergence \(.*6023\), so it is judged by what it promises: subgroup-uniform' - \
    ci --compiler "$work/oldc {in} {out}" --out old
report old_quad_vote "$(grep -q 'Not taken either: quad-vote, int8 (.*5087). None of this is generated' out || cat out)"
report old_summary "$([ "$(grep -c 'It does not take' old/summary.md)" = 1 ] && grep -q 'It does not take' old/junit.xml || cat old/summary.md)"
t refuses_all 2 '^  ended early .* rejected each of its first 40 modules; the last: exit status 1' \
    'NOTHING WAS COMPARED: each module was rejected.*--model M, or tanglefuzz ci' \
    "$TF" fuzz --target 'exec-compiler:false {in} {out}' --profile small --cases 2000 --out refused
report old_page "$([ "$(grep -o 'It does not take modules' old/report.html | wc -l)" = 1 ] || echo 'not once on the page')"
t older 0 'judged by what it promises: workgroup-uniform' - ci --compiler "$work/oldc {in} {out} 4421" --out older

# ---- nothing is compared: that is a failure
bad takes_nothing 'NOTHING WAS COMPARED: .* takes no module, with or without maximal reconvergence: exit status 1' \
    "$TF" ci --compiler 'false {in} {out}' --out nothing
bad no_such_program "^tanglefuzz ci: exec-compiler: 'no-such-opt' is not an executable program" \
    "$TF" ci --compiler 'no-such-opt {in} {out}' --out nowhere
bad no_braces '^tanglefuzz ci: exec-compiler: the command must contain .in. and .out.' "$TF" ci --compiler 'my-opt -O' --out nowhere
bad no_known_bugs 'nowhere-known is not a folder.*or leave out --known' "$TF" ci --compiler 'cp {in} {out}' --known nowhere-known --out nowhere

# ---- examples/ci: each step, with stand-ins for the compiler's own build and for the network
steps() { python3 - "$SOURCE_DIR/examples/ci/$1" <<'PY'
import sys, yaml
y = yaml.safe_load(open(sys.argv[1]))
if "jobs" in y:
    steps = [s["run"] for s in y["jobs"]["tanglefuzz"]["steps"] if "run" in s]
else:
    steps = y["tanglefuzz"]["script"] + y["tanglefuzz"]["after_script"]
print("\n".join(s.replace("--time 10m", "--time 4s --no-reduce") for s in steps))
PY
}
if python3 -c 'import yaml' 2>/dev/null; then
    mkdir bin && ln -s "$TF" bin/tanglefuzz
    printf '#!/bin/sh\nprintf "%%s\\n" "$@" >>"%s/curl.args"\n' "$work" >bin/curl
    printf '#!/bin/sh\n[ "$1" = -S ] && mkdir -p build && printf "#!/bin/sh\\ncp \\$1 \\$3\\n" >build/my-opt && chmod +x build/my-opt || true\n' >bin/cmake
    chmod +x bin/*
    for file in github.yml gitlab-ci.yml; do
        rm -rf site && mkdir -p site/known-bugs
        report steps_of_$file "$(steps $file 2>&1 >steps.sh; [ "$(wc -l <steps.sh)" -ge 3 ] || cat steps.sh)"
        : >curl.args
        t $file 0 - - env PATH="$work/bin:$PATH" SHARD=2 CI_NODE_INDEX=1 CI_NODE_TOTAL=2 GITHUB_STEP_SUMMARY="$work/step.md" \
            NOTE_TOKEN=secret CI_MERGE_REQUEST_IID=7 CI_API_V4_URL=https://x CI_PROJECT_ID=3 \
            bash -e -c 'cd site && . ../steps.sh'
        report ${file}_junit "$(python3 -c 'import xml.etree.ElementTree as ET
print(end="" if int(ET.parse("site/tanglefuzz-ci/junit.xml").getroot().get("tests")) == 1 else "not one test")')"
    done
    report github_summary "$(grep -q '^### tanglefuzz: no new bug' step.md || cat step.md)"
    report gitlab_note "$(grep -qx 'body@tanglefuzz-ci/summary.md' curl.args && grep -qx 'https://x/projects/3/merge_requests/7/notes' curl.args ||
        cat curl.args)"
else
    skip examples 'no PyYAML'
fi
# debian:13 has no make, and setup.sh brings ninja.
report images_name_their_generator "$(grep -L 'cmake --preset release -G Ninja' "$SOURCE_DIR"/examples/*/Containerfile)"
report images_without_a_build "$(grep -qx /build/ "$SOURCE_DIR/.dockerignore" || echo 'build/ would be copied')"
report image_has_no_entry_point "$(grep ENTRYPOINT "$SOURCE_DIR/examples/ci/Containerfile")"
# The image's own steps: each program that they name is in the tree, and the last one installs what runs.
report image_steps "$(sed -n 's/^RUN //p' "$SOURCE_DIR/examples/ci/Containerfile" | head -n 3 | tr -d '\\' | sed 's/&&/\n/g' |
    awk '{ print $1 }' | grep -vE '^(apt-get|cmake)$' | while read -r p; do [ -x "$SOURCE_DIR/$p" ] || echo "no $p"; done)"
install=$(sed -n 's/^RUN \(cmake --install\)/\1/p' "$SOURCE_DIR/examples/ci/Containerfile")
case $BUILD_DIR in "$SOURCE_DIR/build/release") ! short ;; *) false ;; esac && {
    (cd "$SOURCE_DIR" && eval "${install/\/opt\/tanglefuzz/$work/image}" >"$work/log" 2>&1)
    t image_runs 0 '^image-ci/junit.xml$' - "$work/image/bin/tanglefuzz" ci --fixed 2 --cases 2 --compiler 'cp {in} {out}' --out image-ci
}
