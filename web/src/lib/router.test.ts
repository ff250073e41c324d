import { expect, test } from "vitest";
import { hrefOf, parseRoute, type Route } from "@/lib/router";

const routes: [string, Route][] = [
  ["#/", { page: "home" }],
  ["#/new", { page: "new" }],
  ["#/settings", { page: "settings" }],
  ["#/p/7a", { page: "prompt", requestId: "7a" }],
  ["#/s/7a", { page: "chat", sessionId: "7a" }],
  ["#/s/7a/m/toolu_1%2F2", { page: "chat", sessionId: "7a", messageId: "toolu_1/2" }],
  ["#/history", { page: "history" }],
  ["#/history/insight", { page: "insight" }],
  ["#/s/7a/history", { page: "history", sessionId: "7a" }],
  ["#/search", { page: "search" }],
  ["#/search/log%20in", { page: "search", query: "log in" }],
  ["#/s/7a/search", { page: "search", sessionId: "7a" }],
  ["#/s/7a/search/100%25", { page: "search", sessionId: "7a", query: "100%" }],
  ["#/s/7a/terminal", { page: "terminal", sessionId: "7a" }],
];

test.each(routes)("%s is read and written back", (hash, route) => {
  expect(parseRoute(hash)).toEqual(route);
  expect(hrefOf(route)).toBe(hash);
});

test.each(["", "#", "#/nonsense", "#/s", "#/s/"])("%j leads home", (hash) => {
  expect(parseRoute(hash)).toEqual({ page: "home" });
});

test("a broken escape is taken as it stands", () => {
  expect(parseRoute("#/s/%")).toEqual({ page: "chat", sessionId: "%" });
});
