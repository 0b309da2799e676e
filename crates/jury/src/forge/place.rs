//! The environment of CI and the options of a command in; which pull request of which forge out, and with which token.
//!
//! The environment is handed in. Deliberately not here: which variables each CI sets (one row per forge).

use serde_json::Value;

use super::{FORGES, Row};

/// A variable by its name.
pub(super) struct Environment<'e> {
    read: &'e dyn Fn(&str) -> Option<String>,
    /// The event that the job runs for.
    pub(super) event: Value,
}

/// What the environment of a CI says.
#[derive(Default)]
pub(super) struct Found {
    pub(super) url: Option<String>,
    pub(super) repo: Option<String>,
    pub(super) number: Option<u64>,
    pub(super) run_link: Option<String>,
}

/// What the user names, over what the environment says.
#[derive(Clone, Debug, Default)]
pub struct Named {
    /// The kind of forge.
    pub forge: Option<String>,
    /// The address of the server, or of its interface.
    pub url: Option<String>,
    /// The repository.
    pub repo: Option<String>,
    /// The number of the pull request.
    pub number: Option<u64>,
}

/// A pull request of a forge.
#[derive(Clone)]
pub struct Place {
    /// The kind of forge.
    pub forge: &'static str,
    /// The address of its interface.
    pub url: String,
    /// The repository.
    pub repo: String,
    /// The number of the pull request.
    pub number: u64,
    /// The run of CI.
    pub run_link: Option<String>,
    /// The token.
    pub(super) token: String,
}

/// Why there is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// No forge is named, and this is no CI of one.
    #[error("no forge found in the environment; set `--forge`, one of {0}")]
    NoForge(String),
    /// There is no forge of that name.
    #[error("unknown forge `{0}`; use one of {1}")]
    UnknownForge(String, String),
    /// Something is not said.
    #[error("no {what} found in the environment; set `{option}`")]
    Missing {
        /// What.
        what: &'static str,
        /// The option that says it.
        option: &'static str,
    },
    /// There is no token.
    #[error("no token; set JURY_FORGE_TOKEN, or one of {0}")]
    NoToken(String),
    /// The address would send the token in the clear.
    #[error("`{0}` is not https; only this machine is spoken with in the clear")]
    InTheClear(String),
}

impl Environment<'_> {
    pub(super) fn get(&self, name: &str) -> Option<String> {
        (self.read)(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }

    pub(super) fn is_set(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value != "false" && value != "0")
    }

    /// Returns the number in a ref of a pull request, or of a merge queue, as GitHub and those like it name them.
    pub(super) fn number_of_ref(&self) -> Option<u64> {
        let name = self.get("GITHUB_REF")?;
        if let Some(rest) = name.strip_prefix("refs/pull/") {
            return rest.split('/').next()?.parse().ok();
        }
        let queued = name.strip_prefix("refs/heads/gh-readonly-queue/")?;
        queued.rsplit('/').next()?.strip_prefix("pr-")?.split('-').next()?.parse().ok()
    }

    /// Returns the number in the event.
    pub(super) fn number_of_event(&self) -> Option<u64> {
        ["/pull_request/number", "/issue/number"].iter().find_map(|pointer| self.event.pointer(pointer)?.as_u64())
    }
}

/// Finds the pull request. `read` returns variables, `event` is the text of the event's file, if there is one.
pub fn find(named: &Named, read: &dyn Fn(&str) -> Option<String>, event: Option<&str>) -> Result<Place, PlaceError> {
    let event = event.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let environment = Environment { read, event };
    let all = || FORGES.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
    let detected = |row: &'static Row| Some((row, (row.detect)(&environment)?));
    let (row, found) = match &named.forge {
        Some(name) => {
            let row = FORGES.iter().find(|row| row.name == name);
            let row = row.ok_or_else(|| PlaceError::UnknownForge(name.clone(), all()))?;
            (row, (row.detect)(&environment).unwrap_or_default())
        }
        None => FORGES.iter().find_map(detected).ok_or_else(|| PlaceError::NoForge(all()))?,
    };
    let missing = |what, option| PlaceError::Missing { what, option };
    let url = named.url.as_deref().map(|url| api(row, url)).or(found.url).or(row.public.map(str::to_owned));
    let url = url.ok_or_else(|| missing("address of the forge", "--url"))?;
    if !url.starts_with("https://") && !is_loopback(&url) {
        return Err(PlaceError::InTheClear(url));
    }
    let repo = named.repo.clone().or(found.repo).ok_or_else(|| missing("repository", "--repo"))?;
    let number = named.number.or(found.number).ok_or_else(|| missing("pull request", "--pr"))?;
    let tokens = std::iter::once(&"JURY_FORGE_TOKEN").chain(row.tokens);
    let token = tokens.clone().find_map(|name| environment.get(name));
    let token = token.ok_or_else(|| PlaceError::NoToken(row.tokens.join(", ")))?;
    Ok(Place { forge: row.name, url, repo, number, run_link: found.run_link, token })
}

