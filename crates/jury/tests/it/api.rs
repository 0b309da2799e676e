//! Models behind an API, against a server on this machine that speaks the three shapes and misbehaves in every way of FAULTS 12 to 15
//! and 23. Nothing that was not answered ends green, and the key is in nothing that is left behind.

use std::time::{Duration, Instant};

use jury::flows::Reviewed;
use jury::model::{Budget, Outcome};
use jury::panel::AskOptions;
use jury::scope;
use jury::store::Trust;
use jury_testkit::server::{Reply, Server, answer};
use serde_json::{Value, json};

use crate::reviewers::{Desk, gaps, outcome, run, trusting};

const PROVIDERS: [&str; 3] = ["openai", "anthropic", "ollama"];
/// A variable that is there in every test, and whose value nothing else says.
const KEY: &str = "CARGO_MANIFEST_DIR";

/// The table of a model at a server.
fn table(name: &str, provider: &str, server: &Server, more: &str) -> String {
    let url = server.url(provider);
    format!(
        "[reviewers.{name}]\nkind = \"api\"\nprovider = \"{provider}\"\nurl = \"{url}\"\nmodel = \"m1\"\nkey_env = \"{KEY}\"\npersona = \"qa\"\n{more}\n"
    )
}

fn finding() -> Value {
    json!([{"title": "Two is not two", "severity": "P1", "file": "src/two.ts", "line": 1, "why_it_matters": "w",
        "autofix_class": "manual", "owner": "human", "requires_verification": true, "suggested_fix": null, "confidence": 100,
        "evidence": ["export const two = 2;"], "pre_existing": false}])
}

fn clean() -> Reply {
    Reply::Says(answer(&json!([])))
}

/// Reviews with one model; returns the review and how often the model was asked.
fn reviewed(provider: &str, replies: Vec<Reply>, more: &str) -> (Reviewed, usize) {
    let server = Server::answering(replies);
    let reviewed = Desk::with(&table("qa", provider, &server, more)).review();
    let written = String::from_utf8(jury::record::write(&reviewed.record)).expect("a record is JSON");
    let key = std::env::var(KEY).expect("the variable is there in every test");
    assert!(!written.contains(&key), "{provider}: the key is in the record");
    (reviewed, server.asked().len())
}

#[test]
fn each_provider_is_asked_in_its_shape_and_heard() {
    let key = std::env::var(KEY).expect("the variable is there in every test");
    for provider in PROVIDERS {
        let price = "price = { input = 3.0, output = 15.0 }";
        let server = Server::answering(vec![Reply::Says(answer(&finding()))]);
        let found = Desk::with(&table("qa", provider, &server, price)).review();
        assert_eq!(outcome(&found), Outcome::Blocked, "{provider}: {}", gaps(&found));
        assert_eq!(found.judgement.file.findings[0].title, "Two is not two");
        let asked = run(&found, "qa");
        assert_eq!((asked.kind.token(), asked.model.as_deref()), ("api", Some("m")));
        let usage = asked.usage.expect("the server says what it took");
        assert_eq!((usage.input, usage.output, usage.cost), (1200, 100, Some(5100)));
        let notes = found.judgement.report.facts.notes.as_deref().unwrap_or_default();
        assert!(notes.contains("Asked 1 model: 1,200 tokens in, 100 out, $0.01."), "{notes}");
        let [request] = server.asked().try_into().expect("it was asked once");
        let brief = request.body["messages"][0]["content"].as_str().expect("the brief is a text");
        assert!(
            brief.contains("export const two = 2;") && brief.contains("You see only the part of the repository below")
        );
        let header = |name: &str| request.headers.iter().find(|(of, _)| of == name).map(|(_, value)| value.clone());
        let schema = match provider {
            "openai" => {
                assert_eq!(header("authorization"), Some(format!("Bearer {key}")));
                &request.body["response_format"]["json_schema"]["schema"]
            }
            "anthropic" => {
                assert_eq!(header("x-api-key"), Some(key.clone()));
                assert_eq!(header("anthropic-version").as_deref(), Some("2023-06-01"));
                &request.body["output_config"]["format"]["schema"]
            }
            _ => {
                assert_eq!(request.body["stream"], json!(false));
                &request.body["format"]
            }
        };
        assert!(schema["required"].as_array().is_some_and(|it| it.contains(&json!("nonce"))), "{provider}: {schema}");
        let (none, _) = reviewed(provider, vec![clean()], "");
        assert_eq!(outcome(&none), Outcome::Clear, "{provider}: {}", gaps(&none));
    }
}

