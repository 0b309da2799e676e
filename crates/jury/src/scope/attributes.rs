//! Attribute files in; for a path, whether git would convert its content on the way into the index.
//!
//! Deliberately not here: every attribute that only says how something is shown (`diff`, `export-ignore`, …).

use std::collections::BTreeMap;
use std::sync::Arc;

use gix::bstr::{BStr, ByteSlice as _};
use gix::glob::{Pattern, pattern::Case, wildmatch};
use gix_attributes::StateRef;
use gix_attributes::parse::Kind;

/// The attributes that make `git add` store something else than the bytes of the file.
const CONVERTING: [&str; 2] = ["filter", ENCODING];
/// The attribute that names the encoding of the file; git stores UTF-8.
const ENCODING: &str = "working-tree-encoding";
/// The attribute that empties `$Id: … $`.
const IDENT: &str = "ident";
/// The attributes by which a forge hides a file from people.
const GENERATED: &str = "linguist-generated";
const VENDORED: &str = "linguist-vendored";
/// The attributes that make it store other line ends.
const LINE_ENDS: [&str; 3] = ["text", "crlf", "eol"];

/// The attributes that hold in a folder: those of its own file, and those of the folders above.
#[derive(Clone, Default)]
pub(super) struct Attributes {
    /// `info/attributes`, which overrules all of them.
    strongest: Option<Arc<Level>>,
    level: Option<Arc<Level>>,
    macros: Arc<BTreeMap<String, Vec<Setting>>>,
}

struct Level {
    /// It is of this clone alone, and of no tree.
    is_local: bool,
    base: usize,
    rules: Vec<(Pattern, Vec<Setting>)>,
    above: Option<Arc<Level>>,
}

/// The relevant part of a rule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Setting {
    Converts,
    Ident,
    Text(bool),
    Generated(bool),
    Vendored(bool),
}

impl Attributes {
    /// Adds the attribute file of a folder. One without relevant rules costs nothing later.
    pub(super) fn with(&self, folder: &[u8], text: &[u8]) -> Attributes {
        let mut macros = (*self.macros).clone();
        let mut rules = Vec::new();
        for (kind, assignments, _) in gix_attributes::parse(text).filter_map(Result::ok) {
            let mut settings = Vec::new();
            for assignment in assignments.filter_map(Result::ok) {
                let name = assignment.name.as_str();
                let is_off = matches!(assignment.state, StateRef::Unset | StateRef::Unspecified);
                if CONVERTING.contains(&name) && !is_off && !(name == ENCODING && is_utf8(assignment.state)) {
                    settings.push(Setting::Converts);
                } else if name == IDENT && !is_off {
                    settings.push(Setting::Ident);
                } else if name == GENERATED {
                    settings.push(Setting::Generated(!is_off && !is_false(assignment.state)));
                } else if name == VENDORED {
                    settings.push(Setting::Vendored(!is_off && !is_false(assignment.state)));
                } else if LINE_ENDS.contains(&name) && !(name == "eol" && is_off) {
                    settings.push(Setting::Text(!is_off));
                } else if name == "binary" && !is_off {
                    settings.push(Setting::Text(false));
                } else if let Some(inner) = macros.get(name).filter(|_| !is_off) {
                    settings.extend(inner);
                }
            }
            match kind {
                Kind::Macro(name) if !settings.is_empty() => {
                    macros.insert(name.as_str().to_owned(), settings);
                }
                Kind::Pattern(pattern) if !settings.is_empty() => rules.push((pattern, settings)),
                Kind::Macro(_) | Kind::Pattern(_) => {}
            }
        }
        let level = if rules.is_empty() {
            self.level.clone()
        } else {
            Some(Arc::new(Level { is_local: false, base: folder.len(), rules, above: self.level.clone() }))
        };
        Attributes { strongest: self.strongest.clone(), level, macros: Arc::new(macros) }
    }

    /// The same, of this clone alone.
    pub(super) fn local(self) -> Attributes {
        let mark = |level: Option<Arc<Level>>| {
            let level = level?;
            Some(Arc::new(Level {
                is_local: true,
                base: level.base,
                rules: level.rules.clone(),
                above: level.above.clone(),
            }))
        };
        Attributes { level: mark(self.level), ..self }
    }

