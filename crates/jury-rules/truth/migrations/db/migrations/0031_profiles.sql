-- Profiles move to their own table.
CREATE TABLE profiles (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL,
    bio text
);
CREATE INDEX profiles_account_idx ON profiles (account_id);

ALTER TABLE accounts
    DROP COLUMN bio;

ALTER TABLE accounts
    ALTER COLUMN bio DROP NOT NULL;

CREATE INDEX accounts_created_idx
    ON accounts (created_at);

ALTER TABLE accounts ADD COLUMN locale varchar(8) NOT NULL;
ALTER TABLE accounts ADD COLUMN zone varchar(40) NOT NULL DEFAULT 'UTC';

UPDATE accounts SET locale = 'en', zone = 'UTC';
UPDATE accounts SET locale = 'en' WHERE locale IS NULL;

ALTER TABLE accounts ADD CONSTRAINT accounts_parent_fk FOREIGN KEY (parent_id) REFERENCES accounts (id);
ALTER TABLE accounts ADD CONSTRAINT accounts_zone_ck CHECK (zone <> '') NOT VALID;

ALTER TABLE accounts RENAME COLUMN mail TO email;
ALTER INDEX accounts_mail_idx RENAME TO accounts_email_idx;

ALTER TABLE accounts ALTER COLUMN id TYPE bigint USING id::bigint;
ALTER TABLE accounts ALTER COLUMN note SET DEFAULT '';

ALTER TABLE accounts ALTER COLUMN email SET NOT NULL;
ALTER TABLE accounts ALTER COLUMN email SET STATISTICS 500;
