//! The files that decide how a change is checked: policy, CI, hooks, and the settings of linters, formatters, type checkers, scanners, test
//! runners and agents. One table.
//!
//! In: a path. Out: what the file configures, and whether a tool gets to see it as the base has it. Deliberately not here: whether an edit weakens
//! anything (`weakening`), and the files that a command runs (`executed`).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::agents;

/// What a file configures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The policy of the gate.
    Policy,
    /// The owners of the code.
    Owners,
    /// The CI of the repository.
    Ci,
    /// The hooks of the repository.
    Hooks,
    /// The instructions and permissions of agents.
    Agents,
    /// The verdicts of Jury.
    Verdicts,
    /// A checker of code: a linter, formatter, type checker, scanner.
    Checker,
    /// A program that proposes updates of packages. It checks no change.
    Updates,
    /// A test runner or its coverage.
    Tests,
    /// A build or package manager, whose settings can name programs.
    Build,
}

impl Kind {
    /// Names it, for a person.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Policy => "the policy of the gate",
            Self::Owners => "the owners of the code",
            Self::Ci => "the CI of the repository",
            Self::Hooks => "the hooks of the repository",
            Self::Agents => "the agent configuration",
            Self::Verdicts => "the verdicts of Jury",
            Self::Checker => "the settings of a checker",
            Self::Updates => "the settings of a program that proposes updates",
            Self::Tests => "the settings of the tests",
            Self::Build => "the settings of the build",
        }
    }

    /// Tells whether any change to it is High, for a person.
    pub(super) fn is_guarded(self) -> bool {
        !matches!(self, Self::Checker | Self::Updates | Self::Tests | Self::Build)
    }
}

/// The part of a file that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it.
    Whole,
    /// All of it, but only an edit that weakens is raised: most edits are ordinary work.
    Quiet,
    /// Nothing: it is only taken from the base.
    Nothing,
    /// These tables, whose names may end with a star; the rest is ordinary work.
    Tables(&'static [&'static str]),
}

/// A row: a name, what it configures, and the program that reads it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// A name with a slash at its end is a folder; one without any slash is a file anywhere; the rest are paths. A star stands for any text.
    pub(super) pattern: &'static str,
    pub(super) kind: Kind,
    pub(super) tool: &'static str,
    pub(super) part: Part,
}

const fn row(pattern: &'static str, kind: Kind, tool: &'static str) -> Row {
    Row { pattern, kind, tool, part: Part::Whole }
}

const fn part(pattern: &'static str, kind: Kind, tool: &'static str, part: Part) -> Row {
    Row { pattern, kind, tool, part }
}

const PYPROJECT: Part = Part::Tables(&[
    "tool.ruff",
    "tool.mypy",
    "tool.pyright",
    "tool.basedpyright",
    "tool.pylint",
    "tool.flake8",
    "tool.bandit",
    "tool.black",
    "tool.isort",
    "tool.pytest",
    "tool.coverage",
    "tool.tox",
    "tool.nox",
    "tool.pytype",
    "tool.pyre",
    "tool.ty",
    "tool.semgrep",
    "tool.vulture",
    "tool.interrogate",
    "tool.pydocstyle",
    "tool.pycodestyle",
    "tool.codespell",
    "tool.deptry",
    "tool.importlinter",
    "tool.ruff-lsp",
    "tool.djlint",
    "tool.sqlfluff",
    "tool.refurb",
    "tool.autoflake",
    "tool.poe",
    "tool.taskipy",
    "tool.pdm.scripts",
    "tool.hatch.envs",
    "tool.pre-commit",
    "tool.pip-audit",
    "tool.zizmor",
    "tool.detect-secrets",
]);
const PACKAGE: Part = Part::Tables(&[
    "scripts",
    "eslintConfig",
    "eslintIgnore",
    "jest",
    "vitest",
    "mocha",
    "ava",
    "tap",
    "nyc",
    "c8",
    "prettier",
    "stylelint",
    "xo",
    "standard",
    "lint-staged",
    "husky",
    "pre-commit",
    "pre-push",
    "simple-git-hooks",
    "commitlint",
    "remarkConfig",
    "tsd",
    "size-limit",
    "biome",
    "oxlint",
    "babel",
    "wireit",
    "nx",
    "knip",
    "jscpd",
    "audit-ci",
]);
const SETUP_CFG: Part = Part::Tables(&[
    "flake8*",
    "pylint*",
    "mypy*",
    "isort",
    "pytest",
    "tool:pytest",
    "coverage*",
    "pycodestyle",
    "pydocstyle",
    "bandit",
    "testenv*",
    "tox*",
    "codespell",
    "pyright",
    "importlinter*",
    "sqlfluff*",
]);
const CARGO: Part = Part::Tables(&["lints", "workspace.lints"]);
const DENO: Part = Part::Tables(&["lint", "fmt", "test", "tasks", "exclude", "compilerOptions"]);
const COMPOSER: Part = Part::Tables(&["scripts"]);
const NOTHING: Part = Part::Nothing;
const QUIET: Part = Part::Quiet;

