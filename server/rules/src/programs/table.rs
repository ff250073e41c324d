//! Options that run a program, write a file or change the folder, program by program.

/// What an option does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Runs another program, or loads code: on the floor.
    Runs,
    /// Writes the file that follows.
    Writes,
    /// More than a general rule covers: the rule must name it.
    Asks,
    /// Works in the folder that follows.
    Enters,
    /// Loads what follows: code when it is a file, something known when it is a plain name.
    Loads,
    /// Takes a value and does nothing else.
    Nothing,
}

use Effect::{Asks, Enters, Loads, Nothing, Runs, Writes};

/// Programs, letters that take a value, and options.
type Spec = (&'static str, &'static [(&'static str, Effect)]);

/// An option that was found.
pub(super) struct Found {
    pub option: String,
    pub effect: Effect,
    pub inline: Option<String>,
    pub takes_next: bool,
}

/// The options of a program that matter. The first text: letters that take a value.
pub(super) fn options_of(name: &str) -> Spec {
    match name {
        "sort" | "gsort" => (
            "koStT",
            &[
                ("--compress-program", Runs),
                ("-o", Writes),
                ("--output", Writes),
                ("-k", Nothing),
                ("-t", Nothing),
                ("-S", Nothing),
                ("-T", Enters),
                ("--temporary-directory", Enters),
            ],
        ),
        "rg" | "ripgrep" => (
            "ABCefgjmMtTr",
            &[("--pre", Runs), ("--hostname-bin", Runs), ("-e", Nothing), ("-g", Nothing), ("-f", Nothing)],
        ),
        "ag" | "ack" => ("ABCGm", &[("--pager", Runs), ("--ackrc", Runs)]),
        "man" => (
            "",
            &[
                ("-P", Runs),
                ("--pager", Runs),
                ("-H", Runs),
                ("--html", Runs),
                ("-C", Runs),
                ("--config-file", Runs),
                ("--preprocessor", Asks),
                ("-p", Asks),
            ],
        ),
        "less" | "more" | "most" => (
            "",
            &[
                ("-o", Writes),
                ("-O", Writes),
                ("--log-file", Writes),
                ("--LOG-FILE", Writes),
                ("-k", Runs),
                ("--lesskey-file", Runs),
                ("--lesskey-src", Runs),
                ("--lesskey-content", Runs),
            ],
        ),
        "bat" | "batcat" => ("", &[("--pager", Runs), ("--config-file", Runs)]),
        "tar" | "gtar" | "bsdtar" => (
            "fCTXbgHKLNV",
            &[
                ("--to-command", Runs),
                ("--checkpoint-action", Runs),
                ("-I", Runs),
                ("--use-compress-program", Runs),
                ("-F", Runs),
                ("--info-script", Runs),
                ("--new-volume-script", Runs),
                ("--rsh-command", Runs),
                ("--rmt-command", Runs),
                ("-C", Enters),
                ("--directory", Enters),
                ("--one-top-level", Enters),
                ("-g", Writes),
                ("--listed-incremental", Writes),
                ("--index-file", Writes),
                ("--transform", Asks),
                ("--xform", Asks),
                ("--remove-files", Asks),
                ("-P", Asks),
                ("--absolute-names", Asks),
            ],
        ),
        "zip" => ("", &[("-T", Asks), ("-TT", Runs), ("--unzip-command", Runs), ("-m", Asks), ("--move", Asks)]),
        "unzip" => ("", &[("-d", Writes), ("-:", Asks)]),
        "patch" => (
            "dopriFDzY",
            &[
                ("-d", Enters),
                ("--directory", Enters),
                ("-o", Writes),
                ("--output", Writes),
                ("-r", Writes),
                ("--reject-file", Writes),
                ("-e", Runs),
                ("--ed", Runs),
            ],
        ),
        "rsync" => (
            "efT",
            &[
                ("-e", Runs),
                ("--rsh", Runs),
                ("--rsync-path", Runs),
                ("--delete", Asks),
                ("--remove-source-files", Asks),
                ("--log-file", Writes),
                ("--write-batch", Writes),
                ("--only-write-batch", Writes),
                ("--backup-dir", Enters),
                ("--partial-dir", Enters),
                ("--temp-dir", Enters),
                ("-T", Enters),
                ("-M", Asks),
                ("--remote-option", Asks),
                ("--daemon", Runs),
                ("--config", Runs),
            ],
        ),
        "scp" | "sftp" => ("PicFJloS", &[("-S", Runs), ("-o", Runs), ("-F", Runs), ("-D", Runs)]),
        "ssh" => (
            "pilLRDJFoEISWbcmweBOQ",
            &[
                ("-o", Runs),
                ("-F", Runs),
                ("-E", Writes),
                ("-I", Runs),
                ("-S", Asks),
                ("-J", Asks),
                ("-L", Asks),
                ("-R", Asks),
                ("-D", Asks),
            ],
        ),
        "ssh-keygen" | "ssh-add" | "ssh-agent" => ("", &[("-D", Runs), ("-s", Runs), ("-w", Runs), ("-f", Writes)]),
        "curl" => (
            "HdXuAebDoTFmrCEKxwy",
            &[
                ("-o", Writes),
                ("--output", Writes),
                ("--output-dir", Writes),
                ("-D", Writes),
                ("--dump-header", Writes),
                ("-c", Writes),
                ("--cookie-jar", Writes),
                ("--trace", Writes),
                ("--trace-ascii", Writes),
                ("--stderr", Writes),
                ("--etag-save", Writes),
                ("--hsts", Writes),
                ("--alt-svc", Writes),
                ("-K", Runs),
                ("--config", Runs),
                ("-O", Asks),
                ("--remote-name", Asks),
                ("--remote-name-all", Asks),
                ("-J", Asks),
                ("--engine", Runs),
                ("--libcurl", Writes),
                ("--unix-socket", Asks),
                ("--abstract-unix-socket", Asks),
                ("-T", Asks),
                ("--upload-file", Asks),
                ("--netrc-file", Asks),
                ("--variable", Asks),
                ("-H", Nothing),
                ("-X", Nothing),
                ("-w", Nothing),
            ],
        ),
        "wget" | "wget2" => (
            "OPoaieUt",
            &[
                ("-O", Writes),
                ("--output-document", Writes),
                ("-P", Writes),
                ("--directory-prefix", Writes),
                ("-o", Writes),
                ("--output-file", Writes),
                ("-a", Writes),
                ("--append-output", Writes),
                ("-e", Runs),
                ("--execute", Runs),
                ("--use-askpass", Runs),
                ("--config", Runs),
                ("--post-file", Asks),
                ("--body-file", Asks),
                ("--save-cookies", Writes),
                ("--warc-file", Writes),
                ("--rejected-log", Writes),
                ("--hsts-file", Writes),
            ],
        ),
        "cargo" => (
            "pFjZ",
            &[
                ("--config", Runs),
                ("--target-dir", Writes),
                ("--artifact-dir", Writes),
                ("--out-dir", Writes),
                ("--manifest-path", Enters),
                ("-C", Enters),
                ("--lockfile-path", Writes),
                ("--config-file", Runs),
                ("--tool-config-file", Runs),
                ("--root", Writes),
                ("-Z", Asks),
            ],
        ),
        "rustc" | "rustdoc" => {
            ("CLloZ", &[("-C", Runs), ("--codegen", Runs), ("-Z", Runs), ("-o", Writes), ("--out-dir", Writes)])
        }
        "npm" | "pnpm" | "yarn" | "npx" | "pnpx" | "bunx" | "bun" => (
            "wCp",
            &[
                ("--script-shell", Runs),
                ("--node-options", Runs),
                ("--shell", Runs),
                ("-c", Runs),
                ("--call", Runs),
                ("--prefix", Enters),
                ("--cwd", Enters),
                ("-C", Enters),
                ("--dir", Enters),
                ("--git", Runs),
                ("--userconfig", Runs),
                ("--globalconfig", Runs),
                ("--use-yarnrc", Runs),
                ("--preload", Runs),
                ("-r", Asks),
                ("--global", Asks),
                ("-g", Asks),
                ("--registry", Asks),
                ("--config", Runs),
                ("--shell-emulator", Runs),
                ("--viewer", Runs),
                ("--browser", Runs),
                ("--editor", Runs),
                ("--onload-script", Runs),
                ("--scripts-prepend-node-path", Runs),
                ("--yarn-path", Runs),
            ],
        ),
        "make" | "gmake" => (
            "fCIjolW",
            &[
                ("--eval", Runs),
                ("-E", Runs),
                ("-f", Asks),
                ("--file", Asks),
                ("--makefile", Asks),
                ("-C", Enters),
                ("--directory", Enters),
                ("-I", Asks),
                ("--include-dir", Asks),
            ],
        ),
        "just" | "task" | "rake" | "gulp" | "grunt" => (
            "fd",
            &[
                ("--shell", Runs),
                ("--shell-arg", Runs),
                ("-f", Asks),
                ("--justfile", Asks),
                ("--working-directory", Enters),
                ("-d", Enters),
                ("--command", Runs),
                ("-c", Runs),
                ("-r", Runs),
                ("--require", Runs),
                ("-e", Runs),
                ("--execute", Runs),
                ("--chooser", Runs),
                ("--edit", Runs),
                ("-I", Asks),
                ("--taskfile", Asks),
                ("--rakefile", Asks),
                ("--gulpfile", Asks),
                ("--gruntfile", Asks),
                ("--dir", Enters),
            ],
        ),
        "cmake" | "ninja" | "meson" => (
            "GSBCfDjt",
            &[
                ("-E", Runs),
                ("-P", Runs),
                ("-C", Enters),
                ("-f", Asks),
                ("-B", Enters),
                ("-S", Enters),
                ("--build", Enters),
                ("--toolchain", Runs),
                ("--install", Asks),
            ],
        ),
        "go" => (
            "",
            &[
                ("-exec", Runs),
                ("--exec", Runs),
                ("-toolexec", Runs),
                ("--toolexec", Runs),
                ("-vettool", Runs),
                ("--vettool", Runs),
                ("-overlay", Runs),
                ("-modfile", Asks),
                ("-o", Writes),
                ("-C", Enters),
                ("-coverprofile", Writes),
                ("-cpuprofile", Writes),
                ("-memprofile", Writes),
                ("-trace", Writes),
                ("-outputdir", Writes),
                ("-pkgdir", Writes),
                ("-compiler", Asks),
                ("-gccgoflags", Asks),
                ("-ldflags", Asks),
                ("-gcflags", Asks),
            ],
        ),
        "gcc" | "g++" | "cc" | "c++" | "clang" | "clang++" => (
            "oDILlxf",
            &[
                ("-o", Writes),
                ("-wrapper", Runs),
                ("-specs", Runs),
                ("--specs", Runs),
                ("-B", Runs),
                ("-fplugin", Runs),
                ("-fuse-ld", Asks),
                ("-Xclang", Runs),
                ("-load", Runs),
                ("-MF", Writes),
                ("-dumpdir", Enters),
                ("-save-temps", Enters),
            ],
        ),
        "javac" => (
            "",
            &[
                ("-processor", Runs),
                ("-processorpath", Runs),
                ("--processor-path", Runs),
                ("-Xplugin", Runs),
                ("-J-javaagent", Runs),
                ("-d", Writes),
                ("-s", Writes),
            ],
        ),
        "pytest" | "py.test" => (
            "pckmoW",
            &[
                ("-p", Runs),
                ("-c", Asks),
                ("--config-file", Asks),
                ("--rootdir", Enters),
                ("-o", Asks),
                ("--override-ini", Asks),
                ("--pdbcls", Runs),
                ("--confcutdir", Asks),
                ("--basetemp", Writes),
                ("--junitxml", Writes),
                ("--junit-xml", Writes),
                ("--html", Writes),
                ("--pastebin", Asks),
                ("--debug", Asks),
                ("--log-file", Writes),
                ("--result-log", Writes),
                ("--cov-config", Asks),
                ("--pyargs", Asks),
                ("-k", Nothing),
                ("-m", Nothing),
            ],
        ),
        "pylint" | "flake8" | "mypy" | "ruff" | "black" | "isort" => (
            "j",
            &[
                ("--load-plugins", Runs),
                ("--init-hook", Runs),
                ("--rcfile", Asks),
                ("--config", Asks),
                ("--config-file", Asks),
                ("--output-file", Writes),
                ("-o", Writes),
                ("--output", Writes),
                ("--python-executable", Runs),
                ("--cache-dir", Writes),
                ("--junit-xml", Writes),
                ("--html-report", Writes),
                ("--txt-report", Writes),
                ("--xml-report", Writes),
                ("--any-exprs-report", Writes),
                ("--linecount-report", Writes),
                ("--install-types", Asks),
            ],
        ),
        "eslint" | "jest" | "vitest" | "mocha" | "prettier" | "stylelint" | "webpack" | "vite" | "rollup" | "tsc"
        | "babel" | "ava" | "playwright" | "cypress" | "esbuild" => (
            "",
            &[
                ("--rulesdir", Runs),
                ("--resolve-plugins-relative-to", Runs),
                ("--plugin", Runs),
                ("--parser", Runs),
                ("-r", Runs),
                ("--require", Runs),
                ("--import", Runs),
                ("--loader", Runs),
                ("--globalSetup", Runs),
                ("--globalTeardown", Runs),
                ("--setupFiles", Runs),
                ("--setupFilesAfterEnv", Runs),
                ("--testRunner", Runs),
                ("--runner", Runs),
                ("--transform", Runs),
                ("--resolver", Runs),
                ("--reporter", Loads),
                ("--reporters", Loads),
                ("-R", Loads),
                ("--ui", Loads),
                ("-f", Loads),
                ("--format", Loads),
                ("--env", Loads),
                ("--environment", Loads),
                ("--testEnvironment", Loads),
                ("--preset", Loads),
                ("--presets", Loads),
                ("--plugins", Loads),
                ("--watchPlugins", Runs),
                ("--testResultsProcessor", Runs),
                ("--snapshotResolver", Runs),
                ("--snapshotSerializers", Runs),
                ("--filter", Loads),
                ("--haste", Runs),
                ("--browser.provider", Loads),
                ("--projects", Enters),
                ("--dir", Enters),
                ("--file", Enters),
                ("--package", Enters),
                ("--opts", Asks),
                ("--build", Enters),
                ("-b", Enters),
                ("-c", Asks),
                ("--config", Asks),
                ("--rootDir", Enters),
                ("--root", Enters),
                ("-o", Writes),
                ("--output-file", Writes),
                ("--outputFile", Writes),
                ("--outDir", Writes),
                ("--outFile", Writes),
                ("--out-dir", Writes),
                ("--outdir", Writes),
                ("--outfile", Writes),
                ("--preprocessor", Runs),
                ("--processor", Runs),
                ("--custom-syntax", Runs),
                ("--exec", Runs),
                ("-p", Enters),
                ("--project", Enters),
                ("--cacheDirectory", Writes),
                ("--cache-location", Writes),
                ("--coverageDirectory", Writes),
            ],
        ),
        "pip" | "pip3" | "pipx" => (
            "rctdw",
            &[
                ("-r", Enters),
                ("--requirement", Enters),
                ("-d", Enters),
                ("--dest", Enters),
                ("-w", Enters),
                ("--wheel-dir", Enters),
                ("-t", Writes),
                ("--target", Writes),
                ("--prefix", Writes),
                ("--root", Writes),
                ("--python", Runs),
                ("--config-settings", Runs),
                ("-C", Runs),
                ("--global-option", Runs),
                ("--build-option", Runs),
                ("-i", Asks),
                ("--index-url", Asks),
                ("--extra-index-url", Asks),
                ("-e", Enters),
                ("--editable", Enters),
                ("--log", Writes),
                ("--cache-dir", Writes),
            ],
        ),
        "docker" | "podman" | "docker-compose" => (
            "evpuwmhlH",
            &[
                ("--privileged", Runs),
                ("-v", Asks),
                ("--volume", Asks),
                ("--mount", Asks),
                ("--pid", Asks),
                ("--cap-add", Asks),
                ("--device", Asks),
                ("-H", Asks),
                ("--host", Asks),
                ("--config", Asks),
                ("-c", Asks),
                ("--context", Asks),
                ("-f", Enters),
                ("--file", Enters),
                ("--project-directory", Enters),
                ("--output", Writes),
                ("-o", Writes),
            ],
        ),
        "kubectl" | "helm" => ("n", &[("--kubeconfig", Asks), ("--post-renderer", Runs), ("--as", Asks)]),
        "terraform" | "tofu" => {
            ("", &[("-chdir", Enters), ("-plugin-dir", Runs), ("-out", Writes), ("-auto-approve", Asks)])
        }
        "tcpdump" | "tshark" => ("", &[("-z", Runs), ("-w", Writes)]),
        "nmap" => ("", &[("--script", Runs), ("-oN", Writes), ("-oX", Writes)]),
        "nc" | "ncat" | "netcat" => {
            ("", &[("-e", Runs), ("-c", Runs), ("--exec", Runs), ("--sh-exec", Runs), ("--lua-exec", Runs)])
        }
        "split" | "gsplit" => ("", &[("--filter", Runs)]),
        "fzf" => ("", &[("--preview", Runs), ("--bind", Runs), ("--history", Writes)]),
        "jq" => ("", &[]),
        "yq" => (
            "",
            &[
                ("-i", Asks),
                ("--inplace", Asks),
                ("--split-exp", Asks),
                ("-s", Asks),
                ("--enable-system-operator", Runs),
                ("--security-enable-system-operator", Runs),
            ],
        ),
        "tree" | "iconv" | "shuf" | "gpg" | "openssl" | "xmllint" | "protoc" | "dot" | "time" => (
            "",
            &[
                ("-o", Writes),
                ("--output", Writes),
                ("-out", Writes),
                ("--out", Writes),
                ("-engine", Runs),
                ("-provider", Runs),
                ("--plugin", Runs),
                ("--filter", Runs),
                ("-F", Asks),
                ("--lua-filter", Runs),
                ("--pdf-engine", Runs),
                ("--extract-media", Writes),
                ("--descriptor_set_out", Writes),
            ],
        ),
        "pandoc" => (
            "oLF",
            &[
                ("-o", Writes),
                ("--output", Writes),
                ("-F", Runs),
                ("--filter", Runs),
                ("-L", Runs),
                ("--lua-filter", Runs),
                ("--pdf-engine", Runs),
                ("--extract-media", Writes),
                ("-d", Asks),
                ("--defaults", Asks),
            ],
        ),
        "date" => ("df", &[("-s", Asks), ("--set", Asks)]),
        "file" => ("", &[("-C", Asks), ("--compile", Asks), ("-m", Nothing)]),
        "hostname" => ("", &[("-F", Asks), ("-b", Asks)]),
        "gh" => ("RB", &[("--web", Asks), ("-w", Asks)]),
        "pdflatex" | "xelatex" | "lualatex" | "latex" | "tex" => (
            "",
            &[
                ("-shell-escape", Runs),
                ("--shell-escape", Runs),
                ("-enable-write18", Runs),
                ("-output-directory", Writes),
            ],
        ),
        "apt" | "apt-get" | "aptitude" | "dpkg" | "yum" | "dnf" => {
            ("", &[("-o", Runs), ("--option", Runs), ("-c", Runs), ("--config-file", Runs)])
        }
        "mvn" | "gradle" | "gradlew" | "mvnw" | "ant" | "sbt" => (
            "fsIb",
            &[
                ("-I", Runs),
                ("--init-script", Runs),
                ("-f", Asks),
                ("-b", Asks),
                ("-s", Asks),
                ("-gs", Asks),
                ("-p", Enters),
                ("--project-dir", Enters),
                ("-g", Enters),
                ("--gradle-user-home", Enters),
                ("-javaagent", Runs),
                ("-Dmaven.ext.class.path", Runs),
                ("-Dexec.", Runs),
                ("-Dorg.gradle.jvmargs", Runs),
            ],
        ),
        "strings" | "nm" | "objdump" | "readelf" | "ld" => ("", &[("--plugin", Runs), ("-plugin", Runs)]),
        "composer" | "bundle" | "gem" | "mix" => (
            "",
            &[("-d", Enters), ("--working-dir", Enters), ("--gemfile", Asks), ("--install-dir", Writes), ("-e", Runs)],
        ),
        "psql" | "mysql" | "mariadb" => (
            "fvcdhpUePu",
            &[
                ("-f", Asks),
                ("--file", Asks),
                ("-o", Writes),
                ("--output", Writes),
                ("-L", Writes),
                ("--log-file", Writes),
                ("--tee", Writes),
                ("--pager", Runs),
                ("--plugin-dir", Runs),
                ("--defaults-file", Runs),
                ("--defaults-extra-file", Runs),
                ("--init-command", Asks),
            ],
        ),
        "sqlite3" => ("", &[("-init", Asks), ("--init", Asks)]),
        "hg" => (
            "R",
            &[("--config", Runs), ("--config-file", Runs), ("-R", Enters), ("--repository", Enters), ("--cwd", Enters)],
        ),
        "svn" => (
            "",
            &[
                ("--config-option", Runs),
                ("--config-dir", Runs),
                ("--diff-cmd", Runs),
                ("--diff3-cmd", Runs),
                ("--editor-cmd", Runs),
            ],
        ),
        "bazel" | "bazelisk" => (
            "",
            &[
                ("--run_under", Runs),
                ("--bazelrc", Runs),
                ("--action_env", Asks),
                ("--test_env", Asks),
                ("--output_user_root", Enters),
                ("--output_base", Enters),
                ("--workspace_status_command", Runs),
                ("--shell_executable", Runs),
            ],
        ),
        "ctest" => ("S", &[("-S", Runs), ("--script", Runs), ("--build-and-test", Runs), ("--test-dir", Enters)]),
        "rspec" | "rubocop" => (
            "rIo",
            &[
                ("-r", Runs),
                ("--require", Runs),
                ("--plugin", Runs),
                ("-I", Enters),
                ("-O", Asks),
                ("--options", Asks),
                ("-c", Asks),
                ("--config", Asks),
                ("-o", Writes),
                ("--out", Writes),
                ("-f", Loads),
                ("--format", Loads),
            ],
        ),
        "phpunit" | "phpstan" => (
            "c",
            &[
                ("--bootstrap", Runs),
                ("--prepend", Runs),
                ("--extension", Runs),
                ("-a", Runs),
                ("--autoload-file", Runs),
                ("-c", Asks),
                ("--configuration", Asks),
                ("--log-junit", Writes),
                ("--coverage-html", Writes),
                ("--coverage-clover", Writes),
            ],
        ),
        "coverage" => (
            "odm",
            &[("--rcfile", Asks), ("-d", Writes), ("--directory", Writes), ("-o", Writes), ("--data-file", Writes)],
        ),
        "gunicorn" | "uvicorn" | "flask" | "celery" => (
            "cA",
            &[("-c", Runs), ("--config", Runs), ("--pythonpath", Enters), ("--app-dir", Enters), ("--chdir", Enters)],
        ),
        "latexmk" => ("er", &[("-e", Runs), ("-r", Runs), ("-pdflatex", Runs), ("-latex", Runs), ("-lualatex", Asks)]),
        "dotnet" => (
            "op",
            &[
                ("-o", Writes),
                ("--output", Writes),
                ("--settings", Asks),
                ("--artifacts-path", Writes),
                ("--test-adapter-path", Runs),
                ("-p:PreBuildEvent", Runs),
                ("-p:PostBuildEvent", Runs),
            ],
        ),
        "tox" | "nox" | "mkdocs" | "sphinx-build" => {
            ("cfd", &[("-c", Asks), ("-f", Asks), ("-d", Writes), ("--site-dir", Writes), ("--workdir", Writes)])
        }
        "strace" | "ltrace" | "perf" => ("eops", &[("-o", Writes)]),
        "valgrind" => ("", &[("--log-file", Writes), ("--db-command", Runs)]),
        "diff" | "colordiff" | "delta" => ("", &[("--pager", Runs)]),
        "column" | "ls" | "cat" | "grep" | "egrep" | "fgrep" | "head" | "tail" | "wc" | "echo" | "printf" | "git"
        | "find" | "fd" | "sed" | "awk" | "gawk" => ("", &[]),
        _ => ("", ANY),
    }
}

/// What options of these names mean for a program that is not known.
const ANY: &[(&str, Effect)] = &[
    ("--exec", Runs),
    ("--eval", Runs),
    ("--compress-program", Runs),
    ("--use-compress-program", Runs),
    ("--to-command", Runs),
    ("--pager", Runs),
    ("--editor", Runs),
    ("--rsh", Runs),
    ("--script-shell", Runs),
    ("--require", Runs),
    ("--plugin", Runs),
    ("--preload", Runs),
    ("--init-script", Runs),
    ("--output", Writes),
    ("--output-file", Writes),
    ("--out-dir", Writes),
    ("--outdir", Writes),
    ("--output-dir", Writes),
    ("--log-file", Writes),
    ("--cwd", Enters),
    ("--chdir", Enters),
    ("--working-dir", Enters),
    ("--working-directory", Enters),
    ("--project-dir", Enters),
    ("--dangerously-skip-permissions", Runs),
    ("--yolo", Runs),
];

/// What a word does, if it is one of the options. Long ones may be shortened, letters may stand in a bundle.
pub(super) fn find(name: &str, spec: Spec, text: &str) -> Option<Found> {
    if text.len() < 2 || !text.starts_with('-') {
        return None;
    }
    let (head, value) = match text.split_once('=') {
        Some((head, value)) => (head, Some(value.to_owned())),
        None => (text, None),
    };
    // For programs that are not known, names are not shortened: `--out` may be anything.
    let known = !std::ptr::eq(spec.1, ANY) && shortens(name);
    for (option, effect) in spec.1 {
        let whole = *option == head;
        let short_form = known
            && head.len() >= 4
            && head.starts_with("--")
            && option.starts_with(head)
            && !spec.1.iter().any(|(other, _)| *other == head);
        if whole || short_form {
            let takes_next = value.is_none() && matches!(effect, Writes | Enters | Loads | Nothing);
            return Some(Found { option: (*option).to_owned(), effect: *effect, inline: value, takes_next });
        }
        // `-fplugin=x`, `-J-javaagent:x`, `-oN`.
        if option.len() > 2 && !option.starts_with("--") && text.starts_with(option) && matches!(effect, Effect::Runs) {
            return Some(Found { option: (*option).to_owned(), effect: *effect, inline: value, takes_next: false });
        }
    }
    if text.starts_with("--") || matches!(name, "go" | "javac" | "terraform" | "tofu" | "mvn") {
        return None;
    }
    let letters: Vec<char> = text.chars().skip(1).collect();
    if letters.first().is_some_and(|first| first.is_whitespace()) {
        // A text that begins with a dash and a blank is a list, no option.
        return None;
    }
    for (at, letter) in letters.iter().enumerate() {
        let option = format!("-{letter}");
        let rest: String = letters[at + 1..].iter().collect();
        if let Some((_, effect)) = spec.1.iter().find(|(known, _)| *known == option) {
            let valued = matches!(effect, Writes | Enters | Loads | Nothing) || spec.0.contains(*letter);
            let inline = (!rest.is_empty() && valued).then(|| rest.trim_start_matches('=').to_owned());
            let takes_next = rest.is_empty() && valued;
            return Some(Found { option, effect: *effect, inline, takes_next });
        }
        if spec.0.contains(*letter) {
            return None;
        }
    }
    None
}

/// True for the options of a program that is not known.
pub(super) fn is_unknown(spec: Spec) -> bool {
    std::ptr::eq(spec.1, ANY)
}

/// True for programs that write to the files they are given.
pub(super) fn formats(name: &str, args: &[crate::walk::Arg]) -> bool {
    let says = |words: &[&str]| args.iter().any(|arg| words.contains(&arg.text()));
    match name {
        "black" | "isort" | "rustfmt" | "djlint" => true,
        "ruff" => says(&["format", "--fix"]),
        "gofmt" | "goimports" => says(&["-w"]),
        "autopep8" | "yapf" | "clang-format" => says(&["-i", "--in-place"]),
        "rubocop" => says(&["-a", "-A", "--autocorrect", "--autocorrect-all"]),
        _ => false,
    }
}

/// Programs that take a long option by its beginning.
fn shortens(name: &str) -> bool {
    !matches!(
        name,
        "rg" | "bat"
            | "batcat"
            | "cargo"
            | "docker"
            | "podman"
            | "docker-compose"
            | "kubectl"
            | "helm"
            | "gh"
            | "eslint"
            | "jest"
            | "vitest"
            | "mocha"
            | "prettier"
            | "stylelint"
            | "webpack"
            | "vite"
            | "rollup"
            | "tsc"
            | "babel"
            | "ava"
            | "playwright"
            | "cypress"
            | "esbuild"
            | "ruff"
            | "pytest"
            | "fzf"
            | "go"
            | "just"
    )
}

/// Programs none of whose options runs or writes anything.
pub(crate) fn is_harmless(name: &str) -> bool {
    matches!(
        name,
        "cat"
            | "ls"
            | "echo"
            | "printf"
            | "head"
            | "tail"
            | "wc"
            | "cut"
            | "tr"
            | "grep"
            | "egrep"
            | "fgrep"
            | "zgrep"
            | "pwd"
            | "basename"
            | "dirname"
            | "realpath"
            | "readlink"
            | "stat"
            | "du"
            | "df"
            | "diff"
            | "cmp"
            | "comm"
            | "paste"
            | "fold"
            | "fmt"
            | "nl"
            | "tac"
            | "rev"
            | "seq"
            | "sleep"
            | "uname"
            | "whoami"
            | "id"
            | "groups"
            | "which"
            | "whereis"
            | "md5sum"
            | "sha1sum"
            | "sha256sum"
            | "sha512sum"
            | "shasum"
            | "cksum"
            | "expr"
            | "jq"
            | "ps"
            | "free"
            | "uptime"
            | "nproc"
            | "arch"
            | "printenv"
            | "join"
            | "expand"
            | "unexpand"
            | "od"
            | "hexdump"
            | "strings"
            | "test"
            | "["
            | "true"
            | "false"
            | "lsof"
            | "pgrep"
            | "factor"
            | "numfmt"
            | "tsort"
            | "dircolors"
            | "locale"
            | "cal"
            | "base64"
            | "base32"
            | "zcat"
            | "mkdir"
            | "touch"
            | "rmdir"
    )
}

/// Programs that run what files of the project say.
pub(super) fn runs_project_code(name: &str) -> bool {
    matches!(
        name,
        "make"
            | "gmake"
            | "npm"
            | "pnpm"
            | "yarn"
            | "bun"
            | "npx"
            | "cargo"
            | "go"
            | "pytest"
            | "tox"
            | "nox"
            | "jest"
            | "vitest"
            | "mocha"
            | "eslint"
            | "webpack"
            | "vite"
            | "gradle"
            | "gradlew"
            | "mvn"
            | "ant"
            | "sbt"
            | "rake"
            | "bundle"
            | "just"
            | "task"
            | "cmake"
            | "ninja"
            | "composer"
            | "mix"
            | "deno"
            | "pre-commit"
            | "docker"
            | "docker-compose"
            | "terraform"
            | "ansible-playbook"
            | "pip"
            | "pip3"
            | "uv"
            | "poetry"
            | "rspec"
            | "phpunit"
            | "tsc"
            | "prettier"
            | "playwright"
            | "cypress"
            | "turbo"
            | "nx"
            | "lerna"
    ) || name.contains("./")
}
