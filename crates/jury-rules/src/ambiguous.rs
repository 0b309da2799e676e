//! Detects JavaScript regular expressions with exponential backtracking. In: the literal or string as written. Out: yes
//! or no. Deliberately not here: polynomial backtracking, back references, and look-around, which is taken to match
//! nothing. A pattern above the size limits is not called ambiguous.

use std::collections::{BTreeMap, BTreeSet};

/// The largest number of positions in a pattern that is analysed.
const MOST_PLACES: usize = 60;
/// The largest number of step pairs that are tried.
const MOST_STEPS: usize = 400_000;
/// The largest number of copies to which a repeated group is expanded.
const MOST_COPIES: u32 = 2;
/// The deepest nesting of groups.
const DEEPEST: usize = 40;

/// The characters that a position accepts: one bit per ASCII character, and whether it accepts others.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Taken {
    ascii: u128,
    others: bool,
}

const NOTHING: Taken = Taken { ascii: 0, others: false };

impl Taken {
    fn one(c: char) -> Self {
        if c.is_ascii() { Self { ascii: 1 << c as u32, others: false } } else { Self { ascii: 0, others: true } }
    }

    fn range(from: char, to: char) -> Self {
        let ascii = (0..128_u32).filter(|c| (from as u32..=to as u32).contains(c)).fold(0, |all, c| all | 1 << c);
        Self { ascii, others: !to.is_ascii() }
    }

    fn or(self, other: Self) -> Self {
        Self { ascii: self.ascii | other.ascii, others: self.others || other.others }
    }

    fn not(self) -> Self {
        // Of the characters beyond ASCII a class names only some.
        Self { ascii: !self.ascii, others: true }
    }

    fn meets(self, other: Self) -> bool {
        self.ascii & other.ascii != 0 || self.others && other.others
    }

    fn in_any_case(self) -> Self {
        let letters = |from: char, to: char| Self::range(from, to).ascii & self.ascii;
        Self { ascii: self.ascii | letters('A', 'Z') << 32 | letters('a', 'z') >> 32, others: self.others }
    }

    /// The characters of `\d` and the other escapes.
    fn class(letter: char) -> Option<Self> {
        let digits = Self::range('0', '9');
        let word = digits.or(Self::range('a', 'z')).or(Self::range('A', 'Z')).or(Self::one('_'));
        let space = Self { others: true, ..Self::range('\t', '\r').or(Self::one(' ')) };
        Some(match letter {
            'd' => digits,
            'D' => digits.not(),
            'w' => word,
            'W' => word.not(),
            's' => space,
            'S' => space.not(),
            _ => return None,
        })
    }
}

#[derive(Debug)]
enum Part {
    Empty,
    Place(Taken),
    Row(Vec<Part>),
    Choice(Vec<Part>),
    Repeat { of: Box<Part>, least: u32, most: Option<u32> },
}

/// Tells whether a non-matching text can be tried in exponentially many ways.
pub(crate) fn is_ambiguous(written: &str) -> bool {
    let Some((pattern, flags)) = pattern_of(written) else { return false };
    let mut reader = Reader { rest: pattern.chars().collect(), at: 0, dot_takes_all: flags.contains('s'), depth: 0 };
    let Some(part) = reader.choice().filter(|_| reader.at == reader.rest.len()) else { return false };
    let mut graph = Graph { any_case: flags.contains('i'), ..Graph::default() };
    let Some(ends) = graph.add(&part) else { return false };
    graph.has_two_ways(&ends.last)
}

/// Returns the pattern of a literal, or of a string after unescaping, and its flags.
fn pattern_of(written: &str) -> Option<(String, &str)> {
    if let Some(rest) = written.strip_prefix('/') {
        let end = rest.rfind('/')?;
        return Some((rest[..end].to_owned(), &rest[end + 1..]));
    }
    let inner = written.get(1..written.len().checked_sub(1)?)?;
    let mut plain = String::new();
    let mut letters = inner.chars();
    while let Some(c) = letters.next() {
        plain.push(if c == '\\' { letters.next()? } else { c });
    }
    Some((plain, ""))
}

