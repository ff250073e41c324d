//! Claude Code.

mod body;
mod composer;
mod dialog;
mod keys;
mod lines;
mod mark;
mod options;
mod preview;
mod screen;
mod sight;
mod startup;
mod tabs;
mod textrow;
mod words;

use std::time::Duration;

use shared_types::{AdapterKind, PromptResponse};

use crate::{
    Adapter, Keystroke, LaunchPlan, LaunchRefusal, LaunchRequest, Profile, Reading, Refusal, Screen, Sighting, Step,
    send::SendStyle,
};

/// The adapter.
pub struct Claude;

static PROFILE: Profile = Profile {
    kind: AdapterKind::Claude,
    name: "Claude Code",
    program: "claude",
    tested_versions: &[],
    modes: &[],
    takes_command: false,
    has_messages: false,
    interrupt: &[Keystroke::ESCAPE],
    send: SendStyle::Composer { gap: Duration::from_millis(150) },
};

impl Adapter for Claude {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn launch(&self, request: &LaunchRequest) -> Result<LaunchPlan, LaunchRefusal> {
        let mut argv = vec![request.program.to_string_lossy().into_owned()];
        argv.extend(request.command.iter().cloned());
        Ok(LaunchPlan { argv, ..LaunchPlan::default() })
    }

    fn read_screen(&self, screen: &Screen) -> Reading {
        screen::read(screen)
    }

    fn answer(&self, sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
        keys::next(sighting, response)
    }
}
