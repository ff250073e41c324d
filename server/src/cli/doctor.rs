//! `doctor`: says what was found, in a form for people or for scripts, and puts right what it may.

use anyhow::bail;
use shared_types::{Finding, Verdict};

use crate::{
    config::{Flags, Settings},
    doctor::{clis, faults, finding, findings},
    say,
};

#[derive(Debug, clap::Args)]
pub(super) struct DoctorArgs {
    /// Put right what can be without asking: folders, who may read what, sockets of a killed server
    #[arg(long)]
    fix: bool,
    /// One JSON object, for scripts
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

pub(super) async fn doctor(args: &DoctorArgs) -> anyhow::Result<()> {
    let findings = match Settings::load(&args.flags) {
        Ok(settings) => {
            let mut all = if args.fix { mended(&settings) } else { Vec::new() };
            all.extend(findings(&settings).await);
            all
        }
        Err(error) => {
            let mut findings = vec![finding("configuration", Verdict::Bad, &error.to_string())];
            findings.extend(clis().await);
            findings
        }
    };
    if args.json {
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

/// Puts right what can be. What cannot is found once more afterwards, and here with what to type.
fn mended(settings: &Settings) -> Vec<Finding> {
    let mend = |fault: crate::doctor::Fault| match fault.mend() {
        Ok(done) => finding(&fault.what, Verdict::Good, &format!("put right: {done}")),
        Err(error) => {
            let (what, by_hand) = (&fault.detail, fault.by_hand());
            let detail = format!("{what}, and that could not be put right ({error}); whoever owns it types: {by_hand}");
            finding(&fault.what, Verdict::Bad, &detail)
        }
    };
    faults(settings).into_iter().map(mend).collect()
}