struct Reader {
    rest: Vec<char>,
    at: usize,
    dot_takes_all: bool,
    depth: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn take(&mut self) -> Option<char> {
        let c = self.peek();
        self.at += usize::from(c.is_some());
        c
    }

    fn takes(&mut self, wanted: &str) -> bool {
        let is_here = wanted.chars().enumerate().all(|(i, c)| self.rest.get(self.at + i) == Some(&c));
        if is_here {
            self.at += wanted.chars().count();
        }
        is_here
    }

    fn choice(&mut self) -> Option<Part> {
        let mut ways = vec![self.row()?];
        while self.takes("|") {
            ways.push(self.row()?);
        }
        Some(if ways.len() == 1 { ways.remove(0) } else { Part::Choice(ways) })
    }

    fn row(&mut self) -> Option<Part> {
        let mut parts = Vec::new();
        while let Some(c) = self.peek() {
            if matches!(c, '|' | ')') {
                break;
            }
            let part = self.part()?;
            parts.push(self.repeated(part)?);
        }
        Some(Part::Row(parts))
    }

    fn part(&mut self) -> Option<Part> {
        match self.take()? {
            '(' => self.group(),
            '[' => self.class().map(Part::Place),
            '.' if self.dot_takes_all => Some(Part::Place(NOTHING.not())),
            '.' => Some(Part::Place(Taken::one('\n').or(Taken::one('\r')).not())),
            '^' => Some(Part::Empty),
            // The end is a position that accepts nothing: the part before it can fail.
            '$' => Some(Part::Place(NOTHING)),
            '\\' => match self.take()? {
                'b' | 'B' => Some(Part::Empty),
                '1'..='9' | 'k' => Some(Part::Place(NOTHING)),
                letter => self.escaped(letter).map(Part::Place),
            },
            '*' | '+' | '?' => None,
            c => Some(Part::Place(Taken::one(c))),
        }
    }

