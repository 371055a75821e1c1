// How things stand, kept up to date. The server tells by server-sent events that
// something changed; what changed is then asked for. A stream that breaks is
// opened again and goes on after the last event; until then the page says that it
// is behind.

import { events, get, getSystem, Refused, server } from "./api";
import { System } from "./system";
import { seconds } from "./time";
import type { IncidentList, Source, Status } from "./types";

const LOST_MS = 4_000; // a stream that is away for longer is told
const REFRESH_MS = 1_000; // between two refreshes at least
const RETRY_MS = 3_000;
const BEHIND_SECONDS = 600; // data that are older than the clock by more are told, and by more than a few steps
const BEHIND_STEPS = 5;

/** idle does something while nobody waits. Not every browser tells when that is. */
const idle = (work: () => void): void => {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(work);
  else setTimeout(work, 500);
};

class Live {
  status = $state.raw<Status>();
  incidents = $state.raw<IncidentList>();
  system = $state.raw<System>();
  trouble = $state("");
  connected = $state(false);
  lostAt = $state(0); // Unix time; 0 while the stream is there
  clock = $state(Math.floor(Date.now() / 1000));
  /** version grows with each change, so that views ask again. */
  version = $state(0);

  #stream: EventSource | undefined;
  #event = 0;
  #timer = 0;
  #last = 0;
  #known = "";

  /** now is the time of the last row. */
  get now(): number {
    return this.status?.at ? seconds(this.status.at) : this.clock;
  }

  get operator(): boolean {
    return this.status?.roles.includes("operator") ?? false;
  }

  /** behind says in a sentence why this page does not show the present; empty where it does. */
  get behind(): string {
    if (this.lostAt && this.clock - this.lostAt > LOST_MS / 1000)
      return "The connection to the server is lost; this page tries again.";
    if (this.status && !this.status.ready) return this.status.waiting ?? "";
    return "";
  }

  /** sick are the sources that are not live. */
  get sick(): Source[] {
    return this.status?.sources.filter((s) => s.state !== "live") ?? [];
  }

  /** stale is by how many seconds the data are older than the server's clock; 0 where that is usual. */
  get stale(): number {
    const age = this.clock + server.ahead - this.now;
    return age > Math.max(BEHIND_SECONDS, BEHIND_STEPS * (this.system?.stepSeconds ?? 0)) ? age : 0;
  }

  async start(): Promise<void> {
    setInterval(() => (this.clock = Math.floor(Date.now() / 1000)), 1000);
    await this.refresh();
    this.#listen();
  }

  #listen(): void {
    const stream = (this.#stream = events(this.#event));
    stream.onopen = () => {
      if (this.lostAt) this.#soon();
      this.connected = true;
      this.lostAt = 0;
    };
    stream.onerror = () => {
      this.connected = false;
      this.lostAt ||= Math.floor(Date.now() / 1000);
      if (stream.readyState === EventSource.CLOSED) setTimeout(() => this.#retry(), RETRY_MS); // a browser gives up where the answer is an error
    };
    stream.addEventListener("incident", (message) => {
      this.#event = Math.max(this.#event, Number(message.lastEventId) || 0);
      this.#soon();
    });
    stream.addEventListener("standing", () => this.#soon());
    stream.addEventListener("reset", () => this.#again());
  }

  /** retry asks how things stand, and for the stream again: a page without one asks again and again. */
  #retry(): void {
    void this.refresh();
    this.#listen();
  }

  /** again begins anew: the server knows other events than this page. */
  #again(): void {
    this.#stream?.close();
    this.#event = 0;
    this.#known = "";
    void this.refresh().then(() => this.#listen());
  }

  /** soon refreshes once, however many events come at a time. A page that nobody sees waits until somebody does. */
  #soon(): void {
    if (this.#timer || document.hidden) return void (document.hidden && this.#wake());
    const wait = Math.max(0, this.#last + REFRESH_MS - Date.now());
    this.#timer = window.setTimeout(() => {
      this.#timer = 0;
      void this.refresh();
    }, wait);
  }

  #sleeping = false;
  #wake(): void {
    if (this.#sleeping) return;
    this.#sleeping = true;
    const seen = (): void => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", seen);
      this.#sleeping = false;
      void this.refresh();
    };
    document.addEventListener("visibilitychange", seen);
  }

  async refresh(): Promise<void> {
    this.#last = Date.now();
    try {
      const [status, incidents] = await Promise.all([
        get<Status>("/status"),
        get<IncidentList>("/incidents", { limit: 300 }),
      ]);
      void this.#learn(status);
      this.status = status;
      this.incidents = incidents;
      this.#event = Math.max(this.#event, status.event);
      this.trouble = "";
      this.version++;
    } catch (error) {
      this.trouble = error instanceof Refused ? error.message : String(error);
      if (!this.status) setTimeout(() => void this.refresh(), RETRY_MS);
    }
  }

  /** learn asks for the system where it is not known, or may have changed. What limps is shown meanwhile. */
  async #learn(status: Status): Promise<void> {
    const key = `${status.system} ${status.limpet} ${status.warnings.join()}`;
    if (key === this.#known) return;
    this.#known = key;
    try {
      const system = (this.system = new System(await getSystem()));
      idle(() => system.texts());
    } catch (error) {
      this.#known = "";
      this.trouble = error instanceof Refused ? error.message : String(error);
    }
  }
}

export const live = new Live();
