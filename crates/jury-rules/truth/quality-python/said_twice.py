from enum import Enum
PRICES = {
    "tea": 2,
    "cake": 3,
    "tea": 4,
}
COSTS = {
    "tea": 2,
    "cake": 3,
    "milk": 4,
}
class Size(Enum):
    SMALL = "s"
    LARGE = "s"
class Width(Enum):
    SMALL = "s"
    LARGE = "l"
def price(cup):
    if cup.size == "s":
        return 1
    elif cup.size == "s":
        return 2
    elif cup.size == "m":
        return 2
left, left = PRICES.items()
left, right = PRICES.items()
TAGS = {"new", "old", "new"}
KINDS = {"new", "old", "used"}
