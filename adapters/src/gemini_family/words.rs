//! What words mean, for what no build can tell: which option allows, which refuses, which start-up dialog it is.
//!
//! Rules are by meaning and tolerant: a word or two that must be there, never a whole sentence. A dialog whose words say
//! nothing here is still read; it is only told less about.

use shared_types::OptionRole;

/// What choosing an option of a permission means.
pub(crate) fn role(label: &str) -> OptionRole {
    let words = Words::of(label);
    let refuses = words
        .begins(&["no", "don't", "dont", "deny", "reject", "cancel", "stop", "decline", "never", "ignore", "not"])
        || words.begins(&["do"]) && words.nth(1, &["not"]);
    if refuses {
        return OptionRole::Deny;
    }
    if words.has(&["editor"]) {
        return OptionRole::Other;
    }
    let allows = ["allow", "yes", "approve", "accept", "proceed", "trust", "continue", "run", "ok", "acknowledge"];
    if !words.begins(&allows) {
        return OptionRole::Other;
    }
    let lasting = ["session", "sessions", "always", "future", "all", "remember", "again", "automatically", "parent"];
    // A label that was cut may have lost the word that says it lasts; what goes on after "for" does.
    if words.has(&lasting) || label.ends_with('…') && words.has(&["for"]) {
        OptionRole::AllowAlways
    } else {
        OptionRole::Allow
    }
}

/// True when an option trusts the folder the session was started in, and no other.
pub(crate) fn trusts_this_folder(label: &str) -> bool {
    let words = Words::of(label);
    let trusts = words.begins(&["trust"]) || words.begins(&["yes"]) && words.has(&["trust"]);
    trusts && words.has(&["folder", "directory", "workspace"]) && !words.has(&["parent", "not", "no", "don't", "all"])
}

/// True when the text asks whether a folder may be trusted.
pub(crate) fn names_folder_trust(text: &str) -> bool {
    let words = Words::of(text);
    words.has(&["trust"]) && words.has(&["folder", "folders", "directory", "directories", "workspace"])
}

/// True when choosing the option opens an editor at the desk, where the person with the phone is not.
pub(crate) fn opens_editor(label: &str) -> bool {
    Words::of(label).has(&["editor"])
}

/// True when a label reads like the suggestion of a text field. Only asked where styles cannot tell.
pub(crate) fn invites_text(label: &str) -> bool {
    let words = Words::of(label);
    words.begins(&["type", "enter", "other", "write"]) || words.has(&["custom", "feedback"])
}

/// True when a hint says that the dialog can be closed without an answer: nobody but the person opened it.
pub(crate) fn can_be_closed(hint: &str) -> bool {
    let words = Words::of(hint);
    words.has(&["close", "exit"]) && words.has(&["esc", "escape", "q"])
}

/// True when the text speaks of going round in circles.
pub(crate) fn names_loop(text: &str) -> bool {
    Words::of(text).has(&["loop", "looping", "loops"])
}

/// True when the text speaks of a plan.
pub(crate) fn names_plan(text: &str) -> bool {
    Words::of(text).has(&["plan", "implementation"])
}

/// True when a tool's name says that it runs commands.
pub(crate) fn runs_commands(name: &str) -> bool {
    Words::of(name).has(&["shell", "bash", "command", "exec", "terminal", "run_shell_command"])
}

/// True when a field holds what nobody else may read.
pub(crate) fn names_secret(text: &str) -> bool {
    Words::of(text).has(&["key", "password", "passphrase", "token", "secret"])
}

/// True when the text says that the program is coming up.
pub(crate) fn says_starting(text: &str) -> bool {
    let begins = ["initializ", "initialis", "resum", "connect", "load", "start", "restart", "authenticat"];
    Words::of(text).0.iter().any(|word| begins.iter().any(|begin| word.starts_with(begin)))
}

/// True when the text says that the program starts anew.
pub(crate) fn says_restarting(text: &str) -> bool {
    Words::of(text).has(&["restarting", "restart", "exiting"])
}

/// The words of a text in lower case, punctuation at their ends taken off.
pub(crate) struct Words(Vec<String>);

impl Words {
    pub(crate) fn of(text: &str) -> Self {
        let trimmed = text
            .split_whitespace()
            .map(|word| word.trim_matches(|ch: char| !ch.is_alphanumeric()).replace('’', "'").to_lowercase());
        Self(trimmed.filter(|word| !word.is_empty()).collect())
    }

    /// True when one of these is among the words.
    pub(crate) fn has(&self, wanted: &[&str]) -> bool {
        self.0.iter().any(|word| wanted.contains(&word.as_str()))
    }

    /// True when the first word is one of these.
    pub(crate) fn begins(&self, wanted: &[&str]) -> bool {
        self.nth(0, wanted)
    }

    pub(crate) fn nth(&self, index: usize, wanted: &[&str]) -> bool {
        self.0.get(index).is_some_and(|word| wanted.contains(&word.as_str()))
    }
}
