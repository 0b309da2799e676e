//! Signed verdicts: FAULTS row 24, a test for each word, each with its own reason code; and clones that open on them, or do not.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jury::attestation::{
    Attested, CloneFacts, NAMESPACE, PAYLOAD_TYPE, Rules, Standing, Stored, pae, standing, statement, write,
};
use jury::clone_facts::clone_facts;
use jury::flows::accept::{AcceptRequest, accept};
use jury::flows::attest::{AttestError, AttestRequest, AttestedNow, attest};
use jury::flows::attested::{AttestedView, attested};
use jury::flows::gate::{Subject, gate};
use jury::flows::review::{ReviewRequest, review};
use jury::model::{Day, Outcome, PatchId, Timestamp, TreeId, Waiver};
use jury::panel::AskOptions;
use jury::record::RecordId;
use jury::scope::{self, Repository};
use jury::signature::Signers;
use jury::signing::{Key, sign};
use jury::store::{StateDirs, Store};
use jury_testkit::repo::Repo;
use ring::signature::{Ed25519KeyPair, KeyPair as _};

const NOW: &str = "2026-06-01T12:00:00Z";
const POLICY: &str = "[attest]\nsoftware_keys = true\n";

fn at(time: &str) -> Timestamp {
    Timestamp::new(time).expect("it is a time")
}

/// A key of these tests. Its private part is its number.
fn pair(number: u8) -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(&[number; 32]).expect("a seed has 32 bytes")
}

/// Returns the public key as a list of signers has it.
fn line(number: u8) -> String {
    let string = |bytes: &[u8]| [&(bytes.len() as u32).to_be_bytes(), bytes].concat();
    let blob = [string(b"ssh-ed25519"), string(pair(number).public_key().as_ref())].concat();
    format!("ssh-ed25519 {}", STANDARD.encode(blob))
}

/// Writes the private key, as PKCS #8, beside the repository.
fn key_file(repo: &Repo, number: u8) -> PathBuf {
    const HEAD: &[u8] = &[0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
    let der = [HEAD, &[number; 32]].concat();
    let path = repo.root().join(".git").join(format!("key-{number}.pem"));
    let pem = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", STANDARD.encode(der));
    fs::write(&path, pem).expect("the git folder is there");
    path
}

fn open(repo: &Repo) -> (Repository, Store) {
    let repository = Repository::discover(repo.root()).expect("the repository was just made");
    let store = Store::open(StateDirs {
        worktree: repository.root().to_path_buf(),
        git_dir: repository.git_dir().to_path_buf(),
        common_dir: repository.common_dir().to_path_buf(),
    });
    (repository, store.expect("its folders are there"))
}

/// A branch `work` with a change on a base that lists the keys 1 and 2.
fn repo_with(policy: &str) -> Repo {
    let signers = format!("ann {}\nbob {}\n", line(1), line(2));
    let repo =
        Repo::with(&[("src/one.ts", "export const one = 1;\n"), (".jury/signers", &signers), ("jury.toml", policy)]);
    repo.git(["checkout", "--quiet", "-b", "work"]);
    repo.write("src/two.ts", "export const two = 2;\n");
    repo.commit("Two");
    repo
}

fn reviewed(repo: &Repo) {
    let (repository, store) = open(repo);
    let request = ReviewRequest {
        scope: scope::Request::Changeset { base: None },
        options: AskOptions::default(),
        now: at(NOW),
        is_saved: true,
    };
    review(&repository, &store, &request, &mut |_| {}).expect("the change can be reviewed");
}

/// Signs the verdict of HEAD with a key.
fn signed_by(repo: &Repo, number: u8) -> Result<AttestedNow, AttestError> {
    signed_with(repo, number, false)
}

/// Signs the verdict of HEAD with a key; the record may travel along.
fn signed_with(repo: &Repo, number: u8, with_record: bool) -> Result<AttestedNow, AttestError> {
    let (repository, store) = open(repo);
    let view = gate(&repository, &store, None, Subject::Head, &at(NOW)).expect("the state is sound");
    let request = AttestRequest {
        base: None,
        key: Some(key_file(repo, number)),
        is_raw: true,
        with_record,
        days: 30,
        is_attended: false,
        push: None,
        now: at(NOW),
    };
    attest(&repository, &store, &view, &request, &mut |_| {})
}

/// Looks at a clone as CI does.
fn looked(repo: &Repo, base: Option<&str>, time: &str) -> AttestedView {
    let (repository, store) = open(repo);
    attested(&repository, &store, base, false, &at(time)).expect("the clone can be looked at")
}

/// Looks at a clone as CI does, and judges the record that travels along again.
fn looked_at_record(repo: &Repo) -> AttestedView {
    let (repository, store) = open(repo);
    attested(&repository, &store, None, true, &at(NOW)).expect("the clone can be looked at")
}

/// A fresh clone of HEAD, with the signed verdicts.
fn ci(repo: &Repo) -> Repo {
    let clone = Repo::clone_of(repo, &["--quiet", "--branch", "work"]);
    clone.git(["fetch", "--quiet", "origin", "refs/jury/*:refs/jury/*"]);
    clone
}

/// The reasons for which something was refused, in order.
fn reasons(standing: &Standing) -> Vec<&'static str> {
    standing.refused.iter().map(|refused| refused.refusal.reason().code()).collect()
}

