//! A server on this machine that speaks the shapes of model providers, and misbehaves as it is told to (FAULTS 12 to 15 and 23).
//!
//! In: what to answer to each request in turn, the last for ever. Out: an address, and what was asked. It is HTTP/1.1 by hand, for
//! no well-behaved server sends half an answer. Deliberately not here: anything of Jury but the nonce of a brief.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// What is answered to one request.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A message in the envelope of whichever provider was asked, as if a model had said it; `NONCE` in it is that of the brief.
    Says(String),
    /// The same envelope, with another reason for the end.
    Stops(String, String),
    /// A stream of events, byte for byte.
    Streams(String),
    /// A status, further headers and a body, byte for byte.
    Raw(u16, Vec<(String, String)>, String),
    /// The envelope, one byte at a time.
    Drips(String),
    /// So many bytes, without an end in sight.
    Floods(u64),
    /// Nothing, and the connection stays open.
    Hangs,
    /// Nothing, and the connection is closed.
    Closes,
}

/// A request that came in.
#[derive(Clone, Debug)]
pub struct Asked {
    /// How.
    pub method: String,
    /// Where to.
    pub path: String,
    /// The headers, with small letters.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Value,
}

/// Chooses what is answered, by how many were asked before and what is asked.
type Choose = dyn Fn(usize, &Asked) -> Option<Reply> + Send + Sync;

/// A server that runs until it is dropped.
pub struct Server {
    address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    is_over: Arc<AtomicBool>,
}

impl Server {
    /// Starts one with what it answers.
    pub fn answering(replies: Vec<Reply>) -> Self {
        Self::choosing(move |number, _| replies.get(number).or(replies.last()).cloned())
    }

    /// Starts one with many models, each of which answers always the same; a model that is not there does not answer.
    pub fn of_models(models: Vec<(&'static str, Reply)>) -> Self {
        Self::choosing(move |_, asked| {
            let named = models.iter().find(|(name, _)| asked.body["model"].as_str() == Some(name));
            named.map(|(_, reply)| reply.clone())
        })
    }

    /// Starts one that answers by how many were asked before and what is asked; nothing closes the connection.
    pub fn choosing(choose: impl Fn(usize, &Asked) -> Option<Reply> + Send + Sync + 'static) -> Self {
        let choose: Arc<Choose> = Arc::new(choose);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of this machine is free");
        let address = listener.local_addr().expect("a listener has an address").to_string();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let is_over = Arc::new(AtomicBool::new(false));
        let server = Self { address, asked: Arc::clone(&asked), is_over: Arc::clone(&is_over) };
        thread::spawn(move || {
            for stream in listener.incoming() {
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                let (Ok(stream), asked, choose) = (stream, Arc::clone(&asked), Arc::clone(&choose)) else { continue };
                let is_over = Arc::clone(&is_over);
                thread::spawn(move || serve(stream, &asked, choose.as_ref(), &is_over));
            }
        });
        server
    }

    /// Returns the address for a provider, as `jury.toml` has it.
    pub fn url(&self, provider: &str) -> String {
        let path = if provider == "openai" { "/v1" } else { "" };
        format!("http://{}{path}", self.address)
    }

    /// Returns what was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("nobody panics while holding the list").clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // The listener waits for one more connection.
        let _ = TcpStream::connect(&self.address);
    }
}

fn serve(mut stream: TcpStream, asked: &Mutex<Vec<Asked>>, choose: &Choose, is_over: &AtomicBool) {
    let Some(request) = request(&stream) else { return };
    let number = {
        let mut asked = asked.lock().expect("nobody panics while holding the list");
        asked.push(request.clone());
        asked.len() - 1
    };
    let Some(reply) = choose(number, &request) else { return };
    // Whoever has asked may be gone by now, which is what some of these are about.
    let _ = respond(&mut stream, &request, &reply, is_over);
}

fn request(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split(' ').map(str::to_owned);
    let (method, path) = (words.next()?, words.next()?);
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length").and_then(|(_, value)| value.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    Some(Asked { method, path, headers, body: serde_json::from_slice(&body).unwrap_or_default() })
}

fn respond(stream: &mut TcpStream, request: &Asked, reply: &Reply, is_over: &AtomicBool) -> std::io::Result<()> {
    let whole = |body: &str| head(200, &[], Some(body.len())) + body;
    match reply {
        Reply::Says(message) => stream.write_all(whole(&envelope(request, message, None)).as_bytes()),
        Reply::Stops(message, why) => stream.write_all(whole(&envelope(request, message, Some(why))).as_bytes()),
        Reply::Streams(events) => {
            let whole = whole(events).replacen("application/json", "text/event-stream", 1);
            stream.write_all(whole.as_bytes())
        }
        Reply::Raw(status, headers, body) => {
            stream.write_all((head(*status, headers, Some(body.len())) + body).as_bytes())
        }
        Reply::Drips(message) => {
            for byte in whole(&envelope(request, message, None)).bytes() {
                stream.write_all(&[byte])?;
                thread::sleep(Duration::from_millis(50));
            }
            Ok(())
        }
        Reply::Floods(bytes) => {
            stream.write_all(head(200, &[], None).as_bytes())?;
            let block = vec![b' '; 1 << 16];
            for _ in 0..bytes / block.len() as u64 {
                stream.write_all(&block)?;
            }
            Ok(())
        }
        Reply::Hangs => {
            while !is_over.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(20));
            }
            Ok(())
        }
        Reply::Closes => Ok(()),
    }
}

fn head(status: u16, headers: &[(String, String)], length: Option<usize>) -> String {
    let mut text = format!("HTTP/1.1 {status} Status\r\ncontent-type: application/json\r\nconnection: close\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if let Some(length) = length {
        text.push_str(&format!("content-length: {length}\r\n"));
    }
    text + "\r\n"
}

/// Puts a message into the envelope of the provider whose path was asked.
fn envelope(request: &Asked, message: &str, why: Option<&str>) -> String {
    let message = message.replace("NONCE", &nonce(&request.body).unwrap_or_default());
    let value = if request.path.ends_with("/chat/completions") {
        json!({"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": request.body["model"],
            "choices": [{"index": 0, "finish_reason": why.unwrap_or("stop"),
                "message": {"role": "assistant", "content": message, "refusal": null}}],
            "usage": {"prompt_tokens": 1200, "completion_tokens": 100, "total_tokens": 1300}})
    } else if request.path.ends_with("/v1/messages") {
        json!({"id": "msg_1", "type": "message", "role": "assistant", "model": request.body["model"],
            "content": [{"type": "text", "text": message}], "stop_reason": why.unwrap_or("end_turn"), "stop_sequence": null,
            "usage": {"input_tokens": 1000, "cache_read_input_tokens": 200, "output_tokens": 100}})
    } else {
        json!({"model": request.body["model"], "created_at": "2026-01-01T00:00:00Z",
            "message": {"role": "assistant", "content": message}, "done": true, "done_reason": why.unwrap_or("stop"),
            "prompt_eval_count": 1200, "eval_count": 100})
    };
    value.to_string()
}

/// Finds the nonce of the brief that a request holds, wherever its provider puts it.
pub fn nonce(body: &Value) -> Option<String> {
    let text = body.to_string();
    let (_, after) = text.split_once("The nonce of this brief is ")?;
    Some(after.chars().take_while(char::is_ascii_alphanumeric).collect())
}

/// Says 004's findings as a model would, with the nonce.
pub fn answer(findings: &Value) -> String {
    json!({"nonce": "NONCE", "reviewer": "qa", "findings": findings, "residual_risks": [], "testing_gaps": []})
        .to_string()
}