/// Every known file. The first row that matches decides.
const SETTINGS: &[Row] = &[
    row("jury.toml", Kind::Policy, "Jury"),
    row(".jury/", Kind::Policy, "Jury"),
    row(".code-review/", Kind::Verdicts, "Jury"),
    row(".github/CODEOWNERS", Kind::Owners, "GitHub"),
    row("CODEOWNERS", Kind::Owners, "the forge"),
    row("OWNERS", Kind::Owners, "the forge"),
    // Checkers whose settings lie in a folder of CI.
    row(".github/actionlint.y*ml", Kind::Checker, "actionlint"),
    row(".github/zizmor.y*ml", Kind::Checker, "zizmor"),
    row(".github/codeql/", Kind::Checker, "CodeQL"),
    row(".github/dependabot.y*ml", Kind::Updates, "Dependabot"),
    row(".github/linters/", Kind::Checker, "super-linter"),
    // CI.
    row(".github/workflows/", Kind::Ci, "GitHub Actions"),
    row(".github/actions/", Kind::Ci, "GitHub Actions"),
    part("action.y*ml", Kind::Build, "GitHub Actions", QUIET),
    row(".gitlab-ci*.y*ml", Kind::Ci, "GitLab CI"),
    row(".gitlab/", Kind::Ci, "GitLab CI"),
    row(".gitea/workflows/", Kind::Ci, "Gitea Actions"),
    row(".forgejo/workflows/", Kind::Ci, "Forgejo Actions"),
    row(".circleci/", Kind::Ci, "CircleCI"),
    row(".buildkite/", Kind::Ci, "Buildkite"),
    row(".ci/", Kind::Ci, "CI"),
    row(".azure-pipelines/", Kind::Ci, "Azure Pipelines"),
    row("azure-pipelines*.y*ml", Kind::Ci, "Azure Pipelines"),
    row("bitbucket-pipelines.yml", Kind::Ci, "Bitbucket Pipelines"),
    row(".travis.y*ml", Kind::Ci, "Travis CI"),
    row(".drone.y*ml", Kind::Ci, "Drone"),
    row(".woodpecker*", Kind::Ci, "Woodpecker"),
    row(".woodpecker/", Kind::Ci, "Woodpecker"),
    row(".cirrus.y*ml", Kind::Ci, "Cirrus CI"),
    row(".semaphore/", Kind::Ci, "Semaphore"),
    row(".teamcity/", Kind::Ci, "TeamCity"),
    row(".tekton/", Kind::Ci, "Tekton"),
    row(".prow.y*ml", Kind::Ci, "Prow"),
    row("appveyor.y*ml", Kind::Ci, "AppVeyor"),
    row(".appveyor.y*ml", Kind::Ci, "AppVeyor"),
    row("codemagic.y*ml", Kind::Ci, "Codemagic"),
    row("bitrise.y*ml", Kind::Ci, "Bitrise"),
    row("cloudbuild.y*ml", Kind::Ci, "Cloud Build"),
    row("buildspec.y*ml", Kind::Ci, "CodeBuild"),
    row("wercker.y*ml", Kind::Ci, "Wercker"),
    row(".mergify.y*ml", Kind::Ci, "Mergify"),
    row(".github/mergify.y*ml", Kind::Ci, "Mergify"),
    row("Jenkinsfile*", Kind::Ci, "Jenkins"),
    // Hooks of git.
    row(".husky/", Kind::Hooks, "husky"),
    row(".huskyrc*", Kind::Hooks, "husky"),
    row(".githooks/", Kind::Hooks, "git"),
    row(".git-hooks/", Kind::Hooks, "git"),
    row(".pre-commit-config.y*ml", Kind::Hooks, "pre-commit"),
    row(".pre-commit-hooks.y*ml", Kind::Hooks, "pre-commit"),
    row("lefthook*.y*ml", Kind::Hooks, "Lefthook"),
    row("lefthook*.toml", Kind::Hooks, "Lefthook"),
    row("lefthook*.json", Kind::Hooks, "Lefthook"),
    row(".lefthook*", Kind::Hooks, "Lefthook"),
    row(".overcommit.yml", Kind::Hooks, "Overcommit"),
    row(".lintstagedrc*", Kind::Hooks, "lint-staged"),
    row("lint-staged.config.*", Kind::Hooks, "lint-staged"),
    row(".simple-git-hooks.*", Kind::Hooks, "simple-git-hooks"),
    row("simple-git-hooks.*", Kind::Hooks, "simple-git-hooks"),
    row(".hooks.d/", Kind::Hooks, "git"),
    // Agents that no host file lists.
    row(".aider*", Kind::Agents, "Aider"),
    row(".clinerules*", Kind::Agents, "Cline"),
    row(".clinerules/", Kind::Agents, "Cline"),
    row(".roo/", Kind::Agents, "Roo Code"),
    row(".roomodes", Kind::Agents, "Roo Code"),
    row(".roorules*", Kind::Agents, "Roo Code"),
    row(".cursorrules", Kind::Agents, "Cursor"),
    row(".cursorignore", Kind::Agents, "Cursor"),
    row(".windsurf/", Kind::Agents, "Windsurf"),
    row(".windsurfrules", Kind::Agents, "Windsurf"),
    row(".kiro/", Kind::Agents, "Kiro"),
    row(".amazonq/", Kind::Agents, "Amazon Q"),
    row(".continue/", Kind::Agents, "Continue"),
    row(".continuerc*", Kind::Agents, "Continue"),
    row(".junie/", Kind::Agents, "Junie"),
    row(".goosehints", Kind::Agents, "Goose"),
    row(".qwen/", Kind::Agents, "Qwen Code"),
    row(".crush*", Kind::Agents, "Crush"),
    row("opencode.json*", Kind::Agents, "OpenCode"),
    row(".github/instructions/", Kind::Agents, "Copilot"),
    row(".github/prompts/", Kind::Agents, "Copilot"),
    row(".github/agents/", Kind::Agents, "Copilot"),
    row(".vscode/mcp.json", Kind::Agents, "VS Code"),
    row(".agents/", Kind::Agents, "agents"),
    row(".coderabbit.y*ml", Kind::Agents, "CodeRabbit"),
    row(".sweep.y*ml", Kind::Agents, "Sweep"),
    row("greptile.json", Kind::Agents, "Greptile"),
    // Files that several programs share.
    part("pyproject.toml", Kind::Checker, "Python tools", PYPROJECT),
    part("package.json", Kind::Checker, "Node tools", PACKAGE),
    part("setup.cfg", Kind::Checker, "Python tools", SETUP_CFG),
    part("tox.ini", Kind::Tests, "tox", SETUP_CFG),
    part("Cargo.toml", Kind::Checker, "the Rust compiler and Clippy", CARGO),
    part("deno.json*", Kind::Checker, "Deno", DENO),
    part("composer.json", Kind::Checker, "Composer", COMPOSER),
    part("tsconfig*.json", Kind::Checker, "the TypeScript compiler", QUIET),
    part("jsconfig*.json", Kind::Checker, "the TypeScript compiler", QUIET),
    part("vite.config.*", Kind::Tests, "Vitest", QUIET),
    part("nx.json", Kind::Build, "Nx", QUIET),
    part("turbo.json", Kind::Build, "Turborepo", QUIET),
    part("Makefile", Kind::Build, "make", QUIET),
    part("GNUmakefile", Kind::Build, "make", QUIET),
    part("justfile", Kind::Build, "just", QUIET),
    part("Taskfile.y*ml", Kind::Build, "Task", QUIET),
    part("noxfile.py", Kind::Tests, "nox", QUIET),
    part("conftest.py", Kind::Tests, "pytest", QUIET),
    part(".editorconfig", Kind::Checker, "editors", QUIET),
    // Test runners and coverage.
    row("jest.config.*", Kind::Tests, "Jest"),
    row("jest.*.config.*", Kind::Tests, "Jest"),
    row("vitest.config.*", Kind::Tests, "Vitest"),
    row("vitest.workspace.*", Kind::Tests, "Vitest"),
    row(".mocharc*", Kind::Tests, "Mocha"),
    row("ava.config.*", Kind::Tests, "AVA"),
    row(".taprc", Kind::Tests, "tap"),
    row("karma.conf*", Kind::Tests, "Karma"),
    row("playwright.config.*", Kind::Tests, "Playwright"),
    row("playwright-ct.config.*", Kind::Tests, "Playwright"),
    row("cypress.config.*", Kind::Tests, "Cypress"),
    row("cypress.json", Kind::Tests, "Cypress"),
    row("wdio.conf*", Kind::Tests, "WebdriverIO"),
    row("protractor.conf*", Kind::Tests, "Protractor"),
    row("jasmine.json", Kind::Tests, "Jasmine"),
    row("web-test-runner.config.*", Kind::Tests, "Web Test Runner"),
    row("stryker.*", Kind::Tests, "Stryker"),
    row("bunfig.toml", Kind::Tests, "Bun"),
    row("pytest.ini", Kind::Tests, "pytest"),
    row(".pytest.ini", Kind::Tests, "pytest"),
    row("pytest.toml", Kind::Tests, "pytest"),
    row("unittest.cfg", Kind::Tests, "unittest"),
    row("nose.cfg", Kind::Tests, "nose"),
    row(".coveragerc*", Kind::Tests, "coverage"),
    row("codecov.y*ml", Kind::Tests, "Codecov"),
    row(".codecov.y*ml", Kind::Tests, "Codecov"),
    row(".coveralls.yml", Kind::Tests, "Coveralls"),
    row(".nycrc*", Kind::Tests, "nyc"),
    row("nyc.config.*", Kind::Tests, "nyc"),
    row(".c8rc*", Kind::Tests, "c8"),
    row("phpunit.xml*", Kind::Tests, "PHPUnit"),
    row("infection.json*", Kind::Tests, "Infection"),
    row("codeception.yml", Kind::Tests, "Codeception"),
    row("behat.yml", Kind::Tests, "Behat"),
    row(".rspec", Kind::Tests, "RSpec"),
    row(".simplecov", Kind::Tests, "SimpleCov"),
    row("testng.xml", Kind::Tests, "TestNG"),
    row("junit-platform.properties", Kind::Tests, "JUnit"),
    row(".config/nextest.toml", Kind::Tests, "nextest"),
    row("tarpaulin.toml", Kind::Tests, "Tarpaulin"),
    row(".testcoverage.y*ml", Kind::Tests, "go-test-coverage"),
    row("dart_test.yaml", Kind::Tests, "Dart"),
    row("*.runsettings", Kind::Tests, ".NET"),
    row("sitecustomize.py", Kind::Tests, "Python"),
    row("usercustomize.py", Kind::Tests, "Python"),
    // Linters, formatters, type checkers, scanners.
    row("ruff.toml", Kind::Checker, "Ruff"),
    row(".ruff.toml", Kind::Checker, "Ruff"),
    row(".flake8", Kind::Checker, "Flake8"),
    row(".pylintrc*", Kind::Checker, "Pylint"),
    row("pylintrc*", Kind::Checker, "Pylint"),
    row("mypy.ini", Kind::Checker, "mypy"),
    row(".mypy.ini", Kind::Checker, "mypy"),
    row("pyrightconfig.json", Kind::Checker, "Pyright"),
    row("pyre_configuration", Kind::Checker, "Pyre"),
    row(".pyre_configuration*", Kind::Checker, "Pyre"),
    row("ty.toml", Kind::Checker, "ty"),
    row(".bandit", Kind::Checker, "Bandit"),
    row("bandit.y*ml", Kind::Checker, "Bandit"),
    row(".isort.cfg", Kind::Checker, "isort"),
    row(".pydocstyle*", Kind::Checker, "pydocstyle"),
    row(".pycodestyle", Kind::Checker, "pycodestyle"),
    row(".style.yapf", Kind::Checker, "YAPF"),
    row(".importlinter", Kind::Checker, "import-linter"),
    row(".sqlfluff*", Kind::Checker, "SQLFluff"),
    row(".safety-policy.yml", Kind::Checker, "Safety"),
    row(".eslintrc*", Kind::Checker, "ESLint"),
    row("eslint.config.*", Kind::Checker, "ESLint"),
    row(".eslintignore", Kind::Checker, "ESLint"),
    row("biome.json*", Kind::Checker, "Biome"),
    row(".biome.json*", Kind::Checker, "Biome"),
    row("rome.json", Kind::Checker, "Biome"),
    row(".oxlintrc*", Kind::Checker, "oxlint"),
    row("oxlint.*", Kind::Checker, "oxlint"),
    row(".oxlintignore", Kind::Checker, "oxlint"),
    row("tslint.json", Kind::Checker, "TSLint"),
    row(".xo-config*", Kind::Checker, "XO"),
    row("xo.config.*", Kind::Checker, "XO"),
    row(".jshintrc", Kind::Checker, "JSHint"),
    row(".jshintignore", Kind::Checker, "JSHint"),
    row(".flowconfig", Kind::Checker, "Flow"),
    row(".prettierrc*", Kind::Checker, "Prettier"),
    row("prettier.config.*", Kind::Checker, "Prettier"),
    row(".prettierignore", Kind::Checker, "Prettier"),
    row("dprint.json*", Kind::Checker, "dprint"),
    row(".dprint.json*", Kind::Checker, "dprint"),
    row(".stylelintrc*", Kind::Checker, "Stylelint"),
    row("stylelint.config.*", Kind::Checker, "Stylelint"),
    row(".stylelintignore", Kind::Checker, "Stylelint"),
    row(".htmlhintrc", Kind::Checker, "HTMLHint"),
    row(".htmlvalidate*", Kind::Checker, "html-validate"),
    row(".commitlintrc*", Kind::Checker, "commitlint"),
    row("commitlint.config.*", Kind::Checker, "commitlint"),
    row("knip.*", Kind::Checker, "Knip"),
    row(".knip.*", Kind::Checker, "Knip"),
    row(".dependency-cruiser*", Kind::Checker, "dependency-cruiser"),
    row(".jscpd.json", Kind::Checker, "jscpd"),
    row(".size-limit*", Kind::Checker, "size-limit"),
    row("audit-ci.json*", Kind::Checker, "audit-ci"),
    row(".nsprc", Kind::Checker, "better-npm-audit"),
    row(".golangci.*", Kind::Checker, "golangci-lint"),
    row("staticcheck.conf", Kind::Checker, "staticcheck"),
    row("revive.toml", Kind::Checker, "revive"),
    row(".gosec*", Kind::Checker, "gosec"),
    row("clippy.toml", Kind::Checker, "Clippy"),
    row(".clippy.toml", Kind::Checker, "Clippy"),
    row("rustfmt.toml", Kind::Checker, "rustfmt"),
    row(".rustfmt.toml", Kind::Checker, "rustfmt"),
    row("deny.toml", Kind::Checker, "cargo-deny"),
    row("audit.toml", Kind::Checker, "cargo-audit"),
    row("dylint.toml", Kind::Checker, "Dylint"),
    row("typos.toml", Kind::Checker, "typos"),
    row("_typos.toml", Kind::Checker, "typos"),
    row(".typos.toml", Kind::Checker, "typos"),
    row(".codespellrc", Kind::Checker, "codespell"),
    row("cspell.*", Kind::Checker, "CSpell"),
    row(".cspell*", Kind::Checker, "CSpell"),
    row(".rubocop*", Kind::Checker, "RuboCop"),
    row(".standard.yml", Kind::Checker, "Standard Ruby"),
    row(".reek.yml", Kind::Checker, "Reek"),
    row("brakeman.*", Kind::Checker, "Brakeman"),
    row("config/brakeman.*", Kind::Checker, "Brakeman"),
    row(".bundler-audit.yml", Kind::Checker, "bundler-audit"),
    row("sorbet/config", Kind::Checker, "Sorbet"),
    row("phpstan*.neon*", Kind::Checker, "PHPStan"),
    row("phpcs.xml*", Kind::Checker, "PHP_CodeSniffer"),
    row(".phpcs.xml*", Kind::Checker, "PHP_CodeSniffer"),
    row("phpmd.xml*", Kind::Checker, "PHPMD"),
    row("psalm*.xml*", Kind::Checker, "Psalm"),
    row("rector.php", Kind::Checker, "Rector"),
    row(".php-cs-fixer*", Kind::Checker, "PHP CS Fixer"),
    row("pint.json", Kind::Checker, "Pint"),
    row("checkstyle*.xml", Kind::Checker, "Checkstyle"),
    row("pmd*.xml", Kind::Checker, "PMD"),
    row("spotbugs*.xml", Kind::Checker, "SpotBugs"),
    row("findbugs*.xml", Kind::Checker, "SpotBugs"),
    row("lint.xml", Kind::Checker, "Android Lint"),
    row("detekt*.y*ml", Kind::Checker, "detekt"),
    row(".ktlint*", Kind::Checker, "ktlint"),
    row(".scalafix.conf", Kind::Checker, "Scalafix"),
    row(".scalafmt.conf", Kind::Checker, "Scalafmt"),
    row(".swiftlint.y*ml", Kind::Checker, "SwiftLint"),
    row(".swiftformat", Kind::Checker, "SwiftFormat"),
    row("analysis_options.yaml", Kind::Checker, "the Dart analyser"),
    row(".credo.exs", Kind::Checker, "Credo"),
    row(".clang-tidy", Kind::Checker, "clang-tidy"),
    row(".clang-format*", Kind::Checker, "clang-format"),
    row("CPPLINT.cfg", Kind::Checker, "cpplint"),
    row("stylecop.json", Kind::Checker, ".NET analysers"),
    row("*.ruleset", Kind::Checker, ".NET analysers"),
    row(".globalconfig", Kind::Checker, ".NET analysers"),
    row("Directory.Build.props", Kind::Checker, ".NET analysers"),
    row(".shellcheckrc", Kind::Checker, "ShellCheck"),
    row(".hadolint.y*ml", Kind::Checker, "hadolint"),
    row("hadolint.y*ml", Kind::Checker, "hadolint"),
    row("zizmor.y*ml", Kind::Checker, "zizmor"),
    row(".yamllint*", Kind::Checker, "yamllint"),
    row(".markdownlint*", Kind::Checker, "markdownlint"),
    row(".remarkrc*", Kind::Checker, "remark"),
    row(".vale.ini", Kind::Checker, "Vale"),
    row(".textlintrc*", Kind::Checker, "textlint"),
    row(".spectral.*", Kind::Checker, "Spectral"),
    row("buf.yaml", Kind::Checker, "Buf"),
    row(".protolint.y*ml", Kind::Checker, "protolint"),
    row(".tflint.hcl", Kind::Checker, "TFLint"),
    row(".tfsec/", Kind::Checker, "tfsec"),
    row(".checkov.y*ml", Kind::Checker, "Checkov"),
    row(".kics*", Kind::Checker, "KICS"),
    row(".terrascan*", Kind::Checker, "Terrascan"),
    row(".ansible-lint*", Kind::Checker, "ansible-lint"),
    row(".kube-linter.y*ml", Kind::Checker, "KubeLinter"),
    row("trivy.y*ml", Kind::Checker, "Trivy"),
    row(".trivy*", Kind::Checker, "Trivy"),
    row(".grype.y*ml", Kind::Checker, "Grype"),
    row("osv-scanner.toml", Kind::Checker, "OSV-Scanner"),
    row(".snyk", Kind::Checker, "Snyk"),
    row(".semgrep*", Kind::Checker, "Semgrep"),
    row(".semgrep/", Kind::Checker, "Semgrep"),
    row("semgrep.y*ml", Kind::Checker, "Semgrep"),
    row("sgconfig.yml", Kind::Checker, "ast-grep"),
    row(".gitleaks*", Kind::Checker, "gitleaks"),
    row("gitleaks.toml", Kind::Checker, "gitleaks"),
    row(".secrets.baseline", Kind::Checker, "detect-secrets"),
    row(".trufflehog*", Kind::Checker, "TruffleHog"),
    row(".gitguardian.y*ml", Kind::Checker, "GitGuardian"),
    row("sonar-project.properties", Kind::Checker, "Sonar"),
    row(".sonarcloud.properties", Kind::Checker, "Sonar"),
    row(".codeclimate.y*ml", Kind::Checker, "Code Climate"),
    row(".codacy.y*ml", Kind::Checker, "Codacy"),
    row(".deepsource.toml", Kind::Checker, "DeepSource"),
    row(".mega-linter.yml", Kind::Checker, "MegaLinter"),
    row(".trunk/", Kind::Checker, "Trunk"),
    row("qodana.y*ml", Kind::Checker, "Qodana"),
    row("renovate.json*", Kind::Updates, "Renovate"),
    row(".renovaterc*", Kind::Updates, "Renovate"),
    row("dangerfile*", Kind::Checker, "Danger"),
    row(".reviewdog.y*ml", Kind::Checker, "reviewdog"),
    // Settings that run programs, or name some. They are taken from the base and are ordinary work otherwise.
    part(".cargo/", Kind::Build, "Cargo", QUIET),
    part(".npmrc", Kind::Build, "npm", QUIET),
    part(".yarnrc*", Kind::Build, "Yarn", QUIET),
    part("babel.config.*", Kind::Build, "Babel", NOTHING),
    part(".babelrc*", Kind::Build, "Babel", NOTHING),
    part("build.rs", Kind::Build, "Cargo", NOTHING),
    part("rust-toolchain*", Kind::Build, "rustup", NOTHING),
    part(".gitignore", Kind::Build, "git", NOTHING),
    part(".ignore", Kind::Build, "tools", NOTHING),
    part(".rgignore", Kind::Build, "ripgrep", NOTHING),
];

