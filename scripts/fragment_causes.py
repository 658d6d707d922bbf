#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which known cause each finding of a fragment campaign has: its module is repaired of one cause at a time and run again.

usage: scripts/fragment_causes.py FOLDER CAMPAIGN... >table.md    FOLDER: where edited cases are written
needs: build/release (TANGLEFUZZ: another program) and the campaigns' targets

A repair keeps what the module means (but `demote`, which leaves the demotes out) and keeps away from what the driver does
wrong; the oracle judges the edited module anew. A finding that a set of repairs mends, and no smaller set of them, has the
causes of that set. `loop` is no repair: the oracle runs a module that leaves a loop as soon as only helper invocations would
go on, and its words are compared with what the driver left for the module as it is.
"""
import itertools
import json
import os
import re
import subprocess
import sys


class Module:
    """Lines of a case's assembly; edits in place. One instruction a line."""

    def __init__(self, text):
        self.lines = [line.rstrip() for line in text.splitlines() if not line.startswith("; expect")]
        self.next = 1 + max([int(n) for n in re.findall(r"%(\d+)\b", text)] + [900000])

    def words(self, i):
        """result, opcode, operands of line i"""
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
        """the id of a type, constant or variable, declared before the first function where it is not there yet"""
        r = None if op == "OpVariable" else self.find(op, *operands)
        if not r:
            r = self.new()
            self.lines.insert(self.first("OpFunction"), f"{r} = {op} {' '.join(operands)}")
        return r

    def uint(self, value):
        return self.declare("OpConstant", self.declare("OpTypeInt", "32", "0"), str(value))

    def input(self, name):
        """the id of an input variable, as a parameter-free OpLoad's operand"""
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
    """lines and the id of the number of the first active invocation"""
    u, b = m.declare("OpTypeInt", "32", "0"), m.declare("OpTypeBool")
    v4, scope, yes = m.declare("OpTypeVector", u, "4"), m.uint(3), m.declare("OpConstantTrue", b)
    ballot, low = m.new(), m.new()
    return [f"{ballot} = OpGroupNonUniformBallot {v4} {scope} {yes}",
            f"{low} = OpGroupNonUniformBallotFindLSB {u} {scope} {ballot}"], low


def repair_first(m):
    """BroadcastFirst and Elect by a ballot of true and a shuffle"""
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
    """without demotes"""
    n = len(m.lines)
    m.lines = [m.lines[i] for i, _, op, _ in m.all() if op != "OpDemoteToHelperInvocation"]
    return len(m.lines) < n


def repair_quads(m):
    """with full quads, where there is a demote"""
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
    """operands of arithmetic and moves are selected by a condition that holds, which no compiler knows to be uniform"""
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
    """a store to a buffer is an atomic exchange"""
    u = m.declare("OpTypeInt", "32", "0")
    pointers = {r for _, r, op, w in m.all() if op == "OpTypePointer" and w == ["StorageBuffer", u]}
    places = {r for _, r, op, w in m.all() if op == "OpAccessChain" and w[0] in pointers}
    scope, none = m.uint(1), m.uint(0)
    for i, r, op, w in list(m.all()):
        if op == "OpStore" and w[0] in places:
            m.lines[i] = f"{m.new()} = OpAtomicExchange {u} {w[0]} {scope} {none} {w[1]}"
    return True


