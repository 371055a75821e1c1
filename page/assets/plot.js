// A plot: a figure's sheet of numbers, drawn by uPlot, with layers under and over
// its lines (layers.js) and a reader at its legend (reading.js).

class Plot {
  constructor(figure) {
    this.figure = figure;
    this.drawing = figure.querySelector(".drawing");
    this.sheet = JSON.parse(figure.querySelector("script").textContent);
    this.keys = [...figure.querySelectorAll(".legend .line")];
    this.x = this.positions();
    this.lines = (this.sheet.lines ?? []).map(line => this.values(line));
    this.levels = this.readLevels();
    this.repaint();
    this.u = new uPlot(this.options(), [this.x, ...this.drawn()], this.drawing);
  }

  // positions are those of the samples; of a heat map, the two ends.
  positions() {
    const {from, step, count, uneven} = this.sheet.at;
    if (this.sheet.heat) return [from, from + (step || 1) * count];
    return uneven ? floats(uneven, 8) : Array.from({length: count}, (_, i) => from + i * step);
  }

  values(line) {
    if (!line.values) return this.x.map(() => line.level);
    return floats(line.values, 4).map(v => Number.isFinite(v) ? v : null);
  }

  // drawn are the lines, with what lies beyond a bounded axis at its edge.
  drawn() {
    const {min, max} = this.sheet.y;
    if (min === max) return this.lines;
    return this.lines.map(line => line.map(v => v == null ? v : Math.min(Math.max(v, min), max)));
  }

  readLevels() {
    const {crowd, heat} = this.sheet;
    if (crowd) return upright(expand(bytes(crowd.cells), crowd.columns * crowd.rows), crowd.columns, crowd.rows);
    if (!heat) return null;
    this.cells = floats(heat.values, 4);
    const place = heat.value.scale === "log" ? v => Math.log10(Math.max(v, heat.value.min)) : v => v;
    const low = place(heat.value.min), range = place(heat.value.max) - low || 1;
    return Uint8Array.from(this.cells, v => {
      if (!Number.isFinite(v)) return 0;
      return 1 + Math.round(254 * Math.min(Math.max((place(v) - low) / range, 0), 1));
    });
  }

  // repaint makes the pictures anew in the colours of the present scheme.
  repaint() {
    const {crowd, heat} = this.sheet;
    if (crowd) {
      this.picture = picture(this.levels, crowd.columns, crowd.rows, colorTable("crowd", 3));
      if (crowd.missing) {
        this.absent = expand(bytes(crowd.missing), crowd.columns);
        this.strip = picture(this.absent, crowd.columns, 1, fadeTable("missing"));
      }
    }
    if (heat) this.picture = picture(this.levels, this.sheet.at.count, heat.rows.length, colorTable("heat", 5));
  }

  size() {
    const {heat} = this.sheet;
    const cells = heat && Math.min(Math.max(heat.rows.length * 16, 48), 560) + 64;
    return {width: this.drawing.clientWidth, height: cells || this.drawing.clientHeight};
  }

  options() {
    const {x, y, heat} = this.sheet;
    return {
      ...this.size(),
      tzDate: utc,
      padding: [8, 26, 0, 0],
      legend: {show: false},
      cursor: {
        y: Boolean(heat || this.sheet.crowd),
        drag: {x: true, y: false, dist: 6},
        points: {size: 7},
        sync: {key: this.group(), scales: ["x", null]},
      },
      scales: {x: xScale(x, this.x), y: heat ? {dir: -1, range: [0, heat.rows.length]} : yScale(y, this.lines)},
      axes: [xAxis(this.sheet, Boolean(this.strip)), yAxis(this.sheet, this.lines)],
      series: [{}, ...this.lines.map((values, i) => this.series(values, i))],
      hooks: {
        drawClear: [() => paintUnderGrid(this)],
        drawAxes: [() => paintUnderLines(this)],
        draw: [() => paintOver(this)],
        setCursor: [() => read(this)],
        setScale: [() => this.offerReset()],
        ready: [() => this.ready()],
      },
    };
  }

  ready() {
    const {min, max} = this.u.scales.x;
    this.full = {min, max};
    listen(this);
    this.drawing.dataset.drawn = "";
  }

  // group is the name under which the plots of a section or a case share cursor
  // and zoom; only times can be shared.
  group() {
    return this.sheet.x.scale === "time" ? this.figure.closest("section, .case").id : null;
  }

  siblings() {
    return this.group() ? plots.filter(p => p.full && p.group() === this.group()) : [this];
  }

  // series draws a line, and a point where a sample stands alone between gaps. Of
  // other points uPlot draws those it has room for; a limit has none.
  series(values, i) {
    const line = this.sheet.lines[i];
    const lone = [...values.keys()].filter(k => values[k] != null && values[k - 1] == null && values[k + 1] == null);
    const stroke = () => getComputedStyle(this.keys[i].querySelector("i")).color;
    return {
      stroke,
      width: line.strong ? 1.75 : 1.25,
      dash: line.dash ? [7, 4] : undefined,
      paths: line.step ? uPlot.paths.stepped({align: 1}) : undefined,
      points: {...(line.dash && {show: false}), size: 4, stroke, fill: stroke, filter: (u, s, show) => show ? null : lone},
    };
  }

  zoom(min, max) {
    for (const {u, full} of this.siblings()) {
      u.setScale("x", {min: Math.max(min, full.min), max: Math.min(max, full.max)});
    }
  }

  reset() {
    for (const {u, full} of this.siblings()) u.setScale("x", {...full});
  }

  offerReset() {
    if (!this.full) return;
    const {min, max} = this.u.scales.x;
    const zoomed = min > this.full.min || max < this.full.max;
    this.figure.querySelector(".reset").hidden = !zoomed;
  }

  restyle() {
    this.repaint();
    this.u.redraw(false, true);
  }

  resize() {
    const {width, height} = this.size();
    if (width > 0 && (width !== this.u.width || height !== this.u.height)) this.u.setSize({width, height});
  }
}
