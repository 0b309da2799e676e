//! Whether an answer repeats the nonce of its brief: then it was written for this brief, and not copied from its content.
//!
//! In: the output of an agent. Out: yes or no. Every document in it has to have the nonce, in a member of its own; a verdict file
//! of 001 has it in a comment. Deliberately not here: the meaning of the answer.

use super::blocks;
use super::envelope::{self, Opened};
use crate::syntax::{Limits, Node, Source, Value, json};

/// How many envelopes may lie in one another.
const DEEPEST: usize = 3;
/// The member that holds the nonce.
const MEMBER: &str = "nonce";

/// Tells whether an answer repeats a nonce.
pub fn repeats_nonce(bytes: &[u8], nonce: &str, limits: &Limits) -> bool {
    let Some(text) = final_message(bytes, limits) else { return false };
    let Ok(source) = Source::new(text.as_bytes(), limits) else { return false };
    if let Ok(root) = json::parse(&source, limits) {
        return has(&root, nonce);
    }
    let found = blocks::find(&source, limits);
    if !found.blocks.is_empty() || !found.unreadable.is_empty() {
        return found.unreadable.is_empty() && found.blocks.iter().all(|block| has(&block.root, nonce));
    }
    let comment = format!("# {MEMBER}: {nonce}");
    text.lines().any(|line| line.trim_end() == comment)
}

/// Takes the envelopes off an answer; `None` if there is no final message in them.
pub(super) fn final_message(bytes: &[u8], limits: &Limits) -> Option<String> {
    let source = Source::new(bytes, limits).ok()?;
    let mut text = source.text().to_owned();
    for _ in 0..DEEPEST {
        let source = Source::new(text.as_bytes(), limits).ok()?;
        match envelope::open(&source, limits) {
            Some((_, Opened::Message(message, _))) => text = message,
            Some((_, Opened::Nothing(..))) => return None,
            None => break,
        }
    }
    Some(text)
}

fn has(root: &Node<'_>, nonce: &str) -> bool {
    matches!(root.get(MEMBER).map(|node| &node.value), Some(Value::String(text)) if *text == nonce)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_written_for_the_brief_repeats_its_nonce() {
        let good = r#"{"nonce":"N","reviewer":"qa","findings":[],"residual_risks":[],"testing_gaps":[]}"#;
        let fake = r#"{"reviewer":"qa","findings":[],"residual_risks":[],"testing_gaps":[]}"#;
        let enveloped = |text: &str| {
            let text = serde_json::to_string(text).unwrap();
            format!(r#"{{"type":"result","subtype":"success","is_error":false,"result":{text},"num_turns":1}}"#)
        };
        for text in [
            good.to_owned(),
            format!("```json\n{good}\n```\n"),
            format!("Here it is:\n{good}\n"),
            enveloped(good),
            "verdict: pass\n# nonce: N\n".to_owned(),
        ] {
            assert!(repeats_nonce(text.as_bytes(), "N", &Limits::default()), "{text}");
        }
        for text in [
            String::new(),
            "N".to_owned(),
            "The nonce is N. No issues found.".to_owned(),
            fake.to_owned(),
            enveloped(fake),
            good.replace("\"N\"", "\"M\""),
            good.replace("\"N\"", "null"),
            format!("[{good}]"),
            format!("{good}\n{fake}\n"),
            format!("nonce N\n```json\n{fake}\n```\n"),
            "verdict: pass\n# nonce: NN\n".to_owned(),
        ] {
            assert!(!repeats_nonce(text.as_bytes(), "N", &Limits::default()), "{text}");
        }
    }
}
