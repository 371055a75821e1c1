// What a plot shows, as plain data. Nothing here knows of the console or of its API:
// a static page can hand in the same.

export type Values = (number | null)[];

export interface Line {
  name: string;
  values: Values;
  role: Role;
}

/** Band is where most of a crowd is: between two quantiles. */
export interface Band {
  name: string;
  low: Values;
  high: Values;
}

/** Span is a stretch of time that has a name. */
export interface Span {
  name: string;
  from: number;
  to: number;
  role: Role;
}

export interface Moment {
  name: string;
  at: number;
  role: Role;
}

/** Role says what something is; the page's style gives it a colour. */
export type Role =
  | "suspect-1"
  | "suspect-2"
  | "suspect-3"
  | "suspect-4"
  | "plain-1"
  | "peer-1"
  | "threshold-1"
  | "onset"
  | "spell"
  | "suspicion"
  | "confirmation"
  | "clearing";

export interface Sheet {
  times: number[]; // Unix times, ascending, at equal distances
  from: number; // of the time axis
  to: number;
  unit: string;
  log: boolean;
  lines: Line[];
  bands: Band[]; // the widest first
  spans: Span[];
  moments: Moment[];
  format: (value: number) => string;
  tick: (value: number) => string; // at the axis
}
