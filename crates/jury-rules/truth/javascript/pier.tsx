import { NestFactory } from "@nestjs/core";
import { BrowserWindow, shell } from "electron";
import * as iam from "aws-cdk-lib/aws-iam";
import * as ec2 from "aws-cdk-lib/aws-ec2";
import { ApolloServer } from "@apollo/server";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import DOMPurify from "dompurify";

const desk = new McpServer({ name: "desk", version: "2.0.0" });
desk.tool("read", { page: text() }, async ({ page }) => {
  const answer = await fetch(page);
  return { content: [{ type: "text", text: await answer.text() }] };
});
desk.tool("read-own", { page: text() }, async ({ page }) => {
  if (!allowedPages.has(page)) throw new Error("no such page");
  const answer = await fetch(page);
  return { content: [{ type: "text", text: await answer.text() }] };
});

export const open = () => NestFactory.create(Root, { cors: true });
export const shut = () => NestFactory.create(Root, { cors: { origin: "https://pier.example" } });
export const talkative = new ApolloServer({ typeDefs, resolvers, introspection: true });
export const quiet = new ApolloServer({ typeDefs, resolvers, introspection: false });

export const view = new BrowserWindow({ webPreferences: { experimentalFeatures: true } });
export const plainView = new BrowserWindow({ webPreferences: { sandbox: true } });
export const follow = (address: string) => shell.openExternal(address);
export const help = () => shell.openExternal("https://pier.example/help");

export const everything = new iam.PolicyStatement({ actions: ["*"], resources: ["*"] });
export const reading = new iam.PolicyStatement({ actions: ["s3:GetObject"], resources: [files.arn] });
group.addIngressRule(ec2.Peer.anyIpv4(), ec2.Port.allTraffic());
group.addIngressRule(ec2.Peer.ipv4("10.1.0.0/16"), ec2.Port.tcp(443));

export const Help = () => <a href="https://pier.example/help" target="_blank">Help</a>;
export const OwnHelp = () => <a href="https://pier.example/help" target="_blank" rel="noreferrer">Help</a>;
export const Frame = ({ page }) => <iframe src={page} sandbox="allow-scripts allow-same-origin" />;
export const OwnFrame = ({ page }) => <iframe src={page} sandbox="allow-forms" />;

export function show(note: HTMLElement) {
  note.innerHTML = note.getAttribute("data-note");
}
export function showSafe(note: HTMLElement) {
  note.textContent = note.getAttribute("data-note");
}
export const loose = (text: string) => DOMPurify.sanitize(text, { ADD_TAGS: ["iframe"] });
export const strict = (text: string) => DOMPurify.sanitize(text, { ADD_TAGS: ["figure"] });
export const relax = () => { document.domain = "pier.example"; };
export const same = () => document.domain === "pier.example";
export const bundle = { define: { "process.env": JSON.stringify(process.env) } };
export const bundleSafe = { define: { "process.env.SITE": JSON.stringify(process.env.SITE) } };
export async function keep() {
  const { token } = await askForToken();
  localStorage.setItem(SLOT, token);
  localStorage.setItem(THEME, theme);
}
