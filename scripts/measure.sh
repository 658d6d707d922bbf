#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs a command and writes its output as a page of docs/measured: command, date, machine and output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/measure.sh FILE TITLE COMMAND [ARGUMENT...]

Runs COMMAND in the root of the repository, prints its output, and writes FILE: the title, the command, the
date, processors and load of the machine before and after, and the output. The line below the title, which names the
page's reader, is kept from the old FILE. FILE is written if COMMAND ends with
status 0 or 1 (something was found); otherwise it is not changed, and the status is COMMAND's. A machine whose load is above 1
is refused; TANGLEFUZZ_BUSY=1 measures anyway.

examples: scripts/measure.sh docs/measured/bench.md 'Where the time goes' scripts/bench.sh
          scripts/measure.sh docs/measured/core-hours.md 'A core-hour of each fuzz target' scripts/core_hours.sh
HELP
}
case ${1:-} in -h | --help) usage && exit 0 ;; esac
[ $# -ge 3 ] || { usage >&2 && exit 2; }
file=$1 title=$2 reader='For contributors.'
[ ! -e "$file" ] || reader=$(sed -n 3p "$file")
shift 2
. scripts/lib/quiet.sh
quiet measure
export TANGLEFUZZ_BUSY=1 # from here on the load is the command's own
load() { cut -d ' ' -f 1 /proc/loadavg; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
before=$(load) status=0
"$@" | tee "$work/output" || status=$?
[ "$status" -le 1 ] || { echo "measure: '$1' ended with status $status: $file is not written" >&2 && exit "$status"; }
{
    scripts/lib/measured.py "$title" "$reader" "scripts/measure.sh $file '$title' $*"
    echo "$(nproc) processors ($(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)); load $before before, $(load) after."
    printf '\n```\n%s\n```\n' "$(cat "$work/output")"
} >"$work/page"
mv "$work/page" "$file"
