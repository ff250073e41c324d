//! Any program.

use std::time::Duration;

use shared_types::{AdapterKind, PromptResponse};

use crate::{
    Adapter, Keystroke, LaunchPlan, LaunchRefusal, LaunchRequest, Profile, Reading, Refusal, Screen, Sighting, Step,
    send::SendStyle,
};

/// The adapter.
pub struct Generic;

static PROFILE: Profile = Profile {
    kind: AdapterKind::Generic,
    name: "Any program",
    program: "",
    tested_versions: &[],
    modes: &[],
    takes_command: false,
    has_messages: false,
    interrupt: &[Keystroke::ESCAPE],
    send: SendStyle::Composer { gap: Duration::from_millis(150) },
};

impl Adapter for Generic {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn launch(&self, request: &LaunchRequest) -> Result<LaunchPlan, LaunchRefusal> {
        let mut argv = vec![request.program.to_string_lossy().into_owned()];
        argv.extend(request.command.iter().cloned());
        Ok(LaunchPlan { argv, ..LaunchPlan::default() })
    }

    fn read_screen(&self, _screen: &Screen) -> Reading {
        Reading::Unrecognized
    }

    fn answer(&self, _sighting: &Sighting, _response: &PromptResponse) -> Result<Step, Refusal> {
        Err(Refusal::TerminalOnly)
    }
}
