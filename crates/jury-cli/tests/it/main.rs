//! The binary from outside: cases as data, and what data cannot say.

mod binary;
mod cases;
mod commands;
mod confined;
mod desk;
mod docs;
mod doctor;
mod escapes;
mod faults;
mod git_hooks;
mod hooks;
mod hosts;
mod init;
mod interrupts;
mod load;
mod mcp;
mod outputs;
mod planted;
mod plugin;
mod published;
mod readme;
mod roots;
mod scenarios;
mod secrets;
mod streams;
