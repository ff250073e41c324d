// The Debian package, made with dpkg-deb alone: the binary, man pages, completions, licences, and a systemd unit of the person's own that
// is off until they switch it on. Nothing runs when it is installed or removed, so removing it leaves data and sessions alone.

import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { run } from "../build-steps.mjs";

const UNIT = `[Unit]
Description=Answerback: answer your AI coding agents from your phone
Requires=answerback.socket
After=answerback.socket

[Service]
ExecStart=/usr/bin/answerback serve
WorkingDirectory=%h
Restart=on-failure
RestartSec=2
# Only the server is stopped; tmux and the CLIs in it run on.
KillMode=process

[Install]
WantedBy=default.target
`;

const SOCKET = `[Unit]
Description=The port of Answerback, held while it is stopped as well

[Socket]
ListenStream=127.0.0.1:4700
Backlog=1024
NoDelay=true

[Install]
WantedBy=sockets.target
`;

/** Returns nothing where there is no dpkg-deb, and says so. */
export function makeDebian({ version, summary, processor, files }, out) {
  if (spawnSync("dpkg-deb", ["--version"]).status !== 0) {
    console.log("(no dpkg-deb here: the Debian package is left out)");
    return undefined;
  }
  const tree = join(out, ".debian");
  const put = (from, to) => {
    mkdirSync(join(tree, to, ".."), { recursive: true });
    cpSync(from, join(tree, to));
  };
  const write = (to, content) => {
    mkdirSync(join(tree, to, ".."), { recursive: true });
    writeFileSync(join(tree, to), content);
  };
  put(join(files, "answerback"), "usr/bin/answerback");
  for (const page of readdirSync(join(files, "man"))) {
    write(`usr/share/man/man1/${page}.gz`, gzipSync(readFileSync(join(files, "man", page)), { level: 9 }));
  }
  put(join(files, "completions/answerback"), "usr/share/bash-completion/completions/answerback");
  put(join(files, "completions/_answerback"), "usr/share/zsh/vendor-completions/_answerback");
  put(join(files, "completions/answerback.fish"), "usr/share/fish/vendor_completions.d/answerback.fish");
  put(join(files, "LICENSE"), "usr/share/doc/answerback/copyright");
  for (const name of ["README.md", "THIRD-PARTY-LICENCES.txt"]) put(join(files, name), `usr/share/doc/answerback/${name}`);
  write("usr/share/doc/answerback/changelog.gz", gzipSync(readFileSync(join(files, "CHANGELOG.md")), { level: 9 }));
  write("usr/lib/systemd/user/answerback.service", UNIT);
  write("usr/lib/systemd/user/answerback.socket", SOCKET);
  run("setting rights", "chmod", ["-R", "u=rwX,go=rX", tree]);
  chmodSync(join(tree, "usr/bin/answerback"), 0o755);
  write("DEBIAN/control", control({ version, summary, processor, tree }));
  const path = join(out, `answerback_${version}_${processor.debian}.deb`);
  run("packing the Debian package", "dpkg-deb", ["--root-owner-group", "--build", tree, path]);
  rmSync(tree, { recursive: true });
  return path;
}

function control({ version, summary, processor, tree }) {
  const kilobytes = spawnSync("du", ["-sk", tree], { encoding: "utf8" }).stdout.split("\t")[0];
  return `Package: answerback
Version: ${version}
Architecture: ${processor.debian}
Maintainer: The Answerback maintainers <answerback@localhost>
Installed-Size: ${kilobytes}
Depends: ${["tmux (>= 3.3)", `libc6 (>= ${libc(join(tree, "usr/bin/answerback"))})`, "libgcc-s1"].join(", ")}
Section: utils
Priority: optional
Description: ${summary.replace(/\.$/, "")}
 Answerback runs Claude Code, Codex, Gemini CLI or any other program in tmux,
 shows every question they ask on your phone, and carries your answer back.
`;
}

/** The newest version of the C library that the binary asks for. */
function libc(binary) {
  const text = readFileSync(binary).toString("latin1");
  const versions = [...text.matchAll(/GLIBC_(\d+)\.(\d+)/g)].map(([, major, minor]) => [Number(major), Number(minor)]);
  const [major, minor] = versions.sort(([a, b], [c, d]) => a - c || b - d).at(-1) ?? [2, 36];
  return `${major}.${minor}`;
}
