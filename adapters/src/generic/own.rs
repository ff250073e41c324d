//! Prompts that the person has described in the configuration: programs whose questions have no usual form.
//!
//! A form is the cursor's line, whole, with `*` for anything. It is looked for before all usual forms, in line mode and where keys
//! are taken, but never where the program surely does not wait for its terminal.

use shared_types::{Confidence, PromptKind, PromptSource};

use super::{choices, keys, live::Live, menu, patterns};
use crate::{Screen, SightedOption, SightedText, Sighting};

/// One prompt as the person describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnPrompt {
    /// What stands on the cursor's line; `*` is anything.
    pub form: String,
    /// What the phone shows as the question; the line itself where there is none.
    pub title: Option<String>,
    /// What can be answered: what the button says, and what is typed for it. Empty: any text.
    pub answers: Vec<(String, String)>,
    /// One key is taken, without Enter.
    pub one_key: bool,
    /// What is typed is a secret.
    pub secret: bool,
}

/// The first of these prompts that stands on the screen.
pub(crate) fn read(own: &[OwnPrompt], screen: &Screen) -> Option<Sighting> {
    if own.is_empty() || !super::may_ask(screen) {
        return None;
    }
    let live = Live::of(screen);
    own.iter().find_map(|prompt| sighting(prompt, &live))
}

fn sighting(own: &OwnPrompt, live: &Live<'_>) -> Option<Sighting> {
    let line = live.before.trim();
    if live.below || line.is_empty() || !matches(&own.form, line) {
        return None;
    }
    let build = match () {
        () if own.secret => keys::SECRET,
        () if own.answers.is_empty() => keys::TEXT,
        () if own.one_key => keys::KEY,
        () => keys::LINE,
    };
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Pattern, build);
    sighting.confidence = Confidence::Likely;
    sighting.title = own.title.clone().unwrap_or_else(|| patterns::clean_title(line));
    sighting.description = live.context(live.rows.start);
    sighting.rows = live.rows.clone();
    sighting.head = live.before.clone();
    if own.answers.is_empty() {
        sighting.text = Some(SightedText { secret: own.secret, focused: true, ..SightedText::default() });
        return Some(sighting);
    }
    sighting.options = own
        .answers
        .iter()
        .map(|(label, typed)| SightedOption { number: Some(typed.clone()), ..SightedOption::new(label.clone()) })
        .collect();
    for option in &mut sighting.options {
        option.role =
            choices::role_of(option.number.as_deref().unwrap_or_default()).or(choices::role_of(&option.label));
    }
    menu::ask_for_permission(&mut sighting);
    if build == keys::LINE {
        sighting.options.push(keys::typed(""));
    }
    Some(sighting)
}

/// Whether the whole line has this form.
fn matches(form: &str, line: &str) -> bool {
    let mut parts = form.trim().split('*');
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else { return false };
    let Some(last) = form.trim().rsplit_once('*').map(|(_, last)| last) else { return rest.is_empty() };
    for part in parts.filter(|part| !part.is_empty()) {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    last.is_empty() || line.len() >= last.len() && line.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Adapter, Step,
        answer::responses::{choose, say},
        generic::{
            Generic,
            tests::{COOKED, screen},
        },
        reading::Look,
        screen::Foreground,
    };

    fn own(form: &str, answers: &[(&str, &str)]) -> OwnPrompt {
        let answers = answers.iter().map(|(label, typed)| ((*label).to_owned(), (*typed).to_owned())).collect();
        OwnPrompt { form: form.to_owned(), title: None, answers, one_key: false, secret: false }
    }

    #[test]
    fn a_form_is_the_whole_line_and_a_star_is_anything() {
        let table = [
            ("Deploy *, captain", "Deploy the shop, captain", true),
            ("Deploy *, captain", "Deploy the shop, captain. Done", false),
            ("Deploy *", "Deploy the shop", true),
            ("* aye", "Say aye", true),
            ("Ready", "Ready", true),
            ("Ready", "Ready.", false),
            ("a*b*c", "a1b2c", true),
            ("a*b*c", "a1c2b", false),
        ];
        for (form, line, wanted) in table {
            assert_eq!(matches(form, line), wanted, "{form:?} {line:?}");
        }
    }

    #[test]
    fn a_described_prompt_is_read_and_answered_and_others_are_not() {
        let prompts = [own("Deploy *, captain", &[("Aye", "aye"), ("Belay", "nay")])];
        let shown = screen("Deploy the shop, captain ", COOKED);
        let look = Look::with_own(&shown, &Generic, &prompts);
        let sighting = look.reading.sighting().expect("a prompt").clone();
        assert_eq!(sighting.title, "Deploy the shop, captain");
        let labels: Vec<_> =
            sighting.options.iter().filter(|option| option.is_offered()).map(|option| &option.label).collect();
        assert_eq!(labels, ["Aye", "Belay"]);
        let step = Generic.answer(&sighting, &choose("Belay"));
        assert_eq!(step, Ok(Step::Type { text: "nay".to_owned(), alone: false }));
        assert!(Look::with_own(&shown, &Generic, &[]).reading.sighting().is_none());
        let working = Screen { foreground: Some(Foreground::Elsewhere), ..shown };
        assert!(Look::with_own(&working, &Generic, &prompts).reading.sighting().is_none());
    }

    #[test]
    fn a_described_secret_is_typed_unseen() {
        let prompts = [OwnPrompt { secret: true, ..own("Speak, friend", &[]) }];
        let look = Look::with_own(&screen("Speak, friend ", COOKED), &Generic, &prompts);
        let sighting = look.reading.sighting().expect("a prompt");
        assert!(sighting.text.as_ref().is_some_and(|field| field.secret));
        assert!(matches!(Generic.answer(sighting, &say("mellon")), Ok(Step::Submit { .. })));
    }
}
