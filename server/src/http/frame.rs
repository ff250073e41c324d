//! Messages as text frames: the only place where what goes to the phones becomes JSON.

use axum::{body::Bytes, extract::ws::Utf8Bytes};
use serde::Serialize;
use shared_types::{SequencedEvent, ServerMessage};

use crate::bus::{CatchUp, Published};

/// A message as a frame.
pub(super) fn encode(message: &ServerMessage) -> Utf8Bytes {
    to_json(message).into()
}

/// An event as a frame, encoded once however many phones there are.
pub(super) fn encode_event(published: &Published) -> Utf8Bytes {
    let frame = published.frame(|event| Bytes::from(to_json(&EventFrame::Event(event))));
    // It was a string a line ago.
    Utf8Bytes::try_from(frame).unwrap_or_default()
}

/// What brings a page up to date, as frames.
pub(super) fn encode_catch_up(catch_up: CatchUp) -> Vec<Utf8Bytes> {
    match catch_up {
        CatchUp::Missed(events) => events.iter().map(|published| encode_event(published)).collect(),
        CatchUp::Snapshot { seq, snapshot } => vec![encode(&ServerMessage::Snapshot { seq, snapshot })],
    }
}

/// [`ServerMessage::Event`] without taking the event.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
enum EventFrame<'a> {
    Event(&'a SequencedEvent),
}

fn to_json(message: &impl Serialize) -> String {
    // The wire types hold no map with keys that are not strings, the one thing that could fail here.
    serde_json::to_string(message).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use shared_types::{Event, SessionId};

    use super::*;
    use crate::bus::Bus;

    #[test]
    fn event_frame_is_the_message_of_the_protocol() {
        let bus = Bus::new(Vec::new());
        let mut events = bus.listen();
        bus.publish(Event::SessionForgotten { session_id: SessionId(uuid::Uuid::nil()) });
        let published = events.try_recv().expect("an event");
        let frame = encode_event(&published);
        assert_eq!(frame, encode(&ServerMessage::Event(SequencedEvent::clone(&published))));
        let missed = encode_catch_up(bus.subscribe(Some((bus.epoch(), 0))).0);
        assert_eq!(missed, [frame]);
    }
}
