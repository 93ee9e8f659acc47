-- Which process does what only one may do; see team/points/lease.py.
CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,                 -- '' if nobody
  beat BIGINT NOT NULL                  -- grows while the holder is alive
);
CREATE INDEX deleted_runs ON runs (project_id) WHERE deleted_at IS NOT NULL
