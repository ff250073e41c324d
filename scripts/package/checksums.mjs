// A file of checksums as `sha256sum --check` reads it.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

export function writeChecksums(folder, paths) {
  const line = (path) => `${createHash("sha256").update(readFileSync(path)).digest("hex")}  ${basename(path)}\n`;
  writeFileSync(join(folder, "SHA256SUMS"), paths.map(line).join(""));
}