/// A verdict that counts, with the facts and rules of its clone.
struct Honest {
    repo: Repo,
    attested: Attested,
    facts: CloneFacts,
    rules: Rules,
}

fn honest() -> Honest {
    let repo = repo_with(POLICY);
    reviewed(&repo);
    let attested = signed_by(&repo, 1).expect("the gate is clear").attested;
    let (repository, _) = open(&repo);
    let clone =
        clone_facts(&repository, None, &at(NOW), &BTreeSet::new()).expect("it can be read").expect("nothing is staged");
    Honest { attested, facts: clone.facts, rules: clone.rules, repo }
}

fn stored(tree: &TreeId, bytes: Vec<u8>) -> Stored {
    Stored { tree: tree.to_string(), digest: RecordId::of(&bytes).to_string(), bytes: Some(bytes) }
}

/// Returns the signature of a statement by a key.
fn raw(statement: &[u8], number: u8) -> Vec<u8> {
    pair(number).sign(&pae(PAYLOAD_TYPE, statement)).as_ref().to_vec()
}

/// Returns what a statement, signed by the key 1 as honestly as can be, amounts to.
fn judged(honest: &Honest, attested: &Attested) -> Vec<&'static str> {
    let payload = statement(attested);
    let envelope = stored(&attested.tree, write(&payload, &[raw(&payload, 1)]));
    reasons(&standing(&[envelope], &honest.facts, &honest.rules))
}

/// Returns what an edited envelope of the honest statement amounts to.
fn edited(honest: &Honest, edit: impl Fn(String) -> String) -> Vec<&'static str> {
    let payload = statement(&honest.attested);
    let bytes = String::from_utf8(write(&payload, &[raw(&payload, 1)])).expect("it is JSON");
    let envelope = stored(&honest.attested.tree, edit(bytes).into_bytes());
    reasons(&standing(&[envelope], &honest.facts, &honest.rules))
}

/// Returns what an edited statement amounts to, signed anew.
fn restated(honest: &Honest, edit: impl Fn(String) -> String) -> Vec<&'static str> {
    let payload = edit(String::from_utf8(statement(&honest.attested)).expect("it is JSON")).into_bytes();
    let envelope = stored(&honest.attested.tree, write(&payload, &[raw(&payload, 1)]));
    reasons(&standing(&[envelope], &honest.facts, &honest.rules))
}

#[test]
fn a_fresh_clone_opens_on_the_verdict_alone() {
    let Honest { repo, .. } = honest();
    let clone = ci(&repo);
    let AttestedView { view, standing, .. } = looked(&clone, None, NOW);
    assert_eq!((view.gate.outcome, standing.keys, reasons(&standing)), (Outcome::Clear, 1, vec![]));
    // Without the refs, with one byte more, and with something staged, it stays closed.
    let bare = Repo::clone_of(&repo, &["--quiet", "--branch", "work"]);
    assert_eq!(looked(&bare, None, NOW).view.gate.outcome, Outcome::Incomplete);
    clone.write("src/two.ts", "export const two = 2; \n");
    assert_eq!(looked(&clone, None, NOW).view.gate.outcome, Outcome::Incomplete);
    clone.git(["add", "src"]);
    assert_eq!(looked(&clone, None, NOW).view.gate.outcome, Outcome::Incomplete);
    clone.commit("A blank");
    let late = looked(&clone, None, NOW);
    assert_eq!((late.view.gate.outcome, late.standing.counted.len()), (Outcome::Incomplete, 0));
}

