//! `tests/cmd/*`: command lines with what they print and how they end. `TRYCMD=overwrite` writes anew what differs, for a
//! person to read before it is committed.

#[test]
fn command_lines_do_what_the_cases_say() {
    trycmd::TestCases::new()
        .case("tests/cmd/*.trycmd")
        .case("tests/cmd/*.toml")
        // What a developer's machine says about colour and width is no part of a case.
        .env("COLUMNS", "100")
        .env("NO_COLOR", "1")
        .env("CLICOLOR_FORCE", "0");
}
