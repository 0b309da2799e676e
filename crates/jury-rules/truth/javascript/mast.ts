export async function POST(request: Request) {
  const log = await request.text();
  return new Response(log, { status: 201, headers: { "Content-Type": "text/html; charset=utf-8" } });
}

export async function PUT(request: Request) {
  const log = await request.text();
  return new Response(log, { status: 201, headers: { "Content-Type": "text/plain" } });
}

export async function PATCH(request: Request) {
  const log = await request.text();
  const about = new Headers();
  about.set("content-type", "text/html");
  return new Response(log, { headers: about });
}

export async function DELETE(request: Request) {
  const log = await request.text();
  const about = new Headers();
  about.set("content-type", "application/json");
  return new Response(log, { headers: about });
}

async function isMoored(ship: string): Promise<boolean> {
  return (await lookUp(ship)).moored;
}

export async function depart(ship: string, crew: string[]) {
  if (isMoored(ship)) return "stay";
  crew.forEach(async (sailor) => { await wake(sailor); });
  for (const sailor of crew) await wake(sailor);
  isMoored(ship);
  await isMoored(ship);
  isMoored(ship).then((moored) => note(moored));
  isMoored(ship).then((moored) => note(moored), (error) => report(error));
  if (await isMoored(ship)) return "stay";
  return "go";
}
