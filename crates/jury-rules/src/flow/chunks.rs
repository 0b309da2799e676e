//! Selects the code of a file that must be evaluated. In: a unit, and the needs of the clauses of a program. Out: the
//! functions and top-level statements in which no clause can match, and on which no matching code depends.
//!
//! A file is divided into chunks: each outermost function with its content, and each top-level statement. A value
//! passes from one chunk to another only by a name: of a function, a class, a variable or a field. So the words
//! available to a chunk are those of all chunks that it reaches through its own words, transitively.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::ir::{Block, ExprId, FunctionId, Kind, Param, Stmt, Unit};
use super::machine::{COMPARISONS, CONSTRUCTORS, is_constructor};
use super::needs::{Needs, Within, Words};

/// The limit on rounds of passing words between chunks. Real code needs a handful; with more, nothing is skipped.
const MOST_ROUNDS: usize = 32;
/// The current object.
const THIS: &str = "this";

/// The skipped code.
pub(super) struct PassedBy {
    functions: Vec<bool>,
    /// Top-level statements, each by its expression or the target of its assignment.
    statements: Vec<bool>,
}

impl PassedBy {
    pub(super) fn nothing(unit: &Unit<'_>) -> Self {
        Self { functions: vec![false; unit.functions.len()], statements: vec![false; unit.exprs.len()] }
    }

    pub(super) fn function(&self, id: FunctionId) -> bool {
        self.functions[id.0 as usize]
    }

    pub(super) fn statement(&self, id: ExprId) -> bool {
        self.statements[id.0 as usize]
    }
}

/// Returns the code that can be skipped for some clauses; `None` if the whole file can.
pub(super) fn passed_by(unit: &Unit<'_>, needs: &Needs, clauses: &[usize]) -> Option<PassedBy> {
    let mut gathered = Gathered::of(unit, needs);
    let mut all = Words::default();
    let sets = gathered.words.iter().map(|word| &word.set).chain(gathered.chunks.iter().map(|chunk| &chunk.set));
    sets.for_each(|set| _ = all.add(set));
    // Most clauses need words that the whole file lacks.
    let within = needs.within(&all, clauses);
    if within.is_nothing() {
        return None;
    }
    let is_needed = if gathered.pass_on() {
        let starts = |at: &usize| gathered.finds_or_keeps_off(*at, &within);
        let starts: Vec<usize> = (0..gathered.chunks.len()).filter(starts).collect();
        gathered.reached(starts)
    } else {
        vec![true; gathered.chunks.len()]
    };
    let mut passed_by = PassedBy::nothing(unit);
    for chunk in gathered.chunks.iter().zip(&is_needed).filter(|(_, is_needed)| !**is_needed).map(|(chunk, _)| chunk) {
        match chunk.of {
            Of::Function(id) => passed_by.functions[id.0 as usize] = true,
            Of::Statement(id) => passed_by.statements[id.0 as usize] = true,
            Of::Test => {}
        }
    }
    is_needed.contains(&true).then_some(passed_by)
}

/// A piece of the file that is evaluated or skipped as a whole.
struct Chunk {
    of: Of,
    /// The words in it, by their index.
    words: Vec<u32>,
    /// The words available to it.
    set: Words,
}

/// The kind of a chunk.
#[derive(Clone, Copy)]
enum Of {
    Function(FunctionId),
    Statement(ExprId),
    /// A condition of statements; it is always evaluated.
    Test,
}

/// A word of the file.
struct Word {
    /// The words available through it.
    set: Words,
    /// The chunks that may define it.
    from: Vec<u32>,
}

