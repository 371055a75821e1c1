// Reading the numbers of a sheet, and painting rasters through a table of 256
// colours. In a raster level 0 is empty, and its pixels are transparent.

function bytes(base64) {
  return Uint8Array.from(atob(base64), c => c.charCodeAt(0));
}

// floats reads little-endian numbers of 4 or 8 bytes.
function floats(base64, size) {
  const view = new DataView(bytes(base64).buffer);
  const read = size === 4 ? view.getFloat32 : view.getFloat64;
  return Array.from({length: view.byteLength / size}, (_, i) => read.call(view, i * size, true));
}

// expand undoes runs of zeros, which are written as a zero and their length.
function expand(squeezed, length) {
  const out = new Uint8Array(length);
  let at = 0;
  for (let i = 0; i < squeezed.length; i++) {
    if (squeezed[i] === 0) at += squeezed[++i];
    else out[at++] = squeezed[i];
  }
  return out;
}

// color resolves a custom property of the style sheet in the present scheme.
function color(property) {
  const probe = document.createElement("i");
  probe.style.color = `var(${property})`;
  document.body.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
}

function channels(property) {
  return color(property).match(/[\d.]+/g).slice(0, 3).map(Number);
}

// colorTable runs through the style sheet's --name-0, --name-1, … evenly.
function colorTable(name, stops) {
  const colors = Array.from({length: stops}, (_, i) => channels(`--${name}-${i}`));
  const table = new Uint8ClampedArray(4 * 256);
  for (let level = 1; level < 256; level++) {
    const place = (level - 1) / 254 * (stops - 1);
    const i = Math.min(Math.floor(place), stops - 2);
    for (let c = 0; c < 3; c++) {
      table[4 * level + c] = colors[i][c] + (place - i) * (colors[i + 1][c] - colors[i][c]);
    }
    table[4 * level + 3] = 255;
  }
  return table;
}

// fadeTable is one colour, the stronger the higher the level; the square root
// lifts small shares, which matter.
function fadeTable(name) {
  const table = new Uint8ClampedArray(4 * 256);
  const [r, g, b] = channels(`--${name}`);
  for (let level = 1; level < 256; level++) table.set([r, g, b, 30 + 225 * Math.sqrt(level / 255)], 4 * level);
  return table;
}

// picture is a canvas with a pixel for every level, row by row from the top.
function picture(levels, columns, rows, table) {
  const canvas = document.createElement("canvas");
  canvas.width = columns;
  canvas.height = rows;
  const image = new ImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  const colors = new Uint32Array(table.buffer);
  for (let i = 0; i < levels.length; i++) pixels[i] = colors[levels[i]];
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

// upright turns a crowd's levels, column by column from the lowest row, into
// rows from the top.
function upright(levels, columns, rows) {
  const out = new Uint8Array(levels.length);
  for (let c = 0; c < columns; c++) {
    for (let r = 0; r < rows; r++) out[(rows - 1 - r) * columns + c] = levels[c * rows + r];
  }
  return out;
}

// paint stretches a picture over a box in canvas pixels, within a clipping box.
// Cells keep their edges where they grow and blend where they shrink, so that no
// spike is skipped.
function paint(ctx, image, box, clip) {
  ctx.save();
  ctx.beginPath();
  ctx.rect(clip.left, clip.top, clip.width, clip.height);
  ctx.clip();
  ctx.imageSmoothingEnabled = box.width < image.width || box.height < image.height;
  ctx.imageSmoothingQuality = "high";
  ctx.drawImage(image, box.left, box.top, box.width, box.height);
  ctx.restore();
}

// hatch is the pattern of what is missing.
function hatch(ctx) {
  const size = 6 * devicePixelRatio;
  const tile = document.createElement("canvas");
  tile.width = tile.height = size;
  const pen = tile.getContext("2d");
  pen.strokeStyle = color("--hatch");
  pen.lineWidth = devicePixelRatio;
  pen.beginPath();
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift, size);
    pen.lineTo(shift + size, 0);
  }
  pen.stroke();
  return ctx.createPattern(tile, "repeat");
}
