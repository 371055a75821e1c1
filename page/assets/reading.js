// Reading a plot by mouse, finger or keyboard: the legend shows the values at the
// cursor.

function read(plot) {
  const {u, sheet, x} = plot;
  const {left, top, idx} = u.cursor;
  const inside = left >= 0 && top >= 0 && left <= u.over.clientWidth && idx != null;
  if (sheet.heat) return readHeat(plot, inside);
  tell(plot, ".where", inside ? formatPosition(x[idx], sheet.x) : "");
  plot.keys.forEach((key, i) => {
    key.querySelector(".value").textContent = inside ? formatValue(plot.lines[i][idx], sheet.y.unit) : "";
  });
  if (sheet.crowd) readCrowd(plot, inside);
}

function tell({figure}, entry, text) {
  const value = figure.querySelector(`.legend ${entry} .value`);
  if (value) value.textContent = text;
}

function readHeat(plot, inside) {
  if (!inside) return tell(plot, ".where", "");
  const {u, cells, sheet: {at: {from, step, count}, heat: {rows, columns, value}}} = plot;
  const column = cell((u.posToVal(u.cursor.left, "x") - from) / (step || 1), count);
  const row = cell(u.posToVal(u.cursor.top, "y"), rows.length);
  const where = columns?.[column] ?? formatTime(from + column * step);
  const v = cells[row * count + column];
  tell(plot, ".where", `${where} · ${rows[row]} · ${formatValue(Number.isFinite(v) ? v : null, value.unit)}`);
}

// cell is the one of count cells at a coordinate; the outermost have the edges.
function cell(coordinate, count) {
  return Math.min(Math.max(Math.floor(coordinate), 0), count - 1);
}

// readCrowd says how many peers pass where the cursor points, and how many
// samples are missing there.
function readCrowd(plot, inside) {
  const {u, x, absent, sheet: {crowd}} = plot;
  const box = between(u, x[0], x.at(-1)), pixels = uPlot.pxRatio;
  const column = cell((u.bbox.left + u.cursor.left * pixels - box.left) / box.width * crowd.columns, crowd.columns);
  const row = cell(u.cursor.top * pixels / u.bbox.height * crowd.rows, crowd.rows);
  const peers = inside && peersAround(plot, column, row);
  tell(plot, ".crowd", inside ? `${peers ? formatNumber(peers) : "none"} here` : "");
  const percent = absent && Number((absent[column] / 2.55).toPrecision(2));
  tell(plot, ".missing", inside ? formatNumber(percent, "% here") : "");
}

// peersAround is the densest of the cells around one: nobody hits a line a pixel
// thick. The levels are logarithms, so the number is rounded.
function peersAround({levels, sheet: {crowd}}, column, row) {
  let level = 0;
  for (let r = Math.max(row - 1, 0); r <= Math.min(row + 1, crowd.rows - 1); r++) {
    for (let c = Math.max(column - 1, 0); c <= Math.min(column + 1, crowd.columns - 1); c++) {
      level = Math.max(level, levels[r * crowd.columns + c]);
    }
  }
  return level && Number((crowd.densest ** ((level - 1) / 254)).toPrecision(2));
}

function listen(plot) {
  plot.keys.forEach((key, i) => key.addEventListener("click", () => toggle(plot, key, i + 1)));
  plot.figure.querySelector(".reset").addEventListener("click", () => plot.reset());
  plot.drawing.addEventListener("keydown", event => press(plot, event));
  plot.drawing.addEventListener("blur", () => plot.u.setCursor({left: -10, top: -10}));
  for (const type of Object.keys(TOUCH)) plot.u.over.addEventListener(type, touch);
}

function toggle({u}, key, series) {
  const show = !u.series[series].show;
  u.setSeries(series, {show});
  key.setAttribute("aria-pressed", String(show));
}

function press(plot, event) {
  const far = event.shiftKey ? 10 : 1;
  const move = {ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far]}[event.key];
  const act = {"+": () => scaleBy(plot, 0.5), "=": () => scaleBy(plot, 0.5), "-": () => scaleBy(plot, 2), 0: () => plot.reset()}[event.key];
  if (event.ctrlKey || event.metaKey || event.altKey || !(move || act)) return;
  event.preventDefault();
  if (move) step(plot, ...move);
  else act();
}

// step moves the cursor by samples or cells, at least by a pixel; at first it
// stands in the middle.
function step({u, full, sheet: {at, heat}}, right, down) {
  const {clientWidth: width, clientHeight: height} = u.over;
  const shown = (u.scales.x.max - u.scales.x.min) / (full.max - full.min);
  const across = width / shown / (heat ? at.count : Math.max(at.count - 1, 1));
  const along = heat ? height / heat.rows.length : 4;
  const {left, top} = u.cursor.left < 0 ? {left: width / 2, top: height / 2} : u.cursor;
  u.setCursor({
    left: Math.min(Math.max(left + right * Math.max(across, 1), 0), width),
    top: Math.min(Math.max(top + down * Math.max(along, 1), 0), height),
  });
}

// scaleBy zooms around the cursor, or around the middle where there is none.
function scaleBy(plot, factor) {
  const {min, max} = plot.u.scales.x;
  const {left} = plot.u.cursor;
  const centre = left < 0 ? (min + max) / 2 : plot.u.posToVal(left, "x");
  plot.zoom(centre - (centre - min) * factor, centre + (max - centre) * factor);
}

// Fingers zoom as mice do; scrolling up and down stays the browser's.
const TOUCH = {pointerdown: "mousedown", pointermove: "mousemove", pointerup: "mouseup", pointercancel: "mouseup"};

function touch({pointerType, type, target, clientX, clientY}) {
  if (pointerType !== "touch") return;
  target.dispatchEvent(new MouseEvent(TOUCH[type], {bubbles: true, clientX, clientY, movementX: 1}));
}
