// What a window shows of the members of a group. The counts, the marks of the rows, the
// order and the histogram of a page all come from the functions of this file.

import type { Metric, Verdict } from "./types";

/** Judged is what a verdict of a group and a score of a component share. */
export type Judged = Pick<Verdict, "state" | "reason" | "score" | "threshold" | "own" | "peers">;

export const differs = (v: Judged): boolean => v.state === "anomalous";
export const unjudged = (v: Judged): boolean => v.state === "unjudged";

/** share is the score as a multiple of the threshold; undefined: the member has no score. */
export const share = (v: Judged): number | undefined =>
  v.score === null || !v.threshold ? undefined : v.score / v.threshold;

/** isUnscored is whether a member differs without a score: it has no data or no work. */
export const isUnscored = (v: Judged): boolean => differs(v) && share(v) === undefined;

/** isBeyond is whether the score of a member is above the threshold. */
export const isBeyond = (v: Judged): boolean => (share(v) ?? 0) > 1;

const RANK: Record<string, number> = { anomalous: 0, normal: 1, unjudged: 2 };

/** worstFirst puts members that differ first: those without a score, then by score. Members that could not be compared are last. */
export const worstFirst = <T extends Judged>(list: T[]): T[] =>
  [...list].sort(
    (a, b) => (RANK[a.state] ?? 3) - (RANK[b.state] ?? 3) || (share(b) ?? Infinity) - (share(a) ?? Infinity) || 0,
  );

/** result is the state of a member in words, with the reason. */
export function result(v: Judged, metric: Metric): string {
  if (v.reason) return `${v.state}: ${v.reason}`;
  if (v.state !== "normal" || !isBeyond(v)) return v.state;
  const { own, peers } = v;
  const better = own !== undefined && peers !== undefined && (metric.worse === "higher" ? own < peers : own > peers);
  return better && metric.worse !== "either"
    ? "normal: better than its peers"
    : "normal: the difference of the values is too small";
}
