#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws how many mutants the tests of a suite find, chosen greedily and at random.

Runs `tanglefuzz suite` for compute and fragment shaders and writes an SVG. With --from, reads what the command printed
before instead: a file each, in that order.

usage: suites.py --out FILE.svg [--tests N] [--build DIR] [--from COMPUTE FRAGMENT]
"""
import argparse
import math
import re
import subprocess
import tempfile

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, GAP = 360, 230, 44, 34, 40, 30
STAGES = (("compute", 130), ("fragment", 21))  # mutants that programs of the stage can detect (docs/mutants.md)
LINES = (("greedy", 1, "#1f6f4a"), ("random", 2, "#b4552d"))


def parse():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--out", required=True)
    p.add_argument("--tests", type=int, default=100)
    p.add_argument("--build", default="build/release")
    p.add_argument("--from", dest="texts", nargs=len(STAGES))
    return p.parse_args()


def printed(args, index):
    if args.texts:
        return open(args.texts[index]).read()
    with tempfile.TemporaryDirectory() as folder:
        command = [f"{args.build}/tanglefuzz", "suite", "--form", "lit", "--tests", str(args.tests), "--stage",
                   STAGES[index][0], "--out", f"{folder}/suite"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def steps(text):
    rows = [tuple(map(int, r)) for r in re.findall(r"^ *(\d+) +(\d+) +(\d+)$", text, re.M)]
    if not rows:
        raise SystemExit("suites.py: no table of steps in the output of suite")
    return rows


def chart(stage, most, rows, left):
    last = math.log(rows[-1][0])
    x = lambda n: left + LEFT + (WIDTH - LEFT - 20) * (math.log(n) / last if last else 0)
    y = lambda n: TOP + (HEIGHT - TOP - BOTTOM) * (1 - n / most)
    out = [f'<text x="{left + LEFT}" y="18" class="head">{stage} shaders: {most} mutants</text>']
    for part in (0, 0.25, 0.5, 0.75, 1):
        n = round(most * part)
        out.append(f'<line x1="{left + LEFT}" x2="{x(rows[-1][0]):.1f}" y1="{y(n):.1f}" y2="{y(n):.1f}" class="grid"/>'
                   f'<text x="{left + LEFT - 6}" y="{y(n) + 4:.1f}" text-anchor="end">{n}</text>')
    for tests, *_ in rows:
        out.append(f'<text x="{x(tests):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{tests}</text>')
    out.append(f'<text x="{left + LEFT + (WIDTH - LEFT - 20) / 2}" y="{HEIGHT - 8}" text-anchor="middle">tests</text>')
    for name, column, colour in LINES:
        points = " ".join(f"{x(r[0]):.1f},{y(r[column]):.1f}" for r in rows)
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x(r[0]):.1f}" cy="{y(r[column]):.1f}" r="3" fill="{colour}"/>' for r in rows]
        tests, value = rows[len(rows) // 2][0], rows[len(rows) // 2][column]
        label = "chosen greedily" if name == "greedy" else "at random"
        out.append(f'<text x="{x(tests) + 6:.1f}" y="{y(value) + 18:.1f}" fill="{colour}">{label}</text>')
    return out


def main():
    args = parse()
    body = []
    for i, (stage, most) in enumerate(STAGES):
        body += chart(stage, most, steps(printed(args, i)), i * (WIDTH + GAP))
    width = len(STAGES) * (WIDTH + GAP) - GAP
    with open(args.out, "w") as f:
        f.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" viewBox="0 0 {width} {HEIGHT}" '
                'font-family="sans-serif" font-size="12">\n'
                "<style>.head{font-weight:bold}.grid{stroke:#ddd}</style>\n"
                f'<rect width="{width}" height="{HEIGHT}" fill="#fff"/>\n' + "\n".join(body) + "\n</svg>\n")


main()
