import asyncio
class Bell:
    async def ring(self):
        asyncio.create_task(self.swing())
        self.swinging = asyncio.create_task(self.swing())
        asyncio.get_running_loop().create_task(self.swing())
        await asyncio.gather(asyncio.create_task(self.swing()))
