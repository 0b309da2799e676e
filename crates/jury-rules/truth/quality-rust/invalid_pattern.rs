use regex::Regex;
fn patterns() -> [Result<Regex, regex::Error>; 4] {
    [
        Regex::new(r"^(\d+$"),
        Regex::new(r"^(\d+)$"),
        Regex::new("[9-0]x"),
        Regex::new("[0-9]x"),
    ]
}
