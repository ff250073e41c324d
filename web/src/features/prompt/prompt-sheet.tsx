/* The sheet: who asks, what for, what it risks, and the CLI's own options. Lowering it never answers. */
import { useEffect, useId, useRef, type KeyboardEvent } from "react";
import { ConnectionStrip } from "@/components/connection-status";
import { AnswerStatus } from "@/features/prompt/answer-status";
import type { Form, Input } from "@/features/prompt/form";
import { phaseOf } from "@/features/prompt/phase";
import { PromptAnswer } from "@/features/prompt/prompt-answer";
import "@/features/prompt/prompt-sheet.css";
import { PromptSubject } from "@/features/prompt/prompt-subject";
import { QuestionPages } from "@/features/prompt/question-pages";
import { shapeOf } from "@/features/prompt/shape";
import { SheetFooter } from "@/features/prompt/sheet-footer";
import { WhoAsks } from "@/features/prompt/who-asks";
import { useAppState } from "@/state/app-context";
import type { PendingPrompt } from "@/wire/prompt";

interface Props {
  pending: PendingPrompt;
  form: Form;
  modal: boolean;
  place: { index: number; count: number };
  onInput: (input: Input) => void;
  onLower: () => void;
  onTurn: (by: number) => void;
}

/** A key pressed this soon was meant for what was there before the sheet rose. */
const SETTLE_MS = 400;

export function PromptSheet({ pending, form, modal, place, onInput, onLower, onTurn }: Props) {
  const { prompt } = pending;
  const own = useAppState((state) => state.ownAnswers[prompt.requestId]);
  const phase = phaseOf(pending, own);
  const shape = shapeOf(prompt);
  const locked = phase.type === "under-way";
  const heading = useRef<HTMLHeadingElement>(null);
  const risenAt = useRef(0);
  const id = useId();

  useEffect(() => {
    risenAt.current = performance.now();
    // Beside the chat the sheet must not take the words out of somebody's hands.
    if (modal || !isTyping(document.activeElement)) heading.current?.focus({ preventScroll: true });
  }, [modal]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const option = prompt.options?.[Number(event.key) - 1];
    if (!option || locked || event.repeat || performance.now() - risenAt.current < SETTLE_MS) return;
    event.preventDefault();
    onInput({ type: shape === "multi-select" ? "toggle" : "tap", value: option.value });
  }

  return (
    // The keys are a shortcut for the buttons inside; nothing here is reachable by them alone.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className={`sheet sheet--${shape} sheet--${prompt.type}`}
      role="alertdialog"
      aria-modal={modal}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-what`}
      onKeyDown={onKeyDown}
    >
      <button type="button" className="sheet__grabber" aria-label="Lower" onClick={onLower} />
      <header className="sheet__head">
        <WhoAsks prompt={prompt} place={place} onTurn={onTurn} />
        <h2 className="sheet__title" id={`${id}-title`} ref={heading} tabIndex={-1} dir="auto">
          {prompt.title}
        </h2>
      </header>
      <div className="sheet__body" id={`${id}-what`}>
        <PromptSubject prompt={prompt} />
        {shape === "questions" && (
          <QuestionPages prompt={prompt} form={form} locked={locked} onInput={onInput} />
        )}
      </div>
      <div className="sheet__bottom">
        {/* The sheet hides the one of the page; and above the options it moves none of them. */}
        {modal && <ConnectionStrip />}
        <div className="sheet__actions">
          <AnswerStatus phase={phase} prompt={prompt} />
          <PromptAnswer prompt={prompt} form={form} locked={locked} onInput={onInput} />
        </div>
        <SheetFooter prompt={prompt} onLower={onLower} />
      </div>
    </section>
  );
}

function isTyping(target: unknown): boolean {
  return (
    target instanceof HTMLElement && target.matches("input:not([type=radio], [type=checkbox]), textarea")
  );
}
