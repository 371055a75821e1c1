// Series of the API made into sheets of plots.

import { get } from "./api";
import { quantity, tick } from "./number";
import { seconds, stamp } from "./time";
import type { History, Incident, Metric, Series, What } from "./types";
import type { Band, Line, Moment, Range, Role, Sheet, Span, Values } from "../chart/sheet";

export type { Range };

/** Shown is a sheet with how its legend says values. */
export interface Shown extends Sheet {
  format: (value: number) => string;
  covers: number; // seconds before its time that a value covers
  means: boolean; // a value is the mean of that time
}

export interface Question {
  components: string[]; // the first is compared with its peers, others are drawn beside it
  metric: string;
  what: What;
  range: Range;
  points: number;
}

/** ask asks for series of some components; those that cannot be had are left out, unless it is the first. */
export async function ask(q: Question, signal?: AbortSignal): Promise<Series[]> {
  const answers = await Promise.allSettled(
    q.components.map((component) =>
      get<Series>(
        "/series",
        {
          component,
          metric: q.metric,
          what: q.what,
          from: stamp(Math.floor(q.range.from)),
          to: stamp(Math.ceil(q.range.to)),
          points: q.points,
        },
        signal,
      ),
    ),
  );
  const [first] = answers;
  if (first?.status === "rejected") throw first.reason;
  return answers.flatMap((a) => (a.status === "fulfilled" ? [a.value] : []));
}

const ROLES: Role[] = ["suspect-1", "suspect-2", "suspect-3", "suspect-4"];

function band(series: Series, low: number, high: number): Band[] {
  const of = (q: number): Values | undefined => series.peers.find((p) => Math.abs(p.quantile - q) < 1e-9)?.values;
  const [a, b] = [of(low), of(high)];
  return a && b ? [{ name: `percentiles ${low * 100} to ${high * 100} of the peers`, low: a, high: b }] : [];
}

/** bands are pairs of quantiles around the middle, the widest first. The least and the largest of all are left out: one peer's spike would flatten the rest. */
function bands(series: Series): Band[] {
  const lower = series.peers.map((p) => p.quantile).filter((q) => q > 0 && q < 0.5);
  return lower.flatMap((q) => band(series, q, Math.round((1 - q) * 1e6) / 1e6));
}

/** sheet is what a plot shows of some series over the same steps. */
export function sheet(all: Series[], metric: Metric, range: Range, marks: Marks, windowSeconds = 0): Shown {
  const first = all[0];
  if (!first) throw new Error("there are no values to plot");
  const begin = seconds(first.from);
  const median = first.peers.find((p) => p.quantile === 0.5);
  const lines: Line[] = all.map((s, i) => ({ name: s.component, values: s.values, role: ROLES[i] ?? "suspect-4" }));
  const crowd: Line[] = median ? [{ name: "median of peers", values: median.values, role: "peer-1" }] : [];
  const bound: Line[] = first.thresholds ? [{ name: "threshold", values: first.thresholds, role: "threshold-1" }] : [];
  const log = first.what !== "score" && metric.ratio;
  const label = (v: number): string => tick(v, first.unit);
  return {
    at: first.values.map((_, i) => begin + (i + 1) * first.step_seconds),
    x: { scale: "time", min: range.from, max: range.to, label: String },
    y: log ? { scale: "log", label } : { scale: "linear", min: 0, label },
    lines: [...crowd, ...bound, ...lines.reverse()],
    bands: bands(first),
    spans: marks.spans,
    moments: marks.moments,
    format: (v) => quantity(v, first.unit),
    means: first.what !== "score",
    covers: first.what === "score" ? windowSeconds : first.step_seconds,
  };
}

export interface Marks {
  spans: Span[];
  moments: Moment[];
}

/** CHANGES are events of an incident that a plot marks beside its confirmation and its end. */
const CHANGES: Record<string, Role> = { recovering: "clearing", reopened: "confirmation" };

/** marks are what a plot says of the life of an incident. */
export function marks(incident: Incident, events: History["events"] = []): Marks {
  const onset = incident.present_onset;
  const moments: Moment[] = [];
  const add = (name: string, at: string | undefined, role: Role): void => {
    if (at) moments.push({ name, at: seconds(at), role });
  };
  add("suspected", incident.suspected, "suspicion");
  add("confirmed", incident.confirmed, "confirmation");
  for (const event of events) {
    const role = CHANGES[event.change];
    if (role) add(event.change, event.time, role);
  }
  add("end of the problem", incident.cleared, "clearing");
  const over = events.findLast((event) => event.change === "cleared");
  if (incident.cleared) add("called over", over?.time, "clearing");
  moments.sort((a, b) => a.at - b.at);
  const unsure: Span = { name: "start", from: seconds(onset.early), to: seconds(onset.late), role: "onset" };
  return { spans: [unsure], moments };
}

/** around is the time that shows an incident: its life from an onset on, and half as much before. */
export function around(incident: Incident, now: number, onset = incident.onset): Range {
  const from = seconds(onset.early);
  const to = incident.cleared ? seconds(incident.cleared) : now;
  const length = Math.max(to - from, 3600);
  return { from: from - Math.max(0.5 * length, 3600), to: Math.min(now, to + (incident.cleared ? 0.2 * length : 0)) };
}
