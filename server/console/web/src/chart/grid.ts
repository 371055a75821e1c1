// A map of many cells in labelled blocks: where each cell is, and a picture of all
// of them in a few milliseconds.

import { BOUND } from "./colours";

/** Block is a rectangle of cells under one title. Cells are indexes of what is shown; -1 is a hole. */
export interface Block {
  title: string;
  rows: string[]; // labels; empty where rows have none
  columns: string[];
  across: number;
  cells: number[]; // row by row
}

export interface Placed {
  block: Block;
  x: number; // of the first cell
  y: number;
  down: number; // rows of cells
}

export interface Layout {
  size: number; // of a cell with its gap, in CSS pixels
  width: number;
  height: number;
  blocks: Placed[];
  labelled: boolean; // blocks have titles
  detailed: boolean; // rows and columns have labels
}

export const SIZES = [2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 32];
const TITLE = 16; // height
const LABELS = 9; // from this size on rows and columns are labelled
const MOST_PIXELS = 8e6;
const SEVERE = 170; // twice the bound

/** fit finds the largest cells with which all blocks fit into a height, or takes a given size. */
export function fit(blocks: Block[], width: number, height: number, size?: number): Layout {
  const sizes = size === undefined ? SIZES : SIZES.filter((s) => s <= size);
  let best = flow(blocks, width, SIZES[0] ?? 2);
  for (const s of sizes.slice(1)) {
    const next = flow(blocks, width, s);
    const large = next.width * next.height > MOST_PIXELS || next.width > width;
    if (large || (size === undefined && next.height > height)) break;
    best = next;
  }
  return best;
}

/** flow puts blocks beside each other, line by line. */
function flow(blocks: Block[], width: number, size: number): Layout {
  const detailed = size >= LABELS && blocks.some((b) => b.rows.length > 0);
  const widest = Math.max(0, ...blocks.map((b) => b.across * size));
  const labelled = widest >= 26;
  const margin = { left: detailed ? 46 : 0, top: (labelled ? TITLE : 0) + (detailed ? 12 : 0), gap: labelled ? 14 : 2 };
  const placed: Placed[] = [];
  let [x, y, line, right] = [0, 0, 0, 0];
  for (const block of blocks) {
    const down = Math.ceil(block.cells.length / block.across);
    const wide = margin.left + block.across * size;
    if (x > 0 && x + wide > width) [x, y, line] = [0, y + line, 0];
    placed.push({ block, x: x + margin.left, y: y + margin.top, down });
    x += wide + margin.gap;
    right = Math.max(right, x - margin.gap);
    line = Math.max(line, margin.top + down * size + margin.gap);
  }
  return { size, width: Math.max(right, 1), height: Math.max(y + line, 1), blocks: placed, labelled, detailed };
}

/** Raster paints frames of a layout. A frame has an index of the palette for each cell. */
export class Raster {
  readonly #picture: ImageData;
  readonly #pixels: Uint32Array;
  readonly #at: Int32Array; // first pixel of each cell, by index of what is shown; -1 where it has no cell

  constructor(
    readonly layout: Layout,
    count: number,
  ) {
    this.#picture = new ImageData(layout.width, layout.height);
    this.#pixels = new Uint32Array(this.#picture.data.buffer);
    this.#at = new Int32Array(count).fill(-1);
    for (const { block, x, y } of layout.blocks)
      block.cells.forEach((cell, i) => {
        if (cell < 0) return;
        const left = x + (i % block.across) * layout.size;
        const top = y + Math.floor(i / block.across) * layout.size;
        this.#at[cell] = top * layout.width + left;
      });
  }

  /** paint draws a frame. */
  paint(ctx: CanvasRenderingContext2D, frame: Uint8Array, colours: Uint32Array): void {
    const { size, width } = this.layout;
    const side = size >= 4 ? size - 1 : size;
    const [pixels, at] = [this.#pixels, this.#at];
    pixels.fill(0);
    for (let cell = 0; cell < at.length; cell++) {
      const first = at[cell] ?? -1;
      if (first < 0) continue;
      const index = frame[cell] ?? 0;
      const colour = colours[index] ?? 0;
      for (let row = 0, from = first; row < side; row++, from += width) pixels.fill(colour, from, from + side);
      if (index === 0 && side >= 5)
        for (let row = 0; row < side; row++) pixels[first + row * width + side - 1 - row] = colours[60] ?? 0; // a stroke across: missing is not calm
    }
    if (size < 5) this.#lift(frame, colours, side);
    ctx.putImageData(this.#picture, 0, 0);
  }

  /** lift draws odd cells larger than they are, where cells are so small that nobody would see one. */
  #lift(frame: Uint8Array, colours: Uint32Array, side: number): void {
    const { width, height } = this.layout;
    const pixels = this.#pixels;
    for (let cell = 0; cell < frame.length; cell++) {
      const index = frame[cell] ?? 0;
      const first = this.#at[cell] ?? -1;
      if (index < BOUND || first < 0) continue;
      const more = index >= SEVERE ? 2 : 1;
      const [x, y] = [first % width, Math.floor(first / width)];
      const [left, right] = [Math.max(0, x - more), Math.min(width, x + side + more)];
      for (let row = Math.max(0, y - more); row < Math.min(height, y + side + more); row++)
        pixels.fill(colours[index] ?? 0, row * width + left, row * width + right);
    }
  }

  /** rectangle is where a cell is; undefined where it has none. */
  rectangle(cell: number): { x: number; y: number; side: number } | undefined {
    const first = this.#at[cell] ?? -1;
    if (first < 0) return undefined;
    return { x: first % this.layout.width, y: Math.floor(first / this.layout.width), side: this.layout.size };
  }
}

/** cellAt is what is shown at a point; -1 where nothing is. */
export function cellAt(layout: Layout, x: number, y: number): number {
  for (const p of layout.blocks) {
    const column = Math.floor((x - p.x) / layout.size);
    const row = Math.floor((y - p.y) / layout.size);
    if (column >= 0 && column < p.block.across && row >= 0 && row < p.down)
      return p.block.cells[row * p.block.across + column] ?? -1;
  }
  return -1;
}

/** neighbour is the next cell in a direction, across holes and gaps between blocks. */
export function neighbour(raster: Raster, cell: number, dx: number, dy: number): number {
  const from = raster.rectangle(cell);
  if (!from) return raster.layout.blocks[0]?.block.cells.find((c) => c >= 0) ?? -1;
  const { width, height, size } = raster.layout;
  const middle = size / 2;
  for (let far = size; far < Math.max(width, height); far += Math.max(2, size / 2)) {
    const next = cellAt(raster.layout, from.x + middle + dx * far, from.y + middle + dy * far);
    if (next >= 0 && next !== cell) return next;
  }
  return cell;
}
