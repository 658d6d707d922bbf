#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Determines the known cause of each finding of campaigns: docs/measured/fragment.md, docs/measured/state-of-drivers.md.

usage: scripts/fragment_causes.py FOLDER CAMPAIGN... >table.md    FOLDER: gets the edited cases and each finding's causes
needs: build/release (TANGLEFUZZ: another program) and the campaigns' targets

Repairs a finding's module of one cause, or of two, runs it again and judges it by the oracle. A repair keeps the
module's result (except `demote`, which removes the demotes, and `votes`, `truth` and `cluster`, which change an operation) and avoids what the driver gets wrong. `loop`, `skip` and
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


def buffer_of(m, binding, words):
    """Adds a buffer of zeros; returns the type of a pointer to its words, and its id."""
    u = m.declare("OpTypeInt", "32", "0")
    first = next(i for i, line in enumerate(m.lines) if line.startswith("; buffer "))
    m.lines.insert(first, f"; buffer 0:{binding} zero {words}")
    array, block, to_block, to, var = m.new(), m.new(), m.new(), m.declare("OpTypePointer", "StorageBuffer", u), m.new()
    at = m.first("OpFunction")
    m.lines[at:at] = [f"{array} = OpTypeRuntimeArray {u}", f"{block} = OpTypeStruct {array}",
                      f"{to_block} = OpTypePointer StorageBuffer {block}", f"{var} = OpVariable {to_block} StorageBuffer"]
    at = next(i for i, _, op, _ in m.all() if op.startswith("OpType"))
    m.lines[at:at] = [f"OpDecorate {array} ArrayStride 4", f"OpDecorate {block} Block", f"OpMemberDecorate {block} 0 Offset 0",
                      f"OpDecorate {var} DescriptorSet 0", f"OpDecorate {var} Binding {binding}"]
    if "; Version: 1.3" not in m.text():  # from 1.4 on all variables are named there
        m.interface(var)
    return to, var


def zero_of(m):
    """Adds a buffer of zeros; returns a function that returns the lines and the id of one of them, at the invocation's number. No
    compiler knows that it is 0, nor that it is the same in all invocations."""
    u, lane = m.declare("OpTypeInt", "32", "0"), m.input("SubgroupLocalInvocationId")
    if not lane:
        return None
    to, var = buffer_of(m, 99, 128)
    none = m.uint(0)

    def zero():
        l, p, z = m.new(), m.new(), m.new()
        return [f"{l} = OpLoad {u} {lane}", f"{p} = OpAccessChain {to} {var} {none} {l}", f"{z} = OpLoad {u} {p}"], z
    return zero


def repair_uniform(m):
    """Selects operands of arithmetic and moves by a condition that always holds, but that no compiler knows to be uniform."""
    arith = {op for _, _, op, _ in m.all() if op.startswith("OpGroupNonUniform") and
             not op[len("OpGroupNonUniform"):].startswith(PLAIN)} | set(MOVES)
    if not m.has(*arith):
        return False
    b, zero, none = m.declare("OpTypeBool"), zero_of(m), m.uint(0)
    if not zero:
        return False
    types = {}
    for i, r, op, w in list(m.all()):
        if op in arith:
            at = 3 if len(w) > 3 and w[2] in ("Reduce", "InclusiveScan", "ExclusiveScan", "ClusteredReduce") else 2
            type_ = m.type_of(w[at])
            _, kind, of = next(m.words(k) for k, x, _, _ in m.all() if x == type_)
            kind = next(m.words(k)[1] for k, x, _, _ in m.all() if x == of[0]) if kind == "OpTypeVector" else kind
            types[r] = (at, {"OpTypeBool": "OpLogicalNot", "OpTypeInt": "OpNot", "OpTypeFloat": "OpFNegate"}[kind], type_)
    out = []
    for i, r, op, w in m.all():
        if r in types:
            at, other, type_ = types[r]
            k, n, s = m.new(), m.new(), m.new()
            lines, z = zero()
            out += lines + [f"{k} = OpIEqual {b} {z} {none}", f"{n} = {other} {type_} {w[at]}", f"{s} = OpSelect {type_} {k} {w[at]} {n}"]
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
    """Judges by what any SPIR-V promises: without maximal reconvergence, which the target may not promise."""
    for i, line in enumerate(m.lines):
        if line in ("; model assumed-maximal", "; model maximal"):
            m.lines[i] = "; model workgroup-uniform"
            return True
    return False


