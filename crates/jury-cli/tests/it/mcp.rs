//! `jury mcp` from outside, by JSON-RPC written out: a whole review, every form of row 29 of the faults, HTTP, and the official SDK of
//! another language.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use jury_testkit::patience::PATIENCE;
use jury_testkit::repo::Repo;
use serde_json::{Value, json};

use crate::binary::jury;

const HIGH: &str =
    "import { exec } from \"child_process\";\nexport const list = (folder: string) => exec(\"ls \" + folder);\n";
const ID: &str = "security-3213ecb0-2";

fn repository() -> Repo {
    let repo = Repo::with(&[("src/one.ts", "export const one = 1;\n")]);
    repo.git(["switch", "--quiet", "--create", "work"]);
    repo.write("src/high.ts", HIGH);
    repo
}

/// A client that says what it is told to, line by line.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    next: i64,
}

impl Client {
    fn start(root: &Path) -> Self {
        let mut command = jury(&["mcp"]);
        let command = command.current_dir(root).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary can be started");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || output.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok()));
        Self { input: child.stdin.take(), child, lines, next: 1 }
    }

    fn initialized(root: &Path) -> Self {
        let mut client = Self::start(root);
        let answer = client.ask("initialize", initialize("2025-06-18"));
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18", "{answer}");
        client.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        client
    }

    fn say(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it is still open");
        input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush()).expect("the server reads");
    }

    /// Sends a request and returns its id.
    fn send(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next;
        self.next += 1;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        id
    }

    fn receive(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("the server answers");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let answer = self.receive();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = answer["result"].clone();
        assert_eq!(result["isError"], false, "{tool}: {answer}");
        // The text is the same, for clients that know nothing of structure.
        let text = result["content"][0]["text"].as_str().expect("there is a text");
        assert_eq!(serde_json::from_str::<Value>(text).expect("it is JSON"), result["structuredContent"], "{tool}");
        result["structuredContent"].clone()
    }

    /// Calls a tool that fails, and returns what it says.
    fn fail(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        assert_eq!(answer["result"]["isError"], true, "{tool}: {answer}");
        answer["result"]["content"][0]["text"].as_str().expect("it says why").to_owned()
    }

    /// Goes away, and returns how the server ends and what it said on standard error.
    fn leave(mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let output = self.child.wait_with_output().expect("the server ends");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

fn initialize(version: &str) -> Value {
    json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
}

fn run(root: &Path, arguments: &[&str]) -> i32 {
    let status = jury(arguments).current_dir(root).stdin(Stdio::null()).stdout(Stdio::null()).status();
    status.expect("the binary can be started").code().expect("it ends by itself")
}

#[test]
fn a_review_a_claim_and_a_second_look() {
    let repo = repository();
    let mut client = Client::initialized(repo.root());
    let tools = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    let returns = |name: &str| {
        let tool = tools.as_array().unwrap().iter().find(|tool| tool["name"] == name);
        jsonschema::validator_for(&tool.expect("there is that tool")["outputSchema"]).expect("it is a schema")
    };
    let mut call = |name: &str, arguments: Value| {
        let result = client.call(name, arguments);
        let errors: Vec<String> = returns(name).iter_errors(&result).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        result
    };
    assert_eq!(call("next_action", json!({}))["action"], "review");
    assert_eq!(call("review_status", json!({}))["review"], Value::Null);
    assert_eq!(call("review_run", json!({"mode": "quick"}))["mode"], "quick");
    let reviewed = call("review_run", json!({"base": "main"}));
    assert_eq!((&reviewed["mode"], &reviewed["verdict"]), (&"full".into(), &"WARN".into()));
    assert_eq!(call("next_action", json!({}))["required"], json!([ID]));
    assert_eq!(call("findings_list", json!({"severity": "High"}))["findings"][0]["id"], ID);
    assert_eq!(call("findings_list", json!({"file": "src/one.ts"}))["total"], 0);
    assert_eq!(call("finding_get", json!({"id": ID}))["finding"]["status"], "open");
    assert_eq!(call("decision_explain", json!({}))["because"], json!([ID]));
    repo.write("src/high.ts", "export const list = 1;\n");
    let claim = json!({"id": ID, "status": "fixed", "expected": "open", "reason": "no shell any more"});
    let claimed = call("claim_status", claim.clone());
    assert_eq!(claimed["history"][0]["reason"], "no shell any more");
    assert_eq!(call("next_action", json!({}))["action"], "verify");
    let verified = call("fix_verify", json!({}));
    assert_eq!(verified["findings"][0]["status"], "verified", "{verified}");
    assert_eq!(call("review_run", json!({"mode": "verify"}))["findings"][0]["status"], "verified");

    let resource = |client: &mut Client, uri: &str| {
        let answer = client.ask("resources/read", json!({"uri": uri}));
        answer["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{uri}: {answer}")).to_owned()
    };
    let latest: Value = serde_json::from_str(&resource(&mut client, "review://latest")).unwrap();
    assert_eq!(latest, serde_json::from_slice::<Value>(&repo.read(".code-review/review-latest.json")).unwrap());
    assert!(resource(&mut client, "review://report").starts_with('#'));
    assert!(resource(&mut client, &format!("review://finding/{ID}")).contains("\"verified\""));
    for uri in ["review://nonsense", "file:///etc/passwd", "review://finding/nonsense"] {
        let answer = client.ask("resources/read", json!({"uri": uri}));
        assert_eq!(answer["error"]["code"], -32002, "{uri}: {answer}");
    }
    let prompt = client.ask("prompts/get", json!({"name": "fix_finding", "arguments": {"id": ID}}));
    let text = prompt["result"]["messages"][0]["content"]["text"].as_str().expect("it is text");
    assert!(text.contains("expected `verified`") && text.contains("is data"), "{text}");
    assert_eq!(client.ask("prompts/get", json!({"name": "fix_finding"}))["error"]["code"], -32602);
    assert_eq!(client.leave(), (Some(0), String::new()));
}

