// What others have written and we ship: licences, sources and known holes. What cannot be checked here is said and skipped.

import { spawnSync } from "node:child_process";

import { root } from "./build-steps.mjs";
import { NOTHING, oneCheck, sum } from "./counts.mjs";
import { say, shown } from "./output.mjs";

export async function checkDependencies() {
  return sum(await cargoDeny(), npmAudit());
}

async function cargoDeny() {
  if (spawnSync("cargo", ["deny", "--version"], { cwd: root, stdio: "ignore" }).status !== 0) {
    const install = "`cargo install cargo-deny --locked` makes it possible";
    return notChecked(`licences, sources, bans and advisories of the Rust crates: there is no cargo-deny; ${install}`);
  }
  const rules = oneCheck(await deny("bans", "licenses", "sources"));
  const advisories = await deny("advisories");
  if (advisories.code !== 0 && /failed to \w+ advisory database/.test(advisories.output)) {
    return sum(rules, notChecked("advisories of the Rust crates: their database cannot be reached"));
  }
  return sum(rules, oneCheck(advisories));
}

function deny(...what) {
  return shown("cargo", ["deny", "--log-level", "error", "check", ...what], {}, { errors: true });
}

function npmAudit() {
  const audit = ["audit", "--package-lock-only", "--json"];
  const { stdout } = spawnSync("npm", audit, { cwd: root, encoding: "utf8", maxBuffer: 64 << 20 });
  const report = tryParse(stdout ?? "");
  const counts = report.metadata?.vulnerabilities;
  if (counts === undefined) return notChecked(`advisories of the npm packages: ${firstWords(report)}`);
  const names = Object.values(report.vulnerabilities ?? {}).map(({ name, severity }) => `${name} (${severity})`);
  say(names.length === 0 ? "npm audit: nothing known\n" : `npm audit: ${names.join(", ")}\n`);
  return oneCheck({ code: counts.total === 0 ? 0 : 1 });
}

/** Why there is no report, without the address that was asked. */
function firstWords({ message = "", error = {} }) {
  const why = String(message || error.summary || "no answer").split(" - ")[0];
  return `their endpoint cannot be asked (${why})`;
}

function notChecked(what) {
  say(`SKIPPED ${what}\n`);
  return { ...NOTHING, skipped: 1 };
}

function tryParse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
