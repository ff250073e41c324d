//! Writes the page's TypeScript. Used by `npm run wire` and by the test that guards against drift.

use std::path::Path;

use ts_rs::{Config, ExportError, TS};

use crate::{
    ATTACH_KINDS, ATTACH_LIMIT, AttachedFile, ClientMessage, PROTOCOL_VERSION, PairReply, PairRequest, ServerMessage,
    TokenAnswer, WhoAmI, visible::UNSEEN,
};

/// Writes every wire type below `folder`. Types that no message reaches are not part of the wire and are not written.
///
/// # Errors
/// When a file cannot be written.
pub fn write_typescript(folder: &Path) -> Result<(), ExportError> {
    // Counters and times stay far below 2^53, where JavaScript's numbers are exact.
    let config = Config::new().with_large_int("number").with_out_dir(folder);
    ClientMessage::export_all(&config)?;
    ServerMessage::export_all(&config)?;
    PairRequest::export_all(&config)?;
    PairReply::export_all(&config)?;
    WhoAmI::export_all(&config)?;
    AttachedFile::export_all(&config)?;
    TokenAnswer::export_all(&config)?;
    let head = "// Generated with the other files of this folder. Do not edit.";
    let version = format!("{head}\nexport const PROTOCOL_VERSION = {PROTOCOL_VERSION};\n");
    std::fs::write(folder.join("version.ts"), version)?;
    let limits =
        format!("{head}\nexport const ATTACH_LIMIT = {ATTACH_LIMIT};\nexport const ATTACH_KINDS = {ATTACH_KINDS:?};\n");
    std::fs::write(folder.join("limits.ts"), limits)?;
    let ranges: Vec<[u32; 2]> = UNSEEN.iter().map(|(first, last)| [*first, *last]).collect();
    let about = "// Characters that are drawn as marks, as ranges of code points; the rules are in shared-types/src/visible.rs.";
    let table = format!("{head}\n{about}\nexport const UNSEEN: readonly (readonly [number, number])[] = {ranges:?};\n");
    std::fs::write(folder.join("visible.ts"), table)?;
    Ok(())
}
