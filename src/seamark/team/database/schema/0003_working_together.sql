CREATE TABLE comments (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  run TEXT NOT NULL,
  tag TEXT,                             -- none: about the run as a whole
  first_step BIGINT,                    -- a point, or a range with last_step
  last_step BIGINT,
  answers TEXT REFERENCES comments (id) ON DELETE CASCADE,
  text TEXT NOT NULL,                   -- Markdown
  author_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at DOUBLE PRECISION NOT NULL,
  edited_at DOUBLE PRECISION,
  deleted_at DOUBLE PRECISION
);
CREATE INDEX comments_by_run ON comments (project_id, run);
CREATE TABLE reports (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  created_by TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at DOUBLE PRECISION NOT NULL,
  deleted_at DOUBLE PRECISION
);
CREATE TABLE report_versions (
  report_id TEXT NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
  version BIGINT NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,                   -- Markdown
  author_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  saved_at DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (report_id, version)
);
CREATE TABLE notification_rules (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  event TEXT NOT NULL,                  -- finished, crashed, threshold, no_progress, mention
  condition TEXT NOT NULL,              -- JSON: runs, tag, above, below, minutes
  channel TEXT NOT NULL,                -- page, webhook, email
  target TEXT NOT NULL,                 -- a URL or an address; none for the page
  created_by TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at DOUBLE PRECISION NOT NULL
);
CREATE TABLE notifications (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  rule_id TEXT REFERENCES notification_rules (id) ON DELETE SET NULL,
  subject TEXT NOT NULL,                -- what it is about, so that it is sent once
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE, -- who sees it in the page
  text TEXT NOT NULL,
  link TEXT NOT NULL,
  created_at DOUBLE PRECISION NOT NULL,
  sent_at DOUBLE PRECISION,
  failures BIGINT NOT NULL DEFAULT 0,
  seen_at DOUBLE PRECISION
);
CREATE INDEX notifications_by_user ON notifications (user_id, created_at);
CREATE UNIQUE INDEX notifications_once ON notifications (rule_id, subject)
