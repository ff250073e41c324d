//! `rules`: judge cases for scripts, explain what the rules make of a command, translate those of the CLIs, and ask the running
//! server for its own.

use std::{fs, io::BufRead as _, path::PathBuf};

use answerback_rules::{Request, Rule, RuleSet, State, Verdict, cases, explain, import, judge, rules::Preset};
use anyhow::{Context as _, bail};
use clap::{Args, Subcommand, ValueEnum};
use shared_types::{
    Command, Remember, RememberScope, ReplyData, RuleInfo, RuleOrigin, RuleVerdict, RulesCommand, RulesMode,
    RulesReply, RulesStatus, Session,
};

use super::local::LocalServer;
use crate::{
    clock::now_millis,
    config::{Flags, Settings},
    say,
};

/// What to do with rules.
#[derive(Debug, Subcommand)]
pub(super) enum RulesAction {
    /// Judge cases: one JSON object per line on standard input, one per line out
    Judge {
        /// JSON lines, the only form there is
        #[arg(long, required = true)]
        json: bool,
    },
    /// Say what the rules make of a command, part by part
    Explain {
        /// The command, in quotes
        command: String,
        /// The folder it would run in [default: this one]
        #[arg(long, value_name = "FOLDER")]
        folder: Option<PathBuf>,
        /// A rules.toml to judge it by
        #[arg(long, value_name = "FILE")]
        rules: Option<PathBuf>,
        /// A ready-made set: reads-only, tests-and-linters, edits-in-the-folder
        #[arg(long, value_name = "NAME")]
        preset: Vec<String>,
        /// An allow rule, such as "Bash(git commit:*)"
        #[arg(long, value_name = "RULE")]
        allow: Vec<String>,
        /// A deny rule
        #[arg(long, value_name = "RULE")]
        deny: Vec<String>,
        /// One JSON object, for scripts
        #[arg(long)]
        json: bool,
    },
    /// List the rules of the running server
    List {
        /// One JSON object, for scripts
        #[arg(long)]
        json: bool,
    },
    /// Make a rule
    Add(NewRule),
    /// Remove a rule that was made here
    Remove {
        /// Its id, from `answerback rules list`
        rule: String,
    },
    /// Pause all rules, or those of a session
    Pause {
        /// The session's name
        #[arg(long, value_name = "NAME")]
        session: Option<String>,
    },
    /// Let them act again
    Resume {
        /// The session's name
        #[arg(long, value_name = "NAME")]
        session: Option<String>,
    },
    /// Let rules act, or only write down what they would do
    Mode {
        /// Which of both
        mode: ModeName,
    },
    /// Translate rules of a CLI into a rules.toml, which is printed; what cannot be said exactly is listed
    Import {
        /// Whose rules
        cli: CliName,
        /// Its file: Claude Code's settings.json, Codex' rules, Gemini CLI's policy
        file: PathBuf,
    },
    /// Rules that your own answers speak for
    Suggest {
        /// One JSON object, for scripts
        #[arg(long)]
        json: bool,
    },
    /// What the rules would have done with the prompts of the past
    DryRun {
        /// One JSON object, for scripts
        #[arg(long)]
        json: bool,
    },
}

