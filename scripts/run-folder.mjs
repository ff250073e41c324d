// A folder of its own for every run of the tests: all temporary files and tmux sockets are made in it, so that two runs side by
// side never meet, and what is still there at the end was left behind.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** How long what was told to end may take for it, in milliseconds. */
const END_LIMIT = 5000;
/** What the tools keep there for their next run; they mean to. */
const CACHES = /^(node-compile-cache|v8-compile-cache|playwright-transform-cache|\.org\.chromium|tmux-\d+$|opencode$)/;

/** Makes the folder, and lets everything that is started from now on use it. It goes when this program ends. */
export function openRunFolder() {
  // Short, because the path of a socket may have no more than a hundred letters.
  const folder = mkdtempSync(join(tmpdir(), "ab-run-"));
  Object.assign(process.env, { TMPDIR: folder, TMUX_TMPDIR: folder });
  process.on("exit", () => {
    endAll(processesOf(folder));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(1));
  return folder;
}

/** What a run has left behind, one sentence each. */
export function leftBehind(folder) {
  const processes = processesOf(folder).map(({ pid, words }) => `process ${pid} still runs: ${words}`);
  const files = readdirSync(folder).filter((name) => !CACHES.test(name));
  const sockets = socketsIn(folder).map((name) => `the socket of a tmux server: ${name}`);
  return [...processes, ...sockets, ...files.map((name) => `a temporary file or folder: ${name}`)];
}

function socketsIn(folder) {
  const servers = readdirSync(folder).filter((name) => /^tmux-\d+$/.test(name));
  return servers.flatMap((name) => readdirSync(join(folder, name)));
}

/** The processes that were started with this folder for their temporary files; none where the system does not tell. */
function processesOf(folder) {
  return numbersIn("/proc").flatMap((pid) => {
    if (pid === process.pid) return [];
    const tell = (name) => tryRead(`/proc/${pid}/${name}`).split("\0");
    const isOurs = tell("environ").some((line) => line.startsWith(`TMPDIR=${folder}`) || line.startsWith(`TMUX_TMPDIR=${folder}`));
    // npm, which runs this, was there before the folder; whatever has no words any more has ended.
    const words = tell("cmdline").join(" ").trim();
    return isOurs && words !== "" ? [{ pid, words: words.slice(0, 100) }] : [];
  });
}

function endAll(processes) {
  for (const { pid } of processes) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
  const ends = Date.now() + END_LIMIT;
  while (processes.some(({ pid }) => isAlive(pid)) && Date.now() < ends) spawnSync("sleep", ["0.05"]);
}

function isAlive(pid) {
  return tryRead(`/proc/${pid}/cmdline`) !== "";
}

function numbersIn(folder) {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function tryRead(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
