//! The configuration that counts: settings in; a table for people, and the same for programs, out.

use jury::config::POLICY_FILE;
use jury::config::effective::{Origin, Setting};
use jury_wire::v1::config as wire;

use super::style::{FAINT, STRONG};
use super::{inert, painted, table};

/// Says the configuration for programs.
pub(crate) fn wire_config(
    base: &str,
    settings: Vec<Setting>,
    has_file: bool,
    working_tree: Option<String>,
) -> wire::Effective {
    let setting = |Setting { key, value, origin }| {
        let (from, line, ready) = match origin {
            Origin::Default => ("default", None, None),
            Origin::Line(line) => ("file", Some(line), None),
            Origin::Ready(name) => ("ready-made", None, Some(name)),
        };
        let value = serde_json::to_value(value).expect("every TOML value is a JSON value");
        wire::Setting { key, value, from: from.to_owned(), line, ready }
    };
    wire::Effective {
        base: base.to_owned(),
        has_file,
        settings: settings.into_iter().map(setting).collect(),
        working_tree,
    }
}

/// Shows the configuration.
pub(crate) fn config(effective: &wire::Effective) -> String {
    let base = inert::line(&effective.base);
    let mut text = match effective.has_file {
        true => format!("{} of {base}\n\n", painted(STRONG, POLICY_FILE)),
        false => format!("{base} has no {POLICY_FILE}, so the defaults apply\n\n"),
    };
    let origin = |setting: &wire::Setting| match (&setting.line, &setting.ready) {
        (Some(line), _) => format!("line {line}"),
        (None, Some(name)) => format!("preset {}", inert::line(name)),
        (None, None) => "default".to_owned(),
    };
    let rows: Vec<[String; 3]> = effective
        .settings
        .iter()
        .map(|setting| [inert::line(&setting.key), inert::line(&setting.value.to_string()), origin(setting)])
        .collect();
    // Commands are long: their source comes first.
    let rows = rows.iter().map(|[key, value, origin]| [key.as_str(), origin.as_str(), value.as_str()]);
    text.push_str(&table(["SETTING", "FROM", "VALUE"], rows));
    if let Some(what) = &effective.working_tree {
        text.push_str(&format!("\n{} {}\n", painted(FAINT, "jury.toml of the working tree:"), inert::line(what)));
    }
    text
}