    fn group(&mut self) -> Option<Part> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let looks = ["?=", "?!", "?<=", "?<!"].iter().any(|sign| self.takes(sign));
        if !looks && !self.takes("?:") && self.takes("?<") {
            while self.take()? != '>' {}
        }
        let inner = self.choice()?;
        self.depth -= 1;
        self.takes(")").then_some(if looks { Part::Empty } else { inner })
    }

    fn repeated(&mut self, part: Part) -> Option<Part> {
        let (least, most) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => match self.bounds() {
                Some(bounds) => bounds,
                None => return Some(part),
            },
            _ => return Some(part),
        };
        self.at += 1;
        self.takes("?");
        Some(Part::Repeat { of: Box::new(part), least, most })
    }

    /// Reads `{2,5}` up to its brace; nothing if the braces are literal.
    fn bounds(&mut self) -> Option<(u32, Option<u32>)> {
        let end = (self.at..self.rest.len()).find(|at| self.rest[*at] == '}')?;
        let inner: String = self.rest[self.at + 1..end].iter().collect();
        let (least, most) = inner.split_once(',').unwrap_or((&inner, &inner));
        let least = least.parse().ok()?;
        let most = if most.is_empty() { None } else { Some(most.parse().ok()?) };
        self.at = end;
        Some((least, most))
    }

    fn escaped(&mut self, letter: char) -> Option<Taken> {
        let coded = |reader: &mut Self, digits: usize| {
            let code: String = reader.rest.get(reader.at..reader.at + digits)?.iter().collect();
            reader.at += digits;
            u32::from_str_radix(&code, 16).ok().and_then(char::from_u32).map(Taken::one)
        };
        Some(match letter {
            'n' => Taken::one('\n'),
            'r' => Taken::one('\r'),
            't' => Taken::one('\t'),
            'v' => Taken::one('\u{b}'),
            'f' => Taken::one('\u{c}'),
            '0' => Taken::one('\0'),
            'x' => return coded(self, 2),
            'u' if self.peek() == Some('{') => {
                while self.take()? != '}' {}
                Taken { ascii: 0, others: true }
            }
            'u' => return coded(self, 4),
            'p' | 'P' => {
                while self.take()? != '}' {}
                NOTHING.not()
            }
            letter => Taken::class(letter).unwrap_or(Taken::one(letter)),
        })
    }

    /// Reads a class up to its bracket.
    fn class(&mut self) -> Option<Taken> {
        let is_negated = self.takes("^");
        let mut all = NOTHING;
        loop {
            let c = self.take()?;
            if c == ']' {
                break;
            }
            let (from, taken) = self.member(c)?;
            let is_range = self.peek() == Some('-') && self.rest.get(self.at + 1).is_some_and(|next| *next != ']');
            let Some(from) = from.filter(|_| is_range) else {
                all = all.or(taken);
                continue;
            };
            self.at += 1;
            let c = self.take()?;
            all = match self.member(c)? {
                (Some(to), _) => all.or(Taken::range(from, to)),
                (None, taken) => all.or(Taken::one(from)).or(Taken::one('-')).or(taken),
            };
        }
        Some(if is_negated { all.not() } else { all })
    }

    /// Reads a member of a class: its character, if it is a single one, and the accepted set.
    fn member(&mut self, c: char) -> Option<(Option<char>, Taken)> {
        if c != '\\' {
            return Some((Some(c), Taken::one(c)));
        }
        let letter = self.take()?;
        if letter == 'b' {
            return Some((None, Taken::one('\u{8}')));
        }
        let taken = self.escaped(letter)?;
        let single = (taken.ascii.count_ones() == 1 && !taken.others).then(|| taken.ascii.trailing_zeros());
        Some((single.and_then(char::from_u32), taken))
    }
}

/// The first and last positions of a part, and whether it may be empty.
#[derive(Clone, Default)]
struct Ends {
    first: BTreeSet<usize>,
    last: BTreeSet<usize>,
    is_optional: bool,
}

/// The positions of a pattern, and whether each follows another in one way or in several.
#[derive(Default)]
struct Graph {
    places: Vec<Taken>,
    follow: Vec<BTreeMap<usize, u32>>,
    any_case: bool,
}

impl Graph {
    fn add(&mut self, part: &Part) -> Option<Ends> {
        match part {
            Part::Empty => Some(Ends { is_optional: true, ..Ends::default() }),
            Part::Place(taken) => {
                let at = self.places.len();
                self.places.push(if self.any_case { taken.in_any_case() } else { *taken });
                self.follow.push(BTreeMap::new());
                (at < MOST_PLACES).then(|| Ends { first: [at].into(), last: [at].into(), is_optional: false })
            }
            Part::Row(parts) => {
                let mut whole = Ends { is_optional: true, ..Ends::default() };
                for part in parts {
                    let next = self.add(part)?;
                    whole = self.after(whole, next);
                }
                Some(whole)
            }
            Part::Choice(ways) => {
                let mut whole = Ends::default();
                for way in ways {
                    let way = self.add(way)?;
                    whole.first.extend(way.first);
                    whole.last.extend(way.last);
                    whole.is_optional |= way.is_optional;
                }
                Some(whole)
            }
            Part::Repeat { of, least, most } => self.repeat(of, *least, *most),
        }
    }

    fn repeat(&mut self, of: &Part, least: u32, most: Option<u32>) -> Option<Ends> {
        if most == Some(0) {
            return self.add(&Part::Empty);
        }
        let copies = least.clamp(1, MOST_COPIES);
        let mut whole = Ends { is_optional: true, ..Ends::default() };
        for copy in 1..=copies {
            let mut next = self.add(of)?;
            if copy == copies && most.is_none() {
                self.link(&next.last, &next.first);
            }
            next.is_optional |= least == 0;
            whole = self.after(whole, next);
        }
        for _ in 0..most.map_or(0, |most| most.saturating_sub(least.max(1)).min(MOST_COPIES)) {
            let next = self.add(of)?;
            whole = self.after(whole, Ends { is_optional: true, ..next });
        }
        Some(whole)
    }

