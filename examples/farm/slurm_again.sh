#!/bin/sh
# slurm_again.sh COUNT: submits the indices below COUNT that are not done, with slurm.sbatch's target and size.
set -eu
missing=$("${TANGLEFUZZ:-tanglefuzz}" farm missing --target "${TANGLEFUZZ_TARGET:-vulkan:driver=radv}" \
    --size "${TANGLEFUZZ_SIZE:-20000}" --count "$1")
[ -z "$missing" ] && echo "all $1 are done" && exit
exec sbatch --array="$missing" "$(dirname "$0")/slurm.sbatch"
