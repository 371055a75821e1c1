// A plot: suspects as lines over the crowd of their peers, which is a density or
// bands of quantiles; or a heat map. What is missing is a gap. uPlot draws axes and
// lines, layers.ts the rest.

import uPlot from "uplot";
import { axes, scales, utc } from "./axes";
import { ink, onScheme } from "./ink";
import { between, over, pictures, underGrid, underLines, type Pictures } from "./layers";
import { xRange } from "./scale";
import type { Line, Range, Sheet, Values } from "./sheet";

export interface Handlers {
  /** The cursor stands at an index of the positions; null where it has left. */
  cursor?: (index: number | null) => void;
  /** A stretch was dragged across; undefined where the whole is wanted again. */
  zoom?: (stretch: Range | undefined) => void;
}

export interface Options {
  small?: boolean; // with little room: fewer ticks, no cursor
  group?: string | undefined; // plots of one group share their cursor
}

/** Pointed is where the cursor stands: in shares of the positions and of the height, both from 0 to 1. */
export interface Pointed {
  across: number;
  down: number;
}

const HEIGHT = 220;
const SMALL = 96;

export class Plot {
  #u: uPlot | undefined;
  #cursor: number | null = null;
  #pictures: Pictures = {};
  readonly #stop: (() => void)[] = [];

