//! GitHub's REST and GraphQL, as far as a pull request's review needs them.

use serde_json::{Value, json};

use super::{Comment, ME, State, Thread, account, error, number, ok, page, parts, text};
use crate::server::{Asked, Reply};

/// GraphQL reads by POST, too.
pub(super) fn is_write(asked: &Asked) -> bool {
    let is_query = asked.path.ends_with("/graphql") && text(&asked.body, "/query").trim_start().starts_with("query");
    asked.method != "GET" && !is_query
}

pub(super) fn answer(state: &mut State, asked: &Asked) -> Reply {
    if asked.path.ends_with("/api/graphql") || asked.path.ends_with("/graphql") {
        return graphql(state, asked);
    }
    let (path, query) = parts(asked, "/api/v3");
    let body = &asked.body;
    match (asked.method.as_str(), &path[..]) {
        ("GET", ["user"]) => ok(state, 200, &user(ME)),
        ("GET", ["repos", _, _]) => ok(state, 200, &repository(&root(asked))),
        ("GET", ["repos", _, _, "pulls", number]) => {
            let url = root(asked);
            let pull = json!({"number": super::number(number), "head": {"sha": state.head}, "user": user(&state.author),
                "url": format!("{url}/pulls/{number}"), "issue_url": format!("{url}/issues/{number}"), "state": "open"});
            ok(state, 200, &pull)
        }
        ("GET", ["repos", _, _, "commits", sha, "statuses"]) => {
            let of = state.statuses.iter().rev().filter(|(commit, ..)| commit == sha);
            let statuses: Vec<Value> = of.map(|(_, passed, title)| status(*passed, title)).collect();
            page(state, &statuses, &query, &asked.path)
        }
        ("POST", ["repos", _, _, "statuses", sha]) => {
            let (passed, title) = (text(body, "/state") == "success", text(body, "/description").to_owned());
            if title.chars().count() > 140 {
                return error(422, "Validation Failed");
            }
            state.statuses.push(((*sha).to_owned(), passed, title.clone()));
            ok(state, 201, &status(passed, &title))
        }
        ("POST", ["repos", _, _, "pulls", _, "reviews"]) => review(state, body),
        ("DELETE", ["repos", _, _, "pulls", _, "reviews", id]) => {
            let id = number(id);
            state.threads.retain(|thread| thread.review != id || !thread.is_draft);
            ok(state, 200, &json!({"id": id, "state": "PENDING"}))
        }
        ("POST", ["repos", _, _, "pulls", _, "comments"]) => {
            let line = body.get("line").and_then(Value::as_u64);
            let is_file = text(body, "/subject_type") == "file";
            if line.is_none() && !is_file || text(body, "/commit_id") != state.head {
                return error(422, "Validation Failed");
            }
            match state.begin(text(body, "/path"), line.filter(|_| !is_file), text(body, "/body"), (false, 0)) {
                Some(id) => {
                    let thread = state.threads.iter().find(|thread| thread.id == id).expect("it was just begun");
                    ok(state, 201, &comment(&thread.comments[0], Some(thread)))
                }
                None => error(422, "Validation Failed"),
            }
        }
        ("POST", ["repos", _, _, "pulls", _, "comments", first, "replies"]) => {
            let first = number(first);
            let new = state.comment(ME, text(body, "/body"));
            let thread = state.threads.iter_mut().find(|thread| thread.comments[0].id == first);
            let Some(thread) = thread else { return error(404, "Not Found") };
            thread.comments.push(new.clone());
            let thread = thread.clone();
            ok(state, 201, &comment(&new, Some(&thread)))
        }
        ("PATCH", ["repos", _, _, "pulls" | "issues", "comments", id]) => {
            match state.edit(number(id), text(body, "/body")) {
                Some(edited) => ok(state, 200, &comment(&edited, None)),
                None => error(404, "Not Found"),
            }
        }
        ("GET", ["repos", _, _, "issues", _, "comments"]) => {
            let comments: Vec<Value> = state.comments.iter().map(|it| comment(it, None)).collect();
            page(state, &comments, &query, &asked.path)
        }
        ("POST", ["repos", _, _, "issues", _, "comments"]) => {
            let id = state.say(ME, text(body, "/body"));
            let made = state.find(id).expect("it was just written").clone();
            ok(state, 201, &comment(&made, None))
        }
        ("GET", ["orgs", org, "teams", team, "members"]) => {
            let members = state.teams.get(&format!("{org}/{team}")).cloned();
            match members {
                Some(members) => {
                    page(state, &members.iter().map(|it| user(it)).collect::<Vec<_>>(), &query, &asked.path)
                }
                None => error(404, "Not Found"),
            }
        }
        _ => error(404, "Not Found"),
    }
}

