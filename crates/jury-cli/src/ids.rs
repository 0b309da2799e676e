//! Ids on the command line: a word in, the thing it names out.
//!
//! Every id is checked against a table, and a wrong one is answered with the nearest right one and the whole list. A word
//! that names something which does not serve here (a format that is only read, a schema of a format that is not JSON) gets a hint.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, StyledStr, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command};
use jury::formats::{FORMATS, Format};
use jury_wire::Schema;

use crate::commands::ResultFormat;

/// The ids of one kind of thing.
#[derive(Clone)]
pub(crate) struct Ids<T: 'static> {
    /// Every id that can be given here, with its thing.
    entries: Vec<(&'static str, T)>,
    /// Says why a word that means something elsewhere does not serve here.
    refusal: fn(&str) -> Option<String>,
}

/// Takes the id of a format to read.
pub(crate) fn readable() -> Ids<&'static Format> {
    Ids { entries: FORMATS.iter().map(|format| (format.id, *format)).collect(), refusal: |_| None }
}

/// Takes the id of a format to write.
pub(crate) fn writable() -> Ids<&'static Format> {
    let entries = FORMATS.iter().filter(|format| format.is_writable()).map(|format| (format.id, *format)).collect();
    Ids { entries, refusal: |id| jury::formats::by_id(id).map(|_| format!("`{id}` is only read, never written")) }
}

/// Takes `text`, `json`, or the id of a format to write.
pub(crate) fn results() -> Ids<ResultFormat> {
    let Ids { entries, refusal } = writable();
    let formats = entries.into_iter().map(|(id, format)| (id, ResultFormat::Format(format)));
    Ids {
        entries: [("text", ResultFormat::Text), ("json", ResultFormat::Json)].into_iter().chain(formats).collect(),
        refusal,
    }
}

/// Takes the name of a JSON Schema.
pub(crate) fn schemas() -> Ids<&'static Schema> {
    Ids {
        entries: Schema::ALL.iter().map(|schema| (schema.name, schema)).collect(),
        refusal: |id| jury::formats::by_id(id).map(|_| format!("`{id}` is not JSON, so it has no JSON Schema")),
    }
}

impl<T: Copy> Ids<T> {
    fn find(&self, id: &str) -> Option<T> {
        self.entries.iter().find(|(known, _)| *known == id).map(|(_, thing)| *thing)
    }

    fn explained(&self, mut error: clap::Error, value: &OsStr) -> clap::Error {
        if let Some(refusal) = value.to_str().and_then(self.refusal) {
            // A known id that does not fit here is not a typing error.
            error.remove(ContextKind::SuggestedValue);
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(refusal)]));
        }
        error
    }
}

impl<T: Copy + Send + Sync + 'static> TypedValueParser for Ids<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        let ids = PossibleValuesParser::new(self.entries.iter().map(|(id, _)| *id));
        let id = ids.parse_ref(command, argument, value).map_err(|error| self.explained(error, value))?;
        Ok(self.find(&id).expect("only the ids of entries are let through"))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.entries.iter().map(|(id, _)| PossibleValue::new(*id))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids() -> Ids<u8> {
        Ids { entries: vec![("apple", 1), ("pear", 2)], refusal: |id| (id == "appla").then(|| "no".into()) }
    }

    fn parsed(word: &str) -> Result<u8, String> {
        let command = Command::new("test").arg(Arg::new("id").value_parser(ids()));
        match command.try_get_matches_from(["test", word]) {
            Ok(matches) => Ok(*matches.get_one("id").unwrap()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn what_does_not_serve_here_is_told_why() {
        assert_eq!(parsed("pear"), Ok(2));
        let refused = parsed("appla").unwrap_err();
        assert!(refused.contains("[possible values: apple, pear]") && refused.contains("tip: no"), "{refused}");
        assert!(!refused.contains("similar"), "{refused}");
        assert!(parsed("aple").unwrap_err().contains("a similar value exists: 'apple'"));
    }

    #[test]
    fn every_format_is_taken_or_refused_with_the_reason() {
        for format in FORMATS {
            assert!(readable().find(format.id).is_some());
            assert_eq!(writable().find(format.id).is_some(), format.is_writable());
            assert!((writable().refusal)(format.id).is_some());
            assert!((schemas().refusal)(format.id).is_some());
        }
        assert_eq!((writable().refusal)("nothing"), None);
    }
}
