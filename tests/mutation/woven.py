# SPDX-License-Identifier: Apache-2.0
"""Mutants that replace any text inside of a function, all of a file in one object (as schema.py has it for operators).

Each gets a copy of its function in which its text is replaced; the function itself asks (mutant.h) whether one is on, and
calls its copy. One more copy has nothing replaced: with its number on nothing may fail, or it is not the mutants that fail.
"""
import re

# The style of the code: a definition begins and its brace stands in the first column.
FUNCTION = re.compile(r"^([A-Za-z_][^;{}#]*\))\n\{\n.*?^\}\n", re.M | re.S)


def standing(text, old):
    """Each piece of `text` that is `old` but for white space, so that a formatter may break the lines elsewhere."""
    at = [i for i, c in enumerate(text) if not c.isspace()]
    dense, wanted = "".join(text[i] for i in at), "".join(old.split())
    return [text[at[m.start()]:at[m.start() + len(wanted) - 1] + 1] for m in re.finditer(f"(?={re.escape(wanted)})", dense)]


def parameters(text):
    """The names of the parameters, or None where they cannot be handed on."""
    names, depth, part = [], 0, ""
    for c in text + ",":
        depth += c in "([{"
        depth -= c in ")]}"
        if c != "," or depth:
            part += c
            continue
        part = part.strip()
        if part != "void":
            pointer = re.search(r"\(\s*\*\s*(?:const\s+)?(\w+)", part)
            name = pointer or re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$", part)
            if not name:
                return None
            names.append(name[1])
        part = ""
    return names


def woven(text, mutants, same):
    """(the text with the mutants [(number, old, new)] in it, numbers of those that it cannot hold); same: the number of the
    copies that are not changed"""
    inside, left = {}, {number for number, _, _ in mutants}
    for function in FUNCTION.finditer(text):
        head = re.match(r"[^(]*?(\w+)\((.*)\)$", function[1], re.S)
        names = head and parameters(head[2])
        if names is None:
            continue
        for number, old, new in mutants:
            at = text.find(old)
            if at >= function.end(1) + 3 and at + len(old) <= function.end() - 2:
                inside.setdefault(function, (head, names, []))[2].append((number, old, new))
                left.discard(number)
    out, end = [], 0
    for function, (head, names, mine) in inside.items():
        out.append(text[end:function.start()])
        end = function.end()
        body = text[function.end(1):end]
        name = head[1]
        asked = ""
        out.append(function[1] + ";\n")  # for one that calls itself
        for number, old, new in mine + [(same, "", "")]:
            start, stop = head.span(1)
            own = function[1][:start] + f"{name}_mutant{number}" + function[1][stop:]
            out.append(("" if re.match(r"static\b", own) else "static ") + own + (body.replace(old, new) if old else body))
            call = f"{name}_mutant{number}({', '.join(names)})"
            void = re.match(r"((static|inline|_Noreturn)\s+)*void\s+\w+$", function[1][:stop])
            asked += f"if (MUTANT({number})) " + (f"{{ {call}; return; }} " if void else f"return {call}; ")
        out.append(function[1] + "\n{\n" + asked + body[3:])
    return "".join(out) + text[end:], left
