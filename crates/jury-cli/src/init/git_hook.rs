//! Git's own hooks: their content, and how an existing one is kept. Pure.
//!
//! A hook that cannot find `jury` stops git, for a gate that is not there must not let through.

use std::path::PathBuf;

use jury::store::Spot;

/// The hooks that Jury has something to say in.
pub(crate) const HOOKS: [&str; 2] = ["pre-commit", "pre-push"];
/// The suffix of the name of a kept hook.
pub(crate) const KEPT: &str = ".before-jury";
/// The line by which a hook of ours is recognised.
const OURS: &str = "# Installed by `jury init`; `jury init --remove` takes it away.";

/// Where git looks for hooks in this worktree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum HookPlace {
    /// Git was not asked, or did not say.
    #[default]
    Unknown,
    /// A folder that belongs to this repository alone.
    Own(PathBuf),
    /// A folder in which nothing of ours is to be written, and why.
    Foreign(PathBuf, &'static str),
}

/// Returns the place of a hook.
pub(crate) fn spot(name: &str) -> Spot {
    Spot::Hook(name.to_owned())
}

/// Returns the path of the earlier hook.
pub(crate) fn kept(name: &str) -> Spot {
    Spot::Hook(format!("{name}{KEPT}"))
}

/// Tells whether a hook is ours.
pub(crate) fn is_ours(text: &str) -> bool {
    text.lines().any(|line| line == OURS)
}

/// Returns the hook; an earlier hook runs first, with the same input.
pub(crate) fn script(name: &str, has_before: bool) -> String {
    let missing = "if ! command -v jury >/dev/null 2>&1; then\n  echo \"jury is not on the PATH, so this cannot be checked\" >&2\n  exit 1\nfi\n";
    if !has_before {
        return format!("#!/bin/sh\n{OURS}\n{missing}exec jury hook git {name} \"$@\"\n");
    }
    format!(
        "#!/bin/sh\n{OURS}\n# The previous hook is {name}{KEPT}. It runs first.\n{missing}\
         input=$(mktemp) || exit 1\ntrap 'rm -f \"$input\"' EXIT\ncat >\"$input\"\n\
         \"$(dirname \"$0\")/{name}{KEPT}\" \"$@\" <\"$input\" || exit $?\n\
         jury hook git {name} \"$@\" <\"$input\"\n"
    )
}

/// Returns the line that a person adds to a hook of another manager.
pub(crate) fn line(name: &str) -> String {
    format!("jury hook git {name} \"$@\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_of_ours_is_recognised() {
        for name in HOOKS {
            assert!(is_ours(&script(name, false)) && is_ours(&script(name, true)));
            assert!(script(name, true).contains(&format!("{name}.before-jury\" \"$@\" <")));
        }
        assert!(!is_ours("#!/bin/sh\njury hook git pre-push \"$@\"\n"));
    }
}
