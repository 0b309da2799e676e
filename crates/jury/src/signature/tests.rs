//! Signatures of `ssh-keygen`, of keys in hardware (made here, with a key in software), and broken ones.

use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _};
use sha2::{Digest as _, Sha256};

use super::fields::put_string;
use super::sshsig::SshSig;
use super::*;
use crate::model::Timestamp;

const CONTENT: &[u8] = include_bytes!("../../tests/fixtures/signatures/content.txt");
const PURPOSE: &str = "jury-verdict@v1";
const APPLICATION: &[u8] = b"ssh:";

macro_rules! fixture {
    ($name:literal) => {
        include_bytes!(concat!("../../tests/fixtures/signatures/", $name)).as_slice()
    };
}

fn now() -> Timestamp {
    Timestamp::new("2026-06-01T12:00:00Z").unwrap()
}

/// Returns a list of one line: options, and the key of a `.pub` file.
fn list(options: &str, key: &[u8]) -> Signers {
    Signers::parse(format!("ann {options} {}", str::from_utf8(key).unwrap()).as_bytes()).unwrap()
}

fn checked(signers: &Signers, signature: &[u8]) -> Result<VerifiedKey, Refusal> {
    signers.verify(signature, CONTENT, PURPOSE, &now())
}

fn strings(parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    parts.iter().for_each(|part| put_string(&mut bytes, part));
    bytes
}

/// Returns a signature of a key blob, by what signs the data of it.
fn made(key: &[u8], namespace: &str, message: &[u8], sign: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let blob = |signature: &[u8]| {
        let fields = strings(&[key, namespace.as_bytes(), b"", b"sha512", signature]);
        [b"SSHSIG".as_slice(), &[0, 0, 0, 1], &fields].concat()
    };
    let data = SshSig::read(&blob(b"")).unwrap().signed(message);
    blob(&sign(&data))
}

/// Returns what a hardware key signs.
fn of_hardware(data: &[u8], flags: u8) -> Vec<u8> {
    let mut signed = Sha256::digest(APPLICATION).to_vec();
    signed.extend_from_slice(&[flags, 0, 0, 0, 7]);
    signed.extend_from_slice(&Sha256::digest(data));
    signed
}

/// Returns the line and a signature of an Ed25519 key in hardware.
fn sk_ed25519(flags: u8) -> (String, Vec<u8>) {
    let name = b"sk-ssh-ed25519@openssh.com".as_slice();
    let pair = Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap();
    let key = strings(&[name, pair.public_key().as_ref(), APPLICATION]);
    let sign = |data: &[u8]| {
        let signed = pair.sign(&of_hardware(data, flags));
        [strings(&[name, signed.as_ref()]), vec![flags, 0, 0, 0, 7]].concat()
    };
    (PublicKey::read(&key).unwrap().line(), made(&key, PURPOSE, CONTENT, sign))
}

/// Returns the line and a signature of an ECDSA key in hardware.
fn sk_p256(flags: u8) -> (String, Vec<u8>) {
    let name = b"sk-ecdsa-sha2-nistp256@openssh.com".as_slice();
    let random = SystemRandom::new();
    let pair = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
    let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pair.as_ref(), &random).unwrap();
    let key = strings(&[name, b"nistp256", pair.public_key().as_ref(), APPLICATION]);
    let number = |bytes: &[u8]| {
        let start = bytes.iter().position(|byte| *byte != 0).unwrap();
        let lead: &[u8] = if bytes[start] & 0x80 == 0 { &[] } else { &[0] };
        [lead, &bytes[start..]].concat()
    };
    let sign = |data: &[u8]| {
        let signed = pair.sign(&random, &of_hardware(data, flags)).unwrap();
        let (r, s) = signed.as_ref().split_at(32);
        [strings(&[name, &strings(&[&number(r), &number(s)])]), vec![flags, 0, 0, 0, 7]].concat()
    };
    (PublicKey::read(&key).unwrap().line(), made(&key, PURPOSE, CONTENT, sign))
}

