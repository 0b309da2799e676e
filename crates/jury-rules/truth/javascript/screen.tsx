import { useEffect, useRef } from "react";
import Markdown from "react-markdown";
import rehypeRaw from "rehype-raw";
import rehypeSanitize from "rehype-sanitize";
import DOMPurify from "dompurify";

export function Screen({ note, draft }: { note: { markup: string }; draft: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.insertAdjacentHTML("beforeend", draft);
    box.current?.insertAdjacentHTML("beforeend", DOMPurify.sanitize(draft));
  }, [draft]);
  return (
    <main>
      <p dangerouslySetInnerHTML={note.markup} />
      <p dangerouslySetInnerHTML={{ __html: "<b>fixed</b>" }} />
      <Markdown rehypePlugins={[rehypeRaw]}>{draft}</Markdown>
      <Markdown rehypePlugins={[rehypeRaw, rehypeSanitize]}>{draft}</Markdown>
    </main>
  );
}

export function listen(show: (text: string) => void) {
  window.addEventListener("message", (event) => show(event.data));
  window.addEventListener("message", (event) => event.origin === location.origin && show(event.data));
}

export function announce(child: Window, text: string) {
  child.postMessage(text, "*");
  child.postMessage(text, location.origin);
}

export function keep(password: string, theme: string) {
  localStorage.setItem("last", password);
  localStorage.setItem("theme", theme);
}

export function remember(session: { value: string; locale: string }) {
  localStorage.setItem("accessToken", session.value);
  localStorage.setItem("locale", session.locale);
}

export const tape = () => new WebSocket("ws://tape.desk-data.net/now");
export const safeTape = () => new WebSocket("wss://tape.desk-data.net/now");

export const rowUuid = () => {
  const uuid = Math.random().toString(16);
  const shade = Math.random().toString(16);
  return [uuid, shade];
};
