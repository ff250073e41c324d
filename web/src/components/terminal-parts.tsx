/*
 * A session's screen and the keys for it, fetched when they are first shown: most prompts and chats need neither. Whoever shows them
 * says what stands there until they have come.
 */
import { lazy } from "react";

const screen = () => import("@/components/live-screen");
const keys = () => import("@/components/key-bar");

export const LiveScreen = lazy(async () => ({ default: (await screen()).LiveScreen }));
export const KeyBar = lazy(async () => ({ default: (await keys()).KeyBar }));
