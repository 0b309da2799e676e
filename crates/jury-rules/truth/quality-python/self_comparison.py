def close_books(book, other):
    if book.year >= book.year:
        book.close()
    if book.year >= other.year:
        book.close()
    if book.paid or not book.paid:
        book.send()
    if book.paid or not other.paid:
        book.send()
