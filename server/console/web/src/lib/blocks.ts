// The system as blocks of a map: arrays with LUNs across and servers down, or servers
// with their drives, or whatever else components share.

import type { Block } from "../chart/grid";
import type { System } from "./system";
import type { ColumnName } from "./types";

export interface Arrangement {
  key: string;
  title: string;
}

/** arrangements are those that a system has, the most telling first. */
export function arrangements(system: System): Arrangement[] {
  const all: [ColumnName | "group", string, boolean][] = [
    ["array", "by array, LUN and server", system.has("array") && system.has("lun")],
    ["server", "by server", system.has("server")],
    ["drawer", "by drawer", system.has("drawer")],
    ["controller", "by controller", system.has("controller")],
    ["model", "by model", system.values("model").length > 1],
    ["group", "by peer group", true],
  ];
  return all.filter(([, , there]) => there).map(([key, title]) => ({ key, title }));
}

/** order sorts names as people do: sd2 before sd10. */
const collator = new Intl.Collator("en", { numeric: true });
const order = (a: string, b: string): number => collator.compare(a, b);

function collect(system: System, of: (component: number) => string): Map<string, number[]> {
  const all = new Map<string, number[]>();
  for (let i = 0; i < system.size; i++) {
    const name = of(i) || "elsewhere";
    const list = all.get(name);
    if (list) list.push(i);
    else all.set(name, [i]);
  }
  return all;
}

/** blocks arranges all components. */
export function blocks(system: System, key: string): Block[] {
  const of = (i: number): string =>
    key === "group" ? system.groupName(system.groupOf[i] ?? 0) : system.of(i, key as ColumnName);
  return [...collect(system, of)].map(([title, components]) =>
    key === "array" ? crossing(system, title, components) : wrapped(title, components),
  );
}

/** crossing has a row for each server, and a column for each LUN. */
function crossing(system: System, title: string, components: number[]): Block {
  const names = (column: ColumnName): string[] => [...new Set(components.map((i) => system.of(i, column)))].sort(order);
  const [rows, luns] = [names("server"), names("lun")];
  const row = new Map(rows.map((name, i) => [name, i]));
  const column = new Map(luns.map((name, i) => [name, i]));
  const cells = new Array<number>(rows.length * luns.length).fill(-1);
  for (const i of components)
    cells[(row.get(system.of(i, "server")) ?? 0) * luns.length + (column.get(system.of(i, "lun")) ?? 0)] = i;
  return { title, rows, columns: luns.map((lun) => lun.slice(lun.lastIndexOf(".") + 1)), across: luns.length, cells };
}

/** wrapped has as many columns as make the block a little wider than high. */
function wrapped(title: string, components: number[]): Block {
  const across = Math.min(components.length, Math.max(1, Math.ceil(Math.sqrt(components.length * 1.4))));
  return { title, rows: [], columns: [], across, cells: components };
}