  constructor(
    readonly host: HTMLElement,
    private sheet: Sheet,
    private readonly handlers: Handlers = {},
    private readonly options: Options = {},
  ) {
    this.#draw();
    const resize = new ResizeObserver(() => this.resize());
    resize.observe(host);
    this.#stop.push(
      () => resize.disconnect(),
      onScheme(() => this.restyle()),
    );
  }

  /** full is the whole x axis, and shown is the part of it that can be seen. */
  get full(): Range {
    const [from, to] = xRange(this.sheet.x, this.sheet.at);
    return { from, to };
  }

  get shown(): Range {
    const { min, max } = this.#u?.scales["x"] ?? {};
    return { from: min ?? this.full.from, to: max ?? this.full.to };
  }

  update(sheet: Sheet): void {
    this.sheet = sheet;
    this.#draw();
  }

  destroy(): void {
    this.#stop.forEach((stop) => stop());
    this.#u?.destroy();
  }

  restyle(): void {
    this.#pictures = pictures(this.sheet);
    this.#u?.redraw(false, true);
  }

  resize(): void {
    const width = this.host.clientWidth;
    if (this.#u && width && width !== this.#u.width) this.#u.setSize({ width, height: this.#u.height });
  }

  /** show shows a part of the x axis, or the whole. */
  show(range: Range | undefined): void {
    const { full } = this;
    const { from, to } = range ?? full;
    this.#u?.setScale("x", { min: Math.max(from, full.from), max: Math.min(to, full.to) });
  }

  /** toggle shows or hides a line, and says whether it is shown. */
  toggle(line: number): boolean {
    const series = 1 + 2 * this.sheet.bands.length + line;
    const show = !this.#u?.series[series]?.show;
    this.#u?.setSeries(series, { show });
    return show;
  }

  /** move moves the cursor by so many positions and so many rows, at least by a pixel. At first it stands at the end. */
  move(right: number, down = 0): void {
    const u = this.#u;
    if (!u) return;
    const { at, heat } = this.sheet;
    const { clientWidth: width, clientHeight: height } = u.over;
    const away = (u.cursor.left ?? -1) < 0;
    const from = away ? width : (u.cursor.left ?? 0);
    const top = away ? height / 2 : (u.cursor.top ?? 0);
    const { shown, full } = this;
    const steps = heat ? heat.count : Math.max(at.length - 1, 1);
    const pace = Math.max(1, (width / steps) * ((full.to - full.from) / (shown.to - shown.from)));
    const rows = heat ? Math.max(1, height / heat.rows.length) : 4;
    const within = (v: number, most: number): number => Math.min(Math.max(v, 0), most);
    u.setCursor({ left: within(from + right * pace, width), top: within(top + down * rows, height) });
  }

  /** leave takes the cursor away. */
  leave(): void {
    this.#u?.setCursor({ left: -10, top: -10 });
  }

  /** middle is the position of the cursor, or the middle of what is shown. */
  get middle(): number {
    const { from, to } = this.shown;
    const left = this.#u?.cursor.left ?? -1;
    return left < 0 || !this.#u ? (from + to) / 2 : this.#u.posToVal(left, "x");
  }

  /** pointed is where the cursor stands; undefined where it is not on the plot. */
  get pointed(): Pointed | undefined {
    const u = this.#u;
    const { left = -1, top = -1 } = u?.cursor ?? {};
    if (!u || left < 0 || top < 0 || left > u.over.clientWidth) return undefined;
    const [first = 0, last = first] = [this.sheet.at[0], this.sheet.at.at(-1)];
    const box = between(u, first, last);
    const pixel = u.ctx.canvas.width / u.width;
    return {
      across: (u.bbox.left + left * pixel - box.left) / box.width,
      down: (top * pixel) / u.bbox.height,
    };
  }

  #draw(): void {
    this.#u?.destroy();
    this.#pictures = pictures(this.sheet);
    this.#u = new uPlot(this.#options(), this.#data(), this.host);
  }

  #data(): uPlot.AlignedData {
    const { at, bands, lines } = this.sheet;
    return [at, ...bands.flatMap((b) => [b.high, b.low]), ...lines.map((line) => this.#inside(line.values))];
  }

  /** inside puts what lies beyond an axis with bounds at its edge. */
  #inside(values: Values): Values {
    const { min, max } = this.sheet.y;
    if (min === undefined || max === undefined) return values;
    return values.map((v) => (v === null ? v : Math.min(Math.max(v, min), max)));
  }

  #options(): uPlot.Options {
    const { sheet } = this;
    const { small = false } = this.options;
    return {
      width: this.host.clientWidth || 600,
      height: small ? SMALL : (sheet.height ?? HEIGHT),
      ms: 1e-3,
      tzDate: utc,
      legend: { show: false },
      padding: small ? [6, 18, 0, 0] : [sheet.moments.length ? 18 : 8, 26, 0, 0],
      cursor: small ? { show: false } : this.#pointer(),
      scales: scales(sheet),
      axes: axes(sheet, small),
      series: [{}, ...this.#series()],
      bands: sheet.bands.map((_, i) => ({
        series: [1 + 2 * i, 2 + 2 * i] as [number, number],
        fill: () => ink(`band-${i + 1}`),
      })),
      hooks: this.#hooks(),
    };
  }

  #pointer(): uPlot.Cursor {
    const { group } = this.options;
    const moves = (type: string): boolean => type === "mousemove" || type === "mouseleave";
    return {
      y: Boolean(this.sheet.heat ?? this.sheet.crowd),
      drag: { x: true, y: false, dist: 6, setScale: false },
      points: { size: 7 },
      ...(group ? { sync: { key: group, scales: ["x", null], filters: { pub: moves, sub: moves } } } : {}),
    };
  }

  #series(): uPlot.Series[] {
    const edge: uPlot.Series = { stroke: "transparent", width: 0, points: { show: false } };
    return [...this.sheet.bands.flatMap(() => [edge, edge]), ...this.sheet.lines.map((line) => this.#line(line))];
  }

  /** A line has a point where a sample stands alone between gaps. Of other points uPlot draws those it has room for; a limit has none. */
  #line(line: Line): uPlot.Series {
    const stroke = (): string => ink(line.role);
    const limit = line.role.startsWith("threshold");
    const alone = [...line.values.keys()].filter((i) => isAlone(line.values, i));
    return {
      label: line.name,
      stroke,
      width: line.role.startsWith("suspect") ? 2 : 1.25,
      ...(limit ? { dash: [7, 4] } : {}),
      ...(line.step && uPlot.paths.stepped ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
      points: limit
        ? { show: false }
        : { size: 4, stroke, fill: stroke, filter: (_, __, show) => (show ? null : alone) },
    };
  }

  #hooks(): uPlot.Hooks.Arrays {
    const { handlers } = this;
    return {
      drawClear: [(u) => underGrid(u, this.sheet)],
      drawAxes: [(u) => underLines(u, this.sheet, this.#pictures)],
      draw: [(u) => over(u, this.sheet, this.options.small ?? false)],
      setCursor: [
        (u) => {
          this.#cursor = this.pointed ? (u.cursor.idx ?? null) : null;
          handlers.cursor?.(this.#cursor);
        },
      ],
      setSelect: [
        (u) => {
          const { left, width } = u.select;
          if (width < 6) return;
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          handlers.zoom?.({ from: u.posToVal(left, "x"), to: u.posToVal(left + width, "x") });
        },
      ],
      ready: [
        (u) => {
          u.over.addEventListener("dblclick", () => handlers.zoom?.(undefined));
          for (const type of Object.keys(TOUCH)) u.over.addEventListener(type, touch);
        },
      ],
    };
  }
}

/** isAlone says whether a value has a gap on both sides, so that no line shows it. */
const isAlone = (values: Values, i: number): boolean =>
  values[i] != null && values[i - 1] == null && values[i + 1] == null;

/** TOUCH: fingers zoom as mice do; scrolling up and down stays the browser's. */
const TOUCH: Record<string, string> = {
  pointerdown: "mousedown",
  pointermove: "mousemove",
  pointerup: "mouseup",
  pointercancel: "mouseup",
};

function touch(event: Event): void {
  if (!(event instanceof PointerEvent) || event.pointerType !== "touch") return;
  const { type, target, clientX, clientY } = event;
  target?.dispatchEvent(new MouseEvent(TOUCH[type] ?? type, { bubbles: true, clientX, clientY, movementX: 1 }));
}
