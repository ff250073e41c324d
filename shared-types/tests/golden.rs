//! One golden JSON for every message: what is on the wire today is what was on it yesterday.
//!
//! After a wanted change run with `UPDATE_GOLDEN=1` and read the difference before committing it.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot read its files has failed")]

use std::{collections::BTreeSet, env, fs, path::Path};

use serde::{Serialize, de::DeserializeOwned};
use shared_types::*;
use uuid::Uuid;

fn id(last: u8) -> Uuid {
    Uuid::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0000 + u128::from(last))
}

const SESSION: u8 = 1;
const PROMPT: u8 = 2;
const DEVICE: u8 = 3;
const KEY: u8 = 4;
const EPOCH: u8 = 5;
const AT: Millis = 1_790_000_000_000;

fn session_id() -> SessionId {
    SessionId(id(SESSION))
}

fn prompt_id() -> PromptId {
    PromptId(id(PROMPT))
}

fn session(state: SessionState) -> Session {
    Session {
        id: session_id(),
        name: "shop-api".into(),
        adapter: AdapterKind::new("claude"),
        folder: "/home/me/shop-api".into(),
        state,
        state_since: AT,
        created_at: AT,
        last_line: "All tests pass now.".into(),
        message_count: 12,
        has_messages: true,
        attach_command: "tmux -L answerback attach".into(),
        mode: Some(PermissionMode::Ask),
        conversation: Some("0192-c".into()),
        usage: Some(Usage {
            model: Some("opus".into()),
            context_tokens: Some(30_000),
            context_window: Some(200_000),
            input_tokens: Some(90_000),
            output_tokens: Some(4_000),
            cost_micros: Some(120_000),
        }),
        queued: vec!["and the docs".into()],
        first_message: Some(FirstMessage { text: "fix it".into(), problem: Some("not taken".into()) }),
        reviews: Some(vec![Review {
            id: ReviewId(id(KEY)),
            reviewer: session_id(),
            subject: "src/login.rs".into(),
            created_at: AT,
        }]),
        screen_only: Some(true),
        started_by: Some(Actor::Desk),
    }
}

fn option(value: &str, role: OptionRole) -> PromptOption {
    PromptOption { value: value.into(), label: value.into(), role: Some(role), ..PromptOption::default() }
}

/// The prompt with nothing but what must be there.
fn plain_prompt() -> InteractivePrompt {
    InteractivePrompt {
        request_id: prompt_id(),
        kind: PromptKind::LoopDetected,
        title: "A potential loop was detected".into(),
        description: String::new(),
        tool_name: None,
        tool_input: None,
        options: None,
        text_input: None,
        session_id: None,
        adapter: None,
        source: None,
        confidence: None,
        created_at: None,
        expires_at: None,
        risk: None,
        diff: None,
        files: None,
        questions: None,
        multi_select: None,
        agent: None,
        position: None,
        optional: None,
        more_options: None,
        plan: None,
        screen: None,
        incomplete: None,
        digest: None,
        startup: None,
        would_run: None,
        warning: None,
    }
}

