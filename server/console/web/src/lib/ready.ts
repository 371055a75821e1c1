// Tells tests when the page shows something, and when it has come to rest: nothing
// asked, nothing to draw.

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

/** shown marks the time when a view first shows what it is for. */
export function shown(): void {
  if (performance.getEntriesByName("limpet-shown").length === 0)
    requestAnimationFrame(() => performance.mark("limpet-shown"));
}
