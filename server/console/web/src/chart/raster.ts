// Pictures of many cells, painted through a table of 256 colours.

import { channels, ink } from "./ink";

/** Table has a colour for each level, as the bytes of a picture (little endian). 0 is transparent. */
export type Table = Uint32Array;

const coloured = ([red, green, blue]: number[], alpha = 255): number =>
  ((Math.round(alpha) << 24) | (Math.round(blue ?? 0) << 16) | (Math.round(green ?? 0) << 8) | Math.round(red ?? 0)) >>>
  0;

/** paintStops fills levels of a table evenly with the colours --name-0, --name-1, … */
export function paintStops(table: Table, first: number, last: number, name: string, stops: number): void {
  const colours = Array.from({ length: stops }, (_, i) => channels(`${name}-${i}`));
  for (let level = first; level <= last; level++) {
    const place = ((level - first) / (last - first)) * (stops - 1);
    const i = Math.min(Math.floor(place), stops - 2);
    const [a = [], b = []] = [colours[i], colours[i + 1]];
    table[level] = coloured(a.map((v, c) => v + ((b[c] ?? v) - v) * (place - i)));
  }
}

/** ramp runs through the colours --name-0, --name-1, … */
export function ramp(name: string, stops: number): Table {
  const table = new Uint32Array(256);
  paintStops(table, 1, 255, name, stops);
  return table;
}

/** flat is one colour, as a level of a table. */
export const flat = (name: string): number => coloured(channels(name));

/** fade is one colour, the stronger the higher the level. The square root lifts small shares, which matter. */
export function fade(name: string): Table {
  const colour = channels(name);
  return Uint32Array.from({ length: 256 }, (_, level) =>
    level === 0 ? 0 : coloured(colour, 30 + 225 * Math.sqrt(level / 255)),
  );
}

/** picture is a canvas with a pixel for each level, row by row from the top. */
export function picture(levels: Uint8Array, columns: number, rows: number, table: Table): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [columns, rows];
  const image = new ImageData(columns, rows);
  new Uint32Array(image.data.buffer).set(Uint32Array.from(levels, (level) => table[level] ?? 0));
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  return canvas;
}

/** Box is a rectangle in pixels of a canvas. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * paint stretches a picture over a box, within a clipping box. Cells keep their edges where they grow and blend
 * where they shrink, so that no spike is skipped.
 */
export function paint(ctx: CanvasRenderingContext2D, image: HTMLCanvasElement, box: Box, clip: Box): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(clip.left, clip.top, clip.width, clip.height);
  ctx.clip();
  ctx.imageSmoothingEnabled = box.width < image.width || box.height < image.height;
  ctx.imageSmoothingQuality = "high";
  ctx.drawImage(image, box.left, box.top, box.width, box.height);
  ctx.restore();
}

/** fill leaves the context as it was: uPlot remembers its state. */
export function fill(ctx: CanvasRenderingContext2D, box: Box, style: string | CanvasPattern, alpha = 1): void {
  ctx.save();
  ctx.fillStyle = style;
  ctx.globalAlpha = alpha;
  ctx.fillRect(box.left, box.top, box.width, box.height);
  ctx.restore();
}

/** hatch is the pattern of what is missing. */
export function hatch(ctx: CanvasRenderingContext2D): CanvasPattern | string {
  const size = 6 * devicePixelRatio;
  const tile = document.createElement("canvas");
  tile.width = tile.height = size;
  const pen = tile.getContext("2d");
  if (!pen) return ink("hatch");
  pen.strokeStyle = ink("hatch");
  pen.lineWidth = devicePixelRatio;
  pen.beginPath();
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift, size);
    pen.lineTo(shift + size, 0);
  }
  pen.stroke();
  return ctx.createPattern(tile, "repeat") ?? ink("hatch");
}
