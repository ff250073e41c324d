// The steps from a clone to the binary, each skipped when nothing it depends on has changed.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { fail } from "./needs.mjs";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Runs a program in the project's folder with its output shown; ends when it fails. */
export function run(what, program, args, env = {}) {
  const result = spawnSync(program, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
  if (result.error !== undefined) fail(`${what}: ${result.error.message}`);
  if (result.status !== 0) fail(`${what} failed; what it said is above`);
}

export function installPackages() {
  // npm writes this file when it has installed everything that the lock file names.
  const stamp = join(root, "node_modules/.answerback-lock");
  const lock = fingerprint([join(root, "package-lock.json")]);
  if (isCurrent(stamp, lock)) return;
  console.log("Installing npm packages…");
  run("installing npm packages", "npm", ["ci", "--no-audit", "--no-fund"]);
  writeFileSync(stamp, lock);
}

/** Installs one set of the CLIs that the live stories run. */
export function installClis(set) {
  const folder = join(root, "tests/clis", set);
  const stamp = join(folder, "node_modules/.answerback-lock");
  const lock = fingerprint([join(folder, "package-lock.json")]);
  if (isCurrent(stamp, lock)) return;
  console.log(`Installing the ${set} CLIs for the live stories; they are large, so this takes a minute…`);
  // Their scripts would compile what they work without. Two need their own: see `setUpClis`.
  // Not `npm ci`: it refuses a lock without the packages for other machines, and not every registry has those.
  const npm = ["install", "--no-save", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
  run(`installing the ${set} CLIs`, "npm", npm);
  setUpClis(folder);
  writeFileSync(stamp, lock);
}

/** Lets the CLIs of a folder that need a script of their own run it. */
export function setUpClis(folder) {
  for (const [name, script] of [
    ["Claude Code", "@anthropic-ai/claude-code/install.cjs"],
    ["opencode", "opencode-ai/postinstall.mjs"],
  ]) {
    const install = join(folder, "node_modules", script);
    if (existsSync(install)) run(`setting up ${name}`, "node", [install]);
  }
}

export function buildPage() {
  const web = join(root, "web");
  const inputs = ["src", "public", "scripts", "index.html", "package.json", "vite.config.ts", "tsconfig.json"];
  const stamp = join(root, "target/page-built");
  const sources = fingerprint([...inputs.map((name) => join(web, name)), join(root, "package-lock.json")]);
  if (isCurrent(stamp, sources) && existsSync(join(web, "dist/index.html"))) return;
  console.log("Building the page…");
  run("building the page", "npm", ["run", "--silent", "build", "--workspace", "web"]);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, sources);
}

/** Builds the server with the page inside; cargo knows by itself what has changed. Returns the binary's path. */
export function buildServer() {
  const binary = join(root, "target/release/answerback");
  if (!existsSync(binary)) console.log("Building the server; the first time this takes a few minutes…");
  run("building the server", "cargo", ["build", "--release", "--locked", "--package", "answerback"]);
  return binary;
}

function isCurrent(stamp, content) {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === content;
}

/** A hash over the names and contents of all files below the given paths. */
function fingerprint(paths) {
  const hash = createHash("sha256");
  const visit = (path) => {
    if (!existsSync(path)) return;
    const entries = tryReadFolder(path);
    if (entries === undefined) {
      hash.update(`${relative(root, path)}\0`).update(readFileSync(path)).update("\0");
    } else {
      for (const entry of entries.sort()) visit(join(path, entry));
    }
  };
  paths.forEach(visit);
  return hash.digest("hex");
}

function tryReadFolder(path) {
  try {
    return readdirSync(path);
  } catch {
    return undefined;
  }
}
