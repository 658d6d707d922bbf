# SPDX-License-Identifier: Apache-2.0
#
# A private ssh server for a test: "the other machine" is the folder $FAR of this one, with lavapipe as its driver. Sourced
# after app_lib.sh. `ssh HOST COMMAND` and `scp FILE HOST:` then go there, by real ssh, with $work/bin first in PATH.
# What lies in $work/far-bin is in the PATH of the other machine.
SSHD=$(command -v sshd || ls /usr/sbin/sshd 2>/dev/null)
FAR=$work/far
have_ssh() { [ -n "$SSHD" ] && command -v ssh-keygen scp >/dev/null && [ -x /usr/lib/openssh/sftp-server ]; }

ssh_start() { # PORT
    mkdir -p "$FAR" "$work/bin" "$work/far-bin"
    ssh-keygen -q -t ed25519 -N '' -f "$work/host_key" && ssh-keygen -q -t ed25519 -N '' -f "$work/user_key"
    cp "$work/user_key.pub" "$work/authorized" && chmod 600 "$work/authorized"
    cat >"$work/far-shell" <<END
#!/bin/bash
cd "$FAR"
set -a
. "${TANGLEFUZZ_DRIVERS-$DEPS_DIR/drivers}/lavapipe/env"
PATH=$work/far-bin:\$PATH
case \$SSH_ORIGINAL_COMMAND in *sftp*) exec /usr/lib/openssh/sftp-server ;; esac
exec sh -c "\$SSH_ORIGINAL_COMMAND"
END
    chmod +x "$work/far-shell"
    printf '%s\n' "Port $1" 'ListenAddress 127.0.0.1' "HostKey $work/host_key" "AuthorizedKeysFile $work/authorized" \
        "PidFile $work/sshd.pid" 'StrictModes no' 'UsePAM no' 'Subsystem sftp internal-sftp' \
        "ForceCommand $work/far-shell" >"$work/server.conf"
    printf '%s\n' "Host ${SSH_HOSTS-HOST}" 'HostName 127.0.0.1' "Port $1" "IdentityFile $work/user_key" 'IdentitiesOnly yes' \
        "UserKnownHostsFile $work/known" 'StrictHostKeyChecking accept-new' 'LogLevel ERROR' >"$work/client.conf"
    local name
    for name in ssh scp; do
        printf '#!/bin/sh\nexec %s -F %s "$@"\n' "$(command -v $name)" "$work/client.conf" >"$work/bin/$name"
        chmod +x "$work/bin/$name"
    done
    PATH=$work/bin:$PATH
    [ "$(id -u)" != 0 ] || mkdir -p /run/sshd
    "$SSHD" -f "$work/server.conf" -E "$work/sshd.log"
}

ssh_stop() { [ ! -e "$work/sshd.pid" ] || kill "$(cat "$work/sshd.pid")"; }
