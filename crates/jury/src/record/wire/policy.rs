//! The policy of the base and its waivers ↔ their wire types.

use jury_wire::v1::record as wire;

use super::{day, domain, refused, severity, token};
use crate::model::{AcceptWontFix, PathPolicy, Policy, PolicyMode, ScopePolicy, Waiver};
use crate::record::{RecordError, RecordedPolicy};

pub(super) fn to_wire(policy: &RecordedPolicy) -> wire::Policy {
    let RecordedPolicy { policy, required, scope } = policy;
    let ScopePolicy { text_only, assets_ok, exclude, linguist } = scope;
    let Policy { mode, block_at, paths, abort_domains, accept_wont_fix, not_met } = policy;
    let of_paths = |paths: &PathPolicy| wire::PathPolicy {
        paths: paths.globs.clone(),
        block_at: paths.block_at.word().to_owned(),
    };
    wire::Policy {
        mode: mode.token().to_owned(),
        block_at: block_at.word().to_owned(),
        paths: paths.iter().map(of_paths).collect(),
        required: required.iter().map(ToString::to_string).collect(),
        abort_domains: abort_domains.iter().map(ToString::to_string).collect(),
        accept_wont_fix: accept_wont_fix.token().to_owned(),
        not_met: not_met.word().to_owned(),
        text_only: text_only.clone(),
        assets_ok: assets_ok.clone(),
        exclude: exclude.clone(),
        linguist: *linguist,
    }
}

pub(super) fn from_wire(policy: &wire::Policy) -> Result<RecordedPolicy, RecordError> {
    let abort_domains = policy.abort_domains.iter().map(|name| domain("policy.abort_domains", name));
    let required = policy.required.iter().map(|name| domain("policy.required", name));
    let of_paths = |paths: &wire::PathPolicy| {
        let block_at = severity("policy.paths", &paths.block_at)?;
        Ok(PathPolicy { globs: paths.paths.clone(), block_at })
    };
    Ok(RecordedPolicy {
        policy: Policy {
            mode: token("policy.mode", &policy.mode, PolicyMode::from_token)?,
            block_at: severity("policy.block_at", &policy.block_at)?,
            paths: policy.paths.iter().map(of_paths).collect::<Result<_, RecordError>>()?,
            abort_domains: abort_domains.collect::<Result<_, _>>()?,
            accept_wont_fix: AcceptWontFix::from_token(&policy.accept_wont_fix)
                .ok_or_else(|| refused("policy.accept_wont_fix", "it is not a word of the policy".to_owned()))?,
            not_met: severity("policy.not_met", &policy.not_met)?,
        },
        required: required.collect::<Result<_, _>>()?,
        scope: ScopePolicy {
            text_only: policy.text_only.clone(),
            assets_ok: policy.assets_ok.clone(),
            exclude: policy.exclude.clone(),
            linguist: policy.linguist,
        },
    })
}

pub(super) fn waiver_to_wire(waiver: &Waiver) -> wire::Waiver {
    let Waiver { finding, reason, author, expires } = waiver;
    wire::Waiver {
        finding: finding.clone(),
        reason: reason.clone(),
        author: author.clone(),
        expires: expires.to_string(),
    }
}

pub(super) fn waiver_from_wire(waiver: wire::Waiver) -> Result<Waiver, RecordError> {
    let wire::Waiver { finding, reason, author, expires } = waiver;
    Ok(Waiver { finding, reason, author, expires: day("waivers", &expires)? })
}
