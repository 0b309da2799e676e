BEGIN;
ALTER TABLE harbours ADD COLUMN depth integer;
CREATE INDEX CONCURRENTLY depth_idx ON harbours (depth);
COMMIT;
CREATE INDEX CONCURRENTLY name_idx ON harbours (name);
