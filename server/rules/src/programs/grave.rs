//! What cannot be taken back or reaches far: disks, the machine itself, databases, published things, other agents, Answerback itself.

use super::{files::sharp, has, says};
use crate::{
    judgement::Floor,
    walk::{Arg, Input, Walk},
};

pub(super) fn inspect(walk: &mut Walk, at: usize, name: &str, args: &[Arg], input: &Input) {
    let joined: Vec<&str> = args.iter().map(|arg| arg.shown.as_str()).collect();
    let joined = joined.join(" ");
    let lower = joined.to_lowercase();
    let any = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let first = args.iter().find(|arg| !arg.is_option()).map(|arg| arg.text().to_owned()).unwrap_or_default();
    match name {
        "mkfs" | "fdisk" | "sfdisk" | "parted" | "gdisk" | "sgdisk" | "wipefs" | "blkdiscard" | "lvremove"
        | "vgremove" | "pvremove" | "cryptsetup" | "mkswap" | "badblocks" | "format" | "mount" | "umount"
        | "losetup" | "hdparm" | "swapoff" | "swapon" => {
            walk.floor(Floor::Disk, format!("changes or erases disks: {name}"))
        }
        _ if name.starts_with("mkfs.") => walk.floor(Floor::Disk, format!("formats a disk: {joined}")),
        "diskutil" | "zpool" | "zfs" | "btrfs" | "mdadm" | "dmsetup"
            if any(&["erase", "destroy", "delete", "create", "remove", "partition"]) =>
        {
            walk.floor(Floor::Disk, format!("changes or erases disks: {name}"))
        }
        "shutdown" | "reboot" | "halt" | "poweroff" | "init" | "telinit" => {
            walk.floor(Floor::Irreversible, "stops or restarts the machine")
        }
        "kill" | "killall" | "pkill" | "taskkill" => {
            if name == "kill" && says(args, &["-1", "1"]) && !has(args, 'l', "list") {
                walk.floor(Floor::Irreversible, "ends every process");
            }
            if any(&["answerback", "tmux", "claude", "codex", "gemini"]) {
                walk.floor(Floor::OwnFiles, "ends the agent, or what watches it");
            }
        }
        "useradd" | "userdel" | "usermod" | "groupadd" | "groupmod" | "passwd" | "chpasswd" | "adduser" | "deluser"
        | "visudo" | "chsh" | "vipw" => {
            walk.floor(Floor::RootPermissions, "changes users or their rights on this machine");
        }
        "iptables" | "ip6tables" | "nft" | "ufw" | "firewall-cmd" | "setenforce" | "spctl" | "csrutil"
        | "apparmor_parser" | "pfctl" | "setcap" => {
            walk.floor(Floor::RootPermissions, "changes what protects this machine");
        }
        "insmod" | "modprobe" | "rmmod" | "kextload" => walk.floor(Floor::RunsProgram, "changes the running kernel"),
        "sysctl" if has(args, 'w', "write") || joined.contains('=') => {
            walk.floor(Floor::RootPermissions, "changes the running kernel")
        }
        "crontab" if !has(args, 'l', "") => walk.floor(Floor::Settings, "makes something run by itself later"),
        "at" | "batch" => walk.floor(Floor::Settings, "makes something run by itself later"),
        "systemctl" | "launchctl" | "service" | "loginctl"
            if !matches!(
                first.as_str(),
                "status"
                    | "list-units"
                    | "list"
                    | "is-active"
                    | "show"
                    | "cat"
                    | "list-unit-files"
                    | "is-enabled"
                    | "print"
            ) =>
        {
            walk.floor(Floor::Settings, format!("changes which services run: {name} {first}"));
        }
        "defaults" if first == "write" || first == "delete" => {
            walk.floor(Floor::Settings, "changes settings of the system")
        }
        "socat" if any(&["exec:", "system:", "shell:"]) => walk.floor(Floor::RunsProgram, "socat runs another program"),
        "psql" | "mysql" | "mariadb" | "sqlite3" | "mongosh" | "mongo" | "clickhouse-client" | "duckdb" | "sqlcmd"
        | "bq" | "cqlsh" => {
            let text = if let Input::Text(text) = input { text.to_lowercase() } else { String::new() };
            let drops = |text: &str| {
                ["drop ", "truncate ", "dropdatabase", ".drop(", "deletemany({})", "remove({})"]
                    .iter()
                    .any(|word| text.contains(word))
                    || text.contains("delete from") && !text.contains("where")
            };
            let writes =
                ["writefile(", "edit(", "into outfile", "into dumpfile", "attach ", "vacuum into", "source ", "\\."];
            if writes.iter().any(|word| lower.contains(word) || text.contains(word)) {
                walk.unknown(format!("{name} may write files or run others"));
            }
            if name == "sqlite3" && args.iter().map(Arg::text).chain(text.lines()).any(strange_dot_command) {
                walk.floor(Floor::RunsProgram, "sqlite3 runs a program or writes a file");
            }
            if drops(&lower) || drops(&text) {
                walk.floor(Floor::DatabaseDrop, "drops or empties a database");
            }
            let shells = ["\\!", ".shell", ".system", "\\o |", "copy ", ".load", "load_extension", "system "];
            if shells.iter().any(|word| lower.contains(word) || text.contains(word)) {
                walk.floor(Floor::RunsProgram, format!("{name} runs another program"));
            }
            if matches!(input, Input::Pipe) {
                walk.unknown(format!("what {name} is told is only known when it runs"));
            }
        }
        "dropdb" | "dropuser" => walk.floor(Floor::DatabaseDrop, format!("deletes a database: {joined}")),
        "mysqladmin" if says(args, &["drop"]) => walk.floor(Floor::DatabaseDrop, "deletes a database"),
        "redis-cli" | "valkey-cli"
            if any(&[
                "flush",
                "eval",
                "config set",
                "shutdown",
                "module",
                "debug",
                "slaveof",
                "replicaof",
                "migrate",
            ]) =>
        {
            walk.floor(Floor::DatabaseDrop, "empties a database")
        }
        "claude" | "codex" | "gemini" | "qwen" | "opencode" | "copilot" | "aider" | "cursor-agent" => {
            walk.floor(Floor::Settings, format!("starts another agent: {name}"))
        }
        "answerback" => walk.floor(Floor::OwnFiles, "steers Answerback itself"),
        "docker" | "podman" | "docker-compose" => {
            if any(&[
                "--privileged",
                "-v /:",
                "--volume /:",
                "docker.sock",
                "--pid=host",
                "--pid host",
                "--cap-add",
                "--device",
            ]) {
                walk.floor(Floor::RootPermissions, "gives a container the whole machine");
            }
            if any(&[
                "system prune",
                "volume prune",
                "volume rm",
                "image prune",
                "container prune",
                "down -v",
                "down --volumes",
                "builder prune",
                "network prune",
                "buildx prune",
            ]) {
                walk.floor(Floor::Irreversible, "deletes containers' data or images");
            }
            if says(args, &["push"]) || any(&["--push"]) {
                walk.floor(Floor::Irreversible, "publishes an image");
            }
            if matches!(first.as_str(), "login" | "plugin" | "swarm" | "context") {
                sharp(walk, at, "changes how containers are run", &[&first]);
            }
        }
        "kubectl" | "oc" if says(args, &["delete", "drain", "replace"]) => {
            walk.floor(Floor::Irreversible, "deletes things in a cluster")
        }
        "kubectl" | "oc" if says(args, &["edit"]) => walk.floor(Floor::RunsProgram, "kubectl opens an editor"),
        "kubectl" | "oc"
            if says(args, &["secret", "secrets", "--raw", "use-context", "set-context", "debug", "run", "plugin"]) =>
        {
            let words = ["secret", "secrets", "--raw", "use-context", "set-context", "debug", "run", "plugin"];
            let said: Vec<&str> = words.into_iter().filter(|word| says(args, &[word])).collect();
            sharp(walk, at, "changes or shows more than the rule says", &said);
        }
        "helm" if says(args, &["uninstall", "delete"]) => {
            walk.floor(Floor::Irreversible, "deletes things in a cluster")
        }
        "helm" | "pre-commit" if says(args, &["plugin", "try-repo"]) => {
            sharp(walk, at, "brings programs along", &["plugin", "try-repo"]);
        }
        "terraform" | "tofu" | "pulumi"
            if matches!(first.as_str(), "destroy" | "apply" | "import" | "up")
                || any(&["state rm", "state push", "state mv", "workspace delete"]) =>
        {
            walk.floor(Floor::Irreversible, "changes or destroys what runs elsewhere")
        }
        "aws" | "gcloud" | "az" | "doctl" | "heroku" | "flyctl" | "fly"
            if any(&["delete", "terminate", " rm ", " rb ", "destroy", "remove", "purge"]) =>
        {
            walk.floor(Floor::Irreversible, format!("deletes something in an account: {name}"));
        }
        "ansible" | "ansible-playbook"
            if !args.iter().any(|arg| {
                arg.text().starts_with("--list") || matches!(arg.text(), "--check" | "--syntax-check" | "--version")
            }) =>
        {
            walk.floor(Floor::Irreversible, "changes what runs on other machines")
        }
        "vagrant" if first == "destroy" => walk.floor(Floor::Irreversible, "deletes a virtual machine"),
        "nuget" | "dotnet" | "lerna" | "gradle" | "gradlew" | "mvn" | "mkdocs" | "hatch"
            if says(args, &["push", "publish", "deploy", "gh-deploy"]) =>
        {
            walk.floor(Floor::Irreversible, "publishes something, or takes it away");
        }
        "npm" | "pnpm" | "yarn" | "cargo" | "gem" | "twine" | "poetry" | "uv"
            if matches!(
                first.as_str(),
                "publish" | "unpublish" | "push" | "upload" | "yank" | "deprecate" | "owner"
            ) =>
        {
            walk.floor(Floor::Irreversible, "publishes a package, or takes one away");
        }
        "npm" | "pnpm" | "yarn" | "pip" | "pip3" | "poetry" | "go" | "conda"
            if (matches!(first.as_str(), "config" | "set" | "c")
                && says(args, &["set", "edit", "delete", "unset"]))
                || first == "set"
                || first == "env" && (has(args, 'w', "") || has(args, 'u', "")) =>
        {
            walk.floor(Floor::Settings, format!("changes settings of {name}"));
        }
        "npm" | "pnpm" | "yarn"
            if matches!(
                first.as_str(),
                "login" | "logout" | "adduser" | "token" | "hook" | "access" | "team" | "org"
            ) =>
        {
            sharp(walk, at, "changes an account", &[&first])
        }
        "npm" | "pnpm" | "yarn" | "bun"
            if matches!(first.as_str(), "init" | "create" | "explore" | "edit" | "pkg" | "link" | "innit") =>
        {
            sharp(walk, at, "runs or changes more than the rule says", &[&first]);
        }
        "go" if matches!(first.as_str(), "run" | "generate" | "install" | "get" | "tool") => {
            sharp(walk, at, "runs other programs", &[&first]);
        }
        "gh" | "glab" => {
            if any(&[
                "repo delete",
                "release delete",
                "secret ",
                "auth ",
                "ssh-key",
                "gpg-key",
                "alias ",
                "extension ",
                "config set",
                "pr merge",
                "repo edit",
                "repo create",
                "repo archive",
                "repo rename",
                "issue delete",
                "gist create",
                "workflow run",
                "run delete",
                "release create",
                "release upload",
                "api ",
                "variable ",
            ]) && !any(&["auth status"])
            {
                sharp(
                    walk,
                    at,
                    "changes or shows more than the rule says",
                    &args.iter().take(2).map(|arg| arg.text()).collect::<Vec<_>>(),
                );
            }
            if any(&["repo delete"]) {
                walk.floor(Floor::Irreversible, "deletes a repository");
            }
        }
        "aws" | "gcloud" | "az"
            if let Some(word) = args.iter().map(Arg::text).find(|word| {
                [
                    "create-",
                    "put-",
                    "update-",
                    "modify-",
                    "start-",
                    "run-",
                    "attach-",
                    "authorize-",
                    "get-secret",
                    "assume-",
                ]
                .iter()
                .any(|start| word.starts_with(start))
                    || matches!(
                        *word,
                        "configure"
                            | "invoke"
                            | "mb"
                            | "ssh"
                            | "config"
                            | "create"
                            | "print-access-token"
                            | "get-access-token"
                    )
            }) =>
        {
            sharp(walk, at, "changes or shows something in an account", &[word]);
        }
        "cmake" => {
            let code = |arg: &Arg| {
                let text = arg.text();
                text.starts_with("-C")
                    || text.starts_with("-D")
                        && ["_COMPILER", "_LAUNCHER", "TOOLCHAIN", "_INCLUDE", "_COMMAND", "_PROGRAM"]
                            .iter()
                            .any(|part| text.split('=').next().is_some_and(|name| name.contains(part)))
            };
            if args.iter().any(code) {
                walk.floor(Floor::RunsProgram, "cmake takes a program or its settings from elsewhere");
            }
        }
        "gcc" | "g++" | "cc" | "c++" | "clang" | "clang++" | "rustc" | "javac" => {
            if args.iter().any(|arg| arg.text().starts_with('@')) {
                sharp(walk, at, "takes its options from a file", &["@"]);
            }
            for arg in args.iter().filter(|arg| name == "rustc" && arg.text().starts_with("--emit")) {
                for path in arg.text().split('=').skip(2) {
                    walk.touch(&Arg::known(path));
                }
            }
            if name == "rustc" && args.iter().any(|arg| arg.text().starts_with("--sysroot")) {
                walk.floor(Floor::RunsProgram, "rustc --sysroot loads code from elsewhere");
            }
        }
        "journalctl" if args.iter().any(|arg| arg.text().starts_with("--vacuum") || arg.is("--rotate")) => {
            walk.floor(Floor::Irreversible, "deletes the machine's records")
        }
        "dmesg" if has(args, 'C', "clear") || has(args, 'c', "read-clear") => {
            sharp(walk, at, "empties the kernel's messages", &["-C", "-c", "--clear"])
        }
        "ip" if says(args, &["set", "add", "del", "delete", "flush", "replace", "change"]) => {
            walk.floor(Floor::RootPermissions, "changes the network of this machine")
        }
        "ifconfig" if args.len() > 1 => walk.floor(Floor::RootPermissions, "changes the network of this machine"),
        "hostname" if !first.is_empty() => walk.floor(Floor::RootPermissions, "renames this machine"),
        "make" | "gmake" => {
            for arg in args {
                let Some((variable, value)) = arg.text().split_once('=') else { continue };
                let code = crate::env::class(variable, Some(value)) == crate::env::Class::Code
                    || variable.ends_with("FLAGS")
                    || variable.starts_with('.')
                    || variable.ends_with('!');
                if code || value.contains(['$', '`', '|', ';', '&', '\n']) || arg.exact().is_none() && !arg.number {
                    let text = format!("a variable can make make run another program: {}", arg.shown);
                    walk.floor(Floor::RunsProgram, text);
                }
            }
        }
        "less" | "more" | "vim" if args.iter().any(|arg| arg.text().starts_with('+')) => {
            walk.floor(Floor::RunsProgram, format!("{name} runs a command"))
        }
        "hg" if first == "push" && has(args, 'f', "force") => {
            walk.floor(Floor::ForcePush, "overwrites what others may have (push)");
        }
        "curl" if joined.contains("%output{") => walk.unknown("curl -w writes a file"),
        "dc" | "m4" | "bc" | "sbt" if joined.contains('!') || joined.contains("syscmd") => {
            walk.floor(Floor::RunsProgram, format!("{name} runs another program"))
        }
        "rails" | "rake" | "mix" | "php" | "artisan" | "knex" | "sequelize" | "typeorm" | "prisma" | "supabase"
        | "npx" | "alembic" | "flyway" | "django-admin" | "manage.py"
            if any(&[
                "db:drop",
                "db:reset",
                "db:purge",
                "ecto.drop",
                "ecto.reset",
                "migrate:fresh",
                "migrate:reset",
                "db:wipe",
                "migrate reset",
                "--force-reset",
                "--accept-data-loss",
                "db reset",
                "downgrade base",
                "flush",
                "schema:drop",
            ]) =>
        {
            walk.floor(Floor::DatabaseDrop, "drops or empties a database");
        }
        "history" if has(args, 'c', "") => walk.floor(Floor::Irreversible, "wipes the traces of what was done"),
        "security" | "pass" | "op" | "bw" | "vault" => sharp(walk, at, "reads passwords", &[&first]),
        _ => {}
    }
}

/// True for a dot command of `sqlite3` that does more than show something.
fn strange_dot_command(text: &str) -> bool {
    const SHOWS: &[&str] = &[
        "bail",
        "databases",
        "dbinfo",
        "dump",
        "echo",
        "eqp",
        "explain",
        "fullschema",
        "headers",
        "header",
        "help",
        "indexes",
        "indices",
        "limit",
        "lint",
        "mode",
        "nullvalue",
        "separator",
        "show",
        "schema",
        "stats",
        "tables",
        "timer",
        "width",
        "quit",
        "exit",
    ];
    let Some(rest) = text.trim_start().strip_prefix('.') else { return false };
    let word: String = rest.chars().take_while(char::is_ascii_alphabetic).collect();
    !word.is_empty()
        && rest[word.len()..].starts_with([' ', '\t']) | (rest.len() == word.len())
        && !SHOWS.contains(&word.as_str())
}