    fn link(&mut self, from: &BTreeSet<usize>, to: &BTreeSet<usize>) {
        for at in from {
            for next in to {
                *self.follow[*at].entry(*next).or_default() += 1;
            }
        }
    }

    fn after(&mut self, before: Ends, next: Ends) -> Ends {
        self.link(&before.last, &next.first);
        let mut whole = Ends { is_optional: before.is_optional && next.is_optional, ..before };
        let (is_first, is_last) = (whole.first.is_empty() || before.is_optional, next.is_optional);
        if is_first {
            whole.first.extend(next.first);
        }
        if !is_last {
            whole.last.clear();
        }
        whole.last.extend(next.last);
        whole
    }

    /// Tells whether the same text leads from a position back to itself in two ways, and the rest can fail.
    fn has_two_ways(&self, last: &BTreeSet<usize>) -> bool {
        let mut left = MOST_STEPS;
        // Where the pattern may end, the match succeeds and there is no backtracking.
        (0..self.places.len()).filter(|at| !last.contains(at)).any(|at| self.returns_twice(at, &mut left))
    }

    fn returns_twice(&self, start: usize, left: &mut usize) -> bool {
        // A pair of positions, and whether the two paths have diverged.
        let mut seen = BTreeSet::from([(start, start, false)]);
        let mut open = vec![(start, start, false)];
        while let Some((one, other, parted)) = open.pop() {
            for (next_one, ways) in &self.follow[one] {
                for next_other in self.follow[other].keys() {
                    *left = left.saturating_sub(1);
                    if *left == 0 {
                        return false;
                    }
                    if !self.places[*next_one].meets(self.places[*next_other]) {
                        continue;
                    }
                    let is_double = one == other && next_one == next_other && *ways > 1;
                    let parted = parted || next_one != next_other || is_double;
                    if parted && (*next_one, *next_other) == (start, start) {
                        return true;
                    }
                    let step = (*next_one, *next_other, parted);
                    if seen.insert(step) {
                        open.push(step);
                    }
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::is_ambiguous;

    #[test]
    fn finds_what_can_be_read_in_many_ways() {
        for pattern in [
            r"/^(a+)+$/",
            r"/(\w*)*x/",
            r"/^(?:.*)+$/",
            r"/^([a-z]+ ?)*$/i",
            r"/^(?:[a-z0-9]+\.?)+$/",
            r"/^(b|bb)+$/",
            r"/(?:\w|\d)+!/",
            r"/^(?:a|A)+$/i",
            r"/('(?:[^'\\]|\\.|[a-z])*')/",
            r"/^(x{2,})*y/",
            r"/<(?:[^>]+|[a-z]+)*>/",
            r#""^(\\d+,?)+$""#,
        ] {
            assert!(is_ambiguous(pattern), "{pattern}");
        }
    }

    #[test]
    fn leaves_alone_what_has_one_way_or_cannot_fail() {
        for pattern in [
            r"/^[a-z]+$/",
            r"/^(?:[a-z]+-)*[a-z]+$/",
            r"/(ab)+c*/",
            r"/^(?:\d{1,3}\.){3}\d{1,3}$/",
            r"/^(a|b)+$/",
            r"/(a+)+/",
            r"/'(?:[^'\\]|\\.)*'/",
            r"/^(?:(?!end)[\s\S])*$/",
            r"/^[\w.-]+@(?:\w+\.)+\w+$/",
            r"/(/",
            "/",
            "",
        ] {
            assert!(!is_ambiguous(pattern), "{pattern}");
        }
    }
}
