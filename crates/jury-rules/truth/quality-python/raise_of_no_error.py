class Shape:
    def area(self):
        raise NotImplemented("area")
    def edge(self):
        raise NotImplementedError("edge")
    def scale(self, by):
        if by < 0:
            raise f"negative: {by}"
        if by > 9:
            raise ValueError(f"too large: {by}")
        raise TypeError("not %d", by)
def corners(shape):
    for corner in shape:
        if corner is None:
            raise StopIteration
        yield corner
class Corners:
    def __next__(self):
        raise StopIteration
