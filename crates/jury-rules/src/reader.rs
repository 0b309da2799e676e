//! How a file is read. In: its path and its text. Out: the language of its code and the form that carries it, and whether
//! its code was read by a grammar, by text rules only, or has none.
//!
//! Coverage is decided here: code that no grammar reads is never called seen (docs/decisions/033). Not here: parsing.

use crate::carrier::{self, Form};
use crate::file_kind;
use crate::language::Language;
use crate::supply_chain;

/// A grammar, and the form of the file around the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reader {
    pub(crate) language: Language,
    pub(crate) form: Form,
}

/// How the specialists read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A grammar read its code, and rules over syntax and flows ran.
    Rules,
    /// It is prose or data, which text rules search.
    Data,
    /// It holds code that no grammar reads. Text rules searched it, and nothing else did.
    TextOnly,
}

impl From<Language> for Reader {
    fn from(language: Language) -> Self {
        Self { language, form: Form::Plain }
    }
}

impl Reader {
    /// Finds the reader of a file: by its name, else by its content.
    pub(crate) fn of(path: &str, text: &str) -> Option<Self> {
        // A lockfile is read as a list of packages, whatever its size; as YAML it says nothing.
        if supply_chain::is_plain_yaml_lockfile(path, text) {
            return None;
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        if let Some(form) = Form::of(name) {
            return carrier::language(form, text).map(|language| Self { language, form });
        }
        let by_content =
            || interpreter(text).and_then(Interpreter::language).or_else(|| is_php(text).then_some(Language::Php));
        Language::of(path).or_else(by_content).map(Self::from)
    }
}

/// Says how the specialists read a file.
pub fn reading(path: &str, text: &str) -> Reading {
    let name = path.rsplit('/').next().unwrap_or(path);
    let reader = Reader::of(path, text);
    if reader.is_none() && supply_chain::is_lockfile(path) {
        return Reading::Data;
    }
    match (reader, Form::of(name)) {
        (Some(reader), _) if !carrier::is_read_in_full(reader.form, text) => Reading::TextOnly,
        (Some(_), _) => Reading::Rules,
        // Without any code it is markup.
        (None, Some(form)) => {
            if carrier::is_read_in_full(form, text) {
                Reading::Data
            } else {
                Reading::TextOnly
            }
        }
        (None, None) if interpreter(text).is_some() || file_kind::is_code(name, text) => Reading::TextOnly,
        (None, None) => Reading::Data,
    }
}

/// The program that a shebang names.
#[derive(Clone, Copy)]
enum Interpreter {
    Known(Language),
    Unknown,
}

impl Interpreter {
    fn language(self) -> Option<Language> {
        match self {
            Self::Known(language) => Some(language),
            Self::Unknown => None,
        }
    }
}

/// Reads the first line of a script: `#!/usr/bin/env -S node --harmony`, `#!/bin/sh`.
fn interpreter(text: &str) -> Option<Interpreter> {
    let line = text.strip_prefix("#!")?.lines().next()?.trim();
    // `#![allow(…)]` is Rust.
    if !line.starts_with('/') && !line.starts_with("env") {
        return None;
    }
    // Whatever starts it (`env`, `nice`, `uv run`), the first program that is known counts.
    let known = line.split([' ', '\t', '"', '\'']).find_map(|word| {
        let name = word.rsplit(['/', '\\']).next()?;
        let name = name.strip_prefix("-S").unwrap_or(name);
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
        Some(match name {
            "sh" | "bash" | "dash" | "ash" | "zsh" | "ksh" | "mksh" => Language::Bash,
            "node" | "nodejs" | "gjs" | "qjs" => Language::JavaScript,
            "deno" | "bun" | "ts-node" | "tsx" | "ts-node-esm" => Language::TypeScript,
            "python" | "pypy" | "uv" | "micropython" => Language::Python,
            "ruby" | "jruby" | "rake" => Language::Ruby,
            "php" => Language::Php,
            _ => return None,
        })
    });
    Some(known.map_or(Interpreter::Unknown, Interpreter::Known))
}

fn is_php(text: &str) -> bool {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    start.get(..5).is_some_and(|tag| tag.eq_ignore_ascii_case("<?php"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_known_by_its_first_line() {
        for (line, language) in [
            ("#!/usr/bin/env node", Some(Language::JavaScript)),
            ("#!/usr/bin/env -S node --harmony", Some(Language::JavaScript)),
            ("#!/usr/bin/env -S deno run -A", Some(Language::TypeScript)),
            ("#! /usr/local/bin/python3.11 -u", Some(Language::Python)),
            ("#!/usr/bin/env -S uv run --script", Some(Language::Python)),
            ("#!/bin/sh -e", Some(Language::Bash)),
            ("#!/usr/bin/env A=1 bash", Some(Language::Bash)),
            ("#!/usr/bin/ruby2.7", Some(Language::Ruby)),
            ("#!/usr/bin/php", Some(Language::Php)),
            ("#!/usr/bin/perl", None),
        ] {
            for path in ["bin/tool", "hooks/run.cgi"] {
                let text = format!("{line}\nx\n");
                assert_eq!(Reader::of(path, &text).map(|reader| reader.language), language, "{line}");
                let expected = if language.is_some() { Reading::Rules } else { Reading::TextOnly };
                assert_eq!(reading(path, &text), expected, "{line}");
            }
        }
        assert_eq!(Reader::of("README", "#![allow(x)]\n"), None);
        assert_eq!(Reader::of("lib/db.inc", "<?php f();").map(|reader| reader.language), Some(Language::Php));
    }

    #[test]
    fn every_kind_of_file_has_its_reading() {
        use Reading::{Data, Rules, TextOnly};
        for (path, text, expected) in [
            ("src/a.ts", "f();\n", Rules),
            ("Dockerfile", "FROM x\n", Rules),
            ("deploy/a.yml", "a: 1\n", Rules),
            ("a.vue", "<template><p/></template>\n<script>f()</script>\n", Rules),
            ("a.vue", "<template><p/></template>\n", Data),
            ("a.html", "<p>Hello</p>\n", Data),
            ("a.html", "<script>f()</script>\n", Rules),
            ("a.svg", "<svg><path d=\"M0 0\"/></svg>\n", Data),
            ("a.ipynb", "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"f()\\n\"]}]}", Rules),
            ("a.ipynb", "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"%%bash\\n\", \"rm x\"]}]}", TextOnly),
            ("a.ipynb", "not json", TextOnly),
            ("README.md", "# A\n\n```c\nint main() { return 0; }\n```\n", Data),
            ("LICENSE", "Permission is hereby granted; see file(s) {}.\n", Data),
            (".gitignore", "node_modules/\n*.{js,ts}\n!keep.js\n", Data),
            (".editorconfig", "root = true\n[*.{js,ts}]\nindent_size = 2\n", Data),
            (".env.example", "DATABASE_URL=postgres://localhost/a\nKEY=\n", Data),
            ("Procfile", "web: node server.js\n", Data),
            ("Makefile", "all:\n\tcc -o a a.c\n", Data),
            ("api.proto", "message A { int32 id = 1; }\n", Data),
            ("schema.graphql", "type A { id: ID! }\n", Data),
            ("main.tf", "resource \"a\" \"b\" {\n  x = 1\n}\n", Data),
            ("a.scss", ".a { color: red; }\n", Data),
            ("db/migrations/1.sql", "ALTER TABLE a ADD b int;\n", Data),
            ("CODEOWNERS", "* @team/core\n/src/ @a @b\n", Data),
            ("notes.unknown", "We met on Monday (all of us), and agreed on the plan.\nNext: ship it.\n", Data),
            ("words.unknown", "alpha\nbeta\ngamma\n", Data),
            ("settings.unknown", "[main]\nname = a value\ncolour: red\n", Data),
            ("src/a.c", "int main(void) {\n  return system(\"ls\");\n}\n", TextOnly),
            ("src/a.cpp", "#include <x>\nint f(int a) { return a; }\n", TextOnly),
            ("src/A.kt", "fun main() = println(readln())\n", TextOnly),
            ("src/a.swift", "import Foundation\nlet x = shell(CommandLine.arguments[1])\n", TextOnly),
            ("src/a.lua", "os.execute(arg[1])\n", TextOnly),
            ("src/a.pl", "system($ARGV[0]);\n", TextOnly),
            ("lib/a.ex", "defmodule A do\n  def f(x), do: System.cmd(x, [])\nend\n", TextOnly),
            ("src/a.clj", "(defn f [x] (eval x))\n", TextOnly),
            ("a.coffee", "x = eval req.query.q\n", TextOnly),
            ("views/a.ejs", "<p><%- user %></p>\n", TextOnly),
            ("views/a.html.erb", "<p><%= raw params[:a] %></p>\n", Rules),
            ("views/a.html.erb", "<p>x</p>\n", Data),
            ("views/a.html.erb", "<% a %><script>f(1)</script>\n", TextOnly),
            ("views/a.html.erb", "<a onclick=\"f(1)\"><%= a %></a>\n", TextOnly),
            ("views/a.js.erb", "f(<%= raw params[:a] %>);\n", TextOnly),
            ("views/a.erb", "<%= raw params[:a] %>\n", TextOnly),
            ("views/a.hbs", "<p>{{{a}}}</p>\n", TextOnly),
            ("views/a.twig", "<p>{{ a|raw }}</p>\n", TextOnly),
            ("views/a.pug", "p!= a\n", TextOnly),
            ("src/strange.xyz", "handle = (req) -> run req.body\n", TextOnly),
            ("src/handler", "const q = require('x')\nmodule.exports = q\n", TextOnly),
            // Prose around it does not hide one statement.
            ("src/a.xyz", &format!("{}os.execute(cmd)\n", "Only words stand here.\n".repeat(200)), TextOnly),
        ] {
            assert_eq!(reading(path, text), expected, "{path}: {text}");
        }
    }
}
