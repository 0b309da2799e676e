//! Gitea's REST, as far as a pull request's review needs it. Comments of a review are made one after another: what comes before a bad one
//! stays pending.

use serde_json::{Value, json};

use super::{Comment, ME, State, Thread, account, error, number, ok, page, parts, text};
use crate::server::{Asked, Reply};

pub(super) fn answer(state: &mut State, asked: &Asked) -> Reply {
    if asked.path.ends_with("/swagger.v1.json") {
        let late = json!({"/repos/{owner}/{repo}/pulls/comments/{id}/resolve": {},
            "/repos/{owner}/{repo}/pulls/{index}/comments/{id}/replies": {}});
        return ok(state, 200, &json!({"swagger": "2.0", "paths": if state.is_old { json!({}) } else { late }}));
    }
    let (path, query) = parts(asked, "/api/v1");
    let body = &asked.body;
    match (asked.method.as_str(), &path[..]) {
        ("GET", ["user"]) => ok(state, 200, &user(ME)),
        ("GET", ["version"]) => ok(state, 200, &json!({"version": "1.26.0"})),
        ("GET", ["orgs", org, "teams", "search"]) => {
            let name = query.get("q").copied().unwrap_or_default();
            let known = state.teams.contains_key(&format!("{org}/{name}"));
            let found = if known { json!([{"id": account(name), "name": name}]) } else { json!([]) };
            ok(state, 200, &json!({"ok": true, "data": found}))
        }
        ("GET", ["teams", id, "members"]) => {
            let of =
                state.teams.iter().find(|(name, _)| account(name.rsplit('/').next().unwrap_or_default()) == number(id));
            let members: Vec<Value> =
                of.map(|(_, members)| members.iter().map(|it| user(it)).collect()).unwrap_or_default();
            page(state, &members, &query, &asked.path)
        }
        ("GET", ["repos", _, _, "commits", sha, "statuses"]) => {
            let of = state.statuses.iter().enumerate().filter(|(_, (commit, ..))| commit == sha);
            let all: Vec<Value> = of.map(|(at, (_, passed, title))| status(at, *passed, title)).collect();
            page(state, &all, &query, &asked.path)
        }
        ("POST", ["repos", _, _, "statuses", sha]) => {
            let passed = text(body, "/state") == "success";
            state.statuses.push(((*sha).to_owned(), passed, text(body, "/description").to_owned()));
            ok(state, 201, &status(state.statuses.len(), passed, text(body, "/description")))
        }
        ("GET", ["repos", _, _, "issues", _, "comments"]) => {
            // The server has no pages here, whatever is asked.
            let all: Vec<Value> = state.comments.iter().map(|it| comment(it, None)).collect();
            ok(state, 200, &json!(all))
        }
        ("POST", ["repos", _, _, "issues", _, "comments"]) => {
            let id = state.say(ME, text(body, "/body"));
            let made = state.find(id).expect("it was just written").clone();
            ok(state, 201, &comment(&made, None))
        }
        ("PATCH", ["repos", _, _, "issues", "comments", id]) => match state.edit(number(id), text(body, "/body")) {
            Some(edited) => ok(state, 200, &comment(&edited, None)),
            None => error(404, "Not Found"),
        },
        ("POST", ["repos", _, _, "pulls", "comments", id, what @ ("resolve" | "unresolve")]) => {
            if state.is_old {
                return error(405, "Method Not Allowed");
            }
            let (id, by) = (number(id), (*what == "resolve").then(|| ME.to_owned()));
            match state.threads.iter_mut().find(|it| it.comments[0].id == id) {
                Some(thread) => {
                    thread.resolved_by = by;
                    Reply::Raw(204, Vec::new(), String::new())
                }
                None => error(404, "Not Found"),
            }
        }
        (method, ["repos", _, _, "pulls", index, rest @ ..]) => pull(state, asked, (method, number(index), rest)),
        ("GET", ["repos", _, _]) => {
            ok(state, 200, &json!({"id": 1, "name": "r", "full_name": "o/r", "owner": user("o")}))
        }
        _ => error(404, "Not Found"),
    }
}

