def label(part, maker):
    """Says who made a part; since the makers moved, suppliers know."""
    return f"{part.code} by {maker.name} ({part.supplier})"
