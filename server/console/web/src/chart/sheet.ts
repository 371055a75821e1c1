// What a plot shows, as plain data. Nothing here knows of the console, of its API or
// of static pages: both hand in the same.

export type Values = (number | null)[];

/** Role says what something is; chart.css gives it a colour. */
export type Role =
  | `suspect-${number}`
  | `plain-${number}`
  | `peer-${number}`
  | `threshold-${number}`
  | "onset"
  | "spell"
  | "suspicion"
  | "confirmation"
  | "clearing";

/** Axis lays numbers out. Where it has no bound, the values bound it. */
export interface Axis {
  scale: "linear" | "log" | "time"; // time is in Unix seconds
  min?: number | undefined;
  max?: number | undefined;
  label: (value: number) => string; // of a tick
}

export interface Line {
  name: string;
  values: Values; // null where there is none
  role: Role;
  step?: boolean; // each value holds until the next
}

/** Band is where most of a crowd is: between two quantiles. */
export interface Band {
  name: string;
  low: Values;
  high: Values;
}

/** Crowd is the density of a crowd's lines. Levels are from 1 to 255, 0 where nobody is. */
export interface Crowd {
  columns: number;
  rows: number;
  levels: Uint8Array; // row by row from the top
  missing?: Uint8Array | undefined; // how much is missing in each column
}

/** Heat is a matrix as colours, over the whole plot. Levels are from 1 to 255, 0 where there is none. */
export interface Heat {
  rows: string[]; // names, from the top
  columns?: string[] | undefined; // names; columns are times without
  count: number; // of columns
  levels: Uint8Array; // row by row
}

/** Span is a stretch of the x axis. */
export interface Span {
  name: string;
  from: number;
  to: number;
  role: Role;
  named?: boolean; // the plot says its name, not the legend alone
}

export interface Moment {
  name: string;
  at: number;
  role: Role;
}

export interface Sheet {
  at: number[]; // positions of the values, ascending; of a heat map, its two ends
  x: Axis;
  y: Axis;
  lines: Line[];
  bands: Band[]; // the widest first
  spans: Span[];
  moments: Moment[];
  crowd?: Crowd | undefined;
  heat?: Heat | undefined;
  height?: number | undefined; // in CSS pixels
}

/** Range is a part of the x axis. */
export interface Range {
  from: number;
  to: number;
}
