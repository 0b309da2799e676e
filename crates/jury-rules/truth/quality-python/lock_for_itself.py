import threading
GATE = threading.RLock()
def pass_through(visitor):
    with threading.RLock():
        visitor.enter()
    with GATE:
        visitor.enter()
    with threading.Semaphore(2):
        visitor.enter()
