from alembic import op


def upgrade() -> None:
    op.drop_column("parts", "maker")
    op.drop_column("parts", "code")


def downgrade() -> None:
    pass
