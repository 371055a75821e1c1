// Frames of a map over time: asked for when they are needed, kept as one byte for
// each component, and some of them asked for in advance.

import { indexOf } from "../chart/colours";
import { get } from "./api";
import type { System } from "./system";
import { seconds, stamp } from "./time";
import type { SystemMap, Value, What } from "./types";

/** Frame is the system at a time. */
export interface Frame {
  at: number;
  from: number | undefined; // begin of the time that the values cover
  unit: string;
  bound: number; // of what the colours show
  relative: boolean; // colours show how many times the median of the peers a value is
  colours: Uint8Array;
  values: Float32Array; // NaN where there is none
}

/** TIMES_PEERS is the bound of values that have none of their own: so many times the median of the peers. */
export const TIMES_PEERS = 2;

const MOST_CELLS = 12e6; // that are kept: 9 bytes each
const AHEAD_CELLS = 5e6; // that are asked for in advance
const AHEAD_FRAMES = 200; // at most

/** medians are those of each peer group. Where most members are idle, those in use are compared with each other. */
function medians(values: Float32Array, system: System, lower: boolean): Float32Array {
  const lists = system.groups.map((): number[] => []);
  values.forEach((v, i) => {
    if (!Number.isNaN(v)) lists[(system.groupOf[i] ?? 1) - 1]?.push(v);
  });
  const median = (list: number[]): number => Float32Array.from(list).sort()[list.length >> 1] ?? NaN;
  return Float32Array.from(lists, (list) => {
    const middle = median(list);
    return middle === 0 && !lower ? median(list.filter((v) => v > 0)) : middle;
  });
}

/** frameOf makes a frame of an answer. */
export function frameOf(map: SystemMap, system: System): Frame {
  const values = Float32Array.from(map.values, (v: Value) => v ?? NaN);
  const colours = new Uint8Array(values.length);
  const relative = !map.bound;
  const bound = map.bound || TIMES_PEERS;
  const lower = system.metric(map.metric).worse === "lower";
  const middle = relative ? medians(values, system, lower) : undefined;
  for (let i = 0; i < values.length; i++) {
    const v = values[i] ?? NaN;
    if (Number.isNaN(v)) continue;
    const peers = middle?.[(system.groupOf[i] ?? 1) - 1] ?? 1;
    const shown = middle ? (peers > 0 ? (lower ? peers / v : v / peers) : 0) : v;
    colours[i] = indexOf(shown, bound);
  }
  return {
    at: seconds(map.at),
    from: map.from ? seconds(map.from) : undefined,
    unit: map.unit,
    bound,
    relative,
    colours,
    values,
  };
}

/** Frames keeps those of one metric. */
export class Frames {
  readonly #kept = new Map<number, Frame>();
  #wanted: number | undefined;
  #busy = false;
  #ahead: number[] = [];
  #closed = false;
  #ordered = false;

  constructor(
    readonly system: System,
    readonly metric: string,
    readonly what: What,
    readonly step: number,
    private readonly arrived: (frame: Frame, at: number) => void,
    private readonly failed: (text: string) => void,
  ) {}

  close(): void {
    this.#closed = true;
    this.#ahead = [];
  }

  get kept(): number {
    return this.#kept.size;
  }

  /** nearest is the frame that is known nearest to a time. */
  nearest(at: number): Frame | undefined {
    const exact = this.#kept.get(at);
    if (exact) return exact;
    let best: number | undefined;
    for (const key of this.#kept.keys()) if (best === undefined || Math.abs(key - at) < Math.abs(best - at)) best = key;
    return best === undefined ? undefined : this.#kept.get(best);
  }

  has(at: number): boolean {
    return this.#kept.has(at);
  }

  /** want asks for a frame; of those that are wanted while another is under way, the last one counts. */
  want(at: number): void {
    if (this.#kept.has(at)) return;
    this.#wanted = at;
    void this.#work();
  }

  /** prepare asks for frames in advance: few over the whole first, then those between. */
  prepare(times: number[]): void {
    const most = Math.min(times.length, AHEAD_FRAMES, Math.floor(AHEAD_CELLS / this.system.size));
    const order: number[] = [];
    for (let stride = 1 << Math.ceil(Math.log2(times.length)); stride >= 1 && order.length < most; stride >>= 1)
      for (let i = times.length - 1; i >= 0 && order.length < most; i -= stride) {
        const at = times[i] ?? 0;
        if (!order.includes(at)) order.push(at);
      }
    this.#ahead = order.filter((at) => !this.#kept.has(at)).reverse();
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#busy || this.#closed) return;
    this.#busy = true;
    for (let at = this.#next(); at !== undefined; at = this.#next()) {
      try {
        const map = await this.#ask(at);
        if (this.#closed) break;
        this.#keep(at, frameOf(map, this.system));
      } catch (error) {
        this.#ahead = [];
        this.failed(error instanceof Error ? error.message : String(error));
      }
    }
    this.#busy = false;
  }

  /** ask asks for a frame in the order of the system. Names are asked for as long as answers do not have that order. */
  async #ask(at: number): Promise<SystemMap> {
    const names = this.#ordered ? "false" : "true";
    const map = await get<SystemMap>("/map", { metric: this.metric, what: this.what, at: stamp(at), names });
    if (this.#ordered && map.values.length === this.system.size) return map;
    if (this.#ordered) {
      this.#ordered = false;
      return this.#ask(at);
    }
    const given = map.components ?? [];
    this.#ordered = given.length === this.system.size && given.every((name, i) => name === this.system.names[i]);
    return this.#ordered ? map : { ...map, values: this.#arrange(map.values, given) };
  }

  #arrange(values: Value[], names: string[]): Value[] {
    const out = new Array<Value>(this.system.size).fill(null);
    names.forEach((name, i) => {
      const at = this.system.index(name);
      if (at >= 0) out[at] = values[i] ?? null;
    });
    return out;
  }

  #next(): number | undefined {
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (wanted !== undefined && !this.#kept.has(wanted)) return wanted;
    let at = this.#ahead.pop();
    while (at !== undefined && this.#kept.has(at)) at = this.#ahead.pop();
    return at;
  }

  #keep(at: number, frame: Frame): void {
    this.#kept.set(at, frame);
    for (const old of this.#kept.keys()) {
      if (this.#kept.size * this.system.size <= MOST_CELLS || this.#kept.size <= 8) break;
      this.#kept.delete(old); // the one that came first
    }
    this.arrived(frame, at);
  }
}
