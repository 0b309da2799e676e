//! Which commands and actions check something, and whether one checks less than another. In: commands. Out: yes or no, and what is weaker.
//!
//! Whatever fails a job is a check, unless it is known to be none: what installs, configures, publishes or prints. So a program that nobody here knows
//! is a check. Deliberately not here: how jobs are compared (`compare`).

use super::commands::Command;

/// Programs that check nothing, and their commands if some of them do.
const NO_CHECKS: &[(&[&str], &[&str])] = &[
    (
        &[
            "echo",
            "printf",
            "true",
            ":",
            "cd",
            "ls",
            "cat",
            "pwd",
            "export",
            "source",
            ".",
            "set",
            "unset",
            "mkdir",
            "cp",
            "mv",
            "rm",
            "ln",
            "touch",
            "chmod",
            "chown",
            "tar",
            "unzip",
            "zip",
            "curl",
            "wget",
            "sleep",
            "date",
            "which",
            "type",
            "sed",
            "awk",
            "tr",
            "cut",
            "sort",
            "head",
            "tail",
            "tee",
            "jq",
            "yq",
            "xargs",
            "env",
            "printenv",
            "uname",
            "nproc",
            "df",
            "free",
            "whoami",
            "id",
            "hostname",
            "exit",
            "pushd",
            "popd",
            "shift",
            "local",
            "trap",
            "read",
            "gh",
            "hub",
            "apt",
            "apt-get",
            "apk",
            "brew",
            "choco",
            "yum",
            "dnf",
            "pacman",
            "scoop",
            "winget",
            "dpkg",
            "add-apt-repository",
            "update-alternatives",
            "pipx",
            "conda",
            "mamba",
            "micromamba",
            "virtualenv",
            "venv",
            "corepack",
            "nvm",
            "rustup",
            "rvm",
            "rbenv",
            "pyenv",
            "twine",
            "aws",
            "gcloud",
            "gsutil",
            "az",
            "netlify",
            "vercel",
            "firebase",
            "wrangler",
            "surge",
            "mike",
            "codecov",
            "coveralls",
            "sccache",
            "ccache",
            "kill",
            "service",
            "systemctl",
            "launchctl",
            "createdb",
            "locale-gen",
            "ldconfig",
            "sysctl",
            "ulimit",
            "ssh",
            "ssh-keyscan",
            "ssh-add",
            "ssh-agent",
            "scp",
            "rsync",
            "gpg",
            "semantic-release",
            "changeset",
            "changesets",
            "goreleaser",
            "cross-env",
            "dotenv",
            "fpm",
            "strip",
            "sha256sum",
            "shasum",
            "base64",
            "wait",
            "Write-Host",
            "husky",
            "is-ci",
            "defaults",
            "security",
            "xcode-select",
            "sdkmanager",
            "minikube",
            "kind",
            "eval",
            "alias",
        ],
        &[],
    ),
    (
        &["git"],
        &[
            "config",
            "fetch",
            "checkout",
            "clone",
            "add",
            "commit",
            "push",
            "tag",
            "submodule",
            "log",
            "rev-parse",
            "describe",
            "switch",
            "pull",
            "lfs",
            "remote",
            "branch",
            "reset",
            "stash",
            "init",
            "show",
            "worktree",
            "ls-files",
            "merge-base",
        ],
    ),
    (&["pip", "pip3"], &["install", "download", "list", "freeze", "uninstall", "wheel", "cache", "config", "debug"]),
    (&["uv"], &["sync", "pip", "venv", "python", "tool", "publish", "cache", "add", "self", "export"]),
    (&["poetry"], &["install", "config", "publish", "add", "self", "env", "export", "show", "update"]),
    (&["pdm"], &["install", "sync", "config", "publish", "use"]),
    (&["hatch"], &["publish", "env", "config"]),
    (&["flit"], &["install", "publish"]),
    (
        &["npm", "pnpm", "yarn", "bun"],
        &[
            "ci", "install", "i", "publish", "config", "version", "whoami", "set", "add", "link", "cache", "store",
            "update",
        ],
    ),
    (&["lerna", "nx"], &["publish", "bootstrap", "version", "release"]),
    (&["gem"], &["install", "push", "update", "list"]),
    (&["bundle"], &["install", "config", "update", "lock"]),
    (&["cargo"], &["install", "publish", "login", "fetch", "generate-lockfile", "binstall", "update", "release"]),
    (&["go"], &["install", "get", "env", "version", "clean"]),
    (
        &["docker", "podman"],
        &["login", "push", "pull", "tag", "images", "ps", "network", "volume", "logs", "stop", "rm", "cp"],
    ),
    (&["docker-compose"], &["up", "down", "pull", "logs", "stop", "ps"]),
    (&["composer"], &["install", "update", "config", "require", "self-update"]),
    (&["mkdocs"], &["gh-deploy"]),
    (&["terraform"], &["init", "apply", "output", "workspace"]),
    (&["helm"], &["repo", "push", "package", "dependency", "upgrade", "install"]),
    (&["kubectl"], &["apply", "config", "get", "describe", "logs", "delete", "create"]),
    (&["script"], &["deploy", "release", "publish", "start", "prepare", "semantic-release", "changelog"]),
    (&["make", "just", "task", "rake"], &["deploy", "release", "publish", "install", "clean", "deps", "setup"]),
];
/// Programs whose first word says what they do.
const OF_COMMANDS: &[&str] = &[
    "ant",
    "bazel",
    "bazelisk",
    "black",
    "bun",
    "bundle",
    "cargo",
    "composer",
    "dart",
    "deno",
    "docker",
    "docker-compose",
    "dotnet",
    "flutter",
    "git",
    "gmake",
    "go",
    "gradle",
    "gradlew",
    "hatch",
    "helm",
    "just",
    "kubectl",
    "lerna",
    "make",
    "mix",
    "mvn",
    "mvnw",
    "npm",
    "nx",
    "pdm",
    "pip",
    "pip3",
    "pnpm",
    "podman",
    "poetry",
    "pre-commit",
    "rake",
    "ruff",
    "sbt",
    "script",
    "swift",
    "task",
    "terraform",
    "turbo",
    "uv",
    "yarn",
    "zig",
    "bash",
    "sh",
    "zsh",
    "python",
    "python3",
    "node",
    "ruby",
    "php",
    "perl",
    "pwsh",
];
/// Parts of the name of an action that checks nothing.
const NO_CHECK_ACTIONS: &[&str] = &[
    "setup",
    "install",
    "cache",
    "checkout",
    "upload",
    "download",
    "login",
    "publish",
    "release",
    "deploy",
    "pages",
    "stale",
    "label",
    "toolchain",
    "create-",
    "cleanup",
    "comment",
    "notify",
    "slack",
    "lock-threads",
    "metadata",
    "qemu",
    "buildx",
    "-push-",
    "credentials",
    "free-disk-space",
    "changed-files",
    "paths-filter",
    "app-token",
    "get-",
    "ssh-agent",
    "auth",
    "version",
    "alls-green",
    "changesets",
    "sponsors",
    "all-contributors",
    "codecov",
    "coveralls",
];
/// Options that leave something out of a check, or out of its result, by the program; a star stands for every program.
const LOOSE: &[(&str, &[&str])] = &[
    (
        "*",
        &[
            "--exit-zero",
            "--no-verify",
            "--no-fail",
            "--soft-fail",
            "--passwithnotests",
            "--pass-with-no-tests",
            "--no-error",
            "--exit-code=0",
            "--if-present",
            "--dry-run",
            "--collect-only",
            "--co",
            "--list",
            "--no-run",
            "--help",
            "--version",
            "--fix",
            "--onlychanged",
            "--changed",
            "--lastcommit",
            "--findrelatedtests",
            "--cap-lints",
            "--update-snapshots",
            "--updatesnapshot",
            "--no-strict",
            "--no-check",
            "--write",
        ],
    ),
    ("pytest", &["-k", "-m", "--lf", "--last-failed", "--sw", "--maxfail=0"]),
    ("go", &["-run", "-short", "-skip", "-list"]),
    ("cargo", &["--lib", "--bins", "--bin", "--test", "--examples", "--example", "-p", "--package", "-A"]),
    ("cargo-nextest", &["-E", "--lib", "-p"]),
    ("make", &["-n", "-i", "-q"]),
    ("gmake", &["-n", "-i", "-q"]),
    ("gradle", &["-x", "-m"]),
    ("gradlew", &["-x", "-m"]),
    ("mvn", &["-DskipTests", "-Dmaven.test.skip", "-Dmaven.test.skip=true", "-DskipITs", "-fn"]),
    ("mvnw", &["-DskipTests", "-Dmaven.test.skip", "-Dmaven.test.skip=true", "-DskipITs", "-fn"]),
    ("jest", &["-t", "--testnamepattern", "--testpathpattern", "-u"]),
    ("vitest", &["-t", "--testnamepattern", "-u"]),
    ("mocha", &["-g", "--grep", "-f", "--fgrep", "-i"]),
    ("ava", &["-m", "--match"]),
    ("eslint", &["--quiet", "--no-inline-config", "--rule"]),
    ("rspec", &["-e", "-t", "--tag", "--example"]),
    ("rubocop", &["-a", "-A", "--only"]),
    ("dotnet", &["--filter", "--no-test"]),
    ("phpunit", &["--filter", "--group", "--testsuite"]),
];
/// Options that make a check stricter or wider: without them it checks less.
const STRICT: &[&str] = &[
    "--strict",
    "--all",
    "--workspace",
    "--all-features",
    "--all-targets",
    "-D",
    "--deny",
    "-Werror",
    "--check",
    "--cov-fail-under",
    "--fail-under",
    "-race",
    "--race",
    "--max-warnings",
    "--exit-code",
    "--error",
    "--error-on",
    "--fail-on",
    "--warnings-as-errors",
    "--tests",
    "--doc",
    "-W",
    "--forbid-only",
    "--locked",
    "--diff",
    "--failOnWarning",
];
/// Options whose number is a least value, and those whose number is a largest one.
const FLOORS: &[&str] = &["--cov-fail-under", "--fail-under", "--min-coverage"];
const CEILINGS: &[&str] = &["--max-warnings", "--max-complexity", "--tolerance"];