    /// Tells whether rules of the tree convert a path, and none that only this clone has.
    pub(super) fn are_of_tree(&self, path: &[u8]) -> bool {
        let is_converting = |setting: &Setting| matches!(setting, Setting::Converts | Setting::Ident);
        let mut of = self.levels().map(|level| (level.is_local, level.settings(path).any(|it| is_converting(&it))));
        let (mut is_of_tree, mut is_local) = (false, false);
        for (local, converts) in of.by_ref() {
            is_of_tree |= converts && !local;
            is_local |= converts && local;
        }
        is_of_tree && !is_local
    }

    /// Adds the attributes that overrule those of the tree.
    pub(super) fn overruled_by(&self, text: &[u8]) -> Attributes {
        let strongest = Attributes { level: None, ..self.clone() }.with(b"", text);
        let macros = Arc::clone(&strongest.macros);
        Attributes { strongest: strongest.local().level, level: self.level.clone(), macros }
    }

    /// Tells whether any rule converts the content of a path. A later rule that takes it back is not heeded: at worst
    /// the file is read although its stat data would have been enough.
    pub(super) fn convert(&self, path: &[u8]) -> bool {
        self.settings(path).any(|setting| matches!(setting, Setting::Converts | Setting::Ident))
    }

    /// Tells whether git may store other bytes than these for a path, line ends aside.
    pub(super) fn rewrite(&self, path: &[u8], bytes: Option<&[u8]>) -> bool {
        let has_ident = || bytes.is_none_or(|bytes| bytes.find(b"$Id").is_some());
        self.settings(path).any(|setting| match setting {
            Setting::Converts => true,
            Setting::Ident => has_ident(),
            Setting::Text(_) | Setting::Generated(_) | Setting::Vendored(_) => false,
        })
    }

    /// Tells whether git would store the path with other line ends; `by_default` if no rule says. Where any rule says
    /// that it would not, this says so, too: at worst an unchanged file is reviewed.
    pub(super) fn normalise_line_ends(&self, path: &[u8], by_default: bool) -> bool {
        let mut is_text = by_default;
        for setting in self.settings(path) {
            match setting {
                Setting::Text(false) => return false,
                Setting::Text(true) => is_text = true,
                Setting::Converts | Setting::Ident | Setting::Generated(_) | Setting::Vendored(_) => {}
            }
        }
        is_text
    }

    /// Tells whether a file is called generated or vendored. Of each word, the strongest rule decides.
    pub(super) fn is_linguist_hidden(&self, path: &[u8]) -> bool {
        let first = |of: fn(Setting) -> Option<bool>| self.settings(path).find_map(of).unwrap_or(false);
        let generated = |setting| if let Setting::Generated(is_so) = setting { Some(is_so) } else { None };
        let vendored = |setting| if let Setting::Vendored(is_so) = setting { Some(is_so) } else { None };
        first(generated) || first(vendored)
    }

    /// Returns the settings of a path, the strongest first.
    fn settings<'a>(&'a self, path: &'a [u8]) -> impl Iterator<Item = Setting> + 'a {
        self.levels().flat_map(move |level| level.settings(path))
    }

    /// Returns the levels, the strongest first.
    fn levels(&self) -> impl Iterator<Item = &Level> {
        let levels = std::iter::successors(self.level.as_deref(), |level| level.above.as_deref());
        self.strongest.as_deref().into_iter().chain(levels)
    }
}

impl Level {
    /// Returns its settings for a path, the strongest first.
    fn settings<'a>(&'a self, path: &'a [u8]) -> impl Iterator<Item = Setting> + 'a {
        let relative: &BStr = path[self.base..].into();
        let name = relative.rfind_byte(b'/').map(|slash| slash + 1);
        let matching = self.rules.iter().rev().filter(move |(pattern, _)| {
            let mode = wildmatch::Mode::NO_MATCH_SLASH_LITERAL;
            pattern.matches_repo_relative_path(relative, name, Some(false), Case::Sensitive, mode)
        });
        matching.flat_map(|(_, settings)| settings.iter().rev().copied())
    }
}

