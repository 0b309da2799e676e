//! The binary from outside: cases as data, and what data cannot say.

mod binary;
mod cases;
mod confined;
mod desk;
mod escapes;
mod faults;
mod git_hooks;
mod hooks;
mod interrupts;
mod load;
mod mcp;
mod outputs;
mod planted;
mod readme;
mod roots;
mod scenarios;
mod secrets;
mod streams;
