/* The proofs are the ones the server computes (`shared-types/src/proof.rs`). */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hasKey, keepKey, provesFor, requestProof, socketProof } from "@/lib/credential";

const KEY = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  });
});
afterEach(() => void vi.unstubAllGlobals());

test("without a key nothing is proved", () => {
  expect(hasKey()).toBe(false);
  expect(socketProof("n1")).toBeNull();
  provesFor("e1");
  expect(requestProof("GET", "/api/me")).toBeNull();
});

test("the proofs are those of the server", () => {
  expect(keepKey(KEY)).toBe(true);
  expect(hasKey()).toBe(true);
  expect(socketProof("n1")).toBe("984199f55ec599fd237831f263fec29915f9435265d36a850bf929b2c45d206e");
  provesFor("00000000-0000-0000-0000-000000000000");
  expect(requestProof("POST", "/api/sessions/s1/files?name=a%20b")).toBe(
    "dcaebd3b1af951fac3295a0a551b1d011ee3d459e7ab0877bc5ec89b5aaf9cdf",
  );
});

test("a browser that keeps nothing says so", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => null,
    setItem: () => {
      throw new Error("full");
    },
  });
  expect(keepKey(KEY)).toBe(false);
});
