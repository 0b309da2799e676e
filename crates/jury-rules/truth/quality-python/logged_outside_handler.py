import logging
logger = logging.getLogger("mill")
def grind(corn):
    if corn is None:
        logger.exception("no corn")
    try:
        corn.grind()
    except ValueError:
        logger.exception("stuck")
