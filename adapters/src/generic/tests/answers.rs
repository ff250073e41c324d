//! How answers are typed, and what they are refused for.

use shared_types::PromptResponse;

use super::{COOKED, RAW, screen, sighting};
use crate::{
    Adapter, Keystroke, LaunchRefusal, LaunchRequest, Refusal, SightedOption, Sighting, Step,
    answer::{
        Expect,
        responses::{check, choose, nothing, say},
    },
    generic::{Generic, keys},
    reading::Look,
    screen::TtyMode,
};

const HIDDEN: TtyMode = TtyMode { echo: false, canonical: true };
const ONE_KEY: TtyMode = TtyMode { echo: true, canonical: false };

fn text(text: &str) -> Keystroke {
    Keystroke::Text(text.to_owned())
}

fn submit(keys: impl Into<Vec<Keystroke>>) -> Step {
    Step::Submit { keys: keys.into() }
}

fn types(text: &str) -> Step {
    Step::Type { text: text.to_owned(), alone: false }
}

/// A letter that may be the whole answer.
fn letter(text: &str) -> Step {
    Step::Type { text: text.to_owned(), alone: true }
}

fn press(keys: impl Into<Vec<Keystroke>>, expect: Expect) -> Step {
    Step::Press { keys: keys.into(), expect }
}

#[test]
fn each_way_of_asking_is_answered_in_its_own_way() {
    let enter = Keystroke::ENTER;
    let table = [
        ("Go on? [y/N] ", COOKED, choose("Yes"), types("y")),
        ("Go on? [Y/n] ", COOKED, choose("No"), types("n")),
        ("Sure (yes/no)? ", COOKED, choose("Yes"), types("yes")),
        ("Weiter? [J/n] ", COOKED, choose("Ja"), types("j")),
        // What somebody left on the line goes first; the right answer is only entered.
        ("Go on? [y/N] n", COOKED, choose("Yes"), press([Keystroke::Ctrl('u')], Expect::Text(String::new()))),
        ("Go on? [y/N] y", COOKED, choose("Yes"), submit([enter.clone()])),
        // One key where keys are echoed one by one; a line editor shows the letter before its Enter.
        ("Go on? [y/N] ", ONE_KEY, choose("Yes"), submit([text("y")])),
        ("Go on? [y/N] ", RAW, choose("Yes"), letter("y")),
        ("Go on? [y/N] y", RAW, choose("Yes"), submit([enter.clone()])),
        ("Stage this hunk [y,n,q,a,d,e,?]? ", RAW, choose("Quit"), letter("q")),
        ("Stage this hunk [y,n,q,a,d,e,?]? ", COOKED, choose("Help"), types("?")),
        ("replace a? [y]es, [n]o, [A]ll, [N]one: ", COOKED, choose("None"), types("N")),
        ("Sure (yes/no/[fingerprint])? ", COOKED, say("SHA256:x"), types("SHA256:x")),
        ("1) a\n2) b\n#? ", COOKED, choose("b"), types("2")),
        ("1) a\n2) b\nChoose: ", ONE_KEY, choose("a"), submit([text("1")])),
        ("Press Enter to continue", COOKED, choose("Continue"), submit([enter.clone()])),
        ("Press Enter to continue or Ctrl-C to stop", COOKED, choose("Cancel"), submit([Keystroke::Ctrl('c')])),
        ("--More--(12%)", RAW, choose("Next page"), submit([Keystroke::SPACE])),
        ("--More--(12%)", RAW, choose("Quit"), submit([text("q")])),
        ("Your name: ", COOKED, say("Ada L"), types("Ada L")),
        ("Your name: Ada L", COOKED, say("Ada L"), submit([enter.clone()])),
        ("Your name: Bob", COOKED, say("Ada L"), press([Keystroke::Ctrl('u')], Expect::Text(String::new()))),
        ("Your name: (Ada) ", COOKED, say(""), submit([enter.clone()])),
        ("Your name: ", COOKED, say("x: y"), types("x: y")),
        ("Branch: ", COOKED, say("main"), types("main")),
        ("Password: ", HIDDEN, say("p w"), submit([text("p w"), enter.clone()])),
        ("Password: ", HIDDEN, say(""), submit([enter])),
    ];
    for (shown, tty, response, step) in table {
        assert_eq!(Generic.answer(&sighting(shown, tty), &response), Ok(step), "{shown:?} {tty:?}");
    }
}

#[test]
fn a_response_that_does_not_fit_is_refused() {
    let table = [
        ("Go on? [y/N] ", choose("Maybe"), Refusal::UnknownOption("Maybe".to_owned())),
        ("Go on? [y/N] ", choose("(typed)"), Refusal::UnknownOption("(typed)".to_owned())),
        ("Go on? [y/N] ", nothing(), Refusal::NothingChosen),
        ("Go on? [y/N] ", say("y; rm x"), Refusal::NoTextTaken),
        ("Your name: ", nothing(), Refusal::TextMissing),
        ("Your name: ", say("a\nb"), Refusal::OneLineOnly),
        ("Your name: ", say("a\u{3}"), Refusal::ControlCharacters),
        ("Password: ", say("a\u{1b}"), Refusal::ControlCharacters),
        ("Password: ", nothing(), Refusal::TextMissing),
    ];
    for (shown, response, refusal) in table {
        assert_eq!(Generic.answer(&sighting(shown, COOKED), &response), Err(refusal), "{shown:?}");
    }
}

