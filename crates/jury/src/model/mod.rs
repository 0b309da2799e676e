//! The vocabulary of all stages as types; nothing here reads, writes or decides.
//!
//! In: values that were parsed at the edge. Out: types that cannot hold an illegal value. Deliberately not
//! here: serde, files, clocks, and the spelling of any contract's vocabulary but the one it shares with Jury.

mod asset;
mod attest;
mod base_look;
mod change;
mod check;
mod claim;
mod closed_set;
mod confidence;
mod contest;
mod definition;
mod digest;
mod facts;
mod features;
mod finding;
mod gap;
mod guideline;
mod id;
mod intent;
mod location;
mod name;
mod package;
mod path;
mod people;
mod policy;
mod report;
mod scope;
mod service;
mod severity;
mod task;
mod verdict;
mod verified;
mod waiver;
mod weighting;

pub use asset::{Asset, AssetKind};
pub use attest::AttestPolicy;
pub use base_look::{BaseFinding, BaseLook, FailedLook, UnchangedPlace};
pub use change::Change;
pub use check::{CheckOnBase, CheckResult, FailedTest, TestRun};
pub use claim::{AutofixClass, Category, Claim, Owner, Status, Support};
pub(crate) use closed_set::closed_set;
pub(crate) use confidence::whole_number;
pub use confidence::{Confidence, ConfidenceError};
pub use contest::{Contest, ContestResult, ContestVoice, CounterEvidence, Premise, Stance};
#[cfg(test)]
pub(crate) use definition::tests;
pub use definition::{Definition, Dependencies, EnabledWhen, Persona, ReviewerKind};
pub use digest::hex as short_digest;
pub(crate) use digest::{Parts, quick, quick_in_lower_case};
pub use facts::{CommitSha, FactError, Facts, Mode, ReviewId, ScopeKind, Timestamp};
pub use features::{Features, FindingName, FoundFeatures};
pub use finding::{Finding, Fingerprint};
pub use gap::{Gap, GapKind};
pub use guideline::{Guideline, GuidelineRule, beside};
pub(crate) use id::{FileMark, number_equal_ids};
pub use id::{FindingId, mint_ids};
pub use intent::{AssessedCriterion, Assessment, Fulfilment};
pub use location::{Column, Line, LineError, LineRange, Location, Side};
pub use name::{Domain, DomainError, Title, TitleError};
pub use package::{PackageChange, PackageChanges};
pub use path::{PathError, RepoPath};
pub use people::{
    Acceptable, AcceptableFinding, Bound, FileState, FileStates, NamedApprover, PeoplePolicy, Proof, Subject,
};
pub use policy::{AcceptWontFix, PathPolicy, Policy, PolicyMode, ReportWriting, ScopePolicy};
pub use report::{Attendance, Difference, Evidence, Report, Reviewer, differences};
pub use scope::{
    Base, BaseRule, ChangedFile, ChangedPath, Changes, FileChange, FormerName, PatchId, Scope, SourceTree, TreeFile,
    TreeFileKind, TreeFiles, TreeFolders, TreeId, Unreviewed, UnreviewedReason, WholeTree,
};
pub(crate) use service::exact_dollars;
pub use service::{Budget, Price, Provider, Service, Spent, Usage, dollars, micro_dollars};
pub use severity::Severity;
pub use task::{NameError, Role, TaskId};
pub use verdict::{Approval, GateOwner, GateVerdict, Outcome, ReviewVerdict, Stated, Tally, Verdict, aggregate};
pub use verified::{Became, FileLine};
pub use waiver::{Day, Waiver};
pub use weighting::{LEVELS, ReviewerRole, ReweightReason, Reweighted, RuleSeverity, Weighting, matcher};
