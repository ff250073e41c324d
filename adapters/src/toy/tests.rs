use shared_types::{NamedKey, OptionRole};

use super::{KIND, Toy};
use crate::{
    Adapter as _, Keystroke, Step, adapter_for, all_adapters,
    answer::{Expect, responses::choose},
    case::CaseMeta,
    corpus, registry,
};

#[test]
fn a_new_cli_is_found_by_its_name_its_program_and_among_all() {
    assert_eq!(adapter_for(KIND).profile().name, "Toy CLI");
    assert_eq!(registry::of_program("toy-cli").unwrap().profile().kind, KIND);
    assert!(all_adapters().any(|adapter| adapter.profile().kind == KIND));
    let meta: CaseMeta = serde_json::from_str(r#"{"cli":"toy","cols":80,"rows":24}"#).unwrap();
    assert_eq!(meta.cli, KIND);
}

/// The walk over all screens compares them as well; this says that it has them.
#[test]
fn its_screens_are_read_and_answered_like_all_others() {
    assert_eq!(corpus::cases(KIND).len(), 2);
    let sighting = corpus::sighting(KIND, "perm-run-1.0.0-80x24");
    let prompt = sighting.to_prompt(
        shared_types::PromptId(uuid::Uuid::nil()),
        shared_types::SessionId(uuid::Uuid::nil()),
        KIND,
        0,
    );
    let wire = serde_json::to_value(&prompt).unwrap();
    assert_eq!((&wire["adapter"], &wire["toolInput"]), (&"toy".into(), &"make it so".into()));
    assert_eq!(sighting.options[1].role, Some(OptionRole::Deny));
    assert_eq!(Toy.answer(&sighting, &choose("Yes")), Ok(Step::Submit { keys: vec![Keystroke::ENTER] }));
    let down = Step::Press { keys: vec![Keystroke::Named(NamedKey::Down)], expect: Expect::Selected(1) };
    assert_eq!(Toy.answer(&sighting, &choose("No")), Ok(down));
}
