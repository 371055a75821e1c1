// A figure with a plot: its numbers, and the names in its legend, handed to the
// library of charts as a sheet.

class Figure {
  constructor(figure) {
    this.figure = figure;
    this.drawing = figure.querySelector(".drawing");
    this.data = JSON.parse(figure.querySelector("script").textContent);
    this.keys = [...figure.querySelectorAll(".legend .line")];
    this.sheet = this.makeSheet();
    this.plot = new charts.Plot(this.drawing, this.sheet, {
      cursor: index => read(this, index),
      zoom: range => this.zoom(range),
    }, {group: this.group() ?? undefined});
    listen(this);
    this.drawing.dataset.drawn = "";
  }

  makeSheet() {
    const {x, y, heat} = this.data, at = this.positions();
    return {
      at,
      x: axisOf(x),
      y: axisOf(y),
      lines: (this.data.lines ?? []).map((line, i) => ({...entry(this.keys[i]), values: valuesOf(line, at), step: line.step})),
      bands: [],
      spans: this.marked("span", this.data.spans).map(span => ({...span, named: span.role !== "onset"})),
      moments: this.marked("moment", this.data.moments),
      crowd: this.crowd(),
      heat: this.heat(),
      height: heat ? heatHeight(heat.rows.length) : this.drawing.clientHeight,
    };
  }

  // positions are those of the samples; of a heat map, the two ends.
  positions() {
    const {from, step, count, uneven} = this.data.at;
    if (this.data.heat) return [from, from + (step || 1) * count];
    return uneven ? floats(uneven, 8) : Array.from({length: count}, (_, i) => from + i * step);
  }

  // marked are spans or moments with the names and roles that the legend gives them.
  marked(kind, list = []) {
    const entries = this.figure.querySelectorAll(`.legend .${kind}`);
    return list.map((one, i) => ({...one, ...entry(entries[i])}));
  }

  crowd() {
    const {crowd} = this.data;
    if (!crowd) return undefined;
    const {columns, rows, cells, missing} = crowd;
    return {columns, rows, levels: upright(expand(bytes(cells), columns * rows), columns, rows), missing: missing && expand(bytes(missing), columns)};
  }

  heat() {
    const {heat, at} = this.data;
    if (!heat) return undefined;
    this.cells = floats(heat.values, 4);
    const {scale, min, max} = heat.value;
    const place = scale === "log" ? v => Math.log10(Math.max(v, min)) : v => v;
    const low = place(min), range = place(max) - low || 1;
    const level = v => Number.isFinite(v) ? 1 + Math.round(254 * Math.min(Math.max((place(v) - low) / range, 0), 1)) : 0;
    return {rows: heat.rows, columns: heat.columns, count: at.count, levels: Uint8Array.from(this.cells, level)};
  }

  // group is the name under which the plots of a section or a case share cursor
  // and zoom; only times can be shared.
  group() {
    return this.data.x.scale === "time" ? this.figure.closest("section, .case").id : null;
  }

  siblings() {
    return this.group() ? figures.filter(f => f.group() === this.group()) : [this];
  }

  // zoom shows a stretch in all plots of the group, or the whole.
  zoom(range) {
    for (const {plot, figure} of this.siblings()) {
      plot.show(range);
      const {from, to} = plot.full;
      figure.querySelector(".reset").hidden = !range || range.from <= from && range.to >= to;
    }
  }
}

// heatHeight is that of a heat map: of many rows each is lower.
function heatHeight(rows) {
  return Math.min(Math.max(rows * (rows > 24 ? 8 : 16), 48), 560) + 64;
}

// entry is the name and the role that an entry of a legend has.
function entry(element) {
  return {name: element.querySelector(".name").textContent, role: [...element.classList].at(-1)};
}

function axisOf({scale, min, max}) {
  const bounded = min !== max;
  return {scale, min: bounded ? min : undefined, max: bounded ? max : undefined, label: v => formatNumber(v)};
}

function valuesOf(line, at) {
  if (!line.values) return at.map(() => line.level);
  return floats(line.values, 4).map(v => Number.isFinite(v) ? v : null);
}
