#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The HTML report in a browser: content, filter, order, tabs, links, no message on the console.
. "$(dirname "$0")/app_lib.sh"
. "$SOURCE_DIR/tests/report_lib.sh"
command -v python3 >/dev/null || { skip html 'no python3'; exit; }
campaign one 0:32 || fail campaign "$(cat one.log)"
report named "$(cd one && "$TF" report . >/dev/null && grep -q '<h1>one</h1>' report.html || echo 'its heading is not its name')"
t page 0 'one/report.html' '' "$TF" report one
buckets=$("$TF" report one --format jsonl | grep -c '"type":"bucket"')
page=one/report.html
report sections "$([ "$(grep -c '<details class="bucket"' $page)" = "$buckets" ] || echo "not $buckets")"
report stands_alone "$(grep -oE '(src|href)="[^"#][^"]*"|@import|url\(' $page | grep -v 'href="data:,"')"
report no_machine_path "$(grep -l -e "$work" -e "$SOURCE_DIR" $page)"
mkdir empty empty/findings
t nothing_found 0 'empty/report.html' '' "$TF" report empty
matches empty/report.html 'Nothing was found' && pass says_nothing || fail says_nothing "$(head -c 300 empty/report.html)"

# Many buckets: the first in full, the rest as entries of the list that do not open.
python3 - one many <<'PY'
import glob, json, shutil, sys
f = sorted(glob.glob(sys.argv[1] + "/findings/*/"))[0]
for i in range(260):
    to = "%s/findings/many-%03d" % (sys.argv[2], i)
    shutil.copytree(f, to)
    open(to + "/case.spvasm", "a").write("; copy %d\n" % i)
    j = json.load(open(to + "/finding.json"))
    j["facts"]["pass"] = "pass-%d" % i
    json.dump(j, open(to + "/finding.json", "w"))
PY
"$TF" report many >out 2>&1
report many_entries "$([ "$(grep -c '<[a-z]* class="bucket"' many/report.html)" = 260 ] || cat out)"
report many_not_reduced "$([ "$(grep -o '<span class="tag">not reduced</span>' many/report.html | wc -l)" = 260 ] || echo 'does not say so')"
full=$(grep -c '<details class="bucket"' many/report.html)
report many_sections "$([ "$full" -ge 20 ] && [ "$full" -le 200 ] || echo "$full sections")"
report many_said "$(grep -q "first $full buckets open, the other $((260 - full)) do not" many/report.html || echo 'does not say so')"
report many_size "$([ "$(wc -c <many/report.html)" -le 6500000 ] || ls -l many/report.html)"

# A summary for a merge request describes ten, and lists the others.
"$TF" report many --format markdown -o summary.md
report summary_in_full "$([ "$(grep -c '^tanglefuzz replay ' summary.md)" = 10 ] || cat summary.md)"
report summary_in_short "$(grep -q '^<details><summary>250 more buckets not reduced,' summary.md && [ "$(grep -c '^- .*: bucket `[a-z]*`, 1 case' summary.md)" = 250 ] ||
    cat summary.md)"
report kinds_of_bug "$(sed -n 's/^        "\([a-z].*\)",$/\1/p' "$SOURCE_DIR/triage/report/html.c" | grep -v '[<>]' | while read -r words; do
    grep -q "| T[0-9]* | $words |" "$SOURCE_DIR/docs/mutants.md" || echo "not in docs/mutants.md: $words"
done)"

browser=
for name in chromium chromium-browser google-chrome; do
    browser=${browser:-$(command -v $name)}
done
if [ -z "$browser" ]; then
    skip browser 'no chromium: apt-get install chromium'
    exit
fi