/// A rule that is to be made.
#[derive(Debug, Args)]
pub(super) struct NewRule {
    /// What it does
    verdict: VerdictName,
    /// What it is about, such as "Bash(git commit:*)"
    rule: String,
    /// Only in this session, by its name
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// Only in this folder and below
    #[arg(long, value_name = "FOLDER", conflicts_with = "session")]
    folder: Option<PathBuf>,
    /// Only for so many minutes
    #[arg(long, value_name = "MINUTES")]
    minutes: Option<u32>,
    /// Only so many times
    #[arg(long, value_name = "TIMES")]
    uses: Option<u32>,
    /// What the model is told when it is refused
    #[arg(long, value_name = "TEXT")]
    message: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum VerdictName {
    Allow,
    Ask,
    Deny,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum ModeName {
    On,
    Shadow,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum CliName {
    Claude,
    Codex,
    Gemini,
}

pub(super) async fn rules(action: RulesAction, flags: Flags) -> anyhow::Result<()> {
    match action {
        RulesAction::Judge { .. } => judge_lines(),
        RulesAction::Import { cli, file } => import_rules(cli, &file),
        RulesAction::List { json } => {
            let (_, reply) = ask(&flags, |_| Ok(RulesCommand::List)).await?;
            show(&reply, json)
        }
        RulesAction::Suggest { json } => {
            let (_, reply) = ask(&flags, |_| Ok(RulesCommand::Suggest)).await?;
            show(&reply, json)
        }
        RulesAction::DryRun { json } => {
            let (_, reply) = ask(&flags, |_| Ok(RulesCommand::DryRun)).await?;
            show(&reply, json)
        }
        RulesAction::Add(rule) => {
            let (_, reply) = ask(&flags, |sessions| rule.command(sessions)).await?;
            show(&reply, false)
        }
        RulesAction::Remove { rule } => {
            ask(&flags, |_| Ok(RulesCommand::Remove { rule_id: rule.clone() })).await?;
            say::line(&format!("removed {}", say::plain(&rule)));
            Ok(())
        }
        RulesAction::Pause { session } => {
            let of = |sessions: &[Session]| session.as_ref().map(|name| session_named(sessions, name)).transpose();
            ask(&flags, |sessions| Ok(RulesCommand::Pause { session_id: of(sessions)? })).await?;
            say::line("paused");
            Ok(())
        }
        RulesAction::Resume { session } => {
            let of = |sessions: &[Session]| session.as_ref().map(|name| session_named(sessions, name)).transpose();
            ask(&flags, |sessions| Ok(RulesCommand::Resume { session_id: of(sessions)? })).await?;
            say::line("resumed");
            Ok(())
        }
        RulesAction::Mode { mode } => {
            let mode = match mode {
                ModeName::On => RulesMode::On,
                ModeName::Shadow => RulesMode::Shadow,
            };
            ask(&flags, |_| Ok(RulesCommand::SetMode { mode })).await?;
            say::line(if mode == RulesMode::On { "rules act" } else { "rules only say what they would do" });
            Ok(())
        }
        RulesAction::Explain { command, folder, rules, preset, allow, deny, json } => {
            let folder = match folder {
                Some(folder) => std::path::absolute(folder)?,
                None => std::env::current_dir().context("finding this folder")?,
            };
            let set = rule_set(rules, &preset, &allow, &deny)?;
            let request = Request::command(&command, &folder.to_string_lossy());
            let judgement = judge(&request, &set, &State::default(), now_millis());
            if json {
                say::line(&serde_json::to_string(&judgement)?);
            } else {
                explain::in_words(&judgement).iter().for_each(|line| say::line(&say::plain(line)));
            }
            Ok(())
        }
    }
}

impl NewRule {
    fn command(&self, sessions: &[Session]) -> anyhow::Result<RulesCommand> {
        let session_id = self.session.as_ref().map(|name| session_named(sessions, name)).transpose()?;
        let folder = self.folder.as_ref().map(std::path::absolute).transpose()?;
        let scope = match (session_id, &folder) {
            (Some(_), _) => RememberScope::Session,
            (None, Some(_)) => RememberScope::Folder,
            (None, None) => RememberScope::Always,
        };
        let until = self.minutes.map(|minutes| now_millis() + u64::from(minutes) * 60_000);
        Ok(RulesCommand::Add {
            verdict: match self.verdict {
                VerdictName::Allow => RuleVerdict::Allow,
                VerdictName::Ask => RuleVerdict::Ask,
                VerdictName::Deny => RuleVerdict::Deny,
            },
            text: self.rule.clone(),
            limits: Remember { until, uses: self.uses, ..Remember::of(scope) },
            session_id,
            folder: folder.map(|folder| folder.to_string_lossy().into_owned()),
            message: self.message.clone(),
        })
    }
}

fn session_named(sessions: &[Session], name: &str) -> anyhow::Result<shared_types::SessionId> {
    let mut named = sessions.iter().filter(|session| session.name == name);
    match (named.next(), named.next()) {
        (Some(session), None) => Ok(session.id),
        (None, _) => bail!("there is no session called {name}: see `answerback ls`"),
        _ => bail!("several sessions are called {name}: rename one first"),
    }
}

/// Asks the running server; the command may need to know its sessions.
async fn ask(
    flags: &Flags,
    command: impl FnOnce(&[Session]) -> anyhow::Result<RulesCommand>,
) -> anyhow::Result<(LocalServer, RulesReply)> {
    let settings = Settings::load(flags)?;
    let mut server = LocalServer::connect(&settings.paths.control_socket()).await?;
    let rules = command(&server.snapshot.sessions)?;
    match server.request(Command::Rules { rules }).await? {
        ReplyData::Rules { rules } => Ok((server, rules)),
        _ => bail!("an answer of another kind"),
    }
}

fn show(reply: &RulesReply, json: bool) -> anyhow::Result<()> {
    if json {
        say::line(&serde_json::to_string(reply)?);
        return Ok(());
    }
    let tell = |line: &str| say::line(&say::plain(line));
    match reply {
        RulesReply::List { rules, status, file, mistakes } => {
            tell(&status_words(status));
            for mistake in mistakes {
                tell(&format!("{file}: {mistake}; the last good one holds"));
            }
            rules.iter().for_each(|rule| tell(&rule_line(rule)));
        }
        RulesReply::Made { rule } => tell(&rule_line(rule)),
        RulesReply::Suggestions { suggestions } if suggestions.is_empty() => tell("nothing to suggest yet"),
        RulesReply::Suggestions { suggestions } => {
            for found in suggestions {
                let verdict = verdict_word(found.verdict);
                tell(&format!("answerback rules add {verdict} '{}'   ({} times so far)", found.text, found.times));
                found.also.iter().for_each(|also| tell(&format!("    would also {verdict}: {also}")));
            }
        }
        RulesReply::DryRun { run } => {
            let answered = run.allowed + run.denied;
            tell(&format!("the rules would have answered {answered} of {} permission prompts", run.prompts));
            run.refused_but_allowed.iter().for_each(|what| tell(&format!("you refused, they would allow: {what}")));
            run.allowed_but_denied.iter().for_each(|what| tell(&format!("you allowed, they would refuse: {what}")));
        }
        RulesReply::Done | RulesReply::Why { .. } | RulesReply::Offers { .. } => {}
    }
    Ok(())
}

fn status_words(status: &RulesStatus) -> String {
    let acts = match (status.paused, status.mode) {
        (true, _) => "paused",
        (false, RulesMode::Shadow) => "only tried out",
        (false, RulesMode::On) => "on",
    };
    let paused = match status.sessions.len() {
        0 => String::new(),
        1 => ", paused in one session".to_owned(),
        count => format!(", paused in {count} sessions"),
    };
    format!("rules are {acts}{paused}")
}

fn rule_line(rule: &RuleInfo) -> String {
    let mut line = format!("{:<20} {:<5} {}", rule.id, verdict_word(rule.verdict), rule.text);
    if rule.origin == RuleOrigin::File {
        line = format!("{:<20} {:<5} {}", "rules.toml", verdict_word(rule.verdict), rule.text);
    }
    let used = match rule.uses {
        Some(most) => format!("used {} of {most} times", rule.used),
        None => format!("used {} times", rule.used),
    };
    line.push_str(&format!("   {used}"));
    if rule.session_id.is_some() {
        line.push_str(", in one session");
    }
    if let Some(folder) = &rule.folder {
        line.push_str(&format!(", in {folder}"));
    }
    if let Some(until) = rule.until {
        let left = until.saturating_sub(now_millis()) / 60_000;
        line.push_str(&if left == 0 { ", over".to_owned() } else { format!(", {left} minutes left") });
    }
    line
}

fn verdict_word(verdict: RuleVerdict) -> &'static str {
    match verdict {
        RuleVerdict::Allow => "allow",
        RuleVerdict::Ask => "ask",
        RuleVerdict::Deny => "deny",
    }
}

/// Prints what could be translated as a `rules.toml`, and what could not as comments in it.
fn import_rules(cli: CliName, file: &std::path::Path) -> anyhow::Result<()> {
    let text = fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    let imported = match cli {
        CliName::Claude => import::claude(&text),
        CliName::Codex => import::codex(&text),
        CliName::Gemini => import::gemini(&text),
    };
    for left_out in &imported.left_out {
        let line = |text: &str| say::plain(&text.replace('\n', " "));
        say::line(&format!("# not imported: {}: {}", line(&left_out.text), line(&left_out.reason)));
    }
    for rule in &imported.rules.rules {
        let verdict = match rule.verdict {
            Verdict::Allow => "allow",
            Verdict::Ask => "ask",
            Verdict::Deny => "deny",
        };
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        say::line("[[rule]]");
        say::line(&format!("{verdict} = {}", quoted(&rule.text)));
        for (key, value) in [("note", &rule.note), ("message", &rule.message)] {
            if let Some(value) = value {
                say::line(&format!("{key} = {}", quoted(value)));
            }
        }
        say::line("");
    }
    Ok(())
}

/// A line that cannot be read is answered like any other: with an error for that line.
fn judge_lines() -> anyhow::Result<()> {
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line.context("reading the cases")?;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        say::line(&cases::judge_line(&String::from_utf8_lossy(&line)));
    }
    Ok(())
}

fn rule_set(file: Option<PathBuf>, presets: &[String], allow: &[String], deny: &[String]) -> anyhow::Result<RuleSet> {
    let mut set = RuleSet::default();
    if let Some(file) = file {
        let text = fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
        match RuleSet::from_toml(&text) {
            Ok(read) => set = read,
            Err(mistakes) => {
                let list: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
                bail!("{} has mistakes:\n{}", file.display(), list.join("\n"));
            }
        }
    }
    for name in presets {
        let Some(preset) = Preset::named(name) else { bail!("there is no preset called {name}") };
        set.rules.extend(preset.rules().rules);
    }
    for (verdict, texts) in [(Verdict::Allow, allow), (Verdict::Deny, deny)] {
        for text in texts {
            let rule = Rule::new(verdict, text).map_err(|why| anyhow::anyhow!("{text}: {why}"))?;
            set.rules.push(rule);
        }
    }
    Ok(set)
}
