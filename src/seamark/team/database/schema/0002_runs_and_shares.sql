CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name TEXT NOT NULL,                   -- the folder below the log directory, with / between its parts
  created_at DOUBLE PRECISION NOT NULL,
  created_by TEXT REFERENCES users (id) ON DELETE SET NULL,
  uploaded_at DOUBLE PRECISION NOT NULL, -- when bytes arrived last
  bytes BIGINT NOT NULL DEFAULT 0,
  deleted_at DOUBLE PRECISION,          -- in the trash since
  deleted_by TEXT
);
CREATE INDEX runs_by_project ON runs (project_id, name);
CREATE UNIQUE INDEX live_runs ON runs (project_id, name) WHERE deleted_at IS NULL;
CREATE TABLE shares (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,            -- of the secret in its link
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  runs TEXT NOT NULL,                   -- JSON: a list of names; null: every run of the project
  view TEXT NOT NULL,                   -- the part of the address behind #, or none
  password_hash TEXT,
  is_public BIGINT NOT NULL DEFAULT 0,  -- listed for everybody
  created_by TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at DOUBLE PRECISION NOT NULL,
  expires_at DOUBLE PRECISION,
  revoked_at DOUBLE PRECISION
);
CREATE TABLE share_members (
  share_id TEXT NOT NULL REFERENCES shares (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (share_id, user_id)
)
