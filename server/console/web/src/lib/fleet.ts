// What the figures and tables of a fleet say. The server counts them from its own
// history as T16 counted 450,000 disks and 4,000 SSDs over 87 days (Hao et al., FAST
// 2016): a drive is slow in an hour in which its mean latency is at least twice the
// median of its group.

import { digits, percent, times } from "./number";
import { span } from "./time";
import type { FleetFigure, Value } from "./types";

/** COUNTED says what the figures count, by their names. */
export const COUNTED: Record<string, string> = {
  "slow-hours-2": "of drive hours are slow: the latency is at least twice the median of the group",
  "slow-hours-1.5": "of drive hours are slightly slow: the latency is at least 1.5 times the median of the group",
  "ever-2": "of drives were slow in at least one hour",
  "persist-2": "of slow periods last longer than one hour",
  "persist-8h-2": "of slow periods last 8 hours or longer",
  "again-2": "of slow hours follow another slow hour within a day",
  "often-2": "of drives with a slow hour had 100 slow hours or more",
};

/** TITLES are those of tables, where this page has others than the study. */
export const TITLES: Record<string, string> = {
  "worst-drives": "The ten worst drives: slowdown multiplied by duration",
  "runs-2": "How long drives stay slow, and how soon they become slow again",
  model: "By model",
  age: "By age of the drive in years",
  months: "By month",
};

/** NOUNS are what drives of a kind are called. */
export const NOUNS: Record<string, string> = { drive: "drives", disk: "disks", ssd: "SSDs" };

/** sureness is the interval of a figure, or why there is none. */
export const sureness = (f: FleetFigure): string =>
  f.low === null || f.high === null
    ? `no confidence interval: ${f.unsure ?? "there are too few values"}`
    : `${percent(f.low)} to ${percent(f.high)}`;

/** cell is a value of a table, in its unit. */
export function cell(value: Value | undefined, unit: string | undefined): string {
  if (value == null) return "none";
  if (unit === "share") return percent(value);
  if (unit === "points") return `${digits(value * 100)} points`;
  if (unit === "times") return times(value);
  return unit === "hours" ? (value === 0 ? "in the last hour" : `${span(value * 3600)} ago`) : digits(value);
}
