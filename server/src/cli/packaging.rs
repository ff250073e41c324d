//! What packages carry beside the binary: completions for shells, and man pages. Both are made of the command line's own description.

use std::{fs, io::Write as _, path::Path};

use anyhow::Context as _;
use clap::{Command, CommandFactory as _};
use clap_complete::Shell;

use crate::say;

/// Prints what a shell needs to complete our commands.
pub(super) fn completions(shell: Shell) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut visible(), "answerback", &mut script);
    let mut output = say::output();
    output.write_all(&script)?;
    Ok(output.flush()?)
}

/// Writes a man page for every command into a folder.
pub(super) fn man(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("making the folder {}", folder.display()))?;
    clap_mangen::generate_to(visible(), folder).with_context(|| format!("writing man pages to {}", folder.display()))
}

/// The command line without what Answerback and the CLIs run by themselves.
fn visible() -> Command {
    let whole = super::Cli::command();
    let about = whole.get_about().cloned().unwrap_or_default();
    let long_about = whole.get_long_about().cloned().unwrap_or_else(|| about.clone());
    Command::new("answerback")
        .version(env!("CARGO_PKG_VERSION"))
        .about(about)
        .long_about(long_about)
        .subcommands(whole.get_subcommands().filter(|command| !command.is_hide_set()).cloned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_has_a_man_page_and_hidden_ones_have_none() {
        let folder = tempfile::tempdir().expect("a folder");
        man(folder.path()).expect("man pages");
        let has = |name: &str| folder.path().join(name).exists();
        assert!(has("answerback.1") && has("answerback-run.1") && has("answerback-journal-verify.1"));
        assert!(!has("answerback-hook.1") && !has("answerback-pane.1"));
    }
}