struct Gathered<'u, 't> {
    unit: &'u Unit<'t>,
    needs: &'u Needs,
    imports: HashMap<&'u str, &'u str, FixedState>,
    /// Words by their text, and by whether they are in a decorator, where they are distinct.
    indices: HashMap<(&'u str, bool), u32, FixedState>,
    words: Vec<Word>,
    chunks: Vec<Chunk>,
    /// The chunk of each function.
    places: Vec<Option<u32>>,
    /// Bare-name calls in chunks that leave values: the chunk and the word.
    calls: Vec<(u32, u32)>,
    /// The words of the current chunk, the words found in its texts, and whether its variables are visible elsewhere.
    at_hand: Vec<u32>,
    texts: Words,
    is_shared: bool,
    is_decorator: bool,
}

impl<'u, 't> Gathered<'u, 't> {
    fn of(unit: &'u Unit<'t>, needs: &'u Needs) -> Self {
        let mut gathered = Self {
            unit,
            needs,
            imports: unit.imports.iter().map(|import| (import.local, import.path.as_str())).collect(),
            indices: HashMap::default(),
            words: Vec::new(),
            chunks: Vec::new(),
            places: vec![None; unit.functions.len()],
            calls: Vec::new(),
            at_hand: Vec::new(),
            texts: Words::default(),
            is_shared: false,
            is_decorator: false,
        };
        gathered.top(&unit.body);
        gathered.link();
        gathered
    }

    /// Records the words that lead to functions.
    fn link(&mut self) {
        let mut methods = vec![false; self.words.len()];
        for (function, place) in self.unit.functions.iter().zip(std::mem::take(&mut self.places)) {
            let (Some(place), Some(name)) = (place, function.name) else { continue };
            let class = function.class.filter(|class| CONSTRUCTORS.contains(&name) || name == *class);
            for word in [name].into_iter().chain(class) {
                // A word that is never used leads nowhere.
                let Some(word) = self.indices.get(&(word, false)).map(|word| *word as usize) else { continue };
                self.words[word].from.push(place);
                methods[word] |= function.class.is_some();
            }
        }
        // A method called by its bare name fills the current object, which all other methods may read.
        let Some(this) = self.indices.get(&(THIS, false)).map(|word| *word as usize) else { return };
        let fill = self.calls.iter().filter(|(_, word)| methods[*word as usize]).map(|(chunk, _)| *chunk);
        self.words[this].from.extend(fill);
    }

    /// Splits top-level statements.
    fn top(&mut self, block: &'u Block) {
        for statement in block {
            match statement {
                Stmt::Block(inner) => self.top(inner),
                Stmt::OneOf(blocks) => blocks.iter().for_each(|block| self.top(block)),
                Stmt::If { test, then, otherwise } => {
                    self.chunk(Of::Test, true, |this| this.expr(*test));
                    self.top(then);
                    self.top(otherwise);
                }
                Stmt::Loop { each, test, body } => {
                    self.chunk(Of::Test, true, |this| this.head(*each, *test));
                    self.top(body);
                }
                Stmt::Function(id) => {
                    let function = self.unit.function(*id);
                    let on_params = function.params.iter().flat_map(|param| &param.decorators);
                    let decorators = function.decorators.iter().chain(on_params);
                    if decorators.clone().next().is_some() {
                        self.chunk(Of::Test, true, |this| decorators.for_each(|id| this.expr(*id)));
                    }
                    // Methods see the fields that constructors set, with or without `this`.
                    self.chunk(Of::Function(*id), is_constructor(function), |this| {
                        this.function(*id);
                        this.speak(THIS, true);
                    });
                }
                Stmt::Expr(id) => self.chunk(Of::Statement(*id), true, |this| this.expr(*id)),
                Stmt::Assign { target, .. } => {
                    self.chunk(Of::Statement(*target), true, |this| this.statement(statement));
                }
                Stmt::Append { .. } | Stmt::Return(_) | Stmt::Leave(_) => {
                    self.chunk(Of::Test, true, |this| this.statement(statement));
                }
            }
        }
    }

    fn chunk(&mut self, of: Of, is_shared: bool, gather: impl FnOnce(&mut Self)) {
        self.is_shared = is_shared;
        gather(self);
        let mut words = std::mem::take(&mut self.at_hand);
        words.sort_unstable();
        words.dedup();
        let set = std::mem::take(&mut self.texts);
        self.chunks.push(Chunk { of, words, set });
    }

