//! Our marks in comments: a line of HTML comment, the first of a body, that says what the comment is about.
//!
//! It counts only in a comment of our own account: anybody can write one. Deliberately not here: who wrote a comment (`forge`).

/// What a thread is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The identity of the finding, which does not move with the lines.
    pub fingerprint: String,
    /// Its id when it was last written, which tells twins apart.
    pub id: String,
}

/// What a reply says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Moved,
    Verified,
    Reopened,
}

/// What the summary says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Summary {
    /// The commit that it is about.
    pub(super) head: String,
    /// The review.
    pub(super) review: String,
    /// When it was first written about this commit and review, by the clock of the forge.
    pub(super) since: String,
    /// The fingerprints that the forge had no place for at this commit.
    pub(super) unplaced: Vec<String>,
}

const FINDING: &str = "<!-- jury:finding:1 ";
const REPLY: &str = "<!-- jury:reply:1 ";
const SUMMARY: &str = "<!-- jury:summary:1 ";
const END: &str = " -->";
/// What stands for an empty member.
const NONE: &str = "-";

/// Tells whether a text is safe within a marker.
fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~:+,".contains(&byte))
        && !text.contains("--")
}

fn plain(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let kept: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if kept.is_empty() { NONE.to_owned() } else { kept }
}

/// Returns the members of a marker on the first line of a body.
fn members<'b>(body: &'b str, start: &str) -> Option<Vec<&'b str>> {
    let line = body.split(['\n', '\r']).next()?;
    let members: Vec<&str> = line.strip_prefix(start)?.trim_end().strip_suffix(END)?.split(' ').collect();
    members.iter().all(|member| is_plain(member) || *member == NONE).then_some(members)
}

impl Key {
    pub(super) fn line(&self) -> String {
        format!("{FINDING}{} {}{END}", plain(&self.fingerprint), plain(&self.id))
    }

    pub(super) fn of(body: &str) -> Option<Self> {
        match members(body, FINDING)?[..] {
            [fingerprint, id] => Some(Self { fingerprint: fingerprint.to_owned(), id: id.to_owned() }),
            _ => None,
        }
    }
}

impl Kind {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Moved, "moved"), (Self::Verified, "verified"), (Self::Reopened, "reopened")];

    /// Returns the line for a reply about a finding.
    pub(super) fn line(self, key: &Key) -> String {
        let word = Self::ALL.iter().find(|(kind, _)| *kind == self).map_or(NONE, |(_, word)| word);
        format!("{REPLY}{word} {}{END}", plain(&key.fingerprint))
    }

    pub(super) fn of(body: &str) -> Option<Self> {
        let members = members(body, REPLY)?;
        Self::ALL.iter().find(|(_, word)| members.len() == 2 && members[0] == *word).map(|(kind, _)| *kind)
    }
}

/// Tells whether one of our texts begins a thread about a finding.
pub fn begins_thread(body: &str) -> bool {
    Key::of(body).is_some()
}

/// Returns the fingerprint of the finding that one of our texts is about.
pub fn fingerprint_in(body: &str) -> Option<String> {
    let of_reply = || members(body, REPLY)?.get(1).map(|it| (*it).to_owned());
    Key::of(body).map(|key| key.fingerprint).or_else(of_reply)
}

impl Summary {
    pub(super) fn line(&self) -> String {
        let unplaced: Vec<String> = self.unplaced.iter().map(|it| plain(it)).collect();
        let unplaced = if unplaced.is_empty() { NONE.to_owned() } else { unplaced.join(",") };
        format!("{SUMMARY}{} {} {} {unplaced}{END}", plain(&self.head), plain(&self.review), plain(&self.since))
    }

    pub(super) fn of(body: &str) -> Option<Self> {
        match members(body, SUMMARY)?[..] {
            [head, review, since, unplaced] => Some(Self {
                head: head.to_owned(),
                review: review.to_owned(),
                since: since.to_owned(),
                unplaced: unplaced.split(',').filter(|it| *it != NONE).map(str::to_owned).collect(),
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_reads_back() {
        let key = Key { fingerprint: "ab12".to_owned(), id: "security-3213ecb0-2~2".to_owned() };
        assert_eq!(Key::of(&format!("{}\ntext", key.line())), Some(key.clone()));
        assert_eq!(Key::of(&format!("{}\r\ntext", key.line())), Some(key));
        for (kind, _) in Kind::ALL {
            let line = kind.line(&Key { fingerprint: "ab12".to_owned(), id: String::new() });
            assert_eq!((Kind::of(&line), fingerprint_in(&line).as_deref()), (Some(kind), Some("ab12")));
        }
        for unplaced in [vec![], vec!["a".to_owned(), "b".to_owned()]] {
            let summary = Summary {
                head: "1f".to_owned(),
                review: "a3f8c12b".to_owned(),
                since: "2026-02-16T10:00:00Z".to_owned(),
                unplaced,
            };
            assert_eq!(Summary::of(&summary.line()), Some(summary));
        }
    }

    #[test]
    fn only_the_first_line_counts_and_nothing_ends_it_early() {
        let key = Key { fingerprint: "a --> b".to_owned(), id: "x\n-->".to_owned() };
        assert_eq!(key.line().matches("-->").count(), 1, "{}", key.line());
        let line = Key { fingerprint: "a".to_owned(), id: "b".to_owned() }.line();
        for body in [format!("text\n{line}"), format!(" {line}"), format!("{line} {line}"), format!("> {line}")] {
            assert_eq!(Key::of(&body), None, "{body}");
        }
    }
}