/// One bad place refuses the whole review, without naming it.
fn review(state: &mut State, body: &Value) -> Reply {
    let comments = body["comments"].as_array().cloned().unwrap_or_default();
    let is_good = |it: &Value| {
        let (start, line) = (it.get("start_line").and_then(Value::as_u64), it.get("line").and_then(Value::as_u64));
        let is_bad = line.is_none_or(|line| state.bad_lines.contains(&(text(it, "/path").to_owned(), line)));
        !is_bad && start.is_none_or(|start| Some(start) < line) && !text(it, "/body").is_empty()
    };
    if !comments.iter().all(is_good) || text(body, "/commit_id") != state.head || text(body, "/event") != "COMMENT" {
        return error(422, "Unprocessable Entity");
    }
    let id = state.number();
    for it in &comments {
        state.begin(text(it, "/path"), it["line"].as_u64(), text(it, "/body"), (false, id));
    }
    ok(
        state,
        200,
        &json!({"id": id, "node_id": format!("R_{id}"), "user": user(ME), "body": "", "state": "COMMENTED",
        "html_url": "http://127.0.0.1/r", "pull_request_url": "http://127.0.0.1/p", "commit_id": state.head,
        "submitted_at": state.now, "author_association": "NONE",
        "_links": {"html": {"href": "http://127.0.0.1/r"}, "pull_request": {"href": "http://127.0.0.1/p"}}}),
    )
}

fn graphql(state: &mut State, asked: &Asked) -> Reply {
    let query = text(&asked.body, "/query");
    let variables = &asked.body["variables"];
    for (mutation, resolves) in [("unresolveReviewThread", false), ("resolveReviewThread", true)] {
        if query.contains(mutation) {
            let id = number(text(variables, "/thread").trim_start_matches("T_"));
            let denied = state.denied.iter().any(|part| part == &format!("mutation:{mutation}"));
            let thread = state.threads.iter_mut().find(|thread| thread.id == id).filter(|_| !denied);
            let Some(thread) = thread else {
                // GraphQL answers 200 to a refusal, too.
                let refused = json!({"data": {mutation: null}, "errors": [{"type": "FORBIDDEN", "path": [mutation],
                    "message": "Resource not accessible by integration"}]});
                return ok(state, 200, &refused);
            };
            thread.resolved_by = resolves.then(|| ME.to_owned());
            return ok(state, 200, &json!({"data": {mutation: {"thread": {"isResolved": resolves}}}}));
        }
    }
    let slice = |items: Vec<Value>, cursor: &str, first: usize| {
        let from = variables[cursor].as_str().map_or(0, |cursor| number(cursor) as usize);
        let to = (from + first.min(state.page)).min(items.len());
        json!({"nodes": items[from.min(to)..to], "pageInfo": {"hasNextPage": to < items.len(), "endCursor": to.to_string()}})
    };
    let pull = if query.contains("reviewThreads") {
        let seen = state.threads.iter().filter(|it| !it.is_draft);
        json!({
            "headRefOid": state.head,
            "comments": slice(state.comments.iter().map(node).collect(), "comments", 100),
            "reviewThreads": slice(seen.map(thread).collect(), "threads", 50),
            "reviews": {"nodes": pending(state)},
        })
    } else {
        let by =
            |name: &str| json!({"__typename": if state.bots.contains(name) { "Bot" } else { "User" }, "login": name});
        let reviews = state.reviews.iter().map(
            |it| json!({"author": by(&it.by), "state": it.state, "submittedAt": it.at, "commit": {"oid": it.commit}}),
        );
        let comments = state.comments.iter().map(|it| {
            let edited = if it.is_edited { json!(it.at) } else { Value::Null };
            json!({"author": by(&it.by), "body": it.body, "createdAt": it.at, "lastEditedAt": edited})
        });
        json!({
            "author": {"login": state.author},
            "reviews": slice(reviews.collect(), "reviews", 100),
            "comments": slice(comments.collect(), "comments", 100),
        })
    };
    ok(state, 200, &json!({"data": {"viewer": {"login": ME}, "repository": {"pullRequest": pull}}}))
}

