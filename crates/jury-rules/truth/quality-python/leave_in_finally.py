def pay(bill, bank):
    try:
        bank.transfer(bill)
    finally:
        bank.close()
        return True
def pay_well(bill, bank):
    try:
        bank.transfer(bill)
    finally:
        bank.close()
    return True
def pay_all(bills, bank):
    for bill in bills:
        try:
            bank.transfer(bill)
        finally:
            break
    for bill in bills:
        try:
            bank.transfer(bill)
        except OSError:
            break
