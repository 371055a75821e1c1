// Axes: positions of ticks that people read easily.

const STEPS = [1, 2, 5];

/** logTicks are 1, 2, 5 times powers of ten between two values, or only powers where these are many. */
export function logTicks(low: number, high: number): number[] {
  const all: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    for (const step of STEPS) all.push(step * 10 ** power);
  const inside = all.filter((v) => v >= low * 0.999 && v <= high * 1.001);
  const sparse = inside.filter((v) => Math.abs(Math.log10(v) % 1) < 1e-9);
  return inside.length > 9 && sparse.length > 1 ? sparse : inside;
}

/** logRange is wide enough for all values, and for a factor of four at least, so that noise looks like noise. */
export function logRange(low: number, high: number): [number, number] {
  if (!(low > 0) || !(high > 0)) return [1, 10];
  const middle = Math.sqrt(low * high);
  return [Math.min(low * 0.85, middle / 2), Math.max(high * 1.2, middle * 2)];
}

/** linearRange begins at zero, so that heights can be compared. */
export function linearRange(high: number): [number, number] {
  return [0, high > 0 ? high * 1.1 : 1];
}

/** positive leaves out what a logarithm has no place for. */
export const positive = (values: (number | null)[]): (number | null)[] =>
  values.map((v) => (v !== null && v > 0 ? v : null));

/** extent is the least and the greatest of all values; NaN where there are none. Single spikes of the crowd do not count. */
export function extent(all: (number | null)[][]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const values of all)
    for (const v of values)
      if (v !== null) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
  return low <= high ? [low, high] : [NaN, NaN];
}
