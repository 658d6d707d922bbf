#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# report and merge: the database, several writers, and every format read back.
. "$(dirname "$0")/app_lib.sh"
. "$SOURCE_DIR/tests/report_lib.sh"
readers=$SOURCE_DIR/tests/readers

bad no_folder 'nothing-here: No such file or directory' "$TF" report nothing-here
mkdir -p plain
bad no_campaign 'plain: no campaign folder' "$TF" report plain
bad no_out 'needs --out' "$TF" merge a b
t help 0 'deqp-runner' '' "$TF" report --help
t merge_help 0 'each finding' '' "$TF" merge --help

if short; then
    wrong_compiler wrong || exit 1
    # Two campaigns over the same seeds: the second runs for longer, so it has the findings of the first and more.
    # Programs that were under way when the first had enough may add a bucket.
    buckets() { sed -n "s/^  findings  *[0-9]* in \([0-9]*\) buckets\{0,1\}, in $1.findings\$/\1/p" out; }
    first=0
    for k in c1 c2; do
        t short_campaign_$k 1 "^  findings +[0-9]+ in [0-9]+ buckets?, in $k/findings" - \
            "$TF" fuzz --target "exec-compiler:$work/wrong {in} {out}" --seeds 4:60 --profile small --stop-after $((first + 1)) \
            --keep 1 --out $k
        [ $k = c1 ] && first=$(buckets c1)
    done
    second=$(buckets c2)
    [ "$first" -ge 1 ] && [ "$second" -gt "$first" ] && pass short_second_has_more || fail short_second_has_more "$first, $second"
    t short_text 0 '^1 campaign, .* findings? in [0-9]+ buckets?$' '' "$TF" report c1 --format text
    t short_page 0 '^c1/report.html$' '' "$TF" report c1
    t short_merge 0 "^c1: $first new, 0 there already" '' "$TF" merge c1 c2 --out all
    grep -q "^c2: $((second - first)) new, $first there already" out && pass short_merge_known || fail short_merge_known "$(cat out)"
    short_end 'several writers at once, marks, every format read back'
fi
campaign one 0:40 || fail campaign "$(cat one.log)"
campaign two 20:60 || fail campaign "$(cat two.log)"
campaign refused 0:3 'false {in} {out}' || fail campaign "$(cat refused.log)"
bad bad_format "'word' is not one of html, text, jsonl" "$TF" report one --format word

t text 0 '^1 campaign, .* findings? in [0-9]+ buckets?$' '' "$TF" report one --format text
report bucket_in_readme "$(grep -L '^Bucket: `[a-z]*`' one/findings/*/README.md)"
report no_machine_path "$(grep -rl "$work" one/findings)"

# A bucket that several targets fall into names each once in what programs read, and one of them to people.
cp -r one several && rm -f several/findings.db*
python3 - several <<'PY'
import glob, json, sys
for i, path in enumerate(sorted(glob.glob(sys.argv[1] + "/findings/*/finding.json"))):
    f = json.load(open(path))
    f["target"] = ["spirv-opt:-O,--merge-blocks", "spirv-opt:-Os", "spirv-opt:-O"][i % 3]
    f["facts"] = {"class": "crash", "family": "spirv-opt"}
    json.dump(f, open(path, "w"))
PY
t several_targets 0 '"targets":"spirv-opt:-O, spirv-opt:-O,--merge-blocks, spirv-opt:-Os"' '' "$TF" report several -f jsonl
t several_targets_in_short 0 '^ *spirv-opt:-O[^ ]* and 2 others$' '' "$TF" report several -f text

# A record of another version, or with a class that is not known here: named, counted, left alone.
cp -r one alien && rm -f alien/findings.db*
python3 - alien <<'PY'
import glob, json, sys
paths = sorted(glob.glob(sys.argv[1] + "/findings/*/finding.json"))
for path, key, value in ((paths[0], "schema", 3), (paths[1], "first_class", "wrong-colour")):
    f = json.load(open(path))
    f[key] = value
    json.dump(f, open(path, "w"))
PY
before=$(find alien/findings -type f -exec md5sum {} + | sort | md5sum)
for time in first again; do
    t "alien_counted_$time" 0 '^2 folders of findings left alone, not understood:$' '' "$TF" report alien --format text
    report "alien_named_$time" "$(grep -q 'schema 3, this tanglefuzz reads 2' out && grep -q "'first_class' of the record is 'wrong-colour'" out || cat out)"
done
report alien_left_alone "$([ "$before" = "$(find alien/findings -type f -exec md5sum {} + | sort | md5sum)" ] || echo 'its files have changed')"

