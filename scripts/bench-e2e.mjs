// `npm run bench:e2e [-- --rounds N | -- load --minutes N --sessions N --phones N]`: the release binary, measured from outside.

import { buildPage, buildServer, installPackages, run } from "./build-steps.mjs";
import { needNode, needRust, needTmux } from "./needs.mjs";

needNode();
needRust();
needTmux();
installPackages();
buildPage();
const binary = buildServer();
const args = ["bench", "--quiet", "--locked", "--package", "answerback-tests", "--bench", "e2e", "--", ...process.argv.slice(2)];
run("measuring", "cargo", args, { ANSWERBACK_BINARY: binary });