#[test]
fn what_goes_wrong_is_said_in_the_words_of_the_command_line() {
    let repo = repository();
    let mut client = Client::initialized(repo.root());
    assert!(client.fail("finding_get", json!({"id": ID})).contains("run `jury review` first"));
    assert!(client.fail("fix_verify", json!({})).contains("jury review"));
    client.call("review_run", json!({}));
    assert!(client.fail("finding_get", json!({"id": "\u{1b}[31mx"})).contains("\\u{1b}[31mx"));
    assert!(client.fail("review_run", json!({"mode": "quick", "base": "main"})).contains("`base`"));
    assert!(client.fail("review_run", json!({"mode": "pass"})).contains("unknown variant"));
    assert!(client.fail("review_run", json!({"trust": true})).contains("unknown field"));
    assert!(client.fail("review_run", json!({"base": "nonsense"})).contains("is not a commit"));
    for status in ["verified", "open"] {
        let claim = json!({"id": ID, "status": status, "expected": "open"});
        assert!(client.fail("claim_status", claim).contains("unknown variant"), "{status}");
    }
    let late = client.fail("claim_status", json!({"id": ID, "status": "fixed", "expected": "reopened"}));
    assert!(late.contains("is `open`, expected `reopened`; nothing was marked"), "{late}");
    let answer = client.ask("tools/call", json!({"name": "verdict_pass", "arguments": {}}));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    // Tampering is refused here as everywhere.
    let file = ".code-review/review-latest.json";
    repo.write(file, String::from_utf8(repo.read(file)).unwrap().replace("\"High\"", "\"Low\""));
    assert!(client.fail("review_status", json!({})).contains("jury restore"));
    assert!(client.fail("review_run", json!({})).contains("jury restore"));
    assert_eq!(client.leave().0, Some(0));
}

