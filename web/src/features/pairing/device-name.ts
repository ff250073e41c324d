/* A first suggestion of what to call this device, from what the browser says about itself. Pure. */

export function deviceName(userAgent: string): string {
  const device = deviceOf(userAgent);
  const browser = browserOf(userAgent);
  // On an iPhone every browser is Safari inside, and the device says it all.
  return browser && !/^i(Phone|Pad)/.test(device) ? `${device} · ${browser}` : device;
}

function deviceOf(userAgent: string): string {
  if (userAgent.includes("iPhone")) return "iPhone";
  if (userAgent.includes("iPad")) return "iPad";
  const android = /Android [\d.]+; ([^;)]+?)(?: Build[^;)]*)?[;)]/.exec(userAgent)?.[1];
  // Since 2023 Chrome says "K" for every model.
  if (android !== undefined && android !== "K") return android;
  if (userAgent.includes("Android")) return "Android phone";
  if (userAgent.includes("Macintosh")) return "Mac";
  if (userAgent.includes("Windows")) return "Windows";
  if (userAgent.includes("CrOS")) return "Chromebook";
  if (userAgent.includes("Linux")) return "Linux";
  return "This device";
}

function browserOf(userAgent: string): string | null {
  if (/Edg(A|iOS)?\//.test(userAgent)) return "Edge";
  if (userAgent.includes("SamsungBrowser/")) return "Samsung Internet";
  if (userAgent.includes("Firefox/")) return "Firefox";
  if (userAgent.includes("Chrome/")) return "Chrome";
  if (userAgent.includes("Safari/")) return "Safari";
  return null;
}
