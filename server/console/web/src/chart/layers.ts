// What a plot shows besides uPlot's axes and lines: spans under the grid, rasters
// between the grid and the lines, names and moments over all.

import type uPlot from "uplot";
import { STRIP } from "./axes";
import { ink } from "./ink";
import { fade, fill, hatch, paint, picture, ramp, type Box } from "./raster";
import type { Moment, Sheet, Span } from "./sheet";

/** pixel is a CSS pixel in those of the canvas. */
const pixel = (u: uPlot): number => u.ctx.canvas.width / u.width;

/** between is the box from one position to another, as high as the plot. */
export function between(u: uPlot, from: number, to: number): Box {
  const [left, right] = [u.valToPos(from, "x", true), u.valToPos(to, "x", true)];
  return { left, width: right - left, top: u.bbox.top, height: u.bbox.height };
}

/** Pictures are the rasters of a sheet in the colours of the present scheme. */
export interface Pictures {
  raster?: HTMLCanvasElement;
  strip?: HTMLCanvasElement;
}

export function pictures({ crowd, heat }: Sheet): Pictures {
  if (heat) return { raster: picture(heat.levels, heat.count, heat.rows.length, ramp("heat", 5)) };
  if (!crowd) return {};
  const raster = picture(crowd.levels, crowd.columns, crowd.rows, ramp("crowd", 3));
  return crowd.missing ? { raster, strip: picture(crowd.missing, crowd.columns, 1, fade("missing")) } : { raster };
}

/** underGrid shades spans. */
export function underGrid(u: uPlot, sheet: Sheet): void {
  for (const span of sheet.spans) {
    const box = cut(u, span);
    if (!box) continue;
    fill(u.ctx, box, ink(span.role), span.role === "onset" ? 0.28 : 0.13);
    fill(u.ctx, { ...box, height: 2 * pixel(u) }, ink(span.role), 0.6);
  }
}

/** underLines paints rasters. */
export function underLines(u: uPlot, sheet: Sheet, { raster, strip }: Pictures): void {
  const [first = 0, last = first] = [sheet.at[0], sheet.at.at(-1)];
  if (!raster) return;
  const box = between(u, first, last);
  if (sheet.heat) fill(u.ctx, u.bbox, hatch(u.ctx));
  paint(u.ctx, raster, box, u.bbox);
  if (!strip) return;
  const lane = { top: u.bbox.top + u.bbox.height + 3 * pixel(u), height: (STRIP - 2) * pixel(u) };
  fill(u.ctx, { ...u.bbox, ...lane }, ink("lane"));
  paint(u.ctx, strip, { ...box, ...lane }, { ...u.bbox, ...lane });
}

/** over draws the ends of spans, of which short ones have nothing else to see, and moments; names come last, above all else. */
export function over(u: uPlot, sheet: Sheet, small: boolean): void {
  const shown = sheet.spans.flatMap((span) => {
    const box = cut(u, span);
    return box ? [{ span, left: box.left }] : [];
  });
  for (const { span } of shown)
    for (const end of [span.from, span.to]) upright(u, u.valToPos(end, "x", true), ink(span.role));
  for (const moment of sheet.moments) at(u, moment, small);
  if (small) return;
  const taken: Box[] = [];
  for (const { span, left } of shown) if (span.named) taken.push(write(u, span, left, taken));
}

/** cut is what a plot shows of a span; undefined where that is nothing. */
function cut(u: uPlot, span: Span): Box | undefined {
  const { left, width } = u.bbox;
  const box = between(u, span.from, span.to);
  const [start, end] = [Math.max(box.left, left), Math.min(box.left + box.width, left + width)];
  if (start > left + width || end < left) return undefined;
  return { ...box, left: start, width: Math.max(end - start, pixel(u)) };
}

function upright(u: uPlot, x: number, colour: string): void {
  const { left, top, width, height } = u.bbox;
  const wide = pixel(u);
  if (x >= left && x <= left + width) fill(u.ctx, { left: x - wide / 2, width: wide, top, height }, colour, 0.6);
}

/** write puts a span's name at its upper left, or as far right as fits, on paper of its own and below names that stand there. */
function write(u: uPlot, { name, role }: Span, left: number, taken: Box[]): Box {
  const { ctx, bbox } = u;
  const em = pixel(u);
  ctx.save();
  ctx.font = `600 ${12 * em}px system-ui, sans-serif`;
  ctx.textAlign = "left";
  ctx.textBaseline = "top";
  const size = { width: ctx.measureText(name).width + 6 * em, height: 16 * em };
  const rightmost = bbox.left + bbox.width - size.width;
  const box = { ...size, left: Math.max(Math.min(left + 2 * em, rightmost), bbox.left), top: bbox.top + 4 * em };
  while (taken.some((other) => meet(other, box))) box.top += size.height;
  fill(ctx, box, ink("paper"), 0.85);
  ctx.fillStyle = ink(role);
  ctx.fillText(name, box.left + 3 * em, box.top + 2 * em);
  ctx.restore();
  return box;
}

/** meet says whether two boxes have a part in common. */
function meet(a: Box, b: Box): boolean {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
}

/** at draws a moment: a line from top to bottom with a mark of its own shape, which the legend repeats. */
function at(u: uPlot, moment: Moment, small: boolean): void {
  const { left, top, width, height } = u.bbox;
  const x = u.valToPos(moment.at, "x", true);
  if (x < left || x > left + width) return;
  const wide = pixel(u);
  u.ctx.save();
  u.ctx.strokeStyle = u.ctx.fillStyle = ink(moment.role);
  u.ctx.lineWidth = 1.5 * wide;
  u.ctx.setLineDash([3 * wide, 3 * wide]);
  u.ctx.beginPath();
  u.ctx.moveTo(x, top);
  u.ctx.lineTo(x, top + height);
  u.ctx.stroke();
  if (!small) mark(u.ctx, x, top - 7 * wide, 5 * wide, moment.role);
  u.ctx.restore();
}

/** mark is what a moment is told by where colours are not. */
function mark(ctx: CanvasRenderingContext2D, x: number, y: number, r: number, role: string): void {
  ctx.setLineDash([]);
  ctx.beginPath();
  if (role === "suspicion") ctx.arc(x, y, r * 0.8, 0, 2 * Math.PI);
  else if (role === "clearing") ctx.rect(x - r * 0.75, y - r * 0.75, r * 1.5, r * 1.5);
  else {
    ctx.moveTo(x - r, y - r);
    ctx.lineTo(x + r, y - r);
    ctx.lineTo(x, y + r);
    ctx.closePath();
  }
  if (role === "suspicion") ctx.stroke();
  else ctx.fill();
}
