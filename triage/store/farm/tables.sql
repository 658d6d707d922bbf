-- SPDX-License-Identifier: Apache-2.0
--
-- The store's tables, schema 1. PostgreSQL 13 or later, no extension. The data are here; protocol.sql has the functions
-- and views, which each `farm init` creates again. A later schema is a further step in farm.c.

-- Work whose results may be combined: the same target, the same device, the same generated programs. A new version of a
-- driver is another stream: its seeds start again, and regressions become visible.
CREATE TABLE stream(
    id        int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest    text NOT NULL UNIQUE,     -- of target, device, generator and options
    target    text NOT NULL,            -- as --target takes it
    device    text NOT NULL,            -- as the target reports: GPU, driver, versions; lines
    driver    text NOT NULL,            -- only the driver, for readers
    generator int NOT NULL,             -- version: seeds generate other programs in another one
    options   jsonb NOT NULL,           -- what is generated: profile, features, model, subgroup ...
    state     text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paused')),
    next_seed bigint NOT NULL DEFAULT 0, -- all before it were leased
    end_seed  bigint NOT NULL DEFAULT 9223372036854775807,
    created   timestamptz NOT NULL DEFAULT clock_timestamp());

-- Leased seeds. A done range has its summary, once. A stream's figures are the sums of its ranges.
CREATE TABLE range(
    stream     int NOT NULL REFERENCES stream,
    first_seed bigint NOT NULL,
    end_seed   bigint NOT NULL CHECK (end_seed > first_seed),
    owner      text NOT NULL,           -- node and job, for readers
    lease      int NOT NULL DEFAULT 1,  -- number of leases
    until      timestamptz,             -- NULL: done
    taken      timestamptz NOT NULL DEFAULT now(),
    done       timestamptz,
    cases bigint, agreed bigint, live_bits bigint, findings bigint, flaky bigint,
    seconds    double precision,
    summary    jsonb,                   -- the campaign's, the last line of fuzz --json
    PRIMARY KEY (stream, first_seed));
CREATE INDEX range_due ON range(stream, until) WHERE until IS NOT NULL;
CREATE INDEX range_done_at ON range(stream, done) WHERE done IS NOT NULL;

CREATE TABLE bucket(
    name      text PRIMARY KEY,
    signature text NOT NULL,
    class     text NOT NULL,
    sentence  text NOT NULL,
    state     text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'triaged', 'filed', 'fixed', 'wont')),
    note      text NOT NULL DEFAULT '',
    link      text NOT NULL DEFAULT '',
    marked_at timestamptz,
    first_at  timestamptz NOT NULL DEFAULT now());

-- Number of findings of a bucket in a stream's done ranges, stored or not; by the bucket before reduction.
CREATE TABLE seen(
    stream   int NOT NULL REFERENCES stream,
    bucket   text NOT NULL REFERENCES bucket,
    findings bigint NOT NULL,
    first_at timestamptz NOT NULL DEFAULT now(),
    last_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (stream, bucket));

-- Stored findings: the first few of a bucket and stream, with their files.
CREATE TABLE finding(
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest       text NOT NULL UNIQUE,  -- of case, class, target and device
    name         text NOT NULL,         -- of its folder
    stream       int NOT NULL REFERENCES stream,
    class        text NOT NULL,
    text         text NOT NULL,         -- one line for readers
    target       text NOT NULL,         -- with the options that the case fixes
    rule         text NOT NULL,
    taxonomy     text NOT NULL,
    first_bucket text NOT NULL REFERENCES bucket,
    bucket       text NOT NULL REFERENCES bucket, -- of its smallest case
    words        int NOT NULL,          -- of the smallest case
    first_words  int NOT NULL,
    smallest     text NOT NULL,         -- path of that file; '': its files were pruned
    reproduced   int NOT NULL,
    tries        int NOT NULL,
    owner        text NOT NULL,
    found        timestamptz NOT NULL DEFAULT now());
CREATE INDEX finding_bucket ON finding(bucket);
CREATE INDEX finding_kept ON finding(stream, first_bucket);
CREATE TABLE file(
    finding bigint NOT NULL REFERENCES finding ON DELETE CASCADE,
    path    text NOT NULL,              -- below the finding's folder
    body    bytea NOT NULL,
    PRIMARY KEY (finding, path));

CREATE TABLE known(name text PRIMARY KEY, body text NOT NULL); -- NAME.known, see docs/known.md

-- Figures of campaigns that ran without the store and were pushed.
CREATE TABLE campaign(id text PRIMARY KEY, summary jsonb NOT NULL, pushed timestamptz NOT NULL DEFAULT now());

-- Cases that each new stream of their target runs first.
CREATE TABLE regress(
    digest text PRIMARY KEY,
    name   text NOT NULL,
    asks   text NOT NULL,               -- streams of this target
    target text NOT NULL,               -- the target to run it on
    bucket text REFERENCES bucket,      -- NULL: added by hand
    body   text NOT NULL);              -- case.spvasm
CREATE INDEX regress_asks ON regress(asks);
CREATE TABLE replay(
    regress text NOT NULL REFERENCES regress,
    stream  int NOT NULL REFERENCES stream,
    owner   text NOT NULL,
    until   timestamptz,                -- NULL: answered
    class   text,
    good    boolean,                    -- NULL: not judged
    at      timestamptz,
    PRIMARY KEY (regress, stream));
