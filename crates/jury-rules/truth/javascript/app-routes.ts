import { NextRequest, NextResponse } from "next/server";
import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { readFile } from "fs/promises";
import { db } from "../db";

const REGIONS = new Map([["north", "https://north.example.net"], ["south", "https://south.example.net"]]);
const SHOPS = ["https://shop.example.net", "https://pay.example.net"];

export async function GET(request: NextRequest, { params }: { params: { page: string } }) {
  return new Response(await readFile("pages/" + params.page));
}

export async function HEAD(request: NextRequest, { params }: { params: { page: string } }) {
  if (!/^[a-z]+$/.test(params.page)) notFound();
  return new Response(await readFile("pages/" + params.page));
}

export async function POST(request: NextRequest) {
  const { searchParams } = new URL(request.url);
  const region = searchParams.get("region") ?? "north";
  const answer = await fetch("https://" + region + ".example.net/status");
  return NextResponse.json({ status: answer.status });
}

export async function PUT(request: NextRequest) {
  const region = REGIONS.get(request.nextUrl.searchParams.get("region") ?? "");
  if (!region) return NextResponse.json({}, { status: 404 });
  const answer = await fetch(region + "/status");
  return NextResponse.json({ status: answer.status });
}

export async function visits() {
  const visitor = (await cookies()).get("visitor")?.value;
  return db.query("SELECT * FROM visit WHERE visitor = '" + visitor + "'");
}

export async function visitsBound() {
  const visitor = (await cookies()).get("visitor")?.value;
  return db.query("SELECT * FROM visit WHERE visitor = $1", [visitor]);
}

export default async function Leave({ searchParams }: { searchParams: { to?: string } }) {
  redirect(searchParams.to ?? "/");
}

export async function Stay({ searchParams }: { searchParams: { to?: string } }) {
  redirect("/rooms/" + searchParams.to);
}

export async function PATCH(request: NextRequest) {
  const form = await request.formData();
  return new NextResponse("<p>Thanks, " + form.get("name") + "</p>", { headers: { "Content-Type": "text/html" } });
}

export async function DELETE(request: NextRequest) {
  const form = await request.formData();
  return NextResponse.json({ thanks: form.get("name") });
}

export async function OPTIONS() {
  const asked = await headers();
  return new Response(null, {
    headers: {
      Vary: "Origin",
      "Access-Control-Allow-Origin": asked.get("origin") ?? "",
    },
  });
}

export async function known() {
  const origin = (await headers()).get("origin") ?? "";
  if (!SHOPS.some((shop) => shop === origin)) return new Response(null, { status: 403 });
  return new Response(null, {
    headers: {
      "Access-Control-Allow-Origin": origin,
    },
  });
}

export async function signIn(id: string) {
  (await cookies()).set("visitor", id, {
    secure: true,
    httpOnly: false,
  });
}

export async function signInHidden(id: string) {
  (await cookies()).set("visitor", id, {
    secure: true,
    httpOnly: true,
  });
}
