//! What a rule is about: `Bash(git commit:*)`, `Edit(src/**)`, `WebFetch(domain:docs.rs)`, `mcp__server__tool`.

use crate::{
    tools::{self, Kind},
    walk,
};

/// What a rule is about.
#[derive(Debug, Clone, PartialEq)]
pub enum Pattern {
    /// Commands.
    Shell(ShellPattern),
    /// Files that are changed, created or deleted.
    Edit(Option<String>),
    /// Files that are written whole.
    Write(Option<String>),
    /// Files that are read.
    Read(Option<String>),
    /// Addresses on the web, by their host.
    Fetch(Option<String>),
    /// Searches on the web.
    Search,
    /// Tools of other servers; `*` stands for any text.
    Mcp {
        /// The server's name.
        server: String,
        /// The tool's name.
        tool: String,
    },
    /// Any other tool, by its name.
    Tool(String),
}

/// Which commands.
#[derive(Debug, Clone, PartialEq)]
pub enum ShellPattern {
    /// All of them.
    Any,
    /// Words, and whether more may follow.
    Words {
        /// The words, in their order.
        words: Vec<PatternWord>,
        /// True for `…:*`, `… *` and a last word that ends in `*`.
        more: bool,
    },
    /// A whole line with operators in it.
    Line {
        /// The line.
        text: String,
        /// `*` in it stands for any text; such a rule can deny and ask, never allow.
        wild: bool,
    },
}

/// One word of a pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternWord {
    /// The text, quotes off.
    pub text: String,
    /// `*` in it stands for any text.
    pub wild: bool,
    /// It stood in quotes or was escaped: to allow, its `*` is only a star.
    pub quoted: bool,
}

/// Reads a pattern.
///
/// # Errors
/// Why it is none.
pub fn parse_pattern(text: &str) -> Result<Pattern, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("the rule is empty".to_owned());
    }
    if let Some(what) = crate::characters::deceives(text, false) {
        return Err(format!("the rule {what}"));
    }
    let (name, inside) = match text.split_once('(') {
        Some((name, rest)) => {
            let inside = rest.strip_suffix(')').ok_or("the closing bracket is missing")?;
            (name.trim(), Some(inside.trim()))
        }
        None => (text, None),
    };
    if name.is_empty() || !name.chars().all(|each| each.is_ascii_alphanumeric() || "_-.*".contains(each)) {
        return Err(format!("{name:?} is no name of a tool"));
    }
    let inside = inside.filter(|inside| !inside.is_empty());
    let path = || inside.filter(|inside| *inside != "*").map(str::to_owned);
    Ok(match tools::kind_of(name) {
        Kind::Shell => Pattern::Shell(inside.map_or(Ok(ShellPattern::Any), parse_shell)?),
        Kind::Edit | Kind::Patch => Pattern::Edit(path()),
        Kind::Write => Pattern::Write(path()),
        Kind::Read => Pattern::Read(path()),
        Kind::Fetch => match inside {
            None | Some("*") => Pattern::Fetch(None),
            Some(inside) => {
                let host = inside
                    .strip_prefix("domain:")
                    .ok_or("WebFetch is limited with domain:, as in WebFetch(domain:docs.rs)")?;
                let plain = |each: char| each.is_ascii_alphanumeric() || ".-*".contains(each);
                if host.is_empty() || !host.chars().all(plain) {
                    return Err(format!("{host:?} is no name of a host"));
                }
                if host == "*" { Pattern::Fetch(None) } else { Pattern::Fetch(Some(host.to_ascii_lowercase())) }
            }
        },
        Kind::Search => Pattern::Search,
        Kind::Person => return Err(format!("{name} is for a person, whatever a rule says")),
        Kind::Other if name.starts_with("mcp__") => {
            if inside.is_some() {
                return Err("a rule for an MCP tool has no brackets".to_owned());
            }
            let rest = &name["mcp__".len()..];
            let (server, tool) = rest.split_once("__").unwrap_or((rest, "*"));
            if server.is_empty() || tool.is_empty() {
                return Err("an MCP rule reads mcp__server__tool".to_owned());
            }
            Pattern::Mcp { server: server.to_owned(), tool: tool.to_owned() }
        }
        Kind::Other if inside.is_some() => {
            return Err(format!("{name} cannot be limited with brackets: it is not a tool that is known"));
        }
        Kind::Other if name.contains('*') => return Err("a rule must name its tool".to_owned()),
        Kind::Other => Pattern::Tool(name.to_owned()),
    })
}

