/* What every story has at hand: a server of its own, a paired phone, and a report of the last screens when it fails. */
import { writeFileSync } from "node:fs";
import { test as base } from "@playwright/test";
import { Phone } from "./phone";
import { Server } from "./server";

interface Surroundings {
  server: Server;
  /** A phone that is paired as "My phone" and shows the list. */
  phone: Phone;
}

export const test = base.extend<Surroundings>({
  server: async ({}, use, testInfo) => {
    const server = await Server.start();
    await use(server);
    if (testInfo.status !== testInfo.expectedStatus) {
      const screens = await server.screens().catch((error: unknown) => `no screens: ${String(error)}`);
      for (const [name, text] of Object.entries({ screens, "server-log": server.log() })) {
        const path = testInfo.outputPath(`${name}.txt`);
        writeFileSync(path, text);
        await testInfo.attach(name, { path, contentType: "text/plain" });
      }
    }
    await server.close();
  },
  phone: async ({ context, server }, use) => {
    await use(await Phone.paired(context, server, "My phone"));
  },
});

export { expect } from "@playwright/test";
