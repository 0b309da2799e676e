//! Files that carry code of another language: components, pages, notebooks. In: the form of a file and its text. Out: the
//! language of the code, and the code alone.
//!
//! Pages and components keep their offsets: everything that is not code becomes spaces. A notebook holds code as JSON
//! strings, so its code is another text, and each line knows its place in the file.

mod markup;
mod notebook;
mod template;

use std::ops::Range;

use crate::file_kind;
use crate::language::Language;

/// The form of a file around its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Form {
    /// The file is code.
    Plain,
    /// A page with scripts and handlers, perhaps a template: HTML, SVG.
    Page,
    /// A component with scripts: Vue, Svelte.
    Component,
    /// Frontmatter between `---` and scripts.
    Astro,
    /// A page or a text with Ruby between `<%` and `%>`.
    Template,
    /// A Jupyter notebook.
    Notebook,
}

/// The code of a carrier.
pub(crate) enum Code {
    /// The text with everything except code blanked, byte for byte.
    Blanked(String),
    /// The code as a text of its own, and the bytes of the carrier that each of its lines stands for.
    Moved { text: String, lines: Vec<Range<usize>> },
}

impl Form {
    /// Returns the form of a carrier by its file name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let (stem, extension) = name.rsplit_once('.')?;
        match &*extension.to_ascii_lowercase() {
            "html" | "htm" | "xhtml" | "shtml" | "hta" | "svg" => Some(Self::Page),
            "vue" | "svelte" => Some(Self::Component),
            "astro" => Some(Self::Astro),
            "ipynb" => Some(Self::Notebook),
            // Around the Ruby of `a.js.erb` and `a.sh.erb` is other code.
            "erb" if Self::of(stem) == Some(Self::Page) || file_kind::is_data_name(stem) => Some(Self::Template),
            _ => None,
        }
    }
}

/// Returns the language of the code in a carrier; none if it holds no code, or code of no known grammar.
pub(crate) fn language(form: Form, text: &str) -> Option<Language> {
    match form {
        Form::Plain => None,
        Form::Page | Form::Component | Form::Astro => markup::language(form, text),
        Form::Template => template::has_code(text).then_some(Language::Ruby),
        Form::Notebook => notebook::read(text)?.language(),
    }
}

/// Tells whether a grammar reads all code of a carrier.
pub(crate) fn is_read_in_full(form: Form, text: &str) -> bool {
    match form {
        Form::Plain | Form::Astro => true,
        Form::Page | Form::Component => markup::is_read_in_full(text),
        Form::Template => markup::language(Form::Page, &template::around(text)).is_none(),
        Form::Notebook => notebook::read(text).is_some_and(|notebook| notebook.is_read_in_full()),
    }
}

/// Returns the code of a carrier; none for a file that is code as it stands.
pub(crate) fn code(form: Form, text: &str) -> Option<Code> {
    match form {
        Form::Plain => None,
        Form::Page | Form::Component | Form::Astro => Some(Code::Blanked(markup::code(form, text))),
        Form::Template => Some(Code::Blanked(template::code(text))),
        Form::Notebook => notebook::read(text).map(notebook::Notebook::code),
    }
}
