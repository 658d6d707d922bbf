#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Determines the known cause of each finding of fragment campaigns: docs/measured/fragment.md.

usage: scripts/fragment_causes.py FOLDER CAMPAIGN... >table.md    FOLDER: gets the edited cases and each finding's causes
needs: build/release (TANGLEFUZZ: another program) and the campaigns' targets

Repairs a finding's module of one cause, or of two, runs it again and judges it by the oracle. A repair keeps the
module's result (except `demote`, which removes the demotes, and `votes` and `truth`, which change an operation) and avoids what the driver gets wrong. `loop`, `skip` and
`loop-skip` are models, not repairs: the oracle runs a module that does what the driver does, and each word that it
predicts must equal the driver's word for the original module. The first that fits is the cause, single ones before pairs.
"""
import itertools
import json
import os
import re
import subprocess
import sys


class Module:
    """Lines of a case's assembly, edited in place. One instruction per line."""

    def __init__(self, text):
        self.lines = [line.rstrip() for line in text.splitlines() if not line.startswith("; expect")]
        self.next = 1 + max([int(n) for n in re.findall(r"%(\d+)\b", text)] + [900000])

    def words(self, i):
        """Returns result, opcode, operands of line i."""
        line = self.lines[i]
        if line.startswith(";"):
            return None, "", []
        w = line.split()
        if len(w) > 2 and w[1] == "=":
            return w[0], w[2], w[3:]
        return None, w[0] if w else "", w[1:]

    def all(self):
        return ((i, *self.words(i)) for i in range(len(self.lines)))

    def has(self, *opcodes):
        return any(op in opcodes for _, _, op, _ in self.all())

    def new(self):
        self.next += 1
        return f"%{self.next}"

    def find(self, op, *operands):
        for _, r, o, w in self.all():
            if o == op and w[:len(operands)] == list(operands):
                return r
        return None

    def first(self, op):
        return next(i for i, _, o, _ in self.all() if o == op)

    def declare(self, op, *operands):
        """Returns the id of a type, constant or variable, declared before the first function unless it exists."""
        r = None if op == "OpVariable" else self.find(op, *operands)
        if not r:
            r = self.new()
            self.lines.insert(self.first("OpFunction"), f"{r} = {op} {' '.join(operands)}")
        return r

    def uint(self, value):
        return self.declare("OpConstant", self.declare("OpTypeInt", "32", "0"), str(value))

    def input(self, name):
        """Returns the id of an input variable, for an OpLoad."""
        for _, _, op, w in self.all():
            if op == "OpDecorate" and w[1:] == ["BuiltIn", name]:
                return w[0]
        return None

    def capability(self, name):
        if not any(op == "OpCapability" and w == [name] for _, _, op, w in self.all()):
            self.lines.insert(self.first("OpCapability"), f"OpCapability {name}")

    def interface(self, var):
        self.lines[self.first("OpEntryPoint")] += " " + var

    def mode(self, name):
        i, _, _, w = next(x for x in self.all() if x[2] == "OpExecutionMode")
        if not any(op == "OpExecutionMode" and v[1] == name for _, _, op, v in self.all()):
            self.lines.insert(i, f"OpExecutionMode {w[0]} {name}")

    def type_of(self, id_):
        return next((w[0] for _, r, op, w in self.all() if r == id_ and not op.startswith("OpType")), None)

    def text(self):
        return "\n".join(self.lines) + "\n"


def active_first(m):
    """Returns the lines that compute the first active invocation, and their result id."""
    u, b = m.declare("OpTypeInt", "32", "0"), m.declare("OpTypeBool")
    v4, scope, yes = m.declare("OpTypeVector", u, "4"), m.uint(3), m.declare("OpConstantTrue", b)
    ballot, low = m.new(), m.new()
    return [f"{ballot} = OpGroupNonUniformBallot {v4} {scope} {yes}",
            f"{low} = OpGroupNonUniformBallotFindLSB {u} {scope} {ballot}"], low