def repair_stored(m):
    """Stores the result of each group operation at its place, so that it cannot move out of its loop. For dispatches in x."""
    u, b, v4 = m.declare("OpTypeInt", "32", "0"), m.declare("OpTypeBool"), m.declare("OpTypeVector", m.declare("OpTypeInt", "32", "0"), "4")
    global_, none, one, v3 = m.input("GlobalInvocationId"), m.uint(0), m.uint(1), m.declare("OpTypeVector", u, "3")
    buffer = buffer_of(m, 98, 2048)
    if not global_:
        return False
    out, found = [], False
    for i, r, op, w in m.all():
        out.append(m.lines[i])
        if r and op.startswith("OpGroupNonUniform") and w[0] in (u, b, v4):
            x, at, p, word = m.new(), m.new(), m.new(), m.new()
            out += [f"{x} = OpLoad {v3} {global_}", f"{at} = OpCompositeExtract {u} {x} 0",
                    f"{p} = OpAccessChain {buffer[0]} {buffer[1]} {none} {at}",
                    {u: f"{word} = OpIAdd {u} {r} {none}", b: f"{word} = OpSelect {u} {r} {one} {none}",
                     v4: f"{word} = OpCompositeExtract {u} {r} 0"}[w[0]], f"OpStore {p} {word}"]
            found = True
    m.lines = out
    return found


def repair_cluster(m):
    """A reduction of the subgroup for each one of a cluster: a control, which has another result."""
    found = False
    for i, r, op, w in list(m.all()):
        if w[2:3] == ["ClusteredReduce"]:
            m.lines[i] = f"{r} = {op} {w[0]} {w[1]} Reduce {w[3]}"
            found = True
    return found


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


def repair_equal(m):
    """Compares each component of a vector by an AllEqual of its own."""
    out, found = [], False
    for i, r, op, w in list(m.all()):
        type_ = m.type_of(w[2]) if op == "OpGroupNonUniformAllEqual" else None
        if type_ and m.find("OpTypeVector") and any(x == type_ and o == "OpTypeVector" for _, x, o, _ in m.all()):
            found = True
            of, n = next(v for _, x, o, v in m.all() if x == type_ and o == "OpTypeVector")
            all_ = None
            for k in range(int(n)):
                part, one, both = m.new(), m.new(), m.new()
                out += [f"{part} = OpCompositeExtract {of} {w[2]} {k}", f"{one} = {op} {w[0]} {w[1]} {part}"]
                if all_:
                    out.append(f"{both} = OpLogicalAnd {w[0]} {all_} {one}")
                    all_ = both
                else:
                    all_ = one
            out[-1] = r + out[-1][out[-1].index(" "):]
        else:
            out.append(m.lines[i])
    m.lines = out
    return found


def constructs_of(m, first, last):
    """Returns {label: headers of the loops whose construct holds the block} and {line: label} of the function in these lines."""
    where, go, merges, at = {}, {}, {}, None
    for i in range(first, last):
        r, op, w = m.words(i)
        if op == "OpLabel":
            at = r
            go[at] = []
        elif op == "OpLoopMerge":
            merges[at] = w[0]
        elif op in ("OpBranch", "OpBranchConditional", "OpSwitch"):
            go[at] = [x for x in w[0 if op == "OpBranch" else 1:] if x.startswith("%")]
        where[i] = at

    def reached(without):
        seen, left = set(), [x for x in list(go)[:1] if x != without]
        while left:
            x = left.pop()
            if x not in seen:
                seen.add(x)
                left += [y for y in go[x] if y != without]
        return seen

    all_ = reached(None)
    under = {x: all_ - reached(x) for h, e in merges.items() for x in (h, e)}
    return {b: {h for h in merges if b in under[h] and b not in under[merges[h]]} for b in go}, where


