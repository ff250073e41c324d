//! The log of one run tells the whole life of a prompt, with times, and nothing of what was asked or answered.

use answerback_tests::{Server, wait_until};

#[tokio::test]
async fn log_tells_the_life_of_a_prompt_and_no_contents() {
    let debug = vec![("ANSWERBACK_LOG".to_owned(), "answerback=debug".to_owned())];
    let server = Server::start_in(tempfile::tempdir().expect("a folder"), &[], debug).await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    phone.send(session, "command").await;
    let prompt = phone.wait_prompt(session).await;
    phone.choose(&prompt, "Yes, and don't ask again for `cargo test`").await;
    let id = prompt.request_id.0;
    let steps = [
        format!("effect=Open({id}, Permission)"),
        format!("event=Responded({id}, by iPhone)"),
        format!("effect=Claim({id}, by iPhone)"),
        format!("event=Claimed({id}, Won)"),
        format!("effect=Progress({id}, sending)"),
        "effect=Press(".to_owned(),
        "event=Pressed".to_owned(),
        format!("effect=Progress({id}, typed)"),
        format!("effect=Close({id}, verified)"),
    ];
    let log = wait_until(
        "the end in the log",
        || Some(server.log()).filter(|log| log.contains(steps.last().expect("steps"))),
        || server.log_tail(),
    )
    .await;
    let mut lines = log.lines().filter(|line| line.contains(&session.0.to_string()));
    let mut times = Vec::new();
    for step in &steps {
        let line =
            lines.find(|line| line.contains(step)).unwrap_or_else(|| panic!("no {step} in its place in:\n{log}"));
        times.push(line.split_whitespace().next().expect("a time").to_owned());
    }
    assert!(times.iter().all(|time| time.contains("T") && time.ends_with('Z')), "{times:?}");
    assert!(times.is_sorted(), "{times:?}");
    for content in ["cargo test", "May I run this command?", "don't ask again"] {
        assert!(!log.contains(content), "{content} is in the log:\n{log}");
    }
}