/// The prompt with everything.
fn full_prompt() -> InteractivePrompt {
    InteractivePrompt {
        kind: PromptKind::Permission,
        title: "Run this command?".into(),
        description: "Remove build output".into(),
        tool_name: Some("Bash".into()),
        tool_input: Some(serde_json::json!({ "command": "rm -rf build" })),
        options: Some(vec![
            option("Yes", OptionRole::Allow),
            option("Yes, and don't ask again", OptionRole::AllowAlways),
            PromptOption {
                opens_text: Some(true),
                description: Some("says why".into()),
                preview: Some("…".into()),
                checked: Some(false),
                ..option("No, and tell it what to do", OptionRole::Feedback)
            },
        ]),
        text_input: Some(TextInput {
            placeholder: Some("why".into()),
            secret: Some(true),
            multiline: Some(true),
            may_be_empty: Some(true),
        }),
        session_id: Some(session_id()),
        adapter: Some(AdapterKind::new("claude")),
        source: Some(PromptSource::Screen),
        confidence: Some(Confidence::Certain),
        created_at: Some(AT),
        expires_at: Some(AT + 1),
        risk: Some(Risk { level: RiskLevel::High, reasons: vec!["deletes files recursively".into()] }),
        diff: Some(vec![FileDiff { path: "a.rs".into(), unified: "@@ -1 +1 @@\n-a\n+b\n".into() }]),
        files: Some(vec!["a.rs".into()]),
        questions: Some(vec![Question {
            header: "Database".into(),
            question: "Which database?".into(),
            options: vec![option("SQLite", OptionRole::Other)],
            multi_select: Some(true),
            text_input: Some(TextInput::default()),
        }]),
        multi_select: Some(true),
        agent: Some("tester".into()),
        position: Some("1 of 3".into()),
        optional: Some(true),
        more_options: Some(true),
        plan: Some("# Plan".into()),
        screen: Some(frame()),
        incomplete: Some(true),
        digest: Some("9f86d081".into()),
        startup: Some(true),
        would_run: Some(vec![WouldRun {
            file: ".claude/settings.json".into(),
            what: "hook".into(),
            text: "make".into(),
        }]),
        warning: Some("the terminal shows something else".into()),
        ..plain_prompt()
    }
}

fn frame() -> ScreenFrame {
    let run = ScreenRun { text: "$ ".into(), fg: Some("2".into()), bold: true, ..ScreenRun::default() };
    ScreenFrame {
        cols: 80,
        rows: 24,
        lines: vec![vec![run]],
        cursor: ScreenCursor { x: 2, y: 0, visible: true },
        asks: Some(7),
    }
}

fn answer() -> Answer {
    let by = Actor::Device { device_id: DeviceId(id(DEVICE)), name: "iPhone".into() };
    Answer { by, summary: "Yes".into() }
}

fn message(body: MessageBody) -> Message {
    Message { id: MessageId("m1".into()), role: MessageRole::Assistant, at: AT, body, agent: None, images: None }
}

/// One of each purpose that a tool can have.
fn purposes() -> Vec<ToolUse> {
    let change = FileDiff { path: "a.rs".into(), unified: "@@ -1 +1 @@\n-a\n+b".into() };
    let asked = AskedQuestion { question: "Which database?".into(), options: vec!["SQLite".into()] };
    vec![
        ToolUse::Command { command: "ls".into() },
        ToolUse::Edit { diff: vec![change] },
        ToolUse::Read { path: "a.rs".into() },
        ToolUse::Search { query: "fn main".into(), place: Some("src".into()) },
        ToolUse::Web { target: "https://example.org".into() },
        ToolUse::Todos { items: vec![TodoItem { text: "test it".into(), state: TodoState::Doing }] },
        ToolUse::Agent { agent: Some("Explore".into()), task: "find the tests".into() },
        ToolUse::Questions { questions: vec![asked] },
        ToolUse::Plan { plan: "# Plan".into() },
    ]
}

fn picture() -> ImageInfo {
    ImageInfo { id: "5feceb66".into(), media_type: "image/png".into() }
}

fn used(purpose: ToolUse) -> Message {
    let answers = matches!(purpose, ToolUse::Questions { .. })
        .then(|| vec![GivenAnswer { question: "Which database?".into(), answer: "SQLite".into() }]);
    let agent = matches!(purpose, ToolUse::Agent { .. }).then(|| "a1".to_owned());
    let images = matches!(purpose, ToolUse::Read { .. }).then(|| vec![picture()]);
    let result = ToolResult { ok: true, output: "done".into(), answers, agent, images, ..ToolResult::default() };
    let body = MessageBody::Tool {
        name: "Tool".into(),
        summary: "what for".into(),
        input: serde_json::Value::Null,
        purpose: Some(purpose),
        result: Some(result),
    };
    Message { agent: Some("tester".into()), ..message(body) }
}

