//! What a page asks of the history.

use shared_types::{ErrorCode, HistoryFilter, Millis, PromptId, ReplyData, WireError};

use super::App;
use crate::{
    sessions::refuse::{from_store, refuse},
    store::{HistoryPage, PastPrompt},
};

/// How many prompts one page holds at most.
const ROWS_LIMIT: u32 = 200;
/// The longest text of a filter, in bytes.
const TEXT_LIMIT: usize = 1000;
/// The clocks of people are at most so far from UTC, in minutes.
const OFFSET_LIMIT: i32 = 26 * 60;

/// A page of the history.
pub(super) async fn page(
    app: &App,
    filter: HistoryFilter,
    before: Option<u64>,
    limit: u32,
) -> Result<ReplyData, WireError> {
    if [&filter.text, &filter.folder].into_iter().flatten().any(|text| text.len() > TEXT_LIMIT) {
        return Err(refuse(ErrorCode::TooLarge, "that is more than can be looked for"));
    }
    let found = app.store.history(filter, before, limit.clamp(1, ROWS_LIMIT)).await;
    let HistoryPage { rows, more } = found.map_err(|error| from_store(&error))?;
    Ok(ReplyData::History { rows, more })
}

/// A prompt of the history.
pub(super) async fn prompt(app: &App, id: PromptId) -> Result<ReplyData, WireError> {
    let found = app.store.past_prompt(id).await.map_err(|error| from_store(&error))?;
    let gone = || refuse(ErrorCode::PromptGone, "this prompt is not in the history, or no longer");
    let PastPrompt { prompt, steps, message } = found.ok_or_else(gone)?;
    Ok(ReplyData::HistoryPrompt { prompt: Box::new(prompt), steps, message_id: message })
}

/// The prompts of some time in numbers.
pub(super) async fn insight(app: &App, since: Millis, utc_offset: i32) -> Result<ReplyData, WireError> {
    let offset = utc_offset.clamp(-OFFSET_LIMIT, OFFSET_LIMIT);
    let insight = app.store.insight(since, offset).await.map_err(|error| from_store(&error))?;
    Ok(ReplyData::Insight { insight })
}
