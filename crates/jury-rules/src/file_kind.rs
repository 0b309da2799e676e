//! Is a file code that no grammar reads? In: a file name and a text. Out: yes or no.
//!
//! Known kinds of prose and data are a table. Everything else is decided by its lines: one line that is neither prose, nor
//! a setting, nor an item of a list makes the file code. So no list of programming languages has to be complete.

use std::sync::OnceLock;

use regex::RegexSet;

/// Extensions of prose, data, markup, styles, schemas and build recipes, which text rules serve.
const DATA: &[&str] = &[
    // Prose.
    "md",
    "markdown",
    "mdown",
    "txt",
    "text",
    "rst",
    "adoc",
    "asciidoc",
    "org",
    "tex",
    "bib",
    "textile",
    "mediawiki",
    "wiki",
    "pod",
    "rtf",
    "log",
    "srt",
    "vtt",
    "po",
    "pot",
    "feature",
    "diff",
    "patch",
    // Data and settings.
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "ndjson",
    "geojson",
    "webmanifest",
    "map",
    "toml",
    "ini",
    "cfg",
    "conf",
    "cnf",
    "config",
    "properties",
    "env",
    "example",
    "sample",
    "dist",
    "csv",
    "tsv",
    "psv",
    "xml",
    "xsd",
    "dtd",
    "rss",
    "atom",
    "plist",
    "strings",
    "stringsdict",
    "entitlements",
    "resx",
    "xaml",
    "storyboard",
    "xib",
    "csproj",
    "vbproj",
    "fsproj",
    "vcxproj",
    "props",
    "targets",
    "sln",
    "slnx",
    "nuspec",
    "pbxproj",
    "xcconfig",
    "xcscheme",
    "xcworkspacedata",
    "iml",
    "lock",
    "sum",
    "mod",
    "work",
    "snap",
    "pem",
    "crt",
    "cer",
    "key",
    "pub",
    "asc",
    "csr",
    "gpg",
    "ics",
    "vcf",
    "service",
    "timer",
    "socket",
    "desktop",
    "list",
    "editorconfig",
    "http",
    "rest",
    "har",
    "ass",
    "cue",
    "m3u",
    "torrent",
    "tfstate",
    "tfvars",
    "hcl",
    "tf",
    "nomad",
    "cabal",
    "opam",
    "arff",
    "fasta",
    "pdb",
    // Styles, schemas and queries. Rules of the data-migration specialist read SQL.
    "css",
    "scss",
    "sass",
    "less",
    "styl",
    "pcss",
    "proto",
    "graphql",
    "graphqls",
    "gql",
    "thrift",
    "avdl",
    "avsc",
    "prisma",
    "sql",
    "psql",
    "ddl",
    "puml",
    "plantuml",
    "mmd",
    "dot",
    "gv",
    "d2",
    // Recipes: lists of commands for people and CI.
    "mk",
    "mak",
    "make",
    "just",
    "ninja",
];

/// File names of the same kinds.
const DATA_NAMES: &[&str] = &[
    "license",
    "licence",
    "unlicense",
    "copying",
    "copyright",
    "notice",
    "readme",
    "changelog",
    "authors",
    "contributors",
    "codeowners",
    "makefile",
    "gnumakefile",
    "justfile",
    "procfile",
    "caddyfile",
    "pipfile",
    "cname",
    "_redirects",
    "_headers",
];

/// Extensions of code that is written in words and indentation, so that single lines look like prose or settings.
const WORDY: &[&str] = &[
    "nix",
    "xsl",
    "xslt",
    "coffee",
    "litcoffee",
    "iced",
    "pug",
    "jade",
    "haml",
    "slim",
    "asm",
    "s",
    "nasm",
    "cob",
    "cbl",
    "cobol",
    "f",
    "for",
    "f77",
    "f90",
    "f95",
    "f03",
    "f08",
    "bas",
    "vb",
    "vbs",
    "vba",
    "bat",
    "cmd",
    "ps1",
    "psm1",
    "tcl",
    "forth",
    "fth",
    "pas",
    "abap",
    "adb",
    "ads",
    "applescript",
    "ahk",
    "awk",
    "sed",
    "m4",
    "elm",
    "hs",
    "lhs",
    "ml",
    "mli",
    "erl",
    "jl",
    "nim",
    "r",
    "rkt",
    "vim",
    "fish",
    "nu",
    "sol",
    "st",
    "prolog",
    "d",
    "zig",
    "v",
    "vhd",
    "vhdl",
    "cr",
];

