//! Temporary: runs the demo agent only.

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1).skip_while(|argument| argument != "--transcript").skip(1);
    answerback::demo::run(&answerback::demo::Options { transcript: arguments.next().map(Into::into) })
}
