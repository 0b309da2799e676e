//! `jury gate --pr`: what people said in a pull request in; the approvals that count as decisions out.
//!
//! The head has to be what was judged, by its tree or by an equal patch at its place, as in a merge queue. Who may decide is read from the
//! base. Deliberately not here: the gate, which is asked again with them.

use std::collections::{BTreeMap, BTreeSet};

use jury_wire::Reason;

use super::GateView;
use crate::base::BasePolicy;
use crate::error::FlowError;
use crate::forge::{Forge, ForgeError};
use crate::judge::{acceptable, judge};
use crate::model::{Acceptable, GateOwner, NamedApprover};
use crate::people::{Approval, Refused};
use crate::publish::{May, count};
use crate::pull_request::Head;
use crate::scope::Repository;
use crate::store::Store;
use crate::worktree;

/// The approvals of a pull request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Approvals {
    /// Those that count.
    pub counted: Vec<Approval>,
    /// Those that do not, and why.
    pub refused: Vec<Refused>,
}

/// Why they could not be asked for.
#[derive(Debug, thiserror::Error)]
pub enum ApprovalsError {
    /// The forge does not tell.
    #[error("the forge cannot be read: {0}")]
    Forge(#[from] ForgeError),
    /// The worktree or its state cannot be used.
    #[error(transparent)]
    Flow(#[from] FlowError),
}

/// Asks a forge for the approvals of a pull request, as far as anything waits for a person.
pub fn approvals(
    repository: &Repository,
    store: &Store,
    view: &GateView,
    base: Option<&str>,
    (name, forge): (&str, &mut dyn Forge),
) -> Result<Approvals, ApprovalsError> {
    let (Some(current), Some(last), Some(judged)) = (&view.state.full, &view.full, &view.judged) else {
        return Ok(Approvals::default());
    };
    let (state, opinions) = (forge.state()?, forge.opinions()?);
    let head = Head::read(repository, store, (base, &judged.base), last, &state.head)?;
    let review = worktree::recorded(store, &current.record)?;

    // What can be decided, and what of it waits for a person.
    let waiting: BTreeSet<&str> = view
        .gate
        .checked
        .iter()
        .filter(|checked| !checked.holds)
        .flat_map(|checked| checked.owned_by(GateOwner::Person))
        .map(|finding| finding.id.as_str())
        .collect();
    let path = |what: &Acceptable| match what {
        Acceptable::Finding { path, .. } => Some(path.clone()).filter(|path| path != "."),
        // Several files together take somebody who decides about the whole.
        Acceptable::Files(paths) => paths.first().filter(|_| paths.len() == 1).cloned(),
    };
    let findings: Vec<(String, Option<String>, bool)> = acceptable(&review, &judge(&review))
        .iter()
        .map(|it| (it.id.clone(), path(&it.what), waiting.contains(it.id.as_str())))
        .collect();

    // Who may decide, by the base.
    let policy = BasePolicy::read(repository, &judged.base).map_err(FlowError::from)?.config.people;
    let named = Named::read(repository, &judged.base, &policy.approvers, &head, forge)?;
    let may = May {
        forge: name,
        judged_head: head.is_judged().then_some(head.commit.as_str()),
        tree: last.scope.tree.as_str(),
        review_id: &current.file.review_id,
        findings: &findings,
        is_named: &|account, path| named.has(account, path),
    };
    let (counted, uncounted) = count(&opinions, &state, &may);
    let counted = counted.into_iter().map(|it| Approval { by: it.by, findings: it.findings }).collect();
    let refused = uncounted.into_iter().map(|it| Refused { name: it.by, id: None, reason: it.reason, what: it.what });
    Ok(Approvals { counted, refused: named.unread.into_iter().chain(refused).collect() })
}

/// The accounts that the base names.
struct Named {
    accounts: BTreeSet<String>,
    /// The owners of each file of the change, and of all of them together.
    owners: BTreeMap<String, BTreeSet<String>>,
    unread: Vec<Refused>,
}

impl Named {
    fn read(
        repository: &Repository,
        base: &crate::model::Base,
        approvers: &[NamedApprover],
        head: &Head,
        forge: &mut dyn Forge,
    ) -> Result<Self, FlowError> {
        let mut teams: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut unread = Vec::new();
        let mut accounts_of = |named: &NamedApprover, unread: &mut Vec<Refused>| match named {
            NamedApprover::Owners => BTreeSet::new(),
            NamedApprover::Account(account) => BTreeSet::from([account.to_lowercase()]),
            NamedApprover::Team(team) => {
                let members = teams.entry(team.clone()).or_insert_with(|| match forge.members(team) {
                    Ok(members) => members.iter().map(|name| name.to_lowercase()).collect(),
                    Err(error) => {
                        let what = format!("the members of @{team} cannot be read: {error}");
                        let name = format!("@{team}");
                        unread.push(Refused { name, id: None, reason: Reason::ApprovalUnnamed, what });
                        BTreeSet::new()
                    }
                });
                members.clone()
            }
        };
        let mut accounts = BTreeSet::new();
        for named in approvers {
            accounts.extend(accounts_of(named, &mut unread));
        }
        let mut owners = BTreeMap::new();
        if approvers.contains(&NamedApprover::Owners)
            && let Some(list) = repository.owners(base)?
        {
            for path in head.files().iter().map(|file| &file.path) {
                // An address of mail names no account.
                let of = list.of(path).iter().filter(|owner| owner.starts_with('@'));
                let of = of.flat_map(|owner| accounts_of(&NamedApprover::parse(owner), &mut unread)).collect();
                owners.insert(path.clone(), of);
            }
        }
        Ok(Self { accounts, owners, unread })
    }

    /// Tells whether an account decides about a file; for the whole change it has to own all of it.
    fn has(&self, account: &str, path: Option<&str>) -> bool {
        let account = account.to_lowercase();
        let owns = |of: &BTreeSet<String>| of.contains(&account);
        let is_owner = match path {
            Some(path) => self.owners.get(path).is_some_and(owns),
            None => !self.owners.is_empty() && self.owners.values().all(owns),
        };
        is_owner || self.accounts.contains(&account)
    }
}
