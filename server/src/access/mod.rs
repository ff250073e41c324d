//! Who may talk to us: paired devices, each with a cookie of its own that can be revoked.
//!
//! A cookie is 256 random bits; only its SHA-256 is kept, so a stolen database opens nothing. Pairing codes live in memory,
//! once and for a few minutes ([`offers`]).

mod offers;

use std::{
    collections::HashMap,
    fmt::Write as _,
    sync::{Mutex, MutexGuard, PoisonError, RwLock},
    time::{Duration, Instant},
};

use sha2::{Digest as _, Sha256};
use shared_types::{Device, DeviceId, ErrorCode, Millis, WireError};
use tokio::sync::broadcast;
use uuid::Uuid;

use self::offers::{Offers, Redeemed};
use crate::{
    clock::now_millis,
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
    devices: RwLock<HashMap<TokenHash, Device>>,
    offers: Mutex<Offers>,
    revoked: broadcast::Sender<DeviceId>,
    cookie: String,
}

impl Access {
    /// Loads the paired devices.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn load(store: Store) -> Result<Self, StoreError> {
        let devices = store.devices().await?.into_iter().map(|stored| (stored.token_hash, stored.device)).collect();
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

    /// Pairs a device, if its code is good. Returns the device and its cookie's value.
    ///
    /// # Errors
    /// When the code is wrong, used or over, or too many were tried.
    pub async fn pair(&self, code: &str, name: &str) -> Result<(Device, String), WireError> {
        let name = device_name(name);
        let redeemed = self.offers().redeem(code, Instant::now());
        match redeemed {
            Redeemed::Yes => {}
            Redeemed::No => {
                let message = "this pairing code is wrong, used or over: make a new one with `answerback pair`";
                return Err(refuse(ErrorCode::BadCode, message));
            }
            Redeemed::TooMany => return Err(refuse(ErrorCode::RateLimited, "too many attempts: wait a minute")),
        }
        let token = random_token().map_err(|_| no_randomness())?;
        let now = now_millis();
        let device = Device { id: DeviceId(Uuid::now_v7()), name, paired_at: now, last_seen_at: now };
        let stored = StoredDevice { device: device.clone(), token_hash: hash(&token) };
        self.store.add_device(stored).await.map_err(|error| from_store(&error))?;
        self.devices.write().unwrap_or_else(PoisonError::into_inner).insert(hash(&token), device.clone());
        Ok((device, token))
    }

    /// The device a cookie belongs to.
    pub async fn device_of(&self, token: &str) -> Option<Device> {
        let now = now_millis();
        let (device, note) = {
            let mut devices = self.devices.write().unwrap_or_else(PoisonError::into_inner);
            let device = devices.get_mut(&hash(token))?;
            let note = now.saturating_sub(device.last_seen_at) >= SEEN_PACE;
            if note {
                device.last_seen_at = now;
            }
            (device.clone(), note)
        };
        if note && let Err(error) = self.store.device_seen(device.id, now).await {
            tracing::warn!(%error, "cannot note when a device was seen");
        }
        Some(device)
    }

    /// All paired devices, the first paired first.
    #[must_use]
    pub fn devices(&self) -> Vec<Device> {
        let known = self.devices.read().unwrap_or_else(PoisonError::into_inner);
        let mut devices: Vec<Device> = known.values().cloned().collect();
        devices.sort_by_key(|device| (device.paired_at, device.id));
        devices
    }

    /// Revokes a device: its cookie is void and its sockets close at once.
    ///
    /// # Errors
    /// When there is no such device or the store does not answer.
    pub async fn revoke(&self, id: DeviceId) -> Result<(), WireError> {
        // Out of memory first: whatever the store says, the cookie is void from now on.
        self.devices.write().unwrap_or_else(PoisonError::into_inner).retain(|_, device| device.id != id);
        let _ = self.revoked.send(id);
        let removed = self.store.remove_device(id).await.map_err(|error| from_store(&error))?;
        if removed { Ok(()) } else { Err(refuse(ErrorCode::UnknownDevice, "there is no such device")) }
    }

    fn offers(&self) -> MutexGuard<'_, Offers> {
        self.offers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn random_token() -> Result<String, getrandom::Error> {
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
