//! What Claude asks beside its composer: how it is doing.

use answerback_tests::{ASKS_ASIDE, wait_until};
use shared_types::{InteractivePrompt, PermissionMode, PromptKind, PromptOutcome, SessionState};

use super::{Claude, Way, versions::version};

impl Claude {
    async fn asking() -> (Self, InteractivePrompt) {
        let mut claude = Self::with(Way::Keys, PermissionMode::Ask, &ASKS_ASIDE, |_| {}).await;
        let prompt = claude.prompt_like("what is asked aside", |prompt| prompt.optional == Some(true)).await;
        claude.is_ready().await;
        (claude, prompt)
    }

    /// What it shows when somebody has rated it.
    fn thanks(&self) -> &'static str {
        version().thanks[0]
    }

    /// Sends a message, and waits until the model has it and Claude is done.
    async fn hears(&mut self, message: &str) {
        self.live.phone.send(self.session, message).await;
        let heard = |text: &String| text.trim() == message;
        self.live.model.wait(message, |model| model.user_texts().into_iter().find(heard)).await;
        self.is_ready().await;
    }
}

#[tokio::test]
async fn how_it_is_doing_is_told_and_nobody_is_kept_waiting() {
    let (mut claude, prompt) = Claude::asking().await;
    assert_eq!(prompt.kind, PromptKind::Question);
    let labels: Vec<&str> = prompt.options.iter().flatten().map(|option| option.label.as_str()).collect();
    assert_eq!(labels, ["Bad", "Fine", "Good", "Dismiss"]);
    assert_eq!(claude.live.phone.session(claude.session).state, SessionState::Ready);

    claude.live.kill_and_restart().await;
    let again = claude.prompt().await;
    assert_eq!(again.request_id, prompt.request_id);
    claude.choose(&again, "Good").await;
    claude.shows(version().thanks[1]).await;
    claude.hears("go on").await;
    assert_eq!(claude.live.model.user_texts().len(), 1, "the digit was no message");
}

#[tokio::test]
async fn it_is_dismissed() {
    let (mut claude, prompt) = Claude::asking().await;
    claude.choose(&prompt, "Dismiss").await;
    claude.hears("go on").await;
    assert!(!claude.live.screens().contains("How is Claude doing"), "{}", claude.live.screens());
    assert!(!claude.live.screens().contains(claude.thanks()), "{}", claude.live.screens());
}

#[tokio::test]
async fn a_message_rates_nothing_be_it_a_digit() {
    let (mut claude, prompt) = Claude::asking().await;
    claude.hears("3").await;
    assert_eq!(claude.live.phone.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
    assert!(!claude.live.screens().contains(claude.thanks()), "{}", claude.live.screens());
}

#[tokio::test]
async fn who_rates_it_at_the_desk_is_first() {
    let (mut claude, prompt) = Claude::asking().await;
    // So soon after it was drawn 2.1.325 takes the digit for the beginning of a message: it is taken away, and pressed again.
    let mut looks = 0_u32;
    let thanked = || {
        // Some hundred looks are about a second. Two keys at once would be a paste.
        match looks % 100 {
            0 => claude.press_at_the_desk(&["1"]),
            90 => claude.press_at_the_desk(&["C-u"]),
            _ => {}
        }
        looks += 1;
        claude.live.screens().contains(claude.thanks()).then_some(())
    };
    wait_until("the thanks", thanked, || claude.live.screens()).await;
    assert_eq!(claude.live.phone.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
}