#[test]
fn whatever_is_not_an_answer_never_ends_green() {
    let key = std::env::var(KEY).expect("the variable is there in every test");
    let raw = |status, body: &str| Reply::Raw(status, Vec::new(), body.to_owned());
    let whole = answer(&json!([]));
    let cases: Vec<(&str, Reply, &str, &str)> = vec![
        ("an empty body", raw(200, ""), "", "answered with nothing"),
        ("cut JSON", raw(200, "{\"choices\": [{\"message\": {\"content\": \"{"), "", "not JSON"),
        ("HTML", raw(200, "<html><body>Sign in</body></html>"), "", "not JSON"),
        ("null", raw(200, "null"), "", ""),
        ("no message", raw(200, "{\"done\": true}"), "", ""),
        ("quota with 200", raw(200, "{\"error\": {\"message\": \"You exceeded your current quota\"}}"), "", "quota"),
        (
            "an error that repeats the key",
            raw(401, &format!("{{\"error\": {{\"message\": \"bad key {key}\"}}}}")),
            "",
            "[key]",
        ),
        ("a bad request", raw(400, "{\"error\": \"no such model\"}"), "", "no such model"),
        (
            "a redirect",
            Reply::Raw(302, vec![("location".to_owned(), "http://127.0.0.1:9/".to_owned())], String::new()),
            "",
            "redirects are not followed",
        ),
        ("a refusal", Reply::Stops("I cannot help with that.".to_owned(), "refusal".to_owned()), "", "refusal"),
        ("cut off at its length", Reply::Stops(whole.clone(), "length".to_owned()), "", "length"),
        ("cut off at its tokens", Reply::Stops(whole.clone(), "max_tokens".to_owned()), "", "max_tokens"),
        ("filtered", Reply::Stops(whole.clone(), "content_filter".to_owned()), "", "content_filter"),
        ("an empty message", Reply::Says("  ".to_owned()), "", "empty"),
        ("prose", Reply::Says("No issues found. NONCE".to_owned()), "", ""),
        ("a quota message as prose", Reply::Says("You have reached your usage limit.".to_owned()), "", ""),
        ("another nonce", Reply::Says(whole.replace("NONCE", "00")), "", "nonce"),
        ("a message that repeats the key", Reply::Says(key.clone()), "", ""),
        ("two gigabytes", Reply::Floods(2 << 30), "", "more than 16777216 bytes"),
        ("a drip", Reply::Drips(whole.clone()), "timeout = \"1s\"", "took longer than"),
        ("a hang", Reply::Hangs, "timeout = \"1s\"", "took longer than"),
        (
            "429 with a long wait",
            Reply::Raw(429, vec![("retry-after".to_owned(), "3600".to_owned())], String::new()),
            "",
            "asked again after its time",
        ),
    ];
    std::thread::scope(|threads| {
        for (what, reply, more, said) in &cases {
            threads.spawn(move || {
                for provider in PROVIDERS {
                    let (reviewed, asked) = reviewed(provider, vec![reply.clone()], more);
                    assert_eq!(outcome(&reviewed), Outcome::Incomplete, "{provider}, {what}: {}", gaps(&reviewed));
                    assert!(gaps(&reviewed).contains(said), "{provider}, {what}: {}", gaps(&reviewed));
                    assert_eq!(asked, 1, "{provider}, {what}: asking again is of no use");
                }
            });
        }
    });
}

