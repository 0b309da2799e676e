//! Intermediate representation of code: the same few shapes for every language. In: the output of a lowerer of
//! `lower/`. Out: expressions in an arena, statements in blocks, functions, imports. Deliberately not here: their
//! meaning.

use std::ops::Range;

/// The number of ancestors of a class that are searched.
const MOST_ANCESTORS: usize = 8;

/// A file, lowered.
#[derive(Debug, Default)]
pub(crate) struct Unit<'t> {
    /// All expressions; an `ExprId` is an index.
    pub(crate) exprs: Vec<Expr<'t>>,
    /// All functions, methods and closures; a `FunctionId` is an index.
    pub(crate) functions: Vec<Function<'t>>,
    /// The imported names of the file.
    pub(crate) imports: Vec<Import<'t>>,
    /// The derived classes of the file, each with one base class, a path of `Name` and `Member`.
    pub(crate) bases: Vec<(&'t str, ExprId)>,
    /// The top-level statements.
    pub(crate) body: Block,
    /// The declared classes of the file, if their fields have declared types.
    pub(crate) classes: Vec<&'t str>,
    /// The declared enums of the file: their values are few and constant.
    pub(crate) enums: Vec<&'t str>,
    /// Capitalised names mean nothing: shells write variables that way.
    pub(crate) has_capital_variables: bool,
}

/// A name in the file, and the dotted path it refers to: `cp` and `child_process`, `run` and `subprocess.run`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Import<'t> {
    pub(crate) local: &'t str,
    pub(crate) path: String,
}

/// The index of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ExprId(pub(crate) u32);

/// The index of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FunctionId(pub(crate) u32);

/// Statements in execution order.
pub(crate) type Block = Vec<Stmt>;

/// An expression and its position.
#[derive(Debug)]
pub(crate) struct Expr<'t> {
    pub(crate) kind: Kind<'t>,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// The kind of an expression. Forms that do not change a value (parentheses, `await`, `x!`, `&x`, `*x`, a spread) have
