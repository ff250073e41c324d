//! `live-desk claude|codex|gemini|copilot`: a server with that CLI at hand, for a story in the browser.
//!
//! Prints one line of JSON, where to pair and where the CLI works. When nobody holds its input any more it says what could be
//! seen at the end, and takes everything away.

#![expect(clippy::expect_used, reason = "a harness that cannot do its part has failed the story")]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this is how the story is told")]

use std::io;

use answerback_tests::{
    ASKS_ASIDE, Cli, Live, Place,
    model::{Item, Request, Turn},
};
use tokio::task::spawn_blocking;

#[tokio::main]
async fn main() {
    let cli = std::env::args().nth(1).and_then(|name| Cli::named(&name)).expect("the name of a CLI");
    let asks_aside = ASKS_ASIDE.map(|(name, value)| (name, value.to_owned()));
    let live = Live::start_in(cli, Place::Temporary, &[], |_| asks_aside.to_vec()).await;
    let command = cli.shell("touch made && wc -c made");
    live.model.script("make the file", [Turn::tools([command]), Turn::made_from(retold)]);
    let offer = live.server.offer().expect("an offer");
    let pair = offer.urls.iter().find(|url| url.contains("localhost")).expect("a local address");
    println!("{}", serde_json::json!({ "pair": pair, "project": live.project() }));
    // Whatever comes is no word to us: only its end is.
    let _ = spawn_blocking(|| io::copy(&mut io::stdin(), &mut io::sink())).await;
    eprintln!("{}", live.report());
}

/// The model says what it was told of its call: whoever reads that knows that the result has arrived.
fn retold(request: &Request) -> Turn {
    let is_told = |item: &Item| matches!(item, Item::Result(result) if result.text.contains("0 made"));
    let told = if request.items.iter().any(is_told) { "0 made" } else { "nothing of it" };
    Turn::say(&format!("I was told: {told}"))
}
