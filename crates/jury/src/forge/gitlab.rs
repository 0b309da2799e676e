//! GitLab, also self-managed: discussions, as drafts that are published at once, so that people get one mail.
//!
//! A line that the change left as it was needs both numbers, a line of a new file none before the change. What GitLab calls drafts are
//! seen by their author only; those that a cut left behind are thrown away. Approvals name no commit: the head at their time decides.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::http::{ForgeError, Http, Pace, Trouble, flag, id, line, part, text};
use super::place::{Environment, Found, Place};
use super::{CONTEXT, Forge, Row};
use crate::publish::{
    Abilities, Action, Anchor, Approver, Comment, ForgeState, Hangs, Key, NewThread, Opinion, Opinions, PersonsComment,
    Ruled, Signal, SignalState, SuggestionForm, Thread, begins_thread,
};

pub(super) const ROW: Row = Row {
    name: "gitlab",
    api: "/api/v4",
    public: Some("https://gitlab.com/api/v4"),
    detect,
    tokens: &["GITLAB_TOKEN"],
    open: |place, pace| Box::new(GitLab::new(place, pace)),
};

fn detect(environment: &Environment<'_>) -> Option<Found> {
    environment.is_set("GITLAB_CI").then(|| Found {
        url: environment.get("CI_API_V4_URL"),
        repo: environment.get("CI_PROJECT_ID").or_else(|| environment.get("CI_PROJECT_PATH")),
        number: environment.get("CI_MERGE_REQUEST_IID").and_then(|number| number.parse().ok()),
        run_link: environment.get("CI_JOB_URL"),
    })
}

/// The note that GitLab writes when somebody approves.
const APPROVED: &str = "approved this merge request";
const UNAPPROVED: &str = "unapproved this merge request";

struct GitLab {
    http: Http,
    project: String,
    number: u64,
    /// The commits that places are told by.
    refs: [String; 3],
}

impl GitLab {
    fn new(place: &Place, pace: Pace) -> Self {
        let http = Http::new(&place.url, ("private-token", place.token.clone()), &place.token, pace);
        Self {
            http,
            project: format!("/projects/{}", part(&place.repo)),
            number: place.number,
            refs: Default::default(),
        }
    }

    fn merge_request(&self) -> String {
        format!("{}/merge_requests/{}", self.project, self.number)
    }

    fn post_all(&mut self, new: &[NewThread]) -> Result<Vec<Key>, ForgeError> {
        let mut unplaced = Vec::new();
        let mut is_any = false;
        for one in new {
            match self.draft(one)? {
                true => is_any = true,
                false => unplaced.push(one.key.clone()),
            }
        }
        if is_any {
            self.http.write("POST", &format!("{}/draft_notes/bulk_publish", self.merge_request()), None)?;
        }
        Ok(unplaced)
    }

