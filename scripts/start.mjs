// `npm start`: from a clone to a running server. Arguments go to the server: `npm start -- --port 4700 --lan`.

import { spawn } from "node:child_process";

import { buildPage, buildServer, installPackages, root } from "./build-steps.mjs";
import { fail, needNode, needRust, needTmux } from "./needs.mjs";

needNode();
needRust();
needTmux();
installPackages();
buildPage();
const binary = buildServer();

// Started in the folder the person is in, so that relative paths in the arguments mean what they look like.
const server = spawn(binary, process.argv.slice(2), { stdio: "inherit", cwd: process.env.INIT_CWD ?? root });
server.on("error", (error) => fail(`the server does not start: ${error.message}`));
// Ctrl-C reaches the server by itself; it stops in good order and then so do we.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => server.kill("SIGTERM"));
server.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
