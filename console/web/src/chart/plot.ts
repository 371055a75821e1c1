// A plot over time: suspects as lines over the crowd of their peers, whose quantiles
// are bands. What is missing is a gap. uPlot draws axes and lines.

import uPlot from "uplot";
import { ink, onScheme, roleInk } from "./ink";
import { extent, linearRange, logRange, logTicks, positive } from "./scale";
import type { Sheet, Values } from "./sheet";

export interface Handlers {
  /** The cursor stands at an index of the times; null where it has left. */
  cursor?: (index: number | null) => void;
  /** A stretch was dragged across; undefined where the whole is wanted again. */
  zoom?: (stretch: { from: number; to: number } | undefined) => void;
}

const HEIGHT = 220;
const FONT = "12px system-ui, sans-serif";

export class Plot {
  #u: uPlot | undefined;
  #cursor: number | null = null;
  readonly #stop: (() => void)[] = [];

  constructor(
    readonly host: HTMLElement,
    private sheet: Sheet,
    private readonly handlers: Handlers = {},
    private readonly small = false,
  ) {
    this.#draw();
    const resize = new ResizeObserver(() => this.#resize());
    resize.observe(host);
    this.#stop.push(
      () => resize.disconnect(),
      onScheme(() => this.#draw()),
    );
  }

  update(sheet: Sheet): void {
    this.sheet = sheet;
    this.#draw();
  }

  destroy(): void {
    this.#stop.forEach((stop) => stop());
    this.#u?.destroy();
  }

  /** move moves the cursor by so many steps, as arrow keys do. */
  move(steps: number): void {
    const u = this.#u;
    if (!u) return;
    const last = this.sheet.times.length - 1;
    const index = Math.max(0, Math.min(last, (this.#cursor ?? last) + steps));
    const left = u.valToPos(this.sheet.times[index] ?? 0, "x");
    u.setCursor({ left, top: u.over.clientHeight / 2 });
  }

  #resize(): void {
    const width = this.host.clientWidth;
    if (this.#u && width && width !== this.#u.width) this.#u.setSize({ width, height: this.#u.height });
  }

  #draw(): void {
    this.#u?.destroy();
    this.#u = new uPlot(this.#options(), this.#data(), this.host);
  }

  #clean(values: Values): Values {
    return this.sheet.log ? positive(values) : values;
  }

  #data(): uPlot.AlignedData {
    const { times, bands, lines } = this.sheet;
    const rows = [...bands.flatMap((b) => [b.high, b.low]), ...lines.map((l) => l.values)];
    return [times, ...rows.map((values) => this.#clean(values))];
  }

  #options(): uPlot.Options {
    const { from, to } = this.sheet;
    return {
      width: this.host.clientWidth || 600,
      height: this.small ? 56 : HEIGHT,
      ms: 1e-3,
      tzDate: (unix) => uPlot.tzDate(new Date(unix * 1000), "UTC"),
      legend: { show: false },
      padding: this.small ? [4, 0, 4, 0] : [18, 12, 0, 0],
      cursor: this.small
        ? { show: false }
        : { drag: { x: true, y: false, setScale: false }, points: { size: 7 }, y: false, focus: { prox: 30 } },
      scales: {
        x: { time: true, range: () => [from, to] },
        y: this.sheet.log ? { distr: 3, range: () => this.#range() } : { range: () => this.#range() },
      },
      axes: this.small ? [{ show: false }, { show: false }] : this.#axes(),
      series: [{}, ...this.#series()],
      bands: this.sheet.bands.map((_, i) => ({
        series: [1 + 2 * i, 2 + 2 * i] as [number, number],
        fill: ink(this.host, `band-${i + 1}`),
      })),
      hooks: this.#hooks(),
    };
  }

  #range(): [number, number] {
    const [low, high] = extent([
      ...this.sheet.lines.map((l) => this.#clean(l.values)),
      ...this.sheet.bands.flatMap((b) => [this.#clean(b.low), this.#clean(b.high)]),
    ]);
    return this.sheet.log ? logRange(low, high) : linearRange(high);
  }

  #axes(): uPlot.Axis[] {
    const stroke = ink(this.host, "muted");
    const grid = { stroke: ink(this.host, "rule"), width: 1 };
    const common = { stroke, grid, ticks: { ...grid, size: 4 }, font: FONT };
    const y: uPlot.Axis = { ...common, size: 72, values: (_, ticks) => ticks.map((v) => this.sheet.tick(v)) };
    if (this.sheet.log) {
      y.splits = (_, __, low, high) => logTicks(low, high);
      y.filter = (_, splits) => splits;
    }
    return [{ ...common, space: 70, values: timeLabels }, y];
  }

  #series(): uPlot.Series[] {
    const edge: uPlot.Series = { stroke: "transparent", width: 0, points: { show: false } };
    return [
      ...this.sheet.bands.flatMap(() => [edge, edge]),
      ...this.sheet.lines.map((line): uPlot.Series => {
        const dashed = line.role === "threshold-1";
        return {
          label: line.name,
          stroke: roleInk(this.host, line.role),
          width: line.role.startsWith("suspect") ? 2 : 1.5,
          ...(dashed ? { dash: [6, 4] } : {}),
          points: { show: (_u, index) => isAlone(line.values, index) && !dashed },
        };
      }),
    ];
  }

  #hooks(): uPlot.Hooks.Arrays {
    const { handlers } = this;
    return {
      drawClear: [(u) => this.#spans(u)],
      draw: [(u) => this.#moments(u)],
      setCursor: [
        (u) => {
          this.#cursor = u.cursor.idx ?? null;
          handlers.cursor?.(this.#cursor);
        },
      ],
      setSelect: [
        (u) => {
          const { left, width } = u.select;
          if (width < 6) return;
          handlers.zoom?.({ from: u.posToVal(left, "x"), to: u.posToVal(left + width, "x") });
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
      ready: [(u) => u.over.addEventListener("dblclick", () => handlers.zoom?.(undefined))],
    };
  }

  /** spans are shaded under everything else. */
  #spans(u: uPlot): void {
    const { left, top, width, height } = u.bbox;
    for (const span of this.sheet.spans) {
      const a = Math.max(left, u.valToPos(span.from, "x", true));
      const b = Math.min(left + width, u.valToPos(span.to, "x", true));
      if (b < left || a > left + width) continue;
      u.ctx.save();
      u.ctx.globalAlpha = span.role === "onset" ? 0.28 : 0.1;
      u.ctx.fillStyle = roleInk(this.host, span.role);
      u.ctx.fillRect(a, top, Math.max(b - a, 2 * devicePixelRatio), height);
      u.ctx.restore();
    }
  }

  /** moments are lines from top to bottom with a mark of their own shape, which the legend repeats. */
  #moments(u: uPlot): void {
    const { left, top, width, height } = u.bbox;
    for (const moment of this.sheet.moments) {
      const x = u.valToPos(moment.at, "x", true);
      if (x < left || x > left + width) continue;
      u.ctx.save();
      u.ctx.strokeStyle = u.ctx.fillStyle = roleInk(this.host, moment.role);
      u.ctx.lineWidth = 1.5 * devicePixelRatio;
      u.ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
      u.ctx.beginPath();
      u.ctx.moveTo(x, top);
      u.ctx.lineTo(x, top + height);
      u.ctx.stroke();
      if (!this.small) mark(u.ctx, x, top - 7 * devicePixelRatio, moment.role);
      u.ctx.restore();
    }
  }
}

/** isAlone says whether a value has a gap on both sides, so that no line shows it. */
function isAlone(values: Values, index: number): boolean {
  return values[index - 1] == null && values[index + 1] == null;
}

/** mark is what a moment is told by where colours are not. */
function mark(ctx: CanvasRenderingContext2D, x: number, y: number, role: string): void {
  const r = 5 * devicePixelRatio;
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

/** timeLabels are hours, with the day where it begins. */
function timeLabels(_: uPlot, ticks: number[]): string[] {
  let before = "";
  return ticks.map((unix) => {
    const text = new Date(unix * 1000).toISOString();
    const day = text.slice(5, 10);
    const label = text.slice(11, 16);
    const first = day !== before;
    before = day;
    return first ? `${label}\n${day}` : label;
  });
}
