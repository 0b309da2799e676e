//! The binary from outside: cases as data, and what data cannot say.

mod binary;
mod cases;
mod faults;
mod git_hooks;
mod hooks;
mod mcp;
mod outputs;
mod readme;
mod roots;
mod scenarios;
mod secrets;
mod streams;
