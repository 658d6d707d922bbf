#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A farm on Slurm, by examples/farm's files: an array over four virtual nodes; one loses its power, a task's process is
# killed, the database is stopped hard; what is missing is submitted again. FARM_SEEDS: how many (nightly: 80000).
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/tests/pg_lib.sh"
. "$SOURCE_DIR/tests/slurm_lib.sh"
export TMPDIR=$work
indices=8 size=$((${FARM_SEEDS:-4000} / 8)) target=mutant:tail-merge-arms
how=(--profile small --keep 100000)
if [ -z "$(pg_bin)" ] || ! slurm_here || "$TF" farm status --store host=/nonexistent 2>&1 | grep -q 'built without\|no libpq'; then
    skip farm_on_slurm 'no Slurm: needs PostgreSQL, libpq and Slurm (slurm-wlm, munge)'
    exit
fi
until_true() { # waits for an event, a minute at most
    local end=$((SECONDS + LONG))
    until "$@"; do [ $SECONDS -lt $end ] || { fail "$*" "did not come: $(tail -n 3 "$SLURM_DIR"/*.log task.* 2>/dev/null)"; exit 1; }; sleep 0.05; done
}
SLURM_DIR=$(mktemp -d /tmp/tf-slurm.XXXXXX)
trap 'slurm_stop; pg_remove; rm -rf "$SLURM_DIR"; finish' EXIT
pg_start || { fail postgresql_starts "$(cat "$work"/*.log)"; exit; }
slurm_start 4 || { fail slurm_starts "$(cat "$SLURM_DIR"/*.log)"; exit; }
pass four_nodes_are_idle
chmod 755 "$work"
export TANGLEFUZZ=$TF TANGLEFUZZ_STORE=$PG_DSN TANGLEFUZZ_TARGET=$target TANGLEFUZZ_SIZE=$size
"$TF" farm init >out || fail init "$(cat out)"
# Nobody gets a range before one task's node is off and another's process is dead: how fast a range is does not matter.
coproc HELD { LD_LIBRARY_PATH="${PG_LIBS-}" "$PG_BIN/psql" -qAtX "$PG_DSN"; }
echo 'BEGIN; LOCK TABLE tanglefuzz.range; SELECT 1;' >&"${HELD[1]}"
read -r -u "${HELD[0]}" -t 60 || fail ranges_are_held 'no lock'
job=$(sbatch --parsable -o "$work/task.%a" --array=0-$((indices - 1)) "$SOURCE_DIR/examples/farm/slurm.sbatch" "${how[@]}")
running_on() { squeue -h -w "$1" -t R -o %A | grep -q .; }
process_of() { # of the task that runs on a node
    local step
    step=$(pgrep -f "^slurmstepd: \[$(squeue -h -w "$1" -t R -o %A | head -n 1)\.batch" | head -n 1)
    [ -n "$step" ] && pgrep -P "$step" | head -n 1
}
until_true running_on n2
slurm_power_off 2
until_true eval '[ -n "$(process_of n3)" ]'
kill -9 "$(process_of n3)"
echo 'COMMIT;' >&"${HELD[1]}"
exec {HELD[1]}>&-
until_true eval '[ "$(q "SELECT count(*) FROM range WHERE done IS NOT NULL")" -ge 1 ]'
pg_stop immediate
pg_start
array_is_over() { [ -z "$(squeue -h -j "$job" 2>/dev/null)" ]; }
until_true array_is_over
report power_is_requeued "$(grep -l 'Requeue\|requeue' "$SLURM_DIR/slurmctld.log" >/dev/null || tail "$SLURM_DIR/slurmctld.log")"
missing=$("$TF" farm missing --target $target --size "$size" --count $indices)
report killed_task_is_missing "$([ -n "$missing" ] || q 'SELECT * FROM range')"
for again in 1 2 3; do
    [ -n "$("$TF" farm missing --target $target --size "$size" --count $indices)" ] || break
    job=$("$SOURCE_DIR/examples/farm/slurm_again.sh" $indices "${how[@]}" | grep -oE '[0-9]+$')
    until_true array_is_over
done
t all_are_done 0 "^all $indices are done" '' "$SOURCE_DIR/examples/farm/slurm_again.sh" $indices
"$TF" fuzz --target $target --profile small --jobs 2 --seeds 0:$((indices * size)) --stop-after 0 --keep 0 --out alone >alone.out 2>&1
report as_one_process_alone "$(diff <(ls alone/findings) <(q "SELECT name FROM finding" | sort)
    [ "$(q "SELECT sum(cases), sum(findings) FROM range WHERE done IS NOT NULL")" = "$((indices * size))|$(ls alone/findings | wc -l)" ] || q "SELECT * FROM progress")"
