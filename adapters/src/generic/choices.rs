//! The answers a one-line question lists: `[y/N]`, `(yes/no/[fingerprint])`, `[y,n,q,a,d,e,?]`, `[A]bort, [R]etry`.

use shared_types::OptionRole;

use crate::SightedOption;

/// The answers a question lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    /// In their order; `number` is what is typed for each.
    pub(super) options: Vec<SightedOption>,
    /// True when both a yes and a no are among them.
    pub(super) yes_no: bool,
    /// Free text that is taken as well, by the name the question gives it.
    pub(super) text: Option<String>,
}

/// Words that are answers even where they are spelled out.
const WORDS: [&str; 24] = [
    "yes", "no", "ja", "nein", "oui", "non", "si", "sí", "all", "none", "always", "never", "quit", "abort", "retry",
    "ignore", "skip", "cancel", "edit", "help", "once", "accept", "reject", "deny",
];

/// What the inside of a pair of brackets lists, or nothing when it is no list of answers.
pub(super) fn listed(inside: &str) -> Option<Listed> {
    let (inside, default) = named_default(inside);
    let folded = inside.replace(" or ", "/");
    let tokens: Vec<&str> = folded.split(['/', ',', '|']).map(str::trim).collect();
    // A lone slash between commas, as in `[y,n,/,e,?]`, is itself an answer.
    let by_comma = inside.contains(',') && inside.chars().filter(|ch| *ch == ',').count() >= 2;
    let tokens: Vec<&str> = if by_comma { inside.split(',').map(str::trim).collect() } else { tokens };
    if tokens.len() < 2 {
        return None;
    }
    let mut text = None;
    let mut answers: Vec<(&str, bool)> = Vec::new();
    for token in tokens {
        let bare = token.trim_matches(['[', ']', '(', ')', '\'', '"', '<', '>']);
        let bracketed = bare.len() < token.len() && token.starts_with(['[', '<']);
        if is_answer(bare, by_comma) {
            answers.push((bare, bracketed));
        } else if bracketed && bare.chars().all(char::is_alphabetic) && !bare.is_empty() {
            text = Some(bare.to_owned());
        } else {
            return None;
        }
    }
    if answers.len() < 2 {
        return None;
    }
    let capital = |token: &str| token.starts_with(char::is_uppercase);
    let twin = |token: &str| answers.iter().filter(|(other, _)| other.eq_ignore_ascii_case(token)).count() > 1;
    let capitals: Vec<&str> = answers.iter().map(|(token, _)| *token).filter(|token| capital(token)).collect();
    let by_case = (capitals.len() == 1 && !twin(capitals[0])).then(|| capitals[0]);
    let says = |words: &[&str]| answers.iter().any(|(token, _)| words.contains(&token.to_lowercase().as_str()));
    let tongue = if says(&["y", "yes"]) {
        // Only `git` asks with this row of letters; anywhere else a letter's meaning is anybody's guess.
        let hunks = by_comma && inside.starts_with("y,n,q");
        if hunks { Tongue::GitHunks } else { Tongue::English }
    } else if says(&["j", "ja"]) && says(&["n", "nein"]) {
        Tongue::German
    } else if says(&["o", "oui"]) && says(&["n", "non"]) && answers.len() == 2 {
        Tongue::French
    } else {
        Tongue::English
    };
    let options: Vec<SightedOption> = answers
        .iter()
        .map(|(token, bracketed)| {
            let is_default = match default {
                Some(default) => token.eq_ignore_ascii_case(default),
                None => *bracketed || by_case == Some(*token),
            };
            let typed = if by_case == Some(*token) { token.to_lowercase() } else { (*token).to_owned() };
            answer(typed, is_default, tongue)
        })
        .collect();
    let has = |role| options.iter().any(|option| option.role == Some(role));
    Some(Listed { yes_no: has(OptionRole::Allow) && has(OptionRole::Deny), options, text })
}

/// Yes and no for a question that lists neither: `Proceed?`, or `Is this OK? (yes)` with its default.
pub(super) fn plain_yes_no(default: Option<&str>) -> Listed {
    let long = default.is_some_and(|default| default.len() > 1);
    let (yes, no) = if long { ("yes", "no") } else { ("y", "n") };
    let options = [yes, no]
        .into_iter()
        .map(|token| {
            answer(
                token.to_owned(),
                default.is_some_and(|default| default.eq_ignore_ascii_case(token)),
                Tongue::English,
            )
        })
        .collect();
    Listed { options, yes_no: true, text: None }
}

/// True for a word that says yes or no by itself.
pub(super) fn is_yes_or_no(word: &str) -> bool {
    ["y", "yes", "n", "no", "j", "ja", "nein"].contains(&word.to_lowercase().as_str())
}