def repair_first(m):
    """Replaces BroadcastFirst and Elect by a ballot of true and a shuffle."""
    if not m.has("OpGroupNonUniformBroadcastFirst", "OpGroupNonUniformElect"):
        return False
    active_first(m)
    m.capability("GroupNonUniformShuffle")
    m.capability("GroupNonUniformBallot")
    u, lane = m.declare("OpTypeInt", "32", "0"), m.input("SubgroupLocalInvocationId")
    out = []
    for i, r, op, w in list(m.all()):
        if op == "OpGroupNonUniformBroadcastFirst":
            lines, low = active_first(m)
            out += lines + [f"{r} = OpGroupNonUniformShuffle {w[0]} {w[1]} {w[2]} {low}"]
        elif op == "OpGroupNonUniformElect":
            lines, low = active_first(m)
            own = m.new()
            out += lines + [f"{own} = OpLoad {u} {lane}", f"{r} = OpIEqual {w[0]} {own} {low}"]
        else:
            out.append(m.lines[i])
    m.lines = out
    return True


def repair_demote(m):
    """Removes demotes."""
    n = len(m.lines)
    m.lines = [m.lines[i] for i, _, op, _ in m.all() if op != "OpDemoteToHelperInvocation"]
    return len(m.lines) < n


def repair_quads(m):
    """Requires full quads, if there is a demote."""
    if not m.has("OpDemoteToHelperInvocation") or "RequireFullQuadsKHR" in m.text():
        return False
    m.capability("QuadControlKHR")
    if '"SPV_KHR_quad_control"' not in m.text():
        m.lines.insert(m.first("OpExtension"), 'OpExtension "SPV_KHR_quad_control"')
    m.mode("RequireFullQuadsKHR")
    m.mode("QuadDerivativesKHR")
    return True


MOVES = ("OpGroupNonUniformShuffle", "OpGroupNonUniformShuffleXor", "OpGroupNonUniformShuffleUp", "OpGroupNonUniformShuffleDown",
         "OpGroupNonUniformRotateKHR", "OpGroupNonUniformQuadBroadcast", "OpGroupNonUniformQuadSwap")
PLAIN = ("Ballot", "Vote", "Any", "All", "Elect", "Inverse", "QuadA", "Broadcast")


def repair_uniform(m):
    """Selects operands of arithmetic and moves by a condition that always holds, but that no compiler knows to be uniform."""
    arith = {op for _, _, op, _ in m.all() if op.startswith("OpGroupNonUniform") and
             not op[len("OpGroupNonUniform"):].startswith(PLAIN)} | set(MOVES)
    if not m.has(*arith):
        return False
    f, u, b = m.declare("OpTypeFloat", "32"), m.declare("OpTypeInt", "32", "0"), m.declare("OpTypeBool")
    v4 = m.type_of(m.input("FragCoord"))
    coord = m.input("FragCoord")
    vec = next(w[1] for _, r, op, w in m.all() if r == v4 and op == "OpTypePointer")
    big = m.uint(1 << 30)
    types = {}
    for i, r, op, w in list(m.all()):
        if op in arith:
            at = 3 if len(w) > 3 and w[2] in ("Reduce", "InclusiveScan", "ExclusiveScan", "ClusteredReduce") else 2
            types[r] = (at, m.declare("OpConstantNull", m.type_of(w[at])), m.type_of(w[at]))
    out = []
    for i, r, op, w in m.all():
        if r in types:
            at, null, type_ = types[r]
            c, x, n, k, s = (m.new() for _ in range(5))
            out += [f"{c} = OpLoad {vec} {coord}", f"{x} = OpCompositeExtract {f} {c} 0", f"{n} = OpConvertFToU {u} {x}",
                    f"{k} = OpULessThan {b} {n} {big}", f"{s} = OpSelect {type_} {k} {w[at]} {null}"]
            w = w[:at] + [s] + w[at + 1:]
            out.append(f"{r} = {op} {' '.join(w)}")
        else:
            out.append(m.lines[i])
    m.lines = out
    return True