/// Manifests that a tool needs as the change has them: with those of the base, new dependencies would be missing.
const MANIFESTS: &[&str] =
    &["Cargo.toml", "Cargo.lock", "go.mod", "go.sum", "go.work", "pom.xml", "composer.json", "composer.lock"];
/// Folders of installed packages, whose code tools load.
const INSTALLED: &[&str] = &["node_modules", "site-packages", ".venv", "venv", ".yarn", "bower_components"];
/// Endings of files that may be settings.
const DATA: &[&str] =
    &["cfg", "conf", "ini", "json", "json5", "jsonc", "neon", "properties", "toml", "xml", "yaml", "yml"];
/// Files that other programs than checkers leave out of their work.
const OTHER_IGNORES: &[&str] = &[
    ".dockerignore",
    ".gitignore",
    ".npmignore",
    ".vercelignore",
    ".gcloudignore",
    ".helmignore",
    ".cfignore",
    ".slugignore",
    ".vscodeignore",
    ".containerignore",
    ".ebignore",
    ".funcignore",
    ".nowignore",
    ".stignore",
    ".hgignore",
    ".bzrignore",
];
/// An ignore file of a checker that no row names.
const UNKNOWN_IGNORE: Row = part(".*ignore", Kind::Checker, "a checker", QUIET);