def in_memory(m, zero):
    """Turns variables of one number, vector or bool into arrays of two, at an index that no compiler knows, so that they stay memory."""
    pointers = {r: w for _, r, op, w in m.all() if op == "OpTypePointer" and w[0] in ("Function", "Private")}
    plain = {r for _, r, op, _ in m.all() if op in ("OpTypeInt", "OpTypeFloat", "OpTypeBool", "OpTypeVector")}
    arrays = {p: (m.new(), m.new()) for p, w in pointers.items() if w[1] in plain}
    two, held, out, globals_, index, entry = m.uint(2), {}, [], [], None, False
    for _, r, op, w in list(m.all()):
        if op == "OpVariable" and w[0] in arrays:
            held[r] = w[0]
    for p, (array, to) in arrays.items():
        globals_ += [f"{array} = OpTypeArray {pointers[p][1]} {two}", f"{to} = OpTypePointer {pointers[p][0]} {array}"]
    for i, r, op, w in m.all():
        line = m.lines[i]
        if op == "OpFunction":
            entry = True
        elif entry and op and op not in ("OpFunctionParameter", "OpLabel", "OpVariable"):
            lines, index = zero()
            out += lines
            entry = False
        if op == "OpVariable" and r in held:
            line = f"{r} = OpVariable {arrays[w[0]][1]} {w[1]}"
            if len(w) > 2:
                both = m.new()
                globals_.append(f"{both} = OpConstantComposite {arrays[w[0]][0]} {w[2]} {w[2]}")
                line += " " + both
            if w[1] == "Private":
                globals_.append(line)
                continue
        elif op in ("OpLoad", "OpStore") and w[op == "OpLoad"] in held:
            k, place = int(op == "OpLoad"), m.new()
            out.append(f"{place} = OpAccessChain {held[w[k]]} {w[k]} {index}")
            w[k] = place
            line = (f"{r} = " if r else "") + " ".join([op, *w])
        out.append(line)
    m.lines = out
    first = m.first("OpFunction")
    m.lines[first:first] = globals_
    return bool(held)