fn conversation() -> ConversationInfo {
    ConversationInfo {
        adapter: AdapterKind::new("codex"),
        id: "0192-c".into(),
        folder: Some("/home/me/shop".into()),
        title: "Make the tests pass".into(),
        updated_at: AT,
        size: 4096,
        messages: Some(12),
    }
}

fn device() -> Device {
    Device { id: DeviceId(id(DEVICE)), name: "iPhone".into(), paired_at: AT, last_seen_at: AT }
}

fn alert(what: AlertKind) -> Alert {
    Alert { id: AlertId(id(KEY)), at: AT, what }
}

fn commands() -> Vec<Command> {
    let session_id = session_id();
    let start = StartSession {
        adapter: AdapterKind::new("generic"),
        folder: "~/shop".into(),
        command: Some(vec!["bash".into()]),
        name: Some("shell".into()),
        mode: Some(PermissionMode::AcceptEdits),
        resume: Some("0192-c".into()),
        model: Some("opus".into()),
        message: Some("fix it".into()),
        size: Some((120, 40)),
        trust_folder: Some(true),
        idempotency_key: Some(id(KEY)),
    };
    let response = PromptResponse {
        request_id: prompt_id(),
        selected_option: Some("Yes".into()),
        text_value: Some("text".into()),
        selected_options: Some(vec!["a".into()]),
        answers: Some(vec![QuestionAnswer { selected_options: vec!["b".into()], text_value: Some("c".into()) }]),
        remember: Some(Remember {
            until: Some(AT),
            uses: Some(5),
            rule: Some("Bash(ls:*)".into()),
            ..Remember::of(RememberScope::Folder)
        }),
        idempotency_key: Some(id(KEY)),
        digest: Some("9f86d081".into()),
    };
    let keys = vec![Key::Named { key: NamedKey::BackTab }, Key::Ctrl { letter: 'c' }, Key::Text { text: "y".into() }];
    vec![
        Command::Start { start },
        Command::Rename { session_id, name: "x".into() },
        Command::End { session_id },
        Command::Forget { session_id },
        Command::SendText {
            session_id,
            text: "hi".into(),
            idempotency_key: Some(id(KEY)),
            files: vec!["1f2e3d4c.png".into()],
        },
        Command::SendKeys { session_id, keys, seen: Some(7) },
        Command::SetMode { session_id, mode: PermissionMode::Plan },
        Command::Interrupt { session_id },
        Command::Respond { response },
        Command::Messages {
            session_id,
            before: Some(MessageId("m0".into())),
            after: Some(MessageId("m1".into())),
            around: Some(MessageId("m2".into())),
            limit: 100,
        },
        Command::Watch { session_id },
        Command::Unwatch { session_id },
        Command::Browse { folder: "~".into() },
        Command::Conversations {
            adapter: AdapterKind::new("codex"),
            folder: Some("~/shop".into()),
            query: Some("tests".into()),
        },
        Command::Devices,
        Command::Revoke { device_id: DeviceId(id(DEVICE)) },
        Command::Pair,
        Command::SlashCommands { session_id },
        Command::Files { session_id, query: "mainrs".into() },
        Command::Doctor,
        Command::Review {
            review_id: ReviewId(id(KEY)),
            session_id,
            reviewer: Reviewer::Existing { session_id },
            subject: "src/login.rs".into(),
            message: "please review".into(),
        },
        Command::Resume { session_id },
        Command::Search { query: "log in".into(), session_id: Some(session_id), limit: 50 },
        Command::History { filter: history_filter(), before: Some(7), limit: 50 },
        Command::HistoryPrompt { request_id: prompt_id() },
        Command::Insight { since: AT, utc_offset: -90 },
        Command::Metrics,
        Command::Rules { rules: new_rule() },
    ]
    .into_iter()
    .chain(notify_commands().into_iter().map(|notify| Command::Notify { notify }))
    .collect()
}

