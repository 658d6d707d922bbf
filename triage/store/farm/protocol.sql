-- SPDX-License-Identifier: Apache-2.0
--
-- The functions and views that workers and people use: the entire protocol. Created again by each `farm init`. Calls
-- may be repeated: the result is the same row. Only the server's clock is used. Functions that write run with their
-- owner's privileges: a worker needs no privilege on any table.

CREATE FUNCTION schema_version() RETURNS jsonb LANGUAGE sql SECURITY DEFINER AS $$ SELECT to_jsonb(schema) FROM store $$;

-- Returns the stream of a target with its current description. A new stream starts with the smallest case of each
-- bucket of its target, and with the results of the streams that found them.
CREATE FUNCTION stream_open(d jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    key text := md5(concat_ws(E'\n', d->>'target', d->>'device', d->>'generator', d->>'options'));
    s   int := (SELECT id FROM stream WHERE digest = key);
BEGIN
    IF s IS NOT NULL THEN RETURN jsonb_build_object('id', s, 'made', false); END IF;
    INSERT INTO stream(digest, target, device, driver, generator, options)
        VALUES (key, d->>'target', d->>'device', d->>'driver', (d->>'generator')::int, d->'options')
        ON CONFLICT (digest) DO NOTHING RETURNING id INTO s;
    IF s IS NULL THEN
        RETURN jsonb_build_object('id', (SELECT id FROM stream WHERE digest = key), 'made', false);
    END IF;
    INSERT INTO regress(digest, name, asks, target, bucket, body)
        SELECT f.digest, f.name, t.target, f.target, f.bucket, convert_from(x.body, 'UTF8')
        FROM (SELECT DISTINCT ON (f.bucket) f.* FROM finding f JOIN stream t ON t.id = f.stream
              WHERE t.target = d->>'target' AND f.class <> 'flaky'
              ORDER BY f.bucket, f.words, f.digest) f
        JOIN stream t ON t.id = f.stream JOIN file x ON x.finding = f.id AND x.path = f.smallest
        WHERE NOT EXISTS (SELECT FROM regress g WHERE g.asks = t.target AND g.bucket = f.bucket)
        ON CONFLICT DO NOTHING;
    INSERT INTO replay(regress, stream, owner, class, good, at)
        SELECT f.digest, f.stream, f.owner, f.class, false, f.found
        FROM finding f JOIN regress g USING (digest) WHERE g.asks = d->>'target'
        ON CONFLICT DO NOTHING;
    RETURN jsonb_build_object('id', s, 'made', true);
END $$;

-- Leases the next seeds: first a range whose lease expired, else `n` new ones; `n` NULL: for about ten minutes of this
-- stream. NULL: nothing to do. A range that five owners did not finish is not leased again.
CREATE FUNCTION range_take(s int, n bigint, who text, lease_seconds double precision) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE a bigint; b bigint; nth int; patience interval := make_interval(secs => lease_seconds);
BEGIN
    UPDATE range r SET owner = who, lease = r.lease + 1, until = now() + patience, taken = now()
        WHERE (r.stream, r.first_seed) = (
            SELECT x.stream, x.first_seed FROM range x WHERE x.stream = s AND x.until < now() AND x.lease < 5
            ORDER BY x.first_seed LIMIT 1 FOR UPDATE SKIP LOCKED)
        AND EXISTS (SELECT FROM stream WHERE id = s AND state = 'open')
        RETURNING r.first_seed, r.end_seed, r.lease INTO a, b, nth;
    IF NOT FOUND THEN
        IF n IS NULL THEN
            -- 1,000 until a range is done: least and greatest ignore a NULL.
            SELECT coalesce(sum(q.end_seed - q.first_seed) * 600 / nullif(sum(q.seconds), 0), 1000)
                INTO n FROM (SELECT * FROM range r WHERE r.stream = s AND r.done IS NOT NULL
                             ORDER BY r.done DESC LIMIT 20) q;
            n := greatest(100, least(1000000, n));
        END IF;
        SELECT next_seed, next_seed + least(end_seed - next_seed, n) INTO a, b
            FROM stream WHERE id = s AND state = 'open' AND next_seed < end_seed FOR UPDATE;
        IF NOT FOUND THEN RETURN NULL; END IF;
        UPDATE stream SET next_seed = b WHERE id = s;
        nth := 1;
        INSERT INTO range(stream, first_seed, end_seed, owner, until) VALUES (s, a, b, who, now() + patience);
    END IF;
    RETURN jsonb_build_object('first', a, 'end', b, 'lease', nth);
END $$;

-- Leases the seeds of an engine's index (a Slurm array, a Kubernetes Indexed Job, CI_NODE_INDEX). The same seeds again
-- are taken from their owner; 'done': nothing is left to do. Other overlaps are an error. NULL: the stream is paused, or ends
-- before these seeds.
CREATE FUNCTION range_claim(s int, x bigint, y bigint, who text, lease_seconds double precision) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE n int; r record; is_now text;
BEGIN
    SELECT state, least(y, end_seed) INTO is_now, y FROM stream WHERE id = s FOR UPDATE;
    IF (SELECT end_seed >= y FROM range WHERE stream = s AND first_seed <= x AND done IS NOT NULL
        ORDER BY first_seed DESC LIMIT 1) THEN RETURN '"done"'; END IF; -- perhaps merged with others meanwhile
    IF is_now <> 'open' OR y <= x THEN RETURN NULL; END IF;
    SELECT first_seed, end_seed INTO r FROM range
        WHERE stream = s AND first_seed < y AND end_seed > x AND (first_seed, end_seed) <> (x, y) LIMIT 1;
    IF FOUND THEN
        RAISE 'seeds % to % overlap % to %, which were given out: choose one --size for all, or no --index',
            x, y - 1, r.first_seed, r.end_seed - 1 USING ERRCODE = 'raise_exception';
    END IF;
    UPDATE stream SET next_seed = greatest(next_seed, y) WHERE id = s;
    INSERT INTO range(stream, first_seed, end_seed, owner, until)
        VALUES (s, x, y, who, now() + make_interval(secs => lease_seconds))
        ON CONFLICT (stream, first_seed) DO UPDATE SET owner = who, lease = range.lease + 1,
            until = excluded.until, taken = now() WHERE range.done IS NULL
        RETURNING lease INTO n;
    IF n IS NULL THEN RETURN '"done"'; END IF;
    RETURN jsonb_build_object('first', x, 'end', y, 'lease', n);
END $$;

-- Renews a lease. False: another worker holds the range, or it is done.
CREATE FUNCTION range_beat(s int, a bigint, nth int, lease_seconds double precision) RETURNS jsonb
LANGUAGE sql SECURITY DEFINER AS $$
    WITH x AS (UPDATE range SET until = now() + make_interval(secs => lease_seconds)
               WHERE stream = s AND first_seed = a AND lease = nth AND until IS NOT NULL RETURNING 1)
    SELECT to_jsonb(EXISTS (SELECT FROM x)) $$;

-- Ends a lease: another worker may take the range at once.
CREATE FUNCTION range_release(s int, a bigint, nth int) RETURNS jsonb LANGUAGE sql SECURITY DEFINER AS $$
    WITH x AS (UPDATE range SET until = now() - interval '1 second'
               WHERE stream = s AND first_seed = a AND lease = nth AND until IS NOT NULL RETURNING 1)
    SELECT to_jsonb(EXISTS (SELECT FROM x)) $$;

CREATE FUNCTION bucket_put(b jsonb) RETURNS void LANGUAGE sql SECURITY DEFINER AS $$
    INSERT INTO bucket(name, signature, class, sentence)
    SELECT b->>'name', b->>'signature', b->>'class', b->>'sentence'
    WHERE NOT EXISTS (SELECT FROM bucket WHERE name = b->>'name') ON CONFLICT DO NOTHING $$;

-- Marks a range as done, once: a second call changes nothing. `tally`: [{name, signature, class, sentence, n}], the
-- findings by bucket, before reduction.
CREATE FUNCTION range_done(s int, a bigint, sum jsonb, tally jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE t jsonb;
BEGIN
    UPDATE range SET until = NULL, done = now(), summary = sum, cases = (sum->>'cases')::bigint,
        agreed = (sum->>'agreed')::bigint, live_bits = (sum->>'live_bits')::bigint,
        findings = (sum->>'findings')::bigint + (sum->>'findings_again')::bigint,
        flaky = (sum->>'flaky')::bigint, seconds = (sum->>'seconds')::float8
        WHERE stream = s AND first_seed = a AND done IS NULL;
    IF NOT FOUND THEN RETURN to_jsonb(false); END IF;
    FOR t IN SELECT x FROM jsonb_array_elements(tally) x ORDER BY x->>'name' LOOP
        PERFORM bucket_put(t);
        INSERT INTO seen(stream, bucket, findings) VALUES (s, t->>'name', (t->>'n')::bigint)
            ON CONFLICT (stream, bucket) DO UPDATE SET findings = seen.findings + excluded.findings, last_at = now();
    END LOOP;
    RETURN to_jsonb(true);
END $$;

-- Stores a finding, once by its digest. With its files it is stored, unless the store has `keep` findings of its bucket
-- and stream; without them (NULL) the call only reports whether they are wanted. A smaller finding replaces a larger
-- one. Returns 'new', 'smaller', 'there' or 'enough'; and how many of the bucket and stream are stored.
CREATE FUNCTION finding_put(s int, who text, keep int, f jsonb, paths jsonb, bodies bytea) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE had record; n int; k bigint; did text;
BEGIN
    SELECT id, words INTO had FROM finding WHERE digest = f->>'digest';
    IF FOUND AND had.words <= (f->>'words')::int THEN RETURN jsonb_build_object('did', 'there', 'kept', 0); END IF;
    SELECT count(*) INTO n FROM (SELECT FROM finding WHERE stream = s AND first_bucket = f->'first'->>'name' LIMIT keep) x;
    IF had.id IS NULL AND n >= keep THEN RETURN jsonb_build_object('did', 'enough', 'kept', n); END IF;
    did := CASE WHEN had.id IS NULL THEN 'new' ELSE 'smaller' END;
    IF bodies IS NULL THEN RETURN jsonb_build_object('did', did, 'kept', n); END IF;
    PERFORM bucket_put(f->'first');
    PERFORM bucket_put(f->'now');
    INSERT INTO finding(digest, name, stream, class, text, target, rule, taxonomy, first_bucket, bucket, words,
            first_words, smallest, reproduced, tries, owner)
        VALUES (f->>'digest', f->>'name', s, f->>'class', f->>'text', f->>'target', f->>'rule', f->>'taxonomy',
            f->'first'->>'name', f->'now'->>'name', (f->>'words')::int, (f->>'first_words')::int, f->>'smallest',
            (f->>'reproduced')::int, (f->>'tries')::int, who)
        ON CONFLICT (digest) DO UPDATE SET bucket = excluded.bucket, words = excluded.words, rule = excluded.rule,
            taxonomy = excluded.taxonomy, smallest = excluded.smallest, reproduced = excluded.reproduced,
            tries = excluded.tries WHERE finding.words > excluded.words
        RETURNING id INTO k;
    IF k IS NULL THEN RETURN jsonb_build_object('did', 'there', 'kept', n); END IF;
    DELETE FROM file WHERE finding = k;
    INSERT INTO file(finding, path, body)
        SELECT k, x->>'path', substring(bodies FROM ((x->>'at')::int + 1) FOR (x->>'size')::int)
        FROM jsonb_array_elements(paths) x;
    RETURN jsonb_build_object('did', did, 'kept', n + (did = 'new')::int);
END $$;

CREATE FUNCTION campaign_put(who text, c jsonb) RETURNS jsonb LANGUAGE sql SECURITY DEFINER AS $$
    WITH x AS (INSERT INTO campaign(id, summary) VALUES (coalesce(c->>'campaign', md5(c::text)), c)
               ON CONFLICT DO NOTHING RETURNING 1)
    SELECT to_jsonb(EXISTS (SELECT FROM x)) $$;

-- Leases a case that this stream has not run yet; NULL: none.
CREATE FUNCTION replay_take(s int, who text, lease_seconds double precision) RETURNS jsonb
LANGUAGE sql SECURITY DEFINER AS $$
    WITH pick AS (
        SELECT g.digest FROM regress g JOIN stream t ON t.id = s AND g.asks = t.target
        LEFT JOIN replay p ON p.regress = g.digest AND p.stream = s
        WHERE p.regress IS NULL OR p.until < now()
        ORDER BY g.digest LIMIT 1 FOR UPDATE OF g SKIP LOCKED),
    take AS (
        INSERT INTO replay(regress, stream, owner, until)
        SELECT digest, s, who, now() + make_interval(secs => lease_seconds) FROM pick
        ON CONFLICT (regress, stream) DO UPDATE SET owner = excluded.owner, until = excluded.until
            WHERE replay.until < now() RETURNING regress)
    SELECT jsonb_build_object('digest', g.digest, 'name', g.name, 'target', g.target, 'body', g.body)
    FROM take JOIN regress g ON g.digest = take.regress $$;
CREATE FUNCTION replay_done(g text, s int, c text, is_good boolean) RETURNS jsonb LANGUAGE sql SECURITY DEFINER AS $$
    WITH x AS (UPDATE replay SET class = c, good = is_good, at = now(), until = NULL
               WHERE regress = g AND stream = s AND until IS NOT NULL RETURNING 1)
    SELECT to_jsonb(EXISTS (SELECT FROM x)) $$;
CREATE FUNCTION regress_put(d text, n text, t text, b text) RETURNS jsonb LANGUAGE sql SECURITY DEFINER AS $$
    WITH x AS (INSERT INTO regress(digest, name, asks, target, body) VALUES (d, n, t, t, b)
               ON CONFLICT DO NOTHING RETURNING 1)
    SELECT to_jsonb(EXISTS (SELECT FROM x)) $$;

CREATE FUNCTION known_list() RETURNS jsonb LANGUAGE sql SECURITY DEFINER AS $$
    SELECT coalesce(jsonb_agg(to_jsonb(known) ORDER BY name), '[]') FROM known $$;
CREATE FUNCTION known_put(n text, b text) RETURNS jsonb LANGUAGE sql SECURITY DEFINER AS $$
    WITH x AS (INSERT INTO known VALUES (n, b) ON CONFLICT (name) DO UPDATE SET body = b RETURNING 1)
    SELECT to_jsonb(EXISTS (SELECT FROM x)) $$;
CREATE FUNCTION bucket_mark(b text, st text, nt text, l text) RETURNS jsonb LANGUAGE sql SECURITY DEFINER AS $$
    WITH x AS (UPDATE bucket SET state = coalesce(st, state), note = coalesce(nt, note), link = coalesce(l, link),
                   marked_at = now() WHERE name = b RETURNING 1)
    SELECT to_jsonb(EXISTS (SELECT FROM x)) $$;

-- Deletes the files of old findings, except the k smallest of each bucket and target; of at most n findings. The finding
-- itself stays, without a smallest file: it is still counted, and recognised if it is sent again.
CREATE FUNCTION prune_findings(older double precision, k int, n bigint) RETURNS jsonb LANGUAGE sql SECURITY DEFINER AS $$
    WITH old AS (
        SELECT x.id FROM (SELECT f.id, f.found, row_number() OVER (PARTITION BY f.bucket, s.target
                              ORDER BY f.class = 'flaky', f.words, f.digest) AS nth
                          FROM finding f JOIN stream s ON s.id = f.stream WHERE f.smallest <> '') x
        WHERE x.nth > greatest(k, 1) AND x.found < now() - make_interval(secs => older) LIMIT n),
    gone AS (DELETE FROM file WHERE finding IN (SELECT id FROM old)),
    left_over AS (UPDATE finding SET smallest = '' WHERE id IN (SELECT id FROM old) RETURNING 1)
    SELECT to_jsonb(count(*)) FROM left_over $$;
-- Merges old done ranges of one day with adjacent seeds into the first of them, with summed figures.
CREATE FUNCTION prune_ranges(older double precision) RETURNS jsonb LANGUAGE sql SECURITY DEFINER AS $$
    WITH old AS (
        SELECT *, (lag(end_seed) OVER w = first_seed AND lag(done::date) OVER w = done::date) IS TRUE AS follows
        FROM range WHERE done < now() - make_interval(secs => older) WINDOW w AS (PARTITION BY stream ORDER BY first_seed)),
    numbered AS (SELECT *, count(*) FILTER (WHERE NOT follows) OVER (PARTITION BY stream ORDER BY first_seed) AS run FROM old),
    run AS (
        SELECT stream, min(first_seed) AS first_seed, max(end_seed) AS end_seed, max(done) AS done, sum(cases) AS cases,
            sum(agreed) AS agreed, sum(live_bits) AS live_bits, sum(findings) AS findings, sum(flaky) AS flaky,
            sum(seconds) AS seconds
        FROM numbered GROUP BY stream, run HAVING count(*) > 1),
    joined AS (
        UPDATE range r SET end_seed = x.end_seed, done = x.done, cases = x.cases, agreed = x.agreed,
            live_bits = x.live_bits, findings = x.findings, flaky = x.flaky, seconds = x.seconds, summary = NULL
        FROM run x WHERE r.stream = x.stream AND r.first_seed = x.first_seed),
    gone AS (
        DELETE FROM range r USING run x
        WHERE r.stream = x.stream AND r.first_seed > x.first_seed AND r.end_seed <= x.end_seed RETURNING 1)
    SELECT to_jsonb(count(*)) FROM gone $$;

CREATE FUNCTION stream_set(s int, st text, last bigint) RETURNS jsonb LANGUAGE sql SECURITY DEFINER AS $$
    WITH x AS (UPDATE stream SET state = coalesce(st, state), end_seed = coalesce(last, end_seed)
               WHERE id = s RETURNING 1)
    SELECT to_jsonb(EXISTS (SELECT FROM x)) $$;

-- ---- queries of people and dashboards ------------------------------------------------------------

CREATE VIEW progress AS
    SELECT s.id, s.target, s.device, s.driver, s.generator, s.options, s.state, s.next_seed, s.created,
        coalesce(sum(r.end_seed - r.first_seed) FILTER (WHERE r.done IS NOT NULL), 0) AS seeds_done,
        count(*) FILTER (WHERE r.until >= now()) AS leased,
        count(*) FILTER (WHERE r.until < now() AND r.lease < 5) AS overdue,
        count(*) FILTER (WHERE r.until < now() AND r.lease >= 5) AS given_up,
        coalesce(sum(r.cases), 0) AS cases, coalesce(sum(r.agreed), 0) AS agreed,
        coalesce(sum(r.live_bits), 0) AS live_bits, coalesce(sum(r.findings), 0) AS findings,
        coalesce(sum(r.flaky), 0) AS flaky, coalesce(sum(r.seconds), 0) AS seconds,
        coalesce(sum(r.cases) FILTER (WHERE r.done > now() - interval '1 hour'), 0) / 3600.0 AS rate,
        max(r.done) AS last_done,
        extract(epoch FROM now() - coalesce(max(r.done), s.created)) AS idle_seconds
    FROM stream s LEFT JOIN range r ON r.stream = s.id GROUP BY s.id;

-- The buckets with findings, or with a mark. A bucket whose findings were all reduced into others is left out.
CREATE VIEW bucket_shown AS
    SELECT b.* FROM bucket b
    WHERE b.state <> 'new' OR EXISTS (SELECT FROM finding f WHERE f.bucket = b.name)
       OR EXISTS (SELECT FROM seen n WHERE n.bucket = b.name)
          AND NOT EXISTS (SELECT FROM finding f WHERE f.first_bucket = b.name AND f.bucket <> b.name);

CREATE INDEX IF NOT EXISTS bucket_first ON bucket(first_at, name);
CREATE INDEX IF NOT EXISTS finding_first ON finding(first_bucket);
CREATE INDEX IF NOT EXISTS seen_bucket ON seen(bucket);

-- Some buckets, NULL: all. kept: findings with files; seen: all findings. Findings that were only counted are added to
-- the bucket that most stored findings of their bucket were reduced to. Planned for each call: a few buckets by index, or
-- all in one scan.
CREATE FUNCTION bucket_facts(names text[]) RETURNS TABLE(name text, signature text, class text, sentence text, state text,
    note text, link text, marked_at timestamptz, first_at timestamptz, kept bigint, streams bigint, words int, seen numeric,
    last_at timestamptz) LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
DECLARE sources text[] := ARRAY(SELECT x.first_bucket FROM finding x WHERE x.bucket = ANY (names) UNION SELECT unnest(names));
BEGIN
    RETURN QUERY WITH leads AS (
        SELECT first_bucket, mode() WITHIN GROUP (ORDER BY bucket) AS bucket FROM finding
        WHERE bucket <> first_bucket AND (names IS NULL OR first_bucket = ANY (sources)) GROUP BY 1),
    counted AS (
        SELECT coalesce(l.bucket, n.bucket) AS bucket, sum(n.findings) AS seen, max(n.last_at) AS last_at
        FROM seen n LEFT JOIN leads l ON l.first_bucket = n.bucket
        WHERE names IS NULL OR n.bucket = ANY (sources) GROUP BY 1),
    there AS (
        SELECT bucket, count(*) AS found, count(*) FILTER (WHERE smallest <> '') AS kept, count(DISTINCT stream) AS streams,
            min(words) AS words, max(found) AS last_found
        FROM finding WHERE names IS NULL OR bucket = ANY (names) GROUP BY 1)
    SELECT b.*, coalesce(f.kept, 0), coalesce(f.streams, 0), f.words, greatest(c.seen, f.found, 0),
        greatest(c.last_at, f.last_found, b.first_at)
    FROM bucket_shown b LEFT JOIN there f ON f.bucket = b.name LEFT JOIN counted c ON c.bucket = b.name
    WHERE names IS NULL OR b.name = ANY (names);
END $$;
CREATE VIEW bucket_list AS SELECT * FROM bucket_facts(NULL);

-- The next n buckets after bucket a, the newest first; n NULL: all; st: a state, 'other': all but new.
CREATE FUNCTION bucket_page(st text, a text, n bigint) RETURNS SETOF bucket_list LANGUAGE plpgsql
SET plan_cache_mode = force_custom_plan AS $$
DECLARE names text[] := ARRAY(
    SELECT name FROM bucket_shown WHERE (st IS NULL OR state = st OR st = 'other' AND state <> 'new')
        AND (a IS NULL OR (first_at, name) < ((SELECT first_at FROM bucket WHERE name = a), a))
    ORDER BY first_at DESC, name DESC LIMIT n);
BEGIN
    RETURN QUERY SELECT f.* FROM bucket_facts(CASE WHEN n IS NOT NULL THEN names END) f
        JOIN unnest(names) x ON x = f.name ORDER BY f.first_at DESC, f.name DESC;
END $$;
CREATE FUNCTION bucket_json(b bucket_list) RETURNS jsonb LANGUAGE sql AS $$
    SELECT to_jsonb(b) || jsonb_build_object(
        'first_at', extract(epoch FROM b.first_at)::bigint, 'last_at', extract(epoch FROM b.last_at)::bigint,
        'marked_at', coalesce(extract(epoch FROM b.marked_at), 0)::bigint) $$;
-- NULL: bucket a does not exist.
CREATE FUNCTION buckets(st text, a text, n bigint) RETURNS jsonb LANGUAGE sql AS $$
    SELECT coalesce(jsonb_agg(bucket_json(p) ORDER BY p.first_at DESC, p.name DESC), '[]') FROM bucket_page(st, a, n) p
    HAVING a IS NULL OR EXISTS (SELECT FROM bucket WHERE name = a) $$;

-- Changes of results between driver versions, ordered by the creation of the streams.
CREATE VIEW replay_change AS
    SELECT q.name, q.bucket, q.target, q.was_driver, q.driver, q.was, q.class, q.at, q.stream, q.is_last,
        CASE WHEN q.good THEN 'fixed' WHEN q.bad_before THEN 'came back' ELSE 'new' END AS change
    FROM (SELECT g.name, g.bucket, g.asks AS target, t.driver, p.class, p.good, p.at, t.id AS stream,
              lag(p.good) OVER w AS was_good, lag(p.class) OVER w AS was, lag(t.driver) OVER w AS was_driver,
              lead(p.good) OVER w IS NULL AS is_last,
              coalesce(bool_or(NOT p.good) OVER (PARTITION BY p.regress ORDER BY t.created, t.id
                       ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), false) AS bad_before
          FROM replay p JOIN stream t ON t.id = p.stream JOIN regress g ON g.digest = p.regress
          WHERE p.good IS NOT NULL WINDOW w AS (PARTITION BY p.regress ORDER BY t.created, t.id)) q
    WHERE q.good <> q.was_good;

-- The entire state, except buckets: only the newest n of state new and of others.
CREATE FUNCTION status(n bigint) RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_build_object(
        'streams', (SELECT coalesce(jsonb_agg(to_jsonb(p) || jsonb_build_object('created', extract(epoch FROM created)::bigint)
                        ORDER BY p.id), '[]') FROM progress p),
        'buckets', (SELECT coalesce(jsonb_agg(bucket_json(x.b) ORDER BY (x.b).first_at, (x.b).name), '[]')
                    FROM (SELECT b FROM bucket_page('new', NULL, n) b UNION ALL SELECT b FROM bucket_page('other', NULL, n) b) x),
        'changes', (SELECT coalesce(jsonb_agg(to_jsonb(c) ORDER BY c.at, c.name), '[]') FROM replay_change c),
        'findings', (SELECT count(*) FROM finding), 'pushed', (SELECT count(*) FROM campaign),
        'replays', (SELECT count(*) FROM replay WHERE until IS NULL))
    || (SELECT jsonb_build_object('new_buckets', count(*) FILTER (WHERE state = 'new'),
                                  'other_buckets', count(*) FILTER (WHERE state <> 'new')) FROM bucket_shown) $$;

-- The indices of 0 to n-1 that are not done. Ranges of a stream do not overlap; done ranges may have been merged.
CREATE FUNCTION range_missing(s int, size bigint, n bigint) RETURNS jsonb LANGUAGE sql AS $$
    SELECT coalesce(jsonb_agg(i ORDER BY i), '[]') FROM generate_series(0, n - 1) i
    WHERE (i + 1) * size > coalesce((SELECT end_seed FROM range WHERE stream = s AND first_seed <= i * size
                                     AND done IS NOT NULL ORDER BY first_seed DESC LIMIT 1), 0) $$;
-- The streams of a target, the newest first.
CREATE FUNCTION stream_list(t text) RETURNS jsonb LANGUAGE sql AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'target', target, 'driver', driver) ORDER BY id DESC), '[]')
    FROM stream WHERE t IS NULL OR target = t $$;

