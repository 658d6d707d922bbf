#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every instruction and built-in that the oracle knows: does a hand-written test or case use it? The names are read from the
# oracle's own tables and from the instructions that its loader takes.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/scripts/lib/project_files.sh"
project_files "$SOURCE_DIR" >files

python3 - "$SOURCE_DIR" >list <<'PY'
import fnmatch, os, re, sys
root = sys.argv[1]
files = open("files").read().splitlines()
def those(pattern):
    return [os.path.join(root, name) for name in fnmatch.filter(files, pattern)]
# Not of a compute shader's code, or (the last) of sets that do nothing and that no validator lets us write.
NOT_CODE = {"OpExtInstWithForwardRefsKHR", "OpKill", "OpTerminateInvocation"}
known, used = set(), set()
for path in those("oracle/*.c") + those("oracle/*.def"):
    text = open(path).read()
    known |= set(re.findall(r"\bSpv(Op[A-Z]\w+)", text))
    known |= {"GLSL " + name for name in re.findall(r"\bGLSLstd450(\w+)", text)}
    known |= {"BuiltIn " + name for name in re.findall(r"\bSpvBuiltIn(\w+)", text)}
for path in (those("tests/test_orc_*") + those("corpus/rules/*") +
             those("corpus/ops/*") + those("corpus/undefined/*")):
    text = open(path).read().replace("\\n", "\n")
    used |= set(re.findall(r"\b(?:Spv)?(Op[A-Z]\w+)", text))
    used |= {"GLSL " + name for name in re.findall(r"\bGL[SU]?[12]\(\"(\w+)\"", text)}
    used |= {"GLSL " + name for name in re.findall(r"OpExtInst %\w+ %glsl (\w+)", text)}
    used |= {"GLSL " + name for name in re.findall(r'\{"(\w+)", "\w+", "%', text)}  # the table of open functions
    used |= {"BuiltIn " + name for name in re.findall(r"\bBuiltIn (\w+)", text)}
    # Inside of OpSpecConstantOp names stand bare.
    used |= {"Op" + name for name in re.findall(r"OpSpecConstantOp %\w+ (\w+)", text)}
for name in sorted(known - NOT_CODE):
    print(name in used, name.replace(" ", "_"))
PY
report "the oracle knows instructions" "$([ "$(wc -l <list)" -ge 200 ] || cat list)"
report "each is used by a test or a case written by hand" "$(grep '^False' list)"
