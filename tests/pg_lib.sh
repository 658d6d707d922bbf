# SPDX-License-Identifier: Apache-2.0
#
# A private PostgreSQL for a test: a data folder and a unix socket, no service, no port. Sourced after app_lib.sh.
# Of several versions the newest, or PG_VERSION's. Runs as root too, then as another user, since the server refuses root.

# The folder of the server's programs, of the machine or of scripts/servers.sh; nothing where there is none.
pg_bin() {
    local dir
    for dir in /usr "$DEPS_DIR"/servers/postgresql/usr; do
        ls -d "$dir"/lib/postgresql/${PG_VERSION:-*}/bin 2>/dev/null
    done | while read -r dir; do
        [ -x "$dir/initdb" ] && [ -x "$dir/postgres" ] && echo "$dir"
    done | sort -V | tail -1
}

pg_as() {
    local user=postgres
    [ "$(id -u)" = 0 ] || { "$@"; return; }
    id postgres >/dev/null 2>&1 || user=nobody
    setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups "$@"
}

# pg_reach USR PROGRAM: prints USR, a private server's folder; if the other user cannot reach USR/PROGRAM, because root's home is
# closed to it, prints that of a copy in PG_DIR.
pg_reach() {
    local to=$PG_DIR/${2##*/}
    if pg_as test -x "$1/$2"; then echo "$1" && return; fi
    [ -d "$to" ] || cp -r "$1" "$to"
    echo "$to"
}

# Sets PG_BIN and, for a private server, PG_LIBS.
pg_find() {
    local usr
    PG_BIN=$(pg_bin)
    case $PG_BIN in "$DEPS_DIR"/*) ;; *) return ;; esac
    usr=$(pg_reach "${PG_BIN%/lib/postgresql/*}" "lib${PG_BIN##*/usr/lib}/initdb")
    PG_BIN=$usr/lib${PG_BIN##*/usr/lib}
    export PG_LIBS=$(echo "$usr"/lib/*-linux-gnu)
}

# pg_start: the server is up, PG_DSN its address. Its socket's path must be short, so it is not below the test's folder.
pg_start() {
    local new=
    [ -n "${PG_DIR-}" ] || { PG_DIR=$(mktemp -d /tmp/tf-pg.XXXXXX) && chmod 755 "$PG_DIR" && new=yes; }
    pg_find
    if [ -n "$new" ]; then
        [ "$(id -u)" != 0 ] || chown "$(pg_as id -u)" "$PG_DIR"
        (cd / && pg_as env LD_LIBRARY_PATH="${PG_LIBS-}" "$PG_BIN/initdb" -D "$PG_DIR/data" -A trust -U farm --no-sync -E UTF8 --locale=C) \
            >"$work/initdb.log" 2>&1 || { cat "$work/initdb.log"; return 1; }
        pg_as tee -a "$PG_DIR/data/postgresql.conf" >/dev/null <<CONF
listen_addresses = ''
unix_socket_directories = '$PG_DIR'
max_connections = 200
timezone = 'UTC'
log_timezone = 'UTC'
jit = off
CONF
    fi
    (cd / && pg_as env LD_LIBRARY_PATH="${PG_LIBS-}" "$PG_BIN/pg_ctl" -D "$PG_DIR/data" -w -t 60 -l "$PG_DIR/log" start) >"$work/pg.log" 2>&1 ||
        { cat "$work/pg.log" "$PG_DIR/log"; return 1; }
    PG_DSN="host=$PG_DIR user=farm dbname=postgres"
}

# pg_stop MODE: smart, fast, or immediate, which is as if the power was gone.
pg_stop() { (cd / && pg_as env LD_LIBRARY_PATH="${PG_LIBS-}" "$PG_BIN/pg_ctl" -D "$PG_DIR/data" -m "$1" -w stop) >/dev/null 2>&1; }

pg_remove() {
    [ -n "${PG_DIR-}" ] || return 0
    pg_stop immediate
    rm -rf "$PG_DIR"
}

# q SQL: its rows, as the owner of the store.
q() { LD_LIBRARY_PATH="${PG_LIBS-}" "$PG_BIN/psql" -qAtX -v ON_ERROR_STOP=1 "$PG_DSN" -c "SET search_path = tanglefuzz" -c "$1"; }
