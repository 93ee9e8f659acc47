-- What a notification is about, so that it goes with its run; and when a failed delivery is tried again.
ALTER TABLE notifications ADD COLUMN run TEXT NOT NULL DEFAULT '';
ALTER TABLE notifications ADD COLUMN retry_at DOUBLE PRECISION NOT NULL DEFAULT 0
