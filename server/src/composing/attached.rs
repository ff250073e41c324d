//! Files that go with messages: handed over by a phone, kept with the session, deleted with it.
//!
//! What a file is called on disk is chosen here; what it was called on the phone is only ever shown. What it is, its content
//! says; a file that says something else is not kept.

use std::{
    io::{self, Read as _},
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
};

use shared_types::{ATTACH_KINDS, ATTACH_LIMIT, AttachedFile, ErrorCode, WireError};
use tokio::{fs, io::AsyncWriteExt as _};
use uuid::Uuid;

use crate::sessions::refuse::refuse;

/// How many files one session keeps; one more is refused until some are removed.
const KEPT: usize = 200;
/// The longest name that is shown, in characters.
const NAME_LIMIT: usize = 100;
/// The longest ending of a text file's name.
const ENDING_LIMIT: usize = 8;
/// How much of a file tells its kind.
const HEAD: usize = 16;
/// The kind of everything that can be read.
const TEXT: &str = "text/plain";

/// The files of a session, below its folder.
#[must_use]
pub fn folder(session_folder: &Path) -> PathBuf {
    session_folder.join("files")
}

/// A file on its way in. Whatever happens before [`Arriving::keep`], nothing of it is left.
pub struct Arriving {
    folder: PathBuf,
    part: PathBuf,
    file: fs::File,
    size: u64,
    kind: &'static str,
    kept: bool,
}

impl Drop for Arriving {
    fn drop(&mut self) {
        if !self.kept {
            let _ = std::fs::remove_file(&self.part);
        }
    }
}

impl Arriving {
    /// Begins to take a file of a kind.
    ///
    /// # Errors
    /// When its kind is not taken, the session has too many, or the disk says no.
    pub async fn begin(session_folder: &Path, kind: &str) -> Result<Self, WireError> {
        let kind = kind.split(';').next().unwrap_or_default().trim();
        let Some(kind) = ATTACH_KINDS.into_iter().find(|known| *known == kind) else {
            let message = format!("files of this kind cannot be sent: only {}", ATTACH_KINDS.join(", "));
            return Err(refuse(ErrorCode::BadValue, message));
        };
        let folder = folder(session_folder);
        let made = folder.clone();
        let there = on_disk(move || {
            std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&made)?;
            Ok(std::fs::read_dir(&made)?.count())
        });
        if there.await? >= KEPT {
            return Err(refuse(ErrorCode::TooLarge, format!("the session has {KEPT} files already: remove some")));
        }
        let part = folder.join(format!("{}.part", Uuid::new_v4().simple()));
        let opened = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part).await;
        let file = opened.map_err(|error| from_disk(&error))?;
        Ok(Self { folder, part, file, size: 0, kind, kept: false })
    }

    /// Takes a piece of it.
    ///
    /// # Errors
    /// When it gets too large: what came so far is gone then.
    pub async fn take(&mut self, piece: &[u8]) -> Result<(), WireError> {
        self.size += piece.len() as u64;
        if self.size > ATTACH_LIMIT {
            return Err(too_large());
        }
        self.file.write_all(piece).await.map_err(|error| from_disk(&error))
    }

    /// Keeps it, if it is what it was said to be.
    ///
    /// # Errors
    /// When it is not.
    pub async fn keep(mut self, name: &str) -> Result<AttachedFile, WireError> {
        self.file.flush().await.map_err(|error| from_disk(&error))?;
        let part = self.part.clone();
        if on_disk(move || kind_of(&part)).await? != Some(self.kind) {
            let message = format!("the file was said to be {}, but its content says otherwise", self.kind);
            return Err(refuse(ErrorCode::BadValue, message));
        }
        let name = shown_name(name);
        let id = format!("{}.{}", &Uuid::new_v4().simple().to_string()[..16], ending(self.kind, &name));
        let kept = fs::rename(&self.part, self.folder.join(&id)).await;
        kept.map_err(|error| from_disk(&error))?;
        self.kept = true;
        Ok(AttachedFile { id, name, kind: self.kind.to_owned(), size: self.size })
    }
}

/// The path of a file that was kept; nothing when there is none of this id.
pub async fn find(session_folder: &Path, id: &str) -> Option<PathBuf> {
    let (stem, ending) = id.split_once('.')?;
    let plain = |text: &str| !text.is_empty() && text.chars().all(|ch| ch.is_ascii_lowercase() || ch.is_ascii_digit());
    if stem.len() != 16 || !plain(stem) || !plain(ending) || ending.len() > ENDING_LIMIT {
        return None;
    }
    let path = folder(session_folder).join(id);
    fs::symlink_metadata(&path).await.is_ok_and(|meta| meta.is_file()).then_some(path)
}

/// The kind of a kept file, by the ending we gave it.
#[must_use]
pub fn kind_by_id(id: &str) -> &'static str {
    let ending_of = id.rsplit('.').next().unwrap_or_default();
    ATTACH_KINDS.into_iter().find(|kind| *kind != TEXT && ending(kind, "") == ending_of).unwrap_or(TEXT)
}

/// The file is longer than allowed.
#[must_use]
pub fn too_large() -> WireError {
    refuse(ErrorCode::TooLarge, format!("a file has at most {} MB", ATTACH_LIMIT / 1024 / 1024))
}

/// Runs what reads or writes the disk on a thread where it may take its time.
async fn on_disk<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> Result<T, WireError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(io::ErrorKind::Interrupted.into())).map_err(|error| from_disk(&error))
}

/// What a file is by its content.
fn kind_of(path: &Path) -> io::Result<Option<&'static str>> {
    let mut file = std::fs::File::open(path)?;
    let mut content = Vec::with_capacity(HEAD);
    file.by_ref().take(HEAD as u64).read_to_end(&mut content)?;
    if let Some(kind) = by_first_bytes(&content) {
        return Ok(Some(kind));
    }
    // A text has to be one to its end; it is short enough to be read whole.
    file.read_to_end(&mut content)?;
    let text = !content.is_empty() && !content.contains(&0) && std::str::from_utf8(&content).is_ok();
    Ok(text.then_some(TEXT))
}

fn by_first_bytes(head: &[u8]) -> Option<&'static str> {
    match head {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [b'%', b'P', b'D', b'F', b'-', ..] => Some("application/pdf"),
        _ => None,
    }
}

/// How the name of a kept file ends. A text keeps its own ending: the CLIs colour and read by it.
fn ending(kind: &str, name: &str) -> String {
    const TAKEN: [&str; 6] = ["png", "jpg", "jpeg", "gif", "webp", "pdf"];
    match kind {
        "image/png" => "png".to_owned(),
        "image/jpeg" => "jpg".to_owned(),
        "image/gif" => "gif".to_owned(),
        "image/webp" => "webp".to_owned(),
        "application/pdf" => "pdf".to_owned(),
        _ => {
            let own = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
            let plain =
                !own.is_empty() && own.len() <= ENDING_LIMIT && own.chars().all(|ch| ch.is_ascii_alphanumeric());
            if plain && own != "part" && !TAKEN.contains(&own.as_str()) { own } else { "txt".to_owned() }
        }
    }
}

/// What a file was called, without any folder.
fn shown_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = last.chars().filter(|ch| !ch.is_control()).take(NAME_LIMIT).collect();
    match plain.trim() {
        "" | "." | ".." => "file".to_owned(),
        plain => plain.to_owned(),
    }
}

fn from_disk(error: &io::Error) -> WireError {
    tracing::error!(%error, "a file could not be kept");
    refuse(ErrorCode::Internal, format!("the file could not be kept: {error}"))
}

#[cfg(test)]
mod tests;