    /// Returns the index of a word.
    fn word(&mut self, text: &'u str, is_decorator: bool) -> u32 {
        let next = self.words.len() as u32;
        let index = *self.indices.entry((text, is_decorator)).or_insert(next);
        if index == next {
            let mut set = Words::default();
            for name in [text].into_iter().chain(self.imports.get(text).copied()) {
                self.needs.note(name, is_decorator, &mut set);
            }
            // A class is also known by its base classes.
            for base in self.unit.ancestors(text) {
                self.note_path(base, is_decorator, &mut set);
            }
            self.words.push(Word { set, from: Vec::new() });
        }
        index
    }

    /// Adds the words of a path of `Name` and `Member`.
    fn note_path(&self, id: ExprId, is_decorator: bool, set: &mut Words) {
        let name = match self.unit.kind(id) {
            Kind::Name(name) => name,
            Kind::Member(of, name) => {
                self.note_path(*of, is_decorator, set);
                name
            }
            _ => return,
        };
        for name in [*name].into_iter().chain(self.imports.get(name).copied()) {
            self.needs.note(name, is_decorator, set);
        }
    }

    /// Adds a word; `is_variable` if values may be stored under it.
    fn speak(&mut self, text: &'u str, is_variable: bool) {
        if self.is_decorator {
            let word = self.word(text, true);
            self.at_hand.push(word);
        }
        let word = self.word(text, false);
        self.at_hand.push(word);
        let chunk = self.chunks.len() as u32;
        let from = &mut self.words[word as usize].from;
        if self.is_shared && is_variable && from.last() != Some(&chunk) {
            from.push(chunk);
        }
    }

    fn block(&mut self, block: &'u Block) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn head(&mut self, each: Option<(ExprId, ExprId)>, test: Option<ExprId>) {
        each.into_iter().flat_map(|(target, of)| [target, of]).chain(test).for_each(|id| self.expr(id));
    }

    fn statement(&mut self, statement: &'u Stmt) {
        match statement {
            Stmt::Expr(id) => self.expr(*id),
            Stmt::Assign { target, of, value } => {
                match (self.unit.kind(*target), value) {
                    // A declared field is still empty, so its object does not lead to it.
                    (Kind::Member(object, name), None) if self.is_this(*object) => self.speak(name, true),
                    _ => self.expr(*target),
                }
                of.iter().chain(value).for_each(|id| self.expr(*id));
            }
            Stmt::Append { target, value } => [target, value].into_iter().for_each(|id| self.expr(*id)),
            Stmt::If { test, then, otherwise } => {
                self.expr(*test);
                self.block(then);
                self.block(otherwise);
            }
            Stmt::Loop { each, test, body } => {
                self.head(*each, *test);
                self.block(body);
            }
            Stmt::OneOf(blocks) => blocks.iter().for_each(|block| self.block(block)),
            Stmt::Block(block) => self.block(block),
            Stmt::Function(id) => self.function(*id),
            Stmt::Return(value) | Stmt::Leave(value) => value.iter().for_each(|id| self.expr(*id)),
        }
    }

    fn function(&mut self, id: FunctionId) {
        self.places[id.0 as usize] = Some(self.chunks.len() as u32);
        let function = self.unit.function(id);
        // Its object has the members of the base classes.
        if !self.unit.bases.is_empty() {
            function.class.into_iter().for_each(|class| self.speak(class, false));
        }
        self.decorators(&function.decorators);
        function.result.into_iter().for_each(|id| self.expr(id));
        function.params.iter().for_each(|param| self.param(param));
        self.block(&function.body);
    }

    fn param(&mut self, param: &'u Param<'t>) {
        param.name.into_iter().for_each(|name| self.speak(name, false));
        [param.target].into_iter().chain(param.of).chain(param.default).for_each(|id| self.expr(id));
        self.decorators(&param.decorators);
    }

