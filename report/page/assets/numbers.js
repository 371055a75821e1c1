// Reading the numbers of a sheet.

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

// upright turns a crowd's levels, column by column from the lowest row, into
// rows from the top.
function upright(levels, columns, rows) {
  const out = new Uint8Array(levels.length);
  for (let c = 0; c < columns; c++) {
    for (let r = 0; r < rows; r++) out[(rows - 1 - r) * columns + c] = levels[c * rows + r];
  }
  return out;
}
