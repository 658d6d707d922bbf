#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks a commit message. As a hook: link it to .git/hooks/commit-msg.
set -euo pipefail

usage() {
    cat <<'HELP'
usage: scripts/commit_message.sh FILE

Checks the commit message in FILE: a subject `area: what changes` of at most 72 characters without a full stop at
its end, an empty line, then a body that says what changed and why. Lines of the body have at most 100 characters.
Prints one line for each mistake; exit status 1 if there is one, 2 if FILE cannot be read.

example: scripts/commit_message.sh .git/COMMIT_EDITMSG
HELP
}
case ${1:-} in
-h | --help) usage && exit 0 ;;
esac
[ $# = 1 ] || { usage >&2 && exit 2; }
[ -r "$1" ] || { echo "commit_message: cannot read '$1'" >&2 && exit 2; }

exec awk '
    function wrong(what) { print "commit_message: line " n ": " what; bad = 1 }
    /^#/ { next }
    { n++ }
    n == 1 && /^(Merge|Revert) / { exit }
    n == 1 && length > 72 { wrong("the subject has " length " characters; at most 72") }
    n == 1 && !/^[a-z][a-z0-9_, \/-]*: [^ ]/ { wrong("the subject is not `area: what changes`") }
    n == 1 && /\.$/ { wrong("the subject ends with a full stop") }
    n == 2 && length { wrong("no empty line after the subject") }
    n > 2 && length > 100 { wrong("the line has " length " characters; at most 100") }
    n > 2 && NF { body = 1 }
    END {
        if (!n) { n = 1; wrong("the message is empty") }
        else if (!body && !bad) { n = 3; wrong("no body: say what changed, and why") }
        exit bad
    }' "$1"
