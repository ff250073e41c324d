/* The sheet: who asks, what for, what it risks, and the CLI's own options. Lowering it never answers. */
import { lazy, Suspense, useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { ConnectionStrip } from "@/components/connection-status";
import { Icon } from "@/components/icon";
import { Visible } from "@/components/visible";
import { AnswerStatus } from "@/features/prompt/answer-status";
import { mayAnswer, type Form, type Input } from "@/features/prompt/form";
import { phaseOf } from "@/features/prompt/phase";
import { PromptAnswer } from "@/features/prompt/prompt-answer";
import "@/features/prompt/prompt-sheet.css";
import { PromptSubject } from "@/features/prompt/prompt-subject";
import { QuestionPages } from "@/features/prompt/question-pages";
import { isTerminalOnly, shapeOf, takesRules } from "@/features/prompt/shape";
import { SheetFooter } from "@/features/prompt/sheet-footer";
import { versionOf } from "@/features/prompt/shown-input";
import { useMoreBelow } from "@/features/prompt/use-more-below";
import { WhoAsks } from "@/features/prompt/who-asks";
import { useSettling } from "@/lib/settle";
import { isTyping } from "@/lib/typing";
import { useAppState } from "@/state/app-context";
import type { PendingPrompt } from "@/wire/prompt";

/* Most answers need none of it. */
const RulesPanel = lazy(async () => ({
  default: (await import("@/features/prompt/rules-panel")).RulesPanel,
}));

const ToldList = lazy(async () => ({ default: (await import("@/features/prompt/told-list")).ToldList }));

interface Props {
  pending: PendingPrompt;
  form: Form;
  modal: boolean;
  place: { index: number; count: number };
  onInput: (input: Input) => void;
  onLower: () => void;
  onTurn: (by: number) => void;
}

export function PromptSheet({ pending, form, modal, place, onInput, onLower, onTurn }: Props) {
  const { prompt } = pending;
  const own = useAppState((state) => state.ownAnswers[prompt.requestId]);
  const phase = phaseOf(pending, own);
  const shape = shapeOf(prompt);
  const locked = phase.type === "under-way";
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const [rulesOpen, setRulesOpen] = useState(false);
  const [toldOpen, setToldOpen] = useState(false);
  // Another prompt, another page of questions or a word about a failure above them: the options are not where they were.
  const { settling, isSettled } = useSettling(
    `${phase.type} ${form.page} ${form.wish?.scope ?? ""} ${versionOf(prompt)}`,
  );

  const { sheet, body, moreBelow, showMore } = useMoreBelow(versionOf(prompt));

  useEffect(() => {
    // Beside the chat the sheet must not take the words out of somebody's hands.
    if (modal || !isTyping(document.activeElement)) heading.current?.focus({ preventScroll: true });
  }, [modal]);

  function enter(input: Input) {
    if (!mayAnswer(input) || isSettled()) onInput(input);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const option = prompt.options?.[Number(event.key) - 1];
    if (!option || locked || event.repeat || isTerminalOnly(prompt)) return;
    event.preventDefault();
    enter({ type: shape === "multi-select" ? "toggle" : "tap", value: option.value });
  }

  return (
    // The keys are a shortcut for the buttons inside; nothing here is reachable by them alone.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={sheet}
      className={`sheet sheet--${shape} sheet--${prompt.type}`}
      role="alertdialog"
      aria-modal={modal}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-summary`}
      onKeyDown={onKeyDown}
    >
      <button type="button" className="sheet__grabber" aria-label="Lower" onClick={onLower} />
      <header className="sheet__head">
        <WhoAsks prompt={prompt} place={place} onTurn={onTurn} />
        <h2 className="sheet__title" id={`${id}-title`} ref={heading} tabIndex={-1} dir="auto">
          <Visible text={prompt.title} />
        </h2>
      </header>
      <div className="sheet__body" ref={body}>
        <PromptSubject prompt={prompt} summaryId={`${id}-summary`} />
        {shape === "questions" && !isTerminalOnly(prompt) && (
          <QuestionPages prompt={prompt} form={form} locked={locked} onInput={enter} />
        )}
        {rulesOpen && takesRules(prompt) && (
          <Suspense fallback={<p className="dim small">fetching…</p>}>
            <RulesPanel prompt={prompt} form={form} onInput={enter} />
          </Suspense>
        )}
        {toldOpen && (
          <Suspense fallback={<p className="dim small">fetching…</p>}>
            <ToldList requestId={prompt.requestId} />
          </Suspense>
        )}
      </div>
      <div className="sheet__bottom">
        {moreBelow && (
          <button type="button" className="sheet__more small" onClick={showMore}>
            <Icon name="down" size={16} /> more to read
          </button>
        )}
        {/* The sheet hides the one of the page; and above the options it moves none of them. */}
        {modal && <ConnectionStrip />}
        <div className={settling ? "sheet__actions settling" : "sheet__actions"}>
          <AnswerStatus phase={phase} prompt={prompt} onLeave={onLower} />
          <PromptAnswer prompt={prompt} form={form} locked={locked} onInput={enter} onLower={onLower} />
        </div>
        <SheetFooter
          prompt={prompt}
          onLower={onLower}
          told={{ open: toldOpen, toggle: () => setToldOpen(!toldOpen) }}
          rules={takesRules(prompt) ? { open: rulesOpen, toggle: () => setRulesOpen(!rulesOpen) } : null}
        />
      </div>
    </section>
  );
}
