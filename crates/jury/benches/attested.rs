//! Signed verdicts: the gate on a verdict alone against the gate on a review, in alternation in the same run; and 1,000 envelopes of one tree,
//! by the CPU time that checking them takes. Run by `cargo xtask bench`.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jury::attestation::{Attested, PAYLOAD_TYPE, Stored, pae, standing, statement, write};
use jury::clone_facts::clone_facts;
use jury::flows::attest::{AttestRequest, attest};
use jury::flows::attested::attested;
use jury::flows::gate::{Subject, gate};
use jury::flows::review::{ReviewRequest, review};
use jury::model::{Outcome, Timestamp};
use jury::panel::AskOptions;
use jury::record::RecordId;
use jury::scope::{Repository, Request};
use jury::store::{StateDirs, Store};
use jury_testkit::clock::cpu_time_of_process;
use jury_testkit::repo::Repo;
use ring::signature::{Ed25519KeyPair, KeyPair as _};

const RUNS: usize = 40;
const ENVELOPES: usize = 1_000;
/// What the gate on a verdict should cost at most, in gates on a review.
const AIM: f64 = 2.0;
/// What all envelopes should take at most.
const ENVELOPES_AIM: Duration = Duration::from_secs(2);

fn pair() -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(&[1; 32]).expect("a seed has 32 bytes")
}

fn signer() -> String {
    let string = |bytes: &[u8]| [&(bytes.len() as u32).to_be_bytes(), bytes].concat();
    let blob = [string(b"ssh-ed25519"), string(pair().public_key().as_ref())].concat();
    format!("lee@example.org ssh-ed25519 {}\n", STANDARD.encode(blob))
}

/// Writes the private key, as PKCS #8, beside the repository.
fn key_file(repo: &Repo) -> PathBuf {
    const HEAD: &[u8] = &[0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
    let path = repo.root().join(".git").join("key.pem");
    let der = STANDARD.encode([HEAD, &[1; 32]].concat());
    fs::write(&path, format!("-----BEGIN PRIVATE KEY-----\n{der}\n-----END PRIVATE KEY-----\n"))
        .expect("the git folder is there");
    path
}

#[allow(clippy::print_stdout)]
fn main() {
    let now = Timestamp::new("2026-06-01T12:00:00Z").expect("it is a time");
    let repo = Repo::with(&[
        ("src/a.ts", "export const a = 1;\n"),
        (".jury/signers", &signer()),
        ("jury.toml", "[attest]\nsoftware_keys = true\n"),
    ]);
    repo.git(["switch", "--quiet", "--create", "feature"]);
    repo.write("src/b.ts", "export const b = 2;\n");
    repo.commit("second");
    let repository = Repository::discover(repo.root()).expect("it was just made");
    let store = Store::open(StateDirs {
        worktree: repository.root().to_path_buf(),
        git_dir: repository.git_dir().to_path_buf(),
        common_dir: repository.common_dir().to_path_buf(),
    })
    .expect("its folders are there");
    let request = ReviewRequest {
        scope: Request::Changeset { base: None },
        options: AskOptions::default(),
        now: now.clone(),
        is_saved: true,
    };
    review(&repository, &store, &request, &mut |_| {}).expect("the change can be reviewed");
    let on_review = || gate(&repository, &store, None, Subject::Head, &now).expect("the state is sound");
    let on_verdict = || attested(&repository, &store, None, false, &now).expect("the clone is sound").view;
    let request = AttestRequest {
        base: None,
        key: Some(key_file(&repo)),
        is_raw: true,
        with_record: false,
        days: 30,
        is_attended: false,
        push: None,
        now: now.clone(),
    };
    let signed = attest(&repository, &store, &on_review(), &request, &mut |_| {}).expect("the gate is clear").attested;
    assert_eq!((on_review().gate.outcome, on_verdict().gate.outcome), (Outcome::Clear, Outcome::Clear));

    let mut best = [Duration::MAX; 2];
    for _ in 0..RUNS {
        best[0] = best[0].min(cpu_time_of_process(|| drop(on_review())).1);
        best[1] = best[1].min(cpu_time_of_process(|| drop(on_verdict())).1);
    }
    let ratio = best[1].as_secs_f64() / best[0].as_secs_f64();
    println!("attested: best CPU time of {RUNS}, in alternation with `gate` on a review");
    println!("  gate {:.1?}, gate --attested {:.1?}: {ratio:.2} times (aim: {AIM})", best[0], best[1]);

    let clone =
        clone_facts(&repository, None, &now, &BTreeSet::new()).expect("it can be read").expect("nothing is staged");
    let envelope = |nth: usize| {
        let payload = statement(&Attested { review_id: format!("{nth:08x}"), ..signed.clone() });
        let bytes = write(&payload, &[pair().sign(&pae(PAYLOAD_TYPE, &payload)).as_ref().to_vec()]);
        Stored { tree: signed.tree.to_string(), digest: RecordId::of(&bytes).to_string(), bytes: Some(bytes) }
    };
    let all: Vec<Stored> = (0..ENVELOPES).map(envelope).collect();
    let ((), time) = cpu_time_of_process(|| {
        let standing = standing(&all, &clone.facts, &clone.rules);
        assert_eq!((standing.counted.len(), standing.keys), (ENVELOPES, 1));
    });
    println!("  {ENVELOPES} envelopes: {time:.1?} of CPU time (aim: {ENVELOPES_AIM:.0?})");
}
