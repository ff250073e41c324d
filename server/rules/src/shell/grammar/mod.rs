//! The second reading: a walk over the tree of the crate `rable`, a whole bash grammar.
//!
//! Its tree is believed for structure only. Substitutions deeper than two levels, arguments of `${…}` and the text of
//! here-documents come back as raw text; each is read again or becomes a problem. Nothing is allowed because it is called a literal.

mod words;

use std::{cell::OnceCell, rc::Rc};

use rable::{Node, NodeKind};

use super::{
    DEPTH_LIMIT, NODE_LIMIT, TOO_DEEP, TOO_MANY,
    ast::{Block, BlockKind, Reading, Redirect, RedirectKind, Script, Simple, Statement, Word, push_statement},
};

/// Reads a text; an error when the grammar refuses it.
pub(crate) fn read(text: &str) -> Result<Reading, &'static str> {
    let mut walker = Walker::default();
    match walker.parse(text) {
        Some(script) => Ok(Reading { script, problems: walker.problems }),
        None => Err("the grammar cannot read the command"),
    }
}

#[derive(Default)]
struct Walker {
    depth: usize,
    nodes: usize,
    problems: Vec<&'static str>,
}

impl Walker {
    fn parse(&mut self, text: &str) -> Option<Script> {
        if bracket_depth(text) > 4 * DEPTH_LIMIT {
            self.problem(TOO_DEEP);
            return None;
        }
        let nodes = rable::parse(text, false).ok()?;
        Some(self.statements(&nodes))
    }

    fn problem(&mut self, what: &'static str) {
        if !self.problems.contains(&what) {
            self.problems.push(what);
        }
    }

    fn statements(&mut self, nodes: &[Node]) -> Script {
        let mut script = Script::new();
        for node in nodes {
            self.node(node, &mut script);
        }
        script
    }

    fn body(&mut self, node: &Node) -> Script {
        let mut script = Script::new();
        self.node(node, &mut script);
        script
    }

    fn node(&mut self, node: &Node, script: &mut Script) {
        self.nodes += 1;
        if self.nodes > 4 * NODE_LIMIT || self.depth > 4 * DEPTH_LIMIT {
            self.problem(TOO_MANY);
            return;
        }
        self.depth += 1;
        self.statement(node, script);
        self.depth -= 1;
    }

    fn statement(&mut self, node: &Node, script: &mut Script) {
        match &node.kind {
            NodeKind::Command { assignments, words, redirects } => {
                let simple = self.simple(assignments, words, redirects);
                script.push(Statement::Simple(simple));
            }
            NodeKind::Pipeline { commands, .. } => {
                let mut stages = Script::new();
                for command in commands {
                    self.node(command, &mut stages);
                }
                match stages.len() {
                    1 => script.append(&mut stages),
                    _ => script.push(Statement::Pipeline(stages)),
                }
            }
            NodeKind::List { items } => {
                let mut chained = false;
                for item in items {
                    let mut inside = Script::new();
                    self.node(&item.command, &mut inside);
                    for statement in inside {
                        push_statement(script, statement, std::mem::take(&mut chained));
                    }
                    chained = item.operator == Some(rable::ListOperator::And);
                }
            }
            NodeKind::Negation { pipeline } | NodeKind::Time { pipeline, .. } => self.node(pipeline, script),
            NodeKind::If { condition, then_body, else_body, redirects } => {
                let mut body = self.body(condition);
                self.node(then_body, &mut body);
                if let Some(node) = else_body {
                    self.node(node, &mut body);
                }
                self.block(BlockKind::If, Vec::new(), body, redirects, script);
            }
            NodeKind::While { condition, body, redirects } | NodeKind::Until { condition, body, redirects } => {
                let mut inside = self.body(condition);
                self.node(body, &mut inside);
                self.block(BlockKind::Loop, Vec::new(), inside, redirects, script);
            }
            NodeKind::For { var, words, body, redirects } => {
                let words = match words {
                    Some(words) => words.iter().map(|word| self.word(word)).collect(),
                    None => {
                        self.problem("a loop over the arguments of a script");
                        Vec::new()
                    }
                };
                let body = self.body(body);
                self.block(BlockKind::For(var.clone()), words, body, redirects, script);
            }
            NodeKind::Case { word, patterns, redirects } => {
                let mut words = vec![self.word(word)];
                let mut body = Script::new();
                for pattern in patterns {
                    words.extend(pattern.patterns.iter().map(|word| self.word(word)).collect::<Vec<_>>());
                    if let Some(node) = &pattern.body {
                        self.node(node, &mut body);
                    }
                }
                self.block(BlockKind::Case, words, body, redirects, script);
            }
            NodeKind::Subshell { body, redirects } => {
                let body = self.body(body);
                self.block(BlockKind::Subshell, Vec::new(), body, redirects, script);
            }
            NodeKind::BraceGroup { body, redirects } => {
                let body = self.body(body);
                self.block(BlockKind::Group, Vec::new(), body, redirects, script);
            }
            NodeKind::ConditionalExpr { body, redirects } => {
                let (mut words, mut operators) = (Vec::new(), Vec::new());
                self.test(body, &mut words, &mut operators);
                self.block(BlockKind::Test(operators), words, Script::new(), redirects, script);
            }
            NodeKind::Function { body, .. } => {
                self.problem("a function is defined");
                let body = self.body(body);
                self.block(BlockKind::Function, Vec::new(), body, &[], script);
            }
            NodeKind::Select { body, .. } | NodeKind::ForArith { body, .. } => {
                self.problem("a loop of an unusual form");
                self.node(body, script);
            }
            NodeKind::Coproc { command, .. } => {
                self.problem("a coprocess");
                self.node(command, script);
            }
            NodeKind::Empty | NodeKind::Comment { .. } => {}
            NodeKind::ArithmeticCommand { .. } => self.problem("an arithmetic command"),
            _ => self.problem("a form that is not known"),
        }
    }

