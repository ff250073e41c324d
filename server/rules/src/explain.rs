//! A judgement in words, part by part.

use crate::judgement::{Judgement, Verdict};

/// Tells a judgement to a person, one fact per line.
#[must_use]
pub fn in_words(judgement: &Judgement) -> Vec<String> {
    let head = match judgement.verdict {
        Verdict::Allow => "allowed",
        Verdict::Ask => "asked",
        Verdict::Deny => "denied",
    };
    let mut lines = vec![format!("{head}: {}", judgement.why)];
    if let Some(floor) = judgement.floor {
        let name =
            serde_json::to_value(floor).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default();
        lines.push(format!("on the floor ({name}): no rule passes it"));
    }
    if !judgement.understood {
        lines.push("not all of it was understood".to_owned());
    }
    for (number, part) in judgement.parts.iter().enumerate() {
        let mark = match part.verdict {
            Verdict::Allow => "yes",
            Verdict::Ask => "ask",
            Verdict::Deny => "no ",
        };
        let via = if part.via.is_empty() { String::new() } else { format!(" (through {})", part.via.join(", ")) };
        let rule = part.rule.as_ref().map_or_else(|| part.why.clone(), |rule| format!("{}: {rule}", part.why));
        lines.push(format!("{:>3}. {mark}  {}{via}: {rule}", number + 1, part.text));
    }
    if let Some(message) = &judgement.message {
        lines.push(format!("the model is told: {message}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use crate::{Request, RuleSet, State, judge};

    #[test]
    fn each_part_is_told_with_its_rule() {
        let (rules, _) = RuleSet::from_texts(&["Bash(git status:*)".to_owned()], &[], &[]);
        let judgement = judge(&Request::command("git status | xargs wc", "/w/p"), &rules, &State::default(), 0);
        let told = super::in_words(&judgement).join("\n");
        assert!(told.starts_with("asked: wc …: no rule allows it"), "{told}");
        assert!(told.contains("yes  git status: a rule says so: Bash(git status:*)"), "{told}");
        assert!(told.contains("ask  wc … (through xargs): no rule allows it"), "{told}");
    }
}