#[test]
fn what_may_pass_is_waited_for_within_bounds() {
    let status = |status| Reply::Raw(status, Vec::new(), "{\"error\": \"busy\"}".to_owned());
    std::thread::scope(|threads| {
        for (first, times) in [(status(429), 2), (status(503), 2), (status(529), 2), (Reply::Closes, 2)] {
            threads.spawn(move || {
                let (reviewed, asked) = reviewed("anthropic", vec![first.clone(), clean()], "");
                assert_eq!((outcome(&reviewed), asked), (Outcome::Clear, times), "{first:?}: {}", gaps(&reviewed));
            });
        }
        for last in [status(429), status(500)] {
            threads.spawn(move || {
                let (reviewed, asked) = reviewed("openai", vec![last.clone()], "");
                assert_eq!((outcome(&reviewed), asked), (Outcome::Incomplete, 4), "{last:?}");
                assert!(gaps(&reviewed).contains("asked 4 times"), "{}", gaps(&reviewed));
            });
        }
        threads.spawn(move || {
            let wait = Reply::Raw(429, vec![("Retry-After".to_owned(), "2".to_owned())], String::new());
            let start = Instant::now();
            let (reviewed, _) = reviewed("ollama", vec![wait, clean()], "");
            assert_eq!(outcome(&reviewed), Outcome::Clear, "{}", gaps(&reviewed));
            assert!(
                start.elapsed() >= Duration::from_secs(2),
                "the wish of the provider is heeded, and no load of the machine makes it look so"
            );
        });
    });
    let nobody = "[reviewers.qa]\nkind = \"api\"\nprovider = \"ollama\"\nurl = \"http://127.0.0.1:9\"\nmodel = \"m\"\n";
    let reviewed = Desk::with(nobody).review();
    assert_eq!(outcome(&reviewed), Outcome::Incomplete);
    assert!(gaps(&reviewed).contains("cannot be reached"), "{}", gaps(&reviewed));
}

#[test]
fn nobody_is_sent_code_untrusted_or_without_its_key() {
    let server = Server::answering(vec![clean()]);
    let desk = Desk::with(&table("qa", "openai", &server, ""));
    let reviewed = desk.try_review(Trust::default(), scope::Request::Changeset { base: None }).unwrap();
    assert!(gaps(&reviewed).contains("sending code to http://127.0.0.1"), "{}", gaps(&reviewed));
    let config = table("qa", "openai", &server, "").replace(KEY, "NO_SUCH_KEY_ANYWHERE");
    let reviewed = Desk::with(&config).review();
    assert!(gaps(&reviewed).contains("the variable NO_SUCH_KEY_ANYWHERE"), "{}", gaps(&reviewed));
    assert_eq!((outcome(&reviewed), server.asked().len()), (Outcome::Incomplete, 0));
}

#[test]
fn two_models_of_a_family_are_one_voice() {
    let unsure = finding().to_string().replace("100", "50");
    let reply = Reply::Says(answer(&serde_json::from_str(&unsure).unwrap()));
    let server = Server::answering(vec![reply]);
    let both = |one: &str, other: &str| {
        let tables = [("qa", one), ("testing", other)]
            .map(|(name, model)| table(name, "openai", &server, "").replace("\"m1\"", &format!("\"{model}\"")));
        outcome(&Desk::with(&tables.concat()).review())
    };
    assert_eq!(both("gpt-5", "gpt-5-mini"), Outcome::Clear, "agreeing with oneself proves nothing");
    assert_eq!(both("gpt-5", "claude-opus-4-5"), Outcome::Blocked, "two that are independent raise it");
}

