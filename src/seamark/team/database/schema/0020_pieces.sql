-- Only with object storage: where the pieces of uploaded files are. Every process makes the files from these rows.
CREATE TABLE pieces (
  sequence BIGINT PRIMARY KEY,          -- the order in which they were stored, over all processes
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  run TEXT NOT NULL,
  file TEXT NOT NULL,
  start BIGINT NOT NULL,                -- in the file
  length BIGINT NOT NULL,
  whole_length BIGINT,                  -- of the new content that the piece belongs to, none for an appended one
  whole_hash TEXT,
  object TEXT NOT NULL,                 -- which has the pieces of many uploads
  object_start BIGINT NOT NULL
);
CREATE INDEX pieces_by_file ON pieces (project_id, run, file, sequence);
CREATE INDEX pieces_by_object ON pieces (object);
CREATE TABLE piece_sequence (
  last BIGINT NOT NULL                  -- one row, which a process locks while it stores pieces
);
INSERT INTO piece_sequence VALUES (0)
