//! Gitea and Forgejo: reviews with comments on single lines, which hang together by their line.
//!
//! Comments of a review are made pending, one after another: an error leaves them for the next submit, so unfinished reviews of ours are
//! thrown away first. Resolving and replying exist from Gitea 1.26; the server's own list of paths tells.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::http::{ForgeError, Http, Pace, Trouble, flag, id, line, part, text};
use super::place::{Environment, Found, Place};
use super::{CONTEXT, Forge, Row, github};
use crate::publish::{
    Abilities, Action, Anchor, Approver, Comment, ForgeState, Hangs, Key, NewThread, Opinion, Opinions, PersonsComment,
    Ruled, Signal, SignalState, SuggestionForm, Thread, begins_thread, fingerprint_in,
};

pub(super) const ROW: Row = Row {
    name: "gitea",
    api: "/api/v1",
    public: None,
    detect,
    tokens: &["GITEA_TOKEN", "FORGEJO_TOKEN", "GITHUB_TOKEN"],
    open: |place, pace| Box::new(Gitea::new(place, pace)),
};

fn detect(environment: &Environment<'_>) -> Option<Found> {
    let is_told = ["GITEA_ACTIONS", "FORGEJO_ACTIONS"].iter().any(|name| environment.is_set(name));
    let has_api = environment.get("GITHUB_API_URL").is_some_and(|url| url.trim_end_matches('/').ends_with("/api/v1"));
    (is_told || has_api).then(|| github::actions(environment))
}

/// The paths of what older servers do not have.
const RESOLVE: &str = "/repos/{owner}/{repo}/pulls/comments/{id}/resolve";
const REPLY: &str = "/repos/{owner}/{repo}/pulls/{index}/comments/{id}/replies";

struct Gitea {
    http: Http,
    repo: String,
    owner: String,
    number: u64,
    head: String,
    me: String,
    can_resolve: Option<bool>,
    can_reply: bool,
    /// The place of each thread of ours, for replies on servers that have none.
    places: Vec<(String, String, u32)>,
}

impl Gitea {
    fn new(place: &Place, pace: Pace) -> Self {
        let http = Http::new(&place.url, ("authorization", format!("token {}", place.token)), &place.token, pace);
        let (owner, name) = place.repo.split_once('/').unwrap_or((&place.repo, ""));
        Self {
            http,
            repo: format!("/repos/{}/{}", part(owner), part(name)),
            owner: owner.to_owned(),
            number: place.number,
            head: String::new(),
            me: String::new(),
            can_resolve: None,
            can_reply: false,
            places: Vec::new(),
        }
    }

    fn pull(&self) -> String {
        format!("{}/pulls/{}", self.repo, self.number)
    }

    /// Asks the server what it has, once.
    fn look_for_abilities(&mut self) -> Result<bool, ForgeError> {
        if let Some(can_resolve) = self.can_resolve {
            return Ok(can_resolve);
        }
        let root = self.http.root().strip_suffix("/api/v1").unwrap_or(self.http.root()).to_owned();
        let paths = match self.http.get(&format!("{root}/swagger.v1.json")) {
            Ok(answer) => answer.body.get("paths").cloned().unwrap_or_default(),
            // Servers may hide it; then only what all have is used.
            Err(error) if error.trouble == Trouble::Denied => Value::Null,
            Err(error) => return Err(error),
        };
        self.can_reply = paths.get(REPLY).is_some();
        let can_resolve = paths.get(RESOLVE).is_some();
        self.can_resolve = Some(can_resolve);
        Ok(can_resolve)
    }

    fn review(&mut self, comments: &[Value]) -> Result<(), ForgeError> {
        let body = json!({"commit_id": self.head, "event": "COMMENT", "body": "", "comments": comments});
        self.http.write("POST", &format!("{}/reviews", self.pull()), Some(&body)).map(|_| ())
    }

    /// Throws unfinished reviews of ours away.
    fn clear(&mut self) -> Result<(), ForgeError> {
        let reviews = self.reviews()?;
        for draft in self.drafts(&reviews)? {
            self.http.write("DELETE", &format!("{}/reviews/{draft}", self.pull()), None)?;
        }
        Ok(())
    }

    fn post_all(&mut self, new: &[NewThread]) -> Result<Vec<Key>, ForgeError> {
        let mut unplaced: Vec<Key> = new.iter().filter(|it| on_line(it).is_none()).map(|it| it.key.clone()).collect();
        let placed: Vec<(&NewThread, Value)> = new.iter().filter_map(|it| Some((it, on_line(it)?))).collect();
        if placed.is_empty() {
            return Ok(unplaced);
        }
        let comments: Vec<Value> = placed.iter().map(|(_, comment)| comment.clone()).collect();
        match self.review(&comments) {
            Ok(()) => {}
            Err(error) if error.trouble == Trouble::Invalid => {
                for (one, comment) in placed {
                    self.clear()?;
                    match self.review(&[comment]) {
                        Ok(()) => {}
                        Err(error) if error.trouble == Trouble::Invalid => unplaced.push(one.key.clone()),
                        Err(error) => return Err(error),
                    }
                }
                self.clear()?;
            }
            Err(error) => return Err(error),
        }
        Ok(unplaced)
    }

