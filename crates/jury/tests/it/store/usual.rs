//! The usual day of a verdict file: saved, marked, archived, replaced by a quick check, tampered with, restored.

use jury::formats;
use jury::model::{RepoPath, Status};
use jury::store::{RecordId, Save, State, StateDirs, Store, StoreError, canonical_json};
use jury::syntax::Limits;

use super::*;

const OPEN: &[Status] = &[Status::Open, Status::Open, Status::Open];

#[test]
fn an_empty_worktree_has_no_state_and_reading_leaves_no_trace() {
    let room = Room::new();
    assert_eq!(room.store().state().unwrap(), State::default());
    assert_eq!(room.files(), []);
    assert!(!room.path(".git/jury").exists());
}

#[test]
fn what_is_saved_is_what_counts_and_conforms() {
    let room = Room::new();
    let file = verdict("a3f8c12b", "full", OPEN);
    let saved = save_with(&room.store(), &file, Some("# Abort\n")).unwrap();
    assert_eq!(saved.set_aside, None);
    let state = room.store().state().unwrap();
    let latest = state.latest.clone().unwrap();
    assert_eq!((&latest.file, &latest.sealed), (&file, &file));
    assert_eq!(state.full, state.latest);
    assert_eq!(state.notes, [""; 0]);
    assert_eq!(room.store().record(&latest.record).unwrap(), record("a3f8c12b", "full"));
    assert_eq!(room.store().records().unwrap(), std::slice::from_ref(&latest.record));
    assert_eq!(room.store().find("a3f8c12b").unwrap(), Some(latest.record));
    assert_eq!(room.read(".code-review/.gitignore"), "*\n");
    assert_eq!(room.read(".code-review/abort-reason.md"), "# Abort\n");
    assert_eq!(room.read(report_path("a3f8c12b").as_str()), "# Report a3f8c12b\n");

    // What is on disk is what the format itself writes, byte for byte.
    let bytes = std::fs::read(room.latest()).unwrap();
    let format = formats::by_id("code-review").unwrap();
    let reading = format.read(&bytes, &Limits::default());
    assert!(reading.is_conforming(), "{:?}", reading.deviations);
    assert_eq!(format.write(&reading.report.unwrap()).unwrap().text.as_bytes(), bytes);
}

#[test]
fn a_full_review_archives_the_one_before_with_its_marks_and_ends_its_abort() {
    let room = Room::new();
    let first = verdict("aaaaaaaa", "full", OPEN);
    save_with(&room.store(), &first, Some("stop")).unwrap();
    let marked = mark(&room.store(), &first.findings[0].id, Status::Fixed).unwrap();
    assert_eq!(room.read(".code-review/abort-reason.md"), "stop");
    let second = verdict("bbbbbbbb", "full", OPEN);
    save(&room.store(), &second).unwrap();
    let archive = room.read(".code-review/review-aaaaaaaa.json");
    assert_eq!(serde_json::from_str::<VerdictFile>(&archive).unwrap(), marked.file);
    let mode = std::fs::metadata(room.path(".code-review/review-aaaaaaaa.json")).unwrap().permissions();
    assert!(mode.readonly());
    assert!(!room.path(".code-review/abort-reason.md").exists());
    assert_eq!(room.store().state().unwrap().latest.unwrap().file, second);
    assert_eq!(room.read(".git/jury/history.jsonl").lines().count(), 2);
    assert!(room.store().find("aaaaaaaa").unwrap().is_some());
    assert_eq!(room.store().find("cccccccc").unwrap(), None);
}

#[test]
fn a_quick_check_never_erases_a_full_verdict() {
    let room = Room::new();
    let full = verdict("aaaaaaaa", "full", OPEN);
    save(&room.store(), &full).unwrap();
    for id in ["bbbbbbbb", "cccccccc"] {
        let quick = verdict(id, "quick", &[]);
        save(&room.store(), &quick).unwrap();
        let state = room.store().state().unwrap();
        assert_eq!(state.latest.unwrap().file, quick);
        assert_eq!(state.full.unwrap().file, full);
    }
    assert!(room.path(".code-review/review-aaaaaaaa.json").exists());
    assert!(!room.path(".code-review/review-bbbbbbbb.json").exists());
    // A verification goes on under the id of the full review, whose archive stays as it is.
    let archive = room.read(".code-review/review-aaaaaaaa.json");
    let verified = verdict("aaaaaaaa", "verify", &[Status::Verified, Status::Reopened, Status::Open]);
    save(&room.store(), &verified).unwrap();
    let state = room.store().state().unwrap();
    assert_eq!(state.full, state.latest);
    save(&room.store(), &verdict("dddddddd", "full", OPEN)).unwrap();
    assert_eq!(room.read(".code-review/review-aaaaaaaa.json"), archive);
    // 000 knows one archive of a review.
    assert!(!room.path(".code-review/review-aaaaaaaa-2.json").exists());
}