fn notify_commands() -> Vec<NotifyCommand> {
    let presence = Presence { visible: true, prompts: vec![prompt_id()], sessions: vec![session_id()] };
    let subscription = PushSubscription {
        endpoint: "https://push.example/abc".into(),
        p256dh: "BPub".into(),
        auth: "c2VjcmV0".into(),
        origin: "https://box.example".into(),
        finished: true,
    };
    vec![
        NotifyCommand::Presence { presence },
        NotifyCommand::Status,
        NotifyCommand::Subscribe { subscription },
        NotifyCommand::Unsubscribe,
        NotifyCommand::Test,
        NotifyCommand::OfferChat,
        NotifyCommand::RemoveChat { chat: "4242".into() },
    ]
}

fn notify_status() -> NotifyStatus {
    let last = Delivery { at: AT, taken: true, status: Some(201), detail: "taken by push.example".into() };
    let target = NotifyTarget {
        channel: "web-push".into(),
        name: "iPhone".into(),
        device_id: Some(DeviceId(id(DEVICE))),
        chat: None,
        host: "push.example".into(),
        since: AT,
        finished: false,
        last: Some(last),
        held: Some("quiet hours".into()),
    };
    let telegram = TelegramStatus { bot: Some("my_bot".into()), trouble: Some("t.example cannot be reached".into()) };
    NotifyStatus { public_key: "BKey".into(), targets: vec![target], telegram: Some(telegram) }
}

fn adapter() -> AdapterInfo {
    AdapterInfo {
        kind: AdapterKind::new("demo"),
        name: "Demo agent".into(),
        short_name: "Demo".into(),
        is_agent: false,
        mark: AdapterMark { icon: "M5 3l8 5-8 5z".into(), light: "#5a5a5a".into(), dark: "#a0a0a0".into() },
        installed: true,
        modes: vec![PermissionMode::Bypass],
        takes_command: false,
        changes_mode: true,
        version: Some("1.2.3".into()),
        models: Some(vec!["opus".into()]),
    }
}

fn events() -> Vec<Event> {
    let session_id = session_id();
    let progress = AnswerProgress { request_id: prompt_id(), answer: answer(), step: AnswerStep::Typed };
    vec![
        Event::Session { session: session(SessionState::Busy { detail: "Thinking".into() }) },
        Event::SessionForgotten { session_id },
        Event::Prompt { prompt: full_prompt() },
        Event::PromptProgress { progress },
        Event::PromptClosed { request_id: prompt_id(), outcome: PromptOutcome::Gone, by: Some(Actor::Desk) },
        Event::Message {
            session_id,
            message: message(MessageBody::Tool {
                name: "Bash".into(),
                summary: "ls".into(),
                input: serde_json::Value::Null,
                purpose: Some(ToolUse::Command { command: "ls".into() }),
                result: Some(ToolResult {
                    ok: true,
                    output: "a.rs".into(),
                    clipped: Some(true),
                    exit_code: Some(0),
                    ..ToolResult::default()
                }),
            }),
        },
        Event::MessageDelta { session_id, message_id: MessageId("m1".into()), text: "more".into() },
        Event::Adapters { adapters: vec![adapter()] },
        Event::ManyMessages { session_id },
        Event::Rules { status: rules_status() },
        Event::Alert { alert: alert(AlertKind::Revoked { device: device(), by: Actor::Desk }) },
    ]
}

fn new_rule() -> RulesCommand {
    RulesCommand::Add {
        verdict: RuleVerdict::Deny,
        text: "Bash(npm:*)".into(),
        limits: Remember::of(RememberScope::Session),
        session_id: Some(session_id()),
        folder: None,
        message: Some("use make".into()),
    }
}

