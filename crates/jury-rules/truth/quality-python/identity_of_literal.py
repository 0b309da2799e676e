def route(parcel):
    if parcel.country is "DE":
        return "truck"
    if parcel.country is None:
        return "truck"
    return parcel.stops is not ()
