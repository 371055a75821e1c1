// The scale of maps: an index from 1 to 255 for a value, 0 where there is none.
//
// The scale is anchored at the bound: up to it colours are calm, beyond it they
// warn. So a healthy day looks healthy, whatever its largest value is. Lightness
// changes along with hue, and blue against orange is told apart with any colour
// vision.

export const MISSING = 0;
export const BOUND = 128; // the first index beyond the bound

const OCTAVES = 3; // that are told apart on either side of the bound

/** indexOf is where a value stands on the scale. */
export function indexOf(value: number | null, bound: number): number {
  if (value === null || !(bound > 0)) return MISSING;
  if (value <= 0) return 1;
  const octaves = Math.log2(value / bound);
  if (octaves < 0) return Math.max(1, Math.round(BOUND - 1 + (octaves * (BOUND - 2)) / OCTAVES));
  return Math.min(255, Math.round(BOUND + (octaves * (255 - BOUND)) / OCTAVES));
}

/** Stop is a colour at a place between 0 and 1. */
type Stop = [number, number, number, number];

const LIGHT: { calm: Stop[]; odd: Stop[]; missing: [number, number, number] } = {
  calm: [
    [0, 214, 229, 240],
    [0.6, 178, 204, 222],
    [1, 130, 170, 198],
  ],
  odd: [
    [0, 245, 174, 46],
    [0.35, 222, 105, 20],
    [0.7, 168, 35, 40],
    [1, 84, 8, 60],
  ],
  missing: [240, 240, 238],
};

const DARK: typeof LIGHT = {
  calm: [
    [0, 32, 44, 56],
    [0.6, 42, 68, 90],
    [1, 60, 103, 134],
  ],
  odd: [
    [0, 205, 128, 20],
    [0.35, 242, 150, 50],
    [0.7, 255, 190, 120],
    [1, 255, 240, 214],
  ],
  missing: [24, 28, 33],
};

function between(stops: Stop[], at: number): [number, number, number] {
  const after = Math.max(
    1,
    stops.findIndex(([place]) => place >= at),
  );
  const [a, b] = [stops[after - 1], stops[after]] as [Stop, Stop];
  const share = (at - a[0]) / (b[0] - a[0]);
  return [1, 2, 3].map((i) => Math.round((a[i] ?? 0) + ((b[i] ?? 0) - (a[i] ?? 0)) * share)) as [
    number,
    number,
    number,
  ];
}

/** palette has a colour for each index, as the bytes of a picture (little endian). */
export function palette(dark: boolean): Uint32Array {
  const scheme = dark ? DARK : LIGHT;
  const out = new Uint32Array(256);
  const put = (index: number, [r, g, b]: [number, number, number]): void => {
    out[index] = ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  };
  put(MISSING, scheme.missing);
  for (let i = 1; i < BOUND; i++) put(i, between(scheme.calm, (i - 1) / (BOUND - 2)));
  for (let i = BOUND; i < 256; i++) put(i, between(scheme.odd, (i - BOUND) / (255 - BOUND)));
  return out;
}

/** css is a colour of a palette for a style. */
export function css(colours: Uint32Array, index: number): string {
  const c = colours[index] ?? 0;
  return `rgb(${c & 255} ${(c >> 8) & 255} ${(c >> 16) & 255})`;
}
