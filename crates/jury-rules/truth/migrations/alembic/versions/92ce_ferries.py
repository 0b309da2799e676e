from alembic import op
import sqlalchemy as sa


def upgrade():
    op.create_index("ix_sign", "ferries", ["call_sign"])
    op.create_index("ix_name", "ferries", ["name"], postgresql_concurrently=True)
    op.alter_column("ferries", "draught", type_=sa.Numeric())
    op.alter_column("ferries", "remarks", type_=sa.Text())
    op.alter_column("ferries", "owner_id", nullable=False)
    op.alter_column("ferries", "agent_id", nullable=True)
    op.rename_table("ferries", "vessels")


def downgrade():
    op.rename_table("vessels", "ferries")
