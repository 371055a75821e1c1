// Numbers and times as text, the same whatever the browser's language.

const FOUR_DIGITS = new Intl.NumberFormat("en", {maximumSignificantDigits: 4});
const WHOLE = new Intl.NumberFormat("en", {maximumFractionDigits: 0});
const PREFIXES = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"]];

// formatNumber shows a number with its unit: 12.35 ms, 48,210, 1.5 GB/s.
function formatNumber(v, unit = "") {
  const size = Math.abs(v);
  const [factor, prefix] = PREFIXES.find(([f]) => size >= f) ?? [1, ""];
  const suffix = prefix + unit;
  return digits(v / factor, size) + (suffix ? "\u202f" + suffix : "");
}

function digits(v, size) {
  if (size > 0 && size < 1e-4) return v.toExponential(2);
  return size >= 1e3 && size < 1e6 ? WHOLE.format(v) : FOUR_DIGITS.format(v);
}

// formatValue tells a missing value from zero.
function formatValue(v, unit) {
  return v == null ? "missing" : formatNumber(v, unit);
}

// formatTime shows seconds since the epoch in UTC, milliseconds only where there are any.
function formatTime(seconds) {
  const iso = new Date(Math.round(seconds * 1e3)).toISOString();
  return iso.slice(0, 10) + " " + iso.slice(11, 23).replace(".000", "");
}

function formatPosition(x, axis) {
  return axis.scale === "time" ? formatTime(x) : formatNumber(x, axis.unit);
}
