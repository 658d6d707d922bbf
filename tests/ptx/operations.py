#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes two cases for the printer of PTX: each instruction (arithmetic.spvasm), each group operation (groups.spvasm).

usage: tests/ptx/operations.py FOLDER

Each result is stored. Where a result is undefined, the oracle does not compare it.
"""
import sys

LANES = 32
VECTORS = (2, 3, 4)
CLUSTERS = (1, 2, 4, 8, 16, 32)


class Case:
    """The entry point of a case, which is written line by line."""

    def __init__(self, capabilities=(), extensions=()):
        self.capabilities = ["Shader", "GroupNonUniform", "GroupNonUniformBallot", *capabilities]
        self.extensions, self.code, self.numbers, self.ids, self.stored = extensions, [], {}, 0, 0
        self.declared = ["%void = OpTypeVoid", "%fn = OpTypeFunction %void", "%bool = OpTypeBool",
                         "%uint = OpTypeInt 32 0", "%int = OpTypeInt 32 1"]
        for n in VECTORS:
            self.declared += [f"%uint{n} = OpTypeVector %uint {n}", f"%bool{n} = OpTypeVector %bool {n}"]
        self.declared += ["%in = OpTypePointer Input %uint", "%lane_in = OpVariable %in Input",
                          "%words = OpTypeRuntimeArray %uint", "%block = OpTypeStruct %words",
                          "%to_block = OpTypePointer StorageBuffer %block", "%to_word = OpTypePointer StorageBuffer %uint",
                          "%out = OpVariable %to_block StorageBuffer", "%true = OpConstantTrue %bool", "%false = OpConstantFalse %bool"]
        self.lane = self.op("uint", "Load", "%lane_in")

    def number(self, value):
        if value not in self.numbers:
            self.numbers[value] = f"%n{value}"
            self.declared.append(f"%n{value} = OpConstant %uint {value}")
        return self.numbers[value]

    def op(self, kind, name, *operands):
        """Adds an instruction; ints are constants. Returns its id."""
        self.ids += 1
        self.code.append(f"%r{self.ids} = Op{name} %{kind} " + " ".join(self.number(o) if isinstance(o, int) else o for o in operands))
        return f"%r{self.ids}"

    def group(self, kind, name, *operands):
        return self.op(kind, "GroupNonUniform" + name, 3, *operands)

    def store(self, kind, value):
        """Stores a word for each lane and component. Returns where a word is."""
        if kind[-1].isdigit():
            for i in range(int(kind[-1])):
                self.store(kind[:-1], self.op(kind[:-1], "CompositeExtract", value, str(i)))
            return None
        if kind == "bool":
            value = self.op("uint", "Select", value, 7, 11)
        at = self.op("uint", "IAdd", self.lane, LANES * self.stored)
        place = self.op("to_word", "AccessChain", "%out", 0, at)
        self.code.append(f"OpStore {place} {value}")
        self.stored += 1
        return place

    def keep(self, kind, name, *operands):
        self.store(kind, self.op(kind, name, *operands))

    def keep_group(self, kind, name, *operands):
        self.store(kind, self.group(kind, name, *operands))

    def write(self, path):
        lines = ["; tanglefuzz-case 1", "; dispatch 1 1 1", "; subgroup 32", "; model assumed-maximal",
                 f"; buffer 0:0 zero {LANES * self.stored}", ""]
        lines += [f"OpCapability {c}" for c in self.capabilities] + [f'OpExtension "{e}"' for e in self.extensions]
        lines += ["OpMemoryModel Logical GLSL450", 'OpEntryPoint GLCompute %main "main" %lane_in %out',
                  f"OpExecutionMode %main LocalSize {LANES} 1 1", "OpDecorate %lane_in BuiltIn SubgroupLocalInvocationId",
                  "OpDecorate %words ArrayStride 4", "OpDecorate %block Block", "OpMemberDecorate %block 0 Offset 0",
                  "OpDecorate %out DescriptorSet 0", "OpDecorate %out Binding 0"]
        lines += self.declared + ["%main = OpFunction %void None %fn", "%entry = OpLabel"] + self.code
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines + ["OpReturn", "OpFunctionEnd"]) + "\n")


def conditions(c):
    """Returns two bools that differ between lanes."""
    return c.op("bool", "IEqual", c.op("uint", "BitwiseAnd", c.lane, 1), 1), c.op("bool", "ULessThan", c.lane, 9)


def arithmetic():
    c = Case()
    a, b = c.op("uint", "IMul", c.lane, 0x9e3779b1), c.op("uint", "IAdd", c.lane, 3)
    shift = c.op("uint", "BitwiseAnd", a, 31)
    odd, low = conditions(c)
    for name in ("IAdd", "ISub", "IMul", "UDiv", "SDiv", "UMod", "SRem", "BitwiseAnd", "BitwiseOr", "BitwiseXor"):
        c.keep("uint", name, a, b)
    for name in ("ShiftLeftLogical", "ShiftRightLogical", "ShiftRightArithmetic"):
        c.keep("uint", name, a, shift)
    c.keep("uint", "IAdd", c.op("uint", "Load", c.store("uint", a)), b)
    c.keep("uint", "ISub", 5, a)
    c.keep("uint", "UDiv", a, 7)
    for name in ("Not", "SNegate", "BitCount", "CopyObject"):
        c.keep("uint", name, a)
    part = c.op("uint", "ShiftRightLogical", a, shift)
    for name in ("IEqual", "INotEqual", "ULessThan", "ULessThanEqual", "UGreaterThan", "UGreaterThanEqual",
                 "SLessThan", "SLessThanEqual", "SGreaterThan", "SGreaterThanEqual"):
        c.keep("bool", name, a, part)
    for name in ("LogicalAnd", "LogicalOr", "LogicalEqual", "LogicalNotEqual"):
        c.keep("bool", name, odd, low)
    c.keep("bool", "LogicalNot", odd)
    c.keep("uint", "Select", odd, a, b)
    c.keep("bool", "Select", odd, low, "%true")
    c.keep("bool", "Select", low, "%false", odd)
    c.keep("bool", "CopyObject", "%true")
    c.keep("uint", "Bitcast", c.op("int", "Bitcast", a))
    for n in VECTORS:
        words, bools = f"uint{n}", f"bool{n}"
        v = c.op(words, "CompositeConstruct", *(a, b, c.lane, shift)[:n])
        w = c.op(words, "CompositeConstruct", *(c.lane, 5, a, b)[:n])
        less = c.op(bools, "ULessThan", v, w)
        flags = c.op(bools, "CompositeConstruct", *(odd, low, "%true", odd)[:n])
        at = c.op("uint", "UMod", c.lane, n)
        c.keep(words, "IAdd", v, w)
        c.keep(words, "Select", less, v, w)
        c.keep(bools, "Select", less, flags, c.op(bools, "LogicalNot", flags))
        c.keep("uint", "VectorExtractDynamic", v, at)
        c.keep("bool", "VectorExtractDynamic", flags, at)
    c.declared += [f"%three = OpConstantComposite %uint3 {c.number(5)} {c.number(7)} {c.number(9)}", "%none = OpConstantNull %uint2",
                   "%both = OpConstantComposite %bool2 %true %false", "%neither = OpConstantNull %bool2"]
    for kind, constant in (("uint3", "%three"), ("uint2", "%none"), ("bool2", "%both"), ("bool2", "%neither")):
        c.keep(kind, "CopyObject", constant)
    return c


def all_groups(c, v, clusters):
    """Adds each group operation. Clusters have one size after the other."""
    c.keep_group("bool", "Elect")
    for name in ("All", "Any"):
        for value in (v["odd"], v["low"], "%true", "%false"):
            c.keep_group("bool", name, value)
    for value in (v["word"], 5, v["odd"], v["low"], "%true", v["five"], v["words"], v["yes"], v["yeses"]):
        c.keep_group("bool", "AllEqual", value)
    some, low = c.group("uint4", "Ballot", v["odd"]), c.group("uint4", "Ballot", v["low"])
    c.store("uint4", some)
    for name in ("BallotFindLSB", "BallotFindMSB"):
        c.keep_group("uint", name, low)
    for form in ("Reduce", "InclusiveScan", "ExclusiveScan"):
        c.keep_group("uint", "BallotBitCount", form, some)
    for bit in (c.lane, 7):
        c.keep_group("bool", "BallotBitExtract", some, bit)
    c.keep_group("bool", "InverseBallot", low)
    for kind, value in (("uint", v["word"]), ("bool", v["odd"]), ("uint2", v["words"]), ("bool2", v["bools"])):
        c.keep_group(kind, "BroadcastFirst", value)
        c.keep_group(kind, "Broadcast", value, 4)
        c.keep_group(kind, "Shuffle", value, c.op("uint", "BitwiseXor", c.lane, 6))
        c.keep_group(kind, "ShuffleXor", value, 9)
        c.keep_group(kind, "ShuffleUp", value, 3)
        c.keep_group(kind, "ShuffleDown", value, 6)
        c.keep_group(kind, "RotateKHR", value, 9)
        for by, cluster in ((3, 16), (6, 32), (1, 1)):
            c.keep_group(kind, "RotateKHR", value, by, cluster)
        c.keep_group(kind, "QuadBroadcast", value, 1)
        for direction in range(3):
            c.keep_group(kind, "QuadSwap", value, direction)
    for name, kind, value in [(n, "uint", v["word"]) for n in ("IAdd", "IMul", "UMin", "UMax", "SMin", "SMax", "BitwiseAnd",
                                                               "BitwiseOr", "BitwiseXor")] + \
                             [(n, "bool", x) for n in ("LogicalAnd", "LogicalOr", "LogicalXor") for x in (v["odd"], v["low"])]:
        for form in ("Reduce", "InclusiveScan", "ExclusiveScan"):
            c.keep_group(kind, name, form, value)
        clusters.append(clusters.pop(0))
        c.keep_group(kind, name, "ClusteredReduce", value, clusters[0])
    c.keep_group("uint2", "IAdd", "Reduce", v["words"])
    c.keep_group("uint2", "UMax", "InclusiveScan", v["words"])
    c.keep_group("uint", "IAdd", "Reduce", 5)
    c.keep_group("bool2", "LogicalXor", "Reduce", v["bools"])
    c.keep("uint4", "GroupNonUniformPartitionNV", v["few"])


def groups():
    c = Case(["GroupNonUniformVote", "GroupNonUniformArithmetic", "GroupNonUniformShuffle", "GroupNonUniformShuffleRelative",
              "GroupNonUniformClustered", "GroupNonUniformQuad", "GroupNonUniformRotateKHR", "GroupNonUniformPartitionedNV"],
             ["SPV_KHR_subgroup_rotate", "SPV_NV_shader_subgroup_partitioned"])
    v = {"word": c.op("uint", "IMul", c.lane, 0x9e3779b1), "few": c.op("uint", "ShiftRightLogical", c.lane, 3)}
    v["odd"], v["low"] = conditions(c)
    v["words"] = c.op("uint2", "CompositeConstruct", v["word"], v["few"])
    v["five"] = c.op("uint2", "CompositeConstruct", 5, v["few"])
    v["bools"] = c.op("bool2", "CompositeConstruct", v["odd"], v["low"])
    v["yes"] = c.op("bool2", "CompositeConstruct", "%true", v["low"])
    v["yeses"] = c.op("bool2", "CompositeConstruct", "%true", "%true")
    third = c.op("bool", "IEqual", c.op("uint", "UMod", c.lane, 3), 1)
    clusters = list(CLUSTERS)
    all_groups(c, v, clusters)
    c.code += ["OpSelectionMerge %end None", f"OpBranchConditional {third} %arm %end", "%arm = OpLabel"]
    all_groups(c, v, clusters)
    c.code += ["OpBranch %end", "%end = OpLabel"]
    return c


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 2
    arithmetic().write(f"{sys.argv[1]}/arithmetic.spvasm")
    groups().write(f"{sys.argv[1]}/groups.spvasm")
    return 0


if __name__ == "__main__":
    sys.exit(main())
