# SPDX-License-Identifier: Apache-2.0
#
# What the app_*_test.sh share. They run in a folder of their own, which goes away.
set -u
export LC_ALL=C # a to z are all letters, and messages are English
failed=0
work=$(mktemp -d)
cd "$work" || exit 1
finish() {
    cd /
    rm -rf "$work"
    exit $failed
}
trap finish EXIT

pass() { echo "ok $1"; }
# skip NAME REASON: the reason is `WHAT` or `WHAT: MORE`; scripts/test.sh counts skips by WHAT.
skip() { echo "ok $1 # SKIP $2"; }
fail() { # NAME REASON
    echo "not ok $1"
    sed 's/^/# /' <<<"$2"
    failed=1
}
report() { # NAME PROBLEM: no problem, no failure
    if [ -z "$2" ]; then pass "$1"; else fail "$1" "$2"; fi
}

# short: this is a run of the default tier (scripts/test.sh), in which a long test shows its commands in short and ends.
short() { [ "${TANGLEFUZZ_TEST_TIER-all}" = default ]; }
short_end() { # what is left
    echo "# scripts/test.sh --all goes on: $1"
    exit
}

# sanitized [REGEX]: this is a build with sanitizers (whose name matches).
sanitized() { grep -qsE -e "-fsanitize=[a-z,-]*(${1-})" "$BUILD_DIR/compile_commands.json"; }

# Starting a program costs as much as the program under test: what follows reads small files in the shell.
# has_line FILE REGEX: whether a line matches. What the shell cannot say yes to, grep decides.
has_line() {
    local lines line
    mapfile -t -n 200 lines <"$1"
    for line in "${lines[@]}"; do
        [[ $line =~ $2 ]] && return
    done
    grep -Eq -e "$2" "$1"
}

# matches FILE REGEX: "-" asks nothing, "" asks for an empty file, else a line must match.
matches() {
    case $2 in
    -) true ;;
    '') [ ! -s "$1" ] ;;
    *) has_line "$1" "$2" ;;
    esac
}

# A command that takes ten seconds says how far it is: whether it does depends on the machine, so the lines are taken out
# of the file err ("10 s  25%  0 findings ...", "1:02  3 of 5 reduced ...").
without_status() {
    local lines line few=yes
    mapfile -t -n 21 lines <err
    for line in "${lines[@]}"; do [[ $line != [0-9]* ]] || few=; done
    [ $few ] && [ ${#lines[@]} -le 20 ] || sed -E -i '/^([0-9.]+ s|[0-9]+:[0-9:]+) ( *[0-9]+%)? /d' err
}

# t NAME STATUS OUT ERR COMMAND...: exit status, standard output, standard error without status lines (as matches takes
# them). Leaves both in the files out and err.
t() {
    local name=$1 want=$2 out=$3 err=$4 status
    shift 4
    "$@" >out 2>err
    status=$?
    without_status
    if [ "$status" = "$want" ] && matches out "$out" && matches err "$err"; then
        pass "$name"
    else
        fail "$name" "$* gave status $status, not $want, or did not match '$out' and '$err'
out: $(head -c 2000 out)
err: $(head -c 2000 err)"
    fi
}

# bad NAME ERR COMMAND...: status 2 and exactly one line on standard error, nothing else.
bad() {
    local name=$1 err=$2 lines
    shift 2
    t "$name" 2 '' "$err" "$@"
    mapfile -n 2 lines <err
    [ ${#lines[@]} = 1 ] && [[ ${lines[0]} == *$'\n' ]] || fail "$name: one line" "$(head -c 2000 err)"
}

# A test that waits for what never comes is ended after a time in which every machine is done, shortly before ctest would
# end it without a word.
LONG=1500
within() { timeout $LONG "$@"; }

# until_true COMMAND...: waits for it. That it never comes is a failure, and the end.
until_true() {
    local end=$((SECONDS + LONG))
    until "$@" 2>/dev/null; do
        [ $SECONDS -lt $end ] || { fail "$*" "did not come: $(tail -n 3 err)"; exit; }
        sleep 0.05
    done
}

# unread COMMAND...: its standard output is a pipe that nobody reads any more.
unread() {
    python3 -c 'import os, subprocess, sys
r, w = os.pipe()
os.close(r)
sys.exit(subprocess.run(sys.argv[1:], stdout=w).returncode)' "$@"
}

# compile PROGRAM SOURCE: a small program that a campaign starts for each run of each case; without shared libraries, where
# that goes, it starts in half of the time.
compile() { "$CC" -O1 -static -o "$1" "$2" 2>/dev/null || "$CC" -O1 -o "$1" "$2"; }

TF=$TANGLEFUZZ
LAVAPIPE=vulkan:driver=lavapipe
have_lavapipe() { [ -e "${TANGLEFUZZ_DRIVERS-$DEPS_DIR/drivers}/lavapipe/env" ]; }
