// The range of time that a view shows: the last so many seconds, or a stretch of the
// past. It stands in the address.

import { live } from "./live.svelte";
import { change, here } from "./route.svelte";
import type { Range } from "./evidence";
import { seconds, stamp } from "./time";

export interface Choice {
  range: Range;
  length: number; // seconds
  following: boolean; // it ends with the newest data
  last: (length: number) => void;
  zoom: (range: Range | undefined) => void;
}

/** choice reads the address; usual seconds where it says nothing. */
export function choice(usual: number): Choice {
  const query = here().query;
  const [from, to, length] = [query.get("from"), query.get("to"), Number(query.get("last")) || usual];
  const fixed = from && to ? { from: seconds(from), to: seconds(to) } : undefined;
  const range = fixed ?? { from: live.now - length, to: live.now };
  return {
    range,
    length: fixed ? fixed.to - fixed.from : length,
    following: !fixed,
    last: (next) => change({ last: next === usual ? undefined : next, from: undefined, to: undefined }),
    zoom: (next) => change({ from: next && stamp(Math.round(next.from)), to: next && stamp(Math.round(next.to)) }),
  };
}
