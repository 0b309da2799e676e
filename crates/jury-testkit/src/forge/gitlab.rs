//! GitLab's REST, as far as a merge request's review needs it.

use serde_json::{Value, json};

use super::{Comment, ME, State, Thread, account, error, number, ok, page, parts, text};
use crate::server::{Asked, Reply};

pub(super) fn answer(state: &mut State, asked: &Asked) -> Reply {
    let (path, query) = parts(asked, "/api/v4");
    let body = &asked.body;
    match (asked.method.as_str(), &path[..]) {
        ("GET", ["user"]) => ok(state, 200, &user(ME)),
        ("GET", ["users", id]) => {
            let id: u64 = number(id);
            let is_bot = state.bots.iter().any(|name| account(name) == id);
            ok(state, 200, &json!({"id": id, "username": "", "bot": is_bot}))
        }
        ("GET", ["projects", id]) => ok(state, 200, &json!({"id": number(id), "path_with_namespace": "o/r"})),
        ("GET", ["groups", group, "members", "all"]) => {
            let members = state.teams.get(&group.replace("%2F", "/")).cloned();
            match members {
                Some(members) => {
                    page(state, &members.iter().map(|it| user(it)).collect::<Vec<_>>(), &query, &asked.path)
                }
                None => error(404, "404 Group Not Found"),
            }
        }
        ("GET", ["projects", _, "repository", "commits", sha, "statuses"]) => {
            let of = state.statuses.iter().enumerate().filter(|(_, (commit, ..))| commit == sha);
            let all: Vec<Value> = of.map(|(at, (_, passed, title))| status(at, *passed, title)).collect();
            page(state, &all, &query, &asked.path)
        }
        ("POST", ["projects", _, "statuses", sha]) => {
            let passed = text(body, "/state") == "success";
            // The same state again is refused: there is no such transition.
            let last = state.statuses.iter().rev().find(|(commit, ..)| commit == sha);
            if last.is_some_and(|(_, was, title)| *was == passed && title == text(body, "/description")) {
                return error(400, "Cannot transition status");
            }
            state.statuses.push(((*sha).to_owned(), passed, text(body, "/description").to_owned()));
            ok(state, 201, &status(state.statuses.len(), passed, text(body, "/description")))
        }
        (method, ["projects", _, "merge_requests", iid, rest @ ..]) => {
            merge_request(state, asked, (method, number(iid), rest))
        }
        _ => error(404, "404 Not Found"),
    }
}

