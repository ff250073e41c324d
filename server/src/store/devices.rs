//! Paired devices and settings in the store.

use rusqlite::{OptionalExtension as _, params};
use shared_types::{Device, DeviceId, Millis};

use super::{Store, StoreError};
use crate::journal::Fact;

/// A device with what proves that it is the one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDevice {
    /// The device.
    pub device: Device,
    /// SHA-256 of its cookie.
    pub token_hash: [u8; 32],
    /// The key that its page proves; none for a device that was paired before there were keys.
    pub key: Option<String>,
}

impl Store {
    /// Adds a paired device.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn add_device(&self, stored: StoredDevice, facts: Vec<Fact>) -> Result<(), StoreError> {
        self.write_with(facts, move |db| {
            let device = stored.device;
            db.execute(
                "INSERT INTO devices (id, name, token_hash, paired_at, last_seen_at, key) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![
                    device.id.0.to_string(),
                    device.name,
                    stored.token_hash,
                    device.paired_at,
                    device.last_seen_at,
                    stored.key
                ],
            )?;
            Ok(())
        })
        .await
    }

    /// All paired devices, the first paired first.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn devices(&self) -> Result<Vec<StoredDevice>, StoreError> {
        self.read(|db| {
            let mut statement = db.prepare("SELECT * FROM devices ORDER BY paired_at, id")?;
            let mut rows = statement.query([])?;
            let mut devices = Vec::new();
            while let Some(row) = rows.next()? {
                let device = Device {
                    id: DeviceId(super::read_uuid(&row.get::<_, String>("id")?)?),
                    name: row.get("name")?,
                    paired_at: row.get("paired_at")?,
                    last_seen_at: row.get("last_seen_at")?,
                };
                devices.push(StoredDevice { device, token_hash: row.get("token_hash")?, key: row.get("key")? });
            }
            Ok(devices)
        })
        .await
    }

    /// Notes when a device last spoke.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn device_seen(&self, id: DeviceId, at: Millis) -> Result<(), StoreError> {
        self.write(move |db| {
            db.execute("UPDATE devices SET last_seen_at = ?2 WHERE id = ?1", params![id.0.to_string(), at])?;
            Ok(())
        })
        .await
    }

    /// Takes a device out of the store. Returns false when there is none such.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn remove_device(&self, id: DeviceId, facts: Vec<Fact>) -> Result<bool, StoreError> {
        self.write_if(facts, move |db| Ok(db.execute("DELETE FROM devices WHERE id = ?1", [id.0.to_string()])? == 1))
            .await
    }

    /// A setting's value, or the given one, which is then kept.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn setting_or(&self, key: &'static str, default: String) -> Result<String, StoreError> {
        self.write(move |db| {
            let value =
                db.query_row("SELECT value FROM settings WHERE key = ?1", [key], |row| row.get(0)).optional()?;
            if let Some(value) = value {
                return Ok(value);
            }
            db.execute("INSERT INTO settings (key, value) VALUES (?1, ?2)", [key, &default])?;
            Ok(default)
        })
        .await
    }
}