/// The rows in lower case, and for each first byte of a pattern the rows that start with it.
struct Index {
    rows: Vec<(String, Row)>,
    by_byte: BTreeMap<u8, Vec<usize>>,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let of_agents = agents::instructions().iter().map(|pattern| row(pattern, Kind::Agents, "agents"));
    let rows: Vec<(String, Row)> =
        SETTINGS.iter().copied().chain(of_agents).map(|row| (row.pattern.to_lowercase(), row)).collect();
    let mut by_byte: BTreeMap<u8, Vec<usize>> = BTreeMap::new();
    for (at, (pattern, _)) in rows.iter().enumerate() {
        by_byte.entry(pattern.as_bytes().first().copied().unwrap_or_default()).or_default().push(at);
    }
    Index { rows, by_byte }
});

/// Returns the row of a file, if it decides how changes are checked. Every file of a tree is asked about, so only patterns with the right first
/// letter are tried.
pub(super) fn row_of(path: &str) -> Option<Row> {
    let path = path.to_lowercase();
    let starts = std::iter::once(0).chain(path.match_indices('/').map(|(at, _)| at + 1));
    let mut found: Option<usize> = None;
    for start in starts {
        let below = &path[start..];
        let bytes = [below.as_bytes().first().copied().unwrap_or_default(), b'*'];
        for at in bytes.iter().filter_map(|byte| INDEX.by_byte.get(byte)).flatten() {
            if found.is_none_or(|found| *at < found) && is_at(&INDEX.rows[*at].0, below) {
                found = Some(*at);
            }
        }
    }
    found.map(|at| INDEX.rows[at].1).or_else(|| {
        let name = path.rsplit('/').next().unwrap_or_default();
        let is_ignore = name.starts_with('.') && name.ends_with("ignore") && !OTHER_IGNORES.contains(&name);
        is_ignore.then_some(UNKNOWN_IGNORE)
    })
}

