def fetch(link):
    try:
        return link.read()
    except TimeoutError and ConnectionError as broken:
        return broken
def fetch_again(link):
    try:
        return link.read()
    except (TimeoutError, ConnectionError) as broken:
        return broken
def close(link):
    try:
        link.close()
    except Exception as broken:
        print(broken)
    except PermissionError:
        link.drop()
def close_again(link):
    try:
        link.close()
    except PermissionError:
        link.drop()
    except Exception as broken:
        print(broken)
def twice(link):
    try:
        link.close()
    except link.Broken:
        link.drop()
    except link.Broken as broken:
        print(broken)
    except link.Late as late:
        print(late)
