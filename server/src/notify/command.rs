//! A command of the person's: gets the facts in its environment, and is never asked for an answer.

use std::{path::PathBuf, process::Stdio, time::Duration};

use async_trait::async_trait;
use tokio::{process, time::timeout};

use super::channel::{Channel, Message, MessageKind, Outcome, Verdict};

/// How long it may run; then it is ended.
const LIMIT: Duration = Duration::from_secs(20);

/// The command and its arguments.
pub(crate) struct Command {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
}

#[async_trait]
impl Channel for Command {
    async fn deliver(&self, message: &Message) -> Outcome {
        let kind = match message.kind {
            MessageKind::NeedsYou => "needs-you",
            MessageKind::News => "news",
            MessageKind::Withdrawn => "withdrawn",
        };
        let facts = [
            ("ANSWERBACK_KIND", kind.to_owned()),
            ("ANSWERBACK_TAG", message.tag.clone()),
            ("ANSWERBACK_TITLE", message.title.clone()),
            ("ANSWERBACK_BODY", message.body.clone()),
            ("ANSWERBACK_LINK", message.link.clone()),
            ("ANSWERBACK_WAITING", message.waiting.to_string()),
        ];
        // A text may hold a zero byte, an environment may not.
        let facts = facts.map(|(name, value)| (name, value.replace('\0', "")));
        let started = process::Command::new(&self.program)
            .args(&self.arguments)
            .envs(facts)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn();
        let mut child = match started {
            Ok(child) => child,
            Err(error) => return refused(format!("the command cannot be started: {error}")),
        };
        match timeout(LIMIT, child.wait()).await {
            Ok(Ok(status)) if status.success() => {
                Outcome { verdict: Verdict::Taken, status: None, detail: "the command has run".to_owned() }
            }
            Ok(Ok(status)) => refused(format!("the command failed: {status}")),
            Ok(Err(error)) => refused(format!("the command cannot be waited for: {error}")),
            Err(_) => refused(format!("the command ran longer than {} s and was ended", LIMIT.as_secs())),
        }
    }
}

fn refused(detail: String) -> Outcome {
    Outcome { verdict: Verdict::Refused, status: None, detail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(body: &str) -> Message {
        Message {
            tag: "t".into(),
            title: "shop: Run this?".into(),
            body: body.into(),
            link: "#/p/1".into(),
            buttons: Vec::new(),
            kind: MessageKind::NeedsYou,
            ttl: Duration::ZERO,
            waiting: 3,
            shown: None,
        }
    }

    fn shell(script: &str, argument: &str) -> Command {
        let arguments = ["-c", script, "sh", argument].map(str::to_owned).to_vec();
        Command { program: "/bin/sh".into(), arguments }
    }

    #[tokio::test]
    async fn command_gets_the_facts_and_nothing_of_them_is_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("told");
        let script = r#"printf '%s|%s|%s|%s|%s' "$ANSWERBACK_KIND" "$ANSWERBACK_TITLE" "$ANSWERBACK_BODY" \
            "$ANSWERBACK_LINK" "$ANSWERBACK_WAITING" > "$1""#;
        let command = shell(script, &file.to_string_lossy());
        let told = command.deliver(&message("$(touch x); `y`\0 \"z\"")).await;
        assert_eq!(told.verdict, Verdict::Taken, "{}", told.detail);
        let read = std::fs::read_to_string(&file).expect("written");
        assert_eq!(read, "needs-you|shop: Run this?|$(touch x); `y` \"z\"|#/p/1|3");
    }

    #[tokio::test]
    async fn command_that_fails_or_is_not_there_is_said() {
        let failed = shell("exit 3", "").deliver(&message("")).await;
        assert_eq!((failed.verdict, failed.detail.as_str()), (Verdict::Refused, "the command failed: exit status: 3"));
        let missing = Command { program: "/nowhere/at/all".into(), arguments: Vec::new() };
        assert_eq!(missing.deliver(&message("")).await.verdict, Verdict::Refused);
    }
}
