//! The location of a result: URIs, their bases, artifacts and regions, made into places inside the repository.
//!
//! In: the declarations of a run, and a `location`. Out: a place, or why it is none. A URI is only ever taken as text: an absolute
//! one counts if it lies inside the declared root of the sources, and is made relative to it; no file is looked for.

use std::collections::BTreeMap;

use jury_wire::Reason;

use super::{SOURCE_ROOT, entries, index, member, uri};
use crate::formats::json;
use crate::model::{Column, Line, LineError, LineRange, Location, PathError, RepoPath, Side};
use crate::syntax::{Node, Reader, Span, Unknown};

/// How many steps a chain of bases or of nested artifacts may have.
const LONGEST_CHAIN: usize = 16;

/// The declarations of a run about the location of its files.
#[derive(Default)]
pub(super) struct UriResolver<'n> {
    bases: BTreeMap<&'n str, Result<Base, String>>,
    /// The absolute URIs of the declared source roots.
    roots: Vec<String>,
    artifacts: Vec<Artifact<'n>>,
}

/// The meaning of a base id.
#[derive(Default)]
struct Base {
    /// The path below the topmost base, empty or with a slash at its end.
    prefix: String,
    /// The absolute URI of the topmost base, with a slash at its end.
    top: Option<String>,
}

/// An `artifactLocation` as it is written.
#[derive(Clone, Copy, Default)]
struct Artifact<'n> {
    uri: Option<(&'n str, Span)>,
    base: Option<&'n str>,
    /// Which artifact of the run, or which one it is nested in.
    index: Option<(usize, Span)>,
}

/// A location, and the code there.
#[derive(Default)]
pub(super) struct ReadLocation<'n> {
    pub(super) location: Option<Location>,
    pub(super) snippet: Option<&'n str>,
}

/// Why there is no place.
pub(super) enum LocationError {
    /// It is not a path inside the repository.
    Path(Span, String),
    /// For a reason that was noted.
    Noted,
}

