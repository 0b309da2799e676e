//! The state of a pull request as a forge tells it, in the same words for every forge.

/// A pull request as it is now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForgeState {
    /// The commit at its head.
    pub head: String,
    /// The time there, if it was told.
    pub now: Option<String>,
    /// The threads about files and lines, oldest first.
    pub threads: Vec<Thread>,
    /// The comments below the description, oldest first.
    pub comments: Vec<Comment>,
    /// Our status of the head: whether it passed, its title and its link.
    pub signal: Option<(bool, String)>,
    /// Drafts and unfinished reviews of ours that an earlier run left behind.
    pub drafts: Vec<String>,
    /// What can be done there.
    pub abilities: Abilities,
}

/// What a forge can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// Whether threads can be resolved.
    pub can_resolve: bool,
    /// Whether a comment may be about a file as a whole.
    pub has_file_comments: bool,
    /// Whether a comment may be about several lines.
    pub has_ranges: bool,
    /// How a suggested change is written.
    pub suggestion: SuggestionForm,
}

impl Default for Abilities {
    fn default() -> Self {
        Self { can_resolve: true, has_file_comments: true, has_ranges: true, suggestion: SuggestionForm::Range }
    }
}

/// How a suggested change is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuggestionForm {
    /// It replaces the lines that are commented.
    Range,
    /// It counts the lines above the commented one.
    Counted,
    /// It cannot be taken over by a click.
    None,
}

/// A conversation about a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The name that the forge gives it.
    pub id: String,
    /// Where it hangs.
    pub at: Hangs,
    /// Whether it is resolved.
    pub is_resolved: bool,
    /// Whether we resolved it.
    pub is_resolved_by_us: bool,
    /// The comments, oldest first.
    pub comments: Vec<Comment>,
}

/// Where a thread hangs now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hangs {
    /// On a line, after the change.
    Line(String, u32),
    /// On a file.
    File(String),
    /// On lines that are no longer there.
    Outdated,
}

/// A comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The name that the forge gives it.
    pub id: String,
    /// Whether our own account wrote it.
    pub is_ours: bool,
    /// Its text.
    pub body: String,
}

impl Comment {
    /// Tells whether it says this already. Forges drop carriage returns and space at the end.
    pub(super) fn says(&self, body: &str) -> bool {
        let normal = |text: &str| text.replace('\r', "").trim_end().to_owned();
        normal(&self.body) == normal(body)
    }
}
