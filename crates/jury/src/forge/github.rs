//! GitHub, and GitHub Enterprise Server: threads by GraphQL, which alone knows what is resolved and what is our own; writes by REST.
//!
//! One bad place in a review gives 422 for all of it, without naming it: then each is posted alone, then on the file, then nowhere.
//! Resolving needs `contents: write`; what GraphQL answers is looked at, for it answers 200 to a refusal, too.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::http::{ForgeError, Http, Pace, Trouble, flag, id, line, part, text};
use super::place::{Environment, Found, Place};
use super::{CONTEXT, Forge, Row};
use crate::publish::{
    Abilities, Action, Anchor, Approver, Comment, ForgeState, Hangs, Key, NewThread, Opinion, Opinions, PersonsComment,
    Ruled, Signal, SignalState, Thread, begins_thread,
};

pub(super) const ROW: Row = Row {
    name: "github",
    api: "/api/v3",
    public: Some("https://api.github.com"),
    detect,
    tokens: &["GITHUB_TOKEN", "GH_TOKEN"],
    open: |place, pace| Box::new(GitHub::new(place, pace)),
};

fn detect(environment: &Environment<'_>) -> Option<Found> {
    environment.is_set("GITHUB_ACTIONS").then(|| actions(environment))
}

/// Reads the variables of GitHub Actions, which others set, too.
pub(super) fn actions(environment: &Environment<'_>) -> Found {
    let get = |name: &str| environment.get(name);
    let run = || {
        Some(format!(
            "{}/{}/actions/runs/{}",
            get("GITHUB_SERVER_URL")?,
            get("GITHUB_REPOSITORY")?,
            get("GITHUB_RUN_ID")?
        ))
    };
    Found {
        url: get("GITHUB_API_URL"),
        repo: get("GITHUB_REPOSITORY"),
        number: environment.number_of_ref().or_else(|| environment.number_of_event()),
        run_link: run(),
    }
}

/// The most comments of one review.
const MOST_AT_ONCE: usize = 30;

const STATE: &str = "query($owner: String!, $name: String!, $number: Int!, $threads: String, $comments: String) {
  viewer { login }
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    headRefOid
    comments(first: 100, after: $comments) {
      pageInfo { hasNextPage endCursor }
      nodes { databaseId viewerDidAuthor body }
    }
    reviewThreads(first: 50, after: $threads) {
      pageInfo { hasNextPage endCursor }
      nodes { id isResolved isOutdated path line subjectType resolvedBy { login }
        comments(first: 50) { nodes { databaseId viewerDidAuthor body state } }
      }
    }
    reviews(first: 20, states: [PENDING]) {
      nodes { databaseId viewerDidAuthor comments(first: 50) { nodes { body } } }
    }
  } }
}";

const OPINIONS: &str = "query($owner: String!, $name: String!, $number: Int!, $reviews: String, $comments: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    author { login }
    reviews(first: 100, after: $reviews) {
      pageInfo { hasNextPage endCursor }
      nodes { author { __typename login } state submittedAt commit { oid } }
    }
    comments(first: 100, after: $comments) {
      pageInfo { hasNextPage endCursor }
      nodes { author { __typename login } body createdAt lastEditedAt }
    }
  } }
}";

const RESOLVE: &str = "mutation($thread: ID!) {
  resolveReviewThread(input: { threadId: $thread }) { thread { isResolved } }
}";

const UNRESOLVE: &str = "mutation($thread: ID!) {
  unresolveReviewThread(input: { threadId: $thread }) { thread { isResolved } }
}";

struct GitHub {
    http: Http,
    owner: String,
    name: String,
    number: u64,
    head: String,
}

impl GitHub {
    fn new(place: &Place, pace: Pace) -> Self {
        let http = Http::new(&place.url, ("authorization", format!("Bearer {}", place.token)), &place.token, pace);
        let (owner, name) = place.repo.split_once('/').unwrap_or((&place.repo, ""));
        Self { http, owner: owner.to_owned(), name: name.to_owned(), number: place.number, head: String::new() }
    }

    fn repo(&self) -> String {
        format!("/repos/{}/{}", part(&self.owner), part(&self.name))
    }

    fn pull(&self) -> String {
        format!("{}/pulls/{}", self.repo(), self.number)
    }

