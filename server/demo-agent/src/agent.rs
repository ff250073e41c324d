//! The demo agent as a state machine: keys, lines and the time go in; rows to show and transcript lines come out.
//!
//! States: *idle* → *working* (plays beats) → *dialog*, *dial* or *line* (waits for the person) → *working* → *idle*. Messages
//! typed while it works are queued. No terminal, no file, no clock: `terminal.rs` and `mod.rs` have those.

use std::collections::VecDeque;

use shared_types::{Message, MessageBody, MessageId, MessageRole, Millis, ToolResult};
use uuid::Uuid;

use super::{
    chat::{Chat, Entry},
    dial::Dial,
    dialog::{Dialog, Outcome},
    field::{Field, Lines},
    key::Key,
    scenes::{LinePrompt, Scene},
    script::{self, Beat, ToolUse},
    transcript::Line,
};

/// How long a first Ctrl-C stays armed.
const QUIT_WINDOW: Millis = 2000;
/// How often the busy line turns.
const SPIN: Millis = 200;
/// A streamed text comes in at most this many chunks, so that a long one does not take minutes.
const CHUNKS: usize = 600;
/// Characters in a chunk of an ordinary text.
const CHUNK: usize = 4;
/// How often a held text looks whether it may go on.
const HELD_LOOK: Millis = 20;
/// A text that may be said to its end.
const WHOLE: usize = 100;

/// The agent.
pub(super) struct Agent {
    pub(super) chat: Chat,
    pub(super) composer: Field,
    pub(super) queue: VecDeque<String>,
    pub(super) activity: Activity,
    beats: VecDeque<Beat>,
    stream: Option<Stream>,
    tool: Option<(MessageId, ToolUse)>,
    lines: Vec<Line>,
    /// Milliseconds between two chunks; 0 is at once.
    pace: Millis,
    /// How many percent of a text are said before it waits.
    reach: usize,
    pub(super) quit_armed: Option<Millis>,
    over: bool,
}

/// What the agent is doing.
#[derive(Debug)]
pub(super) enum Activity {
    Idle,
    Working {
        since: Millis,
        verb: &'static str,
        /// When the next thing happens; nothing when only the person can end it.
        wake: Option<Millis>,
    },
    Dialog(Scene, Dialog),
    Dial(Scene, Dial),
    Line(Scene, LinePrompt),
}

/// A text on its way out.
struct Stream {
    id: MessageId,
    begun: Millis,
    text: String,
    /// Bytes that are out.
    sent: usize,
    chunk: usize,
}

impl Stream {
    /// How many bytes may be out.
    fn reach(&self, percent: usize) -> usize {
        self.text.len() * percent.min(WHOLE) / WHOLE
    }
}

impl Agent {
    pub(super) fn new(pace: Millis) -> Self {
        let mut chat = Chat::default();
        chat.push(Entry::Banner);
        Self {
            chat,
            composer: Field::new(Lines::Many),
            queue: VecDeque::new(),
            activity: Activity::Idle,
            beats: VecDeque::new(),
            stream: None,
            tool: None,
            lines: Vec::new(),
            pace,
            reach: WHOLE,
            quit_armed: None,
            over: false,
        }
    }

    /// True when the program shall end.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// The plain line to ask, while the terminal itself shall take the answer.
    pub(super) fn line_prompt(&self) -> Option<LinePrompt> {
        match self.activity {
            Activity::Line(_, prompt) => Some(prompt),
            _ => None,
        }
    }