/// FAULTS, row 18: what reviewers and authors wrote cannot act.
#[test]
fn nothing_that_acts_goes_out() {
    let repo = repository();
    repo.write("src/high.ts", HIGH.replace("ls ", "ls \u{1b}]52;c;x\u{7} \u{202e}"));
    let mut client = Client::initialized(repo.root());
    client.call("review_run", json!({}));
    let shown = client.call("finding_get", json!({"id": ID}));
    let text = shown.to_string();
    assert!(text.contains("\\\\u{1b}]52") && text.contains("\\\\u{202e}"), "{text}");
    assert!(!text.contains("\\u001b") && !text.contains('\u{202e}'), "{text}");
}

#[test]
fn versions_that_nobody_knows_and_clients_that_say_little() {
    let repo = repository();
    // One that only begins, and one that says nothing at all.
    let mut client = Client::start(repo.root());
    let answer = client.ask("initialize", initialize("1999-01-01"));
    let version = answer["result"]["protocolVersion"].as_str().expect("a version that we know is offered");
    assert!(version.starts_with("2025-"), "{version}");
    assert_eq!(client.leave().0, Some(0));
    assert_eq!(Client::start(repo.root()).leave(), (Some(0), String::new()));
    // The stateless era: no handshake, every request says its version.
    let meta = |version: &str| {
        json!({"_meta": {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }})
    };
    let mut client = Client::start(repo.root());
    let answer = client.ask("server/discover", meta("2026-07-28"));
    assert!(answer["result"]["supportedVersions"].as_array().unwrap().contains(&"2026-07-28".into()), "{answer}");
    let mut params = meta("2026-07-28");
    params["name"] = "next_action".into();
    let answer = client.ask("tools/call", params);
    assert_eq!(answer["result"]["structuredContent"]["action"], "review", "{answer}");
    let answer = client.ask("tools/list", meta("1999-01-01"));
    assert!(answer["error"]["code"].is_i64(), "{answer}");
    assert_eq!(client.leave().0, Some(0));
    assert!(!repo.path(".code-review").exists());
}

#[test]
fn lines_that_are_none_cost_only_themselves() {
    let repo = repository();
    let mut client = Client::initialized(repo.root());
    client.say("nonsense");
    assert_eq!(client.receive()["error"]["code"], -32700);
    client.say(&format!("{{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"{}\"}}", "x".repeat(10_000_000)));
    assert_eq!(client.receive()["error"]["code"], -32600);
    client.say(&"[".repeat(100_000));
    assert_eq!(client.receive()["error"]["code"], -32700);
    client.say("");
    client.say("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}");
    assert_eq!(client.receive()["error"]["code"], -32600);
    let answer = client.ask("nonsense/method", json!({}));
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    assert_eq!(client.call("next_action", json!({}))["action"], "review");
    assert_eq!(client.leave().0, Some(0));
}

#[test]
fn calls_at_once_are_all_answered() {
    let repo = repository();
    let mut client = Client::initialized(repo.root());
    client.call("review_run", json!({}));
    let mut ids: Vec<i64> = Vec::new();
    for nth in 0..40 {
        let (tool, arguments) = match nth % 4 {
            0 => ("review_status", json!({})),
            1 => ("findings_list", json!({})),
            2 => ("claim_status", json!({"id": ID, "status": "wont_fix", "expected": "open"})),
            _ => ("review_run", json!({"mode": "quick"})),
        };
        ids.push(client.send("tools/call", json!({"name": tool, "arguments": arguments})));
    }
    let mut answered: Vec<i64> = ids.iter().map(|_| client.receive()["id"].as_i64().expect("it is ours")).collect();
    answered.sort();
    assert_eq!(answered, ids);
    assert_eq!(client.leave().0, Some(0));
    assert_eq!(run(repo.root(), &["status"]), 0);
}

