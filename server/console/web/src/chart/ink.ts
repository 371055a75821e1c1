// Colours of chart.css and of the page, as canvases need them.

const known = new Map<string, string>();

/** ink is what a custom property of the page stands for, in the scheme that is shown. */
export function ink(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  const probe = document.createElement("i");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  known.set(name, colour);
  return colour;
}

/** channels are red, green and blue of a custom property. */
export function channels(name: string): [number, number, number] {
  const [red = 0, green = 0, blue = 0] = (ink(name).match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}

const redraws = new Set<() => void>();
let watching = false;

/** restyle draws all anew, in the colours that the page has now. */
export function restyle(): void {
  known.clear();
  redraws.forEach((redraw) => redraw());
}

/** onScheme calls back when colours have changed: another scheme, or paper. It returns how to stop that. */
export function onScheme(redraw: () => void): () => void {
  if (!watching) {
    watching = true;
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", restyle);
    matchMedia("print").addEventListener("change", restyle);
    new MutationObserver(restyle).observe(document.documentElement, { attributeFilter: ["data-scheme"] });
  }
  redraws.add(redraw);
  return () => redraws.delete(redraw);
}