#[test]
fn only_legal_moves_are_made_and_one_illegal_move_stops_all() {
    let room = Room::new();
    let file = verdict("a3f8c12b", "verify", &[Status::Open, Status::Reopened, Status::Verified]);
    save(&room.store(), &file).unwrap();
    let before = room.files();
    let ids: Vec<&str> = file.findings.iter().map(|finding| finding.id.as_str()).collect();
    for moves in [
        vec![(ids[0], Status::Fixed), (ids[2], Status::Fixed)],
        vec![(ids[0], Status::Verified)],
        vec![(ids[0], Status::Reopened)],
        vec![(ids[1], Status::Open)],
    ] {
        let error = room.store().lock(WAIT).unwrap().mark(&moves, None, &now(), recompute).unwrap_err();
        let (id, to) = moves.last().unwrap();
        assert!(matches!(&error, StoreError::IllegalMove { id: named, to: asked, .. } if named == id && asked == to));
    }
    let error = mark(&room.store(), "../../x", Status::Fixed).unwrap_err();
    assert!(matches!(error, StoreError::UnknownFinding { id } if id == "../../x"));
    assert_eq!(room.files(), before);

    for status in [Status::Fixed, Status::WontFix, Status::Reopened] {
        let current = mark(&room.store(), ids[1], status).unwrap();
        assert_eq!(current.file.findings[1].status, status.token());
        assert_eq!(room.store().state().unwrap().latest.unwrap(), current);
    }
    let marks = room.store().marks("a3f8c12b").unwrap();
    let moves: Vec<_> = marks.iter().map(|mark| (mark.from, mark.to)).collect();
    use Status::*;
    assert_eq!(moves, [(Reopened, Fixed), (Fixed, WontFix), (WontFix, Reopened)]);
    assert_eq!(marks[0].reason.as_deref(), Some("because"));
    assert_eq!(room.store().marks("00000000").unwrap(), []);
}