fn rules_status() -> RulesStatus {
    let paused = PausedSession { session_id: session_id(), why: RulesPause::AfterNo };
    RulesStatus { mode: RulesMode::Shadow, paused: true, sessions: vec![paused], count: 1 }
}

fn rules_list() -> RulesReply {
    let rule = RuleInfo {
        id: "made-1".into(),
        verdict: RuleVerdict::Allow,
        text: "Bash(ls:*)".into(),
        words: "Allow commands that begin with: ls".into(),
        origin: RuleOrigin::Made,
        used: 2,
        last_used_at: Some(AT),
        session_id: Some(session_id()),
        folder: Some("/home/me/shop".into()),
        cli: Some("claude".into()),
        until: Some(AT),
        uses: Some(5),
        note: Some("for the release".into()),
        message: Some("use make".into()),
        made_at: Some(AT),
        made_by: Some(Actor::Device { device_id: DeviceId(id(DEVICE)), name: "iPhone".into() }),
    };
    RulesReply::List {
        rules: vec![rule],
        status: rules_status(),
        file: "/home/me/.config/answerback/rules.toml".into(),
        mistakes: vec!["line 2: a list of texts is expected".into()],
    }
}

fn hit() -> SearchHit {
    let part = |text: &str, hit| SnippetPart { text: text.into(), hit };
    SearchHit {
        session_id: session_id(),
        message_id: MessageId("m1".into()),
        role: MessageRole::User,
        at: AT,
        snippet: vec![part("please fix the ", false), part("login", true)],
    }
}

fn history_filter() -> HistoryFilter {
    HistoryFilter {
        session_id: Some(session_id()),
        folder: Some("/srv/shop".into()),
        adapter: Some(AdapterKind::new("claude")),
        actor: Some(ActorType::Device),
        outcome: Some(HistoryOutcome::Verified),
        kind: Some(PromptKind::Permission),
        text: Some("cargo test".into()),
        since: Some(AT),
        until: Some(AT + 1),
    }
}

fn history_row() -> HistoryRow {
    HistoryRow {
        seq: 7,
        request_id: prompt_id(),
        session_id: Some(session_id()),
        session_name: Some("shop".into()),
        folder: Some("/srv/shop".into()),
        adapter: Some(AdapterKind::new("claude")),
        kind: PromptKind::Permission,
        title: "May I run this?".into(),
        about: "cargo test".into(),
        risk: Some(RiskLevel::Low),
        seen_at: AT,
        answer: Some("Yes".into()),
        by: Some(Actor::Desk),
        answered_at: Some(AT + 5),
        refused: false,
        outcome: HistoryOutcome::Failed,
        reason: Some("the dialog has changed".into()),
        ended_at: Some(AT + 6),
    }
}

fn history_step() -> HistoryStep {
    HistoryStep { seq: 8, at: AT, kind: "answered".into(), by: Some(Actor::Desk), text: Some("Yes".into()) }
}

fn insight() -> Insight {
    let total = InsightNumbers {
        prompts: 9,
        answered: 8,
        by_rule: 2,
        refused: 1,
        not_understood: 1,
        failed: 1,
        median_wait: Some(4000),
    };
    let group = |key: &str, name: &str| InsightGroup { key: key.into(), name: name.into(), numbers: total.clone() };
    Insight {
        adapters: vec![group("claude", "claude")],
        sessions: vec![group(&session_id().0.to_string(), "shop")],
        days: vec![group("2026-11-18", "2026-11-18")],
        total: total.clone(),
    }
}

