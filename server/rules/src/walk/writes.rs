//! Files that are written, and whether that stays in the folder.

use super::{Arg, Walk, Write};
use crate::{
    judgement::Floor,
    paths::{self, Place},
};

impl Walk {
    /// A file written on the side, by a redirection or an option: it needs a rule of its own.
    pub(crate) fn write(&mut self, target: &Arg, call: Option<usize>, named_by: &[&str], how: &str) {
        if target.values.is_empty() && target.glob {
            self.unknown(format!("which file is written is only known when it runs: {}", target.shown));
        }
        let paths = self.touch(target);
        if paths.as_ref().is_some_and(Vec::is_empty) {
            return;
        }
        if let Some(paths) = &paths {
            self.written.extend(paths.iter().cloned());
        }
        let shown = format!("{how} {}", target.shown);
        let named_by = named_by.iter().map(|word| (*word).to_owned()).collect();
        self.out.writes.push(Write { paths: paths.unwrap_or_default(), shown, call, named_by });
    }

    /// Judges a file that is changed or deleted. The paths it can be, none of them when nothing is kept; `None` when unknown.
    pub(crate) fn touch(&mut self, target: &Arg) -> Option<Vec<String>> {
        let texts: Vec<String> = match (target.values.is_empty(), target.glob) {
            (false, _) => target.values.clone(),
            (true, true)
                if !target.open || target.shown.starts_with(['*', '?', '[']) && !target.shown.contains('$') =>
            {
                vec![target.shown.clone()]
            }
            _ => {
                self.unknown(format!("which file is written is only known when it runs: {}", target.shown));
                return None;
            }
        };
        let mut paths = Vec::new();
        for text in &texts {
            let hidden_pattern = target.glob
                && text.split('/').any(|part| {
                    part.starts_with('.') && part.len() > 1 && part != ".." && part.contains(['*', '?', '[', '{'])
                });
            if target.glob && (text.contains("..") || text.contains('{') && text.contains('/')) {
                self.unknown(format!("which file is written is only known when it runs: {text}"));
            }
            if text.starts_with('~') {
                self.floor(Floor::WriteOutside, format!("writes outside the folder: {text}"));
                paths.push(text.clone());
                continue;
            }
            if self.away && !text.starts_with('/') {
                self.floor(Floor::WriteOutside, format!("writes outside the folder, after it was left: {text}"));
                paths.push(text.clone());
                continue;
            }
            for place in self.places.clone() {
                let path = paths::resolve(text, &place);
                match paths::place_of(&path, &self.folder) {
                    Place::Nowhere => continue,
                    Place::Inside => {}
                    Place::Above => {
                        self.floor(Floor::WriteOutside, format!("changes the folder itself or one above it: {text}"))
                    }
                    Place::Outside => {
                        let device = path.starts_with("/dev/");
                        let (floor, what) = if device {
                            (Floor::Disk, "writes to a device")
                        } else {
                            (Floor::WriteOutside, "writes outside the folder")
                        };
                        self.floor(floor, format!("{what}: {text}"));
                    }
                }
                if let Some(why) = self.protected(&path, hidden_pattern) {
                    self.floor(why.0, why.1);
                }
                if !paths.contains(&path) {
                    paths.push(path);
                }
            }
        }
        Some(paths)
    }

    fn protected(&self, path: &str, hidden_pattern: bool) -> Option<(Floor, String)> {
        // The folder itself may lie below a folder of that name.
        let inside =
            path.strip_prefix(self.folder.as_str()).filter(|_| paths::below(path, &self.folder)).unwrap_or(path);
        if paths::is_own(path) {
            Some((Floor::OwnFiles, format!("changes Answerback's own files: {path}")))
        } else if paths::is_settings(inside) || hidden_pattern {
            Some((Floor::Settings, format!("changes settings or hooks that decide what runs: {path}")))
        } else {
            None
        }
    }

    /// A file tool's path, judged like a redirection; the resolved path.
    pub(crate) fn tool_write(&mut self, path: &str) -> Vec<String> {
        self.touch(&Arg::known(path)).unwrap_or_default()
    }

    /// True when the file was written in this line or turn, so that nobody knows what is in it.
    pub(crate) fn was_written(&self, name: &str) -> bool {
        self.written.iter().chain(&self.turn).any(|path| path.rsplit('/').next() == Some(name))
    }

    /// True when this line has written anything but a record for persons, or this turn a file that says what builds and tests run.
    pub(crate) fn has_written(&self) -> bool {
        let prose = |path: &String| [".log", ".txt", ".out"].iter().any(|end| path.ends_with(end));
        !self.written.iter().all(prose) || self.turn.iter().any(|path| paths::says_what_runs(path))
    }
}
