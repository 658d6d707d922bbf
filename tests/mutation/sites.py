# SPDX-License-Identifier: Apache-2.0
"""Where a C file can be changed: every operator, condition, constant and statement of its functions.

In: a translation unit and the arguments that compile it. Out: a Site for each place, in the file that
holds its text (the unit itself, a .def table or a header that it includes). clang parses
(-ast-dump=json); nothing is guessed from the text but where a macro's argument ends, and what does not read
back as the operator that clang saw is left out and counted.

The changes are those of which others follow (Kaminski, Ammann, Offutt: the operators that subsume the rest):
  condition  of if, ?:, a loop: always, never; each operand of && and || alone
  bound      < is <=, and so on; as a value also the opposite
  operator   + is -, * is +, << is >>, & and | are one of their operands, ^ is |, / and % are *
  negation   !x, ~x and -x are x
  constant   0 is 1, 1 is 0 and 2, n is n+1, true is false
  result     return 0, or the opposite
  statement  a call, an assignment, a break, continue or return is left out; |= is =
Not touched: what CHECK asks, declarations without an initial value, case labels, sizeof.
"""
import json
import os
import re
import subprocess
from dataclasses import dataclass, field


@dataclass
class Site:
    file: str
    start: int  # offsets of its text
    end: int
    kind: str  # "value", "truth": a pointer that is asked whether it is one, "void": a statement's expression, "statement": with its `;`
    changes: list = field(default_factory=list)  # (name of the kind of change, text instead)


BOUND = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
OPERATOR = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "*", "<<": ">>", ">>": "<<", "^": "|"}
ASSIGN = {"+=": "=", "|=": "=", "&=": "=", "^=": "=", "*=": "=", "-=": "+=", "<<=": ">>=", ">>=": "<<="}
SCALAR = re.compile(r"^(const )?(unsigned|signed|int|long|short|char|float|double|_Bool|bool|enum|size_t|u?int\d+_t)\b[\w ]*$")


