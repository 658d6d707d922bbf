#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Output that cannot be written: readers that leave, full disks, folders that are none.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1

# ---- standard output
# A reader that leaves is no failure, however much is still to come.
{ "$TF" gen --seed 1 --profile large 2>err; echo $? >status; } | head -n 1 >out
report broken_pipe_is_quiet "$(cat err)"
t broken_pipe_status 0 '' '' test "$(cat status)" = 0
t broken_pipe_before_the_first_line 0 '' '' unread "$TF" --help
if [ -w /dev/full ]; then
    bad full_stdout_short 'standard output: cannot write: No space left' bash -c '"$0" --help >/dev/full' "$TF"
    bad full_stdout_long 'standard output: cannot write: No space left' \
        bash -c '"$0" gen --profile large >/dev/full' "$TF"
else
    skip full_stdout 'no /dev/full'
fi

# ---- files
"$TF" gen --seed 1 --subgroup 8 -o case.spvasm
mkdir folder
bad out_is_a_folder 'folder: cannot write' "$TF" predict case.spvasm -o folder
report out_is_a_folder_leaves_nothing "$(ls -A | grep tmp)"

# A disk of 64 KiB: gen leaves its old file as it was.
if [ "$(id -u)" = 0 ] && mkdir disk && mount -t tmpfs -o size=64k tmpfs disk 2>/dev/null; then
    echo old >disk/case.spvasm
    head -c 60000 /dev/zero >disk/filler
    bad full_disk_gen 'cannot write: No space left' "$TF" gen --profile large --seed 3 -o disk/case.spvasm
    report full_disk_gen_keeps_the_old_file "$(grep -vx old disk/case.spvasm; ls -A disk | grep -v -e '^case.spvasm$' -e '^filler$')"
    if have_lavapipe; then
        bad full_disk_fuzz 'disk/out.*No space left' "$TF" fuzz --target $LAVAPIPE --cases 1 --out disk/out
        report full_disk_fuzz_leaves_no_file "$(find disk/out -type f)"
    fi
    umount disk
else
    skip full_disk 'no tmpfs can be mounted'
fi

# ---- the folder of a campaign
if ! have_lavapipe; then
    skip campaign_folders 'no lavapipe: scripts/setup.sh gets it'
    exit
fi
fuzz() { "$TF" fuzz --target $LAVAPIPE --cases 2 "$@"; }
echo file >file
bad out_is_a_file 'file: cannot make the folder' fuzz --out file
bad out_below_a_file 'file: cannot make the folder' fuzz --out file/x
if [ "$(id -u)" != 0 ]; then
    mkdir -m 555 locked
    bad out_is_locked 'locked' fuzz --out locked
    chmod 755 locked
elif [ -d /proc/self ]; then
    bad out_is_locked '/proc/x' fuzz --out /proc/x
fi
mkdir other
echo '{"some":"thing"}' >other/campaign.json
bad out_is_another_s 'other/campaign.json: not a campaign file' fuzz --out other
report other_s_file_is_kept "$(grep -v some other/campaign.json)"

# ---- the status line on a terminal of 40 columns: findings stay in sight, in buckets
if command -v python3 >/dev/null; then
    report narrow_status "$(python3 - "$TF" <<'PY'
import fcntl, os, pty, re, signal, struct, subprocess, sys, termios
main, end = pty.openpty()
fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
env = dict(os.environ, TERM="xterm")
p = subprocess.Popen([sys.argv[1], "fuzz", "--target", "mutant:fold-elect", "--stop-after", "0",
                      "--out", "narrow"], stdout=subprocess.DEVNULL, stderr=end, env=env)
os.close(end)
said, stopped = b"", False
try:
    while block := os.read(main, 65536):
        said += block
        many = re.findall(rb"in ([0-9]+) buckets", said)
        if many and int(many[-1]) > 20 and not stopped:
            stopped = True
            p.send_signal(signal.SIGINT)
except OSError:
    pass
p.wait()
lines = [re.sub(r"\x1b\[[0-9;]*[mK]", "", l) for l in said.decode().split("\r")]
wide = [l for l in lines if len(l) > 39]
good = [l for l in lines if re.search(r"[1-9][0-9]* findings? in [1-9][0-9]* buckets?\b", l)]
print("\n".join(["too wide: " + l for l in wide[:3]] + ([] if good else ["no findings in buckets:"] + lines[-5:])), end="")
PY
    )"
    # A campaign that goes on counts the buckets of its first part, too: it is told at ten seconds.
    buckets() { cat narrow/findings/*/finding.json | grep -o '"bucket": *"[a-z]*"' | sort -u | wc -l; }
    first=$(buckets)
    "$TF" fuzz --resume narrow --time 3600 --stop-after 0 >out 2>err &
    pid=$!
    until grep -q bucket err || ! kill -0 $pid; do sleep 0.1; done
    kill -INT $pid && wait $pid
    shown=$(grep -oE 'in [0-9]+ buckets?' err | head -n 1 | grep -oE '[0-9]+')
    report buckets_of_a_resumed_one "$([ "$first" -gt 20 ] && [ "${shown:-0}" -ge "$first" ] && [ "$shown" -le "$(buckets)" ] ||
        echo "$first, then $shown of $(buckets): $(head -n 2 err)")"
fi