#[test]
fn an_equal_question_that_follows_is_told_from_the_answered_one_however_often_it_comes() {
    let asked =
        |times: usize| Look::at(&screen(&("Go on? [y/N] y\n".repeat(times) + "Go on? [y/N] "), COOKED), &Generic);
    for times in 0..20 {
        let (before, after) = (asked(times), asked(times + 1));
        let fingerprint = |look: &Look| look.reading.sighting().map(Sighting::fingerprint);
        assert_eq!(fingerprint(&before), fingerprint(&after));
        assert_ne!(before.context, after.context, "after {times} answers");
    }
    // The letter on its way does not make it another.
    let typed = Look::at(&screen("Go on? [y/N] y\nGo on? [y/N] y", COOKED), &Generic);
    assert_eq!(typed.context, asked(1).context);
}

#[test]
fn a_secret_is_never_in_the_sighting() {
    for (shown, tty) in [("Password: hunter2", COOKED), ("PIN: 1234", RAW), ("Say it: hunter2", HIDDEN)] {
        let field = sighting(shown, tty).text.unwrap();
        assert!(field.secret, "{shown:?}");
        assert_eq!(field.value, "", "{shown:?}");
    }
}

#[test]
fn an_arrow_menu_is_walked_from_its_cursor() {
    let mut menu = sighting("? Which one?\n  Alpha\n❯ Beta\n  Gamma\n(Use arrow keys)", RAW);
    assert_eq!((menu.build, menu.selected), (keys::MENU, Some(1)));
    let answer = |menu: &Sighting| Generic.answer(menu, &choose("Gamma"));
    assert_eq!(answer(&menu), Ok(press(Keystroke::vertical(1), Expect::On("Gamma".into()))));
    menu.selected = Some(2);
    assert_eq!(answer(&menu), Ok(submit([Keystroke::ENTER])));
    menu.selected = None;
    assert_eq!(answer(&menu), Err(Refusal::NoCursor));
}

/// Follows the steps as a program would, until the answer is entered.
fn play(mut shown: Sighting, response: &PromptResponse) -> (Vec<bool>, usize) {
    for steps in 0..50 {
        match Generic.answer(&shown, response).unwrap() {
            Step::Press { expect: Expect::On(label), .. } => shown.selected = shown.find_option(&label),
            Step::Press { expect: Expect::Checked(row, state), .. } => {
                assert_eq!(shown.selected, Some(row), "toggled a row the cursor is not on");
                shown.options[row].checked = Some(state);
            }
            Step::Press { expect, .. } => panic!("{expect:?}"),
            Step::Type { text, .. } => panic!("{text:?}"),
            Step::Submit { keys } => {
                assert_eq!(keys, [Keystroke::ENTER]);
                return (shown.options.iter().map(|option| option.checked == Some(true)).collect(), steps);
            }
        }
    }
    panic!("never entered");
}

#[test]
fn boxes_are_brought_into_the_wanted_state_one_by_one() {
    let shown = sighting("? Which ones?\n❯◯ Cheese\n ◉ Ham\n ◯ Olives\n(Press space to select)", RAW);
    assert_eq!((shown.build, shown.multi_select), (keys::CHECKS, true));
    assert_eq!(play(shown.clone(), &check(&["Olives", "Cheese"])), (vec![true, false, true], 5));
    assert_eq!(play(shown.clone(), &check(&["Ham"])), (vec![false, true, false], 0));
    assert_eq!(play(shown.clone(), &check(&[])), (vec![false, false, false], 2));
    assert_eq!(Generic.answer(&shown, &nothing()), Err(Refusal::NothingChosen));
    assert_eq!(Generic.answer(&shown, &check(&["Ham", "Tofu"])), Err(Refusal::UnknownOption("Tofu".into())));
}

#[test]
fn a_radio_button_is_set_before_it_is_entered() {
    let mut shown = Sighting::new(shared_types::PromptKind::Question, shared_types::PromptSource::Pattern, keys::RADIO);
    shown.options = ["GNOME", "KDE"].map(SightedOption::new).into();
    shown.options[0].checked = Some(true);
    shown.options[1].checked = Some(false);
    shown.selected = Some(0);
    let (states, steps) = play(shown, &choose("KDE"));
    assert!(states[1] && steps == 2);
}

#[test]
fn buttons_are_reached_with_tab() {
    let mut shown =
        Sighting::new(shared_types::PromptKind::Permission, shared_types::PromptSource::Pattern, keys::BUTTONS);
    shown.options = ["Yes", "No"].map(SightedOption::new).into();
    shown.selected = Some(1);
    assert_eq!(Generic.answer(&shown, &choose("Yes")), Ok(press([Keystroke::TAB], Expect::Selected(0))));
    assert_eq!(Generic.answer(&shown, &choose("No")), Ok(submit([Keystroke::ENTER])));
}

#[test]
fn a_session_runs_the_command_as_it_was_given() {
    let request = |command: &[&str]| LaunchRequest {
        session_id: shared_types::SessionId(uuid::Uuid::nil()),
        folder: "/work".into(),
        program: "".into(),
        version: None,
        command: command.iter().map(|&part| part.to_owned()).collect(),
        mode: None,
        answerback: "answerback".into(),
        session_folder: "/run/session".into(),
        hook_command: None,
        cli_home: "/home/me/.cli".into(),
        resume: None,
        surroundings: crate::Surroundings::default(),
    };
    let plan = Generic.launch(&request(&["ssh", "-t", "box"])).unwrap();
    assert_eq!(plan.argv, ["ssh", "-t", "box"]);
    assert_eq!(Generic.launch(&request(&[])), Err(LaunchRefusal::NoCommand));
}