#[test]
fn a_squash_merge_and_a_stacked_change_keep_it() {
    let Honest { repo, .. } = honest();
    // A merge queue squashes the branch onto main: another commit, the same tree.
    let clone = ci(&repo);
    clone.git(["checkout", "--quiet", "-b", "queue", "origin/main"]);
    clone.git(["merge", "--quiet", "--squash", "origin/work"]);
    clone.git(["commit", "--quiet", "-m", "Two (#1)"]);
    let queued = looked(&clone, Some("origin/main"), NOW);
    assert_eq!((queued.view.gate.outcome, reasons(&queued.standing)), (Outcome::Clear, vec![]));
    // A change on top of it, reviewed against it; then the one below is merged by squash.
    repo.git(["checkout", "--quiet", "-b", "on-top"]);
    repo.write("src/three.ts", "export const three = 3;\n");
    repo.git(["add", "src"]);
    repo.commit_index("Three");
    let (repository, store) = open(&repo);
    let request = ReviewRequest {
        scope: scope::Request::Changeset { base: Some("work".to_owned()) },
        options: AskOptions::default(),
        now: at(NOW),
        is_saved: true,
    };
    review(&repository, &store, &request, &mut |_| {}).expect("the change can be reviewed");
    let view = gate(&repository, &store, Some("work"), Subject::Head, &at(NOW)).expect("the state is sound");
    let request = AttestRequest {
        base: Some("work".to_owned()),
        key: Some(key_file(&repo, 1)),
        is_raw: true,
        with_record: false,
        days: 30,
        is_attended: false,
        push: None,
        now: at(NOW),
    };
    attest(&repository, &store, &view, &request, &mut |_| {}).expect("the gate is clear");
    repo.git(["checkout", "--quiet", "main"]);
    repo.git(["merge", "--quiet", "--squash", "work"]);
    repo.git(["commit", "--quiet", "-m", "Two (#1)"]);
    repo.git(["checkout", "--quiet", "-b", "rebased", "main"]);
    repo.git(["cherry-pick", "on-top"]);
    let rebased = looked(&repo, Some("main"), NOW);
    assert_eq!((rebased.view.gate.outcome, reasons(&rebased.standing)), (Outcome::Clear, vec![]));
}

#[test]
fn only_a_clear_gate_is_signed() {
    let repo = repo_with(POLICY);
    assert!(matches!(signed_by(&repo, 1), Err(AttestError::Closed(Outcome::Incomplete))), "nothing was reviewed");
    reviewed(&repo);
    repo.write("src/two.ts", "export const two = 22;\n");
    assert!(matches!(signed_by(&repo, 1), Err(AttestError::Closed(Outcome::Incomplete))), "another tree");
    repo.git(["checkout", "--quiet", "src/two.ts"]);
    assert!(signed_by(&repo, 1).is_ok());

    let observing = repo_with(&format!("{POLICY}[policy]\nmode = \"observe\"\n"));
    reviewed(&observing);
    assert!(matches!(signed_by(&observing, 1), Err(AttestError::Observed)));
}

