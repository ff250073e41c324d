import { expect, test } from "vitest";
import {
  childFolder,
  chosenAdapter,
  chosenMode,
  firstChoices,
  parentFolder,
  startRequest,
  toRemember,
  waysOut,
  withDefaults,
  type Choices,
} from "@/features/new-session/choices";
import { anAdapter } from "@/testing/builders";

const claude = anAdapter("claude", { modes: ["ask", "bypass"] });
const demo = anAdapter("demo", { isAgent: false });
const generic = anAdapter("generic", { isAgent: false, takesCommand: true });
const missing = { ...claude, installed: false };

const choices = (parts: Partial<Choices>): Choices => ({ ...firstChoices({}), ...parts });

test.each([
  [[demo, generic, claude], null, "claude"],
  [[generic, demo, missing], null, "demo"],
  [[generic, missing], "claude", "generic"],
  [[demo, generic, claude], "generic", "generic"],
  [[missing], null, undefined],
] as const)("of %j with %j chosen", (adapters, adapter, kind) => {
  expect(chosenAdapter([...adapters], choices({ adapter }))?.kind).toBe(kind);
});

test("a mode the adapter does not have falls back to its default", () => {
  expect(chosenMode(claude, choices({ mode: "auto" }))).toBe("ask");
  expect(chosenMode(claude, choices({ mode: "bypass" }))).toBe("bypass");
  expect(chosenMode(demo, choices({ mode: "ask" }))).toBeNull();
});

test("choices become a request", () => {
  expect(startRequest(claude, choices({ folder: " ~/shop ", name: " api " }))).toEqual({
    ok: true,
    start: { adapter: "claude", folder: "~/shop", name: "api", mode: "ask" },
  });
  expect(startRequest(generic, choices({ folder: "/", command: "npm run 'my dev'" }))).toEqual({
    ok: true,
    start: { adapter: "generic", folder: "/", command: ["npm", "run", "my dev"] },
  });
  expect(startRequest(demo, choices({}))).toEqual({ ok: true, start: { adapter: "demo", folder: "~" } });
});

test.each([
  [undefined, {}, "Nothing that could be started is installed."],
  [claude, {}, "Choose a folder first."],
  [generic, { folder: "/" }, "Say which program to run."],
  [generic, { folder: "/", command: "echo '" }, "A ' is not closed."],
])("incomplete choices say what is missing", (adapter, parts, reason) => {
  expect(startRequest(adapter, choices(parts))).toEqual({ ok: false, reason });
});

test("what is wanted of every session of an adapter comes before what was chosen last", () => {
  const last = choices({ folder: "/last", models: { codex: "its own" } });
  const defaults = { claude: { mode: "plan", model: "opus", folder: "/work" } } as const;
  expect(withDefaults(last, "claude", defaults)).toEqual({
    ...last,
    mode: "plan",
    models: { codex: "its own", claude: "opus" },
    folder: "/work",
  });
  expect(withDefaults(last, "codex", defaults)).toEqual(last);
  expect(withDefaults(last, undefined, defaults)).toEqual(last);
});

test("never asking is not remembered", () => {
  expect(toRemember(choices({ mode: "bypass" })).mode).toBeNull();
  expect(toRemember(choices({ mode: "plan" })).mode).toBe("plan");
});

test("walking stays below what may be browsed", () => {
  const roots = ["/home/me", "/srv/work"];
  expect(waysOut("/home/me/shop/src", roots)).toEqual(["/home/me/shop"]);
  expect(waysOut("/home/me/shop", roots)).toEqual(["/home/me"]);
  expect(waysOut("/home/me", roots)).toEqual(["/srv/work"]);
  expect(waysOut("/home/me", ["/home/me"])).toEqual([]);
  expect(waysOut("/srv/workshop", roots)).toEqual(roots);
  expect(waysOut("/etc", ["/"])).toEqual(["/"]);
});

test("folders go up and down", () => {
  expect(parentFolder("/home/me/")).toBe("/home");
  expect(parentFolder("/home")).toBe("/");
  expect(parentFolder("/")).toBeNull();
  expect(childFolder("/", "home")).toBe("/home");
  expect(childFolder("/home", "me")).toBe("/home/me");
});
