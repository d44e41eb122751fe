"""The tables of a store. `docs/store.md` says what each is for.

SQLite itself refuses what must never happen: two open attempts at one trial, two successful attempts, two rows with one number.
"""

from __future__ import annotations

APPLICATION = 0x53505258  # "SPRX", in the header of the file
VERSION = 1

STATES = ("waiting", "running", "done", "failed", "cancelled")
OUTCOMES = ("done", "failed", "lost", "interrupted", "cancelled")

TABLES = f"""
CREATE TABLE trials (
  key           TEXT PRIMARY KEY NOT NULL,
  configuration TEXT NOT NULL,
  code          TEXT NOT NULL,
  state         TEXT NOT NULL CHECK (state IN {STATES}),
  attempts      INTEGER NOT NULL,
  rows          INTEGER,
  digest        TEXT,
  CHECK ((state = 'done') = (rows IS NOT NULL AND digest IS NOT NULL))
);
CREATE INDEX trials_by_state ON trials (state);
CREATE TABLE attempts (
  trial     TEXT NOT NULL REFERENCES trials (key),
  number    INTEGER NOT NULL,
  launcher  TEXT NOT NULL,
  engine    TEXT NOT NULL,
  began     REAL NOT NULL,
  heartbeat REAL NOT NULL,
  ended     REAL,
  outcome   TEXT CHECK (outcome IN {OUTCOMES}),
  reason    TEXT,
  log       TEXT,
  seconds   REAL,
  machine   TEXT,
  checksum  TEXT,
  PRIMARY KEY (trial, number),
  CHECK ((ended IS NULL) = (outcome IS NULL) AND (ended IS NULL) = (checksum IS NULL))
);
CREATE UNIQUE INDEX one_attempt_at_a_time ON attempts (trial) WHERE ended IS NULL;
CREATE UNIQUE INDEX done_once ON attempts (trial) WHERE outcome = 'done';
CREATE TABLE rows (
  trial    TEXT NOT NULL REFERENCES trials (key),
  number   INTEGER NOT NULL,
  document TEXT NOT NULL,
  checksum TEXT NOT NULL,
  PRIMARY KEY (trial, number)
);
CREATE TABLE certificates (
  digest   TEXT PRIMARY KEY NOT NULL,
  trial    TEXT,
  document TEXT NOT NULL
);
"""


def statements() -> list[str]:
    """The statements that turn an empty file into a store, in one transaction."""
    return [
        *(part for part in TABLES.split(";\n") if part.strip()),
        f"PRAGMA application_id={APPLICATION}",
        f"PRAGMA user_version={VERSION}",
    ]
