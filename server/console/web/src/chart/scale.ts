// Ranges of axes, and positions of ticks that people read easily.

import type { Axis, Values } from "./sheet";

const STEPS = [1, 2, 5];

/** logTicks are 1, 2, 5 times powers of ten between two values; where these are many, every other or only powers. */
export function logTicks(low: number, high: number, most = 9): number[] {
  const inside = (steps: number[]): number[] => {
    const all: number[] = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
      all.push(...steps.map((step) => Number(`${step}e${power}`)));
    return all.filter((v) => v >= low * 0.999 && v <= high * 1.001);
  };
  const all = inside(STEPS);
  const powers = inside([1]);
  if (all.length <= most) return all;
  if (powers.length > 1) return powers;
  return most < 9 ? all.filter((_, i) => i % 2 === all.length % 2) : all;
}

/** logRange is wide enough for all values, and for a factor of four at least, so that noise looks like noise. */
function logRange(low: number, high: number): [number, number] {
  const middle = Math.sqrt(low * high);
  return [Math.min(low * 0.85, middle / 2), Math.max(high * 1.2, middle * 2)];
}

/** linearRange begins at zero unless that would waste half of the plot. */
function linearRange(low: number, high: number): [number, number] {
  const room = (high - low || Math.abs(high) || 1) * 0.1;
  if (low >= 0) return [low <= high / 2 ? 0 : low - room, high + room];
  return [low - room, high <= 0 && high >= low / 2 ? 0 : high + room];
}

/** yRange is what a y axis shows. */
export function yRange(axis: Axis, all: Values[]): [number, number] {
  if (axis.min !== undefined && axis.max !== undefined) return [axis.min, axis.max];
  const log = axis.scale === "log";
  const [low, high] = extent(all, log);
  if (!(low <= high)) return log ? [1, 10] : [0, 1];
  const [from, to] = log ? logRange(low, high) : linearRange(axis.min ?? low, high);
  if (log && hasFloor(axis, all)) return [10 ** (Math.ceil(Math.log10(Math.min(from, low))) - 1), to];
  return [axis.min ?? from, axis.max ?? to];
}

/** hasFloor says whether values lie on the lower edge of a logarithmic axis, which has no place for zero. */
export function hasFloor(axis: Axis, all: Values[]): boolean {
  return (
    axis.scale === "log" && axis.min === undefined && all.some((values) => values.some((v) => v !== null && v <= 0))
  );
}

/** extent is the least and the greatest of all values; NaN where there are none. */
function extent(all: Values[], positive: boolean): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const values of all)
    for (const v of values)
      if (v !== null && (!positive || v > 0)) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
  return low <= high ? [low, high] : [NaN, NaN];
}

/** xRange is what an x axis shows at first. A lone position has room on both sides. */
export function xRange(axis: Axis, at: number[]): [number, number] {
  const [first = 0, last = first] = [at[0], at.at(-1)];
  const [from, to] = [axis.min ?? first, axis.max ?? last];
  if (from < to) return [from, to];
  if (axis.scale === "log") return [from / 2, from * 2];
  const room = axis.scale === "time" ? 60 : 1;
  return [from - room, from + room];
}
