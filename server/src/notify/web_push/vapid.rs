//! Who we are to push services: a key of our own, made at first use, and a signed token for each request (RFC 8292).

use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _},
};
use serde_json::json;

/// How long a token is good for, in seconds. Push services refuse more than a day.
const LIFETIME: u64 = 12 * 60 * 60;
/// The file in the data folder.
const FILE: &str = "vapid-key.der";

/// Our key.
pub(crate) struct Vapid {
    key: EcdsaKeyPair,
}

impl Vapid {
    /// Reads the key from the data folder; the first time, it is made. Only the owner can read it.
    ///
    /// # Errors
    /// When it cannot be read or written, or is not a key.
    pub(crate) fn load(folder: &Path) -> io::Result<Self> {
        let path = folder.join(FILE);
        let stored = match fs::read(&path) {
            Ok(stored) => stored,
            Err(error) if error.kind() == io::ErrorKind::NotFound => make(&path)?,
            Err(error) => return Err(error),
        };
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &stored, &SystemRandom::new())
            .map_err(|_| io::Error::other(format!("{} is not a key: remove it, and subscribe anew", path.display())))?;
        Ok(Self { key })
    }

    /// What a browser needs to subscribe, base64url.
    pub(crate) fn public_key(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.key.public_key().as_ref())
    }

    /// The value of the `Authorization` header for a push service at `audience`, its origin. `now` is in seconds.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub(crate) fn authorization(&self, audience: &str, contact: &str, now: u64) -> io::Result<String> {
        let head = json!({ "typ": "JWT", "alg": "ES256" });
        let claims = json!({ "aud": audience, "exp": now + LIFETIME, "sub": contact });
        let part = |value: serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(head), part(claims));
        let signature = self.key.sign(&SystemRandom::new(), signed.as_bytes());
        let signature = signature.map_err(|_| io::Error::other("the system gives no random numbers"))?;
        let signature = URL_SAFE_NO_PAD.encode(signature);
        Ok(format!("vapid t={signed}.{signature}, k={}", self.public_key()))
    }
}

fn make(path: &Path) -> io::Result<Vec<u8>> {
    let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
    let key = key.map_err(|_| io::Error::other("the system gives no random numbers"))?;
    // Written beside it and renamed: half a key would lock every device out.
    let fresh = path.with_extension("new");
    let mut file = fs::OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&fresh)?;
    file.write_all(key.as_ref())?;
    file.sync_all()?;
    fs::rename(&fresh, path)?;
    Ok(key.as_ref().to_vec())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

    use super::*;

    #[test]
    fn key_is_made_once_and_for_the_owner_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = Vapid::load(folder.path()).expect("made").public_key();
        let file = folder.path().join(FILE);
        assert_eq!(file.metadata().expect("kept").permissions().mode() & 0o777, 0o600);
        assert_eq!(Vapid::load(folder.path()).expect("read").public_key(), first);
        fs::write(&file, "no key").expect("spoiled");
        assert!(Vapid::load(folder.path()).is_err(), "a spoiled key is not replaced behind the person's back");
    }

    #[test]
    fn token_is_signed_and_names_audience_end_and_contact() {
        let folder = tempfile::tempdir().expect("a folder");
        let vapid = Vapid::load(folder.path()).expect("a key");
        let header = vapid.authorization("https://push.example", "https://box.example", 1_000).expect("signed");
        let (token, key) = header.strip_prefix("vapid t=").and_then(|rest| rest.split_once(", k=")).expect("its form");
        let (signed, signature) = token.rsplit_once('.').expect("three parts");
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).expect("base64url");
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, decode(key))
            .verify(signed.as_bytes(), &decode(signature))
            .expect("our signature");
        let claims = decode(signed.split_once('.').expect("two parts").1);
        let claims: serde_json::Value = serde_json::from_slice(&claims).expect("JSON");
        let expected = json!({ "aud": "https://push.example", "exp": 1_000 + LIFETIME, "sub": "https://box.example" });
        assert_eq!(claims, expected);
    }
}
