use shared_types::AdapterKind;

use super::*;
use crate::{adapter_for, all_adapters};

#[test]
fn a_file_says_what_its_command_does() {
    let table = [
        (CommandForm::Markdown, "---\ndescription: \"Ships it\"\nmodel: opus\n---\n\nBody", "Ships it"),
        (CommandForm::Markdown, "---\nmodel: opus\n---\n\n# Review the diff\nmore", "Review the diff"),
        (CommandForm::Markdown, "\n\nLook at $ARGUMENTS\n", "Look at $ARGUMENTS"),
        (CommandForm::Markdown, "---\ndescription: never closed", "never closed"),
        (CommandForm::Markdown, "", ""),
        (CommandForm::Toml, "description = \"Plans it\"\nprompt = \"\"\"x\"\"\"\n", "Plans it"),
        (CommandForm::Toml, "prompt = 'x'\n", ""),
        (CommandForm::Toml, "description = 'tab\there'", "tabhere"),
    ];
    for (form, text, description) in table {
        assert_eq!(form.description(text), description, "{text}");
    }
    assert_eq!(CommandForm::Markdown.description(&"x".repeat(1000)).len(), DESCRIPTION_LIMIT);
}

#[test]
fn names_can_be_typed_and_folders_are_a_part_of_them_only_where_the_cli_says_so() {
    let shelf = |kind| adapter_for(kind).commands().shelves[0];
    let (claude, codex) = (shelf(AdapterKind::new("claude")), shelf(AdapterKind::new("codex")));
    assert_eq!(claude.name(&["front", "page"]).as_deref(), Some("front:page"));
    assert_eq!(codex.name(&["front", "page"]), None);
    assert_eq!(codex.name(&["draft"]).as_deref(), Some("prompts:draft"));
    assert_eq!(claude.name(&["two words"]), None);
    assert_eq!(claude.name(&[]), None);
}

#[test]
fn built_in_commands_are_named_once_and_in_order() {
    for adapter in all_adapters() {
        let names: Vec<_> = adapter.commands().built_in.iter().map(|(name, _)| name).collect();
        let mut sorted = names.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(names, sorted, "{}", adapter.profile().name);
    }
}
