// `npm test` and its parts. Installs what is missing, runs everything, and ends with the plain count `N passed, N failed, N skipped`.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { buildPage, installClis, installPackages, root, run } from "./build-steps.mjs";
import { NOTHING, countRounds, inWords, isGreen, oneCheck, playwrightTests, rustTestsTwice, sum, vitestTests } from "./counts.mjs";
import { checkDependencies } from "./dependencies.mjs";
import { fail, needChromium, needNode, needRust, needTmux } from "./needs.mjs";
import { keepingBack, say, shown } from "./output.mjs";
import { repeat } from "./repeat.mjs";
import { leftBehind, openRunFolder } from "./run-folder.mjs";

/** How many Rust tests run at once: most wait for a terminal or a deadline, and keep no core busy meanwhile. */
const RUST_THREADS = "8";
/** Every Rust test, and the binary that all stories run: built the same way everywhere, so that nothing is compiled twice. */
const BUILD = ["test", "--workspace", "--locked", "--no-run"];
/** The stories with the real CLIs are no part of an ordinary `cargo test`: this feature adds them. */
const LIVE = ["--features", "answerback-tests/live"];
const LIVE_BUILD = ["test", "--workspace", ...LIVE, "--test", "live", "--locked"];
/** How many of them run at once: CLIs that start together on two cores make each other slow, and time their own keys. */
const LIVE_THREADS = 1;
/** What a story that failed is given: another try, which is counted apart. Hunting a race is done without it. */
const ONCE_MORE = ["--retries=1"];
/** The CLIs that the live stories are told with. */
const CLIS = ["claude", "codex", "gemini", "qwen", "opencode", "copilot"];
/** Those of them whose chat is told in a browser as well: the conversation of the others is not read. */
const CLIS_WITH_CHAT = ["claude", "codex", "gemini", "copilot"];

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
  dependencies: { name: "what others have written", run: checkDependencies },
  repeat: { name: "again and again", run: repeated },
  clean: { name: "nothing left behind", run: nothingLeftBehind },
};

/** What stands in a list of its own runs side by side: while Rust tests wait for terminals, the page is checked. */
const PARTS = {
  all: ["format", "clippy", "build", ["cargo", "lint", "vitest"], "stories", "faults", "clis", "clean"],
  quick: ["format", "clippy", "build", ["cargo", "lint", "vitest"], "clean"],
  rust: ["format", "clippy", "build", "cargo", "clean"],
  web: ["lint", "vitest"],
  e2e: ["stories", "clean"],
  faults: ["faults", "clean"],
  clis: ["clis", "clean"],
  repeat: ["repeat", "clean"],
  check: ["format", "clippy", "lint", "dependencies"],
};

const [part = "all", ...rest] = process.argv.slice(2);
const steps = PARTS[part] ?? fail(`there is no part ${part}: choose ${Object.keys(PARTS).join(", ")}`);

needNode();
needRust();
needTmux();
if (["stories", "clis", "repeat"].some((step) => steps.includes(step))) process.env.ANSWERBACK_CHROMIUM = needChromium();
installPackages();
// The server carries the page, so it comes first.
buildPage();
const folder = openRunFolder();

let total = NOTHING;
for (const [first, ...beside] of steps.map((step) => [step].flat())) {
  const others = keepingBack(async () => {
    for (const key of beside) await step(key);
  });
  await step(first);
  (await others)();
}
console.log(`\n${inWords(total)}`);
process.exit(isGreen(total) ? 0 : 1);

async function step(key) {
  const { name, run: runStep } = STEPS[key];
  say(`\n== ${name}\n`);
  const began = Date.now();
  const counts = await runStep();
  say(`== ${name}: ${inWords(counts)}, ${((Date.now() - began) / 1000).toFixed(1)} s\n`);
  total = sum(total, counts);
}

/** A step that is one yes or no. */
async function check(program, args) {
  return oneCheck(await shown(program, args));
}

function cargoTests() {
  const args = ["test", "--workspace", "--locked", "--no-fail-fast", ...rest];
  const threads = { RUST_TEST_THREADS: process.env.RUST_TEST_THREADS ?? RUST_THREADS };
  return rustTestsTwice((env, names) => shown("cargo", [...args, ...alone(names)], { ...threads, ...env }));
}

