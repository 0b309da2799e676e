//! The result of a check ↔ its wire type.

use jury_wire::v1::record as wire;

use crate::model::{CheckOnBase, CheckResult, FailedTest, TestRun};

pub(super) fn to_wire(result: &CheckResult) -> wire::Check {
    let CheckResult { exit_code, milliseconds, tail, tests, on_base } = result;
    let failed = |test: &FailedTest| wire::FailedTest { name: test.name.clone(), message: test.message.clone() };
    wire::Check {
        exit_code: *exit_code,
        milliseconds: *milliseconds,
        tail: tail.clone(),
        tests: tests
            .as_ref()
            .map(|tests| wire::Tests { run: tests.run, failed: tests.failed.iter().map(failed).collect() }),
        on_base: on_base.as_ref().map(|on_base| match on_base {
            CheckOnBase::Passes => wire::CheckOnBase::Passes,
            CheckOnBase::Fails(failed) => wire::CheckOnBase::Fails { failed: failed.clone() },
            CheckOnBase::Unknown(why) => wire::CheckOnBase::Unknown { why: why.clone() },
        }),
    }
}

pub(super) fn from_wire(check: wire::Check) -> CheckResult {
    let wire::Check { exit_code, milliseconds, tail, tests, on_base } = check;
    let failed = |test: wire::FailedTest| FailedTest { name: test.name, message: test.message };
    CheckResult {
        exit_code,
        milliseconds,
        tail,
        tests: tests.map(|tests| TestRun { run: tests.run, failed: tests.failed.into_iter().map(failed).collect() }),
        on_base: on_base.map(|on_base| match on_base {
            wire::CheckOnBase::Passes => CheckOnBase::Passes,
            wire::CheckOnBase::Fails { failed } => CheckOnBase::Fails(failed),
            wire::CheckOnBase::Unknown { why } => CheckOnBase::Unknown(why),
        }),
    }
}
