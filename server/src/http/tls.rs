//! Encryption: the person's certificate, or one of our own making that is kept.

use std::{
    fs, io,
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use axum_server::tls_rustls::RustlsConfig;

use crate::config::Tls;

/// Loads the certificate that the settings name; `names` are the hosts a certificate of our own is good for.
///
/// # Errors
/// When a file cannot be read or is not a certificate and its key.
pub async fn load(tls: &Tls, data: &Path, names: Vec<String>) -> anyhow::Result<Option<RustlsConfig>> {
    let (cert, key) = match tls {
        Tls::Off => return Ok(None),
        Tls::Files { cert, key } => (cert.clone(), key.clone()),
        Tls::SelfSigned => self_signed(data, names).context("making a certificate")?,
    };
    // Nobody else chooses one in this process; that it is chosen already is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let config = RustlsConfig::from_pem_file(&cert, &key).await;
    config.map(Some).with_context(|| format!("reading the certificate {} and key {}", cert.display(), key.display()))
}

/// A certificate is made once for a set of names and kept, so that a phone has to be told to trust it only once.
fn self_signed(data: &Path, mut names: Vec<String>) -> anyhow::Result<(PathBuf, PathBuf)> {
    names.sort();
    names.dedup();
    let (cert, key, made_for) = (data.join("tls-cert.pem"), data.join("tls-key.pem"), data.join("tls-names"));
    let wanted = names.join("\n");
    if cert.exists() && key.exists() && fs::read_to_string(&made_for).is_ok_and(|found| found == wanted) {
        return Ok((cert, key));
    }
    let made = rcgen::generate_simple_self_signed(names)?;
    write_private(&key, &made.signing_key.serialize_pem())?;
    write_private(&cert, &made.cert.pem())?;
    write_private(&made_for, &wanted)?;
    Ok((cert, key))
}

fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    io::Write::write_all(&mut file, text.as_bytes())
}
