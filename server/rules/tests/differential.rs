//! Real bash against the judge: whatever a line runs that was allowed, the judge has listed.
//!
//! Lines run in an empty folder with an empty environment; every program on `PATH` is a stand-in that only writes its own name down.
//! Only lines that the judge allows are run at all.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::expect_used,
    reason = "this test makes a folder and runs bash in it"
)]

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
};

use answerback_rules::{Judgement, Request, RuleSet, State, Verdict, cases::Case, judge};
use tempfile::TempDir;

/// Programs that call others for real, where they are installed.
const REAL: &[&str] = &["xargs", "env", "timeout", "nice", "nohup", "stdbuf"];

struct Shell {
    root: TempDir,
    runs: AtomicUsize,
}

impl Shell {
    /// A folder with stand-ins; none where bash is not installed.
    fn new(programs: &BTreeSet<String>) -> Option<Self> {
        if !Path::new("/bin/bash").exists() {
            return None;
        }
        let root = TempDir::new().expect("a folder");
        let bin = root.path().join("bin");
        fs::create_dir(&bin).expect("bin");
        for name in programs {
            let file = bin.join(name);
            if REAL.contains(&name.as_str()) {
                let real =
                    ["/usr/bin", "/bin"].iter().map(|place| Path::new(place).join(name)).find(|path| path.exists());
                if let Some(real) = real {
                    symlink(real, &file).expect("a link");
                    continue;
                }
            }
            fs::write(&file, "#!/bin/bash\nprintf '%s\\n' \"${0##*/}\" >> \"$STAND_IN_LOG\"\n").expect("a stand-in");
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("executable");
        }
        Some(Self { root, runs: AtomicUsize::new(0) })
    }

    /// The names of all programs that the line ran.
    fn run(&self, line: &str) -> BTreeSet<String> {
        let folder = self.root.path().join("folder");
        let _ = fs::remove_dir_all(&folder);
        for each in ["src/a", "sub", "web/app"] {
            fs::create_dir_all(folder.join(each)).expect("a folder");
        }
        // A log of its own: what an earlier line left in the background may still write into its.
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        let log: PathBuf = self.root.path().join(format!("log-{run}"));
        fs::write(&log, "").expect("a log");
        let limited = "ulimit -t 2 -f 100 -u 400; eval \"$1\"";
        let mut child = Command::new("/usr/bin/timeout")
            .args(["-k", "1", "3", "/bin/bash", "--norc", "--noprofile", "-c", limited, "bash", line])
            .env_clear()
            .env("PATH", self.root.path().join("bin"))
            .env("STAND_IN_LOG", &log)
            .current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("bash");
        child.wait().expect("its end");
        fs::read_to_string(&log).expect("the log").lines().map(str::to_owned).collect()
    }
}

/// The names of the programs that the judge has listed.
fn listed(judgement: &Judgement) -> BTreeSet<String> {
    judgement
        .parts
        .iter()
        .filter_map(|part| part.text.split_whitespace().next())
        .map(|name| name.rsplit('/').next().unwrap_or(name).to_owned())
        .collect()
}

fn check(shell: &Shell, line: &str, judgement: &Judgement) {
    let ran = shell.run(line);
    let listed = listed(judgement);
    let more: Vec<&String> =
        ran.iter().filter(|name| !listed.contains(*name) && !REAL.contains(&name.as_str())).collect();
    assert!(more.is_empty(), "bash ran {more:?}, the judge listed {listed:?}: {line:?}");
}

#[test]
fn bash_runs_nothing_that_an_allow_has_not_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut lines = Vec::new();
    let mut programs: BTreeSet<String> = ["rm", "curl", "sh", "xargs", "env", "timeout", "nice", "nohup", "stdbuf"]
        .iter()
        .map(|name| (*name).to_owned())
        .collect();
    for file in
        ["everyday.jsonl", "holes.jsonl", "folders.jsonl", "environment.jsonl", "hidden.jsonl", "spellings.jsonl"]
    {
        for line in fs::read_to_string(folder.join(file)).expect("cases").lines() {
            let case: Case = serde_json::from_str(line).expect(line);
            let Some(command) = case.input["command"].as_str() else { continue };
            let judgement = case.judge();
            // A plain line shows nothing: only those that could hide something are worth a shell.
            let plain = command.chars().all(|each| each.is_ascii_alphanumeric() || " -_./=:,".contains(each));
            if judgement.verdict == Verdict::Allow
                && !plain
                && !command.contains("/work")
                && !command.contains("sleep")
                && !command.contains("until")
            {
                programs.extend(
                    listed(&judgement)
                        .into_iter()
                        .filter(|name| name.chars().all(|each| each.is_ascii_alphanumeric() || each == '-')),
                );
                lines.push((command.to_owned(), judgement));
            }
        }
    }
    let Some(shell) = Shell::new(&programs) else { return };
    assert!(lines.len() > 150, "{}", lines.len());
    for (line, judgement) in &lines {
        check(&shell, line, judgement);
    }
}

/// Small numbers that are always the same.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).unwrap_or(0)
    }
}

