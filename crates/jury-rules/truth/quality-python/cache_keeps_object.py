from functools import cache, lru_cache
class Atlas:
    @lru_cache(maxsize=64)
    def page(self, town):
        return self.pages[town]
    @staticmethod
    @lru_cache(maxsize=64)
    def scale(town):
        return len(town)
    @cache
    def cover(self):
        return self.pages[0]
