#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# report and merge: the database, several writers, and every format read back.
. "$(dirname "$0")/app_lib.sh"
. "$SOURCE_DIR/tests/report_lib.sh"
readers=$SOURCE_DIR/tests/readers

bad no_folder 'no campaign folder' "$TF" report nothing-here
bad no_out 'needs --out' "$TF" merge a b
t help 0 'deqp-runner' '' "$TF" report --help
t merge_help 0 'each finding' '' "$TF" merge --help

campaign one 0:40 || fail campaign "$(cat one.log)"
campaign two 20:60 || fail campaign "$(cat two.log)"
campaign refused 0:3 'false {in} {out}' || fail campaign "$(cat refused.log)"
bad bad_format 'none of html, text, jsonl' "$TF" report one --format word

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
    f["bucket"], f["signature"] = "bababababa", "1|spirv-opt|crash||||"
    json.dump(f, open(path, "w"))
PY
t several_targets 0 '"targets":"spirv-opt:-O, spirv-opt:-O,--merge-blocks, spirv-opt:-Os"' '' "$TF" report several -f jsonl
t several_targets_in_short 0 '^ *spirv-opt:-O[^ ]* and 2 others$' '' "$TF" report several -f text

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

# ---- merging
t merge 0 '^one: [0-9]* new, 0 there already' '' "$TF" merge one two refused --out all
grep -Eq '^two: [0-9]+ new, [1-9][0-9]* there already' out && pass merge_known || fail merge_known "$(cat out)"
t merge_again 0 '^one: 0 new' '' "$TF" merge one two refused --out all
have=$(ls all/findings | wc -l)
want=$({ ls one/findings; ls two/findings; ls refused/findings; } | sort -u | wc -l)
report merged_once "$([ "$have" = "$want" ] || echo "$have folders, not $want")"
t merged 0 "^3 campaigns, .* $have findings" '' "$TF" report all --format text
bad merge_nothing 'no campaign folder' "$TF" merge nowhere --out all

# ---- the database is made again from the folders, by several at once
rm -f all/findings.db*
for i in 1 2 3 4; do "$TF" report all --format jsonl -o "$i.jsonl" & done
wait
report several_writers "$(for i in 2 3 4; do cmp 1.jsonl $i.jsonl 2>&1; done)"
printf 'not a database, just text that is long enough to be looked at\n%0500d' 0 >two/findings.db
rm -f two/findings.db-*
bad not_a_database 'findings.db: file is not a database' "$TF" report two

# ---- a database of the first schema is brought up to date
"$TF" report one -f text >/dev/null
if command -v python3 >/dev/null; then
    python3 - one/findings.db <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("DROP INDEX findings_by_bucket")
db.execute("ALTER TABLE findings DROP COLUMN first_words")
db.execute("PRAGMA user_version = 1")
db.commit()
PY
    t migrated 0 '"first_words":[1-9]' '' "$TF" report one --format jsonl
    python3 - one/findings.db <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
assert db.execute("PRAGMA user_version").fetchone() == (2,)
assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
db.execute("PRAGMA user_version = 99")
db.commit()
PY
    bad newer 'made by a newer tanglefuzz' "$TF" report one

    # ---- known bugs: counted, not reported
    mkdir known
    bucket=$(sed -n 's/.*"type":"bucket","bucket":"\([a-z]*\)".*/\1/p' 1.jsonl | head -n 1)
    printf 'tanglefuzz-known 1\nbucket %s\nreason a test says so\n' "$bucket" >known/one.known
    t known 0 'known \(one\): a test says so' '' "$TF" report all --format text --known known
    report known_last "$(grep -E '^[a-z]{10} ' out | tail -n 1 | grep -v "^$bucket")"
    echo 'colour red' >>known/one.known
    bad known_bad 'one.known:4: unknown key' "$TF" report all --known known
    sed -i '$d' known/one.known
    bad known_no_folder 'is no folder' "$TF" report all --known nowhere

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