    /// Returns the address for GraphQL: beside that of REST.
    fn graphql(&self) -> String {
        match self.http.root().strip_suffix("/v3") {
            Some(root) => format!("{root}/graphql"),
            None => format!("{}/graphql", self.http.root()),
        }
    }

    fn ask(&mut self, query: &str, variables: Value, is_read: bool) -> Result<(Value, Option<String>), ForgeError> {
        let (path, body) = (self.graphql(), json!({"query": query, "variables": variables}));
        let answer =
            if is_read { self.http.query(&path, &body)? } else { self.http.write("POST", &path, Some(&body))? };
        if let Some(error) = answer.body.pointer("/errors/0") {
            let said: String = text(error, "/message").chars().take(200).collect();
            let trouble = if text(error, "/type") == "RATE_LIMITED" { Trouble::Limited } else { Trouble::Denied };
            return Err(ForgeError::new(trouble, format!("GraphQL: {said}")));
        }
        Ok((answer.body.pointer("/data").cloned().unwrap_or_default(), answer.date))
    }

    /// Asks until both lists are whole, and hands each page of them over.
    fn pages(
        &mut self,
        query: &str,
        lists: [&str; 2],
        each: &mut dyn FnMut(&Value, usize, &[Value]),
    ) -> Result<Option<String>, ForgeError> {
        let mut cursors: [Option<String>; 2] = [None, None];
        let mut is_done = [false, false];
        let mut date = None;
        for _ in 0..100 {
            let mut variables = json!({"owner": self.owner, "name": self.name, "number": self.number});
            for (list, cursor) in lists.iter().zip(&cursors) {
                variables[*list] = json!(cursor);
            }
            let (data, at) = self.ask(query, variables, true)?;
            date = date.or(at);
            let pull = data.pointer("/repository/pullRequest").filter(|pull| !pull.is_null());
            let pull = pull.ok_or_else(|| ForgeError::new(Trouble::Denied, "there is no such pull request"))?;
            for (index, list) in lists.iter().enumerate().filter(|(index, _)| !is_done[*index]).collect::<Vec<_>>() {
                let list = if *list == "threads" { "reviewThreads" } else { list };
                each(&data, index, &nodes(pull, &format!("/{list}/nodes")));
                let info = format!("/{list}/pageInfo");
                is_done[index] = !flag(pull, &format!("{info}/hasNextPage"));
                cursors[index] = Some(id(pull, &format!("{info}/endCursor")));
            }
            if is_done == [true, true] {
                return Ok(date);
            }
        }
        Err(ForgeError::new(Trouble::Invalid, "the pull request has too many comments"))
    }

    fn post_all(&mut self, new: &[NewThread]) -> Result<Vec<Key>, ForgeError> {
        let mut unplaced = Vec::new();
        let (on_lines, others): (Vec<&NewThread>, Vec<&NewThread>) =
            new.iter().partition(|it| matches!(it.anchor, Anchor::Lines { .. }));
        for some in on_lines.chunks(MOST_AT_ONCE) {
            let comments: Vec<Value> = some.iter().filter_map(|it| on_lines_of(it)).collect();
            let body = json!({"commit_id": self.head, "event": "COMMENT", "body": "", "comments": comments});
            match self.http.write("POST", &format!("{}/reviews", self.pull()), Some(&body)) {
                Ok(_) => {}
                Err(error) if error.trouble == Trouble::Invalid => {
                    for one in some {
                        unplaced.extend(self.post_one(one)?);
                    }
                }
                Err(error) => return Err(error),
            }
        }
        for one in others {
            unplaced.extend(self.post_on_file(one)?);
        }
        Ok(unplaced)
    }

    fn post_one(&mut self, new: &NewThread) -> Result<Option<Key>, ForgeError> {
        let Some(mut body) = on_lines_of(new) else { return self.post_on_file(new) };
        body["commit_id"] = json!(self.head);
        match self.http.write("POST", &format!("{}/comments", self.pull()), Some(&body)) {
            Ok(_) => Ok(None),
            Err(error) if error.trouble == Trouble::Invalid => self.post_on_file(new),
            Err(error) => Err(error),
        }
    }