#[test]
fn what_was_answered_is_kept_and_paid_for_once() {
    let server = Server::answering(vec![clean()]);
    let desk = Desk::with(&table("qa", "ollama", &server, ""));
    let first = desk.review();
    let second = desk.review();
    assert_eq!((outcome(&second), server.asked().len()), (Outcome::Clear, 1));
    let (one, two) = (run(&first, "qa"), run(&second, "qa"));
    assert!(two.is_cached && two.usage.is_none() && one.result == two.result);
    desk.review_anew();
    assert_eq!(server.asked().len(), 2);
    // Another change is another question.
    desk.repo.write("src/two.ts", "export const two = 3;\n");
    assert!(!run(&desk.review(), "qa").is_cached);
    assert_eq!(server.asked().len(), 3);
    // Whoever trusts it no more is not told what it said, either.
    let reviewed = desk.try_review(Trust::default(), scope::Request::Changeset { base: None }).unwrap();
    assert_eq!(outcome(&reviewed), Outcome::Incomplete);
}

#[test]
fn a_damaged_entry_is_as_good_as_none_and_a_failed_run_leaves_none() {
    let server = Server::answering(vec![Reply::Says("no".to_owned()), clean()]);
    let desk = Desk::with(&table("qa", "openai", &server, ""));
    assert_eq!(outcome(&desk.review()), Outcome::Incomplete);
    assert!(desk.store.kept().unwrap().is_empty(), "what was not understood is not kept");
    assert_eq!(outcome(&desk.review()), Outcome::Clear);
    let folder = desk.repo.path(".git/jury/cache");
    let entry = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    for damage in [|text: String| text.replace("[]", "[ ]"), |text: String| text[..60].to_owned(), |_| String::new()] {
        let text = std::fs::read_to_string(&entry).unwrap();
        std::fs::write(&entry, damage(text)).unwrap();
        let asked = server.asked().len();
        let reviewed = desk.review();
        assert_eq!((outcome(&reviewed), server.asked().len()), (Outcome::Clear, asked + 1));
        assert!(run(&desk.review(), "qa").is_cached, "it was replaced");
    }
    assert_eq!(desk.store.clear_kept(Some("other")).unwrap(), 0);
    assert_eq!(desk.store.clear_kept(Some("qa")).unwrap(), 1);
    assert!(desk.store.kept().unwrap().is_empty());
}

#[test]
fn beyond_a_budget_nobody_is_asked_and_that_is_a_gap() {
    let server = Server::answering(vec![clean()]);
    let models = ["performance", "qa", "testing"].map(|name| table(name, "ollama", &server, ""));
    let config = format!("[policy]\nparallel = 1\n[budget]\nmax_tokens = 2000\n{}", models.concat());
    let desk = Desk::with(&config);
    let reviewed = desk.review();
    assert_eq!((outcome(&reviewed), server.asked().len()), (Outcome::Incomplete, 2), "{}", gaps(&reviewed));
    assert!(gaps(&reviewed).contains("testing did not report: not asked"), "{}", gaps(&reviewed));
    assert!(gaps(&reviewed).contains("max_tokens"), "{}", gaps(&reviewed));
    // What was answered is kept, so that the next review gets further.
    assert_eq!((outcome(&desk.review()), server.asked().len()), (Outcome::Clear, 3));
    let slow = Server::answering(vec![Reply::Hangs]);
    let asking =
        AskOptions { budget: Budget { time: Some(Duration::from_secs(1)), ..Budget::default() }, ..trusting() };
    let desk = Desk::with(&table("qa", "openai", &slow, ""));
    let late = desk.try_asking(asking, scope::Request::Changeset { base: None }).unwrap();
    assert!(gaps(&late).contains("max_time"), "{}", gaps(&late));
}

