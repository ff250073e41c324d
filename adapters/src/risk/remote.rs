//! What leaves the machine or comes from outside: uploads, packages, releases, other machines, the cloud.

use super::{
    Findings,
    line::{Call, Flow, Walk},
    paths::is_secret,
    programs::{has, names, operands, says},
    shell::Word,
};

/// Judges a call that reaches out of this machine.
pub(super) fn judge(walk: &mut Walk<'_>, call: &Call<'_>, worked_out: &Flow) {
    match call.program {
        "curl" | "wget" | "http" | "https" | "xh" | "aria2c" => web(walk, call, worked_out),
        "nc" | "ncat" | "netcat" | "socat" | "telnet" => {
            if has(call.args, 'e', "exec")
                || has(call.args, 'c', "sh-exec")
                || call.args.iter().any(|word| word.text.starts_with("EXEC:"))
            {
                walk.findings.high("lets another machine give commands here");
            }
            sent(walk, call, worked_out, "a bare connection");
        }
        "scp" | "sftp" | "ftp" | "rsync" | "rclone" => copy(walk, call),
        _ => {
            packages(call, walk.findings);
            releases(call, walk.findings);
            cloud(call, walk.findings);
        }
    }
}

/// A command that runs on another machine is judged like one that runs here.
pub(super) fn ssh(walk: &mut Walk<'_>, call: &Call<'_>) -> Flow {
    if call.args.iter().any(|word| word.text.contains("StrictHostKeyChecking=no")) {
        walk.findings.medium("does not check whom it talks to (host keys)");
    }
    sent(walk, call, &Flow::default(), "another machine");
    let mut at = 0;
    while let Some(word) = call.args.get(at).filter(|word| word.text.starts_with('-')) {
        let takes_value = word.text.len() == 2 && "bcDEeFIiJLlmOopQRSWw".contains(&word.text[1..]);
        at += if takes_value { 2 } else { 1 };
    }
    let Some(host) = call.args.get(at) else { return Flow::default() };
    let command: Vec<&str> = call.args[at + 1..].iter().map(|word| word.text.as_str()).collect();
    if !command.is_empty() {
        walk.findings.medium(format!("runs on another machine: {}", host.text));
        let here = walk.cwd.take();
        walk.text(&command.join(" "));
        walk.cwd = here;
    }
    Flow { any: true, ..Flow::default() }
}

fn web(walk: &mut Walk<'_>, call: &Call<'_>, worked_out: &Flow) {
    let args = call.args;
    let urls: Vec<&str> = operands(args)
        .map(|word| word.text.as_str())
        .filter(|text| text.contains("://") || text.contains('.'))
        .collect();
    if !urls.is_empty() && urls.iter().all(|url| is_local(url)) {
        return;
    }
    if has(args, 'k', "insecure") || says(args, &["--no-check-certificate"]) {
        walk.findings.medium("does not check whom it talks to (certificates)");
    }
    let file = saved_as(args, &urls);
    if let Some(file) = file {
        walk.place(&file).judge_write(walk.findings);
        walk.downloaded.push(file.trim_start_matches("./").to_owned());
    }
    let body = |word: &&Word| word.text.starts_with('@') || word.text.contains("=@");
    let files: Vec<&str> =
        args.iter().filter(body).filter_map(|word| word.text.split_once('@')).map(|(_, file)| file).collect();
    let uploads = has(args, 'T', "upload-file")
        || args.iter().any(|word| word.text.starts_with("--post-file") || word.text.starts_with("--body-file"))
        || files.iter().any(|file| *file != "-");
    if uploads {
        walk.findings.medium("sends a file to another machine");
    }
    let posts = ["data", "data-raw", "data-binary", "data-urlencode", "form", "json", "post-data", "body-data"];
    if has(args, 'd', "") || has(args, 'F', "") || posts.iter().any(|long| has(args, '\0', long)) {
        sent(walk, call, worked_out, "another machine");
        walk.findings.medium("sends data to another machine");
    } else if uploads || worked_out.secret.is_some() {
        sent(walk, call, worked_out, "another machine");
    }
    if says(args, &["DELETE", "-XDELETE", "--request=DELETE"]) {
        walk.findings.medium("asks a server to delete something");
    }
}

