/* Sends what a form holds: one at a time, and says why it failed where it was tried. */
import { useState } from "react";
import { failureText } from "@/lib/request-failed";

interface Submit {
  busy: boolean;
  problem: string | null;
  setProblem: (problem: string | null) => void;
  /** True when it succeeded. */
  submit: (send: () => Promise<unknown>) => Promise<boolean>;
}

export function useSubmit(): Submit {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function submit(send: () => Promise<unknown>): Promise<boolean> {
    setProblem(null);
    setBusy(true);
    try {
      await send();
      return true;
    } catch (error) {
      setProblem(failureText(error));
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { busy, problem, setProblem, submit };
}
