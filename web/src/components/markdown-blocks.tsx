/*
 * Markdown as elements, made from the tokens of its reader: no HTML is ever put together, so none of a model's gets into the page. What it
 * wrote as HTML stands there as the text it is. A chunk of its own, loaded by `components/markdown.tsx`.
 */
import { Lexer, type Token, type Tokens } from "marked";
import { createElement, Fragment, memo, type ReactNode } from "react";
import { CodeBlock } from "@/components/code-block";
import { outright } from "@/components/markdown-outright";
import { visibleText } from "@/lib/visible-text";
import { decoded, languageOf } from "@/components/markdown-words";

/**
 * The blocks of a text. While it streams in only the last one is another. With `exact` none of its words stays hidden in what Markdown
 * does not draw: the ends of links, definitions, cells that a table has no column for.
 */
export function readBlocks(text: string, exact = false): Token[] {
  const tokens = Lexer.lex(text, { gfm: true, breaks: true });
  const shown = exact ? outright(text, tokens) : tokens;
  return shown.filter(({ type }) => type !== "space" && type !== "def");
}

/** One block: those before the last stay as they are while a text grows. */
export const Block = memo(
  // Each has a direction of its own: one of them may quote another script.
  function Block({ token }: { token: Token }) {
    return (
      <div className="prose__block" dir="auto">
        {element(token, 0)}
      </div>
    );
  },
  // A link may be defined elsewhere in the text, so the same words are not always the same block.
  (before, after) => before.token.raw === after.token.raw && !after.token.raw.includes("["),
);

function elements(tokens: Token[] | undefined): ReactNode {
  return tokens?.map(element);
}

/** Any token as what it is; one that is not known as its own text. */
function element(given: Token, key: number): ReactNode {
  const token = given as Tokens.Generic & { type: string };
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      return createElement(`h${token.depth as number}`, { key }, elements(token.tokens));
    case "paragraph":
      return <p key={key}>{elements(token.tokens)}</p>;
    case "blockquote":
      return <blockquote key={key}>{elements(token.tokens)}</blockquote>;
    case "code":
      return <CodeBlock key={key} text={String(token.text)} language={languageOf(token.lang)} />;
    case "list":
      return list(given as Tokens.List, key);
    case "table":
      return table(given as Tokens.Table, key);
    case "hr":
      return <hr key={key} />;
    case "br":
      return <br key={key} />;
    case "strong":
      return <strong key={key}>{elements(token.tokens)}</strong>;
    case "em":
      return <em key={key}>{elements(token.tokens)}</em>;
    case "del":
      return <del key={key}>{elements(token.tokens)}</del>;
    case "codespan":
      return <code key={key}>{String(token.text)}</code>;
    case "checkbox":
      return <Fragment key={key}>{token.checked ? "☑ " : "☐ "}</Fragment>;
    case "link":
      return <Link key={key} href={String(token.href)} words={elements(token.tokens)} />;
    case "image":
      // It would be fetched from whoever the model names: only its words are shown.
      return <Fragment key={key}>{String(token.text)}</Fragment>;
    case "html":
      return <Fragment key={key}>{token.raw}</Fragment>;
    case "outright":
      return (
        <div key={key} className="prose__outright">
          {token.raw}
        </div>
      );
    case "escape":
      return <Fragment key={key}>{String(token.text)}</Fragment>;
    default:
      if (token.tokens) return <Fragment key={key}>{elements(token.tokens)}</Fragment>;
      return <Fragment key={key}>{wordsOf(token)}</Fragment>;
  }
}

/** An entity may stand for a character that is not seen. */
function wordsOf({ text, raw }: Tokens.Generic & { text?: string }): string {
  const words = decoded(text ?? raw);
  return words === raw ? words : visibleText(words);
}

function list({ ordered, start, items }: Tokens.List, key: number): ReactNode {
  const inside = items.map((item, index) => (
    <li key={index}>
      {item.task && !item.tokens.some(hasCheckbox) && (item.checked ? "☑ " : "☐ ")}
      {elements(item.tokens)}
    </li>
  ));
  if (!ordered) return <ul key={key}>{inside}</ul>;
  return (
    <ol key={key} start={start === "" || start === 1 ? undefined : start}>
      {inside}
    </ol>
  );
}

function hasCheckbox(token: Token): boolean {
  return token.type === "checkbox" || ("tokens" in token && (token.tokens ?? []).some(hasCheckbox));
}

function table({ header, rows }: Tokens.Table, key: number): ReactNode {
  return (
    <table key={key}>
      <thead>
        <tr>
          {header.map((cell, at) => (
            <th key={at}>{elements(cell.tokens)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, column) => (
              <td key={column}>{elements(cell.tokens)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A link of the model's must not steer this page (its address holds the route), so only the web and mail remain. */
function Link({ href, words }: { href: string; words: ReactNode }) {
  if (!/^(https?:|mailto:)/i.test(href)) return words;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {words}
    </a>
  );
}
