//! The fate of each leaf of a document.
//!
//! In: the tree, the spans of the understood claims, the document's own legend. Out: a fate for each leaf. Structure comes
//! before words: siblings are compared first; words only say that a leaf is known to be no claim.

use std::collections::{BTreeMap, BTreeSet};

use super::checks::Peers;
use super::fate::{Fate, NonClaim, Unread};
use super::mark::{Form, Mark};
use super::tree::{Kind, Tree};
use super::wording::{
    has_ending, has_title, is_field, is_only_places, is_placed_item, is_row_of_none, is_unknown_verdict, leading_place,
    names_a_file, opened, past_label, says_open, states_none,
};
use super::{Claims, Leaf, counts, mark};
use crate::intake::rating::{self, Legend};
use crate::intake::sections::{Section, is_good_news};
use crate::intake::synonyms::Settled;
use crate::intake::{lexicon, markdown, no_findings, places, prose, scalars};
use crate::syntax::Span;

/// Decides the fate of every leaf.
pub(super) fn of(tree: &Tree, claims: Claims<'_>, legend: &Legend) -> Vec<Leaf> {
    let accounts = Accounts::new(tree, claims, legend);
    let fate = |at: usize| Leaf { span: tree.leaves[at].span, fate: accounts.fate(at) };
    (0..tree.leaves.len()).map(fate).collect()
}

/// Tells for each leaf whether it starts in one of the spans, or one of them starts in it.
fn covered(tree: &Tree, spans: &[Span]) -> Vec<bool> {
    let mut spans = spans.to_vec();
    spans.sort_unstable();
    let is_covered = |span: Span| {
        let next = spans.partition_point(|claim| claim.start < span.end);
        let mut before = spans[..next].iter().rev().take(8);
        before.any(|claim| claim.start <= span.start && span.start < claim.end || claim.start >= span.start)
    };
    tree.leaves.iter().map(|leaf| leaf.kind != Kind::Code && is_covered(leaf.span)).collect()
}

/// A list, table or paragraph, or the headings of one level beside each other.
pub(super) type Family = (Option<usize>, usize, usize);

/// Knowledge about families and sections as a whole.
#[derive(Default)]
pub(super) struct Families {
    /// The groups with a claim in them, with the form of its mark.
    pub(super) claimed_groups: BTreeMap<Family, BTreeSet<u8>>,
    /// Those with a claim that starts with its severity.
    rated: BTreeSet<Family>,
    /// The sections, by heading, with a claim, an absence or an item somewhere in them.
    spoken_for: BTreeSet<usize>,
    has_sections_for_findings: bool,
    /// The families of headings of which one is a severity.
    pub(super) scales: BTreeSet<Family>,
    /// The lists of which every item starts with a file and names no line.
    listings: BTreeSet<Family>,
    pub(super) peers: Peers,
}

pub(super) struct Accounts<'a> {
    pub(super) tree: &'a Tree,
    legend: &'a Legend,
    /// Which leaves are claims themselves, and which start a claim without a severity.
    claimed: Vec<bool>,
    undecided: Vec<bool>,
    /// The kind of the section that each heading or label opens.
    pub(super) opens: Vec<Section>,
    pub(super) families: Families,
}

impl<'a> Accounts<'a> {
    fn new(tree: &'a Tree, claims: Claims<'_>, legend: &'a Legend) -> Self {
        let claimed = covered(tree, claims.entered);
        let undecided = covered(tree, claims.undecided);
        let opens: Vec<Section> = tree.leaves.iter().map(opened).collect();
        let mut accounts = Self { tree, legend, claimed, undecided, opens, families: Families::default() };
        accounts.gather();
        accounts
    }

    fn gather(&mut self) {
        let mut others = BTreeSet::new();
        for at in 0..self.tree.leaves.len() {
            let leaf = &self.tree.leaves[at];
            self.families.has_sections_for_findings |= self.opens[at].is_of_findings();
            if leaf.kind == Kind::Item {
                let family = self.family(at);
                let kind = if names_a_file(&leaf.text) { &mut self.families.listings } else { &mut others };
                kind.insert(family);
            }
            self.note_peers(at);
            if self.claimed[at] {
                let mark = Mark::of(&leaf.text);
                let form = mark.as_ref().map_or(0, |mark| 1 + mark.form as u8);
                if mark.is_some_and(|mark| mark.severity().is_some()) {
                    self.families.rated.insert(self.family(at));
                }
                self.families.claimed_groups.entry(self.family(at)).or_default().insert(form);
            }
            if self.claimed[at] || self.undecided[at] || leaf.kind == Kind::Item || no_findings::says_none(&leaf.text) {
                self.families.spoken_for.extend(self.tree.above(at));
            }
        }
        self.families.listings.retain(|family| !others.contains(family));
    }