# What a reader would do, done by a script at the end of the page; its outcome is the title.
cat >drive.js <<'JS'
{
const wrong = [];
const is = (what, ok) => { if (!ok) wrong.push(what); };
const list = () => [...document.querySelectorAll('.bucket')], rows = list();
const shown = () => rows.filter(r => !r.hidden);
const box = document.getElementById('filter');
const type = text => { box.value = text; box.dispatchEvent(new Event('input')); };
try {
  is('rows', rows.length > 0 && rows.every(r => r.querySelector('.headline').textContent.includes(': ')));
  type(rows[0].id);
  is('filter by name', shown().length === 1 && shown()[0] === rows[0]);
  type('no such words');
  is('filter nothing', shown().length === 0);
  type('');
  is('filter all', shown().length === rows.length);
  const choice = document.getElementById('class');
  choice.value = rows[0].dataset.class;
  choice.dispatchEvent(new Event('change'));
  is('by class', shown().every(r => r.dataset.class === rows[0].dataset.class) && shown().length > 0);
  choice.value = ''; choice.dispatchEvent(new Event('change'));
  const who = document.getElementById('family');
  who.value = rows[0].dataset.family; who.dispatchEvent(new Event('change'));
  is('by target', rows[0].dataset.family && shown().every(r => r.dataset.family === rows[0].dataset.family) && shown().length > 0);
  who.value = ''; who.dispatchEvent(new Event('change'));
  const model = document.getElementById('promise'), of = rows.map(r => r.dataset.promise);
  const some = of.find(p => p);
  is('models to choose', some && model.options.length === new Set(of.filter(p => p)).size + 1);
  model.value = some; model.dispatchEvent(new Event('change'));
  is('by model', shown().length === of.filter(p => p === some).length);
  model.value = ''; model.dispatchEvent(new Event('change'));
  const order = document.getElementById('order'), was = rows.map(r => r.id).join();
  order.value = 'words'; order.dispatchEvent(new Event('change'));
  is('sorted', list().every((r, i, v) => !i || +v[i - 1].dataset.words <= +r.dataset.words));
  order.value = ''; order.dispatchEvent(new Event('change'));
  is('as before', list().map(r => r.id).join() === was);
  location.hash = rows[0].id;
  dispatchEvent(new Event('hashchange'));
  const section = document.getElementById(rows[0].id);
  is('a link opens', section.open);
  const tabs = [...section.querySelectorAll('.tabs button')];
  for (const tab of tabs) {
    tab.click();
    const panels = [...section.querySelectorAll('[role=tabpanel]')];
    is('one panel', panels.filter(p => !p.hidden).length === 1);
    is('a panel with content', document.getElementById(tab.getAttribute('aria-controls')).textContent.trim().length > 10);
  }
  is('both pictures', section.querySelectorAll('.picture svg').length === 2 || !section.querySelector('.lanes'));
  is('shader in and out', document.querySelector('pre.diff .came') && document.querySelector('pre.diff .gone'));
  is('a command with its path', section.querySelector('.cmd pre').textContent.startsWith('tanglefuzz replay one/findings/'));
  is('text that can be read', [...document.querySelectorAll('main *')].every(x => !x.checkVisibility() || x.closest('svg') ||
    !x.firstChild || x.firstChild.nodeType !== 3 || parseFloat(getComputedStyle(x).fontSize) >= 11));
  who.append(new Option('spirv-opt:' + '--a-pass,'.repeat(40))); // a target of many passes
  is('no wider than the window', document.documentElement.scrollWidth <= innerWidth);
} catch (e) { wrong.push(String(e)); }
setTimeout(() => {
  is('coloured', document.querySelectorAll('details[open] pre span.g, details[open] pre span.o').length > 0);
  document.title = wrong.length ? 'WRONG ' + wrong.join('; ') : 'ALL RIGHT';
}, 300);
}
JS
look() { # PAGE WIDTH: what the browser makes of it, in dom; its messages in log
    within "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$work/profile" --window-size="$2",900 --virtual-time-budget=3000 \
        --enable-logging=stderr --dump-dom "file://$work/$1" >dom 2>log
}
python3 - $page drive.js <<'PY'
import sys
page = open(sys.argv[1]).read()
end = page.rindex("</body>")
open("driven.html", "w").write(page[:end] + "<script>" + open(sys.argv[2]).read() + "</script>" + page[end:])
open("broken.html", "w").write(open("driven.html").read().replace("row.hidden = !fits", "") + "<script>console.error('seen')</script>")
PY
for width in 1280 390; do
    look driven.html $width
    report "browser_$width" "$(grep -o '<title>ALL RIGHT' dom >/dev/null || { grep -o '<title>[^<]*' dom; tail -n 5 log; })"
    report "console_$width" "$(grep -i 'CONSOLE' log)"
done
# One bucket is open from the start, one of several is not.
mkdir -p single/findings
cp -r "$(ls -d one/findings/*/ | head -n 1)" single/findings/
"$TF" report single >/dev/null
for page in single one; do
    look $page/report.html 1280
    grep -c '<details class="bucket"[^>]* open=' dom >open.$page
done
report opens_the_only_one "$([ "$(cat open.single open.one | xargs)" = '1 0' ] || cat open.single open.one)"
# The test can fail.
look broken.html 1280
report browser_sees_faults "$(grep -q '<title>WRONG.*filter by name' dom && grep -q 'CONSOLE.*seen' log || { grep -o '<title>[^<]*' dom; tail -n 3 log; })"
