// The npm package: the binary inside, so that nothing is built or fetched when it is installed. One package is for one kind of machine.

import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { fail } from "../needs.mjs";

export function makeNpm({ version, summary, files }, out) {
  const folder = join(out, ".npm");
  mkdirSync(join(folder, "bin"), { recursive: true });
  cpSync(join(files, "answerback"), join(folder, "bin/answerback"));
  chmodSync(join(folder, "bin/answerback"), 0o755);
  for (const name of ["README.md", "LICENSE", "THIRD-PARTY-LICENCES.txt"]) cpSync(join(files, name), join(folder, name));
  const description = {
    name: "answerback",
    version,
    description: summary,
    license: "MIT",
    bin: { answerback: "bin/answerback" },
    files: ["bin", "LICENSE", "THIRD-PARTY-LICENCES.txt"],
    os: [process.platform],
    cpu: [process.arch],
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(description, null, 2)}\n`);
  const packed = spawnSync("npm", ["pack", "--pack-destination", out], { cwd: folder, encoding: "utf8" });
  if (packed.status !== 0) fail(`npm pack: ${packed.stderr}`);
  rmSync(folder, { recursive: true });
  return join(out, packed.stdout.trim());
}
