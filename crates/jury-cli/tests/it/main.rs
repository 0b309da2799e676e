//! The binary from outside: cases as data, and what data cannot say.

mod binary;
mod cases;
mod commands;
mod docs;
mod doctor;
mod faults;
mod init;
mod outputs;
mod plugin;
mod readme;
mod roots;
mod scenarios;
mod secrets;
mod streams;
