//! `service`: writes the files that let systemd or launchd start the server, takes them away again, or says how it stands. It
//! starts and stops nothing by itself; what to type next is printed.

use std::{
    env, fs,
    io::ErrorKind,
    net::SocketAddr,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context as _, bail};
use clap::{Parser, Subcommand};

use crate::{
    config::{Flags, Settings},
    say,
    service::{MARK, Manager, Service, ServiceFile},
};

#[derive(Debug, Subcommand)]
pub(super) enum ServiceAction {
    /// Write the service's file; a file that is not ours is never overwritten
    Install {
        /// Only print it
        #[arg(long)]
        print: bool,
        /// Flags for the server, behind --: answerback service install -- --lan --tls --resume-all
        #[arg(last = true)]
        flags: Vec<String>,
    },
    /// Take the service's file away
    Uninstall {
        /// Only print what would be done
        #[arg(long)]
        print: bool,
    },
    /// Say whether it is installed, and whether it runs
    Status,
}

pub(super) fn service(action: ServiceAction) -> anyhow::Result<()> {
    let manager = Manager::of_this_system();
    let home = env::home_dir().context("finding your home folder")?;
    match action {
        ServiceAction::Install { print, flags } => {
            let program = env::current_exe().context("finding this program")?;
            let path = env::var("PATH").unwrap_or_default();
            let address = address(&flags)?;
            let files = manager.files(&Service { program, flags, path, home: home.clone(), address });
            if print {
                for ServiceFile { path, text } in files {
                    say::line(&format!("# {}\n{}\n", path.display(), text.trim_end()));
                }
                return Ok(());
            }
            for ServiceFile { path, .. } in &files {
                may_be_written(path)?;
            }
            for ServiceFile { path, text } in &files {
                write(path, text)?;
                say::line(&format!("wrote {}", path.display()));
            }
            next(&manager.start_commands(&home));
        }
        ServiceAction::Uninstall { print } => uninstall(manager, &home, print)?,
        ServiceAction::Status => {
            let mut ours = false;
            for file in manager.paths(&home) {
                match standing(&file)? {
                    Standing::Nothing => {}
                    Standing::Foreign => {
                        say::line(&format!("{} is there, but not written by answerback", file.display()));
                    }
                    Standing::Ours => {
                        ours = true;
                        say::line(&format!("installed as {}", file.display()));
                    }
                }
            }
            say::line(match (ours, ours && runs(manager)) {
                (false, _) => "not installed: `answerback service install` does it",
                (true, true) => "it runs",
                (true, false) => "it does not run",
            });
        }
    }
    Ok(())
}

fn uninstall(manager: Manager, home: &Path, print: bool) -> anyhow::Result<()> {
    let mut found = false;
    for file in manager.paths(home) {
        match standing(&file)? {
            Standing::Nothing => continue,
            Standing::Foreign => {
                say::line(&format!("{} was not written by answerback: it is left alone", file.display()));
                continue;
            }
            Standing::Ours if print => say::line(&format!("would remove {}", file.display())),
            Standing::Ours => {
                fs::remove_file(&file).with_context(|| format!("removing {}", file.display()))?;
                say::line(&format!("removed {}; your sessions run on", file.display()));
            }
        }
        found = true;
    }
    if !found {
        say::line("the service is not installed");
    } else if !print {
        next(&manager.stop_commands());
    }
    Ok(())
}

/// Where the server will listen with these flags.
fn address(flags: &[String]) -> anyhow::Result<SocketAddr> {
    #[derive(Parser)]
    struct Serve {
        #[command(flatten)]
        flags: Flags,
    }
    let words = std::iter::once("serve").chain(flags.iter().map(String::as_str));
    let Serve { flags } = Serve::try_parse_from(words)?;
    let settings = Settings::load(&flags)?;
    Ok(SocketAddr::new(settings.host, settings.port))
}

/// What stands in a service's place.
#[derive(Debug, PartialEq, Eq)]
enum Standing {
    Nothing,
    Ours,
    Foreign,
}

fn standing(file: &Path) -> anyhow::Result<Standing> {
    match fs::read(file) {
        Ok(bytes) if String::from_utf8_lossy(&bytes).contains(MARK) => Ok(Standing::Ours),
        Ok(_) => Ok(Standing::Foreign),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Standing::Nothing),
        Err(error) => Err(error).with_context(|| format!("reading {}", file.display())),
    }
}

fn may_be_written(file: &Path) -> anyhow::Result<()> {
    if standing(file)? == Standing::Foreign {
        bail!("{} was not written by answerback: it is left alone; move it away first", file.display());
    }
    Ok(())
}

fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    may_be_written(file)?;
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(|| format!("making the folder {}", folder.display()))?;
    }
    fs::write(file, text).with_context(|| format!("writing {}", file.display()))
}

fn next(commands: &[String]) {
    say::line("Next:");
    for command in commands {
        say::line(&format!("  {command}"));
    }
}

fn runs(manager: Manager) -> bool {
    let [program, arguments @ ..] = manager.status_command() else { return false };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn socket_unit_holds_the_port_of_the_flags() {
        let flags = ["--port", "4701", "--lan", "--config", "/dev/null"].map(str::to_owned);
        assert_eq!(address(&flags).expect("an address").to_string(), "0.0.0.0:4701");
        assert!(address(&["--no-such-flag".to_owned()]).is_err());
    }

    #[test]
    fn a_file_of_somebody_else_is_never_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("deep/answerback.service");
        assert_eq!(standing(&file).expect("nothing"), Standing::Nothing);
        write(&file, &format!("# {MARK}\n1")).expect("written");
        write(&file, &format!("# {MARK}\n2")).expect("written again");
        assert_eq!(standing(&file).expect("ours"), Standing::Ours);
        fs::write(&file, "[Service]\nExecStart=/my/own\n").expect("somebody's own");
        write(&file, &format!("# {MARK}\n3")).expect_err("it is left alone");
        assert_eq!(fs::read_to_string(&file).expect("read"), "[Service]\nExecStart=/my/own\n");
    }
}
