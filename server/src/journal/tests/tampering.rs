//! Whatever is done to the rows, checking names the first that does not fit.

use super::*;
use crate::journal::{
    export::{Format, write_header, write_row},
    pin::{add_pin, pins_file, read_pins},
};

/// A chain of a few rows of different shape.
fn chain() -> Vec<Row> {
    let facts = [
        Fact::new(FactKind::DevicePaired, 5),
        fact(FactKind::PromptSeen),
        fact(FactKind::Answered),
        Fact::new(FactKind::Keys, 7).in_session(SessionId(Uuid::from_u128(3))),
        fact(FactKind::Verified).by(Actor::Desk),
    ];
    let mut head = Head::START;
    facts
        .into_iter()
        .map(|fact| {
            let row = Row::after(head, Entry::from(fact));
            head = row.head();
            row
        })
        .collect()
}

fn check(rows: &[Row], pins: &[Pin]) -> Verdict {
    verify(rows.iter().cloned().map(Ok), pins)
}

fn broken(seq: u64, problem: Problem) -> Verdict {
    Verdict::Broken(Broken { seq, problem })
}

fn pin(row: &Row) -> Pin {
    Pin { at: 9, head: row.head() }
}

#[test]
fn untouched_chain_fits() {
    let rows = chain();
    let head = rows.last().expect("a row").head();
    assert_eq!(check(&rows, &[]), Verdict::Fits(head));
    assert_eq!(check(&rows, &rows.iter().map(pin).collect::<Vec<_>>()), Verdict::Fits(head));
    assert_eq!(check(&[], &[]), Verdict::Fits(Head::START));
}

/// Every text that differs from this one by one byte that is still a text.
fn one_byte_off(text: &str) -> Vec<String> {
    let changed = |at: usize, flip: u8| {
        let mut bytes = text.as_bytes().to_vec();
        bytes[at] ^= flip;
        String::from_utf8(bytes).ok()
    };
    let flips = [1, 2, 4, 8, 16, 32, 64, 128];
    let mut texts: Vec<_> =
        (0..text.len()).flat_map(|at| flips.iter().filter_map(move |flip| changed(at, *flip))).collect();
    texts.extend((0..=text.len()).filter(|at| text.is_char_boundary(*at)).map(|at| {
        let mut longer = text.to_owned();
        longer.insert(at, ' ');
        longer
    }));
    texts
}

#[test]
fn any_changed_byte_of_any_row_is_found() {
    let rows = chain();
    for (index, row) in rows.iter().enumerate() {
        let seq = row.seq;
        let mut tampered: Vec<Row> = Vec::new();
        let mut with = |change: &dyn Fn(&mut Row)| {
            let mut row = row.clone();
            change(&mut row);
            tampered.push(row);
        };
        for bit in 0..64 {
            with(&|row| row.entry.at ^= 1 << bit);
        }
        for text in one_byte_off(&row.entry.body) {
            with(&|row| row.entry.body.clone_from(&text));
        }
        for text in one_byte_off(&row.entry.kind) {
            with(&|row| row.entry.kind.clone_from(&text));
        }
        let optional: [fn(&mut Row) -> &mut Option<String>; 3] =
            [|row| &mut row.entry.actor, |row| &mut row.entry.session, |row| &mut row.entry.prompt];
        for field in optional {
            let now = field(&mut row.clone()).clone();
            for text in one_byte_off(now.as_deref().unwrap_or_default()) {
                with(&|row| *field(row) = Some(text.clone()));
            }
            with(&|row| *field(row) = if now.is_some() { None } else { Some("null".to_owned()) });
        }
        for byte in 0..32 {
            with(&|row| row.hash.0[byte] ^= 1);
            with(&|row| row.prev.0[byte] ^= 1);
        }
        for row in tampered {
            let mut rows = rows.clone();
            let expected = if row.prev == rows[index].prev { Problem::Hash } else { Problem::Previous };
            // A missing actor and one that is written as `null` have the same line; the row is still not what was written.
            let same_line = row.entry.actor.as_deref() == Some("null") && rows[index].entry.actor.is_none();
            rows[index] = row.clone();
            if same_line {
                assert_eq!(check(&rows, &[]), broken(seq, Problem::Form), "{row:?}");
            } else {
                assert_eq!(check(&rows, &[]), broken(seq, expected), "{row:?}");
            }
        }
    }
}

#[test]
fn removed_swapped_and_inserted_rows_are_found() {
    let rows = chain();
    for index in 0..rows.len() - 1 {
        let due = rows[index].seq;
        let mut removed = rows.clone();
        removed.remove(index);
        assert_eq!(check(&removed, &[]), broken(due + 1, Problem::Number { due }));
        // The numbers are put right, and still it does not fit.
        for (number, row) in (1..).zip(&mut removed) {
            row.seq = number;
        }
        assert!(matches!(check(&removed, &[]), Verdict::Broken(Broken { seq, .. }) if seq == due));

        let mut swapped = rows.clone();
        swapped.swap(index, index + 1);
        assert_eq!(check(&swapped, &[]), broken(due + 1, Problem::Number { due }));

        let mut doubled = rows.clone();
        doubled.insert(index, rows[index].clone());
        assert_eq!(check(&doubled, &[]), broken(due, Problem::Number { due: due + 1 }));
    }
}

