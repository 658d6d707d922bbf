# SPDX-License-Identifier: Apache-2.0
#
# A private Slurm for a test: slurmctld, virtual nodes n1 .. nN with a GPU that is none, munge of its own; nothing of
# /etc is read. Sourced after app_lib.sh. What differs from a usual set-up: each slurmd has a name, a port and files of its
# own; no control groups, so that any user may; a node that comes back is used; a requeued job does not wait 120 s.

slurm_here() { command -v slurmctld slurmd munged sbatch scontrol squeue >/dev/null || [ -x /usr/sbin/slurmctld ]; }

# slurm_start N: up, with N idle nodes; SLURM_CONF is exported.
slurm_start() {
    local n=$1 i host me port=$((17000 + $$ % 4000))
    export PATH=$PATH:/usr/sbin SLURM_CONF=$SLURM_DIR/slurm.conf
    host=$(hostname -s) me=$(id -un)
    mkdir -p "$SLURM_DIR/state"
    chmod 755 "$SLURM_DIR"
    head -c 1024 /dev/urandom >"$SLURM_DIR/munge.key"
    chmod 400 "$SLURM_DIR/munge.key"
    for i in $(seq "$n"); do mkdir -p "$SLURM_DIR/spool.n$i"; done
    cat >"$SLURM_CONF" <<CONF
ClusterName=farm
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$me
SlurmdUser=$me
AuthType=auth/munge
AuthInfo=socket=$SLURM_DIR/munge.sock,cred_expire=5
CredType=cred/munge
StateSaveLocation=$SLURM_DIR/state
SlurmdSpoolDir=$SLURM_DIR/spool.%n
SlurmctldPidFile=$SLURM_DIR/slurmctld.pid
SlurmdPidFile=$SLURM_DIR/slurmd.%n.pid
SlurmctldLogFile=$SLURM_DIR/slurmctld.log
SlurmdLogFile=$SLURM_DIR/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=2,sched_min_interval=0,bf_interval=2
ReturnToService=2
SlurmdTimeout=10
SlurmctldTimeout=10
InactiveLimit=0
KillWait=3
JobRequeue=1
SlurmdParameters=config_overrides
GresTypes=gpu
$(for i in $(seq "$n"); do echo "NodeName=n$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1 + i)) CPUs=2 RealMemory=1000 Gres=gpu:none:1"; done)
PartitionName=farm Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    : >"$SLURM_DIR/gpu0"
    echo "NodeName=n[1-$n] Name=gpu Type=none File=$SLURM_DIR/gpu0" >"$SLURM_DIR/gres.conf"
    echo CgroupPlugin=cgroup/v1 >"$SLURM_DIR/cgroup.conf"
    munged --key-file="$SLURM_DIR/munge.key" -S "$SLURM_DIR/munge.sock" --pid-file="$SLURM_DIR/munge.pid" \
        --log-file="$SLURM_DIR/munge.log" --seed-file="$SLURM_DIR/munge.seed" --force 2>/dev/null &&
        slurmctld -f "$SLURM_CONF" -c || return 1
    until_true eval 'scontrol ping 2>/dev/null | grep -q "is UP"'
    for i in $(seq "$n"); do slurmd -f "$SLURM_CONF" -N "n$i"; done
    until_true eval "[ \"\$(sinfo -h -o %T -N 2>/dev/null | grep -c idle)\" = $n ]"
}

# slurm_power_off I: node I, its daemon, its steps and all that they started are gone at once.
slurm_power_off() {
    local job step
    local -a jobs
    tree() { for c in $(pgrep -P "$1"); do tree "$c"; done; echo "$1"; }
    mapfile -t jobs < <(squeue -h -w "n$1" -t R -o %A)
    kill -9 "$(cat "$SLURM_DIR/slurmd.n$1.pid")"
    for job in "${jobs[@]}"; do
        for step in $(pgrep -f "^slurmstepd: \[$job\." || true); do kill -9 $(tree "$step") 2>/dev/null; done
    done
    scontrol update NodeName="n$1" State=DOWN Reason=power
}

slurm_stop() {
    local f
    for f in "$SLURM_DIR"/slurmctld.pid "$SLURM_DIR"/slurmd.*.pid "$SLURM_DIR"/munge.pid; do
        [ -s "$f" ] && kill "$(cat "$f")" 2>/dev/null
    done
}
