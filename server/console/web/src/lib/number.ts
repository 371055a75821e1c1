// Numbers as text, the same whatever the browser's language.

const three = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const PREFIXES: [number, string][] = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
];

export const count = (n: number): string => whole.format(n);

/** digits has three that count: 0.0123, 3.1, 48,200. */
export function digits(v: number): string {
  const size = Math.abs(v);
  if (size > 0 && size < 1e-3) return v.toExponential(1);
  return size >= 1000 ? whole.format(v) : three.format(v);
}

/** quantity is a value with its unit; what is missing is not zero. */
export function quantity(v: number | null | undefined, unit: string): string {
  if (v === null || v === undefined) return "no data";
  if (unit === "sectors/s") return quantity(v * 512, "B/s");
  if (unit === "sectors") return quantity(v * 512, "B");
  if (unit.startsWith("1/")) return quantity(v, "").trimEnd() + unit.slice(1); // 10.1/s, not 10.1 1/s
  const thousands: [number, string][] = unit.startsWith("B") ? [[1e3, "k"]] : [];
  const [factor, prefix] = [...PREFIXES, ...thousands].find(([f]) => Math.abs(v) >= f) ?? [1, ""];
  const text = digits(v / factor);
  return unit || prefix ? `${text} ${prefix}${unit}` : text;
}

/** tick is a value at an axis: a long unit stands in the title alone. */
export const tick = (v: number, unit: string): string =>
  unit.length > 4 && !unit.startsWith("sectors") ? digits(v) : quantity(v, unit);

/** times is how many times slower: 3.2×. */
export const times = (v: number): string => `${v < 10 ? v.toFixed(1) : digits(v)}×`;

export const percent = (share: number): string => `${digits(share * 100)} %`;

export const plural = (n: number, noun: string): string => `${count(n)} ${noun}${n === 1 ? "" : "s"}`;
