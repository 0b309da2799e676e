def diary(day):
    with open("diary", "rb") as book:
        book.write(day)
    with open("diary", "ab") as book:
        book.write(day)
    pen = open("pen")
    pen.write(day)
    pen.close()
    ink = open("ink", "w")
    ink.write(day)
    ink.close()