fn merge_request(state: &mut State, asked: &Asked, (method, iid, rest): (&str, u64, &[&str])) -> Reply {
    let (_, query) = parts(asked, "/api/v4");
    let body = &asked.body;
    match (method, rest) {
        ("GET", []) => ok(
            state,
            200,
            &json!({"id": 9, "iid": iid, "project_id": 42, "sha": state.head, "state": "opened",
            "author": user(&state.author),
            "diff_refs": {"base_sha": "b".repeat(40), "start_sha": "b".repeat(40), "head_sha": state.head}}),
        ),
        ("GET", ["discussions"]) => {
            let mut all: Vec<Value> = state
                .comments
                .iter()
                .map(|it| json!({"id": format!("n{}", it.id), "individual_note": true, "notes": [note(it, None)]}))
                .collect();
            all.extend(state.threads.iter().filter(|it| !it.is_draft).map(discussion));
            page(state, &all, &query, &asked.path)
        }
        ("GET", ["draft_notes"]) => {
            let drafts = state.threads.iter().filter(|it| it.is_draft);
            let all: Vec<Value> =
                drafts.map(|it| json!({"id": it.id, "note": it.comments[0].body, "author_id": account(ME)})).collect();
            page(state, &all, &query, &asked.path)
        }
        ("POST", ["draft_notes"]) => {
            let place = &body["position"];
            let is_text = text(place, "/position_type") == "text";
            let line = place.get("new_line").and_then(Value::as_u64).filter(|_| is_text);
            if is_text && line.is_none() || text(place, "/head_sha") != state.head {
                return error(400, "400 (Bad request) \"Note {:line_code=>[\"can't be blank\"]}\" not given");
            }
            match state.begin(text(place, "/new_path"), line, text(body, "/note"), (true, 0)) {
                Some(id) => ok(state, 201, &json!({"id": id, "note": text(body, "/note"), "author_id": account(ME)})),
                None => error(400, "line_code can't be blank"),
            }
        }
        ("DELETE", ["draft_notes", id]) => {
            let id = number(id);
            state.threads.retain(|it| !(it.is_draft && it.id == id));
            Reply::Raw(204, Vec::new(), String::new())
        }
        ("POST", ["draft_notes", "bulk_publish"]) => {
            state.threads.iter_mut().for_each(|it| it.is_draft = false);
            Reply::Raw(204, Vec::new(), String::new())
        }
        ("PUT", ["discussions", id]) => {
            let id = number(id);
            let resolved = body["resolved"].as_bool().unwrap_or(false);
            let Some(thread) = state.threads.iter_mut().find(|it| it.id == id) else {
                return error(404, "404 Not Found");
            };
            thread.resolved_by = resolved.then(|| ME.to_owned());
            let thread = discussion(thread);
            ok(state, 200, &thread)
        }
        ("POST", ["discussions", id, "notes"]) => {
            let id = number(id);
            let new = state.comment(ME, text(body, "/body"));
            let Some(thread) = state.threads.iter_mut().find(|it| it.id == id) else {
                return error(404, "404 Not Found");
            };
            thread.comments.push(new.clone());
            ok(state, 201, &note(&new, None))
        }
        ("PUT", ["discussions", _, "notes", id] | ["notes", id]) => match state.edit(number(id), text(body, "/body")) {
            Some(edited) => ok(state, 200, &note(&edited, None)),
            None => error(404, "404 Not Found"),
        },
        ("POST", ["notes"]) => {
            let id = state.say(ME, text(body, "/body"));
            let made = state.find(id).expect("it was just written").clone();
            ok(state, 201, &note(&made, None))
        }
        ("GET", ["notes"]) => {
            let mut all: Vec<Value> = state.comments.iter().map(|it| note(it, None)).collect();
            for review in &state.reviews {
                let what = if review.state == "APPROVED" { "approved" } else { "unapproved" };
                all.push(json!({"id": review.id, "system": true, "body": format!("{what} this merge request"),
                    "author": user(&review.by), "created_at": review.at, "updated_at": review.at}));
            }
            page(state, &all, &query, &asked.path)
        }
        ("GET", ["approvals"]) => {
            let approved = state.reviews.iter().filter(|it| it.state == "APPROVED");
            let by: Vec<Value> = approved.map(|it| json!({"user": user(&it.by)})).collect();
            ok(state, 200, &json!({"approved_by": by, "approved": !by.is_empty()}))
        }
        ("GET", ["versions"]) => {
            let version = |(at, (head, since)): (usize, &(String, String))| json!({"id": at, "head_commit_sha": head, "created_at": since});
            let all: Vec<Value> = state.heads.iter().enumerate().map(version).rev().collect();
            page(state, &all, &query, &asked.path)
        }
        _ => error(404, "404 Not Found"),
    }
}

fn user(name: &str) -> Value {
    json!({"id": account(name), "username": name, "name": name, "state": "active", "web_url": "http://127.0.0.1/u"})
}

fn status(id: usize, passed: bool, title: &str) -> Value {
    json!({"id": id, "sha": "0", "ref": "work", "status": if passed { "success" } else { "failed" }, "name": "jury",
        "description": title, "author": user(ME)})
}

fn note(it: &Comment, of: Option<&Thread>) -> Value {
    let updated = if it.is_edited { "2026-02-28T00:00:00Z" } else { &it.at };
    let mut note = json!({"id": it.id, "type": null, "body": it.body, "author": user(&it.by), "created_at": it.at,
        "updated_at": updated, "system": false, "resolvable": of.is_some()});
    if let Some(thread) = of {
        note["type"] = json!("DiffNote");
        let kind = if thread.line.is_some() { "text" } else { "file" };
        note["position"] = json!({"position_type": kind, "new_path": thread.path, "old_path": thread.path,
            "new_line": thread.line.filter(|_| !thread.is_outdated), "old_line": null});
        note["resolved"] = json!(thread.resolved_by.is_some());
        note["resolved_by"] = thread.resolved_by.as_deref().map_or(Value::Null, user);
    }
    note
}

fn discussion(thread: &Thread) -> Value {
    let notes: Vec<Value> = thread.comments.iter().map(|it| note(it, Some(thread))).collect();
    json!({"id": thread.id.to_string(), "individual_note": false, "notes": notes})
}