impl Command {
    /// Names what it does: the program, and its command if it has some.
    pub(in super::super) fn key(&self) -> String {
        match self.words.iter().find(|word| !word.starts_with(['-', '+'])) {
            Some(word) if OF_COMMANDS.contains(&self.program.as_str()) => format!("{} {word}", self.program),
            _ => self.program.clone(),
        }
    }

    /// Writes it.
    pub(in super::super) fn said(&self) -> String {
        std::iter::once(self.program.as_str())
            .chain(self.words.iter().map(String::as_str))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Tells whether it can find something wrong.
    pub(in super::super) fn is_check(&self) -> bool {
        let sub = self.words.iter().find(|word| !word.starts_with(['-', '+'])).map(String::as_str);
        let asks = ["--version", "-V", "-v", "version", "--help"];
        if self.words.len() == 1 && asks.contains(&self.words[0].as_str()) {
            return false;
        }
        let is_known = NO_CHECKS.iter().any(|(programs, commands)| {
            programs.contains(&self.program.as_str())
                && (commands.is_empty() || sub.is_none_or(|sub| commands.contains(&sub)))
                // `make` alone builds all; `git` and `npm` alone do nothing.
                && !(sub.is_none() && ["make", "just", "task", "rake"].contains(&self.program.as_str()))
        });
        let downloads = self.program == "go" && self.words.starts_with(&["mod".to_owned(), "download".to_owned()]);
        !is_known && !downloads && !self.program.starts_with("$")
    }

    /// Tells whether it is Jury.
    pub(in super::super) fn is_jury(&self) -> bool {
        self.program == "jury" || self.words.iter().any(|word| word == "jury" || word == "jury-cli")
    }
}

/// Tells whether an action can find something wrong, by the name of its repository.
pub(in super::super) fn is_check_action(key: &str) -> bool {
    let name = key.rsplit('/').next().unwrap_or_default();
    let is_in_github = key.starts_with("actions/") && !key.contains("dependency-review");
    !is_in_github && !NO_CHECK_ACTIONS.iter().any(|part| name.contains(part))
}

/// Says what a command checks less than another of the same key; `is_there` tells whether the tree has a path.
pub(in super::super) fn weaker(was: &Command, is: &Command, is_there: &dyn Fn(&str) -> bool) -> Option<String> {
    let option = |word: &str| word.split('=').next().unwrap_or_default().to_owned();
    let had = |word: &str| was.words.iter().any(|old| old == word || option(old) == option(word));
    for word in is.words.iter().filter(|word| word.starts_with('-') && !had(word)) {
        if is_loose(&is.program, word) {
            return Some(format!("with `{word}`"));
        }
    }
    let strict = |word: &&String| {
        STRICT.contains(&word.as_str()) || (STRICT.contains(&option(word).as_str()) && word.starts_with("--"))
    };
    let has = |word: &str| is.words.iter().any(|new| option(new) == option(word));
    if let Some(word) = was.words.iter().filter(strict).find(|word| !has(word)) {
        return Some(format!("without `{word}`"));
    }
    for (name, is_worse) in FLOORS.iter().map(|name| (name, true)).chain(CEILINGS.iter().map(|name| (name, false))) {
        if let (Some(old), Some(new)) = (number(&was.words, name), number(&is.words, name))
            && ((is_worse && new < old) || (!is_worse && new > old))
        {
            return Some(format!("with `{name}` {new} instead of {old}"));
        }
    }
    let paths = |words: &[String]| -> Vec<String> {
        let plain = words.iter().filter(|word| !word.starts_with('-'));
        plain
            .map(|word| word.trim_start_matches("./").trim_end_matches('/').to_owned())
            .filter(|word| is_there(word))
            .collect()
    };
    let (old, new) = (paths(&was.words), paths(&is.words));
    let is_below = |path: &str, root: &String| {
        root.is_empty()
            || root == "."
            || path == root
            || path.strip_prefix(root.as_str()).is_some_and(|rest| rest.starts_with('/'))
    };
    if let Some(lost) = old.iter().find(|path| !new.is_empty() && !new.iter().any(|root| is_below(path, root))) {
        return Some(format!("without `{lost}`"));
    }
    let narrows = old.is_empty() && !new.is_empty() && !new.iter().any(|path| path.is_empty() || path == ".");
    // Another script of the repository is another program.
    (narrows && !OF_COMMANDS.contains(&is.program.as_str())).then(|| format!("only on `{}`", new.join(" ")))
}

/// Tells whether an option leaves something out.
pub(in super::super) fn is_loose(program: &str, word: &str) -> bool {
    let option = word.split('=').next().unwrap_or_default();
    let lower = option.to_lowercase();
    let is_listed = LOOSE.iter().any(|(of, options)| {
        let is_it = |known: &&str| *known == word || *known == option || (known.starts_with("--") && *known == lower);
        (*of == "*" || *of == program) && options.iter().any(is_it)
    });
    let long = lower.strip_prefix("--").or_else(|| lower.strip_prefix('-').filter(|rest| rest.len() > 3));
    is_listed || long.is_some_and(super::super::setting_words::leaves_out)
}

fn number(words: &[String], name: &str) -> Option<f64> {
    let joined = words.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('=')?.parse().ok());
    let at = words.iter().position(|word| word == name);
    joined.or_else(|| words.get(at? + 1)?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::super::commands::commands;
    use super::*;

    fn compared(was: &str, is: &str) -> Option<String> {
        let one = |text: &str| commands(text, false).remove(0);
        weaker(&one(was), &one(is), &|path| ["tests", "src", "tests/unit"].contains(&path))
    }

    #[test]
    fn a_weaker_command_is_told_from_another() {
        for (was, is) in [
            ("pytest", "pytest -k fast"),
            ("pytest tests src", "pytest tests"),
            ("pytest", "pytest tests/unit"),
            ("pytest --cov-fail-under=90", "pytest --cov-fail-under=50"),
            ("cargo clippy -- -D warnings", "cargo clippy"),
            ("cargo test --workspace", "cargo test"),
            ("go test ./...", "go test -short ./..."),
            ("flake8 src", "flake8 --exit-zero src"),
            ("ruff check src", "ruff check --ignore S src"),
            ("black --check src", "black src"),
            ("gradlew build", "gradlew build -x test"),
            ("mvn verify", "mvn verify -DskipTests"),
        ] {
            assert!(compared(was, is).is_some(), "{was} -> {is}");
        }
        for (was, is) in [
            ("pytest", "pytest -v"),
            ("pytest tests", "pytest tests --cov=app"),
            ("pytest tests/unit", "pytest tests"),
            ("pytest -k fast", "pytest"),
            ("pytest gone tests", "pytest tests"),
            ("cargo test", "cargo test --all-features"),
            ("flake8 --exit-zero src", "flake8 src"),
            ("go test ./...", "go test -race ./..."),
        ] {
            assert_eq!(compared(was, is), None, "{was} -> {is}");
        }
    }

    #[test]
    fn whatever_is_not_known_to_check_nothing_is_a_check() {
        let is_check = |text: &str| commands(text, false).iter().any(Command::is_check);
        for text in [
            "pytest",
            "make",
            "./scripts/x.sh",
            "npm test",
            "cargo build",
            "go vet ./...",
            "docker build .",
            "make test",
        ] {
            assert!(is_check(text), "{text}");
        }
        for text in
            ["pip install -e .", "npm ci", "echo ok", "git fetch", "pytest --version", "make deploy", "yarn", "A=1"]
        {
            assert!(!is_check(text), "{text}");
        }
    }
}
