class Lamp:
    def dim(self, level, other):
        level = level
        self.level = level
        self.old = self.old
        self.old = other.old
