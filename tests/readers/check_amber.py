# SPDX-License-Identifier: Apache-2.0
"""check_amber.py SCRIPT [-o ASSEMBLY]: an Amber script against the published grammar of AmberScript,
as far as compute pipelines go: every line is a known command with the operands it takes, names are
declared before they are used and once, values fit their type, offsets lie inside their buffer.
Writes the shader's assembly to the file after -o, and the expected words, buffer by buffer, to
standard output."""
import re
import sys

NAME = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*$")
EXTENSION = re.compile(r"^VK_[A-Z]+_[a-z0-9_]+$")
FEATURES = {"SubgroupSizeControl.subgroupSizeControl", "SubgroupSizeControl.computeFullSubgroups",
            "VariablePointerFeatures.variablePointersStorageBuffer", "shaderInt64", "shaderInt16",
            "shaderFloat64", "Float16Int8Features.shaderInt8", "Float16Int8Features.shaderFloat16"}
COMPARATORS = {"EQ", "NE", "LT", "LE", "GT", "GE"}
TYPES = {"uint32": 4}


class Bad(Exception):
    pass


def need(ok, what):
    if not ok:
        raise Bad(what)


def number(word, bits=32):
    need(re.match(r"^(0x[0-9a-fA-F]+|[0-9]+)$", word), f"'{word}' is no unsigned integer")
    value = int(word, 0)
    need(value < 1 << bits, f"{word} does not fit {bits} bits")
    return value


