//! Many approvals in a row, each at a random option: no key goes astray.

use answerback_tests::model::Turn;
use serde_json::json;
use shared_types::OptionRole;

use super::{OpenCode, shell};

/// How many, unless `ANSWERBACK_APPROVALS` says otherwise.
const USUAL: usize = 20;

/// Random numbers that are the same in every run.
struct Random(u64);

impl Random {
    /// A number below a limit.
    fn below(&mut self, limit: usize) -> usize {
        // Marsaglia's xorshift.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).expect("a small number")
    }
}

#[tokio::test]
async fn many_approvals_in_a_row_meet_no_wrong_key() {
    let count = std::env::var("ANSWERBACK_APPROVALS").map_or(USUAL, |count| count.parse().expect("a number"));
    let mut opencode = OpenCode::new().await;
    let mut random = Random(0x5eed_0fa1_57ab_1e5d);
    let mut made = Vec::new();
    let mut asked = 0;
    while asked < count {
        // Some in one turn, and then a new message; a refusal ends the turn as well.
        let many = (1 + random.below(5)).min(count - asked);
        let names: Vec<String> = (asked..asked + many).map(|number| format!("made-{number}")).collect();
        let commands: Vec<String> = names.iter().map(|name| format!("echo once >> {name}")).collect();
        let calls = commands.iter().map(|command| Turn::tools([shell(command)]));
        opencode.turns(calls.chain([Turn::say("That is all.")]).collect::<Vec<_>>()).await;
        for (name, command) in names.iter().zip(&commands) {
            let prompt = opencode.prompt().await;
            asked += 1;
            assert_eq!(prompt.tool_input, Some(json!(command)), "{prompt:?}");
            assert!(!opencode.has(name), "{name} is there before it was allowed");
            match random.below(4) {
                0 => {
                    opencode.choose(&prompt, OptionRole::Deny).await;
                    break;
                }
                // To the page of what would always be allowed, and back.
                1 => {
                    opencode.choose(&prompt, OptionRole::AllowAlways).await;
                    let page = opencode.prompt().await;
                    opencode.choose(&page, OptionRole::Deny).await;
                    let again = opencode.prompt().await;
                    opencode.choose(&again, OptionRole::Allow).await;
                }
                _ => opencode.choose(&prompt, OptionRole::Allow).await,
            }
            made.push(name.clone());
        }
        opencode.is_ready().await;
        // All that was allowed has run, once; nothing else has.
        for number in 0..asked {
            let name = format!("made-{number}");
            let wanted = if made.contains(&name) { "once\n" } else { "" };
            assert_eq!(opencode.file(&name), wanted, "{name}");
        }
    }
    assert!(made.len() > count / 4 && made.len() < count, "{} of {count}", made.len());
}
