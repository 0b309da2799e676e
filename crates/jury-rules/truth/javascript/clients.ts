import axios from "axios";
import got from "got";
import https from "https";
import { MongoClient } from "mongodb";
import _ from "lodash";
import { User } from "./models/user";

export async function proxy(req, res) {
  const target = req.query.target;
  const { data } = await axios.get(target, { timeout: 1000 });
  res.json(data);
}

export async function proxySafe(req, res) {
  const id = req.query.id;
  const { data } = await axios.get("https://images.example.com/" + id, { timeout: 1000 });
  res.json(data);
}

export async function hook(req) {
  const { callback } = req.body;
  await got.post(`https://${callback}/done`, { json: { ok: true } });
}

const HOSTS = ["a.example.com", "b.example.com"];
export async function hookSafe(req) {
  const { callback } = req.body;
  if (HOSTS.indexOf(callback) === -1) return;
  await got.post(`https://${callback}/done`, { json: { ok: true } });
}

export async function handler(event) {
  const url = event.queryStringParameters?.url;
  return fetch(url);
}

export async function handlerSafe(event) {
  const page = event.queryStringParameters?.page;
  return fetch(`https://api.example.com/list?page=${encodeURIComponent(page)}`);
}

export async function login(req) {
  const { email, password } = req.body;
  return User.findOne({ email, password });
}

export async function loginSafe(req) {
  const email = String(req.body.email);
  return User.findOne({ email });
}

export function settings(req, current) {
  return _.merge(current, req.body);
}

export function settingsSafe(req, current) {
  return { ...current, theme: req.body.theme };
}

export async function register(req) {
  return User.create(req.body);
}

export async function registerSafe(req) {
  const { name, email } = req.body;
  return User.create({ name, email });
}

export const lax = new https.Agent({ keepAlive: true, rejectUnauthorized: false });
export const strict = new https.Agent({ keepAlive: true, rejectUnauthorized: true });

export function search(req, names: string[]) {
  const pattern = new RegExp(req.query.q, "i");
  return names.filter((name) => pattern.test(name));
}

export function searchSafe(req, names: string[]) {
  const pattern = new RegExp(_.escapeRegExp(req.query.q), "i");
  return names.filter((name) => pattern.test(name));
}

export const trailing = /^(\s+)+$/;
export const trailingSafe = /^\s+$/;
