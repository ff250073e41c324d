/*
 * The one overlay for every prompt: shows the raised sheet. What was half entered is kept here, so that lowering the sheet loses
 * nothing; it goes with its prompt. A first tap is taken back by lowering, turning and a prompt that changed.
 */
import { Suspense, useState } from "react";
import { Contained } from "@/components/contained";
import { formFor, step, type Form, type Input } from "@/features/prompt/form";
import { PromptSheet } from "@/features/prompt/prompt-sheet";
import { isSecret } from "@/features/prompt/shape";
import { useLowering } from "@/features/prompt/use-lowering";
import { useDisarm } from "@/lib/use-disarm";
import { useAppState, useDispatch, useVerbs } from "@/state/app-context";
import type { PromptId } from "@/wire/prompt";

type Forms = Record<PromptId, Form>;

export function PromptOverlay({ modal }: { modal: boolean }) {
  const prompts = useAppState((state) => state.prompts);
  const shown = useAppState((state) => state.sheet.shown);
  const [forms, setForms] = useState<Forms>({});
  const [before, setBefore] = useState(shown);
  const dispatch = useDispatch();
  const { respond } = useVerbs();
  const lower = () => dispatch({ type: "sheet-lowered" });

  const at = prompts.findIndex(({ prompt }) => prompt.requestId === shown);
  const pending = prompts[at];
  const form = pending && formFor(pending.prompt, forms[pending.prompt.requestId]);

  // What was entered for a prompt that is over is forgotten with it: it may have been half of a password.
  const open = new Set(prompts.map(({ prompt }) => prompt.requestId));
  if (Object.keys(forms).some((id) => !open.has(id))) {
    setForms(Object.fromEntries(Object.entries(forms).filter(([id]) => open.has(id))));
  }
  if (shown !== before) {
    setBefore(shown);
    setForms(Object.fromEntries(Object.entries(forms).map(([id, each]) => [id, { ...each, armed: null }])));
  }

  useLowering(pending !== undefined, lower);
  useDisarm(form?.armed ?? null, () => enter({ type: "disarm" }));

  function enter(input: Input) {
    if (!pending || !form) return;
    const { prompt } = pending;
    const next = step(prompt, form, input, performance.now());
    setForms((all) => ({ ...all, [prompt.requestId]: next.form }));
    if (next.response) void respond(next.response, isSecret(prompt));
  }

  function turn(by: number) {
    const target = prompts[(at + by + prompts.length) % prompts.length];
    if (target) dispatch({ type: "sheet-raised", requestId: target.prompt.requestId });
  }

  if (!pending || !form) return null;
  const { requestId, sessionId } = pending.prompt;
  return (
    <>
      {/* On the click, not before it: else the click would go to what lies underneath. */}
      {modal && <div className="scrim" onClick={lower} aria-hidden="true" />}
      <Contained key={requestId} what="this prompt" sessionId={sessionId} onLeave={lower}>
        {/* A screen and its keys may have to be fetched: no part of the sheet comes before the others. */}
        <Suspense>
          <PromptSheet
            pending={pending}
            form={form}
            modal={modal}
            place={{ index: at, count: prompts.length }}
            onInput={enter}
            onLower={lower}
            onTurn={turn}
          />
        </Suspense>
      </Contained>
    </>
  );
}
