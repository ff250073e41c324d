// `npm test` and its parts. Installs what is missing, runs everything, and ends with the plain count `N passed, N failed`.

import { AsyncLocalStorage } from "node:async_hooks";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { buildPage, installClis, installPackages, root, run } from "./build-steps.mjs";
import { fail, hasSandbox, needChromium, needNode, needRust, needTmux } from "./needs.mjs";

/** How many Rust tests run at once: most wait for a terminal or a deadline, and keep no core busy meanwhile. */
const RUST_THREADS = "8";
/** Every Rust test, and the binary that all stories run: built the same way everywhere, so that nothing is compiled twice. */
const BUILD = ["test", "--workspace", "--locked", "--no-run"];
/** The stories with the real CLIs are no part of an ordinary `cargo test`: this feature adds them. */
const LIVE = ["--features", "answerback-tests/live"];
/** How many of them run at once: more CLIs than this starting together make each other slow. */
const LIVE_THREADS = 3;

const STEPS = {
  format: { name: "Rust formatting", run: () => check("cargo", ["fmt", "--all", "--check"]) },
  clippy: {
    name: "clippy, warnings denied",
    run: () => check("cargo", ["clippy", "--workspace", "--all-targets", ...LIVE, "--locked", "--", "-D", "warnings"]),
  },
  build: { name: "building the Rust tests", run: () => check("cargo", BUILD) },
  lint: { name: "web lint and types", run: () => check("npm", ["run", "--silent", "lint", "--workspaces"]) },
  cargo: { name: "Rust tests", run: cargoTests },
  vitest: { name: "web unit tests", run: vitest },
  stories: { name: "browser stories", run: stories },
  faults: { name: "fault campaign", run: faultCampaign },
  clis: { name: "stories with the real CLIs", run: liveStories },
};

/** What stands in a list of its own runs side by side: while Rust tests wait for terminals, the page is checked. */
const PARTS = {
  all: ["format", "clippy", "build", ["cargo", "lint", "vitest"], "stories", "faults", "clis"],
  quick: ["format", "clippy", "build", ["cargo", "lint", "vitest"]],
  rust: ["format", "clippy", "build", "cargo"],
  web: ["lint", "vitest"],
  e2e: ["stories"],
  faults: ["faults"],
  clis: ["clis"],
  check: ["format", "clippy", "lint"],
};

const [part = "all", ...rest] = process.argv.slice(2);
const steps = PARTS[part] ?? fail(`there is no part ${part}: choose ${Object.keys(PARTS).join(", ")}`);

needNode();
needRust();
needTmux();
if (steps.includes("stories") || steps.includes("clis")) process.env.ANSWERBACK_CHROMIUM = needChromium();
installPackages();
// The server carries the page, so it comes first.
buildPage();

/** Where the output of a step goes that runs beside another: it is shown when that is done. */
const aside = new AsyncLocalStorage();
const total = { passed: 0, failed: 0 };
for (const [first, ...beside] of steps.map((step) => [step].flat())) {
  const kept = [];
  const others = aside.run({ write: (text) => kept.push(text) }, async () => {
    for (const key of beside) await step(key);
  });
  await step(first);
  await others;
  for (const text of kept) process.stdout.write(text);
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);

async function step(key) {
  const { name, run: runStep } = STEPS[key];
  say(`\n== ${name}\n`);
  const began = Date.now();
  const { passed, failed } = await runStep();
  say(`== ${name}: ${passed} passed, ${failed} failed, ${((Date.now() - began) / 1000).toFixed(1)} s\n`);
  total.passed += passed;
  total.failed += failed;
}

function say(text) {
  (aside.getStore() ?? process.stdout).write(text);
}

