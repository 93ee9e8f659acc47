-- Names, notes, pins, views and colours of runs, which were in a file in the folder of each process before.
CREATE TABLE saved_states (
  project_id TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  version BIGINT NOT NULL,              -- grows by one with every change
  body TEXT NOT NULL                    -- JSON
);
CREATE TABLE seen_runs (
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  run TEXT NOT NULL,
  position BIGINT NOT NULL,             -- in the order in which runs were first seen, which decides colours
  PRIMARY KEY (project_id, run)
);
CREATE TABLE saved_texts (
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  id TEXT NOT NULL,                     -- of the content
  saved_at DOUBLE PRECISION NOT NULL,
  body TEXT NOT NULL,                   -- compressed, base64
  PRIMARY KEY (project_id, id)
)
