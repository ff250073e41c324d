// Installs each package into a fresh place, and tells the stories of the first minutes with the binary from there: pairing, and every kind
// of prompt that the demo agent has. Then it is removed the way it came, and what is kept stays.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { run } from "../build-steps.mjs";
import { fail } from "../needs.mjs";

export function checkPackages(paths) {
  for (const path of paths) {
    console.log(`\n== ${basename(path)}\n`);
    checkInstalling(path, (binary) => {
      const stories = ["run", "--silent", "stories", "--workspace", "tests/web", "--", "prompts.spec.ts", "--project", "iphone"];
      run(`the stories with ${basename(path)}`, "npm", stories, { ANSWERBACK_BINARY: binary });
    });
  }
}

/** Installs one package, lets something be done with its binary, and removes it. */
export function checkInstalling(path, work) {
  const fresh = mkdtempSync(join(tmpdir(), "answerback-installed-"));
  const [prefix, home] = [join(fresh, "prefix"), join(fresh, "home")];
  for (const folder of [prefix, home]) mkdirSync(folder);
  try {
    const { binary, remove } = install(path, prefix);
    run("asking for its version", binary, ["--version"]);
    const data = join(home, "data");
    const surroundings = { HOME: home, XDG_CONFIG_HOME: join(home, "config"), ANSWERBACK_DATA_DIR: data };
    run("the doctor in a new home", binary, ["doctor", "--fix"], surroundings);
    work(binary);
    run("what it leaves to the package manager", binary, ["uninstall"], surroundings);
    remove();
    if (existsSync(binary)) fail(`${binary} is still there after the package was removed`);
    if (!existsSync(data)) fail("removing the package took away what is kept");
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Returns where the binary is then, and what removes the package. */
function install(path, prefix) {
  if (path.endsWith(".deb")) {
    const state = join(prefix, "var/lib/dpkg");
    for (const name of ["updates", "info"]) mkdirSync(join(state, name), { recursive: true });
    run("an empty list of packages", "touch", [join(state, "status")]);
    // Into a root of its own: what it depends on is this machine's.
    const dpkg = ["--root", prefix, "--force-depends", "--force-not-root", "--force-bad-path"];
    run("installing the Debian package", "dpkg", [...dpkg, "--install", path]);
    const remove = () => run("removing the Debian package", "dpkg", [...dpkg, "--purge", "answerback"]);
    return { binary: join(prefix, "usr/bin/answerback"), remove };
  }
  if (path.endsWith(".tgz")) {
    const npm = (what, package_) => [what, "--global", "--prefix", prefix, "--no-audit", "--no-fund", package_];
    run("installing the npm package", "npm", npm("install", path));
    const remove = () => run("removing the npm package", "npm", npm("uninstall", "answerback"));
    return { binary: join(prefix, "bin/answerback"), remove };
  }
  if (path.endsWith(".tar.gz")) {
    run("unpacking the archive", "tar", ["--extract", "--file", path, "--directory", prefix]);
    const folder = join(prefix, readdirSync(prefix)[0]);
    return { binary: join(folder, "answerback"), remove: () => rmSync(folder, { recursive: true }) };
  }
  return fail(`no way to install ${basename(path)}`);
}