#[test]
fn a_replay_elsewhere_is_refused() {
    let honest = honest();
    // The same tree on a branch that goes elsewhere.
    let Honest { repo, attested, rules, .. } = &honest;
    repo.git(["checkout", "--quiet", "-b", "release", "main"]);
    repo.write("src/one.ts", "export const one = 0;\n");
    repo.git(["add", "src"]);
    repo.commit_index("Another past");
    repo.git(["checkout", "--quiet", "-b", "work-on-release"]);
    repo.git(["checkout", "work", "--", "."]);
    repo.commit_index("The same tree");
    let elsewhere = looked(repo, Some("release"), NOW);
    assert_eq!(reasons(&elsewhere.standing), ["attestation-base"]);
    assert_eq!(elsewhere.view.gate.outcome, Outcome::Incomplete);

    // An old base, which hides part of the change: its patch is another one.
    let hiding = Attested { patch: PatchId::new(&"a".repeat(64)).unwrap(), ..attested.clone() };
    assert_eq!(judged(&honest, &hiding), ["attestation-base"]);
    // Another repository with the same tree.
    let other = Attested { repository: "0".repeat(40), ..attested.clone() };
    assert_eq!(judged(&honest, &other), ["attestation-repository"]);
    // Another tree under the name of this one.
    let tree = TreeId::new(&"b".repeat(40)).unwrap();
    assert_eq!(judged(&honest, &Attested { tree: tree.clone(), ..attested.clone() }), ["attestation-tree"]);
    let payload = statement(&Attested { tree, ..attested.clone() });
    let renamed = stored(&attested.tree, write(&payload, &[raw(&payload, 1)]));
    assert_eq!(reasons(&standing(&[renamed], &honest.facts, rules)), ["attestation-name"]);
    // Same ids of git, other bytes: the stand-in for a collision of SHA-1.
    let mut collided = attested.clone();
    collided.content.sha256 = "c".repeat(64);
    assert_eq!(judged(&honest, &collided), ["attestation-content"]);
}

#[test]
fn other_rules_and_other_times_are_refused() {
    let honest = honest();
    let Honest { attested, facts, rules, .. } = &honest;
    let mut other = attested.clone();
    other.policies[0].sha256 = "d".repeat(64);
    assert_eq!(judged(&honest, &other), ["attestation-policy"]);
    let fewer = Attested { conditions: attested.conditions[1..].to_vec(), ..attested.clone() };
    assert_eq!(judged(&honest, &fewer), ["attestation-conditions"]);
    let waiver = Waiver {
        finding: "security-3213ecb0-2".to_owned(),
        reason: "ours".to_owned(),
        author: "Lee".to_owned(),
        expires: Day::new("2026-07-01").unwrap(),
    };
    let waived = Attested { waivers: vec![waiver.clone()], ..attested.clone() };
    assert_eq!(judged(&honest, &waived), ["attestation-waiver"]);
    let accepted = Attested { acceptances: vec!["e".repeat(64)], ..attested.clone() };
    assert_eq!(judged(&honest, &accepted), ["attestation-acceptance"]);
    let of_models = Attested { models: vec!["qa".to_owned()], ..attested.clone() };
    assert_eq!(judged(&honest, &of_models), ["attestation-models"]);

    // What the base has is taken.
    let envelope = |attested: &Attested| {
        let payload = statement(attested);
        [stored(&attested.tree, write(&payload, &[raw(&payload, 1)]))]
    };
    let with_waiver = CloneFacts { waivers: vec![waiver], ..facts.clone() };
    assert_eq!(standing(&envelope(&waived), &with_waiver, rules).keys, 1);
    let with_acceptance = CloneFacts { acceptances: BTreeSet::from(["e".repeat(64)]), ..facts.clone() };
    assert_eq!(standing(&envelope(&accepted), &with_acceptance, rules).keys, 1);
    let with_models = Rules { attested_models: true, ..rules.clone() };
    assert_eq!(standing(&envelope(&of_models), facts, &with_models).keys, 1);
    // A base that asks models takes no verdict without them, either.
    let asking = CloneFacts { models: vec!["qa".to_owned()], ..facts.clone() };
    assert_eq!(reasons(&standing(&envelope(attested), &asking, rules)), ["attestation-models"]);

    for (time, wanted) in [
        ("2026-06-01T11:50:00Z", &["attestation-not-yet"][..]),
        ("2026-06-01T11:58:00Z", &[]),
        ("2026-07-01T12:00:00Z", &[]),
        ("2026-07-01T12:00:01Z", &["attestation-expired"]),
    ] {
        let rules = Rules { now: at(time), ..rules.clone() };
        assert_eq!(reasons(&standing(&envelope(attested), facts, &rules)), wanted, "{time}");
    }
    // A clock that runs behind the base does not bring a verdict back: commits here are of 2026-02-16.
    let (repository, _) = open(&honest.repo);
    let clone = clone_facts(&repository, None, &at("2020-01-01T00:00:00Z"), &BTreeSet::new()).unwrap().unwrap();
    assert_eq!(clone.rules.now, at("2026-02-16T00:00:00Z"));
}

