//! What the specialists promise, from the outside.

mod conformity;
mod hostile;
mod rules;
mod secrets;
