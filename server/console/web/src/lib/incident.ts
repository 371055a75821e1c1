// What an operator needs of an incident first: where it is, how slow it is, and how
// sure that is. All of it comes from numbers and names of the document, and none from
// its sentences.

import { plural, times } from "./number";
import { span } from "./time";
import type { Action, Incident, Section } from "./types";

export interface Size {
  big: string; // 3.2×
  small: string; // slower than its peers
  range: string; // 2.9× to 3.6×
}

/** kindName is the name of an incident's kind for people. */
export function kindName(incident: Incident): string {
  const { kind, place } = incident;
  if (kind === "slow drive" && place.noun) return `slow ${place.noun}`;
  return kind === "lost attachment" ? "lost paths" : kind;
}

/** size is how bad an incident is, in a number where it has one. */
export function size(incident: Incident): Size {
  const slower = incident.times_slower;
  if (slower !== undefined) {
    const low = incident.least_times_slower;
    const high = incident.most_times_slower;
    const over = incident.phase === "cleared";
    return {
      big: times(slower),
      small:
        incident.class === "past"
          ? "slower than before"
          : `slower than ${incident.members.length > 1 ? "their" : "its"} peers${over ? " at that time" : ""}`,
      range: low !== undefined && high !== undefined ? `${times(low)} to ${times(high)}` : "",
    };
  }
  const lost = incident.members.filter((m) => m.role === "gone" || m.role === "unused").length;
  if (incident.kind === "silent server") return { big: "silent", small: "the server sends no data", range: "" };
  if (lost) return { big: String(lost), small: lost === 1 ? "path lost" : "paths lost", range: "" };
  return { big: "", small: kindName(incident), range: "" };
}

/** MOST_CHANCE_YEARS is the largest number of years that the server states: it means that or more. */
const MOST_CHANCE_YEARS = 1000;

/** chance is how seldom chance alone does as much; empty where that is not known. */
function chance(incident: Incident): string {
  const years = incident.chance_years;
  if (years === undefined) return "";
  if (years >= MOST_CHANCE_YEARS) return "a healthy component would look like this less than once in 1,000 years";
  return `a healthy component would look like this once in ${plural(Math.floor(years), "year")}`;
}

/** certainty is how sure an incident is: how seldom chance does as much, where that is known. */
export function certainty(incident: Incident): string {
  const often = chance(incident);
  if (incident.phase === "pending") return often ? `not certain yet: ${often}` : "not certain yet";
  if (often) return often;
  if (incident.class === "path" || incident.class === "stall") return "certain: the data show the problem directly";
  return "almost certain: the problem lasted too long to be chance";
}

/** isGone is whether something is lost or silent: that is worse than slow. */
const isGone = (incident: Incident): boolean => incident.class === "path";

/** worstFirst puts what is lost or silent before what is slow; else it keeps the order of the server. */
export const worstFirst = <T extends { incident: Incident }>(all: T[]): T[] => [
  ...all.filter((r) => isGone(r.incident)),
  ...all.filter((r) => !isGone(r.incident)),
];

/** STATES are the words for the sections of a report, for the state of one incident. */
export const STATES: Record<Section, string> = {
  now: "active",
  suspected: "suspect",
  recovering: "recovering",
  over: "over",
  harmless: "harmless",
  muted: "muted",
};

/** ACTION_STATES are the words for the states of an action. */
export const ACTION_STATES: Record<string, string> = {
  asked: "Waits for the approval of an operator:",
  approved: "Approved, and begins soon:",
  doing: "Begins:",
  watching: "Done; limpet is measuring whether users wait less:",
  helped: "Done, and users wait less:",
  undoing: "limpet is reversing this action:",
  refused: "Refused by an operator:",
  expired: "No operator approved this action in time:",
  blocked: "Not started, because a check or a limit did not allow it:",
  failed: "The command had no effect:",
  undone: "Done, and undone later:",
  reversed: "Done, and somebody else undid it by hand:",
};

/** actionVerbs are the buttons of an action: what an operator can decide about it now. */
export function actionVerbs(action: Action): [string, string][] {
  if (action.state === "asked")
    return [
      ["approve", "Approve"],
      ["refuse", "Refuse"],
    ];
  return ["doing", "watching", "helped", "undoing"].includes(action.state) ? [["undo", "Undo"]] : [];
}

/** CHANGES are the words for changes of an incident, as reports have them. */
export const CHANGES: Record<string, string> = {
  opened: "new",
  recovering: "recovering: the problem no longer shows",
  end: "end of the problem",
  cleared: "over: limpet calls the incident over",
  reopened: "back",
  muted: "muted by an operator",
  unmuted: "no longer muted",
};

/** SCORES says what a plot of scores shows. */
export const SCORES = (windowSeconds: number): string =>
  `each score is of the ${span(windowSeconds)} before: after the end of a problem, scores stay high for up to ${span(windowSeconds)}`;

/** ROLES are the words for what a component does in an incident, where people need other words than programs. */
export const ROLES: Record<string, string> = {
  "is checked": "slow while its array is being checked",
  rebuilds: "slow while its array is being rebuilt",
  gone: "missing",
  unused: "path that is no longer used",
  "took over": "carries the load of lost paths",
  "own work": "busy with work of its server, not of clients",
  "asked for more": "more requests than its peers",
  "at fault": "faulty",
};

/** TIERS are how places are called in front of their names. */
const TIERS: Record<string, string> = {
  lun: "LUN",
  LUN: "LUN",
  drive: "drive",
  server: "server",
  array: "array",
  controller: "controller",
  attachment: "path",
  drawer: "drawer",
  slot: "slot",
  model: "model",
};

/** placed names the places of an incident: "position disk1 and position disk2". */
export const placed = (incident: Incident): string =>
  [incident.place, ...(incident.joined ?? [])]
    .map((place) => `${place.noun ?? TIERS[place.tier] ?? place.tier} ${place.name}`)
    .join(" and ");