def flat(text):
    """On one line, without comments."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    return " ".join(text.replace("\\\n", " ").split())


def balanced(text):
    depth = 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if depth < 0:
            return False
    return depth == 0


class Finder:
    def __init__(self, files):
        self.text = {f: open(f).read() for f in files}
        self.file = None
        self.sites = {}
        self.lost = 0
        self.barred = {f: [self.call(f, m.end() - 1, m.start()) for m in re.finditer(r"\b(CHECK|static_assert|_Static_assert)\(", t)]
                       for f, t in self.text.items()}

    def call(self, file, opening, start):
        """The range of a call whose `(` is at `opening`."""
        depth, text = 0, self.text[file]
        for k in range(opening, len(text)):
            depth += (text[k] == "(") - (text[k] == ")")
            if depth == 0:
                return start, k + 1
        return start, len(text)

    # A location: where it is spelled, and where the macro stands that it comes from. Clang names a file only
    # where it is another one than that of the location printed last.
    def bare(self, loc):
        if "file" in loc:
            self.file = loc["file"]
        return (os.path.realpath(self.file), loc["offset"], loc["tokLen"]) if "offset" in loc else None

    def loc(self, loc):
        if "spellingLoc" in loc:
            spelled = self.bare(loc["spellingLoc"])
            return spelled, self.bare(loc["expansionLoc"])
        place = self.bare(loc)
        return place, place

    def span(self, node):
        """(file, start, end) of a node's text, or None."""
        if "at" not in node:
            return None
        (b, e) = node["at"]
        for first, last in ((b[0], e[0]), (b[1], e[1]), (b[1], e[0]), (b[0], e[1])):
            if not first or not last or first[0] != last[0] or first[0] not in self.text:
                continue
            text, start, end = self.text[first[0]], first[1], last[1] + last[2]
            macro = re.match(r"\w+$", text[last[1]:end]) and last == e[1] and e[0] != e[1]
            if macro and text[end:end + 1] == "(":
                end = self.call(first[0], end, start)[1]
            if start < end and balanced(text[start:end]) and "#" not in text[start:end] and ";" not in text[start:end]:
                return first[0], start, end
        return None

    def words(self, node):
        at = self.span(node)
        return flat(self.text[at[0]][at[1]:at[2]]) if at else None

    def leave(self, node):
        """Counts a place of these files that cannot be changed by its text."""
        self.lost += any(b and b[0] in self.text for b in node.get("at", ((),))[0])

    def add(self, node, name, instead, kind="value"):
        at = self.span(node)
        if not at:
            self.leave(node)
            return
        file, start, end = at
        if any(s <= start and end <= e for s, e in self.barred[file]):
            return
        if kind == "statement":
            end = self.text[file].index(";", end) + 1
        if kind == "truth" and not node.get("type", {}).get("qualType", "").endswith("*"):
            kind = "value"  # the text of a macro's argument may stand for a number elsewhere
        site = self.sites.setdefault((file, start, end), Site(file, start, end, kind))
        if kind == "void" or (kind == "truth" and site.kind == "value"):
            site.kind = kind
        if (name, instead) not in site.changes and all(c[1] != instead for c in site.changes):
            site.changes.append((name, instead))

    def operator(self, node):
        """The texts of both operands, if between them stands this operator and nothing else."""
        left, right = (self.span(n) for n in node["inner"])
        if not left or not right or left[0] != right[0] or left[2] > right[1]:
            return None
        if flat(self.text[left[0]][left[2]:right[1]]) != node["opcode"]:
            return None
        return tuple(flat(self.text[s[0]][s[1]:s[2]]) for s in (left, right))

    def typed(self, node, pattern=SCALAR):
        t = node.get("type", {})
        return any(pattern.match(t.get(k, "")) for k in ("qualType", "desugaredQualType"))

    # ---- the walk. role: "value", "truth" (of if and ?:), "loop", "and", "or" (operands), "case", "const" (leave alone)

    def walk(self, node, role="value", statement=False, inside=None):
        kind = node.get("kind")
        if kind is None:
            return
        if "loc" in node:
            self.loc(node["loc"])
        if "range" in node:
            b = self.loc(node["range"]["begin"])
            node["at"] = (b, self.loc(node["range"]["end"]))
        inner = node.get("inner", [])
        if kind in ("FunctionDecl", "VarDecl", "FieldDecl", "EnumDecl", "RecordDecl", "TypedefDecl"):
            body = kind == "FunctionDecl" or (kind == "VarDecl" and inside and "storageClass" not in node)
            for child in inner:
                self.walk(child, "value" if body else "const", inside=node if kind == "FunctionDecl" else inside)
            return
        if role == "const" or kind in ("ConstantExpr", "UnaryExprOrTypeTraitExpr", "OffsetOfExpr"):
            for child in inner:
                self.walk(child, "const", inside=inside)
            return
        if kind in ("ParenExpr", "ImplicitCastExpr"):
            if node.get("castKind") == "NullToPointer":
                role = "const"
            for child in inner:
                self.walk(child, role, inside=inside)
        else:
            self.children(node, kind, inner, role, inside)
        self.change(node, kind, inner, role, statement)

    def children(self, node, kind, inner, role, inside):
        def go(child, role="value", statement=False):
            self.walk(child, role, statement, inside)

        if kind == "CompoundStmt":
            for child in inner:
                go(child, statement=True)
        elif kind in ("IfStmt", "ConditionalOperator"):
            go(inner[0], "truth")
            for child in inner[1:]:
                go(child, statement=kind == "IfStmt")
        elif kind == "WhileStmt":
            go(inner[0], "loop")
            go(inner[-1], statement=True)
        elif kind == "DoStmt":
            go(inner[0], statement=True)
            go(inner[1], "loop")
        elif kind == "ForStmt":
            for k, child in enumerate(inner):
                go(child, "loop" if k == 2 else "value", statement=k == 4)
        elif kind in ("CaseStmt", "DefaultStmt", "LabelStmt"):
            for k, child in enumerate(inner):
                go(child, statement=k == len(inner) - 1)
        elif kind == "SwitchStmt":
            for child in inner:
                go(child)
            if inner[-1].get("inner"):
                last = inner[-1]["inner"][-1]
                while last.get("kind") in ("CaseStmt", "DefaultStmt", "CompoundStmt") and last.get("inner"):
                    last = last["inner"][-1]
                if last.get("kind") == "BreakStmt" and self.span(last):  # leaving it out changes nothing
                    file, start, end = self.span(last)
                    self.sites.pop((file, start, self.text[file].index(";", end) + 1), None)
        elif kind == "BinaryOperator" and node["opcode"] in ("&&", "||"):
            for child in inner:
                go(child, "and" if node["opcode"] == "&&" else "or")
        elif kind == "InitListExpr" and (self.words(node) or "").replace(" ", "") == "{0}":
            for child in inner:
                go(child, "const")
        else:
            for child in inner:
                go(child)

    def change(self, node, kind, inner, role, statement):
        whole = {"truth": ("1", "0"), "loop": ("0",), "and": ("1",), "or": ("0",)}.get(role, ())
        logic = node.get("opcode") in ("&&", "||") and kind == "BinaryOperator"
        same = logic and (role, node["opcode"]) in (("and", "&&"), ("or", "||"))
        if kind not in ("ParenExpr", "ImplicitCastExpr", "IntegerLiteral") and not same:
            for instead in whole + (("1", "0") if logic and role == "value" else ()):
                self.add(node, "condition", instead, "truth")
        if kind == "BinaryOperator":
            self.binary(node, node["opcode"], role, statement)
        elif kind == "CompoundAssignOperator":
            sides = self.operator(node)
            if sides and node["opcode"] in ASSIGN:
                self.add(node, "statement", f"{sides[0]} {ASSIGN[node['opcode']]} {sides[1]}")
            elif not sides:
                self.leave(node)
            if statement:
                self.add(node, "statement", "(void)0", "void")
        elif kind == "UnaryOperator":
            inside = self.words(inner[0])
            if node["opcode"] in ("++", "--") and statement:
                self.add(node, "statement", "(void)0", "void")
            elif node["opcode"] in ("~", "-") or (node["opcode"] == "!" and role == "value"):
                if inside:
                    self.add(node, "negation", inside)
                else:
                    self.leave(node)
        elif kind == "IntegerLiteral":
            words = self.words(node)
            if words in ("true", "false") or (words or "").startswith("0x") or (words or "x")[0].isdigit():
                value = int(node["value"])
                for instead in {"true": ["false"], "false": ["true"]}.get(words) or \
                        ([f"{words} + 1"] if value != 1 else [f"{words} - 1", f"{words} + 1"]):
                    self.add(node, "constant", instead)
        elif kind == "CXXBoolLiteralExpr":
            self.add(node, "constant", "0" if node["value"] else "1")
        elif kind == "CallExpr" and statement:
            self.add(node, "statement", "(void)0", "void")
        elif kind in ("BreakStmt", "ContinueStmt") or (kind == "ReturnStmt" and not inner):
            self.add(node, "statement", "", "statement")
        elif kind == "ReturnStmt":
            self.result(inner[0])

    def binary(self, node, op, role, statement):
        if op == "=":
            if statement:
                self.add(node, "statement", "(void)0", "void")
            return
        if op in ("&&", "||", ","):
            return
        sides = self.operator(node)
        if not sides:
            self.leave(node)
            return
        left, right = sides
        if op in BOUND:
            self.add(node, "bound", f"{left} {BOUND[op]} {right}")
        if op in OPPOSITE and role == "value":
            self.add(node, "bound", f"{left} {OPPOSITE[op]} {right}")
        if op in ("&", "|"):
            self.add(node, "operator", left)
            self.add(node, "operator", right)
        if op in OPERATOR:
            pointers = [n.get("type", {}).get("qualType", "").endswith("*") for n in node["inner"]]
            if not all(pointers) and not (any(pointers) and op not in "+-"):
                self.add(node, "operator", f"{left} {OPERATOR[op]} {right}")

    def result(self, value):
        core = value
        while core["kind"] in ("ImplicitCastExpr", "ParenExpr"):
            core = core["inner"][0]
        words = self.words(value)
        if not words or core["kind"] in ("IntegerLiteral", "CXXBoolLiteralExpr") or words in ("true", "false", "NULL"):
            return
        truth = re.compile(r"^(_Bool|bool)$")
        if self.typed(value, truth) or self.typed(core, truth):
            if core.get("opcode") not in ("<", "<=", ">", ">=", "==", "!=", "!", "&&", "||"):
                self.add(value, "result", f"!({words})", "truth")
        elif value.get("type", {}).get("qualType", "").endswith("*") or (self.typed(value) and "enum" not in str(value["type"])):
            self.add(value, "result", "0")


def find(unit, files, directory, arguments, clang="clang"):
    """Sites of `files` as the translation unit `unit` has them: ({(file, start, end): Site}, how many were left out)."""
    dump = subprocess.run([clang, "-fsyntax-only", "-w", "-Xclang", "-ast-dump=json", *arguments, unit], cwd=directory,
                          capture_output=True)
    if dump.returncode:
        raise SystemExit(f"sites: {clang} cannot read {unit}: {dump.stderr.decode().splitlines()[0]}")
    finder = Finder([os.path.realpath(f) for f in files])
    tree = json.loads(dump.stdout)
    for child in tree["inner"]:
        finder.walk(child, "const")
    return finder.sites, finder.lost