# Words of others do not steer the terminal, whatever is printed of them.
cp -r one hostile && rm -f hostile/findings.db*
python3 - hostile <<'PY'
import glob, json, sys
for path in glob.glob(sys.argv[1] + "/findings/*/finding.json"):
    f = json.load(open(path))
    f["text"] = f["target"] = f["device"] = f["replay"] = "x\x1b[2J\x9b31m\u202ey"
    json.dump(f, open(path, "w"), ensure_ascii=False)
PY
mv hostile "$(printf 'hostile\033[31m')" && hostile=$(printf 'hostile\033[31m')
for form in text jsonl results failures junit sarif prometheus; do
    "$TF" report "$hostile" --format $form >out 2>&1
    report "steers_$form" "$([ -s out ] || echo empty; LC_ALL=C grep -c -P '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80\xae' out | grep -v '^0$')"
done
"$TF" report "$hostile" >out 2>&1
report steers_summary "$(LC_ALL=C grep -P '[\x1b]|\xc2\x9b' out)"
"$TF" report "$hostile/none" >out 2>&1
report steers_message "$(LC_ALL=C grep -P '[\x1b]|\xc2\x9b' out)"

# A module of others that is not valid is not shown: a pointer into itself has no end.
cp -r two circles && rm -f circles/findings.db* && rm -rf circles/findings/*/reduced
sed -i -E 's/^( *(%[0-9A-Za-z_]+) = OpAccessChain %[^ ]+) %[^ ]+/\1 \2/' circles/findings/*/case.spvasm
report circles_are_made "$(grep -qE '(%[0-9A-Za-z_]+) = OpAccessChain %[^ ]+ \1 ' circles/findings/*/case.spvasm || echo none)"
t circles_end 0 - '' "$TF" report circles

# ---- what is new: since a date, or since an earlier campaign, whose buckets are not shown again
t since_long_ago 0 '^1 campaign, .* [1-9][0-9]* findings? in [1-9]' '' "$TF" report one -f text --since 2020-01-01
t since_tomorrow 0 ', 0 findings in 0 buckets$' '' "$TF" report one -f text --since "$(date -u -d tomorrow +%Y-%m-%dT%H:%M)"
t since_itself 0 ', 0 findings in 0 buckets$' '' "$TF" report one -f text --since one
names() { "$TF" report "$@" -f jsonl | grep -o '"type":"bucket","bucket":"[a-z]*"' | cut -d'"' -f8 | sort; }
names two --since one >new
report since_another "$(diff <(comm -13 <(names one) <(names two)) new && [ -s new ] || cat new)"
report since_rows "$(diff <("$TF" report two --since one -f jsonl | grep -o '"type":"finding".*"bucket":"[a-z]*"' | sed 's/.*"bucket":"//; s/"//' | sort -u) new)"
t since_page 0 '^one/new.html$' '' "$TF" report one --since 2020-01-01 -o one/new.html
bad since_what "is neither a date" "$TF" report one --since yesterday

# ---- merging
t merge 0 '^one: [0-9]* new, 0 there already' '' "$TF" merge one two refused --out all
grep -Eq '^two: [0-9]+ new, [1-9][0-9]* there already' out && pass merge_known || fail merge_known "$(cat out)"
t merge_again 0 '^one: 0 new' '' "$TF" merge one two refused --out all
have=$(ls all/findings | wc -l)
want=$({ ls one/findings; ls two/findings; ls refused/findings; } | sort -u | wc -l)
report merged_once "$([ "$have" = "$want" ] || echo "$have folders, not $want")"
t merged 0 "^3 campaigns, .* $have findings" '' "$TF" report all --format text
bad merge_nothing 'not a campaign folder' "$TF" merge nowhere --out all

# ---- the database is made again from the folders, by several at once
rm -f all/findings.db*
for i in 1 2 3 4; do "$TF" report all --format jsonl -o "$i.jsonl" & done
wait
report several_writers "$(for i in 2 3 4; do cmp 1.jsonl $i.jsonl 2>&1; done)"
printf 'not a database, just text that is long enough to be looked at\n%0500d' 0 >two/findings.db
rm -f two/findings.db-*
bad not_a_database 'findings.db: file is not a database' "$TF" report two

