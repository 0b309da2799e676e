from pathlib import Path
def note(words):
    page = open("notes.txt", "a")
    page.write(words)
def keep(words):
    sheet = open("notes.txt", "a")
    try:
        sheet.write(words)
    finally:
        sheet.close()
def first(name):
    scroll = Path(name).open()
    for line in scroll:
        return line
