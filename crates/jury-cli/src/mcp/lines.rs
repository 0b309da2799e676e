//! One JSON-RPC message a line: bytes of standard input in, messages out, and the other way round.
//!
//! The SDK silently skips invalid JSON and overlong lines (and would take 16 MiB); here each is answered with the
//! error that JSON-RPC has for it, and the connection goes on (FAULTS, row 29). Deliberately not here: the meaning of a message.

use std::io::{self, BufRead, Read};
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{ErrorData, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncWriteExt, Stdout};
use tokio::sync::{Mutex, mpsc};

/// How long a line is at most, in bytes. No call has so much to say.
const LONGEST: usize = 4 << 20;
/// How many lines wait to be taken up.
const MOST_WAITING: usize = 16;

/// The input.
enum Line {
    Whole(Vec<u8>),
    TooLong,
}

/// Why a line was not taken, and whose it was, as far as that can be told.
#[derive(Debug)]
struct Refusal {
    error: ErrorData,
    id: Option<RequestId>,
}

/// The two streams of the process.
pub(super) struct Lines {
    incoming: mpsc::Receiver<Line>,
    outgoing: Arc<Mutex<Stdout>>,
}

impl Lines {
    /// Takes the streams of the process. A thread of its own reads, so that nothing waits for a client that says nothing.
    pub(super) fn of_process() -> Self {
        let (sender, incoming) = mpsc::channel(MOST_WAITING);
        std::thread::spawn(move || {
            let mut input = io::stdin().lock();
            while let Ok(Some(line)) = next_line(&mut input, LONGEST) {
                if sender.blocking_send(line).is_err() {
                    break;
                }
            }
        });
        Self { incoming, outgoing: Arc::new(Mutex::new(tokio::io::stdout())) }
    }
}

/// Reads the next line, without its end; the rest of one that is too long is dropped unread. `None` at the end.
fn next_line(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    input.by_ref().take(longest as u64 + 1).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.ends_with(b"\n") || line.len() <= longest {
        return Ok(Some(Line::Whole(line)));
    }
    loop {
        let available = input.fill_buf()?;
        let end = available.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(available.len(), |at| at + 1);
        let is_over = end.is_some() || available.is_empty();
        input.consume(taken);
        if is_over {
            return Ok(Some(Line::TooLong));
        }
    }
}

/// Parses a line as a message; an invalid one is refused, unless it is a notification.
fn message(line: &[u8]) -> Result<RxJsonRpcMessage<RoleServer>, Option<Box<Refusal>>> {
    let refuse = |error, id| Err(Some(Box::new(Refusal { error, id })));
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => return refuse(ErrorData::parse_error(format!("not JSON: {error}"), None), None),
    };
    let id = value.get("id").cloned();
    let is_notification = id.is_none() && value.get("method").is_some();
    match serde_json::from_value(value) {
        Ok(message) => Ok(message),
        // A notification has no answer.
        Err(_) if is_notification => Err(None),
        Err(error) => {
            let id = id.and_then(|id| serde_json::from_value::<RequestId>(id).ok());
            refuse(ErrorData::invalid_request(format!("not a protocol message: {error}"), None), id)
        }
    }
}

async fn write(outgoing: Arc<Mutex<Stdout>>, message: TxJsonRpcMessage<RoleServer>) -> io::Result<()> {
    let mut line = serde_json::to_vec(&message)?;
    line.push(b'\n');
    let mut outgoing = outgoing.lock().await;
    outgoing.write_all(&line).await?;
    outgoing.flush().await
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(&mut self, message: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        write(self.outgoing.clone(), message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let refusal = match self.incoming.recv().await? {
                Line::Whole(line) if line.trim_ascii().is_empty() => continue,
                Line::Whole(line) => match message(&line) {
                    Ok(message) => return Some(message),
                    Err(refusal) => refusal,
                },
                Line::TooLong => {
                    let error = ErrorData::invalid_request(format!("this line is longer than {LONGEST} bytes"), None);
                    Some(Box::new(Refusal { error, id: None }))
                }
            };
            // Receiving is given up whenever there is something to send, and half a line must never be written; so this is
            // done apart from it.
            if let Some(refusal) = refusal {
                let Refusal { error, id } = *refusal;
                tokio::spawn(write(self.outgoing.clone(), TxJsonRpcMessage::<RoleServer>::error(error, id)));
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.outgoing.lock().await.flush().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Option<usize>> {
        let mut input = text.as_bytes();
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut input, 4).unwrap() {
            lines.push(match line {
                Line::Whole(line) => Some(line.trim_ascii_end().len()),
                Line::TooLong => None,
            });
        }
        lines
    }

    #[test]
    fn a_line_that_is_too_long_costs_only_itself() {
        assert_eq!(read(""), []);
        assert_eq!(read("abcd\nab\n\nx"), [Some(4), Some(2), Some(0), Some(1)]);
        assert_eq!(read("abcde\nab\n"), [None, Some(2)]);
        assert_eq!(read("abcdefghijkl"), [None]);
    }

    #[test]
    fn what_is_no_message_is_answered_unless_nobody_waits() {
        let refusal = |line: &str| {
            let Refusal { error, id } = *message(line.as_bytes()).unwrap_err()?;
            Some((error.code.0, serde_json::to_value(id).unwrap()))
        };
        assert_eq!(refusal("nonsense"), Some((-32700, Value::Null)));
        assert_eq!(refusal("[]"), Some((-32600, Value::Null)));
        assert_eq!(refusal(r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#), Some((-32600, 7.into())));
        assert_eq!(refusal(r#"{"method":"notifications/nonsense","jsonrpc":1}"#), None);
        assert!(message(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).is_ok());
    }
}
