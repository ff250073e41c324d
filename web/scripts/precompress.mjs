/* Writes a .br and a .gz beside every text file of the build, so that the server never compresses on the way out. */
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TEXT = new Set([".html", ".js", ".css", ".svg", ".json", ".webmanifest"]);

/* Below this a compressed copy costs more in headers and files than it saves. */
const SMALLEST = 512;

function filesBelow(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

for (const path of filesBelow(process.argv[2] ?? "dist")) {
  if (!TEXT.has(extname(path))) continue;
  const bytes = readFileSync(path);
  if (bytes.length < SMALLEST) continue;
  const brotli = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  writeFileSync(`${path}.br`, brotli);
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  console.log(`${path}  ${bytes.length} -> ${brotli.length} br`);
}
