// `npm run build`: the page and the release binary, without starting it.

import { buildPage, buildServer, installPackages } from "./build-steps.mjs";
import { needNode, needRust } from "./needs.mjs";

needNode();
needRust();
installPackages();
buildPage();
console.log(`Built ${buildServer()}`);
