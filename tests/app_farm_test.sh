#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A farm with a real PostgreSQL: workers that are killed, stopped and run twice, a database that loses its power or is
# full; what is found is what one process alone finds, none lost, none twice. FARM_SEEDS: how many (nightly: 80000).
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/tests/pg_lib.sh"
export TMPDIR=$work # what a killed worker leaves is not for others to count
seeds=${FARM_SEEDS:-4000} target=mutant:tail-merge-arms
profile=default other=small # few ranges must not be done before they are looked at
if [ "$seeds" -gt 4000 ] || sanitized; then profile=small other=default; fi
range=$((seeds / 16))

unset TANGLEFUZZ_STORE PGSERVICE PGHOST PGDATABASE PGPASSFILE
bad no_address 'no store given: use --store DSN' "$TF" farm status
bad unknown_command "unknown command 'x'" "$TF" farm x
bad unknown_command_near "farm: unknown command 'statu'; did you mean 'status'" "$TF" farm statu
bad no_command 'farm needs a command' "$TF" farm
if "$TF" farm status --store host=/nonexistent 2>&1 | grep -q 'built without\|no libpq'; then
    skip farm 'no libpq: scripts/setup.sh gets it'
    exit
fi
t store_away_at_the_start 2 '' 'farm work: the store: .*/nonexistent.* \(waited 1 s\)$' "$TF" farm work --store host=/nonexistent --target $target --store-wait 1
bad store_away_for_people 'the store: .*/nonexistent' "$TF" farm missing --target $target --size 1 --count 1 --store host=/nonexistent
bad no_such_option 'invalid sslmode value' "$TF" farm work --store 'host=/nonexistent sslmode=x' --target $target
bad no_such_service 'definition of service "nosuch" not found' "$TF" farm work --store service=nosuch --target $target
bad password_on_the_command_line 'holds a password.*PGPASSFILE' "$TF" farm status --store 'host=/nonexistent password=x'
bad password_in_a_uri 'holds a password' "$TF" farm status --store postgresql://me:secret@localhost/farm
if [ -z "$(pg_bin)" ]; then
    skip farm 'no PostgreSQL server: scripts/servers.sh gets one'
    exit
fi
trap 'kill $(jobs -p) 2>/dev/null; pg_remove; finish' EXIT
pg_start || { fail postgresql_starts "$(cat "$work"/*.log)"; exit; }

# ---- the store
bad no_farm_there 'holds no farm: create one with tanglefuzz farm init' "$TF" farm status --store "$PG_DSN"
t init 0 'the store is ready \(schema 1\)' '' "$TF" farm init "$PG_DSN"
export TANGLEFUZZ_STORE=$PG_DSN
t init_again 0 'exists already' '' "$TF" farm init
t status_of_nothing 0 '^0 streams, 0 findings in 0 buckets' '' "$TF" farm status
q "UPDATE store SET schema = 99"
bad newer_schema 'created by a newer tanglefuzz \(schema 99, this one supports 1\)' "$TF" farm status
bad newer_schema_init 'created by a newer tanglefuzz' "$TF" farm init
q "UPDATE store SET schema = 0"
bad older_schema 'older tanglefuzz .* farm init' "$TF" farm work --target $target
q "UPDATE store SET schema = 1"

# A worker reduces the first findings of a bucket and sends them again. (The files of a campaign's folder are read for that:
# a fault there once ended the worker at the first finding.)
t reduces 0 '^1 ranges, 300 cases' - "$TF" farm work --target fault:wrong=40 --profile small --keep 10 --size 300 --ranges 1 --reduce
report reduced_ones_are_smaller "$([ "$(q "SELECT count(*) >= 3 AND count(*) FILTER (WHERE words < first_words AND smallest LIKE 'reduced/%/case.spvasm') >= 3 FROM finding")" = t ] ||
    { cat out err; q "SELECT name, words, first_words, smallest FROM finding"; })"
q "SET client_min_messages = warning; TRUNCATE stream, range, bucket, seen, finding, file, campaign, regress, replay CASCADE"