/// Places that hold a text, quoted or run; `@` is the text.
const PLACES: &[&str] = &[
    "echo '@'",
    "echo \"@\"",
    "echo @",
    "echo \\@",
    "echo \"\\@\"",
    "echo '@' b",
    "echo a'@'b",
    "echo \"a @ b\"",
    "echo $'@'",
    "echo $'a\\'@'",
    "echo \"$(echo '@')\"",
    "echo $(echo '@')",
    "echo `echo '@'`",
    "echo \"`echo '@'`\"",
    "echo \"$(cat <<'E'\n@\nE\n)\"",
    "cat <<'E'\n@\nE",
    "cat <<E\n@\nE",
    "cat <<-'E'\n\t@\n\tE",
    "cat <<\\E\n@\nE",
    "cat <<\"E\"\n@\nE\nls",
    "cat <<'E' <<'F'\n@\nE\n@\nF",
    "cat <<< '@'",
    "cat <<< \"@\"",
    "echo \"${x:-a}@\"",
    "echo ${x:-@}",
    "echo \"${x:-@}\"",
    "echo \"${x%@}\"",
    "ls # @",
    "echo a#@",
    "echo a; # @\nls",
    "[[ a == '@' ]] && ls",
    "[ a = \"@\" ] || ls",
    "case '@' in a) ls;; esac",
    "case a in '@') ls;; esac",
    "for x in '@' b; do echo $x; done",
    "for x in a; do echo '@'; done",
    "x='@'; echo \"$x\"",
    "x=\"@\"; ls $x",
    "if ls; then echo '@'; fi",
    "(echo '@')",
    "{ echo '@'; }",
    "echo '@' | cat",
    "ls > '@'",
    "echo \"a\\\"@\"",
    "echo 'a'\\''@'",
    "echo \"a\"'@'\"b\"",
    "echo {'@',b}",
    "echo a \\\n '@'",
    "cat <(echo '@')",
    "echo \"$((1+1))@\"",
    "echo $((1+1)) '@'",
    "while read x; do echo \"@\"; done < a",
    "echo \"\\\\\"'@'",
    "ls && echo '@' || cat",
    "@",
    "ls; @",
    "ls | @",
    "echo `@`",
    "echo $(@)",
    "echo \"$(@)\"",
];
const TEXTS: &[&str] = &[
    "rm x",
    "rm",
    "a",
    "$(rm x)",
    "`rm x`",
    "; rm x",
    "; rm x;",
    "\nrm x\n",
    "&& rm x",
    "| rm",
    "'; rm x; '",
    "\"; rm x; \"",
    ") rm x",
    "E\nrm x\n",
    "}; rm x",
    "x'$(rm x)'",
    "\\$(rm x)",
    "\\`rm x\\`",
    "$x",
    "a b",
    "# rm",
    "\\\nrm x",
    "<(rm x)",
    "${x:-$(rm x)}",
    "$((`rm x`))",
    "rm\\ x",
    "ls a",
    "\tE\nrm x",
];
const CHARS: &[&str] = &[
    "'", "\"", "\\", "`", "$", "(", ")", "{", "}", ";", "&", "|", "\n", " ", "#", "<", ">", "E", "\\\n", "$(", "!",
    "=", "\t",
];

/// A text in a place in a place, with a few characters more or less.
fn random_line(numbers: &mut Numbers) -> String {
    let mut line = TEXTS[numbers.next(TEXTS.len())].to_owned();
    for _ in 0..=numbers.next(3) {
        line = PLACES[numbers.next(PLACES.len())].replace('@', &line);
    }
    for _ in 0..numbers.next(3) {
        let at: Vec<usize> = line.char_indices().map(|(at, _)| at).collect();
        if at.is_empty() {
            break;
        }
        let at = at[numbers.next(at.len())];
        if numbers.next(2) == 0 {
            line.remove(at);
        } else {
            line.insert_str(at, CHARS[numbers.next(CHARS.len())]);
        }
    }
    line
}

#[test]
fn bash_runs_no_forbidden_program_in_a_random_line_that_is_allowed() {
    let programs: BTreeSet<String> =
        ["ls", "cat", "rm", "E", "F", "a", "b", "x"].iter().map(|name| (*name).to_owned()).collect();
    let Some(shell) = Shell::new(&programs) else { return };
    let allow: Vec<String> =
        ["Bash(ls:*)", "Bash(cat:*)", "Bash(echo:*)", "Edit(**)"].iter().map(|text| (*text).to_owned()).collect();
    let (rules, _) = RuleSet::from_texts(&allow, &[], &[]);
    let folder = shell.root.path().join("folder").to_string_lossy().into_owned();
    let lines: usize = std::env::var("RULES_LINES").ok().and_then(|text| text.parse().ok()).unwrap_or(1500);
    let seed: u64 =
        std::env::var("RULES_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(0x9e37_79b9_7f4a_7c15);
    let mut numbers = Numbers(seed);
    let mut ran = 0;
    for _ in 0..lines {
        let line = random_line(&mut numbers);
        let judgement = judge(&Request::command(&line, &folder), &rules, &State::default(), 0);
        // Only what could hide something is worth a shell: a plain line shows nothing.
        if judgement.verdict == Verdict::Allow && line.contains("rm") {
            check(&shell, &line, &judgement);
            ran += 1;
        }
    }
    assert!(ran > 50, "{ran}");
}
