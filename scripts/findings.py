#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/findings.md from corpus/regress/NAME.toml, a file for each kept case.

usage: scripts/findings.py [--check | --near | --weakest] [--root DIR]

--check     compares the page with the data and prints what differs; also what is wrong in the data
--near      prints the near misses: TARGET, CASE, NEAR, what changed, with tabs in between; NEAR is a file or a target
--weakest   prints the weakest model of each case
--root DIR  another tree; default: this one

The weakest model that shows a finding is computed: the first of workgroup-uniform, subgroup-uniform and maximal under which
`tanglefuzz check` of the case with its `; model` line changed still predicts every expected word. A crash needs no model.
Runs the program in TANGLEFUZZ, else build/release/tanglefuzz. Exit status: 0, 1 if something differs or is wrong, 2 on bad usage.
"""
import argparse
import collections
import glob
import os
import re
import subprocess
import sys
import tempfile
import tomllib

KINDS = {"reconvergence": "which invocations execute together is wrong",
         "miscompile": "another wrong result", "crash": "", "hang": "", "invalid": "an output that is not valid",
         "rejected": "a valid program is refused"}
STATUS = ["current", "historical", "lead", "by-design"]
COMPILERS = {"spirv-opt": "SPIRV-Tools", "spirv-cross": "SPIRV-Cross", "naga": "naga", "glslang": "glslang, its HLSL front end",
             "swiftshader": "SwiftShader", "mesa": "Mesa", "llvm": "LLVM",
             "igc": "IGC", "pocl": "pocl", "ptxas": "ptxas"}
STATES = {"new": "new", "deprecated": "new", "known": "known", "fixed": "fixed", "by-design": "design"}  # as NAME.known has it
MODELS = ["workgroup-uniform", "subgroup-uniform", "maximal", "assumed-maximal"]
SECTIONS = {"Current": ["current"], "Historical": ["historical"], "Leads and by design": ["lead", "by-design"]}
# Fields: type, then whether a file must have it.
FIELDS = {"root": (str, True), "kind": (KINDS, True), "status": (STATUS, True), "compiler": (COMPILERS, True), "target": (str, True),
          "configuration": (str, True), "seen_wrong": (list, False), "seen_right": (list, False), "what": (str, True),
          "upstream": (dict, True), "near_miss": (dict, False)}
UPSTREAM = {"state": (STATES, True), "links": (list, True), "searched": (str, True), "note": (str, False)}
NEAR = {"file": (str, False), "target": (str, False), "changed": (str, True)}


def typed(where, data, fields):
    """Yields what is wrong with a table of fields."""
    for name, (kind, needed) in fields.items():
        if name not in data:
            if needed:
                yield f"{where}: no field {name}"
            continue
        value = data[name]
        if not isinstance(kind, type):
            if value not in kind:
                yield f"{where}: {name} = {value!r} is none of {', '.join(kind)}"
        elif not isinstance(value, kind):
            yield f"{where}: {name} is not a {kind.__name__}"
        elif kind is list and not all(isinstance(v, str) and v for v in value):
            yield f"{where}: {name} has an entry that is not text"
        elif kind is str and name != "configuration" and not value.strip():
            yield f"{where}: {name} is empty"
    for name in data:
        if name not in fields:
            yield f"{where}: unknown field {name}"


def read(folder):
    """Returns the findings by name, and what is wrong with their files."""
    found, wrong = {}, []
    names = {os.path.basename(p)[:-7] for p in glob.glob(os.path.join(folder, "*.spvasm"))}
    files = {os.path.basename(p)[:-5] for p in glob.glob(os.path.join(folder, "*.toml"))}
    wrong += [f"{n}: no {n}.toml" for n in sorted(names - files)] + [f"{n}.toml: no case" for n in sorted(files - names)]
    for name in sorted(names & files):
        try:
            with open(os.path.join(folder, name + ".toml"), "rb") as f:
                data = tomllib.load(f)
        except tomllib.TOMLDecodeError as e:
            wrong.append(f"{name}.toml: {e}")
            continue
        mistakes = list(typed(name, data, FIELDS))
        if isinstance(data.get("upstream"), dict):
            mistakes += typed(f"{name}: upstream", data["upstream"], UPSTREAM)
        if isinstance(data.get("near_miss"), dict):
            mistakes += typed(f"{name}: near_miss", data["near_miss"], NEAR)
            if ("file" in data["near_miss"]) == ("target" in data["near_miss"]):
                mistakes.append(f"{name}: near_miss needs a file or a target")
        wrong += mistakes
        if not mistakes:
            found[name] = data
    return found, wrong


def lines_of(folder):
    """Yields class, case and target of each line of the file `known`."""
    with open(os.path.join(folder, "known"), encoding="utf-8") as f:
        for line in f:
            if re.match("[a-z]", line):
                yield line.rstrip("\n").split(None, 2)


def entries(folder, names):
    """Yields file, case and keys of each NAME.known and each case that it speaks of."""
    for path in sorted(glob.glob(os.path.join(folder, "*.known"))):
        with open(path, encoding="utf-8") as f:
            keys = dict(line.split(None, 1) for line in f.read().splitlines()[1:])
        pattern = re.compile(".*".join(map(re.escape, keys["case"].split("*"))))
        for name in names:
            if pattern.fullmatch(name + ".spvasm"):
                yield os.path.basename(path), name, keys


def agree(folder, found, models):
    """Yields where two files, or two facts, do not agree."""
    targets = {(case[:-7], target.strip()) for _, case, target in lines_of(folder)}
    for name, d in found.items():
        if (name, d["target"]) not in targets:
            yield f"{name}: `known` has no line for {d['target']}"
        near = d.get("near_miss", {}).get("file")
        if near and not os.path.exists(os.path.join(folder, "near", near + ".spvasm")):
            yield f"{name}: no near/{near}.spvasm"
        if models.get(name) == "assumed-maximal" and d["status"] == "current" and d["kind"] != "crash":
            yield f"{name}: only assumed-maximal shows it, so it is a lead"
        if d["upstream"]["state"] == "known" and not d["upstream"]["links"]:
            yield f"{name}: known, and no link"
    used = {d["near_miss"]["file"] for d in found.values() if "file" in d.get("near_miss", {})}
    for path in glob.glob(os.path.join(folder, "near", "*")):
        if os.path.basename(path).removesuffix(".spvasm") not in used:
            yield f"near/{os.path.basename(path)}: no case names it"
    for file, name, keys in entries(folder, found):
        up = found[name]["upstream"]
        own = file == name + ".known"  # an entry of several cases speaks of one driver only
        if own and keys.get("upstream") != STATES[up["state"]]:
            yield f"{name}: upstream is {up['state']}, and {file} has {keys.get('upstream')}"
        if own and keys.get("link") and keys["link"] not in up["links"]:
            yield f"{name}: no link {keys['link']}, which {file} has"


def weakest(folder, names):
    """Returns name -> the weakest model under which each expected word is still predicted."""
    program, out = os.environ.get("TANGLEFUZZ", "build/release/tanglefuzz"), {}
    with tempfile.TemporaryDirectory() as work:
        for model in MODELS:
            for name in names:
                with open(os.path.join(folder, name + ".spvasm"), encoding="utf-8") as f:
                    text = f.read()
                with open(os.path.join(work, name + ".spvasm"), "w", encoding="utf-8") as f:
                    f.write(re.sub(r"^; model \S+", f"; model {model}", text, count=1, flags=re.M))
            ran = subprocess.run([program, "check", "--all", work], stdin=subprocess.DEVNULL, capture_output=True, text=True)
            for line in ran.stdout.splitlines():
                passed = re.match(r"ok .*/([^/]+)\.spvasm$", line)
                if passed:
                    out.setdefault(passed[1], model)
    return out


def link(url):
    owner, name, number = re.search(r"([^/]+)/([^/]+)/(?:-/)?(?:issues|pull|merge_requests)/(\d+)$", url).groups()
    return f"[{'naga ' if (owner, name) == ('gfx-rs', 'naga') else ''}{number}]({url})"


def upstream(d):
    up, links = d["upstream"], ", ".join(map(link, d["upstream"]["links"]))
    said = {"new": "new", "deprecated": "new; front end deprecated", "known": "known", "by-design": "by design",
            "fixed": "fixed in " + " ".join(w.split()[-1] for w in d.get("seen_right", [])[-1:])}[up["state"]]
    if links:
        said += (": " if up["state"] in ("known", "by-design") else "; near ") + links
    return said + (f"; {up['note']}" if "note" in up else "")


def row(name, d, shared, models):
    versions = ", ".join(d.get("seen_wrong", ["?"])) + (f"; right: {', '.join(d['seen_right'])}" if "seen_right" in d else "")
    cells = [f"`{name}`" + (f" ({d['root']})" if d["root"] in shared else ""),
             f"`{d['target']}`" + (f", {d['configuration']}" if d["configuration"] else ""), versions, d["what"],
             models.get(name, "?") if d["kind"] in ("reconvergence", "miscompile") else "", upstream(d)]
    return "|" + "|".join(c.replace("|", "\\|") for c in cells) + "|"


def summary(found):
    """One line for each kind: roots (cases) by status. A root with several kinds or states counts once, as its first case by
    status, then kind."""
    order = lambda d: (STATUS.index(d["status"]), list(KINDS).index(d["kind"]))
    first, cases = {}, collections.Counter()
    for d in sorted(found.values(), key=order):
        first.setdefault(d["root"], d)
        cases[first[d["root"]]["kind"]] += 1
    roots = list(first.values())

    def count(kind, test):
        return str(sum(test(d) for d in roots if kind in (None, d["kind"])) or "")

    lines = ["|kind|current|new|known|historical|leads, by design|roots|cases|", "|-|-|-|-|-|-|-|-|"]
    for kind in [*KINDS, None]:
        current = lambda *states: lambda d: d["status"] == "current" and (not states or d["upstream"]["state"] in states)
        lines.append("|" + "|".join([
            (kind + (f": {KINDS[kind]}" if KINDS[kind] else "")) if kind else "all",
            count(kind, current()), count(kind, current("new", "deprecated")), count(kind, current("known")),
            count(kind, lambda d: d["status"] == "historical"), count(kind, lambda d: d["status"] in ("lead", "by-design")),
            count(kind, lambda d: True), str(cases[kind] if kind else sum(cases.values()))]) + "|")
    return lines, len(roots)


HEAD = """# Bugs found

