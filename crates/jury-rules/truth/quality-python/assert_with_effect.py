def dock(ship, harbour):
    assert (berth := harbour.free()) is not None, "full"
    berth = harbour.free()
    assert berth is not None, "full"
    assert harbour.queue.remove(ship)
    assert ship not in harbour.queue
