#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a power failure may leave of a campaign's folder: everything that `fuzz` does to files is written down (faults.c),
and after each operation the folder is made as it may be found then:
  all      everything so far is there (the process was killed)
  synced   files have what was synced of them; names are there (a file system that orders names, not data)
  least    that, and of a folder only the names that it had when it was synced last
In each of them `fuzz --resume` and `report` must work, and each finding that had been told must be there, whole.

usage: journal.py PROGRAM FAULTS.so WORK [--every N]   (after each Nth operation; default 1)
Exit status: 0 it holds, 1 it does not.
"""
import glob
import json
import os
import shutil
import subprocess
import sys

PROGRAM, FAULTS, WORK = (os.path.abspath(a) for a in sys.argv[1:4])
EVERY = int(sys.argv[5]) if len(sys.argv) > 5 else 1
WORDS = ["fuzz", "--target", "fault:refuse=2", "--profile", "small", "--subgroup", "8", "--max-invocations", "16",
         "--inputs", "1", "--cases", "8", "--json"]
FILES = {"README.md", "finding.json", "case.spvasm", "case.spv"}


def entries():
    data = open(f"{WORK}/journal", "rb").read()
    while data:
        head, data = data.split(b"\n", 1)
        op, n, path = head.split(b" ", 2)
        n = int(n)
        yield op.decode(), path.decode().split("\t"), data[:n]
        data = data[n:]


class Node:  # a file or a folder
    def __init__(self, folder):
        self.folder, self.now, self.synced = folder, {} if folder else b"", {} if folder else b""


class Disk:
    def __init__(self, root):
        self.root = root
        self.top = Node(True)

    def parent(self, path):
        node = self.top
        parts = os.path.relpath(path, self.root).split("/")
        for name in parts[:-1]:
            node = node.now[name]
        return node, parts[-1]

    def find(self, path):
        if os.path.normpath(path) == self.root:
            return self.top
        node, name = self.parent(path)
        return node.now.get(name)

    def do(self, op, path, data):
        node, name = self.parent(path[0]) if os.path.normpath(path[0]) != self.root else (None, "")
        if op == "mkdir" and node:
            node.now[name] = Node(True)
        elif op in ("create", "trunc"):
            if name not in node.now:
                node.now[name] = Node(False)
            if op == "trunc":
                node.now[name].now = b""
        elif op == "write":
            node.now[name].now += data
        elif op == "rename":
            to, new = self.parent(path[1])
            to.now[new] = node.now.pop(name)
        elif op in ("unlink", "rmdir"):
            node.now.pop(name, None)
        elif op == "sync":
            x = self.find(path[0])
            x.synced = dict(x.now) if x.folder else x.now

    def write(self, node, path, how):
        os.makedirs(path, exist_ok=True)
        for name, x in (node.synced if how == "least" else node.now).items():
            if x.folder:
                self.write(x, f"{path}/{name}", how)
            else:
                with open(f"{path}/{name}", "wb") as f:
                    f.write(x.now if how == "all" else x.synced)


def run(*words):
    return subprocess.run([PROGRAM, *words], cwd=WORK, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=120, text=True)


def look(folder, told):
    for name in told:
        files = set(os.listdir(f"{folder}/findings/{name}"))
        assert FILES <= files, f"{name} has {sorted(files)} alone"
        for f in FILES:
            assert os.path.getsize(f"{folder}/findings/{name}/{f}"), f"{name}/{f} is empty"
        json.load(open(f"{folder}/findings/{name}/finding.json"))


def check(folder, told, want):
    if told or os.path.isdir(f"{folder}/findings"):
        look(folder, told)
        p = run("report", folder, "--format", "text")
        assert p.returncode == 0, f"report: status {p.returncode}: {p.stderr}"
    if os.path.exists(f"{folder}/state.json"):
        p = run("fuzz", "--resume", folder, "--target", "fault:refuse=2")
        assert p.returncode == 1, f"resume: status {p.returncode}: {p.stderr}"
        found = {os.path.basename(x) for x in glob.glob(f"{folder}/findings/[!.]*")}
        assert found == want, f"resumed: {sorted(found)}"
        look(folder, found)
    else:
        assert not told, "findings were told, and there is no state"


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    root = f"{WORK}/c"
    subprocess.run([PROGRAM, *WORDS, "--out", root], cwd=WORK, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                   env={**os.environ, "LD_PRELOAD": FAULTS, "TF_FAULT_JOURNAL": f"{WORK}/journal", "TF_FAULT_ROOT": root})
    want = {os.path.basename(x) for x in glob.glob(f"{root}/findings/[!.]*")}
    assert len(want) >= 2, want
    disk, told, states, bad = Disk(root), set(), 0, 0
    for at, (op, path, data) in enumerate(entries()):
        if op == "told":
            for line in data.decode().splitlines():
                o = json.loads(line)
                if "folder" in o:
                    told.add(o["name"])
        else:
            disk.do(op, path, data)
        if at % EVERY:
            continue
        for how in "all", "synced", "least":
            states += 1
            folder = f"{WORK}/state"
            shutil.rmtree(folder, ignore_errors=True)
            disk.write(disk.top, folder, how)
            try:
                check(folder, told, want)
            except (AssertionError, OSError, ValueError) as e:
                bad += 1
                print(f"after operation {at} ({op} {path[0].replace(root, 'OUT')}), {how}: {e}", flush=True)
    assert told == want, f"told {told}"
    print(f"{states} states after {at + 1} operations, {len(told)} findings told, {bad} violations")
    sys.exit(1 if bad else 0)


main()
