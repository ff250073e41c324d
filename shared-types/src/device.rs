//! Paired devices, and the two small HTTP exchanges that pair one.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use crate::Millis;

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
}

/// `POST /api/pair`: a device asks to be paired. The reply sets its cookie.
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
}

/// `GET /api/me`: whether this browser is paired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "device.ts")]
pub struct WhoAmI {
    /// The device, or nothing when it is not paired.
    pub device: Option<Device>,
    /// The server's version.
    pub server_version: String,
}
