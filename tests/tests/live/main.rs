//! Stories with the real CLIs: started by Answerback in real tmux, answered from a phone, and judged by what they did.
//!
//! `npm run test:clis` installs the CLIs and runs these. What every CLI must do is in `basics`; a module for each CLI holds what
//! only that one does.

#![expect(clippy::expect_used, clippy::panic, reason = "a story that cannot go on has failed")]

mod basics;
mod claude;
mod codex;
mod copilot;
mod features;
mod gemini;
mod hostile;
mod opencode;
mod qwen;
mod rules;
