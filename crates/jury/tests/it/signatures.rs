//! Signatures against OpenSSH itself: what `signing` makes is verified by `ssh-keygen`, and what either refuses the other refuses, too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use jury::model::Timestamp;
use jury::signature::{PublicKey, Refusal, Signers, armored};
use jury::signing::{Key, agent_keys, sign};

const PURPOSE: &str = "jury-verdict@v1";

fn now() -> Timestamp {
    Timestamp::new("2026-06-01T12:00:00Z").expect("it is a time")
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("jury-signatures-{}-{name}", std::process::id()));
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// Makes a key, and returns the line of its public part.
fn key(folder: &Path, name: &str, kind: &[&str]) -> String {
    let file = folder.join(name);
    let made = Command::new("ssh-keygen").args(["-q", "-N", "", "-C", name, "-f"]).arg(&file).args(kind).status();
    assert!(made.expect("ssh-keygen is installed").success());
    fs::read_to_string(folder.join(format!("{name}.pub"))).expect("ssh-keygen wrote it")
}

/// Asks `ssh-keygen` whether a signature counts by a list.
fn accepted_by_openssh(folder: &Path, list: &str, signature: &[u8], message: &[u8], at: &str) -> bool {
    let (signers, file, content) = (folder.join("signers"), folder.join("sig"), folder.join("message"));
    fs::write(&signers, list).expect("the folder can be written to");
    fs::write(&file, armored(signature)).expect("the folder can be written to");
    fs::write(&content, message).expect("the folder can be written to");
    let checked = Command::new("ssh-keygen")
        .args(["-Y", "verify", "-n", PURPOSE, "-I", "ann", "-O", &format!("verify-time={at}"), "-f"])
        .arg(&signers)
        .arg("-s")
        .arg(&file)
        .stdin(fs::File::open(&content).expect("it was written"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    checked.expect("ssh-keygen is installed").success()
}

#[test]
fn openssh_and_jury_agree() {
    let folder = folder("agree");
    for (name, kind) in [
        ("ed25519", &["-t", "ed25519"] as &[&str]),
        ("p256", &["-t", "ecdsa", "-b", "256"]),
        ("p384", &["-t", "ecdsa", "-b", "384"]),
        ("rsa", &["-t", "rsa", "-b", "2048"]),
    ] {
        let line = key(&folder, name, kind);
        let signature = sign(&Key::File(folder.join(name)), PURPOSE, b"content", false).expect("the key signs");
        let foreign = sign(&Key::File(folder.join(name)), "file", b"content", false).expect("the key signs");
        let mut broken = signature.clone();
        *broken.last_mut().expect("it is not empty") ^= 1;
        for (options, signature, message, is_good) in [
            ("", &signature, b"content".as_slice(), true),
            ("namespaces=\"jury-*\" ", &signature, b"content", true),
            ("namespaces=\"git,file\" ", &signature, b"content", false),
            ("namespaces=\"jury-*,!jury-verdict@v1\" ", &signature, b"content", false),
            ("valid-after=\"20260101Z\",valid-before=\"20270101Z\" ", &signature, b"content", true),
            ("valid-after=\"20270101Z\" ", &signature, b"content", false),
            ("valid-before=\"20260101Z\" ", &signature, b"content", false),
            ("cert-authority ", &signature, b"content", false),
            ("", &signature, b"Content", false),
            ("", &foreign, b"content", false),
            ("", &broken, b"content", false),
        ] {
            let list = format!("ann {options}{line}");
            let signers = Signers::parse(list.as_bytes()).expect("the list is of the form");
            let verified = signers.verify(signature, message, PURPOSE, &now());
            assert_eq!(verified.is_ok(), is_good, "{name}: {list}: {verified:?}");
            assert_eq!(
                accepted_by_openssh(&folder, &list, signature, message, "20260601120000Z"),
                is_good,
                "{name}: {list}"
            );
        }
    }
    fs::remove_dir_all(&folder).expect("it was made here");
}

#[test]
fn a_key_of_the_agent_signs() {
    let folder = folder("agent");
    let line = key(&folder, "key", &["-t", "ed25519"]);
    let public = PublicKey::of_line(&line).expect("it is a key");
    // Without its private part the key signs nothing.
    fs::rename(folder.join("key"), folder.join("away")).expect("it was made here");
    let refused = sign(&Key::Agent(public.clone()), PURPOSE, b"content", false);
    assert!(refused.is_err(), "{refused:?}");
    assert!(agent_keys().is_err() || agent_keys().is_ok_and(|keys| !keys.contains(&public)));
    assert_eq!(
        Signers::parse(line.as_bytes()).map(|signers| signers.is_empty()).ok(),
        None,
        "a line needs a principal"
    );
    let signers = Signers::parse(format!("ann {line}").as_bytes()).expect("the list is of the form");
    assert!(matches!(signers.verify(b"", b"content", PURPOSE, &now()), Err(Refusal::Shape(_))));
    fs::remove_dir_all(&folder).expect("it was made here");
}