#[test]
fn other_keys_are_refused() {
    let honest = honest();
    let Honest { attested, facts, rules, .. } = &honest;
    let payload = statement(attested);
    let by = |signatures: &[Vec<u8>], rules: &Rules| {
        standing(&[stored(&attested.tree, write(&payload, signatures))], facts, rules)
    };
    assert_eq!(reasons(&by(&[raw(&payload, 3)], rules)), ["signer-unlisted"]);
    assert_eq!(reasons(&by(&[raw(b"another statement", 1)], rules)), ["signer-unlisted"]);
    let listed = |list: String| Rules { signers: Signers::parse(list.as_bytes()).unwrap(), ..rules.clone() };
    let for_git = listed(format!("ann namespaces=\"git\" {}", line(1)));
    assert_eq!(reasons(&by(&[raw(&payload, 1)], &for_git)), ["signer-namespace"]);
    let ended = listed(format!("ann valid-before=\"20260101\" {}", line(1)));
    assert_eq!(reasons(&by(&[raw(&payload, 1)], &ended)), ["signer-expired"]);
    let early = listed(format!("ann valid-after=\"20270101\" {}", line(1)));
    assert_eq!(reasons(&by(&[raw(&payload, 1)], &early)), ["signer-not-yet"]);
    let strict = Rules { software_keys: false, ..rules.clone() };
    assert_eq!(reasons(&by(&[raw(&payload, 1)], &strict)), ["attestation-touch"]);

    // Two keys have to sign: one key twice is one, under two names is one, in two envelopes is one.
    let two = Rules { threshold: 2, ..rules.clone() };
    assert!(by(&[raw(&payload, 1), raw(&payload, 2)], &two).is_enough());
    let one_key = by(&[raw(&payload, 1), raw(&payload, 1)], &two);
    assert_eq!((one_key.is_enough(), reasons(&one_key)), (false, vec!["attestation-same-key"]));
    let named_twice = Rules { threshold: 2, ..listed(format!("ann {}\nbob {}", line(1), line(1))) };
    let two_names = by(&[raw(&payload, 1), raw(&payload, 1)], &named_twice);
    assert_eq!((two_names.is_enough(), reasons(&two_names)), (false, vec!["attestation-same-key"]));
    let again = statement(&Attested { review_id: "00000000".to_owned(), ..attested.clone() });
    let twice = [
        stored(&attested.tree, write(&payload, &[raw(&payload, 1)])),
        stored(&attested.tree, write(&again, &[raw(&again, 1)])),
    ];
    let counted = standing(&twice, facts, &two);
    assert_eq!((counted.counted.len(), counted.keys, counted.is_enough()), (2, 1, false));
    assert_eq!(reasons(&counted), ["attestation-same-key"]);
    // Where one key is enough, the second verdict of the same person is nothing to complain of.
    assert_eq!(reasons(&standing(&twice, facts, rules)), [""; 0]);

    // SSHSIG in the namespace, and in another one.
    let (repository, _) = open(&honest.repo);
    let folder = repository.git_dir().join("keys");
    fs::create_dir_all(&folder).unwrap();
    let made = std::process::Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "", "-f"])
        .arg(folder.join("key"))
        .status();
    assert!(made.expect("ssh-keygen is installed").success());
    let public = fs::read_to_string(folder.join("key.pub")).unwrap();
    let ssh = listed(format!("ann {public}"));
    let signed = |namespace: &str| {
        sign(&Key::File(folder.join("key")), namespace, &pae(PAYLOAD_TYPE, &payload), false).expect("it signs")
    };
    assert_eq!(by(&[signed(NAMESPACE)], &ssh).keys, 1);
    assert_eq!(reasons(&by(&[signed("git")], &ssh)), ["signature-namespace"]);
    let mut broken = signed(NAMESPACE);
    *broken.last_mut().unwrap() ^= 1;
    assert_eq!(reasons(&by(&[broken], &ssh)), ["signature-mismatch"]);
}