/// Words with their key in brackets, as in `[A]bort, (R)etry, [I]gnore?`, and where the first of them begins.
pub(super) fn embedded(text: &str) -> Option<(usize, Listed)> {
    let first = text.char_indices().find_map(|(at, _)| keyed(&text[at..]).map(|_| at))?;
    // A key may stand inside its word, as in `e[x]it`; a word begins after a blank or a separator.
    let start = text[..first].rfind([' ', ',', '/']).map_or(0, |at| at + 1);
    let list = text[start..].trim().trim_end_matches([':', '?', '.', ' ', '>']);
    let mut options = Vec::new();
    for segment in list.split([',', '/', '|', ';']).map(str::trim).filter(|segment| !segment.is_empty()) {
        let segment = segment.strip_prefix("or ").unwrap_or(segment);
        let at = segment.char_indices().find_map(|(at, _)| keyed(&segment[at..]).map(|key| (at, key)));
        let (at, key) = at?;
        let rest = &segment[at + key.len_utf8() + 2..];
        let label = format!("{}{key}{rest}", &segment[..at]);
        let mut option = answer(label.to_lowercase(), false, Tongue::English);
        if option.role.is_none() || label.contains(' ') {
            option.label = capitalized(&label);
        }
        option.number = Some(key.to_string());
        options.push(option);
    }
    let has = |role| options.iter().any(|option: &SightedOption| option.role == Some(role));
    let yes_no = has(OptionRole::Allow) && options.iter().any(|option| option.label == "No");
    (options.len() >= 2).then_some((start, Listed { options, yes_no, text: None }))
}

/// The key in `[A]` or `(A)` at the beginning, followed by the rest of a word or the end of it.
fn keyed(text: &str) -> Option<char> {
    let mut chars = text.chars();
    let close = match chars.next()? {
        '[' => ']',
        '(' => ')',
        _ => return None,
    };
    let key = chars.next().filter(|ch| ch.is_alphabetic())?;
    (chars.next()? == close && chars.next().is_some_and(char::is_alphabetic)).then_some(key)
}

/// Takes a default off the end: the `[n]` of `y/n [n]`, the `default n` of `y/n, default n`.
fn named_default(inside: &str) -> (&str, Option<&str>) {
    if let Some((list, rest)) = inside.rsplit_once(" [")
        && let Some(default) = rest.strip_suffix(']')
    {
        return (list, Some(default));
    }
    match inside.split_once("default") {
        Some((list, rest)) if !list.trim().is_empty() => {
            (list.trim_end_matches([' ', ',', ';', '[']), Some(rest.trim_matches([' ', '=', ':', ']', 'i', 's'])))
        }
        _ => (inside, None),
    }
}

fn is_answer(token: &str, by_comma: bool) -> bool {
    let mut chars = token.chars();
    match (chars.next(), chars.next()) {
        (Some(ch), None) => ch.is_alphabetic() || ch == '?' || (by_comma && ch == '/'),
        _ => WORDS.contains(&token.to_lowercase().as_str()),
    }
}

/// Whose letters they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tongue {
    English,
    German,
    French,
    /// The hunks of `git add -p` and its like.
    GitHunks,
}

/// One answer with the meaning it has beyond doubt. A letter that may mean several things keeps to itself and has no role: a
/// wrong label could turn a refusal into an approval.
fn answer(typed: String, is_default: bool, tongue: Tongue) -> SightedOption {
    let lower = typed.to_lowercase();
    let git = tongue == Tongue::GitHunks;
    let (label, role) = match lower.as_str() {
        "y" | "yes" => ("Yes", Some(OptionRole::Allow)),
        "j" | "ja" if tongue == Tongue::German => ("Ja", Some(OptionRole::Allow)),
        "o" | "oui" if tongue == Tongue::French => ("Oui", Some(OptionRole::Allow)),
        "n" | "nein" if tongue == Tongue::German => ("Nein", Some(OptionRole::Deny)),
        "n" | "non" if tongue == Tongue::French => ("Non", Some(OptionRole::Deny)),
        "n" | "no" => ("No", Some(OptionRole::Deny)),
        "q" | "quit" => ("Quit", Some(OptionRole::Other)),
        "?" | "help" => ("Help", Some(OptionRole::Other)),
        "edit" => ("Edit", Some(OptionRole::Other)),
        "e" if git => ("Edit", Some(OptionRole::Other)),
        "s" if git => ("Split", Some(OptionRole::Other)),
        "a" if git => ("This and all that follow", Some(OptionRole::AllowAlways)),
        "d" if git => ("Neither this nor any that follow", Some(OptionRole::Deny)),
        "g" if git => ("Go to another", Some(OptionRole::Other)),
        "/" if git => ("Search", Some(OptionRole::Other)),
        "p" if git => ("Print", Some(OptionRole::Other)),
        "j" if git && typed == "J" => ("Leave, go to the next", Some(OptionRole::Other)),
        "j" if git => ("Leave, go to the next undecided", Some(OptionRole::Other)),
        "k" if git && typed == "K" => ("Leave, go to the previous", Some(OptionRole::Other)),
        "k" if git => ("Leave, go to the previous undecided", Some(OptionRole::Other)),
        "all" => ("All", Some(OptionRole::AllowAlways)),
        "always" => ("Always", Some(OptionRole::AllowAlways)),
        "none" => ("None", Some(OptionRole::Deny)),
        "never" => ("Never", Some(OptionRole::Deny)),
        "abort" => ("Abort", Some(OptionRole::Deny)),
        "cancel" => ("Cancel", Some(OptionRole::Deny)),
        _ => ("", None),
    };
    let label = if label.is_empty() { capitalized(&typed) } else { label.to_owned() };
    let description = is_default.then(|| "default".to_owned());
    SightedOption { label, description, role, number: Some(typed), ..SightedOption::default() }
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
