//! A command line, read twice.
//!
//! [`own`] is our reader: it never fails, and what it cannot make out becomes a problem while everything after it is still listed.
//! [`grammar`] walks the tree of a whole bash grammar and trusts none of its "literals". Only when both found no problem and
//! the same commands is a line *understood*; everything else can be denied or asked, never allowed.

pub(crate) mod ast;
pub(crate) mod grammar;
pub(crate) mod own;

use ast::Script;

/// Longer lines are asked: nobody has read them. In bytes.
pub(crate) const LENGTH_LIMIT: usize = 16 * 1024;
/// Deeper nesting than anybody writes.
pub(crate) const DEPTH_LIMIT: usize = 24;
/// More words than anybody reads. A command weighs as much as ten words: past about 150 commands nobody has read the line, and judging
/// it would take longer than the millisecond there is.
pub(crate) const NODE_LIMIT: usize = 1600;
pub(crate) const COMMAND_WEIGHT: usize = 10;

pub(crate) const TOO_DEEP: &str = "the command is nested too deeply";
pub(crate) const TOO_MANY: &str = "the command has too many parts";

/// Both readings of a line.
#[derive(Debug, Clone, Default)]
pub(crate) struct Line {
    /// One script when both agree, otherwise whatever each of them found.
    pub scripts: Vec<Script>,
    /// Why it must not be allowed; empty when it was understood.
    pub problems: Vec<&'static str>,
}

/// Reads a line twice and compares.
pub(crate) fn read(text: &str) -> Line {
    if text.len() > LENGTH_LIMIT {
        let start: String = text.chars().take(LENGTH_LIMIT / 4).collect();
        let own = own::read(&start);
        return Line { scripts: vec![own.script], problems: vec!["the command is too long to be judged"] };
    }
    let own = own::read(text);
    let mut problems = own.problems;
    if problems.iter().any(|problem| [TOO_DEEP, TOO_MANY].contains(problem)) {
        // The grammar calls itself for every level; it is not given what could end the stack.
        return Line { scripts: vec![own.script], problems };
    }
    let scripts = match grammar::read(text) {
        Ok(grammar) => {
            problems.extend(grammar.problems);
            if own.script == grammar.script {
                vec![own.script]
            } else {
                if problems.is_empty() {
                    problems.push("two readings of the command disagree");
                }
                vec![own.script, grammar.script]
            }
        }
        Err(problem) => {
            problems.push(problem);
            vec![own.script]
        }
    };
    problems.dedup();
    Line { scripts, problems }
}

#[cfg(test)]
mod tests;
