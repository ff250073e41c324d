//! The binary `answerback`. Everything is in the library; see `cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    match answerback::cli::run(std::env::args().collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            answerback::say::error_line(&format!("answerback: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