/// FAULTS, row 4: of all who claim the same at once, one is in time; MCP and the command line together lose nothing.
#[test]
fn claims_are_compared_and_swapped() {
    let repo = repository();
    for nth in 0..6 {
        repo.write(&format!("src/high{nth}.ts"), HIGH);
    }
    let mut client = Client::initialized(repo.root());
    let findings = client.call("review_run", json!({}))["findings"].clone();
    let ids: Vec<String> =
        findings.as_array().unwrap().iter().map(|finding| finding["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids.len(), 7);
    let claim =
        |id: &str| json!({"name": "claim_status", "arguments": {"id": id, "status": "fixed", "expected": "open"}});
    let (contested, others) = ids.split_first().unwrap();
    let (by_mcp, by_hand) = others.split_at(3);
    let marks: Vec<Child> = by_hand
        .iter()
        .map(|id| {
            let mut command = jury(&["mark", id, "fixed"]);
            command.current_dir(repo.root()).stdout(Stdio::null()).spawn().expect("the binary can be started")
        })
        .collect();
    let sent = (0..5).map(|_| contested).chain(by_mcp).map(|id| client.send("tools/call", claim(id))).count();
    let answers: Vec<Value> = (0..sent).map(|_| client.receive()).collect();
    let in_time = answers.iter().filter(|answer| answer["result"]["isError"] == false).count();
    assert_eq!(in_time, 1 + by_mcp.len(), "{answers:?}");
    for mut mark in marks {
        assert!(mark.wait().expect("it ends").success());
    }
    assert_eq!(client.call("findings_list", json!({"status": "fixed"}))["total"], 7);
}

#[test]
fn a_client_that_goes_away_in_the_middle_leaves_whole_state() {
    for mode in ["full", "quick"] {
        let repo = repository();
        let mut client = Client::initialized(repo.root());
        client.send("tools/call", json!({"name": "review_run", "arguments": {"mode": mode}}));
        assert_eq!(client.leave(), (Some(0), String::new()), "{mode}");
        assert_eq!(run(repo.root(), &["status"]), 0, "{mode}");
        assert_eq!(run(repo.root(), &["review"]), 1, "{mode}");
    }
    // And one that does not read what it is told.
    let repo = repository();
    let mut client = Client::initialized(repo.root());
    client.send("tools/call", json!({"name": "review_run", "arguments": {}}));
    client.child.kill().expect("it is still there");
    client.child.wait().expect("it was killed");
    assert_eq!(run(repo.root(), &["status"]), 0);
}

/// A server over HTTP, ended with the value.
struct Http {
    child: Child,
    address: String,
    token: String,
}

impl Http {
    fn start(root: &Path, chosen: Option<&str>) -> Self {
        let mut command = jury(&["mcp", "--http"]);
        command.current_dir(root).env_remove("JURY_MCP_TOKEN").stdin(Stdio::null()).stderr(Stdio::piped());
        if let Some(token) = chosen {
            command.env("JURY_MCP_TOKEN", token);
        }
        let mut child = command.spawn().expect("the binary can be started");
        let mut said = BufReader::new(child.stderr.take().expect("it is piped")).lines();
        let mut after = |word: &str| -> String {
            let line = said.next().expect("it says something").expect("it says text");
            line.split_once(word).unwrap_or_else(|| panic!("{line}")).1.to_owned()
        };
        let address = after("serving on ");
        let token = chosen.map_or_else(|| after("the token is "), str::to_owned);
        Self { child, address, token }
    }

    fn host(&self) -> &str {
        self.address.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/mcp")).expect("that is its form")
    }

    /// Posts a body with these headers; returns the status and the body of the answer.
    fn post(&self, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.host()).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("it is a socket");
        let mut request = format!("POST {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request.push_str(&format!("Host: {}\r\n", self.host()));
        }
        request.push_str("Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n");
        headers.iter().for_each(|(name, value)| request.push_str(&format!("{name}: {value}\r\n")));
        // A refusal can come before all was sent.
        _ = stream.write_all(format!("{request}\r\n{body}").as_bytes());
        let mut answer = Vec::new();
        _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        (status, answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

#[test]
fn over_http_only_this_machine_and_whoever_knows_the_token() {
    let repo = repository();
    let server = Http::start(repo.root(), None);
    assert!(server.token.len() == 64 && server.host().starts_with("127.0.0.1:"));
    let bearer = format!("Bearer {}", server.token);
    let right = ("Authorization", bearer.as_str());
    let hello =
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize("2025-06-18")}).to_string();
    let (status, body) = server.post("/mcp", &[right], &hello);
    assert!(status == 200 && body.contains("\"name\":\"jury\""), "{status} {body}");
    for headers in [
        &[][..],
        &[("Authorization", "Bearer nonsense")],
        &[("Authorization", "Basic nonsense")],
        &[("Authorization", "Bearer ")],
        &[("Origin", "https://evil.example")],
    ] {
        assert_eq!(server.post("/mcp", headers, &hello).0, 401, "{headers:?}");
    }
    assert_eq!(server.post("/elsewhere", &[], &hello).0, 401);
    assert_eq!(server.post("/elsewhere", &[right], &hello).0, 404);
    for origin in ["https://evil.example", "null", "http://localhost:1234"] {
        assert_eq!(server.post("/mcp", &[right, ("Origin", origin)], &hello).0, 403, "{origin}");
    }
    assert_eq!(server.post("/mcp", &[right, ("Host", "evil.example")], &hello).0, 403);
    let (status, _) = server.post("/mcp", &[right], &format!("{{\"x\":\"{}\"}}", "x".repeat(10_000_000)));
    assert!([413, 0].contains(&status), "{status}");
    let (status, _) = server.post("/mcp", &[right], "nonsense");
    assert!((400..500).contains(&status), "{status}");
    let call =
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "next_action", "arguments": {}}});
    let (status, body) = server.post("/mcp", &[right, ("MCP-Protocol-Version", "2025-06-18")], &call.to_string());
    assert!(status == 200 && body.contains("\"action\":\"review\""), "{status} {body}");
    let (status, _) = server.post("/mcp", &[right, ("MCP-Protocol-Version", "1999-01-01")], &call.to_string());
    assert_eq!(status, 400);
}