#[test]
fn another_envelope_is_refused() {
    let honest = honest();
    let replace = |from: &'static str, to: &'static str| move |text: String| text.replacen(from, to, 1);
    for (edit, wanted) in [
        (("", ""), &[][..]),
        (("application/vnd.in-toto+json", "application/vnd.in-toto+xml"), &["attestation-payload-type"]),
        (("\"keyid\":\"\"", "\"keyid\":\"SHA256:bob\""), &["attestation-key-id"]),
        (("{\"payloadType\"", "{\"payload2\":\"e30=\",\"payloadType\""), &["attestation-shape"]),
        (("\"payload\":", "\"payload\":\"e30=\",\"payload\":"), &["attestation-shape"]),
        (("\"signatures\":", " \"signatures\":"), &["attestation-shape"]),
        (("\"sig\":\"", "\"sig\":\"!"), &["attestation-shape"]),
        (("\"keyid\":\"\",", ""), &["attestation-shape"]),
    ] {
        assert_eq!(edited(&honest, replace(edit.0, edit.1)), wanted, "{edit:?}");
    }
    assert_eq!(edited(&honest, |_| "x".repeat(1_000_000)), ["attestation-too-long"]);
    assert_eq!(edited(&honest, |_| String::new()), ["attestation-shape"]);
    assert_eq!(edited(&honest, |_| "[".repeat(60_000)), ["attestation-shape"]);
    let second = |text: String| {
        let start = text.find("\"subject\":[").unwrap() + "\"subject\":[".len();
        let end = text.find("],\"predicateType\"").unwrap();
        let subject = text[start..end].to_owned();
        text.replacen(&subject, &format!("{subject},{subject}"), 1)
    };
    assert_eq!(restated(&honest, second), ["attestation-subjects"]);
    for (edit, wanted) in [
        (("", ""), &[][..]),
        (("Statement/v1", "Statement/v0.1"), &["attestation-predicate"]),
        (("svr/v0.2", "svr/v0.1"), &["attestation-predicate"]),
        (("urn:jury:gate:v1", "urn:other"), &["attestation-predicate"]),
        (("\"version\":1", "\"version\":2"), &["attestation-newer"]),
        (("\"version\":1", "\"version\":1,\"trust\":true"), &["attestation-shape"]),
        (("\"_type\":", " \"_type\":"), &["attestation-shape"]),
        (("\"gitTree\":", "\"sha1\":\"\",\"gitTree\":"), &["attestation-shape"]),
        (("\"files\":1", "\"files\":1.0"), &["attestation-shape"]),
    ] {
        assert_eq!(restated(&honest, replace(edit.0, edit.1)), wanted, "{edit:?}");
    }
    // A ref that was overwritten names what it does not have.
    let payload = statement(&honest.attested);
    let mut overwritten = stored(&honest.attested.tree, write(&payload, &[raw(&payload, 1)]));
    overwritten.digest = "f".repeat(64);
    assert_eq!(reasons(&standing(&[overwritten.clone()], &honest.facts, &honest.rules)), ["attestation-name"]);
    let gone = Stored { bytes: None, ..overwritten };
    assert_eq!(reasons(&standing(&[gone], &honest.facts, &honest.rules)), ["attestation-too-long"]);
}

#[test]
fn a_key_that_only_the_change_lists_signs_nothing() {
    let repo = repo_with(POLICY);
    repo.write(".jury/signers", format!("eve {}\n", line(3)));
    repo.commit("Another signer");
    let (repository, _) = open(&repo);
    let clone = clone_facts(&repository, None, &at(NOW), &BTreeSet::new()).unwrap().unwrap();
    assert_eq!(clone.rules.signers.keys().count(), 2, "those of the base");
    // The change to what judges waits for a person, so its gate is not signed at all.
    reviewed(&repo);
    assert!(matches!(signed_by(&repo, 3), Err(AttestError::Closed(_))));
}