#[test]
fn an_edit_of_the_file_is_taken_in_with_the_next_mark() {
    let room = Room::new();
    let file = verdict("a3f8c12b", "full", OPEN);
    save(&room.store(), &file).unwrap();
    let edited = room.read(".code-review/review-latest.json").replacen("\"open\"", "\"wont_fix\"", 1);
    room.write(".code-review/review-latest.json", edited);
    let current = room.store().state().unwrap().latest.unwrap();
    assert_eq!((current.file.findings[0].status.as_str(), current.sealed), ("wont_fix", file.clone()));
    let current = mark(&room.store(), &file.findings[1].id, Status::Fixed).unwrap();
    assert_eq!(current.file.findings[0].status, "wont_fix");
    let marks = room.store().marks("a3f8c12b").unwrap();
    assert_eq!(marks.iter().map(|mark| mark.by_edit).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn a_deleted_file_is_tampering_and_comes_back() {
    let room = Room::new();
    let file = verdict("a3f8c12b", "full", OPEN);
    save(&room.store(), &file).unwrap();
    for gone in [".code-review/review-latest.json", ".code-review"] {
        let path = room.path(gone);
        if path.is_dir() {
            std::fs::remove_dir_all(path).unwrap()
        } else {
            std::fs::remove_file(path).unwrap()
        }
        let error = room.store().state().unwrap_err();
        assert!(matches!(&error, StoreError::Tampered { what, .. } if what.contains("deleted")), "{error}");
        let before = room.files();
        assert!(matches!(save(&room.store(), &file), Err(StoreError::Tampered { .. })));
        assert_eq!(room.files(), before);
        let restored = room.store().lock(WAIT).unwrap().restore().unwrap();
        assert_eq!((restored.kept, restored.was_needed), (None, true));
        assert_eq!(room.store().state().unwrap().latest.unwrap().file, file);
    }
    assert!(!room.store().lock(WAIT).unwrap().restore().unwrap().was_needed);
}

#[test]
fn restoring_keeps_the_tampered_file_and_its_unambiguous_claims() {
    let room = Room::new();
    let file = verdict("a3f8c12b", "full", &[Status::Open; 4]);
    save(&room.store(), &file).unwrap();
    let mut tampered = file.clone();
    tampered.findings[0].severity = "Info".to_owned();
    tampered.findings[0].status = "fixed".to_owned();
    tampered.findings[1].status = "verified".to_owned();
    tampered.findings[2].status = "fixed".to_owned();
    let twin = tampered.findings[2].clone();
    tampered.findings.push(twin);
    let text = serde_json::to_string(&tampered).unwrap();
    for nth in 1..3 {
        room.write(".code-review/review-latest.json", &text);
        let error = room.store().state().unwrap_err();
        assert!(matches!(&error, StoreError::Tampered { at, .. } if at == "findings[0].severity"), "{error}");
        let restored = room.store().lock(WAIT).unwrap().restore().unwrap();
        let kept = restored.kept.unwrap();
        assert_eq!(kept.as_str(), format!(".code-review/review-latest.tampered-{nth}.json"));
        assert_eq!(room.read(kept.as_str()), text);
        assert!(room.store().vouches(&kept, text.as_bytes()));
        assert_eq!(restored.claims, [(file.findings[0].id.clone(), Status::Fixed)]);
        let current = room.store().state().unwrap().latest.unwrap();
        assert_eq!(current.sealed, file);
        assert_eq!(
            current.file.findings.iter().map(|f| f.status.as_str()).collect::<Vec<_>>(),
            ["fixed", "open", "open", "open"]
        );
    }
}

#[test]
fn a_verdict_file_of_somebody_else_is_never_trusted_and_never_lost() {
    let room = Room::new();
    let foreign = serde_json::to_string(&verdict("ffffffff", "full", &[])).unwrap();
    room.write(".code-review/review-latest.json", &foreign);
    room.write(".code-review/notes.txt", "mine");
    assert!(matches!(room.store().state(), Err(StoreError::Foreign { .. })));
    assert!(matches!(mark(&room.store(), "x", Status::Fixed), Err(StoreError::Foreign { .. })));
    assert!(matches!(room.store().lock(WAIT).unwrap().restore(), Err(StoreError::Foreign { .. })));
    let latest = RepoPath::new(".code-review/review-latest.json").unwrap();
    assert!(!room.store().vouches(&latest, foreign.as_bytes()));
    let saved = save(&room.store(), &verdict("a3f8c12b", "full", OPEN)).unwrap();
    let aside = saved.set_aside.unwrap();
    assert_eq!(aside.as_str(), ".code-review/review-latest.foreign-1.json");
    assert_eq!(room.read(aside.as_str()), foreign);
    assert_eq!(room.read(".code-review/notes.txt"), "mine");
}

#[test]
fn exactly_what_jury_wrote_is_vouched_for() {
    let room = Room::new();
    save_with(&room.store(), &verdict("aaaaaaaa", "full", OPEN), Some("stop")).unwrap();
    save_with(&room.store(), &verdict("bbbbbbbb", "full", OPEN), Some("stop again")).unwrap();
    room.write(".code-review/notes.txt", "mine");
    for (path, bytes) in room.files() {
        let path = path.strip_prefix(room.path("")).unwrap().to_str().unwrap().to_owned();
        if path.starts_with(".git/") {
            continue;
        }
        let path = RepoPath::new(&path).unwrap();
        assert_eq!(room.store().vouches(&path, &bytes), path.as_str() != ".code-review/notes.txt", "{path}");
        if path.as_str() != ".code-review/review-latest.json" {
            assert!(!room.store().vouches(&path, &[&bytes[..], b"x"].concat()), "{path}");
        }
    }
    let elsewhere = RepoPath::new("src/.gitignore").unwrap();
    assert!(!room.store().vouches(&elsewhere, b"*\n"));
    room.write(".code-review/review-latest.json", "{}");
    assert!(!room.store().vouches(&RepoPath::new(".code-review/review-latest.json").unwrap(), b"{}"));
}

#[test]
fn review_ids_are_minted_from_their_seed_and_never_twice() {
    let room = Room::new();
    let first = room.store().unused_review_id(b"seed").unwrap();
    assert_eq!(first, room.store().unused_review_id(b"seed").unwrap());
    save(&room.store(), &verdict(first.as_str(), "full", OPEN)).unwrap();
    let second = room.store().unused_review_id(b"seed").unwrap();
    assert_ne!(first, second);
    room.write(&format!(".code-review/review-{second}.json"), "");
    assert!(![first, second].contains(&room.store().unused_review_id(b"seed").unwrap()));
}

#[test]
fn what_cannot_become_a_file_is_not_saved() {
    let room = Room::new();
    let good = verdict("a3f8c12b", "full", OPEN);
    let save = |record: &[u8], verdict: &VerdictFile, report: Option<&str>| {
        let report = report.map(|path| (RepoPath::new(path).unwrap(), String::new()));
        room.store().lock(WAIT).unwrap().save(&Save { record, verdict, report, abort_reason: None, ends_review: false })
    };
    let with_id = |id: &str| VerdictFile { review_id: id.to_owned(), ..good.clone() };
    let mut bad_status = good.clone();
    bad_status.findings[0].status = "done".to_owned();
    let mut not_finite = good.clone();
    not_finite.findings[0].confidence = f64::NAN;
    let fine = record("a3f8c12b", "full");
    let newer = format!("{{\"version\":{}}}", jury::record::VERSION + 1);
    for (record, verdict, report) in [
        (&b"{}"[..], good.clone(), None),
        (newer.as_bytes(), good.clone(), None),
        (b"not JSON", good.clone(), None),
        (&fine, with_id("../../x"), None),
        (&fine, with_id("CON"), None),
        (&fine, with_id(&"a".repeat(5000)), None),
        (&fine, bad_status, None),
        (&fine, not_finite, None),
        (&fine, good.clone(), Some("src/main.rs")),
        (&fine, good.clone(), Some("docs/code-reviews/a/b.md")),
    ] {
        let error = save(record, &verdict, report).unwrap_err();
        assert!(matches!(error, StoreError::Unwritable { .. }), "{error}");
    }
    assert_eq!(room.store().state().unwrap(), State::default());
    assert!(!room.path(".code-review").exists());
}

#[test]
fn a_report_of_somebody_else_is_left_alone() {
    let room = Room::new();
    let path = report_path("a3f8c12b");
    room.write(path.as_str(), "mine");
    drop(room.store().lock(WAIT).unwrap());
    let before = room.files();
    let error = save(&room.store(), &verdict("a3f8c12b", "full", OPEN)).unwrap_err();
    assert!(matches!(error, StoreError::Refused { .. }), "{error}");
    assert_eq!(room.files(), before);
}

#[test]
fn every_flipped_bit_of_the_seal_or_a_record_is_seen_and_the_file_is_kept() {
    let room = Room::new();
    let file = verdict("a3f8c12b", "full", &[Status::Open]);
    save(&room.store(), &file).unwrap();
    let id = room.store().records().unwrap().remove(0);
    let record = format!(".git/jury/records/{id}.json");
    let check = |path: &str, look: &dyn Fn(&Store) -> Result<(), StoreError>| {
        let path = room.path(path);
        let bytes = std::fs::read(&path).unwrap();
        let mode = std::fs::metadata(&path).unwrap().permissions();
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            std::fs::remove_file(&path).unwrap();
            std::fs::write(&path, &flipped).unwrap();
            let error = look(&room.store()).expect_err("a flipped bit");
            assert!(matches!(error, StoreError::Damaged { .. }), "bit {bit}: {error}");
            assert_eq!(std::fs::read(&path).unwrap(), flipped);
        }
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, &bytes).unwrap();
        std::fs::set_permissions(&path, mode).unwrap();
        look(&room.store()).unwrap();
    };
    check(".git/jury/seal.json", &|store| store.state().map(drop));
    check(&record, &|store| store.record(&id).map(drop));
}

