//! What hooks tell of dialogs without asking anything: it completes the prompt on the screen, and is used once.

use std::collections::VecDeque;

use adapters::{Adapter, Fingerprint, Sighting, hook::Detail};

/// More dialogs than this are never queued up; the oldest detail is dropped for a newer one.
const LIMIT: usize = 32;

/// What was told and has not been needed yet, and what completes the prompt on the screen.
#[derive(Default)]
pub(crate) struct Details {
    told: VecDeque<Detail>,
    used: Option<(Fingerprint, Detail)>,
}

impl Details {
    /// The dialog with all that was told of it. Each detail belongs to the first dialog that it fits, so that the next change to
    /// the same file is never shown as the last one.
    pub(crate) fn complete(&mut self, adapter: &dyn Adapter, prompt: Fingerprint, dialog: Sighting) -> Sighting {
        self.used.take_if(|(fingerprint, _)| *fingerprint != prompt);
        if self.used.is_none() {
            let fits = self.told.iter().position(|detail| adapter.complete(detail, &dialog).is_some());
            self.used = fits.and_then(|at| self.told.remove(at)).map(|detail| (prompt, detail));
        }
        let whole = self.used.as_ref().and_then(|(_, detail)| adapter.complete(detail, &dialog));
        whole.unwrap_or(dialog)
    }

    /// Keeps what a hook told.
    pub(crate) fn add(&mut self, detail: Detail) {
        if self.told.len() == LIMIT {
            self.told.pop_front();
        }
        self.told.push_back(detail);
    }

    /// The prompt on the screen is over, and what was told of it with it.
    pub(crate) fn prompt_closed(&mut self) {
        self.used = None;
    }

    /// The turn is over: whatever was told belongs to nothing any more.
    pub(crate) fn clear(&mut self) {
        self.told.clear();
        self.used = None;
    }
}

#[cfg(test)]
mod tests {
    use adapters::{adapter_for, reading::Fingerprint};
    use serde_json::json;
    use shared_types::{AdapterKind, PromptKind, PromptSource};

    use super::*;

    fn dialog(shown: &str) -> Sighting {
        let mut dialog = Sighting::new(PromptKind::Permission, PromptSource::Screen, "choice");
        dialog.tool_input = Some(shown.into());
        dialog
    }

    fn details(commands: &[&str]) -> Details {
        let told = commands.iter().map(|command| Detail { tool_input: Some(json!(command)), ..Detail::default() });
        Details { told: told.collect(), used: None }
    }

    #[test]
    fn each_detail_completes_one_dialog_for_as_long_as_it_stands() {
        const HIDDEN: &str = "touch a\n... 2 hidden (Ctrl+O) ...\ntouch z";
        let adapter = adapter_for(AdapterKind::new("gemini"));
        let mut details = details(&["rm x", "touch a\ntouch 1\ntouch z", "touch a\ntouch 2\ntouch z"]);
        let shown = |details: &mut Details, prompt: u64, text: &str| {
            details.complete(adapter, Fingerprint(prompt), dialog(text)).tool_input.unwrap()
        };
        assert_eq!(shown(&mut details, 1, HIDDEN), "touch a\ntouch 1\ntouch z");
        assert_eq!(shown(&mut details, 1, HIDDEN), "touch a\ntouch 1\ntouch z", "drawn again");
        details.prompt_closed();
        assert_eq!(shown(&mut details, 1, HIDDEN), "touch a\ntouch 2\ntouch z", "the next one like it");
        details.prompt_closed();
        assert_eq!(shown(&mut details, 1, HIDDEN), HIDDEN, "nothing was told of this one");
        assert_eq!(shown(&mut details, 2, "rm x"), "rm x");
        details.clear();
        assert!(details.told.is_empty() && details.used.is_none());
    }

    #[test]
    fn newest_of_too_many_details_are_kept() {
        let mut details = Details::default();
        for number in 0..=LIMIT {
            details.add(Detail { tool_input: Some(json!(number)), ..Detail::default() });
        }
        assert_eq!(details.told.len(), LIMIT);
        assert_eq!(details.told.front().and_then(|detail| detail.tool_input.clone()), Some(json!(1)));
    }
}
