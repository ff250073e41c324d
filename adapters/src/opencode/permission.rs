//! Permissions: what a tool would do, above buttons that stand side by side; the page that lists what would always be allowed;
//! and the field that says what to do instead.
//!
//! The button that Enter presses is told by the ground it stands on and by nothing else.

use serde_json::{Map, Value, json};
use shared_types::{OptionRole, PromptKind, PromptSource};

use super::{
    diff, field,
    panel::{Panel, Row},
    wrapped,
};
use crate::{Screen, SightedOption, Sighting, layout::hints};

/// Buttons side by side.
pub(super) const BUTTONS: &str = "opencode-buttons";
/// A field for what to do instead.
pub(super) const INSTEAD: &str = "opencode-instead";

/// Begins the title of every permission.
const SIGN: char = '△';
/// Where titles and bodies begin.
const TEXT: u16 = 2;

/// A row of buttons.
struct Buttons {
    row: usize,
    labels: Vec<String>,
    selected: usize,
}

/// Reads the dialog in a panel, if it asks leave.
pub(super) fn read(screen: &Screen, panel: &Panel) -> Option<Sighting> {
    let is_title = |row: &usize| {
        let row = panel.row(screen, *row);
        row.indent() == Some(TEXT) && row.first().is_some_and(|cell| cell.ch == SIGN)
    };
    let title = panel.rows.clone().rev().find(is_title);
    let start = title.unwrap_or(panel.rows.start);
    let (cursor, buttons) = (panel.cursor(screen), buttons(screen, panel, start));
    let mut sighting = match (&buttons, cursor, title) {
        (Some(buttons), None, _) => with_buttons(screen, panel, title, buttons)?,
        (None, Some(_), Some(title)) => with_field(screen, panel, title)?,
        _ => return None,
    };
    let padded = start > panel.rows.start && panel.row(screen, start - 1).is_blank();
    sighting.rows = start - usize::from(padded)..panel.rows.end;
    sighting.incomplete |= title.is_none();
    Some(sighting)
}

/// The lowest row with a piece on a ground of its own, with nothing but keys below it. Without a title above it, nothing but the
/// rest of a body may stand there: a dialog whose top is missing.
fn buttons(screen: &Screen, panel: &Panel, start: usize) -> Option<Buttons> {
    let mut rows =
        (start..panel.rows.end).rev().map(|row| (row, panel.row(screen, row))).filter(|(_, row)| !row.is_blank());
    let found = rows.by_ref().take(2).find(|(_, row)| lit(row).is_some());
    let (row, drawn) = found?;
    let selected = lit(&drawn)?;
    let is_button = |text: &str| text.chars().any(char::is_alphanumeric) && !hints::is_key(text);
    let segments = drawn.segments();
    let labels = segments.iter().enumerate().map_while(|(at, segment)| {
        (at == selected || !segment.mixed && is_button(&segment.text)).then(|| segment.text.clone())
    });
    let labels: Vec<String> = labels.collect();
    (drawn.indent() == Some(TEXT + 1) && labels.len() >= 2 && selected < labels.len()).then_some(Buttons {
        row,
        labels,
        selected,
    })
}

/// Which piece of a row stands on another ground than the row.
pub(super) fn lit(row: &Row<'_>) -> Option<usize> {
    let ground = row.ground();
    let segments = row.segments();
    let mut lit = segments.iter().enumerate().filter(|(_, segment)| segment.ground != ground).map(|(at, _)| at);
    let first = lit.next()?;
    (lit.next().is_none() && segments.len() > 1).then_some(first)
}