#[test]
fn every_kind_of_key_is_verified() {
    for (key, signature) in [
        (fixture!("ed25519.pub"), fixture!("ed25519.sig")),
        (fixture!("p256.pub"), fixture!("p256.sig")),
        (fixture!("p384.pub"), fixture!("p384.sig")),
        (fixture!("rsa.pub"), fixture!("rsa.sig")),
    ] {
        let verified = checked(&list("", key), signature).unwrap();
        assert_eq!((verified.principal.as_str(), verified.has_user_presence), ("ann", false));
        let plain = plain(signature).unwrap();
        assert_eq!(checked(&list("", key), &plain).unwrap(), verified);
        assert_eq!(armored(&plain).as_bytes(), signature, "the armor is that of ssh-keygen");
    }
    let fingerprint = checked(&list("", fixture!("ed25519.pub")), fixture!("ed25519.sig")).unwrap().fingerprint;
    assert_eq!(fingerprint, "SHA256:kOh12V+EC/6DE4ic6wePltTEGbWuM/4oE4NuWS9n5Kw", "as ssh-keygen -l prints it");
}

#[test]
fn a_key_in_hardware_tells_whether_it_was_touched() {
    for (line, signature, is_touched) in [
        (sk_ed25519(1).0, sk_ed25519(1).1, true),
        (sk_ed25519(0).0, sk_ed25519(0).1, false),
        (sk_ed25519(4).0, sk_ed25519(4).1, false),
    ] {
        assert_eq!(checked(&list("", line.as_bytes()), &signature).unwrap().has_user_presence, is_touched);
    }
    for flags in [0, 1, 5] {
        let (line, signature) = sk_p256(flags);
        let verified = checked(&list("", line.as_bytes()), &signature).unwrap();
        assert_eq!(verified.has_user_presence, flags & 1 == 1);
    }
    // The flag of the touch is signed: setting it afterwards is another signature.
    let (line, mut signature) = sk_ed25519(0);
    let at = signature.len() - 5;
    signature[at] = 1;
    assert_eq!(checked(&list("", line.as_bytes()), &signature), Err(Refusal::Mismatch));
}

#[test]
fn every_altered_or_cut_off_byte_is_refused() {
    let signers = list("", fixture!("ed25519.pub"));
    let signature = plain(fixture!("ed25519.sig")).unwrap();
    for at in 0..signature.len() {
        let mut altered = signature.clone();
        altered[at] ^= 1;
        assert!(checked(&signers, &altered).is_err(), "byte {at}");
        assert!(checked(&signers, &signature[..at]).is_err(), "cut off at {at}");
    }
    let longer = [signature.as_slice(), b"\0"].concat();
    assert!(matches!(checked(&signers, &longer), Err(Refusal::Shape(_))));
    let content = [CONTENT, b"\n"].concat();
    assert_eq!(signers.verify(&signature, &content, PURPOSE, &now()), Err(Refusal::Mismatch));
}

#[test]
fn each_refusal_has_its_own_reason() {
    let ed25519 = fixture!("ed25519.pub");
    let signature = fixture!("ed25519.sig");
    let at = |time: &str| Timestamp::new(time).unwrap();
    let timed = list("valid-after=\"20260101\",valid-before=\"20270101Z\"", ed25519);
    let verify = |signers: &Signers, time: &str| signers.verify(signature, CONTENT, PURPOSE, &at(time)).map(|_| ());
    let cases = [
        (checked(&list("", ed25519), &vec![b'a'; MOST_SIGNATURE_BYTES + 1]).map(|_| ()), "signature-too-long"),
        (checked(&list("", ed25519), b"").map(|_| ()), "signature-shape"),
        (checked(&list("", ed25519), fixture!("foreign.sig")).map(|_| ()), "signature-namespace"),
        (checked(&list("", fixture!("p521.pub")), fixture!("p521.sig")).map(|_| ()), "signature-key-kind"),
        (checked(&list("", fixture!("other.pub")), signature).map(|_| ()), "signer-unlisted"),
        (checked(&Signers::default(), signature).map(|_| ()), "signer-unlisted"),
        (checked(&list("namespaces=\"jury-accept@v1,git\"", ed25519), signature).map(|_| ()), "signer-namespace"),
        (verify(&timed, "2025-12-31T23:59:59Z"), "signer-not-yet"),
        (verify(&timed, "2026-01-01T00:00:00Z"), ""),
        (verify(&timed, "2026-12-31T23:59:59Z"), ""),
        (verify(&timed, "2027-01-01T00:00:00Z"), "signer-expired"),
        (checked(&list("namespaces=\"jury-*\"", ed25519), signature).map(|_| ()), ""),
    ];
    for (result, wanted) in cases {
        let code = result.map_or_else(|refusal| refusal.reason().code(), |()| "");
        assert_eq!(code, wanted);
    }
}

