import logging
log = logging.getLogger(__name__)
def receipt(name, total, shop):
    log.warning("%s paid %s", name, total, shop)
    log.warning("%s paid %s", name, total)
    head = "%s in %s" % (name, shop, total)
    head = "%s in %s" % (name, shop)
    foot = "{} / {} / {}".format(name, total)
    foot = "{} / {} / {}".format(name, total, shop)
    side = "{shop}: {total}".format()
    side = "{shop}: {total}".format(shop=shop, total=total)
    return head, foot, side
