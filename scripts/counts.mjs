// What came of tests, as numbers: each runner's own report, and the stories that said of themselves that they do not apply.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { say } from "./output.mjs";

/** `unstable` is what failed and then passed alone: a race that somebody has to find, counted apart from what passed. */
export const NOTHING = { passed: 0, failed: 0, skipped: 0, unstable: 0 };

/** So many unstable tests are bad luck of a busy machine; more of them are a failure. */
export const UNSTABLE_AT_MOST = 3;

export function sum(...counts) {
  const add = (name) => counts.reduce((all, count) => all + count[name], 0);
  return { passed: add("passed"), failed: add("failed"), skipped: add("skipped"), unstable: add("unstable") };
}

export function inWords({ passed, failed, skipped, unstable }) {
  const apart = unstable > 0 ? `, ${unstable} UNSTABLE (failed, and passed alone)` : "";
  return `${passed} passed, ${failed} failed, ${skipped} skipped${apart}`;
}

export function isGreen({ passed, failed, unstable }) {
  return failed === 0 && passed > 0 && unstable <= UNSTABLE_AT_MOST;
}

/** A yes or no. */
export function oneCheck({ code }) {
  return code === 0 ? { ...NOTHING, passed: 1 } : { ...NOTHING, failed: 1 };
}

/**
 * Runs Rust tests and counts them. Their runner takes a story that does not apply for one that passed; the story writes its
 * name and the reason into a file that `ANSWERBACK_SKIPPED` names (tests/src/skip.rs).
 */
export function rustTests(run) {
  return withFolder(async (folder) => {
    const list = join(folder, "skipped");
    const { code, output } = await run({ ANSWERBACK_SKIPPED: list });
    const notes = existsSync(list) ? readFileSync(list, "utf8") : "";
    say(notes);
    return { ...countRust(code, output, notes.split("\n").filter(Boolean).length), names: failedNames(output) };
  });
}

/** Runs Rust tests, and the few that failed once more, alone: `run` is given the variables and, then, the names. */
export async function rustTestsTwice(run) {
  const { names, ...first } = await rustTests((env) => run(env, []));
  // What failed without a name did not build, or took its whole binary along.
  if (names.length === 0 || names.length !== first.failed || names.length > UNSTABLE_AT_MOST) return first;
  say(`-- once more, alone: ${names.join(", ")}\n`);
  const { names: still, passed } = await rustTests((env) => run(env, names));
  const unstable = names.filter((name) => !still.includes(name));
  // A name that two binaries have is told by both of them; one that no binary told has proved nothing.
  if (passed < unstable.length) return first;
  say(unstable.map((name) => `UNSTABLE ${name}: it failed above, and passed alone\n`).join(""));
  return { ...first, failed: first.failed - unstable.length, unstable: unstable.length };
}

/** What a runner lists below its last `failures:`. */
export function failedNames(output) {
  const lists = [...output.matchAll(/^failures:\n((?: {4}\S+\n)+)/gm)];
  return [...new Set(lists.flatMap(([, names]) => names.trim().split(/\s+/)))];
}

export function countRust(code, output, skipped) {
  const results = [...output.matchAll(/^test result: .*? (\d+) passed; (\d+) failed; (\d+) ignored;/gm)];
  const [passed, failed, ignored] = [1, 2, 3].map((group) => results.reduce((all, result) => all + Number(result[group]), 0));
  // A test binary that crashes or does not build counts as one failure: it prints no result of its own.
  return { ...NOTHING, passed: passed - skipped, failed: code === 0 ? failed : Math.max(1, failed), skipped: skipped + ignored };
}

/** Runs Vitest with a file for its report. */
export function vitestTests(run) {
  return withFolder(async (folder) => {
    const report = join(folder, "report.json");
    const { code } = await run(report);
    const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 } = readReport(report);
    const failed = code === 0 ? numFailedTests : Math.max(1, numFailedTests);
    return { ...NOTHING, passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests };
  });
}

/** Runs Playwright with a file for its report. */
export function playwrightTests(run) {
  return withFolder(async (folder) => {
    const report = join(folder, "report.json");
    const { code } = await run({ PLAYWRIGHT_JSON_OUTPUT_NAME: report });
    const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = readReport(report).stats ?? {};
    return { passed: expected, failed: code === 0 ? unexpected : Math.max(1, unexpected), skipped, unstable: flaky };
  });
}

/** Each round of the fault campaign that holds is one test passed. */
export function countRounds({ code, output }) {
  const number = (pattern) => Number(output.match(pattern)?.[1] ?? 0);
  const violations = number(/\*\*violations\*\* \| \*\*(\d+)\*\*/);
  const failed = code === 0 ? violations : Math.max(1, violations);
  return { ...NOTHING, passed: Math.max(0, number(/^\| rounds \| (\d+)/m) - failed), failed };
}

async function withFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), "counts-"));
  try {
    return await work(folder);
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
