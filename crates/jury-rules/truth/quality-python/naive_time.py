from datetime import datetime, UTC
def stamp(letter):
    letter.sent = datetime.utcnow()
    letter.sent = datetime.now(UTC)
    letter.read = datetime.utcfromtimestamp(letter.opened)
    letter.read = datetime.fromtimestamp(letter.opened, UTC)
