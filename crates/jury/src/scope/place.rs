//! The lines of a file before a change in; the place of each hunk in it out, for the patch id. Pure, and blind to language.
//!
//! A place is what encloses a hunk (the chain of less indented lines above it), the whole outermost block that it is in, the lines
//! next to it, what its names are bound to at the margin (imports, constants, functions), and which of the places that look alike it is. A rebase that touches none of these leaves it as it was; a hunk that
//! goes elsewhere, or into a block that the base changed, has another one.
//! Deliberately not here: line numbers, which move with every edit above.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use sha2::{Digest as _, Sha256};

/// How many lines on each side of a hunk belong to its place, as in a patch of git.
const CONTEXT: usize = 3;
/// A word with more places than this at the margin names nothing in particular.
const COMMON: usize = 64;
/// The width of a tab.
const TAB: usize = 8;

/// The outline of a file: for each line, the lines that enclose it.
pub(super) struct Outline<'t> {
    lines: &'t [&'t [u8]],
    /// The chain of enclosing lines, for each line that says something; `None` for blank lines and bare punctuation.
    enclosing: Vec<Option<Chain>>,
    /// For each position between lines: which of the places that look alike it is, and how many there are.
    alike: Vec<(usize, usize)>,
    blocks: Blocks,
}

/// The outermost blocks of a file: a line at the margin with all that is nested in it, or a run of lines at the margin.
struct Blocks {
    /// The block of each line.
    of: Vec<usize>,
    /// The digest of the text of each block, without comments.
    texts: Vec<Chain>,
    /// What has a name at the margin: the block, and the digest of it or of the line.
    naming: BTreeMap<Vec<u8>, BTreeSet<(usize, Chain)>>,
}

/// A digest of the lines that enclose a line, outermost first.
type Chain = [u8; 32];

const TOP: Chain = [0; 32];

/// A line that others are nested in.
struct Opener {
    indent: usize,
    /// What encloses the lines in it.
    chain: Chain,
}

impl<'t> Outline<'t> {
    pub(super) fn of(lines: &'t [&'t [u8]]) -> Outline<'t> {
        let enclosing = enclosing(lines);
        let blocks = Blocks::of(lines, &enclosing);
        let mut outline = Outline { lines, enclosing, alike: Vec::new(), blocks };
        outline.alike = outline.count_alike();
        outline
    }

    /// Returns a digest of the place of a hunk that takes these lines away, or adds lines before an empty range. `added` are those lines.
    pub(super) fn place(&self, removed: &Range<usize>, added: &[&[u8]]) -> Chain {
        let (above, below) = self.enclosed_by(removed.start);
        let (ordinal, total) = self.alike[removed.start];
        let mut digest = Sha256::new();
        digest.update(above);
        digest.update(below);
        for number in [ordinal, total] {
            digest.update((number as u64).to_le_bytes());
        }
        add_lines(&mut digest, self.before(removed.start));
        add_lines(&mut digest, self.after(removed.end));
        let around = self.blocks.around(removed);
        for block in around.clone() {
            digest.update(self.blocks.texts[block]);
        }
        // In the order of the text, so that blocks which come and go between them do not count.
        let naming = self.blocks.naming(self.lines[removed.clone()].iter().chain(added));
        for (_, said) in naming.into_iter().filter(|(block, _)| !around.contains(block)) {
            digest.update(said);
        }
        digest.finalize().into()
    }

    fn before(&self, at: usize) -> &[&[u8]] {
        &self.lines[at.saturating_sub(CONTEXT)..at]
    }

    fn after(&self, at: usize) -> &[&[u8]] {
        &self.lines[at..(at + CONTEXT).min(self.lines.len())]
    }

    /// Returns what encloses the nearest lines above and below a position.
    fn enclosed_by(&self, at: usize) -> (Chain, Chain) {
        let above = self.enclosing[..at].iter().rev().find_map(|chain| *chain);
        let below = self.enclosing[at..].iter().find_map(|chain| *chain);
        (above.unwrap_or(TOP), below.unwrap_or(TOP))
    }

    /// Numbers the positions whose surroundings are alike.
    fn count_alike(&self) -> Vec<(usize, usize)> {
        let mut above = TOP;
        let mut below = vec![TOP; self.lines.len() + 1];
        for at in (0..self.lines.len()).rev() {
            below[at] = self.enclosing[at].unwrap_or(below[at + 1]);
        }
        let mut counts: BTreeMap<Chain, usize> = BTreeMap::new();
        let mut ordinals = Vec::with_capacity(self.lines.len() + 1);
        for (at, below) in below.iter().enumerate() {
            if let Some(chain) = at.checked_sub(1).and_then(|last| self.enclosing[last]) {
                above = chain;
            }
            let mut digest = Sha256::new();
            digest.update(above);
            digest.update(below);
            add_lines(&mut digest, self.before(at));
            add_lines(&mut digest, self.after(at));
            let key: Chain = digest.finalize().into();
            let count = counts.entry(key).or_default();
            ordinals.push((key, *count));
            *count += 1;
        }
        ordinals.into_iter().map(|(key, ordinal)| (ordinal, counts[&key])).collect()
    }
}

