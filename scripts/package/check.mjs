// Installs each package into a fresh place, and tells the stories of the first minutes with the binary from there: pairing, and every kind
// of prompt that the demo agent has.

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { run } from "../build-steps.mjs";
import { fail } from "../needs.mjs";

export function checkPackages(paths) {
  for (const path of paths) {
    const prefix = mkdtempSync(join(tmpdir(), "answerback-installed-"));
    try {
      console.log(`\n== ${basename(path)}\n`);
      const binary = install(path, prefix);
      run("asking for its version", binary, ["--version"]);
      const stories = ["run", "--silent", "stories", "--workspace", "tests/web", "--", "prompts.spec.ts", "--project", "iphone"];
      run(`the stories with ${basename(path)}`, "npm", stories, { ANSWERBACK_BINARY: binary });
    } finally {
      rmSync(prefix, { recursive: true, force: true });
    }
  }
}

/** Returns where the binary is then. */
function install(path, prefix) {
  if (path.endsWith(".deb")) {
    const state = join(prefix, "var/lib/dpkg");
    for (const name of ["updates", "info"]) mkdirSync(join(state, name), { recursive: true });
    run("an empty list of packages", "touch", [join(state, "status")]);
    // Into a root of its own: what it depends on is this machine's.
    const args = ["--root", prefix, "--force-depends", "--force-not-root", "--force-bad-path", "--install", path];
    run("installing the Debian package", "dpkg", args);
    return join(prefix, "usr/bin/answerback");
  }
  if (path.endsWith(".tgz")) {
    run("installing the npm package", "npm", ["install", "--global", "--prefix", prefix, "--no-audit", "--no-fund", path]);
    return join(prefix, "bin/answerback");
  }
  if (path.endsWith(".tar.gz")) {
    run("unpacking the archive", "tar", ["--extract", "--file", path, "--directory", prefix]);
    return join(prefix, readdirSync(prefix)[0], "answerback");
  }
  return fail(`no way to install ${basename(path)}`);
}
