// Reading a plot by mouse, finger or keyboard: the legend shows the values at the
// cursor.

function read(of, index) {
  const {plot, sheet, data} = of;
  if (!plot) return; // it is being made
  if (sheet.heat) return readHeat(of);
  const inside = index !== null;
  tell(of, ".where", inside ? formatPosition(sheet.at[index], data.x) : "");
  of.keys.forEach((key, i) => {
    key.querySelector(".value").textContent = inside ? formatValue(sheet.lines[i].values[index], data.y.unit) : "";
  });
  if (sheet.crowd) readCrowd(of, inside);
}

function tell({figure}, entry, text) {
  const value = figure.querySelector(`.legend ${entry} .value`);
  if (value) value.textContent = text;
}

function readHeat(of) {
  const {plot: {pointed}, cells, data: {at: {from, step, count}, heat: {rows, columns, value}}} = of;
  if (!pointed) return tell(of, ".where", "");
  const column = cell(pointed.across * count, count), row = cell(pointed.down * rows.length, rows.length);
  const where = columns?.[column] ?? formatTime(from + column * step);
  const v = cells[row * count + column];
  tell(of, ".where", `${where} · ${rows[row]} · ${formatValue(Number.isFinite(v) ? v : null, value.unit)}`);
}

// cell is the one of count cells at a coordinate; the outermost have the edges.
function cell(coordinate, count) {
  return Math.min(Math.max(Math.floor(coordinate), 0), count - 1);
}

// readCrowd says how many peers pass where the cursor points, and how many
// samples are missing there.
function readCrowd(of, inside) {
  const {plot: {pointed}, sheet: {crowd}} = of;
  const column = cell((pointed?.across ?? 0) * crowd.columns, crowd.columns);
  const peers = inside && peersAround(of, column, cell(pointed.down * crowd.rows, crowd.rows));
  tell(of, ".crowd", inside ? `${peers ? formatNumber(peers) : "none"} here` : "");
  const percent = crowd.missing && Number((crowd.missing[column] / 2.55).toPrecision(2));
  tell(of, ".missing", inside ? formatNumber(percent, "% here") : "");
}

// peersAround is the densest of the cells around one: nobody hits a line a pixel
// thick. The levels are logarithms, so the number is rounded.
function peersAround({sheet: {crowd}, data}, column, row) {
  let level = 0;
  for (let r = Math.max(row - 1, 0); r <= Math.min(row + 1, crowd.rows - 1); r++) {
    for (let c = Math.max(column - 1, 0); c <= Math.min(column + 1, crowd.columns - 1); c++) {
      level = Math.max(level, crowd.levels[r * crowd.columns + c]);
    }
  }
  return level && Number((data.crowd.densest ** ((level - 1) / 254)).toPrecision(2));
}

function listen(of) {
  of.keys.forEach((key, i) => key.addEventListener("click", () => key.setAttribute("aria-pressed", String(of.plot.toggle(i)))));
  of.figure.querySelector(".reset").addEventListener("click", () => of.zoom());
  of.drawing.addEventListener("keydown", event => press(of, event));
  of.drawing.addEventListener("blur", () => of.plot.leave());
}

function press(of, event) {
  const far = event.shiftKey ? 10 : 1;
  const move = {ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far]}[event.key];
  const act = {"+": () => scaleBy(of, 0.5), "=": () => scaleBy(of, 0.5), "-": () => scaleBy(of, 2), 0: () => of.zoom()}[event.key];
  if (event.ctrlKey || event.metaKey || event.altKey || !(move || act)) return;
  event.preventDefault();
  if (move) of.plot.move(...move);
  else act();
}

// scaleBy zooms around the cursor, or around the middle where there is none.
function scaleBy(of, factor) {
  const {shown: {from, to}, middle} = of.plot;
  of.zoom({from: middle - (middle - from) * factor, to: middle + (to - middle) * factor});
}
