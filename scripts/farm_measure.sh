#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures how fast a farm's store is, and whether it loses anything, on a private PostgreSQL (PG_VERSION: which one).
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [ "${1-}" = --help ] || [ "${1-}" = -h ]; then
    echo "usage: scripts/farm_measure.sh [--quick]    takes about two minutes; --quick: a tenth of everything"
    exit
fi
part=1
[ "${1-}" != --quick ] || part=10
. scripts/lib/quiet.sh
[ $part = 10 ] || quiet farm_measure
TF=$PWD/build/release/tanglefuzz bench=$PWD/build/release/tests/bench_farm DEPS_DIR=$PWD/build/deps
work=$(mktemp -d)
. tests/pg_lib.sh
trap 'pg_remove; rm -rf "$work"' EXIT
pg_start
fresh() { # creates an empty store
    q "CREATE DATABASE b$((++stores))" >/dev/null
    dsn="host=$PG_DIR user=farm dbname=b$stores"
    "$TF" farm init "$dsn" >/dev/null
}
stores=0
LD_LIBRARY_PATH=${PG_LIBS-} "$PG_BIN/postgres" --version
"$TF" fuzz --target mutant:tail-merge-arms --cases 800 --stop-after 1 --out "$work/c" >/dev/null 2>&1 || true
like=$(echo "$work"/c/findings/*/ | cut -d' ' -f1)

echo "== ranges taken and done"
fresh
"$bench" "$dsn" pairs 1 20 5
"$bench" "$dsn" pairs 20 20 5
"$bench" "$dsn" calls 500

echo "== 64 workers, 100 of them killed at random: is everything stored exactly once?"
fresh
"$bench" "$dsn" kill "$like" 64 $((100 / part)) $((20000 / part))

echo "== findings of $(du -bs "$like" | cut -f1) bytes in $(ls "$like" | wc -l) files"
fresh
"$bench" "$dsn" put "$like" $((10000 / part)) 300
PG_DSN=$dsn
q "SELECT 'in the store: ' || pg_database_size(current_database()) / (SELECT count(*) FROM finding) || ' bytes per finding'"
cd "$work"
for what in 'farm status' 'farm pull pulled --top 100' 'report pulled'; do
    start=$(date +%s%N)
    # shellcheck disable=SC2086
    if [ "$what" = 'report pulled' ]; then "$TF" $what >/dev/null; else "$TF" $what --store "$dsn" >/dev/null; fi
    echo "tanglefuzz $what: $((($(date +%s%N) - start) / 1000000)) ms"
done

echo "== pages of 100,000 buckets, with 5 findings each"
fresh
PG_DSN=$dsn
q "INSERT INTO stream(digest, target, device, driver, generator, options) SELECT i, 'bench', '', '', 1, '{}' FROM generate_series(1, 20) i;
   INSERT INTO bucket(name, signature, class, sentence, first_at)
       SELECT 'b' || lpad(i::text, 6, '0'), 'signature ' || i, 'wrong-value', 'what is wrong in ' || i, now() - interval '1 minute' * (100001 - i)
       FROM generate_series(1, 100000 / $part) i;
   INSERT INTO seen(stream, bucket, findings) SELECT s.id, b.name, 7 FROM bucket b, stream s WHERE s.id % 4 = 0;
   INSERT INTO finding(digest, name, stream, class, text, target, rule, taxonomy, first_bucket, bucket, words, first_words, smallest, reproduced, tries, owner)
       SELECT b.name || s.id, 's1', s.id, 'wrong-value', '', 'bench', '', '', b.name, b.name, 300, 400, 'case.spvasm', 3, 3, 'bench'
       FROM bucket b, stream s WHERE s.id % 4 = 0;
   ANALYZE"
for what in 'farm buckets' 'farm buckets --after b005000' 'farm status' 'farm status --json'; do
    start=$(date +%s%N)
    # shellcheck disable=SC2086
    "$TF" $what --store "$dsn" >/dev/null
    echo "tanglefuzz $what: $((($(date +%s%N) - start) / 1000000)) ms"
done

echo "== workers of a target that waits 0.1 s per case: cases per second"
mkdir bin
printf '#!/bin/sh\nsleep 0.1\ncp "$1" "$2"\n' >bin/wait
chmod +x bin/wait
for n in 1 8; do
    fresh
    seeds=$((120 / part > 20 ? 120 / part : 20))
    for i in $(seq "$n"); do
        "$TF" farm work --store "$dsn" --target "exec-compiler:$work/bin/wait {in} {out}" --profile small --size "$seeds" --ranges 1 >/dev/null 2>&1 &
        pids="${pids-} $!"
    done
    # shellcheck disable=SC2086
    wait $pids
    pids=
    PG_DSN=$dsn
    q "SELECT '$n worker(s): ' || round((sum(cases) / max(seconds))::numeric, 2) FROM range"
done