if short; then
    t one_range 0 '^1 ranges, 200 cases' - "$TF" farm work --target $target --profile small --keep 10 --size 200 --ranges 1
    t status_of_it 0 '^1 stream, [1-9][0-9]* findings? in [1-9]' '' "$TF" farm status
    short_end 'workers that die, a store that goes away, findings out and in, who may do what'
fi

# ---- one process alone
worker=("$TF" farm work --target $target --profile $profile --lease 2 --keep 100000 --size)
"$TF" fuzz --target $target --profile $profile --jobs 2 --seeds 0:"$seeds" --stop-after 0 --keep 0 --out alone \
    --on-finding 'echo "$TANGLEFUZZ_BUCKET $TANGLEFUZZ_CLASS $(ls "$TANGLEFUZZ_FINDING" | grep -c ^case.spvasm)" >>told' >alone.out 2>&1
report alone_finds "$([ "$(ls alone/findings | wc -l)" -gt 20 ] || cat alone.out)"

report on_finding_tells_each_bucket_once "$(diff <(cut -d' ' -f1 told | sort) \
    <(python3 -c 'import glob, json; print("\n".join(sorted({json.load(open(f))["bucket"] for f in glob.glob("alone/findings/*/finding.json")})))')
    grep -vE '^[a-z]{10} [a-z-]+ 1$' told)"

# same NAME: the store has each finding and each seed of the one process, once.
same() {
    report "$1" "$(diff <(ls alone/findings) <(q "SELECT name FROM finding ORDER BY name COLLATE \"C\"" | sort)
        [ "$(q "SELECT sum(cases), sum(findings) FROM range WHERE done IS NOT NULL")" = "$seeds|$(ls alone/findings | wc -l)" ] ||
            q "SELECT * FROM progress"
        [ "$(q "SELECT sum(findings) FROM seen")" = "$(ls alone/findings | wc -l)" ] || q "SELECT * FROM seen"
        [ "$(q "SELECT sum(end_seed - first_seed), min(first_seed), max(end_seed) FROM range")" = "$seeds|0|$seeds" ] || q "SELECT * FROM range")"
}
holds() { [ "$(q "SELECT count(*) > 0 FROM range WHERE owner = '$1' AND done IS NULL")" = t ]; }
# Each of two has taken a range, and three are done (the first one is).
both_work() { [ "$(q "SELECT count(DISTINCT owner) FILTER (WHERE owner IN ('$1', '$2')) = 2 AND count(done) >= 3 FROM range")" = t ]; }

# ---- four workers; one is killed, one is stopped until another has its range, the database loses its power. The clock of
# one is three days ahead, that of another three days behind: only the database's counts.
cat >clock.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t id, struct timespec *t)
{
    int (*real)(clockid_t, struct timespec *) = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    const int status = real(id, t);
    if (id == CLOCK_REALTIME)
        t->tv_sec += atol(getenv("CLOCK_WRONG"));
    return status;
}
time_t time(time_t *out)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (out)
        *out = t.tv_sec;
    return t.tv_sec;
}
END
"$CC" -shared -fPIC -o clock.so clock.c -ldl || exit 1
wrong_clock() { # under AddressSanitizer too, which wants to be loaded first
    CLOCK_WRONG=$1 LD_PRELOAD=$work/clock.so ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0 "${@:2}"
}
report the_clock_is_wrong "$([ $(($(wrong_clock 259200 python3 -c 'import time; print(int(time.time()))') - $(date +%s))) -gt 259000 ] || echo no)"
t first_range 0 "^1 ranges, $range cases" - "${worker[@]}" $range --ranges 1 --owner first
t stream_ends 0 '' '' "$TF" farm stream "$(q "SELECT id FROM stream")" --end "$seeds"
pid=()
for w in a b c d; do
    # The one that is stopped has a session of its own: the kernel sends SIGHUP to a process group that has a stopped member
    # when the last process that connects it to its session ends, which may be any process of whatever runs the tests.
    case $w in b) clock=(setsid) ;; c) clock=(wrong_clock 259200) ;; d) clock=(wrong_clock -259200) ;; *) clock=() ;; esac
    "${clock[@]}" "${worker[@]}" $range --owner $w >$w.out 2>$w.err &
    pid+=($!)
done
until_true holds a && kill -9 "${pid[0]}"
until_true holds b && kill -STOP "${pid[1]}"
until_true both_work c d
pg_stop immediate
until_true grep -qs 'waiting for it' c.err d.err
pg_start
wait "${pid[2]}" "${pid[3]}"
report workers_wait_for_the_store "$([ $? = 0 ] && grep -q 'the store: is back' c.err d.err || cat c.* d.*)"
overdue() { [ "$(q "SELECT count(*) FROM range WHERE until < now()")" = "$1" ]; }
until_true overdue "$(q "SELECT count(*) FROM range WHERE done IS NULL")"
t the_rest_is_given_out_again 0 '^[0-9]+ ranges' - "${worker[@]}" $range --owner e
report killed_range_was_done_by_another "$([ "$(q "SELECT count(*) FROM range WHERE lease > 1 AND owner IN ('c', 'd', 'e')")" -ge 1 ] || q "SELECT * FROM range")"
kill -CONT "${pid[1]}"
wait "${pid[1]}"
status=$?
# It notices by its next renewal, or, if it ends its range before one is due, by the store's answer.
report stopped_worker_notices "$([ $status = 0 ] && grep -Eq 'another worker has them now|counted already \(by another worker' b.err || { echo "status $status" && cat b.out b.err && q "SELECT * FROM range"; })"
same as_one_process_alone
report only_the_store_s_clock_counts "$(q "SELECT * FROM range WHERE abs(extract(epoch FROM done - now())) > 86400 OR abs(extract(epoch FROM taken - now())) > 86400" 2>&1)"
t nothing_left 0 '^0 ranges' - "${worker[@]}" $range
t status 0 "^1 stream, $(ls alone/findings | wc -l) findings in [0-9]+ buckets" '' "$TF" farm status
t status_json 0 '"seeds_done": ?'"$seeds" '' "$TF" farm status --json

# ---- a range that another worker finishes before this one's first renewal is due: 250 s with this lease
t stream_goes_on 0 '' '' "$TF" farm stream "$(q "SELECT id FROM stream")" --end $((seeds + 8 * range))
setsid "${worker[@]}" $range --lease 1000 --owner slow >slow.out 2>slow.err &
slow=$!
until_true holds slow && kill -STOP $slow
q "UPDATE range SET owner = 'other', done = now() WHERE owner = 'slow' AND done IS NULL"
kill -CONT $slow
wait $slow
status=$?
report finished_by_another "$([ $status = 0 ] && [ "$(grep -c 'counted already (by another worker' slow.err)" = 1 ] && grep -q '^7 ranges' slow.out || { echo "status $status" && cat slow.out slow.err && q "SELECT * FROM range"; })"

# ---- an array: overlap, one index twice, what is missing; a store that is full; few are kept, the rest counted
q "SET client_min_messages = warning; TRUNCATE stream CASCADE; TRUNCATE bucket CASCADE; TRUNCATE finding CASCADE"
bad index_without_size '--index needs --size' "$TF" farm work --target $target --index 1
t index 0 '^1 ranges, 500 cases' - "${worker[@]}" 500 --index 1
t index_again 0 'index 1: done already' - "${worker[@]}" 500 --index 1
t overlap 2 - 'seeds 300 to 599 overlap 500 to 999' "$TF" farm work --target $target --profile $profile --size 300 --index 1
t missing 0 '^0,2-3$' '' "$TF" farm missing --target $target --size 500 --count 4
"${worker[@]}" 500 --index 2 >two.out 2>two.err &
"${worker[@]}" 500 --index 2 >two2.out 2>two2.err
wait $!
report one_index_twice_is_counted_once "$([ "$(q "SELECT count(*), sum(cases) FROM range WHERE first_seed = 1000")" = '1|500' ] || q "SELECT * FROM range")"
report done_is_counted_once "$(q "SELECT range_done(stream, first_seed, summary, '[{\"name\": \"b\", \"signature\": \"\", \"class\": \"\", \"sentence\": \"\", \"n\": 1}]')
    FROM range WHERE first_seed = 1000" | grep -vx false; q "SELECT * FROM seen WHERE bucket = 'b'")"
q "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END \$\$;
   CREATE TRIGGER full_disk BEFORE INSERT ON finding FOR EACH ROW EXECUTE FUNCTION full_disk()"
"${worker[@]}" 500 --index 0 >full.out 2>full.err &
until_true grep -qs 'No space left on device; waiting' full.err
q "DROP TRIGGER full_disk ON finding; DROP FUNCTION full_disk"
wait $!
report full_store_is_waited_for "$([ $? = 0 ] && grep -q '^1 ranges' full.out || cat full.out full.err)"
t keep_few 0 'only counted' - "${worker[@]}" 500 --index 3 --keep 1
report the_rest_is_counted "$([ "$(q "SELECT sum(findings) FROM seen")" = "$(q "SELECT sum(findings) FROM range")" ] &&
    [ "$(q "SELECT count(*) < sum(findings) FROM range, (SELECT count(*) FROM finding) f GROUP BY f.count")" != '' ] || q "SELECT * FROM seen")"
# A stream that is paused, or ends before it, has no range for an index either.
id=$(q "SELECT id FROM stream")
t pause 0 '' '' "$TF" farm stream "$id" --state paused
t paused_index 2 - '^tanglefuzz farm work: index 9 is not done: its stream is paused, or ends before its seeds$' "${worker[@]}" 500 --index 9
t open_it 0 '' '' "$TF" farm stream "$id" --state open --end 4500
t ended_index 2 - 'index 9 is not done: its stream is paused' "${worker[@]}" 500 --index 9
t no_end 0 '' '' "$TF" farm stream "$id" --end 9223372036854775807
report no_range_was_taken "$(q "SELECT * FROM range WHERE first_seed = 4500")"
# A smaller case takes the place of the larger one, and is not one more.
put() { q "SELECT finding_put($id, 'me', 5, '{\"digest\": \"d\", \"name\": \"n\", \"class\": \"crash\", \"text\": \"\", \"target\": \"\", \"rule\": \"\",
    \"taxonomy\": \"\", \"first\": {\"name\": \"one\", \"signature\": \"\", \"class\": \"\", \"sentence\": \"\"}, \"now\": {\"name\": \"one\", \"signature\": \"\", \"class\": \"\",
    \"sentence\": \"\"}, \"words\": $1, \"first_words\": 9, \"smallest\": \"\", \"reproduced\": 1, \"tries\": 1}', '[]', '')"; }
report smaller_is_not_one_more "$(printf '%s\n' "$(put 9)" "$(put 5)" | diff - <(printf '%s\n' '{"did": "new", "kept": 1}' '{"did": "smaller", "kept": 1}'))"
q "DELETE FROM finding WHERE digest = 'd'; DELETE FROM bucket WHERE name = 'one'"
t expected_driver 2 - "expected 'Mesa 99', but the driver is mutant" "${worker[@]}" 500 --expect-driver 'Mesa 99'

# ---- findings out and in, what people say, and who may
t pull 0 'pull: 5 new findings pulled' '' "$TF" farm pull pull --top 5
t pull_again 0 'pull: 0 new findings pulled' '' "$TF" farm pull pull --top 5
t pulled_is_a_campaign 0 '^1 campaign, 2000 cases, 5 findings in' '' "$TF" report pull
name=$(ls pull/findings | head -1)
bucket=$(q "SELECT bucket FROM finding WHERE name = '$name'")
report pulled_is_what_was_found "$(diff -r -x finding.json "pull/findings/$name" alone/findings/"$name")"
bad no_such_bucket "no bucket 'nosuch'" "$TF" farm bucket nosuch --state filed
bad bucket_says_nothing 'needs --state' "$TF" farm bucket "$bucket"
t bucket_is_marked 0 '' '' "$TF" farm bucket "$bucket" --state filed --link https://example.org/1
t bucket_is_marked_more 0 '' '' "$TF" farm bucket "$bucket" --note 'so it is'
t status_shows_the_mark 0 "^  $bucket  filed " '' "$TF" farm status
report status_shows_link_and_note "$(grep -q 'https://example.org/1  so it is' out || cat out)"
# The same list from the store itself, and from the folder with all its findings.
t pull_all 0 'pulled' '' "$TF" farm pull every
mkdir none
listed() { "$TF" report "$1" --known none --format jsonl | grep -v '"type":"campaign"' | sort; }
report report_of_the_store "$(diff <(listed "$PG_DSN") <(listed every) && [ "$(listed every | wc -l)" -gt 5 ] || echo other)"
t mark_by_report 0 '' '' "$TF" report "$PG_DSN" --mark "$bucket" --state triaged
report report_marks_the_store "$([ "$(q "SELECT state, note FROM bucket WHERE name = '$bucket'")" = 'triaged|so it is' ] || q "SELECT * FROM bucket")"
"$TF" report "$PG_DSN" --mark "$bucket" --state filed
bad report_of_no_bucket "no bucket 'nosuch' in the store" "$TF" report "$PG_DSN" --mark nosuch --state filed
bad page_of_the_store "a page needs the findings' files: tanglefuzz farm pull copies them" "$TF" report "$PG_DSN"
t pull_brings_marks 0 'pulled' '' "$TF" farm pull pull --top 5
t report_shows_the_mark 0 'example.org/1' '' "$TF" report pull --format text
printf 'tanglefuzz-known 1\nbucket %s\nreason why not\n' "$bucket" >why.known
t known 0 '' '' "$TF" farm known add why.known
printf 'tanglefuzz-known 1\nfoo\n' >bad.known
bad known_is_checked 'bad.known:2' "$TF" farm known add bad.known
t known_reaches_workers 0 '^1 ranges' - "${worker[@]}" 500 --index 4 --out kept
report known_is_there "$(cmp why.known kept/known/why.known 2>&1)"
q "SET client_min_messages = warning; TRUNCATE finding CASCADE"
t push 0 "^alone: $(ls alone/findings | wc -l) sent, 0 there already, 0 not kept; figures of 1 campaigns" '' "$TF" farm push alone --keep 100000
t push_again 0 "^alone: 0 sent, $(ls alone/findings | wc -l) there already, 0 not kept; figures of 0 campaigns" '' "$TF" farm push alone --keep 100000
bad push_no_campaign 'not a campaign folder' "$TF" farm push "$work/nosuch"
mkdir large && mv alone/campaign.json large/ && truncate -s 17M alone/campaign.json
bad push_a_large_campaign 'alone/campaign.json: larger than the limit of 16777216 bytes' "$TF" farm push alone --keep 100000
echo '{' >alone/campaign.json
bad push_no_campaign_file 'alone/campaign.json: not a campaign file' "$TF" farm push alone --keep 100000
rm alone/campaign.json && mkfifo alone/campaign.json
bad push_a_pipe 'alone/campaign.json: is not a regular file' within "$TF" farm push alone --keep 100000
rm alone/campaign.json && mv large/campaign.json alone/
# A smaller one takes the place of the larger.
small=$(ls alone/findings | head -1)
t reduce 0 'seen again' - "$TF" reduce "alone/findings/$small" --jobs 2
t push_smaller 0 "^alone: 1 sent, $(($(ls alone/findings | wc -l) - 1)) there" '' "$TF" farm push alone --keep 100000
report smaller_took_its_place "$([ "$(q "SELECT words < first_words, smallest LIKE 'reduced/%/case.spvasm' FROM finding WHERE name = '$small'")" = 't|t' ] || q "SELECT * FROM finding WHERE name = '$small'")"

# ---- pages of buckets, and what may go
q "INSERT INTO bucket(name, signature, class, sentence, first_at) SELECT 'page' || i, 's', 'c', '', now() - make_interval(days => i / 3) FROM generate_series(1, 101) i;
   INSERT INTO seen(stream, bucket, findings) SELECT (SELECT min(id) FROM stream), 'page' || i, i FROM generate_series(1, 101) i"
after=() pages=0
while :; do
    "$TF" farm buckets --state new --limit 10 "${after[@]}" >page 2>err || break
    grep '^  ' page | awk '{ print $1 }' >>told.pages
    pages=$((pages + 1))
    next=$(sed -n 's/^the next page: --after //p' page)
    [ -n "$next" ] || break
    after=(--after "$next")
    q "INSERT INTO bucket(name, signature, class, sentence, first_at) VALUES ('later$pages', 's', 'c', '', now())" # comes before the first page
done
report pages_are_all_once "$(diff told.pages <(q "SELECT name FROM bucket_shown WHERE state = 'new' AND name !~ '^later' ORDER BY first_at DESC, name DESC")
    [ $pages -ge 10 ] || echo "$pages pages"; cat err)"
t pages_agree_with_status 0 '' - diff <("$TF" farm buckets --limit 1000 | grep '^  [a-z]' | sort) <("$TF" farm status --all | grep '^  [a-z]' | sort)
t page_json 0 '^\[\{.*"name": ?"page1"' '' "$TF" farm buckets --json --limit 200
bad page_after_nothing "no bucket 'nosuch'" "$TF" farm buckets --after nosuch
t status_shows_the_newest 0 '  [1-9][0-9]+ more: see --all, or farm buckets' '' "$TF" farm status
q "DELETE FROM seen WHERE bucket LIKE 'page%'; DELETE FROM bucket WHERE name ~ '^(page|later)'"

figures() { q "SELECT seeds_done, cases, agreed, live_bits, findings, flaky FROM progress ORDER BY id"; q "SELECT name, seen, streams, state FROM bucket_list ORDER BY name"; }
figures >before
kept=$(q "SELECT count(*) FROM finding")
bad prune_what 'needs --older' "$TF" farm prune
t prune_nothing_young 0 '^files of 0 findings removed, 0 ranges joined' '' "$TF" farm prune --older 1h
q "UPDATE finding SET found = found - interval '40 days'; UPDATE range SET done = done - interval '40 days'; UPDATE range SET done = date_trunc('day', done) WHERE done IS NOT NULL"
ranges=$(q "SELECT count(*) FROM range")
t prune 0 '^files of [1-9][0-9]* findings removed, [1-9][0-9]* ranges joined' '' "$TF" farm prune --older 720h --keep 2
report prune_keeps_the_smallest "$(q "SELECT bucket, count(*) FROM (SELECT f.*, s.target AS of, EXISTS (SELECT FROM file WHERE finding = f.id AND path = smallest) AS whole,
        row_number() OVER (PARTITION BY bucket, s.target ORDER BY class = 'flaky', words, f.digest) AS nth FROM finding f JOIN stream s ON s.id = stream) x WHERE whole <> (nth <= 2) GROUP BY 1"
    q "SELECT count(*) || ' files of pruned findings' FROM file JOIN finding f ON f.id = finding WHERE smallest = '' HAVING count(*) > 0")"
report prune_keeps_figures "$(figures | diff before -; [ "$(q "SELECT count(*) FROM finding")" = "$kept" ] || echo findings)"
report prune_joins_ranges "$([ "$(q "SELECT count(*) FROM range")" -lt "$ranges" ] || q "SELECT * FROM range")"
t prune_again 0 '^files of 0 findings removed, 0 ranges joined' '' "$TF" farm prune --older 720h --keep 2
t joined_is_not_missing 0 '^$' '' "$TF" farm missing --stream "$(q "SELECT stream FROM range GROUP BY 1 ORDER BY sum(cases) DESC LIMIT 1")" --size 500 --count 5
t joined_is_done 0 'index 2: done already' - "${worker[@]}" 500 --index 2
t pruned_is_there_already 0 '0 sent' '' "$TF" farm push alone --keep 100000
t pull_what_is_left 0 '[1-9][0-9]* new findings? pulled' '' "$TF" farm pull left

# ---- a new driver version is asked what the one before was wrong about
mkdir -p opt/bin # a compiler whose version is a file beside its folder
printf '#!/bin/sh\ngrep -q bad "${0%%/*}/../version" && kill -SEGV $$\ncp "$1" "$2"\n' >opt/bin/opt
chmod +x opt/bin/opt
compiler="exec-compiler:$work/opt/bin/opt {in} {out}"
asked() { # NAME VERSION STATUS OUT
    echo "$2" >opt/version
    t "$1" "$3" "$4" - "$TF" farm regress run --target "$compiler"
}
t regress_add 0 '^2 new of 2' '' "$TF" farm regress add "$SOURCE_DIR"/corpus/rules/D1-M1-{if-else,nested}.spvasm --target "$compiler"
asked first_version 1-good 0 '^2 replays, 0 wrong'
asked asked_once 1-good 0 '^0 replays, 0 wrong'
asked broken_by_the_next 2-bad 1 '^2 replays, 2 wrong'
t new_in 0 '  new in 2-bad: crash \(agrees in 1-good\): D1-M1-nested' '' "$TF" farm status
asked mended_by_another 3-good 0 '^2 replays, 0 wrong'
t fixed_in 0 '  fixed in 3-good: agrees \(crash in 2-bad\)' '' "$TF" farm status
asked broken_again 4-bad 1 '^2 replays, 2 wrong'
t came_back 0 '  came back in 4-bad: crash' '' "$TF" farm status
# What a version was found wrong about is asked of the next by itself.
"$TF" farm work --target "$compiler" --size 30 --ranges 1 >out 2>err
asked the_next_is_asked_about_buckets 5-good 0 '^3 replays, 0 wrong'

# ---- who may do what
q "CREATE ROLE w LOGIN IN ROLE tanglefuzz_work; CREATE ROLE r LOGIN IN ROLE tanglefuzz_read; CREATE ROLE g LOGIN IN ROLE tanglefuzz_triage; CREATE ROLE nobody LOGIN"
as() { echo "host=$PG_DIR user=$1 dbname=postgres"; }
t worker_works 0 '^1 ranges' - "${worker[@]}" 500 --index 5 --store "$(as w)"
bad worker_marks_nothing 'permission denied' "$TF" farm bucket "$bucket" --state fixed --store "$(as w)"
bad worker_reads_nothing 'permission denied' "$TF" farm status --store "$(as w)"
report worker_has_no_table "$(PGOPTIONS='--search_path=tanglefuzz' "$PG_BIN/psql" -qAt "$(as w)" -c 'DELETE FROM finding' 2>&1 | grep -v 'permission denied for table')"
t reader_reads 0 '^[0-9]+ streams' '' "$TF" farm status --store "$(as r)"
bad reader_works_not 'permission denied' "$TF" farm work --target $target --store "$(as r)"
t triager_marks 0 '' '' "$TF" farm bucket "$bucket" --state fixed --store "$(as g)"
bad worker_prunes_nothing 'permission denied' "$TF" farm prune --older 1h --store "$(as w)"
t triager_prunes 0 '^files of ' '' "$TF" farm prune --older 1h --store "$(as g)"
t reader_pages 0 'the next page' '' "$TF" farm buckets --limit 1 --store "$(as r)"
bad stranger_has_nothing 'permission denied' "$TF" farm status --store "$(as nobody)"

# ---- without --size: 1,000 seeds, then ten minutes' worth
t first_range_is_small 0 '^1 ranges, 1000 cases' - "$TF" farm work --target $target --profile $other --keep 1 --ranges 1
small_stream=$(q "SELECT max(id) FROM stream")
q "UPDATE range SET seconds = 60 WHERE stream = $small_stream"
report next_is_ten_minutes_worth "$(q "SELECT range_take($small_stream, NULL, 'x', 60)" | grep -v '"end": 11000, ')"

# ---- a store that does not come back
"${worker[@]}" 20000 --owner p --store-wait 1 >p.out 2>p.err &
until_true holds p
pg_stop immediate
wait $!
report store_gone_for_good "$([ $? = 2 ] && grep -q 'the store: .*waiting for it' p.err && tail -n 1 p.err | grep -q 'farm work: the store: ' || cat p.err)"
