/* How the stories run: the real binary, Debian's Chromium, a phone in the hand; a few also on another phone and at a desk. */
import { existsSync } from "node:fs";
import { devices, defineConfig } from "@playwright/test";

// A run empties its folder when it begins, so each has its own; the workers, which read this file too, are told which.
process.env.ANSWERBACK_STORIES_RUN ??= `${Date.now()}-${process.pid}`;

// `npm test` names one, and installs it where there is none (scripts/needs.mjs); without it, Debian's.
const CHROMIUM = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find(existsSync) ?? "chromium";
const ENCRYPTED = /encrypted\.spec/;
// Phones draw with a graphics processor. Here the cores would have to, nine points for one.
const coarse = { deviceScaleFactor: 1, browserName: "chromium" } as const;
const iphone = { ...devices["iPhone 15"], ...coarse } as const;

const launchOptions = {
  executablePath: process.env.ANSWERBACK_CHROMIUM ?? CHROMIUM,
  // Not every sandbox lets Chromium make its own; nothing but our page is opened.
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};
// A person says once that the certificate is to be trusted; a browser without a person takes any.
const trusting = { ...launchOptions, args: [...launchOptions.args, "--ignore-certificate-errors"] };

export default defineConfig({
  testDir: "stories",
  outputDir: `results/${process.env.ANSWERBACK_STORIES_RUN}`,
  fullyParallel: true,
  // Each story has a server, a tmux and a page of its own, and waits for them more than it keeps the two cores busy.
  workers: 3,
  // A story that passes only at the second try has a race; `npm test` tries twice, and counts it apart.
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  // The count at the end of `npm test` is read from the second; without a file for it, it would fill the terminal.
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [["list"], ["json"]] : [["list"]],
  use: {
    browserName: "chromium",
    // Without the film of it, and without the page after each step, which take more of the processor than the stories themselves.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: false },
    screenshot: "only-on-failure",
    actionTimeout: 15_000,
    launchOptions,
  },
  projects: [
    { name: "iphone", use: iphone, grepInvert: /@desk|@clis/, testIgnore: ENCRYPTED },
    { name: "encrypted", use: { ...iphone, launchOptions: trusting }, testMatch: ENCRYPTED },
    { name: "pixel", use: { ...devices["Pixel 7"], ...coarse }, grep: /@every-phone/ },
    {
      name: "desk",
      use: { browserName: "chromium", viewport: { width: 1280, height: 800 } },
      grep: /@desk/,
    },
    // The real CLIs must be installed first.
    ...(process.env.ANSWERBACK_CLIS ? [{ name: "clis", use: iphone, grep: /@clis/ }] : []),
  ],
});
