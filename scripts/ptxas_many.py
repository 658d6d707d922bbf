#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs isa:ptxas on many programs: nvdisasm starts in 0.3 s, so it is started once for many.

usage: scripts/ptxas_many.py --out DIR [--tf PROGRAM] [--seeds A:B] [--sm N] [--level N] [--batch N] [OPTION...]

A first campaign keeps the PTX of each program, and skips it. ptxas compiles a batch of them as one module, nvdisasm prints it, and
the text is cut at its functions. A second campaign, of the same seeds, takes its code from there. A program on which
ptxas fails is found by halving its batch; the second campaign runs the real ptxas on it. Further options go to
`tanglefuzz fuzz`. ptxas and nvdisasm are those of TANGLEFUZZ_TOOLS or the PATH. Exit status: that of the second
campaign, 2 without ptxas. Needs a C compiler, cc.
"""
import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What the target starts in place of ptxas and nvdisasm, one program under both names. Arguments are as in runners/cuda.c.
STANDS_IN = r"""
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>
static void copy(const char *from, int out)
{
    int in = open(from, O_RDONLY);
    while (sendfile(out, in, NULL, 1 << 20) > 0)
        ;
    close(in);
}
static int put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    return !f || fputs(text, f) < 0 || fclose(f);
}
int main(int argc, char **argv)
{
    char path[2000], new[2020], name[40] = "";
    const char *last = strrchr(argv[0], '/');
    if (argc < 3)
        return 2;
    if (strcmp(last ? last + 1 : argv[0], "nvdisasm") == 0) { // -ndf CUBIN
        FILE *f = fopen(argv[2], "r");
        if (f && fgets(name, sizeof name, f) && strcmp(name, "kept") == 0)
            return puts("kept for a batch") < 0;
        snprintf(path, sizeof path, DIR "/sass/%s", name);
        if (strncmp(name, "tf-", 3) || access(path, R_OK))
            return execv(NVDISASM, argv);
        copy(path, 1);
        return 0;
    }
    uint64_t h[2] = {0xcbf29ce484222325, 0x84222325cbf29ce4}; // -arch -O PTX -o CUBIN
    FILE *f = argc > 5 ? fopen(argv[3], "r") : NULL;
    for (int c; f && (c = getc(f)) != EOF;)
        for (int i = 0; i < 2; i++)
            h[i] = (h[i] ^ (uint64_t)c) * (0x100000001b3 + 2 * i);
    snprintf(name, sizeof name, "tf-%016llx%016llx", (unsigned long long)h[0], (unsigned long long)h[1]);
    snprintf(path, sizeof path, DIR "/sass/%s", name);
    if (f && access(path, R_OK) == 0)
        return put(argv[5], name);
    if (!f || access(DIR "/record", R_OK))
        return execv(PTXAS, argv);
    snprintf(path, sizeof path, DIR "/ptx/%s", name);
    snprintf(new, sizeof new, DIR "/new-%s", name);
    int out = open(new, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    copy(argv[3], out);
    return close(out) || rename(new, path) || put(argv[5], "kept");
}
"""


def tool(name):
    local = os.path.join(os.environ.get("TANGLEFUZZ_TOOLS", ""), "ptxas/bin", name)
    found = local if os.access(local, os.X_OK) else shutil.which(name)
    if not found:
        print(f"ptxas_many: {name} is not on the PATH", file=sys.stderr)
        sys.exit(2)
    return found


def module(paths):
    """The PTX of all as one module: kernel k of paths[k] is tf_main_k."""
    out = []
    for k, path in enumerate(paths):
        with open(path, encoding="ascii") as f:
            head, rest = f.read().split(".visible .entry tf_main(", 1)
        out.append((head if not k else "") + f".visible .entry tf_main_{k}(" + rest)
    return "".join(out)


def cut(text):
    """{k: the lines of kernel k's sections: its code, and its constants}"""
    out = {}
    for part in re.split(r"(?m)^(?=\s*\.section\s)", text)[1:]:
        found = re.match(r"\s*\.section\s+\.(?:text|nv\.constant2)\.tf_main_(\d+),", part)
        if found:
            out[int(found[1])] = out.get(int(found[1]), "") + re.sub(rf"\btf_main_{found[1]}\b", "tf_main", part)
    return out


def assembled(paths, options, ptxas, folder):
    """Whether ptxas compiles all of them as one module, to FOLDER/batch.cubin."""
    ptx = os.path.join(folder, "batch.ptx")
    with open(ptx, "w", encoding="ascii") as f:
        f.write(module(paths))
    words = [ptxas, f"-arch=sm_{options.sm}", f"-O{options.level}", ptx, "-o", os.path.join(folder, "batch.cubin")]
    return subprocess.run(words, capture_output=True).returncode == 0


def without_crashes(paths, options, ptxas, folder):
    """Those on which ptxas does not fail."""
    if assembled(paths, options, ptxas, folder):
        return paths
    half = len(paths) // 2
    return [p for part in (paths[:half], paths[half:]) if half for p in without_crashes(part, options, ptxas, folder)]


def compiled(paths, options, tools, folder):
    """Writes the code of each on which ptxas does not fail; returns the number of the others."""
    good = without_crashes(paths, options, tools[0], folder)
    if good and (len(good) == len(paths) or assembled(good, options, tools[0], folder)):
        text = subprocess.run([tools[1], "-ndf", os.path.join(folder, "batch.cubin")], capture_output=True, text=True,
                              check=True).stdout
        parts = cut(text)
        for k, path in enumerate(good):
            with open(os.path.join(folder, "sass", os.path.basename(path)), "w", encoding="ascii") as f:
                f.write(parts[k])
    return len(paths) - len(good)


def campaign(options, folder, name):
    words = [options.tf, "fuzz", "--target", f"isa:ptxas:sm={options.sm},level={options.level}", "--seeds", options.seeds,
             "--inputs", "1", "--stop-after", "0", "--jobs", "1", "--out", os.path.join(folder, name), *options.more]
    env = dict(os.environ, TANGLEFUZZ_TOOLS=os.path.join(folder, "tools"))
    with open(os.path.join(folder, name + ".txt"), "w", encoding="utf-8") as log:
        return subprocess.run(words, env=env, stdout=log, stderr=subprocess.STDOUT).returncode


def main():
    parser = argparse.ArgumentParser(usage=__doc__.strip(), add_help=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--tf", default=os.path.join(ROOT, "build/release/tanglefuzz"))
    parser.add_argument("--seeds", default="0:1000")
    parser.add_argument("--sm", type=int, default=90)
    parser.add_argument("--level", type=int, default=3)
    parser.add_argument("--batch", type=int, default=100)
    options, options.more = parser.parse_known_args()
    tools = tool("ptxas"), tool("nvdisasm")
    folder = os.path.abspath(options.out)
    for name in ("ptx", "sass", "tools/ptxas/bin"):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    paths = [os.path.join(folder, "tools/ptxas/bin", name) for name in ("ptxas", "nvdisasm")]
    quoted = [json.dumps(t) for t in (folder, *tools)]
    subprocess.run(["cc", "-O2", "-xc", "-", "-o", paths[0], *(f"-D{n}={q}" for n, q in zip(("DIR", "PTXAS", "NVDISASM"), quoted))],
                   input=STANDS_IN, text=True, check=True)
    shutil.copy(*paths)
    record = os.path.join(folder, "record")
    open(record, "w", encoding="ascii").close()
    campaign(options, folder, "kept")
    os.remove(record)
    paths = [p for p in sorted(glob.glob(os.path.join(folder, "ptx", "*"))) if not os.path.exists(p.replace("/ptx/", "/sass/"))]
    failed = sum(compiled(paths[i:i + options.batch], options, tools, folder) for i in range(0, len(paths), options.batch))
    print(f"{len(paths)} programs as PTX, of which ptxas fails on {failed}", flush=True)
    status = campaign(options, folder, "run")
    with open(os.path.join(folder, "run.txt"), encoding="utf-8") as f:
        print(f.read(), end="")
    return status


if __name__ == "__main__":
    sys.exit(main())