fn pull(state: &mut State, asked: &Asked, (method, index, rest): (&str, u64, &[&str])) -> Reply {
    let (_, query) = parts(asked, "/api/v1");
    let body = &asked.body;
    match (method, rest) {
        ("GET", []) => ok(
            state,
            200,
            &json!({"id": 9, "number": index, "state": "open", "user": user(&state.author),
            "head": {"sha": state.head, "ref": "work"}, "base": {"ref": "main"}}),
        ),
        ("GET", ["reviews"]) => {
            let all = reviews(state);
            page(state, &all, &query, &asked.path)
        }
        ("GET", ["reviews", id, "comments"]) => {
            let id = number(id);
            let of = state
                .threads
                .iter()
                .flat_map(|it| it.comments.iter().enumerate().map(move |(at, comment)| (it, at, comment)));
            // A reply comes with a review of its own.
            let of =
                of.filter(|(it, at, comment)| if *at == 0 { it.review == id } else { comment.id + 1_000_000 == id });
            let all: Vec<Value> = of.map(|(it, _, said)| comment(said, Some(it))).collect();
            ok(state, 200, &json!(all))
        }
        ("POST", ["reviews"]) => {
            if text(body, "/commit_id") != state.head || text(body, "/event") != "COMMENT" {
                return error(422, "[CreatePullReview]: invalid");
            }
            let id = state.number();
            for it in body["comments"].as_array().cloned().unwrap_or_default() {
                let (path, line) = (text(&it, "/path").to_owned(), it["new_position"].as_u64());
                let said = text(&it, "/body").to_owned();
                // At the place of a thread, it is a reply.
                let new = state.comment(ME, &said);
                let is_reply = said.starts_with("<!-- jury:reply");
                let at = state.threads.iter().position(|it| is_reply && it.path == path && it.line == line);
                match at {
                    Some(at) => state.threads[at].comments.push(new),
                    None if state.begin(&path, line, &said, (true, id)).is_none() => {
                        return error(422, "line does not exist");
                    }
                    None => {}
                }
            }
            state.threads.iter_mut().for_each(|it| it.is_draft = false);
            ok(
                state,
                200,
                &json!({"id": id, "state": "COMMENT", "user": user(ME), "commit_id": state.head, "body": ""}),
            )
        }
        ("DELETE", ["reviews", id]) => {
            let id = number(id);
            state.threads.retain(|it| !(it.is_draft && it.review == id));
            Reply::Raw(204, Vec::new(), String::new())
        }
        ("POST", ["comments", first, "replies"]) => {
            if state.is_old {
                return error(404, "Not Found");
            }
            let first = number(first);
            let new = state.comment(ME, text(body, "/body"));
            let Some(thread) = state.threads.iter_mut().find(|it| it.comments[0].id == first) else {
                return error(404, "Not Found");
            };
            thread.comments.push(new.clone());
            let thread = thread.clone();
            ok(state, 201, &comment(&new, Some(&thread)))
        }
        _ => error(404, "Not Found"),
    }
}

/// The reviews: those with comments on code, one for each reply, and those of people.
fn reviews(state: &State) -> Vec<Value> {
    let review = |id: u64, by: &str, kind: &str, count: usize, (commit, at): (&str, &str)| {
        json!({"id": id, "user": user(by), "state": kind, "comments_count": count, "commit_id": commit, "submitted_at": at,
            "stale": commit != state.head, "dismissed": false, "official": true, "body": ""})
    };
    let mut all: Vec<Value> = Vec::new();
    for thread in &state.threads {
        let kind = if thread.is_draft { "PENDING" } else { "COMMENT" };
        let seen = (state.head.as_str(), state.now.as_str());
        if !all.iter().any(|it| it["id"] == json!(thread.review)) {
            all.push(review(thread.review, ME, kind, 1, seen));
        }
        for reply in thread.comments.iter().skip(1) {
            all.push(review(reply.id + 1_000_000, &reply.by, "COMMENT", 1, seen));
        }
    }
    for it in &state.reviews {
        let (kind, is_gone) = match it.state.as_str() {
            "CHANGES_REQUESTED" => ("REQUEST_CHANGES", false),
            "DISMISSED" => ("APPROVED", true),
            other => (other, false),
        };
        let mut value = review(it.id, &it.by, kind, 0, (&it.commit, &it.at));
        value["dismissed"] = json!(is_gone);
        if state.bots.contains(&it.by) {
            value["user"]["id"] = json!(-2);
        }
        all.push(value);
    }
    all
}

fn user(name: &str) -> Value {
    json!({"id": account(name), "login": name, "full_name": "", "email": "", "is_admin": false})
}

fn status(id: usize, passed: bool, title: &str) -> Value {
    json!({"id": id, "status": if passed { "success" } else { "failure" }, "context": "jury", "description": title,
        "target_url": "", "url": "", "creator": user(ME), "created_at": "2026-02-16T10:00:00Z",
        "updated_at": "2026-02-16T10:00:00Z"})
}

fn comment(it: &Comment, of: Option<&Thread>) -> Value {
    let updated = if it.is_edited { "2026-02-28T00:00:00Z" } else { &it.at };
    let mut value = json!({"id": it.id, "body": it.body, "user": user(&it.by), "html_url": "http://127.0.0.1/c",
        "created_at": it.at, "updated_at": updated});
    if let Some(thread) = of {
        let line = thread.line.unwrap_or(0);
        value["path"] = json!(thread.path);
        value["position"] = json!(if thread.is_outdated { 0 } else { line });
        value["original_position"] = json!(line);
        value["pull_request_review_id"] = json!(thread.review);
        value["diff_hunk"] = json!("@@ -1 +1 @@");
        if let Some(by) = &thread.resolved_by {
            value["resolver"] = user(by);
        }
    }
    value
}
