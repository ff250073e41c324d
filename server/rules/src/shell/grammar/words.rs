//! Words of the grammar's tree: quotes are taken off here, and every "literal" is looked at again.

use rable::{Node, NodeKind};

use super::Walker;
use crate::shell::{
    DEPTH_LIMIT,
    ast::{Part, Script, Word},
    own::is_harmless_operation,
};

impl Walker {
    pub(super) fn word(&mut self, node: &Node) -> Word {
        self.nodes += 1;
        let mut word = Word::default();
        let NodeKind::Word { parts, .. } = &node.kind else {
            self.problem("a word of an unknown form");
            return word;
        };
        let mut quoted = false;
        for part in parts {
            self.part(part, &mut word, &mut quoted);
        }
        if quoted {
            self.problem("a quote is not closed");
        }
        word.tidy();
        word
    }

    /// A raw text that must be exactly one word.
    pub(super) fn word_of_text(&mut self, text: &str) -> Option<Word> {
        let nodes = rable::parse(&format!("x {text}"), false).ok()?;
        let [Node { kind: NodeKind::Command { assignments, words, redirects }, .. }] = nodes.as_slice() else {
            return None;
        };
        let [_, word] = words.as_slice() else { return None };
        (assignments.is_empty() && redirects.is_empty()).then(|| self.word(word))
    }

    fn part(&mut self, part: &Node, word: &mut Word, quoted: &mut bool) {
        match &part.kind {
            NodeKind::WordLiteral { value } => self.literal(value, word, quoted),
            NodeKind::BraceExpansion { content } => self.literal(content, word, quoted),
            NodeKind::AnsiCQuote { content, decoded } => {
                if !content.is_ascii() || content.contains("\\c") {
                    self.problem("an unusual escape");
                }
                if *quoted {
                    self.problem("a quote inside a quote");
                }
                word.push_text(decoded, true);
            }
            NodeKind::ParamExpansion { param, op, arg } => {
                let rest = format!("{}{}", op.as_deref().unwrap_or_default(), arg.as_deref().unwrap_or_default());
                let plain = |each: char| each.is_ascii_alphanumeric() || "_./:,@%+=-#*?^".contains(each);
                let name = param.chars().all(|each| each.is_ascii_alphanumeric() || each == '_')
                    || matches!(param.as_str(), "@" | "*" | "#" | "?" | "$" | "!" | "-");
                if !name || !rest.chars().all(plain) || !is_harmless_operation(&rest) {
                    self.problem("a variable is expanded in an unusual way");
                }
                word.parts.push(Part::Variable { name: param.clone(), rest, quoted: *quoted });
            }
            NodeKind::ParamLength { param } => {
                word.parts.push(Part::Variable { name: param.clone(), rest: "#".to_owned(), quoted: *quoted });
            }
            NodeKind::CommandSubstitution { command, brace } => {
                if *brace {
                    self.problem("a substitution of a new form");
                }
                let script = self.body(command);
                word.parts.push(Part::Command { script, quoted: *quoted });
            }
            NodeKind::ProcessSubstitution { command, .. } => {
                let script = self.body(command);
                word.parts.push(Part::Process { script });
            }
            NodeKind::ArithmeticExpansion { expression } => {
                let mut names = Vec::new();
                match expression {
                    Some(expression) => self.arithmetic(expression, &mut names),
                    None => self.problem("arithmetic that is not plain"),
                }
                word.parts.push(Part::Arithmetic { names, quoted: *quoted });
            }
            _ => self.problem("an expansion of an unknown form"),
        }
    }

