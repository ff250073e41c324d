//! Encryption: the person's certificate, or one of our own making that is kept until it nears its end.
//!
//! Only HTTP/1.1 is offered: the guard's checks are about `Host`, and one connection then holds one request at a time.

use std::{
    fs, io,
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::Context as _;
use axum_server::tls_rustls::RustlsConfig;
use rcgen::{CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, KeyPair, KeyUsagePurpose};
use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
};
use sha2::{Digest as _, Sha256};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;

use crate::config::Tls;

/// How long a certificate of ours is good. Apple's systems refuse any that lasts longer than 825 days.
const LIFE: time::Duration = time::Duration::days(730);
/// It is made anew when less than this is left, so that a service that is seldom started does not run into its end.
const RENEW_BEFORE: time::Duration = time::Duration::days(60);
/// A phone's clock may be behind ours.
const CLOCK_SKEW: time::Duration = time::Duration::days(1);
/// How often a running server looks whether its certificate nears its end.
const RENEWAL_PACE: Duration = Duration::from_secs(12 * 60 * 60);

/// A certificate in use.
#[derive(Clone)]
pub struct Certificate {
    /// What connections are encrypted with; replaced in place by a renewal.
    pub config: RustlsConfig,
    /// SHA-256 of the certificate, as browsers show it.
    pub fingerprint: String,
}

/// Loads the certificate that the settings name; `names` are the hosts a certificate of our own is good for.
///
/// # Errors
/// When a file cannot be read or is not a certificate and its key.
pub fn load(tls: &Tls, data: &Path, names: &[String]) -> anyhow::Result<Option<Certificate>> {
    let (cert, key) = match tls {
        Tls::Off => return Ok(None),
        Tls::Files { cert, key } => (cert.clone(), key.clone()),
        Tls::SelfSigned => self_signed(data, names, OffsetDateTime::now_utc()).context("making a certificate")?,
    };
    // Nobody else chooses one in this process; that it is chosen already is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let (config, fingerprint) = server_config(&cert, &key)
        .with_context(|| format!("reading the certificate {} and key {}", cert.display(), key.display()))?;
    Ok(Some(Certificate { config: RustlsConfig::from_config(config), fingerprint }))
}

/// Renews a certificate of our own while the server runs. Connections that are open keep theirs.
pub async fn keep_renewed(config: RustlsConfig, data: PathBuf, names: Vec<String>, stop: CancellationToken) {
    while tokio::time::timeout(RENEWAL_PACE, stop.cancelled()).await.is_err() {
        let renewed = self_signed(&data, &names, OffsetDateTime::now_utc())
            .and_then(|(cert, key)| server_config(&cert, &key))
            .map(|(renewed, _)| config.reload_from_config(renewed));
        if let Err(error) = renewed {
            tracing::warn!(%error, "cannot renew the certificate");
        }
    }
}

fn server_config(cert: &Path, key: &Path) -> anyhow::Result<(Arc<ServerConfig>, String)> {
    let chain = CertificateDer::pem_file_iter(cert)?.collect::<Result<Vec<_>, _>>()?;
    let own = chain.first().context("there is no certificate in the file")?;
    let fingerprint = fingerprint(own);
    let key = PrivateKeyDer::from_pem_file(key)?;
    let mut config = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok((Arc::new(config), fingerprint))
}

/// As browsers and `openssl x509 -fingerprint -sha256` write it.
fn fingerprint(certificate: &[u8]) -> String {
    Sha256::digest(certificate).iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(":")
}