/// Tells whether a name is that of prose or data, by its extension.
pub(crate) fn is_data_name(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| DATA.contains(&extension.to_ascii_lowercase().as_str()))
}

/// Tells whether a file of no known grammar holds code.
pub(crate) fn is_code(name: &str, text: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    // `Apache License 2.0` has no extension.
    let is_extension = |end: &str| !end.contains(' ') && !end.bytes().all(|byte| byte.is_ascii_digit());
    let (stem, extension) = lower.rsplit_once('.').filter(|(_, end)| is_extension(end)).unwrap_or((&lower, ""));
    let has_text = text.lines().any(|line| !line.trim().is_empty());
    if !has_text || lower == "cmakelists.txt" {
        return has_text;
    }
    // `.gitignore` and its siblings are settings; `LICENSE-MIT` is prose.
    let is_named_so = lower.split(['-', ' ']).any(|word| DATA_NAMES.contains(&word));
    let is_data = DATA.contains(&extension)
        || is_named_so && extension.is_empty()
        || lower.starts_with(".env")
        || stem.is_empty() && is_settings_name(extension);
    let is_data = is_data || is_manual_page(&lower, text) || is_json(text);
    !is_data && (WORDY.contains(&extension) || has_statement(text) || has_script(text))
}

/// Tells whether a file is a page of a manual: by the section in its name (`fd.1`, `open.3p`) and the macro that such pages begin with.
fn is_manual_page(name: &str, text: &str) -> bool {
    let section = name.rsplit_once('.').map(|(_, section)| section).unwrap_or_default();
    let is_section = section.starts_with(|c: char| c.is_ascii_digit()) && section.len() <= 4;
    let begins = |line: &&str| !line.trim().is_empty() && !line.starts_with(".\\\"") && !line.starts_with("'\\\"");
    is_section && text.lines().find(begins).is_some_and(|line| line.starts_with(".TH ") || line.starts_with(".Dd "))
}