/// Tells whether a pattern matches the rest of a path, from one of its folders or its name on.
fn is_at(pattern: &str, below: &str) -> bool {
    if pattern.ends_with('/') { below.starts_with(pattern) } else { is_like(pattern, below) }
}

/// Tells whether a file instructs agents, and is hidden from reviewing ones (FAULTS 22).
pub(super) fn is_for_agents(path: &str) -> bool {
    agents::instructions().iter().any(|pattern| matches(pattern, path))
}

/// Tells whether a file configures tools, names programs that they run, or is code that they load (FAULTS 22).
pub(super) fn configures_tools(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_installed = || path.split('/').any(|part| INSTALLED.contains(&part));
    let configures = |kind: Kind| matches!(kind, Kind::Checker | Kind::Tests | Kind::Build | Kind::Hooks);
    !MANIFESTS.contains(&name) && (is_installed() || row_of(path).is_some_and(|row| configures(row.kind)))
}

/// Tells whether a file is the settings of a checker alone, which may load rules of the repository's own.
pub(super) fn loads_files(path: &str) -> bool {
    row_of(path).is_some_and(|row| row.kind == Kind::Checker && row.part == Part::Whole)
}

/// Tells whether a file looks like the settings of some tool: hidden, named like settings, or data at the root.
pub(super) fn looks_like_settings(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_data_at_root = !path.contains('/') && DATA.contains(&ending) && !MANIFESTS.contains(&name);
    path.split('/').any(|part| part.starts_with('.'))
        || name.contains(".config.")
        || name.ends_with("rc")
        || is_data_at_root
}