fn node(it: &Comment) -> Value {
    json!({"databaseId": it.id, "viewerDidAuthor": it.by == ME, "body": it.body, "state": "SUBMITTED"})
}

fn thread(it: &Thread) -> Value {
    json!({"id": format!("T_{}", it.id), "isResolved": it.resolved_by.is_some(), "isOutdated": it.is_outdated,
        "path": it.path, "line": it.line.filter(|_| !it.is_outdated),
        "subjectType": if it.line.is_some() { "LINE" } else { "FILE" },
        "resolvedBy": it.resolved_by.as_ref().map(|by| json!({"login": by})),
        "comments": {"nodes": it.comments.iter().map(node).collect::<Vec<_>>()}})
}

/// The unfinished reviews, each with its comments.
fn pending(state: &State) -> Vec<Value> {
    let mut ids: Vec<u64> = state.threads.iter().filter(|it| it.is_draft).map(|it| it.review).collect();
    ids.dedup();
    let bodies = |id: u64| {
        let of = state.threads.iter().filter(move |it| it.is_draft && it.review == id);
        of.map(|it| json!({"body": it.comments[0].body})).collect::<Vec<_>>()
    };
    ids.iter()
        .map(|id| json!({"databaseId": id, "viewerDidAuthor": true, "comments": {"nodes": bodies(*id)}}))
        .collect()
}

fn user(name: &str) -> Value {
    let url = format!("http://127.0.0.1/users/{name}");
    json!({"login": name, "id": account(name), "node_id": format!("U_{}", account(name)), "avatar_url": url, "gravatar_id": "",
        "url": url, "html_url": url, "followers_url": url, "following_url": url, "gists_url": url, "starred_url": url,
        "subscriptions_url": url, "organizations_url": url, "repos_url": url, "events_url": url,
        "received_events_url": url, "type": "User", "site_admin": false})
}

/// Returns the address of the repository, as whoever asks reached it.
fn root(asked: &Asked) -> String {
    let host = asked.headers.iter().find(|(name, _)| name == "host").map_or("", |(_, host)| host.as_str());
    format!("http://{host}/api/v3/repos/o/r")
}

fn repository(url: &str) -> Value {
    json!({"id": 1, "name": "r", "full_name": "o/r", "owner": user("o"), "url": url, "private": false})
}

fn status(passed: bool, title: &str) -> Value {
    json!({"url": "http://127.0.0.1/s", "avatar_url": null, "id": 1, "node_id": "S_1",
        "state": if passed { "success" } else { "failure" }, "description": title, "target_url": null,
        "context": "jury", "created_at": "2026-02-16T10:00:00Z", "updated_at": "2026-02-16T10:00:00Z", "creator": user(ME)})
}

fn comment(it: &Comment, of: Option<&Thread>) -> Value {
    let url = "http://127.0.0.1/c";
    let mut value = json!({"id": it.id, "node_id": format!("C_{}", it.id), "url": url, "html_url": url, "body": it.body,
        "user": user(&it.by), "created_at": it.at, "updated_at": it.at, "author_association": "NONE"});
    match of {
        Some(thread) => {
            let more = json!({"pull_request_review_id": thread.review, "diff_hunk": "@@ -1 +1 @@", "path": thread.path,
                "commit_id": "0", "original_commit_id": "0", "pull_request_url": url, "line": thread.line, "side": "RIGHT",
                "_links": {"self": {"href": url}, "html": {"href": url}, "pull_request": {"href": url}}});
            let more = more.as_object().cloned().unwrap_or_default();
            value.as_object_mut().expect("it is an object").extend(more);
        }
        None => value["issue_url"] = json!(url),
    }
    value
}