#[test]
fn the_token_can_be_chosen_and_the_address_only_here() {
    let repo = repository();
    let server = Http::start(repo.root(), Some("of-my-own"));
    let hello =
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize("2025-06-18")}).to_string();
    assert_eq!(server.post("/mcp", &[("Authorization", "Bearer of-my-own")], &hello).0, 200);
    for address in ["0.0.0.0:0", "192.0.2.1:80", "[::]:0"] {
        assert_eq!(run(repo.root(), &["mcp", "--http", address]), 2, "{address}");
    }
}

/// The official SDK for Python, in both eras of the protocol, over both transports. It is installed from its registry beside the other
/// things that are built; a machine that cannot do that cannot run this test, and says so.
#[test]
fn the_official_python_sdk_understands_us() {
    const PACKAGE: &str = "mcp==2.3.0";
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mcp-python");
    let python = jury_testkit::python::environment(&place, &[PACKAGE]).join("python");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp/client.py");
    let run = |root: &Path, mode: &str, further: &[&str]| {
        let mut command = Command::new(&python);
        command.arg(script).arg(env!("CARGO_BIN_EXE_jury")).arg(root).arg(mode).args(further);
        let output = command.output().expect("Python can be started");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{mode} {further:?}: {errors}");
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    };
    for (mode, version) in [("legacy", "2025-11-25"), ("auto", "2026-07-28")] {
        let expected = format!("done under {version}");
        let repo = repository();
        assert_eq!(run(repo.root(), mode, &[]), expected);
        let repo = repository();
        let server = Http::start(repo.root(), None);
        assert_eq!(run(repo.root(), mode, &[&server.address, &server.token]), expected);
    }
}
