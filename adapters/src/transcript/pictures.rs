//! Pictures in a conversation. A message only names them; the pictures themselves travel beside it, within bounds.

use shared_types::ImageInfo;

use super::{TranscriptEntry, place::sha256};

/// What a browser shows and nobody can hide a program in.
const MEDIA_TYPES: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];
/// The longest picture, in characters of base64: 5 MB, the most that the models take.
const LIMIT: usize = 7_000_000;
/// How long its name is: as much of a hash as never comes twice.
const ID_LENGTH: usize = 24;

/// The pictures of one message.
#[derive(Debug, Default)]
pub struct Pictures {
    infos: Vec<ImageInfo>,
    entries: Vec<TranscriptEntry>,
}

impl Pictures {
    /// Takes a picture; false when it is none that can be shown.
    pub fn take(&mut self, media_type: &str, base64: &str) -> bool {
        if !MEDIA_TYPES.contains(&media_type) || base64.is_empty() || base64.len() > LIMIT {
            return false;
        }
        let id = sha256(base64).chars().take(ID_LENGTH).collect();
        let info = ImageInfo { id, media_type: media_type.to_owned() };
        if !self.infos.contains(&info) {
            self.infos.push(info.clone());
            self.entries.push(TranscriptEntry::Image { info, base64: base64.to_owned() });
        }
        true
    }

    /// Takes a picture from an address that holds it: `data:image/png;base64,…`.
    pub fn take_address(&mut self, address: &str) -> bool {
        let held = address.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
        held.is_some_and(|(media_type, base64)| self.take(media_type, base64))
    }

    /// The names of the pictures, for a message or a result; and the pictures themselves.
    #[must_use]
    pub fn into_parts(self) -> (Option<Vec<ImageInfo>>, Vec<TranscriptEntry>) {
        ((!self.infos.is_empty()).then_some(self.infos), self.entries)
    }
}