    fn decorators(&mut self, ids: &'u [ExprId]) {
        let outer = std::mem::replace(&mut self.is_decorator, true);
        ids.iter().for_each(|id| self.expr(*id));
        self.is_decorator = outer;
    }

    fn is_this(&self, id: ExprId) -> bool {
        matches!(self.unit.kind(id), Kind::Name(THIS))
    }

    fn expr(&mut self, id: ExprId) {
        match self.unit.kind(id) {
            Kind::Name(name) => self.speak(name, true),
            Kind::Member(of, name) => {
                self.expr(*of);
                self.speak(name, self.is_this(*of));
            }
            Kind::Index(of, index) => {
                self.expr(*of);
                match self.unit.kind(*index) {
                    Kind::Text(key) | Kind::Literal(key) => self.speak(key, self.is_this(*of)),
                    _ => self.expr(*index),
                }
            }
            Kind::Call { callee, args } => {
                self.expr(*callee);
                if let (Kind::Name(_), true, Some(word)) =
                    (self.unit.kind(*callee), self.is_shared, self.at_hand.last())
                {
                    self.calls.push((self.chunks.len() as u32, *word));
                }
                for arg in args {
                    arg.name.into_iter().for_each(|name| self.speak(name, false));
                    self.expr(arg.value);
                }
            }
            Kind::Record(fields) => {
                for (key, value) in fields {
                    key.iter().for_each(|key| self.speak(key, false));
                    self.expr(*value);
                }
            }
            Kind::Concat(parts) | Kind::List(parts) | Kind::Choice(parts) | Kind::Other(parts) => {
                parts.iter().for_each(|part| self.expr(*part))
            }
            // A comparison is a call of its operator.
            Kind::Operation(operator, parts) => {
                if COMPARISONS.contains(operator) {
                    self.speak(operator, false);
                }
                parts.iter().for_each(|part| self.expr(*part));
            }
            Kind::If { test, then, otherwise } => [test, then, otherwise].into_iter().for_each(|id| self.expr(*id)),
            Kind::Cast(_, value) => self.expr(*value),
            Kind::Assign { target, value } => [target, value].into_iter().for_each(|id| self.expr(*id)),
            Kind::Function(id) => self.function(*id),
            Kind::Text(text) | Kind::Literal(text) => self.needs.note_text(text, &mut self.texts),
        }
    }

    /// Passes words on until nothing changes; tells whether it converged.
    fn pass_on(&mut self) -> bool {
        for _ in 0..MOST_ROUNDS {
            let mut is_new = false;
            for chunk in &mut self.chunks {
                chunk.words.iter().for_each(|word| is_new |= chunk.set.add(&self.words[*word as usize].set));
            }
            for word in &mut self.words {
                word.from.iter().for_each(|chunk| is_new |= word.set.add(&self.chunks[*chunk as usize].set));
            }
            if !is_new {
                return true;
            }
        }
        false
    }

    /// Tells whether one of the clauses could match in a chunk, or something in it could suppress one: the top level of
    /// a file affects all of it.
    fn finds_or_keeps_off(&self, at: usize, within: &Within<'_>) -> bool {
        let Chunk { of, set, .. } = &self.chunks[at];
        within.may_find(set) || !matches!(of, Of::Function(_)) && within.may_keep_off(set)
    }

    /// Returns the chunks reachable from some chunks.
    fn reached(&self, mut left: Vec<usize>) -> Vec<bool> {
        let mut is_reached = vec![false; self.chunks.len()];
        let mut is_spoken = vec![false; self.words.len()];
        left.iter().for_each(|at| is_reached[*at] = true);
        while let Some(at) = left.pop() {
            for word in &self.chunks[at].words {
                if std::mem::replace(&mut is_spoken[*word as usize], true) {
                    continue;
                }
                for from in &self.words[*word as usize].from {
                    if !std::mem::replace(&mut is_reached[*from as usize], true) {
                        left.push(*from as usize);
                    }
                }
            }
        }
        is_reached
    }
}

#[cfg(test)]
mod tests;
