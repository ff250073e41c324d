//! The first start in a terminal: three questions, whose answers become the configuration file. They are asked once, and only where
//! somebody can answer; whoever does not choose gets what holds without a file.
//!
//! [`questions`] asks over any reader and writer, [`file_text`] is pure, [`tailscale`] asks the program of that name.

mod questions;
mod tailscale;

use std::{
    fs,
    io::{self, IsTerminal as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;

use crate::{
    config::{FileSettings, Flags, Settings},
    listen, notify,
    paths::{self, Paths},
    say, store,
};
use questions::Desk;
use tailscale::Tailscale;

/// What a person chose.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Choices {
    reach: Reach,
    /// Folders that may be chosen, besides those in the home folder.
    folders: Vec<PathBuf>,
    /// How much a notification says.
    content: notify::Content,
}

/// Who may open the page.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Reach {
    ThisMachine,
    /// Tailscale carries it, under this name.
    Tailnet(String),
    /// Whoever is on the same network, encrypted.
    Lan,
}

/// Asks, if this is the first start, and writes the configuration file.
///
/// # Errors
/// When the person leaves before the end: nothing is written then, and the next start asks again.
pub(crate) async fn ask_once(flags: &Flags) -> anyhow::Result<()> {
    let file = paths::config_file();
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() || !is_first(flags, &file) {
        return Ok(());
    }
    let tailscale = tailscale::look().await;
    let home = std::env::home_dir().unwrap_or_else(|| PathBuf::from("/"));
    // The person is the only one who is waited for, and nothing else runs yet.
    let mut desk = Desk::new(io::stdin().lock(), io::stdout(), home);
    let choices = desk.ask_all(&tailscale, &file).context("asking what the first start needs to know")?;
    let port = free_port(flags, &choices.reach)?;
    let text = file_text(&choices, port.filter(|_| flags.port.is_none()));
    if let Err(error) = write(&file, &text) {
        // Their home may be one that is not written by hand. Everything stays closed, as without answers.
        say::error_line(&format!("{error:#}; starting as if nothing had been chosen"));
        return Ok(());
    }
    say::line(&format!("Wrote {}", file.display()));
    if let (Reach::Tailnet(_), Tailscale::Connected { program, .. }, Some(port)) = (&choices.reach, &tailscale, port) {
        offer_to_serve(&mut desk, program, port)?;
    }
    Ok(())
}

/// True when nothing was ever chosen here: no file, no flag that says who may open the page, no data.
fn is_first(flags: &Flags, file: &Path) -> bool {
    let data = || Paths::resolve(flags.data_dir.as_deref()).data;
    let is_chosen = flags.config.is_some() || flags.say_who_may_open() || file.exists();
    !is_chosen && !store::file_in(&data()).exists()
}

/// The port that will be listened on, so that what leads to it is told right; none is promised where any may be taken.
fn free_port(flags: &Flags, reach: &Reach) -> anyhow::Result<Option<u16>> {
    let settings = Settings::load(flags)?;
    let host = if *reach == Reach::Lan { std::net::Ipv4Addr::UNSPECIFIED.into() } else { settings.host };
    if settings.port == 0 { Ok(None) } else { listen::first_free(host, settings.port).map(Some) }
}

/// The command that lets Tailscale carry the page, run if the person wants that.
fn offer_to_serve<R: io::BufRead, W: io::Write>(
    desk: &mut Desk<R, W>,
    program: &Path,
    port: u16,
) -> anyhow::Result<()> {
    let words = tailscale::serve_words(port);
    let command = format!("tailscale {}", words.join(" "));
    say::line(&format!("\nTailscale must be told once to carry the page:\n\n     {command}\n"));
    if !desk.yes("Run it now?")? {
        say::line("Type it in another terminal before you open the page on your phone.");
        return Ok(());
    }
    let done = std::process::Command::new(program).args(words).status();
    if !done.is_ok_and(|status| status.success()) {
        say::line(&format!("That did not work. Type it yourself when the reason above is out of the way: {command}"));
    }
    Ok(())
}

