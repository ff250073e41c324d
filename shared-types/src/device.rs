//! Paired devices, and the two small HTTP exchanges that pair one.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use crate::{Actor, Millis, SessionId};

/// Names a paired device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[ts(export_to = "device.ts")]
pub struct DeviceId(pub Uuid);

/// A paired device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "device.ts")]
pub struct Device {
    /// Its id.
    pub id: DeviceId,
    /// Its name, for people.
    pub name: String,
    /// When it was paired.
    pub paired_at: Millis,
    /// When it last spoke.
    pub last_seen_at: Millis,
}

/// Names an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[ts(export_to = "device.ts")]
pub struct AlertId(pub Uuid);

/// Something that the owner should have done, and nobody else: every page is told and shows it until it is dismissed there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "device.ts")]
pub struct Alert {
    /// Its id.
    pub id: AlertId,
    /// When it happened.
    pub at: Millis,
    /// What happened.
    pub what: AlertKind,
}

/// What an alert is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "device.ts")]
pub enum AlertKind {
    /// A device was paired: it can do everything from now on, until it is revoked.
    Paired {
        /// The device.
        device: Device,
    },
    /// A device was revoked.
    Revoked {
        /// The device.
        device: Device,
        /// By whom.
        by: Actor,
    },
    /// A Telegram chat was paired: it is told of questions and can answer some, until it is removed.
    ChatPaired {
        /// Telegram's id of it.
        chat: String,
        /// Its name, for people.
        name: String,
    },
    /// A session was started on the machine itself, by a command and not from a paired device.
    StartedHere {
        /// The session.
        session_id: SessionId,
        /// Its name.
        name: String,
        /// Its folder.
        folder: String,
    },
    /// Rules were made or changed on the machine itself, and not from a paired device.
    RulesChanged {
        /// What, in words.
        what: String,
    },
    /// A file with rules has mistakes: the last good one holds.
    RulesUnreadable {
        /// Which file.
        file: String,
        /// What is wrong in it, line by line.
        mistakes: Vec<String>,
    },
}

/// An offer to pair one device, once, for a few minutes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "device.ts")]
pub struct PairingOffer {
    /// The one-use code.
    pub code: String,
    /// Addresses that lead to the page, best first, each with the code in its fragment, which no server and no log ever sees.
    pub urls: Vec<String>,
    /// When the code ends.
    pub expires_at: Millis,
    /// SHA-256 of the certificate that these addresses show, to be compared with what the browser warns of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fingerprint: Option<String>,
}

/// `POST /api/pair`: a device asks to be paired. The reply sets its cookie and gives it its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "device.ts")]
pub struct PairRequest {
    /// The one-use code.
    pub code: String,
    /// What the device calls itself.
    pub name: String,
}

/// The answer to a [`PairRequest`] that succeeded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "device.ts")]
pub struct PairReply {
    /// The device as it is now known.
    pub device: Device,
    /// The second half of its credential, said this once: the page keeps it in its own storage and proves it from now on.
    pub key: String,
}

/// What a request to `/api/me` has shown of a device's credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "device.ts")]
pub enum Standing {
    /// No cookie of a paired device.
    NotPaired,
    /// The cookie of a device that was paired before devices had keys: it has to be paired once more.
    PairAgain,
    /// A device's cookie, without the proof of its key: opens nothing.
    CookieOnly,
    /// Both halves.
    Paired,
}

/// `GET /api/me`: what this browser has shown. Strangers are told nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "device.ts")]
pub struct WhoAmI {
    /// What was shown.
    pub standing: Standing,
    /// The device, when both halves of its credential were.
    pub device: Option<Device>,
    /// The server's version, for a paired device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub server_version: Option<String>,
}
