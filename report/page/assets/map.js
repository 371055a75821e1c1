// Reading a map's tiles by pointer or keyboard.

class TileMap {
  constructor(figure) {
    this.sheet = JSON.parse(figure.querySelector("script").textContent);
    this.values = floats(this.sheet.values, 4);
    this.field = figure.querySelector(".field");
    this.said = figure.querySelector(".said");
    this.lines = this.sheet.names.length / this.sheet.columns;
    this.field.addEventListener("pointermove", event => this.point(event));
    const tiles = figure.querySelector(".tiles");
    tiles.addEventListener("keydown", event => this.press(event));
    tiles.addEventListener("blur", () => this.leave());
  }

  // say is the tile in words; nothing where there is none.
  say(x, y) {
    const {columns, names, texts, unit} = this.sheet, i = y * columns + x;
    const v = this.values[i];
    return names[i] && [names[i], formatValue(Number.isFinite(v) ? v : null, unit), texts?.[i]].filter(Boolean).join(" · ");
  }

  point(event) {
    const {left, top, width, height} = this.field.getBoundingClientRect();
    const x = cell((event.clientX - left) / width * this.sheet.columns, this.sheet.columns);
    const y = cell((event.clientY - top) / height * this.lines, this.lines);
    const text = this.say(x, y);
    event.stopPropagation();
    if (text) showTip(text, at(event));
    else hideTip();
  }

  press(event) {
    const far = event.shiftKey ? 10 : 1;
    const move = {ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far]}[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || !move) return;
    event.preventDefault();
    const {x = -move[0], y = -move[1]} = this;
    this.x = cell(x + move[0], this.sheet.columns);
    this.y = cell(y + move[1], this.lines);
    this.show();
  }

  // show puts the cursor on its tile, and says what is there.
  show() {
    this.cursor ??= this.field.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "rect"));
    for (const [name, value] of Object.entries({class: "cursor", x: this.x, y: this.y, width: 1, height: 1})) {
      this.cursor.setAttribute(name, value);
    }
    const text = this.say(this.x, this.y) || "nothing here";
    this.said.textContent = text;
    showTip(text, this.cursor.getBoundingClientRect());
  }

  leave() {
    this.cursor?.remove();
    this.cursor = null;
    hideTip();
  }
}
