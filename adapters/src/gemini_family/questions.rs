//! Questions of the model, as the CLI itself tells them: put into the dialog that shows some of them.

use shared_types::{PromptKind, PromptOption, Question};

use crate::{SightedOption, SightedText, Sighting, layout::squash};

/// All questions with all options, of which the dialog may show a few. `custom` names the row that takes text, for when it is
/// out of view.
pub(crate) fn complete_questions(told: &[Question], custom: &str, whole: &mut Sighting) -> Option<()> {
    if whole.kind != PromptKind::Question {
        return None;
    }
    let count = whole.questions.len().max(1);
    let front = whole.question_index.unwrap_or(0);
    let asked = told.get(front).filter(|asked| squash(&asked.question) == squash(&whole.title));
    if told.len() != count || asked.is_none() && front < count {
        return None;
    }
    if !whole.questions.is_empty() {
        whole.questions = told.to_vec();
        return Some(());
    }
    if whole.more_options {
        whole.options = all_options(asked?, custom, whole);
        whole.more_options = false;
    }
    Some(())
}

/// The options that were told, then the rows that the CLI adds, as far as they are known.
fn all_options(asked: &Question, custom: &str, dialog: &Sighting) -> Vec<SightedOption> {
    let told = asked.options.iter().filter(|option| option.opens_text.is_none());
    let is_told = |row: &SightedOption| told.clone().any(|option| squash(&option.label) == squash(&row.label));
    let unseen = |option: &PromptOption| SightedOption {
        description: option.description.clone(),
        checked: dialog.multi_select.then_some(false),
        ..SightedOption::new(option.label.clone())
    };
    let mut all: Vec<SightedOption> = Vec::new();
    for option in told.clone() {
        let seen = dialog.options.iter().find(|row| squash(&row.label) == squash(&option.label));
        all.push(seen.cloned().unwrap_or_else(|| unseen(option)));
    }
    all.extend(dialog.options.iter().filter(|row| !is_told(row)).cloned());
    if !all.iter().any(|row| row.text.is_some()) {
        all.push(SightedOption { text: Some(SightedText::default()), ..SightedOption::new(custom) });
    }
    all
}
