//! The resources: the verdict file, the report, and each finding.

use jury::flows::report;
use rmcp::model::{Resource, ResourceTemplate};

use crate::error::Error;
use crate::workplace::WorkingDir;
use crate::{ask, render};

const LATEST: &str = "review://latest";
const REPORT: &str = "review://report";
const FINDING: &str = "review://finding/";
const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";

/// The input.
pub(super) struct Read {
    pub(super) text: String,
    pub(super) mime_type: &'static str,
}

/// Lists the fixed resources.
pub(super) fn listed() -> Vec<Resource> {
    vec![
        Resource::new(LATEST, "latest")
            .with_title("The verdict file")
            .with_description("The latest review with its findings: .code-review/review-latest.json.")
            .with_mime_type(JSON),
        Resource::new(REPORT, "report")
            .with_title("The report")
            .with_description("The report of the last full review, for people.")
            .with_mime_type(MARKDOWN),
    ]
}

/// Lists the resource templates.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{FINDING}{{id}}"), "finding")
            .with_title("A finding")
            .with_description("One finding of the latest review with its code and its history.")
            .with_mime_type(JSON),
    ]
}

/// Reads one; `None` if the address is none of ours.
pub(super) fn read(place: &WorkingDir, uri: &str) -> Result<Option<Read>, Error> {
    let json = |text| Some(Read { text, mime_type: JSON });
    Ok(match (uri, uri.strip_prefix(FINDING)) {
        (LATEST, _) => {
            let latest = place.open()?.store.state()?.latest.ok_or(Error::NoReview)?;
            json(render::pretty(&latest.file))
        }
        (REPORT, _) => Some(Read { text: report(place)?, mime_type: MARKDOWN }),
        (_, Some(id)) => json(render::pretty(&ask::finding(&place.open()?, id)?.0)),
        _ => None,
    })
}

fn report(place: &WorkingDir) -> Result<String, Error> {
    let workplace = place.open()?;
    // The file need not be there: teams can have it written on request.
    Ok(report::report(&workplace.store)?.ok_or(Error::NoFullReview)?.text)
}