/** A step that is one yes or no. */
async function check(program, args) {
  const { code } = await shown(program, args);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function cargoTests() {
  const args = ["test", "--workspace", "--locked", "--no-fail-fast", ...rest];
  return countTests(await shown("cargo", args, { RUST_TEST_THREADS: process.env.RUST_TEST_THREADS ?? RUST_THREADS }));
}

/** `[claude|codex|gemini …] [--versions all] [more for the tests]` */
async function liveStories() {
  const { values, positionals } = parseArgs({
    args: part === "clis" ? rest : ["claude", "codex", "gemini"],
    options: { versions: { type: "string", default: "newest" } },
    allowPositionals: true,
  });
  const sets = { newest: ["newest"], older: ["older"], all: ["newest", "older"] }[values.versions];
  if (sets === undefined) fail(`--versions is newest, older or all, not ${values.versions}`);
  // Before the network is taken away.
  for (const set of sets) installClis(set);
  buildBinary();
  run("building the stories", "cargo", ["test", "--quiet", "--workspace", ...LIVE, "--test", "live", "--locked", "--no-run"]);
  const isCli = (name) => ["claude", "codex", "gemini"].includes(name);
  const filters = positionals.map((name) => (isCli(name) ? `${name}::` : name));
  const leftOut = hasSandbox() ? [] : ["--skip", "claude::sandbox"];
  if (leftOut.length > 0) console.log("(no bubblewrap and socat that work: the story of Claude Code's sandbox is left out)");
  const total = { passed: 0, failed: 0 };
  for (const set of sets) {
    console.log(`-- the ${set} versions`);
    const cargo = ["cargo", "test", "--quiet", "--workspace", ...LIVE, "--test", "live", "--locked", "--offline"];
    const tests = [`--test-threads=${LIVE_THREADS}`, ...leftOut, ...filters];
    const [program, ...args] = onLoopbackOnly([...cargo, "--", ...tests]);
    const results = [countTests(await shown(program, args, { ANSWERBACK_CLIS: set }))];
    if (positionals.every(isCli)) results.push(await browserStories(set, positionals));
    for (const { passed, failed } of results) {
      total.passed += passed;
      total.failed += failed;
    }
  }
  return total;
}

/** The same CLIs with the page in a browser. */
function browserStories(set, names) {
  const only = names.length > 0 ? ["--grep", names.map((name) => `${name} asks`).join("|")] : [];
  return playwright(["--project", "clis", ...only], { ANSWERBACK_CLIS: set }, onLoopbackOnly);
}

/** `[--rounds N] [--seed S] [--first R] [--verbose]`: each round that holds is one test passed. */
async function faultCampaign() {
  buildBinary();
  const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
  const args = part === "faults" ? rest : ["--rounds", "200"];
  const { code, output } = await shown(join(target, "debug", "faults"), args);
  const number = (pattern) => Number(output.match(pattern)?.[1] ?? 0);
  const violations = number(/\*\*violations\*\* \| \*\*(\d+)\*\*/);
  const failed = code === 0 ? violations : Math.max(1, violations);
  return { passed: Math.max(0, number(/^\| rounds \| (\d+)/m) - failed), failed };
}

function countTests({ code, output }) {
  const results = [...output.matchAll(/^test result: .*? (\d+) passed; (\d+) failed;/gm)];
  const sum = (group) => results.reduce((all, result) => all + Number(result[group]), 0);
  // A test binary that crashes or does not build counts as one failure: it prints no result of its own.
  return { passed: sum(1), failed: code === 0 ? sum(2) : Math.max(1, sum(2)) };
}

async function vitest() {
  return withReport(async (report) => {
    const args = ["run", "--silent", "test", "--workspace", "web", "--", "--reporter=default", "--reporter=json"];
    const { code } = await shown("npm", [...args, `--outputFile.json=${report}`]);
    const { numPassedTests = 0, numFailedTests = 0 } = readReport(report);
    return { passed: numPassedTests, failed: code === 0 ? numFailedTests : Math.max(1, numFailedTests) };
  });
}

async function stories() {
  buildBinary();
  return playwright(rest);
}

function buildBinary() {
  run("building the server", "cargo", [...BUILD, "--quiet"]);
}

function playwright(args, variables = {}, wrapped = (command) => command) {
  return withReport(async (report) => {
    const env = { ...variables, PLAYWRIGHT_JSON_OUTPUT_NAME: report };
    const npm = ["npm", "run", "--silent", "stories", "--workspace", "tests/web", "--", ...args];
    const [program, ...rest] = wrapped(npm);
    const { code } = await shown(program, rest, env);
    const { expected = 0, unexpected = 0, flaky = 0 } = readReport(report).stats ?? {};
    // A story that passes only at the second try is a failure: it hides a race.
    return { passed: expected, failed: code === 0 ? unexpected + flaky : Math.max(1, unexpected + flaky) };
  });
}

/** A command in a network of its own that has nothing but loopback, where the machine can do that. */
function onLoopbackOnly(command) {
  const asRoot = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  const isolated = (inner) => ["unshare", ...asRoot, "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", ...inner];
  const [program, ...args] = isolated(["true"]);
  if (spawnSync(program, args, { stdio: "ignore" }).status === 0) return isolated(command);
  console.log("(this machine cannot take the network away: the CLIs are only told not to use it)");
  return command;
}

/** Runs a program with its output shown and kept. */
function shown(program, args, env = {}) {
  return new Promise((resolve) => {
    const errors = aside.getStore() ? "pipe" : "inherit";
    const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", errors] });
    let output = "";
    child.stdout.on("data", (chunk) => {
      say(chunk);
      output += chunk;
    });
    child.stderr?.on("data", say);
    child.on("error", (error) => {
      console.error(`${program}: ${error.message}`);
      resolve({ code: 1, output });
    });
    child.on("close", (code) => resolve({ code, output }));
  });
}

async function withReport(work) {
  const folder = mkdtempSync(join(tmpdir(), "answerback-test-"));
  try {
    return await work(join(folder, "report.json"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return {};
  }
}