#[test]
fn what_a_newer_version_wrote_is_kept_and_refused() {
    let room = Room::new();
    let file = verdict("a3f8c12b", "full", OPEN);
    save(&room.store(), &file).unwrap();
    for (text, is_newer) in
        [("{\"version\": 2, \"other\": []}", true), ("", false), ("{}", false), ("{\"version\":", false)]
    {
        room.write(".git/jury/seal.json", text);
        for error in [room.store().state().unwrap_err(), save(&room.store(), &file).unwrap_err()] {
            assert_eq!(matches!(error, StoreError::Newer { version: 2, .. }), is_newer, "{error}");
            assert_eq!(matches!(error, StoreError::Damaged { .. }), !is_newer, "{error}");
        }
        assert_eq!(room.read(".git/jury/seal.json"), text);
    }
    let next = jury::record::VERSION + 1;
    let newer = format!("{{\"version\":{next},\"shape\":[]}}");
    let id = RecordId::of(newer.as_bytes());
    room.write(&format!(".git/jury/records/{id}.json"), newer);
    let error = room.store().record(&id).unwrap_err();
    assert!(matches!(error, StoreError::Newer { version, .. } if version == u64::from(next)), "{error}");
}

#[test]
fn torn_last_lines_are_passed_over_and_mended() {
    let room = Room::new();
    let file = verdict("aaaaaaaa", "full", OPEN);
    save(&room.store(), &file).unwrap();
    mark(&room.store(), &file.findings[0].id, Status::Fixed).unwrap();
    for name in [".git/jury/marks.jsonl", ".git/jury/history.jsonl"] {
        room.write(name, room.read(name) + "{\"reviewId\":\"aaaa");
    }
    assert_eq!(room.store().marks("aaaaaaaa").unwrap().len(), 1);
    mark(&room.store(), &file.findings[1].id, Status::Fixed).unwrap();
    save(&room.store(), &verdict("bbbbbbbb", "full", OPEN)).unwrap();
    assert_eq!(room.store().marks("aaaaaaaa").unwrap().len(), 2);
    for name in [".git/jury/marks.jsonl", ".git/jury/history.jsonl"] {
        for line in room.read(name).lines() {
            serde_json::from_str::<serde_json::Value>(line).unwrap();
        }
    }
}