    fn post_on_file(&mut self, new: &NewThread) -> Result<Option<Key>, ForgeError> {
        let Some((path, _)) = new.anchor.place() else { return Ok(Some(new.key.clone())) };
        let body = json!({"commit_id": self.head, "path": path, "subject_type": "file", "body": new.plain});
        match self.http.write("POST", &format!("{}/comments", self.pull()), Some(&body)) {
            Ok(_) => Ok(None),
            Err(error) if error.trouble == Trouble::Invalid => Ok(Some(new.key.clone())),
            Err(error) => Err(error),
        }
    }

    fn resolve(&mut self, thread: &str, query: &str, member: &str, is_resolved: bool) -> Result<(), ForgeError> {
        let (data, _) = self.ask(query, json!({"thread": thread}), false)?;
        let told = data.pointer(&format!("/{member}/thread/isResolved")).and_then(Value::as_bool);
        if told == Some(is_resolved) {
            return Ok(());
        }
        Err(ForgeError::new(Trouble::Denied, format!("{member}: the thread is as it was")))
    }

    fn set(&mut self, signal: &Signal) -> Result<(), ForgeError> {
        let state = if signal.state == SignalState::Success { "success" } else { "failure" };
        let mut body = json!({"state": state, "context": CONTEXT, "description": signal.title});
        if let Some(link) = &signal.link {
            body["target_url"] = json!(link);
        }
        let path = format!("{}/statuses/{}", self.repo(), part(&signal.head));
        self.http.write("POST", &path, Some(&body)).map(|_| ())
    }
}

fn nodes(value: &Value, pointer: &str) -> Vec<Value> {
    value.pointer(pointer).and_then(Value::as_array).cloned().unwrap_or_default()
}

/// Returns the comment of a review on lines. `start_line` has to come before `line`.
fn on_lines_of(new: &NewThread) -> Option<Value> {
    let Anchor::Lines { path, start, end, .. } = &new.anchor else { return None };
    let mut body = json!({"path": path, "line": end.new, "side": "RIGHT", "body": new.body});
    if start.new < end.new {
        body["start_line"] = json!(start.new);
        body["start_side"] = json!("RIGHT");
    }
    Some(body)
}

fn thread(node: &Value, viewer: &str) -> Option<Thread> {
    let comments = nodes(node, "/comments/nodes");
    if comments.first().is_none_or(|first| text(first, "/state") == "PENDING") {
        return None;
    }
    let path = text(node, "/path").to_owned();
    let at = match (flag(node, "/isOutdated"), line(node, "/line")) {
        (true, _) => Hangs::Outdated,
        (false, Some(line)) if text(node, "/subjectType") != "FILE" => Hangs::Line(path, line),
        (false, _) if text(node, "/subjectType") == "FILE" => Hangs::File(path),
        (false, _) => Hangs::Outdated,
    };
    Some(Thread {
        id: id(node, "/id"),
        at,
        is_resolved: flag(node, "/isResolved"),
        is_resolved_by_us: text(node, "/resolvedBy/login") == viewer,
        comments: comments.iter().map(comment).collect(),
    })
}

fn comment(node: &Value) -> Comment {
    Comment {
        id: id(node, "/databaseId"),
        is_ours: flag(node, "/viewerDidAuthor"),
        body: text(node, "/body").to_owned(),
    }
}

/// Returns an unfinished review that an earlier run of ours left. One with anything else in it is a person's draft.
fn draft(node: &Value) -> Option<String> {
    let comments = nodes(node, "/comments/nodes");
    let is_own = flag(node, "/viewerDidAuthor") && comments.iter().all(|it| begins_thread(text(it, "/body")));
    (is_own && !comments.is_empty()).then(|| id(node, "/databaseId"))
}

fn approver(node: &Value) -> Approver {
    let name = text(node, "/author/login").to_owned();
    let is_bot = text(node, "/author/__typename") != "User" || name.ends_with("[bot]");
    Approver { name, is_bot }
}

