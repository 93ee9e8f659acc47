-- Only with object storage: objects that have bytes which no row of `pieces` names any more, because a file was
-- replaced or its run deleted. They are written again without these bytes.
CREATE TABLE unused_pieces (
  object TEXT NOT NULL,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  run TEXT NOT NULL,
  PRIMARY KEY (object, project_id, run)
);
CREATE INDEX unused_pieces_by_run ON unused_pieces (project_id, run)
