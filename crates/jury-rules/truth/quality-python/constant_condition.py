import math
def route(parcel, rows):
    if parcel.size == "small" or "tiny":
        return "letter"
    if parcel.size in ("small", "tiny"):
        return "letter"
    if parcel.heavy and False:
        return "truck"
    if parcel.heavy and rows:
        return "truck"
    if parcel.weight == float("nan"):
        return "scales"
    if math.isnan(parcel.weight):
        return "scales"
    while len(rows) >= 0:
        rows.pop()
    while len(rows) > 0:
        rows.pop()
    return parcel.code in ()
def known(parcel):
    return parcel.code in (1, 2)
