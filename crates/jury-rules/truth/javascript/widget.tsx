import React, { useEffect, useRef } from "react";
import DOMPurify from "dompurify";

export function Comment({ comment }: { comment: { html: string } }) {
  return (
    <article dangerouslySetInnerHTML={{ __html: comment.html }} />
  );
}

export function CommentSafe({ comment }: { comment: { html: string } }) {
  const clean = DOMPurify.sanitize(comment.html);
  return (
    <article dangerouslySetInnerHTML={{ __html: clean }} />
  );
}

export function Banner() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const params = new URLSearchParams(window.location.search);
    ref.current!.innerHTML = params.get("message") ?? "";
  }, []);
  return <div ref={ref} />;
}

export function BannerSafe() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const params = new URLSearchParams(window.location.search);
    ref.current!.textContent = params.get("message") ?? "";
  }, []);
  return <div ref={ref} />;
}

export function row(user: { name: string }) {
  const cell = document.createElement("td");
  cell.insertAdjacentHTML("beforeend", "<i>" + user.name + "</i>");
  return cell;
}

export function rowSafe() {
  const cell = document.createElement("td");
  cell.insertAdjacentHTML("beforeend", "<i>none</i>");
  return cell;
}

export function jump() {
  const to = new URL(window.location.href).searchParams.get("to");
  window.location.assign(to!);
}

export function jumpSafe() {
  window.location.assign("/home");
}

export function notify(token: string) {
  window.parent.postMessage({ token }, "*");
}

export function notifySafe(token: string) {
  window.parent.postMessage({ token }, "https://app.example.com");
}
