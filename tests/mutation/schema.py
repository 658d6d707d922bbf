# SPDX-License-Identifier: Apache-2.0
"""All mutants of a file in one: each place asks at run time whether it is the one that is changed.

So a file is compiled once, not once for each mutant (Untch, Offutt, Harrold: mutant schemata). mutant.h has
what the places ask. Lines stay where they are, so a compiler's error names the places that cannot be
written so (they stand where C wants a constant).
"""
from dataclasses import dataclass

from sites import flat


@dataclass
class Mutant:
    file: str
    line: int
    kind: str
    was: str
    now: str
    number: int = 0  # by which it is switched on
    key: str = ""  # the same as long as its line is


def number(sites, names):
    """Mutants of the sites, numbered from 1 in the order of the text; names: file -> what to call it."""
    text = {f: open(f).read() for f in names}
    mutants, seen = [], {}
    for site in sorted(sites.values(), key=lambda s: (names[s.file], s.start, -s.end)):
        site.mutants = []
        for kind, now in site.changes:
            body = text[site.file]
            line = body.count("\n", 0, site.start) + 1
            m = Mutant(names[site.file], line, kind, flat(body[site.start:site.end]), now, len(mutants) + 1)
            start = body.rfind("\n", 0, site.start) + 1
            whole = flat(body[start:body.find("\n", site.start)])
            m.key = f"{m.file}: {whole} | {m.was} -> {now or 'nothing'}"
            seen[m.key] = seen.get(m.key, 0) + 1
            if seen[m.key] > 1:
                m.key += f" #{seen[m.key]}"
            site.mutants.append(m)
            mutants.append(m)
    return mutants


def written(file, sites, without=()):
    """The text of `file` with every mutant in it but those whose number is in `without`."""
    text = open(file).read()
    order = sorted((s for s in sites.values() if s.file == file), key=lambda s: (s.start, -s.end))

    def emit(start, end, at):
        out = []
        while at[0] < len(order) and order[at[0]].start < end:
            site = order[at[0]]
            at[0] += 1
            if site.end > end or site.start < start:
                continue
            out.append(text[start:site.start])
            inside = emit(site.start, site.end, at)
            out.append(wrap(site, inside))
            start = site.end
        out.append(text[start:end])
        return "".join(out)

    def wrap(site, inside):
        mine = [m for m in site.mutants if m.number not in without]
        if not mine:
            return inside
        if site.kind == "statement":
            return "".join(f"{{ if (!MUTANT({m.number})) {inside} }}" for m in mine)
        cast = {"void": "(void)", "truth": "!!", "value": ""}[site.kind]
        return "(" + "".join(f"MUTANT({m.number}) ? {cast}({m.now}) : " for m in mine) + f"{cast}({inside}))"

    return emit(0, len(text), [0])


def changed(mutant, site):
    """The text of the mutant's file with it alone, for a place where a schema cannot stand."""
    text = open(site.file).read()
    return text[:site.start] + (";" if site.kind == "statement" else f"({mutant.now})") + text[site.end:]
