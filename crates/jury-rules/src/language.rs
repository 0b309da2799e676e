//! Which language a file is written in. In: a path. Out: one of the grammars that are compiled in, if any.
//! A new language is a row here and a feature of `ast-grep-language`; without the feature its grammar panics.

use ast_grep_language::SupportLang;
use serde::Deserialize;

/// The languages that rules of the syntax kind can be written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Go.
    Go,
    /// Java.
    Java,
    /// JavaScript, with or without JSX.
    JavaScript,
    /// Python.
    Python,
    /// Ruby.
    Ruby,
    /// Rust.
    Rust,
    /// TypeScript with JSX, which is a grammar of its own.
    Tsx,
    /// TypeScript.
    TypeScript,
}

/// How the files of a language end, and where an example of a rule is taken to stand.
struct Row {
    language: Language,
    grammar: SupportLang,
    extensions: &'static [&'static str],
}

const LANGUAGES: &[Row] = &[
    Row { language: Language::Go, grammar: SupportLang::Go, extensions: &["go"] },
    Row { language: Language::Java, grammar: SupportLang::Java, extensions: &["java"] },
    Row { language: Language::JavaScript, grammar: SupportLang::JavaScript, extensions: &["js", "mjs", "cjs", "jsx"] },
    Row { language: Language::Python, grammar: SupportLang::Python, extensions: &["py", "pyi", "pyw"] },
    Row { language: Language::Ruby, grammar: SupportLang::Ruby, extensions: &["rb", "rake"] },
    Row { language: Language::Rust, grammar: SupportLang::Rust, extensions: &["rs"] },
    Row { language: Language::Tsx, grammar: SupportLang::Tsx, extensions: &["tsx"] },
    Row { language: Language::TypeScript, grammar: SupportLang::TypeScript, extensions: &["ts", "mts", "cts"] },
];

impl Language {
    /// How many languages there are.
    pub(crate) const COUNT: usize = LANGUAGES.len();

    /// All languages, in the order of the table.
    #[cfg(test)]
    pub(crate) const ALL: [Self; Self::COUNT] =
        [Self::Go, Self::Java, Self::JavaScript, Self::Python, Self::Ruby, Self::Rust, Self::Tsx, Self::TypeScript];

    /// Tells the language of a file from its path.
    pub fn of(path: &str) -> Option<Self> {
        let (_, extension) = path.rsplit('/').next()?.rsplit_once('.')?;
        let is_it = |row: &&Row| row.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension));
        LANGUAGES.iter().find(is_it).map(|row| row.language)
    }

    /// Returns the usual ending of its files.
    pub fn extension(self) -> &'static str {
        self.row().extensions[0]
    }

    pub(crate) fn grammar(self) -> SupportLang {
        self.row().grammar
    }

    pub(crate) fn index(self) -> usize {
        self as usize
    }

    fn row(self) -> &'static Row {
        &LANGUAGES[self.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_languages() {
        for (index, row) in LANGUAGES.iter().enumerate() {
            assert_eq!((row.language.index(), Language::ALL[index]), (index, row.language));
            assert_eq!(Language::of(&format!("src/a.b.{}", row.language.extension())), Some(row.language));
        }
        assert_eq!(Language::of("a/ts"), None);
        assert_eq!(Language::of("a.ts/readme"), None);
        assert_eq!(Language::of("A.TSX"), Some(Language::Tsx));
    }
}