/// Tells whether an encoding is the one that git stores anyway.
fn is_utf8(state: StateRef<'_>) -> bool {
    match state {
        StateRef::Value(value) => {
            ["utf-8", "utf8"].iter().any(|name| value.as_bstr().eq_ignore_ascii_case(name.as_bytes()))
        }
        StateRef::Set | StateRef::Unset | StateRef::Unspecified => false,
    }
}

/// Tells whether an attribute is set to `false` as a text.
fn is_false(state: StateRef<'_>) -> bool {
    matches!(state, StateRef::Value(value) if value.as_bstr().eq_ignore_ascii_case(b"false"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_seen_through_macros_and_folders() {
        let root = Attributes::default()
            .with(b"", b"[attr]big filter=lfs -text\n*.bin big\n*.c ident\n*.txt diff=x -filter\n");
        let deep = root.with(b"src/", b"*.u16 working-tree-encoding=UTF-16\n*.bin -filter\n");
        let strong = deep.overruled_by(b"/src/hidden filter=evil\n");
        for (attributes, path, converts) in [
            (&root, "a.bin", true),
            (&root, "x/y.c", true),
            (&root, "a.txt", false),
            (&root, "a.u16", false),
            (&deep, "src/a.bin", true),
            (&deep, "src/a.c", true),
            (&deep, "src/a.u16", true),
            (&deep, "src/a.rs", false),
            (&deep, "src/hidden", false),
            (&strong, "src/hidden", true),
            (&strong, "src/a.c", true),
        ] {
            assert_eq!(attributes.convert(path.as_bytes()), converts, "{path}");
        }
    }

    #[test]
    fn the_strongest_rule_says_whether_a_file_is_generated() {
        let root = Attributes::default().with(
            b"",
            b"[attr]made linguist-generated\ndist/** linguist-generated=true\ndist/keep.js -linguist-generated\n\
              lib/** linguist-vendored\nlib/own.js linguist-vendored=false\n*.pb made\n*.x linguist-language=C\n",
        );
        let deep = root.with(b"dist/own/", b"*.js !linguist-generated\n");
        for (attributes, path, is_hidden) in [
            (&root, "dist/a.js", true),
            (&root, "dist/keep.js", false),
            (&root, "lib/a.js", true),
            (&root, "lib/own.js", false),
            (&root, "a.pb", true),
            (&root, "a.x", false),
            (&deep, "dist/own/a.js", false),
            (&deep, "dist/own/a.css", true),
        ] {
            assert_eq!(attributes.is_linguist_hidden(path.as_bytes()), is_hidden, "{path}");
        }
    }

    #[test]
    fn a_conversion_that_leaves_the_bytes_alone_is_none() {
        let rules = Attributes::default()
            .with(b"", b"*.c ident\n*.u8 working-tree-encoding=UTF-8\n*.u7 working-tree-encoding=UTF-7\n*.x filter=x\n*.t text eol=lf\n");
        for (path, bytes, rewrites) in [
            ("a.c", "int a;", false),
            ("a.c", "// $Id: 1 $", true),
            ("a.u8", "a", false),
            ("a.u7", "a", true),
            ("a.x", "a", true),
            ("a.t", "a", false),
        ] {
            assert_eq!(rules.rewrite(path.as_bytes(), Some(bytes.as_bytes())), rewrites, "{path} {bytes}");
        }
        assert!(rules.rewrite(b"a.c", None));
    }

    #[test]
    fn line_ends_are_normalised_where_no_rule_forbids_it() {
        let rules = Attributes::default().with(b"", b"* text=auto\n*.bat text eol=crlf\n*.png binary\n*.raw -text\n");
        for (path, text) in [("a.rs", true), ("a.bat", true), ("a.png", false), ("a.raw", false)] {
            assert_eq!(rules.normalise_line_ends(path.as_bytes(), false), text, "{path}");
        }
        assert!(!Attributes::default().normalise_line_ends(b"a", false));
        assert!(Attributes::default().normalise_line_ends(b"a", true));
    }
}
