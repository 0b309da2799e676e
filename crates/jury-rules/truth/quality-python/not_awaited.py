import asyncio
async def ring(bell):
    bell.swing()
async def noon(bell):
    ring(bell)
    await ring(bell)
    asyncio.wait_for(bell.rest(), 2)
    await asyncio.wait_for(bell.rest(), 2)
