/* The server goes away and comes back under an open page: nothing is lost, nothing is asked twice. */
import { expect, test } from "../harness/story";

for (const way of ["stop", "kill"] as const) {
  test(`a prompt outlives a server that is ${way === "stop" ? "stopped" : "killed"}`, async ({
    phone,
    server,
  }) => {
    await phone.startDemo();
    const sheet = await phone.ask("command", "May I run this command?");
    const [before] = phone.prompts();
    await server[way]();
    await expect(sheet.getByText("reconnecting…")).toBeInViewport();
    await server.launch();
    await expect(sheet.getByText("reconnecting…")).toBeHidden();

    // Told anew, because it is another run of the server; and it is the same prompt, id and all.
    await expect.poll(() => phone.prompts().length).toBeGreaterThan(1);
    expect(phone.prompts().at(-1)).toEqual(before);
    await phone.sheetIs("May I run this command?");
    await phone.option("Yes").tap();
    await phone.understood("command -> Yes");
  });
}

test("an answer given while the server is away arrives when it is back, once", async ({ phone, server }) => {
  await phone.startDemo();
  const sheet = await phone.ask("command", "May I run this command?");
  await server.kill();
  await expect(sheet.getByText("reconnecting…")).toBeVisible();
  await phone.option("No").tap();
  await expect(phone.status("sending…")).toBeVisible();
  await server.launch();
  await phone.understood("command -> No");
});

test("a message written while the server is away is sent when it is back, once", async ({
  phone,
  server,
}) => {
  await phone.startDemo();
  await server.kill();
  await expect(phone.page.getByText("reconnecting…")).toBeVisible();
  await phone.composer.fill("are you there?");
  await phone.button("Send").tap();
  await expect(phone.status("not sent yet")).toBeVisible();
  await server.launch();
  await expect(phone.chat.getByText("You said: are you there?")).toBeVisible();
  await expect(phone.status("not sent yet")).toBeHidden();
  await phone.say("and now?");
  await expect(phone.chat.getByText("You said: and now?")).toBeVisible();
  await expect(phone.chat.getByText("You said: are you there?")).toHaveCount(1);
});

test("a page that is opened while the server is away comes to life with it", async ({ phone, server }) => {
  await phone.startDemo();
  await phone.ask("loop", "Keep loop detection on?");
  await server.stop();
  await server.launch();
  await phone.page.reload();
  await phone.sheetIs("Keep loop detection on?");
  await phone.option("Keep loop detection on").tap();
  await phone.understood("loop -> Keep loop detection on");
});
