//! Signed verdicts against the verifiers of others: they take what `jury attest` writes, and refuse what is broken. `ssh-keygen` is Debian's own,
//! `securesystemslib` and `in-toto-attestation` come from the registry of Python, cosign from Debian's unstable branch (its package needs
//! nothing but the C library). What cannot be had fails the test by its name.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use jury_testkit::repo::Repo;
use serde_json::Value;

use crate::binary::jury;
use crate::docs;

const PYTHON: &[&str] = &["securesystemslib[crypto]==1.6.0", "in-toto-attestation==0.9.3"];
/// Exits with 0 if both libraries take the envelope: its signature by the key, its statement with one subject.
const CHECK: &str = r#"
import json, sys
from google.protobuf import json_format
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
import in_toto_attestation.v1.statement as statement
import in_toto_attestation.v1.statement_pb2 as pb

envelope = Envelope.from_dict(json.load(open(sys.argv[1])))
# Jury names no key, and the library takes an empty id for none of its own.
public = SSlibKey.from_crypto(load_pem_public_key(open(sys.argv[2], "rb").read()))
key = SSlibKey("", public.keytype, public.scheme, public.keyval)
envelope.verify([key], 1)
stated = json_format.Parse(envelope.payload, pb.Statement())
statement.Statement.copy_from_pb(stated).validate()
assert len(stated.subject) == 1 and stated.subject[0].digest["gitTree"] == sys.argv[3]
"#;