#[test]
fn a_certificate_counts_for_the_names_that_its_authority_may_vouch_for() {
    let authority = |principals: &str, options: &str| {
        let key = str::from_utf8(fixture!("ca.pub")).unwrap();
        Signers::parse(format!("{principals} cert-authority{options} {key}").as_bytes()).unwrap()
    };
    let listed = authority("*@example.com", "");
    let verified = checked(&listed, fixture!("cert.sig")).unwrap();
    assert_eq!(verified.principal, "ann@example.com");
    let plain = checked(&list("", fixture!("ed25519.pub")), fixture!("ed25519.sig")).unwrap();
    assert_eq!(verified.fingerprint, plain.fingerprint, "the key counts as the same with its certificate and without");
    assert!(verified.authority.is_some());
    let late = Timestamp::new("2027-02-01T00:00:00Z").unwrap();
    let early = Timestamp::new("2025-02-01T00:00:00Z").unwrap();
    assert_eq!(listed.verify(fixture!("cert.sig"), CONTENT, PURPOSE, &late), Err(Refusal::Expired));
    assert_eq!(listed.verify(fixture!("cert.sig"), CONTENT, PURPOSE, &early), Err(Refusal::NotYet));
    for signature in [fixture!("cert-nobody.sig"), fixture!("cert-host.sig"), fixture!("cert-option.sig")] {
        assert!(matches!(checked(&listed, signature), Err(Refusal::Certificate(_))));
    }
    assert_eq!(checked(&listed, fixture!("cert-stranger.sig")), Err(Refusal::Principal));
    assert_eq!(checked(&listed, fixture!("cert-other.sig")), Err(Refusal::Unlisted));
    assert_eq!(checked(&authority("*", ",namespaces=\"git\""), fixture!("cert.sig")), Err(Refusal::NotForNamespace));
    // An authority does not sign itself, and a key that is listed without a certificate vouches for none.
    assert_eq!(checked(&list("", fixture!("ca.pub")), fixture!("cert.sig")), Err(Refusal::Unlisted));
    assert_eq!(
        checked(&list("cert-authority", fixture!("ed25519.pub")), fixture!("ed25519.sig")),
        Err(Refusal::Unlisted)
    );
}

#[test]
fn every_altered_byte_of_a_certificate_is_refused() {
    let key = str::from_utf8(fixture!("ca.pub")).unwrap();
    let listed = Signers::parse(format!("* cert-authority {key}").as_bytes()).unwrap();
    let signature = plain(fixture!("cert.sig")).unwrap();
    for at in 0..signature.len() {
        let mut altered = signature.clone();
        altered[at] ^= 1;
        assert!(checked(&listed, &altered).is_err(), "byte {at}");
    }
}