    /// Returns the family of a leaf: the members of its list, table or paragraph, the headings of its level beside it.
    pub(super) fn family(&self, at: usize) -> Family {
        let leaf = &self.tree.leaves[at];
        match leaf.kind {
            Kind::Heading(level) => (leaf.parent, 0, level),
            Kind::Line | Kind::Html => (leaf.parent, 0, 9),
            Kind::Item | Kind::Row | Kind::Code => (None, leaf.group, 0),
        }
    }

    /// Returns the section of a leaf: that of the nearest heading or label of a known kind.
    fn section(&self, at: usize) -> Section {
        // The title of a document names no section.
        let is_title = |above: usize| self.tree.leaves[above].kind == Kind::Heading(1) && holds_none(self.opens[above]);
        let mut kinds = self
            .tree
            .above(at)
            .filter(|above| !is_title(*above))
            .map(|above| self.opens[above])
            .filter(|kind| *kind != Section::Plain);
        let nearest = kinds.next().unwrap_or(Section::Plain);
        // The name of an aside below a severity says nothing.
        let of_severity = |kind: &Section| matches!(kind, Section::OfSeverity(_));
        if holds_none(nearest) { kinds.find(of_severity).unwrap_or(nearest) } else { nearest }
    }

    fn fate(&self, at: usize) -> Fate {
        let leaf = &self.tree.leaves[at];
        if mark::holds_several(&leaf.text) && leaf.kind != Kind::Row {
            return Fate::Unread(Unread::UnknownMark);
        }
        if self.claimed[at] || self.tree.above(at).any(|above| self.claimed[above] && !self.is_group(above)) {
            return Fate::Claim;
        }
        let section = self.section(at);
        if leaf.kind == Kind::Code {
            let is_document = || leaf.text.trim_start_matches(['`', '~']).starts_with('m') && !holds_none(section);
            let why = match () {
                () if leaf.text.lines().any(mark::is_rated_item) => Some(Unread::UnknownMark),
                () if is_document() && leaf.text.lines().any(is_placed_item) => Some(Unread::Place),
                () => None,
            };
            return why.map_or(Fate::NonClaim(NonClaim::Code), Fate::Unread);
        }
        if let Some(known) = self.statement(at, section) {
            return Fate::NonClaim(known);
        }
        match self.unread(at, section) {
            Some(why) => Fate::Unread(why),
            None if matches!(leaf.kind, Kind::Heading(_)) => Fate::NonClaim(NonClaim::Heading),
            None if section == Section::Praise => Fate::NonClaim(NonClaim::Praise),
            None if holds_none(section) => Fate::NonClaim(NonClaim::Aside),
            None => Fate::NonClaim(NonClaim::Text),
        }
    }

    /// Tells whether a claimed leaf groups others that are claims of their own.
    fn is_group(&self, at: usize) -> bool {
        matches!(self.tree.leaves[at].kind, Kind::Heading(_)) && matches!(self.opens[at], Section::OfSeverity(_))
    }

    /// Returns why a leaf is known to state no claim, by its own words.
    fn statement(&self, at: usize, section: Section) -> Option<NonClaim> {
        let leaf = &self.tree.leaves[at];
        let text = leaf.text.as_str();
        let marked = Mark::of(text);
        let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
        if bare.is_empty() || is_row_of_none(leaf.kind, text) || states_none(text) {
            return Some(NonClaim::Absence);
        }
        if counts::stated(text).is_some()
            || counts::sums_up_a_run(text)
            || leaf.kind == Kind::Row && counts::of_row(self.tree.head(leaf.group), text).is_some()
        {
            return Some(NonClaim::Count);
        }
        if markdown::states_verdict(text) || self.stands_below_verdict(at) && scalars::verdict(bare).is_some() {
            return Some(NonClaim::Verdict);
        }
        if rating::is_legend(text) || section == Section::Legend && places::marked_place(text).is_none() {
            return Some(NonClaim::Legend);
        }
        let status = prose::status_in(text);
        let is_settled = matches!(status, Some(Settled::Fixed | Settled::WontFix));
        if is_settled || section == Section::Settled && status != Some(Settled::Open) && !says_open(text) {
            return Some(NonClaim::Settled);
        }
        if leaf.checked == Some(true) || is_good_news(text) || text.starts_with("✅") || self.row_passes(at) {
            return Some(NonClaim::Praise);
        }
        let is_field = is_field(text)
            || leaf.parent.is_some_and(|above| {
                self.tree.leaves[above].kind == Kind::Line && is_field(&self.tree.leaves[above].text)
            });
        let is_of_field = leaf.kind == Kind::Item && self.tree.fields.contains(&leaf.group);
        if is_field || is_of_field || self.is_among_fields(at) && marked.is_none_or(|mark| mark.form != Form::Bracket) {
            return Some(NonClaim::Field);
        }
        None
    }

