#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every line of the oracle, the judge, the module reader and the machines of backends/isa/, changed in every small way: who notices?

usage: sweep.py [options] FILE...        for example oracle/group.c, or a folder: oracle, backends/isa/nir
       sweep.py --page PAGE --out DIR [--fresh DIR]
                                         a page of what was found (docs/measured/mutation-all.md is one), and of a
                                         second sample, for which no test was written

  --build DIR    a built tree of Ninja (default build/release)
  --out DIR      where results are kept, a file each (default build/sweep); a file that did not change since
                 is not run again
  --sample N     N mutants of each file, drawn by --seed (default all)
  --seed N       of the sample (default 1)
  --jobs N       (default: the processors)
  --tests TEXT   only those tests whose name holds TEXT
  --again        only those that nothing has noticed so far, whether their file changed or not (of a file that
                 was not run yet, as without it)

sites.py says which changes there are. All mutants of a file are compiled into one object, and an environment
variable says which is on; each test is run once to see which mutants it reaches, and runs only for those, the
fastest first, until one fails. A mutant that takes four times the time it should has been noticed.
Who notices: the unit tests of the three rooms, the cases of corpus/, and 400 programs on which the
two machines must agree. For isa/: its unit tests, rows, and programs of the drivers that are here, on which
it must agree with the oracle; for the printer of PTX: programs whose PTX must agree. The exit status is 0 whatever is found, 2 when it could not work.
"""
import argparse
import hashlib
import json
import os
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
sys.path[:0] = [here, os.path.join(root, "scripts/lib")]
import schema
import sites
from measured import head, prose

ROOMS = ("oracle", "judge", "spirv", "backends/isa", "backends/printers")
# The machines of isa/, and what is printed for them: target -> seeds on which nothing is found.
MACHINES = {
    "nak": {"isa:vulkan:driver=nvk": "0:60", "isa:ptx": "0:150"},
    "ptx": {"isa:ptx": "0:2000", "isa:ptx:sm=75": "0:100"},
    "qpu": {"isa:vulkan:driver=v3dv": "0:20"},
    "agx": {"isa:vulkan:driver=honeykrisp": "0:60"},
    "nir": {"isa:nir:vulkan:driver=turnip": "0:60", "isa:nir:vulkan:driver=nvk": "0:40", "isa:nir:vulkan:driver=honeykrisp": "0:40"},
    "ir3": {"isa:vulkan:driver=turnip": "3:63"},
    "amd": {"isa:vulkan:driver=radv": "0:60"},
    "eu": {"isa:vulkan:driver=anv": "0:60", "isa:vulkan:driver=anv,env=DRM_STUB_PCI=e20b": "0:30",
           "isa:vulkan:driver=anv,env=DRM_STUB_PCI=56a0": "0:30", "isa:vulkan:driver=anv,env=DRM_STUB_PCI=3e92": "0:30"},
}
TESTS = {"nak": "nak|cuda"}  # of another name than the machine's
CASES = ("rules", "undefined", "ops", "litmus", "outputs", "external", "regress")
MOST = 1 << 16  # MUTANTS_MOST of mutant.h
sys.setrecursionlimit(100000)


def die(message):
    print(f"sweep: {message}", file=sys.stderr)
    sys.exit(2)


def isa_killers(machine):
    tests = sorted(n[:-2] for n in os.listdir(os.path.join(root, "tests"))
                   if re.match(rf"test_({TESTS.get(machine, machine)})(_\w+)?\.c$", n))
    out = [(name, f"tests/{name}", []) for name in tests]
    for target, seeds in MACHINES[machine].items():
        if "driver=" not in target or os.path.isdir(os.path.join(root, "build/deps/drivers", re.split("[=,]", target)[1])):
            out.append((target, "tanglefuzz", ["fuzz", "--target", target, "--model", "best", "--seeds", seeds, "--inputs", "1", "--stop-after", "1", "--job-time", "5"]))
    if machine == "ptx":
        made = os.path.join(options.out, "cases")
        os.makedirs(made, exist_ok=True)
        subprocess.run([sys.executable, os.path.join(root, "tests/ptx/operations.py"), made], check=True)
        cases = [os.path.join(d, n) for d in (os.path.join(root, "tests/ptx"), made) for n in sorted(os.listdir(d)) if n.endswith(".spvasm")]
        out += [(f"tests/ptx, {target}", "tanglefuzz", ["replay", *cases, "--target", target]) for target in ("isa:ptx", "isa:ptx:sm=75")]
    return [k for k in out if options.tests in k[0]]


def killers(name=""):
    """(name, program of the build, arguments) for a file"""
    if name.startswith("backends/isa/"):
        return isa_killers(name.split("/")[2])
    if name.startswith("backends/printers/ptx"):
        return isa_killers("ptx")
    tests = sorted(n[:-2] for n in os.listdir(os.path.join(root, "tests")) if re.match(r"test_((orc|judge|spv)_\w+|llir)\.c$", n))
    if name.startswith("oracle/"):
        tests = [t for t in tests if not t.startswith("test_spv_")]
    if name.startswith("judge/"):
        tests = [t for t in tests if t.startswith("test_judge_")] + ["test_llir"]
    if name and not re.match(r"oracle/(atomic|dispatch|load_order|memory|order|race)", name):
        tests = [t for t in tests if t != "test_orc_order_literal"]
    if name and not re.match(r"oracle/(alu|any|exact|float|group|load_alu|load_float|rounded)", name):
        tests = [t for t in tests if not re.search("(float|group|integer)_literal", t)]  # these take seconds, for arithmetic alone
    if name and not re.match(r"oracle/load_(alu|code|composite|float|types)", name):
        tests = [t for t in tests if t != "test_orc_shapes"]
    out = [(name, "tests/oracle_tests", [name]) if re.match("test_(orc|judge)_", name) else (name, f"tests/{name}", []) for name in tests]
    out += [(f"corpus/{c}", "tanglefuzz", ["check", "--all", os.path.join(root, "corpus", c)]) for c in CASES]
    out += [("agreement", "tanglefuzz", ["stats", "--cases", "400", "--all-models"])]
    return [k for k in out if options.tests in k[0]]


class Build:
    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        commands = json.load(open(os.path.join(self.folder, "compile_commands.json")))
        # tanglefuzz-device compiles some files again.
        self.compile = {os.path.realpath(e["file"]): (e["directory"], shlex.split(e["command"]))
                        for e in commands if "/tanglefuzz-device.dir/" not in e.get("output", e["command"])}
        subprocess.run(["cmake", "--build", self.folder, "--target", *self.programs()], check=True, stdout=subprocess.DEVNULL)
        text = subprocess.run(["ninja", "-C", self.folder, "-t", "commands", *self.programs()], check=True,
                              capture_output=True, text=True).stdout
        self.link = {}
        for line in text.splitlines():
            words = shlex.split(line.split(" && ")[1]) if " && " in line else []
            if "-o" in words and words[words.index("-o") + 1] in self.programs():
                self.link[words[words.index("-o") + 1]] = words

    def programs(self):
        return sorted({k[1] for k in killers() + [k for m in MACHINES for k in isa_killers(m)]})

    def arguments(self, source):
        """(folder, what compiles it, without source, output, warnings and debugging)"""
        folder, words = self.compile[source]
        out, skip = [], False
        for w in words:
            if skip or w in ("-o", "-c", source) or os.path.realpath(w) == source:
                skip = w == "-o"
            elif not re.match(r"-(W|g$|O)", w):
                out.append(w)
        return folder, out

    def linked(self, program, objects, exe):
        words = self.link[program]
        at = words.index("-o")
        # What comes before the libraries takes their place.
        done = subprocess.run(words[:at] + ["-fuse-ld=mold"] * bool(shutil.which("mold")) + ["-o", exe] + objects + words[at + 2:],
                              cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            die(f"cannot link {program}: {done.stderr.splitlines()[0]}")


class Unit:
    """A file, its mutants, and programs that hold them all."""

    def __init__(self, build, name, work):
        self.build, self.name, self.work = build, name, work
        path = os.path.join(root, name)
        folder, text = os.path.dirname(path), open(path).read()
        self.beside = []
        if name.endswith(".h"):  # every source is built anew, and headers find this one beside them
            self.beside = [os.path.join(folder, n) for n in os.listdir(folder) if n.endswith(".h")]
            self.sources = [os.path.join(folder, n) for n in sorted(os.listdir(folder)) if n.endswith(".c")]
            self.files, readers = [path], self.sources
        else:
            self.sources, readers = [path], [path]
            self.files = [path] + [os.path.join(folder, d) for d in sorted(set(re.findall(r'#include "(\w+\.def)"', text)))]
        for reader in readers:
            directory, arguments = build.arguments(reader)
            self.sites, self.lost = sites.find(reader, self.files, directory, arguments[1:])
            if self.sites:
                break
        self.mutants = schema.number(self.sites, {f: os.path.relpath(f, root) for f in self.files})
        self.cold = set()

    def compiled(self, texts, tag):
        """Objects with these texts instead of the files', or the compiler's words."""
        objects = []
        for source in self.sources:
            near = os.path.join(self.work, tag)
            os.makedirs(near, exist_ok=True)
            for f in {source, *self.files, *self.beside}:
                with open(os.path.join(near, os.path.basename(f)), "w") as out:
                    out.write(texts.get(f) or open(f).read())
            directory, arguments = self.build.arguments(source)
            obj = os.path.join(near, os.path.basename(source) + ".o")
            done = subprocess.run([*arguments, "-O1", "-w", "-fmax-errors=0", "-include", os.path.join(here, "mutant.h"),
                                   f"-I{os.path.dirname(source)}", "-c", os.path.join(near, os.path.basename(source)), "-o", obj],
                                  cwd=directory, capture_output=True, text=True)
            if done.returncode:
                return None, done.stderr
            objects.append(obj)
        return objects, ""

    def make(self):
        """Compiles all mutants in one; those that cannot stand so are `cold`."""
        while True:
            objects, words = self.compiled({f: schema.written(f, self.sites, self.cold) for f in self.files}, "all")
            if objects:
                break
            places = {(os.path.basename(m[0]), int(m[1])) for m in re.findall(r"([\w./-]+):(\d+):\d+: (?:error|note)", words)}
            bad = {m.number for m in self.mutants if (os.path.basename(m.file), m.line) in places} - self.cold
            if not bad:
                die(f"{self.name} with its mutants does not compile:\n{words}")
            self.cold |= bad
        run = os.path.join(self.work, "mutant.o")
        subprocess.run(["cc", "-O1", "-c", os.path.join(here, "mutant.c"), "-o", run], check=True)
        self.exe = {}
        with ThreadPoolExecutor(options.jobs) as pool:
            def link(program):
                exe = os.path.join(self.work, os.path.basename(program))
                self.build.linked(program, objects + [run], exe)
                return program, exe
            self.exe = dict(pool.map(link, sorted({k[1] for k in killers(self.name)})))


def ran(exe, arguments, number, ms, seen=None):
    """(exit status, seconds of processor time)"""
    env = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP", SOURCE_DIR=root, MUTANT=str(number), BUILD_DIR=os.path.abspath(options.build),
               DEPS_DIR=os.path.join(root, "build/deps"), TANGLEFUZZ=os.path.join(os.path.abspath(options.build), "tanglefuzz"))
    if ms:
        env["MUTANT_MS"] = str(int(ms))
    if seen:
        env["MUTANT_SEEN"] = seen
    with tempfile.TemporaryDirectory() as folder:
        child = subprocess.Popen([exe, *arguments], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        start = time.monotonic()
        while True:
            pid, status, usage = os.wait4(child.pid, 0 if not number else os.WNOHANG)
            if pid:
                child.returncode = os.waitstatus_to_exitcode(status)
                return child.returncode, usage.ru_utime + usage.ru_stime
            if time.monotonic() - start > 300:
                child.kill()
            time.sleep(0.002)


def baseline(unit):
    """[(name, program, arguments, seconds, numbers that it reaches)], the fastest first"""
    out = []

    def one(killer):
        name, program, arguments = killer
        seen = os.path.join(unit.work, re.sub(r"\W", "-", name) + ".seen")
        with open(seen, "wb") as f:
            f.truncate(MOST)
        status, seconds = ran(unit.exe[program], arguments, 0, 0, seen)
        if status:
            die(f"{name} fails with {unit.name} as it is (status {status})")
        return name, program, arguments, seconds, {n for n, c in enumerate(open(seen, "rb").read()) if c}

    with ThreadPoolExecutor(options.jobs) as pool:
        out = list(pool.map(one, killers(unit.name)))
    return sorted(out, key=lambda k: k[3])


def noticed(unit, tests, number, hint):
    """The name of the first test that fails, with how, or None; hint: who noticed the one before."""
    reach = [t for t in tests if number in t[4]]
    for name, program, arguments, seconds, _ in sorted(reach, key=lambda t: t[3] * (0.2 if t[0] == hint else 1)):
        status, _ = ran(unit.exe[program], arguments, number, 4000 * seconds + 500)
        if status:
            return name + ("" if status > 0 else " (it crashes)" if status != -27 else " (it does not end)")
    return None if reach else "?"


def noticed_cold(unit, tests, mutant):
    """The same for one that is compiled alone."""
    site = next(s for s in unit.sites.values() if mutant in s.mutants)
    tag = f"cold{mutant.number}"
    objects, _ = unit.compiled({site.file: schema.changed(mutant, site)}, tag)
    if not objects:
        return "-"
    try:
        made = {}
        for name, program, arguments, seconds, _ in tests:
            if program not in made:
                made[program] = os.path.join(unit.work, tag, os.path.basename(program))
                unit.build.linked(program, objects + [os.path.join(unit.work, "mutant.o")], made[program])
            if ran(made[program], arguments, -1, 4000 * seconds + 500)[0]:
                return name
        return None
    finally:
        shutil.rmtree(os.path.join(unit.work, tag))


def fingerprint(name):
    h = hashlib.sha256(f"{options.sample} {options.seed} {options.tests}".encode())
    for f in [os.path.join(root, name)] + [os.path.join(here, n) for n in ("sites.py", "schema.py")]:
        h.update(open(f, "rb").read())
    return h.hexdigest()[:16]


def sweep(build, name):
    kept = os.path.join(options.out, name.replace("/", "-") + ".json")
    before = json.load(open(kept)) if os.path.exists(kept) else {}
    if before.get("of") == fingerprint(name) and not options.again:
        return before
    start = time.time()
    with tempfile.TemporaryDirectory(prefix="sweep-") as work:
        unit = Unit(build, name, work)
        if not unit.mutants:
            return None
        unit.make()
        tests = baseline(unit)
        mine, again = unit.mutants, options.again and bool(before)
        if again:
            left = {m["key"] for m in before.get("mutants", []) if m["by"] in (None, "?")}
            mine = [m for m in mine if m.key in left]
        elif options.sample and options.sample < len(mine):
            mine = sorted(random.Random(f"{options.seed} {name}").sample(mine, options.sample), key=lambda m: m.number)
        hint = [None]

        def one(m):
            if m.number in unit.cold:
                return m, noticed_cold(unit, tests, m)
            by = noticed(unit, tests, m.number, hint[0])
            hint[0] = by or hint[0]
            return m, by

        with ThreadPoolExecutor(options.jobs) as pool:
            rows = [dict(key=m.key, file=m.file, line=m.line, kind=m.kind, was=m.was, now=m.now, by=by)
                    for m, by in pool.map(one, mine)]
    if again:
        found = {r["key"]: r for r in rows}
        there = {m.key for m in unit.mutants}
        rows = [found.get(m["key"], m) for m in before["mutants"] if m["key"] in there]
    result = dict(of=fingerprint(name), file=name, all=len(unit.mutants), lost=unit.lost, seconds=round(time.time() - start), mutants=rows)
    with open(kept + ".new", "w") as f:
        json.dump(result, f, indent=1)
    os.replace(kept + ".new", kept)
    return result


def words():
    """What is known of mutants that nothing notices: key -> word. A word that begins with `equivalent` says that
    no program can tell; others say why there is no case."""
    with open(os.path.join(here, "survivors.tsv")) as f:
        return dict(line.rstrip("\n").split("\t") for line in f if "\t" in line)


def scores(folder, known):
    """A row a file, what is left of each, and {room: (noticed, of)}."""
    rows, left, total = [], [], dict.fromkeys(ROOMS, None)
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".json"):
            continue
        r = json.load(open(os.path.join(folder, name)))
        open_ = [m for m in r["mutants"] if m["by"] in (None, "?")]
        same = [m for m in open_ if known.get(m["key"], "").startswith("equivalent")]
        n = len(r["mutants"]) - len(same)
        noticed = len(r["mutants"]) - len(open_)
        rows.append((r["file"], r["all"], len(r["mutants"]), noticed, len(same), len(open_) - len(same), n))
        left += [(r["file"], m, known.get(m["key"], "not looked at yet")) for m in open_]
        room = next(room for room in ROOMS if r["file"].startswith(room + "/"))
        got, of = total[room] or (0, 0)
        total[room] = got + noticed, of + n
    return rows, left, total


def page():
    """Scores by file, and what is left, with a word on each."""
    known = words()
    rows, left, total = scores(options.out, known)
    machines = all(r[0].startswith("backends/") for r in rows)
    out = [head("Every line changed" + ", machines of backends/isa/" * machines,
                "For contributors to " + ("`backends/isa/`" if machines else "`oracle/` and `judge/`") + ": which lines can change without a test failing?",
                "tests/mutation/sweep.py --sample N " + ("backends/isa/nak backends/isa/nir backends/isa/ir3 backends/isa/amd" if machines else "oracle judge spirv"),
                "tests/mutation/sweep.py --page " + options.page).rstrip(), "",
           prose("Each mutant is one change of one operator, condition, constant or statement (`tests/mutation/sites.py`). *Noticed*: a unit "
                 + ("test, a row against LLVM's folding, or 40 to 60 programs of a driver on which the machine must agree with the oracle fails."
                    if machines else
                    "test, a case of `corpus/` or the agreement of the two machines fails; tests of the whole program are not run.")
                 + " *Equivalent*: no program can show the difference; these do not count in the score and are listed in "
                 "`tests/mutation/survivors.tsv`. Where fewer were run than there are, they were drawn by seed."
                 + " Files that are not in the table were not run." * (not machines)).rstrip()]
    out += ["",
           "| room | score |", "| --- | --- |"]
    out += [f"| `{room}/` | {100 * t[0] / t[1]:.1f} % of {t[1]} |" for room, t in total.items() if t]
    again = {}
    if options.fresh:
        fresh, _, sums = scores(options.fresh, known)
        got, of = (sum(t[i] for t in sums.values() if t) for i in (0, 1))
        again = {f: f" {n} | {k} | {100 * k / d if d else 100:.0f} % |" for f, _, n, k, _, _, d in fresh}
        out += ["", prose("Tests were written for the mutants that the first sample left, so its score holds for that sample only. Of "
                          f"mutants that were drawn by another seed, the tests notice {100 * got / of:.1f} % of {of} (second sample).").rstrip()]
    more = " second sample | noticed | score |" if again else ""
    out += ["", "| file | mutants | run | noticed | equivalent | left | score |" + more, "| --- " * (10 if again else 7) + "|"]
    out += [f"| {f} | {a} | {n} | {k} | {e} | {o} | {100 * k / d if d else 100:.0f} % |" + (again.get(f, " | | |") if again else "")
            for f, a, n, k, e, o, d in rows]
    out += ["", "## Not noticed, and not equivalent", "| where | was | is | reason |", "| --- | --- | --- | --- |"]
    code = lambda text: "`` " + (text if len(text) < 90 else text[:80] + " ...").replace("|", "\\|") + " ``" if text else "nothing"
    out += [f"| {f}:{m['line']} | {code(m['was'])} | {code(m['now'])} | {word} |" for f, m, word in left if not word.startswith("equivalent")]
    with open(options.page, "w") as f:
        f.write("\n".join(out) + "\n")


def main():
    if options.page:
        return page()
    files = []
    for f in options.files:
        inside = sorted(os.path.join(f, n) for n in os.listdir(os.path.join(root, f)) if n.endswith((".c", ".h"))) \
            if os.path.isdir(os.path.join(root, f)) else [f]
        files += [n for n in inside if n.endswith(".c") or re.search(r"^static inline", open(os.path.join(root, n)).read(), re.M)]
    os.makedirs(options.out, exist_ok=True)
    build = Build(options.build)
    for name in files:
        r = sweep(build, name)
        if r:
            left = [m for m in r["mutants"] if m["by"] in (None, "?")]
            print(f"{name}: {len(r['mutants'])} of {r['all']} mutants, {len(left)} left, {r['seconds']} s", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__.strip(), add_help=True)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--build", default=os.path.join(root, "build/release"))
    parser.add_argument("--out", default=os.path.join(root, "build/sweep"))
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--tests", default="")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--page")
    parser.add_argument("--fresh")
    options = parser.parse_args()
    options.out = os.path.abspath(options.out)
    main()
