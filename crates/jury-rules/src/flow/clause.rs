//! Matches clauses of rules. In: a call, an assignment, a record, a returned value. Out: a report.

use super::calls::Given;
use super::ir::{ExprId, Kind};
use super::literals::number;
use super::machine::Machine;
use super::names::{Name, Pattern};
use super::program::{Bits, Compiled, Test, Which};
use super::spec::{ArgumentKey, Is};
use super::trace::Trace;
use super::value::{Value, ValueShape};

/// Suffixes of the types that a framework passes to a handler.
const PASSED_BY_FRAMEWORKS: [&str; 7] =
    ["Request", "Response", "ResponseWriter", "Context", "Ctx", "Session", "Exchange"];

/// The source sets and sanitiser classes that count for a clause.
#[derive(Clone, Copy)]
struct Eye {
    sources: Bits,
    clears: Bits,
}

impl From<&Compiled> for Eye {
    fn from(clause: &Compiled) -> Self {
        Self { sources: clause.sources, clears: clause.clears }
    }
}

impl<'u, 't: 'u> Machine<'u, 't> {
    /// Shows a call to the clauses. For a match that is reported where the result is used, returns its place.
    pub(super) fn judge_call(
        &mut self,
        id: ExprId,
        callee: ExprId,
        names: &[Name<'u>],
        receiver: Option<&Value<'u>>,
        given: &[Given<'u>],
    ) -> Option<ExprId> {
        let program = self.program;
        let mut made = None;
        program.unless.each(names, |clause| {
            self.kept_off.insert((self.root, clause));
        });
        let mut candidates = Vec::new();
        program.calls.each(names, |clause| candidates.push(clause));
        for at in candidates {
            let clause = &program.clauses[at];
            self.met = Trace::default();
            if !self.enabled[at]
                || !clause.receiver.as_ref().is_none_or(|test| self.holds(test, receiver, clause.into()))
            {
                continue;
            }
            if let Some(telling) = self.arguments_hold(clause, given) {
                if let Some(other) = clause.keeps_off {
                    self.kept_off.insert((self.root, other));
                    continue;
                }
                if let Some(other) = clause.lets {
                    self.let_on.insert((self.root, other));
                    continue;
                }
                let place = match &clause.at {
                    Some(ArgumentKey::Keyword(keys)) if keys == "keys" => self.telling_member(id, clause, given),
                    Some(place) => argument(given, place).map(|arg| arg.id),
                    None => None,
                };
                let place = self.item_or(place.unwrap_or(id), clause);
                let value = telling.map(|arg| &given[arg].value).or(receiver.filter(|_| clause.receiver.is_some()));
                self.report(at, place, value, Some(callee));
                made = made.or(clause.makes.then_some(place));
            }
        }
        self.judge_keywords(id, callee, names, given);
        made
    }

    /// Returns the member of a record argument that a finding is about, if it is written within the call.
    fn telling_member(&mut self, call: ExprId, clause: &Compiled, given: &[Given<'u>]) -> Option<ExprId> {
        let asked = clause.args.iter().filter(|(_, test)| test.asks_for_members()).map(|(_, test)| test);
        let tests: Vec<&Test> = asked.collect();
        let member = tests.iter().find_map(|test| {
            let told = |arg: &Given<'u>| self.member_that_holds(test, &arg.value, clause.into());
            given.iter().find_map(told)
        })?;
        self.is_written_in(member, call).then_some(member)
    }

    /// Tells whether one expression is written within another.
    fn is_written_in(&self, inner: ExprId, outer: ExprId) -> bool {
        let [inner, outer] = [inner, outer].map(|id| self.unit.expr(id));
        outer.start <= inner.start && inner.end <= outer.end
    }

    /// Returns the innermost member for which a condition holds.
    fn member_that_holds(&mut self, test: &Test, value: &Value<'u>, eye: Eye) -> Option<ExprId> {
        if let Some(one) = test.any.iter().find(|one| self.holds(one, Some(value), eye))
            && let Some(member) = self.member_that_holds(one, value, eye)
        {
            return Some(member);
        }
        let record = value.literal.filter(|_| !test.keys.is_empty() && self.holds(test, Some(value), eye))?;
        test.keys.iter().find_map(|(key, inner)| {
            let member = self.field(record, key)?;
            let value = self.within(record, member)?;
            self.member_that_holds(inner, &value, eye).or(Some(member))
        })
    }

    /// Tells whether the conditions on arguments hold, and which argument is the most telling.
    fn arguments_hold(&mut self, clause: &Compiled, given: &[Given<'u>]) -> Option<Option<usize>> {
        let mut telling: Option<usize> = None;
        for (which, test) in &clause.args {
            let mut holds = |at: usize| self.holds(test, Some(&given[at].value), clause.into());
            let met = match which {
                Which::Any => Some((0..given.len()).find(|at| holds(*at))?),
                Which::Every => (0..given.len()).all(holds).then_some(None)?,
                Which::Last => Some(given.len().checked_sub(1).filter(|at| holds(*at))?),
                Which::One { position, keywords } => {
                    let is_meant = |name: &str| keywords.iter().any(|keyword| keyword == name);
                    let by_keyword = given.iter().position(|arg| arg.name.is_some_and(is_meant));
                    let plain = || given.iter().enumerate().filter(|(_, arg)| arg.name.is_none());
                    let at = by_keyword.or_else(|| plain().nth((*position)?).map(|(at, _)| at));
                    match at {
                        Some(at) => holds(at).then_some(Some(at))?,
                        None => self.holds(test, None, clause.into()).then_some(None)?,
                    }
                }
            };
            // A tainted argument is the most telling, then a dynamic one, then the first.
            let rank = |at: &usize| {
                let value = &given[*at].value;
                (value.taint & clause.sources != 0, !value.is_fixed())
            };
            telling = met.into_iter().chain(telling).max_by_key(rank);
        }
        Some(telling)
    }

    /// Shows the keyword arguments of a call to the clauses over records.
    fn judge_keywords(&mut self, id: ExprId, callee: ExprId, names: &[Name<'u>], given: &[Given<'u>]) {
        let program = self.program;
        for arg in given {
            let Some(clauses) = arg.name.and_then(|name| program.records.get(name)) else { continue };
            for at in clauses {
                let clause = &program.clauses[*at];
                if !self.enabled[*at] || !(clause.of.is_empty() || any(&clause.of, names)) {
                    continue;
                }
                self.met = Trace::default();
                let mut holds = |(key, test): &(String, Test)| {
                    let value = given.iter().find(|arg| arg.name == Some(key)).map(|arg| &arg.value);
                    self.holds(test, value, clause.into())
                };
                if clause.record.iter().all(&mut holds) {
                    let place = clause.at.as_ref().and_then(|place| argument(given, place)).map_or(id, |arg| arg.id);
                    self.report(*at, place, Some(&arg.value), Some(callee));
                }
            }
        }
    }

    /// Shows a record to the clauses; `of` are the names of the call that takes it as an argument.
    pub(super) fn judge_record(&mut self, id: ExprId, of: Option<&[Name<'u>]>) {
        let (unit, program) = (self.unit, self.program);
        let Kind::Record(fields) = unit.kind(id) else { return };
        for (key, _) in fields {
            let Some(clauses) = key.and_then(|key| program.records.get(key)) else { continue };
            for at in clauses {
                let clause = &program.clauses[*at];
                self.met = Trace::default();
                let is_meant = match of {
                    None => clause.of.is_empty(),
                    Some(names) => any(&clause.of, names),
                };
                if self.enabled[*at]
                    && is_meant
                    && let Some(value) = self.fields_hold(id, &clause.record, clause.into())
                {
                    let place = match (&clause.at, key) {
                        (Some(ArgumentKey::Keyword(key)), _) => self.telling_part(id, key, clause).unwrap_or(id),
                        _ => id,
                    };
                    let items = self.telling_items(id, clause);
                    let place = self.item_or(place, clause);
                    for place in if items.is_empty() { vec![place] } else { items } {
                        self.report(*at, place, Some(&value), None);
                    }
                }
            }
        }
    }

    /// Returns every item that a finding is about, if findings are placed at the items.
    fn telling_items(&mut self, record: ExprId, clause: &Compiled) -> Vec<ExprId> {
        let unit = self.unit;
        if !matches!(&clause.at, Some(ArgumentKey::Keyword(at)) if at == "items") {
            return Vec::new();
        }
        let mut telling = Vec::new();
        for (key, test) in &clause.record {
            let (Some(asked), Some(list)) = (test.items.as_deref(), self.field(record, key)) else { continue };
            for item in members(unit.kind(list)) {
                let value = self.within(list, item);
                if value.is_some_and(|value| self.holds(asked, Some(&value), clause.into())) {
                    telling.push(self.named_member(item, asked));
                }
            }
        }
        telling
    }

    /// Returns the member of an item whose text meets the first condition (`uses` of a step that begins with its name),
    /// or the item itself.
    fn named_member(&self, item: ExprId, asked: &Test) -> ExprId {
        let said = asked.keys.iter().filter(|(_, test)| test.text.is_some());
        said.filter_map(|(key, _)| self.field(item, key)).next().unwrap_or(item)
    }

    /// Returns the member at which a finding is placed; within a list the item, and within a record the member, that
    /// met the condition.
    fn telling_part(&mut self, record: ExprId, key: &str, clause: &Compiled) -> Option<ExprId> {
        let unit = self.unit;
        let member = self.field(record, key)?;
        let test = clause.record.iter().find(|(name, _)| name == key).map(|(_, test)| test);
        if let Some(test) = test.filter(|test| test.items.is_none() && test.asks_for_members())
            && let Some(value) = self.within(record, member)
            && let Some(inner) = self.member_that_holds(test, &value, clause.into())
            && self.is_written_in(inner, member)
        {
            return Some(inner);
        }
        let asked = test.and_then(|test| test.items.as_deref());
        let (Some(asked), Kind::List(items)) = (asked, unit.kind(member)) else { return Some(member) };
        let tells = |item: &&ExprId| {
            self.within(member, **item).is_some_and(|value| self.holds(asked, Some(&value), clause.into()))
        };
        items.iter().find(tells).copied().or(Some(member))
    }

    /// Tells whether the conditions on the members of a record hold; returns the value of the first.
    fn fields_hold(&mut self, record: ExprId, tests: &[(String, Test)], eye: Eye) -> Option<Value<'u>> {
        let unit = self.unit;
        let Kind::Record(fields) = unit.kind(record) else { return None };
        let is_open = fields.iter().any(|(key, _)| key.is_none());
        let mut first = None;
        for (key, test) in tests {
            let value = self.field(record, key).and_then(|field| self.within(record, field));
            // A spread value may supply missing members.
            if value.is_none() && is_open || !self.holds(test, value.as_ref(), eye) {
                return None;
            }
            first = first.or(value);
        }
        first
    }

    /// Shows an assignment to the clauses.
    pub(super) fn judge_set(&mut self, target: ExprId, names: &[Name<'u>], value: &Value<'u>) {
        let program = self.program;
        program.unless.each(names, |clause| {
            self.kept_off.insert((self.root, clause));
        });
        let mut candidates = Vec::new();
        program.sets.each(names, |clause| candidates.push(clause));
        for at in candidates {
            let clause = &program.clauses[at];
            self.met = Trace::default();
            if self.enabled[at] && clause.value.as_ref().is_none_or(|test| self.holds(test, Some(value), clause.into()))
            {
                let place = self.item_or(target, clause);
                self.report(at, place, Some(value), None);
            }
        }
    }

    /// Returns the item of a list that met the condition, if the finding is placed there.
    fn item_or(&self, place: ExprId, clause: &Compiled) -> ExprId {
        let is_at_item = matches!(&clause.at, Some(ArgumentKey::Keyword(at)) if at == "items");
        self.item.filter(|_| is_at_item).unwrap_or(place)
    }

    /// Shows a value that is put into an object to the clauses, if its key, or one that led to the object, is not
    /// constant.
    pub(super) fn judge_put(&mut self, target: ExprId, object: &Value<'u>, key: &Value<'u>, value: &Value<'u>) {
        let program = self.program;
        for at in program.puts.iter().filter(|_| key.taint != 0 || object.keyed != 0) {
            let clause = &program.clauses[*at];
            if !self.enabled[*at] {
                continue;
            }
            self.met = Trace::default();
            let sides = [(&clause.put, key), (&clause.receiver, object), (&clause.value, value)];
            let holds = |(test, side): &(&Option<Test>, &Value<'u>)| {
                test.as_ref().is_none_or(|test| self.holds(test, Some(*side), clause.into()))
            };
            if sides.iter().all(holds) {
                self.report(*at, target, Some(key), None);
            }
        }
    }

    /// Shows the use of a name to the clauses.
    pub(super) fn judge_read(&mut self, id: ExprId, names: &[Name<'u>]) {
        let program = self.program;
        let mut candidates = Vec::new();
        program.reads.each(names, |clause| candidates.push(clause));
        self.met = Trace::default();
        for at in candidates.into_iter().filter(|at| self.enabled[*at]).collect::<Vec<_>>() {
            self.report(at, id, None, None);
        }
    }

    /// Records the clauses that a test suppresses by the names it reads: `if (process.env.NODE_ENV === "development")`.
    /// Inside a function they are suppressed in all of it; at the top level only in the branches, which are returned.
    pub(super) fn judge_test(&mut self, test: ExprId) -> Vec<usize> {
        let program = self.program;
        let mut kept_off = Vec::new();
        if program.unless_read.is_empty() {
            return kept_off;
        }
        let names = self.names_in(test);
        program.unless_read.each(&names, |clause| kept_off.push(clause));
        if self.root == 0 {
            return kept_off;
        }
        self.kept_off.extend(kept_off.iter().map(|clause| (self.root, *clause)));
        Vec::new()
    }

    /// Returns the names that an expression reads, as written.
    fn names_in(&mut self, id: ExprId) -> Vec<Name<'u>> {
        let unit = self.unit;
        match unit.kind(id) {
            Kind::Name(_) | Kind::Member(..) => self.path_names(id),
            Kind::Operation(_, parts) | Kind::Choice(parts) => {
                parts.iter().flat_map(|part| self.names_in(*part)).collect()
            }
            Kind::Call { callee, .. } => self.path_names(*callee),
            _ => Vec::new(),
        }
    }

    /// Shows a returned value to the clauses.
    pub(super) fn judge_return(&mut self, id: ExprId, value: &Value<'u>) {
        let program = self.program;
        if program.returns.is_empty() {
            return;
        }
        let decorators = self.current().map(|function| function.decorators.as_slice()).unwrap_or_default();
        let names: Vec<Name<'u>> = decorators.iter().flat_map(|id| self.decorator_names(*id)).collect();
        for at in &program.returns {
            let clause = &program.clauses[*at];
            let is_meant =
                (clause.decorated.is_empty() || any(&clause.decorated, &names)) && !any(&clause.undecorated, &names);
            self.met = Trace::default();
            let holds = clause
                .returns
                .as_ref()
                .is_some_and(|test| self.enabled[*at] && is_meant && self.holds(test, Some(value), clause.into()));
            if holds {
                self.report(*at, id, Some(value), None);
            }
        }
    }

    /// Shows concatenated text to the clauses. On a match the value remembers the place.
    pub(super) fn judge_concat(&mut self, id: ExprId, value: Value<'u>) -> Value<'u> {
        let program = self.program;
        let mut built_at = value.built_at;
        let is_meant = |test: &&Test| value.taint != 0 || test.is == Some(Is::Built);
        for at in program.concats.iter().filter(|_| value.taint != 0 || value.shape == ValueShape::Built) {
            let clause = &program.clauses[*at];
            self.met = Trace::default();
            let test = clause.concat.as_ref().filter(|_| self.enabled[*at]).filter(is_meant);
            if test.is_some_and(|test| self.holds(test, Some(&value), clause.into())) {
                self.report(*at, id, Some(&value), None);
                built_at = Some(id);
            }
        }
        Value { built_at, ..value }
    }

    /// Tells whether a condition holds for a value; the way of one that meets it is kept.
    fn holds(&mut self, test: &Test, value: Option<&Value<'u>>, eye: Eye) -> bool {
        let holds = self.is_met(test, value, eye);
        if let Some(value) = value.filter(|_| holds) {
            self.met.join(&value.trace);
        }
        holds
    }

    fn is_met(&mut self, test: &Test, value: Option<&Value<'u>>, eye: Eye) -> bool {
        if let Some(not) = &test.not
            && self.holds(not, value, eye)
        {
            return false;
        }
        if !test.any.is_empty() && !test.any.iter().any(|one| self.holds(one, value, eye)) {
            return false;
        }
        // Conditions on a function apply to its return value.
        let returned =
            value.and_then(|value| value.function).filter(|_| test.is == Some(Is::Function)).map(|function| {
                let mut met = std::mem::take(&mut self.met);
                let result = self.named_function(function, &[]);
                met.join(&result.trace);
                self.met = met;
                Value { function: Some(function), ..result }
            });
        let value = returned.as_ref().or(value);
        let Some(value) = value else {
            let asks_for_none = test.is == Some(Is::Absent);
            let asks_nothing_else = test.is.is_none()
                && test.literal.is_none()
                && test.text.is_none()
                && test.name.is_empty()
                && test.keys.is_empty()
                && test.items.is_none()
                && test.below.is_none()
                && test.above.is_none();
            return asks_for_none || asks_nothing_else && (test.not.is_some() || !test.any.is_empty());
        };
        test.is.is_none_or(|is| is_so(value, is, eye) || is == Is::Passed && self.is_passed(value, eye))
            && test.literal.as_ref().is_none_or(|literals| {
                value.shape == ValueShape::Constant && value.text.as_deref().is_some_and(|text| literals.have(text))
            })
            && test.text.as_ref().is_none_or(|regex| value.text.as_deref().is_some_and(|text| regex.is_match(text)))
            && !test
                .not_text
                .as_ref()
                .is_some_and(|regex| value.text.as_deref().is_some_and(|text| regex.is_match(text)))
            && (test.name.is_empty() || any(&test.name, &value.names))
            && !any(&test.not_name, &value.names)
            && test.below.is_none_or(|limit| number_of(value).is_some_and(|number| number < limit))
            && test.above.is_none_or(|limit| number_of(value).is_some_and(|number| number > limit))
            && (test.keys.is_empty() || self.keys_hold(test, value, eye))
            && test.items.as_ref().is_none_or(|item| self.an_item_holds(item, value, eye))
    }

    /// Tells whether a value contains a parameter of a named function whose callers are not visible.
    fn is_passed(&mut self, value: &Value<'u>, eye: Eye) -> bool {
        let is_open = !value.is_fixed() && !value.is_cleared(eye.clears) && value.function.is_none();
        let Some(part) = value.dynamic.filter(|_| is_open) else { return false };
        let called = self.active.iter().map(|id| self.unit.function(*id)).filter(|function| function.name.is_some());
        let Some(param) = called.flat_map(|function| &function.params).find(|param| param.target == part) else {
            return false;
        };
        // The untrusted parts of a request are known sources; other parts, and other values from a framework, do not
        // count.
        let of = param.of.map(|of| self.path_names(of)).unwrap_or_default();
        !of.iter().any(|name| PASSED_BY_FRAMEWORKS.iter().any(|end| name.last().ends_with(end)))
    }

    fn keys_hold(&mut self, test: &Test, value: &Value<'u>, eye: Eye) -> bool {
        let Some(record) = value.literal else { return false };
        let unit = self.unit;
        // The items of a list are keyed by their index.
        if let Kind::List(items) = unit.kind(record) {
            return test.keys.iter().all(|(key, test)| {
                let item = key.parse::<usize>().ok().and_then(|at| items.get(at));
                let value = item.and_then(|item| self.within(record, *item));
                let holds = self.holds(test, value.as_ref(), eye);
                self.item = item.copied().filter(|_| holds).or(self.item);
                holds
            });
        }
        let Kind::Record(fields) = unit.kind(record) else { return false };
        let is_open = fields.iter().any(|(key, _)| key.is_none());
        test.keys.iter().all(|(key, test)| {
            let value = self.field(record, key).and_then(|field| self.within(record, field));
            !(value.is_none() && is_open) && self.holds(test, value.as_ref(), eye)
        })
    }

    fn an_item_holds(&mut self, test: &Test, value: &Value<'u>, eye: Eye) -> bool {
        let unit = self.unit;
        let Some(list) = value.literal else { return false };
        let items = members(unit.kind(list));
        let mut holds =
            |item: &ExprId| self.within(list, *item).is_some_and(|value| self.holds(test, Some(&value), eye));
        let met = items.iter().copied().find(|item| holds(item));
        self.item = met.or(self.item);
        met.is_some()
    }
}

/// Returns the items of a list, or the members of a record.
fn members(kind: &Kind<'_>) -> Vec<ExprId> {
    match kind {
        Kind::List(items) => items.clone(),
        Kind::Record(fields) => fields.iter().map(|(_, value)| *value).collect(),
        _ => Vec::new(),
    }
}

fn is_so(value: &Value<'_>, is: Is, eye: Eye) -> bool {
    let is_tainted = || value.is_tainted(eye.sources, eye.clears);
    match is {
        Is::Tainted | Is::Passed => is_tainted(),
        Is::Built => is_tainted() || value.shape == ValueShape::Built && !value.is_cleared(eye.clears),
        Is::Dynamic => is_tainted() || !value.is_fixed() && !value.is_cleared(eye.clears) && value.function.is_none(),
        Is::Constant => value.shape == ValueShape::Constant,
        Is::Single => value.shape == ValueShape::Constant && !value.varies,
        Is::Safe => value.is_fixed(),
        Is::Absent => false,
        Is::Present => true,
        Is::Function => value.function.is_some(),
        Is::Record => value.literal.is_some(),
        Is::Rooted => value.is_rooted,
        Is::Given => value.is_given && !value.is_fixed() && !value.is_cleared(eye.clears),
        Is::Keyed => value.keyed & eye.sources != 0,
    }
}

fn number_of(value: &Value<'_>) -> Option<f64> {
    value.number.or_else(|| value.text.as_deref().filter(|_| value.shape == ValueShape::Constant).and_then(number))
}

fn any(patterns: &[Pattern], names: &[Name<'_>]) -> bool {
    patterns.iter().any(|pattern| names.iter().any(|name| pattern.matches(name)))
}

fn argument<'g, 'u>(given: &'g [Given<'u>], place: &ArgumentKey) -> Option<&'g Given<'u>> {
    match place {
        ArgumentKey::Position(at) => given.iter().filter(|arg| arg.name.is_none()).nth(*at),
        ArgumentKey::Keyword(name) => given.iter().find(|arg| arg.name == Some(name)),
    }
}
