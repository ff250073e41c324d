/* The inside of a tool's card, by what the tool was used for. */
import { DiffView } from "@/components/diff-view";
import { Markdown } from "@/components/markdown";
import { ReviewButton } from "@/components/review-button";
import { useFold } from "@/features/chat/folds";
import { MessageImages } from "@/features/chat/message-images";
import { commandOf, inputText } from "@/lib/tool-input";
import { answerTo, changeOf, type ToolBody } from "@/lib/tool-words";
import type { MessageId } from "@/wire/message";
import type { SessionId } from "@/wire/session";
import type { AskedQuestion, TodoItem, TodoState, ToolResult } from "@/wire/tool";

interface Props {
  /** The message's. */
  id: MessageId;
  body: ToolBody;
  sessionId: SessionId;
}

export function ToolInside({ id, body, sessionId }: Props) {
  const images = body.result?.images;
  return (
    <div className="tool__inside">
      <Purpose body={body} />
      <Result id={id} body={body} />
      {images && <MessageImages sessionId={sessionId} images={images} />}
      <ReviewTool body={body} />
    </div>
  );
}

function ReviewTool({ body }: { body: ToolBody }) {
  const change = changeOf(body);
  if (body.purpose?.type === "plan") return <ReviewButton subject="Plan" text={body.purpose.plan} />;
  if (change.length === 0) return null;
  const text = change.map(({ path, unified }) => `--- ${path}\n+++ ${path}\n${unified}`).join("\n");
  return <ReviewButton subject={change.map(({ path }) => path).join(", ")} text={text} />;
}

function Purpose({ body }: { body: ToolBody }) {
  const { purpose, summary } = body;
  switch (purpose?.type) {
    case "command":
      return <Command command={purpose.command} why={summary} />;
    case "edit":
      return <DiffView files={changeOf(body)} />;
    case "todos":
      return <Todos items={purpose.items} />;
    case "agent":
      return <pre className="tool__text">{purpose.task}</pre>;
    case "questions":
      return purpose.questions.map((asked, index) => (
        <Asked key={index} asked={asked} answer={answerTo(body, asked.question, index)} />
      ));
    case "plan":
      return <Markdown text={purpose.plan} />;
    // The line of the card has no room for all of it.
    case "read":
      return <p className="mono tool__given">{purpose.path}</p>;
    case "search":
      return <Sought query={purpose.query} place={purpose.place} />;
    case "web":
      return <Target target={purpose.target} />;
    case undefined:
      return <Unknown body={body} />;
  }
}

function Result({ id, body: { purpose, result } }: Pick<Props, "id" | "body">) {
  if (!result || result.output === "") return null;
  switch (purpose?.type) {
    // What these say of themselves is for the model; it counts only when they failed.
    case "edit":
    case "todos":
    case "questions":
    case "plan":
      return result.ok ? null : <Output id={id} result={result} />;
    case "agent":
      return <Markdown text={result.output} />;
    case "command":
    case "read":
    case "search":
    case "web":
    case undefined:
      return <Output id={id} result={result} />;
  }
}

function Sought({ query, place }: { query: string; place: string | undefined }) {
  return (
    <p className="tool__given" dir="auto">
      <span className="mono">{query}</span>
      {place !== undefined && <span className="dim"> in {place}</span>}
    </p>
  );
}

/** An address can be opened, words cannot. */
function Target({ target }: { target: string }) {
  return (
    <p className="tool__given" dir="auto">
      {/^https?:\/\//.test(target) ? (
        <a href={target} target="_blank" rel="noopener noreferrer">
          {target}
        </a>
      ) : (
        target
      )}
    </p>
  );
}

function Command({ command, why }: { command: string; why: string }) {
  return (
    <>
      {why !== "" && why !== command && <p className="dim small">{why}</p>}
      <pre className="tool__text">{command}</pre>
    </>
  );
}

const MARKS: Record<TodoState, [mark: string, words: string]> = {
  open: ["○", "to do"],
  doing: ["◐", "being done"],
  done: ["●", "done"],
  dropped: ["✕", "given up"],
};

function Todos({ items }: { items: TodoItem[] }) {
  return (
    <ul className="todos">
      {items.map(({ text, state }, index) => (
        <li key={index} className={`todos__item todos__item--${state}`}>
          <span aria-hidden="true">{MARKS[state][0]}</span>
          <span dir="auto">{text}</span>
          <span className="visually-hidden">{MARKS[state][1]}</span>
        </li>
      ))}
    </ul>
  );
}

function Asked({ asked, answer }: { asked: AskedQuestion; answer: string | undefined }) {
  return (
    <div className="asked" dir="auto">
      <p>{asked.question}</p>
      {answer === undefined ? (
        <p className="dim small">{asked.options.join(" · ")}</p>
      ) : (
        <p>
          <span className="visually-hidden">Answer: </span>
          <strong>{answer}</strong>
        </p>
      )}
    </div>
  );
}

/** A tool that nobody knows: what it was given, as it is. */
function Unknown({ body }: { body: ToolBody }) {
  const command = commandOf(body.input);
  const change = changeOf(body);
  if (command !== null) return <Command command={command} why={body.summary} />;
  if (change.length > 0) return <DiffView files={change} />;
  const given = inputText(body.input);
  return given === "" ? null : <pre className="tool__text">{given}</pre>;
}

/** Some tools print a book; its end says how it went, until somebody wants all of it. */
const LAST_CHARACTERS = 2000;

function Output({ id, result }: { id: MessageId; result: ToolResult }) {
  const [all, showAll] = useFold(`${id} output`);
  const { output } = result;
  const cut = !all && output.length > LAST_CHARACTERS;
  return (
    <>
      {cut && (
        <button type="button" className="text-button" onClick={showAll}>
          show all {output.split("\n").length} lines
        </button>
      )}
      {!cut && result.clipped && <p className="dim small">only the end of it was kept</p>}
      <pre className="tool__text tool__text--output">{cut ? lastLines(output) : output}</pre>
    </>
  );
}

function lastLines(output: string): string {
  const end = output.slice(-LAST_CHARACTERS);
  return end.slice(end.indexOf("\n") + 1);
}
