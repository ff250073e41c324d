/* A long past: a conversation of 100,000 messages is opened, scrolled, searched and jumped into. */
import type { Page } from "@playwright/test";
import { answered, installClaude, keepConversation, said, used, type Line } from "../harness/kept";
import type { Phone } from "../harness/phone";
import { expect, test } from "../harness/story";

const MESSAGES = 100_000;
const ID = "11111111-2222-4333-8444-555555555555";
const TAKEN_OVER = { timeout: 150_000 };

/** Words, code, tables and tools, as a long day with an agent leaves them behind. */
function* aLongPast(): Generator<Line> {
  for (let number = 0; number < MESSAGES; number++) {
    const id = `m${number}`;
    if (number === 0) yield said(id, "Let us talk for a very long time");
    else if (number % 10 === 5) {
      yield answered(`u${number}`, used(id, "Bash", { command: `cargo test part${number}` }));
    } else if (number % 10 === 6 || number % 10 === 1)
      yield said(id, `Question number ${number}: what next?`);
    else if (number % 50 === 7)
      yield answered(id, `Code ${number}:\n\n\`\`\`rust\nfn part${number}() -> u32 { ${number} }\n\`\`\``);
    else
      yield answered(
        id,
        `Answer **number ${number}**. ${"It is as long as answers are. ".repeat(number % 7)}`,
      );
  }
}

async function openLongPast(phone: Phone): Promise<void> {
  await phone.page.reload();
  await phone.page.getByRole("link", { name: "Search and earlier" }).tap();
  await phone.page.getByRole("button", { name: /Let us talk for a very long time/ }).tap();
  await expect(phone.chat).toBeVisible();
  await expect.poll(() => messageCount(phone), TAKEN_OVER).toBe(MESSAGES);
  await expect(phone.chat.getByText(`Answer number ${MESSAGES - 1}.`)).toBeInViewport();
}

test("a hundred thousand messages are taken over, scrolled, searched and jumped into", async ({
  phone,
  server,
}) => {
  test.setTimeout(240_000);
  keepConversation(server, ID, aLongPast());
  await installClaude(server);
  await openLongPast(phone);

  // Scrolling: up through many pages, as fast as a thumb does it. What else the machine does only ever adds to a measured
  // time, so the best of a few goes says what the page itself takes.
  let work = Infinity;
  for (let go = 0; go < 10 && work >= 50; go++) {
    const frames = await scrolling(phone.page, { pages: 40, by: -600 });
    work = Math.min(work, frames.work);
    console.log(
      `      scrolling: ${frames.count} frames, longest ${frames.longest.toFixed(0)} ms, work of ours at most ${frames.work.toFixed(0)} ms`,
    );
  }
  expect(work, "milliseconds that one piece of work holds up a frame").toBeLessThan(50);
  expect(await phone.chat.locator("[data-row]").count(), "lines in the page").toBeLessThan(80);
  const loaded = await oldestSeen(phone.page);
  expect(loaded, "pages were loaded on the way up").toBeLessThan(MESSAGES - 200);

  await phone.page.getByRole("button", { name: "latest" }).tap();
  await expect(phone.chat.getByText(`Answer number ${MESSAGES - 1}.`)).toBeInViewport();
  await expect(phone.page.getByRole("button", { name: "latest" })).toBeHidden();

  // Looking for something in the middle, and going there.
  await phone.page.getByRole("link", { name: "Search in this session" }).tap();
  await phone.page.getByRole("searchbox").fill('question number 41236 "(*');
  const hit = phone.page.getByRole("link", { name: /Question number 41236/ });
  await expect(hit.locator("mark").first()).toHaveText("Question");
  await hit.tap();
  const message = phone.chat.locator("[data-row=m41236]");
  await expect(message).toBeInViewport({ ratio: 1 });
  await expect(message).toHaveClass(/line--target/);
  const resting = await message.boundingBox();

  // Pages come on both sides of it, and it stays where it is.
  await expect.poll(() => loadedPages(phone)).toBeGreaterThan(2);
  expect((await message.boundingBox())?.y).toBeCloseTo(resting?.y ?? 0, 0);
  await scrolling(phone.page, { pages: 10, by: 600 });
  expect(await oldestSeen(phone.page), "it goes on below").toBeGreaterThan(41_240);
  await phone.page.goBack();
  await expect(phone.page.getByRole("searchbox")).toHaveValue('question number 41236 "(*');
});

function messageCount(phone: Phone): number {
  const counts = phone.told.flatMap((message) => {
    if (message.type === "snapshot") return message.snapshot.sessions.map((session) => session.messageCount);
    return message.type === "event" && message.event.type === "session"
      ? [message.event.session.messageCount]
      : [];
  });
  return counts.at(-1) ?? 0;
}

function loadedPages(phone: Phone): number {
  return phone.told.filter(
    (message) =>
      message.type === "reply" && message.result.type === "ok" && message.result.data.type === "messages",
  ).length;
}

/** The number of the first message that can be seen. */
function oldestSeen(page: Page): Promise<number> {
  return page.getByRole("log").evaluate((log) => {
    const edge = log.parentElement?.getBoundingClientRect().top ?? 0;
    const first = [...log.querySelectorAll<HTMLElement>("[data-row]")].find(
      (line) => line.getBoundingClientRect().bottom > edge,
    );
    return Number(first?.dataset.row?.slice(1));
  });
}

/**
 * Scrolls frame by frame and notes how long each took. A frame also waits for whatever else this machine does, so what
 * counts is the longest piece of work on the page's own thread, by the processor's time.
 */
async function scrolling(page: Page, { pages, by }: { pages: number; by: number }) {
  const browser = page.context().browser();
  await browser?.startTracing(page, { categories: ["devtools.timeline", "toplevel"] });
  const frames = await page.getByRole("log").evaluate(
    async (log, { pages, by }) => {
      const box = log.parentElement;
      if (!box) throw new Error("nothing scrolls");
      const times: number[] = [];
      const nextFrame = () => new Promise<number>(requestAnimationFrame);
      let last = await nextFrame();
      for (let step = 0; step < pages * 10; step++) {
        box.scrollTop += by / 10;
        const now = await nextFrame();
        times.push(now - last);
        last = now;
      }
      return { count: times.length, longest: Math.max(...times) };
    },
    { pages, by },
  );
  const trace = JSON.parse(String(await browser?.stopTracing())) as { traceEvents: TraceEvent[] };
  return { ...frames, work: longestWork(trace.traceEvents) };
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds of the processor's time. */
  tdur?: number;
  args: { name?: string };
}

/** In milliseconds, on the main thread of any page. */
function longestWork(events: TraceEvent[]): number {
  const threads = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const work = events.filter(({ pid, tid, tdur }) => tdur !== undefined && threads.has(`${pid} ${tid}`));
  if (work.length === 0) throw new Error("the browser has noted no work");
  return Math.max(...work.map(({ tdur }) => tdur ?? 0)) / 1000;
}