    fn stands_below_verdict(&self, at: usize) -> bool {
        let above = self.tree.leaves[at].parent.map(|above| &self.tree.leaves[above]);
        above.is_some_and(|above| markdown::names_verdict(&above.text) || above.text.eq_ignore_ascii_case("status"))
    }

    /// Tells whether a leaf is a member of a list of fields: `Location`, `Impact` and unknown labels among them.
    fn is_among_fields(&self, at: usize) -> bool {
        let leaf = &self.tree.leaves[at];
        let is_label = |text: &str| Mark::of(text).is_some_and(|mark| matches!(mark.form, Form::Bold | Form::Label));
        let is_near = |other: &usize| {
            let other = &self.tree.leaves[*other];
            other.group == leaf.group && other.kind == leaf.kind && is_field(&other.text)
        };
        let near = at.saturating_sub(12)..(at + 12).min(self.tree.leaves.len());
        matches!(leaf.kind, Kind::Item | Kind::Line)
            && is_label(&leaf.text)
            && near.clone().any(|other| is_near(&other))
    }

    /// Returns why a leaf could be a claim.
    fn unread(&self, at: usize, section: Section) -> Option<Unread> {
        let leaf = &self.tree.leaves[at];
        let text = leaf.text.as_str();
        let mark = Mark::of(text);
        if let Some(why) = self.not_passed(at, section) {
            return Some(why);
        }
        if section == Section::Praise && mark.as_ref().is_none_or(|mark| mark.severity().is_none()) {
            return None;
        }
        if let Some(mark) = &mark
            && self.is_unknown_mark(at, mark, section)
        {
            return Some(Unread::UnknownMark);
        }
        if is_unknown_verdict(text) {
            return Some(Unread::Verdict);
        }
        if holds_none(section) || matches!(section, Section::Settled | Section::PreExisting) {
            return None;
        }
        // The title of a document that names a line is the title of a finding.
        if leaf.kind == Kind::Heading(1) && places::marked_place(text).is_some_and(|place| place.lines.is_some()) {
            return Some(Unread::Place);
        }
        let is_section = matches!(leaf.kind, Kind::Heading(_))
            && (self.opens[at] != Section::Plain || self.families.spoken_for.contains(&at));
        let is_label =
            leaf.kind == Kind::Line && self.tree.leaves.get(at + 1).is_some_and(|next| next.parent == Some(at));
        if is_section || is_label {
            return None;
        }
        self.unread_by_place(at, section, mark.as_ref())
    }

    /// Returns why a leaf that is no heading of a section could be a claim, by where it stands and the place that it names.
    fn unread_by_place(&self, at: usize, section: Section, mark: Option<&Mark<'_>>) -> Option<Unread> {
        let leaf = &self.tree.leaves[at];
        let text = leaf.text.as_str();
        // The headings beside it are findings by their severity, and nothing below it speaks for it.
        let is_heading = matches!(leaf.kind, Kind::Heading(level) if level > 1);
        if is_heading && self.families.rated.contains(&self.family(at)) && places::only_a_file(text).is_none() {
            return Some(Unread::Beside);
        }
        let place = places::marked_place(text).filter(|place| place.lines.is_some() || has_ending(place.file));
        let is_bare_place = places::only_a_file(text).is_some() || place.is_some() && is_only_places(past_label(text));
        let is_member =
            matches!(leaf.kind, Kind::Item | Kind::Row) || matches!(leaf.kind, Kind::Heading(level) if level > 1);
        if section.is_of_findings() && !is_bare_place {
            let is_alone = leaf.kind == Kind::Line && (self.undecided[at] || self.is_only_text(at));
            return (is_member && self.is_content(at) || is_alone).then_some(Unread::Unmarked);
        }
        let has_line = place.as_ref().is_some_and(|place| place.lines.is_some());
        if is_member && place.is_some() && !is_bare_place && (leaf.kind != Kind::Row || has_line) {
            return Some(if self.families.listings.contains(&self.family(at)) {
                Unread::Listed
            } else {
                Unread::Place
            });
        }
        let is_text = matches!(leaf.kind, Kind::Line | Kind::Html);
        let starts_with_it = || leading_place(text).is_some_and(|place| place.lines.is_some());
        if is_text && has_line && (self.undecided[at] || self.is_only_text(at) || starts_with_it()) && !is_bare_place {
            return Some(Unread::Place);
        }
        if leaf.kind == Kind::Item && self.is_content(at) && self.is_beside_severities(at) {
            let is_listed = self.families.listings.contains(&self.family(at));
            return Some(if is_listed { Unread::Listed } else { Unread::Beside });
        }
        if mark.is_some_and(|mark| mark.shouts()) && is_member && leaf.kind != Kind::Row {
            return Some(Unread::Titled);
        }
        let beside = self.families.claimed_groups.contains_key(&self.family(at));
        if leaf.kind == Kind::Item
            && (beside || self.families.has_sections_for_findings && self.is_below_unknown(at))
            && has_title(text)
        {
            return Some(Unread::Titled);
        }
        None
    }

