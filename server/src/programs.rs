//! Finding programs on this machine, and asking them who they are.

use std::{
    env,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use adapters::{adapter_for, all_adapters};
use shared_types::{AdapterInfo, AdapterMark};

/// How long a program may take to say its version; a CLI written for Node takes a second on a loaded machine.
const VERSION_LIMIT: Duration = Duration::from_secs(10);

/// A program by its name on the PATH, or by a path relative to a folder.
#[must_use]
pub fn find_in(name: &str, folder: &Path) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(folder.join(name)).filter(|path| is_executable(path));
    }
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_absolute() && is_executable(path))
}

/// The adapters as the page offers them.
#[must_use]
pub fn adapters_here() -> Vec<AdapterInfo> {
    all_adapters()
        .map(|adapter| {
            let profile = adapter.profile();
            AdapterInfo {
                kind: profile.kind,
                name: profile.name.to_owned(),
                short_name: profile.short_name.to_owned(),
                is_agent: profile.is_agent,
                mark: AdapterMark {
                    icon: profile.mark.icon.to_owned(),
                    light: profile.mark.light.to_owned(),
                    dark: profile.mark.dark.to_owned(),
                },
                installed: profile.program.is_empty() || find_in(profile.program, Path::new("/")).is_some(),
                modes: profile.modes.to_vec(),
                takes_command: profile.takes_command,
                changes_mode: !profile.next_mode.is_empty(),
                version: None,
                models: profile.models.map(|(_, names)| names.iter().map(|name| (*name).to_owned()).collect()),
            }
        })
        .collect()
}

/// The adapters as the page offers them, with their versions: a program may take its time to say its own.
pub async fn adapters_with_versions() -> Vec<AdapterInfo> {
    let mut adapters = adapters_here();
    for info in adapters.iter_mut().filter(|info| info.installed) {
        let name = adapter_for(info.kind).profile().program;
        if let Some(program) = Some(name).filter(|name| !name.is_empty()).and_then(|name| find_in(name, Path::new("/")))
        {
            info.version = quick_version(&program).await;
        }
    }
    adapters
}

/// The version of a program that is to be started: read from its npm package where it comes from one, because a CLI
/// written for Node takes a second to say it.
pub async fn quick_version(program: &Path) -> Option<String> {
    match packaged_version(program) {
        Some(version) => Some(version),
        None => version_of(program).await,
    }
}

/// What a program says to `--version`: the first word of it that looks like one.
pub async fn version_of(program: &Path) -> Option<String> {
    let mut command = tokio::process::Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let output = tokio::time::timeout(VERSION_LIMIT, command.output()).await.ok()?.ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let word = text.split_whitespace().find(|word| word.starts_with(|ch: char| ch.is_ascii_digit()))?;
    Some(word.trim_matches(['(', ')', ',']).to_owned())
}

/// The version in the `package.json` above the file that the program's link leads to.
fn packaged_version(program: &Path) -> Option<String> {
    let file = program.canonicalize().ok()?;
    let package = file.ancestors().skip(1).map(|folder| folder.join("package.json")).find(|path| path.is_file())?;
    let package: serde_json::Value = serde_json::from_slice(&std::fs::read(package).ok()?).ok()?;
    // A program that merely lies somewhere below a package is none of its programs.
    package.get("bin")?;
    Some(package.get("version")?.as_str()?.to_owned())
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
