import asyncio
async def settle(account, ledger):
    account.balance == 0
    account.balance = 0
    ledger.commit
    ledger.commit()
    account.owner.upper()
    owner = account.owner.upper()
    LookupError("no owner")
    missing = LookupError("no owner")
    sorted(ledger.rows)
    rows = sorted(ledger.rows)
    return owner, rows
