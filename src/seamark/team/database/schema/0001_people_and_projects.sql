-- Types that SQLite and PostgreSQL share. Times are seconds since 1970, identifiers from secret_text.new_id().
-- What must stay secret is stored as a hash.
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,           -- in lower case
  name TEXT NOT NULL,
  password_hash TEXT,                   -- argon2; none for people who sign in by OIDC
  oidc_issuer TEXT,
  oidc_subject TEXT,
  is_server_admin BIGINT NOT NULL DEFAULT 0,
  created_at DOUBLE PRECISION NOT NULL,
  disabled_at DOUBLE PRECISION,
  UNIQUE (oidc_issuer, oidc_subject)
);
CREATE TABLE sessions (
  hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at DOUBLE PRECISION NOT NULL,
  expires_at DOUBLE PRECISION NOT NULL,
  address TEXT NOT NULL
);
CREATE TABLE organisations (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  created_at DOUBLE PRECISION NOT NULL
);
CREATE TABLE organisation_admins (
  organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (organisation_id, user_id)
);
CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  name TEXT NOT NULL,
  is_public BIGINT NOT NULL DEFAULT 0,
  quota_bytes BIGINT,                   -- none: unlimited
  retention TEXT NOT NULL DEFAULT '[]', -- rules, as JSON
  created_at DOUBLE PRECISION NOT NULL,
  deleted_at DOUBLE PRECISION,
  UNIQUE (organisation_id, name)
);
CREATE TABLE members (
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'writer', 'admin')),
  PRIMARY KEY (project_id, user_id)
);
CREATE TABLE tokens (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,       -- none for a service token
  project_id TEXT REFERENCES projects (id) ON DELETE CASCADE, -- none: every project of the user
  scope TEXT NOT NULL CHECK (scope IN ('viewer', 'writer', 'admin')), -- the highest role that it grants
  created_at DOUBLE PRECISION NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at DOUBLE PRECISION,
  revoked_at DOUBLE PRECISION,
  used_at DOUBLE PRECISION
);
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'writer', 'admin')),
  created_by TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at DOUBLE PRECISION NOT NULL,
  expires_at DOUBLE PRECISION NOT NULL,
  revoked_at DOUBLE PRECISION,
  used_at DOUBLE PRECISION,
  used_by TEXT REFERENCES users (id) ON DELETE SET NULL
);
CREATE TABLE sign_in_failures (
  subject TEXT PRIMARY KEY,             -- an account or an address
  failures BIGINT NOT NULL,
  first_at DOUBLE PRECISION NOT NULL,
  locked_until DOUBLE PRECISION NOT NULL
);
CREATE TABLE server_values (
  name TEXT PRIMARY KEY,                -- setup_code_hash, oidc, smtp
  value TEXT NOT NULL
);
CREATE TABLE audit (
  id TEXT PRIMARY KEY,                  -- sorts by time
  happened_at DOUBLE PRECISION NOT NULL,
  action TEXT NOT NULL,                 -- run.delete, member.add, share.open
  user_id TEXT,                         -- no reference: the log outlives people and projects
  user_email TEXT NOT NULL,
  via TEXT NOT NULL,                    -- session, token <name>, share <id>
  address TEXT NOT NULL,
  project_id TEXT,
  target TEXT NOT NULL,
  details TEXT NOT NULL                 -- JSON
);
CREATE INDEX audit_by_project ON audit (project_id, id)