/// The configuration file that says what was chosen. Everything else in it is left out, and so stays as it is without a file.
fn file_text(choices: &Choices, port: Option<u16>) -> String {
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let mut lines =
        vec!["# Settings of Answerback, as chosen at its first start. The README lists all there are.".to_owned()];
    lines.extend(port.map(|port| format!("port = {port}")));
    match &choices.reach {
        Reach::ThisMachine => lines.push("lan = false  # only this machine opens the page".to_owned()),
        Reach::Tailnet(name) => lines.push(format!("allowed_hosts = [{}]  # through Tailscale", quoted(name))),
        Reach::Lan => lines.extend(["lan = true", "tls = true"].map(str::to_owned)),
    }
    if !choices.folders.is_empty() {
        let folders: Vec<String> = choices.folders.iter().map(|folder| quoted(&folder.to_string_lossy())).collect();
        lines.push(format!("folders = [{}]", folders.join(", ")));
    }
    let content = match choices.content {
        notify::Content::Name => "name",
        notify::Content::Question => "question",
        notify::Content::Full => "full",
    };
    lines.push(format!("\n[notify]\ncontent = \"{content}\""));
    lines.join("\n") + "\n"
}

/// Writes the file where none is; one that came to be meanwhile is left alone.
fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    // What we could not read at the next start is not written.
    FileSettings::parse(text).map_err(|mistakes| anyhow::anyhow!("{}", mistakes[0]))?;
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(|| format!("making the folder {}", folder.display()))?;
    }
    let open = fs::OpenOptions::new().create_new(true).write(true).mode(0o600).open(file);
    let written = open.and_then(|mut open| open.write_all(text.as_bytes()));
    written.with_context(|| format!("writing {}", file.display()))
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn read(reach: Reach, folders: &[&str], content: notify::Content, port: Option<u16>) -> FileSettings {
        let choices = Choices { reach, folders: folders.iter().map(PathBuf::from).collect(), content };
        let text = file_text(&choices, port);
        FileSettings::parse(&text).unwrap_or_else(|mistakes| panic!("{mistakes:?} in {text}"))
    }

    #[test]
    fn file_says_what_was_chosen_and_nothing_else() {
        let alone = read(Reach::ThisMachine, &[], notify::Content::Full, Some(4700));
        assert_eq!(alone, FileSettings { port: Some(4700), lan: Some(false), ..FileSettings::default() });
        let tailnet = read(Reach::Tailnet("box.tail1.ts.net".into()), &[], notify::Content::Question, None);
        assert_eq!((tailnet.port, tailnet.allowed_hosts), (None, vec!["box.tail1.ts.net".to_owned()]));
        assert_eq!(tailnet.notify.content, notify::Content::Question);
        let lan = read(Reach::Lan, &["/srv/a \"b\"\\c", "/srv/d"], notify::Content::Name, None);
        assert_eq!((lan.lan, lan.tls), (Some(true), Some(true)));
        assert_eq!(lan.folders, [PathBuf::from("/srv/a \"b\"\\c"), PathBuf::from("/srv/d")]);
    }

    #[test]
    fn file_that_is_there_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("deep/config.toml");
        write(&file, "port = 1\n").expect("written");
        write(&file, "port = 2\n").expect_err("it is there");
        assert_eq!(fs::read_to_string(&file).expect("read"), "port = 1\n");
        write(&folder.path().join("other.toml"), "colour = 1\n").expect_err("it could not be read again");
    }

    #[test]
    fn flag_or_file_says_that_this_is_no_first_start() {
        let folder = tempfile::tempdir().expect("a folder");
        let none = folder.path().join("config.toml");
        let flags = Flags { data_dir: Some(folder.path().join("data")), ..Flags::default() };
        assert!(is_first(&flags, &none));
        let host = Some(IpAddr::from([127, 0, 0, 1]));
        for other in [
            Flags { host, ..flags.clone() },
            Flags { lan: Some(true), ..flags.clone() },
            Flags { allowed_host: vec!["box".into()], ..flags.clone() },
            Flags { config: Some(none.clone()), ..flags.clone() },
        ] {
            assert!(!is_first(&other, &none), "{other:?}");
        }
        fs::write(&none, "").expect("a file");
        assert!(!is_first(&flags, &none));
    }
}
