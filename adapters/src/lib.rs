//! What each CLI's screens and transcripts mean, and how to answer them.
//!
//! Pure: no tokio, no tmux, no files, no clock (`clippy.toml` forbids them). Data comes in, decisions go out; the server
//! carries them out. Reading a screen never fails: what is not understood is [`Reading::Unrecognized`].
//!
//! # Layout, in the order of the walk of one prompt
//!
//! - [`screen`]: captured text becomes rows of styled cells.
//! - [`reading`]: what an adapter makes of a screen; a prompt on it is a [`Sighting`].
//! - [`tracker`]: only what stays counts; settles readings over time.
//! - [`answer`]: drives one answer step by step, each checked on the screen. [`keys`] says what can be pressed.
//! - [`send`]: drives one chat message the same way. [`mode`]: a change of the permission mode.
//! - [`hook`]: what a CLI says by itself, and what it is told in return.
//! - [`commands`]: what a message can begin with.
//! - [`launch`]: how a CLI is started, as data. [`transcript`]: what it wrote down.
//! - [`digest`]: what a prompt says, in a few letters, so that an answer is bound to what was read.
//! - [`risk`]: what saying yes would risk, and why. [`trust`]: what a folder's own settings would run.
//! - [`layout`]: line work that the adapters share.
//! - [`case`]: the form of a captured screen; the tests that walk them all, and how one is added: `corpus.rs`.
//! - One folder per CLI: [`claude`], [`codex`], [`gemini`], [`qwen`], [`opencode`], [`copilot`], [`demo`], and [`generic`] for everything else. A new CLI is
//!   one folder, named here, and one line in [`registry`].

pub mod answer;
pub mod case;
pub mod claude;
pub mod codex;
pub mod commands;
pub mod copilot;
#[cfg(test)]
mod corpus;
pub mod demo;
pub mod digest;
pub mod gemini;
mod gemini_family;
pub mod generic;
pub mod hook;
pub mod keys;
pub mod launch;
pub mod layout;
pub mod mode;
pub mod opencode;
pub mod qwen;
pub mod reading;
pub mod registry;
pub mod risk;
pub mod screen;
pub mod send;
pub mod survey;
#[cfg(test)]
mod toy;
pub mod tracker;
pub mod transcript;
pub mod trust;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use shared_types::{AdapterKind, Millis, PermissionMode, PromptResponse};

pub use answer::{Refusal, Step};
pub use commands::Commands;
pub use hook::HookReading;
pub use keys::Keystroke;
pub use launch::{LaunchPlan, LaunchRefusal, LaunchRequest, Surroundings};
pub use reading::{
    Composer, Fingerprint, Offer, Reading, SightedOption, SightedText, Sighting, StartupDialog, StartupKind,
};
pub use registry::{adapter_for, all_adapters};
pub use screen::{Capture, Screen};
pub use transcript::{Head, Running, Shelf, TranscriptEntry};

/// All that is particular to one CLI. Every method is a pure function.
pub trait Adapter: Send + Sync {
    /// What does not depend on any session.
    fn profile(&self) -> &'static Profile;

    /// What of the machine the launch rests on, by how a variable is set; the texts of files are for the server to add.
    fn surroundings(&self, _variable: &dyn Fn(&str) -> Option<String>) -> Surroundings {
        Surroundings::default()
    }

    /// How to start a session.
    ///
    /// # Errors
    /// When the request asks for what this CLI cannot do.
    fn launch(&self, request: &LaunchRequest) -> Result<LaunchPlan, LaunchRefusal>;

    /// The files of a folder that are loaded once it is trusted, and what in them cannot hurt.
    fn folder_settings(&self) -> trust::FolderSettings {
        trust::FolderSettings::default()
    }

    /// Whether the CLI asks before it loads them. Where it does not, the person is asked to say so at the start.
    fn asks_for_trust(&self) -> bool {
        true
    }

    /// What the screen says. Never fails.
    fn read_screen(&self, screen: &Screen) -> Reading;

    /// True when a dialog is seen to be drawn to its end, and would not look like this while a part of it was missing. False where
    /// that cannot be told; it is then believed a moment later.
    fn is_whole(&self, _screen: &Screen, _sighting: &Sighting) -> bool {
        false
    }

    /// The same prompt on a screen that shows an answer on its way, where [`Adapter::read_screen`] cannot know it: what is typed
    /// behind a question may make another question of the line. `known` is how the prompt looked before.
    fn find_again(&self, _screen: &Screen, _known: &Sighting) -> Option<Sighting> {
        None
    }

    /// The next step from what is on the screen now towards the person's answer. It is asked again after every step, with
    /// the screen as it is then, so no step rests on a remembered position.
    ///
    /// # Errors
    /// When the response does not fit the prompt.
    fn answer(&self, sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal>;

    /// The keys that turn to the next page of a dialog that shows one of several, without answering anything; nothing where the
    /// dialog has one page or shows them all.
    fn next_page(&self, _sighting: &Sighting) -> Option<Vec<Keystroke>> {
        None
    }

    /// Whether a conversation that was gone on with stands on the screen, for a CLI that draws its composer before that.
    fn is_resumed(&self, _screen: &Screen) -> bool {
        true
    }

    /// What stops the CLI's current work; empty where the screen shows none and the keys would do something else.
    fn interrupt(&self, _reading: &Reading) -> &'static [Keystroke] {
        self.profile().interrupt
    }

