// Colours of the page's style, as canvases need them.

import type { Role } from "./sheet";

/** ink is what a custom property of the page stands for, in the scheme that is shown. */
export function ink(element: Element, name: string): string {
  const probe = document.createElement("i");
  probe.style.color = `var(--${name})`;
  element.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

export const roleInk = (element: Element, role: Role): string => ink(element, role);

const redraws = new Set<() => void>();
let watching = false;

function redrawAll(): void {
  redraws.forEach((redraw) => redraw());
}

/** onScheme calls back when colours have changed: another scheme, or paper. It returns how to stop that. */
export function onScheme(redraw: () => void): () => void {
  if (!watching) {
    watching = true;
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
    matchMedia("print").addEventListener("change", redrawAll);
    new MutationObserver(redrawAll).observe(document.documentElement, { attributeFilter: ["data-scheme"] });
  }
  redraws.add(redraw);
  return () => redraws.delete(redraw);
}

/** isDark says which scheme is shown. */
export function isDark(): boolean {
  if (matchMedia("print").matches) return false;
  const chosen = document.documentElement.dataset["scheme"];
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
