//! Who may talk to us: paired devices, each with a credential of its own that can be revoked.
//!
//! A credential has two halves of 256 random bits. Browsers send the cookie to every port of the host, so it alone opens nothing;
//! the key stays in the storage of the page's own origin and is only ever proved ([`shared_types::socket_proof`]). Of the cookie
//! only the SHA-256 is kept. The key is kept as it is, because checking a proof needs it: a stolen database still opens nothing,
//! for want of the cookie. Pairing codes live in memory, once and for a few minutes ([`offers`]).

mod offers;
mod source;

use std::{
    collections::HashMap,
    fmt::Write as _,
    sync::{Mutex, MutexGuard, PoisonError, RwLock},
    time::{Duration, Instant},
};

use serde_json::json;
use sha2::{Digest as _, Sha256};
use shared_types::{Actor, Device, DeviceId, ErrorCode, Millis, WireError};
use tokio::sync::broadcast;
use uuid::Uuid;

use self::offers::{Offers, Redeemed};
pub use self::source::Source;
use crate::{
    clock::now_millis,
    journal::{Fact, FactKind},
    sessions::refuse::{from_store, refuse},
    store::{Store, StoreError, StoredDevice},
};

/// How exactly "last seen" is kept.
const SEEN_PACE: Millis = 60_000;
/// The longest device name, in characters.
const NAME_LIMIT: usize = 60;

type TokenHash = [u8; 32];

/// The paired devices and the open pairing codes.
pub struct Access {
    store: Store,
    devices: RwLock<HashMap<TokenHash, Paired>>,
    offers: Mutex<Offers>,
    revoked: broadcast::Sender<DeviceId>,
    cookie: String,
}

/// A device with the key that it has to prove; none for one that was paired before there were keys, and has to be again.
#[derive(Clone)]
pub struct Paired {
    /// The device.
    pub device: Device,
    /// Its key.
    pub key: Option<String>,
}

