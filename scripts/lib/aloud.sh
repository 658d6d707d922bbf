# SPDX-License-Identifier: Apache-2.0
#
# aloud WHAT COMMAND...: runs a command or function and passes its output on. If it prints nothing for
# four seconds, prints WHAT, the time, and the progress of a build ([12/453], from its log ALOUD_LOG). Returns its status.
# Sourced.
aloud() {
    local what=$1 line part='' status=0 begin=$SECONDS
    shift
    coproc ALOUD { exec 2>&1; "$@" </dev/null; }
    local pid=$ALOUD_PID fd
    exec {fd}<&"${ALOUD[0]}"
    while :; do
        if IFS= read -r -t 4 -u "$fd" line; then
            printf '%s%s\n' "$part" "$line"
            part=
        elif [ $? -gt 128 ]; then
            part+=$line
            [ -n "$line" ] || printf '%s, %d:%02d%s\n' "$what" $(((SECONDS - begin) / 60)) $(((SECONDS - begin) % 60)) \
                "$(aloud_part)"
        else
            [ -z "$part$line" ] || printf '%s%s\n' "$part" "$line"
            break
        fi
    done
    exec {fd}<&-
    wait "$pid" || status=$?
    return $status
}

aloud_part() {
    [ ! -e "${ALOUD_LOG-}" ] || tail -c 4000 "$ALOUD_LOG" | grep -oE '^\[ *[0-9]+(/[0-9]+|%)\]' | tail -n 1 | sed 's/^/, /'
}