def repair_values(m):
    """a value that another block uses goes through a variable"""
    defined, users, blocks = {}, {}, {}
    block, function, changed = None, None, False
    pointers = {r for _, r, op, _ in m.all() if op in ("OpTypePointer", "OpTypeVoid", "OpTypeFunction")}
    for i, r, op, w in m.all():
        if op == "OpFunction":
            function = r
        elif op == "OpLabel":
            block = r
        elif op == "OpFunctionEnd":
            function = None
        elif function and block and r and w and w[0] not in pointers and op not in ("OpVariable", "OpFunctionParameter"):
            defined[r] = (block, w[0], function)
        blocks[i] = block
    for i, r, op, w in m.all():
        if op == "OpPhi":
            for value, pred in zip(w[1::2], w[2::2]):
                if value in defined:
                    users.setdefault(value, set()).add(pred)
        else:
            for v in w:
                if v in defined:
                    users.setdefault(v, set()).add(blocks[i])
    through = {v: d for v, d in defined.items() if users.get(v, set()) - {d[0]} or
               any(r == v and op == "OpPhi" for _, r, op, _ in m.all())}
    var = {v: m.new() for v in through}
    for type_ in sorted({d[1] for d in through.values()}):
        m.declare("OpTypePointer", "Function", type_)
    out, block, function, ends, waiting, fresh = [], None, None, {}, [], False
    needs = {}
    for i, r, op, w in m.all():
        if op == "OpPhi":
            for value, pred in zip(w[1::2], w[2::2]):
                if value in through and through[value][0] != pred:
                    needs.setdefault(pred, {})[value] = m.new()
    for i, r, op, w in m.all():
        line = m.lines[i]
        if op == "OpFunction":
            function, fresh = r, True
        if op == "OpLabel":
            block = r
            ends = {}
        if op in ("OpSelectionMerge", "OpLoopMerge") or (op in ("OpBranch", "OpBranchConditional", "OpSwitch", "OpReturn",
                  "OpReturnValue", "OpKill", "OpTerminateInvocation", "OpUnreachable") and "Merge" not in out[-1].split()[0]):
            for value, name in needs.get(block, {}).items():
                out.append(f"{name} = OpLoad {through[value][1]} {var[value]}")
        if op == "OpPhi":
            w = [w[0]] + [x for value, pred in zip(w[1::2], w[2::2]) for x in (needs.get(pred, {}).get(value, value), pred)]
            line = f"{r} = OpPhi {' '.join(w)}"
        elif function and block and op not in ("OpFunction", "OpLabel", "OpLoopMerge", "OpSelectionMerge", "OpVariable"):
            loads, new = [], []
            for v in w:
                if v in through and through[v][0] != block:
                    x = m.new()
                    loads.append(f"{x} = OpLoad {through[v][1]} {var[v]}")
                    new.append(x)
                else:
                    new.append(v)
            if loads:
                changed = True
                at = len(out) - 1 if out[-1].split()[0] in ("OpSelectionMerge", "OpLoopMerge") else len(out)
                out[at:at] = loads
                line = (f"{r} = " if r else "") + op + " " + " ".join(new)
        if op != "OpPhi" and waiting and op not in ("OpVariable",):
            out += waiting
            waiting = []
        out.append(line)
        if op == "OpLabel" and fresh:
            fresh = False
            for v, d in through.items():
                if d[2] == function:
                    out.append(f"{var[v]} = OpVariable {m.find('OpTypePointer', 'Function', d[1])} Function")
        if r in through:
            waiting.append(f"OpStore {var[r]} {r}")
            if op != "OpPhi":
                out += waiting
                waiting = []
    m.lines = out
    return changed


def repair_promised(m):
    """judged by what any SPIR-V promises, where the target promises no more and was judged as if it did"""
    for i, line in enumerate(m.lines):
        if line == "; model assumed-maximal":
            m.lines[i] = "; model workgroup-uniform"
            return True
    return False


def repair_asked(m):
    """who is a helper is asked by OpIsHelperInvocationEXT, and no longer by the built-in"""
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
    """lines and the id of: does anybody who is no helper, and of whom `goes` holds, stand here?"""
    h, live, any_, lines = m.new(), m.new(), m.new(), []
    lines.append(f"{h} = OpIsHelperInvocationEXT {b}" if "OpDemoteToHelperInvocation" in m.text() else f"{h} = OpLoad {b} {helper}")
    lines.append(f"{live} = OpLogicalNot {b} {h}")
    if goes:
        both = m.new()
        lines.append(f"{both} = OpLogicalAnd {b} {goes} {live}")
        live = both
    return lines + [f"{any_} = OpGroupNonUniformAny {b} {scope} {live}"], any_


def written(m):
    """{merge block: types and names of the variables that its construct writes}"""
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


