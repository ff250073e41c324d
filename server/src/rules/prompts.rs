//! Which prompts rules may answer, and with what. Nothing but a certain, whole permission prompt of a known CLI that has exactly one
//! plain yes is ever answered: never a plan, a question, a dialog of the start, a lasting approval, or an unknown program.

use answerback_rules::Request;
use serde_json::json;
use shared_types::{
    Confidence, InteractivePrompt, OptionRole, PromptKind, PromptOption, PromptResponse, PromptSource, RuleVerdict,
};

/// A prompt that rules may answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answerable {
    /// What is asked.
    pub(crate) request: Request,
    /// The plain yes.
    yes: String,
    /// The no, and whether it takes a text along.
    no: Option<(String, bool)>,
}

/// What a prompt asks, for judging; nothing when it is no permission for a tool.
pub(crate) fn request_of(prompt: &InteractivePrompt, folder: &str, home: Option<&str>) -> Option<Request> {
    if prompt.kind != PromptKind::Permission || prompt.startup == Some(true) {
        return None;
    }
    let adapter = prompt.adapter.filter(|adapter| *adapter != adapters::generic::KIND)?;
    let named = || prompt.files.as_ref().map(|files| json!({ "files": files }));
    Some(Request {
        tool: prompt.tool_name.clone()?,
        input: prompt.tool_input.clone().or_else(named).unwrap_or_default(),
        folder: folder.to_owned(),
        home: home.map(str::to_owned),
        cli: Some(adapter.to_string()),
        session: prompt.session_id.map(|session| session.0.to_string()),
        agent: prompt.agent.clone(),
        cut: prompt.incomplete == Some(true),
        written: Vec::new(),
    })
}

impl Answerable {
    /// The prompt as rules may answer it, if they may.
    pub(crate) fn of(prompt: &InteractivePrompt, folder: &str, home: Option<&str>) -> Option<Self> {
        let request = request_of(prompt, folder, home)?;
        let known = matches!(prompt.source, Some(PromptSource::Hook | PromptSource::Screen))
            && prompt.confidence == Some(Confidence::Certain);
        let whole = prompt.incomplete != Some(true) && prompt.warning.is_none() && prompt.more_options != Some(true);
        let plain = prompt.questions.is_none() && prompt.multi_select != Some(true) && prompt.optional != Some(true);
        if !known || !whole || !plain || prompt.plan.is_some() {
            return None;
        }
        let options = prompt.options.as_deref().unwrap_or_default();
        let takes_text = |option: &PromptOption| option.opens_text == Some(true);
        let mut yes = options.iter().filter(|option| option.role == Some(OptionRole::Allow));
        let (Some(only), None) = (yes.next(), yes.next()) else { return None };
        if takes_text(only) {
            return None;
        }
        let refuses = |option: &&PromptOption| matches!(option.role, Some(OptionRole::Deny | OptionRole::Feedback));
        let mut refusals = options.iter().filter(refuses);
        let no = refusals.clone().find(|option| takes_text(option)).or_else(|| {
            // Without a text, only a plain no says what was meant.
            refusals.find(|option| option.role == Some(OptionRole::Deny))
        });
        let no = no.map(|option| (option.value.clone(), takes_text(option)));
        Some(Self { request, yes: only.value.clone(), no })
    }

    /// The response that says yes, or no with this message where the CLI takes one.
    pub(crate) fn response(
        &self,
        prompt: &InteractivePrompt,
        verdict: RuleVerdict,
        message: &str,
    ) -> Option<PromptResponse> {
        let (value, text) = match verdict {
            RuleVerdict::Allow => (self.yes.clone(), None),
            RuleVerdict::Deny => {
                let (value, takes_text) = self.no.clone()?;
                (value, takes_text.then(|| message.to_owned()))
            }
            RuleVerdict::Ask => return None,
        };
        Some(PromptResponse {
            selected_option: Some(value),
            text_value: text,
            digest: prompt.digest.clone(),
            // One prompt is answered by a rule once: the same answer, found again after a restart, is known to have failed.
            idempotency_key: Some(prompt.request_id.0),
            ..PromptResponse::to(prompt.request_id)
        })
    }
}

