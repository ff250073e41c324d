//! Rules that many want, ready made. Each is a plain list: what it allows can be read here.

use super::{Rule, RuleSet};
use crate::judgement::Verdict;

/// A ready-made set of allow rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// Its name in `rules.toml`.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// What it allows.
    pub allow: &'static [&'static str],
}

/// All presets.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "reads-only",
        about: "Look at files and history; change nothing.",
        allow: &[
            "Read(**)",
            "Bash(ls:*)",
            "Bash(cat:*)",
            "Bash(head:*)",
            "Bash(tail:*)",
            "Bash(wc:*)",
            "Bash(grep:*)",
            "Bash(rg:*)",
            "Bash(find:*)",
            "Bash(fd:*)",
            "Bash(tree:*)",
            "Bash(file:*)",
            "Bash(stat:*)",
            "Bash(du:*)",
            "Bash(df:*)",
            "Bash(diff:*)",
            "Bash(cmp:*)",
            "Bash(sort:*)",
            "Bash(uniq:*)",
            "Bash(cut:*)",
            "Bash(tr:*)",
            "Bash(sed -n:*)",
            "Bash(echo:*)",
            "Bash(printf:*)",
            "Bash(which:*)",
            "Bash(basename:*)",
            "Bash(dirname:*)",
            "Bash(realpath:*)",
            "Bash(jq:*)",
            "Bash(date)",
            "Bash(uname:*)",
            "Bash(whoami)",
            "Bash(git status:*)",
            "Bash(git log:*)",
            "Bash(git diff:*)",
            "Bash(git show:*)",
            "Bash(git blame:*)",
            "Bash(git branch)",
            "Bash(git branch -a)",
            "Bash(git branch -v)",
            "Bash(git branch -vv)",
            "Bash(git branch -r)",
            "Bash(git branch --show-current)",
            "Bash(git branch --list:*)",
            "Bash(git remote -v)",
            "Bash(git ls-files:*)",
            "Bash(git rev-parse:*)",
            "Bash(git describe:*)",
            "Bash(git grep:*)",
            "Bash(git merge-base:*)",
            "Bash(git stash list:*)",
            "Bash(git tag -l:*)",
            "Bash(git config --get:*)",
            "Bash(git config --list)",
        ],
    },
    Preset {
        name: "tests-and-linters",
        about: "Build, test, check and format what is in the folder. This runs the project's own code.",
        allow: &[
            "Bash(cargo test:*)",
            "Bash(cargo check:*)",
            "Bash(cargo build:*)",
            "Bash(cargo clippy:*)",
            "Bash(cargo fmt:*)",
            "Bash(cargo bench:*)",
            "Bash(npm test:*)",
            "Bash(npm run test:*)",
            "Bash(npm run lint:*)",
            "Bash(npm run build:*)",
            "Bash(npm run check:*)",
            "Bash(npm run typecheck:*)",
            "Bash(npm run format:*)",
            "Bash(pnpm test:*)",
            "Bash(pnpm lint:*)",
            "Bash(pnpm run test:*)",
            "Bash(pnpm run lint:*)",
            "Bash(yarn test:*)",
            "Bash(yarn lint:*)",
            "Bash(npx eslint:*)",
            "Bash(npx prettier:*)",
            "Bash(npx tsc:*)",
            "Bash(npx vitest:*)",
            "Bash(npx jest:*)",
            "Bash(eslint:*)",
            "Bash(prettier:*)",
            "Bash(tsc:*)",
            "Bash(jest:*)",
            "Bash(vitest:*)",
            "Bash(pytest:*)",
            "Bash(python -m pytest:*)",
            "Bash(python3 -m pytest:*)",
            "Bash(uv run pytest:*)",
            "Bash(ruff:*)",
            "Bash(mypy:*)",
            "Bash(pylint:*)",
            "Bash(flake8:*)",
            "Bash(black:*)",
            "Bash(go test:*)",
            "Bash(go vet:*)",
            "Bash(go build:*)",
            "Bash(gofmt:*)",
            "Bash(make test:*)",
            "Bash(make check:*)",
            "Bash(make lint:*)",
            "Bash(make build)",
            "Bash(make)",
            "Bash(bundle exec rspec:*)",
            "Bash(mvn test:*)",
            "Bash(./gradlew test:*)",
        ],
    },
    Preset {
        name: "edits-in-the-folder",
        about: "Change files inside the folder, except settings and hooks.",
        allow: &["Edit(**)", "Write(**)", "Bash(mkdir:*)", "Bash(touch:*)"],
    },
];

impl Preset {
    /// The preset of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// Its rules.
    #[must_use]
    pub fn rules(&self) -> RuleSet {
        let rule = |text: &&str| {
            let mut rule = Rule::new(Verdict::Allow, text).ok()?;
            rule.id = format!("{}: {text}", self.name);
            Some(rule)
        };
        RuleSet { rules: self.allow.iter().filter_map(rule).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_made_of_valid_rules() {
        for preset in PRESETS {
            for text in preset.allow {
                Rule::new(Verdict::Allow, text).unwrap_or_else(|why| panic!("{text}: {why}"));
            }
            assert_eq!(preset.rules().rules.len(), preset.allow.len());
        }
    }
}