#[test]
fn one_key_under_two_names_is_one_signer() {
    let key = str::from_utf8(fixture!("ed25519.pub")).unwrap();
    let two = Signers::parse(format!("ann {key}\nbob {key}").as_bytes()).unwrap();
    let ann = checked(&two, fixture!("ed25519.sig")).unwrap();
    let bob = VerifiedKey { principal: "bob".to_owned(), ..ann.clone() };
    assert_eq!(distinct([&ann, &bob]).len(), 1);
    let other = VerifiedKey { fingerprint: "SHA256:other".to_owned(), ..ann.clone() };
    assert_eq!(distinct([&ann, &other]).len(), 2);
    // One authority that gives one name two keys, and the first key again.
    let vouched = |key: &VerifiedKey, name: &str| VerifiedKey {
        principal: name.to_owned(),
        authority: Some("SHA256:ca".to_owned()),
        ..key.clone()
    };
    assert_eq!(distinct([&vouched(&ann, "ann"), &vouched(&other, "ann")]).len(), 1);
    assert_eq!(distinct([&vouched(&ann, "ann"), &vouched(&other, "bob")]).len(), 2);
}

#[test]
fn a_raw_signature_counts_by_a_listed_key_alone() {
    let pair = Ed25519KeyPair::from_seed_unchecked(&[9; 32]).unwrap();
    let key = PublicKey::read(&strings(&[b"ssh-ed25519", pair.public_key().as_ref()])).unwrap();
    let signature = pair.sign(CONTENT);
    let raw = |signers: &Signers, content: &[u8]| signers.verify_raw(signature.as_ref(), content, PURPOSE, &now());
    let listed = list("", key.line().as_bytes());
    assert_eq!(raw(&listed, CONTENT).unwrap().fingerprint, key.fingerprint());
    assert_eq!(raw(&listed, b"other"), Err(Refusal::Unlisted));
    assert_eq!(raw(&list("", fixture!("ed25519.pub")), CONTENT), Err(Refusal::Unlisted));
    assert_eq!(raw(&list("namespaces=\"git\"", key.line().as_bytes()), CONTENT), Err(Refusal::NotForNamespace));
    assert_eq!(raw(&list("valid-before=\"20200101\"", key.line().as_bytes()), CONTENT), Err(Refusal::Expired));
}

#[test]
fn a_broken_list_is_refused_with_its_line() {
    let key = str::from_utf8(fixture!("ed25519.pub")).unwrap().trim();
    let rsa = str::from_utf8(fixture!("rsa.pub")).unwrap().trim();
    let good = format!("# people\n\n\"ann b\",bob {key}\ncarol namespaces=\"a,b\",valid-before=\"20300101\" {rsa}\n");
    assert_eq!(Signers::parse(good.as_bytes()).unwrap().keys().count(), 2);
    let (kind, encoded) = key.split_once(' ').unwrap();
    for (line, what) in [
        (format!("ann since=\"2020\" {key}"), "unknown option"),
        (format!("ann namespaces=git {key}"), "quotes"),
        (format!("ann valid-before=\"soon\" {key}"), "no time"),
        (format!("ann valid-before=\"20200101\",valid-before=\"20300101\" {key}"), "twice"),
        (format!("ann valid-after=\"20300101\",valid-before=\"20200101\" {key}"), "not later"),
        (format!("ann namespaces=\"git {key}"), "never closed"),
        (format!("ann cert-authority=\"yes\" {key}"), "unknown option"),
        (format!("ann ecdsa-sha2-nistp256 {encoded}"), "another kind"),
        (format!("ann {kind} {}", &encoded[..28]), "invalid"),
        (format!("ann {kind} !!!"), "base64"),
        ("ann".to_owned(), "expected"),
        (kind.to_owned(), "expected"),
    ] {
        let error = Signers::parse(format!("# one\n{line}\n").as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("line 2: "), "{line}: {error}");
        assert!(error.contains(what), "{line}: {error}");
    }
    assert_eq!(Signers::parse(b"\xff"), Err(SignersError::NotUtf8));
    assert!(matches!(Signers::parse(&vec![b'#'; MOST_LIST_BYTES + 1]), Err(SignersError::TooLarge { .. })));
    let many = format!("ann {key}\n").repeat(MOST_SIGNERS + 1);
    assert!(matches!(Signers::parse(many.as_bytes()), Err(SignersError::TooLarge { .. })));
    let long = format!("{} {key}", "a".repeat(MOST_LINE_BYTES));
    assert!(matches!(Signers::parse(long.as_bytes()), Err(SignersError::Line { line: 1, .. })));
}
