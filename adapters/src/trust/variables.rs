//! Environment files that a CLI loads.

/// Names, or how they begin, of variables that load code, lead elsewhere what is said, or choose what is run.
const WEIGHTY: &[&str] = &[
    "ALL_PROXY",
    "ANTHROPIC_",
    "BASH_ENV",
    "BROWSER",
    "BUILD_SANDBOX",
    "BUN_",
    "CARGO_",
    "CLOUD_",
    "CODE_ASSIST",
    "DASHSCOPE_",
    "DYLD_",
    "EDITOR",
    "GEMINI_",
    "GIT_",
    "GOOGLE_",
    "HOME",
    "HTTP",
    "JAVA_",
    "JDK_",
    "LD_",
    "NODE_",
    "NO_PROXY",
    "NPM_",
    "OPENAI_",
    "OTEL_",
    "PAGER",
    "PATH",
    "PERL",
    "PROMPT_COMMAND",
    "PYTHON",
    "QWEN_",
    "RUBY",
    "RUSTC",
    "SANDBOX",
    "SEATBELT_",
    "SHELL",
    "SSH_",
    "SSL_",
    "VISUAL",
    "XDG_",
    "YARN_",
    "ZDOTDIR",
];
/// Names like those above that every other project sets.
const HARMLESS: &[&str] = &["NODE_ENV"];

/// The lines that set such a variable. Read as generously as the readers of the CLIs do: any line end, any blank, any case.
pub(super) fn weighty(text: &str) -> Vec<(String, String)> {
    let lines = text.split(['\n', '\r']).map(str::trim);
    lines.filter(|line| is_weighty(line)).map(|line| ("environment".to_owned(), line.to_owned())).collect()
}

fn is_weighty(line: &str) -> bool {
    let set = line.strip_prefix("export").filter(|rest| rest.starts_with(char::is_whitespace)).unwrap_or(line);
    let name = set.trim_start().split(|ch: char| !ch.is_ascii_alphanumeric() && ch != '_').next().unwrap_or_default();
    let name = name.to_ascii_uppercase();
    !HARMLESS.contains(&name.as_str()) && WEIGHTY.iter().any(|begins| name.starts_with(begins))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_load_code_or_lead_elsewhere_are_found() {
        for text in [
            "LD_PRELOAD=./x.so",
            "  export   NODE_OPTIONS=--require=./x",
            "export\tGIT_SSH_COMMAND=./x",
            "A=1\rLD_PRELOAD=./x.so",
            "https_proxy=http://elsewhere.example",
            "OPENAI_BASE_URL: http://elsewhere.example",
            "CODE_ASSIST_ENDPOINT=http://elsewhere.example",
        ] {
            assert_eq!(weighty(text).len(), 1, "{text:?}");
        }
    }

    #[test]
    fn variables_of_an_ordinary_project_are_passed() {
        assert_eq!(weighty("# LD_PRELOAD=x\nNODE_ENV=test\nDATABASE_URL=postgres://x\nexporter=1\n\n"), []);
    }
}