def repair_store(m):
    """Replaces stores to buffers by atomic exchanges."""
    u = m.declare("OpTypeInt", "32", "0")
    pointers = {r for _, r, op, w in m.all() if op == "OpTypePointer" and w == ["StorageBuffer", u]}
    places = {r for _, r, op, w in m.all() if op == "OpAccessChain" and w[0] in pointers}
    scope, none = m.uint(1), m.uint(0)
    for i, r, op, w in list(m.all()):
        if op == "OpStore" and w[0] in places:
            m.lines[i] = f"{m.new()} = OpAtomicExchange {u} {w[0]} {scope} {none} {w[1]}"
    return True


def repair_votes(m):
    """A vote of the subgroup for each one of the quad: a control, which has another result."""
    if not m.has("OpGroupNonUniformQuadAnyKHR", "OpGroupNonUniformQuadAllKHR"):
        return False
    scope = m.uint(3)  # before the loop: it may insert lines
    m.capability("GroupNonUniformVote")
    for i, _, op, w in list(m.all()):
        if op in ("OpGroupNonUniformQuadAnyKHR", "OpGroupNonUniformQuadAllKHR"):
            m.lines[i] = m.lines[i].replace(op, op.replace("Quad", "").replace("KHR", "")).replace(
                w[0] + " ", f"{w[0]} {scope} ", 1)
    return True


def repair_truth(m):
    """An or for each exclusive-or of bools over the subgroup: a control, which has another result."""
    found = False
    for i, _, op, _ in list(m.all()):
        if op == "OpGroupNonUniformLogicalXor":
            m.lines[i] = m.lines[i].replace(op, "OpGroupNonUniformLogicalOr")
            found = True
    return found


def repair_promised(m):
    """Judges by what any SPIR-V promises, if the target promises no more and was judged as if it did."""
    for i, line in enumerate(m.lines):
        if line == "; model assumed-maximal":
            m.lines[i] = "; model workgroup-uniform"
            return True
    return False


def repair_asked(m):
    """Queries helper invocations by OpIsHelperInvocationEXT instead of the built-in."""
    helper = m.input("HelperInvocation")
    found = False
    for i, r, op, w in list(m.all()):
        if op == "OpLoad" and w[1] == helper and len(w) > 2:
            m.lines[i] = f"{r} = OpIsHelperInvocationEXT {w[0]}"
            found = True
    if found:
        m.capability("DemoteToHelperInvocationEXT")
        if '"SPV_EXT_demote_to_helper_invocation"' not in m.text():
            m.lines.insert(m.first("OpMemoryModel"), 'OpExtension "SPV_EXT_demote_to_helper_invocation"')
    return found


def any_live(m, b, scope, helper, goes=None):
    """Returns lines and the id of a condition: is any invocation here that is not a helper, and for which `goes` holds?"""
    h, live, any_, lines = m.new(), m.new(), m.new(), []
    lines.append(f"{h} = OpIsHelperInvocationEXT {b}" if "OpDemoteToHelperInvocation" in m.text() else f"{h} = OpLoad {b} {helper}")
    lines.append(f"{live} = OpLogicalNot {b} {h}")
    if goes:
        both = m.new()
        lines.append(f"{both} = OpLogicalAnd {b} {goes} {live}")
        live = both
    return lines + [f"{any_} = OpGroupNonUniformAny {b} {scope} {live}"], any_


def written(m):
    """Returns {merge block: types and names of the variables that its construct writes}."""
    pointers = {r: w[1] for _, r, op, w in m.all() if op == "OpTypePointer" and w[0] in ("Function", "Private")}
    variables = {r: pointers[w[0]] for _, r, op, w in m.all() if op == "OpVariable" and w[0] in pointers}
    open_, stored = [], {}
    for _, r, op, w in m.all():
        if op == "OpLabel":
            open_ = [] if r in open_ and open_.index(r) == 0 else open_[:open_.index(r)] if r in open_ else open_
        elif op in ("OpLoopMerge", "OpSelectionMerge"):
            open_.append(w[0])
        elif op == "OpStore" and w[0] in variables:
            for merge in open_:
                stored.setdefault(merge, set()).add((variables[w[0]], w[0]))
    return stored


