//! The commands that a message can begin with: what a CLI has by itself, and where people put their own. As data; the
//! server reads the files.

#[cfg(test)]
mod tests;

/// All that can be said of a CLI's commands without looking at any file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Commands {
    /// What the CLI has by itself: the name after the slash, and what it does.
    pub built_in: &'static [(&'static str, &'static str)],
    /// Where further ones are defined.
    pub shelves: &'static [CommandShelf],
}

/// A folder with a file for each command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandShelf {
    /// Below which folder.
    pub below: Below,
    /// The folder, as a path below that one.
    pub folder: &'static str,
    /// How the files are written.
    pub form: CommandForm,
    /// What stands before the file's name in the command's.
    pub prefix: &'static str,
    /// True when folders in it are a part of the name.
    pub nested: bool,
}

/// Below which folder commands are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Below {
    /// The session's.
    Project,
    /// The CLI's own, in the person's home.
    CliHome,
}

/// How a file defines a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandForm {
    /// Markdown, perhaps with a head between two rules.
    Markdown,
    /// TOML.
    Toml,
}

/// The longest description that is shown.
const DESCRIPTION_LIMIT: usize = 120;

impl CommandForm {
    /// How the names of such files end.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            CommandForm::Markdown => "md",
            CommandForm::Toml => "toml",
        }
    }

    /// What a file says that its command does: its description, or else its first line; empty when it says nothing.
    #[must_use]
    pub fn description(self, text: &str) -> String {
        let found = match self {
            CommandForm::Markdown => in_markdown(text),
            CommandForm::Toml => value_of(text.lines(), '='),
        };
        found.unwrap_or_default().chars().filter(|ch| !ch.is_control()).take(DESCRIPTION_LIMIT).collect()
    }
}

impl CommandShelf {
    /// The name of the command that a file defines, by its path below the shelf without the ending. Nothing when it could
    /// not be typed.
    #[must_use]
    pub fn name(&self, path: &[&str]) -> Option<String> {
        let typable = |part: &&str| !part.is_empty() && !part.chars().any(|ch| ch.is_whitespace() || ch.is_control());
        let fits = !path.is_empty() && (self.nested || path.len() == 1) && path.iter().all(typable);
        fits.then(|| format!("{}{}", self.prefix, path.join(":")))
    }
}

fn in_markdown(text: &str) -> Option<String> {
    let mut lines = text.lines();
    let Some(rest) = text.strip_prefix("---\n") else {
        return lines.find(|line| !line.trim().is_empty()).map(plain);
    };
    let head = rest.lines().take_while(|line| *line != "---");
    value_of(head, ':').or_else(|| {
        let body = rest.lines().skip_while(|line| *line != "---").skip(1);
        body.map(str::trim).find(|line| !line.is_empty()).map(plain)
    })
}

/// A line without what makes it a heading.
fn plain(line: &str) -> String {
    line.trim_start_matches('#').trim().to_owned()
}

/// The value that a line gives to `description`.
fn value_of<'a>(mut lines: impl Iterator<Item = &'a str>, sign: char) -> Option<String> {
    let value = lines.find_map(|line| {
        let (name, value) = line.split_once(sign)?;
        (name.trim() == "description").then(|| value.trim())
    })?;
    let quoted = ['"', '\''].into_iter().find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote));
    Some(quoted.unwrap_or(value).to_owned()).filter(|value| !value.is_empty())
}

/// A file named with an `@`, which puts its content into the message. A path with a blank would end at it, so such a one is
/// only named.
#[must_use]
pub fn at_mention(path: &str) -> String {
    if path.contains(char::is_whitespace) { path.to_owned() } else { format!("@{path}") }
}
