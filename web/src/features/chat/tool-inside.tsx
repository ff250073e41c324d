/* The inside of a tool's card, by what the tool was used for. */
import { DiffView } from "@/components/diff-view";
import { Markdown } from "@/components/markdown";
import { ReviewAction } from "@/components/review-slot";
import { Visible } from "@/components/visible";
import { useFold } from "@/features/chat/folds";
import { MessageImages } from "@/features/chat/message-images";
import "@/features/chat/tool-inside.css";
import { fieldsText, readInput } from "@/lib/tool-input";
import { answerTo, changeOf, type ToolBody } from "@/words/tool-words";
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
      <ReviewTool body={body} sessionId={sessionId} />
    </div>
  );
}

function ReviewTool({ body, sessionId }: Omit<Props, "id">) {
  const change = changeOf(body);
  if (body.purpose?.type === "plan")
    return <ReviewAction sessionId={sessionId} subject="Plan" text={body.purpose.plan} />;
  if (change.length === 0) return null;
  const text = change.map(({ path, unified }) => `--- ${path}\n+++ ${path}\n${unified}`).join("\n");
  return (
    <ReviewAction sessionId={sessionId} subject={change.map(({ path }) => path).join(", ")} text={text} />
  );
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
    default:
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
    default:
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
      <pre className="tool__text exact">
        <Visible text={command} />
      </pre>
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
      {items.map(({ text, state }, index) => {
        const [mark, words] = (MARKS as Partial<typeof MARKS>)[state] ?? ["·", state];
        return (
          <li key={index} className={`todos__item todos__item--${state}`}>
            <span aria-hidden="true">{mark}</span>
            <span dir="auto">{text}</span>
            <span className="visually-hidden">{words}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** The question with what was chosen, what was not, and in its own form what was written instead. */
function Asked({ asked, answer }: { asked: AskedQuestion; answer: string | undefined }) {
  const chosen = new Set(answer === undefined ? [] : [answer, ...answer.split(", ")]);
  const own = answer !== undefined && !asked.options.some((option) => chosen.has(option));
  return (
    <div className="asked" dir="auto">
      <p>{asked.question}</p>
      <ul className="asked__options">
        {asked.options.map((option) => (
          <li key={option} className={chosen.has(option) ? undefined : "dim"}>
            <span aria-hidden="true">{chosen.has(option) ? "● " : "○ "}</span>
            {chosen.has(option) ? (
              <>
                <span className="visually-hidden">Answer: </span>
                <strong>{option}</strong>
              </>
            ) : (
              option
            )}
          </li>
        ))}
      </ul>
      {own && (
        <p className="asked__own">
          <span className="visually-hidden">Answer: </span>
          <strong>{answer}</strong>
        </p>
      )}
    </div>
  );
}

/** A tool that nobody knows: what it was given, as it is. */
function Unknown({ body }: { body: ToolBody }) {
  const { command, fields } = readInput(body.input);
  const change = changeOf(body);
  if (command === null && change.length > 0) return <DiffView files={change} />;
  return (
    <>
      {command !== null && <Command command={command} why={body.summary} />}
      {fields.length > 0 && (
        <pre className="tool__text exact">
          <Visible text={fieldsText(fields)} />
        </pre>
      )}
    </>
  );
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
