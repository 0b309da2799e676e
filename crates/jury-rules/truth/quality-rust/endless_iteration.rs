use std::io::{BufRead, BufReader};
fn names(file: std::fs::File) -> Vec<String> {
    BufReader::new(file).lines().filter_map(|line| line.ok()).collect()
}
fn titles(file: std::fs::File) -> Vec<String> {
    BufReader::new(file).lines().map_while(Result::ok).collect()
}
fn evens() -> u32 {
    (0u32..).map(|n| n * 2).sum()
}
fn few() -> u32 {
    (0u32..).map(|n| n * 2).take(3).sum()
}
