//! Which dialogs of a CLI's start are passed without asking the person.

use adapters::{StartupDialog, StartupKind, trust::may_bring_key};
use shared_types::{PermissionMode, PromptResponse, WouldRun};

/// What the person chose at the start, and what is known of the folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StartupPolicy {
    /// The permission mode that was chosen.
    pub mode: Option<PermissionMode>,
    /// Whether the folder's own settings may be loaded.
    pub trust: FolderTrust,
}

/// Whether a folder's own settings may be loaded without asking.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum FolderTrust {
    /// The folder brings nothing that would run or allow anything.
    #[default]
    Harmless,
    /// The person said so at the start.
    Chosen,
    /// The person trusted exactly these contents before.
    TrustedBefore,
    /// The person is asked.
    Ask {
        /// What the folder would run or allow.
        would_run: Vec<WouldRun>,
        /// A hash of the settings as they were read; trusting the folder trusts these.
        contents: String,
    },
}

impl StartupPolicy {
    /// True when the dialog is passed without asking.
    #[must_use]
    pub fn covers(&self, dialog: StartupKind) -> bool {
        match dialog {
            StartupKind::FolderTrust | StartupKind::ApiKey => self.would_run(dialog).is_none(),
            StartupKind::HookTrust
            | StartupKind::Appearance
            | StartupKind::Notice
            | StartupKind::Update
            | StartupKind::ModelChange
            | StartupKind::Integration => true,
            StartupKind::BypassWarning => self.mode == Some(PermissionMode::Bypass),
            StartupKind::Other => false,
        }
    }

    /// What the folder would run, for a dialog that asks to trust it, or to use a key that the folder may have brought along.
    #[must_use]
    pub fn would_run(&self, dialog: StartupKind) -> Option<&[WouldRun]> {
        match (&self.trust, dialog) {
            (FolderTrust::Ask { would_run, .. }, StartupKind::FolderTrust) => Some(would_run),
            // Such a key is no choice of the person's.
            (FolderTrust::Ask { would_run, .. }, StartupKind::ApiKey) if would_run.iter().any(may_bring_key) => {
                Some(would_run)
            }
            _ => None,
        }
    }

    /// The contents that this answer to a dialog trusts; nothing when it refuses, or when something else is asked.
    #[must_use]
    pub fn trusted_by(&self, dialog: &StartupDialog, response: &PromptResponse) -> Option<&str> {
        let FolderTrust::Ask { contents, .. } = &self.trust else { return None };
        let row = response.selected_option.as_deref().and_then(|value| dialog.sighting.find_option(value));
        let passes = row.is_some() && row == dialog.pass;
        (dialog.kind == StartupKind::FolderTrust && passes).then_some(contents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_is_asked_about_where_the_folder_may_have_brought_it() {
        let found = |what: &str| WouldRun { file: "f".to_owned(), what: what.to_owned(), text: String::new() };
        let policy = |what: &str| {
            let trust = FolderTrust::Ask { would_run: vec![found(what)], contents: String::new() };
            StartupPolicy { mode: None, trust }
        };
        for (what, passed) in [
            ("MCP server story", true),
            ("hook (SessionStart)", true),
            ("allow rule", true),
            ("environment", false),
            ("setting", false),
            ("settings that cannot be read", false),
        ] {
            assert_eq!(policy(what).covers(StartupKind::ApiKey), passed, "{what}");
            assert!(!policy(what).covers(StartupKind::FolderTrust), "{what}");
        }
        assert!(StartupPolicy::default().covers(StartupKind::FolderTrust));
    }
}
