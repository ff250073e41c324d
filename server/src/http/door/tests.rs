use std::net::IpAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};

use super::*;

fn source(last: u8) -> Source {
    IpAddr::from([192, 0, 2, last]).into()
}

fn come_in(door: &Door, from: Source, stay: Duration) -> (Watched<DuplexStream>, DuplexStream, Visitor) {
    let (near, far) = duplex(STRANGERS_BYTES);
    let (visitor, out) = door.enter(from);
    (Watched::new(near, visitor.clone(), out, stay), far, visitor)
}

/// Sends this much and lets the door read it.
async fn send((near, far, _): &mut (Watched<DuplexStream>, DuplexStream, Visitor), bytes: usize) -> io::Result<usize> {
    far.write_all(&vec![b'x'; bytes]).await.expect("sent");
    let mut into = vec![0; bytes];
    near.read_exact(&mut into).await
}

#[tokio::test]
async fn a_stranger_has_to_go_after_a_while_and_a_device_stays() {
    let door = Door::default();
    let (mut stranger, _far, _) = come_in(&door, source(1), Duration::ZERO);
    let (mut device, mut phone, visitor) = come_in(&door, source(1), Duration::ZERO);
    visitor.is_known();
    let refused = stranger.read_u8().await.expect_err("it has to go");
    assert_eq!(refused.kind(), io::ErrorKind::TimedOut);
    assert_eq!(stranger.write_u8(1).await.expect_err("nor does it get anything").kind(), io::ErrorKind::TimedOut);
    phone.write_u8(7).await.expect("the phone speaks");
    assert_eq!(device.read_u8().await.expect("and is heard"), 7);
}

/// A thousand times more than a phone whose first request takes a while to arrive would outlast if the oldest of all had to go.
#[tokio::test]
async fn a_crowd_pushes_out_its_own_and_not_a_slow_phone() {
    let door = Door::default();
    let mut phone = come_in(&door, source(1), STAY);
    let (mut first, _far, _) = come_in(&door, source(2), STAY);
    let waiting = tokio::spawn(async move { first.read_u8().await });
    let mut crowd = std::collections::VecDeque::new();
    for _ in 0..3 * STRANGERS {
        crowd.push_back(come_in(&door, source(2), STAY));
        // Those that were shown out hang up.
        if crowd.len() > STRANGERS {
            crowd.pop_front();
        }
    }
    assert!(waiting.await.expect("no panic").is_err(), "the oldest of the crowd is shown out");
    send(&mut phone, 1).await.expect("the phone is heard");
    send(crowd.back_mut().expect("a last one"), 1).await.expect("and so is who came last");
    assert_eq!(door.strangers().waiting.len(), STRANGERS);
    drop((crowd, phone));
    let strangers = door.strangers();
    assert!(strangers.waiting.is_empty() && strangers.connections.is_empty(), "who leaves is forgotten");
}

#[tokio::test]
async fn a_stranger_that_sends_too_much_is_shown_out() {
    let door = Door::default();
    let mut stranger = come_in(&door, source(1), STAY);
    send(&mut stranger, STRANGER_BYTES).await.expect("so much may be asked");
    stranger.0.write_u8(1).await.expect("and is answered");
    send(&mut stranger, STRANGER_BYTES).await.expect("again");
    send(&mut stranger, 1).await.expect("the last that is read");
    assert!(send(&mut stranger, 1).await.is_err(), "then it has to go");
    assert_eq!(door.strangers().bytes, 0);
}

#[tokio::test]
async fn all_strangers_together_hold_a_bounded_number_of_bytes() {
    let door = Door::default();
    let mut phone = come_in(&door, source(1), STAY);
    send(&mut phone, 1000).await.expect("the phone is heard");
    let mut crowd = Vec::new();
    for _ in 0..2 * STRANGERS_BYTES / STRANGER_BYTES {
        let mut one = come_in(&door, source(2), STAY);
        let _ = send(&mut one, STRANGER_BYTES).await;
        assert!(door.strangers().bytes <= STRANGERS_BYTES);
        crowd.push(one);
    }
    assert!(door.strangers().waiting.len() < crowd.len(), "some had to go");
    send(&mut phone, 1000).await.expect("and not the phone");
}