# ---- a database of an older schema is brought up to date; what was said of its buckets stays
"$TF" report one -f jsonl >one.jsonl
if command -v python3 >/dev/null; then
    first=$(sed -n 's/.*"type":"bucket","bucket":"\([a-z]*\)".*/\1/p' one.jsonl | head -n 1)
    rm -f one/findings.db*
    python3 - one/findings.db "$first" <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.executescript("""
CREATE TABLE targets(id INTEGER PRIMARY KEY, spec TEXT NOT NULL, family TEXT NOT NULL, device TEXT NOT NULL, UNIQUE(spec, device));
CREATE TABLE buckets(name TEXT PRIMARY KEY, signature TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'new', note TEXT NOT NULL DEFAULT '');
CREATE TABLE findings(id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, bucket TEXT NOT NULL REFERENCES buckets);
CREATE TABLE reruns(finding INTEGER NOT NULL REFERENCES findings, folder TEXT NOT NULL);
CREATE TABLE runs(id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, json TEXT NOT NULL);
PRAGMA user_version = 2;""")
db.execute("INSERT INTO buckets VALUES(?, 's', 'filed', 'told them')", (sys.argv[2],))
db.execute("INSERT INTO findings(digest, bucket) VALUES('gone', ?)", (sys.argv[2],))
db.commit()
PY
    t migrated 0 "\"bucket\":\"$first\".*\"state\":\"filed\",\"note\":\"told them\"" '' "$TF" report one --format jsonl
    report migrated_findings "$(diff <(grep -v '"state":"filed"' out) <(grep -v "\"type\":\"bucket\",\"bucket\":\"$first\"" one.jsonl))"
    report made_version_6 "$(python3 - one/findings.db 2>&1 <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
assert db.execute("PRAGMA user_version").fetchone() == (8,)
assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
for column in ("signature", "family", "class", "op", "path", "message", "culprit", "about", "sentence"):
    db.execute(f"ALTER TABLE buckets ADD COLUMN {column} TEXT NOT NULL DEFAULT 'old'")
for column in ("facts", "reduced_facts", "record", "reduced_record"):
    db.execute(f"ALTER TABLE findings DROP COLUMN {column}")
db.execute("ALTER TABLE folders DROP COLUMN why_left")
db.execute("UPDATE buckets SET link = 'https://x/1' WHERE name = (SELECT min(name) FROM buckets WHERE state = 'new')")
db.execute("PRAGMA user_version = 6")
db.commit()
PY
    )"
    t migrated_from_6 0 "\"bucket\":\"$first\".*\"state\":\"filed\",\"note\":\"told them\"" '' "$TF" report one --format jsonl
    report migrated_link_of_new "$(grep -q '"state":"new","note":"","link":"https://x/1"' out || cat out)"
    report migrated_from_6_findings "$(diff <(grep -v '"state":"filed"' out | sed 's,https://x/1,,') <(grep -v "\"type\":\"bucket\",\"bucket\":\"$first\"" one.jsonl))"

    # ---- marks: kept by the store, shown, carried by merge
    bad mark_state '--state: .word. is not one of new' "$TF" report one --mark "$first" --state word
    bad mark_alone 'need each other' "$TF" report one --mark "$first"
    bad mark_nothing "no bucket 'nothing' in one" "$TF" report one --mark nothing --state fixed
    t mark 0 '' '' "$TF" report one --mark "$first" --state fixed --link 'https://example.org/1?a=b&c'
    t mark_shown 0 '^ +fixed: told them, https://example.org/1' '' "$TF" report one -f text
    t mark_merged 0 - '' "$TF" merge one --out marked && t mark_carried 0 '^ +fixed: told them, https' '' "$TF" report marked -f text
    "$TF" report marked --mark "$first" --state wont --note 'not ours'
    "$TF" merge one --out marked >out && t mark_of_its_own 0 '^ +wont: not ours, https' '' "$TF" report marked -f text

    # The figures of a campaign that ran further after it was merged replace the older ones, and are not added to them.
    rows() { python3 -c 'import json, sys; print(*(row["cases"] for row in json.load(open(sys.argv[1] + "/campaign.json"))["campaigns"]))' "$1"; }
    cp -r one later && python3 - later/campaign.json <<'PY'
import json, sys
all = json.load(open(sys.argv[1]))
all["campaigns"][0]["cases"] += 100
json.dump(all, open(sys.argv[1], "w"))
PY
    "$TF" merge later --out marked >out && "$TF" merge one --out marked >out
    report merged_later "$(diff <(rows marked) <(rows later))"
    rm -r later

    # ---- times: of the finding, through a merge; without one in the folder that of its file
    name=$(ls one/findings | head -n 1) && cp -r one timed && rm -f timed/findings.db*
    python3 - timed "$name" <<'PY'
import glob, json, os, sys
for path in glob.glob(sys.argv[1] + "/findings/*/finding.json"):
    f = json.load(open(path))
    assert abs(f["found_at"] - os.stat(path).st_mtime) < 600, f
    if sys.argv[2] in path:
        f["found_at"] = 981173106
    else:
        del f["found_at"]
    json.dump(f, open(path, "w"))
    os.utime(path, (1012709106, 1012709106))