/// What a person's answer means for rules: yes, no, or nothing that could be remembered.
pub(crate) fn verdict_of(prompt: &InteractivePrompt, response: &PromptResponse) -> Option<RuleVerdict> {
    let chosen = response.selected_option.as_ref()?;
    let option = prompt.options.iter().flatten().find(|option| option.value == *chosen)?;
    match option.role? {
        OptionRole::Allow => Some(RuleVerdict::Allow),
        OptionRole::Deny | OptionRole::Feedback => Some(RuleVerdict::Deny),
        OptionRole::AllowAlways | OptionRole::Other => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn option(label: &str, role: OptionRole) -> PromptOption {
        PromptOption { value: label.to_owned(), label: label.to_owned(), role: Some(role), ..PromptOption::default() }
    }

    /// A whole prompt as Claude Code's hook tells it, changed as a case wants.
    fn prompt(change: impl FnOnce(&mut Value)) -> InteractivePrompt {
        let no = PromptOption { opens_text: Some(true), ..option("No", OptionRole::Deny) };
        let mut json = json!({
            "requestId": uuid::Uuid::nil(), "type": "permission", "title": "Bash command", "description": "",
            "toolName": "Bash", "toolInput": "git status", "adapter": "claude", "source": "hook",
            "confidence": "certain", "digest": "d", "sessionId": uuid::Uuid::nil(),
            "options": [option("Yes", OptionRole::Allow), option("Always", OptionRole::AllowAlways), no],
        });
        change(&mut json);
        serde_json::from_value(json).expect("a prompt")
    }

    #[test]
    fn a_plain_permission_is_answered_with_its_only_yes_or_its_no() {
        let prompt = prompt(|_| {});
        let answerable = Answerable::of(&prompt, "/w", None).expect("it may be answered");
        assert_eq!(answerable.request.cli.as_deref(), Some("claude"));
        let yes = answerable.response(&prompt, RuleVerdict::Allow, "").expect("a yes");
        assert_eq!((yes.selected_option.as_deref(), yes.text_value), (Some("Yes"), None));
        let no = answerable.response(&prompt, RuleVerdict::Deny, "use make").expect("a no");
        assert_eq!((no.selected_option.as_deref(), no.text_value.as_deref()), (Some("No"), Some("use make")));
        assert_eq!(answerable.response(&prompt, RuleVerdict::Ask, ""), None);
    }

    #[test]
    fn nothing_but_a_plain_permission_is_answered() {
        type Change = fn(&mut Value);
        let cases: [(&str, Change); 14] = [
            ("a plan", |it| it["type"] = json!("plan")),
            ("a question", |it| it["type"] = json!("question")),
            ("a dialog of the start", |it| it["startup"] = json!(true)),
            ("a part of what is asked", |it| it["incomplete"] = json!(true)),
            ("a contradiction", |it| it["warning"] = json!("it says something else")),
            ("an unknown program", |it| it["adapter"] = json!("generic")),
            ("a pattern", |it| it["source"] = json!("pattern")),
            ("a guess", |it| it["confidence"] = json!("likely")),
            ("what may be left alone", |it| it["optional"] = json!(true)),
            ("hidden options", |it| it["moreOptions"] = json!(true)),
            ("no tool", |it| it["toolName"] = Value::Null),
            ("two plain yes", |it| it["options"][1]["role"] = json!("allow")),
            ("a lasting yes alone", |it| it["options"][0]["role"] = json!("allow-always")),
            ("a yes with a text", |it| it["options"][0]["opensText"] = json!(true)),
        ];
        for (what, change) in cases {
            assert_eq!(Answerable::of(&prompt(change), "/w", None), None, "{what}");
        }
    }

    #[test]
    fn a_refusal_without_a_text_is_plain() {
        let prompt = prompt(|it| it["options"][2]["opensText"] = Value::Null);
        let answerable = Answerable::of(&prompt, "/w", None).expect("it may be answered");
        let no = answerable.response(&prompt, RuleVerdict::Deny, "use make").expect("a no");
        assert_eq!((no.selected_option.as_deref(), no.text_value), (Some("No"), None));
    }
}
