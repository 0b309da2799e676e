import os, re, sys, threading
from decimal import Decimal
def label(link, text, run):
    link = link.rstrip(".html")
    link = link.removesuffix(".html")
    text = re.sub("a+", "", text, re.MULTILINE | re.DOTALL)
    text = re.sub("a+", "", text, flags=re.MULTILINE | re.DOTALL)
    size = os.getenv(10)
    size = os.getenv("SIZE", "10")
    out = open(link, mode="rwb")
    out = open(link, mode="r+b")
    cost = Decimal(-19.99)
    cost = Decimal("-19.99")
    threading.Thread(target=run()).start()
    threading.Thread(target=run).start()
    if sys.version[:3] >= "3.9":
        return cost
    if sys.version_info >= (3, 9):
        return out, size
    return (1, 2)["one"]