impl Forge for GitHub {
    fn state(&mut self) -> Result<ForgeState, ForgeError> {
        let mut state = ForgeState { abilities: Abilities::default(), ..ForgeState::default() };
        let mut drafts = Vec::new();
        let mut each = |data: &Value, list: usize, nodes_of: &[Value]| {
            let pull = data.pointer("/repository/pullRequest").unwrap_or(&Value::Null);
            let viewer = text(data, "/viewer/login");
            state.head = text(pull, "/headRefOid").to_owned();
            drafts = nodes(pull, "/reviews/nodes").iter().filter_map(draft).collect();
            match list {
                0 => state.threads.extend(nodes_of.iter().filter_map(|node| thread(node, viewer))),
                _ => state.comments.extend(nodes_of.iter().map(comment)),
            }
        };
        let now = self.pages(STATE, ["threads", "comments"], &mut each)?;
        (state.now, state.drafts) = (now, drafts);
        self.head.clone_from(&state.head);
        let statuses = self.http.list(&format!("{}/commits/{}/statuses", self.repo(), part(&state.head)))?;
        let ours = statuses.iter().find(|it| text(it, "/context") == CONTEXT);
        state.signal = ours.map(|it| (text(it, "/state") == "success", text(it, "/description").to_owned()));
        Ok(state)
    }

    fn perform(&mut self, action: &Action) -> Result<Vec<Key>, ForgeError> {
        let (repo, pull) = (self.repo(), self.pull());
        let said = |body: &str| json!({"body": body});
        match action {
            Action::Open(new) => return self.post_all(new),
            Action::Discard { draft } => {
                self.http.write("DELETE", &format!("{pull}/reviews/{draft}"), None).map(|_| ())?
            }
            Action::Edit { comment, body, .. } => {
                let path = format!("{repo}/pulls/comments/{comment}");
                self.http.write("PATCH", &path, Some(&said(body))).map(|_| ())?;
            }
            Action::Reply { first, body, .. } => {
                let path = format!("{pull}/comments/{first}/replies");
                self.http.write("POST", &path, Some(&said(body))).map(|_| ())?;
            }
            Action::Resolve { thread, .. } => self.resolve(thread, RESOLVE, "resolveReviewThread", true)?,
            Action::Unresolve { thread, .. } => self.resolve(thread, UNRESOLVE, "unresolveReviewThread", false)?,
            Action::Summarise { comment: Some(comment), body } => {
                let path = format!("{repo}/issues/comments/{comment}");
                self.http.write("PATCH", &path, Some(&said(body))).map(|_| ())?;
            }
            Action::Summarise { comment: None, body } => {
                let path = format!("{repo}/issues/{}/comments", self.number);
                self.http.write("POST", &path, Some(&said(body))).map(|_| ())?;
            }
            Action::Set(signal) => self.set(signal)?,
        }
        Ok(Vec::new())
    }

    fn opinions(&mut self) -> Result<Opinions, ForgeError> {
        let mut all = Opinions::default();
        let mut each = |data: &Value, list: usize, nodes: &[Value]| {
            all.author = text(data, "/repository/pullRequest/author/login").to_owned();
            match list {
                0 => all.opinions.extend(nodes.iter().filter_map(|node| {
                    let ruled = match text(node, "/state") {
                        "APPROVED" => Ruled::Approved,
                        "DISMISSED" => Ruled::Withdrawn,
                        "CHANGES_REQUESTED" => Ruled::Objected,
                        _ => return None,
                    };
                    let commit = Some(text(node, "/commit/oid").to_owned()).filter(|oid| !oid.is_empty());
                    Some(Opinion { by: approver(node), ruled, commit, at: text(node, "/submittedAt").to_owned() })
                })),
                _ => all.comments.extend(nodes.iter().map(|node| PersonsComment {
                    by: approver(node),
                    body: text(node, "/body").to_owned(),
                    at: text(node, "/createdAt").to_owned(),
                    is_edited: node.get("lastEditedAt").is_none_or(|at| !at.is_null()),
                })),
            }
        };
        self.pages(OPINIONS, ["reviews", "comments"], &mut each)?;
        Ok(all)
    }

    fn members(&mut self, team: &str) -> Result<BTreeSet<String>, ForgeError> {
        let (org, team) = team.split_once('/').unwrap_or((&self.owner, team));
        let members = self.http.list(&format!("/orgs/{}/teams/{}/members", part(org), part(team)))?;
        Ok(members.iter().map(|member| text(member, "/login").to_owned()).collect())
    }

    fn requests(&self) -> (usize, usize) {
        (self.http.reads, self.http.writes)
    }
}
