//! `doctor`: says what was found, in a form for people or for scripts.

use anyhow::bail;
use shared_types::{Finding, Verdict};

use crate::{
    config::{Flags, Settings},
    doctor::{clis, finding, findings},
    say,
};

pub(super) async fn doctor(json: bool, flags: &Flags) -> anyhow::Result<()> {
    let findings = match Settings::load(flags) {
        Ok(settings) => findings(&settings).await,
        Err(error) => {
            let mut findings = vec![finding("configuration", Verdict::Bad, &error.to_string())];
            findings.extend(clis().await);
            findings
        }
    };
    if json {
        say::line(&serde_json::to_string(&findings)?);
    } else {
        for Finding { what, verdict, detail } in &findings {
            let mark = match verdict {
                Verdict::Good => "ok  ",
                Verdict::Note => "note",
                Verdict::Bad => "BAD ",
            };
            say::line(&format!("{mark}  {what:<14} {detail}"));
        }
    }
    if findings.iter().any(|finding| finding.verdict == Verdict::Bad) {
        bail!("something is not in place: see the lines that begin with BAD");
    }
    Ok(())
}