/// A model sees nothing but its brief, so that a second round pays for the files that changed.
#[test]
fn a_second_round_pays_for_the_edited_file_alone() {
    let server = Server::answering(vec![clean()]);
    let lines =
        |name: &str| (0..400).map(|number| format!("export const {name}{number} = {number};\n")).collect::<String>();
    let files = [("src/a/one.ts", lines("a")), ("src/b/two.ts", lines("b")), ("src/c/three.ts", lines("c"))];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let desk = Desk::changing(&table("qa", "openai", &server, ""), &files);
    let spent = |reviewed: &Reviewed| reviewed.record.spent().map(|spent| spent.usage.input);
    let first = desk.review();
    assert_eq!((server.asked().len(), spent(&first)), (3, Some(3 * 1200)));
    desk.repo.write("src/b/two.ts", lines("b").replace("b7 = 7", "b7 = 8"));
    let second = desk.review();
    assert_eq!((server.asked().len(), spent(&second)), (4, Some(1200)));
    let asked: Vec<_> =
        second.record.runs.iter().filter(|run| run.reviewer.as_str() == "qa" && !run.is_cached).collect();
    let files: Vec<_> = asked.iter().flat_map(|run| run.files.iter().flatten()).map(ToString::to_string).collect();
    assert_eq!(files, ["src/b/two.ts"]);
    // The same once more costs nothing.
    assert_eq!((spent(&desk.review()), server.asked().len()), (None, 4));
}

/// Who stands in for another counts by its own model: two of a family are one voice, whoever was asked first.
#[test]
fn a_fallback_counts_by_its_own_identity() {
    let unsure = finding().to_string().replace("100", "50");
    let unsure = Server::answering(vec![Reply::Says(answer(&serde_json::from_str(&unsure).unwrap()))]);
    let silent = Server::answering(vec![Reply::Says("no".to_owned())]);
    let with = |fallback: &str| {
        let named = |name: &str, server: &Server, model: &str, more: &str| {
            table(name, "openai", server, more).replace("\"m1\"", &format!("\"{model}\""))
        };
        let tables = [
            named("qa", &silent, "claude-opus-4-5", "fallback = [\"spare\"]"),
            named("spare", &unsure, fallback, ""),
            named("testing", &unsure, "gpt-5", ""),
        ];
        let reviewed = Desk::with(&tables.concat()).review();
        let notes = reviewed.judgement.merged.synthesis.residual_risks.join("\n");
        assert!(notes.contains("spare answered in place of qa"), "{notes}");
        assert_eq!(run(&reviewed, "spare").stands_in_for.as_ref().map(ToString::to_string), Some("qa".to_owned()));
        outcome(&reviewed)
    };
    assert_eq!(with("gpt-5-mini"), Outcome::Clear, "the family of the other one");
    assert_eq!(with("claude-opus-4-5"), Outcome::Blocked, "another family raises it");
}

/// Who assesses acceptance criteria is held to another form, and is asked about the change as a whole.
#[test]
fn criteria_are_asked_for_in_their_own_form() {
    let said = json!({"nonce": "NONCE", "reviewer": "intent", "criteria": [{"criterion": 1, "answer": "met",
        "file": "src/two.ts", "line": 1, "evidence": ["export const two = 2;"], "why": "w"}]});
    for provider in PROVIDERS {
        let server = Server::answering(vec![Reply::Says(said.to_string())]);
        let desk = Desk::with(&table("intent", provider, &server, "").replace("\"qa\"", "\"intent\""));
        let asking = AskOptions { criteria: vec!["Two is two".to_owned()], ..trusting() };
        let reviewed = desk.try_asking(asking, scope::Request::Changeset { base: None }).unwrap();
        let [request] = server.asked().try_into().expect("it was asked once");
        let body = request.body.to_string();
        assert!(body.contains("not assessed") && !body.contains("autofix_class"), "{provider}: {body}");
        assert_eq!(run(&reviewed, "intent").criteria, ["Two is two"]);
        assert_eq!(outcome(&reviewed), Outcome::Clear, "{provider}: {}", gaps(&reviewed));
    }
}