fn replies() -> Vec<ReplyData> {
    let offer = PairingOffer {
        code: "ABCD-2345".into(),
        urls: vec!["https://localhost:4700/#pair=…".into()],
        expires_at: AT,
        fingerprint: Some("AB:CD".into()),
    };
    let text = message(MessageBody::Text { text: "Hello".into(), streaming: true });
    let text = Message { images: Some(vec![picture()]), ..text };
    let messages = std::iter::once(text).chain(purposes().into_iter().map(used)).collect();
    vec![
        ReplyData::Done,
        ReplyData::Started { session_id: session_id() },
        ReplyData::Messages { messages, at_start: true, at_end: true },
        ReplyData::Folders {
            folder: "/home/me".into(),
            names: vec!["shop".into()],
            recent: vec!["/srv".into()],
            roots: vec!["/home/me".into()],
        },
        ReplyData::Conversations { conversations: vec![conversation()] },
        ReplyData::Devices { devices: vec![device()] },
        ReplyData::Pairing { offer },
        ReplyData::SlashCommands {
            commands: vec![SlashCommand {
                name: "deploy".into(),
                description: "Ships it".into(),
                origin: CommandOrigin::Project,
            }],
        },
        ReplyData::Files { paths: vec!["src/main.rs".into()] },
        ReplyData::Findings {
            findings: vec![Finding { what: "tmux".into(), verdict: Verdict::Good, detail: "3.5a".into() }],
        },
        ReplyData::Found { hits: vec![hit()], more: true },
        ReplyData::History { rows: vec![history_row()], more: true },
        ReplyData::HistoryPrompt {
            prompt: Box::new(full_prompt()),
            steps: vec![history_step()],
            message_id: Some(MessageId("m1".into())),
        },
        ReplyData::Insight { insight: insight() },
        ReplyData::Metrics { text: "# EOF\n".into() },
        ReplyData::Rules { rules: rules_list() },
        ReplyData::Notify { status: notify_status() },
        ReplyData::Chat {
            offer: ChatOffer {
                code: "00ff00ff00ff00ff".into(),
                link: Some("https://t.me/my_bot?start=00ff00ff00ff00ff".into()),
                expires_at: AT,
            },
        },
    ]
}

/// Compares with the golden file, and reads it back.
fn check<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(names: &mut BTreeSet<String>, value: &T) {
    let json = serde_json::to_value(value).expect("serialize");
    // The name of the message is the chain of its tags.
    let mut name: Vec<&str> = Vec::new();
    for pointer in
        ["/type", "/command/type", "/command/notify/type", "/event/type", "/result/type", "/result/data/type"]
    {
        name.extend(json.pointer(pointer).and_then(|tag| tag.as_str()));
    }
    let name = if name.is_empty() { std::any::type_name::<T>().replace("::", "-") } else { name.join("-") };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.json"));
    assert!(names.insert(name.clone()), "two samples are called {name}");
    let text = serde_json::to_string_pretty(&json).expect("print") + "\n";
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &text).expect("write golden");
    }
    let golden = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(golden, text, "{name} has changed on the wire");
    let back: T = serde_json::from_str(&golden).expect("a golden message can be read");
    assert_eq!(back, *value, "{name} does not survive the wire");
}

