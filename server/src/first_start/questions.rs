//! The three questions, in words. An answer that cannot be is said so and asked for again; Enter takes what stands first.

use std::{
    io::{self, BufRead, ErrorKind, Write},
    path::{Path, PathBuf},
};

use super::{Choices, Reach, Tailscale};
use crate::notify::Content;

/// The terminal of the person, or what a test puts in its place.
pub(super) struct Desk<R, W> {
    input: R,
    output: W,
    home: PathBuf,
}

impl<R: BufRead, W: Write> Desk<R, W> {
    pub(super) fn new(input: R, output: W, home: PathBuf) -> Self {
        Self { input, output, home }
    }

    /// Asks everything.
    pub(super) fn ask_all(&mut self, tailscale: &Tailscale, file: &Path) -> io::Result<Choices> {
        self.say("Welcome to Answerback. Three questions, asked only once; Enter takes the first answer.")?;
        self.say(&format!("What you choose is written to {} and can be changed there.", file.display()))?;
        Ok(Choices { reach: self.reach(tailscale)?, folders: self.folders()?, content: self.content()? })
    }

    /// Yes or no; Enter is yes.
    pub(super) fn yes(&mut self, question: &str) -> io::Result<bool> {
        loop {
            match self.line(&format!("{question} [Y/n] "))?.to_ascii_lowercase().as_str() {
                "" | "y" | "yes" => return Ok(true),
                "n" | "no" => return Ok(false),
                _ => self.say("Please answer y or n.")?,
            }
        }
    }

    fn reach(&mut self, tailscale: &Tailscale) -> io::Result<Reach> {
        self.say("\n1. Who may open the page? Each device must be paired as well, whatever you choose.")?;
        let mut options = vec![
            ("this machine alone".to_owned(), Reach::ThisMachine),
            ("phones on the same network, encrypted with a certificate made here".to_owned(), Reach::Lan),
        ];
        match tailscale {
            Tailscale::NotInstalled => {
                self.say("   (Tailscale would let your phone in from anywhere; it is not installed here.)")?
            }
            Tailscale::NotConnected => self.say("   (Tailscale is installed, but not connected: `tailscale up`.)")?,
            Tailscale::Connected { name, .. } => {
                let what = format!("your own devices from anywhere, through Tailscale, as https://{name}");
                options.insert(1, (what, Reach::Tailnet(name.clone())));
            }
        }
        self.choose(options)
    }

    fn folders(&mut self) -> io::Result<Vec<PathBuf>> {
        let home = self.home.display();
        let question = format!("\n2. In which folders may a phone start sessions, besides those in {home}?");
        self.say(&question)?;
        let mut folders = Vec::new();
        loop {
            let left = if folders.is_empty() { "none" } else { "no more" };
            let words = self.line(&format!("   One folder, or Enter for {left}: "))?;
            if words.is_empty() {
                return Ok(folders);
            }
            match self.folder(&words) {
                Ok(folder) if folders.contains(&folder) => {}
                Ok(folder) => folders.push(folder),
                Err(reason) => self.say(&format!("   {words}: {reason}"))?,
            }
        }
    }

    fn folder(&self, words: &str) -> io::Result<PathBuf> {
        let path = match words.strip_prefix("~/") {
            Some(rest) => self.home.join(rest),
            None => PathBuf::from(words),
        };
        let folder = path.canonicalize()?;
        if folder.is_dir() { Ok(folder) } else { Err(ErrorKind::NotADirectory.into()) }
    }

    fn content(&mut self) -> io::Result<Content> {
        self.say("\n3. What may a notification say? None is sent until you turn them on for a device, and each is encrypted to it.")?;
        self.choose(vec![
            ("what is asked, with the command".to_owned(), Content::Full),
            ("what is asked, without the command".to_owned(), Content::Question),
            ("only which session waits".to_owned(), Content::Name),
        ])
    }

