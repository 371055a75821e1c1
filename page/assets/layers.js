// What a plot shows besides uPlot's axes and lines: spans under the grid, rasters
// between the grid and the lines, the spans' ends and names over all.

function paintUnderGrid(plot) {
  spans(plot).forEach(span => shade(plot.u, span));
}

function paintUnderLines(plot) {
  if (plot.sheet.crowd) paintCrowd(plot);
  if (plot.sheet.heat) paintHeat(plot);
}

function paintOver(plot) {
  spans(plot).forEach(span => {
    fence(plot.u, span);
    name(plot.u, span);
  });
}

// between is the box in canvas pixels from one position to another, as high as
// the plot.
function between(u, from, to) {
  const left = u.valToPos(from, "x", true), right = u.valToPos(to, "x", true);
  return {left, width: right - left, top: u.bbox.top, height: u.bbox.height};
}

function paintCrowd({u, x, picture, strip}) {
  const box = between(u, x[0], x.at(-1));
  paint(u.ctx, picture, box, u.bbox);
  if (!strip) return;
  const lane = {top: u.bbox.top + u.bbox.height + 3 * uPlot.pxRatio, height: (STRIP - 2) * uPlot.pxRatio};
  fill(u.ctx, {...u.bbox, ...lane}, color("--lane"));
  paint(u.ctx, strip, {...box, ...lane}, {...u.bbox, ...lane});
}

function paintHeat({u, x, picture}) {
  fill(u.ctx, u.bbox, hatch(u.ctx));
  paint(u.ctx, picture, between(u, x[0], x[1]), u.bbox);
}

// fill leaves the context as it was: uPlot remembers its state.
function fill(ctx, {left, top, width, height}, style, alpha = 1) {
  ctx.save();
  ctx.fillStyle = style;
  ctx.globalAlpha = alpha;
  ctx.fillRect(left, top, width, height);
  ctx.restore();
}

// spans are those of the sheet with their names and colours, cut to what the
// plot shows.
function spans({u, sheet, figure}) {
  const entries = figure.querySelectorAll(".legend .span");
  const {left, width} = u.bbox;
  return (sheet.spans ?? []).map(({from, to}, i) => {
    const box = between(u, from, to);
    const start = Math.max(box.left, left), end = Math.min(box.left + box.width, left + width);
    return {
      ...box,
      left: start,
      width: Math.max(end - start, uPlot.pxRatio),
      ends: [box.left, box.left + box.width].filter(at => at >= left && at <= left + width),
      seen: start <= left + width && end >= left,
      name: entries[i].querySelector(".name").textContent,
      color: getComputedStyle(entries[i].querySelector("i")).color,
    };
  }).filter(span => span.seen);
}

function shade({ctx}, span) {
  fill(ctx, span, span.color, 0.13);
  fill(ctx, {...span, height: 2 * uPlot.pxRatio}, span.color, 0.6);
}

// fence draws those ends of a span that the plot shows: of a short one, and of a
// moment, they are all there is to see.
function fence({ctx}, {ends, top, height, color: ink}) {
  const width = uPlot.pxRatio;
  ends.forEach(at => fill(ctx, {left: at - width / 2, width, top, height}, ink, 0.6));
}

// name writes a span's name at its upper left, or as far right as fits.
function name({ctx, bbox}, {left, top, name, color: ink}) {
  const em = uPlot.pxRatio;
  ctx.save();
  ctx.font = `600 ${12 * em}px system-ui, sans-serif`;
  ctx.textAlign = "left";
  ctx.textBaseline = "top";
  ctx.lineJoin = "round";
  const rightmost = bbox.left + bbox.width - ctx.measureText(name).width - 4 * em;
  const at = [Math.max(Math.min(left + 5 * em, rightmost), bbox.left), top + 7 * em];
  ctx.strokeStyle = color("--paper");
  ctx.lineWidth = 3 * em;
  ctx.strokeText(name, ...at);
  ctx.fillStyle = ink;
  ctx.fillText(name, ...at);
  ctx.restore();
}
