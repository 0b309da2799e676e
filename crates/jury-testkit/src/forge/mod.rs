//! Forges with state on this machine, which misbehave as they are told to (FAULTS, row 40): one file for each kind.
//!
//! In: requests of whoever publishes or approves. Out: what the forge would answer, and the state of its one pull request. Deliberately not
//! here: anything of Jury. What is answered is held against the published schemas by the tests that use it.

mod gitea;
mod github;
mod gitlab;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};

use crate::server::{Asked, Reply, Server};

/// The account that publishes, and its number.
pub const ME: &str = "jury-bot";

/// A comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its number.
    pub id: u64,
    /// Who wrote it.
    pub by: String,
    /// Its text.
    pub body: String,
    /// When it was written.
    pub at: String,
    /// Whether it was edited.
    pub is_edited: bool,
}

/// A conversation on code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its number.
    pub id: u64,
    /// Its file.
    pub path: String,
    /// Its line; `None` on the file as a whole.
    pub line: Option<u64>,
    /// Whether its line is gone.
    pub is_outdated: bool,
    /// Who resolved it.
    pub resolved_by: Option<String>,
    /// The comments.
    pub comments: Vec<Comment>,
    /// Whether nobody but its author sees it yet.
    pub is_draft: bool,
    /// The review that it came with.
    pub review: u64,
}

/// What somebody said of the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// Its number.
    pub id: u64,
    /// Who.
    pub by: String,
    /// `APPROVED`, `DISMISSED`, `CHANGES_REQUESTED`, or `COMMENTED`.
    pub state: String,
    /// The commit.
    pub commit: String,
    /// When.
    pub at: String,
}

/// How a write goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is made, and the answer is 500.
    FailsAfter,
    /// It is not made, and the connection ends.
    Cut,
    /// A limit, with a time to wait or without.
    Limit(Option<u64>),
    /// A limit that is 403, told in words only.
    SecondaryLimit,
    /// Not allowed.
    Denied,
}

/// The one pull request of a forge.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Its head.
    pub head: String,
    /// Every head that it had, with the time since.
    pub heads: Vec<(String, String)>,
    /// Who opened it.
    pub author: String,
    /// The conversations on code.
    pub threads: Vec<Thread>,
    /// The comments below the description.
    pub comments: Vec<Comment>,
    /// The statuses of commits: commit, whether it passed, title; the newest last.
    pub statuses: Vec<(String, bool, String)>,
    /// The reviews of people.
    pub reviews: Vec<Review>,
    /// The accounts that are programs.
    pub bots: BTreeSet<String>,
    /// Members of teams.
    pub teams: BTreeMap<String, Vec<String>>,
    /// The time.
    pub now: String,
    /// The lines that take no comment.
    pub bad_lines: BTreeSet<(String, u64)>,
    /// Whether files take no comment.
    pub refuses_files: bool,
    /// What is never allowed: parts of a path or a query.
    pub denied: Vec<String>,
    /// What goes wrong, by the number of the write.
    pub faults: BTreeMap<usize, Fault>,
    /// The most items of a page.
    pub page: usize,
    /// How many writes were asked for.
    pub writes: usize,
    /// Whether the server has what came late: resolving, on some.
    pub is_old: bool,
    next: u64,
}

/// A forge that runs until it is dropped.
pub struct FakeForge {
    server: Server,
    api: &'static str,
    state: Arc<Mutex<State>>,
}

/// Answers a request, changing the state.
type Answer = fn(&mut State, &Asked) -> Reply;

impl FakeForge {
    /// Starts a GitHub.
    pub fn github(head: &str) -> Self {
        Self::start("/api/v3", head, github::answer, github::is_write)
    }

    /// Starts a GitLab.
    pub fn gitlab(head: &str) -> Self {
        Self::start("/api/v4", head, gitlab::answer, is_write)
    }

    /// Starts a Gitea.
    pub fn gitea(head: &str) -> Self {
        Self::start("/api/v1", head, gitea::answer, is_write)
    }

    fn start(api: &'static str, head: &str, answer: Answer, is_write: fn(&Asked) -> bool) -> Self {
        let now = "2026-02-16T10:00:00Z".to_owned();
        let state = State {
            head: head.to_owned(),
            heads: vec![(head.to_owned(), now.clone())],
            author: "ann".to_owned(),
            now,
            page: 100,
            next: 100,
            ..State::default()
        };
        let state = Arc::new(Mutex::new(state));
        let shared = Arc::clone(&state);
        let server = Server::choosing(move |_, asked| {
            let mut state = shared.lock().expect("nobody panics while holding the state");
            let text = format!("{} {}", asked.path, asked.body);
            if state.denied.iter().any(|part| text.contains(part.as_str())) && is_write(asked) {
                return Some(error(403, "Resource not accessible by integration"));
            }
            if !is_write(asked) {
                return Some(answer(&mut state, asked));
            }
            state.writes += 1;
            let number = state.writes;
            match state.faults.remove(&number) {
                None => Some(answer(&mut state, asked)),
                Some(Fault::FailsAfter) => {
                    answer(&mut state, asked);
                    Some(error(500, "Server Error"))
                }
                Some(Fault::Cut) => None,
                Some(Fault::Limit(None)) => Some(error(429, "Too many requests")),
                Some(Fault::Limit(Some(seconds))) => {
                    let header = vec![("retry-after".to_owned(), seconds.to_string())];
                    Some(Reply::Raw(429, header, json!({"message": "Too many requests"}).to_string()))
                }
                Some(Fault::SecondaryLimit) => Some(error(403, "You have exceeded a secondary rate limit")),
                Some(Fault::Denied) => Some(error(403, "Resource not accessible by integration")),
            }
        });
        Self { server, api, state }
    }

