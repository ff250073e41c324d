// The licence texts of everything that the binary holds: the crates it is built from, and what the page brings along.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { root } from "../build-steps.mjs";
import { fail } from "../needs.mjs";

const IS_LICENCE = /^(licen[cs]e|copying|notice|unlicense)/i;

export function collectLicences(path) {
  const parts = [...crates(), ...npmPackages()].sort((one, other) => one.name.localeCompare(other.name));
  const texts = parts.map(({ name, version, licence, folder }) => {
    const files = readdirSync(folder, { withFileTypes: true });
    const found = files.filter((file) => file.isFile() && IS_LICENCE.test(file.name)).map((file) => file.name).sort();
    const text = found.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
    return `${"=".repeat(78)}\n${name} ${version}: ${licence}\n${"=".repeat(78)}\n\n${text || "(it brings no text of its own)"}\n`;
  });
  writeFileSync(path, `What Answerback is built from, ${parts.length} parts, and their licences.\n\n${texts.join("\n")}`);
}

/** The crates that the server links, without what only builds or tests it. */
function crates() {
  const platform = spawnSync("rustc", ["-vV"], { encoding: "utf8" }).stdout.match(/^host: (.*)$/m)[1];
  const args = ["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", platform];
  const said = spawnSync("cargo", args, { cwd: root, encoding: "utf8", maxBuffer: 1e9 });
  if (said.status !== 0) fail(`cargo metadata: ${said.stderr}`);
  const { packages, resolve } = JSON.parse(said.stdout);
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const known = new Map(packages.map((one) => [one.id, one]));
  const linked = new Set();
  const visit = (id) => {
    if (linked.has(id)) return;
    linked.add(id);
    for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps) if (kinds.some(({ kind }) => kind === null)) visit(pkg);
  };
  visit(packages.find((one) => one.name === "answerback").id);
  return [...linked]
    .map((id) => known.get(id))
    .filter((one) => one.source !== null)
    .map((one) => ({
      name: one.name,
      version: one.version,
      licence: one.license ?? "see below",
      folder: dirname(one.manifest_path),
    }));
}

/** What the page is built from, without the tools that build it. */
function npmPackages() {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return Object.entries(lock.packages)
    .filter(([path, one]) => path.includes("node_modules/") && !one.dev && !one.link && existsSync(join(root, path)))
    .map(([path, { version }]) => {
      const folder = join(root, path);
      const { name, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      return { name, version, licence: license ?? "see below", folder };
    });
}