#[test]
fn worktrees_share_the_history_and_nothing_else() {
    let room = Room::new();
    std::fs::create_dir_all(room.root.join("other/.git")).unwrap();
    let places = StateDirs {
        worktree: room.root.join("other"),
        git_dir: room.root.join("other/.git"),
        common_dir: room.path(".git"),
    };
    let other = Store::open(places).unwrap();
    save(&room.store(), &verdict("aaaaaaaa", "full", OPEN)).unwrap();
    assert_eq!(other.state().unwrap(), State::default());
    save(&other, &verdict("bbbbbbbb", "full", OPEN)).unwrap();
    assert_eq!(room.read(".git/jury/history.jsonl").lines().count(), 2);
    assert_eq!(room.store().find("bbbbbbbb").unwrap(), None);
    assert!(other.find("bbbbbbbb").unwrap().is_some());
}

#[test]
fn canonical_json_is_the_same_for_the_same_value() {
    let one = serde_json::json!({"b": [{"z": 1, "a": 0.5}], "a": null});
    let other = serde_json::json!({"a": null, "b": [{"a": 0.5, "z": 1}]});
    assert_eq!(canonical_json(&one), br#"{"a":null,"b":[{"a":0.5,"z":1}]}"#);
    assert_eq!(canonical_json(&one), canonical_json(&other));
}

/// A file of the user's is made only where none is, and replaced only if it is the one that was read.
#[test]
fn files_of_the_user_are_put_only_where_they_are_expected() {
    let room = Room::new();
    let store = room.store();
    let locked = store.lock(WAIT).unwrap();
    let path = RepoPath::new("a/b/c.toml").unwrap();
    assert_eq!(store.find_source(&path).unwrap(), None);
    locked.put(&path, None, b"one").unwrap();
    assert_eq!(store.find_source(&path).unwrap().as_deref(), Some(&b"one"[..]));
    assert!(locked.put(&path, None, b"two").is_err());
    assert!(matches!(locked.put(&path, Some(b"other"), b"two"), Err(StoreError::Refused { .. })));
    assert_eq!(room.read("a/b/c.toml"), "one");
    locked.put(&path, Some(b"one"), b"two").unwrap();
    assert_eq!(room.read("a/b/c.toml"), "two");
    locked.put(&RepoPath::new("top.toml").unwrap(), None, b"top").unwrap();
    assert_eq!(room.read("top.toml"), "top");
    room.assert_no_temporary_file();
}
