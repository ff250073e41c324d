/*
 * Writes the service worker of a build: what src/service-worker/worker.js does, with the list of this build's files and a
 * name that changes whenever one of them does. Run after the build and before its files are compressed.
 */
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const dist = resolve(process.argv[2] ?? "dist");
const source = readFileSync(new URL("../src/service-worker/worker.js", import.meta.url), "utf8");

function filesBelow(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

/* The page itself is kept as `/`. Compressed copies are chosen by the server, and the worker keeps no copy of itself. */
const files = filesBelow(dist)
  .map((path) => relative(dist, path))
  .filter((path) => !/\.(br|gz)$/.test(path) && path !== "sw.js")
  .sort();
const hash = createHash("sha256").update(source);
for (const path of files) hash.update(path).update(readFileSync(join(dist, path)));
const build = hash.digest("hex").slice(0, 16);
const addresses = files.map((path) => (path === "index.html" ? "/" : `/${path}`));

const written = source.replace("__BUILD__", build).replace('"__FILES__"', JSON.stringify(addresses));
writeFileSync(join(dist, "sw.js"), written);
console.log(`sw.js  ${addresses.length} files, build ${build}`);
