// Scales and axes for uPlot.

const AXIS_FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const STRIP = 8; // CSS pixels of the strip of missing samples, below the plot

// For ticks at least so many seconds apart: their text, and what is added where
// the year (second text) or the day (fourth) changes.
const TIME_TICKS = [
  [31536000, "{YYYY}", null, null, null, null, null, null, 1],
  [2419200, "{YYYY}-{MM}", null, null, null, null, null, null, 1],
  [86400, "{MM}-{DD}", "\n{YYYY}", null, null, null, null, null, 1],
  [60, "{HH}:{mm}", "\n{YYYY}-{MM}-{DD}", null, "\n{MM}-{DD}", null, null, null, 1],
  [1, "{HH}:{mm}:{ss}", "\n{YYYY}-{MM}-{DD}", null, "\n{MM}-{DD}", null, null, null, 1],
  [0.001, "{ss}.{fff}", "\n{YYYY}-{MM}-{DD} {HH}:{mm}", null, null, null, "\n{HH}:{mm}", null, 1],
];

function utc(seconds) {
  return uPlot.tzDate(new Date(seconds * 1e3), "Etc/UTC");
}

// xScale gives a lone position room on both sides.
function xScale(axis, [first, ...others]) {
  const log = axis.scale === "log";
  const room = axis.scale === "time" ? 60 : 1;
  const lone = log ? [first / 2, first * 2] : [first - room, first + room];
  return {
    time: axis.scale === "time",
    distr: log ? 3 : 1,
    range: (u, min, max) => others.length === 0 ? lone : [min, max],
  };
}

// yScale keeps what is not positive on the lower edge of a logarithmic axis, a
// decade below the rest. An axis of nothing but missing values still needs a
// range.
function yScale(axis, lines) {
  const log = axis.scale === "log";
  const floor = hasFloor(axis, lines) ? 0.1 : 1;
  return {
    distr: log ? 3 : 1,
    clamp: (u, v, min) => min,
    range: (u, min, max) => {
      if (axis.min !== axis.max) return [axis.min, axis.max];
      if (min == null) return log ? [1, 10] : [0, 1];
      if (!log) return linearRange(min, max);
      const [low, high] = uPlot.rangeLog(min, max, 10, true);
      return [low * floor, high];
    },
  };
}

function hasFloor(axis, lines) {
  return axis.scale === "log" && axis.min === axis.max && lines.some(line => line.some(v => v != null && v <= 0));
}

// linearRange begins at zero unless that would waste half of the plot.
function linearRange(min, max) {
  const [low, high] = uPlot.rangeNum(min, max, 0.08, true);
  return [min >= 0 && min <= max / 2 ? 0 : low, high];
}

// axis has what all axes share: colours of the present scheme at every drawing.
function axis(more) {
  const rule = {stroke: () => color("--rule"), width: 1};
  return {font: AXIS_FONT, stroke: () => color("--muted"), grid: rule, ticks: {...rule, size: 4}, ...more};
}

function xAxis(sheet, strip) {
  const gap = strip ? STRIP + 4 : 4;
  const more = {gap, ticks: {show: false}, size: 20 + gap};
  if (sheet.heat) more.grid = {show: false};
  if (sheet.x.scale === "time") return axis({...more, size: 38 + gap, space: 70, values: TIME_TICKS});
  if (sheet.heat) return axis({...more, ...nameTicks(sheet.heat.columns, 60)});
  return axis({...more, space: 60, ...numberTicks(sheet.x)});
}

function yAxis(sheet, lines) {
  const size = (u, texts) => 12 + Math.max(36, ...(texts ?? []).map(textWidth));
  if (sheet.heat) return axis({size, grid: {show: false}, ticks: {show: false}, ...nameTicks(sheet.heat.rows, 14)});
  return axis({size, space: 34, ...numberTicks(sheet.y, hasFloor(sheet.y, lines))});
}

// numberTicks calls the lower edge of an axis with a floor what lies there: zero.
function numberTicks(axis, floor) {
  const values = (u, ticks) => ticks.map((v, i) => v == null ? "" : floor && i === 0 ? "0" : formatNumber(v));
  if (axis.scale !== "log") return {values};
  return {values, splits: (u, i, min, max) => decades(min, max), filter: (u, ticks) => ticks};
}

// decades are 1, 2 and 5 times the powers of ten, or the powers alone where they
// are many.
function decades(min, max) {
  const steps = max / min > 1e4 ? [1] : [1, 2, 5];
  const ticks = [];
  for (let e = Math.floor(Math.log10(min)); e <= Math.log10(max); e++) {
    ticks.push(...steps.map(s => Number(`${s}e${e}`)));
  }
  return ticks.filter(t => t >= min * 0.999 && t <= max * 1.001);
}

// nameTicks puts names at the middles of their cells, as many as there is room
// for; cell i reaches from i to i + 1.
function nameTicks(names, space) {
  return {
    splits: (u, i, min, max) => {
      const first = Math.max(Math.floor(min), 0), last = Math.min(Math.ceil(max), names.length);
      const side = i === 0 ? u.bbox.width : u.bbox.height;
      const every = Math.max(1, Math.ceil((max - min) * space * devicePixelRatio / side));
      const ticks = [];
      for (let n = first; n < last; n += every) ticks.push(n + 0.5);
      return ticks;
    },
    values: (u, splits) => splits.map(v => shorten(names[Math.floor(v)])),
  };
}

const ruler = document.createElement("canvas").getContext("2d");

function textWidth(text) {
  ruler.font = AXIS_FONT;
  return Math.ceil(ruler.measureText(text).width);
}

function shorten(name) {
  return name.length > 24 ? name.slice(0, 23) + "…" : name;
}
