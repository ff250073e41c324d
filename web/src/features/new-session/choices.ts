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
  name: string;
}

export type Remembered = Partial<Pick<Choices, "adapter" | "folder" | "command" | "mode">>;

export function firstChoices(remembered: Remembered): Choices {
  return {
    adapter: remembered.adapter ?? null,
    folder: remembered.folder ?? "",
    command: remembered.command ?? "",
    mode: remembered.mode ?? null,
    name: "",
  };
}

/** The adapter that counts: the chosen one if it can be started, else the first that can, agents first. */
export function chosenAdapter(adapters: AdapterInfo[], choices: Choices): AdapterInfo | undefined {
  const startable = adapters.filter(({ installed }) => installed);
  return (
    startable.find(({ kind }) => kind === choices.adapter) ??
    startable.find(({ kind }) => kind !== "generic" && kind !== "demo") ??
    startable.find(({ kind }) => kind === "demo") ??
    startable[0]
  );
}

/** What a person wants of every new session of the adapter takes the place of what was chosen last. */
export function withDefaults(choices: Choices, { mode, folder }: AdapterDefaults = {}): Choices {
  return { ...choices, ...(mode !== undefined && { mode }), ...(folder !== undefined && { folder }) };
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
  const start: StartSession = {
    adapter: adapter.kind,
    folder,
    ...(name !== "" && { name }),
    ...(mode !== null && { mode }),
    ...(resume && { resume: resume.id }),
  };
  if (!adapter.takesCommand) return { ok: true, start };
  const command = splitShellWords(choices.command);
  if (!command.ok) return { ok: false, reason: command.reason };
  if (command.words.length === 0) return { ok: false, reason: "Say which program to run." };
  return { ok: true, start: { ...start, command: command.words } };
}

/** Never asking is chosen anew each time, in so many words. */
export function toRemember({ adapter, folder, command, mode }: Choices): Remembered {
  return { adapter, folder, command, mode: mode === "bypass" ? null : mode };
}

export function parentFolder(folder: string): string | null {
  const trimmed = folder.replace(/\/+$/, "");
  if (trimmed === "") return null;
  return trimmed.slice(0, trimmed.lastIndexOf("/")) || "/";
}

export function childFolder(folder: string, name: string): string {
  return `${folder.replace(/\/+$/, "")}/${name}`;
}
