//! The list of all panes, as `list-panes -a` gives it: one [`Row`] for each session that shows a pane.
//!
//! Fields that we set or that are numbers come first; the title, which the program in the pane chooses, comes last.

use std::collections::HashMap;

use shared_types::SessionId;
use uuid::Uuid;

use super::script::Script;

/// The option of a pane that holds the session's id.
pub(super) const SESSION_OPTION: &str = "@answerback_session";
/// The option of a pane that holds the size it has while nobody is attached.
pub(super) const SIZE_OPTION: &str = "@answerback_size";

const FORMAT: &str = "#{pane_id} #{window_id} #{session_id} #{session_attached} #{@answerback_session} \
    #{@answerback_size} #{pane_width} #{pane_height} #{pane_dead} #{pane_dead_status}#{pane_dead_signal} #{cursor_x} \
    #{cursor_y} #{alternate_on} #{history_size} #{pane_title}";

/// One pane, as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    /// The pane's number.
    pub(super) pane: u32,
    /// Its window's number.
    pub(super) window: u32,
    /// The session that was started in it.
    pub(super) session: Option<SessionId>,
    /// The size it has while nobody is attached.
    pub(super) wanted: Option<(u16, u16)>,
    /// The size it has now.
    pub(super) size: (u16, u16),
    /// Whether somebody at the desk sees it.
    pub(super) attached: bool,
    /// Whether the hub has its window, so that its output is seen.
    pub(super) in_hub: bool,
    /// The program has ended, but tmux has not noticed how.
    pub(super) status_missing: bool,
    /// Everything that may change, in one line.
    pub(super) summary: String,
}

/// Asks for the list.
pub(super) fn script() -> Script {
    Script::of(&["list-panes", "-a", "-F", FORMAT])
}

/// Reads the list; each pane comes once. `hub` is the id of the hub's session, such as `$0`.
pub(super) fn read(body: &[u8], hub: &str) -> Vec<Row> {
    let text = String::from_utf8_lossy(body);
    let shown: Vec<Shown<'_>> = text.lines().filter_map(Shown::read).collect();
    // The control client itself is the one that is always attached to the hub.
    let hub_watched = shown.iter().any(|shown| shown.session_id == hub && shown.attached > 1);
    let mut rows: Vec<Row> = Vec::new();
    let mut places: HashMap<u32, usize> = HashMap::new();
    for shown in shown {
        let in_hub = shown.session_id == hub;
        let attached = if in_hub { hub_watched } else { shown.attached > 0 };
        let place = *places.entry(shown.row.pane).or_insert_with(|| {
            rows.push(shown.row);
            rows.len() - 1
        });
        rows[place].in_hub |= in_hub;
        rows[place].attached |= attached;
    }
    rows
}

/// One line of the list: a pane in one of the sessions that show it.
struct Shown<'a> {
    session_id: &'a str,
    attached: u32,
    row: Row,
}

impl<'a> Shown<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let mut fields = line.splitn(7, ' ');
        let mut next = || fields.next();
        let pane = next()?.strip_prefix('%')?.parse().ok()?;
        let window = next()?.strip_prefix('@')?.parse().ok()?;
        let session_id = next()?;
        let attached = next()?.parse().ok()?;
        let session = Uuid::parse_str(next()?).ok().map(SessionId);
        let wanted = read_size(next()?);
        let summary = next()?;
        let mut facts = summary.splitn(5, ' ');
        let size = (facts.next()?.parse().ok()?, facts.next()?.parse().ok()?);
        let status_missing = facts.next()? == "1" && facts.next()?.is_empty();
        let summary = summary.to_owned();
        let row = Row { pane, window, session, wanted, size, attached: false, in_hub: false, status_missing, summary };
        Some(Self { session_id, attached, row })
    }
}

impl Row {
    /// The size to put the pane's window back to, when nobody looks at it and it is too small.
    pub(super) fn restore(&self) -> Option<(u16, u16)> {
        let (cols, rows) = self.wanted?;
        let too_small = self.size.0 < cols || self.size.1 < rows;
        (too_small && !self.attached).then_some((cols, rows))
    }
}

/// Writes a size for [`SIZE_OPTION`].
pub(super) fn write_size(cols: u16, rows: u16) -> String {
    format!("{cols}x{rows}")
}

fn read_size(text: &str) -> Option<(u16, u16)> {
    let (cols, rows) = text.split_once('x')?;
    Some((cols.parse().ok()?, rows.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_are_listed_once_with_what_matters() {
        let id = Uuid::from_u128(7);
        let list = format!(
            "%1 @1 $1 0 {id} 120x40 60 19 0  3 4 0 10 a title %end 1 1 1\n%0 @0 $0 1   120 40 1 0 0 0 0 0 \n\
             %1 @1 $0 1 {id} 120x40 60 19 0  3 4 0 10 a title %end 1 1 1\nnonsense\n%2 @2 $2 1 {id} 120x40 60 19 1  0 0 0 0 x\n"
        );
        let rows = read(list.as_bytes(), "$0");
        assert_eq!(rows.iter().map(|row| row.pane).collect::<Vec<_>>(), [1, 0, 2]);
        assert_eq!(
            rows[0],
            Row {
                pane: 1,
                window: 1,
                session: Some(SessionId(id)),
                wanted: Some((120, 40)),
                size: (60, 19),
                attached: false,
                in_hub: true,
                status_missing: false,
                summary: "60 19 0  3 4 0 10 a title %end 1 1 1".into(),
            }
        );
        assert_eq!(rows[0].restore(), Some((120, 40)));
        assert_eq!((rows[1].session, rows[1].wanted, rows[1].status_missing), (None, None, false));
        assert_eq!((rows[2].in_hub, rows[2].status_missing, rows[2].restore()), (false, true, None));
    }
}