/// Returns all texts of the table, for the digest of the reviewer.
pub(super) fn table() -> impl Iterator<Item = &'static str> {
    let agents = agents::instructions().iter().copied();
    SETTINGS.iter().flat_map(|row| [row.pattern, row.kind.words(), row.tool]).chain(agents)
}

/// Tells whether a path matches a pattern. Case does not count: some file systems do not know it.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, path) = (pattern.to_lowercase(), path.to_lowercase());
    let mut starts = std::iter::once(0).chain(path.match_indices('/').map(|(at, _)| at + 1));
    starts.any(|start| is_at(&pattern, &path[start..]))
}

/// Compares a text with a pattern in which a star stands for any text without a slash.
fn is_like(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => {
            let Some(after) = text.strip_prefix(start) else { return false };
            let ends = after.char_indices().map(|(at, _)| at).chain([after.len()]);
            ends.take_while(|at| !after[..*at].contains('/')).any(|at| is_like(rest, &after[at..]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_judges_is_known_wherever_it_lies() {
        for (path, kind) in [
            ("jury.toml", Kind::Policy),
            ("JURY.TOML", Kind::Policy),
            (".jury/waivers.toml", Kind::Policy),
            (".github/workflows/x.yml", Kind::Ci),
            ("web/.gitlab-ci.yml", Kind::Ci),
            ("sub/AGENTS.md", Kind::Agents),
            ("a/.claude/settings.json", Kind::Agents),
            (".husky/pre-commit", Kind::Hooks),
            ("sub/.pre-commit-config.yaml", Kind::Hooks),
            ("web/eslint.config.mjs", Kind::Checker),
            ("src/ruff.toml", Kind::Checker),
            ("a/.newlintignore", Kind::Checker),
            (".github/zizmor.yml", Kind::Checker),
            ("jest.config.ts", Kind::Tests),
            ("jest.unit.config.js", Kind::Tests),
            (".config/nextest.toml", Kind::Tests),
        ] {
            assert_eq!(row_of(path).map(|row| row.kind), Some(kind), "{path}");
        }
        for path in [
            "src/jury.rs",
            "docs/workflows/x.yml",
            "src/agents.rs",
            "my.jury/x",
            "jenkins/file",
            "src/ruff.py",
            ".dockerignore",
            "src/jest.ts",
            "eslint.md",
        ] {
            assert!(row_of(path).is_none(), "{path}");
        }
    }

    #[test]
    fn tools_take_settings_and_installed_code_from_the_base() {
        for path in [
            "ruff.toml",
            "a/pyproject.toml",
            "package.json",
            ".cargo/config.toml",
            "build.rs",
            "node_modules/x/index.js",
            ".gitignore",
            "vitest.config.ts",
            ".semgrepignore",
            "tsconfig.json",
        ] {
            assert!(configures_tools(path), "{path}");
        }
        for path in [
            "src/a.py",
            "Cargo.toml",
            ".github/workflows/ci.yml",
            "jury.toml",
            "src/config.ts",
            "AGENTS.md",
            "data.json",
        ] {
            assert!(!configures_tools(path), "{path}");
        }
        for path in [".mylintrc", "mylint.toml", "a/.mylint/rules.js", "mylint.config.js"] {
            assert!(looks_like_settings(path), "{path}");
        }
        for path in ["src/data.json", "src/a.ts", "Cargo.toml", "src/rules.yml", "README.md"] {
            assert!(!looks_like_settings(path), "{path}");
        }
    }
}
