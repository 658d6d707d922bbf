#!/bin/sh
# slurm_again.sh COUNT [OPTION...]: submits the indices below COUNT that are not done, with slurm.sbatch's target and
# size. OPTION: those of farm work that the array had; others would be another stream.
set -eu
missing=$("${TANGLEFUZZ:-tanglefuzz}" farm missing --target "${TANGLEFUZZ_TARGET:-vulkan:driver=radv}" \
    --size "${TANGLEFUZZ_SIZE:-20000}" --count "$1")
count=$1
shift
[ -z "$missing" ] && echo "all $count are done" && exit
exec sbatch --array="$missing" "$(dirname "$0")/slurm.sbatch" "$@"