/// Data goes out: with secrets in it that is grave.
fn sent(walk: &mut Walk<'_>, call: &Call<'_>, worked_out: &Flow, to: &str) {
    let named = call.args.iter().flat_map(|word| word.text.split(['@', '='])).find(|part| is_secret(part));
    let secret = call.input.secret.as_deref().or(worked_out.secret.as_deref()).or(named);
    if let Some(secret) = secret {
        walk.findings.high(format!("sends secrets to {to}: {secret}"));
    } else if call.input.any && call.program != "ssh" {
        walk.findings.medium(format!("sends data to {to}"));
    }
}

fn copy(walk: &mut Walk<'_>, call: &Call<'_>) {
    let files: Vec<&Word> = operands(call.args).collect();
    let Some((to, from)) = files.split_last() else { return };
    if is_elsewhere(&to.text) {
        match from.iter().find(|word| is_secret(&word.text)) {
            Some(secret) => walk.findings.high(format!("sends secrets to another machine: {}", secret.text)),
            None => walk.findings.medium(format!("sends files to another machine: {}", to.text)),
        }
    }
}

fn is_elsewhere(text: &str) -> bool {
    text.split_once(':').is_some_and(|(host, _)| !host.is_empty() && !host.contains('/')) || text.contains("://")
}

fn is_local(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    ["localhost", "127.", "[::1]", "0.0.0.0", "host.docker.internal"].iter().any(|local| host.starts_with(local))
}

/// The file that a download is kept in.
fn saved_as(args: &[Word], urls: &[&str]) -> Option<String> {
    let after = |names: &[&str]| {
        args.windows(2).find(|pair| names.contains(&pair[0].text.as_str())).map(|pair| pair[1].text.clone())
    };
    let wget = !args.iter().any(|word| word.text == "-O" || word.text.starts_with("-o"));
    after(&["-o", "--output", "--output-document"])
        .or_else(|| after(&["-O"]).filter(|name| !name.contains("://") && name != "-"))
        .or_else(|| {
            let url = urls.first()?;
            let named = args
                .iter()
                .any(|word| word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('O'));
            (named || (wget && url.ends_with(".sh"))).then(|| url.rsplit('/').next().unwrap_or_default().to_owned())
        })
        .filter(|name| !name.is_empty() && name != "-" && name != "/dev/null")
}

fn packages(call: &Call<'_>, findings: &mut Findings) {
    let args = call.args;
    let first = args.first().map_or("", |word| word.text.as_str());
    let several = operands(args).count() > 1;
    let adds = match call.program {
        "npm" | "pnpm" | "bun" => matches!(first, "install" | "i" | "add") && several,
        "yarn" => first == "add" || (first == "global" && says(args, &["add"])),
        "pip" | "pip3" | "uv" | "pipx" | "poetry" | "conda" | "gem" | "cargo" | "go" | "composer" | "brew" | "apt"
        | "apt-get" | "dnf" | "yum" | "pacman" | "apk" | "snap" | "choco" | "winget" => {
            says(args, &["install", "add", "require", "-S", "get"])
                && several
                && !says(args, &["-r", "-e", "--editable", "--path"])
        }
        _ => false,
    };
    if adds {
        findings.medium(format!("installs software from the internet: {}", names(args.get(1..).unwrap_or_default())));
    }
    let fetched = matches!(call.program, "npx" | "bunx" | "uvx" | "pnpx")
        && (has(args, 'y', "yes")
            || args.iter().any(|word| word.text.contains("@latest") || word.text.contains("://")))
        || (matches!(call.program, "pnpm" | "yarn") && first == "dlx");
    if fetched {
        findings.medium(format!("fetches a program from the internet and runs it: {}", names(args)));
    }
    if matches!(call.program, "apt" | "apt-get" | "dnf" | "yum" | "brew" | "pacman" | "apk")
        && says(args, &["remove", "purge", "autoremove", "uninstall", "-R"])
    {
        findings.medium(format!("removes software from this machine: {}", names(args)));
    }
}