    /// Drafts a thread on its lines, else on its file; tells whether GitLab took one of them.
    fn draft(&mut self, new: &NewThread) -> Result<bool, ForgeError> {
        let path = format!("{}/draft_notes", self.merge_request());
        let [base, start, head] = &self.refs;
        let place = |kind: &str, path: &str, old_path: Option<&str>| {
            json!({"position_type": kind, "base_sha": base, "start_sha": start, "head_sha": head, "new_path": path,
                "old_path": old_path.unwrap_or(path)})
        };
        let mut tries = Vec::new();
        match &new.anchor {
            Anchor::Lines { path, old_path, end, .. } => {
                let mut position = place("text", path, old_path.as_deref());
                position["new_line"] = json!(end.new);
                if let (Some(old), Some(_)) = (end.old, old_path) {
                    position["old_line"] = json!(old);
                }
                tries.push(json!({"note": new.body, "position": position}));
                tries.push(json!({"note": new.plain, "position": place("file", path, old_path.as_deref())}));
            }
            Anchor::File { path, old_path } => {
                tries.push(json!({"note": new.plain, "position": place("file", path, old_path.as_deref())}));
            }
            Anchor::Nowhere => {}
        }
        for body in tries {
            match self.http.write("POST", &path, Some(&body)) {
                Ok(_) => return Ok(true),
                Err(error) if error.trouble == Trouble::Invalid => {}
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }

    fn resolve(&mut self, thread: &str, is_resolved: bool) -> Result<(), ForgeError> {
        let path = format!("{}/discussions/{thread}", self.merge_request());
        let told = self.http.write("PUT", &path, Some(&json!({"resolved": is_resolved})))?.body;
        if flag(&told, "/notes/0/resolved") == is_resolved {
            return Ok(());
        }
        Err(ForgeError::new(Trouble::Denied, "the discussion is as it was"))
    }

    fn set(&mut self, signal: &Signal) -> Result<(), ForgeError> {
        let state = if signal.state == SignalState::Success { "success" } else { "failed" };
        let mut body = json!({"state": state, "name": CONTEXT, "description": signal.title});
        if let Some(link) = &signal.link {
            body["target_url"] = json!(link);
        }
        self.http.write("POST", &format!("{}/statuses/{}", self.project, part(&signal.head)), Some(&body)).map(|_| ())
    }

    fn approver(&mut self, user: &Value) -> Result<Approver, ForgeError> {
        let account = self.http.get(&format!("/users/{}", part(&id(user, "/id"))))?.body;
        Ok(Approver { name: text(user, "/username").to_owned(), is_bot: flag(&account, "/bot") })
    }
}

fn list<'v>(value: &'v Value, pointer: &str) -> &'v [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn comment(note: &Value, me: &str) -> Comment {
    let is_ours = id(note, "/author/id") == me && !flag(note, "/system");
    Comment { id: id(note, "/id"), is_ours, body: text(note, "/body").to_owned() }
}

fn thread(discussion: &Value, me: &str) -> Option<Thread> {
    let notes = list(discussion, "/notes");
    let first = notes.first().filter(|first| first.get("position").is_some_and(|position| !position.is_null()))?;
    let path = text(first, "/position/new_path").to_owned();
    let at = match line(first, "/position/new_line") {
        Some(line) => Hangs::Line(path, line),
        None if text(first, "/position/position_type") == "file" => Hangs::File(path),
        None => Hangs::Outdated,
    };
    Some(Thread {
        id: id(discussion, "/id"),
        at,
        is_resolved: flag(first, "/resolved"),
        is_resolved_by_us: id(first, "/resolved_by/id") == me,
        comments: notes.iter().filter(|note| !flag(note, "/system")).map(|note| comment(note, me)).collect(),
    })
}

impl Forge for GitLab {
    fn state(&mut self) -> Result<ForgeState, ForgeError> {
        let me = self.http.get("/user")?;
        let (me, now) = (id(&me.body, "/id"), me.date);
        let pull = self.http.get(&self.merge_request())?.body;
        let refs =
            ["base_sha", "start_sha", "head_sha"].map(|name| text(&pull, &format!("/diff_refs/{name}")).to_owned());
        self.refs = refs;
        let head = text(&pull, "/sha").to_owned();
        let discussions = self.http.list(&format!("{}/discussions", self.merge_request()))?;
        let drafts = self.http.list(&format!("{}/draft_notes", self.merge_request()))?;
        let drafts = drafts.iter().filter(|draft| begins_thread(text(draft, "/note"))).map(|draft| id(draft, "/id"));
        let statuses = format!("{}/repository/commits/{}/statuses?name={CONTEXT}", self.project, part(&head));
        let statuses = self.http.list(&statuses)?;
        // The newest has the highest number, in whatever order they come.
        let newest = statuses.iter().max_by_key(|it| it.get("id").and_then(Value::as_u64));
        let alone = discussions.iter().filter(|it| thread(it, &me).is_none());
        let alone = alone.flat_map(|it| list(it, "/notes")).filter(|note| !flag(note, "/system"));
        Ok(ForgeState {
            head,
            now,
            threads: discussions.iter().filter_map(|it| thread(it, &me)).collect(),
            comments: alone.map(|note| comment(note, &me)).collect(),
            signal: newest.map(|it| (text(it, "/status") == "success", text(it, "/description").to_owned())),
            drafts: drafts.collect(),
            abilities: Abilities {
                can_resolve: true,
                has_file_comments: true,
                has_ranges: false,
                suggestion: SuggestionForm::Counted,
            },
        })
    }