    /// Transcript lines since the last time.
    pub(super) fn take_lines(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.lines)
    }

    /// When to be called again even if nobody presses a key.
    pub(super) fn next_wake(&self, now: Millis) -> Option<Millis> {
        let spin = match self.activity {
            Activity::Working { wake, .. } => Some(wake.unwrap_or(Millis::MAX).min(now + SPIN)),
            _ => None,
        };
        let disarm = self.quit_armed.map(|armed| armed + QUIT_WINDOW);
        spin.into_iter().chain(disarm).min()
    }

    /// Holds every text when so many percent of it are said, until it is let on.
    pub(super) fn speak_until(&mut self, percent: usize) {
        self.reach = percent;
    }

    /// Takes a key.
    pub(super) fn on_key(&mut self, key: &Key, now: Millis) {
        let armed = self.quit_armed.take();
        let outcome = match &mut self.activity {
            Activity::Dialog(scene, dialog) => dialog.on_key(key).map(|outcome| (*scene, outcome)),
            Activity::Dial(scene, dial) => dial.on_key(key).map(|outcome| (*scene, outcome)),
            Activity::Line(..) => None,
            Activity::Idle | Activity::Working { .. } => return self.on_chat_key(key, armed, now),
        };
        if let Some((scene, outcome)) = outcome {
            self.on_outcome(scene, &outcome, now);
        }
    }

    /// Takes the line that the terminal read; nothing when it was cancelled.
    pub(super) fn on_line(&mut self, line: Option<&str>, now: Millis) {
        let Activity::Line(scene, prompt) = self.activity else { return };
        let shown = if prompt.secret { "" } else { line.unwrap_or_default() };
        self.chat.push(Entry::Line(format!("{}{shown}", prompt.text)));
        self.chat.skip_last();
        let outcome = match (scene, line) {
            (_, None) => Outcome::Cancelled,
            (Scene::YesNo, Some(line)) => {
                let yes = matches!(line.trim().to_lowercase().as_str(), "y" | "yes");
                Outcome::of_text(if yes { "yes" } else { "no" })
            }
            (_, Some(line)) => Outcome::of_text(line),
        };
        self.on_outcome(scene, &outcome, now);
    }

    /// Lets time pass.
    pub(super) fn on_tick(&mut self, now: Millis) {
        if self.quit_armed.is_some_and(|armed| now >= armed + QUIT_WINDOW) {
            self.quit_armed = None;
        }
        while let Activity::Working { wake: Some(wake), .. } = self.activity {
            if now < wake || self.over {
                break;
            }
            self.advance(now);
        }
    }

    fn on_chat_key(&mut self, key: &Key, armed: Option<Millis>, now: Millis) {
        let working = matches!(self.activity, Activity::Working { .. });
        match key {
            Key::Enter if self.composer.is_blank() => {}
            Key::Enter => {
                let message = self.composer.take();
                if working {
                    self.queue.push_back(message);
                } else {
                    self.begin(&message, now);
                }
            }
            Key::Escape | Key::Ctrl('c') if working => self.interrupt(now),
            Key::Escape | Key::Ctrl('c') if !self.composer.is_empty() => {
                self.composer.take();
            }
            Key::Ctrl('c') if armed.is_some_and(|armed| now < armed + QUIT_WINDOW) => self.quit(now),
            Key::Ctrl('c') => self.quit_armed = Some(now),
            Key::Ctrl('d') if self.composer.is_empty() && !working => self.quit(now),
            _ => self.composer.on_key(key),
        }
    }

    fn begin(&mut self, message: &str, now: Millis) {
        let message = message.trim();
        self.chat.push(Entry::User(message.to_owned()));
        self.record(new_id(), MessageRole::User, now, text_body(message.to_owned()));
        self.beats = script::beats_for(message).into();
        self.work(now);
    }

    fn work(&mut self, now: Millis) {
        self.activity = Activity::Working { since: now, verb: "Thinking", wake: Some(now) };
    }

    fn interrupt(&mut self, now: Millis) {
        self.beats.clear();
        if let Some(stream) = self.stream.take() {
            let said = stream.text[..stream.sent].to_owned();
            self.record(stream.id, MessageRole::Assistant, stream.begun, text_body(said));
        }
        let result = ToolResult { ok: false, output: "Interrupted.".to_owned(), ..ToolResult::default() };
        self.finish_tool(result, now);
        self.notice("Interrupted.", now);
        self.work(now);
    }

    fn on_outcome(&mut self, scene: Scene, outcome: &Outcome, now: Millis) {
        for beat in script::reaction(scene, outcome).into_iter().rev() {
            self.beats.push_front(beat);
        }
        self.work(now);
    }

    /// Does the next thing.
    fn advance(&mut self, now: Millis) {
        if let Some(stream) = &self.stream {
            if stream.sent >= stream.reach(self.reach) && self.reach < WHOLE {
                return self.sleep(now + HELD_LOOK);
            }
            self.stream_on();
            return self.sleep(now + self.pace);
        }
        match self.beats.pop_front() {
            None => match self.queue.pop_front() {
                Some(message) => self.begin(&message, now),
                None => self.activity = Activity::Idle,
            },
            Some(Beat::Think { verb, units }) => {
                self.activity = Activity::Working { since: now, verb, wake: Some(now + units * self.pace) };
            }
            Some(Beat::Say(text)) => self.stream_begin(text, now),
            Some(Beat::Use(tool)) => {
                let id = new_id();
                self.record(id.clone(), MessageRole::Assistant, now, tool_body(&tool, None));
                self.tool = Some((id, tool));
            }
            Some(Beat::Result(result)) => self.finish_tool(result, now),
            Some(Beat::Ask(scene)) => self.ask(scene),
            Some(Beat::WorkOn) => self.activity = Activity::Working { since: now, verb: "Working", wake: None },
            Some(Beat::Quit) => self.quit(now),
        }
    }

    fn sleep(&mut self, until: Millis) {
        if let Activity::Working { wake, .. } = &mut self.activity {
            *wake = Some(until);
        }
    }

    fn ask(&mut self, scene: Scene) {
        self.activity = match (scene.dialog(), scene.line()) {
            (Some(dialog), _) => Activity::Dialog(scene, dialog),
            (None, Some(prompt)) => Activity::Line(scene, prompt),
            (None, None) => Activity::Dial(scene, Dial::new()),
        };
    }

    fn stream_begin(&mut self, text: String, now: Millis) {
        let id = new_id();
        let body = MessageBody::Text { text: String::new(), streaming: true };
        self.record(id.clone(), MessageRole::Assistant, now, body);
        self.chat.open();
        let chunk = if self.pace == 0 { text.len() } else { CHUNK.max(text.len() / CHUNKS) };
        self.stream = Some(Stream { id, begun: now, text, sent: 0, chunk });
    }

    fn stream_on(&mut self) {
        let Some(stream) = &mut self.stream else { return };
        let mut end = (stream.sent + stream.chunk.max(1)).min(stream.reach(self.reach));
        while !stream.text.is_char_boundary(end) {
            end += 1;
        }
        let more = stream.text[stream.sent..end].to_owned();
        stream.sent = end;
        self.chat.append(&more);
        self.lines.push(Line::Delta { id: stream.id.clone(), text: more });
        if end == stream.text.len()
            && let Some(stream) = self.stream.take()
        {
            self.chat.close();
            self.record(stream.id, MessageRole::Assistant, stream.begun, text_body(stream.text));
        }
    }

    /// Tells what came of the tool about to be used, if there is one.
    fn finish_tool(&mut self, result: ToolResult, now: Millis) {
        if let Some((id, tool)) = self.tool.take() {
            self.record(id, MessageRole::Assistant, now, tool_body(&tool, Some(&result)));
            self.chat.push(Entry::Tool(tool, result));
        }
    }

    fn quit(&mut self, now: Millis) {
        self.notice("Goodbye.", now);
        self.over = true;
    }

    fn notice(&mut self, text: &str, now: Millis) {
        self.chat.push(Entry::Notice(text.to_owned()));
        self.record(new_id(), MessageRole::System, now, MessageBody::Notice { text: text.to_owned() });
    }

    fn record(&mut self, id: MessageId, role: MessageRole, at: Millis, body: MessageBody) {
        self.lines.push(Line::Message { message: Message { id, role, at, body, agent: None, images: None } });
    }
}

fn new_id() -> MessageId {
    MessageId(Uuid::now_v7().to_string())
}

fn text_body(text: String) -> MessageBody {
    MessageBody::Text { text, streaming: false }
}

fn tool_body(tool: &ToolUse, result: Option<&ToolResult>) -> MessageBody {
    MessageBody::Tool {
        name: tool.name.to_owned(),
        summary: tool.summary.clone(),
        input: tool.input.clone(),
        purpose: None,
        result: result.cloned(),
    }
}
