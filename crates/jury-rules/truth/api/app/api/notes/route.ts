import { NextResponse } from "next/server";
import { notes } from "@/lib/notes";

export async function POST(request: Request) {
  const note = await request.json();
  const id = await notes.add(note);
  return NextResponse.json({ id }, { status: 201 });
}

export async function PUT(request: Request) {
  let note: unknown;
  try {
    note = await request.json();
  } catch {
    return NextResponse.json({ error: "the body is no JSON" }, { status: 400 });
  }
  return NextResponse.json({ id: await notes.add(note) });
}

export async function GET(request: Request) {
  const id = new URL(request.url).searchParams.get("id");
  if (!id) {
    return NextResponse.json({ error: "which note?" });
  }
  return NextResponse.json(await notes.get(id));
}

export async function DELETE(request: Request) {
  const id = new URL(request.url).searchParams.get("id");
  if (!id) {
    return NextResponse.json({ error: "which note?" }, { status: 400 });
  }
  return NextResponse.json(await notes.remove(id));
}
