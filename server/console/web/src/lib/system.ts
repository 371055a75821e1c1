// The system that is watched: every component by its index, and what it hangs on.

import type { ColumnName, Incident, Metric, SystemDocument } from "./types";

/** INVENTORY is what a component may have, in the order in which it is shown. */
export const INVENTORY: ColumnName[] = [
  "server",
  "device",
  "array",
  "controller",
  "lun",
  "drawer",
  "enclosure",
  "slot",
  "serial",
  "model",
  "firmware",
  "volume",
  "pool",
  "rack",
  "made",
  "set",
  "wwn",
];

export class System {
  readonly name: string;
  readonly version: string;
  readonly stepSeconds: number;
  readonly shiftSeconds: number;
  readonly windowSeconds: number;
  readonly lead: string;
  readonly load: string;
  readonly metrics: Metric[];
  readonly groups: SystemDocument["groups"];
  readonly names: string[];
  readonly groupOf: number[];
  readonly published: SystemDocument["published"];
  readonly kinds: SystemDocument["kinds"];
  readonly #columns: SystemDocument["columns"];
  #index: Map<string, number> | undefined;
  #text: string[] | undefined;

  constructor(document: SystemDocument) {
    this.name = document.name;
    this.version = document.limpet;
    this.stepSeconds = document.step_seconds;
    this.shiftSeconds = document.shift_seconds;
    this.windowSeconds = document.window_seconds;
    this.lead = document.lead;
    this.load = document.load;
    this.metrics = document.metrics;
    this.groups = document.groups;
    this.names = document.names;
    this.groupOf = document.group_of;
    this.kinds = document.kinds;
    this.published = document.published;
    this.#columns = document.columns;
  }

  get size(): number {
    return this.names.length;
  }

  /** index finds a component by its name; -1 where there is none. */
  index(name: string): number {
    this.#index ??= new Map(this.names.map((name, i) => [name, i]));
    return this.#index.get(name) ?? -1;
  }

  /** has says whether components have something. */
  has(column: ColumnName): boolean {
    return column in this.#columns;
  }

  /** of is what a component has; empty where that is not known. */
  of(component: number, column: ColumnName): string {
    const c = this.#columns[column];
    return c?.words[c.of[component] ?? 0] ?? "";
  }

  /** values lists all that components have under a name. */
  values(column: ColumnName): string[] {
    return this.#columns[column]?.words.slice(1) ?? [];
  }

  metric(name: string): Metric {
    return this.metrics.find((metric) => metric.name === name) ?? { name, unit: "", worse: "either", ratio: false };
  }

  groupName(id: number): string {
    return this.groups[id - 1]?.name || `group ${id}`;
  }

  /** texts are all names of each component, in which find looks. They are made once, best while nobody waits. */
  texts(): string[] {
    return (this.#text ??= this.names.map((name, i) =>
      [name, ...INVENTORY.map((column) => this.of(i, column))].join("\n").toLowerCase(),
    ));
  }

  /** find lists components with a part of any of their names: those whose own name begins with it first. */
  find(part: string, most: number): number[] {
    const wanted = part.trim().toLowerCase().split(/\s+/).filter(Boolean);
    if (wanted.length === 0) return [];
    const texts = this.texts();
    const first: number[] = [];
    const rest: number[] = [];
    for (let i = 0; i < texts.length && first.length < most; i++) {
      const text = texts[i] ?? "";
      if (!wanted.every((word) => text.includes(word))) continue;
      if (text.startsWith(wanted[0] ?? "")) first.push(i);
      else if (rest.length < most) rest.push(i);
    }
    return [...first, ...rest].slice(0, most);
  }

  /** common is what all members of an incident share. Pauses have a member that only stands for its server. */
  common(incident: Incident): [ColumnName, string][] {
    if (incident.class === "pause") return [["server", incident.place.name]];
    const members = incident.members.filter((m) => m.role !== "took over").map((m) => this.index(m.component));
    const known = members.filter((i) => i >= 0);
    return INVENTORY.flatMap((column): [ColumnName, string][] => {
      const value = known.length ? this.of(known[0] ?? 0, column) : "";
      return value && known.every((i) => this.of(i, column) === value) ? [[column, value]] : [];
    });
  }
}