    /// Takes quotes off. What still looks like a substitution is one that the grammar gave up on.
    fn literal(&mut self, text: &str, word: &mut Word, quoted: &mut bool) {
        if let Some(script) = self.given_up(text) {
            match text.starts_with('$') {
                true => word.parts.push(Part::Command { script, quoted: *quoted }),
                false => word.parts.push(Part::Process { script }),
            }
            return;
        }
        let mut chars = text.chars().peekable();
        while let Some(next) = chars.next() {
            match next {
                '"' => {
                    *quoted = !*quoted;
                    word.push_text("", true);
                }
                '\'' if !*quoted => {
                    let mut closed = false;
                    let mut inside = String::new();
                    for each in chars.by_ref() {
                        if each == '\'' {
                            closed = true;
                            break;
                        }
                        inside.push(each);
                    }
                    if !closed {
                        self.problem("a quote is not closed");
                    }
                    word.push_text(&inside, true);
                }
                '\\' => match chars.next() {
                    None => self.problem("a backslash at the end"),
                    Some('\n') => {}
                    Some(each) if *quoted && !matches!(each, '$' | '`' | '"' | '\\') => {
                        word.push_text(&format!("\\{each}"), true);
                    }
                    Some(each) => word.push_text(each.encode_utf8(&mut [0; 4]), true),
                },
                '`' => self.problem("a substitution that cannot be read"),
                '$' if matches!(chars.peek(), Some('(' | '{' | '[' | '"' | '\'' | '\\'))
                    && !(*quoted && chars.peek() == Some(&'\'')) =>
                {
                    // Before a closing quote a dollar sign is only a dollar sign.
                    if !(*quoted && chars.peek() == Some(&'"')) {
                        self.problem("a substitution that cannot be read");
                    }
                    word.push_text("$", *quoted);
                }
                '<' | '>' | '(' | ')' if !*quoted => self.problem("an operator inside a word"),
                _ => word.push_text(next.encode_utf8(&mut [0; 4]), *quoted),
            }
        }
    }

    /// The commands in a `$(…)` or `<(…)` that came back as plain text because it was nested too deeply.
    fn given_up(&mut self, text: &str) -> Option<Script> {
        let inner = ["$(", "<(", ">("].iter().find_map(|open| text.strip_prefix(open))?.strip_suffix(')')?;
        self.depth += 1;
        let script = if self.depth > 2 * DEPTH_LIMIT { None } else { self.parse(inner) };
        self.depth -= 1;
        if script.is_none() {
            self.problem("a substitution that cannot be read");
        }
        script
    }

    /// The text of a here-document: plain, with variables, or it does not allow.
    pub(super) fn here_text(&mut self, text: &str, word: &mut Word) {
        let mut chars = text.chars().peekable();
        while let Some(next) = chars.next() {
            match (next, chars.peek().copied()) {
                ('\\', Some(each)) => {
                    chars.next();
                    match each {
                        '\n' => {}
                        '$' | '`' | '\\' => word.push_text(each.encode_utf8(&mut [0; 4]), true),
                        _ => word.push_text(&format!("\\{each}"), true),
                    }
                }
                ('`', _) | ('$', Some('(' | '{' | '[' | '\\')) => {
                    self.problem("a here-document with commands in it");
                    return;
                }
                ('$', Some(first)) if first.is_ascii_alphabetic() || first == '_' => {
                    let mut name = String::new();
                    while let Some(each) = chars.next_if(|each| each.is_ascii_alphanumeric() || *each == '_') {
                        name.push(each);
                    }
                    word.parts.push(Part::Variable { name, rest: String::new(), quoted: true });
                }
                ('$', Some(special)) if special.is_ascii_digit() || "@*#?$!-".contains(special) => {
                    chars.next();
                    let name = special.to_string();
                    word.parts.push(Part::Variable { name, rest: String::new(), quoted: true });
                }
                _ => word.push_text(next.encode_utf8(&mut [0; 4]), true),
            }
        }
    }

    fn arithmetic(&mut self, node: &Node, names: &mut Vec<String>) {
        self.nodes += 1;
        match &node.kind {
            NodeKind::ArithNumber { .. } | NodeKind::ArithEmpty => {}
            NodeKind::ArithVar { name } => names.push(name.clone()),
            NodeKind::ArithBinaryOp { left, right, .. } | NodeKind::ArithComma { left, right } => {
                self.arithmetic(left, names);
                self.arithmetic(right, names);
            }
            NodeKind::ArithAssign { target, value, .. } => {
                self.arithmetic(target, names);
                self.arithmetic(value, names);
            }
            NodeKind::ArithUnaryOp { operand, .. }
            | NodeKind::ArithPreIncr { operand }
            | NodeKind::ArithPostIncr { operand }
            | NodeKind::ArithPreDecr { operand }
            | NodeKind::ArithPostDecr { operand } => self.arithmetic(operand, names),
            NodeKind::ArithTernary { condition, if_true, if_false } => {
                self.arithmetic(condition, names);
                for branch in [if_true, if_false].into_iter().flatten() {
                    self.arithmetic(branch, names);
                }
            }
            _ => self.problem("arithmetic that is not plain"),
        }
    }
}
