// The colours of maps, in the scheme that is shown.

import { palette } from "../chart/colours";
import { onScheme } from "../chart/ink";

class Colours {
  now = $state.raw(palette());

  constructor() {
    onScheme(() => (this.now = palette()));
  }
}

let known: Colours | undefined;

/** colours are those of the present scheme; whoever shows them is told when they change. */
export function colours(): Uint32Array {
  known ??= new Colours();
  return known.now;
}