def model_of(m, end, skip):
    """Models a loop that ends when only helper invocations would continue: `end` at an iteration's end, `skip` at its test. For
    invocations removed by `skip`, variables that the loop writes are 0 afterwards. False if the module has no such place."""
    loops, block = {}, None
    for _, r, op, w in m.all():
        if op == "OpLabel":
            block = r
        elif op == "OpLoopMerge":
            loops[block] = w[0]
    b, scope, helper = m.declare("OpTypeBool"), m.uint(3), m.input("HelperInvocation")
    m.capability("GroupNonUniformVote")
    stored = written(m) if skip else {}
    for type_, _ in {v for vs in stored.values() for v in vs}:
        m.declare("OpConstantNull", type_)
    merges, added, seen, out, block, found = set(loops.values()), {}, set(), [], None, False
    for i, r, op, w in m.all():
        line, lines = m.lines[i], []
        if op == "OpLabel":
            block = r
            seen.add(r)
        back = [x for x in w if x in loops and x in seen] if op in ("OpBranch", "OpBranchConditional") else []
        leave = op == "OpBranchConditional" and len(merges & set(w[1:3])) == 1
        if op == "OpBranch" and back and end:
            lines, go = any_live(m, b, scope, helper)
            line = f"OpBranchConditional {go} {back[0]} {loops[back[0]]}"
            added.setdefault(loops[back[0]], []).append(block)
        elif leave and (end if back else skip):
            away = 1 + [x in merges for x in w[1:3]].index(True)
            stay, go = m.new(), m.new()
            lines = [f"{stay} = OpLogicalNot {b} {w[0]}" if away == 1 else f"{stay} = OpLogicalOr {b} {w[0]} {w[0]}"]
            more, any_ = any_live(m, b, scope, helper, stay)
            lines += more + [f"{go} = OpLogicalAnd {b} {stay} {any_}"]
            lost, writes = m.new(), sorted(stored.get(w[away], ()))
            if writes:
                lines.append(f"{lost} = OpLogicalNotEqual {b} {stay} {go}")
            for type_, var in writes:
                old, new = m.new(), m.new()
                lines += [f"{old} = OpLoad {type_} {var}", f"{new} = OpSelect {type_} {lost} {m.find('OpConstantNull', type_)} {old}",
                          f"OpStore {var} {new}"]
            line = f"OpBranchConditional {go} {w[3 - away]} {w[away]}"
        if lines:
            found = True
            at = len(out) - 1 if out[-1].split()[0] in ("OpLoopMerge", "OpSelectionMerge") else len(out)
            out[at:at] = lines
        out.append(line)
    m.lines, block = out, None
    for _, r, op, w in list(m.all()):
        if op == "OpLabel":
            block = r
        elif op == "OpPhi" and block in added:
            null = m.declare("OpConstantNull", w[0])
            i = next(k for k, x, _, _ in m.all() if x == r)
            m.lines[i] += "".join(f" {null} {pred}" for pred in added[block])
    return found


REPAIRS = {"first": repair_first, "demote": repair_demote, "quads": repair_quads, "uniform": repair_uniform, "store": repair_store,
           "asked": repair_asked, "promised": repair_promised, "votes": repair_votes, "truth": repair_truth}
MODELS = {"loop": (True, False), "skip": (False, True), "loop-skip": (True, True)}
# The repairs and models to try per target, the likelier ones first.
TRIED = {"lavapipe-26.2": ["first", "quads", "uniform", "loop", "skip", "loop-skip", "demote", "store"],
         "lavapipe": ["demote", "first", "uniform", "loop", "skip", "store"], "swiftshader": ["asked", "demote", "promised"],
         "anv": ["store", "truth", "votes", "demote"],
         "spirv-opt": ["asked", "demote", "first", "uniform"]}


def replay(tf, target, paths):
    """Returns {path: agrees, or the class of the mismatch}."""
    said = {}
    for at in range(0, len(paths), 40):
        run = subprocess.run([tf, "replay", "-t", target, "-f", "json", *paths[at:at + 40]], text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, check=False)
        for line in run.stdout.splitlines():
            d = json.loads(line)
            if d["type"] == "check":
                said[d["file"]] = d["targets"][0]["class"] if d["targets"] else d["outcome"]
    return said


