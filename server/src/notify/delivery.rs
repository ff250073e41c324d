//! Delivers messages to one target, one after the other, so that what is taken back never overtakes what was said. Tries again where
//! that can help, and writes down what became of each.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use shared_types::{Delivery, PromptId, SessionId};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::{
    Notifier,
    channel::{Channel, Message, Outcome, Verdict},
    planner::TargetId,
};
use crate::{
    clock::now_millis,
    journal::{Fact, FactKind},
    store::StoredNotice,
};

/// Messages that may wait for one target. One more is not sent, which the journal says; the ladder's next step may be.
pub(super) const QUEUE: usize = 32;
/// How long to wait before each further try.
const PAUSES: [Duration; 3] = [Duration::from_secs(2), Duration::from_secs(10), Duration::from_secs(60)];

/// A message on its way.
pub(super) struct Job {
    pub(super) message: Message,
    pub(super) about: About,
    /// Cancelled when nobody needs to hear it any more.
    pub(super) over: CancellationToken,
    /// Who waits for the result; then it is tried once.
    pub(super) asked: Option<oneshot::Sender<Delivery>>,
}

/// What a message is about, for the journal.
#[derive(Debug, Clone, Default)]
pub(super) struct About {
    /// A word, such as `needs-you`.
    pub(super) word: &'static str,
    pub(super) prompt: Option<PromptId>,
    pub(super) session: Option<SessionId>,
    /// Which step of the ladder.
    pub(super) step: Option<usize>,
}

/// A target's mailbox.
pub(super) struct Mailbox {
    pub(super) target: TargetId,
    pub(super) channel: &'static str,
    pub(super) name: String,
    pub(super) way: Box<dyn Channel>,
}

impl Mailbox {
    /// Delivers until nobody can send any more.
    pub(super) async fn run(self, notifier: Arc<Notifier>, mut jobs: mpsc::Receiver<Job>) {
        while let Some(job) = jobs.recv().await {
            let outcome = self.deliver(&job).await;
            let gone = outcome.verdict == Verdict::Gone;
            let delivery = Delivery {
                at: now_millis(),
                taken: outcome.verdict == Verdict::Taken,
                status: outcome.status,
                detail: outcome.detail,
            };
            if !job.over.is_cancelled() || delivery.taken {
                // What nobody needs any more has not failed.
                notifier.bus.counters().on_notification(self.channel, delivery.taken);
            }
            self.write_down(&notifier, &job.about, &delivery).await;
            notifier.delivered(&self.target, &delivery);
            if let Some(asked) = job.asked {
                // Whoever asked may have gone.
                let _ = asked.send(delivery);
            }
            if gone {
                notifier.unsubscribed(&self.target).await;
                return;
            }
        }
    }

    async fn deliver(&self, job: &Job) -> Outcome {
        let mut pauses = PAUSES.into_iter();
        loop {
            if job.over.is_cancelled() {
                return not_needed();
            }
            let outcome = self.way.deliver(&job.message).await;
            let Verdict::Again(wanted) = outcome.verdict else { return outcome };
            tracing::info!(target = %self.name, status = outcome.status, "a notification was not taken");
            let Some(pause) = pauses.next().filter(|_| job.asked.is_none()) else { return outcome };
            tokio::select! {
                () = job.over.cancelled() => return not_needed(),
                () = tokio::time::sleep(wanted.unwrap_or(pause)) => {}
            }
        }
    }

    async fn write_down(&self, notifier: &Notifier, about: &About, delivery: &Delivery) {
        let mut fact = Fact::new(FactKind::Notification, delivery.at);
        (fact.prompt, fact.session) = (about.prompt, about.session);
        let fact = fact.with(json!({
            "about": about.word,
            "channel": self.channel,
            "to": self.name,
            "step": about.step,
            "taken": delivery.taken,
            "status": delivery.status,
            "detail": delivery.detail,
        }));
        let told = about.prompt.zip(about.step).filter(|_| delivery.taken);
        let notice =
            told.map(|(prompt, step)| StoredNotice { prompt, target: self.target.word(), step, at: delivery.at });
        if let Err(error) = notifier.store.put_notice(notice, vec![fact]).await {
            tracing::error!(%error, "cannot write down a notification");
        }
    }
}

fn not_needed() -> Outcome {
    Outcome { verdict: Verdict::Refused, status: None, detail: "not sent: it was answered meanwhile".to_owned() }
}