/// Nothing while what is asked about is not drawn yet: on a busy machine it was seen to come a frame after the buttons.
fn with_buttons(screen: &Screen, panel: &Panel, title: Option<usize>, buttons: &Buttons) -> Option<Sighting> {
    let mut sighting = Sighting::new(PromptKind::Permission, PromptSource::Screen, BUTTONS);
    let last = buttons.labels.len() - 1;
    let lasting = last == 1;
    let option = |(at, label): (usize, &String)| SightedOption {
        role: Some(role(at, last)),
        description: (at == last && !lasting).then(|| "This stops the turn and refuses what else waits.".to_owned()),
        ..SightedOption::new(label.clone())
    };
    sighting.options = buttons.labels.iter().enumerate().map(option).collect();
    sighting.selected = Some(buttons.selected);
    let body = Body::read(screen, panel, title.map_or(panel.rows.start, |title| title + 1)..buttons.row);
    // A change may be empty.
    if title.is_some() && body.texts.is_empty() && body.sign != Some('→') {
        return None;
    }
    if let Some(title) = title {
        sighting.title = title_of(&panel.row(screen, title));
    }
    if lasting {
        body.tell_lasting(&mut sighting)
    } else {
        body.tell_call(screen, panel, &mut sighting)
    }
    // A change that does not fit says so itself.
    sighting.incomplete |= sighting.diff.is_empty() && body.is_cut(panel);
    Some(sighting)
}

/// Two buttons confirm or go back; of three, the one in the middle allows for good.
fn role(at: usize, last: usize) -> OptionRole {
    match (at, last) {
        (0, 1) => OptionRole::AllowAlways,
        (0, _) => OptionRole::Allow,
        (at, last) if at == last => OptionRole::Deny,
        _ => OptionRole::AllowAlways,
    }
}

fn with_field(screen: &Screen, panel: &Panel, title: usize) -> Option<Sighting> {
    let blank = |row: &usize| panel.row(screen, *row).is_blank();
    let about = (title + 1..panel.rows.end).find(|row| !blank(row))?;
    let end = (about..panel.rows.end).find(blank)?;
    let mut sighting = Sighting::new(PromptKind::Permission, PromptSource::Screen, INSTEAD);
    sighting.title = title_of(&panel.row(screen, title));
    let rows: Vec<String> = (about..end).map(|row| panel.row(screen, row).words()).collect();
    sighting.description = wrapped::join(&rows, panel.text_width()).text;
    let typed = (end..panel.rows.end).map(|row| panel.row(screen, row)).map(|row| {
        let words = row.segments().into_iter().take_while(|segment| !segment.mixed).map(|segment| segment.text);
        words.collect::<Vec<_>>().join(" ")
    });
    sighting.text = Some(field::of(&typed.collect::<Vec<_>>().join("\n"), None, true));
    Some(sighting)
}

fn title_of(row: &Row<'_>) -> String {
    row.words().trim_start_matches(SIGN).trim().to_owned()
}

/// What stands between title and buttons.
struct Body {
    rows: std::ops::Range<usize>,
    /// The sign before the header, and its words.
    sign: Option<char>,
    header: wrapped::Unwrapped,
    /// Where what follows the header begins.
    start: usize,
    /// The paragraphs below the header.
    texts: Vec<wrapped::Unwrapped>,
    /// How many blank rows stand at its end.
    spare: usize,
}

impl Body {
    fn read(screen: &Screen, panel: &Panel, rows: std::ops::Range<usize>) -> Self {
        let width = panel.text_width();
        let row = |row: usize| panel.row(screen, row);
        let first = rows.clone().find(|at| !row(*at).is_blank()).unwrap_or(rows.end);
        let headed = row(first).indent().is_some_and(|indent| indent > TEXT);
        let end = (first..rows.end).find(|at| row(*at).is_blank()).unwrap_or(rows.end);
        let start = if headed { end } else { first };
        // The words of a header begin behind its sign.
        let head: Vec<String> = (first..start).map(|at| row(at).words()).collect();
        let sign = head.first().and_then(|text| text.chars().next()).filter(|sign| !sign.is_alphanumeric());
        let mut header = wrapped::join(&head, width.saturating_sub(2));
        header.text = header.text.replace('\n', " ");
        let drawn: Vec<String> = (start..rows.end).map(|at| row(at).text_from(TEXT)).collect();
        let texts =
            drawn.split(String::is_empty).filter(|rows| !rows.is_empty()).map(|rows| wrapped::join(rows, width));
        let texts = texts.collect();
        let spare = rows.clone().rev().take_while(|at| row(*at).is_blank()).count();
        Self { rows, sign, header, start, texts, spare }
    }