/// Returns the address of the interface for that of a server.
fn api(row: &Row, url: &str) -> String {
    let url = url.trim_end_matches('/');
    match row.public {
        _ if url.contains("/api/") || url.starts_with("https://api.") => url.to_owned(),
        Some(public) if public.strip_prefix("https://api.") == url.strip_prefix("https://") => public.to_owned(),
        _ => format!("{url}{}", row.api),
    }
}

fn is_loopback(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("http://") else { return false };
    let host = rest.split('/').next().unwrap_or_default();
    let host = host.strip_prefix('[').map_or_else(|| host.split(':').next(), |rest| rest.split(']').next());
    matches!(host, Some("localhost" | "127.0.0.1" | "::1"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn found(variables: &[(&str, &str)], named: &Named, event: Option<&str>) -> Result<String, String> {
        let variables: BTreeMap<&str, &str> = variables.iter().copied().collect();
        let read = |name: &str| variables.get(name).map(|value| (*value).to_owned());
        let said = |it: Place| format!("{} {} {} {} {}", it.forge, it.url, it.repo, it.number, it.token);
        find(named, &read, event).map(said).map_err(|error| error.to_string())
    }

    #[test]
    fn the_environment_of_each_ci_names_the_pull_request() {
        let github = [
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_API_URL", "https://ghe.example/api/v3"),
            ("GITHUB_REPOSITORY", "o/r"),
            ("GITHUB_REF", "refs/pull/7/merge"),
            ("GITHUB_TOKEN", "t"),
        ];
        let none = Named::default();
        assert_eq!(found(&github, &none, None).unwrap(), "github https://ghe.example/api/v3 o/r 7 t");
        let queue = [github[0], github[2], github[4], ("GITHUB_REF", "refs/heads/gh-readonly-queue/main/pr-12-abcdef")];
        assert_eq!(found(&queue, &none, None).unwrap(), "github https://api.github.com o/r 12 t");
        let comment = [github[0], github[2], github[4], ("GITHUB_REF", "refs/heads/main")];
        assert_eq!(
            found(&comment, &none, Some("{\"issue\": {\"number\": 9}}")).unwrap(),
            "github https://api.github.com o/r 9 t"
        );
        assert_eq!(found(&comment, &none, None).unwrap_err(), "no pull request found in the environment; set `--pr`");
        let mut gitea = github.to_vec();
        gitea.extend([
            ("GITEA_ACTIONS", "true"),
            ("GITHUB_API_URL", "https://git.example/api/v1"),
            ("JURY_FORGE_TOKEN", "own"),
        ]);
        assert_eq!(found(&gitea, &none, None).unwrap(), "gitea https://git.example/api/v1 o/r 7 own");
        let forgejo =
            [github[0], github[2], github[3], github[4], ("GITHUB_API_URL", "https://codeberg.example/api/v1")];
        assert_eq!(found(&forgejo, &none, None).unwrap(), "gitea https://codeberg.example/api/v1 o/r 7 t");
        let gitlab = [
            ("GITLAB_CI", "true"),
            ("CI_API_V4_URL", "https://gl.example/api/v4"),
            ("CI_PROJECT_ID", "42"),
            ("CI_MERGE_REQUEST_IID", "3"),
            ("GITLAB_TOKEN", "t"),
        ];
        assert_eq!(found(&gitlab, &none, None).unwrap(), "gitlab https://gl.example/api/v4 42 3 t");
        assert!(found(&gitlab[..4], &none, None).unwrap_err().contains("no token"));
        assert!(found(&[], &none, None).unwrap_err().contains("--forge"));
    }

    #[test]
    fn what_is_named_wins_and_no_token_goes_in_the_clear() {
        let token = [("JURY_FORGE_TOKEN", "t")];
        let named = |forge: &str, url: Option<&str>| Named {
            forge: Some(forge.to_owned()),
            url: url.map(str::to_owned),
            repo: Some("o/r".to_owned()),
            number: Some(1),
        };
        for (forge, url, expected) in [
            ("github", None, "https://api.github.com"),
            ("github", Some("https://github.com/"), "https://api.github.com"),
            ("github", Some("https://ghe.example"), "https://ghe.example/api/v3"),
            ("gitlab", Some("https://gitlab.com"), "https://gitlab.com/api/v4"),
            ("gitlab", None, "https://gitlab.com/api/v4"),
            ("gitea", Some("https://git.example/sub"), "https://git.example/sub/api/v1"),
            ("gitea", Some("http://127.0.0.1:3000"), "http://127.0.0.1:3000/api/v1"),
        ] {
            assert_eq!(found(&token, &named(forge, url), None).unwrap(), format!("{forge} {expected} o/r 1 t"));
        }
        for url in ["http://git.example", "http://127.0.0.1.example", "ftp://x"] {
            assert!(found(&token, &named("gitea", Some(url)), None).is_err(), "{url}");
        }
        assert!(found(&token, &named("gitea", None), None).unwrap_err().contains("--url"));
        assert!(found(&token, &named("bitbucket", None), None).unwrap_err().contains("unknown forge"));
    }
}
