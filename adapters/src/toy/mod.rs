//! A toy CLI, for the tests: what a new CLI takes. This folder, its name in `lib.rs` and its line in [`crate::registry`] are all
//! there is of it; [`tests`] finds it wherever CLIs are found.
//!
//! ```text
//! Toy asks: run this?
//!   make it so
//! > Yes
//!   No
//! ```

mod tests;

use std::time::Duration;

use shared_types::{AdapterKind, OptionRole, PromptKind, PromptResponse, PromptSource};

use crate::{
    Adapter, Composer, Keystroke, LaunchPlan, LaunchRefusal, LaunchRequest, Mark, Profile, Reading, Refusal, Screen,
    SightedOption, Sighting, Step,
    answer::{Deaf, move_to},
    send::SendStyle,
};

/// The adapter.
pub(crate) struct Toy;

/// What this adapter is called on the wire.
pub(crate) const KIND: AdapterKind = AdapterKind::new("toy");

static PROFILE: Profile = Profile {
    kind: KIND,
    name: "Toy CLI",
    short_name: "Toy",
    is_agent: true,
    mark: Mark { icon: "M2 2l12 12M3 9h3", light: "#224466", dark: "#aaccee" },
    program: "toy-cli",
    tested_versions: &["1.0.0"],
    modes: &[],
    models: None,
    takes_command: false,
    has_messages: false,
    interrupt: &[Keystroke::ESCAPE],
    next_mode: &[],
    send: SendStyle::Composer { gap: Duration::ZERO, typed: None },
    first_ready: Duration::ZERO,
    deaf: Deaf::NEVER,
    redraws_above: false,
    redraws_diff: false,
    tells_start: false,
};

impl Adapter for Toy {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn launch(&self, request: &LaunchRequest) -> Result<LaunchPlan, LaunchRefusal> {
        let program = request.program.to_string_lossy().into_owned();
        Ok(LaunchPlan { argv: vec![program], ..LaunchPlan::default() })
    }

    fn read_screen(&self, screen: &Screen) -> Reading {
        let Some(end) = screen.last_row() else { return Reading::Starting { detail: String::new() } };
        let text = |row: usize| screen.text(row).trim_end();
        if text(end) == "toy>" {
            return Reading::Ready(Composer::default());
        }
        let head = (0..=end).rev().find_map(|row| Some((row, text(row).strip_prefix("Toy asks: ")?)));
        let Some((head, title)) = head else { return Reading::Unrecognized };
        let mut sighting = Sighting::new(PromptKind::Permission, PromptSource::Screen, "toy");
        sighting.title = title.to_owned();
        sighting.tool_name = Some("Run".to_owned());
        sighting.tool_input = Some(text(head + 1).trim().into());
        for row in head + 2..=end {
            let (under_cursor, label) = match text(row).strip_prefix("> ") {
                Some(label) => (true, label),
                None => (false, text(row).trim_start()),
            };
            let role = if label == "Yes" { OptionRole::Allow } else { OptionRole::Deny };
            sighting.selected = sighting.selected.or(under_cursor.then_some(sighting.options.len()));
            sighting.options.push(SightedOption { role: Some(role), ..SightedOption::new(label) });
        }
        sighting.rows = head..end + 1;
        Reading::Prompt(sighting)
    }

    fn answer(&self, sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
        let wanted = response.selected_option.as_deref().ok_or(Refusal::NothingChosen)?;
        let row = sighting.find_offered(wanted).ok_or_else(|| Refusal::UnknownOption(wanted.to_owned()))?;
        Ok(move_to(sighting, row)?.unwrap_or(Step::Submit { keys: vec![Keystroke::ENTER] }))
    }
}