/// no kind: the lowerer returns the inner expression.
#[derive(Debug)]
pub(crate) enum Kind<'t> {
    /// A variable, function, class or module: `x`, `this`, `self`. Without the `$` of PHP and the `@` of Ruby.
    Name(&'t str),
    /// `object.name`, `object?.name`, `object->name`, `Type::name`.
    Member(ExprId, &'t str),
    /// `object[index]`.
    Index(ExprId, ExprId),
    /// A call, a construction (`new X(…)`), a shell command, a Dockerfile instruction.
    Call { callee: ExprId, args: Vec<Arg<'t>> },
    /// Text without holes, as written between its quotes.
    Text(&'t str),
    /// A number, a boolean, null, a regular expression, as written.
    Literal(&'t str),
    /// Text built from parts: templates, `+`, `.`, `%`, formatting.
    Concat(Vec<ExprId>),
    /// A list, tuple, set.
    List(Vec<ExprId>),
    /// An object, map, hash or struct with its keys; a part without a key is a spread.
    Record(Vec<(Option<&'t str>, ExprId)>),
    /// `test ? then : otherwise`.
    If { test: ExprId, then: ExprId, otherwise: ExprId },
    /// One of several values: `a || b`, `a ?? b`, `match`.
    Choice(Vec<ExprId>),
    /// A cast to a named type: `(int) x`, `x as number`, `x.(string)`.
    Cast(&'t str, ExprId),
    /// An operation whose result does not contain the text of its operands: arithmetic, comparison, negation.
    Operation(&'t str, Vec<ExprId>),
    /// A closure or a function as a value.
    Function(FunctionId),
    /// An assignment within an expression; its value is the assigned one.
    Assign { target: ExprId, value: ExprId },
    /// Anything else: its parts are evaluated, and the result is unknown.
    Other(Vec<ExprId>),
}

/// An argument of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arg<'t> {
    /// The keyword, if it has one.
    pub(crate) name: Option<&'t str>,
    pub(crate) value: ExprId,
}

/// A statement.
#[derive(Debug)]
pub(crate) enum Stmt {
    Expr(ExprId),
    /// `target = value`, `let target: of = value`. The target is a `Name`, `Member` or `Index`; a `List` or `Record` of
    /// these destructures the value. The type is a path of `Name` and `Member`, without its parameters.
    Assign {
        target: ExprId,
        of: Option<ExprId>,
        value: Option<ExprId>,
    },
    /// `target += value` and similar.
    Append {
        target: ExprId,
        value: ExprId,
    },
    /// `if`, `unless` (with the blocks swapped), one arm of a switch whose value is tested.
    If {
        test: ExprId,
        then: Block,
        otherwise: Block,
    },
    /// A loop. `each` is the target and the iterated value.
    Loop {
        each: Option<(ExprId, ExprId)>,
        test: Option<ExprId>,
        body: Block,
    },
    /// Blocks of which at most one runs: the arms of a switch, the handlers of a `try`.
    OneOf(Vec<Block>),
    /// Statements that run in order: a plain block, a class with its fields and methods, the body of a `try`.
    Block(Block),
    /// A named function or method, declared here.
    Function(FunctionId),
    Return(Option<ExprId>),
    /// `throw`, `raise`, `break`, `continue`, a call that ends the program: the rest of the block does not run.
    Leave(Option<ExprId>),
}

/// A function, method or closure. The body of an expression-bodied one is a `Return`.
#[derive(Debug, Default)]
pub(crate) struct Function<'t> {
    pub(crate) name: Option<&'t str>,
    /// Its class, if it is a method.
    pub(crate) class: Option<&'t str>,
    /// `@decorators` and annotations, each a `Name`, `Member` or `Call`.
    pub(crate) decorators: Vec<ExprId>,
    pub(crate) params: Vec<Param<'t>>,
    pub(crate) body: Block,
    /// Its declared result type, a path of `Name` and `Member`.
    pub(crate) result: Option<ExprId>,
}

/// A parameter.
#[derive(Debug)]
pub(crate) struct Param<'t> {
    /// A `Name`, or a `List` or `Record` that destructures the argument.
    pub(crate) target: ExprId,
    /// The keyword under which callers pass it, if it differs from position.
    pub(crate) name: Option<&'t str>,
    pub(crate) of: Option<ExprId>,
    pub(crate) decorators: Vec<ExprId>,
    pub(crate) default: Option<ExprId>,
}

impl<'t> Unit<'t> {
    /// Adds an expression to the arena.
    pub(crate) fn add(&mut self, kind: Kind<'t>, span: Range<usize>) -> ExprId {
        let id = ExprId(u32::try_from(self.exprs.len()).expect("a parsed file has few expressions"));
        let [start, end] = [span.start, span.end].map(|at| u32::try_from(at).expect("a parsed file has at most 2 MiB"));
        self.exprs.push(Expr { kind, start, end });
        id
    }

    /// Adds a function to the arena.
    pub(crate) fn add_function(&mut self, function: Function<'t>) -> FunctionId {
        let id = FunctionId(u32::try_from(self.functions.len()).expect("a parsed file has few functions"));
        self.functions.push(function);
        id
    }

    /// Records the meaning of an imported name.
    pub(crate) fn import(&mut self, local: &'t str, path: impl Into<String>) {
        self.imports.push(Import { local, path: path.into() });
    }

    /// Returns the base classes of a class of the file, direct and through other classes of the file.
    pub(crate) fn ancestors(&self, class: &str) -> Vec<ExprId> {
        let of = |class: &str| -> Vec<ExprId> {
            self.bases.iter().filter(|(known, _)| *known == class).map(|(_, base)| *base).collect()
        };
        let mut all = of(class);
        let mut at = 0;
        while let Some(base) = all.get(at).copied().filter(|_| all.len() < MOST_ANCESTORS) {
            if let Kind::Name(name) = self.kind(base) {
                let further: Vec<ExprId> = of(name).into_iter().filter(|base| !all.contains(base)).collect();
                all.extend(further);
            }
            at += 1;
        }
        all
    }

    pub(crate) fn expr(&self, id: ExprId) -> &Expr<'t> {
        &self.exprs[id.0 as usize]
    }

    pub(crate) fn kind(&self, id: ExprId) -> &Kind<'t> {
        &self.expr(id).kind
    }

    pub(crate) fn function(&self, id: FunctionId) -> &Function<'t> {
        &self.functions[id.0 as usize]
    }
}
