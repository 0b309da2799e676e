//! Drivers call flows, many times, until something ends them. Only a command calls a driver.

pub mod rounds;
pub mod task;