fn releases(call: &Call<'_>, findings: &mut Findings) {
    let args = call.args;
    let first = args.first().map_or("", |word| word.text.as_str());
    let second = args.get(1).map_or("", |word| word.text.as_str());
    let publishes = match call.program {
        "npm" | "pnpm" | "yarn" | "bun" | "cargo" | "poetry" | "uv" | "vsce" | "ovsx" | "lerna" | "jsr" | "flutter"
        | "dart" => {
            first == "publish"
                || (call.program == "yarn" && first == "npm" && second == "publish")
                || (first == "pub" && second == "publish")
        }
        "twine" => first == "upload",
        "gem" | "docker" | "podman" | "helm" | "oras" => first == "push",
        "dotnet" | "nuget" => says(args, &["push"]),
        "mvn" | "gradle" | "gradlew" | "./gradlew" => says(args, &["deploy", "publish", "release:perform"]),
        "goreleaser" | "semantic-release" | "changeset" => first == "release" || first == "publish" || first.is_empty(),
        "gh" => {
            (first == "release" && matches!(second, "create" | "upload" | "edit"))
                || (first == "gist" && second == "create")
        }
        _ => false,
    };
    if publishes && !says(args, &["--dry-run"]) {
        findings.high("publishes for everybody, which cannot be taken back");
    }
    if matches!(call.program, "npm" | "cargo" | "gem") && matches!(first, "unpublish" | "yank" | "deprecate" | "owner")
    {
        findings.high("changes or withdraws what was published");
    }
    if call.program == "gh" {
        match (first, second) {
            ("repo", "delete" | "archive" | "rename") | ("release" | "secret" | "variable", "delete") => {
                findings.high(format!("deletes or changes on GitHub: {first} {second}"));
            }
            ("repo", "edit") if says(args, &["public"]) || args.iter().any(|word| word.text.ends_with("=public")) => {
                findings.high("makes a repository public");
            }
            ("pr", "merge") => findings.medium("merges a pull request"),
            ("pr" | "issue", "create" | "close" | "comment") | ("workflow", "run") => {
                findings.medium(format!("acts on GitHub in your name: {first} {second}"));
            }
            _ => {}
        }
    }
}

fn cloud(call: &Call<'_>, findings: &mut Findings) {
    let args = call.args;
    let joined: Vec<&str> = args.iter().map(|word| word.text.as_str()).collect();
    let joined = joined.join(" ");
    let first = joined.split(' ').next().unwrap_or_default();
    let destroys = match call.program {
        "kubectl" | "oc" => matches!(first, "delete" | "drain"),
        "terraform" | "tofu" | "pulumi" | "cdk" | "terragrunt" | "sls" | "serverless" => {
            says(args, &["destroy", "remove", "-destroy"])
        }
        "helm" => matches!(first, "uninstall" | "delete" | "rollback"),
        "aws" => {
            joined.contains(" rm ") && joined.contains("--recursive")
                || joined.contains(" rb ")
                || joined.contains("delete-")
                || joined.contains("terminate-")
        }
        "gcloud" | "az" | "doctl" | "heroku" | "fly" | "flyctl" | "vercel" | "netlify" | "railway" | "wrangler" => {
            joined.split([' ', ':']).any(|word| matches!(word, "delete" | "destroy" | "remove" | "rm"))
        }
        "gsutil" => says(args, &["rm", "rb"]),
        _ => false,
    };
    if destroys {
        findings.high(format!("deletes what runs elsewhere: {} {}", call.program, names(args)));
        return;
    }
    let changes = match call.program {
        "kubectl" | "oc" => {
            matches!(first, "apply" | "create" | "replace" | "patch" | "scale" | "rollout" | "exec" | "set")
        }
        "terraform" | "tofu" | "terragrunt" => says(args, &["apply", "import"]) || joined.contains("state rm"),
        "pulumi" => first == "up",
        "cdk" | "sls" | "serverless" | "firebase" | "wrangler" | "fly" | "flyctl" | "gcloud" | "eb" | "vercel"
        | "netlify" | "railway" => says(args, &["deploy", "up", "--prod", "publish"]),
        "helm" => matches!(first, "install" | "upgrade"),
        "ansible-playbook" | "ansible" | "cap" => true,
        "aws" => {
            joined.contains("s3 cp")
                || joined.contains("s3 sync")
                || joined.contains("put-")
                || joined.contains("create-")
        }
        _ => false,
    };
    if changes {
        findings.high(format!("changes what runs elsewhere: {} {}", call.program, names(args)));
    }
}
