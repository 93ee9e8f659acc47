-- Event files that a retention rule has rewritten without some payloads, so that an upload of the original file is
-- recognized and does not bring the payloads back.
CREATE TABLE rewritten_files (
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  run TEXT NOT NULL,
  file TEXT NOT NULL,                   -- relative to the run's folder
  original_bytes BIGINT NOT NULL,
  original_fingerprint TEXT NOT NULL,   -- hex, as uploaders compare files
  original_hash TEXT NOT NULL,          -- hex, of every byte
  rewritten_at DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (project_id, run, file)
);
CREATE TABLE task_runs (
  task TEXT NOT NULL,                   -- a background task that runs once a day, also after a restart
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  ran_at DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (task, project_id)
)