    fn block(&mut self, kind: BlockKind, words: Vec<Word>, body: Script, redirects: &[Node], script: &mut Script) {
        let redirects = self.redirects(redirects);
        script.push(Statement::Block(Block { kind, words, body, redirects }));
    }

    fn simple(&mut self, assignments: &[Node], words: &[Node], redirects: &[Node]) -> Simple {
        let mut simple = Simple::default();
        for node in assignments {
            let word = self.word(node);
            match word.as_assignment() {
                Some(assignment) => simple.assignments.push(assignment),
                None => self.problem("an array is assigned"),
            }
        }
        simple.words = words.iter().map(|word| self.word(word)).collect();
        simple.redirects = self.redirects(redirects);
        simple
    }

    fn redirects(&mut self, nodes: &[Node]) -> Vec<Redirect> {
        let redirects = nodes.iter().filter_map(|node| self.redirect(node));
        redirects.filter(|redirect| !redirect.only_joins()).collect()
    }

    fn redirect(&mut self, node: &Node) -> Option<Redirect> {
        match &node.kind {
            NodeKind::Redirect { op, target, varfd, .. } => {
                if varfd.is_some() {
                    self.problem("a redirection into a variable");
                }
                if matches!(op.as_str(), ">&-" | "<&-") {
                    return None;
                }
                let kind = match op.as_str() {
                    "<" => RedirectKind::Read,
                    ">" | ">|" | ">>" | "&>" | "&>>" => RedirectKind::Write,
                    "<>" => RedirectKind::ReadWrite,
                    ">&" | "<&" => RedirectKind::Duplicate,
                    "<<<" => RedirectKind::HereString,
                    _ => {
                        self.problem("a redirection of an unknown form");
                        RedirectKind::Write
                    }
                };
                Some(Redirect { kind, target: self.word(target) })
            }
            NodeKind::HereDoc { content, quoted, complete, .. } => {
                if !complete {
                    self.problem("a here-document has no end");
                }
                let mut word = Word::default();
                word.push_text("", true);
                if *quoted {
                    word.push_text(content, true);
                } else {
                    self.here_text(content, &mut word);
                }
                word.tidy();
                let body = Rc::new(OnceCell::from(word));
                Some(Redirect { kind: RedirectKind::HereDocument(body), target: Word::default() })
            }
            _ => {
                self.problem("a redirection of an unknown form");
                None
            }
        }
    }

    fn test(&mut self, node: &Node, words: &mut Vec<Word>, operators: &mut Vec<String>) {
        match &node.kind {
            NodeKind::UnaryTest { op, operand } => {
                operators.push(op.clone());
                self.test(operand, words, operators);
            }
            NodeKind::BinaryTest { op, left, right } => {
                self.test(left, words, operators);
                operators.push(op.clone());
                self.test(right, words, operators);
            }
            NodeKind::CondAnd { left, right } | NodeKind::CondOr { left, right } => {
                self.test(left, words, operators);
                self.test(right, words, operators);
            }
            NodeKind::CondNot { operand: inner } | NodeKind::CondParen { inner } => {
                self.test(inner, words, operators);
            }
            NodeKind::CondTerm { value, .. } => match self.word_of_text(value) {
                Some(word) => words.push(word),
                None => self.problem("a test that cannot be read"),
            },
            NodeKind::Word { .. } => {
                let word = self.word(node);
                words.push(word);
            }
            _ => self.problem("a test that cannot be read"),
        }
    }
}

/// How deep brackets of any kind could be nested: the grammar calls itself for each.
fn bracket_depth(text: &str) -> usize {
    let (mut depth, mut most) = (0usize, 0usize);
    for each in text.chars() {
        match each {
            '(' | '{' => {
                depth += 1;
                most = most.max(depth);
            }
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    most
}
