#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Words that docs/terms.tsv does not allow. Each file has at most as many as tests/terms_allowed.tsv says; README,
# ARCHITECTURE, docs/ and the READMEs of rooms have none. The numbers may only fall.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/scripts/lib/project_files.sh"

project_files "$SOURCE_DIR" >files
terms() { # ROOT [FILE...]
    python3 "$SOURCE_DIR/scripts/terms.py" "$@" 2>&1
}
report "each file has no more words than it may have" "$(xargs python3 "$SOURCE_DIR/scripts/terms.py" "$SOURCE_DIR" <files 2>&1)"

# The check sees a word in a comment, a message, a page, a name, and over the end of a line; and it sees that a number
# is too high.
mkdir -p tree/docs tree/tests
cp "$SOURCE_DIR/docs/terms.tsv" tree/docs/
printf 'plain.c\t1\nlow.c\t1\n' >tree/tests/terms_allowed.tsv
printf '// Nobody reads this.\nint x; // plain\n' >tree/plain.c
printf 'int x; // plain\n' >tree/low.c
printf '// The lanes come\n// together here.\nint seat = f("nobody"); // `plain`\n' >tree/words.c
printf 'Lanes that go on.\nNot `go on`: code.\n' >tree/README.md
report "plain file as allowed" "$(terms tree plain.c)"
report "too high a number" "$(terms tree low.c | grep -q '0 words, and terms_allowed.tsv still allows 1: lower it' || terms tree low.c)"
report "words of a file" "$([ "$(terms --all tree words.c | cut -d: -f2,3 | tr '\n' ';')" = '2: come together;3: nobody;3: seat;' ] || terms --all tree words.c)"
report "words of a page" "$(terms tree README.md | grep -q 'README.md: 1 words that' || terms tree README.md)"
printf 'README.md\t1\n' >>tree/tests/terms_allowed.tsv
report "no number for a page" "$(terms tree README.md | grep -q 'no word is allowed here' || terms tree README.md)"

# Messages of commits.
check="$SOURCE_DIR/scripts/commit_message.sh"
printf 'oracle: reject stores out of bounds\n\nA helper stored there.\n' >good
t commit_message_good 0 '' '' "$check" good
printf 'oracle: reject stores out of bounds of helpers, and loads, and atomics, everywhere\n\nWhy.\n' >long
t commit_message_long 1 'line 1: the subject has 82 characters; at most 72' '' "$check" long
printf 'Reject stores.\nbody\n' >bad
t commit_message_bad 1 'not `area: what changes`' '' "$check" bad
t commit_message_bad_2 1 'no empty line after the subject' '' "$check" bad
printf 'oracle: reject stores\n' >short
t commit_message_short 1 'no body: say what changed, and why' '' "$check" short
t commit_message_missing 2 '' "cannot read 'nothing'" "$check" nothing