class Script:
    def __init__(self, text):
        self.lines = text.split("\n")
        self.at = 0
        self.shaders, self.buffers, self.pipelines, self.expected = {}, {}, {}, {}
        self.extensions, self.features = set(), set()
        self.ran = False

    # The next line's words, without comments and empty lines; None at the end.
    def words(self):
        while self.at < len(self.lines):
            line = self.lines[self.at].split("#", 1)[0].split()
            self.at += 1
            if line:
                return line
        return None

    def block(self):
        while True:
            line = self.words()
            need(line is not None, "no END")
            if line == ["END"]:
                return
            yield line

    def declare(self, table, name, value):
        need(NAME.match(name), f"'{name}' is no name")
        need(name not in table, f"{name} is declared twice")
        table[name] = value

    def shader(self, w):
        need(len(w) in (4, 6) and w[1] == "compute" and w[3] == "SPIRV-ASM", "SHADER compute NAME SPIRV-ASM")
        need(len(w) == 4 or (w[4] == "TARGET_ENV" and re.match(r"^spv1\.[0-6]$", w[5])), "TARGET_ENV spv1.N")
        body = []
        while True:
            need(self.at < len(self.lines), "a shader without END")
            line = self.lines[self.at]
            self.at += 1
            if line.strip() == "END":
                break
            body.append(line)
        need("OpEntryPoint GLCompute" in "\n".join(body), "the shader has no compute entry point")
        self.declare(self.shaders, w[2], "\n".join(body) + "\n")

    def buffer(self, w):
        need(len(w) >= 5 and w[2] == "DATA_TYPE" and w[3] in TYPES, "BUFFER NAME DATA_TYPE uint32 ...")
        if w[4] == "DATA":
            need(len(w) == 5, "nothing stands behind DATA")
            data = [number(x) for line in self.block() for x in line]
            need(data, "DATA holds nothing")
        else:
            need(len(w) == 8 and w[4] == "SIZE" and w[6] == "FILL", "SIZE N FILL V")
            number(w[7])
            data = [number(w[7])] * number(w[5])
        self.declare(self.buffers, w[1], data)

    def attach(self, w):
        need(len(w) >= 2 and w[1] in self.shaders, "ATTACH of a shader that is declared")
        at = 2
        if w[at:at + 1] == ["ENTRY_POINT"]:
            need(f'"{w[at + 1]}"' in self.shaders[w[1]], f"the shader has no entry point {w[at + 1]}")
            at += 2
        while at < len(w):
            need(w[at] == "SPECIALIZE" and w[at + 2] == "AS" and w[at + 3] in ("uint32", "int32", "float"),
                 "SPECIALIZE N AS type V")
            number(w[at + 1])
            float(w[at + 4])
            at += 5

    # Vulkan: full subgroups of a required size only where the workgroup's width is a multiple of it.
    def subgroup(self, w, attached):
        need(len(w) == 2 and w[1] in attached, "SUBGROUP of an attached shader")
        width = re.search(r"OpExecutionMode(?:Id)? %\w+ LocalSize (\d+)", self.shaders[w[1]])
        full, size = False, 1
        for line in self.block():
            need(len(line) == 2, "a setting and its value")
            if line[0] in ("FULLY_POPULATED", "VARYING_SIZE"):
                need(line[1] in ("on", "off"), "on or off")
                full |= line == ["FULLY_POPULATED", "on"]
            else:
                need(line[0] == "REQUIRED_SIZE", f"unknown setting {line[0]}")
                n = line[1] if line[1] in ("MIN", "MAX") else number(line[1])
                need(isinstance(n, str) or (n and n & (n - 1) == 0 and n <= 128), "a power of two up to 128")
                size = n if isinstance(n, int) else 1
        need(not full or not width or int(width[1]) % size == 0, "full subgroups in a workgroup that has a partial one")

    def pipeline(self, w):
        need(len(w) == 3 and w[1] == "compute", "PIPELINE compute NAME")
        attached, bound = set(), set()
        for line in self.block():
            if line[0] == "ATTACH":
                self.attach(line)
                attached.add(line[1])
            elif line[0] == "SUBGROUP":
                self.subgroup(line, attached)
            elif line[:2] == ["BIND", "BUFFER"]:
                need(line[2] in self.buffers, f"no buffer {line[2]}")
                if line[3:] == ["AS", "push_constant"]:
                    continue
                need(len(line) == 9 and line[3] == "AS" and line[4] in ("storage", "uniform") and
                     line[5] == "DESCRIPTOR_SET" and line[7] == "BINDING", "AS storage DESCRIPTOR_SET N BINDING N")
                place = (number(line[6]), number(line[8]))
                need(place not in bound, f"{place} is bound twice")
                bound.add(place)
            else:
                raise Bad(f"unknown in a pipeline: {line[0]}")
        need(len(attached) == 1, "a compute pipeline has one shader")
        self.declare(self.pipelines, w[2], bound)

    def expect(self, w):
        need(self.ran, "EXPECT before RUN")
        need(len(w) >= 6 and w[1] in self.buffers and w[2] == "IDX" and w[4] in COMPARATORS,
             "EXPECT BUFFER IDX N EQ V...")
        at, data = number(w[3]), self.buffers[w[1]]
        need(at % 4 == 0 and at // 4 + len(w) - 5 <= len(data), f"beyond the {len(data)} words of {w[1]}")
        for i, v in enumerate(w[5:]):
            self.expected.setdefault(w[1], {})[at // 4 + i] = number(v)

    def command(self, w):
        if w[0] == "DEVICE_EXTENSION":
            need(len(w) == 2 and EXTENSION.match(w[1]), "the name of an extension")
            self.extensions.add(w[1])
        elif w[0] == "DEVICE_FEATURE":
            need(len(w) == 2 and w[1] in FEATURES, f"unknown feature {w[1:]}")
            self.features.add(w[1].split(".")[-1])
        elif w[0] in ("SHADER", "BUFFER", "PIPELINE", "EXPECT"):
            getattr(self, w[0].lower())(w)
        elif w[0] == "RUN":
            need(len(w) == 5 and w[1] in self.pipelines, "RUN PIPELINE X Y Z")
            need(all(number(x) > 0 for x in w[2:]), "workgroups")
            self.ran = True
        else:
            raise Bad(f"unknown command {w[0]}")

    def read(self):
        need(self.lines[0] == "#!amber", "the first line is not #!amber")
        while (w := self.words()) is not None:
            self.command(w)
        need(self.ran, "nothing is run")
        for shader in self.shaders.values():
            for name in re.findall(r'OpExtension "SPV_KHR_(maximal_reconvergence|subgroup_\w+|quad_control|compute_shader_derivatives)"', shader):
                need(any(x in self.extensions for x in (f"VK_KHR_{name}", f"VK_KHR_shader_{name}")),
                     f"SPV_KHR_{name}, for which no extension is asked")
            for name in re.findall(r"OpCapability (Int8|Int16|Int64|Float16|Float64)\n", shader):
                need(f"shader{name}" in self.features, f"capability {name}, for which no feature is asked")
            for name in re.findall(r'OpExtension "SPV_NV_(\w+)"', shader):
                need(f"VK_NV_{name}" in self.extensions, f"SPV_NV_{name}, for which no extension is asked")


def main():
    script = Script(open(sys.argv[1]).read())
    try:
        script.read()
    except (Bad, IndexError, ValueError) as e:
        print(f"{sys.argv[1]}:{script.at}: {e}")
        sys.exit(1)
    if "-o" in sys.argv:
        open(sys.argv[sys.argv.index("-o") + 1], "w").write(next(iter(script.shaders.values())))
    for name, words in script.expected.items():
        print(name, " ".join(f"{i}={v}" for i, v in sorted(words.items())))


main()
