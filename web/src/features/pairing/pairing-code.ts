/* The pairing code as people type it and as the link carries it. Pure, but for the one function that clears the bar. */

const CODE = /^[A-Z0-9]{4}-[A-Z0-9]{4}$/;

/** Puts what was typed into the form XXXX-XXXX, as far as it goes. */
export function tidyCode(typed: string): string {
  const plain = typed
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "")
    .slice(0, 8);
  return plain.length > 4 ? `${plain.slice(0, 4)}-${plain.slice(4)}` : plain;
}

export function isCompleteCode(code: string): boolean {
  return CODE.test(code);
}

/** The code in a fragment such as `#pair=ABCD-EFGH`. */
export function codeInHash(hash: string): string | null {
  const found = /^#pair=([^&]+)/.exec(hash)?.[1];
  if (found === undefined) return null;
  const code = tidyCode(found);
  return code === "" ? null : code;
}

/**
 * Takes the code out of the address bar at once: an address is easily shared, photographed or kept in the history,
 * and the code is as good as a key until it is used.
 */
export function takeCodeFromAddress(): string | null {
  const code = codeInHash(location.hash);
  if (code !== null) history.replaceState(null, "", `${location.pathname}#/`);
  return code;
}
