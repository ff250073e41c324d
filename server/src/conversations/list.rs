//! The list of earlier conversations, newest first, also of those that were never started here.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use adapters::{Adapter, TranscriptEntry, adapter_for, transcript::Form};
use shared_types::{AdapterKind, ConversationInfo};

use super::{
    Shelves,
    files::{BEGINNING, File, beginning, end, on_shelf},
    words::{early_lines, words},
};

/// How many are listed at most.
const LISTED: usize = 50;
/// How many files are opened at most: those of other folders among them cost a look, too.
const OPENED: usize = 500;
/// The longest title, in characters.
const TITLE_LIMIT: usize = 120;

/// Which conversations are wanted.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Only those of this folder.
    pub folder: Option<PathBuf>,
    /// Only those whose title or folder has all these words.
    pub query: String,
    /// Folders that are known: some CLIs name a folder in a way that can only be recognized.
    pub known: Vec<PathBuf>,
}

impl Shelves {
    /// The conversations of a CLI, newest first. Those in which nothing was said are left out.
    #[must_use]
    pub fn list(&self, kind: AdapterKind, wanted: &Listing) -> Vec<ConversationInfo> {
        let adapter = adapter_for(kind);
        let folder = wanted.folder.as_deref();
        let words: Vec<String> = wanted.query.split_whitespace().map(str::to_lowercase).collect();
        let Some(shelf) = adapter.shelf(folder) else { return Vec::new() };
        let mut files = on_shelf(&self.root(&shelf), &shelf.pattern, 0);
        files.sort_by_key(|file| std::cmp::Reverse(file.modified));
        let mut listed: Vec<ConversationInfo> = Vec::new();
        for file in files.into_iter().take(OPENED) {
            if let Some(info) = describe(adapter, &file, wanted)
                && fits(&info, &words)
                && !listed.iter().any(|known| known.id == info.id)
            {
                listed.push(info);
            }
            if listed.len() == LISTED {
                break;
            }
        }
        listed
    }
}

fn fits(info: &ConversationInfo, words: &[String]) -> bool {
    let text = [info.title.as_str(), info.folder.as_deref().unwrap_or_default()].join(" ").to_lowercase();
    words.iter().all(|word| text.contains(word))
}

fn describe(adapter: &dyn Adapter, file: &File, wanted: &Listing) -> Option<ConversationInfo> {
    let folder = wanted.folder.as_deref();
    let begins = beginning(&file.path)?;
    let head = adapter.read_head(&file.name, &begins)?;
    if let Some(folder) = folder
        && !head.folder.as_ref().is_some_and(|mark| mark.is(folder))
    {
        return None;
    }
    let lines = early_lines(file, &begins)?;
    let are_all = file.size <= BEGINNING || Form::of(&file.path) == Form::Whole;
    let messages = are_all.then(|| count(adapter, &lines));
    let title = given_title(adapter, &lines, file).or_else(|| words(adapter, &lines).next())?;
    let is_it = |path: &&Path| head.folder.as_ref().is_some_and(|mark| mark.is(path));
    let recognized = || wanted.known.iter().map(PathBuf::as_path).find(is_it);
    let known = head.folder.as_ref().and_then(|mark| mark.path()).or(folder).or_else(recognized);
    Some(ConversationInfo {
        adapter: adapter.profile().kind,
        id: head.id,
        folder: known.map(|path| path.to_string_lossy().into_owned()),
        title: one_line(&title),
        updated_at: file.modified,
        size: file.size,
        messages,
    })
}

/// The name the conversation was last given.
fn given_title(adapter: &dyn Adapter, lines: &[String], file: &File) -> Option<String> {
    let late = end(&file.path).filter(|_| file.size > BEGINNING).unwrap_or_default();
    late.lines().rev().chain(lines.iter().rev().map(String::as_str)).find_map(|line| adapter.read_title(line))
}

fn count(adapter: &dyn Adapter, lines: &[String]) -> u64 {
    let entries = lines.iter().flat_map(|line| adapter.read_transcript(line));
    let ids: BTreeSet<String> = entries
        .filter_map(|entry| match entry {
            TranscriptEntry::Message(message) => Some(message.id.0),
            _ => None,
        })
        .collect();
    ids.len() as u64
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(TITLE_LIMIT).collect()
}