For driver and compiler engineers. {cases} small cases are kept in `corpus/regress`; each head says what is wrong and why.
Cases with one cause share a *root*, in parentheses: {roots}. `scripts/findings.py` writes this page from
`corpus/regress/NAME.toml`, where near misses and searches are too. `NAME.known` is for `report --known corpus/regress`.

    tanglefuzz replay corpus/regress/CASE.spvasm --target TARGET

- *Upstream*, November 2026: *new* means searched and not found, not that it was filed. Of Mesa's tracker only an index of pages was
  searched, of SwiftShader's not even that. A link after *near* is another bug.
- *Model*: the weakest promise that shows it (`docs/rules.md`), computed; a crash or refusal needs none.
- A *lead* is a mismatch against what the target did not promise, or rests on an unconfirmed fact.
- `isa:`: compiled without hardware, run by our simulator, not on a GPU.
- T1 to T20: `docs/mutants.md`; other letters: `docs/rules.md`.

Pictures of fragment cases: `docs/pictures/`. Lines of machine code: `docs/measured/machine-code-findings.md`. Rates:
`docs/measured/`. More about LLVM: `docs/llvm.md`. Browsers' compilers showed no bug (`docs/measured/webgpu.md`).
"""
FOOT = """
## Two ways into a loop: not a bug

