"""Parts get a supplier."""

import sqlalchemy as sa
from alembic import op

revision = "7f3a"
down_revision = "11c0"


def upgrade() -> None:
    op.add_column("parts", sa.Column("supplier", sa.Integer(), nullable=False))
    op.add_column("parts", sa.Column("origin", sa.String(2), nullable=False, server_default="DE"))
    op.drop_column("parts", "maker")


def downgrade() -> None:
    op.add_column("parts", sa.Column("maker", sa.String()))
    op.drop_column("parts", "origin")
    op.drop_column("parts", "supplier")
