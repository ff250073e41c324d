//! A dialog as a state machine: keys go in, an outcome comes out. `draw.rs` shows it, `scenes.rs` holds the ones there are.
//!
//! One ask of which one choice is taken is answered by Enter on it. Everything else is a form: Space or Enter checks,
//! and a Submit row at the end sends it. A choice with a field takes what is typed while the cursor is on it.

use super::{
    field::{Field, Lines},
    key::Key,
};

/// A dialog on the screen.
#[derive(Debug, Clone)]
pub(super) struct Dialog {
    /// What kind of question, then what about: `Permission · Run command`.
    pub(super) heading: &'static str,
    pub(super) body: Vec<Body>,
    pub(super) asks: Vec<Ask>,
    /// Where the cursor is, counted over all spots.
    cursor: usize,
    /// Why it could not be sent, shown in place of the hints until the next key.
    pub(super) note: Option<String>,
}

/// What stands between the heading and the questions.
#[derive(Debug, Clone, Copy)]
pub(super) enum Body {
    Code(&'static str),
    Prose(&'static str),
    Markdown(&'static str),
    Diff { path: &'static str, unified: &'static str },
}

/// One question.
#[derive(Debug, Clone)]
pub(super) struct Ask {
    /// Its short name; empty when the dialog has only this one.
    pub(super) header: &'static str,
    pub(super) question: &'static str,
    pub(super) pick: Pick,
    pub(super) choices: Vec<Choice>,
    /// What is typed, for a question that takes only text.
    pub(super) field: Field,
}

/// What a question takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pick {
    One,
    Many,
    Text,
}

/// One choice of a question.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    pub(super) label: &'static str,
    pub(super) description: &'static str,
    pub(super) checked: bool,
    /// Present when choosing it takes text along.
    pub(super) field: Option<Field>,
}

/// A place the cursor can be at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot {
    /// A choice of an ask.
    Choice(usize, usize),
    /// The field of an ask.
    Field(usize),
    Submit,
}

/// How a dialog ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    Cancelled,
    Chosen(Vec<Picked>),
}

/// The answer to one ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Picked {
    pub(super) header: &'static str,
    pub(super) labels: Vec<String>,
    pub(super) text: Option<String>,
}

impl Dialog {
    pub(super) fn new(heading: &'static str, body: Vec<Body>, asks: Vec<Ask>) -> Self {
        Self { heading, body, asks, cursor: 0, note: None }
    }

    /// True when Enter on a choice is the answer.
    pub(super) fn is_immediate(&self) -> bool {
        matches!(self.asks.as_slice(), [ask] if ask.pick == Pick::One)
    }

    /// Where the cursor is.
    pub(super) fn spot(&self) -> Spot {
        self.spots().get(self.cursor).copied().unwrap_or(Spot::Submit)
    }

    /// True when typed characters go into a field.
    pub(super) fn is_typing(&self) -> bool {
        match self.spot() {
            Spot::Choice(ask, choice) => self.asks[ask].choices[choice].field.is_some(),
            Spot::Field(_) => true,
            Spot::Submit => false,
        }
    }

    /// Takes a key. An outcome ends the dialog.
    pub(super) fn on_key(&mut self, key: &Key) -> Option<Outcome> {
        self.note = None;
        match key {
            Key::Escape | Key::Ctrl('c') => return Some(Outcome::Cancelled),
            Key::Up | Key::BackTab => self.cursor = self.cursor.saturating_sub(1),
            Key::Down | Key::Tab => self.cursor = (self.cursor + 1).min(self.spots().len() - 1),
            _ => match self.spot() {
                Spot::Choice(ask, choice) => return self.on_choice_key(key, ask, choice),
                Spot::Field(_) if *key == Key::Enter => self.cursor += 1,
                Spot::Field(ask) => self.asks[ask].field.on_key(key),
                Spot::Submit if *key == Key::Enter => return self.submit(),
                Spot::Submit => {}
            },
        }
        None
    }

