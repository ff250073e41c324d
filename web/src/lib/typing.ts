/* Whether somebody is writing: keys are then letters and not shortcuts. */

export function isTyping(target: unknown): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches("input:not([type=radio], [type=checkbox]), textarea, select")
  );
}
