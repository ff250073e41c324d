// `npm run package [-- --check]`: a Debian package, an npm package with the binary inside, and a plain archive, with their checksums.
// With `--check` each is installed into a fresh place and told the stories of the first minutes from there.

import { cpSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import { buildPage, installPackages, root, run } from "./build-steps.mjs";
import { fail, needChromium, needNode, needRust, needTmux } from "./needs.mjs";
import { makeArchive } from "./package/archive.mjs";
import { checkPackages } from "./package/check.mjs";
import { makeDebian } from "./package/debian.mjs";
import { collectLicences } from "./package/licences.mjs";
import { makeNpm } from "./package/npm.mjs";
import { writeChecksums } from "./package/checksums.mjs";
import { describe, writeCompletions } from "./package/describe.mjs";

const unknown = process.argv.slice(2).filter((word) => word !== "--check");
if (unknown.length > 0) fail(`npm run package takes --check and nothing else, not ${unknown.join(" ")}`);
const checks = process.argv.includes("--check");

needNode();
needRust();
if (checks) {
  needTmux();
  process.env.ANSWERBACK_CHROMIUM = needChromium();
}
installPackages();
buildPage();
console.log("Building the server with link-time optimisation; this takes some minutes…");
run("building the server", "cargo", ["build", "--profile", "dist", "--locked", "--package", "answerback"]);

const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const binary = join(target, "dist/answerback");
const out = join(target, "packages");
rmSync(out, { recursive: true, force: true });
const files = join(out, "files");
mkdirSync(files, { recursive: true });

/** What all packages carry. */
const product = { ...describe(binary), files };
cpSync(binary, join(files, "answerback"));
run("writing man pages", binary, ["man", join(files, "man")]);
writeCompletions(binary, join(files, "completions"));
for (const name of ["README.md", "CHANGELOG.md", "LICENSE"]) cpSync(join(root, name), join(files, name));
collectLicences(join(files, "THIRD-PARTY-LICENCES.txt"));

const made = [makeArchive(product, out), makeDebian(product, out), makeNpm(product, out)].filter((path) => path !== undefined);
writeChecksums(out, made);
rmSync(files, { recursive: true });

const size = (path) => `${(statSync(path).size / 1e6).toFixed(1)} MB`;
console.log(`\nThe binary has ${size(binary)}. In ${out}:`);
for (const name of readdirSync(out).sort()) console.log(`  ${name}  ${size(join(out, name))}`);
if (checks) checkPackages(made);
