/* What a tool was used for, in the one line of its card. Pure. */
import { commandOf } from "@/lib/tool-input";
import type { MessageBody } from "@/wire/message";
import type { FileDiff } from "@/wire/prompt";

export type ToolBody = Extract<MessageBody, { type: "tool" }>;

export interface ToolLine {
  /** What kind of thing it is: `$`, `Edit`, the tool's own name. */
  label: string;
  words: string;
}

/** `folder` is the one the session works in: paths below it are told without it. */
export function toolLine(body: ToolBody, folder = ""): ToolLine {
  const { purpose, summary, name } = body;
  switch (purpose?.type) {
    case "command":
      return { label: "$", words: purpose.command };
    case "edit":
      return {
        label: "Edit",
        words:
          changeOf(body)
            .map((file) => below(folder, file.path))
            .join(", ") || summary,
      };
    case "read":
      return { label: "Read", words: below(folder, purpose.path) };
    case "search":
      return {
        label: "Search",
        words: purpose.place ? `${purpose.query} in ${purpose.place}` : purpose.query,
      };
    case "web":
      return { label: "Web", words: purpose.target };
    case "todos":
      return { label: "To do", words: summary };
    case "agent":
      return { label: purpose.agent ?? "Agent", words: summary || purpose.task };
    case "questions":
      return { label: "Asked", words: answersLine(body) || summary };
    case "plan":
      return { label: "Plan", words: summary.replace(/^#+\s*/, "") };
    // A newer server may know purposes that this page does not.
    case undefined:
    default: {
      const command = commandOf(body.input);
      return command === null ? { label: name, words: summary } : { label: "$", words: command };
    }
  }
}

/** The change that was made, or else the one that was wanted. */
export function changeOf({ purpose, result }: ToolBody): FileDiff[] {
  return result?.diff ?? (purpose?.type === "edit" ? purpose.diff : []);
}

/** What the person said to a question; the CLIs name questions by their words or by a short name. */
export function answerTo(body: ToolBody, question: string, index: number): string | undefined {
  const answers = body.result?.answers;
  return (answers?.find((given) => given.question === question) ?? answers?.[index])?.answer;
}

function answersLine({ result }: ToolBody): string {
  return (result?.answers ?? []).map(({ answer }) => answer).join(" · ");
}

function below(folder: string, path: string): string {
  return folder !== "" && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}