fn parse_shell(inside: &str) -> Result<ShellPattern, String> {
    let (body, mut more) = match inside.strip_suffix(":*").or_else(|| inside.strip_suffix(" *")) {
        Some(body) => (body.trim_end(), true),
        None => (inside, false),
    };
    if body.is_empty() || body == "*" {
        return Ok(ShellPattern::Any);
    }
    let mut words: Vec<PatternWord> = Vec::new();
    let mut current: Option<PatternWord> = None;
    let mut operators = false;
    let mut chars = body.chars();
    let fresh = || PatternWord { text: String::new(), wild: false, quoted: false };
    while let Some(each) = chars.next() {
        match each {
            ' ' | '\t' => words.extend(current.take()),
            '\'' | '"' => {
                let word = current.get_or_insert_with(fresh);
                word.quoted = true;
                let mut closed = false;
                while let Some(inner) = chars.next() {
                    if inner == each {
                        closed = true;
                        break;
                    }
                    if inner == '\\' && each == '"' {
                        word.text.extend(chars.next());
                    } else {
                        operators |= each == '"' && matches!(inner, '$' | '`');
                        word.text.push(inner);
                    }
                }
                if !closed {
                    return Err("a quote is not closed".to_owned());
                }
            }
            '\\' => {
                let word = current.get_or_insert_with(fresh);
                word.quoted = true;
                word.text.extend(chars.next());
            }
            ';' | '&' | '|' | '<' | '>' | '(' | ')' | '`' | '\n' | '$' => {
                operators = true;
                current.get_or_insert_with(fresh).text.push(each);
            }
            '*' => {
                let word = current.get_or_insert_with(fresh);
                word.wild |= !word.quoted;
                word.text.push('*');
            }
            _ => current.get_or_insert_with(fresh).text.push(each),
        }
    }
    words.extend(current.take());
    if operators {
        let wild = more || words.iter().any(|word| word.wild);
        return Ok(ShellPattern::Line { text: inside.trim().replace(":*", "*"), wild });
    }
    if words.last().is_some_and(|word| word.wild && word.text.ends_with('*')) {
        more = true;
    }
    Ok(ShellPattern::Words { words, more })
}

impl Pattern {
    /// True when it covers more than anybody could have looked at.
    pub(crate) fn is_broad(&self) -> bool {
        match self {
            Self::Shell(ShellPattern::Any) | Self::Fetch(None) => true,
            Self::Shell(ShellPattern::Words { words, .. }) => words.first().is_none_or(|word| word.wild),
            Self::Mcp { server, .. } => server.contains('*'),
            Self::Fetch(Some(host)) => host.trim_start_matches("*.").split('.').count() < 2 && host.contains('*'),
            _ => false,
        }
    }

    /// Why this can never be allowed, whoever says so.
    pub(crate) fn never_allowed(&self) -> Option<String> {
        if let Self::Shell(ShellPattern::Line { wild: true, .. }) = self {
            // A wildcard over operators would allow whatever stands behind them.
            return Some("a rule with operators or variables must be one whole command, without *".to_owned());
        }
        if let Self::Tool(name) = self
            && ["powershell", "pwsh"].contains(&name.to_ascii_lowercase().as_str())
        {
            return Some(format!("{name} runs anything, and its commands are not understood here"));
        }
        let Self::Shell(ShellPattern::Words { words, more }) = self else { return None };
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let first = texts.first()?.rsplit('/').next()?;
        let name = [first].into_iter().chain(texts[1..].iter().copied()).collect::<Vec<_>>();
        let only_shows = name.get(1).is_some_and(|word| matches!(*word, "--version" | "--help" | "-V" | "-version"));
        let only_options = !only_shows && name[1..].iter().all(|word| word.starts_with('-') || *word == "*");
        if *more && only_options && (walk::is_interpreter(first) || walk::is_wrapper(first)) {
            return Some(format!("{first} runs anything: a rule must name what it runs"));
        }
        if *more
            && (1..=name.len()).any(|length| {
                walk::is_launcher(&name[..length])
                    && name[length..].iter().all(|word| word.starts_with('-') || *word == "*")
            })
        {
            return Some(format!("{} runs anything: a rule must name what it runs", name.join(" ")));
        }
        None
    }
}
