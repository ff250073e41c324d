//! The commands that people and projects have defined in files.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

use adapters::commands::{Below, CommandShelf, Commands};
use shared_types::{CommandOrigin, SlashCommand};

/// How many commands of one folder are offered; a person has a dozen.
const OFFERED: usize = 200;
/// How deep folders in it may lie.
const DEPTH: usize = 3;
/// How much of a file is read: its description stands at its beginning.
const HEAD: u64 = 4096;

/// All commands of a CLI: its own, those of the project, those of the person. Reads the disk.
#[must_use]
pub fn defined_commands(commands: Commands, project: &Path, cli_home: &Path) -> Vec<SlashCommand> {
    let built_in = commands.built_in.iter().map(|(name, description)| SlashCommand {
        name: (*name).to_owned(),
        description: (*description).to_owned(),
        origin: CommandOrigin::BuiltIn,
    });
    let defined = commands.shelves.iter().flat_map(|shelf| match shelf.below {
        Below::Project => on_shelf(shelf, &project.join(shelf.folder), CommandOrigin::Project),
        // A CLI whose home is not known has none.
        Below::CliHome if cli_home.as_os_str().is_empty() => Vec::new(),
        Below::CliHome => on_shelf(shelf, &cli_home.join(shelf.folder), CommandOrigin::Person),
    });
    built_in.chain(defined).collect()
}

fn on_shelf(shelf: &CommandShelf, folder: &Path, origin: CommandOrigin) -> Vec<SlashCommand> {
    let mut files = Vec::new();
    collect(shelf, folder, DEPTH, &mut files);
    files.sort();
    let commands = files.into_iter().take(OFFERED).filter_map(|file| {
        let below = file.strip_prefix(folder).ok()?.with_extension("");
        let parts: Vec<&str> = below.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
        let name = shelf.name(&parts)?;
        Some(SlashCommand { name, description: shelf.form.description(&beginning(&file)), origin })
    });
    commands.collect()
}

/// The files of a folder, and of the folders in it where those count. Links to folders are not followed.
fn collect(shelf: &CommandShelf, folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok).take(OFFERED * 2) {
        let path = entry.path();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && shelf.nested && depth > 1 {
            collect(shelf, &path, depth - 1, files);
        } else if path.extension().is_some_and(|found| found == shelf.form.extension()) && path.is_file() {
            files.push(path);
        }
        if files.len() >= OFFERED {
            return;
        }
    }
}

fn beginning(file: &Path) -> String {
    let mut head = Vec::new();
    let read = fs::File::open(file).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    if read.is_err() {
        head.clear();
    }
    String::from_utf8_lossy(&head).into_owned()
}

#[cfg(test)]
mod tests {
    use adapters::adapter_for;
    use shared_types::AdapterKind;

    use super::*;

    fn write(path: PathBuf, text: &str) {
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn defined(kind: AdapterKind, project: &Path, home: &Path) -> Vec<(String, String, CommandOrigin)> {
        let commands = defined_commands(adapter_for(kind).commands(), project, home);
        let own = commands.into_iter().filter(|command| command.origin != CommandOrigin::BuiltIn);
        own.map(|command| (command.name, command.description, command.origin)).collect()
    }

    #[test]
    fn each_cli_has_its_own_places() {
        let folder = tempfile::tempdir().expect("a folder");
        let (project, home) = (folder.path().join("project"), folder.path().join("home"));
        write(project.join(".claude/commands/deploy.md"), "---\ndescription: Ships it\n---\nGo");
        write(project.join(".claude/commands/front/page.md"), "Make a page");
        write(project.join(".claude/commands/notes.txt"), "no command");
        write(project.join(".gemini/commands/git/commit.toml"), "description = \"Commits\"\nprompt = \"x\"");
        write(home.join("commands/mine.md"), "My own");
        write(home.join("prompts/draft.md"), "Draft a text");
        let of = |name: &str, description: &str, origin| (name.to_owned(), description.to_owned(), origin);
        assert_eq!(
            defined(AdapterKind::new("claude"), &project, &home),
            [
                of("deploy", "Ships it", CommandOrigin::Project),
                of("front:page", "Make a page", CommandOrigin::Project),
                of("mine", "My own", CommandOrigin::Person),
            ]
        );
        assert_eq!(
            defined(AdapterKind::new("gemini"), &project, &home),
            [of("git:commit", "Commits", CommandOrigin::Project)]
        );
        assert_eq!(
            defined(AdapterKind::new("codex"), &project, &home),
            [of("prompts:draft", "Draft a text", CommandOrigin::Person)]
        );
        assert_eq!(defined(AdapterKind::new("generic"), &project, &home), []);
        assert_eq!(defined(AdapterKind::new("codex"), &project, Path::new("")), []);
    }

    #[test]
    fn a_folder_full_of_files_is_not_offered_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        for at in 0..OFFERED + 50 {
            write(folder.path().join(format!(".claude/commands/c{at}.md")), "x");
        }
        assert_eq!(defined(AdapterKind::new("claude"), folder.path(), Path::new("")).len(), OFFERED);
    }
}