    /// How long this dialog may ignore keys after it has appeared; an answer is not typed before.
    fn deaf(&self, _sighting: &Sighting) -> answer::Deaf {
        self.profile().deaf
    }

    /// How long after the keys of a step the next may follow, for a CLI that loses keys while it redraws; `sighting` is what the
    /// step has led to.
    fn pause(&self, _sighting: &Sighting) -> Duration {
        Duration::ZERO
    }

    /// What a hook of the CLI says. The payload is whatever the CLI sent; what is not understood says nothing.
    fn read_hook(&self, _payload: &serde_json::Value) -> HookReading {
        HookReading::default()
    }

    /// What a hook tells of a dialog that is on the screen or about to be drawn.
    fn read_detail(&self, _payload: &serde_json::Value) -> Option<hook::Detail> {
        None
    }

    /// The calls of tools in these lines of the CLI's own record that have no result yet, oldest first. What the CLI asks leave
    /// for is among them, whole, where it writes calls down before it asks. Lines may be missing at the beginning.
    fn pending_calls(&self, _lines: &[&str]) -> Vec<hook::Detail> {
        Vec::new()
    }

    /// The calls of tools in these lines of the CLI's own record whose result came since then, oldest first. A dialog about such a
    /// call is over, whatever stands in its place.
    fn ended_calls(&self, _lines: &[&str], _since: Millis) -> Vec<hook::Detail> {
        Vec::new()
    }

    /// The dialog with what a hook or the CLI's record told of it; nothing when that was about another one.
    fn complete(&self, _detail: &hook::Detail, _dialog: &Sighting) -> Option<Sighting> {
        None
    }

    /// What to tell the hook that waits with this request, for a prompt that was shown like this; nothing where the response
    /// must be typed.
    fn decide(&self, _request: &hook::Request, _shown: &Sighting, _response: &PromptResponse) -> Option<String> {
        None
    }

    /// The commands that a message can begin with.
    fn commands(&self) -> Commands {
        Commands::default()
    }

    /// How a message names a file that goes with it, by its absolute path.
    fn mention(&self, path: &str) -> String {
        path.to_owned()
    }

    /// What one line of the CLI's transcript says. Unknown lines say nothing.
    fn read_transcript(&self, _line: &str) -> Vec<TranscriptEntry> {
        Vec::new()
    }

    /// Where the CLI keeps its conversations: those of a folder, or all of them. Files of other folders may be among them.
    fn shelf(&self, _folder: Option<&Path>) -> Option<Shelf> {
        None
    }

    /// Where agents that the conversation has set to work write down what they do: a folder, and the names of their files.
    fn agents_of(&self, _transcript: &Path) -> Option<(PathBuf, &'static str)> {
        None
    }

    /// What the name and the beginning of a file say about the conversation in it; nothing when it is none.
    fn read_head(&self, _name: &str, _head: &str) -> Option<Head> {
        None
    }

    /// What the CLI has written down about one of its processes; see [`Shelf::running`].
    fn read_running(&self, _record: &str) -> Option<Running> {
        None
    }

    /// The name that a line gives to the conversation.
    fn read_title(&self, _line: &str) -> Option<String> {
        None
    }
}

/// A shape and a hue, never the hue alone.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    /// The `d` of an SVG path in a square of 16.
    pub icon: &'static str,
    /// The colour on a light ground, `#rrggbb`.
    pub light: &'static str,
    /// The colour on a dark ground.
    pub dark: &'static str,
}

/// What does not depend on any session.
#[derive(Debug, Clone, Copy)]
pub struct Profile {
    /// Which adapter.
    pub kind: AdapterKind,
    /// Its name, for people.
    pub name: &'static str,
    /// Its name within a sentence.
    pub short_name: &'static str,
    /// True for an AI CLI, rather than the demo or any program.
    pub is_agent: bool,
    /// How the page tells it from the others at a glance.
    pub mark: Mark,
    /// The program to look for; empty when it is built in or named by the person.
    pub program: &'static str,
    /// Versions whose screens are in the tests, newest first.
    pub tested_versions: &'static [&'static str],
    /// The permission modes a session can be started in, the default first.
    pub modes: &'static [PermissionMode],
    /// The option that chooses a model at the start, and names to suggest for it; nothing where there is no such option.
    pub models: Option<(&'static str, &'static [&'static str])>,
    /// True when the person names the program to run.
    pub takes_command: bool,
    /// True when the conversation is read from a transcript.
    pub has_messages: bool,
    /// What stops the CLI's current work.
    pub interrupt: &'static [Keystroke],
    /// What goes on to the next permission mode, where the screen shows which one it is; else empty.
    pub next_mode: &'static [Keystroke],
    /// How a chat message is typed.
    pub send: send::SendStyle,
    /// How long the composer must have stood at the start before the CLI is believed to be ready.
    pub first_ready: Duration,
    /// How long an ordinary dialog may ignore keys after it has appeared.
    pub deaf: answer::Deaf,
    /// True when what is above a dialog is drawn anew while the dialog stands, so that a change there says nothing about it.
    pub redraws_above: bool,
    /// True when the first frame of a diff that does not fit shows only its first rows, without saying so, and the next frame its
    /// final form.
    pub redraws_diff: bool,
    /// True when a hook tells of every start: where none ever comes, the CLI runs none of ours.
    pub tells_start: bool,
}
