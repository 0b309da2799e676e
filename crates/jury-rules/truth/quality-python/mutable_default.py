import uuid
def book(seat, taken: dict = {}):
    taken[seat] = True
    return taken
def reserve(seat, taken: dict | None = None):
    return {**(taken or {}), seat: True}
def ticket(seat, number=uuid.uuid4()):
    return seat, number
def stub(seat, number=None):
    return seat, number or uuid.uuid4()
ROOM = [[None]] * 12
HALL = [[None] for _ in range(12)]
PRICES = dict.fromkeys(("a", "b"), {})
NAMES = dict.fromkeys(("a", "b"), "")
