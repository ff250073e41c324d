//! `uninstall`: takes away what Answerback has put outside of its own folders, and those only when that is asked for. The program
//! itself goes the way it came; what to type for that is printed.

use std::{
    env, fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};

use super::{Place, service};
use crate::{
    config::{Flags, Settings},
    doctor,
    pane::BorrowedServer,
    say,
};

#[derive(Debug, clap::Args)]
pub(super) struct UninstallArgs {
    /// Delete what is kept as well: sessions, journal, paired devices, settings and rules
    #[arg(long)]
    data: bool,
    /// Only print what would be done
    #[arg(long)]
    print: bool,
    #[command(flatten)]
    place: Place,
}

pub(super) async fn uninstall(args: UninstallArgs) -> anyhow::Result<()> {
    let settings = Settings::load(&Flags::from(args.place))?;
    if args.data {
        may_be_deleted(&settings, args.print).await?;
    }
    service::service(service::ServiceAction::Uninstall { print: args.print })?;
    if args.data {
        delete(&settings, args.print)?;
    } else {
        let kept = settings.paths.data.display();
        say::line(&format!("What is kept stays: {kept} and {} (--data deletes both)", settings.file.display()));
    }
    let program = env::current_exe().context("finding this program")?;
    say::line(&format!("The program itself: {}", goodbye(&program)));
    Ok(())
}

/// Nothing is pulled away from below a server or a session that runs.
async fn may_be_deleted(settings: &Settings, print: bool) -> anyhow::Result<()> {
    let data = &settings.paths.data;
    if !data.exists() {
        return Ok(());
    }
    if doctor::server_runs(data) {
        bail!(
            "a server runs here: stop it first (Ctrl-C where it runs, or the commands of `answerback service uninstall`)"
        );
    }
    let tmux = BorrowedServer::new(&settings.tmux, &settings.paths);
    match tmux.sessions().await? {
        None => Ok(()),
        // Without sessions it has nothing left to do.
        Some(0) if print => Ok(()),
        Some(0) => Ok(tmux.end().await?),
        Some(count) => {
            bail!("sessions run on ({count}): end them on the page, or all at once with `answerback tmux kill-server`")
        }
    }
}

/// Deletes what is ours, and the folders that are empty then. What else lies there is named and stays.
fn delete(settings: &Settings, print: bool) -> anyhow::Result<()> {
    let files = [settings.file.clone(), settings.rules.clone()].into_iter().filter(|path| path.exists());
    let ours: Vec<PathBuf> = settings.paths.kept().into_iter().chain(files).collect();
    if ours.is_empty() {
        say::line("nothing is kept here");
    }
    for path in &ours {
        if print {
            say::line(&format!("would delete {}", path.display()));
            continue;
        }
        let is_folder = path.symlink_metadata().is_ok_and(|meta| meta.is_dir());
        let done = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        done.with_context(|| format!("deleting {}", path.display()))?;
        say::line(&format!("deleted {}", path.display()));
    }
    if !print {
        let paths = &settings.paths;
        for folder in [Some(paths.runtime.as_path()), Some(&paths.data), settings.file.parent()].into_iter().flatten() {
            match fs::remove_dir(folder) {
                Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {
                    say::line(&format!("{} has more in it than ours: it stays", folder.display()));
                }
                // It is gone, or not ours to take away.
                _ => {}
            }
        }
    }
    Ok(())
}

/// How the program goes: as it came.
fn goodbye(program: &Path) -> String {
    if program.starts_with("/usr/bin") {
        "`sudo apt remove answerback`, or your package manager's command for it".to_owned()
    } else if program.components().any(|part| part.as_os_str() == "node_modules") {
        "`npm uninstall --global answerback`".to_owned()
    } else {
        format!("`rm '{}'`", program.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_goes_as_it_came() {
        for (program, words) in [
            ("/usr/bin/answerback", "apt remove"),
            ("/home/me/.npm/lib/node_modules/answerback/bin/answerback", "npm uninstall --global"),
            ("/opt/answerback-1.0/answerback", "rm '/opt/answerback-1.0/answerback'"),
        ] {
            assert!(goodbye(Path::new(program)).contains(words), "{program}");
        }
    }
}
