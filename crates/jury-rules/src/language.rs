//! The language of a file by its name. In: a path. Out: one of the compiled grammars, if any. A new language is a row here
//! and a feature of `ast-grep-language`; without the feature its grammar panics. Not here: files whose content tells
//! (`reader.rs`).

use ast_grep_language::SupportLang;
use serde::Deserialize;

/// The languages that syntax rules can be written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Shell.
    Bash,
    /// C#.
    CSharp,
    /// Dockerfiles, which have no grammar here and need none.
    Dockerfile,
    /// Go.
    Go,
    /// Java.
    Java,
    /// JavaScript, with or without JSX.
    JavaScript,
    /// PHP.
    Php,
    /// Python.
    Python,
    /// Ruby.
    Ruby,
    /// Rust.
    Rust,
    /// TypeScript with JSX, which has its own grammar.
    Tsx,
    /// TypeScript.
    TypeScript,
    /// YAML.
    Yaml,
}

/// The file extensions of a language, and the path under which a rule example is reviewed.
struct Row {
    language: Language,
    grammar: Option<SupportLang>,
    extensions: &'static [&'static str],
    /// Whole file names.
    names: &'static [&'static str],
}

const LANGUAGES: &[Row] = &[
    Row {
        language: Language::Bash,
        grammar: Some(SupportLang::Bash),
        extensions: &["sh", "bash", "ksh", "zsh"],
        names: &[
            ".bashrc",
            ".bash_aliases",
            "bash_aliases",
            ".bash_profile",
            ".profile",
            ".zshrc",
            ".zprofile",
            ".envrc",
            "PKGBUILD",
            "APKBUILD",
        ],
    },
    Row { language: Language::CSharp, grammar: Some(SupportLang::CSharp), extensions: &["cs", "csx"], names: &[] },
    Row { language: Language::Dockerfile, grammar: None, extensions: &["dockerfile", "containerfile"], names: &[] },
    Row { language: Language::Go, grammar: Some(SupportLang::Go), extensions: &["go"], names: &[] },
    Row { language: Language::Java, grammar: Some(SupportLang::Java), extensions: &["java"], names: &[] },
    Row {
        language: Language::JavaScript,
        grammar: Some(SupportLang::JavaScript),
        extensions: &["js", "mjs", "cjs", "jsx", "es6", "es", "jsm"],
        names: &["Jakefile"],
    },
    Row {
        language: Language::Php,
        grammar: Some(SupportLang::Php),
        extensions: &["php", "phtml", "php3", "php4", "php5", "php7", "php8"],
        names: &[],
    },
    Row {
        language: Language::Python,
        grammar: Some(SupportLang::Python),
        extensions: &["py", "pyi", "pyw", "wsgi", "bzl", "bazel", "star"],
        names: &["SConstruct", "SConscript", "wscript", "BUILD", "WORKSPACE", "Tiltfile"],
    },
    Row {
        language: Language::Ruby,
        grammar: Some(SupportLang::Ruby),
        extensions: &["rb", "rake", "gemspec", "ru", "rbw", "podspec", "thor", "jbuilder", "builder", "rabl"],
        names: &[
            "Rakefile",
            "Gemfile",
            "Guardfile",
            "Capfile",
            "Vagrantfile",
            "Podfile",
            "Fastfile",
            "Appfile",
            "Brewfile",
            "Berksfile",
            "Dangerfile",
            "Thorfile",
            "Puppetfile",
        ],
    },
    Row { language: Language::Rust, grammar: Some(SupportLang::Rust), extensions: &["rs"], names: &[] },
    Row { language: Language::Tsx, grammar: Some(SupportLang::Tsx), extensions: &["tsx"], names: &[] },
    Row {
        language: Language::TypeScript,
        grammar: Some(SupportLang::TypeScript),
        extensions: &["ts", "mts", "cts"],
        names: &[],
    },
    Row { language: Language::Yaml, grammar: Some(SupportLang::Yaml), extensions: &["yaml", "yml"], names: &[] },
];

impl Language {
    /// The number of languages.
    pub(crate) const COUNT: usize = LANGUAGES.len();

    /// All languages, in the order of the table.
    #[cfg(test)]
    pub(crate) const ALL: [Self; Self::COUNT] = [
        Self::Bash,
        Self::CSharp,
        Self::Dockerfile,
        Self::Go,
        Self::Java,
        Self::JavaScript,
        Self::Php,
        Self::Python,
        Self::Ruby,
        Self::Rust,
        Self::Tsx,
        Self::TypeScript,
        Self::Yaml,
    ];

    /// Returns the language of a path.
    pub fn of(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next()?;
        if ["dockerfile", "containerfile"].iter().any(|known| is_named(name, known)) {
            return Some(Self::Dockerfile);
        }
        if let Some(row) = LANGUAGES.iter().find(|row| row.names.contains(&name)) {
            return Some(row.language);
        }
        let (_, extension) = name.rsplit_once('.')?;
        let is_it = |row: &&Row| row.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension));
        LANGUAGES.iter().find(is_it).map(|row| row.language)
    }

    /// Returns a language by its name in rule files, or by a file extension.
    pub fn named(word: &str) -> Option<Self> {
        let is_it = |row: &&Row| row.language.name() == word || row.extensions.contains(&word);
        LANGUAGES.iter().find(is_it).map(|row| row.language)
    }

    /// Returns the names of all languages, by index.
    pub(crate) fn names() -> Vec<String> {
        LANGUAGES.iter().map(|row| row.language.name()).collect()
    }

    /// Returns its name in rule files.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// Returns its usual file extension.
    pub fn extension(self) -> &'static str {
        self.row().extensions[0]
    }

    /// Tells whether its files are data: what a large one says was written by a program.
    pub(crate) fn is_data(self) -> bool {
        self == Self::Yaml
    }

    pub(crate) fn grammar(self) -> Option<SupportLang> {
        self.row().grammar
    }

    pub(crate) fn index(self) -> usize {
        self as usize
    }

    fn row(self) -> &'static Row {
        &LANGUAGES[self.index()]
    }
}

/// Tells whether a file has a name, with an optional extension: `Dockerfile`, `Dockerfile.dev`.
fn is_named(name: &str, known: &str) -> bool {
    let head = name.get(..known.len()).filter(|head| head.eq_ignore_ascii_case(known));
    head.is_some_and(|head| matches!(name.as_bytes().get(head.len()), None | Some(b'.')))
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
        assert_eq!(Language::of("a/Dockerfile.dev"), Some(Language::Dockerfile));
        assert_eq!(Language::of("dockerfiles"), None);
        for (path, language) in [
            ("lib/a.es6", Language::JavaScript),
            ("a.jsm", Language::JavaScript),
            ("a.mts", Language::TypeScript),
            ("a.CTS", Language::TypeScript),
            ("a.pyw", Language::Python),
            ("Rakefile", Language::Ruby),
            ("ios/Podfile", Language::Ruby),
            ("config.ru", Language::Ruby),
            (".envrc", Language::Bash),
            ("BUILD.bazel", Language::Python),
        ] {
            assert_eq!(Language::of(path), Some(language), "{path}");
        }
    }
}
