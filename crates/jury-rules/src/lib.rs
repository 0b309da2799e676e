//! The built-in specialists: rule packs (data, one YAML file per rule) and the engine that runs them over changed files.
//!
//! In: the changed files of a scope and the rules of one domain. Out: claims, as any other reviewer states them.
//! Deliberately not here: deciding, merging, or anything else that happens to a claim once it is made.
//!
//! The room is empty: no rule is built in yet, and nothing in the workspace depends on this crate.