/// Tells whether a text is one object or list of JSON, whatever its name.
fn is_json(text: &str) -> bool {
    let is_open = text.trim_start().starts_with(['{', '[']);
    is_open && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Tells whether a text is a page or a template with a script, in whatever language its other parts are.
fn has_script(text: &str) -> bool {
    let opens = |at: usize| text[at..].get(..7).is_some_and(|tag| tag.eq_ignore_ascii_case("<script"));
    text.match_indices('<').any(|(at, _)| opens(at))
}

/// Tells whether a dot file is named like settings: `.gitignore`, `.npmrc`, `.nvmrc`, `.prettierignore`.
fn is_settings_name(name: &str) -> bool {
    name.ends_with("ignore")
        || name.ends_with("attributes")
        || name.ends_with("config")
        || name.ends_with("-version")
        || name.ends_with("rc") && !name.ends_with("shrc") && name != "vimrc"
}

/// Tells whether one line is a statement.
fn has_statement(text: &str) -> bool {
    text.lines().map(str::trim).any(is_statement)
}

fn is_statement(line: &str) -> bool {
    // Comments of the usual kinds say nothing about the rest.
    if line.is_empty() || ["# ", "##", "//", "-- ", "; ", "<!--"].iter().any(|start| line.starts_with(start)) {
        return false;
    }
    static FORMS: OnceLock<RegexSet> = OnceLock::new();
    let forms = FORMS.get_or_init(|| {
        RegexSet::new([
            // The end of a statement or the bounds of a block, unless it is a glob.
            r"[^;\s&];$|(?:^|[\s)])\{$|^[}\])]+[;,]?$|\bend$|\b(?:do|then)$",
            // A call: a name with its bracket. `file(s)` and `printf(3)` are words.
            r"(?:^|[^\w])[A-Za-z_$@][\w$.:>-]*[!?]?\((?:[^)s\d]|s[^)]|\d[^)]|\)|$)",
            // Code of other languages between tags.
            r"<%|\{%|\{\{|<\?(?:[^x]|$)|<#|\{!!|^@(?:if|for|foreach|while|using|model|extends|section)\b",
            // Operators that neither prose nor settings have.
            r"(?:^|\s)(?::=|\+=|-=|==|===|!=|&&|\|\||->|=>|<-|\|>|<=|>=|<<|>>)(?:\s|$)|\w::\w",
            // Definitions and imports.
            r"^(?:pub |public |private |export |async )*(?:def|defmodule|defn|fn|func|fun|function|sub|proc|class|struct|trait|impl|namespace|module)\s+[\w.:$]+\s*[({<:]?\s*$",
            r"^(?:import|package|using|use|require|include|#include|#define|#if|#ifdef|#pragma|@import)\s+\S+;?$",
            // A list of a Lisp.
            r"^\(\s*[\w!?*+/<>=-]+(?:\s|\)|$)",
            // A declaration with a value.
            r"^(?:let|var|val|const|local|my|our|set|export|auto|int|char|bool|float|double|long|string|final)\s+[\w$@%*]+(?:\s*:\s*[\w<>\[\]?]+)?\s*=\s*\S",
            // A pipeline, a variable of a shell, a redirection.
            r"\s\|\s*\w+|^\$\w+|%~?\d|\$\(\w|`\w+ |[^<]>&?\d|\S\s*>\s*/",
        ])
        .expect("a test compiles these")
    });
    let found = forms.matches(line);
    // A sentence may mention code; a statement has few plain words.
    let words = || {
        line.split_whitespace().filter(|word| word.trim_matches([',', '.']).bytes().all(|b| b.is_ascii_alphabetic()))
    };
    found.matched(2) || found.matched_any() && (line.len() < 24 || words().count() < 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_told_from_a_sentence_and_a_setting() {
        for line in [
            "x();",
            "}",
            "return system(cmd)",
            "local x = 1",
            "a := b",
            "import Foundation",
            "(def x 1)",
            "if x then",
            "curl -s u | sh",
            "<% x %>",
            "{{ x }}",
            "module.exports = f(x)",
            "std::system(a)",
            "let a = eval(b)",
        ] {
            assert!(is_statement(line), "{line}");
        }
        for line in [
            "",
            "We did it (again).",
            "See printf(3) and the file(s) below.",
            "key = value",
            "key: value, other",
            "*.{js,ts}",
            "[section]",
            "node_modules/",
            "https://example.com/a?b=c&d=e",
            "- an item; another",
            "1,2,3",
            "The function f(x) is called by everybody who wants to know the answer.",
            "a@b.example",
        ] {
            assert!(!is_statement(line), "{line}");
        }
    }

    #[test]
    fn prose_and_settings_are_known_by_name() {
        let code = "int main() { return 0; }\n";
        for name in [
            "README",
            "README.fr.md",
            "LICENSE",
            "LICENSE.txt",
            "LICENSE-MIT",
            "Apache License 2.0",
            ".gitignore",
            ".npmrc",
            ".env",
            ".env.local",
            "a.JSON",
        ] {
            assert!(!is_code(name, code), "{name}");
        }
        for name in ["a.c", "main", "a.h", "CMakeLists.txt", "README.kt", ".vimrc", "license.kt"] {
            assert!(is_code(name, code), "{name}");
        }
        assert!(!is_code("a.c", "\n"));
    }

    #[test]
    fn manual_pages_and_json_are_known_by_what_they_say() {
        let page = ".\\\" made by hand\n.TH FD 1\n.SH NAME\nfd \\- find\n.B fd -x rm {} && true;\n";
        let code = "int main() { return 0; }\n";
        let json = "{\n  \"code\": \"system(x);\",\n  \"line\": 1\n}\n";
        for (name, text, expected) in [
            ("fd.1", page, false),
            ("open.3p", page, false),
            ("fd.1", code, true),
            ("fd", page, true),
            ("fd.sx", page, true),
            ("brakeman.ignore", json, false),
            ("x.unknown", &json.replace("}\n", "}\nsystem(x);\n"), true),
            ("x.awk", json, false),
        ] {
            assert_eq!(is_code(name, text), expected, "{name}");
        }
    }
}
