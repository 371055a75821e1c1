// The scale of maps: an index from 1 to 255 for a value, 0 where there is none.
//
// The scale is anchored at the bound: up to it colours are calm, beyond it they
// warn. So a healthy day looks healthy, whatever its largest value is. Lightness
// changes along with hue, and blue against orange is told apart with any colour
// vision. The colours themselves stand in chart.css.

import { flat, paintStops, type Table } from "./raster";

export const MISSING = 0;
export const BOUND = 128; // the first index beyond the bound

const OCTAVES = 3; // that are told apart on either side of the bound

/** indexOf is where a value stands on the scale. */
export function indexOf(value: number | null, bound: number): number {
  if (value === null || !(bound > 0)) return MISSING;
  if (value <= 0) return 1;
  const octaves = Math.log2(value / bound);
  if (octaves < 0) return Math.max(1, Math.round(BOUND - 1 + (octaves * (BOUND - 2)) / OCTAVES));
  return Math.min(255, Math.round(BOUND + (octaves * (255 - BOUND)) / OCTAVES));
}

/** palette has a colour of the present scheme for each index. */
export function palette(): Table {
  const table = new Uint32Array(256);
  table[MISSING] = flat("absent");
  paintStops(table, 1, BOUND - 1, "within", 3);
  paintStops(table, BOUND, 255, "beyond", 4);
  return table;
}

/** css is a colour of a palette for a style. */
export function css(colours: Table, index: number): string {
  const c = colours[index] ?? 0;
  return `rgb(${c & 255} ${(c >> 8) & 255} ${(c >> 16) & 255})`;
}
