use uuid::Uuid;

use super::*;
use crate::pane::PaneProcess;

const SERVER: u32 = 50;
const PANE: u32 = 60;
const OTHER_PANE: u32 = 70;
const TTY: u64 = 34_819;

fn session(number: u128) -> SessionId {
    SessionId(Uuid::from_u128(number))
}

fn panes() -> PaneProcesses {
    let pane = |number, pid, tty| PaneProcess { session: session(number), pid, tty: Some(tty) };
    PaneProcesses { servers: vec![SERVER], panes: vec![pane(1, PANE, TTY), pane(2, OTHER_PANE, TTY + 1)] }
}

fn process(ancestry: &[u32]) -> Standing {
    Standing {
        pid: ancestry[0],
        ancestry: ancestry.to_vec(),
        tty: None,
        namespaces: Namespaces(["mnt", "user", "pid", "net"].map(str::to_owned)),
        no_new_privs: false,
        seccomp_filters: 0,
    }
}

fn us() -> Standing {
    process(&[40, 1])
}

/// Each way to be more confined than we are.
fn confined(from: &Standing) -> Vec<Standing> {
    let mut all =
        vec![Standing { no_new_privs: true, ..from.clone() }, Standing { seccomp_filters: 1, ..from.clone() }];
    for index in 0..4 {
        let mut namespaces = from.namespaces.clone();
        namespaces.0[index] = "another".to_owned();
        all.push(Standing { namespaces, ..from.clone() });
    }
    all
}

#[test]
fn commands_of_the_person_are_heard() {
    let shell = process(&[90, 80, 1]);
    assert_eq!(judge_command(&shell, &us(), &panes()), Ok(()));
    // Under a desk terminal of their own, and started by the same service manager as we were.
    let in_terminal = Standing { tty: Some(TTY + 7), ..process(&[91, 80, 1]) };
    assert_eq!(judge_command(&in_terminal, &us(), &panes()), Ok(()));
    assert_eq!(judge_command(&shell, &us(), &PaneProcesses::default()), Ok(()), "no panes");
}

#[test]
fn our_own_process_is_heard_wherever_it_runs() {
    let us = process(&[40, PANE, SERVER, 1]);
    assert_eq!(judge_command(&us, &us, &panes()), Ok(()));
}

#[test]
fn programs_of_panes_are_not_heard_as_commands() {
    for program in [
        process(&[90, 80, PANE, SERVER, 1]),
        // Gone into the background: handed to the first process of the pane.
        process(&[90, PANE, SERVER, 1]),
        // Whose pane has ended: handed to nobody of ours, but still on the terminal.
        Standing { tty: Some(TTY), ..process(&[90, 1]) },
        // A window that somebody opened at the desk.
        process(&[90, 65, SERVER, 1]),
    ] {
        assert_eq!(judge_command(&program, &us(), &panes()), Err(Refusal::InPane), "{program:?}");
    }
}

#[test]
fn confined_programs_are_not_heard() {
    for program in confined(&process(&[90, 80, 1])) {
        assert_eq!(judge_command(&program, &us(), &panes()), Err(Refusal::Confined), "{program:?}");
    }
    for hook in confined(&process(&[90, PANE, SERVER, 1])) {
        assert_eq!(judge_hook(&hook, &us(), &panes(), session(1)), Err(Refusal::Confined), "{hook:?}");
    }
}

#[test]
fn a_server_in_a_container_hears_its_like() {
    let us = Standing { no_new_privs: true, seccomp_filters: 1, ..us() };
    let like = Standing { no_new_privs: true, seccomp_filters: 1, ..process(&[90, 80, 1]) };
    assert_eq!(judge_command(&like, &us, &panes()), Ok(()));
    let more = Standing { seccomp_filters: 2, ..like };
    assert_eq!(judge_command(&more, &us, &panes()), Err(Refusal::Confined));
}

#[test]
fn hooks_speak_for_their_own_session_alone() {
    let hook = process(&[90, 80, PANE, SERVER, 1]);
    assert_eq!(judge_hook(&hook, &us(), &panes(), session(1)), Ok(()));
    assert_eq!(judge_hook(&hook, &us(), &panes(), session(2)), Err(Refusal::NotOfSession));
    assert_eq!(judge_hook(&hook, &us(), &panes(), session(3)), Err(Refusal::NotOfSession));
    assert_eq!(judge_hook(&process(&[90, 80, 1]), &us(), &panes(), session(1)), Err(Refusal::NotOfSession));
    let on_its_terminal = Standing { tty: Some(TTY), ..process(&[90, 1]) };
    assert_eq!(judge_hook(&on_its_terminal, &us(), &panes(), session(1)), Ok(()));
    // A terminal that is not known is nobody's.
    let unknown = PaneProcesses { panes: vec![PaneProcess { session: session(1), pid: 61, tty: None }], ..panes() };
    assert_eq!(judge_hook(&hook, &us(), &unknown, session(1)), Err(Refusal::NotOfSession));
}