impl Blocks {
    fn of(lines: &[&[u8]], enclosing: &[Option<Chain>]) -> Self {
        let is_nested = |at: usize| enclosing[at].is_some_and(|chain| chain != TOP);
        let mut of = Vec::with_capacity(lines.len());
        let (mut block, mut has_nested) = (0, false);
        for at in 0..lines.len() {
            // A line at the margin ends a block in which something is nested; blank lines and punctuation end none.
            let is_at_margin = enclosing[at] == Some(TOP);
            let opens =
                is_at_margin && (at + 1..lines.len()).find(|next| enclosing[*next].is_some()).is_some_and(is_nested);
            if at > 0 && is_at_margin && (has_nested || opens) {
                block += 1;
                has_nested = false;
            }
            has_nested |= is_nested(at);
            of.push(block);
        }
        let mut digests = vec![Sha256::new(); block + 1];
        let is_comment = |line: &[u8]| line.is_empty() || line.starts_with(b"//") || line.starts_with(b"/*");
        for (line, block) in lines.iter().zip(&of).filter(|(line, _)| !is_comment(line.trim_ascii())) {
            add_lines(&mut digests[*block], &[line]);
        }
        let texts: Vec<Chain> = digests.into_iter().map(|digest| digest.finalize().into()).collect();
        let mut is_nest = vec![false; block + 1];
        (0..lines.len()).filter(|at| is_nested(*at)).for_each(|at| is_nest[of[at]] = true);
        // A line of a list has names and nothing else: those of an import that takes several lines.
        let is_listed =
            |line: &[u8]| line.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_$, \t\r\n".contains(byte));
        let mut naming: BTreeMap<Vec<u8>, BTreeSet<(usize, Chain)>> = BTreeMap::new();
        for (at, line) in lines.iter().enumerate() {
            let is_binding = enclosing[at] == Some(TOP) || (is_nested(at) && is_listed(line));
            if !is_binding || is_comment(line.trim_ascii()) {
                continue;
            }
            let mut text = Sha256::new();
            add_lines(&mut text, &[line]);
            let said = if is_nest[of[at]] { texts[of[at]] } else { text.finalize().into() };
            for (name, _) in words(line).filter(|(_, is_name)| *is_name) {
                naming.entry(name.to_vec()).or_default().insert((of[at], said));
            }
        }
        Self { of, texts, naming }
    }

    /// Returns what binds or uses, at the margin, a name that these lines have: functions as a whole, other lines as they are. Each with its block.
    fn naming<'l>(&self, lines: impl Iterator<Item = &'l &'l [u8]>) -> BTreeSet<(usize, Chain)> {
        let names: BTreeSet<&[u8]> = lines.flat_map(|line| words(line)).map(|(word, _)| word).collect();
        let bound = names.into_iter().filter_map(|name| self.naming.get(name)).filter(|places| places.len() <= COMMON);
        bound.flatten().copied().collect()
    }

    /// Returns the blocks that a hunk is in: those of the lines that it takes away, of the line above, and of the line below unless
    /// that begins another one.
    fn around(&self, removed: &Range<usize>) -> Range<usize> {
        let Some(last) = self.of.len().checked_sub(1) else { return 0..0 };
        let first = self.of[removed.start.saturating_sub(1)];
        let end = self.of[removed.end.saturating_sub(1).min(last)];
        first..end.max(first) + 1
    }
}