fn place(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn run(program: &str, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(program).args(arguments).current_dir(folder).stdin(Stdio::null()).output();
    let output = output.unwrap_or_else(|error| panic!("this test needs `{program}`: {error}"));
    assert!(output.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints text")
}

fn works(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Returns the lines of a block of docs/attest.md, as they are printed there; each has to succeed.
fn steps(name: &str) -> String {
    let page = docs::pages().into_iter().find(|(path, _)| path == "docs/attest.md").expect("the page is there").1;
    let kind = format!("sh {name}");
    let block = docs::blocks(&page).into_iter().find(|block| block.kind == kind).expect("the block is there");
    format!("set -e\n{}", block.lines.join("\n"))
}

/// A branch whose gate is clear, with a key in both forms that the base lists.
fn reviewed() -> Repo {
    let folder = Repo::with(&[("README.md", "# A\n")]);
    let root = folder.root();
    run("ssh-keygen", &["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", ".git/ssh"], root);
    run("openssl", &["genpkey", "-algorithm", "ed25519", "-out", ".git/raw.pem"], root);
    run("openssl", &["pkey", "-in", ".git/raw.pem", "-pubout", "-out", ".git/raw.pub.pem"], root);
    let der = run("sh", &["-c", "openssl pkey -in .git/raw.pem -pubout -outform DER | tail -c 32 | base64"], root);
    let blob = format!("printf '\\0\\0\\0\\013ssh-ed25519\\0\\0\\0\\040'; echo {} | base64 -d", der.trim());
    let raw = run("sh", &["-c", &format!("({blob}) | base64 -w 0")], root);
    let ssh = fs::read_to_string(root.join(".git/ssh.pub")).expect("it was made");
    folder.write(".jury/signers", format!("ann@example.org {ssh}raw@example.org ssh-ed25519 {raw}\n"));
    folder.write("jury.toml", "[attest]\nsoftware_keys = true\n");
    folder.commit("People");
    folder.git(["switch", "--quiet", "--create", "work"]);
    folder.write("src/two.ts", "export const two = 2;\n");
    folder.commit("Two");
    assert!(works(jury(&["review"]).current_dir(folder.root())), "the change is clear");
    folder
}

/// Signs, and returns the envelope that is exported.
fn signed(repo: &Repo, arguments: &[&str]) -> Value {
    let attested = jury(&[&["attest"], arguments].concat()).current_dir(repo.root()).output().expect("it starts");
    assert!(attested.status.success(), "{}", String::from_utf8_lossy(&attested.stderr));
    let exported = jury(&["attest", "export"]).current_dir(repo.root()).output().expect("it starts");
    let text = String::from_utf8(exported.stdout).expect("it is text");
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).expect("a line is an envelope")
}

/// The tree of HEAD.
fn tree(repo: &Repo) -> String {
    run("git", &["rev-parse", "HEAD^{tree}"], repo.root()).trim().to_owned()
}

/// Returns broken envelopes: another payload, another signature.
fn broken(envelope: &Value) -> Vec<Value> {
    let other = |edit: &dyn Fn(&mut Value)| {
        let mut envelope = envelope.clone();
        edit(&mut envelope);
        envelope
    };
    let swapped = |value: &mut Value, from: &str, to: &str| {
        let text = value.as_str().expect("it is text").replacen(from, to, 1);
        assert_ne!(value.as_str(), Some(text.as_str()), "the text has {from}");
        *value = Value::String(text);
    };
    vec![
        // The first letters of the payload are those of every statement.
        other(&|it| swapped(&mut it["payload"], "eyJ", "eyK")),
        other(&|it| {
            let sig = it["signatures"][0]["sig"].as_str().expect("it is text").to_owned();
            let at = sig.len() / 2;
            let letter = if &sig[at..=at] == "A" { "B" } else { "A" };
            it["signatures"][0]["sig"] = Value::String(format!("{}{letter}{}", &sig[..at], &sig[at + 1..]));
        }),
    ]
}

#[test]
fn ssh_keygen_takes_a_verdict_and_refuses_a_broken_one() {
    let repo = reviewed();
    let envelope = signed(&repo, &["--key", ".git/ssh"]);
    let steps = steps("ssh-keygen");
    let is_taken = |envelope: &Value, namespace: &str| {
        fs::write(repo.root().join("envelope"), envelope.to_string()).expect("it is ours");
        works(Command::new("sh").args(["-c", &steps.replace("jury-verdict@v1", namespace)]).current_dir(repo.root()))
    };
    assert!(is_taken(&envelope, "jury-verdict@v1"));
    assert!(!is_taken(&envelope, "git"));
    for broken in broken(&envelope) {
        assert!(!is_taken(&broken, "jury-verdict@v1"), "{broken}");
    }
    repo.commit("Another tree");
    assert!(!is_taken(&envelope, "jury-verdict@v1"), "of another tree");
}

#[test]
fn securesystemslib_and_in_toto_take_a_verdict_and_refuse_a_broken_one() {
    let programs = jury_testkit::python::environment(&place("verifiers-python"), PYTHON);
    let repo = reviewed();
    let (envelope, tree) = (signed(&repo, &["--raw", "--key", ".git/raw.pem"]), tree(&repo));
    let is_taken = |envelope: &Value, tree: &str| {
        fs::write(repo.root().join(".git/envelope"), envelope.to_string()).expect("it is ours");
        let mut python = Command::new(programs.join("python"));
        let arguments = ["-c", CHECK, ".git/envelope", ".git/raw.pub.pem", tree];
        works(python.args(arguments).current_dir(repo.root()).stdin(Stdio::null()))
    };
    assert!(is_taken(&envelope, &tree));
    assert!(!is_taken(&envelope, &"0".repeat(40)));
    for broken in broken(&envelope) {
        assert!(!is_taken(&broken, &tree), "{broken}");
    }
}

/// Takes cosign out of the package of Debian's unstable branch, from the mirror that this machine is set up for; made once.
fn cosign() -> PathBuf {
    let place = place("verifiers-cosign");
    fs::create_dir_all(&place).unwrap_or_else(|error| panic!("{}: {error}", place.display()));
    let lock = fs::File::create(place.join("lock")).expect("the folder is ours");
    lock.lock().expect("a file of ours can be locked");
    let program = place.join("x/usr/bin/cosign");
    if works(Command::new(&program).arg("version")) {
        return program;
    }
    let steps = r#"set -e
        mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep '/debian/$' | head -1)
        mirror=${mirror%/}
        architecture=$(dpkg --print-architecture)
        curl -fsS --retry 3 -o Packages.xz "$mirror/dists/unstable/main/binary-$architecture/Packages.xz"
        xzcat Packages.xz | sed -n '/^Package: cosign$/,/^$/p' > package
        curl -fsS --retry 3 -o cosign.deb "$mirror/$(sed -n 's/^Filename: //p' package)"
        echo "$(sed -n 's/^SHA256: //p' package)  cosign.deb" | sha256sum --check --quiet
        dpkg-deb -x cosign.deb x"#;
    _ = Command::new("sh").args(["-c", steps]).current_dir(&place).stdin(Stdio::null()).output();
    let is_there = works(Command::new(&program).arg("version"));
    assert!(
        is_there,
        "this test needs the package `cosign` of Debian's unstable branch, which could not be had or run"
    );
    program
}

#[test]
fn cosign_takes_a_verdict_and_refuses_a_broken_one() {
    let cosign = cosign();
    let repo = reviewed();
    let (envelope, tree) = (signed(&repo, &["--raw", "--key", ".git/raw.pem"]), tree(&repo));
    fs::copy(repo.root().join(".git/raw.pub.pem"), repo.root().join("ann.pem")).expect("it was made");
    let folder = cosign.parent().expect("it lies in a folder").display().to_string();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let steps = steps("cosign");
    let is_taken = |envelope: &Value, tree: &str| {
        fs::write(repo.root().join("envelope"), envelope.to_string()).expect("it is ours");
        let steps = steps.replace("$(git rev-parse 'HEAD^{tree}')", tree);
        let mut shell = Command::new("sh");
        shell.args(["-c", &steps]).current_dir(repo.root()).stdin(Stdio::null());
        works(shell.env("PATH", &path).env("HOME", repo.root().join(".git")))
    };
    assert!(is_taken(&envelope, &tree));
    assert!(!is_taken(&envelope, &"0".repeat(40)));
    for broken in broken(&envelope) {
        assert!(!is_taken(&broken, &tree), "{broken}");
    }
}
