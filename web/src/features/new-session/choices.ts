/* What was chosen for a new session, how it becomes a request, and what is remembered of it. Pure. */
import { splitShellWords } from "@/lib/shell-words";
import type { AdapterDefaults } from "@/state/state";
import type {
  AdapterInfo,
  AdapterKind,
  ConversationInfo,
  PermissionMode,
  StartSession,
} from "@/wire/session";

export interface Choices {
  adapter: AdapterKind | null;
  folder: string;
  command: string;
  mode: PermissionMode | null;
  /** By adapter: none of them knows the others' models. */
  models: Partial<Record<AdapterKind, string>>;
  name: string;
  message: string;
  /** The folder's own settings may run without a question; never remembered. */
  trust: boolean;
}

export type Remembered = Partial<Pick<Choices, "adapter" | "folder" | "command" | "mode" | "models">>;

export function firstChoices(remembered: Remembered): Choices {
  return {
    adapter: remembered.adapter ?? null,
    folder: remembered.folder ?? "",
    command: remembered.command ?? "",
    mode: remembered.mode ?? null,
    models: remembered.models ?? {},
    name: "",
    message: "",
    trust: false,
  };
}

/** The adapter that counts: the chosen one if it can be started, else the first that can, agents first. */
export function chosenAdapter(adapters: AdapterInfo[], choices: Choices): AdapterInfo | undefined {
  const startable = adapters.filter(({ installed }) => installed);
  return (
    startable.find(({ kind }) => kind === choices.adapter) ??
    startable.find(({ isAgent }) => isAgent) ??
    startable.find(({ kind }) => kind === "demo") ??
    startable[0]
  );
}

/** What a person wants of every new session of an adapter takes the place of what was chosen last. */
export function withDefaults(
  choices: Choices,
  kind: AdapterKind | undefined,
  defaults: Partial<Record<AdapterKind, AdapterDefaults>>,
): Choices {
  if (kind === undefined) return choices;
  const { mode, model, folder } = defaults[kind] ?? {};
  return {
    ...choices,
    ...(mode !== undefined && { mode }),
    ...(model !== undefined && { models: { ...choices.models, [kind]: model } }),
    ...(folder !== undefined && { folder }),
  };
}

/** The mode that counts: the chosen one if the adapter has it, else its default. */
export function chosenMode(adapter: AdapterInfo | undefined, choices: Choices): PermissionMode | null {
  const modes = adapter?.modes ?? [];
  return modes.find((mode) => mode === choices.mode) ?? modes[0] ?? null;
}

export type StartRequest = { ok: true; start: StartSession } | { ok: false; reason: string };

/** The request; with an earlier conversation it goes on with that one, in the folder it was held in. */
export function startRequest(
  adapter: AdapterInfo | undefined,
  choices: Choices,
  resume: ConversationInfo | null = null,
): StartRequest {
  if (!adapter) return { ok: false, reason: "Nothing that could be started is installed." };
  // The demo agent touches nothing; it needs no decision of a newcomer.
  const folder = (resume?.folder ?? choices.folder.trim()) || (adapter.kind === "demo" ? "~" : "");
  if (folder === "") return { ok: false, reason: "Choose a folder first." };
  const name = choices.name.trim();
  const mode = chosenMode(adapter, choices);
  const model = adapter.models ? (choices.models[adapter.kind] ?? "").trim() : "";
  const start: StartSession = {
    adapter: adapter.kind,
    folder,
    ...(name !== "" && { name }),
    ...(mode !== null && { mode }),
    ...(model !== "" && { model }),
    // Whoever goes on with a conversation sees it first and talks then.
    ...(choices.message.trim() !== "" && !resume && { message: choices.message }),
    ...(resume && { resume: resume.id }),
    ...(choices.trust && adapter.isAgent && { trustFolder: true }),
  };
  if (!adapter.takesCommand) return { ok: true, start };
  const command = splitShellWords(choices.command);
  if (!command.ok) return { ok: false, reason: command.reason };
  if (command.words.length === 0) return { ok: false, reason: "Say which program to run." };
  return { ok: true, start: { ...start, command: command.words } };
}

/** Never asking is chosen anew each time, in so many words. */
export function toRemember({ adapter, folder, command, mode, models }: Choices): Remembered {
  return { adapter, folder, command, models, mode: mode === "bypass" ? null : mode };
}

export function parentFolder(folder: string): string | null {
  const trimmed = folder.replace(/\/+$/, "");
  if (trimmed === "") return null;
  return trimmed.slice(0, trimmed.lastIndexOf("/")) || "/";
}

/** Where to go on from a folder other than into it: one up, and at the top of what may be browsed to the other tops. */
export function waysOut(folder: string, roots: string[]): string[] {
  const parent = parentFolder(folder);
  const isAllowed = (path: string) =>
    roots.some((root) => path === root || path.startsWith(childFolder(root, "")));
  if (parent !== null && isAllowed(parent)) return [parent];
  return roots.filter((root) => root !== folder);
}

export function childFolder(folder: string, name: string): string {
  return `${folder.replace(/\/+$/, "")}/${name}`;
}

/** More than this is a list, not a shortcut. */
const RECENT = 5;

/** Favourites first, then where sessions were started last. */
export function shortcuts(favourites: string[], recent: string[]): string[] {
  return [...favourites, ...recent.filter((path) => !favourites.includes(path)).slice(0, RECENT)];
}

export function toggledFavourite(favourites: string[], folder: string): string[] {
  return favourites.includes(folder) ? favourites.filter((each) => each !== folder) : [...favourites, folder];
}
