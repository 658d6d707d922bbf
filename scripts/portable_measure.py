#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures `tanglefuzz portable` on many modules and prints the tables of docs/measured/portable.md.

  scripts/portable_measure.py FOLDER [BUILD_DIR [RAW [AGAINST]]]

FOLDER/OWNER+REPOSITORY/*.spv; the modules are not copied: only counts, reasons and the repositories' names are in
the page. Each module runs once at 32 lanes, two at once, at most 60 s of processor time each; modules that were HLSL
with --hlsl 2021. RAW: a file for all answers, one JSON object a line. AGAINST: such a file of another build on the
same modules: prints what changed.
"""
import collections, concurrent.futures, json, os, re, statistics, subprocess, sys, tempfile

SECONDS, AT_ONCE, HLSL = 60, 2, 5
LOAD = "unsupported|opcode|is inside a function|invalid|not modelled"
VERDICTS = ["portable", "letter", "not reached", "order", "reconvergence", "undefined"]
SUBSETS = ["all", "with features", "with group operations"]


def instructions(path):
    """Yields the opcode and the words of each instruction of a module."""
    data = open(path, "rb").read()
    words = [int.from_bytes(data[k:k + 4], "little") for k in range(0, len(data) // 4 * 4, 4)]
    k = 5
    while k < len(words) and words[k] >> 16:
        yield words[k] & 0xffff, words[k:k + (words[k] >> 16)]
        k += words[k] >> 16


def traits(path):
    """Returns whether a module was HLSL, has group operations, and has those or atomics, barriers, shared memory."""
    hlsl = group = feature = False
    for op, words in instructions(path):
        hlsl |= op == 3 and words[1] == HLSL  # OpSource
        group |= 333 <= op <= 366 or 4421 <= op <= 4432 or op in (5110, 5111, 5296) or 5571 <= op <= 5580
        feature |= 224 <= op <= 242 or op in (318, 319, 5614, 5615, 6035) or (op == 59 and words[3] == 4)
    return hlsl, group, group or feature


def kind(reason):
    """Returns a reason without the numbers and names of one module."""
    if "image or sampler" in reason or "OpTypeSampl" in reason or "OpTypeImage" in reason:
        return "images and samplers"
    for pattern, name in [
        ("ooperative", "cooperative matrices or vectors"),
        ("not Logical", "addresses of buffers (buffer_device_address)"),
        ("opcode \\d+ is not", "an opcode newer than the grammar (tensors)"),
        ("is inside a function", "instructions for debuggers between functions' parameters and blocks"),
        ("is of OpType(Int|Float|Bool|Vector)", "uniforms outside of a block (OpenGL)"),
        ("array of descriptors", "descriptor arrays"),
        ("nothing orders", "a race that depends on invented inputs, or may be ordered by atomics"),
        ("bits are not followed", "bits that are not followed"),
        ("out of bounds", "out of bounds of an invented buffer"),
        ("a float that is not modelled", "a branch on a float that is not modelled"),
        ("more than \\d+ instr|still runs after", "did not end"),
        ("reads memory that was never", "unwritten memory that depends on invented inputs"),
        ("no result|not active", "an undefined value that depends on invented inputs"),
        ("not reached by all", "a barrier that depends on invented inputs"),
    ]:
        if re.search(pattern, reason):
            return name
    return re.sub(r"%\d+|\d+", "N", reason)[:70]


def run(program, path):
    """Returns the answer on one module, with processor time and memory."""
    hlsl, group, feature = traits(path)
    call = ["prlimit", f"--cpu={SECONDS}", program, "portable", "--subgroup", "32", "--json"]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(call + ["--hlsl", "2021"] * hlsl + [path], stdout=out, stderr=errors)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = status
        out.seek(0), errors.seek(0)
        text, said = out.read(), errors.read().decode(errors="replace")
    row = {"module": "/".join(path.split("/")[-2:]), "group": group, "feature": feature, "status": status,
           "seconds": used.ru_utime + used.ru_stime, "megabytes": used.ru_maxrss / 1024, "load": False, "verdict": None}
    try:
        answer = json.loads(text)
    except ValueError:
        row["reason"] = said.strip()[-300:] or f"ended with status {status}"
        row["crash"] = os.WIFSIGNALED(status) and os.WTERMSIG(status) not in (9, 24)
        row["load"] = not row["crash"] and os.WIFSIGNALED(status)
        return row
    strongest = answer["cells"][-1]
    reason = strongest.get("reason", {})
    row["reason"] = reason.get("text", "") + " " + reason.get("fix", "")
    unknown = strongest["status"] == "not known"
    row["load"] = not (unknown and re.search(LOAD, reason.get("text", "")) and not reason.get("rule"))
    row["verdict"] = None if unknown else answer["verdict"]
    row["answer"] = answer
    return row


def share(n, of):
    return f"{n} ({100 * n / max(1, of):.1f} %)"


def table(rows):
    """Returns the tables of the page, as lines."""
    subsets = [rows, [r for r in rows if r["feature"]], [r for r in rows if r["group"]]]
    lines = ["| | " + " | ".join(f"{name} {len(s)}" for name, s in zip(SUBSETS, subsets)) + " |", "| --- " * 4 + "|"]

    def line(title, what):
        lines.append(f"| {title} | " + " | ".join(what(s) for s in subsets) + " |")

    def blocks(key):
        def median(subset):
            ran = [100 * r["answer"][key] / max(1, r["answer"]["blocks"]) for r in subset if r["verdict"]]
            return f"{statistics.median(ran):.0f} %" if ran else "-"
        return median

    line("load", lambda s: share(sum(r["load"] for r in s), len(s)))
    line("answer", lambda s: share(sum(r["verdict"] is not None for r in s), len(s)))
    line("blocks ran, median", blocks("blocks_ran"))
    line("blocks ran or decided by all paths, median", blocks("blocks_decided"))
    times, memory = sorted(r["seconds"] for r in rows), sorted(r["megabytes"] for r in rows)
    lines += ["", f"Processor time: median {statistics.median(times):.2f} s, 95 % below {times[len(times) * 95 // 100]:.2f} s, "
              f"longest {times[-1]:.1f} s ({sum(t > 1 for t in times)} above 1 s). Memory: median {statistics.median(memory):.0f} MB, "
              f"most {memory[-1]:.0f} MB ({sum(m > 256 for m in memory)} above 256 MB). "
              f"{sum(r.get('crash', False) for r in rows)} crashes.", "",
              "| repository | modules | with features | load | answer | " + " | ".join(VERDICTS) + " |",
              "| --- " * (5 + len(VERDICTS)) + "|"]
    repositories = collections.OrderedDict()
    for r in rows:
        repositories.setdefault(r["module"].split("/")[0].replace("+", "/"), []).append(r)
    for name, some in list(repositories.items()) + [("all", rows)]:
        lines.append(f"| {name} | {len(some)} | {sum(r['feature'] for r in some)} | {sum(r['load'] for r in some)} | "
                     f"{sum(r['verdict'] is not None for r in some)} | " +
                     " | ".join(str(sum(r["verdict"] == v for r in some)) for v in VERDICTS) + " |")
    reasons = collections.Counter(kind(r["reason"]) for r in rows if r["verdict"] is None)
    lines += ["", "Without an answer:", "", "| modules | reason |", "| --- | --- |"]
    return lines + [f"| {n} | {reason} |" for reason, n in reasons.most_common()]


def changes(rows, path):
    """Returns one line for each module whose verdict or reason differs from another build's."""
    was = {r["module"]: r for r in map(json.loads, open(path))}

    def says(r):
        return f"{r['verdict'] or 'not known'}: {r['reason'].strip()}"

    return [f"{r['module']}\n  was {says(was[r['module']])}\n  is  {says(r)}" for r in rows
            if r["module"] in was and says(r) != says(was[r["module"]])]


def main():
    folder, build = sys.argv[1], (sys.argv + ["build/release"])[2]
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    program = os.path.join(root, build, "tanglefuzz")
    paths = sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name.endswith(".spv"))
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        rows = list(pool.map(lambda path: run(program, path), paths))
    if len(sys.argv) > 3:
        with open(sys.argv[3], "w") as raw:
            raw.writelines(json.dumps(row) + "\n" for row in rows)
    print("\n".join(table(rows)))
    if len(sys.argv) > 4:
        print("\nChanged:\n" + "\n".join(changes(rows, sys.argv[4])))


main()
