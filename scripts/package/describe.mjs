// What packages say of the product, from the workspace's own description.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "../build-steps.mjs";
import { fail } from "../needs.mjs";

/** Node's names for processors, and Debian's and the archive's. */
const PROCESSORS = { x64: { debian: "amd64", archive: "x86_64" }, arm64: { debian: "arm64", archive: "aarch64" } };

/** The files of completions, as each shell looks for them. */
const COMPLETIONS = { bash: "answerback", zsh: "_answerback", fish: "answerback.fish" };

export function describe(binary) {
  const said = spawnSync(binary, ["--version"], { encoding: "utf8" });
  const version = /^answerback (\S+)/.exec(said.stdout)?.[1] ?? fail(`${binary} does not say its version`);
  const processor = PROCESSORS[process.arch] ?? fail(`there are no packages for ${process.arch} yet`);
  const summary = /^description = "(.*)"$/m.exec(readFileSync(join(root, "server/Cargo.toml"), "utf8"))[1];
  return { version, processor, summary };
}

export function writeCompletions(binary, folder) {
  mkdirSync(folder, { recursive: true });
  for (const [shell, name] of Object.entries(COMPLETIONS)) {
    const { status, stdout } = spawnSync(binary, ["completions", shell], { encoding: "utf8" });
    if (status !== 0) fail(`the completions for ${shell} could not be written`);
    writeFileSync(join(folder, name), stdout);
  }
}