    /// Returns the address of its interface.
    pub fn url(&self) -> String {
        format!("{}{}", self.server.url(""), self.api)
    }

    /// Returns the state, to look at it or to change it as people do.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nobody panics while holding the state")
    }

    /// Returns what was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.server.asked()
    }
}

fn is_write(asked: &Asked) -> bool {
    asked.method != "GET"
}

impl State {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn comment(&mut self, by: &str, body: &str) -> Comment {
        let (id, at) = (self.number(), self.now.clone());
        Comment { id, by: by.to_owned(), body: body.to_owned(), at, is_edited: false }
    }

    /// Has somebody write below the description.
    pub fn say(&mut self, by: &str, body: &str) -> u64 {
        let comment = self.comment(by, body);
        let id = comment.id;
        self.comments.push(comment);
        id
    }

    /// Has somebody review the whole.
    pub fn review(&mut self, by: &str, state: &str) {
        let (id, commit, at) = (self.number(), self.head.clone(), self.now.clone());
        self.reviews.push(Review { id, by: by.to_owned(), state: state.to_owned(), commit, at });
    }

    /// Moves the head.
    pub fn push(&mut self, head: &str) {
        self.head = head.to_owned();
        self.heads.push((head.to_owned(), self.now.clone()));
    }

    /// Begins a conversation, as its author only; `None` if the place takes none.
    fn begin(&mut self, path: &str, line: Option<u64>, body: &str, (is_draft, review): (bool, u64)) -> Option<u64> {
        let is_bad = match line {
            Some(line) => self.bad_lines.contains(&(path.to_owned(), line)),
            None => self.refuses_files,
        };
        if is_bad {
            return None;
        }
        let comments = vec![self.comment(ME, body)];
        let id = self.number();
        let path = path.to_owned();
        let thread = Thread { id, path, line, is_outdated: false, resolved_by: None, comments, is_draft, review };
        self.threads.push(thread);
        Some(id)
    }

    /// Finds a comment on code or below the description.
    fn find(&mut self, id: u64) -> Option<&mut Comment> {
        let on_code = self.threads.iter_mut().flat_map(|thread| &mut thread.comments);
        on_code.chain(&mut self.comments).find(|comment| comment.id == id)
    }

    fn edit(&mut self, id: u64, body: &str) -> Option<Comment> {
        let comment = self.find(id)?;
        (comment.body, comment.is_edited) = (body.to_owned(), true);
        Some(comment.clone())
    }
}

/// A number for an account, always the same.
fn account(name: &str) -> u64 {
    name.bytes().fold(7, |sum, byte| (sum * 31 + u64::from(byte)) % 100_000) + 1
}

fn ok(state: &State, status: u16, body: &Value) -> Reply {
    Reply::Raw(status, vec![("date".to_owned(), date(&state.now))], body.to_string())
}

fn error(status: u16, message: &str) -> Reply {
    let about = "http://127.0.0.1/docs";
    Reply::Raw(status, Vec::new(), json!({"message": message, "documentation_url": about}).to_string())
}

/// Writes a moment of February 2026 as a header does.
fn date(moment: &str) -> String {
    let day: u32 = moment.get(8..10).and_then(|day| day.parse().ok()).unwrap_or(1);
    // The first was a Sunday.
    let name = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][(day as usize + 6) % 7];
    format!("{name}, {day:02} Feb 2026 {} GMT", moment.get(11..19).unwrap_or("00:00:00"))
}

/// Splits an address into the parts of its path, after the root, and its query.
fn parts<'a>(asked: &'a Asked, root: &str) -> (Vec<&'a str>, BTreeMap<&'a str, &'a str>) {
    let (path, query) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
    let path = path.strip_prefix(root).unwrap_or(path);
    let parts = path.split('/').filter(|part| !part.is_empty()).collect();
    let query = query.split('&').filter_map(|pair| pair.split_once('='));
    (parts, query.collect())
}

/// Returns one page of a list, with the header that names the next.
fn page(state: &State, items: &[Value], query: &BTreeMap<&str, &str>, url: &str) -> Reply {
    let number = |name: &str, default: usize| query.get(name).and_then(|it| it.parse().ok()).unwrap_or(default);
    let (size, page) = (number("per_page", 30).min(state.page).max(1), number("page", 1).max(1));
    let shown: Vec<&Value> = items.iter().skip((page - 1) * size).take(size).collect();
    let mut headers = vec![("date".to_owned(), date(&state.now))];
    if items.len() > page * size {
        let address = url.split('?').next().unwrap_or_default();
        let next = page + 1;
        headers.push(("link".to_owned(), format!("<http://127.0.0.1{address}?page={next}>; rel=\"next\"")));
        headers.push(("x-next-page".to_owned(), next.to_string()));
    }
    Reply::Raw(200, headers, json!(shown).to_string())
}

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or_default()
}
