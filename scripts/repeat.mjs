// `npm run test:repeat -- N NAME`: the tests whose name has NAME, N times each, to hunt a race. Rust tests first; where none has that
// name, the browser stories. Names that begin with a CLI are stories with the real one.

import { spawnSync } from "node:child_process";
import { dirname } from "node:path";

import { NOTHING, rustTests, sum } from "./counts.mjs";
import { fail } from "./needs.mjs";
import { say, shown } from "./output.mjs";
import { root } from "./build-steps.mjs";

/** `build` are cargo's words that build the tests, `wrap` is put around each run, `stories` runs browser stories. */
export async function repeat([times, ...words], { build, wrap, stories }) {
  const count = Number(times);
  const name = words.join(" ");
  if (!Number.isInteger(count) || count < 1 || name === "") fail("say how often and what: npm run test:repeat -- 50 NAME");
  const found = testBinaries(build).filter((binary) => lists(binary, name));
  if (found.length === 0) return stories([`--repeat-each=${count}`, "--grep", name]);
  let total = NOTHING;
  for (let round = 1; round <= count; round += 1) {
    for (const { path, folder } of found) {
      const [program, ...args] = wrap([path, name]);
      const result = await rustTests((env) => shown(program, args, env, { cwd: folder }));
      total = sum(total, result);
    }
    say(`-- round ${round} of ${count}: ${total.failed} failed so far\n`);
  }
  return total;
}

function testBinaries(build) {
  const cargo = spawnSync("cargo", [...build, "--message-format=json"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 256 << 20,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (cargo.status !== 0) fail("the tests do not build; what cargo said is above");
  const messages = cargo.stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const tests = messages.filter(({ executable, profile }) => executable && profile?.test);
  return tests.map(({ executable, manifest_path: manifest }) => ({ path: executable, folder: dirname(manifest) }));
}

function lists({ path, folder }, name) {
  const { stdout } = spawnSync(path, [name, "--list"], { cwd: folder, encoding: "utf8" });
  return /: test$/m.test(stdout ?? "");
}