    fn perform(&mut self, action: &Action) -> Result<Vec<Key>, ForgeError> {
        let mr = self.merge_request();
        let said = |body: &str| json!({"body": body});
        match action {
            Action::Open(new) => return self.post_all(new),
            Action::Discard { draft } => {
                self.http.write("DELETE", &format!("{mr}/draft_notes/{draft}"), None).map(|_| ())?;
            }
            Action::Edit { thread, comment, body } => {
                let path = format!("{mr}/discussions/{thread}/notes/{comment}");
                self.http.write("PUT", &path, Some(&said(body))).map(|_| ())?;
            }
            Action::Reply { thread, body, .. } => {
                let path = format!("{mr}/discussions/{thread}/notes");
                self.http.write("POST", &path, Some(&said(body))).map(|_| ())?;
            }
            Action::Resolve { thread, .. } => self.resolve(thread, true)?,
            Action::Unresolve { thread, .. } => self.resolve(thread, false)?,
            Action::Summarise { comment: Some(comment), body } => {
                self.http.write("PUT", &format!("{mr}/notes/{comment}"), Some(&said(body))).map(|_| ())?;
            }
            Action::Summarise { comment: None, body } => {
                self.http.write("POST", &format!("{mr}/notes"), Some(&said(body))).map(|_| ())?;
            }
            Action::Set(signal) => self.set(signal)?,
        }
        Ok(Vec::new())
    }

    fn opinions(&mut self) -> Result<Opinions, ForgeError> {
        let mr = self.merge_request();
        let pull = self.http.get(&mr)?.body;
        let approvals = self.http.get(&format!("{mr}/approvals"))?.body;
        let versions = self.http.list(&format!("{mr}/versions"))?;
        let notes = self.http.list(&format!("{mr}/notes?sort=asc&order_by=created_at"))?;
        // The last word of each account: that it approved, and when.
        let mut words: BTreeMap<String, (bool, String)> = BTreeMap::new();
        for note in notes.iter().filter(|note| flag(note, "/system")) {
            let is_approval = match text(note, "/body") {
                APPROVED => true,
                UNAPPROVED => false,
                _ => continue,
            };
            words.insert(id(note, "/author/id"), (is_approval, text(note, "/created_at").to_owned()));
        }
        let mut all = Opinions { author: text(&pull, "/author/username").to_owned(), ..Opinions::default() };
        for approval in list(&approvals, "/approved_by") {
            let user = approval.get("user").unwrap_or(&Value::Null);
            let Some((true, at)) = words.get(&id(user, "/id")).cloned() else { continue };
            let commit = head_at(&versions, &at);
            all.opinions.push(Opinion { by: self.approver(user)?, ruled: Ruled::Approved, commit, at });
        }
        for note in notes.iter().filter(|note| !flag(note, "/system") && text(note, "/body").starts_with("/jury")) {
            let author = note.get("author").cloned().unwrap_or_default();
            all.comments.push(PersonsComment {
                by: self.approver(&author)?,
                body: text(note, "/body").to_owned(),
                at: text(note, "/created_at").to_owned(),
                is_edited: text(note, "/created_at") != text(note, "/updated_at"),
            });
        }
        Ok(all)
    }

    fn members(&mut self, team: &str) -> Result<BTreeSet<String>, ForgeError> {
        let members = self.http.list(&format!("/groups/{}/members/all", part(team)))?;
        Ok(members.iter().map(|member| text(member, "/username").to_owned()).collect())
    }

    fn requests(&self) -> (usize, usize) {
        (self.http.reads, self.http.writes)
    }
}

/// Returns the head that a merge request had at a time: that of its newest version until then.
fn head_at(versions: &[Value], at: &str) -> Option<String> {
    let moment = |text: &str| text.parse::<jiff::Timestamp>().ok();
    let at = moment(at)?;
    let until = versions.iter().filter_map(|version| Some((moment(text(version, "/created_at"))?, version)));
    let newest = until.filter(|(created, _)| *created <= at).max_by_key(|(created, _)| *created);
    newest.map(|(_, version)| text(version, "/head_commit_sha").to_owned()).filter(|head| !head.is_empty())
}
