#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates the opcode table of spirv/ and its classes from the SPIR-V grammar.

    scripts/gen_spv_ops.py spirv.core.grammar.json spirv

Writes spv_ops_table.inc and spirv_classes.h into that folder. The table describes the
shape of an instruction (operands, result), never its meaning. The same grammar produces the same
bytes. `-` as the folder writes both to standard output.
"""
import hashlib
import json
import os
import re
import sys

# SPV_OPERANDS_MAX of spirv_ops.h, less the end marker.
OPERANDS_LIMIT = 11

# Opcodes below this are found by index, the few above by binary search.
DIRECT = 512

# Most of the class "Reserved" (ray tracing pipelines, vendor experiments) is not
# used by compute shaders. Exceptions are admitted by name; the class "@exclude" is
# never admitted. The module reader refuses unknown opcodes.
ADMITTED = {
    # demote and clocks
    "OpIsHelperInvocationEXT", "OpReadClockKHR",
    # fragment interlock, mesh and task: other stages, for later targets
    "OpBeginInvocationInterlockEXT", "OpEndInvocationInterlockEXT",
    "OpEmitMeshTasksEXT", "OpSetMeshOutputsEXT",
    # integer functions in kernels that come from OpenCL
    "OpUCountLeadingZerosINTEL", "OpUCountTrailingZerosINTEL", "OpAbsISubINTEL", "OpAbsUSubINTEL",
    "OpIAddSatINTEL", "OpUAddSatINTEL", "OpIAverageINTEL", "OpUAverageINTEL",
    "OpIAverageRoundedINTEL", "OpUAverageRoundedINTEL", "OpISubSatINTEL", "OpUSubSatINTEL",
    "OpIMul32x16INTEL", "OpUMul32x16INTEL",
    # ray queries, which run in compute shaders too
    "OpConvertUToAccelerationStructureKHR",
    "OpRayQueryInitializeKHR", "OpRayQueryTerminateKHR", "OpRayQueryGenerateIntersectionKHR",
    "OpRayQueryConfirmIntersectionKHR", "OpRayQueryProceedKHR",
    "OpRayQueryGetIntersectionTypeKHR", "OpRayQueryGetRayTMinKHR", "OpRayQueryGetRayFlagsKHR",
    "OpRayQueryGetIntersectionTKHR", "OpRayQueryGetIntersectionInstanceCustomIndexKHR",
    "OpRayQueryGetIntersectionInstanceIdKHR",
    "OpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR",
    "OpRayQueryGetIntersectionGeometryIndexKHR", "OpRayQueryGetIntersectionPrimitiveIndexKHR",
    "OpRayQueryGetIntersectionBarycentricsKHR", "OpRayQueryGetIntersectionFrontFaceKHR",
    "OpRayQueryGetIntersectionCandidateAABBOpaqueKHR",
    "OpRayQueryGetIntersectionObjectRayDirectionKHR",
    "OpRayQueryGetIntersectionObjectRayOriginKHR", "OpRayQueryGetWorldRayDirectionKHR",
    "OpRayQueryGetWorldRayOriginKHR", "OpRayQueryGetIntersectionObjectToWorldKHR",
    "OpRayQueryGetIntersectionWorldToObjectKHR",
}

# Needed by this project: a grammar without these is too old, and a table
# generated from it would refuse our own modules.
WANTED = [
    "OpDemoteToHelperInvocation", "OpTerminateInvocation", "OpGroupNonUniformRotateKHR",
    "OpGroupNonUniformQuadAllKHR", "OpGroupNonUniformQuadAnyKHR", "OpGroupNonUniformPartitionNV",
    "OpSubgroupAllKHR", "OpSubgroupAnyKHR", "OpSubgroupAllEqualKHR", "OpSubgroupBallotKHR",
    "OpSubgroupReadInvocationKHR", "OpSubgroupFirstInvocationKHR", "OpGroupLogicalXorKHR",
]

QUANTIFIERS = {None: "ONCE", "?": "OPTIONAL", "*": "MANY"}

FIXED_KINDS = {
    "IdRef": "ID",
    "IdScope": "ID",
    "IdMemorySemantics": "ID",
    "LiteralInteger": "LITERAL",
    "LiteralFloat": "LITERAL",
    "LiteralExtInstInteger": "LITERAL",
    "LiteralString": "STRING",
    "LiteralContextDependentNumber": "WIDE",
    "LiteralSpecConstantOpInteger": "ENUM_ARGS",
    "PairLiteralIntegerIdRef": "PAIR_LITERAL_ID",
    "PairIdRefLiteralInteger": "PAIR_ID_LITERAL",
    "PairIdRefIdRef": "PAIR_ID_ID",
}


def fail(message):
    sys.exit("gen_spv_ops.py: " + message)


def kinds_of(grammar):
    """Returns operand kind of the grammar -> our kind."""
    kinds = dict(FIXED_KINDS)
    for k in grammar["operand_kinds"]:
        if k["category"] in ("ValueEnum", "BitEnum"):
            with_args = any(e.get("parameters") for e in k["enumerants"])
            kinds[k["kind"]] = "ENUM_ARGS" if with_args else "LITERAL"
    return kinds


def operands_of(inst, kinds):
    """Returns (has result type, has result, [(kind, quantifier)])."""
    has_type = has_result = False
    out = []
    for o in inst.get("operands", []):
        if o["kind"] == "IdResultType":
            has_type = True
        elif o["kind"] == "IdResult":
            has_result = True
        elif o["kind"] not in kinds:
            fail("%s: operand kind %s is not known: add it to FIXED_KINDS" % (inst["opname"], o["kind"]))
        else:
            out.append((kinds[o["kind"]], QUANTIFIERS[o.get("quantifier")]))
            if out[-1][0] == "ENUM_ARGS":
                break  # it consumes the rest of the instruction
    if len(out) > OPERANDS_LIMIT:
        fail("%s has %d operands, SPV_OPERANDS_MAX allows %d"
             % (inst["opname"], len(out), OPERANDS_LIMIT))
    return has_type, has_result, out


def admitted(inst):
    if inst["class"] == "@exclude":
        return False
    return inst["class"] != "Reserved" or inst["opname"] in ADMITTED


def digest(grammar):
    """Returns a hash that identifies the grammar: extensions do not change its revision."""
    text = json.dumps(grammar, sort_keys=True).encode()
    return hashlib.sha256(text).hexdigest()[:16]


def class_name(inst):
    """"Relational_and_Logical" -> SPV_CLASS_RELATIONAL_AND_LOGICAL"""
    return "SPV_CLASS_" + re.sub("[^A-Z0-9]", "_", inst["class"].upper())


def head(grammar):
    return [
        "// SPDX-License-Identifier: Apache-2.0",
        "//",
        "// Generated by scripts/gen_spv_ops.py; do not edit.",
        "// From SPIR-V grammar %d.%d revision %d, digest %s." % (
            grammar["major_version"], grammar["minor_version"], grammar["revision"],
            digest(grammar)),
    ]


def rows_of(grammar):
    """Returns opcode -> instruction, for the admitted ones."""
    rows = {}
    for inst in grammar["instructions"]:
        # Older grammars list an alias as its own row: the first name is used.
        if admitted(inst) and inst["opcode"] not in rows:
            rows[inst["opcode"]] = inst
    # A named opcode may still be an alias of an admitted row.
    have = {i["opname"] for i in rows.values()}
    for i in rows.values():
        have.update(i.get("aliases", []))
    for name in sorted(ADMITTED) + WANTED:
        if name not in have:
            fail("the grammar does not have %s: it is too old" % name)

    return rows


def classes(grammar):
    names = sorted({class_name(i) for i in rows_of(grammar).values()})
    return "\n".join(head(grammar) + [
        "#ifndef TF_SPIRV_CLASSES_H",
        "#define TF_SPIRV_CLASSES_H",
        "",
        "// The grammar's class of an instruction: \"Relational_and_Logical\" and the like.",
        "enum spv_op_class {",
        "    SPV_CLASS_NONE, // not in the grammar",
    ] + ["    %s," % name for name in names] + ["};", "", "#endif"]) + "\n"


def table(grammar):
    kinds, rows = kinds_of(grammar), rows_of(grammar)
    order = sorted(rows)
    out = head(grammar) + [
        "// clang-format off",
        "",
        "static const struct spv_op op_rows[] = {",
    ]
    for code in order:
        inst = rows[code]
        has_type, has_result, operands = operands_of(inst, kinds)
        out.append('    {%d, %d, %d, "%s", %s, {%s}},' % (
            code, has_type, has_result, inst["opname"], class_name(inst),
            ", ".join(["%s(%s)" % (q, k) for k, q in operands] + ["END"])))
    out += [
        "};",
        "",
        "enum { OP_ROWS = %d, OP_DIRECT = %d };" % (len(order), DIRECT),
        "",
        "// Row number + 1 of an opcode below OP_DIRECT, 0 for none. Rows from",
        "// OP_FIRST_SEARCHED on are in ascending order of their opcodes.",
        "enum { OP_FIRST_SEARCHED = %d };" % sum(1 for c in order if c < DIRECT),
        "static const uint16_t op_direct[OP_DIRECT] = {",
    ]
    index = {c: n + 1 for n, c in enumerate(order)}
    for at in range(0, DIRECT, 16):
        out.append("    " + " ".join("%d," % index.get(c, 0) for c in range(at, at + 16)))
    out.append("};")
    return "\n".join(out) + "\n"


def main(argv):
    if len(argv) != 3:
        fail("usage: gen_spv_ops.py GRAMMAR.json FOLDER")
    try:
        with open(argv[1], encoding="utf-8") as f:
            grammar = json.load(f)
        texts = {"spv_ops_table.inc": table(grammar), "spirv_classes.h": classes(grammar)}
        if argv[2] == "-":
            sys.stdout.write("".join(texts.values()))
            return
        for name, text in texts.items():
            path = os.path.join(argv[2], name)
            temporary = path + ".tmp%d" % os.getpid()
            with open(temporary, "w", encoding="utf-8", newline="\n") as f:
                f.write(text)
            os.replace(temporary, path)
    except OSError as e:
        fail("%s: %s" % (e.filename, e.strerror))
    except (ValueError, KeyError) as e:
        fail("%s: not a SPIR-V core grammar: %s" % (argv[1], e))


if __name__ == "__main__":
    main(sys.argv)