/** `[claude|codex|gemini|opencode|copilot|qwen …] [--versions all] [more for the tests]` */
async function liveStories() {
  const { values, positionals } = parseArgs({
    args: part === "clis" ? rest : CLIS,
    options: { versions: { type: "string", default: "newest" } },
    allowPositionals: true,
  });
  const sets = { newest: ["newest"], older: ["older"], all: ["newest", "older"] }[values.versions];
  if (sets === undefined) fail(`--versions is newest, older or all, not ${values.versions}`);
  // Before the network is taken away.
  for (const set of sets) installClis(set);
  buildBinary();
  run("building the stories", "cargo", [...LIVE_BUILD, "--quiet", "--no-run"]);
  const filters = positionals.map((name) => (isCli(name) ? `${name}::` : name));
  let counts = NOTHING;
  for (const set of sets) {
    say(`-- the ${set} versions\n`);
    const cargo = ["cargo", ...LIVE_BUILD, "--quiet", "--offline"];
    const which = (names) => (names.length > 0 ? alone(names) : ["--", `--test-threads=${LIVE_THREADS}`, ...filters]);
    const told = await rustTestsTwice((env, names) => {
      const [program, ...args] = onLoopbackOnly([...cargo, ...which(names)]);
      return shown(program, args, { ANSWERBACK_CLIS: set, ...env });
    });
    const seen = positionals.every(isCli) ? await browserStories(set, positionals) : NOTHING;
    counts = sum(counts, told, seen);
  }
  return counts;
}

/** What cargo is told to run nothing but these tests, one after the other. */
function alone(names) {
  return names.length > 0 ? ["--", "--test-threads=1", "--exact", ...names] : [];
}

function isCli(name) {
  return CLIS.includes(name);
}

/** The same CLIs with the page in a browser. */
function browserStories(set, names) {
  const told = names.filter((name) => CLIS_WITH_CHAT.includes(name));
  if (names.length > 0 && told.length === 0) return NOTHING;
  const only = told.length > 0 ? ["--grep", told.map((name) => `${name} asks`).join("|")] : [];
  return playwright(["--project", "clis", ...ONCE_MORE, ...only], { ANSWERBACK_CLIS: set }, onLoopbackOnly);
}

/** `[--rounds N] [--seed S] [--first R] [--verbose]` */
async function faultCampaign() {
  buildBinary();
  const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
  const args = part === "faults" ? rest : ["--rounds", "200"];
  return countRounds(await shown(join(target, "debug", "faults"), args));
}

function vitest() {
  const args = ["run", "--silent", "test", "--workspace", "web", "--", "--reporter=default", "--reporter=json"];
  return vitestTests((report) => shown("npm", [...args, `--outputFile.json=${report}`]));
}

function stories() {
  buildBinary();
  return playwright([...ONCE_MORE, ...rest]);
}

/** `N NAME` */
function repeated() {
  buildBinary();
  const isLive = isCli(rest[1]?.split("::")[0]);
  if (isLive) installClis(process.env.ANSWERBACK_CLIS ?? "newest");
  const build = isLive ? [...LIVE_BUILD, "--no-run"] : BUILD;
  return repeat(rest, { build, wrap: isLive ? onLoopbackOnly : (command) => command, stories: playwright });
}

function nothingLeftBehind() {
  const left = leftBehind(folder);
  say(left.map((what) => `left behind: ${what}\n`).join(""));
  return oneCheck({ code: left.length });
}

function buildBinary() {
  run("building the server", "cargo", [...BUILD, "--quiet"]);
}

function playwright(args, variables = {}, wrapped = (command) => command) {
  const npm = ["npm", "run", "--silent", "stories", "--workspace", "tests/web", "--", ...args];
  const [program, ...words] = wrapped(npm);
  return playwrightTests((env) => shown(program, words, { ...variables, ...env }));
}

/** A command in a network of its own that has nothing but loopback, where the machine can do that. */
function onLoopbackOnly(command) {
  const asRoot = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  const isolated = (inner) => ["unshare", ...asRoot, "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", ...inner];
  const [program, ...args] = isolated(["true"]);
  if (spawnSync(program, args, { stdio: "ignore" }).status === 0) return isolated(command);
  say("(this machine cannot take the network away: the CLIs are only told not to use it)\n");
  return command;
}