#[test]
fn a_ref_is_made_once_and_two_who_push_do_not_conflict() {
    let Honest { repo, attested, .. } = honest();
    let remote = jury_testkit::repo::TempFolder::new();
    repo.git(["clone", "--quiet", "--bare", ".", &remote.path().join("bare").display().to_string()]);
    let bare = remote.path().join("bare").display().to_string();
    let other = ci(&repo);
    let (there, _) = open(&other);
    let (here, _) = open(&repo);
    jury::keeping::exchange(here.root(), &bare).expect("the remote takes it");
    // The other one signed, too.
    let payload = statement(&Attested { review_id: "00000000".to_owned(), ..attested.clone() });
    let bytes = write(&payload, &[raw(&payload, 2)]);
    let name = jury::clone_facts::ref_name(&attested.tree, RecordId::of(&bytes).as_str());
    jury::keeping::keep(there.root(), &name, &bytes).expect("it is new");
    assert!(jury::keeping::keep(there.root(), &name, b"something else").is_err(), "a ref is never moved");
    jury::keeping::exchange(there.root(), &bare).expect("nothing conflicts");
    jury::keeping::exchange(here.root(), &bare).expect("nothing conflicts");
    let both = looked(&repo, None, NOW);
    assert_eq!((both.standing.counted.len(), both.standing.keys), (2, 2));
}

#[test]
fn a_record_that_travels_is_judged_again() {
    let repo = repo_with(POLICY);
    reviewed(&repo);
    let signed = signed_with(&repo, 1, true).expect("the gate is clear");
    let clone = ci(&repo);
    let AttestedView { view, standing, .. } = looked_at_record(&clone);
    assert_eq!((view.gate.outcome, standing.keys, reasons(&standing)), (Outcome::Clear, 1, vec![]));
    // Another content below its name, and none at all.
    let name = format!("refs/jury/records/{}", signed.attested.record);
    clone.write("other", "{}");
    clone.git(["update-ref", &name, &clone.git(["hash-object", "-w", "other"])]);
    std::fs::remove_file(clone.root().join("other")).expect("it was just written");
    assert_eq!(reasons(&looked_at_record(&clone).standing), ["attestation-record"]);
    clone.git(["update-ref", "-d", &name]);
    let missing = looked_at_record(&clone);
    assert_eq!(
        (missing.view.gate.outcome, reasons(&missing.standing)),
        (Outcome::Incomplete, vec!["attestation-record"])
    );
    // Without `--record` the word of the signer is enough.
    assert_eq!(looked(&clone, None, NOW).view.gate.outcome, Outcome::Clear);
}

#[test]
fn a_signer_who_lies_about_a_record_does_not_count_with_it() {
    let repo = repo_with(POLICY);
    repo.write(
        "src/list.ts",
        "import { exec } from \"child_process\";\nexport const list = (a: string) => exec(\"ls \" + a);\n",
    );
    repo.commit("A defect");
    reviewed(&repo);
    assert!(matches!(signed_by(&repo, 1), Err(AttestError::Closed(Outcome::Blocked))));
    // The key is used by hand: all facts are right, and the record is the true one, whose gate is closed.
    let (repository, store) = open(&repo);
    let clone = clone_facts(&repository, None, &at(NOW), &BTreeSet::new()).unwrap().unwrap();
    let current = store.state().unwrap().full.expect("it was reviewed");
    let lie = Attested {
        tree: clone.facts.tree.clone(),
        repository: clone.facts.repository.clone().unwrap(),
        base_name: clone.base.name.clone(),
        base: clone.base.commit.clone(),
        patch: clone.facts.patch.clone(),
        content: clone.facts.content.clone(),
        policies: clone.facts.policies.clone(),
        review_id: current.file.review_id.clone(),
        record: current.record.to_string(),
        travels: true,
        conditions: clone.rules.conditions.clone(),
        waivers: Vec::new(),
        acceptances: Vec::new(),
        models: Vec::new(),
        made: at(NOW),
        not_after: at("2026-06-20T12:00:00Z"),
    };
    let payload = statement(&lie);
    let bytes = write(&payload, &[raw(&payload, 1)]);
    let name = jury::clone_facts::ref_name(&lie.tree, RecordId::of(&bytes).as_str());
    jury::keeping::keep(repository.root(), &name, &bytes).expect("it is new");
    let record = store.record(&current.record).unwrap();
    jury::keeping::keep(repository.root(), &format!("refs/jury/records/{}", current.record), &record).unwrap();
    assert_eq!(looked(&repo, None, NOW).standing.keys, 1, "a signer vouches for what a clone cannot tell");
    let again = looked_at_record(&repo);
    assert_eq!((again.view.gate.outcome, reasons(&again.standing)), (Outcome::Incomplete, vec!["attestation-record"]));
    // For years it is no verdict, whoever signs it.
    let honest = honest();
    let long = Attested { not_after: at("2029-06-01T12:00:00Z"), ..honest.attested.clone() };
    assert_eq!(judged(&honest, &long), ["attestation-shape"]);
}

