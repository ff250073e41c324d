use proptest::prelude::*;

use super::*;

/// An event without its borrow, so that events can be collected.
#[derive(Debug, PartialEq, Eq)]
enum Owned {
    Event(Event<'static>),
    Output(u32, Vec<u8>),
}

fn read_pieces(pieces: &[&[u8]]) -> Vec<Owned> {
    let mut parser = Parser::default();
    let mut events = Vec::new();
    for piece in pieces {
        let mut input = *piece;
        while let Some(event) = parser.next(&mut input) {
            events.push(match event {
                Event::Output { pane, data } => Owned::Output(pane, data.to_vec()),
                Event::Begin { ours } => Owned::Event(Event::Begin { ours }),
                Event::End(block) => Owned::Event(Event::End(block)),
                Event::Paused(pane) => Owned::Event(Event::Paused(pane)),
                Event::PaneChanged(pane) => Owned::Event(Event::PaneChanged(pane)),
                Event::WindowChanged(window) => Owned::Event(Event::WindowChanged(window)),
                Event::Rearranged => Owned::Event(Event::Rearranged),
                Event::Exit => Owned::Event(Event::Exit),
            });
        }
    }
    events
}

fn block(body: &str) -> Owned {
    Owned::Event(Event::End(Block { ours: true, failed: false, cut: false, body: body.into() }))
}

#[test]
fn notifications_are_told_apart() {
    let input = b"%session-changed $0 hub\n%output %1 a\\033[0m b\n%extended-output %22 15 : x : y\n%pause %3\n\
        %continue %3\n%subscription-changed ended $0 @1 1 %7 : 1\n%layout-change @4 aafe,120x40,0,0,1 x *\n\
        %unlinked-window-close @1\n%some-future-thing %1 @2\nplain text of a hook\n%output %nonsense x\n%output\n%exit\n";
    let expected = vec![
        Owned::Output(1, b"a\\033[0m b".to_vec()),
        Owned::Output(22, b"x : y".to_vec()),
        Owned::Event(Event::Paused(3)),
        Owned::Event(Event::PaneChanged(7)),
        Owned::Event(Event::WindowChanged(4)),
        Owned::Event(Event::Rearranged),
        Owned::Event(Event::Exit),
    ];
    assert_eq!(read_pieces(&[input]), expected);
}

#[test]
fn a_block_ends_only_with_its_own_numbers() {
    let input = b"%begin 10 20 1\n%end 1 1 1\n%exit\n%output %1 x\n%begin 10 20 1\n\n%end 10 21 1\n%error 10 20 0\n%end 10 20 1\n";
    let body = "%end 1 1 1\n%exit\n%output %1 x\n%begin 10 20 1\n\n%end 10 21 1\n%error 10 20 0";
    assert_eq!(read_pieces(&[input]), vec![Owned::Event(Event::Begin { ours: true }), block(body)]);
}

#[test]
fn an_error_and_a_block_of_tmux_itself() {
    let input = b"%begin 1 2 0\n%end 1 2 0\n%begin 1 3 1\ncan't find pane: %9\n%error 1 3 1\n";
    let expected = vec![
        Owned::Event(Event::Begin { ours: false }),
        Owned::Event(Event::End(Block::default())),
        Owned::Event(Event::Begin { ours: true }),
        Owned::Event(Event::End(Block { ours: true, failed: true, cut: false, body: b"can't find pane: %9".to_vec() })),
    ];
    assert_eq!(read_pieces(&[input]), expected);
}

#[test]
fn held_lines_are_text_even_when_they_guess_the_numbers() {
    let mut parser = Parser::default();
    let mut input = b"%begin 1 2 1\n%end 1 2 1\n%end 1 2 1\n%end 1 2 1\n".as_slice();
    assert_eq!(parser.next(&mut input), Some(Event::Begin { ours: true }));
    parser.hold(2);
    let body = b"%end 1 2 1\n%end 1 2 1".to_vec();
    assert_eq!(parser.next(&mut input), Some(Event::End(Block { ours: true, failed: false, cut: false, body })));
    assert_eq!(parser.next(&mut input), None);
}

#[test]
fn long_lines_and_blocks_are_cut_and_reading_goes_on() {
    let mut input = b"%output %1 ".to_vec();
    input.resize(3 * MAX_LINE, b'x');
    input.extend_from_slice(b"\n%begin 1 2 1\n");
    for _ in 0..(MAX_BLOCK / MAX_LINE + 3) {
        input.resize(input.len() + MAX_LINE - 1, b'y');
        input.push(b'\n');
    }
    input.extend_from_slice(b"%end 1 2 1\n%exit\n");
    let events = read_pieces(&[&input]);
    assert_eq!(events.len(), 4);
    assert!(matches!(&events[0], Owned::Output(1, data) if data.len() < MAX_LINE));
    assert!(matches!(&events[2], Owned::Event(Event::End(block)) if block.cut && block.body.len() <= MAX_BLOCK));
    assert_eq!(events[3], Owned::Event(Event::Exit));
}

proptest! {
    #[test]
    fn any_bytes_in_any_pieces_read_the_same(
        lines in prop::collection::vec(prop_oneof![
            prop::collection::vec(any::<u8>(), 0..40),
            Just(b"%begin 1 2 1".to_vec()),
            Just(b"%end 1 2 1".to_vec()),
            Just(b"%error 1 2 1".to_vec()),
            Just(b"%output %5 hello".to_vec()),
            Just(b"%extended-output %5 1 : hello".to_vec()),
            Just(b"%layout-change @5 x".to_vec()),
            Just(b"%exit".to_vec()),
        ], 0..30),
        cut in 1usize..20,
    ) {
        let bytes = lines.join(&b'\n');
        let pieces: Vec<&[u8]> = bytes.chunks(cut).collect();
        prop_assert_eq!(read_pieces(&pieces), read_pieces(&[&bytes]));
    }

    #[test]
    fn whatever_a_pane_shows_comes_back_whole(
        rows in prop::collection::vec(prop_oneof![
            prop::collection::vec(any::<u8>().prop_filter("not a line feed", |byte| *byte != b'\n'), 0..30),
            Just(b"%end 7 8 1".to_vec()),
            Just(b"%error 7 8 1".to_vec()),
            Just(b"%begin 7 8 1".to_vec()),
            Just(b"%exit".to_vec()),
        ], 1..40),
        cut in 1usize..50,
    ) {
        let body = rows.join(&b'\n');
        let bytes = [b"%begin 7 8 1\n".as_slice(), &body, b"\n%end 7 8 1\n"].concat();
        let mut parser = Parser::default();
        let mut ended = Vec::new();
        for mut piece in bytes.chunks(cut) {
            while let Some(event) = parser.next(&mut piece) {
                match event {
                    Event::Begin { .. } => parser.hold(rows.len()),
                    Event::End(block) => ended.push(block),
                    other => prop_assert!(false, "unexpected {:?}", other),
                }
            }
        }
        prop_assert_eq!(ended, vec![Block { ours: true, failed: false, cut: false, body }]);
    }
}

/// Inputs that once broke a parser, or were written to.
#[test]
fn crashers_stay_harmless() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/crashers/control");
    for entry in std::fs::read_dir(folder).expect("crashers") {
        let bytes = std::fs::read(entry.expect("a file").path()).expect("a file");
        let pieces: Vec<&[u8]> = bytes.chunks(3).collect();
        assert_eq!(read_pieces(&pieces), read_pieces(&[&bytes]));
    }
}