    fn reviews(&mut self) -> Result<Vec<Value>, ForgeError> {
        let path = format!("{}/reviews", self.pull());
        self.http.list(&path)
    }

    fn comments_of(&mut self, review: &Value) -> Result<Vec<Value>, ForgeError> {
        let path = format!("{}/reviews/{}/comments", self.pull(), id(review, "/id"));
        let answer = self.http.get(&path)?.body;
        Ok(answer.as_array().cloned().unwrap_or_default())
    }

    /// Returns the unfinished reviews that have nothing but comments of ours.
    fn drafts(&mut self, reviews: &[Value]) -> Result<Vec<String>, ForgeError> {
        let mut drafts = Vec::new();
        let me = self.me.clone();
        for review in reviews.iter().filter(|it| text(it, "/state") == "PENDING" && id(it, "/user/id") == me) {
            let comments = self.comments_of(review)?;
            if !comments.is_empty() && comments.iter().all(|it| fingerprint_in(text(it, "/body")).is_some()) {
                drafts.push(id(review, "/id"));
            }
        }
        Ok(drafts)
    }

    fn set(&mut self, signal: &Signal) -> Result<(), ForgeError> {
        let state = if signal.state == SignalState::Success { "success" } else { "failure" };
        let mut body = json!({"state": state, "context": CONTEXT, "description": signal.title});
        if let Some(link) = &signal.link {
            body["target_url"] = json!(link);
        }
        self.http.write("POST", &format!("{}/statuses/{}", self.repo, part(&signal.head)), Some(&body)).map(|_| ())
    }

    fn reply(&mut self, first: &str, body: &str) -> Result<(), ForgeError> {
        if self.can_reply {
            let path = format!("{}/comments/{first}/replies", self.pull());
            return self.http.write("POST", &path, Some(&json!({"body": body}))).map(|_| ());
        }
        let place = self.places.iter().find(|(id, ..)| id == first).cloned();
        let Some((_, path, line)) = place else {
            return Err(ForgeError::new(Trouble::Denied, "the server has no replies to outdated comments"));
        };
        self.review(&[json!({"path": path, "new_position": line, "body": body})])
    }
}

fn on_line(new: &NewThread) -> Option<Value> {
    match &new.anchor {
        Anchor::Lines { path, end, .. } => Some(json!({"path": path, "new_position": end.new, "body": new.body})),
        Anchor::File { .. } | Anchor::Nowhere => None,
    }
}

impl Gitea {
    /// Puts comments into threads: each of ours that begins one, with the replies at its line. A reply of ours names its finding; one of a
    /// person goes with the comment before it.
    fn threads(&mut self, comments: &[Value]) -> Vec<Thread> {
        let mut threads: Vec<(Thread, String, u32)> = Vec::new();
        for comment in comments {
            let is_ours = id(comment, "/user/id") == self.me;
            let body = text(comment, "/body").to_owned();
            let path = text(comment, "/path").to_owned();
            let said = Comment { id: id(comment, "/id"), is_ours, body };
            let (now, then) = (line(comment, "/position"), line(comment, "/original_position"));
            let place = now.or(then).unwrap_or(0);
            let is_resolved = comment.get("resolver").is_some_and(|resolver| !resolver.is_null());
            if is_ours && begins_thread(&said.body) {
                let at = now.map_or(Hangs::Outdated, |line| Hangs::Line(path.clone(), line));
                let is_resolved_by_us = id(comment, "/resolver/id") == self.me;
                let thread = Thread { id: said.id.clone(), at, is_resolved, is_resolved_by_us, comments: vec![said] };
                threads.push((thread, path, place));
                continue;
            }
            let about = fingerprint_in(&said.body).filter(|_| is_ours);
            let is_here = |(thread, other, line): &(Thread, String, u32)| {
                let of = || fingerprint_in(&thread.comments[0].body);
                *other == path && *line == place && (about.is_none() || of() == about)
            };
            if let Some((thread, ..)) = threads.iter_mut().rev().find(|it| is_here(it)) {
                thread.comments.push(said);
            }
        }
        self.places = threads.iter().map(|(thread, path, line)| (thread.id.clone(), path.clone(), *line)).collect();
        threads.into_iter().map(|(thread, ..)| thread).collect()
    }
}

