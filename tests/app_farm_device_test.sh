#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The GPU lab of examples/farm: a worker for each row of gpu-lab.txt, one row for each kind of link, on a real PostgreSQL.
# The machines are folders of this one: by a real ssh server, a stand-in for adb, and a connection; the "Windows" row runs
# the Linux program. Each seed is done once, by the row's own device.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
. "$SOURCE_DIR/tests/pg_lib.sh"
. "$SOURCE_DIR/tests/ssh_lib.sh"
lab=$SOURCE_DIR/examples/farm
export TMPDIR=$work
have_lavapipe || { skip gpu_lab "no lavapipe: scripts/setup.sh gets it"; exit; }
have_ssh || { skip gpu_lab "no sshd"; exit; }
if "$TF" farm status --store host=/nonexistent 2>&1 | grep -q 'built without\|no libpq' || [ -z "$(pg_bin)" ]; then
    skip gpu_lab 'no PostgreSQL server: scripts/servers.sh gets one'
    exit
fi
listener=
trap 'ssh_stop; [ -z "$listener" ] || kill $listener; pg_remove; finish' EXIT
pg_start || { fail postgresql_starts "$(cat "$work"/*.log)"; exit; }
export TANGLEFUZZ_STORE=$PG_DSN TANGLEFUZZ_DEVICE_TOKEN=a-secret-for-this-test
t init 0 'the store is ready' '' "$TF" farm init

port=$((20000 + $$ % 20000)) env=${TANGLEFUZZ_DRIVERS-$DEPS_DIR/drivers}/lavapipe/env
SSH_HOSTS='board desk' ssh_start $port
cp "$BUILD_DIR/tanglefuzz-device" far/
ln -s "$BUILD_DIR/tanglefuzz-device" far-bin/tanglefuzz-device.exe
mkdir -p phone/data/local/tmp && cp "$BUILD_DIR/tanglefuzz-device" phone/data/local/tmp/
printf '#!/bin/sh\nexport PHONE=%s\nset -a; . %s\n[ "$1" != -s ] || shift 2\nexec %s "$@"\n' "$work/phone" "$env" \
    "$SOURCE_DIR/tests/fake_adb.sh" >bin/adb
chmod +x bin/adb
ln -s "$TF" bin/tanglefuzz
(set -a; . "$env"; exec "$BUILD_DIR/tanglefuzz-device" --listen $((port + 1))) 2>listen &
listener=$!
until_true grep -q listening listen
rows=$(grep -vc '^#' "$lab/gpu-lab.txt")
sed "s/7788/$((port + 1))/" "$lab/gpu-lab.txt" >lab.txt
report each_kind_of_link "$(for x in 'device:ssh' '\.exe$' 'device:adb' 'device:tcp='; do grep -q "$x" lab.txt || echo "$x"; done)"

t lab_works 0 '^1 ranges, 3 cases' - "$lab/gpu-lab.sh" lab.txt --profile small --inputs 1 --size 3 --ranges 1
report a_stream_for_each_row "$([ "$(q "SELECT count(*), count(DISTINCT owner), sum(cases), sum(end_seed - first_seed)
    FROM range WHERE done IS NOT NULL")" = "$rows|$rows|$((3 * rows))|$((3 * rows))" ] || { cat out err; q "SELECT first_seed, end_seed, owner, cases FROM range"; })"

printf '# none\n' >none.txt
t no_rows 2 '' 'none.txt has no row' "$lab/gpu-lab.sh" none.txt

# A link that is away: its worker says why, the others work on.
sed 's|^phone .*|phone device:adb -s SERIAL exec-out /nowhere/device|' lab.txt >away.txt
t away 2 '^1 ranges, 3 cases' 'nowhere/device: not found' "$lab/gpu-lab.sh" away.txt --profile small --inputs 1 --size 3 --ranges 1
report others_work "$([ "$(q "SELECT count(*) FROM range WHERE done IS NOT NULL")" = $((2 * rows - 1)) ] || { cat out err; q "SELECT first_seed, end_seed, owner, cases FROM range"; })"
