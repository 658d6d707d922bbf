-- SPDX-License-Identifier: Apache-2.0
--
-- The store's tables, schema 1. PostgreSQL 13 or later, no extension. What is kept lies here; protocol.sql
-- has what is made again by each `farm init`. A later schema is a further step in farm.c.

-- Work whose results may be put together: what is run, who answers, which programs are made. A new
-- version of a driver is another stream: so its seeds begin again, and its regressions are seen.
CREATE TABLE stream(
    id        int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest    text NOT NULL UNIQUE,     -- of target, device, generator and options
    target    text NOT NULL,            -- as --target takes it
    device    text NOT NULL,            -- as the target tells: GPU, driver, versions; lines
    driver    text NOT NULL,            -- the driver alone, for people
    generator int NOT NULL,             -- seeds mean other programs in another one
    options   jsonb NOT NULL,           -- what is made: profile, features, model, subgroup ...
    state     text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paused')),
    next_seed bigint NOT NULL DEFAULT 0, -- all before it are given out
    end_seed  bigint NOT NULL DEFAULT 9223372036854775807,
    created   timestamptz NOT NULL DEFAULT clock_timestamp());

-- Seeds that were given out. Done: its summary is there, once. A stream's figures are the sums of its ranges.
CREATE TABLE range(
    stream     int NOT NULL REFERENCES stream,
    first_seed bigint NOT NULL,
    end_seed   bigint NOT NULL CHECK (end_seed > first_seed),
    owner      text NOT NULL,           -- node and job, for people
    lease      int NOT NULL DEFAULT 1,  -- how often it was given out
    until      timestamptz,             -- NULL: done
    taken      timestamptz NOT NULL DEFAULT now(),
    done       timestamptz,
    cases bigint, agreed bigint, live_bits bigint, findings bigint, flaky bigint,
    seconds    double precision,
    summary    jsonb,                   -- the campaign's, as fuzz --json ends with it
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

-- How many findings a stream's done ranges had of a bucket, kept ones and others; bucket before reduction.
CREATE TABLE seen(
    stream   int NOT NULL REFERENCES stream,
    bucket   text NOT NULL REFERENCES bucket,
    findings bigint NOT NULL,
    first_at timestamptz NOT NULL DEFAULT now(),
    last_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (stream, bucket));

-- Findings that are kept: the first few of a bucket and stream, with their files.
CREATE TABLE finding(
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest       text NOT NULL UNIQUE,  -- of case, class, target and device
    name         text NOT NULL,         -- of its folder
    stream       int NOT NULL REFERENCES stream,
    class        text NOT NULL,
    text         text NOT NULL,         -- one line for people
    target       text NOT NULL,         -- with what the case pinned of it
    rule         text NOT NULL,
    taxonomy     text NOT NULL,
    first_bucket text NOT NULL REFERENCES bucket,
    bucket       text NOT NULL REFERENCES bucket, -- of its smallest case
    words        int NOT NULL,          -- of the smallest case
    first_words  int NOT NULL,
    smallest     text NOT NULL,         -- which of its files that is; '': its files were pruned
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

CREATE TABLE known(name text PRIMARY KEY, body text NOT NULL); -- NAME.known, as docs/known.md has them

-- Figures of campaigns that ran without the store and were pushed.
CREATE TABLE campaign(id text PRIMARY KEY, summary jsonb NOT NULL, pushed timestamptz NOT NULL DEFAULT now());

-- Cases that each new stream of their target is asked about first.
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
