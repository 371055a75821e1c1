// Tells tests when the page has come to rest: nothing asked, nothing to draw.

import { pending } from "./api";

const QUIET_MS = 120;

/** settle sets data-ready on the page while no request has been under way for a while. */
export function settle(): void {
  let quietSince = performance.now();
  setInterval(() => {
    const now = performance.now();
    if (pending.count > 0) quietSince = now;
    document.documentElement.toggleAttribute("data-ready", now - quietSince > QUIET_MS);
  }, 40);
}
