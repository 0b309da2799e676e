import asyncio
async def listen(queue, out):
    try:
        await queue.get()
    except asyncio.CancelledError as gone:
        out.write(str(gone))
async def listen_well(queue, out):
    try:
        await queue.get()
    except asyncio.CancelledError as gone:
        out.write(str(gone))
        raise
async def close(listener):
    listener.cancel()
    try:
        await listener
    except asyncio.CancelledError:
        pass
async def poll(queue):
    try:
        return await queue.next()
    except asyncio.CancelledError:
        return None
