#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Fetches servers for tests, each into a private folder, without root rights: none is installed or started, no service is
# created. DEPS/servers/NAME/usr contains the programs, and the libraries that the machine lacks.
set -euo pipefail
shopt -s nullglob
SELF=servers
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib/private_root.sh"

usage() {
    cat <<'HELP'
usage: scripts/servers.sh [--build-dir DIR] get postgresql[-VERSION]|pgbouncer [SUITE]

Fetches PostgreSQL, for the tests of tanglefuzz farm, into DIR/deps/servers/postgresql (default DIR: build), from the
machine's own suite or another Debian suite. If the machine has a server (/usr/lib/postgresql), does nothing
unless a version is named. PG_VERSION=17 makes a test use that version. PgBouncer is fetched in the same way.
example: scripts/servers.sh get postgresql
HELP
}

build=$here/../build
while [ $# -gt 0 ]; do
    case $1 in
    --build-dir)
        [ $# -ge 2 ] || die "--build-dir needs a folder"
        build=$2
        shift 2
        ;;
    -h | --help) usage && exit 0 ;;
    *) break ;;
    esac
done
[ $# -ge 2 ] && [ $# -le 3 ] && [ "$1" = get ] || die "unknown arguments (see --help)"

mkdir -p "$build/deps" 2>/dev/null || die "cannot write to $build"
DEPS=$(cd "$build/deps" && pwd)
case $2 in
postgresql)
    for server in /usr/lib/postgresql/*/bin/postgres "$DEPS"/servers/postgresql/usr/lib/postgresql/*/bin/postgres; do
        exit 0
    done
    version=
    ;;
postgresql-[1-9]*) version=${2#postgresql-} ;;
pgbouncer) [ ! -x /usr/sbin/pgbouncer ] && [ ! -x "$DEPS/servers/pgbouncer/usr/sbin/pgbouncer" ] || exit 0 ;;
*) die "unknown server '$2' (see --help)" ;;
esac
pr_start
trap pr_end EXIT
pr_machine
pr_apt "${3:-$PR_SUITE}"
if [ "$2" = pgbouncer ]; then
    packages=$(pr_missing pgbouncer) || die "apt cannot resolve the dependencies of pgbouncer (details: $DEPS/setup.log)"
    say "fetching PgBouncer (${3:-$PR_SUITE}) into ${DEPS#"$PWD"/}/servers/pgbouncer"
    PR_BOX=$DEPS/servers/.debs
    # shellcheck disable=SC2046
    pr_unpack "$DEPS/servers/pgbouncer" $(grep -E '^(pgbouncer|libc-ares|libevent-)[^=]*=' <<<"$packages")
    chmod a+rx "$DEPS/servers" # it runs as another user than root
    exit
fi
if [ -z "$version" ]; then
    version=$(APT_CONFIG=$PR_APT apt-cache depends postgresql | sed -nE 's/.*Depends: postgresql-([0-9]+)$/\1/p' | head -1)
    [ -n "$version" ] || die "${3:-$PR_SUITE} has no PostgreSQL"
fi
# Keep the server and its libraries, without its query compiler and the tools that manage clusters.
packages=$(pr_missing "postgresql-$version") || die "apt cannot resolve the dependencies of postgresql-$version (details: $DEPS/setup.log)"
packages=$(grep -E '^(postgresql-[0-9]+|postgresql-client-[0-9]+|lib[^=]*)=' <<<"$packages" |
    grep -vE '^([^=]*-dev|libc6|libc-bin|libllvm|libclang|libperl|libjson|libcommon|libtypes|libsensors|libz3|libipc)' || true)
if ! grep -q "^postgresql-$version=" <<<"$packages"; then # the machine has it
    [ ! -x "/usr/lib/postgresql/$version/bin/postgres" ] || exit 0
fi
say "fetching PostgreSQL $version (${3:-$PR_SUITE}) into ${DEPS#"$PWD"/}/servers/postgresql"
PR_BOX=$DEPS/servers/.debs
# shellcheck disable=SC2086
pr_unpack "$DEPS/servers/.new" $packages
rm -rf "$DEPS/servers/.new/usr/share/doc" "$DEPS/servers/.new/usr/share/locale"
LD_LIBRARY_PATH=$(echo "$DEPS"/servers/.new/usr/lib/*-linux-gnu) "$DEPS/servers/.new/usr/lib/postgresql/$version/bin/postgres" --version \
    >>"$DEPS/setup.log" 2>&1 || {
    rm -rf "$DEPS/servers/.new"
    die "PostgreSQL $version of ${3:-$PR_SUITE} needs a newer libc than this machine's; nothing was changed"
}
mkdir -p "$DEPS/servers/postgresql"
cp -a "$DEPS/servers/.new/." "$DEPS/servers/postgresql/"
rm -rf "$DEPS/servers/.new"
chmod a+rx "$DEPS/servers" # the server runs as another user than root