#[test]
fn cut_tail_is_found_by_the_pin() {
    let rows = chain();
    let last = rows.last().expect("a row");
    for kept in 0..rows.len() {
        let cut = &rows[..kept];
        let head = cut.last().map_or(Head::START, Row::head);
        assert_eq!(check(cut, &[]), Verdict::Fits(head), "without a pin nobody can know");
        assert_eq!(check(cut, &[pin(&rows[0]), pin(last)]), Verdict::TailMissing { head, pinned: last.seq });
    }
}

#[test]
fn rewritten_chain_is_found_by_the_pin() {
    let rows = chain();
    let mut head = rows[1].head();
    let mut rewritten = rows[..2].to_vec();
    for row in &rows[2..] {
        let row = Row::after(head, Entry { at: 1, ..row.entry.clone() });
        head = row.head();
        rewritten.push(row);
    }
    assert_eq!(check(&rewritten, &[]), Verdict::Fits(head));
    assert_eq!(check(&rewritten, &[pin(&rows[3])]), broken(4, Problem::Pinned));
}

#[test]
fn row_that_cannot_be_read_is_named() {
    let unreadable = UnreadableRow { seq: 2, reason: "why".to_owned() };
    let rows = [Ok(chain().remove(0)), Err(unreadable)];
    assert_eq!(verify(rows, &[]), broken(2, Problem::Unreadable("why".to_owned())));
}

#[test]
fn pins_are_kept_in_a_file_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(read_pins(folder.path()).expect("none yet"), []);
    let pins: Vec<Pin> = chain().iter().map(pin).collect();
    for pin in &pins {
        add_pin(folder.path(), *pin).expect("written");
    }
    assert_eq!(read_pins(folder.path()).expect("pins"), pins);
    std::fs::write(pins_file(folder.path()), "{}\n").expect("written");
    assert!(read_pins(folder.path()).is_err(), "a line that is no pin is told");
}

#[test]
fn export_has_a_line_for_each_row() {
    let rows = chain();
    let export = |format| {
        let mut out = Vec::new();
        write_header(&mut out, format).expect("written");
        for row in &rows {
            write_row(&mut out, format, row).expect("written");
        }
        String::from_utf8(out).expect("text")
    };
    let lines: Vec<_> = rows.iter().map(Row::to_json_line).collect();
    assert_eq!(export(Format::Json).lines().collect::<Vec<_>>(), lines);
    let csv = export(Format::Csv);
    let first = format!("1,5,,,,device-paired,{{}},{},{}", rows[0].prev, rows[0].hash);
    assert_eq!(csv.split("\r\n").nth(1), Some(first.as_str()));
    let quoted = "\"{\"\"deviceId\"\":\"\"00000000-0000-0000-0000-000000000007\"\",\"\"name\"\":\"\"Anna's";
    assert!(csv.split("\r\n").nth(2).is_some_and(|line| line.contains(quoted)), "{csv}");
}

/// The chain without its first rows, and with a checkpoint at its end that says so.
fn dropped(count: usize) -> Vec<Row> {
    let mut rows = chain();
    let last = rows[count - 1].head();
    let head = rows.last().expect("a row").head();
    rows.push(Row::after(head, Entry::from(Fact::checkpoint(last, 9))));
    rows.split_off(count)
}

#[test]
fn dropped_beginning_fits_only_with_its_checkpoint() {
    for count in 1..5 {
        let rows = dropped(count);
        let (first, head) = (rows[0].seq, rows.last().expect("a row").head());
        let all = chain();
        assert_eq!(check(&rows, &[pin(&all[0]), pin(&all[count - 1])]), Verdict::Fits(head));
        let without = &rows[..rows.len() - 1];
        assert_eq!(
            check(without, &[]),
            broken(first, Problem::Number { due: 1 }),
            "nothing says that rows were dropped"
        );
        // One row more is missing than the checkpoint says.
        let more = &rows[1..];
        assert_eq!(check(more, &[]), broken(first + 1, Problem::Number { due: 1 }));
        let mut other = pin(&all[count - 1]);
        other.head.hash.0[0] ^= 1;
        assert_eq!(check(&rows, &[other]), broken(first, Problem::Previous), "another row was pinned there");
        let mut tampered = rows.clone();
        tampered[0].prev.0[0] ^= 1;
        assert_eq!(check(&tampered, &[]), broken(first, Problem::Hash));
    }
}
