// Scales and axes for uPlot.

import uPlot from "uplot";
import { ink } from "./ink";
import { hasFloor, logTicks, xRange, yRange } from "./scale";
import type { Axis, Sheet, Values } from "./sheet";

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
export const STRIP = 8; // CSS pixels of the strip of missing samples, below the plot

/**
 * For ticks at least so many seconds apart: their text, and what is added where the year (second text) or the day
 * (fourth) changes.
 */
const TIME_TICKS: uPlot.Axis.Values = [
  [31536000, "{YYYY}", null, null, null, null, null, null, 1],
  [2419200, "{YYYY}-{MM}", null, null, null, null, null, null, 1],
  [86400, "{MM}-{DD}", "\n{YYYY}", null, null, null, null, null, 1],
  [60, "{HH}:{mm}", "\n{YYYY}-{MM}-{DD}", null, "\n{MM}-{DD}", null, null, null, 1],
  [1, "{HH}:{mm}:{ss}", "\n{YYYY}-{MM}-{DD}", null, "\n{MM}-{DD}", null, null, null, 1],
  [0.001, "{ss}.{fff}", "\n{YYYY}-{MM}-{DD} {HH}:{mm}", null, null, null, "\n{HH}:{mm}", null, 1],
];

/** SHORT_TICKS have one line. */
const SHORT_TICKS: uPlot.Axis.Values = [
  [86400, "{MM}-{DD}", null, null, null, null, null, null, 1],
  [60, "{HH}:{mm}", null, null, null, null, null, null, 1],
  [1, "{HH}:{mm}:{ss}", null, null, null, null, null, null, 1],
];

export const utc = (seconds: number): Date => uPlot.tzDate(new Date(seconds * 1e3), "Etc/UTC");

const all = (sheet: Sheet): Values[] => [
  ...sheet.lines.map((line) => line.values),
  ...sheet.bands.flatMap((band) => [band.low, band.high]),
];

/** scales keep what is not positive on the lower edge of a logarithmic axis. */
export function scales(sheet: Sheet): uPlot.Scales {
  const { x, y, heat } = sheet;
  const [low, high] = yRange(y, all(sheet));
  return {
    x: { time: x.scale === "time", distr: x.scale === "log" ? 3 : 1, range: () => xRange(x, sheet.at) },
    y: heat
      ? { dir: -1, range: [0, heat.rows.length] }
      : { distr: y.scale === "log" ? 3 : 1, clamp: () => low, range: () => [low, high] },
  };
}

/** axis has what all axes share: colours of the present scheme at every drawing. */
function axis(more: uPlot.Axis): uPlot.Axis {
  const rule = { stroke: () => ink("rule"), width: 1 };
  return { font: FONT, stroke: () => ink("muted"), grid: rule, ticks: { ...rule, size: 4 }, ...more };
}

export const axes = (sheet: Sheet, small: boolean): uPlot.Axis[] => [xAxis(sheet, small), yAxis(sheet, small)];

function xAxis({ x, heat, crowd }: Sheet, small: boolean): uPlot.Axis {
  const gap = crowd?.missing ? STRIP + 4 : 4;
  const more: uPlot.Axis = { gap, ticks: { show: false }, size: 20 + gap };
  if (heat) more.grid = { show: false };
  if (x.scale === "time" && small) return axis({ ...more, space: 90, values: SHORT_TICKS });
  if (x.scale === "time") return axis({ ...more, size: 38 + gap, space: 70, values: TIME_TICKS });
  if (heat) return axis({ ...more, ...nameTicks(heat.columns ?? [], 60) });
  return axis({ ...more, space: 60, ...numberTicks(x, false) });
}

function yAxis(sheet: Sheet, small: boolean): uPlot.Axis {
  const size = (_: uPlot, texts: string[] | null): number => 12 + Math.max(36, ...(texts ?? []).map(textWidth));
  const { y, heat } = sheet;
  if (heat) return axis({ size, grid: { show: false }, ticks: { show: false }, ...nameTicks(heat.rows, 14) });
  return axis({ size, space: small ? 24 : 34, ...numberTicks(y, hasFloor(y, all(sheet)), small) });
}

/** numberTicks calls the lower edge of an axis with a floor what lies there: zero. */
function numberTicks({ scale, label }: Axis, floor: boolean, few = false): uPlot.Axis {
  const values = (_: uPlot, ticks: (number | null)[]): string[] =>
    ticks.map((v, i) => (v === null ? "" : label(floor && i === 0 ? 0 : v)));
  if (scale !== "log") return { values };
  return { values, splits: (_, __, low, high) => logTicks(low, high, few ? 3 : 9), filter: (_, ticks) => ticks };
}

/** nameTicks puts names at the middles of their cells, as many as there is room for; cell i reaches from i to i + 1. */
function nameTicks(names: string[], space: number): uPlot.Axis {
  return {
    splits: (u, side, low, high) => {
      const [first, last] = [Math.max(Math.floor(low), 0), Math.min(Math.ceil(high), names.length)];
      const pixels = side === 0 ? u.bbox.width : u.bbox.height;
      const every = Math.max(1, Math.ceil(((high - low) * space * devicePixelRatio) / pixels));
      const ticks: number[] = [];
      for (let n = first; n < last; n += every) ticks.push(n + 0.5);
      return ticks;
    },
    values: (_, splits) => splits.map((v) => shorten(names[Math.floor(v)] ?? "")),
  };
}

const ruler = document.createElement("canvas").getContext("2d");

function textWidth(text: string): number {
  if (!ruler) return 8 * text.length;
  ruler.font = FONT;
  return Math.ceil(ruler.measureText(text).width);
}

const shorten = (name: string): string => (name.length > 24 ? name.slice(0, 23) + "…" : name);
