// The plain archive: unpack it anywhere, and start `answerback`.

import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";

import { run } from "../build-steps.mjs";

export function makeArchive({ version, processor, files }, out) {
  const name = `answerback-${version}-${process.platform}-${processor.archive}`;
  const folder = join(out, name);
  cpSync(files, folder, { recursive: true });
  const path = join(out, `${name}.tar.gz`);
  run("packing the archive", "tar", ["--create", "--gzip", "--file", path, "--owner=0", "--group=0", "--directory", out, name]);
  rmSync(folder, { recursive: true });
  return path;
}
