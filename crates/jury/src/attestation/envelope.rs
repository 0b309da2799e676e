//! The envelope (DSSE v1): bytes in; the statement and its signatures out, or why it is none of Jury's; and back.
//!
//! One value has one spelling: whatever would be written otherwise is refused, so nothing rides along unseen.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jury_wire::v1::attestation as wire;
use serde::Deserialize;

use super::statement::{PREDICATE_TYPE, STATEMENT_TYPE, VERSION, bytes};
use super::{MOST_BYTES, MOST_SIGNATURES, PAYLOAD_TYPE, Refusal};

/// An envelope, with nothing about it checked but its form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// The bytes that were signed: those of the payload and its type.
    pub signed: Vec<u8>,
    /// The statement.
    pub statement: wire::Statement,
    /// The signatures.
    pub signatures: Vec<Vec<u8>>,
}

/// Returns what is signed: the pre-authentication encoding of DSSE v1.
pub fn pae(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len());
    [head.as_bytes(), payload].concat()
}

/// Returns the envelope of a statement.
pub fn write(statement: &[u8], signatures: &[Vec<u8>]) -> Vec<u8> {
    let signature = |sig: &Vec<u8>| wire::EnvelopeSignature { keyid: String::new(), sig: STANDARD.encode(sig) };
    encoded(&wire::Envelope {
        payload_type: PAYLOAD_TYPE.to_owned(),
        payload: STANDARD.encode(statement),
        signatures: signatures.iter().map(signature).collect(),
    })
}

fn encoded(envelope: &wire::Envelope) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(envelope).expect("the envelope has texts only");
    bytes.push(b'\n');
    bytes
}

/// The members of a statement that say whether it is one of Jury's at all.
#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "_type", default)]
    kind: String,
    #[serde(rename = "predicateType", default)]
    predicate_type: String,
    #[serde(default)]
    subject: Vec<serde::de::IgnoredAny>,
    #[serde(default)]
    predicate: PredicateKind,
}

#[derive(Default, Deserialize)]
struct PredicateKind {
    #[serde(default)]
    jury: Version,
}

#[derive(Default, Deserialize)]
struct Version {
    #[serde(default)]
    version: u64,
}

/// Reads an envelope.
pub fn read(envelope: &[u8]) -> Result<Envelope, Refusal> {
    if envelope.len() > MOST_BYTES {
        return Err(Refusal::TooLong);
    }
    let shape = |error: serde_json::Error| Refusal::Shape(error.to_string());
    let parsed: wire::Envelope = serde_json::from_slice(envelope).map_err(shape)?;
    if parsed.payload_type != PAYLOAD_TYPE {
        return Err(Refusal::PayloadType(parsed.payload_type));
    }
    if let Some(named) = parsed.signatures.iter().find(|signature| !signature.keyid.is_empty()) {
        return Err(Refusal::KeyId(named.keyid.clone()));
    }
    if parsed.signatures.is_empty() || parsed.signatures.len() > MOST_SIGNATURES {
        return Err(Refusal::Shape(format!("{} signatures", parsed.signatures.len())));
    }
    if encoded(&parsed) != envelope {
        return Err(Refusal::Shape("it has another spelling".to_owned()));
    }
    let decoded = |text: &String| STANDARD.decode(text).map_err(|_| Refusal::Shape("it is not base64".to_owned()));
    let payload = decoded(&parsed.payload)?;
    let signatures = parsed.signatures.iter().map(|signature| decoded(&signature.sig));
    let signatures = signatures.collect::<Result<Vec<_>, _>>()?;
    let statement = statement(&payload)?;
    Ok(Envelope { signed: pae(PAYLOAD_TYPE, &payload), statement, signatures })
}

/// Reads a statement.
fn statement(payload: &[u8]) -> Result<wire::Statement, Refusal> {
    let shape = |error: serde_json::Error| Refusal::Shape(error.to_string());
    let kind: Kind = serde_json::from_slice(payload).map_err(shape)?;
    if kind.kind != STATEMENT_TYPE {
        return Err(Refusal::Predicate(kind.kind));
    }
    if kind.predicate_type != PREDICATE_TYPE {
        return Err(Refusal::Predicate(kind.predicate_type));
    }
    if kind.subject.len() != 1 {
        return Err(Refusal::Subjects(kind.subject.len()));
    }
    if kind.predicate.jury.version > u64::from(VERSION) {
        return Err(Refusal::Newer(kind.predicate.jury.version));
    }
    let statement: wire::Statement = serde_json::from_slice(payload).map_err(shape)?;
    if bytes(&statement) != payload {
        return Err(Refusal::Shape("the statement has another spelling".to_owned()));
    }
    Ok(statement)
}
