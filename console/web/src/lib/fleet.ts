// Figures of a fleet, from the incidents that are kept. Beside them stands what T16
// found of 450,000 disks and 4,000 SSDs over 87 days (Hao et al., FAST 2016).

import { seconds } from "./time";
import type { System } from "./system";
import type { Incident, Kept } from "./types";

/** PUBLISHED says what the figures of T16 count, by their names. */
export const PUBLISHED: Record<string, string> = {
  "slow-hours-2": "hours of drives at twice the median of their group or more",
  "ever-2": "drives that were so slow at least once",
  "persist-2": "slow runs that go on past their first hour",
  "persist-8h-2": "slow runs of 8 hours and more",
  "again-2": "slow hours that come within a day of the one before",
};

/** inside are incidents of slowness, which a fleet is counted by. */
export const inside = (all: Kept[]): Incident[] =>
  all.map((r) => r.incident).filter((i) => i.class === "slow" && !i.harmless);

export const length = (incident: Incident, now: number): number =>
  (incident.cleared ? seconds(incident.cleared) : now) - seconds(incident.onset.at);

/** longest are incidents by what they cost: how many times slower, for how long. */
export function longest(all: Incident[], now: number, most: number): Incident[] {
  const cost = (i: Incident): number =>
    Math.log(i.worst_times_slower ?? 1) * length(i, now) * Math.max(1, i.members.length);
  return [...all].sort((a, b) => cost(b) - cost(a)).slice(0, most);
}

const BINS: [string, number][] = [
  ["under 1 h", 3600],
  ["1 to 2 h", 2 * 3600],
  ["2 to 4 h", 4 * 3600],
  ["4 to 8 h", 8 * 3600],
  ["8 to 24 h", 24 * 3600],
  ["over a day", Infinity],
];

export interface Bin {
  name: string;
  over: number;
  lasting: number;
}

/** durations counts incidents by how long they lasted; those that go on apart, as they may last longer. */
export function durations(all: Incident[], now: number): Bin[] {
  const bins = BINS.map(([name]) => ({ name, over: 0, lasting: 0 }));
  for (const incident of all) {
    const bin = bins[BINS.findIndex(([, end]) => length(incident, now) < end)];
    if (bin) bin[incident.cleared ? "over" : "lasting"]++;
  }
  return bins;
}

export interface Part {
  name: string;
  components: number;
  slow: number; // components that were members of an incident
}

/** byModel counts components that limped by model, worst first; by upgrade set where there are no models. */
export function byModel(all: Incident[], system: System): Part[] {
  const column = system.values("model").length > 1 ? "model" : system.values("set").length > 1 ? "set" : "model";
  const parts = new Map<string, Part>();
  for (let i = 0; i < system.size; i++) {
    const name = system.of(i, column);
    if (!name) continue;
    const part = parts.get(name) ?? { name, components: 0, slow: 0 };
    part.components++;
    parts.set(name, part);
  }
  const slow = new Set(all.flatMap((i) => i.members.filter((m) => m.role === "slow").map((m) => m.component)));
  for (const name of slow) {
    const part = parts.get(system.of(system.index(name), column));
    if (part) part.slow++;
  }
  return [...parts.values()].sort((a, b) => b.slow / b.components - a.slow / a.components);
}
