// Programs whose output is shown and kept. Of what runs beside something else, it is shown when that is done.

import { AsyncLocalStorage } from "node:async_hooks";
import { spawn } from "node:child_process";

import { root } from "./build-steps.mjs";

const aside = new AsyncLocalStorage();

/** Does some work whose output is kept back, and returns how to show it. */
export async function keepingBack(work) {
  const kept = [];
  await aside.run({ write: (text) => kept.push(text) }, work);
  return () => kept.forEach((text) => process.stdout.write(text));
}

export function say(text) {
  (aside.getStore() ?? process.stdout).write(text);
}

/** Runs a program with its output shown and kept. `errors: true` keeps what it writes to its standard error as well. */
export function shown(program, args, env = {}, { errors = false, cwd = root } = {}) {
  return new Promise((resolve) => {
    const piped = errors || aside.getStore() !== undefined;
    const stdio = ["ignore", "pipe", piped ? "pipe" : "inherit"];
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio });
    let output = "";
    const keep = (chunk) => {
      say(chunk);
      output += chunk;
    };
    child.stdout.on("data", keep);
    child.stderr?.on("data", errors ? keep : say);
    child.on("error", (error) => {
      say(`${program}: ${error.message}\n`);
      resolve({ code: 1, output });
    });
    child.on("close", (code) => resolve({ code, output }));
  });
}