-- The findings to review first: of each bucket the smallest that repeats, new buckets first, then by number of findings;
-- then each bucket's next one.
CREATE FUNCTION finding_top(n bigint, only_bucket text) RETURNS TABLE(id bigint) LANGUAGE sql AS $$
    SELECT f.id FROM (SELECT f.id, f.bucket, row_number() OVER (PARTITION BY f.bucket
                          ORDER BY f.class = 'flaky', f.words, f.digest) AS nth
                      FROM finding f WHERE f.smallest <> '' AND (only_bucket IS NULL OR f.bucket = only_bucket)) f
    JOIN bucket_list b ON b.name = f.bucket
    ORDER BY f.nth, b.state <> 'new', b.seen DESC, b.name LIMIT n $$;

-- ---- privileges --------------------------------------------------------------------------------

DO $$
DECLARE r text; f text;
    works text[] := ARRAY['stream_open', 'range_take', 'range_claim', 'range_beat', 'range_release', 'range_done',
        'finding_put', 'campaign_put', 'replay_take', 'replay_done', 'known_list', 'schema_version'];
    triages text[] := ARRAY['bucket_mark', 'known_put', 'regress_put', 'stream_set', 'prune_findings', 'prune_ranges'];
BEGIN
    FOR f IN SELECT p.oid::regprocedure FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
             WHERE n.nspname = 'tanglefuzz' LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
        EXECUTE format('ALTER FUNCTION %s SET search_path = tanglefuzz, pg_temp', f);
    END LOOP;
    FOREACH r IN ARRAY ARRAY['tanglefuzz_work', 'tanglefuzz_read', 'tanglefuzz_triage'] LOOP
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = r) THEN EXECUTE format('CREATE ROLE %I NOLOGIN', r); END IF;
        EXCEPTION WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN NULL;
        END;
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = r) THEN CONTINUE; END IF;
        EXECUTE format('GRANT USAGE ON SCHEMA tanglefuzz TO %I', r);
        FOR f IN SELECT p.oid::regprocedure FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
                 WHERE n.nspname = 'tanglefuzz' AND CASE r
                     WHEN 'tanglefuzz_work' THEN p.proname = ANY (works)
                     WHEN 'tanglefuzz_triage' THEN p.proname = ANY (triages) OR NOT p.prosecdef OR p.proname = ANY (works)
                     ELSE NOT p.prosecdef OR p.proname IN ('known_list', 'schema_version') END LOOP
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', f, r);
        END LOOP;
        IF r <> 'tanglefuzz_work' THEN EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA tanglefuzz TO %I', r); END IF;
    END LOOP;
END $$;
