#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Thirty workers and ten connections: they wait for a store that is not there yet, that starts, and that has no
# connection left for them, from their first connection on. Each range is done once, no finding is lost or there twice.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/tests/pg_lib.sh"
export TMPDIR=$work
workers=30 connections=10 size=20 seeds=1200 target=mutant:tail-merge-arms
if [ -z "$(pg_bin)" ] || "$TF" farm status --store host=/nonexistent 2>&1 | grep -q 'built without\|no libpq'; then
    skip farm_crowd 'no PostgreSQL: needs libpq and a server (scripts/servers.sh)'
    exit
fi
trap 'kill $(jobs -p) 2>/dev/null; pg_remove; finish' EXIT
pg_start || { fail postgresql_starts "$(cat "$work"/*.log)"; exit; }
"$TF" farm init "$PG_DSN" >out || fail init "$(cat out)"
q "CREATE ROLE w LOGIN IN ROLE tanglefuzz_work" # three connections are the superuser's, and one more it keeps below
worker() { "$TF" farm work --store "host=$PG_DIR user=w dbname=postgres" --target "$target" --profile small --keep 100000 "$@"; }
t first_range 0 "^1 ranges, $size cases" - worker --size $size --ranges 1
q "UPDATE stream SET end_seed = $seeds"

# ---- one connection for a worker with several jobs, and none while it has nothing to say
sessions() { q "SELECT count(*) FROM pg_stat_activity WHERE usename = 'w'"; }
mkdir bin
printf '#!/bin/sh\nsleep 0.2\ncp "$1" "$2"\n' >bin/wait
chmod +x bin/wait
target="exec-compiler:$work/bin/wait {in} {out}" worker --size 60 --ranges 1 --jobs 4 >slow.out 2>slow.err &
slow=$!
until_true eval '[ "$(q "SELECT count(*) FROM range WHERE done IS NULL")" = 1 ]'
until_true eval '[ "$(sessions)" = 0 ]'
report runs_without_a_connection "$([ "$(q "SELECT count(*) FROM range WHERE done IS NULL")" = 1 ] || cat slow.out)"
wait $slow
report and_is_done "$([ $? = 0 ] && grep -q '^1 ranges, 60 cases' slow.out || cat slow.out slow.err)"

# ---- a store that is away, then starts, then is full
pg_stop fast
echo "max_connections = $((connections + 4))" | pg_as tee -a "$PG_DIR/data/postgresql.conf" >/dev/null
pid=()
for ((w = 0; w < workers; w++)); do
    worker --size $size --owner "w$w" --store-wait 5m >"$w.out" 2>"$w.err" &
    pid+=($!)
done
one_ended() { for p in "${pid[@]}"; do kill -0 "$p" || return 0; done; false; }
all_wait() { [ "$(grep -l 'connection to server.*waiting for it' [0-9]*.err | wc -l)" = $workers ]; }
until_true eval 'all_wait || one_ended'
one_ended && { fail all_wait_for_a_store_that_is_away "$(cat [0-9]*.err)"; exit; }
pg_as touch "$PG_DIR/data/standby.signal" # a server that recovers, and lets nobody in until it is told to
(cd / && pg_as env LD_LIBRARY_PATH="${PG_LIBS-}" "$PG_BIN/postgres" -D "$PG_DIR/data" -c hot_standby=off >>"$PG_DIR/log" 2>&1) &
until_true eval '[ "$(LD_LIBRARY_PATH="${PG_LIBS-}" "$PG_BIN/pg_isready" -h "$PG_DIR")" = "$PG_DIR:5432 - rejecting connections" ]'
t starting_up 2 '' 'the store: .*(starting up|not accepting connections).* \(waited 1 s\)$' worker --store-wait 1
(cd / && pg_as env LD_LIBRARY_PATH="${PG_LIBS-}" "$PG_BIN/pg_ctl" -D "$PG_DIR/data" -w promote) >/dev/null 2>&1
# The ranges are held until ten have a connection, and the others were refused one.
exec {HOLD}> >(LD_LIBRARY_PATH="${PG_LIBS-}" exec "$PG_BIN/psql" -qAtX "$PG_DSN" >hold.out 2>&1)
echo 'BEGIN; LOCK TABLE tanglefuzz.range; SELECT 1;' >&"$HOLD"
until_true grep -q 1 hold.out
until_true eval '[ "$(sessions)" = $connections ]'
t full 2 '' 'the store: .*(too many clients|connection slots).* \(waited [0-9]+ s\)$' worker --store-wait 1
report full_is_said_so "$(grep -Eq '^tanglefuzz farm work: the store: .*; waiting for it(, [0-9.]+ s of 1.0 s)?$' err || cat err)"
report ten_have_one "$([ "$(sessions)" = $connections ] || sessions)"
echo 'COMMIT;' >&"$HOLD"
bad_ones=
for ((w = 0; w < workers; w++)); do
    wait "${pid[w]}" || bad_ones+="worker $w: $(tail -n 1 "$w.err")"$'\n'
done
exec {HOLD}>&-
report all_end_well "$bad_ones"
report all_said_that_it_is_back "$(grep -L 'the store: is back' [0-9]*.err)"
q "SELECT 'ranges by worker: ' || string_agg(n::text, ' ' ORDER BY n) FROM (SELECT count(*) AS n FROM range GROUP BY owner) x" | sed 's/^/# /'
report each_range_once "$([ "$(q "SELECT count(*), sum(cases), count(*) FILTER (WHERE lease > 1 OR done IS NULL) FROM range JOIN stream s ON s.id = stream WHERE target = '$target'")" = "$((seeds / size))|$seeds|0" ] ||
    q "SELECT * FROM range")"
"$TF" fuzz --target $target --profile small --jobs 2 --seeds 0:$seeds --stop-after 0 --keep 0 --out alone >alone.out 2>&1
report each_finding_once "$([ "$(ls alone/findings | wc -l)" -gt 3 ] || cat alone.out
    diff <(ls alone/findings) <(q "SELECT name FROM finding" | sort)
    [ "$(q "SELECT sum(findings) FROM seen")" = "$(ls alone/findings | wc -l)" ] || q "SELECT * FROM seen")"