/// Returns the words of a line, each with whether it can be a name: a word before another word is a keyword or a type.
fn words(line: &[u8]) -> impl Iterator<Item = (&[u8], bool)> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii();
    let mut rest = line;
    std::iter::from_fn(move || {
        let start = rest.iter().position(|byte| is_word(*byte))?;
        let length = rest[start..].iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len() - start);
        let (word, after) = rest[start..].split_at(length);
        rest = after;
        let next = after.iter().find(|byte| !byte.is_ascii_whitespace()).copied();
        let is_before_another = after.first().is_some_and(u8::is_ascii_whitespace) && next.is_some_and(is_word);
        Some((word, !is_before_another && !word[0].is_ascii_digit()))
    })
}

fn add_lines(digest: &mut Sha256, lines: &[&[u8]]) {
    digest.update((lines.len() as u64).to_le_bytes());
    for line in lines {
        digest.update((line.len() as u64).to_le_bytes());
        digest.update(line);
    }
}

/// Returns the chain of enclosing lines of each line.
fn enclosing(lines: &[&[u8]]) -> Vec<Option<Chain>> {
    let indents: Vec<Option<usize>> = lines.iter().map(|line| indent_of(line)).collect();
    // A line encloses the next one that says something if that is indented further.
    let mut next = None;
    let mut is_opener = vec![false; lines.len()];
    for at in (0..lines.len()).rev() {
        if let Some(indent) = indents[at] {
            is_opener[at] = next.is_some_and(|next| next > indent);
            next = Some(indent);
        }
    }
    let mut open: Vec<Opener> = Vec::new();
    let mut chains = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let Some(indent) = indents[at] else {
            chains.push(None);
            continue;
        };
        while open.last().is_some_and(|opener| opener.indent >= indent) {
            open.pop();
        }
        let chain = open.last().map_or(TOP, |opener| opener.chain);
        chains.push(Some(chain));
        if is_opener[at] {
            let mut digest = Sha256::new();
            digest.update(chain);
            digest.update(line.trim_ascii());
            open.push(Opener { indent, chain: digest.finalize().into() });
        }
    }
    chains
}