    /// One of several, by its number.
    fn choose<T>(&mut self, mut options: Vec<(String, T)>) -> io::Result<T> {
        for (number, (what, _)) in (1..).zip(&options) {
            self.say(&format!("     {number}  {what}"))?;
        }
        let chosen = loop {
            let words = self.line("   Number, or Enter for 1: ")?;
            let number = if words.is_empty() { Some(1) } else { words.parse().ok() };
            match number.filter(|number| (1..=options.len()).contains(number)) {
                Some(number) => break number - 1,
                None => self.say(&format!("   Please type a number from 1 to {}.", options.len()))?,
            }
        };
        Ok(options.swap_remove(chosen).1)
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")
    }

    /// A line of the person's, without what is around it. An end of the input is an error: nobody has chosen anything.
    fn line(&mut self, question: &str) -> io::Result<String> {
        write!(self.output, "{question}")?;
        self.output.flush()?;
        let mut line = String::new();
        if self.input.read_line(&mut line)? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        Ok(line.trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(typed: &str, tailscale: &Tailscale, home: &Path) -> (io::Result<Choices>, String) {
        let mut shown = Vec::new();
        let choices = Desk::new(typed.as_bytes(), &mut shown, home.to_owned()).ask_all(tailscale, Path::new("/c.toml"));
        (choices, String::from_utf8(shown).expect("words"))
    }

    fn connected() -> Tailscale {
        Tailscale::Connected { program: "/bin/tailscale".into(), name: "box.ts.net".into() }
    }

    #[test]
    fn enter_alone_keeps_everything_closed() {
        for tailscale in [Tailscale::NotInstalled, Tailscale::NotConnected, connected()] {
            let (choices, _) = ask("\n\n\n", &tailscale, Path::new("/"));
            let safe = Choices { reach: Reach::ThisMachine, folders: Vec::new(), content: Content::Full };
            assert_eq!(choices.expect("chosen"), safe);
        }
    }

    #[test]
    fn numbers_choose_and_tailscale_is_offered_only_where_it_is_connected() {
        let (choices, shown) = ask("2\n\n3\n", &connected(), Path::new("/"));
        let Choices { reach, content, .. } = choices.expect("chosen");
        assert_eq!((reach, content), (Reach::Tailnet("box.ts.net".into()), Content::Name));
        assert!(shown.contains("https://box.ts.net"), "{shown}");
        let (choices, shown) = ask("2\n\n2\n", &Tailscale::NotConnected, Path::new("/"));
        let Choices { reach, content, .. } = choices.expect("chosen");
        assert_eq!((reach, content), (Reach::Lan, Content::Question));
        assert!(shown.contains("`tailscale up`"), "{shown}");
    }

    #[test]
    fn what_cannot_be_is_asked_for_again() {
        let home = tempfile::tempdir().expect("a home");
        let home = home.path().canonicalize().expect("its path");
        std::fs::create_dir(home.join("my work")).expect("a folder");
        std::fs::write(home.join("file"), "").expect("a file");
        let typed = "7\nno\n1\n~/nothing\n~/file\n~/my work\n~/my work\n\n0\n\n";
        let (choices, shown) = ask(typed, &Tailscale::NotInstalled, &home);
        assert_eq!(choices.expect("chosen").folders, [home.join("my work")]);
        assert_eq!(shown.matches("Please type a number from 1 to 2.").count(), 2, "{shown}");
        assert!(shown.contains("~/nothing: ") && shown.contains("~/file: "), "{shown}");
    }

    #[test]
    fn end_of_the_input_chooses_nothing() {
        let (choices, _) = ask("\n", &Tailscale::NotInstalled, Path::new("/"));
        assert_eq!(choices.expect_err("nobody is there").kind(), ErrorKind::UnexpectedEof);
    }

    #[test]
    fn yes_and_no_are_understood() {
        for (typed, expected) in [("\n", true), ("Y\n", true), ("maybe\nno\n", false), ("n\n", false)] {
            let answer = Desk::new(typed.as_bytes(), Vec::new(), "/".into()).yes("Run it?");
            assert_eq!(answer.expect("answered"), expected, "{typed:?}");
        }
    }
}