impl<'n> UriResolver<'n> {
    /// Takes over `run.originalUriBaseIds` (§3.14.14).
    pub(super) fn declare_bases<'a>(&mut self, reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<()> {
        let mut declared = BTreeMap::new();
        for member in entries(reader, node)? {
            declared.insert(member.key.as_ref(), artifact_location(reader, &member.node).unwrap_or_default());
        }
        *self = Self { artifacts: std::mem::take(&mut self.artifacts), ..Self::with_bases(&declared) };
        Some(())
    }

    fn with_bases(declared: &BTreeMap<&'n str, Artifact<'n>>) -> Self {
        let bases: BTreeMap<_, _> = declared.keys().map(|id| (*id, resolved(declared, id))).collect();
        let is_source_root = |id: &&str| [SOURCE_ROOT, "SRCROOT"].iter().any(|root| root.eq_ignore_ascii_case(id));
        let roots =
            bases.iter().filter(|(id, _)| is_source_root(id)).filter_map(|(_, base)| base.as_ref().ok()?.top.clone());
        let roots = roots.filter(|root| !uri::is_drive(root)).collect();
        Self { bases, roots, artifacts: Vec::new() }
    }

    /// Takes over `run.artifacts` (§3.14.15).
    pub(super) fn declare_artifacts<'a>(&mut self, reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<()> {
        for node in reader.items(node)? {
            let mut artifact = Artifact::default();
            if let Some(mut fields) = reader.fields(node) {
                artifact = member(reader, &mut fields, "location", artifact_location).unwrap_or_default();
                artifact.index = member(reader, &mut fields, "parentIndex", index).flatten();
                fields.end(reader, Unknown::Allow);
            }
            self.artifacts.push(artifact);
        }
        Some(())
    }

    /// Reads a location (§3.28).
    pub(super) fn location<'a>(
        &self,
        reader: &mut Reader<'_, 'a>,
        node: &'n Node<'a>,
    ) -> Result<ReadLocation<'n>, LocationError> {
        let mut fields = reader.fields(node).ok_or(LocationError::Noted)?;
        let physical = member(reader, &mut fields, "physicalLocation", |_, node| Some(node));
        let side = member(reader, &mut fields, "properties", side).flatten();
        if !fields.end(reader, Unknown::Allow) {
            return Err(LocationError::Noted);
        }
        let Some(physical) = physical else { return Ok(ReadLocation::default()) };
        let mut place = self.physical_location(reader, physical)?;
        if let (Some(location), Some(side)) = (&mut place.location, side) {
            location.side = side;
        }
        Ok(place)
    }

    fn physical_location<'a>(
        &self,
        reader: &mut Reader<'_, 'a>,
        node: &'n Node<'a>,
    ) -> Result<ReadLocation<'n>, LocationError> {
        let mut fields = reader.fields(node).ok_or(LocationError::Noted)?;
        let artifact = member(reader, &mut fields, "artifactLocation", |_, node| Some(node));
        let region = member(reader, &mut fields, "region", region);
        let context = member(reader, &mut fields, "contextRegion", region_snippet).flatten();
        if artifact.is_none() && node.get("address").is_none() {
            reader.deviate(Reason::MissingField, node.span, "`artifactLocation` is missing");
        }
        if !fields.end(reader, Unknown::Allow) {
            return Err(LocationError::Noted);
        }
        let region = region.unwrap_or_default();
        let snippet = region.snippet.or(context).filter(|text| !text.trim().is_empty());
        let Some(artifact) = artifact else { return Ok(ReadLocation { location: None, snippet }) };
        let (file, is_container) = self.file(reader, artifact)?;
        let location = file.map(|file| Location {
            file,
            // Lines inside a packed file are no lines of the container.
            lines: region.lines.filter(|_| !is_container),
            column: region.column.filter(|_| !is_container),
            side: Side::Right,
        });
        Ok(ReadLocation { location, snippet })
    }

    /// Returns the file that an `artifactLocation` names, and whether it is only the container of the meant file.
    fn file<'a>(
        &self,
        reader: &mut Reader<'_, 'a>,
        node: &'n Node<'a>,
    ) -> Result<(Option<RepoPath>, bool), LocationError> {
        let artifact = artifact_location(reader, node).ok_or(LocationError::Noted)?;
        let listed = match artifact.index {
            None => None,
            Some((index, span)) => Some(*self.artifacts.get(index).ok_or_else(|| {
                reader.deviate(Reason::BadReference, span, format!("the run has no artifact {index}"));
                LocationError::Noted
            })?),
        };
        let mut outermost = listed.unwrap_or_default();
        let is_nested = outermost.index.is_some();
        for _ in 0..LONGEST_CHAIN {
            let Some((parent, span)) = outermost.index else { break };
            outermost = *self.artifacts.get(parent).ok_or_else(|| {
                reader.deviate(Reason::BadReference, span, format!("the run has no artifact {parent}"));
                LocationError::Noted
            })?;
        }
        let named = if is_nested || artifact.uri.is_none() { outermost } else { artifact };
        let Some((uri, span)) = named.uri else {
            if artifact.index.is_some() {
                return Err(LocationError::Path(node.span, "the artifact has no URI".to_owned()));
            }
            reader.deviate(Reason::MissingField, node.span, "`uri` is missing");
            return Err(LocationError::Noted);
        };
        let span = if artifact.uri.is_some() { span } else { node.span };
        if let Some(file) = uri::local(uri).and_then(|path| reader.source.within_roots(&path)) {
            reader.deviate(Reason::PathNormalised, span, format!("`{file}` in the tree"));
            return Ok((Some(file), is_nested));
        }
        match self.path(uri, named.base) {
            Ok(file) => Ok((file, is_nested)),
            Err(_) if uri::local(uri).is_some_and(|path| reader.source.is_elsewhere(&path)) => {
                reader.deviate(Reason::ValueDropped, span, "no file: the path is absolute");
                Ok((None, is_nested))
            }
            Err(why) => Err(LocationError::Path(span, why)),
        }
    }

    /// Makes a URI a path inside the repository; none if it is the repository itself.
    fn path(&self, uri: &str, base: Option<&str>) -> Result<Option<RepoPath>, String> {
        if let Some(absolute) = uri::absolute(uri)? {
            let below = self.roots.iter().find_map(|root| absolute.strip_prefix(root.as_str()));
            return below
                .map_or_else(|| Err(format!("the URI is absolute and not below `{SOURCE_ROOT}`")), uri::repo_path);
        }
        let uri = uri::decoded(uri)?;
        match base.and_then(|base| self.bases.get(base)) {
            Some(base) => uri::repo_path(&format!("{}{uri}", base.as_ref().map_err(Clone::clone)?.prefix)),
            None => uri::repo_path(&uri),
        }
    }
}