    fn on_choice_key(&mut self, key: &Key, ask: usize, choice: usize) -> Option<Outcome> {
        let immediate = self.is_immediate();
        let chosen = &mut self.asks[ask].choices[choice];
        match (key, &mut chosen.field) {
            (Key::Enter, Some(field)) if field.is_blank() => {
                self.note = Some("Type a text first, or move to another row.".to_owned());
                None
            }
            (Key::Enter, _) if immediate => Some(self.chosen(choice)),
            (Key::Enter | Key::Char(' '), None) if !immediate => {
                self.check(ask, choice);
                None
            }
            (key, Some(field)) => {
                field.on_key(key);
                None
            }
            (Key::Char(digit), None) if immediate => {
                let number = digit.to_digit(10).and_then(|digit| usize::try_from(digit).ok())?;
                let named = number.checked_sub(1).filter(|at| *at < self.asks[ask].choices.len())?;
                self.cursor = named;
                self.asks[ask].choices[named].field.is_none().then(|| self.chosen(named))
            }
            _ => None,
        }
    }

    fn check(&mut self, ask: usize, choice: usize) {
        let ask = &mut self.asks[ask];
        if ask.pick == Pick::Many {
            ask.choices[choice].checked ^= true;
        } else {
            for (at, candidate) in ask.choices.iter_mut().enumerate() {
                candidate.checked = at == choice;
            }
        }
    }

    fn chosen(&self, choice: usize) -> Outcome {
        let ask = &self.asks[0];
        let chosen = &ask.choices[choice];
        let text = chosen.field.as_ref().map(|field| field.text().trim().to_owned());
        Outcome::Chosen(vec![Picked { header: ask.header, labels: vec![chosen.label.to_owned()], text }])
    }

    fn submit(&mut self) -> Option<Outcome> {
        let open = self.asks.iter().find(|ask| match ask.pick {
            Pick::One => !ask.choices.iter().any(|choice| choice.checked),
            Pick::Many => false,
            Pick::Text => ask.field.is_blank(),
        });
        if let Some(ask) = open {
            self.note = Some(format!("{} is not answered yet.", ask.header));
            return None;
        }
        let picked = self.asks.iter().map(|ask| Picked {
            header: ask.header,
            labels: ask.choices.iter().filter(|choice| choice.checked).map(|choice| choice.label.to_owned()).collect(),
            text: (ask.pick == Pick::Text).then(|| ask.field.text().trim().to_owned()),
        });
        Some(Outcome::Chosen(picked.collect()))
    }

    fn spots(&self) -> Vec<Spot> {
        let mut spots = Vec::new();
        for (at, ask) in self.asks.iter().enumerate() {
            match ask.pick {
                Pick::Text => spots.push(Spot::Field(at)),
                Pick::One | Pick::Many => spots.extend((0..ask.choices.len()).map(|choice| Spot::Choice(at, choice))),
            }
        }
        if !self.is_immediate() {
            spots.push(Spot::Submit);
        }
        spots
    }
}

impl Ask {
    pub(super) fn new(header: &'static str, question: &'static str, pick: Pick, choices: Vec<Choice>) -> Self {
        Self { header, question, pick, choices, field: Field::new(Lines::One) }
    }
}

impl Choice {
    pub(super) fn new(label: &'static str, description: &'static str) -> Self {
        Self { label, description, checked: false, field: None }
    }

    /// A choice that takes text along.
    pub(super) fn text(label: &'static str) -> Self {
        Self { label, description: "", checked: false, field: Some(Field::new(Lines::One)) }
    }
}

impl Outcome {
    /// What was understood, in the fixed form that tests look for.
    pub(super) fn summary(&self) -> String {
        match self {
            Outcome::Cancelled => "cancelled".to_owned(),
            Outcome::Chosen(picked) => picked.iter().map(Picked::summary).collect::<Vec<_>>().join("; "),
        }
    }

    /// The label of the first choice taken.
    pub(super) fn first_label(&self) -> Option<&str> {
        match self {
            Outcome::Cancelled => None,
            Outcome::Chosen(picked) => picked.first()?.labels.first().map(String::as_str),
        }
    }

    /// An outcome of one text, for prompts that have no choices.
    pub(super) fn of_text(text: impl Into<String>) -> Self {
        Outcome::Chosen(vec![Picked { header: "", labels: Vec::new(), text: Some(text.into()) }])
    }
}

impl Picked {
    fn summary(&self) -> String {
        let labels = self.labels.join(", ");
        let said = match &self.text {
            Some(text) if labels.is_empty() => text.clone(),
            Some(text) => format!("{labels}: {text}"),
            None if labels.is_empty() => "nothing".to_owned(),
            None => labels,
        };
        if self.header.is_empty() { said } else { format!("{}={said}", self.header) }
    }
}
