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
const WORDS: [&str; 39] = [
    "yes",
    "no",
    "ja",
    "nein",
    "oui",
    "non",
    "si",
    "sí",
    "all",
    "none",
    "always",
    "never",
    "quit",
    "abort",
    "retry",
    "ignore",
    "skip",
    "cancel",
    "edit",
    "help",
    "once",
    "accept",
    "reject",
    "deny",
    "sì",
    "sim",
    "não",
    "nao",
    "tak",
    "nie",
    "да",
    "нет",
    "不",
    "不是",
    "はい",
    "いいえ",
    "예",
    "네",
    "아니오",
];

/// What the inside of a pair of brackets lists, or nothing when it is no list of answers.
///
/// `line` is what it stands in: its words tell the language where the letters do not.
pub(super) fn listed(inside: &str, line: &str) -> Option<Listed> {
    let (inside, default) = named_default(inside);
    let folded = inside.replace(" or ", "/");
    let tokens: Vec<&str> = folded.split(['/', ',', '|']).map(str::trim).collect();
    // A lone slash between commas, as in `[y,n,/,e,?]`, is itself an answer.
    let by_comma = inside.contains(',') && inside.chars().filter(|ch| *ch == ',').count() >= 2;
    let tokens: Vec<&str> = if by_comma { inside.split(',').map(str::trim).collect() } else { tokens };
    let tokens = if tokens.len() == 1 { letters(tokens[0])? } else { tokens };
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
    let pair = |yes: &[&str], no: &[&str]| says(yes) && says(no) && answers.len() == 2;
    let tongue = if says(&["y", "yes"]) {
        // Only `git` asks with this row of letters; anywhere else a letter's meaning is anybody's guess.
        let hunks = by_comma && inside.starts_with("y,n,q");
        if hunks { Tongue::GitHunks } else { Tongue::English }
    } else if says(&["j", "ja"]) && says(&["n", "nein", "nee", "nej", "nei"]) {
        Tongue::German
    } else if pair(&["o", "oui"], &["n", "non"]) {
        Tongue::French
    } else if pair(&["s", "si", "sí", "sì", "sim"], &["n", "no", "não", "nao"]) {
        Tongue::of_s(line)
    } else if pair(&["t", "tak"], &["n", "nie"]) {
        Tongue::Polish
    } else if pair(&["д", "да"], &["н", "нет"]) {
        Tongue::Russian
    } else if pair(&["是"], &["否", "不", "不是"])
        || pair(&["はい"], &["いいえ"])
        || pair(&["예", "네"], &["아니오", "아니요"])
    {
        Tongue::EastAsian
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

/// Letters side by side, as in `[yn]` or `[nyae]`.
fn letters(token: &str) -> Option<Vec<&str>> {
    let lower = token.to_lowercase();
    let each: Vec<&str> = token.char_indices().map(|(at, ch)| &token[at..at + ch.len_utf8()]).collect();
    let unlike = (0..each.len()).all(|at| !each[..at].iter().any(|other| other.eq_ignore_ascii_case(each[at])));
    let worded = token.chars().all(char::is_alphabetic) && lower.contains('y') && lower.contains('n');
    (worded && unlike && (2..=5).contains(&each.len())).then_some(each)
}

/// Words or numbers of which one is to be typed: `[dev/staging/prod]`, `(debug, info, warn) [info]`, `[1/2/3]`. `head` is what
/// stands before them: behind the word for a file, slashes make a path.
pub(super) fn words(inside: &str, default: Option<&str>, head: &str) -> Option<Listed> {
    const PATHS: [&str; 6] = ["file", "folder", "directory", "path", "location", "dir "];
    let separator = ['/', '|', ','].into_iter().find(|mark| inside.contains(*mark))?;
    let tokens: Vec<&str> = inside.split(separator).map(str::trim).collect();
    let is_word = |token: &&str| -> bool {
        (1..=20).contains(&token.len()) && token.chars().all(|ch| ch.is_alphanumeric() || "-_.+".contains(ch))
    };
    let numbers = tokens.iter().all(|token| token.len() <= 3 && token.chars().all(|ch| ch.is_ascii_digit()));
    let named = default.is_some_and(|default| tokens.contains(&default));
    let lower = head.to_lowercase();
    let path = separator == '/' && PATHS.iter().any(|word| lower.contains(word));
    if !tokens.iter().all(is_word) || path || !(numbers && tokens.len() > 1 || named || tokens.len() > 2) {
        return None;
    }
    let options = tokens.iter().map(|token| SightedOption {
        description: (default == Some(*token)).then(|| "default".to_owned()),
        number: Some((*token).to_owned()),
        ..SightedOption::new(*token)
    });
    Some(Listed { options: options.collect(), yes_no: false, text: None })
}

/// A question without the list of answers at its end.
pub(super) fn without_list(text: &str) -> &str {
    let group = text.strip_suffix([')', ']']).and_then(|inner| inner.rfind(['(', '[']).map(|open| (inner, open)));
    match group {
        Some((inner, open)) if listed(&inner[open + 1..], text).is_some() => text[..open].trim_end(),
        _ => text,
    }
}

impl Listed {
    /// The same with the answer marked that an empty line gives; nothing when it is none of these.
    pub(super) fn with_default(mut self, default: &str) -> Option<Self> {
        let names = |option: &SightedOption| {
            let number = option.number.as_deref().unwrap_or_default();
            option.label.eq_ignore_ascii_case(default) || number.eq_ignore_ascii_case(default)
        };
        let option = self.options.iter_mut().find(|option| names(option))?;
        option.description = Some("default".to_owned());
        Some(self)
    }

    /// The same with no answer marked.
    pub(super) fn without_default(mut self) -> Self {
        self.options.iter_mut().for_each(|option| option.description = None);
        self
    }
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
    ["y", "yes", "n", "no", "j", "ja", "nein", "si", "sí", "oui", "non", "tak", "nie", "да", "нет"]
        .contains(&word.to_lowercase().as_str())
}

/// Words with their key in brackets, as in `[A]bort, (R)etry, [I]gnore?`, and where the first of them begins.
pub(super) fn embedded(text: &str) -> Option<(usize, Listed)> {
    let first = text.char_indices().find_map(|(at, _)| keyed(&text[at..]).map(|_| at))?;
    // A key may stand inside its word, as in `e[x]it`; a word begins after a blank or a separator.
    let start = text[..first].rfind([' ', ',', '/']).map_or(0, |at| at + 1);
    let list = text[start..].trim().trim_end_matches([':', '?', '.', ' ', '>']);
    let mut options = Vec::new();
    for segment in list
        .split([',', '/', '|', ';'])
        .flat_map(|part| part.split(" or "))
        .map(str::trim)
        .filter(|segment| !segment.is_empty())
    {
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
    let yes_no = has(OptionRole::Allow) && has(OptionRole::Deny) && options.iter().any(|option| option.label == "No");
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

/// What a word means that says yes or no by itself.
pub(super) fn role_of(word: &str) -> Option<OptionRole> {
    match word.to_lowercase().as_str() {
        "y" | "yes" | "ja" | "oui" => Some(OptionRole::Allow),
        "n" | "no" | "nein" | "non" => Some(OptionRole::Deny),
        _ => None,
    }
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
    Spanish,
    Italian,
    Portuguese,
    Polish,
    Russian,
    EastAsian,
    /// The hunks of `git add -p` and its like.
    GitHunks,
}

impl Tongue {
    /// Which of the languages whose yes begins with an S.
    fn of_s(line: &str) -> Self {
        let lower = line.to_lowercase();
        let says = |marks: &[&str]| marks.iter().any(|mark| lower.contains(mark));
        if says(&["¿", "ñ", "sí", "desea ", "está"]) {
            Self::Spanish
        } else if says(&["ã", "ç", "õ", "deseja", "sim", "você"]) {
            Self::Portuguese
        } else if says(&[
            "continuare",
            "procedere",
            "sì",
            "vuoi",
            "eliminare",
            "sovrascrivere",
            "installare",
            "are?",
            "ere?",
            "ire?",
        ]) {
            Self::Italian
        } else {
            Self::Spanish
        }
    }
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
        "s" | "sí" | "si" if tongue == Tongue::Spanish => ("Sí", Some(OptionRole::Allow)),
        "s" | "sì" | "si" if tongue == Tongue::Italian => ("Sì", Some(OptionRole::Allow)),
        "s" | "sim" if tongue == Tongue::Portuguese => ("Sim", Some(OptionRole::Allow)),
        "n" | "não" | "nao" if tongue == Tongue::Portuguese => ("Não", Some(OptionRole::Deny)),
        "t" | "tak" if tongue == Tongue::Polish => ("Tak", Some(OptionRole::Allow)),
        "n" | "nie" if tongue == Tongue::Polish => ("Nie", Some(OptionRole::Deny)),
        "д" | "да" if tongue == Tongue::Russian => ("Да", Some(OptionRole::Allow)),
        "н" | "нет" if tongue == Tongue::Russian => ("Нет", Some(OptionRole::Deny)),
        "是" | "はい" | "예" | "네" if tongue == Tongue::EastAsian => (typed.as_str(), Some(OptionRole::Allow)),
        _ if tongue == Tongue::EastAsian => (typed.as_str(), Some(OptionRole::Deny)),
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