fn artifact_location<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<Artifact<'n>> {
    let mut fields = reader.fields(node)?;
    let uri = member(reader, &mut fields, "uri", |reader, node| Some((reader.string(node)?, node.span)));
    let base = member(reader, &mut fields, "uriBaseId", Reader::string);
    let index = member(reader, &mut fields, "index", index).flatten();
    fields.end(reader, Unknown::Allow).then_some(Artifact { uri, base, index })
}

/// Follows a base id up to the topmost one (§3.14.14).
fn resolved(declared: &BTreeMap<&str, Artifact<'_>>, id: &str) -> Result<Base, String> {
    let mut base = Base::default();
    let mut id = id;
    for _ in 0..LONGEST_CHAIN {
        let Some(artifact) = declared.get(id) else { return Ok(base) };
        // The topmost base may keep its URI to itself.
        let Some((uri, _)) = artifact.uri else { return Ok(base) };
        if let Some(top) = uri::absolute(uri)? {
            base.top = Some(format!("{}/", top.trim_end_matches('/')));
            return Ok(base);
        }
        base.prefix = format!("{}/{}", uri::decoded(uri)?.trim_end_matches('/'), base.prefix);
        if base.prefix.len() > uri::LONGEST {
            return Err(PathError::TooLong.to_string());
        }
        match artifact.base {
            Some(parent) => id = parent,
            None => return Ok(base),
        }
    }
    Err(format!("the base ids form a loop, or a chain of more than {LONGEST_CHAIN}"))
}

#[derive(Default)]
struct Region<'n> {
    lines: Option<LineRange>,
    column: Option<Column>,
    snippet: Option<&'n str>,
}

/// Reads a region (§3.30). One that is given by offsets has no lines.
fn region<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<Region<'n>> {
    let mut fields = reader.fields(node)?;
    let start = member(reader, &mut fields, "startLine", json::line);
    let end = member(reader, &mut fields, "endLine", |reader, node| Some((json::line(reader, node)?, node.span)));
    let column = member(reader, &mut fields, "startColumn", column);
    let end_column = member(reader, &mut fields, "endColumn", column_number);
    let has_offset = fields.get("charOffset").is_some() | fields.get("byteOffset").is_some();
    let snippet = member(reader, &mut fields, "snippet", content).flatten();
    let span = fields.span();
    if !fields.end(reader, Unknown::Allow) {
        return None;
    }
    let Some(start) = start else {
        if !has_offset {
            let opening = Span::new(span.start, span.start + 1);
            reader.deviate(Reason::MissingField, opening, "`startLine` is missing");
        }
        return Some(Region { snippet, ..Region::default() });
    };
    let lines = match end {
        None => LineRange::single(start),
        Some((end, span)) => {
            // A region that ends before the first character of a line does not reach into it (§3.30.2).
            let before = Line::new(i64::from(end.get()) - 1).ok().filter(|_| end_column == Some(1) && end > start);
            let lines: Result<LineRange, LineError> = LineRange::new(start, before.unwrap_or(end));
            reader.expect(Reason::BadLine, span, lines)?
        }
    };
    Some(Region { lines: Some(lines), column, snippet })
}

fn column_number<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<u32> {
    column(reader, node).map(Column::get)
}

fn column<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Column> {
    let number = reader.integer(node)?;
    let column = Column::new(number).ok_or(format!("column {number} does not exist; columns are counted from 1"));
    reader.expect(Reason::BadLine, node.span, column)
}

fn region_snippet<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<Option<&'n str>> {
    region(reader, node).map(|region| region.snippet)
}