#[test]
fn every_message_is_as_it_was() {
    let mut names = BTreeSet::new();
    let hello = ClientMessage::Hello {
        protocol: PROTOCOL_VERSION,
        epoch: Some(id(EPOCH)),
        last_seq: Some(7),
        proof: Some("ab12".into()),
    };
    check(&mut names, &hello);
    for command in commands() {
        check(&mut names, &ClientMessage::Request { id: RequestId(1), command });
    }
    let error = WireError { code: ErrorCode::DialogOpen, message: "a dialog is open".into() };
    let pending = PendingPrompt {
        prompt: plain_prompt(),
        progress: Some(AnswerProgress {
            request_id: prompt_id(),
            answer: Answer { by: Actor::Desk, summary: "No".into() },
            step: AnswerStep::Failed { reason: "still there".into() },
        }),
    };
    let ended = session(SessionState::Ended { reason: EndReason::Exited { status: Some(1) } });
    let snapshot = Snapshot {
        sessions: vec![ended],
        prompts: vec![pending],
        adapters: vec![adapter()],
        alerts: vec![alert(AlertKind::Paired { device: device() })],
        rules: Some(rules_status()),
    };
    let messages = [
        ServerMessage::Challenge { nonce: "cd34".into() },
        ServerMessage::Welcome {
            protocol: PROTOCOL_VERSION,
            server_version: "0.1.0".into(),
            epoch: id(EPOCH),
            device_id: DeviceId(id(DEVICE)),
        },
        ServerMessage::Snapshot { seq: 7, snapshot },
        ServerMessage::Reply { id: RequestId(1), result: Reply::Refused { error: error.clone() } },
        ServerMessage::Screen { session_id: session_id(), frame: frame() },
        ServerMessage::Error { error },
    ];
    for message in messages {
        check(&mut names, &message);
    }
    for event in events() {
        check(&mut names, &ServerMessage::Event(SequencedEvent { seq: 8, event }));
    }
    for data in replies() {
        check(&mut names, &ServerMessage::Reply { id: RequestId(1), result: Reply::Ok { data } });
    }
    check(&mut names, &PairRequest { code: "ABCD-2345".into(), name: "iPhone".into() });
    check(&mut names, &PairReply { device: device(), key: "ab12".into() });
    let attached = AttachedFile {
        id: "1f2e3d4c.png".into(),
        name: "screen shot.png".into(),
        kind: "image/png".into(),
        size: 4_000,
    };
    check(&mut names, &attached);
    check(&mut names, &TokenAnswer { token: "ab12".into() });
    check(&mut names, &WhoAmI { standing: Standing::PairAgain, device: None, server_version: None });
    let kept: BTreeSet<String> = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden"))
        .expect("golden folder")
        .map(|entry| entry.expect("entry").path().file_stem().expect("name").to_string_lossy().into_owned())
        .collect();
    assert_eq!(kept, names, "golden files and messages must match one to one");
}

/// Adding a message without a sample does not compile here.
#[test]
fn every_variant_has_a_sample() {
    let command_samples = commands().iter().map(command_number).collect::<BTreeSet<_>>();
    assert_eq!(command_samples, (0..29).collect());
    let event_samples = events().iter().map(event_number).collect::<BTreeSet<_>>();
    assert_eq!(event_samples, (0..11).collect());
}

fn command_number(command: &Command) -> usize {
    match command {
        Command::Start { .. } => 0,
        Command::Rename { .. } => 1,
        Command::End { .. } => 2,
        Command::Forget { .. } => 3,
        Command::SendText { .. } => 4,
        Command::SendKeys { .. } => 5,
        Command::Interrupt { .. } => 6,
        Command::Respond { .. } => 7,
        Command::Messages { .. } => 8,
        Command::Watch { .. } => 9,
        Command::Unwatch { .. } => 10,
        Command::Browse { .. } => 11,
        Command::Devices => 12,
        Command::Revoke { .. } => 13,
        Command::Pair => 14,
        Command::SetMode { .. } => 15,
        Command::Conversations { .. } => 16,
        Command::SlashCommands { .. } => 17,
        Command::Files { .. } => 18,
        Command::Doctor => 19,
        Command::Review { .. } => 20,
        Command::Resume { .. } => 21,
        Command::Search { .. } => 22,
        Command::History { .. } => 23,
        Command::HistoryPrompt { .. } => 24,
        Command::Insight { .. } => 25,
        Command::Metrics => 26,
        Command::Rules { .. } => 27,
        Command::Notify { .. } => 28,
    }
}

fn event_number(event: &Event) -> usize {
    match event {
        Event::Session { .. } => 0,
        Event::SessionForgotten { .. } => 1,
        Event::Prompt { .. } => 2,
        Event::PromptProgress { .. } => 3,
        Event::PromptClosed { .. } => 4,
        Event::Message { .. } => 5,
        Event::MessageDelta { .. } => 6,
        Event::Adapters { .. } => 7,
        Event::ManyMessages { .. } => 8,
        Event::Alert { .. } => 9,
        Event::Rules { .. } => 10,
    }
}