def repair_values(m):
    """Keeps variables, and values that leave loops, in memory: an array of two, at an index that no compiler knows to be 0."""
    zero = zero_of(m)
    found, two, at = zero is not None and in_memory(m, zero), m.uint(2), 0
    while zero:
        at = next((i for i in range(at, len(m.lines)) if m.words(i)[1] == "OpFunction"), None)
        if at is None:
            break
        end = next(i for i in range(at, len(m.lines)) if m.words(i)[1] == "OpFunctionEnd")
        if not any(m.words(i)[1] == "OpLabel" for i in range(at, end)):
            at = end
            continue
        inside, where = constructs_of(m, at, end)
        made = {m.words(i)[0]: i for i in range(at, end) if m.words(i)[0] and m.words(i)[1] not in ("OpLabel", "OpFunction", "OpVariable")}
        pointers = {r for r, i in made.items() if m.words(i)[1] == "OpAccessChain"}
        kept, lines = {}, []

        def leaves(x, to):
            return x in made and where[made[x]] and to and not inside[where[made[x]]] <= inside[to]

        def loaded(x, before):
            """Returns the id of x, made again (a pointer) or loaded, by lines that it adds to `before`."""
            new = m.new()
            if x in pointers:
                w = m.words(made[x])[2]
                before.append(f"{new} = OpAccessChain {w[0]} {w[1]} " + " ".join(loaded(y, before) if leaves(y, to) else y for y in w[2:]))
            else:
                kept.setdefault(x, (m.new(), m.type_of(x)))
                p = m.new()
                before += [f"{p} = OpAccessChain @{x} {kept[x][0]} @index", f"{new} = OpLoad {kept[x][1]} {p}"]
            return new

        ends = {}
        for i in range(at, end):
            r, op, w = m.words(i)
            before = []
            if op == "OpPhi":
                for k in range(1, len(w), 2):
                    to = w[k + 1]
                    if leaves(w[k], to):
                        w[k] = loaded(w[k], ends.setdefault(to, []))
            elif op:
                to = where[i]
                w = [loaded(x, before) if x.startswith("%") and leaves(x, to) else x for x in w]
            if before or op == "OpPhi":
                line = (f"{r} = " if r else "") + " ".join([op, *w])
            else:
                line = m.lines[i]
            lines.append((i, before, line))
        if not kept:
            at = end
            continue
        found = True
        out, entry, held = [], True, []
        first_lines, index = zero()
        types = {x: (m.new(), m.new(), m.new()) for x in kept}
        for i, before, line in lines:
            r, op, w = m.words(i)
            if op in ("OpLoopMerge", "OpSelectionMerge"):
                held = [line]
                # What its branch needs stands before the merge instruction.
                out += before
                continue
            if op in ("OpBranch", "OpBranchConditional", "OpSwitch", "OpReturn", "OpReturnValue", "OpUnreachable", "OpKill"):
                out += before + ends.get(where[i], []) + held + [line]
                held = []
                continue
            out += before + [line]
            if op == "OpLabel" and entry:
                entry = False
                out += [f"{kept[x][0]} = OpVariable {types[x][1]} Function" for x in kept]
                start = len(out)
            if r in kept and op != "OpPhi":
                p = m.new()
                out += [f"{p} = OpAccessChain {types[r][2]} {kept[r][0]} {index}", f"OpStore {p} {r}"]
        # After the variables of the first block; stores of phis after the last phi of their block.
        while out[start].split()[2:3] == ["OpVariable"]:
            start += 1
        out[start:start] = first_lines
        for x in kept:
            if m.words(made[x])[1] == "OpPhi":
                k = next(k for k, line in enumerate(out) if line.split()[:1] == [x]) + 1
                while out[k].split()[2:3] == ["OpPhi"]:
                    k += 1
                p = m.new()
                out[k:k] = [f"{p} = OpAccessChain {types[x][2]} {kept[x][0]} {index}", f"OpStore {p} {x}"]
        for x in kept:
            out = [line.replace(f"@{x} ", types[x][2] + " ") for line in out]
        out = [line.replace("@index", index) for line in out]
        more = []
        for x in kept:
            array, to, part = types[x]
            more += [f"{array} = OpTypeArray {kept[x][1]} {two}", f"{to} = OpTypePointer Function {array}"]
            have = m.find("OpTypePointer", "Function", kept[x][1]) or next(
                (line.split()[0] for line in more if line.split()[2:] == ["OpTypePointer", "Function", kept[x][1]]), None)
            if have:
                out = [re.sub(re.escape(part) + r"\b", have, line) for line in out]
            else:
                more.append(f"{part} = OpTypePointer Function {kept[x][1]}")
        m.lines[at:end] = out
        first = m.first("OpFunction")
        m.lines[first:first] = more
        at += len(more) + len(out)
    return found


REPAIRS = {"first": repair_first, "demote": repair_demote, "quads": repair_quads, "uniform": repair_uniform, "store": repair_store,
           "asked": repair_asked, "promised": repair_promised, "votes": repair_votes, "truth": repair_truth,
           "values": repair_values, "equal": repair_equal, "cluster": repair_cluster, "stored": repair_stored}
MODELS = {"loop": (True, False), "skip": (False, True), "loop-skip": (True, True)}
# The repairs and models to try per target, the likelier ones first.
TRIED = {"lavapipe-26.2": ["first", "quads", "uniform", "loop", "skip", "loop-skip", "demote", "store"],
         "lavapipe": ["demote", "first", "uniform", "loop", "skip", "store"], "swiftshader": ["asked", "values", "equal", "demote", "promised"],
         "isa": ["promised"], "turnip": ["uniform", "values", "promised"],
         "anv": ["store", "truth", "votes", "demote"], "ocloc": ["cluster", "stored", "promised"],
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
        family = re.search(r"driver=([^,]+)", target) or re.search(r"(ocloc):", target) or re.search(r"^([^:]+)", target)
        tried[name] = TRIED[family.group(1)]
    for size in range(3):
        for names in dict.fromkeys(c for t in tried.values() for c in itertools.combinations(t, size)):
            if {"demote", "quads"} <= set(names) or sum(n in MODELS for n in names) > 1 or (
                    size > 1 and "promised" in names and names != ("values", "promised")):
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
