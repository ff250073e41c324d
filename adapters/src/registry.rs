//! The one list of the CLIs that are read. Everything else finds them here: by the name on the wire, or by the program.

use shared_types::AdapterKind;

use crate::{Adapter, Profile, claude, codex, copilot, demo, gemini, generic, opencode, qwen};

/// In the order in which they are offered.
static ADAPTERS: &[&dyn Adapter] = &[
    &claude::Claude,
    &codex::Codex,
    &gemini::Gemini,
    &qwen::Qwen,
    &opencode::OpenCode,
    &copilot::Copilot,
    &demo::Demo,
    &generic::Generic,
    #[cfg(test)]
    &crate::toy::Toy,
];

/// Every adapter, in the order in which they are offered.
pub fn all_adapters() -> impl Iterator<Item = &'static dyn Adapter> {
    ADAPTERS.iter().copied()
}

/// The adapter of this name, if there is one.
#[must_use]
pub fn find(kind: AdapterKind) -> Option<&'static dyn Adapter> {
    all_adapters().find(|adapter| adapter.profile().kind == kind)
}

/// The adapter of this name; a name that none has is read as any program is.
#[must_use]
pub fn adapter_for(kind: AdapterKind) -> &'static dyn Adapter {
    find(kind).unwrap_or(&generic::Generic)
}

/// The adapter that reads this program, as it is named on a command line; nothing for any other program.
#[must_use]
pub fn of_program(program: &str) -> Option<&'static dyn Adapter> {
    let is_it = |profile: &Profile| match profile.program {
        // What is built in goes by its name.
        "" => !profile.takes_command && profile.kind.as_str() == program,
        own => own == program,
    };
    all_adapters().find(|adapter| is_it(adapter.profile()))
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, path::Path};

    use super::*;

    /// The grounds of the page that are hardest to read on.
    const DARKEST_LIGHT: &str = "#efefea";
    const LIGHTEST_DARK: &str = "#16191e";

    /// How well one colour can be read on another, as WCAG counts it.
    fn contrast(ink: &str, ground: &str) -> f64 {
        let luminance = |colour: &str| {
            let part = |at: usize| {
                let share = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
                if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
        };
        let (ink, ground) = (luminance(ink), luminance(ground));
        (ink.max(ground) + 0.05) / (ink.min(ground) + 0.05)
    }

    /// A folder that was forgotten here would be read by nobody.
    #[test]
    fn every_folder_with_screens_is_in_the_list() {
        let folders = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap();
        let folders = folders.map(|entry| entry.unwrap().path()).filter(|path| path.join("screens").is_dir());
        let folders: BTreeSet<_> =
            folders.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
        let listed: BTreeSet<_> = ADAPTERS.iter().map(|adapter| adapter.profile().kind.to_string()).collect();
        assert_eq!(listed, folders);
        assert_eq!(listed.len(), ADAPTERS.len(), "a name is given twice");
    }

    #[test]
    fn every_program_finds_its_adapter_and_any_other_none() {
        for adapter in ADAPTERS {
            let Profile { kind, program, .. } = adapter.profile();
            let found = |name: &str| of_program(name).map(|adapter| adapter.profile().kind);
            let wanted = (*kind != generic::KIND).then_some(*kind);
            assert_eq!(found(if program.is_empty() { kind.as_str() } else { program }), wanted);
        }
        assert!(of_program("").is_none() && of_program("bash").is_none());
    }

    #[test]
    fn a_name_that_none_has_is_read_as_any_program() {
        let unknown = AdapterKind::new("of-tomorrow");
        assert!(find(unknown).is_none());
        assert_eq!(adapter_for(unknown).profile().kind, generic::KIND);
    }

    /// Which versions the screens are of stands where people look for it.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "the docs are a file")]
    fn docs_name_every_cli_and_the_versions_of_its_screens() {
        let docs = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/clis.md")).unwrap();
        let row_of = |name: &str| docs.lines().find(|line| line.starts_with(&format!("| {name} |")));
        let told =
            all_adapters().map(Adapter::profile).filter(|profile| profile.is_agent && profile.kind != crate::toy::KIND);
        for profile in told {
            let row = row_of(profile.name).unwrap_or_else(|| panic!("{} has no row", profile.name));
            let versions = crate::corpus::cases(profile.kind).iter().filter_map(|case| case.meta.version.as_deref());
            for version in versions.collect::<BTreeSet<_>>() {
                assert!(row.contains(version), "{} {version} is not in {row}", profile.name);
            }
        }
    }

    /// The page draws what it is told, so it must be fit to be drawn; and two that look alike would be taken for each other.
    #[test]
    fn every_mark_can_be_drawn_and_is_its_own() {
        let is_colour = |colour: &str| {
            colour.len() == 7 && colour.starts_with('#') && colour[1..].bytes().all(|letter| letter.is_ascii_hexdigit())
        };
        let mut icons = BTreeSet::new();
        let mut names = BTreeSet::new();
        for Profile { name, short_name, mark, .. } in ADAPTERS.iter().map(|adapter| adapter.profile()) {
            assert!(is_colour(mark.light) && is_colour(mark.dark), "{name}");
            let contrasts = [contrast(mark.light, DARKEST_LIGHT), contrast(mark.dark, LIGHTEST_DARK)];
            assert!(contrasts.iter().all(|contrast| *contrast >= 4.5), "{name} cannot be read: {contrasts:?}");
            let of_path = |letter: char| letter.is_ascii_alphanumeric() || " .,-".contains(letter);
            assert!(mark.icon.starts_with('M') && mark.icon.chars().all(of_path), "{name}");
            assert!(icons.insert(mark.icon) && names.insert(short_name) && !short_name.is_empty(), "{name}");
        }
    }
}
