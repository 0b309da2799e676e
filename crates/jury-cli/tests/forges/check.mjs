// Holds requests and answers against the published descriptions of a forge.
// node check.mjs github|gitlab|gitea FOLDER URL < [{"method", "path", "body"}, …]
// Each write is made once more, so that its answer is seen. Prints what does not conform.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [kind, folder, url] = process.argv.slice(2);
const require = createRequire(folder + "/");
const Ajv = require("ajv").default;
const ajv = new Ajv({ strict: false, allErrors: false, validateFormats: false });
const asked = JSON.parse(readFileSync(0, "utf8"));
const problems = [];

let operations = [];
let root = {};
if (kind === "github") {
  const { buildSchema, parse, validate } = require("graphql");
  const idl = readFileSync(folder + "/node_modules/@octokit/graphql-schema/schema.graphql", "utf8");
  const schema = buildSchema(idl, { assumeValid: true });
  for (const { path, body } of asked.filter((it) => it.path.endsWith("/graphql"))) {
    for (const error of validate(schema, parse(body.query))) problems.push(`${path}: ${error}`);
  }
  const text = readFileSync(folder + "/node_modules/@octokit/openapi/generated/api.github.com.deref.json", "utf8");
  for (const [path, methods] of Object.entries(JSON.parse(text).paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const json = (it) => it?.content?.["application/json"]?.schema ?? null;
      const responses = Object.entries(operation.responses ?? {}).map(([code, it]) => [code, json(it)]);
      operations.push({ method: method.toUpperCase(), path, body: json(operation.requestBody), responses: Object.fromEntries(responses) });
    }
  }
} else {
  const document = JSON.parse(readFileSync(new URL(`./${kind}.json`, import.meta.url), "utf8"));
  root = { definitions: document.definitions };
  operations = Object.entries(document.operations).map(([name, it]) => {
    const [method, path] = name.split(" ");
    return { method, path, ...it };
  });
}
// OpenAPI 3.0 has `nullable` instead of a type.
const json = (schema) => JSON.parse(JSON.stringify(schema), (_, it) => {
  if (it && typeof it === "object" && it.nullable === true) {
    const { nullable, ...rest } = it;
    return { anyOf: [rest, { type: "null" }] };
  }
  return it;
});
const fits = (path, pattern) => {
  const [one, other] = [path.split("/"), pattern.split("/")];
  return one.length === other.length && other.every((part, at) => part.startsWith("{") || part === one[at]);
};
const holds = (what, schema, value, isRequest) => {
  if (!schema) return;
  const check = ajv.compile({ ...root, ...json(schema) });
  if (!check(value)) problems.push(`${what}: ${ajv.errorsText(check.errors)}`);
  const known = schema.properties ?? root.definitions?.[schema.$ref?.split("/").pop()]?.properties;
  if (isRequest && known) for (const name of Object.keys(value)) if (!(name in known)) problems.push(`${what}: unknown ${name}`);
};
const prefix = new URL(url).pathname;
let held = 0;
for (const { method, path, body } of asked.filter((it) => it.path.startsWith(prefix) && !it.path.endsWith("/graphql"))) {
  const bare = path.slice(prefix.length).split("?")[0];
  // The path with the fewest parameters is the one that is meant.
  const fitting = operations.filter((it) => it.method === method && fits(bare, it.path));
  fitting.sort((one, other) => one.path.split("{").length - other.path.split("{").length);
  const operation = fitting[0];
  if (!operation) {
    problems.push(`${method} ${bare}: there is no such operation`);
    continue;
  }
  held += 1;
  if (body !== null) holds(`${method} ${bare} (request)`, operation.body, body, true);
  const answer = await fetch(new URL(path, url), { method, body: body === null ? undefined : JSON.stringify(body) });
  const schema = operation.responses[String(answer.status)];
  if (schema === undefined) problems.push(`${method} ${bare}: status ${answer.status} is not one of it`);
  const text = await answer.text();
  if (schema && text) holds(`${method} ${bare} (answer)`, schema, JSON.parse(text), false);
}
console.log(JSON.stringify({ held, problems: [...new Set(problems)] }, null, 1));