def modelled(tf, text, case, model, path):
    """Returns the repaired case `case` with the words that a model predicts; None if the model changes nothing."""
    cover = re.search(r"^; coverage (\S+)", text, re.M).group(1)
    rows = re.search(rf"^; expect {cover} .*$", text, re.M).group(0)
    m = Module(case)
    if not model_of(m, *MODELS[model]):
        return None
    with open(path, "w", encoding="utf-8") as file:
        file.write(m.text().replace("; coverage ", rows + "\n; coverage ", 1))
    run = subprocess.run([tf, "predict", path], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if run.returncode:
        return None
    words = "".join("; expect " + line[len("memory "):] + "\n" for line in run.stdout.splitlines())
    return case.replace("; coverage ", words + "; coverage ", 1)


def edited(tf, text, names, path):
    """Writes the case, edited by `names`, to `path`; None if one of them finds nothing to edit."""
    m = Module(text)
    if not all(REPAIRS[n](m) for n in names if n in REPAIRS):
        return None
    case = m.text()
    for model in (n for n in names if n in MODELS):
        case = case and modelled(tf, text, case, model, path)
    if case:
        with open(path, "w", encoding="utf-8") as file:
            file.write(case)
    return case and path


def read(campaign):
    """Returns {finding: its target and the text of its case}."""
    found = {}
    for name in sorted(os.listdir(os.path.join(campaign, "findings"))):
        at = os.path.join(campaign, "findings", name)
        with open(os.path.join(at, "finding.json"), encoding="utf-8") as file:
            target = json.load(file)["target"]
        with open(os.path.join(at, "case.spvasm"), encoding="utf-8") as file:
            found[name] = (target, file.read())
    return found


def causes_of(tf, folder, campaign):
    """Returns {finding: its causes joined by +, `gone` if the target is right now, or its class if nothing fits}."""
    found, causes, classes = read(campaign), {}, {}
    tried = {}
    for name, (target, _) in found.items():
        family = re.search(r"driver=([^,]+)", target) or re.search(r"^([^:]+)", target)
        tried[name] = TRIED[family.group(1)]
    for size in range(3):
        for names in dict.fromkeys(c for t in tried.values() for c in itertools.combinations(t, size)):
            if {"demote", "quads"} <= set(names) or sum(n in MODELS for n in names) > 1 or (size > 1 and "promised" in names):
                continue
            runs = {}
            for name, (target, text) in found.items():
                if name not in causes and set(names) <= set(tried[name]) and classes.get(name) not in ("crash", "invalid-output"):
                    path = os.path.join(folder, f"{os.path.basename(campaign)}-{name}-{'+'.join(names) or 'plain'}.spvasm")
                    if edited(tf, text, names, path):
                        runs.setdefault(target, {})[path] = name
            for target, paths in runs.items():
                for path, said in replay(tf, target, sorted(paths)).items():
                    if not names:
                        classes[paths[path]] = said
                    # Undefined under a weaker model: nothing was promised.
                    if said == "agrees" or (said == "undefined" and names == ("promised",)):
                        causes[paths[path]] = "+".join(names) or "gone"
            print(f"{campaign}: {'+'.join(names) or 'plain'}: {len(found) - len(causes)} of {len(found)} left", file=sys.stderr)
            if len(causes) == len(found):
                return causes
    return {name: causes.get(name, f"none ({classes.get(name)})") for name in found}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tf, folder = os.environ.get("TANGLEFUZZ", "build/release/tanglefuzz"), sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    print("| campaign | findings | causes |\n| --- | ---: | --- |")
    with open(os.path.join(folder, "causes.txt"), "w", encoding="utf-8") as list_:
        for campaign in (c.rstrip("/") for c in sys.argv[2:]):
            causes = causes_of(tf, folder, campaign)
            for name, cause in sorted(causes.items()):
                print(campaign, name, cause, file=list_, flush=True)
            counts = {c: list(causes.values()).count(c) for c in causes.values()}
            said = ", ".join(f"{n} {c}" for c, n in sorted(counts.items(), key=lambda x: (-x[1], x[0])))
            print(f"| {os.path.basename(campaign)} | {len(causes)} | {said} |", flush=True)


main()
