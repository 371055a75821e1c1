// How long requests took: answers of the API made into sheets of plots.

import { get } from "./api";
import { digits, percent } from "./number";
import { seconds, stamp } from "./time";
import type { Range, Sheet } from "../chart/sheet";

/** Latencies are how long requests of a component and of its peers took in the device. */
export interface Latencies {
  component: string;
  members: number;
  unit: string;
  from: string;
  step_seconds: number;
  bounds: number[]; // the shortest time of each band; empty where nobody heard requests
  own: number[][]; // by column: shares of bands; empty without requests
  others: number[][];
  requests: number;
  of_others: number;
  longer: number[];
  peers: { quantile: number; values: number[] }[];
}

export const askLatencies = (component: string, range: Range, signal?: AbortSignal): Promise<Latencies> =>
  get<Latencies>(
    "/latencies",
    { component, from: stamp(Math.floor(range.from)), to: stamp(Math.ceil(range.to)), points: 240 },
    signal,
  );

/** LEAST is the least share that is told from none. */
export const LEAST = 1e-4;

export const time = (ms: number | undefined, unit: string): string => `${digits(ms ?? 0)} ${unit}`;

/** heat is a sheet of shares over time, the longest times at the top. Few rows are as high as many are together. */
export function heat(l: Latencies, columns: number[][]): Sheet {
  const from = seconds(l.from);
  const rows = l.bounds.length;
  const levels = new Uint8Array(rows * columns.length);
  columns.forEach((shares, x) => {
    for (let y = 0; y < rows && shares.length > 0; y++) {
      const share = Math.max(shares[rows - 1 - y] ?? 0, LEAST);
      levels[y * columns.length + x] = 1 + Math.round(254 * (1 - Math.log(share) / Math.log(LEAST)));
    }
  });
  return {
    at: [from, from + columns.length * l.step_seconds],
    x: { scale: "time", label: String },
    y: { scale: "linear", label: String },
    lines: [],
    bands: [],
    spans: [],
    moments: [],
    heat: { rows: l.bounds.map((ms) => time(ms, l.unit)).reverse(), count: columns.length, levels },
  };
}

/** distribution is a sheet of the share that took longer than a time, of the component over its peers. */
export function distribution(l: Latencies, tail: boolean): Sheet {
  const first = l.bounds[0] ? 0 : 1; // below the first bound of all there is no place on a logarithmic axis
  const shown = (longer: number[]): number[] => longer.slice(first).map((share) => (tail ? share : 1 - share));
  const of = (q: number): number[] => shown(l.peers.find((p) => p.quantile === q)?.values ?? []);
  const peers = l.peers.length > 0;
  return {
    at: l.bounds.slice(first),
    x: { scale: "log", label: (v) => time(v, l.unit) },
    y: tail
      ? { scale: "log", min: LEAST, max: 1, label: percent }
      : { scale: "linear", min: 0, max: 1, label: percent },
    lines: [
      ...(peers ? [{ name: "median of peers", values: of(0.5), role: "peer-1" as const }] : []),
      { name: l.component, values: shown(l.longer), role: "suspect-1" },
    ],
    bands: peers ? [{ name: "all peers", low: of(tail ? 0 : 1), high: of(tail ? 1 : 0) }] : [],
    spans: [],
    moments: [],
  };
}

/** cellText describes the cell at a place of a heat map, in shares of its width and height. */
export function cellText(l: Latencies, columns: number[][], across: number, down: number): string {
  const x = Math.floor(across * columns.length);
  const band = l.bounds.length - 1 - Math.floor(down * l.bounds.length);
  const shares = columns[x];
  if (!shares) return "";
  const at = stamp(seconds(l.from) + x * l.step_seconds);
  if (shares.length === 0) return `${at}: no requests`;
  const [low, high] = [l.bounds[band], l.bounds[band + 1]];
  const width =
    high === undefined ? `${time(low, l.unit)} and longer` : `${time(low, l.unit)} to ${time(high, l.unit)}`;
  return `${at}: ${percent(shares[band] ?? 0)} of requests took ${width}`;
}

/** at is what stands at a time of a distribution. */
export function at(l: Latencies, index: number, sheet: Sheet, tail: boolean): string {
  const value = sheet.lines.at(-1)?.values[index];
  if (value == null) return "";
  const peers =
    sheet.lines.length > 1 ? `, and ${percent(sheet.lines[0]?.values[index] ?? 0)} of its peers' requests,` : "";
  return `${percent(value)} of its requests${peers} took ${tail ? "at least" : "less than"} ${time(sheet.at[index], l.unit)}`;
}
