//! Encrypts a message so that only the browser that subscribed can read it: RFC 8291 in one record of RFC 8188, with what rustls
//! brings along (`ring`). The push service sees who is reached, when, and a rounded size.

use ring::{
    aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral},
    hkdf::{HKDF_SHA256, KeyType, Prk, Salt},
    rand::{SecureRandom, SystemRandom},
};

/// The longest body that every push service takes.
const RECORD: usize = 4096;
/// Salt, record size, length of the key, key.
const HEADER: usize = 16 + 4 + 1 + PUBLIC_KEY;
/// An uncompressed point.
const PUBLIC_KEY: usize = 65;
/// The end mark of the only record, and the tag of its cipher.
const OVERHEAD: usize = 1 + 16;
/// The longest text.
pub(crate) const TEXT_LIMIT: usize = RECORD - HEADER - OVERHEAD;
/// Texts are filled up to a multiple of this, so that their length tells little.
const BLOCK: usize = 1024;

/// The browser's half of what encrypts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Receiver {
    /// Its public key, an uncompressed point.
    pub(crate) public_key: Vec<u8>,
    /// What it shares with us alone.
    pub(crate) auth: Vec<u8>,
}

/// The text is too long, a key is not one, or the system has no randomness.
#[derive(Debug, thiserror::Error)]
#[error("the message cannot be encrypted for this browser: let it subscribe again")]
pub(crate) struct NotEncrypted;

/// The body of the request to the push service.
pub(crate) fn encrypt(text: &[u8], to: &Receiver) -> Result<Vec<u8>, NotEncrypted> {
    if text.len() > TEXT_LIMIT {
        return Err(NotEncrypted);
    }
    let random = SystemRandom::new();
    let mut salt = [0; 16];
    random.fill(&mut salt).map_err(|_| NotEncrypted)?;
    let private = EphemeralPrivateKey::generate(&ECDH_P256, &random).map_err(|_| NotEncrypted)?;
    let public = private.compute_public_key().map_err(|_| NotEncrypted)?;
    let theirs = UnparsedPublicKey::new(&ECDH_P256, &to.public_key);
    let padded = text.len().next_multiple_of(BLOCK).min(TEXT_LIMIT);
    agree_ephemeral(private, &theirs, |secret| seal(text, padded, to, public.as_ref(), secret, salt))
        .map_err(|_| NotEncrypted)?
}

/// The rest, once both sides know the secret.
fn seal(
    text: &[u8],
    padded: usize,
    to: &Receiver,
    public_key: &[u8],
    secret: &[u8],
    salt: [u8; 16],
) -> Result<Vec<u8>, NotEncrypted> {
    let shared = Salt::new(HKDF_SHA256, &to.auth).extract(secret);
    let material: [u8; 32] = expand(&shared, &[b"WebPush: info\0", &to.public_key, public_key])?;
    let keys = Salt::new(HKDF_SHA256, &salt).extract(&material);
    let key: [u8; 16] = expand(&keys, &[b"Content-Encoding: aes128gcm\0"])?;
    let nonce: [u8; 12] = expand(&keys, &[b"Content-Encoding: nonce\0"])?;
    let mut record = text.to_vec();
    record.push(2);
    record.resize(padded.max(text.len()) + 1, 0);
    // The key is made for this one record, so its nonce is used once.
    LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).map_err(|_| NotEncrypted)?)
        .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut record)
        .map_err(|_| NotEncrypted)?;
    let size = u32::try_from(RECORD).map_err(|_| NotEncrypted)?.to_be_bytes();
    let key_length = u8::try_from(public_key.len()).map_err(|_| NotEncrypted)?;
    Ok([&salt[..], &size, &[key_length], public_key, &record].concat())
}

fn expand<const N: usize>(from: &Prk, info: &[&[u8]]) -> Result<[u8; N], NotEncrypted> {
    struct Length(usize);
    impl KeyType for Length {
        fn len(&self) -> usize {
            self.0
        }
    }
    let mut out = [0; N];
    let expanded = from.expand(info, Length(N)).map_err(|_| NotEncrypted)?;
    expanded.fill(&mut out).map_err(|_| NotEncrypted)?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).expect("base64url")
    }

    /// The example of RFC 8291, section 5 and appendix A, from the shared secret on.
    #[test]
    fn example_of_the_standard_comes_out_to_the_byte() {
        let to = Receiver {
            public_key: bytes(
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            ),
            auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
        };
        let public = bytes("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8");
        let secret = bytes("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().expect("16 bytes");
        let text = b"When I grow up, I want to be a watermelon";
        let body = seal(text, text.len(), &to, &public, &secret, salt).expect("sealed");
        assert_eq!(
            URL_SAFE_NO_PAD.encode(body),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PB\
             ru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        );
    }

    #[test]
    fn length_tells_little_and_has_a_limit() {
        let own = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).expect("a key");
        let public_key = own.compute_public_key().expect("its public half").as_ref().to_vec();
        let to = Receiver { public_key, auth: vec![7; 16] };
        let length = |text: usize| encrypt(&vec![b'x'; text], &to).map(|body| body.len());
        assert_eq!(length(1).expect("short"), length(1000).expect("longer"));
        assert_eq!(length(TEXT_LIMIT).expect("the longest"), RECORD);
        assert!(length(TEXT_LIMIT + 1).is_err());
        let odd = Receiver { public_key: vec![4; 65], ..to };
        assert!(encrypt(b"x", &odd).is_err(), "a point that is not on the curve");
    }
}
