#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The commands of examples/farm/README.md, each run as it is written there, on a private PostgreSQL. What belongs to a
# machine is stood in for: sudo writes below this test's folder, apt-get, systemctl and usermod do nothing, db.example is
# the private server, and a worker takes a small target and one range. Then PgBouncer with the page's own file.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/tests/pg_lib.sh"
export TMPDIR=$work
if [ -z "$(pg_bin)" ] || "$TF" farm status --store host=/nonexistent 2>&1 | grep -q 'built without\|no libpq'; then
    skip farm_page 'no PostgreSQL: needs libpq and a server (scripts/servers.sh)'
    exit
fi
trap 'kill $(jobs -p) 2>/dev/null; [ ! -s "$PG_DIR/etc/pgbouncer.pid" ] || kill "$(cat "$PG_DIR/etc/pgbouncer.pid")"; pg_remove; finish' EXIT
pg_start || { fail postgresql_starts "$(cat "$work"/*.log)"; exit; }

mkdir bin etc
cat >bin/tanglefuzz <<END
#!/bin/bash
# As written, but for who answers and how long it takes.
TANGLEFUZZ_STORE=\${TANGLEFUZZ_STORE/host=db.example/host=$PG_DIR}
export TANGLEFUZZ_STORE=\${TANGLEFUZZ_STORE/sslmode=require/}
words=("\${@/#vulkan:driver=radv/mutant:tail-merge-arms}")
[ "\$2" != work ] || words+=(--size 60 --ranges 1 --profile small)
exec "$TF" "\${words[@]}"
END
cat >bin/sudo <<END
#!/bin/bash
[ "\$1" != -u ] || { shift 2; export PGHOST=$PG_DIR PGUSER=farm; }
case \$1 in
apt-get | systemctl | usermod) exit 0 ;;
esac
words=("\${@/#\/etc\//$work/etc/}")
case \$1 in cp | tee) mkdir -p "\$(dirname "\${words[-1]}")" ;; esac
exec "\${words[@]}"
END
chmod +x bin/*
export PATH=$work/bin:$PG_BIN:$PATH HOME=$work
ln -s "$SOURCE_DIR/examples" examples

# The page's commands: lines of code that begin with one. SQL is what follows the line that starts psql.
sed -n 's/^    //p' "$SOURCE_DIR/examples/farm/README.md" >lines
grep -E '^(CREATE|ALTER) ' lines >sql
grep -vE '^(CREATE|ALTER) ' lines >commands
report page_has_commands "$([ "$(wc -l <commands)" -ge 18 ] && [ "$(wc -l <sql)" -ge 6 ] || cat lines)"
run_line() {
    case $1 in
    'sudo -u postgres psql farm') eval "$1 -v ON_ERROR_STOP=1 <sql" ;;
    *) eval "$1" ;;
    esac
}
n=0
while read -r line <&3; do
    case $line in # what stands on the page has to be there: a bucket of that name
    *kujosesabu*) q "INSERT INTO bucket(name, signature, class, sentence) VALUES ('kujosesabu', 's', 'c', '') ON CONFLICT DO NOTHING" ;;
    'tanglefuzz farm status') export TANGLEFUZZ_STORE="host=db.example dbname=farm user=you sslmode=require" ;;
    esac
    run_line "$line" >out 2>err
    status=$?
    report "line_$((++n)) ${line:0:60}" "$([ $status = 0 ] || cat out err)"
    PG_DSN="host=$PG_DIR user=farm dbname=farm"
done 3<commands
report a_range_is_done "$([ "$(q "SELECT count(*), sum(cases) FROM range WHERE done IS NOT NULL")" = '1|60' ] || q "SELECT * FROM range")"
report a_bucket_is_marked "$([ "$(q "SELECT state FROM bucket WHERE name = 'kujosesabu'")" = filed ] || q "SELECT * FROM bucket")"
q "ALTER SYSTEM RESET ALL" # the certificate that the page names is another package's
report password_is_private "$([ "$(stat -c %a .pgpass)" = 600 ] || ls -l .pgpass)"

# ---- the page's PgBouncer
bouncer=/usr/sbin/pgbouncer
[ -x $bouncer ] || bouncer=$DEPS_DIR/servers/pgbouncer/usr/sbin/pgbouncer
if [ ! -x "$bouncer" ]; then
    skip pgbouncer 'no PgBouncer: scripts/servers.sh gets it'
    exit
fi
pg_as mkdir "$PG_DIR/etc"
pg_as tee "$PG_DIR/etc/userlist.txt" <etc/pgbouncer/userlist.txt >/dev/null
# A socket in place of the network, so without TLS; all else as it is shipped, but fewer connections.
sed -E "s|^(farm = )host=127.0.0.1|\1host=$PG_DIR|; s|^listen_addr = .*|listen_addr =|; /^client_tls/d; s|/etc/pgbouncer|$PG_DIR/etc|
    s|/var/(run\|log)/postgresql|$PG_DIR/etc|; s|^(default_pool_size = ).*|\13|" etc/pgbouncer/pgbouncer.ini | pg_as tee "$PG_DIR/etc/pgbouncer.ini" >/dev/null
[ "$bouncer" = /usr/sbin/pgbouncer ] || bouncer=$(pg_reach "${bouncer%/sbin/pgbouncer}" sbin/pgbouncer)/sbin/pgbouncer
libs=${bouncer%/sbin/pgbouncer}/lib
(cd / && pg_as env LD_LIBRARY_PATH="$(echo "$libs"/*-linux-gnu)" "$bouncer" -q -d "$PG_DIR/etc/pgbouncer.ini") >out 2>&1 || fail pgbouncer_starts "$(cat out)"
through="host=$PG_DIR/etc port=6432 user=node dbname=farm"
# Debian 12's has one SQLSTATE for all that it refuses, a wrong password too: that is waited for, and said.
t wrong_password 2 '' 'the store: .*authentication failed' env PGPASSWORD=wrong "$TF" farm work --store "$through" --target mutant:tail-merge-arms --store-wait 1
export PGPASSWORD=... # as the page has it
q "UPDATE stream SET end_seed = 1260"
pid=()
for w in 1 2 3 4 5 6 7 8; do
    "$TF" farm work --store "$through" --target mutant:tail-merge-arms --profile small --size 60 --owner $w >$w.out 2>$w.err &
    pid+=($!)
done
problem=
for w in 1 2 3 4 5 6 7 8; do wait "${pid[w - 1]}" || problem+=$(cat $w.out $w.err); done
report eight_through_three "$problem"
report through_pgbouncer_each_range_once "$([ "$(q "SELECT count(*), sum(cases), count(*) FILTER (WHERE lease > 1 OR done IS NULL) FROM range")" = '21|1260|0' ] || q "SELECT * FROM range")"
report findings_came_through "$([ "$(q "SELECT count(*) FROM finding")" = "$(q "SELECT sum(findings) FROM range")" ] || q "SELECT * FROM progress")"
t people_come_through 0 '^1 stream' '' "$TF" farm status --store "${through/node/you}"
# A server that stops and starts behind it.
q "UPDATE stream SET end_seed = 2460"
"$TF" farm work --store "$through" --target mutant:tail-merge-arms --profile small --size 60 >stop.out 2>stop.err &
until_true eval '[ "$(q "SELECT count(*) FROM range WHERE first_seed >= 1260")" -ge 2 ]'
pg_stop immediate
pg_start
wait $!
report goes_on_when_the_server_is_back "$([ $? = 0 ] && grep -q '^20 ranges, 1200 cases' stop.out || cat stop.out stop.err)"
