// What this machine must have: checked before anything is built, each with one clear sentence when it is missing.
// Uses only what Node itself brings, because it runs before the npm packages are installed.

import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NODE = "20.19";
const RUST = "1.93";
const TMUX = "3.3";

/** Ends with one sentence. */
export function fail(sentence) {
  console.error(`answerback: ${sentence}`);
  process.exit(1);
}

export function needNode() {
  if (isOlder(process.versions.node, NODE)) fail(`Node ${NODE} or newer is needed, this is ${process.versions.node}: see https://nodejs.org`);
}

export function needRust() {
  const version = versionOf("cargo", ["--version"]);
  if (version === undefined) fail("Rust is needed to build the server: install it from https://rustup.rs and start again");
  if (isOlder(version, RUST)) fail(`Rust ${RUST} or newer is needed, this is ${version}: run \`rustup update\``);
}

export function needTmux() {
  if (versionOf("tmux", ["-V"]) === undefined) install("tmux", "tmux");
  const version = versionOf("tmux", ["-V"]);
  if (version === undefined) fail("tmux was installed but does not start");
  if (isOlder(version, TMUX)) fail(`tmux ${TMUX} or newer is needed, this is ${version}: update it with your package manager`);
}

/** The path of a Chromium for the browser stories; best the one without windows, which takes a fifth less of the processor. */
export function needChromium() {
  const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const find = () => process.env.ANSWERBACK_CHROMIUM ?? names.map(onPath).find((path) => path !== undefined);
  if (find() === undefined) install("chromium", onPath("apt-get") ? "chromium-headless-shell" : "chromium");
  return find() ?? fail("chromium was installed but is not on the PATH: name it with ANSWERBACK_CHROMIUM");
}

function versionOf(program, args) {
  const result = spawnSync(program, args, { encoding: "utf8" });
  if (result.error !== undefined || result.status !== 0) return undefined;
  return /\d+\.\d+[\w.]*/.exec(result.stdout)?.[0] ?? "0.0";
}

/** Compares the first two numbers. */
function isOlder(version, wanted) {
  const [major, minor] = version.split(".").map((part) => Number.parseInt(part, 10));
  const [wantedMajor, wantedMinor] = wanted.split(".").map(Number);
  return major < wantedMajor || (major === wantedMajor && minor < wantedMinor);
}

/** Installs a package where that can be done without asking for a password; otherwise names the command. */
function install(what, name) {
  const managers = [
    { program: "apt-get", commands: [["apt-get", "update", "-q"], ["apt-get", "install", "-y", "-q", "--no-install-recommends", name]] },
    { program: "dnf", commands: [["dnf", "install", "-y", name]] },
    { program: "pacman", commands: [["pacman", "-S", "--noconfirm", name]] },
    { program: "apk", commands: [["apk", "add", name]] },
    { program: "brew", commands: [["brew", "install", name]], ownUser: true },
  ];
  const manager = managers.find(({ program }) => onPath(program) !== undefined);
  if (manager === undefined) fail(`${what} is needed: install it with your package manager and start again`);
  const last = manager.commands.at(-1).join(" ");
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && !manager.ownUser) fail(`${what} is needed: run \`sudo ${last}\` and start again`);
  console.log(`Installing ${what}: ${last}`);
  for (const [program, ...args] of manager.commands) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const result = spawnSync(program, args, { stdio: "inherit", env });
    if (result.status !== 0) fail(`${what} could not be installed: run \`${last}\` yourself and start again`);
  }
}

function onPath(program) {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not there; the next folder.
    }
  }
  return undefined;
}
