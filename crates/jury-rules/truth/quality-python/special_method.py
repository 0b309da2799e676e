class Tank:
    def __init__(self, litres):
        self.litres = litres
        return self.litres
    def __bool__(self, really):
        return True
    def __contains__(self, item):
        return item == self.litres
    def __setitem__(self, key):
        self.litres = key
    @property
    def level(self, unit):
        return f"{self.litres}{unit}"
    @property
    def full(self):
        return self.litres > 9
    def __repr__(self):
        return None
    def __hash__(self):
        return hash(self.litres)
