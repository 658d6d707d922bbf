#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# gpu-lab.sh [FILE [OPTION]...]: a worker for each row of FILE (default gpu-lab.txt here), with these options of
# `tanglefuzz farm work`. TANGLEFUZZ_STORE is the store, TANGLEFUZZ_DEVICE_TOKEN the token of rows with tcp=. Waits for
# all of them. A device that is away ends its own worker alone: its range goes to the next worker of that device.
# Exit status: 0 all workers ended well, 2 some did not.
file=${1-$(dirname "$0")/gpu-lab.txt}
[ $# = 0 ] || shift
status=0 workers=
while read -r name target; do
    case $name in '' | '#'*) continue ;; esac
    tanglefuzz farm work --target "$target" --model best --owner "$name" "$@" </dev/null &
    workers="$workers $!"
done <"$file"
[ -n "$workers" ] || { echo "gpu-lab: $file has no row" >&2 && exit 2; }
for worker in $workers; do
    wait "$worker" || status=2
done
exit $status