impl Access {
    /// Loads the paired devices.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn load(store: Store) -> Result<Self, StoreError> {
        let devices = store.devices().await?.into_iter();
        let devices =
            devices.map(|StoredDevice { device, token_hash, key }| (token_hash, Paired { device, key })).collect();
        // Browsers share cookies between ports: a name of its own keeps two installations on one machine apart.
        let instance = store.setting_or("instance", Uuid::new_v4().simple().to_string()).await?;
        let cookie = format!("answerback-{}", instance.get(..8).unwrap_or("0"));
        Ok(Self {
            store,
            devices: RwLock::new(devices),
            offers: Mutex::new(Offers::default()),
            revoked: broadcast::Sender::new(16),
            cookie,
        })
    }

    /// The name of our cookie.
    #[must_use]
    pub fn cookie_name(&self) -> &str {
        &self.cookie
    }

    /// Tells which device has just been revoked, so that its sockets close.
    #[must_use]
    pub fn revocations(&self) -> broadcast::Receiver<DeviceId> {
        self.revoked.subscribe()
    }

    /// A new one-use pairing code, and how long it is good for.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn offer(&self) -> Result<(String, Duration), WireError> {
        let code = offers::random_code().map_err(|_| no_randomness())?;
        self.offers().add(&code, Instant::now());
        Ok((code, offers::LIFETIME))
    }

    /// True when a device is paired: it knows where to find us.
    #[must_use]
    pub fn has_devices(&self) -> bool {
        !self.devices.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Pairs a device, if its code is good. Returns the device, its cookie's value and its key.
    ///
    /// # Errors
    /// When the code is wrong, used or over, or too many were tried.
    pub async fn pair(&self, code: &str, name: &str, source: Source) -> Result<(Device, String, String), WireError> {
        let name = device_name(name);
        let redeemed = self.offers().redeem(code, source, Instant::now());
        match redeemed {
            Redeemed::Yes => {}
            Redeemed::No => {
                let message = "this pairing code is wrong, used or over: make a new one with `answerback pair`";
                return Err(refuse(ErrorCode::BadCode, message));
            }
            Redeemed::TooMany => return Err(refuse(ErrorCode::RateLimited, "too many attempts: wait a minute")),
        }
        let token = random_token().map_err(|_| no_randomness())?;
        let key = random_token().map_err(|_| no_randomness())?;
        let now = now_millis();
        let device = Device { id: DeviceId(Uuid::now_v7()), name, paired_at: now, last_seen_at: now };
        let stored = StoredDevice { device: device.clone(), token_hash: hash(&token), key: Some(key.clone()) };
        let actor = Actor::Device { device_id: device.id, name: device.name.clone() };
        let fact =
            Fact::new(FactKind::DevicePaired, now).by(actor).with(json!({ "device": device.id, "name": device.name }));
        self.store.add_device(stored, vec![fact]).await.map_err(|error| from_store(&error))?;
        self.devices
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(hash(&token), Paired { device: device.clone(), key: Some(key.clone()) });
        Ok((device, token, key))
    }

    /// The device a cookie belongs to. It has shown half of its credential.
    #[must_use]
    pub fn by_cookie(&self, token: &str) -> Option<Paired> {
        self.devices.read().unwrap_or_else(PoisonError::into_inner).get(&hash(token)).cloned()
    }

    /// Notes that a device has shown its whole credential.
    pub async fn seen(&self, id: DeviceId) {
        let now = now_millis();
        let note = {
            let mut devices = self.devices.write().unwrap_or_else(PoisonError::into_inner);
            let stale = |device: &&mut Device| now.saturating_sub(device.last_seen_at) >= SEEN_PACE;
            let device = devices.values_mut().map(|paired| &mut paired.device).find(|device| device.id == id);
            device.filter(stale).map(|device| device.last_seen_at = now).is_some()
        };
        if note && let Err(error) = self.store.device_seen(id, now).await {
            tracing::warn!(%error, "cannot note when a device was seen");
        }
    }

    /// All paired devices, the first paired first.
    #[must_use]
    pub fn devices(&self) -> Vec<Device> {
        let known = self.devices.read().unwrap_or_else(PoisonError::into_inner);
        let mut devices: Vec<Device> = known.values().map(|paired| paired.device.clone()).collect();
        devices.sort_by_key(|device| (device.paired_at, device.id));
        devices
    }

    /// Revokes a device: its cookie is void and its sockets close at once.
    ///
    /// # Errors
    /// When there is no such device or the store does not answer.
    pub async fn revoke(&self, id: DeviceId, by: Actor) -> Result<Device, WireError> {
        let known = self.devices().into_iter().find(|device| device.id == id);
        let name = known.as_ref().map(|device| &device.name);
        // Out of memory first: whatever the store says, the cookie is void from now on.
        self.devices.write().unwrap_or_else(PoisonError::into_inner).retain(|_, paired| paired.device.id != id);
        let _ = self.revoked.send(id);
        let revoked =
            Fact::new(FactKind::DeviceRevoked, now_millis()).by(by).with(json!({ "device": id, "name": name }));
        let removed = self.store.remove_device(id, vec![revoked]).await.map_err(|error| from_store(&error))?;
        known.filter(|_| removed).ok_or_else(|| refuse(ErrorCode::UnknownDevice, "there is no such device"))
    }

    fn offers(&self) -> MutexGuard<'_, Offers> {
        self.offers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// 256 random bits in hexadecimal digits.
pub(crate) fn random_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

fn no_randomness() -> WireError {
    refuse(ErrorCode::Internal, "the system gives no random numbers")
}

fn hash(token: &str) -> TokenHash {
    Sha256::digest(token.as_bytes()).into()
}

/// What a device calls itself, made fit to be shown.
fn device_name(name: &str) -> String {
    let plain: String = name.chars().filter(|ch| !ch.is_control()).take(NAME_LIMIT).collect();
    let plain = plain.trim();
    if plain.is_empty() { "a device".to_owned() } else { plain.to_owned() }
}