def model_loop(m, where):
    """a loop is left where only helper invocations would go on: `end` of an iteration, or at a test (`head`), or both;
    `side`: a side of a selection that they alone would take is not run; `zero`: what they would have written there is 0"""
    loops, block = {}, None
    for _, r, op, w in m.all():
        if op == "OpLabel":
            block = r
        elif op == "OpLoopMerge":
            loops[block] = w[0]
    merges, extra, seen, out, block, found, skip = set(loops.values()), {}, set(), [], None, False, None
    b, scope, helper = m.declare("OpTypeBool"), m.uint(3), m.input("HelperInvocation")
    m.capability("GroupNonUniformVote")
    stored = written(m) if "zero" in where or "each" in where else {}
    each = [at == "1" for at in where[-1]] if "each" in where else []
    if each and len(each) != len(loops):
        return False
    zeroed = {merge: each[k] if each else "zero" in where for k, merge in enumerate(loops.values())}
    for t, _ in {v for vs in stored.values() for v in vs}:
        m.declare("OpConstantNull", t)
    for i, r, op, w in m.all():
        line = m.lines[i]
        if op == "OpLabel":
            block = r
            seen.add(r)
        elif op == "OpSelectionMerge":
            skip = w[0]
        back = [x for x in w if x in loops and x in seen] if op in ("OpBranch", "OpBranchConditional") else []
        leave = op == "OpBranchConditional" and len(merges & set(w[1:3])) == 1
        passes = op == "OpBranchConditional" and out[-1].split()[0] == "OpSelectionMerge" and skip in w[1:3]
        lines = []
        if op == "OpBranch" and back and ("end" in where or each and not zeroed[loops[back[0]]]):
            lines, go = any_live(m, b, scope, helper)
            line = f"OpBranchConditional {go} {back[0]} {loops[back[0]]}"
            extra.setdefault(loops[back[0]], []).append(block)
        elif (back and op != "OpBranch" and ("end" in where or each and not zeroed[loops[back[0]]])) or (
                leave and not back and ("head" in where or each and zeroed[(merges & set(w[1:3])).pop()])) or (
                passes and not leave and "side" in where):
            out_at = 1 + [x in merges | {skip} for x in w[1:3]].index(True)
            to = w[3 - out_at]
            stay, go = m.new(), m.new()
            lines = [f"{stay} = OpLogicalNot {b} {w[0]}" if out_at == 1 else f"{stay} = OpLogicalOr {b} {w[0]} {w[0]}"]
            more, any_ = any_live(m, b, scope, helper, stay)
            lines += more + [f"{go} = OpLogicalAnd {b} {stay} {any_}"]
            lost = m.new()
            writes = sorted(stored.get(w[out_at], ())) if zeroed.get(w[out_at], "zero" in where) else []
            if writes:
                lines.append(f"{lost} = OpLogicalNotEqual {b} {stay} {go}")
            for type_, var in writes:
                old, new = m.new(), m.new()
                lines += [f"{old} = OpLoad {type_} {var}", f"{new} = OpSelect {type_} {lost} {m.find('OpConstantNull', type_)} {old}",
                          f"OpStore {var} {new}"]
            line = f"OpBranchConditional {go} {to} {w[out_at]}"
        if lines:
            found = True
            at = len(out) - 1 if out[-1].split()[0] in ("OpLoopMerge", "OpSelectionMerge") else len(out)
            out[at:at] = lines
        out.append(line)
    m.lines, block = out, None
    for _, r, op, w in list(m.all()):
        if op == "OpLabel":
            block = r
        elif op == "OpPhi" and block in extra:
            null = m.declare("OpConstantNull", w[0])
            i = next(k for k, x, _, _ in m.all() if x == r)
            m.lines[i] += "".join(f" {null} {pred}" for pred in extra[block])
    return found


MODELS = {"loop": ("end",), "head": ("head",), "loop-head": ("end", "head"), "side": ("side",), "all": ("end", "head", "side"),
          "head0": ("head", "zero"), "loop-head0": ("end", "head", "zero"), "all0": ("end", "head", "side", "zero"),
          **{f"each{bits}": ("each", bits) for bits in ("01", "10", "001", "010", "011", "100", "101", "110")}}
# What is tried on which targets, what is likelier first.
TRIED = {"lavapipe-26.2": ["first", "quads", "uniform", *MODELS, "demote", "store"], "lavapipe": ["demote", "first", "uniform", *MODELS, "store"],
         "swiftshader": ["asked", "demote", "promised", "values"], "spirv-opt": ["asked", "demote", "first", "uniform"]}
