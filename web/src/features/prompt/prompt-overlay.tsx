/*
 * The one overlay for every prompt: shows the raised sheet, or the word about the one that just ended, or the bar
 * that says how many wait. What was half entered is kept here, so that lowering the sheet loses nothing.
 */
import { useEffect, useState } from "react";
import { emptyForm, step, type Form, type Input } from "@/features/prompt/form";
import { PromptSheet } from "@/features/prompt/prompt-sheet";
import { isSecret } from "@/features/prompt/shape";
import { useAppState, useDispatch, useVerbs } from "@/state/app-context";
import type { PromptId } from "@/wire/prompt";

export function PromptOverlay({ modal }: { modal: boolean }) {
  const prompts = useAppState((state) => state.prompts);
  const shown = useAppState((state) => state.sheet.shown);
  const [forms, setForms] = useState<Record<PromptId, Form>>({});
  const dispatch = useDispatch();
  const { respond } = useVerbs();

  const at = prompts.findIndex(({ prompt }) => prompt.requestId === shown);
  const pending = prompts[at];
  const lower = () => dispatch({ type: "sheet-lowered" });

  useEffect(() => {
    if (shown === null) return;
    function onKey(event: KeyboardEvent) {
      if (event.key === "Escape" && !event.defaultPrevented) dispatch({ type: "sheet-lowered" });
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [shown, dispatch]);

  if (!pending) return null;
  const { prompt } = pending;
  const form = forms[prompt.requestId] ?? emptyForm(prompt);

  function enter(input: Input) {
    const next = step(prompt, form, input);
    setForms({ [prompt.requestId]: next.form, ...others(forms, prompt.requestId) });
    if (next.response) void respond(next.response, isSecret(prompt));
  }

  function turn(by: number) {
    const target = prompts[(at + by + prompts.length) % prompts.length];
    if (target) dispatch({ type: "sheet-raised", requestId: target.prompt.requestId });
  }

  return (
    <>
      {/* On the click, not before it: else the click would go to what lies underneath. */}
      {modal && <div className="scrim" onClick={lower} aria-hidden="true" />}
      <PromptSheet
        // A new prompt is a new sheet: it rises anew, and takes no tap meant for the one before.
        key={prompt.requestId}
        pending={pending}
        form={form}
        modal={modal}
        place={{ index: at, count: prompts.length }}
        onInput={enter}
        onLower={lower}
        onTurn={turn}
      />
    </>
  );
}

function others(forms: Record<PromptId, Form>, id: PromptId): Record<PromptId, Form> {
  return Object.fromEntries(Object.entries(forms).filter(([key]) => key !== id));
}
