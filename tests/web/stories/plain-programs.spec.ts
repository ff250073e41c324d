/* Programs that ask without any agent: the default that Enter takes, and the keys that a screen names. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../harness/story";

test("Enter alone takes a program's default", async ({ phone, server }) => {
  const file = join(server.home, "answer");
  writeFileSync(
    join(server.home, "ask.sh"),
    `printf "Name [shop]: "\nread -r name\nprintf "<%s>" "$name" > answer\n`,
  );
  await phone.start({ agent: "Any program", command: "bash ask.sh" });
  await expect(phone.sheet).toBeVisible();
  await phone.sheet.getByRole("button", { name: /Enter alone/ }).tap();
  await expect.poll(() => existsSync(file) && readFileSync(file, "utf8")).toBe("<>");
});