    /// Tells whether a row or item has content of its own.
    fn is_content(&self, at: usize) -> bool {
        let leaf = &self.tree.leaves[at];
        match leaf.kind {
            // Details of a finding are nested in it; so are remarks on an item that is known.
            Kind::Item => self.tree.above(at).all(|above| self.tree.leaves[above].kind != Kind::Item),
            Kind::Row => !self.tree.head(leaf.group).is_empty(),
            _ => true,
        }
    }

    /// Tells whether a line stands in a section that has only text: no claim, no item, no absence.
    fn is_only_text(&self, at: usize) -> bool {
        let leaf = &self.tree.leaves[at];
        leaf.parent.is_some_and(|above| {
            self.tree.leaves[above].kind != Kind::Heading(1) && !self.families.spoken_for.contains(&above)
        })
    }

    fn is_below_unknown(&self, at: usize) -> bool {
        let above = self.tree.above(at).find(|above| matches!(self.tree.leaves[*above].kind, Kind::Heading(_)));
        above.is_none_or(|above| {
            let is_title = self.tree.leaves[above].kind == Kind::Heading(1) && holds_none(self.opens[above]);
            self.opens[above] == Section::Plain || is_title
        })
    }

    /// Tells whether the heading of a leaf is unknown, and those beside it are severities.
    fn is_beside_severities(&self, at: usize) -> bool {
        let above = self.tree.above(at).find(|above| matches!(self.tree.leaves[*above].kind, Kind::Heading(_)));
        above.is_some_and(|above| {
            self.opens[above] == Section::Plain && self.families.scales.contains(&self.family(above))
        })
    }

    /// Tells whether a mark is none that the lexicon knows, and stands where a severity would.
    fn is_unknown_mark(&self, at: usize, mark: &Mark<'_>, section: Section) -> bool {
        let leaf = &self.tree.leaves[at];
        if mark.is_status() || self.legend.rated(&leaf.text).is_some() && section == Section::Legend {
            return false;
        }
        if matches!(self.opens[at], Section::OfSeverity(_)) && matches!(leaf.kind, Kind::Heading(_)) {
            return false;
        }
        let first = mark.word.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default();
        let is_counter = lexicon::is_enumerator(first.trim_end_matches(|c: char| c.is_ascii_digit()));
        let is_name = lexicon::name(mark.word).is_some() && mark.form != Form::Bracket;
        let is_speaker = mark.word.starts_with('@') || lexicon::is_speaker(mark.word);
        if is_name || is_speaker || prose::label(&leaf.text).is_some() {
            return false;
        }
        let is_member = !matches!(leaf.kind, Kind::Heading(1));
        let in_family = self
            .families
            .claimed_groups
            .get(&self.family(at))
            .is_some_and(|forms| forms.contains(&(1 + mark.form as u8)));
        // A sign at the front is where others have their severity, in whatever form that is.
        let in_family = in_family || mark.form == Form::Sign && self.families.rated.contains(&self.family(at));
        if in_family && is_member && !(holds_none(section) && mark.form != Form::Bracket) {
            return true;
        }
        if is_counter && mark.form != Form::Bracket {
            return false;
        }
        let is_aside = holds_none(section) || matches!(section, Section::Settled | Section::PreExisting);
        match mark.form {
            Form::Bracket => is_member && section != Section::Praise,
            _ => {
                is_member && !is_aside && mark.is_rating_like() && !mark::is_label(&leaf.text) && leaf.kind != Kind::Row
            }
        }
    }
}

/// Tells whether leaves in a section are known to state no claim.
pub(super) fn holds_none(section: Section) -> bool {
    section.is_aside() || section == Section::Legend
}
