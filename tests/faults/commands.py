# SPDX-License-Identifier: Apache-2.0
"""The commands that inject.py and kills.py disturb: what is there before, the words, what must hold at any moment, what it
comes to. WORK is set by who imports it."""
import glob
import hashlib
import json
import os
import shutil
import subprocess
import sys

PROGRAM = os.path.abspath(sys.argv[1])
WORK = ""


def option(args, name, default):
    """The number after a name, which both leave args."""
    if name not in args:
        return default
    at = args.index(name)
    value = int(args[at + 1])
    del args[at : at + 2]
    return value


GENERATED = ["--profile", "small", "--subgroup", "8", "--max-invocations", "16", "--inputs", "1"]
TARGET = "fault:refuse=2"


def run(words, folder, **env):
    p = subprocess.run([PROGRAM, *words], cwd=folder, env={**os.environ, **env}, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    return p.returncode, p.stdout.decode("utf8", "replace"), p.stderr.decode("utf8", "replace")


def read(path):
    with open(path, "rb") as f:
        return f.read()


# ---- what is there, without what differs from run to run

def json_of(path, leave_out):
    def clean(o):
        if isinstance(o, dict):
            return {k: clean(v) for k, v in o.items() if k not in leave_out}
        return [clean(v) for v in o] if isinstance(o, list) else o
    return clean(json.loads(read(path)))


def findings_of(folder):
    """Each finding's folder as a digest of its files; raises where one is not whole."""
    out = {}
    for path in sorted(glob.glob(f"{folder}/findings/[!.]*")):
        names = set(os.listdir(path))
        assert {"README.md", "finding.json", "case.spvasm", "case.spv"} <= names, f"half a folder: {path}: {names}"
        json_of(f"{path}/finding.json", ())
        h = hashlib.sha256()
        for name in sorted(names):
            file = f"{path}/{name}"
            if os.path.isfile(file) and name not in ("finding.json", "README.md"):
                h.update(name.encode() + b"\0" + read(file))
        out[os.path.basename(path)] = h.hexdigest()
    return out


def whole_files(folder):
    for path in glob.glob(f"{folder}/*.json") + glob.glob(f"{folder}/reduced/*.json"):
        json_of(path, ())  # raises where it is half a file
    for path in glob.glob(f"{folder}/*.html"):
        assert read(path).rstrip().endswith(b"</html>"), f"half a page: {path}"


# ---- the commands: what is there before, the words, what it comes to

def told(out):
    """Names of the findings that were told on standard output."""
    names = set()
    for line in out.splitlines():
        if line.startswith("{") and line.endswith("}"):
            o = json.loads(line)
            if o.get("type") == "finding" or "folder" in o:
                names.add(o["name"])
    return names


class Fuzz:
    name, statuses = "fuzz", (1,)
    words = ["fuzz", "--target", TARGET, *GENERATED, "--cases", "4", "--out", "c", "--json"]
    again = [["fuzz", "--resume", "c", "--target", TARGET], words]

    def before(self, folder):
        pass

    def check(self, folder, out):
        missing = told(out) - set(findings_of(f"{folder}/c"))
        assert not missing, f"told and not there: {missing}"
        whole_files(f"{folder}/c")

    def result(self, folder):
        rows = json_of(f"{folder}/c/campaign.json", ())["campaigns"]
        return findings_of(f"{folder}/c"), rows[-1]["cases"] >= 0


class Report:
    name, statuses = "report", (0,)
    words = ["report", "c"]
    again = [words]

    def before(self, folder):
        shutil.copytree(f"{WORK}/campaign", f"{folder}/c", symlinks=True)

    def check(self, folder, out):
        whole_files(f"{folder}/c")
        assert findings_of(f"{folder}/c") == findings_of(f"{WORK}/campaign"), "findings changed"

    def result(self, folder):
        return findings_of(f"{folder}/c"), run(["report", "c", "--format", "jsonl"], folder)[1]


class Merge:
    name, statuses = "merge", (0,)
    words = ["merge", "--out", "all", "c", "d"]
    again = [words]

    def before(self, folder):
        shutil.copytree(f"{WORK}/campaign", f"{folder}/c", symlinks=True)
        shutil.copytree(f"{WORK}/other", f"{folder}/d", symlinks=True)

    def check(self, folder, out):
        for x, y in ("c", "campaign"), ("d", "other"):
            assert findings_of(f"{folder}/{x}") == findings_of(f"{WORK}/{y}"), f"{x} changed"
        findings_of(f"{folder}/all")
        whole_files(f"{folder}/all")

    def result(self, folder):
        rows = json_of(f"{folder}/all/campaign.json", ())["campaigns"]
        return findings_of(f"{folder}/all"), rows, run(["report", "all", "--format", "jsonl"], folder)[1]


class Reduce:
    name, statuses = "reduce", (0,)
    words = ["reduce", "c.spvasm", "--target", "fault:refuse=1", "--stage", "module", "--out", "r"]
    again = [words]

    def before(self, folder):
        shutil.copy(f"{WORK}/case.spvasm", f"{folder}/c.spvasm")

    def check(self, folder, out):
        whole_files(f"{folder}/r")
        if os.path.exists(f"{folder}/r/reduced.spvasm"):
            status, _, err = run(["predict", "r/reduced.spvasm"], folder)
            assert status == 0, f"reduced.spvasm: {err}"

    def result(self, folder):
        return os.path.getsize(f"{folder}/r/reduced.spvasm") < os.path.getsize(f"{folder}/c.spvasm"),


class ReduceCampaign:
    name, statuses = "reduce CAMPAIGN", (0,)
    words = ["reduce", "c", "--target", TARGET, "--per-bucket", "0"]
    again = [words]

    def before(self, folder):
        shutil.copytree(f"{WORK}/campaign", f"{folder}/c", symlinks=True)

    def check(self, folder, out):
        assert set(findings_of(f"{WORK}/campaign")) == set(findings_of(f"{folder}/c")), "other findings"
        whole_files(f"{folder}/c")
        for path in glob.glob(f"{folder}/c/findings/[!.]*/reduced/reduced.spvasm"):
            status, _, err = run(["predict", path], folder)
            assert status == 0, f"{path}: {err}"

    def result(self, folder):
        return {path[len(folder):]: read(path) for path in glob.glob(f"{folder}/c/findings/[!.]*/reduced/reduced.spvasm")}


def fresh(command):
    folder = f"{WORK}/run"
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    command.before(folder)
    return folder


def prepare(work, first=0, cases=5):
    """Two campaigns, whose first seeds are three apart, and a case."""
    global WORK
    WORK = work
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    for name, at in ("campaign", first), ("other", first + 3):
        run(["fuzz", "--target", TARGET, *GENERATED, "--seeds", f"{at}:{at + cases}", "--out", name], WORK)
        assert findings_of(f"{WORK}/{name}"), name
    run(["gen", "--seed", "3", "--profile", "small", "--subgroup", "8", "-o", "case.spvasm"], WORK)


def undisturbed(command):
    """What it comes to."""
    folder = fresh(command)
    status, _, err = run(command.words, folder)
    assert status in command.statuses, f"{command.name}: status {status} undisturbed: {err}"
    return command.result(folder)


def complete(command, folder, want):
    """The same command, or how it goes on, comes to what it comes to undisturbed."""
    for words in command.again:
        status, out, err = run(words, folder)
        if status in command.statuses:
            break
    assert status in command.statuses, f"afterwards: status {status}: {err[-300:]}"
    command.check(folder, out)
    assert command.result(folder) == want, "afterwards: another result"
