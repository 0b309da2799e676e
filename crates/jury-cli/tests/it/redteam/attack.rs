//! The form of an attack. In: the text of `tests/redteam/<row>/<name>.txt`. Out: its remark, its reasons and its sections.
//!
//! ```text
//! # What the attack does.
//! planted: TITLE          the finding of the planted defect; `none` if the attack is no code
//! closes: finding TITLE | domain NAME | condition NAME | says TEXT     one of these holds; further lines are required as well
//! exit: 4                 optional; otherwise 1, 3, 4, 5 or 6
//!
//! === base                files and commands before the change
//! --- src/one.ts
//! export const one = 1;
//! === attack
//! $ git mv src/one.ts src/two.ts
//! ```

/// One attack, with its honest twin.
#[derive(Debug, Default)]
pub(super) struct Attack {
    /// The title of the planted finding, if the attack plants code.
    pub(super) planted: Option<String>,
    /// The reasons for which the gate has to be closed: one of each line.
    pub(super) closes: Vec<Vec<Reason>>,
    /// The exit code, if only one will do.
    pub(super) exit: Option<i32>,
    sections: Vec<(String, Vec<Step>)>,
}

/// A reason for which a gate is closed.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Reason {
    /// A blocking finding whose title has these words.
    Finding(String),
    /// A blocking finding of this domain.
    Domain(String),
    /// This condition of the gate does not hold.
    Condition(String),
    /// A command printed this.
    Says(String),
}

/// A step of a section.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    /// Writes a file.
    File(String, String),
    /// Runs a command.
    Command(String),
}

/// The sections that an attack can have.
const SECTIONS: &[&str] = &["base", "attack", "each", "plain", "control", "honest", "gate"];

impl Attack {
    /// Reads an attack.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut attack = Self::default();
        let mut has_planted = false;
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("=== ") {
                if !SECTIONS.contains(&name) || attack.section(name).is_some() {
                    return Err(format!("unknown or repeated section: {line}"));
                }
                attack.sections.push((name.to_owned(), Vec::new()));
            } else if let Some((_, steps)) = attack.sections.last_mut() {
                step(steps, line)?;
            } else if let Some(title) = line.strip_prefix("planted: ") {
                attack.planted = (title != "none").then(|| title.to_owned());
                has_planted = true;
            } else if let Some(reasons) = line.strip_prefix("closes: ") {
                attack.closes.push(reasons.split(" | ").map(Reason::read).collect::<Result<_, _>>()?);
            } else if let Some(code) = line.strip_prefix("exit: ") {
                attack.exit = Some(code.parse().map_err(|error| format!("{line}: {error}"))?);
            } else if !(line.is_empty() || line.starts_with('#')) {
                return Err(format!("unknown line: {line}"));
            }
        }
        let is_attack = attack.section("attack").is_some() || attack.section("each").is_some();
        if is_attack && (!has_planted || attack.closes.is_empty()) {
            return Err("an attack needs `planted: …` and `closes: …`".to_owned());
        }
        if attack.section("honest").is_none() {
            return Err("it has no honest twin".to_owned());
        }
        Ok(attack)
    }

    /// Returns the steps of a section.
    pub(super) fn section(&self, name: &str) -> Option<&[Step]> {
        self.sections.iter().find(|(known, _)| known == name).map(|(_, steps)| &**steps)
    }

    /// Returns the number of attacks in it.
    pub(super) fn count(&self) -> usize {
        self.section("each").map_or(0, <[Step]>::len) + usize::from(self.section("attack").is_some())
    }
}

impl Reason {
    fn read(text: &str) -> Result<Self, String> {
        let (kind, words) = text.split_once(' ').ok_or_else(|| format!("no reason: {text}"))?;
        let words = words.to_owned();
        match kind {
            "finding" => Ok(Self::Finding(words)),
            "domain" => Ok(Self::Domain(words)),
            "condition" => Ok(Self::Condition(words)),
            "says" => Ok(Self::Says(words)),
            _ => Err(format!("unknown reason: {text}")),
        }
    }
}

/// Adds a line to the steps of a section. A `\` at the start of a line of a file is taken off.
fn step(steps: &mut Vec<Step>, line: &str) -> Result<(), String> {
    if let Some(path) = line.strip_prefix("--- ") {
        steps.push(Step::File(path.to_owned(), String::new()));
    } else if let Some(command) = line.strip_prefix("$ ") {
        steps.push(Step::Command(command.to_owned()));
    } else if let Some(Step::File(_, content)) = steps.last_mut() {
        content.push_str(line.strip_prefix('\\').unwrap_or(line));
        content.push('\n');
    } else if !line.is_empty() {
        return Err(format!("neither a file nor a command: {line}"));
    }
    Ok(())
}