/// Returns the indentation of a line that can enclose others or end them; `None` of a blank line, of bare punctuation, of one
/// that begins with a closing bracket, and of a comment or directive, which may stand anywhere in a block.
fn indent_of(line: &[u8]) -> Option<usize> {
    let text = line.trim_ascii();
    let says_something = text.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    let is_apart = matches!(text.first(), Some(b')' | b']' | b'}' | b'#' | b'/' | b'*'));
    if !says_something || is_apart {
        return None;
    }
    let blank = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    Some(blank.fold(0, |width, byte| if *byte == b'\t' { (width / TAB + 1) * TAB } else { width + 1 }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::lines::{compare, split};
    use super::*;

    /// The hunks of a change, each with its place.
    fn patch(before: &str, after: &str) -> Vec<(Chain, String, String)> {
        let (before, after) = (split(before.as_bytes()), split(after.as_bytes()));
        let outline = Outline::of(&before);
        let text = |lines: &[&[u8]]| String::from_utf8(lines.concat()).unwrap();
        let hunks = compare(&before, &after);
        hunks
            .iter()
            .map(|hunk| {
                (
                    outline.place(&hunk.before, &after[hunk.after.clone()]),
                    text(&before[hunk.before.clone()]),
                    text(&after[hunk.after.clone()]),
                )
            })
            .collect()
    }

    /// Takes the n-th occurrence of a line away.
    fn without(text: &str, line: &str, number: usize) -> String {
        let (at, _) = text.match_indices(line).nth(number).unwrap();
        format!("{}{}", &text[..at], &text[at + line.len()..])
    }

    /// Adds a line behind the n-th occurrence of another.
    fn with(text: &str, behind: &str, number: usize, line: &str) -> String {
        let (at, _) = text.match_indices(behind).nth(number).unwrap();
        let at = at + behind.len();
        format!("{}{line}{}", &text[..at], &text[at..])
    }

    const GUARD: &str = "    if (!ok(x)) return;\n";

    fn function(name: &str) -> String {
        format!(
            "function {name}(x) {{\n    log(x);\n    trace(x);\n    note(x);\n{GUARD}    run(x);\n    log(x);\n    trace(x);\n    note(x);\n}}\n"
        )
    }

    #[test]
    fn a_hunk_in_another_function_is_another_patch() {
        let text = format!("{}{}", function("safe"), function("unsafe"));
        assert_ne!(patch(&text, &without(&text, GUARD, 0)), patch(&text, &without(&text, GUARD, 1)));
        let add = |number| patch(&text, &with(&text, "    run(x);\n", number, "    exec(x);\n"));
        assert_ne!(add(0), add(1));
    }

    #[test]
    fn a_base_that_changes_the_same_block_makes_another_patch() {
        let body = "    a();\n    b();\n    c();\n    d();\n    e();\n";
        let of = |source: &str, other: &str| {
            format!("function one(q) {{\n    id = {source};\n{body}}}\n\nfunction two() {{\n    {other}();\n}}\n")
        };
        let add = |text: &str| patch(text, &with(text, "    d();\n", 0, "    exec(id);\n"));
        let then = of("Number(q)", "x");
        assert_ne!(add(&then), add(&of("q", "x")));
        assert_eq!(add(&then), add(&of("Number(q)", "y")), "another function does not count");
        // A flat script is one block.
        let flat = |source: &str| format!("id={source}\na\nb\nc\nd\ne\nf\n");
        let add = |text: &str| patch(text, &with(text, "d\n", 0, "run $id\n"));
        assert_ne!(add(&flat("1")), add(&flat("$1")));
    }

    #[test]
    fn a_base_that_binds_a_name_of_the_hunk_otherwise_makes_another_patch() {
        let of = |import: &str, helper: &str| {
            format!(
                "{import}\nimport {{ note }} from \"./note\";\n\nfunction clean(x) {{\n    return {helper};\n}}\n\nfunction one(x) {{\n    a();\n    b();\n}}\n"
            )
        };
        let add = |text: &str| patch(text, &with(text, "    a();\n", 0, "    exec(clean(x));\n"));
        let then = of("import { run as exec } from \"./quiet\";", "quoted(x)");
        assert_eq!(add(&then), add(&then));
        assert_ne!(add(&then), add(&of("import { exec } from \"child_process\";", "quoted(x)")), "an import");
        assert_ne!(add(&then), add(&of("import { run as exec } from \"./quiet\";", "x")), "a function");
        let far = then.replace("function one", "function zero() {\n    z();\n}\n\nfunction one");
        assert_eq!(add(&then), add(&far), "names that the hunk has not do not count");
    }

    #[test]
    fn one_of_two_places_that_look_alike_is_not_the_other() {
        let flat = "check\nrun\na\nb\nc\nd\n".repeat(3);
        let yaml = "- name: x\n  run: y\n  if: z\n- name: x\n  run: y\n  if: z\n".repeat(3);
        let python = "class A:\n    def f(self):\n        check()\n        run()\n".repeat(2)
            + &"class B:\n    def f(self):\n        check()\n        run()\n".repeat(2);
        let allman = "void f()\n{\n#ifdef X\n    check();\n#endif\n    run();\n}\n".repeat(4);
        let minified = "function a(x){check(x);run(x)}\n".repeat(4);
        for (text, line) in [
            (flat, "check\n"),
            (yaml, "  if: z\n"),
            (python, "        check()\n"),
            (allman, "    check();\n"),
            (minified, "function a(x){check(x);run(x)}\n"),
        ] {
            let number = text.matches(line).count();
            for (one, other) in (0..number).flat_map(|one| (0..one).map(move |other| (one, other))) {
                let (a, b) = (without(&text, line, one), without(&text, line, other));
                // The same text is the same change.
                assert_eq!(patch(&text, &a) == patch(&text, &b), a == b, "{one} {other} {text}");
            }
        }
    }

    #[test]
    fn a_class_with_the_same_method_is_another_place() {
        let of = |class: &str| {
            format!(
                "class {class}:\n    x = 1\n\n    def f(self, x):\n        a()\n        b()\n        c()\n        d()\n        e()\n\n"
            )
        };
        let text = of("Safe") + &of("Unsafe");
        let add = |number| patch(&text, &with(&text, "        c()\n", number, "        exec(x)\n"));
        assert_ne!(add(0), add(1));
        // The class that was reviewed goes from the base: the hunk in the other one is still another, though now the only one.
        let left = of("Unsafe");
        assert_ne!(add(0), patch(&left, &with(&left, "        c()\n", 0, "        exec(x)\n")));
    }

    #[test]
    fn directives_labels_and_braces_at_the_margin_do_not_end_a_function() {
        let of = |name: &str| {
            let body = "    a();\n    b();\n    c();\n#ifdef DEBUG\n    d();\n    e();\n    f();\n    g();\n    h();\n";
            format!("int {name}(int x)\n{{\n{body}#endif\n    return 0;\n}}\n")
        };
        let one = of("safe");
        let other = of("unsafe");
        let add = |text: &str| patch(text, &with(text, "    f();\n", 0, "    exec(x);\n"));
        assert_ne!(add(&one), add(&other));
    }

    proptest! {
        /// A rebase over edits elsewhere in the file leaves the patch as it was.
        #[test]
        fn edits_beyond_the_context_change_nothing(
            shape in prop::collection::vec(0_usize..4, 12..60),
            at in 0.0..1.0_f64,
            elsewhere in prop::collection::vec((0.0..1.0_f64, any::<bool>()), 1..5),
        ) {
            // Functions at the margin, with bodies of unlike lines.
            let mut lines: Vec<String> = Vec::new();
            for (number, depth) in shape.iter().enumerate() {
                lines.push(format!("fn f{number}() {{\n"));
                (0..10).for_each(|line| lines.push(format!("{}s{number}_{line};\n", "    ".repeat(1 + depth.min(&(line % 4))))));
                lines.push("}\n".to_owned());
            }
            let function = (at * shape.len() as f64) as usize;
            let hunk = function * 12 + 6;
            let edit = |lines: &[String]| {
                let position = lines.iter().position(|line| line.trim() == format!("s{function}_5;")).unwrap();
                let mut edited = lines.to_vec();
                edited.insert(position, "        exec(x);\n".to_owned());
                edited.concat()
            };
            // On the base: lines come and go in other functions, further away than the context.
            let mut moved = lines.clone();
            for (number, (place, is_new)) in elsewhere.iter().enumerate() {
                let place = (place * moved.len() as f64) as usize;
                let home = moved.iter().position(|line| line.trim() == format!("s{function}_5;")).unwrap();
                if place + 12 < home || place > home + 12 {
                    if *is_new {
                        moved.insert(place, format!("fn other{number}() {{\n    new{number};\n}}\n"));
                    } else if moved[place].starts_with(' ') {
                        moved.remove(place);
                    }
                }
            }
            let split_again = |lines: &[String]| lines.concat().split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
            let moved = split_again(&moved);
            prop_assert!(hunk < lines.len());
            prop_assert_eq!(patch(&lines.concat(), &edit(&lines)), patch(&moved.concat(), &edit(&moved)));
        }

        /// A hunk that goes from one place to another is another patch, whatever the file looks like.
        #[test]
        fn a_moved_hunk_is_another_patch(
            lines in prop::collection::vec(prop::sample::select(vec!["a\n", "b\n", "    a\n", "    b\n", "\n", "}\n", "f() {\n", "x:\n"]), 1..40),
            one in 0.0..1.0_f64,
            other in 0.0..1.0_f64,
            takes in any::<bool>(),
        ) {
            let text = lines.concat();
            let edit = |at: f64| {
                let mut edited = lines.clone();
                let at = (at * lines.len() as f64) as usize;
                if takes { edited.remove(at); } else { edited.insert(at, "exec(x)\n"); }
                edited.concat()
            };
            let (a, b) = (edit(one), edit(other));
            prop_assert_eq!(patch(&text, &a) == patch(&text, &b), a == b);
        }
    }
}