    /// A body of more than seven rows is cut without a mark, be the dialog as high as it is by itself or as high as the screen.
    fn is_cut(&self, panel: &Panel) -> bool {
        /// As high as a dialog grows by itself.
        const HIGHEST: usize = 15;
        /// A blank row each at the end of the body and before the buttons.
        const SPARE: usize = 2;
        // The title and the padding above it, which may be clipped, stand before the body.
        let height = panel.rows.end - self.rows.start + 2;
        height >= HIGHEST && self.spare <= SPARE
    }

    /// What is allowed for good.
    fn tell_lasting(&self, sighting: &mut Sighting) {
        let lines: Vec<&str> = self.texts.iter().flat_map(|text| text.text.lines()).collect();
        let patterns: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("- ")).collect();
        if !patterns.is_empty() {
            sighting.tool_input = Some(json!({ "patterns": patterns }));
        }
        sighting.description = lines.join("\n");
        let words: Vec<&str> = sighting.description.split_whitespace().collect();
        if let (true, ["This", "will", "allow", tool, "until", ..]) = (patterns.is_empty(), words.as_slice()) {
            sighting.tool_name = Some((*tool).to_owned());
        }
        sighting.incomplete |= self.texts.iter().any(|text| !text.sure);
    }

    /// What the tool would do.
    fn tell_call(&self, screen: &Screen, panel: &Panel, sighting: &mut Sighting) {
        sighting.description.clone_from(&self.header.text);
        let words = self.header.text.trim_start_matches(|ch: char| Some(ch) == self.sign).trim();
        let text = self.texts.iter().map(|text| text.text.as_str()).collect::<Vec<_>>().join("\n\n");
        let mut sure = self.texts.iter().all(|text| text.sure);
        let first = words.split_whitespace().next().unwrap_or_default().to_lowercase();
        let rest = words.split_once(' ').map_or("", |(_, rest)| rest.trim());
        let (tool, input) = match self.sign {
            _ if text.starts_with("$ ") => ("bash".to_owned(), Some(Value::from(text.trim_start_matches("$ ")))),
            Some('→') if first == "edit" => {
                sure = diff::tell(screen, panel, self.start..self.rows.end, rest, sighting);
                (first, Some(json!({ "file_path": rest })))
            }
            Some('→') => (first, Some(json!({ "file_path": rest }))),
            Some('←') => {
                let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("- ")).collect();
                ("external_directory".to_owned(), Some(json!({ "patterns": lines })))
            }
            Some('⟳') => {
                sighting.description = format!("{}\n{text}", self.header.text);
                ("doom_loop".to_owned(), None)
            }
            Some('⚙') => {
                // What the tool would be given is not shown.
                sure = false;
                (words.rsplit(' ').next().unwrap_or_default().to_owned(), None)
            }
            Some('#') if text.starts_with('◉') => {
                sure = false;
                ("task".to_owned(), Some(json!({ "description": text.trim_start_matches('◉').trim() })))
            }
            _ => (first, Some(named_values(&text))),
        };
        sighting.tool_name = Some(tool).filter(|tool| !tool.is_empty());
        sighting.tool_input = input.filter(|input| *input != json!({}));
        sighting.incomplete |= !sure || self.sign.is_none();
    }
}

/// `Pattern: **/*.ts` as `{"pattern": "**/*.ts"}`.
fn named_values(text: &str) -> Value {
    let pairs = text.lines().filter_map(|line| line.split_once(": "));
    let pairs = pairs.map(|(name, value)| (name.trim().to_lowercase(), Value::from(value.trim())));
    Value::Object(pairs.collect::<Map<_, _>>())
}