/// Reads the text of a snippet, which may be binary instead.
fn content<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<Option<&'n str>> {
    let mut fields = reader.fields(node)?;
    let text = member(reader, &mut fields, "text", Reader::string);
    fields.end(reader, Unknown::Allow).then_some(text)
}

/// Reads on which side of the change a place lies, which only Jury says.
fn side<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<Side>> {
    let mut fields = reader.fields(node)?;
    let side = member(reader, &mut fields, "jury", |reader, node| {
        let mut fields = reader.fields(node)?;
        let side =
            member(reader, &mut fields, "side", |reader, node| json::token(reader, node, Side::ALL, Side::token));
        fields.end(reader, Unknown::Allow).then_some(side)
    });
    fields.end(reader, Unknown::Allow).then_some(side.flatten())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(bases: &[(&'static str, &'static str, Option<&'static str>)]) -> UriResolver<'static> {
        let declared: BTreeMap<&str, Artifact<'_>> = bases
            .iter()
            .map(|(id, uri, base)| (*id, Artifact { uri: Some((uri, Span::at(0))), base: *base, index: None }))
            .collect();
        UriResolver::with_bases(&declared)
    }

    fn path(tree: &UriResolver<'_>, uri: &str, base: Option<&str>) -> Option<String> {
        tree.path(uri, base).ok().map(|path| path.map_or(".".to_owned(), |path| path.to_string()))
    }

    #[test]
    fn relative_uris_are_paths() {
        let tree = tree(&[
            ("SRC", "src/", Some("REPO")),
            ("REPO", "file:///C:/repo/", None),
            ("A", "a/", Some("B")),
            ("B", "b/", Some("A")),
        ]);
        for (uri, base, expected) in [
            ("src/a.c", None, Some("src/a.c")),
            ("src/a%20b%C3%A9.c", Some("%SRCROOT%"), Some("src/a bé.c")),
            ("a.c", Some("SRC"), Some("src/a.c")),
            ("a.c", Some("REPO"), Some("a.c")),
            ("./x/./a.c", None, Some("x/a.c")),
            ("./", None, Some(".")),
            ("x", Some("A"), None),
            ("", None, None),
            ("../a.c", None, None),
            ("a/%2e%2e/b", None, None),
            ("../a.c", Some("SRC"), None),
            ("a%2", None, None),
            ("a%FF", None, None),
            ("a%00", None, None),
            ("a.c#L3", None, None),
            ("a?b", None, None),
            ("a\\b", None, None),
            ("a//b", None, None),
        ] {
            assert_eq!(path(&tree, uri, base).as_deref(), expected, "{uri} {base:?}");
        }
        assert_eq!(path(&tree, &"%61".repeat(5000), None), None);
    }

    #[test]
    fn absolute_uris_count_only_below_the_source_root() {
        let declared = tree(&[("%SRCROOT%", "file:///C:/my%20repo/", None), ("LOGS", "file:///logs/", None)]);
        for (uri, expected) in [
            ("file:///c:/my%20repo/src/a.c", Some("src/a.c")),
            ("file:/C:/my%20repo/a.c", Some("a.c")),
            ("FILE://localhost/C:/my%20repo/a.c", Some("a.c")),
            ("file:///C:/my%20repo/../etc/passwd", None),
            ("file:///C:/my%20repo2/a.c", None),
            ("file:///etc/passwd", None),
            ("file:///logs/x", None),
            ("/etc/passwd", None),
            ("//host/x", None),
            ("https://example.com/a.c", None),
            ("C:/my repo/a.c", None),
            ("C:\\my repo\\a.c", None),
        ] {
            assert_eq!(path(&declared, uri, None).as_deref(), expected, "{uri}");
        }
        for root in ["file:///", "file:///C:/", "/"] {
            let declared = tree(&[("SRCROOT", root, None)]);
            assert_eq!(path(&declared, "file:///etc/passwd", None), None, "{root}");
            assert_eq!(path(&declared, "file:///C:/x", None), None, "{root}");
        }
        let nested = tree(&[("SRCROOT", "src/", Some("TOP")), ("TOP", "https://host/repo", None)]);
        assert_eq!(path(&nested, "https://host/repo/src/a.c", None).as_deref(), Some("src/a.c"));
    }
}