REPAIRS = {"first": repair_first, "demote": repair_demote, "quads": repair_quads, "uniform": repair_uniform, "store": repair_store,
           "values": repair_values, "asked": repair_asked, "promised": repair_promised}


def replay(tf, target, paths):
    """{path: agrees, or the class of another answer}"""
    said = {}
    for at in range(0, len(paths), 40):
        run = subprocess.run([tf, "replay", "-t", target, "-f", "json", *paths[at:at + 40]], text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, check=False)
        for line in run.stdout.splitlines():
            d = json.loads(line)
            if d["type"] == "check":
                said[d["file"]] = d["targets"][0]["class"] if d["targets"] else d["outcome"]
    return said


def edited(text, names):
    """the case repaired of all of `names`; None where one of them finds nothing to repair"""
    m = Module(text)
    return m.text() if all(REPAIRS[name](m) for name in names) else None


def modelled(tf, text, case, model, path):
    """the repaired case `case` with the words that a model predicts; None where it changes nothing"""
    cover = re.search(r"^; coverage (\S+)", text, re.M).group(1)
    rows = re.search(rf"^; expect {cover} .*$", text, re.M).group(0)
    m = Module(case)
    if not model_loop(m, MODELS[model]):
        return None
    with open(path, "w", encoding="utf-8") as file:
        file.write(m.text().replace("; coverage ", rows + "\n; coverage ", 1))
    run = subprocess.run([tf, "predict", path], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if run.returncode:
        print(path, run.stderr.strip(), file=sys.stderr)
        return None
    words = "".join("; expect " + line[len("memory "):] + "\n" for line in run.stdout.splitlines())
    return case.replace("; coverage ", words + "; coverage ", 1)


def causes_of(tf, folder, campaign, most):
    """{finding: sorted causes, or what the target says now}, by the smallest set of repairs"""
    found = {}
    for name in sorted(os.listdir(os.path.join(campaign, "findings"))):
        at = os.path.join(campaign, "findings", name)
        with open(os.path.join(at, "finding.json"), encoding="utf-8") as file:
            target = json.load(file)["target"]
        with open(os.path.join(at, "case.spvasm"), encoding="utf-8") as file:
            found[name] = (target, file.read())
    causes, tried = {}, {}
    for size in range(most + 1):
        runs = {}
        for name, (target, text) in found.items():
            if name in causes:
                continue
            family = re.search(r"driver=([^,]+)", target) or re.search(r"^([^:]+)", target)
            for names in itertools.combinations(TRIED[family.group(1)], size):
                if os.environ.get("ONLY") and not set(names) <= set(os.environ["ONLY"].split(",")):
                    continue
                models = [n for n in names if n in MODELS]
                if {"demote", "quads"} <= set(names) or len(models) > 1:
                    continue
                case = edited(text, [n for n in names if n not in MODELS])
                path = os.path.join(folder, f"{os.path.basename(campaign)}-{name}-{'+'.join(names) or 'plain'}.spvasm")
                if case and models:
                    case = modelled(tf, text, case, models[0], path)
                if case:
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(case)
                    runs.setdefault(target, {})[path] = (name, names)
        for target, paths in runs.items():
            for path, said in replay(tf, target, sorted(paths)).items():
                name, names = paths[path]
                tried.setdefault(name, []).append((names, said))
        order = list(REPAIRS) + list(MODELS)
        for name, all_ in tried.items():
            fit = sorted((n for n, said in all_ if said == "agrees" and len(n) == size), key=lambda n: [order.index(x) for x in n])
            if name not in causes and fit:
                causes[name] = fit if size else ["agrees now"]
        print(campaign, size, len(found) - len(causes), "left", file=sys.stderr)
    return found, causes, tried


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tf, folder = os.environ.get("TANGLEFUZZ", "build/release/tanglefuzz"), sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for campaign in sys.argv[2:]:
        found, causes, tried = causes_of(tf, folder, campaign.rstrip("/"), int(os.environ.get("MOST", "2")))
        for name in found:
            c = causes.get(name)
            print(campaign, name, " | ".join("+".join(x) if not isinstance(x, str) else x for x in c) if c else "?",
                  sorted({said for _, said in tried.get(name, [])}))


main()
