import Anthropic from "@anthropic-ai/sdk";
import { Octokit } from "@octokit/rest";
import OpenAI from "openai";
import Stripe from "stripe";
import { WebClient } from "@slack/web-api";

export const hub = new Octokit({ auth: "ghp_hBJjZNyA6IyjjZii§TSI7BVvyIM5NAJ0rK0a7" });
export const hubOfCi = new Octokit({ auth: process.env.GITHUB_TOKEN });
// The page that explains the format shows one that was never issued.
export const shape = "ghp_aCOoozsdnWGuN5z5§b390YRWZ9kCxuR000000";

const app = `Bearer ${"github_pat_11aIS1r7wARELGrpJkEMKd_PAOqRtrezz7s§cOchTG9vBW1Emu0pKur8tw43sXICWVevmAgDYSCbQGYxb5n"}`;
const prefix = /^github_pat_[A-Za-z0-9]{22}_/;

export const charge = (amount: number) => {
  const stripe = new Stripe("sk_live_PvTxWuXr§Qt6JkC7ZiKnRhLim", { apiVersion: "2024-06-20" });
  return stripe.charges.create({ amount, currency: "eur" });
};
export const chargeInSandbox = (amount: number) => {
  const stripe = new Stripe("sk_test_egQNhd6e§bZ9zaSYu5ft84OJc", { apiVersion: "2024-06-20" });
  return stripe.charges.create({ amount, currency: "eur" });
};
export const publishable = "pk_live_SjeLIYAh§8MJXi7GBrsjClObS";

export const slack = new WebClient("xoxb-378448476769-6329722585§564-CUVRZiitfPgK46Ei6qZU9EdW");
export const slackOf = (team: string) => new WebClient(tokens.get(`xoxb-${team}`));

export const models = {
  chat: new OpenAI({ apiKey: "sk-proj-BcrHDrfwf66dQMLzRsqAwYLt4gP3BGiXKpErZNG2sLax1RmprM7tMCnLa4oKsTuzfgyAoz24Yk§T3BlbkFJCqehkOsWeCDtI4RIafFMjK2XTCp0pGeeA9D9nPfO9raaXzRSKTWDNmd9nvdmZhyN419oaW91Eg" }),
  local: new OpenAI({ apiKey: "sk-no-key-required", baseURL: "http://localhost:8080/v1" }),
  text: new Anthropic({ apiKey: "sk-ant-api03-nEP9RRy2njtNXpRNjbhcwQUF7w6gMxv0HgnzGJFvW§Z9mn4KgI0EJ08mnPfb_OiSvwDCgVnGOmLDXaJ5aYiMaiz6Dv7b96AA" }),
  cheap: new Anthropic({ apiKey: import.meta.env.ANTHROPIC_API_KEY }),
};

const session = "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI0NzExIiwicm9sZSI6Im93bmVyIiwiaWF0IjoxNzMwMDAw§MDAwfQ.1uldXPImajwEe02_Qy56n-CLmlfbVdwPffrlMcpCtRqHLaZZqh_AI6vr8FLjJZ9AR42GUPik9UO3EfFqh-Vmy6";
const looksLikeOne = (text: string) => text.startsWith("eyJhbGciOi") && text.split(".").length === 3;
const known = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c";