PY
    "$TF" merge timed --out timely >out 2>&1
    t times_kept 0 '"found_at":"2001-02-03T04:05:06Z"' '' "$TF" report timely -f jsonl
    report times_of_files "$(grep '"type":"finding"' out | grep -v '2001-02-03T04:05:06Z\|2002-02-03T04:05:06Z')"

    # ---- only what is new is read: a folder that has not changed may not even be readable
    "$TF" report one -f jsonl >before
    mv one/findings/$name/case.spvasm kept && ln -s /nowhere one/findings/$name/case.spvasm
    "$TF" report one -f jsonl >after
    report not_read_again "$(diff before after)"
    rm one/findings/$name/case.spvasm && mv kept one/findings/$name/case.spvasm
    mv one/findings/$name gone && t gone 0 "$(($(ls one/findings | wc -l))) finding" '' "$TF" report one -f text
    cp -r gone one/findings/other-name && mv gone one/findings/$name
    t back 0 "$(($(ls one/findings | wc -l) - 1)) finding" '' "$TF" report one -f text
    rm -r one/findings/$name && "$TF" report one -f text >out && mv one/findings/other-name one/findings/$name
    report twin_takes_its_place "$(grep -q 'findings/other-name' out || cat out)"
    "$TF" report one -f jsonl >after
    report as_before "$(diff before after)"

    # ---- links are not followed; a folder that may not be written is shown all the same
    cp -r one linked && mv linked/findings.db elsewhere.db && ln -s "$PWD/elsewhere.db" linked/findings.db
    bad linked_database 'findings.db: is not a regular file' "$TF" report linked
    rm linked/findings.db && mkdir elsewhere && ln -s "$PWD/elsewhere" linked/bundles
    bad linked_bundles 'bundles: is not a real folder' "$TF" report linked --bundle "$first"
    if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
        drop='setpriv --reuid=65534 --clear-groups'
    else
        drop=env
    fi
    cp -r one closed && rm -f closed/findings.db* && chmod 755 . && chmod -R a+rX,a-w closed
    if $drop "$TF" --version >/dev/null 2>&1; then
        t not_writable 0 "$(ls one/findings | wc -l) finding" '' $drop "$TF" report closed -f text
        bad not_writable_mark 'a mark cannot be stored' $drop "$TF" report closed --mark "$first" --state fixed
        report nothing_written "$(ls closed | grep findings.db)"
    else
        skip not_writable 'the program cannot be run by another user'
    fi
    chmod -R u+w closed

    python3 - one/findings.db <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("PRAGMA user_version = 99")
db.commit()
PY
    bad newer 'created by a newer tanglefuzz' "$TF" report one

    # ---- known bugs: counted, not reported
    mkdir known
    bucket=$(sed -n 's/.*"type":"bucket","bucket":"\([a-z]*\)".*/\1/p' 1.jsonl | head -n 1)
    printf 'tanglefuzz-known 2\nbucket %s\nreason a test says so\n' "$bucket" >known/one.known
    t known 0 'known \(one\): a test says so' '' "$TF" report all --format text --known known
    report known_last "$(grep -E '^[a-z]{10} ' out | tail -n 1 | grep -v "^$bucket")"
    echo 'colour red' >>known/one.known
    bad known_bad 'one.known:4: unknown key' "$TF" report all --known known
    sed -i '$d' known/one.known
    bad known_no_folder 'is not a folder' "$TF" report all --known nowhere

    # ---- formats
    for f in jsonl:report.jsonl results:results.csv failures:failures.csv junit:junit.xml \
        sarif:report.sarif prometheus:metrics.prom; do
        "$TF" report all --known known --format "${f%%:*}" -o "${f#*:}" 2>err || fail "format_${f%%:*}" "$(cat err)"
    done
    t jsonl_schema 0 ' 0 problems' '' python3 "$readers/check_json.py" \
        "$SOURCE_DIR/docs/report.schema.json" report.jsonl
    t sarif_schema 0 ' 0 problems' '' python3 "$readers/check_json.py" \
        "$readers/sarif-2.1.0-part.schema.json" report.sarif
    t formats_agree 0 ' 0 problems' '' python3 "$readers/check_formats.py" .
    # The readers can fail.
    sed 's/"bucket":"/"bucket":"X/' report.jsonl >broken.jsonl
    t jsonl_broken 1 'does not match' '' python3 "$readers/check_json.py" \
        "$SOURCE_DIR/docs/report.schema.json" broken.jsonl
    sed 's/"version": "2.1.0"/"version": "2.0.0"/' report.sarif >broken.sarif
    t sarif_broken 1 'is not' '' python3 "$readers/check_json.py" \
        "$readers/sarif-2.1.0-part.schema.json" broken.sarif
    mkdir broken && cp report.jsonl results.csv failures.csv junit.xml metrics.prom broken
    sed -i '$d' broken/failures.csv
    t formats_broken 1 'wrong: failures' '' python3 "$readers/check_formats.py" broken
else
    skip formats 'no python3'
fi