`corpus/rules/R2-two-ways-into-a-loop.spvasm`: by R2 invocations that enter by different edges stay
diverged; lavapipe joins them. The extension does not mention this.
"""


def page(found, models):
    shared = {r for r, n in collections.Counter(d["root"] for d in found.values()).items() if n > 1}
    start = {}  # cases of a root stand together
    for name in sorted(found):
        start.setdefault(found[name]["root"], name)
    table, roots = summary(found)
    lines = [HEAD.format(cases=len(found), roots=roots), "Roots by kind; cases in the last column:", "", *table]
    for title, status in SECTIONS.items():
        lines += ["", f"## {title}"]
        for compiler, words in COMPILERS.items():
            names = [n for n in sorted(found, key=lambda n: (start[found[n]["root"]], n))
                     if found[n]["compiler"] == compiler and found[n]["status"] in status]
            if names:
                lines += ["", f"### {words}", "", "|case|target, configuration|seen in|what, and the rule|model|upstream|",
                          "|-|-|-|-|-|-|"]
                lines += [row(n, found[n], shared, models) for n in names]
    return "\n".join(lines) + "\n" + FOOT


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "), add_help=True)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--near", action="store_true")
    parser.add_argument("--weakest", action="store_true")
    parser.add_argument("--root", default=os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    options = parser.parse_args()
    folder = os.path.join(options.root, "corpus/regress")
    found, wrong = read(folder)
    if options.near:
        for name, d in found.items():
            if "near_miss" in d:
                near = d["near_miss"]
                print(d["target"], name, f"near/{near['file']}.spvasm" if "file" in near else near["target"], near["changed"], sep="\t")
        return
    models = weakest(folder, found)
    wrong += [f"{n}: `tanglefuzz check` passes under no model" for n in found if n not in models]
    if options.weakest:
        for name in found:
            print(f"{models.get(name, '?'):18}{name}")
        return
    wrong += agree(folder, found, models)
    text, path = page(found, models), os.path.join(options.root, "docs/findings.md")
    if options.check and not wrong:
        with open(path, encoding="utf-8") as f:
            have = f.read()
        if have != text:
            old, new = have.splitlines(), text.splitlines()
            wrong += [f"docs/findings.md: not in the data: {line}" for line in old if line not in new]
            wrong += [f"docs/findings.md: not on the page: {line}" for line in new if line not in old]
            wrong += ["docs/findings.md differs from its data: run scripts/findings.py"]
    print("".join(w + "\n" for w in wrong), end="")
    if wrong:
        sys.exit(1)
    if not options.check:
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)


main()