impl Forge for Gitea {
    fn state(&mut self) -> Result<ForgeState, ForgeError> {
        let me = self.http.get("/user")?;
        self.me = id(&me.body, "/id");
        let can_resolve = self.look_for_abilities()?;
        let pull = self.http.get(&self.pull())?.body;
        self.head = text(&pull, "/head/sha").to_owned();
        let reviews = self.reviews()?;
        let drafts = self.drafts(&reviews)?;
        let mut on_code = Vec::new();
        for review in reviews.iter().filter(|it| text(it, "/state") != "PENDING") {
            if review.get("comments_count").and_then(Value::as_u64) != Some(0) {
                on_code.extend(self.comments_of(review)?);
            }
        }
        on_code.sort_by_key(|comment| comment.get("id").and_then(Value::as_u64));
        let below = self.http.list(&format!("{}/issues/{}/comments", self.repo, self.number))?;
        let statuses = self.http.list(&format!("{}/commits/{}/statuses", self.repo, part(&self.head)))?;
        let newest = statuses.iter().filter(|it| text(it, "/context") == CONTEXT);
        let newest = newest.max_by_key(|it| it.get("id").and_then(Value::as_u64));
        let comment = |it: &Value| Comment {
            id: id(it, "/id"),
            is_ours: id(it, "/user/id") == self.me,
            body: text(it, "/body").to_owned(),
        };
        let comments = below.iter().map(comment).collect();
        Ok(ForgeState {
            head: self.head.clone(),
            now: me.date,
            threads: self.threads(&on_code),
            comments,
            signal: newest.map(|it| (text(it, "/status") == "success", text(it, "/description").to_owned())),
            drafts,
            abilities: Abilities {
                can_resolve,
                has_file_comments: false,
                has_ranges: false,
                suggestion: SuggestionForm::None,
            },
        })
    }

    fn perform(&mut self, action: &Action) -> Result<Vec<Key>, ForgeError> {
        let said = |body: &str| json!({"body": body});
        match action {
            Action::Open(new) => return self.post_all(new),
            Action::Discard { draft } => {
                self.http.write("DELETE", &format!("{}/reviews/{draft}", self.pull()), None).map(|_| ())?;
            }
            Action::Reply { first, body, .. } => self.reply(first, body)?,
            // Gitea has comments on code and below the description in one list.
            Action::Edit { comment, body, .. } | Action::Summarise { comment: Some(comment), body } => {
                let path = format!("{}/issues/comments/{comment}", self.repo);
                self.http.write("PATCH", &path, Some(&said(body))).map(|_| ())?;
            }
            Action::Resolve { first, .. } => {
                self.http.write("POST", &format!("{}/pulls/comments/{first}/resolve", self.repo), None).map(|_| ())?;
            }
            Action::Unresolve { first, .. } => {
                self.http
                    .write("POST", &format!("{}/pulls/comments/{first}/unresolve", self.repo), None)
                    .map(|_| ())?;
            }
            Action::Summarise { comment: None, body } => {
                let path = format!("{}/issues/{}/comments", self.repo, self.number);
                self.http.write("POST", &path, Some(&said(body))).map(|_| ())?;
            }
            Action::Set(signal) => self.set(signal)?,
        }
        Ok(Vec::new())
    }

    fn opinions(&mut self) -> Result<Opinions, ForgeError> {
        let pull = self.http.get(&self.pull())?.body;
        let reviews = self.reviews()?;
        let below = self.http.list(&format!("{}/issues/{}/comments", self.repo, self.number))?;
        // Accounts of the server itself have no positive number.
        let approver = |it: &Value| Approver {
            name: text(it, "/user/login").to_owned(),
            is_bot: it.pointer("/user/id").and_then(Value::as_i64).is_none_or(|id| id <= 0),
        };
        let opinion = |it: &Value| {
            let is_gone = flag(it, "/dismissed") || flag(it, "/stale");
            let ruled = match text(it, "/state") {
                "APPROVED" if is_gone => Ruled::Withdrawn,
                "APPROVED" => Ruled::Approved,
                "REQUEST_CHANGES" => Ruled::Objected,
                _ => return None,
            };
            let commit = Some(text(it, "/commit_id").to_owned()).filter(|commit| !commit.is_empty());
            Some(Opinion { by: approver(it), ruled, commit, at: text(it, "/submitted_at").to_owned() })
        };
        let comment = |it: &Value| PersonsComment {
            by: approver(it),
            body: text(it, "/body").to_owned(),
            at: text(it, "/created_at").to_owned(),
            is_edited: text(it, "/created_at") != text(it, "/updated_at"),
        };
        Ok(Opinions {
            author: text(&pull, "/user/login").to_owned(),
            opinions: reviews.iter().filter_map(opinion).collect(),
            comments: below.iter().map(comment).collect(),
        })
    }

    fn members(&mut self, team: &str) -> Result<BTreeSet<String>, ForgeError> {
        let (org, name) = team.split_once('/').unwrap_or((&self.owner, team));
        let found = self.http.get(&format!("/orgs/{}/teams/search?q={}", part(org), part(name)))?.body;
        let teams = found.get("data").and_then(Value::as_array).cloned().unwrap_or_default();
        let team = teams.iter().find(|it| text(it, "/name").eq_ignore_ascii_case(name)).map(|it| id(it, "/id"));
        let team = team.ok_or_else(|| ForgeError::new(Trouble::Denied, format!("there is no team {org}/{name}")))?;
        let members = self.http.list(&format!("/teams/{}/members", part(&team)))?;
        Ok(members.iter().map(|member| text(member, "/login").to_owned()).collect())
    }

    fn requests(&self) -> (usize, usize) {
        (self.http.reads, self.http.writes)
    }
}