/// A certificate is made for a set of names and kept, so that a phone has to be told to trust it only once.
fn self_signed(data: &Path, names: &[String], now: OffsetDateTime) -> anyhow::Result<(PathBuf, PathBuf)> {
    let mut names = names.to_vec();
    names.sort();
    names.dedup();
    let (cert, key, made_for) = (data.join("tls-cert.pem"), data.join("tls-key.pem"), data.join("tls-names"));
    if cert.exists() && key.exists() && fs::read_to_string(&made_for).is_ok_and(|made| is_good(&made, &names, now)) {
        return Ok((cert, key));
    }
    let params = params(&names, now)?;
    let pair = KeyPair::generate()?;
    let made = params.self_signed(&pair)?;
    // What it was made for comes last: a start that is cut short in between makes it all again.
    let _ = fs::remove_file(&made_for);
    write_private(&key, &pair.serialize_pem())?;
    write_private(&cert, &made.pem())?;
    write_private(&made_for, &format!("{}\n{}", params.not_after.unix_timestamp(), names.join("\n")))?;
    Ok((cert, key))
}

/// Whether a certificate that was made until a time and for some names, a line each, still serves.
fn is_good(made_for: &str, names: &[String], now: OffsetDateTime) -> bool {
    let mut lines = made_for.lines();
    let ends =
        lines.next().and_then(|line| line.parse().ok()).and_then(|at| OffsetDateTime::from_unix_timestamp(at).ok());
    ends.is_some_and(|ends| ends - now > RENEW_BEFORE) && lines.eq(names.iter().map(String::as_str))
}

fn params(names: &[String], now: OffsetDateTime) -> Result<CertificateParams, rcgen::Error> {
    let mut params = CertificateParams::new(names)?;
    params.not_before = now - CLOCK_SKEW;
    params.not_after = params.not_before + LIFE;
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, "Answerback");
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    Ok(params)
}

fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    io::Write::write_all(&mut file, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn own_certificate_has_a_sane_life_and_purpose() {
        let now = OffsetDateTime::now_utc();
        let made = params(&names(&["localhost", "192.0.2.7"]), now).expect("params");
        assert!(made.not_before < now && now - made.not_before <= time::Duration::days(2));
        assert!(made.not_after - made.not_before <= time::Duration::days(825), "Apple refuses longer ones");
        assert!(made.not_after - now >= time::Duration::days(700));
        assert_eq!(made.extended_key_usages, [ExtendedKeyUsagePurpose::ServerAuth]);
        assert_eq!(made.distinguished_name.get(&DnType::CommonName), Some(&"Answerback".into()));
        assert_eq!(made.subject_alt_names.len(), 2);
    }

    #[test]
    fn own_certificate_is_kept_until_its_end_or_names_change() {
        let folder = tempfile::tempdir().expect("a folder");
        let now = OffsetDateTime::now_utc();
        let made = |names: &[String], now| {
            let (cert, key) = self_signed(folder.path(), names, now).expect("a certificate");
            let _ = rustls::crypto::ring::default_provider().install_default();
            let (config, fingerprint) = server_config(&cert, &key).expect("a configuration");
            assert_eq!(config.alpn_protocols, [b"http/1.1"]);
            fingerprint
        };
        let (one, other) = (names(&["localhost", "box"]), names(&["localhost", "other"]));
        let first = made(&one, now);
        assert_eq!(first.len(), 32 * 3 - 1, "{first}");
        assert_eq!(made(&one, now + time::Duration::days(600)), first, "it is kept");
        let renewed = made(&one, now + time::Duration::days(700));
        assert_ne!(renewed, first, "near its end it is made anew");
        assert_ne!(made(&other, now + time::Duration::days(700)), renewed, "and for other names");
    }

    #[test]
    fn certificate_without_a_noted_end_is_made_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let now = OffsetDateTime::now_utc();
        self_signed(folder.path(), &names(&["localhost"]), now).expect("a certificate");
        let first = fs::read(folder.path().join("tls-cert.pem")).expect("it is there");
        fs::write(folder.path().join("tls-names"), "localhost").expect("as versions before wrote it");
        self_signed(folder.path(), &names(&["localhost"]), now).expect("a certificate");
        assert_ne!(fs::read(folder.path().join("tls-cert.pem")).expect("it is there"), first);
    }
}
