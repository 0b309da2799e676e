"""Codes get longer."""

import sqlalchemy as sa
from alembic import op

revision = "81bd"
down_revision = "7f3a"


def upgrade():
    op.alter_column("parts", "code", type_=sa.String(64))


def downgrade():
    pass
