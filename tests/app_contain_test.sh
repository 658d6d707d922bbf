#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compilers that do what nobody asked for: write elsewhere, call home, fork without end, eat memory and disk. And
# friendly ones that look like it.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1

case=$SOURCE_DIR/corpus/rules/M6-break-block-stays-split.spvasm
compiler() { cat >"$1.py"; } # NAME: python, with in and out as arguments
ask() { # NAME [ENV...]: replay through it
    local name=$1 && shift
    env "$@" "$TF" replay "$case" --job-time 1200 --target "exec-compiler:python3 $work/$name.py {in} {out}"
}

compiler outside <<'PY'
import os, shutil, sys
for path in (os.path.dirname(os.path.abspath(__file__)) + "/escaped", os.path.expanduser("~/escaped"), "/tmp/tf-escaped"):
    try:
        open(path, "w").close()
    except OSError:
        pass
open(os.environ["TMPDIR"] + "/mine", "w").close()
shutil.copy(sys.argv[1], sys.argv[2])
PY
compiler calls <<'PY'
import shutil, socket, sys
try:
    socket.create_connection(("127.0.0.1", int(open(__file__ + ".port").read())), 5)
    sys.exit(3)
except OSError:
    shutil.copy(sys.argv[1], sys.argv[2])
PY
compiler forks <<'PY'
import os, time
while True:
    if os.fork() == 0:
        time.sleep(1200)
PY
compiler eats <<'PY'
x = []
while True:
    x.append(bytearray(b"x") * (4 << 20))
PY
compiler reserves <<'PY'
import mmap, shutil, sys
x = mmap.mmap(-1, 64 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)  # MAP_NORESERVE, of any use to nobody
shutil.copy(sys.argv[1], sys.argv[2])
PY
compiler files <<'PY'
import os, time
for k in range(6000):
    open(f"{os.environ['TMPDIR']}/{k}", "w").close()
time.sleep(1200)
PY

"$TF" doctor >doctor 2>&1
report doctor_says_it "$(grep -Eq '^(ok +containment +bubblewrap contains the commands|optional +containment +.)' doctor || cat doctor)"
if grep -q '^ok  *containment' doctor; then
    t writes_outside 0 ': agrees' '' ask outside
    report wrote_nothing_outside "$(ls "$work/escaped" ~/escaped /tmp/tf-escaped 2>/dev/null)"
    t writes_outside_uncontained 0 ': agrees' '' ask outside TANGLEFUZZ_CONTAIN=no
    report seen_to_write "$([ -e "$work/escaped" ] || echo 'the test shows nothing: it cannot write at all')"
    rm -f ~/escaped /tmp/tf-escaped
    python3 -c 'import socket,sys,time
s = socket.create_server(("127.0.0.1", 0))
open(sys.argv[1] + ".tmp", "w").write(str(s.getsockname()[1]))
__import__("os").rename(sys.argv[1] + ".tmp", sys.argv[1])
time.sleep(600)' "$work/calls.py.port" &
    listener=$!
    until_true test -e calls.py.port
    t calls_nobody 0 ': agrees' '' ask calls
    t calls_somebody_uncontained 1 'rejected: exit status 3' '' ask calls TANGLEFUZZ_CONTAIN=no
    kill $listener
else
    skip writes_outside "no containment: $(grep containment doctor)"
fi
# ---- tanglefuzz is killed: what the command has started goes with it, also where nothing contains it
for kind in child session; do
    printf '#!/bin/sh\n%s sleep 1200 & echo $! >"$1"; wait\n' "$([ $kind = child ] || echo setsid)" >$kind.sh
    TANGLEFUZZ_CONTAIN=no "$TF" replay "$case" --job-time 1200 \
        --target "exec-compiler:sh $work/$kind.sh $work/$kind.pid {in} {out}" >out 2>err &
    pid=$!
    until_true test -s $kind.pid
    until_true grep -qa sleep /proc/$(cat $kind.pid)/cmdline
    kill -9 $pid
    wait $pid 2>/dev/null
    gone() { ! kill -0 "$(cat $kind.pid)" || grep -q '^State:.Z' /proc/$(cat $kind.pid)/status; }
    until_true gone
    pass killed_leaves_no_$kind
    kill -9 "$(cat $kind.pid)" 2>/dev/null
done
t head_says_it 0 '^commands are not contained: TANGLEFUZZ_CONTAIN=no$' - \
    env TANGLEFUZZ_CONTAIN=no "$TF" fuzz --target 'exec-compiler:cp {in} {out}' --profile small --cases 2 --out head
t head_says_it_of_a_chain 0 '^commands are not contained: TANGLEFUZZ_CONTAIN=no$' - \
    env TANGLEFUZZ_CONTAIN=no "$TF" fuzz --target 'spirv-opt:-O | exec-compiler:cp {in} {out}' --profile small --cases 2 --out chain
for contain in yes no; do
    t forks_without_end_$contain 1 'crash: it started more than 256 processes' '' ask forks TANGLEFUZZ_CONTAIN=$contain
    report no_fork_is_left_$contain "$(pgrep -f "$work/forks.py")"
    t reserves_address_space_$contain 0 ': agrees' '' ask reserves TANGLEFUZZ_CONTAIN=$contain
    t writes_many_files_$contain 1 'crash: it wrote more than 1024 MiB or 4096 files' '' ask files TANGLEFUZZ_CONTAIN=$contain
    TANGLEFUZZ_CONTAIN=$contain "$TF" fuzz --target "exec-compiler:python3 $work/eats.py {in} {out}" --memory 200 --profile small \
        --cases 1 --out eats-$contain >out 2>err
    report eats_memory_$contain "$(ls -d eats-$contain/findings/*-memory >/dev/null 2>&1 || cat out err)"
done