#[test]
fn an_acceptance_travels_beside_the_verdict_that_rests_on_it() {
    let repo = repo_with(POLICY);
    repo.git(["checkout", "--quiet", "main"]);
    let key = repo.root().join(".git").join("lee");
    let made =
        std::process::Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&key).status();
    assert!(made.expect("ssh-keygen is installed").success());
    let public = fs::read_to_string(key.with_extension("pub")).unwrap();
    repo.write(".jury/signers", format!("ann {}\nlee {public}", line(1)));
    repo.write("jury.toml", format!("{POLICY}[people]\nsoftware_keys = true\n"));
    repo.commit("People");
    repo.git(["checkout", "--quiet", "-B", "work"]);
    fs::write(repo.root().join("logo.bin"), b"A\0B").unwrap();
    fs::write(repo.root().join("other.bin"), b"A\0C").unwrap();
    repo.commit("Logo");
    reviewed(&repo);
    let (repository, store) = open(&repo);
    let accepted = |reason: &str| {
        let ids = store.state().unwrap().full.unwrap().file.findings.iter().map(|finding| finding.id.clone()).collect();
        let request = AcceptRequest {
            ids,
            reason: reason.to_owned(),
            expires: None,
            key: Some(key.clone()),
            by: None,
            base: None,
            is_attended: false,
            now: at(NOW),
        };
        let mut shown = Vec::new();
        let accepted = accept(&repository, &store, &request, &mut |to_sign| shown.push(to_sign.clone()));
        assert_eq!(shown.len(), 1, "what is signed was shown");
        accepted.expect("it counts")
    };
    let first = accepted("looked at");
    let signed = signed_with(&repo, 1, true).expect("the gate is clear");
    assert_eq!(signed.attested.acceptances, std::slice::from_ref(&first.name));
    let clone = ci(&repo);
    let both = looked_at_record(&clone);
    assert_eq!((both.view.gate.outcome, reasons(&both.standing)), (Outcome::Clear, vec![]));
    clone.git(["update-ref", "-d", &format!("refs/jury/acceptances/{}", first.name)]);
    assert_eq!(reasons(&looked(&clone, None, NOW).standing), ["attestation-acceptance"]);
}

#[test]
fn one_overwritten_ref_stops_no_exchange() {
    let Honest { repo, attested, .. } = honest();
    let remote = jury_testkit::repo::TempFolder::new();
    let bare = remote.path().join("bare").display().to_string();
    repo.git(["clone", "--quiet", "--bare", ".", &bare]);
    let (here, _) = open(&repo);
    let sent = jury::keeping::exchange(here.root(), &bare).expect("the remote takes it").sent;
    assert_eq!(sent.len(), 1);
    // Somebody overwrites it there; another verdict goes through all the same, and the ref is named.
    repo.write("other", "{}");
    let other = repo.git(["hash-object", "-w", "other"]);
    repo.git(["push", "--quiet", "--force", &bare, &format!("{other}:{}", sent[0])]);
    let payload = statement(&Attested { review_id: "00000000".to_owned(), ..attested.clone() });
    let bytes = write(&payload, &[raw(&payload, 2)]);
    let name = jury::clone_facts::ref_name(&attested.tree, RecordId::of(&bytes).as_str());
    jury::keeping::keep(here.root(), &name, &bytes).expect("it is new");
    let exchanged = jury::keeping::exchange(here.root(), &bare).expect("nothing else is stopped");
    assert_eq!((exchanged.sent, exchanged.differing), (vec![name], sent));
}
